//! Simplification of affine expressions: sums are flattened, like terms collected, quotients and
//! remainders split, by the ranges of dimensions.
//!
//! Upstream flattens to rows of coefficients; here the atoms of a sum are
//! dimensions, symbols and whatever is not linear.

use crate::ir::affine::{AffineExpr, AffineMap, AffineOp};

/// Expressions with more nodes than this are left alone.
pub(super) const SIZE_LIMIT: usize = 512;

/// An inclusive range; a side that is `None` is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Range {
    pub(super) low: Option<i64>,
    pub(super) high: Option<i64>,
}

impl Range {
    /// The range of one number.
    fn constant(value: i64) -> Self {
        Self {
            low: Some(value),
            high: Some(value),
        }
    }

    fn add(self, other: Self) -> Self {
        Self {
            low: self.low.zip(other.low).and_then(|(a, b)| a.checked_add(b)),
            high: self
                .high
                .zip(other.high)
                .and_then(|(a, b)| a.checked_add(b)),
        }
    }

    fn scale(self, factor: i64) -> Self {
        let times = |side: Option<i64>| side.and_then(|side| side.checked_mul(factor));
        let (a, b) = (times(self.low), times(self.high));
        match factor {
            0 => Self::constant(0),
            1.. => Self { low: a, high: b },
            _ => Self { low: b, high: a },
        }
    }

    fn map(self, f: impl Fn(i64) -> i64) -> Self {
        Self {
            low: self.low.map(&f),
            high: self.high.map(&f),
        }
    }

    /// The number, if there is only one.
    pub(super) fn single(self) -> Option<i64> {
        self.low.filter(|_| self.low == self.high)
    }
}

/// Number of nodes; stops counting above the limit.
pub(super) fn size(expr: &AffineExpr) -> usize {
    fn count(expr: &AffineExpr, total: &mut usize) {
        *total += 1;
        if let AffineExpr::Binary(_, sides) = expr
            && *total <= SIZE_LIMIT
        {
            count(&sides.0, total);
            count(&sides.1, total);
        }
    }
    let mut total = 0;
    count(expr, &mut total);
    total
}

/// Facts about dimensions and symbols.
pub(super) struct Ranges<'a> {
    pub(super) dims: &'a [Range],
    pub(super) symbols: &'a [Range],
}

impl Ranges<'_> {
    /// The range of an expression.
    pub(super) fn of(&self, expr: &AffineExpr) -> Range {
        match expr {
            AffineExpr::Dim(i) => self.dims.get(*i as usize).copied().unwrap_or_default(),
            AffineExpr::Symbol(i) => self.symbols.get(*i as usize).copied().unwrap_or_default(),
            AffineExpr::Constant(value) => Range::constant(*value),
            AffineExpr::Binary(op, sides) => {
                let a = self.of(&sides.0);
                if *op == AffineOp::Add {
                    return a.add(self.of(&sides.1));
                }
                let Some(b) = sides.1.as_constant() else {
                    return Range::default();
                };
                match op {
                    AffineOp::Mul => a.scale(b),
                    AffineOp::FloorDiv if b > 0 => a.map(|a| a.div_euclid(b)),
                    AffineOp::CeilDiv if b > 0 => a.map(|a| ceil_div(a, b)),
                    AffineOp::Mod if b > 0 => Range {
                        low: Some(0),
                        high: Some(b - 1),
                    },
                    _ => Range::default(),
                }
            }
        }
    }
}

fn ceil_div(a: i64, b: i64) -> i64 {
    a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)
}

/// A sum: atoms with factors, and a constant.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    /// Atoms are distinct; those of factor 0 are gone.
    pub(super) terms: Vec<(AffineExpr, i64)>,
    pub(super) constant: i64,
}

impl Linear {
    fn constant(value: i64) -> Self {
        Self {
            terms: Vec::new(),
            constant: value,
        }
    }

    fn atom(expr: AffineExpr) -> Self {
        Self {
            terms: vec![(expr, 1)],
            constant: 0,
        }
    }

    fn add_term(&mut self, atom: AffineExpr, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|term| term.0 == atom) {
            Some(term) => term.1 = term.1.checked_add(factor)?,
            None => self.terms.push((atom, factor)),
        }
        self.terms.retain(|term| term.1 != 0);
        Some(())
    }

    fn add(mut self, other: Self) -> Option<Self> {
        for (atom, factor) in other.terms {
            self.add_term(atom, factor)?;
        }
        self.constant = self.constant.checked_add(other.constant)?;
        Some(self)
    }

    fn scale(mut self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::constant(0));
        }
        for term in &mut self.terms {
            term.1 = term.1.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        Some(self)
    }

    /// The number, if it is one.
    fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Splits into a multiple of `divisor`, divided by it, and the rest.
    fn split(&self, divisor: i64) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for (atom, factor) in &self.terms {
            if factor % divisor == 0 {
                quotient.terms.push((atom.clone(), factor / divisor));
            } else {
                rest.terms.push((atom.clone(), *factor));
            }
        }
        if self.constant % divisor == 0 {
            quotient.constant = self.constant / divisor;
        } else {
            rest.constant = self.constant;
        }
        (quotient, rest)
    }

    /// The expression, with terms in canonical order: dimensions, symbols,
    /// the others as they came, the constant.
    fn into_expr(mut self) -> AffineExpr {
        self.terms.sort_by_key(|(atom, _)| match atom {
            AffineExpr::Dim(i) => (0, *i),
            AffineExpr::Symbol(i) => (1, *i),
            _ => (2, 0),
        });
        let sum = self
            .terms
            .into_iter()
            .map(|(atom, factor)| atom.mul(AffineExpr::Constant(factor)))
            .reduce(AffineExpr::add)
            .unwrap_or(AffineExpr::Constant(0));
        sum.add(AffineExpr::Constant(self.constant))
    }
}

/// The sum that `expr` is; `None` if a number does not fit.
pub(super) fn flatten(expr: &AffineExpr, ranges: &Ranges<'_>) -> Option<Linear> {
    let (op, sides) = match expr {
        AffineExpr::Constant(value) => return Some(Linear::constant(*value)),
        AffineExpr::Dim(_) | AffineExpr::Symbol(_) => return Some(Linear::atom(expr.clone())),
        AffineExpr::Binary(op, sides) => (*op, sides),
    };
    let lhs = flatten(&sides.0, ranges)?;
    let rhs = flatten(&sides.1, ranges)?;
    match (op, rhs.as_constant()) {
        (AffineOp::Add, _) => return lhs.add(rhs),
        (AffineOp::Mul, Some(factor)) => return lhs.scale(factor),
        (AffineOp::Mul, None) => {
            if let Some(factor) = lhs.as_constant() {
                return rhs.scale(factor);
            }
        }
        (AffineOp::FloorDiv | AffineOp::CeilDiv | AffineOp::Mod, Some(divisor)) if divisor > 0 => {
            return divide(op, &lhs, divisor, ranges);
        }
        _ => {}
    }
    let atom = AffineExpr::binary(op, lhs.into_expr(), rhs.into_expr());
    Some(match atom {
        AffineExpr::Constant(value) => Linear::constant(value),
        _ => Linear::atom(atom),
    })
}

/// `lhs op divisor` for a division or remainder by a positive number.
fn divide(op: AffineOp, lhs: &Linear, divisor: i64, ranges: &Ranges<'_>) -> Option<Linear> {
    // (divisor * q + r) op divisor is q + r op divisor, or r mod divisor.
    let (quotient, rest) = lhs.split(divisor);
    if rest == Linear::default() {
        return Some(if op == AffineOp::Mod { rest } else { quotient });
    }
    let rest_expr = rest.clone().into_expr();
    let range = ranges.of(&rest_expr);
    if op == AffineOp::Mod {
        // r mod divisor is r where 0 <= r < divisor.
        if range.low.is_some_and(|low| low >= 0) && range.high.is_some_and(|high| high < divisor) {
            return Some(rest);
        }
    } else {
        let divided = range.map(|side| match op {
            AffineOp::FloorDiv => side.div_euclid(divisor),
            _ => ceil_div(side, divisor),
        });
        if let Some(value) = divided.single() {
            return quotient.add(Linear::constant(value));
        }
    }
    // Common factors cancel.
    let common = rest
        .terms
        .iter()
        .map(|term| term.1)
        .chain([rest.constant])
        .fold(divisor.unsigned_abs(), |a, b| gcd(a, b.unsigned_abs())) as i64;
    let (smaller, _) = rest.split(common);
    let inner = AffineExpr::binary(
        op,
        smaller.into_expr(),
        AffineExpr::Constant(divisor / common),
    );
    let inner = match inner {
        AffineExpr::Constant(value) => Linear::constant(value),
        _ => Linear::atom(inner),
    };
    if op == AffineOp::Mod {
        inner.scale(common)
    } else {
        quotient.add(inner)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `expr`, simplified.
pub(super) fn simplify(expr: &AffineExpr, ranges: &Ranges<'_>) -> AffineExpr {
    if size(expr) > SIZE_LIMIT {
        return expr.clone();
    }
    match flatten(expr, ranges) {
        Some(linear) => linear.into_expr(),
        None => expr.clone(),
    }
}

/// `map` with each result simplified.
pub(super) fn simplify_map(map: &AffineMap, ranges: &Ranges<'_>) -> AffineMap {
    AffineMap {
        results: map
            .results
            .iter()
            .map(|result| simplify(result, ranges))
            .collect(),
        ..*map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expr: AffineExpr, expected: &str) {
        let ranges = Ranges {
            dims: &[Range {
                low: Some(0),
                high: Some(7),
            }],
            symbols: &[],
        };
        assert_eq!(simplify(&expr, &ranges).to_string(), expected);
    }

    #[test]
    fn collects_and_splits() {
        let d = AffineExpr::Dim;
        let c = AffineExpr::Constant;
        check(d(1).add(d(2)).sub(d(1)), "d2");
        check(d(2).add(d(1)).add(c(3)).sub(c(3)), "d1 + d2");
        check(d(1).mul(c(8)).add(d(2)).modulo(c(4)), "d2 mod 4");
        check(
            d(1).mul(c(8)).add(d(2)).floor_div(c(4)),
            "d1 * 2 + d2 floordiv 4",
        );
        check(
            d(1).mul(c(6)).add(c(2)).floor_div(c(4)),
            "(d1 * 3 + 1) floordiv 2",
        );
        check(
            d(1).mul(c(6)).add(c(2)).modulo(c(4)),
            "((d1 * 3 + 1) mod 2) * 2",
        );
        // 0 <= d0 <= 7
        check(d(0).modulo(c(8)), "d0");
        check(d(0).floor_div(c(8)), "0");
        check(d(0).ceil_div(c(8)), "d0 ceildiv 8");
        check(d(1).mul(c(8)).add(d(0)).floor_div(c(8)), "d1");
        check(d(0).add(c(1)).ceil_div(c(8)), "1");
    }

    /// Numbers that look random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
            (self.0 >> 33) % n
        }

        fn number(&mut self) -> i64 {
            match self.below(12) {
                0 => 1 << 40,
                1 => i64::MAX,
                2 => i64::MIN,
                n => n as i64 - 6,
            }
        }

        /// An expression as it is written, and simplified while it is built.
        fn expr(&mut self, depth: u64) -> (AffineExpr, AffineExpr) {
            let leaf = match self.below(if depth == 0 { 3 } else { 9 }) {
                0 => AffineExpr::Dim(self.below(3) as u32),
                1 => AffineExpr::Symbol(self.below(2) as u32),
                2 => AffineExpr::Constant(self.number()),
                kind => {
                    let op = match kind {
                        3..=5 => AffineOp::Add,
                        6 => AffineOp::Mul,
                        7 => AffineOp::Mod,
                        _ if self.below(2) == 0 => AffineOp::FloorDiv,
                        _ => AffineOp::CeilDiv,
                    };
                    let lhs = self.expr(depth - 1);
                    let rhs = if self.below(3) == 0 || op == AffineOp::Add {
                        self.expr(depth - 1)
                    } else {
                        let number = AffineExpr::Constant(self.number());
                        (number.clone(), number)
                    };
                    return (
                        AffineExpr::Binary(op, (lhs.0, rhs.0).into()),
                        AffineExpr::binary(op, lhs.1, rhs.1),
                    );
                }
            };
            (leaf.clone(), leaf)
        }
    }

    #[test]
    fn simplified_expressions_have_the_same_values() {
        let mut random = Random(1);
        let range = |low, high| Range { low, high };
        let dims = [
            range(Some(0), Some(7)),
            range(None, Some(3)),
            range(Some(-5), None),
        ];
        let ranges = Ranges {
            dims: &dims,
            symbols: &[],
        };
        let mut n_compared = 0;
        for _ in 0..100_000 {
            let (written, built) = random.expr(4);
            let simple = simplify(&built, &ranges);
            for _ in 0..4 {
                let dims = [
                    random.below(8) as i64,
                    3 - random.below(9) as i64,
                    random.below(9) as i64 - 5,
                ];
                let symbols = [random.below(9) as i64 - 4, random.below(9) as i64];
                // Only where no step overflows or divides by a number that is not positive.
                let Some(expected) = written.evaluate(&dims, &symbols) else {
                    continue;
                };
                for expr in [&built, &simple] {
                    // Rearranged expressions may overflow on the way and wrap back.
                    let Some(value) = expr.evaluate(&dims, &symbols) else {
                        continue;
                    };
                    n_compared += 1;
                    assert_eq!(
                        value, expected,
                        "{written} became {expr} at {dims:?}{symbols:?}"
                    );
                }
            }
        }
        assert!(n_compared > 100_000, "only {n_compared}");
    }
}
