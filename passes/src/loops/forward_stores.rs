//! `forward-stores`: what a loop body stores is used where the body loads it again, and is not stored if
//! the body stores to the same place later.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   memref.store %x, %a[%i] : memref<?xf32>
//!   %y = memref.load %a[%i] : memref<?xf32>
//!   %z = arith.addf %y, %f : f32
//!   memref.store %z, %a[%i] : memref<?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %z = arith.addf %x, %f : f32
//!   memref.store %z, %a[%i] : memref<?xf32>
//! }
//! ```
//!
//! That is right because between the two nothing stores to that place, and for a store that is left out
//! nothing loads from there: every access in between is of a buffer that is known to be apart, or of
//! another element, and everything else but arithmetic makes all elements unknown. Buffers that have been
//! compared around the loop are apart as well. A load from where the body loaded before is the same
//! number for the same reason.
//!
//! An allocation that lost its last load to this goes away with its stores and deallocations.

use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use rustc_hash::FxHashSet;

use super::marks::{is_marked_disjoint, is_part_of_other};
use crate::analysis::loop_memory::{self, Access};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "forward-stores",
    summary: "forward stored values to later loads in loop bodies",
    anchor: Anchor::Function,
    run,
};

/// The number of places remembered at a time: each access is compared with each of them, so this bounds
/// compile time.
const MAX_PLACES: usize = 32;
/// Allocations with more uses are kept: bounds compile time.
const MAX_USES: usize = 256;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op) && ir.is(op, &scf::FOR) {
            let (body, is_disjoint) = (scf::For(op).body(ir), is_marked_disjoint(ir, op));
            let forwarded = forward_in(ir, body, is_disjoint);
            context.count("loads replaced", forwarded.n_loads);
            context.count("stores removed", forwarded.n_stores);
            let n = erase_unread(ir, &forwarded.buffers);
            context.count("allocations removed", n);
        }
    }
    Ok(())
}

/// What [`forward_in`] did.
#[derive(Default)]
pub(super) struct Forwarded {
    /// The allocations from which less is loaded now.
    pub(super) buffers: Vec<Op>,
    n_loads: u64,
    n_stores: u64,
}

/// A place with a known value.
struct Known {
    access: Access,
    value: Value,
    /// What put it there, unless something may have looked at it since.
    unread: Option<Op>,
}

/// How the places of two accesses relate.
#[derive(PartialEq, Eq)]
enum Relation {
    Same,
    Apart,
    Unknown,
}

/// Replaces loads and removes stores in a block. `is_disjoint` says that different buffers in it do not
/// overlap if one of them is stored to.
pub(super) fn forward_in(ir: &mut Ir, block: Block, is_disjoint: bool) -> Forwarded {
    let mut done = Forwarded::default();
    let mut buffers = FxHashSet::default();
    let mut known: Vec<Known> = Vec::new();
    let ops: Vec<Op> = ir.ops_in(block).collect();
    for op in ops {
        let Some(access) = Access::of(ir, op) else {
            look_into(ir, op, is_disjoint, &mut known);
            continue;
        };
        let value = access.value(ir);
        if access.is_store {
            known.retain(
                |earlier| match relation(ir, is_disjoint, earlier.access, access) {
                    Relation::Same => {
                        if let Some(store) = earlier.unread {
                            ir.erase_op(store);
                            done.n_stores += 1;
                        }
                        false
                    }
                    Relation::Apart => true,
                    Relation::Unknown => false,
                },
            );
        } else {
            let mut same = None;
            for earlier in &mut known {
                match relation(ir, is_disjoint, earlier.access, access) {
                    Relation::Same => same = Some(earlier.value),
                    Relation::Apart => {}
                    Relation::Unknown => earlier.unread = None,
                }
            }
            if let Some(value) = same {
                ir.replace_op(op, &[value]);
                done.n_loads += 1;
                if let Some(alloc) = ir.defining_op(loop_memory::viewed(ir, access.buffer))
                    && loop_memory::is_alloc(ir, alloc)
                    && buffers.insert(alloc)
                {
                    done.buffers.push(alloc);
                }
                continue;
            }
        }
        if known.len() >= ir.capped(MAX_PLACES).max(1) {
            known.remove(0);
        }
        known.push(Known {
            access,
            value,
            unread: access.is_store.then_some(op),
        });
    }
    done
}

/// Forgets what an operation that is no access itself may change, and notes what it may read.
fn look_into(ir: &Ir, op: Op, is_disjoint: bool, known: &mut Vec<Known>) {
    if known.is_empty() || loop_memory::is_alloc(ir, op) {
        return;
    }
    let Some(accesses) = loop_memory::accesses(ir, op) else {
        known.clear();
        return;
    };
    for access in accesses {
        known.retain_mut(|earlier| {
            let is_apart = relation(ir, is_disjoint, earlier.access, access) == Relation::Apart;
            if !is_apart && !access.is_store {
                earlier.unread = None;
            }
            is_apart || !access.is_store
        });
    }
}

fn relation(ir: &Ir, is_disjoint: bool, a: Access, b: Access) -> Relation {
    if a.buffer != b.buffer {
        // What is not stored to does not matter: it may well overlap.
        let is_apart =
            is_disjoint && (a.is_store || b.is_store) && !is_part_of_other(ir, a.buffer, b.buffer)
                || loop_memory::are_distinct(ir, a.buffer, b.buffer);
        return match is_apart {
            true => Relation::Apart,
            false => Relation::Unknown,
        };
    }
    let mut subscripts = a.indices(ir).iter().zip(b.indices(ir));
    let is_same_type = ir.value_type(a.value(ir)) == ir.value_type(b.value(ir));
    if is_same_type && subscripts.all(|(&a, &b)| loop_memory::is_same_number(ir, a, b)) {
        return Relation::Same;
    }
    match loop_memory::are_apart(ir, a, b) {
        true => Relation::Apart,
        false => Relation::Unknown,
    }
}

/// Erases those of these allocations from which nothing is loaded, with their stores and
/// deallocations. Returns how many.
pub(super) fn erase_unread(ir: &mut Ir, allocs: &[Op]) -> u64 {
    if ir.context().keeps_memory_operations() {
        return 0;
    }
    let mut n_erased = 0;
    for &alloc in allocs {
        if let Some(users) = users_if_unread(ir, alloc) {
            // Views after what uses them.
            for &user in users.iter().rev() {
                match ir.is(user, &memref::DIM) {
                    true => replace_dim(ir, alloc, user),
                    false => ir.erase_op(user),
                }
            }
            ir.erase_op(alloc);
            n_erased += 1;
        }
    }
    n_erased
}

/// What uses an allocation and its views, views before what uses them; `None` if something may look at
/// what is in it or hand it on.
fn users_if_unread(ir: &Ir, alloc: Op) -> Option<Vec<Op>> {
    let mut users = Vec::new();
    let mut views = vec![alloc];
    while let Some(view) = views.pop() {
        let buffer = ir.result(view, 0);
        for user in ir.uses(buffer) {
            let op = user.op;
            let is_kept = if let Some(access) = Access::of(ir, op) {
                !access.is_store || access.value(ir) == buffer
            } else if ir.is(op, &memref::DIM) {
                !ir.is_unused(op) && (view != alloc || size(ir, alloc, op).is_none())
            } else if ir.def(op).view_source.is_some() && ir.results(op).len() == 1 {
                views.push(op);
                false
            } else {
                !ir.is(op, &memref::DEALLOC)
            };
            if is_kept || users.len() == ir.capped(MAX_USES) {
                return None;
            }
            users.push(op);
        }
    }
    Some(users)
}

/// What an allocation was given as the size that `dim` asks for.
fn size(ir: &Ir, alloc: Op, dim: Op) -> Option<Value> {
    let index = memref::Dim(dim).index(ir);
    let index = usize::try_from(arith::as_constant_index(ir, index)?).ok()?;
    memref::alloc::dynamic_size_of(ir, alloc, index)
}

fn replace_dim(ir: &mut Ir, alloc: Op, dim: Op) {
    match size(ir, alloc, dim) {
        Some(size) => ir.replace_op(dim, &[size]),
        None => ir.erase_op(dim),
    }
}
