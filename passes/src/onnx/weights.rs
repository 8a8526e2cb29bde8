//! Weights that a model keeps in a smaller form than it computes with: computed just before they are read, so that few of
//! them are in memory at a time, and of tables only the rows that are read.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use rustc_hash::FxHashSet;

use super::convert_onnx_to_stablehlo::{is_onnx, opset_of};
use super::elementwise;
use super::graph::Cx;
use super::node::Node;
use super::sizes::{Dim, c};

/// What makes weights of constants, element by element.
const ELEMENTWISE: [&OpDef; 5] = [&onnx::ADD, &onnx::CAST, &onnx::DIV, &onnx::MUL, &onnx::SUB];

/// How many operators on a way from a constant to its table are computed of rows alone; each may be on several ways.
const MAX_DEPTH: usize = 8;

/// Smaller tables become constants.
const SMALL_TABLE: i64 = 64;

fn is_elementwise(ir: &Ir, op: Op) -> bool {
    ELEMENTWISE.iter().any(|&def| ir.is(op, def))
}

/// Moves operators that compute weights of constants to the first one that reads the weights.
pub(super) fn sink(ir: &mut Ir) {
    let Some(body) = ir.root_block() else {
        return;
    };
    let ops: Vec<Op> = ir.ops_in(body).filter(|&op| is_onnx(ir, op)).collect();
    let mut fixed: FxHashSet<Value> = FxHashSet::default();
    let mut moved = Vec::new();
    for op in ops {
        let is_constant = ir.is(op, &onnx::CONSTANT);
        let is_computed = (is_elementwise(ir, op) || ir.is(op, &onnx::DEQUANTIZE_LINEAR))
            && ir.operands(op).iter().all(|value| fixed.contains(value));
        if is_constant || is_computed {
            fixed.extend(ir.results(op));
        }
        if is_computed {
            moved.push(op);
        }
    }
    for &op in moved.iter().rev() {
        let result = ir.result(op, 0);
        let users = ir.uses(result).iter();
        let first = (users.filter_map(|use_| ir.ancestor_in_block(use_.op, body)))
            .reduce(|x, y| if ir.is_before_in_block(x, y) { x } else { y });
        if let Some(first) = first {
            ir.move_op_before(op, first);
        }
    }
}

impl Cx<'_> {
    /// Rows of a table, which `gathered` reads of a tensor, if the table is large and computed of constants: then rows of
    /// the constants are read.
    pub(super) fn rows_of_table(
        &mut self,
        table: Value,
        gathered: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Option<Value> {
        self.rows_at_depth(table, MAX_DEPTH, gathered)
    }

    fn rows_at_depth(
        &mut self,
        table: Value,
        depth: usize,
        gathered: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Option<Value> {
        let op = self.b.ir.defining_op(table)?;
        if depth == 0 || !is_onnx(self.b.ir, op) || !is_elementwise(self.b.ir, op) {
            return None;
        }
        let value = *self.values.get(&table)?;
        let sizes = self.known(value)?;
        if sizes.iter().product::<i64>() < SMALL_TABLE {
            return None;
        }
        let mut operands = Vec::new();
        for operand in self.b.ir.operands(op).to_vec() {
            let value = *self.values.get(&operand)?;
            let dims = self.dims(value);
            let is_constant = arith::as_constant_attr(self.b.ir, value).is_some();
            operands.push(Some(if dims.len() < sizes.len() {
                // The same for all rows.
                is_constant.then_some(value)?
            } else if dims[0] != Dim::Constant(sizes[0]) {
                is_constant.then_some(())?;
                debug_assert_eq!(dims[0], c(1));
                self.squeeze(value, &[0]).ok()?
            } else if is_constant {
                gathered(self, value)
            } else {
                self.rows_at_depth(operand, depth - 1, gathered)?
            }));
        }
        let opset = opset_of(self.b.ir, op).unwrap_or(self.opset);
        let node = Node::new(self.b.ir, op, operands, opset);
        if node.has("axis") {
            return None;
        }
        let lowered = elementwise::lowering(node.def)?(self, &node).ok()?;
        lowered.first().copied()
    }
}
