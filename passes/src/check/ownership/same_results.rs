//! Which results of a function may be one and the same buffer.
//!
//! A caller owns every result it gets; if two of them are one buffer, it must
//! find that out at run time. For functions whose body is known, this says
//! where it cannot happen: the origins of all values that reach one result are
//! different from those that reach the other.

use freehold_frontend::interfaces::Callee;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use rustc_hash::FxHashSet;

use super::flow::{Flow, returns};
use super::module::Callees;
use super::values::{self, Derivation, Memory};

/// Pairs of results, the smaller number first.
#[derive(Default, PartialEq, Eq)]
pub(super) struct SameResults {
    pairs: FxHashSet<(u32, u32)>,
}

impl SameResults {
    /// Whether results `i` and `j` may be one buffer.
    pub(super) fn contains(&self, i: usize, j: usize) -> bool {
        self.pairs.contains(&(i.min(j) as u32, i.max(j) as u32))
    }
}

/// Two results of one function that are the same if two results of a call are.
struct Dependence {
    pair: (u32, u32),
    callee: Option<String>,
    results: (u32, u32),
}

/// Fills in [`super::module::Callee::same_results`] of `functions`.
pub(super) fn find(functions: &[&Ir], callees: &mut Callees) {
    let mut dependences: Vec<(String, Vec<Dependence>)> = Vec::new();
    for &ir in functions {
        let Some(name) = ir.symbol_name(ir.root()) else {
            continue;
        };
        if ir.root_block().is_none() {
            continue;
        }
        let mut same = SameResults::default();
        let mut depends = Vec::new();
        if n_returned_memrefs(ir) > 1
            && let Some(flow) = Flow::new(ir)
        {
            for op in ir.walk(ir.root()).filter(|&op| returns(ir, op)) {
                compare(ir, &flow, op, &mut same, &mut depends);
            }
        }
        if let Some(callee) = callees.get_mut(name) {
            callee.same_results = Some(same);
            dependences.push((name.to_owned(), depends));
        }
    }
    // Pairs are only added, so this comes to an end.
    let mut changed = true;
    while changed {
        changed = false;
        for (name, depends) in &dependences {
            for dependence in depends {
                let (i, j) = dependence.results;
                let callee = dependence
                    .callee
                    .as_ref()
                    .and_then(|name| callees.get(name));
                let same = callee.is_none_or(|callee| callee.may_be_same(i as usize, j as usize));
                let own = callees
                    .get_mut(name)
                    .and_then(|callee| callee.same_results.as_mut());
                if let Some(own) = own.filter(|_| same) {
                    changed |= own.pairs.insert(dependence.pair);
                }
            }
        }
    }
}

fn n_returned_memrefs(ir: &Ir) -> usize {
    let last_ops = ir.walk(ir.root()).filter(|&op| returns(ir, op));
    let n_memrefs = |op| ir.operands(op).iter().filter(|&&v| ir.is_memref(v)).count();
    last_ops.map(n_memrefs).max().unwrap_or(0)
}

fn compare(ir: &Ir, flow: &Flow, op: Op, same: &mut SameResults, depends: &mut Vec<Dependence>) {
    let operands = ir.operands(op);
    let memrefs = (0..operands.len()).filter(|&i| ir.is_memref(operands[i]));
    let origins: Vec<(u32, FxHashSet<Value>)> = memrefs
        .map(|i| (i as u32, origins(ir, flow, operands[i])))
        .collect();
    for (n, (i, first)) in origins.iter().enumerate() {
        for (j, second) in &origins[n + 1..] {
            let pair = (*i, *j);
            if !first.is_disjoint(second) {
                same.pairs.insert(pair);
                continue;
            }
            let mut calls: Vec<(Op, u32)> = call_results(ir, first);
            calls.sort_unstable();
            let mut others = call_results(ir, second);
            others.sort_unstable();
            for &(call, a) in &calls {
                let start = others.partition_point(|&(op, _)| op < call);
                for &(_, b) in others[start..].iter().take_while(|&&(op, _)| op == call) {
                    let callee = callee_name(ir, call);
                    depends.push(Dependence {
                        pair,
                        callee,
                        results: (a, b),
                    });
                }
            }
        }
    }
}

fn callee_name(ir: &Ir, call: Op) -> Option<String> {
    match (ir.def(call).call?.callee)(ir, call) {
        Callee::Symbol(symbol) => ir.context().attr_flat_symbol(symbol).map(str::to_owned),
        Callee::Value(_) => None,
    }
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
fn origins(ir: &Ir, flow: &Flow, value: Value) -> FxHashSet<Value> {
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
                let assignments = flow.assignments_to(value);
                pending.extend(assignments.iter().map(|a| a.source));
                if assignments.is_empty() {
                    origins.insert(value);
                    if let Some(op) = ir.defining_op(value)
                        && ir.def(op).call.is_none()
                        && values::result_memory(ir, op, value) != Memory::Heap
                    {
                        let memrefs = ir.operands(op).iter().copied();
                        pending.extend(memrefs.filter(|&v| ir.is_memref(v)));
                    }
                }
            }
        }
    }
    origins
}
