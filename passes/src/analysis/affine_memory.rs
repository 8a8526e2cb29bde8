//! Which iterations of affine loops touch the same elements.
//!
//! Subscripts are taken apart into sums of multiples of values. Two accesses are told apart by one dimension: if its
//! subscripts are the same function of the loop's counter and of what does not change in the loop, other iterations touch
//! other elements, unless a layout puts several subscripts at one place. Operations that are not understood may access
//! anything. Unlike upstream's, this analysis takes two buffers for different ones only if they are: two arguments of a
//! function may be one buffer, unless one is `llvm.noalias`.

use std::collections::BTreeMap;

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap, AffineOp};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;

use super::loop_memory::{are_distinct, has_distinct_elements, is_outside, viewed};

/// A sum of multiples of values, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Linear {
    terms: BTreeMap<Value, i64>,
    constant: i64,
}

impl Linear {
    /// `expr` of these values, if it is linear.
    pub(crate) fn of(expr: &AffineExpr, n_dims: usize, operands: &[Value]) -> Option<Self> {
        let value = |index: usize| Some(Self::value(*operands.get(index)?));
        match expr {
            AffineExpr::Constant(constant) => Some(Self::constant(*constant)),
            AffineExpr::Dim(dim) => value(*dim as usize),
            AffineExpr::Symbol(symbol) => value(n_dims + *symbol as usize),
            AffineExpr::Binary(op, parts) => {
                let (left, right) = (&parts.0, &parts.1);
                let left = Self::of(left, n_dims, operands)?;
                let right = Self::of(right, n_dims, operands)?;
                match op {
                    AffineOp::Add => left.plus(&right),
                    AffineOp::Mul if right.terms.is_empty() => left.times(right.constant),
                    AffineOp::Mul if left.terms.is_empty() => right.times(left.constant),
                    _ => None,
                }
            }
        }
    }

    pub(crate) fn plus(mut self, other: &Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (&value, &factor) in &other.terms {
            let known = self.terms.entry(value).or_insert(0);
            *known = known.checked_add(factor)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Some(self)
    }

    pub(crate) fn times(mut self, factor: i64) -> Option<Self> {
        self.constant = self.constant.checked_mul(factor)?;
        for known in self.terms.values_mut() {
            *known = known.checked_mul(factor)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Some(self)
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.clone().plus(&other.clone().times(-1)?)
    }

    /// The value itself.
    pub(crate) fn value(value: Value) -> Self {
        Self {
            terms: BTreeMap::from([(value, 1)]),
            constant: 0,
        }
    }

    /// A number.
    pub(crate) fn constant(constant: i64) -> Self {
        Self {
            terms: BTreeMap::new(),
            constant,
        }
    }

    /// The number in the sum.
    pub(crate) fn as_number(&self) -> i64 {
        self.constant
    }

    /// The number that it is, whatever the values are.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The values and their factors.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Value, i64)> + '_ {
        self.terms.iter().map(|(&value, &factor)| (value, factor))
    }

    fn factor(&self, value: Value) -> i64 {
        self.terms.get(&value).copied().unwrap_or(0)
    }
}

/// A load or a store of one element.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) memref: Value,
    pub(crate) is_store: bool,
    /// The subscripts, where they are linear.
    place: Vec<Option<Linear>>,
}

/// The subscripts of an affine load or store, applications composed into them.
pub(crate) fn subscripts(ir: &Ir, op: Op) -> Option<(Value, MapAndOperands)> {
    let (first, memref) = if ir.is(op, &affine::LOAD) {
        (1, ir.operand(op, 0))
    } else if ir.is(op, &affine::STORE) {
        (2, ir.operand(op, 1))
    } else {
        let (memref, indices) = memref::access::accessed_element(ir, op)?;
        let map = AffineMap::identity(indices.len());
        return Some((memref, MapAndOperands::new(map, indices).canonical(ir)));
    };
    Some((
        memref,
        affine::map_and_operands(ir, op, Name::MAP, first)?.canonical(ir),
    ))
}

impl Access {
    /// The access that `op` is.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Self> {
        let (memref, MapAndOperands { map, operands }) = subscripts(ir, op)?;
        let linear = |expr| Linear::of(expr, map.n_dims as usize, &operands);
        Some(Self {
            memref,
            is_store: ir.results(op).is_empty(),
            place: map.results.iter().map(linear).collect(),
        })
    }
}

impl Access {
    /// By how much each subscript grows with `counter`; `None` if one is not linear.
    pub(crate) fn growth(&self, counter: Value) -> Option<Vec<i64>> {
        let factors = self.place.iter();
        factors
            .map(|linear| Some(linear.as_ref()?.factor(counter)))
            .collect()
    }

    /// The access with `to` in place of `from`.
    pub(crate) fn with_counter(mut self, from: Value, to: Value) -> Self {
        for linear in self.place.iter_mut().flatten() {
            if let Some(factor) = linear.terms.remove(&from) {
                let known = linear.terms.entry(to).or_insert(0);
                *known = known.wrapping_add(factor);
                linear.terms.retain(|_, factor| *factor != 0);
            }
        }
        self
    }

    /// Whether two accesses of one memref certainly touch different elements where they see the same values.
    fn is_elsewhere(&self, ir: &Ir, other: &Self) -> bool {
        let mut places = self.place.iter().zip(&other.place);
        has_distinct_elements(ir, self.memref)
            && places.any(|(a, b)| match (a, b) {
                (Some(a), Some(b)) => a.terms == b.terms && a.constant != b.constant,
                _ => false,
            })
    }
}

/// Whether `op`, or something in it, may write to what `access` touches, in the same iteration of all loops around both.
pub(crate) fn may_write(ir: &Ir, op: Op, access: &Access) -> bool {
    ir.walk(op).any(|inner| {
        if let Some(other) = Access::of(ir, inner) {
            let is_same_iteration = inner == op;
            return other.is_store
                && !are_apart(ir, other.memref, access.memref)
                && !(is_same_iteration
                    && other.memref == access.memref
                    && other.is_elsewhere(ir, access));
        }
        let Some(effects) = ir.own_effects(inner) else {
            return true;
        };
        effects.iter().any(|effect| match effect.kind {
            EffectKind::Read | EffectKind::Allocate => false,
            EffectKind::Write | EffectKind::Free => effect
                .value
                .is_none_or(|value| !ir.is_memref(value) || !are_apart(ir, value, access.memref)),
        })
    })
}

/// All accesses inside of `op`; `None` if something there has other effects.
pub(crate) fn accesses(ir: &Ir, op: Op) -> Option<Vec<Access>> {
    let mut accesses = Vec::new();
    for inner in ir.walk(op) {
        if let Some(access) = Access::of(ir, inner) {
            accesses.push(access);
        } else if ir
            .own_effects(inner)
            .is_none_or(|effects| !effects.is_empty())
        {
            return None;
        }
    }
    Some(accesses)
}

/// Whether two buffers are certainly different ones.
pub(crate) fn are_apart(ir: &Ir, a: Value, b: Value) -> bool {
    let (a, b) = (viewed(ir, a), viewed(ir, b));
    a != b
        && (are_distinct(ir, a, b)
            || is_argument(ir, a) && is_argument(ir, b) && (is_noalias(ir, a) || is_noalias(ir, b)))
}

fn is_argument(ir: &Ir, value: Value) -> bool {
    matches!(ir.value_def(value), ValueDef::Argument(block, _) if Some(block) == ir.root_block())
}

fn is_noalias(ir: &Ir, argument: Value) -> bool {
    let context = ir.context();
    let ValueDef::Argument(_, index) = ir.value_def(argument) else {
        return false;
    };
    let attrs = ir
        .attr(ir.root(), Name::ARG_ATTRS)
        .and_then(|attr| context.attr_array(attr));
    let dict = attrs
        .and_then(|attrs| attrs.get(index as usize))
        .map(|&attr| context.attr_kind(attr));
    match dict {
        Some(AttrKind::Dictionary(dict)) => context
            .dict_get(*dict, context.intern_name("llvm.noalias"))
            .is_some(),
        _ => false,
    }
}

/// The smallest and the largest value of what counts an affine loop with known bounds.
pub(crate) fn range(ir: &Ir, value: Value) -> Option<(i64, i64)> {
    let ValueDef::Argument(block, 0) = ir.value_def(value) else {
        return None;
    };
    let op = ir
        .block_parent_op(block)
        .filter(|&op| ir.is(op, &affine::FOR))?;
    let view = affine::For(op);
    let low = view.constant_lower_bound(ir)?;
    let n = i64::try_from(view.trip_count(ir)?).ok()?;
    let last = (n - 1)
        .max(0)
        .checked_mul(view.step(ir))?
        .checked_add(low)?;
    Some((low, last))
}

/// Whether no two different iterations of the loop `op` touch one element, the one with `a` and the other with `b`. What
/// is outside of the loop is the same for both.
pub(crate) fn iterations_are_apart(ir: &Ir, op: Op, a: &Access, b: &Access) -> bool {
    if are_apart(ir, a.memref, b.memref) {
        return true;
    }
    if a.memref != b.memref {
        return false;
    }
    if !is_outside(ir, a.memref, op) {
        // Each iteration has a buffer of its own if it makes it.
        return ir
            .defining_op(a.memref)
            .is_some_and(|def| super::loop_memory::is_alloc(ir, def));
    }
    if !has_distinct_elements(ir, a.memref) {
        return false;
    }
    let counter = affine::For(op).induction_variable(ir);
    let step = affine::For(op).step(ir);
    let is_apart_by = |(a, b): (&Option<Linear>, &Option<Linear>)| {
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        is_apart_by(ir, op, counter, step, a, b).unwrap_or(false)
    };
    a.place.iter().zip(&b.place).any(is_apart_by)
}

fn is_apart_by(ir: &Ir, op: Op, counter: Value, step: i64, a: &Linear, b: &Linear) -> Option<bool> {
    let factor = a.factor(counter);
    if factor == 0 || factor != b.factor(counter) {
        return Some(false);
    }
    // a - b without the counter lies between these.
    let (mut low, mut high) = (
        a.constant.checked_sub(b.constant)?,
        a.constant.checked_sub(b.constant)?,
    );
    for (side, sign) in [(a, 1), (b, -1)] {
        for (&value, &factor) in side.terms.iter().filter(|&(&value, _)| value != counter) {
            if is_outside(ir, value, op) {
                if a.factor(value) != b.factor(value) {
                    return Some(false);
                }
                continue;
            }
            let (least, most) = range(ir, value)?;
            let ends = [least, most].map(|end| end.checked_mul(factor)?.checked_mul(sign));
            let [Some(x), Some(y)] = ends else {
                return None;
            };
            low = low.checked_add(x.min(y))?;
            high = high.checked_add(x.max(y))?;
        }
    }
    let stride = factor.checked_mul(step)?.checked_abs()?;
    let is_short = low.checked_abs()? < stride && high.checked_abs()? < stride;
    Some(is_short || low == high && low % stride != 0)
}

/// Whether `a` and `b` touch one element only where the counter of `op` has one value, whatever the loops of `band`, of
/// which it is one, count.
fn is_same_iteration(ir: &Ir, band: &[Op], op: Op, a: &Access, b: &Access) -> bool {
    let counter = affine::For(op).induction_variable(ir);
    a.place.iter().zip(&b.place).any(|(a, b)| {
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        let is_fixed = |&value: &Value| value == counter || is_outside(ir, value, band[0]);
        a == b && a.factor(counter) != 0 && a.terms.keys().all(is_fixed)
    })
}

/// Whether the loops of a band, one right inside of the other, may run in blocks and in any order of the loops: two
/// iterations that depend on each other differ in one counter only.
pub(crate) fn is_permutable(ir: &Ir, band: &[Op], accesses: &[Access]) -> bool {
    pairs(accesses).all(|(a, b)| {
        if are_apart(ir, a.memref, b.memref) {
            return true;
        }
        if a.memref != b.memref || !has_distinct_elements(ir, a.memref) {
            return false;
        }
        let is_other = |&&op: &&Op| !is_same_iteration(ir, band, op, a, b);
        band.iter().filter(is_other).count() <= 1
    })
}

/// Pairs of accesses one of which writes, each access with itself included.
pub(crate) fn pairs(accesses: &[Access]) -> impl Iterator<Item = (&Access, &Access)> {
    (accesses.iter().enumerate())
        .flat_map(|(index, a)| accesses[index..].iter().map(move |b| (a, b)))
        .filter(|(a, b)| a.is_store || b.is_store)
}
