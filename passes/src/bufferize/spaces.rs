//! In which memory space the buffer of each tensor is.
//!
//! A value made of a buffer or another tensor is in the same space: `to_tensor`, results with a destination, views, paddings,
//! copies. What control flow passes along is where everything is that it may be. Where nothing says so, or several things say
//! different ones, there is a default: the memory space 0, or the encoding of the tensor's type, or none, which is an error.
//!
//! The spaces are a fixed point from the bottom: nothing is known of a value first, then one space, then that there are
//! several; so loops carry the facts of their entry along.

use freehold_frontend::dialects::{bufferization, iree_linalg_ext, linalg, scf, tensor, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::declared;
use super::in_place::{is_select_of_tensors, is_tensor, is_view_of, single_destination};

/// A memory space; `None` is the default one, 0.
pub(super) type Space = Option<Attr>;

/// What counts where nothing says in which memory space a buffer is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DefaultSpace {
    /// The memory space 0.
    Zero,
    /// The encoding of the tensor's type.
    Encoding,
    /// Nothing: an error.
    Unknown,
}

impl DefaultSpace {
    /// The space for a tensor of type `ty`.
    pub(super) fn of(self, context: &Context, ty: Type) -> Option<Space> {
        match self {
            Self::Zero => Some(None),
            Self::Encoding => match context.type_kind(ty) {
                TypeKind::RankedTensor { encoding, .. } => Some(*encoding),
                _ => Some(None),
            },
            Self::Unknown => None,
        }
    }
}

/// The memory space of one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It is in this space.
    In(Space),
    /// There are several, so it is where its type says.
    Several,
    /// Not stated.
    Nowhere,
}

/// The memory spaces of the tensors of a function, as it was before it is rewritten.
pub(super) struct Spaces {
    default: DefaultSpace,
    /// Values that are not in the default space.
    known: FxHashMap<Value, Known>,
    /// By operation and operand: what it becomes, of values with a space.
    targets: FxHashMap<(Op, usize), Value>,
}

/// Where nothing says where the buffer of a tensor is, or several things do.
pub(super) struct NotInferred {
    /// The operation to be blamed.
    pub(super) op: Op,
    pub(super) message: &'static str,
}

/// One value that control flow passes along.
struct Edge {
    op: Op,
    index: usize,
    target: Value,
}

impl Spaces {
    /// Finds the spaces of all tensors in `ir`; `order` has its operations, those that define values before those that use
    /// them.
    ///
    /// # Errors
    /// If there is no default where one is needed.
    pub(super) fn infer(
        ir: &Ir,
        default: DefaultSpace,
        order: &[Op],
        keeps: impl Fn(Op) -> bool,
    ) -> Result<Self, NotInferred> {
        let mut spaces = Self {
            default,
            known: FxHashMap::default(),
            targets: FxHashMap::default(),
        };
        let says_space = |&op: &Op| {
            ir.is(op, &bufferization::ALLOC_TENSOR) && ir.has_attr(op, Name::MEMORY_SPACE)
                || ir.is(op, &bufferization::TO_TENSOR)
                    && space_of_buffer(ir, ir.operand(op, 0)).is_some()
        };
        if default == DefaultSpace::Zero && !order.iter().any(says_space) {
            return Ok(spaces);
        }
        let mut edges: Vec<Edge> = Vec::new();
        for &op in order {
            if !keeps(op) {
                collect_edges(ir, op, &mut edges);
            }
        }
        let mut incoming: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
        for (at, edge) in edges.iter().enumerate() {
            incoming.entry(edge.target).or_default().push(at);
            let earlier = spaces.targets.insert((edge.op, edge.index), edge.target);
            // One operand that becomes two values is one buffer, so what comes to one of them comes to both.
            if let Some(earlier) = earlier {
                incoming.entry(earlier).or_default().push(at);
                let of_earlier = incoming[&earlier].clone();
                incoming.entry(edge.target).or_default().extend(of_earlier);
            }
        }
        let mut changes = true;
        while changes {
            changes = false;
            for &op in order {
                for (index, &result) in ir.results(op).iter().enumerate() {
                    if is_tensor(ir, result) && !incoming.contains_key(&result) {
                        let known = match keeps(op) {
                            true => Some(Known::Nowhere),
                            false => spaces.of_result(ir, op, index),
                        };
                        changes |= spaces.update(result, known);
                    }
                }
            }
            // Sorted by the edges, of which each target is among.
            for edge in &edges {
                let mut sources = incoming[&edge.target].iter();
                let joined = sources.try_fold(None, |so_far: Option<Known>, &at| {
                    let source = ir.operand(edges[at].op, edges[at].index);
                    spaces.join(ir, so_far, source)
                });
                let joined = joined.unwrap_or(Some(Known::Several));
                changes |= spaces.update(edge.target, joined);
            }
        }
        spaces.check(ir, order, &incoming)?;
        Ok(spaces)
    }

    /// Records a space; `Several` stays.
    fn update(&mut self, value: Value, known: Option<Known>) -> bool {
        let Some(known) = known else { return false };
        let before = self.known.get(&value).copied();
        if before == Some(known) || before == Some(Known::Several) {
            return false;
        }
        self.known.insert(value, known);
        true
    }

    /// Adds the space of `source`; `None` where that contradicts.
    fn join(&self, ir: &Ir, so_far: Option<Known>, source: Value) -> Option<Option<Known>> {
        let Some(known) = self.state(ir, source) else {
            return Some(so_far);
        };
        match so_far {
            None => Some(Some(known)),
            Some(before) if before == known => Some(Some(before)),
            // The same space, one by default.
            Some(before)
                if self.space_in(ir, source, before) == self.space_in(ir, source, known) =>
            {
                Some(Some(before))
            }
            Some(_) => None,
        }
    }

    /// The space of `value`, arguments of functions included.
    fn state(&self, ir: &Ir, value: Value) -> Option<Known> {
        let known = self.known.get(&value).copied();
        known.or_else(|| match ir.value_def(value) {
            ValueDef::Argument(block, _) if ir.is_entry_block(block) => {
                let parent = ir.block_parent_op(block);
                let is_carried =
                    parent.is_some_and(|op| op != ir.root() && ir.def(op).region_branch.is_some());
                (!is_carried).then_some(Known::Nowhere)
            }
            _ => None,
        })
    }

    fn space_in(&self, ir: &Ir, value: Value, known: Known) -> Option<Space> {
        match known {
            Known::In(space) => Some(space),
            Known::Several | Known::Nowhere => self.default.of(ir.context(), ir.value_type(value)),
        }
    }

    /// What an operation says of its result.
    fn of_result(&self, ir: &Ir, op: Op, index: usize) -> Option<Known> {
        let result = ir.result(op, index);
        if ir.is(op, &bufferization::TO_TENSOR) {
            return Some(Known::In(space_of_buffer(ir, ir.operand(op, 0))));
        }
        if ir.is(op, &bufferization::ALLOC_TENSOR)
            && let Some(space) = ir.attr(op, Name::MEMORY_SPACE)
        {
            return Some(Known::In(canonical(ir.context(), Some(space))));
        }
        let sources = sources(ir, op, index);
        if sources.is_empty() {
            return Some(Known::Nowhere);
        }
        let mut sources = sources.into_iter();
        let joined = sources.try_fold(None, |so_far, source| {
            let joined = self.join(ir, so_far, source)?;
            // Defaults are those of the type at hand.
            Some(match joined {
                Some(Known::Several | Known::Nowhere) => {
                    let space = self.default.of(ir.context(), ir.value_type(source));
                    Some(space.map_or(Known::Nowhere, Known::In))
                }
                known => known,
            })
        });
        let known = joined.unwrap_or(Some(Known::Several));
        debug_assert!(is_tensor(ir, result), "only tensors have memory spaces");
        known
    }

    /// The space of `value`, whose type was `ty` when it was a tensor.
    pub(super) fn of(&self, context: &Context, value: Value, ty: Type) -> Option<Space> {
        match self.known.get(&value) {
            Some(Known::In(space)) => Some(*space),
            _ => self.default.of(context, ty),
        }
    }

    /// What operand `index` of `op` becomes on its way.
    pub(super) fn target(&self, op: Op, index: usize) -> Option<Value> {
        self.targets.get(&(op, index)).copied()
    }

    /// Reports the first tensor that has no space.
    fn check(
        &self,
        ir: &Ir,
        order: &[Op],
        incoming: &FxHashMap<Value, Vec<usize>>,
    ) -> Result<(), NotInferred> {
        if self.default != DefaultSpace::Unknown {
            return Ok(());
        }
        let entry = ir.root_block();
        let arguments = entry.map_or(&[][..], |block| ir.block_args(block));
        if arguments.iter().any(|&argument| is_tensor(ir, argument)) {
            let message = "could not infer memory space";
            return Err(NotInferred {
                op: ir.root(),
                message,
            });
        }
        for &op in order {
            let mut values = ir.results(op).to_vec();
            for &region in ir.regions(op) {
                for block in ir.blocks_in(region) {
                    values.extend_from_slice(ir.block_args(block));
                }
            }
            for value in values {
                if !is_tensor(ir, value) || matches!(self.known.get(&value), Some(Known::In(_))) {
                    continue;
                }
                let message = match self.known.get(&value) {
                    Some(Known::Several) if ir.is(op, &scf::IF) => {
                        "inconsistent memory space on then/else branches"
                    }
                    Some(Known::Several) if is_select_of_tensors(ir, op) => {
                        "inconsistent memory space on true/false operands"
                    }
                    Some(Known::Several) if incoming.contains_key(&value) => {
                        "init_arg and yielded value bufferize to inconsistent memory spaces"
                    }
                    _ => "could not infer memory space",
                };
                return Err(NotInferred { op, message });
            }
        }
        Ok(())
    }
}

/// The memory space of a buffer.
fn space_of_buffer(ir: &Ir, buffer: Value) -> Space {
    match ir.context().type_kind(ir.value_type(buffer)) {
        TypeKind::MemRef(memref) => memref.space,
        TypeKind::UnrankedMemRef { space, .. } => *space,
        _ => None,
    }
}

/// The memory space 0 is the default one.
fn canonical(context: &Context, space: Space) -> Space {
    space.filter(|&space| context.attr_integer(space) != Some(0))
}

/// The tensors whose memory space result `index` of `op` has.
fn sources(ir: &Ir, op: Op, index: usize) -> SmallVec<[Value; 2]> {
    let operand = |index: usize| SmallVec::from_slice(&[ir.operand(op, index)]);
    if is_select_of_tensors(ir, op) {
        return SmallVec::from_slice(&ir.operands(op)[1..3]);
    }
    if is_view_of(ir, op, 0) || ir.is(op, &tensor::PAD) {
        return operand(0);
    }
    if ir.is(op, &bufferization::ALLOC_TENSOR) {
        let copied = bufferization::AllocTensor(op).copy(ir);
        return copied.into_iter().collect();
    }
    if let Some(destination) = single_destination(ir, op) {
        return operand(destination);
    }
    let outputs = if linalg::is_structured(ir, op) {
        Some(ir.operand_group_range(op, 1))
    } else if ir.is(op, &scf::FORALL) {
        Some(ir.operand_group_range(op, 3))
    } else {
        iree_linalg_ext::outputs(ir, op)
    };
    if let Some(outputs) = outputs {
        let mut tensors = outputs.filter(|&index| is_tensor(ir, ir.operand(op, index)));
        return tensors.nth(index).map(operand).unwrap_or_default();
    }
    if ir.is(op, &vector::MASK) {
        // It returns what its region yields.
        let block = ir.single_block(ir.region(op, 0));
        let end = block.and_then(|block| ir.last_op(block));
        let yielded = end.and_then(|end| ir.operands(end).get(index).copied());
        return yielded.into_iter().collect();
    }
    if let Some(declared) = declared::declaration(ir, op) {
        let destination = declared::destination_of(ir, op, declared, index);
        return destination.into_iter().collect();
    }
    SmallVec::new()
}

/// Where control flow passes tensors along from `op`.
fn collect_edges(ir: &Ir, op: Op, edges: &mut Vec<Edge>) {
    let mut add = |index: usize, target: Value| {
        if is_tensor(ir, ir.operand(op, index)) {
            edges.push(Edge { op, index, target });
        }
    };
    let def = ir.def(op);
    if let Some(interface) = def.branch {
        for index in 0..ir.operands(op).len() {
            if let Some((successor, argument)) = (interface.successor_of_operand)(ir, op, index)
                && let Some(&block) = ir.successors(op).get(successor)
            {
                add(index, ir.block_args(block)[argument]);
            }
        }
        return;
    }
    if ir.is(op, &scf::FORALL) {
        let view = scf::Forall(op);
        let arguments = &ir.block_args(view.body(ir))[view.rank(ir)..];
        for (index, &argument) in ir.operand_group_range(op, 3).zip(arguments) {
            add(index, argument);
        }
        return;
    }
    if let Some(interface) = def.region_branch {
        for to in ir.region_successors(op, RegionPoint::Parent) {
            let inputs = ir.region_successor_inputs(op, to);
            for (index, &input) in (interface.entry_operands)(ir, op, to).zip(inputs) {
                add(index, input);
            }
        }
    }
    let parent = ir.parent_op(op);
    let parent = parent.filter(|&parent| ir.def(parent).region_branch.is_some());
    if let (Some(interface), Some(parent)) = (def.region_terminator, parent) {
        let region = ir.parent_region(op);
        let at = ir.regions(parent).iter().position(|&r| Some(r) == region);
        for to in ir.region_successors(parent, RegionPoint::Region(at.unwrap_or(0))) {
            let inputs = ir.region_successor_inputs(parent, to);
            for (index, &input) in (interface.operands)(ir, op, to).zip(inputs) {
                add(index, input);
            }
        }
    }
}
