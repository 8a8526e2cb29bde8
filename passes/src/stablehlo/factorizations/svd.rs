//! `Svd`: the results are singular values, and if three are asked for, left singular vectors as columns and right ones as
//! rows, conjugated. As many left and right vectors are made as the results have room for. Reflectors make the matrix
//! bidiagonal and real, and implicit QR steps make that diagonal.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::DYNAMIC;

use super::super::build::{element, shape};
use super::super::formula::{Binary, F, at, mapped, new, number_of, part, repeat, set, update, x};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::eigh::{nans, order};
use super::qr::{Reflectors, reflect, smallest_normal};
use super::sweeps::{
    Collected, Place, Swept, diagonalize, rotation, scaled_band, to_columns, tolerance, unit_strips,
};
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
        let (values, vectors) = decompose(b, matrix, sizes, n_results == 3);
        let Some((columns_of_long, columns_of_short)) = vectors else {
            return vec![values];
        };
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
        vec![values, left.0, adjoint]
    }))
}

/// Singular values of a matrix that is not wider than high, and its left and right singular vectors as columns.
fn decompose(
    b: &mut Builder<'_>,
    matrix: Value,
    (rows, n, n_left): (i64, i64, i64),
    has_vectors: bool,
) -> (Value, Option<(Value, Value)>) {
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
    let strips = match has_vectors {
        true => vec![
            unit_strips(b, n.into(), real),
            unit_strips(b, n.into(), real),
        ],
        false => Vec::new(),
    };
    let (band, scale) = scaled_band(b, n.into(), diagonal, off, strips);
    let limits = (tolerance(b, real), tolerance(b, real) / 4.0);
    let negligible = limits.1;
    let band = diagonalize(
        b,
        n.into(),
        band,
        limits,
        &|b, numbers, block, collected, place| {
            sweep(b, numbers, block, collected, place, negligible)
        },
    );

    // Values are made positive and sorted, vectors likewise.
    let magnitudes = mapped(
        b,
        band.diagonal,
        freehold_frontend::ir::affine::AffineMap::identity(1),
        &[n.into()],
        F::abs,
    );
    let places = order(b, magnitudes, n.into(), true);
    let sorted = nans(b, &[n.into()], real);
    let sorted = update(b, 0, n, sorted, |b, i, sorted| {
        let place = at(places, [x(i)]).build(b);
        let value = at(magnitudes, [x(i)]) * scale;
        set(b, sorted, [x(place)], value.float_as(real))
    });
    let [left_rows, right_rows] = band.strips[..] else {
        return (sorted, None);
    };
    let signs = new(b, &[n.into()], real);
    let signs = update(b, 0, n, signs, |b, i, signs| {
        let (one, minus_one) = (number_of(b, real, 1.0), number_of(b, real, -1.0));
        let is_negative = at(band.diagonal, [x(i)]).less(0.0);
        set(b, signs, [x(i)], is_negative.select(minus_one, one))
    });
    let left_columns = unit_matrix(b, rows.into(), n_left.into(), ty);
    let right_columns = nans(b, &[n.into(), n.into()], ty);
    let left_columns = to_columns(b, left_rows, n.into(), places, None, left_columns);
    let right_columns = to_columns(b, right_rows, n.into(), places, Some(signs), right_columns);
    let reflectors = |vectors, taus, shift| Reflectors {
        vectors,
        are_columns: false,
        taus,
        shift,
    };
    let left = reflectors(left, left_taus, 0).apply(b, left_columns, false);
    let right = reflectors(right, right_taus, 1).apply(b, right_columns, false);
    (sorted, Some((left, right)))
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

/// One implicit QR step on the block from `begin` to `end`.
fn sweep(
    b: &mut Builder<'_>,
    [diagonal, beside]: [Value; 2],
    (begin, end): (Value, Value),
    collected: &[Collected],
    place: Place,
    negligible: f64,
) -> Swept {
    let real = element(b.ir, diagonal);
    let zero = number_of(b, real, 0.0);
    let smallest = number_of(b, real, smallest_normal(b, real));
    // The smaller singular value of the last two rows.
    let last = (x(end) - 1).max(0).build(b);
    let (f, g, h) = (
        at(diagonal, [x(last)]).abs().build(b),
        at(beside, [x(end)]).abs().build(b),
        at(diagonal, [x(end)]).abs().build(b),
    );
    let square = (x(g) * g).build(b);
    let (sum, difference) = ((x(f) + h).build(b), (x(f) - h).build(b));
    let sum = (x(sum) * sum + square).sqrt();
    let difference = (x(difference) * difference + square).sqrt();
    let greater = ((sum + difference) * 0.5).max(smallest).build(b);
    let shift = ((x(f) / greater) * h).build(b);
    // Where a value is nearly zero, no shift finds it in one step.
    let least = repeat(b, begin, x(end) + 1, &[greater], |b, i, least| {
        vec![x(least[0]).min(at(diagonal, [x(i)]).abs()).build(b)]
    })[0];
    let first = at(diagonal, [x(begin)]).build(b);
    let quotient = x(first).abs().max(smallest).build(b);
    let quotient = (x(shift) / quotient).build(b);
    let is_small = (x(quotient) * quotient).is(CmpIPredicate::Sle, f64::EPSILON);
    let has_no_shift = is_small
        .with(Binary::Or, x(least).is(CmpIPredicate::Sle, negligible))
        .build(b);
    let one = number_of(b, real, 1.0);
    let sign = x(first).less(0.0).select(-x(one), one).build(b);
    let divisor = x(first).equal(0.0).select(one, first).build(b);
    let shifted = (x(first).abs() - shift) * (x(sign) + x(shift) / divisor);
    let f = x(has_no_shift).select(first, shifted).build(b);
    let g = at(beside, [x(begin) + 1]).build(b);
    let mut carried = vec![diagonal, beside, f, g];
    for collected in collected {
        carried.extend([collected.cosines, collected.sines]);
    }
    let done = repeat(b, begin, end, &carried, |b, i, carried| {
        let [diagonal, beside, f, g, ref numbers @ ..] = *carried else {
            unreachable!("four values are carried beside rotations");
        };
        let next = (x(i) + 1).build(b);
        let (right_c, right_s, r) = rotation(b, f, g);
        let (c, s) = (right_c, right_s);
        let beside = set(b, beside, [x(i)], r);
        let (d, e) = (
            at(diagonal, [x(i)]).build(b),
            at(beside, [x(next)]).build(b),
        );
        let below = at(diagonal, [x(next)]).build(b);
        let f = (x(c) * d + x(s) * e).build(b);
        let e = (x(c) * e - x(s) * d).build(b);
        let g = (x(s) * below).build(b);
        let below = (x(c) * below).build(b);
        let (c, s, r) = rotation(b, f, g);
        let diagonal = set(b, diagonal, [x(i)], r);
        let f = (x(c) * e + x(s) * below).build(b);
        let below = (x(c) * below - x(s) * e).build(b);
        let diagonal = set(b, diagonal, [x(next)], below);
        let beside = set(b, beside, [x(next)], f);
        // Behind the block there is nothing to rotate.
        let is_inside = x(next).less(end).build(b);
        let e = at(beside, [x(next) + 1]).build(b);
        let g = x(is_inside).select(x(s) * e, zero).build(b);
        let e = x(is_inside).select(x(c) * e, e).build(b);
        let beside = set(b, beside, [x(next) + 1], e);
        let mut changed = vec![diagonal, beside, f, g];
        let pairs = [(c, s), (right_c, right_s)];
        for (numbers, (c, s)) in numbers.chunks(2).zip(pairs) {
            changed.push(place.set(b, numbers[0], i, c));
            changed.push(place.set(b, numbers[1], i, s));
        }
        changed
    });
    let [diagonal, beside, _, _, ref numbers @ ..] = done[..] else {
        unreachable!("four values are carried beside rotations");
    };
    // Nothing was there, and it may be the only row.
    let beside = set(b, beside, [x(begin)], zero);
    let rotated = (collected.iter().zip(numbers.chunks(2)))
        .map(|(&collected, numbers)| Collected {
            cosines: numbers[0],
            sines: numbers[1],
            ..collected
        })
        .collect();
    ([diagonal, beside], rotated)
}
