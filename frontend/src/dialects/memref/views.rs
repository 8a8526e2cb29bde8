//! Other looks at the same memory: `cast`, `memory_space_cast`, `subview`,
//! `view`, `bitcast`, `reinterpret_cast`.

use crate::ir::constraints::{I64_DENSE_ARRAY_ATTR, INDEX, MEMREF, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::{DYNAMIC, MemRefType, Type};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::constraints::MEMREF_1D_OF_I8;
use super::{fold, patterns, types};
use crate::dialects::shared::assembly;

fn first_operand(ir: &Ir, op: Op) -> Value {
    ir.operand(op, 0)
}

/// `memref.cast`: says more or less about shape and layout, or drops the rank.
pub static CAST: OpDef = const {
    OpDef {
        name: "memref.cast",
        operands: &[ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("dest", &RANKED_OR_UNRANKED_MEMREF)],
        verify: |ir, op| verify_cast(ir, op, types::cast_compatible),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "cast")),
        view_source: Some(first_operand),
        fold: Some(fold::cast_to_same_type),
        canonicalize: patterns::CAST_CAST,
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($dest)");
op_view!(
    /// View of [`CAST`].
    CastOp, CAST { source: one = 0 }
);

/// `memref.memory_space_cast`: changes the memory space only.
pub static MEMORY_SPACE_CAST: OpDef = const {
    OpDef {
        name: "memref.memory_space_cast",
        operands: &[ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("dest", &RANKED_OR_UNRANKED_MEMREF)],
        verify: |ir, op| verify_cast(ir, op, types::memory_space_cast_compatible),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "memspacecast")),
        view_source: Some(first_operand),
        fold: Some(fold::cast_to_same_type),
        canonicalize: patterns::MEMORY_SPACE_CAST,
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($dest)");
op_view!(
    /// View of [`MEMORY_SPACE_CAST`].
    MemorySpaceCast, MEMORY_SPACE_CAST { source: one = 0 }
);

pub(crate) fn verify_cast(
    ir: &Ir,
    op: Op,
    compatible: fn(&Context, Type, Type) -> bool,
) -> Result<(), OpError> {
    let context = ir.context();
    let (from, to) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    if compatible(context, from, to) {
        return Ok(());
    }
    Err(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        type_to_string(context, from),
        type_to_string(context, to)
    )
    .into())
}

/// Attributes of operations with offsets, sizes and strides.
pub(crate) static OFFSET_SIZE_STRIDE_ATTRIBUTES: &[AttrSpec] = &[
    AttrSpec::required(Name::STATIC_OFFSETS, &I64_DENSE_ARRAY_ATTR),
    AttrSpec::required(Name::STATIC_SIZES, &I64_DENSE_ARRAY_ATTR),
    AttrSpec::required(Name::STATIC_STRIDES, &I64_DENSE_ARRAY_ATTR),
];

/// `memref.subview`: a rectangular part, every n-th element of each dimension.
pub static SUBVIEW: OpDef = const {
    OpDef {
        name: "memref.subview",
        operands: &[
            ValueSpec::one("source", &MEMREF),
            ValueSpec::variadic("offsets", &INDEX),
            ValueSpec::variadic("sizes", &INDEX),
            ValueSpec::variadic("strides", &INDEX),
        ],
        results: &[ValueSpec::one("result", &MEMREF)],
        attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
        verify: verify_subview,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "subview")),
        view_source: Some(first_operand),
        fold: Some(fold::subview),
        canonicalize: patterns::SUBVIEW,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `` mixed-list($offsets, $static_offsets) mixed-list($sizes, $static_sizes) \
     mixed-list($strides, $static_strides) attr-dict `:` type($source) `to` type($result)",
);
op_view!(
    /// View of [`SUBVIEW`].
    Subview, SUBVIEW { source: one = 0, offsets: many = 1, sizes: many = 2, strides: many = 3 }
);

/// Checks the lists of an operation with offsets, sizes and strides; `ranks`
/// says how many entries each must have.
pub(crate) fn verify_lists(ir: &Ir, op: Op, ranks: [usize; 3]) -> Result<(), OpError> {
    let names = [
        Name::STATIC_OFFSETS,
        Name::STATIC_SIZES,
        Name::STATIC_STRIDES,
    ];
    let statics = names.map(|name| assembly::i64_array(ir, op, name));
    let first_group = ir
        .def(op)
        .operands
        .iter()
        .position(|spec| spec.name == "offsets")
        .unwrap_or(1);
    let [n_offsets, n_sizes, n_strides] = [0, 1, 2].map(|i| statics[i].len());
    let mismatch = |a: &str, b: &str, n_a, n_b| {
        OpError::bare(format!(
            "expected mixed {a} rank to match mixed {b} rank ({n_a} vs {n_b}) so the rank of the \
             result type is well-formed."
        ))
    };
    if !(ranks[0] == 1 && n_offsets == 1) && n_offsets != n_sizes {
        return Err(mismatch("offsets", "sizes", n_offsets, n_sizes));
    }
    if n_sizes != n_strides {
        return Err(mismatch("sizes", "strides", n_sizes, n_strides));
    }
    for (i, what) in ["offset", "size", "stride"].into_iter().enumerate() {
        if statics[i].len() != ranks[i] {
            return Err(OpError::bare(format!(
                "expected {} {what} values, got {}",
                ranks[i],
                statics[i].len()
            )));
        }
        let n_dynamic = statics[i].iter().filter(|&&n| n == DYNAMIC).count();
        if ir.operand_group(op, first_group + i).len() != n_dynamic {
            return Err(OpError::bare(format!(
                "expected {n_dynamic} dynamic {what} values"
            )));
        }
    }
    for (list, what) in statics.iter().zip(["offsets", "sizes"]) {
        if let Some(number) = list.iter().find(|&&n| n < 0 && n != DYNAMIC) {
            return Err(OpError::bare(format!(
                "expected {what} to be non-negative, but got {number}"
            )));
        }
    }
    Ok(())
}

fn verify_subview(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (source_value, result_value) = (ir.operand(op, 0), ir.result(op, 0));
    let source = assembly::memref_of(ir, source_value);
    let result = assembly::memref_of(ir, result_value);
    verify_lists(ir, op, [source.rank(); 3])?;
    let show = |value| type_to_string(context, ir.value_type(value));
    if source.space != result.space {
        return Err(OpError::bare(format!(
            "different memory spaces specified for base memref type '{}' and subview memref type \
             '{}'",
            show(source_value),
            show(result_value)
        )));
    }
    let lists = [
        Name::STATIC_OFFSETS,
        Name::STATIC_SIZES,
        Name::STATIC_STRIDES,
    ]
    .map(|name| assembly::i64_array(ir, op, name));
    let Some(expected) =
        types::infer_subview_type(context, source, &lists[0], &lists[1], &lists[2])
    else {
        return Err(OpError::bare(format!(
            "base type '{}' is not strided",
            show(source_value)
        )));
    };
    if result.rank() > expected.rank() {
        // Upstream's wording, final blank included.
        return Err(OpError::bare(
            "expected result rank to be smaller or equal to the source rank. ",
        ));
    }
    let mismatch = |what: &str| {
        OpError::bare(format!(
            "expected result type to be '{}' or a rank-reduced version. (mismatch of result \
             {what}) ",
            type_to_string(context, context.memref_type(expected.clone()))
        ))
    };
    if types::rank_reduction_mask(&expected.shape, &result.shape).is_none() {
        return Err(mismatch("sizes"));
    }
    if expected.element != result.element {
        return Err(OpError::bare(format!(
            "expected result element type to be '{}'",
            type_to_string(context, expected.element)
        )));
    }
    if is_reduced_layout(context, &expected, result) {
        Ok(())
    } else {
        Err(mismatch("layout"))
    }
}

/// Whether offset and strides of `reduced` are those of `full`, except for
/// dimensions that were dropped.
fn is_reduced_layout(context: &Context, full: &MemRefType, reduced: &MemRefType) -> bool {
    let (Some((full_strides, full_offset)), Some((reduced_strides, reduced_offset))) = (
        context.memref_strides(full),
        context.memref_strides(reduced),
    ) else {
        return false;
    };
    let Some(dropped) = types::dropped_dims(context, full, reduced) else {
        return false;
    };
    let kept = full_strides
        .iter()
        .zip(&dropped)
        .filter(|&(_, &dropped)| !dropped)
        .map(|(&stride, _)| stride);
    full_offset == reduced_offset && kept.eq(reduced_strides)
}

/// Which dimensions of the source a rank-reducing subview leaves out.
pub fn subview_dropped_dims(ir: &Ir, op: Op) -> Vec<bool> {
    let context = ir.context();
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let lists = [
        Name::STATIC_OFFSETS,
        Name::STATIC_SIZES,
        Name::STATIC_STRIDES,
    ]
    .map(|name| assembly::i64_array(ir, op, name));
    types::infer_subview_type(context, source, &lists[0], &lists[1], &lists[2])
        .and_then(|full| types::dropped_dims(context, &full, result))
        .unwrap_or_else(|| vec![false; source.rank()])
}

/// `memref.view`: part of a buffer of bytes, as elements of any type.
pub static VIEW: OpDef = const {
    OpDef {
        name: "memref.view",
        operands: &[
            ValueSpec::one("source", &MEMREF_1D_OF_I8),
            ValueSpec::one("byte_shift", &INDEX),
            ValueSpec::variadic("sizes", &INDEX),
        ],
        results: &[ValueSpec::one("", &MEMREF)],
        verify: verify_view,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "view")),
        view_source: Some(first_operand),
        canonicalize: patterns::VIEW,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` \
     type(results)",
);
op_view!(
    /// View of [`VIEW`].
    View, VIEW { source: one = 0, byte_shift: one = 1, sizes: many = 2 }
);

/// `memref.bitcast`: elements as the numbers that they are in memory. Complex numbers become rows of two floats, the real
/// part first, and truth values bytes. Upstream has no such operation; it is made for loops that are to run in vectors,
/// which have no such elements.
pub static BITCAST: OpDef = const {
    OpDef {
        name: "memref.bitcast",
        operands: &[ValueSpec::one("source", &MEMREF)],
        results: &[ValueSpec::one("dest", &MEMREF)],
        verify: |ir, op| verify_cast(ir, op, types::bitcast_compatible),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "bitcast")),
        view_source: Some(first_operand),
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($dest)");

fn verify_view(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let view = View(op);
    let (source_value, result_value) = (view.source(ir), ir.result(op, 0));
    let source = assembly::memref_of(ir, source_value);
    let result = assembly::memref_of(ir, result_value);
    let show = |value| type_to_string(context, ir.value_type(value));
    let message = if !types::has_identity_layout(context, source) {
        format!(
            "unsupported map for base memref type '{}'",
            show(source_value)
        )
    } else if !types::has_identity_layout(context, result) {
        format!(
            "unsupported map for result memref type '{}'",
            show(result_value)
        )
    } else if source.space != result.space {
        format!(
            "different memory spaces specified for base memref type '{}' and view memref type '{}'",
            show(source_value),
            show(result_value)
        )
    } else if view.sizes(ir).len() != result.n_dynamic_dims() {
        format!(
            "incorrect number of size operands for type '{}'",
            show(result_value)
        )
    } else {
        return Ok(());
    };
    Err(OpError::bare(message))
}

/// `memref.reinterpret_cast`: the same allocation with any offset, sizes and strides.
pub static REINTERPRET_CAST: OpDef = const {
    OpDef {
        name: "memref.reinterpret_cast",
        operands: &[
            ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::variadic("offsets", &INDEX),
            ValueSpec::variadic("sizes", &INDEX),
            ValueSpec::variadic("strides", &INDEX),
        ],
        results: &[ValueSpec::one("result", &MEMREF)],
        attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
        verify: verify_reinterpret_cast,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "reinterpret_cast")),
        view_source: Some(first_operand),
        fold: Some(fold::reinterpret_cast),
        canonicalize: patterns::REINTERPRET_CAST,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `to` `offset` `` `:` mixed-list($offsets, $static_offsets) `,` `sizes` `` `:` \
     mixed-list($sizes, $static_sizes) `,` `strides` `` `:` mixed-list($strides, \
     $static_strides) attr-dict `:` type($source) `to` type($result)",
);
op_view!(
    /// View of [`REINTERPRET_CAST`].
    ReinterpretCast, REINTERPRET_CAST {
        source: one = 0, offsets: many = 1, sizes: many = 2, strides: many = 3
    }
);

fn verify_reinterpret_cast(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (source_value, result_value) = (ir.operand(op, 0), ir.result(op, 0));
    let result = assembly::memref_of(ir, result_value);
    verify_lists(ir, op, [1, result.rank(), result.rank()])?;
    let (source_type, result_type) = (ir.value_type(source_value), ir.value_type(result_value));
    let both = || {
        format!(
            "source type '{}' and result memref type '{}'",
            type_to_string(context, source_type),
            type_to_string(context, result_type)
        )
    };
    if memory_space(context, source_type) != result.space {
        return Err(OpError::bare(format!(
            "different memory spaces specified for {}",
            both()
        )));
    }
    if context.element_type_or_self(source_type) != result.element {
        return Err(OpError::bare(format!(
            "different element types specified for {}",
            both()
        )));
    }
    let wrong = |what: &str, expected: i64, found: i64, place: String| {
        Err(OpError::bare(format!(
            "expected result type with {what} = {} instead of {}{place}",
            show_number(expected),
            show_number(found)
        )))
    };
    let sizes = assembly::i64_array(ir, op, Name::STATIC_SIZES);
    for (dim, (&found, &expected)) in result.shape.iter().zip(&sizes).enumerate() {
        if !types::is_compatible(found, expected) {
            return wrong("size", expected, found, format!(" in dim = {dim}"));
        }
    }
    let Some((strides, offset)) = context.memref_strides(result) else {
        return Err(OpError::bare(format!(
            "expected result type to have strided layout but found '{}'",
            type_to_string(context, result_type)
        )));
    };
    let expected_offset = assembly::i64_array(ir, op, Name::STATIC_OFFSETS)[0];
    if !types::is_compatible(offset, expected_offset) {
        return wrong("offset", expected_offset, offset, String::new());
    }
    let expected_strides = assembly::i64_array(ir, op, Name::STATIC_STRIDES);
    for (dim, (&found, &expected)) in strides.iter().zip(&expected_strides).enumerate() {
        if !types::is_compatible(found, expected) {
            return wrong("stride", expected, found, format!(" in dim = {dim}"));
        }
    }
    Ok(())
}

fn show_number(number: i64) -> String {
    if number == DYNAMIC {
        "?".to_owned()
    } else {
        number.to_string()
    }
}

/// The memory space of a ranked or unranked memref type.
pub fn memory_space(context: &Context, ty: Type) -> Option<crate::ir::attrs::Attr> {
    use crate::ir::types::TypeKind;
    match context.type_kind(ty) {
        TypeKind::MemRef(memref) => memref.space,
        TypeKind::UnrankedMemRef { space, .. } => *space,
        _ => None,
    }
}
