//! The symbols that attributes mention.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{Attr, AttrKind, Dict};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashSet;

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

/// The symbols that something else than a `func.call` refers to: whoever that
/// is knows the function by its signature.
pub(crate) fn names_besides_calls(module: &Ir) -> FxHashSet<String> {
    let mut names = Vec::new();
    let mut stack = vec![module];
    while let Some(ir) = stack.pop() {
        for op in ir.walk(ir.root()) {
            // Of a call all but the name of the callee counts.
            let attrs = match ir.is(op, &func::CALL) {
                true => ir.context().dict_with(ir.attrs(op), Name::CALLEE, None),
                false => ir.attrs(op),
            };
            collect_from_dict(ir.context(), attrs, &mut names);
            stack.extend(ir.nested(op));
        }
    }
    names.into_iter().collect()
}
