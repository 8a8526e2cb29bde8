//! Relations between sizes as preconditions of a function, or as assertions in it.

use freehold_frontend::dialects::func::preconditions::{Precondition, Relation};
use freehold_frontend::dialects::{arith, cf};
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::analysis::sizes::{Sizes, Sum};

/// Two numbers, and what must hold between them unless a count is not positive.
pub(crate) struct SizeCheck {
    pub(crate) relation: Relation,
    pub(crate) left: Sum,
    pub(crate) right: Sum,
    pub(crate) counts: Vec<Sum>,
}

/// Expressions nested deeper are no preconditions: executables compute with a stack of 64 numbers.
const MAX_DEPTH: usize = 32;

fn depth(expr: &AffineExpr) -> usize {
    match expr {
        AffineExpr::Binary(_, sides) => 1 + depth(&sides.0).max(depth(&sides.1)),
        AffineExpr::Dim(_) | AffineExpr::Symbol(_) | AffineExpr::Constant(_) => 0,
    }
}

impl SizeCheck {
    /// As a precondition of the function `ir`, if callers know all numbers.
    pub(crate) fn as_precondition(&self, ir: &Ir, sizes: &Sizes) -> Option<Precondition> {
        let mut symbols = Vec::new();
        let left = sizes.expression(ir, &self.left, &mut symbols)?;
        let right = sizes.expression(ir, &self.right, &mut symbols)?;
        let counts = (self.counts.iter())
            .filter(|count| count.as_constant().is_none_or(|count| count <= 0))
            .map(|count| sizes.expression(ir, count, &mut symbols))
            .collect::<Option<Vec<AffineExpr>>>()?;
        let expressions = [&left, &right].into_iter().chain(&counts);
        if expressions.map(depth).max() > Some(MAX_DEPTH) {
            return None;
        }
        Some(Precondition {
            relation: self.relation,
            left,
            right,
            counts,
            symbols,
        })
    }

    /// Asserts it where the builder stands.
    pub(crate) fn assert(&self, builder: &mut Builder<'_>, sizes: &Sizes, message: &str) {
        let left = sizes.materialize(builder, &self.left);
        let right = sizes.materialize(builder, &self.right);
        let predicate = match self.relation {
            Relation::Equal => arith::CmpIPredicate::Eq,
            Relation::AtLeast => arith::CmpIPredicate::Sge,
        };
        let mut holds = arith::compare(builder, predicate, left, right);
        for count in &self.counts {
            let count = sizes.materialize(builder, count);
            let zero = arith::constant_index(builder, 0);
            let is_void = arith::compare(builder, arith::CmpIPredicate::Sle, count, zero);
            holds = builder.value(&arith::ORI, &[holds, is_void], Type::I1);
        }
        let message = builder.context().string_attr(message);
        let spec = builder.spec(&cf::ASSERT).operands(&[holds]);
        builder.create(spec.attr(Name::MSG, message));
    }
}
