//! Copies of operations, regions and whole arenas.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::attrs::Dict;
use super::data::{BlockData, Ir, OpData, RegionData};
use super::dominance::DominatorTree;
use super::edit::OpSpec;
use super::entities::{Block, Op, Region, Value};
use super::types::Type;

impl Ir {
    /// A detached copy of `op` and all inside of it. Operands and successors
    /// found in `map` are replaced; `map` learns the results and everything
    /// defined inside.
    pub fn clone_op(&mut self, op: Op, map: &mut IrMap) -> Op {
        if let Some(nested) = self.nested(op) {
            let copy = nested.deep_clone();
            return self.create_nested(copy);
        }
        let (spec, attrs) = self.copied_spec(op, map);
        let copy = self.create_op(spec);
        self.ops[copy].attrs = attrs;
        for i in 0..self.results(op).len() {
            map.values.insert(self.result(op, i), self.result(copy, i));
        }
        for i in 0..self.regions(op).len() {
            self.clone_region_into(self.region(op, i), self.region(copy, i), map);
        }
        copy
    }

    /// What describes a copy of `op`, with what `map` has in place of operands and successors.
    fn copied_spec(&self, op: Op, map: &IrMap) -> (OpSpec, Dict) {
        let data = self.op(op);
        let spec = OpSpec {
            def: data.def,
            unregistered_name: data.unregistered_name,
            loc: data.loc,
            operands: self.operands(op).iter().map(|&v| map.value(v)).collect(),
            results: self
                .results(op)
                .iter()
                .map(|&v| self.value_type(v))
                .collect(),
            attrs: Vec::new(),
            successors: self.successors(op).iter().map(|&b| map.block(b)).collect(),
            n_regions: self.regions(op).len(),
        };
        (spec, data.attrs)
    }

    /// A detached copy of an operation of another arena of the same context. `map` must map values
    /// defined outside of it; it learns those defined inside.
    pub fn import_op(&mut self, from: &Ir, op: Op, map: &mut IrMap) -> Op {
        debug_assert!(Arc::ptr_eq(&self.context, &from.context));
        if let Some(nested) = from.nested(op) {
            let copy = nested.deep_clone();
            return self.create_nested(copy);
        }
        let (spec, attrs) = from.copied_spec(op, map);
        let copy = self.create_op(spec);
        self.ops[copy].attrs = attrs;
        for i in 0..from.results(op).len() {
            map.values.insert(from.result(op, i), self.result(copy, i));
        }
        for i in 0..from.regions(op).len() {
            self.import_region(from, from.region(op, i), self.region(copy, i), map);
        }
        copy
    }

    /// Appends copies of the blocks of `region`, which is in another arena of the same context, to
    /// `to`, definitions before uses. Blocks that cannot be reached are left out.
    pub fn import_region(&mut self, from: &Ir, region: Region, to: Region, map: &mut IrMap) {
        let blocks: SmallVec<[Block; 4]> = match from.single_block(region) {
            Some(block) => smallvec![block],
            None => SmallVec::from_slice(DominatorTree::new(from, region).reverse_postorder()),
        };
        for &block in &blocks {
            let arguments = from.block_args(block).iter();
            let types: SmallVec<[Type; 4]> = arguments.map(|&v| from.value_type(v)).collect();
            let copy = self.append_block(to, &types);
            map.blocks.insert(block, copy);
            for (j, &argument) in from.block_args(block).iter().enumerate() {
                map.values.insert(argument, self.block_args(copy)[j]);
            }
        }
        for &block in &blocks {
            for op in from.ops_in(block) {
                let copy = self.import_op(from, op, map);
                self.append_op(map.block(block), copy);
            }
        }
    }

    /// Appends copies of all blocks of `from` to `to`.
    pub fn clone_region_into(&mut self, from: Region, to: Region, map: &mut IrMap) {
        let blocks: SmallVec<[Block; 4]> = self.blocks_in(from).collect();
        for &block in &blocks {
            let types: SmallVec<[Type; 4]> = self
                .block_args(block)
                .iter()
                .map(|&v| self.value_type(v))
                .collect();
            let copy = self.append_block(to, &types);
            map.blocks.insert(block, copy);
            for i in 0..types.len() {
                map.values
                    .insert(self.block_args(block)[i], self.block_args(copy)[i]);
            }
        }
        let mut copies = Vec::new();
        for &block in &blocks {
            let mut current = self.first_op(block);
            while let Some(op) = current {
                let copy = self.clone_op(op, map);
                self.append_op(map.block(block), copy);
                copies.push((op, copy));
                current = self.next_op(op);
            }
        }
        // Uses may come before definitions in block order: map them now, from the original, as what a value is mapped to may
        // be mapped to something else itself.
        for (op, copy) in copies {
            for i in 0..self.operands(copy).len() {
                let mapped = map.value(self.operand(op, i));
                self.set_operand(copy, i, mapped);
            }
        }
    }

    /// A copy of the whole arena, with the same ids.
    pub fn deep_clone(&self) -> Ir {
        let mut ir = Ir {
            context: Arc::clone(&self.context),
            root: self.root,
            ops: PrimaryMap::with_capacity(self.ops.len()),
            blocks: PrimaryMap::with_capacity(self.blocks.len()),
            regions: PrimaryMap::with_capacity(self.regions.len()),
            values: self.values.clone(),
            uses: self.uses.clone(),
            nested: FxHashMap::default(),
            arg_locs: self.arg_locs.clone(),
            value_pool: self.value_pool.clone(),
            use_position_pool: self.use_position_pool.clone(),
            region_pool: self.region_pool.clone(),
            block_pool: self.block_pool.clone(),
            verified: AtomicBool::new(self.is_verified()),
        };
        for (op, data) in self.ops.iter() {
            // The pools are copied as they are, so list handles stay valid.
            ir.ops.push(OpData {
                def: data.def,
                operands: data.operands,
                use_positions: data.use_positions,
                results: data.results,
                regions: data.regions,
                successors: data.successors,
                attrs: data.attrs,
                loc: data.loc,
                unregistered_name: data.unregistered_name,
                block: data.block,
                prev: data.prev,
                next: data.next,
                order: data.order,
                erased: data.erased,
            });
            if let Some(nested) = self.nested.get(&op) {
                ir.nested.insert(op, Box::new(nested.deep_clone()));
            }
        }
        for data in self.blocks.values() {
            ir.blocks.push(BlockData {
                arguments: data.arguments,
                first: data.first,
                last: data.last,
                region: data.region,
                prev: data.prev,
                next: data.next,
                uses: data.uses.clone(),
            });
        }
        for data in self.regions.values() {
            ir.regions.push(RegionData {
                owner: data.owner,
                first: data.first,
                last: data.last,
            });
        }
        ir
    }
}

/// What values and blocks became in a copy.
#[derive(Default, Debug)]
pub struct IrMap {
    /// Old value to new value.
    pub values: FxHashMap<Value, Value>,
    /// Old block to new block.
    pub blocks: FxHashMap<Block, Block>,
}

impl IrMap {
    /// What `value` became; itself if it was not copied.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// What `block` became; itself if it was not copied.
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
}
