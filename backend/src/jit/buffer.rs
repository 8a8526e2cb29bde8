//! Memory that is lent to compiled functions, and the check that it is what they take.

use std::fmt;
use std::marker::PhantomData;

use freehold_frontend::ir::types::{FloatKind, Signedness};
use smallvec::SmallVec;

use super::types::{ElementType, MemRefKind, Shape};

/// A Rust type that elements of a memref can have.
pub trait Element: Copy + sealed::Sealed + 'static {
    /// How compiled functions see it.
    const TYPE: ElementType;
}

mod sealed {
    /// Keeps others from claiming that their types are elements.
    pub trait Sealed {}
}

const fn int(width: u32) -> ElementType {
    let signedness = Signedness::Signless;
    ElementType::Int { width, signedness }
}

macro_rules! elements {
    ($($(#[$attr:meta])* $ty:ty = $element:expr;)*) => {
        $(
            $(#[$attr])*
            impl sealed::Sealed for $ty {}
            $(#[$attr])*
            impl Element for $ty {
                const TYPE: ElementType = $element;
            }
        )*
    };
}

elements! {
    bool = int(1);
    i8 = int(8);
    u8 = int(8);
    i16 = int(16);
    u16 = int(16);
    i32 = int(32);
    u32 = int(32);
    i64 = int(64);
    u64 = int(64);
    isize = int(64);
    usize = int(64);
    i128 = int(128);
    u128 = int(128);
    f32 = ElementType::Float(FloatKind::F32);
    f64 = ElementType::Float(FloatKind::F64);
    #[cfg(feature = "half")]
    half::f16 = ElementType::Float(FloatKind::F16);
    #[cfg(feature = "half")]
    half::bf16 = ElementType::Float(FloatKind::BF16);
}

/// Why memory cannot be lent as it is described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferError(String);

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BufferError {}

type Sizes = SmallVec<[usize; 4]>;
type Strides = SmallVec<[isize; 4]>;

/// A memref: a descriptor that borrows the memory of its elements.
///
/// Code that is given several buffers of the same memory sees what it writes to one through the others. That
/// is why this can neither be sent to other threads nor shared with them.
pub struct Buffer<'a> {
    /// Where the memory begins that was borrowed: what tells buffers from each other.
    base: usize,
    /// Where the element with all indices zero is.
    origin: usize,
    sizes: Sizes,
    /// In elements.
    strides: Strides,
    element: ElementType,
    is_writable: bool,
    memory: PhantomData<(&'a mut (), *mut ())>,
}

impl fmt::Debug for Buffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({self})")
    }
}

/// Sizes and elements, and strides if they are not those of rows.
impl fmt::Display for Buffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shape(&self.sizes, self.element).fmt(f)?;
        if !is_row_major(&self.sizes, &self.strides) {
            write!(f, " with strides {:?}", &self.strides[..])?;
        }
        Ok(())
    }
}

impl<'a> Buffer<'a> {
    /// A row-major memref of all of `data`.
    ///
    /// # Panics
    /// If `data` is shorter than the product of the sizes.
    pub fn new<T: Element>(data: &'a mut [T], sizes: &[usize]) -> Self {
        Self::strided(data, 0, sizes, &row_major(sizes))
    }

    /// The same for functions that only read it.
    ///
    /// # Panics
    /// If `data` is shorter than the product of the sizes.
    pub fn read_only<T: Element>(data: &'a [T], sizes: &[usize]) -> Self {
        let address = data.as_ptr().expose_provenance();
        Self::within::<T>(address, data.len(), 0, sizes, &row_major(sizes), false)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// A memref of no allocation at all: its pointers are null, its sizes zero.
    pub fn null<T: Element>(rank: usize) -> Self {
        Self {
            base: 0,
            origin: 0,
            sizes: SmallVec::from_elem(0, rank),
            strides: SmallVec::from_elem(0, rank),
            element: T::TYPE,
            is_writable: true,
            memory: PhantomData,
        }
    }

    /// A memref of part of `data`; offset and strides are in elements.
    ///
    /// # Panics
    /// If an element would be outside of `data`, or there are not as many
    /// strides as sizes.
    pub fn strided<T: Element>(
        data: &'a mut [T],
        offset: usize,
        sizes: &[usize],
        strides: &[usize],
    ) -> Self {
        let address = data.as_mut_ptr().expose_provenance();
        Self::within::<T>(address, data.len(), offset, sizes, strides, true)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    fn within<T: Element>(
        base: usize,
        n_elements: usize,
        offset: usize,
        sizes: &[usize],
        strides: &[usize],
        is_writable: bool,
    ) -> Result<Self, BufferError> {
        let signed = strides.iter().map(|&stride| isize::try_from(stride).ok());
        let Some(signed) = signed.collect::<Option<Strides>>() else {
            return Err(BufferError("strides are too large".to_owned()));
        };
        let (_, last) = extent(sizes, &signed, T::TYPE)?;
        let past = last.checked_add(offset).filter(|_| !sizes.contains(&0));
        if offset > n_elements || past.is_some_and(|past| past >= n_elements) {
            return Err(BufferError("elements outside of the slice".to_owned()));
        }
        Ok(Self {
            base,
            origin: base + offset * T::TYPE.byte_size(),
            sizes: SmallVec::from_slice(sizes),
            strides: signed,
            element: T::TYPE,
            is_writable,
            memory: PhantomData,
        })
    }

    /// A memref of elements of any type in `bytes`; strides are in elements.
    ///
    /// # Errors
    /// If there are too few bytes, they are not aligned, or their values are invalid for the type.
    pub fn of_bytes(
        bytes: &'a mut [u8],
        element: ElementType,
        sizes: &[usize],
        strides: &[usize],
    ) -> Result<Self, BufferError> {
        let signed = strides.iter().map(|&stride| isize::try_from(stride).ok());
        let Some(strides) = signed.collect::<Option<Strides>>() else {
            return Err(BufferError("strides are too large".to_owned()));
        };
        let (_, last) = extent(sizes, &strides, element)?;
        if !sizes.contains(&0) && bytes.len() / element.byte_size() <= last {
            let (shape, n) = (Shape(sizes, element), bytes.len());
            return Err(BufferError(format!("{shape} takes more than {n} bytes")));
        }
        // SAFETY: all elements are within the slice, as was just checked.
        unsafe { Self::from_raw(bytes.as_mut_ptr(), element, sizes, &strides, true) }
    }

    /// A memref of foreign memory; `origin` is where the element with all indices zero is, and strides are
    /// in elements.
    ///
    /// # Errors
    /// If addresses are not aligned, elements are invalid for the type, sizes and strides overflow, or there are not as
    /// many of each.
    ///
    /// # Safety
    /// All elements must be readable as long as `'a`, and writable if `is_writable`; no other code may write to them
    /// while a function runs that is given this.
    pub unsafe fn from_raw(
        origin: *mut u8,
        element: ElementType,
        sizes: &[usize],
        strides: &[isize],
        is_writable: bool,
    ) -> Result<Self, BufferError> {
        extent(sizes, strides, element)?;
        let address = origin.expose_provenance();
        let is_empty = sizes.contains(&0);
        if !is_empty && (address == 0 || !address.is_multiple_of(element.alignment())) {
            return Err(BufferError(format!(
                "the address of {} is no multiple of {}",
                Shape(sizes, element),
                element.alignment()
            )));
        }
        let buffer = Self {
            base: address,
            origin: address,
            sizes: SmallVec::from_slice(sizes),
            strides: SmallVec::from_slice(strides),
            element,
            is_writable,
            memory: PhantomData,
        };
        if element.has_padding() {
            // SAFETY: by the caller's promise.
            unsafe { buffer.check_padding()? };
        }
        Ok(buffer)
    }

    /// Whether integers and floats that do not fill their bytes are zero-extended: compiled code counts on it.
    ///
    /// # Safety
    /// All elements must be readable.
    unsafe fn check_padding(&self) -> Result<(), BufferError> {
        let width = match self.element {
            ElementType::Float(kind) => kind.width(),
            element => element.integer_width().unwrap_or(128),
        };
        if self.sizes.contains(&0) {
            return Ok(());
        }
        let n_bytes = self.element.byte_size();
        let (first_padding, used) = ((width / 8) as usize, width % 8);
        // Row by row, and all of them as one if there are no gaps.
        let whole = [self.sizes.iter().product()];
        let (sizes, strides) = match is_row_major(&self.sizes, &self.strides) {
            true => (&whole[..], &[1][..]),
            false => (&self.sizes[..], &self.strides[..]),
        };
        let (&n, outer) = sizes.split_last().unwrap_or((&1, &[]));
        let (&step, outer_strides) = strides.split_last().unwrap_or((&1, &[]));
        let mut index: Sizes = SmallVec::from_elem(0, outer.len());
        loop {
            let indexed = index.iter().zip(outer_strides);
            let row = indexed.fold(0isize, |at, (&i, &stride)| {
                at.wrapping_add((i as isize).wrapping_mul(stride))
            });
            let pointer = |at: isize| {
                let address = (self.origin).wrapping_add_signed(at.wrapping_mul(n_bytes as isize));
                std::ptr::with_exposed_provenance::<u8>(address)
            };
            let unused_bits = if step == 1 && n_bytes == 1 {
                // SAFETY: the elements of the row are readable by the caller's promise, and next to each other.
                let row = unsafe { std::slice::from_raw_parts(pointer(row), n) };
                row.iter().fold(0, |all, byte| all | byte) >> used
            } else {
                (0..n as isize).fold(0, |all, i| {
                    let element = pointer(row.wrapping_add(i.wrapping_mul(step)));
                    (first_padding..n_bytes).fold(all, |all, byte| {
                        let used = if byte == first_padding { used } else { 0 };
                        // SAFETY: the element is readable by the caller's promise.
                        all | unsafe { element.add(byte).read() } >> used
                    })
                })
            };
            if unused_bits != 0 {
                let element = self.element;
                return Err(BufferError(format!(
                    "an element is no value of type {element}"
                )));
            }
            // The next row, the last dimension first.
            let Some(dim) = (0..index.len())
                .rev()
                .find(|&dim| index[dim] + 1 < outer[dim])
            else {
                return Ok(());
            };
            index[dim] += 1;
            index[dim + 1..].fill(0);
        }
    }

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

    /// Where the memory begins that was borrowed.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// The addresses of the first byte and of the one behind the last; equal if there are no elements.
    pub(super) fn range(&self) -> (usize, usize) {
        if self.sizes.contains(&0) {
            return (self.base, self.base);
        }
        let size = self.element.byte_size();
        let (mut low, mut high) = (self.origin, self.origin + size);
        for (&n, &stride) in self.sizes.iter().zip(&self.strides) {
            let distance = stride * (n as isize - 1) * size as isize;
            match distance < 0 {
                true => low = low.wrapping_add_signed(distance),
                false => high = high.wrapping_add_signed(distance),
            }
        }
        (low.min(self.base), high)
    }

    /// Whether two elements may be in the same place.
    fn may_overlap_itself(&self) -> bool {
        let mut dims: SmallVec<[(usize, usize); 4]> = self
            .sizes
            .iter()
            .zip(&self.strides)
            .filter(|&(&n, _)| n > 1)
            .map(|(&n, &stride)| (stride.unsigned_abs(), n))
            .collect();
        dims.sort_unstable();
        let mut reach = 0;
        !self.sizes.contains(&0)
            && dims.iter().any(|&(stride, n)| {
                let overlaps = stride <= reach;
                reach += stride * (n - 1);
                overlaps
            })
    }

    /// The words of a descriptor of rank and layout `memref`, if this is such a buffer; else the error.
    pub(super) fn describe(
        &self,
        memref: &MemRefKind,
        only_reads: bool,
        words: &mut impl Extend<u64>,
    ) -> Result<(), Misfit> {
        if self.sizes.len() != memref.rank() || !memref.element.accepts(self.element) {
            return Err(Misfit::Type);
        }
        let sizes = self.sizes.iter().zip(&memref.sizes);
        if !sizes
            .clone()
            .all(|(&n, declared)| declared.is_none_or(|declared| n == declared))
        {
            return Err(Misfit::Type);
        }
        let is_empty = self.sizes.contains(&0);
        // A stride that leads nowhere may be any; code is told the one that it expects.
        let matters = |dim: usize| !is_empty && self.sizes[dim] > 1;
        let mut strides = self.strides.clone();
        if memref.is_row_major {
            for (dim, expected) in row_major(&self.sizes).into_iter().enumerate() {
                if matters(dim) && strides[dim] != expected as isize {
                    return Err(Misfit::Layout);
                }
                strides[dim] = expected as isize;
            }
        }
        for (dim, declared) in memref.strides.iter().enumerate() {
            if let Some(declared) = *declared {
                if matters(dim) && strides[dim] != declared {
                    return Err(Misfit::Layout);
                }
                strides[dim] = declared;
            }
        }
        if !only_reads {
            if !self.is_writable {
                return Err(Misfit::ReadOnly);
            }
            if self.may_overlap_itself() {
                return Err(Misfit::Overlap);
            }
        }
        let offset = memref.offset.unwrap_or(0);
        let before = offset.wrapping_mul(self.element.byte_size() as isize);
        let aligned = self.origin.wrapping_sub(before as usize);
        words.extend([self.base as u64, aligned as u64, offset as u64]);
        words.extend(self.sizes.iter().map(|&n| n as u64));
        words.extend(strides.iter().map(|&n| n as u64));
        Ok(())
    }

    /// The part of the type that holds for any rank.
    pub(super) fn unranked_kind(&self) -> MemRefKind {
        MemRefKind {
            element: self.element,
            sizes: vec![None; self.sizes.len()],
            strides: vec![None; self.sizes.len()],
            offset: None,
            is_row_major: false,
        }
    }
}

/// Why a buffer is not what a function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    /// Rank, sizes or elements.
    Type,
    /// Strides.
    Layout,
    /// It is to be written to.
    ReadOnly,
    /// It is to be written to, and elements share memory.
    Overlap,
}

/// The strides of rows.
fn row_major(sizes: &[usize]) -> SmallVec<[usize; 4]> {
    let mut strides: SmallVec<[usize; 4]> = SmallVec::from_elem(1, sizes.len());
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].saturating_mul(sizes[dim]);
    }
    strides
}

/// Whether strides are those of rows, where they matter.
pub(super) fn is_row_major(sizes: &[usize], strides: &[isize]) -> bool {
    let mut expected = row_major(sizes).into_iter();
    let same = |(&n, &stride): (&usize, &isize)| {
        expected
            .next()
            .is_some_and(|expected| n <= 1 || stride == expected as isize)
    };
    sizes.contains(&0) || sizes.iter().zip(strides).all(same)
}

/// How many elements lie before and behind the one with all indices zero; an error if the machine cannot have that
/// many.
fn extent(
    sizes: &[usize],
    strides: &[isize],
    element: ElementType,
) -> Result<(usize, usize), BufferError> {
    if sizes.len() != strides.len() {
        return Err(BufferError("there is not one stride per size".to_owned()));
    }
    let too_large = || BufferError("sizes or strides are too large".to_owned());
    let max = isize::MAX as u128;
    let mut n_bytes = element.byte_size() as u128;
    let (mut before, mut behind) = (0u128, 0u128);
    for (&n, &stride) in sizes.iter().zip(strides) {
        n_bytes = n_bytes.saturating_mul((n as u128).max(1));
        let distance = (n as u128).saturating_sub(1) * stride.unsigned_abs() as u128;
        let side = if stride < 0 { &mut before } else { &mut behind };
        *side = side.saturating_add(distance);
    }
    let reach = before
        .saturating_add(behind)
        .saturating_mul(element.byte_size() as u128);
    if n_bytes > max || reach > max {
        return Err(too_large());
    }
    Ok((before as usize, behind as usize))
}
