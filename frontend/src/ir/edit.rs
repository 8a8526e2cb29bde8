//! Every change to an [`Ir`]: creating, linking, moving and erasing, operands
//! and their use lists, attributes, arguments and results.
//!
//! **Invariant.** Nothing outside this file writes links, operands or uses
//! (`cloning` copies a whole arena as it is).
//! `verify` recomputes them and compares.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cranelift_entity::{EntityList, EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::attrs::{Attr, Dict};
use super::context::Context;
use super::data::{BlockData, Ir, OpData, RegionData, ValueData};
use super::entities::{Block, Op, Region, Use, UsePosition, Value, ValueDef};
use super::location::Loc;
use super::names::Name;
use super::types::Type;
use crate::ir::op_def::{OpDef, Traits};

/// Distance between neighbours when operations are numbered anew.
const ORDER_STRIDE: i64 = 1 << 20;
/// Distance an inserted operation keeps from its predecessor where there is room.
const ORDER_STEP: i64 = 16;

/// Everything needed to make an operation.
#[derive(Clone, Debug)]
pub struct OpSpec {
    /// The row.
    pub def: &'static OpDef,
    /// Full name if `def` is [`UNREGISTERED`](crate::ir::op_def::UNREGISTERED).
    pub unregistered_name: Name,
    /// Location.
    pub loc: Loc,
    /// Operands.
    pub operands: SmallVec<[Value; 4]>,
    /// Result types.
    pub results: SmallVec<[Type; 2]>,
    /// Attributes, inherent ones included.
    pub attrs: Vec<(Name, Attr)>,
    /// Successor blocks.
    pub successors: SmallVec<[Block; 2]>,
    /// Number of (empty) regions.
    pub n_regions: usize,
}

impl OpSpec {
    /// An operation without operands, results, attributes and regions.
    pub fn new(def: &'static OpDef, loc: Loc) -> Self {
        Self {
            def,
            unregistered_name: Name::EMPTY,
            loc,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            attrs: Vec::new(),
            successors: SmallVec::new(),
            n_regions: 0,
        }
    }

    /// Appends operands.
    #[must_use]
    pub fn operands(mut self, operands: &[Value]) -> Self {
        self.operands.extend_from_slice(operands);
        self
    }

    /// Appends result types.
    #[must_use]
    pub fn results(mut self, results: &[Type]) -> Self {
        self.results.extend_from_slice(results);
        self
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(mut self, name: Name, attr: Attr) -> Self {
        self.set_attr(name, attr);
        self
    }

    /// Sets an attribute.
    pub fn set_attr(&mut self, name: Name, attr: Attr) {
        match self.attrs.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 = attr,
            None => self.attrs.push((name, attr)),
        }
    }

    /// The attribute `name` as set so far.
    pub fn get_attr(&self, name: Name) -> Option<Attr> {
        self.attrs
            .iter()
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
    }

    /// Appends successors.
    #[must_use]
    pub fn successors(mut self, successors: &[Block]) -> Self {
        self.successors.extend_from_slice(successors);
        self
    }

    /// Sets the number of regions.
    #[must_use]
    pub fn regions(mut self, n_regions: usize) -> Self {
        self.n_regions = n_regions;
        self
    }
}

impl Ir {
    /// A new arena whose root is `spec`, which must have the trait
    /// [`Traits::OWNS_ARENA`] and no operands or results.
    pub fn new(context: Arc<Context>, spec: OpSpec) -> Self {
        debug_assert!(spec.def.traits.contains(Traits::OWNS_ARENA));
        debug_assert!(spec.operands.is_empty() && spec.results.is_empty());
        let mut ir = Self {
            context,
            root: Op::new(0),
            ops: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            regions: PrimaryMap::new(),
            values: PrimaryMap::new(),
            uses: SecondaryMap::new(),
            nested: FxHashMap::default(),
            arg_locs: FxHashMap::default(),
            value_pool: Default::default(),
            use_position_pool: Default::default(),
            region_pool: Default::default(),
            block_pool: Default::default(),
            verified: AtomicBool::new(false),
        };
        ir.root = ir.create_op(spec);
        ir
    }

    /// To be called wherever something changes that the verifier looks at.
    fn touch(&mut self) {
        *self.verified.get_mut() = false;
    }

    // Creating.

    /// Makes a detached operation with empty regions.
    pub fn create_op(&mut self, spec: OpSpec) -> Op {
        let attrs = if spec.attrs.is_empty() {
            Dict::EMPTY
        } else {
            self.context.intern_dict(spec.attrs)
        };
        let op = self.ops.push(OpData {
            def: spec.def,
            operands: EntityList::new(),
            use_positions: EntityList::new(),
            results: EntityList::new(),
            regions: EntityList::new(),
            successors: EntityList::new(),
            attrs,
            loc: spec.loc,
            unregistered_name: spec.unregistered_name,
            block: None.into(),
            prev: None.into(),
            next: None.into(),
            order: 0,
            erased: false,
        });
        self.link_operands(op, &spec.operands);
        for &ty in &spec.results {
            self.append_result(op, ty);
        }
        for _ in 0..spec.n_regions {
            self.append_region(op);
        }
        for block in spec.successors {
            self.append_successor(op, block);
        }
        op
    }

    /// Makes a detached stub for `nested` and takes ownership of it.
    pub fn create_nested(&mut self, nested: Ir) -> Op {
        let (def, loc) = (nested.def(nested.root), nested.loc(nested.root));
        let op = self.create_op(OpSpec::new(def, loc));
        self.nested.insert(op, Box::new(nested));
        op
    }

    /// Takes the arena out of a stub, to work on it elsewhere. Until
    /// [`Ir::put_nested`] nothing may look at the stub but its position.
    ///
    /// # Panics
    /// If `op` is no stub.
    pub fn take_nested(&mut self, op: Op) -> Box<Ir> {
        self.nested
            .remove(&op)
            .expect("only stubs have an arena to take")
    }

    /// Puts an arena back that was taken with [`Ir::take_nested`].
    pub fn put_nested(&mut self, op: Op, nested: Box<Ir>) {
        self.nested.insert(op, nested);
    }

    /// Appends a result to an operation.
    pub fn append_result(&mut self, op: Op, ty: Type) -> Value {
        self.touch();
        let index = self.results(op).len() as u32;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Result(op, index),
        });
        self.ops[op].results.push(value, &mut self.value_pool);
        value
    }

    /// Removes result number `index`, which must be unused.
    pub fn remove_result(&mut self, op: Op, index: usize) {
        self.touch();
        debug_assert!(self.has_no_uses(self.result(op, index)));
        self.ops[op].results.remove(index, &mut self.value_pool);
        let results: SmallVec<[Value; 8]> = self.results(op).into();
        for (i, &result) in results.iter().enumerate().skip(index) {
            self.values[result].def = ValueDef::Result(op, i as u32);
        }
    }

    /// Appends an empty region to an operation.
    pub fn append_region(&mut self, op: Op) -> Region {
        self.touch();
        let region = self.regions.push(RegionData {
            owner: op,
            first: None.into(),
            last: None.into(),
        });
        self.ops[op].regions.push(region, &mut self.region_pool);
        region
    }

    /// Makes a region whose operation does not exist yet; until
    /// [`Ir::adopt_region`] it counts as one of the root.
    pub(crate) fn create_pending_region(&mut self) -> Region {
        self.regions.push(RegionData {
            owner: self.root,
            first: None.into(),
            last: None.into(),
        })
    }

    /// Appends a region made by [`Ir::create_pending_region`] to `op`.
    pub(crate) fn adopt_region(&mut self, op: Op, region: Region) {
        self.touch();
        self.regions[region].owner = op;
        self.ops[op].regions.push(region, &mut self.region_pool);
    }

    fn new_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            arguments: EntityList::new(),
            first: None.into(),
            last: None.into(),
            region: None.into(),
            prev: None.into(),
            next: None.into(),
            uses: SmallVec::new(),
        })
    }

    /// Makes a block without a region.
    pub fn create_detached_block(&mut self) -> Block {
        self.new_block()
    }

    /// Appends a new block with these arguments to a region.
    pub fn append_block(&mut self, region: Region, arguments: &[Type]) -> Block {
        let block = self.new_block();
        self.link_block(block, region, None);
        for &ty in arguments {
            self.append_block_arg(block, ty);
        }
        block
    }

    /// A new block right after `after`, in the same region.
    pub fn insert_block_after(&mut self, after: Block, arguments: &[Type]) -> Block {
        let region = self.region_of(after).expect("the neighbour is in a region");
        let block = self.new_block();
        self.link_block(block, region, self.next_block(after));
        for &ty in arguments {
            self.append_block_arg(block, ty);
        }
        block
    }

    /// Appends an argument to a block.
    pub fn append_block_arg(&mut self, block: Block, ty: Type) -> Value {
        self.touch();
        let index = self.block_args(block).len() as u32;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Argument(block, index),
        });
        self.blocks[block]
            .arguments
            .push(value, &mut self.value_pool);
        value
    }

    /// Inserts an argument at position `index`.
    pub fn insert_block_arg(&mut self, block: Block, index: usize, ty: Type) -> Value {
        self.touch();
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Argument(block, index as u32),
        });
        self.blocks[block]
            .arguments
            .insert(index, value, &mut self.value_pool);
        self.renumber_block_args(block, index + 1);
        value
    }

    /// Removes argument `index`, which must be unused. The branches to the
    /// block are the caller's to adjust.
    pub fn remove_block_arg(&mut self, block: Block, index: usize) {
        self.touch();
        debug_assert!(self.has_no_uses(self.block_args(block)[index]));
        self.blocks[block]
            .arguments
            .remove(index, &mut self.value_pool);
        self.renumber_block_args(block, index);
    }

    fn renumber_block_args(&mut self, block: Block, from: usize) {
        let arguments: SmallVec<[Value; 8]> = self.block_args(block).into();
        for (i, &argument) in arguments.iter().enumerate().skip(from) {
            self.values[argument].def = ValueDef::Argument(block, i as u32);
        }
    }

    /// Changes the type of a value.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        self.touch();
        self.values[value].ty = ty;
    }

    // Attributes and identity.

    /// Sets or replaces an attribute.
    pub fn set_attr(&mut self, op: Op, name: Name, attr: Attr) {
        let attrs = self.context.dict_with(self.attrs(op), name, Some(attr));
        self.set_attrs(op, attrs);
    }

    /// Removes an attribute; returns whether it was there.
    pub fn remove_attr(&mut self, op: Op, name: Name) -> bool {
        let had = self.has_attr(op, name);
        if had {
            let attrs = self.context.dict_with(self.attrs(op), name, None);
            self.set_attrs(op, attrs);
        }
        had
    }

    /// Replaces all attributes.
    pub fn set_attrs(&mut self, op: Op, attrs: Dict) {
        self.touch();
        match self.nested_mut(op) {
            Some(nested) => {
                let root = nested.root;
                nested.touch();
                nested.ops[root].attrs = attrs;
            }
            None => self.ops[op].attrs = attrs,
        }
    }

    /// Makes an operation another one, with the same operands, results and regions. Both own an arena, or neither.
    pub fn set_def(&mut self, op: Op, def: &'static OpDef) {
        self.touch();
        let owns = |def: &OpDef| def.traits.contains(Traits::OWNS_ARENA);
        debug_assert_eq!(owns(self.ops[op].def), owns(def));
        self.ops[op].def = def;
        if op != self.root
            && let Some(nested) = self.nested_mut(op)
        {
            nested.set_def(nested.root, def);
        }
    }

    /// Sets where a block argument comes from.
    pub fn set_arg_loc(&mut self, argument: Value, loc: Loc) {
        self.arg_locs.insert(argument, loc);
    }

    /// Replaces the location.
    pub fn set_loc(&mut self, op: Op, loc: Loc) {
        self.ops[op].loc = loc;
    }

    // Operands and uses.

    fn add_use(&mut self, value: Value, op: Op, index: usize) -> UsePosition {
        self.touch();
        let uses = &mut self.uses[value];
        uses.push(Use {
            op,
            index: index as u32,
        });
        UsePosition::new(uses.len() - 1)
    }

    /// Takes the use at operand `index` out of the list of its value; the
    /// last use of the list moves into the gap.
    fn drop_use(&mut self, op: Op, index: usize) {
        self.touch();
        let value = self.operands(op)[index];
        let position = self.ops[op].use_positions.as_slice(&self.use_position_pool)[index];
        let uses = &mut self.uses[value];
        uses.swap_remove(position.index());
        if let Some(&moved) = uses.get(position.index()) {
            let list = &mut self.ops[moved.op].use_positions;
            list.as_mut_slice(&mut self.use_position_pool)[moved.index as usize] = position;
        }
    }

    fn link_operands(&mut self, op: Op, operands: &[Value]) {
        let start = self.operands(op).len();
        for (i, &value) in operands.iter().enumerate() {
            let position = self.add_use(value, op, start + i);
            self.ops[op].operands.push(value, &mut self.value_pool);
            self.ops[op]
                .use_positions
                .push(position, &mut self.use_position_pool);
        }
    }

    /// Replaces operand `index`.
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        if self.operands(op)[index] == value {
            return;
        }
        self.drop_use(op, index);
        let position = self.add_use(value, op, index);
        self.ops[op].operands.as_mut_slice(&mut self.value_pool)[index] = value;
        self.ops[op]
            .use_positions
            .as_mut_slice(&mut self.use_position_pool)[index] = position;
    }

    /// Replaces all operands. Operand segments are the caller's to adjust.
    pub fn set_operands(&mut self, op: Op, operands: &[Value]) {
        for index in (0..self.operands(op).len()).rev() {
            self.drop_use(op, index);
        }
        self.ops[op].operands.clear(&mut self.value_pool);
        self.ops[op]
            .use_positions
            .clear(&mut self.use_position_pool);
        self.link_operands(op, operands);
    }

    /// Inserts operands at `index`. Operand segments are the caller's to adjust.
    pub fn insert_operands(&mut self, op: Op, index: usize, values: &[Value]) {
        if index == self.operands(op).len() {
            self.link_operands(op, values);
            return;
        }
        let mut operands: SmallVec<[Value; 8]> = self.operands(op).into();
        operands.insert_from_slice(index, values);
        self.set_operands(op, &operands);
    }

    /// Removes operand `index`. Operand segments are the caller's to adjust.
    pub fn remove_operand(&mut self, op: Op, index: usize) {
        let mut operands: SmallVec<[Value; 8]> = self.operands(op).into();
        operands.remove(index);
        self.set_operands(op, &operands);
    }

    /// Replaces the operands of one group of the row of `op` and keeps
    /// `operandSegmentSizes` true.
    pub fn set_operand_group(&mut self, op: Op, group: usize, values: &[Value]) {
        let range = self.operand_group_range(op, group);
        let mut operands: Vec<Value> = self.operands(op).to_vec();
        operands.splice(range, values.iter().copied());
        self.set_operands(op, &operands);
        if self.def(op).has_operand_segments() {
            let stored = self
                .attr(op, Name::OPERAND_SEGMENT_SIZES)
                .and_then(|attr| self.context.attr_i32_array(attr));
            let mut sizes: Vec<i32> = stored.into_iter().flatten().collect();
            sizes.resize(self.def(op).operands.len(), 0);
            sizes[group] = values.len() as i32;
            let attr = self.context.i32_array_attr(&sizes);
            self.set_attr(op, Name::OPERAND_SEGMENT_SIZES, attr);
        }
    }

    /// Appends values to one operand group of the row of `op`.
    pub fn append_to_operand_group(&mut self, op: Op, group: usize, values: &[Value]) {
        let mut all = self.operand_group(op, group).to_vec();
        all.extend_from_slice(values);
        self.set_operand_group(op, group, &all);
    }

    /// Makes every user of `from` use `to` instead.
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        if from == to {
            return;
        }
        while let Some(&Use { op, index }) = self.uses[from].last() {
            self.set_operand(op, index as usize, to);
        }
    }

    /// Makes the users of `from` that `accept` names use `to` instead.
    pub fn replace_uses_if(
        &mut self,
        from: Value,
        to: Value,
        mut accept: impl FnMut(&Ir, Use) -> bool,
    ) {
        let uses: SmallVec<[Use; 8]> = self.uses[from].iter().copied().collect();
        for u in uses {
            if accept(self, u) {
                self.set_operand(u.op, u.index as usize, to);
            }
        }
    }

    // Successors.

    /// Appends a successor to a terminator.
    pub fn append_successor(&mut self, op: Op, block: Block) {
        self.touch();
        let index = self.successors(op).len() as u32;
        self.ops[op].successors.push(block, &mut self.block_pool);
        self.blocks[block].uses.push(Use { op, index });
    }

    /// Replaces successor `index` of a terminator.
    pub fn set_successor(&mut self, op: Op, index: usize, block: Block) {
        self.touch();
        self.drop_block_use(op, index);
        self.ops[op].successors.as_mut_slice(&mut self.block_pool)[index] = block;
        self.blocks[block].uses.push(Use {
            op,
            index: index as u32,
        });
    }

    fn drop_block_use(&mut self, op: Op, index: usize) {
        self.touch();
        let block = self.successors(op)[index];
        let uses = &mut self.blocks[block].uses;
        // Searched from the back: terminators drop their last slots first.
        if let Some(at) = uses
            .iter()
            .rposition(|u| u.op == op && u.index as usize == index)
        {
            uses.remove(at);
        }
    }

    /// Removes all successors of a terminator.
    pub fn clear_successors(&mut self, op: Op) {
        for index in (0..self.successors(op).len()).rev() {
            self.drop_block_use(op, index);
        }
        self.ops[op].successors.clear(&mut self.block_pool);
    }

    // Linking operations.

    /// Gives `op`, which is linked, an order number between its neighbours.
    fn assign_order(&mut self, op: Op) {
        let [prev, next] = [self.ops[op].prev, self.ops[op].next].map(|neighbour| {
            neighbour
                .expand()
                .map(|neighbour| self.ops[neighbour].order)
        });
        let (before, next) = match (prev, next) {
            (Some(before), Some(next)) => (before, next),
            (before, None) => {
                self.ops[op].order = before.unwrap_or(0) + ORDER_STRIDE;
                return;
            }
            // Room without end on this side as well: constants are put here one after the other.
            (None, Some(next)) => {
                self.ops[op].order = next - ORDER_STRIDE;
                return;
            }
        };
        let gap = next - before;
        if gap >= 2 {
            self.ops[op].order = before + ORDER_STEP.min(gap / 2);
            return;
        }
        // No room: push the followers on until there is, as Cranelift does. Ever longer steps leave room behind the first
        // ones, so that many insertions at one place push few of them.
        let mut step = ORDER_STEP;
        let mut order = before + step;
        let mut current = Some(op);
        while let Some(op) = current {
            self.ops[op].order = order;
            current = self.ops[op].next.expand();
            step = (2 * step).min(ORDER_STRIDE);
            match current {
                Some(next) if self.ops[next].order > order => break,
                _ => order += step,
            }
        }
    }

    fn link_op(&mut self, op: Op, block: Block, next: Option<Op>) {
        self.touch();
        debug_assert!(self.block_of(op).is_none(), "{op} is linked already");
        let prev = match next {
            Some(next) => self.ops[next].prev.expand(),
            None => self.last_op(block),
        };
        let data = &mut self.ops[op];
        data.block = block.into();
        data.prev = prev.into();
        data.next = next.into();
        match prev {
            Some(prev) => self.ops[prev].next = op.into(),
            None => self.blocks[block].first = op.into(),
        }
        match next {
            Some(next) => self.ops[next].prev = op.into(),
            None => self.blocks[block].last = op.into(),
        }
        self.assign_order(op);
    }

    /// Puts a detached operation at the end of `block`.
    pub fn append_op(&mut self, block: Block, op: Op) {
        self.link_op(op, block, None);
    }

    /// Puts a detached operation at the beginning of `block`.
    pub fn prepend_op(&mut self, block: Block, op: Op) {
        self.link_op(op, block, self.first_op(block));
    }

    /// Puts a detached operation before `anchor`.
    pub fn insert_op_before(&mut self, anchor: Op, op: Op) {
        let block = self.block_of(anchor).expect("the anchor is in a block");
        self.link_op(op, block, Some(anchor));
    }

    /// Puts a detached operation after `anchor`.
    pub fn insert_op_after(&mut self, anchor: Op, op: Op) {
        let block = self.block_of(anchor).expect("the anchor is in a block");
        self.link_op(op, block, self.next_op(anchor));
    }

    /// Takes an operation out of its block and keeps it.
    pub fn detach_op(&mut self, op: Op) {
        self.touch();
        let Some(block) = self.block_of(op) else {
            return;
        };
        let (prev, next) = (self.ops[op].prev, self.ops[op].next);
        match prev.expand() {
            Some(prev) => self.ops[prev].next = next,
            None => self.blocks[block].first = next,
        }
        match next.expand() {
            Some(next) => self.ops[next].prev = prev,
            None => self.blocks[block].last = prev,
        }
        let data = &mut self.ops[op];
        data.block = None.into();
        data.prev = None.into();
        data.next = None.into();
    }

    /// Moves an operation before `anchor`.
    pub fn move_op_before(&mut self, op: Op, anchor: Op) {
        if op != anchor {
            self.detach_op(op);
            self.insert_op_before(anchor, op);
        }
    }

    /// Moves an operation after `anchor`.
    pub fn move_op_after(&mut self, op: Op, anchor: Op) {
        if op != anchor {
            self.detach_op(op);
            self.insert_op_after(anchor, op);
        }
    }

    /// Moves an operation to the end of `block`.
    pub fn move_op_to_end(&mut self, op: Op, block: Block) {
        self.detach_op(op);
        self.append_op(block, op);
    }

    // Linking blocks.

    fn link_block(&mut self, block: Block, region: Region, next: Option<Block>) {
        self.touch();
        let prev = match next {
            Some(next) => self.blocks[next].prev.expand(),
            None => self.last_block(region),
        };
        let data = &mut self.blocks[block];
        data.region = region.into();
        data.prev = prev.into();
        data.next = next.into();
        match prev {
            Some(prev) => self.blocks[prev].next = block.into(),
            None => self.regions[region].first = block.into(),
        }
        match next {
            Some(next) => self.blocks[next].prev = block.into(),
            None => self.regions[region].last = block.into(),
        }
    }

    fn unlink_block(&mut self, block: Block) {
        self.touch();
        let Some(region) = self.region_of(block) else {
            return;
        };
        let (prev, next) = (self.blocks[block].prev, self.blocks[block].next);
        match prev.expand() {
            Some(prev) => self.blocks[prev].next = next,
            None => self.regions[region].first = next,
        }
        match next.expand() {
            Some(next) => self.blocks[next].prev = prev,
            None => self.regions[region].last = prev,
        }
        let data = &mut self.blocks[block];
        data.region = None.into();
        data.prev = None.into();
        data.next = None.into();
    }

    /// Moves a (possibly detached) block to the end of `region`.
    pub fn move_block_to_end(&mut self, block: Block, region: Region) {
        self.unlink_block(block);
        self.link_block(block, region, None);
    }

    /// Moves a (possibly detached) block before `next`.
    pub fn move_block_before(&mut self, block: Block, next: Block) {
        let region = self.region_of(next).expect("the neighbour is in a region");
        self.unlink_block(block);
        self.link_block(block, region, Some(next));
    }

    /// Moves all blocks of `from` to the end of `to`.
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        while let Some(block) = self.entry_block(from) {
            self.move_block_to_end(block, to);
        }
    }

    /// Moves all blocks of `from` before `next`, in order.
    pub fn move_blocks_before(&mut self, from: Region, next: Block) {
        while let Some(block) = self.entry_block(from) {
            self.move_block_before(block, next);
        }
    }

    /// Splits the block of `op` before it: `op` and all that follows move to a
    /// new block after the old one, which is returned. Both halves lack what
    /// the other has; the caller terminates the first.
    pub fn split_block(&mut self, op: Op) -> Block {
        let block = self.block_of(op).expect("the operation is in a block");
        let rest = self.insert_block_after(block, &[]);
        let mut current = Some(op);
        while let Some(op) = current {
            current = self.next_op(op);
            self.move_op_to_end(op, rest);
        }
        rest
    }

    /// Moves all operations of `from` before `anchor`.
    pub fn move_block_contents_before(&mut self, from: Block, anchor: Op) {
        while let Some(op) = self.first_op(from) {
            self.move_op_before(op, anchor);
        }
    }

    /// Moves all operations of `from` to the end of `to`.
    pub fn move_block_contents_to_end(&mut self, from: Block, to: Block) {
        while let Some(op) = self.first_op(from) {
            self.move_op_to_end(op, to);
        }
    }

    // Erasing.

    /// Erases an operation with all its regions. Its results must be unused.
    pub fn erase_op(&mut self, op: Op) {
        debug_assert!(self.is_unused(op), "erasing {op}, which is used");
        self.drop_all_references(op);
        self.detach_op(op);
        self.mark_erased(op);
    }

    /// Drops every operand and successor of `op` and of all inside of it, so that uses within
    /// erased operations do not matter.
    fn drop_all_references(&mut self, op: Op) {
        for index in (0..self.operands(op).len()).rev() {
            self.drop_use(op, index);
        }
        self.ops[op].operands.clear(&mut self.value_pool);
        self.ops[op]
            .use_positions
            .clear(&mut self.use_position_pool);
        self.clear_successors(op);
        let regions: SmallVec<[Region; 2]> = self.regions(op).into();
        for region in regions {
            let mut block = self.entry_block(region);
            while let Some(current) = block {
                self.drop_block_references(current);
                block = self.next_block(current);
            }
        }
    }

    fn drop_block_references(&mut self, block: Block) {
        let mut op = self.first_op(block);
        while let Some(current) = op {
            self.drop_all_references(current);
            op = self.next_op(current);
        }
    }

    fn mark_erased(&mut self, op: Op) {
        let regions: SmallVec<[Region; 2]> = self.regions(op).into();
        for region in regions {
            let mut block = self.entry_block(region);
            while let Some(current) = block {
                let mut inner = self.first_op(current);
                while let Some(inner_op) = inner {
                    inner = self.next_op(inner_op);
                    self.mark_erased(inner_op);
                }
                block = self.next_block(current);
            }
        }
        self.nested.remove(&op);
        self.ops[op].erased = true;
    }

    /// Erases a block with all its operations. Nothing outside of it may use
    /// their results, its arguments or branch to it.
    pub fn erase_block(&mut self, block: Block) {
        self.erase_blocks(&[block]);
    }

    /// Erases several blocks that may refer to each other.
    pub fn erase_blocks(&mut self, blocks: &[Block]) {
        for &block in blocks {
            self.drop_block_references(block);
        }
        for &block in blocks {
            debug_assert!(
                self.blocks[block].uses.is_empty(),
                "a branch goes to erased {block}"
            );
            while let Some(op) = self.last_op(block) {
                self.detach_op(op);
                self.mark_erased(op);
            }
            self.unlink_block(block);
        }
    }

    /// Replaces every result of `op` by the corresponding value and erases it.
    pub fn replace_op(&mut self, op: Op, values: &[Value]) {
        debug_assert_eq!(self.results(op).len(), values.len());
        for (i, &value) in values.iter().enumerate() {
            self.replace_all_uses(self.result(op, i), value);
        }
        self.erase_op(op);
    }
}
