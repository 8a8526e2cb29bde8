//! The C functions of checking mode, on one checker per process.

use core::sync::atomic::Ordering;

use super::{Checker, Freed, Kind, report};
use crate::count::ACCOUNTS;
use crate::memref::View;
use crate::site::AllocSite;
use crate::sys::Locked;

static CHECKER: Locked<Checker> = Locked::new(Checker::new());

/// Exit status of a program in which errors were found.
const ERRORS_FOUND: i32 = 3;

/// Allocates `size` bytes aligned to `align`. Never returns null. The result is not a
/// malloc block: only [`freehold_check_free`] may free it.
///
/// # Safety
/// `site` is null or describes the operation until [`freehold_check_reset`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_alloc(
    size: u64,
    align: u64,
    site: *const AllocSite,
) -> *mut u8 {
    let pointer = CHECKER.with(|checker| checker.alloc(size, align, site));
    ACCOUNTS.gained(pointer.addr(), size, site);
    pointer
}

/// Frees a buffer of [`freehold_check_alloc`] or one that was registered by
/// [`freehold_check_foreign_result`]. Null does nothing; any other pointer is reported.
///
/// # Safety
/// `site` as for [`freehold_check_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_free(pointer: *mut u8, site: *const AllocSite) {
    match CHECKER.with(|checker| checker.free(pointer, site)) {
        Freed::Own(size) => ACCOUNTS.gave_back(pointer.addr(), size, site),
        Freed::Foreign => ACCOUNTS.freed_foreign(),
        Freed::Nothing => {}
    }
}

/// Reports an access to `size` bytes at `pointer` that touches freed memory or a red zone.
/// It finds out by itself which buffer is meant; where the buffer is known,
/// [`freehold_check_access_in`] finds more.
///
/// # Safety
/// `site` as for [`freehold_check_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_access(
    pointer: *const u8,
    size: u64,
    site: *const AllocSite,
) {
    let address = pointer.addr();
    CHECKER.with(|checker| checker.access(address, address, size, Kind::Access, site));
}

/// Reports an access to `size` bytes at `pointer` if the buffer with the allocated pointer
/// `allocated` is freed or does not contain them all. Buffers we do not know pass.
///
/// # Safety
/// `site` as for [`freehold_check_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_access_in(
    allocated: *const u8,
    pointer: *const u8,
    size: u64,
    is_write: bool,
    site: *const AllocSite,
) {
    let kind = if is_write { Kind::Write } else { Kind::Read };
    CHECKER.with(|checker| checker.access(allocated.addr(), pointer.addr(), size, kind, site));
}

/// Takes note of the memory behind a descriptor of rank `rank` that is passed to a function, for accesses to be
/// checked against, and returns its allocated pointer for [`freehold_check_take_back`].
///
/// # Safety
/// There is such a descriptor; its elements have `element_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_lend(
    descriptor: *const u8,
    rank: i64,
    element_size: u64,
) -> usize {
    // SAFETY: by the caller's promise; a descriptor begins with the allocated pointer.
    let (allocated, low, high) = unsafe {
        let view = View::ranked(rank, descriptor);
        let scaled = |n: i64| n.wrapping_mul(element_size as i64) as isize;
        let first = view.data.addr().wrapping_add_signed(scaled(view.offset));
        let (mut low, mut high) = (first, first.wrapping_add(element_size as usize));
        let mut is_empty = false;
        for dim in 0..rank {
            let size = view.size(dim);
            is_empty |= size <= 0;
            let distance = scaled(size.wrapping_sub(1).wrapping_mul(view.stride(dim)));
            match distance < 0 {
                true => low = low.wrapping_add_signed(distance),
                false => high = high.wrapping_add_signed(distance),
            }
        }
        let (low, high) = if is_empty {
            (first, first)
        } else {
            (low, high)
        };
        (descriptor.cast::<usize>().read_unaligned(), low, high)
    };
    lend(allocated, low, high);
    allocated
}

/// Forgets memory that was passed to a function, which has returned.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_take_back(allocated: usize) {
    take_back(allocated);
}

/// Takes note of memory that is passed to a function: its allocated pointer, and the addresses of the first byte and
/// of the one behind the last.
pub fn lend(allocated: usize, low: usize, high: usize) {
    CHECKER.with(|checker| checker.lend(allocated, low, high));
}

/// Undoes one [`lend`].
pub fn take_back(allocated: usize) {
    CHECKER.with(|checker| checker.take_back(allocated));
}

/// A transfer begins that goes on with the buffer at `low`, up to `high` if it has no gaps, else `high` is `low`. Returns
/// what the program is to have instead of the handle.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_request_begin(
    handle: u64,
    low: usize,
    high: usize,
    is_written: i32,
) -> u64 {
    CHECKER.with(|checker| checker.begin_request(handle, low, high, is_written != 0))
}

/// The program waits for a transfer: the handle that MPI knows it by. Ends the program if it has waited before.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_request_end(token: u64) -> u64 {
    match CHECKER.with(|checker| checker.end_request(token)) {
        Some(handle) => handle,
        None => crate::output::fail("a request is waited for that there is not, or not any more"),
    }
}

/// Checks and registers a buffer that an external function returned: it must be a fresh malloc
/// block, which the program then has to free exactly once. Null is ignored.
///
/// # Safety
/// `site` as for [`freehold_check_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_check_foreign_result(allocated: *mut u8, site: *const AllocSite) {
    CHECKER.with(|checker| checker.foreign_result(allocated, site));
}

/// Frees the buffer at `address`, which a program has returned to whoever runs it, unless it is freed
/// already or was never allocated (results may share a buffer, and a global need not be copied).
pub fn free_result(address: usize) {
    let pointer = core::ptr::with_exposed_provenance_mut(address);
    let site = core::ptr::null();
    if CHECKER.with(|checker| checker.is_live(pointer)) {
        // SAFETY: null describes no operation.
        unsafe { freehold_check_free(pointer, site) };
    }
}

/// Reports leaks and what else has not been noticed so far, then the number of errors.
/// Returns 0 if there were none and 3 otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_report() -> i32 {
    if CHECKER.with(Checker::report) {
        0
    } else {
        ERRORS_FOUND
    }
}

/// Whether the running program was found to misuse memory. Handlers of signals may ask.
pub fn found_errors() -> bool {
    report::ERRORS_FOUND.load(Ordering::Relaxed)
}

/// How many bytes of freed memory to hold on to; the default is 64 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_set_quarantine(bytes: u64) {
    CHECKER.with(|checker| {
        checker.quarantine_limit = bytes;
        checker.trim_quarantine();
    });
}

/// Forgets all buffers and errors, for a process that runs one program after another.
/// Call it before the memory that holds the program's [`AllocSite`]s goes away.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_check_reset() {
    CHECKER.with(Checker::reset);
    report::ERRORS_FOUND.store(false, Ordering::Relaxed);
}
