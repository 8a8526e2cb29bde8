//! `convert-unsigned-loops`: `scf.for unsigned` becomes `scf.for`.
//!
//! Before:
//! ```mlir
//! scf.for unsigned %i = %lb to %ub step %s : i32 {
//!   "use"(%i) : (i32) -> ()
//! }
//! ```
//! After:
//! ```mlir
//! %0 = arith.xori %lb, %c-2147483648_i32 : i32
//! %1 = arith.xori %ub, %c-2147483648_i32 : i32
//! scf.for %i = %0 to %1 step %s : i32 {
//!   %2 = arith.xori %i, %c-2147483648_i32 : i32
//!   "use"(%2) : (i32) -> ()
//! }
//! ```
//!
//! With the sign bit flipped, numbers compare with a sign as they do without it before, and adding the step
//! commutes with flipping, wrapped around or not. Bounds that are known not to be negative stay as they are.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::analysis::constants::constant_value;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-unsigned-loops",
    summary: "turn unsigned scf.for into signed scf.for",
    anchor: Anchor::Function,
    run: |ir, _: &mut PassContext<'_>| {
        convert(ir);
        Ok::<(), Failed>(())
    },
};

/// Converts all loops.
pub(super) fn convert(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &scf::FOR_UNSIGNED) {
            convert_loop(ir, op);
        }
    }
}

fn convert_loop(ir: &mut Ir, op: Op) {
    let view = scf::For(op);
    let bounds = [view.lower_bound(ir), view.upper_bound(ir), view.step(ir)];
    let inits: Vec<Value> = view.init_args(ir).to_vec();
    let is_same = bounds.iter().all(|&bound| is_known_positive(ir, bound));
    let body = view.body(ir);
    let results: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let attrs = ir.context().dict(ir.attrs(op)).to_vec();
    let mut builder = Builder::before(ir, op);
    let b = &mut builder;
    let [lower, upper, step] = bounds;
    let (lower, upper) = match is_same {
        true => (lower, upper),
        false => (flipped(b, lower), flipped(b, upper)),
    };
    let spec = b
        .spec(&scf::FOR)
        .operands(&[lower, upper, step])
        .operands(&inits)
        .results(&results)
        .regions(1);
    let new = b.create(spec);
    let region = b.ir.region(new, 0);
    b.ir.move_block_to_end(body, region);
    for (name, attr) in attrs {
        if name != Name::UNSIGNED_CMP {
            b.ir.set_attr(new, name, attr);
        }
    }
    if !is_same {
        let counter = b.ir.block_args(body)[0];
        let uses = b.ir.uses(counter).to_vec();
        let mut inside = Builder::at_start(b.ir, body);
        inside.set_loc(inside.ir.loc(new));
        let number = flipped(&mut inside, counter);
        for use_ in uses {
            b.ir.set_operand(use_.op, use_.index as usize, number);
        }
    }
    let results: Vec<Value> = ir.results(new).to_vec();
    ir.replace_op(op, &results);
}

fn is_known_positive(ir: &Ir, value: Value) -> bool {
    let attr = constant_value(ir, value);
    attr.and_then(|attr| ir.context().attr_integer(attr))
        .is_some_and(|number| number >= 0)
}

/// `number` with another sign bit.
fn flipped(b: &mut Builder<'_>, number: Value) -> Value {
    let ty = b.ir.value_type(number);
    let width = b.context().integer_width(ty).unwrap_or(64);
    let sign = b.context().integer_attr(ty, i128::MIN >> (128 - width));
    let sign = b.value_with_attr(&arith::CONSTANT, &[], ty, Name::VALUE, sign);
    b.value(&arith::XORI, &[number, sign], ty)
}
