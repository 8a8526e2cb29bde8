//! The symbols that attributes mention.

use freehold_frontend::ir::attrs::{Attr, AttrKind, Dict};
use freehold_frontend::ir::context::Context;

/// Adds every symbol name mentioned in `dict`.
pub(crate) fn collect_from_dict(context: &Context, dict: Dict, out: &mut Vec<String>) {
    for &(_, attr) in context.dict(dict) {
        collect_from_attr(context, attr, out);
    }
}

/// Adds every symbol name mentioned in `attr`.
pub(crate) fn collect_from_attr(context: &Context, attr: Attr, out: &mut Vec<String>) {
    match context.attr_kind(attr) {
        // Of `@module::@function` every part counts: a use of something
        // inside a module is a use of the module, and the inner name may be
        // looked up in any module on the way.
        AttrKind::SymbolRef { root, nested } => {
            out.push(root.to_string());
            out.extend(nested.iter().map(|name| name.to_string()));
        }
        AttrKind::Array(elements) => {
            for &element in elements {
                collect_from_attr(context, element, out);
            }
        }
        AttrKind::Dictionary(dict) => collect_from_dict(context, *dict, out),
        _ => {}
    }
}
