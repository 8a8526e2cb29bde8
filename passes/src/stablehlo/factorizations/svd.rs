//! `Svd`: the results are singular values, and if three are asked for, left singular vectors as columns and right ones as
//! rows, conjugated. As many left and right vectors are made as the results have room for. Reflectors make the matrix
//! bidiagonal and real, and implicit QR steps make that diagonal.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::super::build::{element, shape};
use super::super::formula::{
    Binary, F, at, choose, index, mapped, new, number_of, part, repeat, repeat_while, set, update,
    x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::eigh::{epsilon, length, nans, order, rotate_rows};
use super::qr::{Reflectors, reflect, smallest_normal};
use super::{expect_counts, for_each_matrix, identity, transposed, unit_matrix, zeros};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[1, 3])?;
    let operand = b.ir.operand(op, 0);
    let known = shape(b.ir, operand);
    let [.., rows, columns] = known[..] else {
        return Err("the operand is no matrix".into());
    };
    if rows == DYNAMIC || columns == DYNAMIC {
        return Err("sizes must be known".into());
    }
    let n_results = b.ir.results(op).len();
    let n = rows.min(columns);
    // How many vectors there are on both sides.
    let (mut n_left, mut n_right) = (n, n);
    if n_results == 3 {
        let of = |b: &Builder<'_>, result: usize, from_end: usize| {
            let sizes = shape(b.ir, b.ir.result(op, result));
            sizes[sizes.len() - from_end]
        };
        (n_left, n_right) = (of(b, 1, 1), of(b, 2, 2));
        let fits = |found: i64, all: i64| found == n || found == all;
        if !fits(n_left, rows) || !fits(n_right, columns) {
            return Err("the sizes of results are others".into());
        }
    }
    let cores = move |_: &mut Builder<'_>| -> Vec<Vec<MixedIndex>> {
        vec![
            vec![n.into()],
            vec![rows.into(), n_left.into()],
            vec![n_right.into(), columns.into()],
        ]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        let is_tall = rows >= columns;
        let matrix = match is_tall {
            true => mapped(
                b,
                matrices[0],
                identity(),
                &[rows.into(), columns.into()],
                |e| e,
            ),
            false => mapped(
                b,
                matrices[0],
                transposed(),
                &[columns.into(), rows.into()],
                F::conj,
            ),
        };
        let (long, short) = if is_tall {
            (n_left, n_right)
        } else {
            (n_right, n_left)
        };
        debug_assert_eq!(short, n, "the short side has one size");
        let sizes = (rows.max(columns), n, long);
        let (values, columns_of_long, columns_of_short) = decompose(b, matrix, sizes);
        let (long, short): ((Value, MixedIndex, MixedIndex), _) = (
            (columns_of_long, rows.max(columns).into(), long.into()),
            (columns_of_short, n.into(), n.into()),
        );
        let (left, right) = if is_tall {
            (long, short)
        } else {
            (short, long)
        };
        let adjoint = mapped(b, right.0, transposed(), &[right.2, right.1], F::conj);
        let mut results = vec![values, left.0, adjoint];
        results.truncate(n_results);
        results
    }))
}

/// Singular values of a matrix that is not wider than high, and its left and right singular vectors as columns.
fn decompose(
    b: &mut Builder<'_>,
    matrix: Value,
    (rows, n, n_left): (i64, i64, i64),
) -> (Value, Value, Value) {
    let ty = element(b.ir, matrix);
    let real = part(&b.context(), ty);
    let n_off = (n - 1).max(0);
    let carried = [
        matrix,
        new(b, &[n.into()], real),
        zeros(b, &[n.into()], real),
        new(b, &[n.into(), rows.into()], ty),
        new(b, &[n.into()], ty),
        new(b, &[n_off.into(), n.into()], ty),
        new(b, &[n_off.into()], ty),
        new(b, &[n.into()], ty),
    ];
    let done = repeat(b, 0, n_off, &carried, |b, k, carried| {
        let left = reflect_left(b, carried, k, (rows, n));
        reflect_right(b, &left, k, (rows, n))
    });
    let done = repeat(b, n_off, n, &done, |b, k, carried| {
        reflect_left(b, carried, k, (rows, n))
    });
    let [_, diagonal, off, left, left_taus, right, right_taus, _] = done[..] else {
        unreachable!("eight values are carried");
    };
    let unit = unit_matrix(b, n.into(), n.into(), real);
    let (diagonal, left_rows, right_rows) = diagonalize(b, n, diagonal, off, unit);

    // Values are made positive and sorted, vectors likewise.
    let magnitudes = mapped(
        b,
        diagonal,
        freehold_frontend::ir::affine::AffineMap::identity(1),
        &[n.into()],
        F::abs,
    );
    let places = order(b, magnitudes, n.into(), true);
    let sorted = nans(b, &[n.into()], real);
    let left_columns = unit_matrix(b, rows.into(), n_left.into(), ty);
    let right_columns = nans(b, &[n.into(), n.into()], ty);
    let done = repeat(
        b,
        0,
        n,
        &[sorted, left_columns, right_columns],
        |b, i, carried| {
            let place = at(places, [x(i)]).build(b);
            let value = at(diagonal, [x(i)]).build(b);
            let (one, minus_one) = (number_of(b, real, 1.0), number_of(b, real, -1.0));
            let sign = x(value).less(0.0).select(minus_one, one).build(b);
            let sorted = set(b, carried[0], [x(place)], x(value) * sign);
            let columns = repeat(b, 0, n, &carried[1..], |b, j, columns| {
                let left = at(left_rows, [x(i), x(j)]).real_as(ty);
                let right = (at(right_rows, [x(i), x(j)]) * sign).real_as(ty);
                let to_left = set(b, columns[0], [x(j), x(place)], left);
                vec![to_left, set(b, columns[1], [x(j), x(place)], right)]
            });
            vec![sorted, columns[0], columns[1]]
        },
    );
    let reflectors = |vectors, taus, shift| Reflectors {
        vectors,
        are_columns: false,
        taus,
        shift,
    };
    let left = reflectors(left, left_taus, 0).apply(b, done[1], false);
    let right = reflectors(right, right_taus, 1).apply(b, done[2], false);
    (done[0], left, right)
}

/// Makes zeros below the diagonal of column `k`.
fn reflect_left(
    b: &mut Builder<'_>,
    carried: &[Value],
    k: Value,
    (rows, n): (i64, i64),
) -> Vec<Value> {
    let [
        matrix,
        diagonal,
        off,
        left,
        left_taus,
        right,
        right_taus,
        sums,
    ] = *carried
    else {
        unreachable!("eight values are carried");
    };
    let ty = element(b.ir, matrix);
    let left = update(b, k, rows, left, |b, r, left| {
        set(b, left, [x(k), x(r)], at(matrix, [x(r), x(k)]))
    });
    let made = reflect(b, left, (k, k), rows.into());
    let diagonal = set(b, diagonal, [x(k)], made.beta);
    let left_taus = set(b, left_taus, [x(k)], made.tau);
    let one = number_of(b, ty, 1.0);
    let left = set(b, made.rows, [x(k), x(k)], one);
    let next = (x(k) + 1).build(b);
    let zero = number_of(b, ty, 0.0);
    let sums = update(b, next, n, sums, |b, c, sums| set(b, sums, [x(c)], zero));
    let sums = update(b, k, rows, sums, |b, r, sums| {
        let v = at(left, [x(k), x(r)]).conj().build(b);
        update(b, next, n, sums, |b, c, sums| {
            set(
                b,
                sums,
                [x(c)],
                at(sums, [x(c)]) + x(v) * at(matrix, [x(r), x(c)]),
            )
        })
    });
    let matrix = update(b, k, rows, matrix, |b, r, matrix| {
        let factor = (x(made.tau).conj() * at(left, [x(k), x(r)])).build(b);
        update(b, next, n, matrix, |b, c, matrix| {
            let value = at(matrix, [x(r), x(c)]) - x(factor) * at(sums, [x(c)]);
            set(b, matrix, [x(r), x(c)], value)
        })
    });
    vec![
        matrix, diagonal, off, left, left_taus, right, right_taus, sums,
    ]
}

/// Makes zeros behind the second element of row `k`.
fn reflect_right(
    b: &mut Builder<'_>,
    carried: &[Value],
    k: Value,
    (rows, n): (i64, i64),
) -> Vec<Value> {
    let [
        matrix,
        diagonal,
        off,
        left,
        left_taus,
        right,
        right_taus,
        sums,
    ] = *carried
    else {
        unreachable!("eight values are carried");
    };
    let ty = element(b.ir, matrix);
    let next = (x(k) + 1).build(b);
    let right = update(b, next, n, right, |b, c, right| {
        set(b, right, [x(k), x(c)], at(matrix, [x(k), x(c)]).conj())
    });
    let made = reflect(b, right, (k, next), n.into());
    let off = set(b, off, [x(k)], made.beta);
    let right_taus = set(b, right_taus, [x(k)], made.tau);
    let one = number_of(b, ty, 1.0);
    let right = set(b, made.rows, [x(k), x(next)], one);
    let zero = number_of(b, ty, 0.0);
    let matrix = update(b, next, rows, matrix, |b, r, matrix| {
        let sum = repeat(b, next, n, &[zero], |b, c, sum| {
            vec![(x(sum[0]) + at(matrix, [x(r), x(c)]) * at(right, [x(k), x(c)])).build(b)]
        })[0];
        let factor = (x(made.tau) * sum).build(b);
        update(b, next, n, matrix, |b, c, matrix| {
            let value = at(matrix, [x(r), x(c)]) - x(factor) * at(right, [x(k), x(c)]).conj();
            set(b, matrix, [x(r), x(c)], value)
        })
    });
    vec![
        matrix, diagonal, off, left, left_taus, right, right_taus, sums,
    ]
}

/// Steps per singular value before it is given up; two are usual.
const MAX_STEPS: i64 = 60;

/// The diagonal of what a bidiagonal matrix becomes, and the transposed left and right singular vectors.
fn diagonalize(
    b: &mut Builder<'_>,
    n: i64,
    diagonal: Value,
    off: Value,
    unit: Value,
) -> (Value, Value, Value) {
    let real = element(b.ir, diagonal);
    let eps = epsilon(b, real);
    let zero = number_of(b, real, 0.0);
    let greatest = repeat(b, 0, n, &[zero], |b, i, greatest| {
        let beside = at(diagonal, [x(i)]).abs().max(at(off, [x(i)]).abs());
        vec![x(greatest[0]).max(beside).build(b)]
    })[0];
    let negligible = (x(greatest) * (eps / 4.0)).build(b);
    let scratch: Vec<Value> = (0..4).map(|_| new(b, &[n.into()], real)).collect();
    let (end, step) = (index(b, n - 1), index(b, 0));
    let carried = [&[diagonal, off, unit, unit][..], &scratch, &[end, step]].concat();
    let done = repeat_while(
        b,
        &carried,
        |_, carried| {
            x(carried[8])
                .greater(0)
                .and(x(carried[9]).less(MAX_STEPS * n))
        },
        |b, carried| {
            let (diagonal, off, end, step) = (carried[0], carried[1], carried[8], carried[9]);
            // The block begins where nothing is beside the diagonal. What is NaN begins it too.
            let begin = repeat_while(
                b,
                &[end],
                |b, at_begin| {
                    let l = at_begin[0];
                    let before = (x(l) - 1).max(0).build(b);
                    let beside = at(diagonal, [x(before)]).abs() + at(diagonal, [x(l)]).abs();
                    let least = (beside * eps).max(negligible);
                    let is_there = at(off, [x(before)]).abs().greater(least);
                    x(l).greater(0).and(is_there)
                },
                |b, at_begin| vec![(x(at_begin[0]) - 1).build(b)],
            )[0];
            let is_done = x(begin).equal(end).build(b);
            let types: Vec<Type> = carried[..8]
                .iter()
                .map(|&value| b.ir.value_type(value))
                .collect();
            let mut changed = choose(
                b,
                x(is_done),
                &types,
                |_| carried[..8].to_vec(),
                |b| qr_step(b, &carried[..8], (begin, end), negligible),
            );
            changed.push(x(is_done).select(x(end) - 1, end).build(b));
            changed.push((x(step) + 1).build(b));
            changed
        },
    );
    (done[0], done[2], done[3])
}

/// A rotation that makes the second of two numbers zero: cosine, sine and what the first becomes.
fn rotation(b: &mut Builder<'_>, f: Value, g: Value) -> (Value, Value, Value) {
    let real = b.ir.value_type(f);
    let r = length(b, f, g);
    let one = number_of(b, real, 1.0);
    let is_zero = x(r).equal(0.0).build(b);
    let divisor = x(is_zero).select(one, r).build(b);
    let c = x(is_zero).select(one, x(f) / divisor).build(b);
    let s = (x(g) / divisor).build(b);
    (c, s, r)
}

/// One implicit QR step on the block from `begin` to `end`.
fn qr_step(
    b: &mut Builder<'_>,
    carried: &[Value],
    (begin, end): (Value, Value),
    negligible: Value,
) -> Vec<Value> {
    let [
        diagonal,
        off,
        left,
        right,
        right_cosines,
        right_sines,
        left_cosines,
        left_sines,
    ] = *carried
    else {
        unreachable!("eight values are carried");
    };
    let real = element(b.ir, diagonal);
    let zero = number_of(b, real, 0.0);
    let smallest = number_of(b, real, smallest_normal(b, real));
    // The smaller singular value of the last two rows.
    let last = (x(end) - 1).build(b);
    let (f, g, h) = (
        at(diagonal, [x(last)]).abs().build(b),
        at(off, [x(last)]).abs().build(b),
        at(diagonal, [x(end)]).abs().build(b),
    );
    let (sum, difference) = ((x(f) + h).build(b), (x(f) - h).build(b));
    let (sum, difference) = (length(b, sum, g), length(b, difference, g));
    let greater = ((x(sum) + difference) * 0.5).max(smallest).build(b);
    let shift = ((x(f) / greater) * h).build(b);
    // Where a value is nearly zero, no shift finds it in one step.
    let least = repeat(b, begin, x(end) + 1, &[greater], |b, i, least| {
        vec![x(least[0]).min(at(diagonal, [x(i)]).abs()).build(b)]
    })[0];
    let first = at(diagonal, [x(begin)]).build(b);
    let quotient = x(first).abs().max(smallest).build(b);
    let quotient = (x(shift) / quotient).build(b);
    let is_small = (x(quotient) * quotient).is(CmpIPredicate::Sle, epsilon(b, real));
    let has_no_shift = is_small
        .with(Binary::Or, x(least).is(CmpIPredicate::Sle, negligible))
        .build(b);
    let one = number_of(b, real, 1.0);
    let sign = x(first).less(0.0).select(-x(one), one).build(b);
    let divisor = x(first).equal(0.0).select(one, first).build(b);
    let shifted = (x(first).abs() - shift) * (x(sign) + x(shift) / divisor);
    let f = x(has_no_shift).select(first, shifted).build(b);
    let g = at(off, [x(begin)]).build(b);
    let carried = [
        diagonal,
        off,
        right_cosines,
        right_sines,
        left_cosines,
        left_sines,
        f,
        g,
    ];
    let done = repeat(b, begin, end, &carried, |b, i, carried| {
        let [
            diagonal,
            off,
            right_cosines,
            right_sines,
            left_cosines,
            left_sines,
            f,
            g,
        ] = *carried
        else {
            unreachable!("eight values are carried");
        };
        let next = (x(i) + 1).build(b);
        let (c, s, r) = rotation(b, f, g);
        let before = (x(i) - 1).max(0).build(b);
        let beside = at(off, [x(before)]).build(b);
        let value = x(i).greater(begin).select(r, beside).build(b);
        let off = set(b, off, [x(before)], value);
        let (d, e) = (at(diagonal, [x(i)]).build(b), at(off, [x(i)]).build(b));
        let below = at(diagonal, [x(next)]).build(b);
        let f = (x(c) * d + x(s) * e).build(b);
        let e = (x(c) * e - x(s) * d).build(b);
        let g = (x(s) * below).build(b);
        let below = (x(c) * below).build(b);
        let right_cosines = set(b, right_cosines, [x(i)], c);
        let right_sines = set(b, right_sines, [x(i)], s);
        let (c, s, r) = rotation(b, f, g);
        let diagonal = set(b, diagonal, [x(i)], r);
        let f = (x(c) * e + x(s) * below).build(b);
        let below = (x(c) * below - x(s) * e).build(b);
        let diagonal = set(b, diagonal, [x(next)], below);
        let off = set(b, off, [x(i)], f);
        // Behind the block there is nothing to rotate.
        let is_inside = x(next).less(end).build(b);
        let e = at(off, [x(next)]).build(b);
        let g = x(is_inside).select(x(s) * e, zero).build(b);
        let e = x(is_inside).select(x(c) * e, e).build(b);
        let off = set(b, off, [x(next)], e);
        let left_cosines = set(b, left_cosines, [x(i)], c);
        let left_sines = set(b, left_sines, [x(i)], s);
        vec![
            diagonal,
            off,
            right_cosines,
            right_sines,
            left_cosines,
            left_sines,
            f,
            g,
        ]
    });
    let right = rotate_rows(b, right, (done[2], done[3]), (begin, end), false);
    let left = rotate_rows(b, left, (done[4], done[5]), (begin, end), false);
    vec![
        done[0], done[1], left, right, done[2], done[3], done[4], done[5],
    ]
}
