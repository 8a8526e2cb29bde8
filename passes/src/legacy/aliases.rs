//! What may be the same buffer as an allocation, from there on.

use freehold_frontend::dialects::memref;
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashSet;

use super::nest::Nest;
use crate::ownership::flow::{FlowId, ValueFlow};

/// Everything that an allocated buffer may become.
pub(crate) struct Aliases {
    /// The values whose memory may be in the buffer, the allocation first.
    pub(super) bases: Vec<Value>,
    /// How it gets from one to the other.
    pub(super) flows: Vec<FlowId>,
    /// Operations that use one of them or a view of one.
    pub(crate) users: Vec<Op>,
    /// A user stores the buffer itself in memory.
    pub(crate) escapes: bool,
}

impl Aliases {
    /// Follows `base` forward. A callee is taken to return what it is given.
    pub(crate) fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut aliases = Self {
            bases: vec![base],
            flows: Vec::new(),
            users: Vec::new(),
            escapes: false,
        };
        let mut seen: FxHashSet<Value> = std::iter::once(base).collect();
        let mut next = 0;
        while let Some(&current) = aliases.bases.get(next) {
            next += 1;
            let mut found: Vec<Value> = flow.merges(current).to_vec();
            for &id in flow.flows_out(current) {
                aliases.flows.push(id);
                found.extend_from_slice(&flow.flow(id).targets);
            }
            for &member in flow.members(current) {
                for use_ in ir.uses(member) {
                    aliases.users.push(use_.op);
                    aliases.escapes |= ir.is(use_.op, &memref::STORE) && use_.index == 0
                        || ir.is(use_.op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX);
                    if ir.def(use_.op).call.is_some() {
                        let results = ir.results(use_.op).iter();
                        found.extend(results.filter_map(|&result| flow.base(result)));
                    }
                }
            }
            aliases
                .bases
                .extend(found.into_iter().filter(|&value| seen.insert(value)));
        }
        aliases
    }

    /// Whether an operation frees one of the aliases, or the program says that
    /// it frees the allocation in its own way.
    pub(super) fn is_freed(&self, ir: &Ir) -> bool {
        let frees = |&user: &Op| {
            ir.own_effects(user)
                .is_some_and(|effects| effects.has_any(EffectKind::Free))
        };
        let allocation = ir.defining_op(self.bases[0]);
        allocation.is_some_and(|op| ir.has_attr(op, Name::MANUAL_DEALLOCATION))
            || self.users.iter().any(frees)
    }

    /// Whether no alias is left once the allocation is executed again.
    pub(super) fn end_with_instance(&self, nest: &Nest<'_>, flow: &ValueFlow) -> bool {
        self.flows
            .iter()
            .all(|&id| nest.in_scope(self.bases[0], flow.flow(id).edge))
    }
}
