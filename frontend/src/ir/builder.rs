//! Building operations in place.
//!
//! ```
//! use freehold_frontend::ir::builder::Builder;
//! use freehold_frontend::dialects;
//! use freehold_frontend::ir::location::Loc;
//! use freehold_frontend::ir::builtin;
//! use std::sync::Arc;
//!
//! let context = Arc::new(dialects::context());
//! let mut module = builtin::module(&context, Loc::UNKNOWN);
//! let body = module.root_block().expect("modules have a body");
//! let mut builder = Builder::at_end(&mut module, body);
//! builder.set_loc(Loc::UNKNOWN);
//! ```

use std::sync::Arc;

use super::attrs::Attr;
use super::context::Context;
use super::data::Ir;
use super::edit::OpSpec;
use super::entities::{Block, Op, Value, ValueDef};
use super::location::Loc;
use super::names::Name;
use super::types::Type;
use crate::ir::op_def::OpDef;

/// Where the next operation goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertPoint {
    /// At the end of a block.
    End(Block),
    /// Right before an operation.
    Before(Op),
}

impl InsertPoint {
    /// Puts a detached operation there.
    pub fn insert(self, ir: &mut Ir, op: Op) {
        match self {
            Self::End(block) => ir.append_op(block, op),
            Self::Before(next) => ir.insert_op_before(next, op),
        }
    }
}

/// Inserts operations one after the other. See the module doc.
pub struct Builder<'a> {
    /// The arena; free to be read and changed between insertions.
    pub ir: &'a mut Ir,
    point: InsertPoint,
    loc: Loc,
    fastmath: Option<Attr>,
}

impl<'a> Builder<'a> {
    /// Inserts at the end of `block`.
    pub fn at_end(ir: &'a mut Ir, block: Block) -> Self {
        Self {
            ir,
            point: InsertPoint::End(block),
            loc: Loc::UNKNOWN,
            fastmath: None,
        }
    }

    /// Inserts before `op`, with its location.
    pub fn before(ir: &'a mut Ir, op: Op) -> Self {
        let loc = ir.loc(op);
        Self {
            ir,
            point: InsertPoint::Before(op),
            loc,
            fastmath: None,
        }
    }

    /// Inserts after `op`, with its location.
    pub fn after(ir: &'a mut Ir, op: Op) -> Self {
        let loc = ir.loc(op);
        let point = point_after(ir, op);
        Self {
            ir,
            point,
            loc,
            fastmath: None,
        }
    }

    /// Inserts after the definition of `value`: behind its operation, or at the beginning of its block if it is an
    /// argument.
    ///
    /// # Panics
    /// If the operation is in no block.
    pub fn after_value(ir: &'a mut Ir, value: Value) -> Self {
        match ir.value_def(value) {
            ValueDef::Result(op, _) => Self::after(ir, op),
            ValueDef::Argument(block, _) => Self::at_start(ir, block),
        }
    }

    /// Inserts at the beginning of `block`.
    pub fn at_start(ir: &'a mut Ir, block: Block) -> Self {
        let point = match ir.first_op(block) {
            Some(first) => InsertPoint::Before(first),
            None => InsertPoint::End(block),
        };
        Self {
            ir,
            point,
            loc: Loc::UNKNOWN,
            fastmath: None,
        }
    }

    /// Inserts at the end of `block`, with the location and the `fastmath` of this builder.
    pub fn inside(&mut self, block: Block) -> Builder<'_> {
        Builder {
            point: InsertPoint::End(block),
            loc: self.loc,
            fastmath: self.fastmath,
            ir: self.ir,
        }
    }

    /// The shared context.
    pub fn context(&self) -> Arc<Context> {
        Arc::clone(self.ir.context())
    }

    /// The location that new operations get.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Sets the location that new operations get.
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// The attribute `fastmath` for sums and products whose order a lowering chooses; operations get it only from there.
    pub fn fastmath(&self) -> Option<Attr> {
        self.fastmath
    }

    /// Sets the attribute `fastmath` for sums and products whose order a lowering chooses.
    pub fn set_fastmath(&mut self, fastmath: Option<Attr>) {
        self.fastmath = fastmath;
    }

    /// Where the next operation goes.
    pub fn insert_point(&self) -> InsertPoint {
        self.point
    }

    /// Moves to another place.
    pub fn set_insert_point(&mut self, point: InsertPoint) {
        self.point = point;
    }

    /// Moves to the end of `block`.
    pub fn set_to_end(&mut self, block: Block) {
        self.point = InsertPoint::End(block);
    }

    /// Moves to right before `op`.
    pub fn set_before(&mut self, op: Op) {
        self.point = InsertPoint::Before(op);
    }

    /// Moves to right after `op`.
    pub fn set_after(&mut self, op: Op) {
        self.point = point_after(self.ir, op);
    }

    /// Inserts a detached operation.
    pub fn insert(&mut self, op: Op) -> Op {
        self.point.insert(self.ir, op);
        op
    }

    /// An empty specification of `def` at the current location.
    pub fn spec(&self, def: &'static OpDef) -> OpSpec {
        OpSpec::new(def, self.loc)
    }

    /// Makes and inserts an operation.
    pub fn create(&mut self, spec: OpSpec) -> Op {
        let op = self.ir.create_op(spec);
        self.insert(op)
    }

    /// Makes and inserts an operation with operands and results only.
    pub fn op(&mut self, def: &'static OpDef, operands: &[Value], results: &[Type]) -> Op {
        let spec = self.spec(def).operands(operands).results(results);
        self.create(spec)
    }

    /// [`Builder::op`] with one result, which is returned.
    pub fn value(&mut self, def: &'static OpDef, operands: &[Value], result: Type) -> Value {
        let op = self.op(def, operands, &[result]);
        self.ir.result(op, 0)
    }

    /// [`Builder::value`] with one attribute.
    pub fn value_with_attr(
        &mut self,
        def: &'static OpDef,
        operands: &[Value],
        result: Type,
        name: Name,
        attr: Attr,
    ) -> Value {
        let spec = self
            .spec(def)
            .operands(operands)
            .results(&[result])
            .attr(name, attr);
        let op = self.create(spec);
        self.ir.result(op, 0)
    }
}

fn point_after(ir: &Ir, op: Op) -> InsertPoint {
    match ir.next_op(op) {
        Some(next) => InsertPoint::Before(next),
        None => InsertPoint::End(ir.block_of(op).expect("the operation is in a block")),
    }
}
