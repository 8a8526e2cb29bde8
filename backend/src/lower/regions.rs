//! Alias regions: Cranelift is told which accesses go to memory of their own, so that it need not
//! load again what a store to other memory cannot have changed.
//!
//! An allocation has a region of its own if all that ever happens to it and to views of it are loads
//! and stores of elements and vectors, and its end: then no other address leads there. All other
//! memory is in no region.

use cranelift_codegen::ir::{AliasRegion, AliasRegionData};
use freehold_frontend::dialects::{memref, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};

use super::function::Lowering;

/// Regions per function; Cranelift numbers combinations of flags in 16 bits.
const MAX_REGIONS: usize = 1000;
/// Allocations with more uses are left without a region.
const MAX_USES: usize = 1000;

impl Lowering<'_, '_> {
    /// The region of the memory of `buffer`, if it has one of its own.
    pub(super) fn alias_region(&mut self, buffer: Value) -> Option<AliasRegion> {
        let alloc = allocation(self.ir, buffer)?;
        if let Some(&known) = self.alias_regions.get(&alloc) {
            return known;
        }
        let n = self.b.func.dfg.alias_regions.len();
        let region = (n < MAX_REGIONS && has_memory_of_its_own(self.ir, alloc)).then(|| {
            self.b.func.dfg.alias_regions.insert(AliasRegionData {
                user_id: n as u32,
                description: "allocation".into(),
            })
        });
        self.alias_regions.insert(alloc, region);
        region
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
            } else if !is_access && !is(&memref::DEALLOC) && !is(&memref::DIM) || n_uses > MAX_USES
            {
                return false;
            }
        }
    }
    true
}
