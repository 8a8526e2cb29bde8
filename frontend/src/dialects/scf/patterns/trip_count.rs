//! How often a loop runs, where that is known.

use crate::dialects::arith;
use crate::dialects::arith::OverflowFlags;
use crate::ir::data::Ir;
use crate::ir::entities::Value;
use crate::ir::types::Type;

/// The distance from `lower` to `upper`, both read as signed, if it is known:
/// both are constants, or `upper` is `lower` plus a constant.
///
/// Sums of indices are taken not to wrap around, as upstream takes all sums.
pub(super) fn constant_distance(ir: &Ir, lower: Value, upper: Value) -> Option<i128> {
    if lower == upper {
        return Some(0);
    }
    if let (Some(lower), Some(upper)) = (
        arith::as_constant_int(ir, lower),
        arith::as_constant_int(ir, upper),
    ) {
        return Some(upper - lower);
    }
    let sum = ir.defined_by(upper, &arith::ADDI)?;
    let wraps = ir.value_type(upper) != Type::INDEX
        && !OverflowFlags::of(ir, sum).contains(OverflowFlags::NSW);
    if wraps {
        return None;
    }
    let (lhs, rhs) = (ir.operand(sum, 0), ir.operand(sum, 1));
    if lhs == lower {
        arith::as_constant_int(ir, rhs)
    } else if rhs == lower {
        arith::as_constant_int(ir, lhs)
    } else {
        None
    }
}

/// Whether a loop over `distance` in steps of `step` runs not at all, once,
/// or (`None`) maybe otherwise.
pub(super) fn zero_or_one(distance: Option<i128>, step: Option<i128>) -> Option<u32> {
    let distance = distance?;
    if distance <= 0 {
        return Some(0);
    }
    // Loops with steps that are not positive have no meaning to preserve, but
    // are left alone.
    (step? >= distance).then_some(1)
}
