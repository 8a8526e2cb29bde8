//! Freehold as a device of JAX, and of every other program that speaks the C interface PJRT.
//!
//! Programs load this library, call [`GetPjrtApi`], and find a table of functions there (`api.rs`). They pass programs in
//! StableHLO, which `compile.rs` hands to a [`freehold::Job`], and buffers, which are memory of this process.
//!
//! Every function catches panics, and compiles on a thread with a large stack, so that nothing here ends the process.

#![expect(
    unsafe_code,
    reason = "callers pass pointers, and compiled code is foreign"
)]

mod abi;
mod api;
mod buffer;
mod client;
mod compile;
mod cost;
mod element;
mod error;
mod event;
mod exchange;
mod executable;
mod execute;
mod host;
mod layouts;
mod promise;
mod proto;
mod settings;
mod status;
mod storage;
mod topology;
mod worker;

use mimalloc::MiMalloc;

pub use api::Api;
pub use host::{freehold_fail, freehold_host_call, freehold_set_callback};

/// Compiling makes and drops many small lists, on several threads. Buffers are the C library's.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The table of functions.
#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const Api {
    &raw const api::API
}
