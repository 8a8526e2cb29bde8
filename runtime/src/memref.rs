//! Memref descriptors as compiled code and C functions see them, and copies between them.
//!
//! A ranked descriptor is `{ allocated, aligned, offset, sizes[rank], strides[rank] }`; an
//! unranked one is the rank and a pointer to a ranked one. Offsets and strides count elements.
//! Dimensions of size one never make the functions here recurse, so their depth is bounded by
//! the logarithm of the number of elements, whatever the rank.

use core::ptr;

use crate::output::Output;
use crate::sys;

/// An unranked memref, passed to C by pointer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct UnrankedMemRef {
    /// Number of dimensions.
    pub rank: i64,
    /// Points to a ranked descriptor of that rank.
    pub descriptor: *const u8,
}

/// The part of a ranked descriptor that does not depend on the rank.
#[repr(C)]
struct Header {
    allocated: *mut u8,
    aligned: *mut u8,
    offset: i64,
}

/// A descriptor taken apart.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) rank: i64,
    pub(crate) data: *mut u8,
    pub(crate) offset: i64,
    pub(crate) sizes: *const i64,
    pub(crate) strides: *const i64,
}

impl View {
    /// Reads the ranked descriptor at `descriptor`.
    ///
    /// # Safety
    /// It is one, of rank `rank`.
    pub(crate) unsafe fn ranked(rank: i64, descriptor: *const u8) -> View {
        // SAFETY: by the caller's promise.
        unsafe {
            let header = descriptor.cast::<Header>();
            let sizes = header.add(1).cast::<i64>();
            View {
                rank,
                data: (*header).aligned,
                offset: (*header).offset,
                sizes,
                strides: sizes.offset(rank as isize),
            }
        }
    }

    /// Reads the unranked descriptor at `memref`.
    ///
    /// # Safety
    /// It is one.
    pub(crate) unsafe fn unranked(memref: *const UnrankedMemRef) -> View {
        // SAFETY: by the caller's promise.
        unsafe { View::ranked((*memref).rank, (*memref).descriptor) }
    }

    /// Size of dimension `dim`.
    ///
    /// # Safety
    /// `0 <= dim < rank`.
    #[inline]
    pub(crate) unsafe fn size(&self, dim: i64) -> i64 {
        // SAFETY: by the caller's promise.
        unsafe { *self.sizes.offset(dim as isize) }
    }

    /// Stride of dimension `dim`, in elements.
    ///
    /// # Safety
    /// `0 <= dim < rank`.
    #[inline]
    pub(crate) unsafe fn stride(&self, dim: i64) -> i64 {
        // SAFETY: by the caller's promise.
        unsafe { *self.strides.offset(dim as isize) }
    }

    /// Address of the element with the linear index `index`.
    #[inline]
    pub(crate) fn element(&self, index: i64, element_size: i64) -> *mut u8 {
        self.data
            .wrapping_offset(index.wrapping_mul(element_size) as isize)
    }
}

/// One copy under way. The innermost dimensions that are contiguous on both sides have been
/// merged into the block.
struct Copy {
    source: View,
    target: View,
    element_size: i64,
    /// Dimensions outside the block.
    outer: i64,
    /// Bytes of the block.
    block: i64,
}

impl Copy {
    /// Copies everything from dimension `dim` on.
    ///
    /// # Safety
    /// The pointers are those of elements of the two memrefs with all further indices zero.
    unsafe fn run(&self, dim: i64, from: *const u8, to: *mut u8) {
        // SAFETY: indices stay below the sizes of the two memrefs, which are equal.
        unsafe {
            let mut dim = dim;
            while dim < self.outer && self.source.size(dim) == 1 {
                dim += 1;
            }
            if dim == self.outer {
                ptr::copy(from, to, self.block as usize);
                return;
            }
            let count = self.source.size(dim);
            let from_step = self.source.stride(dim).wrapping_mul(self.element_size) as isize;
            let to_step = self.target.stride(dim).wrapping_mul(self.element_size) as isize;
            if dim + 1 < self.outer {
                let (mut from, mut to, mut left) = (from, to, count);
                while left > 0 {
                    self.run(dim + 1, from, to);
                    from = from.wrapping_offset(from_step);
                    to = to.wrapping_offset(to_step);
                    left -= 1;
                }
                return;
            }
            match self.block {
                1 => strided::<u8>(from, from_step, to, to_step, count),
                2 => strided::<u16>(from, from_step, to, to_step, count),
                4 => strided::<u32>(from, from_step, to, to_step, count),
                8 => strided::<u64>(from, from_step, to, to_step, count),
                16 => strided::<u128>(from, from_step, to, to_step, count),
                size => {
                    let (mut from, mut to, mut left) = (from, to, count);
                    while left > 0 {
                        ptr::copy(from, to, size as usize);
                        from = from.wrapping_offset(from_step);
                        to = to.wrapping_offset(to_step);
                        left -= 1;
                    }
                }
            }
        }
    }
}

/// Copies `count` values of type `T` between two sequences with byte steps.
///
/// # Safety
/// All of them are readable and writable, respectively.
#[inline]
unsafe fn strided<T: core::marker::Copy>(
    from: *const u8,
    from_step: isize,
    to: *mut u8,
    to_step: isize,
    count: i64,
) {
    let (mut from, mut to, mut left) = (from, to, count);
    while left > 0 {
        // SAFETY: by the caller's promise. Nothing is known about alignment.
        unsafe {
            to.cast::<T>()
                .write_unaligned(from.cast::<T>().read_unaligned())
        };
        from = from.wrapping_offset(from_step);
        to = to.wrapping_offset(to_step);
        left -= 1;
    }
}

/// Copies the elements of `source` to `target`, which has the same sizes; the strides may
/// differ. What `memref.copy` becomes when no simple memcpy will do.
///
/// # Safety
/// Both are unranked descriptors with elements of `element_size` bytes. They are the same memory or do not overlap.
/// If their shapes differ, the program ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memrefCopy(
    element_size: i64,
    source: *const UnrankedMemRef,
    target: *const UnrankedMemRef,
) {
    // SAFETY: by the caller's promise.
    unsafe {
        let (source, target) = (View::unranked(source), View::unranked(target));
        let mut is_same = source.rank == target.rank;
        let mut is_empty = false;
        let mut dim = 0;
        while is_same && dim < source.rank {
            let size = source.size(dim);
            is_same = size == target.size(dim);
            is_empty |= size <= 0;
            dim += 1;
        }
        if !is_same {
            shapes_differ();
        }
        if is_empty {
            return;
        }
        let mut copy = Copy {
            source,
            target,
            element_size,
            outer: source.rank,
            block: element_size,
        };
        let contiguous = |view: &View, dim: i64, block: i64| {
            view.stride(dim).wrapping_mul(element_size) == block
        };
        while copy.outer > 0 {
            let dim = copy.outer - 1;
            let size = source.size(dim);
            if size != 1
                && !(contiguous(&source, dim, copy.block) && contiguous(&target, dim, copy.block))
            {
                break;
            }
            copy.block = copy.block.wrapping_mul(size);
            copy.outer = dim;
        }
        let from = source.element(source.offset, element_size);
        copy.run(0, from, target.element(target.offset, element_size));
    }
}

/// Ends a program that copies between memrefs of different shapes.
#[cold]
fn shapes_differ() -> ! {
    let mut out = Output::stderr();
    out.text("error: memref.copy of memrefs with different shapes\n");
    out.finish();
    // SAFETY: nothing of the program goes on.
    unsafe { sys::abort() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::vec;
    use std::vec::Vec;

    /// A ranked descriptor in memory.
    fn descriptor(data: *mut u8, offset: i64, sizes: &[i64], strides: &[i64]) -> Vec<i64> {
        let pointer = data.expose_provenance() as i64;
        let mut words = vec![pointer, pointer, offset];
        words.extend_from_slice(sizes);
        words.extend_from_slice(strides);
        words
    }

    fn linear(index: usize, sizes: &[i64], strides: &[i64]) -> i64 {
        let mut rest = index as i64;
        let mut at = 0;
        for (size, stride) in sizes.iter().zip(strides).rev() {
            at += rest % size * stride;
            rest /= size;
        }
        at
    }

    /// Random strides without overlap, in a random order of dimensions, some contiguous.
    fn layout(random: &mut Random, sizes: &[i64]) -> (Vec<i64>, i64) {
        let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
        if random.below(2) == 0 && order.len() > 1 {
            let (a, b) = (
                random.below(order.len() as u64),
                random.below(order.len() as u64),
            );
            order.swap(a as usize, b as usize);
        }
        let mut strides = vec![0; sizes.len()];
        let mut extent = 1;
        for dim in order {
            extent += if random.below(3) == 0 {
                random.below(3) as i64
            } else {
                0
            };
            strides[dim] = extent;
            extent *= sizes[dim];
        }
        (strides, extent)
    }

    #[test]
    fn copies_every_element_and_nothing_else() {
        let mut random = Random::new(3);
        for _ in 0..3_000 {
            let rank = random.below(5) as usize;
            let sizes: Vec<i64> = (0..rank).map(|_| random.below(4) as i64 + 1).collect();
            let element_size = [1, 2, 3, 4, 8, 16, 24][random.below(7) as usize];
            let count: i64 = sizes.iter().product();
            let (source_strides, source_extent) = layout(&mut random, &sizes);
            let (target_strides, target_extent) = layout(&mut random, &sizes);
            let (source_offset, target_offset) = (random.below(4) as i64, random.below(4) as i64);
            let bytes = |extent: i64| ((extent + 4) * element_size) as usize;
            let mut source: Vec<u8> = (0..bytes(source_extent))
                .map(|_| random.below(256) as u8)
                .collect();
            let mut target = vec![0xEE; bytes(target_extent)];
            let mut expected = target.clone();
            for index in 0..count as usize {
                let from = (source_offset + linear(index, &sizes, &source_strides)) * element_size;
                let to = (target_offset + linear(index, &sizes, &target_strides)) * element_size;
                for byte in 0..element_size {
                    expected[(to + byte) as usize] = source[(from + byte) as usize];
                }
            }
            let from = descriptor(source.as_mut_ptr(), source_offset, &sizes, &source_strides);
            let to = descriptor(target.as_mut_ptr(), target_offset, &sizes, &target_strides);
            let unranked = |words: &[i64]| UnrankedMemRef {
                rank: rank as i64,
                descriptor: words.as_ptr().cast(),
            };
            // SAFETY: both descriptors describe vectors that are large enough.
            unsafe { memrefCopy(element_size, &unranked(&from), &unranked(&to)) };
            assert_eq!(
                target, expected,
                "{sizes:?} {source_strides:?} {target_strides:?}"
            );
        }
    }

    #[test]
    fn empty_and_very_high_ranks() {
        let mut byte = [7u8, 0];
        let rank = 100_000;
        let data = byte.as_mut_ptr();
        for (size, expected) in [(0, 0), (1, 7)] {
            let mut sizes = vec![1; rank];
            sizes[rank - 1] = size;
            let from = descriptor(data, 0, &sizes, &vec![5; rank]);
            let to = descriptor(data, 1, &sizes, &vec![3; rank]);
            let from = UnrankedMemRef {
                rank: rank as i64,
                descriptor: from.as_ptr().cast(),
            };
            let to = UnrankedMemRef {
                rank: rank as i64,
                descriptor: to.as_ptr().cast(),
            };
            // SAFETY: one or no element, inside the array.
            let copied = unsafe {
                memrefCopy(1, &from, &to);
                data.add(1).read()
            };
            assert_eq!(copied, expected);
        }
    }
}
