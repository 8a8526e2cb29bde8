//! Operations to CLIF: one table per dialect from the row of an operation to the
//! function that lowers it.
//!
//! From the bottom: [`held`] says what SSA values become, [`function`] is the state
//! of lowering one function; [`value`], [`calls`], [`memory`], [`frame`], [`heap`],
//! [`integer`], [`float`], [`scalar_ops`] and [`elements`] are what lowerings are
//! made of; a file or folder per dialect has its table; [`tables`] knows all of
//! them, and [`driver`] walks a function. `tests/suite/tidy.rs` holds them to that order.

mod arith;
mod builtin;
mod calls;
mod cf;
mod complex;
mod deallocation;
mod driver;
mod elements;
mod float;
mod frame;
pub(crate) mod frame_plan;
mod func;
pub(crate) mod function;
mod heap;
mod held;
mod index;
mod integer;
mod llvm;
mod math;
mod memory;
mod memref;
pub(crate) mod regions;
mod scalar_ops;
pub(crate) mod symbols;
pub(crate) mod tables;
mod ub;
mod value;
mod varargs;
mod vector;
mod vector_state;
