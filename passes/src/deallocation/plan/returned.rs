//! Which arguments, other results and globals a returned buffer may be.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Value, ValueDef};
use freehold_frontend::ir::types::{Type, TypeKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::call_order;
use crate::analysis::flow::{EdgeKind, Origin, ValueFlow, is_return};
use crate::deallocation::plan::decide::{Callees, ResultAliases};

/// Rounds after which recursive functions may return anything: bounds compile time.
const MAX_ROUNDS: usize = 8;

/// Finds for each result of the `eligible` functions, which are some of `functions`, what it may be.
pub(crate) fn find_aliases<'a>(
    functions: &[&'a Ir],
    eligible: &FxHashMap<&'a str, &'a Ir>,
    callees: &mut Callees,
) {
    let (order, is_recursive) = callees_first(functions, eligible);
    // One round is enough but for recursion, which begins without aliases and
    // adds them until nothing changes.
    for round in 0.. {
        let mut changed = false;
        for &(name, function) in &order {
            let aliases = match round < function.capped(MAX_ROUNDS) {
                true => result_aliases(function, callees),
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
}

/// The `eligible` functions that may return a buffer that they do not own, and none of their own stack.
pub(crate) fn borrowing<'a>(
    functions: &[&'a Ir],
    eligible: &FxHashMap<&'a str, &'a Ir>,
) -> FxHashSet<&'a str> {
    let mut callees = Callees::default();
    find_aliases(functions, eligible, &mut callees);
    let borrows = |name: &str| {
        let results = callees.dynamic.get(name).into_iter().flatten();
        let mut results = results.map(|it| it.is_other || !it.arguments.is_empty());
        results.any(|borrows| borrows)
    };
    let found = eligible.iter();
    let found = found.filter(|(name, ir)| borrows(name) && !returns_stack(ir));
    found.map(|(&name, _)| name).collect()
}

/// Whether the function `ir` may return memory of its own stack: callers get a copy.
fn returns_stack(ir: &Ir) -> bool {
    let flow = ValueFlow::new(ir);
    let returned = flow.flow_ids().map(|id| flow.flow(id));
    let returned = returned.filter(|flow| flow.edge.kind == EdgeKind::Return);
    let mut stack: Vec<Value> = returned
        .filter_map(|returned| flow.base(returned.operand))
        .collect();
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(base) = stack.pop() {
        if !seen.insert(base) {
            continue;
        }
        stack.extend_from_slice(flow.merge_sources(base));
        stack.extend(flow.flows_in(base).iter().map(|&id| flow.flow_base(id)));
        let effects = ir
            .defining_op(base)
            .and_then(|op| ir.own_effects(op))
            .unwrap_or_default();
        let is_on_stack = effects.iter().any(|effect| {
            effect.kind == EffectKind::Allocate
                && effect.resource == Resource::AutomaticAllocationScope
        });
        if is_on_stack {
            return true;
        }
    }
    false
}

/// The types of the results of the function `ir`.
fn result_types(ir: &Ir) -> &[Type] {
    match ir
        .function_type(ir.root())
        .map(|ty| ir.context().type_kind(ty))
    {
        Some(TypeKind::Function { results, .. }) => results,
        _ => &[],
    }
}

/// Whether the function `ir` returns a buffer.
pub(crate) fn returns_memrefs(ir: &Ir) -> bool {
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
            is_other: true,
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
        if !is_return(function, op) {
            continue;
        }
        let mut earlier: Vec<Sources> = Vec::new();
        for (&operand, into) in function.operands(op).iter().zip(&mut aliases) {
            let sources = sources_of(function, &flow, operand, known);
            into.arguments.extend_from_slice(&sources.arguments);
            into.is_other |= sources.is_other;
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
    /// Whether it may be memory that no value here owns and that is no argument: a global.
    is_other: bool,
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
            _ if flow.origin(base) == Origin::External => sources.is_other = true,
            ValueDef::Result(op, index) if ir.def(op).call.is_some() => {
                let mut add = |value: Value| stack.extend(flow.base(value));
                let (operands, results) = (ir.operands(op), ir.results(op));
                if let Some(aliases) = known.dynamic_callee(ir, op) {
                    let Some(aliases) = aliases.get(index as usize) else {
                        continue;
                    };
                    sources.is_other |= aliases.is_other;
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
