//! The `async` dialect: its functions become functions of `func`, bodies run in place or on other threads.

pub mod async_func_to_async_runtime;
mod errors;
pub mod outline_async_bodies;
pub mod run_async_in_order;
