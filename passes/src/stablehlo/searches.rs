//! Searches: reductions of several tensors whose bodies only compare and choose, as for the place of the largest element.
//!
//! Truth values are searched as integers, whose searches run in vectors. One long row has an order, from which vectors
//! gain nothing; so it becomes rows of equal parts, one behind the other, and the results of all rows are searched in
//! turn, then what is left over:
//! ```mlir
//! %parts = tensor.expand_shape %x [[0, 1]] output_shape [32, 1000] : tensor<32000xf32> into tensor<32x1000xf32>
//! ```
//! StableHLO leaves the order in which a reduction combines elements open. Here, it even stays.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::stablehlo::{elementwise, regions};
use freehold_frontend::dialects::{arith, linalg};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use freehold_frontend::target::{CACHE_WAY, Element};
use rustc_hash::FxHashSet;

use super::body::Body;
use super::build::{self, Generic, element, empty_of, reshape, shape};
use super::emit::Emit;
use super::moves::loop_index;
use super::reductions::{filled_outs, reduce_into};
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::rewrite::sizes::c;
use crate::rewrite::tensors::slice_along;

type Lowered = Result<Vec<Value>, Unsupported>;

/// Elements of a row from which on it becomes parts: 1,000 take 1.8 times as long in one row, and 50,000 ten times
/// (`argmax_of_row`, benches/results/models.md).
const MIN_ROW: i64 = 512;

/// This many rows fill registers without being parts. Not measured on its own.
const MIN_ROWS: i64 = 16;

/// Numbers of parts, the best one first: 40 parts of 50,000 bytes take 2.5 times as long.
const PARTS: [i64; 3] = [32, 48, 64];

/// Whether the body of a reduction only compares and chooses.
pub(super) fn is_search(ir: &Ir, block: Block) -> bool {
    let known = [
        &elementwise::COMPARE,
        &elementwise::SELECT,
        &elementwise::AND,
        &elementwise::OR,
        &elementwise::NOT,
        &regions::RETURN,
    ];
    let mut ops = ir.ops_in(block);
    ir.block_args(block).len() > 2 && ops.all(|op| known.iter().any(|def| ir.is(op, def)))
}

/// A search.
pub(super) struct Search<'a> {
    pub(super) inputs: Vec<Value>,
    /// The elements that each search begins with.
    pub(super) inits: Vec<Value>,
    pub(super) dims: &'a [usize],
    pub(super) body: &'a Body,
    pub(super) block: Block,
}

impl Search<'_> {
    /// The results, of the types of the inputs.
    pub(super) fn lower(mut self, b: &mut Builder<'_>) -> Lowered {
        let are_bits: Vec<bool> = (self.inputs.iter().enumerate())
            .map(|(i, &input)| element(b.ir, input) == Type::I1 && self.is_compared_only(b.ir, i))
            .collect();
        for (init, _) in (self.inits.iter_mut().zip(&are_bits)).filter(|(_, is_bit)| **is_bit) {
            *init = b.value(&arith::EXTUI, &[*init], Type::I8);
        }
        let mut results = match self.parts(b.ir) {
            Some((dim, n_parts)) => self.lower_parts(b, dim, n_parts)?,
            None => {
                let inputs = self.widened(b, &self.inputs);
                let outs = filled_outs(b, &inputs, &self.inits, self.dims);
                reduce_into(b, &inputs, outs, self.dims, self.body)?
            }
        };
        for (result, _) in results
            .iter_mut()
            .zip(are_bits)
            .filter(|(_, is_bit)| *is_bit)
        {
            let ty = b.ir.value_type(*result);
            let narrow = b.ir.context().with_element_type(ty, Type::I1);
            *result = build::elementwise(b, &[*result], narrow, &mut |b, x| {
                let mut e = Emit::new(b);
                let zero = e.int_like(x[0], 0);
                e.cmpi(CmpIPredicate::Ne, x[0], zero)
            });
        }
        Ok(results)
    }

    /// Inputs with elements as each search begins with.
    fn widened(&self, b: &mut Builder<'_>, inputs: &[Value]) -> Vec<Value> {
        let mut widened = Vec::with_capacity(inputs.len());
        for (&input, &init) in inputs.iter().zip(&self.inits) {
            let wide = b.ir.value_type(init);
            widened.push(match element(b.ir, input) == wide {
                true => input,
                false => {
                    let ty = b.ir.value_type(input);
                    let ty = b.ir.context().with_element_type(ty, wide);
                    build::elementwise(b, &[input], ty, &mut |b, x| {
                        b.value(&arith::EXTUI, &[x[0]], wide)
                    })
                }
            });
        }
        widened
    }

    /// Whether the body does nothing with elements of input `index` but compare them and choose among them.
    fn is_compared_only(&self, ir: &Ir, index: usize) -> bool {
        let arguments = ir.block_args(self.block);
        let mut elements: FxHashSet<Value> = FxHashSet::default();
        elements.extend([arguments[index], arguments[index + self.inputs.len()]]);
        ir.ops_in(self.block).all(|op| {
            let operands = ir.operands(op);
            let is_element = |value: &Value| elements.contains(value);
            if ir.is(op, &elementwise::SELECT) {
                let chosen = operands[1..].iter().filter(|v| is_element(v)).count();
                let is_fit = !is_element(&operands[0]) && chosen != 1;
                if chosen == 2 {
                    elements.insert(ir.result(op, 0));
                }
                return is_fit;
            }
            if ir.is(op, &elementwise::COMPARE) {
                return operands.iter().filter(|v| is_element(v)).count() != 1;
            }
            let mut operands = operands.iter().enumerate();
            let is_end = ir.is(op, &regions::RETURN);
            operands.all(|(i, value)| is_element(value) == (is_end && i == index))
        })
    }

    /// The dimension that becomes parts, and how many, if that gains something.
    fn parts(&self, ir: &Ir) -> Option<(usize, i64)> {
        let &[dim] = self.dims else { return None };
        let shape = shape(ir, self.inputs[0]);
        if shape.contains(&DYNAMIC) || shape[dim] < MIN_ROW {
            return None;
        }
        let mut others = shape.iter().enumerate().filter(|&(i, _)| i != dim);
        let n_rows = others.try_fold(1i64, |n, (_, &size)| n.checked_mul(size))?;
        if n_rows >= MIN_ROWS {
            return None;
        }
        let inner: i64 = shape[dim + 1..].iter().product();
        let size = |&init: &Value| Element::of(ir.context(), ir.value_type(init));
        let sizes: Vec<i64> = (self.inits.iter())
            .map(|init| Some(size(init)?.bytes() as i64))
            .collect::<Option<_>>()?;
        // Parts at such a distance would share few places in the cache.
        let is_spread = |n: &i64| {
            let distance = shape[dim] / n * inner;
            !sizes.iter().any(|size| distance * size % CACHE_WAY == 0)
        };
        let n_parts = PARTS.into_iter().find(is_spread)?;
        Some((dim, n_parts))
    }

    fn lower_parts(&self, b: &mut Builder<'_>, dim: usize, n_parts: i64) -> Lowered {
        let whole = shape(b.ir, self.inputs[0]);
        let size = whole[dim] / n_parts;
        let n_main = n_parts * size;
        let mut apart = whole.clone();
        apart.splice(dim..=dim, [n_parts, size]);
        let parts: Vec<Value> = (self.inputs.iter())
            .map(|&input| match counted_dim(b.ir, input) {
                Some(counted) if counted == dim => iota(
                    b,
                    &apart,
                    element(b.ir, input),
                    &[(dim, size), (dim + 1, 1)],
                    0,
                ),
                Some(counted) => {
                    let to = counted + usize::from(counted > dim);
                    iota(b, &apart, element(b.ir, input), &[(to, 1)], 0)
                }
                None => {
                    let main = slice_along(b, input, dim, 0, n_main);
                    reshape(b, main, &apart)
                }
            })
            .collect();
        let parts = self.widened(b, &parts);
        let outs = filled_outs(b, &parts, &self.inits, &[dim + 1]);
        let found = reduce_into(b, &parts, outs, &[dim + 1], self.body)?;
        let outs = filled_outs(b, &found, &self.inits, &[dim]);
        let found = reduce_into(b, &found, outs, &[dim], self.body)?;
        if n_main == whole[dim] {
            return Ok(found);
        }
        let n_rest = whole[dim] - n_main;
        let mut shape_of_rest = whole.clone();
        shape_of_rest[dim] = n_rest;
        let rests: Vec<Value> = (self.inputs.iter())
            .map(|&input| match counted_dim(b.ir, input) {
                Some(counted) => {
                    let first = if counted == dim { n_main } else { 0 };
                    let ty = element(b.ir, input);
                    iota(b, &shape_of_rest, ty, &[(counted, 1)], first)
                }
                None => slice_along(b, input, dim, n_main, n_rest),
            })
            .collect();
        let rests = self.widened(b, &rests);
        reduce_into(b, &rests, found, &[dim], self.body)
    }
}

/// The dimension whose subscripts are the elements of a tensor.
fn counted_dim(ir: &Ir, tensor: Value) -> Option<usize> {
    let generic = ir.defined_by(tensor, &linalg::GENERIC)?;
    let block = ir.entry_block(ir.region(generic, 0))?;
    let ops: Vec<Op> = ir.ops_in(block).collect();
    let &[index, cast, end] = &ops[..] else {
        return None;
    };
    let maps = interface::indexing_maps(ir, generic);
    let is_iota = ir.operands(generic).len() == 1
        && maps.iter().all(AffineMap::is_identity)
        && ir.is(index, &linalg::INDEX)
        && ir.is(cast, &arith::INDEX_CAST)
        && ir.operand(cast, 0) == ir.result(index, 0)
        && ir.operand(end, 0) == ir.result(cast, 0);
    let dim = ir.attr(index, Name::DIM).filter(|_| is_iota)?;
    usize::try_from(ir.context().attr_integer(dim)?).ok()
}

/// A tensor of numbers: the first one, and for each of these dimensions its subscript by a factor.
fn iota(
    b: &mut Builder<'_>,
    shape: &[i64],
    element: Type,
    steps: &[(usize, i64)],
    first: i64,
) -> Value {
    let sizes: Vec<_> = shape.iter().map(|&size| c(size)).collect();
    let out = empty_of(b, &sizes, element);
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(shape.len()))],
        parallel: &vec![true; shape.len()],
    };
    generic.build(b, &mut |b, _| {
        let mut sum = None;
        for &(dim, step) in steps {
            let index = loop_index(b, dim as i64);
            let mut distance = b.value(&arith::INDEX_CAST, &[index], element);
            let mut e = Emit::new(b);
            if step != 1 {
                let step = e.int_like(distance, i128::from(step));
                distance = e.binary(&arith::MULI, distance, step);
            }
            sum = Some(match sum {
                Some(sum) => e.binary(&arith::ADDI, sum, distance),
                None => distance,
            });
        }
        let mut e = Emit::new(b);
        let sum = sum.unwrap_or_else(|| e.int(element, 0));
        let sum = match first {
            0 => sum,
            _ => {
                let first = e.int_like(sum, i128::from(first));
                e.binary(&arith::ADDI, sum, first)
            }
        };
        vec![sum]
    })[0]
}
