//! Threads that run programs while those who called them go on.
//!
//! Each thread that calls programs has one per device, so that its programs run in the order of their calls, and those
//! of several threads side by side.

use std::cell::RefCell;
use std::process;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use freehold::threads::STACK_SIZE;

use crate::status::{Code, Status};

/// How many programs may wait for a thread. Callers that are further ahead wait themselves.
const MAX_WAITING: usize = 32;

/// A program with its arguments.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// A thread.
struct Worker {
    device: i32,
    /// A child that `fork` made has a copy of this and no such thread.
    process: u32,
    work: SyncSender<Work>,
}

thread_local! {
    static WORKERS: RefCell<Vec<Worker>> = const { RefCell::new(Vec::new()) };
}

/// Runs this after everything that the calling thread has passed for the same device.
///
/// # Errors
/// If the system has no more threads. Nothing is run then.
pub(crate) fn run_later(device: i32, work: Work) -> Result<(), Status> {
    let sender = WORKERS.with_borrow_mut(|workers| {
        if workers.iter().any(|worker| worker.process != process::id()) {
            // Whatever locks they have may be held for ever.
            std::mem::forget(std::mem::take(workers));
        }
        if let Some(worker) = workers.iter().find(|worker| worker.device == device) {
            return Ok(worker.work.clone());
        }
        let worker = Worker::start(device)?;
        let sender = worker.work.clone();
        workers.push(worker);
        Ok(sender)
    });
    // The thread ends with the last sender.
    let sent = sender?.send(work);
    sent.map_err(|_| Status::internal("a thread that runs programs has ended"))
}

impl Worker {
    fn start(device: i32) -> Result<Self, Status> {
        let (work, works) = sync_channel::<Work>(MAX_WAITING);
        let thread = thread::Builder::new()
            .name(format!("freehold:run:{device}"))
            .stack_size(STACK_SIZE);
        let run = move || works.into_iter().for_each(|work| work());
        thread.spawn(run).map_err(|error| {
            let message = format!("cannot start a thread to run programs: {error}");
            Status::new(Code::ResourceExhausted, message)
        })?;
        let process = process::id();
        Ok(Self {
            device,
            process,
            work,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn work_is_done_in_order() {
        let (done, results) = channel();
        for number in 0..100 {
            let done = done.clone();
            let work = move || done.send((number, thread::current().id())).unwrap();
            run_later(0, Box::new(work)).unwrap();
        }
        drop(done);
        let results: Vec<_> = results.into_iter().collect();
        assert!(results.iter().map(|result| result.0).eq(0..100));
        assert!(results.iter().all(|result| result.1 == results[0].1));
        assert_ne!(results[0].1, thread::current().id());
    }
}
