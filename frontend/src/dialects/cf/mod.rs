//! The cf dialect: branches between blocks, and assertions.

use crate::ir::op_def::DialectDef;

mod assert;
mod branch;
mod patterns;
mod switch;

pub use assert::{ASSERT, Assert};
pub(crate) use branch::COND_BR_INTERFACE;
pub use branch::{BR, Br, COND_BR, CondBr, build_br, build_cond_br};
pub(crate) use switch::{CASE_OPERAND_SEGMENTS, CASE_VALUES, set_case_attrs};
pub use switch::{SWITCH, Switch, build_switch};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "cf",
    ops: &[&ASSERT, &BR, &COND_BR, &SWITCH],
    ..DialectDef::BASE
};
