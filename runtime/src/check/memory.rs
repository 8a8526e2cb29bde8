//! Fill patterns: writing them, and finding the first byte that no longer has one.

use core::mem;
use core::ptr;

/// Fills the memory of new buffers, so that a program cannot come to rely on zeros.
pub(super) const UNINITIALIZED: u8 = 0xCD;
/// Fills freed buffers.
pub(super) const POISON: u8 = 0xDB;
/// Fills the red zones around buffers.
pub(super) const RED_ZONE: u8 = 0xFD;

/// Fills `size` bytes at `to`.
///
/// # Safety
/// They are writable.
pub(super) unsafe fn fill(to: *mut u8, size: u64, value: u8) {
    // SAFETY: by the caller's promise.
    unsafe { ptr::write_bytes(to, value, size as usize) };
}

/// Offset of the first of `size` bytes at `from` that is not `value`.
///
/// # Safety
/// They are readable.
pub(super) unsafe fn first_other(from: *const u8, size: u64, value: u8) -> Option<u64> {
    const WORD: u64 = mem::size_of::<u64>() as u64;
    let word = u64::from_ne_bytes([value; WORD as usize]);
    let mut at = 0;
    while size - at >= WORD {
        // SAFETY: a whole word is left, by the loop condition.
        if unsafe { from.add(at as usize).cast::<u64>().read_unaligned() } != word {
            break;
        }
        at += WORD;
    }
    while at < size {
        // SAFETY: `at` is below the size.
        if unsafe { *from.add(at as usize) } != value {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_single_byte() {
        let mut bytes = [POISON; 70];
        for start in 0..9 {
            for end in start..70 {
                let size = (end - start) as u64;
                // SAFETY: the range is inside the array.
                let found = |bytes: &[u8; 70]| unsafe {
                    first_other(bytes.as_ptr().add(start), size, POISON)
                };
                assert_eq!(found(&bytes), None);
                for changed in start..end {
                    bytes[changed] = 0;
                    assert_eq!(found(&bytes), Some((changed - start) as u64));
                    bytes[changed] = POISON;
                }
            }
        }
    }
}
