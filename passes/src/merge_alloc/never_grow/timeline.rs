//! The memory of one block over time; see [`super`] for the terms.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Block;

use super::summary::Summaries;
use crate::merge_alloc::ticks::{Span, Ticks};

/// What is known of each operation of the block, in order.
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

/// The operations of a block and what its buffers take for sure. Positions are indices of operations.
pub(super) struct Timeline {
    moments: Vec<Moment>,
}

/// [`Timeline`] with all buffers added.
pub(super) struct Bounds {
    /// Whether other memory may surge at a position.
    pub(super) surges: Vec<bool>,
    /// How many surges there are before each position.
    pub(super) surges_before: Vec<u32>,
    /// Whether the operation is a loop.
    pub(super) is_loop: Vec<bool>,
    /// The most that is certain at a position with no less other memory.
    pub(super) limit: Vec<u64>,
    /// The most that is certain at any position.
    pub(super) most_certain: u64,
}

impl Timeline {
    pub(super) fn new(ir: &Ir, ticks: &Ticks, summaries: &Summaries, block: Block) -> Self {
        let start = ticks.block(block).0;
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
        let mut moments: Vec<Moment> = ir.ops_in(block).map(moment).collect();
        // At the end of the block anything may be freed.
        for moment in moments.iter_mut().rev().take(2) {
            moment.falls = true;
        }
        Self { moments }
    }

    /// The position of a tick.
    pub(super) fn position(&self, tick: u32) -> u32 {
        let after = self.moments.partition_point(|moment| moment.tick <= tick);
        after.saturating_sub(1) as u32
    }

    /// Adds a buffer with the ticks of its allocation, of its last access and of the first operation that
    /// may free it. Gives the positions at which it is allocated in every run of the block.
    pub(super) fn add_buffer(
        &mut self,
        (born, last): Span,
        freed: Option<u32>,
        bytes: u64,
    ) -> Option<Span> {
        let (born, mut dead) = (self.position(born), self.position(last));
        if let Some(freed) = freed {
            dead = dead.min(self.position(freed).checked_sub(1)?);
        }
        // Where a branch is the last to use it, it is freed in there.
        if self.moments[dead as usize].is_branch {
            dead = dead.checked_sub(1)?;
        }
        if dead < born {
            return None;
        }
        self.moments[born as usize].change += i128::from(bytes);
        if let Some(after) = self.moments.get_mut(dead as usize + 1) {
            after.change -= i128::from(bytes);
        }
        Some((born, dead))
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

    pub(super) fn bounds(&self) -> Bounds {
        let moments = &self.moments;
        let mut sum = 0;
        let certain: Vec<u64> = (moments.iter())
            .map(|moment| {
                sum += moment.change;
                u64::try_from(sum)
                    .unwrap_or(0)
                    .saturating_add(moment.nested)
            })
            .collect();
        let mut limit = certain.clone();
        let mut earlier = 0;
        for (i, moment) in moments.iter().enumerate() {
            earlier = if moment.rises { 0 } else { earlier }.max(certain[i]);
            limit[i] = limit[i].max(earlier);
        }
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
            surges: moments.iter().map(|moment| moment.surges).collect(),
            surges_before,
            is_loop: moments.iter().map(|moment| moment.is_loop).collect(),
            limit,
            most_certain: certain.into_iter().max().unwrap_or(0),
        }
    }
}
