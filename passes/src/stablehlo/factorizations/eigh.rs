//! `Eigh`: eigenvectors and eigenvalues of Hermitian matrices, in ascending order. Reflectors make the matrix tridiagonal
//! and real, and implicit QR steps make that diagonal. The first word of `backend_config` is 0 if the upper triangle is to
//! be read.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::super::build::{Generic, element, shape};
use super::super::formula::{
    Binary, F, as_size, at, index, new, number_of, part, repeat, set, size, update, x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::qr::{Reflectors, reflect};
use super::sweeps::{
    Collected, Place, Swept, diagonalize, rotation, scaled_band, to_columns, tolerance, unit_strips,
};
use super::{config, expect_counts, for_each_matrix, identity, linalg_index, transposed};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[2])?;
    let is_lower = config(b.ir, op).first().is_none_or(|word| word != "0");
    let has_vectors = !b.ir.uses(b.ir.result(op, 0)).is_empty();
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores = |b: &mut Builder<'_>| {
        let n = size(b, operand, last);
        vec![vec![n, n], vec![n]]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        decompose(b, matrices[0], is_lower, has_vectors)
    }))
}

/// The distance from 1 to the next number.
pub(super) fn epsilon(b: &Builder<'_>, real: Type) -> f64 {
    match b.ir.context().float_kind(real).map(|kind| kind.width()) {
        Some(64) => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
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
            let is_before = is_before.with(Binary::Or, is_equal);
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

/// Up to this size, matrices of f32 are decomposed in f64: 12.8 us and not 12.6 for 4 rows, 26 and not 23 for 16, but 252 and
/// not 188 for 64.
const SMALL: i64 = 32;

/// Eigenvectors as columns, if they are asked for, and eigenvalues.
fn decompose(b: &mut Builder<'_>, matrix: Value, is_lower: bool, has_vectors: bool) -> Vec<Value> {
    let n = size(b, matrix, 0);
    let own = element(b.ir, matrix);
    let own_real = part(&b.context(), own);
    let is_small = matches!(n, MixedIndex::Constant(n) if n <= SMALL);
    let (ty, real) = match own == Type::F32 && is_small {
        true => (Type::F64, Type::F64),
        false => (own, own_real),
    };

    // Both triangles, so that loops may go along rows.
    let out = new(b, &[n, n], ty);
    let generic = Generic {
        inputs: vec![(matrix, identity()), (matrix, transposed())],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    let whole = generic.build(b, &mut |b, arguments| {
        let (row, column) = (linalg_index(b, 0), linalg_index(b, 1));
        let [there, mirrored] = [0, 1].map(|at| match own == ty {
            true => x(arguments[at]),
            false => x(arguments[at]).float_as(ty),
        });
        let mirrored = mirrored.conj();
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
    let strips = match has_vectors {
        true => vec![unit_strips(b, n, real)],
        false => Vec::new(),
    };
    let (band, scale) = scaled_band(b, n, diagonal, off, strips);
    let limits = (tolerance(b, real), tolerance(b, real).powi(2));
    let band = diagonalize(b, n, band, limits, &sweep);

    let places = order(b, band.diagonal, n, false);
    let sorted = nans(b, &[n], own_real);
    let sorted = update(b, 0, n, sorted, |b, i, sorted| {
        let place = at(places, [x(i)]).build(b);
        let value = at(band.diagonal, [x(i)]) * scale;
        set(b, sorted, [x(place)], value.float_as(own_real))
    });
    let Some(&strips) = band.strips.first() else {
        return vec![nans(b, &[n, n], own), sorted];
    };
    let columns = nans(b, &[n, n], ty);
    let columns = to_columns(b, strips, n, places, None, columns);
    let reflectors = Reflectors {
        vectors,
        are_columns: false,
        taus,
        shift: 1,
    };
    let columns = reflectors.apply(b, columns, false);
    if own == ty {
        return vec![columns, sorted];
    }
    let out = new(b, &[n, n], own);
    let narrow = Generic {
        inputs: vec![(columns, identity())],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    let columns = narrow.build(b, &mut |b, arguments| {
        vec![x(arguments[0]).float_as(own).build(b)]
    });
    vec![columns[0], sorted]
}

/// The diagonal and the off-diagonal, both real, and the reflectors as rows with their scalars.
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

/// One implicit QR step on the block from `begin` to `end`.
fn sweep(
    b: &mut Builder<'_>,
    [diagonal, beside]: [Value; 2],
    (begin, end): (Value, Value),
    collected: &[Collected],
    place: Place,
) -> Swept {
    let real = element(b.ir, diagonal);
    let (zero, one) = (number_of(b, real, 0.0), number_of(b, real, 1.0));
    let before = (x(end) - 1).max(0).build(b);
    let off = at(beside, [x(end)]).build(b);
    let last = at(diagonal, [x(end)]).build(b);
    // The eigenvalue of the last two rows that is nearer to the last.
    let slope = ((at(diagonal, [x(before)]) - last) / (x(off) * 2.0)).build(b);
    let root = (x(slope) * slope + 1.0).sqrt().build(b);
    let root = x(slope).less(0.0).select(-x(root), root).build(b);
    let shift = x(last) - x(off) / (x(slope) + root);
    let shifted = (at(diagonal, [x(begin)]) - shift).build(b);
    let mut carried = vec![diagonal, beside, one, one, shifted, zero];
    for collected in collected {
        carried.extend([collected.cosines, collected.sines]);
    }
    let done = repeat(b, begin, end, &carried, |b, i, carried| {
        let [diagonal, beside, c, s, g, p, ref numbers @ ..] = *carried else {
            unreachable!("six values are carried beside rotations");
        };
        let next = (x(i) + 1).build(b);
        let off = at(beside, [x(next)]).build(b);
        let f = (x(s) * off).build(b);
        let rest = (x(c) * off).build(b);
        let (c, s, r) = rotation(b, g, f);
        let beside = set(b, beside, [x(i)], r);
        let g = (at(diagonal, [x(i)]) - p).build(b);
        let r = ((at(diagonal, [x(next)]) - g) * s + x(c) * rest * 2.0).build(b);
        let p = (x(s) * r).build(b);
        let diagonal = set(b, diagonal, [x(i)], x(g) + p);
        let g = (x(c) * r - rest).build(b);
        let mut next = vec![diagonal, beside, c, s, g, p];
        for numbers in numbers.chunks(2) {
            next.push(place.set(b, numbers[0], i, c));
            next.push(place.set(b, numbers[1], i, s));
        }
        next
    });
    let [diagonal, beside, _, _, g, p, ref numbers @ ..] = done[..] else {
        unreachable!("six values are carried beside rotations");
    };
    let last = at(diagonal, [x(end)]) - p;
    let diagonal = set(b, diagonal, [x(end)], last);
    let beside = set(b, beside, [x(end)], g);
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
