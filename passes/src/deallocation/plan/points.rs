//! Where code for a [`Place`] or on an [`Edge`] goes, in a function that is being edited: edges get
//! blocks of their own on demand, and code inserted behind an operation stays behind the operations
//! that belong to it.

use freehold_frontend::dialects::cf;
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::flow::{Edge, EdgeKind};
use crate::deallocation::plan::place::Place;

/// Finds insertion points; see the module doc.
#[derive(Default)]
pub(crate) struct Points {
    /// The last operation that belongs to another one and stands behind it.
    followers: FxHashMap<Op, Op>,
    /// The last operation that belongs to the arguments of a block.
    openers: FxHashMap<Block, Op>,
    /// Edges that got a block of their own, and the branch at its end.
    split_edges: FxHashMap<(Op, usize), Op>,
}

impl Points {
    /// `follower`, which stands behind `op`, belongs to it.
    pub(crate) fn follow(&mut self, op: Op, follower: Op) {
        self.followers.insert(op, follower);
    }

    /// `opener`, near the beginning of `block`, belongs to its arguments.
    pub(crate) fn open(&mut self, block: Block, opener: Op) {
        self.openers.insert(block, opener);
    }

    /// The point of a place. It may be valid only until the next edit.
    pub(crate) fn at(&mut self, ir: &mut Ir, place: Place) -> InsertPoint {
        match place {
            Place::After(op) => self.after(ir, op),
            Place::Before(op) => InsertPoint::Before(op),
            Place::Start(block) => self.start_of(ir, block),
            Place::Edge(source, successor) => self.on_edge(ir, source, successor),
        }
    }

    /// Right after an operation, and after what belongs to it.
    pub(crate) fn after(&self, ir: &Ir, op: Op) -> InsertPoint {
        let last = self.followers.get(&op).copied().unwrap_or(op);
        match ir.next_op(last) {
            Some(next) => InsertPoint::Before(next),
            None => InsertPoint::End(ir.block_of(last).expect("the operation is in a block")),
        }
    }

    /// The beginning of a block, after what belongs to its arguments and the
    /// constants that may be used there.
    pub(crate) fn start_of(&self, ir: &Ir, block: Block) -> InsertPoint {
        let mut op = match self.openers.get(&block) {
            Some(&opener) => ir.next_op(opener),
            None => ir.first_op(block),
        };
        while let Some(current) = op
            && ir.has_trait(current, Traits::CONSTANT_LIKE)
        {
            op = ir.next_op(current);
        }
        op.map_or(InsertPoint::End(block), InsertPoint::Before)
    }

    /// The `i1` that says who frees `result`, behind the operation `op`, which knows.
    pub(crate) fn materialize(&mut self, ir: &mut Ir, op: Op, result: Value) -> Value {
        let interface = ir.def(op).ownership.expect("the operation says so");
        let loc = ir.loc(op);
        let mut builder = match self.after(ir, op) {
            InsertPoint::Before(next) => Builder::before(ir, next),
            InsertPoint::End(block) => Builder::at_end(ir, block),
        };
        builder.set_loc(loc);
        let owned = (interface.materialize)(&mut builder, op, result);
        // It may be a result of the operation itself.
        if let Some(last) = ir.defining_op(owned).filter(|&last| last != op) {
            self.follow(op, last);
        }
        owned
    }

    /// The edge after it may have been split.
    pub(crate) fn current_edge(&self, edge: Edge) -> Edge {
        match edge.kind {
            EdgeKind::Branch(successor) => match self.split_edges.get(&(edge.source, successor)) {
                Some(&source) => Edge {
                    source,
                    kind: EdgeKind::Branch(0),
                },
                None => edge,
            },
            _ => edge,
        }
    }

    /// The operation before which code on `edge` goes, that is executed only there.
    pub(crate) fn edge_anchor(&mut self, ir: &mut Ir, edge: Edge) -> Op {
        let edge = self.current_edge(edge);
        match edge.kind {
            EdgeKind::Branch(successor) if ir.successors(edge.source).len() > 1 => {
                self.split_edge(ir, edge.source, successor)
            }
            _ => edge.source,
        }
    }

    /// Gives an edge a block of its own; returns the branch at its end.
    fn split_edge(&mut self, ir: &mut Ir, source: Op, successor: usize) -> Op {
        if let Some(&branch) = self.split_edges.get(&(source, successor)) {
            return branch;
        }
        let target = ir.successors(source)[successor];
        let operands: Vec<Value> = ir.successor_operands(source, successor).to_vec();
        let source_block = ir.block_of(source).expect("terminators are in blocks");
        let block = ir.insert_block_after(source_block, &[]);
        let spec = OpSpec::new(&cf::BR, ir.loc(source))
            .operands(&operands)
            .successors(&[target]);
        let branch = ir.create_op(spec);
        ir.append_op(block, branch);
        if let Some(interface) = ir.def(source).branch {
            for index in (0..operands.len()).rev() {
                (interface.remove_successor_operand)(ir, source, successor, index);
            }
        }
        ir.set_successor(source, successor, block);
        self.split_edges.insert((source, successor), branch);
        branch
    }

    /// A point that control passes exactly when it takes this edge.
    fn on_edge(&mut self, ir: &mut Ir, source: Op, successor: usize) -> InsertPoint {
        if let Some(&branch) = self.split_edges.get(&(source, successor)) {
            return InsertPoint::Before(branch);
        }
        let target = ir.successors(source)[successor];
        if ir.block_uses(target).len() == 1 && !ir.is_entry_block(target) {
            return self.start_of(ir, target);
        }
        let distinct: SmallVec<[Block; 2]> = ir.successors(source).into();
        if distinct.len() == 1 {
            return InsertPoint::Before(source);
        }
        InsertPoint::Before(self.split_edge(ir, source, successor))
    }
}
