//! Contractions, outer products and reductions of some dimensions.
//!
//! Each row of the result is a vector. For each number that is added to it, in row-major order of the loops, the
//! elements of a factor that its lanes want are a shuffle. A sum that is one number is a `vector.reduction` of all
//! products.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::math;
use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::vector::{
    self, CombiningKind, Coordinates, coordinates, sizes_of, vector_type,
};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::constraints::{is_float, is_signless_integer_or_index};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use freehold_frontend::target::{Element, Vectors};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::nest::Nest;
use super::shape_cast;

/// Products of one operation that are written out: bounds its code to some hundred KB.
const MAX_PRODUCTS: usize = 1 << 14;

/// The largest number of elements in a vector of the code generator.
pub(super) const MAX_ELEMENTS: usize = 1 << 12;

/// Products that one `vector.reduction` adds up.
const MAX_LANES: usize = 1 << 10;

/// Blocks that a reduction combines one after the other: bounds code.
const MAX_BLOCKS: usize = 16;

/// A factor, or the mask: what elements of the result are made of.
struct Factor {
    /// A vector of one dimension, or a scalar.
    value: Value,
    /// The loops along which its dimensions run.
    loops: Coordinates,
    /// What was picked before.
    picked: FxHashMap<Vec<usize>, Value>,
}

impl Factor {
    fn new(builder: &mut Builder<'_>, value: Value, loops: &[usize]) -> Self {
        let n: usize = sizes_of(builder.ir, value).iter().product();
        Self {
            value: match vector::is_vector(&builder.context(), builder.ir.value_type(value)) {
                true => shape_cast(builder, value, &[n as i64]),
                false => value,
            },
            loops: loops.into(),
            picked: FxHashMap::default(),
        }
    }

    /// The elements with these numbers, as a vector of one dimension or, if `is_one`, a scalar.
    fn pick(&mut self, builder: &mut Builder<'_>, numbers: Vec<usize>, is_one: bool) -> Value {
        let (value, context) = (self.value, builder.context());
        let ty = builder.ir.value_type(value);
        let row = match is_one {
            true => context.element_type_or_self(ty),
            false => {
                let sizes = [numbers.len() as i64];
                vector_type(&context, &sizes, context.element_type_or_self(ty))
            }
        };
        let is_all = row == ty && numbers.iter().copied().eq(0..numbers.len());
        if row == ty && is_one || is_all {
            return value;
        }
        *self.picked.entry(numbers).or_insert_with_key(|numbers| {
            if !vector::is_vector(&context, ty) {
                return builder.value(&vector::BROADCAST, &[value], row);
            }
            if is_one {
                return extract(builder, value, numbers, row);
            }
            shuffle(builder, [value, value], numbers)
        })
    }
}

/// The elements with these numbers of two vectors of one dimension, one behind the other.
pub(super) fn shuffle(b: &mut Builder<'_>, vectors: [Value; 2], numbers: &[usize]) -> Value {
    let context = b.context();
    let element = context.element_type_or_self(b.ir.value_type(vectors[0]));
    let ty = vector_type(&context, &[numbers.len() as i64], element);
    let rows = numbers.iter();
    let rows: Vec<_> = rows.map(|&row| context.i64_attr(row as i64)).collect();
    let rows = context.array_attr(&rows);
    b.value_with_attr(&vector::SHUFFLE, &vectors, ty, Name::MASK, rows)
}

/// Part `at` of a vector, of this type.
fn extract(b: &mut Builder<'_>, whole: Value, at: &[usize], ty: Type) -> Value {
    let attr = position(b, at);
    b.value_with_attr(&vector::EXTRACT, &[whole], ty, Name::STATIC_POSITION, attr)
}

fn position(b: &Builder<'_>, at: &[usize]) -> Attr {
    let at: SmallVec<[i64; 4]> = at.iter().map(|&c| c as i64).collect();
    b.ir.context().i64_array_attr(&at)
}

/// The value of an operation that combines elements, or products of them, where `mask` is set. New operations stand
/// before `anchor`.
pub(super) fn lower(ir: &mut Ir, op: Op, anchor: Op, mask: Option<Value>) -> Option<Value> {
    let nest = Nest::of(ir, op)?;
    let context = ir.context().clone();
    let ty = ir.value_type(ir.result(op, 0));
    let element = context.element_type_or_self(ty);
    let extensions: SmallVec<[Option<&OpDef>; 2]> = (0..nest.factors.len())
        .map(|index| {
            let from = ir.value_type(ir.operand(op, index));
            extension(&context, context.element_type_or_self(from), element)
        })
        .collect::<Option<_>>()?;
    let n = nest.n_points();
    let is_masked = |mask: Value| sizes_of(ir, mask).iter().product::<usize>() == n;
    if !(1..=MAX_PRODUCTS).contains(&n) || !mask.is_none_or(is_masked) {
        return None;
    }
    let kind = CombiningKind::of(ir, op);
    let is_fused = ir.attr(op, Name::FUSED_PRODUCTS).is_some() && nest.factors.len() == 2;
    let mut builder = Builder::before(ir, anchor);
    let b = &mut builder;
    let mut factors = Vec::new();
    for (index, (extension, loops)) in extensions.into_iter().zip(&nest.factors).enumerate() {
        let mut value = b.ir.operand(op, index);
        if let Some(extension) = extension {
            let wide = context.with_element_type(b.ir.value_type(value), element);
            value = b.value(extension, &[value], wide);
        }
        factors.push(Factor::new(b, value, loops));
    }
    let all: Coordinates = (0..nest.sizes.len()).collect();
    let mask = mask.map(|mask| Factor::new(b, mask, &all));
    let is_one = !vector::is_vector(&context, ty);
    let mut rows = Rows {
        nest: &nest,
        kind,
        element,
        is_fused,
        is_one,
        factors,
        mask,
    };
    match is_one {
        false => Some(rows.vector(b, ty)),
        true if is_fused => Some(rows.combined(b, 1, vec![nest.totals])[0]),
        true => rows.number(b),
    }
}

/// What extends elements of a factor to those of the result, if something must; `None` if nothing can.
pub(super) fn extension(context: &Context, from: Type, to: Type) -> Option<Option<&'static OpDef>> {
    let is_known = |ty| is_float(context, ty) || is_signless_integer_or_index(context, ty);
    if !is_known(from) || !is_known(to) {
        return None;
    }
    if from == to {
        return Some(None);
    }
    let width = |ty| match ty {
        Type::INDEX => Some(64),
        _ => context.integer_width(ty),
    };
    match (context.float_kind(from), context.float_kind(to)) {
        (Some(from), Some(to)) => (from.width() < to.width()).then_some(Some(&arith::EXTF)),
        (None, None) if width(from)? > width(to)? => None,
        (None, None) if from == Type::INDEX || to == Type::INDEX => Some(Some(&arith::INDEX_CAST)),
        (None, None) => (width(from)? < width(to)?).then_some(Some(&arith::EXTSI)),
        _ => None,
    }
}

/// How rows of the result are computed.
struct Rows<'a> {
    nest: &'a Nest,
    kind: CombiningKind,
    element: Type,
    is_fused: bool,
    /// Whether the result is one number.
    is_one: bool,
    factors: Vec<Factor>,
    mask: Option<Factor>,
}

impl Rows<'_> {
    fn vector(&mut self, b: &mut Builder<'_>, ty: Type) -> Value {
        let context = b.context();
        let sizes = self.nest.sizes_along(&self.nest.result);
        let n: usize = sizes.iter().product();
        let typed = |n: usize| vector_type(&context, &[n as i64], self.element);
        // Rows of whole registers; else all of them are one.
        let last = sizes.last().copied().unwrap_or(1);
        let fills =
            vector::bytes_of_elements(&context, typed(last)).is_multiple_of(Vectors::SMALLEST);
        let row = if fills { last } else { n };
        let leading = &sizes[..sizes.len().saturating_sub(1)];
        let is_cut = row != n;
        let mut totals = vec![None; n / row];
        if let Some(whole) = self.nest.totals {
            for (number, total) in totals.iter_mut().enumerate() {
                *total = Some(match is_cut {
                    true => extract(b, whole, &coordinates(leading, number), typed(row)),
                    false => shape_cast(b, whole, &[n as i64]),
                });
            }
        }
        let totals = self.combined(b, row, totals);
        if !is_cut {
            let sizes: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
            return shape_cast(b, totals[0], &sizes);
        }
        let base = self.nest.totals.or_else(|| {
            let zeros = splat_attr(&context, ty, 0)?;
            Some(arith::constant_attr(b, zeros))
        });
        let rows = totals.into_iter().enumerate();
        rows.fold(
            base.expect("elements are numbers"),
            |whole, (number, row)| {
                let (at, name) = (
                    position(b, &coordinates(leading, number)),
                    Name::STATIC_POSITION,
                );
                b.value_with_attr(&vector::INSERT, &[row, whole], ty, name, at)
            },
        )
    }

    /// Combines each of the rows with what belongs to it: one number after the other with all rows, so that they do
    /// not wait for themselves.
    fn combined(
        &mut self,
        b: &mut Builder<'_>,
        row: usize,
        mut totals: Vec<Option<Value>>,
    ) -> Vec<Value> {
        let nest = self.nest;
        let inner: Coordinates = (0..nest.sizes.len())
            .filter(|dim| !nest.result.contains(dim))
            .collect();
        let (inner_sizes, sizes) = (nest.sizes_along(&inner), nest.sizes_along(&nest.result));
        for term in 0..inner_sizes.iter().product() {
            for (number, total) in totals.iter_mut().enumerate() {
                let points = (number * row..(number + 1) * row).map(|i| {
                    let mut at = Coordinates::from_elem(0, nest.sizes.len());
                    let terms = inner.iter().zip(coordinates(&inner_sizes, term));
                    let own = nest.result.iter().zip(coordinates(&sizes, i));
                    for (&dim, c) in terms.chain(own) {
                        at[dim] = c;
                    }
                    at
                });
                let points: Vec<Coordinates> = points.collect();
                let factors = self.picked(b, &points, self.is_one);
                let next = self.next(b, &factors, *total);
                *total = Some(match (*total, &mut self.mask) {
                    (Some(before), Some(mask)) => {
                        let bits = mask.pick(b, numbers(nest, &mask.loops, &points), self.is_one);
                        let ty = b.ir.value_type(next);
                        b.value(&arith::SELECT, &[bits, next, before], ty)
                    }
                    _ => next,
                });
            }
        }
        totals.into_iter().flatten().collect()
    }

    /// Combines all products to one number. Those that the mask leaves out become what changes nothing.
    fn number(&mut self, b: &mut Builder<'_>) -> Option<Value> {
        let (nest, context) = (self.nest, b.context());
        let points = 0..nest.n_points();
        let points: Vec<Coordinates> = points.map(|i| coordinates(&nest.sizes, i)).collect();
        let mut total = nest.totals;
        for points in points.chunks(MAX_LANES) {
            let factors = self.picked(b, points, false);
            let mut terms = self.next(b, &factors, None);
            let ty = b.ir.value_type(terms);
            if let Some(mask) = &mut self.mask {
                let neutral = self.kind.neutral(&context, self.element)?;
                let neutral = splat_attr(&context, ty, neutral)?;
                let bits = mask.pick(b, numbers(nest, &mask.loops, points), false);
                let neutral = arith::constant_attr(b, neutral);
                terms = b.value(&arith::SELECT, &[bits, terms, neutral], ty);
            }
            total = Some(reduce(b, self.kind, terms, total));
        }
        total
    }

    /// The elements of each factor at these points.
    fn picked(
        &mut self,
        b: &mut Builder<'_>,
        points: &[Coordinates],
        is_one: bool,
    ) -> SmallVec<[Value; 2]> {
        let factors = self.factors.iter_mut();
        let picked = factors.map(|factor| {
            let numbers = numbers(self.nest, &factor.loops, points);
            factor.pick(b, numbers, is_one)
        });
        picked.collect()
    }

    /// `total` combined with the product of these, or just that; of one it is that itself.
    fn next(&self, b: &mut Builder<'_>, factors: &[Value], total: Option<Value>) -> Value {
        let (context, ty) = (b.context(), b.ir.value_type(factors[0]));
        let term = match (factors, total) {
            (&[x, y], Some(total)) if self.is_fused => {
                return b.value(&math::FMA, &[x, y, total], ty);
            }
            (&[x, y], _) => {
                let multiply = CombiningKind::Mul.combination(&context, self.element);
                b.value(multiply, &[x, y], ty)
            }
            _ => factors[0],
        };
        match total {
            Some(total) => b.value(
                self.kind.combination(&context, self.element),
                &[total, term],
                ty,
            ),
            None => term,
        }
    }
}

/// The numbers of the elements, of what runs along these loops, at points of the nest.
fn numbers(nest: &Nest, loops: &[usize], points: &[Coordinates]) -> Vec<usize> {
    points.iter().map(|at| nest.number(loops, at)).collect()
}

/// The elements of a vector of one dimension combined to one, after `first` if there is one.
fn reduce(b: &mut Builder<'_>, kind: CombiningKind, vector: Value, first: Option<Value>) -> Value {
    if let Some(value) = reduce_halves(b, kind, vector, first, FastMathFlags::NONE) {
        return value;
    }
    let operands: SmallVec<[Value; 2]> = [vector].into_iter().chain(first).collect();
    let context = b.context();
    let element = context.element_type_or_self(b.ir.value_type(vector));
    let kind = kind.to_attr(&context);
    b.value_with_attr(&vector::REDUCTION, &operands, element, Name::KIND, kind)
}

/// Halves of a vector are combined, and halves of that, where the order does not change the result or `flags` say that it
/// may.
pub(super) fn reduce_halves(
    b: &mut Builder<'_>,
    kind: CombiningKind,
    vector: Value,
    first: Option<Value>,
    flags: FastMathFlags,
) -> Option<Value> {
    let context = b.context();
    let element = context.element_type_or_self(b.ir.value_type(vector));
    let is_free = match Element::of(&context, element)? {
        Element::Int(_) => true,
        _ => match kind {
            CombiningKind::MaximumF | CombiningKind::MinimumF => true,
            CombiningKind::Add | CombiningKind::Mul => flags.contains(FastMathFlags::REASSOC),
            _ => false,
        },
    };
    let n: usize = sizes_of(b.ir, vector).iter().product();
    // Blocks of as many registers as a power of two.
    let mut block = 1 << n.trailing_zeros();
    if !is_free || block == 1 || n / block > MAX_BLOCKS {
        return None;
    }
    let combine = kind.combination(&context, element);
    let mut all = Factor::new(b, vector, &[]);
    let mut total = all.pick(b, (0..block).collect(), false);
    for start in (block..n).step_by(block) {
        let next = all.pick(b, (start..start + block).collect(), false);
        let ty = b.ir.value_type(next);
        total = b.value(combine, &[total, next], ty);
    }
    while block > 1 {
        let half = block / 2;
        let mut whole = Factor::new(b, total, &[]);
        let halves = [0..half, half..block].map(|half| whole.pick(b, half.collect(), false));
        let ty = b.ir.value_type(halves[0]);
        total = b.value(combine, &halves, ty);
        block = half;
    }
    let total = extract(b, total, &[0], element);
    Some(match first {
        Some(first) => b.value(combine, &[first, total], element),
        None => total,
    })
}

/// Lowers a scan: slices along one dimension, each combined with all before it.
pub(super) fn lower_scan(ir: &mut Ir, op: Op) -> Option<()> {
    let (source, initial) = (ir.operand(op, 0), ir.operand(op, 1));
    let (context, sizes) = (ir.context().clone(), sizes_of(ir, source));
    let dim = ir.attr(op, Name::REDUCTION_DIM);
    let dim = dim.and_then(|attr| context.attr_integer(attr))?;
    let dim = usize::try_from(dim).ok().filter(|&dim| dim < sizes.len())?;
    let element = context.element_type_or_self(ir.value_type(source));
    let n: usize = sizes.iter().product();
    extension(&context, element, element)?;
    if !(1..=MAX_ELEMENTS).contains(&n) {
        return None;
    }
    let combine = CombiningKind::of(ir, op).combination(&context, element);
    let is_inclusive = vector::is_true(ir, op, Name::INCLUSIVE);
    let kept = sizes_of(ir, initial);
    let n_kept = n / sizes[dim];
    let behind: usize = sizes[dim + 1..].iter().product();
    let b = &mut Builder::before(ir, op);
    let mut running = shape_cast(b, initial, &[n_kept as i64]);
    let mut all = Factor::new(b, source, &[]);
    let mut slices = Vec::new();
    for at in 0..sizes[dim] {
        let first = |i: usize| i / behind * behind * sizes[dim] + i % behind;
        let numbers = (0..n_kept).map(|i| first(i) + at * behind);
        let own = all.pick(b, numbers.collect(), false);
        let ty = b.ir.value_type(own);
        let before = running;
        // An inclusive scan starts with the first slice alone, an exclusive one leaves out the last one.
        running = match (is_inclusive, at) {
            (true, 0) => own,
            (false, at) if at + 1 == sizes[dim] => before,
            _ => b.value(combine, &[before, own], ty),
        };
        slices.push(if is_inclusive { running } else { before });
    }
    // Next to each other, two by two.
    while slices.len() > 1 {
        let pairs = slices.chunks(2).map(|pair| match *pair {
            [first, second] => {
                let n = [first, second].map(|slice| sizes_of(b.ir, slice)[0]);
                shuffle(b, [first, second], &(0..n[0] + n[1]).collect::<Vec<_>>())
            }
            _ => pair[0],
        });
        slices = pairs.collect();
    }
    let place = |i: usize| {
        let (before, at) = (i / (behind * sizes[dim]), i / behind % sizes[dim]);
        at * n_kept + before * behind + i % behind
    };
    let whole = Factor::new(b, slices[0], &[]).pick(b, (0..n).map(place).collect(), false);
    let [whole, running] = [(whole, &sizes), (running, &kept)].map(|(value, sizes)| {
        let sizes: SmallVec<[i64; 4]> = sizes.iter().map(|&size| size as i64).collect();
        shape_cast(b, value, &sizes)
    });
    ir.replace_op(op, &[whole, running]);
    Some(())
}
