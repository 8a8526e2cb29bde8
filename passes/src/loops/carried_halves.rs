//! Floats of 16 bits that loops carry become `f32`, of which registers have maxima and sums.
//!
//! Before:
//! ```mlir
//! %last = scf.for ... iter_args(%greatest = %first) -> (bf16) {
//!   %next = arith.maximumf %greatest, %x : bf16
//!   scf.yield %next : bf16
//! }
//! ```
//! After:
//! ```mlir
//! %wide = arith.extf %first : bf16 to f32
//! %all = scf.for ... iter_args(%greatest = %wide) -> (f32) {
//!   %y = arith.extf %x : bf16 to f32
//!   %next = arith.maximumf %greatest, %y : f32
//!   scf.yield %next : f32
//! }
//! %last = arith.truncf %all : f32 to bf16
//! ```
//! Extremes are the same; sums that may be added up in any order round once.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::scf;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::rewrite::carried;

/// Has an innermost loop carry `f32` instead of floats of 16 bits of which it finds the greatest or least, or that it adds up
/// in any order; returns how many.
pub(super) fn widen(ir: &mut Ir, op: Op) -> u64 {
    let view = scf::For(op);
    let (body, end) = (view.body(ir), view.yield_op(ir));
    let mut combined = Vec::new();
    for (place, &carried) in view.iter_args(ir).iter().enumerate() {
        let next = ir.operand(end, place);
        let kind = ir.context().float_kind(ir.value_type(carried));
        let combination = (ir.defining_op(next)).filter(|&op| combines_halves(ir, op));
        if let Some(combination) = combination
            && kind.is_some_and(|kind| kind.width() == 16)
            && ir.block_of(combination) == Some(body)
            && ir.operands(combination).contains(&carried)
            && [carried, next]
                .into_iter()
                .all(|value| ir.has_one_use(value))
        {
            combined.push((place, combination));
        }
    }
    let is_innermost = ir.ops_in(body).all(|op| ir.regions(op).is_empty());
    if combined.is_empty() || !is_innermost {
        return 0;
    }
    let old = view.iter_args(ir).to_vec();
    let mut inits = ir.operands(op)[3..].to_vec();
    let mut builder = Builder::before(ir, op);
    let b = &mut builder;
    for &(place, _) in &combined {
        inits[place] = b.value(&arith::EXTF, &[inits[place]], Type::F32);
    }
    let new = carried::build_like(b, op, &inits);
    let arguments = scf::For(new).iter_args(b.ir).to_vec();
    let mut results = b.ir.results(new).to_vec();
    for &(place, combination) in &combined {
        let (def, flags) = (
            b.ir.def(combination),
            b.ir.attr(combination, Name::FASTMATH),
        );
        let operands = [0, 1].map(|i| b.ir.operand(combination, i));
        let mut inner = Builder::before(b.ir, combination);
        let operands = operands.map(|operand| match operand == old[place] {
            true => arguments[place],
            false => inner.value(&arith::EXTF, &[operand], Type::F32),
        });
        let next = match flags {
            Some(flags) => inner.value_with_attr(def, &operands, Type::F32, Name::FASTMATH, flags),
            None => inner.value(def, &operands, Type::F32),
        };
        b.ir.set_operand(end, place, next);
        b.ir.erase_op(combination);
        let narrow = b.ir.value_type(old[place]);
        results[place] = b.value(&arith::TRUNCF, &[results[place]], narrow);
    }
    carried::move_body(b.ir, op, new);
    ir.replace_op(op, &results);
    combined.len() as u64
}

/// Whether floats of 16 bits may be combined in `f32`: exactly, or in any order.
fn combines_halves(ir: &Ir, op: Op) -> bool {
    let is_exact = ir.is(op, &arith::MAXIMUMF) || ir.is(op, &arith::MINIMUMF);
    let is_sum =
        ir.is(op, &arith::ADDF) && FastMathFlags::of(ir, op).contains(FastMathFlags::REASSOC);
    is_exact || is_sum
}
