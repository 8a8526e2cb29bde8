//! The same elements under another shape: `reshape`, `expand_shape`,
//! `collapse_shape`, `transpose`.

use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::constraints::{
    I64_DENSE_ARRAY_ATTR, INDEX, RANKED_OR_UNRANKED_MEMREF, STRIDED_MEMREF,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::{DYNAMIC, MemRefType};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::constraints::{INDEX_LISTS, MEMREF_1D_OF_INTEGER_OR_INDEX, PERMUTATION_MAP};
use super::offset_size_stride::{MixedIndex, mix};
use super::{fold, patterns, types};
use crate::dialects::shared::assembly;

fn first_operand(ir: &Ir, op: Op) -> Value {
    ir.operand(op, 0)
}

/// `memref.reshape`: a shape that is itself data. Unlike upstream's this row
/// says that the shape is read from memory.
pub static RESHAPE: OpDef = const {
    OpDef {
        name: "memref.reshape",
        operands: &[
            ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::one("shape", &MEMREF_1D_OF_INTEGER_OR_INDEX),
        ],
        results: &[ValueSpec::one("result", &RANKED_OR_UNRANKED_MEMREF)],
        verify: verify_reshape,
        effects: Some(|ir, op, effects| effects.read(ir.operand(op, 1))),
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "reshape")),
        view_source: Some(first_operand),
        ..OpDef::BASE
    }
}
.with_format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)");
op_view!(
    /// View of [`RESHAPE`].
    Reshape, RESHAPE { source: one = 0, shape: one = 1 }
);

fn verify_reshape(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let view = Reshape(op);
    let (source, result) = (
        ir.value_type(view.source(ir)),
        ir.value_type(ir.result(op, 0)),
    );
    if context.element_type_or_self(source) != context.element_type_or_self(result) {
        return Err(
            "element types of source and destination memref types should be the same".into(),
        );
    }
    let is_plain = |memref: &MemRefType| types::has_identity_layout(context, memref);
    if !context.as_memref(source).is_none_or(is_plain) {
        return Err("source memref type should have identity affine map".into());
    }
    let Some(result) = context.as_memref(result) else {
        return Ok(());
    };
    if !is_plain(result) {
        return Err("result memref type should have identity affine map".into());
    }
    let length = assembly::memref_of(ir, view.shape(ir)).shape[0];
    if length == DYNAMIC {
        return Err(
            "cannot use shape operand with dynamic length to reshape to statically-ranked memref \
             type"
                .into(),
        );
    }
    if length != result.rank() as i64 {
        return Err("length of shape operand differs from the result's memref rank".into());
    }
    Ok(())
}

/// `memref.expand_shape`: splits dimensions.
pub static EXPAND_SHAPE: OpDef = const {
    OpDef {
        name: "memref.expand_shape",
        operands: &[
            ValueSpec::one("src", &STRIDED_MEMREF),
            ValueSpec::variadic("output_shape", &INDEX),
        ],
        results: &[ValueSpec::one("result", &STRIDED_MEMREF)],
        attributes: &[
            AttrSpec::required(Name::REASSOCIATION, &INDEX_LISTS),
            AttrSpec::required(Name::STATIC_OUTPUT_SHAPE, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify_expand_shape,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "expand_shape")),
        view_source: Some(first_operand),
        fold: Some(fold::reshape),
        canonicalize: patterns::EXPAND_SHAPE,
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

impl ExpandShape {
    /// Which result dimensions each source dimension is split into.
    pub fn reassociation(self, ir: &Ir) -> Vec<Vec<i64>> {
        assembly::reassociation(ir, self.0)
    }

    /// The sizes of the result.
    pub fn mixed_output_shape(self, ir: &Ir) -> Vec<MixedIndex> {
        let statics = assembly::i64_array(ir, self.0, Name::STATIC_OUTPUT_SHAPE);
        mix(&statics, self.output_shape(ir))
    }
}

/// `memref.collapse_shape`: merges dimensions that are contiguous.
pub static COLLAPSE_SHAPE: OpDef = const {
    OpDef {
        name: "memref.collapse_shape",
        operands: &[ValueSpec::one("src", &STRIDED_MEMREF)],
        results: &[ValueSpec::one("result", &STRIDED_MEMREF)],
        attributes: &[AttrSpec::required(Name::REASSOCIATION, &INDEX_LISTS)],
        verify: verify_collapse_shape,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "collapse_shape")),
        view_source: Some(first_operand),
        fold: Some(fold::reshape),
        canonicalize: patterns::COLLAPSE_SHAPE,
        ..OpDef::PURE
    }
}
.with_format("$src $reassociation attr-dict `:` type($src) `into` type($result)");
op_view!(
    /// View of [`COLLAPSE_SHAPE`].
    CollapseShape, COLLAPSE_SHAPE { source: one = 0 }
);

impl CollapseShape {
    /// Which source dimensions become each result dimension.
    pub fn reassociation(self, ir: &Ir) -> Vec<Vec<i64>> {
        assembly::reassociation(ir, self.0)
    }
}

/// Checks that `groups` splits `collapsed` into `expanded`.
fn verify_groups(collapsed: &[i64], expanded: &[i64], groups: &[Vec<i64>]) -> Result<(), OpError> {
    if collapsed.len() != groups.len() {
        return Err(format!(
            "invalid number of reassociation groups: found {}, expected {}",
            groups.len(),
            collapsed.len()
        )
        .into());
    }
    let mut next = 0;
    for (dim, (group, &size)) in groups.iter().zip(collapsed).enumerate() {
        let mut product = 1i64;
        let mut is_dynamic = false;
        for &member in group {
            if member != next {
                return Err("reassociation indices must be contiguous".into());
            }
            next += 1;
            match usize::try_from(member).ok().and_then(|m| expanded.get(m)) {
                None => {
                    return Err(format!("reassociation index {member} is out of bounds").into());
                }
                Some(&DYNAMIC) => is_dynamic = true,
                Some(&size) => product = product.saturating_mul(size),
            }
        }
        if (size == DYNAMIC) != is_dynamic {
            return Err(format!(
                "collapsed dim ({dim}) must be dynamic if and only if reassociation group is \
                 dynamic"
            )
            .into());
        }
        if !is_dynamic && product != size {
            return Err(format!(
                "collapsed dim size ({size}) must equal reassociation group size ({product})"
            )
            .into());
        }
    }
    if collapsed.is_empty() {
        if expanded.iter().any(|&size| size != 1) {
            return Err("rank 0 memrefs can only be extended/collapsed with/from ones".into());
        }
    } else if next != expanded.len() as i64 {
        return Err(format!(
            "expanded rank ({}) inconsistent with number of reassociation indices ({next})",
            expanded.len()
        )
        .into());
    }
    Ok(())
}

/// Checks that a reshape has the type its operand implies.
fn expect_type(ir: &Ir, op: Op, what: &str, expected: MemRefType) -> Result<(), OpError> {
    let context = ir.context();
    let found = ir.value_type(ir.result(op, 0));
    let expected = context.memref_type(expected);
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "expected {what} type to be '{}' but found '{}'",
        type_to_string(context, expected),
        type_to_string(context, found)
    )
    .into())
}

fn verify_expand_shape(ir: &Ir, op: Op) -> Result<(), OpError> {
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let (from, to) = (source.rank(), result.rank());
    if from > to {
        return Err(format!(
            "has source rank {from} and result rank {to}. This is not an expansion ({from} > {to})."
        )
        .into());
    }
    let groups = assembly::reassociation(ir, op);
    verify_groups(&source.shape, &result.shape, &groups)?;
    let expected = types::infer_expanded_type(ir.context(), source, &result.shape, &groups)
        .ok_or("invalid source layout map")?;
    expect_type(ir, op, "expanded", expected)?;
    let statics = assembly::i64_array(ir, op, Name::STATIC_OUTPUT_SHAPE);
    if statics.len() != to {
        return Err(format!(
            "expected number of static shape bounds to be equal to the output rank ({to}) but \
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
    for (at, (&size, &stated)) in result.shape.iter().zip(&statics).enumerate() {
        if size != DYNAMIC && size != stated {
            return Err(format!("invalid output shape provided at pos {at}").into());
        }
    }
    Ok(())
}

fn verify_collapse_shape(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let (from, to) = (source.rank(), result.rank());
    if from < to {
        return Err(format!(
            "has source rank {from} and result rank {to}. This is not a collapse ({from} < {to})."
        )
        .into());
    }
    let groups = assembly::reassociation(ir, op);
    verify_groups(&result.shape, &source.shape, &groups)?;
    let expected = types::infer_collapsed_type(context, source, &groups, false)
        .map_err(|_| "invalid source layout map or collapsing non-contiguous dims")?;
    expect_type(ir, op, "collapsed", expected)
}

/// `memref.transpose`: dimensions in another order.
pub static TRANSPOSE: OpDef = const {
    OpDef {
        name: "memref.transpose",
        operands: &[ValueSpec::one("in", &STRIDED_MEMREF)],
        results: &[ValueSpec::one("", &STRIDED_MEMREF)],
        attributes: &[AttrSpec::required(Name::PERMUTATION, &PERMUTATION_MAP)],
        verify: verify_transpose,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "transpose")),
        view_source: Some(first_operand),
        fold: Some(fold::transpose),
        canonicalize: patterns::TRANSPOSE,
        ..OpDef::PURE
    }
}
.with_format("$in $permutation attr-dict `:` type($in) `to` type(results)");
op_view!(
    /// View of [`TRANSPOSE`].
    Transpose, TRANSPOSE { source: one = 0 }
);

impl Transpose {
    /// Result dimension `i` is source dimension number `i` of this list.
    pub fn permutation(self, ir: &Ir) -> Vec<usize> {
        let map = ir
            .attr(self.0, Name::PERMUTATION)
            .and_then(|attr| ir.context().attr_affine_map(attr));
        let dims = map.into_iter().flat_map(|map| &map.results);
        dims.filter_map(|expr| match expr {
            AffineExpr::Dim(dim) => Some(*dim as usize),
            _ => None,
        })
        .collect()
    }
}

fn verify_transpose(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let source = assembly::memref_of(ir, ir.operand(op, 0));
    let result_type = ir.value_type(ir.result(op, 0));
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let map = ir
        .attr(op, Name::PERMUTATION)
        .and_then(|attr| context.attr_affine_map(attr))
        .expect("the attribute is verified to hold a map");
    if !map.is_permutation() {
        return Err("expected a permutation map".into());
    }
    if map.n_dims as usize != source.rank() {
        return Err("expected a permutation map of same rank as the input".into());
    }
    let expected = types::infer_transpose_type(context, source, map)
        .expect("the source is strided and the map a permutation of its rank");
    let agrees = expected.shape == result.shape
        && expected.element == result.element
        && expected.space == result.space
        && context.memref_strides(&expected) == context.memref_strides(result);
    if agrees {
        return Ok(());
    }
    Err(format!(
        "result type '{}' is not equivalent to the canonical transposed input type '{}'",
        type_to_string(context, result_type),
        type_to_string(
            context,
            context.memref_type(with_affine_layout(context, expected))
        )
    )
    .into())
}

/// `memref` with its strided layout spelled as an affine map, which is how
/// upstream shows transposed types.
fn with_affine_layout(context: &Context, mut memref: MemRefType) -> MemRefType {
    let Some((strides, offset)) = context.memref_strides(&memref) else {
        return memref;
    };
    let mut n_symbols = 0;
    let mut term = |number: i64| {
        if number == DYNAMIC {
            n_symbols += 1;
            AffineExpr::Symbol(n_symbols - 1)
        } else {
            AffineExpr::Constant(number)
        }
    };
    let offset = term(offset);
    let sum = strides
        .iter()
        .enumerate()
        .map(|(dim, &stride)| AffineExpr::Dim(dim as u32).mul(term(stride)))
        .reduce(AffineExpr::add)
        .map_or(offset.clone(), |sum| sum.add(offset));
    let map = AffineMap {
        n_dims: strides.len() as u32,
        n_symbols,
        results: vec![sum],
    };
    memref.layout = (!map.is_identity()).then(|| context.affine_map_attr(map));
    memref
}
