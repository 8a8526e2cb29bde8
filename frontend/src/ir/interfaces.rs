//! What passes may ask an operation beyond its effects: how control and values
//! flow out of it, which loop it is, what it calls, what it copies.
//!
//! Ranges are indices into the operand list of the operation that forwards.

use std::ops::Range;

use smallvec::SmallVec;

use crate::ir::attrs::Attr;
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Region, Value};

/// Terminators that branch to successor blocks.
#[derive(Debug)]
pub struct BranchInterface {
    /// The operands that become the arguments of successor `index`, in order.
    pub successor_operands: fn(&Ir, Op, usize) -> Range<usize>,
    /// [`BranchInterface::successor_operands`] of every successor, found in one go.
    pub all_successor_operands: fn(&Ir, Op) -> SmallVec<[Range<usize>; 2]>,
    /// The successor that operand `index` is handed to, and which of its
    /// arguments it becomes.
    pub successor_of_operand: fn(&Ir, Op, usize) -> Option<(usize, usize)>,
    /// Appends values to the operands of successor `index`.
    pub append_successor_operands: fn(&mut Ir, Op, usize, &[Value]),
    /// Removes operand `argument` of successor `index`.
    pub remove_successor_operand: fn(&mut Ir, Op, usize, usize),
}

/// A point that control can come from or go to around a region operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum RegionPoint {
    /// The operation itself: before it, or after it with its results.
    Parent,
    /// The entry (as a target) or the end (as a source) of region `.0`.
    Region(usize),
}

/// Control flow between an operation and its regions.
#[derive(Debug)]
pub struct RegionBranchInterface {
    /// Where control may go from `from` (`Parent`: on entering the operation).
    pub successors: fn(&Ir, Op, RegionPoint, &mut SmallVec<[RegionPoint; 4]>),
    /// The operands of the operation that are forwarded to `to` on entering.
    pub entry_operands: fn(&Ir, Op, RegionPoint) -> Range<usize>,
    /// The values at `to` that receive the forwarded ones: indices into the entry block arguments
    /// of a region, or into the results (`Parent`).
    pub successor_inputs: fn(&Ir, Op, RegionPoint) -> Range<usize>,
    /// The operand group that `entry_operands` come from, to append to;
    /// `None` if the operation forwards nothing on entry.
    pub forwarded_group: Option<usize>,
    /// Whether region `index` may run more than once per execution of the operation.
    pub is_repetitive: fn(&Ir, Op, usize) -> bool,
}

/// Terminators that hand control back to the parent operation.
#[derive(Debug)]
pub struct RegionTerminatorInterface {
    /// The operands forwarded to `to`.
    pub operands: fn(&Ir, Op, RegionPoint) -> Range<usize>,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A symbol reference.
    Symbol(Attr),
    /// A value of function type.
    Value(Value),
}

/// Calls.
#[derive(Debug)]
pub struct CallInterface {
    /// The callee.
    pub callee: fn(&Ir, Op) -> Callee,
    /// The operands that become the arguments.
    pub arguments: fn(&Ir, Op) -> Range<usize>,
}

/// The bound of a loop: a value, or a known number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// An SSA value.
    Value(Value),
    /// A constant.
    Constant(i64),
}

/// Lower bound, upper bound (exclusive) and step of one induction variable.
pub type LoopBounds = (Bound, Bound, Bound);

/// Loops.
#[derive(Debug)]
pub struct LoopInterface {
    /// The region that repeats.
    pub body: fn(&Ir, Op) -> Region,
    /// Induction variables.
    pub induction_variables: fn(&Ir, Op) -> SmallVec<[Value; 4]>,
    /// The bounds per induction variable, if they are of this form.
    pub bounds: fn(&Ir, Op) -> Option<SmallVec<[LoopBounds; 4]>>,
}

/// Operations that copy a whole buffer to another and do nothing else.
#[derive(Debug)]
pub struct CopyInterface {
    /// Its source.
    pub source: fn(&Ir, Op) -> Value,
    /// Its target.
    pub target: fn(&Ir, Op) -> Value,
}

/// What an operation has to do with a transfer that goes on by itself until someone waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// It starts one.
    Started {
        /// The result that stands for it.
        request: Value,
        /// The operand that is read or written until the request was waited for.
        buffer: Value,
        /// Whether it is written.
        is_written: bool,
    },
    /// It starts one with its other operands, and others wait until this operand, a buffer, says that it is over.
    Tagged(Value),
    /// It waits for the transfer that this operand stands for.
    Awaited(Value),
}

/// Operations that alone know, when they run, whether a result is a buffer that the function has to free. All others
/// say it with effects: an allocation owns, a free takes over, and results without an effect belong to another owner.
#[derive(Debug)]
pub struct OwnershipInterface {
    /// Whether that is so for this result, a buffer.
    pub is_dynamic: fn(&Ir, Op, Value) -> bool,
    /// Builds, behind the operation, the `i1` that says whether the function has to free the result. If not, it is
    /// memory of another owner, or of an operand that [`OpDef::keeps_operand`] names.
    ///
    /// [`OpDef::keeps_operand`]: super::op_def::OpDef::keeps_operand
    pub materialize: fn(&mut Builder<'_>, Op, Value) -> Value,
}

impl Ir {
    /// Whether `result`, one of `op`, is a buffer whose owner only `op` knows.
    pub fn has_dynamic_ownership(&self, op: Op, result: Value) -> bool {
        self.is_memref(result)
            && (self.def(op).ownership)
                .is_some_and(|interface| (interface.is_dynamic)(self, op, result))
    }

    /// The transfer that `op` starts or waits for.
    pub fn request(&self, op: Op) -> Option<Request> {
        self.def(op).request.and_then(|request| request(self, op))
    }

    /// Where control may go from `from` in region operation `op`. Empty if
    /// the operation has no such interface.
    pub fn region_successors(&self, op: Op, from: RegionPoint) -> SmallVec<[RegionPoint; 4]> {
        let mut successors = SmallVec::new();
        if let Some(interface) = self.def(op).region_branch {
            (interface.successors)(self, op, from, &mut successors);
        }
        successors
    }

    /// The values at `to` that receive forwarded values: arguments or results.
    pub fn region_successor_inputs(&self, op: Op, to: RegionPoint) -> &[Value] {
        let Some(interface) = self.def(op).region_branch else {
            return &[];
        };
        let range = (interface.successor_inputs)(self, op, to);
        match to {
            RegionPoint::Parent => &self.results(op)[range],
            RegionPoint::Region(index) => match self.entry_block(self.region(op, index)) {
                Some(block) => &self.block_args(block)[range],
                None => &[],
            },
        }
    }

    /// The operands of `op` forwarded to `to` on entering.
    pub fn region_entry_operands(&self, op: Op, to: RegionPoint) -> &[Value] {
        match self.def(op).region_branch {
            Some(interface) => &self.operands(op)[(interface.entry_operands)(self, op, to)],
            None => &[],
        }
    }

    /// The operands of the region terminator `op` forwarded to `to`.
    pub fn region_terminator_operands(&self, op: Op, to: RegionPoint) -> &[Value] {
        match self.def(op).region_terminator {
            Some(interface) => &self.operands(op)[(interface.operands)(self, op, to)],
            None => &[],
        }
    }

    /// The operands that branch terminator `op` hands to successor `index`.
    pub fn successor_operands(&self, op: Op, index: usize) -> &[Value] {
        match self.def(op).branch {
            Some(interface) => &self.operands(op)[(interface.successor_operands)(self, op, index)],
            None => &[],
        }
    }

    /// What `op` forwards: the number of an operand, and what it becomes.
    pub fn forwarded_operands(&self, op: Op) -> SmallVec<[(usize, Value); 8]> {
        let def = self.def(op);
        let mut forwarded: SmallVec<[(usize, Value); 8]> = SmallVec::new();
        if let Some(branch) = def.branch {
            for (successor, range) in (branch.all_successor_operands)(self, op)
                .into_iter()
                .enumerate()
            {
                let args = self.block_args(self.successors(op)[successor]);
                let skipped = args.len() - range.len();
                forwarded.extend(range.zip(args[skipped..].iter().copied()));
            }
        }
        if let Some(interface) = def.region_branch {
            for to in self.region_successors(op, RegionPoint::Parent) {
                let operands = (interface.entry_operands)(self, op, to);
                let inputs = self.region_successor_inputs(op, to).iter().copied();
                forwarded.extend(operands.zip(inputs));
            }
        }
        if let Some(interface) = def.region_terminator
            && let Some(parent) = self.parent_op(op)
            && let Some(index) = self
                .regions(parent)
                .iter()
                .position(|&region| Some(region) == self.parent_region(op))
        {
            for to in self.region_successors(parent, RegionPoint::Region(index)) {
                let operands = (interface.operands)(self, op, to);
                let inputs = self.region_successor_inputs(parent, to).iter().copied();
                forwarded.extend(operands.zip(inputs));
            }
        }
        forwarded
    }
}
