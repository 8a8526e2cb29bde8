//! Devices that run a program together: threads that exchange blocks of their buffers.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What the threads of a run share.
pub(crate) struct Run {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// How many have left the program, or came to another exchange than the rest: the rest must not wait for them.
    n_left: usize,
    /// The exchange that the first one came to.
    meeting: Option<i64>,
    /// The buffers of those who have come to the exchange.
    buffers: Vec<Option<usize>>,
    n_arrived: usize,
    /// How many have copied what they need.
    n_done: usize,
}

/// The error where devices do not come to the same exchanges.
const APART: &str = "devices do not take part in the same collective operations";

/// A thread of a run.
pub(crate) struct Place {
    run: Arc<Run>,
    pub number: usize,
}

impl Run {
    /// The places of a run of this number of threads.
    pub(crate) fn places(n: usize) -> Vec<Arc<Place>> {
        let run = Arc::new(Self {
            state: Mutex::new(State {
                n_left: 0,
                meeting: None,
                buffers: vec![None; n],
                n_arrived: 0,
                n_done: 0,
            }),
            changed: Condvar::new(),
        });
        let place = |number| Place {
            run: Arc::clone(&run),
            number,
        };
        (0..n).map(|number| Arc::new(place(number))).collect()
    }
}

impl Place {
    /// Ends the program for this thread.
    pub(crate) fn leave(&self) {
        self.lock().n_left += 1;
        self.run.changed.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.run
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_over`, or a thread has left.
    fn wait<'a>(
        &'a self,
        mut state: std::sync::MutexGuard<'a, State>,
        is_over: impl Fn(&State) -> bool,
    ) -> Result<std::sync::MutexGuard<'a, State>, String> {
        while !is_over(&state) {
            if state.n_left > 0 {
                return Err(APART.to_owned());
            }
            let woken = self.run.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        Ok(state)
    }

    /// Shows the buffer of this thread to the others at the exchange with this number, and calls `work` with all of
    /// them. All threads come, and none leaves before all are done.
    fn meet(&self, number: i64, buffer: usize, work: impl FnOnce(&[usize])) -> Result<(), String> {
        // Those of the exchange before are gone when its buffers are.
        let state = self.lock();
        let mut state = self.wait(state, |state| state.buffers[self.number].is_none())?;
        if *state.meeting.get_or_insert(number) != number {
            state.n_left += 1;
            self.run.changed.notify_all();
            return Err(APART.to_owned());
        }
        let n = state.buffers.len();
        state.buffers[self.number] = Some(buffer);
        state.n_arrived += 1;
        self.run.changed.notify_all();
        let state = self.wait(state, |state| state.n_arrived == n)?;
        let buffers: Vec<usize> = state
            .buffers
            .iter()
            .map(|buffer| buffer.unwrap_or(0))
            .collect();
        drop(state);
        work(&buffers);
        let mut state = self.lock();
        state.n_done += 1;
        if state.n_done == n {
            state.n_done = 0;
            state.n_arrived = 0;
            state.meeting = None;
            state.buffers.fill(None);
            self.run.changed.notify_all();
            return Ok(());
        }
        drop(self.wait(state, |state| state.buffers[self.number].is_none())?);
        Ok(())
    }
}

/// Copies blocks of the buffers of all threads to `to`, as the table says that `stablehlo-collectives-on-host` makes.
///
/// # Safety
/// The pointers must be what a program passes that this pass made.
pub(crate) unsafe fn exchange(
    place: &Place,
    from: *const u8,
    table: *const i64,
    to: *mut u8,
) -> Result<(), String> {
    // SAFETY: by the caller's promise, as below.
    let [number, n_entries, block, bytes] = unsafe { table.cast::<[usize; 4]>().read() };
    // SAFETY: there is room for these bytes.
    unsafe { to.write_bytes(0, bytes) };
    place.meet(number as i64, from.expose_provenance(), |buffers| {
        for entry in 0..n_entries {
            let at = 4 + 3 * (place.number * n_entries + entry);
            // SAFETY: the table has these entries.
            let [source, piece, target] = unsafe { table.add(at).cast::<[i64; 3]>().read() };
            let Some(&source) = usize::try_from(source)
                .ok()
                .and_then(|source| buffers.get(source))
            else {
                continue;
            };
            let source = std::ptr::with_exposed_provenance::<u8>(source);
            // SAFETY: both buffers have these blocks, and those of others are only read until all are done.
            unsafe {
                let source = source.add(piece as usize * block);
                to.add(target as usize * block)
                    .copy_from_nonoverlapping(source, block);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn blocks_come_from_the_devices_that_the_table_names() {
        // Two devices, two entries each: both blocks of one byte in the order of devices, 1,000 times.
        let table: [i64; 16] = [0, 2, 1, 2, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1];
        let places = Run::places(2);
        thread::scope(|scope| {
            for place in &places {
                scope.spawn(move || {
                    for round in 0..1000_u32 {
                        let own = [place.number as u8 + 10 * (round % 20) as u8];
                        let mut to = [9; 2];
                        // SAFETY: the buffers are as long as the table says.
                        let met = unsafe {
                            exchange(place, own.as_ptr(), table.as_ptr(), to.as_mut_ptr())
                        };
                        assert_eq!(met, Ok(()));
                        let first = 10 * (round % 20) as u8;
                        assert_eq!(to, [first, first + 1]);
                    }
                });
            }
        });
    }

    #[test]
    fn devices_at_different_exchanges_are_an_error() {
        let places = Run::places(2);
        thread::scope(|scope| {
            for place in &places {
                scope.spawn(move || {
                    let table = [place.number as i64, 1, 1, 1, 0, 0, 0, 0, 0, 0];
                    // SAFETY: as above.
                    let met =
                        unsafe { exchange(place, [1].as_ptr(), table.as_ptr(), [0].as_mut_ptr()) };
                    assert_eq!(met, Err(APART.to_owned()));
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_who_has_left() {
        let places = Run::places(2);
        let table: [i64; 7] = [0, 1, 1, 1, 0, 0, 0];
        places[1].leave();
        // SAFETY: as above; nothing is copied.
        let met = unsafe { exchange(&places[0], [1].as_ptr(), table.as_ptr(), [0].as_mut_ptr()) };
        assert!(met.is_err());
    }
}
