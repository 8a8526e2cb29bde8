//! Memory from outside of a parallel loop that each iteration writes at the same place.
//!
//! Such memory holds nothing but what an iteration wants for itself, so iterations that run at the same time would
//! destroy each other's. Programs come with it if a pass that did not look at the loop around allocated it: arrays for
//! `dealloc_helper`, or a buffer hoisted from the body. On the stack, and used nowhere else, it moves into the body;
//! any other keeps its loop sequential.
//!
//! A write is taken to be shared unless its address depends on the counter of the first dimension, by which loops are
//! divided. Atomic operations are not writes in this sense.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

use crate::analysis::loop_memory::{Access, is_alloc, is_outside};

/// The allocations outside of the parallel loop `op` that its iterations write at the same place; `None` if the loop
/// must not be divided.
pub(super) fn movable(ir: &Ir, op: Op) -> Option<Vec<Op>> {
    let shared = shared(ir, op);
    let may_move = |&alloc: &Op| {
        let uses = ir.uses(ir.result(alloc, 0));
        ir.is(alloc, &memref::ALLOCA) && uses.iter().all(|used| ir.is_ancestor(op, used.op))
    };
    shared.iter().all(may_move).then_some(shared)
}

/// Moves allocations on the stack to the start of the body of a parallel loop.
pub(super) fn move_in(ir: &mut Ir, op: Op, allocations: &[Op]) {
    let region = ir.region(op, 0);
    let first = (ir.entry_block(region)).and_then(|body| ir.first_op(body));
    let first = first.expect("bodies of parallel loops have a terminator");
    for &allocation in allocations {
        ir.move_op_before(allocation, first);
    }
}

/// The allocations outside of the loop that each iteration writes at the same place.
fn shared(ir: &Ir, loop_op: Op) -> Vec<Op> {
    let mut differing = Differing::default();
    let region = ir.region(loop_op, 0);
    if let Some(body) = ir.entry_block(region) {
        differing.values.extend(ir.block_args(body).first());
    }
    let mut found = Vec::new();
    for op in ir.walk(loop_op).filter(|&op| op != loop_op) {
        for written in written(ir, op) {
            let (base, mut differs) = differing.base(ir, loop_op, written);
            differs |= differing.addresses(ir, op);
            let alloc = ir.defining_op(base).filter(|&op| is_alloc(ir, op));
            let is_written = |&alloc: &Op| {
                // Most callees read.
                ir.own_effects(op).is_some() || ir.is(alloc, &memref::ALLOCA)
            };
            if let Some(alloc) = alloc.filter(is_written)
                && !differs
                && is_outside(ir, base, loop_op)
                && !found.contains(&alloc)
            {
                found.push(alloc);
            }
        }
        differing.add(ir, op);
    }
    found
}

/// The memrefs that `op` may write to, as far as others may do so at the same time.
fn written(ir: &Ir, op: Op) -> Vec<Value> {
    if [&memref::ATOMIC_RMW, &memref::GENERIC_ATOMIC_RMW]
        .iter()
        .any(|def| ir.is(op, def))
    {
        return Vec::new();
    }
    match ir.own_effects(op) {
        Some(effects) => effects
            .iter()
            .filter(|effect| {
                effect.kind == EffectKind::Write && effect.resource == Resource::Default
            })
            .filter_map(|effect| effect.value)
            .collect(),
        None => {
            let operands = ir.operands(op).iter().copied();
            operands.filter(|&value| ir.is_memref(value)).collect()
        }
    }
}

/// The values that differ from iteration to iteration, as far as that follows from operands.
#[derive(Default)]
struct Differing {
    values: FxHashSet<Value>,
}

impl Differing {
    /// Adds what `op` makes.
    fn add(&mut self, ir: &Ir, op: Op) {
        if ir
            .operands(op)
            .iter()
            .any(|value| self.values.contains(value))
        {
            self.values.extend(ir.results(op));
            for &region in ir.regions(op) {
                let blocks = ir.blocks_in(region);
                self.values
                    .extend(blocks.flat_map(|block| ir.block_args(block)));
            }
        }
    }

    /// The buffer that `value` is a view of, and whether it is another part in each iteration.
    fn base(&self, ir: &Ir, loop_op: Op, mut value: Value) -> (Value, bool) {
        let mut differs = false;
        while let Some(op) = ir.defining_op(value)
            && let Some(source) = ir.def(op).view_source
            && !is_outside(ir, value, loop_op)
        {
            value = source(ir, op);
            let mut others = ir.operands(op).iter().filter(|&&operand| operand != value);
            differs |= others.any(|operand| self.values.contains(operand));
        }
        while let Some(op) = ir.defining_op(value)
            && let Some(source) = ir.def(op).view_source
        {
            value = source(ir, op);
        }
        (value, differs)
    }

    /// Whether `op` goes to another address in each iteration.
    fn addresses(&self, ir: &Ir, op: Op) -> bool {
        if let Some(access) = Access::of(ir, op) {
            return access
                .indices(ir)
                .iter()
                .any(|index| self.values.contains(index));
        }
        let is_call = ir.own_effects(op).is_none();
        let is_index = |value: Value| {
            let context = ir.context();
            context.element_type_or_self(ir.value_type(value)) == Type::INDEX
        };
        let mut operands = ir.operands(op).iter();
        operands.any(|&value| self.values.contains(&value) && (is_call || is_index(value)))
    }
}
