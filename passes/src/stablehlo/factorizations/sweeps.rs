//! Rotations of neighbouring rows, as implicit QR steps make them: collected, then applied many at a time.
//!
//! The rows stand in strips of [`STRIP_BYTES`], one strip behind the other, so that all rows of a strip stay in the
//! cache. A strip goes through [`AT_ONCE`] sweeps in one pass, as each of them is one row behind the one before it: rows
//! are loaded and stored once, and are in registers between.
//!
//! ```text
//! sweep 0 rotates rows t and t + 1, sweep 1 rows t - 1 and t, sweep 2 rows t - 2 and t - 1, ...; row t - 3 is finished
//! ```

use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::vector;
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};

use super::super::build::{Generic, element, map};
use super::super::formula::{
    F, as_size, at, index, new, number_of, repeat, repeat_while, set, size, update, x,
};
use super::linalg_index;

/// Bytes of a row of a strip: a vector register where they are wide.
const STRIP_BYTES: i64 = 64;

/// Sweeps that one pass applies.
const AT_ONCE: i64 = 4;

/// Rows in front of the first and behind the last one, which passes load beside those that they rotate.
const MARGIN: i64 = AT_ONCE - 1;

/// Sweeps that are collected before they are applied. Their numbers should stay in the cache beside a strip.
pub(super) const COLLECTED: i64 = 32;

/// How many elements of this type are in a row of a strip.
fn lanes(b: &Builder<'_>, real: Type) -> i64 {
    let kind = b.ir.context().float_kind(real);
    STRIP_BYTES * 8 / kind.map_or(32, |kind| i64::from(kind.width()))
}

/// What stands for zero in strips. Products of many rotations would leave numbers there that processors have no fast
/// arithmetic for, being less than the smallest normal one; what this becomes is as great as it is.
const NOTHING: f64 = 1e-25;

/// Up to this, numbers of strips are zeros.
const NEARLY_NOTHING: f64 = 1e-20;

/// The unit matrix in strips.
pub(super) fn unit_strips(b: &mut Builder<'_>, n: MixedIndex, real: Type) -> Value {
    let lanes = lanes(b, real);
    let n_strips = match n {
        MixedIndex::Constant(n) => MixedIndex::Constant((n + lanes - 1) / lanes),
        MixedIndex::Value(_) => as_size(b, (F::from(n) + (lanes - 1)) / lanes),
    };
    let rows = as_size(b, F::from(n) + 2 * MARGIN);
    let out = new(b, &[n_strips, rows, lanes.into()], real);
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, freehold_frontend::ir::affine::AffineMap::identity(3))],
        parallel: &[true, true, true],
    };
    generic.build(b, &mut |b, _| {
        let [strip, row, lane] = [0, 1, 2].map(|dim| x(linalg_index(b, dim)));
        let (one, zero) = (number_of(b, real, 1.0), number_of(b, real, NOTHING));
        let is_diagonal = row.equal(strip * lanes + lane + MARGIN);
        vec![is_diagonal.select(one, zero).build(b)]
    })[0]
}

/// The matrix whose column `place[i]` is row `i` of the strips times `signs[i]`, written into the first elements of
/// `columns`.
pub(super) fn to_columns(
    b: &mut Builder<'_>,
    strips: Value,
    n: MixedIndex,
    places: Value,
    signs: Option<Value>,
    columns: Value,
) -> Value {
    let real = element(b.ir, strips);
    let ty = element(b.ir, columns);
    let lanes = lanes(b, real);
    let n_strips = size(b, strips, 0);
    update(b, 0, n_strips, columns, |b, strip, columns| {
        let first = (x(strip) * lanes).build(b);
        let n_lanes = (F::from(n) - first).min(lanes).build(b);
        update(b, 0, n_lanes, columns, |b, lane, columns| {
            let row = (x(first) + lane).build(b);
            update(b, 0, n, columns, |b, i, columns| {
                let value = at(strips, [x(strip), x(i) + MARGIN, x(lane)]).build(b);
                let zero = number_of(b, real, 0.0);
                let is_zero = x(value).abs().less(NEARLY_NOTHING);
                let value = is_zero.select(zero, value);
                let value = match signs {
                    Some(signs) => value * at(signs, [x(i)]),
                    None => value,
                };
                let place = at(places, [x(i)]).build(b);
                set(b, columns, [x(row), x(place)], value.real_as(ty))
            })
        })
    })
}

/// Rotations that wait: for each pass their cosines and sines by step, and the steps from and up to which there are any.
#[derive(Clone, Copy)]
pub(super) struct Collected {
    pub(super) cosines: Value,
    pub(super) sines: Value,
    pub(super) from: Value,
    pub(super) to: Value,
}

impl Collected {
    pub(super) const N: usize = 4;

    pub(super) fn of(values: &[Value]) -> Self {
        let [cosines, sines, from, to] = *values else {
            unreachable!("four values describe rotations");
        };
        Self {
            cosines,
            sines,
            from,
            to,
        }
    }

    pub(super) fn values(self) -> [Value; Self::N] {
        [self.cosines, self.sines, self.from, self.to]
    }

    /// Room for the rotations of `n` rows.
    pub(super) fn new(b: &mut Builder<'_>, n: MixedIndex, real: Type) -> Self {
        let passes = MixedIndex::Constant(COLLECTED / AT_ONCE);
        let steps = as_size(b, F::from(n) + MARGIN);
        Self {
            cosines: new(b, &[passes, steps, AT_ONCE.into()], real),
            sines: new(b, &[passes, steps, AT_ONCE.into()], real),
            from: new(b, &[passes], Type::INDEX),
            to: new(b, &[passes], Type::INDEX),
        }
    }

    /// None, which is what must be there before any is added.
    pub(super) fn cleared(self, b: &mut Builder<'_>) -> Self {
        let real = element(b.ir, self.cosines);
        let steps = size(b, self.cosines, 1);
        let (one, zero) = (number_of(b, real, 1.0), number_of(b, real, 0.0));
        let (last, first) = (F::from(steps).build(b), index(b, 0));
        Self {
            cosines: super::super::build::fill(b, one, self.cosines),
            sines: super::super::build::fill(b, zero, self.sines),
            from: super::super::build::fill(b, last, self.from),
            to: super::super::build::fill(b, first, self.to),
        }
    }

    /// Where the rotations of sweep `sweep` stand.
    pub(super) fn place(b: &mut Builder<'_>, sweep: Value) -> Place {
        let pass = (x(sweep) / AT_ONCE).build(b);
        let lane = (x(sweep) - x(pass) * AT_ONCE).build(b);
        Place { pass, lane }
    }

    /// With sweep `place` from one row up to another.
    pub(super) fn with_range(
        self,
        b: &mut Builder<'_>,
        place: Place,
        begin: Value,
        end: Value,
    ) -> Self {
        let pass = [x(place.pass)];
        let from = at(self.from, pass.clone()).min(begin);
        let to = at(self.to, pass.clone()).max(end);
        Self {
            from: set(b, self.from, pass.clone(), from),
            to: set(b, self.to, pass, to),
            ..self
        }
    }

    /// The strips after the first `n_sweeps` sweeps.
    pub(super) fn apply(self, b: &mut Builder<'_>, strips: Value, n_sweeps: Value) -> Value {
        let n_strips = size(b, strips, 0);
        let n_passes = ((x(n_sweeps) + (AT_ONCE - 1)) / AT_ONCE).build(b);
        update(b, 0, n_strips, strips, |b, strip, strips| {
            update(b, 0, n_passes, strips, |b, pass, strips| {
                self.pass(b, strips, strip, pass)
            })
        })
    }

    fn pass(self, b: &mut Builder<'_>, strips: Value, strip: Value, pass: Value) -> Value {
        let begin = at(self.from, [x(pass)]).build(b);
        let end = (at(self.to, [x(pass)]) + MARGIN).build(b);
        let mut carried = vec![strips];
        for sweep in 0..AT_ONCE {
            // The row in front of those that the sweep is to rotate next.
            let row = (x(begin) + (MARGIN - sweep)).build(b);
            carried.push(read_row(b, strips, [strip, row]));
        }
        let done = repeat(b, begin, end, &carried, |b, step, carried| {
            let next = (x(step) + (MARGIN + 1)).build(b);
            let mut row = read_row(b, carried[0], [strip, next]);
            let ty = b.ir.value_type(row);
            let mut held = vec![carried[0]];
            for (sweep, &before) in carried[1..].iter().enumerate() {
                let place = [x(pass), x(step), F::from(sweep as i64)];
                let [c, s] = [self.cosines, self.sines].map(|numbers| {
                    let number = at(numbers, place.clone()).build(b);
                    b.value(&vector::BROADCAST, &[number], ty)
                });
                held.push((x(c) * row - x(s) * before).build(b));
                row = (x(c) * before + x(s) * row).build(b);
            }
            held[0] = write_row(b, row, held[0], [strip, step]);
            held
        });
        write_row(b, done[AT_ONCE as usize], done[0], [strip, end])
    }
}

/// What [`diagonalize`] works on, and what it gives.
pub(super) struct Band {
    /// The diagonal, in numbers of [`precise`].
    pub(super) diagonal: Value,
    /// What is beside it: number `i` is between those of the diagonal that have indices `i - 1` and `i`.
    pub(super) beside: Value,
    /// Each set of vectors that is rotated.
    pub(super) strips: Vec<Value>,
}

/// One sweep over a block of a band from its first row to its last one. Notes its rotations if it is told where. A block
/// of one row stays as it is.
pub(super) type Sweep<'a> =
    dyn Fn(&mut Builder<'_>, [Value; 2], (Value, Value), &[Collected], Place) -> Swept + 'a;

/// The diagonal, the off-diagonal, and the rotations.
pub(super) type Swept = ([Value; 2], Vec<Collected>);

/// Steps per number of the diagonal before it is given up; three are usual.
const MAX_STEPS: i64 = 60;

/// Makes zeros beside the diagonal by sweeps, from the last row upwards. Numbers up to `negligible` are zeros, and such as
/// are less than `tolerance` times their neighbours on the diagonal.
pub(super) fn diagonalize(
    b: &mut Builder<'_>,
    n: MixedIndex,
    band: Band,
    (tolerance, negligible): (f64, f64),
    sweep: &Sweep<'_>,
) -> Band {
    let n_sets = band.strips.len();
    let mut carried = vec![band.diagonal, band.beside];
    carried.extend(&band.strips);
    for &strips in &band.strips {
        let real = element(b.ir, strips);
        carried.extend(Collected::new(b, n, real).values());
    }
    let end = (F::from(n) - 1).build(b);
    carried.extend([end, index(b, 0)]);
    let max_steps = (F::from(n) * MAX_STEPS).build(b);
    let goes_on = |end: Value, step: Value| x(end).greater(0).and(x(step).less(max_steps));
    let done = repeat_while(
        b,
        &carried,
        |_, carried| goes_on(carried[carried.len() - 2], carried[carried.len() - 1]),
        |b, carried| {
            let (numbers, rest) = carried.split_at(2);
            let (strips, rest) = rest.split_at(n_sets);
            let (collected, counters) = rest.split_at(n_sets * Collected::N);
            let mut inner = numbers.to_vec();
            for collected in collected.chunks(Collected::N) {
                inner.extend(Collected::of(collected).cleared(b).values());
            }
            inner.extend(counters);
            inner.push(index(b, 0));
            let done = repeat_while(
                b,
                &inner,
                |_, inner| {
                    let [.., end, step, count] = *inner else {
                        unreachable!("three values count");
                    };
                    goes_on(end, step).and(x(count).less(COLLECTED))
                },
                |b, inner| one_step(b, inner, (tolerance, negligible), sweep),
            );
            let [ref values @ .., end, step, count] = done[..] else {
                unreachable!("three values count");
            };
            let mut next = values[..2].to_vec();
            let collected = &values[2..];
            for (&strips, collected) in strips.iter().zip(collected.chunks(Collected::N)) {
                next.push(Collected::of(collected).apply(b, strips, count));
            }
            next.extend(collected);
            next.extend([end, step]);
            next
        },
    );
    Band {
        diagonal: done[0],
        beside: done[1],
        strips: done[2..][..n_sets].to_vec(),
    }
}

fn one_step(
    b: &mut Builder<'_>,
    carried: &[Value],
    (tolerance, negligible): (f64, f64),
    sweep: &Sweep<'_>,
) -> Vec<Value> {
    let [diagonal, beside, ref collected @ .., end, step, count] = *carried else {
        unreachable!("two tensors and three counters are carried");
    };
    // The block begins where nothing is beside the diagonal. What is NaN begins it too.
    let begin = repeat_while(
        b,
        &[end],
        |b, at_begin| {
            let first = at_begin[0];
            let before = (x(first) - 1).max(0).build(b);
            let neighbours = at(diagonal, [x(before)]).abs() + at(diagonal, [x(first)]).abs();
            let least = (neighbours * tolerance).max(negligible);
            let is_there = at(beside, [x(first)]).abs().greater(least);
            x(first).greater(0).and(is_there)
        },
        |b, at_begin| vec![(x(at_begin[0]) - 1).build(b)],
    )[0];
    let collected: Vec<Collected> = (collected.chunks(Collected::N))
        .map(Collected::of)
        .collect();
    let place = Collected::place(b, count);
    let (numbers, swept) = sweep(b, [diagonal, beside], (begin, end), &collected, place);
    let mut changed = numbers.to_vec();
    for collected in swept {
        changed.extend(collected.with_range(b, place, begin, end).values());
    }
    let is_done = x(begin).equal(end).build(b);
    changed.push(x(is_done).select(x(end) - 1, end).build(b));
    changed.push((x(step) + 1).build(b));
    changed.push(x(is_done).select(count, x(count) + 1).build(b));
    changed
}

/// A band of numbers of [`precise`], the greatest of which is 1, and what the numbers were divided by: `beside[i]` is
/// between `diagonal[i]` and the next one. With NaN or infinity among them, all is NaN.
pub(super) fn scaled_band(
    b: &mut Builder<'_>,
    n: MixedIndex,
    diagonal: Value,
    beside: Value,
    strips: Vec<Value>,
) -> (Band, Value) {
    let wide = precise(b);
    let last = (F::from(n) - 1).build(b);
    let smallest = number_of(b, wide, f64::MIN_POSITIVE);
    let greatest = repeat(b, 0, n, &[smallest], |b, i, greatest| {
        let greatest = x(greatest[0]).max(at(diagonal, [x(i)]).float_as(wide).abs());
        vec![greatest.build(b)]
    })[0];
    let greatest = repeat(b, 0, last, &[greatest], |b, i, greatest| {
        let greatest = x(greatest[0]).max(at(beside, [x(i)]).float_as(wide).abs());
        vec![greatest.build(b)]
    })[0];
    // Infinity less itself is NaN.
    let none = (x(greatest) - greatest).build(b);
    let one_more = as_size(b, F::from(n) + 1);
    let scaled = new(b, &[n], wide);
    let scaled = update(b, 0, n, scaled, |b, i, scaled| {
        let value = at(diagonal, [x(i)]).float_as(wide) / greatest + none;
        set(b, scaled, [x(i)], value)
    });
    let zero = number_of(b, wide, 0.0);
    let shifted = new(b, &[one_more], wide);
    let shifted = super::super::build::fill(b, zero, shifted);
    let shifted = update(b, 0, last, shifted, |b, i, shifted| {
        let value = at(beside, [x(i)]).float_as(wide) / greatest;
        set(b, shifted, [x(i) + 1], value)
    });
    let band = Band {
        diagonal: scaled,
        beside: shifted,
        strips,
    };
    (band, greatest)
}

/// The type that sweeps compute with: rotations of `f32` are rounded once, from the cosine and sine of one angle, so that
/// they stay rotations however many follow each other.
pub(super) fn precise(b: &Builder<'_>) -> Type {
    b.ir.context().intern_type(TypeKind::Float(FloatKind::F64))
}

/// What is nothing beside numbers of this type, for [`diagonalize`].
pub(super) fn tolerance(b: &Builder<'_>, real: Type) -> f64 {
    match b.ir.context().float_kind(real).map(|kind| kind.width()) {
        Some(64) => f64::EPSILON,
        // Sweeps are more precise, and the last one before a zero makes it much smaller than it has to be.
        _ => f64::from(f32::EPSILON) / 8.0,
    }
}

/// A rotation that makes the second of two numbers zero: cosine, sine and what the first becomes.
pub(super) fn rotation(b: &mut Builder<'_>, f: Value, g: Value) -> (Value, Value, Value) {
    let real = b.ir.value_type(f);
    let r = (x(f) * f + x(g) * g).sqrt().build(b);
    let one = number_of(b, real, 1.0);
    let is_zero = x(r).equal(0.0).build(b);
    let divisor = x(is_zero).select(one, r).build(b);
    let c = x(is_zero).select(one, x(f) / divisor).build(b);
    let s = (x(g) / divisor).build(b);
    (c, s, r)
}

/// Where the rotations of a sweep stand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pass: Value,
    lane: Value,
}

impl Place {
    /// `numbers` with one that belongs to the rotation of rows `row` and `row + 1`.
    pub(super) fn set(
        self,
        b: &mut Builder<'_>,
        numbers: Value,
        row: Value,
        number: Value,
    ) -> Value {
        let real = element(b.ir, numbers);
        let number = x(number).float_as(real);
        let step = x(row) + self.lane;
        set(b, numbers, [x(self.pass), step, x(self.lane)], number)
    }
}

fn read_row(b: &mut Builder<'_>, strips: Value, [strip, row]: [Value; 2]) -> Value {
    let real = element(b.ir, strips);
    let lanes = lanes(b, real);
    let ty = vector::vector_type(&b.context(), &[lanes], real);
    let (zero, padding) = (index(b, 0), number_of(b, real, 0.0));
    let operands = [strips, strip, row, zero, padding];
    transfer(b, &vector::TRANSFER_READ, &operands, [1, 3, 1, 0], ty)
}

fn write_row(b: &mut Builder<'_>, lanes: Value, strips: Value, [strip, row]: [Value; 2]) -> Value {
    let ty = b.ir.value_type(strips);
    let zero = index(b, 0);
    let operands = [lanes, strips, strip, row, zero];
    transfer(b, &vector::TRANSFER_WRITE, &operands, [1, 1, 3, 0], ty)
}

fn transfer(
    b: &mut Builder<'_>,
    def: &'static freehold_frontend::ir::op_def::OpDef,
    operands: &[Value],
    segments: [i32; 4],
    ty: Type,
) -> Value {
    let context = b.context();
    let along_rows = map(3, vec![AffineExpr::Dim(2)]);
    let spec = b
        .spec(def)
        .operands(operands)
        .results(&[ty])
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&segments),
        )
        .attr(Name::PERMUTATION_MAP, context.affine_map_attr(along_rows))
        .attr(Name::IN_BOUNDS, context.array_attr(&[Attr::TRUE]));
    let op = b.create(spec);
    b.ir.result(op, 0)
}
