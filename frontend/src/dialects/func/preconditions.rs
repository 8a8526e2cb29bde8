//! Preconditions of functions: what the sizes of arguments must be to each other for a call to stay inside of its
//! arrays. They are an attribute of the function, `freehold.requires`, that the pass `check-sizes` writes. Whoever calls
//! a function from outside checks them first.
//!
//! ```mlir
//! // Dimension 0 of argument #0 equals dimension 0 of argument #1.
//! freehold.requires = [[affine_map<()[s0, s1] -> (s0, s1)>, "equal", [0, 0, 1, 0]]]
//! ```
//!
//! The results of the map are the two sides, then sizes of which none may be zero for the relation to count. Each
//! symbol is a pair of numbers: an argument, and a dimension of it or -1, which stands for the number itself.

use std::fmt::Write as _;

use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::names::Name;

/// A number that callers know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Known {
    /// The argument.
    pub argument: usize,
    /// The dimension whose size it is; nothing if it is the argument itself.
    pub dim: Option<usize>,
}

/// What must hold between the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// The left one is not less.
    AtLeast,
}

impl Relation {
    const ALL: [Self; 2] = [Self::Equal, Self::AtLeast];

    /// Its name in the attribute.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::AtLeast => "at_least",
        }
    }

    /// Whether it holds.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
        }
    }
}

/// A relation between numbers that callers know, which are the symbols of its expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Precondition {
    /// What must hold.
    pub relation: Relation,
    /// The sides of the comparison.
    pub left: AffineExpr,
    /// What it is compared with.
    pub right: AffineExpr,
    /// Nothing needs to hold if one of these is not positive.
    pub counts: Vec<AffineExpr>,
    /// What the symbols are.
    pub symbols: Vec<Known>,
}

impl Precondition {
    /// Whether the precondition holds for these numbers. What cannot be computed does not hold.
    pub fn holds(&self, symbols: &[i64]) -> bool {
        let value = |expr: &AffineExpr| expr.evaluate(&[], symbols);
        let is_void = |expr: &AffineExpr| value(expr).is_some_and(|count| count <= 0);
        if self.counts.iter().any(is_void) {
            return true;
        }
        match (value(&self.left), value(&self.right)) {
            (Some(left), Some(right)) => self.relation.holds(left, right),
            _ => false,
        }
    }

    /// The error for these numbers, for which the precondition does not hold.
    pub fn violation(&self, symbols: &[i64]) -> String {
        let value = |expr: &AffineExpr| match expr.evaluate(&[], symbols) {
            Some(value) => value.to_string(),
            None => "too large".to_owned(),
        };
        let (left, must, right) = self.words();
        let mut text = format!("{left} is {} and must {must} {right}", value(&self.left));
        if self.right.as_constant().is_none() {
            let _ = write!(text, ", which is {}", value(&self.right));
        }
        text
    }

    /// The left side, `be` or `be at least`, and the right side, in words.
    pub fn words(&self) -> (String, &'static str, String) {
        let must = match self.relation {
            Relation::Equal => "be",
            Relation::AtLeast => "be at least",
        };
        (self.describe(&self.left), must, self.describe(&self.right))
    }

    /// An expression with its symbols in words.
    fn describe(&self, expr: &AffineExpr) -> String {
        let word = |symbol: usize| {
            let Known { argument, dim } = self.symbols[symbol];
            match dim {
                Some(dim) => format!("dimension {dim} of argument #{argument}"),
                None => format!("argument #{argument}"),
            }
        };
        if let AffineExpr::Symbol(symbol) = expr {
            return word(*symbol as usize);
        }
        let (text, mut described) = (expr.to_string(), String::new());
        let mut rest = text.as_str();
        while let Some(at) = rest.find('s') {
            described += &rest[..at];
            rest = &rest[at + 1..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
            match number.parse() {
                Ok(symbol) if symbol < self.symbols.len() => {
                    let _ = write!(described, "({})", word(symbol));
                }
                _ => {
                    described.push('s');
                    described += number;
                }
            }
            rest = after;
        }
        described + rest
    }

    fn to_attr(&self, context: &Context) -> Attr {
        let mut results = vec![self.left.clone(), self.right.clone()];
        results.extend_from_slice(&self.counts);
        let map = AffineMap {
            n_dims: 0,
            n_symbols: self.symbols.len() as u32,
            results,
        };
        let number = |known: &Known| {
            let dim = known.dim.map_or(-1, |dim| dim as i64);
            [
                context.i64_attr(known.argument as i64),
                context.i64_attr(dim),
            ]
        };
        let symbols: Vec<Attr> = self.symbols.iter().flat_map(number).collect();
        context.array_attr(&[
            context.affine_map_attr(map),
            context.string_attr(self.relation.name()),
            context.array_attr(&symbols),
        ])
    }

    fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        let [map, relation, symbols] = *context.attr_array(attr)? else {
            return None;
        };
        let map = context.attr_affine_map(map)?;
        let relation = context.attr_string(relation)?;
        let relation = Relation::ALL
            .into_iter()
            .find(|known| known.name() == relation)?;
        let numbers: Vec<i128> = (context.attr_array(symbols)?.iter())
            .map(|&number| context.attr_integer(number))
            .collect::<Option<_>>()?;
        let known = |pair: &[i128]| {
            Some(Known {
                argument: usize::try_from(pair[0]).ok()?,
                dim: match pair[1] {
                    -1 => None,
                    dim => Some(usize::try_from(dim).ok()?),
                },
            })
        };
        let symbols: Vec<Known> = numbers.chunks_exact(2).map(known).collect::<Option<_>>()?;
        let [left, right, counts @ ..] = map.results.as_slice() else {
            return None;
        };
        let is_whole = map.n_dims == 0 && map.n_symbols as usize == symbols.len();
        is_whole.then(|| Self {
            relation,
            left: left.clone(),
            right: right.clone(),
            counts: counts.to_vec(),
            symbols,
        })
    }
}

/// The preconditions of the function `ir`. Attributes that this module did not write are ignored.
pub fn preconditions(ir: &Ir) -> Vec<Precondition> {
    let context = ir.context();
    let attr = ir.attr(ir.root(), Name::REQUIRES);
    let list = attr.and_then(|attr| context.attr_array(attr));
    (list.unwrap_or_default().iter())
        .filter_map(|&attr| Precondition::from_attr(context, attr))
        .collect()
}

/// Makes these the preconditions of the function `ir`.
pub fn set_preconditions(ir: &mut Ir, preconditions: &[Precondition]) {
    let (root, context) = (ir.root(), ir.context().clone());
    if preconditions.is_empty() {
        ir.remove_attr(root, Name::REQUIRES);
        return;
    }
    let list: Vec<Attr> = (preconditions.iter())
        .map(|precondition| precondition.to_attr(&context))
        .collect();
    ir.set_attr(root, Name::REQUIRES, context.array_attr(&list));
}
