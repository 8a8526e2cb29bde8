//! `Qr` and `ProductOfElementaryHouseholderReflectors`: products of reflectors `1 - tau * v * v^H`, as LAPACK has them.
//!
//! A block of reflectors is `1 - V * T * V^H`, which contractions apply. Reflectors are kept as rows, so that loops go
//! along memory.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};

use super::super::build::{element, shape};
use super::super::formula::{
    Binary, F, as_size, at, mapped, number_of, part, put, repeat, repeat_by, set, size, take,
    update, x,
};
use super::super::stablehlo_legalize_to_linalg::Unsupported;
use super::{
    BLOCK, block_size, expect_counts, for_each_matrix, identity, plus_product,
    plus_product_transposed, plus_transposed_product, transposed, unit_matrix, with_indices, zeros,
};

pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 1, &[2])?;
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores = |b: &mut Builder<'_>| {
        let (rows, columns) = (size(b, operand, last), size(b, operand, last + 1));
        vec![
            vec![rows, columns],
            vec![as_size(b, F::from(rows).min(columns))],
        ]
    };
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        let (rows, columns) = (size(b, matrices[0], 0), size(b, matrices[0], 1));
        let work = mapped(b, matrices[0], identity(), &[rows, columns], |e| e);
        factorize(b, work)
    }))
}

pub(super) fn lower_product(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_counts(b.ir, op, 2, &[1])?;
    let operand = b.ir.operand(op, 0);
    let last = shape(b.ir, operand).len() - 2;
    let cores =
        |b: &mut Builder<'_>| vec![vec![size(b, operand, last), size(b, operand, last + 1)]];
    Ok(for_each_matrix(b, op, &cores, &mut |b, matrices| {
        let (a, taus) = (matrices[0], matrices[1]);
        let (rows, columns) = (size(b, a, 0), size(b, a, 1));
        let ty = element(b.ir, a);
        let unit = unit_matrix(b, rows, columns, ty);
        let reflectors = Reflectors {
            vectors: a,
            are_columns: true,
            taus,
            shift: 0,
        };
        vec![reflectors.apply(b, unit, true)]
    }))
}

/// The factors of the matrix: `R` above, reflectors below the diagonal, and their scalars.
fn factorize(b: &mut Builder<'_>, work: Value) -> Vec<Value> {
    let (rows, columns) = (size(b, work, 0), size(b, work, 1));
    let n = as_size(b, F::from(rows).min(columns));
    let ty = element(b.ir, work);
    let taus = super::new(b, &[n], ty);
    repeat_by(b, 0, n, BLOCK, &[work, taus], |b, k, carried| {
        let (work, taus) = (carried[0], carried[1]);
        let width = block_size(b, n, k);
        let below = as_size(b, F::from(rows) - k);
        let k_index: MixedIndex = k.into();
        let panel = take(b, work, &[k_index, k_index], &[below, width], 0);
        let panel = mapped(b, panel, transposed(), &[width, below], |e| e);
        let done = repeat(b, 0, width, &[panel, taus], |b, c, carried| {
            let made = reflect(b, carried[0], (c, c), below);
            let taus = set(b, carried[1], [x(k) + c], made.tau);
            let panel = update(b, x(c) + 1, width, made.rows, |b, j, panel| {
                // The first element of the reflector is 1, and not written down.
                let first = at(panel, [x(j), x(c)]).build(b);
                let sum = repeat(b, x(c) + 1, below, &[first], |b, r, sum| {
                    vec![
                        (x(sum[0]) + at(panel, [x(c), x(r)]).conj() * at(panel, [x(j), x(r)]))
                            .build(b),
                    ]
                })[0];
                let factor = (x(made.tau).conj() * sum).build(b);
                let panel = set(b, panel, [x(j), x(c)], x(first) - factor);
                update(b, x(c) + 1, below, panel, |b, r, panel| {
                    let value = at(panel, [x(j), x(r)]) - x(factor) * at(panel, [x(c), x(r)]);
                    set(b, panel, [x(j), x(r)], value)
                })
            });
            vec![panel, taus]
        });
        let (panel, taus) = (done[0], done[1]);
        let columns_of_panel = mapped(b, panel, transposed(), &[below, width], |e| e);
        let work = put(
            b,
            columns_of_panel,
            work,
            &[k_index, k_index],
            &[below, width],
        );
        let next = as_size(b, x(k) + F::from(width));
        let rest = as_size(b, F::from(columns) - F::from(next));
        let block_taus = take(b, taus, &[k_index], &[width], 0);
        let right = take(b, work, &[k_index, next], &[below, rest], 0);
        let right = apply_block(b, panel, block_taus, 0, right, false);
        let work = put(b, right, work, &[k_index, next], &[below, rest]);
        vec![work, taus]
    })
}

/// What [`reflect`] made.
pub(super) struct Reflected {
    pub(super) rows: Value,
    pub(super) tau: Value,
    /// The real number that is left of the vector.
    pub(super) beta: Value,
}

/// Makes a reflector of the elements of a row of `rows` from `start` up to `end`: with the result, `1 - conj(tau) * v *
/// v^H` makes a multiple of the first unit vector of it. `v` stands in the row, with the multiple in the place of its
/// first element, which is 1.
pub(super) fn reflect(
    b: &mut Builder<'_>,
    rows: Value,
    (row, start): (Value, Value),
    end: MixedIndex,
) -> Reflected {
    let ty = element(b.ir, rows);
    let real = part(&b.context(), ty);
    let alpha = at(rows, [x(row), x(start)]).build(b);
    let (alpha_re, alpha_im) = (x(alpha).re().build(b), x(alpha).im().build(b));
    // Numbers are scaled before they are squared, so that no square is out of range.
    let zero = number_of(b, real, 0.0);
    let greatest = repeat(b, x(start) + 1, end, &[zero], |b, r, greatest| {
        let number = at(rows, [x(row), x(r)]).build(b);
        let greatest = x(greatest[0]).max(x(number).re().abs());
        vec![match part(&b.context(), ty) == ty {
            true => greatest.build(b),
            false => greatest.max(x(number).im().abs()).build(b),
        }]
    })[0];
    let is_zero = x(greatest)
        .equal(0.0)
        .with(Binary::And, x(alpha_im).equal(0.0))
        .build(b);
    let greatest = x(greatest)
        .max(x(alpha_re).abs())
        .max(x(alpha_im).abs())
        .build(b);
    let smallest = number_of(b, real, smallest_normal(b, real));
    let scale = x(greatest).max(smallest).build(b);
    let inverse = (F::from(1.0) / scale).build(b);
    let alpha_re_scaled = (x(alpha_re) * inverse).build(b);
    let alpha_im_scaled = (x(alpha_im) * inverse).build(b);
    let first =
        (x(alpha_re_scaled) * alpha_re_scaled + x(alpha_im_scaled) * alpha_im_scaled).build(b);
    let squares = repeat(b, x(start) + 1, end, &[first], |b, r, sum| {
        let number = at(rows, [x(row), x(r)]).build(b);
        let re = (x(number).re() * inverse).build(b);
        let sum = x(sum[0]) + x(re) * re;
        vec![match part(&b.context(), ty) == ty {
            true => sum.build(b),
            false => {
                let im = (x(number).im() * inverse).build(b);
                (sum + x(im) * im).build(b)
            }
        }]
    })[0];
    // All that is divided by is scaled, too: inverses of small numbers are out of range.
    let norm = x(squares).sqrt().build(b);
    let beta_scaled = x(alpha_re)
        .is(CmpIPredicate::Sge, 0.0)
        .select(-x(norm), norm)
        .build(b);
    // Without a reflection beta is alpha.
    let beta = x(is_zero).select(alpha_re, x(beta_scaled) * scale).build(b);
    let beta_scaled = x(is_zero).select(alpha_re_scaled, beta_scaled).build(b);
    let divisor = x(beta_scaled)
        .equal(0.0)
        .select(F::from(1.0).real_as(real), beta_scaled)
        .build(b);
    let difference = (x(alpha_re_scaled) - beta_scaled).build(b);
    let tau_re = (-x(difference) / divisor).build(b);
    let (tau, difference) = match real == ty {
        true => (tau_re, difference),
        false => (
            F::Complex(x(tau_re).into(), (-x(alpha_im_scaled) / divisor).into()).build(b),
            F::Complex(x(difference).into(), x(alpha_im_scaled).into()).build(b),
        ),
    };
    let one = number_of(b, ty, 1.0);
    let difference = x(is_zero).select(one, difference).build(b);
    let factor = (x(one) / difference).build(b);
    let inverse = x(inverse).real_as(ty).build(b);
    let rows = update(b, x(start) + 1, end, rows, |b, r, rows| {
        let value = at(rows, [x(row), x(r)]) * inverse * factor;
        set(b, rows, [x(row), x(r)], value)
    });
    let rows = set(b, rows, [x(row), x(start)], x(beta).real_as(ty));
    Reflected { rows, tau, beta }
}

/// The smallest normal number, whose inverse is finite.
pub(super) fn smallest_normal(b: &Builder<'_>, real: super::Type) -> f64 {
    match b.ir.context().float_kind(real).map(|kind| kind.width()) {
        Some(64) => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    }
}

/// Applies the block of reflectors in the rows of `panel` to the columns of `right`: the adjoint `1 - V * T^H * V^H`, or
/// the block itself. The reflector of row `i` has its 1 at `i + shift`, and zeros in front of it, which are not read.
fn apply_block(
    b: &mut Builder<'_>,
    panel: Value,
    taus: Value,
    shift: i64,
    right: Value,
    is_block_itself: bool,
) -> Value {
    let (width, length) = (size(b, panel, 0), size(b, panel, 1));
    let columns = size(b, right, 1);
    let ty = element(b.ir, panel);
    let v = mapped(b, panel, identity(), &[width, length], |e| e);
    let v = with_indices(b, v, |b, i, r, value| {
        let (one, zero) = (number_of(b, ty, 1.0), number_of(b, ty, 0.0));
        let first = i + shift;
        let beside = r.clone().equal(first.clone()).select(one, zero);
        r.greater(first).select(value, beside)
    });
    let conjugated = mapped(b, v, identity(), &[width, length], F::conj);
    // T is upper triangular. Its column i is tau_i times 1 at i, and -T * (products of v_i and those before) above.
    let none = zeros(b, &[width, width], ty);
    let products = plus_product_transposed(b, none, conjugated, v);
    let t = zeros(b, &[width, width], ty);
    let t = update(b, 0, width, t, |b, i, t| {
        let tau = at(taus, [x(i)]).build(b);
        let t = set(b, t, [x(i), x(i)], tau);
        update(b, 0, i, t, |b, j, t| {
            let zero = number_of(b, ty, 0.0);
            let sum = repeat(b, j, i, &[zero], |b, k, sum| {
                vec![(x(sum[0]) + at(t, [x(j), x(k)]) * at(products, [x(k), x(i)])).build(b)]
            })[0];
            set(b, t, [x(j), x(i)], -(x(tau) * sum))
        })
    });
    let t = match is_block_itself {
        true => mapped(b, t, identity(), &[width, width], |e| -e),
        false => mapped(b, t, transposed(), &[width, width], |e| -e.conj()),
    };
    let none = zeros(b, &[width, columns], ty);
    let y = plus_product(b, none, conjugated, right);
    let none = zeros(b, &[width, columns], ty);
    let z = plus_product(b, none, t, y);
    plus_transposed_product(b, right, v, z)
}

/// Reflectors that were made of a matrix: reflector `i` is column or row `i` of `vectors` from `i + shift` on, where a 1
/// stands in the place of what the matrix has there.
#[derive(Clone, Copy)]
pub(super) struct Reflectors {
    pub(super) vectors: Value,
    pub(super) are_columns: bool,
    pub(super) taus: Value,
    pub(super) shift: i64,
}

impl Reflectors {
    /// The product of all of them times `right`. Where `right` is known to be the unit matrix in the first rows and
    /// columns that a block does not concern, these are left out.
    pub(super) fn apply(self, b: &mut Builder<'_>, right: Value, is_unit: bool) -> Value {
        let (rows, columns) = (size(b, right, 0), size(b, right, 1));
        let n = size(b, self.taus, 0);
        repeat_by(b, 0, n, BLOCK, &[right], |b, step, carried| {
            // The last block first; the one that is not whole is the last.
            let n_blocks = ((F::from(n) + (BLOCK - 1)) / BLOCK).build(b);
            let k = ((x(n_blocks) - 1) * BLOCK - step).build(b);
            let width = block_size(b, n, k);
            let k_index: MixedIndex = k.into();
            let below = as_size(b, F::from(rows) - k);
            let panel = match self.are_columns {
                true => {
                    let panel = take(b, self.vectors, &[k_index, k_index], &[below, width], 0);
                    mapped(b, panel, transposed(), &[width, below], |e| e)
                }
                false => take(b, self.vectors, &[k_index, k_index], &[width, below], 0),
            };
            let taus = take(b, self.taus, &[k_index], &[width], 0);
            let (first, n_columns) = match is_unit {
                true => (k_index, as_size(b, F::from(columns) - k)),
                false => (MixedIndex::Constant(0), columns),
            };
            let part = take(b, carried[0], &[k_index, first], &[below, n_columns], 0);
            let part = apply_block(b, panel, taus, self.shift, part, true);
            vec![put(
                b,
                part,
                carried[0],
                &[k_index, first],
                &[below, n_columns],
            )]
        })[0]
    }
}
