//! Events: what others wait for.

use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::abi::{EventIsReady, EventOnReady, EventOnly, Handle, OnReady};
use crate::error::hand_over;
use crate::status::Status;

/// An event that happens once, well or with an error.
#[derive(Default)]
pub(crate) struct Event {
    state: Mutex<State>,
    changed: Condvar,
}

/// An event in the hands of a caller.
pub(crate) type Signal = Arc<Event>;

#[derive(Default)]
struct State {
    outcome: Option<Result<(), Status>>,
    waiting: Vec<Waiting>,
}

/// A function that a caller wants to be called.
struct Waiting {
    callback: OnReady,
    argument: *mut c_void,
}

// SAFETY: the interface says that callbacks may come from any thread.
unsafe impl Send for Waiting {}

impl Waiting {
    fn call(self, outcome: &Result<(), Status>) {
        // SAFETY: the caller passed function and argument for this.
        unsafe { (self.callback)(hand_over(outcome.clone()), self.argument) };
    }
}

impl Event {
    /// An event that is over.
    pub(crate) fn ready() -> Signal {
        let event = Self::default();
        event.finish(Ok(()));
        Arc::new(event)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state().outcome.is_some()
    }

    /// Lets it happen.
    pub(crate) fn finish(&self, outcome: Result<(), Status>) {
        let mut state = self.state();
        let waiting = std::mem::take(&mut state.waiting);
        state.outcome = Some(outcome.clone());
        drop(state);
        self.changed.notify_all();
        waiting
            .into_iter()
            .for_each(|waiting| waiting.call(&outcome));
    }

    /// Waits for it.
    pub(crate) fn wait(&self) -> Result<(), Status> {
        let mut state = self.state();
        loop {
            match &state.outcome {
                Some(outcome) => return outcome.clone(),
                None => {
                    let woken = self.changed.wait(state);
                    state = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

pub(crate) fn destroy(args: &mut EventOnly) -> Result<(), Status> {
    drop(args.event.take());
    Ok(())
}

pub(crate) fn is_ready(args: &mut EventIsReady) -> Result<(), Status> {
    args.is_ready = args.event.expect("event")?.is_over();
    Ok(())
}

/// The error of an event that is over.
pub(crate) fn error(args: &mut EventOnly) -> Result<(), Status> {
    let outcome = args.event.expect("event")?.state().outcome.clone();
    outcome.unwrap_or_else(|| Err(Status::invalid("the event is not over")))
}

pub(crate) fn wait(args: &mut EventOnly) -> Result<(), Status> {
    args.event.expect("event")?.wait()
}

pub(crate) fn on_ready(args: &mut EventOnReady) -> Result<(), Status> {
    let event = args.event.expect("event")?;
    let waiting = Waiting {
        callback: args.callback,
        argument: args.user_arg,
    };
    let mut state = event.state();
    match state.outcome.clone() {
        Some(outcome) => {
            drop(state);
            waiting.call(&outcome);
        }
        None => state.waiting.push(waiting),
    }
    Ok(())
}

/// An event that is over, in the hands of a caller.
pub(crate) fn ready() -> Handle<Signal> {
    Handle::new(Event::ready())
}
