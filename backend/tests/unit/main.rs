//! The unit tests of the code generator. They stand beside the code; a module that has some is compiled here a second
//! time, with those that it needs, so that the crate is compiled once.

#![allow(
    clippy::unwrap_used,
    reason = "test code; functions that tests share are found outside of one"
)]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unreachable_pub,
    unused_imports,
    reason = "of a module, only what its tests call is used here"
)]
#![allow(unsafe_code, reason = "that of the modules")]

mod coverage;

#[path = "../../src/abi.rs"]
mod abi;
#[path = "../../src/archive.rs"]
mod archive;
#[path = "../../src/cpu.rs"]
mod cpu;
#[path = "../../src/declaration.rs"]
mod declaration;
#[path = "../../src/external.rs"]
mod external;
#[path = "../../src/isa.rs"]
mod isa;
#[path = "../../src/link.rs"]
mod link;
#[path = "../../src/header/names.rs"]
mod names;
#[path = "../../src/repr.rs"]
mod repr;

#[path = "../../src/jit"]
mod jit {
    mod memory;
    mod probe;
    mod symbols;
    mod types;
}

#[path = "../../src/wide"]
mod wide {
    mod allocate;
}
