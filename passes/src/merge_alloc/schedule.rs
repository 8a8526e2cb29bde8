//! The planner stage: offsets from a [`Planner`].
//!
//! Buffers with one range of ticks each are planned as intervals. Where some live in several ranges
//! (several blocks), overlaps become the edges of a conflict graph. Buffers that may have the
//! same bytes are then planned as one; that is kept unless it needs a larger arena.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};

use super::stages::{MergeOptions, Schedule, ScopeTrace};
use super::ticks::Span;
use crate::check::memory_plan::{PlacedBuffer, check_pairs};
use freehold_planner::{
    Buffer, ConflictGraph, Instance, InstanceError, NAMES, Plan, PlanError, Planner,
};

/// With more pairs of buffers live at once, each buffer counts as live from its first to its last
/// tick, which needs no graph.
const MAX_CONFLICTS: usize = 1 << 22;

/// Plans of our own are checked for this many buffers: it is quadratic.
const MAX_CHECKED: usize = 500;

/// Buffers that have the same bytes.
struct Unit {
    bytes: u64,
    alignment: u64,
    live: Vec<Span>,
}

/// Chooses the offsets for one arena. Buffers that are live at once do not overlap.
pub fn schedule(
    planner: &dyn Planner,
    ir: &Ir,
    trace: &ScopeTrace,
    options: &MergeOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Schedule, Failed> {
    let own_unit: Vec<usize> = (0..trace.buffers.len()).collect();
    if trace.same_bytes.is_empty() {
        return plan(planner, trace, &own_unit, options, ir, diagnostics);
    }
    let unit = joined(own_unit.clone(), &trace.same_bytes);
    let with_pairs = plan(planner, trace, &unit, options, ir, diagnostics)?;
    // Most often no other plan can be better, and looking for one takes long where there are many buffers.
    if with_pairs.bytes <= most_live_bytes(&units(trace, &own_unit, options).0) {
        return Ok(with_pairs);
    }
    let without = plan(planner, trace, &own_unit, options, ir, diagnostics)?;
    Ok(if with_pairs.bytes <= without.bytes {
        with_pairs
    } else {
        without
    })
}

/// The same for an arena of at most `room` bytes; `None` if there is none, often without a plan.
pub(super) fn schedule_within(
    room: u64,
    planner: &dyn Planner,
    ir: &Ir,
    trace: &ScopeTrace,
    options: &MergeOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Schedule> {
    let own_unit: Vec<usize> = (0..trace.buffers.len()).collect();
    let fits = |unit_of: &[usize]| most_live_bytes(&units(trace, unit_of, options).0) <= room;
    let may_fit = fits(&own_unit)
        || !trace.same_bytes.is_empty() && fits(&joined(own_unit, &trace.same_bytes));
    let schedule = may_fit.then(|| schedule(planner, ir, trace, options, diagnostics))?;
    schedule.ok().filter(|schedule| schedule.bytes <= room)
}

/// The most that is live at once, which is what an arena of these units takes at least.
fn most_live_bytes(units: &[Unit]) -> u64 {
    let mut changes: Vec<(u32, bool, u64)> = Vec::new();
    for unit in units {
        for &(first, last) in &unit.live {
            changes.push((first, false, unit.bytes));
            changes.push((last, true, unit.bytes));
        }
    }
    // What ends at a tick is live together with what begins there.
    changes.sort_unstable();
    let (mut live, mut most) = (0u64, 0);
    for (_, is_end, bytes) in changes {
        live = match is_end {
            false => live.saturating_add(bytes),
            true => live.saturating_sub(bytes),
        };
        most = most.max(live);
    }
    most
}

/// Plans with the given unit for each buffer; units have the number of their first buffer.
fn plan(
    planner: &dyn Planner,
    trace: &ScopeTrace,
    unit_of: &[usize],
    options: &MergeOptions,
    ir: &Ir,
    diagnostics: &mut Diagnostics,
) -> Result<Schedule, Failed> {
    let (units, index_of) = units(trace, unit_of, options);
    let failed = |diagnostics: &mut Diagnostics, at: Option<usize>, message: String| {
        let op = at.map_or(ir.root(), |buffer| trace.buffers[buffer].alloc);
        diagnostics.error(ir.loc(op), format!("'{}' op {message}", ir.op_name(op)))
    };
    let plan = match plan_units(planner, &units) {
        Ok(plan) => plan,
        Err(Trouble::Instance(error)) => {
            let buffer = error
                .buffer()
                .and_then(|u| index_of.iter().position(|&i| i == u));
            return Err(failed(diagnostics, buffer, error.to_string()));
        }
        Err(Trouble::Plan(error)) => return Err(failed(diagnostics, None, error.to_string())),
    };
    // Those of others are never trusted.
    if !NAMES.contains(&planner.name()) && !is_right(&units, &plan, units.len()) {
        let message = format!("is planned wrongly by '{}'", planner.name());
        return Err(failed(diagnostics, None, message));
    }
    debug_assert!(
        is_right(&units, &plan, MAX_CHECKED),
        "the planner {} is wrong",
        planner.name()
    );
    // The sum of all padded sizes fits into 63 bits, so this does not overflow.
    let granule = granule(trace, options);
    let bytes = plan.peak.next_multiple_of(granule);
    Ok(Schedule {
        bytes,
        alignment: units
            .iter()
            .fold(options.granule().max(trace.scale.multiple), |a, unit| {
                a.max(unit.alignment)
            }),
        offsets: index_of.iter().map(|&u| plan.offsets[u]).collect(),
        lower_bound: plan.lower_bound.next_multiple_of(granule),
    })
}

/// What sizes are rounded up to, before they are scaled.
fn granule(trace: &ScopeTrace, options: &MergeOptions) -> u64 {
    if trace.scale.is_static() {
        options.granule()
    } else {
        1
    }
}

/// Joins the units of each pair; a unit keeps the number of its first buffer.
fn joined(mut unit: Vec<usize>, pairs: &[(usize, usize)]) -> Vec<usize> {
    fn root(unit: &mut [usize], mut b: usize) -> usize {
        while unit[b] != b {
            unit[b] = unit[unit[b]];
            b = unit[b];
        }
        b
    }
    for &(a, b) in pairs {
        let (a, b) = (root(&mut unit, a), root(&mut unit, b));
        unit[a.max(b)] = a.min(b);
    }
    (0..unit.len()).map(|b| root(&mut unit, b)).collect()
}

/// Collects buffers into units; gives the index of the unit of each buffer as well.
fn units(trace: &ScopeTrace, unit_of: &[usize], options: &MergeOptions) -> (Vec<Unit>, Vec<usize>) {
    let mut units: Vec<Unit> = Vec::new();
    let mut index_of = Vec::with_capacity(unit_of.len());
    for (buffer, &first) in trace.buffers.iter().zip(unit_of) {
        // Padded, so that offsets are multiples of the alignment whatever the planner does.
        let bytes = buffer
            .bytes
            .checked_next_multiple_of(granule(trace, options))
            .unwrap_or(u64::MAX);
        if first == index_of.len() {
            index_of.push(units.len());
            units.push(Unit {
                bytes,
                alignment: buffer.alignment,
                live: buffer.live.clone(),
            });
            continue;
        }
        let index = index_of[first];
        index_of.push(index);
        let unit = &mut units[index];
        unit.bytes = unit.bytes.max(bytes);
        unit.alignment = unit.alignment.max(buffer.alignment);
        unit.live.extend(&buffer.live);
        unit.live = merged(std::mem::take(&mut unit.live));
    }
    (units, index_of)
}

/// Ascending spans that do not touch, covering the same ticks.
pub(super) fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut result: Vec<Span> = Vec::with_capacity(spans.len());
    for (first, last) in spans {
        match result.last_mut() {
            Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
            _ => result.push((first, last)),
        }
    }
    result
}

enum Trouble {
    Instance(InstanceError),
    Plan(PlanError),
}

fn plan_units(planner: &dyn Planner, units: &[Unit]) -> Result<Plan, Trouble> {
    let hull = |unit: &Unit| Buffer {
        lower: unit.live.first().map_or(0, |&(first, _)| i64::from(first)),
        upper: unit.live.last().map_or(1, |&(_, last)| i64::from(last) + 1),
        size: unit.bytes,
        alignment: unit.alignment,
    };
    let intervals = Instance::new(units.iter().map(hull).collect()).map_err(Trouble::Instance)?;
    if units.iter().all(|unit| unit.live.len() == 1) {
        return planner.plan(&intervals).map_err(Trouble::Plan);
    }
    let Some(conflicts) = conflicts(units) else {
        return planner.plan(&intervals).map_err(Trouble::Plan);
    };
    let graph = ConflictGraph::new(units.len(), conflicts).map_err(Trouble::Instance)?;
    let instance = intervals.with_graph(graph).map_err(Trouble::Instance)?;
    planner.plan(&instance).map_err(Trouble::Plan)
}

/// Pairs of units that are live at once; `None` if there are too many.
fn conflicts(units: &[Unit]) -> Option<Vec<(u32, u32)>> {
    let mut spans: Vec<(Span, u32)> = Vec::new();
    for (u, unit) in (0..).zip(units) {
        spans.extend(unit.live.iter().map(|&span| (span, u)));
    }
    spans.sort_unstable();
    let mut live: Vec<(u32, u32)> = Vec::new();
    let mut pairs = Vec::new();
    for ((first, last), u) in spans {
        live.retain(|&(end, _)| end >= first);
        pairs.extend(live.iter().map(|&(_, other)| (other.min(u), other.max(u))));
        if pairs.len() > MAX_CONFLICTS {
            return None;
        }
        live.push((last, u));
    }
    pairs.sort_unstable();
    pairs.dedup();
    Some(pairs)
}

/// Asks the independent checker, with conflicts found by comparing all pairs.
fn is_right(units: &[Unit], plan: &Plan, most: usize) -> bool {
    if plan.offsets.len() != units.len() {
        return false;
    }
    let placed: Vec<PlacedBuffer> = (units.iter().zip(&plan.offsets))
        .map(|(unit, &offset)| PlacedBuffer {
            lower: 0,
            upper: 1,
            size: unit.bytes,
            alignment: unit.alignment,
            offset,
        })
        .collect();
    let overlap = |a: &Unit, b: &Unit| {
        let meets = |x: &Span| b.live.iter().any(|y| x.0 <= y.1 && y.0 <= x.1);
        a.live.iter().any(meets)
    };
    let n = units.len().min(most);
    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    let conflicts = pairs.filter(|&(a, b)| overlap(&units[a], &units[b]));
    check_pairs(&placed, conflicts, plan.peak).is_empty()
}
