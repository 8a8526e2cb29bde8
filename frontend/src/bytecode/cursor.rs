//! A place in the bytes of a file, from which numbers and bytes are read.

use std::ops::Range;

use super::section::{PADDING, Section};
use crate::ir::bytecode_interface::Result;

/// The unread rest of a part of a file.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    /// The whole file: alignment counts from its beginning.
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        Self {
            bytes,
            at: range.start,
            end: range.end,
        }
    }

    /// How many bytes are left.
    pub(super) fn len(&self) -> usize {
        self.end - self.at
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == self.end
    }

    /// The rest, as a place in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.at..self.end
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        if self.is_empty() {
            return Err("attempting to parse a byte at the end of the bytecode".into());
        }
        let byte = self.bytes[self.at];
        self.at += 1;
        Ok(byte)
    }

    /// The place of the next `n` bytes, which are passed.
    pub(super) fn take(&mut self, n: u64) -> Result<Range<usize>> {
        let n_left = self.len();
        match usize::try_from(n) {
            Ok(n) if n <= n_left => {
                let range = self.at..self.at + n;
                self.at += n;
                Ok(range)
            }
            _ => {
                let message = format!("attempting to parse {n} bytes when only {n_left} remain");
                Err(message.into())
            }
        }
    }

    pub(super) fn align(&mut self, alignment: u64) -> Result<()> {
        if !alignment.is_power_of_two() {
            return Err("expected alignment to be a power-of-two".into());
        }
        while self.at as u64 & (alignment - 1) != 0 {
            let byte = self.byte()?;
            if byte != PADDING {
                let message = format!("expected alignment byte (0xCB), but got: '0x{byte:X}'");
                return Err(message.into());
            }
        }
        Ok(())
    }

    /// A number. Zeros at the end of its first byte say how many bytes follow.
    pub(super) fn number(&mut self) -> Result<u64> {
        let first = self.byte()?;
        if first & 1 == 1 {
            return Ok(u64::from(first >> 1));
        }
        if first == 0 {
            let range = self.take(8)?;
            let bytes = self.bytes[range].first_chunk().copied();
            return Ok(u64::from_le_bytes(bytes.unwrap_or_default()));
        }
        let n_more = first.trailing_zeros();
        let range = self.take(u64::from(n_more))?;
        let mut bytes = [0; 8];
        bytes[0] = first;
        bytes[1..=range.len()].copy_from_slice(&self.bytes[range]);
        Ok(u64::from_le_bytes(bytes) >> (n_more + 1))
    }

    /// A number with a flag below it.
    pub(super) fn flagged(&mut self) -> Result<(u64, bool)> {
        let bits = self.number()?;
        Ok((bits >> 1, bits & 1 == 1))
    }

    /// How many things follow, each of which takes a byte or more.
    pub(super) fn count(&mut self) -> Result<usize> {
        let n = self.number()?;
        self.check_count(n)
    }

    /// [`Self::count`] of a number that was read.
    pub(super) fn check_count(&self, n: u64) -> Result<usize> {
        if n > self.len() as u64 {
            let n_left = self.len();
            let message = format!("attempting to parse {n} bytes when only {n_left} remain");
            return Err(message.into());
        }
        Ok(n as usize)
    }

    /// An index into a list of `n` things.
    pub(super) fn index(&mut self, n: usize, what: &str) -> Result<usize> {
        let index = self.number()?;
        check_index(index, n, what)
    }

    /// Bytes behind their number.
    pub(super) fn blob(&mut self) -> Result<Range<usize>> {
        let n = self.number()?;
        self.take(n)
    }

    /// Bytes up to a zero.
    pub(super) fn terminated(&mut self) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.at..self.end];
        let Some(n) = rest.iter().position(|&byte| byte == 0) else {
            return Err("malformed null-terminated string, no null character found".into());
        };
        self.at += n + 1;
        Ok(&rest[..n])
    }

    /// A section, and where its contents are.
    pub(super) fn section(&mut self) -> Result<(Section, Range<usize>)> {
        let id = self.byte()?;
        let n = self.number()?;
        let Some(&(section, _)) = Section::ALL.get(usize::from(id & 0x7f)) else {
            return Err(format!("invalid section ID: {}", id & 0x7f).into());
        };
        if id & 0x80 != 0 {
            let alignment = self.number()?;
            self.align(alignment)?;
        }
        Ok((section, self.take(n)?))
    }
}

/// Bytes as text.
pub(super) fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| "string is not valid UTF-8".into())
}

/// An index into a list of `n` things.
pub(super) fn check_index(index: u64, n: usize, what: &str) -> Result<usize> {
    match usize::try_from(index) {
        Ok(at) if at < n => Ok(at),
        _ => Err(format!("invalid {what} index: {index}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::emitter::Emitter;
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let numbers = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for number in numbers.chain([u64::MAX, 0x1234_5678_9abc_def0]) {
            let mut emitter = Emitter::default();
            emitter.number(number);
            let bytes = emitter.into_bytes();
            let mut cursor = Cursor::new(&bytes, 0..bytes.len());
            assert_eq!(cursor.number(), Ok(number));
            assert!(cursor.is_empty());
        }
        let expected = [(0, vec![1]), (127, vec![255]), (128, vec![2, 2])];
        for (number, bytes) in expected {
            let mut emitter = Emitter::default();
            emitter.number(number);
            assert_eq!(emitter.into_bytes(), bytes);
        }
    }
}
