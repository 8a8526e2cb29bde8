//! The func dialect: functions, calls and references to functions.

use crate::ir::op_def::DialectDef;

mod call;
mod constant;
pub(crate) mod function;
pub mod preconditions;
mod return_op;

pub use call::{CALL, CALL_INDIRECT, Call, CallIndirect, build_call};
pub use constant::{CONSTANT, Constant};
pub use function::{FUNC, function};
pub use return_op::{RETURN, Return, build_return};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "func",
    ops: &[&FUNC, &RETURN, &CALL, &CALL_INDIRECT, &CONSTANT],
    ..DialectDef::BASE
};
