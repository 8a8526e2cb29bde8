//! `keep-request-buffers`: the buffers of a request that is not waited for are never freed.
//!
//! Before:
//! ```mlir
//! func.func @f(%c: i32, %comm: !mpi.comm) {
//!   %m = memref.alloc() : memref<4xf32>
//!   %request = mpi.isend(%m, %c, %c, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!   return
//! }
//! ```
//! After, with a warning:
//! ```mlir
//! func.func @f(%c: i32, %comm: !mpi.comm) {
//!   %m = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
//!   %request = mpi.isend(%m, %c, %c, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!   return
//! }
//! ```
//!
//! Deallocation keeps a buffer as long as its request, or what branches, loops and calls make of that, is used. The
//! last use is the wait, if there is one on every path and it can see the buffer. This pass follows each request from its
//! start; where a path ends without a wait, where a branch or a loop hands the request on to where another instance of its
//! buffer may be, or where the request is returned without its buffer, whatever the buffer may be is left to the program,
//! which has no means to free it in time either: so it is kept, and the program told. If someone else owns the buffer
//! (the caller, the stack), who frees it knows nothing of the request: that is an error.

use freehold_frontend::dialects::{cf, memref, mpi, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::interfaces::{RegionPoint, Request};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::analysis::flow::{ValueFlow, is_return};
use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "keep-request-buffers",
    summary: "never free what a request uses that is not waited for on every path",
    anchor: Anchor::Function,
    run: |ir, context| {
        let starts: Vec<Op> = ir
            .walk(ir.root())
            .filter(|&op| matches!(ir.request(op), Some(Request::Started { .. })))
            .collect();
        if starts.is_empty() {
            return Ok(());
        }
        let flow = ValueFlow::new(ir);
        let mut kept = Vec::new();
        for op in starts {
            keep(ir, &flow, op, &mut kept, &mut context.diagnostics)?;
        }
        for &alloc in &kept {
            ir.set_attr(alloc, Name::MANUAL_DEALLOCATION, Attr::UNIT);
        }
        context.count("buffers kept", kept.len() as u64);
        Ok(())
    },
};

/// States that are looked at per request: bounds compile time. Behind that, a request counts as lost.
const MAX_STATES: usize = 10_000;

/// Adds the allocations that must not be freed because of the transfer that `op` starts.
fn keep(
    ir: &Ir,
    flow: &ValueFlow,
    op: Op,
    kept: &mut Vec<Op>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let Some(Request::Started {
        request, buffer, ..
    }) = ir.request(op)
    else {
        return Ok(());
    };
    let Some(base) = flow.base(buffer) else {
        return Ok(());
    };
    let outcome = follow(ir, flow, op, request, base);
    let is_alone = matches!(outcome, End::Alone(_));
    let end = match outcome {
        End::Awaited => return Ok(()),
        End::Lost(end) | End::Alone(end) => end,
        End::Returned(returns) => {
            // An allocation that goes along belongs to who gets the request.
            let is_alloc = heap_allocation(ir, base).is_some();
            let goes_along = |&(end, buffer): &(Op, Value)| {
                let mut operands = ir.operands(end).iter();
                operands.any(|&value| ir.is_memref(value) && flow.base(value) == Some(buffer))
            };
            let is_callers = ir
                .root_block()
                .is_some_and(|block| ir.block_args(block).contains(&base));
            match returns.iter().find(|end| !(is_alloc && goes_along(end))) {
                Some(&(end, _)) if !is_callers => end,
                _ => return Ok(()),
            }
        }
    };
    let mut sources = vec![base];
    let mut seen: FxHashSet<Value> = sources.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(source) = sources.pop() {
        let senders = flow.flows_in(source).iter().map(|&id| flow.flow_base(id));
        let before: Vec<Value> = senders
            .chain(flow.merge_sources(source).iter().copied())
            .collect();
        if before.is_empty() {
            match heap_allocation(ir, source) {
                Some(alloc) => found.push(alloc),
                None if ir.defined_by(source, &memref::GET_GLOBAL).is_some() => {}
                None => {
                    let message = "request is neither waited for on every path nor returned, and others free its \
                                   buffer";
                    let failed = diagnostics.error(ir.loc(op), message);
                    diagnostics.note(ir.loc(end), "it is lost here");
                    return Err(failed);
                }
            }
        }
        sources.extend(before.into_iter().filter(|&value| seen.insert(value)));
    }
    let (message, note) = match is_alone {
        true => (
            "request is handed on without its buffer, which is never freed",
            "it is handed on here",
        ),
        false => (
            "request is not waited for on every path: its buffer is never freed",
            "it is lost here",
        ),
    };
    diagnostics.warning(ir.loc(op), message);
    diagnostics.note(ir.loc(end), note);
    kept.extend(found);
    Ok(())
}

/// The operation that allocates this base on the heap.
fn heap_allocation(ir: &Ir, base: Value) -> Option<Op> {
    let op = ir.defining_op(base)?;
    let effects = ir.own_effects(op)?;
    effects
        .iter()
        .any(|effect| {
            effect.kind == EffectKind::Allocate
                && effect.value == Some(base)
                && effect.resource != Resource::AutomaticAllocationScope
        })
        .then_some(op)
}

/// What becomes of a request.
enum End {
    /// It is waited for on every path.
    Awaited,
    /// A path ends here without a wait.
    Lost(Op),
    /// It is handed on here to where its buffer is not known.
    Alone(Op),
    /// It is waited for, or returned here, where its buffer is this one.
    Returned(Vec<(Op, Value)>),
}

/// The state in front of an operation.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    op: Op,
    /// The values that stand for the request, sorted.
    names: SmallVec<[Value; 4]>,
    /// Conditions on the way, sorted.
    known: SmallVec<[(Value, bool); 2]>,
    /// The base of its buffer.
    buffer: Value,
}

impl State {
    /// The state behind `op` at `next`, where `targets` are `sources`.
    fn to(&self, next: Option<Op>, targets: &[Value], sources: &[Value]) -> Option<Self> {
        let mut names = self.names.clone();
        let mut known = self.known.clone();
        names.retain(|name| !targets.contains(name));
        known.retain(|known| !targets.contains(&known.0));
        for (&target, source) in targets.iter().zip(sources) {
            if self.names.contains(source) {
                names.push(target);
            }
        }
        names.sort_unstable();
        names.dedup();
        Some(Self {
            op: next?,
            names,
            known,
            buffer: self.buffer,
        })
    }

    /// The same where a condition is known; none if that cannot be.
    fn when(mut self, condition: Option<(Value, bool)>) -> Option<Self> {
        if let Some((condition, value)) = condition {
            match self.known.iter().find(|known| known.0 == condition) {
                Some(known) if known.1 != value => return None,
                Some(_) => {}
                None => self.known.push((condition, value)),
            }
            self.known.sort_unstable();
        }
        Some(self)
    }
}

/// What the buffer becomes where values are handed on, if it is among them and stays there.
fn handed_on(
    ir: &Ir,
    flow: &ValueFlow,
    buffer: Value,
    targets: &[Value],
    sources: &[Value],
) -> Option<Value> {
    let mut pairs = targets.iter().zip(sources);
    let found = pairs
        .find(|&(&target, &source)| flow.base(source) == Some(buffer) && has_own_use(ir, target));
    found.map(|(&target, _)| flow.base(target).unwrap_or(target))
}

/// Whether more is done with a buffer than to hand it on: otherwise it may go, since it is unused.
fn has_own_use(ir: &Ir, buffer: Value) -> bool {
    ir.uses(buffer).iter().any(|u| {
        let def = ir.def(u.op);
        let hands_on = def.branch.is_some()
            || def.region_branch.is_some()
            || ir.has_trait(u.op, Traits::TERMINATOR);
        let effects = ir.own_effects(u.op);
        !hands_on && effects.is_none_or(|effects| effects.iter().next().is_some())
    })
}

/// Whether `base` is still the same instance where control goes on behind `parent`.
pub(super) fn is_outside(ir: &Ir, base: Value, parent: Op) -> bool {
    let home = ir
        .value_block(base)
        .and_then(|block| ir.block_parent_op(block));
    home.is_some_and(|home| !ir.is_ancestor(parent, home))
}

/// Follows a request from the operation behind its start.
fn follow(ir: &Ir, flow: &ValueFlow, start: Op, request: Value, base: Value) -> End {
    let mut returns = Vec::new();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut pending = Vec::new();
    pending.extend(ir.next_op(start).map(|op| State {
        op,
        names: SmallVec::from_slice(&[request]),
        known: SmallVec::new(),
        buffer: base,
    }));
    while let Some(mut state) = pending.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let op = state.op;
        if state.names.is_empty() || seen.len() > ir.capped(MAX_STATES) {
            return End::Lost(op);
        }
        let def = ir.def(op);
        let uses = ir
            .operands(op)
            .iter()
            .any(|operand| state.names.contains(operand));
        if uses && matches!(ir.request(op), Some(Request::Awaited(_))) {
            continue;
        }
        if is_return(ir, op) {
            match uses {
                true => returns.push((op, state.buffer)),
                false => return End::Lost(op),
            }
            continue;
        }
        if uses && def.call.is_some() {
            // The callee waits for it, or gives it back.
            let context = ir.context();
            let results = ir.results(op).iter().copied();
            let given_back = results.filter(|&v| mpi::is_request(context, ir.value_type(v)));
            state.names = given_back.collect();
            if state.names.is_empty() {
                continue;
            }
            pending.extend(state.to(ir.next_op(op), &[], &[]));
            continue;
        }
        if def.branch.is_some() {
            for (index, &block) in ir.successors(op).iter().enumerate() {
                let sources = ir.successor_operands(op, index);
                let arguments = ir.block_args(block);
                let produced = arguments.len() - sources.len();
                // The first ones may be made by the branch itself.
                let mut next = state.clone();
                next.names
                    .retain(|name| !arguments[..produced].contains(name));
                // Blocks may come again; what the function begins with does not.
                match handed_on(ir, flow, state.buffer, &arguments[produced..], sources) {
                    Some(buffer) if is_forwarded(&state, sources) => next.buffer = buffer,
                    _ if ir.value_block(state.buffer) == ir.root_block() => {}
                    _ if is_forwarded(&state, sources) => return End::Alone(op),
                    _ => {}
                }
                let condition = (ir.is(op, &cf::COND_BR)).then(|| (ir.operand(op, 0), index == 0));
                let next = next.to(ir.first_op(block), &arguments[produced..], sources);
                pending.extend(next.and_then(|next| next.when(condition)));
            }
            continue;
        }
        if def.region_branch.is_some() && !ir.regions(op).is_empty() {
            for to in ir.region_successors(op, RegionPoint::Parent) {
                let condition = (ir.is(op, &scf::IF))
                    .then(|| (ir.operand(op, 0), to == RegionPoint::Region(0)));
                let next = enter(ir, flow, &state, op, to, ir.region_entry_operands(op, to));
                pending.extend(next.and_then(|next| next.when(condition)));
            }
            continue;
        }
        if def.region_terminator.is_some()
            && let Some(parent) = ir.parent_op(op)
            && ir.def(parent).region_branch.is_some()
            && let Some(region) = ir.parent_region(op)
            && let Some(from) = ir.regions(parent).iter().position(|&other| other == region)
        {
            for to in ir.region_successors(parent, RegionPoint::Region(from)) {
                let sources = ir.region_terminator_operands(op, to);
                let inputs = ir.region_successor_inputs(parent, to);
                if is_forwarded(&state, sources)
                    && !is_outside(ir, state.buffer, parent)
                    && handed_on(ir, flow, state.buffer, inputs, sources).is_none()
                {
                    return End::Alone(op);
                }
                pending.extend(enter(ir, flow, &state, parent, to, sources));
            }
            continue;
        }
        let hides_uses = ir.walk(op).skip(1).any(|inner| {
            let mut operands = ir.operands(inner).iter();
            operands.any(|operand| state.names.contains(operand))
        });
        if hides_uses {
            return End::Lost(op);
        }
        if ir.has_trait(op, Traits::TERMINATOR) {
            // The program ends here, or nothing is known of how it goes on.
            match ir.block_of(op) == ir.root_block() || ir.operands(op).is_empty() {
                true => continue,
                false => return End::Lost(op),
            }
        }
        pending.extend(state.to(ir.next_op(op), ir.results(op), &[]));
    }
    match returns.is_empty() {
        true => End::Awaited,
        false => End::Returned(returns),
    }
}

/// Whether one of the names is handed on.
fn is_forwarded(state: &State, sources: &[Value]) -> bool {
    sources.iter().any(|source| state.names.contains(source))
}

/// The state at the beginning of a region of `op`, or behind `op`.
fn enter(
    ir: &Ir,
    flow: &ValueFlow,
    state: &State,
    op: Op,
    to: RegionPoint,
    sources: &[Value],
) -> Option<State> {
    let inputs = ir.region_successor_inputs(op, to);
    let buffer = handed_on(ir, flow, state.buffer, inputs, sources);
    let buffer = buffer.filter(|_| is_forwarded(state, sources));
    let entered = match to {
        RegionPoint::Parent => {
            let mut behind = state.clone();
            behind.names.retain(|name| !ir.results(op).contains(name));
            let mut next = behind.to(ir.next_op(op), &[], &[])?;
            for (&input, source) in inputs.iter().zip(sources) {
                if state.names.contains(source) {
                    next.names.push(input);
                }
            }
            next.names.sort_unstable();
            next.names.dedup();
            Some(next)
        }
        RegionPoint::Region(index) => {
            let block = ir.entry_block(ir.region(op, index))?;
            let arguments = ir.block_args(block);
            let mut inside = state.clone();
            inside.names.retain(|name| !arguments.contains(name));
            inside.known.retain(|known| !arguments.contains(&known.0));
            let mut next = inside.to(ir.first_op(block), &[], &[])?;
            for (&input, source) in inputs.iter().zip(sources) {
                if state.names.contains(source) {
                    next.names.push(input);
                }
            }
            next.names.sort_unstable();
            next.names.dedup();
            Some(next)
        }
    };
    entered.map(|next| State {
        buffer: buffer.unwrap_or(next.buffer),
        ..next
    })
}
