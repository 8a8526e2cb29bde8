//! Parts of tensors: `extract_slice`, `insert_slice`, `parallel_insert_slice`
//! and `pad`.

use crate::dialects::memref::types;
use crate::dialects::memref::views::{
    OFFSET_SIZE_STRIDE_ATTRIBUTES, OFFSET_SIZE_STRIDE_INHERENT, ParsedLists, print_lists,
    verify_lists,
};
use crate::dialects::shared::assembly;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR, UNIT_ATTR};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::elements::{element_of, parse_ranked, shape_of, yielded_type};

/// `tensor.extract_slice`: a rectangular part.
pub static EXTRACT_SLICE: OpDef = OpDef {
    name: "tensor.extract_slice",
    operands: &[
        ValueSpec::one("source", &RANKED_TENSOR),
        ValueSpec::variadic("offsets", &INDEX),
        ValueSpec::variadic("sizes", &INDEX),
        ValueSpec::variadic("strides", &INDEX),
    ],
    results: &[ValueSpec::one("result", &RANKED_TENSOR)],
    attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
    parse: Some(parse_extract_slice),
    print: Some(|printer, ir, op| {
        printer.text(" ");
        printer.value(ir.operand(op, 0));
        print_lists(printer, ir, op, 1, ["", " ", " "]);
        printer.opt_attr_dict(ir, op, &OFFSET_SIZE_STRIDE_INHERENT);
        assembly::print_type_pair(printer, ir, ir.operand(op, 0), " to ", ir.result(op, 0));
    }),
    verify: |ir, op| {
        let source = ir.operand(op, 0);
        verify_lists(ir, op, [shape_of(ir, source).len(); 3])?;
        verify_slice(ir, op, source, ir.result(op, 0))
    },
    result_names: Some(|ir, op, name| name(ir.result(op, 0), "extracted_slice")),
    ..OpDef::PURE
};
op_view!(
    /// View of [`EXTRACT_SLICE`].
    ExtractSlice, EXTRACT_SLICE {
        source: one = 0, offsets: many = 1, sizes: many = 2, strides: many = 3
    }
);

fn parse_extract_slice(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = parser.parse_operand()?;
    let lists = ParsedLists::parse(parser, |_, _| Ok(()))?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let source_type = parse_ranked(parser)?;
    parser.parse_keyword("to")?;
    let result_type = parse_ranked(parser)?;
    parser.resolve(&source, source_type, spec)?;
    lists.resolve(parser, spec)?;
    spec.results.push(result_type);
    Ok(())
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
pub static INSERT_SLICE: OpDef = OpDef {
    name: "tensor.insert_slice",
    operands: INSERT_SLICE_OPERANDS,
    results: &[ValueSpec::one("result", &RANKED_TENSOR)],
    attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
    parse: Some(|parser, spec| {
        let ty = parse_insert_slice(parser, spec)?;
        spec.results.push(ty);
        Ok(())
    }),
    print: Some(print_insert_slice),
    verify: |ir, op| {
        if ir.value_type(ir.operand(op, 1)) != ir.value_type(ir.result(op, 0)) {
            return Err("failed to verify that expected result type to match dest type".into());
        }
        verify_insert_slice(ir, op)
    },
    result_names: Some(|ir, op, name| name(ir.result(op, 0), "inserted_slice")),
    ..OpDef::PURE
};
op_view!(
    /// View of [`INSERT_SLICE`].
    InsertSlice, INSERT_SLICE {
        source: one = 0, dest: one = 1, offsets: many = 2, sizes: many = 3, strides: many = 4
    }
);

/// `tensor.parallel_insert_slice`: what an iteration of a parallel loop
/// contributes to a result of the loop.
pub static PARALLEL_INSERT_SLICE: OpDef = OpDef {
    name: "tensor.parallel_insert_slice",
    operands: INSERT_SLICE_OPERANDS,
    attributes: OFFSET_SIZE_STRIDE_ATTRIBUTES,
    parse: Some(|parser, spec| {
        parse_insert_slice(parser, spec)?;
        Ok(())
    }),
    print: Some(print_insert_slice),
    verify: |ir, op| {
        let is_combining = |parent| ir.op_name(parent) == "scf.forall.in_parallel";
        if !ir.parent_op(op).is_some_and(is_combining) {
            return Err(OpError::bare(
                "expected ParallelCombiningOpInterface parent",
            ));
        }
        verify_insert_slice(ir, op)
    },
    // The result is the loop's: without an effect this would be dead.
    effects: Some(|_, _, effects| effects.add(EffectKind::Write, None, Resource::Default)),
    ..OpDef::BASE
};
op_view!(
    /// View of [`PARALLEL_INSERT_SLICE`].
    ParallelInsertSlice, PARALLEL_INSERT_SLICE {
        source: one = 0, dest: one = 1, offsets: many = 2, sizes: many = 3, strides: many = 4
    }
);

fn parse_insert_slice(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<Type, Failed> {
    let source = parser.parse_operand()?;
    parser.parse_keyword("into")?;
    let dest = parser.parse_operand()?;
    let lists = ParsedLists::parse(parser, |_, _| Ok(()))?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let source_type = parse_ranked(parser)?;
    parser.parse_keyword("into")?;
    let dest_type = parse_ranked(parser)?;
    parser.resolve(&source, source_type, spec)?;
    parser.resolve(&dest, dest_type, spec)?;
    lists.resolve(parser, spec)?;
    Ok(dest_type)
}

fn print_insert_slice(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let (source, dest) = (ir.operand(op, 0), ir.operand(op, 1));
    printer.text(" ");
    printer.value(source);
    printer.text(" into ");
    printer.value(dest);
    print_lists(printer, ir, op, 2, ["", " ", " "]);
    printer.opt_attr_dict(ir, op, &OFFSET_SIZE_STRIDE_INHERENT);
    assembly::print_type_pair(printer, ir, source, " into ", dest);
}

fn verify_insert_slice(ir: &Ir, op: Op) -> Result<(), OpError> {
    let dest = ir.operand(op, 1);
    verify_lists(ir, op, [shape_of(ir, dest).len(); 3])?;
    verify_slice(ir, op, dest, ir.operand(op, 0))
}

/// `tensor.pad`: a tensor with a margin.
pub static PAD: OpDef = OpDef {
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
    parse: Some(parse_pad),
    print: Some(print_pad),
    verify: verify_pad,
    result_names: Some(|ir, op, name| name(ir.result(op, 0), "padded")),
    ..OpDef::PURE
};
op_view!(
    /// View of [`PAD`].
    Pad, PAD { source: one = 0, low: many = 1, high: many = 2 }
);

fn parse_pad(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = parser.parse_operand()?;
    if parser.parse_opt_keyword("nofold") {
        spec.set_attr(Name::NOFOLD, Attr::UNIT);
    }
    parser.parse_keyword("low")?;
    let low = assembly::parse_mixed_list(parser)?;
    parser.parse_keyword("high")?;
    let high = assembly::parse_mixed_list(parser)?;
    parser.parse_region(&[], spec)?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let source_type = parse_ranked(parser)?;
    parser.parse_keyword("to")?;
    let result_type = parse_ranked(parser)?;
    parser.resolve(&source, source_type, spec)?;
    parser.resolve_all(&low.operands, Type::INDEX, spec)?;
    parser.resolve_all(&high.operands, Type::INDEX, spec)?;
    spec.results.push(result_type);
    let context = parser.context();
    spec.set_attr(Name::STATIC_LOW, context.i64_array_attr(&low.statics));
    spec.set_attr(Name::STATIC_HIGH, context.i64_array_attr(&high.statics));
    let segments = [1, low.operands.len(), high.operands.len()];
    assembly::set_segments(context, spec, &segments);
    Ok(())
}

fn print_pad(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let pad = Pad(op);
    printer.text(" ");
    printer.value(pad.source(ir));
    if ir.has_attr(op, Name::NOFOLD) {
        printer.text(" nofold");
    }
    printer.text(" low");
    assembly::print_mixed_list(
        printer,
        pad.low(ir),
        &assembly::i64_array(ir, op, Name::STATIC_LOW),
    );
    printer.text(" high");
    assembly::print_mixed_list(
        printer,
        pad.high(ir),
        &assembly::i64_array(ir, op, Name::STATIC_HIGH),
    );
    printer.text(" ");
    printer.region(ir, ir.region(op, 0), true, true);
    let inherent = [
        Name::OPERAND_SEGMENT_SIZES,
        Name::STATIC_LOW,
        Name::STATIC_HIGH,
        Name::NOFOLD,
    ];
    printer.opt_attr_dict(ir, op, &inherent);
    assembly::print_type_pair(printer, ir, pad.source(ir), " to ", ir.result(op, 0));
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
