//! `fuse-multiply-add`: products become part of the sums that they are added to.
//!
//! Before:
//! ```mlir
//! %p = arith.mulf %a, %b fastmath<contract> : f32
//! %s = arith.addf %p, %c fastmath<contract> : f32
//! ```
//! After:
//! ```mlir
//! %s = math.fma %a, %b, %c fastmath<contract> : f32
//! ```
//!
//! Both operations must have the flag `contract`, or `fp=contract` or `fp=fast` give it to all; nothing else may use
//! the product. Subtraction negates an operand, which is exact. The flags of the sum stay.
//!
//! Of `vector.contract` and `vector.outerproduct`, which have no flags, the policy alone decides; they get the
//! attribute `freehold.fused_products`, by which the code generator goes.
//!
//! This happens before loops are unrolled or run in vectors, so that all of their iterations are
//! computed alike.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::math;
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Type};

use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// floating-point policy: strict (only operations with the flag), contract or fast (all)
        "fp" fp: FpPolicy = FpPolicy::Strict,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "fuse-multiply-add",
    summary: "contract multiplications and additions to FMA where flags or the policy allow it",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let allowed = context.options.fp.flags();
    for op in ir.collect_ops(ir.root()) {
        let is_sum = ir.is(op, &arith::ADDF) || ir.is(op, &arith::SUBF);
        let is_fused = if is_sum_of_products(ir, op) && allowed.contains(FastMathFlags::CONTRACT) {
            ir.set_attr(op, Name::FUSED_PRODUCTS, Attr::UNIT);
            true
        } else {
            is_sum && fuse(ir, op, allowed).is_some()
        };
        if is_fused {
            context.count("products fused", 1);
        }
    }
    Ok(())
}

/// Whether `op` adds up products of vectors of `f32` or `f64`.
fn is_sum_of_products(ir: &Ir, op: Op) -> bool {
    let is_product = ir.is(op, &vector::CONTRACT) || ir.is(op, &vector::OUTER_PRODUCT);
    let &[lhs, _, sum] = ir.operands(op) else {
        return false;
    };
    let element = |value| ir.context().element_type_or_self(ir.value_type(value));
    is_product
        && CombiningKind::of(ir, op) == CombiningKind::Add
        && element(lhs) == element(sum)
        && is_fusible(ir, element(sum))
}

/// Whether there are instructions for elements of this type.
fn is_fusible(ir: &Ir, element: Type) -> bool {
    let kind = ir.context().float_kind(element);
    matches!(kind, Some(FloatKind::F32 | FloatKind::F64))
}

/// Makes a product part of the sum or difference `op`, if there is one that may be.
fn fuse(ir: &mut Ir, op: Op, allowed: FastMathFlags) -> Option<()> {
    let may_fuse = |ir: &Ir, op| {
        let flags = FastMathFlags::of(ir, op).union(allowed);
        flags.contains(FastMathFlags::CONTRACT)
    };
    if !may_fuse(ir, op) {
        return None;
    }
    let ty = ir.value_type(ir.result(op, 0));
    let element = ir.context().element_type_or_self(ty);
    if !is_fusible(ir, element) {
        return None;
    }
    let product = |ir: &Ir, value: Value| {
        let product = ir.defined_by(value, &arith::MULF)?;
        let is_near = ir.block_of(product) == ir.block_of(op);
        (is_near && may_fuse(ir, product) && ir.has_one_use(value)).then_some(product)
    };
    let [left, right] = [0, 1].map(|i| ir.operand(op, i));
    let is_difference = ir.is(op, &arith::SUBF);
    // The left one where both are products.
    let (product, other, is_right) = match (product(ir, left), product(ir, right)) {
        (Some(product), _) => (product, right, false),
        (None, Some(product)) => (product, left, true),
        (None, None) => return None,
    };
    let [mut a, b] = [0, 1].map(|i| ir.operand(product, i));
    let mut addend = other;
    let flags = FastMathFlags::of(ir, op);
    let mut builder = Builder::before(ir, op);
    match (is_difference, is_right) {
        (false, _) => {}
        (true, false) => addend = builder.value(&arith::NEGF, &[other], ty),
        (true, true) => a = builder.value(&arith::NEGF, &[a], ty),
    }
    let operands = [a, b, addend];
    let fused = match flags.to_attr(&builder.context()) {
        Some(attr) => builder.value_with_attr(&math::FMA, &operands, ty, Name::FASTMATH, attr),
        None => builder.value(&math::FMA, &operands, ty),
    };
    ir.replace_op(op, &[fused]);
    ir.erase_op(product);
    Some(())
}
