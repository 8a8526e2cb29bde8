//! Operations of vector that combine elements: contractions, reductions, scans and products.

use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use super::arith as numbers;
use super::vector::mask_around;
use crate::elementwise::{self, Number, Trouble};
use crate::float;
use crate::machine::{Frame, Machine, Res, as_array, as_scalar, unsupported};
use crate::table::Rows;
use crate::value::{Array, Kind, Scalar, Value, flat, for_each, mask, n_elements, signed};

pub(crate) const ROWS: Rows = &[
    (&vector::FMA, |m, f, op| {
        let kind = numbers::float_kind(m, f.operand_type(op, 0))?;
        elementwise::map(m, f, op, |n| Ok(float::fma(kind, n[0], n[1], n[2])))
    }),
    (&vector::REDUCTION, reduction),
    (&vector::MULTI_REDUCTION, multi_reduction),
    (&vector::CONTRACT, contract),
    (&vector::OUTER_PRODUCT, outer_product),
    (&vector::MATRIX_MULTIPLY, matrix_multiply),
    (&vector::SCAN, scan),
];

/// Combines two numbers.
pub(crate) fn combine(kind: CombiningKind, ty: Kind, a: u128, b: u128) -> Number {
    use CombiningKind as K;
    let width = ty.width();
    let float = match ty {
        Kind::Float(kind) => Some(kind),
        _ => None,
    };
    Ok(match (kind, float) {
        (K::Add, Some(kind)) => numbers::add(kind, a, b),
        (K::Mul, Some(kind)) => numbers::mul(kind, a, b),
        (K::MaximumF, Some(kind)) => numbers::maximum(kind, a, b),
        (K::MinimumF, Some(kind)) => numbers::minimum(kind, a, b),
        (K::MaxNumF, Some(kind)) => numbers::maxnum(kind, a, b),
        (K::MinNumF, Some(kind)) => numbers::minnum(kind, a, b),
        (K::Add, None) => a.wrapping_add(b) & mask(width),
        (K::Mul, None) => a.wrapping_mul(b) & mask(width),
        (K::MinUI, None) => a.min(b),
        (K::MaxUI, None) => a.max(b),
        (K::MinSI, None) => {
            if signed(a, width) <= signed(b, width) {
                a
            } else {
                b
            }
        }
        (K::MaxSI, None) => {
            if signed(a, width) >= signed(b, width) {
                a
            } else {
                b
            }
        }
        (K::And, None) => a & b,
        (K::Or, None) => a | b,
        (K::Xor, None) => a ^ b,
        _ => {
            return Err(Trouble::Unsupported(
                "this kind is not interpreted".to_owned(),
            ));
        }
    })
}

fn product(ty: Kind, a: u128, b: u128) -> u128 {
    match ty {
        Kind::Float(kind) => numbers::mul(kind, a, b),
        ty => a.wrapping_mul(b) & mask(ty.width()),
    }
}

/// How elements are combined.
struct Combiner {
    kind: CombiningKind,
    ty: Kind,
    is_fused: bool,
}

impl Combiner {
    fn of(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<Self> {
        Ok(Self {
            kind: CombiningKind::of(f.ir, op),
            ty: m.kind(f.result_type(op, 0))?,
            is_fused: f.attr(op, Name::FUSED_PRODUCTS).is_some(),
        })
    }

    /// The neutral element: the result where a mask lets no element through.
    fn neutral(&self) -> u128 {
        use CombiningKind as K;
        let width = self.ty.width();
        let float = |value: f64| match self.ty {
            Kind::Float(kind) => float::encode(kind, value),
            _ => 0,
        };
        match (self.kind, self.ty) {
            (K::Mul, Kind::Float(_)) => float(1.0),
            (K::Add, _) | (K::Or | K::Xor | K::MaxUI, _) => 0,
            (K::Mul, _) => 1,
            (K::And | K::MinUI, _) => mask(width),
            (K::MinSI, _) => mask(width) >> 1,
            (K::MaxSI, _) => 1 << (width - 1),
            (K::MinimumF | K::MinNumF, _) => float(f64::INFINITY),
            (K::MaximumF | K::MaxNumF, _) => float(f64::NEG_INFINITY),
        }
    }

    /// `total` with one more element.
    fn next(
        &self,
        m: &mut Machine<'_>,
        f: &Frame<'_>,
        total: Option<Scalar>,
        element: Scalar,
    ) -> Res<Scalar> {
        match total {
            Some(total) => elementwise::plain(m, f, &[total, element], &|n| {
                combine(self.kind, self.ty, n[0], n[1])
            }),
            None => Ok(element),
        }
    }

    /// `total` with one more product.
    fn next_product(
        &self,
        m: &mut Machine<'_>,
        f: &Frame<'_>,
        total: Option<Scalar>,
        factors: [Scalar; 2],
    ) -> Res<Scalar> {
        if let (true, Some(total), Kind::Float(kind)) = (self.is_fused, total, self.ty) {
            let numbers = [factors[0], factors[1], total];
            return elementwise::plain(m, f, &numbers, &|n| Ok(float::fma(kind, n[0], n[1], n[2])));
        }
        let term = elementwise::plain(m, f, &factors, &|n| Ok(product(self.ty, n[0], n[1])))?;
        self.next(m, f, total, term)
    }
}

/// Whether a mask lets an element through.
fn is_on(m: &Machine<'_>, mask: Option<&Array>, index: usize) -> Res<bool> {
    match mask {
        Some(mask) => Ok(m.defined(mask.elements[index], "a mask")? & 1 == 1),
        None => Ok(true),
    }
}

fn reduction(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let combiner = Combiner::of(m, f, op)?;
    let mask = mask_around(f, op);
    let mut total = f.group(op, 1).first().map(as_scalar).transpose()?;
    for (index, &element) in array.elements.iter().enumerate() {
        if is_on(m, mask.as_deref(), index)? {
            total = Some(combiner.next(m, f, total, element)?);
        }
    }
    let total = match total {
        Some(total) => total,
        None => Scalar::Bits(combiner.neutral()),
    };
    f.set(op, 0, Value::Scalar(total));
    Ok(())
}

/// The elements of an accumulator: a number or a vector.
fn accumulator(value: &Value) -> Res<Array> {
    Ok(match value {
        Value::Array(array) => (**array).clone(),
        value => Array {
            shape: Vec::new(),
            elements: vec![as_scalar(value)?],
        },
    })
}

/// Sets the result to a vector, or to a number if the type is one.
fn set(m: &Machine<'_>, f: &mut Frame<'_>, op: Op, array: Array) {
    let value = match m.context.shape(f.result_type(op, 0)) {
        Some(_) => Value::array(array.shape, array.elements),
        None => Value::Scalar(array.elements[0]),
    };
    f.set(op, 0, value);
}

fn multi_reduction(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let mut totals = accumulator(f.operand(op, 1))?;
    let combiner = Combiner::of(m, f, op)?;
    let reduced = f.ints(op, Name::REDUCTION_DIMS);
    let mask = mask_around(f, op);
    let mut index = 0;
    for_each(&array.shape, |at| {
        let kept = (0..at.len()).filter(|&dim| !reduced.contains(&(dim as i64)));
        let to: Vec<i64> = kept.map(|dim| at[dim]).collect();
        let place = flat(&totals.shape, &to);
        if is_on(m, mask.as_deref(), index)? {
            let total = Some(totals.elements[place]);
            totals.elements[place] = combiner.next(m, f, total, array.elements[index])?;
        }
        index += 1;
        Ok(())
    })?;
    set(m, f, op, totals);
    Ok(())
}

/// The indices that a map gives, all dimensions being counters.
fn at(map: &AffineMap, counters: &[i64]) -> Vec<i64> {
    map.evaluate(counters, &[]).unwrap_or_default()
}

/// The number of type `to` that one of type `from` is extended to.
fn extended(scalar: Scalar, from: Kind, to: Kind) -> Scalar {
    let Scalar::Bits(bits) = scalar else {
        return scalar;
    };
    match (from, to) {
        (Kind::Float(from), Kind::Float(to)) if from != to => {
            Scalar::Bits(float::encode(to, float::decode(from, bits)))
        }
        (Kind::Int(from), Kind::Int(to)) if from != to => {
            Scalar::Bits(signed(bits, from) as u128 & mask(to))
        }
        _ => scalar,
    }
}

fn contract(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (lhs, rhs) = (f.array(op, 0)?, f.array(op, 1)?);
    let mut totals = accumulator(f.operand(op, 2))?;
    let combiner = Combiner::of(m, f, op)?;
    let attr = f.attr(op, Name::INDEXING_MAPS);
    let maps: Vec<AffineMap> = attr
        .and_then(|attr| m.context.attr_array(attr))
        .unwrap_or_default()
        .iter()
        .filter_map(|&attr: &Attr| m.context.attr_affine_map(attr))
        .map(|map| (**map).clone())
        .collect();
    let [a, b, c] = &maps[..] else {
        return unsupported("a contraction without its maps");
    };
    let mut sizes = vec![1; a.n_dims as usize];
    for (map, shape) in [(a, &lhs.shape), (b, &rhs.shape)] {
        for (result, &size) in map.results.iter().zip(shape) {
            if let freehold_frontend::ir::affine::AffineExpr::Dim(dim) = result {
                sizes[*dim as usize] = size;
            }
        }
    }
    let kinds = [
        m.kind(f.operand_type(op, 0))?,
        m.kind(f.operand_type(op, 1))?,
    ];
    let mask = mask_around(f, op);
    let mut index = 0;
    for_each(&sizes, |counters| {
        let factors = [
            extended(
                lhs.elements[flat(&lhs.shape, &at(a, counters))],
                kinds[0],
                combiner.ty,
            ),
            extended(
                rhs.elements[flat(&rhs.shape, &at(b, counters))],
                kinds[1],
                combiner.ty,
            ),
        ];
        let place = flat(&totals.shape, &at(c, counters));
        if is_on(m, mask.as_deref(), index)? {
            let total = Some(totals.elements[place]);
            totals.elements[place] = combiner.next_product(m, f, total, factors)?;
        }
        index += 1;
        Ok(())
    })?;
    set(m, f, op, totals);
    Ok(())
}

fn outer_product(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let lhs = f.array(op, 0)?;
    let shape = m
        .context
        .shape(f.result_type(op, 0))
        .unwrap_or_default()
        .to_vec();
    let totals = f.group(op, 2).first().map(as_array).transpose()?;
    let combiner = Combiner::of(m, f, op)?;
    let mask = mask_around(f, op);
    let rhs = f.operand(op, 1).clone();
    let mut elements = Vec::new();
    let mut index = 0;
    for_each(&shape, |at| {
        let right = match &rhs {
            Value::Array(array) => array.elements[at[1] as usize],
            value => as_scalar(value)?,
        };
        let total = totals.as_ref().map(|array| array.elements[index]);
        elements.push(match is_on(m, mask.as_deref(), index)? {
            true => combiner.next_product(m, f, total, [lhs.elements[at[0] as usize], right])?,
            false => total.unwrap_or(Scalar::Bits(0)),
        });
        index += 1;
        Ok(())
    })?;
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

/// The product of two matrices that are stored by columns.
fn matrix_multiply(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (lhs, rhs) = (f.array(op, 0)?, f.array(op, 1)?);
    let size = |name| f.int_attr(op, name).unwrap_or(1) as usize;
    let (rows, inner, columns) = (
        size(Name::LHS_ROWS),
        size(Name::LHS_COLUMNS),
        size(Name::RHS_COLUMNS),
    );
    let combiner = Combiner::of(m, f, op)?;
    let mut elements = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let mut total = None;
            for k in 0..inner {
                let factors = [
                    lhs.elements[row + k * rows],
                    rhs.elements[k + column * inner],
                ];
                total = Some(combiner.next_product(m, f, total, factors)?);
            }
            elements.push(total.unwrap_or(Scalar::Bits(0)));
        }
    }
    f.set(op, 0, Value::array(vec![(rows * columns) as i64], elements));
    Ok(())
}

/// Running combinations along a dimension, as upstream's lowering makes them: an inclusive scan begins with the first
/// element alone, and the second result is the last slice of the first one.
fn scan(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let mut totals = (*f.array(op, 1)?).clone();
    let combiner = Combiner::of(m, f, op)?;
    let dim = f.int_attr(op, Name::REDUCTION_DIM).unwrap_or(0) as usize;
    let is_inclusive = f.attr(op, Name::INCLUSIVE) == Some(Attr::TRUE);
    let mut elements = vec![Scalar::Bits(0); n_elements(&array.shape)];
    for_each(&array.shape, |at| {
        let mut outer = at.to_vec();
        outer.remove(dim);
        let (place, total) = (flat(&array.shape, at), flat(&totals.shape, &outer));
        let before = totals.elements[total];
        let element = array.elements[place];
        if is_inclusive {
            let before = (at[dim] > 0).then_some(before);
            let next = combiner.next(m, f, before, element)?;
            totals.elements[total] = next;
            elements[place] = next;
        } else {
            elements[place] = before;
            if at[dim] + 1 < array.shape[dim] {
                totals.elements[total] = combiner.next(m, f, Some(before), element)?;
            }
        }
        Ok(())
    })?;
    f.set(op, 0, Value::array(array.shape.clone(), elements));
    f.set(op, 1, Value::array(totals.shape, totals.elements));
    Ok(())
}
