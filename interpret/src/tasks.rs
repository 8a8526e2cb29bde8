//! Bodies of `async.execute`, which run at once here: what each accessed, and what it may run beside.
//!
//! A body runs beside all that comes after it until the program has waited for it, directly or by waiting for something that
//! waited. An access of a byte that a body beside it accesses too, one of them writing, is a race.

use std::collections::BTreeSet;

use freehold_frontend::ir::location::Loc;
use rustc_hash::FxHashMap;

use crate::memory::Access;

/// All bodies that were started.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    tasks: Vec<Task>,
    /// The bodies that may run beside the one at work.
    open: BTreeSet<usize>,
    /// The body that is at work.
    current: Option<usize>,
}

#[derive(Debug, Default)]
struct Task {
    /// Per byte: where it was read, and where written, and whether all writes were atomic.
    accesses: FxHashMap<u64, (Option<Loc>, Option<Loc>, bool)>,
    /// The bodies that might still run when this one had ended.
    open_at_end: BTreeSet<usize>,
    /// How many bodies there were by then.
    n_at_end: usize,
    /// Whether it ended with an error.
    has_failed: bool,
}

/// The body at work, while a body runs that it started.
pub(crate) struct Starter {
    current: Option<usize>,
    open: BTreeSet<usize>,
}

impl Tasks {
    /// Begins a body that depends on others.
    pub(crate) fn begin(&mut self, dependencies: &[usize]) -> Starter {
        let starter = Starter {
            current: self.current,
            open: self.open.clone(),
        };
        for &dependency in dependencies {
            self.wait(dependency);
        }
        self.current = Some(self.tasks.len());
        self.tasks.push(Task::default());
        starter
    }

    /// Ends the body at work; returns its number.
    pub(crate) fn end(&mut self, starter: Starter) -> usize {
        let number = self.current.unwrap_or_default();
        let n_tasks = self.tasks.len();
        let open = std::mem::replace(&mut self.open, starter.open);
        if let Some(task) = self.tasks.get_mut(number) {
            task.open_at_end = open;
            task.n_at_end = n_tasks;
        }
        self.current = starter.current;
        self.open.extend(number..n_tasks);
        number
    }

    /// Notes that this body ended with an error.
    pub(crate) fn fail(&mut self, number: usize) {
        if let Some(task) = self.tasks.get_mut(number) {
            task.has_failed = true;
        }
    }

    /// Whether this body ended with an error.
    pub(crate) fn has_failed(&self, number: usize) -> bool {
        (self.tasks.get(number)).is_some_and(|task| task.has_failed)
    }

    /// What follows comes after the end of this body.
    pub(crate) fn wait(&mut self, number: usize) {
        let Some(task) = self.tasks.get(number) else {
            return;
        };
        self.open.retain(|&other| {
            other != number && (other >= task.n_at_end || task.open_at_end.contains(&other))
        });
    }

    /// Notes an access; an error names where a body beside it accesses the same memory, and how.
    pub(crate) fn record(
        &mut self,
        address: u64,
        size: u64,
        access: Access,
        loc: Loc,
    ) -> Result<(), (Loc, &'static str)> {
        if self.tasks.is_empty() {
            return Ok(());
        }
        for byte in address..address + size {
            for &other in &self.open {
                let Some(&(read, written, atomic)) = self.tasks[other].accesses.get(&byte) else {
                    continue;
                };
                if let Some(place) = written
                    && !(atomic && access == Access::Atomic)
                {
                    return Err((place, "writes"));
                }
                if let Some(place) = read
                    && access != Access::Read
                {
                    return Err((place, "reads"));
                }
            }
            if let Some(task) = self.current.and_then(|number| self.tasks.get_mut(number)) {
                let entry = task.accesses.entry(byte).or_insert((None, None, true));
                match access {
                    Access::Read => entry.0 = Some(loc),
                    Access::Write => (entry.1, entry.2) = (Some(loc), false),
                    Access::Atomic => entry.1 = Some(loc),
                }
            }
        }
        Ok(())
    }
}
