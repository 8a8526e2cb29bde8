//! `linalg-separate-windows`: the greatest element of a window of several dimensions is found dimension by dimension.
//!
//! Before:
//! ```mlir
//! // Loops n, h, w, i, j; %x is read at (n, h + i, w + j).
//! %r = linalg.generic {...} ins(%x, %window : tensor<8x25x25xf32>, tensor<13x13xf32>)
//!     outs(%fill : tensor<8x13x13xf32>) { ... arith.maximumf ... } -> tensor<8x13x13xf32>
//! ```
//! After:
//! ```mlir
//! // Loops n, h, w, i; %x is read at (n, h + i, w).
//! %s = linalg.generic {...} ins(%x, %window0 : tensor<8x25x25xf32>, tensor<13xf32>)
//!     outs(%fill0 : tensor<8x13x25xf32>) { ... arith.maximumf ... } -> tensor<8x13x25xf32>
//! // Loops n, h, w, j; %s is read at (n, h, w + j).
//! %r = linalg.generic {...} ins(%s, %window1 : tensor<8x13x25xf32>, tensor<13xf32>)
//!     outs(%fill : tensor<8x13x13xf32>) { ... arith.maximumf ... } -> tensor<8x13x13xf32>
//! ```
//! That takes 26 steps per element instead of 169. It is done for what gives the same in any order and however often an
//! element is taken: maximum, minimum, `and` and `or`, if that takes at most half as many steps.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::{arith, linalg};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;

use super::results::is_on_tensors;
use crate::analysis::contraction::add_linear;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::tensors::{Generic, element, empty_of, fill, map, projection, shape, sizes};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-separate-windows",
    summary: "find the greatest elements of windows dimension by dimension",
    anchor: Anchor::Function,
    run,
};

/// Windows are separated if that divides the number of steps by at least this: the tensor in between is written and read.
/// `pool_5` and `pool_13` of benches/models.
const LEAST_GAIN: i64 = 2;

/// What gives the same in any order, and if an element is taken again.
static COMBINERS: &[&OpDef] = &[
    &arith::MAXIMUMF,
    &arith::MINIMUMF,
    &arith::MAXSI,
    &arith::MAXUI,
    &arith::MINSI,
    &arith::MINUI,
    &arith::ANDI,
    &arith::ORI,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        // What is in a region of one that is gone is as well.
        let mut rest = Some(op).filter(|&op| !ir.is_erased(op));
        while let Some(op) = rest
            && let Some(windows) = Windows::of(ir, op)
        {
            rest = Some(windows.separate(ir, op));
            context.count("windows separated", 1);
        }
    }
    Ok(())
}

/// How a dimension of the operand is read: at `loop * stride + inside * dilation`.
#[derive(Clone, Copy)]
struct Dimension {
    place: usize,
    stride: i64,
    /// The loop over the window, its size, and its step.
    inside: Option<(usize, i64, i64)>,
}

/// An operation that combines the elements of each window.
struct Windows {
    combiner: &'static OpDef,
    /// What each element of the result begins with.
    init: Value,
    /// Of the operand.
    dims: Vec<Dimension>,
    /// Where loops are in the result.
    output: AffineMap,
    /// The dimension that is dealt with first.
    first: usize,
}

impl Windows {
    /// `None` if it is nothing of the kind, or not worth it.
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if !interface::is_structured(ir, op) || !is_on_tensors(ir, op) {
            return None;
        }
        let (&[_, window], &[out]) = (interface::inputs(ir, op), interface::outputs(ir, op)) else {
            return None;
        };
        let body = interface::body(ir, op)?;
        let &[source_element, _, sum] = ir.block_args(body) else {
            return None;
        };
        let &[result] = ir.operands(ir.last_op(body)?) else {
            return None;
        };
        // Nothing else happens in it.
        if ir.ops_in(body).count() != 2 {
            return None;
        }
        let combiner = *(COMBINERS.iter()).find(|def| ir.defined_by(result, def).is_some())?;
        let combined = ir.operands(ir.defined_by(result, combiner)?);
        if combined != [source_element, sum] && combined != [sum, source_element] {
            return None;
        }
        let init = ir.operand(ir.defined_by(out, &linalg::FILL)?, 0);
        let [read, extents, output] = interface::indexing_maps(ir, op).try_into().ok()?;
        let iterators = interface::iterator_types(ir, op);
        let extent = |dim: usize| {
            let dim = AffineExpr::Dim(dim as u32);
            let at = extents.results.iter().position(|result| *result == dim)?;
            let size = interface::shape(ir, window)[at];
            (size != DYNAMIC).then_some(size)
        };
        let is_place = |dim: usize| iterators[dim] == IteratorType::Parallel;
        let dims = read.results.iter().map(|result| {
            let terms = terms(result, iterators.len())?;
            match *terms.as_slice() {
                [(place, stride)] if is_place(place) && stride > 0 => Some(Dimension {
                    place,
                    stride,
                    inside: None,
                }),
                [x, y] => {
                    let ((place, stride), (inside, step)) =
                        if is_place(x.0) { (x, y) } else { (y, x) };
                    let is_window = is_place(place) && !is_place(inside) && stride > 0 && step > 0;
                    let size = extent(inside).filter(|_| is_window)?;
                    Some(Dimension {
                        place,
                        stride,
                        inside: Some((inside, size, step)),
                    })
                }
                _ => None,
            }
        });
        let dims: Vec<Dimension> = dims.collect::<Option<_>>()?;
        // Each loop has a dimension of its own.
        let n_inside = dims.iter().filter(|dim| dim.inside.is_some()).count();
        let mut loops: Vec<usize> = dims.iter().map(|dim| dim.place).collect();
        loops.extend(dims.iter().filter_map(|dim| Some(dim.inside?.0)));
        loops.sort_unstable();
        let is_each_once = loops.iter().copied().eq(0..iterators.len());
        // And each one that reduces nothing has one in the result.
        let n_places = iterators.len() - n_inside;
        let are_in_result = output.is_projected_permutation() && output.results.len() == n_places;
        if !is_each_once || n_inside < 2 || !are_in_result {
            return None;
        }
        let first = dims.iter().position(|dim| dim.inside.is_some())?;
        let steps = |dim: &Dimension| dim.inside.map_or(1, |(_, size, _)| size);
        let others = dims.iter().enumerate().filter(|&(at, _)| at != first);
        let (mut other_steps, mut other_strides) = (1i64, 1i64);
        for (_, dim) in others {
            other_steps = other_steps.checked_mul(steps(dim))?;
            if dim.inside.is_some() {
                other_strides = other_strides.checked_mul(dim.stride)?;
            }
        }
        let together = steps(&dims[first]).checked_mul(other_steps)?;
        // Elements of the tensor in between for each one of the result, as if there were no margins.
        let apart = (steps(&dims[first]).checked_mul(other_strides)?).checked_add(other_steps)?;
        (together >= apart.checked_mul(LEAST_GAIN)?).then_some(Self {
            combiner,
            init,
            dims,
            output,
            first,
        })
    }

    /// Makes two operations of it, and returns the second one.
    fn separate(&self, ir: &mut Ir, op: Op) -> Op {
        let source = interface::inputs(ir, op)[0];
        let out = interface::outputs(ir, op)[0];
        let combiner = self.combiner;
        let mut b = Builder::before(ir, op);
        let ty = element(b.ir, source);
        let mut combine = |b: &mut Builder<'_>, x: &[Value]| {
            let ty = b.ir.value_type(x[0]);
            vec![b.value(combiner, &[x[2], x[0]], ty)]
        };
        // One dimension, in the order of the operand.
        let rank = self.dims.len();
        let dim = self.dims[self.first];
        let (_, size, step) = dim.inside.expect("windows have this dimension");
        let mut between = sizes(&mut b, source);
        let place = AffineExpr::Dim(dim.place as u32);
        let at = self
            .output
            .results
            .iter()
            .position(|result| *result == place);
        let at = at.expect("loops that reduce nothing are in the result");
        between[self.first] = sizes(&mut b, out)[at];
        let empty = empty_of(&mut b, &between, ty);
        let filled = fill(&mut b, self.init, empty);
        let window = empty_of(&mut b, &[MixedIndex::Constant(size)], ty);
        let read = (0..rank).map(|at| match at == self.first {
            true => scaled(at, dim.stride).add(scaled(rank, step)),
            false => AffineExpr::Dim(at as u32),
        });
        let read = map(rank + 1, read.collect());
        let parallel: Vec<bool> = (0..=rank).map(|dim| dim < rank).collect();
        let part = Generic {
            inputs: vec![(source, read), (window, projection(rank + 1, &[rank]))],
            outputs: vec![(filled, projection(rank + 1, &(0..rank).collect::<Vec<_>>()))],
            parallel: &parallel,
        };
        let part = part.build(&mut b, &mut combine)[0];
        // The others, in loops of the same order without that one.
        let n = rank + self.dims.iter().filter(|dim| dim.inside.is_some()).count();
        let gone = dim.inside.map_or(n, |(inside, ..)| inside);
        let renumbered = |dim: usize| dim - usize::from(dim > gone);
        let mut parallel = vec![true; n - 1];
        let (mut read, mut extents, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for (at, dim) in self.dims.iter().enumerate() {
            let place = renumbered(dim.place);
            read.push(match dim.inside {
                _ if at == self.first => AffineExpr::Dim(place as u32),
                None => scaled(place, dim.stride),
                Some((inside, size, step)) => {
                    let inside = renumbered(inside);
                    parallel[inside] = false;
                    inner.push(inside);
                    extents.push(MixedIndex::Constant(size));
                    scaled(place, dim.stride).add(scaled(inside, step))
                }
            });
        }
        let window = empty_of(&mut b, &extents, ty);
        let dims: Vec<AffineExpr> = (0..n)
            .map(|dim| AffineExpr::Dim(renumbered(dim) as u32))
            .collect();
        let written = (self.output.results.iter()).map(|result| result.replace(&dims, &[]));
        let whole = Generic {
            inputs: vec![
                (part, map(n - 1, read)),
                (window, projection(n - 1, &inner)),
            ],
            outputs: vec![(out, map(n - 1, written.collect()))],
            parallel: &parallel,
        };
        let result = whole.build(&mut b, &mut combine)[0];
        debug_assert_eq!(shape(b.ir, result), shape(b.ir, out));
        let made = ir.defining_op(result).expect("an operation was made");
        ir.replace_op(op, &[result]);
        made
    }
}

fn scaled(dim: usize, by: i64) -> AffineExpr {
    AffineExpr::Dim(dim as u32).mul(AffineExpr::Constant(by))
}

/// The loops of a sum of multiples of loops, of `n` ones; `None` if it is something else, or has a constant besides.
fn terms(expr: &AffineExpr, n: usize) -> Option<Vec<(usize, i64)>> {
    let mut sum = vec![0; n + 1];
    add_linear(expr, 1, &mut sum)?;
    let constant = sum.pop()?;
    let used = sum.into_iter().enumerate().filter(|&(_, by)| by != 0);
    (constant == 0).then(|| used.collect())
}
