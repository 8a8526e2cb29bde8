//! Checking mode: finds memory errors and names the MLIR operations involved.
//!
//! Every buffer lies between red zones; a freed buffer is poisoned and stays in
//! quarantine before its memory goes back to libc. That finds leaks, double and
//! invalid frees, writes past either end and writes after the free without any help
//! from the code generator. With [`freehold_check_access_in`] before loads and stores,
//! bad reads are found too, and all bad accesses are reported where they happen.
//!
//! A buffer returned by an external function is registered by
//! [`freehold_check_foreign_result`]; since every owned buffer is thus known, freeing
//! an unknown pointer (a global, the stack, a parameter's interior) is an error.
//!
//! Memory that callers pass to a function is known for the time of the call, by its allocated pointer
//! (`Checker::lend`): accesses beyond what the descriptor says are reported.
//!
//! Invariant: `live`, `quarantine` and `released` partition the blocks by state.

mod api;
mod blocks;
mod memory;
mod report;
mod requests;

use crate::count;
use crate::site::AllocSite;
use crate::sys;
use crate::table::Table;
use blocks::{Block, Blocks, Id, List, NONE, State};
use report::{Kind, Reporter};
use requests::Requests;

pub use api::*;

/// What [`Checker::free`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freed {
    /// Freed one of our own buffers, of this many bytes.
    Own(u64),
    /// Freed a buffer that came from an external function.
    Foreign,
    /// Reported an error, or the pointer was null.
    Nothing,
}

/// Memory the quarantine may hold by default: bounds what checking costs beside the program's own memory.
const QUARANTINE_BYTES: u64 = 64 << 20;
/// Blocks the quarantine may hold, and released blocks that are remembered: bounds the tables to some
/// megabytes where blocks are small.
const QUARANTINE_BLOCKS: u64 = 1 << 17;
const RELEASED_BLOCKS: u64 = 1 << 16;
/// Red zones are an eighth of their block, but keep malloc's alignment.
const SMALLEST_RED_ZONE: u64 = 16;
/// Bounds what many large blocks cost.
const LARGEST_RED_ZONE: u64 = 1024;

/// Memory of a caller, from the first byte that a descriptor leads to up to the one behind the last.
#[derive(Clone, Copy)]
struct Lent {
    low: usize,
    high: usize,
    /// How many arguments of calls that have not returned begin there.
    n_arguments: u64,
}

/// All of checking mode's state.
struct Checker {
    blocks: Blocks,
    /// States `Live` and `Foreign`, in order of allocation.
    live: List,
    /// State `Quarantined`, in order of being freed.
    quarantine: List,
    /// States `Released` and `ReleasedForeign`, in order of leaving the quarantine.
    released: List,
    quarantine_bytes: u64,
    quarantine_limit: u64,
    /// By allocated pointer.
    lent: Table<Lent>,
    requests: Requests,
    reporter: Reporter,
}

impl Checker {
    const fn new() -> Self {
        Checker {
            blocks: Blocks::new(),
            live: List::new(),
            quarantine: List::new(),
            released: List::new(),
            quarantine_bytes: 0,
            quarantine_limit: QUARANTINE_BYTES,
            lent: Table::new(),
            requests: Requests::new(),
            reporter: Reporter::new(),
        }
    }

    fn alloc(&mut self, size: u64, align: u64, site: *const AllocSite) -> *mut u8 {
        if size > 1 << 60 || align > 1 << 46 {
            crate::output::out_of_memory(size, site);
        }
        // Larger buffers get larger zones, to catch strided accesses that skip some bytes.
        let zone =
            count::round_up_to_power_of_two(size / 8).clamp(SMALLEST_RED_ZONE, LARGEST_RED_ZONE);
        let align = count::round_up_to_power_of_two(align).max(SMALLEST_RED_ZONE);
        let front = if zone > align { zone } else { align };
        let total = (front + size + zone + 15) & !15;
        let base = count::try_allocate(total, align);
        if base.is_null() {
            crate::output::out_of_memory(size, site);
        }
        // SAFETY: the block has `total` bytes, `front` of them before `start`.
        let start = unsafe {
            let start = base.add(front as usize);
            memory::fill(start, size, memory::UNINITIALIZED);
            start
        };
        let block = Block::new(base, start, size, total, State::Live, site);
        // SAFETY: the block was just allocated.
        unsafe { fill_red_zones(&block) };
        self.add(block);
        start
    }

    /// Registers a block. Libc says that its memory is free, so whatever is still on the books
    /// for it was released, by us or behind our back by C code.
    fn add(&mut self, block: Block) {
        loop {
            let old = self.blocks.overlapping(block.base.addr(), block.total);
            if old == NONE {
                break;
            }
            self.forget(old);
        }
        let id = self.blocks.insert(block);
        self.blocks.push(&mut self.live, id);
    }

    /// Erases a block from the books.
    fn forget(&mut self, id: Id) {
        let block = self.blocks.get(id);
        let list = match block.state {
            State::Live | State::Foreign => &mut self.live,
            State::Quarantined => {
                self.quarantine_bytes -= block.total;
                &mut self.quarantine
            }
            State::Released | State::ReleasedForeign => &mut self.released,
        };
        self.blocks.unlink(list, id);
        self.blocks.remove(id);
    }

    fn free(&mut self, pointer: *mut u8, site: *const AllocSite) -> Freed {
        if pointer.is_null() {
            return Freed::Nothing;
        }
        let id = self.blocks.containing(pointer.addr());
        if id == NONE {
            self.reporter.unknown_free(site);
            return Freed::Nothing;
        }
        let block = self.blocks.get(id);
        if pointer != block.start {
            self.reporter.interior_free(&block, pointer.addr(), site);
            return Freed::Nothing;
        }
        let end = block.start.addr() + block.size as usize;
        if self.requests.is_held(block.start.addr(), end) {
            self.reporter.held_free(&block, site);
        }
        match block.state {
            State::Live => {
                self.check_red_zones(&block, site);
                // SAFETY: the program has given the buffer up and we have not.
                unsafe { memory::fill(block.start, block.size, memory::POISON) };
                self.blocks.unlink(&mut self.live, id);
                let entry = self.blocks.get_mut(id);
                entry.state = State::Quarantined;
                entry.free_site = site;
                self.blocks.push(&mut self.quarantine, id);
                self.quarantine_bytes += block.total;
                self.trim_quarantine();
                Freed::Own(block.size)
            }
            State::Foreign => {
                self.blocks.unlink(&mut self.live, id);
                let entry = self.blocks.get_mut(id);
                entry.state = State::ReleasedForeign;
                entry.free_site = site;
                self.push_released(id);
                // SAFETY: the external function handed over a malloc block, by the convention for
                // memref results, and this is its first free.
                unsafe { sys::free(pointer) };
                Freed::Foreign
            }
            State::Quarantined | State::Released | State::ReleasedForeign => {
                self.reporter.double_free(&block, site);
                Freed::Nothing
            }
        }
    }

    /// Whether a buffer that starts at `pointer` is there and not freed.
    fn is_live(&self, pointer: *mut u8) -> bool {
        let id = self.blocks.containing(pointer.addr());
        id != NONE && {
            let block = self.blocks.get(id);
            block.start == pointer && matches!(block.state, State::Live | State::Foreign)
        }
    }

    fn trim_quarantine(&mut self) {
        while self.quarantine_bytes > self.quarantine_limit
            || self.quarantine.len() > QUARANTINE_BLOCKS
        {
            let id = self.quarantine.first();
            if id == NONE {
                break;
            }
            let block = self.blocks.get(id);
            self.check_quarantined(&block);
            self.blocks.unlink(&mut self.quarantine, id);
            self.quarantine_bytes -= block.total;
            self.blocks.get_mut(id).state = State::Released;
            self.push_released(id);
            // SAFETY: a block of ours that the program has given up.
            unsafe { sys::free(block.base) };
        }
    }

    fn push_released(&mut self, id: Id) {
        self.blocks.push(&mut self.released, id);
        if self.released.len() > RELEASED_BLOCKS {
            self.forget(self.released.first());
        }
    }

    /// Reports writes around a block of ours, and repairs the red zones. `found_at` is the free
    /// that made us look, or null.
    fn check_red_zones(&mut self, block: &Block, found_at: *const AllocSite) {
        let (front, front_size) = front_zone(block);
        let (back, back_size) = back_zone(block);
        // SAFETY: both zones belong to the block, whose memory we hold.
        let (before, after) = unsafe {
            (
                memory::first_other(front, front_size, memory::RED_ZONE),
                memory::first_other(back, back_size, memory::RED_ZONE),
            )
        };
        if let Some(at) = before {
            let offset = at as i64 - front_size as i64;
            self.reporter
                .overrun(block, Kind::Underflow, offset, found_at);
        }
        if let Some(at) = after {
            let offset = (block.size + at) as i64;
            self.reporter
                .overrun(block, Kind::Overflow, offset, found_at);
        }
        if before.is_some() || after.is_some() {
            // SAFETY: we hold the block's memory.
            unsafe { fill_red_zones(block) };
        }
    }

    /// Reports writes to a block since it was freed.
    fn check_quarantined(&mut self, block: &Block) {
        // SAFETY: we hold the memory of blocks in quarantine.
        let changed = unsafe { memory::first_other(block.start, block.size, memory::POISON) };
        if let Some(offset) = changed {
            self.reporter.write_after_free(block, offset);
            // SAFETY: as above. A later look reports only later writes.
            unsafe { memory::fill(block.start, block.size, memory::POISON) };
        }
        self.check_red_zones(block, core::ptr::null());
    }

    /// Checks an access to `size` bytes at `address` of the block around `within`.
    fn access(
        &mut self,
        within: usize,
        address: usize,
        size: u64,
        kind: Kind,
        site: *const AllocSite,
    ) {
        let id = self.blocks.containing(within);
        if size == 0 {
            return;
        }
        self.check_requests(address, size, kind, site);
        if id == NONE {
            self.access_lent(within, address, size, kind, site);
            return;
        }
        let block = self.blocks.get(id);
        let offset = address.wrapping_sub(block.start.addr()) as i64;
        match block.state {
            // The size of a foreign buffer is not known, and released memory may by now belong to
            // C code that lets the program use it.
            State::Foreign | State::Released | State::ReleasedForeign => {
                self.access_lent(within, address, size, kind, site);
            }
            State::Live => {
                let end = (block.size as i64).wrapping_sub(size as i64);
                if offset < 0 || offset > end {
                    self.reporter
                        .out_of_bounds(&block, kind, offset, size, site);
                }
            }
            State::Quarantined => {
                self.reporter
                    .use_after_free(&block, kind, offset, size, site);
            }
        }
    }

    /// Checks an access to memory of a caller.
    fn access_lent(
        &mut self,
        allocated: usize,
        address: usize,
        size: u64,
        kind: Kind,
        site: *const AllocSite,
    ) {
        let Some(lent) = self.lent.get(allocated) else {
            return;
        };
        let room = (lent.high as u64).wrapping_sub(address as u64) as i64;
        if address < lent.low || room < size as i64 {
            let n_bytes = (lent.high - lent.low) as u64;
            let offset = address.wrapping_sub(allocated) as i64;
            self.reporter
                .out_of_bounds_of_caller(n_bytes, kind, offset, size, site);
        }
    }

    /// Takes note of memory that a caller passes: its allocated pointer, and where elements are. Where several
    /// arguments begin at one address, all that any of them reaches may be accessed.
    fn lend(&mut self, allocated: usize, low: usize, high: usize) {
        let mut lent = Lent {
            low,
            high,
            n_arguments: 1,
        };
        if let Some(known) = self.lent.get(allocated) {
            lent.low = known.low.min(low);
            lent.high = known.high.max(high);
            lent.n_arguments += known.n_arguments;
        }
        self.lent.insert(allocated, lent);
    }

    /// Undoes one [`Self::lend`].
    fn take_back(&mut self, allocated: usize) {
        if let Some(mut lent) = self.lent.remove(allocated) {
            lent.n_arguments -= 1;
            if lent.n_arguments > 0 {
                self.lent.insert(allocated, lent);
            }
        }
    }

    /// Takes note of a buffer an external function returned.
    fn foreign_result(&mut self, pointer: *mut u8, site: *const AllocSite) {
        if pointer.is_null() {
            return;
        }
        let id = self.blocks.containing(pointer.addr());
        if id != NONE {
            let block = self.blocks.get(id);
            match block.state {
                State::Live | State::Foreign | State::Quarantined => {
                    self.reporter.not_owned(&block, site);
                    return;
                }
                // Libc may have given the memory to the external function.
                State::Released | State::ReleasedForeign => {}
            }
        }
        self.add(Block::new(pointer, pointer, 0, 1, State::Foreign, site));
    }

    /// Looks at everything that has not been looked at and returns whether all is well.
    fn report(&mut self) -> bool {
        let mut id = self.quarantine.first();
        while id != NONE {
            let block = self.blocks.get(id);
            self.check_quarantined(&block);
            id = self.blocks.next(id);
        }
        let mut id = self.live.first();
        while id != NONE {
            let block = self.blocks.get(id);
            if block.state == State::Live {
                self.check_red_zones(&block, core::ptr::null());
            }
            id = self.blocks.next(id);
        }
        self.report_requests();
        self.reporter.leaks(&self.blocks, &self.live);
        self.reporter.summary()
    }

    /// Forgets everything. Memory in quarantine is given back; buffers in use are not touched.
    fn reset(&mut self) {
        let mut id = self.quarantine.first();
        while id != NONE {
            let block = self.blocks.get(id);
            // SAFETY: a block of ours that the program has given up.
            unsafe { sys::free(block.base) };
            id = self.blocks.next(id);
        }
        self.blocks.clear();
        self.lent.clear();
        self.reporter.clear();
        *self = Checker::new();
    }
}

/// The bytes before the buffer that are watched.
fn front_zone(block: &Block) -> (*mut u8, u64) {
    let front = (block.start.addr() - block.base.addr()) as u64;
    let watched = if front < LARGEST_RED_ZONE {
        front
    } else {
        LARGEST_RED_ZONE
    };
    // SAFETY: `watched` is at most the distance from the base.
    (unsafe { block.start.sub(watched as usize) }, watched)
}

/// The bytes after the buffer that are watched.
fn back_zone(block: &Block) -> (*mut u8, u64) {
    let front = (block.start.addr() - block.base.addr()) as u64;
    // SAFETY: the buffer lies inside its block.
    (
        unsafe { block.start.add(block.size as usize) },
        block.total - front - block.size,
    )
}

/// Fills the red zones of a block.
///
/// # Safety
/// We hold the block's memory.
unsafe fn fill_red_zones(block: &Block) {
    let (front, front_size) = front_zone(block);
    let (back, back_size) = back_zone(block);
    // SAFETY: both zones belong to the block.
    unsafe {
        memory::fill(front, front_size, memory::RED_ZONE);
        memory::fill(back, back_size, memory::RED_ZONE);
    }
}

#[cfg(test)]
mod tests;
