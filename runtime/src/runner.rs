//! What else MLIR's C runner library offers: clocks, allocation by name, sorting, and the
//! failure of an assertion, which is our own.

use core::ffi::{c_char, c_int};

use crate::memref::View;
use crate::output::{self, Output};
use crate::site::AllocSite;
use crate::sys;

/// Seconds since the Unix epoch, in whole microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn rtclock() -> f64 {
    let microseconds = sys::wall_clock_nanoseconds() / 1000;
    (microseconds / 1_000_000) as f64 + (microseconds % 1_000_000) as f64 * 1e-6
}

/// Nanoseconds since the Unix epoch.
#[unsafe(no_mangle)]
pub extern "C" fn nanoTime() -> i64 {
    sys::wall_clock_nanoseconds() as i64
}

/// Nanoseconds since the Unix epoch.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_nanoTime() -> i64 {
    nanoTime()
}

/// Prints a number of floating-point operations per second, in billions, to standard error.
#[unsafe(no_mangle)]
pub extern "C" fn printFlops(flops: f64) {
    output::flush(sys::standard_output());
    // SAFETY: the format asks for the one double that follows.
    unsafe { sys::fprintf(sys::standard_error(), c"%f GFLOPS\n".as_ptr(), flops / 1e9) };
}

/// Writes out what an executable has printed. Returns its exit status, which is a failure if that was not possible.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_end_output(status: c_int) -> c_int {
    if output::is_written(sys::standard_output()) {
        return status;
    }
    let reason = sys::last_error();
    let mut out = Output::to(sys::standard_error());
    out.text("error: cannot write standard output: ");
    // SAFETY: the C library gives a string.
    unsafe { out.raw(reason.cast(), sys::strlen(reason)) };
    out.byte(b'\n');
    if status == 0 { 1 } else { status }
}

/// C's `malloc`.
#[unsafe(no_mangle)]
pub extern "C" fn mlirAlloc(size: u64) -> *mut u8 {
    // SAFETY: malloc takes any size.
    unsafe { sys::malloc(size as usize) }
}

/// C's `aligned_alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn mlirAlignedAlloc(alignment: u64, size: u64) -> *mut u8 {
    // SAFETY: the function refuses alignments it cannot serve.
    unsafe { sys::aligned_alloc(alignment as usize, size as usize) }
}

/// C's `free`.
///
/// # Safety
/// As for `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirFree(pointer: *mut u8) {
    // SAFETY: by the caller's promise.
    unsafe { sys::free(pointer) };
}

/// C's `free`, for blocks of [`mlirAlignedAlloc`].
///
/// # Safety
/// As for `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirAlignedFree(pointer: *mut u8) {
    // SAFETY: by the caller's promise.
    unsafe { sys::free(pointer) };
}

/// Sorts `count` values in place, in ascending order (heap sort: no memory, no recursion).
///
/// # Safety
/// They are readable and writable.
unsafe fn sort<T: Copy + PartialOrd>(values: *mut T, count: usize) {
    // SAFETY: all indices are below `count`.
    unsafe {
        let sink = |root: usize, end: usize| {
            let value = *values.add(root);
            let mut hole = root;
            loop {
                let mut child = 2 * hole + 1;
                if child >= end {
                    break;
                }
                if child + 1 < end && *values.add(child) < *values.add(child + 1) {
                    child += 1;
                }
                if value < *values.add(child) {
                    *values.add(hole) = *values.add(child);
                    hole = child;
                } else {
                    break;
                }
            }
            *values.add(hole) = value;
        };
        let mut root = count / 2;
        while root > 0 {
            root -= 1;
            sink(root, count);
        }
        let mut end = count;
        while end > 1 {
            end -= 1;
            values.swap(values.add(end));
            sink(0, end);
        }
    }
}

macro_rules! sorts {
    ($($name:ident: $ty:ty;)*) => {
        $(
            /// Sorts the first `count` elements of a memref of rank one in ascending order.
            ///
            /// # Safety
            /// `descriptor` is a ranked descriptor of rank one with that many elements of this
            /// type, one after the other.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(count: u64, descriptor: *const u8) {
                // SAFETY: by the caller's promise.
                unsafe {
                    let view = View::ranked(1, descriptor);
                    let first = view.element(view.offset, size_of::<$ty>() as i64);
                    sort(first.cast::<$ty>(), count as usize);
                }
            }
        )*
    };
}

sorts! {
    _mlir_ciface_stdSortI64: i64;
    _mlir_ciface_stdSortF64: f64;
    _mlir_ciface_stdSortF32: f32;
}

/// Stops the program because of a failed assertion with this message.
///
/// # Safety
/// `message` is readable; `site` is null or describes the operation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_assert_failed(
    message: *const u8,
    length: u64,
    site: *const AllocSite,
) -> ! {
    let mut out = Output::stderr();
    // SAFETY: by the caller's promise.
    unsafe {
        out.diagnostic(site, "error");
        out.text("assertion failed: ");
        out.raw(message, length as usize);
        out.byte(b'\n');
        out.finish();
        sys::abort()
    }
}

/// Ends the program if its command line has more than its name: it would be ignored.
///
/// # Safety
/// These are the arguments of C's `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_refuse_arguments(count: c_int, words: *const *const c_char) {
    if count <= 1 {
        return;
    }
    let mut out = Output::stderr();
    // SAFETY: by the caller's promise there are this many words.
    unsafe {
        let (name, first) = (*words, *words.add(1));
        out.raw(name.cast(), sys::strlen(name));
        out.text(": error: this executable takes no arguments, but got '");
        out.raw(first.cast(), sys::strlen(first));
        out.text("'\n");
        out.finish();
        sys::exit(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::time::{SystemTime, UNIX_EPOCH};
    use std::vec::Vec;

    #[test]
    fn clocks_agree_with_the_system() {
        let before = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs_f64();
        let seconds = rtclock();
        let nanoseconds = nanoTime();
        let after = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs_f64();
        assert!(before - 2e-6 <= seconds && seconds <= after + 2e-6);
        assert!(
            before <= nanoseconds as f64 * 1e-9 + 1e-6 && nanoseconds as f64 * 1e-9 <= after + 1e-6
        );
    }

    #[test]
    fn sorts_like_the_standard_library() {
        let mut random = Random::new(23);
        for length in (0..70).chain([1000, 4097]) {
            let mut values: Vec<i64> = (0..length)
                .map(|_| random.below(length + 1) as i64 - 20)
                .collect();
            let mut expected = values.clone();
            expected.sort_unstable();
            // SAFETY: the vector has `length` values.
            unsafe { sort(values.as_mut_ptr(), length as usize) };
            assert_eq!(values, expected);
        }
    }
}
