//! Patterns of allocations.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::memref::{access, alloc};
use crate::dialects::shared::assembly;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Use, Value};
use crate::ir::names::Name;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::DYNAMIC;

use super::replace_with_cast;

/// alloc(%c4) : memref<?xf32>  ->  cast(alloc() : memref<4xf32>)
pub(super) fn constant_sizes(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let context = std::sync::Arc::clone(rw.ir.context());
    let mut memref = assembly::memref_of(rw.ir, rw.ir.result(op, 0)).clone();
    let mut remaining: SmallVec<[Value; 4]> = SmallVec::new();
    let mut sizes = rw.ir.operand_group(op, 0).iter();
    let n_dynamic = sizes.len();
    for size in memref.shape.iter_mut().filter(|size| **size == DYNAMIC) {
        let Some(&operand) = sizes.next() else {
            return false;
        };
        match arith::as_constant_index(rw.ir, operand) {
            Some(number) if number >= 0 => *size = number,
            _ => remaining.push(operand),
        }
    }
    if remaining.len() == n_dynamic {
        return false;
    }
    let symbols: SmallVec<[Value; 4]> = rw.ir.operand_group(op, 1).into();
    let ty = context.memref_type(memref);
    let mut spec = OpSpec::new(rw.ir.def(op), rw.ir.loc(op))
        .operands(&remaining)
        .operands(&symbols)
        .results(&[ty]);
    // Attributes of other dialects stay: they may say who frees the buffer.
    spec.attrs = context.dict(rw.ir.attrs(op)).to_vec();
    spec.set_attr(
        Name::OPERAND_SEGMENT_SIZES,
        context.i32_array_attr(&[remaining.len() as i32, symbols.len() as i32]),
    );
    let new = rw.create_before(op, spec);
    let value = rw.ir.result(new, 0);
    replace_with_cast(rw, op, value);
    true
}

/// Whether all uses of `buffer` release it or write to it.
pub fn is_never_read(ir: &Ir, buffer: Value) -> bool {
    ir.uses(buffer)
        .iter()
        .all(|u| ir.is(u.op, &alloc::DEALLOC) || (ir.is(u.op, &access::STORE) && u.index == 1))
}

/// Erases all users of `buffer`.
pub(crate) fn erase_users(rw: &mut Rewriter<'_>, buffer: Value) {
    let users: Vec<Use> = rw.ir.uses(buffer).to_vec();
    for u in users {
        rw.erase_op(u.op);
    }
}

/// A buffer that is only written and released is not needed.
pub(super) fn dead(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let buffer = rw.ir.result(op, 0);
    if !is_never_read(rw.ir, buffer) || rw.ir.context().keeps_memory_operations() {
        return false;
    }
    erase_users(rw, buffer);
    rw.erase_op(op);
    true
}

/// A realloc whose result is only written and released: what remains is the
/// release of its source. If the result is never released, neither is the
/// source from now on: someone decides later where buffers are freed.
///
/// Upstream forgets the source, which then leaks.
pub(super) fn dead_realloc(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let buffer = rw.ir.result(op, 0);
    if !is_never_read(rw.ir, buffer) || rw.ir.context().keeps_memory_operations() {
        return false;
    }
    let is_released = rw
        .ir
        .uses(buffer)
        .iter()
        .any(|u| rw.ir.is(u.op, &alloc::DEALLOC));
    erase_users(rw, buffer);
    if is_released {
        let source = rw.ir.operand(op, 0);
        let spec = OpSpec::new(&alloc::DEALLOC, rw.ir.loc(op)).operands(&[source]);
        rw.create_before(op, spec);
    }
    rw.erase_op(op);
    true
}
