//! The output of a planner: an offset for every buffer, and how good the plan is known to be.

use std::fmt;

use super::instance::Instance;

/// The distance of a plan from the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The peak equals a lower bound that is read off the instance: no plan can be better.
    Bound,
    /// Every plan with a lower peak was excluded by search.
    Exhaustion,
    /// The plan is valid, but a better one may exist.
    None,
}

/// Offsets for all buffers of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Offset of each buffer, in the instance's order; 0 for a buffer that occupies nothing.
    pub offsets: Vec<u64>,
    /// One past the highest byte used by any buffer.
    pub peak: u64,
    /// No plan of this instance has a lower peak than this.
    pub lower_bound: u64,
    /// How `lower_bound` came to meet `peak`, if it did.
    pub proof: Proof,
    /// Nodes of the search tree that were visited.
    pub nodes: u64,
}

impl Plan {
    /// The plan with these offsets, which must not let conflicting buffers overlap.
    pub fn new(instance: &Instance, offsets: Vec<u64>, lower_bound: u64) -> Self {
        debug_assert_eq!(offsets.len(), instance.buffers().len());
        let peak = peak(instance, &offsets);
        let proof = if peak <= lower_bound {
            Proof::Bound
        } else {
            Proof::None
        };
        Self {
            offsets,
            peak,
            lower_bound,
            proof,
            nodes: 0,
        }
    }

    /// Bytes that a better plan could save at most.
    pub fn gap(&self) -> u64 {
        self.peak - self.lower_bound.min(self.peak)
    }

    /// Whether no better plan exists.
    pub fn proved(&self) -> bool {
        self.proof != Proof::None
    }

    /// Whether the plan respects the capacity of its instance.
    pub fn fits(&self, instance: &Instance) -> bool {
        instance
            .capacity()
            .is_none_or(|capacity| self.peak <= capacity)
    }
}

/// One past the highest byte that the buffers use at these offsets.
pub fn peak(instance: &Instance, offsets: &[u64]) -> u64 {
    let occupying = (0..offsets.len()).filter(|&b| instance.occupies(b));
    occupying
        .map(|b| offsets[b] + instance.buffers()[b].size)
        .max()
        .unwrap_or(0)
}

/// Why a planner has no plan for an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The planner replays allocations in time order, but two buffers conflict although their
    /// lifetimes do not overlap.
    NotLinear {
        /// Index of one buffer.
        first: usize,
        /// Index of the other.
        second: usize,
    },
    /// The planner needs one common alignment, and the least common one is too large.
    AlignmentOverflow,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLinear { first, second } => write!(
                f,
                "buffers {first} and {second} conflict, but their lifetimes do not overlap"
            ),
            Self::AlignmentOverflow => {
                f.write_str("the common alignment does not fit into 63 bits")
            }
        }
    }
}

impl std::error::Error for PlanError {}
