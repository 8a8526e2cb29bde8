//! The memory of one region over time; see [`super`] for the terms.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Region;

use super::blocks::Blocks;
use super::summary::Summaries;
use crate::merge_alloc::ticks::{Span, Ticks};

/// Facts about each operation in the blocks of the region, in textual order.
struct Moment {
    /// First tick.
    tick: u32,
    surges: bool,
    rises: bool,
    falls: bool,
    frees: bool,
    is_loop: bool,
    /// It has regions that it need not run.
    is_branch: bool,
    /// What a block inside takes for sure at once.
    nested: u64,
    /// How much more, or less, buffers take for sure from here on.
    change: i128,
}

/// The operations of a region and what its buffers take for sure. Positions are indices of operations.
pub(super) struct Timeline {
    moments: Vec<Moment>,
    blocks: Blocks,
    /// Positions from which on there are results, and their sizes.
    results: Vec<(u32, u64)>,
}

/// The life of a buffer.
pub(super) struct Life {
    /// Where it is allocated.
    pub(super) born: u32,
    /// Where it may be there.
    pub(super) maybe: Vec<Span>,
    /// Where it is there whenever execution comes by.
    pub(super) certain: Vec<Span>,
}

/// [`Timeline`] with all buffers added.
pub(super) struct Bounds {
    pub(super) blocks: Blocks,
    /// Whether other memory may surge at a position.
    pub(super) surges: Vec<bool>,
    /// How many surges there are before each position.
    pub(super) surges_before: Vec<u32>,
    /// Whether the operation is a loop.
    pub(super) is_loop: Vec<bool>,
    /// What results take at a position.
    pub(super) load: Vec<u64>,
    /// The most that is certain at a position with no less other memory.
    pub(super) limit: Vec<u64>,
    /// The most that is certain at any position.
    pub(super) most_certain: u64,
}

impl Timeline {
    pub(super) fn new(ir: &Ir, ticks: &Ticks, summaries: &Summaries, region: Region) -> Self {
        let start = ticks.region(region).0;
        let moment = |op| {
            let summary = summaries.of(op);
            let is_loop = ir.def(op).loop_like.is_some();
            Moment {
                tick: ticks.tick(op),
                surges: summary.surges,
                rises: summary.rises,
                falls: summary.uses_from < start,
                frees: summary.frees,
                is_loop,
                is_branch: !ir.regions(op).is_empty() && !is_loop,
                nested: 0,
                change: 0,
            }
        };
        let blocks = Blocks::new(ir, region);
        let ops = ir.blocks_in(region).flat_map(|block| ir.ops_in(block));
        let mut moments: Vec<Moment> = ops.map(moment).collect();
        // At the end of a block anything may be freed.
        for end in blocks.ends() {
            for position in end.saturating_sub(1)..=end {
                moments[position as usize].falls = true;
            }
        }
        Self {
            moments,
            blocks,
            results: Vec::new(),
        }
    }

    /// The position of a tick.
    pub(super) fn position(&self, tick: u32) -> u32 {
        let after = self.moments.partition_point(|moment| moment.tick <= tick);
        after.saturating_sub(1) as u32
    }

    /// Adds a buffer with the ticks of its allocation, of all uses and frees at which its contents matter, and of those
    /// that may free it.
    pub(super) fn add_buffer(
        &mut self,
        born: u32,
        uses: &[u32],
        live: &[Span],
        frees: impl Iterator<Item = u32>,
        bytes: u64,
    ) -> Life {
        let born = self.position(born);
        let all = |position: u32| (position, position + 1);
        let uses = uses.iter().map(|&tick| all(self.position(tick)));
        let maybe = self.blocks.between(born, uses.chain([all(born)]));
        let live = live
            .iter()
            .map(|&(first, last)| (self.position(first), self.position(last)))
            .flat_map(|span| self.blocks.pieces(span));
        let accesses = live.map(|(_, last)| {
            // Where a branch is the last to use it, it is freed in there.
            match self.moments[last as usize].is_branch {
                true => (last, last),
                false => all(last),
            }
        });
        let needed = self.blocks.between(born, accesses.chain([all(born)]));
        let frees = frees.map(|tick| self.position(tick));
        let certain = self.blocks.before(needed, born, frees);
        for &(first, last) in &certain {
            self.moments[first as usize].change += i128::from(bytes);
            if let Some(after) = self.moments.get_mut(last as usize + 1) {
                after.change -= i128::from(bytes);
            }
        }
        Life {
            born,
            maybe,
            certain,
        }
    }

    /// Adds a buffer that is there from a tick to the end of the only block. Gives its position.
    pub(super) fn add_result(&mut self, born: u32, bytes: u64) -> u32 {
        let born = self.position(born);
        self.moments[born as usize].change += i128::from(bytes);
        self.results.push((born, bytes));
        born
    }

    /// Adds what a block inside of the operation takes at once if the operation runs. It counts if other
    /// memory is still the same then: what a loop uses for the last time is freed after it.
    pub(super) fn add_nested(&mut self, position: u32, bytes: u64) {
        let moment = &mut self.moments[position as usize];
        let falls_before = match moment.is_loop {
            true => moment.frees,
            false => moment.falls,
        };
        if !moment.surges && !moment.rises && !falls_before {
            moment.nested = moment.nested.max(bytes);
        }
    }

    pub(super) fn bounds(self) -> Bounds {
        let Self {
            moments,
            blocks,
            results,
        } = self;
        let mut load: Vec<u64> = vec![0; moments.len()];
        for (born, bytes) in results {
            load[born as usize] = load[born as usize].saturating_add(bytes);
        }
        let mut sum: u64 = 0;
        for load in &mut load {
            sum = sum.saturating_add(*load);
            *load = sum;
        }
        let mut sum = 0;
        let certain: Vec<u64> = (moments.iter())
            .map(|moment| {
                sum += moment.change;
                u64::try_from(sum)
                    .unwrap_or(0)
                    .saturating_add(moment.nested)
            })
            .collect();
        let rises: Vec<bool> = moments.iter().map(|moment| moment.rises).collect();
        let mut limit = blocks.earlier(&certain, &rises);
        // What comes later counts within a block, at whose end memory may fall.
        let mut later = 0;
        for (i, moment) in moments.iter().enumerate().rev() {
            later = if moment.falls { 0 } else { later }.max(certain[i]);
            limit[i] = limit[i].max(later);
        }
        let mut surges_before = vec![0; moments.len() + 1];
        for (i, moment) in moments.iter().enumerate() {
            surges_before[i + 1] = surges_before[i] + u32::from(moment.surges);
        }
        Bounds {
            blocks,
            surges: moments.iter().map(|moment| moment.surges).collect(),
            surges_before,
            is_loop: moments.iter().map(|moment| moment.is_loop).collect(),
            load,
            limit,
            most_certain: certain.into_iter().max().unwrap_or(0),
        }
    }
}
