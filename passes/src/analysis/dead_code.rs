//! Which operations may be erased once nothing uses their results, for many
//! operations with regions inside each other.
//!
//! An operation with regions stays because of something inside, maybe deep inside.
//! [`ReasonsToKeep`] remembers what that was, so that the operations around it need no search of
//! their own: a nest of n loops costs n steps instead of n². A reason that is gone leads to a new
//! search; remembered facts are checked again, never believed.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use rustc_hash::FxHashMap;

/// Answers [`Ir::would_be_trivially_dead`] for many operations.
#[derive(Default)]
pub(crate) struct ReasonsToKeep {
    /// For an operation that stays: the one directly inside it that holds the
    /// reason or is it.
    inner: FxHashMap<Op, Op>,
}

impl ReasonsToKeep {
    /// Whether `op` may be erased when its results are unused.
    pub(crate) fn would_be_trivially_dead(&mut self, ir: &Ir, op: Op) -> bool {
        if ir.regions(op).is_empty() {
            return ir.would_be_trivially_dead(op);
        }
        let mut reason = op;
        while let Some(&inner) = self.inner.get(&reason)
            && !ir.is_erased(inner)
            && ir.parent_op(inner) == Some(reason)
        {
            reason = inner;
        }
        if ir.is_reason_to_keep(op, reason) {
            return false;
        }
        let Some(reason) = ir.reason_to_keep(op) else {
            return true;
        };
        let mut inner = reason;
        while inner != op
            && let Some(outer) = ir.parent_op(inner)
        {
            self.inner.insert(outer, inner);
            inner = outer;
        }
        false
    }
}
