//! Axes that are elements of tensors: of each dimension is known only at run time whether it is meant.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::graph::{Cx, Fold};
use super::node::Refused;
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, choose, nest, x};
use crate::rewrite::tensors::extract;

/// The dimensions that an operator works over.
pub(super) enum Over {
    Known(Vec<usize>),
    /// Whether each dimension is meant, and how many are.
    Flags(Vec<Value>, usize),
}

fn any(conditions: Vec<F>) -> F {
    let no = F::from(0).equal(1);
    let or = crate::rewrite::formula::Binary::Or;
    conditions
        .into_iter()
        .reduce(|p, q| p.with(or, q))
        .unwrap_or(no)
}

impl Cx<'_> {
    /// An axis counted from the end if it is negative.
    pub(super) fn counted_axis(&mut self, axis: Dim, rank: usize) -> Dim {
        let from_end = self.add(axis, c(rank as i64));
        let compared = (axis, c(0));
        self.scope
            .sizes
            .select(&mut self.b, CmpIPredicate::Slt, compared, from_end, axis)
    }

    /// Whether each of `rank` dimensions is among axes.
    pub(super) fn axis_flags(&mut self, axes: &[Dim], rank: usize) -> Vec<Value> {
        let axes: Vec<Dim> = axes
            .iter()
            .map(|&axis| self.counted_axis(axis, rank))
            .collect();
        (0..rank)
            .map(|dim| {
                let all = axes
                    .iter()
                    .map(|&axis| F::from(axis).equal(dim as i64))
                    .collect();
                any(all).build(&mut self.b)
            })
            .collect()
    }

    /// Combines elements over dimensions, which keep one element.
    pub(super) fn fold_over(
        &mut self,
        value: Value,
        fold: Fold,
        over: &Over,
    ) -> Result<Value, Refused> {
        let flags = match over {
            Over::Known(dims) => return self.reduce_kept(value, fold, dims),
            Over::Flags(flags, _) => flags,
        };
        let ty = self.element(value);
        let dims = self.dims(value);
        let mut to = Vec::new();
        for (&flag, &dim) in flags.iter().zip(&dims) {
            to.push(Dim::Value(
                x(flag).select(1, F::from(dim)).build(&mut self.b),
            ));
        }
        let init = self.neutral(fold, ty);
        let out = self.filled(&to, init, ty);
        let (out, source) = (self.signless(out), self.signless(value));
        let def = self.fold_op(fold, ty);
        let results = nest(&mut self.b, &dims, &[out], &mut |b, index, carried| {
            let at: Vec<Value> = (index.iter().zip(flags))
                .map(|(&index, &flag)| x(flag).select(0, index).build(b))
                .collect();
            let number = extract(b, source, index);
            let before = extract(b, carried[0], &at);
            let ty = b.ir.value_type(number);
            let sum = b.value(def, &[before, number], ty);
            let operands = [&[sum, carried[0]], &at[..]].concat();
            let ty = b.ir.value_type(carried[0]);
            vec![b.value(&tensor::INSERT, &operands, ty)]
        });
        let result = self.sized(results[0], &to);
        Ok(self.with_element(result, ty))
    }

    /// How many elements lie along the dimensions.
    pub(super) fn count_over(&mut self, value: Value, over: &Over) -> Dim {
        let dims = self.dims(value);
        match over {
            Over::Known(over) => {
                let all: Vec<Dim> = over.iter().map(|&dim| dims[dim]).collect();
                self.product(&all)
            }
            Over::Flags(flags, _) => {
                let mut all = F::from(1);
                for (&flag, &dim) in flags.iter().zip(&dims) {
                    all = all * x(flag).select(F::from(dim), 1);
                }
                all.build(&mut self.b).into()
            }
        }
    }

    /// The tensor without the dimensions, which have one element.
    pub(super) fn drop_over(&mut self, value: Value, over: &Over) -> Result<Value, Refused> {
        let (flags, count) = match over {
            Over::Known(dims) => return self.squeeze(value, dims),
            Over::Flags(flags, count) => (flags, *count),
        };
        let dims = self.dims(value);
        // How many dimensions stay before each.
        let mut before = vec![self.v(c(0))];
        for &flag in flags {
            let last = before[before.len() - 1];
            before.push((x(last) + x(flag).select(0, 1)).build(&mut self.b));
        }
        let rank = dims
            .len()
            .checked_sub(count)
            .ok_or("it has more axes than dimensions")?;
        let mut to = Vec::new();
        for position in 0..rank {
            let mut size = F::from(0);
            for (dim, &flag) in flags.iter().enumerate() {
                let is_here = x(before[dim]).equal(position as i64);
                let part = is_here.select(x(flag).select(0, F::from(dims[dim])), 0);
                size = size + part;
            }
            to.push(Dim::Value(size.build(&mut self.b)));
        }
        self.reshape(value, &to)
    }

    /// The tensor with dimensions of one element at axes of the result.
    pub(super) fn unsqueeze_at(&mut self, value: Value, axes: &[Dim]) -> Result<Value, Refused> {
        let dims = self.dims(value);
        let rank = dims.len() + axes.len();
        let flags = self.axis_flags(axes, rank);
        let mut before = self.v(c(0));
        let mut to = Vec::new();
        for &flag in &flags {
            let mut size = F::from(1);
            for (dim, &length) in dims.iter().enumerate() {
                size = x(before).equal(dim as i64).select(F::from(length), size);
            }
            to.push(Dim::Value(x(flag).select(1, size).build(&mut self.b)));
            before = (x(before) + x(flag).select(0, 1)).build(&mut self.b);
        }
        self.reshape(value, &to)
    }

    /// Sums or products of elements up to each one along an axis.
    pub(super) fn cumulative_along(
        &mut self,
        value: Value,
        axis: Dim,
        fold: Fold,
        [exclusive, reverse]: [bool; 2],
    ) -> Value {
        let ty = self.element(value);
        let dims = self.dims(value);
        let axis = self.counted_axis(axis, dims.len());
        let flags: Vec<Value> = (0..dims.len())
            .map(|dim| F::from(axis).equal(dim as i64).build(&mut self.b))
            .collect();
        let source = self.signless(value);
        let init = self.neutral(fold, ty);
        let def = self.fold_op(fold, ty);
        let out = self.empty(&dims, ty);
        let results = nest(&mut self.b, &dims, &[out], &mut |b, index, carried| {
            // In an order in which the neighbour comes first.
            let at: Vec<Value> = (index.iter().zip(&dims))
                .map(|(&index, &dim)| match reverse {
                    true => (F::from(dim) - 1 - index).build(b),
                    false => index,
                })
                .collect();
            let mut counter = F::from(0);
            for (&index, &flag) in index.iter().zip(&flags) {
                counter = counter + x(flag).select(index, 0);
            }
            let element = b.ir.value_type(init);
            let neighbour: Vec<F> = (at.iter().zip(&flags))
                .map(|(&at, &flag)| {
                    let step = x(flag).select(1, 0);
                    if reverse { x(at) + step } else { x(at) - step }
                })
                .collect();
            let sum = choose(
                b,
                counter.equal(0),
                &[element],
                |b| {
                    vec![if exclusive {
                        init
                    } else {
                        extract(b, source, &at)
                    }]
                },
                |b| {
                    let place: Vec<Value> = neighbour.into_iter().map(|at| at.build(b)).collect();
                    let before = extract(b, carried[0], &place);
                    let number = extract(b, source, if exclusive { &place } else { &at });
                    vec![b.value(def, &[before, number], element)]
                },
            )[0];
            let operands = [&[sum, carried[0]], &at[..]].concat();
            let ty = b.ir.value_type(carried[0]);
            vec![b.value(&tensor::INSERT, &operands, ty)]
        });
        let result = self.sized(results[0], &dims);
        self.with_element(result, ty)
    }

    /// For each dimension, the number that belongs to it, or the default.
    pub(super) fn spread_over_axes(
        &mut self,
        axes: &[Dim],
        numbers: &[Dim],
        defaults: &[Dim],
    ) -> Vec<Dim> {
        let rank = defaults.len();
        let axes: Vec<Dim> = axes
            .iter()
            .map(|&axis| self.counted_axis(axis, rank))
            .collect();
        let mut all = Vec::new();
        for (dim, &default) in defaults.iter().enumerate() {
            let mut number = default;
            for (&axis, &other) in axes.iter().zip(numbers) {
                let compared = (axis, c(dim as i64));
                let eq = CmpIPredicate::Eq;
                number = self
                    .scope
                    .sizes
                    .select(&mut self.b, eq, compared, other, number);
            }
            all.push(number);
        }
        all
    }

    /// A condition that is not known now.
    pub(super) fn unknown_flag(&mut self) -> Value {
        let flag = self.scalar(Type::I1, 1.0);
        self.b.value(&arith::XORI, &[flag, flag], Type::I1)
    }
}
