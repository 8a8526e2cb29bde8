//! What the runtime asks of the C library and of the operating system, and the
//! lock built on top of it.
//!
//! The functions are declared by hand because the crate is also compiled alone,
//! by a bare `rustc --emit obj`, where no `libc` crate exists. Everything the
//! runtime keeps for itself comes from [`map_zeroed`], never from `malloc`: the
//! bookkeeping must not show up in the numbers it reports, nor disturb the heap
//! of the program it watches.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int, c_long, c_void};
use core::hint;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

/// The opaque `FILE` of C stdio.
#[repr(C)]
pub(crate) struct File {
    private: [u8; 0],
}

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: c_long,
}

unsafe extern "C" {
    pub(crate) fn malloc(size: usize) -> *mut u8;
    pub(crate) fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
    pub(crate) fn free(pointer: *mut u8);
    pub(crate) fn abort() -> !;
    pub(crate) fn strlen(text: *const c_char) -> usize;
    pub(crate) fn realpath(path: *const c_char, resolved: *mut c_char) -> *mut c_char;
    pub(crate) fn exit(status: c_int) -> !;
    pub(crate) fn fwrite(data: *const u8, size: usize, count: usize, stream: *mut File) -> usize;
    pub(crate) fn fputs(text: *const c_char, stream: *mut File) -> c_int;
    pub(crate) fn fprintf(stream: *mut File, format: *const c_char, ...) -> c_int;
    pub(crate) fn fflush(stream: *mut File) -> c_int;
    pub(crate) fn snprintf(buffer: *mut u8, size: usize, format: *const c_char, ...) -> c_int;
    pub(crate) fn strtod(text: *const c_char, end: *mut *mut c_char) -> f64;
    pub(crate) fn strtof(text: *const c_char, end: *mut *mut c_char) -> f32;
    pub(crate) fn fopen(path: *const c_char, mode: *const c_char) -> *mut File;
    pub(crate) fn fread(data: *mut u8, size: usize, count: usize, stream: *mut File) -> usize;
    pub(crate) fn ferror(stream: *mut File) -> c_int;
    pub(crate) fn fclose(stream: *mut File) -> c_int;
    fn strerror(error: c_int) -> *const c_char;
    #[cfg_attr(target_vendor = "apple", link_name = "__error")]
    fn __errno_location() -> *mut c_int;
    fn mmap(
        address: *mut u8,
        length: usize,
        protection: c_int,
        flags: c_int,
        descriptor: c_int,
        offset: i64,
    ) -> *mut u8;
    fn munmap(address: *mut u8, length: usize) -> c_int;
    fn pthread_create(
        thread: *mut u64,
        attributes: *const c_void,
        start: extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> c_int;
    fn pthread_detach(thread: u64) -> c_int;
    fn sched_yield() -> c_int;
    fn clock_gettime(clock: c_int, out: *mut TimeSpec) -> c_int;
    #[cfg_attr(target_vendor = "apple", link_name = "__stdoutp")]
    static stdout: *mut File;
    #[cfg_attr(target_vendor = "apple", link_name = "__stderrp")]
    static stderr: *mut File;
}

const PROT_READ_WRITE: c_int = 3;
#[cfg(not(target_vendor = "apple"))]
const MAP_PRIVATE_ANONYMOUS: c_int = 0x22;
#[cfg(target_vendor = "apple")]
const MAP_PRIVATE_ANONYMOUS: c_int = 0x1002;
const CLOCK_REALTIME: c_int = 0;
#[cfg(not(target_vendor = "apple"))]
const CLOCK_MONOTONIC: c_int = 1;
#[cfg(target_vendor = "apple")]
const CLOCK_MONOTONIC: c_int = 6;

/// Starts a detached thread; returns whether there is one.
pub(crate) fn start_thread(start: extern "C" fn(*mut c_void) -> *mut c_void) -> bool {
    let mut thread = 0;
    // SAFETY: the function is one for threads, and `thread` holds a `pthread_t`.
    unsafe {
        let is_made = pthread_create(&mut thread, ptr::null(), start, ptr::null_mut()) == 0;
        if is_made {
            pthread_detach(thread);
        }
        is_made
    }
}

/// C's standard output.
pub(crate) fn standard_output() -> *mut File {
    // SAFETY: the C library initializes the variable before any code of ours runs.
    unsafe { stdout }
}

/// C's standard error.
pub(crate) fn standard_error() -> *mut File {
    // SAFETY: the C library initializes the variable before any code of ours runs.
    unsafe { stderr }
}

/// What the C library says of the last of its functions that failed.
pub(crate) fn last_error() -> *const c_char {
    // SAFETY: both take and return what the C library has for this thread.
    unsafe { strerror(*__errno_location()) }
}

/// Zeroed pages of at least `length` bytes, or null if the system has none left.
pub(crate) fn map_zeroed(length: usize) -> *mut u8 {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice touches nothing.
    let pages = unsafe {
        mmap(
            ptr::null_mut(),
            length,
            PROT_READ_WRITE,
            MAP_PRIVATE_ANONYMOUS,
            -1,
            0,
        )
    };
    if pages.addr() == usize::MAX {
        ptr::null_mut()
    } else {
        pages
    }
}

/// Gives back pages obtained from [`map_zeroed`].
///
/// # Safety
/// `pages` and `length` are those of one earlier call, and nothing points into them any more.
pub(crate) unsafe fn unmap(pages: *mut u8, length: usize) {
    if !pages.is_null() {
        // SAFETY: by the caller's promise this unmaps exactly one unused mapping.
        unsafe { munmap(pages, length) };
    }
}

fn nanoseconds(clock: c_int) -> u64 {
    let mut now = TimeSpec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: `now` is a valid `struct timespec` of a 64-bit target.
    unsafe { clock_gettime(clock, &mut now) };
    (now.seconds as u64)
        .wrapping_mul(1_000_000_000)
        .wrapping_add(now.nanoseconds as u64)
}

/// Nanoseconds of a clock that never goes backwards.
pub(crate) fn monotonic_nanoseconds() -> u64 {
    nanoseconds(CLOCK_MONOTONIC)
}

/// Nanoseconds since the Unix epoch.
pub(crate) fn wall_clock_nanoseconds() -> u64 {
    nanoseconds(CLOCK_REALTIME)
}

/// A value behind a spin lock that yields the processor while it waits. Critical
/// sections are a few table operations, and a lock in a static needs no set-up call.
pub(crate) struct Locked<T> {
    busy: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: `with` hands out the value to one thread at a time. `T` may hold raw pointers; all of
// those point to mappings the value owns or to the caller's constant data.
unsafe impl<T> Sync for Locked<T> {}

impl<T> Locked<T> {
    pub(crate) const fn new(value: T) -> Self {
        Locked {
            busy: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// Runs `action` with the lock held. Not reentrant.
    #[inline]
    pub(crate) fn with<R>(&self, action: impl FnOnce(&mut T) -> R) -> R {
        let mut spins = 0u32;
        while self.busy.swap(true, Ordering::Acquire) {
            while self.busy.load(Ordering::Relaxed) {
                spins = spins.wrapping_add(1);
                if spins & 63 == 0 {
                    // SAFETY: `sched_yield` has no preconditions.
                    unsafe { sched_yield() };
                }
                hint::spin_loop();
            }
        }
        // SAFETY: `busy` was false and is now true, so no other thread is between these lines.
        let result = action(unsafe { &mut *self.value.get() });
        self.busy.store(false, Ordering::Release);
        result
    }
}

/// Scrambles an address so that its low bits depend on all of it (the finalizer of splitmix64).
#[inline]
pub(crate) fn mix(address: u64) -> u64 {
    let x = (address ^ (address >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
