//! Filling and copying blocks of memory: what `convert-loops-to-library-calls` makes of loops.
//!
//! Bytes that are all the same, and large copies, are left to the C library. All else goes through the
//! widest registers of the processor.

use core::ptr;

/// Larger copies (row `copy, 4096 KB` of benches/results; `copy, 16 KB` is ours) are the C library's, which knows what to do with the caches. It copies less by an
/// instruction that some processors take thirty times as long for if both blocks begin at nearly the
/// same place of a page, as buffers do that were allocated one after the other.
#[cfg(target_arch = "x86_64")]
const MAX_OWN_COPY: usize = 1 << 20;

/// Stores in `bytes` bytes from `to` on the eight of `pattern` again and again, the lowest one first.
///
/// # Safety
/// The bytes are in memory that nothing else accesses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_fill_bytes(to: *mut u8, bytes: usize, pattern: u64) {
    // SAFETY: by the caller's promise.
    unsafe {
        if pattern == pattern.rotate_left(8) {
            ptr::write_bytes(to, pattern as u8, bytes);
            return;
        }
        let whole = bytes & !7;
        fill_words(to, whole, pattern);
        // The rest is the beginning of another word.
        let (mut at, mut rest, mut left) = (to.add(whole), pattern, bytes & 7);
        while left != 0 {
            at.write(rest as u8);
            at = at.add(1);
            rest >>= 8;
            left -= 1;
        }
    }
}

/// Copies `bytes` bytes that do not overlap.
///
/// # Safety
/// Both blocks are in memory that nothing else accesses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_copy_bytes(to: *mut u8, from: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    if bytes <= MAX_OWN_COPY && crate::processor::has_avx() {
        // SAFETY: by the caller's promise; the processor has the instructions.
        return unsafe { copy_avx(to, from, bytes) };
    }
    // SAFETY: by the caller's promise.
    unsafe { ptr::copy_nonoverlapping(from, to, bytes) };
}

/// # Safety
/// As for [`freehold_copy_bytes`], and the processor has 256-bit registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn copy_avx(mut to: *mut u8, mut from: *const u8, mut bytes: usize) {
    use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};
    // SAFETY: by the caller's promise, as long as there are this many bytes.
    unsafe {
        while bytes >= 128 {
            let load = |i: usize| _mm256_loadu_si256(from.add(32 * i).cast::<__m256i>());
            let words = [load(0), load(1), load(2), load(3)];
            let store = |i: usize, word| {
                _mm256_storeu_si256(to.add(32 * i).cast::<__m256i>(), word);
            };
            store(0, words[0]);
            store(1, words[1]);
            store(2, words[2]);
            store(3, words[3]);
            to = to.add(128);
            from = from.add(128);
            bytes -= 128;
        }
        ptr::copy_nonoverlapping(from, to, bytes);
    }
}

/// Fills a whole number of words.
///
/// # Safety
/// As for [`freehold_fill_bytes`].
unsafe fn fill_words(to: *mut u8, bytes: usize, pattern: u64) {
    #[cfg(target_arch = "x86_64")]
    if crate::processor::has_avx() {
        // SAFETY: the processor has the instructions.
        return unsafe { fill_words_avx(to, bytes, pattern) };
    }
    // SAFETY: by the caller's promise.
    unsafe { fill_words_in_order(to, bytes, pattern) };
}

/// # Safety
/// As for [`fill_words`], and the processor has 256-bit registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn fill_words_avx(mut to: *mut u8, mut bytes: usize, pattern: u64) {
    use core::arch::x86_64::{__m256i, _mm256_set1_epi64x, _mm256_storeu_si256};
    let words = _mm256_set1_epi64x(pattern.cast_signed());
    // SAFETY: by the caller's promise, as long as there are this many bytes.
    unsafe {
        let store = |at: *mut u8| _mm256_storeu_si256(at.cast::<__m256i>(), words);
        // Stores that cross cache lines take twice as long (row `fill, 16 KB` of benches/results). Whole words on
        // do not change the pattern.
        let head = to.addr().wrapping_neg() % 64;
        if bytes >= 256 && head.is_multiple_of(8) {
            store(to);
            store(to.add(32));
            to = to.add(head);
            bytes -= head;
        }
        while bytes >= 128 {
            store(to);
            store(to.add(32));
            store(to.add(64));
            store(to.add(96));
            to = to.add(128);
            bytes -= 128;
        }
        fill_words_in_order(to, bytes, pattern);
    }
}

/// # Safety
/// As for [`fill_words`].
#[inline(always)]
unsafe fn fill_words_in_order(to: *mut u8, bytes: usize, pattern: u64) {
    let mut at = 0;
    while at < bytes {
        // SAFETY: by the caller's promise.
        unsafe { to.add(at).cast::<u64>().write_unaligned(pattern) };
        at += 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn patterns_repeat_up_to_the_last_byte() {
        for pattern in [
            0x0807_0605_0403_0201u64,
            0x3f80_0000_3f80_0000,
            0x0101 * 0xffff,
        ] {
            for bytes in (0..300).chain([4096, 4099]) {
                for offset in [0, 1, 8] {
                    let mut memory = std::vec![0xeeu8; offset + bytes + 9];
                    // SAFETY: the block is within the memory.
                    unsafe {
                        freehold_fill_bytes(memory.as_mut_ptr().add(offset), bytes, pattern);
                    }
                    let expected: Vec<u8> = core::iter::repeat_n(0xee, offset)
                        .chain(pattern.to_le_bytes().into_iter().cycle().take(bytes))
                        .chain([0xee; 9])
                        .collect();
                    assert!(memory == expected, "{pattern:x} {bytes} {offset}");
                }
            }
        }
    }

    #[test]
    fn copies_are_the_same() {
        let from: Vec<u8> = (0..=255).cycle().take(1 << 11).collect();
        for bytes in (0..400).chain([from.len()]) {
            let mut to = std::vec![7u8; from.len() + 1];
            // SAFETY: both have this many bytes.
            unsafe { freehold_copy_bytes(to.as_mut_ptr(), from.as_ptr(), bytes) };
            assert!(from[..bytes] == to[..bytes], "{bytes}");
            assert!(to[bytes..].iter().all(|&byte| byte == 7), "{bytes}");
        }
    }
}
