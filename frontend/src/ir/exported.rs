//! What `jax.export` writes: a flatbuffer around a program in MLIR bytecode.
//!
//! A table of a flatbuffer begins with the distance back to its vtable, which has the places of its fields, by their
//! numbers in the schema; what has no fixed size stands elsewhere, at a distance. Everything is little endian. Nothing
//! is read of the other fields: shapes and trees of arguments are the caller's.

use std::ops::Range;

use super::source_text::BYTECODE_MAGIC;

/// Numbers of fields of the root table in the schema.
const PLATFORMS: usize = 9;
const MODULE: usize = 13;

/// A program that was exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// Where its bytecode is.
    pub module: Range<usize>,
    /// The platforms it is for. A program for several has the number of one as its first argument.
    pub platforms: Vec<String>,
}

impl Exported {
    /// How many bytes say whether the rest is worth a look.
    pub const N_PREFIX: usize = 4;

    /// Whether bytes may begin a flatbuffer, which no text does: with the place of the root table, which is near.
    pub fn may_begin(prefix: &[u8]) -> bool {
        prefix.len() >= Self::N_PREFIX && prefix[..2] != [0, 0] && prefix[2..4] == [0, 0]
    }

    /// What bytes hold, if they are an exported program.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let root = u32_at(bytes, 0)?;
        let module = vector(bytes, field(bytes, root, MODULE)?, 1)?;
        bytes
            .get(module.clone())?
            .starts_with(BYTECODE_MAGIC)
            .then_some(())?;
        let mut platforms = Vec::new();
        if let Some(at) = field(bytes, root, PLATFORMS) {
            let list = vector(bytes, at, 4)?;
            for place in list.step_by(4) {
                let text = vector(bytes, place, 1)?;
                platforms.push(String::from_utf8(bytes.get(text)?.to_vec()).ok()?);
            }
        }
        Some(Self { module, platforms })
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(usize::from(u16::from_le_bytes(bytes.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

/// Where a field of a table is.
fn field(bytes: &[u8], table: usize, number: usize) -> Option<usize> {
    let back = bytes.get(table..table.checked_add(4)?)?;
    let back = i32::from_le_bytes(back.try_into().ok()?);
    let vtable = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
    let at = 4 + 2 * number;
    (at < u16_at(bytes, vtable)?).then_some(())?;
    match u16_at(bytes, vtable + at)? {
        0 => None,
        offset => Some(table + offset),
    }
}

/// The elements of the vector that a field at `at` refers to, of `size` bytes each.
fn vector(bytes: &[u8], at: usize, size: usize) -> Option<Range<usize>> {
    let start = at.checked_add(u32_at(bytes, at)?)?;
    let n_bytes = u32_at(bytes, start)?.checked_mul(size)?;
    let range = start + 4..(start + 4).checked_add(n_bytes)?;
    (range.end <= bytes.len()).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flatbuffer with the two fields, as small as they are.
    fn exported(module: &[u8], platforms: &[&str]) -> Vec<u8> {
        let vtable_size = 4 + 2 * (MODULE + 1);
        let mut bytes = vec![0; 4 + vtable_size];
        bytes[0] = bytes.len() as u8;
        bytes[4] = vtable_size as u8;
        let table = bytes.len();
        bytes[4 + 4 + 2 * PLATFORMS] = 4;
        bytes[4 + 4 + 2 * MODULE] = 8;
        bytes.extend((vtable_size as u32).to_le_bytes());
        bytes.extend([0; 8]);
        let place = |bytes: &mut Vec<u8>, at: usize| {
            let distance = (bytes.len() - at) as u32;
            bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        };
        place(&mut bytes, table + 8);
        bytes.extend((module.len() as u32).to_le_bytes());
        bytes.extend(module);
        place(&mut bytes, table + 4);
        bytes.extend((platforms.len() as u32).to_le_bytes());
        let list = bytes.len();
        bytes.extend(vec![0; 4 * platforms.len()]);
        for (i, platform) in platforms.iter().enumerate() {
            place(&mut bytes, list + 4 * i);
            bytes.extend((platform.len() as u32).to_le_bytes());
            bytes.extend(platform.as_bytes());
        }
        bytes
    }

    #[test]
    fn finds_the_program_and_survives_damage() {
        let bytes = exported(b"ML\xEFRabc", &["cpu", "cuda"]);
        assert!(Exported::may_begin(&bytes));
        let found = Exported::of(&bytes).expect("it is whole");
        assert_eq!(&bytes[found.module.clone()], b"ML\xEFRabc");
        assert_eq!(found.platforms, ["cpu", "cuda"]);
        for n in 0..bytes.len() {
            assert_eq!(Exported::of(&bytes[..n]), None);
            for value in [0, 1, 0x7f, 0xff] {
                let mut other = bytes.clone();
                other[n] = value;
                let _ = Exported::of(&other);
            }
        }
    }
}
