//! The log of allocations and frees over time, for memory-over-time curves.
//!
//! Off until [`freehold_events_enable`] is called; then every allocation and free
//! that counting or checking mode sees is one [`Event`], in the order they happened.

use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::site::AllocSite;
use crate::sys::{self, Locked};

/// One change of the amount of memory in use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Time on a clock that never goes backwards; only differences mean something.
    pub nanoseconds: u64,
    /// Bytes gained (allocation) or, negative, given back (free).
    pub delta: i64,
    /// The buffer.
    pub address: u64,
    /// The operation in the program, or null.
    pub site: *const AllocSite,
}

impl Event {
    /// No change at all.
    pub const EMPTY: Event = Event {
        nanoseconds: 0,
        delta: 0,
        address: 0,
        site: ptr::null(),
    };
}

struct Log {
    events: *mut Event,
    capacity: usize,
    len: usize,
}

/// Events before the log grows for the first time: some pages, so that short programs map them once.
const FIRST_CAPACITY: usize = 4096;

impl Log {
    fn bytes(capacity: usize) -> usize {
        capacity * mem::size_of::<Event>()
    }

    fn push(&mut self, event: Event) {
        if self.len == self.capacity {
            let capacity = if self.capacity == 0 {
                FIRST_CAPACITY
            } else {
                self.capacity * 2
            };
            let events: *mut Event = sys::map_zeroed(Log::bytes(capacity)).cast();
            if events.is_null() {
                crate::output::out_of_memory(Log::bytes(capacity) as u64, ptr::null());
            }
            if self.len != 0 {
                // SAFETY: the new mapping is larger than the old one and apart from it.
                unsafe { ptr::copy_nonoverlapping(self.events, events, self.len) };
            }
            // SAFETY: the old mapping has exactly this size and is replaced below.
            unsafe { sys::unmap(self.events.cast(), Log::bytes(self.capacity)) };
            self.events = events;
            self.capacity = capacity;
        }
        // SAFETY: `len < capacity` now.
        unsafe { self.events.add(self.len).write(event) };
        self.len += 1;
    }
}

/// An event log that can be switched on.
pub(crate) struct EventLog {
    enabled: AtomicBool,
    log: Locked<Log>,
}

impl EventLog {
    pub(crate) const fn new() -> Self {
        let log = Log {
            events: ptr::null_mut(),
            capacity: 0,
            len: 0,
        };
        EventLog {
            enabled: AtomicBool::new(false),
            log: Locked::new(log),
        }
    }

    pub(crate) fn enable(&self) {
        self.enabled.store(true, Ordering::Relaxed);
    }

    /// Adds an event if the log is on.
    #[inline]
    pub(crate) fn record(&self, address: usize, delta: i64, site: *const AllocSite) {
        if self.enabled.load(Ordering::Relaxed) {
            self.log.with(|log| {
                // The time is read under the lock, so that the log is sorted by it.
                let nanoseconds = sys::monotonic_nanoseconds();
                log.push(Event {
                    nanoseconds,
                    delta,
                    address: address as u64,
                    site,
                });
            });
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.log.with(|log| log.len)
    }

    /// Copies up to `capacity` events, oldest first, and says how many.
    ///
    /// # Safety
    /// `out` has room for `capacity` events.
    pub(crate) unsafe fn copy(&self, out: *mut Event, capacity: usize) -> usize {
        self.log.with(|log| {
            let count = if log.len < capacity {
                log.len
            } else {
                capacity
            };
            if count != 0 {
                // SAFETY: `count` events are there, and by the caller's promise there is room.
                unsafe { ptr::copy_nonoverlapping(log.events, out, count) };
            }
            count
        })
    }

    /// Switches the log off and forgets all events.
    pub(crate) fn reset(&self) {
        self.enabled.store(false, Ordering::Relaxed);
        self.log.with(|log| {
            // SAFETY: the mapping has exactly this size and is forgotten here.
            unsafe { sys::unmap(log.events.cast(), Log::bytes(log.capacity)) };
            *log = Log {
                events: ptr::null_mut(),
                capacity: 0,
                len: 0,
            };
        });
    }
}

/// Starts logging allocations and frees.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_events_enable() {
    crate::count::ACCOUNTS.events.enable();
}

/// How many events have been logged.
#[unsafe(no_mangle)]
pub extern "C" fn freehold_events_len() -> u64 {
    crate::count::ACCOUNTS.events.len() as u64
}

/// Copies up to `capacity` events, oldest first, to `out` and returns how many.
///
/// # Safety
/// `out` has room for `capacity` events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn freehold_events_copy(out: *mut Event, capacity: u64) -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { crate::count::ACCOUNTS.events.copy(out, capacity as usize) as u64 }
}

/// [`freehold_events_copy`] for callers in Rust: fills `out` and returns how many events fit.
pub fn read(out: &mut [Event]) -> usize {
    // SAFETY: the slice has room for as many events as it is long.
    unsafe {
        crate::count::ACCOUNTS
            .events
            .copy(out.as_mut_ptr(), out.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn keeps_order_while_growing() {
        let log = EventLog::new();
        log.record(1, 1, ptr::null());
        assert_eq!(log.len(), 0, "logged while off");
        log.enable();
        let total = 3 * FIRST_CAPACITY;
        for index in 0..total {
            log.record(index, -(index as i64), ptr::null());
        }
        let mut events = Vec::with_capacity(total + 5);
        // SAFETY: there is room for five more than there are.
        unsafe {
            assert_eq!(log.copy(events.as_mut_ptr(), total + 5), total);
            events.set_len(total);
        }
        assert!(events.is_sorted_by_key(|event| event.nanoseconds));
        for (index, event) in events.iter().enumerate() {
            assert_eq!(
                (event.address, event.delta),
                (index as u64, -(index as i64))
            );
        }
        log.reset();
        assert_eq!(log.len(), 0);
    }
}
