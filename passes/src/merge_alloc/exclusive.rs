//! Buffers of branches that exclude each other, and are used after them: of those, one is there.
//!
//! ```mlir
//! %r = scf.if %c -> memref<4xf32> {
//!   %a = memref.alloc() : memref<4xf32>
//!   scf.yield %a : memref<4xf32>
//! } else {
//!   %b = memref.alloc() : memref<4xf32>
//!   scf.yield %b : memref<4xf32>
//! }
//! "use"(%r) : (memref<4xf32>) -> ()
//! ```
//!
//! Both are live at the use, as far as ticks can tell. They may have the same bytes: their home has the
//! branch as an operation of its own, each run of the branch makes one of them, and what an earlier run
//! made cannot be accessed any more (only block arguments could have kept it, and
//! [`lifetime`](super::lifetime) does not let those pass where an operation may run again).

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Region};
use freehold_frontend::ir::interfaces::RegionPoint;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::stages::TracedBuffer;
use super::trace::Traced;

/// Pairs of buffers that may have the same bytes, among those that `is_free` to be in one. Of all buffers
/// that pairs lead to from one buffer, each is from another region of the same operation.
pub(super) fn find(
    ir: &Ir,
    members: &[(Traced, TracedBuffer)],
    is_free: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut branches: IndexMap<Op, Vec<Vec<usize>>, FxBuildHasher> = IndexMap::default();
    for (i, (found, _)) in members.iter().enumerate() {
        if is_free(i)
            && let Some((op, region)) = branch_in(ir, found.alloc, found.home)
        {
            let regions = branches.entry(op).or_default();
            regions.resize(ir.regions(op).len(), Vec::new());
            regions[region].push(i);
        }
    }
    let mut pairs = Vec::new();
    for mut regions in branches.into_values() {
        // Large ones with large ones.
        for buffers in &mut regions {
            buffers.sort_by_key(|&i| std::cmp::Reverse(members[i].1.bytes));
        }
        let most = regions.iter().map(Vec::len).max().unwrap_or(0);
        for rank in 0..most {
            let same: Vec<usize> = regions
                .iter()
                .filter_map(|buffers| buffers.get(rank).copied())
                .collect();
            pairs.extend(same.windows(2).map(|pair| (pair[0], pair[1])));
        }
    }
    pairs
}

/// The operation in the blocks of `home` that makes the buffer in one of its regions, and the number of
/// that, if it runs at most one of them.
fn branch_in(ir: &Ir, alloc: Op, home: Region) -> Option<(Op, usize)> {
    let mut region = ir.parent_region(alloc)?;
    let mut op = alloc;
    let mut inner = None;
    while region != home {
        inner = Some(region);
        op = ir.region_owner(region);
        region = ir.parent_region(op)?;
    }
    let number = ir.regions(op).iter().position(|&r| Some(r) == inner)?;
    let leaves = |region| {
        ir.region_successors(op, RegionPoint::Region(region))
            .iter()
            .all(|&to| to == RegionPoint::Parent)
    };
    let is_branch = ir.def(op).region_branch.is_some() && ir.def(op).loop_like.is_none();
    (is_branch && (0..ir.regions(op).len()).all(leaves)).then_some((op, number))
}
