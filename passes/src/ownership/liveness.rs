//! Liveness of a set of uses at one level: in the blocks of one region, with
//! whatever stands deeper counted at the operation of that region holding it.
//!
//! Blocks that follow each other in a straight line count as one ([`Chains`]),
//! so what is live through a long line costs no more than its uses.

use cranelift_entity::SecondaryMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region};
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks of a region in maximal straight lines: each but the first is
/// entered from the one before only, which goes nowhere else.
struct Chains {
    /// The chain of a block and its position there.
    position: SecondaryMap<Block, (usize, usize)>,
    chains: Vec<Vec<Block>>,
}

impl Chains {
    /// Those of a region without unreachable blocks.
    fn new(ir: &Ir, region: Region) -> Self {
        let mut this = Self {
            position: SecondaryMap::new(),
            chains: Vec::new(),
        };
        for head in ir.blocks_in(region) {
            if continues(ir, head) {
                continue;
            }
            let mut chain = vec![head];
            let mut current = head;
            while let &[next] = ir.block_successors(current)
                && continues(ir, next)
            {
                chain.push(next);
                current = next;
            }
            for (index, &block) in chain.iter().enumerate() {
                this.position[block] = (this.chains.len(), index);
            }
            this.chains.push(chain);
        }
        this
    }
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

/// Whether `block` is not the first of its chain.
fn continues(ir: &Ir, block: Block) -> bool {
    !ir.is_entry_block(block)
        && match ir.block_uses(block) {
            [only] => ir.successors(only.op).len() == 1,
            _ => false,
        }
}

/// Where something used by a set of operations is needed inside one region.
pub(super) struct LevelLiveness<'a> {
    /// `None` in a region with one block.
    chains: Option<&'a Chains>,
    /// Where in its chain the definition stands, if it is in the region.
    definition: Option<(usize, usize)>,
    /// Position of the last block with a user in each chain that has one, and
    /// the user, as an operation of that block.
    last_use: FxHashMap<usize, (usize, Op)>,
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
            live_in: FxHashSet::default(),
            live_out: FxHashSet::default(),
            last_blocks: Vec::new(),
        };
        liveness.definition = definition.map(|block| liveness.position(block));
        let mut touched: Vec<usize> = Vec::new();
        for &user in users {
            let Some(op) = ancestor_in_region(ir, user, region) else {
                continue;
            };
            let Some(block) = ir.block_of(op) else {
                continue;
            };
            let (chain, index) = liveness.position(block);
            liveness
                .last_use
                .entry(chain)
                .and_modify(|last| {
                    let is_later =
                        index > last.0 || index == last.0 && ir.is_before_in_block(last.1, op);
                    if is_later {
                        *last = (index, op);
                    }
                })
                .or_insert_with(|| {
                    touched.push(chain);
                    (index, op)
                });
        }
        if let Some(chains) = chains {
            liveness.propagate(ir, chains, &mut touched);
        }
        for &chain in &touched {
            let last = match liveness.last_use.get(&chain) {
                Some(&(_, op)) if !liveness.live_out.contains(&chain) => ir.block_of(op),
                _ => chains.and_then(|chains| chains.chains[chain].last().copied()),
            };
            liveness.last_blocks.extend(last);
        }
        liveness
    }

    /// What is needed in a chain is needed at the end of those before it, up
    /// to the definition.
    fn propagate(&mut self, ir: &Ir, chains: &Chains, touched: &mut Vec<usize>) {
        let home = self.definition.map(|(chain, _)| chain);
        let mut stack: Vec<usize> = touched
            .iter()
            .copied()
            .filter(|&chain| Some(chain) != home)
            .collect();
        while let Some(chain) = stack.pop() {
            if !self.live_in.insert(chain) {
                continue;
            }
            for block in ir.predecessors(chains.chains[chain][0]) {
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

    fn position(&self, block: Block) -> (usize, usize) {
        self.chains.map_or((0, 0), |chains| chains.position[block])
    }

    /// The last user in `block`, if none comes after it in its chain.
    pub(super) fn last_use(&self, block: Block) -> Option<Op> {
        let (chain, index) = self.position(block);
        let &(last, op) = self.last_use.get(&chain)?;
        (last == index).then_some(op)
    }

    /// Whether it is needed at the beginning of `block`.
    pub(super) fn is_live_in(&self, block: Block) -> bool {
        let (chain, index) = self.position(block);
        if index == 0 {
            return self.live_in.contains(&chain);
        }
        !self.is_defined_from(chain, index)
            && (self.live_out.contains(&chain)
                || self
                    .last_use
                    .get(&chain)
                    .is_some_and(|last| last.0 >= index))
    }

    /// Whether it is needed at the end of `block`.
    pub(super) fn is_live_out(&self, block: Block) -> bool {
        let (chain, index) = self.position(block);
        !self.is_defined_from(chain, index + 1)
            && (self.live_out.contains(&chain)
                || self.last_use.get(&chain).is_some_and(|last| last.0 > index))
    }

    /// Whether the definition stands at this position of this chain or later.
    fn is_defined_from(&self, chain: usize, index: usize) -> bool {
        self.definition
            .is_some_and(|(home, position)| home == chain && position >= index)
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
