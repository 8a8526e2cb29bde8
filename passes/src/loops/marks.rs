//! Attributes by which passes on loops tell each other what they found out.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashSet;

use crate::analysis::loop_memory::Access;

/// The attribute of a loop that was looked at before: it runs in vectors, or is an epilogue.
pub(super) fn vectorized_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.vectorized")
}

/// The attribute of a loop which says that different buffers in it do not overlap if one of them is
/// stored to. Views of one that were made later do.
pub(super) fn disjoint_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.disjoint")
}

/// The attribute of a loop that says how many of its iterations will run together.
pub(super) fn factor_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.unroll_jam_factor")
}

/// The attribute of a loop that was looked at before: its iterations run together, or it is an epilogue.
pub(super) fn jammed_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.jammed")
}

/// Whether something says that different buffers in the loop, which are accessed like this, do not overlap.
pub(super) fn is_disjoint(ir: &Ir, op: Op, accesses: &[Access]) -> bool {
    if !is_marked_disjoint(ir, op) {
        return false;
    }
    // Long bodies access few buffers many times.
    let mut buffers = FxHashSet::default();
    let mut stored = FxHashSet::default();
    for access in accesses {
        buffers.insert(access.buffer);
        if access.is_store {
            stored.insert(access.buffer);
        }
    }
    let is_part = |a, b| a != b && is_part_of_other(ir, a, b);
    !stored
        .iter()
        .any(|&a| buffers.iter().any(|&b| is_part(a, b)))
}

/// Whether something says that different buffers in the loop do not overlap, but for those of which
/// [`is_part_of_other`] says that they do.
pub(super) fn is_marked_disjoint(ir: &Ir, op: Op) -> bool {
    let name = disjoint_name(ir);
    let parents = std::iter::successors(Some(op), |&op| ir.parent_op(op));
    parents
        .take_while(|&op| op != ir.root())
        .any(|op| ir.has_attr(op, name))
}

/// Whether one of two buffers is a view of the other one, or both are of all of a third one: passes made it after
/// addresses were compared.
pub(super) fn is_part_of_other(ir: &Ir, a: Value, b: Value) -> bool {
    is_view_of(ir, a, all_of(ir, b)) || is_view_of(ir, b, all_of(ir, a))
}

fn is_view_of(ir: &Ir, mut view: Value, buffer: Value) -> bool {
    loop {
        view = all_of(ir, view);
        if view == buffer {
            return true;
        }
        let Some(op) = ir.defining_op(view) else {
            return false;
        };
        let Some(source) = ir.def(op).view_source else {
            return false;
        };
        view = source(ir, op);
    }
}

/// The buffer that has the same elements, or at least the same first one.
fn all_of(ir: &Ir, mut view: Value) -> Value {
    static WHOLE: [&OpDef; 4] = [
        &memref::CAST,
        &memref::COLLAPSE_SHAPE,
        &memref::EXPAND_SHAPE,
        &memref::TRANSPOSE,
    ];
    let offset = |value| {
        let memref = ir.context().as_memref(ir.value_type(value))?;
        let (_, offset) = ir.context().memref_strides(memref)?;
        (offset != DYNAMIC).then_some(offset)
    };
    while let Some(op) = ir.defining_op(view) {
        let is_whole = WHOLE.iter().any(|def| ir.is(op, def))
            || ir.is(op, &memref::REINTERPRET_CAST)
                && offset(view).is_some_and(|begin| offset(ir.operand(op, 0)) == Some(begin));
        if !is_whole {
            break;
        }
        view = ir.operand(op, 0);
    }
    view
}
