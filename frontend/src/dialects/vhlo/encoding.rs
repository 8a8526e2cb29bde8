//! The encoding in bytecode: a code (`tables.rs`) and what a type or attribute consists of.

use std::sync::Arc;

use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::bytecode_interface::{
    BytecodeDialectInterface, DialectBytecodeReader, DialectBytecodeWriter, Result,
};
use crate::ir::context::Context;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::dense;
use crate::syntax::parser::{parse_attr_text, parse_type_text};
use crate::syntax::printer::{attr_to_string, type_to_string};

use super::quantized::Quantized;
use super::records::{self, Value};
use super::spelling::{future_body, future_type, plain_type};
use super::tables::{
    ENUMERATIONS, FieldKind, PLAIN_TYPES, RECORDS, Record, attr_codes, type_codes,
};
use super::{DIALECT, spelled_attr, spelled_type, unspelled_attr, unspelled_type};

/// The encoding of the dialect.
pub(super) static ENCODING: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute: |reader| {
        let of = read_attr(reader)?;
        let context = reader.context();
        let dialect = context.intern_name(DIALECT.namespace);
        Ok(context.intern_attr(AttrKind::Spelled { dialect, of }))
    },
    read_type: |reader| {
        let of = read_type(reader)?;
        let context = reader.context();
        let dialect = context.intern_name(DIALECT.namespace);
        Ok(context.intern_type(TypeKind::Spelled { dialect, of }))
    },
    write_attribute,
    write_type,
    ..BytecodeDialectInterface::BASE
};

// Types.

/// Reads the number of a type, and gives what that stands for.
fn inner_type(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let ty = reader.read_type()?;
    Ok(unspelled_type(reader.context(), ty))
}

fn inner_types(reader: &mut dyn DialectBytecodeReader) -> Result<Vec<Type>> {
    let n = reader.read_count()?;
    (0..n).map(|_| inner_type(reader)).collect()
}

fn inner_attr(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let attr = reader.read_attribute()?;
    Ok(unspelled_attr(reader.context(), attr))
}

fn numbers(reader: &mut dyn DialectBytecodeReader) -> Result<Vec<i64>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_signed_var_int()).collect()
}

fn float(reader: &mut dyn DialectBytecodeReader) -> Result<f64> {
    let limbs = reader.read_ap_int(64)?;
    Ok(f64::from_bits(limbs.first().copied().unwrap_or(0)))
}

fn read_type(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    if let Some(row) = PLAIN_TYPES.iter().find(|row| row.code == code) {
        return Ok(super::type_of_text(context, row.of));
    }
    let kind = match code {
        type_codes::COMPLEX => TypeKind::Complex(inner_type(reader)?),
        type_codes::FUNCTION => TypeKind::Function {
            inputs: inner_types(reader)?.into(),
            results: inner_types(reader)?.into(),
        },
        type_codes::TENSOR | type_codes::ENCODED_TENSOR => {
            let encoding = match code == type_codes::ENCODED_TENSOR {
                true => Some(inner_attr(reader)?),
                false => None,
            };
            TypeKind::RankedTensor {
                shape: numbers(reader)?.into(),
                element: inner_type(reader)?,
                encoding,
            }
        }
        type_codes::TUPLE => TypeKind::Tuple(inner_types(reader)?.into()),
        type_codes::UNRANKED_TENSOR => TypeKind::UnrankedTensor(inner_type(reader)?),
        type_codes::BUFFER => {
            let shape = numbers(reader)?;
            let element = inner_type(reader)?;
            return Ok(super::buffer_type(context, shape, element));
        }
        type_codes::FUTURE => {
            let types = inner_types(reader)?;
            return Ok(future_type(context, &types));
        }
        type_codes::QUANTIZED | type_codes::QUANTIZED_PER_AXIS => {
            return read_quantized(code == type_codes::QUANTIZED_PER_AXIS, reader);
        }
        code => return Err(format!("unknown vhlo type code: {code}").into()),
    };
    let is_tensor = matches!(
        kind,
        TypeKind::RankedTensor { .. } | TypeKind::Complex(_) | TypeKind::UnrankedTensor(_)
    );
    let ty = context.intern_type(kind);
    match is_tensor {
        // The rules of types are the text's.
        true => Ok(parse_type_text(context, &type_to_string(context, ty))?),
        false => Ok(ty),
    }
}

fn read_quantized(per_axis: bool, reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let context = &Arc::clone(reader.context());
    let flags = reader.read_var_int()?;
    let (storage, expressed) = (inner_type(reader)?, inner_type(reader)?);
    let Some(width) = context.integer_width(storage) else {
        return Err("invalid UniformQuantizedType".into());
    };
    let mut quantized = Quantized {
        flags,
        width,
        expressed: type_to_string(context, expressed),
        axis: None,
        scales: Vec::new(),
        min: 0,
        max: 0,
    };
    if per_axis {
        quantized.axis = Some(reader.read_var_int()?);
    } else {
        let scale = float(reader)?;
        quantized
            .scales
            .push((scale, reader.read_signed_var_int()?));
    }
    quantized.min = reader.read_signed_var_int()?;
    quantized.max = reader.read_signed_var_int()?;
    if per_axis {
        let n = reader.read_count()?;
        let scales = (0..n)
            .map(|_| float(reader))
            .collect::<Result<Vec<f64>>>()?;
        quantized.scales = scales.into_iter().zip(numbers(reader)?).collect();
    }
    Ok(quantized.to_type(context))
}

fn write_inner_type(ty: Type, writer: &mut dyn DialectBytecodeWriter) {
    let ty = spelled_type(writer.context(), ty);
    writer.write_type(ty);
}

fn write_inner_types(types: &[Type], writer: &mut dyn DialectBytecodeWriter) {
    writer.write_var_int(types.len() as u64);
    for &ty in types {
        write_inner_type(ty, writer);
    }
}

fn write_inner_attr(attr: Attr, writer: &mut dyn DialectBytecodeWriter) {
    let attr = spelled_attr(writer.context(), attr);
    writer.write_attribute(attr);
}

fn write_numbers(numbers: &[i64], writer: &mut dyn DialectBytecodeWriter) {
    writer.write_var_int(numbers.len() as u64);
    for &number in numbers {
        writer.write_signed_var_int(number);
    }
}

fn write_float(number: f64, writer: &mut dyn DialectBytecodeWriter) {
    writer.write_ap_int(&[number.to_bits()], 64);
}

fn write_type(ty: Type, writer: &mut dyn DialectBytecodeWriter) -> bool {
    let context = &Arc::clone(writer.context());
    let TypeKind::Spelled { of, .. } = context.type_kind(ty) else {
        return false;
    };
    if let Some(row) = plain_type(context, *of) {
        writer.write_var_int(row.code);
        return true;
    }
    match context.type_kind(*of) {
        TypeKind::Complex(part) => {
            writer.write_var_int(type_codes::COMPLEX);
            write_inner_type(*part, writer);
        }
        TypeKind::Function { inputs, results } => {
            writer.write_var_int(type_codes::FUNCTION);
            write_inner_types(inputs, writer);
            write_inner_types(results, writer);
        }
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            match encoding {
                Some(encoding) => {
                    writer.write_var_int(type_codes::ENCODED_TENSOR);
                    write_inner_attr(*encoding, writer);
                }
                None => writer.write_var_int(type_codes::TENSOR),
            }
            write_numbers(shape, writer);
            write_inner_type(*element, writer);
        }
        TypeKind::Tuple(types) => {
            writer.write_var_int(type_codes::TUPLE);
            write_inner_types(types, writer);
        }
        TypeKind::UnrankedTensor(element) => {
            writer.write_var_int(type_codes::UNRANKED_TENSOR);
            write_inner_type(*element, writer);
        }
        TypeKind::MemRef(memref) => {
            writer.write_var_int(type_codes::BUFFER);
            write_numbers(&memref.shape, writer);
            write_inner_type(memref.element, writer);
        }
        _ => {
            if let Some(body) = future_body(context, *of) {
                let types = records::split_list(body).into_iter();
                let types = types.map(|ty| parse_type_text(context, ty));
                let Ok(types) = types.collect::<std::result::Result<Vec<Type>, _>>() else {
                    return false;
                };
                writer.write_var_int(type_codes::FUTURE);
                write_inner_types(&types, writer);
            } else if let Some(quantized) = Quantized::of(context, *of) {
                write_quantized(&quantized, writer);
            } else {
                return false;
            }
        }
    }
    true
}

fn write_quantized(quantized: &Quantized, writer: &mut dyn DialectBytecodeWriter) {
    let (storage, expressed) = quantized.types(&Arc::clone(writer.context()));
    writer.write_var_int(match quantized.axis {
        Some(_) => type_codes::QUANTIZED_PER_AXIS,
        None => type_codes::QUANTIZED,
    });
    writer.write_var_int(quantized.flags);
    write_inner_type(storage, writer);
    write_inner_type(expressed, writer);
    match (quantized.axis, &quantized.scales[..]) {
        (None, &[(scale, zero), ..]) => {
            write_float(scale, writer);
            writer.write_signed_var_int(zero);
        }
        (axis, _) => writer.write_var_int(axis.unwrap_or(0)),
    }
    writer.write_signed_var_int(quantized.min);
    writer.write_signed_var_int(quantized.max);
    if quantized.axis.is_some() {
        writer.write_var_int(quantized.scales.len() as u64);
        for scale in &quantized.scales {
            write_float(scale.0, writer);
        }
        let zeros: Vec<i64> = quantized.scales.iter().map(|scale| scale.1).collect();
        write_numbers(&zeros, writer);
    }
}

// Attributes.

fn read_attr(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    if let Some(row) = ENUMERATIONS.iter().find(|row| row.code == code) {
        let number = reader.read_var_int()?;
        let index = usize::try_from(number.wrapping_sub(row.first));
        let Some(word) = index.ok().and_then(|index| row.words.get(index)) else {
            return Err(format!("unknown number of {}: {number}", row.mnemonic).into());
        };
        return Ok(records::enumeration_attr(context, row, word));
    }
    if let Some(row) = RECORDS.iter().find(|row| row.code == code) {
        return read_record(row, reader);
    }
    let kind = match code {
        attr_codes::ARRAY => {
            let n = reader.read_count()?;
            let elements = (0..n).map(|_| inner_attr(reader));
            AttrKind::Array(elements.collect::<Result<_>>()?)
        }
        attr_codes::BOOLEAN => match reader.read_var_int()? {
            0 => return Ok(Attr::FALSE),
            1 => return Ok(Attr::TRUE),
            value => return Err(format!("unsupported value: {value}").into()),
        },
        attr_codes::DICTIONARY => {
            let n = reader.read_count()?;
            let mut entries = Vec::with_capacity(n);
            for _ in 0..n {
                let (key, value) = (inner_attr(reader)?, inner_attr(reader)?);
                let Some(key) = context.attr_string(key).filter(|key| !key.is_empty()) else {
                    return Err("expected VHLO key attribute".into());
                };
                let key = context.intern_name(key);
                if entries.iter().any(|entry: &(_, _)| entry.0 == key) {
                    let key = context.name(key);
                    return Err(format!("duplicate key '{key}' in dictionary attribute").into());
                }
                entries.push((key, value));
            }
            AttrKind::Dictionary(context.intern_dict(entries))
        }
        attr_codes::FLOAT => {
            let ty = inner_type(reader)?;
            let Some(kind) = context.float_kind(ty) else {
                let text = type_to_string(context, ty);
                return Err(format!("unsupported floating-point type: {text}").into());
            };
            let limbs = reader.read_ap_int(u64::from(kind.width()))?;
            let bits = u128::from(limbs.first().copied().unwrap_or(0));
            AttrKind::Float { ty, bits }
        }
        attr_codes::INTEGER => {
            let ty = inner_type(reader)?;
            let Some(width) = context.integer_width(ty).filter(|width| *width <= 64) else {
                let text = type_to_string(context, ty);
                return Err(format!("unsupported integer type: {text}").into());
            };
            let limbs = reader.read_ap_int(u64::from(width))?;
            let bits = limbs.first().copied().unwrap_or(0);
            return Ok(context.integer_attr(ty, i128::from(bits)));
        }
        attr_codes::STRING => AttrKind::String(reader.read_string()?),
        attr_codes::TENSOR => return read_tensor(reader),
        attr_codes::TYPE => AttrKind::Type(inner_type(reader)?),
        code => return Err(format!("unknown vhlo attribute code: {code}").into()),
    };
    Ok(context.intern_attr(kind))
}

fn read_record(row: &Record, reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let mut fields = Vec::with_capacity(row.fields.len());
    for &(name, kind) in row.fields {
        let attr = match kind {
            FieldKind::Attr => Some(inner_attr(reader)?),
            FieldKind::OptionalAttr => {
                let attr = reader.read_optional_attribute()?;
                attr.map(|attr| unspelled_attr(reader.context(), attr))
            }
            FieldKind::SubAxis => match reader.read_var_int()? {
                0 => None,
                _ => Some(inner_attr(reader)?),
            },
            _ => None,
        };
        let value = match kind {
            FieldKind::Integer => Value::Integer(reader.read_signed_var_int()?),
            FieldKind::Integers => Value::Integers(numbers(reader)?),
            FieldKind::Float => Value::Float(float(reader)?),
            FieldKind::Attr | FieldKind::OptionalAttr | FieldKind::SubAxis => {
                let text = attr.map(|attr| attr_to_string(reader.context(), attr));
                text.map_or(Value::Missing, Value::Text)
            }
        };
        fields.push((name, value));
    }
    Ok(records::record_attr(reader.context(), row, &fields))
}

fn read_tensor(reader: &mut dyn DialectBytecodeReader) -> Result<Attr> {
    let context = &Arc::clone(reader.context());
    let ty = inner_type(reader)?;
    let mut raw = reader.read_blob()?;
    let text = || type_to_string(context, ty);
    let shape = context.shape(ty).unwrap_or_default();
    let is_static = shape.iter().all(|&size| size >= 0);
    if context.shape(ty).is_none() || !is_static {
        let message = format!("elements need a shaped type of static shape: '{}'", text());
        return Err(message.into());
    }
    let element = context.element_type_or_self(ty);
    let sizes = shape.iter().map(|&size| size as u64);
    let n = sizes.fold(1, u64::saturating_mul);
    // Booleans of older programs have a byte each.
    let is_in_bytes = raw.len() as u64 == n && n != n.div_ceil(8) && element == Type::I1;
    let elements = if is_in_bytes {
        let bytes: Vec<u8> = raw.iter().map(|&byte| u8::from(byte != 0)).collect();
        Some((bytes.into(), false))
    } else {
        // One byte for all, of which one bit counts.
        if element == Type::I1 && raw.len() == 1 && raw[0] != 0 && n == 1 {
            raw = vec![1].into();
        }
        let n_stored = match n == 0 && !raw.is_empty() {
            true => 1,
            false => n,
        };
        let elements = dense::from_blob(context, element, n_stored, raw);
        elements.map(|(bytes, splat)| (bytes, splat || n == 0))
    };
    let Some((bytes, splat)) = elements else {
        let message = format!(
            "elements data size is invalid for provided type: '{}'",
            text()
        );
        return Err(message.into());
    };
    match splat && n > 0 {
        true => {
            Ok(context.intern_attr(AttrKind::DenseElements(DenseElements { ty, splat, bytes })))
        }
        false => {
            let size = dense::element_bytes(context, element);
            Ok(dense::dense_attr(context, ty, bytes, size))
        }
    }
}

fn write_attribute(attr: Attr, writer: &mut dyn DialectBytecodeWriter) -> bool {
    let context = &Arc::clone(writer.context());
    let AttrKind::Spelled { of, .. } = context.attr_kind(attr) else {
        return false;
    };
    if let Some((row, number)) = records::enumeration_of(context, *of) {
        writer.write_var_int(row.code);
        writer.write_var_int(row.first + number as u64);
        return true;
    }
    if let Some((row, values)) = records::record_of(context, *of) {
        return write_record(row, &values, writer);
    }
    match context.attr_kind(*of) {
        AttrKind::Array(elements) => {
            writer.write_var_int(attr_codes::ARRAY);
            writer.write_var_int(elements.len() as u64);
            for &element in elements {
                write_inner_attr(element, writer);
            }
        }
        AttrKind::Integer { ty, value } if *ty == Type::I1 => {
            writer.write_var_int(attr_codes::BOOLEAN);
            writer.write_var_int(u64::from(*value != 0));
        }
        AttrKind::Dictionary(dict) => {
            let entries = context.dict(*dict);
            writer.write_var_int(attr_codes::DICTIONARY);
            writer.write_var_int(entries.len() as u64);
            for &(name, value) in entries {
                write_inner_attr(context.string_attr(context.name(name)), writer);
                write_inner_attr(value, writer);
            }
        }
        AttrKind::Float { ty, bits } => {
            let width = context.float_kind(*ty).map_or(64, |kind| kind.width());
            writer.write_var_int(attr_codes::FLOAT);
            write_inner_type(*ty, writer);
            writer.write_ap_int(&[*bits as u64], u64::from(width));
        }
        AttrKind::Integer { ty, value } => {
            let width = u64::from(context.integer_width(*ty).unwrap_or(64));
            let mask = u64::MAX >> (64 - width.clamp(1, 64));
            writer.write_var_int(attr_codes::INTEGER);
            write_inner_type(*ty, writer);
            writer.write_ap_int(&[*value as u64 & mask], width);
        }
        AttrKind::String(bytes) => {
            writer.write_var_int(attr_codes::STRING);
            writer.write_string(bytes);
        }
        AttrKind::DenseElements(elements) => write_tensor(context, elements, writer),
        AttrKind::Type(ty) => {
            writer.write_var_int(attr_codes::TYPE);
            write_inner_type(*ty, writer);
        }
        _ => return false,
    }
    true
}

fn write_record(row: &Record, values: &[Value], writer: &mut dyn DialectBytecodeWriter) -> bool {
    let context = &Arc::clone(writer.context());
    let mut parts = Vec::with_capacity(values.len());
    for ((_, kind), value) in row.fields.iter().zip(values) {
        let attr = match value {
            Value::Text(text) => {
                let text = match kind {
                    FieldKind::SubAxis => records::sub_axis_text(text),
                    // A symbol is a string here.
                    _ => match text.strip_prefix('@') {
                        Some(name) => format!("\"{}\"", name.trim_matches('"')),
                        None => text.clone(),
                    },
                };
                match parse_attr_text(context, &text) {
                    Ok(attr) => Some(attr),
                    Err(_) => return false,
                }
            }
            _ => None,
        };
        parts.push((*kind, value, attr));
    }
    writer.write_var_int(row.code);
    for (kind, value, attr) in parts {
        match value {
            Value::Integer(number) => writer.write_signed_var_int(*number),
            Value::Integers(numbers) => write_numbers(numbers, writer),
            Value::Float(number) => write_float(*number, writer),
            Value::Text(_) | Value::Missing => match (kind, attr) {
                (FieldKind::SubAxis, None) => writer.write_var_int(0),
                (FieldKind::SubAxis, Some(attr)) => {
                    writer.write_var_int(1);
                    write_inner_attr(attr, writer);
                }
                (FieldKind::OptionalAttr, attr) => {
                    let attr = attr.map(|attr| spelled_attr(context, attr));
                    writer.write_optional_attribute(attr);
                }
                (_, Some(attr)) => write_inner_attr(attr, writer),
                (_, None) => write_inner_attr(context.string_attr(""), writer),
            },
        }
    }
    true
}

fn write_tensor(
    context: &Arc<Context>,
    elements: &DenseElements,
    writer: &mut dyn DialectBytecodeWriter,
) {
    let element = context.element_type_or_self(elements.ty);
    let bytes = match element {
        Type::I1 if elements.splat => {
            let is_true = elements.bytes.first().is_some_and(|byte| byte & 1 == 1);
            let sizes = context.shape(elements.ty).unwrap_or_default();
            let is_one = sizes.iter().all(|&size| size == 1);
            vec![match (is_true, is_one) {
                (true, true) => 1,
                (true, false) => 0xff,
                (false, _) => 0,
            }]
            .into()
        }
        _ => dense::to_shared_blob(context, element, &elements.bytes),
    };
    writer.write_var_int(attr_codes::TENSOR);
    write_inner_type(elements.ty, writer);
    writer.write_blob(bytes);
}
