//! Which uses of a tensor only read it, as long as their operation runs.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::op_def::OpDef;
use smallvec::SmallVec;

/// Uses that one question looks at: bounds compile time.
pub(crate) const MAX_USES: usize = 64;

const VIEWS: [&OpDef; 4] = [
    &tensor::CAST,
    &tensor::COLLAPSE_SHAPE,
    &tensor::EXPAND_SHAPE,
    &tensor::EXTRACT_SLICE,
];

/// Whether the result of an operation is in the buffer of its first operand, or may be.
pub(crate) fn is_view(ir: &Ir, op: Op) -> bool {
    VIEWS.iter().any(|def| ir.is(op, def))
}

/// Whether an operation only reads a tensor that is this operand. Views of it are read later.
pub(crate) fn only_reads(ir: &Ir, Use { op, index }: Use) -> bool {
    is_view(ir, op)
        || ir.is(op, &tensor::EXTRACT)
        || ir.is(op, &tensor::DIM)
        || interface::is_structured(ir, op) && (index as usize) < interface::n_inputs(ir, op)
}

/// Whether all that is done with a tensor but what `end` does is to read it, in the block of `end` and before it. With
/// many uses this counts as not known.
pub(crate) fn is_only_read_before(ir: &Ir, tensor: Value, end: Op) -> bool {
    let mut n_uses = 0;
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[tensor]);
    while let Some(value) = pending.pop() {
        for &user in ir.uses(value) {
            n_uses += 1;
            if n_uses > ir.capped(MAX_USES) {
                return false;
            }
            if user.op == end {
                continue;
            }
            let is_before =
                ir.block_of(user.op) == ir.block_of(end) && ir.is_before_in_block(user.op, end);
            if !is_before || !only_reads(ir, user) {
                return false;
            }
            if is_view(ir, user.op) {
                pending.extend(ir.results(user.op).iter().copied());
            }
        }
    }
    true
}
