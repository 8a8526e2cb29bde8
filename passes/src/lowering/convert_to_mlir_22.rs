//! `convert-to-mlir-22`: operations that MLIR 22 does not have become those that it has.
//!
//! Before:
//! ```mlir
//! linalg.matmul_transpose_b ins(%a, %b : memref<4x8xf32>, memref<5x8xf32>) outs(%c : memref<4x5xf32>)
//! %0 = vector.splat %x : vector<4xf32>
//! %1 = vector.extractelement %v[%i : index] : vector<4xf32>
//! linalg.map ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
//!   (%in: f32) {
//!     %y = arith.addf %in, %x : f32
//!     linalg.yield %y : f32
//!   }
//! ```
//! After:
//! ```mlir
//! linalg.matmul {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]} ins(%a, %b : memref<4x8xf32>, memref<5x8xf32>) outs(%c : memref<4x5xf32>)
//! %0 = vector.broadcast %x : f32 to vector<4xf32>
//! %1 = vector.extract %v[%i] : f32 from vector<4xf32>
//! linalg.map ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
//!   (%in: f32, %arg: f32) {
//!     %y = arith.addf %in, %x : f32
//!     linalg.yield %y : f32
//!   }
//! ```
//!
//! `opt` does this to what it prints for MLIR 22, which writes `indexing_maps = [...]` instead of the attribute.
//! What MLIR 22 has nothing for, such as `vector.matrix_multiply`, stays.

use freehold_frontend::dialects::linalg::{self, named};
use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-to-mlir-22",
    summary: "replace operations that MLIR 22 removed by their successors",
    anchor: Anchor::Function,
    run: |ir, _: &mut PassContext<'_>| {
        for op in ir.collect_ops(ir.root()) {
            convert(ir, op);
        }
        Ok::<(), Failed>(())
    },
};

/// Products of transposed matrices, and what they are with maps of their own.
const TRANSPOSED: [(&OpDef, &OpDef); 4] = [
    (&named::MATMUL_TRANSPOSE_A, &linalg::MATMUL),
    (&named::MATMUL_TRANSPOSE_B, &linalg::MATMUL),
    (&named::BATCH_MATMUL_TRANSPOSE_A, &named::BATCH_MATMUL),
    (&named::BATCH_MATMUL_TRANSPOSE_B, &named::BATCH_MATMUL),
];

fn convert(ir: &mut Ir, op: Op) {
    if replace_older(ir, op) {
        return;
    }
    if let Some(&(_, plain)) = TRANSPOSED.iter().find(|(row, _)| ir.is(op, row)) {
        let context = ir.context().clone();
        let maps = linalg::indexing_maps(ir, op);
        let maps: Vec<_> = maps
            .into_iter()
            .map(|map| context.affine_map_attr(map))
            .collect();
        let operands = ir.operands(op).to_vec();
        let new = replace(ir, op, plain, &operands);
        ir.set_attr(new, Name::MEMOIZED_INDEXING_MAPS, context.array_attr(&maps));
    } else if ir.is(op, &linalg::MAP) {
        let block = linalg::interface::body(ir, op);
        if let Some(block) =
            block.filter(|&block| ir.block_args(block).len() < ir.operands(op).len())
        {
            let output = ir.operands(op)[ir.block_args(block).len()];
            let element = ir.context().element_type_or_self(ir.value_type(output));
            ir.append_block_arg(block, element);
        }
    }
}

/// Replaces an operation on vectors that a younger one can do as well; returns whether it is one.
pub(super) fn replace_older(ir: &mut Ir, op: Op) -> bool {
    if ir.is(op, &vector::SPLAT) {
        let operands = ir.operands(op).to_vec();
        replace(ir, op, &vector::BROADCAST, &operands);
    } else if ir.is(op, &vector::EXTRACT_ELEMENT) {
        replace_access(ir, op, &vector::EXTRACT, 1);
    } else if ir.is(op, &vector::INSERT_ELEMENT) {
        replace_access(ir, op, &vector::INSERT, 2);
    } else {
        return false;
    }
    true
}

/// An access to an element by its position, an index or an integer of any width, if there is one.
fn replace_access(ir: &mut Ir, op: Op, row: &'static OpDef, n_vectors: usize) {
    let mut operands: Vec<Value> = ir.operands(op).to_vec();
    for position in &mut operands[n_vectors..] {
        if ir.value_type(*position) != Type::INDEX {
            let mut builder = Builder::before(ir, op);
            *position = builder.value(&arith::INDEX_CASTUI, &[*position], Type::INDEX);
        }
    }
    let n_positions = operands.len() - n_vectors;
    let positions = ir.context().i64_array_attr(&vec![DYNAMIC; n_positions]);
    let new = replace(ir, op, row, &operands);
    ir.set_attr(new, Name::STATIC_POSITION, positions);
}

/// Makes an operation of another row that is otherwise the same.
pub(super) fn replace(ir: &mut Ir, op: Op, row: &'static OpDef, operands: &[Value]) -> Op {
    let results: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let attrs = ir.context().dict(ir.attrs(op)).to_vec();
    let blocks: Vec<_> = ir
        .regions(op)
        .iter()
        .filter_map(|&region| ir.entry_block(region))
        .collect();
    let mut builder = Builder::before(ir, op);
    let spec = builder
        .spec(row)
        .operands(operands)
        .results(&results)
        .regions(blocks.len());
    let new = builder.create(spec);
    for (index, block) in blocks.into_iter().enumerate() {
        let region = ir.region(new, index);
        ir.move_block_to_end(block, region);
    }
    for (name, attr) in attrs {
        ir.set_attr(new, name, attr);
    }
    let results: Vec<Value> = ir.results(new).to_vec();
    ir.replace_op(op, &results);
    new
}
