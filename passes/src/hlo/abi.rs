//! Which functions return owners with their buffers.
//!
//! A function that returns owners has one more result of type `!deallocation.ownership` per memref
//! result, after all others: null, if the buffer belongs to another owner. All others keep their
//! signature: their results belong to the caller, so they copy those that they do not own.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{AttrKind, Dict};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::symbol_uses::names_besides_calls;
use crate::deallocation::plan::decide::Callees;
use crate::deallocation::plan::dynamic::{called_by, is_processed, returning_flags};
use crate::deallocation::plan::own_frees;
use crate::deallocation::plan::returned::{find_aliases, returns_memrefs};

/// Finds the functions of `module` that will return owners: none of those in `left_alone`, none that these call, and
/// none of `left_to_callers`, of which callers know themselves what they return.
pub(super) fn callees(
    module: &Ir,
    keep_public_signatures: bool,
    left_alone: &FxHashSet<String>,
    left_to_callers: FxHashSet<String>,
) -> Callees {
    let mut fixed = names_besides_calls(module);
    fixed.extend(left_to_callers.iter().cloned());
    let mut callees = Callees {
        with_owners: true,
        processed: left_to_callers,
        ..Callees::default()
    };
    callees.processed.extend(returning_flags(module));
    let Some(block) = module.root_block() else {
        return callees;
    };
    let functions: Vec<&Ir> = module
        .ops_in(block)
        .filter_map(|op| module.nested(op))
        .filter(|ir| ir.is(ir.root(), &func::FUNC) && ir.root_block().is_some())
        .collect();
    let is_left_alone = |function: &Ir| {
        let name = function.symbol_name(function.root());
        is_processed(function) || name.is_some_and(|name| left_alone.contains(name))
    };
    fixed.extend(called_by(module, is_left_alone));
    fixed.extend(own_frees::called_by_managing(module));
    let eligible: FxHashMap<&str, &Ir> = functions
        .iter()
        .filter_map(|&ir| Some((ir.symbol_name(ir.root())?, ir)))
        .filter(|(name, ir)| {
            returns_memrefs(ir)
                && !is_left_alone(ir)
                && !fixed.contains(*name)
                && (!keep_public_signatures || ir.is_private(ir.root()))
        })
        .collect();
    find_aliases(&functions, &eligible, &mut callees);
    callees
}

/// Gives `function` one more result of type `owner` per memref result, in its
/// type and its attributes.
pub(super) fn extend_signature(function: &mut Ir, owner: Type) {
    let context = function.context().clone();
    let root: Op = function.root();
    let Some(ty) = function.function_type(root) else {
        return;
    };
    let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
        return;
    };
    let n_owners = results.iter().filter(|&&ty| context.is_memref(ty)).count();
    let mut extended = results.to_vec();
    extended.resize(results.len() + n_owners, owner);
    let ty = context.type_attr(context.function_type(inputs, &extended));
    function.set_attr(root, Name::FUNCTION_TYPE, ty);
    let attrs = function
        .attr(root, Name::RES_ATTRS)
        .and_then(|attr| context.attr_array(attr));
    if let Some(attrs) = attrs {
        let empty = context.intern_attr(AttrKind::Dictionary(Dict::EMPTY));
        let mut attrs = attrs.to_vec();
        attrs.resize(extended.len(), empty);
        let attrs = context.array_attr(&attrs);
        function.set_attr(root, Name::RES_ATTRS, attrs);
    }
}
