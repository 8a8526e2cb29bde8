//! What functions take and return, to be changed together with their calls.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{AttrKind, Dict};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::functions;
use crate::analysis::call_order;
use crate::analysis::symbol_uses::collect_from_attr;

/// The arguments and results of a function, with their attributes.
pub(crate) struct Signature {
    pub(crate) inputs: Vec<(Type, Dict)>,
    pub(crate) results: Vec<(Type, Dict)>,
}

impl Signature {
    /// That of the function `op`; `None` if it is none.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Self> {
        let context = ir.context();
        let TypeKind::Function { inputs, results } = context.type_kind(ir.function_type(op)?)
        else {
            return None;
        };
        let none = context.intern_dict(Vec::new());
        let with_attrs = |types: &[Type], name: Name| {
            let attrs = ir.attr(op, name).and_then(|attr| context.attr_array(attr));
            let attrs_at = |index: usize| match context.attr_kind(*attrs?.get(index)?) {
                AttrKind::Dictionary(dict) => Some(*dict),
                _ => None,
            };
            let attrs_at = |index: usize| attrs_at(index).unwrap_or(none);
            let types = types.iter().enumerate();
            types.map(|(i, &ty)| (ty, attrs_at(i))).collect()
        };
        Some(Self {
            inputs: with_attrs(inputs, Name::ARG_ATTRS),
            results: with_attrs(results, Name::RES_ATTRS),
        })
    }

    /// Makes it the signature of `op`, whose body is left as it is.
    pub(crate) fn store(&self, ir: &mut Ir, op: Op) {
        let context = ir.context().clone();
        for (values, name) in [
            (&self.inputs, Name::ARG_ATTRS),
            (&self.results, Name::RES_ATTRS),
        ] {
            if values
                .iter()
                .all(|&(_, dict)| context.dict(dict).is_empty())
            {
                ir.remove_attr(op, name);
                continue;
            }
            let attrs: Vec<_> = values
                .iter()
                .map(|&(_, dict)| context.intern_attr(AttrKind::Dictionary(dict)))
                .collect();
            ir.set_attr(op, name, context.array_attr(&attrs));
        }
        let types = |values: &[(Type, Dict)]| values.iter().map(|v| v.0).collect::<Vec<_>>();
        let ty = context.function_type(&types(&self.inputs), &types(&self.results));
        ir.set_attr(op, Name::FUNCTION_TYPE, context.type_attr(ty));
    }
}

/// The name of the function that `op` calls by name.
pub(crate) fn callee(ir: &Ir, op: Op) -> Option<&str> {
    let attr = ir
        .is(op, &func::CALL)
        .then(|| ir.attr(op, Name::CALLEE))
        .flatten()?;
    ir.context().attr_flat_symbol(attr)
}

/// The functions of a module that have bodies, each after those that it calls; of functions that call each other in a
/// circle, one is before another that it calls.
pub(crate) fn callees_first(ir: &Ir) -> Vec<Op> {
    let mut stubs = functions::functions(ir);
    stubs.retain(|&stub| ir.nested(stub).is_some_and(|f| f.root_block().is_some()));
    let by_name: FxHashMap<&str, usize> = (stubs.iter().enumerate())
        .filter_map(|(at, &stub)| Some((ir.symbol_name(stub)?, at)))
        .collect();
    let callees = |at: usize| -> Vec<usize> {
        let function = ir.nested(stubs[at]).into_iter();
        let calls = function.flat_map(|function| {
            let ops = function.walk(function.root());
            ops.filter_map(|op| callee(function, op))
        });
        calls
            .filter_map(|name| by_name.get(name).copied())
            .collect()
    };
    let (order, _) = call_order::callees_first(stubs.len(), callees);
    order.into_iter().map(|at| stubs[at]).collect()
}

/// The calls in the functions of a module, by the name of the called function:
/// pairs of the stub of the caller and the call in its arena, in textual order.
pub(crate) fn calls_by_callee(ir: &Ir) -> FxHashMap<String, Vec<(Op, Op)>> {
    let mut calls: FxHashMap<String, Vec<(Op, Op)>> = FxHashMap::default();
    for stub in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        let Some(function) = ir.nested(stub) else {
            continue;
        };
        if !function.has_trait(function.root(), Traits::FUNCTION) {
            continue;
        }
        for op in function.walk(function.root()) {
            if let Some(name) = callee(function, op) {
                match calls.get_mut(name) {
                    Some(known) => known.push((stub, op)),
                    None => {
                        calls.insert(name.to_owned(), vec![(stub, op)]);
                    }
                }
            }
        }
    }
    calls
}

/// The symbols of a module, or of an operation, that are mentioned otherwise than by calls: their
/// users are unknown.
pub(crate) fn symbols_used_as_values(ir: &Ir) -> FxHashSet<String> {
    let mut names = Vec::new();
    collect_uses(ir, &mut names);
    names.into_iter().collect()
}

fn collect_uses(ir: &Ir, out: &mut Vec<String>) {
    let context = ir.context();
    for op in ir.walk(ir.root()) {
        let is_call = callee(ir, op).is_some();
        for &(name, attr) in context.dict(ir.attrs(op)) {
            if !(is_call && name == Name::CALLEE) {
                collect_from_attr(context, attr, out);
            }
        }
        if let Some(nested) = ir.nested(op) {
            collect_uses(nested, out);
        }
    }
}
