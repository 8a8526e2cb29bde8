//! How much memory is taken around a loop, in bytes, as far as allocations and deallocations of known size say.

use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};

use super::mark_allocation_free_calls::{NO_HEAP, is_quiet};
use super::sure;

/// At most this many operations before and behind a loop, nested ones among them, are searched for a peak: bounds
/// compile time.
const MAX_AROUND: usize = 4096;

/// How many bytes more than at the beginning of a loop, which leaves as many, are taken at some time near it: before it or
/// behind it in its block, as far as it is known what operations do.
pub(super) fn peak_around(ir: &Ir, op: Op) -> i128 {
    let mut budget = ir.capped(MAX_AROUND);
    let (mut peak, mut level) = (0, 0);
    let later = std::iter::successors(ir.next_op(op), |&op| ir.next_op(op));
    for at in later.map_while(|op| effect(ir, op, &mut budget)) {
        peak = peak.max(level + at.peak);
        level += at.change;
    }
    (budget, level) = (ir.capped(MAX_AROUND), 0);
    let earlier = std::iter::successors(ir.prev_op(op), |&op| ir.prev_op(op));
    for at in earlier.map_while(|op| effect(ir, op, &mut budget)) {
        level -= at.change;
        peak = peak.max(level + at.peak);
    }
    peak
}

/// What an operation does to memory, in bytes.
struct Effect {
    /// How much more there is after it.
    change: i128,
    /// How much more there is for sure at once at some time.
    peak: i128,
}

/// The effect of an operation that allocates or frees, or of a loop of these, if it is known.
fn effect(ir: &Ir, op: Op, budget: &mut usize) -> Option<Effect> {
    *budget = budget.checked_sub(1)?;
    if let Some(change) = change(ir, op) {
        let peak = change.max(0);
        return Some(Effect { change, peak });
    }
    let body = match (scf::For::cast(ir, op), scf::While::cast(ir, op)) {
        (Some(view), _) => view.body(ir),
        (_, Some(view)) if is_still_block(ir, view.before_block(ir)) => view.after_block(ir),
        _ => return None,
    };
    let (mut peak, mut level) = (0, 0);
    for inner in ir.ops_in(body) {
        let at = effect(ir, inner, budget)?;
        peak = peak.max(level + at.peak);
        level += at.change;
    }
    (level == 0).then(|| Effect {
        change: 0,
        peak: if runs(ir, op) { peak } else { 0 },
    })
}

/// How many bytes more there are after an operation that allocates or frees, or does neither.
pub(super) fn change(ir: &Ir, op: Op) -> Option<i128> {
    if ir.is(op, &memref::ALLOC) {
        bytes(ir, ir.result(op, 0))
    } else if ir.is(op, &memref::DEALLOC) {
        bytes(ir, ir.operand(op, 0)).map(|bytes| -bytes)
    } else {
        is_still(ir, op).then_some(0)
    }
}

pub(super) fn bytes(ir: &Ir, value: Value) -> Option<i128> {
    let memref = ir.context().as_memref(ir.value_type(value))?;
    let element = ir.context().element_byte_size(memref.element)?;
    Some(i128::from(memref.n_elements()?) * i128::from(element))
}

/// Whether there certainly is an iteration of a loop.
pub(super) fn runs(ir: &Ir, op: Op) -> bool {
    match scf::While::cast(ir, op) {
        Some(view) => sure::begins(ir, view),
        None => sure::runs(ir, op),
    }
}

/// Whether the operations of a block take and free no memory.
pub(super) fn is_still_block(ir: &Ir, block: Block) -> bool {
    ir.ops_in(block).all(|op| is_still(ir, op))
}

/// Whether an operation takes and frees no memory.
fn is_still(ir: &Ir, op: Op) -> bool {
    let no_heap = ir.context().intern_name(NO_HEAP);
    ir.walk(op).all(|op| match ir.def(op).call {
        Some(_) => ir.has_attr(op, no_heap),
        None => ir.is(op, &scf::YIELD) || is_quiet(ir, op),
    })
}
