//! Bodies of `async.execute` on a pool of threads.
//!
//! Whoever starts a body goes on; a thread of the pool runs it, or the first waiter that finds it not begun.
//! So a thread that waits never waits for something that only it could do: it runs the body itself or waits for one that
//! another thread runs, and who is waited for by whom goes round in no circle, as a body can only wait for what was there
//! before it. Which body adds to a group that is not full is unknown: while a thread waits for one, the pool has one more
//! for every thread that waits for anything. If all of them wait nevertheless, nothing will ever be added, and the program
//! ends.
//!
//! Bodies that wait to be run are bounded: one more runs where it is started, which is what happens to all of them with one
//! thread. In programs whose bodies wait for groups of others, what follows there may be what they wait for: there the
//! queue grows.
//!
//! A token is the place of a body and how often that place was used before. It stays valid when the body has run and the
//! place is used by another one; zero stands for a body that has run. A group is memory of the program (`Group`).
//! Everything is kept in pages of the system, under one lock.

use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::hint::spin_loop;
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::output::Output;
use crate::parallel;
use crate::runner::freehold_assert_failed;
use crate::sys;

/// Runs a body; the argument is a copy of what it uses.
type Body = unsafe extern "C" fn(*const c_void);

/// `pthread_mutex_t` and `pthread_cond_t`: no C library has larger ones on 64-bit systems.
#[repr(C, align(16))]
struct Opaque(UnsafeCell<[u64; 8]>);

// SAFETY: both are made for being used from several threads.
unsafe impl Sync for Opaque {}

impl Opaque {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; 8]))
    }

    fn pointer(&self) -> *mut c_void {
        self.0.get().cast()
    }
}

unsafe extern "C" {
    fn pthread_mutex_init(mutex: *mut c_void, attributes: *const c_void) -> c_int;
    fn pthread_mutex_lock(mutex: *mut c_void) -> c_int;
    fn pthread_mutex_unlock(mutex: *mut c_void) -> c_int;
    fn pthread_cond_init(condition: *mut c_void, attributes: *const c_void) -> c_int;
    fn pthread_cond_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int;
    fn pthread_cond_signal(condition: *mut c_void) -> c_int;
    fn pthread_cond_broadcast(condition: *mut c_void) -> c_int;
    fn pthread_self() -> u64;
}

/// Bytes of a place, its arguments included; places are aligned to it.
const PLACE_BYTES: usize = 1 << PLACE_SHIFT;
const PLACE_SHIFT: u32 = 11;
/// Bits of a token that count how often a place was used: those that addresses of places leave.
const COUNT_BITS: u32 = 27;
/// Places that are made at once.
const PLACES: usize = 32;
/// Bodies that wait to be run at most: bounds memory to 512 KB, and is far more than a machine has cores.
const MAX_QUEUED: usize = 256;
/// Bodies that run on top of those that wait for them at most: bounds stacks.
const MAX_ON_TOP: usize = 256;
/// Bytes of arguments that fit in a place.
const ARGUMENT_BYTES: usize = PLACE_BYTES.wrapping_sub(mem::size_of::<Place>());

/// Where a body is kept until it has run; its arguments follow.
#[repr(C, align(16))]
struct Place {
    body: Option<Body>,
    /// Its arguments.
    arguments: *mut u8,
    /// The size of pages that they have for themselves.
    mapped: usize,
    /// The group that it is counted in, or null.
    group: *mut Group,
    /// Neighbours in the queue; the next free place.
    next: *mut Place,
    previous: *mut Place,
    /// How often this place was used; a token is out of date if it has another number.
    count: u64,
    is_queued: bool,
}

/// A group, in memory of the program: four words.
#[repr(C)]
struct Group {
    /// How many are to be added.
    size: i64,
    /// How many were.
    added: i64,
    /// How many of these have not ended.
    pending: i64,
    /// The thread that made it.
    maker: u64,
}

/// A thread that waits, for a body or for a group.
struct Waiter {
    thread: u64,
    place: *mut Place,
    /// The number of times that `place` was used when the body was started.
    count: u64,
    /// Null if it waits for a body.
    group: *mut Group,
    /// Whether it runs a body meanwhile.
    runs: bool,
    next: *mut Waiter,
}

impl Waiter {
    fn new(place: *mut Place, count: u64, group: *mut Group) -> Self {
        Self {
            thread: this_thread(),
            place,
            count,
            group,
            runs: false,
            next: ptr::null_mut(),
        }
    }

    /// Whether what it waits for is there.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn is_done(&self) -> bool {
        // SAFETY: places stay where they are, and a group does as long as it has a waiter.
        unsafe {
            match self.group.is_null() {
                true => (*self.place).count != self.count,
                false => self.is_full() && (*self.group).pending <= 0,
            }
        }
    }

    /// Whether it does not wait for an addition to a group.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn is_full(&self) -> bool {
        // SAFETY: as above.
        unsafe { self.group.is_null() || (*self.group).added >= (*self.group).size }
    }
}

/// A thread of the pool.
struct Worker {
    thread: u64,
    next: *mut Worker,
}

fn this_thread() -> u64 {
    // SAFETY: it has no preconditions.
    unsafe { pthread_self() }
}

/// What the lock protects.
struct State {
    first: *mut Place,
    last: *mut Place,
    n_queued: usize,
    free: *mut Place,
    /// Threads of the pool, and how many of them programs asked for.
    n_threads: i64,
    n_wanted: i64,
    /// The threads of the pool that have begun, and how many of them have nothing to do.
    workers: *mut Worker,
    n_idle: i64,
    /// Who waits for a body or a group.
    waiters: *mut Waiter,
    /// Threads that sleep for that, and those of them that wait for what no thread might be left for.
    n_waiting: i64,
    n_stuck: i64,
    /// Bodies that run on top of what waits for them.
    n_on_top: usize,
}

struct Pool {
    /// 0: the lock is to be made; 1: a thread makes it; 2: it is there; 3: it cannot be.
    made: AtomicU32,
    lock: Opaque,
    /// Signalled when a body waits to be run.
    work: Opaque,
    /// Signalled when a body has ended, or a group has grown.
    progress: Opaque,
    state: UnsafeCell<State>,
}

// SAFETY: `state` is used by who holds the lock only.
unsafe impl Sync for Pool {}

static POOL: Pool = Pool {
    made: AtomicU32::new(0),
    lock: Opaque::new(),
    work: Opaque::new(),
    progress: Opaque::new(),
    state: UnsafeCell::new(State {
        first: ptr::null_mut(),
        last: ptr::null_mut(),
        n_queued: 0,
        free: ptr::null_mut(),
        n_threads: 0,
        n_wanted: 0,
        workers: ptr::null_mut(),
        n_idle: 0,
        waiters: ptr::null_mut(),
        n_waiting: 0,
        n_stuck: 0,
        n_on_top: 0,
    }),
};

impl Pool {
    /// Makes the lock; returns whether there is one.
    fn is_made(&self) -> bool {
        loop {
            match self.made.load(Ordering::Acquire) {
                0 => {
                    let exchanged =
                        (self.made).compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire);
                    if exchanged.is_err() {
                        continue;
                    }
                    // SAFETY: the memory is large enough, and is not in use yet.
                    let failed = unsafe {
                        pthread_mutex_init(self.lock.pointer(), ptr::null())
                            | pthread_cond_init(self.work.pointer(), ptr::null())
                            | pthread_cond_init(self.progress.pointer(), ptr::null())
                    };
                    let outcome = if failed == 0 { 2 } else { 3 };
                    self.made.store(outcome, Ordering::Release);
                }
                1 => spin_loop(),
                2 => return true,
                _ => return false,
            }
        }
    }

    fn lock(&self) {
        // SAFETY: it was made.
        unsafe { pthread_mutex_lock(self.lock.pointer()) };
    }

    fn unlock(&self) {
        // SAFETY: this thread holds it.
        unsafe { pthread_mutex_unlock(self.lock.pointer()) };
    }

    /// Waits until what `waiter` waits for is there. The caller holds the lock, and does so again afterwards.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn wait(&self, waiter: &mut Waiter) {
        // SAFETY: by the caller's promise, also for what is done after waiting. Others read `waiter` while it is listed.
        unsafe {
            let state = self.state.get();
            let waiter = ptr::from_mut(waiter);
            (*waiter).next = (*state).waiters;
            (*state).waiters = waiter;
            while !(*waiter).is_done() {
                let place = self.queued_for(&*waiter);
                if place.is_null() {
                    self.sleep(waiter, !(*waiter).is_full());
                } else if (*state).n_on_top < MAX_ON_TOP {
                    self.run_on_top(waiter, place);
                } else {
                    self.sleep(waiter, true);
                }
            }
            let mut link = &raw mut (*state).waiters;
            while *link != waiter {
                link = &raw mut (**link).next;
            }
            *link = (*waiter).next;
        }
    }

    /// A body that has not begun and that `waiter` waits for, or null.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn queued_for(&self, waiter: &Waiter) -> *mut Place {
        // SAFETY: by the caller's promise.
        unsafe {
            if waiter.group.is_null() {
                return match (*waiter.place).is_queued {
                    true => waiter.place,
                    false => ptr::null_mut(),
                };
            }
            if !waiter.is_full() {
                return ptr::null_mut();
            }
            let mut place = (*self.state.get()).first;
            while !place.is_null() && (*place).group != waiter.group {
                place = (*place).next;
            }
            place
        }
    }

    /// Runs a body from the queue on the stack of a thread that waits.
    ///
    /// # Safety
    /// The caller holds the lock before and after.
    unsafe fn run_on_top(&self, waiter: *mut Waiter, place: *mut Place) {
        // SAFETY: by the caller's promise.
        unsafe {
            let state = self.state.get();
            (*waiter).runs = true;
            (*state).n_on_top = (*state).n_on_top.wrapping_add(1);
            self.dequeue(place);
            self.run(place);
            (*state).n_on_top = (*state).n_on_top.wrapping_sub(1);
            (*waiter).runs = false;
        }
    }

    /// Sleeps until there is progress. A thread `is_stuck` if it waits for bodies that it cannot name, or may not run:
    /// other threads run them, and if there are none this one runs the first instead of sleeping.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn sleep(&self, waiter: *mut Waiter, is_stuck: bool) {
        // SAFETY: by the caller's promise, also for what is done after waiting.
        unsafe {
            let state = self.state.get();
            let stuck = i64::from(is_stuck);
            (*state).n_waiting = (*state).n_waiting.wrapping_add(1);
            (*state).n_stuck = (*state).n_stuck.wrapping_add(stuck);
            let first = (*state).first;
            if (*state).n_stuck == 0 || self.grow() || first.is_null() {
                self.end_if_all_wait();
                pthread_cond_wait(self.progress.pointer(), self.lock.pointer());
            } else {
                self.run_on_top(waiter, first);
            }
            (*state).n_waiting = (*state).n_waiting.wrapping_sub(1);
            (*state).n_stuck = (*state).n_stuck.wrapping_sub(stuck);
        }
    }

    /// Ends the program if no thread is left that could add to the groups that are waited for.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn end_if_all_wait(&self) {
        // SAFETY: by the caller's promise; who waits and who works is listed while it does.
        unsafe {
            let state = self.state.get();
            if !(*state).first.is_null() || (*state).n_stuck == 0 {
                return;
            }
            let mut n_waiting = 0_i64;
            let mut worker = (*state).workers;
            while !worker.is_null() {
                n_waiting = n_waiting.wrapping_add(i64::from(self.waits((*worker).thread)));
                worker = (*worker).next;
            }
            // Threads that were made and have not begun yet look at this when they have.
            if (*state).n_idle.wrapping_add(n_waiting) < (*state).n_threads {
                return;
            }
            let mut is_stuck = false;
            let mut waiter = (*state).waiters;
            while !waiter.is_null() {
                let is_free = match (*waiter).runs {
                    true => !self.waits((*waiter).thread),
                    false if (*waiter).is_full() => (*waiter).is_done(),
                    false => {
                        is_stuck = true;
                        self.may_add((*(*waiter).group).maker)
                    }
                };
                if is_free {
                    return;
                }
                waiter = (*waiter).next;
            }
            if is_stuck {
                freehold_assert_failed(NOT_FULL.as_ptr(), NOT_FULL.len() as u64, ptr::null());
            }
        }
    }

    /// Whether a thread sleeps until there is progress.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn waits(&self, thread: u64) -> bool {
        // SAFETY: by the caller's promise.
        unsafe {
            let mut waiter = (*self.state.get()).waiters;
            while !waiter.is_null() {
                if (*waiter).thread == thread && !(*waiter).runs {
                    return true;
                }
                waiter = (*waiter).next;
            }
            false
        }
    }

    /// Whether the thread that made a group may still add to it, if all of the pool wait or have nothing to do.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn may_add(&self, thread: u64) -> bool {
        // SAFETY: by the caller's promise.
        unsafe {
            let mut worker = (*self.state.get()).workers;
            while !worker.is_null() && (*worker).thread != thread {
                worker = (*worker).next;
            }
            worker.is_null() && !self.waits(thread)
        }
    }

    /// Wakes those that wait for progress.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn announce_progress(&self) {
        // SAFETY: by the caller's promise.
        unsafe {
            if (*self.state.get()).n_waiting > 0 {
                pthread_cond_broadcast(self.progress.pointer());
            }
        }
    }

    /// A free place, or null if there is no memory.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn take_place(&self) -> *mut Place {
        // SAFETY: by the caller's promise; places lie side by side in pages that are never given back.
        unsafe {
            let state = self.state.get();
            if (*state).free.is_null() {
                let pages = sys::map_zeroed(PLACE_BYTES.wrapping_mul(PLACES));
                if pages.is_null() {
                    return ptr::null_mut();
                }
                let mut i = 0;
                while i < PLACES {
                    let place = pages.add(PLACE_BYTES.wrapping_mul(i)).cast::<Place>();
                    (*place).next = (*state).free;
                    (*state).free = place;
                    i = i.wrapping_add(1);
                }
            }
            let place = (*state).free;
            (*state).free = (*place).next;
            place
        }
    }

    /// Makes threads until there are as many as programs asked for, besides those that wait while one is stuck; returns
    /// whether there are.
    ///
    /// # Safety
    /// The caller holds the lock.
    unsafe fn grow(&self) -> bool {
        // SAFETY: by the caller's promise.
        unsafe {
            let state = self.state.get();
            let n_waiting = if (*state).n_stuck > 0 {
                (*state).n_waiting
            } else {
                0
            };
            let wanted = (*state).n_wanted.wrapping_add(n_waiting);
            while (*state).n_threads < wanted && sys::start_thread(worker) {
                (*state).n_threads = (*state).n_threads.wrapping_add(1);
            }
            (*state).n_threads >= wanted
        }
    }

    /// Puts a body with a copy of its arguments at the end of the queue, as one of a group if that is not null; returns
    /// its token, or zero if there is no memory for it.
    ///
    /// # Safety
    /// The caller holds the lock, and any thread may run the body.
    unsafe fn enqueue(
        &self,
        body: Body,
        arguments: *const u8,
        bytes: usize,
        group: *mut Group,
    ) -> i64 {
        // SAFETY: by the caller's promise.
        unsafe {
            let state = self.state.get();
            let place = self.take_place();
            if place.is_null() {
                return 0;
            }
            (*place).mapped = 0;
            (*place).arguments = place.cast::<u8>().add(mem::size_of::<Place>());
            if bytes > ARGUMENT_BYTES {
                (*place).mapped = bytes;
                (*place).arguments = sys::map_zeroed(bytes);
            }
            if (*place).arguments.is_null() {
                (*place).next = (*state).free;
                (*state).free = place;
                return 0;
            }
            ptr::copy_nonoverlapping(arguments, (*place).arguments, bytes);
            (*place).body = Some(body);
            (*place).group = group;
            (*place).is_queued = true;
            (*place).next = ptr::null_mut();
            (*place).previous = (*state).last;
            match (*state).last.is_null() {
                true => (*state).first = place,
                false => (*(*state).last).next = place,
            }
            (*state).last = place;
            (*state).n_queued = (*state).n_queued.wrapping_add(1);
            pthread_cond_signal(self.work.pointer());
            token(place, (*place).count)
        }
    }

    /// Takes a body out of the queue, to be run.
    ///
    /// # Safety
    /// The caller holds the lock, and the place is in the queue.
    unsafe fn dequeue(&self, place: *mut Place) {
        // SAFETY: by the caller's promise.
        unsafe {
            let state = self.state.get();
            let (next, previous) = ((*place).next, (*place).previous);
            match previous.is_null() {
                true => (*state).first = next,
                false => (*previous).next = next,
            }
            match next.is_null() {
                true => (*state).last = previous,
                false => (*next).previous = previous,
            }
            (*place).is_queued = false;
            (*state).n_queued = (*state).n_queued.wrapping_sub(1);
        }
    }

    /// Runs a body that was taken out of the queue. The caller holds the lock before and after.
    ///
    /// # Safety
    /// The caller holds the lock, and only it knows that the body is to be run.
    unsafe fn run(&self, place: *mut Place) {
        // SAFETY: by the caller's promise, and that of whoever started the body.
        unsafe {
            let (body, arguments, mapped) = ((*place).body, (*place).arguments, (*place).mapped);
            self.unlock();
            if let Some(body) = body {
                body(arguments.cast());
            }
            if mapped > 0 {
                sys::unmap(arguments, mapped);
            }
            self.lock();
            let group = (*place).group;
            if !group.is_null() {
                (*group).pending = (*group).pending.wrapping_sub(1);
            }
            let state = self.state.get();
            (*place).count = next_count((*place).count);
            (*place).next = (*state).free;
            (*state).free = place;
            self.announce_progress();
        }
    }
}

/// The number after this one, in the bits that tokens have for it.
fn next_count(count: u64) -> u64 {
    count.wrapping_add(1) & ((1 << COUNT_BITS) - 1)
}

fn token(place: *mut Place, count: u64) -> i64 {
    let address = place.expose_provenance() as u64;
    ((address >> PLACE_SHIFT) << COUNT_BITS | count) as i64
}

/// The place and the count of a token that is not zero.
fn place_of(token: i64) -> (*mut Place, u64) {
    let token = token as u64;
    let address = (token >> COUNT_BITS) << PLACE_SHIFT;
    let place = ptr::with_exposed_provenance_mut(address as usize);
    (place, token & ((1 << COUNT_BITS) - 1))
}

extern "C" fn worker(_: *mut c_void) -> *mut c_void {
    POOL.lock();
    // SAFETY: the lock is held wherever the functions ask for it, and the thread never ends.
    unsafe {
        let state = POOL.state.get();
        let mut worker = Worker {
            thread: this_thread(),
            next: (*state).workers,
        };
        (*state).workers = &raw mut worker;
        loop {
            let place = (*state).first;
            if place.is_null() {
                (*state).n_idle = (*state).n_idle.wrapping_add(1);
                POOL.end_if_all_wait();
                pthread_cond_wait(POOL.work.pointer(), POOL.lock.pointer());
                (*state).n_idle = (*state).n_idle.wrapping_sub(1);
            } else {
                POOL.dequeue(place);
                POOL.run(place);
            }
        }
    }
}

/// Starts `body` with a copy of `size` bytes of arguments, on up to `threads` threads; returns its token. It runs before
/// this returns if too many others wait to be run, unless it `may_wait` for what the caller does afterwards.
///
/// # Safety
/// Any thread may call `body` with such a copy until the token has been waited for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_async_start(
    body: Body,
    arguments: *const c_void,
    size: i64,
    threads: i64,
    may_wait: i64,
) -> i64 {
    // SAFETY: by the caller's promise; the lock is held wherever the functions ask for it.
    unsafe {
        let threads = parallel::threads_of_pool(threads);
        if threads > 1 && POOL.is_made() {
            POOL.lock();
            let state = POOL.state.get();
            (*state).n_wanted = (*state).n_wanted.max(threads.wrapping_sub(1));
            let has_threads = POOL.grow() || (*state).n_threads > 0;
            let has_room = (*state).n_queued < MAX_QUEUED || may_wait != 0;
            let token = match has_threads && has_room {
                true => POOL.enqueue(body, arguments.cast(), size as usize, ptr::null_mut()),
                false => 0,
            };
            POOL.unlock();
            if token != 0 {
                return token;
            }
        }
        body(arguments);
    }
    0
}

/// Waits until a body has ended. Returns zero.
///
/// # Safety
/// The token is one of [`freehold_async_start`], or zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_async_await(token: i64) -> i64 {
    if token == 0 {
        return 0;
    }
    let (place, count) = place_of(token);
    POOL.lock();
    // SAFETY: places stay where they are, and the lock is held.
    unsafe { POOL.wait(&mut Waiter::new(place, count, ptr::null_mut())) };
    POOL.unlock();
    0
}

/// A body that only waits for another one.
///
/// # Safety
/// The argument points to the token of that.
unsafe extern "C" fn await_other(token: *const c_void) {
    // SAFETY: `freehold_async_add_to_group` gives it one.
    unsafe { freehold_async_await(*token.cast()) };
}

/// Makes a group for `size` bodies of four words of memory, and returns their address.
///
/// # Safety
/// The memory stays until all bodies in the group have ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_async_create_group(memory: i64, size: i64) -> i64 {
    let group = ptr::with_exposed_provenance_mut::<Group>(memory as usize);
    // SAFETY: by the caller's promise.
    unsafe {
        *group = Group {
            size,
            added: 0,
            pending: 0,
            maker: this_thread(),
        };
    }
    memory
}

const FULL: &[u8] = b"async.add_to_group: more is added to the group than its size says";
const NOT_FULL: &[u8] =
    b"async.await_all: less is added to the group than its size says, and all threads wait";

/// Puts a body into a group; returns how many were added before.
///
/// # Safety
/// The token is one of [`freehold_async_start`], or zero, the group one of [`freehold_async_create_group`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_async_add_to_group(token: i64, group: i64) -> i64 {
    let group = ptr::with_exposed_provenance_mut::<Group>(group as usize);
    let has_lock = POOL.is_made();
    if has_lock {
        POOL.lock();
    }
    // SAFETY: by the caller's promise, and places stay where they are. Without a lock there is one thread.
    let (rank, is_to_end) = unsafe {
        let rank = (*group).added;
        if rank >= (*group).size {
            freehold_assert_failed(FULL.as_ptr(), FULL.len() as u64, ptr::null());
        }
        (*group).added = rank.wrapping_add(1);
        let mut is_to_end = false;
        if token != 0 {
            let (place, count) = place_of(token);
            if (*place).count == count {
                if (*place).group.is_null() {
                    (*place).group = group;
                } else {
                    // A place has room for one group: another body stands for this one in the second.
                    let bytes = mem::size_of::<i64>();
                    let token = (&raw const token).cast();
                    is_to_end = POOL.enqueue(await_other, token, bytes, group) == 0;
                }
                if !is_to_end {
                    (*group).pending = (*group).pending.wrapping_add(1);
                }
            }
        }
        if has_lock {
            POOL.announce_progress();
        }
        (rank, is_to_end)
    };
    if has_lock {
        POOL.unlock();
    }
    if is_to_end {
        // SAFETY: by the caller's promise.
        unsafe { freehold_async_await(token) };
    }
    rank
}

/// Waits until all that belongs in a group was added and has ended. Returns zero.
///
/// # Safety
/// The group is one of [`freehold_async_create_group`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_async_await_all(group: i64) -> i64 {
    let group = ptr::with_exposed_provenance_mut::<Group>(group as usize);
    if !POOL.is_made() {
        return 0;
    }
    POOL.lock();
    // SAFETY: by the caller's promise; the lock is held.
    unsafe { POOL.wait(&mut Waiter::new(ptr::null_mut(), 0, group)) };
    POOL.unlock();
    0
}

/// Prints which thread calls this, under the name that MLIR's async runtime library has for it.
#[unsafe(no_mangle)]
pub extern "C" fn mlirAsyncRuntimePrintCurrentThreadId() {
    let thread = this_thread();
    let mut out = Output::to(sys::standard_output());
    out.text("Current thread id: ");
    out.unsigned(thread);
    out.byte(b'\n');
    out.finish();
}
