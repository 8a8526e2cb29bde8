//! Alias regions: Cranelift is told which accesses go to memory of their own, so that it need not
//! load again what a store to other memory cannot have changed.
//!
//! An allocation has a region of its own if all that ever happens to it and to views of it are loads
//! and stores of elements and vectors, and its end: then no other address leads there. All other
//! memory is one region ([`complete`]).
//!
//! No access is without a region. Cranelift (0.135.0 to 0.137.1 at least) forgets that calls and loads read data stored
//! without one: `docs/upstream/cranelift-dead-store.md`. What it does with regions is right. A store is removed if
//! nothing but its overwriter is its observer, if it is the last store to the region on every way to the overwriter,
//! and if every way out goes through that. A store to the region, a load of it and whatever may access all memory (a
//! call, a return) are observers of the store that is last there, and so is every point where ways with different last
//! stores meet. If the store is executed again before its overwriter is, control goes around a loop to where it came in
//! with another last store, or past an observer; so all executions are accounted for, and between the store and its
//! overwriter the address is the same.

use cranelift_codegen::ir::{AliasRegion, AliasRegionData, Function, MemFlags};
use freehold_frontend::dialects::{memref, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use rustc_hash::FxHashMap;

use super::function::Lowering;

/// Regions per function; Cranelift numbers combinations of flags in 16 bits, and each region comes with a
/// handful of others.
const MAX_REGIONS: usize = 1000;
/// Allocations with more uses are left without a region, so that views of views cost no more than linear
/// time per allocation.
const MAX_USES: usize = 1000;

impl Lowering<'_, '_> {
    /// The region of the memory of `buffer`, if it has one of its own.
    pub(super) fn alias_region(&mut self, buffer: Value) -> Option<AliasRegion> {
        let alloc = allocation(self.ir, buffer)?;
        if let Some(&known) = self.alias_regions.get(&alloc) {
            return known;
        }
        let n = self.b.func.dfg.alias_regions.len();
        let region = (n < self.ir.capped(MAX_REGIONS) && has_memory_of_its_own(self.ir, alloc))
            .then(|| {
                self.b.func.dfg.alias_regions.insert(AliasRegionData {
                    user_id: n as u32,
                    description: "allocation".into(),
                })
            });
        self.alias_regions.insert(alloc, region);
        region
    }
}

/// Puts all accesses that are in no region into one.
pub(crate) fn complete(func: &mut Function) {
    let region = func.dfg.alias_regions.insert(AliasRegionData {
        user_id: MAX_REGIONS as u32,
        description: "other memory".into(),
    });
    let mut completed: FxHashMap<MemFlags, MemFlags> = FxHashMap::default();
    let blocks: Vec<_> = func.layout.blocks().collect();
    for block in blocks {
        let mut next = func.layout.first_inst(block);
        while let Some(inst) = next {
            next = func.layout.next_inst(inst);
            let data = &func.dfg.insts[inst];
            let opcode = data.opcode();
            let Some(flags) = data.memflags() else {
                continue;
            };
            let known = func.dfg.mem_flags[flags];
            // Bit casts have flags too.
            if !(opcode.can_load() || opcode.can_store()) || known.alias_region().is_some() {
                continue;
            }
            let flags = *completed.entry(flags).or_insert_with(|| {
                let data = known.with_alias_region(Some(region));
                func.dfg.mem_flags.insert_unchecked(data)
            });
            if let Some(place) = func.dfg.insts[inst].memflags_mut() {
                *place = flags;
            }
        }
    }
}

/// The allocation that `buffer` is, or is a view of.
fn allocation(ir: &Ir, mut buffer: Value) -> Option<Op> {
    loop {
        let op = ir.defining_op(buffer)?;
        if ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA) {
            return Some(op);
        }
        buffer = ir.def(op).view_source?(ir, op);
    }
}

fn has_memory_of_its_own(ir: &Ir, alloc: Op) -> bool {
    let mut views = vec![ir.result(alloc, 0)];
    let mut n_uses = 0;
    while let Some(view) = views.pop() {
        for u in ir.uses(view) {
            n_uses += 1;
            let is = |def| ir.is(u.op, def);
            let is_access = (is(&memref::LOAD) || is(&vector::LOAD)) && u.index == 0
                || (is(&memref::STORE) || is(&vector::STORE)) && u.index == 1;
            let is_view = (ir.def(u.op).view_source).is_some_and(|source| source(ir, u.op) == view)
                && ir.results(u.op).iter().all(|&result| ir.is_memref(result));
            if is_view {
                views.extend(ir.results(u.op));
            } else if !is_access && !is(&memref::DEALLOC) && !is(&memref::DIM)
                || n_uses > ir.capped(MAX_USES)
            {
                return false;
            }
        }
    }
    true
}
