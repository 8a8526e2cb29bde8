//! `linalg-hoist-invariants`: sums and products of what a loop does not change are computed before it.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %x0) -> (tensor<8x16xf32>) {
//!   %sum = linalg.reduce { arith.addf } ins(%points : tensor<1000x16xf32>) outs(%zeros : tensor<1000xf32>) ...
//!   ... %sum and %x ...
//! }
//! ```
//! After:
//! ```mlir
//! %sum = linalg.reduce { arith.addf } ins(%points : tensor<1000x16xf32>) outs(%zeros : tensor<1000xf32>) ...
//! scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %x0) -> (tensor<8x16xf32>) {
//!   ... %sum and %x ...
//! }
//! ```
//! Reductions leave the loop, and elementwise operations that a contraction of the loop reads, which would be in memory
//! in each iteration. Other elementwise operations cost less where they are fused. The results are there while the loop
//! runs, so they are at most as large as what they are computed from.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::{arith, linalg, scf, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashSet;

use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_plain_products;
use crate::analysis::loop_memory::is_outside;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-hoist-invariants",
    summary: "compute reductions of what a loop does not change before it",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Inner loops first: what leaves one may leave the next.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is(op, &scf::FOR) && !ir.is(op, &scf::WHILE) {
            continue;
        }
        let entries = ir
            .regions(op)
            .iter()
            .filter_map(|&region| ir.entry_block(region));
        for block in entries.collect::<Vec<Block>>() {
            context.count("operations hoisted", hoist(ir, op, block));
        }
    }
    Ok(())
}

/// Moves what is worth it from a block of a loop to before the loop. Returns how many operations are.
fn hoist(ir: &mut Ir, loop_op: Op, block: Block) -> u64 {
    let ops: Vec<Op> = ir.ops_in(block).collect();
    let mut invariant = FxHashSet::default();
    for &op in &ops {
        if is_invariant(ir, op, loop_op, &invariant) {
            invariant.insert(op);
        }
    }
    let is_target = |op: &Op| invariant.contains(op) && is_worth_it(ir, *op, &invariant);
    let targets: Vec<Op> = ops.iter().copied().filter(is_target).collect();
    let mut wanted: FxHashSet<Op> = targets.iter().copied().collect();
    let mut open = targets.clone();
    while let Some(op) = open.pop() {
        for op in ir.walk(op) {
            let defining = ir
                .operands(op)
                .iter()
                .filter_map(|&value| ir.defining_op(value));
            open.extend(defining.filter(|op| invariant.contains(op) && wanted.insert(*op)));
        }
    }
    let mut map = IrMap::default();
    let mut b = Builder::before(ir, loop_op);
    for &op in ops.iter().filter(|op| wanted.contains(op)) {
        let copy = b.ir.clone_op(op, &mut map);
        b.insert(copy);
    }
    for &op in &targets {
        let old = ir.result(op, 0);
        ir.replace_all_uses(old, map.value(old));
    }
    // Others may still use what was computed on the way.
    for op in ops.into_iter().rev().filter(|op| wanted.contains(op)) {
        if ir.is_unused(op) {
            ir.erase_op(op);
        }
    }
    targets.len() as u64
}

/// Whether an operation can be done before the loop: nothing that it uses changes, and nothing happens if it is not
/// wanted.
fn is_invariant(ir: &Ir, op: Op, loop_op: Op, invariant: &FxHashSet<Op>) -> bool {
    let moves = [
        &tensor::EMPTY,
        &tensor::COLLAPSE_SHAPE,
        &tensor::EXPAND_SHAPE,
    ];
    let computes = [&linalg::FILL, &linalg::GENERIC, &linalg::TRANSPOSE];
    let is_one = |op, rows: &[_]| rows.iter().any(|&row| ir.is(op, row));
    let is_known = (is_one(op, &computes) && is_on_tensors(ir, op))
        || is_one(op, &moves)
        || ir.regions(op).is_empty() && arith::is_speculatable(ir, op);
    let is_fixed = |value: Value| {
        is_outside(ir, value, loop_op)
            || !is_outside(ir, value, op)
            || (ir.defining_op(value)).is_some_and(|def| invariant.contains(&def))
    };
    is_known
        && has_known_sizes(ir, op)
        && ir.walk(op).all(|inner| {
            (inner == op || ir.is(inner, &linalg::YIELD) || arith::is_speculatable(ir, inner))
                && ir.operands(inner).iter().all(|&value| is_fixed(value))
        })
}

/// Whether no size is left to the run: sizes that do not fit are wrong only where the loop runs.
fn has_known_sizes(ir: &Ir, op: Op) -> bool {
    let mut values = ir.operands(op).iter().chain(ir.results(op));
    values.all(|&value| {
        let shape = ir.context().shape(ir.value_type(value));
        shape.is_none_or(|shape| !shape.contains(&DYNAMIC))
    })
}

/// Whether the result of an operation had better be there before the loop.
fn is_worth_it(ir: &Ir, op: Op, invariant: &FxHashSet<Op>) -> bool {
    if !ir.is(op, &linalg::GENERIC) || ir.results(op).len() != 1 || !is_not_larger(ir, op) {
        return false;
    }
    let result = ir.result(op, 0);
    let is_reduction = |kind: &IteratorType| *kind == IteratorType::Reduction;
    if interface::iterator_types(ir, op).iter().any(is_reduction) {
        return true;
    }
    // What only moves elements is part of how they are read.
    let computes = interface::body(ir, op).is_some_and(|body| ir.ops_in(body).count() > 1);
    let is_factor = |user: Op| {
        ir.is(user, &linalg::GENERIC)
            && !invariant.contains(&user)
            && interface::n_inputs(ir, user) == 2
            && adds_up_plain_products(ir, user)
    };
    computes && ir.uses(result).iter().any(|user| is_factor(user.op))
}

/// Whether the result takes at most as many bytes as one of the inputs.
fn is_not_larger(ir: &Ir, op: Op) -> bool {
    let bytes = |value| {
        let shape = tensors::shape(ir, value);
        let element = ir
            .context()
            .element_byte_size(tensors::element(ir, value))?;
        let n = |n: i64, &size: &i64| n.checked_mul(size);
        (!shape.contains(&DYNAMIC)).then(|| shape.iter().try_fold(element as i64, n))?
    };
    let inputs = &ir.operands(op)[..interface::n_inputs(ir, op)];
    let largest = inputs.iter().filter_map(|&input| bytes(input)).max();
    bytes(ir.result(op, 0)).is_some_and(|size| largest.is_some_and(|largest| size <= largest))
}
