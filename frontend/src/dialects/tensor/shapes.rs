//! Tensors with the same elements under another type: `cast`, `bitcast`,
//! `collapse_shape`, `expand_shape`, `reshape`, and `concat`.

use crate::dialects::memref::constraints::INDEX_LISTS;
use crate::dialects::memref::views::verify_cast;
use crate::dialects::memref::{fold, types};
use crate::dialects::shared::assembly;
use crate::ir::constraints::{
    I64_ATTR, I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR, TENSOR, is_signless_integer_or_index,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, TypeConstraint, ValueSpec};
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::elements::{element_of, shape_of};
use super::reshapes;

static SHAPE_TENSOR: TypeConstraint = TypeConstraint {
    description: "1D tensor of signless integer or index values",
    accepts: |context, ty| match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, element, .. } => {
            shape.len() == 1 && is_signless_integer_or_index(context, *element)
        }
        _ => false,
    },
    ..TypeConstraint::BASE
};

/// Whether two types may be one shape at run time.
fn shapes_compatible(context: &Context, a: Type, b: Type) -> bool {
    match (context.shape(a), context.shape(b)) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| types::is_compatible(a, b))
        }
        _ => true,
    }
}

fn cast_compatible(context: &Context, from: Type, to: Type) -> bool {
    context.element_type_or_self(from) == context.element_type_or_self(to)
        && shapes_compatible(context, from, to)
}

fn bit_width(context: &Context, ty: Type) -> Option<u32> {
    let element = context.element_type_or_self(ty);
    match context.float_kind(element) {
        Some(kind) => Some(kind.width()),
        None => context
            .integer_width(element)
            .filter(|_| element != Type::INDEX),
    }
}

fn bitcast_compatible(context: &Context, from: Type, to: Type) -> bool {
    bit_width(context, from).is_some()
        && bit_width(context, from) == bit_width(context, to)
        && shapes_compatible(context, from, to)
}

/// `tensor.cast`: says more or less about the shape.
pub static CAST: OpDef = const {
    OpDef {
        name: "tensor.cast",
        operands: &[ValueSpec::one("source", &TENSOR)],
        results: &[ValueSpec::one("dest", &TENSOR)],
        verify: |ir, op| verify_cast(ir, op, cast_compatible),
        fold: Some(fold::cast_to_same_type),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "cast")),
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($dest)");
op_view!(
    /// View of [`CAST`].
    CastOp, CAST { source: one = 0 }
);

/// `tensor.bitcast`: reads the bits of each element as another type.
pub static BITCAST: OpDef = const {
    OpDef {
        name: "tensor.bitcast",
        operands: &[ValueSpec::one("source", &TENSOR)],
        results: &[ValueSpec::one("dest", &TENSOR)],
        verify: |ir, op| verify_cast(ir, op, bitcast_compatible),
        fold: Some(fold::cast_to_same_type),
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($dest)");
op_view!(
    /// View of [`BITCAST`].
    Bitcast, BITCAST { source: one = 0 }
);

/// `tensor.collapse_shape`: merges dimensions.
pub static COLLAPSE_SHAPE: OpDef = const {
    OpDef {
        name: "tensor.collapse_shape",
        operands: &[ValueSpec::one("src", &TENSOR)],
        results: &[ValueSpec::one("result", &TENSOR)],
        attributes: &[AttrSpec::required(Name::REASSOCIATION, &INDEX_LISTS)],
        verify: |ir, op| verify_reassociation(ir, op, ir.operand(op, 0), ir.result(op, 0)),
        fold: Some(fold::cast_to_same_type),
        canonicalize: reshapes::COLLAPSE,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "collapsed")),
        ..OpDef::PURE
    }
}
.with_format("$src $reassociation attr-dict `:` type($src) `into` type($result)");
op_view!(
    /// View of [`COLLAPSE_SHAPE`].
    CollapseShape, COLLAPSE_SHAPE { source: one = 0 }
);

/// `tensor.expand_shape`: splits dimensions.
pub static EXPAND_SHAPE: OpDef = const {
    OpDef {
        name: "tensor.expand_shape",
        operands: &[
            ValueSpec::one("src", &TENSOR),
            ValueSpec::variadic("output_shape", &INDEX),
        ],
        results: &[ValueSpec::one("result", &TENSOR)],
        attributes: &[
            AttrSpec::required(Name::REASSOCIATION, &INDEX_LISTS),
            AttrSpec::required(Name::STATIC_OUTPUT_SHAPE, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify_expand_shape,
        fold: Some(fold::cast_to_same_type),
        canonicalize: reshapes::EXPAND,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "expanded")),
        ..OpDef::PURE
    }
}
.with_format(
    "$src $reassociation `output_shape` mixed-list($output_shape, $static_output_shape) \
     attr-dict `:` type($src) `into` type($result)",
);
op_view!(
    /// View of [`EXPAND_SHAPE`].
    ExpandShape, EXPAND_SHAPE { source: one = 0, output_shape: many = 1 }
);

fn verify_expand_shape(ir: &Ir, op: Op) -> Result<(), OpError> {
    let rank = shape_of(ir, ir.result(op, 0)).len();
    let statics = assembly::i64_array(ir, op, Name::STATIC_OUTPUT_SHAPE);
    if statics.len() != rank {
        return Err(format!(
            "expected number of static shape dims to be equal to the output rank ({rank}) but \
             found {} inputs instead",
            statics.len()
        )
        .into());
    }
    let n_dynamic = statics.iter().filter(|&&size| size == DYNAMIC).count();
    let n_values = ir.operands(op).len() - 1;
    if n_values != n_dynamic {
        return Err(format!(
            "mismatch in dynamic dims in output_shape and static_output_shape: \
             static_output_shape has {n_dynamic} dynamic dims while output_shape has {n_values} \
             values"
        )
        .into());
    }
    verify_reassociation(ir, op, ir.result(op, 0), ir.operand(op, 0))
}

/// Checks that the groups of `op` make `expanded` out of `collapsed`.
fn verify_reassociation(ir: &Ir, op: Op, expanded: Value, collapsed: Value) -> Result<(), OpError> {
    let context = ir.context();
    let (expanded_type, collapsed_type) = (ir.value_type(expanded), ir.value_type(collapsed));
    let (Some(large), Some(small)) = (context.shape(expanded_type), context.shape(collapsed_type))
    else {
        return Err("expected ranked tensor types".into());
    };
    if context.element_type_or_self(expanded_type) != context.element_type_or_self(collapsed_type) {
        return Err(format!(
            "expected element type to be '{}'",
            type_to_string(context, context.element_type_or_self(expanded_type))
        )
        .into());
    }
    if large.len() < small.len() {
        return Err(format!(
            "expected the expanded type, '{}' to have a higher (or same) rank than the collapsed \
             type, '{}'.",
            type_to_string(context, expanded_type),
            type_to_string(context, collapsed_type)
        )
        .into());
    }
    let groups = assembly::reassociation(ir, op);
    if groups.len() != small.len() {
        return Err(format!(
            "expected collapsed rank ({}) to equal the number of reassociation maps ({}).",
            small.len(),
            groups.len()
        )
        .into());
    }
    let n_members = groups.iter().flatten().max().map_or(0, |&last| last + 1);
    if !groups.is_empty() && n_members != large.len() as i64 {
        return Err(format!(
            "expected reassociation map #0 to have size equal to the expanded rank ({}), but it \
             is  {n_members}.",
            large.len()
        )
        .into());
    }
    let mut next = 0;
    for (i, (group, &size)) in groups.iter().zip(small).enumerate() {
        let mut product = 1i64;
        let mut is_dynamic = false;
        for &dim in group {
            if dim != next {
                return Err(
                    format!("expected reassociation map #{i} to be valid and contiguous.").into(),
                );
            }
            match large[next as usize] {
                DYNAMIC => is_dynamic = true,
                size => product = product.saturating_mul(size),
            }
            next += 1;
        }
        if is_dynamic && size != DYNAMIC {
            return Err(format!(
                "expected dimension {i} of collapsed type to be dynamic since one or more of the \
                 corresponding dimensions in the expanded type is dynamic"
            )
            .into());
        }
        if !is_dynamic && size != product {
            return Err(format!(
                "expected dimension {i} of collapsed type to be static value of {product}"
            )
            .into());
        }
    }
    Ok(())
}

/// `tensor.reshape`: a shape that is itself a tensor.
pub static RESHAPE: OpDef = const {
    OpDef {
        name: "tensor.reshape",
        operands: &[
            ValueSpec::one("source", &TENSOR),
            ValueSpec::one("shape", &SHAPE_TENSOR),
        ],
        results: &[ValueSpec::one("result", &TENSOR)],
        verify: verify_reshape,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "reshape")),
        ..OpDef::PURE
    }
}
.with_format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)");
op_view!(
    /// View of [`RESHAPE`].
    Reshape, RESHAPE { source: one = 0, shape: one = 1 }
);

fn verify_reshape(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    if element_of(ir, source) != element_of(ir, result) {
        return Err(
            "element types of source and destination tensor types should be the same".into(),
        );
    }
    let Some(result) = context.shape(ir.value_type(result)) else {
        return Ok(());
    };
    let n_elements = |shape: &[i64]| -> Option<i64> {
        shape.iter().try_fold(1i64, |n, &size| {
            (size != DYNAMIC).then(|| n.checked_mul(size)).flatten()
        })
    };
    let source = context.shape(ir.value_type(source)).and_then(n_elements);
    if let (Some(from), Some(to)) = (source, n_elements(result))
        && from != to
    {
        return Err("source and destination tensor should have the same number of elements".into());
    }
    match shape_of(ir, ir.operand(op, 1)) {
        [DYNAMIC] => Err(
            "cannot use shape operand with dynamic length to reshape to \
                          statically-ranked tensor type"
                .into(),
        ),
        [length] if *length != result.len() as i64 => {
            Err("length of shape operand differs from the result's tensor rank".into())
        }
        _ => Ok(()),
    }
}

/// `tensor.concat`: tensors one after the other along a dimension.
pub static CONCAT: OpDef = const {
    OpDef {
        name: "tensor.concat",
        operands: &[ValueSpec::variadic("inputs", &RANKED_TENSOR)],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: &[AttrSpec::required(Name::DIM, &I64_ATTR)],
        verify: verify_concat,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "concat")),
        ..OpDef::PURE
    }
}
.with_format("`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)");
op_view!(
    /// View of [`CONCAT`].
    Concat, CONCAT { inputs: many = 0 }
);

fn verify_concat(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let result = ir.result(op, 0);
    let shape = shape_of(ir, result);
    let inputs = ir.operands(op);
    let Some(&first) = inputs.first() else {
        return Err("requires at least one input".into());
    };
    if inputs.iter().any(|&v| shape_of(ir, v).len() != shape.len()) {
        return Err("rank of concatenated inputs must match result rank".into());
    }
    if inputs
        .iter()
        .any(|&v| element_of(ir, v) != element_of(ir, result))
    {
        return Err("inputs and result element type must match".into());
    }
    let dim = ir
        .attr(op, Name::DIM)
        .and_then(|attr| context.attr_integer(attr))
        .and_then(|dim| usize::try_from(dim).ok())
        .filter(|&dim| dim < shape.len())
        .ok_or("concatenation dim must be less than the tensor rank")?;
    let mut inferred = shape_of(ir, first).to_vec();
    for &input in &inputs[1..] {
        for (at, (size, &next)) in inferred.iter_mut().zip(shape_of(ir, input)).enumerate() {
            if at == dim {
                *size = types::saturating_add(*size, next);
            } else if !types::is_compatible(*size, next) {
                return Err(format!(
                    "static concatenation size mismatch along non-concatenated dimension {at}"
                )
                .into());
            } else if *size == DYNAMIC {
                *size = next;
            }
        }
    }
    if inferred
        .iter()
        .zip(shape)
        .all(|(&a, &b)| types::is_compatible(a, b))
    {
        return Ok(());
    }
    let inferred = context.intern_type(TypeKind::RankedTensor {
        shape: inferred.into(),
        element: element_of(ir, result),
        encoding: None,
    });
    // Upstream's wording, missing blank included.
    Err(format!(
        "result type '{}'does not match inferred shape '{}' static sizes",
        type_to_string(context, ir.value_type(result)),
        type_to_string(context, inferred)
    )
    .into())
}
