//! Which subscripts lanes of 32 bits can hold, and which buffers they can gather from.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
use smallvec::SmallVec;

use super::kinds::Kind;

/// The largest distance of lanes at which loads of all elements in between and shuffles take less than a gather. With
/// three and four, `quaternions` (benches/models) took 96 us by gathers.
pub(crate) const MAX_SHUFFLED: i64 = 4;

/// Registers from this size on have instructions that gather, in bytes.
pub(super) const MIN_REGISTER: i64 = 32;

/// Whether `op` makes an index that lanes of 32 bits hold, of such lanes.
pub(super) fn makes_subscript(ir: &Ir, op: Op, kind: impl Fn(Value) -> Kind) -> bool {
    let is_small = |&value: &Value| {
        kind(value) == Kind::Vector
            || arith::as_constant_index(ir, value).is_some_and(|n| i32::try_from(n).is_ok())
    };
    match () {
        () if ir.is(op, &arith::INDEX_CAST) => ir.value_type(ir.operand(op, 0)) == Type::I32,
        // Of numbers without a sign, those that are too large become constants at once.
        () if ir.is(op, &arith::INDEX_CASTUI) => {
            let mut uses = ir.uses(ir.result(op, 0)).iter();
            ir.value_type(ir.operand(op, 0)) == Type::I32
                && uses.all(|user| is_bounded(ir, user.op))
        }
        () if ir.is(op, &arith::MINUI) => is_bounded(ir, op),
        () => {
            let chooses = [&arith::MAXSI, &arith::MINSI];
            chooses.iter().any(|row| ir.is(op, row)) && ir.operands(op).iter().all(is_small)
        }
    }
}

/// Whether an operation takes the smaller of a number without a sign and a constant that has one.
fn is_bounded(ir: &Ir, op: Op) -> bool {
    let is_bound = |&value: &Value| {
        arith::as_constant_index(ir, value).is_some_and(|n| (0..=i64::from(i32::MAX)).contains(&n))
    };
    ir.is(op, &arith::MINUI) && ir.operands(op).iter().any(is_bound)
}

/// By how many bits a number without a sign is shifted to divide it by a power of two, if that is what `op` does.
pub(crate) fn shift_of_division(ir: &Ir, op: Op) -> Option<i64> {
    let has_shifts = || [Type::I32, Type::I64].contains(&ir.value_type(ir.result(op, 0)));
    let divisor = (ir.is(op, &arith::DIVUI) && has_shifts()).then(|| ir.operand(op, 1))?;
    let divisor = u64::try_from(arith::as_constant_int(ir, divisor)?).ok()?;
    divisor
        .is_power_of_two()
        .then(|| i64::from(divisor.trailing_zeros()))
}

/// The elements from the first one of a buffer to its last one, and where they are.
pub(crate) struct Span {
    pub(crate) strides: SmallVec<[i64; 4]>,
    pub(crate) offset: i64,
    pub(crate) n_elements: i64,
}

impl Span {
    /// If all of it is known, and lanes of 32 bits can count them.
    pub(crate) fn of(context: &Context, memref: &MemRefType) -> Option<Self> {
        let (strides, offset) = context.memref_strides(memref)?;
        let mut n_elements = 1i64;
        for (&size, &stride) in memref.shape.iter().zip(&strides) {
            if size == DYNAMIC || size == 0 || stride == DYNAMIC || stride < 0 {
                return None;
            }
            n_elements = n_elements.checked_add((size - 1).checked_mul(stride)?)?;
        }
        i32::try_from(n_elements).ok()?;
        (offset != DYNAMIC).then(|| Self {
            strides: strides.iter().copied().collect(),
            offset,
            n_elements,
        })
    }
}
