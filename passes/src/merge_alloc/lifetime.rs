//! When the contents of a buffer matter, as ranges of ticks.
//!
//! **Claim.** While a buffer is between its first and its last access, execution is at a tick of its
//! ranges. So two buffers whose ranges are disjoint may have the same bytes: neither is accessed
//! while the contents of the other matter.
//!
//! The *home* of a buffer is the innermost region that holds its allocation and every access. Each
//! run of the home region makes new buffers, so only one run is looked at. An access inside a region
//! that may repeat, below home, counts for the whole operation with that region: the contents may be
//! carried from one repetition to the next. Of several such operations the outermost counts. So in
//! the blocks of home, accesses are ranges of ticks of single operations:
//!
//! * If home is one block, execution passes its operations once, in order, and the buffer is live
//!   from the first to the last access. Regions that run at most once, like branches, need no care:
//!   whatever runs, runs in order of ticks. A buffer used in one branch only is not live in the
//!   others.
//! * If home has several blocks, liveness flows backwards from accesses to predecessors until the
//!   block of the allocation. A buffer that travels through block arguments inside of a cycle that
//!   also allocates it may have two instances alive at once; it has no lifetime then.

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;

use super::alias::is_phi;
use super::schedule::merged;
use super::ticks::{Span, Ticks};

/// Finds lifetimes in one function.
pub(super) struct Lifetimes<'a> {
    ir: &'a Ir,
    ticks: &'a Ticks,
    /// Blocks that may run again within one run of their region, for the regions asked about.
    cyclic: FxHashMap<Region, EntitySet<Block>>,
}

/// The home of a buffer and its live ranges.
pub(super) struct Lifetime {
    pub(super) home: Region,
    pub(super) live: Vec<Span>,
}

impl<'a> Lifetimes<'a> {
    pub(super) fn new(ir: &'a Ir, ticks: &'a Ticks) -> Self {
        Self {
            ir,
            ticks,
            cyclic: FxHashMap::default(),
        }
    }

    /// The lifetime of the buffer that `alloc` makes, accessed by these operations at these ticks
    /// through some of `views`. `None` if several instances may be alive at once.
    pub(super) fn of(
        &mut self,
        alloc: Op,
        views: &[Value],
        accesses: &[(Op, Span)],
    ) -> Option<Lifetime> {
        let (ir, ticks) = (self.ir, self.ticks);
        let mut home = ir.parent_region(alloc)?;
        for &(op, _) in accesses {
            while !ticks.is_inside(op, home) {
                home = ir.parent_region(ir.region_owner(home))?;
            }
        }
        for &view in views.iter().filter(|&&view| is_phi(ir, view)) {
            let block = ir.value_block(view)?;
            let holder = ir.ancestor_block_in_region(ir.block_of(alloc)?, ir.region_of(block)?);
            if holder.is_some_and(|holder| self.is_cyclic(holder)) {
                return None;
            }
        }
        let mut in_home: Vec<(Block, Span)> = Vec::with_capacity(accesses.len());
        for &(op, span) in accesses {
            in_home.push(self.widened(op, span, home)?);
        }
        if in_home.is_empty() {
            in_home.push((ir.block_of(alloc)?, ticks.op(alloc)));
        }
        let live = match ir.single_block(home) {
            Some(_) => {
                let spans = || in_home.iter().map(|&(_, span)| span);
                let first = spans().map(|(first, _)| first).min()?;
                let last = spans().map(|(_, last)| last).max()?;
                vec![(first, last)]
            }
            None => {
                let birth = ir.ancestor_block_in_region(ir.block_of(alloc)?, home)?;
                live_in_blocks(ir, ticks, birth, &in_home)
            }
        };
        Some(Lifetime { home, live })
    }

    /// The ticks of an access as seen in the blocks of region `home`, and the block.
    fn widened(&self, op: Op, span: Span, home: Region) -> Option<(Block, Span)> {
        let ir = self.ir;
        let (mut at, mut span) = (op, span);
        loop {
            let block = ir.block_of(at)?;
            let region = ir.region_of(block)?;
            if region == home {
                return Some((block, span));
            }
            at = ir.region_owner(region);
            if may_repeat(ir, at, region) {
                span = self.ticks.op(at);
            }
        }
    }

    fn is_cyclic(&mut self, block: Block) -> bool {
        let ir = self.ir;
        let Some(region) = ir.region_of(block) else {
            return false;
        };
        let cyclic = self
            .cyclic
            .entry(region)
            .or_insert_with(|| cyclic_blocks(ir, region));
        cyclic.contains(block)
    }
}

/// Whether operations of a region may run more than once per run of the operation that has it.
pub(super) fn may_repeat(ir: &Ir, op: Op, region: Region) -> bool {
    let Some(interface) = ir.def(op).region_branch else {
        return true;
    };
    if ir.has_trait(op, Traits::PARALLEL) {
        return true;
    }
    let index = ir
        .regions(op)
        .iter()
        .position(|&r| r == region)
        .unwrap_or(0);
    ir.single_block(region).is_none() || (interface.is_repetitive)(ir, op, index)
}

/// A set of blocks with at least those that lie on a cycle of the region.
///
/// Let blocks have positions in reverse postorder. An edge that does not lead forward leads from
/// some position back to another; the set is everything in between. That suffices: on a cycle
/// through `b`, the way from `b` to the first block of the cycle steps somewhere from `b` or later
/// to `b` or earlier.
fn cyclic_blocks(ir: &Ir, region: Region) -> EntitySet<Block> {
    let tree = DominatorTree::new(ir, region);
    let order = tree.reverse_postorder();
    let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
    for (i, &block) in order.iter().enumerate() {
        position[block] = i;
    }
    let mut cyclic = EntitySet::new();
    // How far back edges from here or later lead; from the end, so that each block is seen once.
    let mut back_to = usize::MAX;
    for (i, &block) in order.iter().enumerate().rev() {
        for &successor in ir.block_successors(block) {
            if position[successor] <= i {
                back_to = back_to.min(position[successor]);
            }
        }
        if back_to <= i {
            cyclic.insert(block);
        } else {
            back_to = usize::MAX;
        }
    }
    cyclic
}

/// Live ranges in a region of several blocks, given the accesses in its blocks.
fn live_in_blocks(ir: &Ir, ticks: &Ticks, birth: Block, accesses: &[(Block, Span)]) -> Vec<Span> {
    let mut live: Vec<Span> = accesses.iter().map(|&(_, span)| span).collect();
    // First and last access of each block.
    let mut of_block: FxHashMap<Block, Span> = FxHashMap::default();
    for &(block, (first, last)) in accesses {
        let span = of_block.entry(block).or_insert((first, last));
        *span = (span.0.min(first), span.1.max(last));
    }
    live.extend(accesses.iter().filter_map(|(block, _)| of_block.get(block)));
    // Live from the beginning of these blocks.
    let mut live_in: EntitySet<Block> = EntitySet::new();
    let mut live_out: EntitySet<Block> = EntitySet::new();
    let mut worklist: Vec<Block> = Vec::new();
    for &(block, _) in accesses {
        if block != birth && live_in.insert(block) {
            worklist.push(block);
            live.push((ticks.block(block).0, of_block[&block].1));
        }
    }
    while let Some(block) = worklist.pop() {
        for predecessor in ir.predecessors(block) {
            if !live_out.insert(predecessor) {
                continue;
            }
            let (first, last) = ticks.block(predecessor);
            if predecessor == birth {
                // From the first access on; if there is none, the contents come from nowhere, and
                // only the end of the block counts.
                let first = of_block.get(&birth).map_or(last, |&(first, _)| first);
                live.push((first, last));
                continue;
            }
            live.push((first, last));
            if live_in.insert(predecessor) {
                worklist.push(predecessor);
            }
        }
    }
    merged(live)
}
