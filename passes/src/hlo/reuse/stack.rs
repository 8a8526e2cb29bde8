//! Stack promotion: small buffers that live within one call of the function
//! need no heap.

use std::collections::VecDeque;

use freehold_frontend::dialects::{deallocation, func, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op};

use super::buffers::{dealloc_beside, is_alloc, is_static_alloc};

/// The changes.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::hlo) struct Counts {
    pub(in crate::hlo) erased: u64,
    pub(in crate::hlo) promoted: u64,
}

/// Promotes buffers of the first block and of `scf.if`s in there, which run once, as long as they
/// take no more than `budget` bytes together. Removes unused buffers.
///
/// This is the only free of the buffer, so its owner may as well be null.
pub(in crate::hlo) fn run(ir: &mut Ir, budget: u64) -> Counts {
    let mut counts = Counts::default();
    let Some(block) = ir.root_block() else {
        return counts;
    };
    // The stack of a function that calls itself must stay small.
    let mut left = match calls_itself(ir) {
        true => 0,
        false => budget,
    };
    for (alloc, outermost) in allocs_that_run_once(ir, block) {
        let Some(dealloc) = dealloc_beside(ir, alloc) else {
            continue;
        };
        let uses = ir.uses(ir.result(alloc, 0));
        if uses.len() == 1 {
            ir.erase_op(dealloc);
            ir.erase_op(alloc);
            counts.erased += 1;
            continue;
        }
        let owners: Vec<Op> = uses
            .iter()
            .map(|u| u.op)
            .filter(|&user| ir.is(user, &deallocation::OWN))
            .collect();
        let Some(bytes) = bytes_of(ir, alloc) else {
            continue;
        };
        if bytes > left {
            continue;
        }
        left -= bytes;
        ir.erase_op(dealloc);
        for own in owners {
            let ty = ir.value_type(ir.result(own, 0));
            let null = Builder::before(ir, own).value(&deallocation::NULL, &[], ty);
            ir.replace_op(own, &[null]);
        }
        promote(ir, alloc, outermost);
        counts.promoted += 1;
    }
    counts
}

/// The allocations that a call of the function executes at most once, as far as blocks and `scf.if`s
/// tell, each with the operation of `block` that it is in. Those of `block` itself come first.
fn allocs_that_run_once(ir: &Ir, block: Block) -> Vec<(Op, Op)> {
    let mut found: Vec<(Op, Op)> = Vec::new();
    let mut pending: VecDeque<(Block, Option<Op>)> = VecDeque::from([(block, None)]);
    while let Some((block, outermost)) = pending.pop_front() {
        for op in ir.ops_in(block) {
            let outermost = outermost.unwrap_or(op);
            if is_alloc(ir, op) {
                found.push((op, outermost));
            } else if ir.is(op, &scf::IF) {
                let regions = ir.regions(op).iter();
                let blocks = regions.filter_map(|&region| ir.single_block(region));
                pending.extend(blocks.map(|block| (block, Some(outermost))));
            }
        }
    }
    found
}

fn calls_itself(ir: &Ir) -> bool {
    let name = ir.symbol_name(ir.root());
    ir.walk(ir.root()).any(|op| {
        ir.is(op, &func::CALL_INDIRECT)
            || ir.is(op, &func::CALL) && Some(func::Call(op).callee_name(ir)) == name
    })
}

fn bytes_of(ir: &Ir, alloc: Op) -> Option<u64> {
    if !is_static_alloc(ir, alloc) {
        return None;
    }
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(ir.result(alloc, 0)))?;
    // Where a layout puts elements, or another memory space, is not the stack's business.
    if memref.layout.is_some() || memref.space.is_some() {
        return None;
    }
    let n_elements = u64::try_from(memref.n_elements()?).ok()?;
    context
        .element_byte_size(memref.element)?
        .checked_mul(n_elements)
}

/// Makes `alloc` an allocation on the stack in front of `before`.
fn promote(ir: &mut Ir, alloc: Op, before: Op) {
    let result = ir.result(alloc, 0);
    let mut spec = OpSpec::new(&memref::ALLOCA, ir.loc(alloc)).results(&[ir.value_type(result)]);
    spec.attrs = ir.context().dict(ir.attrs(alloc)).to_vec();
    let alloca = ir.create_op(spec);
    ir.insert_op_before(before, alloca);
    let replacement = ir.result(alloca, 0);
    ir.replace_op(alloc, &[replacement]);
}
