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

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(lower: i64, upper: i64, size: u64, offset: u64) -> PlacedBuffer {
        PlacedBuffer {
            lower,
            upper,
            size,
            alignment: 1,
            offset,
        }
    }

    #[test]
    fn accepts_reuse_after_death() {
        let buffers = [placed(0, 2, 8, 0), placed(1, 3, 8, 8), placed(2, 4, 8, 0)];
        assert_eq!(check_intervals(&buffers, 16), []);
    }

    #[test]
    fn finds_overlaps_from_either_side() {
        for (offset, size) in [(0, 3), (3, 2), (0, 10), (2, 4), (5, 9)] {
            let buffers = [placed(0, 9, 4, 2), placed(3, 4, size, offset)];
            assert_eq!(
                check_intervals(&buffers, (offset + size).max(6)),
                [Violation::Overlap(0, 1)]
            );
        }
    }

    #[test]
    fn buffers_may_share_bytes_in_gaps() {
        let buffers = [placed(0, 9, 8, 0), placed(2, 5, 8, 0)];
        let check = |gap| check_gaps(&buffers, &[vec![gap], vec![]], 8);
        assert_eq!(check((2, 5)), []);
        assert_eq!(check((3, 5)), [Violation::Overlap(0, 1)]);
        assert_eq!(check((2, 4)), [Violation::Overlap(0, 1)]);
    }

    #[test]
    fn a_reported_buffer_does_not_hide_others() {
        let buffers = [
            placed(0, 9, 4, 0),
            placed(1, 9, 4, 2),
            placed(2, 9, 4, 4),
            placed(3, 9, 4, 3),
        ];
        let violations = check_intervals(&buffers, 8);
        assert_eq!(
            violations,
            [Violation::Overlap(0, 1), Violation::Overlap(0, 3)]
        );
    }

    #[test]
    fn ignores_what_occupies_nothing() {
        let buffers = [placed(0, 9, 8, 0), placed(1, 5, 0, 4), placed(3, 3, 8, 4)];
        assert_eq!(check_intervals(&buffers, 8), []);
        // Without intervals, an empty one means nothing.
        let overlap = [
            Violation::WrongPeak {
                stated: 8,
                actual: 12,
            },
            Violation::Overlap(0, 2),
        ];
        assert_eq!(check_pairs(&buffers, [(0, 1), (0, 2)], 8), overlap);
    }

    #[test]
    fn checks_alignment_range_and_peak() {
        let odd = PlacedBuffer {
            alignment: 8,
            ..placed(0, 1, 4, 4)
        };
        assert_eq!(check_intervals(&[odd], 8), [Violation::Misaligned(0)]);
        let zero = PlacedBuffer {
            alignment: 0,
            ..placed(0, 1, 4, 0)
        };
        assert_eq!(check_intervals(&[zero], 4), [Violation::Misaligned(0)]);
        let far = [placed(0, 1, 4, u64::MAX - 2)];
        assert_eq!(check_intervals(&far, 0), [Violation::OutOfRange(0)]);
        let wrong = [Violation::WrongPeak {
            stated: 5,
            actual: 4,
        }];
        assert_eq!(check_intervals(&[placed(0, 1, 4, 0)], 5), wrong);
    }

    #[test]
    fn explicit_conflicts_replace_lifetimes() {
        let buffers = [placed(0, 9, 4, 0), placed(0, 9, 4, 0), placed(20, 21, 4, 2)];
        assert_eq!(
            check_pairs(&buffers, [(2, 0)], 6),
            [Violation::Overlap(0, 2)]
        );
        assert_eq!(
            check_pairs(&buffers, [(0, 7)], 6),
            [Violation::UnknownBuffer(7)]
        );
    }

    #[test]
    fn agrees_with_comparing_all_pairs() {
        // A linear congruential generator is random enough here.
        let mut state = 1u64;
        let mut next = |bound: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        for _ in 0..2000 {
            let mut buffers = Vec::new();
            for _ in 0..next(7) + 1 {
                let lower = next(12) as i64;
                buffers.push(placed(lower, lower + next(6) as i64, next(5), next(20)));
            }
            let all = (0..buffers.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
            let both_live = |&(a, b): &(usize, usize)| {
                occupies(&buffers[a])
                    && occupies(&buffers[b])
                    && buffers[a].lower < buffers[b].upper
                    && buffers[b].lower < buffers[a].upper
            };
            let is_overlap = |v: &Violation| matches!(v, Violation::Overlap(..));
            let expected = check_pairs(&buffers, all.filter(both_live), 0);
            let found = check_intervals(&buffers, 0);
            assert_eq!(
                found.iter().any(is_overlap),
                expected.iter().any(is_overlap)
            );
        }
    }
}
