//! The functions of MLIR's runner library that compare two memrefs.
//!
//! They return the number of elements that differ, or -1 if the shapes do, and print the
//! first ten differences to standard error. Numbers of type f32 and f64 may differ by a small
//! relative error; everything else has to be equal.

use core::ffi::c_void;

use crate::memref::{UnrankedMemRef, View};
use crate::output::Output;
use crate::print::{self, Element};

/// Differences printed at most.
const MOST_SHOWN: u64 = 10;

struct Comparison {
    actual: View,
    expected: View,
    element: Element,
    equal: unsafe fn(*const u8, *const u8) -> bool,
    out: Output,
    errors: u64,
}

impl Comparison {
    /// Compares the elements from dimension `dim` on.
    ///
    /// # Safety
    /// All of them are readable, in both memrefs.
    unsafe fn run(&mut self, dim: i64, index: i64) {
        // SAFETY: `dim` stays below the rank where sizes and strides are read; the elements are
        // readable by the caller's promise.
        unsafe {
            let mut dim = dim;
            while dim < self.actual.rank && self.actual.size(dim) == 1 {
                dim += 1;
            }
            if dim < self.actual.rank {
                let (size, stride) = (self.actual.size(dim), self.actual.stride(dim));
                let (mut position, mut at) = (0, index);
                while position < size {
                    self.run(dim + 1, at);
                    at = at.wrapping_add(stride);
                    position += 1;
                }
                return;
            }
            let actual = self.actual.element(index, self.element.size);
            let expected = self.expected.element(index, self.element.size);
            if (self.equal)(actual, expected) {
                return;
            }
            if self.errors < MOST_SHOWN {
                let out = &mut self.out;
                (self.element.print)(out, actual);
                out.text(" != ");
                (self.element.print)(out, expected);
                out.text(" offset = ");
                out.signed(index);
                out.byte(b'\n');
            }
            self.errors += 1;
        }
    }
}

/// Compares two memrefs.
///
/// # Safety
/// Both describe readable elements of the type of `element` and `equal`.
unsafe fn verify(
    actual: View,
    expected: View,
    element: Element,
    equal: unsafe fn(*const u8, *const u8) -> bool,
    mut out: Output,
) -> i64 {
    // SAFETY: by the caller's promise; sizes and strides are read below both ranks.
    unsafe {
        let mut dim = 0;
        while dim < actual.rank {
            if expected.rank != actual.rank
                || actual.offset != expected.offset
                || actual.size(dim) != expected.size(dim)
                || actual.stride(dim) != expected.stride(dim)
            {
                print::write_metadata(&mut out, &actual);
                print::write_metadata(&mut out, &expected);
                return -1;
            }
            dim += 1;
        }
        let mut comparison = Comparison {
            actual,
            expected,
            element,
            equal,
            out,
            errors: 0,
        };
        comparison.run(0, actual.offset);
        comparison.errors as i64
    }
}

/// Whether two numbers are finite and differ by at most `$epsilon` times the expected one.
macro_rules! close {
    ($ty:ty, $epsilon:literal) => {{
        /// # Safety
        /// Both are addresses of elements of this type.
        unsafe fn close(actual: *const u8, expected: *const u8) -> bool {
            // SAFETY: both are addresses of elements of this type.
            let (actual, expected) = unsafe {
                (
                    actual.cast::<$ty>().read_unaligned(),
                    expected.cast::<$ty>().read_unaligned(),
                )
            };
            let difference = (actual - expected).abs();
            actual.is_finite() && expected.is_finite() && difference <= $epsilon * expected.abs()
        }
        close
    }};
}

/// Whether two values of a type are equal.
macro_rules! equal {
    ($ty:ty) => {{
        /// # Safety
        /// Both are addresses of elements of this type.
        unsafe fn equal(actual: *const u8, expected: *const u8) -> bool {
            // SAFETY: both are addresses of elements of this type.
            unsafe {
                actual.cast::<$ty>().read_unaligned() == expected.cast::<$ty>().read_unaligned()
            }
        }
        equal
    }};
}

/// Exports, for an element type, the functions that compare unranked memrefs.
macro_rules! verifiers {
    ($($element:ident, $equal:expr => $verify:ident, $ciface:ident;)*) => {
        $(
            /// Compares two memrefs of one rank.
            ///
            /// # Safety
            /// Both are ranked descriptors of rank `rank` with readable elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $verify(
                rank: i64,
                actual: *const u8,
                expected: *const u8,
            ) -> i64 {
                // SAFETY: by the caller's promise.
                unsafe {
                    let (actual, expected) = (View::ranked(rank, actual), View::ranked(rank, expected));
                    verify(actual, expected, print::$element, $equal, Output::stderr())
                }
            }

            /// Compares two memrefs.
            ///
            /// # Safety
            /// Both are unranked descriptors with readable elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $ciface(
                actual: *const UnrankedMemRef,
                expected: *const UnrankedMemRef,
            ) -> i64 {
                // SAFETY: by the caller's promise.
                unsafe {
                    let (actual, expected) = (View::unranked(actual), View::unranked(expected));
                    verify(actual, expected, print::$element, $equal, Output::stderr())
                }
            }
        )*

        pub(crate) const FUNCTIONS: &[(&str, *const c_void)] = &[
            $(
                (stringify!($verify), $verify as *const c_void),
                (stringify!($ciface), $ciface as *const c_void),
            )*
        ];
    };
}

verifiers! {
    I8, equal!(i8) => verifyMemRefI8, _mlir_ciface_verifyMemRefI8;
    I16, equal!(i16) => verifyMemRefI16, _mlir_ciface_verifyMemRefI16;
    I32, equal!(i32) => verifyMemRefI32, _mlir_ciface_verifyMemRefI32;
    I64, equal!(i64) => verifyMemRefI64, _mlir_ciface_verifyMemRefI64;
    INDEX, equal!(u64) => verifyMemRefInd, _mlir_ciface_verifyMemRefInd;
    F16, equal!(u16) => verifyMemRefF16, _mlir_ciface_verifyMemRefF16;
    BF16, equal!(u16) => verifyMemRefBF16, _mlir_ciface_verifyMemRefBF16;
    F32, close!(f32, 1e-6) => verifyMemRefF32, _mlir_ciface_verifyMemRefF32;
    F64, close!(f64, 1e-12) => verifyMemRefF64, _mlir_ciface_verifyMemRefF64;
    C32, equal!([f32; 2]) => verifyMemRefC32, _mlir_ciface_verifyMemRefC32;
    C64, equal!([f64; 2]) => verifyMemRefC64, _mlir_ciface_verifyMemRefC64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::capture::captured;
    use std::string::String;

    fn view(data: &[f64], sizes: &[i64], strides: &[i64]) -> View {
        View {
            rank: sizes.len() as i64,
            data: data.as_ptr().cast_mut().cast(),
            offset: 0,
            sizes: sizes.as_ptr(),
            strides: strides.as_ptr(),
        }
    }

    fn compare(actual: View, expected: View) -> (i64, String) {
        let mut result = 0;
        let text = captured(|stream| {
            // SAFETY: the tests pass views of enough elements.
            result = unsafe {
                verify(
                    actual,
                    expected,
                    print::F64,
                    close!(f64, 1e-12),
                    Output::to(stream),
                )
            };
        });
        (result, text)
    }

    #[test]
    fn counts_differences_and_prints_ten() {
        let (actual, mut expected) = ([1.0; 24], [1.0; 24]);
        expected[3] = 1.0 + 1e-13;
        let (sizes, strides) = ([2, 1, 12], [12, 12, 1]);
        let run = |expected: &[f64]| {
            compare(
                view(&actual, &sizes, &strides),
                view(expected, &sizes, &strides),
            )
        };
        assert_eq!(run(&expected), (0, String::new()));
        expected[13] = 2.5;
        expected[14] = f64::NAN;
        let text = "1 != 2.5 offset = 13\n1 != nan offset = 14\n";
        assert_eq!(run(&expected), (2, String::from(text)));
        let (errors, text) = run(&[7.0; 24]);
        assert_eq!((errors, text.lines().count()), (24, 10));
    }

    #[test]
    fn shapes_must_agree() {
        let data = [1.0; 6];
        let (errors, text) = compare(view(&data, &[2, 3], &[3, 1]), view(&data, &[3, 2], &[2, 1]));
        assert_eq!(errors, -1);
        assert!(
            text.contains("sizes = [2, 3] strides = [3, 1]base@ = "),
            "{text}"
        );
        assert_eq!(
            compare(view(&data, &[6], &[1]), view(&data, &[2, 3], &[3, 1])).0,
            -1
        );
        // Without dimensions there is nothing to disagree about.
        assert_eq!(compare(view(&data, &[], &[]), view(&data, &[6], &[1])).0, 0);
    }
}
