//! Ping-pong buffers share one allocation: a loop swaps them, so which one is which is known at run time only, but all
//! of them are allocated before it and freed after it.
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
//! The peak stays: where they are allocated nothing is freed in between, and where they are freed nothing is allocated,
//! so the memory live earlier or longer is no more than with all of them.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
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

use super::NO_ARENA;
use super::mark_allocation_free_calls::NO_HEAP;
use super::never_grow::summary::own_summary;
use super::stages::{ScopeTrace, TracedBuffer};

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
    let is_whole = |(deallocs, (_, buffers)): &(Vec<Op>, Same<'_>)| {
        let n = buffers.len();
        deallocs.len() == n && deallocs.iter().all(|op| n_freed[op] == n)
    };
    let mut whole = by_deallocs.into_iter().filter(is_whole).peekable();
    if whole.peek().is_none() {
        return false;
    }
    let events = Events::new(ir);
    let families: Vec<_> = whole
        .filter_map(|(deallocs, (space, buffers))| {
            let family = family(ir, &events, buffers, deallocs)?;
            Some((family, space))
        })
        .collect();
    for (family, space) in &families {
        allocate(ir, family, *space);
    }
    !families.is_empty()
}

/// Effects on memory, nested operations included.
struct Events {
    /// How many operations of its block in front of each one may free memory, and how many may take more.
    before: SecondaryMap<Op, [u32; 2]>,
}

impl Events {
    fn new(ir: &Ir) -> Self {
        let no_heap = ir.context().intern_name(NO_HEAP);
        let order = ir.collect_ops(ir.root());
        let mut may: SecondaryMap<Op, [bool; 2]> = SecondaryMap::new();
        for &op in order.iter().rev() {
            let own = own_summary(ir, op, no_heap);
            may[op][0] |= own.surges || own.frees;
            may[op][1] |= own.surges || own.rises;
            let all = may[op];
            if let Some(parent) = ir.parent_op(op) {
                may[parent][0] |= all[0];
                may[parent][1] |= all[1];
            }
        }
        let mut before: SecondaryMap<Op, [u32; 2]> = SecondaryMap::new();
        for &op in &order {
            if let Some(previous) = ir.prev_op(op) {
                let [frees, rises] = may[previous].map(u32::from);
                let [n_frees, n_rises] = before[previous];
                before[op] = [n_frees + frees, n_rises + rises];
            }
        }
        Self { before }
    }

    /// Whether nothing may free memory from one operation on up to another one of its block.
    fn frees_nothing(&self, from: Op, to: Op) -> bool {
        self.before[from][0] == self.before[to][0]
    }

    /// Whether nothing may take more.
    fn takes_nothing(&self, from: Op, to: Op) -> bool {
        self.before[from][1] == self.before[to][1]
    }
}

/// None if there might be more memory at some time than before.
fn family<'a>(
    ir: &Ir,
    events: &Events,
    mut buffers: Vec<&'a TracedBuffer>,
    mut deallocs: Vec<Op>,
) -> Option<Family<'a>> {
    let context = ir.context();
    let has_usual_layout = |buffer: &&TracedBuffer| {
        let memref = context.as_memref(ir.value_type(ir.result(buffer.alloc, 0)));
        buffer.scale.is_static() && memref.is_some_and(|memref| memref.layout.is_none())
    };
    let block = ir.block_of(buffers[0].alloc)?;
    let mut allocs: Vec<Op> = buffers.iter().map(|buffer| buffer.alloc).collect();
    let mut ends = allocs.iter().chain(&deallocs);
    if !buffers.iter().all(has_usual_layout) || ends.any(|&op| ir.block_of(op) != Some(block)) {
        return None;
    }
    let in_order = |&a: &Op, &b: &Op| match ir.is_before_in_block(a, b) {
        true => Ordering::Less,
        false if a == b => Ordering::Equal,
        false => Ordering::Greater,
    };
    allocs.sort_by(in_order);
    deallocs.sort_by(in_order);
    let (first_alloc, last_alloc) = (*allocs.first()?, *allocs.last()?);
    let (first_free, last_free) = (*deallocs.first()?, *deallocs.last()?);
    if !events.frees_nothing(first_alloc, last_alloc)
        || !events.takes_nothing(first_free, last_free)
    {
        return None;
    }
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
        ir.set_attr(op, context.intern_name(NO_ARENA), Attr::UNIT);
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
