//! Attributes by which passes on loops tell each other what they found out.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

/// The attribute of a loop that was looked at before: it runs in vectors, or is an epilogue.
pub(super) fn vectorized_name(ir: &Ir) -> Name {
    ir.context().intern_name("freehold.vectorized")
}

/// The attribute of a loop which says that different buffers in it do not overlap if one of them is
/// stored to.
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

/// Whether something says that different buffers in the loop do not overlap.
pub(super) fn is_disjoint(ir: &Ir, op: Op) -> bool {
    let name = disjoint_name(ir);
    let parents = std::iter::successors(Some(op), |&op| ir.parent_op(op));
    parents
        .take_while(|&op| op != ir.root())
        .any(|op| ir.has_attr(op, name))
}
