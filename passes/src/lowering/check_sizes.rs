//! `check-sizes`: what operations require of sizes that are known at run time becomes a precondition of the function
//! where callers know these sizes, and an assertion elsewhere.
//!
//! Before:
//! ```mlir
//! func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %c: i1) {
//!   linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
//!   scf.if %c {
//!     %e = memref.alloc(%n) : memref<?xf32>
//!     memref.copy %a, %e : memref<?xf32> to memref<?xf32>
//!     ...
//! ```
//! After:
//! ```mlir
//! func.func @f(...) attributes {freehold.requires =
//!     [[affine_map<()[s0, s1] -> (s0, s1)>, "equal", [1, 0, 0, 0]]]} {
//!   linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
//!   scf.if %c {
//!     %e = memref.alloc(%n) : memref<?xf32>
//!     %d = memref.dim %a, %c0 : memref<?xf32>
//!     %0 = arith.cmpi eq, %n, %d : index
//!     cf.assert %0, "dimension #0 of operand #1 of 'memref.copy' is incompatible with dimension #0 of operand #0"
//!     memref.copy %a, %e : memref<?xf32> to memref<?xf32>
//!     ...
//! ```
//!
//! A requirement is a precondition if every call gets to it: its operation stands in the first block. What a call inside
//! of the program has to ensure is a requirement of the call. Functions that call each other in a circle, and those
//! whose callers are unknown, assert instead. Requirements that hold by how sizes are computed leave nothing behind
//! (`analysis/sizes`).

mod requirements;

use freehold_frontend::dialects::func::preconditions::{
    Precondition, Relation, preconditions, set_preconditions,
};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op};
use freehold_frontend::ir::names::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::sizes::{Sizes, Sum};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, callees_first, symbols_used_as_values};
use requirements::{Place, Requirement, Requirements};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "check-sizes",
    summary: "make what operations require of run-time sizes preconditions of functions, or assert it",
    anchor: Anchor::Module,
    run: |ir, context: &mut PassContext<'_>| {
        let (n_preconditions, n_assertions) = check_module(ir);
        context.count("preconditions", n_preconditions);
        context.count("assertions", n_assertions);
        Ok::<(), Failed>(())
    },
};

/// What callers of functions have to ensure, by name.
type Summaries = FxHashMap<String, Vec<Precondition>>;

fn check_module(ir: &mut Ir) -> (u64, u64) {
    let (mut n_preconditions, mut n_assertions) = (0, 0);
    let order = callees_first(ir);
    let asserting = functions_that_assert(ir, &order);
    let mut summaries = Summaries::default();
    for stub in order {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        if function.has_attr(function.root(), Name::SIZES_ARE_CHECKED) {
            continue;
        }
        let asserts = asserting.contains(&stub);
        let outcome = Function::check(function, &summaries, asserts);
        n_preconditions += outcome.preconditions.len() as u64;
        n_assertions += outcome.assertions.len() as u64;
        insert(function, &outcome.sizes, outcome.assertions);
        set_preconditions(function, &outcome.preconditions);
        let name = function.symbol_name(function.root()).unwrap_or_default();
        summaries.insert(name.to_owned(), outcome.preconditions);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            let counts = check_module(nested);
            n_preconditions += counts.0;
            n_assertions += counts.1;
        }
    }
    (n_preconditions, n_assertions)
}

/// The functions that the module calls before their requirements are known, or whose callers are unknown.
fn functions_that_assert(ir: &Ir, order: &[Op]) -> FxHashSet<Op> {
    let as_values = symbols_used_as_values(ir);
    let mut by_name: FxHashMap<&str, Op> = FxHashMap::default();
    let mut asserting = FxHashSet::default();
    for &stub in order {
        let Some(name) = ir.symbol_name(stub) else {
            continue;
        };
        by_name.insert(name, stub);
        if as_values.contains(name) {
            asserting.insert(stub);
        }
    }
    let mut done: FxHashSet<Op> = FxHashSet::default();
    for &stub in order {
        let Some(function) = ir.nested(stub) else {
            continue;
        };
        for op in function.walk(function.root()) {
            let called = callee(function, op).and_then(|name| by_name.get(name));
            if let Some(&called) = called
                && !done.contains(&called)
            {
                asserting.insert(called);
            }
        }
        done.insert(stub);
    }
    asserting
}

/// A requirement that is to be checked where it stands.
struct Assertion {
    op: Op,
    requirement: Requirement,
    message: String,
}

/// What a function comes to.
struct Outcome {
    sizes: Sizes,
    preconditions: Vec<Precondition>,
    assertions: Vec<Assertion>,
}

/// What makes two requirements the same one.
type Key = (Relation, Sum, Vec<Sum>);

/// A function that is looked at.
struct Function<'a> {
    requirements: Requirements<'a>,
    summaries: &'a Summaries,
    asserts: bool,
    preconditions: Vec<Precondition>,
    assertions: Vec<Assertion>,
    /// What callers ensure.
    ensured: FxHashSet<Key>,
    /// The conditions that are asserted, and in which blocks.
    asserted: FxHashMap<Key, Vec<Block>>,
}

impl<'a> Function<'a> {
    fn check(ir: &'a Ir, summaries: &'a Summaries, asserts: bool) -> Outcome {
        let mut function = Self {
            requirements: Requirements {
                ir,
                sizes: Sizes::default(),
                found: Vec::new(),
            },
            summaries,
            asserts,
            preconditions: preconditions(ir),
            assertions: Vec::new(),
            ensured: FxHashSet::default(),
            asserted: FxHashMap::default(),
        };
        function.walk();
        Outcome {
            sizes: function.requirements.sizes,
            preconditions: function.preconditions,
            assertions: function.assertions,
        }
    }

    /// Looks at operations in textual order, at their results after their regions.
    fn walk(&mut self) {
        let ir = self.requirements.ir;
        let mut open: Vec<Op> = Vec::new();
        for op in ir.walk(ir.root()) {
            while let Some(&last) = open.last()
                && !ir.is_ancestor(last, op)
            {
                self.requirements.sizes.leave(ir, last);
                open.pop();
            }
            let is_whole = ir.regions(op).is_empty();
            if is_whole {
                self.requirements.sizes.leave(ir, op);
            }
            self.requirements.of(op);
            for requirement in std::mem::take(&mut self.requirements.found) {
                self.settle(op, requirement);
            }
            self.call(op);
            if !is_whole {
                self.requirements.sizes.enter(ir, op);
                open.push(op);
            }
        }
    }

    /// What `op` has to ensure for the function that it calls.
    fn call(&mut self, op: Op) {
        let ir = self.requirements.ir;
        let summaries = self.summaries;
        let Some(callee) = callee(ir, op).and_then(|name| summaries.get(name)) else {
            return;
        };
        for precondition in callee {
            let sizes = &mut self.requirements.sizes;
            let operands = ir.operands(op);
            let symbols: Option<Vec<Sum>> = (precondition.symbols.iter())
                .map(|known| {
                    let value = *operands.get(known.argument)?;
                    Some(match known.dim {
                        Some(dim) => sizes.size(ir, value, dim),
                        None => sizes.number(ir, value),
                    })
                })
                .collect();
            let Some(symbols) = symbols else {
                continue;
            };
            if let Some(requirement) = Requirement::of_call(precondition, &symbols, sizes) {
                self.settle(op, requirement);
            }
        }
    }

    fn settle(&mut self, op: Op, mut requirement: Requirement) {
        let ir = self.requirements.ir;
        let sizes = &mut self.requirements.sizes;
        let check = &mut requirement.check;
        check.left = sizes.resolved(&check.left);
        check.right = sizes.resolved(&check.right);
        let difference = check.left.plus(&check.right, -1);
        let holds = match check.relation {
            Relation::Equal => difference.as_constant() == Some(0),
            Relation::AtLeast => sizes.is_size(&difference),
        };
        if holds {
            return;
        }
        let key = (check.relation, difference.clone(), check.counts.clone());
        if self.ensured.contains(&key) {
            return;
        }
        let block = ir.block_of(op);
        let is_always_run = block.is_some() && block == ir.root_block();
        if is_always_run
            && !self.asserts
            && difference.as_constant().is_none()
            && let Some(precondition) = check.as_precondition(ir, sizes)
        {
            if !self.preconditions.contains(&precondition) {
                self.preconditions.push(precondition);
            }
            if check.relation == Relation::Equal && check.counts.is_empty() {
                sizes.equate(&check.left, &check.right);
            }
            self.ensured.insert(key);
            return;
        }
        if requirement.place == Place::Callers {
            return;
        }
        let Some(block) = block else {
            return;
        };
        let known = self.asserted.entry(key).or_default();
        let is_asserted = known
            .iter()
            .any(|&asserted| asserted == block || ir.ancestor_in_block(op, asserted).is_some());
        if !is_asserted {
            known.push(block);
            let message = requirement.misfit.describe(ir, op);
            self.assertions.push(Assertion {
                op,
                requirement,
                message,
            });
        }
    }
}

/// Inserts assertions.
fn insert(ir: &mut Ir, sizes: &Sizes, assertions: Vec<Assertion>) {
    for Assertion {
        op,
        requirement,
        message,
    } in assertions
    {
        let mut builder = match requirement.place {
            Place::After => Builder::after(ir, op),
            Place::Before | Place::Callers => Builder::before(ir, op),
        };
        requirement.check.assert(&mut builder, sizes, &message);
    }
}
