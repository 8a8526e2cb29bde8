//! What a function returns: which of its results may be one and the same new
//! buffer, and which may be a buffer that it was given.
//!
//! A caller owns every result it gets; if two of them are one buffer, it must
//! find that out at run time. A result that comes with its ownership may also
//! be an argument, and so stay with the caller, who must not free it before.
//! For functions whose body is known, this says where neither can happen: it
//! follows all values that reach a result back to their origins, through the
//! functions that are called as well.

use freehold_frontend::dialects::{deallocation, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::{Flow, returns};
use super::module::Callees;
use super::values::{self, Derivation, Memory};

/// Facts about the results of one function.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Results {
    /// Pairs of results that may be one buffer, none of the arguments, the smaller
    /// number first.
    same: FxHashSet<(u32, u32)>,
    /// Pairs of a result and an argument that it may be.
    arguments: FxHashSet<(u32, u32)>,
}

impl Results {
    /// Whether results `i` and `j` may be one buffer that is new to the caller.
    pub(super) fn may_be_same(&self, i: usize, j: usize) -> bool {
        self.same.contains(&(i.min(j) as u32, i.max(j) as u32))
    }

    /// Whether `result` may be `argument`.
    pub(super) fn may_be_argument(&self, result: usize, argument: usize) -> bool {
        self.arguments.contains(&(result as u32, argument as u32))
    }
}

/// A function whose results are analysed.
struct Body<'a> {
    name: &'a str,
    ir: &'a Ir,
    flow: Flow,
}

/// Fills in [`super::module::Callee::results`] of `functions`.
pub(super) fn find(functions: &[&Ir], callees: &mut Callees) {
    let mut bodies: Vec<Body<'_>> = Vec::new();
    let mut callers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for &ir in functions {
        let (Some(name), Some(_)) = (ir.symbol_name(ir.root()), ir.root_block()) else {
            continue;
        };
        let Some(callee) = callees.get_mut(name) else {
            continue;
        };
        // What calls of each other give is known when nothing is added any more.
        callee.results = Some(Results::default());
        if (callee.dynamic_ownership || is_of_interest(ir))
            && let Some(flow) = Flow::new(ir)
        {
            for callee in ir.walk(ir.root()).filter_map(|op| Callees::name(ir, op)) {
                callers.entry(callee).or_default().push(bodies.len());
            }
            bodies.push(Body { name, ir, flow });
        }
    }
    let mut pending: Vec<usize> = (0..bodies.len()).rev().collect();
    let mut is_pending = vec![true; bodies.len()];
    while let Some(number) = pending.pop() {
        is_pending[number] = false;
        let body = &bodies[number];
        // Pairs are only added, so this comes to an end.
        let results = summarize(body, callees);
        let known = callees.get_mut(body.name).map(|callee| &mut callee.results);
        let Some(known) = known.filter(|known| known.as_ref() != Some(&results)) else {
            continue;
        };
        *known = Some(results);
        for &caller in callers.get(body.name).into_iter().flatten() {
            if !std::mem::replace(&mut is_pending[caller], true) {
                pending.push(caller);
            }
        }
    }
}

/// Whether `ir` returns several memrefs, or memrefs with owners.
fn is_of_interest(ir: &Ir) -> bool {
    let mut last_ops = ir.walk(ir.root()).filter(|&op| returns(ir, op));
    last_ops.any(|op| {
        let operands = ir.operands(op);
        operands.iter().filter(|&&v| ir.is_memref(v)).count() > 1
            || operands.iter().any(|&v| is_owner(ir, v))
    })
}

fn is_owner(ir: &Ir, value: Value) -> bool {
    deallocation::is_ownership(ir.context(), ir.value_type(value))
}

fn summarize(body: &Body<'_>, callees: &Callees) -> Results {
    let ir = body.ir;
    let mut results = Results::default();
    for op in ir.walk(ir.root()).filter(|&op| returns(ir, op)) {
        let operands = ir.operands(op);
        let memrefs = (0..operands.len()).filter(|&i| ir.is_memref(operands[i]));
        let origins: Vec<(u32, FxHashSet<Value>)> = memrefs
            .map(|i| (i as u32, origins(body, callees, operands[i])))
            .collect();
        for (n, (i, first)) in origins.iter().enumerate() {
            let arguments = first.iter().filter_map(|&value| argument(ir, value));
            results.arguments.extend(arguments.map(|k| (*i, k)));
            for (j, second) in &origins[n + 1..] {
                // Of an argument no result is the owner.
                let is_given = |value: &Value| argument(ir, *value).is_some();
                let mut common = first.intersection(second);
                if common.any(|value| !is_given(value)) || share_a_call(ir, callees, first, second)
                {
                    results.same.insert((*i, *j));
                }
            }
        }
    }
    results
}

/// The number of the function's argument that `value` is.
fn argument(ir: &Ir, value: Value) -> Option<u32> {
    match ir.value_def(value) {
        ValueDef::Argument(block, index) if Some(block) == ir.root_block() => Some(index),
        _ => None,
    }
}

/// Whether one call returned values of both sets that may be one buffer.
fn share_a_call(
    ir: &Ir,
    callees: &Callees,
    first: &FxHashSet<Value>,
    second: &FxHashSet<Value>,
) -> bool {
    let mut others = call_results(ir, second);
    others.sort_unstable();
    call_results(ir, first).into_iter().any(|(call, a)| {
        let start = others.partition_point(|&(op, _)| op < call);
        let callee = callees.of_call(ir, call);
        let mut same_call = others[start..].iter().take_while(|&&(op, _)| op == call);
        same_call.any(|&(_, b)| callee.is_none_or(|c| c.may_be_same(a as usize, b as usize)))
    })
}

fn call_results(ir: &Ir, values: &FxHashSet<Value>) -> Vec<(Op, u32)> {
    let results = values
        .iter()
        .filter_map(|&value| match ir.value_def(value) {
            ValueDef::Result(op, index) if ir.def(op).call.is_some() => Some((op, index)),
            _ => None,
        });
    results.collect()
}

/// Where the memory that `value` refers to may come from. Results of unknown
/// operations stand for themselves and for their operands.
fn origins(body: &Body<'_>, callees: &Callees, value: Value) -> FxHashSet<Value> {
    let ir = body.ir;
    let mut origins = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match values::derivation(ir, value) {
            Derivation::View { source, .. } => pending.push(source),
            Derivation::Select {
                on_true, on_false, ..
            } => pending.extend([on_true, on_false]),
            _ => {
                let assignments = body.flow.assignments_to(value);
                pending.extend(assignments.iter().map(|a| a.source));
                if assignments.is_empty() {
                    origins.insert(value);
                    pending.extend(operands_that_may_be(ir, callees, value));
                }
            }
        }
    }
    origins
}

/// The values that `value` may be, which an operation made in a way that is
/// not known.
fn operands_that_may_be(ir: &Ir, callees: &Callees, value: Value) -> Vec<Value> {
    let ValueDef::Result(op, result) = ir.value_def(value) else {
        return Vec::new();
    };
    let operands = ir.operands(op);
    let memrefs = (0..operands.len()).filter(|&index| ir.is_memref(operands[index]));
    if ir.def(op).call.is_some() {
        let given =
            memrefs.filter(|&index| may_be_operand(ir, callees, op, result as usize, index));
        return given.map(|index| operands[index]).collect();
    }
    if values::result_memory(ir, op, value) == Memory::Heap {
        return Vec::new();
    }
    let mut sources: Vec<Value> = memrefs.map(|index| operands[index]).collect();
    if ir.is(op, &memref::LOAD) {
        // Whatever was stored there.
        let arguments = ir.root_block().map(|block| ir.block_args(block));
        sources.extend(arguments.unwrap_or_default().iter().copied());
    }
    sources
}

/// Whether result number `result` of the call `op` may be what the call is
/// given as operand number `operand`. Only if it comes with its ownership.
pub(super) fn may_be_operand(
    ir: &Ir,
    callees: &Callees,
    op: Op,
    result: usize,
    operand: usize,
) -> bool {
    let Some(call) = ir.def(op).call else {
        return false;
    };
    let arguments = (call.arguments)(ir, op);
    let callee = callees.of_call(ir, op);
    let says_who_owns = callee.is_some_and(|callee| callee.dynamic_ownership)
        || ir.results(op).iter().any(|&v| is_owner(ir, v));
    says_who_owns
        && arguments.contains(&operand)
        && callee.is_none_or(|callee| callee.may_be_argument(result, operand - arguments.start))
}
