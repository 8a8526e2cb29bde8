//! `linalg-specialize-generic-ops`: a `linalg.generic` that does what an operation with a name does becomes that.
//!
//! Before:
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x) outs(%e) {
//! ^bb0(%in: f32, %out: f32):
//!   linalg.yield %in : f32
//! }
//! ```
//! After:
//! ```mlir
//! %0 = linalg.copy ins(%x : ...) outs(%e : ...) -> ...
//! ```
//!
//! As upstream: copies and fills; exponential functions, sums, differences, products and quotients of floats over the
//! same elements; products of matrices and of batches of them, where one factor may be transposed.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::{arith, linalg, math};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;

use crate::analysis::contraction::adds_up_plain_products;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-specialize-generic-ops",
    summary: "convert linalg.generic to operations with names",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &linalg::GENERIC)
            && let Some((def, inputs)) = named(ir, op)
        {
            specialize(ir, op, def, &inputs);
            context.count("operations specialized", 1);
        }
    }
    Ok(())
}

/// The operation that does the same, and its inputs.
fn named(ir: &Ir, op: Op) -> Option<(&'static OpDef, Vec<Value>)> {
    let maps = interface::indexing_maps(ir, op);
    let inputs = interface::inputs(ir, op);
    if maps.len() != ir.operands(op).len() || interface::outputs(ir, op).len() != 1 {
        return None;
    }
    let mut iterators = interface::iterator_types(ir, op).into_iter();
    if !iterators.all(|kind| kind == IteratorType::Parallel) {
        return Some((product(ir, op, &maps)?, inputs.to_vec()));
    }
    if !maps.last()?.is_identity() {
        return None;
    }
    let body = interface::body(ir, op)?;
    match inputs.len() {
        1 => Some((unary(ir, op, body, &maps[0])?, inputs.to_vec())),
        2 if maps.iter().all(AffineMap::is_identity) => {
            let (def, is_swapped) = binary(ir, body)?;
            let mut inputs = inputs.to_vec();
            if is_swapped {
                inputs.swap(0, 1);
            }
            Some((def, inputs))
        }
        _ => None,
    }
}

fn unary(ir: &Ir, op: Op, body: Block, read: &AffineMap) -> Option<&'static OpDef> {
    let first = ir.first_op(body)?;
    let argument = *ir.block_args(body).first()?;
    if Some(first) == ir.terminator(body) {
        if ir.operands(first) != [argument] {
            return None;
        }
        let input = ir.operand(op, 0);
        let is_scalar = ir.context().shape(ir.value_type(input)).is_none();
        return if is_scalar {
            Some(&linalg::FILL)
        } else {
            read.is_identity().then_some(&linalg::COPY)
        };
    }
    let is_exp = ir.is(first, &math::EXP)
        && ir.operands(first) == [argument]
        && !ir.has_attr(first, Name::FASTMATH);
    (is_exp && read.is_identity() && yields(ir, body, first)).then_some(&linalg::EXP)
}

/// The operation on two inputs, and whether it takes them the other way round.
fn binary(ir: &Ir, body: Block) -> Option<(&'static OpDef, bool)> {
    let named: [(&OpDef, &'static OpDef); 4] = [
        (&arith::ADDF, &linalg::ADD),
        (&arith::SUBF, &linalg::SUB),
        (&arith::MULF, &linalg::MUL),
        (&arith::DIVF, &linalg::DIV),
    ];
    let first = ir.first_op(body)?;
    let &(_, def) = named.iter().find(|(scalar, _)| ir.is(first, scalar))?;
    let arguments = &ir.block_args(body)[..2];
    let is_swapped = match *ir.operands(first) {
        [a, b] if [a, b] == *arguments => false,
        [a, b] if [b, a] == *arguments => true,
        _ => return None,
    };
    let has_flags = ir.has_attr(first, Name::FASTMATH);
    (!has_flags && yields(ir, body, first)).then_some((def, is_swapped))
}

/// Whether all that a body does is to yield the result of its first operation.
fn yields(ir: &Ir, body: Block, first: Op) -> bool {
    let end = ir.terminator(body);
    end.is_some_and(|end| {
        ir.next_op(first) == Some(end) && ir.operands(end) == [ir.result(first, 0)]
    })
}

/// The product of matrices that has these maps.
fn product(ir: &Ir, op: Op, maps: &[AffineMap]) -> Option<&'static OpDef> {
    let [left, right, result] = maps else {
        return None;
    };
    let iterators = interface::iterator_types(ir, op);
    let (&last, parallel) = iterators.split_last()?;
    let is_product = adds_up_plain_products(ir, op)
        && last == IteratorType::Reduction
        && parallel.iter().all(|&kind| kind == IteratorType::Parallel)
        && is_in_order(ir, op);
    let n_batches = iterators.len().checked_sub(3)?;
    if !is_product || n_batches > 1 {
        return None;
    }
    let map = |dims: [usize; 2]| {
        let batches = 0..n_batches;
        let dims = batches.chain(dims.into_iter().map(|dim| n_batches + dim));
        AffineMap {
            results: dims.map(|dim| AffineExpr::Dim(dim as u32)).collect(),
            ..AffineMap::identity(iterators.len())
        }
    };
    if *result != map([0, 1]) {
        return None;
    }
    let is_batch = n_batches == 1;
    let (rows, columns) = (map([0, 2]), map([2, 1]));
    if *left == rows && *right == columns {
        Some(if is_batch {
            &linalg::BATCH_MATMUL
        } else {
            &linalg::MATMUL
        })
    } else if *left == map([2, 0]) && *right == columns {
        Some(if is_batch {
            &linalg::BATCH_MATMUL_TRANSPOSE_A
        } else {
            &linalg::MATMUL_TRANSPOSE_A
        })
    } else if *left == rows && *right == map([1, 2]) {
        Some(if is_batch {
            &linalg::BATCH_MATMUL_TRANSPOSE_B
        } else {
            &linalg::MATMUL_TRANSPOSE_B
        })
    } else {
        None
    }
}

/// Whether the body multiplies its inputs in their order and adds that to the output, as named operations do.
fn is_in_order(ir: &Ir, op: Op) -> bool {
    let Some(body) = interface::body(ir, op) else {
        return false;
    };
    let mut ops = ir.ops_in(body);
    let (Some(product), Some(sum)) = (ops.next(), ops.next()) else {
        return false;
    };
    let arguments = ir.block_args(body);
    ir.operands(product) == &arguments[..2]
        && ir.operands(sum) == [arguments[2], ir.result(product, 0)]
        && [product, sum]
            .iter()
            .all(|&op| !ir.has_attr(op, Name::FASTMATH))
}

fn specialize(ir: &mut Ir, op: Op, def: &'static OpDef, inputs: &[Value]) {
    let context = ir.context().clone();
    let outputs = interface::outputs(ir, op).to_vec();
    let segments = [inputs.len() as i32, outputs.len() as i32];
    let types: Vec<_> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let mut builder = Builder::before(ir, op);
    let spec = builder
        .spec(def)
        .operands(inputs)
        .operands(&outputs)
        .results(&types)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&segments),
        )
        .regions(1);
    let named = builder.create(spec);
    let (from, to) = (ir.region(op, 0), ir.region(named, 0));
    ir.move_blocks(from, to);
    // Named operations take their inputs in order.
    if let Some(body) = interface::body(ir, named)
        && let (Some(first), &[a, b, ..]) = (ir.first_op(body), ir.block_args(body))
        && inputs.len() == 2
    {
        ir.set_operands(first, &[a, b]);
    }
    let results = ir.results(named).to_vec();
    ir.replace_op(op, &results);
}
