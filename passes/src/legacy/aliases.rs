//! What may be the same buffer as an allocation, from there on.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::memref;
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use rustc_hash::FxHashSet;

use super::nest::Nest;
use crate::ownership::flow::{FlowId, ValueFlow};

/// What happens to one base before it is another one.
pub(super) struct Step {
    /// What it may become next.
    pub(super) next: Vec<Value>,
    /// Operations that use it or a view of it.
    pub(super) users: Vec<Op>,
    /// A user frees it.
    pub(super) is_freed: bool,
    /// A user stores the buffer itself in memory.
    escapes: bool,
}

impl Step {
    /// Looks at `base`. A callee is taken to return what it is given.
    pub(super) fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut step = Self {
            next: flow.merges(base).to_vec(),
            users: Vec::new(),
            is_freed: false,
            escapes: false,
        };
        for &id in flow.flows_out(base) {
            step.next.extend_from_slice(&flow.flow(id).targets);
        }
        for &member in flow.members(base) {
            for use_ in ir.uses(member) {
                let user = use_.op;
                step.users.push(user);
                step.is_freed |= ir
                    .own_effects(user)
                    .is_some_and(|effects| effects.has_any(EffectKind::Free));
                step.escapes |= ir.is(user, &memref::STORE) && use_.index == 0
                    || ir.is(user, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX);
                if ir.def(user).call.is_some() {
                    let results = ir.results(user).iter();
                    step.next
                        .extend(results.filter_map(|&result| flow.base(result)));
                }
            }
        }
        step
    }
}

/// Joins to what is known of each base what is known of all that it may become,
/// given both for each of `bases`. `join` must not depend on the order and
/// change nothing when repeated.
pub(super) fn close<T: Copy + PartialEq>(
    bases: &[Value],
    steps: Vec<(T, Vec<Value>)>,
    mut join: impl FnMut(T, T) -> T,
) -> Vec<T> {
    let mut index: SecondaryMap<Value, usize> = SecondaryMap::new();
    for (number, &base) in bases.iter().enumerate() {
        index[base] = number;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); bases.len()];
    for (number, (_, next)) in steps.iter().enumerate() {
        for &target in next {
            before[index[target]].push(number);
        }
    }
    let mut known: Vec<T> = steps.iter().map(|&(own, _)| own).collect();
    // What bases become mostly comes later in the text.
    let mut pending: BTreeSet<usize> = (0..bases.len()).collect();
    while let Some(number) = pending.pop_last() {
        let targets = steps[number].1.iter();
        let found = targets.fold(known[number], |found, &target| {
            join(found, known[index[target]])
        });
        if found != known[number] {
            known[number] = found;
            pending.extend(&before[number]);
        }
    }
    known
}

/// Everything that an allocated buffer may become.
pub(crate) struct Aliases {
    /// The values whose memory may be in the buffer, the allocation first.
    bases: Vec<Value>,
    /// How it gets from one to the other.
    pub(super) flows: Vec<FlowId>,
    /// Operations that use one of them or a view of one.
    pub(crate) users: Vec<Op>,
    /// A user frees one of them.
    pub(super) is_freed: bool,
    /// A user stores the buffer itself in memory.
    pub(crate) escapes: bool,
}

impl Aliases {
    /// Follows `base` forward.
    pub(crate) fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut aliases = Self {
            bases: vec![base],
            flows: Vec::new(),
            users: Vec::new(),
            is_freed: false,
            escapes: false,
        };
        let mut seen: FxHashSet<Value> = std::iter::once(base).collect();
        let mut next = 0;
        while let Some(&current) = aliases.bases.get(next) {
            next += 1;
            let step = Step::of(ir, flow, current);
            aliases.flows.extend_from_slice(flow.flows_out(current));
            aliases.users.extend(step.users);
            aliases.is_freed |= step.is_freed;
            aliases.escapes |= step.escapes;
            let found = step.next.into_iter();
            aliases
                .bases
                .extend(found.filter(|&value| seen.insert(value)));
        }
        aliases
    }

    /// Whether no alias is left once the allocation is executed again.
    pub(super) fn end_with_instance(&self, nest: &Nest<'_>, flow: &ValueFlow) -> bool {
        self.flows
            .iter()
            .all(|&id| nest.in_scope(self.bases[0], flow.flow(id).edge))
    }
}
