//! `promote-carried-buffers`: small buffers that loops carry, which each iteration frees and makes anew, are on the stack.
//!
//! Before:
//! ```mlir
//! %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
//!   %new = memref.alloc() : memref<2xf32>
//!   ...
//!   memref.dealloc %old : memref<2xf32>
//!   scf.yield %new : memref<2xf32>
//! }
//! ```
//! After:
//! ```mlir
//! %state = memref.alloca() : memref<2xf32>
//! ...                                               // %first is copied to it and freed
//! scf.for %i = %c0 to %c8 step %c1 {
//!   %new = memref.alloc() : memref<2xf32>
//!   ...                                             // reads %state
//!   ...                                             // %new is copied to it and freed
//! }
//! ```
//! A few elements are copied one by one, so that `forward-stores` and `promote-loop-accesses` keep them in registers.
//!
//! # Why this is right
//!
//! The loop owns what it carries: nothing else uses the first buffer later, an iteration frees what it gets, and of what it
//! makes for the next one no other name leaves it, nor its address as a number. So at the end of an iteration, when the new elements are copied, the old
//! ones and the new buffer are used no more. After the loop the elements are read where they are, or,
//! if the buffer is handed on, in a new one.

use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::MemRefType;

use super::contract_buffers::{BufferUses, is_made_at_once};
use crate::analysis::stack_budget;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "promote-carried-buffers",
    summary: "keep small buffers that loops carry on the stack",
    anchor: Anchor::Function,
    run,
};

/// The largest buffer, in bytes: to copy as many takes less than to allocate and to free. Not measured on its own; keys of
/// random numbers have 8 (`particle_filter`, benches/models). With 128 the `viterbi` of 32 states was 1.3 times as slow.
const MAX_BYTES: u64 = 64;
/// The largest sum of those in a function, in bytes.
const MAX_ALL_BYTES: u64 = 2048;
/// Up to this number, elements are copied one by one.
const MAX_ELEMENTS: i64 = 8;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    if ir.context().keeps_memory_operations() {
        return Ok(());
    }
    let mut loops = ir.collect_ops(ir.root());
    loops.retain(|&op| ir.is(op, &scf::FOR) && ir.results(op).iter().any(|&v| ir.is_memref(v)));
    if loops.is_empty() {
        return Ok(());
    }
    let mut stack_left = stack_budget::left(ir, MAX_ALL_BYTES);
    // Inner ones first, and those whose results others carry on before these.
    loops.sort_by_key(|&op| {
        let parents = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
        std::cmp::Reverse(parents.count())
    });
    for op in loops {
        for index in 0..ir.results(op).len() {
            if let Some(carried) = Carried::of(ir, op, index, stack_left) {
                stack_left -= carried.bytes;
                carried.apply(ir);
                context.count("buffers moved to the stack", 1);
            }
        }
    }
    Ok(())
}

/// A buffer that is another one in each iteration.
struct Carried {
    op: Op,
    /// Which of those that the loop carries.
    index: usize,
    shape: Vec<i64>,
    bytes: u64,
    /// What allocates the first one.
    first: Op,
    /// What frees the old one.
    dealloc: Op,
    /// What allocates the new one.
    new: Op,
    /// What frees the last one, if it is only looked at after the loop.
    last: Option<Vec<Op>>,
}

impl Carried {
    fn of(ir: &Ir, op: Op, index: usize, stack_left: u64) -> Option<Self> {
        let context = ir.context();
        let view = scf::For(op);
        let body = view.body(ir);
        let old = *view.iter_args(ir).get(index)?;
        let memref = context.as_memref(ir.value_type(old))?;
        let bytes = u64::try_from(memref.n_elements()?)
            .ok()?
            .checked_mul(context.element_byte_size(memref.element)?)?
            .checked_next_multiple_of(16)?;
        if *memref != MemRefType::identity(&memref.shape, memref.element)
            || bytes > MAX_BYTES.min(stack_left)
            || is_made_at_once(ir, op)
        {
            return None;
        }
        let mut deallocs = ir.uses(old).iter().map(|user| user.op);
        let dealloc = deallocs
            .find(|&user| ir.is(user, &memref::DEALLOC) && ir.block_of(user) == Some(body))?;

        let end = view.yield_op(ir);
        let new =
            base_of(ir, ir.operand(end, index)).filter(|&new| ir.block_of(new) == Some(body))?;
        let first = base_of(ir, ir.operand(op, 3 + index))
            .filter(|&first| ir.block_of(first) == ir.block_of(op))?;
        // Both are handed on once, and not freed before that.
        let block = ir.block_of(op)?;
        let is_before = |&user: &Op| {
            ir.ancestor_in_block(user, block)
                .is_some_and(|user| ir.is_before_in_block(user, op))
        };
        let uses = BufferUses::of(ir, ir.result(first, 0))?;
        if !is_handed_on(&BufferUses::of(ir, ir.result(new, 0))?, (end, index))
            || !is_handed_on(&uses, (op, 3 + index))
            || !uses.users.iter().all(is_before)
        {
            return None;
        }
        let last = BufferUses::of(ir, ir.result(op, index));
        let last = last
            .filter(|last| last.others.is_empty() && last.addresses.is_empty())
            .map(|last| last.deallocs);
        Some(Self {
            op,
            index,
            shape: memref.shape.to_vec(),
            bytes,
            first,
            dealloc,
            new,
            last,
        })
    }

    fn apply(self, ir: &mut Ir) {
        let view = scf::For(self.op);
        let (old, end) = (view.iter_args(ir)[self.index], view.yield_op(ir));
        let ty = ir.value_type(old);
        let entry = ir.root_block().and_then(|block| ir.first_op(block));
        // Calls may count on the alignment of any of the buffers.
        let alignment = [self.first, self.new].into_iter().filter_map(|alloc| {
            let attr = ir.attr(alloc, Name::ALIGNMENT)?;
            Some((ir.context().attr_integer(attr)?, attr))
        });
        let alignment = alignment
            .max_by_key(|&(bytes, _)| bytes)
            .map(|(_, attr)| attr);
        let build = |builder: &mut Builder<'_>, def: &'static OpDef| {
            let mut spec = builder.spec(def).results(&[ty]);
            if let Some(alignment) = alignment {
                spec.set_attr(Name::ALIGNMENT, alignment);
            }
            let made = builder.create(spec);
            builder.ir.result(made, 0)
        };
        let state = build(
            &mut Builder::before(ir, entry.unwrap_or(self.op)),
            &memref::ALLOCA,
        );
        ir.erase_op(self.dealloc);
        ir.replace_all_uses(old, state);

        for (at, operand, alloc) in [
            (self.op, 3 + self.index, self.first),
            (end, self.index, self.new),
        ] {
            let (handed_on, made) = (ir.operand(at, operand), ir.result(alloc, 0));
            let loc = ir.loc(at);
            let mut builder = Builder::before(ir, at);
            builder.set_loc(loc);
            copy(&mut builder, handed_on, state, &self.shape);
            memref::build::dealloc(&mut builder, made);
        }
        // Canonicalization drops what no iteration changes.
        ir.set_operand(self.op, 3 + self.index, state);
        ir.set_operand(end, self.index, old);

        let result = ir.result(self.op, self.index);
        match self.last {
            Some(deallocs) => {
                for dealloc in deallocs {
                    ir.erase_op(dealloc);
                }
                ir.replace_all_uses(result, state);
            }
            None => {
                let loc = ir.loc(self.op);
                let mut builder = Builder::after(ir, self.op);
                builder.set_loc(loc);
                let last = build(&mut builder, &memref::ALLOC);
                copy(&mut builder, state, last, &self.shape);
                ir.replace_all_uses(result, last);
            }
        }
    }
}

/// The allocation that a buffer is a view of.
fn base_of(ir: &Ir, mut buffer: Value) -> Option<Op> {
    loop {
        let op = ir.defining_op(buffer)?;
        if ir.is(op, &memref::ALLOC) {
            return Some(op);
        }
        buffer = ir.def(op).view_source?(ir, op);
    }
}

/// Whether the only use of a buffer that is not over with an operation is this operand. Its address is no number, which
/// could be used for longer.
fn is_handed_on(uses: &BufferUses, to: (Op, usize)) -> bool {
    uses.deallocs.is_empty() && uses.addresses.is_empty() && uses.others == [to]
}

/// Copies elements of buffers of this shape.
fn copy(builder: &mut Builder<'_>, from: Value, to: Value, shape: &[i64]) {
    let n: i64 = shape.iter().product();
    if n > MAX_ELEMENTS {
        memref::build::copy(builder, from, to);
        return;
    }
    for mut place in 0..n {
        let mut indices = Vec::new();
        for &size in shape.iter().rev() {
            indices.push(arith::constant_index(builder, place % size));
            place /= size;
        }
        indices.reverse();
        let element = memref::build::load(builder, from, &indices);
        memref::build::store(builder, element, to, &indices);
    }
}
