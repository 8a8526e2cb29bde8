//! Carries out what `in_place` decided: values that control flow passes along
//! change their types where they stand, operations on tensors are rewritten
//! one by one, each after what it uses.

use std::ops::Range;
use std::sync::Arc;

use freehold_frontend::dialects::memref::types::cast_only_forgets;
use freehold_frontend::dialects::memref::{self, build};
use freehold_frontend::dialects::{
    arith, bufferization, func, iree_linalg_ext, linalg, scf, tensor, vector,
};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared;
use super::in_place::{Consumed, Decisions, is_read_in_iterations, is_tensor, mentions_tensor};
use super::one_shot_bufferize::{Environment, any_layout, row_major};
use super::spaces::{Space, Spaces};
use crate::rewrite::clones::clone_as;

/// Reports that there is no way to rewrite an operation.
pub(super) struct NotBufferized;

/// Rewrites one function.
pub(super) struct Rewriter<'a> {
    pub(super) ir: &'a mut Ir,
    pub(super) context: Arc<Context>,
    environment: &'a Environment,
    decisions: &'a Decisions,
    /// In which memory spaces the buffers are.
    spaces: &'a Spaces,
    /// The types of the tensors that became buffers where they stand.
    tensor_types: FxHashMap<Value, Type>,
    /// The allocations that were made.
    allocations: Vec<Op>,
    /// The buffers of the tensors that have one; what control flow carries is
    /// its own.
    buffers: FxHashMap<Value, Value>,
    /// Where iterations of `scf.forall` put their parts: by output argument.
    pub(super) outputs: FxHashMap<Value, Value>,
    /// Operations that are to be erased, in order.
    dead: Vec<Op>,
    /// Operations that stay without their results.
    without_results: Vec<Op>,
    /// Operations that stay without some of their results.
    dropped_results: Vec<(Op, Vec<usize>)>,
    /// Results that are no tensors, and their replacements: until the end, buffers are told from
    /// former tensors.
    replaced: Vec<(Value, Value)>,
    /// Operations that stay, found while all their operands were tensors.
    unknown: FxHashSet<Op>,
    /// Buffers of results of unknown operations, which may go if they are unused.
    spare: Vec<Op>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        ir: &'a mut Ir,
        environment: &'a Environment,
        decisions: &'a Decisions,
        spaces: &'a Spaces,
    ) -> Self {
        let ops = ir.walk(ir.root());
        let unknown = ops.filter(|&op| environment.is_unknown(ir, op)).collect();
        Self {
            unknown,
            spaces,
            tensor_types: FxHashMap::default(),
            allocations: Vec::new(),
            context: Arc::clone(ir.context()),
            ir,
            environment,
            decisions,
            buffers: FxHashMap::default(),
            outputs: FxHashMap::default(),
            dead: Vec::new(),
            without_results: Vec::new(),
            dropped_results: Vec::new(),
            replaced: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Rewrites everything; `order` has all operations, those that define values before those that use them. Returns the
    /// allocations that were made.
    ///
    /// # Errors
    /// At the first operation for which there is no way.
    pub(super) fn run(
        mut self,
        order: &[Op],
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Op>, Failed> {
        let root = self.ir.root();
        if self.enter_function().is_err() {
            return Err(diagnostics.error(self.ir.loc(root), "op was not bufferized"));
        }
        for &op in order {
            if self.ir.is_erased(op) {
                continue;
            }
            if self.rewrite(op).is_err() {
                let advice = match declared::advice(self.ir, op) {
                    Some(advice) => format!(": {advice}"),
                    None => self.ir.advice(op),
                };
                let message = format!("op was not bufferized{advice}");
                return Err(diagnostics.error(self.ir.loc(op), message));
            }
        }
        Ok(self.finish())
    }

    /// Makes buffers of the arguments of the function and its blocks.
    fn enter_function(&mut self) -> Result<(), NotBufferized> {
        let Some(entry) = self.ir.root_block() else {
            return Ok(());
        };
        for argument in self.ir.block_args(entry).to_vec() {
            if !is_tensor(self.ir, argument) {
                continue;
            }
            let ty = self.ir.value_type(argument);
            let ty = self
                .environment
                .argument_type(&self.context, ty)
                .ok_or(NotBufferized)?;
            if self.environment.function_boundaries {
                self.becomes_buffer(argument, ty);
            } else {
                let loc = self.ir.loc(self.ir.root());
                let mut builder = Builder::at_start(self.ir, entry);
                builder.set_loc(loc);
                let cast = to_memref(&mut builder, argument, ty).ok_or(NotBufferized)?;
                let buffer = self.ir.result(cast, 0);
                self.buffers.insert(argument, buffer);
            }
        }
        let region = self.ir.region(self.ir.root(), 0);
        self.convert_blocks(region)
    }

    /// Changes the arguments of all blocks of `region` but the first.
    fn convert_blocks(&mut self, region: Region) -> Result<(), NotBufferized> {
        let blocks: Vec<Block> = self.ir.blocks_in(region).skip(1).collect();
        for block in blocks {
            let arguments = self.ir.block_args(block).to_vec();
            // It is unknown which tensors an unknown branch passes on.
            let is_unknown = |before: Block| {
                let branch = self.ir.last_op(before);
                branch.is_none_or(|op| self.ir.def(op).branch.is_none())
            };
            if arguments.iter().any(|&value| is_tensor(self.ir, value))
                && self.ir.predecessors(block).any(is_unknown)
            {
                return Err(NotBufferized);
            }
            self.become_row_major(&arguments)?;
        }
        Ok(())
    }

    /// Changes those of `values` that are tensors into row-major buffers.
    fn become_row_major(&mut self, values: &[Value]) -> Result<(), NotBufferized> {
        for &value in values {
            if is_tensor(self.ir, value) {
                let ty = self.row_major(value)?;
                self.becomes_buffer(value, ty);
            }
        }
        Ok(())
    }

    pub(super) fn becomes_buffer(&mut self, value: Value, ty: Type) {
        self.tensor_types.insert(value, self.ir.value_type(value));
        self.ir.set_value_type(value, ty);
        self.buffers.insert(value, value);
    }

    /// The row-major buffer type for `value`, in its memory space.
    pub(super) fn row_major(&self, value: Value) -> Result<Type, NotBufferized> {
        let ty = self.ir.value_type(value);
        let space = self.space(value).ok_or(NotBufferized)?;
        row_major(&self.context, ty, space).ok_or(NotBufferized)
    }

    /// The memory space of the buffer of `value`.
    pub(super) fn space(&self, value: Value) -> Option<Space> {
        let ty = self.tensor_types.get(&value);
        let ty = ty.copied().unwrap_or_else(|| self.ir.value_type(value));
        self.spaces.of(&self.context, value, ty)
    }

    /// The memory space of a buffer.
    pub(super) fn space_of_buffer(&self, buffer: Value) -> Space {
        match self.context.type_kind(self.ir.value_type(buffer)) {
            TypeKind::MemRef(memref) => memref.space,
            TypeKind::UnrankedMemRef { space, .. } => *space,
            _ => None,
        }
    }

    /// Whether `value` is a tensor, or was one.
    pub(super) fn was_tensor(&self, value: Value) -> bool {
        self.buffers.contains_key(&value) || is_tensor(self.ir, value)
    }

    /// The buffer that holds `value`.
    pub(super) fn buffer(&self, value: Value) -> Result<Value, NotBufferized> {
        self.buffers.get(&value).copied().ok_or(NotBufferized)
    }

    /// Remembers that `buffer` holds the only result of `op`, which goes.
    pub(super) fn replace(&mut self, op: Op, buffer: Value) {
        let result = self.ir.result(op, 0);
        self.buffers.insert(result, buffer);
        self.dead.push(op);
    }

    /// Replaces the result of `op`, which is no tensor.
    pub(super) fn replace_scalar(&mut self, op: Op, value: Value) {
        self.replaced.push((self.ir.result(op, 0), value));
        self.dead.push(op);
    }

    pub(super) fn erase(&mut self, op: Op) {
        self.dead.push(op);
    }

    /// The type of the buffer `value`.
    pub(super) fn memref_of(&self, value: Value) -> Result<&MemRefType, NotBufferized> {
        self.context
            .as_memref(self.ir.value_type(value))
            .ok_or(NotBufferized)
    }

    /// What operand `index` of `op` consumes.
    fn consumed(&self, op: Op, index: usize) -> Option<Consumed> {
        self.decisions
            .of(op)
            .iter()
            .find(|c| c.index == index)
            .copied()
    }

    fn takes(&self, op: Op, index: usize) -> bool {
        self.decisions.takes(op, index)
    }

    /// Whether `op` puts a slice where it is already.
    pub(super) fn is_slice_in_place(&self, op: Op) -> bool {
        self.decisions.slices_in_place.contains(&op)
    }

    // New buffers.

    /// A new buffer of the row-major type `ty`, made before `op`.
    pub(super) fn alloc(&mut self, op: Op, ty: Type, sizes: &[Value]) -> Value {
        let buffer = build::alloc(&mut Builder::before(self.ir, op), ty, sizes);
        let alloc = self.ir.defining_op(buffer).expect("an operation made it");
        if let Some(alignment) = self.environment.alignment {
            let alignment = self.context.i64_attr(alignment);
            self.ir.set_attr(alloc, Name::ALIGNMENT, alignment);
        }
        self.allocations.push(alloc);
        buffer
    }

    /// A new row-major buffer of the size of `source`, in a memory space, made before `op`.
    fn alloc_like(&mut self, op: Op, source: Value, space: Space) -> Result<Value, NotBufferized> {
        let Ok(memref) = self.memref_of(source).cloned() else {
            // The sizes alone are as much work as the copy.
            return self.copy_to_space(op, source, space);
        };
        let ty = row_major(&self.context, self.ir.value_type(source), space);
        let ty = ty.ok_or(NotBufferized)?;
        let mut sizes = Vec::new();
        for (dim, _) in (0..)
            .zip(&*memref.shape)
            .filter(|&(_, &size)| size == DYNAMIC)
        {
            let mut builder = Builder::before(self.ir, op);
            let dim = arith::constant_index(&mut builder, dim);
            sizes.push(build::dim(&mut builder, source, dim));
        }
        Ok(self.alloc(op, ty, &sizes))
    }

    /// A new row-major buffer with the contents of `source`, in its memory space, made before `op`.
    pub(super) fn copy(&mut self, op: Op, source: Value) -> Result<Value, NotBufferized> {
        self.copy_to_space(op, source, self.space_of_buffer(source))
    }

    /// A new row-major buffer with the contents of `source`, made before `op`.
    fn copy_to_space(
        &mut self,
        op: Op,
        source: Value,
        space: Space,
    ) -> Result<Value, NotBufferized> {
        let ty = self.ir.value_type(source);
        if let TypeKind::UnrankedMemRef { element, .. } = *self.context.type_kind(ty) {
            return self.copy_unranked(op, source, element, space);
        }
        let copy = self.alloc_like(op, source, space)?;
        build::copy(&mut Builder::before(self.ir, op), source, copy);
        Ok(copy)
    }

    /// A copy of a buffer of any rank: of the ranked one that it was, if that is known.
    fn copy_unranked(
        &mut self,
        op: Op,
        source: Value,
        element: Type,
        space: Space,
    ) -> Result<Value, NotBufferized> {
        let unranked = TypeKind::UnrankedMemRef { element, space };
        let ty = self.context.intern_type(unranked);
        let Some(ranked) = self.ranked(source) else {
            let mut builder = Builder::before(self.ir, op);
            return clone_as(&mut builder, source, ty).ok_or(NotBufferized);
        };
        let copy = self.copy_to_space(op, ranked, space)?;
        Ok(build::cast(&mut Builder::before(self.ir, op), copy, ty))
    }

    /// The ranked buffer that was cast to the unranked `buffer`, if that is known.
    pub(super) fn ranked(&self, buffer: Value) -> Option<Value> {
        let cast = self.ir.defined_by(buffer, &memref::CAST)?;
        let ranked = self.ir.operand(cast, 0);
        self.memref_of(ranked).is_ok().then_some(ranked)
    }

    /// The buffer that `op` writes to because of operand `index`: that of the
    /// operand or a new one, with the contents of the operand if they matter.
    pub(super) fn destination(
        &mut self,
        op: Op,
        index: usize,
        contents_matter: bool,
    ) -> Result<Value, NotBufferized> {
        let value = self.ir.operand(op, index);
        if self.takes(op, index) {
            return self.buffer(value);
        }
        // Nothing else has a place in the region of a mask.
        let masked = |&parent: &Op| self.ir.is(parent, &vector::MASK);
        let at = self.ir.parent_op(op).filter(masked).unwrap_or(op);
        if let Some(empty) = self.ir.defined_by(value, &tensor::EMPTY) {
            let sizes = self.ir.operands(empty).to_vec();
            let ty = self.row_major(value)?;
            return Ok(self.alloc(at, ty, &sizes));
        }
        let source = self.buffer(value)?;
        match contents_matter {
            true => self.copy(at, source),
            false => self.alloc_like(at, source, self.space_of_buffer(source)),
        }
    }

    /// The row-major buffer that goes on from operand `index` of `op`.
    pub(super) fn handed_on(&mut self, op: Op, index: usize) -> Result<Value, NotBufferized> {
        let value = self.ir.operand(op, index);
        let space = self.target_space(op, index).ok_or(NotBufferized)?;
        let is_new = self.ir.defined_by(value, &tensor::EMPTY).is_some();
        if !self.takes(op, index) && !is_new {
            let source = self.buffer(value)?;
            return self.copy_to_space(op, source, space);
        }
        let buffer = self.destination(op, index, true)?;
        let ty = row_major(&self.context, self.ir.value_type(value), space);
        let ty = ty.ok_or(NotBufferized)?;
        if self.ir.value_type(buffer) == ty {
            return Ok(buffer);
        }
        if let Ok(memref) = self.memref_of(buffer)
            && memref.space == space
            && memref::is_contiguous(&self.context, memref)
        {
            return Ok(build::cast(&mut Builder::before(self.ir, op), buffer, ty));
        }
        self.copy_to_space(op, buffer, space)
    }

    /// The memory space in which what operand `index` of `op` becomes is.
    fn target_space(&self, op: Op, index: usize) -> Option<Space> {
        let value = self.ir.operand(op, index);
        if self.ir.is(op, &func::RETURN) {
            let ty = self.tensor_types.get(&value).copied();
            let ty = ty.unwrap_or_else(|| self.ir.value_type(value));
            return self.environment.spaces.of(&self.context, ty);
        }
        self.space(self.spaces.target(op, index).unwrap_or(value))
    }

    /// The buffer of operand `index` of `op`, which is only read, as a `ty`.
    pub(super) fn lent(&mut self, op: Op, buffer: Value, ty: Type) -> Result<Value, NotBufferized> {
        let source = match self.only_forgets(self.ir.value_type(buffer), ty) {
            true => buffer,
            false => {
                let space = match self.context.type_kind(ty) {
                    TypeKind::MemRef(memref) => memref.space,
                    _ => None,
                };
                let copied = row_major(&self.context, ty, space).ok_or(NotBufferized)?;
                if self.context.as_memref(ty).is_none() || !self.only_forgets(copied, ty) {
                    let mut builder = Builder::before(self.ir, op);
                    return clone_as(&mut builder, buffer, ty).ok_or(NotBufferized);
                }
                self.copy_to_space(op, buffer, space)?
            }
        };
        Ok(match self.ir.value_type(source) == ty {
            true => source,
            false => build::cast(&mut Builder::before(self.ir, op), source, ty),
        })
    }

    /// Whether a `from` is a `to` with fewer static facts.
    fn only_forgets(&self, from: Type, to: Type) -> bool {
        let space = |ty| self.context.as_memref(ty).map(|memref| memref.space);
        from == to || cast_only_forgets(&self.context, from, to) && space(from) == space(to)
    }

    // Operations.

    /// Rewrites one operation, if it has to do with tensors.
    fn rewrite(&mut self, op: Op) -> Result<(), NotBufferized> {
        let touches = |values: &[Value]| values.iter().any(|&value| self.was_tensor(value));
        let touches_tensors = touches(self.ir.operands(op)) || touches(self.ir.results(op));
        let has_regions = !self.ir.regions(op).is_empty();
        if !touches_tensors && !has_regions {
            return match self.names_function_on_tensors(op) {
                true => Err(NotBufferized),
                false => Ok(()),
            };
        }
        let def = self.ir.def(op);
        if self.is_unknown(op) {
            self.keep_unknown(op)
        } else if self.ir.is(op, &scf::FORALL) {
            self.rewrite_forall(op)
        } else if def.region_branch.is_some() {
            self.rewrite_region_op(op)
        } else if linalg::is_structured(self.ir, op) || self.ir.is(op, &linalg::SOFTMAX) {
            self.rewrite_destination_style(op, self.ir.operand_group_range(op, 1))
        } else if let Some(outputs) = iree_linalg_ext::outputs(self.ir, op) {
            self.rewrite_destination_style(op, outputs)
        } else if self.ir.is(op, &func::CALL)
            || self.ir.is(op, &func::CALL_INDIRECT) && !self.environment.function_boundaries
        {
            self.rewrite_call(op)
        } else if self.ir.is(op, &func::RETURN) && !self.environment.function_boundaries {
            self.keep_tensors(op)
        } else if self.ir.is(op, &func::RETURN) && self.environment.any_result_layout {
            self.return_any_layout(op)
        } else if !self.decisions.of(op).is_empty() && self.ir.has_trait(op, Traits::TERMINATOR) {
            self.hand_on_all(op)
        } else if self.ir.is(op, &vector::TRANSFER_READ) || self.ir.is(op, &vector::GATHER) {
            let buffer = self.buffer(self.ir.operand(op, 0))?;
            self.ir.set_operand(op, 0, buffer);
            Ok(())
        } else if self.ir.is(op, &vector::TRANSFER_WRITE) {
            let target = self.destination(op, 1, true)?;
            self.ir.set_operand(op, 1, target);
            self.write_to(op, &[target]);
            Ok(())
        } else if self.ir.is(op, &vector::MASK) {
            // What its region yields becomes its result.
            match touches(self.ir.operands(op)) {
                true => Err(NotBufferized),
                false => Ok(()),
            }
        } else if self.ir.is(op, &vector::YIELD) {
            self.rewrite_vector_yield(op)
        } else if super::tensor_ops::rewrite(self, op)? {
            Ok(())
        } else if let Some(declared) =
            declared::declaration(self.ir, op).filter(|_| touches_tensors)
        {
            self.rewrite_declared(op, declared)
        } else if touches_tensors {
            Err(NotBufferized)
        } else {
            let regions = self.ir.regions(op).to_vec();
            let in_block = |block| {
                self.ir
                    .block_args(block)
                    .iter()
                    .any(|&v| is_tensor(self.ir, v))
            };
            let is_unknown = regions.iter().any(|&r| self.ir.blocks_in(r).any(in_block));
            if is_unknown {
                Err(NotBufferized)
            } else {
                Ok(())
            }
        }
    }

    /// Whether `op` makes a function a value that takes or returns tensors.
    fn names_function_on_tensors(&self, op: Op) -> bool {
        self.environment.function_boundaries
            && self.ir.results(op).iter().any(|&value| {
                let ty = self.ir.value_type(value);
                let is_function = matches!(self.context.type_kind(ty), TypeKind::Function { .. });
                is_function && mentions_tensor(&self.context, ty)
            })
    }

    /// Hands on everything that `op` consumes.
    fn hand_on_all(&mut self, op: Op) -> Result<(), NotBufferized> {
        let decisions = self.decisions;
        for consumed in decisions.of(op) {
            let buffer = self.handed_on(op, consumed.index)?;
            self.ir.set_operand(op, consumed.index, buffer);
        }
        self.expect_no_tensors(op)
    }

    /// Checks that nothing of `op` is a tensor any more.
    fn expect_no_tensors(&self, op: Op) -> Result<(), NotBufferized> {
        let values = [self.ir.operands(op), self.ir.results(op)];
        match values
            .into_iter()
            .flatten()
            .any(|&value| is_tensor(self.ir, value))
        {
            true => Err(NotBufferized),
            false => Ok(()),
        }
    }

    /// Loops and branches: what they carry becomes buffers.
    fn rewrite_region_op(&mut self, op: Op) -> Result<(), NotBufferized> {
        let decisions = self.decisions;
        for consumed in decisions.of(op) {
            let buffer = self.handed_on(op, consumed.index)?;
            self.ir.set_operand(op, consumed.index, buffer);
        }
        let n_regions = self.ir.regions(op).len();
        let points = (0..n_regions).map(RegionPoint::Region);
        for point in points.chain([RegionPoint::Parent]) {
            let inputs = self.ir.region_successor_inputs(op, point).to_vec();
            self.become_row_major(&inputs)?;
        }
        for region in self.ir.regions(op).to_vec() {
            self.convert_blocks(region)?;
            let entry = self.ir.entry_block(region);
            let arguments = entry.map_or(&[][..], |block| self.ir.block_args(block));
            if arguments
                .iter()
                .any(|&argument| is_tensor(self.ir, argument))
            {
                return Err(NotBufferized);
            }
        }
        self.expect_no_tensors(op)
    }

    /// Iterations put their parts into the outputs, and see the earlier contents; `in_place` gave
    /// outputs that are read a buffer of their own.
    fn rewrite_forall(&mut self, op: Op) -> Result<(), NotBufferized> {
        let view = scf::Forall(op);
        let arguments = self.ir.block_args(view.body(self.ir))[view.rank(self.ir)..].to_vec();
        let indices = self.ir.operand_group_range(op, 3);
        if indices.is_empty() {
            return Ok(());
        }
        for ((at, index), argument) in indices.enumerate().zip(arguments) {
            let value = self.ir.operand(op, index);
            let output = self.handed_on(op, index)?;
            let input = match self.buffers.get(&value) {
                Some(&input) if is_read_in_iterations(self.ir, argument) => input,
                _ => output,
            };
            self.outputs.insert(argument, output);
            self.buffers.insert(argument, input);
            let result = self.ir.result(op, at);
            self.buffers.insert(result, output);
        }
        self.without_results.push(op);
        Ok(())
    }

    /// Operands become buffers, and results are where the outputs are.
    fn rewrite_destination_style(
        &mut self,
        op: Op,
        outputs: Range<usize>,
    ) -> Result<(), NotBufferized> {
        let mut targets = Vec::new();
        let mut operands = self.ir.operands(op).to_vec();
        for (index, operand) in operands.iter_mut().enumerate() {
            if !self.was_tensor(*operand) {
                continue;
            }
            if outputs.contains(&index) {
                let contents_matter = !is_overwritten(self.ir, op, index);
                *operand = self.destination(op, index, contents_matter)?;
                targets.push(*operand);
            } else {
                *operand = self.buffer(*operand)?;
            }
        }
        self.ir.set_operands(op, &operands);
        self.write_to(op, &targets);
        Ok(())
    }

    /// The end of a masked operation that writes to the tensor that it yields.
    fn rewrite_vector_yield(&mut self, op: Op) -> Result<(), NotBufferized> {
        let mask = self.ir.parent_op(op).ok_or(NotBufferized)?;
        let values = self.ir.operands(op).to_vec();
        if !self.ir.is(mask, &vector::MASK) || !values.iter().all(|&v| self.was_tensor(v)) {
            return Err(NotBufferized);
        }
        let targets = values.iter().map(|&value| self.buffer(value));
        let targets = targets.collect::<Result<Vec<Value>, _>>()?;
        self.ir.set_operands(op, &[]);
        self.write_to(mask, &targets);
        Ok(())
    }

    /// The operands that `op` consumes.
    pub(super) fn consumed_by(&self, op: Op) -> Vec<usize> {
        self.decisions.of(op).iter().map(|c| c.index).collect()
    }

    /// Remembers that `buffer` holds `result`.
    pub(super) fn holds(&mut self, result: Value, buffer: Value) {
        self.buffers.insert(result, buffer);
    }

    /// Takes these results away from `op` in the end.
    pub(super) fn drop_results(&mut self, op: Op, results: Vec<usize>) {
        if !results.is_empty() {
            self.dropped_results.push((op, results));
        }
    }

    /// Remembers that `op` puts its results into `targets` and has none then.
    fn write_to(&mut self, op: Op, targets: &[Value]) {
        for (at, &target) in targets.iter().enumerate() {
            let result = self.ir.result(op, at);
            self.buffers.insert(result, target);
        }
        self.without_results.push(op);
    }

    fn rewrite_call(&mut self, op: Op) -> Result<(), NotBufferized> {
        if !self.environment.function_boundaries {
            self.keep_tensors(op)?;
            for result in self.ir.results(op).to_vec() {
                if is_tensor(self.ir, result) {
                    let ty = self.ir.value_type(result);
                    let ty = self.environment.argument_type(&self.context, ty);
                    let ty = ty.ok_or(NotBufferized)?;
                    let mut builder = Builder::after(self.ir, op);
                    let cast = to_memref(&mut builder, result, ty).ok_or(NotBufferized)?;
                    let buffer = self.ir.result(cast, 0);
                    self.buffers.insert(result, buffer);
                }
            }
            return Ok(());
        }
        for index in 0..self.ir.operands(op).len() {
            let operand = self.ir.operand(op, index);
            if !self.was_tensor(operand) {
                continue;
            }
            let ty = self.ir.value_type(operand);
            let ty = self.environment.argument_type(&self.context, ty);
            let ty = ty.ok_or(NotBufferized)?;
            let buffer = match self.consumed(op, index) {
                Some(_) => self.destination(op, index, true)?,
                None => self.buffer(operand)?,
            };
            let buffer = self.lent(op, buffer, ty)?;
            self.ir.set_operand(op, index, buffer);
        }
        let results = self.ir.results(op).to_vec();
        self.become_row_major(&results)?;
        if self.environment.any_result_layout {
            for result in results {
                let Ok(memref) = self.memref_of(result) else {
                    continue;
                };
                if self.buffers.get(&result) != Some(&result) {
                    continue;
                }
                // Row-major all the same: it was when the callee returned it.
                let (ty, row_major) = (
                    any_layout(&self.context, memref),
                    self.ir.value_type(result),
                );
                self.ir.set_value_type(result, ty);
                let cast = build::cast(&mut Builder::after(self.ir, op), result, row_major);
                self.buffers.insert(result, cast);
            }
        }
        Ok(())
    }

    /// Whether `op`, some of whose operands may be buffers already, is one that stays.
    fn is_unknown(&self, op: Op) -> bool {
        self.unknown.contains(&op)
    }

    /// An operation on tensors that this pass does not know stays one.
    fn keep_unknown(&mut self, op: Op) -> Result<(), NotBufferized> {
        self.keep_tensors(op)?;
        let mut blocks = Vec::new();
        for &region in self.ir.regions(op) {
            blocks.extend(self.ir.blocks_in(region));
        }
        for result in self.ir.results(op).to_vec() {
            if is_tensor(self.ir, result) {
                let ty = self
                    .environment
                    .unknown_type(&self.context, self.ir.value_type(result));
                let ty = ty.ok_or(NotBufferized)?;
                let mut builder = Builder::after(self.ir, op);
                let cast = to_memref(&mut builder, result, ty).ok_or(NotBufferized)?;
                self.spare.push(cast);
                self.buffers.insert(result, self.ir.result(cast, 0));
            }
        }
        for block in blocks {
            for argument in self.ir.block_args(block).to_vec() {
                if is_tensor(self.ir, argument) {
                    let ty = self.ir.value_type(argument);
                    let ty = self.environment.unknown_type(&self.context, ty);
                    let ty = ty.ok_or(NotBufferized)?;
                    let loc = self.ir.loc(op);
                    let mut builder = Builder::at_start(self.ir, block);
                    builder.set_loc(loc);
                    let cast = to_memref(&mut builder, argument, ty).ok_or(NotBufferized)?;
                    self.spare.push(cast);
                    self.buffers.insert(argument, self.ir.result(cast, 0));
                }
            }
        }
        Ok(())
    }

    /// Hands on the results of a function, as buffers whose layout callers do not know.
    fn return_any_layout(&mut self, op: Op) -> Result<(), NotBufferized> {
        self.hand_on_all(op)?;
        for index in 0..self.ir.operands(op).len() {
            let buffer = self.ir.operand(op, index);
            if !self
                .decisions
                .of(op)
                .iter()
                .any(|consumed| consumed.index == index)
            {
                continue;
            }
            if let Ok(memref) = self.memref_of(buffer) {
                let ty = any_layout(&self.context, memref);
                let cast = build::cast(&mut Builder::before(self.ir, op), buffer, ty);
                self.ir.set_operand(op, index, cast);
            }
        }
        Ok(())
    }

    /// Where tensors stay tensors: at the boundaries of functions.
    fn keep_tensors(&mut self, op: Op) -> Result<(), NotBufferized> {
        for index in 0..self.ir.operands(op).len() {
            let operand = self.ir.operand(op, index);
            let maker = self.ir.defining_op(operand);
            let stays = maker.is_some_and(|maker| self.is_unknown(maker));
            if !self.was_tensor(operand) || stays {
                continue;
            }
            let buffer = self.buffer(operand)?;
            let ty = self.ir.value_type(buffer);
            let ty = self.context.tensor_type_of(ty).ok_or(NotBufferized)?;
            let tensor = self.tensor_types.get(&operand).copied();
            let tensor = tensor.unwrap_or_else(|| self.ir.value_type(operand));
            let mut builder = Builder::before(self.ir, op);
            let mut value = builder.value(&bufferization::TO_TENSOR, &[buffer], ty);
            if has_encoding(&self.context, tensor) {
                value = builder.value(&tensor::CAST, &[value], tensor);
            }
            self.ir.set_operand(op, index, value);
        }
        Ok(())
    }

    /// `bufferization.to_memref`: a buffer that others may do anything with,
    /// unless it is read-only.
    pub(super) fn rewrite_to_memref(&mut self, op: Op) -> Result<(), NotBufferized> {
        let ty = self.ir.value_type(self.ir.result(op, 0));
        let buffer = match self.consumed(op, 0) {
            Some(_) => self.destination(op, 0, true)?,
            None => self.buffer(self.ir.operand(op, 0))?,
        };
        let buffer = self.lent(op, buffer, ty)?;
        self.replace_scalar(op, buffer);
        Ok(())
    }

    /// The global that holds a constant.
    pub(super) fn rewrite_constant(&mut self, op: Op) -> Result<(), NotBufferized> {
        let value = self.ir.attr(op, Name::VALUE).ok_or(NotBufferized)?;
        let name = self.environment.global(value).ok_or(NotBufferized)?;
        let ty = self.row_major(self.ir.result(op, 0))?;
        let buffer = build::get_global(&mut Builder::before(self.ir, op), name, ty);
        self.replace(op, buffer);
        Ok(())
    }

    /// Whether anyone wants the buffer of the `tensor.empty` `op`, and not just
    /// a new one of its size.
    pub(super) fn is_buffer_needed(&self, op: Op) -> bool {
        self.ir.uses(self.ir.result(op, 0)).iter().any(|u| {
            self.consumed(u.op, u.index as usize)
                .is_none_or(|consumed| consumed.takes)
        })
    }

    /// The type of `memref` with another shape and the same layout.
    pub(super) fn with_shape(&self, memref: &MemRefType, shape: &[i64]) -> Type {
        self.context.memref_type(MemRefType {
            shape: shape.into(),
            ..memref.clone()
        })
    }

    /// Takes two buffers to a common type.
    pub(super) fn unify(
        &mut self,
        op: Op,
        a: Value,
        b: Value,
    ) -> Result<(Value, Value), NotBufferized> {
        if self.ir.value_type(a) == self.ir.value_type(b) {
            return Ok((a, b));
        }
        let space = self.space(self.ir.result(op, 0)).ok_or(NotBufferized)?;
        let mut memref = self.memref_of(a)?.clone();
        memref.space = space;
        let ty = any_layout(&self.context, &memref);
        Ok((self.lent(op, a, ty)?, self.lent(op, b, ty)?))
    }

    /// Removes unused operations; returns the allocations.
    fn finish(self) -> Vec<Op> {
        let ir = self.ir;
        // What takes the place of one may be replaced itself, by something before it.
        for &(result, value) in self.replaced.iter().rev() {
            ir.replace_all_uses(result, value);
        }
        for &op in &self.spare {
            if ir.is_unused(op) {
                ir.erase_op(op);
            }
        }
        for &op in &self.without_results {
            if ir.is(op, &scf::FORALL) {
                ir.set_operand_group(op, 3, &[]);
            }
        }
        for &op in self.dead.iter().rev() {
            if !ir.is_erased(op) {
                ir.erase_op(op);
            }
        }
        for (op, results) in &self.dropped_results {
            declared::remove_results(ir, *op, results);
        }
        for &op in &self.without_results {
            for index in (0..ir.results(op).len()).rev() {
                ir.remove_result(op, index);
            }
            if ir.is(op, &scf::FORALL) {
                let view = scf::Forall(op);
                let (body, rank) = (view.body(ir), view.rank(ir));
                for index in (rank..ir.block_args(body).len()).rev() {
                    ir.remove_block_arg(body, index);
                }
            }
        }
        self.allocations
    }
}

/// The operation that gives the buffer of a tensor that stays one. Encodings are no part of what a buffer is.
fn to_memref(builder: &mut Builder<'_>, mut tensor: Value, ty: Type) -> Option<Op> {
    let context = builder.context();
    if has_encoding(&context, builder.ir.value_type(tensor)) {
        let plain = context.tensor_type_of(ty)?;
        tensor = builder.value(&tensor::CAST, &[tensor], plain);
    }
    Some(builder.op(&bufferization::TO_MEMREF, &[tensor], &[ty]))
}

fn has_encoding(context: &Context, ty: Type) -> bool {
    let kind = context.type_kind(ty);
    matches!(
        kind,
        TypeKind::RankedTensor {
            encoding: Some(_),
            ..
        }
    )
}

/// Whether the operation `op` with a destination writes every element of output `index`
/// without reading any.
fn is_overwritten(ir: &Ir, op: Op, index: usize) -> bool {
    if ir.is(op, &linalg::SOFTMAX) || iree_linalg_ext::is_overwritten(ir, op, index) {
        return true;
    }
    if !linalg::is_structured(ir, op) {
        return false;
    }
    // A loop that does not count through the output may run not even once.
    !linalg::payload_uses_operand(ir, op, index)
        && linalg::indexing_maps(ir, op)
            .get(index)
            .is_some_and(|map| map.is_permutation())
}

/// All operations, those that define values before those that use them.
pub(super) fn in_dominance_order(ir: &Ir) -> Vec<Op> {
    let mut order = Vec::new();
    let mut stack: Vec<Op> = Vec::new();
    let push_region = |stack: &mut Vec<Op>, region: Region| {
        let blocks = match ir.single_block(region) {
            Some(block) => vec![block],
            None => DominatorTree::new(ir, region).reverse_postorder().to_vec(),
        };
        let start = stack.len();
        stack.extend(blocks.into_iter().flat_map(|block| ir.ops_in(block)));
        stack[start..].reverse();
    };
    for &region in ir.regions(ir.root()) {
        push_region(&mut stack, region);
    }
    while let Some(op) = stack.pop() {
        order.push(op);
        for &region in ir.regions(op).iter().rev() {
            push_region(&mut stack, region);
        }
    }
    order
}
