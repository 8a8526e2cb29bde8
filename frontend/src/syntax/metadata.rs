//! File metadata: the bytes of `dense_resource<key>` and what other tools keep
//! in a file, written as `{-# ... #-}` after everything else.
//!
//! The entries are an attribute of the outermost module under the name that no
//! source can spell, [`Name::EMPTY`]: an array of arrays, each the kind
//! (`dialect` or `external`), the group, the key and the value: bytes for
//! `"0x..."`, or else the text as written.

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
    /// What `"0x..."` spells.
    Bytes(&'a [u8]),
    /// As written: `"text"`, `true` or `false`.
    Text(&'a str),
}

/// The attribute for one entry.
pub(crate) fn entry(
    context: &Context,
    of_dialect: bool,
    group: &str,
    key: &str,
    value: Attr,
) -> Attr {
    let kind = if of_dialect { "dialect" } else { "external" };
    let [kind, group, key] = [kind, group, key].map(|text| context.string_attr(text));
    context.array_attr(&[kind, group, key, value])
}

/// The attribute for what `"0x..."` spells.
pub(crate) fn bytes_value(context: &Context, bytes: Bytes) -> Attr {
    let element = Type::I8;
    context.intern_attr(AttrKind::DenseArray { element, bytes })
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
            let [kind, group, key, value] = *context.attr_array(attr)? else {
                return None;
            };
            Some(Entry {
                of_dialect: context.attr_string(kind)? == "dialect",
                group: context.attr_string(group)?,
                key: context.attr_string(key)?,
                value: match context.attr_kind(value) {
                    AttrKind::DenseArray { bytes, .. } => Value::Bytes(bytes),
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
        // The alignment comes first, in four bytes.
        Value::Bytes(bytes) => bytes.get(4..),
        Value::Text(_) => None,
    }
}
