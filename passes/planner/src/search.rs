//! Depth-first branch and bound for "is there a plan below this capacity?".
//!
//! The search builds canonical plans bottom up. The idea of limiting the search to canonical plans,
//! of pruning dominated ones and of splitting the rest into independent parts is that of Moffitt,
//! "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning" (ASPLOS
//! 2023). Different here is how it branches, after Giffler and Thompson's active schedules (1960):
//! take an unplaced buffer `b` whose lowest possible end `t` is least in its surroundings. In a
//! canonical plan something must start below `t` where `b` is, or `b` could be moved down: `b` or
//! one of its neighbours that can start below `t`. Nothing else can end below `t`, so whichever
//! it is starts at its base. These few candidates are all there is to try, in whatever part of the
//! plan the choice is easiest; a candidate that failed is known not to be at its base, which
//! [`propagate`](super::propagate) uses.
//!
//! Buffers that took part in many contradictions are tried first; this memory, kept over
//! restarts, is what finds plans in hard instances.

use std::cmp::Reverse;

use super::propagate::{Contradiction, Relations, State};

/// Which of the possible branchings to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branching {
    /// The one with the fewest candidates.
    FewestCandidates,
    /// Where the most is left to be placed.
    HeaviestClique,
    /// Few candidates that took part in many contradictions.
    MostFailures,
    /// The one with the lowest candidate.
    Lowest,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A plan; see [`Search::offsets`].
    Solved,
    /// There is no plan.
    Infeasible,
    /// Unknown: too many nodes.
    Limit,
}

/// In large components, branchings are compared among about this many buffers only: bounds the time
/// per node.
const MAX_COMPARED: usize = 1024;

/// A component of unplaced buffers: a range of `Search::order`.
#[derive(Clone, Copy)]
struct Component {
    start: usize,
    end: usize,
}

/// A node of the search tree that is not finished.
enum Frame {
    /// Buffers of `component` are placed one at a time.
    Choice {
        component: Component,
        /// Range of `Search::candidates`; those before `next` have failed.
        first: usize,
        next: usize,
        /// The trail before this node, and before the candidate that is being tried.
        before: usize,
        before_candidate: usize,
    },
    /// Independent components, a range of `Search::components`, are solved one after the other.
    Split {
        first: usize,
        next: usize,
        end: usize,
    },
}

/// A search, reusable for other capacities.
pub(super) struct Search<'r> {
    relations: &'r Relations<'r>,
    pub(super) state: State<'r>,
    /// Nodes visited by the last run.
    pub(super) nodes: u64,
    /// All buffers. Components are contiguous; searching one only permutes its own range.
    order: Vec<u32>,
    candidates: Vec<u32>,
    components: Vec<Component>,
    /// Of each buffer, the neighbour that had the lowest end when last looked at, that end, and when
    /// that was.
    lower_neighbour: Vec<usize>,
    lowest_end: Vec<u64>,
    lowest_end_epoch: Vec<u32>,
    /// Marks for graph walks: seen if equal to the current epoch.
    seen: Vec<u32>,
    epoch: u32,
    walk: Vec<u32>,
}

impl<'r> Search<'r> {
    pub(super) fn new(relations: &'r Relations<'r>) -> Self {
        let n = relations.problem.len();
        Self {
            relations,
            state: State::new(relations),
            nodes: 0,
            order: Vec::new(),
            candidates: Vec::new(),
            components: Vec::new(),
            lower_neighbour: (0..n).collect(),
            lowest_end: vec![0; n],
            lowest_end_epoch: vec![0; n],
            seen: vec![0; n],
            epoch: 0,
            walk: Vec::new(),
        }
    }

    /// Offsets in units, after [`Outcome::Solved`].
    pub(super) fn offsets(&self) -> &[u64] {
        &self.state.base
    }

    /// Looks for a plan with a peak of at most `capacity` bytes. Candidates that can start at the
    /// same offset and failed equally often are tried by ascending `rank`.
    pub(super) fn run(
        &mut self,
        capacity: u64,
        branching: Branching,
        rank: &[u32],
        max_nodes: u64,
    ) -> Outcome {
        self.nodes = 0;
        if self.state.reset(capacity).is_err() {
            return Outcome::Infeasible;
        }
        self.candidates.clear();
        self.components.clear();
        self.order.clear();
        self.order.extend(0..self.relations.problem.len() as u32);
        let all = Component {
            start: 0,
            end: self.order.len(),
        };
        let mut frames = vec![self.branch(all, branching, rank)];
        // Each round advances the innermost frame, given how the frame inside it ended.
        let mut solved = false;
        while let Some(frame) = frames.pop() {
            match frame {
                Frame::Split { first, next, end } => {
                    if solved && next < end {
                        let component = self.components[next];
                        frames.push(Frame::Split {
                            first,
                            next: next + 1,
                            end,
                        });
                        frames.push(self.branch(component, branching, rank));
                        solved = false;
                    } else {
                        self.components.truncate(first);
                    }
                }
                Frame::Choice { first, .. } if solved => self.candidates.truncate(first),
                Frame::Choice {
                    component,
                    first,
                    next,
                    before,
                    before_candidate,
                } => {
                    if next > first {
                        self.state.undo(before_candidate);
                    }
                    let Some((next, before_candidate)) = self.try_next(first, next, max_nodes)
                    else {
                        if self.nodes > max_nodes {
                            return Outcome::Limit;
                        }
                        self.state.undo(before);
                        self.candidates.truncate(first);
                        continue;
                    };
                    let placed = self.candidates[next - 1];
                    frames.push(Frame::Choice {
                        component,
                        first,
                        next,
                        before,
                        before_candidate,
                    });
                    // What follows continues with the rest of this component.
                    let rest = self.without(component, placed);
                    if rest.start == rest.end {
                        solved = true;
                    } else if self.stays_connected(placed) {
                        frames.push(self.branch(rest, branching, rank));
                    } else {
                        frames.push(self.split(rest));
                        solved = true;
                    }
                }
            }
        }
        if solved {
            Outcome::Solved
        } else {
            Outcome::Infeasible
        }
    }

    /// Bars the candidate before `next`, which failed, and places the first one at or after it that
    /// leads to no contradiction. Returns what comes after it and the trail before it. Nothing if
    /// no candidate is left, or no node.
    fn try_next(&mut self, first: usize, next: usize, max_nodes: u64) -> Option<(usize, usize)> {
        let mut next = next;
        loop {
            if next > first {
                let Ok(()) = self.state.bar(self.candidates[next - 1] as usize) else {
                    return None;
                };
            }
            let candidate = *self.candidates.get(next)? as usize;
            self.nodes += 1;
            if self.nodes > max_nodes {
                return None;
            }
            let before = self.state.mark();
            next += 1;
            match self.state.place(candidate) {
                Ok(()) => return Some((next, before)),
                Err(Contradiction) => self.state.undo(before),
            }
        }
    }

    /// Chooses where to branch in a nonempty component, and sorts the candidates.
    fn branch(&mut self, component: Component, branching: Branching, rank: &[u32]) -> Frame {
        let epoch = self.next_epoch();
        let Self {
            relations,
            state,
            order,
            candidates,
            lower_neighbour,
            lowest_end,
            lowest_end_epoch,
            ..
        } = &mut *self;
        let state = &*state;
        let neighbours = &relations.neighbours;
        let unplaced = |b: usize| {
            let neighbours = neighbours.get(b).iter().map(|&y| y as usize);
            neighbours.filter(|&y| !state.placed[y])
        };
        // The lowest end among the neighbours of a buffer, computed at most once; most buffers fail
        // the test before that, again and again because of the same neighbour.
        let mut none_ends_below = |b: usize, t: u64| {
            if lowest_end_epoch[b] == epoch {
                return lowest_end[b] >= t;
            }
            let suspect = lower_neighbour[b];
            if !state.placed[suspect] && state.low_end(suspect) < t {
                return false;
            }
            let lowest = unplaced(b).map(|y| (state.low_end(y), y)).min();
            let (end, neighbour) = lowest.unwrap_or((u64::MAX, b));
            lowest_end_epoch[b] = epoch;
            lowest_end[b] = end;
            lower_neighbour[b] = neighbour;
            end >= t
        };
        let first = candidates.len();
        let mut best = None;
        let mut attempt: Vec<u32> = Vec::new();
        for (i, &b) in order[component.start..component.end].iter().enumerate() {
            if i >= MAX_COMPARED && best.is_some() {
                break;
            }
            let b = b as usize;
            let t = state.low_end(b);
            if state.is_lifted(b) || !none_ends_below(b, t) {
                continue;
            }
            attempt.clear();
            attempt.push(b as u32);
            attempt.extend(unplaced(b).filter(|&y| state.low[y] < t).map(|y| y as u32));
            let mut starts_at_base =
                |&y: &u32| !state.is_lifted(y as usize) && none_ends_below(y as usize, t);
            if !attempt[1..].iter().all(&mut starts_at_base) {
                continue;
            }
            let n = attempt.len() as u64;
            let key = match branching {
                // Nothing to choose is always best.
                _ if n == 1 => (0, 0, 0),
                Branching::FewestCandidates => (n, t, 0),
                Branching::HeaviestClique => (1, u64::MAX - state.heaviest_load(b), n),
                Branching::MostFailures => {
                    let failures: u64 = attempt.iter().map(|&y| state.failures[y as usize]).sum();
                    (1, ((n * n) << 20) / (1 + failures), 0)
                }
                Branching::Lowest => {
                    let place = |&y: &u32| (state.low[y as usize], u64::from(rank[y as usize]));
                    let (low, rank) = attempt.iter().map(place).min().unwrap_or((0, 0));
                    (1, low, rank)
                }
            };
            if best.is_none_or(|best| key < best) {
                best = Some(key);
                candidates.truncate(first);
                candidates.extend_from_slice(&attempt);
                if n == 1 {
                    break;
                }
            }
        }
        // The buffer with the globally lowest end always qualifies: see the lift rule.
        debug_assert!(best.is_some(), "no branching in a nonempty component");
        candidates[first..].sort_by_key(|&b| {
            let b = b as usize;
            (state.low[b], Reverse(state.failures[b]), rank[b])
        });
        let before = self.state.mark();
        Frame::Choice {
            component,
            first,
            next: first,
            before,
            before_candidate: before,
        }
    }

    /// The component without one of its members.
    fn without(&mut self, component: Component, member: u32) -> Component {
        let end = component.end - 1;
        let range = &mut self.order[component.start..component.end];
        if let Some(position) = range.iter().position(|&b| b == member) {
            range.swap(position, end - component.start);
        }
        Component {
            start: component.start,
            end,
        }
    }

    fn next_epoch(&mut self) -> u32 {
        if self.epoch > u32::MAX - 4 {
            self.seen.fill(0);
            self.lowest_end_epoch.fill(0);
            self.epoch = 0;
        }
        self.epoch += 2;
        self.epoch
    }

    /// Whether the unplaced neighbours of a buffer just placed are connected without it.
    fn stays_connected(&mut self, placed: u32) -> bool {
        let wanted = self.next_epoch();
        let reached = wanted + 1;
        let Relations { neighbours, .. } = self.relations;
        let mut n_missing = 0;
        self.walk.clear();
        for &b in neighbours.get(placed as usize) {
            if !self.state.placed[b as usize] {
                self.seen[b as usize] = wanted;
                n_missing += 1;
                self.walk.truncate(0);
                self.walk.push(b);
            }
        }
        let Some(&start) = self.walk.first() else {
            return false;
        };
        self.seen[start as usize] = reached;
        n_missing -= 1;
        while n_missing > 0 {
            let Some(b) = self.walk.pop() else {
                return false;
            };
            for &y in neighbours.get(b as usize) {
                let seen = &mut self.seen[y as usize];
                if !self.state.placed[y as usize] && *seen != reached {
                    n_missing -= usize::from(*seen == wanted);
                    *seen = reached;
                    self.walk.push(y);
                }
            }
        }
        true
    }

    /// Splits unplaced buffers into connected components, small ones first.
    fn split(&mut self, component: Component) -> Frame {
        let epoch = self.next_epoch();
        let members = self.order[component.start..component.end].to_vec();
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for &root in &members {
            if self.seen[root as usize] == epoch {
                continue;
            }
            self.seen[root as usize] = epoch;
            let mut part = vec![root];
            let mut next = 0;
            while let Some(&b) = part.get(next) {
                next += 1;
                for &y in self.relations.neighbours.get(b as usize) {
                    if !self.state.placed[y as usize] && self.seen[y as usize] != epoch {
                        self.seen[y as usize] = epoch;
                        part.push(y);
                    }
                }
            }
            parts.push(part);
        }
        parts.sort_by_key(Vec::len);
        let first = self.components.len();
        let mut start = component.start;
        for part in parts {
            let end = start + part.len();
            self.order[start..end].copy_from_slice(&part);
            self.components.push(Component { start, end });
            start = end;
        }
        Frame::Split {
            first,
            next: first,
            end: self.components.len(),
        }
    }
}
