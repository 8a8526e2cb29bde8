//! How allocations and what may be one of them are aligned.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use rustc_hash::FxHashSet;

use crate::analysis::travels::incoming;

/// The alignment in bytes that an allocation asks for beyond that of its elements; 1 if none.
pub(crate) fn requested(ir: &Ir, alloc: Op) -> u64 {
    ir.attr(alloc, Name::ALIGNMENT)
        .and_then(|attr| ir.context().attr_integer(attr))
        .and_then(|alignment| u64::try_from(alignment).ok())
        .map_or(1, |alignment| alignment.max(1))
}

/// Whether every buffer that `value` may be was asked to be aligned to `wanted` bytes.
pub(crate) fn is_aligned(ir: &Ir, value: Value, wanted: u64) -> bool {
    let fits = |&alloc: &Op| requested(ir, alloc).is_multiple_of(wanted);
    let begins_there = |op| BEGIN_THERE.iter().any(|def| ir.is(op, def));
    wanted <= 1 || found(ir, value, begins_there).is_some_and(|sources| sources.iter().all(fits))
}

/// Views that begin where their buffer does.
const BEGIN_THERE: [&OpDef; 3] = [
    &memref::CAST,
    &memref::COLLAPSE_SHAPE,
    &memref::EXPAND_SHAPE,
];

/// The allocations whose buffer `value` may be; `None` if it may be another one, or a view.
pub(crate) fn sources(ir: &Ir, value: Value) -> Option<Vec<Op>> {
    found(ir, value, |_| false)
}

/// The same, looking through these views.
fn found(ir: &Ir, value: Value, is_looked_through: impl Fn(Op) -> bool) -> Option<Vec<Op>> {
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let mut stack = vec![value];
    let mut sources = Vec::new();
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        if let Some(alloc) = ir.defined_by(value, &memref::ALLOC) {
            sources.push(alloc);
            continue;
        }
        if let Some(view) = ir.defining_op(value).filter(|&op| is_looked_through(op)) {
            stack.push(ir.operand(view, 0));
            continue;
        }
        let incoming = incoming(ir, value);
        if incoming.is_empty() {
            return None;
        }
        stack.extend(incoming);
    }
    Some(sources)
}
