//! Products of 8-bit numbers less their zero points. The operation that multiplies also widens, so that the runtime
//! library sees bytes and nothing wider is ever stored.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::graph::{Cx, Fold};
use super::node::Refused;
use super::products::{matmul, moved};
use super::quantization::zero_point;
use super::sizes::Dim;
use crate::rewrite::tensors::{Generic, fill, map, projection};

/// A factor of a contraction.
pub(super) struct Factor {
    pub(super) value: Value,
    /// The zero point, subtracted from each element, an `i32`.
    pub(super) zero: Option<Value>,
    widen: Option<&'static OpDef>,
}

impl Factor {
    /// A factor with the elements of the sums.
    pub(super) fn plain(value: Value) -> Self {
        Self {
            value,
            zero: None,
            widen: None,
        }
    }

    /// 8-bit numbers with one zero point for all, or none; no factor of others.
    pub(super) fn narrow(
        cx: &mut Cx<'_>,
        value: Value,
        zero: Option<Value>,
    ) -> Result<Option<Self>, Refused> {
        let ty = cx.element(value);
        if cx.context().integer_width(ty) != Some(8) {
            return Ok(None);
        }
        let zero = match zero {
            None => None,
            Some(zero) => match cx.constant_numbers(zero).as_deref() {
                Some([first, others @ ..]) if others.iter().all(|other| other == first) => {
                    let number = *first as i128;
                    (number != 0).then(|| cx.int_scalar(Type::I32, number))
                }
                _ => {
                    let zero = zero_point(cx, zero, Type::I32)?;
                    if cx.rank(zero) != 0 {
                        return Ok(None);
                    }
                    Some(cx.the_scalar(zero))
                }
            },
        };
        let widen = match cx.is_unsigned(ty) {
            true => &arith::EXTUI,
            false => &arith::EXTSI,
        };
        Ok(Some(Self {
            value,
            zero,
            widen: Some(widen),
        }))
    }

    /// The element that stands for zero, signless, if elements have this type.
    pub(super) fn margin(&self, cx: &mut Cx<'_>, ty: Type) -> Value {
        match self.zero {
            Some(zero) => cx.b.value(&arith::TRUNCI, &[zero], Type::I8),
            None => cx.scalar(ty, 0.0),
        }
    }
}

/// The sums of products of two factors, of type `ty`. Of the loops that `maps` are about, the first have the sizes `dims`
/// of the result.
pub(super) fn contraction(
    cx: &mut Cx<'_>,
    factors: &[Factor; 2],
    maps: [AffineMap; 2],
    dims: &[Dim],
    ty: Type,
) -> Value {
    let (n_loops, n_parallel) = (maps[0].n_dims as usize, dims.len());
    let values = factors.iter().map(|factor| factor.value);
    let zeros = factors.iter().filter_map(|factor| factor.zero);
    let zeros = zeros.map(|zero| (zero, map(n_loops, Vec::new())));
    let zero = cx.scalar(ty, 0.0);
    let out = cx.empty(dims, ty);
    let out = fill(&mut cx.b, zero, out);
    let parallel: Vec<bool> = (0..n_loops).map(|dim| dim < n_parallel).collect();
    let result: Vec<usize> = (0..n_parallel).collect();
    let generic = Generic {
        inputs: values.zip(maps).chain(zeros).collect(),
        outputs: vec![(out, projection(n_loops, &result))],
        parallel: &parallel,
    };
    let (multiply, add) = (cx.fold_op(Fold::Mul, ty), cx.fold_op(Fold::Add, ty));
    generic.build(&mut cx.b, &mut |b, x| {
        let (sum, elements) = x.split_last().expect("there is one output");
        let ty = b.ir.value_type(*sum);
        let product = product(b, factors, elements, multiply, ty);
        vec![b.value(add, &[*sum, product], ty)]
    })[0]
}

/// The product of elements of both factors, behind which their zero points stand.
fn product(
    b: &mut Builder<'_>,
    factors: &[Factor; 2],
    elements: &[Value],
    multiply: &'static OpDef,
    ty: Type,
) -> Value {
    let mut zeros = elements[2..].iter();
    let wide = [0, 1].map(|i| {
        let factor = &factors[i];
        let wide = match factor.widen {
            Some(widen) => b.value(widen, &[elements[i]], ty),
            None => elements[i],
        };
        match (factor.zero, zeros.as_slice()) {
            (Some(_), [zero, ..]) => {
                zeros.next();
                b.value(&arith::SUBI, &[wide, *zero], ty)
            }
            _ => wide,
        }
    });
    b.value(multiply, &wide, ty)
}

/// The product of matrices of 8-bit numbers less their zero points, in the manner of NumPy.
pub(super) fn integer_matmul(
    cx: &mut Cx<'_>,
    [x, y]: [Value; 2],
    zeros: [Option<Value>; 2],
) -> Result<Value, Refused> {
    if cx.rank(x) >= 2
        && cx.rank(y) == 2
        && let Some(left) = Factor::narrow(cx, x, zeros[0])?
        && let Some(right) = Factor::narrow(cx, y, zeros[1])?
    {
        return Ok(rows_times_matrix(cx, [left, right]));
    }
    let x = moved(cx, x, zeros[0], true)?;
    let y = moved(cx, y, zeros[1], false)?;
    matmul(cx, x, y, Type::I32)
}

/// The product of a tensor of rows with a matrix.
fn rows_times_matrix(cx: &mut Cx<'_>, factors: [Factor; 2]) -> Value {
    let factors = factors.map(|factor| Factor {
        value: cx.signless(factor.value),
        ..factor
    });
    let [left, right] = [0, 1].map(|i| cx.dims(factors[i].value));
    let rank = left.len();
    // Loops: those over the result, then the sum.
    let n_loops = rank + 1;
    let dim = |dim: usize| AffineExpr::Dim(dim as u32);
    let mut of_left: Vec<AffineExpr> = (0..rank - 1).map(dim).collect();
    of_left.push(dim(rank));
    let of_right = vec![dim(rank), dim(rank - 1)];
    let mut dims: Vec<Dim> = left[..rank - 1].to_vec();
    dims.push(right[1]);
    let maps = [map(n_loops, of_left), map(n_loops, of_right)];
    let value = contraction(cx, &factors, maps, &dims, Type::I32);
    cx.sized(value, &dims)
}
