//! The threads that compile.

use std::process;
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Stack of each thread that compiles, in bytes. Recursion over deeply nested input is bounded elsewhere; this leaves
/// those bounds generous. Untouched pages take no memory.
pub const STACK_SIZE: usize = 256 << 20;

/// The pool of this process. Work that starts on one of its threads hands parts of it to the others without a switch of
/// threads, which small programs would notice.
///
/// # Errors
/// If the system has no more threads.
pub fn compilers() -> Result<&'static ThreadPool, ThreadPoolBuildError> {
    // A child that `fork` made has a copy of the pool and none of its threads.
    static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match *pool {
        Some((process, pool)) if process == process::id() => Ok(pool),
        _ => {
            let made = ThreadPoolBuilder::new()
                .stack_size(STACK_SIZE)
                .thread_name(|number| format!("freehold:{number}"))
                .build()?;
            let made: &'static ThreadPool = Box::leak(Box::new(made));
            *pool = Some((process::id(), made));
            Ok(made)
        }
    }
}
