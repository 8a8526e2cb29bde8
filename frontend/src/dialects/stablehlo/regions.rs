//! Control flow, calls and tuples.

use crate::ir::attrs::{Attr, AttrKind, Dict};
use crate::ir::constraints::{ARRAY_ATTR, BOOL_ATTR, FLAT_SYMBOL_REF_ATTR, I32_ATTR, STRING_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};
use crate::ir::types::Type;

use super::assembly::{PAIRWISE_TYPES, TUPLE_TYPE, parse_while, print_while};
use super::constraints::{
    API_VERSION, BACKEND_CONFIG, BOOL_TENSOR, CALL_TARGET, CUSTOM_CALL_VALUE, DICTIONARY,
    I32_TENSOR, NON_NEGATIVE_I32, OUTPUT_OPERAND_ALIASES, TENSOR_OR_TOKEN, TENSOR_TOKEN_OR_TUPLE,
    TUPLE as TUPLE_TYPE_CONSTRAINT,
};
use super::verify;

/// Ends a body and hands on what it computed.
pub static RETURN: OpDef = const {
    OpDef {
        name: "stablehlo.return",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("results", &TENSOR_TOKEN_OR_TUPLE)],
        ..OpDef::PURE
    }
}
.with_format("$results attr-dict (`:` type($results)^)?");

const WITH_BODIES: OpDef = OpDef {
    traits: Traits::SINGLE_BLOCK
        .and(Traits::RECURSIVE_EFFECTS)
        .and(Traits::CONTROL_FLOW),
    results: &[ValueSpec::variadic("results", &TENSOR_OR_TOKEN)],
    implicit_terminator: Some(&RETURN),
    ..OpDef::BASE
};

/// One of two bodies by a condition.
pub static IF: OpDef = OpDef {
    name: "stablehlo.if",
    operands: &[ValueSpec::one("pred", &BOOL_TENSOR)],
    regions: (2, 2),
    verify: verify::branches,
    ..WITH_BODIES
};

/// One of several bodies by a number; the last one for all numbers that have none.
pub static CASE: OpDef = OpDef {
    name: "stablehlo.case",
    operands: &[ValueSpec::one("index", &I32_TENSOR)],
    regions: (1, usize::MAX),
    verify: verify::branches,
    ..WITH_BODIES
};

/// Runs the second body as long as the first says so.
pub static WHILE: OpDef = OpDef {
    name: "stablehlo.while",
    operands: &[ValueSpec::variadic("operand", &TENSOR_OR_TOKEN)],
    regions: (2, 2),
    parse: Some(parse_while),
    print: Some(print_while),
    verify: verify::while_loop,
    argument_names: Some(|ir, op, name| {
        for &region in ir.regions(op) {
            if let Some(block) = ir.entry_block(region) {
                for &argument in ir.block_args(block) {
                    name(argument, "iterArg");
                }
            }
        }
    }),
    ..WITH_BODIES
};

/// A tuple of values.
pub static TUPLE: OpDef = const {
    OpDef {
        name: "stablehlo.tuple",
        operands: &[ValueSpec::variadic("val", &TENSOR_TOKEN_OR_TUPLE)],
        results: &[ValueSpec::one("result", &TUPLE_TYPE_CONSTRAINT)],
        verify: verify::tuple,
        ..OpDef::PURE
    }
}
.with_custom_format("$val attr-dict `:` custom<TupleType>", &[&TUPLE_TYPE]);

/// A member of a tuple.
pub static GET_TUPLE_ELEMENT: OpDef = const {
    OpDef {
        name: "stablehlo.get_tuple_element",
        operands: &[ValueSpec::one("operand", &TUPLE_TYPE_CONSTRAINT)],
        results: &[ValueSpec::one("result", &TENSOR_TOKEN_OR_TUPLE)],
        attributes: &[AttrSpec::required(Name::INDEX, &NON_NEGATIVE_I32)],
        verify: verify::get_tuple_element,
        ..OpDef::PURE
    }
}
.with_format("$operand `[` $index `]` attr-dict `:` functional-type(operands, results)");

/// Values that nothing is moved past.
pub static OPTIMIZATION_BARRIER: OpDef = const {
    OpDef {
        name: "stablehlo.optimization_barrier",
        operands: &[ValueSpec::variadic("operand", &TENSOR_OR_TOKEN)],
        results: &[ValueSpec::variadic("result", &TENSOR_OR_TOKEN)],
        verify: verify::pairwise_types,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "attr-dict ($operand^ `:` custom<PairwiseTypes>):(`(` `)`)?",
    &[&PAIRWISE_TYPES],
);

/// What a function computes, by a name that compilers may know.
pub static COMPOSITE: OpDef = const {
    OpDef {
        name: "stablehlo.composite",
        operands: &[ValueSpec::variadic("inputs", &TENSOR_TOKEN_OR_TUPLE)],
        results: &[ValueSpec::variadic("results", &TENSOR_TOKEN_OR_TUPLE)],
        attributes: &[
            AttrSpec::required(Name::NAME, &STRING_ATTR),
            AttrSpec::implied(Name::COMPOSITE_ATTRIBUTES, &DICTIONARY, |context| {
                context.intern_attr(AttrKind::Dictionary(Dict::EMPTY))
            }),
            AttrSpec::required(Name::DECOMPOSITION, &FLAT_SYMBOL_REF_ATTR),
            AttrSpec::implied(Name::VERSION, &I32_ATTR, |context| {
                context.integer_attr(Type::I32, 0)
            }),
        ],
        regions: (0, usize::MAX),
        ..OpDef::BASE
    }
}
.with_format("$name operands (`(` region^ `)`)? attr-dict `:` functional-type(operands, results)");

/// Something that the dialect has no operation for, by name.
pub static CUSTOM_CALL: OpDef = const {
    OpDef {
        name: "stablehlo.custom_call",
        operands: &[ValueSpec::variadic("inputs", &CUSTOM_CALL_VALUE)],
        results: &[ValueSpec::variadic("results", &CUSTOM_CALL_VALUE)],
        attributes: &[
            AttrSpec::required(Name::CALL_TARGET_NAME, &CALL_TARGET),
            AttrSpec::implied(Name::HAS_SIDE_EFFECT, &BOOL_ATTR, |_| Attr::FALSE),
            AttrSpec::optional(Name::BACKEND_CONFIG, &BACKEND_CONFIG),
            AttrSpec::implied(Name::API_VERSION, &API_VERSION, |context| {
                context.integer_attr(Type::I32, 1)
            }),
            AttrSpec::implied(Name::CALLED_COMPUTATIONS, &ARRAY_ATTR, |context| {
                context.array_attr(&[])
            }),
            AttrSpec::optional(Name::OPERAND_LAYOUTS, &ARRAY_ATTR),
            AttrSpec::optional(Name::RESULT_LAYOUTS, &ARRAY_ATTR),
            AttrSpec::implied(
                Name::OUTPUT_OPERAND_ALIASES,
                &OUTPUT_OPERAND_ALIASES,
                |context| context.array_attr(&[]),
            ),
            AttrSpec::optional(Name::RESULT_TILINGS, &ARRAY_ATTR),
        ],
        ..OpDef::BASE
    }
}
.with_format("$call_target_name `(` $inputs `)` attr-dict `:` functional-type(operands, results)");
