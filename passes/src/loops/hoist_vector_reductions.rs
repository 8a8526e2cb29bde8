//! `hoist-vector-reductions`: sums of vectors that a loop adds to a number stay vectors until the loop is over.
//!
//! Before:
//! ```mlir
//! %last = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %first) -> (f32) {
//!   %row = vector.load %a[%i, %c0] : memref<?x8xf32>, vector<8xf32>
//!   %of_row = vector.reduction <add>, %row : vector<8xf32> into f32
//!   %next = arith.addf %sum, %of_row fastmath<reassoc> : f32
//!   scf.yield %next : f32
//! }
//! ```
//! After:
//! ```mlir
//! %sums = scf.for %i = %c0 to %n step %c1 iter_args(%lanes = %zeros) -> (vector<8xf32>) {
//!   %row = vector.load %a[%i, %c0] : memref<?x8xf32>, vector<8xf32>
//!   %next = arith.addf %lanes, %row fastmath<reassoc> : vector<8xf32>
//!   scf.yield %next : vector<8xf32>
//! }
//! %all = vector.reduction <add>, %sums fastmath<reassoc> : vector<8xf32> into f32
//! %last = arith.addf %first, %all fastmath<reassoc> : f32
//! ```
//! Each iteration has one addition instead of one for each halving of a register. Floats have to allow another order.
//! Inner loops come first, so sums leave whole nests.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::scf;
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::widen::{build_reduction, neutral};
use crate::analysis::loop_memory::trip_count;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::carried;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "hoist-vector-reductions",
    summary: "add vectors up over a whole loop before their lanes are added",
    anchor: Anchor::Function,
    run,
};

/// The bytes of all vectors that a loop carries instead of numbers: eight registers of 256 bits (`group_norm`,
/// benches/models, has as many).
const MAX_BYTES: u64 = 256;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op) && ir.is(op, &scf::FOR) && trip_count(ir, op).is_none_or(|n| n > 1) {
            let sums = sums(ir, op);
            if !sums.is_empty() {
                context.count("sums hoisted", sums.len() as u64);
                hoist(ir, op, &sums);
            }
        }
    }
    Ok(())
}

/// A number that a loop carries and adds the lanes of a vector to.
struct Sum {
    /// Which of those that are carried.
    place: usize,
    addition: Op,
    reduction: Op,
    lanes: Value,
}

impl Sum {
    /// The same addition of other operands.
    fn add(&self, b: &mut Builder<'_>, operands: [Value; 2], ty: Type) -> Value {
        let def = b.ir.def(self.addition);
        match b.ir.attr(self.addition, Name::FASTMATH) {
            Some(flags) => b.value_with_attr(def, &operands, ty, Name::FASTMATH, flags),
            None => b.value(def, &operands, ty),
        }
    }
}

fn sums(ir: &Ir, op: Op) -> Vec<Sum> {
    let view = scf::For(op);
    let (body, end) = (view.body(ir), view.yield_op(ir));
    let mut room = MAX_BYTES;
    let mut sums = Vec::new();
    for (place, &carried) in view.iter_args(ir).iter().enumerate() {
        let Some(sum) = sum(ir, carried, ir.operand(end, place), place) else {
            continue;
        };
        let is_here = |op: Op| ir.block_of(op) == Some(body);
        if is_here(sum.addition)
            && is_here(sum.reduction)
            && let Some(left) = bytes(ir, sum.lanes).and_then(|bytes| room.checked_sub(bytes))
        {
            room = left;
            sums.push(sum);
        }
    }
    sums
}

/// How `next` is `carried` and the lanes of a vector, if it is.
fn sum(ir: &Ir, carried: Value, next: Value, place: usize) -> Option<Sum> {
    let addition = ir.defining_op(next)?;
    let is_sum = match () {
        () if ir.is(addition, &arith::ADDF) => {
            FastMathFlags::of(ir, addition).contains(FastMathFlags::REASSOC)
        }
        () => ir.is(addition, &arith::ADDI),
    };
    let other = match *ir.operands(addition) {
        [a, b] if a == carried => b,
        [a, b] if b == carried => a,
        _ => return None,
    };
    let reduction = ir.defined_by(other, &vector::REDUCTION)?;
    let &[lanes] = ir.operands(reduction) else {
        return None;
    };
    let is_alone = [carried, next, other]
        .into_iter()
        .all(|value| ir.has_one_use(value));
    let adds = CombiningKind::of(ir, reduction) == CombiningKind::Add;
    (is_sum && is_alone && adds).then_some(Sum {
        place,
        addition,
        reduction,
        lanes,
    })
}

/// The bytes of a vector, if each element has whole ones.
fn bytes(ir: &Ir, value: Value) -> Option<u64> {
    let context = ir.context();
    let ty = ir.value_type(value);
    let &[n] = context.shape(ty)? else {
        return None;
    };
    let element = context.element_byte_size(context.element_type_or_self(ty))?;
    element.checked_mul(u64::try_from(n).ok()?)
}

/// Has a loop carry the vectors of these sums.
fn hoist(ir: &mut Ir, op: Op, sums: &[Sum]) {
    let mut builder = Builder::before(ir, op);
    let b = &mut builder;
    let operands = b.ir.operands(op).to_vec();
    let mut inits = operands[3..].to_vec();
    for sum in sums {
        let number = b.ir.value_type(inits[sum.place]);
        let zero = neutral(b, number, 0);
        let ty = b.ir.value_type(sum.lanes);
        inits[sum.place] = b.value(&vector::BROADCAST, &[zero], ty);
    }
    let new = carried::build_like(b, op, &inits);
    let arguments = scf::For(new).iter_args(b.ir).to_vec();
    let mut results = b.ir.results(new).to_vec();
    for sum in sums {
        let (place, ty) = (sum.place, b.ir.value_type(sum.lanes));
        let mut inner = Builder::before(b.ir, sum.addition);
        let next = sum.add(&mut inner, [arguments[place], sum.lanes], ty);
        let end = scf::For(op).yield_op(b.ir);
        b.ir.set_operand(end, place, next);
        let number = b.ir.value_type(operands[3 + place]);
        let flags = b.ir.attr(sum.addition, Name::FASTMATH);
        let all = build_reduction(b, CombiningKind::Add, results[place], number, flags);
        results[place] = sum.add(b, [operands[3 + place], all], number);
        b.ir.erase_op(sum.addition);
        b.ir.erase_op(sum.reduction);
    }
    carried::move_body(b.ir, op, new);
    ir.replace_op(op, &results);
}
