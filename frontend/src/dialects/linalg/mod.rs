//! The linalg dialect: structured operations, which are perfect loop nests over
//! the elements of tensors and buffers with a body that computes one element.
//!
//! What passes ask is in [`interface`]; the named operations are rows in
//! [`named`], each with a description ([`description`]) from which maps follow
//! and [`body`] builds their regions.

mod assembly;
pub mod attributes;
pub mod body;
pub mod contract;
pub mod description;
pub mod interface;
pub mod named;
mod own_maps;
mod patterns;
mod verify;
pub mod winograd;

pub use attributes::IteratorType;
pub use interface::{
    indexing_maps, inputs, is_structured, iterator_types, loop_sizes, n_inputs, n_loops, outputs,
    payload_uses_operand,
};
pub use named::{
    ADD, BATCH_MATMUL, BATCH_MATMUL_TRANSPOSE_A, BATCH_MATMUL_TRANSPOSE_B, COPY, DIV, EXP, FILL,
    MATMUL, MATMUL_TRANSPOSE_A, MATMUL_TRANSPOSE_B, MUL, SUB,
};

use crate::dialects::memref::constraints::SHAPED;
use crate::ir::builder::Builder;
use crate::ir::constraints::{self, ANY, INDEX as INDEX_TYPE, RANKED_TENSOR, TENSOR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Traits, TypeConstraint, ValueSpec};
use crate::ir::rules::all_operands_to;
use crate::ir::types::{Type, TypeKind};

static TENSOR_OR_MEMREF: TypeConstraint = TypeConstraint {
    description: "memref of any type values or ranked tensor of any type values",
    accepts: |context: &Context, ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::MemRef(_) | TypeKind::RankedTensor { .. }
        )
    },
    ..TypeConstraint::BASE
};

/// What all operations with inputs, outputs and a body have in common.
const STRUCTURED: OpDef = OpDef {
    traits: Traits::SINGLE_BLOCK.and(Traits::RECURSIVE_EFFECTS),
    operands: &[
        ValueSpec::variadic("inputs", &ANY),
        ValueSpec::variadic("outputs", &SHAPED),
    ],
    results: &[ValueSpec::variadic("result_tensors", &RANKED_TENSOR)],
    regions: (1, 1),
    effects: Some(interface::effects),
    canonicalize: patterns::STRUCTURED,
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

/// `linalg.generic`: any loop nest.
pub static GENERIC: OpDef = OpDef {
    name: "linalg.generic",
    attributes: &[
        attributes::INDEXING_MAPS,
        attributes::ITERATOR_TYPES,
        AttrSpec::optional(Name::DOC, &constraints::STRING_ATTR),
        AttrSpec::optional(Name::LIBRARY_CALL, &constraints::STRING_ATTR),
    ],
    parse: Some(assembly::parse_generic),
    print: Some(assembly::print_generic),
    verify: verify::verify_generic,
    canonicalize: patterns::GENERIC,
    argument_names: Some(|ir, op, name| name_arguments(ir, op, "out", name)),
    ..STRUCTURED
};

/// `linalg.map`: a function of the elements at equal positions.
pub static MAP: OpDef = OpDef {
    name: "linalg.map",
    operands: &[
        ValueSpec::variadic("inputs", &TENSOR_OR_MEMREF),
        ValueSpec::one("init", &TENSOR_OR_MEMREF),
    ],
    results: &[ValueSpec::variadic("result", &TENSOR)],
    parse: Some(assembly::parse_map),
    print: Some(assembly::print_map_or_reduce),
    verify: verify::verify_map,
    result_names: Some(|ir, op, name| name_result(ir, op, "mapped", name)),
    argument_names: Some(|ir, op, name| name_arguments(ir, op, "in", name)),
    ..STRUCTURED
};

/// `linalg.reduce`: combines elements along dimensions.
pub static REDUCE: OpDef = OpDef {
    name: "linalg.reduce",
    traits: Traits::SINGLE_BLOCK.and(Traits::SAME_VARIADIC_OPERAND_SIZE),
    operands: &[
        ValueSpec::variadic("inputs", &TENSOR_OR_MEMREF),
        ValueSpec::variadic("inits", &TENSOR_OR_MEMREF),
    ],
    results: &[ValueSpec::variadic("", &TENSOR)],
    attributes: &[attributes::SORTED_DIMENSIONS],
    parse: Some(assembly::parse_reduce),
    print: Some(assembly::print_map_or_reduce),
    verify: verify::verify_reduce,
    result_names: Some(|ir, op, name| name_result(ir, op, "reduced", name)),
    argument_names: Some(|ir, op, name| name_arguments(ir, op, "init", name)),
    ..STRUCTURED
};

/// What `linalg.transpose` and `linalg.broadcast` share.
const REARRANGEMENT: OpDef = OpDef {
    operands: &[
        ValueSpec::one("input", &TENSOR_OR_MEMREF),
        ValueSpec::one("init", &TENSOR_OR_MEMREF),
    ],
    results: &[ValueSpec::variadic("result", &TENSOR)],
    parse: Some(assembly::parse_rearrangement),
    print: Some(assembly::print_rearrangement),
    ..STRUCTURED
};

/// `linalg.transpose`: permutes dimensions.
pub static TRANSPOSE: OpDef = OpDef {
    name: "linalg.transpose",
    attributes: &[attributes::PERMUTATION],
    verify: verify::verify_transpose,
    fold: Some(patterns::fold_transpose),
    result_names: Some(|ir, op, name| name_result(ir, op, "transposed", name)),
    ..REARRANGEMENT
};

/// `linalg.broadcast`: repeats along new dimensions.
pub static BROADCAST: OpDef = OpDef {
    name: "linalg.broadcast",
    attributes: &[attributes::DIMENSIONS],
    verify: verify::verify_broadcast,
    result_names: Some(|ir, op, name| name_result(ir, op, "broadcasted", name)),
    ..REARRANGEMENT
};

/// `linalg.softmax`: exponentials, normalized along a dimension.
pub static SOFTMAX: OpDef = const {
    OpDef {
        name: "linalg.softmax",
        operands: &[
            ValueSpec::one("input", &SHAPED),
            ValueSpec::one("output", &SHAPED),
        ],
        results: &[ValueSpec::variadic("result", &RANKED_TENSOR)],
        attributes: &[attributes::DIMENSION],
        verify: verify::verify_softmax,
        effects: Some(|ir, op, out| {
            if ir.is_memref(ir.operand(op, 0)) {
                out.read(ir.operand(op, 0));
            }
            if ir.is_memref(ir.operand(op, 1)) {
                out.read(ir.operand(op, 1));
                out.write(ir.operand(op, 1));
            }
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` \
     `(` $output `:` type($output) `)` (`->` type($result)^)?",
);

/// `linalg.index`: the counter of a loop of the operation around.
pub static INDEX: OpDef = const {
    OpDef {
        name: "linalg.index",
        results: &[ValueSpec::one("result", &INDEX_TYPE)],
        attributes: &[attributes::DIM],
        verify: verify::verify_index,
        ..OpDef::PURE
    }
}
.with_format("$dim attr-dict `:` type($result)");

/// `linalg.yield`: the elements that the body computed.
pub static YIELD: OpDef = const {
    OpDef {
        name: "linalg.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("values", &ANY)],
        verify: verify::verify_yield,
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("($values^ attr-dict `:` type($values)):(attr-dict)?");

/// `others` and the rows of named operations.
const fn with_named(others: [&'static OpDef; 13]) -> [&'static OpDef; 13 + named::ROWS.len()] {
    let mut rows = [others[0]; 13 + named::ROWS.len()];
    let mut i = 0;
    while i < rows.len() {
        rows[i] = if i < others.len() {
            others[i]
        } else {
            named::ROWS[i - others.len()]
        };
        i += 1;
    }
    rows
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "linalg",
    ops: &with_named([
        &BROADCAST,
        &GENERIC,
        &contract::CONTRACT,
        &contract::ELEMENTWISE,
        &INDEX,
        &MAP,
        &REDUCE,
        &SOFTMAX,
        &TRANSPOSE,
        &winograd::FILTER_TRANSFORM,
        &winograd::INPUT_TRANSFORM,
        &winograd::OUTPUT_TRANSFORM,
        &YIELD,
    ]),
    ..DialectDef::BASE
};

/// `%in` for inputs, `output_name` for outputs.
fn name_arguments(ir: &Ir, op: Op, output_name: &str, name: &mut dyn FnMut(Value, &str)) {
    let n_inputs = n_inputs(ir, op);
    let arguments = match interface::body(ir, op) {
        Some(block) => ir.block_args(block),
        None => &[],
    };
    for (i, &argument) in arguments.iter().enumerate() {
        name(argument, if i < n_inputs { "in" } else { output_name });
    }
}

fn name_result(ir: &Ir, op: Op, text: &str, name: &mut dyn FnMut(Value, &str)) {
    if let Some(&result) = ir.results(op).first() {
        name(result, text);
    }
}

/// Inserts a named operation with its body; results are the types of the
/// outputs that are tensors.
///
/// # Errors
/// If the body does not exist for the types of the operands.
pub fn build_named(
    builder: &mut Builder<'_>,
    def: &'static OpDef,
    inputs: &[Value],
    outputs: &[Value],
) -> Result<Op, body::UnsupportedTypes> {
    let named = named::named_op(def).ok_or(body::UnsupportedTypes)?;
    let context = builder.context();
    let results: Vec<Type> = outputs
        .iter()
        .map(|&output| builder.ir.value_type(output))
        .filter(|&ty| matches!(context.type_kind(ty), TypeKind::RankedTensor { .. }))
        .collect();
    let sizes = [inputs.len() as i32, outputs.len() as i32];
    let spec = builder
        .spec(def)
        .operands(inputs)
        .operands(outputs)
        .results(&results)
        .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes))
        .regions(1);
    let op = builder.create(spec);
    let arguments: Vec<Type> = builder
        .ir
        .operands(op)
        .iter()
        .map(|&operand| interface::element_type(builder.ir, operand))
        .collect();
    let region = builder.ir.region(op, 0);
    let block = builder.ir.append_block(region, &arguments);
    let loc = builder.loc();
    body::build_body(
        builder.ir,
        block,
        named.body,
        body::BodyAttrs::default(),
        loc,
    )?;
    Ok(op)
}
