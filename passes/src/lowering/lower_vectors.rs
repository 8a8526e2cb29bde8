//! `lower-vectors`: operations on vectors that simpler ones express become those.
//!
//! Before, a sum of products that is a row, and one under a mask that is a number:
//! ```mlir
//! %0 = vector.splat %x : vector<4xf32>
//! %1 = vector.fma %0, %v, %w : vector<4xf32>
//! %3 = vector.contract {indexing_maps = [(j, k) -> (k), (j, k) -> (k, j), (j, k) -> (j)], ...} %a, %b, %1
//!   : vector<1xf32>, vector<1x4xf32> into vector<4xf32>
//! %4 = vector.mask %m { vector.multi_reduction <add>, %3, %x [0] : vector<4xf32> to f32 } : vector<4xi1> -> f32
//! ```
//! After, with `%zeros` of -0.0, which changes no sum:
//! ```mlir
//! %0 = vector.broadcast %x : f32 to vector<4xf32>
//! %1 = math.fma %0, %v, %w : vector<4xf32>
//! %c = vector.shuffle %a, %a [0, 0, 0, 0] : vector<1xf32>, vector<1xf32>
//! %d = vector.shape_cast %b : vector<1x4xf32> to vector<4xf32>
//! %e = arith.mulf %c, %d : vector<4xf32>
//! %3 = arith.addf %1, %e : vector<4xf32>
//! %f = arith.select %m, %3, %zeros : vector<4xi1>, vector<4xf32>
//! %4 = vector.reduction <add>, %f, %x : vector<4xf32> into f32
//! ```
//! `combine.rs` lowers contractions, outer products, scans and reductions save those of floats in order, `masks.rs`
//! masks, `transfers.rs` transfers that permute or repeat dimensions, or may go beyond an edge.
//! `positions.rs` lowers positions that are not known, `bits.rs` bitcasts of odd widths. A row -1 of a `shuffle` is poison, and becomes any.
//! The code generator has no lowerings of its own for these. Products are added in the same order.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::math;
use freehold_frontend::dialects::shared::const_fold::{float, splat_attr};
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::constraints::is_signless_integer_or_index;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

mod bits;
mod combine;
mod masks;
mod nest;
mod positions;
mod transfers;

use super::convert_to_mlir_22::{replace, replace_older};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};

option_words! {
    /// How flat vectors hold matrices.
    pub enum MatrixLayout {
        /// Column after column.
        Columns = "column-major",
        /// Row after row.
        Rows = "row-major",
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// how the flat vectors of `vector.matrix_multiply` and `flat_transpose` hold matrices
        "matrix-layout" matrix_layout: MatrixLayout = MatrixLayout::Columns,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "lower-vectors",
    summary: "replace operations on vectors by simpler ones",
    anchor: Anchor::Function,
    run: |ir, context: &mut PassContext<'_, Options>| {
        let by_rows = context.options.matrix_layout == MatrixLayout::Rows;
        for op in ir.collect_ops(ir.root()) {
            replace_older(ir, op);
            if by_rows && !ir.is_erased(op) {
                transpose_matrices(ir, op);
            }
        }
        for op in ir.collect_ops(ir.root()) {
            lower(ir, op);
        }
        Ok::<(), Failed>(())
    },
};

fn lower(ir: &mut Ir, op: Op) {
    // What is inside of a mask is lowered with that.
    let is_masked = |op| {
        ir.parent_op(op)
            .is_some_and(|parent| ir.is(parent, &vector::MASK))
    };
    if ir.is_erased(op) || is_masked(op) {
        return;
    }
    let is_scalable =
        |&value: &Value| vector::scalable_of(ir.context(), ir.value_type(value)).contains(&true);
    if ir.operands(op).iter().any(is_scalable) {
        return;
    }
    if ir.is(op, &vector::EXTRACT) || ir.is(op, &vector::INSERT) {
        positions::lower(ir, op);
    } else if ir.is(op, &vector::FMA) {
        let operands = ir.operands(op).to_vec();
        replace(ir, op, &math::FMA, &operands);
    } else if ir.is(op, &vector::BITCAST) {
        bits::lower(ir, op);
    } else if ir.is(op, &vector::SHUFFLE) {
        replace_poison(ir, op);
    } else if ir.is(op, &vector::FLAT_TRANSPOSE) {
        lower_transpose(ir, op);
    } else if ir.is(op, &vector::MATRIX_MULTIPLY) {
        lower_product(ir, op);
    } else if ir.is(op, &vector::MASK) {
        if let Some(inner) = masks::lower(ir, op) {
            lower(ir, inner);
        }
    } else if ir.is(op, &vector::TRANSFER_READ) || ir.is(op, &vector::TRANSFER_WRITE) {
        transfers::lower(ir, op);
    } else if ir.is(op, &vector::CONSTANT_MASK) || ir.is(op, &vector::STEP) {
        lower_constant(ir, op);
    } else if ir.is(op, &vector::SCAN) {
        combine::lower_scan(ir, op);
    } else if ir.is(op, &vector::LOAD) {
        let operands = ir.operands(op).to_vec();
        transfers::load_element(ir, op, operands[0], &operands[1..]);
    } else if ir.is(op, &vector::STORE) {
        let operands = ir.operands(op).to_vec();
        transfers::store_element(ir, op, operands[1], &operands[2..]);
    } else {
        lower_combination(ir, op);
    }
}

/// Makes the numbers from zero on, or a mask of known sizes, a constant.
fn lower_constant(ir: &mut Ir, op: Op) {
    let result = ir.result(op, 0);
    let (context, ty) = (ir.context().clone(), ir.value_type(result));
    let sizes = vector::sizes_of(ir, result);
    let bounds = vector::numbers(ir, op, Name::MASK_DIM_SIZES);
    let n: usize = sizes.iter().product();
    if vector::scalable_of(&context, ty).contains(&true) || n > combine::MAX_ELEMENTS {
        return;
    }
    let bytes: Vec<Vec<u8>> = (0..n)
        .map(|i| {
            if bounds.is_empty() {
                return i.to_le_bytes().to_vec();
            }
            let at = vector::coordinates(&sizes, i);
            // That of a vector without dimensions is zero or one.
            let at = at.iter().map(|&c| c as i64).chain([0]);
            vec![u8::from(at.zip(&bounds).all(|(c, &bound)| c < bound))]
        })
        .collect();
    let splat = bytes.windows(2).all(|pair| pair[0] == pair[1]);
    let elements = AttrKind::DenseElements(DenseElements {
        ty,
        splat,
        bytes: bytes[..if splat { 1 } else { n }].concat().into(),
    });
    let attr = context.intern_attr(elements);
    let constant = arith::constant_attr(&mut Builder::before(ir, op), attr);
    ir.replace_op(op, &[constant]);
}

/// Lowers what combines elements.
fn lower_combination(ir: &mut Ir, op: Op) {
    let value = match ir.is(op, &vector::REDUCTION) {
        true => {
            let (kind, first) = (CombiningKind::of(ir, op), ir.operands(op).get(1).copied());
            let vector = ir.operand(op, 0);
            let flags = FastMathFlags::of(ir, op);
            combine::reduce_halves(&mut Builder::before(ir, op), kind, vector, first, flags)
        }
        false => combine::lower(ir, op, op, None),
    };
    if let Some(value) = value {
        ir.replace_op(op, &[value]);
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
fn shape_cast(builder: &mut Builder<'_>, mut value: Value, sizes: &[i64]) -> Value {
    let context = builder.context();
    let element = context.element_type_or_self(builder.ir.value_type(value));
    let ty = vector::vector_type(&context, sizes, element);
    while let Some(cast) = builder.ir.defined_by(value, &vector::SHAPE_CAST) {
        value = builder.ir.operand(cast, 0);
    }
    if builder.ir.value_type(value) == ty {
        return value;
    }
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

/// Makes an operation on matrices by rows one on the transposed matrices, which are the same numbers by columns.
fn transpose_matrices(ir: &mut Ir, op: Op) {
    let swapped = if ir.is(op, &vector::FLAT_TRANSPOSE) {
        [Name::ROWS, Name::COLUMNS]
    } else if ir.is(op, &vector::MATRIX_MULTIPLY) {
        let factors = [ir.operand(op, 1), ir.operand(op, 0)];
        ir.set_operands(op, &factors);
        [Name::LHS_ROWS, Name::RHS_COLUMNS]
    } else {
        return;
    };
    let values = swapped.map(|name| ir.attr(op, name));
    for (name, value) in swapped.into_iter().zip(values.into_iter().rev()) {
        if let Some(value) = value {
            ir.set_attr(op, name, value);
        }
    }
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
    let contract = builder.create(spec);
    let product = builder.ir.result(contract, 0);
    let ty = vector::vector_type(&context, &[columns * rows], element);
    let flat = builder.value(&vector::SHAPE_CAST, &[product], ty);
    ir.replace_op(op, &[flat]);
    lower_combination(ir, contract);
}

/// The bits of what changes nothing when it is added.
fn zero(ir: &Ir, element: Type) -> u128 {
    let kind = ir.context().float_kind(element);
    let negative = kind.and_then(|kind| float::encode(kind, -0.0));
    negative.map_or(0, |(bits, _)| bits)
}
