//! `lower-vectors`: operations on vectors that are others in disguise become those.
//!
//! Before, a product of matrices that are stored column after column:
//! ```mlir
//! %0 = vector.splat %x : vector<4xf32>
//! %1 = vector.fma %0, %v, %w : vector<4xf32>
//! %2 = vector.extractelement %1[%i : index] : vector<4xf32>
//! %3 = vector.flat_transpose %m {columns = 2 : i32, rows = 4 : i32} : vector<8xf32> -> vector<8xf32>
//! %4 = vector.matrix_multiply %a, %b {lhs_columns = 3 : i32, lhs_rows = 2 : i32, rhs_columns = 4 : i32}
//!   : (vector<6xf32>, vector<12xf32>) -> vector<8xf32>
//! ```
//! After, with `%zeros` of -0.0, which changes no sum:
//! ```mlir
//! %0 = vector.broadcast %x : f32 to vector<4xf32>
//! %1 = math.fma %0, %v, %w : vector<4xf32>
//! %2 = vector.extract %1[%i] : f32 from vector<4xf32>
//! %columns = vector.shape_cast %m : vector<8xf32> to vector<2x4xf32>
//! %rows = vector.transpose %columns, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
//! %3 = vector.shape_cast %rows : vector<4x2xf32> to vector<8xf32>
//! %c = vector.shape_cast %a : vector<6xf32> to vector<3x2xf32>
//! %d = vector.shape_cast %b : vector<12xf32> to vector<4x3xf32>
//! %e = vector.contract {indexing_maps = [(c, r, k) -> (k, r), (c, r, k) -> (c, k), (c, r, k) -> (c, r)], ...}
//!   %c, %d, %zeros : vector<3x2xf32>, vector<4x3xf32> into vector<4x2xf32>
//! %4 = vector.shape_cast %e : vector<4x2xf32> to vector<8xf32>
//! ```
//! What is at position -1 is poison: such an `extract` or `insert` becomes `ub.poison`, and such a row of a `shuffle` any.
//! The code generator has no lowerings of its own for these. Products are added in the same order.

use freehold_frontend::dialects::shared::const_fold::{float, splat_attr};
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::dialects::{arith, math, ub};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::constraints::is_signless_integer_or_index;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::convert_to_mlir_22::{replace, replace_older};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "lower-vectors",
    summary: "replace operations on vectors by simpler ones",
    anchor: Anchor::Function,
    run: |ir, _: &mut PassContext<'_>| {
        for op in ir.collect_ops(ir.root()) {
            lower(ir, op);
        }
        Ok::<(), Failed>(())
    },
};

fn lower(ir: &mut Ir, op: Op) {
    if replace_older(ir, op) {
        return;
    }
    if (ir.is(op, &vector::EXTRACT) || ir.is(op, &vector::INSERT))
        && vector::numbers(ir, op, Name::STATIC_POSITION).contains(&-1)
    {
        let ty = ir.value_type(ir.result(op, 0));
        let value = ub::poison_attr(ir.context());
        let mut builder = Builder::before(ir, op);
        let poison = builder.value_with_attr(&ub::POISON, &[], ty, Name::VALUE, value);
        ir.replace_op(op, &[poison]);
        return;
    }
    let has_fixed_sizes = |value: &Value| {
        let kind = ir.context().type_kind(ir.value_type(*value));
        matches!(kind, TypeKind::Vector { scalable, .. } if !scalable.contains(&true))
    };
    if !ir.operands(op).iter().all(has_fixed_sizes) {
        return;
    }
    if ir.is(op, &vector::FMA) {
        let operands = ir.operands(op).to_vec();
        replace(ir, op, &math::FMA, &operands);
    } else if ir.is(op, &vector::SHUFFLE) {
        replace_poison(ir, op);
    } else if ir.is(op, &vector::FLAT_TRANSPOSE) {
        lower_transpose(ir, op);
    } else if ir.is(op, &vector::MATRIX_MULTIPLY) {
        lower_product(ir, op);
    }
}

/// Has a shuffle take any row where it takes none: that row is poison.
fn replace_poison(ir: &mut Ir, op: Op) {
    let mask = vector::numbers(ir, op, Name::MASK);
    if mask.contains(&-1) {
        let context = ir.context().clone();
        let rows = mask.into_iter().map(|row| context.i64_attr(row.max(0)));
        let rows: Vec<_> = rows.collect();
        ir.set_attr(op, Name::MASK, context.array_attr(&rows));
    }
}

/// A vector as one of these sizes.
fn shape_cast(builder: &mut Builder<'_>, value: Value, sizes: &[i64]) -> Value {
    let context = builder.context();
    let element = context.element_type_or_self(builder.ir.value_type(value));
    let ty = vector::vector_type(&context, sizes, element);
    builder.value(&vector::SHAPE_CAST, &[value], ty)
}

fn lower_transpose(ir: &mut Ir, op: Op) {
    let [rows, columns] = vector::transpose_sizes(ir, op).map(|size| size as i64);
    let matrix = ir.operand(op, 0);
    let context = ir.context().clone();
    let element = context.element_type_or_self(ir.value_type(matrix));
    let mut builder = Builder::before(ir, op);
    let matrix = shape_cast(&mut builder, matrix, &[columns, rows]);
    let ty = vector::vector_type(&context, &[rows, columns], element);
    let permutation = context.i64_array_attr(&[1, 0]);
    let operands = [matrix];
    let transposed = builder.value_with_attr(
        &vector::TRANSPOSE,
        &operands,
        ty,
        Name::PERMUTATION,
        permutation,
    );
    let flat = shape_cast(&mut builder, transposed, &[rows * columns]);
    ir.replace_op(op, &[flat]);
}

fn lower_product(ir: &mut Ir, op: Op) {
    let [rows, inner, columns] = vector::product_sizes(ir, op).map(|size| size as i64);
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let context = ir.context().clone();
    let element = context.element_type_or_self(ir.value_type(lhs));
    let ty = vector::vector_type(&context, &[columns, rows], element);
    // Constants have no sign, and neither has code.
    let zeros = match context.float_kind(element) {
        None if !is_signless_integer_or_index(&context, element) => None,
        _ => splat_attr(&context, ty, zero(ir, element)),
    };
    let Some(zeros) = zeros else {
        return;
    };
    let mut builder = Builder::before(ir, op);
    let lhs = shape_cast(&mut builder, lhs, &[inner, rows]);
    let rhs = shape_cast(&mut builder, rhs, &[columns, inner]);
    let zeros = arith::constant_attr(&mut builder, zeros);
    // Columns and rows of the result, and what is added up.
    let maps = [[2, 1], [0, 2], [0, 1]].map(|dims| {
        context.affine_map_attr(AffineMap {
            n_dims: 3,
            n_symbols: 0,
            results: dims.map(AffineExpr::Dim).to_vec(),
        })
    });
    let iterators = ["parallel", "parallel", "reduction"]
        .map(|keyword| vector::iterator_type(&context, keyword));
    let spec = builder
        .spec(&vector::CONTRACT)
        .operands(&[lhs, rhs, zeros])
        .results(&[ty])
        .attr(Name::INDEXING_MAPS, context.array_attr(&maps))
        .attr(Name::ITERATOR_TYPES, context.array_attr(&iterators))
        .attr(Name::KIND, CombiningKind::Add.to_attr(&context));
    let product = builder.create(spec);
    let product = builder.ir.result(product, 0);
    let flat = shape_cast(&mut builder, product, &[columns * rows]);
    ir.replace_op(op, &[flat]);
}

/// The bits of what changes nothing when it is added.
fn zero(ir: &Ir, element: Type) -> u128 {
    let kind = ir.context().float_kind(element);
    let negative = kind.and_then(|kind| float::encode(kind, -0.0));
    negative.map_or(0, |(bits, _)| bits)
}
