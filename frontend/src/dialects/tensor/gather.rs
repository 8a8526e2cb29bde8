//! Elements and slices at positions that a tensor holds: `gather` and `scatter`.

use crate::dialects::shared::assembly::i64_array;
use crate::ir::constraints::{I64_DENSE_ARRAY_ATTR, RANKED_INDEX_TENSOR, RANKED_TENSOR, UNIT_ATTR};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::TypeKind;
use crate::syntax::printer::type_to_string;

use super::elements::shape_of;

/// `tensor.gather`: the slices of a tensor at the positions in another one.
pub static GATHER: OpDef = const {
    OpDef {
        name: "tensor.gather",
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::one("indices", &RANKED_INDEX_TENSOR),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::GATHER_DIMS, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::optional(Name::UNIQUE, &UNIT_ATTR),
        ],
        verify: |ir, op| {
            let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
            let dims = verify_dims(ir, op, source, &GATHER_FORM)?;
            verify_slices(ir, op, source, result, "result", &dims)
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "gather")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? \
     attr-dict `:` functional-type(operands, results)",
);

/// `tensor.scatter`: a tensor with the slices at the positions in another one replaced.
pub static SCATTER: OpDef = const {
    OpDef {
        name: "tensor.scatter",
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::one("dest", &RANKED_TENSOR),
            ValueSpec::one("indices", &RANKED_INDEX_TENSOR),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::SCATTER_DIMS, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::optional(Name::UNIQUE, &UNIT_ATTR),
        ],
        verify: |ir, op| {
            let (source, dest) = (ir.operand(op, 0), ir.operand(op, 1));
            let dims = verify_dims(ir, op, dest, &SCATTER_FORM)?;
            if !ir.has_attr(op, Name::UNIQUE) {
                return Err("requires 'unique' attribute to be set".into());
            }
            verify_slices(ir, op, dest, source, "source", &dims)
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "scatter")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` \
     $unique^)? attr-dict `:` functional-type(operands, results)",
);

/// In what the two operations differ.
struct Form {
    dims: Name,
    keyword: &'static str,
    /// The indexed operand, as diagnostics call it.
    whole: &'static str,
}

static GATHER_FORM: Form = Form {
    dims: Name::GATHER_DIMS,
    keyword: "gather_dims",
    whole: "source",
};
static SCATTER_FORM: Form = Form {
    dims: Name::SCATTER_DIMS,
    keyword: "scatter_dims",
    whole: "dest",
};

/// Checks the dimensions of `whole` that are indexed, and returns them.
fn verify_dims(ir: &Ir, op: Op, whole: Value, form: &Form) -> Result<Vec<i64>, OpError> {
    let Form {
        keyword,
        whole: name,
        ..
    } = form;
    let rank = shape_of(ir, whole).len();
    let dims = i64_array(ir, op, form.dims);
    if dims.is_empty() {
        return Err(format!("{keyword} must be non-empty").into());
    }
    if dims.len() > rank {
        return Err(format!("{keyword} overflow {name} rank").into());
    }
    for &dim in &dims {
        if dim < 0 {
            return Err(format!("{keyword} value must be non-negative").into());
        }
        if dim as usize >= rank {
            return Err(format!("{keyword} value must be smaller than {name} rank").into());
        }
    }
    if !dims.is_sorted_by(|a, b| a < b) {
        return Err(format!("{keyword} values must be strictly increasing").into());
    }
    Ok(dims)
}

/// Checks that `slices` has one slice of `whole` per position, with or without
/// the dimensions that are indexed.
fn verify_slices(
    ir: &Ir,
    op: Op,
    whole: Value,
    slices: Value,
    name: &str,
    dims: &[i64],
) -> Result<(), OpError> {
    let context = ir.context();
    let Some((_, positions)) = ir
        .operands(op)
        .last()
        .and_then(|&indices| shape_of(ir, indices).split_last())
    else {
        // A scalar holds no position.
        return Err("expected indices to have at least one dimension".into());
    };
    let TypeKind::RankedTensor {
        shape,
        element,
        encoding,
    } = context.type_kind(ir.value_type(whole))
    else {
        return Ok(());
    };
    let expected = |indexed: Option<i64>| {
        let kept = (0..).zip(shape.iter()).filter_map(|(dim, &size)| {
            if dims.binary_search(&dim).is_ok() {
                indexed
            } else {
                Some(size)
            }
        });
        context.intern_type(TypeKind::RankedTensor {
            shape: positions.iter().copied().chain(kept).collect(),
            element: *element,
            encoding: *encoding,
        })
    };
    let (full, reduced, found) = (expected(Some(1)), expected(None), ir.value_type(slices));
    if found == full || found == reduced {
        return Ok(());
    }
    let [full, reduced, found] = [full, reduced, found].map(|ty| type_to_string(context, ty));
    Err(format!(
        "{name} type mismatch: expected '{full}' or its rank-reduced variant '{reduced}' (got: '{found}')"
    )
    .into())
}
