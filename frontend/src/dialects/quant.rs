//! The types of the `quant` dialect in bytecode: numbers that are stored as smaller ones. They become the text that they
//! are written as, which is what text gives; operations are not known.

use std::sync::Arc;

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::bytecode_interface::{BytecodeDialectInterface, DialectBytecodeReader, Result};
use crate::ir::context::Context;
use crate::ir::op_def::DialectDef;
use crate::ir::types::{FloatKind, Type, TypeKind};
use crate::syntax::printer::{float_to_string, type_to_string};

/// The flag of signed storage.
const SIGNED: u64 = 1;

/// Codes of types.
mod codes {
    pub(super) const ANY: u64 = 1;
    pub(super) const ANY_EXPRESSED: u64 = 2;
    pub(super) const CALIBRATED: u64 = 3;
    pub(super) const UNIFORM: u64 = 4;
    pub(super) const UNIFORM_PER_AXIS: u64 = 5;
    pub(super) const UNIFORM_SUB_CHANNEL: u64 = 6;
}

static BYTECODE: BytecodeDialectInterface = BytecodeDialectInterface {
    read_type,
    ..BytecodeDialectInterface::BASE
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "quant",
    is_open: true,
    type_body: Some(written_body),
    bytecode: Some(&BYTECODE),
    ..DialectDef::BASE
};

/// The text of a type with its scales as they are printed: `0.5` and `5.000000e-01` are the same.
fn written_body(_: &Arc<Context>, text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = match first.is_ascii_digit() {
            true => number_at(rest),
            false if is_in_name(first) => rest.split(|c| !is_in_name(c)).next()?,
            false => &rest[..first.len_utf8()],
        };
        let scale = word.parse().ok().filter(|_: &f64| word.contains('.'));
        match scale {
            Some(scale) => {
                written.push_str(&float_to_string(FloatKind::F64, scale.to_bits().into()))
            }
            None => written.push_str(word),
        }
        rest = &rest[word.len()..];
    }
    Some(written)
}

/// The number that a text begins with.
fn number_at(text: &str) -> &str {
    let bytes = text.as_bytes();
    let is_part = |at: usize| match bytes[at] {
        b'0'..=b'9' | b'.' | b'e' | b'E' => true,
        b'+' | b'-' => at > 0 && matches!(bytes[at - 1], b'e' | b'E'),
        _ => false,
    };
    let end = (0..bytes.len()).find(|&at| !is_part(at));
    &text[..end.unwrap_or(bytes.len())]
}

/// How scales are printed.
pub(super) fn scale_to_string(scale: f64, zero: i64) -> String {
    scale_text(
        &float_to_string(FloatKind::F64, scale.to_bits().into()),
        zero,
    )
}

fn read_type(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    let body = match code {
        codes::ANY => {
            let flags = reader.read_var_int()?;
            let storage = reader.read_type()?;
            format!("any<{}>", stored(context, flags, storage, reader)?)
        }
        codes::ANY_EXPRESSED => {
            let [storage, expressed] = read_types(context, reader, |_| Ok(()))?.0;
            format!("any<{storage}:{expressed}>")
        }
        codes::CALIBRATED => {
            let expressed = reader.read_type()?;
            let expressed = type_to_string(context, expressed);
            let (min, max) = (read_float(reader)?, read_float(reader)?);
            format!("calibrated<{expressed}<{min}:{max}>>")
        }
        codes::UNIFORM => {
            let ([storage, expressed], scale) = read_types(context, reader, |reader| {
                Ok(scale_text(
                    &read_float(reader)?,
                    reader.read_signed_var_int()?,
                ))
            })?;
            format!("uniform<{storage}:{expressed}, {scale}>")
        }
        codes::UNIFORM_PER_AXIS => {
            let ([storage, expressed], axis) =
                read_types(context, reader, |reader| reader.read_var_int())?;
            let n = reader.read_count()?;
            let scales: Vec<String> = (0..n).map(|_| read_float(reader)).collect::<Result<_>>()?;
            let zeros = read_numbers(reader)?;
            if scales.len() != zeros.len() {
                return Err("scales and zero points differ in number".into());
            }
            let both = scales.iter().zip(zeros);
            let both: Vec<String> = both.map(|(scale, zero)| scale_text(scale, zero)).collect();
            format!(
                "uniform<{storage}:{expressed}:{axis}, {{{}}}>",
                both.join(",")
            )
        }
        codes::UNIFORM_SUB_CHANNEL => {
            let [storage, expressed] = read_types(context, reader, |_| Ok(()))?.0;
            let (dims, blocks) = (read_numbers(reader)?, read_numbers(reader)?);
            if dims.len() != blocks.len() {
                return Err("quantized dimensions and block sizes differ in number".into());
            }
            let blocks = dims.iter().zip(blocks);
            let blocks: Vec<String> = blocks.map(|(dim, size)| format!("{dim}:{size}")).collect();
            let (scales, zeros) = (reader.read_attribute()?, reader.read_attribute()?);
            let scales = scales_by_block(context, scales, zeros)
                .ok_or("scales and zero points are no such constants")?;
            format!(
                "uniform<{storage}:{expressed}:{{{}}}, {scales}>",
                blocks.join(", ")
            )
        }
        code => return Err(format!("unknown quant type code: {code}").into()),
    };
    Ok(context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("quant"),
        body: body.into(),
    }))
}

/// The stored type, the expressed type, and what `between` reads between these and the bounds of stored integers.
fn read_types<T>(
    context: &Context,
    reader: &mut dyn DialectBytecodeReader,
    between: impl FnOnce(&mut dyn DialectBytecodeReader) -> Result<T>,
) -> Result<([String; 2], T)> {
    let flags = reader.read_var_int()?;
    let (storage, expressed) = (reader.read_type()?, reader.read_type()?);
    let between = between(reader)?;
    let storage = stored(context, flags, storage, reader)?;
    Ok(([storage, type_to_string(context, expressed)], between))
}

/// `i8<-127:127>`, with bounds if they are not those of the type.
fn stored(
    context: &Context,
    flags: u64,
    storage: Type,
    reader: &mut dyn DialectBytecodeReader,
) -> Result<String> {
    let bounds = (reader.read_signed_var_int()?, reader.read_signed_var_int()?);
    let is_signed = flags & SIGNED != 0;
    let width = context.integer_width(storage);
    let Some(width @ 1..=32) = width else {
        return Err("what is stored is no integer of up to 32 bits".into());
    };
    let whole = match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    };
    let letter = if is_signed { 'i' } else { 'u' };
    Ok(match bounds == whole {
        true => format!("{letter}{width}"),
        false => format!("{letter}{width}<{}:{}>", bounds.0, bounds.1),
    })
}

fn read_numbers(reader: &mut dyn DialectBytecodeReader) -> Result<Vec<i64>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_signed_var_int()).collect()
}

fn read_float(reader: &mut dyn DialectBytecodeReader) -> Result<String> {
    let limbs = reader.read_ap_int(64)?;
    let bits = limbs.first().copied().unwrap_or(0);
    Ok(float_to_string(FloatKind::F64, bits.into()))
}

/// `5.000000e-01:3`
fn scale_text(scale: &str, zero: i64) -> String {
    match zero {
        0 => scale.to_owned(),
        _ => format!("{scale}:{zero}"),
    }
}

/// `{{1.000000e+00, 2.000000e+00}, {5.000000e-01:3, 2.500000e-01}}`
fn scales_by_block(context: &Context, scales: Attr, zeros: Attr) -> Option<String> {
    let (scales, zeros) = (constant(context, scales)?, constant(context, zeros)?);
    let TypeKind::Float(kind) = context.type_kind(scales.element) else {
        return None;
    };
    if scales.shape != zeros.shape {
        return None;
    }
    let n: usize = scales.shape.iter().map(|&size| size as usize).product();
    // A constant whose elements are all alike stores one, and may claim any number of blocks.
    const MAX_BLOCKS_ALIKE: usize = 1 << 12;
    if n > MAX_BLOCKS_ALIKE
        .max(scales.elements.len())
        .max(zeros.elements.len())
    {
        return None;
    }
    let width = context.integer_width(zeros.element).filter(|&n| n > 0)?;
    let mut texts: Vec<String> = (0..n)
        .map(|i| {
            let unused = 128 - width.min(128);
            let zero = ((zeros.at(i) << unused) as i128 >> unused) as i64;
            scale_text(&float_to_string(*kind, scales.at(i)), zero)
        })
        .collect();
    for &size in scales.shape.iter().rev() {
        let rows = texts.chunks(size as usize);
        texts = rows.map(|row| format!("{{{}}}", row.join(", "))).collect();
    }
    texts.pop()
}

/// The elements of a constant, as bits: all, or one that is all of them.
struct Constant<'c> {
    shape: &'c [i64],
    element: Type,
    elements: Vec<u128>,
}

impl Constant<'_> {
    fn at(&self, i: usize) -> u128 {
        let last = self.elements.len() - 1;
        self.elements[i.min(last)]
    }
}

fn constant(context: &Context, attr: Attr) -> Option<Constant<'_>> {
    let AttrKind::DenseElements(dense) = context.attr_kind(attr) else {
        return None;
    };
    let shape = context.shape(dense.ty)?;
    let n = (shape.iter()).try_fold(1i64, |n, &size| n.checked_mul(size))?;
    let n = usize::try_from(n).ok().filter(|&n| n > 0)?;
    let n_stored = if dense.splat { 1 } else { n };
    let size = dense.bytes.len() / n_stored;
    if !(1..=16).contains(&size) || dense.bytes.len() != size * n_stored {
        return None;
    }
    let elements: Vec<u128> = (dense.bytes.chunks_exact(size))
        .map(|bytes| {
            let mut all = [0; 16];
            all[..size].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        })
        .collect();
    Some(Constant {
        shape,
        element: context.element_type_or_self(dense.ty),
        elements,
    })
}
