//! Stack promotion: small buffers that live within one call of the function
//! need no heap.

use freehold_frontend::dialects::{deallocation, func, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::Op;

use super::buffers::{dealloc_beside, is_alloc, is_static_alloc};

/// What was done.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::hlo) struct Counts {
    pub(in crate::hlo) erased: u64,
    pub(in crate::hlo) promoted: u64,
}

/// Promotes buffers of the first block, which runs once, as long as they take
/// no more than `budget` bytes together. Buffers that nobody uses go.
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
    let allocs: Vec<Op> = ir.ops_in(block).filter(|&op| is_alloc(ir, op)).collect();
    for alloc in allocs {
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
        let is_owned = uses.iter().any(|u| ir.is(u.op, &deallocation::OWN));
        let Some(bytes) = bytes_of(ir, alloc).filter(|_| !is_owned) else {
            continue;
        };
        if bytes > left {
            continue;
        }
        left -= bytes;
        ir.erase_op(dealloc);
        promote(ir, alloc);
        counts.promoted += 1;
    }
    counts
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

fn promote(ir: &mut Ir, alloc: Op) {
    let result = ir.result(alloc, 0);
    let mut spec = OpSpec::new(&memref::ALLOCA, ir.loc(alloc)).results(&[ir.value_type(result)]);
    spec.attrs = ir.context().dict(ir.attrs(alloc)).to_vec();
    let alloca = ir.create_op(spec);
    ir.insert_op_before(alloc, alloca);
    let replacement = ir.result(alloca, 0);
    ir.replace_op(alloc, &[replacement]);
}
