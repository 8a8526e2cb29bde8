//! Whether values are defined before they are used, on every path, and in a
//! place that the use can see.
//!
//! One walk; each use takes constant time. The walk knows the operations
//! around the current one, outermost first, and how deep each region is, so
//! it finds the operation that stands for a use in the region of a definition
//! without climbing.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use crate::ir::data::Ir;
use crate::ir::dominance::DominatorTree;
use crate::ir::entities::{Block, Op, Region, Value, ValueDef};
use crate::ir::op_def::Traits;

use super::Cx;

/// How deep a region is that the walk has not entered.
const NOT_ENTERED: u32 = u32::MAX;

/// Checks all uses in `ops`, a walk of the whole arena.
pub(super) fn check(cx: &mut Cx<'_>, ops: &[Op]) {
    let mut walk = Walk {
        ir: cx.ir,
        path: Vec::new(),
        isolated: Vec::new(),
        depth: SecondaryMap::with_default(NOT_ENTERED),
        trees: FxHashMap::default(),
    };
    for (order, &op) in ops.iter().enumerate() {
        walk.enter(op);
        if !walk.is_reachable(op) {
            continue;
        }
        for index in 0..cx.ir.operands(op).len() {
            if let Some(problem) = walk.problem(op, index) {
                report(cx, order as u32, op, index, problem);
                break;
            }
        }
    }
}

/// The error of a use.
enum Problem {
    /// Its value is outside of this operation, which is isolated.
    Isolated(Op),
    /// Its value may not have been computed.
    NotDominated,
}

struct Walk<'a> {
    ir: &'a Ir,
    /// The current operation and those around it, outermost first.
    path: Vec<Op>,
    /// For each operation of the path, the depth of the innermost isolated
    /// one that is or holds it, besides the root.
    isolated: Vec<Option<usize>>,
    /// The index in `path` of operations that are directly in a region.
    depth: SecondaryMap<Region, u32>,
    /// The trees of the regions with more than one block.
    trees: FxHashMap<Region, DominatorTree>,
}

impl Walk<'_> {
    /// Goes on to `op`, the next operation of a pre-order walk.
    fn enter(&mut self, op: Op) {
        let ir = self.ir;
        let parent = ir.parent_op(op);
        while self.path.last().copied() != parent && !self.path.is_empty() {
            self.path.pop();
            self.isolated.pop();
        }
        let isolated = match self.path.is_empty() {
            false if ir.has_trait(op, Traits::ISOLATED_FROM_ABOVE) => Some(self.path.len()),
            _ => self.isolated.last().copied().flatten(),
        };
        self.path.push(op);
        self.isolated.push(isolated);
        for &region in ir.regions(op) {
            self.depth[region] = self.path.len() as u32;
            let has_edges = ir
                .entry_block(region)
                .is_some_and(|entry| ir.next_block(entry).is_some());
            if has_edges {
                self.trees.insert(region, DominatorTree::new(ir, region));
            }
        }
    }

    fn is_reachable(&self, op: Op) -> bool {
        let Some(block) = self.ir.block_of(op) else {
            return true;
        };
        self.ir
            .region_of(block)
            .and_then(|region| self.trees.get(&region))
            .is_none_or(|tree| tree.is_reachable(block))
    }

    /// The error of operand `index` of `op`, the current operation.
    fn problem(&self, op: Op, index: usize) -> Option<Problem> {
        let ir = self.ir;
        let value = ir.operand(op, index);
        let Some((block, region)) = ir
            .value_block(value)
            .and_then(|block| Some((block, ir.region_of(block)?)))
        else {
            return Some(Problem::NotDominated);
        };
        let depth = self.depth[region] as usize;
        // The operation of that region that the walk is in, if it still is.
        let standing = self
            .path
            .get(depth)
            .copied()
            .filter(|&standing| ir.parent_region(standing) == Some(region));
        let Some(standing) = standing else {
            return Some(Problem::NotDominated);
        };
        // The operation itself may be isolated: its operands are outside.
        let around = self.isolated[self.path.len() - 2];
        if let Some(isolated) = around
            && isolated >= depth
        {
            return Some(Problem::Isolated(self.path[isolated]));
        }
        if self.is_visible(value, block, region, standing) {
            None
        } else {
            Some(Problem::NotDominated)
        }
    }

    /// Whether `value`, of `block` in `region`, is defined before `standing`,
    /// which is in `region` too.
    fn is_visible(&self, value: Value, block: Block, region: Region, standing: Op) -> bool {
        let ir = self.ir;
        let Some(at) = ir.block_of(standing) else {
            return false;
        };
        if at != block {
            return self
                .trees
                .get(&region)
                .is_some_and(|tree| tree.dominates(block, at));
        }
        match ir.value_def(value) {
            ValueDef::Argument(..) => true,
            ValueDef::Result(def, _) => {
                ir.has_trait(ir.region_owner(region), Traits::GRAPH_REGION)
                    || (def != standing && ir.is_before_in_block(def, standing))
            }
        }
    }
}

fn report(cx: &mut Cx<'_>, order: u32, op: Op, index: usize, problem: Problem) {
    let ir = cx.ir;
    let loc = ir.loc(op);
    if let Problem::Isolated(isolated) = problem {
        let name = ir.op_name(op);
        let message = format!("'{name}' op using value defined outside the region");
        cx.error(order, loc, message);
        cx.note(
            ir.loc(isolated),
            "required by region isolation constraints".to_owned(),
        );
        return;
    }
    let message = format!("operand #{index} does not dominate this use");
    cx.error(order, loc, message);
    let value = ir.operand(op, index);
    let place = relation(ir, op, value);
    let note = match ir.value_def(value) {
        ValueDef::Result(..) => {
            let op = if place.starts_with("neither") {
                "op is"
            } else {
                "op"
            };
            format!("operand defined here ({op} {place})")
        }
        ValueDef::Argument(block, _) => {
            let number = ir.region_of(block).map_or(0, |region| {
                ir.blocks_in(region).take_while(|&b| b != block).count()
            });
            format!("operand defined as a block argument (block #{number} {place})")
        }
    };
    let definition = match ir.value_def(value) {
        ValueDef::Result(def, _) => ir.loc(def),
        ValueDef::Argument(block, _) => ir.block_parent_op(block).map_or(loc, |op| ir.loc(op)),
    };
    cx.note(definition, note);
}

/// Where `value` is defined, seen from `op`.
fn relation(ir: &Ir, op: Op, value: Value) -> &'static str {
    let (Some(use_block), Some(def_block)) = (ir.block_of(op), ir.value_block(value)) else {
        return "neither in a parent nor in a child region";
    };
    let (use_region, def_region) = (ir.region_of(use_block), ir.region_of(def_block));
    let contains = |outer: Option<Region>, inner: Block| {
        outer.is_some_and(|outer| ir.ancestor_block_in_region(inner, outer).is_some())
    };
    if use_block == def_block {
        "in the same block"
    } else if use_region == def_region {
        "in the same region"
    } else if contains(def_region, use_block) {
        "in a parent region"
    } else if contains(use_region, def_block) {
        "in a child region"
    } else {
        "neither in a parent nor in a child region"
    }
}
