//! Which memory of a function gets a slot of its frame.

use cranelift_codegen::ir::StackSlot;
use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::interfaces::BranchInterface;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::repr::descriptor_size;

/// Larger objects do not go on the stack: a bound on what a call takes, not a measured number. 128 frames
/// of one such object fit the 8 MB that threads have.
const MAX_SLOT_SIZE: i64 = 64 << 10;

/// All slots of a function together are not larger: a sixteenth of the 8 MB that threads have.
const MAX_FRAME_SIZE: i64 = 512 << 10;

/// What malloc and the stack are aligned to.
pub(crate) const STACK_ALIGNMENT: i64 = 16;

/// Which operations use a stack slot, and whether others need the chain.
#[derive(Default)]
pub(crate) struct FramePlan {
    /// Operations that use a slot of this many bytes.
    pub(crate) slots: FxHashMap<Op, u32>,
    /// Whether there are others.
    pub(crate) needs_chain: bool,
    /// Stack memory that may be returned, which the runtime is to know in order to tell of later accesses.
    pub(crate) checked: FxHashSet<Op>,
    /// Holds the first block of the chain.
    pub(crate) chain: Option<StackSlot>,
}

/// Memory that an operation takes from the frame.
struct Need {
    /// Bytes, if known.
    size: Option<i64>,
    alignment: i64,
}

/// What `op` takes from the frame, if it does.
fn frame_need(ir: &Ir, op: Op) -> Option<Need> {
    let context = ir.context();
    let descriptor = |rank: Option<i64>| Need {
        size: rank
            .filter(|rank| (0..=MAX_SLOT_SIZE).contains(rank))
            .map(|rank| i64::from(descriptor_size(rank as usize))),
        alignment: 8,
    };
    if ir.is(op, &memref::ALLOCA) {
        let memref = context.as_memref(ir.value_type(ir.result(op, 0)))?;
        let element_size = context.element_byte_size(memref.element)? as i64;
        return Some(Need {
            size: extent(context, memref).and_then(|n| n.checked_mul(element_size)),
            alignment: alignment_of(ir, op, element_size),
        });
    }
    if ir.is(op, &memref::CAST) && is_unranked(ir, ir.result(op, 0)) {
        let source = context.as_memref(ir.value_type(ir.operand(op, 0)))?;
        return Some(descriptor(Some(source.rank() as i64)));
    }
    if ir.is(op, &memref::RESHAPE) && is_unranked(ir, ir.result(op, 0)) {
        let shape = context.as_memref(ir.value_type(ir.operand(op, 1)))?;
        return Some(descriptor(shape.n_elements()));
    }
    // Callers receive the descriptors of unranked results on the heap.
    let is_call = ir.def(op).call.is_some();
    (is_call && ir.results(op).iter().any(|&v| is_unranked(ir, v))).then(|| descriptor(None))
}

/// How many elements there is room for up to the end of the last one, if that is known. Layouts leave gaps.
fn extent(context: &Context, memref: &MemRefType) -> Option<i64> {
    let known = |number: i64| (number != DYNAMIC).then_some(number);
    let (strides, offset) = context.memref_strides(memref)?;
    let mut extent = known(offset)?.checked_add(1)?;
    for (&size, &stride) in memref.shape.iter().zip(&strides) {
        let distance = known(size)?.checked_sub(1)?.checked_mul(known(stride)?)?;
        extent = extent.checked_add(distance)?;
    }
    Some(extent.max(0))
}

/// Whether `op` takes memory from the frame.
pub(crate) fn takes_frame_memory(ir: &Ir, op: Op) -> bool {
    frame_need(ir, op).is_some()
}

/// The alignment that an allocation asks for: its attribute, or that of its elements.
pub(crate) fn alignment_of(ir: &Ir, op: Op, element_size: i64) -> i64 {
    let attr = ir.attr(op, Name::ALIGNMENT);
    match attr.and_then(|attr| ir.context().attr_integer(attr)) {
        Some(alignment) => i64::try_from(alignment).unwrap_or(1).max(1),
        None => (element_size.max(1) as u64).next_power_of_two() as i64,
    }
}

fn is_unranked(ir: &Ir, value: Value) -> bool {
    ir.is_memref(value) && ir.context().as_memref(ir.value_type(value)).is_none()
}

/// Bytes of a slot for `size` bytes. Cranelift aligns frames to 16 bytes; for
/// more, the address is rounded up inside of a larger slot.
fn slot_size(size: i64, alignment: i64) -> Option<i64> {
    let slack = if alignment > STACK_ALIGNMENT {
        alignment
    } else {
        0
    };
    let size = size.checked_add(slack)?;
    (0..=MAX_SLOT_SIZE).contains(&size).then_some(size.max(1))
}

impl FramePlan {
    /// Looks at all operations of the reachable blocks.
    pub(crate) fn of(ir: &Ir, blocks: &[Block], checks_accesses: bool) -> Self {
        let mut plan = Self::default();
        let mut cyclic = None;
        let mut frame_size = 0;
        for &block in blocks {
            for op in ir.ops_in(block).flat_map(|op| ir.walk(op)) {
                let Some(need) = frame_need(ir, op) else {
                    continue;
                };
                if checks_accesses && ir.is(op, &memref::ALLOCA) && may_return(ir, op) {
                    plan.checked.insert(op);
                    plan.needs_chain = true;
                    continue;
                }
                let size = need.size.and_then(|size| slot_size(size, need.alignment));
                let Some(size) = size.filter(|size| frame_size + size <= MAX_FRAME_SIZE) else {
                    plan.needs_chain = true;
                    continue;
                };
                let cyclic = cyclic.get_or_insert_with(|| cyclic_blocks(ir, blocks));
                if cyclic[block] && ir.results(op).iter().any(|&v| is_carried(ir, v)) {
                    plan.needs_chain = true;
                } else {
                    frame_size += size;
                    plan.slots.insert(op, size as u32);
                }
            }
        }
        plan
    }
}

/// Whether `value`, or something made of it, may reach a block argument or
/// memory, and thereby the next iteration of a loop.
fn is_carried(ir: &Ir, value: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        for u in ir.uses(value) {
            let stores_it = ir.is(u.op, &memref::STORE) && u.index == 0;
            let is_number = ir.is(u.op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX);
            if !ir.successors(u.op).is_empty() || stores_it || is_number {
                return true;
            }
            let results = ir.results(u.op).iter().copied();
            stack.extend(results.filter(|&result| ir.is_memref(result)));
        }
    }
    false
}

/// Whether the memory of `alloca` may be part of what the function returns, or be stored.
fn may_return(ir: &Ir, alloca: Op) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![ir.result(alloca, 0)];
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        for u in ir.uses(value) {
            let stores_it = ir.is(u.op, &memref::STORE) && u.index == 0;
            let returns_it =
                ir.has_trait(u.op, Traits::TERMINATOR) && ir.successors(u.op).is_empty();
            if stores_it || returns_it {
                return true;
            }
            let target = |branch: &BranchInterface| {
                let (successor, argument) =
                    (branch.successor_of_operand)(ir, u.op, u.index as usize)?;
                Some(ir.block_args(ir.successors(u.op)[successor])[argument])
            };
            stack.extend(ir.def(u.op).branch.and_then(target));
            let results = ir.results(u.op).iter().copied();
            stack.extend(results.filter(|&result| ir.is_memref(result)));
        }
    }
    false
}

/// Which blocks lie on a cycle: Tarjan's strongly connected components.
fn cyclic_blocks(ir: &Ir, blocks: &[Block]) -> SecondaryMap<Block, bool> {
    let mut cyclic: SecondaryMap<Block, bool> = SecondaryMap::new();
    // Zero is unvisited; finished blocks get a number no component reaches.
    let mut number: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut lowest: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut component = Vec::new();
    let mut stack = Vec::new();
    let mut next_number = 1;
    let Some(&entry) = blocks.first() else {
        return cyclic;
    };
    let mut open = |block: Block,
                    number: &mut SecondaryMap<Block, u32>,
                    lowest: &mut SecondaryMap<Block, u32>| {
        number[block] = next_number;
        lowest[block] = next_number;
        next_number += 1;
    };
    open(entry, &mut number, &mut lowest);
    component.push(entry);
    stack.push((entry, 0));
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        if let Some(&successor) = ir.block_successors(block).get(*next) {
            *next += 1;
            if successor == block {
                cyclic[block] = true;
            }
            if number[successor] == 0 {
                open(successor, &mut number, &mut lowest);
                component.push(successor);
                stack.push((successor, 0));
            } else {
                lowest[block] = lowest[block].min(number[successor]);
            }
            continue;
        }
        stack.pop();
        if let Some(&(parent, _)) = stack.last() {
            lowest[parent] = lowest[parent].min(lowest[block]);
        }
        if lowest[block] == number[block] {
            let start = component
                .iter()
                .rposition(|&member| member == block)
                .expect("an open block is in the component stack");
            let is_cycle = component.len() - start > 1;
            for member in component.drain(start..) {
                cyclic[member] |= is_cycle;
                number[member] = u32::MAX;
            }
        }
    }
    cyclic
}
