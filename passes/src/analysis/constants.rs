//! Values that are known at compile time.

use freehold_frontend::dialects::vector;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;

/// The value of a constant operation's result.
pub(crate) fn constant_value(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    if !ir.has_trait(op, Traits::CONSTANT_LIKE) {
        return None;
    }
    ir.attr(op, Name::VALUE)
}

/// The same; of a vector that a number is broadcast to, of that number.
pub(crate) fn broadcast_constant(ir: &Ir, value: Value) -> Option<Attr> {
    let source = match ir.defined_by(value, &vector::BROADCAST) {
        Some(op) => ir.operand(op, 0),
        None => value,
    };
    constant_value(ir, source)
}
