//! The wording of checking mode's reports, and how often each is shown.
//!
//! An error is shown once per kind, place and buffer's place of allocation: a loop
//! that does the same wrong thing a million times gives one report, and the summary
//! counts the rest.

use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

use super::blocks::{Block, Blocks, List, NONE, State};
use crate::output::Output;
use crate::site::AllocSite;
use crate::sys::{self, File};
use crate::table::Table;

/// The kind of an error; for accesses, what the program was doing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    UnknownFree,
    InteriorFree,
    DoubleFree,
    Underflow,
    Overflow,
    WriteAfterFree,
    NotOwned,
    HeldFree,
    LostRequest,
    HeldRead,
    HeldAccess,
    Read,
    Write,
    Access,
}

impl Kind {
    /// The word for an access.
    fn noun(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            _ => "access",
        }
    }
}

/// Reports that are shown at most; every further one is only counted.
const MOST_SHOWN: u64 = 1000;

/// Whether an error was reported while the program ran.
pub(super) static ERRORS_FOUND: AtomicBool = AtomicBool::new(false);

/// Leaks of one place.
#[derive(Clone, Copy)]
struct Leaks {
    buffers: u64,
    bytes: u64,
    foreign: bool,
}

/// Prints and counts errors.
pub(super) struct Reporter {
    /// Where to print, or null for standard error.
    stream: *mut File,
    errors: u64,
    shown: u64,
    seen: Table<()>,
}

impl Reporter {
    pub(super) const fn new() -> Self {
        Reporter {
            stream: ptr::null_mut(),
            errors: 0,
            shown: 0,
            seen: Table::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn print_to(&mut self, stream: *mut File) {
        self.stream = stream;
    }

    fn output(&self) -> Output {
        if self.stream.is_null() {
            Output::stderr()
        } else {
            Output::to(self.stream)
        }
    }

    /// Counts an error at `site`; returns the output, after `file:line:col: error: `, if it is to
    /// be shown.
    fn error(
        &mut self,
        kind: Kind,
        site: *const AllocSite,
        related: *const AllocSite,
    ) -> Option<Output> {
        self.errors += 1;
        ERRORS_FOUND.store(true, Ordering::Relaxed);
        let places = sys::mix(site.addr() as u64).wrapping_add(related.addr() as u64);
        let key = sys::mix(places.wrapping_mul(32).wrapping_add(kind as u64)) as usize | 1;
        if self.shown >= MOST_SHOWN || self.seen.insert(key, ()).is_some() {
            return None;
        }
        self.shown += 1;
        let mut out = self.output();
        // SAFETY: sites come from compiled code, which passes null or its constants.
        unsafe { out.diagnostic(site, "error") };
        Some(out)
    }

    pub(super) fn unknown_free(&mut self, site: *const AllocSite) {
        if let Some(mut out) = self.error(Kind::UnknownFree, site, ptr::null()) {
            out.text("invalid free: the pointer was never allocated\n");
        }
    }

    pub(super) fn interior_free(&mut self, block: &Block, address: usize, site: *const AllocSite) {
        if let Some(mut out) = self.error(Kind::InteriorFree, site, block.alloc_site) {
            out.text("invalid free: the pointer is at offset ");
            out.signed(address.wrapping_sub(block.start.addr()) as i64);
            out.text(" of a buffer of ");
            out.bytes(block.size);
            out.text(", not at its start\n");
            notes(&mut out, block, "freed here");
        }
    }

    pub(super) fn double_free(&mut self, block: &Block, site: *const AllocSite) {
        if let Some(mut out) = self.error(Kind::DoubleFree, site, block.alloc_site) {
            out.text("double free of ");
            if is_foreign(block) {
                out.text("a buffer returned by an external function");
            } else {
                out.bytes(block.size);
            }
            out.byte(b'\n');
            notes(&mut out, block, "first freed here");
        }
    }

    /// A write around a buffer. `found_at` is the free that made us look, or null.
    pub(super) fn overrun(
        &mut self,
        block: &Block,
        kind: Kind,
        offset: i64,
        found_at: *const AllocSite,
    ) {
        if let Some(mut out) = self.error(kind, block.alloc_site, ptr::null()) {
            let name = if kind == Kind::Overflow {
                "overflow"
            } else {
                "underflow"
            };
            out.text("buffer ");
            out.text(name);
            out.text(": this buffer of ");
            out.bytes(block.size);
            out.text(" was written at offset ");
            out.signed(offset);
            out.byte(b'\n');
            note(&mut out, found_at, "found when it was freed here");
            note(&mut out, block.free_site, "freed here");
        }
    }

    pub(super) fn write_after_free(&mut self, block: &Block, offset: u64) {
        if let Some(mut out) = self.error(Kind::WriteAfterFree, block.alloc_site, block.free_site) {
            out.text("write after free: this buffer of ");
            out.bytes(block.size);
            out.text(" was written at offset ");
            out.unsigned(offset);
            out.text(" after it was freed\n");
            note(&mut out, block.free_site, "freed here");
        }
    }

    pub(super) fn use_after_free(
        &mut self,
        block: &Block,
        kind: Kind,
        offset: i64,
        size: u64,
        site: *const AllocSite,
    ) {
        if let Some(mut out) = self.error(kind, site, block.free_site) {
            out.text("use after free: ");
            out.text(kind.noun());
            out.text(" of ");
            out.bytes(size);
            out.text(" at offset ");
            out.signed(offset);
            out.text(" of a freed buffer of ");
            out.bytes(block.size);
            out.byte(b'\n');
            notes(&mut out, block, "freed here");
        }
    }

    pub(super) fn out_of_bounds(
        &mut self,
        block: &Block,
        kind: Kind,
        offset: i64,
        size: u64,
        site: *const AllocSite,
    ) {
        if let Some(mut out) = self.error(kind, site, block.alloc_site) {
            out_of_bounds(&mut out, kind, offset, size, block.size);
            notes(&mut out, block, "freed here");
        }
    }

    /// The same for memory of a caller, of this many bytes.
    pub(super) fn out_of_bounds_of_caller(
        &mut self,
        n_bytes: u64,
        kind: Kind,
        offset: i64,
        size: u64,
        site: *const AllocSite,
    ) {
        if let Some(mut out) = self.error(kind, site, core::ptr::null()) {
            out_of_bounds(&mut out, kind, offset, size, n_bytes);
            // SAFETY: null is allowed.
            unsafe { out.diagnostic(core::ptr::null(), "note") };
            out.text("passed by the caller\n");
        }
    }

    pub(super) fn not_owned(&mut self, block: &Block, site: *const AllocSite) {
        if let Some(mut out) = self.error(Kind::NotOwned, site, block.alloc_site) {
            out.text("external function returned a buffer it does not own\n");
            notes(&mut out, block, "freed here");
        }
    }

    /// A free of a buffer that a transfer still uses.
    pub(super) fn held_free(&mut self, block: &Block, site: *const AllocSite) {
        if let Some(mut out) = self.error(Kind::HeldFree, site, block.alloc_site) {
            out.text("buffer is freed before its request was waited for\n");
            notes(&mut out, block, "freed here");
        }
    }

    /// An access to a buffer that a transfer still uses.
    pub(super) fn held_access(
        &mut self,
        block: Option<&Block>,
        kind: Kind,
        size: u64,
        site: *const AllocSite,
    ) {
        let allocated = block.map_or(ptr::null(), |block| block.alloc_site);
        let held = match kind {
            Kind::Read => Kind::HeldRead,
            _ => Kind::HeldAccess,
        };
        if let Some(mut out) = self.error(held, site, allocated) {
            out.text(kind.noun());
            out.text(" of ");
            out.bytes(size);
            out.text(" of a buffer before its request was waited for\n");
            if let Some(block) = block {
                notes(&mut out, block, "freed here");
            }
        }
    }

    /// A transfer that was not waited for.
    pub(super) fn lost_request(&mut self, block: Option<&Block>, is_written: bool) {
        let allocated = block.map_or(ptr::null(), |block| block.alloc_site);
        if let Some(mut out) = self.error(Kind::LostRequest, allocated, ptr::null()) {
            out.text("request was never waited for: its buffer may still be ");
            out.text(if is_written { "written\n" } else { "read\n" });
        }
    }

    /// Reports the blocks on `live`, those of one place together, in order of allocation.
    pub(super) fn leaks(&mut self, blocks: &Blocks, live: &List) {
        let key = |block: &Block| block.alloc_site.addr().wrapping_add(1);
        let mut places: Table<Leaks> = Table::new();
        let mut id = live.first();
        while id != NONE {
            let block = blocks.get(id);
            let foreign = block.state == State::Foreign;
            let none = Leaks {
                buffers: 0,
                bytes: 0,
                foreign,
            };
            let mut leaks = places.get(key(&block)).unwrap_or(none);
            leaks.buffers += 1;
            leaks.bytes = leaks.bytes.wrapping_add(block.size);
            places.insert(key(&block), leaks);
            id = blocks.next(id);
        }
        let mut id = live.first();
        while id != NONE {
            let block = blocks.get(id);
            if let Some(leaks) = places.remove(key(&block)) {
                self.errors += leaks.buffers;
                self.shown += leaks.buffers;
                self.leak(block.alloc_site, leaks);
            }
            id = blocks.next(id);
        }
        places.clear();
    }

    fn leak(&mut self, site: *const AllocSite, leaks: Leaks) {
        let mut out = self.output();
        // SAFETY: sites come from compiled code, which passes null or its constants.
        unsafe { out.diagnostic(site, "error") };
        out.text("memory leak: ");
        match (leaks.foreign, leaks.buffers) {
            (false, 1) => {
                out.bytes(leaks.bytes);
                out.text(" allocated here were never freed\n");
            }
            (false, _) => {
                out.bytes(leaks.bytes);
                out.text(" in ");
                out.unsigned(leaks.buffers);
                out.text(" buffers allocated here were never freed\n");
            }
            (true, 1) => out.text("the buffer returned here was never freed\n"),
            (true, _) => {
                out.unsigned(leaks.buffers);
                out.text(" buffers returned here were never freed\n");
            }
        }
    }

    /// Prints how many errors there were, if any, and returns whether there were none.
    pub(super) fn summary(&mut self) -> bool {
        if self.errors == 0 {
            return true;
        }
        let mut out = self.output();
        out.text("memory check: ");
        out.unsigned(self.errors);
        out.text(if self.errors == 1 {
            " error"
        } else {
            " errors"
        });
        if self.errors > self.shown {
            out.text(", ");
            out.unsigned(self.errors - self.shown);
            out.text(" of them repeated and not shown");
        }
        out.byte(b'\n');
        false
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
    }
}

fn out_of_bounds(out: &mut Output, kind: Kind, offset: i64, size: u64, n_bytes: u64) {
    out.text("out of bounds ");
    out.text(kind.noun());
    out.text(" of ");
    out.bytes(size);
    out.text(" at offset ");
    out.signed(offset);
    out.text(" of a buffer of ");
    out.bytes(n_bytes);
    out.byte(b'\n');
}

/// Whether an external function returned the block.
fn is_foreign(block: &Block) -> bool {
    matches!(block.state, State::Foreign | State::ReleasedForeign)
}

/// The places of a block's allocation and, if it was freed, of its free.
fn notes(out: &mut Output, block: &Block, freed: &str) {
    let allocated = if is_foreign(block) {
        "returned here"
    } else {
        "allocated here"
    };
    // Without a place this still tells that the buffer came from an allocation.
    // SAFETY: sites come from compiled code, which passes null or its constants.
    unsafe { out.diagnostic(block.alloc_site, "note") };
    out.text(allocated);
    out.byte(b'\n');
    if !matches!(block.state, State::Live | State::Foreign) {
        // SAFETY: as above.
        unsafe { out.diagnostic(block.free_site, "note") };
        out.text(freed);
        out.byte(b'\n');
    }
}

/// A note, if there is a place for it.
fn note(out: &mut Output, site: *const AllocSite, text: &str) {
    if !site.is_null() {
        // SAFETY: sites come from compiled code, which passes null or its constants.
        unsafe { out.diagnostic(site, "note") };
        out.text(text);
        out.byte(b'\n');
    }
}
