//! `builtin`: casts that change nothing.

use freehold_frontend::dialects::llvm::types::is_pointer;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use smallvec::SmallVec;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::{Descriptor, Index, Lowered};
use crate::program::unsupported_op;
use crate::repr::{Aggregate, Repr, Scalar, dynamic_fields};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable =
    &[(&builtin::UNREALIZED_CONVERSION_CAST, lower_unrealized_cast)];

/// Casts between types that are held alike, one value each.
fn lower_unrealized_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (operands, results) = (cx.ir.operands(op), cx.ir.results(op));
    let (&[operand], &[result]) = (operands, results) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let (from, to) = (cx.repr(operand)?, cx.repr(result)?);
    let is_pointer = |value| is_pointer(cx.context, cx.ir.value_type(value));
    // Memory of a known size at an address.
    if let Repr::MemRef(layout) = &to
        && is_pointer(operand)
        && dynamic_fields(layout).filter(|&dynamic| dynamic).count() == 2
    {
        let zeros = SmallVec::from_elem(Index::Const(0), layout.rank());
        let pointer = Index::Value(cx.scalar(operand)?);
        let mut descriptor = Descriptor::identity(pointer, zeros.clone(), zeros);
        descriptor.refine(layout);
        cx.set(result, Lowered::memref(descriptor));
        return Ok(());
    }
    // A descriptor as upstream's lowerings hold it, and as it is held here.
    if let (Repr::Aggregate(_), Repr::MemRef(layout)) = (&from, &to)
        && is_descriptor(&from, layout.rank())
    {
        let mut fields = Vec::new();
        numbers(cx.get(operand)?, &mut fields);
        let mut descriptor = Descriptor::from_fields(layout.rank(), fields);
        descriptor.refine(layout);
        cx.set(result, Lowered::memref(descriptor));
        return Ok(());
    }
    if let (Repr::MemRef(layout), Repr::Aggregate(aggregate)) = (&from, &to)
        && is_descriptor(&to, layout.rank())
    {
        let descriptor = cx.memref(operand)?;
        let fields: Vec<Index> = descriptor.fields().collect();
        let value = aggregate_of(cx, aggregate, &mut fields.into_iter());
        cx.set(result, value);
        return Ok(());
    }
    let is_address =
        |repr: &Repr, value| is_pointer(value) || matches!(repr, Repr::Scalar(Scalar::Function));
    let alike = match (&from, &to) {
        _ if is_address(&from, operand) && is_address(&to, result) => true,
        (Repr::Scalar(from), Repr::Scalar(to)) => from == to,
        (Repr::Complex(from), Repr::Complex(to)) => from == to,
        (Repr::Vector(from), Repr::Vector(to)) => from == to,
        (Repr::MemRef(from), Repr::MemRef(to)) => from.rank() == to.rank(),
        (Repr::UnrankedMemRef, Repr::UnrankedMemRef) => true,
        _ => false,
    };
    if !alike {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    }
    let value = cx.get(operand)?.clone();
    cx.set(result, value);
    Ok(())
}

/// Whether this is a struct of two pointers, an offset, and the sizes and strides of as many dimensions.
fn is_descriptor(repr: &Repr, rank: usize) -> bool {
    let is_number = |leaf: &&Repr| matches!(leaf, Repr::Scalar(Scalar::Int(64)));
    let leaves = repr.leaves();
    leaves.len() == 3 + 2 * rank && leaves.iter().all(is_number)
}

/// The numbers in a struct.
fn numbers(value: &Lowered, found: &mut Vec<Index>) {
    match value {
        Lowered::Scalar(value) => found.push(Index::Value(*value)),
        Lowered::Constant(_, bits) => found.push(Index::Const(*bits as i64)),
        Lowered::Aggregate(members) => {
            for member in members.iter() {
                numbers(member, found);
            }
        }
        _ => {}
    }
}

/// A struct of these numbers.
fn aggregate_of(
    cx: &mut Lowering<'_, '_>,
    aggregate: &Aggregate,
    fields: &mut impl Iterator<Item = Index>,
) -> Lowered {
    let members = aggregate.members.iter().map(|member| match member {
        Repr::Aggregate(inner) => aggregate_of(cx, inner, fields),
        _ => match fields.next() {
            Some(field) => Lowered::Scalar(cx.index_value(field)),
            None => Lowered::Missing,
        },
    });
    Lowered::Aggregate(members.collect())
}
