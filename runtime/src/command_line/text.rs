//! Pieces of text as bytes: what a command line and a header of a file are made of.

use core::ffi::c_char;

use crate::sys;

/// The bytes of a string of C, without the zero at its end.
///
/// # Safety
/// It ends with a zero byte, and stays as it is for `'t`.
pub(super) unsafe fn of_c<'t>(text: *const c_char) -> &'t [u8] {
    // SAFETY: by the caller's promise.
    unsafe { core::slice::from_raw_parts(text.cast(), sys::strlen(text)) }
}

/// The parts before and behind the first such byte.
pub(super) fn split_once(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&found| found == byte)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The text from `at` on, none behind its end.
pub(super) fn from(text: &[u8], at: usize) -> &[u8] {
    text.get(at..).unwrap_or(&[])
}

/// Whether the first byte is a decimal digit.
pub(super) fn starts_with_digit(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit)
}

/// Without the white space around it.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [first, rest @ ..] = text
        && first.is_ascii_whitespace()
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && last.is_ascii_whitespace()
    {
        text = rest;
    }
    text
}

/// The number that digits of this base make, with or without a plus sign, if it has 64 bits.
pub(super) fn number(text: &[u8], base: u8) -> Option<u64> {
    let digits = match text {
        [b'+', digits @ ..] => digits,
        digits => digits,
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &byte in digits {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'z' => byte - b'a' + 10,
            b'A'..=b'Z' => byte - b'A' + 10,
            _ => return None,
        };
        if digit >= base {
            return None;
        }
        value = value.checked_mul(base.into())?.checked_add(digit.into())?;
    }
    Some(value)
}

/// [`number`] as a size.
pub(super) fn size(text: &[u8]) -> Option<usize> {
    usize::try_from(number(text, 10)?).ok()
}
