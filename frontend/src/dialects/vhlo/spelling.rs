//! The text of types and attributes. Those of VHLO are types and attributes of builtin and StableHLO in other words,
//! so each is kept as what it stands for, and spelled when it is written.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::op_def::Spelling;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::{attr_to_string, type_to_string};

use super::quantized::Quantized;
use super::records::{self, Value};
use super::tables::{ENUMERATIONS, FieldKind, PLAIN_TYPES, PlainType, RECORDS};
use super::{spelled_attr, spelled_type, unspelled_attr, unspelled_type};

/// How the dialect spells.
pub(super) static SPELLING: Spelling = Spelling {
    parse_type,
    print_type,
    parse_attr,
    print_attr,
};

// Types.

/// The row of a type without parameters.
pub(super) fn plain_type(context: &Context, ty: Type) -> Option<&'static PlainType> {
    let may_be_plain = matches!(
        context.type_kind(ty),
        TypeKind::Integer { .. }
            | TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::None
            | TypeKind::Dialect { .. }
    );
    let text = may_be_plain.then(|| type_to_string(context, ty))?;
    PLAIN_TYPES.iter().find(|row| row.of == text)
}

/// The types in `!stablehlo.future<...>`, as text.
pub(super) fn future_body(context: &Context, ty: Type) -> Option<&str> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    let is_own = context.name(*dialect) == "stablehlo";
    body.strip_prefix("future<")?
        .strip_suffix('>')
        .filter(|_| is_own)
}

/// `!stablehlo.future<...>` of these types.
pub(super) fn future_type(context: &Context, types: &[Type]) -> Type {
    let types: Vec<String> = types
        .iter()
        .map(|&ty| type_to_string(context, ty))
        .collect();
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("stablehlo"),
        body: format!("future<{}>", types.join(", ")).into(),
    })
}

/// Whether VHLO has a word for a type.
pub(super) fn spells_type(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Complex(_)
        | TypeKind::Function { .. }
        | TypeKind::RankedTensor { .. }
        | TypeKind::UnrankedTensor(_)
        | TypeKind::Tuple(_) => true,
        TypeKind::MemRef(memref) => memref.layout.is_none() && memref.space.is_none(),
        _ => {
            plain_type(context, ty).is_some()
                || future_body(context, ty).is_some()
                || Quantized::of(context, ty).is_some()
        }
    }
}

fn parse_type(p: &mut dyn OpAsmParser<'_>, mnemonic: &str) -> Result<Option<Type>, Failed> {
    let context = p.context();
    if let Some(row) = PLAIN_TYPES.iter().find(|row| row.mnemonic == mnemonic) {
        return Ok(Some(super::type_of_text(context, row.of)));
    }
    let parse: fn(&mut dyn OpAsmParser<'_>) -> Result<Type, Failed> = match mnemonic {
        "complex_v1" => |p| {
            let part = parse_inner(p)?;
            Ok(p.context().intern_type(TypeKind::Complex(part)))
        },
        "tensor_v1" => |p| {
            let shape = p.parse_dimension_list(true, true)?;
            let element = parse_inner(p)?;
            let encoding = match p.parse_opt_token(",") {
                true => {
                    let attr = p.parse_attr(None)?;
                    Some(unspelled_attr(p.context(), attr))
                }
                false => None,
            };
            Ok(p.context().intern_type(TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding,
            }))
        },
        "unranked_tensor_v1" => |p| {
            let element = parse_inner(p)?;
            Ok(p.context().intern_type(TypeKind::UnrankedTensor(element)))
        },
        "buffer_v1" => |p| {
            let shape = p.parse_dimension_list(true, true)?;
            let element = parse_inner(p)?;
            Ok(super::buffer_type(p.context(), shape, element))
        },
        "tuple_v1" => |p| {
            let types = parse_types(p)?;
            Ok(p.context().intern_type(TypeKind::Tuple(types.into())))
        },
        "future_v1" => |p| {
            let types = parse_types(p)?;
            Ok(future_type(p.context(), &types))
        },
        "func_v1" => |p| {
            // `((types) -> types)`, with `()` for none.
            p.parse_token("(")?;
            let inputs = parse_types(p)?;
            p.parse_token(")")?;
            p.parse_token("->")?;
            let results = parse_types(p)?;
            Ok(p.context().function_type(&inputs, &results))
        },
        "quant_v1" => |p| Quantized::parse(p, false),
        "quant_per_axis_v1" => |p| Quantized::parse(p, true),
        _ => return Ok(None),
    };
    p.parse_token("<")?;
    let ty = parse(p)?;
    p.parse_token(">")?;
    Ok(Some(ty))
}

/// Reads a type, and gives what it stands for.
pub(super) fn parse_inner(p: &mut dyn OpAsmParser<'_>) -> Result<Type, Failed> {
    let ty = p.parse_type()?;
    Ok(unspelled_type(p.context(), ty))
}

/// Reads types between commas, or `()`.
fn parse_types(p: &mut dyn OpAsmParser<'_>) -> Result<Vec<Type>, Failed> {
    let is_in_parens = p.parse_opt_token("(");
    if is_in_parens && p.parse_opt_token(")") {
        return Ok(Vec::new());
    }
    let mut types = Vec::new();
    if !p.peek_token(")") && !p.peek_token(">") {
        types.push(parse_inner(p)?);
        while p.parse_opt_token(",") {
            types.push(parse_inner(p)?);
        }
    }
    if is_in_parens {
        p.parse_token(")")?;
    }
    Ok(types)
}

/// Writes a type in the words of the dialect, or as it is if there are none.
pub(super) fn print_inner(p: &mut dyn OpAsmPrinter, context: &Context, ty: Type) {
    match spells_type(context, ty) {
        true => print_type(p, context, ty),
        false => p.ty(ty),
    }
}

fn print_types(p: &mut dyn OpAsmPrinter, context: &Context, types: &[Type]) {
    for (i, &ty) in types.iter().enumerate() {
        p.text(if i > 0 { ", " } else { "" });
        print_inner(p, context, ty);
    }
}

fn print_shape(p: &mut dyn OpAsmPrinter, shape: &[i64]) {
    p.dimension_list(shape);
    p.text(if shape.is_empty() { "" } else { "x" });
}

fn print_type(p: &mut dyn OpAsmPrinter, context: &Context, ty: Type) {
    if let Some(row) = plain_type(context, ty) {
        p.text("!vhlo.");
        p.text(row.mnemonic);
        return;
    }
    match context.type_kind(ty) {
        TypeKind::Complex(part) => {
            p.text("!vhlo.complex_v1<");
            print_inner(p, context, *part);
        }
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            p.text("!vhlo.tensor_v1<");
            print_shape(p, shape);
            print_inner(p, context, *element);
            if let Some(encoding) = encoding {
                p.text(", ");
                p.attr(spelled_attr(context, *encoding));
            }
        }
        TypeKind::UnrankedTensor(element) => {
            p.text("!vhlo.unranked_tensor_v1<");
            print_inner(p, context, *element);
        }
        TypeKind::MemRef(memref) => {
            p.text("!vhlo.buffer_v1<");
            print_shape(p, &memref.shape);
            print_inner(p, context, memref.element);
        }
        TypeKind::Tuple(types) => {
            p.text("!vhlo.tuple_v1<");
            print_types(p, context, types);
        }
        TypeKind::Function { inputs, results } => {
            p.text("!vhlo.func_v1<(");
            p.text(if inputs.is_empty() { "()" } else { "" });
            print_types(p, context, inputs);
            p.text(") -> ");
            p.text(if results.is_empty() { "()" } else { "" });
            print_types(p, context, results);
        }
        _ => {
            if let Some(quantized) = Quantized::of(context, ty) {
                quantized.print(p, context);
            } else if let Some(body) = future_body(context, ty) {
                p.text("!vhlo.future_v1<");
                p.text(&records::spelled_types(body));
            }
        }
    }
    p.text(">");
}

// Attributes.

/// Whether VHLO has a word for an attribute.
pub(super) fn spells_attr(context: &Context, attr: Attr) -> bool {
    match context.attr_kind(attr) {
        AttrKind::Integer { .. }
        | AttrKind::Float { .. }
        | AttrKind::String(_)
        | AttrKind::Array(_)
        | AttrKind::Dictionary(_)
        | AttrKind::DenseElements(_)
        | AttrKind::Type(_) => true,
        _ => {
            records::enumeration_of(context, attr).is_some()
                || records::record_of(context, attr).is_some()
        }
    }
}

fn parse_attr(p: &mut dyn OpAsmParser<'_>, mnemonic: &str) -> Result<Option<Attr>, Failed> {
    let context = p.context();
    if let Some(row) = ENUMERATIONS.iter().find(|row| row.mnemonic == mnemonic) {
        let loc = p.loc();
        let word = p.parse_any_keyword()?;
        let Some(&word) = row.words.iter().find(|known| **known == word) else {
            let message = format!("expected one of: {}", row.words.join(", "));
            return Err(p.report(loc, message));
        };
        return Ok(Some(records::enumeration_attr(context, row, word)));
    }
    let record = RECORDS.iter().find(|row| row.mnemonic == mnemonic);
    let is_known = record.is_some()
        || [
            "array_v1",
            "bool_v1",
            "dict_v1",
            "float_v1",
            "integer_v1",
            "string_v1",
            "tensor_v1",
            "type_v1",
        ]
        .contains(&mnemonic);
    if !is_known {
        return Ok(None);
    }
    p.parse_token("<")?;
    let attr = match mnemonic {
        "array_v1" => {
            let array = p.parse_attr(None)?;
            let elements = context.attr_array(array).unwrap_or_default();
            let elements: Vec<Attr> = (elements.iter())
                .map(|&element| unspelled_attr(context, element))
                .collect();
            context.array_attr(&elements)
        }
        "dict_v1" => {
            let mut entries = Vec::new();
            p.parse_list(Delimiter::Brace, &mut |p| {
                let loc = p.loc();
                let key = p.parse_attr(None)?;
                p.parse_token("=")?;
                let value = p.parse_attr(None)?;
                match context.attr_string(unspelled_attr(context, key)) {
                    Some(key) => {
                        entries.push((context.intern_name(key), unspelled_attr(context, value)));
                        Ok(())
                    }
                    None => Err(p.report(loc, "expected VHLO key attribute".to_owned())),
                }
            })?;
            context.intern_attr(AttrKind::Dictionary(context.intern_dict(entries)))
        }
        "float_v1" => {
            // The number is read again with its type, which follows it.
            let value = p.parse_attr(Some(Type::F64))?;
            p.parse_token(":")?;
            let ty = parse_inner(p)?;
            super::float_attr(context, value, ty)
        }
        "string_v1" => context.string_attr(&p.parse_string()?),
        "type_v1" => context.type_attr(parse_inner(p)?),
        // `true`, `1 : i32` and `dense<...> : tensor<...>` are written with builtin's types.
        "bool_v1" | "integer_v1" | "tensor_v1" => p.parse_attr(None)?,
        _ => {
            let mut fields = Vec::new();
            let known = record.map_or(&[][..], |record| record.fields);
            while !p.peek_token(">") {
                let loc = p.loc();
                let name = p.parse_any_keyword()?;
                let Some(&(name, kind)) = known.iter().find(|field| field.0 == name) else {
                    return Err(p.report(loc, format!("unknown field '{name}'")));
                };
                p.parse_token("=")?;
                fields.push((name, parse_field(p, kind)?));
                if !p.parse_opt_token(",") {
                    break;
                }
            }
            let record = record.expect("other mnemonics have returned");
            records::record_attr(context, record, &fields)
        }
    };
    p.parse_token(">")?;
    Ok(Some(attr))
}

fn parse_field(p: &mut dyn OpAsmParser<'_>, kind: FieldKind) -> Result<Value, Failed> {
    Ok(match kind {
        FieldKind::Integer => Value::Integer(p.parse_integer()?),
        FieldKind::Integers => {
            let mut sizes = Vec::new();
            p.parse_list(Delimiter::Square, &mut |p| {
                sizes.push(match p.parse_opt_token("?") {
                    true => crate::ir::types::DYNAMIC,
                    false => p.parse_integer()?,
                });
                Ok(())
            })?;
            Value::Integers(sizes)
        }
        FieldKind::Float => {
            let value = p.parse_attr(Some(Type::F64))?;
            match p.context().attr_kind(value) {
                AttrKind::Float { bits, .. } => Value::Float(f64::from_bits(*bits as u64)),
                _ => Value::Float(0.0),
            }
        }
        FieldKind::Attr | FieldKind::OptionalAttr | FieldKind::SubAxis => {
            let attr = p.parse_attr(None)?;
            let context = p.context();
            Value::Text(attr_to_string(context, unspelled_attr(context, attr)))
        }
    })
}

fn print_attr(p: &mut dyn OpAsmPrinter, context: &Context, attr: Attr) {
    match context.attr_kind(attr) {
        AttrKind::Array(elements) => {
            p.text("#vhlo.array_v1<[");
            for (i, &element) in elements.iter().enumerate() {
                p.text(if i > 0 { ", " } else { "" });
                p.attr(spelled_attr(context, element));
            }
            p.text("]");
        }
        AttrKind::Dictionary(dict) => {
            p.text("#vhlo.dict_v1<{");
            for (i, &(name, value)) in context.dict(*dict).iter().enumerate() {
                p.text(if i > 0 { ", " } else { "" });
                p.text("#vhlo.string_v1<");
                p.string(context.name(name));
                p.text("> = ");
                p.attr(spelled_attr(context, value));
            }
            p.text("}");
        }
        AttrKind::Integer { ty, .. } if *ty == Type::I1 => {
            p.text("#vhlo.bool_v1<");
            p.attr_without_type(attr);
        }
        AttrKind::Integer { .. } => {
            p.text("#vhlo.integer_v1<");
            p.attr(attr);
        }
        AttrKind::Float { ty, .. } => {
            p.text("#vhlo.float_v1<");
            p.attr_without_type(attr);
            p.text(" : ");
            p.ty(spelled_type(context, *ty));
        }
        AttrKind::String(_) => {
            p.text("#vhlo.string_v1<");
            p.attr_without_type(attr);
        }
        AttrKind::DenseElements(_) => {
            p.text("#vhlo.tensor_v1<");
            p.attr(attr);
        }
        AttrKind::Type(ty) => {
            p.text("#vhlo.type_v1<");
            print_inner(p, context, *ty);
        }
        AttrKind::Dialect { body, .. } => {
            p.text(&records::spelled_body(body));
            return;
        }
        _ => {}
    }
    p.text(">");
}
