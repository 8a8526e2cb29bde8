//! Loops of few iterations, written out.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

/// The induction variable of a `scf.for` in each iteration, if the trip count is known, not zero, and at most
/// `max_iterations`.
pub(crate) fn few_counters(ir: &Ir, op: Op, max_iterations: i64) -> Option<Vec<i64>> {
    let view = scf::For(op);
    if ir.value_type(view.induction_variable(ir)) != Type::INDEX {
        return None;
    }
    let number = |i| known_index(ir, ir.operand(op, i));
    let (lower, upper, step) = (number(0)?, number(1)?, number(2)?);
    let last = lower.checked_add(step.checked_mul(max_iterations)?)?;
    if step <= 0 || lower >= upper || last < upper {
        return None;
    }
    let step = usize::try_from(step).ok()?;
    Some((lower..upper).step_by(step).collect())
}

/// A constant index, or the cast of a constant integer.
fn known_index(ir: &Ir, value: Value) -> Option<i64> {
    arith::as_constant_index(ir, value).or_else(|| {
        let cast = ir.defined_by(value, &arith::INDEX_CAST)?;
        let number = arith::as_constant_int(ir, ir.operand(cast, 0))?;
        i64::try_from(number).ok()
    })
}

/// Replaces a `scf.for` by its body for each of these counters, one after the other; returns the operations of the
/// copies.
pub(crate) fn write_out(ir: &mut Ir, op: Op, counters: &[i64]) -> Vec<Op> {
    let view = scf::For(op);
    let mut carried: Vec<Value> = ir.operands(op)[3..].to_vec();
    let body: Vec<Op> = ir.ops_in(view.body(ir)).collect();
    let counter = view.induction_variable(ir);
    let arguments: Vec<Value> = view.iter_args(ir).to_vec();
    let mut copies = Vec::with_capacity(body.len() * counters.len());
    // Outside of all loops, so that what they access at one place is seen to be at one place.
    let around = std::iter::successors(Some(op), |&op| ir.parent_op(op));
    let outermost = around.take_while(|&op| ir.is(op, &scf::FOR)).last();
    let mut builder = Builder::before(ir, outermost.unwrap_or(op));
    let numbers: Vec<Value> = (counters.iter())
        .map(|&number| arith::constant_index(&mut builder, number))
        .collect();
    let mut builder = Builder::before(ir, op);
    for number in numbers {
        let mut map = IrMap::default();
        map.values.insert(counter, number);
        map.values.extend(arguments.iter().copied().zip(carried));
        for &inner in &body[..body.len() - 1] {
            let copy = builder.ir.clone_op(inner, &mut map);
            builder.insert(copy);
            copies.push(copy);
        }
        let end = view.yield_op(builder.ir);
        carried = (builder.ir.operands(end).iter())
            .map(|&value| map.value(value))
            .collect();
    }
    ir.replace_op(op, &carried);
    copies
}
