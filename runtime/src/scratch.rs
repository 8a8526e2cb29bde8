//! Memory for the duration of one operation, too large for the stack.
//!
//! Blocks come from pages of the system, never from `malloc`. A few of moderate
//! size are kept for the next operations, so that each thread soon has one of its own and
//! asking again costs an exchange of a pointer.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::output::out_of_memory;
use crate::sys;

/// Blocks up to this size are all this large, and kept: what a contraction copies of its factors. With
/// four of them, bounds what idle threads hold to 8 MB.
const KEPT_BYTES: usize = 2 << 20;

/// Unused blocks, or null.
static KEPT: [AtomicPtr<u8>; 4] = [const { AtomicPtr::new(ptr::null_mut()) }; 4];

fn mapped_bytes(bytes: usize) -> usize {
    if bytes <= KEPT_BYTES {
        KEPT_BYTES
    } else {
        bytes
    }
}

/// Exchanges `block` for the one kept at `index`.
fn exchange(index: usize, block: *mut u8) -> *mut u8 {
    debug_assert!(index < KEPT.len());
    // SAFETY: callers count to the length. Indexing could panic, which the runtime cannot.
    unsafe { KEPT.get_unchecked(index) }.swap(block, Ordering::AcqRel)
}

/// A block of at least `bytes` bytes of unknown contents, aligned to a page; null if the
/// system has none.
pub(crate) fn take(bytes: usize) -> *mut u8 {
    let mut index = 0;
    while bytes <= KEPT_BYTES && index < KEPT.len() {
        let block = exchange(index, ptr::null_mut());
        if !block.is_null() {
            return block;
        }
        index += 1;
    }
    sys::map_zeroed(mapped_bytes(bytes))
}

/// Returns a block.
///
/// # Safety
/// It is one that [`take`] gave for as many `bytes`, and not used any more.
pub(crate) unsafe fn give_back(block: *mut u8, bytes: usize) {
    let mut block = block;
    let mut index = 0;
    while bytes <= KEPT_BYTES && index < KEPT.len() && !block.is_null() {
        // The block kept there moves on.
        block = exchange(index, block);
        index += 1;
    }
    // SAFETY: ours or a kept one of the same size, with no address left elsewhere.
    unsafe { sys::unmap(block, mapped_bytes(bytes)) };
}

/// The descriptor of a `memref<?xi8>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    allocated: *mut u8,
    aligned: *mut u8,
    offset: i64,
    size: i64,
    stride: i64,
}

/// Lends memory to compiled code: a `memref<?xi8>` of `bytes` bytes.
///
/// # Safety
/// `result` has room for the descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_freehold_take_scratch(result: *mut Bytes, bytes: u64) {
    let block = take(bytes as usize);
    if block.is_null() {
        out_of_memory(bytes, ptr::null());
    }
    let descriptor = Bytes {
        allocated: block,
        aligned: block,
        offset: 0,
        size: bytes as i64,
        stride: 1,
    };
    // SAFETY: by the caller's promise.
    unsafe { result.write(descriptor) };
}

/// Takes back lent memory.
///
/// # Safety
/// `memory` describes it as it was lent, and it is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_freehold_return_scratch(memory: *const Bytes) {
    // SAFETY: by the caller's promise.
    unsafe { give_back((*memory).allocated, (*memory).size as usize) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_apart_and_come_again() {
        let sizes = [100, KEPT_BYTES, 3 * KEPT_BYTES, 1, 2, 3, 4, 5];
        for round in 0..3u8 {
            let blocks = sizes.map(take);
            for (block, size) in blocks.iter().zip(sizes) {
                // SAFETY: the block has this size.
                unsafe { ptr::write_bytes(*block, round, size) };
            }
            for (i, &block) in blocks.iter().enumerate() {
                assert!(!block.is_null() && !blocks[..i].contains(&block));
                // SAFETY: taken above for this size.
                unsafe { give_back(block, sizes[i]) };
            }
        }
    }

    #[test]
    fn compiled_code_gets_a_memref() {
        let mut memory = Bytes {
            allocated: ptr::null_mut(),
            aligned: ptr::null_mut(),
            offset: 9,
            size: 9,
            stride: 9,
        };
        // SAFETY: the descriptor is ours, and the memory not used afterwards.
        unsafe {
            _mlir_ciface_freehold_take_scratch(&mut memory, 4096);
            ptr::write_bytes(memory.aligned, 1, 4096);
            assert_eq!((memory.offset, memory.size, memory.stride), (0, 4096, 1));
            _mlir_ciface_freehold_return_scratch(&memory);
        }
    }
}
