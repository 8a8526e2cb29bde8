//! Writes that a copy loses: a buffer got a second name, for which a pass
//! makes a copy; then the program writes through one of the two names and reads
//! through the other.
//!
//! Such programs are outside of the guarantee. An error says so where all of it can be seen: the
//! write and the read are operations with effects on the two names or on views of them, and control
//! can go from the copy to the write and on to the read, where both names still mean what they
//! meant at the copy, and nothing is written through the second name in between, save elements that are known to be
//! others. What callees and callers do is not seen, and neither are writes through a third name. Where the search takes
//! too long to tell, the program is rejected.

use std::collections::VecDeque;

use freehold_frontend::dialects::affine::MapAndOperands;
use freehold_frontend::dialects::arith;
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::analysis::affine_memory::subscripts;
use crate::analysis::flow::{EdgeKind, Flow, FlowId, ValueFlow};
use crate::analysis::loop_memory::{Access, are_apart, is_injective};

/// How many operations are visited in one function: 300 copies in a function of 10,000 operations, at least. A
/// program that needs more is rejected.
const MAX_STEPS: usize = 1 << 22;

/// Checks the fate of the operands of `copied`, each of which is replaced by a copy.
///
/// # Errors
/// If a write is lost.
pub(crate) fn check(
    ir: &Ir,
    flow: &ValueFlow,
    copied: &[FlowId],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut search = Search::new(ir);
    let mut reported: FxHashSet<Op> = FxHashSet::default();
    let mut result = Ok(());
    for &id in copied {
        let one = flow.flow(id);
        let source = flow.flow_base(id);
        let accesses = Accesses::of(ir, flow, source);
        let mut starts = starts(ir, one);
        // Both get a copy, which are two buffers even where the source is gone.
        let phis = second_phis(flow, id);
        for (phi, other) in phis
            .iter()
            .flat_map(|&(phi, other)| [(phi, other), (other, phi)])
        {
            let [written, read] = [phi, other].map(|name| Accesses::of(ir, flow, name));
            let lost = search.lost_write(&starts, [phi, other].map(Some), &written, &read);
            if let Some((write, read)) = lost.filter(|&(write, _)| reported.insert(write)) {
                result = Err(report(ir, write, read, Some(one.edge.source), diagnostics));
            }
        }
        starts.retain(|&mut op| !defines(ir, op, source));
        for &phi in &one.targets {
            if is_redefined_with(ir, source, phi) {
                continue;
            }
            let others = Accesses::of(ir, flow, phi);
            let lost = search
                .lost_write(&starts, [phi, source].map(Some), &others, &accesses)
                .or_else(|| {
                    search.lost_write(&starts, [source, phi].map(Some), &accesses, &others)
                });
            let Some((write, read)) = lost.filter(|&(write, _)| reported.insert(write)) else {
                continue;
            };
            result = Err(report(ir, write, read, Some(one.edge.source), diagnostics));
        }
        if search.is_exhausted {
            return Err(report_exhausted(ir, one.edge.source, diagnostics));
        }
    }
    result
}

/// Says that the search ended before it could tell whether writes are lost to the copy at `copied`.
pub(crate) fn report_exhausted(ir: &Ir, copied: Op, diagnostics: &mut Diagnostics) -> Failed {
    let message = format!(
        "'{}' op needs a copy of a buffer, and the function is too large to tell whether a write is lost by it",
        ir.op_name(copied)
    );
    diagnostics.error(ir.loc(copied), message)
}

/// Says which write is lost.
pub(crate) fn report(
    ir: &Ir,
    write: Op,
    read: Op,
    copied: Option<Op>,
    diagnostics: &mut Diagnostics,
) -> Failed {
    let message = format!(
        "'{}' op writes through one of two names of a buffer that has to be copied, and the \
         other one is read afterwards",
        ir.op_name(write)
    );
    let failed = diagnostics.error(ir.loc(write), message);
    if let Some(copied) = copied {
        diagnostics.note(ir.loc(copied), "copied here");
    }
    diagnostics.note(ir.loc(read), "read here");
    failed
}

/// Pairs of names, one of them what the flow becomes, that another flow on the same edge gives the same buffer.
fn second_phis(flow: &ValueFlow, id: FlowId) -> SmallVec<[(Value, Value); 2]> {
    let one = flow.flow(id);
    let base = flow.flow_base(id);
    let others = flow.flows_out(base).iter().filter(|&&other| other > id);
    let others = others.map(|&other| flow.flow(other));
    others
        .filter(|other| other.edge == one.edge)
        .flat_map(|other| {
            one.targets
                .iter()
                .copied()
                .zip(other.targets.iter().copied())
        })
        .collect()
}

/// Whether `source` becomes another buffer at the moment at which `phi` gets a copy of it.
fn is_redefined_with(ir: &Ir, source: Value, phi: Value) -> bool {
    match (ir.value_def(source), ir.value_def(phi)) {
        (ValueDef::Argument(a, _), ValueDef::Argument(b, _)) => a == b,
        (ValueDef::Result(a, _), ValueDef::Result(b, _)) => a == b,
        _ => false,
    }
}

/// The accesses to a buffer by one of its names.
#[derive(Default)]
pub(crate) struct Accesses {
    pub(crate) writes: FxHashSet<Op>,
    pub(crate) reads: FxHashSet<Op>,
}

impl Accesses {
    /// Those of `base` and of views of it.
    fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut this = Self::default();
        for &member in flow.members(base) {
            for use_ in ir.uses(member) {
                let Some(effects) = ir.own_effects(use_.op) else {
                    continue;
                };
                for effect in effects.iter().filter(|e| e.value == Some(member)) {
                    match effect.kind {
                        EffectKind::Read => this.reads.insert(use_.op),
                        EffectKind::Write => this.writes.insert(use_.op),
                        EffectKind::Allocate | EffectKind::Free => false,
                    };
                }
            }
        }
        this
    }
}

/// Follows control through blocks and regions.
pub(crate) struct Search<'a> {
    ir: &'a Ir,
    /// How many operations may still be visited.
    steps: usize,
    /// Whether there were more: what was found is not all there is.
    pub(crate) is_exhausted: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(ir: &'a Ir) -> Self {
        Self {
            ir,
            steps: ir.capped(MAX_STEPS),
            is_exhausted: false,
        }
    }

    /// A write to the first of two names of results of `call`, and a read of the second one behind it. Without a name,
    /// the accesses are by several ones, which are not all defined again.
    pub(crate) fn lost_write_after(
        &mut self,
        call: Op,
        names: [Option<Value>; 2],
        written: &Accesses,
        read: &Accesses,
    ) -> Option<(Op, Op)> {
        let ir = self.ir;
        let may_follow = |ops: &FxHashSet<Op>| ops.iter().any(|&op| may_follow(ir, call, op));
        if !may_follow(&written.writes) || !may_follow(&read.reads) {
            return None;
        }
        self.lost_write(&successors(ir, call), names, written, read)
    }

    /// A write to the first of two names, and a read of the second one behind it. At `starts`, both
    /// mean the same buffer.
    fn lost_write(
        &mut self,
        starts: &[Op],
        names: [Option<Value>; 2],
        written: &Accesses,
        read: &Accesses,
    ) -> Option<(Op, Op)> {
        if written.writes.is_empty() || read.reads.is_empty() {
            return None;
        }
        let ir = self.ir;
        // Which write control comes from last, of the writes behind the copy.
        let mut writes: Vec<Op> = Vec::new();
        let starts = starts.iter().map(|&op| (op, ())).collect();
        self.visit(starts, &names, |op, ()| {
            // A copy from one name to the other changes nothing.
            if written.writes.contains(&op) && !read.reads.contains(&op) {
                writes.push(op);
            }
            true
        });
        // What the first name means no longer matters once it was written through.
        let mut found = None;
        let starts = writes
            .into_iter()
            .flat_map(|write| successors(ir, write).into_iter().map(move |op| (op, write)))
            .filter(|&(op, _)| !names[1].is_some_and(|name| defines(ir, op, name)))
            .collect();
        self.visit(starts, &names[1..], |op, write| {
            let accesses = || Access::of(ir, write).zip(Access::of(ir, op));
            if found.is_none() && read.reads.contains(&op) && op != write {
                let is_apart = accesses().is_some_and(|(a, b)| are_apart(ir, a, b))
                    || are_other_elements(ir, names, [write, op]);
                if !is_apart {
                    found = Some((write, op));
                }
            }
            // Other elements than those that are lost may be written.
            let is_fixed = |access: Access| {
                let mut indices = access.indices(ir).iter();
                indices.all(|&index| arith::as_constant_index(ir, index).is_some())
            };
            let is_elsewhere = |(a, b): (Access, Access)| {
                names == [Some(a.buffer), Some(b.buffer)]
                    && is_fixed(a)
                    && is_fixed(b)
                    && are_apart(ir, a, b)
            };
            found.is_none()
                && (!read.writes.contains(&op)
                    || accesses().is_some_and(is_elsewhere)
                    || are_other_elements(ir, names, [write, op]))
        });
        found
    }

    /// Visits what control may come to from `starts` on, nearest first, with what came along, as
    /// long as `visit` says to go on and none of `names` is defined again.
    fn visit<T: Copy>(
        &mut self,
        starts: Vec<(Op, T)>,
        names: &[Option<Value>],
        mut visit: impl FnMut(Op, T) -> bool,
    ) {
        let ir = self.ir;
        let is_definition = |op: Op| names.iter().flatten().any(|&name| defines(ir, op, name));
        let mut seen: FxHashSet<Op> = starts.iter().map(|&(op, _)| op).collect();
        let mut pending: VecDeque<(Op, T)> = starts.into();
        while let Some((op, with)) = pending.pop_front() {
            if self.steps == 0 {
                self.is_exhausted = true;
                return;
            }
            self.steps -= 1;
            if !visit(op, with) {
                continue;
            }
            for next in successors(ir, op) {
                if !is_definition(next) && seen.insert(next) {
                    pending.push_back((next, with));
                }
            }
        }
    }
}

/// Whether two accesses by these names, affine ones among them, are each of one element whose place is known, and not of
/// the same one.
fn are_other_elements(ir: &Ir, names: [Option<Value>; 2], ops: [Op; 2]) -> bool {
    let place = |op: Op| {
        let (buffer, MapAndOperands { map, .. }) = subscripts(ir, op)?;
        let numbers = map.results.iter().map(|result| match result {
            AffineExpr::Constant(number) => Some(*number),
            _ => None,
        });
        Some((buffer, numbers.collect::<Option<Vec<i64>>>()?))
    };
    let [Some((first, a)), Some((second, b))] = ops.map(place) else {
        return false;
    };
    let memref = ir.context().as_memref(ir.value_type(first));
    names == [Some(first), Some(second)]
        && memref.is_some_and(|memref| is_injective(ir.context(), memref))
        && a != b
}

/// Whether `op` may be executed behind `call`; not in front of it where control never goes back.
fn may_follow(ir: &Ir, call: Op, op: Op) -> bool {
    let only_block = ir
        .root_block()
        .filter(|&block| ir.next_block(block).is_none());
    let place = |op: Op| ir.ancestor_in_block(op, only_block?);
    match (place(call), place(op)) {
        (Some(call), Some(op)) => call == op || !ir.is_before_in_block(op, call),
        _ => true,
    }
}

/// Whether control that comes to `op` gives `name` another value.
fn defines(ir: &Ir, op: Op, name: Value) -> bool {
    match ir.value_def(name) {
        ValueDef::Result(definition, _) => definition == op,
        // Blocks are entered at their first operation.
        ValueDef::Argument(block, _) => ir.first_op(block) == Some(op),
    }
}

/// The first operations behind the copy.
fn starts(ir: &Ir, one: &Flow) -> SmallVec<[Op; 2]> {
    match one.edge.kind {
        EdgeKind::Branch(successor) => {
            let block = ir.successors(one.edge.source)[successor];
            ir.first_op(block).into_iter().collect()
        }
        EdgeKind::Entry | EdgeKind::RegionExit => successors(ir, one.edge.source),
        EdgeKind::Return => SmallVec::new(),
    }
}

/// What may be executed next.
fn successors(ir: &Ir, op: Op) -> SmallVec<[Op; 2]> {
    let first = |block: Option<Block>| block.and_then(|block| ir.first_op(block));
    let point = |parent: Op, to: RegionPoint| match to {
        RegionPoint::Parent => ir.next_op(parent),
        RegionPoint::Region(index) => first(ir.entry_block(ir.region(parent, index))),
    };
    if !ir.successors(op).is_empty() {
        return ir
            .successors(op)
            .iter()
            .filter_map(|&block| ir.first_op(block))
            .collect();
    }
    if ir.def(op).region_branch.is_some() && !ir.regions(op).is_empty() {
        let to = ir.region_successors(op, RegionPoint::Parent).into_iter();
        return to.filter_map(|to| point(op, to)).collect();
    }
    if let Some(next) = ir.next_op(op) {
        return [next].into_iter().collect();
    }
    // The end of a region.
    let parent = ir.parent_op(op).filter(|&parent| parent != ir.root());
    let Some((parent, region)) = parent.zip(ir.parent_region(op)) else {
        return SmallVec::new();
    };
    let index = ir.regions(parent).iter().position(|&r| r == region);
    match index.filter(|_| ir.def(parent).region_branch.is_some()) {
        Some(index) => {
            let to = ir.region_successors(parent, RegionPoint::Region(index));
            to.into_iter().filter_map(|to| point(parent, to)).collect()
        }
        None => ir.next_op(parent).into_iter().collect(),
    }
}
