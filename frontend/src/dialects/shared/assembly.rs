//! Pieces of text that operations of several dialects share: lists that mix
//! values and numbers, index lists, types of one kind, casts.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::types::{DYNAMIC, MemRefType, Type};

/// Operands of an operation whose type is not known until the end of its text.
pub(crate) type Operands = Vec<UnresolvedOperand>;

/// Reads a type that `accepts`; upstream's wording for any other.
pub(crate) fn parse_type_of_kind(
    parser: &mut dyn OpAsmParser<'_>,
    accepts: impl FnOnce(&Context, Type) -> bool,
) -> Result<Type, Failed> {
    let loc = parser.loc();
    let ty = parser.parse_type()?;
    if accepts(parser.context(), ty) {
        Ok(ty)
    } else {
        Err(parser.error(loc, "invalid kind of type specified"))
    }
}

/// Reads `[%i, %j]`.
pub(crate) fn parse_indices(parser: &mut dyn OpAsmParser<'_>) -> Result<Operands, Failed> {
    parser.parse_token("[")?;
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_token("]")?;
    Ok(operands)
}

/// Writes `[%i, %j]`.
pub(crate) fn print_indices(printer: &mut dyn OpAsmPrinter, indices: &[Value]) {
    printer.text("[");
    printer.values(indices);
    printer.text("]");
}

/// The elements of the `array<i64>` attribute `name`; empty if missing.
pub(crate) fn i64_array(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    ir.attr(op, name)
        .and_then(|attr| ir.context().attr_i64_array(attr))
        .unwrap_or_default()
}

/// Sets `operandSegmentSizes`.
pub(crate) fn set_segments(context: &Context, spec: &mut OpSpec, sizes: &[usize]) {
    let sizes: Vec<i32> = sizes.iter().map(|&size| size as i32).collect();
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes));
}

/// The contents of the type of a value that is verified to be a ranked memref.
pub(crate) fn memref_of(ir: &Ir, value: Value) -> &MemRefType {
    ir.context()
        .as_memref(ir.value_type(value))
        .expect("the operand is verified to be a ranked memref")
}

/// Writes ` : type` of a value.
pub(crate) fn print_colon_type(printer: &mut dyn OpAsmPrinter, ir: &Ir, value: Value) {
    printer.text(" : ");
    printer.ty(ir.value_type(value));
}

/// The dimension groups of an expand_shape or collapse_shape.
pub(crate) fn reassociation(ir: &Ir, op: Op) -> Vec<Vec<i64>> {
    let context = ir.context();
    let groups = ir
        .attr(op, Name::REASSOCIATION)
        .and_then(|attr| context.attr_array(attr))
        .unwrap_or_default();
    groups
        .iter()
        .map(|&group| {
            context
                .attr_array(group)
                .unwrap_or_default()
                .iter()
                .filter_map(|&m| context.attr_integer(m))
                .map(|m| m as i64)
                .collect()
        })
        .collect()
}

/// For each group of `outer` all members of its groups of `inner`.
pub(crate) fn compose_reassociations(
    outer: &[Vec<i64>],
    inner: &[Vec<i64>],
) -> Option<Vec<Vec<i64>>> {
    outer
        .iter()
        .map(|group| {
            let mut members = Vec::new();
            for &dim in group {
                members.extend(inner.get(usize::try_from(dim).ok()?)?);
            }
            Some(members)
        })
        .collect()
}

/// Whether the reshapes `inner` and then `op`, a collapse or an expansion, give back the sizes of what has this shape.
pub(crate) fn restores_sizes(ir: &Ir, op: Op, inner: Op, shape: &[i64], is_collapse: bool) -> bool {
    // One unknown size follows from the number of elements, which stays, unless there are none.
    let is_unambiguous = |sizes: &[i64]| {
        let n_unknown = sizes.iter().filter(|&&size| size == DYNAMIC).count();
        n_unknown == 0 || n_unknown == 1 && !sizes.contains(&0)
    };
    let groups = reassociation(ir, op);
    is_unambiguous(shape)
        || groups == reassociation(ir, inner)
            && (is_collapse
                || groups.iter().all(|group| {
                    let sizes: Vec<i64> = group.iter().map(|&dim| shape[dim as usize]).collect();
                    is_unambiguous(&sizes)
                }))
}

/// `groups` as the attribute that [`reassociation`] reads.
pub(crate) fn reassociation_attr(context: &Context, groups: &[Vec<i64>]) -> Attr {
    let groups: Vec<Attr> = groups
        .iter()
        .map(|group| {
            let members: Vec<Attr> = group.iter().map(|&m| context.i64_attr(m)).collect();
            context.array_attr(&members)
        })
        .collect();
    context.array_attr(&groups)
}
