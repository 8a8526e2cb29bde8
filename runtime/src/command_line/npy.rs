//! Arrays in files of NumPy, `.npy`.

use core::ffi::c_char;

use super::array::{Array, Stored, quoted, room};
use super::element::{BOOL, Element, Sign};
use super::float::Float;
use super::{Report, text};
use crate::output::Output;
use crate::sys::{self, File};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Headers are padded to a multiple of this.
const ALIGNMENT: usize = 64;

/// Reads the array in this file.
///
/// # Safety
/// A zero byte is behind the path.
pub(super) unsafe fn read<'m>(path: &[u8], report: Report<'_>) -> Array<'m> {
    // SAFETY: both are strings of C, and the file is closed once.
    unsafe {
        let file = sys::fopen(path.as_ptr().cast(), c"rb".as_ptr());
        if file.is_null() {
            report.fail(last_error);
        }
        let array = read_array(file, report);
        sys::fclose(file);
        array
    }
}

fn last_error(out: &mut Output) {
    // SAFETY: the C library returns a string.
    out.slice(unsafe { text::of_c(sys::last_error()) });
}

/// Fills `bytes` from the file.
///
/// # Safety
/// It is open.
unsafe fn fill(file: *mut File, bytes: &mut [u8], report: Report<'_>) {
    // SAFETY: by the caller's promise; the bytes are writable.
    unsafe {
        if sys::fread(bytes.as_mut_ptr(), 1, bytes.len(), file) < bytes.len() {
            report.fail(|out| match sys::ferror(file) {
                0 => out.text("failed to fill whole buffer"),
                _ => last_error(out),
            });
        }
    }
}

/// Reads the array in an open file.
///
/// # Safety
/// It is open.
unsafe fn read_array<'m>(file: *mut File, report: Report<'_>) -> Array<'m> {
    let mut start = [0u8; 8];
    // SAFETY: by the caller's promise.
    unsafe { fill(file, &mut start, report) };
    let version = start
        .strip_prefix(MAGIC)
        .and_then(|version| version.first());
    let wide = match version {
        Some(1) => false,
        Some(2 | 3) => true,
        _ => report.fail(|out| out.text("this is no file of NumPy")),
    };
    let mut length = [0u8; 4];
    let (n_bytes, _) = length.split_at_mut(if wide { 4 } else { 2 });
    // SAFETY: by the caller's promise.
    unsafe { fill(file, n_bytes, report) };
    let header = room::<u8>(u32::from_le_bytes(length) as usize, report);
    // SAFETY: by the caller's promise.
    unsafe { fill(file, header, report) };

    let broken = || -> ! { report.fail(|out| out.text("the header of this file is broken")) };
    let entry = |name: &[u8]| {
        let mut places = 0..header.len();
        match places.find(|&at| text::from(header, at).starts_with(name)) {
            Some(at) => text::trimmed(text::from(header, at + name.len())),
            None => broken(),
        }
    };
    let ty = entry(b"'descr':");
    let (word, _) = match ty {
        [b'\'', ty @ ..] => text::split_once(ty, b'\'').unwrap_or_else(|| broken()),
        _ => (&[][..], &[][..]),
    };
    let Some((stored, is_big)) = stored(word) else {
        report.fail(|out| {
            out.text("elements of type ");
            match word {
                [] => out.text("that are structures"),
                word => quoted(out, word),
            }
            out.text(" are not supported");
        })
    };
    let is_by_columns = entry(b"'fortran_order':").starts_with(b"True");
    let shape = match entry(b"'shape':") {
        [b'(', shape @ ..] => text::split_once(shape, b')').unwrap_or_else(|| broken()).0,
        _ => broken(),
    };
    let sizes = room::<usize>(shape.len() / 2 + 1, report);
    let (mut rest, mut rank) = (text::trimmed(shape), 0);
    while !rest.is_empty() {
        let (size, more) = text::split_once(rest, b',').unwrap_or((rest, &[]));
        match (text::size(text::trimmed(size)), sizes.get_mut(rank)) {
            (Some(size), Some(place)) => *place = size,
            _ => broken(),
        }
        rank += 1;
        rest = text::trimmed(more);
    }
    let sizes: &[usize] = sizes.get(..rank).unwrap_or(&[]);
    let array = Array::zeroed(stored, sizes, report);
    // SAFETY: there is memory for all elements, and each index is less than their number.
    unsafe {
        let bytes = core::slice::from_raw_parts_mut(array.data, array.n_bytes());
        fill(file, bytes, report);
        // Parts of complex numbers are swapped each for itself.
        let part = match stored {
            Stored::Element(Element::Complex(part)) => part.byte_size(),
            Stored::Element(element) => element.byte_size(),
            Stored::Raw(_) => 1,
        };
        let mut rest = bytes;
        while let Some((bytes, more)) = rest.split_at_mut_checked(part)
            && !bytes.is_empty()
        {
            if is_big {
                bytes.reverse();
            }
            if stored == Stored::Element(BOOL) {
                bytes
                    .iter_mut()
                    .for_each(|byte| *byte = u8::from(*byte != 0));
            }
            rest = more;
        }
        if !is_by_columns || array.n_elements() == 0 {
            return array;
        }
        let rows = Array::zeroed(stored, sizes, report);
        for index in 0..array.n_elements() {
            // The index in each dimension, and what that is where the first one is the innermost.
            let (mut rest, mut at, mut stride) = (index, 0, 1);
            let mut inner = array.n_elements();
            for &size in sizes {
                inner = inner.checked_div(size).unwrap_or(1);
                let here = rest.checked_div(inner).unwrap_or(0);
                rest = rest.checked_rem(inner).unwrap_or(0);
                at += here * stride;
                stride *= size;
            }
            rows.set(index, array.get(at));
        }
        rows
    }
}

/// The elements with this name in NumPy, and whether their first byte is the most significant one.
fn stored(name: &[u8]) -> Option<(Stored, bool)> {
    let (order, kind, size) = match name {
        [order @ (b'<' | b'>' | b'|' | b'='), kind, size @ ..] => (*order, *kind, size),
        _ => return None,
    };
    let size = text::size(size)?;
    let float = match size {
        2 => Some(Float::F16),
        4 => Some(Float::F32),
        8 => Some(Float::F64),
        _ => None,
    };
    let element = match (kind, size) {
        (b'b', 1) => BOOL,
        (b'i', 1 | 2 | 4 | 8) => Element::Int(8 * size as u32, Sign::Signless),
        (b'u', 1 | 2 | 4 | 8) => Element::Int(8 * size as u32, Sign::Unsigned),
        (b'f', _) => Element::Float(float?),
        (b'c', 8) => Element::Complex(Float::F32),
        (b'c', 16) => Element::Complex(Float::F64),
        (b'V', 1..=16) => return Some((Stored::Raw(size), false)),
        _ => return None,
    };
    Some((Stored::Element(element), order == b'>'))
}

/// How NumPy calls elements: byte order and kind; they are bytes where it has no name.
fn kind_of(stored: Stored) -> &'static str {
    let Stored::Element(element) = stored else {
        return "|V";
    };
    match element {
        BOOL => "|b",
        Element::Index => "<i",
        Element::Int(_, sign) => {
            // What does not fill its bytes is zero-extended.
            match (
                element.byte_size(),
                sign == Sign::Unsigned || element.has_padding(),
            ) {
                (1, true) => "|u",
                (1, false) => "|i",
                (_, true) => "<u",
                (_, false) => "<i",
            }
        }
        Element::Float(Float::BF16) | Element::Complex(Float::F16 | Float::BF16) => "|V",
        Element::Float(_) => "<f",
        Element::Complex(_) => "<c",
    }
}

/// Writes an array to this file.
///
/// # Safety
/// A zero byte is behind the path, and all elements are there.
pub(super) unsafe fn write(path: &[u8], array: &Array<'_>, report: Report<'_>) {
    // SAFETY: by the caller's promise; the file is closed once.
    unsafe {
        let file = sys::fopen(path.as_ptr().cast::<c_char>(), c"wb".as_ptr());
        let mut is_written = !file.is_null();
        if is_written {
            write_header(file, array);
            let n_bytes = array.n_bytes();
            is_written = sys::fwrite(array.data, 1, n_bytes, file) == n_bytes;
            is_written &= sys::fclose(file) == 0;
        }
        if !is_written {
            report.fail(|out| {
                out.text("cannot open output file ");
                quoted(out, path);
                out.text(": ");
                last_error(out);
            });
        }
    }
}

fn write_header(file: *mut File, array: &Array<'_>) {
    let n_digits = |number: usize| {
        let (mut rest, mut n) = (number / 10, 1);
        while rest > 0 {
            rest /= 10;
            n += 1;
        }
        n
    };
    let size = array.stored.byte_size();
    // Each size has a comma and a space behind it.
    let shape = (array.sizes.iter()).fold(0, |n, &size| n + n_digits(size) + 2);
    let (before, between) = ("{'descr': '", "', 'fortran_order': False, 'shape': (");
    let behind = "), }";
    let dictionary = before.len() + 2 + n_digits(size) + between.len() + shape + behind.len();
    let is_wide = dictionary + 1 + ALIGNMENT > usize::from(u16::MAX);
    let start = MAGIC.len() + 2 + if is_wide { 4 } else { 2 };
    let whole = (start + dictionary + 1).next_multiple_of(ALIGNMENT);
    let length = (whole - start) as u32;

    let mut out = Output::to(file);
    out.slice(MAGIC);
    out.slice(if is_wide { &[2, 0] } else { &[1, 0] });
    let bytes = length.to_le_bytes();
    out.slice(bytes.get(..if is_wide { 4 } else { 2 }).unwrap_or(&[]));
    out.text(before);
    out.text(kind_of(array.stored));
    out.unsigned(size as u64);
    out.text(between);
    for &size in array.sizes {
        out.unsigned(size as u64);
        out.text(", ");
    }
    out.text(behind);
    out.spaces((whole - start - dictionary - 1) as i64);
    out.byte(b'\n');
}
