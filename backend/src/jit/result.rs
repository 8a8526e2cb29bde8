//! What compiled functions return: numbers, and buffers that own their memory.

use std::fmt;
use std::sync::Arc;

use freehold_frontend::ir::types::FloatKind;
use freehold_runtime::{check, count};
use smallvec::SmallVec;

use super::buffer::{Element, is_row_major};
use super::types::{ElementType, Passed, Shape, ValueType};
use crate::options::AllocMode;
use crate::repr::Scalar;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn free(pointer: *mut u8);
}

/// Memory that a function handed over, freed with its last owner.
struct Memory {
    address: usize,
    mode: AllocMode,
}

impl Drop for Memory {
    fn drop(&mut self) {
        match self.mode {
            AllocMode::Plain => {
                let pointer = std::ptr::with_exposed_provenance_mut(self.address);
                // SAFETY: the function handed the allocation over, and this is its only owner.
                unsafe { free(pointer) };
            }
            AllocMode::Counting => count::free_result(self.address),
            AllocMode::Checking => check::free_result(self.address),
        }
    }
}

/// A memref that a function returned. It owns its memory, together with other results of the same call that
/// are in the same allocation.
pub struct MemRefResult {
    /// `None` if there is none to free.
    memory: Option<Arc<Memory>>,
    /// Where the element with all indices zero is.
    origin: usize,
    element: ElementType,
    sizes: Vec<usize>,
    strides: Vec<isize>,
}

impl fmt::Debug for MemRefResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemRefResult({})", Shape(&self.sizes, self.element))
    }
}

impl MemRefResult {
    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The sizes.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The strides, in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Whether the memory is freed with this. That of arguments is not ([`FunctionRef::call_sharing`]), and where there
    /// are no elements there may be none.
    ///
    /// [`FunctionRef::call_sharing`]: super::FunctionRef::call_sharing
    pub fn owns_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Where the element with all indices zero is, as long as this is there.
    pub fn origin(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.origin)
    }

    /// Its elements, row-major; `None` if they are not of type `T`.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        if !T::TYPE.accepts(self.element) {
            return None;
        }
        let mut elements = Vec::with_capacity(self.sizes.iter().product());
        let mut all_valid = true;
        self.for_each(|pointer| {
            // SAFETY: the function vouches for its elements.
            all_valid &= !T::TYPE.has_padding() || unsafe { pointer.read() } <= 1;
            if all_valid {
                // SAFETY: they are of this type, and for `bool` the byte was just looked at.
                elements.push(unsafe { pointer.cast::<T>().read_unaligned() });
            }
        });
        all_valid.then_some(elements)
    }

    /// The bytes of its elements, row-major.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = self.element.byte_size();
        let mut bytes = Vec::with_capacity(self.sizes.iter().product::<usize>() * size);
        self.for_each(|pointer| {
            // SAFETY: the function vouches for its elements, which take this many bytes.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(pointer, size) });
        });
        bytes
    }

    /// Its elements where they are, if they are of type `T` and lie one after the other. Those of type `bool`
    /// can only be copied.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        let is_right = T::TYPE.accepts(self.element) && !T::TYPE.has_padding();
        let is_aligned = self.origin.is_multiple_of(align_of::<T>());
        if !is_right || !is_aligned || !is_row_major(&self.sizes, &self.strides) {
            return None;
        }
        let n = self.sizes.iter().product();
        if n == 0 {
            return Some(&[]);
        }
        // SAFETY: the function vouches for its elements, which are of this type; this owns their memory.
        Some(unsafe { std::slice::from_raw_parts(self.origin().cast::<T>(), n) })
    }

    /// Leaves the memory to the program.
    pub fn leak(mut self) {
        if let Some(memory) = self.memory.take() {
            std::mem::forget(memory);
        }
    }

    /// Calls `each` with the address of every element, row-major.
    fn for_each(&self, mut each: impl FnMut(*const u8)) {
        if self.sizes.contains(&0) {
            return;
        }
        let size = self.element.byte_size() as isize;
        let base = std::ptr::with_exposed_provenance::<u8>(self.origin);
        let mut index = vec![0; self.sizes.len()];
        let mut at = 0isize;
        loop {
            each(base.wrapping_offset(at * size));
            // The next index, the last dimension first.
            let mut dim = index.len();
            loop {
                if dim == 0 {
                    return;
                }
                dim -= 1;
                index[dim] += 1;
                at += self.strides[dim];
                if index[dim] < self.sizes[dim] {
                    break;
                }
                at -= self.strides[dim] * self.sizes[dim] as isize;
                index[dim] = 0;
            }
        }
    }

    /// A copy in memory of its own.
    fn copied(&self) -> Self {
        let bytes = self.to_bytes();
        // SAFETY: malloc takes any size; what it returns is written only if it is there.
        let pointer = unsafe {
            let pointer = malloc(bytes.len().max(1));
            assert!(!pointer.is_null(), "out of memory");
            pointer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            pointer
        };
        let address = pointer.expose_provenance();
        let mut strides = vec![1isize; self.sizes.len()];
        for dim in (1..strides.len()).rev() {
            strides[dim - 1] = strides[dim] * self.sizes[dim] as isize;
        }
        let mode = AllocMode::Plain;
        Self {
            memory: Some(Arc::new(Memory { address, mode })),
            origin: address,
            element: self.element,
            sizes: self.sizes.clone(),
            strides,
        }
    }
}

/// What a function returned.
#[derive(Debug)]
pub enum ResultValue {
    /// An integer or index, sign-extended (`i1` is 0 or -1).
    Int(i128),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// Bits of a float of another format.
    FloatBits(u16),
    /// Real and imaginary part.
    Complex(Box<[ResultValue; 2]>),
    /// The address of a function.
    Function(u64),
    /// The bytes of the elements of a vector, in order.
    Vector(Vec<u8>),
    /// A memref, ranked or not.
    MemRef(MemRefResult),
    /// A memref of elements that callers cannot read. Its memory is left to the program.
    Opaque,
}

impl ResultValue {
    /// The number, if it is an integer or index.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is an `f32`.
    pub fn as_f32(&self) -> Option<f32> {
        match self {
            Self::F32(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is an `f64`.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::F64(value) => Some(*value),
            _ => None,
        }
    }

    /// The memref, if it is one.
    pub fn as_memref(&self) -> Option<&MemRefResult> {
        match self {
            Self::MemRef(memref) => Some(memref),
            _ => None,
        }
    }

    /// The memref, if it is one.
    pub fn into_memref(self) -> Option<MemRefResult> {
        match self {
            Self::MemRef(memref) => Some(memref),
            _ => None,
        }
    }
}

/// Whose the memory of a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The function hands it over.
    Function,
    /// It is that of an argument, and the caller takes the result where it is.
    Caller,
    /// It is that of an argument or global, and results are copied.
    Other,
}

/// Takes memrefs over from a function.
pub(super) struct Receiver<'c> {
    /// How allocations are freed.
    mode: AllocMode,
    /// Whose the memory at an address is.
    owner: &'c dyn Fn(usize) -> Owner,
    /// Allocations of results so far.
    taken: Vec<Arc<Memory>>,
}

impl<'c> Receiver<'c> {
    /// `owner` tells whose memory is.
    pub(super) fn new(mode: AllocMode, owner: &'c dyn Fn(usize) -> Owner) -> Self {
        Self {
            mode,
            owner,
            taken: Vec::new(),
        }
    }

    /// Takes the next result out of the parts of the struct of results.
    pub(super) fn receive<'b>(
        &mut self,
        passed: Passed,
        ty: &ValueType,
        parts: &mut impl Iterator<Item = &'b [u8]>,
    ) -> ResultValue {
        let mut next = || word(parts.next());
        match passed {
            Passed::Scalar(scalar) => read_scalar(scalar, &mut next),
            Passed::Complex(part) => {
                let re = read_scalar(part, &mut next);
                let im = read_scalar(part, &mut next);
                ResultValue::Complex(Box::new([re, im]))
            }
            Passed::MemRef(rank) => {
                let n_words = 3 + 2 * rank;
                let words: SmallVec<[u64; 16]> = (0..n_words).map(|_| next()).collect();
                self.memref(ty, rank, &words)
            }
            Passed::Unranked => {
                let (rank, descriptor) = (next() as usize, next() as usize);
                let words = std::ptr::with_exposed_provenance::<u64>(descriptor);
                let mode = AllocMode::Plain;
                let descriptor = Memory {
                    address: descriptor,
                    mode,
                };
                // SAFETY: the function returned a descriptor of that rank, made by malloc for its caller.
                let words = unsafe { std::slice::from_raw_parts(words, 3 + 2 * rank).to_vec() };
                drop(descriptor);
                self.memref(ty, rank, &words)
            }
            Passed::Vector(n_parts) => {
                let parts = parts.by_ref().take(n_parts);
                ResultValue::Vector(parts.flatten().copied().collect())
            }
        }
    }

    fn memref(&mut self, ty: &ValueType, rank: usize, words: &[u64]) -> ResultValue {
        let Some(element) = ty.element() else {
            return ResultValue::Opaque;
        };
        let allocated = words[0] as usize;
        let offset = (words[2] as usize).wrapping_mul(element.byte_size());
        let size = |&n: &u64| usize::try_from(n as i64).unwrap_or(0);
        let mut result = MemRefResult {
            memory: None,
            origin: (words[1] as usize).wrapping_add(offset),
            element,
            sizes: words[3..3 + rank].iter().map(size).collect(),
            strides: words[3 + rank..].iter().map(|&n| n as isize).collect(),
        };
        match (self.owner)(allocated) {
            Owner::Function => {}
            Owner::Caller => return ResultValue::MemRef(result),
            Owner::Other => return ResultValue::MemRef(result.copied()),
        }
        if allocated != 0 {
            let shared = self.taken.iter().find(|memory| memory.address == allocated);
            let memory = shared.cloned().unwrap_or_else(|| {
                let mode = self.mode;
                let memory = Arc::new(Memory {
                    address: allocated,
                    mode,
                });
                self.taken.push(memory.clone());
                memory
            });
            result.memory = Some(memory);
        }
        ResultValue::MemRef(result)
    }
}

/// The first bytes of a result as a number.
fn word(bytes: Option<&[u8]>) -> u64 {
    let bytes = bytes.unwrap_or(&[]);
    let mut word = [0; 8];
    let n = bytes.len().min(8);
    word[..n].copy_from_slice(&bytes[..n]);
    u64::from_le_bytes(word)
}

fn read_scalar(scalar: Scalar, next: &mut impl FnMut() -> u64) -> ResultValue {
    match scalar {
        Scalar::Int(width) => {
            let low = u128::from(next());
            let bits = if width > 64 {
                low | u128::from(next()) << 64
            } else {
                low
            };
            let gap = 128 - width;
            ResultValue::Int((bits << gap) as i128 >> gap)
        }
        Scalar::Float(FloatKind::F32) => ResultValue::F32(f32::from_bits(next() as u32)),
        Scalar::Float(FloatKind::F64) => ResultValue::F64(f64::from_bits(next())),
        Scalar::Float(_) => ResultValue::FloatBits(next() as u16),
        Scalar::Function => ResultValue::Function(next()),
    }
}
