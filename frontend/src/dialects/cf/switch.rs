//! `cf.switch`: goes to the block whose case value equals the flag.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I32_DENSE_ARRAY_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::BranchInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, OpDef, OpError, Traits, TypeConstraint, ValueSpec,
};
use crate::ir::types::{Signedness, Type, TypeKind};
use crate::ir::version::MlirVersion;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::patterns;

static ANY_INTEGER: TypeConstraint = TypeConstraint {
    description: "integer",
    accepts: |context, ty| matches!(context.type_kind(ty), TypeKind::Integer { .. }),
    ..TypeConstraint::BASE
};

static INTEGER_ELEMENTS: AttrConstraint = AttrConstraint {
    description: "integer elements attribute",
    accepts: |context, attr| {
        context.attr_dense(attr).is_some_and(|dense| {
            let element = context.element_type_or_self(dense.ty);
            context.integer_width(element).is_some()
        })
    },
    ..AttrConstraint::BASE
};

/// The value of each case.
pub(crate) const CASE_VALUES: AttrSpec = AttrSpec::optional(Name::CASE_VALUES, &INTEGER_ELEMENTS);
/// How many operands each case has.
pub(crate) const CASE_OPERAND_SEGMENTS: AttrSpec =
    AttrSpec::required(Name::CASE_OPERAND_SEGMENTS, &I32_DENSE_ARRAY_ATTR);

/// `cf.switch`. The first successor is the default one.
pub static SWITCH: OpDef = OpDef {
    name: "cf.switch",
    traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
    operands: &[
        ValueSpec::one("flag", &ANY_INTEGER),
        ValueSpec::variadic("defaultOperands", &ANY),
        ValueSpec::variadic("caseOperands", &ANY),
    ],
    attributes: &[CASE_VALUES, CASE_OPERAND_SEGMENTS],
    successors: (1, usize::MAX),
    parse: Some(parse),
    print: Some(print),
    verify,
    canonicalize: patterns::switch::PATTERNS,
    branch: Some(&BranchInterface {
        successor_operands,
        all_successor_operands,
        successor_of_operand,
        append_successor_operands: |ir, op, index, values| {
            let end = successor_operands(ir, op, index).end;
            splice_successor_operands(ir, op, index, end..end, values);
        },
        remove_successor_operand: |ir, op, index, argument| {
            let at = successor_operands(ir, op, index).start + argument;
            splice_successor_operands(ir, op, index, at..at + 1, &[]);
        },
    }),
    ..OpDef::PURE
};

op_view! {
    /// `cf.switch`
    Switch, SWITCH { flag: one = 0, default_operands: many = 1 }
}

impl Switch {
    /// Where it goes if no case matches.
    pub fn default_dest(self, ir: &Ir) -> Block {
        ir.successors(self.0)[0]
    }

    /// Where it goes for each case, in the order of [`Switch::case_values`].
    pub fn case_dests(self, ir: &Ir) -> &[Block] {
        &ir.successors(self.0)[1..]
    }

    /// The operands of case `index`.
    pub fn case_operands(self, ir: &Ir, index: usize) -> &[Value] {
        ir.successor_operands(self.0, index + 1)
    }

    /// The operands of every case in order, found in one go.
    pub fn all_case_operands(self, ir: &Ir) -> Vec<&[Value]> {
        let operands = ir.operands(self.0);
        all_successor_operands(ir, self.0)
            .into_iter()
            .skip(1)
            .map(|range| &operands[range])
            .collect()
    }

    /// The value of each case, extended as the type of the flag says.
    pub fn case_values(self, ir: &Ir) -> Vec<i128> {
        let context = ir.context();
        ir.attr(self.0, Name::CASE_VALUES)
            .and_then(|attr| context.attr_dense(attr))
            .map(|dense| dense_integers(context, dense))
            .unwrap_or_default()
    }
}

/// Inserts a `cf.switch` on `flag`; each destination comes with its operands.
pub fn build_switch(
    builder: &mut Builder<'_>,
    flag: Value,
    default: (Block, &[Value]),
    cases: &[(i128, Block, &[Value])],
) -> Op {
    let context = builder.context();
    let ty = builder.ir.value_type(flag);
    let mut spec = builder
        .spec(&SWITCH)
        .operands(&[flag])
        .operands(default.1)
        .successors(&[default.0]);
    let mut values = Vec::new();
    let mut segments = Vec::new();
    for &(value, dest, operands) in cases {
        values.push(value);
        segments.push(operands.len() as i32);
        spec.successors.push(dest);
        spec.operands.extend_from_slice(operands);
    }
    set_case_attrs(&context, &mut spec, ty, default.1.len(), &values, &segments);
    builder.create(spec)
}

/// Sets the case values and both kinds of segments.
pub(crate) fn set_case_attrs(
    context: &Context,
    spec: &mut OpSpec,
    flag_type: Type,
    n_default: usize,
    values: &[i128],
    segments: &[i32],
) {
    if !values.is_empty() {
        let values = integer_vector_attr(context, flag_type, values);
        spec.set_attr(Name::CASE_VALUES, values);
    }
    spec.set_attr(
        Name::CASE_OPERAND_SEGMENTS,
        context.i32_array_attr(segments),
    );
    let n_case = segments.iter().sum();
    spec.set_attr(
        Name::OPERAND_SEGMENT_SIZES,
        context.i32_array_attr(&[1, n_default as i32, n_case]),
    );
}

/// `dense<[...]> : vector<nxty>`
fn integer_vector_attr(context: &Context, element: Type, values: &[i128]) -> Attr {
    let ty = context.intern_type(TypeKind::Vector {
        shape: Box::new([values.len() as i64]),
        scalable: Box::new([false]),
        element,
    });
    let n_bytes = context
        .element_byte_size(element)
        .expect("integers have a memory form") as usize;
    let width = context.integer_width(element).unwrap_or(0);
    let mask = u128::MAX.checked_shr(128 - width.min(128)).unwrap_or(0);
    let splat = values.iter().all(|value| value == &values[0]);
    let stored = if splat { &values[..1] } else { values };
    let mut bytes = Vec::with_capacity(stored.len() * n_bytes);
    for &value in stored {
        let mut element = (value as u128 & mask).to_le_bytes().to_vec();
        element.resize(n_bytes, 0);
        bytes.extend(element);
    }
    context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat,
        bytes: bytes.into(),
    }))
}

/// The elements of a dense attribute of integers, extended to `i128`.
fn dense_integers(context: &Context, dense: &DenseElements) -> Vec<i128> {
    let element = context.element_type_or_self(dense.ty);
    let n_elements: i64 = context.shape(dense.ty).unwrap_or_default().iter().product();
    let Some(n_bytes) = context.element_byte_size(element) else {
        return Vec::new();
    };
    let (width, unsigned) = match context.type_kind(element) {
        TypeKind::Integer { width, signedness } => (*width, *signedness == Signedness::Unsigned),
        _ => (64, false),
    };
    let shift = 128 - width.clamp(1, 128);
    let stored = dense.bytes.chunks_exact(n_bytes as usize).map(|bytes| {
        let mut value = [0; 16];
        let n = bytes.len().min(16);
        value[..n].copy_from_slice(&bytes[..n]);
        let value = u128::from_le_bytes(value) << shift;
        if unsigned {
            (value >> shift) as i128
        } else {
            value as i128 >> shift
        }
    });
    if dense.splat {
        let value = stored.take(1).next().unwrap_or(0);
        vec![value; n_elements.max(0) as usize]
    } else {
        stored.collect()
    }
}

/// Sizes of the operand lists of the cases.
fn case_segments(ir: &Ir, op: Op) -> impl Iterator<Item = i32> + '_ {
    let bytes: &[u8] = match ir
        .attr(op, Name::CASE_OPERAND_SEGMENTS)
        .map(|attr| ir.context().attr_kind(attr))
    {
        Some(AttrKind::DenseArray { element, bytes }) if *element == Type::I32 => bytes,
        _ => &[],
    };
    bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b))
}

fn successor_operands(ir: &Ir, op: Op, index: usize) -> Range<usize> {
    let Some(case) = index.checked_sub(1) else {
        return ir.operand_group_range(op, 1);
    };
    let group = ir.operand_group_range(op, 2);
    let mut segments = case_segments(ir, op).map(|size| size.max(0) as usize);
    let before: usize = segments.by_ref().take(case).sum();
    let start = (group.start + before).min(group.end);
    let n_operands = segments.next().unwrap_or(0);
    start..(start + n_operands).min(group.end)
}

fn all_successor_operands(ir: &Ir, op: Op) -> SmallVec<[Range<usize>; 2]> {
    let mut ranges = smallvec![ir.operand_group_range(op, 1)];
    let group = ir.operand_group_range(op, 2);
    let mut start = group.start;
    for size in case_segments(ir, op) {
        let end = (start + size.max(0) as usize).min(group.end);
        ranges.push(start..end);
        start = end;
    }
    // Segments and successors agree in number once the operation is verified.
    ranges.resize(ir.successors(op).len(), start..start);
    ranges
}

fn successor_of_operand(ir: &Ir, op: Op, index: usize) -> Option<(usize, usize)> {
    let group = ir.operand_group_range(op, 2);
    if index < group.start {
        return index.checked_sub(1).map(|argument| (0, argument));
    }
    let mut argument = index - group.start;
    for (case, size) in case_segments(ir, op).enumerate() {
        let size = size.max(0) as usize;
        if argument < size {
            return Some((case + 1, argument));
        }
        argument -= size;
    }
    None
}

/// Replaces operands `range`, which belong to successor `index`, and keeps
/// the segments true.
fn splice_successor_operands(
    ir: &mut Ir,
    op: Op,
    index: usize,
    range: Range<usize>,
    values: &[Value],
) {
    let group = usize::from(index > 0) + 1;
    let start = ir.operand_group_range(op, group).start;
    let mut operands = ir.operand_group(op, group).to_vec();
    let growth = values.len() as i32 - range.len() as i32;
    operands.splice(
        range.start - start..range.end - start,
        values.iter().copied(),
    );
    ir.set_operand_group(op, group, &operands);
    if let Some(case) = index.checked_sub(1) {
        let mut segments: Vec<i32> = case_segments(ir, op).collect();
        segments[case] += growth;
        let attr = ir.context().i32_array_attr(&segments);
        ir.set_attr(op, Name::CASE_OPERAND_SEGMENTS, attr);
    }
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let flag = parser.parse_operand()?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let ty = parser.parse_type()?;
    if !(ANY_INTEGER.accepts)(parser.context(), ty) {
        return Err(parser.error(loc, "invalid kind of type specified"));
    }
    parser.resolve(&flag, ty, spec)?;
    parser.parse_token(",")?;
    parser.parse_token("[")?;
    parser.parse_keyword("default")?;
    parser.parse_token(":")?;
    let (dest, operands) = parser.parse_successor_with_operands()?;
    spec.successors.push(dest);
    let n_default = operands.len();
    spec.operands.extend(operands);
    let mut values = Vec::new();
    let mut segments = Vec::new();
    while parser.parse_opt_token(",") {
        values.push(parser.parse_wide_integer()?);
        parser.parse_token(":")?;
        let (dest, operands) = parser.parse_successor_with_operands()?;
        spec.successors.push(dest);
        segments.push(operands.len() as i32);
        spec.operands.extend(operands);
    }
    parser.parse_token("]")?;
    parser.parse_opt_attr_dict(spec)?;
    set_case_attrs(parser.context(), spec, ty, n_default, &values, &segments);
    Ok(())
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let switch = Switch(op);
    let ty = ir.value_type(switch.flag(ir));
    printer.text(" ");
    printer.value(switch.flag(ir));
    printer.text(" : ");
    printer.ty(ty);
    printer.text(", [");
    printer.newline();
    printer.text("  default: ");
    printer.successor_with_operands(ir, switch.default_dest(ir), switch.default_operands(ir));
    // Case values are written without sign, as upstream does; MLIR 22 only reads them with one.
    let is_signed = printer.mlir_version() == MlirVersion::V22;
    let width = ir.context().integer_width(ty).unwrap_or(128).clamp(1, 128);
    let values = switch.case_values(ir);
    let dests = switch
        .case_dests(ir)
        .iter()
        .zip(switch.all_case_operands(ir));
    for ((&dest, operands), &value) in dests.zip(&values) {
        printer.text(",");
        printer.newline();
        match value as u128 & (u128::MAX >> (128 - width)) {
            _ if is_signed => printer.text(&format!("  {value}: ")),
            value => printer.text(&format!("  {value}: ")),
        }
        printer.successor_with_operands(ir, dest, operands);
    }
    if !values.is_empty() {
        printer.newline();
    }
    printer.text("]");
    printer.opt_attr_dict(
        ir,
        op,
        &[
            Name::OPERAND_SEGMENT_SIZES,
            Name::CASE_OPERAND_SEGMENTS,
            Name::CASE_VALUES,
        ],
    );
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let n_dests = Switch(op).case_dests(ir).len();
    let segments: Vec<i32> = case_segments(ir, op).collect();
    if segments.iter().any(|&size| size < 0) {
        return Err("'case_operand_segments' attribute cannot have negative elements".into());
    }
    let total: i64 = segments.iter().map(|&size| i64::from(size)).sum();
    let n_operands = ir.operand_group_range(op, 2).len();
    if total != n_operands as i64 {
        return Err(format!(
            "caseOperands count ({n_operands}) does not match with the total size ({total}) specified in attribute 'case_operand_segments'"
        )
        .into());
    }
    verify_case_values(ir, op, n_dests)?;
    if segments.len() != n_dests {
        return Err(format!(
            "'case_operand_segments' attribute must have {n_dests} elements, but got {}",
            segments.len()
        )
        .into());
    }
    Ok(())
}

fn verify_case_values(ir: &Ir, op: Op, n_dests: usize) -> Result<(), OpError> {
    let context = ir.context();
    let switch = Switch(op);
    let Some(attr) = ir.attr(op, Name::CASE_VALUES) else {
        return if n_dests == 0 {
            Ok(())
        } else {
            Err(case_count_error(0, n_dests))
        };
    };
    let Some(dense) = context.attr_dense(attr) else {
        return Ok(());
    };
    let flag_type = ir.value_type(switch.flag(ir));
    let value_type = context.element_type_or_self(dense.ty);
    if flag_type != value_type {
        return Err(format!(
            "'flag' type ('{}') should match case value type ('{}')",
            type_to_string(context, flag_type),
            type_to_string(context, value_type)
        )
        .into());
    }
    let n_values = switch.case_values(ir).len();
    if n_values != n_dests {
        return Err(case_count_error(n_values, n_dests));
    }
    Ok(())
}

fn case_count_error(n_values: usize, n_dests: usize) -> OpError {
    format!(
        "number of case values ({n_values}) should match number of case destinations ({n_dests})"
    )
    .into()
}
