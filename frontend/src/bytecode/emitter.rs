//! Bytes that are being written. Large ones stay where they are.

use std::io::{self, Write};

use super::section::{PADDING, Section};
use crate::ir::bytes::Bytes;

/// Fewer bytes are copied.
const MIN_SHARED: usize = 1 << 12;

/// Bytes to write, in order.
#[derive(Default, Debug)]
pub(super) struct Emitter {
    /// What comes before `last`.
    pieces: Vec<Piece>,
    n_before: usize,
    last: Vec<u8>,
    /// What the first byte is to be aligned to.
    alignment: usize,
}

#[derive(Debug)]
enum Piece {
    Owned(Vec<u8>),
    Shared(Bytes),
}

impl Piece {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

impl Emitter {
    pub(super) fn len(&self) -> usize {
        self.n_before + self.last.len()
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.last.push(byte);
    }

    /// Changes a byte that was written, after which nothing large was.
    pub(super) fn set(&mut self, at: usize, byte: u8) {
        self.last[at - self.n_before] = byte;
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
    }

    pub(super) fn shared(&mut self, bytes: Bytes) {
        if bytes.len() < MIN_SHARED {
            self.bytes(&bytes);
            return;
        }
        self.finish_piece();
        self.n_before += bytes.len();
        self.pieces.push(Piece::Shared(bytes));
    }

    fn finish_piece(&mut self) {
        let last = std::mem::take(&mut self.last);
        self.n_before += last.len();
        self.pieces.push(Piece::Owned(last));
    }

    pub(super) fn number(&mut self, number: u64) {
        let n_bits = 64 - number.leading_zeros().min(63);
        let n_bytes = n_bits.div_ceil(7);
        if n_bytes > 8 {
            self.byte(0);
            self.bytes(&number.to_le_bytes());
            return;
        }
        let encoded = (number << 1 | 1) << (n_bytes - 1);
        self.bytes(&encoded.to_le_bytes()[..n_bytes as usize]);
    }

    pub(super) fn flagged(&mut self, number: u64, flag: bool) {
        self.number(number << 1 | u64::from(flag));
    }

    /// Bytes that begin at a multiple of `alignment`, behind what and how many they are.
    pub(super) fn aligned(&mut self, alignment: usize, bytes: Bytes) {
        self.number(alignment as u64);
        self.number(bytes.len() as u64);
        self.align(alignment);
        self.shared(bytes);
    }

    fn align(&mut self, alignment: usize) {
        while alignment > 1 && !self.len().is_multiple_of(alignment) {
            self.byte(PADDING);
        }
        self.alignment = self.alignment.max(alignment);
    }

    pub(super) fn section(&mut self, section: Section, contents: Self) {
        let alignment = contents.alignment;
        let mut header = Self::default();
        header.number(contents.len() as u64);
        let is_aligned = alignment < 2 || (self.len() + 1 + header.len()).is_multiple_of(alignment);
        self.byte(section as u8 | if is_aligned { 0 } else { 0x80 });
        self.bytes(&header.last);
        if !is_aligned {
            self.number(alignment as u64);
        }
        self.align(alignment);
        self.append(contents);
    }

    /// A section that `write` writes.
    pub(super) fn section_of(&mut self, section: Section, write: impl FnOnce(&mut Self)) {
        let mut contents = Self::default();
        write(&mut contents);
        self.section(section, contents);
    }

    pub(super) fn append(&mut self, other: Self) {
        if !other.pieces.is_empty() {
            self.finish_piece();
            self.n_before += other.n_before;
            self.pieces.extend(other.pieces);
        }
        self.bytes(&other.last);
    }

    /// All bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.len());
        for piece in &self.pieces {
            all.extend_from_slice(piece.bytes());
        }
        all.extend_from_slice(&self.last);
        all
    }

    pub(super) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for piece in &self.pieces {
            out.write_all(piece.bytes())?;
        }
        out.write_all(&self.last)
    }
}
