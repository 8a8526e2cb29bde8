//! Since which version of the dialect there are types and attributes.

use std::sync::Arc;

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::parser::parse_attr_text;

use super::quantized::Quantized;
use super::records::{self, Value};
use super::spelling::{future_body, plain_type};
use super::version::Version;

const FUTURE: Version = Version::of((1, 15));
const BUFFER: Version = Version::of((1, 13));
const QUANTIZED_PER_AXIS: Version = Version::of((0, 18));

/// The first version in which what a type stands for can be written.
pub fn type_since(context: &Arc<Context>, ty: Type) -> Version {
    if let Some(row) = plain_type(context, ty) {
        return row.since;
    }
    let newest = |types: &[Type]| {
        let versions = types.iter().map(|&ty| type_since(context, ty));
        versions.max().unwrap_or(Version::MINIMUM)
    };
    match context.type_kind(ty) {
        TypeKind::Complex(part) | TypeKind::UnrankedTensor(part) => newest(&[*part]),
        TypeKind::Function { inputs, results } => newest(inputs).max(newest(results)),
        TypeKind::RankedTensor {
            element, encoding, ..
        } => {
            let encoding = encoding.map_or(Version::MINIMUM, |attr| attr_since(context, attr));
            newest(&[*element]).max(encoding)
        }
        TypeKind::Tuple(types) => newest(types),
        TypeKind::MemRef(memref) => BUFFER.max(newest(&[memref.element])),
        _ => match Quantized::of(context, ty) {
            Some(quantized) => {
                let (storage, expressed) = quantized.types(context);
                let own = match quantized.axis {
                    Some(_) => QUANTIZED_PER_AXIS,
                    None => Version::MINIMUM,
                };
                own.max(newest(&[storage, expressed]))
            }
            None if future_body(context, ty).is_some() => FUTURE,
            None => Version::MINIMUM,
        },
    }
}

/// The first version in which what an attribute stands for can be written.
pub fn attr_since(context: &Arc<Context>, attr: Attr) -> Version {
    let newest = |attrs: &mut dyn Iterator<Item = Attr>| {
        let versions = attrs.map(|attr| attr_since(context, attr));
        versions.max().unwrap_or(Version::MINIMUM)
    };
    match context.attr_kind(attr) {
        AttrKind::Integer { ty, .. } | AttrKind::Float { ty, .. } | AttrKind::Type(ty) => {
            type_since(context, *ty)
        }
        AttrKind::DenseElements(elements) => type_since(context, elements.ty),
        AttrKind::Array(elements) => newest(&mut elements.iter().copied()),
        AttrKind::Dictionary(dict) => newest(&mut context.dict(*dict).iter().map(|entry| entry.1)),
        _ => {
            if let Some((row, _)) = records::enumeration_of(context, attr) {
                return row.since;
            }
            let Some((row, values)) = records::record_of(context, attr) else {
                return Version::MINIMUM;
            };
            let parts = values.iter().filter_map(|value| match value {
                Value::Text(text) => parse_attr_text(context, text).ok(),
                _ => None,
            });
            row.since
                .max(newest(&mut parts.collect::<Vec<_>>().into_iter()))
        }
    }
}
