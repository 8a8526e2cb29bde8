//! The input of a planner: buffers, which of them may never share bytes, and an optional capacity.
//!
//! An [`Instance`] is checked once, when it is built. Every planner relies on these checks:
//! lifetimes are ordered, alignments are positive, and all buffers stacked on top of each other,
//! padding included, end below `i64::MAX`. Hence no address computed later can overflow.

use std::fmt;

/// One buffer: it is live from `lower` up to, but not including, `upper`.
///
/// A buffer of size zero conflicts with nothing; nor does one with an empty lifetime, unless a
/// conflict graph says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// First point in time at which the contents matter.
    pub lower: i64,
    /// First point in time at which the contents no longer matter.
    pub upper: i64,
    /// Size in bytes (or in any unit, as long as `alignment` uses the same one).
    pub size: u64,
    /// The offset must be a multiple of this; need not be a power of two.
    pub alignment: u64,
}

impl Buffer {
    /// A buffer without alignment constraint.
    pub fn new(lower: i64, upper: i64, size: u64) -> Self {
        Self {
            lower,
            upper,
            size,
            alignment: 1,
        }
    }

    /// The same buffer with another alignment.
    #[must_use]
    pub fn aligned(self, alignment: u64) -> Self {
        Self { alignment, ..self }
    }

    /// Whether both buffers are live at some common point in time.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.lower.max(other.lower) < self.upper.min(other.upper)
    }

    /// Length of the lifetime.
    pub fn width(&self) -> u64 {
        self.upper.abs_diff(self.lower)
    }
}

/// An undirected graph over buffer indices: an edge means the two may never share a byte.
///
/// Use it where lifetimes are not intervals, for example in functions with several blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictGraph {
    /// Neighbours of buffer `i` are `targets[starts[i]..starts[i + 1]]`, ascending, without repeats.
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl ConflictGraph {
    /// The graph with `n_buffers` vertices and the given edges, in any order and with repeats
    /// allowed. An edge from a buffer to itself means nothing and is dropped.
    pub fn new(
        n_buffers: usize,
        edges: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, InstanceError> {
        let mut pairs = Vec::new();
        for (a, b) in edges {
            let last = a.max(b) as usize;
            if last >= n_buffers {
                return Err(InstanceError::UnknownBuffer { buffer: last });
            }
            if a != b {
                pairs.extend([(a, b), (b, a)]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; n_buffers + 1];
        for &(a, _) in &pairs {
            starts[a as usize + 1] += 1;
        }
        for i in 0..n_buffers {
            starts[i + 1] += starts[i];
        }
        Ok(Self {
            starts,
            targets: pairs.into_iter().map(|(_, b)| b).collect(),
        })
    }

    /// Number of vertices.
    pub fn n_buffers(&self) -> usize {
        self.starts.len() - 1
    }

    /// Buffers in conflict with `buffer`, ascending.
    pub fn neighbours(&self, buffer: usize) -> &[u32] {
        &self.targets[self.starts[buffer]..self.starts[buffer + 1]]
    }

    /// Whether the two buffers conflict.
    pub fn has_edge(&self, a: usize, b: usize) -> bool {
        u32::try_from(b).is_ok_and(|b| self.neighbours(a).binary_search(&b).is_ok())
    }
}

/// How to tell which buffers must not share bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflicts {
    /// Two buffers conflict when their lifetimes overlap.
    Intervals,
    /// Two buffers conflict when the graph has an edge; lifetimes only give an order.
    Graph(ConflictGraph),
}

/// A checked planning problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    buffers: Vec<Buffer>,
    conflicts: Conflicts,
    capacity: Option<u64>,
    /// When each buffer needs its bytes, unless that is all its life.
    resident: Option<Vec<Vec<(i64, i64)>>>,
}

/// More pairs of buffers in conflict are not listed: bounds memory.
const MAX_CONFLICTS: usize = 1 << 24;

impl Instance {
    /// An instance whose conflicts are overlapping lifetimes.
    pub fn new(buffers: Vec<Buffer>) -> Result<Self, InstanceError> {
        if u32::try_from(buffers.len()).is_err() {
            return Err(InstanceError::TooManyBuffers);
        }
        let mut stacked = 0u64;
        for (buffer, b) in buffers.iter().enumerate() {
            if b.lower > b.upper {
                return Err(InstanceError::NegativeLifetime { buffer });
            }
            if b.alignment == 0 {
                return Err(InstanceError::ZeroAlignment { buffer });
            }
            stacked = b
                .size
                .checked_next_multiple_of(b.alignment)
                .and_then(|size| size.checked_add(b.alignment - 1))
                .and_then(|size| stacked.checked_add(size))
                .filter(|&sum| i64::try_from(sum).is_ok())
                .ok_or(InstanceError::Overflow { buffer })?;
        }
        Ok(Self {
            buffers,
            conflicts: Conflicts::Intervals,
            capacity: None,
            resident: None,
        })
    }

    /// The same buffers, each of which needs no bytes in its gaps: ranges of time, from the first number up to, but not
    /// including, the second one. Contents before a gap are gone after it.
    pub fn with_gaps(self, gaps: &[Vec<(i64, i64)>]) -> Result<Self, InstanceError> {
        if gaps.len() != self.buffers.len() {
            let buffer = gaps.len();
            return Err(InstanceError::UnknownBuffer { buffer });
        }
        let resident: Vec<Vec<(i64, i64)>> = (self.buffers.iter().zip(gaps))
            .map(|(buffer, gaps)| outside(buffer, gaps))
            .collect();
        let mut pieces: Vec<(i64, i64, u32)> = Vec::new();
        for (b, ranges) in (0..).zip(&resident) {
            pieces.extend(ranges.iter().map(|&(lower, upper)| (lower, upper, b)));
        }
        pieces.sort_unstable();
        let mut live: Vec<(i64, u32)> = Vec::new();
        let mut pairs = Vec::new();
        for (lower, upper, b) in pieces {
            live.retain(|&(end, _)| end > lower);
            pairs.extend(live.iter().map(|&(_, other)| (other, b)));
            if pairs.len() > MAX_CONFLICTS {
                return Err(InstanceError::TooManyConflicts);
            }
            live.push((upper, b));
        }
        let graph = ConflictGraph::new(self.buffers.len(), pairs)?;
        Ok(Self {
            resident: Some(resident),
            ..self.with_graph(graph)?
        })
    }

    /// When the buffer needs its bytes: ranges of time in order.
    pub fn resident(&self, buffer: usize) -> Vec<(i64, i64)> {
        match &self.resident {
            Some(resident) => resident[buffer].clone(),
            None => outside(&self.buffers[buffer], &[]),
        }
    }

    /// The same buffers with explicit conflicts in place of overlapping lifetimes.
    pub fn with_graph(self, graph: ConflictGraph) -> Result<Self, InstanceError> {
        if graph.n_buffers() != self.buffers.len() {
            return Err(InstanceError::UnknownBuffer {
                buffer: graph.n_buffers(),
            });
        }
        Ok(Self {
            conflicts: Conflicts::Graph(graph),
            ..self
        })
    }

    /// The same instance with a peak that a plan should not exceed.
    #[must_use]
    pub fn with_capacity(self, capacity: Option<u64>) -> Self {
        Self { capacity, ..self }
    }

    /// The buffers; a plan's offsets have the same order.
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// How conflicts are decided.
    pub fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// The peak a plan should not exceed.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Whether the buffer needs any bytes at any time.
    pub fn occupies(&self, buffer: usize) -> bool {
        let b = &self.buffers[buffer];
        let is_live = match (&self.resident, &self.conflicts) {
            (Some(resident), _) => !resident[buffer].is_empty(),
            (None, Conflicts::Graph(_)) => true,
            (None, Conflicts::Intervals) => b.lower < b.upper,
        };
        b.size > 0 && is_live
    }

    /// Whether buffers `a` and `b` must not share bytes.
    pub fn conflict(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.buffers[a], &self.buffers[b]);
        a != b
            && self.occupies(a)
            && self.occupies(b)
            && match &self.conflicts {
                Conflicts::Intervals => x.overlaps(y),
                Conflicts::Graph(graph) => graph.has_edge(a, b),
            }
    }
}

/// Why a list of buffers is not a planning problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceError {
    /// A lifetime ends before it starts.
    NegativeLifetime {
        /// Index of the buffer.
        buffer: usize,
    },
    /// An alignment of zero.
    ZeroAlignment {
        /// Index of the buffer.
        buffer: usize,
    },
    /// The buffers up to this one, stacked, do not fit into 63 bits.
    Overflow {
        /// Index of the buffer.
        buffer: usize,
    },
    /// A conflict names a buffer that does not exist.
    UnknownBuffer {
        /// The index named.
        buffer: usize,
    },
    /// Buffer indices must fit into 32 bits.
    TooManyBuffers,
    /// Too many buffers with gaps are live at once.
    TooManyConflicts,
}

/// The parts of the lifetime of a buffer that are in none of the gaps.
fn outside(buffer: &Buffer, gaps: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut gaps = gaps.to_vec();
    gaps.sort_unstable();
    let mut parts = Vec::with_capacity(gaps.len() + 1);
    let mut from = buffer.lower;
    for (lower, upper) in gaps {
        if from < lower.min(buffer.upper) {
            parts.push((from, lower.min(buffer.upper)));
        }
        from = from.max(upper);
    }
    if from < buffer.upper {
        parts.push((from, buffer.upper));
    }
    parts
}

impl InstanceError {
    /// The buffer to blame, if there is one.
    pub fn buffer(&self) -> Option<usize> {
        match *self {
            Self::NegativeLifetime { buffer }
            | Self::ZeroAlignment { buffer }
            | Self::Overflow { buffer } => Some(buffer),
            Self::UnknownBuffer { .. } | Self::TooManyBuffers | Self::TooManyConflicts => None,
        }
    }
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeLifetime { .. } => f.write_str("lifetime ends before it starts"),
            Self::ZeroAlignment { .. } => f.write_str("alignment must be positive"),
            Self::Overflow { .. } => f.write_str("sum of buffer sizes does not fit into 63 bits"),
            Self::UnknownBuffer { buffer } => write!(f, "conflict with unknown buffer {buffer}"),
            Self::TooManyBuffers => f.write_str("too many buffers"),
            Self::TooManyConflicts => {
                f.write_str("too many buffers are live at once, some of them with gaps")
            }
        }
    }
}

impl std::error::Error for InstanceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_what_no_planner_could_use() {
        let error = |b: Buffer| Instance::new(vec![Buffer::new(0, 1, 1), b]).unwrap_err();
        assert_eq!(
            error(Buffer::new(2, 1, 1)),
            InstanceError::NegativeLifetime { buffer: 1 }
        );
        assert_eq!(
            error(Buffer::new(1, 2, 1).aligned(0)),
            InstanceError::ZeroAlignment { buffer: 1 }
        );
        for huge in [u64::MAX, 1 << 63, (1 << 63) - 1] {
            assert_eq!(
                error(Buffer::new(1, 2, huge)),
                InstanceError::Overflow { buffer: 1 }
            );
        }
        let overaligned = Buffer::new(1, 2, 3).aligned(1 << 63);
        assert_eq!(error(overaligned), InstanceError::Overflow { buffer: 1 });
        assert!(Instance::new(vec![Buffer::new(i64::MIN, i64::MAX, (1 << 63) - 1)]).is_ok());
    }

    #[test]
    fn empty_buffers_conflict_with_nothing() {
        let buffers = vec![
            Buffer::new(0, 9, 8),
            Buffer::new(3, 3, 8),
            Buffer::new(2, 4, 0),
        ];
        let instance = Instance::new(buffers).unwrap();
        assert!(!instance.conflict(0, 1) && !instance.conflict(0, 2) && !instance.conflict(0, 0));
    }

    #[test]
    fn buffers_with_gaps_conflict_where_both_are_resident() {
        let buffers = vec![
            Buffer::new(0, 10, 8),
            Buffer::new(2, 5, 8),
            Buffer::new(4, 6, 8),
            Buffer::new(9, 12, 8),
        ];
        let gaps = [vec![(1, 3), (2, 5)], vec![], vec![(4, 6)], vec![]];
        let instance = Instance::new(buffers).unwrap().with_gaps(&gaps).unwrap();
        assert_eq!(instance.resident(0), [(0, 1), (5, 10)]);
        assert_eq!(instance.resident(2), []);
        let conflicts: Vec<usize> = (1..4).filter(|&b| instance.conflict(0, b)).collect();
        assert_eq!(conflicts, [3]);
        assert!(!instance.occupies(2));
    }

    #[test]
    fn touching_lifetimes_do_not_overlap() {
        assert!(!Buffer::new(0, 3, 1).overlaps(&Buffer::new(3, 4, 1)));
        assert!(Buffer::new(0, 4, 1).overlaps(&Buffer::new(3, 4, 1)));
    }

    #[test]
    fn graph_is_symmetric_and_without_repeats() {
        let graph = ConflictGraph::new(3, [(0, 2), (2, 0), (1, 1)]).unwrap();
        assert_eq!(
            (graph.neighbours(0), graph.neighbours(1)),
            (&[2][..], &[][..])
        );
        assert!(graph.has_edge(2, 0) && !graph.has_edge(0, 1));
        let unknown = ConflictGraph::new(3, [(0, 3)]).unwrap_err();
        assert_eq!(unknown, InstanceError::UnknownBuffer { buffer: 3 });
    }
}
