//! `LuDecomposition`: `P * a = L * U` with partial pivoting. Results are both factors in one matrix, the rows that were
//! exchanged with each row in turn, and the permutation that this comes to.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};

use super::super::build::{element, shape};
use super::super::formula::{
    F, Unary, as_size, at, mapped, new, number_of, part, put, repeat, repeat_by, set, size, take,
    update, x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::{
    block_size, expect_counts, for_each_matrix, identity, plus_transposed_product, substitute,
    transposed,
};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[3])?;
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores = |b: &mut Builder<'_>| {
        let (rows, columns) = (size(b, operand, last), size(b, operand, last + 1));
        let n_pivots = as_size(b, F::from(rows).min(columns));
        vec![vec![rows, columns], vec![n_pivots], vec![rows]]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        factorize(b, matrices[0])
    }))
}

/// How great a pivot is: the absolute value, or the sum of those of both parts.
fn magnitude(b: &mut Builder<'_>, number: F) -> Value {
    let number = number.build(b);
    let ty = b.ir.value_type(number);
    match part(&b.context(), ty) == ty {
        true => x(number).abs().build(b),
        false => (x(number).re().abs() + x(number).im().abs()).build(b),
    }
}

/// Exchanges two elements of a tensor.
fn exchange<const N: usize>(
    b: &mut Builder<'_>,
    tensor: Value,
    one: [F; N],
    other: [F; N],
) -> Value {
    let first = at(tensor, one.clone()).build(b);
    let second = at(tensor, other.clone()).build(b);
    let tensor = set(b, tensor, one, second);
    set(b, tensor, other, first)
}

fn factorize(b: &mut Builder<'_>, matrix: Value) -> Vec<Value> {
    let (rows, columns) = (size(b, matrix, 0), size(b, matrix, 1));
    let n_pivots = as_size(b, F::from(rows).min(columns));
    let i32_type = b.context().integer_type(32);
    let work = mapped(b, matrix, identity(), &[rows, columns], |e| e);
    let pivots = new(b, &[n_pivots], i32_type);
    let order = new(b, &[rows], i32_type);
    let order = update(b, 0, rows, order, |b, i, order| {
        let number = x(i).apply(Unary::Int32).build(b);
        set(b, order, [x(i)], number)
    });
    repeat_by(
        b,
        0,
        n_pivots,
        super::BLOCK,
        &[work, pivots, order],
        |b, k, carried| {
            let (work, pivots, order) = (carried[0], carried[1], carried[2]);
            let width = block_size(b, n_pivots, k);
            let below = as_size(b, F::from(rows) - k);
            let k_index: MixedIndex = k.into();
            let panel = take(b, work, &[k_index, k_index], &[below, width], 0);
            let panel = mapped(b, panel, transposed(), &[width, below], |e| e);
            let done = factorize_panel(b, panel, pivots, (k, width, below));
            let (panel, pivots) = (done[0], done[1]);

            // The same rows are exchanged everywhere; the panel is overwritten below.
            let done = repeat(b, 0, width, &[work, order], |b, c, carried| {
                let row = (x(k) + c).build(b);
                let pivot = at(pivots, [x(row)]).build(b);
                let pivot = b.value(
                    &freehold_frontend::dialects::arith::INDEX_CAST,
                    &[pivot],
                    super::Type::INDEX,
                );
                let order = exchange(b, carried[1], [x(row)], [x(pivot)]);
                let work = update(b, 0, columns, carried[0], |b, j, work| {
                    exchange(b, work, [x(row), x(j)], [x(pivot), x(j)])
                });
                vec![work, order]
            });
            let (work, order) = (done[0], done[1]);
            let lower = mapped(b, panel, transposed(), &[below, width], |e| e);
            let work = put(b, lower, work, &[k_index, k_index], &[below, width]);

            // The rows beside the panel's triangle, and then all that is below.
            let next = as_size(b, x(k) + F::from(width));
            let (rest_rows, rest_columns) = (
                as_size(b, F::from(rows) - F::from(next)),
                as_size(b, F::from(columns) - F::from(next)),
            );
            let beside = take(b, work, &[k_index, next], &[width, rest_columns], 0);
            let beside = mapped(b, beside, identity(), &[width, rest_columns], |e| e);
            let triangle = take(b, lower, &[0.into(), 0.into()], &[width, width], 0);
            let beside = substitute(b, triangle, beside, true, true);
            let work = put(b, beside, work, &[k_index, next], &[width, rest_columns]);
            let left = take(b, panel, &[0.into(), width], &[width, rest_rows], 0);
            let left = mapped(b, left, identity(), &[width, rest_rows], |e| -e);
            let rest = take(b, work, &[next, next], &[rest_rows, rest_columns], 0);
            let rest = plus_transposed_product(b, rest, left, beside);
            let work = put(b, rest, work, &[next, next], &[rest_rows, rest_columns]);
            vec![work, pivots, order]
        },
    )
}

/// Factorizes columns, which are the rows of `panel`; the first one is column `k` of the matrix. What is in front of the
/// diagonal of a column is of `U`, the rest of `L`.
fn factorize_panel(
    b: &mut Builder<'_>,
    panel: Value,
    pivots: Value,
    (k, width, below): (Value, MixedIndex, MixedIndex),
) -> Vec<Value> {
    repeat(b, 0, width, &[panel, pivots], |b, c, carried| {
        let (panel, pivots) = (carried[0], carried[1]);
        let first = magnitude(b, at(panel, [x(c), x(c)]));
        let found = repeat(b, x(c) + 1, below, &[first, c], |b, r, best| {
            let candidate = magnitude(b, at(panel, [x(c), x(r)]));
            let is_greater = x(candidate).is(CmpIPredicate::Sgt, best[0]).build(b);
            vec![
                x(is_greater).select(candidate, best[0]).build(b),
                x(is_greater).select(r, best[1]).build(b),
            ]
        });
        let pivot_row = found[1];
        let number = (x(k) + pivot_row).apply(Unary::Int32).build(b);
        let pivots = set(b, pivots, [x(k) + c], number);
        let panel = update(b, 0, width, panel, |b, j, panel| {
            exchange(b, panel, [x(j), x(c)], [x(j), x(pivot_row)])
        });
        // A column of zeros stays as it is.
        let pivot = at(panel, [x(c), x(c)]).build(b);
        let ty = element(b.ir, panel);
        let one = number_of(b, ty, 1.0);
        let is_zero = magnitude(b, x(pivot));
        let pivot = x(is_zero).equal(0.0).select(one, pivot).build(b);
        let panel = update(b, x(c) + 1, below, panel, |b, r, panel| {
            let value = at(panel, [x(c), x(r)]) / pivot;
            set(b, panel, [x(c), x(r)], value)
        });
        let panel = update(b, x(c) + 1, width, panel, |b, j, panel| {
            let factor = at(panel, [x(j), x(c)]).build(b);
            update(b, x(c) + 1, below, panel, |b, r, panel| {
                let value = at(panel, [x(j), x(r)]) - x(factor) * at(panel, [x(c), x(r)]);
                set(b, panel, [x(j), x(r)], value)
            })
        });
        vec![panel, pivots]
    })
}
