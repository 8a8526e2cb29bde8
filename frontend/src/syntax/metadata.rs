//! File metadata: the bytes of `dense_resource<key>` and what other tools keep
//! in a file, written as `{-# ... #-}` after everything else.
//!
//! The entries are an attribute of the outermost module under the name that no
//! source can spell, [`Name::EMPTY`]: an array of arrays, each the kind
//! (`dialect` or `external`), the group, the key and the value as written.

use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::names::Name;

/// One entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// Whether it belongs to a dialect; else to another tool.
    pub of_dialect: bool,
    /// The dialect or the tool.
    pub group: &'a str,
    /// Its name in the group.
    pub key: &'a str,
    /// The value as written: `"0x..."`, `"text"`, `true` or `false`.
    pub value: &'a str,
}

/// The attribute for one entry.
pub(crate) fn entry(
    context: &Context,
    of_dialect: bool,
    group: &str,
    key: &str,
    value: &str,
) -> Attr {
    let kind = if of_dialect { "dialect" } else { "external" };
    context.array_attr(&[kind, group, key, value].map(|text| context.string_attr(text)))
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
                value: context.attr_string(value)?,
            })
        })
        .collect()
}

/// The bytes of `dense_resource<key>` in the module `ir`, if its file has them.
pub fn blob(ir: &Ir, key: &str) -> Option<Vec<u8>> {
    // Of several definitions the last counts.
    let entries = entries(ir);
    let entry = (entries.iter()).rfind(|entry| entry.of_dialect && entry.key == key)?;
    let digits = entry.value.strip_prefix("\"0x")?.strip_suffix('"')?;
    // The alignment comes first, in four bytes.
    let pairs = digits.as_bytes().get(8..)?.as_chunks::<2>().0;
    let digit = |digit: u8| char::from(digit).to_digit(16);
    (pairs.iter())
        .map(|&[high, low]| u8::try_from(digit(high)? << 4 | digit(low)?).ok())
        .collect()
}
