//! Making tensors and reading their elements: `empty`, `from_elements`,
//! `splat`, `generate`, `yield`, `extract`, `insert`, `dim`, `rank`.

use smallvec::smallvec;

use crate::dialects::bufferization::{AllocTensor, TO_TENSOR};
use crate::dialects::memref::metadata;
use crate::ir::attrs::Attr;
use crate::ir::constraints::{
    ANY, INDEX, RANKED_TENSOR, TENSOR, is_float, is_ranked_tensor, is_signless_integer_or_index,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::op_def::{
    FoldResult, FoldResults, OpDef, OpError, Pattern, Traits, TypeConstraint, ValueSpec,
};
use crate::ir::rewriter::Rewriter;
use crate::ir::rules;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::op_view;

use super::slices::PAD;

static STATIC_TENSOR: TypeConstraint = TypeConstraint {
    description: "statically shaped tensor of any type values",
    accepts: |context, ty| match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, .. } => !shape.contains(&DYNAMIC),
        _ => false,
    },
    kind: Some(is_ranked_tensor),
    ..TypeConstraint::BASE
};
static TENSOR_WITH_DIMS: TypeConstraint = TypeConstraint {
    description: "non-0-ranked or unranked tensor",
    accepts: |context, ty| match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, .. } => !shape.is_empty(),
        TypeKind::UnrankedTensor(_) => true,
        _ => false,
    },
    ..TypeConstraint::BASE
};
static SCALAR: TypeConstraint = TypeConstraint {
    description: "integer/index/float type",
    accepts: |context, ty| is_signless_integer_or_index(context, ty) || is_float(context, ty),
    ..TypeConstraint::BASE
};

/// The sizes of a value of ranked type.
pub(super) fn shape_of(ir: &Ir, value: Value) -> &[i64] {
    ir.context().shape(ir.value_type(value)).unwrap_or(&[])
}

pub(super) fn element_of(ir: &Ir, value: Value) -> Type {
    ir.context().element_type_or_self(ir.value_type(value))
}

fn n_dynamic(shape: &[i64]) -> usize {
    shape.iter().filter(|&&size| size == DYNAMIC).count()
}

fn no_effects(_: &Ir, _: Op, _: &mut Effects) {}

/// `tensor.empty`: a tensor of which only the shape counts.
pub static EMPTY: OpDef = const {
    OpDef {
        name: "tensor.empty",
        operands: &[ValueSpec::variadic("dynamicSizes", &INDEX)],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        verify: |ir, op| verify_sizes(ir, op, ir.operands(op).len()),
        ..OpDef::PURE
    }
}
.with_format("`(` $dynamicSizes `)` attr-dict `:` type($result)");
op_view!(
    /// View of [`EMPTY`].
    Empty, EMPTY { dynamic_sizes: many = 0 }
);

fn verify_sizes(ir: &Ir, op: Op, n_sizes: usize) -> Result<(), OpError> {
    let expected = n_dynamic(shape_of(ir, ir.result(op, 0)));
    if n_sizes == expected {
        return Ok(());
    }
    Err(format!("incorrect number of dynamic sizes, has {n_sizes}, expected {expected}").into())
}

/// `tensor.from_elements`
pub static FROM_ELEMENTS: OpDef = const {
    OpDef {
        name: "tensor.from_elements",
        operands: &[ValueSpec::variadic("elements", &ANY)],
        results: &[ValueSpec::one("result", &STATIC_TENSOR)],
        verify: |ir, op| {
            let result = ir.result(op, 0);
            let element = element_of(ir, result);
            let n_elements = shape_of(ir, result)
                .iter()
                .try_fold(1i64, |n, &size| n.checked_mul(size));
            let fits = n_elements == i64::try_from(ir.operands(op).len()).ok()
                && ir.operands(op).iter().all(|&v| ir.value_type(v) == element);
            if fits {
                Ok(())
            } else {
                Err("failed to verify that operand types match result element type".into())
            }
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "from_elements")),
        ..OpDef::PURE
    }
}
.with_format("$elements attr-dict `:` type($result) where $elements = element($result)");
op_view!(
    /// View of [`FROM_ELEMENTS`].
    FromElements, FROM_ELEMENTS { elements: many = 0 }
);

/// `tensor.splat`: one value everywhere.
pub static SPLAT: OpDef = const {
    OpDef {
        name: "tensor.splat",
        operands: &[
            ValueSpec::one("input", &SCALAR),
            ValueSpec::variadic("dynamicSizes", &INDEX),
        ],
        results: &[ValueSpec::one("aggregate", &RANKED_TENSOR)],
        verify: |ir, op| {
            if ir.value_type(ir.operand(op, 0)) != element_of(ir, ir.result(op, 0)) {
                return Err(
                    "failed to verify that operand type matches element type of result".into(),
                );
            }
            verify_sizes(ir, op, ir.operands(op).len() - 1)
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "splat")),
        ..OpDef::PURE
    }
}
.with_format(
    "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate) where $input = \
     element($aggregate)",
);
op_view!(
    /// View of [`SPLAT`].
    Splat, SPLAT { input: one = 0, dynamic_sizes: many = 1 }
);

/// `tensor.generate`: each element computed from its indices.
pub static GENERATE: OpDef = const {
    OpDef {
        name: "tensor.generate",
        traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
        operands: &[ValueSpec::variadic("dynamicExtents", &INDEX)],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        regions: (1, 1),
        verify: verify_generate,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "generated")),
        ..OpDef::BASE
    }
}
.with_format("$dynamicExtents region attr-dict `:` type($result)");
op_view!(
    /// View of [`GENERATE`].
    Generate, GENERATE { dynamic_extents: many = 0 }
);

fn verify_generate(ir: &Ir, op: Op) -> Result<(), OpError> {
    let result = ir.result(op, 0);
    let shape = shape_of(ir, result);
    if ir.operands(op).len() != n_dynamic(shape) {
        return Err(OpError::bare(
            "must have as many index operands as dynamic extents in the result type",
        ));
    }
    let Some(block) = ir.single_block(ir.region(op, 0)) else {
        return Err("region #0 ('body') failed to verify constraint: region with 1 blocks".into());
    };
    let arguments = ir.block_args(block);
    if !arguments.iter().all(|&v| ir.value_type(v) == Type::INDEX) {
        return Err(OpError::bare("all body arguments must be index"));
    }
    if arguments.len() != shape.len() {
        return Err(OpError::bare(
            "must have one body argument per input dimension",
        ));
    }
    if yielded_type(ir, block) != Some(element_of(ir, result)) {
        return Err(
            "body must be terminated with a `yield` operation of the tensor element type".into(),
        );
    }
    Ok(())
}

/// The type of the value that the `tensor.yield` at the end of `block` yields.
pub(super) fn yielded_type(ir: &Ir, block: crate::ir::entities::Block) -> Option<Type> {
    let terminator = ir.last_op(block).filter(|&op| ir.is(op, &YIELD))?;
    Some(ir.value_type(ir.operand(terminator, 0)))
}

/// `tensor.yield`: an element of a `generate` or `pad`.
pub static YIELD: OpDef = const {
    OpDef {
        name: "tensor.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::one("value", &ANY)],
        verify: |ir, op| rules::expect_parent(ir, op, &[&GENERATE, &PAD]),
        region_terminator: Some(&RegionTerminatorInterface {
            operands: rules::all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("$value attr-dict `:` type($value)");
op_view!(
    /// View of [`YIELD`].
    Yield, YIELD { value: one = 0 }
);

/// `tensor.extract`: an element.
pub static EXTRACT: OpDef = const {
    OpDef {
        name: "tensor.extract",
        operands: &[
            ValueSpec::one("tensor", &RANKED_TENSOR),
            ValueSpec::variadic("indices", &INDEX),
        ],
        results: &[ValueSpec::one("result", &ANY)],
        verify: |ir, op| {
            let tensor = ir.operand(op, 0);
            if element_of(ir, tensor) != ir.value_type(ir.result(op, 0)) {
                return Err(
                    "failed to verify that result type matches element type of tensor".into(),
                );
            }
            if ir.operands(op).len() - 1 != shape_of(ir, tensor).len() {
                return Err("incorrect number of indices for extract_element".into());
            }
            Ok(())
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "extracted")),
        ..OpDef::PURE
    }
}
.with_format(
    "$tensor `[` $indices `]` attr-dict `:` type($tensor) where $result = element($tensor)",
);
op_view!(
    /// View of [`EXTRACT`].
    Extract, EXTRACT { tensor: one = 0, indices: many = 1 }
);

/// `tensor.insert`: the tensor with another element.
pub static INSERT: OpDef = const {
    OpDef {
        name: "tensor.insert",
        operands: &[
            ValueSpec::one("scalar", &ANY),
            ValueSpec::one("dest", &RANKED_TENSOR),
            ValueSpec::variadic("indices", &INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        verify: |ir, op| {
            let dest = ir.operand(op, 1);
            if ir.value_type(dest) != ir.value_type(ir.result(op, 0)) {
                return Err("failed to verify that result type matches type of dest".into());
            }
            if ir.value_type(ir.operand(op, 0)) != element_of(ir, dest) {
                return Err(
                    "failed to verify that scalar type matches element type of dest".into(),
                );
            }
            if ir.operands(op).len() - 2 != shape_of(ir, dest).len() {
                return Err("incorrect number of indices".into());
            }
            Ok(())
        },
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "inserted")),
        ..OpDef::PURE
    }
}
.with_format(
    "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest) where $scalar = \
     element($dest), $result = type($dest)",
);
op_view!(
    /// View of [`INSERT`].
    Insert, INSERT { scalar: one = 0, dest: one = 1, indices: many = 2 }
);

/// `tensor.dim`: a size. Not speculatable: the dimension may not exist.
pub static DIM: OpDef = const {
    OpDef {
        name: "tensor.dim",
        operands: &[
            ValueSpec::one("source", &TENSOR_WITH_DIMS),
            ValueSpec::one("index", &INDEX),
        ],
        results: &[ValueSpec::one("result", &INDEX)],
        effects: Some(no_effects),
        fold: Some(fold_dim),
        canonicalize: &[Pattern {
            name: "tensor-dim-of-to-tensor",
            apply: dim_of_to_tensor,
        }],
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "dim")),
        ..OpDef::BASE
    }
}
.with_format("attr-dict $source `,` $index `:` type($source)");
op_view!(
    /// View of [`DIM`].
    Dim, DIM { source: one = 0, index: one = 1 }
);

/// dim(to_tensor(%m)) -> memref.dim %m
fn dim_of_to_tensor(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &TO_TENSOR) else {
        return false;
    };
    let operands = [rw.ir.operand(inner, 0), rw.ir.operand(op, 1)];
    let size = rw.value_before(op, &metadata::DIM, &operands, Type::INDEX);
    rw.replace_op(op, &[size]);
    true
}

/// Sizes in the type, and those that an `empty` or `alloc_tensor` was given.
fn fold_dim(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let context = ir.context();
    let source = ir.operand(op, 0);
    let dim = operands[1]
        .and_then(|attr| context.attr_integer(attr))
        .and_then(|dim| usize::try_from(dim).ok());
    let (Some(dim), Some(shape)) = (dim, context.shape(ir.value_type(source))) else {
        return FoldResults::new();
    };
    match shape.get(dim) {
        None => FoldResults::new(),
        Some(&DYNAMIC) => {
            let position = n_dynamic(&shape[..dim]);
            let size = ir.defining_op(source).and_then(|op| {
                if ir.is(op, &EMPTY) {
                    ir.operands(op).get(position).copied()
                } else {
                    let alloc = AllocTensor::cast(ir, op)?;
                    alloc.dynamic_sizes(ir).get(position).copied()
                }
            });
            size.map(FoldResult::Value).into_iter().collect()
        }
        Some(&size) => smallvec![FoldResult::Attr(context.index_attr(size))],
    }
}

/// `tensor.rank`: the number of dimensions.
pub static RANK: OpDef = const {
    OpDef {
        name: "tensor.rank",
        operands: &[ValueSpec::one("tensor", &TENSOR)],
        results: &[ValueSpec::one("", &INDEX)],
        fold: Some(|ir, op, _| {
            let context: &Context = ir.context();
            match context.shape(ir.value_type(ir.operand(op, 0))) {
                Some(shape) => smallvec![FoldResult::Attr(context.index_attr(shape.len() as i64))],
                None => FoldResults::new(),
            }
        }),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "rank")),
        ..OpDef::PURE
    }
}
.with_format("$tensor attr-dict `:` type($tensor)");
op_view!(
    /// View of [`RANK`].
    Rank, RANK { tensor: one = 0 }
);
