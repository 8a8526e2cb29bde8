//! Which elements of a buffer a piece of a block touches: a box, whose corner depends on what stands outside of the piece
//! and whose sizes are known.
//!
//! Subscripts are sums of multiples of counters; a counter lies between the bounds of its loop, which may depend on other
//! counters. Where that gives no size, the box is as long as the buffer.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::types::DYNAMIC;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::affine_memory::{Linear, range, subscripts};

/// Operations of one block, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) ops: &'a [Op],
}

impl Piece<'_> {
    /// The operation of the piece that holds `op`, or is it.
    fn holder(self, ir: &Ir, op: Op) -> Option<Op> {
        self.ops
            .iter()
            .copied()
            .find(|&outer| ir.is_ancestor(outer, op))
    }

    /// Whether a value is there before the piece.
    pub(crate) fn is_outside(self, ir: &Ir, value: Value) -> bool {
        let op = match ir.value_def(value) {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(block, _) => ir.block_parent_op(block),
        };
        op.is_none_or(|op| self.holder(ir, op).is_none())
    }
}

/// What a number lies between, both ends included.
#[derive(Clone)]
struct Span {
    low: Linear,
    high: Linear,
    /// Whether both ends are certainly reached.
    is_exact: bool,
}

impl Span {
    fn sum(self, other: &Self) -> Option<Self> {
        Some(Self {
            low: self.low.plus(&other.low)?,
            high: self.high.plus(&other.high)?,
            is_exact: self.is_exact && other.is_exact,
        })
    }

    fn times(self, factor: i64) -> Option<Self> {
        let (low, high) = (self.low.times(factor)?, self.high.times(factor)?);
        let is_exact = self.is_exact;
        Some(match factor < 0 {
            false => Self {
                low,
                high,
                is_exact,
            },
            true => Self {
                low: high,
                high: low,
                is_exact,
            },
        })
    }
}

/// Counters of loops whose bounds depend on counters, and so on: not more than this.
const MAX_DEPTH: usize = 16;

fn span_of_value(ir: &Ir, piece: Piece<'_>, value: Value, depth: usize) -> Option<Span> {
    if piece.is_outside(ir, value) {
        let value = Linear::value(value);
        return Some(Span {
            low: value.clone(),
            high: value,
            is_exact: true,
        });
    }
    let ValueDef::Argument(block, 0) = ir.value_def(value) else {
        return None;
    };
    let op = (ir.block_parent_op(block)).filter(|&op| ir.is(op, &affine::FOR))?;
    span_of_counter(ir, piece, op, depth)
}

fn span_of_counter(ir: &Ir, piece: Piece<'_>, op: Op, depth: usize) -> Option<Span> {
    let depth = depth.checked_sub(1)?;
    let view = affine::For(op);
    let bound = |map, operands| MapAndOperands::new(map, operands).canonical(ir);
    let lower = bound(
        view.lower_bound_map(ir).clone(),
        view.lower_bound_operands(ir),
    );
    let upper = bound(
        view.upper_bound_map(ir).clone(),
        view.upper_bound_operands(ir),
    );
    let spans = |bound: &MapAndOperands| -> Vec<Span> {
        let expr = |expr| span_of_expr(ir, piece, expr, bound, depth);
        bound.map.results.iter().filter_map(expr).collect()
    };
    let (lows, highs) = (spans(&lower), spans(&upper));
    // The counter is not less than any of the first, and less than any of the others.
    let low = (lows.iter().find(|span| span.low.as_constant().is_some())).or(lows.first())?;
    let length = |span: &&Span| span.high.minus(&low.low)?.as_constant();
    let high = (highs.iter().filter(|span| length(span).is_some()))
        .min_by_key(length)
        .or(highs.first())?;
    let is_single = lower.map.results.len() == 1 && upper.map.results.len() == 1;
    let is_fixed = |span: &Span| span.is_exact && span.low == span.high;
    let mut last = high.high.clone().plus(&Linear::constant(-1))?;
    let mut is_exact = false;
    if let Some(length) = length(&high)
        && is_single
        && is_fixed(low)
        && is_fixed(high)
        && length > 0
    {
        is_exact = true;
        last = low.low.clone().plus(&Linear::constant(
            (length - 1) / view.step(ir) * view.step(ir),
        ))?;
    }
    Some(Span {
        low: low.low.clone(),
        high: last,
        is_exact,
    })
}

fn span_of_expr(
    ir: &Ir,
    piece: Piece<'_>,
    expr: &AffineExpr,
    place: &MapAndOperands,
    depth: usize,
) -> Option<Span> {
    let n_dims = place.map.n_dims as usize;
    if let Some(linear) = Linear::of(expr, n_dims, &place.operands) {
        let constant = Linear::constant(linear.as_number());
        let mut span = Span {
            low: constant.clone(),
            high: constant,
            is_exact: true,
        };
        for (value, factor) in linear.terms() {
            let term = span_of_value(ir, piece, value, depth)?.times(factor)?;
            span = span.sum(&term)?;
        }
        return Some(span);
    }
    let AffineExpr::Binary(op, parts) = expr else {
        return None;
    };
    let left = || span_of_expr(ir, piece, &parts.0, place, depth);
    let ends = |low, high| Span {
        low: Linear::constant(low),
        high: Linear::constant(high),
        is_exact: false,
    };
    match op {
        AffineOp::Add => {
            let mut sum = left()?.sum(&span_of_expr(ir, piece, &parts.1, place, depth)?)?;
            // The two may depend on the same counter.
            sum.is_exact = false;
            Some(sum)
        }
        AffineOp::Mod => {
            let divisor = parts.1.as_constant().filter(|&divisor| divisor > 0)?;
            Some(ends(0, divisor - 1))
        }
        AffineOp::FloorDiv => {
            let divisor = parts.1.as_constant().filter(|&divisor| divisor > 0)?;
            let span = left()?;
            let [low, high] = [span.low, span.high].map(|end| end.as_constant());
            Some(ends(low?.div_euclid(divisor), high?.div_euclid(divisor)))
        }
        _ => None,
    }
}

/// One dimension of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// The first subscript.
    pub(crate) low: Linear,
    /// How many there are.
    pub(crate) size: i64,
    /// The size of the buffer, if the box may reach beyond it.
    pub(crate) limit: Option<i64>,
}

/// What a piece touches of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) memref: Value,
    pub(crate) sides: Vec<Side>,
    pub(crate) is_written: bool,
    /// Whether one of the accesses certainly happens.
    pub(crate) is_certain: bool,
    /// Whether each element is certainly written, and none read.
    pub(crate) is_covered: bool,
    /// Whether the box is in the buffer because the program would be wrong otherwise: then it is only where it is executed.
    pub(crate) is_assumed: bool,
    /// The loads and stores.
    pub(crate) accesses: Vec<Op>,
}

impl Region {
    /// The elements in the box.
    pub(crate) fn n_elements(&self) -> Option<i64> {
        (self.sides.iter()).try_fold(1i64, |n, side| n.checked_mul(side.size))
    }

    /// The bytes of a buffer of this size.
    pub(crate) fn n_bytes(&self, ir: &Ir) -> u64 {
        let element = ir
            .context()
            .element_type_or_self(ir.value_type(self.memref));
        let bytes = ir.context().element_byte_size(element).unwrap_or(0);
        let n = self.n_elements().unwrap_or(i64::MAX).unsigned_abs();
        bytes.saturating_mul(n)
    }
}

/// The bytes of all boxes that an operation touches; `None` if that is not known.
pub(crate) fn touched_bytes(ir: &Ir, op: Op) -> Option<u64> {
    let mut touched: IndexMap<Value, Vec<Op>, FxBuildHasher> = IndexMap::default();
    for inner in ir.walk(op) {
        if let Some((memref, _)) = subscripts(ir, inner) {
            touched.entry(memref).or_default().push(inner);
        }
    }
    let ops = [op];
    let piece = Piece { ops: &ops };
    touched.into_iter().try_fold(0, |sum: u64, (memref, ops)| {
        let region = region(ir, piece, memref, &ops)?;
        Some(sum.saturating_add(region.n_bytes(ir)))
    })
}

/// What these affine loads and stores of `memref` touch; `None` if that is not known.
pub(crate) fn region(ir: &Ir, piece: Piece<'_>, memref: Value, accesses: &[Op]) -> Option<Region> {
    let shape = ir.context().shape(ir.value_type(memref))?.to_vec();
    let is_certain = |&op: &Op| is_certain(ir, piece, op);
    let are_certain = accesses.iter().all(is_certain);
    let is_read = accesses.iter().any(|&op| ir.is(op, &affine::LOAD));
    let is_written = accesses.iter().any(|&op| ir.is(op, &affine::STORE));
    let mut spans: Vec<Vec<Option<Span>>> = Vec::new();
    for &op in accesses {
        let (_, place) = subscripts(ir, op)?;
        let span = |expr| span_of_expr(ir, piece, expr, &place, MAX_DEPTH);
        spans.push(place.map.results.iter().map(span).collect());
    }
    let mut sides = Vec::new();
    let mut as_is = Vec::new();
    let mut is_assumed = false;
    for (dim, &size) in shape.iter().enumerate() {
        let spans: Option<Vec<&Span>> = spans.iter().map(|dims| dims[dim].as_ref()).collect();
        let union = spans.as_deref().and_then(union);
        let are_exact =
            are_certain && spans.is_some_and(|spans| spans.iter().all(|span| span.is_exact));
        as_is.push(union.clone());
        let side = match union {
            // Nothing says that other elements than those exist.
            _ if size == DYNAMIC && !are_exact => return None,
            Some(side) if size == DYNAMIC => {
                is_assumed = true;
                side
            }
            None => Side {
                low: Linear::constant(0),
                size,
                limit: None,
            },
            Some(side) => {
                let side = within(ir, side, size)?;
                is_assumed |= side.limit.is_some() && are_exact;
                Side {
                    limit: side.limit.filter(|_| !are_exact),
                    ..side
                }
            }
        };
        sides.push(side);
    }
    let covers = |&op: &Op| {
        let own = spans[accesses.iter().position(|&other| other == op)?].iter();
        let own: Option<Vec<Side>> = own.map(|span| union(&[span.as_ref()?])).collect();
        let is_whole = own? == as_is.iter().cloned().collect::<Option<Vec<Side>>>()?;
        (is_whole && is_certain(&op) && steps_through_all(ir, piece, op)).then_some(())
    };
    Some(Region {
        memref,
        sides,
        is_written,
        is_certain: accesses.iter().any(is_certain),
        is_assumed,
        is_covered: !is_read && accesses.iter().any(|op| covers(op).is_some()),
        accesses: accesses.to_vec(),
    })
}

/// The side that holds all spans; `None` if it has no known size.
fn union(spans: &[&Span]) -> Option<Side> {
    let mut low = spans.first()?.low.clone();
    let mut high = spans.first()?.high.clone();
    for span in spans {
        if span.low.minus(&low)?.as_constant()? < 0 {
            low = span.low.clone();
        }
        if span.high.minus(&high)?.as_constant()? > 0 {
            high = span.high.clone();
        }
    }
    let size = high.minus(&low)?.as_constant()?.checked_add(1)?;
    (size > 0).then_some(Side {
        low,
        size,
        limit: None,
    })
}

/// The part of a side that is in a buffer of this size, or what says where it ends; `None` if there is none.
fn within(ir: &Ir, side: Side, limit: i64) -> Option<Side> {
    let (mut least, mut most) = (side.low.as_number(), side.low.as_number());
    let mut is_known = true;
    for (value, factor) in side.low.terms() {
        let Some((a, b)) = range(ir, value) else {
            is_known = false;
            continue;
        };
        let (a, b) = (a.checked_mul(factor)?, b.checked_mul(factor)?);
        least = least.checked_add(a.min(b))?;
        most = most.checked_add(a.max(b))?;
    }
    let end = most.checked_add(side.size)?;
    if is_known && least >= 0 && end <= limit {
        return Some(side);
    }
    if side.low.as_constant().is_some() {
        let low = least.max(0);
        let size = end.min(limit) - low;
        return (size > 0).then_some(Side {
            low: Linear::constant(low),
            size,
            limit: None,
        });
    }
    Some(Side {
        limit: Some(limit),
        ..side
    })
}

/// Whether an operation is certainly executed when the piece is: only loops are around it that have iterations.
fn is_certain(ir: &Ir, piece: Piece<'_>, op: Op) -> bool {
    let mut current = op;
    while !piece.ops.contains(&current) {
        let Some(parent) = ir.parent_op(current) else {
            return false;
        };
        let is_for = ir.is(parent, &affine::FOR);
        if !is_for
            || !span_of_counter(ir, piece, parent, MAX_DEPTH).is_some_and(|span| span.is_exact)
        {
            return false;
        }
        current = parent;
    }
    true
}

/// Whether a store goes through all elements of its box: each subscript goes up or down by one with another counter.
fn steps_through_all(ir: &Ir, piece: Piece<'_>, op: Op) -> bool {
    let Some((_, place)) = subscripts(ir, op) else {
        return false;
    };
    let mut seen = Vec::new();
    place.map.results.iter().all(|expr| {
        let linear = Linear::of(expr, place.map.n_dims as usize, &place.operands);
        let Some(linear) = linear else {
            return false;
        };
        let inner: Vec<(Value, i64)> = (linear.terms())
            .filter(|&(value, _)| !piece.is_outside(ir, value))
            .collect();
        match inner[..] {
            [] => true,
            [(counter, 1 | -1)] if !seen.contains(&counter) => {
                seen.push(counter);
                let ValueDef::Argument(block, _) = ir.value_def(counter) else {
                    return false;
                };
                let op = ir.block_parent_op(block);
                op.is_some_and(|op| ir.is(op, &affine::FOR) && affine::For(op).step(ir) == 1)
            }
            _ => false,
        }
    })
}
