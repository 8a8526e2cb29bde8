//! Is a memory plan right? No two simultaneously live buffers may share a byte.
//!
//! The checker knows nothing of how plans are made and shares no code with the planner. It states
//! the property directly: at any moment, the byte ranges of the live buffers are disjoint. For
//! lifetimes that are intervals it sweeps over time and keeps the live ranges sorted by offset; as
//! long as they are disjoint, a new range can only overlap its two neighbours. That takes time
//! `n log n`. For explicit conflicts it looks at every pair it is given.

use std::collections::BTreeMap;
use std::fmt;

/// A buffer with its place in time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedBuffer {
    /// First point in time at which it is live.
    pub lower: i64,
    /// First point in time at which it is no longer live.
    pub upper: i64,
    /// Size in bytes.
    pub size: u64,
    /// What the offset must be a multiple of.
    pub alignment: u64,
    /// The first byte it occupies.
    pub offset: u64,
}

/// One thing that is wrong with a plan. Numbers are indices of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Both are live at once and share a byte.
    Overlap(usize, usize),
    /// The offset is not a multiple of the alignment.
    Misaligned(usize),
    /// The buffer does not end within 64 bits.
    OutOfRange(usize),
    /// The stated peak is not where the highest buffer ends.
    WrongPeak {
        /// What the plan says.
        stated: u64,
        /// Where the highest buffer ends.
        actual: u64,
    },
    /// A conflict names a buffer that does not exist.
    UnknownBuffer(usize),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap(a, b) => write!(f, "buffers {a} and {b} share bytes while both are live"),
            Self::Misaligned(b) => write!(f, "buffer {b} is not aligned"),
            Self::OutOfRange(b) => write!(f, "buffer {b} does not end within 64 bits"),
            Self::WrongPeak { stated, actual } => {
                write!(f, "the peak is {actual}, not {stated}")
            }
            Self::UnknownBuffer(b) => write!(f, "conflict with unknown buffer {b}"),
        }
    }
}

/// Checks a plan whose buffers conflict when their lifetimes overlap. Of several overlaps at one
/// moment at least one is reported; an empty result means that the plan is right.
pub fn check_intervals(buffers: &[PlacedBuffer], peak: u64) -> Vec<Violation> {
    let mut violations = check_each(buffers, peak, occupies);
    // Frees come before allocations at the same time; a free is recognised by `false`.
    let mut events: Vec<(i64, bool, usize)> = Vec::with_capacity(2 * buffers.len());
    for (b, buffer) in buffers.iter().enumerate() {
        if occupies(buffer) {
            events.push((buffer.lower, true, b));
            events.push((buffer.upper, false, b));
        }
    }
    events.sort_unstable();
    // Live buffers by offset. One that overlaps another is reported and left out, so that the
    // ranges in the map are disjoint.
    let mut live: BTreeMap<u64, usize> = BTreeMap::new();
    for (_, is_allocation, b) in events {
        let offset = buffers[b].offset;
        if !is_allocation {
            if live.get(&offset) == Some(&b) {
                live.remove(&offset);
            }
            continue;
        }
        let below = live.range(..=offset).next_back().map(|(_, &other)| other);
        let above = live.range(offset..).next().map(|(_, &other)| other);
        let mut overlapping = [below, above].into_iter().flatten();
        match overlapping.find(|&other| share_a_byte(&buffers[b], &buffers[other])) {
            Some(other) => violations.push(Violation::Overlap(other.min(b), other.max(b))),
            None => {
                live.insert(offset, b);
            }
        }
    }
    violations
}

/// The same for buffers that need no bytes in some ranges of time, their gaps: each conflicts with what
/// it would conflict with if it were several buffers at one offset.
pub fn check_gaps(buffers: &[PlacedBuffer], gaps: &[Vec<(i64, i64)>], peak: u64) -> Vec<Violation> {
    let mut parts: Vec<PlacedBuffer> = Vec::new();
    let mut buffer_of: Vec<usize> = Vec::new();
    for (b, buffer) in buffers.iter().enumerate() {
        let mut gaps = gaps.get(b).cloned().unwrap_or_default();
        gaps.push((buffer.upper, buffer.upper));
        gaps.sort_unstable();
        let mut lower = buffer.lower;
        for (start, end) in gaps {
            let upper = start.min(buffer.upper);
            if lower < upper {
                parts.push(PlacedBuffer {
                    lower,
                    upper,
                    ..*buffer
                });
                buffer_of.push(b);
            }
            lower = lower.max(end);
        }
    }
    let rename = |violation| match violation {
        Violation::Overlap(a, b) => Violation::Overlap(buffer_of[a], buffer_of[b]),
        Violation::Misaligned(b) => Violation::Misaligned(buffer_of[b]),
        Violation::OutOfRange(b) => Violation::OutOfRange(buffer_of[b]),
        other => other,
    };
    check_intervals(&parts, peak)
        .into_iter()
        .map(rename)
        .collect()
}

/// Checks a plan with explicit conflicts.
pub fn check_pairs(
    buffers: &[PlacedBuffer],
    conflicts: impl IntoIterator<Item = (usize, usize)>,
    peak: u64,
) -> Vec<Violation> {
    // Lifetimes play no part here.
    let occupies = |b: &PlacedBuffer| b.size > 0;
    let mut violations = check_each(buffers, peak, occupies);
    for (a, b) in conflicts {
        match (buffers.get(a), buffers.get(b)) {
            (Some(x), Some(y)) => {
                if a != b && occupies(x) && occupies(y) && share_a_byte(x, y) {
                    violations.push(Violation::Overlap(a.min(b), a.max(b)));
                }
            }
            _ => violations.push(Violation::UnknownBuffer(a.max(b))),
        }
    }
    violations
}

/// What can be told from each buffer alone, and the peak.
fn check_each(
    buffers: &[PlacedBuffer],
    peak: u64,
    occupies: impl Fn(&PlacedBuffer) -> bool,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut actual = 0;
    for (b, buffer) in buffers.iter().enumerate() {
        if buffer.alignment == 0 || !buffer.offset.is_multiple_of(buffer.alignment) {
            violations.push(Violation::Misaligned(b));
        }
        match buffer.offset.checked_add(buffer.size) {
            Some(end) if occupies(buffer) => actual = actual.max(end),
            Some(_) => {}
            None => violations.push(Violation::OutOfRange(b)),
        }
    }
    if actual != peak {
        violations.push(Violation::WrongPeak {
            stated: peak,
            actual,
        });
    }
    violations
}

fn occupies(buffer: &PlacedBuffer) -> bool {
    buffer.size > 0 && buffer.lower < buffer.upper
}

fn share_a_byte(x: &PlacedBuffer, y: &PlacedBuffer) -> bool {
    let end = |b: &PlacedBuffer| u128::from(b.offset) + u128::from(b.size);
    u128::from(x.offset) < end(y) && u128::from(y.offset) < end(x)
}
