//! Liveness of a set of uses at one level: in the blocks of one region, with
//! whatever stands deeper counted at the operation of that region holding it.
//!
//! Blocks that follow each other count as one ([`Chain`]), also where control
//! branches in between and meets again: what is live through a long line of
//! blocks or diamonds costs no more than its uses.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Blocks that control passes in this order once it enters the first; it enters
/// none of the others from elsewhere. Between one block and the next there is
/// an edge, or a *gap*: a branch to several *arms*, chains that are entered from
/// there only and all go on to the next block.
///
/// Positions count blocks and gaps: block `i` has position `2 * i`, and what is
/// between it and the next one `2 * i + 1`.
struct Chain {
    blocks: Vec<Block>,
    /// The first blocks of the arms after each block but the last.
    arms: Vec<Arms>,
    /// The gap that it is an arm of.
    gap: Option<Gap>,
    /// How many gaps it is inside of.
    depth: usize,
}

type Arms = SmallVec<[Block; 2]>;

/// The number of a chain, and a position in it.
type Gap = (usize, usize);

/// The blocks of a region in chains that are as long as possible.
struct Chains {
    /// The chain of a block and its position there.
    position: SecondaryMap<Block, (usize, usize)>,
    chains: Vec<Chain>,
}

impl Chains {
    /// Those of a region without unreachable blocks.
    fn new(ir: &Ir, region: Region) -> Self {
        let mut joining = Joining::default();
        let mut pending: Vec<Block> = ir.blocks_in(region).collect();
        for &block in &pending {
            joining.last[block] = block.into();
            joining.first[block] = block.into();
        }
        pending.reverse();
        while let Some(block) = pending.pop() {
            if joining.absorbed.contains(block) || !joining.extend(ir, block) {
                continue;
            }
            while joining.extend(ir, block) {}
            // It may have become an arm of the one chain that leads to it.
            if let Some(only) = ir.block_uses(block).first()
                && let Some(before) = ir.block_of(only.op)
            {
                pending.extend(joining.first[before].expand());
            }
        }
        let mut this = Self {
            position: SecondaryMap::new(),
            chains: Vec::new(),
        };
        let heads = ir.blocks_in(region);
        let heads = heads.filter(|&block| !joining.absorbed.contains(block));
        let mut pending: Vec<(Block, Option<Gap>)> = heads.map(|block| (block, None)).collect();
        pending.reverse();
        while let Some((head, gap)) = pending.pop() {
            let number = this.chains.len();
            let mut chain = Chain {
                blocks: Vec::new(),
                arms: Vec::new(),
                gap,
                depth: gap.map_or(0, |(outer, _)| this.chains[outer].depth + 1),
            };
            let mut next = Some(head);
            while let Some(block) = next {
                let position = 2 * chain.blocks.len();
                this.position[block] = (number, position);
                chain.blocks.push(block);
                next = joining.links.remove(&block).map(|(arms, next)| {
                    let arms_here = arms.iter().rev();
                    pending.extend(arms_here.map(|&arm| (arm, Some((number, position + 1)))));
                    chain.arms.push(arms);
                    next
                });
            }
            this.chains.push(chain);
        }
        this
    }
}

/// Chains in the making, each named by its first block.
#[derive(Default)]
struct Joining {
    /// The last block of the chain with this first block.
    last: SecondaryMap<Block, PackedOption<Block>>,
    /// The first block of the chain with this last block.
    first: SecondaryMap<Block, PackedOption<Block>>,
    /// What follows a block in its chain: arms, and the next block.
    links: FxHashMap<Block, (Arms, Block)>,
    /// First blocks of chains that have become part of others.
    absorbed: EntitySet<Block>,
}

impl Joining {
    /// Adds what follows to the chain that begins with `head`, if it is
    /// entered from there only.
    fn extend(&mut self, ir: &Ir, head: Block) -> bool {
        let Some(last) = self.last[head].expand() else {
            return false;
        };
        let mut targets: SmallVec<[Block; 4]> = SmallVec::new();
        for &target in ir.block_successors(last) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        let mut arms = Arms::new();
        let mut meeting: Option<Block> = None;
        for &target in &targets {
            let exit = self.exit_of_arm(ir, last, target);
            let exit = exit.filter(|_| targets.len() > 1);
            arms.extend(exit.map(|_| target));
            let next = exit.unwrap_or(target);
            if *meeting.get_or_insert(next) != next {
                return false;
            }
        }
        let Some(next) = meeting.filter(|&next| next != head && !ir.is_entry_block(next)) else {
            return false;
        };
        let ends = arms.iter().filter_map(|&arm| self.last[arm].expand());
        let n_edges: usize = ends
            .chain([last])
            .map(|block| n_edges(ir, block, next))
            .sum();
        if ir.block_uses(next).len() != n_edges {
            return false;
        }
        for &absorbed in arms.iter().chain([&next]) {
            self.absorbed.insert(absorbed);
        }
        self.links.insert(last, (arms, next));
        self.last[head] = self.last[next];
        if let Some(last) = self.last[head].expand() {
            self.first[last] = head.into();
        }
        true
    }

    /// Where the chain that begins with `target` goes, if it is entered from
    /// the block `from` only and goes to one block.
    fn exit_of_arm(&self, ir: &Ir, from: Block, target: Block) -> Option<Block> {
        if ir.is_entry_block(target) || ir.block_uses(target).len() != n_edges(ir, from, target) {
            return None;
        }
        let (&exit, others) = ir
            .block_successors(self.last[target].expand()?)
            .split_first()?;
        others.iter().all(|&other| other == exit).then_some(exit)
    }
}

/// How many edges lead from one block to another.
fn n_edges(ir: &Ir, from: Block, to: Block) -> usize {
    let successors = ir.block_successors(from).iter();
    successors.filter(|&&block| block == to).count()
}

/// The chains of all regions of a function that have several blocks.
#[derive(Default)]
pub(crate) struct RegionChains(FxHashMap<Region, Chains>);

impl RegionChains {
    /// Those of a function without unreachable blocks.
    pub(crate) fn of(ir: &Ir) -> Self {
        let mut this = Self::default();
        for op in ir.walk(ir.root()) {
            for &region in ir.regions(op) {
                let has_branches = ir
                    .entry_block(region)
                    .is_some_and(|entry| ir.next_block(entry).is_some());
                if has_branches {
                    this.0.insert(region, Chains::new(ir, region));
                }
            }
        }
        this
    }

    /// Where in `region` something is needed that is used by `users` and defined
    /// in the block `definition`, if in the region at all.
    pub(super) fn liveness(
        &self,
        ir: &Ir,
        region: Region,
        definition: Option<Block>,
        users: &[Op],
    ) -> LevelLiveness<'_> {
        LevelLiveness::new(ir, region, self.0.get(&region), definition, users)
    }
}

/// Where something used by a set of operations is needed inside one region.
///
/// Only gaps with users inside are looked into; all others it is live through,
/// or not at all. What is defined in an arm is used in that arm only.
pub(super) struct LevelLiveness<'a> {
    /// `None` in a region with one block.
    chains: Option<&'a Chains>,
    /// Where in its chain the definition stands, if it is in the region.
    definition: Option<(usize, usize)>,
    /// The last position with a user in each chain that has one, and the user,
    /// as an operation of the block at that position; none for a gap.
    last_use: FxHashMap<usize, (usize, Option<Op>)>,
    /// Gaps with users inside.
    inside: FxHashSet<Gap>,
    /// Chains at whose beginning it is needed.
    live_in: FxHashSet<usize>,
    /// Chains at whose end it is needed.
    live_out: FxHashSet<usize>,
    /// For each chain in which it is needed the last block where it is, in a
    /// reproducible order.
    last_blocks: Vec<Block>,
}

impl<'a> LevelLiveness<'a> {
    /// Needs of `users` (those inside `region`) in `region`, whose `chains` are
    /// given unless it has one block. `definition` is the block of the region
    /// that defines what is needed; `None` if it comes from outside.
    fn new(
        ir: &Ir,
        region: Region,
        chains: Option<&'a Chains>,
        definition: Option<Block>,
        users: &[Op],
    ) -> Self {
        let mut liveness = Self {
            chains,
            definition: None,
            last_use: FxHashMap::default(),
            inside: FxHashSet::default(),
            live_in: FxHashSet::default(),
            live_out: FxHashSet::default(),
            last_blocks: Vec::new(),
        };
        liveness.definition = definition.map(|block| liveness.position(block));
        let mut touched: Vec<usize> = Vec::new();
        let mut gaps: Vec<Gap> = Vec::new();
        for &user in users {
            let Some(op) = ancestor_in_region(ir, user, region) else {
                continue;
            };
            let Some(block) = ir.block_of(op) else {
                continue;
            };
            let (chain, position) = liveness.position(block);
            liveness.add_use(ir, chain, position, Some(op), &mut touched);
            // The gaps around it, up to the chain of the definition.
            let mut inner = chain;
            while liveness.definition.is_none_or(|(home, _)| home != inner)
                && let Some(gap) = liveness.gap_of(inner)
                && liveness.inside.insert(gap)
            {
                gaps.push(gap);
                liveness.add_use(ir, gap.0, gap.1, None, &mut touched);
                inner = gap.0;
            }
        }
        if let Some(chains) = chains {
            liveness.propagate(ir, chains, &mut touched);
            // Outer gaps first.
            gaps.sort_by_key(|&(outer, _)| chains.chains[outer].depth);
            for (outer, position) in gaps {
                liveness.enter_gap(chains, outer, position, &mut touched);
            }
        }
        for &chain in &touched {
            let last = match liveness.last_use.get(&chain) {
                _ if liveness.live_out.contains(&chain) => None,
                Some(&(_, Some(op))) => ir.block_of(op),
                // Some arms need it: it may die on the way to the others.
                Some(&(gap, None)) => chains.map(|chains| chains.chains[chain].blocks[gap / 2]),
                None => None,
            };
            let end = || chains.and_then(|chains| chains.chains[chain].blocks.last().copied());
            liveness.last_blocks.extend(last.or_else(end));
        }
        liveness
    }

    fn add_use(
        &mut self,
        ir: &Ir,
        chain: usize,
        position: usize,
        user: Option<Op>,
        touched: &mut Vec<usize>,
    ) {
        self.last_use
            .entry(chain)
            .and_modify(|last| {
                let is_later = position > last.0
                    || position == last.0
                        && matches!((last.1, user), (Some(a), Some(b)) if ir.is_before_in_block(a, b));
                if is_later {
                    *last = (position, user);
                }
            })
            .or_insert_with(|| {
                touched.push(chain);
                (position, user)
            });
    }

    /// What is needed in a chain that is no arm is needed at the end of those
    /// before it, up to the definition.
    fn propagate(&mut self, ir: &Ir, chains: &Chains, touched: &mut Vec<usize>) {
        let home = self.definition.map(|(chain, _)| chain);
        let mut stack: Vec<usize> = touched
            .iter()
            .copied()
            .filter(|&chain| Some(chain) != home && chains.chains[chain].gap.is_none())
            .collect();
        while let Some(chain) = stack.pop() {
            if !self.live_in.insert(chain) {
                continue;
            }
            for block in ir.predecessors(chains.chains[chain].blocks[0]) {
                let (predecessor, _) = chains.position[block];
                if self.live_out.insert(predecessor) {
                    if !self.last_use.contains_key(&predecessor) {
                        touched.push(predecessor);
                    }
                    if Some(predecessor) != home {
                        stack.push(predecessor);
                    }
                }
            }
        }
    }

    /// Finds the needs of the arms of a gap with users inside.
    fn enter_gap(
        &mut self,
        chains: &Chains,
        outer: usize,
        position: usize,
        touched: &mut Vec<usize>,
    ) {
        let is_live_after = self.is_live_across(outer, position);
        for &arm in &chains.chains[outer].arms[position / 2] {
            let (arm, _) = chains.position[arm];
            let is_used = self.last_use.contains_key(&arm);
            if is_live_after {
                self.live_out.insert(arm);
                if !is_used {
                    touched.push(arm);
                }
            }
            if is_used || is_live_after {
                self.live_in.insert(arm);
            }
        }
    }

    fn position(&self, block: Block) -> (usize, usize) {
        self.chains.map_or((0, 0), |chains| chains.position[block])
    }

    /// The gap that a chain is an arm of.
    fn gap_of(&self, chain: usize) -> Option<Gap> {
        self.chains.and_then(|chains| chains.chains[chain].gap)
    }

    /// If a chain is in a gap without users inside, the outermost such gap: what
    /// holds there holds in all of it.
    fn transparent_gap(&self, mut chain: usize) -> Option<Gap> {
        let mut outermost = None;
        while self.definition.is_none_or(|(home, _)| home != chain)
            && let Some(gap) = self.gap_of(chain)
        {
            if !self.inside.contains(&gap) {
                outermost = Some(gap);
            }
            chain = gap.0;
        }
        outermost
    }

    /// Whether it is needed behind a gap, and before, but for the gap's own needs.
    fn is_live_across(&self, chain: usize, position: usize) -> bool {
        !self.is_defined_from(chain, position) && self.is_needed_after(chain, position)
    }

    fn is_needed_after(&self, chain: usize, position: usize) -> bool {
        self.live_out.contains(&chain)
            || self
                .last_use
                .get(&chain)
                .is_some_and(|last| last.0 > position)
    }

    /// The last user in `block`, if none comes after it in its chain.
    pub(super) fn last_use(&self, block: Block) -> Option<Op> {
        let (chain, position) = self.position(block);
        let &(last, op) = self.last_use.get(&chain)?;
        op.filter(|_| last == position)
    }

    /// Whether it is needed at the beginning of `block`.
    pub(super) fn is_live_in(&self, block: Block) -> bool {
        let (chain, position) = self.position(block);
        if let Some((outer, gap)) = self.transparent_gap(chain) {
            return self.is_live_across(outer, gap);
        }
        if position == 0 {
            return self.live_in.contains(&chain);
        }
        !self.is_defined_from(chain, position) && self.is_needed_after(chain, position - 1)
    }

    /// Whether it is needed at the end of `block`.
    pub(super) fn is_live_out(&self, block: Block) -> bool {
        let (chain, position) = self.position(block);
        match self.transparent_gap(chain) {
            Some((outer, gap)) => self.is_live_across(outer, gap),
            None => {
                !self.is_defined_from(chain, position + 1) && self.is_needed_after(chain, position)
            }
        }
    }

    /// Whether the definition stands at this position of this chain or later.
    fn is_defined_from(&self, chain: usize, position: usize) -> bool {
        self.definition
            .is_some_and(|(home, at)| home == chain && at >= position)
    }

    /// Whether it is needed after `op`, an operation of the region.
    pub(super) fn is_live_after(&self, ir: &Ir, op: Op) -> bool {
        let Some(block) = ir.block_of(op) else {
            return false;
        };
        self.is_live_out(block)
            || self
                .last_use(block)
                .is_some_and(|last| ir.is_before_in_block(op, last))
    }

    /// The last block of each chain in which it is needed.
    pub(super) fn last_blocks(&self) -> &[Block] {
        &self.last_blocks
    }
}

/// `op`, or the operation around it, that is directly in `region`.
pub(super) fn ancestor_in_region(ir: &Ir, op: Op, region: Region) -> Option<Op> {
    let mut current = op;
    loop {
        let parent_region = ir.parent_region(current)?;
        if parent_region == region {
            return Some(current);
        }
        current = ir.region_owner(parent_region);
    }
}

#[cfg(test)]
mod tests;
