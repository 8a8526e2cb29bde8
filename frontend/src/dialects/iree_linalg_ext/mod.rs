//! The `iree_linalg_ext` dialect: what converters of models to linalg leave
//! where linalg has no words for it: sorting, scans, gathers and scatters,
//! the largest elements, stages of a Fourier transform.
//!
//! All operations have a destination: inputs, then outputs that are written to,
//! and one result per output if those are tensors. [`outputs`] and
//! [`is_overwritten`] are what bufferization asks; the pass
//! `convert-iree-linalg-ext-to-loops` says what they compute.

mod assembly;
mod verify;

use std::ops::Range;

use crate::dialects::linalg::attributes::dense_i64;
use crate::dialects::linalg::interface::rank;
use crate::ir::attrs::Attr;
use crate::ir::constraints::{
    ANY, BOOL_ATTR, ELEMENTS_ATTR, I64_ATTR, I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::{Block, Op};
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Traits, TypeConstraint, ValueSpec};
use crate::ir::rules::all_operands_to;
use crate::ir::types::TypeKind;

static TENSOR_OR_MEMREF: TypeConstraint = TypeConstraint {
    description: "ranked tensor or memref of any type values",
    accepts: |context: &Context, ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::MemRef(_) | TypeKind::RankedTensor { .. }
        )
    },
    ..TypeConstraint::BASE
};

const DIMENSION: AttrSpec = AttrSpec::required(Name::DIMENSION, &I64_ATTR);
const DIMENSION_MAP: AttrSpec = AttrSpec::required(Name::DIMENSION_MAP, &I64_DENSE_ARRAY_ATTR);

/// What all operations with inputs and outputs have in common.
const WITHOUT_BODY: OpDef = OpDef {
    results: &[ValueSpec::variadic("results", &RANKED_TENSOR)],
    parse: Some(assembly::parse),
    print: Some(assembly::print),
    effects: Some(effects),
    ..OpDef::BASE
};

/// What those have in common whose region computes from single elements.
const WITH_BODY: OpDef = OpDef {
    traits: Traits::SINGLE_BLOCK.and(Traits::RECURSIVE_EFFECTS),
    regions: (1, 1),
    implicit_terminator: Some(&YIELD),
    ..WITHOUT_BODY
};

/// `iree_linalg_ext.sort`: sorts along a dimension, all outputs by one order;
/// the body says whether its first elements come before its second ones.
pub static SORT: OpDef = OpDef {
    name: "iree_linalg_ext.sort",
    operands: &[
        ValueSpec::variadic("inputs", &ANY),
        ValueSpec::variadic("outputs", &TENSOR_OR_MEMREF),
    ],
    attributes: &[DIMENSION],
    verify: verify::verify_sort,
    ..WITH_BODY
};

/// `iree_linalg_ext.scan`: what the body makes of all elements up to each one
/// along a dimension, with or without that one.
pub static SCAN: OpDef = OpDef {
    name: "iree_linalg_ext.scan",
    operands: &[
        ValueSpec::one("input", &TENSOR_OR_MEMREF),
        ValueSpec::one("output", &TENSOR_OR_MEMREF),
        ValueSpec::one("accumulator", &TENSOR_OR_MEMREF),
    ],
    attributes: &[DIMENSION, AttrSpec::required(Name::INCLUSIVE, &BOOL_ATTR)],
    verify: verify::verify_scan,
    ..WITH_BODY
};

/// `iree_linalg_ext.scatter`: combines slices with those at given positions.
pub static SCATTER: OpDef = OpDef {
    name: "iree_linalg_ext.scatter",
    operands: &[
        ValueSpec::one("updates", &TENSOR_OR_MEMREF),
        ValueSpec::one("indices", &TENSOR_OR_MEMREF),
        ValueSpec::one("original", &TENSOR_OR_MEMREF),
    ],
    attributes: &[
        DIMENSION_MAP,
        AttrSpec::defaulted(Name::UNIQUE_INDICES, &BOOL_ATTR, |_| Attr::TRUE),
    ],
    verify: verify::verify_scatter,
    ..WITH_BODY
};

/// `iree_linalg_ext.gather`: the slices at given positions.
pub static GATHER: OpDef = OpDef {
    name: "iree_linalg_ext.gather",
    operands: &[
        ValueSpec::one("source", &TENSOR_OR_MEMREF),
        ValueSpec::one("indices", &TENSOR_OR_MEMREF),
        ValueSpec::one("output", &TENSOR_OR_MEMREF),
    ],
    attributes: &[DIMENSION_MAP],
    verify: verify::verify_gather,
    ..WITHOUT_BODY
};

/// `iree_linalg_ext.topk`: inserts elements along a dimension into those that
/// come first so far, which are in order, with their positions.
pub static TOPK: OpDef = OpDef {
    name: "iree_linalg_ext.topk",
    operands: &[
        ValueSpec::one("values", &TENSOR_OR_MEMREF),
        ValueSpec::optional("indices", &TENSOR_OR_MEMREF),
        ValueSpec::one("output_values", &TENSOR_OR_MEMREF),
        ValueSpec::one("output_indices", &TENSOR_OR_MEMREF),
    ],
    attributes: &[DIMENSION],
    verify: verify::verify_topk,
    ..WITH_BODY
};

/// `iree_linalg_ext.arg_compare`: the element along a dimension that comes
/// first, and its position.
pub static ARG_COMPARE: OpDef = OpDef {
    name: "iree_linalg_ext.arg_compare",
    operands: &[
        ValueSpec::one("input_value", &TENSOR_OR_MEMREF),
        ValueSpec::optional("input_index", &TENSOR_OR_MEMREF),
        ValueSpec::one("output_value", &TENSOR_OR_MEMREF),
        ValueSpec::one("output_index", &TENSOR_OR_MEMREF),
        ValueSpec::optional("index_base", &INDEX),
    ],
    attributes: &[DIMENSION],
    verify: verify::verify_arg_compare,
    ..WITH_BODY
};

/// `iree_linalg_ext.fft`: one stage of a fast Fourier transform of the rows,
/// whose elements were put into bit-reversed order before the first.
pub static FFT: OpDef = OpDef {
    name: "iree_linalg_ext.fft",
    operands: &[
        ValueSpec::one("stage", &INDEX),
        ValueSpec::optional("real_coeff", &TENSOR_OR_MEMREF),
        ValueSpec::optional("imag_coeff", &TENSOR_OR_MEMREF),
        ValueSpec::one("real", &TENSOR_OR_MEMREF),
        ValueSpec::one("imag", &TENSOR_OR_MEMREF),
    ],
    verify: verify::verify_fft,
    ..WITHOUT_BODY
};

/// `iree_linalg_ext.reverse`: mirrors dimensions. Newer versions of IREE have it no more.
pub static REVERSE: OpDef = OpDef {
    name: "iree_linalg_ext.reverse",
    operands: &[
        ValueSpec::one("input", &TENSOR_OR_MEMREF),
        ValueSpec::one("output", &TENSOR_OR_MEMREF),
    ],
    attributes: &[AttrSpec::required(Name::DIMENSIONS, &ELEMENTS_ATTR)],
    verify: verify::verify_reverse,
    ..WITHOUT_BODY
};

/// `iree_linalg_ext.yield`: what a body computed.
pub static YIELD: OpDef = const {
    OpDef {
        name: "iree_linalg_ext.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($operands^ `:` type($operands))?");

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "iree_linalg_ext",
    ops: &[
        &ARG_COMPARE,
        &FFT,
        &GATHER,
        &REVERSE,
        &SCAN,
        &SCATTER,
        &SORT,
        &TOPK,
        &YIELD,
    ],
    ..DialectDef::BASE
};

/// The groups of operands that are inputs, and those that are outputs.
fn groups(def: &OpDef) -> Option<(Range<usize>, Range<usize>)> {
    let is = |row: &'static OpDef| std::ptr::eq(def, row);
    if is(&SORT) || is(&REVERSE) {
        Some((0..1, 1..2))
    } else if is(&SCAN) {
        Some((0..1, 1..3))
    } else if is(&SCATTER) || is(&GATHER) {
        Some((0..2, 2..3))
    } else if is(&TOPK) || is(&ARG_COMPARE) {
        Some((0..2, 2..4))
    } else if is(&FFT) {
        Some((0..3, 3..5))
    } else {
        None
    }
}

fn group_operands(ir: &Ir, op: Op, groups: Range<usize>) -> Range<usize> {
    let start = ir.operand_group_range(op, groups.start).start;
    start..ir.operand_group_range(op, groups.end - 1).end
}

/// The operands that are inputs; empty for other operations.
pub fn inputs(ir: &Ir, op: Op) -> Range<usize> {
    groups(ir.def(op)).map_or(0..0, |(inputs, _)| group_operands(ir, op, inputs))
}

/// The operands that are written to; `None` for other operations.
pub fn outputs(ir: &Ir, op: Op) -> Option<Range<usize>> {
    groups(ir.def(op)).map(|(_, outputs)| group_operands(ir, op, outputs))
}

/// Whether `op` writes every element of output number `index` among its operands before it reads
/// any of it.
pub fn is_overwritten(ir: &Ir, op: Op, index: usize) -> bool {
    let at = |group| ir.operand_group_range(op, group).contains(&index);
    (ir.is(op, &GATHER) && at(2)) || ((ir.is(op, &SCAN) || ir.is(op, &REVERSE)) && at(1))
}

/// The body of an operation that has one.
pub fn body(ir: &Ir, op: Op) -> Option<Block> {
    ir.entry_block(*ir.regions(op).first()?)
}

/// The dimensions that a `reverse` mirrors.
pub fn reversed_dimensions(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let context = ir.context();
    let attr = ir.attr(op, Name::DIMENSIONS)?;
    let n = *context.shape(context.attr_dense(attr)?.ty)?.first()?;
    // Numbers written once stand for many.
    let is_short = n <= rank(ir, ir.operand(op, 0)) as i64;
    if is_short {
        dense_i64(context, attr)
    } else {
        None
    }
}

/// Buffers among inputs are read, those among outputs are read and written.
fn effects(ir: &Ir, op: Op, out: &mut Effects) {
    let outputs = outputs(ir, op).unwrap_or(0..0);
    for (index, &operand) in ir.operands(op).iter().enumerate() {
        if !ir.is_memref(operand) {
            continue;
        }
        if !is_overwritten(ir, op, index) {
            out.read(operand);
        }
        if outputs.contains(&index) {
            out.write(operand);
        }
    }
}
