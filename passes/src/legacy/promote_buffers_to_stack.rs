//! `promote-buffers-to-stack`: turns small `memref.alloc`s into
//! `memref.alloca`s.
//!
//! Before:
//! ```mlir
//! func.func @f(%i: index, %v: f32) {
//!   %a = memref.alloc() : memref<4xf32>
//!   memref.store %v, %a[%i] : memref<4xf32>
//!   memref.dealloc %a : memref<4xf32>
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%i: index, %v: f32) {
//!   %a = memref.alloca() : memref<4xf32>
//!   memref.store %v, %a[%i] : memref<4xf32>
//!   return
//! }
//! ```
//!
//! A buffer is small if its size is known and at most
//! `max-alloc-size-in-bytes`, or if its rank is at most
//! `max-rank-of-allocated-memref` and all its sizes are ranks of others. Unlike
//! upstream's, this pass also takes buffers that are freed already, by
//! `memref.dealloc` of the buffer itself; the deallocs go.
//!
//! An `alloca` in a loop may let the stack grow with each iteration (lowering
//! `scf.for` to blocks forgets that its body is a scope), so it is put in front
//! of all loops, operations and blocks alike. Iterations that may run at the
//! same time could not share it, so there nothing is promoted.
//!
//! Soundness: no alias leaves the scope that ends the life of the `alloca`: it
//! is not returned, yielded from there or stored. And if the new place is
//! outside of a loop, no alias outlives the execution of the old place that it
//! comes from, so that the iterations may share the memory.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Region};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::{is_loop_region, is_reachable};
use crate::analysis::aliases::{Fates, Step};
use crate::analysis::flow::ValueFlow;
use crate::analysis::frees::uses_owners;
use crate::analysis::nest::Nest;
use crate::analysis::stack_budget;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

// As upstream has it.
pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// largest buffer to promote, in bytes
        "max-alloc-size-in-bytes" max_alloc_size_in_bytes: u32 = 1024,
        /// largest rank of buffers to promote whose sizes are ranks of memrefs
        "max-rank-of-allocated-memref" max_rank_of_allocated_memref: u32 = 1,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "promote-buffers-to-stack",
    summary: "turn small heap allocations that do not escape into stack allocations",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    // An owner may free any buffer, wherever that is.
    if uses_owners(ir) {
        return Ok(());
    }
    let promotions = plan(ir, context.options);
    context.count("promoted", promotions.len() as u64);
    for promotion in promotions {
        promote(ir, promotion);
    }
    Ok(())
}

/// An allocation that goes to the stack.
struct Promotion {
    alloc: Op,
    /// The operation to put it in front of.
    before: Op,
    /// What frees it now.
    deallocs: Vec<Op>,
}

fn plan(ir: &Ir, limits: &Options) -> Vec<Promotion> {
    let nest = Nest::new(ir);
    let flow = ValueFlow::new(ir);
    let fates = Fates::new(ir, &nest, &flow);
    let mut left = stack_budget::left(ir, u64::MAX);
    ir.walk(ir.root())
        .filter(|&op| {
            ir.is(op, &memref::ALLOC) && is_small(ir, op, limits) && is_reachable(ir, &nest, op)
        })
        .filter_map(|op| plan_promotion(ir, &nest, &flow, &fates, op))
        .filter(|promotion| {
            if left == u64::MAX {
                return true;
            }
            // Each takes its part of what the function may have.
            let bytes = bytes_of(ir, promotion.alloc).filter(|&bytes| bytes <= left);
            left -= bytes.unwrap_or(0);
            bytes.is_some()
        })
        .collect()
}

/// What an allocation takes of the stack; none if its size is known at run time only.
fn bytes_of(ir: &Ir, alloc: Op) -> Option<u64> {
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(ir.result(alloc, 0)))?;
    let n_elements = u64::try_from(memref.n_elements()?).ok()?;
    let bytes = context
        .element_byte_size(memref.element)?
        .checked_mul(n_elements)?;
    bytes.checked_next_multiple_of(16)
}

fn is_small(ir: &Ir, op: Op, limits: &Options) -> bool {
    let context = ir.context();
    let Some(memref) = context.as_memref(ir.value_type(ir.result(op, 0))) else {
        return false;
    };
    if !memref.has_static_shape() {
        let is_rank = |&size| ir.defined_by(size, &memref::RANK).is_some();
        return memref.rank() as u64 <= u64::from(limits.max_rank_of_allocated_memref)
            && ir.operand_group(op, 0).iter().all(is_rank);
    }
    let Some(bits) = element_bits(context, memref.element) else {
        return false;
    };
    let sizes = memref.shape.iter().map(|&size| size.unsigned_abs());
    // Too many elements to count are too many; none are none.
    let bits = if memref.shape.contains(&0) {
        Some(0)
    } else {
        sizes
            .into_iter()
            .try_fold(u128::from(bits), |product, size| {
                product.checked_mul(u128::from(size))
            })
    };
    let limit = u128::from(limits.max_alloc_size_in_bytes) * 8;
    bits.is_some_and(|bits| bits <= limit)
}

/// Bits of an element as upstream counts them; `None` if that is not known.
fn element_bits(context: &Context, ty: Type) -> Option<u64> {
    match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => Some(u64::from(*width)),
        _ => context.element_byte_size(ty)?.checked_mul(8),
    }
}

fn plan_promotion(
    ir: &Ir,
    nest: &Nest<'_>,
    flow: &ValueFlow,
    fates: &Fates,
    alloc: Op,
) -> Option<Promotion> {
    let buffer = ir.result(alloc, 0);
    let fate = fates.of(buffer)?;
    if fate.escapes || ir.has_attr(alloc, Name::MANUAL_DEALLOCATION) {
        return None;
    }
    let mut deallocs: Vec<Op> = Vec::new();
    if fate.is_freed {
        // No alias may be freed by another name, or by anything that frees more.
        let step = Step::of(ir, flow, buffer);
        let is_freed = |&base: &_| fates.of(base).is_none_or(|fate| fate.is_freed);
        if step.next.iter().any(is_freed) {
            return None;
        }
        for user in step.users {
            let frees = ir
                .own_effects(user)
                .is_some_and(|effects| effects.has_any(EffectKind::Free));
            if frees && !ir.is(user, &memref::DEALLOC) {
                return None;
            }
            if frees {
                deallocs.push(user);
            }
        }
    }
    let place = find_place(ir, nest, alloc)?;
    let stays = if place.before == alloc {
        !fate.leaves(nest, place.scope)
    } else {
        let is_available = |&v: &_| nest.dominance().value_dominates(ir, v, place.before);
        fate.ends_with_instance(nest, buffer) && ir.operands(alloc).iter().all(is_available)
    };
    stays.then_some(Promotion {
        alloc,
        before: place.before,
        deallocs,
    })
}

/// Where an `alloca` may stand.
struct Place {
    /// The region whose end is that of its life.
    scope: Region,
    before: Op,
}

/// The place closest to `alloc` that is executed once per execution of the
/// scope around.
fn find_place(ir: &Ir, nest: &Nest<'_>, alloc: Op) -> Option<Place> {
    let mut before = alloc;
    let mut current = alloc;
    loop {
        let region = ir.parent_region(current)?;
        let block = ir.block_of(current)?;
        if let Some(loops) = nest.block_loops(region) {
            if loops.is_irreducible() {
                return None;
            }
            if let Some(header) = loops.outermost_header(block) {
                before = ir.last_op(nest.immediate_dominator(header)?)?;
            }
        }
        let owner = ir.region_owner(region);
        let is_scope = ir.has_trait(owner, Traits::AUTOMATIC_ALLOCATION_SCOPE);
        let is_loop = is_loop_region(ir, region);
        if is_scope && !is_loop {
            return Some(Place {
                scope: region,
                before,
            });
        }
        if is_loop {
            if ir.has_trait(owner, Traits::PARALLEL) {
                return None;
            }
            before = owner;
        } else if ir.def(owner).region_branch.is_none() {
            // It may do anything with its regions.
            return None;
        }
        current = owner;
    }
}

fn promote(ir: &mut Ir, promotion: Promotion) {
    let Promotion {
        alloc,
        before,
        deallocs,
    } = promotion;
    let ty = ir.value_type(ir.result(alloc, 0));
    let spec = OpSpec::new(&memref::ALLOCA, ir.loc(alloc))
        .operands(ir.operands(alloc))
        .results(&[ty]);
    let alloca = ir.create_op(spec);
    ir.set_attrs(alloca, ir.attrs(alloc));
    ir.insert_op_before(before, alloca);
    for dealloc in deallocs {
        ir.erase_op(dealloc);
    }
    let result = ir.result(alloca, 0);
    ir.replace_op(alloc, &[result]);
}
