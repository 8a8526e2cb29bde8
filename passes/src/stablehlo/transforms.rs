//! `stablehlo.fft`: Fourier transforms of the last dimensions, of any length, in `n log n`.
//!
//! Lengths whose prime factors are small take one step per factor (Stockham's form, which leaves results in order). All
//! steps work on several columns at once, real and imaginary parts apart, so that inner loops are vectors without
//! shuffles. What has no columns, a long row, is a matrix with its rows below each other: its columns are transformed,
//! multiplied with roots of unity, and then its rows. A length with a large prime factor is a convolution, which two
//! transforms of a power of two compute (Bluestein). An inverse transform is a forward one with both parts exchanged.

use std::f64::consts::PI;

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::stablehlo::attributes::FftType;
use freehold_frontend::dialects::stablehlo::products as rows;
use freehold_frontend::dialects::tensor::reshapes::{collapse_shape, expand_shape};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::build::{element, reshape, shape, tensor_type};
use super::formula::{
    Binary, F, at, float_bits, nest, new, number_of, part, repeat, repeat_by, set, size, x,
};
use super::requirements;
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};

pub(super) const ROWS: &[Row] = &[(&rows::FFT, lower)];

/// Columns that are transformed together, in bytes of one part: a cache line.
const LINE_BYTES: i64 = 64;

/// Prime factors that take a step of their own.
const PRIMES: [i64; 6] = [2, 3, 5, 7, 11, 13];

/// What has more elements computes its roots of unity as products of two, which are in tables.
const MAX_TABLE: i64 = 4096;

fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let operand = b.ir.operand(op, 0);
    let result = b.ir.value_type(b.ir.result(op, 0));
    let kind =
        b.ir.attr(op, Name::FFT_TYPE)
            .and_then(|attr| FftType::from_attr(&context, attr));
    let kind = kind.ok_or("its type is unknown")?;
    let real = part(&context, element(b.ir, operand));
    let lengths = b.ir.attr(op, Name::FFT_LENGTH);
    let lengths = lengths.and_then(|attr| context.attr_i64_array(attr));
    let lengths = lengths.ok_or("it has no lengths")?;
    let mut operand = operand;
    let mut to = context.shape(result).unwrap_or_default().to_vec();
    let first = to.len().saturating_sub(lengths.len());
    // Lengths are known where sizes are not. Of real numbers, half of the transform is kept.
    for (dim, &length) in (first..).zip(&lengths) {
        let is_last = dim + 1 == to.len();
        let kept = |of| {
            if is_last && kind == of {
                length / 2 + 1
            } else {
                length
            }
        };
        to[dim] = kept(FftType::Real);
        operand = requirements::with_size(b, operand, dim, kept(FftType::InverseReal));
    }
    let from = shape(b.ir, operand);
    let mut value = operand;
    // What is real is the first or the last, and the last dimension.
    let dims: Vec<usize> = match kind {
        FftType::InverseReal => (first..from.len()).collect(),
        _ => (first..from.len()).rev().collect(),
    };
    for dim in dims {
        let is_last = dim + 1 == from.len();
        let (length, part) = match kind {
            FftType::Forward => (from[dim], Kind::FORWARD),
            FftType::Inverse => (from[dim], Kind::INVERSE),
            FftType::Real if is_last => (from[dim], Kind::REAL),
            FftType::Real => (from[dim], Kind::FORWARD),
            FftType::InverseReal if is_last => (to[dim], Kind::INVERSE_REAL),
            FftType::InverseReal => (from[dim], Kind::INVERSE),
        };
        value = transform(b, value, dim, length, part, real);
    }
    Ok(vec![super::formula::cast_shape(b, value, result)])
}

/// The kind of transform.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    is_inverse: bool,
    from_real: bool,
    to_real: bool,
}

impl Kind {
    const FORWARD: Self = Self {
        is_inverse: false,
        from_real: false,
        to_real: false,
    };
    const INVERSE: Self = Self {
        is_inverse: true,
        ..Self::FORWARD
    };
    const REAL: Self = Self {
        from_real: true,
        ..Self::FORWARD
    };
    const INVERSE_REAL: Self = Self {
        to_real: true,
        ..Self::INVERSE
    };
}

/// A complex number in two parts.
type Parts = (F, F);

fn times(left: Parts, right: Parts) -> Parts {
    let ((a, c), (d, e)) = (left, right);
    (a.clone() * d.clone() - c.clone() * e.clone(), a * e + c * d)
}

fn built(b: &mut Builder<'_>, number: Parts) -> (Value, Value) {
    (number.0.build(b), number.1.build(b))
}

fn both((re, im): (Value, Value)) -> Parts {
    (x(re), x(im))
}

/// Transforms a dimension, all others one by one.
fn transform(
    b: &mut Builder<'_>,
    source: Value,
    dim: usize,
    length: i64,
    kind: Kind,
    real: Type,
) -> Value {
    let context = b.context();
    let from = shape(b.ir, source);
    let inner: i64 = from[dim + 1..].iter().product();
    // All dimensions behind become one.
    let mut groups: Vec<Vec<i64>> = (0..=dim as i64).map(|dim| vec![dim]).collect();
    groups.push((dim as i64 + 1..from.len() as i64).collect());
    let is_split = dim + 2 < from.len();
    let source = match is_split {
        true => {
            let ty = tensor_type(
                &context,
                &[&from[..=dim], &[inner]].concat(),
                element(b.ir, source),
            );
            collapse_shape(b, source, &groups, ty)
        }
        false => source,
    };
    let n_out = if kind.from_real && length > 0 {
        length / 2 + 1
    } else {
        length
    };
    let outer: Vec<MixedIndex> = (0..dim).map(|dim| size(b, source, dim)).collect();
    let mut sizes = outer.clone();
    sizes.push(n_out.into());
    if dim + 1 < from.len() {
        sizes.push(inner.into());
    }
    let result_element = match kind.to_real {
        true => real,
        false => context.intern_type(TypeKind::Complex(real)),
    };
    let out = new(b, &sizes, result_element);
    let access = Access {
        source,
        has_inner: dim + 1 < from.len(),
        length,
        kind,
        real,
    };
    let out = match length {
        0 => out,
        _ => access.run(b, &outer, inner, n_out, out),
    };
    match is_split {
        true => {
            let known: Vec<i64> = outer.iter().map(|size| size.static_value()).collect();
            let mut to = known;
            to.push(n_out);
            to.extend(&from[dim + 1..]);
            let ty = tensor_type(&context, &to, result_element);
            let inner_sizes = from[dim + 1..]
                .iter()
                .map(|&size| MixedIndex::Constant(size));
            let all: Vec<MixedIndex> = outer
                .iter()
                .copied()
                .chain([n_out.into()])
                .chain(inner_sizes)
                .collect();
            expand_shape(b, out, &groups, &all, ty)
        }
        false => out,
    }
}

/// How elements are read and written.
#[derive(Clone, Copy)]
struct Access {
    source: Value,
    has_inner: bool,
    length: i64,
    kind: Kind,
    real: Type,
}

impl Access {
    fn place(self, outer: &[Value], row: F, lane: F) -> Vec<F> {
        let mut place: Vec<F> = outer.iter().map(|&index| x(index)).collect();
        place.push(row);
        if self.has_inner {
            place.push(lane);
        }
        place
    }

    /// The number to be transformed as a forward transform.
    fn load(self, b: &mut Builder<'_>, outer: &[Value], row: F, lane: F) -> Parts {
        let n = self.length;
        let number = match self.kind.to_real {
            // The other half are the conjugates.
            true => {
                let row = row.build(b);
                let is_there = x(row).less(n / 2 + 1);
                let there = is_there.clone().select(row, F::from(n) - row);
                let number = F::Element(self.source, self.place(outer, there, lane)).build(b);
                let im = is_there.select(x(number).im(), -x(number).im());
                (x(number).re(), im)
            }
            false => {
                let number = F::Element(self.source, self.place(outer, row, lane)).build(b);
                match self.kind.from_real {
                    true => (x(number), x(number_of(b, self.real, 0.0))),
                    false => (x(number).re(), x(number).im()),
                }
            }
        };
        let (re, im) = built(b, number);
        match self.kind.is_inverse {
            true => (x(im), x(re)),
            false => (x(re), x(im)),
        }
    }

    /// `out` with a number that was transformed.
    fn store(
        self,
        b: &mut Builder<'_>,
        out: Value,
        outer: &[Value],
        row: F,
        lane: F,
        number: Parts,
    ) -> Value {
        let (mut re, mut im) = match self.kind.is_inverse {
            true => (number.1, number.0),
            false => number,
        };
        if self.kind.is_inverse {
            let scale = number_of(b, self.real, 1.0 / self.length as f64);
            (re, im) = (re * scale, im * scale);
        }
        let value = match self.kind.to_real {
            true => re,
            false => F::Complex(re.into(), im.into()),
        };
        let ty = element(b.ir, out);
        let mut operands = vec![value.build_as(b, ty), out];
        for index in self.place(outer, row, lane) {
            operands.push(index.build(b));
        }
        let ty = b.ir.value_type(out);
        b.value(&freehold_frontend::dialects::tensor::INSERT, &operands, ty)
    }

    fn run(
        self,
        b: &mut Builder<'_>,
        outer: &[MixedIndex],
        inner: i64,
        n_out: i64,
        out: Value,
    ) -> Value {
        let lanes = lanes(b, self.real);
        let n = self.length;
        if inner > 1 && factors(n).is_some() {
            let steps = Steps::new(b, n, self.real);
            let width = lanes.min(inner);
            return nest(b, outer, &[out], &mut |b, outer, carried| {
                repeat_by(b, 0, inner, width, carried, |b, first, carried| {
                    // Of the last ones some may be computed again.
                    let first = x(first).min(inner - width).build(b);
                    steps.columns(
                        b,
                        width,
                        &mut |b, row, lane| self.load(b, outer, x(row), x(first) + lane),
                        carried,
                        &mut Rows {
                            n: n_out,
                            width: &|_, _| width.into(),
                            prepare: &mut |_, _| Vec::new(),
                            store: &mut |b, carried, row, _, lane, number| {
                                vec![self.store(
                                    b,
                                    carried[0],
                                    outer,
                                    x(row),
                                    x(first) + lane,
                                    number,
                                )]
                            },
                        },
                    )
                })
            })[0];
        }
        // A batch of short rows is a matrix with short columns, if it is read that way.
        if inner == 1
            && !self.has_inner
            && n <= SHORT
            && factors(n).is_some()
            && let Some((&MixedIndex::Constant(batch), rest)) = outer.split_last()
            && batch > 1
        {
            let steps = Steps::new(b, n, self.real);
            let width = lanes.min(batch);
            return nest(b, rest, &[out], &mut |b, outer, carried| {
                repeat_by(b, 0, batch, width, carried, |b, first, carried| {
                    let first = x(first).min(batch - width).build(b);
                    let place = |b: &mut Builder<'_>, lane: Value| {
                        let last = (x(first) + lane).build(b);
                        [outer, &[last]].concat()
                    };
                    steps.columns(
                        b,
                        width,
                        &mut |b, row, lane| {
                            let outer = place(b, lane);
                            self.load(b, &outer, x(row), 0.into())
                        },
                        carried,
                        &mut Rows {
                            n: n_out,
                            width: &|_, _| width.into(),
                            prepare: &mut |_, _| Vec::new(),
                            store: &mut |b, carried, row, _, lane, number| {
                                let outer = place(b, lane);
                                vec![self.store(b, carried[0], &outer, x(row), 0.into(), number)]
                            },
                        },
                    )
                })
            })[0];
        }
        let plan = Line::new(b, n, self.real);
        let all = [outer, &[inner.into()]].concat();
        nest(b, &all, &[out], &mut |b, indices, carried| {
            let (lane, outer) = indices
                .split_last()
                .expect("the inner dimension is one of them");
            plan.run(
                b,
                &mut |b, row| self.load(b, outer, row, x(*lane)),
                n_out,
                carried,
                &mut |b, carried, row, number| {
                    vec![self.store(b, carried[0], outer, row, x(*lane), number)]
                },
            )
        })[0]
    }
}

/// The longest rows of a batch that are transformed side by side.
const SHORT: i64 = 64;

/// How many columns fill a cache line.
fn lanes(b: &Builder<'_>, real: Type) -> i64 {
    let width =
        b.ir.context()
            .float_kind(real)
            .map_or(32, |kind| kind.width());
    LINE_BYTES * 8 / i64::from(width)
}

/// The factors that take a step each, if all prime factors are small: 8 and 4 rather than 2.
fn factors(mut n: i64) -> Option<Vec<i64>> {
    let mut factors = Vec::new();
    let mut twos = 0;
    for prime in PRIMES {
        while n > 1 && n % prime == 0 {
            n /= prime;
            match prime {
                2 => twos += 1,
                _ => factors.push(prime),
            }
        }
    }
    while twos > 0 {
        let step = match twos {
            1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        factors.push(1 << step);
        twos -= step;
    }
    (n == 1).then_some(factors)
}

/// A constant tensor of the real, and one of the imaginary parts of numbers on the unit circle, given by their angle in
/// turns, clockwise.
fn roots(
    b: &mut Builder<'_>,
    real: Type,
    sizes: &[i64],
    turns: impl Fn(i64) -> f64,
) -> (Value, Value) {
    let angle = |i| -2.0 * PI * turns(i);
    let n: i64 = sizes.iter().product();
    let re: Vec<f64> = (0..n).map(|i| angle(i).cos()).collect();
    let im: Vec<f64> = (0..n).map(|i| angle(i).sin()).collect();
    (constant(b, real, sizes, &re), constant(b, real, sizes, &im))
}

fn constant(b: &mut Builder<'_>, real: Type, sizes: &[i64], numbers: &[f64]) -> Value {
    let context = b.context();
    let kind = context.float_kind(real).expect("transforms are of floats");
    let width = kind.width() as usize / 8;
    let mut bytes = Vec::with_capacity(numbers.len() * width);
    for &number in numbers {
        bytes.extend(&float_bits(kind, number).to_le_bytes()[..width]);
    }
    let elements = DenseElements {
        ty: tensor_type(&context, sizes, real),
        splat: false,
        bytes: bytes.into(),
    };
    arith::constant_attr(b, context.intern_attr(AttrKind::DenseElements(elements)))
}

/// The steps of transforms of a length with small factors.
struct Steps {
    n: i64,
    factors: Vec<i64>,
    /// The `n`-th roots of unity.
    roots: (Value, Value),
    real: Type,
}

/// Stores an element of a result.
type StoreElement<'a> =
    dyn FnMut(&mut Builder<'_>, &[Value], Value, &[Value], Value, Parts) -> Vec<Value> + 'a;

/// Where the results of several columns go: row by row, of each row the first `width`.
struct Rows<'a> {
    n: i64,
    width: &'a dyn Fn(&mut Builder<'_>, Value) -> F,
    /// What all elements of a row have in common.
    prepare: &'a mut dyn FnMut(&mut Builder<'_>, Value) -> Vec<Value>,
    /// Gets what is carried along, the row, what it has in common, the column and a number.
    store: &'a mut StoreElement<'a>,
}

impl Steps {
    fn new(b: &mut Builder<'_>, n: i64, real: Type) -> Self {
        let factors = factors(n).expect("all factors are small");
        let roots = roots(b, real, &[n], |i| i as f64 / n as f64);
        Self {
            n,
            factors,
            roots,
            real,
        }
    }

    /// Transforms `lanes` columns.
    fn columns(
        &self,
        b: &mut Builder<'_>,
        lanes: i64,
        load: &mut dyn FnMut(&mut Builder<'_>, Value, Value) -> Parts,
        carried: &[Value],
        rows: &mut Rows<'_>,
    ) -> Vec<Value> {
        let sizes = [self.n.into(), lanes.into()];
        let planes = [new(b, &sizes, self.real), new(b, &sizes, self.real)];
        let mut planes = repeat(b, 0, self.n, &planes, |b, row, planes| {
            repeat(b, 0, lanes, planes, |b, lane, planes| {
                let (re, im) = load(b, row, lane);
                let place = [x(row), x(lane)];
                vec![
                    set(b, planes[0], place.clone(), re),
                    set(b, planes[1], place, im),
                ]
            })
        });
        let (mut length, mut stride) = (self.n, lanes);
        for &factor in &self.factors {
            planes = self.step(b, &planes, (length, stride), factor);
            (length, stride) = (length / factor, stride * factor);
        }
        let all = [self.n, lanes];
        let (re, im) = (reshape(b, planes[0], &all), reshape(b, planes[1], &all));
        repeat(b, 0, rows.n, carried, |b, row, carried| {
            let common = (rows.prepare)(b, row);
            let width = (rows.width)(b, row);
            repeat(b, 0, width, carried, |b, lane, carried| {
                let place = [x(row), x(lane)];
                let number = (at(re, place.clone()), at(im, place));
                (rows.store)(b, carried, row, &common, lane, number)
            })
        })
    }

    /// One step: transforms of length `factor`, each result multiplied with a root of unity. What is left to do are
    /// `factor` times as many transforms of a length divided by it.
    fn step(
        &self,
        b: &mut Builder<'_>,
        planes: &[Value],
        (length, stride): (i64, i64),
        factor: i64,
    ) -> Vec<Value> {
        let rest = length / factor;
        let (re, im) = (
            reshape(b, planes[0], &[factor, rest, stride]),
            reshape(b, planes[1], &[factor, rest, stride]),
        );
        let sizes = [rest.into(), factor.into(), stride.into()];
        let results = [new(b, &sizes, self.real), new(b, &sizes, self.real)];
        repeat(b, 0, rest, &results, |b, p, results| {
            let roots: Vec<Option<(Value, Value)>> = (0..factor)
                .map(|q| {
                    (q > 0 && rest > 1).then(|| {
                        let at_root = (x(p) * (q * (self.n / length))).build(b);
                        let (re, im) = (
                            at(self.roots.0, [x(at_root)]),
                            at(self.roots.1, [x(at_root)]),
                        );
                        built(b, (re, im))
                    })
                })
                .collect();
            repeat(b, 0, stride, results, |b, t, results| {
                let numbers: Vec<(Value, Value)> = (0..factor)
                    .map(|j| {
                        let place = [F::from(j), x(p), x(t)];
                        built(b, (at(re, place.clone()), at(im, place)))
                    })
                    .collect();
                let numbers = short(b, &numbers);
                let (mut to_re, mut to_im) = (results[0], results[1]);
                for (q, (number, root)) in numbers.into_iter().zip(&roots).enumerate() {
                    let number = match root {
                        Some(root) => times(both(number), both(*root)),
                        None => both(number),
                    };
                    let place = [x(p), F::from(q as i64), x(t)];
                    to_re = set(b, to_re, place.clone(), number.0);
                    to_im = set(b, to_im, place, number.1);
                }
                vec![to_re, to_im]
            })
        })
    }
}

/// A transform of a few numbers.
fn short(b: &mut Builder<'_>, numbers: &[(Value, Value)]) -> Vec<(Value, Value)> {
    let n = numbers.len();
    if n == 1 {
        return numbers.to_vec();
    }
    if n.is_multiple_of(2) {
        let of = |b: &mut Builder<'_>, first: usize| {
            let half: Vec<(Value, Value)> =
                numbers.iter().copied().skip(first).step_by(2).collect();
            short(b, &half)
        };
        let (even, odd) = (of(b, 0), of(b, 1));
        let (mut sums, mut differences) = (Vec::new(), Vec::new());
        for (k, (even, odd)) in even.into_iter().zip(odd).enumerate() {
            let (re, im) = both(odd);
            // The root of an eighth of a turn has equal parts.
            let eighth = || F::from(std::f64::consts::FRAC_1_SQRT_2);
            let turned = match (8 * k).checked_div(n) {
                _ if k == 0 => (re, im),
                _ if 4 * k == n => (im, -re),
                _ if 8 * k == n => ((re.clone() + im.clone()) * eighth(), (im - re) * eighth()),
                _ if 8 * k == 3 * n => {
                    let (re, im) = ((im.clone() - re.clone()) * eighth(), (re + im) * eighth());
                    (re, -im)
                }
                _ => {
                    let angle = -2.0 * PI * k as f64 / n as f64;
                    times((re, im), (angle.cos().into(), angle.sin().into()))
                }
            };
            let (re, im) = built(b, turned);
            sums.push(built(b, (x(even.0) + re, x(even.1) + im)));
            differences.push(built(b, (x(even.0) - re, x(even.1) - im)));
        }
        return [sums, differences].concat();
    }
    // Numbers that are as far from both ends have roots that are conjugates.
    let pairs: Vec<_> = (1..=n / 2)
        .map(|j| {
            let (one, other) = (numbers[j], numbers[n - j]);
            let sum = built(b, (x(one.0) + other.0, x(one.1) + other.1));
            (sum, built(b, (x(one.0) - other.0, x(one.1) - other.1)))
        })
        .collect();
    let mut results = vec![numbers[0]; n];
    let first = numbers[0];
    let all = pairs
        .iter()
        .fold(both(first), |all, (sum, _)| (all.0 + sum.0, all.1 + sum.1));
    results[0] = built(b, all);
    for q in 1..=n / 2 {
        let mut even = both(first);
        let mut odd: Option<Parts> = None;
        for (j, (sum, difference)) in pairs.iter().enumerate() {
            let angle = 2.0 * PI * (((j + 1) * q) % n) as f64 / n as f64;
            let (cos, sin) = (angle.cos(), angle.sin());
            even = (even.0 + x(sum.0) * cos, even.1 + x(sum.1) * cos);
            let term = (x(difference.0) * sin, x(difference.1) * sin);
            odd = Some(match odd {
                Some(odd) => (odd.0 + term.0, odd.1 + term.1),
                None => term,
            });
        }
        let even = built(b, even);
        let odd = built(b, odd.expect("there is a pair"));
        results[q] = built(b, (x(even.0) + odd.1, x(even.1) - odd.0));
        results[n - q] = built(b, (x(even.0) - odd.1, x(even.1) + odd.0));
    }
    results
}

/// How a single row is transformed.
enum Line {
    /// As a column beside no other.
    Column(Steps),
    /// As a matrix with this number of columns.
    Matrix(Box<Matrix>),
    /// As a convolution.
    Convolution(Box<Convolution>),
}

type Load<'a> = &'a mut dyn FnMut(&mut Builder<'_>, F) -> Parts;
type Store<'a> = &'a mut dyn FnMut(&mut Builder<'_>, &[Value], F, Parts) -> Vec<Value>;

impl Line {
    fn new(b: &mut Builder<'_>, n: i64, real: Type) -> Self {
        if factors(n).is_none() {
            return Self::Convolution(Box::new(Convolution::new(b, n, real)));
        }
        let root = (n as f64).sqrt() as i64;
        let n_rows = (1..=root + 1).rev().find(|rows| n % rows == 0).unwrap_or(1);
        match n_rows == 1 || n < 16 {
            true => Self::Column(Steps::new(b, n, real)),
            false => Self::Matrix(Box::new(Matrix::new(b, n_rows, n / n_rows, real))),
        }
    }

    /// Transforms a row, and stores the first `n_out` results.
    fn run(
        &self,
        b: &mut Builder<'_>,
        load: Load<'_>,
        n_out: i64,
        carried: &[Value],
        store: Store<'_>,
    ) -> Vec<Value> {
        match self {
            Self::Column(steps) => steps.columns(
                b,
                1,
                &mut |b, row, _| load(b, x(row)),
                carried,
                &mut Rows {
                    n: n_out,
                    width: &|_, _| 1.into(),
                    prepare: &mut |_, _| Vec::new(),
                    store: &mut |b, carried, row, _, _, number| store(b, carried, x(row), number),
                },
            ),
            Self::Matrix(matrix) => matrix.run(b, load, n_out, carried, store),
            Self::Convolution(convolution) => convolution.run(b, load, n_out, carried, store),
        }
    }
}

/// A row as a matrix.
struct Matrix {
    /// Transforms columns, which have as many elements as there are rows.
    columns: Steps,
    /// Transforms rows.
    rows: Steps,
    twiddles: Twiddles,
}

/// What each element is multiplied with: the root of unity whose number is the product of row and column.
enum Twiddles {
    /// All of them.
    All((Value, Value)),
    /// The first roots, as many as there are columns, and for each row those of the first columns.
    Two {
        first: (Value, Value),
        beginning: (Value, Value),
    },
}

impl Matrix {
    fn new(b: &mut Builder<'_>, n_rows: i64, n_columns: i64, real: Type) -> Self {
        let n = n_rows * n_columns;
        let turns = move |i: i64| (i % n) as f64 / n as f64;
        let columns = Steps::new(b, n_rows, real);
        let rows = Steps::new(b, n_columns, real);
        let twiddles = match n <= MAX_TABLE {
            true => Twiddles::All(roots(b, real, &[n_rows, n_columns], |i| {
                turns((i / n_columns) * (i % n_columns))
            })),
            false => {
                let first = roots(b, real, &[n_columns], turns);
                let lanes = lanes(b, real).min(n_columns);
                let sizes = [n_rows.into(), lanes.into()];
                let tables = [new(b, &sizes, real), new(b, &sizes, real)];
                let tables = repeat(b, 0, n_rows, &tables, |b, row, tables| {
                    repeat(b, 0, lanes, tables, |b, lane, tables| {
                        let root = root(b, columns.roots, first, n_columns, x(row) * lane);
                        let place = [x(row), x(lane)];
                        let re = set(b, tables[0], place.clone(), root.0);
                        vec![re, set(b, tables[1], place, root.1)]
                    })
                });
                Twiddles::Two {
                    first,
                    beginning: (tables[0], tables[1]),
                }
            }
        };
        Self {
            columns,
            rows,
            twiddles,
        }
    }

    fn run(
        &self,
        b: &mut Builder<'_>,
        load: Load<'_>,
        n_out: i64,
        carried: &[Value],
        store: Store<'_>,
    ) -> Vec<Value> {
        let real = self.columns.real;
        let (n_rows, n_columns) = (self.columns.n, self.rows.n);
        let lanes = lanes(b, real);
        let width = lanes.min(n_columns);
        let sizes = [n_rows.into(), n_columns.into()];
        let between = [new(b, &sizes, real), new(b, &sizes, real)];
        let between = repeat_by(b, 0, n_columns, width, &between, |b, begin, between| {
            let begin = x(begin).min(n_columns - width).build(b);
            self.columns.columns(
                b,
                width,
                &mut |b, row, lane| load(b, x(row) * n_columns + (x(begin) + lane)),
                between,
                &mut Rows {
                    n: n_rows,
                    width: &|_, _| width.into(),
                    prepare: &mut |b, row| match &self.twiddles {
                        Twiddles::All(_) => Vec::new(),
                        Twiddles::Two { first, .. } => {
                            let root =
                                root(b, self.columns.roots, *first, n_columns, x(row) * begin);
                            let (re, im) = built(b, root);
                            vec![re, im]
                        }
                    },
                    store: &mut |b, between, row, common, lane, number| {
                        let twiddle = match &self.twiddles {
                            Twiddles::All((re, im)) => {
                                let place = [x(row), x(begin) + lane];
                                (at(*re, place.clone()), at(*im, place))
                            }
                            Twiddles::Two {
                                beginning: (re, im),
                                ..
                            } => {
                                let place = [x(row), x(lane)];
                                let first = built(b, (at(*re, place.clone()), at(*im, place)));
                                times(both(first), (x(common[0]), x(common[1])))
                            }
                        };
                        let (number, twiddle) = (built(b, number), built(b, twiddle));
                        let number = times(both(number), both(twiddle));
                        let place = [x(row), x(begin) + lane];
                        let re = set(b, between[0], place.clone(), number.0);
                        vec![re, set(b, between[1], place, number.1)]
                    },
                },
            )
        });
        let width = lanes.min(n_rows);
        let n_result_rows = (n_out + n_rows - 1) / n_rows;
        repeat_by(b, 0, n_rows, width, carried, |b, begin, carried| {
            let begin = x(begin).min(n_rows - width).build(b);
            self.rows.columns(
                b,
                width,
                &mut |_, row, lane| {
                    let place = [x(begin) + lane, x(row)];
                    (at(between[0], place.clone()), at(between[1], place))
                },
                carried,
                &mut Rows {
                    n: n_result_rows,
                    width: &|_, row| match n_out == n_rows * n_columns {
                        true => width.into(),
                        false => (F::from(n_out) - (x(row) * n_rows + begin)).min(width),
                    },
                    prepare: &mut |_, _| Vec::new(),
                    store: &mut |b, carried, row, _, lane, number| {
                        store(b, carried, x(row) * n_rows + (x(begin) + lane), number)
                    },
                },
            )
        })
    }
}

/// A root of unity by its number, from a table of every `n`-th one and the first `n`.
fn root(
    b: &mut Builder<'_>,
    every: (Value, Value),
    first: (Value, Value),
    n: i64,
    number: F,
) -> Parts {
    let number = number.build(b);
    let (high, low) = (
        (x(number) / n).build(b),
        x(number).with(Binary::Rem, n).build(b),
    );
    let high = built(b, (at(every.0, [x(high)]), at(every.1, [x(high)])));
    let low = built(b, (at(first.0, [x(low)]), at(first.1, [x(low)])));
    let product = times(both(high), both(low));
    both(built(b, product))
}

/// A row of any length: with `j * k = (j^2 + k^2 - (k - j)^2) / 2` a transform is a convolution with the chirp, roots of
/// unity whose numbers are squares.
struct Convolution {
    n: i64,
    real: Type,
    line: Line,
    /// The length of `line`.
    longer: i64,
    chirp: (Value, Value),
    /// The transform of its conjugate.
    transformed: (Value, Value),
}

impl Convolution {
    fn new(b: &mut Builder<'_>, n: i64, real: Type) -> Self {
        let longer = (2 * n - 1).max(1).unsigned_abs().next_power_of_two() as i64;
        let line = Line::new(b, longer, real);
        let period = 2 * n;
        let step = ((period as f64).sqrt() as i64).max(1);
        let first = roots(b, real, &[step], |i| i as f64 / period as f64);
        let n_every = (period + step - 1) / step;
        let every = roots(b, real, &[n_every], |i| (i * step) as f64 / period as f64);
        let planes = [new(b, &[n.into()], real), new(b, &[n.into()], real)];
        let chirp = repeat(b, 0, n, &planes, |b, j, chirp| {
            let square = (x(j) * j).with(Binary::Rem, period);
            let root = root(b, every, first, step, square);
            vec![
                set(b, chirp[0], [x(j)], root.0),
                set(b, chirp[1], [x(j)], root.1),
            ]
        });
        let chirp = (chirp[0], chirp[1]);
        let planes = [
            new(b, &[longer.into()], real),
            new(b, &[longer.into()], real),
        ];
        let transformed = line.run(
            b,
            &mut |b, j| {
                // It is as long in both directions, around the end.
                let j = j.build(b);
                let distance = x(j).min(F::from(longer) - j).build(b);
                let is_part = x(distance).less(n).build(b);
                let distance = x(distance).min(n - 1).build(b);
                let zero = number_of(b, real, 0.0);
                let re = x(is_part).select(at(chirp.0, [x(distance)]), zero);
                let im = x(is_part).select(-at(chirp.1, [x(distance)]), zero);
                (re, im)
            },
            longer,
            &planes,
            &mut |b, planes, k, number| {
                let k = k.build(b);
                vec![
                    set(b, planes[0], [x(k)], number.0),
                    set(b, planes[1], [x(k)], number.1),
                ]
            },
        );
        Self {
            n,
            real,
            line,
            longer,
            chirp,
            transformed: (transformed[0], transformed[1]),
        }
    }

    fn run(
        &self,
        b: &mut Builder<'_>,
        load: Load<'_>,
        n_out: i64,
        carried: &[Value],
        store: Store<'_>,
    ) -> Vec<Value> {
        let (n, real, longer) = (self.n, self.real, self.longer);
        let chirp = |j: Value| (at(self.chirp.0, [x(j)]), at(self.chirp.1, [x(j)]));
        let planes = [
            new(b, &[longer.into()], real),
            new(b, &[longer.into()], real),
        ];
        let products = self.line.run(
            b,
            &mut |b, j| {
                let j = j.build(b);
                let is_part = x(j).less(n).build(b);
                let j = x(j).min(n - 1).build(b);
                let number = load(b, x(j));
                let (number, chirp) = (built(b, number), built(b, chirp(j)));
                let (re, im) = times(both(number), both(chirp));
                let zero = number_of(b, real, 0.0);
                (x(is_part).select(re, zero), x(is_part).select(im, zero))
            },
            longer,
            &planes,
            &mut |b, planes, k, number| {
                let k = k.build(b);
                let factor = built(
                    b,
                    (
                        at(self.transformed.0, [x(k)]),
                        at(self.transformed.1, [x(k)]),
                    ),
                );
                let number = built(b, number);
                let product = times(both(number), both(factor));
                vec![
                    set(b, planes[0], [x(k)], product.0),
                    set(b, planes[1], [x(k)], product.1),
                ]
            },
        );
        // Back, with both parts exchanged.
        self.line.run(
            b,
            &mut |b, k| {
                let k = k.build(b);
                (at(products[1], [x(k)]), at(products[0], [x(k)]))
            },
            n_out,
            carried,
            &mut |b, carried, k, number| {
                let k = k.build(b);
                let scale = number_of(b, real, 1.0 / longer as f64);
                let number = built(b, (number.1 * scale, number.0 * scale));
                let chirp = built(b, chirp(k));
                store(b, carried, x(k), times(both(number), both(chirp)))
            },
        )
    }
}
