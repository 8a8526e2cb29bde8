//! How a dialect stores its attributes and types in MLIR bytecode, unless as text: functions in its
//! [`DialectDef`](super::op_def::DialectDef), and what these may ask of a reader and a writer.
//!
//! An encoding is, by custom, a code for the kind of attribute or type and what it consists of, numbers, strings
//! and references to others. What one side writes, the other one reads in the same order, to the end.

use std::sync::Arc;

use super::attrs::{Attr, AttrKind};
use super::bytes::Bytes;
use super::context::Context;
use super::data::Ir;
use super::location::Loc;
use super::types::Type;

/// Why bytecode cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl From<String> for Malformed {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Malformed {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

/// The outcome of reading.
pub type Result<T> = std::result::Result<T, Malformed>;

/// The encoding of a dialect.
#[derive(Debug)]
pub struct BytecodeDialectInterface {
    /// Reads an attribute. It may be one of another dialect: a newer one that this one stands for.
    pub read_attribute: fn(&mut dyn DialectBytecodeReader) -> Result<Attr>,
    /// Reads a type.
    pub read_type: fn(&mut dyn DialectBytecodeReader) -> Result<Type>,
    /// Writes an attribute, or nothing if it has no encoding: no is the outcome, and text is written.
    pub write_attribute: fn(Attr, &mut dyn DialectBytecodeWriter) -> bool,
    /// Writes a type, or nothing as above.
    pub write_type: fn(Type, &mut dyn DialectBytecodeWriter) -> bool,
    /// Looks at the version of the dialect that a file was written in, before anything else of the dialect is
    /// read: fails if it is one that cannot be read.
    pub check_version: fn(&[u64]) -> Result<()>,
    /// The version to write, if the dialect has versions. It may depend on the program.
    pub version: fn(&Ir) -> Option<Vec<u64>>,
}

impl BytecodeDialectInterface {
    /// Everything as text, and no versions. Encodings are written as changes to it.
    pub const BASE: Self = Self {
        read_attribute: |_| Err("unknown attribute code".into()),
        read_type: |_| Err("unknown type code".into()),
        write_attribute: |_, _| false,
        write_type: |_, _| false,
        check_version: |_| Ok(()),
        version: |_| None,
    };
}

/// The entry of an attribute or type that is being read.
pub trait DialectBytecodeReader {
    /// Where attributes and types are made.
    fn context(&self) -> &Arc<Context>;

    /// The version of the format.
    fn bytecode_version(&self) -> u64;

    /// The version of a dialect, if the file says it.
    fn dialect_version(&self, dialect: &str) -> Option<&[u64]>;

    /// A number that no other entry of the file was given.
    fn fresh_number(&mut self) -> u64;

    /// How many bytes are left of the entry.
    fn n_left(&self) -> usize;

    /// A byte.
    fn read_byte(&mut self) -> Result<u8>;

    /// A number.
    fn read_var_int(&mut self) -> Result<u64>;

    /// Bytes behind their number, which stay where they are in the file.
    fn read_blob(&mut self) -> Result<Bytes>;

    /// A string, in no encoding in particular.
    fn read_string(&mut self) -> Result<Arc<[u8]>>;

    /// An attribute.
    fn read_attribute(&mut self) -> Result<Attr>;

    /// An attribute that may be missing.
    fn read_optional_attribute(&mut self) -> Result<Option<Attr>>;

    /// A location.
    fn read_location(&mut self) -> Result<Loc>;

    /// A type.
    fn read_type(&mut self) -> Result<Type>;

    /// The key of a resource.
    fn read_resource_handle(&mut self) -> Result<Arc<str>>;

    /// A number with a sign.
    fn read_signed_var_int(&mut self) -> Result<i64> {
        let bits = self.read_var_int()?;
        Ok((bits >> 1 ^ (bits & 1).wrapping_neg()) as i64)
    }

    /// A number with a flag.
    fn read_var_int_with_flag(&mut self) -> Result<(u64, bool)> {
        let bits = self.read_var_int()?;
        Ok((bits >> 1, bits & 1 == 1))
    }

    /// How many things follow, each of which takes a byte or more.
    fn read_count(&mut self) -> Result<usize> {
        let n = self.read_var_int()?;
        self.check_count(n)
    }

    /// [`Self::read_count`] of a number that was read.
    fn check_count(&self, n: u64) -> Result<usize> {
        let n_left = self.n_left();
        match usize::try_from(n) {
            Ok(n) if n <= n_left => Ok(n),
            _ => {
                let message = format!("attempting to parse {n} bytes when only {n_left} remain");
                Err(message.into())
            }
        }
    }

    /// Text.
    fn read_text(&mut self) -> Result<Arc<str>> {
        let bytes = self.read_string()?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err("string is not valid UTF-8".into()),
        }
    }

    /// An integer of this many bits, 64 to a limb, the least significant one first.
    fn read_ap_int(&mut self, width: u64) -> Result<Vec<u64>> {
        let mask = |limb: u64, n_bits: u64| match n_bits {
            64.. => limb,
            n => limb & ((1 << n) - 1),
        };
        if width <= 8 {
            return Ok(vec![mask(u64::from(self.read_byte()?), width)]);
        }
        if width <= 64 {
            return Ok(vec![mask(self.read_signed_var_int()? as u64, width)]);
        }
        let n = self.read_count()?;
        let mut limbs = Vec::new();
        for i in 0..n as u64 {
            let limb = self.read_signed_var_int()? as u64;
            limbs.extend((i * 64 < width).then(|| mask(limb, width - i * 64)));
        }
        Ok(limbs)
    }
}

/// The entry of an attribute or type that is being written.
pub trait DialectBytecodeWriter {
    /// Where attributes and types are.
    fn context(&self) -> &Arc<Context>;

    /// The version of the format.
    fn bytecode_version(&self) -> u64;

    /// A byte.
    fn write_byte(&mut self, byte: u8);

    /// A number.
    fn write_var_int(&mut self, number: u64);

    /// Bytes behind their number, which are not copied.
    fn write_blob(&mut self, bytes: Bytes);

    /// A string.
    fn write_string(&mut self, bytes: &[u8]);

    /// An attribute.
    fn write_attribute(&mut self, attr: Attr);

    /// An attribute that may be missing.
    fn write_optional_attribute(&mut self, attr: Option<Attr>);

    /// A location.
    fn write_location(&mut self, loc: Loc);

    /// A type.
    fn write_type(&mut self, ty: Type);

    /// The key of a resource.
    fn write_resource_handle(&mut self, key: &Arc<str>);

    /// A string as an attribute.
    fn write_string_attribute(&mut self, bytes: &[u8]) {
        let attr = AttrKind::String(bytes.into());
        let attr = self.context().intern_attr(attr);
        self.write_attribute(attr);
    }

    /// A number with a sign.
    fn write_signed_var_int(&mut self, number: i64) {
        self.write_var_int((number << 1 ^ (number >> 63)) as u64);
    }

    /// A number with a flag.
    fn write_var_int_with_flag(&mut self, number: u64, flag: bool) {
        self.write_var_int(number << 1 | u64::from(flag));
    }

    /// An integer of this many bits, as [`DialectBytecodeReader::read_ap_int`] gives it.
    fn write_ap_int(&mut self, limbs: &[u64], width: u64) {
        let first = limbs.first().copied().unwrap_or(0);
        match width {
            ..=8 => self.write_byte(first as u8),
            9..=64 => self.write_signed_var_int(first as i64),
            _ => {
                let n = limbs.iter().rposition(|&limb| limb != 0).unwrap_or(0) + 1;
                self.write_var_int(n as u64);
                for i in 0..n {
                    self.write_signed_var_int(limbs.get(i).copied().unwrap_or(0) as i64);
                }
            }
        }
    }
}
