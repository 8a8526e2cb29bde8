//! A rewriter: edits that patterns make, recorded so that a driver knows what
//! to look at again.

use smallvec::SmallVec;

use super::attrs::Attr;
use super::builder::Builder;
use super::data::Ir;
use super::edit::OpSpec;
use super::entities::{Op, Value};
use super::names::Name;
use super::types::Type;
use crate::ir::op_def::OpDef;

/// One recorded edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The operation was made.
    Inserted(Op),
    /// Its operands, attributes or regions changed.
    Modified(Op),
    /// It was erased; the id must not be asked anything.
    Erased(Op),
    /// A user of something that changed or went away; worth another look.
    Touched(Op),
}

/// Edits an [`Ir`] and records what it did. Patterns make every change through
/// it, or report it with [`Rewriter::modified`].
pub struct Rewriter<'a> {
    /// The arena. Reading is free; changes made directly must be reported.
    pub ir: &'a mut Ir,
    events: Vec<Event>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter with an empty record.
    pub fn new(ir: &'a mut Ir) -> Self {
        Self {
            ir,
            events: Vec::new(),
        }
    }

    /// Takes the record so far.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Gives a used-up record back, so that its memory is reused.
    pub fn recycle_events(&mut self, mut events: Vec<Event>) {
        if self.events.is_empty() {
            events.clear();
            self.events = events;
        }
    }

    /// Records that `op` was changed directly.
    pub fn modified(&mut self, op: Op) {
        self.events.push(Event::Modified(op));
    }

    /// Records that `op`, made directly, is new.
    pub fn inserted(&mut self, op: Op) {
        self.events.push(Event::Inserted(op));
    }

    fn touch_users(&mut self, value: Value) {
        for u in self.ir.uses(value) {
            self.events.push(Event::Touched(u.op));
        }
    }

    /// Makes an operation before `anchor`.
    pub fn create_before(&mut self, anchor: Op, spec: OpSpec) -> Op {
        let op = self.ir.create_op(spec);
        self.ir.insert_op_before(anchor, op);
        self.inserted(op);
        op
    }

    /// Makes an operation with one result before `anchor`, at its location.
    pub fn value_before(
        &mut self,
        anchor: Op,
        def: &'static OpDef,
        operands: &[Value],
        result: Type,
    ) -> Value {
        let spec = OpSpec::new(def, self.ir.loc(anchor))
            .operands(operands)
            .results(&[result]);
        let op = self.create_before(anchor, spec);
        self.ir.result(op, 0)
    }

    /// Runs `build` with a [`Builder`] before `anchor` and records all it inserted between `anchor`
    /// and what stood before it. Operations it makes elsewhere (in regions of the new ones) are
    /// found by the driver, which walks into inserted operations.
    pub fn build_before<T>(&mut self, anchor: Op, build: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let before = self.ir.prev_op(anchor);
        let result = build(&mut Builder::before(self.ir, anchor));
        let mut current = match before {
            Some(op) => self.ir.next_op(op),
            None => self
                .ir
                .block_of(anchor)
                .and_then(|block| self.ir.first_op(block)),
        };
        while let Some(op) = current
            && op != anchor
        {
            self.inserted(op);
            current = self.ir.next_op(op);
        }
        result
    }

    /// Makes all users of `from` use `to`.
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.touch_users(from);
        self.ir.replace_all_uses(from, to);
        if let Some(op) = self.ir.defining_op(from) {
            self.events.push(Event::Touched(op));
        }
    }

    /// Replaces the results of `op` and erases it.
    pub fn replace_op(&mut self, op: Op, values: &[Value]) {
        let results: SmallVec<[Value; 4]> = self.ir.results(op).into();
        debug_assert_eq!(results.len(), values.len());
        for (&result, &value) in results.iter().zip(values) {
            self.replace_all_uses(result, value);
        }
        self.erase_op(op);
    }

    /// Makes a new operation in the place of `op` and replaces it.
    pub fn replace_op_with(&mut self, op: Op, spec: OpSpec) -> Op {
        let new = self.create_before(op, spec);
        let results: SmallVec<[Value; 4]> = self.ir.results(new).into();
        self.replace_op(op, &results);
        new
    }

    /// Erases an operation, whose results must be unused, and all inside.
    pub fn erase_op(&mut self, op: Op) {
        for inner in self.ir.collect_ops(op) {
            for index in 0..self.ir.operands(inner).len() {
                // Whoever defines an operand may be dead now; whoever shares
                // it may be its last user, which some patterns look for.
                let value = self.ir.operand(inner, index);
                if let Some(def) = self.ir.defining_op(value) {
                    self.events.push(Event::Touched(def));
                }
                if self.ir.uses(value).len() == 2 {
                    self.touch_users(value);
                }
            }
            self.events.push(Event::Erased(inner));
        }
        let block = self.ir.block_of(op);
        self.ir.erase_op(op);
        // A body with nothing but its terminator left may make the operation
        // around needless.
        if let Some(block) = block
            && self.ir.first_op(block) == self.ir.last_op(block)
            && let Some(parent) = self.ir.block_parent_op(block)
            && parent != self.ir.root()
        {
            self.events.push(Event::Touched(parent));
        }
    }

    /// Replaces operand `index`.
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        let old = self.ir.operand(op, index);
        if let Some(def) = self.ir.defining_op(old) {
            self.events.push(Event::Touched(def));
        }
        self.ir.set_operand(op, index, value);
        self.modified(op);
    }

    /// Replaces all operands.
    pub fn set_operands(&mut self, op: Op, operands: &[Value]) {
        for index in 0..self.ir.operands(op).len() {
            if let Some(def) = self.ir.defining_op(self.ir.operand(op, index)) {
                self.events.push(Event::Touched(def));
            }
        }
        self.ir.set_operands(op, operands);
        self.modified(op);
    }

    /// Replaces the operands of one group of the row of `op`.
    pub fn set_operand_group(&mut self, op: Op, group: usize, values: &[Value]) {
        for index in self.ir.operand_group_range(op, group) {
            if let Some(def) = self.ir.defining_op(self.ir.operand(op, index)) {
                self.events.push(Event::Touched(def));
            }
        }
        self.ir.set_operand_group(op, group, values);
        self.modified(op);
    }

    /// Sets an attribute.
    pub fn set_attr(&mut self, op: Op, name: Name, attr: Attr) {
        self.ir.set_attr(op, name, attr);
        self.modified(op);
    }

    /// Moves `op` before `anchor`.
    pub fn move_op_before(&mut self, op: Op, anchor: Op) {
        self.ir.move_op_before(op, anchor);
        self.modified(op);
    }
}
