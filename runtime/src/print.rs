//! The functions of MLIR's runner libraries that print, under their names and with the same
//! output to the byte: single values as `vector.print` needs them, and whole memrefs.
//!
//! Everything goes through C's standard output, so it stays in order with what C code prints.
//! One thing differs: of a memref without elements we print `[]`, where the originals print
//! whatever lies behind its data pointer.

use core::ffi::{c_char, c_void};

use crate::float_format::{freehold_f32_from_bf16, freehold_f32_from_f16};
use crate::memref::{UnrankedMemRef, View};
use crate::output::{self, Output};
use crate::sys;

/// How to print elements of one type.
#[derive(Clone, Copy)]
pub(crate) struct Element {
    pub(crate) size: i64,
    pub(crate) print: unsafe fn(&mut Output, *const u8),
}

/// Declares elements: a type and how a value of it is printed.
macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = |$out:ident, $value:ident| $print:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) const $name: Element = {
                /// # Safety
                /// `at` is the address of an element of this type.
                unsafe fn print($out: &mut Output, at: *const u8) {
                    // SAFETY: `at` is the address of an element of this type.
                    let $value = unsafe { at.cast::<$ty>().read_unaligned() };
                    $print
                }
                Element { size: size_of::<$ty>() as i64, print }
            };
        )*
    };
}

elements! {
    /// Printed as a character, as C++ streams do.
    I8: u8 = |out, value| out.byte(value);
    I16: i16 = |out, value| out.signed(i64::from(value));
    I32: i32 = |out, value| out.signed(i64::from(value));
    I64: i64 = |out, value| out.signed(value);
    INDEX: u64 = |out, value| out.unsigned(value);
    F16: u16 = |out, value| out.float(f64::from(freehold_f32_from_f16(value)));
    BF16: u16 = |out, value| out.float(f64::from(freehold_f32_from_bf16(value)));
    F32: f32 = |out, value| out.float(f64::from(value));
    F64: f64 = |out, value| out.float(value);
    C32: [f32; 2] = |out, value| complex(out, f64::from(value[0]), f64::from(value[1]));
    C64: [f64; 2] = |out, value| complex(out, value[0], value[1]);
    VECTOR4X4XF32: [f32; 16] = |out, value| vector4x4(out, &value);
}

fn complex(out: &mut Output, real: f64, imaginary: f64) {
    out.byte(b'(');
    out.float(real);
    out.byte(b',');
    out.float(imaginary);
    out.byte(b')');
}

fn vector4x4(out: &mut Output, value: &[f32; 16]) {
    // Before each row comes what follows the row before it; middle rows are indented by two.
    let separators = ["((", "),   (", "),   (", "),  ("];
    let mut rest: &[f32] = value;
    for separator in separators {
        out.text(separator);
        let mut column = 0;
        while let [first, others @ ..] = rest
            && column < 4
        {
            out.text(if column == 0 { "" } else { ", " });
            out.float(f64::from(*first));
            rest = others;
            column += 1;
        }
    }
    out.text("))");
}

/// Prints address, rank, offset, sizes and strides.
///
/// # Safety
/// The sizes and strides of `view` are readable.
pub(crate) unsafe fn write_metadata(out: &mut Output, view: &View) {
    let list = |values: *const i64, out: &mut Output| {
        let mut index = 0;
        while index < view.rank {
            out.text(if index == 0 { "" } else { ", " });
            // SAFETY: there are `rank` values, by the caller's promise.
            out.signed(unsafe { *values.offset(index as isize) });
            index += 1;
        }
    };
    out.text("base@ = ");
    out.address(view.data.addr());
    out.text(" rank = ");
    out.signed(view.rank);
    out.text(" offset = ");
    out.signed(view.offset);
    out.text(" sizes = [");
    list(view.sizes, out);
    out.text("] strides = [");
    list(view.strides, out);
    out.text("]");
}

/// Prints the elements from dimension `dim` on, the outer indices being those that make up the
/// linear index `index`.
///
/// # Safety
/// All of them are readable.
unsafe fn write_data(out: &mut Output, view: &View, element: Element, dim: i64, index: i64) {
    // SAFETY: `dim` stays below the rank where sizes and strides are read, and the elements are
    // readable by the caller's promise.
    unsafe {
        // Dimensions of size one only add brackets.
        let mut first = dim;
        while first < view.rank && view.size(first) == 1 {
            out.byte(b'[');
            first += 1;
        }
        if first == view.rank {
            (element.print)(out, view.element(index, element.size));
        } else {
            let (size, stride) = (view.size(first), view.stride(first));
            out.byte(b'[');
            let (mut position, mut at) = (0, index);
            while position < size {
                if position > 0 {
                    out.text(if first + 1 < view.rank { ", \n" } else { ", " });
                    out.spaces(first + 1);
                }
                write_data(out, view, element, first + 1, at);
                at = at.wrapping_add(stride);
                position += 1;
            }
            out.byte(b']');
        }
        while first > dim {
            out.byte(b']');
            first -= 1;
        }
    }
}

/// Prints a memref with its elements and flushes standard output.
///
/// # Safety
/// `view` describes readable elements.
unsafe fn print_memref(kind: &str, view: &View, element: Element) {
    let mut out = Output::stdout();
    out.text(kind);
    // SAFETY: by the caller's promise.
    unsafe {
        write_metadata(&mut out, view);
        out.text(" data = \n");
        if view.rank == 0 {
            out.byte(b'[');
            write_data(&mut out, view, element, 0, view.offset);
            out.byte(b']');
        } else {
            write_data(&mut out, view, element, 0, view.offset);
        }
    }
    out.byte(b'\n');
    out.finish();
    output::flush(sys::standard_output());
}

/// Exports, for an element type, the functions that print unranked memrefs.
macro_rules! unranked {
    ($($element:ident: $print:ident, $ciface:ident, $shape:ident;)*) => {
        $(
            /// Prints an unranked memref given by its two parts.
            ///
            /// # Safety
            /// `descriptor` is a ranked descriptor of rank `rank` with readable elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $print(rank: i64, descriptor: *const u8) {
                // SAFETY: by the caller's promise.
                unsafe { print_memref("Unranked Memref ", &View::ranked(rank, descriptor), $element) };
            }

            /// Prints an unranked memref.
            ///
            /// # Safety
            /// `memref` is an unranked descriptor with readable elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $ciface(memref: *const UnrankedMemRef) {
                // SAFETY: by the caller's promise.
                unsafe { print_memref("Unranked Memref ", &View::unranked(memref), $element) };
            }

            /// Prints address, sizes and strides of an unranked memref.
            ///
            /// # Safety
            /// `memref` is an unranked descriptor.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $shape(memref: *const UnrankedMemRef) {
                let mut out = Output::stdout();
                out.text("Unranked Memref ");
                // SAFETY: by the caller's promise.
                unsafe { write_metadata(&mut out, &View::unranked(memref)) };
                out.byte(b'\n');
            }
        )*

        pub(crate) const UNRANKED_FUNCTIONS: &[(&str, *const c_void)] = &[
            $(
                (stringify!($print), $print as *const c_void),
                (stringify!($ciface), $ciface as *const c_void),
                (stringify!($shape), $shape as *const c_void),
            )*
        ];
    };
}

unranked! {
    I8: printMemrefI8, _mlir_ciface_printMemrefI8, _mlir_ciface_printMemrefShapeI8;
    I16: printMemrefI16, _mlir_ciface_printMemrefI16, _mlir_ciface_printMemrefShapeI16;
    I32: printMemrefI32, _mlir_ciface_printMemrefI32, _mlir_ciface_printMemrefShapeI32;
    I64: printMemrefI64, _mlir_ciface_printMemrefI64, _mlir_ciface_printMemrefShapeI64;
    INDEX: printMemrefInd, _mlir_ciface_printMemrefInd, _mlir_ciface_printMemrefShapeInd;
    F16: printMemrefF16, _mlir_ciface_printMemrefF16, _mlir_ciface_printMemrefShapeF16;
    BF16: printMemrefBF16, _mlir_ciface_printMemrefBF16, _mlir_ciface_printMemrefShapeBF16;
    F32: printMemrefF32, _mlir_ciface_printMemrefF32, _mlir_ciface_printMemrefShapeF32;
    F64: printMemrefF64, _mlir_ciface_printMemrefF64, _mlir_ciface_printMemrefShapeF64;
    C32: printMemrefC32, _mlir_ciface_printMemrefC32, _mlir_ciface_printMemrefShapeC32;
    C64: printMemrefC64, _mlir_ciface_printMemrefC64, _mlir_ciface_printMemrefShapeC64;
}

/// Exports the functions that print memrefs of a fixed rank.
macro_rules! ranked {
    ($($element:ident, $rank:literal: $ciface:ident;)*) => {
        $(
            #[doc = concat!("Prints a memref of rank ", stringify!($rank), ".")]
            ///
            /// # Safety
            /// `descriptor` is a ranked descriptor of that rank with readable elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $ciface(descriptor: *const u8) {
                // SAFETY: by the caller's promise.
                unsafe { print_memref("Memref ", &View::ranked($rank, descriptor), $element) };
            }
        )*

        pub(crate) const RANKED_FUNCTIONS: &[(&str, *const c_void)] =
            &[$((stringify!($ciface), $ciface as *const c_void),)*];
    };
}

ranked! {
    F32, 0: _mlir_ciface_printMemref0dF32;
    F32, 1: _mlir_ciface_printMemref1dF32;
    F32, 2: _mlir_ciface_printMemref2dF32;
    F32, 3: _mlir_ciface_printMemref3dF32;
    F32, 4: _mlir_ciface_printMemref4dF32;
    I8, 1: _mlir_ciface_printMemref1dI8;
    I32, 1: _mlir_ciface_printMemref1dI32;
    I64, 1: _mlir_ciface_printMemref1dI64;
    F64, 1: _mlir_ciface_printMemref1dF64;
    INDEX, 1: _mlir_ciface_printMemref1dInd;
    C32, 1: _mlir_ciface_printMemref1dC32;
    C64, 1: _mlir_ciface_printMemref1dC64;
    VECTOR4X4XF32, 2: _mlir_ciface_printMemrefVector4x4xf32;
}

/// Prints a signed integer.
#[unsafe(no_mangle)]
pub extern "C" fn printI64(value: i64) {
    Output::stdout().signed(value);
}

/// Prints an unsigned integer.
#[unsafe(no_mangle)]
pub extern "C" fn printU64(value: u64) {
    Output::stdout().unsigned(value);
}

/// Prints an f32 with six significant digits.
#[unsafe(no_mangle)]
pub extern "C" fn printF32(value: f32) {
    Output::stdout().float(f64::from(value));
}

/// Prints an f64 with six significant digits.
#[unsafe(no_mangle)]
pub extern "C" fn printF64(value: f64) {
    Output::stdout().float(value);
}

/// Prints an f16 given by its code.
#[unsafe(no_mangle)]
pub extern "C" fn printF16(code: u16) {
    Output::stdout().float(f64::from(freehold_f32_from_f16(code)));
}

/// Prints a bf16 given by its code.
#[unsafe(no_mangle)]
pub extern "C" fn printBF16(code: u16) {
    Output::stdout().float(f64::from(freehold_f32_from_bf16(code)));
}

/// Prints a string.
///
/// # Safety
/// `text` ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn printString(text: *const c_char) {
    // SAFETY: by the caller's promise.
    unsafe { sys::fputs(text, sys::standard_output()) };
}

/// Prints the opening of a vector.
#[unsafe(no_mangle)]
pub extern "C" fn printOpen() {
    Output::stdout().text("( ");
}

/// Prints the closing of a vector.
#[unsafe(no_mangle)]
pub extern "C" fn printClose() {
    Output::stdout().text(" )");
}

/// Prints the separator of vector elements.
#[unsafe(no_mangle)]
pub extern "C" fn printComma() {
    Output::stdout().text(", ");
}

/// Ends a line.
#[unsafe(no_mangle)]
pub extern "C" fn printNewline() {
    Output::stdout().byte(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::capture::captured;
    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    /// The data part of the output for a row-major memref.
    fn data(sizes: &[i64], element: Element, values: *const u8) -> String {
        let mut strides = vec![1; sizes.len()];
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = strides[dim] * sizes[dim];
        }
        let view = View {
            rank: sizes.len() as i64,
            data: values.cast_mut(),
            offset: 0,
            sizes: sizes.as_ptr(),
            strides: strides.as_ptr(),
        };
        // SAFETY: the tests pass as many values as the sizes say.
        captured(|stream| unsafe { write_data(&mut Output::to(stream), &view, element, 0, 0) })
    }

    fn integers(sizes: &[i64]) -> String {
        let values: Vec<i32> = (0..sizes.iter().product::<i64>() as i32).collect();
        data(sizes, I32, values.as_ptr().cast())
    }

    #[test]
    fn nesting() {
        assert_eq!(integers(&[]), "0");
        assert_eq!(integers(&[1]), "[0]");
        assert_eq!(integers(&[4]), "[0,  1,  2,  3]");
        assert_eq!(integers(&[2, 3]), "[[0,   1,   2], \n [3,   4,   5]]");
        assert_eq!(integers(&[2, 1, 2]), "[[[0,    1]], \n [[2,    3]]]");
        assert_eq!(integers(&[1, 2, 2]), "[[[0,    1], \n  [2,    3]]]");
        assert_eq!(integers(&[1, 1, 1]), "[[[0]]]");
    }

    #[test]
    fn memrefs_without_elements() {
        assert_eq!(integers(&[0]), "[]");
        assert_eq!(integers(&[0, 5]), "[]");
        assert_eq!(integers(&[2, 0]), "[[], \n []]");
    }

    #[test]
    fn a_rank_of_a_hundred_thousand() {
        let text = integers(&vec![1; 100_000]);
        // `captured` keeps the first 65536 bytes.
        assert!(text.bytes().all(|byte| byte == b'['));
    }

    #[test]
    fn element_types() {
        let bytes = *b"Hi";
        assert_eq!(data(&[2], I8, bytes.as_ptr()), "[H,  i]");
        let unsigned = [u64::MAX];
        assert_eq!(
            data(&[1], INDEX, unsigned.as_ptr().cast()),
            "[18446744073709551615]"
        );
        assert_eq!(data(&[1], I64, unsigned.as_ptr().cast()), "[-1]");
        let halves = [0x3e00u16, 0xc000];
        assert_eq!(data(&[2], F16, halves.as_ptr().cast()), "[1.5,  -2]");
        let brains = [0x3fc0u16, 0x7f80];
        assert_eq!(data(&[2], BF16, brains.as_ptr().cast()), "[1.5,  inf]");
        let singles = [0.1f32, 1e10];
        assert_eq!(data(&[2], F32, singles.as_ptr().cast()), "[0.1,  1e+10]");
        assert_eq!(data(&[1], C32, singles.as_ptr().cast()), "[(0.1,1e+10)]");
        let doubles = [1.0f64 / 3.0, -4.0];
        assert_eq!(data(&[1], C64, doubles.as_ptr().cast()), "[(0.333333,-4)]");
        let vector: [f32; 16] = core::array::from_fn(|index| index as f32);
        assert_eq!(
            data(&[], VECTOR4X4XF32, vector.as_ptr().cast()),
            "((0, 1, 2, 3),   (4, 5, 6, 7),   (8, 9, 10, 11),  (12, 13, 14, 15))"
        );
    }

    #[test]
    fn metadata() {
        let (sizes, strides) = ([2i64, 3], [3i64, -1]);
        let view = View {
            rank: 2,
            data: core::ptr::without_provenance_mut(0x1230),
            offset: 7,
            sizes: sizes.as_ptr(),
            strides: strides.as_ptr(),
        };
        // SAFETY: there are two sizes and strides.
        let text = captured(|stream| unsafe { write_metadata(&mut Output::to(stream), &view) });
        assert_eq!(
            text,
            "base@ = 0x1230 rank = 2 offset = 7 sizes = [2, 3] strides = [3, -1]"
        );
    }
}
