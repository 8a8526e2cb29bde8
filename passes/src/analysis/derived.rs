//! Values derived from buffers that are no buffers: pointers, numbers, tokens, tensors, results of unknown operations.
//!
//! Such a *handle* keeps the buffer alive as long as it, or anything made from it, may be used. It may become a buffer
//! again, which may then be the one it was made from. A handle that escapes (into memory, to a callee, out of the
//! function) is *given away*: the buffer stays until it goes out of scope.
//!
//! What operations read out of a buffer or know of its shape is no handle
//! ([`keeps_operand`](freehold_frontend::ir::op_def::OpDef::keeps_operand)), nor is an `i1`, so comparing
//! addresses keeps nothing. Calls are taken to return no number that stands for a buffer they are given.

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::{bufferization, mpi};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Region, Use, Value, ValueDef};
use freehold_frontend::ir::interfaces::{RegionPoint, Request};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use smallvec::SmallVec;

use crate::analysis::flow::{Edge, EdgeKind, Origin, ValueFlow};
use crate::analysis::frees::frees_of;

/// The handles of a function.
#[derive(Default)]
pub(crate) struct Handles {
    handles: EntitySet<Value>,
    /// Whether unknown operations have regions and results.
    has_opaque_regions: bool,
    /// The forwarded value, by which terminator or region operation, and as which one.
    pub(crate) forwarded: Vec<(Value, Op, Value)>,
    /// Block arguments, region arguments and results that are handles, and what they receive.
    sources: SecondaryMap<Value, SmallVec<[Value; 1]>>,
    /// Handles, and the operations that they are given away to.
    pub(crate) given_away: Vec<(Value, Op)>,
}

impl Handles {
    /// Follows all buffers of the function `ir` forward.
    pub(crate) fn new(ir: &Ir) -> Self {
        let mut this = Self {
            has_opaque_regions: ir.walk(ir.root()).any(|op| {
                ir.is_opaque(op) && !ir.regions(op).is_empty() && !ir.results(op).is_empty()
            }),
            ..Self::default()
        };
        let mut pending = Vec::new();
        for op in ir.walk(ir.root()).skip(1) {
            for &operand in ir.operands(op) {
                if ir.is_memref(operand) {
                    this.add_results(ir, op, operand, &mut pending);
                }
            }
            if ir.is(op, &bufferization::TO_TENSOR) {
                pending.push(ir.result(op, 0));
            }
            // A callee may return a buffer together with a request that holds it.
            if ir.def(op).call.is_some() && ir.results(op).iter().any(|&v| ir.is_memref(v)) {
                let requests = ir.results(op).iter().copied();
                let is_request = |&v: &Value| mpi::is_request(ir.context(), ir.value_type(v));
                requests
                    .filter(is_request)
                    .for_each(|request| this.add(request, &mut pending));
            }
        }
        while let Some(handle) = pending.pop() {
            for &use_ in ir.uses(handle) {
                this.follow(ir, handle, use_, &mut pending);
            }
        }
        this
    }

    /// Whether `value` is a handle.
    pub(crate) fn contains(&self, value: Value) -> bool {
        self.handles.contains(value)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// What a block argument, a region argument or the result of a region operation receives.
    pub(crate) fn sources(&self, handle: Value) -> &[Value] {
        &self.sources[handle]
    }

    fn add(&mut self, value: Value, pending: &mut Vec<Value>) {
        if self.handles.insert(value) {
            pending.push(value);
        }
    }

    /// The results of `op`, and of unknown operations around it, that may stand for `operand`.
    fn add_results(&mut self, ir: &Ir, op: Op, operand: Value, pending: &mut Vec<Value>) {
        let def = ir.def(op);
        if def.region_branch.is_none() {
            for &result in ir.results(op) {
                let may_be = !ir.is_memref(result)
                    && may_hide(ir, operand, ir.value_type(result), def.call.is_some())
                    && ir
                        .operands(op)
                        .iter()
                        .enumerate()
                        .any(|(i, &v)| v == operand && (def.keeps_operand)(ir, op, result, i));
                if may_be {
                    self.add(result, pending);
                }
            }
            if ir.is_opaque(op) {
                for &region in ir.regions(op) {
                    let entry = ir.entry_block(region).into_iter();
                    for &argument in entry.flat_map(|block| ir.block_args(block)) {
                        if !ir.is_memref(argument)
                            && may_hide(ir, operand, ir.value_type(argument), false)
                        {
                            self.add(argument, pending);
                        }
                    }
                }
            }
        }
        if !self.has_opaque_regions {
            return;
        }
        // Whoever runs its regions in its own way may hand out what they use.
        let home = home(ir, operand);
        let mut inner = op;
        while ir.parent_region(inner) != home
            && let Some(around) = ir.parent_op(inner)
            && around != ir.root()
        {
            if ir.is_opaque(around) {
                for &result in ir.results(around) {
                    if !ir.is_memref(result) && may_hide(ir, operand, ir.value_type(result), false)
                    {
                        self.add(result, pending);
                    }
                }
            }
            inner = around;
        }
    }

    /// One use of a handle.
    fn follow(&mut self, ir: &Ir, handle: Value, use_: Use, pending: &mut Vec<Value>) {
        let op = use_.op;
        let is_forwarded = for_each_target(ir, use_, |target| {
            self.forwarded.push((handle, op, target));
            if !self.sources[target].contains(&handle) {
                self.sources[target].push(handle);
            }
            self.add(target, pending);
        });
        if is_given_away(ir, handle, op) && !is_forwarded {
            self.given_away.push((handle, op));
        }
        self.add_results(ir, op, handle, pending);
    }
}

/// Whether something of this type that is made of `operand` may stand for it.
fn may_hide(ir: &Ir, operand: Value, ty: Type, by_call: bool) -> bool {
    let context = ir.context();
    match context.type_kind(ty) {
        TypeKind::Dialect { .. } | TypeKind::Tuple(_) => true,
        TypeKind::None => false,
        _ if context.element_type_or_self(ty) == Type::I1 => false,
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) => !ir.is_memref(operand),
        // Of a number made from an address every part counts, of one that is made from a buffer
        // only what may be an address.
        _ if by_call => false,
        _ => {
            !ir.is_memref(operand)
                || matches!(
                    context.type_kind(context.element_type_or_self(ty)),
                    TypeKind::Index | TypeKind::Integer { .. } | TypeKind::Dialect { .. }
                )
        }
    }
}

/// Calls `found` with whatever the operand becomes where control goes on. Returns whether there is
/// nothing else that the operation does with it.
fn for_each_target(ir: &Ir, use_: Use, mut found: impl FnMut(Value)) -> bool {
    let (op, index) = (use_.op, use_.index as usize);
    let def = ir.def(op);
    if let Some(branch) = def.branch {
        if let Some((successor, argument)) = (branch.successor_of_operand)(ir, op, index) {
            found(ir.block_args(ir.successors(op)[successor])[argument]);
        }
        return true;
    }
    let mut forward = |range: std::ops::Range<usize>, inputs: &[Value]| {
        if range.contains(&index)
            && let Some(&input) = inputs.get(index - range.start)
        {
            found(input);
        }
    };
    if let Some(interface) = def.region_branch {
        for to in ir.region_successors(op, RegionPoint::Parent) {
            let range = (interface.entry_operands)(ir, op, to);
            forward(range, ir.region_successor_inputs(op, to));
        }
        return true;
    }
    if let Some(terminator) = def.region_terminator
        && let Some(parent) = ir.parent_op(op)
        && ir.def(parent).region_branch.is_some()
        && let Some(region) = ir.parent_region(op)
        && let Some(from) = ir.regions(parent).iter().position(|&r| r == region)
    {
        let mut is_forwarded = false;
        for to in ir.region_successors(parent, RegionPoint::Region(from)) {
            let range = (terminator.operands)(ir, op, to);
            is_forwarded |= range.contains(&index);
            forward(range, ir.region_successor_inputs(parent, to));
        }
        return is_forwarded;
    }
    false
}

/// Whether the function has values that stand for transfers.
pub(crate) fn has_requests(ir: &Ir) -> bool {
    let is_request = |&value: &Value| mpi::is_request(ir.context(), ir.value_type(value));
    ir.walk(ir.root()).any(|op| {
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        values.any(is_request)
    })
}

/// Whether `op`, which does not forward `handle`, may let it escape.
fn is_given_away(ir: &Ir, handle: Value, op: Op) -> bool {
    let def = ir.def(op);
    let context = ir.context();
    if def.call.is_some() {
        return !ir.has_attr(op, Name::KEEPS_NOTHING);
    }
    // To wait for a transfer is its end.
    if ir.request(op) == Some(Request::Awaited(handle)) {
        return false;
    }
    if ir.has_trait(op, Traits::TERMINATOR) && !def.is_unregistered() {
        // Unknown operations return the terminator operands of their regions; others may store
        // them.
        let parent = ir.parent_op(op).filter(|&parent| parent != ir.root());
        return !parent.is_some_and(|parent| ir.is_opaque(parent));
    }
    let own_effects = ir.own_effects(op);
    if def.is_unregistered() || own_effects.is_none() {
        // To wait for one thing, or to make something of several, is not to keep them.
        let has_place = |&v: &Value| {
            let is_opaque = || {
                matches!(
                    context.type_kind(ir.value_type(v)),
                    TypeKind::Dialect { .. }
                )
            };
            v != handle && (ir.is_memref(v) || is_opaque())
        };
        let hands_out = |&v: &Value| {
            matches!(
                context.type_kind(ir.value_type(v)),
                TypeKind::Dialect { .. }
            ) || ir.is_memref(v)
        };
        return ir.operands(op).iter().any(has_place) && !ir.results(op).iter().any(hands_out);
    }
    let ty = ir.value_type(handle);
    let is_tensor = matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    );
    // Whoever stores a tensor stores its elements.
    if is_tensor {
        return false;
    }
    let element = context.element_type_or_self(ty);
    let stores = |value: Option<Value>| {
        value.is_none_or(|target| {
            let of_target = context.element_type_or_self(ir.value_type(target));
            target != handle && (of_target == element || !ir.is_memref(target))
        })
    };
    own_effects
        .iter()
        .flat_map(|effects| effects.iter())
        .any(|effect| {
            effect.kind == EffectKind::Write
                && effect.resource != Resource::Hint
                && stores(effect.value)
        })
}

/// The terminators by which control leaves the blocks that `value` is defined in as the same instance.
pub(crate) fn ends_of_scope(ir: &Ir, dominance: &Dominance, value: Value) -> Vec<Op> {
    let Some(home) = ir.value_block(value) else {
        return Vec::new();
    };
    let tree = ir.region_of(home).and_then(|region| dominance.tree(region));
    let Some(tree) = tree else {
        return ir.last_op(home).into_iter().collect();
    };
    let blocks = tree.preorder().filter(|&block| tree.dominates(home, block));
    let ends = blocks.filter_map(|block| ir.last_op(block)).filter(|&end| {
        let mut successors = ir.successors(end).iter();
        ir.successors(end).is_empty()
            || successors.any(|&successor| !tree.strictly_dominates(home, successor))
    });
    ends.collect()
}

/// The memory that `op` puts its operands into, if it is one buffer.
pub(crate) fn stored_in(ir: &Ir, op: Op) -> Option<Value> {
    if ir.def(op).call.is_some() || matches!(ir.request(op), Some(Request::Tagged(_))) {
        return None;
    }
    let effects = ir.own_effects(op)?;
    let mut written = effects.iter().filter(|e| e.kind == EffectKind::Write);
    written.find_map(|effect| effect.value.filter(|&value| ir.is_memref(value)))
}

/// When memory ends that handles are put into.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lifetime {
    /// With the frame. What frees buffers by their addresses keeps these there, so none outlives its buffer by it.
    Frame,
    /// With this region.
    Region(Region),
    Unknown,
}

/// When the buffer `place`, of this origin, ends.
pub(crate) fn lifetime(ir: &Ir, place: Value, origin: Origin) -> Lifetime {
    let effects = ir.defining_op(place).and_then(|op| ir.own_effects(op));
    let is_of_frame = effects.is_some_and(|effects| {
        (effects.iter()).any(|effect| effect.resource == Resource::AutomaticAllocationScope)
    });
    match home(ir, place) {
        _ if is_of_frame => Lifetime::Frame,
        Some(region) if origin == Origin::Fresh => Lifetime::Region(region),
        _ => Lifetime::Unknown,
    }
}

/// The region that a value is defined in.
pub(crate) fn home(ir: &Ir, value: Value) -> Option<Region> {
    ir.value_block(value).and_then(|block| ir.region_of(block))
}

/// Whether the buffer that `holder` holds stays for good, as something made of it may be used when it is out of scope.
/// Says so.
///
/// # Errors
/// If what frees it may free others, too.
pub(crate) fn is_outlived(
    ir: &Ir,
    flow: &ValueFlow,
    holder: Value,
    diagnostics: &mut Diagnostics,
) -> Result<bool, Failed> {
    let Some(op) = flow.outlived_by(holder) else {
        return Ok(false);
    };
    let members = flow.members(holder).iter();
    let users: Vec<Op> = members.flat_map(|&v| ir.uses(v)).map(|u| u.op).collect();
    if !frees_of(ir, flow, holder, &users).is_empty() {
        return Ok(false);
    }
    let is_return = |&id: &_| flow.flow(id).edge.kind == EdgeKind::Return;
    let mut flows = flow.flows_out(holder).iter();
    let mut merges = flow.merges(holder).iter();
    if flow.origin(holder) == Origin::Fresh
        && flows.all(is_return)
        && !merges.any(|&merge| ir.is_memref(merge))
    {
        if flow.flows_out(holder).is_empty() {
            diagnostics.remark(
                ir.value_loc(holder),
                "something made of this buffer outlives it: it is not freed",
            );
            diagnostics.note(ir.loc(op), "goes on here");
        }
        return Ok(true);
    }
    let made_of = |value: Value| {
        flow.base(value)
            .is_some_and(|b| b == holder || flow.merges(holder).contains(&b))
    };
    let index = (ir.operands(op).iter().enumerate())
        .find(|&(_, &value)| !ir.is_memref(value) && made_of(value))
        .map_or(0, |(index, _)| index);
    let error = diagnostics.error(
        ir.loc(op),
        format!(
            "'{}' op operand #{index} is made of a buffer that may be freed while it is in use",
            ir.op_name(op)
        ),
    );
    diagnostics.note(
        ir.value_loc(holder),
        "this buffer is freed together with others: the program has to do so itself",
    );
    Err(error)
}

/// Says which allocations stay until the end of their scope, and why.
pub(crate) fn report(ir: &Ir, flow: &ValueFlow, holder: Value, diagnostics: &mut Diagnostics) {
    let Some(op) = flow.given_away_to(holder) else {
        return;
    };
    if flow.outlived_by(holder).is_some() {
        return;
    }
    // Where others wait for what it is put into, the end of the scope is late enough, and no surprise.
    if matches!(ir.request(op), Some(Request::Tagged(_))) {
        return;
    }
    let members = flow.members(holder).iter();
    let users: Vec<Op> = members.flat_map(|&v| ir.uses(v)).map(|u| u.op).collect();
    if flow.origin(holder) == Origin::Fresh && frees_of(ir, flow, holder, &users).is_empty() {
        diagnostics.remark(
            ir.value_loc(holder),
            "something made of this buffer is given away: it is freed at the end of its block",
        );
        diagnostics.note(ir.loc(op), "given away here");
    }
}

/// The ways by which `source`, a terminator or region operation, hands something on as `target`.
pub(crate) fn edges(ir: &Ir, source: Op, target: Value) -> SmallVec<[Edge; 1]> {
    let kinds: SmallVec<[EdgeKind; 1]> = if ir.def(source).branch.is_some() {
        let successors = ir.successors(source).iter().enumerate();
        successors
            .filter(|&(_, &block)| ir.value_block(target) == Some(block))
            .map(|(successor, _)| EdgeKind::Branch(successor))
            .collect()
    } else if ir.def(source).region_branch.is_some() {
        [EdgeKind::Entry].into()
    } else {
        [EdgeKind::RegionExit].into()
    };
    kinds
        .into_iter()
        .map(|kind| Edge { source, kind })
        .collect()
}

/// The operation that `value` comes from: it defines it, or has it as an argument of its region.
pub(crate) fn source_op(ir: &Ir, value: Value) -> Option<Op> {
    match ir.value_def(value) {
        ValueDef::Result(op, _) => Some(op),
        ValueDef::Argument(block, _) => ir.block_parent_op(block),
    }
}
