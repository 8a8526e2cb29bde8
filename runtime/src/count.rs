//! Counting mode: how much memory a program allocates, frees, clones and copies.
//!
//! Compiled code calls [`freehold_count_alloc`] and [`freehold_count_free`] in place
//! of malloc and free. Buffers remain plain malloc blocks, so C code may free ours
//! and we may free C's; their sizes live in a side table. Freeing a buffer the table
//! does not know counts as a *foreign* free. A buffer of ours that C code frees stays
//! on the books until malloc hands out its address again.
//!
//! The counters are global to the process and atomic. [`freehold_stats_reset`]
//! starts them over, for a process that runs one program after another.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::events::EventLog;
use crate::output::Output;
use crate::output::out_of_memory;
use crate::site::AllocSite;
use crate::sys::{self, Locked};
use crate::table::Table;

/// What the program did so far.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Buffers allocated.
    pub allocs: u64,
    /// Buffers freed that this mode had allocated.
    pub frees: u64,
    /// Sum of the requested sizes of all allocations.
    pub bytes_allocated: u64,
    /// Largest value `live_bytes` ever had.
    pub peak_bytes: u64,
    /// Buffers allocated and not freed.
    pub live_allocs: u64,
    /// Their requested sizes added up.
    pub live_bytes: u64,
    /// Buffers duplicated: each is an allocation and a copy.
    pub clones: u64,
    /// Copies from buffer to buffer, clones not included.
    pub copies: u64,
    /// Bytes moved by copies and clones.
    pub bytes_copied: u64,
    /// Frees of buffers that some other code had allocated.
    pub foreign_frees: u64,
}

struct Counters {
    allocs: AtomicU64,
    frees: AtomicU64,
    bytes_allocated: AtomicU64,
    peak_bytes: AtomicU64,
    live_allocs: AtomicU64,
    live_bytes: AtomicU64,
    clones: AtomicU64,
    copies: AtomicU64,
    bytes_copied: AtomicU64,
    foreign_frees: AtomicU64,
}

/// The books of counting mode; checking mode keeps its numbers here too.
pub(crate) struct Accounts {
    counters: Counters,
    /// Requested size of every buffer on the books.
    sizes: Locked<Table<u64>>,
    pub(crate) events: EventLog,
}

/// The books of this process.
pub(crate) static ACCOUNTS: Accounts = Accounts::new();

impl Accounts {
    pub(crate) const fn new() -> Self {
        const fn zero() -> AtomicU64 {
            AtomicU64::new(0)
        }
        Accounts {
            counters: Counters {
                allocs: zero(),
                frees: zero(),
                bytes_allocated: zero(),
                peak_bytes: zero(),
                live_allocs: zero(),
                live_bytes: zero(),
                clones: zero(),
                copies: zero(),
                bytes_copied: zero(),
                foreign_frees: zero(),
            },
            sizes: Locked::new(Table::new()),
            events: EventLog::new(),
        }
    }

    /// Books an allocation in the counters and the event log.
    pub(crate) fn gained(&self, address: usize, size: u64, site: *const AllocSite) {
        let counters = &self.counters;
        counters.allocs.fetch_add(1, Relaxed);
        counters.bytes_allocated.fetch_add(size, Relaxed);
        counters.live_allocs.fetch_add(1, Relaxed);
        let live = counters
            .live_bytes
            .fetch_add(size, Relaxed)
            .wrapping_add(size);
        counters.peak_bytes.fetch_max(live, Relaxed);
        self.events.record(address, size as i64, site);
    }

    /// Books the free of a buffer that was booked by [`Self::gained`].
    pub(crate) fn gave_back(&self, address: usize, size: u64, site: *const AllocSite) {
        self.counters.frees.fetch_add(1, Relaxed);
        self.gone(address, size, site);
    }

    /// Takes a buffer that was freed elsewhere off the books.
    fn gone(&self, address: usize, size: u64, site: *const AllocSite) {
        self.counters.live_allocs.fetch_sub(1, Relaxed);
        self.counters.live_bytes.fetch_sub(size, Relaxed);
        self.events
            .record(address, (size as i64).wrapping_neg(), site);
    }

    /// Books the free of an unbooked buffer.
    pub(crate) fn freed_foreign(&self) {
        self.counters.foreign_frees.fetch_add(1, Relaxed);
    }

    fn alloc(&self, size: u64, align: u64, site: *const AllocSite) -> *mut u8 {
        let pointer = allocate(size, align, site);
        let address = pointer.addr();
        // Malloc handed out an address on the books: C code has freed that buffer.
        let stale = self.sizes.with(|sizes| sizes.insert(address, size));
        if let Some(stale) = stale {
            self.gone(address, stale, core::ptr::null());
        }
        self.gained(address, size, site);
        pointer
    }

    /// Books the free of `pointer`, which the caller then has to carry out.
    fn before_free(&self, pointer: *mut u8, site: *const AllocSite) {
        if pointer.is_null() {
            return;
        }
        // The entry must go before the block does: another thread may get the same address.
        match self.sizes.with(|sizes| sizes.remove(pointer.addr())) {
            Some(size) => self.gave_back(pointer.addr(), size, site),
            None => self.freed_foreign(),
        }
    }

    fn stats(&self) -> Stats {
        let counters = &self.counters;
        Stats {
            allocs: counters.allocs.load(Relaxed),
            frees: counters.frees.load(Relaxed),
            bytes_allocated: counters.bytes_allocated.load(Relaxed),
            peak_bytes: counters.peak_bytes.load(Relaxed),
            live_allocs: counters.live_allocs.load(Relaxed),
            live_bytes: counters.live_bytes.load(Relaxed),
            clones: counters.clones.load(Relaxed),
            copies: counters.copies.load(Relaxed),
            bytes_copied: counters.bytes_copied.load(Relaxed),
            foreign_frees: counters.foreign_frees.load(Relaxed),
        }
    }

    fn cloned(&self, bytes: u64) {
        self.counters.clones.fetch_add(1, Relaxed);
        self.counters.bytes_copied.fetch_add(bytes, Relaxed);
    }

    fn copied(&self, bytes: u64) {
        self.counters.copies.fetch_add(1, Relaxed);
        self.counters.bytes_copied.fetch_add(bytes, Relaxed);
    }

    fn reset(&self) {
        self.sizes.with(Table::clear);
        self.events.reset();
        let counters = &self.counters;
        counters.allocs.store(0, Relaxed);
        counters.frees.store(0, Relaxed);
        counters.bytes_allocated.store(0, Relaxed);
        counters.peak_bytes.store(0, Relaxed);
        counters.live_allocs.store(0, Relaxed);
        counters.live_bytes.store(0, Relaxed);
        counters.clones.store(0, Relaxed);
        counters.copies.store(0, Relaxed);
        counters.bytes_copied.store(0, Relaxed);
        counters.foreign_frees.store(0, Relaxed);
    }
}

/// What malloc guarantees on every target we support.
const MALLOC_ALIGN: u64 = 16;

/// A block of at least `size` bytes from libc, aligned to `align` (rounded up to a power of two).
/// Never null: a program that is out of memory is stopped, naming the place that asked.
pub(crate) fn allocate(size: u64, align: u64, site: *const AllocSite) -> *mut u8 {
    let pointer = try_allocate(size, align);
    if pointer.is_null() {
        out_of_memory(size, site);
    }
    pointer
}

/// As [`allocate`], but null if there is no such block.
pub(crate) fn try_allocate(size: u64, align: u64) -> *mut u8 {
    // malloc(0) may be null, which we take for failure.
    let asked = if size == 0 { 1 } else { size };
    if align <= MALLOC_ALIGN {
        // SAFETY: malloc takes any size.
        return unsafe { sys::malloc(asked as usize) };
    }
    if align > 1 << 47 || asked > 1 << 62 {
        return core::ptr::null_mut();
    }
    let align = round_up_to_power_of_two(align);
    // C11 wants a multiple of the alignment.
    let rounded = (asked + align - 1) & !(align - 1);
    // SAFETY: the alignment is a power of two and divides the size.
    unsafe { sys::aligned_alloc(align as usize, rounded as usize) }
}

/// The smallest power of two that is not below `align`, for values up to 2^63.
pub(crate) fn round_up_to_power_of_two(align: u64) -> u64 {
    if align <= 1 {
        1
    } else {
        1 << (64 - (align - 1).leading_zeros())
    }
}

impl Stats {
    fn write_table(&self, out: &mut Output) {
        let mut row = |label: &str, value: u64| {
            out.text(label);
            let mut digits = 1;
            let mut rest = value / 10;
            while rest != 0 {
                digits += 1;
                rest /= 10;
            }
            out.spaces(36 - label.len() as i64 - digits);
            out.unsigned(value);
            out.byte(b'\n');
        };
        row("allocations", self.allocs);
        row("frees", self.frees);
        row("bytes allocated", self.bytes_allocated);
        row("peak bytes", self.peak_bytes);
        row("live allocations at exit", self.live_allocs);
        row("live bytes at exit", self.live_bytes);
        row("clones", self.clones);
        row("copies", self.copies);
        row("bytes copied", self.bytes_copied);
        row("foreign frees", self.foreign_frees);
    }

    fn write_json(&self, out: &mut Output) {
        let mut entry = |key: &str, value: u64| {
            out.text(key);
            out.unsigned(value);
        };
        entry("{\"allocs\": ", self.allocs);
        entry(", \"frees\": ", self.frees);
        entry(", \"bytes_allocated\": ", self.bytes_allocated);
        entry(", \"peak_bytes\": ", self.peak_bytes);
        entry(", \"live_allocs_at_exit\": ", self.live_allocs);
        entry(", \"live_bytes_at_exit\": ", self.live_bytes);
        entry(", \"clones\": ", self.clones);
        entry(", \"copies\": ", self.copies);
        entry(", \"bytes_copied\": ", self.bytes_copied);
        entry(", \"foreign_frees\": ", self.foreign_frees);
        out.text("}\n");
    }
}

/// Allocates `size` bytes aligned to `align` and counts them. Never returns null.
///
/// # Safety
/// `site` is null or describes the operation, for as long as the event log is read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_count_alloc(
    size: u64,
    align: u64,
    site: *const AllocSite,
) -> *mut u8 {
    ACCOUNTS.alloc(size, align, site)
}

/// Frees a buffer, ours or any other malloc block, and counts it. Null does nothing.
///
/// # Safety
/// `pointer` may be passed to C's `free`; `site` as for [`freehold_count_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_count_free(pointer: *mut u8, site: *const AllocSite) {
    ACCOUNTS.before_free(pointer, site);
    // SAFETY: by the caller's promise.
    unsafe { sys::free(pointer) };
}

/// Frees the buffer at `address`, which a program has returned to whoever runs it, if it is on the books.
pub fn free_result(address: usize) {
    if (ACCOUNTS.sizes).with(|sizes| sizes.get(address).is_some()) {
        let pointer = core::ptr::with_exposed_provenance_mut(address);
        // SAFETY: booked buffers came from malloc; null describes no operation.
        unsafe { freehold_count_free(pointer, core::ptr::null()) };
    }
}

/// Counts a clone of `bytes` bytes; its allocation is counted by itself.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_count_clone(bytes: u64) {
    ACCOUNTS.cloned(bytes);
}

/// Counts a copy of `bytes` bytes between existing buffers.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_count_copy(bytes: u64) {
    ACCOUNTS.copied(bytes);
}

/// The present numbers, for callers in Rust.
pub fn stats() -> Stats {
    ACCOUNTS.stats()
}

/// Stores the present numbers in `out`.
///
/// # Safety
/// `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_stats_get(out: *mut Stats) {
    // SAFETY: by the caller's promise.
    unsafe { out.write(ACCOUNTS.stats()) };
}

/// Forgets all numbers, buffers and events.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_stats_reset() {
    ACCOUNTS.reset();
}

/// Prints the numbers to standard error: a table, or one line holding a JSON object.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_stats_report(json: bool) {
    let mut out = Output::stderr();
    if json {
        ACCOUNTS.stats().write_json(&mut out);
    } else {
        ACCOUNTS.stats().write_table(&mut out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::capture::captured;
    use core::ptr;
    use std::thread;
    use std::vec::Vec;

    fn free(accounts: &Accounts, pointer: *mut u8) {
        accounts.before_free(pointer, ptr::null());
        // SAFETY: the tests free what `alloc` gave them, once.
        unsafe { sys::free(pointer) };
    }

    #[test]
    fn numbers_add_up() {
        let accounts = Accounts::new();
        let a = accounts.alloc(100, 8, ptr::null());
        let b = accounts.alloc(50, 64, ptr::null());
        assert_eq!(b.addr() % 64, 0);
        free(&accounts, a);
        let c = accounts.alloc(0, 0, ptr::null());
        assert!(!c.is_null());
        free(&accounts, ptr::null_mut());
        accounts.cloned(50);
        accounts.copied(7);
        let expected = Stats {
            allocs: 3,
            frees: 1,
            bytes_allocated: 150,
            peak_bytes: 150,
            live_allocs: 2,
            live_bytes: 50,
            clones: 1,
            copies: 1,
            bytes_copied: 57,
            foreign_frees: 0,
        };
        assert_eq!(accounts.stats(), expected);
        free(&accounts, b);
        free(&accounts, c);
        // SAFETY: a plain block of malloc.
        free(&accounts, unsafe { sys::malloc(10) });
        let stats = accounts.stats();
        assert_eq!(
            (stats.frees, stats.foreign_frees, stats.live_allocs),
            (3, 1, 0)
        );
        assert_eq!(stats.live_bytes, 0);
        accounts.reset();
        assert_eq!(accounts.stats(), Stats::default());
    }

    #[test]
    fn buffers_freed_by_c_leave_the_books_when_their_address_returns() {
        let accounts = Accounts::new();
        for _ in 0..1000 {
            let pointer = accounts.alloc(48, 8, ptr::null());
            // SAFETY: C code frees our buffer behind our back.
            unsafe { sys::free(pointer) };
        }
        let stats = accounts.stats();
        assert_eq!((stats.allocs, stats.frees), (1000, 0));
        assert!(stats.live_allocs <= 1000);
        assert_eq!(stats.live_bytes, 48 * stats.live_allocs);
        accounts.reset();
    }

    #[test]
    fn threads_count_together() {
        let accounts = Accounts::new();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..2_000u64 {
                        let pointers: Vec<_> = (0..4)
                            .map(|i| accounts.alloc(round % 7 + i, 8, ptr::null()))
                            .collect();
                        pointers
                            .into_iter()
                            .for_each(|pointer| free(&accounts, pointer));
                    }
                });
            }
        });
        let stats = accounts.stats();
        assert_eq!((stats.allocs, stats.frees), (32_000, 32_000));
        assert_eq!(
            (stats.live_allocs, stats.live_bytes, stats.foreign_frees),
            (0, 0, 0)
        );
        assert!(stats.peak_bytes >= 6 + 7 + 8 + 9 && stats.peak_bytes <= 4 * (6 + 7 + 8 + 9));
        accounts.reset();
    }

    #[test]
    fn events_follow_the_bytes() {
        let accounts = Accounts::new();
        accounts.events.enable();
        let a = accounts.alloc(100, 8, ptr::null());
        let b = accounts.alloc(20, 8, ptr::null());
        free(&accounts, a);
        free(&accounts, b);
        let mut events = Vec::with_capacity(8);
        // SAFETY: there is room for eight.
        unsafe {
            let count = accounts.events.copy(events.as_mut_ptr(), 8);
            events.set_len(count);
        }
        let deltas: Vec<_> = events
            .iter()
            .map(|event: &crate::events::Event| event.delta)
            .collect();
        assert_eq!(deltas, [100, 20, -100, -20]);
        assert_eq!(events[0].address, events[2].address);
        accounts.reset();
    }

    #[test]
    fn alignments_round_up() {
        for (align, expected) in [
            (0, 1),
            (1, 1),
            (2, 2),
            (3, 4),
            (17, 32),
            (64, 64),
            (65, 128),
        ] {
            assert_eq!(round_up_to_power_of_two(align), expected);
        }
    }

    #[test]
    fn reports() {
        let stats = Stats {
            allocs: 12,
            frees: 11,
            bytes_allocated: 123_456,
            peak_bytes: 4096,
            live_allocs: 1,
            live_bytes: 64,
            clones: 2,
            copies: 3,
            bytes_copied: 256,
            foreign_frees: 0,
        };
        assert_eq!(
            captured(|stream| stats.write_json(&mut Output::to(stream))),
            "{\"allocs\": 12, \"frees\": 11, \"bytes_allocated\": 123456, \"peak_bytes\": 4096, \
             \"live_allocs_at_exit\": 1, \"live_bytes_at_exit\": 64, \"clones\": 2, \
             \"copies\": 3, \"bytes_copied\": 256, \"foreign_frees\": 0}\n"
        );
        let table = captured(|stream| stats.write_table(&mut Output::to(stream)));
        assert!(
            table.starts_with("allocations                       12\n"),
            "{table}"
        );
        assert!(table.lines().all(|line| line.len() == 36), "{table}");
    }
}
