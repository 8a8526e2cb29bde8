//! Which functions return owners with their buffers, and which arguments or
//! other results a returned buffer may be.
//!
//! A function that returns owners has one more result of type `!deallocation.ownership` per memref
//! result, after all others: null, if the buffer belongs to another owner. All others keep their
//! signature: their results belong to the caller, so they copy those that they do not own.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{AttrKind, Dict};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::call_order;
use crate::analysis::flow::{Origin, ValueFlow};
use crate::analysis::symbol_uses::names_besides_calls;
use crate::deallocation::plan::decide::{Callees, ResultAliases};
use crate::deallocation::plan::dynamic::{called_by, is_processed, returning_flags};
use crate::deallocation::plan::own_frees;

/// Rounds after which recursive functions may return anything: bounds compile time.
const MAX_ROUNDS: usize = 8;

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
    let (order, is_recursive) = callees_first(&functions, &eligible);
    // One round is enough but for recursion, which begins without aliases and
    // adds them until nothing changes.
    for round in 0.. {
        let mut changed = false;
        for &(name, function) in &order {
            let aliases = match round < function.capped(MAX_ROUNDS) {
                true => result_aliases(function, &callees),
                false => all_aliases(function),
            };
            if callees.dynamic.get(name) != Some(&aliases) {
                callees.dynamic.insert(name.to_owned(), aliases);
                changed = true;
            }
        }
        if !changed || !is_recursive {
            break;
        }
    }
    callees
}

fn result_types(ir: &Ir) -> &[Type] {
    match ir
        .function_type(ir.root())
        .map(|ty| ir.context().type_kind(ty))
    {
        Some(TypeKind::Function { results, .. }) => results,
        _ => &[],
    }
}

fn returns_memrefs(ir: &Ir) -> bool {
    result_types(ir)
        .iter()
        .any(|&ty| ir.context().is_memref(ty))
}

/// The eligible functions, each after those it calls but for recursion, and
/// whether there is any.
fn callees_first<'a>(
    functions: &[&'a Ir],
    eligible: &FxHashMap<&'a str, &'a Ir>,
) -> (Vec<(&'a str, &'a Ir)>, bool) {
    let named: IndexMap<&str, &Ir, FxBuildHasher> = (functions.iter())
        .filter_map(|function| function.symbol_name(function.root()))
        .filter_map(|name| Some((name, *eligible.get(name)?)))
        .collect();
    let callees = |at: usize| {
        let names = called_functions(named[at]);
        let calls = names.iter().filter_map(|name| named.get_index_of(name));
        calls.collect()
    };
    let (order, is_recursive) = call_order::callees_first(named.len(), callees);
    let function = |at| {
        named
            .get_index(at)
            .map(|(name, function)| (*name, *function))
    };
    (
        order.into_iter().filter_map(function).collect(),
        is_recursive,
    )
}

/// The names of the functions that `ir` calls, the first one last.
fn called_functions(ir: &Ir) -> Vec<&str> {
    let mut names: Vec<&str> = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &func::CALL))
        .map(|op| func::Call(op).callee_name(ir))
        .collect();
    names.reverse();
    names
}

/// The safe assumption: each result may be any argument or earlier result.
fn all_aliases(function: &Ir) -> Vec<ResultAliases> {
    let n_arguments = function
        .root_block()
        .map_or(0, |block| function.block_args(block).len());
    let types = result_types(function);
    let is_memref = |index: usize| function.context().is_memref(types[index]);
    let aliases = |index| match is_memref(index) {
        true => ResultAliases {
            arguments: (0..n_arguments).collect(),
            results: (0..index).filter(|&other| is_memref(other)).collect(),
        },
        false => ResultAliases::default(),
    };
    (0..types.len()).map(aliases).collect()
}

/// For each result of `function` the arguments and results whose buffer it may be.
fn result_aliases(function: &Ir, known: &Callees) -> Vec<ResultAliases> {
    let flow = ValueFlow::new(function);
    let mut aliases = vec![ResultAliases::default(); result_types(function).len()];
    for op in function.walk(function.root()) {
        if !function.is(op, &func::RETURN) {
            continue;
        }
        let mut earlier: Vec<Sources> = Vec::new();
        for (&operand, into) in function.operands(op).iter().zip(&mut aliases) {
            let sources = sources_of(function, &flow, operand, known);
            into.arguments.extend_from_slice(&sources.arguments);
            let shared = earlier.iter().enumerate();
            let shared = shared.filter(|(_, other)| !sources.fresh.is_disjoint(&other.fresh));
            into.results.extend(shared.map(|(index, _)| index));
            earlier.push(sources);
        }
    }
    for one in &mut aliases {
        for list in [&mut one.arguments, &mut one.results] {
            list.sort_unstable();
            list.dedup();
        }
    }
    aliases
}

/// Where a returned buffer may come from.
#[derive(Default)]
struct Sources {
    /// The numbers of the arguments that it may be.
    arguments: Vec<usize>,
    /// The allocations and results of calls that it may be.
    fresh: FxHashSet<Value>,
}

fn sources_of(ir: &Ir, flow: &ValueFlow, value: Value, known: &Callees) -> Sources {
    let mut sources = Sources::default();
    let mut stack: Vec<Value> = flow.base(value).into_iter().collect();
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(base) = stack.pop() {
        if !seen.insert(base) {
            continue;
        }
        stack.extend_from_slice(flow.merge_sources(base));
        for &id in flow.flows_in(base) {
            stack.push(flow.flow_base(id));
        }
        if flow.origin(base) == Origin::Fresh {
            sources.fresh.insert(base);
        }
        match ir.value_def(base) {
            ValueDef::Argument(block, index) if Some(block) == ir.root_block() => {
                sources.arguments.push(index as usize);
            }
            ValueDef::Result(op, index) if ir.def(op).call.is_some() => {
                let mut add = |value: Value| stack.extend(flow.base(value));
                let (operands, results) = (ir.operands(op), ir.results(op));
                if let Some(aliases) = known.dynamic_callee(ir, op) {
                    let Some(aliases) = aliases.get(index as usize) else {
                        continue;
                    };
                    aliases.arguments.iter().for_each(|&i| add(operands[i]));
                    aliases.results.iter().for_each(|&i| add(results[i]));
                } else {
                    // Others may return one buffer twice.
                    results[..index as usize].iter().copied().for_each(add);
                }
            }
            _ => {}
        }
    }
    sources
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
