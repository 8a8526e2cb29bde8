//! Liveness of a set of uses at one level: in the blocks of one region, with
//! whatever stands deeper counted at the operation of that region holding it.
//!
//! Single-entry, single-exit pieces of control flow (`liveness/chains.rs`) are looked into only where there
//! are uses or the definition: a value that is live through a long line of blocks, branches that
//! meet again, or loops costs no more than its uses.
//!
//! # Why a gap without uses and definition is live as a whole, or not at all
//!
//! Control enters it in one place and leaves it in one place, and can leave it from
//! everywhere inside. If the value is needed where it is left, it is needed in
//! all of it. If it is needed anywhere inside, then because of a use outside,
//! and control gets there only by leaving the gap.

mod chains;
mod cycle_equivalence;

use chains::{ChainId, Chains, Position};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use rustc_hash::FxHashMap;

/// The chains of all regions of a function that have several blocks.
#[derive(Default)]
pub struct RegionChains(FxHashMap<Region, Chains>);

impl RegionChains {
    /// Those of a function without unreachable blocks.
    pub fn of(ir: &Ir) -> Self {
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
    pub fn liveness(
        &self,
        ir: &Ir,
        region: Region,
        definition: Option<Block>,
        users: &[Op],
    ) -> LevelLiveness<'_> {
        let mut users_here = users
            .iter()
            .filter_map(|&user| ancestor_in_region(ir, user, region));
        match self.0.get(&region) {
            Some(chains) => {
                let needs = Needs::new(ir, chains, definition, users_here);
                LevelLiveness::Chains(needs)
            }
            None => {
                let later = |a, b| if ir.is_before_in_block(a, b) { b } else { a };
                LevelLiveness::Block(users_here.next().map(|user| users_here.fold(user, later)))
            }
        }
    }

    /// Whether control may get from `from` to one of `to` without another instance
    /// of `value` in between. Both are where `value` is defined.
    pub fn leads_to(&self, ir: &Ir, value: Value, from: Op, to: &[Op]) -> bool {
        let home = ir.value_block(value);
        let home_region = home.and_then(|block| ir.region_of(block));
        let mut op = from;
        while let Some(region) = ir.parent_region(op) {
            let is_home = home_region == Some(region);
            let live = self.liveness(ir, region, home.filter(|_| is_home), to);
            if live.is_live_after(ir, op) {
                return true;
            }
            if is_home {
                return false;
            }
            op = ir.region_owner(region);
            // Control may come to this region again, or to others.
            if to.iter().any(|&to| ir.is_ancestor(op, to)) {
                return true;
            }
        }
        true
    }
}

/// Where something used by a set of operations is needed inside one region.
pub enum LevelLiveness<'a> {
    /// In a region with one block: the last user.
    Block(Option<Op>),
    /// In one with several.
    Chains(Needs<'a>),
}

impl LevelLiveness<'_> {
    /// The last user in `block`, if none comes after it in its chain.
    pub fn last_use(&self, block: Block) -> Option<Op> {
        match self {
            Self::Block(last) => *last,
            Self::Chains(needs) => needs.last_use(block),
        }
    }

    /// Whether it is needed at the beginning of `block`, which is not the only one.
    pub fn is_live_in(&self, block: Block) -> bool {
        match self {
            Self::Block(_) => false,
            Self::Chains(needs) => needs.is_live_at(needs.chains.position[block]),
        }
    }

    /// Whether it is needed at the end of `block`.
    pub fn is_live_out(&self, block: Block) -> bool {
        match self {
            Self::Block(_) => false,
            Self::Chains(needs) => {
                let Position { chain, at } = needs.chains.position[block];
                needs.is_live_at(Position { chain, at: at + 1 })
            }
        }
    }

    /// Whether it is needed after `op`, an operation of the region.
    pub fn is_live_after(&self, ir: &Ir, op: Op) -> bool {
        let Some(block) = ir.block_of(op) else {
            return false;
        };
        self.is_live_out(block)
            || self
                .last_use(block)
                .is_some_and(|last| ir.is_before_in_block(op, last))
    }

    /// All blocks in which or after which it may be needed for the last time: those
    /// with a last use that are not live at their end, and those that are but
    /// may lead to blocks that are not live. In a reproducible order.
    pub fn last_blocks(&self, ir: &Ir) -> Vec<Block> {
        match self {
            Self::Block(last) => last
                .and_then(|last| ir.block_of(last))
                .into_iter()
                .collect(),
            Self::Chains(needs) => needs.last_blocks(ir),
        }
    }

    /// How many chains were looked at: few, however many blocks it is live through.
    pub fn n_chains(&self) -> usize {
        match self {
            Self::Block(_) => 0,
            Self::Chains(needs) => needs.order.len(),
        }
    }
}

/// Liveness in the chains of one region.
///
/// Only gaps with users or the definition inside are looked into.
pub struct Needs<'a> {
    chains: &'a Chains,
    /// The chains in which it is used or defined, or needed at the end, and those
    /// around them.
    needs: FxHashMap<ChainId, Need>,
    /// Their numbers, in a reproducible order.
    order: Vec<ChainId>,
    /// Gaps with users or the definition inside, and whether it is needed wherever
    /// control is in there: where it is needed behind and defined in front.
    inside: FxHashMap<Position, bool>,
    /// The gaps in order, outer ones first.
    gaps: Vec<Position>,
    /// The gap that holds the definition and all users, if there is one.
    around: Option<Position>,
}

/// What there is to know of one chain.
#[derive(Clone, Copy, Default)]
struct Need {
    /// The last position with a user, and the last user as an operation of the
    /// block there; none for a gap.
    last_use: Option<(u32, Option<Op>)>,
    /// The position of the definition.
    definition: Option<u32>,
    /// Whether it is needed at the end of the chain.
    is_live_out: bool,
}

impl<'a> Needs<'a> {
    /// Needs of `users`, operations of the region that `chains` are of. `definition` is the block
    /// of the region that defines the value; `None` if it comes from outside.
    fn new(
        ir: &Ir,
        chains: &'a Chains,
        definition: Option<Block>,
        users: impl Iterator<Item = Op>,
    ) -> Self {
        let mut this = Self {
            chains,
            needs: FxHashMap::default(),
            order: Vec::new(),
            inside: FxHashMap::default(),
            gaps: Vec::new(),
            around: None,
        };
        // The outermost chain around the definition that has users behind it.
        let mut home = definition.map(|block| this.define(chains.position[block]));
        for user in users {
            if let Some(block) = ir.block_of(user) {
                this.add_use(ir, chains.position[block], Some(user));
                this.open_gaps(ir, chains.position[block].chain, &mut home);
            }
        }
        this.around = home.and_then(|home| chains[home].gap);
        this.gaps.sort_by_key(|gap| chains[gap.chain].depth);
        this.propagate();
        this
    }

    fn need(&mut self, chain: ChainId) -> &mut Need {
        self.needs.entry(chain).or_insert_with(|| {
            self.order.push(chain);
            Need::default()
        })
    }

    /// The definition is at this position or in the gap there.
    fn define(&mut self, position: Position) -> ChainId {
        self.need(position.chain).definition = Some(position.at);
        position.chain
    }

    fn add_use(&mut self, ir: &Ir, Position { chain, at }: Position, user: Option<Op>) {
        let last_use = &mut self.need(chain).last_use;
        let is_later = last_use.is_none_or(|(last_at, last)| {
            at > last_at
                || at == last_at
                    && matches!((last, user), (Some(a), Some(b)) if ir.is_before_in_block(a, b))
        });
        if is_later {
            *last_use = Some((at, user));
        }
    }

    /// Notes a use of `chain` in the gaps around, and the definition in those around `home`, up to
    /// the common outer one.
    fn open_gaps(&mut self, ir: &Ir, mut chain: ChainId, home: &mut Option<ChainId>) {
        let chains = self.chains;
        while self.definition_in(chain).is_none() {
            let gap = chains[chain].gap;
            if let Some(home) = home
                && chains[*home].depth >= chains[chain].depth
            {
                let outer = chains[*home].gap;
                let Some(outer) = outer.filter(|_| outer != gap) else {
                    return;
                };
                *home = self.define(outer);
                if self.inside.insert(outer, false).is_none() {
                    self.gaps.push(outer);
                }
                continue;
            }
            let Some(gap) = gap else {
                return;
            };
            if self.inside.insert(gap, false).is_none() {
                self.gaps.push(gap);
            } else if self.definition_in(gap.chain).is_none() {
                return;
            }
            self.add_use(ir, gap, None);
            chain = gap.chain;
        }
    }

    /// Finds the chains that it is live out of, from outer ones inwards.
    fn propagate(&mut self) {
        let chains = self.chains;
        let mut used = self.order.clone();
        used.sort_by_key(|&chain| chains[chain].depth);
        let mut used = used.into_iter().peekable();
        let mut pending = Vec::new();
        for index in 0..=self.gaps.len() {
            // All that is known of the gaps that these chains are in.
            let gap = self.gaps.get(index).copied();
            let is_known = |&chain: &ChainId| {
                gap.is_none_or(|gap| chains[chain].depth <= chains[gap.chain].depth)
            };
            while let Some(chain) = used.next_if(is_known) {
                if self.needs[&chain].definition.is_none() && !self.is_in_live_gap(chain) {
                    pending.push(chain);
                }
            }
            self.go_back(&mut pending);
            let Some(gap) = gap.filter(|gap| self.is_needed_from(gap.chain, gap.at + 1)) else {
                continue;
            };
            if self.definition_in(gap.chain) != Some(gap.at) {
                self.inside.insert(gap, true);
                continue;
            }
            let next = &chains[gap.chain].elements[gap.at as usize / 2 + 1];
            for &last in &next.before {
                self.mark_live_out(last, &mut pending);
            }
            self.go_back(&mut pending);
        }
    }

    /// A value that is live in a chain that does not define it is live at the end of those before.
    fn go_back(&mut self, pending: &mut Vec<ChainId>) {
        let chains = self.chains;
        while let Some(chain) = pending.pop() {
            for &before in &chains[chain].elements[0].before {
                self.mark_live_out(before, pending);
            }
        }
    }

    fn mark_live_out(&mut self, chain: ChainId, pending: &mut Vec<ChainId>) {
        let n_known = self.order.len();
        self.need(chain).is_live_out = true;
        if self.order.len() > n_known {
            pending.push(chain);
        }
    }

    /// The position of the definition in a chain that has it.
    fn definition_in(&self, chain: ChainId) -> Option<u32> {
        self.needs.get(&chain)?.definition
    }

    /// Whether a chain is directly in a gap that is live throughout.
    fn is_in_live_gap(&self, chain: ChainId) -> bool {
        let gap = self.chains[chain].gap;
        gap.is_some_and(|gap| self.inside.get(&gap) == Some(&true))
    }

    /// If a chain is in a gap that was not looked into, the outermost such gap: what
    /// holds there holds in all of it.
    fn closed_gap(&self, mut chain: ChainId) -> Option<Position> {
        let mut outermost = None;
        while let Some(gap) = self.chains[chain].gap
            && self.around != Some(gap)
        {
            if !self.inside.contains_key(&gap) {
                outermost = Some(gap);
            }
            chain = gap.chain;
        }
        outermost
    }

    /// Whether it is needed right before an element or a gap.
    fn is_live_at(&self, position: Position) -> bool {
        let Position { chain, at } = self.closed_gap(position.chain).unwrap_or(position);
        let definition = self.definition_in(chain);
        definition.is_none_or(|defined_at| defined_at < at) && self.is_needed_from(chain, at)
    }

    /// Whether something needs it at a position of a chain or later.
    fn is_needed_from(&self, chain: ChainId, at: u32) -> bool {
        let is_needed = |need: &Need| {
            need.is_live_out || need.last_use.is_some_and(|(last_at, _)| last_at >= at)
        };
        self.needs.get(&chain).is_some_and(is_needed) || self.is_in_live_gap(chain)
    }

    fn last_use(&self, block: Block) -> Option<Op> {
        let Position { chain, at } = self.chains.position[block];
        let (last_at, user) = self.needs.get(&chain)?.last_use?;
        user.filter(|_| last_at == at)
    }

    fn last_blocks(&self, ir: &Ir) -> Vec<Block> {
        let mut blocks = Vec::new();
        for chain in &self.order {
            let need = &self.needs[chain];
            if self.is_in_live_gap(*chain) {
                continue;
            }
            if need.is_live_out {
                let last = self.chains[*chain].elements.last();
                blocks.extend(last.and_then(|last| last.block.expand()));
            } else if let Some((_, Some(user))) = need.last_use {
                blocks.extend(ir.block_of(user));
            }
        }
        // It may be needed in some ways through a gap only.
        let gaps = self.gaps.iter().filter(|gap| !self.inside[*gap]);
        for &Position { chain, at } in gaps {
            let block = self.chains[chain].elements[at as usize / 2].block;
            blocks.extend(
                block
                    .expand()
                    .filter(|_| self.is_live_at(Position { chain, at })),
            );
        }
        blocks
    }
}

/// `op`, or the operation around it, that is directly in `region`.
pub(crate) fn ancestor_in_region(ir: &Ir, op: Op, region: Region) -> Option<Op> {
    let mut current = op;
    loop {
        let parent_region = ir.parent_region(current)?;
        if parent_region == region {
            return Some(current);
        }
        current = ir.region_owner(parent_region);
    }
}
