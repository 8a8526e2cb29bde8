//! How many rewrites the greedy driver makes, so that one that is wrong can be found by trying fewer, and which ones.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts rewrites, and stops them at a limit. Where rewrites are not counted, it costs one load.
#[derive(Debug, Default)]
pub struct Rewrites {
    is_on: AtomicBool,
    left: AtomicU64,
    made: AtomicU64,
    last: Mutex<String>,
    keeps_names: AtomicBool,
    names: Mutex<BTreeSet<String>>,
}

impl Rewrites {
    /// Counts from here on, and allows `most`.
    pub fn count(&self, most: u64) {
        self.left.store(most, Ordering::Relaxed);
        self.made.store(0, Ordering::Relaxed);
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// Counts no more. How many there were, and what the last one was.
    pub fn stop(&self) -> (u64, String) {
        self.is_on.store(false, Ordering::Relaxed);
        let last = self.last.lock().map(|mut last| std::mem::take(&mut *last));
        (self.made.load(Ordering::Relaxed), last.unwrap_or_default())
    }

    /// Keeps the names of all kinds from here on.
    pub fn keep_names(&self) {
        self.keeps_names.store(true, Ordering::Relaxed);
    }

    /// The names of the kinds that were made since names are kept.
    pub fn names(&self) -> Vec<String> {
        let names = self.names.lock();
        names.map_or_else(|_| Vec::new(), |names| names.iter().cloned().collect())
    }

    /// Whether another one may be made.
    pub fn may_go_on(&self) -> bool {
        !self.is_on.load(Ordering::Relaxed) || self.left.load(Ordering::Relaxed) > 0
    }

    /// Notes one that was made: its kind, and where.
    pub fn note(&self, what: impl Fn() -> String, place: impl FnOnce() -> String) {
        if self.keeps_names.load(Ordering::Relaxed)
            && let Ok(mut names) = self.names.lock()
        {
            names.insert(what());
        }
        if !self.is_on.load(Ordering::Relaxed) {
            return;
        }
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        self.made.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut last) = self.last.lock() {
            *last = what() + &place();
        }
    }
}
