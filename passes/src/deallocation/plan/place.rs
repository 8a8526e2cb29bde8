//! Where buffers are freed: right after the last operation that may need
//! them, on every path exactly once.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;

use crate::analysis::derived;
use crate::analysis::flow::{Edge, EdgeKind};
use crate::analysis::frees::frees_of;
use crate::analysis::liveness::{LevelLiveness, RegionChains};
use crate::deallocation::plan::decide::{Decision, Ownership};

/// Where to free a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Right after an operation.
    After(Op),
    /// Right before an operation.
    Before(Op),
    /// At the beginning of a block.
    Start(Block),
    /// On the way from a terminator to its successor `.1`.
    Edge(Op, usize),
}

impl Place {
    /// An operation in the same region.
    pub(crate) fn inside(self, ir: &Ir) -> Op {
        match self {
            Place::After(op) | Place::Before(op) | Place::Edge(op, _) => op,
            Place::Start(block) => ir.last_op(block).expect("blocks end in terminators"),
        }
    }
}

/// One free to insert.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    pub(crate) holder: Value,
    pub(crate) place: Place,
}

/// Finds all places to free all holders, in textual order of the holders.
/// Families whose frees in the input cannot be completed are left to the
/// program.
///
/// # Errors
/// If the input itself frees a buffer before its last use.
pub(crate) fn place_frees(
    ownership: &mut Ownership<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Free>, Failed> {
    ownership.existing.check(ownership, diagnostics)?;
    let mut frees = Vec::new();
    let mut incomplete = ownership.existing.freed_but_not_owned(ownership);
    for &base in ownership.flow.bases() {
        if ownership.is_holder(base) {
            derived::report(ownership.ir, &ownership.flow, base, diagnostics);
            let stays = derived::is_outlived(ownership.ir, &ownership.flow, base, diagnostics)?;
            if !stays && !placer_of(ownership, base).place(&mut frees) {
                incomplete.push(base);
            }
        }
    }
    if !incomplete.is_empty() {
        for base in incomplete {
            ownership.existing.leave_to_program(base);
        }
        frees.retain(|free| !ownership.existing.is_left_to_program(free.holder));
    }
    Ok(frees)
}

/// The input for placing the frees of one holder.
fn placer_of<'a>(ownership: &'a Ownership<'a>, holder: Value) -> Placer<'a> {
    let flow = &ownership.flow;
    let mut consumed: FxHashSet<Edge> = flow
        .flows_out(holder)
        .iter()
        .filter(|&&id| ownership.decisions[id] == Decision::Move)
        .map(|&id| flow.flow(id).edge)
        .collect();
    for &index in ownership.groups_of_holder(holder) {
        consumed.insert(ownership.groups[index].edge);
    }
    let users = ownership.users(&ownership.closure(holder, None));
    let users = flow.needed_by(ownership.ir, holder, users);
    let existing = frees_of(ownership.ir, flow, holder, &users);
    Placer {
        consumed,
        existing,
        exclusive: Some(ownership),
        ..Placer::new(ownership.ir, ownership.chains(), holder, users)
    }
}

/// Places the frees of one holder.
pub(crate) struct Placer<'a> {
    ir: &'a Ir,
    chains: &'a RegionChains,
    holder: Value,
    /// Edges on which responsibility moves on.
    pub(crate) consumed: FxHashSet<Edge>,
    /// Operations of the input that free it.
    pub(crate) existing: Vec<Op>,
    pub(crate) users: Vec<Op>,
    /// Knows the operations that run one of their regions, in each of which
    /// the holder may be freed; without it, it is freed after them.
    exclusive: Option<&'a Ownership<'a>>,
    /// The existing frees found in their place.
    n_confirmed: usize,
}

impl<'a> Placer<'a> {
    /// For `holder`, which `users` need.
    pub(crate) fn new(ir: &'a Ir, chains: &'a RegionChains, holder: Value, users: Vec<Op>) -> Self {
        Self {
            ir,
            chains,
            holder,
            consumed: FxHashSet::default(),
            existing: Vec::new(),
            users,
            exclusive: None,
            n_confirmed: 0,
        }
    }

    /// Whether every existing free was found in its place.
    pub(crate) fn place(mut self, out: &mut Vec<Free>) -> bool {
        let block = self
            .ir
            .value_block(self.holder)
            .expect("values are in blocks");
        let region = self.ir.region_of(block).expect("blocks are in regions");
        self.place_in(region, Some(block), out);
        self.n_confirmed == self.existing.len()
    }

    /// Places one free for all paths, after `last`, the last user in the block
    /// `end`, after which nothing needs the holder.
    pub(crate) fn place_once(mut self, end: Block, last: Option<Op>, out: &mut Vec<Free>) {
        match last {
            Some(last) => self.die_at(last, out),
            None => self.free(self.first_place(end), out),
        }
    }

    /// Places frees in the blocks of one region. `definition` is the block
    /// that defines the holder; `None` if it comes in from outside.
    fn place_in(&mut self, region: Region, definition: Option<Block>, out: &mut Vec<Free>) {
        let ir = self.ir;
        let live = self.chains.liveness(ir, region, definition, &self.users);
        let Some(start) = definition.or_else(|| ir.entry_block(region)) else {
            return;
        };
        if !live.is_live_out(start) && live.last_use(start).is_none() {
            self.free(self.first_place(start), out);
            return;
        }
        for block in live.last_blocks(ir) {
            match live.last_use(block) {
                Some(last) if !live.is_live_out(block) => self.die_at(last, out),
                _ => self.leave_block(block, &live, out),
            }
        }
    }

    /// The holder is needed after some edges out of `block`; it is freed on the others.
    fn leave_block(&mut self, block: Block, live: &LevelLiveness<'_>, out: &mut Vec<Free>) {
        let ir = self.ir;
        let Some(terminator) = ir.last_op(block) else {
            return;
        };
        for (successor, &target) in ir.successors(terminator).iter().enumerate() {
            let edge = Edge {
                source: terminator,
                kind: EdgeKind::Branch(successor),
            };
            if !live.is_live_in(target) && !self.consumed.contains(&edge) {
                self.free(Place::Edge(terminator, successor), out);
            }
        }
    }

    /// `op` is the last operation of its block that needs the holder, and
    /// nothing after the block does.
    fn die_at(&mut self, op: Op, out: &mut Vec<Free>) {
        let ir = self.ir;
        if self.existing.contains(&op) {
            self.n_confirmed += 1;
            return;
        }
        let consumes = |kind: EdgeKind| self.consumed.contains(&Edge { source: op, kind });
        if consumes(EdgeKind::Entry) || consumes(EdgeKind::RegionExit) || consumes(EdgeKind::Return)
        {
            return;
        }
        if !ir.successors(op).is_empty() {
            for successor in 0..ir.successors(op).len() {
                if !consumes(EdgeKind::Branch(successor)) {
                    self.free(Place::Edge(op, successor), out);
                }
            }
            return;
        }
        let is_used_inside = || self.users.iter().any(|&u| u != op && ir.is_ancestor(op, u));
        if self.exclusive.is_some_and(|o| o.is_exclusive(op)) && is_used_inside() {
            for index in 0..ir.regions(op).len() {
                self.place_in(ir.region(op, index), None, out);
            }
            return;
        }
        if ir.has_trait(op, Traits::TERMINATOR) || ir.next_op(op).is_none() {
            self.free(Place::Before(op), out);
        } else {
            self.free(Place::After(op), out);
        }
    }

    /// The first place in `block` that has the holder.
    fn first_place(&self, block: Block) -> Place {
        match self.ir.defining_op(self.holder) {
            Some(op) if self.ir.block_of(op) == Some(block) => Place::After(op),
            _ => Place::Start(block),
        }
    }

    fn free(&self, place: Place, out: &mut Vec<Free>) {
        out.push(Free {
            holder: self.holder,
            place,
        });
    }
}
