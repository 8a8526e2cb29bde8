//! File metadata: the bytes of `dense_resource<key>` and what other tools keep
//! in a file, written as `{-# ... #-}` after everything else.
//!
//! The entries are an attribute of the outermost module under the name that no
//! source can spell, [`Name::EMPTY`]: an array of arrays, each the kind
//! (`dialect` or `external`), the group, the key and the value: the text as
//! written, or bytes, after which the alignment stands that they want.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::names::Name;
use crate::ir::types::Type;

/// One entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// Whether it belongs to a dialect; else to another tool.
    pub of_dialect: bool,
    /// The dialect or the tool.
    pub group: &'a str,
    /// Its name in the group.
    pub key: &'a str,
    /// Its value.
    pub value: Value<'a>,
}

/// The value of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// Bytes: those after the first four that `"0x..."` spells.
    Bytes {
        /// What they are to be aligned to: the first four bytes of the text.
        alignment: u32,
        /// The bytes.
        bytes: &'a Bytes,
    },
    /// As written: `"text"`, `true` or `false`.
    Text(&'a str),
}

/// The attribute for one entry; `value` is as [`text_value`] or [`bytes_value`] makes it.
pub(crate) fn entry(
    context: &Context,
    of_dialect: bool,
    group: &str,
    key: &str,
    value: (Attr, Option<Attr>),
) -> Attr {
    let kind = if of_dialect { "dialect" } else { "external" };
    let [kind, group, key] = [kind, group, key].map(|text| context.string_attr(text));
    let mut parts = vec![kind, group, key, value.0];
    parts.extend(value.1);
    context.array_attr(&parts)
}

/// The value that bytes are.
pub(crate) fn bytes_value(context: &Context, alignment: u32, bytes: Bytes) -> (Attr, Option<Attr>) {
    let element = Type::I8;
    let bytes = context.intern_attr(AttrKind::DenseArray { element, bytes });
    (bytes, Some(context.i64_attr(i64::from(alignment))))
}

/// The value that is this text.
pub(crate) fn text_value(context: &Context, text: &str) -> (Attr, Option<Attr>) {
    (context.string_attr(text), None)
}

/// Text as a string literal.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut literal = "\"".to_owned();
    for &byte in bytes {
        match byte {
            b' '..=b'~' if !matches!(byte, b'"' | b'\\') => literal.push(char::from(byte)),
            _ => literal.push_str(&format!("\\{byte:02X}")),
        }
    }
    literal.push('"');
    literal
}

/// Makes entries those of `ir`, a module.
pub(crate) fn attach(ir: &mut Ir, entries: &[Attr]) {
    if !entries.is_empty() {
        let attr = ir.context().array_attr(entries);
        ir.set_attr(ir.root(), Name::EMPTY, attr);
    }
}

/// The entries of `ir`, in the order of the source.
pub fn entries(ir: &Ir) -> Vec<Entry<'_>> {
    let context = ir.context();
    let array = ir.attr(ir.root(), Name::EMPTY);
    let list = array.and_then(|attr| context.attr_array(attr));
    list.unwrap_or_default()
        .iter()
        .filter_map(|&attr| {
            let (&[kind, group, key, value], alignment) =
                context.attr_array(attr)?.split_first_chunk()?;
            Some(Entry {
                of_dialect: context.attr_string(kind)? == "dialect",
                group: context.attr_string(group)?,
                key: context.attr_string(key)?,
                value: match context.attr_kind(value) {
                    AttrKind::DenseArray { bytes, .. } => Value::Bytes {
                        alignment: context.attr_integer(*alignment.first()?)? as u32,
                        bytes,
                    },
                    _ => Value::Text(context.attr_string(value)?),
                },
            })
        })
        .collect()
}

/// The bytes of `dense_resource<key>` in the module `ir`, if its file has them.
pub fn blob<'a>(ir: &'a Ir, key: &str) -> Option<&'a [u8]> {
    // Of several definitions the last counts.
    let entries = entries(ir);
    let entry = (entries.iter()).rfind(|entry| entry.of_dialect && entry.key == key)?;
    match entry.value {
        Value::Bytes { bytes, .. } => Some(bytes),
        Value::Text(_) => None,
    }
}
