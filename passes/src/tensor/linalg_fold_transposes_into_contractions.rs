//! `linalg-fold-transposes-into-contractions`: products of tensors read their factors where these were before they
//! were transposed.
//!
//! Before:
//! ```mlir
//! %t = linalg.transpose ins(%k : tensor<8x256x64xf32>) outs(%e : tensor<8x64x256xf32>) permutation = [0, 2, 1]
//! %s = linalg.batch_matmul ins(%q, %t : tensor<8x256x64xf32>, tensor<8x64x256xf32>) outs(%c : ...) -> ...
//! ```
//! After:
//! ```mlir
//! // The second map is (d0, d1, d2, d3) -> (d0, d2, d3).
//! %s = linalg.generic {indexing_maps = [...], ...} ins(%q, %k : tensor<8x256x64xf32>, tensor<8x256x64xf32>) ...
//! ```
//!
//! A transposition of the result, if nothing else uses it, becomes part of the last map.
//!
//! For contractions that become library calls: the library copies factors into the order in which it reads them anyway,
//! wherever they come from. Loops would be slower, so small or thin products are left alone, and so are windows of
//! convolutions, types that the library lacks and tensors with other users.

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::linalg_generalize_named_ops::generalize;
use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_plain_products;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::structured::{Copied, set_indexing_maps};
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-fold-transposes-into-contractions",
    summary: "let large products of tensors read transposed operands in place",
    anchor: Anchor::Function,
    run,
};

/// This many products are a library call, whatever their batch is (`convert-linalg-to-library-calls`).
const MIN_PRODUCTS: i64 = 4096;

/// This many rows and columns are one, wherever their elements are.
const MIN_ROWS: i64 = 4;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        let is_structured = !ir.is_erased(op) && interface::is_structured(ir, op);
        if !is_structured || !is_on_tensors(ir, op) || !is_library_product(ir, op) {
            continue;
        }
        let mut op = op;
        for input in 0..interface::n_inputs(ir, op) {
            if let Some(transpose) = Transpose::of_input(ir, op, input) {
                if !ir.is(op, &linalg::GENERIC) {
                    op = generalize(ir, op);
                }
                transpose.fold(ir, op, input);
                context.count("transposes folded", 1);
            }
        }
        while fold_transposed_result(ir, &mut op).is_some() {
            context.count("transposes folded", 1);
        }
    }
    Ok(())
}

/// Whether it is a product of two matrices, or of several ones, that the library computes with any strides.
fn is_library_product(ir: &Ir, op: Op) -> bool {
    let &[output] = interface::outputs(ir, op) else {
        return false;
    };
    let element = interface::element_type(ir, output);
    if ![Type::F32, Type::F64, Type::I32].contains(&element) || !adds_up_plain_products(ir, op) {
        return false;
    }
    let maps = interface::indexing_maps(ir, op);
    let [left, right, result] = maps.as_slice() else {
        return false;
    };
    if !maps.iter().all(AffineMap::is_projected_permutation) {
        return false;
    }
    let [mut rows, mut columns, mut inner] = [1i64; 3];
    for (i, bound) in interface::loop_sizes(ir, op).into_iter().enumerate() {
        let size = bound.map_or(DYNAMIC, |(operand, dim)| interface::shape(ir, operand)[dim]);
        if size == DYNAMIC {
            return false;
        }
        let counter = AffineExpr::Dim(i as u32);
        let moves = |map: &AffineMap| map.results.contains(&counter);
        let product = match (moves(result), moves(left), moves(right)) {
            (true, true, true) => continue,
            (true, true, false) => &mut rows,
            (true, false, true) => &mut columns,
            (false, true, true) => &mut inner,
            _ => return false,
        };
        *product = product.saturating_mul(size);
    }
    let products = rows.saturating_mul(columns).saturating_mul(inner);
    rows >= MIN_ROWS && columns >= MIN_ROWS && products >= MIN_PRODUCTS
}

/// Computes the result of a product, which was all zeros or the like before, where the only operation that uses it
/// would have moved it.
fn fold_transposed_result(ir: &mut Ir, op: &mut Op) -> Option<()> {
    let result = ir.result(*op, 0);
    let &[user] = ir.uses(result) else {
        return None;
    };
    let transpose = user.op;
    let is_near = ir.block_of(transpose) == ir.block_of(*op) && is_on_tensors(ir, transpose);
    let Copied {
        input,
        read,
        written,
        ..
    } = Copied::of(ir, transpose).filter(|_| is_near)?;
    // The sizes of factors may be known where the type of the result does not say them.
    if interface::shape(ir, ir.result(transpose, 0)).contains(&DYNAMIC) {
        return None;
    }
    if input != result || !read.is_permutation() || !written.is_permutation() {
        return None;
    }
    let place = |counter| read.results.iter().position(|other| other == counter);
    let dims: Vec<usize> = written.results.iter().map(place).collect::<Option<_>>()?;
    let fill = ir.defined_by(interface::outputs(ir, *op)[0], &linalg::FILL)?;
    if ir.uses(ir.result(fill, 0)).len() != 1 {
        return None;
    }
    let number = interface::inputs(ir, fill)[0];
    // Tiles are stored along rows or columns, not along batches.
    let maps = interface::indexing_maps(ir, *op);
    let nearest = &maps.last()?.results[*dims.last()?];
    let n_factors = maps[..2].iter().filter(|map| map.results.contains(nearest));
    if n_factors.count() != 1 {
        return None;
    }
    if !ir.is(*op, &linalg::GENERIC) {
        *op = generalize(ir, *op);
    }
    let ty = ir.value_type(ir.result(transpose, 0));
    let mut builder = Builder::before(ir, *op);
    let empty = tensors::empty(&mut builder, ty);
    let filled = tensors::fill(&mut builder, number, empty);
    let mut maps = interface::indexing_maps(ir, *op);
    let last = maps.last_mut()?;
    last.results = dims.iter().map(|&dim| last.results[dim].clone()).collect();
    set_indexing_maps(ir, *op, maps);
    let output = ir.operands(*op).len() - 1;
    ir.set_operand(*op, output, filled);
    let result = ir.result(*op, 0);
    ir.set_value_type(result, ty);
    ir.replace_op(transpose, &[result]);
    if ir.is_unused(fill) {
        ir.erase_op(fill);
    }
    Some(())
}

/// An operation that does nothing but to transpose a tensor.
struct Transpose {
    op: Op,
    source: Value,
    /// Which dimension of the result each one of the source becomes.
    dims: Vec<usize>,
}

impl Transpose {
    /// What computes an input of `op`, and nothing else needs.
    fn of_input(ir: &Ir, user: Op, input: usize) -> Option<Self> {
        let transposed = interface::inputs(ir, user)[input];
        let op = ir.defining_op(transposed)?;
        if !interface::is_structured(ir, op) || ir.uses(transposed).len() != 1 {
            return None;
        }
        let Copied {
            input: source,
            read,
            written,
            ..
        } = Copied::of(ir, op)?;
        if !read.is_permutation() || !written.is_permutation() {
            return None;
        }
        let place = |counter| written.results.iter().position(|other| other == counter);
        let dims: Option<Vec<usize>> = read.results.iter().map(place).collect();
        let dims = dims.filter(|dims| !dims.is_sorted())?;
        Some(Self { op, source, dims })
    }

    /// Has a `linalg.generic` read the source.
    fn fold(self, ir: &mut Ir, user: Op, input: usize) {
        let mut maps = interface::indexing_maps(ir, user);
        let subscripts = &mut maps[input].results;
        *subscripts = (self.dims.iter())
            .map(|&dim| subscripts[dim].clone())
            .collect();
        set_indexing_maps(ir, user, maps);
        ir.set_operand(user, input, self.source);
        let output = interface::outputs(ir, self.op)[0];
        ir.erase_op(self.op);
        if let Some(empty) = ir.defining_op(output)
            && ir.is_unused(empty)
            && ir.is_memory_effect_free(empty)
        {
            ir.erase_op(empty);
        }
    }
}
