//! Where an arena is no additional allocation: where one of its buffers is allocated for sure.
//!
//! An arena that is made when a function begins costs an allocation even if none of its buffers would
//! have been needed: they may all be in branches that are not taken, or in loops that do not run. Here
//! buffers without such a place in a region go on to regions inside of it, and those that are used outside
//! of these as well stay what they are.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::interfaces::{Bound, LoopBounds};
use freehold_frontend::ir::op_def::{FoldResult, Traits};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::stages::TracedBuffer;
use super::trace::Traced;
use crate::rewrite::outline::PARALLEL_ATTR;

/// A buffer that can be followed.
type Member = (Traced, TracedBuffer);

/// Regions with the buffers that can share an arena there, for buffers that could in `scope`.
pub(super) fn places(ir: &Ir, scope: Region, members: Vec<Member>) -> Vec<(Region, Vec<Member>)> {
    let mut found = Vec::new();
    let mut worklist = vec![(scope, members)];
    while let Some((region, members)) = worklist.pop() {
        let allocs: Vec<Op> = members.iter().map(|(traced, _)| traced.alloc).collect();
        if allocates(ir, region, &allocs) {
            found.push((region, members));
            continue;
        }
        let mut inside: IndexMap<Region, Vec<Member>, FxBuildHasher> = IndexMap::default();
        for (traced, buffer) in members {
            if traced.home != region
                && let Some(inner) = child_around(ir, traced.home, region)
            {
                inside.entry(inner).or_default().push((traced, buffer));
            }
        }
        worklist.extend(inside.into_iter().rev());
    }
    found
}

/// The region of an operation of `around` that holds all of `region`.
fn child_around(ir: &Ir, mut region: Region, around: Region) -> Option<Region> {
    loop {
        let parent = ir.parent_region(ir.region_owner(region))?;
        if parent == around {
            return Some(region);
        }
        region = parent;
    }
}

/// Whether each run of the region comes to one of these operations, which are all in there.
fn allocates(ir: &Ir, region: Region, allocs: &[Op]) -> bool {
    let Some(block) = ir.entry_block(region) else {
        return false;
    };
    let mut inside: IndexMap<Op, Vec<Op>, FxBuildHasher> = IndexMap::default();
    for &alloc in allocs {
        match ir.ancestor_in_block(alloc, block) {
            Some(op) if op == alloc => return true,
            Some(op) => inside.entry(op).or_default().push(alloc),
            None => {}
        }
    }
    inside.into_iter().any(|(op, allocs)| {
        let is_entered = ir.def(op).region_branch.is_some()
            && !ir.has_trait(op, Traits::PARALLEL)
            && (ir.def(op).loop_like.is_none() || runs(ir, op));
        // Of several regions any one may be the one that runs.
        is_entered
            && ir.regions(op).iter().all(|&region| {
                let in_there = |&&alloc: &&Op| {
                    let mut at = ir.parent_region(alloc);
                    while let Some(outer) = at
                        && outer != region
                    {
                        at = ir.parent_region(ir.region_owner(outer));
                    }
                    at.is_some()
                };
                let allocs: Vec<Op> = allocs.iter().filter(in_there).copied().collect();
                !allocs.is_empty() && allocates(ir, region, &allocs)
            })
    })
}

/// Whether the operation is a loop that runs at least once: with constant bounds, or with those of a part of a
/// parallel loop, which has iterations.
pub(super) fn runs(ir: &Ir, op: Op) -> bool {
    let number = |bound: Bound| match bound {
        Bound::Constant(number) => Some(i128::from(number)),
        Bound::Value(value) => arith::as_constant_int(ir, value),
    };
    let is_entered = |&(lower, upper, step): &LoopBounds| {
        matches!((number(lower), number(upper), number(step)),
            (Some(lower), Some(upper), Some(step)) if lower < upper && step > 0)
    };
    let range = range_of_part(ir);
    let is_part = |&(lower, upper, step): &LoopBounds| match (lower, upper) {
        (Bound::Value(lower), Bound::Value(upper)) => {
            range == Some((lower, upper)) && number(step).is_some_and(|step| step > 0)
        }
        _ => false,
    };
    let bounds = ir.def(op).loop_like.and_then(|l| (l.bounds)(ir, op));
    bounds.is_some_and(|bounds| bounds.iter().all(|b| is_entered(b) || is_part(b)))
}

/// Whether the condition of a `scf.while` folds to true for the initial values.
pub(super) fn begins(ir: &Ir, view: scf::While) -> bool {
    let before = view.before_block(ir);
    let mut known: FxHashMap<Value, Attr> = FxHashMap::default();
    for (&argument, &init) in ir.block_args(before).iter().zip(view.inits(ir)) {
        known.extend(arith::as_constant_attr(ir, init).map(|attr| (argument, attr)));
    }
    for op in ir.ops_in(before) {
        known.extend(folded(ir, op, &known));
    }
    let condition = ir.operand(view.condition_op(ir), 0);
    let attr = known.get(&condition).copied();
    let attr = attr.or_else(|| arith::as_constant_attr(ir, condition));
    (attr.and_then(|attr| ir.context().attr_integer(attr))).is_some_and(|holds| holds != 0)
}

/// The only result of an operation and the constant that it is where these values are constants, if that is known.
pub(super) fn folded(ir: &Ir, op: Op, known: &FxHashMap<Value, Attr>) -> Option<(Value, Attr)> {
    let (Some(fold), [result]) = (ir.def(op).fold, ir.results(op)) else {
        return None;
    };
    let constant = |value: &Value| {
        let here = known.get(value).copied();
        here.or_else(|| arith::as_constant_attr(ir, *value))
    };
    let constants: Vec<Option<Attr>> = ir.operands(op).iter().map(constant).collect();
    let attr = match fold(ir, op, &constants).as_slice() {
        [FoldResult::Attr(attr)] => *attr,
        [FoldResult::Value(value)] => constant(value)?,
        _ => return None,
    };
    Some((*result, attr))
}

/// Where the function gets from which iterations of a parallel loop it is to run, if that is what it does.
fn range_of_part(ir: &Ir) -> Option<(Value, Value)> {
    let parallel = ir.context().intern_name(PARALLEL_ATTR);
    let block = ir
        .root_block()
        .filter(|_| ir.has_attr(ir.root(), parallel))?;
    match ir.block_args(block) {
        &[begin, end, ..] => Some((begin, end)),
        _ => None,
    }
}
