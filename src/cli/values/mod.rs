//! Arrays of run-time types: what functions are called with from the command line and what they return,
//! as text and as files of NumPy.

use freehold_backend::jit::{
    Argument, Buffer, ElementType, MemRefKind, Shape, ValueKind, ValueType,
};
use freehold_frontend::ir::types::FloatKind;

pub(crate) mod input;
pub(crate) mod npy;
pub(crate) mod print;

/// Where elements begin is a multiple of this: enough for any.
const ALIGNMENT: usize = 64;

/// Bytes that begin at a multiple of [`ALIGNMENT`].
#[derive(Debug)]
struct Aligned {
    storage: Vec<u8>,
    start: usize,
    len: usize,
}

impl Aligned {
    fn zeroed(len: usize) -> Result<Self, String> {
        let mut storage = Vec::new();
        let too_large = |_| format!("{len} bytes are more than there is memory for");
        let total = len.saturating_add(ALIGNMENT);
        storage.try_reserve_exact(total).map_err(too_large)?;
        storage.resize(total, 0);
        let start = storage.as_ptr().align_offset(ALIGNMENT);
        Ok(Self {
            storage,
            start,
            len,
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.storage[self.start..][..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..][..self.len]
    }
}

/// What elements are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// Of this type.
    Element(ElementType),
    /// Raw bytes without a meaning to NumPy, which is how it stores types that it does not have.
    Raw(usize),
}

impl Stored {
    fn byte_size(self) -> usize {
        match self {
            Self::Element(element) => element.byte_size(),
            Self::Raw(size) => size,
        }
    }
}

/// An array, row-major. A number is one without dimensions.
#[derive(Debug)]
pub(crate) struct Array {
    stored: Stored,
    sizes: Vec<usize>,
    elements: Aligned,
}

/// The product of the sizes, if there can be as many elements of `size` bytes.
fn n_bytes(sizes: &[usize], size: usize) -> Option<usize> {
    let total = sizes
        .iter()
        .try_fold(size, |total, &n| total.checked_mul(n))?;
    isize::try_from(total).is_ok().then_some(total)
}

impl Array {
    /// All zero.
    fn zeroed(stored: Stored, sizes: &[usize]) -> Result<Self, String> {
        let n_bytes = n_bytes(sizes, stored.byte_size())
            .ok_or_else(|| "sizes are more than memory can hold".to_owned())?;
        Ok(Self {
            stored,
            sizes: sizes.to_vec(),
            elements: Aligned::zeroed(n_bytes)?,
        })
    }

    /// With these bytes; there must be enough.
    pub(crate) fn of_bytes(
        element: ElementType,
        sizes: &[usize],
        bytes: &[u8],
    ) -> Result<Self, String> {
        let mut array = Self::zeroed(Stored::Element(element), sizes)?;
        let wrong = || format!("{} bytes are not {}", bytes.len(), Shape(sizes, element));
        let elements = array.elements.bytes_mut();
        let bytes = bytes.get(..elements.len()).ok_or_else(wrong)?;
        elements.copy_from_slice(bytes);
        Ok(array)
    }

    /// What elements are, if that is known.
    pub(crate) fn element(&self) -> Option<ElementType> {
        match self.stored {
            Stored::Element(element) => Some(element),
            Stored::Raw(_) => None,
        }
    }

    /// The sizes.
    pub(crate) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The elements as they lie in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.elements.bytes()
    }

    /// Sizes and elements as text.
    fn shape(&self) -> String {
        match self.stored {
            Stored::Element(element) => Shape(&self.sizes, element).to_string(),
            Stored::Raw(size) => {
                let sizes: String = self.sizes.iter().map(|n| format!("{n}x")).collect();
                format!("{sizes}({size} bytes)")
            }
        }
    }

    /// The bits of each element.
    fn bits(&self) -> impl Iterator<Item = u128> + '_ {
        let elements = self
            .elements
            .bytes()
            .chunks_exact(self.stored.byte_size().max(1));
        elements.map(|bytes| {
            let mut all = [0; 16];
            all[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        })
    }

    /// As an array of elements of type `declared`: those that NumPy has no type for, or integers that do
    /// not fill their bytes. Others stay as they are.
    pub(crate) fn read_as(mut self, declared: ElementType) -> Result<Self, String> {
        match self.stored {
            Stored::Raw(size) => {
                let is_native = matches!(
                    declared,
                    ElementType::Index
                        | ElementType::Float(FloatKind::F16 | FloatKind::F32 | FloatKind::F64)
                        | ElementType::Complex(_)
                );
                let is_padded = declared.has_padding() && declared.integer_width().is_some();
                if size == declared.byte_size() && !is_native && !is_padded {
                    self.stored = Stored::Element(declared);
                }
            }
            Stored::Element(given) => {
                let padded = declared.has_padding() && given.integer_width().is_some();
                let width = declared.integer_width().unwrap_or(128);
                if padded && width != 1 && given.byte_size() == declared.byte_size() {
                    let size = given.byte_size();
                    for bytes in self.elements.bytes_mut().chunks_exact_mut(size) {
                        let mut all = [0; 16];
                        all[..size].copy_from_slice(bytes);
                        let value = u128::from_le_bytes(all);
                        let gap = 128 - 8 * size as u32;
                        let signed = (value << gap) as i128 >> gap;
                        let limit = 1i128 << (width - 1);
                        if value >> width != 0 && !(-limit..limit).contains(&signed) {
                            return Err(format!("{signed} is no value of type {declared}"));
                        }
                        let bits = value & (u128::MAX >> (128 - width));
                        bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
                    }
                    self.stored = Stored::Element(declared);
                }
            }
        }
        Ok(self)
    }
}

/// An array where a function wants it: its elements in memory, in the order that the type of the argument
/// asks for.
#[derive(Debug)]
pub(crate) struct Passed {
    array: Array,
    element: Option<ElementType>,
    strides: Vec<usize>,
    memory: Option<Aligned>,
    is_number: bool,
}

impl Passed {
    /// `array` for an argument of type `ty`. Whether it fits is for the function to say.
    pub(crate) fn new(array: Array, ty: &ValueType) -> Result<Self, String> {
        let array = match ty.element() {
            Some(declared) => array.read_as(declared)?,
            None => array,
        };
        let element = match array.stored {
            Stored::Element(element) => Some(element),
            Stored::Raw(_) => None,
        };
        let strides = match ty.kind() {
            ValueKind::MemRef(memref) => strides(&array.sizes, memref)
                .ok_or_else(|| format!("{ty} is not a layout for {}", array.shape()))?,
            _ => row_major(&array.sizes),
        };
        // Other types go on as a buffer, which the function refuses with both types.
        let is_number = match (ty.kind(), element) {
            (ValueKind::Scalar(declared), Some(given)) => {
                array.sizes.is_empty() && declared.accepts(given)
            }
            _ => false,
        };
        let mut passed = Self {
            is_number,
            array,
            element,
            strides,
            memory: None,
        };
        passed.reset()?;
        Ok(passed)
    }

    /// Copies the array to where the function gets it.
    pub(crate) fn reset(&mut self) -> Result<(), String> {
        let size = self.array.stored.byte_size();
        let reach = self.array.sizes.iter().zip(&self.strides);
        let reach = reach.fold(1usize, |reach, (&n, &stride)| {
            reach.saturating_add(n.saturating_sub(1).saturating_mul(stride))
        });
        let n_bytes = match self.array.sizes.contains(&0) {
            true => 0,
            false => reach.saturating_mul(size),
        };
        let memory = match &mut self.memory {
            Some(memory) => memory,
            None => self.memory.insert(Aligned::zeroed(n_bytes)?),
        };
        let memory = memory.bytes_mut();
        let elements = self.array.elements.bytes().chunks_exact(size);
        for (at, bytes) in places(&self.array.sizes, &self.strides).zip(elements) {
            memory[at * size..][..size].copy_from_slice(bytes);
        }
        Ok(())
    }

    /// The elements as the function left them.
    pub(crate) fn read_back(&self) -> Result<Array, String> {
        let mut array = Array::zeroed(self.array.stored, &self.array.sizes)?;
        let size = self.array.stored.byte_size();
        let elements = array.elements.bytes_mut().chunks_exact_mut(size);
        if let Some(memory) = &self.memory {
            for (at, bytes) in places(&self.array.sizes, &self.strides).zip(elements) {
                bytes.copy_from_slice(&memory.bytes()[at * size..][..size]);
            }
        }
        Ok(array)
    }

    /// The memory as a buffer; none for a number.
    pub(crate) fn buffer(&mut self) -> Result<Option<Buffer<'_>>, String> {
        let Some(element) = self.element else {
            return Err(format!(
                "{} has elements of no known type",
                self.array.shape()
            ));
        };
        if self.is_number {
            return Ok(None);
        }
        let memory = self
            .memory
            .as_mut()
            .map(Aligned::bytes_mut)
            .unwrap_or_default();
        Buffer::of_bytes(memory, element, &self.array.sizes, &self.strides)
            .map(Some)
            .map_err(|error| error.to_string())
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<Argument<'static>> {
        let bits = self.array.bits().next().filter(|_| self.is_number)?;
        Some(match self.element? {
            element @ (ElementType::Int { .. } | ElementType::Index) => {
                let gap = 128 - element.integer_width()?;
                Argument::Int((bits << gap) as i128 >> gap)
            }
            ElementType::Float(FloatKind::F32) => Argument::F32(f32::from_bits(bits as u32)),
            ElementType::Float(FloatKind::F64) => Argument::F64(f64::from_bits(bits as u64)),
            ElementType::Float(kind) => Argument::Float(kind, bits as u64),
            ElementType::Complex(kind) => {
                let part = bits & (u128::MAX >> (128 - kind.width()));
                Argument::Complex(kind, [part as u64, (bits >> kind.width()) as u64])
            }
        })
    }
}

fn row_major(sizes: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].saturating_mul(sizes[dim].max(1));
    }
    strides
}

/// Strides that the type of an argument allows for these sizes, row-major if it does not say. `None` if
/// elements would lie on top of each other or before the first one.
fn strides(sizes: &[usize], memref: &MemRefKind) -> Option<Vec<usize>> {
    if memref.is_row_major || sizes.len() != memref.rank() {
        return Some(row_major(sizes));
    }
    // From the inside out: missing parts extend beyond all that is inside.
    let mut strides = vec![1; sizes.len()];
    let mut next = 1usize;
    for dim in (0..sizes.len()).rev() {
        strides[dim] = match memref.strides[dim] {
            Some(declared) => usize::try_from(declared).ok()?,
            None => next,
        };
        let reach = strides[dim].checked_mul(sizes[dim].max(1))?;
        next = next.max(reach);
    }
    let mut dims: Vec<(usize, usize)> =
        strides.iter().copied().zip(sizes.iter().copied()).collect();
    dims.retain(|&(_, n)| n > 1);
    dims.sort_unstable();
    let mut reach = 0usize;
    for (stride, n) in dims {
        if stride <= reach {
            return None;
        }
        reach = reach.checked_add(stride.checked_mul(n - 1)?)?;
    }
    Some(strides)
}

/// Where elements are, row-major.
fn places(sizes: &[usize], strides: &[usize]) -> impl Iterator<Item = usize> {
    let n = sizes.iter().product();
    (0..n).map(move |flat: usize| {
        let mut rest = flat;
        let mut at = 0;
        for (&size, &stride) in sizes.iter().zip(strides).rev() {
            at += rest % size * stride;
            rest /= size;
        }
        at
    })
}
