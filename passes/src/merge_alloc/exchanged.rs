//! Buffers that a loop exchanges, as one allocation: which of them is which is known when the loop runs only, but all
//! of them are allocated in front of it and freed behind it.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>
//! %b = memref.alloc() : memref<4xf32>
//! %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
//!   linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
//!   scf.yield %y, %x : memref<4xf32>, memref<4xf32>
//! }
//! memref.dealloc %r#0 : memref<4xf32>
//! memref.dealloc %r#1 : memref<4xf32>
//! ```
//! After, `%a` and `%b` are views of one buffer of 32 bytes, which is freed at the end.
//!
//! The peak stays as it is: where they are allocated nothing is freed in between, and where they are freed nothing is
//! allocated, so what is there earlier or longer is no more than what is there when all of them are.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::{self, build};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::mark_allocation_free_calls::NO_HEAP;
use super::never_grow::summary::own_summary;
use super::stages::{ScopeTrace, TracedBuffer};

/// Of an allocation that is several buffers of the program.
pub(super) const EXCHANGED: &str = "freehold.exchanged";

/// Buffers that the same operations free, one each.
struct Family<'a> {
    /// One behind the other.
    buffers: Vec<&'a TracedBuffer>,
    bytes: i64,
    first_alloc: Op,
    /// The last one comes last.
    deallocs: Vec<Op>,
}

/// Makes one allocation of each family; whether there was any.
pub(super) fn join(ir: &mut Ir, scopes: &[ScopeTrace]) -> bool {
    type Same<'a> = (Option<Attr>, Vec<&'a TracedBuffer>);
    let mut by_deallocs: IndexMap<Vec<Op>, Same<'_>, FxBuildHasher> = IndexMap::default();
    for scope in scopes {
        for buffer in &scope.buffers {
            if buffer.deallocs.len() > 1 {
                let mut deallocs = buffer.deallocs.clone();
                deallocs.sort_unstable();
                deallocs.dedup();
                let entry = by_deallocs.entry(deallocs);
                let (_, buffers) = entry.or_insert_with(|| (scope.space, Vec::new()));
                buffers.push(buffer);
            }
        }
    }
    let mut n_freed: FxHashMap<Op, usize> = FxHashMap::default();
    for buffer in scopes.iter().flat_map(|scope| &scope.buffers) {
        for &dealloc in &buffer.deallocs {
            *n_freed.entry(dealloc).or_default() += 1;
        }
    }
    let mut is_any = false;
    for (deallocs, (space, buffers)) in by_deallocs {
        let n = buffers.len();
        let is_whole = deallocs.len() == n && deallocs.iter().all(|op| n_freed[op] == n);
        if let Some(family) = family(ir, buffers, deallocs).filter(|_| is_whole) {
            allocate(ir, &family, space);
            is_any = true;
        }
    }
    is_any
}

/// None if there might be more memory at some time than before.
fn family<'a>(
    ir: &Ir,
    mut buffers: Vec<&'a TracedBuffer>,
    mut deallocs: Vec<Op>,
) -> Option<Family<'a>> {
    let context = ir.context();
    let has_usual_layout = |buffer: &&TracedBuffer| {
        let memref = context.as_memref(ir.value_type(ir.result(buffer.alloc, 0)));
        buffer.scale.is_static() && memref.is_some_and(|memref| memref.layout.is_none())
    };
    let block = ir.block_of(buffers[0].alloc)?;
    let allocs: Vec<Op> = buffers.iter().map(|buffer| buffer.alloc).collect();
    let mut ends = allocs.iter().chain(&deallocs);
    if !buffers.iter().all(has_usual_layout) || ends.any(|&op| ir.block_of(op) != Some(block)) {
        return None;
    }
    let no_heap = context.intern_name(NO_HEAP);
    let is_quiet = |op: Op, frees: bool| {
        ir.walk(op).all(|op| {
            let own = own_summary(ir, op, no_heap);
            !own.surges && !(if frees { own.rises } else { own.frees })
        })
    };
    let is_before = |&a: &Op, &b: &Op| match ir.is_before_in_block(a, b) {
        true => Ordering::Less,
        false if a == b => Ordering::Equal,
        false => Ordering::Greater,
    };
    // The first of them, if nothing happens up to the last one that changes what is said of the peak.
    let first_of = |ops: &[Op], frees: bool| -> Option<Op> {
        let (first, last) = (
            *ops.iter().min_by(|a, b| is_before(a, b))?,
            *ops.iter().max_by(|a, b| is_before(a, b))?,
        );
        let between = std::iter::successors(Some(first), |&op| ir.next_op(op));
        let mut between = between.take_while(|&op| op != last);
        between.all(|op| is_quiet(op, frees)).then_some(first)
    };
    let first_alloc = first_of(&allocs, false)?;
    first_of(&deallocs, true)?;
    deallocs.sort_by(is_before);
    // Larger alignments first, so that there are no gaps.
    buffers.sort_by_key(|buffer| Reverse(buffer.alignment));
    let mut bytes = 0_u64;
    for buffer in &buffers {
        let has_gap = !bytes.is_multiple_of(buffer.alignment);
        bytes = bytes.checked_add(buffer.bytes).filter(|_| !has_gap)?;
    }
    let bytes = i64::try_from(bytes).ok()?;
    Some(Family {
        buffers,
        bytes,
        first_alloc,
        deallocs,
    })
}

/// Makes the allocation, and views of it.
fn allocate(ir: &mut Ir, family: &Family<'_>, space: Option<Attr>) {
    let context = Arc::clone(ir.context());
    let mut builder = Builder::before(ir, family.first_alloc);
    let ty = context.memref_type(MemRefType {
        space,
        ..MemRefType::identity(&[family.bytes], Type::I8)
    });
    let whole = build::alloc(&mut builder, ty, &[]);
    let mut views = Vec::new();
    let mut offset = 0;
    for buffer in &family.buffers {
        let place = arith::constant_index(&mut builder, offset);
        let ty = builder.ir.value_type(builder.ir.result(buffer.alloc, 0));
        views.push(builder.value(&memref::VIEW, &[whole, place], ty));
        offset += buffer.bytes as i64;
    }
    if let Some(op) = ir.defining_op(whole) {
        let alignment = family.buffers[0].alignment as i64;
        ir.set_attr(op, Name::ALIGNMENT, context.i64_attr(alignment));
        ir.set_attr(op, context.intern_name(EXCHANGED), Attr::UNIT);
    }
    for (buffer, view) in family.buffers.iter().zip(views) {
        ir.replace_op(buffer.alloc, &[view]);
    }
    let (last, others) = family.deallocs.split_last().expect("there are several");
    build::dealloc(&mut Builder::before(ir, *last), whole);
    for &dealloc in others.iter().chain([last]) {
        ir.erase_op(dealloc);
    }
}
