//! Parallel loops on a pool of threads.
//!
//! The thread that reaches a loop works on it together with those of the pool,
//! which sleep in between. Parts of the range are handed out in order, several
//! per thread, so that parts of different cost even out. One loop runs at a
//! time: a loop inside of another one, or on another thread of the program,
//! is run by the thread that reaches it alone.
//!
//! The program that compiled code is part of may set how many threads there are, and may run loops on its own
//! ones instead ([`freehold_set_threads`], [`freehold_set_pool`]).

use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::hint::spin_loop;
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering};

use crate::sys;

/// Runs the iterations from the second to the third argument; the first is for the function.
type Body = unsafe extern "C" fn(*const c_void, i64, i64);

/// `sem_t` of C libraries for 64-bit Linux; others have no larger one.
#[repr(C, align(16))]
struct Semaphore(UnsafeCell<[u64; 8]>);

// SAFETY: semaphores are made for being used from several threads.
unsafe impl Sync for Semaphore {}

unsafe extern "C" {
    fn sem_init(semaphore: *mut c_void, shared: c_int, value: u32) -> c_int;
    fn sem_post(semaphore: *mut c_void) -> c_int;
    fn sem_wait(semaphore: *mut c_void) -> c_int;
    fn sem_trywait(semaphore: *mut c_void) -> c_int;
}

impl Semaphore {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; 8]))
    }

    fn init(&self) -> bool {
        // SAFETY: the memory is large enough, and the semaphore is not used yet.
        unsafe { sem_init(self.0.get().cast(), 0, 0) == 0 }
    }

    fn post(&self) {
        // SAFETY: the semaphore is initialized before any thread knows of it.
        unsafe { sem_post(self.0.get().cast()) };
    }

    fn wait(&self) {
        // SAFETY: as above. A wait that a signal interrupts is repeated.
        while unsafe { sem_wait(self.0.get().cast()) } != 0 {}
    }

    /// Takes one, if there is one.
    fn try_wait(&self) -> bool {
        // SAFETY: as above.
        unsafe { sem_trywait(self.0.get().cast()) == 0 }
    }

    /// Waits for what most often comes soon: sleeping and waking takes longer than a short loop.
    fn wait_soon(&self) {
        let mut i = 0;
        while i < SPINS {
            if self.try_wait() {
                return;
            }
            spin_loop();
            i += 1;
        }
        self.wait();
    }
}

/// How often a thread looks again before it sleeps: some 10 us.
const SPINS: u32 = 200;

/// The loop that runs at the moment.
struct Loop {
    body: Option<Body>,
    context: *const c_void,
    end: i64,
    part: i64,
}

struct Pool {
    /// Whether some thread uses everything below.
    busy: AtomicBool,
    /// Where the next part begins.
    next: AtomicI64,
    /// Posted once per thread of the pool that is to work.
    start: Semaphore,
    /// Posted by each of these when nothing is left.
    done: Semaphore,
    current: UnsafeCell<Loop>,
    /// Threads of the pool; negative before the semaphores are made.
    threads: UnsafeCell<i64>,
}

// SAFETY: `current` and `threads` are written by the thread that set `busy` only, and read by those
// that it wakes; the semaphores order these accesses.
unsafe impl Sync for Pool {}

static POOL: Pool = Pool {
    busy: AtomicBool::new(false),
    next: AtomicI64::new(0),
    start: Semaphore::new(),
    done: Semaphore::new(),
    current: UnsafeCell::new(Loop {
        body: None,
        context: ptr::null(),
        end: 0,
        part: 1,
    }),
    threads: UnsafeCell::new(-1),
};

impl Pool {
    /// Works on the current loop until all parts are taken.
    fn work(&self) {
        // SAFETY: the loop is never written while threads work on it.
        let current = unsafe { &*self.current.get() };
        let Some(body) = current.body else { return };
        loop {
            let begin = self.next.fetch_add(current.part, Ordering::Relaxed);
            // Past the end the counter goes on by one part per thread, far from overflow.
            if begin >= current.end {
                return;
            }
            let end = match current.end.wrapping_sub(begin) < current.part {
                true => current.end,
                false => begin.wrapping_add(current.part),
            };
            // SAFETY: the caller of `freehold_parallel` vouches for function and argument.
            unsafe { body(current.context, begin, end) };
        }
    }

    /// Makes threads until there are `wanted`, or the system has no more; returns how many of them
    /// to use. The caller has set `busy`.
    fn grow(&self, wanted: i64) -> i64 {
        // SAFETY: `busy` keeps other threads away.
        let threads = unsafe { &mut *self.threads.get() };
        if *threads < 0 {
            if !self.start.init() || !self.done.init() {
                return 0;
            }
            *threads = 0;
        }
        while *threads < wanted && sys::start_thread(worker) {
            *threads = threads.wrapping_add(1);
        }
        if *threads < wanted { *threads } else { wanted }
    }
}

extern "C" fn worker(_: *mut c_void) -> *mut c_void {
    loop {
        POOL.start.wait_soon();
        POOL.work();
        POOL.done.post();
    }
}

/// A thread pool of the host: calls the function with parts that make up the range, on as many threads as the last
/// argument says at most, and returns when all are done. The first argument is its own.
type HostPool = unsafe extern "C" fn(*mut c_void, Body, *const c_void, i64, i64, i64);

/// The setting of the program, instead of the one that loops were compiled for.
struct Host {
    /// Zero if nothing is set.
    threads: AtomicI64,
    /// A [`HostPool`], or null.
    pool: AtomicPtr<c_void>,
    /// The first argument of that.
    data: AtomicPtr<c_void>,
}

static HOST: Host = Host {
    threads: AtomicI64::new(0),
    pool: AtomicPtr::new(ptr::null_mut()),
    data: AtomicPtr::new(ptr::null_mut()),
};

/// Lets loops run on at most `threads` threads, the one that reaches them among these; zero or less lets them run
/// on as many as they were compiled for. Threads that were made stay, asleep.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_set_threads(threads: i64) {
    HOST.threads.store(threads, Ordering::Relaxed);
}

/// Lets `pool` run loops, or the threads of this module if it is null.
///
/// # Safety
/// No loop runs meanwhile. Until another pool is set, `pool` may be called with `data`, from any threads and from
/// inside of its own work, and does what `HostPool` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_set_pool(pool: Option<HostPool>, data: *mut c_void) {
    let pool = pool.map_or(ptr::null_mut(), |pool| pool as *mut c_void);
    HOST.data.store(data, Ordering::Relaxed);
    HOST.pool.store(pool, Ordering::Release);
}

impl Host {
    /// The number of threads for a loop that was compiled for `threads`.
    fn threads(&self, threads: i64) -> i64 {
        match self.threads.load(Ordering::Relaxed) {
            set if set > 0 => set,
            _ => threads,
        }
    }

    fn pool(&self) -> Option<HostPool> {
        let pool = self.pool.load(Ordering::Acquire);
        // SAFETY: null, which is `None`, or made of such a function.
        unsafe { mem::transmute::<*mut c_void, Option<HostPool>>(pool) }
    }
}

/// The number of threads for bodies that were compiled for `threads`: one if the host has its own pool, which only
/// knows loops.
pub(crate) fn threads_of_pool(threads: i64) -> i64 {
    match HOST.pool() {
        Some(_) => 1,
        None => HOST.threads(threads),
    }
}

/// Parts per thread: bounds what the others wait for the last one to a quarter of its share, at four
/// exchanges of a counter per thread (rows `parallel ...` of benches/results).
const PARTS: i64 = 4;

/// Calls `body` with parts of the range from `begin` to `end` on up to `threads` threads, and returns
/// when all of it is done.
///
/// # Safety
/// Any thread may call `body` with `context` for any part of the range until this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_parallel(
    body: Body,
    context: *const c_void,
    begin: i64,
    end: i64,
    threads: i64,
) {
    let count = end.wrapping_sub(begin);
    if count <= 0 {
        return;
    }
    let threads = HOST.threads(threads);
    if threads > 1
        && count > 1
        && let Some(pool) = HOST.pool()
    {
        let data = HOST.data.load(Ordering::Relaxed);
        // SAFETY: by the promises of the caller and of who set it.
        unsafe { pool(data, body, context, begin, end, threads) };
        return;
    }
    if threads <= 1 || count == 1 || POOL.busy.swap(true, Ordering::Acquire) {
        // SAFETY: by the promise of the caller.
        unsafe { body(context, begin, end) };
        return;
    }
    let wanted = if count < threads { count } else { threads };
    let helpers = POOL.grow(wanted.wrapping_sub(1));
    let part = count.checked_div(wanted.wrapping_mul(PARTS)).unwrap_or(1);
    // SAFETY: `busy` keeps other loops away, and the threads of the pool sleep.
    unsafe {
        *POOL.current.get() = Loop {
            body: Some(body),
            context,
            end,
            part: if part < 1 { 1 } else { part },
        };
    }
    POOL.next.store(begin, Ordering::Relaxed);
    let mut i = 0;
    while i < helpers {
        POOL.start.post();
        i += 1;
    }
    POOL.work();
    // Threads that have not woken up yet need not: nothing is left.
    while i > 0 && POOL.start.try_wait() {
        i -= 1;
    }
    while i > 0 {
        POOL.done.wait_soon();
        i -= 1;
    }
    POOL.busy.store(false, Ordering::Release);
}
