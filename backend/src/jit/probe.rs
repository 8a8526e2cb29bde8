//! What benchmarks need to know of code in this process: how often it calls `malloc`, and that it
//! frees what it should without doing so.

use std::sync::atomic::{AtomicI64, Ordering};

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
}

/// Calls of the allocators by all code that counts them.
static ALLOCATIONS: AtomicI64 = AtomicI64::new(0);

extern "C" fn counting_malloc(size: usize) -> *mut u8 {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: any size is fine.
    unsafe { malloc(size) }
}

extern "C" fn counting_aligned_alloc(alignment: usize, size: usize) -> *mut u8 {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the function refuses what it cannot do.
    unsafe { aligned_alloc(alignment, size) }
}

/// `freehold_probe_allocations`: how many there were so far.
extern "C" fn allocations() -> i64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// `freehold_probe_freed`: what a benchmark calls instead of `free`, with a number that is counted
/// up.
extern "C" fn freed(count: &AtomicI64) {
    // One thread alone counts here.
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// What generated code may import from here.
pub(super) fn functions() -> [(&'static str, usize); 2] {
    [
        (
            "freehold_probe_allocations",
            allocations as *const () as usize,
        ),
        ("freehold_probe_freed", freed as *const () as usize),
    ]
}

/// What code that counts calls in place of an allocator called `name`.
pub(super) fn counting(name: &str) -> Option<*const u8> {
    match name {
        "malloc" => Some(counting_malloc as *const u8),
        "aligned_alloc" => Some(counting_aligned_alloc as *const u8),
        _ => None,
    }
}
