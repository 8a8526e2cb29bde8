//! The reference interpreter: what a program means.
//!
//! It works on exact values, one operation at a time, and shares no code with passes, code generation and the
//! runtime, so that they can be held against it. What a program may not do (an access out of bounds, memory used
//! after it was freed, a branch on poison, two iterations of a parallel loop that meet) stops it with the place
//! and the values. It is plain and slow.
//!
//! [`run`] calls a function of a module. One table ([`table`]) says what interprets each operation;
//! `dialects/` has the functions, [`machine`] runs functions and blocks, `memory` has the bytes, and
//! `float` the formats that processors do not compute in.

mod access;
mod constant;
mod dialects;
mod elementwise;
mod external;
pub mod float;
mod integer;
pub mod machine;
mod memory;
pub mod missing;
mod noise;
mod print;
mod run;
pub mod table;
mod tasks;
pub mod value;

pub use machine::{Fault, FaultKind, Limits};
pub use run::{Leak, Outcome, Passed, Settings, Shape, Stats, function_types, run};
