//! Parts of tensors: `extract_slice`, `insert_slice`, `parallel_insert_slice`
//! and `pad`.

use smallvec::smallvec;

use crate::dialects::memref::offset_size_stride::{dynamic_values, mix, static_values};
use crate::dialects::memref::views::{OFFSET_SIZE_STRIDE_ATTRIBUTES, verify_lists};
use crate::dialects::memref::{MixedIndex, OffsetSizeStride, types};
use crate::dialects::shared::assembly;
use crate::ir::attrs::Attr;
use crate::ir::constraints::{I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR, UNIT_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, FoldResult, FoldResults, OpDef, OpError, Traits, ValueSpec};
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::elements::{element_of, shape_of, yielded_type};

/// `tensor.extract_slice`: a rectangular part.
pub static EXTRACT_SLICE: OpDef = const {
    OpDef {
        name: "tensor.extract_slice",
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::variadic("offsets", &INDEX),
            ValueSpec::variadic("sizes", &INDEX),
            ValueSpec::variadic("strides", &INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
        verify: |ir, op| {
            let source = ir.operand(op, 0);
            verify_lists(ir, op, [shape_of(ir, source).len(); 3])?;
            verify_slice(ir, op, source, ir.result(op, 0))
        },
        fold: Some(fold_whole_slice),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "extracted_slice")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source `` mixed-list($offsets, $static_offsets) mixed-list($sizes, $static_sizes) \
     mixed-list($strides, $static_strides) attr-dict `:` type($source) `to` type($result)",
);
op_view!(
    /// View of [`EXTRACT_SLICE`].
    ExtractSlice, EXTRACT_SLICE {
        source: one = 0, offsets: many = 1, sizes: many = 2, strides: many = 3
    }
);

/// A slice that is all of a tensor: extracting it gives that tensor, inserting it gives its source.
fn fold_whole_slice(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    let ty = ir.value_type(source);
    let shape = shape_of(ir, source);
    let is_whole = ty == ir.value_type(ir.result(op, 0))
        && !shape.contains(&DYNAMIC)
        && OffsetSizeStride::of(ir, op).is_some_and(|lists| {
            let all = |list: &[MixedIndex], number| {
                list.iter().all(|index| index.constant(ir) == Some(number))
            };
            all(&lists.offsets, 0) && all(&lists.strides, 1)
        });
    match is_whole {
        true => smallvec![FoldResult::Value(source)],
        false => FoldResults::new(),
    }
}

/// Checks that `slice` is the part of `whole` that the lists of `op` say,
/// maybe without dimensions of size 1.
fn verify_slice(ir: &Ir, op: Op, whole: Value, slice: Value) -> Result<(), OpError> {
    let context = ir.context();
    let sizes = assembly::i64_array(ir, op, Name::STATIC_SIZES);
    let shape = shape_of(ir, slice);
    if shape.len() > sizes.len() {
        // Upstream's wording, final blank included.
        return Err(OpError::bare(
            "expected rank to be smaller or equal to the other rank. ",
        ));
    }
    if types::rank_reduction_mask(&sizes, shape).is_none() {
        let expected = context.intern_type(TypeKind::RankedTensor {
            shape: sizes.into(),
            element: element_of(ir, whole),
            encoding: None,
        });
        return Err(OpError::bare(format!(
            "expected type to be '{}' or a rank-reduced version. (size mismatch) ",
            type_to_string(context, expected)
        )));
    }
    if element_of(ir, slice) != element_of(ir, whole) {
        return Err(OpError::bare(format!(
            "expected element type to be '{}'",
            type_to_string(context, element_of(ir, whole))
        )));
    }
    Ok(())
}

static INSERT_SLICE_OPERANDS: &[ValueSpec] = &[
    ValueSpec::one("source", &RANKED_TENSOR),
    ValueSpec::one("dest", &RANKED_TENSOR),
    ValueSpec::variadic("offsets", &INDEX),
    ValueSpec::variadic("sizes", &INDEX),
    ValueSpec::variadic("strides", &INDEX),
];

/// `tensor.insert_slice`: a tensor with a part of it replaced.
pub static INSERT_SLICE: OpDef = const {
    OpDef {
        name: "tensor.insert_slice",
        operands: INSERT_SLICE_OPERANDS,
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
        verify: |ir, op| {
            if ir.value_type(ir.operand(op, 1)) != ir.value_type(ir.result(op, 0)) {
                return Err("failed to verify that expected result type to match dest type".into());
            }
            verify_insert_slice(ir, op)
        },
        fold: Some(fold_whole_slice),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "inserted_slice")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source `into` $dest `` mixed-list($offsets, $static_offsets) mixed-list($sizes, \
     $static_sizes) mixed-list($strides, $static_strides) attr-dict `:` type($source) `into` \
     type($dest) where $result = type($dest)",
);
op_view!(
    /// View of [`INSERT_SLICE`].
    InsertSlice, INSERT_SLICE {
        source: one = 0, dest: one = 1, offsets: many = 2, sizes: many = 3, strides: many = 4
    }
);

/// `tensor.parallel_insert_slice`: what an iteration of a parallel loop
/// contributes to a result of the loop.
pub static PARALLEL_INSERT_SLICE: OpDef = const {
    OpDef {
        name: "tensor.parallel_insert_slice",
        operands: INSERT_SLICE_OPERANDS,
        attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
        verify: |ir, op| {
            let is_combining = |&parent: &Op| ir.op_name(parent) == "scf.forall.in_parallel";
            let Some(combining) = ir.parent_op(op).filter(is_combining) else {
                return Err(OpError::bare(
                    "expected ParallelCombiningOpInterface parent",
                ));
            };
            verify_insert_slice(ir, op)?;
            let destination = ir.operand(op, 1);
            let is_output = ir.defining_op(destination).is_none()
                && ir.value_block(destination) == ir.block_of(combining);
            match is_output {
                true => Ok(()),
                false => Err("may only insert into an output block argument".into()),
            }
        },
        // The result is the loop's: without an effect this would be dead.
        effects: Some(|_, _, effects| effects.add(EffectKind::Write, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format(
    "$source `into` $dest `` mixed-list($offsets, $static_offsets) mixed-list($sizes, \
     $static_sizes) mixed-list($strides, $static_strides) attr-dict `:` type($source) `into` \
     type($dest)",
);
op_view!(
    /// View of [`PARALLEL_INSERT_SLICE`].
    ParallelInsertSlice, PARALLEL_INSERT_SLICE {
        source: one = 0, dest: one = 1, offsets: many = 2, sizes: many = 3, strides: many = 4
    }
);

fn verify_insert_slice(ir: &Ir, op: Op) -> Result<(), OpError> {
    let dest = ir.operand(op, 1);
    verify_lists(ir, op, [shape_of(ir, dest).len(); 3])?;
    verify_slice(ir, op, dest, ir.operand(op, 0))
}

/// `tensor.pad`: a tensor with a margin.
pub static PAD: OpDef = const {
    OpDef {
        name: "tensor.pad",
        traits: Traits::SINGLE_BLOCK.and(Traits::SPECULATABLE),
        operands: &[
            ValueSpec::one("source", &RANKED_TENSOR),
            ValueSpec::variadic("low", &INDEX),
            ValueSpec::variadic("high", &INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::STATIC_LOW, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::required(Name::STATIC_HIGH, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::optional(Name::NOFOLD, &UNIT_ATTR),
        ],
        regions: (1, 1),
        verify: verify_pad,
        fold: Some(fold_no_margin),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "padded")),
        ..OpDef::PURE
    }
}
.with_format(
    "$source (`nofold` $nofold^)? `low` `` mixed-list($low, $static_low) `high` `` \
     mixed-list($high, $static_high) region attr-dict `:` type($source) `to` type($result)",
);
op_view!(
    /// View of [`PAD`].
    Pad, PAD { source: one = 0, low: many = 1, high: many = 2 }
);

/// A pad that adds nothing.
fn fold_no_margin(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    let is_same = ir.value_type(source) == ir.value_type(ir.result(op, 0))
        && !shape_of(ir, source).contains(&DYNAMIC)
        && !ir.has_attr(op, Name::NOFOLD);
    let (low, high) = Pad(op).margins(ir);
    let mut margins = low.iter().chain(&high);
    match is_same && margins.all(|margin| margin.constant(ir) == Some(0)) {
        true => smallvec![FoldResult::Value(source)],
        false => FoldResults::new(),
    }
}

impl Pad {
    /// How many elements are put before and behind those of the source, in each dimension.
    pub fn margins(self, ir: &Ir) -> (Vec<MixedIndex>, Vec<MixedIndex>) {
        let list = |name, values| mix(&assembly::i64_array(ir, self.0, name), values);
        (
            list(Name::STATIC_LOW, self.low(ir)),
            list(Name::STATIC_HIGH, self.high(ir)),
        )
    }
}

/// Adds margins to `spec`, which has its other operands already.
#[must_use]
pub fn with_margins(
    context: &Context,
    mut spec: OpSpec,
    low: &[MixedIndex],
    high: &[MixedIndex],
) -> OpSpec {
    let mut segments = vec![1; spec.operands.len()];
    for (list, name) in [(low, Name::STATIC_LOW), (high, Name::STATIC_HIGH)] {
        let values = dynamic_values(list);
        segments.push(values.len());
        spec.operands.extend_from_slice(&values);
        spec.set_attr(name, context.i64_array_attr(&static_values(list)));
    }
    assembly::set_segments(context, &mut spec, &segments);
    spec
}

fn verify_pad(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let pad = Pad(op);
    let (source, result) = (pad.source(ir), ir.result(op, 0));
    let show = |value| type_to_string(context, ir.value_type(value));
    let (from, to) = (shape_of(ir, source), shape_of(ir, result));
    let low = assembly::i64_array(ir, op, Name::STATIC_LOW);
    let high = assembly::i64_array(ir, op, Name::STATIC_HIGH);
    if low.len() != from.len() || high.len() != from.len() {
        return Err(OpError::bare(format!(
            "failed to infer expectedType from sourceType '{}', specified resultType is '{}'",
            show(source),
            show(result)
        )));
    }
    let inferred: Vec<i64> = (0..from.len())
        .map(|i| types::saturating_add(types::saturating_add(from[i], low[i]), high[i]))
        .collect();
    let fits = |(&found, &expected): (&i64, &i64)| found == expected || expected == DYNAMIC;
    if to.len() != inferred.len() || !to.iter().zip(&inferred).all(fits) {
        let inferred = context.intern_type(TypeKind::RankedTensor {
            shape: inferred.into(),
            element: element_of(ir, source),
            encoding: None,
        });
        return Err(OpError::bare(format!(
            "specified type '{}' does not match the inferred type '{}'",
            show(result),
            type_to_string(context, inferred)
        )));
    }
    let Some(block) = ir.single_block(ir.region(op, 0)) else {
        return Err(
            "region #0 ('region') failed to verify constraint: region with 1 blocks".into(),
        );
    };
    let arguments = ir.block_args(block);
    if arguments.len() != to.len() {
        return Err(OpError::bare(format!(
            "expected the block to have {} arguments",
            to.len()
        )));
    }
    let not_index = arguments
        .iter()
        .position(|&v| ir.value_type(v) != Type::INDEX);
    if let Some(at) = not_index {
        return Err(format!("expected block argument {} to be an index", at + 1).into());
    }
    if yielded_type(ir, block) != Some(element_of(ir, result)) {
        return Err("expected yield type to match shape element type".into());
    }
    Ok(())
}
