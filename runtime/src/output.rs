//! Formatted output without `core::fmt`.
//!
//! `core::fmt` reaches panics and tables that a single object file cannot carry,
//! so [`Output`] offers the handful of conversions the runtime needs. It gathers
//! bytes in a small buffer and hands them to C stdio, which keeps them in order
//! with what C code of the same program prints.

use core::mem::MaybeUninit;
use core::ptr;

use crate::decimal::{SixDigits, six_digits};
use crate::site::AllocSite;
use crate::sys::{self, File};

/// Bytes that are written at once; on the stack of every call that prints.
const CAPACITY: usize = 512;

/// Longest text of one `%g` conversion, with room to spare: `-1.23457e-308`.
const NUMBER_CAPACITY: usize = 32;

/// A buffered writer on a C stream; flushes into the stream when dropped.
pub(crate) struct Output {
    stream: *mut File,
    length: usize,
    buffer: [MaybeUninit<u8>; CAPACITY],
}

impl Output {
    /// Writes to C's standard output.
    pub(crate) fn stdout() -> Self {
        Output::to(sys::standard_output())
    }

    /// Writes to C's standard error; what standard output holds back is written first.
    pub(crate) fn stderr() -> Self {
        flush(sys::standard_output());
        Output::to(sys::standard_error())
    }

    /// Writes to `stream`, which has to stay open as long as the result lives.
    pub(crate) fn to(stream: *mut File) -> Self {
        Output {
            stream,
            length: 0,
            buffer: [const { MaybeUninit::uninit() }; CAPACITY],
        }
    }

    /// Hands everything gathered so far to the stream.
    pub(crate) fn finish(&mut self) {
        if self.length != 0 {
            // SAFETY: the first `length` bytes of the buffer are initialized.
            unsafe { sys::fwrite(self.buffer.as_ptr().cast(), 1, self.length, self.stream) };
            self.length = 0;
        }
    }

    /// Room for `size` bytes, at most [`CAPACITY`].
    #[inline]
    fn reserve(&mut self, size: usize) -> *mut u8 {
        if self.length + size > CAPACITY {
            self.finish();
        }
        // SAFETY: `length` never exceeds the capacity.
        unsafe { self.buffer.as_mut_ptr().add(self.length).cast() }
    }

    /// Writes the `size` bytes at `data`.
    ///
    /// # Safety
    /// They are readable.
    pub(crate) unsafe fn raw(&mut self, data: *const u8, size: usize) {
        if size == 0 {
            return;
        }
        if size > CAPACITY {
            self.finish();
            // SAFETY: by the caller's promise.
            unsafe { sys::fwrite(data, 1, size, self.stream) };
            return;
        }
        let to = self.reserve(size);
        // SAFETY: `reserve` made room, and the buffer is ours alone.
        unsafe { ptr::copy_nonoverlapping(data, to, size) };
        self.length += size;
    }

    /// Writes a string.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        self.slice(text.as_bytes());
    }

    /// Writes bytes.
    #[inline]
    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        // SAFETY: a slice is readable.
        unsafe { self.raw(bytes.as_ptr(), bytes.len()) };
    }

    /// Writes one byte.
    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        let to = self.reserve(1);
        // SAFETY: `reserve` made room for one byte.
        unsafe { *to = byte };
        self.length += 1;
    }

    fn repeated(&mut self, byte: u8, count: i64) {
        let mut left = count;
        while left > 0 {
            self.byte(byte);
            left -= 1;
        }
    }

    /// Writes `count` zeros.
    pub(crate) fn zeros(&mut self, count: i64) {
        self.repeated(b'0', count);
    }

    /// Writes `count` spaces.
    pub(crate) fn spaces(&mut self, count: i64) {
        self.repeated(b' ', count);
    }

    fn digits<const BASE: u64>(&mut self, value: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = value;
        loop {
            at -= 1;
            let digit = (rest % BASE) as u8;
            // SAFETY: 2^64 has twenty decimal digits, and no base in use is smaller.
            unsafe {
                *digits.as_mut_ptr().add(at) = digit + if digit < 10 { b'0' } else { b'a' - 10 };
            }
            rest /= BASE;
            if rest == 0 {
                break;
            }
        }
        // SAFETY: the bytes from `at` to the end were just written.
        unsafe { self.raw(digits.as_ptr().add(at), digits.len() - at) };
    }

    /// Writes an unsigned number in decimal.
    pub(crate) fn unsigned(&mut self, value: u64) {
        self.digits::<10>(value);
    }

    /// Writes a signed number in decimal.
    pub(crate) fn signed(&mut self, value: i64) {
        if value < 0 {
            self.byte(b'-');
        }
        self.digits::<10>(value.unsigned_abs());
    }

    /// Writes an address as C++ streams do: hexadecimal with `0x`, zero without.
    pub(crate) fn address(&mut self, value: usize) {
        if value != 0 {
            self.text("0x");
        }
        self.digits::<16>(value as u64);
    }

    /// Writes a number as `%g` and as C++ streams do by default: six significant digits.
    pub(crate) fn float(&mut self, value: f64) {
        // Most printed numbers are small whole ones, and take no rounding.
        let whole = value as i32;
        if f64::from(whole) == value && whole.unsigned_abs() < 1_000_000 {
            if whole == 0 && value.is_sign_negative() {
                self.byte(b'-');
            }
            self.signed(i64::from(whole));
            return;
        }
        if let Some(digits) = six_digits(value.abs()) {
            if value < 0.0 {
                self.byte(b'-');
            }
            self.six_digits(digits);
            return;
        }
        let to = self.reserve(NUMBER_CAPACITY);
        // SAFETY: `reserve` made room; a `%g` of six digits never fills it.
        let written = unsafe { sys::snprintf(to, NUMBER_CAPACITY, c"%g".as_ptr(), value) };
        if written > 0 && (written as usize) < NUMBER_CAPACITY {
            self.length += written as usize;
        }
    }

    /// Writes the layout `%g` gives six digits: trailing zeros left out, and an exponent if it
    /// is below -4 or above 5.
    fn six_digits(&mut self, SixDigits { digits, exponent }: SixDigits) {
        let (mut kept, mut n_kept) = (digits, 6);
        while kept % 10 == 0 && n_kept > 1 {
            kept /= 10;
            n_kept -= 1;
        }
        let scientific = !(-4..6).contains(&exponent);
        // Digits before the point.
        let whole = if scientific { 1 } else { exponent + 1 };
        if whole <= 0 {
            self.text("0.");
            self.zeros(i64::from(-whole));
        }
        let mut index = 0;
        let mut rest = digits;
        while index < n_kept || index < whole {
            if index == whole && whole > 0 {
                self.byte(b'.');
            }
            self.byte(b'0' + (rest / 100_000) as u8);
            rest = rest % 100_000 * 10;
            index += 1;
        }
        if scientific {
            self.text(if exponent < 0 { "e-" } else { "e+" });
            let magnitude = exponent.unsigned_abs();
            self.byte(b'0' + (magnitude / 10) as u8);
            self.byte(b'0' + (magnitude % 10) as u8);
        }
    }

    /// Starts a diagnostic: `file:line:column: severity: `, without a place if there is none.
    ///
    /// # Safety
    /// `site` is null or points to an [`AllocSite`] whose file name is readable.
    pub(crate) unsafe fn diagnostic(&mut self, site: *const AllocSite, severity: &str) {
        // SAFETY: by the caller's promise.
        match unsafe { site.as_ref() } {
            Some(site) if site.file_len != 0 && !site.file.is_null() => {
                // SAFETY: by the caller's promise.
                unsafe { self.raw(site.file, site.file_len as usize) };
                self.byte(b':');
                self.unsigned(u64::from(site.line));
                self.byte(b':');
                self.unsigned(u64::from(site.column));
                self.text(": ");
            }
            _ => {}
        }
        self.text(severity);
        self.text(": ");
    }

    /// Writes `1 byte` or `n bytes`.
    pub(crate) fn bytes(&mut self, count: u64) {
        self.unsigned(count);
        self.text(if count == 1 { " byte" } else { " bytes" });
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Ends the program with a message.
#[cold]
pub(crate) fn fail(message: &str) -> ! {
    let mut out = Output::stderr();
    out.text("error: ");
    out.text(message);
    out.byte(b'\n');
    out.finish();
    // SAFETY: nothing is to be done any more.
    unsafe { sys::abort() }
}

/// Stops the program because there is no memory for `bytes` bytes.
#[cold]
pub(crate) fn out_of_memory(bytes: u64, site: *const AllocSite) -> ! {
    let mut out = Output::stderr();
    // SAFETY: sites come from compiled code, which passes null or its constants.
    unsafe {
        out.diagnostic(site, "error");
        out.text("out of memory: cannot allocate ");
        out.bytes(bytes);
        out.byte(b'\n');
        out.finish();
        sys::abort()
    }
}

/// Writes out what `stream` holds back.
pub(crate) fn flush(stream: *mut File) {
    // SAFETY: the streams passed here are open.
    unsafe { sys::fflush(stream) };
}

/// Writes out what `stream` holds back; whether everything has been written.
pub(crate) fn is_written(stream: *mut File) -> bool {
    // SAFETY: the streams passed here are open.
    unsafe { sys::fflush(stream) == 0 && sys::ferror(stream) == 0 }
}

/// Collects what an action prints, for the unit tests of the modules that report.
#[cfg(test)]
pub(crate) mod capture {
    use super::File;
    use std::string::String;
    use std::vec;

    unsafe extern "C" {
        fn tmpfile() -> *mut File;
        fn rewind(stream: *mut File);
        fn fread(data: *mut u8, size: usize, count: usize, stream: *mut File) -> usize;
        fn fclose(stream: *mut File) -> core::ffi::c_int;
    }

    /// The text `action` writes to the stream it is given.
    pub(crate) fn captured(action: impl FnOnce(*mut File)) -> String {
        // SAFETY: plain stdio on a private file.
        unsafe {
            let stream = tmpfile();
            assert!(!stream.is_null(), "no temporary file");
            action(stream);
            rewind(stream);
            let mut text = vec![0; 1 << 16];
            let length = fread(text.as_mut_ptr(), 1, text.len(), stream);
            fclose(stream);
            text.truncate(length);
            String::from_utf8(text).unwrap()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::capture::captured;
    use super::*;
    use crate::testing::Random;
    use std::format;
    use std::string::String;

    fn printed(action: impl FnOnce(&mut Output)) -> String {
        captured(|stream| action(&mut Output::to(stream)))
    }

    #[test]
    fn integers() {
        for value in [0, 1, -1, 9, 10, 99, 100, -12345, i64::MAX, i64::MIN] {
            assert_eq!(printed(|out| out.signed(value)), format!("{value}"));
            assert_eq!(
                printed(|out| out.unsigned(value as u64)),
                format!("{}", value as u64)
            );
        }
        assert_eq!(printed(|out| out.address(0)), "0");
        assert_eq!(printed(|out| out.address(0x12_3456_789a)), "0x123456789a");
        assert_eq!(printed(|out| out.address(usize::MAX)), "0xffffffffffffffff");
    }

    #[test]
    fn floats_have_six_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-999_999.0, "-999999"),
            (1_000_000.0, "1e+06"),
            (999_999.5, "1e+06"),
            (123_456.7, "123457"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (f64::from(0.1f32), "0.1"),
            (1.0 / 3.0, "0.333333"),
            (f64::MAX, "1.79769e+308"),
            (5e-324, "4.94066e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (2_147_483_648.0, "2.14748e+09"),
        ] {
            assert_eq!(printed(|out| out.float(value)), text);
        }
        assert_eq!(printed(|out| out.float(f64::NAN.copysign(1.0))), "nan");
        assert_eq!(printed(|out| out.float(f64::NAN.copysign(-1.0))), "-nan");
    }

    #[test]
    fn floats_equal_those_of_the_c_library() {
        let mut random = Random::new(31);
        for _ in 0..200_000 {
            let exponent = 1023 - 30 + random.below(90);
            let mut bits = random.next() & !(0x7ff << 52) | exponent << 52;
            if bits & 1 == 0 {
                bits &= !0 << (20 + random.below(32));
            }
            let value = f64::from_bits(bits);
            let mut expected = [0u8; NUMBER_CAPACITY];
            let mut out = Output::to(ptr::null_mut());
            out.float(value);
            // SAFETY: `expected` has that much room; the first `length` bytes are initialized.
            let (ours, theirs) = unsafe {
                let to = expected.as_mut_ptr();
                let length = sys::snprintf(to, NUMBER_CAPACITY, c"%g".as_ptr(), value);
                let ours = core::slice::from_raw_parts(out.buffer.as_ptr().cast(), out.length);
                (
                    str::from_utf8(ours),
                    str::from_utf8(&expected[..length as usize]),
                )
            };
            assert_eq!(ours.unwrap(), theirs.unwrap(), "{value:e}");
            // Nothing may reach the stream, which is none.
            out.length = 0;
        }
    }

    #[test]
    fn long_text_passes_the_buffer_in_order() {
        let long = "x".repeat(3 * CAPACITY + 7);
        let text = printed(|out| {
            out.text("a");
            out.text(&long);
            for _ in 0..CAPACITY {
                out.text("bc");
            }
            out.float(0.5);
        });
        assert_eq!(text, format!("a{long}{}0.5", "bc".repeat(CAPACITY)));
    }

    #[test]
    fn diagnostics_name_the_place() {
        let file = "dir/a.mlir";
        let site = AllocSite {
            file: file.as_ptr(),
            file_len: file.len() as u64,
            line: 3,
            column: 14,
        };
        // SAFETY: both arguments are valid.
        let text = printed(|out| unsafe { out.diagnostic(&site, "error") });
        assert_eq!(text, "dir/a.mlir:3:14: error: ");
        // SAFETY: null is allowed.
        let text = printed(|out| unsafe { out.diagnostic(ptr::null(), "note") });
        assert_eq!(text, "note: ");
    }
}
