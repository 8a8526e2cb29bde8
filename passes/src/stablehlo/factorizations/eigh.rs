//! `Eigh`: eigenvectors and eigenvalues of Hermitian matrices, in ascending order. Reflectors make the matrix tridiagonal
//! and real, and implicit QL steps make that diagonal. The first word of `backend_config` is 0 if the upper triangle is to
//! be read.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::super::build::{Generic, element, shape};
use super::super::formula::{
    F, as_size, at, choose, index, new, number_of, part, repeat, repeat_by, repeat_while, set,
    size, update, x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::qr::{Reflectors, reflect, smallest_normal};
use super::{
    config, expect_counts, for_each_matrix, identity, linalg_index, transposed, unit_matrix,
};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[2])?;
    let is_lower = config(b.ir, op).first().is_none_or(|word| word != "0");
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores = |b: &mut Builder<'_>| {
        let n = size(b, operand, last);
        vec![vec![n, n], vec![n]]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        decompose(b, matrices[0], is_lower)
    }))
}

/// The distance from 1 to the next number.
pub(super) fn epsilon(b: &Builder<'_>, real: Type) -> f64 {
    match b.ir.context().float_kind(real).map(|kind| kind.width()) {
        Some(64) => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
}

/// The length of the vector of two reals, without squares that are out of range.
pub(super) fn length(b: &mut Builder<'_>, one: Value, other: Value) -> Value {
    let real = b.ir.value_type(one);
    let (one, other) = (x(one).abs().build(b), x(other).abs().build(b));
    let (greater, less) = (x(one).max(other).build(b), x(one).min(other).build(b));
    let smallest = number_of(b, real, smallest_normal(b, real));
    let quotient = (x(less) / x(greater).max(smallest)).build(b);
    (x(greater) * (x(quotient) * quotient + 1.0).sqrt()).build(b)
}

/// Columns of which rotations change as many at a time as stay in the cache.
const STRIP: i64 = 256;

/// Rotates pairs of neighbouring rows: with the numbers `c` and `s` of index `i`, row `i` becomes `c * row i + s * row (i +
/// 1)`, and the next one `c * row (i + 1) - s * row i`; for `i` from `from` up to `to`, or the other way round.
pub(super) fn rotate_rows(
    b: &mut Builder<'_>,
    rows: Value,
    (cosines, sines): (Value, Value),
    (from, to): (Value, Value),
    is_descending: bool,
) -> Value {
    let columns = size(b, rows, 1);
    repeat_by(b, 0, columns, STRIP, &[rows], |b, strip, carried| {
        let end = (x(strip) + STRIP).min(F::from(columns)).build(b);
        vec![update(b, from, to, carried[0], |b, i, rows| {
            let i = match is_descending {
                true => (x(to) - 1 - (x(i) - from)).build(b),
                false => i,
            };
            let (c, s) = (at(cosines, [x(i)]).build(b), at(sines, [x(i)]).build(b));
            let next = (x(i) + 1).build(b);
            update(b, strip, end, rows, |b, j, rows| {
                let first = at(rows, [x(i), x(j)]).build(b);
                let second = at(rows, [x(next), x(j)]).build(b);
                let rows = set(b, rows, [x(i), x(j)], x(first) * c + x(second) * s);
                set(b, rows, [x(next), x(j)], x(second) * c - x(first) * s)
            })
        })]
    })[0]
}

/// The place of each of `n` numbers in their order; of equal ones the first comes first.
pub(super) fn order(
    b: &mut Builder<'_>,
    numbers: Value,
    n: MixedIndex,
    is_descending: bool,
) -> Value {
    let places = new(b, &[n], Type::INDEX);
    update(b, 0, n, places, |b, i, places| {
        let number = at(numbers, [x(i)]).build(b);
        let zero = index(b, 0);
        let place = repeat(b, 0, n, &[zero], |b, j, place| {
            let other = at(numbers, [x(j)]).build(b);
            let is_before = match is_descending {
                true => x(other).greater(number),
                false => x(other).less(number),
            };
            let is_equal = x(other).equal(number).and(x(j).less(i));
            let is_before = is_before.with(super::super::formula::Binary::Or, is_equal);
            let one_more = (x(place[0]) + 1).build(b);
            vec![is_before.select(one_more, place[0]).build(b)]
        })[0];
        set(b, places, [x(i)], place)
    })
}

/// A tensor of NaN.
pub(super) fn nans(b: &mut Builder<'_>, sizes: &[MixedIndex], ty: Type) -> Value {
    let real = part(&b.context(), ty);
    let nan = number_of(b, real, f64::NAN);
    let nan = x(nan).real_as(ty).build(b);
    let out = new(b, sizes, ty);
    super::super::build::fill(b, nan, out)
}

fn decompose(b: &mut Builder<'_>, matrix: Value, is_lower: bool) -> Vec<Value> {
    let n = size(b, matrix, 0);
    let ty = element(b.ir, matrix);
    let real = part(&b.context(), ty);

    // Both triangles, so that loops may go along rows.
    let out = new(b, &[n, n], ty);
    let generic = Generic {
        inputs: vec![(matrix, identity()), (matrix, transposed())],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    let whole = generic.build(b, &mut |b, arguments| {
        let (row, column) = (linalg_index(b, 0), linalg_index(b, 1));
        let (there, mirrored) = (x(arguments[0]), x(arguments[1]).conj());
        let is_there = match is_lower {
            true => x(column).is(CmpIPredicate::Sle, row),
            false => x(row).is(CmpIPredicate::Sle, column),
        };
        let value = is_there.select(there.clone(), mirrored).build(b);
        let diagonal = there.re().real_as(ty);
        vec![x(row).equal(column).select(diagonal, value).build(b)]
    })[0];

    let n_off = as_size(b, (F::from(n) - 1).max(0));
    let (diagonal, off, vectors, taus) = tridiagonalize(b, whole, n, n_off);
    let unit = unit_matrix(b, n, n, real);
    let (values, rows) = diagonalize(b, n, diagonal, off, unit);

    let places = order(b, values, n, false);
    let sorted = nans(b, &[n], real);
    let columns = nans(b, &[n, n], ty);
    let sorted = repeat(b, 0, n, &[sorted, columns], |b, i, carried| {
        let place = at(places, [x(i)]).build(b);
        let sorted = set(b, carried[0], [x(place)], at(values, [x(i)]));
        let columns = update(b, 0, n, carried[1], |b, j, columns| {
            set(
                b,
                columns,
                [x(j), x(place)],
                at(rows, [x(i), x(j)]).real_as(ty),
            )
        });
        vec![sorted, columns]
    });
    let reflectors = Reflectors {
        vectors,
        are_columns: false,
        taus,
        shift: 1,
    };
    let columns = reflectors.apply(b, sorted[1], false);
    vec![columns, sorted[0]]
}

/// The diagonal and what is beside it, both real, and the reflectors as rows with their scalars.
fn tridiagonalize(
    b: &mut Builder<'_>,
    whole: Value,
    n: MixedIndex,
    n_off: MixedIndex,
) -> (Value, Value, Value, Value) {
    let ty = element(b.ir, whole);
    let real = part(&b.context(), ty);
    let diagonal = new(b, &[n], real);
    let off = super::zeros(b, &[n], real);
    let vectors = new(b, &[n_off, n], ty);
    let taus = new(b, &[n_off], ty);
    let products = new(b, &[n], ty);
    let carried = [whole, diagonal, off, vectors, taus, products];
    let done = repeat(b, 0, n_off, &carried, |b, k, carried| {
        let [whole, diagonal, off, vectors, taus, products] = *carried else {
            unreachable!("six values are carried");
        };
        let diagonal = set(b, diagonal, [x(k)], at(whole, [x(k), x(k)]).re());
        let next = (x(k) + 1).build(b);
        let vectors = update(b, next, n, vectors, |b, r, vectors| {
            set(b, vectors, [x(k), x(r)], at(whole, [x(k), x(r)]).conj())
        });
        let made = reflect(b, vectors, (k, next), n);
        let off = set(b, off, [x(k)], made.beta);
        let taus = set(b, taus, [x(k)], made.tau);
        let one = number_of(b, ty, 1.0);
        let vectors = set(b, made.rows, [x(k), x(next)], one);
        let zero = number_of(b, ty, 0.0);
        let products = update(b, next, n, products, |b, r, products| {
            let sum = repeat(b, next, n, &[zero], |b, c, sum| {
                vec![(x(sum[0]) + at(whole, [x(r), x(c)]) * at(vectors, [x(k), x(c)])).build(b)]
            })[0];
            set(b, products, [x(r)], x(made.tau) * sum)
        });
        let sum = repeat(b, next, n, &[zero], |b, r, sum| {
            vec![(x(sum[0]) + at(vectors, [x(k), x(r)]).conj() * at(products, [x(r)])).build(b)]
        })[0];
        let half = number_of(b, ty, 0.5);
        let factor = (x(made.tau).conj() * sum * half).build(b);
        let products = update(b, next, n, products, |b, r, products| {
            let value = at(products, [x(r)]) - x(factor) * at(vectors, [x(k), x(r)]);
            set(b, products, [x(r)], value)
        });
        let whole = update(b, next, n, whole, |b, r, whole| {
            let v = at(vectors, [x(k), x(r)]).build(b);
            let w = at(products, [x(r)]).build(b);
            update(b, next, n, whole, |b, c, whole| {
                let change =
                    x(w) * at(vectors, [x(k), x(c)]).conj() + x(v) * at(products, [x(c)]).conj();
                set(b, whole, [x(r), x(c)], at(whole, [x(r), x(c)]) - change)
            })
        });
        vec![whole, diagonal, off, vectors, taus, products]
    });
    let last = F::from(n_off).build(b);
    let diagonal = update(b, last, n, done[1], |b, k, diagonal| {
        set(b, diagonal, [x(k)], at(done[0], [x(k), x(k)]).re())
    });
    (diagonal, done[2], done[3], done[4])
}

/// Eigenvalues of a tridiagonal matrix; `rows` are multiplied with the transposed eigenvectors.
fn diagonalize(
    b: &mut Builder<'_>,
    n: MixedIndex,
    diagonal: Value,
    off: Value,
    rows: Value,
) -> (Value, Value) {
    let real = element(b.ir, diagonal);
    let eps = epsilon(b, real);
    let one = number_of(b, real, 1.0);
    let zero = number_of(b, real, 0.0);
    let (cosines, sines) = (new(b, &[n], real), new(b, &[n], real));
    let carried = [diagonal, off, rows, cosines, sines];
    let done = repeat(b, 0, n, &carried, |b, l, carried| {
        let goes_on = freehold_frontend::dialects::arith::constant_bool(b, true);
        let step = index(b, 0);
        let carried = [carried, &[step, goes_on]].concat();
        let done = repeat_while(
            b,
            &carried,
            |_, carried| x(carried[6]).and(x(carried[5]).less(MAX_STEPS)),
            |b, carried| {
                let (diagonal, off, step) = (carried[0], carried[1], carried[5]);
                // The block ends where nothing is beside the diagonal. What is NaN ends it too.
                let last = (F::from(n) - 1).build(b);
                let end = repeat_while(
                    b,
                    &[l],
                    |b, at_end| {
                        let m = at_end[0];
                        let next = (x(m) + 1).min(last).build(b);
                        let beside = at(diagonal, [x(m)]).abs() + at(diagonal, [x(next)]).abs();
                        let is_there = at(off, [x(m)]).abs().greater(beside * eps);
                        x(m).less(last).and(is_there).build(b).into()
                    },
                    |b, at_end| vec![(x(at_end[0]) + 1).build(b)],
                )[0];
                let is_done = x(end).equal(l).build(b);
                let types: Vec<Type> = carried[..5]
                    .iter()
                    .map(|&value| b.ir.value_type(value))
                    .collect();
                let mut changed = choose(
                    b,
                    x(is_done),
                    &types,
                    |_| carried[..5].to_vec(),
                    |b| ql_step(b, &carried[..5], (l, end), (zero, one)),
                );
                let goes_on = freehold_frontend::dialects::arith::constant_bool(b, false);
                let is_going = freehold_frontend::dialects::arith::constant_bool(b, true);
                changed.push((x(step) + 1).build(b));
                changed.push(x(is_done).select(goes_on, is_going).build(b));
                changed
            },
        );
        done[..5].to_vec()
    });
    (done[0], done[2])
}

/// Steps for one eigenvalue; two are usual.
const MAX_STEPS: i64 = 80;

/// One implicit QL step on the block from `l` to `end`.
fn ql_step(
    b: &mut Builder<'_>,
    carried: &[Value],
    (l, end): (Value, Value),
    (zero, one): (Value, Value),
) -> Vec<Value> {
    let [diagonal, off, rows, cosines, sines] = *carried else {
        unreachable!("five values are carried");
    };
    let next = (x(l) + 1).build(b);
    let beside = at(off, [x(l)]).build(b);
    let first = at(diagonal, [x(l)]).build(b);
    // The eigenvalue of the first two rows that is nearer to the first.
    let slope = ((at(diagonal, [x(next)]) - first) / (x(beside) * 2.0)).build(b);
    let root = length(b, slope, one);
    let root = x(slope).less(0.0).select(-x(root), root).build(b);
    let shifted = (at(diagonal, [x(end)]) - first + x(beside) / (x(slope) + root)).build(b);
    let is_whole = freehold_frontend::dialects::arith::constant_bool(b, true);
    let start = (x(end) - 1).build(b);
    let done = repeat_while(
        b,
        &[
            diagonal, off, cosines, sines, start, one, one, shifted, zero, is_whole,
        ],
        |_, carried| x(carried[9]).and(x(carried[4]).is(CmpIPredicate::Sge, l)),
        |b, carried| {
            let [diagonal, off, cosines, sines, i, s, c, g, p, _] = *carried else {
                unreachable!("ten values are carried");
            };
            let after = (x(i) + 1).build(b);
            let beside = at(off, [x(i)]).build(b);
            let f = (x(s) * beside).build(b);
            let rest = (x(c) * beside).build(b);
            let r = length(b, f, g);
            let off = set(b, off, [x(after)], r);
            let is_zero = x(r).equal(0.0).build(b);
            let divisor = x(is_zero).select(one, r).build(b);
            let s = (x(f) / divisor).build(b);
            let c = x(is_zero).select(one, x(g) / divisor).build(b);
            let cosines = set(b, cosines, [x(i)], c);
            let sines = set(b, sines, [x(i)], -x(s));
            let g = (at(diagonal, [x(after)]) - p).build(b);
            let r = ((at(diagonal, [x(i)]) - g) * s + x(c) * rest * 2.0).build(b);
            let p = (x(s) * r).build(b);
            let value = x(is_zero).select(g, x(g) + p).build(b);
            let diagonal = set(b, diagonal, [x(after)], value);
            let g = (x(c) * r - rest).build(b);
            let is_whole = x(is_zero).equal(F::from(0)).build(b);
            let i = (x(i) - 1).build(b);
            vec![diagonal, off, cosines, sines, i, s, c, g, p, is_whole]
        },
    );
    let [diagonal, off, cosines, sines, i, _, _, g, p, is_whole] = done[..] else {
        unreachable!("ten values are carried");
    };
    let last = at(diagonal, [x(l)]).build(b);
    let value = x(is_whole).select(x(last) - p, last).build(b);
    let diagonal = set(b, diagonal, [x(l)], value);
    let beside = at(off, [x(l)]).build(b);
    let value = x(is_whole).select(g, beside).build(b);
    let off = set(b, off, [x(l)], value);
    let off = set(b, off, [x(end)], zero);
    let from = (x(i) + 1).build(b);
    let rows = rotate_rows(b, rows, (cosines, sines), (from, end), true);
    vec![diagonal, off, rows, cosines, sines]
}
