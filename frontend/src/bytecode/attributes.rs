//! The encoding of builtin's attributes and locations: a code and what it stands for.

use std::sync::Arc;

use super::cursor::text;
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::bytecode_interface::{DialectBytecodeReader, DialectBytecodeWriter, Result};
use crate::ir::context::Context;
use crate::ir::location::{Loc, LocKind};
use crate::ir::names::Name;
use crate::ir::types::{DYNAMIC, Signedness, Type, TypeKind};
use crate::syntax::dense;
use crate::syntax::parser::parse_attr_text;
use crate::syntax::printer::type_to_string;
use crate::syntax::wide_integers;

const ARRAY: u64 = 0;
const DICTIONARY: u64 = 1;
const STRING: u64 = 2;
const TYPED_STRING: u64 = 3;
const FLAT_SYMBOL_REF: u64 = 4;
const SYMBOL_REF: u64 = 5;
const TYPE: u64 = 6;
const UNIT: u64 = 7;
const INTEGER: u64 = 8;
const FLOAT: u64 = 9;
const CALL_SITE_LOC: u64 = 10;
pub(super) const FILE_LINE_COL_LOC: u64 = 11;
const FUSED_LOC: u64 = 12;
const FUSED_LOC_WITH_METADATA: u64 = 13;
const NAME_LOC: u64 = 14;
const UNKNOWN_LOC: u64 = 15;
const DENSE_RESOURCE: u64 = 16;
const DENSE_ARRAY: u64 = 17;
const DENSE_ELEMENTS: u64 = 18;
const DENSE_STRINGS: u64 = 19;
const SPARSE_ELEMENTS: u64 = 20;
const DISTINCT: u64 = 21;
pub(super) const FILE_LINE_COL_RANGE: u64 = 22;

/// Reads an attribute of builtin.
pub(super) fn read(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let kind = match reader.read_var_int()? {
        ARRAY => {
            let n = reader.read_count()?;
            let elements = (0..n).map(|_| reader.read_attribute());
            AttrKind::Array(elements.collect::<Result<_>>()?)
        }
        DICTIONARY => {
            let n = reader.read_count()?;
            let mut entries = Vec::with_capacity(n);
            for _ in 0..n {
                let name = name(reader)?;
                entries.push((name, reader.read_attribute()?));
            }
            let mut names: Vec<Name> = entries.iter().map(|entry| entry.0).collect();
            names.sort_unstable();
            if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                let message = format!(
                    "attribute '{}' occurs more than once in the attribute list",
                    context.name(pair[0])
                );
                return Err(message.into());
            }
            AttrKind::Dictionary(context.intern_dict(entries))
        }
        STRING => AttrKind::String(reader.read_string()?),
        TYPED_STRING => {
            let string = reader.read_string()?;
            match reader.read_type()? {
                Type::NONE => AttrKind::String(string),
                ty => AttrKind::TypedString(string, ty),
            }
        }
        FLAT_SYMBOL_REF => AttrKind::SymbolRef {
            root: string_attr(reader)?,
            nested: Box::new([]),
        },
        SYMBOL_REF => {
            let root = string_attr(reader)?;
            let n = reader.read_count()?;
            let mut nested = Vec::with_capacity(n);
            for _ in 0..n {
                let attr = reader.read_attribute()?;
                match context.attr_kind(attr) {
                    AttrKind::SymbolRef { root, nested: more } if more.is_empty() => {
                        nested.push(Arc::clone(root));
                    }
                    _ => return Err("expected mlir::FlatSymbolRefAttr".into()),
                }
            }
            AttrKind::SymbolRef {
                root,
                nested: nested.into(),
            }
        }
        TYPE => AttrKind::Type(reader.read_type()?),
        UNIT => AttrKind::Unit,
        INTEGER => {
            let ty = reader.read_type()?;
            return integer(ty, reader);
        }
        FLOAT => {
            let ty = reader.read_type()?;
            let TypeKind::Float(kind) = context.type_kind(ty) else {
                let text = type_to_string(context, ty);
                return Err(format!("expected mlir::FloatType, but got: {text}").into());
            };
            let width = kind.width();
            let limbs = reader.read_ap_int(u64::from(width))?;
            let bits = limbs.iter().rev();
            let bits = bits.fold(0, |bits: u128, &limb| bits << 64 | u128::from(limb));
            let bits = if width < 128 {
                bits & ((1 << width) - 1)
            } else {
                bits
            };
            AttrKind::Float { ty, bits }
        }
        CALL_SITE_LOC => {
            let callee = reader.read_location()?;
            let caller = reader.read_location()?;
            return Ok(loc_attr(context, LocKind::CallSite(callee, caller)));
        }
        FUSED_LOC => {
            let locs = locations(reader)?;
            return Ok(loc_attr(context, LocKind::Fused(None, locs)));
        }
        FUSED_LOC_WITH_METADATA => {
            let locs = locations(reader)?;
            let metadata = reader.read_attribute()?;
            return Ok(loc_attr(context, LocKind::Fused(Some(metadata), locs)));
        }
        NAME_LOC => {
            let name = string_attr(reader)?;
            let child = reader.read_location()?;
            return Ok(loc_attr(context, LocKind::Name(name, child)));
        }
        UNKNOWN_LOC => return Ok(context.intern_attr(AttrKind::Location(Loc::UNKNOWN))),
        DENSE_RESOURCE => {
            let ty = shaped(reader)?;
            let key = reader.read_resource_handle()?;
            AttrKind::DenseResource { ty, key }
        }
        DENSE_ARRAY => dense_array(reader)?,
        DENSE_ELEMENTS => {
            let ty = shaped(reader)?;
            let raw = reader.read_blob()?;
            let element = context.element_type_or_self(ty);
            let n = n_elements(context.shape(ty).unwrap_or_default());
            let is_numeric = matches!(
                context.type_kind(element),
                TypeKind::Integer { .. }
                    | TypeKind::Index
                    | TypeKind::Float(_)
                    | TypeKind::Complex(_)
            );
            let elements = match is_numeric {
                // An element that stands for all may stand for none.
                true if n == 0 && !raw.is_empty() => {
                    let one = dense::from_blob(context, element, 1, raw);
                    one.map(|(bytes, _)| (bytes, true))
                }
                true => dense::from_blob(context, element, n, raw),
                false => None,
            };
            let Some((bytes, splat)) = elements else {
                let text = type_to_string(context, ty);
                let message = format!("elements data size is invalid for provided type: '{text}'");
                return Err(message.into());
            };
            if !splat {
                let size = dense::element_bytes(context, element);
                return Ok(dense::dense_attr(context, ty, bytes, size));
            }
            AttrKind::DenseElements(DenseElements { ty, splat, bytes })
        }
        DENSE_STRINGS => {
            let ty = shaped(reader)?;
            let splat = reader.read_var_int()? != 0;
            let n = n_elements(context.shape(ty).unwrap_or_default());
            let n = reader.check_count(if splat { 1 } else { n })?;
            let strings = (0..n).map(|_| reader.read_string());
            let values = strings.collect::<Result<_>>()?;
            AttrKind::DenseStrings { ty, splat, values }
        }
        SPARSE_ELEMENTS => {
            let ty = shaped(reader)?;
            let (indices, values) = (reader.read_attribute()?, reader.read_attribute()?);
            // The rules of these are the text's.
            let kind = AttrKind::SparseElements {
                ty,
                indices,
                values,
            };
            let attr = context.intern_attr(kind);
            let is_dense = |attr| context.attr_dense(attr).is_some();
            if !is_dense(indices) || !is_dense(values) {
                return Err("expected mlir::DenseElementsAttr".into());
            }
            let text = crate::syntax::printer::attr_to_string(context, attr);
            return Ok(parse_attr_text(context, &text)?);
        }
        DISTINCT => AttrKind::Distinct(reader.fresh_number(), reader.read_attribute()?),
        code => return Err(format!("unknown builtin attribute code: {code}").into()),
    };
    Ok(context.intern_attr(kind))
}

fn loc_attr(context: &Context, kind: LocKind) -> Attr {
    let loc = context.intern_loc(kind);
    context.intern_attr(AttrKind::Location(loc))
}

fn locations(reader: &mut dyn DialectBytecodeReader) -> Result<Vec<Loc>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_location()).collect()
}

/// The text of a string attribute.
fn string_attr(reader: &mut dyn DialectBytecodeReader) -> Result<Arc<str>> {
    let attr = reader.read_attribute()?;
    match reader.context().attr_kind(attr) {
        AttrKind::String(bytes) => Ok(text(bytes)?.into()),
        _ => Err("expected mlir::StringAttr".into()),
    }
}

fn name(reader: &mut dyn DialectBytecodeReader) -> Result<Name> {
    let text = string_attr(reader)?;
    match text.is_empty() {
        true => Err("expected valid attribute name".into()),
        false => Ok(reader.context().intern_name(&text)),
    }
}

/// A shaped type with static shape.
fn shaped(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let ty = reader.read_type()?;
    match reader.context().shape(ty) {
        Some(shape) if !shape.contains(&DYNAMIC) => Ok(ty),
        Some(_) => Err("elements literal type must have static shape".into()),
        None => Err("elements literal must be a shaped type".into()),
    }
}

fn integer(ty: Type, reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let Some(width) = context.integer_width(ty) else {
        let text = type_to_string(context, ty);
        return Err(format!("expected integer or index type, but got: {text}").into());
    };
    let limbs = reader.read_ap_int(u64::from(width))?;
    let signedness = match context.type_kind(ty) {
        TypeKind::Integer { signedness, .. } => *signedness,
        _ => Signedness::Signless,
    };
    let is_unsigned = signedness == Signedness::Unsigned;
    let is_signed = signedness == Signedness::Signed;
    let has_high_bit = limbs.get(1).is_some_and(|limb| limb >> 63 == 1);
    if width <= 128 && !(is_unsigned && has_high_bit) {
        let bits = limbs.iter().rev();
        let bits = bits.fold(0, |bits: u128, &limb| bits << 64 | u128::from(limb));
        return Ok(context.integer_attr(ty, bits as i128));
    }
    let width = u64::from(width);
    let mut digits = String::new();
    if is_signed && wide_integers::n_bits(&limbs) == width {
        // The text of signed integers has a sign.
        digits.push('-');
        wide_integers::push_decimal(&mut digits, &wide_integers::complement(&limbs, width));
    } else {
        digits.push_str("0x0");
        for limb in limbs.iter().rev() {
            digits.push_str(&format!("{limb:016x}"));
        }
    }
    let text = format!("{digits} : {}", type_to_string(context, ty));
    Ok(parse_attr_text(context, &text)?)
}

fn dense_array(reader: &mut dyn DialectBytecodeReader) -> Result<AttrKind> {
    let context = &Arc::clone(reader.context());
    let element = reader.read_type()?;
    let n = reader.read_var_int()?;
    let bytes = reader.read_blob()?;
    let size = match context.type_kind(element) {
        TypeKind::Integer {
            width: width @ (1 | 8 | 16 | 32 | 64),
            ..
        } => width.div_ceil(8),
        TypeKind::Float(kind) if kind.width().is_multiple_of(8) => kind.width() / 8,
        _ => {
            let text = type_to_string(context, element);
            return Err(format!("invalid element type of a dense array: '{text}'").into());
        }
    };
    let is_bool = element == Type::I1;
    if n.checked_mul(u64::from(size)) != Some(bytes.len() as u64)
        || is_bool && bytes.iter().any(|&byte| byte > 1)
    {
        return Err("invalid data of a dense array".into());
    }
    Ok(AttrKind::DenseArray { element, bytes })
}

/// Saturating: no attribute has more elements than that.
fn n_elements(shape: &[i64]) -> u64 {
    let sizes = shape.iter().map(|&size| size.max(0) as u64);
    sizes.fold(1, u64::saturating_mul)
}

/// Writes an attribute of builtin, if there is an encoding for it.
pub(super) fn write(attr: Attr, writer: &mut dyn DialectBytecodeWriter) -> bool {
    let context = &Arc::clone(writer.context());
    match context.attr_kind(attr) {
        AttrKind::Unit => writer.write_var_int(UNIT),
        AttrKind::Integer { ty, value } => {
            let width = u64::from(context.integer_width(*ty).unwrap_or(64));
            let bits = *value as u128;
            let bits = if width < 128 {
                bits & ((1 << width) - 1)
            } else {
                bits
            };
            let mut limbs = vec![bits as u64, (bits >> 64) as u64];
            // Signs go on in integers of more than 128 bits.
            while *value < 0 && (limbs.len() as u64) * 64 < width {
                let n_bits = width - limbs.len() as u64 * 64;
                limbs.push(if n_bits < 64 {
                    (1 << n_bits) - 1
                } else {
                    u64::MAX
                });
            }
            writer.write_var_int(INTEGER);
            writer.write_type(*ty);
            writer.write_ap_int(&limbs, width);
        }
        AttrKind::WideInteger {
            ty,
            is_negative,
            magnitude,
        } => {
            let width = u64::from(context.integer_width(*ty).unwrap_or(64));
            let mut limbs = magnitude.to_vec();
            if *is_negative {
                limbs.resize(width.div_ceil(64) as usize, 0);
                limbs = wide_integers::complement(&limbs, width);
            }
            writer.write_var_int(INTEGER);
            writer.write_type(*ty);
            writer.write_ap_int(&limbs, width);
        }
        AttrKind::Float { ty, bits } => {
            let width = context.float_kind(*ty).map_or(64, |kind| kind.width());
            writer.write_var_int(FLOAT);
            writer.write_type(*ty);
            let limbs = [*bits as u64, (*bits >> 64) as u64];
            writer.write_ap_int(&limbs, u64::from(width));
        }
        AttrKind::String(bytes) => {
            writer.write_var_int(STRING);
            writer.write_string(bytes);
        }
        AttrKind::TypedString(bytes, ty) => {
            writer.write_var_int(TYPED_STRING);
            writer.write_string(bytes);
            writer.write_type(*ty);
        }
        AttrKind::Array(elements) => {
            writer.write_var_int(ARRAY);
            writer.write_var_int(elements.len() as u64);
            for &element in elements {
                writer.write_attribute(element);
            }
        }
        AttrKind::Dictionary(dict) => dictionary(context.dict(*dict), writer),
        AttrKind::Type(ty) => {
            writer.write_var_int(TYPE);
            writer.write_type(*ty);
        }
        AttrKind::SymbolRef { root, nested } => {
            writer.write_var_int(if nested.is_empty() {
                FLAT_SYMBOL_REF
            } else {
                SYMBOL_REF
            });
            writer.write_string_attribute(root.as_bytes());
            if !nested.is_empty() {
                writer.write_var_int(nested.len() as u64);
                for symbol in nested {
                    let attr = context.symbol_ref_attr(symbol);
                    writer.write_attribute(attr);
                }
            }
        }
        AttrKind::DenseElements(elements) => {
            let element = context.element_type_or_self(elements.ty);
            let bytes = match element {
                Type::I1 if elements.splat => {
                    let is_true = elements.bytes.first().is_some_and(|byte| byte & 1 == 1);
                    vec![if is_true { 0xff } else { 0 }].into()
                }
                _ => dense::to_shared_blob(context, element, &elements.bytes),
            };
            writer.write_var_int(DENSE_ELEMENTS);
            writer.write_type(elements.ty);
            writer.write_blob(bytes);
        }
        AttrKind::DenseStrings { ty, splat, values } => {
            writer.write_var_int(DENSE_STRINGS);
            writer.write_type(*ty);
            writer.write_var_int(u64::from(*splat));
            for value in values {
                writer.write_string(value);
            }
        }
        AttrKind::DenseResource { ty, key } => {
            writer.write_var_int(DENSE_RESOURCE);
            writer.write_type(*ty);
            writer.write_resource_handle(key);
        }
        AttrKind::SparseElements {
            ty,
            indices,
            values,
        } => {
            writer.write_var_int(SPARSE_ELEMENTS);
            writer.write_type(*ty);
            writer.write_attribute(*indices);
            writer.write_attribute(*values);
        }
        AttrKind::DenseArray { element, bytes } => {
            let size = dense::element_bytes(context, *element).max(1);
            writer.write_var_int(DENSE_ARRAY);
            writer.write_type(*element);
            writer.write_var_int((bytes.len() / size) as u64);
            writer.write_blob(bytes.clone());
        }
        AttrKind::Distinct(_, attr) => {
            writer.write_var_int(DISTINCT);
            writer.write_attribute(*attr);
        }
        AttrKind::Location(loc) => location(*loc, writer),
        AttrKind::AffineMap(_)
        | AttrKind::IntegerSet(_)
        | AttrKind::StridedLayout { .. }
        | AttrKind::Dialect { .. }
        | AttrKind::Spelled { .. } => return false,
    }
    true
}

/// Writes a dictionary.
fn dictionary(entries: &[(Name, Attr)], writer: &mut dyn DialectBytecodeWriter) {
    let context = &Arc::clone(writer.context());
    writer.write_var_int(DICTIONARY);
    writer.write_var_int(entries.len() as u64);
    for &(name, attr) in entries {
        writer.write_string_attribute(context.name(name).as_bytes());
        writer.write_attribute(attr);
    }
}

fn location(loc: Loc, writer: &mut dyn DialectBytecodeWriter) {
    let context = &Arc::clone(writer.context());
    match context.loc_kind(loc) {
        None => writer.write_var_int(UNKNOWN_LOC),
        Some(LocKind::File { file, line, column }) => {
            writer.write_var_int(FILE_LINE_COL_LOC);
            writer.write_string_attribute(file.as_bytes());
            writer.write_var_int(u64::from(*line));
            writer.write_var_int(u64::from(*column));
        }
        Some(LocKind::Name(name, child)) => {
            writer.write_var_int(NAME_LOC);
            writer.write_string_attribute(name.as_bytes());
            writer.write_location(*child);
        }
        Some(LocKind::CallSite(callee, caller)) => {
            writer.write_var_int(CALL_SITE_LOC);
            writer.write_location(*callee);
            writer.write_location(*caller);
        }
        Some(LocKind::Fused(metadata, locs)) => {
            writer.write_var_int(match metadata {
                Some(_) => FUSED_LOC_WITH_METADATA,
                None => FUSED_LOC,
            });
            writer.write_var_int(locs.len() as u64);
            for &loc in locs {
                writer.write_location(loc);
            }
            if let Some(metadata) = metadata {
                writer.write_attribute(*metadata);
            }
        }
    }
}
