//! What loops do to memory, and which buffers share none.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::offset_size_stride::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, func, memref, scf, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
use smallvec::SmallVec;

use crate::analysis::travels::incoming;

/// Loops with more operations inside are left alone: bounds compile time. Fusion makes bodies of up to 31 elementary
/// functions, with up to 150 operations each when they are written out; `bilateral` of benches/models has 1,300.
const MAX_OPS: usize = 5120;
/// So are loops with more accesses, which are compared in pairs. The loops of benches/kernels.rs, jammed
/// and fused, have fewer.
pub(crate) const MAX_ACCESSES: usize = 256;
/// The operations that make a subscript are looked at so far back: each may have several operands, so
/// this bounds compile time.
pub(crate) const MAX_DEPTH: u32 = 6;
/// So are those that would need more pairs of buffers to be compared: bounds the work before each run of
/// the loop to some forty instructions, which were counted and not measured.
const MAX_PAIRS: usize = 12;
/// What a buffer that loops carry may have been: bounds compile time.
const MAX_CARRIED: usize = 16;

/// How often a loop that counts in ones runs, if its bounds are known.
pub(crate) fn trip_count(ir: &Ir, op: Op) -> Option<i64> {
    let bound = |i| arith::as_constant_index(ir, ir.operand(op, i));
    let (lower, upper) = (bound(0)?, bound(1)?);
    Some(upper.saturating_sub(lower).max(0))
}

/// A load or store of an element or of a vector of elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) op: Op,
    pub(crate) buffer: Value,
    pub(crate) is_store: bool,
    /// The first operand that is a subscript.
    first_index: usize,
}

impl Access {
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Self> {
        let is_load = ir.is(op, &memref::LOAD) || ir.is(op, &vector::LOAD);
        let is_store = ir.is(op, &memref::STORE) || ir.is(op, &vector::STORE);
        if !is_load && !is_store {
            return None;
        }
        let at = usize::from(is_store);
        Some(Self {
            op,
            buffer: ir.operand(op, at),
            is_store,
            first_index: at + 1,
        })
    }

    pub(crate) fn indices(self, ir: &Ir) -> &[Value] {
        &ir.operands(self.op)[self.first_index..]
    }

    /// Which operand the buffer is.
    pub(crate) fn buffer_operand(self) -> usize {
        self.first_index - 1
    }

    /// Which operand the subscript of a dimension is.
    pub(crate) fn index_operand(self, dim: usize) -> usize {
        self.first_index + dim
    }

    /// The access.
    pub(crate) fn value(self, ir: &Ir) -> Value {
        match self.is_store {
            true => ir.operand(self.op, 0),
            false => ir.result(self.op, 0),
        }
    }
}

/// All accesses inside of a loop. `None` if it is large, or something in there may touch memory in
/// another way.
pub(crate) fn accesses(ir: &Ir, loop_op: Op) -> Option<Vec<Access>> {
    accesses_or_first_other(ir, loop_op).ok()
}

/// The same, or the first operation that is in the way.
pub(crate) fn accesses_or_first_other(ir: &Ir, loop_op: Op) -> Result<Vec<Access>, Op> {
    let mut accesses = Vec::new();
    for (n, op) in ir.walk(loop_op).enumerate() {
        if n > ir.capped(MAX_OPS) {
            return Err(op);
        }
        match Access::of(ir, op) {
            Some(_) if accesses.len() == ir.capped(MAX_ACCESSES) => return Err(op),
            Some(access) => accesses.push(access),
            None if ir.own_effects(op).is_some_and(|effects| effects.is_empty()) => {}
            None => return Err(op),
        }
    }
    Ok(accesses)
}

/// Whether `value` is there before `loop_op` begins.
pub(crate) fn is_outside(ir: &Ir, value: Value, loop_op: Op) -> bool {
    let parent = ir
        .value_block(value)
        .and_then(|block| ir.block_parent_op(block));
    parent.is_none_or(|parent| !ir.is_ancestor(loop_op, parent))
}

/// Whether two values are the same number in every iteration: the same, or computed alike.
pub(crate) fn is_same_number(ir: &Ir, a: Value, b: Value) -> bool {
    is_computed_alike(ir, &|a, b| a == b, a, b, ir.capped(MAX_DEPTH))
}

fn is_computed_alike(
    ir: &Ir,
    is_same: &impl Fn(Value, Value) -> bool,
    a: Value,
    b: Value,
    depth: u32,
) -> bool {
    let (a, b) = (size_of_alloc(ir, a), size_of_alloc(ir, b));
    if is_same(a, b) {
        return true;
    }
    let (Some(first), Some(second)) = (ir.defining_op(a), ir.defining_op(b)) else {
        return false;
    };
    depth != 0
        && std::ptr::eq(ir.def(first), ir.def(second))
        && ir.attrs(first) == ir.attrs(second)
        && ir.results(first).len() == 1
        && ir.results(second).len() == 1
        && ir.operands(first).len() == ir.operands(second).len()
        && ir.regions(first).is_empty()
        && ir.is_memory_effect_free(first)
        && (ir.operands(first).iter().zip(ir.operands(second)))
            .all(|(&a, &b)| is_computed_alike(ir, is_same, a, b, depth - 1))
}

/// What an allocation was given as its size, if `value` asks for that.
fn size_of_alloc(ir: &Ir, mut value: Value) -> Value {
    for _ in 0..ir.capped(MAX_DEPTH) {
        let size = || {
            let dim = memref::Dim(ir.defined_by(value, &memref::DIM)?);
            let alloc = ir.defining_op(dim.source(ir))?;
            let number = usize::try_from(arith::as_constant_index(ir, dim.index(ir))?).ok()?;
            is_alloc(ir, alloc)
                .then(|| memref::alloc::dynamic_size_of(ir, alloc, number))
                .flatten()
        };
        match size() {
            Some(size) => value = size,
            None => break,
        }
    }
    value
}

pub(crate) fn is_alloc(ir: &Ir, op: Op) -> bool {
    ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA)
}

/// Whether `op` computes an index, or is a constant.
pub(crate) fn is_number(ir: &Ir, op: Op) -> bool {
    let is_index = || ir.value_type(ir.result(op, 0)) == Type::INDEX;
    let arithmetic = [&arith::ADDI, &arith::SUBI, &arith::MULI];
    ir.is(op, &arith::CONSTANT) || arithmetic.iter().any(|def| ir.is(op, def)) && is_index()
}

/// Whether `value` is the same in all iterations of the loop `op`.
pub(crate) fn is_fixed(ir: &Ir, op: Op, value: Value) -> bool {
    fn is_fixed(ir: &Ir, op: Op, value: Value, depth: u32) -> bool {
        is_outside(ir, value, op)
            || depth != 0
                && ir.defining_op(value).is_some_and(|number| {
                    is_number(ir, number)
                        && (ir.operands(number).iter())
                            .all(|&operand| is_fixed(ir, op, operand, depth - 1))
                })
    }
    is_fixed(ir, op, value, ir.capped(MAX_DEPTH))
}

/// Whether `value` is the `counter` of the loop `op` plus an invariant.
pub(crate) fn counts(ir: &Ir, op: Op, counter: Value, value: Value) -> bool {
    fn counts(ir: &Ir, op: Op, counter: Value, value: Value, depth: u32) -> bool {
        if value == counter {
            return true;
        }
        let Some(sum) = ir.defining_op(value) else {
            return false;
        };
        let &[a, b] = ir.operands(sum) else {
            return false;
        };
        let is_shifted = |a, b| counts(ir, op, counter, a, depth - 1) && is_fixed(ir, op, b);
        depth != 0
            && !is_outside(ir, value, op)
            && (ir.is(sum, &arith::ADDI) && (is_shifted(a, b) || is_shifted(b, a))
                || ir.is(sum, &arith::SUBI) && is_shifted(a, b))
    }
    counts(ir, op, counter, value, ir.capped(MAX_DEPTH))
}

/// The values that count the iterations of a `scf.for` or `scf.parallel`.
fn counters(ir: &Ir, op: Op) -> &[Value] {
    let body = ir.entry_block(ir.region(op, 0));
    let arguments = body.map_or(&[][..], |body| ir.block_args(body));
    match ir.is(op, &scf::FOR) {
        true => &arguments[..1],
        false => arguments,
    }
}

/// Whether `a` in one iteration of the first loop and `b` in another one of the second loop are different
/// elements of their buffer.
///
/// They are if for each counter there is a dimension in which both have it plus the same number as
/// their subscript: then these differ. So does the address if the layout is row-major, or if all other
/// subscripts are the same numbers and the stride is known and not zero.
pub(crate) fn iterations_are_apart(ir: &Ir, loops: [Op; 2], a: Access, b: Access) -> bool {
    let context = ir.context();
    let Some(memref) = context.as_memref(ir.value_type(a.buffer)) else {
        return false;
    };
    if [a, b].map(|access| ir.value_type(access.value(ir))) != [memref.element; 2] {
        return false;
    }
    let [first, second] = loops.map(|op| counters(ir, op));
    let is_same_value = |a, b| a == b || first.iter().zip(second).any(|(&x, &y)| (a, b) == (x, y));
    let (indices, others) = (a.indices(ir), b.indices(ir));
    let is_same = |dim: usize| {
        is_computed_alike(
            ir,
            &is_same_value,
            indices[dim],
            others[dim],
            ir.capped(MAX_DEPTH),
        )
    };
    let counts = |counter, dim: usize| counts(ir, loops[0], counter, indices[dim]) && is_same(dim);
    let dims = 0..indices.len();
    if memref.layout.is_none() {
        let mut counters = first.iter();
        return counters.all(|&counter| dims.clone().any(|dim| counts(counter, dim)));
    }
    let (&[counter], Some((strides, _))) = (first, context.memref_strides(memref)) else {
        return false;
    };
    dims.clone().any(|counting| {
        counts(counter, counting)
            && ![0, DYNAMIC].contains(&strides[counting])
            && dims
                .clone()
                .all(|dim| dim == counting || is_same(dim) && is_fixed(ir, loops[0], indices[dim]))
    })
}

/// An index as a linear combination of values, and a number.
#[derive(Default)]
struct LinearSum {
    terms: SmallVec<[(Value, i64); 4]>,
    constant: i64,
}

impl LinearSum {
    /// Adds `factor` times `value`, and takes sums apart, a few one after the other.
    fn add(&mut self, ir: &Ir, value: Value, factor: i64, steps: u32) {
        let sum = ir.defining_op(value).filter(|_| steps != 0);
        if let Some(number) = arith::as_constant_index(ir, value) {
            self.constant = self.constant.wrapping_add(factor.wrapping_mul(number));
        } else if let Some(op) = sum.filter(|&op| ir.is(op, &arith::ADDI)) {
            self.add(ir, ir.operand(op, 0), factor, steps - 1);
            self.add(ir, ir.operand(op, 1), factor, steps - 1);
        } else if let Some(op) = sum.filter(|&op| ir.is(op, &arith::SUBI)) {
            self.add(ir, ir.operand(op, 0), factor, steps - 1);
            self.add(ir, ir.operand(op, 1), factor.wrapping_neg(), steps - 1);
        } else if let Some((_, n)) = self.terms.iter_mut().find(|(term, _)| *term == value) {
            *n = n.wrapping_add(factor);
        } else {
            self.terms.push((value, factor));
        }
    }
}

/// Whether two indices that are computed at the same time are certainly different.
fn are_different_numbers(ir: &Ir, a: Value, b: Value) -> bool {
    let mut difference = LinearSum::default();
    difference.add(ir, a, 1, 4);
    difference.add(ir, b, -1, 4);
    difference.constant != 0 && difference.terms.iter().all(|&(_, n)| n == 0)
}

/// Whether the layout of a buffer puts different subscripts at different places.
pub(crate) fn is_injective(context: &Context, memref: &MemRefType) -> bool {
    if memref.layout.is_none() {
        return true;
    }
    let Some((strides, _)) = context.memref_strides(memref) else {
        return false;
    };
    // The elements of a row lie within the distance to the next one.
    let mut length = Some(1i64);
    strides
        .iter()
        .zip(&memref.shape)
        .rev()
        .all(|(&stride, &size)| {
            let is_apart = stride != DYNAMIC && length.is_some_and(|length| stride >= length);
            length = match size {
                DYNAMIC => None,
                _ => stride.checked_mul(size),
            };
            is_apart
        })
}

/// Whether different subscripts of `buffer` are different places, by its type or because it is part of a buffer of which
/// they are.
pub(crate) fn has_distinct_elements(ir: &Ir, mut buffer: Value) -> bool {
    loop {
        let memref = ir.context().as_memref(ir.value_type(buffer));
        if memref.is_some_and(|memref| is_injective(ir.context(), memref)) {
            return true;
        }
        let Some(op) = ir.defining_op(buffer) else {
            return false;
        };
        let has_steps = |op| {
            let known = |stride: &MixedIndex| stride.constant(ir).is_some_and(|stride| stride != 0);
            OffsetSizeStride::of(ir, op).is_some_and(|lists| lists.strides.iter().all(known))
        };
        let is_part = ir.is(op, &memref::SUBVIEW) && has_steps(op);
        if !is_part && !ir.is(op, &memref::CAST) && !ir.is(op, &memref::TRANSPOSE) {
            return false;
        }
        buffer = ir.operand(op, 0);
    }
}

/// Whether two accesses of one buffer, in the same iteration of all loops around, certainly reach
/// different elements. A vector is part of a row.
pub(crate) fn are_apart(ir: &Ir, a: Access, b: Access) -> bool {
    let context = ir.context();
    let Some(memref) = context.as_memref(ir.value_type(a.buffer)) else {
        return false;
    };
    let is_scalar = |access: Access| ir.value_type(access.value(ir)) == memref.element;
    let n = a.indices(ir).len();
    let n = match is_scalar(a) && is_scalar(b) {
        true => n,
        false => n.saturating_sub(1),
    };
    is_injective(context, memref) && (differ_in(ir, a, b, n) || are_other_columns(ir, a, b))
}

/// Whether two accesses of one buffer, in the same iteration of all loops around, certainly differ in one of their first
/// `n` subscripts, in a layout where that makes other elements.
pub(crate) fn are_apart_in(ir: &Ir, a: Access, b: Access, n: usize) -> bool {
    let memref = ir.context().as_memref(ir.value_type(a.buffer));
    memref.is_some_and(|memref| is_injective(ir.context(), memref)) && differ_in(ir, a, b, n)
}

fn differ_in(ir: &Ir, a: Access, b: Access, n: usize) -> bool {
    let mut both = a.indices(ir).iter().zip(b.indices(ir)).take(n);
    both.any(|(&a, &b)| are_different_numbers(ir, a, b))
}

/// Whether two accesses of one buffer are to neighbours in rows, in columns that are known, and none of them the same.
fn are_other_columns(ir: &Ir, a: Access, b: Access) -> bool {
    let columns = |access: Access| {
        let first = arith::as_constant_index(ir, *access.indices(ir).last()?)?;
        let is_vector = ir.is(access.op, &vector::LOAD) || ir.is(access.op, &vector::STORE);
        let n = match (
            is_vector,
            ir.context().shape(ir.value_type(access.value(ir))),
        ) {
            (true, Some(&[n])) => n,
            (false, None) => 1,
            _ => return None,
        };
        Some((first, first.checked_add(n)?))
    };
    columns(a)
        .zip(columns(b))
        .is_some_and(|(a, b)| a.1 <= b.0 || b.1 <= a.0)
}

/// Where the memory of a buffer comes from.
enum Origin<'a> {
    /// An allocation of this function.
    Fresh,
    /// A global of this name.
    Global(&'a str),
    /// A caller, who had it before this function began.
    Caller,
    Unknown,
}

/// The buffer that `value` is a view of.
pub(crate) fn viewed(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(source) = ir.def(op).view_source
    {
        value = source(ir, op);
    }
    value
}

fn origin(ir: &Ir, buffer: Value) -> Origin<'_> {
    match ir.value_def(buffer) {
        ValueDef::Result(op, _) if is_alloc(ir, op) => Origin::Fresh,
        ValueDef::Result(op, _) if ir.is(op, &memref::GET_GLOBAL) => {
            match memref::GetGlobal(op).symbol(ir) {
                Some(name) => Origin::Global(name),
                None => Origin::Unknown,
            }
        }
        ValueDef::Argument(block, _)
            if Some(block) == ir.root_block() && ir.is(ir.root(), &func::FUNC) =>
        {
            Origin::Caller
        }
        _ => Origin::Unknown,
    }
}

/// Whether two buffers certainly share no memory. An allocation is apart from all older memory and from other
/// allocations as long as both may be used.
pub(crate) fn are_distinct(ir: &Ir, a: Value, b: Value) -> bool {
    let (a, b) = (viewed(ir, a), viewed(ir, b));
    if a == b {
        return false;
    }
    match (origin(ir, a), origin(ir, b)) {
        (Origin::Fresh, Origin::Unknown) if is_there_before(ir, b, a) => true,
        (Origin::Unknown, Origin::Fresh) if is_there_before(ir, a, b) => true,
        (Origin::Unknown, _) | (_, Origin::Unknown) => {
            let (Some(a), Some(b)) = (origins(ir, a), origins(ir, b)) else {
                return false;
            };
            a.iter()
                .all(|&a| b.iter().all(|&b| come_from_apart(ir, a, b)))
        }
        _ => come_from_apart(ir, a, b),
    }
}

/// Whether memory that is there at one time shares nothing if it comes from these.
fn come_from_apart(ir: &Ir, a: Value, b: Value) -> bool {
    a != b
        && match (origin(ir, a), origin(ir, b)) {
            (Origin::Unknown, _) | (_, Origin::Unknown) => false,
            (Origin::Fresh, _) | (_, Origin::Fresh) => true,
            (Origin::Global(a), Origin::Global(b)) => a != b,
            _ => false,
        }
}

/// Where a buffer that loops carry or branches choose may come from, all of them known; `None` if one is not.
fn origins(ir: &Ir, buffer: Value) -> Option<SmallVec<[Value; 4]>> {
    let mut found = SmallVec::new();
    let mut seen: SmallVec<[Value; 8]> = SmallVec::from_slice(&[buffer]);
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        if !matches!(origin(ir, value), Origin::Unknown) {
            found.push(value);
            continue;
        }
        let incoming = incoming(ir, value);
        if incoming.is_empty() || seen.len() + incoming.len() > ir.capped(MAX_CARRIED) {
            return None;
        }
        for value in incoming {
            let value = viewed(ir, value);
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
    }
    Some(found)
}

/// Whether a buffer is one that a block has before it allocates another one: what a loop carries, say.
fn is_there_before(ir: &Ir, buffer: Value, allocated: Value) -> bool {
    let (Some(block), Some(alloc)) = (ir.value_block(buffer), ir.defining_op(allocated)) else {
        return false;
    };
    let alloc = ir.ancestor_in_block(alloc, block);
    alloc.is_some_and(|alloc| match ir.defining_op(buffer) {
        Some(made) => ir.is_before_in_block(made, alloc),
        None => true,
    })
}

/// Pairs of different buffers.
pub(crate) type Pairs = SmallVec<[(Value, Value); 4]>;

/// Whether no stride of a buffer is certainly negative: then its bytes begin at its first element, or a comparison at
/// run time tells that they do not.
fn has_known_directions(context: &Context, memref: &MemRefType) -> bool {
    context.memref_strides(memref).is_some_and(|(strides, _)| {
        strides
            .iter()
            .all(|&stride| stride == DYNAMIC || stride >= 0)
    })
}

/// The pairs of buffers that may overlap and that a store touches. `None` if such a buffer is not there before the
/// loop, or there are too many pairs.
pub(crate) fn unknown_pairs(ir: &Ir, loop_op: Op, accesses: &[Access]) -> Option<Pairs> {
    let mut pairs = Pairs::new();
    add_unknown_pairs(ir, &[loop_op], accesses, &mut pairs)?;
    Some(pairs)
}

/// Adds to `pairs` those of [`unknown_pairs`] of several loops together.
pub(crate) fn add_unknown_pairs(
    ir: &Ir,
    loops: &[Op],
    accesses: &[Access],
    pairs: &mut Pairs,
) -> Option<()> {
    for store in accesses.iter().filter(|access| access.is_store) {
        for other in accesses {
            let (a, b) = (store.buffer, other.buffer);
            let is_listed = |&(c, d): &(Value, Value)| (a, b) == (c, d) || (b, a) == (c, d);
            if a == b || pairs.iter().any(is_listed) || are_distinct(ir, a, b) {
                continue;
            }
            let is_comparable = |buffer| {
                let context = ir.context();
                let memref = context.as_memref(ir.value_type(buffer));
                loops.iter().all(|&op| is_outside(ir, buffer, op))
                    && memref.is_some_and(|memref| {
                        has_known_directions(context, memref)
                            && context.element_byte_size(memref.element).is_some()
                    })
            };
            if pairs.len() == ir.capped(MAX_PAIRS) || !is_comparable(a) || !is_comparable(b) {
                return None;
            }
            pairs.push((a, b));
        }
    }
    Some(())
}

/// The bytes that a buffer may take, if no stride is negative.
struct Extent {
    begin: Value,
    end: Value,
    /// Whether no stride is negative, if that is not known.
    is_forward: Option<Value>,
}

/// Computes whether the two buffers of each pair share no byte. `None` if there are no pairs.
pub(crate) fn build_disjoint(builder: &mut Builder<'_>, pairs: &Pairs) -> Option<Value> {
    let mut extents: SmallVec<[(Value, Extent); 4]> = SmallVec::new();
    let mut all = None;
    let and = |builder: &mut Builder<'_>, all: Option<Value>, more: Value| match all {
        None => Some(more),
        Some(all) => Some(builder.value(&arith::ANDI, &[all, more], Type::I1)),
    };
    for &(a, b) in pairs {
        for buffer in [a, b] {
            if extents.iter().any(|(known, _)| *known == buffer) {
                continue;
            }
            let extent = build_extent(builder, buffer);
            if let Some(is_forward) = extent.is_forward {
                all = and(builder, all, is_forward);
            }
            extents.push((buffer, extent));
        }
        let extent = |buffer| {
            let known = extents.iter().find(|(known, _)| *known == buffer);
            &known.expect("the extents of both were just computed").1
        };
        let (a, b) = (extent(a), extent(b));
        let before = arith::compare(builder, CmpIPredicate::Ule, a.end, b.begin);
        let after = arith::compare(builder, CmpIPredicate::Ule, b.end, a.begin);
        let apart = builder.value(&arith::ORI, &[before, after], Type::I1);
        all = and(builder, all, apart);
    }
    all
}

/// Computes whether `condition` holds and elements of a row are next to each other in all of these buffers.
pub(crate) fn build_rows(
    builder: &mut Builder<'_>,
    buffers: &[Value],
    mut condition: Option<Value>,
) -> Option<Value> {
    for &buffer in buffers {
        let metadata = memref::build::extract_strided_metadata(builder, buffer);
        let one = arith::constant_index(builder, 1);
        let Some(&stride) = metadata.strides(builder.ir).last() else {
            continue;
        };
        let is_row = arith::compare(builder, CmpIPredicate::Eq, stride, one);
        condition = Some(match condition {
            None => is_row,
            Some(all) => builder.value(&arith::ANDI, &[all, is_row], Type::I1),
        });
    }
    condition
}

fn binary(builder: &mut Builder<'_>, def: &'static OpDef, a: Value, b: Value) -> Value {
    builder.value(def, &[a, b], Type::INDEX)
}

/// The aligned pointer of a buffer and all the rest of its descriptor.
fn build_descriptor(
    builder: &mut Builder<'_>,
    buffer: Value,
) -> (Value, memref::ExtractStridedMetadata) {
    let def = &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    let pointer = builder.value(def, &[buffer], Type::INDEX);
    let metadata = memref::build::extract_strided_metadata(builder, buffer);
    (pointer, metadata)
}

/// The address of the element of `size` bytes at `indices`.
pub(crate) fn build_address(
    builder: &mut Builder<'_>,
    buffer: Value,
    indices: &[Value],
    size: i64,
) -> Value {
    let (pointer, metadata) = build_descriptor(builder, buffer);
    let mut distance = metadata.offset(builder.ir);
    for (dim, &index) in indices.iter().enumerate() {
        let step = metadata.strides(builder.ir)[dim];
        let term = binary(builder, &arith::MULI, index, step);
        distance = binary(builder, &arith::ADDI, distance, term);
    }
    let size = arith::constant_index(builder, size);
    let bytes = binary(builder, &arith::MULI, distance, size);
    binary(builder, &arith::ADDI, pointer, bytes)
}

/// From the address of the first element to the one behind the last.
fn build_extent(builder: &mut Builder<'_>, buffer: Value) -> Extent {
    let context = builder.context();
    let ty = builder.ir.value_type(buffer);
    let memref = context.as_memref(ty).expect("only memrefs are compared");
    let (strides, _) = context
        .memref_strides(memref)
        .expect("only memrefs with strides are compared");
    let size = context.element_byte_size(memref.element);
    let size = size.expect("only memrefs of known element sizes are compared");
    let size = arith::constant_index(builder, size as i64);
    let (pointer, metadata) = build_descriptor(builder, buffer);
    let one = arith::constant_index(builder, 1);
    let zero = arith::constant_index(builder, 0);
    let mut length = one;
    let mut is_forward = None;
    for (dim, &stride) in strides.iter().enumerate() {
        let step = metadata.strides(builder.ir)[dim];
        let n = metadata.sizes(builder.ir)[dim];
        let last = binary(builder, &arith::SUBI, n, one);
        let distance = binary(builder, &arith::MULI, last, step);
        length = binary(builder, &arith::ADDI, length, distance);
        if stride == DYNAMIC {
            let forward = arith::compare(builder, CmpIPredicate::Sge, step, zero);
            is_forward = Some(match is_forward {
                None => forward,
                Some(all) => builder.value(&arith::ANDI, &[all, forward], Type::I1),
            });
        }
    }
    let offset = metadata.offset(builder.ir);
    let offset = binary(builder, &arith::MULI, offset, size);
    let begin = binary(builder, &arith::ADDI, pointer, offset);
    let length = binary(builder, &arith::MULI, length, size);
    let end = binary(builder, &arith::ADDI, begin, length);
    Extent {
        begin,
        end,
        is_forward,
    }
}
