//! `Eig`: eigenvalues, and if asked for, eigenvectors of any square matrix, as complex numbers. `backend_config` says which
//! vectors there are, `left`, `right` or `left,right`; without it the second result are right ones. Reflectors make the
//! matrix a Hessenberg one, and implicit QR steps with single shifts make that triangular. Eigenvalues of a real matrix are
//! real or pairs of conjugates, exactly unless they are nearly multiple ones, and so are their vectors. All results are NaN if
//! an element is no finite number, or an eigenvalue is not found.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{Type, TypeKind};

use super::super::build::{Generic, element, shape};
use super::super::formula::{
    Binary, F, as_size, at, choose, index, mapped, new, number_of, part, repeat, repeat_while, set,
    size, update, x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::eigh::epsilon;
use super::qr::{reflect, smallest_normal};
use super::{config, expect_counts, for_each_matrix, identity, unit_matrix};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[1, 2, 3])?;
    let words = config(b.ir, op);
    let n_results = b.ir.results(op).len();
    let sides: Vec<bool> = match n_results {
        1 => Vec::new(),
        2 => vec![words.iter().any(|word| word == "left")],
        _ => vec![true, false],
    };
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores = |b: &mut Builder<'_>| {
        let n = size(b, operand, last);
        vec![vec![n], vec![n, n], vec![n, n]]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        decompose(b, matrices[0], &sides)
    }))
}

/// The sum of the absolute values of both parts.
fn magnitude(number: Value) -> F {
    x(number).re().abs() + x(number).im().abs()
}

/// By as many units in the last place of the greatest element of the matrix may conjugates differ, and by as many of 1 the
/// product of vectors of length 1.
const ROUNDING: f64 = 256.0;

/// The greatest magnitude of an element of a matrix that has none but zeros below the first subdiagonal.
fn greatest(b: &mut Builder<'_>, matrix: Value, n: MixedIndex) -> Value {
    let real = part(&b.context(), element(b.ir, matrix));
    let zero = number_of(b, real, 0.0);
    repeat(b, 0, n, &[zero], |b, i, greatest| {
        let before = (x(i) - 1).max(0).build(b);
        repeat(b, before, n, greatest, |b, j, greatest| {
            let number = at(matrix, [x(i), x(j)]).build(b);
            vec![x(greatest[0]).max(magnitude(number)).build(b)]
        })
    })[0]
}

/// A complex number times a real one.
fn times(number: F, factor: Value) -> F {
    let (re, im) = (number.clone().re() * factor, number.im() * factor);
    F::Complex(re.into(), im.into())
}

/// What a matrix whose greatest element has this size is multiplied by, so that neither squares nor sums of products leave
/// the range, and what eigenvalues are multiplied by then: one unless it is very small or very large, as LAPACK does it.
fn scale_of(b: &mut Builder<'_>, greatest: Value) -> (Value, Value) {
    let real = b.ir.value_type(greatest);
    let least = smallest_normal(b, real).sqrt() / f64::from(f32::EPSILON);
    let one = number_of(b, real, 1.0);
    let is_small = x(greatest)
        .less(least)
        .and(x(greatest).is(CmpIPredicate::Sgt, 0.0));
    let is_small = is_small.build(b);
    let is_large = x(greatest).is(CmpIPredicate::Sgt, 1.0 / least).build(b);
    let [least, most] = [least, 1.0 / least].map(|number| number_of(b, real, number));
    let wanted = x(is_large).select(most, greatest).build(b);
    let wanted = x(is_small).select(least, wanted).build(b);
    let is_scaled = x(is_small).with(Binary::Or, is_large).build(b);
    let (scale, back) = (x(wanted) / greatest, x(greatest) / wanted);
    (
        x(is_scaled).select(scale, one).build(b),
        x(is_scaled).select(back, one).build(b),
    )
}

fn decompose(b: &mut Builder<'_>, matrix: Value, sides: &[bool]) -> Vec<Value> {
    let n = size(b, matrix, 0);
    let real = part(&b.context(), element(b.ir, matrix));
    let ty = b.context().intern_type(TypeKind::Complex(real));
    let out = new(b, &[n, n], ty);
    let generic = Generic {
        inputs: vec![(matrix, identity())],
        outputs: vec![(out, identity())],
        parallel: &[true, true],
    };
    let work = generic.build(b, &mut |b, e| {
        let number = if b.ir.value_type(e[0]) == ty {
            x(e[0])
        } else {
            x(e[0]).real_as(ty)
        };
        vec![number.build(b)]
    })[0];
    // The rows of `basis` are Schur vectors.
    let basis = unit_matrix(b, n, n, ty);
    // Comparisons with what is not finite would take it for small.
    let zero = number_of(b, real, 0.0);
    let found = repeat(b, 0, n, &[zero, zero], |b, i, found| {
        repeat(b, 0, n, found, |b, j, found| {
            let number = at(work, [x(i), x(j)]).build(b);
            let size = magnitude(number).build(b);
            let sum = x(found[0]) + x(size) * 0.0;
            vec![sum.build(b), x(found[1]).max(size).build(b)]
        })
    });
    let sum = found[0];
    let (scale, back) = scale_of(b, found[1]);
    let work = mapped(b, work, identity(), &[n, n], |e| times(e, scale));
    let done = hessenberg(b, work, basis, n);
    let (triangle, basis, end) = triangularize(b, done[0], done[1], n);
    let is_found = x(sum).equal(0.0).and(x(end).less(1)).build(b);
    let (one, nan) = (number_of(b, ty, 1.0), number_of(b, ty, f64::NAN));
    let factor = x(is_found).select(one, nan).build(b);
    let values = new(b, &[n], ty);
    let values = update(b, 0, n, values, |b, i, values| {
        let value = at(triangle, [x(i), x(i)]).build(b);
        set(
            b,
            values,
            [x(i)],
            x(is_found).select(value, x(value) * factor),
        )
    });
    let is_real = element(b.ir, matrix) == real;
    let (values, partners) = match is_real {
        true => {
            let greatest = greatest(b, triangle, n);
            let paired = pair(b, values, greatest, n);
            (paired[0], Some(paired[1]))
        }
        false => (values, None),
    };
    let scaled = mapped(b, values, AffineMap::identity(1), &[n], |e| times(e, back));
    let mut results = vec![scaled];
    for &is_left in sides {
        let vectors = vectors(b, triangle, basis, n, (is_left, factor));
        results.push(match partners {
            Some(partners) => pair_vectors(b, vectors, (values, partners), n),
            None => vectors,
        });
    }
    results
}

/// Makes conjugates, which differ by rounding, exact ones, and numbers real that are nearer to their own conjugates than to
/// those of others. What differs by more than rounding, since the eigenvalue is nearly a multiple one, stays: it belongs to its
/// vector. The second result are the places of the others, or their own.
fn pair(b: &mut Builder<'_>, values: Value, greatest: Value, n: MixedIndex) -> Vec<Value> {
    let eps = epsilon(b, part(&b.context(), element(b.ir, values)));
    let most = (x(greatest) * (ROUNDING * eps)).build(b);
    let partners = new(b, &[n], Type::INDEX);
    // No place stands for one that is not found yet.
    let partners = update(b, 0, n, partners, |b, i, partners| {
        set(b, partners, [x(i)], F::from(n))
    });
    repeat(b, 0, n, &[values, partners], |b, i, carried| {
        let (values, partners) = (carried[0], carried[1]);
        let types = [values, partners].map(|value| b.ir.value_type(value));
        let is_alone = at(partners, [x(i)]).equal(F::from(n));
        choose(
            b,
            is_alone,
            &types,
            |b| {
                let value = at(values, [x(i)]).build(b);
                let distance = (x(value).im().abs() * 2.0).build(b);
                let next = (x(i) + 1).build(b);
                let nearest = repeat(b, next, n, &[i, distance], |b, j, nearest| {
                    let other = at(values, [x(j)]).conj().build(b);
                    let difference = (x(value) - other).build(b);
                    let distance = magnitude(difference).build(b);
                    let is_nearer = (at(partners, [x(j)]).equal(F::from(n)))
                        .and(x(distance).less(nearest[1]))
                        .build(b);
                    vec![
                        x(is_nearer).select(j, nearest[0]).build(b),
                        x(is_nearer).select(distance, nearest[1]).build(b),
                    ]
                });
                let is_near = x(nearest[1]).less(most).build(b);
                let partner = x(is_near).select(nearest[0], i).build(b);
                let mean = (x(value) + at(values, [x(partner)]).conj()) * 0.5;
                let mean = x(is_near).select(mean, value).build(b);
                let mirrored = x(is_near).select(x(mean).conj(), value);
                let values = set(b, values, [x(partner)], mirrored);
                let partners = set(b, partners, [x(partner)], x(i));
                vec![
                    set(b, values, [x(i)], mean),
                    set(b, partners, [x(i)], partner),
                ]
            },
            |_| vec![values, partners],
        )
    })
}

/// The same of their vectors, which are columns. Those of a multiple eigenvalue may be any of a plane: where they are not
/// conjugates but for rounding, they stay.
fn pair_vectors(
    b: &mut Builder<'_>,
    vectors: Value,
    (values, partners): (Value, Value),
    n: MixedIndex,
) -> Value {
    let ty = element(b.ir, vectors);
    let zero = number_of(b, ty, 0.0);
    let least = 1.0 - ROUNDING * epsilon(b, part(&b.context(), ty));
    update(b, 0, n, vectors, |b, k, vectors| {
        let partner = at(partners, [x(k)]).build(b);
        // The product of one and the conjugate of the other.
        let product = repeat(b, 0, n, &[zero], |b, r, sum| {
            let number = at(vectors, [x(r), x(k)]) * at(vectors, [x(r), x(partner)]);
            vec![(x(sum[0]) + number).build(b)]
        })[0];
        let is_same = x(product).norm().greater(least).build(b);
        let height = at(values, [x(k)]).im().build(b);
        let is_real = x(height).equal(0.0).and(x(is_same)).build(b);
        let is_paired = x(partner).is(CmpIPredicate::Ne, k);
        let is_second = x(height).less(0.0).and(is_paired).and(x(is_same)).build(b);
        update(b, 0, n, vectors, |b, r, vectors| {
            let value = at(vectors, [x(r), x(k)]).build(b);
            let other = at(vectors, [x(r), x(partner)]).conj().build(b);
            let mean = ((x(value) + other) * 0.5).build(b);
            let value = x(is_real).select(mean, value).build(b);
            let value = x(is_second).select(other, value);
            set(b, vectors, [x(r), x(k)], value)
        })
    })
}

/// Makes zeros below the first subdiagonal.
fn hessenberg(b: &mut Builder<'_>, work: Value, basis: Value, n: MixedIndex) -> Vec<Value> {
    let ty = element(b.ir, work);
    let last = as_size(b, (F::from(n) - 2).max(0));
    let vector = new(b, &[MixedIndex::Constant(1), n], ty);
    let sums = new(b, &[n], ty);
    repeat(b, 0, last, &[work, basis, vector, sums], |b, k, carried| {
        let [work, basis, vector, sums] = *carried else {
            unreachable!("four values are carried");
        };
        let next = (x(k) + 1).build(b);
        let first = index(b, 0);
        let vector = update(b, next, n, vector, |b, r, vector| {
            set(b, vector, [x(first), x(r)], at(work, [x(r), x(k)]))
        });
        let made = reflect(b, vector, (first, next), n);
        let one = number_of(b, ty, 1.0);
        let vector = set(b, made.rows, [x(first), x(next)], one);
        let zero = number_of(b, ty, 0.0);
        // From the left, 1 - conj(tau) * v * v^H.
        let sums = update(b, 0, n, sums, |b, c, sums| set(b, sums, [x(c)], zero));
        let sums = update(b, next, n, sums, |b, r, sums| {
            let v = at(vector, [x(first), x(r)]).conj().build(b);
            update(b, k, n, sums, |b, c, sums| {
                set(
                    b,
                    sums,
                    [x(c)],
                    at(sums, [x(c)]) + x(v) * at(work, [x(r), x(c)]),
                )
            })
        });
        let work = update(b, next, n, work, |b, r, work| {
            let factor = (x(made.tau).conj() * at(vector, [x(first), x(r)])).build(b);
            update(b, k, n, work, |b, c, work| {
                let value = at(work, [x(r), x(c)]) - x(factor) * at(sums, [x(c)]);
                set(b, work, [x(r), x(c)], value)
            })
        });
        // From the right, 1 - tau * v * v^H.
        let work = update(b, 0, n, work, |b, r, work| {
            let sum = repeat(b, next, n, &[zero], |b, c, sum| {
                vec![(x(sum[0]) + at(work, [x(r), x(c)]) * at(vector, [x(first), x(c)])).build(b)]
            })[0];
            let factor = (x(made.tau) * sum).build(b);
            update(b, next, n, work, |b, c, work| {
                let value =
                    at(work, [x(r), x(c)]) - x(factor) * at(vector, [x(first), x(c)]).conj();
                set(b, work, [x(r), x(c)], value)
            })
        });
        // The same of the basis, whose rows are columns.
        let sums = update(b, 0, n, sums, |b, c, sums| set(b, sums, [x(c)], zero));
        let sums = update(b, next, n, sums, |b, r, sums| {
            let v = at(vector, [x(first), x(r)]).build(b);
            update(b, 0, n, sums, |b, c, sums| {
                set(
                    b,
                    sums,
                    [x(c)],
                    at(sums, [x(c)]) + x(v) * at(basis, [x(r), x(c)]),
                )
            })
        });
        let basis = update(b, next, n, basis, |b, r, basis| {
            let factor = (x(made.tau) * at(vector, [x(first), x(r)]).conj()).build(b);
            update(b, 0, n, basis, |b, c, basis| {
                let value = at(basis, [x(r), x(c)]) - x(factor) * at(sums, [x(c)]);
                set(b, basis, [x(r), x(c)], value)
            })
        });
        let work = update(b, x(next) + 1, n, work, |b, r, work| {
            set(b, work, [x(r), x(k)], zero)
        });
        vec![work, basis, vector, sums]
    })
}

/// Steps per eigenvalue before it is given up; two or three are usual.
const MAX_STEPS: i64 = 60;

/// Makes a Hessenberg matrix triangular, and gives the number of the last row that it is not done with, 0 or less if
/// there is none.
fn triangularize(
    b: &mut Builder<'_>,
    work: Value,
    basis: Value,
    n: MixedIndex,
) -> (Value, Value, Value) {
    let real = part(&b.context(), element(b.ir, work));
    let eps = epsilon(b, real);
    // What is as small beside the greatest element goes, also where its neighbours are as small: the eigenvalues of a matrix of
    // rank one, but for one, are rounding of rounding.
    let greatest = greatest(b, work, n);
    let smallest = (x(greatest) * eps.powi(3)).max(smallest_normal(b, real));
    let smallest = smallest.build(b);
    let (end, step) = ((F::from(n) - 1).build(b), index(b, 0));
    let done = repeat_while(
        b,
        &[work, basis, end, step],
        |_, carried| x(carried[2]).greater(0).and(x(carried[3]).less(MAX_STEPS)),
        |b, carried| {
            let [work, basis, end, step] = *carried else {
                unreachable!("four values are carried");
            };
            let begin = repeat_while(
                b,
                &[end],
                |b, at_begin| {
                    let l = at_begin[0];
                    let before = (x(l) - 1).max(0).build(b);
                    let beside = at(work, [x(l), x(before)]).build(b);
                    let (one, other) = (
                        at(work, [x(before), x(before)]).build(b),
                        at(work, [x(l), x(l)]).build(b),
                    );
                    let least = ((magnitude(one) + magnitude(other)) * eps).max(smallest);
                    x(l).greater(0).and(magnitude(beside).greater(least))
                },
                |b, at_begin| vec![(x(at_begin[0]) - 1).build(b)],
            )[0];
            let is_done = x(begin).equal(end).build(b);
            let types = [work, basis].map(|value| b.ir.value_type(value));
            let mut changed = choose(
                b,
                x(is_done),
                &types,
                |_| vec![work, basis],
                |b| qr_step(b, work, basis, n, (begin, end, step)),
            );
            changed.push(x(is_done).select(x(end) - 1, end).build(b));
            changed.push(x(is_done).select(F::from(0), x(step) + 1).build(b));
            changed
        },
    );
    (done[0], done[1], done[2])
}

fn qr_step(
    b: &mut Builder<'_>,
    work: Value,
    basis: Value,
    n: MixedIndex,
    (begin, end, step): (Value, Value, Value),
) -> Vec<Value> {
    let ty = element(b.ir, work);
    let real = part(&b.context(), ty);
    let last = (x(end) - 1).build(b);
    // The eigenvalue of the last two rows that is nearer to the last element.
    let a = at(work, [x(last), x(last)]).build(b);
    let above = at(work, [x(last), x(end)]).build(b);
    let below = at(work, [x(end), x(last)]).build(b);
    let d = at(work, [x(end), x(end)]).build(b);
    // All are scaled before they are multiplied.
    let smallest = number_of(b, real, smallest_normal(b, real));
    let all = magnitude(a) + magnitude(above) + magnitude(below) + magnitude(d);
    let all = all.max(smallest).build(b);
    let inverse = (F::from(1.0) / all).real_as(ty).build(b);
    let half = ((x(a) - d) * inverse * 0.5).build(b);
    let corner = (x(above) * inverse * (x(below) * inverse)).build(b);
    let root = (x(half) * half + corner).build(b);
    let root = x(root).sqrt().build(b);
    let same = x(half).re() * x(root).re() + x(half).im() * x(root).im();
    let divisor = same
        .less(0.0)
        .select(x(half) - root, x(half) + root)
        .build(b);
    let is_zero = magnitude(divisor).equal(0.0).build(b);
    let one = number_of(b, ty, 1.0);
    let divisor = x(is_zero).select(one, divisor).build(b);
    let quotient = (x(corner) / divisor * x(all).real_as(ty)).build(b);
    let shift = x(is_zero).select(d, x(d) - quotient).build(b);
    // Where that does not help, another one may.
    let is_stuck = x(step).with(Binary::Rem, 10).equal(9).build(b);
    let other = (x(d) + magnitude(below).real_as(ty)).build(b);
    let shift = x(is_stuck).select(other, shift).build(b);

    repeat(b, begin, end, &[work, basis], |b, i, carried| {
        let (work, basis) = (carried[0], carried[1]);
        let next = (x(i) + 1).build(b);
        let before = (x(i) - 1).max(begin).build(b);
        let is_first = x(i).equal(begin).build(b);
        let f = at(work, [x(i), x(before)]).build(b);
        let f = x(is_first).select(x(f) - shift, f).build(b);
        let g = at(work, [x(next), x(before)]).build(b);
        // Both are scaled before they are squared.
        let scale = (magnitude(f) + magnitude(g)).max(smallest).build(b);
        let inverse = (F::from(1.0) / scale).real_as(ty).build(b);
        let (f, g) = ((x(f) * inverse).build(b), (x(g) * inverse).build(b));
        let r = (x(f).norm() + x(g).norm()).sqrt().build(b);
        let is_zero = x(r).equal(0.0).build(b);
        let inverse = (F::from(1.0) / r).real_as(ty).build(b);
        let zero = number_of(b, ty, 0.0);
        let alpha = x(is_zero).select(one, x(f) * inverse).build(b);
        let beta = x(is_zero).select(zero, x(g) * inverse).build(b);
        let work = update(b, before, n, work, |b, j, work| {
            let (top, bottom) = (
                at(work, [x(i), x(j)]).build(b),
                at(work, [x(next), x(j)]).build(b),
            );
            let value = x(alpha).conj() * top + x(beta).conj() * bottom;
            let work = set(b, work, [x(i), x(j)], value);
            set(b, work, [x(next), x(j)], x(alpha) * bottom - x(beta) * top)
        });
        let until = (x(i) + 2).min(end) + 1;
        let work = update(b, 0, until, work, |b, j, work| {
            let (left, right) = (
                at(work, [x(j), x(i)]).build(b),
                at(work, [x(j), x(next)]).build(b),
            );
            let work = set(b, work, [x(j), x(i)], x(alpha) * left + x(beta) * right);
            let value = x(alpha).conj() * right - x(beta).conj() * left;
            set(b, work, [x(j), x(next)], value)
        });
        let basis = update(b, 0, n, basis, |b, j, basis| {
            let (left, right) = (
                at(basis, [x(i), x(j)]).build(b),
                at(basis, [x(next), x(j)]).build(b),
            );
            let basis = set(b, basis, [x(i), x(j)], x(alpha) * left + x(beta) * right);
            let value = x(alpha).conj() * right - x(beta).conj() * left;
            set(b, basis, [x(next), x(j)], value)
        });
        vec![work, basis]
    })
}

/// The largest element of a vector that is solved for: products of it with elements of a matrix, and their squares, are in
/// the range of `f32` ([`scale_of`]).
const MAX_GROWTH: f64 = 1e9;

/// Eigenvectors as columns, of length 1 times a factor, with a real number in the place of the greatest element.
fn vectors(
    b: &mut Builder<'_>,
    triangle: Value,
    basis: Value,
    n: MixedIndex,
    (is_left, factor): (bool, Value),
) -> Value {
    let ty = element(b.ir, triangle);
    let real = part(&b.context(), ty);
    let zero = number_of(b, ty, 0.0);
    let real_zero = number_of(b, real, 0.0);
    let one = number_of(b, ty, 1.0);
    let greatest = greatest(b, triangle, n);
    let smallest = number_of(b, real, smallest_normal(b, real));
    let least = (x(greatest) * epsilon(b, real)).max(smallest).build(b);
    let out = new(b, &[n, n], ty);
    let (solution, column) = (new(b, &[n], ty), new(b, &[n], ty));
    repeat(b, 0, n, &[out, solution, column], |b, k, carried| {
        let (out, solution, column) = (carried[0], carried[1], carried[2]);
        let value = at(triangle, [x(k), x(k)]).build(b);
        let solution = set(b, solution, [x(k)], one);
        let (n_steps, from, to) = match is_left {
            true => ((F::from(n) - 1 - k).build(b), k, F::from(n).build(b)),
            false => (k, index(b, 0), (x(k) + 1).build(b)),
        };
        let solution = update(b, 0, n_steps, solution, |b, step, solution| {
            let i = match is_left {
                true => (x(k) + 1 + step).build(b),
                false => (x(k) - 1 - step).build(b),
            };
            let (first, last) = match is_left {
                true => (k, i),
                false => ((x(i) + 1).build(b), (x(k) + 1).build(b)),
            };
            let sum = repeat(b, first, last, &[zero], |b, j, sum| {
                let factor = match is_left {
                    true => at(triangle, [x(j), x(i)]).conj(),
                    false => at(triangle, [x(i), x(j)]),
                };
                vec![(x(sum[0]) + factor * at(solution, [x(j)])).build(b)]
            })[0];
            let difference = at(triangle, [x(i), x(i)]) - value;
            let difference = if is_left {
                difference.conj()
            } else {
                difference
            }
            .build(b);
            let is_tiny = magnitude(difference).less(least).build(b);
            let difference = x(is_tiny).select(x(least).real_as(ty), difference).build(b);
            let value = (-x(sum)).build(b);
            let quotient = (x(value) / difference).build(b);
            let solution = set(b, solution, [x(i)], quotient);
            // Vectors of matrices that are nearly defective grow by the inverse of rounding with each element.
            let growth = magnitude(quotient).build(b);
            let is_large = x(growth).is(CmpIPredicate::Sgt, MAX_GROWTH).build(b);
            let (low, high) = match is_left {
                true => (k, (x(i) + 1).build(b)),
                false => (i, (x(k) + 1).build(b)),
            };
            let end = x(is_large).select(high, low).build(b);
            update(b, low, end, solution, |b, j, solution| {
                let number = at(solution, [x(j)]).build(b);
                let (re, im) = (x(number).re() / growth, x(number).im() / growth);
                set(b, solution, [x(j)], F::Complex(re.into(), im.into()))
            })
        });
        let column = update(b, 0, n, column, |b, r, column| set(b, column, [x(r)], zero));
        let column = update(b, from, to, column, |b, i, column| {
            let factor = at(solution, [x(i)]).build(b);
            update(b, 0, n, column, |b, r, column| {
                set(
                    b,
                    column,
                    [x(r)],
                    at(column, [x(r)]) + x(factor) * at(basis, [x(i), x(r)]),
                )
            })
        });
        let found = repeat(b, 0, n, &[real_zero, real_zero, one], |b, r, found| {
            let number = at(column, [x(r)]).build(b);
            let square = x(number).norm().build(b);
            let is_greater = x(square).is(CmpIPredicate::Sgt, found[1]).build(b);
            vec![
                (x(found[0]) + square).build(b),
                x(is_greater).select(square, found[1]).build(b),
                x(is_greater).select(number, found[2]).build(b),
            ]
        });
        let scale =
            (x(found[2]).conj() / (x(found[0]).sqrt() * x(found[1]).sqrt()).real_as(ty)).build(b);
        let scale = (x(scale) * factor).build(b);
        let out = update(b, 0, n, out, |b, r, out| {
            set(b, out, [x(r), x(k)], at(column, [x(r)]) * scale)
        });
        vec![out, solution, column]
    })[0]
}
