//! `linalg-cse-reductions`: contractions and other reductions that a block computes twice are computed once.
//!
//! Before:
//! ```mlir
//! %d0 = linalg.generic ... ins(%x, %y)   // elementwise
//! %p0 = linalg.matmul ins(%a, %d0 ...
//! %d1 = linalg.generic ... ins(%x, %y)   // the same
//! %p1 = linalg.matmul ins(%a, %d1 ...
//! ```
//! After:
//! ```mlir
//! %d0 = linalg.generic ... ins(%x, %y)
//! %p0 = linalg.matmul ins(%a, %d0 ...
//! ... %p0 for %p1 ...
//! ```
//! Equal elementwise operations stay, each to be fused with what uses it: as one they would have to be in memory
//! (`cnn_bn_train`, a network trained with batch norm, was 1.4 times as slow after `cse` of all).

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::ir::attrs::Dict;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::results::is_on_tensors;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-cse-reductions",
    summary: "compute equal contractions and reductions of a block once",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let reductions = ir.walk(ir.root()).filter(|&op| is_reduction(ir, op));
    let mut seen = FxHashSet::default();
    let blocks = reductions.filter_map(|op| ir.block_of(op));
    let blocks: Vec<Block> = blocks.filter(|&block| seen.insert(block)).collect();
    for block in blocks {
        context.count("reductions merged", merge_in(ir, block));
    }
    Ok(())
}

fn is_reduction(ir: &Ir, op: Op) -> bool {
    linalg::is_structured(ir, op)
        && is_on_tensors(ir, op)
        && interface::iterator_types(ir, op).contains(&IteratorType::Reduction)
}

/// Operations that do the same have equal keys.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The operation, and all inside of it.
    ops: Vec<Shape>,
}

#[derive(PartialEq, Eq, Hash)]
struct Shape {
    def: *const OpDef,
    attrs: Dict,
    operands: SmallVec<[Operand; 4]>,
    results: SmallVec<[Type; 2]>,
    /// Of the arguments of the blocks inside.
    arguments: SmallVec<[Type; 4]>,
}

#[derive(PartialEq, Eq, Hash)]
enum Operand {
    /// The first value that is equal to it.
    Outside(Value),
    /// The number of a value that is defined inside.
    Inside(u32),
}

/// Merges the equal reductions of a block. Returns how many there were.
fn merge_in(ir: &mut Ir, block: Block) -> u64 {
    let mut first: FxHashMap<Value, Value> = FxHashMap::default();
    let mut known: FxHashMap<Key, Op> = FxHashMap::default();
    let mut n_merged = 0;
    for op in ir.ops_in(block).collect::<Vec<Op>>() {
        let is_pure = ir.is_memory_effect_free(op)
            && !ir.has_trait(op, Traits::TERMINATOR)
            && !ir.has_trait(op, Traits::OWNS_ARENA)
            && !ir.results(op).is_empty();
        if !is_pure {
            continue;
        }
        let key = key_of(ir, op, &first);
        let Some(&leader) = known.get(&key) else {
            known.insert(key, op);
            continue;
        };
        let values = ir.results(leader).to_vec();
        if is_reduction(ir, op) {
            ir.replace_op(op, &values);
            n_merged += 1;
        } else {
            first.extend(ir.results(op).iter().copied().zip(values));
        }
    }
    n_merged
}

fn key_of(ir: &Ir, op: Op, first: &FxHashMap<Value, Value>) -> Key {
    let mut inside: FxHashMap<Value, u32> = FxHashMap::default();
    let mut ops = Vec::new();
    for op in ir.walk(op) {
        let mut arguments = SmallVec::new();
        let regions = ir.regions(op).iter();
        for block in regions.flat_map(|&region| ir.blocks_in(region)) {
            for &argument in ir.block_args(block) {
                inside.insert(argument, inside.len() as u32);
                arguments.push(ir.value_type(argument));
            }
        }
        let operands = ir.operands(op).iter().map(|value| match inside.get(value) {
            Some(&number) => Operand::Inside(number),
            None => Operand::Outside(first.get(value).copied().unwrap_or(*value)),
        });
        ops.push(Shape {
            def: ir.def(op),
            attrs: ir.attrs(op),
            operands: operands.collect(),
            results: ir.results(op).iter().map(|&v| ir.value_type(v)).collect(),
            arguments,
        });
        for &result in ir.results(op) {
            inside.insert(result, inside.len() as u32);
        }
    }
    Key { ops }
}
