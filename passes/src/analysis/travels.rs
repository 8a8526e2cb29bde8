//! How values travel through a function, owners as well as buffers: what each
//! block argument, region argument and result of a region operation may be.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What flows where. A snapshot: edits make it wrong.
#[derive(Default)]
pub(crate) struct Travels {
    incoming: FxHashMap<Value, Vec<Value>>,
    outgoing: FxHashMap<Value, Vec<Value>>,
    /// How many operands of each value are forwarded.
    n_forwards: FxHashMap<Value, usize>,
}

impl Travels {
    /// All travels of values that `accept` names, inside the root of `ir`.
    pub(crate) fn new(ir: &Ir, accept: impl Fn(&Ir, Value) -> bool) -> Self {
        let mut travels = Self::default();
        for op in ir.walk(ir.root()) {
            let forwarded = ir.forwarded_operands(op);
            let mut seen: SmallVec<[usize; 8]> = SmallVec::new();
            for (index, target) in forwarded {
                let operand = ir.operand(op, index);
                if !accept(ir, operand) {
                    continue;
                }
                travels.incoming.entry(target).or_default().push(operand);
                travels.outgoing.entry(operand).or_default().push(target);
                if !seen.contains(&index) {
                    seen.push(index);
                    *travels.n_forwards.entry(operand).or_default() += 1;
                }
            }
        }
        travels
    }

    /// What `value` may be; empty if nothing is forwarded to it.
    pub(crate) fn incoming(&self, value: Value) -> &[Value] {
        self.incoming.get(&value).map_or(&[], Vec::as_slice)
    }

    /// What `value` may become.
    pub(crate) fn outgoing(&self, value: Value) -> &[Value] {
        self.outgoing.get(&value).map_or(&[], Vec::as_slice)
    }

    /// Whether every use of `value` forwards it.
    pub(crate) fn is_only_forwarded(&self, ir: &Ir, value: Value) -> bool {
        ir.uses(value).len() == self.n_forwards.get(&value).copied().unwrap_or(0)
    }
}

/// What `op` forwards, and what it becomes.
pub(crate) fn forwarded_by(ir: &Ir, op: Op) -> Vec<(Value, Value)> {
    ir.forwarded_operands(op)
        .into_iter()
        .map(|(index, target)| (ir.operand(op, index), target))
        .collect()
}

/// What `value` may be, as [`Travels::incoming`] says, for one value; empty if nothing is forwarded to it.
pub(crate) fn incoming(ir: &Ir, value: Value) -> SmallVec<[Value; 4]> {
    let of = |op: Op| {
        ir.forwarded_operands(op)
            .into_iter()
            .filter(|&(_, target)| target == value)
            .map(move |(index, _)| ir.operand(op, index))
    };
    let merges_at = match ir.value_def(value) {
        ValueDef::Argument(block, _) if !ir.is_entry_block(block) => {
            let branches = ir.predecessors(block).filter_map(|block| ir.last_op(block));
            // One that branches there twice is named twice.
            let branches: FxHashSet<Op> = branches.collect();
            return branches.into_iter().flat_map(of).collect();
        }
        ValueDef::Argument(block, _) => ir.block_parent_op(block),
        ValueDef::Result(op, _) => Some(op),
    };
    let Some(op) = merges_at.filter(|&op| ir.def(op).region_branch.is_some()) else {
        return SmallVec::new();
    };
    let blocks = ir
        .regions(op)
        .iter()
        .flat_map(|&region| ir.blocks_in(region));
    let ends = blocks.filter_map(|block| ir.last_op(block));
    std::iter::once(op).chain(ends).flat_map(of).collect()
}

/// What the chain of views of a buffer starts at.
pub(crate) fn base_of(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(source) = ir.def(op).view_source
        && ir.is_memref(source(ir, op))
    {
        value = source(ir, op);
    }
    value
}
