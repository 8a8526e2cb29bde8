//! `cse`: replaces operations by equal ones that dominate them.
//!
//! Before:                                  After:
//! ```mlir
//! %a = arith.addi %x, %y : i32             %a = arith.addi %x, %y : i32
//! %b = arith.addi %y, %x : i32             %c = arith.muli %a, %a : i32
//! %c = arith.muli %a, %b : i32
//! ```
//!
//! Operations without effects are looked up in a table scoped by the dominator tree; operations that only read are
//! merged within a block when nothing writes in between. Operations with regions stay, but operations inside take part;
//! but the operation that a `vector.mask` is around does less than one outside of it.

use freehold_frontend::dialects::vector;
use freehold_frontend::ir::attrs::Dict;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::dead_code::ReasonsToKeep;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "cse",
    summary: "eliminate common subexpressions",
    anchor: Anchor::Any,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let cse = simplify(ir);
    context.count("num-cse'd", cse.n_merged);
    context.count("num-dce'd", cse.n_dead);
    Ok(())
}

/// Merges and removes operations.
pub(super) fn simplify(ir: &mut Ir) -> Cse {
    let mut cse = Cse::new();
    let regions: SmallVec<[Region; 2]> = ir.regions(ir.root()).into();
    for region in regions {
        cse.visit_region(ir, region);
    }
    cse
}

/// Two operations with equal keys compute the same.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    def: *const OpDef,
    attrs: Dict,
    operands: SmallVec<[Value; 4]>,
    results: SmallVec<[Type; 2]>,
    /// For operations that read memory: the block, and how many operations
    /// with effects came before in it.
    memory: Option<(Block, u32)>,
}

pub(super) struct Cse {
    known: FxHashMap<Key, Op>,
    /// What to undo when a scope ends: key and the entry before.
    trail: Vec<(Key, Option<Op>)>,
    reasons: ReasonsToKeep,
    n_merged: u64,
    n_dead: u64,
}

/// What operations do to memory, for merging.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    /// Nothing.
    Untouched,
    /// They only read.
    Read,
    /// They may do anything.
    Changed,
}

impl Cse {
    fn new() -> Self {
        Self {
            known: FxHashMap::default(),
            trail: Vec::new(),
            reasons: ReasonsToKeep::default(),
            n_merged: 0,
            n_dead: 0,
        }
    }

    /// Ends all scopes begun since the trail was this long.
    fn unwind(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((key, before)) = self.trail.pop() else {
                return;
            };
            match before {
                Some(op) => self.known.insert(key, op),
                None => self.known.remove(&key),
            };
        }
    }

    fn visit_region(&mut self, ir: &mut Ir, region: Region) -> Memory {
        let mut memory = Memory::Untouched;
        let Some(entry) = ir.entry_block(region) else {
            return memory;
        };
        let outer = self.trail.len();
        if ir.next_block(entry).is_none() {
            memory = self.visit_block(ir, entry);
        } else {
            let tree = DominatorTree::new(ir, region);
            let order: Vec<(Block, usize)> = tree
                .preorder()
                .map(|block| (block, tree.depth(block) as usize))
                .collect();
            // marks[d]: how long the trail was before a block of depth d.
            let mut marks: Vec<usize> = Vec::new();
            for (block, depth) in order {
                if let Some(&mark) = marks.get(depth) {
                    self.unwind(mark);
                }
                marks.truncate(depth);
                marks.push(self.trail.len());
                memory = memory.max(self.visit_block(ir, block));
            }
        }
        self.unwind(outer);
        memory
    }

    fn visit_block(&mut self, ir: &mut Ir, block: Block) -> Memory {
        // What a mask leaves out, the same operation outside of it computes.
        let is_masked = (ir.block_parent_op(block)).is_some_and(|op| ir.is(op, &vector::MASK));
        // Operations so far that may change memory.
        let mut n_effects = 0;
        let mut all = Memory::Untouched;
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.has_trait(op, Traits::OWNS_ARENA) {
                continue;
            }
            if ir.is_unused(op) && self.reasons.would_be_trivially_dead(ir, op) {
                ir.erase_op(op);
                self.n_dead += 1;
                continue;
            }
            let mut memory = Memory::Untouched;
            let regions: SmallVec<[Region; 2]> = ir.regions(op).into();
            if !regions.is_empty() {
                if ir.has_trait(op, Traits::ISOLATED_FROM_ABOVE) {
                    let mut inner = Cse::new();
                    for region in regions {
                        memory = memory.max(inner.visit_region(ir, region));
                    }
                    self.n_merged += inner.n_merged;
                    self.n_dead += inner.n_dead;
                } else {
                    for region in regions {
                        memory = memory.max(self.visit_region(ir, region));
                    }
                }
            }
            memory = memory_of(ir, op, memory);
            all = all.max(memory);
            if memory == Memory::Changed {
                n_effects += 1;
            } else if !is_masked
                && ir.regions(op).is_empty()
                && !ir.has_trait(op, Traits::TERMINATOR)
                && !ir.results(op).is_empty()
            {
                let reads = memory == Memory::Read;
                self.merge(ir, op, reads.then_some((block, n_effects)));
            }
        }
        all
    }

    fn merge(&mut self, ir: &mut Ir, op: Op, memory: Option<(Block, u32)>) {
        let mut operands: SmallVec<[Value; 4]> = ir.operands(op).into();
        if ir.has_trait(op, Traits::COMMUTATIVE) {
            operands.sort_unstable();
        }
        let key = Key {
            def: ir.def(op),
            attrs: ir.attrs(op),
            operands,
            results: ir.results(op).iter().map(|&v| ir.value_type(v)).collect(),
            memory,
        };
        if let Some(&leader) = self.known.get(&key) {
            let values: SmallVec<[Value; 2]> = ir.results(leader).into();
            ir.replace_op(op, &values);
            self.n_merged += 1;
            return;
        }
        let before = self.known.insert(key.clone(), op);
        self.trail.push((key, before));
    }
}

/// What `op` does to memory, if `inside` is what its regions do.
fn memory_of(ir: &Ir, op: Op, inside: Memory) -> Memory {
    let Some(effects) = ir.own_effects(op) else {
        return Memory::Changed;
    };
    let own = match effects.iter().all(|effect| effect.kind == EffectKind::Read) {
        true if effects.is_empty() => Memory::Untouched,
        true => Memory::Read,
        false => Memory::Changed,
    };
    if ir.has_trait(op, Traits::RECURSIVE_EFFECTS) {
        own.max(inside)
    } else {
        own
    }
}
