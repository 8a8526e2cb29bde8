//! Affine expressions, maps and integer sets.
//!
//! Expressions are built through the arithmetic constructors, which simplify
//! as upstream's do (constants fold and move right), so that equal maps
//! usually are equal data.

use std::fmt;
use std::sync::Arc;

/// The binary operators of affine expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineOp {
    /// `a + b`
    Add,
    /// `a * b`, at least one side without dimensions
    Mul,
    /// `a mod b`: the remainder of floor division, never negative for positive `b`
    Mod,
    /// `a floordiv b`
    FloorDiv,
    /// `a ceildiv b`
    CeilDiv,
}

/// An affine expression over dimensions and symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AffineExpr {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// A number.
    Constant(i64),
    /// An operator applied to two expressions.
    Binary(AffineOp, Arc<(AffineExpr, AffineExpr)>),
}

impl AffineExpr {
    /// Whether no dimension and no symbol occurs.
    pub fn as_constant(&self) -> Option<i64> {
        match self {
            Self::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether no dimension occurs: symbols and constants only.
    pub fn is_symbolic_or_constant(&self) -> bool {
        match self {
            Self::Dim(_) => false,
            Self::Symbol(_) | Self::Constant(_) => true,
            Self::Binary(_, sides) => {
                sides.0.is_symbolic_or_constant() && sides.1.is_symbolic_or_constant()
            }
        }
    }

    /// Whether the expression is affine as upstream defines it: products and
    /// divisions have a side that is constant or symbolic.
    pub fn is_pure_affine(&self) -> bool {
        match self {
            Self::Dim(_) | Self::Symbol(_) | Self::Constant(_) => true,
            Self::Binary(op, sides) => {
                let (lhs, rhs) = (&sides.0, &sides.1);
                let both = lhs.is_pure_affine() && rhs.is_pure_affine();
                match op {
                    AffineOp::Add => both,
                    AffineOp::Mul => {
                        both && (lhs.as_constant().is_some() || rhs.as_constant().is_some())
                    }
                    AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv => {
                        lhs.is_pure_affine() && rhs.as_constant().is_some()
                    }
                }
            }
        }
    }

    fn raw(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> Self {
        Self::Binary(op, Arc::new((lhs, rhs)))
    }

    /// `lhs op rhs`, simplified.
    pub fn binary(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> Self {
        match op {
            AffineOp::Add => lhs.add(rhs),
            AffineOp::Mul => lhs.mul(rhs),
            AffineOp::Mod => lhs.modulo(rhs),
            AffineOp::FloorDiv => lhs.floor_div(rhs),
            AffineOp::CeilDiv => lhs.ceil_div(rhs),
        }
    }

    /// `self + rhs`, simplified.
    #[expect(
        clippy::should_implement_trait,
        reason = "all five operators are methods"
    )]
    pub fn add(self, rhs: AffineExpr) -> Self {
        match (&self, &rhs) {
            (Self::Constant(a), Self::Constant(b)) => {
                if let Some(sum) = a.checked_add(*b) {
                    return Self::Constant(sum);
                }
            }
            // Constants and symbols stand to the right.
            (Self::Constant(_), _) => return rhs.add(self),
            (_, Self::Constant(0)) => return self,
            (_, Self::Constant(b)) => {
                if let Self::Binary(AffineOp::Add, sides) = &self
                    && let Self::Constant(a) = sides.1
                    && let Some(sum) = a.checked_add(*b)
                {
                    return sides.0.clone().add(Self::Constant(sum));
                }
            }
            _ => {}
        }
        if self.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant() {
            return rhs.add(self);
        }
        // c1 * e + c2 * e  ->  (c1 + c2) * e
        let (lhs_factor, lhs_base) = self.split_factor();
        let (rhs_factor, rhs_base) = rhs.split_factor();
        if lhs_base == rhs_base
            && let Some(factor) = lhs_factor.checked_add(rhs_factor)
        {
            return lhs_base.clone().mul(Self::Constant(factor));
        }
        // (a + constant) + b  ->  (a + b) + constant
        if let Self::Binary(AffineOp::Add, sides) = &self
            && let Self::Constant(_) = sides.1
            && rhs.as_constant().is_none()
        {
            let (a, constant) = (sides.0.clone(), sides.1.clone());
            return a.add(rhs).add(constant);
        }
        if let Some(divisor) = rhs.as_subtracted_multiple_of(&self) {
            return self.modulo(divisor);
        }
        Self::raw(AffineOp::Add, self, rhs)
    }

    /// The constant factor of a product and the rest.
    fn split_factor(&self) -> (i64, &AffineExpr) {
        if let Self::Binary(AffineOp::Mul, sides) = self
            && let Self::Constant(factor) = sides.1
        {
            return (factor, &sides.0);
        }
        (1, self)
    }

    /// The `q` for which this is `-q * (expr floordiv q)`, so that adding it
    /// to `expr` leaves `expr mod q`.
    fn as_subtracted_multiple_of(&self, expr: &AffineExpr) -> Option<AffineExpr> {
        let Self::Binary(AffineOp::Mul, sides) = self else {
            return None;
        };
        let is_quotient = |quotient: &AffineExpr, divisor: &AffineExpr| {
            matches!(quotient, Self::Binary(AffineOp::FloorDiv, inner)
                if inner.0 == *expr && inner.1 == *divisor)
        };
        // (expr floordiv q) * q * -1
        if sides.1 == Self::Constant(-1)
            && let Self::Binary(AffineOp::Mul, product) = &sides.0
            && is_quotient(&product.0, &product.1)
        {
            return Some(product.1.clone());
        }
        // (expr floordiv c) * -c
        match sides.1 {
            Self::Constant(factor) => {
                let divisor = Self::Constant(factor.checked_neg()?);
                is_quotient(&sides.0, &divisor).then_some(divisor)
            }
            _ => None,
        }
    }

    /// `self - rhs`, simplified.
    #[expect(
        clippy::should_implement_trait,
        reason = "all five operators are methods"
    )]
    pub fn sub(self, rhs: AffineExpr) -> Self {
        self.add(rhs.mul(Self::Constant(-1)))
    }

    /// `self * rhs`, simplified.
    #[expect(
        clippy::should_implement_trait,
        reason = "all five operators are methods"
    )]
    pub fn mul(self, rhs: AffineExpr) -> Self {
        match (&self, &rhs) {
            (Self::Constant(a), Self::Constant(b)) => {
                if let Some(product) = a.checked_mul(*b) {
                    return Self::Constant(product);
                }
            }
            (Self::Constant(_), _) => return rhs.mul(self),
            (_, Self::Constant(1)) => return self,
            (_, Self::Constant(0)) => return rhs,
            (_, Self::Constant(b)) => {
                if let Self::Binary(AffineOp::Mul, sides) = &self
                    && let Self::Constant(a) = sides.1
                    && let Some(product) = a.checked_mul(*b)
                {
                    return sides.0.clone().mul(Self::Constant(product));
                }
            }
            _ => {}
        }
        if self.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant() {
            return rhs.mul(self);
        }
        // (a * constant) * b  ->  (a * b) * constant
        if let Self::Binary(AffineOp::Mul, sides) = &self
            && let Self::Constant(_) = sides.1
            && rhs.as_constant().is_none()
        {
            let (a, constant) = (sides.0.clone(), sides.1.clone());
            return a.mul(rhs).mul(constant);
        }
        Self::raw(AffineOp::Mul, self, rhs)
    }

    /// The largest constant known to divide this expression.
    pub fn largest_known_divisor(&self) -> u64 {
        match self {
            Self::Constant(value) => value.unsigned_abs(),
            Self::Dim(_) | Self::Symbol(_) => 1,
            Self::Binary(op, sides) => {
                let (lhs, rhs) = (
                    sides.0.largest_known_divisor(),
                    sides.1.largest_known_divisor(),
                );
                match op {
                    // Either side divides the product as well.
                    AffineOp::Mul => lhs.checked_mul(rhs).unwrap_or(lhs),
                    AffineOp::Add | AffineOp::Mod => gcd(lhs, rhs),
                    AffineOp::FloorDiv | AffineOp::CeilDiv => match sides.1.as_constant() {
                        Some(c) if c != 0 && lhs.is_multiple_of(c.unsigned_abs()) => {
                            lhs / c.unsigned_abs()
                        }
                        _ => 1,
                    },
                }
            }
        }
    }

    /// Whether the expression is known to be a multiple of `factor`.
    pub fn is_multiple_of(&self, factor: i64) -> bool {
        match self {
            Self::Constant(value) => factor != 0 && value % factor == 0,
            _ => {
                let divisor = self.largest_known_divisor();
                factor != 0 && divisor != 0 && divisor.is_multiple_of(factor.unsigned_abs())
            }
        }
    }

    /// `self floordiv rhs`, simplified.
    pub fn floor_div(self, rhs: AffineExpr) -> Self {
        if let Self::Constant(b) = rhs
            && b > 0
        {
            if let Self::Constant(a) = self {
                return Self::Constant(a.div_euclid(b));
            }
            if b == 1 {
                return self;
            }
            if let Some(quotient) = self.exact_quotient(b) {
                return quotient;
            }
            if let Self::Binary(AffineOp::Add, sides) = &self
                && (sides.0.is_multiple_of(b) || sides.1.is_multiple_of(b))
            {
                let (lhs, rhs) = (sides.0.clone(), sides.1.clone());
                return lhs
                    .floor_div(Self::Constant(b))
                    .add(rhs.floor_div(Self::Constant(b)));
            }
        }
        Self::raw(AffineOp::FloorDiv, self, rhs)
    }

    /// `self ceildiv rhs`, simplified.
    pub fn ceil_div(self, rhs: AffineExpr) -> Self {
        if let Self::Constant(b) = rhs
            && b > 0
        {
            if let Self::Constant(a) = self
                && let Some(negated) = a.checked_neg()
            {
                return Self::Constant(-negated.div_euclid(b));
            }
            if b == 1 {
                return self;
            }
            if let Some(quotient) = self.exact_quotient(b) {
                return quotient;
            }
        }
        Self::raw(AffineOp::CeilDiv, self, rhs)
    }

    /// `(e * c) / divisor` where `divisor` divides the constant `c`.
    fn exact_quotient(&self, divisor: i64) -> Option<AffineExpr> {
        match self {
            Self::Binary(AffineOp::Mul, sides) => match sides.1 {
                Self::Constant(c) if c % divisor == 0 => {
                    Some(sides.0.clone().mul(Self::Constant(c / divisor)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `self mod rhs`, simplified.
    pub fn modulo(self, rhs: AffineExpr) -> Self {
        if let Self::Constant(b) = rhs
            && b > 0
        {
            if let Self::Constant(a) = self {
                return Self::Constant(a.rem_euclid(b));
            }
            if self.is_multiple_of(b) {
                return Self::Constant(0);
            }
            match &self {
                Self::Binary(AffineOp::Add, sides) if sides.0.is_multiple_of(b) => {
                    return sides.1.clone().modulo(rhs);
                }
                Self::Binary(AffineOp::Add, sides) if sides.1.is_multiple_of(b) => {
                    return sides.0.clone().modulo(rhs);
                }
                // (e mod a) mod b is e mod b if b divides a
                Self::Binary(AffineOp::Mod, sides) if matches!(sides.1, Self::Constant(a) if a >= 1 && a % b == 0) =>
                {
                    return sides.0.clone().modulo(rhs);
                }
                _ => {}
            }
        }
        Self::raw(AffineOp::Mod, self, rhs)
    }

    /// Replaces dimensions and symbols and simplifies again. Missing entries
    /// stay as they are.
    pub fn replace(&self, dims: &[AffineExpr], symbols: &[AffineExpr]) -> Self {
        match self {
            Self::Dim(i) => dims.get(*i as usize).unwrap_or(self).clone(),
            Self::Symbol(i) => symbols.get(*i as usize).unwrap_or(self).clone(),
            Self::Constant(_) => self.clone(),
            Self::Binary(op, sides) => Self::binary(
                *op,
                sides.0.replace(dims, symbols),
                sides.1.replace(dims, symbols),
            ),
        }
    }

    /// The value for given dimensions and symbols; `None` on division by a
    /// non-positive number or overflow.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            Self::Dim(i) => dims.get(*i as usize).copied(),
            Self::Symbol(i) => symbols.get(*i as usize).copied(),
            Self::Constant(value) => Some(*value),
            Self::Binary(op, sides) => {
                let a = sides.0.evaluate(dims, symbols)?;
                let b = sides.1.evaluate(dims, symbols)?;
                match op {
                    AffineOp::Add => a.checked_add(b),
                    AffineOp::Mul => a.checked_mul(b),
                    AffineOp::Mod if b > 0 => Some(a.rem_euclid(b)),
                    AffineOp::FloorDiv if b > 0 => Some(a.div_euclid(b)),
                    AffineOp::CeilDiv if b > 0 => {
                        Some(a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0))
                    }
                    _ => None,
                }
            }
        }
    }

    /// Calls `visit` on every dimension (`true`) and symbol (`false`) position.
    pub fn visit_positions(&self, visit: &mut impl FnMut(bool, u32)) {
        match self {
            Self::Dim(i) => visit(true, *i),
            Self::Symbol(i) => visit(false, *i),
            Self::Constant(_) => {}
            Self::Binary(_, sides) => {
                sides.0.visit_positions(visit);
                sides.1.visit_positions(visit);
            }
        }
    }

    /// Whether dimension `dim` occurs.
    pub fn uses_dim(&self, dim: u32) -> bool {
        let mut found = false;
        self.visit_positions(&mut |is_dim, i| found |= is_dim && i == dim);
        found
    }

    /// Prints as upstream does; `tight` puts sums into parentheses, as
    /// operands of stronger operators need.
    fn print(&self, f: &mut fmt::Formatter<'_>, tight: bool) -> fmt::Result {
        let (op, sides) = match self {
            Self::Dim(i) => return write!(f, "d{i}"),
            Self::Symbol(i) => return write!(f, "s{i}"),
            Self::Constant(value) => return write!(f, "{value}"),
            Self::Binary(op, sides) => (*op, sides),
        };
        let (lhs, rhs) = (&sides.0, &sides.1);
        if op != AffineOp::Add {
            if tight {
                f.write_str("(")?;
            }
            if op == AffineOp::Mul && *rhs == Self::Constant(-1) {
                f.write_str("-")?;
                lhs.print(f, true)?;
            } else {
                lhs.print(f, true)?;
                f.write_str(match op {
                    AffineOp::Mul => " * ",
                    AffineOp::Mod => " mod ",
                    AffineOp::FloorDiv => " floordiv ",
                    AffineOp::CeilDiv => " ceildiv ",
                    AffineOp::Add => unreachable!("handled below"),
                })?;
                rhs.print(f, true)?;
            }
            if tight {
                f.write_str(")")?;
            }
            return Ok(());
        }
        if tight {
            f.write_str("(")?;
        }
        lhs.print(f, false)?;
        match rhs {
            Self::Binary(AffineOp::Mul, product) if product.1 == Self::Constant(-1) => {
                f.write_str(" - ")?;
                let strong = matches!(product.0, Self::Binary(AffineOp::Add, _));
                product.0.print(f, strong)?;
            }
            Self::Binary(AffineOp::Mul, product) if matches!(product.1, Self::Constant(c) if c < -1 && c != i64::MIN) =>
            {
                f.write_str(" - ")?;
                product.0.print(f, true)?;
                if let Self::Constant(c) = product.1 {
                    write!(f, " * {}", -c)?;
                }
            }
            Self::Constant(c) if *c < 0 && *c != i64::MIN => write!(f, " - {}", -c)?,
            _ => {
                f.write_str(" + ")?;
                rhs.print(f, false)?;
            }
        }
        if tight {
            f.write_str(")")?;
        }
        Ok(())
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, false)
    }
}

/// `(d0, d1)[s0] -> (results)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMap {
    /// Number of dimensions.
    pub n_dims: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// Result expressions.
    pub results: Vec<AffineExpr>,
}

impl AffineMap {
    /// `(d0, ..., dn-1) -> (d0, ..., dn-1)`
    pub fn identity(n_dims: usize) -> Self {
        let n_dims = n_dims as u32;
        Self {
            n_dims,
            n_symbols: 0,
            results: (0..n_dims).map(AffineExpr::Dim).collect(),
        }
    }

    /// `() -> (value)`
    pub fn constant(value: i64) -> Self {
        Self {
            n_dims: 0,
            n_symbols: 0,
            results: vec![AffineExpr::Constant(value)],
        }
    }

    /// The map whose result `i` is dimension `permutation[i]`.
    pub fn permutation(permutation: &[usize]) -> Self {
        Self {
            n_dims: permutation.len() as u32,
            n_symbols: 0,
            results: permutation
                .iter()
                .map(|&d| AffineExpr::Dim(d as u32))
                .collect(),
        }
    }

    /// Whether the results are the dimensions in order. Symbols, which nothing uses then, do not
    /// matter.
    pub fn is_identity(&self) -> bool {
        self.results.len() == self.n_dims as usize
            && self
                .results
                .iter()
                .enumerate()
                .all(|(i, e)| *e == AffineExpr::Dim(i as u32))
    }

    /// Whether every result is a dimension and no dimension occurs twice.
    pub fn is_projected_permutation(&self) -> bool {
        let mut seen = vec![false; self.n_dims as usize];
        self.n_symbols == 0
            && self.results.iter().all(|e| match e {
                AffineExpr::Dim(i) => !std::mem::replace(&mut seen[*i as usize], true),
                _ => false,
            })
    }

    /// Whether the results are a permutation of all dimensions.
    pub fn is_permutation(&self) -> bool {
        self.results.len() == self.n_dims as usize && self.is_projected_permutation()
    }

    /// The result, if there is exactly one and it is a constant.
    pub fn single_constant(&self) -> Option<i64> {
        match &self.results[..] {
            [AffineExpr::Constant(value)] => Some(*value),
            _ => None,
        }
    }

    /// The results for given dimensions and symbols.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        self.results
            .iter()
            .map(|e| e.evaluate(dims, symbols))
            .collect()
    }
}

fn print_header(f: &mut fmt::Formatter<'_>, n_dims: u32, n_symbols: u32) -> fmt::Result {
    f.write_str("(")?;
    for i in 0..n_dims {
        write!(f, "{}d{i}", if i == 0 { "" } else { ", " })?;
    }
    f.write_str(")")?;
    if n_symbols > 0 {
        f.write_str("[")?;
        for i in 0..n_symbols {
            write!(f, "{}s{i}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str("]")?;
    }
    Ok(())
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_header(f, self.n_dims, self.n_symbols)?;
        f.write_str(" -> (")?;
        for (i, result) in self.results.iter().enumerate() {
            write!(f, "{}{result}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// `(d0)[s0] : (constraints)`; each constraint is `expr == 0` or `expr >= 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSet {
    /// Number of dimensions.
    pub n_dims: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// The left-hand sides; `true` for `== 0`, `false` for `>= 0`.
    pub constraints: Vec<(AffineExpr, bool)>,
}

impl fmt::Display for IntegerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_header(f, self.n_dims, self.n_symbols)?;
        f.write_str(" : (")?;
        for (i, (expr, is_equality)) in self.constraints.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            let relation = if *is_equality { "==" } else { ">=" };
            write!(f, "{separator}{expr} {relation} 0")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplifies_like_upstream() {
        let d0 = || AffineExpr::Dim(0);
        let c = AffineExpr::Constant;
        assert_eq!(c(1).add(d0()).to_string(), "d0 + 1");
        assert_eq!(d0().add(c(1)).add(c(-1)), d0());
        assert_eq!(d0().sub(c(2)).to_string(), "d0 - 2");
        assert_eq!(c(0).sub(d0()).to_string(), "-d0");
        assert_eq!(d0().add(d0()).to_string(), "d0 * 2");
        assert_eq!(d0().mul(c(8)).floor_div(c(4)).to_string(), "d0 * 2");
        assert_eq!(d0().mul(c(8)).modulo(c(4)), c(0));
        assert_eq!(c(-7).ceil_div(c(2)), c(-3));
        assert_eq!(c(-7).floor_div(c(2)), c(-4));
        let s = AffineExpr::Dim(1).sub(AffineExpr::Symbol(0).mul(c(3)));
        assert_eq!(s.to_string(), "d1 - s0 * 3");
    }
}
