//! `fft`: one stage of the transform by Cooley and Tukey, in place.
//!
//! ```text
//! m = 1 << stage
//! for k in 0, m, 2m, ...: for j in 0 .. m/2:
//!     t = a[k+j+m/2] * exp(-2 pi i j / m)
//!     a[k+j], a[k+j+m/2] = a[k+j] + t, a[k+j] - t
//! ```
//!
//! The factors are operands, or computed.

use freehold_frontend::dialects::{arith, linalg, math};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::{builder_at, element_type, load, loops_around, store};
use crate::rewrite::sequential_loops::build_nest;

pub(super) fn lower(ir: &mut Ir, op: Op) {
    let group = |group| ir.operand_group(op, group).first().copied();
    let coefficients = group(1).zip(group(2));
    let (stage, Some(real), Some(imag)) = (ir.operand(op, 0), group(3), group(4)) else {
        return;
    };
    let element = element_type(ir, real);
    let last = linalg::interface::rank(ir, real) - 1;
    let (around, [zero, length, one]) = loops_around(ir, op, real, last);
    let outermost = match around.variables.is_empty() {
        true => op,
        false => around.outermost(),
    };
    let mut builder = builder_at(ir, op, outermost);
    let whole = builder.value(&arith::SHLI, &[one, stage], Type::INDEX);
    let half = builder.value(&arith::SHRUI, &[whole, one], Type::INDEX);
    let angle = match coefficients {
        Some(_) => None,
        None => Some(first_angle(&mut builder, element, whole)),
    };
    let blocks = [zero, length, whole];
    let nest = build_nest(ir, around.anchor, &[blocks, [zero, half, one]], &[]);

    let mut builder = builder_at(ir, op, nest.anchor);
    let b = &mut builder;
    let (k, j) = (nest.variables[0], nest.variables[1]);
    let (factor_real, factor_imag) = match (coefficients, angle) {
        (Some((real, imag)), _) => (load(b, real, &[j]), load(b, imag, &[j])),
        (None, Some(angle)) => {
            let j = index_to_float(b, j, element);
            let angle = b.value(&arith::MULF, &[angle, j], element);
            (
                b.value(&math::COS, &[angle], element),
                b.value(&math::SIN, &[angle], element),
            )
        }
        (None, None) => unreachable!("without coefficients there is an angle"),
    };
    let lower = b.value(&arith::ADDI, &[k, j], Type::INDEX);
    let upper = b.value(&arith::ADDI, &[lower, half], Type::INDEX);
    let lower = [&around.variables[..], &[lower]].concat();
    let upper = [&around.variables[..], &[upper]].concat();
    let (u_real, u_imag) = (load(b, real, &lower), load(b, imag, &lower));
    let (v_real, v_imag) = (load(b, real, &upper), load(b, imag, &upper));
    let compute = |b: &mut Builder<'_>, def: &'static OpDef, x, y| b.value(def, &[x, y], element);
    let products = [
        compute(b, &arith::MULF, factor_real, v_real),
        compute(b, &arith::MULF, factor_imag, v_imag),
        compute(b, &arith::MULF, factor_real, v_imag),
        compute(b, &arith::MULF, factor_imag, v_real),
    ];
    let t_real = compute(b, &arith::SUBF, products[0], products[1]);
    let t_imag = compute(b, &arith::ADDF, products[2], products[3]);
    for (u, t, buffer) in [(u_real, t_real, real), (u_imag, t_imag, imag)] {
        let sum = compute(b, &arith::ADDF, u, t);
        let difference = compute(b, &arith::SUBF, u, t);
        store(b, sum, buffer, &lower);
        store(b, difference, buffer, &upper);
    }
}

/// `-2 pi / m`
fn first_angle(b: &mut Builder<'_>, element: Type, m: Value) -> Value {
    let circle = -2.0 * std::f64::consts::PI;
    let bits = match element {
        Type::F32 => u128::from((circle as f32).to_bits()),
        _ => u128::from(circle.to_bits()),
    };
    let circle = b
        .context()
        .intern_attr(AttrKind::Float { ty: element, bits });
    let circle = arith::constant_attr(b, circle);
    let m = index_to_float(b, m, element);
    b.value(&arith::DIVF, &[circle, m], element)
}

fn index_to_float(b: &mut Builder<'_>, index: Value, ty: Type) -> Value {
    let integer = b.value(&arith::INDEX_CAST, &[index], Type::I64);
    b.value(&arith::SITOFP, &[integer], ty)
}
