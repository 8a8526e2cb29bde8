//! Operations that vector units have instructions for: products and transposes of matrices that are
//! written as vectors of one dimension, and fixed parts of scalable vectors.

use super::{is_vector, scalable_of, shape_of};
use crate::ir::constraints::{self, I32_ATTR, I64_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, TypeConstraint, ValueSpec};
use crate::ir::types::Type;

static FLAT_MATRIX: TypeConstraint = TypeConstraint {
    description: "vector of signless integer or signed integer or index or floating-point values \
                  of ranks 1",
    accepts: |context, ty| {
        let element = context.element_type_or_self(ty);
        is_vector(context, ty)
            && shape_of(context, ty).len() == 1
            && (constraints::is_signless_integer_or_index(context, element)
                || constraints::is_float(context, element)
                || super::attributes::is_integer(context, element))
    },
    kind: Some(constraints::is_vector),
    ..TypeConstraint::BASE
};
static VECTOR_1D: TypeConstraint = TypeConstraint {
    description: "of ranks 1",
    accepts: |context, ty| is_vector(context, ty) && shape_of(context, ty).len() == 1,
    kind: Some(constraints::is_vector),
    ..TypeConstraint::BASE
};
static SCALABLE_1D: TypeConstraint = TypeConstraint {
    description: "of ranks 1",
    accepts: |context, ty| scalable_of(context, ty) == [true],
    kind: Some(constraints::is_vector),
    ..TypeConstraint::BASE
};

/// The product of two matrices, each in column-major order in a vector, LLVM's default.
pub static MATRIX_MULTIPLY: OpDef = const {
    OpDef {
        name: "vector.matrix_multiply",
        operands: &[
            ValueSpec::one("lhs", &FLAT_MATRIX),
            ValueSpec::one("rhs", &FLAT_MATRIX),
        ],
        results: &[ValueSpec::one("res", &FLAT_MATRIX)],
        attributes: &[
            AttrSpec::required(Name::LHS_ROWS, &I32_ATTR),
            AttrSpec::required(Name::LHS_COLUMNS, &I32_ATTR),
            AttrSpec::required(Name::RHS_COLUMNS, &I32_ATTR),
        ],
        verify: verify_multiply,
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)");

/// The transpose of a matrix in column-major order in a vector, LLVM's default.
pub static FLAT_TRANSPOSE: OpDef = const {
    OpDef {
        name: "vector.flat_transpose",
        operands: &[ValueSpec::one("matrix", &FLAT_MATRIX)],
        results: &[ValueSpec::one("res", &FLAT_MATRIX)],
        attributes: &[
            AttrSpec::required(Name::ROWS, &I32_ATTR),
            AttrSpec::required(Name::COLUMNS, &I32_ATTR),
        ],
        verify: verify_transpose,
        ..OpDef::PURE
    }
}
.with_format("$matrix attr-dict `:` type($matrix) `->` type($res)");

/// A scalable vector with a part replaced.
pub static SCALABLE_INSERT: OpDef = const {
    OpDef {
        name: "vector.scalable.insert",
        operands: &[
            ValueSpec::one("source", &VECTOR_1D),
            ValueSpec::one("dest", &SCALABLE_1D),
        ],
        results: &[ValueSpec::one("res", &SCALABLE_1D)],
        attributes: &[AttrSpec::required(Name::POS, &I64_ATTR)],
        verify: |ir, op| {
            let source = ir.value_type(ir.operand(op, 0));
            let dest = ir.value_type(ir.operand(op, 1));
            verify_part(ir, op, source, dest, "dest", "source")?;
            if ir.value_type(ir.result(op, 0)) != dest {
                return Err("failed to verify that all of {dest, res} have same type".into());
            }
            Ok(())
        },
        ..OpDef::PURE
    }
}
.with_format(
    "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest) where $res \
     = type($dest)",
);

/// A part of a scalable vector.
pub static SCALABLE_EXTRACT: OpDef = const {
    OpDef {
        name: "vector.scalable.extract",
        operands: &[ValueSpec::one("source", &SCALABLE_1D)],
        results: &[ValueSpec::one("res", &VECTOR_1D)],
        attributes: &[AttrSpec::required(Name::POS, &I64_ATTR)],
        verify: |ir, op| {
            let source = ir.value_type(ir.operand(op, 0));
            let result = ir.value_type(ir.result(op, 0));
            verify_part(ir, op, result, source, "res", "result")
        },
        ..OpDef::PURE
    }
}
.with_format("$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)");

fn number(ir: &Ir, op: Op, name: Name) -> i128 {
    ir.attr(op, name)
        .and_then(|attr| ir.context().attr_integer(attr))
        .unwrap_or(0)
}

/// The numbers of rows of the first matrix, of columns of the first (and rows of the second), and of
/// columns of the second matrix of a product.
pub fn product_sizes(ir: &Ir, op: Op) -> [i128; 3] {
    [Name::LHS_ROWS, Name::LHS_COLUMNS, Name::RHS_COLUMNS].map(|name| number(ir, op, name))
}

/// The numbers of rows and columns of the matrix that an operation transposes.
pub fn transpose_sizes(ir: &Ir, op: Op) -> [i128; 2] {
    [Name::ROWS, Name::COLUMNS].map(|name| number(ir, op, name))
}

fn element(context: &Context, ty: Type) -> Type {
    context.element_type_or_self(ty)
}

/// An error unless a vector has as many elements as a matrix.
fn verify_size(ir: &Ir, ty: Type, rows: i128, columns: i128, what: &str) -> Result<(), OpError> {
    let size = shape_of(ir.context(), ty).first().copied().unwrap_or(1);
    let is_matrix = rows > 0 && columns > 0 && rows * columns == i128::from(size);
    if is_matrix {
        return Ok(());
    }
    Err(format!("expected {what} to have {rows} x {columns} elements, but it has {size}").into())
}

fn verify_multiply(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let lhs = ir.value_type(ir.operand(op, 0));
    let rhs = ir.value_type(ir.operand(op, 1));
    let result = ir.value_type(ir.result(op, 0));
    for (name, operand) in [("lhs", lhs), ("rhs", rhs)] {
        if element(context, operand) != element(context, result) {
            return Err(format!(
                "failed to verify that {name} operand and result have same element type"
            )
            .into());
        }
    }
    let [rows, inner, columns] = product_sizes(ir, op);
    verify_size(ir, lhs, rows, inner, "lhs")?;
    verify_size(ir, rhs, inner, columns, "rhs")?;
    verify_size(ir, result, rows, columns, "result")
}

fn verify_transpose(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let source = ir.value_type(ir.operand(op, 0));
    let result = ir.value_type(ir.result(op, 0));
    if element(context, source) != element(context, result) {
        return Err(
            "failed to verify that source operand and result have same element type".into(),
        );
    }
    let [rows, columns] = transpose_sizes(ir, op);
    verify_size(ir, source, rows, columns, "matrix")?;
    verify_size(ir, result, rows, columns, "result")
}

fn verify_part(
    ir: &Ir,
    op: Op,
    part: Type,
    whole: Type,
    other: &str,
    what: &str,
) -> Result<(), OpError> {
    let context = ir.context();
    if element(context, part) != element(context, whole) {
        return Err(format!(
            "failed to verify that all of {{source, {other}}} have same element type"
        )
        .into());
    }
    let length = i128::from(shape_of(context, part).first().copied().unwrap_or(1));
    let position = number(ir, op, Name::POS);
    if length == 0 || position % length != 0 {
        return Err(
            format!("failed to verify that position is a multiple of the {what} length.").into(),
        );
    }
    Ok(())
}
