//! The default planner: greedy rules first, then search for better plans until one is proved best
//! or the budget is spent.
//!
//! Parts of thousands of buffers are not searched but repaired (`repair.rs`).
//!
//! The parts of an instance are independent, and the highest part decides the peak. So the planner works on whichever
//! part is highest, until that part cannot be lowered or meets the lower bound of another. It asks [`Search`] for plans
//! within two kinds of targets, in turns: the goal, which is the capacity or, without one, the lower bound, for most
//! instances have a plan that meets it; and, lest nothing comes of that, ever tighter ones, halfway between the best
//! plan and the largest target that failed within a slice of nodes. Slices grow from round to round. Once the capacity
//! is kept, the search is over. A search that runs to its end without a plan proves a new lower bound. The search does
//! not depend on the budget, and the best plan so far is kept, so a larger budget never makes a plan worse.
//!
//! A single depth-first search easily gets lost, and one that does not get lost hardly ever backtracks: searches that
//! find a plan mostly do in little more nodes than there are buffers. So searches are short and many: first each way to
//! branch with each of a few orders, then orders that are shuffled a little, by the failures of those before. The
//! budget counts nodes, no seconds unless a time limit is set, and concurrent searches exchange what they learned only
//! at fixed points: the plan is the same on every machine and with any number of threads.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::generate::Random;
use super::greedy::{self, Order};
use super::instance::Instance;
use super::plan::{Plan, PlanError, Proof};
use super::problem::Problem;
use super::propagate::Relations;
use super::repair::Repair;
use super::search::{Branching, Outcome, Search};
use super::{Options, Planner, Watch};

/// Finds the best plan it can within a number of search nodes.
#[derive(Clone, Debug)]
pub struct Optimal {
    /// Nodes of the search tree that may be visited in total.
    pub node_budget: u64,
    /// How long to search, about; see [`Options::time_limit`].
    pub time_limit: Option<Duration>,
    /// Where it says how far it is.
    pub watch: Option<Arc<Watch>>,
}

impl Default for Optimal {
    fn default() -> Self {
        Self {
            node_budget: Options::default().node_budget,
            time_limit: None,
            watch: None,
        }
    }
}

impl Planner for Optimal {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn plan(&self, instance: &Instance) -> Result<Plan, PlanError> {
        let start = Instant::now();
        let problems = Problem::parts(instance);
        let lower_bound = problems
            .iter()
            .map(|part| part.lower_bound)
            .max()
            .unwrap_or(0);
        let part = |problem| {
            let (offsets, peak) = greedy::portfolio(problem, &greedy::RULES, lower_bound);
            Part {
                problem,
                offsets,
                peak,
                lower_bound: problem.lower_bound,
            }
        };
        let mut parts: Vec<Part> = problems.iter().map(part).collect();
        let limits = Limits {
            capacity: instance.capacity(),
            nodes: self.node_budget,
            deadline: self.time_limit.map(|limit| start + limit),
            watch: self.watch.as_deref(),
        };
        let (nodes, lower_bound) = improve(&mut parts, &limits);

        let mut offsets = vec![0; instance.buffers().len()];
        for part in &parts {
            part.problem.export(&part.offsets, &mut offsets);
        }
        let max_live = problems
            .iter()
            .map(|part| part.lower_bound)
            .max()
            .unwrap_or(0);
        let mut plan = Plan::new(instance, offsets, lower_bound);
        plan.nodes = nodes;
        if plan.proved() && plan.peak > max_live {
            plan.proof = Proof::Exhaustion;
        }
        Ok(plan)
    }
}

/// A part of the instance and facts about it.
struct Part<'p> {
    problem: &'p Problem,
    /// The best plan so far, in units, and its peak in bytes.
    offsets: Vec<u64>,
    peak: u64,
    /// No plan has a lower peak, in bytes.
    lower_bound: u64,
}

/// How a part is being improved.
struct Progress<'r> {
    /// Looks for plans that meet the goal.
    goal: Hunt<'r>,
    /// Looks for better plans than the one there is.
    better: Hunt<'r>,
    /// Whether the goal comes next.
    is_goal_next: bool,
    /// No plan of at most this peak was found in this round.
    given_up: Option<u64>,
    /// Nodes to spend on one target in this round; in the first, those of the pure runs.
    slice: u64,
}

/// The goal gets this many slices in each round: there are as many other targets, about.
const SLICES_FOR_GOAL: u64 = 4;

impl<'r> Progress<'r> {
    fn new(relations: &'r Relations<'r>) -> Self {
        Self {
            goal: Hunt::new(relations),
            better: Hunt::new(relations),
            is_goal_next: true,
            given_up: None,
            slice: weight(relations.problem) * N_PURE * PURE_LIMIT * plan_nodes(relations.problem),
        }
    }

    /// The next target for a part with this peak that is to come down to `goal`, and who looks for it in how
    /// many nodes.
    fn next(&mut self, peak: u64, granule: u64, goal: u64) -> (u64, &mut Hunt<'r>, u64) {
        let tightest = peak - granule;
        loop {
            if self.is_goal_next || tightest <= goal {
                self.is_goal_next = false;
                let budget = SLICES_FOR_GOAL * self.slice;
                return (goal.min(tightest), &mut self.goal, budget);
            }
            let floor = self.given_up.unwrap_or(goal);
            if floor < tightest {
                let middle = floor + (peak - floor) / 2;
                // Peaks are multiples of the granule.
                let target = (middle - middle % granule).clamp(goal, tightest);
                // No order has been tried with this target.
                self.better.n_runs = 0;
                return (target, &mut self.better, self.slice);
            }
            // All targets were tried: once more, with more patience.
            self.slice *= 2;
            self.given_up = None;
            self.is_goal_next = true;
        }
    }
}

/// When a search is over.
struct Limits<'w> {
    /// The peak that is low enough.
    capacity: Option<u64>,
    /// Nodes that may be visited.
    nodes: u64,
    /// No slice begins after this.
    deadline: Option<Instant>,
    /// Where to say how far the search is.
    watch: Option<&'w Watch>,
}

impl Limits<'_> {
    fn are_reached(&self, peak: u64, nodes_left: u64) -> bool {
        nodes_left == 0
            || self.capacity.is_some_and(|capacity| peak <= capacity)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Parts of this many buffers are repaired, not searched. Measured at 10,000 (`brief-10000`, benches/results/planner.md) and
/// at up to 454 (MiniMalloc's K); no instance lies between that would place it more exactly.
const LARGE: usize = 2048;

fn is_large(problem: &Problem) -> bool {
    problem.len() >= LARGE
}

/// Repairs the plans of large parts, highest first: that finds plans that need not be the best.
fn repair(parts: &mut [Part], limits: &Limits<'_>, left: &mut u64) {
    let lower_bound = (parts.iter().map(|part| part.lower_bound))
        .max()
        .unwrap_or(0);
    let goal = lower_bound.max(limits.capacity.unwrap_or(0));
    let mut order: Vec<usize> = (0..parts.len())
        .filter(|&i| is_large(parts[i].problem))
        .collect();
    order.sort_by_key(|&i| Reverse(parts[i].peak));
    for i in order {
        let part = &mut parts[i];
        if part.peak <= goal || limits.are_reached(part.peak, *left) {
            continue;
        }
        let Some(repair) = Repair::new(part.problem, part.offsets.clone()) else {
            continue;
        };
        // About what a placement costs in nodes, which take longer in a large problem as well.
        let weight = 1 + part.problem.len() as u64 / 2048;
        let (offsets, placed) = repair.run(goal, *left / weight, limits.deadline);
        *left -= (placed * weight).min(*left);
        part.peak = part.problem.peak(&offsets);
        part.offsets = offsets;
    }
}

/// Lowers the highest part as far as the limits allow. Returns the number of nodes and a lower
/// bound on the peak of all parts.
fn improve(parts: &mut [Part], limits: &Limits<'_>) -> (u64, u64) {
    let bound = |parts: &[Part]| parts.iter().map(|part| part.lower_bound).max().unwrap_or(0);
    let highest = |parts: &[Part]| (0..parts.len()).rev().max_by_key(|&i| parts[i].peak);
    let mut left = limits.nodes;
    repair(parts, limits, &mut left);
    let relations: Vec<Option<Relations>> = {
        let lower_bound = bound(parts);
        let is_hard = |part: &Part| part.peak > lower_bound && !is_large(part.problem);
        parts
            .iter()
            .map(|p| is_hard(p).then(|| Relations::new(p.problem)).flatten())
            .collect()
    };
    let mut progress: Vec<Option<Progress>> = relations
        .iter()
        .map(|relations| Some(Progress::new(relations.as_ref()?)))
        .collect();
    while let Some(i) = highest(parts) {
        let lower_bound = bound(parts);
        let Some(progress) = progress[i].as_mut().filter(|_| parts[i].peak > lower_bound) else {
            break;
        };
        if let Some(watch) = limits.watch {
            watch.nodes.store(limits.nodes - left, Ordering::Relaxed);
            watch.peak.store(parts[i].peak, Ordering::Relaxed);
            watch.lower_bound.store(lower_bound, Ordering::Relaxed);
        }
        if limits.are_reached(parts[i].peak, left) {
            break;
        }
        let part = &mut parts[i];
        let granule = part.problem.granule();
        let goal = lower_bound.max(limits.capacity.unwrap_or(0));
        let (target, hunt, slice) = progress.next(part.peak, granule, goal);
        let (outcome, nodes) = hunt.find(target, slice.min(left), limits.deadline);
        left -= nodes.min(left);
        match outcome {
            Found::Plan(offsets) => {
                part.peak = part.problem.peak(&offsets);
                part.offsets = offsets;
            }
            Found::Proof => {
                part.lower_bound = part.lower_bound.max(target - target % granule + granule);
            }
            Found::Nothing => progress.given_up = progress.given_up.max(Some(target)),
        }
    }
    (limits.nodes - left, bound(parts))
}

/// What became of the search for a plan with a given peak.
enum Found {
    /// A plan, in units.
    Plan(Vec<u64>),
    /// There is none.
    Proof,
    /// Unknown.
    Nothing,
}

/// Searches that run side by side and share what they learn between runs. "Memory planners" in benches/results
/// was measured with it.
const BATCH: usize = 4;

/// The ways to branch that pure orders are tried with.
const BRANCHINGS: [Branching; 3] = [
    Branching::HeaviestClique,
    Branching::MostFailures,
    Branching::Lowest,
];

/// The orders that searches start from.
const ORDERS: [Order; 7] = [
    Order::Duration,
    Order::Load,
    Order::LoadDuration,
    Order::ReverseTrace,
    Order::Size,
    Order::Area,
    Order::Trace,
];

/// Runs that keep to an order: the first four of [`ORDERS`], each with all [`BRANCHINGS`]. Within these, and [`PURE_LIMIT`], a
/// plan is found for all rows A to K of "Memory planners" in benches/results but D.
const N_PURE: u64 = 4 * BRANCHINGS.len() as u64;

/// How many times [`plan_nodes`] pure runs of the first epoch may visit.
const PURE_LIMIT: u64 = 4;

/// Runs from shuffled orders that follow. Then the failures they learned are forgotten, lest they lead astray for good.
const SHUFFLED_PER_EPOCH: u64 = 40;

/// A sequence of short searches on one part.
struct Hunt<'r> {
    problem: &'r Problem,
    searches: Vec<Search<'r>>,
    /// Buffers in the orders of [`ORDERS`].
    sequences: Vec<Vec<u32>>,
    failures: Vec<u64>,
    /// Runs started so far.
    n_runs: u64,
}

/// Nodes of a search that never backtracks; of small parts more, lest proofs, for which a single run must come to its
/// end, take many.
fn plan_nodes(problem: &Problem) -> u64 {
    problem.len().max(64) as u64
}

/// What a node counts: it takes longer in a large problem.
fn weight(problem: &Problem) -> u64 {
    1 + problem.len() as u64 / 1024
}

/// A search to be made.
struct Run {
    branching: Branching,
    rank: Vec<u32>,
    /// Nodes it may visit.
    limit: u64,
    /// Whether it knows the failures of runs before it.
    is_taught: bool,
}

impl<'r> Hunt<'r> {
    fn new(relations: &'r Relations<'r>) -> Self {
        let problem = relations.problem;
        Self {
            problem,
            searches: (0..BATCH).map(|_| Search::new(relations)).collect(),
            sequences: (ORDERS.iter())
                .map(|&order| greedy::sequence(problem, order))
                .collect(),
            failures: vec![0; problem.len()],
            n_runs: 0,
        }
    }

    /// Looks for a plan with at most this peak, in about that many nodes. Also returns the number
    /// of nodes, weighted by the size of the problem.
    fn find(&mut self, target: u64, budget: u64, deadline: Option<Instant>) -> (Found, u64) {
        let weight = weight(self.problem);
        let mut nodes = 0;
        while nodes < budget && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let limit = (budget - nodes).div_ceil(weight * BATCH as u64);
            let runs: Vec<Run> = (0..BATCH).map(|_| self.next_run()).collect();
            let failures = &self.failures;
            let outcomes: Vec<Outcome> = self
                .searches
                .par_iter_mut()
                .zip(&runs)
                .map(|(search, run)| {
                    match run.is_taught {
                        true => search.state.failures.copy_from_slice(failures),
                        false => search.state.failures.fill(0),
                    }
                    search.run(target, run.branching, &run.rank, run.limit.min(limit))
                })
                .collect();
            nodes += weight * self.searches.iter().map(|search| search.nodes).sum::<u64>();
            for (b, failures) in self.failures.iter_mut().enumerate() {
                let known = *failures;
                for (search, run) in self.searches.iter().zip(&runs) {
                    *failures += search.state.failures[b] - if run.is_taught { known } else { 0 };
                }
            }
            if let Some(i) = outcomes
                .iter()
                .position(|&outcome| outcome == Outcome::Solved)
            {
                return (Found::Plan(self.searches[i].offsets().to_vec()), nodes);
            }
            if outcomes.contains(&Outcome::Infeasible) {
                return (Found::Proof, nodes);
            }
        }
        (Found::Nothing, nodes)
    }

    /// The next run. An epoch is the pure runs, which know nothing of other runs, and then runs from shuffled
    /// orders, which do. From epoch to epoch pure runs may visit twice as many nodes.
    fn next_run(&mut self) -> Run {
        let epoch = self.n_runs / (N_PURE + SHUFFLED_PER_EPOCH);
        let run = self.n_runs % (N_PURE + SHUFFLED_PER_EPOCH);
        self.n_runs += 1;
        if run < N_PURE {
            let sequence = &self.sequences[run as usize / BRANCHINGS.len()];
            return Run {
                branching: BRANCHINGS[run as usize % BRANCHINGS.len()],
                rank: ranks(sequence),
                limit: (PURE_LIMIT * plan_nodes(self.problem)) << epoch.min(32),
                is_taught: false,
            };
        }
        if run == N_PURE {
            self.failures.fill(0);
        }
        let branching = match epoch % 3 {
            0 => Branching::MostFailures,
            1 => Branching::HeaviestClique,
            _ => Branching::FewestCandidates,
        };
        let run = epoch * SHUFFLED_PER_EPOCH + run - N_PURE;
        let sequence = &self.sequences[(run % ORDERS.len() as u64) as usize];
        let n = sequence.len() as u64;
        let seed = run.wrapping_mul(n + 1);
        let key = |(i, _): &(u64, u32)| {
            i * 1024 + Random::new(seed.wrapping_add(*i)).number() % (256 * n)
        };
        let mut shuffled: Vec<(u64, u32)> = (0..).zip(sequence.iter().copied()).collect();
        shuffled.sort_by_cached_key(key);
        let shuffled: Vec<u32> = shuffled.into_iter().map(|(_, b)| b).collect();
        Run {
            branching,
            rank: ranks(&shuffled),
            limit: luby(run + 1) * plan_nodes(self.problem) * 5 / 4,
            is_taught: true,
        }
    }
}

/// The place of each buffer in a sequence of all.
fn ranks(sequence: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; sequence.len()];
    for (rank, &b) in (0..).zip(sequence) {
        ranks[b as usize] = rank;
    }
    ranks
}

/// Member `i` (from 1) of 1, 1, 2, 1, 1, 2, 4, ...: how long to try before another start, if the time needed is unknown
/// (Luby, Sinclair and Zuckerman, 1993).
fn luby(i: u64) -> u64 {
    if (i + 1).is_power_of_two() {
        i.div_ceil(2)
    } else {
        luby(i + 1 - (1 << i.ilog2()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_runs_grow_as_luby_says() {
        let limits: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(limits, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
