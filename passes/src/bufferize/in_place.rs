//! Which operations may write into, or hand on, a buffer that is there already.
//!
//! Every tensor is held by a buffer. A tensor that *owns* its buffer is the
//! only one that may be looked at in there, apart from *views* of it (slices,
//! casts, reshapes, selects), which are read through the owner. Owners are:
//! everything that an operation makes anew, the results of operations that
//! have a destination, what loops and branches carry, results of calls, and
//! arguments of functions that are `bufferization.writable`. Not owners are
//! other arguments, constants, and buffers of the program that are only lent
//! (`to_tensor` with `restrict` but not `writable`); nothing is ever written
//! through these or their views.
//!
//! A use *consumes* its operand if it wants the buffer for itself: to write
//! into it (destinations), or to hand it on under another name (edges of
//! control flow, returns, `to_memref`). It gets it if the operand is an owner, or a view of one,
//! that is used no more; otherwise the rewriter makes a new buffer and copies.
//!
//! Claim: at any time every buffer has at most one owner that is still used.
//! It holds of new buffers, and what consumes a buffer becomes its owner when
//! the owner before it, with all its views, has been used for the last time. So a write changes nothing that
//! anyone looks at later, and tensors keep their values.
//!
//! "Used no more" is about executions. Let `d` be the owner and `w` the
//! operation that consumes it. A use `r` of `d` or of a view of it is in the
//! way if there is a path from `w` to `r` on which `d` is not defined again
//! (as an iteration of a loop does with what it defines). Such a path either
//! repeats a region, or goes round a cycle of blocks, that `w` is in and the
//! definition of `d` is not, and then comes back to `w` itself: so one look at
//! the regions and cycles between the two excludes those. All other paths go
//! forward from `w` within the regions that are around it: to later operations
//! of its block and of the blocks around it, to blocks that can be reached
//! without passing the definition, and to other regions of an operation around
//! it, as far as one can come after the other.

use freehold_frontend::dialects::{
    arith, bufferization, func, iree_linalg_ext, linalg, scf, tensor, vector,
};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Use, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::declared;
use super::one_shot_bufferize::Environment;

/// With more uses than these, or more blocks to search, a tensor counts as
/// used later: bounds what one decision costs.
pub(super) const MAX_USES: usize = 1024;
const MAX_BLOCKS: usize = 512;

/// What a use wants its operand's buffer for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// For itself, while the operation reads its other operands.
    Exclusive,
    /// To go to this successor, after all operands were read.
    Edge(usize),
}

/// An operand that is consumed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Consumed {
    /// Which operand.
    pub(super) index: usize,
    /// Whether it gets the buffer as it is; else a new one.
    pub(super) takes: bool,
}

/// The decisions for a function.
#[derive(Default)]
pub(super) struct Decisions {
    /// Per operation, what it consumes, in the order of operands.
    pub(super) consumed: FxHashMap<Op, SmallVec<[Consumed; 2]>>,
    /// Operations that put a slice where it is already.
    pub(super) slices_in_place: FxHashSet<Op>,
    /// Operation, operand and what was in the way, if the environment asks for it.
    pub(super) obstacles: Vec<(Op, usize, Obstacle)>,
}

impl Decisions {
    /// No result is an existing buffer.
    pub(super) fn take_nothing(&mut self) {
        self.slices_in_place.clear();
        let all = self.consumed.values_mut().flatten();
        all.for_each(|consumed| consumed.takes = false);
    }

    /// What `op` consumes.
    pub(super) fn of(&self, op: Op) -> &[Consumed] {
        self.consumed.get(&op).map_or(&[], |consumed| consumed)
    }

    /// Whether `op` gets the buffer of operand `index` as it is.
    pub(super) fn takes(&self, op: Op, index: usize) -> bool {
        self.of(op).iter().any(|c| c.index == index && c.takes)
    }
}

/// Whether a type is that of a tensor.
pub(super) fn is_tensor_type(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// Whether a value is a tensor.
pub(super) fn is_tensor(ir: &Ir, value: Value) -> bool {
    is_tensor_type(ir.context(), ir.value_type(value))
}

/// Whether a type is that of a tensor, or of a function that takes or returns one.
pub(super) fn mentions_tensor(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Function { inputs, results } => inputs
            .iter()
            .chain(results)
            .any(|&ty| mentions_tensor(context, ty)),
        _ => is_tensor_type(context, ty),
    }
}

/// The operand that a consumer of tensors with a single destination writes to.
pub(super) fn single_destination(ir: &Ir, op: Op) -> Option<usize> {
    let index = if ir.is(op, &tensor::INSERT)
        || ir.is(op, &tensor::INSERT_SLICE)
        || ir.is(op, &tensor::SCATTER)
        || ir.is(op, &bufferization::MATERIALIZE_IN_DESTINATION)
        || ir.is(op, &vector::TRANSFER_WRITE)
        || ir.is(op, &linalg::SOFTMAX)
    {
        1
    } else {
        return None;
    };
    is_tensor(ir, ir.operand(op, index)).then_some(index)
}

/// Whether `op` is a conditional choice between two tensors as a whole.
pub(super) fn is_select_of_tensors(ir: &Ir, op: Op) -> bool {
    ir.is(op, &arith::SELECT)
        && is_tensor(ir, ir.operand(op, 1))
        && !is_tensor(ir, ir.operand(op, 0))
}

/// Whether the result of `op` is read through the buffer of operand `index`.
pub(super) fn is_view_of(ir: &Ir, op: Op, index: usize) -> bool {
    let views = [
        &tensor::CAST,
        &tensor::COLLAPSE_SHAPE,
        &tensor::EXPAND_SHAPE,
        &tensor::EXTRACT_SLICE,
        &tensor::RESHAPE,
    ];
    match index {
        0 => views.iter().any(|def| ir.is(op, def)),
        _ => is_select_of_tensors(ir, op),
    }
}

/// What keeps a use from getting the buffer of its operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Obstacle {
    /// The buffer of this value is not written to.
    NotWritable(Value),
    /// Operand `index` of `user` may read later what `definition` made.
    Read {
        user: Op,
        index: usize,
        definition: Value,
    },
}

/// Decides for the whole function `ir`, which has no unreachable blocks.
pub(super) fn decide(ir: &Ir, environment: &Environment, writable: &[bool]) -> Decisions {
    let analysis = Analysis::new(ir, environment, writable);
    let mut decisions = Decisions::default();
    for op in ir.walk(ir.root()) {
        let mut consumed: SmallVec<[Consumed; 2]> = SmallVec::new();
        for (index, purpose) in analysis.consumed(op) {
            let obstacle = purpose.map(|purpose| analysis.obstacle(op, index, purpose));
            let takes = matches!(obstacle, Some(None));
            consumed.push(Consumed { index, takes });
            if environment.prints_conflicts
                && let Some(Some(obstacle)) = obstacle
            {
                decisions.obstacles.push((op, index, obstacle));
            }
        }
        if !consumed.is_empty() {
            decisions.consumed.insert(op, consumed);
        }
    }
    super::slices::decide(&analysis, &mut decisions);
    decisions
}

pub(super) struct Analysis<'a> {
    pub(super) ir: &'a Ir,
    environment: &'a Environment,
    /// Which arguments of the function own their buffers.
    writable: &'a [bool],
}

/// The position of a consumer, seen from one of the regions around it.
struct Level {
    region: Region,
    /// The operation in the region that is or holds the consumer, and its block.
    op: Op,
    block: Block,
    /// Blocks of the region that come later, if it has several.
    later: FxHashSet<Block>,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(ir: &'a Ir, environment: &'a Environment, writable: &'a [bool]) -> Self {
        Analysis {
            ir,
            environment,
            writable,
        }
    }

    /// The operands that `op` consumes, and what for; without a purpose, it
    /// wants a new buffer in any case.
    pub(super) fn consumed(&self, op: Op) -> SmallVec<[(usize, Option<Purpose>); 2]> {
        let ir = self.ir;
        let mut consumed = SmallVec::new();
        let mut add = |range: std::ops::Range<usize>, purpose| {
            for index in range {
                let is_new = |&(known, _): &(usize, _)| known != index;
                if is_tensor(ir, ir.operand(op, index)) && consumed.iter().all(is_new) {
                    consumed.push((index, Some(purpose)));
                }
            }
        };
        let def = ir.def(op);
        if self.environment.is_unknown(ir, op) {
            return consumed;
        }
        if let Some(index) = single_destination(ir, op) {
            add(index..index + 1, Purpose::Exclusive);
        } else if linalg::is_structured(ir, op) {
            add(ir.operand_group_range(op, 1), Purpose::Exclusive);
        } else if let Some(outputs) = iree_linalg_ext::outputs(ir, op) {
            add(outputs, Purpose::Exclusive);
        } else if ir.is(op, &bufferization::TO_MEMREF) {
            if !ir.has_attr(op, Name::READ_ONLY) {
                add(0..1, Purpose::Exclusive);
            }
        } else if ir.is(op, &func::RETURN) {
            if self.environment.function_boundaries {
                add(0..ir.operands(op).len(), Purpose::Edge(0));
            }
        } else if ir.is(op, &func::CALL) {
            let callee = func::Call(op).callee_name(ir);
            for (index, &is_written) in self.environment.written(callee).iter().enumerate() {
                if is_written {
                    add(index..index + 1, Purpose::Exclusive);
                }
            }
        } else if ir.is(op, &scf::FORALL) {
            let arguments = ir.block_args(scf::Forall(op).body(ir));
            let first = arguments.len() - scf::Forall(op).outputs(ir).len();
            for (index, &argument) in ir.operand_group_range(op, 3).zip(&arguments[first..]) {
                // Iterations read the output as it was before all of them.
                let purpose = (!is_read_in_iterations(ir, argument)).then_some(Purpose::Exclusive);
                consumed.push((index, purpose));
            }
        } else if let Some(declared) = declared::declaration(ir, op) {
            for (index, may_take) in declared::consumed(ir, op, declared) {
                consumed.push((index, may_take.then_some(Purpose::Exclusive)));
            }
        } else if let Some(interface) = def.branch {
            let ranges = (interface.all_successor_operands)(ir, op);
            for (successor, range) in ranges.into_iter().enumerate() {
                add(range, Purpose::Edge(successor));
            }
        } else {
            if let Some(interface) = def.region_branch {
                for to in ir.region_successors(op, RegionPoint::Parent) {
                    add((interface.entry_operands)(ir, op, to), Purpose::Edge(0));
                }
            }
            let parent = ir
                .parent_op(op)
                .filter(|&p| ir.def(p).region_branch.is_some());
            if let (Some(interface), Some(parent)) = (def.region_terminator, parent) {
                let region = ir.parent_region(op);
                let at = ir.regions(parent).iter().position(|&r| Some(r) == region);
                for to in ir.region_successors(parent, RegionPoint::Region(at.unwrap_or(0))) {
                    add((interface.operands)(ir, op, to), Purpose::Edge(0));
                }
            }
        }
        consumed
    }

    /// Whether `op` may have the buffer of operand `index` for `purpose`.
    pub(super) fn takes(&self, op: Op, index: usize, purpose: Purpose) -> bool {
        self.obstacle(op, index, purpose).is_none()
    }

    /// Why `op` may not have the buffer of operand `index` for `purpose`.
    pub(super) fn obstacle(&self, op: Op, index: usize, purpose: Purpose) -> Option<Obstacle> {
        let ir = self.ir;
        let owner = match self.owner(ir.operand(op, index)) {
            Ok(owner) => owner,
            Err(value) => return Some(Obstacle::NotWritable(value)),
        };
        let read_by = |user, index| {
            Some(Obstacle::Read {
                user,
                index,
                definition: owner,
            })
        };
        let Some(levels) = levels(ir, op, owner) else {
            return read_by(op, index);
        };
        let mut n_uses = 0;
        let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[owner]);
        while let Some(value) = pending.pop() {
            // Later uses mostly come last.
            for &Use {
                op: user,
                index: at,
            } in ir.uses(value).iter().rev()
            {
                n_uses += 1;
                let at = at as usize;
                if n_uses > ir.capped(MAX_USES) {
                    return read_by(user, at);
                }
                if is_view_of(ir, user, at) {
                    pending.push(ir.result(user, 0));
                }
                let is_in_the_way = if user == op {
                    at != index && !self.is_harmless_beside(op, index, at, purpose)
                } else {
                    // It is unknown how long the buffer is read as a memref.
                    ir.is(user, &bufferization::TO_MEMREF) && ir.has_attr(user, Name::READ_ONLY)
                        || self.environment.is_unknown(ir, user)
                        || may_follow(ir, &levels, user)
                };
                if is_in_the_way {
                    return read_by(user, at);
                }
            }
        }
        None
    }

    /// Whether operand `other` of `op` may be in the buffer that `op` wants
    /// because of operand `index`.
    pub(super) fn is_harmless_beside(
        &self,
        op: Op,
        index: usize,
        other: usize,
        purpose: Purpose,
    ) -> bool {
        let ir = self.ir;
        match purpose {
            // On another edge it goes to something that is not there at the same
            // time. Of several on one edge the first gets the buffer.
            Purpose::Edge(successor) => {
                let of_other = ir
                    .def(op)
                    .branch
                    .and_then(|interface| (interface.successor_of_operand)(ir, op, other));
                other > index || of_other.is_some_and(|(other, _)| other != successor)
            }
            // Each element is read right before it is written, and never again.
            Purpose::Exclusive => {
                if !linalg::is_structured(ir, op) || other >= linalg::n_inputs(ir, op) {
                    return false;
                }
                let maps = linalg::indexing_maps(ir, op);
                let (Some(read), Some(written)) = (maps.get(other), maps.get(index)) else {
                    return false;
                };
                ir.operand(op, other) == ir.operand(op, index)
                    && read == written
                    && written.is_permutation()
            }
        }
    }

    /// The owner of the buffer that holds `value`, or the value whose buffer has none.
    fn owner(&self, mut value: Value) -> Result<Value, Value> {
        let ir = self.ir;
        while let Some(op) = ir.defining_op(value) {
            if is_select_of_tensors(ir, op) {
                return Err(value);
            }
            if !is_view_of(ir, op, 0) {
                break;
            }
            value = ir.operand(op, 0);
        }
        match self.is_owner(value) {
            true => Ok(value),
            false => Err(value),
        }
    }

    pub(super) fn is_owner(&self, value: Value) -> bool {
        let ir = self.ir;
        match ir.value_def(value) {
            ValueDef::Result(op, _) => {
                if self.environment.is_unknown(ir, op) {
                    return false;
                }
                if ir.is(op, &bufferization::TO_TENSOR) {
                    // Without `restrict`, it is a copy.
                    return !ir.has_attr(op, Name::RESTRICT) || ir.has_attr(op, Name::WRITABLE);
                }
                if ir.is(op, &func::CALL) || ir.is(op, &func::CALL_INDIRECT) {
                    return self.environment.function_boundaries;
                }
                !ir.has_trait(op, Traits::CONSTANT_LIKE)
            }
            ValueDef::Argument(block, index) => {
                let Some(parent) = ir.block_parent_op(block) else {
                    return false;
                };
                if !ir.is_entry_block(block) {
                    return true;
                }
                if parent == ir.root() {
                    return self.writable.get(index as usize).copied().unwrap_or(false);
                }
                ir.def(parent).region_branch.is_some()
                    && !ir.is(parent, &scf::FORALL)
                    && !self.environment.is_unknown(ir, parent)
            }
        }
    }
}

/// Whether iterations of an `scf.forall` read its output `argument` other than
/// the part that they write.
pub(super) fn is_read_in_iterations(ir: &Ir, argument: Value) -> bool {
    let is_written = |u: &Use| ir.is(u.op, &tensor::PARALLEL_INSERT_SLICE) && u.index == 1;
    let mut writes = ir.uses(argument).iter().copied().filter(is_written);
    let (write, others) = (writes.next(), writes.next());
    ir.uses(argument).iter().any(|u| {
        // An iteration may read the part that it will write, and only it.
        let is_own_part = || {
            others.is_none()
                && ir.is(u.op, &tensor::EXTRACT_SLICE)
                && write.is_some_and(|write| {
                    super::slices::are_of_one_place(ir, u.op, write.op)
                        && !is_put_elsewhere(ir, ir.result(u.op, 0), write.op)
                })
        };
        !is_written(u) && !ir.is(u.op, &tensor::DIM) && !is_own_part()
    })
}

/// Whether a slice, or a view of it, is what an iteration of an `scf.forall` puts elsewhere than `write` does, perhaps after
/// that has changed it.
fn is_put_elsewhere(ir: &Ir, slice: Value, write: Op) -> bool {
    let mut n_uses = 0;
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[slice]);
    while let Some(viewed) = pending.pop() {
        for u in ir.uses(viewed) {
            n_uses += 1;
            let is_put = ir.is(u.op, &tensor::PARALLEL_INSERT_SLICE) && u.op != write;
            if is_put || n_uses > ir.capped(MAX_USES) {
                return true;
            }
            if is_view_of(ir, u.op, u.index as usize) {
                pending.push(ir.result(u.op, 0));
            }
        }
    }
    false
}

/// Where `op` is in the regions from its own to that of `owner`'s definition;
/// `None` if it may run again before `owner` is defined again.
fn levels(ir: &Ir, op: Op, owner: Value) -> Option<SmallVec<[Level; 4]>> {
    let def_block = ir.value_block(owner)?;
    let def_region = ir.region_of(def_block)?;
    let mut levels = SmallVec::new();
    let mut current = op;
    loop {
        let block = ir.block_of(current)?;
        let region = ir.region_of(block)?;
        let is_outermost = region == def_region;
        let later = match ir.single_block(region) {
            Some(_) => FxHashSet::default(),
            None => reachable(ir, block, is_outermost.then_some(def_block))?,
        };
        if later.contains(&block) {
            return None;
        }
        levels.push(Level {
            region,
            op: current,
            block,
            later,
        });
        if is_outermost {
            return Some(levels);
        }
        let parent = ir.region_owner(region);
        if !ir.is(parent, &vector::MASK) {
            let at = ir.regions(parent).iter().position(|&r| r == region)?;
            let interface = ir.def(parent).region_branch?;
            if (interface.is_repetitive)(ir, parent, at) {
                return None;
            }
        }
        current = parent;
    }
}

/// The blocks that control reaches from the end of `from` without passing
/// `barrier`; `None` if they are many.
fn reachable(ir: &Ir, from: Block, barrier: Option<Block>) -> Option<FxHashSet<Block>> {
    let mut reached = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        for &successor in ir.block_successors(block) {
            if Some(successor) != barrier && reached.insert(successor) {
                stack.push(successor);
            }
        }
        if reached.len() > ir.capped(MAX_BLOCKS) {
            return None;
        }
    }
    Some(reached)
}

/// Whether `user` may run after the consumer at `levels`.
fn may_follow(ir: &Ir, levels: &[Level], user: Op) -> bool {
    let mut inside: Option<Region> = None;
    let mut current = user;
    loop {
        let Some(block) = ir.block_of(current) else {
            return true;
        };
        let Some(region) = ir.region_of(block) else {
            return true;
        };
        if let Some(at) = levels.iter().position(|level| level.region == region) {
            let level = &levels[at];
            if current != level.op {
                return match block == level.block {
                    true => ir.is_before_in_block(level.op, current),
                    false => level.later.contains(&block),
                };
            }
            let Some(to) = inside else {
                // It reads its operands before the consumer inside of it runs.
                return false;
            };
            return match at.checked_sub(1) {
                // Inside of the consumer itself.
                None => true,
                Some(at) => region_reaches(ir, current, levels[at].region, to),
            };
        }
        inside = Some(region);
        current = ir.region_owner(region);
    }
}

/// Whether one execution of `op` may run its region `to` after `from`.
fn region_reaches(ir: &Ir, op: Op, from: Region, to: Region) -> bool {
    let index_of = |region| ir.regions(op).iter().position(|&r| r == region);
    let (Some(from), Some(to)) = (index_of(from), index_of(to)) else {
        return true;
    };
    if ir.def(op).region_branch.is_none() {
        return true;
    }
    let mut reached = vec![false; ir.regions(op).len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for point in ir.region_successors(op, RegionPoint::Region(at)) {
            if let RegionPoint::Region(next) = point
                && !std::mem::replace(&mut reached[next], true)
            {
                stack.push(next);
            }
        }
    }
    reached[to]
}
