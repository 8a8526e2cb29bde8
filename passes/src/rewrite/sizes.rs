//! Sizes: numbers, or values of type index. Equal formulas of sizes are one value, so that dimensions which are known to
//! be equal are known by their values.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

/// The size of a dimension.
pub(crate) type Dim = MixedIndex;

/// A number.
pub(crate) fn c(number: i64) -> Dim {
    Dim::Constant(number)
}

/// What has been computed of sizes.
#[derive(Clone, Default)]
pub(crate) struct Sizes {
    /// Results by operation and operands.
    memo: FxHashMap<(&'static str, Key, Key), Value>,
    /// Values that are another one plus a number.
    sums: FxHashMap<Value, (Value, i64)>,
    /// Values that are products of others.
    products: FxHashMap<Value, (i64, Vec<Value>)>,
}

type Key = Result<Value, i64>;

fn key(dim: Dim) -> Key {
    match dim {
        Dim::Value(value) => Ok(value),
        Dim::Constant(number) => Err(number),
    }
}

impl Sizes {
    fn op(&mut self, b: &mut Builder<'_>, def: &'static OpDef, x: Dim, y: Dim) -> Value {
        let key = (def.name, key(x), key(y));
        if let Some(&value) = self.memo.get(&key) {
            return value;
        }
        let operands = [x.materialize(b), y.materialize(b)];
        let value = b.value(def, &operands, Type::INDEX);
        self.memo.insert(key, value);
        value
    }

    fn base(&self, x: Value) -> (Value, i64) {
        self.sums.get(&x).copied().unwrap_or((x, 0))
    }

    pub(crate) fn add(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            (Dim::Constant(x), Dim::Constant(y)) => c(x.saturating_add(y)),
            (Dim::Value(x), Dim::Constant(y)) | (Dim::Constant(y), Dim::Value(x)) => {
                let (base, before) = self.base(x);
                let sum = before + y;
                if sum == 0 {
                    return base.into();
                }
                let value = self.op(b, &arith::ADDI, base.into(), c(sum));
                self.sums.insert(value, (base, sum));
                value.into()
            }
            (Dim::Value(_), Dim::Value(_)) => self.op(b, &arith::ADDI, x, y).into(),
        }
    }

    pub(crate) fn sub(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            (_, Dim::Constant(y)) => self.add(b, x, c(y.saturating_neg())),
            (Dim::Value(p), Dim::Value(q)) => {
                let ((p, i), (q, j)) = (self.base(p), self.base(q));
                match p == q {
                    true => c(i - j),
                    false => self.op(b, &arith::SUBI, x, y).into(),
                }
            }
            _ => self.op(b, &arith::SUBI, x, y).into(),
        }
    }

    /// The factors of a size: a number, and values in order.
    pub(crate) fn factors(&self, x: Dim) -> (i64, Vec<Value>) {
        match x {
            Dim::Constant(number) => (number, Vec::new()),
            Dim::Value(value) => match self.products.get(&value) {
                Some(product) => product.clone(),
                None => (1, vec![value]),
            },
        }
    }

    /// The product of factors.
    pub(crate) fn product(
        &mut self,
        b: &mut Builder<'_>,
        (number, values): (i64, Vec<Value>),
    ) -> Dim {
        let mut values = values;
        values.sort();
        let Some((&first, rest)) = values.split_first() else {
            return c(number);
        };
        if number == 0 {
            return c(0);
        }
        let mut product = first;
        for &value in rest {
            product = self.op(b, &arith::MULI, product.into(), value.into());
        }
        if number != 1 {
            product = self.op(b, &arith::MULI, product.into(), c(number));
        }
        if number != 1 || !rest.is_empty() {
            self.products.insert(product, (number, values));
        }
        product.into()
    }

    pub(crate) fn mul(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        let ((m, mut p), (n, q)) = (self.factors(x), self.factors(y));
        p.extend(q);
        self.product(b, (m.saturating_mul(n), p))
    }

    /// The quotient without its rest, towards minus infinity; the divisor is positive.
    pub(crate) fn div(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            (Dim::Constant(x), Dim::Constant(y)) if y != 0 => c(x.div_euclid(y)),
            _ => self.quotient(b, &arith::FLOORDIVSI, x, y),
        }
    }

    /// The quotient of integers, towards zero.
    pub(crate) fn truncated_div(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            (Dim::Constant(x), Dim::Constant(y)) if y != 0 => c(x.wrapping_div(y)),
            _ => self.quotient(b, &arith::DIVSI, x, y),
        }
    }

    fn quotient(&mut self, b: &mut Builder<'_>, def: &'static OpDef, x: Dim, y: Dim) -> Dim {
        // What both are products of.
        let ((m, mut p), (n, q)) = (self.factors(x), self.factors(y));
        let all = q.iter().all(|value| {
            let at = p.iter().position(|other| other == value);
            at.map(|at| p.remove(at)).is_some()
        });
        match all && n != 0 && m % n == 0 {
            true => self.product(b, (m / n, p)),
            false => self.op(b, def, x, y).into(),
        }
    }

    pub(crate) fn ceil_div(&mut self, b: &mut Builder<'_>, x: Dim, y: i64) -> Dim {
        let sum = self.add(b, x, c(y - 1));
        self.div(b, sum, c(y))
    }

    pub(crate) fn max(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            _ if x == y => x,
            (Dim::Constant(x), Dim::Constant(y)) => c(x.max(y)),
            _ => self.op(b, &arith::MAXSI, x, y).into(),
        }
    }

    pub(crate) fn min(&mut self, b: &mut Builder<'_>, x: Dim, y: Dim) -> Dim {
        match (x, y) {
            _ if x == y => x,
            (Dim::Constant(x), Dim::Constant(y)) => c(x.min(y)),
            (x, Dim::Constant(i64::MAX)) | (Dim::Constant(i64::MAX), x) => x,
            _ => self.op(b, &arith::MINSI, x, y).into(),
        }
    }

    /// `this` where `x` and `y` compare so, else `other`.
    pub(crate) fn select(
        &mut self,
        b: &mut Builder<'_>,
        predicate: CmpIPredicate,
        (x, y): (Dim, Dim),
        this: Dim,
        other: Dim,
    ) -> Dim {
        if this == other {
            return this;
        }
        if let (Dim::Constant(x), Dim::Constant(y)) = (x, y) {
            let holds = match predicate {
                CmpIPredicate::Eq => x == y,
                CmpIPredicate::Ne => x != y,
                CmpIPredicate::Slt => x < y,
                CmpIPredicate::Sle => x <= y,
                CmpIPredicate::Sgt => x > y,
                _ => x >= y,
            };
            return if holds { this } else { other };
        }
        let (x, y) = (x.materialize(b), y.materialize(b));
        let condition = arith::compare(b, predicate, x, y);
        let (this, other) = (this.materialize(b), other.materialize(b));
        b.value(&arith::SELECT, &[condition, this, other], Type::INDEX)
            .into()
    }
}
