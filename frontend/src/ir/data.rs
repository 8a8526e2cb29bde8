//! The arena of one isolated operation, and every way to read it.
//!
//! An [`Ir`] belongs to one operation that is isolated from above and stands
//! for a symbol: a module or a function. That operation is its [`Ir::root`].
//! Such operations *inside* it appear as stubs: an `Op` of the outer arena
//! with the row and the position, and an inner `Ir` ([`Ir::nested`]) that holds
//! the attributes and regions. So two functions share nothing but the
//! [`Context`] and can be worked on by two threads.
//!
//! Fields are private to `ir/`; changes are in [`edit`](super::edit).

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityList, ListPool, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::attrs::{Attr, Dict};
use super::context::Context;
use super::entities::{Block, Op, Region, Use, UsePosition, Value, ValueDef};
use super::location::Loc;
use super::names::Name;
use super::types::Type;
use crate::ir::op_def::{Count, OpDef, Traits, ValueSpec};

pub(super) struct OpData {
    pub(super) def: &'static OpDef,
    pub(super) operands: EntityList<Value>,
    pub(super) use_positions: EntityList<UsePosition>,
    pub(super) results: EntityList<Value>,
    pub(super) regions: EntityList<Region>,
    pub(super) successors: EntityList<Block>,
    pub(super) attrs: Dict,
    pub(super) loc: Loc,
    /// The full name of an unregistered operation.
    pub(super) unregistered_name: Name,
    pub(super) block: PackedOption<Block>,
    pub(super) prev: PackedOption<Op>,
    pub(super) next: PackedOption<Op>,
    /// Grows along the block; see `edit::assign_order`.
    pub(super) order: i64,
    pub(super) erased: bool,
}

pub(super) struct BlockData {
    pub(super) arguments: EntityList<Value>,
    pub(super) first: PackedOption<Op>,
    pub(super) last: PackedOption<Op>,
    pub(super) region: PackedOption<Region>,
    pub(super) prev: PackedOption<Block>,
    pub(super) next: PackedOption<Block>,
    /// Terminators that name this block, once per successor slot.
    pub(super) uses: SmallVec<[Use; 2]>,
}

pub(super) struct RegionData {
    pub(super) owner: Op,
    pub(super) first: PackedOption<Block>,
    pub(super) last: PackedOption<Block>,
}

#[derive(Clone, Copy)]
pub(super) struct ValueData {
    pub(super) ty: Type,
    pub(super) def: ValueDef,
}

/// The arena of one isolated operation. See the module doc.
pub struct Ir {
    pub(super) context: Arc<Context>,
    pub(super) root: Op,
    pub(super) ops: PrimaryMap<Op, OpData>,
    pub(super) blocks: PrimaryMap<Block, BlockData>,
    pub(super) regions: PrimaryMap<Region, RegionData>,
    pub(super) values: PrimaryMap<Value, ValueData>,
    pub(super) uses: SecondaryMap<Value, SmallVec<[Use; 2]>>,
    pub(super) nested: FxHashMap<Op, Box<Ir>>,
    /// Where block arguments come from, as far as it is known.
    pub(super) arg_locs: FxHashMap<Value, Loc>,
    pub(super) value_pool: ListPool<Value>,
    pub(super) use_position_pool: ListPool<UsePosition>,
    pub(super) region_pool: ListPool<Region>,
    pub(super) block_pool: ListPool<Block>,
    /// Whether the arena was verified and has not changed since.
    pub(super) verified: AtomicBool,
}

impl Ir {
    /// Whether [`Ir::mark_verified`] was called and nothing changed since.
    pub(crate) fn is_verified(&self) -> bool {
        self.verified.load(Ordering::Relaxed)
    }

    /// Remembers that the arena by itself is valid.
    pub(crate) fn mark_verified(&self) {
        self.verified.store(true, Ordering::Relaxed);
    }

    /// The shared context.
    #[inline]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The cap of an analysis, a number of things that it looks at before it gives up, or a lower one: see
    /// [`Context::cap_analyses`].
    pub fn capped<N: TryFrom<u64> + Ord>(&self, cap: N) -> N {
        match N::try_from(self.context.largest_cap()) {
            Ok(largest) => cap.min(largest),
            Err(_) => cap,
        }
    }

    /// The isolated operation that owns this arena.
    #[inline]
    pub fn root(&self) -> Op {
        self.root
    }

    /// The body block of the root operation, if it has one: the block of a
    /// module, the entry block of a function with a body.
    #[inline]
    pub fn root_block(&self) -> Option<Block> {
        self.regions(self.root)
            .first()
            .and_then(|&region| self.entry_block(region))
    }

    /// An upper bound of all ids handed out, for dense side tables.
    pub fn n_ops(&self) -> usize {
        self.ops.len()
    }

    /// Number of value ids handed out, dead ones included.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Number of block ids handed out, dead ones included.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    #[inline]
    pub(super) fn op(&self, op: Op) -> &OpData {
        let data = &self.ops[op];
        debug_assert!(!data.erased, "{op} is erased");
        data
    }

    // Operations.

    /// What an error about an operation that is not compiled ends with: nothing, or what makes operations that
    /// are of those of its dialect.
    pub fn advice(&self, op: Op) -> String {
        let dialect = self.context().dialect(self.def(op).dialect());
        let advice = dialect.and_then(|dialect| dialect.advice);
        advice.map_or(String::new(), |advice| format!(": {advice}"))
    }

    /// The row that describes `op`.
    #[inline]
    pub fn def(&self, op: Op) -> &'static OpDef {
        self.op(op).def
    }

    /// Whether `op` is described by this very row.
    #[inline]
    pub fn is(&self, op: Op, def: &'static OpDef) -> bool {
        std::ptr::eq(self.op(op).def, def)
    }

    /// The full name, `dialect.mnemonic`.
    pub fn op_name(&self, op: Op) -> &str {
        let data = self.op(op);
        if data.def.is_unregistered() {
            self.context.name(data.unregistered_name)
        } else {
            data.def.name
        }
    }

    /// Whether the row of `op` has all of these traits.
    #[inline]
    pub fn has_trait(&self, op: Op, traits: Traits) -> bool {
        self.op(op).def.traits.contains(traits)
    }

    /// Where `op` comes from.
    #[inline]
    pub fn loc(&self, op: Op) -> Loc {
        self.op(op).loc
    }

    /// Whether `op` was erased; then nothing else may be asked about it.
    #[inline]
    pub fn is_erased(&self, op: Op) -> bool {
        self.ops[op].erased
    }

    /// The operands.
    #[inline]
    pub fn operands(&self, op: Op) -> &[Value] {
        self.op(op).operands.as_slice(&self.value_pool)
    }

    /// Operand number `index`.
    ///
    /// # Panics
    /// If there are fewer operands; verified operations have those of their row.
    #[inline]
    pub fn operand(&self, op: Op, index: usize) -> Value {
        self.operands(op)[index]
    }

    /// The results.
    #[inline]
    pub fn results(&self, op: Op) -> &[Value] {
        self.op(op).results.as_slice(&self.value_pool)
    }

    /// Result number `index`.
    ///
    /// # Panics
    /// If there are fewer results.
    #[inline]
    pub fn result(&self, op: Op, index: usize) -> Value {
        self.results(op)[index]
    }

    /// The regions. A stub has none: its regions are those of the root of
    /// [`Ir::nested`].
    #[inline]
    pub fn regions(&self, op: Op) -> &[Region] {
        self.op(op).regions.as_slice(&self.region_pool)
    }

    /// Region number `index`.
    ///
    /// # Panics
    /// If there are fewer regions.
    #[inline]
    pub fn region(&self, op: Op, index: usize) -> Region {
        self.regions(op)[index]
    }

    /// The successor blocks of a terminator.
    #[inline]
    pub fn successors(&self, op: Op) -> &[Block] {
        self.op(op).successors.as_slice(&self.block_pool)
    }

    /// All attributes, inherent ones included. For a stub those of the root
    /// of its arena.
    #[inline]
    pub fn attrs(&self, op: Op) -> Dict {
        match self.nested(op) {
            Some(nested) => nested.op(nested.root).attrs,
            None => self.op(op).attrs,
        }
    }

    /// The attribute called `name`.
    #[inline]
    pub fn attr(&self, op: Op, name: Name) -> Option<Attr> {
        self.context.dict_get(self.attrs(op), name)
    }

    /// Whether the attribute `name` is present.
    #[inline]
    pub fn has_attr(&self, op: Op, name: Name) -> bool {
        self.attr(op, name).is_some()
    }

    /// The arena of a module or function inside this one, if `op` is its stub.
    #[inline]
    pub fn nested(&self, op: Op) -> Option<&Ir> {
        if !self.has_trait(op, Traits::OWNS_ARENA) {
            return None;
        }
        self.nested.get(&op).map(|nested| &**nested)
    }

    /// [`Ir::nested`], to change it.
    pub fn nested_mut(&mut self, op: Op) -> Option<&mut Ir> {
        self.nested.get_mut(&op).map(|nested| &mut **nested)
    }

    /// The operands of group `group` of the row of `op`, as indices.
    ///
    /// A verified operation has consistent segments; for others the range is
    /// clamped to the operands there are.
    pub fn operand_group_range(&self, op: Op, group: usize) -> Range<usize> {
        let def = self.def(op);
        let n_operands = self.operands(op).len();
        // With single operands around a group its place follows from their number.
        let is_single = |spec: &ValueSpec| spec.count == Count::One;
        if let Some((before, [spec, after @ ..])) = def.operands.split_at_checked(group)
            && before.iter().all(is_single)
        {
            if is_single(spec) && group < n_operands {
                return group..group + 1;
            }
            if after.iter().all(is_single) && group + after.len() <= n_operands {
                return group..n_operands - after.len();
            }
        }
        let clamp = |range: Range<usize>| {
            let start = range.start.min(n_operands);
            start..range.end.clamp(start, n_operands)
        };
        if def.has_operand_segments() {
            let sizes = self
                .attr(op, Name::OPERAND_SEGMENT_SIZES)
                .and_then(|attr| self.context.attr_i32_array(attr));
            let mut sizes = sizes.into_iter().flatten().map(|size| size.max(0) as usize);
            let start = sizes.by_ref().take(group).sum::<usize>();
            return clamp(start..start.saturating_add(sizes.next().unwrap_or(0)));
        }
        clamp(def.group_range_without_segments(group, n_operands))
    }

    /// The operands of group `group` of the row of `op`.
    pub fn operand_group(&self, op: Op, group: usize) -> &[Value] {
        &self.operands(op)[self.operand_group_range(op, group)]
    }

    // Position.

    /// The block that holds `op`; `None` for the root and detached operations.
    #[inline]
    pub fn block_of(&self, op: Op) -> Option<Block> {
        self.op(op).block.expand()
    }

    /// The next operation of the block.
    #[inline]
    pub fn next_op(&self, op: Op) -> Option<Op> {
        self.op(op).next.expand()
    }

    /// The previous operation of the block.
    #[inline]
    pub fn prev_op(&self, op: Op) -> Option<Op> {
        self.op(op).prev.expand()
    }

    /// The operation whose region holds `op`.
    #[inline]
    pub fn parent_op(&self, op: Op) -> Option<Op> {
        self.block_of(op)
            .and_then(|block| self.block_parent_op(block))
    }

    /// The region that holds `op`.
    #[inline]
    pub fn parent_region(&self, op: Op) -> Option<Region> {
        self.block_of(op).and_then(|block| self.region_of(block))
    }

    /// Whether `a` comes before `b`, both in one block. Constant time.
    #[inline]
    pub fn is_before_in_block(&self, a: Op, b: Op) -> bool {
        debug_assert_eq!(self.block_of(a), self.block_of(b));
        self.op(a).order < self.op(b).order
    }

    /// Whether `ancestor` is `op` or one of the operations around it.
    pub fn is_ancestor(&self, ancestor: Op, op: Op) -> bool {
        let mut current = Some(op);
        while let Some(op) = current {
            if op == ancestor {
                return true;
            }
            current = self.parent_op(op);
        }
        false
    }

    /// The operation of `block` that is `op` or holds it.
    pub fn ancestor_in_block(&self, op: Op, block: Block) -> Option<Op> {
        let mut current = op;
        loop {
            let at = self.block_of(current)?;
            if at == block {
                return Some(current);
            }
            current = self.block_parent_op(at)?;
        }
    }

    /// The block of `region` that is `block` or holds it.
    pub fn ancestor_block_in_region(&self, block: Block, region: Region) -> Option<Block> {
        let mut current = block;
        loop {
            if self.region_of(current)? == region {
                return Some(current);
            }
            current = self.block_of(self.block_parent_op(current)?)?;
        }
    }

    // Blocks and regions.

    /// The arguments of a block.
    #[inline]
    pub fn block_args(&self, block: Block) -> &[Value] {
        self.blocks[block].arguments.as_slice(&self.value_pool)
    }

    /// The first operation of a block.
    #[inline]
    pub fn first_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].first.expand()
    }

    /// The last operation of a block.
    #[inline]
    pub fn last_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].last.expand()
    }

    /// The last operation, if it is a terminator (or may be one, being unregistered).
    pub fn terminator(&self, block: Block) -> Option<Op> {
        self.last_op(block)
            .filter(|&op| self.has_trait(op, Traits::TERMINATOR) || self.def(op).is_unregistered())
    }

    /// The region that holds `block`.
    #[inline]
    pub fn region_of(&self, block: Block) -> Option<Region> {
        self.blocks[block].region.expand()
    }

    /// The operation whose region holds `block`.
    #[inline]
    pub fn block_parent_op(&self, block: Block) -> Option<Op> {
        self.region_of(block)
            .map(|region| self.region_owner(region))
    }

    /// The next block of the region.
    #[inline]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].next.expand()
    }

    /// The previous block of the region.
    #[inline]
    pub fn prev_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].prev.expand()
    }

    /// The operation a region belongs to.
    #[inline]
    pub fn region_owner(&self, region: Region) -> Op {
        self.regions[region].owner
    }

    /// The first block of a region.
    pub fn entry_block(&self, region: Region) -> Option<Block> {
        self.regions[region].first.expand()
    }

    /// The last block of a region.
    pub fn last_block(&self, region: Region) -> Option<Block> {
        self.regions[region].last.expand()
    }

    /// Whether `block` is the first of its region.
    pub fn is_entry_block(&self, block: Block) -> bool {
        self.prev_block(block).is_none()
    }

    /// The block of a region that has exactly one.
    pub fn single_block(&self, region: Region) -> Option<Block> {
        let block = self.entry_block(region)?;
        self.next_block(block).is_none().then_some(block)
    }

    /// The successor slots that name `block`: terminator and slot number.
    pub fn block_uses(&self, block: Block) -> &[Use] {
        &self.blocks[block].uses
    }

    /// The blocks that branch to `block`; one that does so twice comes twice.
    pub fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.blocks[block]
            .uses
            .iter()
            .filter_map(|u| self.block_of(u.op))
    }

    /// The blocks that the terminator of `block` names.
    pub fn block_successors(&self, block: Block) -> &[Block] {
        match self.last_op(block) {
            Some(op) => self.successors(op),
            None => &[],
        }
    }

    // Values.

    /// The type of a value.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// What defines a value.
    #[inline]
    pub fn value_def(&self, value: Value) -> ValueDef {
        self.values[value].def
    }

    /// The operation that defines `value`; `None` for block arguments.
    #[inline]
    pub fn defining_op(&self, value: Value) -> Option<Op> {
        match self.value_def(value) {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(..) => None,
        }
    }

    /// The operation that defines `value`, if it is described by `def`.
    #[inline]
    pub fn defined_by(&self, value: Value, def: &'static OpDef) -> Option<Op> {
        self.defining_op(value).filter(|&op| self.is(op, def))
    }

    /// The block in which `value` becomes available.
    #[inline]
    pub fn value_block(&self, value: Value) -> Option<Block> {
        match self.value_def(value) {
            ValueDef::Result(op, _) => self.block_of(op),
            ValueDef::Argument(block, _) => Some(block),
        }
    }

    /// Where the definition of `value` comes from.
    pub fn value_loc(&self, value: Value) -> Loc {
        match self.value_def(value) {
            ValueDef::Result(op, _) => self.loc(op),
            ValueDef::Argument(block, _) => match self.arg_locs.get(&value) {
                Some(&loc) => loc,
                None => self
                    .block_parent_op(block)
                    .map_or(Loc::UNKNOWN, |op| self.loc(op)),
            },
        }
    }

    /// All uses of a value, in no particular but a reproducible order.
    #[inline]
    pub fn uses(&self, value: Value) -> &[Use] {
        &self.uses[value]
    }

    /// Whether nothing uses `value`.
    pub fn has_no_uses(&self, value: Value) -> bool {
        self.uses[value].is_empty()
    }

    /// Whether exactly one operand is `value`.
    pub fn has_one_use(&self, value: Value) -> bool {
        self.uses[value].len() == 1
    }

    /// Whether no result of `op` is used.
    #[inline]
    pub fn is_unused(&self, op: Op) -> bool {
        self.results(op)
            .iter()
            .all(|&result| self.has_no_uses(result))
    }

    /// Whether `value` is a ranked or unranked memref.
    pub fn is_memref(&self, value: Value) -> bool {
        self.context.is_memref(self.value_type(value))
    }
}
