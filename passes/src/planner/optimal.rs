//! The default planner: greedy rules first, then search for better plans until one is proved best
//! or the budget is spent.
//!
//! Parts of thousands of buffers are not searched but repaired (`repair.rs`), and so are others first if they exceed
//! a capacity that leaves room.
//!
//! The parts of an instance are independent, and the highest part decides the peak. So the planner
//! works on whichever part is highest, until that part cannot be lowered or meets the lower bound
//! of another. It asks [`Search`] for plans within two kinds of targets, in turns: the lower bound
//! itself, which most instances have a plan for, and, lest nothing comes of that, ever tighter ones,
//! halfway between what is known to be possible and what was not found within a slice of nodes. The
//! latter alone as long as a given capacity is exceeded; once it is not, the search is over. Slices grow from round to round. A search
//! that runs to its end without a plan proves a new lower bound. What is done does not depend on the
//! budget, and the best plan so far is kept, so a larger budget never makes a plan worse.
//!
//! A single depth-first search easily gets lost, so searches are short, restarted from different
//! orders, and learn from each other's failures. The budget counts nodes, no seconds unless a time limit is set, and
//! concurrent searches exchange what they learned only at fixed points: the plan is the same on
//! every machine and with any number of threads.

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

/// A part of the instance and what is known about it.
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
    /// Looks for plans that meet the lower bound.
    lowest: Hunt<'r>,
    /// Looks for better plans than the one there is.
    better: Hunt<'r>,
    /// Whether the lower bound comes next.
    is_lowest_next: bool,
    /// No plan of at most this peak was found in this round.
    given_up: Option<u64>,
    /// Nodes to spend on one target in this round.
    slice: u64,
}

/// Nodes for each target in the first round: a hundredth of the default budget. Rows A to E of "Memory
/// planners" in benches/README.md were measured with it.
const FIRST_SLICE: u64 = 2000;

/// The lower bound gets so many slices in each round: there are as many other targets, about.
const SLICES_FOR_LOWEST: u64 = 4;

impl<'r> Progress<'r> {
    fn new(relations: &'r Relations<'r>) -> Self {
        Self {
            lowest: Hunt::new(relations),
            better: Hunt::new(relations),
            is_lowest_next: true,
            given_up: None,
            slice: FIRST_SLICE,
        }
    }

    /// The next target for a part with this peak, and who looks for it in how many nodes.
    fn next(
        &mut self,
        peak: u64,
        granule: u64,
        lower_bound: u64,
        capacity: Option<u64>,
    ) -> (u64, &mut Hunt<'r>, u64) {
        let tightest = peak - granule;
        // Nothing matters more than to fit; the way there leads over targets that are easier.
        let fits = capacity.is_none_or(|capacity| peak <= capacity || capacity <= lower_bound);
        loop {
            if (self.is_lowest_next && fits) || tightest <= lower_bound {
                self.is_lowest_next = false;
                let budget = SLICES_FOR_LOWEST * self.slice;
                return (lower_bound.min(tightest), &mut self.lowest, budget);
            }
            let floor = self.given_up.unwrap_or(lower_bound);
            if floor < tightest {
                let middle = floor + (peak - floor) / 2;
                // Peaks are multiples of the granule.
                let target = (middle - middle % granule).clamp(lower_bound, tightest);
                return (target, &mut self.better, self.slice);
            }
            // All targets were tried: once more, with more patience.
            self.slice *= 2;
            self.given_up = None;
            self.is_lowest_next = true;
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

/// Parts of so many buffers are not searched. Not measured below 10,000.
const LARGE: usize = 2048;

fn is_large(problem: &Problem) -> bool {
    problem.len() >= LARGE
}

/// Repairs the plans of large parts, and those of others that exceed the capacity: that finds plans that need
/// not be the best. Small parts get a quarter of the nodes, lest nothing comes of it.
fn repair(parts: &mut [Part], limits: &Limits<'_>, left: &mut u64) {
    let lower_bound = (parts.iter().map(|part| part.lower_bound))
        .max()
        .unwrap_or(0);
    let goal = lower_bound.max(limits.capacity.unwrap_or(0));
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| Reverse(parts[i].peak));
    for i in order {
        let part = &mut parts[i];
        let nodes = match is_large(part.problem) {
            true => *left,
            false if goal == lower_bound => continue,
            false => *left / 4,
        };
        if part.peak <= goal || limits.are_reached(part.peak, nodes) {
            continue;
        }
        let Some(repair) = Repair::new(part.problem, part.offsets.clone()) else {
            continue;
        };
        // About what a placement costs in nodes, which take longer in a large problem as well.
        let weight = 1 + part.problem.len() as u64 / 2048;
        let (offsets, placed) = repair.run(goal, nodes / weight, limits.deadline);
        *left -= (placed * weight).min(*left);
        // Of a small part, what does not fit is no better start for the search.
        let peak = part.problem.peak(&offsets);
        if is_large(part.problem) || peak <= goal {
            part.peak = peak;
            part.offsets = offsets;
        }
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
        let (target, hunt, slice) = progress.next(part.peak, granule, lower_bound, limits.capacity);
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

/// Searches that run side by side and share what they learn between runs. Rows A to E of "Memory
/// planners" in benches/README.md were measured with it.
const BATCH: usize = 4;

/// Runs until the failures learned so far are forgotten, lest they lead astray for good.
const RUNS_PER_EPOCH: u64 = 40;

/// A sequence of short searches on one part.
struct Hunt<'r> {
    problem: &'r Problem,
    searches: Vec<Search<'r>>,
    /// Buffers in the orders that runs start from, most successful ones first.
    sequences: Vec<Vec<u32>>,
    failures: Vec<u64>,
    /// Runs started so far.
    n_runs: u64,
    /// Nodes per run.
    limit: u64,
}

impl<'r> Hunt<'r> {
    fn new(relations: &'r Relations<'r>) -> Self {
        let problem = relations.problem;
        let orders = [
            Order::Area,
            Order::Size,
            Order::Load,
            Order::Trace,
            Order::Duration,
            Order::ReverseTrace,
        ];
        Self {
            problem,
            searches: (0..BATCH).map(|_| Search::new(relations)).collect(),
            sequences: orders
                .iter()
                .map(|&order| greedy::sequence(problem, order))
                .collect(),
            failures: vec![0; problem.len()],
            n_runs: 0,
            limit: 2 * problem.len() as u64 + 100,
        }
    }

    /// Looks for a plan with at most this peak, in about that many nodes. Also returns the number
    /// of nodes, weighted by the size of the problem.
    fn find(&mut self, target: u64, budget: u64, deadline: Option<Instant>) -> (Found, u64) {
        // A node takes longer in a large problem.
        let weight = 1 + self.problem.len() as u64 / 1024;
        let mut nodes = 0;
        while nodes < budget && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let limit = self
                .limit
                .min((budget - nodes).div_ceil(weight * BATCH as u64));
            let runs: Vec<(Branching, Vec<u32>)> = (0..BATCH).map(|_| self.next_run()).collect();
            let failures = &self.failures;
            let outcomes: Vec<Outcome> = self
                .searches
                .par_iter_mut()
                .zip(&runs)
                .map(|(search, (branching, rank))| {
                    search.state.failures.copy_from_slice(failures);
                    search.run(target, *branching, rank, limit)
                })
                .collect();
            nodes += weight * self.searches.iter().map(|search| search.nodes).sum::<u64>();
            for b in 0..self.failures.len() {
                let old = self.failures[b];
                let learned = self
                    .searches
                    .iter()
                    .map(|search| search.state.failures[b] - old);
                self.failures[b] += learned.sum::<u64>();
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

    /// Parameters of the next run: a way to branch and a rank for each buffer.
    fn next_run(&mut self) -> (Branching, Vec<u32>) {
        let run = self.n_runs;
        self.n_runs += 1;
        if run > 0 && run.is_multiple_of(RUNS_PER_EPOCH) {
            self.failures.fill(0);
            self.limit += self.limit / 2;
        }
        let branching = match run / RUNS_PER_EPOCH % 3 {
            0 => Branching::MostFailures,
            1 => Branching::HeaviestClique,
            _ => Branching::FewestCandidates,
        };
        let n_orders = self.sequences.len() as u64;
        let sequence = &self.sequences[(run % n_orders) as usize];
        // The first run from each order keeps to it; later ones move buffers a little.
        let n = sequence.len() as u64;
        let reach = if run < n_orders { 1 } else { 256 * n };
        let seed = run.wrapping_mul(n + 1);
        let key =
            |(i, _): &(u64, &u32)| i * 1024 + Random::new(seed.wrapping_add(*i)).number() % reach;
        let mut shuffled: Vec<(u64, &u32)> = (0..).zip(sequence).collect();
        shuffled.sort_by_cached_key(key);
        let mut rank = vec![0; sequence.len()];
        for (i, (_, &b)) in (0..).zip(shuffled) {
            rank[b as usize] = i;
        }
        (branching, rank)
    }
}
