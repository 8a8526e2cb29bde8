//! The decisions of [`Ownership`] as plain data, so that the function can be
//! edited while they are carried out.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::flow::{Edge, EdgeKind};
use crate::deallocation::plan::decide::{Callees, Ownership};
use crate::deallocation::plan::dynamic::ReturnAbi;
use crate::deallocation::plan::place::{Free, place_frees};
use crate::deallocation::plan::status::Bit;

/// An edge that forwards to phis with an `i1`, and the `i1` to forward with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompanionSource {
    pub(crate) edge: Edge,
    /// The buffer forwarded.
    pub(crate) operand: Value,
    pub(crate) bit: Bit,
}

/// Phis that receive the same operands, and the `i1` of each.
#[derive(Debug, Default)]
pub(crate) struct CompanionSlot {
    /// The phis.
    pub(crate) phis: Vec<Value>,
    /// All edges that forward to them.
    pub(crate) sources: Vec<CompanionSource>,
}

/// A run-time comparison on an edge; see [`super::decide::Group`].
#[derive(Debug)]
pub(crate) struct PlannedGroup {
    pub(crate) edge: Edge,
    /// Holders with the ownership they have there.
    pub(crate) holders: Vec<(Value, Bit)>,
    /// The operands compared with.
    pub(crate) operands: Vec<Value>,
    /// Whether a result that is the same buffer as an earlier one may be owned too.
    pub(crate) allow_duplicates: bool,
}

/// A returned operand and whether it belongs to the caller already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returned {
    pub(crate) source: Op,
    pub(crate) operand_index: usize,
    /// What the operand is, or is a view of.
    pub(crate) base: Value,
    pub(crate) bit: Bit,
}

/// Everything to be done to one function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) slots: Vec<CompanionSlot>,
    pub(crate) groups: Vec<PlannedGroup>,
    pub(crate) returned: Vec<Returned>,
    /// Results of one call each; all but the first may be the buffer of an earlier one.
    pub(crate) call_duplicates: Vec<Vec<Value>>,
    /// Calls whose results come with their ownership.
    pub(crate) dynamic_calls: Vec<Op>,
    /// Results of other operations that know who frees them.
    pub(crate) materialized: Vec<(Op, Value)>,
    /// Those whose results are cloned if they do not belong to the caller.
    pub(crate) adapted_calls: Vec<Op>,
    /// Operations of the input that free, where nothing could be completed, and that may free memory
    /// that others own.
    pub(crate) lent: Vec<Op>,
    /// What to say of buffers that are left to the program, with owners.
    pub(crate) remarks: Diagnostics,
    pub(crate) frees: Vec<(Free, Bit)>,
}

/// Decides and plans for the function `ir`, which calls `callees`.
///
/// # Errors
/// If the function already frees buffers in the wrong place.
pub(crate) fn plan(
    ir: &Ir,
    abi: ReturnAbi,
    callees: &Callees,
    diagnostics: &mut Diagnostics,
) -> Result<Plan, Failed> {
    let mut ownership = Ownership::new(ir, abi, callees);
    let frees = place_frees(&mut ownership, diagnostics)?;
    // With owners it may be an error to leave anything to the program.
    let mut remarks = Diagnostics::new();
    let to = match callees.with_owners {
        true => &mut remarks,
        false => &mut *diagnostics,
    };
    ownership.existing.report(&ownership, to);
    let mut plan = Plan {
        frees: frees
            .into_iter()
            .map(|free| {
                let at = free.place.inside(ir);
                (free, ownership.bit_at(free.holder, at))
            })
            .filter(|&(_, bit)| bit != Bit::Constant(false))
            .collect(),
        dynamic_calls: ownership.dynamic_calls.clone(),
        materialized: ownership.materialized.clone(),
        adapted_calls: ownership.adapted_calls.clone(),
        lent: ownership.existing.lent(&ownership),
        remarks,
        ..Plan::default()
    };
    for group in &ownership.groups {
        plan.groups.push(PlannedGroup {
            edge: group.edge,
            holders: group
                .holders
                .iter()
                .filter(|&&holder| ownership.is_holder(holder))
                .map(|&holder| (holder, ownership.bit_at(holder, group.edge.source)))
                .collect(),
            operands: group
                .flows
                .iter()
                .map(|&id| ownership.flow.flow(id).operand)
                .collect(),
            allow_duplicates: group.edge.kind == EdgeKind::Return && abi == ReturnAbi::Owned,
        });
    }
    for id in ownership.flow.flow_ids() {
        let flow = ownership.flow.flow(id);
        if flow.edge.kind == EdgeKind::Return {
            let base = ownership.flow.flow_base(id);
            plan.returned.push(Returned {
                source: flow.edge.source,
                operand_index: flow.operand_index,
                base,
                // What the program frees itself it also hands over itself.
                bit: if ownership.existing.is_left_to_program(base) {
                    Bit::Constant(true)
                } else {
                    ownership.flow_bit(id)
                },
            });
        }
    }
    for results in &ownership.call_duplicates {
        // All are of one family.
        if !ownership.existing.is_left_to_program(results[0]) {
            plan.call_duplicates.push(results.clone());
        }
    }
    plan.slots = companion_slots(&ownership);
    check_room(ir, &plan.slots, diagnostics)?;
    Ok(plan)
}

/// Refuses to put flags where the declaration of an operation has no place for them.
fn check_room(
    ir: &Ir,
    slots: &[CompanionSlot],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut outcome = Ok(());
    for slot in slots {
        let owners = slot.phis.iter().filter_map(|&phi| match ir.value_def(phi) {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(block, _) => ir.block_parent_op(block),
        });
        let sources = slot.sources.iter().map(|source| source.edge.source);
        for op in owners.chain(sources) {
            let def = ir.def(op);
            if let Some(declared) = def.declared
                && !def.has_room_for_flags()
            {
                let message = format!(
                    "'{}' op hands on a buffer that only some ways own, and its declaration has no \
                     place for the i1 that tells: declare its last operands and results variadic, of \
                     irdl.any {{freehold.each}}, or use a strategy that copies",
                    ir.op_name(op)
                );
                outcome = Err(diagnostics.error(ir.loc(op), message));
                let loc = ir.context().declared_loc(declared.index);
                diagnostics.note(loc, "declared here");
            }
        }
    }
    outcome
}

/// The phis that need an `i1`: those with dynamic ownership, and those that
/// receive the same operands as one of them.
fn companion_slots(ownership: &Ownership<'_>) -> Vec<CompanionSlot> {
    let flow = &ownership.flow;
    let mut slots = Vec::new();
    let mut seen_phis: FxHashSet<Value> = FxHashSet::default();
    for &base in flow.bases() {
        if !ownership.needs_companion(base) || !seen_phis.insert(base) {
            continue;
        }
        let mut slot = CompanionSlot {
            phis: vec![base],
            sources: Vec::new(),
        };
        let mut seen_flows: FxHashSet<(Edge, usize)> = FxHashSet::default();
        let mut next = 0;
        while next < slot.phis.len() {
            let phi = slot.phis[next];
            next += 1;
            for &id in flow.flows_in(phi) {
                let one = flow.flow(id);
                if !seen_flows.insert((one.edge, one.operand_index)) {
                    continue;
                }
                slot.sources.push(CompanionSource {
                    edge: one.edge,
                    operand: one.operand,
                    bit: ownership.flow_bit(id),
                });
                for &target in &one.targets {
                    if seen_phis.insert(target) {
                        slot.phis.push(target);
                    }
                }
            }
        }
        slots.push(slot);
    }
    slots
}

/// Appends a value of type `ty` to every place that `slot.phis` stand in;
/// returns it per phi.
pub(crate) fn append_companions(
    ir: &mut Ir,
    slot: &CompanionSlot,
    ty: Type,
) -> FxHashMap<Value, Value> {
    slot.phis
        .iter()
        .map(|&phi| {
            let companion = match ir.value_def(phi) {
                ValueDef::Argument(block, _) => ir.append_block_arg(block, ty),
                ValueDef::Result(op, _) => ir.append_result(op, ty),
            };
            (phi, companion)
        })
        .collect()
}

/// Appends `bit` to the operands that the source of `edge` forwards.
pub(crate) fn append_forwarded(ir: &mut Ir, edge: Edge, bit: Value) {
    let source = edge.source;
    match edge.kind {
        EdgeKind::Branch(successor) => {
            if let Some(branch) = ir.def(source).branch {
                (branch.append_successor_operands)(ir, source, successor, &[bit]);
            }
        }
        EdgeKind::Entry => {
            if let Some(group) = ir.def(source).region_branch.and_then(|i| i.forwarded_group) {
                ir.append_to_operand_group(source, group, &[bit]);
            }
        }
        EdgeKind::RegionExit => {
            let end = forwarded_end(ir, source);
            ir.insert_operands(source, end, &[bit]);
        }
        EdgeKind::Return => {
            let end = ir.operands(source).len();
            ir.insert_operands(source, end, &[bit]);
        }
    }
}

/// One past the last operand that a region terminator forwards anywhere.
fn forwarded_end(ir: &Ir, terminator: Op) -> usize {
    let interface = ir.def(terminator).region_terminator;
    let parent = ir.parent_op(terminator);
    let region = ir.parent_region(terminator);
    let (Some(interface), Some(parent)) = (interface, parent) else {
        return ir.operands(terminator).len();
    };
    let index = ir
        .regions(parent)
        .iter()
        .position(|&r| Some(r) == region)
        .unwrap_or(0);
    ir.region_successors(parent, RegionPoint::Region(index))
        .into_iter()
        .map(|to| (interface.operands)(ir, terminator, to).end)
        .max()
        .unwrap_or_else(|| ir.operands(terminator).len())
}
