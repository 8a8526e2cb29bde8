//! `mem2reg`: a variable on the stack that is only read and written becomes values.
//!
//! Before:
//! ```mlir
//! %a = memref.alloca() : memref<i32>
//! memref.store %x, %a[] : memref<i32>
//! %v = memref.load %a[] : memref<i32>
//! ```
//! After: `%x` stands for `%v`.
//!
//! All accesses stand in the region of the allocation, as upstream wants them. Where blocks come together with different
//! values, the value becomes an argument of the block. A read before the first write is poison. An allocation in a
//! loop made of blocks is a new one each time, which starts as poison again.

use std::collections::BTreeMap;

use freehold_frontend::dialects::memref::{self, Load, Store};
use freehold_frontend::dialects::ub;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// accepted for compatibility; canonicalize simplifies blocks and their arguments
        "region-simplify" region_simplify: bool = true,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "mem2reg",
    summary: "turn variables on the stack into values",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    // A checked run wants to see every access.
    if ir.context().keeps_memory_operations() {
        return Ok(());
    }
    let mut graphs: FxHashMap<Region, Graph> = FxHashMap::default();
    let mut n_promoted = 0;
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || !ir.is(op, &memref::ALLOCA) || !is_promotable(ir, op) {
            continue;
        }
        let Some(region) = ir.parent_region(op) else {
            continue;
        };
        let graph = graphs
            .entry(region)
            .or_insert_with(|| Graph::new(ir, region));
        n_promoted += u64::from(promote(ir, op, graph));
    }
    context.count("variables promoted", n_promoted);
    Ok(())
}

/// The blocks of a region, which promotion does not change.
struct Graph {
    tree: DominatorTree,
    /// Of each block those that it does not strictly dominate, though it dominates one of their predecessors.
    frontiers: FxHashMap<Block, Vec<Block>>,
}

impl Graph {
    fn new(ir: &Ir, region: Region) -> Self {
        let tree = DominatorTree::new(ir, region);
        let mut frontiers: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for join in ir
            .blocks_in(region)
            .filter(|&block| tree.is_reachable(block))
        {
            for before in ir
                .predecessors(join)
                .filter(|&block| tree.is_reachable(block))
            {
                let mut runner = Some(before);
                while let Some(block) =
                    runner.filter(|&block| !tree.strictly_dominates(block, join))
                {
                    let frontier = frontiers.entry(block).or_default();
                    if frontier.last() != Some(&join) {
                        frontier.push(join);
                    }
                    runner = tree.idom(block);
                }
            }
        }
        Self { tree, frontiers }
    }
}

/// Whether a variable of one element is only read and written, in its own region.
fn is_promotable(ir: &Ir, alloca: Op) -> bool {
    let variable = ir.result(alloca, 0);
    let Some(ty) = ir.context().as_memref(ir.value_type(variable)) else {
        return false;
    };
    let holds_buffer = ir.context().is_memref(ty.element);
    ty.n_elements() == Some(1)
        && !holds_buffer
        && ir.uses(variable).iter().all(|u| {
            ir.parent_region(u.op) == ir.parent_region(alloca)
                && (ir.is(u.op, &memref::LOAD)
                    || Store::cast(ir, u.op).is_some_and(|store| store.value(ir) != variable))
        })
}

/// The blocks whose arguments the variable becomes: where different stores come together, and a load comes before the
/// next store. `None` if not all accesses can be reached.
fn merges(
    ir: &Ir,
    graph: &Graph,
    alloca: Op,
    accesses: &BTreeMap<Block, Vec<Op>>,
) -> Option<FxHashSet<Block>> {
    let tree = &graph.tree;
    let home = ir.block_of(alloca)?;
    if !tree.is_reachable(home) || accesses.keys().any(|&block| !tree.is_reachable(block)) {
        return None;
    }
    // Where the value is needed on entry.
    let is_load_first = |block: Block| {
        let first = accesses.get(&block).and_then(|list| list.first());
        first.is_some_and(|&op| ir.is(op, &memref::LOAD))
    };
    let stores = |block: Block| {
        accesses
            .get(&block)
            .is_some_and(|list| list.iter().any(|&op| ir.is(op, &memref::STORE)))
    };
    let mut live_in: FxHashSet<Block> = FxHashSet::default();
    let mut stack: Vec<Block> = (accesses.keys().copied())
        .filter(|&block| block != home && is_load_first(block))
        .collect();
    while let Some(block) = stack.pop() {
        if !live_in.insert(block) {
            continue;
        }
        let before = ir
            .predecessors(block)
            .filter(|&before| before != home && tree.is_reachable(before) && !stores(before));
        stack.extend(before);
    }
    // Iterated dominance frontier of the stores and the allocation, where it is needed.
    let mut merges: FxHashSet<Block> = FxHashSet::default();
    let mut work: Vec<Block> = accesses
        .keys()
        .copied()
        .filter(|&block| stores(block))
        .collect();
    work.push(home);
    while let Some(block) = work.pop() {
        for &join in graph.frontiers.get(&block).map_or(&[][..], Vec::as_slice) {
            if live_in.contains(&join) && merges.insert(join) {
                work.push(join);
            }
        }
    }
    Some(merges)
}

/// Replaces a variable by values; returns whether it did.
fn promote(ir: &mut Ir, alloca: Op, graph: &Graph) -> bool {
    let tree = &graph.tree;
    let variable = ir.result(alloca, 0);
    let ty = ir.context().element_type_or_self(ir.value_type(variable));
    let mut accesses: BTreeMap<Block, Vec<Op>> = BTreeMap::new();
    for u in ir.uses(variable) {
        let Some(block) = ir.block_of(u.op) else {
            return false;
        };
        accesses.entry(block).or_default().push(u.op);
    }
    for list in accesses.values_mut() {
        list.sort_by(|&a, &b| match (a == b, ir.is_before_in_block(a, b)) {
            (true, _) => std::cmp::Ordering::Equal,
            (_, true) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        });
    }
    let Some(merges) = merges(ir, graph, alloca, &accesses) else {
        return false;
    };
    // Every branch into such a block must be able to pass one more value.
    let branches = |ir: &Ir, block: Block| -> Vec<(Op, usize)> {
        ir.block_uses(block)
            .iter()
            .map(|u| (u.op, u.index as usize))
            .collect()
    };
    let order: Vec<Block> = tree.preorder().collect();
    let joins: Vec<Block> = order
        .iter()
        .copied()
        .filter(|block| merges.contains(block))
        .collect();
    let can_pass = joins.iter().all(|&block| {
        branches(ir, block)
            .iter()
            .all(|&(op, _)| ir.def(op).branch.is_some())
    });
    if !can_pass {
        return false;
    }
    let mut entry: FxHashMap<Block, Value> = FxHashMap::default();
    for &block in &joins {
        let argument = ir.append_block_arg(block, ty);
        entry.insert(block, argument);
    }
    let mut poison: Option<Value> = None;
    let mut at_end: FxHashMap<Block, Value> = FxHashMap::default();
    let home = ir.block_of(alloca);
    for &block in &order {
        let mut value = if Some(block) == home {
            None
        } else if let Some(&argument) = entry.get(&block) {
            Some(argument)
        } else {
            tree.idom(block)
                .and_then(|above| at_end.get(&above).copied())
        };
        for op in accesses.remove(&block).unwrap_or_default() {
            if Load::cast(ir, op).is_some() {
                let known = match value {
                    Some(value) => value,
                    None => *poison.get_or_insert_with(|| build_poison(ir, alloca, ty)),
                };
                value = Some(known);
                ir.replace_op(op, &[known]);
            } else {
                value = Some(Store(op).value(ir));
                ir.erase_op(op);
            }
        }
        if let Some(value) = value {
            at_end.insert(block, value);
        }
    }
    for &block in &joins {
        for (branch, index) in branches(ir, block) {
            let from = ir.block_of(branch);
            let value = from.and_then(|from| at_end.get(&from).copied());
            let value = match value {
                Some(value) => value,
                None => *poison.get_or_insert_with(|| build_poison(ir, alloca, ty)),
            };
            if let Some(interface) = ir.def(branch).branch {
                (interface.append_successor_operands)(ir, branch, index, &[value]);
            }
        }
    }
    ir.erase_op(alloca);
    true
}

/// The value of reads before the first write, at the allocation.
fn build_poison(ir: &mut Ir, alloca: Op, ty: Type) -> Value {
    let value = ub::poison_attr(ir.context());
    Builder::before(ir, alloca).value_with_attr(&ub::POISON, &[], ty, Name::VALUE, value)
}
