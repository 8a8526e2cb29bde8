//! `contract-buffers`: a buffer in which each iteration of a loop uses a part of its own is as large as one such
//! part.
//!
//! Before:
//! ```mlir
//! %b = memref.alloc() : memref<64x8xf32>
//! scf.for %i = %c0 to %c64 step %c1 {
//!   scf.for %j = %c0 to %c8 step %c1 {
//!     ...
//!     memref.store %x, %b[%i, %j] : memref<64x8xf32>
//!   }
//!   scf.for %j = %c0 to %c8 step %c1 {
//!     %y = memref.load %b[%i, %j] : memref<64x8xf32>
//!     ...
//!   }
//! }
//! memref.dealloc %b : memref<64x8xf32>
//! ```
//! After, on the stack since it is small:
//! ```mlir
//! %b = memref.alloca() : memref<8xf32>
//! scf.for %i = %c0 to %c64 step %c1 {
//!   ...
//!     memref.store %x, %b[%j] : memref<8xf32>
//!   ...
//!     %y = memref.load %b[%j] : memref<8xf32>
//!   ...
//! }
//! ```
//! `fuse-loops` makes such loops of those that fill a tensor and read it. A small buffer that each iteration of a loop
//! allocates and frees for itself goes to the stack as well, also where views of it and calls that keep no address use it.
//!
//! # Why this is right
//!
//! The loops that count the dimensions which go are nested, with nothing between them that could repeat, and the
//! outermost one is in the block of the allocation; so their counters tell iterations of the innermost one apart
//! as long as the buffer is there. All accesses are in that one and have these counters as subscripts, so what is
//! read was stored in the same iteration, or never, which is undefined. And what one iteration left in the
//! smaller buffer, no other one reads. Where an iteration does several at once, its subscripts are the counter and up to
//! the step more, less than the step: the dimension is as large as the step then. A buffer on the stack is that of all iterations around its allocation: none may
//! rely on what is in it before it has stored something.
//!
//! Comes after loops run in vectors: until then, iterations that store to places of their own can be told to be
//! independent.

use freehold_frontend::dialects::{arith, func, memref, scf, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::analysis::loop_memory::Access;
use crate::analysis::stack_budget;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "contract-buffers",
    summary: "drop dimensions of buffers along which loops use one part at a time",
    anchor: Anchor::Function,
    run,
};

/// The largest contracted buffer on the stack, in bytes: upstream's default of
/// `promote-buffers-to-stack`.
const MAX_STACK_BYTES: u64 = 1024;
/// The largest sum of those in a function, in bytes.
const MAX_ALL_STACK_BYTES: u64 = 8 * MAX_STACK_BYTES;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    if ir.context().keeps_memory_operations() {
        return Ok(());
    }
    let mut stack_left = stack_budget::left(ir, MAX_ALL_STACK_BYTES);
    let allocs: Vec<Op> = (ir.walk(ir.root()))
        .filter(|&op| ir.is(op, &memref::ALLOC))
        .collect();
    for alloc in allocs {
        if let Some(contraction) = Contraction::of(ir, alloc, stack_left) {
            contraction.apply(ir, &mut stack_left);
            context.count("buffers contracted", 1);
        } else if let Some(temporary) = Temporary::of(ir, alloc, stack_left) {
            stack_left -= temporary.bytes;
            temporary.apply(ir);
            context.count("buffers moved to the stack", 1);
        }
    }
    Ok(())
}

/// A small buffer of each iteration of a loop that views and copies may use, and calls that keep no address.
struct Temporary {
    alloc: Op,
    bytes: u64,
    deallocs: Vec<Op>,
}

/// Limit for the uses of a buffer and its views that are looked at: bounds compile time.
const MAX_USES: usize = 256;

impl Temporary {
    fn of(ir: &Ir, alloc: Op, stack_left: u64) -> Option<Self> {
        let buffer = ir.result(alloc, 0);
        let memref = ir.context().as_memref(ir.value_type(buffer))?;
        if memref.shape.contains(&DYNAMIC) || memref.layout.is_some() {
            return None;
        }
        let bytes = stack_bytes(ir, &memref.shape, memref.element)?;
        if bytes > stack_left || !is_in_loop(ir, alloc) || is_made_at_once(ir, alloc) {
            return None;
        }
        // An address may go anywhere as a number: it means nothing once the buffer is freed, which is in the block that
        // allocates it.
        let BufferUses {
            deallocs, others, ..
        } = BufferUses::of(ir, buffer)?;
        let is_freed = !deallocs.is_empty()
            && (deallocs.iter()).all(|&dealloc| ir.block_of(dealloc) == ir.block_of(alloc));
        (is_freed && others.is_empty()).then_some(Self {
            alloc,
            bytes,
            deallocs,
        })
    }

    fn apply(self, ir: &mut Ir) {
        let old = ir.result(self.alloc, 0);
        let ty = ir.value_type(old);
        let first = ir.root_block().and_then(|block| ir.first_op(block));
        let first = first.unwrap_or(self.alloc);
        let alignment = ir.attr(self.alloc, Name::ALIGNMENT);
        let new = Builder::before(ir, first).value(&memref::ALLOCA, &[], ty);
        if let (Some(alignment), Some(alloca)) = (alignment, ir.defining_op(new)) {
            // Calls may count on it.
            ir.set_attr(alloca, Name::ALIGNMENT, alignment);
        }
        for dealloc in self.deallocs {
            ir.erase_op(dealloc);
        }
        ir.replace_op(self.alloc, &[new]);
    }
}

/// What a buffer and its views are used for.
#[derive(Default)]
pub(super) struct BufferUses {
    /// What frees the buffer by its own name.
    pub(super) deallocs: Vec<Op>,
    /// What uses it only while it runs.
    pub(super) users: Vec<Op>,
    /// What makes its address a number.
    pub(super) addresses: Vec<Op>,
    /// Other uses: the operation, and which operand.
    pub(super) others: Vec<(Op, usize)>,
}

impl BufferUses {
    /// `None` if there are many.
    pub(super) fn of(ir: &Ir, buffer: Value) -> Option<Self> {
        let mut uses = Self::default();
        let mut values = vec![buffer];
        let mut n_uses = 0;
        while let Some(value) = values.pop() {
            for user in ir.uses(value) {
                n_uses += 1;
                if n_uses > ir.capped(MAX_USES) {
                    return None;
                }
                let op = user.op;
                let source = ir.def(op).view_source;
                if source.is_some_and(|source| source(ir, op) == value) {
                    values.extend(ir.results(op));
                } else if ir.is(op, &memref::DEALLOC) && value == buffer {
                    uses.deallocs.push(op);
                } else if ir.is(op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) {
                    uses.addresses.push(op);
                } else if is_over_with(ir, op, value) {
                    uses.users.push(op);
                } else {
                    uses.others.push((op, user.index as usize));
                }
            }
        }
        Some(uses)
    }
}

/// Whether an operation uses a buffer or a view of it only while it runs.
fn is_over_with(ir: &Ir, op: Op, value: Value) -> bool {
    let is_access = || Access::of(ir, op).is_some_and(|access| access.value(ir) != value);
    let is_call = || ir.is(op, &func::CALL) && ir.has_attr(op, Name::KEEPS_NOTHING);
    let is_one_of = |rows: &[&'static OpDef]| rows.iter().any(|row| ir.is(op, row));
    is_one_of(&[
        &memref::COPY,
        &memref::DIM,
        &vector::GATHER,
        &vector::SCATTER,
        &vector::MASKED_LOAD,
        &vector::MASKED_STORE,
    ]) || is_access()
        || is_call() && ir.results(op).is_empty()
}

struct Contraction {
    alloc: Op,
    accesses: Vec<Access>,
    deallocs: Vec<Op>,
    /// The dimensions that get smaller, in ascending order: each by the counter of a loop whose iterations have their own
    /// parts of it.
    contracted: Vec<Contracted>,
}

/// A dimension of a buffer along which each iteration of a loop uses a part of its own.
#[derive(Clone, Copy)]
struct Contracted {
    dim: usize,
    counter: Value,
    /// How large the part is; a dimension of 1 goes.
    size: i64,
}

/// Whether a buffer is going to be smaller. The iterations of a loop that stores to it then begin at the beginning of a
/// register, as the buffer does. Not if it has more uses than are looked at.
pub(super) fn is_contractible(ir: &Ir, buffer: Value) -> bool {
    let alloc = ir.defined_by(buffer, &memref::ALLOC);
    ir.uses(buffer).len() <= ir.capped(MAX_USES)
        && alloc
            .and_then(|alloc| Contraction::of(ir, alloc, 0))
            .is_some_and(|contraction| !contraction.contracted.is_empty())
}

impl Contraction {
    /// What can be done about an allocation while so much of the stack is left.
    fn of(ir: &Ir, alloc: Op, stack_left: u64) -> Option<Self> {
        let buffer = ir.result(alloc, 0);
        let memref = ir.context().as_memref(ir.value_type(buffer))?;
        let rank = memref.rank();
        if memref.shape.contains(&DYNAMIC) || memref.layout.is_some() {
            return None;
        }
        let block = ir.block_of(alloc)?;
        let mut accesses = Vec::new();
        let mut deallocs = Vec::new();
        // What is stored and loaded in vectors goes along the last dimensions.
        let mut n_first = rank;
        for user in ir.uses(buffer) {
            if ir.is(user.op, &memref::DEALLOC) && ir.block_of(user.op) == Some(block) {
                deallocs.push(user.op);
                continue;
            }
            let access = Access::of(ir, user.op)?;
            if access.value(ir) == buffer {
                return None;
            }
            if ir.is(user.op, &vector::LOAD) || ir.is(user.op, &vector::STORE) {
                let lanes = ir.context().shape(ir.value_type(access.value(ir)))?.len();
                n_first = n_first.min(rank.checked_sub(lanes)?);
            }
            accesses.push(access);
        }
        let mut loops: Option<Vec<Op>> = None;
        for access in &accesses {
            let around = loops_around(ir, access.op, alloc)?;
            let common = match loops.take() {
                None => around,
                Some(known) => {
                    let pairs = known.into_iter().zip(around);
                    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
                }
            };
            loops = Some(common);
        }
        let mut contracted: Vec<Contracted> = Vec::new();
        for op in loops? {
            let counter = scf::For(op).induction_variable(ir);
            let step = arith::as_constant_index(ir, scf::For(op).step(ir)).unwrap_or(1);
            let part_of = |dim: usize| {
                let mut size = 1;
                for access in &accesses {
                    let ahead = ahead_of(ir, access.indices(ir)[dim], counter)?;
                    size = size.max(ahead + 1);
                }
                let is_smaller = size == 1 || size <= step && size < memref.shape[dim];
                is_smaller.then_some(Contracted { dim, counter, size })
            };
            let mut rest = (0..n_first).filter(|dim| contracted.iter().all(|c| c.dim != *dim));
            match rest.find_map(part_of) {
                Some(part) => contracted.push(part),
                None => break,
            }
        }
        contracted.sort_unstable_by_key(|part| part.dim);
        let is_worth_it = !contracted.is_empty()
            || is_in_loop(ir, alloc)
                && !is_made_at_once(ir, alloc)
                && stack_bytes(ir, &memref.shape, memref.element)
                    .is_some_and(|bytes| bytes <= stack_left);
        is_worth_it.then_some(Self {
            alloc,
            accesses,
            deallocs,
            contracted,
        })
    }

    /// Takes memory from the remaining stack if that is enough.
    fn apply(self, ir: &mut Ir, stack_left: &mut u64) {
        let context = ir.context().clone();
        let old = ir.result(self.alloc, 0);
        let Some(memref) = context.as_memref(ir.value_type(old)) else {
            return;
        };
        let mut shape = memref.shape.to_vec();
        for part in self.contracted.iter().rev() {
            match part.size {
                1 => _ = shape.remove(part.dim),
                size => shape[part.dim] = size,
            }
        }
        let bytes = stack_bytes(ir, &shape, memref.element);
        let is_small =
            !is_made_at_once(ir, self.alloc) && bytes.is_some_and(|bytes| bytes <= *stack_left);
        if is_small {
            *stack_left -= bytes.unwrap_or(0);
        }
        let ty = context.memref_type(MemRefType {
            space: memref.space,
            ..MemRefType::identity(&shape, memref.element)
        });
        let buffer = match ir.root_block().and_then(|block| ir.first_op(block)) {
            Some(first) if is_small => Builder::before(ir, first).value(&memref::ALLOCA, &[], ty),
            _ => {
                let mut builder = Builder::before(ir, self.alloc);
                let mut spec = builder.spec(&memref::ALLOC).results(&[ty]);
                if let Some(alignment) = builder.ir.attr(self.alloc, Name::ALIGNMENT) {
                    spec.set_attr(Name::ALIGNMENT, alignment);
                }
                let alloc = builder.create(spec);
                ir.result(alloc, 0)
            }
        };
        for access in self.accesses {
            for part in self.contracted.iter().rev() {
                let operand = access.index_operand(part.dim);
                if part.size == 1 {
                    ir.remove_operand(access.op, operand);
                } else if let Some(ahead) = ahead_of(ir, access.indices(ir)[part.dim], part.counter)
                {
                    let index = arith::constant_index(&mut Builder::before(ir, access.op), ahead);
                    ir.set_operand(access.op, operand, index);
                }
            }
        }
        if is_small {
            for dealloc in self.deallocs {
                ir.erase_op(dealloc);
            }
        }
        ir.replace_all_uses(old, buffer);
        ir.erase_op(self.alloc);
    }
}

/// How far an index is ahead of a counter: a constant that is not negative.
fn ahead_of(ir: &Ir, index: Value, counter: Value) -> Option<i64> {
    if index == counter {
        return Some(0);
    }
    let sum = ir.defined_by(index, &arith::ADDI)?;
    let ahead = match (ir.operand(sum, 0), ir.operand(sum, 1)) {
        (one, other) if one == counter => other,
        (other, one) if one == counter => other,
        _ => return None,
    };
    arith::as_constant_index(ir, ahead).filter(|&ahead| (0..i64::MAX).contains(&ahead))
}

/// How many bytes such a buffer takes, if it may be on the stack.
fn stack_bytes(ir: &Ir, shape: &[i64], element: Type) -> Option<u64> {
    let mut bytes = ir.context().element_byte_size(element)?;
    for &size in shape {
        bytes = bytes.checked_mul(u64::try_from(size).ok()?)?;
    }
    (bytes <= MAX_STACK_BYTES).then_some(bytes)
}

/// Whether iterations that run at the same time have such a buffer each: the stack of their function is one.
pub(super) fn is_made_at_once(ir: &Ir, alloc: Op) -> bool {
    let mut parents = std::iter::successors(ir.parent_op(alloc), |&op| ir.parent_op(op));
    parents.any(|parent| parent != ir.root() && ir.has_trait(parent, Traits::PARALLEL))
}

/// Whether an operation may run several times in a call of its function.
fn is_in_loop(ir: &Ir, op: Op) -> bool {
    let mut parents = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    parents.any(|parent| ir.is(parent, &scf::FOR) || ir.is(parent, &scf::WHILE))
}

/// The loops around `op` that are nested in each other without anything in between, beginning with the one in the
/// block of `alloc`.
fn loops_around(ir: &Ir, op: Op, alloc: Op) -> Option<Vec<Op>> {
    let block = ir.block_of(alloc)?;
    let mut parents = Vec::new();
    let mut current = op;
    while ir.block_of(current) != Some(block) {
        current = ir.parent_op(current)?;
        parents.push(current);
    }
    let loops = parents.into_iter().rev();
    Some(loops.take_while(|&op| ir.is(op, &scf::FOR)).collect())
}
