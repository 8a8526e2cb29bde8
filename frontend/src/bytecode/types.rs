//! The encoding of builtin's types: a code and what it stands for.

use std::sync::Arc;

use crate::ir::affine::AffineMap;
use crate::ir::attrs::Attr;
use crate::ir::bytecode_interface::{DialectBytecodeReader, DialectBytecodeWriter, Result};
use crate::ir::types::{FloatKind, MemRefType, Signedness, Type, TypeKind};
use crate::ir::version::MlirVersion;
use crate::syntax::parser::parse_type_text;
use crate::syntax::printer::type_text_in;

const INTEGER: u64 = 0;
const INDEX: u64 = 1;
const FUNCTION: u64 = 2;
const FLOATS: [(FloatKind, u64); 6] = [
    (FloatKind::BF16, 3),
    (FloatKind::F16, 4),
    (FloatKind::F32, 5),
    (FloatKind::F64, 6),
    (FloatKind::F80, 7),
    (FloatKind::F128, 8),
];
/// Floats that newer versions of MLIR have codes for. Older ones read text, so they are written as that.
const NEWER_FLOATS: [(&str, u64); 12] = [
    ("tf32", 21),
    ("f8E5M2", 22),
    ("f8E4M3", 23),
    ("f8E4M3FN", 24),
    ("f8E5M2FNUZ", 25),
    ("f8E4M3FNUZ", 26),
    ("f8E4M3B11FNUZ", 27),
    ("f8E3M4", 28),
    ("f4E2M1FN", 29),
    ("f6E2M3FN", 30),
    ("f6E3M2FN", 31),
    ("f8E8M0FNU", 32),
];
const COMPLEX: u64 = 9;
const MEMREF: u64 = 10;
const MEMREF_IN_SPACE: u64 = 11;
const NONE: u64 = 12;
const TENSOR: u64 = 13;
const ENCODED_TENSOR: u64 = 14;
const TUPLE: u64 = 15;
const UNRANKED_MEMREF: u64 = 16;
const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
const UNRANKED_TENSOR: u64 = 18;
const VECTOR: u64 = 19;
const SCALABLE_VECTOR: u64 = 20;

/// Reads a type of builtin.
pub(super) fn read(reader: &mut dyn DialectBytecodeReader) -> Result<Type> {
    let context = &Arc::clone(reader.context());
    let code = reader.read_var_int()?;
    let kind = match code {
        INTEGER => {
            let bits = reader.read_var_int()?;
            TypeKind::Integer {
                width: u32::try_from(bits >> 2).unwrap_or(u32::MAX),
                signedness: match bits & 3 {
                    0 => Signedness::Signless,
                    1 => Signedness::Signed,
                    2 => Signedness::Unsigned,
                    _ => return Err("invalid signedness of an integer type".into()),
                },
            }
        }
        INDEX => return Ok(Type::INDEX),
        NONE => return Ok(Type::NONE),
        FUNCTION => TypeKind::Function {
            inputs: types(reader)?,
            results: types(reader)?,
        },
        TUPLE => TypeKind::Tuple(types(reader)?),
        COMPLEX => TypeKind::Complex(reader.read_type()?),
        MEMREF | MEMREF_IN_SPACE => {
            let space = match code == MEMREF_IN_SPACE {
                true => Some(reader.read_attribute()?),
                false => None,
            };
            TypeKind::MemRef(MemRefType {
                shape: shape(reader)?,
                element: reader.read_type()?,
                layout: Some(reader.read_attribute()?),
                space,
            })
        }
        TENSOR | ENCODED_TENSOR => {
            let encoding = match code == ENCODED_TENSOR {
                true => Some(reader.read_attribute()?),
                false => None,
            };
            TypeKind::RankedTensor {
                shape: shape(reader)?,
                element: reader.read_type()?,
                encoding,
            }
        }
        UNRANKED_MEMREF | UNRANKED_MEMREF_IN_SPACE => {
            let space = match code == UNRANKED_MEMREF_IN_SPACE {
                true => Some(reader.read_attribute()?),
                false => None,
            };
            let element = reader.read_type()?;
            TypeKind::UnrankedMemRef { element, space }
        }
        UNRANKED_TENSOR => TypeKind::UnrankedTensor(reader.read_type()?),
        VECTOR | SCALABLE_VECTOR => {
            let scalable = match code == SCALABLE_VECTOR {
                true => {
                    let n = reader.read_count()?;
                    let flags = (0..n).map(|_| Ok(reader.read_byte()? != 0));
                    Some(flags.collect::<Result<Box<[bool]>>>()?)
                }
                false => None,
            };
            let shape = shape(reader)?;
            let scalable = scalable.unwrap_or_else(|| vec![false; shape.len()].into());
            if scalable.len() != shape.len() {
                return Err("invalid number of scalable dimensions".into());
            }
            TypeKind::Vector {
                shape,
                scalable,
                element: reader.read_type()?,
            }
        }
        _ => match FLOATS.iter().find(|(_, known)| *known == code) {
            Some(&(kind, _)) => return Ok(context.intern_type(TypeKind::Float(kind))),
            None => match NEWER_FLOATS.iter().find(|(_, known)| *known == code) {
                Some((name, _)) => return Ok(parse_type_text(context, name)?),
                None => return Err(format!("unknown builtin type code: {code}").into()),
            },
        },
    };
    let ty = context.intern_type(kind);
    if matches!(code, FUNCTION | TUPLE) {
        return Ok(ty);
    }
    // The rules of types, and what is another way to write the same, are the text's.
    let text = type_text_in(context, ty, MlirVersion::V22);
    Ok(parse_type_text(context, &text)?)
}

fn types(reader: &mut dyn DialectBytecodeReader) -> Result<Box<[Type]>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_type()).collect()
}

fn shape(reader: &mut dyn DialectBytecodeReader) -> Result<Box<[i64]>> {
    let n = reader.read_count()?;
    (0..n).map(|_| reader.read_signed_var_int()).collect()
}

/// Writes a type of builtin, if there is an encoding for it.
pub(super) fn write(ty: Type, writer: &mut dyn DialectBytecodeWriter) -> bool {
    let context = &Arc::clone(writer.context());
    match context.type_kind(ty) {
        TypeKind::Integer { width, signedness } => {
            writer.write_var_int(INTEGER);
            let signedness = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            writer.write_var_int(u64::from(*width) << 2 | signedness);
        }
        TypeKind::Index => writer.write_var_int(INDEX),
        TypeKind::None => writer.write_var_int(NONE),
        TypeKind::Float(kind) => match FLOATS.iter().find(|(known, _)| known == kind) {
            Some((_, code)) => writer.write_var_int(*code),
            None => return false,
        },
        TypeKind::Complex(part) => {
            writer.write_var_int(COMPLEX);
            writer.write_type(*part);
        }
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => {
            let is_scalable = scalable.contains(&true);
            writer.write_var_int(if is_scalable { SCALABLE_VECTOR } else { VECTOR });
            if is_scalable {
                writer.write_var_int(scalable.len() as u64);
                for &flag in scalable {
                    writer.write_byte(u8::from(flag));
                }
            }
            write_shape(shape, writer);
            writer.write_type(*element);
        }
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            with_attr(*encoding, TENSOR, ENCODED_TENSOR, writer);
            write_shape(shape, writer);
            writer.write_type(*element);
        }
        TypeKind::UnrankedTensor(element) => {
            writer.write_var_int(UNRANKED_TENSOR);
            writer.write_type(*element);
        }
        TypeKind::MemRef(memref) => {
            with_attr(memref.space, MEMREF, MEMREF_IN_SPACE, writer);
            write_shape(&memref.shape, writer);
            writer.write_type(memref.element);
            let layout = memref
                .layout
                .unwrap_or_else(|| context.affine_map_attr(AffineMap::identity(memref.rank())));
            writer.write_attribute(layout);
        }
        TypeKind::UnrankedMemRef { element, space } => {
            with_attr(*space, UNRANKED_MEMREF, UNRANKED_MEMREF_IN_SPACE, writer);
            writer.write_type(*element);
        }
        TypeKind::Tuple(types) => {
            writer.write_var_int(TUPLE);
            write_types(types, writer);
        }
        TypeKind::Function { inputs, results } => {
            writer.write_var_int(FUNCTION);
            write_types(inputs, writer);
            write_types(results, writer);
        }
        TypeKind::Dialect { .. } | TypeKind::Spelled { .. } => return false,
    }
    true
}

fn with_attr(
    attr: Option<Attr>,
    code: u64,
    with_code: u64,
    writer: &mut dyn DialectBytecodeWriter,
) {
    match attr {
        Some(attr) => {
            writer.write_var_int(with_code);
            writer.write_attribute(attr);
        }
        None => writer.write_var_int(code),
    }
}

fn write_types(types: &[Type], writer: &mut dyn DialectBytecodeWriter) {
    writer.write_var_int(types.len() as u64);
    for &ty in types {
        writer.write_type(ty);
    }
}

fn write_shape(shape: &[i64], writer: &mut dyn DialectBytecodeWriter) {
    writer.write_var_int(shape.len() as u64);
    for &size in shape {
        writer.write_signed_var_int(size);
    }
}
