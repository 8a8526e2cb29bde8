//! `reuse-loop-buffers`: loops that carry buffers keep what an iteration frees for what the next one allocates.
//!
//! Before:
//! ```mlir
//! %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
//!   %new = memref.alloc() : memref<64xf32>
//!   func.call @step(%old, %new) : (memref<64xf32>, memref<64xf32>) -> ()
//!   memref.dealloc %old : memref<64xf32>
//!   scf.yield %new : memref<64xf32>
//! }
//! ```
//! After:
//! ```mlir
//! %spare = memref.alloc() : memref<64xf32>
//! %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first, %new = %spare) -> (memref<64xf32>, memref<64xf32>) {
//!   func.call @step(%old, %new) : (memref<64xf32>, memref<64xf32>) -> ()
//!   scf.yield %new, %old : memref<64xf32>, memref<64xf32>
//! }
//! memref.dealloc %last#1 : memref<64xf32>
//! ```
//!
//! `scf.while` is rewritten in the same way if the block that computes its condition takes and frees no memory.
//!
//! A freed buffer becomes the next allocation of the same type: in the same iteration if there is one, else in the next.
//! Inner loops come first, so a spare buffer may leave the loop around it as well.
//!
//! Unless `always`, buffers of single iterations move out of the loop if that costs nothing. (With `always`, they
//! share an arena with others where they are.)
//!
//! It is right because a buffer that is freed is not used afterwards, and one that is allocated may be any
//! that is not in use.
//!
//! Unless `always`, the peak does not rise: the loop runs at least once, nothing in its body but the
//! allocations and deallocations that stand directly in there changes memory, and with their sizes there is
//! a time in the body, or near the loop, when it took no less before than it ever takes now. Nor are there more
//! allocations.

use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Use, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::alias;
use super::around::{bytes, change, is_still_block, peak_around, runs};
use crate::analysis::alignment;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// also where the peak may become higher, or the loop may not run
        "always" always: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "reuse-loop-buffers",
    summary: "reuse buffers freed in one iteration of a loop in the next (double buffering)",
    anchor: Anchor::Function,
    run,
};

/// The values that may be views of each allocation, as at first. Spare buffers become what the
/// allocations become that they stand for.
type Views = FxHashMap<Op, Vec<Value>>;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let loops: Vec<Loop> = (ir.collect_ops(ir.root()).into_iter().rev())
        .filter_map(|op| Loop::of(ir, op))
        .collect();
    if loops.is_empty() {
        return Ok(());
    }
    let aliases = alias::analyze(ir);
    let mut views = Views::default();
    for op in ir.collect_ops(ir.root()) {
        if let Some(of) = aliases.of(op) {
            views.insert(op, of.to_vec());
        }
    }
    for carrier in loops {
        let mut pairs = find(ir, carrier, &views);
        match context.options.always {
            // They share the arena as they are.
            true => pairs.local.clear(),
            false => pairs = cheap(ir, carrier, pairs),
        }
        context.count("spare buffers of loops", pairs.spare.len() as u64);
        context.count("buffers of loops in place", pairs.in_place.len() as u64);
        context.count("buffers moved out of loops", pairs.local.len() as u64);
        apply(ir, carrier, &pairs, &mut views);
    }
    Ok(())
}

/// A loop that carries buffers.
#[derive(Clone, Copy)]
struct Loop {
    op: Op,
    /// What an iteration does.
    body: Block,
    /// Hands buffers to the next iteration.
    end: Op,
}

impl Loop {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let carries = |values: &[Value]| values.iter().any(|&value| ir.is_memref(value));
        if let Some(view) = scf::For::cast(ir, op) {
            return carries(&ir.operands(op)[3..]).then(|| Self {
                op,
                body: view.body(ir),
                end: view.yield_op(ir),
            });
        }
        let view = scf::While::cast(ir, op)?;
        let is_still = is_still_block(ir, view.before_block(ir));
        (carries(ir.operands(op)) && is_still).then(|| Self {
            op,
            body: view.after_block(ir),
            end: view.yield_op(ir),
        })
    }

    /// Carries one more buffer, which is `first` before the first iteration and `next` behind each; what it is in an
    /// iteration, and behind the loop.
    fn carry(self, ir: &mut Ir, first: Value, next: Value) -> Vec<Value> {
        let ty = ir.value_type(first);
        let append = |ir: &mut Ir, op: Op, value: Value| {
            let last = ir.operands(op).len();
            ir.insert_operands(op, last, &[value]);
        };
        let mut carried = Vec::new();
        append(ir, self.op, first);
        if let Some(view) = scf::While::cast(ir, self.op) {
            let before = ir.append_block_arg(view.before_block(ir), ty);
            append(ir, view.condition_op(ir), before);
            carried.push(before);
        }
        append(ir, self.end, next);
        carried.push(ir.append_block_arg(self.body, ty));
        carried.push(ir.append_result(self.op, ty));
        carried
    }
}

/// Allocations in the body of a loop, each with the deallocation that leaves it memory.
#[derive(Clone, Default)]
struct Pairs {
    /// Those where the deallocation comes first.
    in_place: Vec<(Op, Op)>,
    /// Those where it comes later, in the iteration before.
    spare: Vec<(Op, Op)>,
    /// Those where it is the same buffer: it needs no carrying, and is allocated before the loop.
    local: Vec<(Op, Op)>,
}

/// Pairs of one type, where the freed buffer is aligned as the allocation asks.
fn find(ir: &Ir, Loop { body, end, .. }: Loop, views: &Views) -> Pairs {
    let mut pairs = Pairs::default();
    let is_carried = |alloc: Op| {
        views.get(&alloc).is_some_and(|views| {
            let mut uses = views.iter().flat_map(|&view| ir.uses(view));
            let mut assumes = uses.clone();
            uses.any(|u| u.op == end) && !assumes.any(|u| ir.is(u.op, &memref::ASSUME_ALIGNMENT))
        })
    };
    let is_static = |value: Value| {
        let memref = ir.context().as_memref(ir.value_type(value));
        memref.is_some_and(|memref| memref.has_static_shape() && memref.layout.is_none())
    };
    let is_aligned_for = |alloc: Op, free: Op| {
        alignment::is_aligned(ir, ir.operand(free, 0), alignment::requested(ir, alloc))
    };
    // What may be a buffer of this iteration only, and where those are freed that are no other's.
    let mut local: FxHashSet<Value> = FxHashSet::default();
    let mut own_frees: FxHashMap<Op, Op> = FxHashMap::default();
    for alloc in ir.ops_in(body).filter(|&op| ir.is(op, &memref::ALLOC)) {
        match views.get(&alloc) {
            Some(views) if !is_carried(alloc) => {
                local.extend(views);
                let value = ir.result(alloc, 0);
                let frees = |u: &&Use| ir.is(u.op, &memref::DEALLOC);
                let free = ir.uses(value).iter().find(frees).map(|u| u.op);
                if let Some(free) = free.filter(|&free| ir.block_of(free) == Some(body))
                    && is_static(value)
                    && !ir.has_attr(alloc, Name::MANUAL_DEALLOCATION)
                {
                    own_frees.insert(alloc, free);
                }
            }
            Some(_) => {}
            None => return pairs,
        }
    }
    let is_own = |free: Op| {
        let alloc = ir.defining_op(ir.operand(free, 0));
        alloc.is_some_and(|alloc| own_frees.get(&alloc) == Some(&free))
    };
    let has_assumptions = |alloc: Op| {
        let views = views.get(&alloc).into_iter().flatten();
        let mut uses = views.flat_map(|&view| ir.uses(view));
        uses.any(|u| ir.is(u.op, &memref::ASSUME_ALIGNMENT))
    };
    let mut freed: IndexMap<Type, Vec<Op>, FxBuildHasher> = IndexMap::default();
    let mut waiting: IndexMap<Type, Vec<Op>, FxBuildHasher> = IndexMap::default();
    for inner in ir.ops_in(body) {
        if ir.is(inner, &memref::ALLOC) {
            let value = ir.result(inner, 0);
            let is_fit = is_static(value) && !ir.has_attr(inner, Name::MANUAL_DEALLOCATION);
            let is_local = own_frees.contains_key(&inner);
            if !is_fit || !is_local && !is_carried(inner) {
                continue;
            }
            let ty = ir.value_type(value);
            let freed = freed.get_mut(&ty).filter(|_| !has_assumptions(inner));
            match freed.and_then(|freed| freed.pop_if(|free| is_aligned_for(inner, *free))) {
                Some(free) => pairs.in_place.push((inner, free)),
                None => waiting.entry(ty).or_default().push(inner),
            }
        } else if ir.is(inner, &memref::DEALLOC) {
            let value = ir.operand(inner, 0);
            if is_static(value) && (!local.contains(&value) || is_own(inner)) {
                freed.entry(ir.value_type(value)).or_default().push(inner);
            }
        }
    }
    for (ty, mut allocs) in waiting {
        let Some(frees) = freed.get_mut(&ty) else {
            continue;
        };
        // A buffer that nothing else takes meanwhile need not be carried.
        allocs.retain(|alloc| {
            let own = own_frees.get(alloc);
            let at = frees.iter().position(|free| Some(free) == own);
            let own = at.map(|at| frees.remove(at));
            pairs.local.extend(own.map(|free| (*alloc, free)));
            own.is_none()
        });
        // Those that are allocated last take what is freed first.
        for free in std::mem::take(frees) {
            if let Some(alloc) = allocs.pop_if(|alloc| is_aligned_for(*alloc, free)) {
                pairs.spare.push((alloc, free));
            }
        }
    }
    pairs
}

/// At most this many spare buffers are dropped one by one until the others cost nothing, then all: bounds compile time.
const MAX_DROPPED: usize = 8;

/// As many of the pairs as certainly cost neither memory nor allocations.
fn cheap(ir: &Ir, carrier: Loop, mut found: Pairs) -> Pairs {
    let is_cheap = |pairs: &Pairs| {
        let is_sure = pairs.spare.is_empty() && pairs.local.is_empty() || runs(ir, carrier.op);
        is_sure && !raises_peak(ir, carrier, pairs)
    };
    for dropped in 0.. {
        if is_cheap(&found) {
            return found;
        }
        let local = std::mem::take(&mut found.local);
        if is_cheap(&found) {
            return found;
        }
        found.local = local;
        match found.spare.is_empty() {
            true => break,
            // Those that are allocated last come first.
            false if dropped < ir.capped(MAX_DROPPED) => drop(found.spare.remove(0)),
            false => found.spare.clear(),
        }
    }
    Pairs::default()
}

/// Whether the loop may take more memory at some time with these pairs than is taken at the peak without, in the loop or
/// near it.
fn raises_peak(ir: &Ir, carrier: Loop, pairs: &Pairs) -> bool {
    // Buffers live all the time, and operations that do not change memory any more.
    let moved = || pairs.spare.iter().chain(&pairs.local);
    let all = pairs.in_place.iter().chain(moved());
    let gone: FxHashSet<Op> = all.flat_map(|&(alloc, free)| [alloc, free]).collect();
    let moved = moved().map(|&(alloc, _)| bytes(ir, ir.result(alloc, 0)));
    let Some(moved) = moved.sum::<Option<i128>>() else {
        return true;
    };
    let (mut before, mut after) = (0, moved);
    let (mut peak_before, mut peak_after) = (before, after);
    for inner in ir.ops_in(carrier.body) {
        let Some(change) = change(ir, inner) else {
            return true;
        };
        before += change;
        if !gone.contains(&inner) {
            after += change;
        }
        peak_before = peak_before.max(before);
        peak_after = peak_after.max(after);
    }
    peak_after > peak_before && (before != 0 || peak_after > peak_around(ir, carrier.op))
}

fn apply(ir: &mut Ir, carrier: Loop, pairs: &Pairs, views: &mut Views) {
    let op = carrier.op;
    for &(alloc, free) in &pairs.local {
        ir.move_op_before(alloc, op);
        ir.move_op_after(free, op);
    }
    for &(alloc, free) in &pairs.in_place {
        let buffer = ir.operand(free, 0);
        ir.erase_op(free);
        ir.replace_op(alloc, &[buffer]);
        let known = views.remove(&alloc).unwrap_or_default();
        if let Some(first) = ir.defining_op(buffer)
            && let Some(views) = views.get_mut(&first)
        {
            views.extend(known);
        }
    }
    for &(alloc, free) in &pairs.spare {
        let freed = ir.operand(free, 0);
        ir.erase_op(free);
        let spare = ir.clone_op(alloc, &mut IrMap::default());
        ir.insert_op_before(op, spare);
        let value = ir.result(spare, 0);
        let carried = carrier.carry(ir, value, freed);
        let mut known = views.remove(&alloc).unwrap_or_default();
        known.push(value);
        known.extend(&carried);
        if let [.., new, left] = carried[..] {
            memref::build::dealloc(&mut Builder::after(ir, op), left);
            ir.replace_op(alloc, &[new]);
        }
        views.insert(spare, known);
    }
}
