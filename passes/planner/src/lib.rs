//! The static memory planner: decides the offset of every buffer in an arena.
//!
//! An [`Instance`] goes in, a [`Plan`] comes out, and
//! nothing here knows of the IR. Times are half open: a buffer that dies at the time another is
//! born may share its bytes. A client whose operations must not read and write the same bytes
//! numbers their accesses such that the lifetimes overlap.
//!
//! ```
//! use freehold_planner::{Buffer, Instance, Options, planner};
//!
//! let buffers = vec![Buffer::new(0, 2, 64), Buffer::new(1, 3, 64), Buffer::new(2, 4, 64)];
//! let instance = Instance::new(buffers)?;
//! let plan = planner("optimal", &Options::default()).expect("a known name").plan(&instance)?;
//! assert_eq!((plan.peak, plan.lower_bound), (128, 128));
//! assert!(plan.proved());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

mod chunks;
mod cliques;
pub mod csv;
pub mod generate;
mod greedy;
mod instance;
mod optimal;
mod plan;
mod problem;
mod propagate;
mod repair;
mod search;

pub use chunks::Chunks;
pub use greedy::Greedy;
pub use instance::{Buffer, ConflictGraph, Conflicts, Instance, InstanceError};
pub use optimal::Optimal;
pub use plan::{Plan, PlanError, Proof, peak};

/// A way to choose offsets.
pub trait Planner: Send + Sync {
    /// The name a user selects it by.
    fn name(&self) -> &'static str;

    /// Gives every buffer an offset. The same instance always gets the same plan, unless time is limited. A plan that
    /// exceeds the capacity is returned all the same; see [`Plan::fits`].
    fn plan(&self, instance: &Instance) -> Result<Plan, PlanError>;
}

/// Names that [`planner`] knows, the default first.
pub const NAMES: [&str; 4] = ["optimal", "cost-model", "size-first", "greedy"];

/// What `optimal` knows so far, for others to look at while it searches. Peaks are bytes.
#[derive(Debug, Default)]
pub struct Watch {
    /// Nodes of the search tree visited so far.
    pub nodes: AtomicU64,
    /// The peak of the best plan.
    pub peak: AtomicU64,
    /// No plan has a lower peak.
    pub lower_bound: AtomicU64,
}

/// Settings of planners; each uses what concerns it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Search nodes that `optimal` may visit. By default 200,000: with at most 40,292, plans of all rows A to K of "Memory
    /// planners" in benches/results keep the capacity.
    pub node_budget: u64,
    /// How long `optimal` may search, about. With a limit, what it finds depends on the machine.
    pub time_limit: Option<Duration>,
    /// Where `optimal` says how far it is.
    pub watch: Option<Arc<Watch>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            node_budget: 200_000,
            time_limit: None,
            watch: None,
        }
    }
}

/// Makes a planner with these settings.
pub type MakePlanner = fn(&Options) -> Box<dyn Planner>;

static REGISTERED: RwLock<Vec<(&'static str, MakePlanner)>> = RwLock::new(Vec::new());

/// Lets users name a planner of one's own, as `merge-alloc{planner=name}` does. Its plans are checked before anything
/// relies on them. The outcome is no if the name is taken.
pub fn register(name: &'static str, make: MakePlanner) -> bool {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let is_taken = NAMES.contains(&name) || registered.iter().any(|(known, _)| *known == name);
    if !is_taken {
        registered.push((name, make));
    }
    !is_taken
}

/// All names that [`planner`] knows: [`NAMES`], and those of registered planners.
pub fn names() -> Vec<&'static str> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let registered = registered.iter().map(|(name, _)| *name);
    NAMES.into_iter().chain(registered).collect()
}

/// The planner of that name.
pub fn planner(name: &str, options: &Options) -> Option<Box<dyn Planner>> {
    Some(match name {
        "optimal" => Box::new(Optimal {
            node_budget: options.node_budget,
            time_limit: options.time_limit,
            watch: options.watch.clone(),
        }),
        "cost-model" => Box::new(Chunks::COST_MODEL),
        "size-first" => Box::new(Chunks::SIZE_FIRST),
        "greedy" => Box::new(Greedy),
        _ => {
            let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
            let (_, make) = registered.iter().find(|(known, _)| *known == name)?;
            make(options)
        }
    })
}
