//! The scf dialect: structured control flow.

use crate::ir::asm::OpAsmPrinter;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{DialectDef, OpDef, OpError};

mod execute_region;
mod for_loop;
mod forall;
mod if_op;
mod index_switch;
mod parallel;
mod patterns;
mod while_loop;
mod yield_op;

pub use execute_region::{EXECUTE_REGION, ExecuteRegion, build_execute_region};
pub use for_loop::{FOR, FOR_UNSIGNED, For, build_for};
pub use forall::{BoundKind, FORALL, FORALL_IN_PARALLEL, Forall, build_forall};
pub use if_op::{IF, If, build_if};
pub use index_switch::{INDEX_SWITCH, IndexSwitch, build_index_switch};
pub use parallel::{
    PARALLEL, Parallel, REDUCE, REDUCE_RETURN, Reduce, ReduceReturn, build_parallel,
};
pub use while_loop::{CONDITION, Condition, WHILE, While, build_condition, build_while};
pub use yield_op::{YIELD, Yield, build_yield};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "scf",
    ops: &[
        &CONDITION,
        &EXECUTE_REGION,
        &FOR,
        &FORALL,
        &FORALL_IN_PARALLEL,
        &IF,
        &INDEX_SWITCH,
        &PARALLEL,
        &REDUCE,
        &REDUCE_RETURN,
        &WHILE,
        &YIELD,
    ],
    ..DialectDef::BASE
};

/// Writes `(%argument = %value, ...)`.
fn print_assignments(printer: &mut dyn OpAsmPrinter, arguments: &[Value], values: &[Value]) {
    printer.text("(");
    for (i, (&argument, &value)) in arguments.iter().zip(values).enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        printer.value(argument);
        printer.text(" = ");
        printer.value(value);
    }
    printer.text(")");
}

/// Checks that the first block of region `index` ends with a `terminator`.
fn expect_terminator(
    ir: &Ir,
    op: Op,
    index: usize,
    terminator: &'static OpDef,
    message: &str,
) -> Result<(), OpError> {
    let last = ir
        .entry_block(ir.region(op, index))
        .and_then(|block| ir.last_op(block));
    match last {
        Some(last) if ir.is(last, terminator) => Ok(()),
        Some(last) => Err(OpError::from(message).note(ir.loc(last), "terminator here")),
        None => Err(message.into()),
    }
}

/// Checks that no region of `op` has entry arguments.
fn expect_no_arguments(ir: &Ir, op: Op) -> Result<(), OpError> {
    let has_arguments = |&region| {
        ir.entry_block(region)
            .is_some_and(|block| !ir.block_args(block).is_empty())
    };
    if let Some(index) = ir.regions(op).iter().position(has_arguments) {
        return Err(format!("region #{index} should have no arguments").into());
    }
    Ok(())
}
