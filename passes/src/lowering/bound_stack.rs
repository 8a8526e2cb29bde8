//! `bound-stack`: how many bytes of buffers each function may put on the stack, so that no chain of calls takes more
//! than a limit.
//!
//! Before:
//! ```mlir
//! func.func @leaf() {
//!   return
//! }
//! func.func @caller() {
//!   call @leaf() : () -> ()
//!   return
//! }
//! ```
//! After (with `max-stack-bytes=4096`):
//! ```mlir
//! func.func @leaf() attributes {freehold.stack_bytes = 2048 : i64} {
//!   return
//! }
//! func.func @caller() attributes {freehold.stack_bytes = 2048 : i64} {
//!   call @leaf() : () -> ()
//!   return
//! }
//! ```
//!
//! Passes that put buffers on the stack keep to the attribute; what the program has there itself counts.
//!
//! Soundness: a function gets the limit divided by the length of the longest chain of calls that it is part of. On any
//! chain each function is part of one at least as long, so all parts together are at most the limit. A function that may
//! call itself, by way of others or through a value, gets nothing, so it does not matter how often it is on a chain.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::interfaces::Callee;
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashMap;

use crate::analysis::call_order::callees_first;
use crate::analysis::stack_budget::{self, STACK_BYTES};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// bytes of buffers that a chain of calls may put on the stack
        "max-stack-bytes" max_stack_bytes: u64 = 65_536,
        /// leave limits that are there; functions without one get nothing of the stack
        "rest" rest: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "bound-stack",
    summary: "limit the buffers that chains of calls may put on the stack",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    bound(ir, context.options);
    Ok(())
}

fn bound(ir: &mut Ir, options: &Options) {
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            bound(nested, options);
        }
    }
    if options.rest {
        for stub in functions::functions(ir) {
            if let Some(function) = ir.nested_mut(stub)
                && !stack_budget::is_bounded(function)
            {
                allow(function, 0);
            }
        }
        return;
    }
    let stubs: Vec<Op> = functions::functions(ir)
        .into_iter()
        .filter(|&stub| ir.nested(stub).is_some_and(|f| f.root_block().is_some()))
        .collect();
    let chains = Chains::of(ir, &stubs);
    let longest = chains.longest();
    for (at, &stub) in stubs.iter().enumerate() {
        let bytes = match chains.is_recursive[at] {
            true => 0,
            false => options.max_stack_bytes / longest[at],
        };
        if let Some(function) = ir.nested_mut(stub) {
            allow(function, bytes);
        }
    }
}

/// Allows the function `ir` this many bytes.
fn allow(ir: &mut Ir, bytes: u64) {
    let name = ir.context().intern_name(STACK_BYTES);
    let bytes = ir
        .context()
        .i64_attr(i64::try_from(bytes).unwrap_or(i64::MAX));
    ir.set_attr(ir.root(), name, bytes);
}

/// The calls between functions of a module.
struct Chains {
    callees: Vec<Vec<usize>>,
    /// Whether a function may call itself.
    is_recursive: Vec<bool>,
    /// The circle of calls that each function is part of, most of them of one function. No function calls one of a circle
    /// with a lower number.
    circle: Vec<usize>,
}

impl Chains {
    fn of(ir: &Ir, stubs: &[Op]) -> Self {
        let by_name: FxHashMap<&str, usize> = (stubs.iter().enumerate())
            .filter_map(|(at, &stub)| Some((ir.symbol_name(stub)?, at)))
            .collect();
        let mut callees: Vec<Vec<usize>> = Vec::with_capacity(stubs.len());
        let mut calls_anything = vec![false; stubs.len()];
        for (at, &stub) in stubs.iter().enumerate() {
            let mut known = Vec::new();
            let function = ir.nested(stub).expect("it has a body");
            for op in function.walk(function.root()) {
                let Some(interface) = function.def(op).call else {
                    continue;
                };
                match (interface.callee)(function, op) {
                    Callee::Symbol(symbol) => {
                        let name = function.context().attr_flat_symbol(symbol);
                        known.extend(name.and_then(|name| by_name.get(name)));
                    }
                    Callee::Value(_) => calls_anything[at] = true,
                }
            }
            known.sort_unstable();
            known.dedup();
            callees.push(known);
        }
        // Through a value, any function that is one may be called.
        let as_values: Vec<usize> = stubs
            .iter()
            .filter_map(|&stub| ir.nested(stub))
            .flat_map(|function| {
                let constants = function.walk(function.root());
                let constants = constants.filter(|&op| function.is(op, &func::CONSTANT));
                let names = constants.filter_map(|op| {
                    let value = function.attr(op, Name::VALUE)?;
                    function.context().attr_flat_symbol(value)
                });
                names
                    .filter_map(|name| by_name.get(name).copied())
                    .collect::<Vec<usize>>()
            })
            .collect();
        for (at, calls_anything) in calls_anything.into_iter().enumerate() {
            if calls_anything {
                callees[at].extend_from_slice(&as_values);
                callees[at].sort_unstable();
                callees[at].dedup();
            }
        }
        let (circle, sizes) = circles(&callees);
        let is_recursive = (0..callees.len())
            .map(|at| sizes[circle[at]] > 1 || callees[at].contains(&at))
            .collect();
        Self {
            callees,
            is_recursive,
            circle,
        }
    }

    /// The number of functions on the longest chain that each is part of, those left out that may call themselves.
    fn longest(&self) -> Vec<u64> {
        let n = self.circle.iter().max().map_or(0, |last| last + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (at, &circle) in self.circle.iter().enumerate() {
            members[circle].push(at);
        }
        let weight = |circle: usize| u64::from(!self.is_recursive[members[circle][0]]);
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut down = vec![0; n];
        for circle in (0..n).rev() {
            let callees = members[circle].iter().flat_map(|&at| &self.callees[at]);
            let others = callees
                .map(|&callee| self.circle[callee])
                .filter(|&c| c != circle);
            let mut longest = 0;
            for other in others {
                callers[other].push(circle);
                longest = longest.max(down[other]);
            }
            down[circle] = longest + weight(circle);
        }
        let mut up = vec![0; n];
        for circle in 0..n {
            let longest = callers[circle].iter().map(|&caller| up[caller]).max();
            up[circle] = longest.unwrap_or(0) + weight(circle);
        }
        let longest = |&circle: &usize| (down[circle] + up[circle]).saturating_sub(1).max(1);
        self.circle.iter().map(longest).collect()
    }
}

/// The circle of each function, and the number of functions in each: Kosaraju's algorithm.
fn circles(callees: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut callers = vec![Vec::new(); callees.len()];
    for (at, known) in callees.iter().enumerate() {
        for &callee in known {
            callers[callee].push(at);
        }
    }
    let (order, _) = callees_first(callees.len(), |at| callees[at].clone());
    let mut circle: Vec<Option<usize>> = vec![None; callees.len()];
    let mut sizes: Vec<usize> = Vec::new();
    for &first in order.iter().rev() {
        if circle[first].is_some() {
            continue;
        }
        let number = sizes.len();
        sizes.push(0);
        let mut pending = vec![first];
        while let Some(at) = pending.pop() {
            if circle[at].is_none() {
                circle[at] = Some(number);
                sizes[number] += 1;
                pending.extend_from_slice(&callers[at]);
            }
        }
    }
    (circle.into_iter().flatten().collect(), sizes)
}
