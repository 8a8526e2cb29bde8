//! Calls of the library form of `bufferization.dealloc`.
//!
//! A dealloc with several entries is lowered to a call: addresses and
//! conditions are stored to arrays, a function compares all addresses and
//! answers in two more arrays, from which the caller loads what to free. The
//! arrays are local and every index is a constant, so each load is matched
//! with the answer it reads, and the call is understood as the dealloc it was.

use freehold_frontend::dialects::{func, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::module::Callees;
use super::program::HelperKind;
use super::values;

/// What an array element stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// The address of an entry.
    Entry(u32),
    /// The address of a retained buffer.
    Retained(u32),
    /// The condition of an entry.
    Condition(u32),
    /// The answer whether to free an entry.
    Free(u32),
    /// The answer who owns a retained buffer.
    Owned(u32),
}

/// A [`Cell`] of an array, by its position.
type MakeCell = fn(u32) -> Cell;

/// One call of the helper function.
pub(super) struct HelperCall {
    pub(super) op: Op,
    pub(super) kind: HelperKind,
    /// Address and condition of each entry.
    pub(super) entries: Vec<(Value, Value)>,
    /// The address of each retained buffer.
    pub(super) retained: Vec<Value>,
    /// The loads of the answer for each entry.
    pub(super) free: Vec<SmallVec<[Value; 1]>>,
    /// The loads of the answer for each retained buffer.
    pub(super) owned: Vec<SmallVec<[Value; 1]>>,
}

/// All calls of helper functions that are understood.
#[derive(Default)]
pub(super) struct Helpers {
    pub(super) calls: Vec<HelperCall>,
    /// Calls by operation.
    pub(super) call_of: FxHashMap<Op, usize>,
    /// What the stores of addresses and conditions are for.
    pub(super) stores: FxHashMap<Op, (usize, Cell)>,
    /// What the loads of answers read.
    pub(super) loads: FxHashMap<Value, (usize, Cell)>,
}

impl Helpers {
    /// Finds the calls in the function `ir`.
    pub(super) fn find(ir: &Ir, callees: &Callees) -> Self {
        let mut helpers = Self::default();
        for op in ir.walk(ir.root()) {
            if let Some(call) = func::Call::cast(ir, op)
                && let Some(kind) = callees.helper(call.callee_name(ir))
            {
                helpers.add(ir, op, kind);
            }
        }
        helpers
    }

    fn add(&mut self, ir: &Ir, op: Op, kind: HelperKind) -> Option<()> {
        let arrays: Vec<Array> = ir
            .operands(op)
            .iter()
            .map(|&v| Array::of(ir, op, v))
            .collect::<Option<_>>()?;
        let [entries, retained, conditions, free, owned] = &arrays[..] else {
            return None;
        };
        if entries.len() != conditions.len()
            || entries.len() != free.len()
            || retained.len() != owned.len()
        {
            return None;
        }
        let index = self.calls.len();
        let inputs: [(&Array, MakeCell); 3] = [
            (entries, Cell::Entry),
            (retained, Cell::Retained),
            (conditions, Cell::Condition),
        ];
        let mut stored = Vec::new();
        for (array, cell) in inputs {
            if array
                .cells
                .iter()
                .any(|cell| cell.stores.len() != 1 || !cell.loads.is_empty())
            {
                return None;
            }
            stored.push(array.cells.iter().map(|c| ir.operand(c.stores[0], 0)));
            for (i, c) in array.cells.iter().enumerate() {
                self.stores.insert(c.stores[0], (index, cell(i as u32)));
            }
        }
        let outputs: [(&Array, MakeCell); 2] = [(free, Cell::Free), (owned, Cell::Owned)];
        for (array, cell) in outputs {
            if array.cells.iter().any(|cell| !cell.stores.is_empty()) {
                return None;
            }
            for (i, c) in array.cells.iter().enumerate() {
                for &load in &c.loads {
                    self.loads.insert(load, (index, cell(i as u32)));
                }
            }
        }
        let [entries, retained, conditions] = <[_; 3]>::try_from(stored).ok()?;
        let call = HelperCall {
            op,
            kind,
            entries: entries.zip(conditions).collect(),
            retained: retained.collect(),
            free: free.cells.iter().map(|cell| cell.loads.clone()).collect(),
            owned: owned.cells.iter().map(|cell| cell.loads.clone()).collect(),
        };
        self.call_of.insert(op, index);
        self.calls.push(call);
        Some(())
    }
}

/// One element of an array.
#[derive(Default, Clone)]
struct ArrayCell {
    stores: SmallVec<[Op; 1]>,
    loads: SmallVec<[Value; 1]>,
}

/// A local array that is stored to before a call and loaded from after it,
/// and not used otherwise.
struct Array {
    cells: Vec<ArrayCell>,
}

impl Array {
    fn len(&self) -> usize {
        self.cells.len()
    }

    /// The array that `operand` of `call` refers to.
    fn of(ir: &Ir, call: Op, operand: Value) -> Option<Self> {
        let root = values::root(ir, operand);
        let alloc = ir.defining_op(root)?;
        if !ir.is(alloc, &memref::ALLOC) && !ir.is(alloc, &memref::ALLOCA) {
            return None;
        }
        // Either there is one call for each instance of the array, or one instance for all: then
        // the loaded value must be the answer of the call just before.
        let block = ir.block_of(call)?;
        let is_local = ir.block_of(alloc) == Some(block);
        if !is_local && ir.block_of(alloc) != ir.root_block() {
            return None;
        }
        let ty = ir.context().as_memref(ir.value_type(root))?;
        let [length] = *ty.shape else { return None };
        if ty.layout.is_some() || (ty.element != Type::INDEX && ty.element != Type::I1) {
            return None;
        }
        let length = usize::try_from(length)
            .ok()
            .filter(|&length| length <= ir.n_ops())?;
        let mut cells = vec![ArrayCell::default(); length];
        let mut pending = vec![root];
        while let Some(value) = pending.pop() {
            for user in ir.uses(value) {
                let op = user.op;
                if op == call || frees(ir, op) {
                    continue;
                }
                let is_first = ir
                    .ancestor_in_block(op, block)
                    .map(|at| at == call || ir.is_before_in_block(at, call));
                if let Some(store) = memref::Store::cast(ir, op)
                    && user.index == 1
                    && ir.block_of(op) == Some(block)
                    && is_first == Some(true)
                {
                    cells
                        .get_mut(cell_index(ir, store.indices(ir))?)?
                        .stores
                        .push(op);
                } else if let Some(load) = memref::Load::cast(ir, op)
                    && (is_first == Some(false) || (is_local && is_first.is_none()))
                {
                    let cell = cells.get_mut(cell_index(ir, load.indices(ir))?)?;
                    cell.loads.push(ir.result(op, 0));
                } else if ir.is(op, &memref::CAST) {
                    pending.push(ir.result(op, 0));
                } else {
                    return None;
                }
            }
        }
        Some(Self { cells })
    }
}

fn cell_index(ir: &Ir, indices: &[Value]) -> Option<usize> {
    let [index] = *indices else { return None };
    usize::try_from(values::constant_index(ir, index)?).ok()
}

fn frees(ir: &Ir, op: Op) -> bool {
    ir.own_effects(op)
        .is_some_and(|effects| effects.has_any(EffectKind::Free))
}
