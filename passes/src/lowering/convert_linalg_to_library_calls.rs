//! `convert-linalg-to-library-calls`: products of matrices become calls of the runtime library.
//!
//! Before:
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
//! ```
//! After, with the address of the first element and both strides of each matrix, and the sizes of
//! the three loops:
//! ```mlir
//! call @freehold_matmul_f32(%c_at, %c_rows, %c_columns, %a_at, ..., %m, %n, %k)
//! ```
//!
//! Any structured operation on buffers of f32 or f64 is taken whose three innermost loops multiply
//! matrices: whatever it is called, however operands are transposed. Loops around these become
//! `scf.for`. What is known to have fewer than `min-products` multiplications in these three loops
//! stays as it is.
//!
//! Results are the same as those of `convert-linalg-to-loops` bit for bit, also where the result
//! shares memory with a factor: the library adds up in the same order and looks for overlap.

use std::sync::Arc;

use freehold_frontend::dialects::linalg::IteratorType;
use freehold_frontend::dialects::{arith, linalg};
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};
use smallvec::SmallVec;

use super::convert_linalg_to_loops::loop_size;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::library::{Described, MATMUL};
use crate::rewrite::runtime_function::{build_borrowing_call, call_runtime};
use crate::rewrite::sequential_loops::build_nest;

// 4096 multiplications are matrices of 16 by 16. Not measured at that size: the least row of
// benches/README.md is `matmul f32, 64`, where the library is 20 times as fast as loops of the peer.
pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// leave products alone that are known to take fewer multiplications
        "min-products" min_products: u64 = 4096,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-linalg-to-library-calls",
    summary: "turn products of matrices into calls of the runtime library",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let min_products = i64::try_from(context.options.min_products).unwrap_or(i64::MAX);
    let n_calls = call_runtime(ir, &MATMUL, &|function, callable| {
        let mut calls = [0u64; 2];
        for op in function.collect_ops(function.root()) {
            // The body of what was converted is gone.
            if !function.is_erased(op)
                && let Some(product) = Product::of(function, op)
                && callable[product.function]
                && product.is_worth_it(function, min_products)
            {
                product.call(function);
                calls[product.function] += 1;
            }
        }
        calls
    });
    context.count("library calls", n_calls);
    Ok(())
}

/// An operation whose three innermost loops are a product of matrices.
struct Product {
    op: Op,
    /// Which of [`MATMUL`].
    function: usize,
    /// Result, left and right factor.
    matrices: [Matrix; 3],
    n_loops: usize,
}

/// An operand of such an operation.
struct Matrix {
    buffer: Value,
    /// For each loop the dimension that its counter subscribes.
    dims: SmallVec<[Option<usize>; 4]>,
}

impl Matrix {
    /// `None` if a subscript is not a counter, or a counter appears twice.
    fn of(buffer: Value, subscripts: &[AffineExpr], n_loops: usize) -> Option<Self> {
        let mut dims = SmallVec::from_elem(None, n_loops);
        for (dim, subscript) in subscripts.iter().enumerate() {
            let AffineExpr::Dim(counter) = subscript else {
                return None;
            };
            let place: &mut Option<usize> = dims.get_mut(*counter as usize)?;
            if place.replace(dim).is_some() {
                return None;
            }
        }
        Some(Self { buffer, dims })
    }

    /// Whether its dimensions among the three innermost loops are exactly these two.
    fn is_over(&self, first: usize, second: usize) -> bool {
        let inner = self.dims.len() - 3..self.dims.len();
        inner
            .into_iter()
            .all(|counter| self.dims[counter].is_some() == (counter == first || counter == second))
    }
}

impl Product {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if !linalg::is_structured(ir, op)
            || !ir.results(op).is_empty()
            || linalg::n_inputs(ir, op) != 2
        {
            return None;
        }
        let &[first, second, result] = ir.operands(op) else {
            return None;
        };
        let function = function_for(ir, [first, second, result])?;
        let iterators = linalg::iterator_types(ir, op);
        let n_loops = iterators.len();
        let [
            ..,
            IteratorType::Parallel,
            IteratorType::Parallel,
            IteratorType::Reduction,
        ] = iterators[..]
        else {
            return None;
        };
        let (m, n, k) = (n_loops - 3, n_loops - 2, n_loops - 1);
        if !is_product(ir, op) {
            return None;
        }
        let maps = linalg::indexing_maps(ir, op);
        let matrix = |buffer, i: usize| Matrix::of(buffer, &maps.get(i)?.results, n_loops);
        let (first, second, result) = (matrix(first, 0)?, matrix(second, 1)?, matrix(result, 2)?);
        // Factors may change places: the product of two numbers is the same.
        let (left, right) = match first.is_over(m, k) {
            true => (first, second),
            false => (second, first),
        };
        if !result.is_over(m, n) || !left.is_over(m, k) || !right.is_over(n, k) {
            return None;
        }
        Some(Self {
            op,
            function,
            matrices: [result, left, right],
            n_loops,
        })
    }

    /// Whether the inner loops are not known to be short.
    fn is_worth_it(&self, ir: &Ir, min_products: i64) -> bool {
        let [result, left, _] = &self.matrices;
        let size = |matrix: &Matrix, counter: usize| {
            let dim = matrix.dims[self.n_loops - counter];
            dim.map_or(DYNAMIC, |dim| {
                linalg::interface::shape(ir, matrix.buffer)[dim]
            })
        };
        let sizes = [size(result, 3), size(result, 2), size(left, 1)];
        let mut known = sizes.into_iter().filter(|&size| size != DYNAMIC);
        let is_complete = !sizes.contains(&DYNAMIC);
        let product = known.try_fold(1i64, |product, size| product.checked_mul(size));
        !is_complete || product.is_none_or(|product| product >= min_products)
    }

    /// Replaces the operation.
    fn call(&self, ir: &mut Ir) {
        let sizes = linalg::loop_sizes(ir, self.op);
        let element_size = [4, 8][self.function];
        let mut builder = Builder::before(ir, self.op);
        let zero = arith::constant_index(&mut builder, 0);
        let one = arith::constant_index(&mut builder, 1);
        let element_size = arith::constant_index(&mut builder, element_size);
        let sizes: Vec<Value> = sizes
            .into_iter()
            .map(|size| {
                let (operand, dim) = size.expect("every loop subscribes a dimension");
                loop_size(&mut builder, operand, dim)
            })
            .collect();
        let described: Vec<Described> = (self.matrices.iter())
            .map(|matrix| Described::of(&mut builder, matrix.buffer))
            .collect();
        let (outer, inner) = sizes.split_at(self.n_loops - 3);
        let bounds: Vec<[Value; 3]> = outer.iter().map(|&size| [zero, size, one]).collect();
        let nest = build_nest(ir, self.op, &bounds, &[]);
        let mut builder = Builder::before(ir, nest.anchor);
        let loc = builder.ir.loc(self.op);
        builder.set_loc(loc);
        // What the strides of rows and columns are, per matrix: counters from the innermost.
        const ROLES: [[usize; 2]; 3] = [[3, 2], [3, 1], [1, 2]];
        let mut arguments = Vec::with_capacity(12);
        for ((matrix, described), roles) in self.matrices.iter().zip(&described).zip(ROLES) {
            let mut offset = described.offset;
            for (&counter, dim) in nest.variables.iter().zip(&matrix.dims) {
                if let Some(dim) = dim {
                    let operands = [counter, described.strides[*dim]];
                    let distance = builder.value(&arith::MULI, &operands, Type::INDEX);
                    offset = builder.value(&arith::ADDI, &[offset, distance], Type::INDEX);
                }
            }
            let bytes = builder.value(&arith::MULI, &[offset, element_size], Type::INDEX);
            let operands = [described.pointer, bytes];
            arguments.push(builder.value(&arith::ADDI, &operands, Type::INDEX));
            for counter in roles {
                let dim = matrix.dims[self.n_loops - counter]
                    .expect("the roles were checked when this was found");
                arguments.push(described.strides[dim]);
            }
        }
        arguments.extend_from_slice(inner);
        build_borrowing_call(&mut builder, MATMUL[self.function].name, &arguments);
        ir.erase_op(self.op);
    }
}

/// Which of [`MATMUL`] works on buffers like these.
fn function_for(ir: &Ir, buffers: [Value; 3]) -> Option<usize> {
    let context: &Arc<Context> = ir.context();
    let mut elements = buffers.into_iter().map(|buffer| {
        let memref = context.as_memref(ir.value_type(buffer))?;
        // Strides must be numbers.
        context.memref_strides(memref)?;
        match context.type_kind(memref.element) {
            TypeKind::Float(FloatKind::F32) => Some(0),
            TypeKind::Float(FloatKind::F64) => Some(1),
            _ => None,
        }
    });
    let first = elements.next()??;
    elements
        .all(|element| element == Some(first))
        .then_some(first)
}

/// Whether the body adds the product of both inputs to the output.
fn is_product(ir: &Ir, op: Op) -> bool {
    let Some(body) = linalg::interface::body(ir, op) else {
        return false;
    };
    let &[first, second, sum] = ir.block_args(body) else {
        return false;
    };
    let mut ops = ir.ops_in(body);
    let (Some(product), Some(addition), Some(end), None) =
        (ops.next(), ops.next(), ops.next(), ops.next())
    else {
        return false;
    };
    let takes = |op, a, b| ir.operands(op) == [a, b] || ir.operands(op) == [b, a];
    ir.is(product, &arith::MULF)
        && takes(product, first, second)
        && ir.is(addition, &arith::ADDF)
        && takes(addition, sum, ir.result(product, 0))
        && ir.operands(end) == [ir.result(addition, 0)]
}
