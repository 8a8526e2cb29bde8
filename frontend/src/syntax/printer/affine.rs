//! Affine expressions over SSA values.

use super::Printer;
use crate::ir::affine::{AffineExpr, AffineOp};
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::entities::Value;

impl Printer<'_> {
    /// Writes an expression whose dimensions and symbols are these values.
    pub(super) fn affine_expr_of_ssa_ids(
        &mut self,
        expr: &AffineExpr,
        n_dims: usize,
        operands: &[Value],
    ) {
        self.affine_expr(expr, n_dims, operands, false);
    }

    fn affine_id(&mut self, position: usize, n_dims: usize, is_symbol: bool, operands: &[Value]) {
        let index = if is_symbol {
            n_dims + position
        } else {
            position
        };
        let Some(&value) = operands.get(index) else {
            self.text("<<UNKNOWN>>");
            return;
        };
        if is_symbol {
            self.text("symbol(");
            self.value(value);
            self.text(")");
        } else {
            self.value(value);
        }
    }

    /// The same layout as `AffineExpr`'s own text: `tight` puts sums and
    /// products into parentheses, as operands of stronger operators need.
    fn affine_expr(&mut self, expr: &AffineExpr, n_dims: usize, operands: &[Value], tight: bool) {
        let (op, sides) = match expr {
            AffineExpr::Dim(i) => {
                return self.affine_id(*i as usize, n_dims, false, operands);
            }
            AffineExpr::Symbol(i) => {
                return self.affine_id(*i as usize, n_dims, true, operands);
            }
            AffineExpr::Constant(value) => return self.integer(*value),
            AffineExpr::Binary(op, sides) => (*op, sides),
        };
        let (lhs, rhs) = (&sides.0, &sides.1);
        if tight {
            self.text("(");
        }
        let operator = match op {
            AffineOp::Add => "",
            AffineOp::Mul => " * ",
            AffineOp::Mod => " mod ",
            AffineOp::FloorDiv => " floordiv ",
            AffineOp::CeilDiv => " ceildiv ",
        };
        if op == AffineOp::Mul && *rhs == AffineExpr::Constant(-1) {
            self.text("-");
            self.affine_expr(lhs, n_dims, operands, true);
        } else if op != AffineOp::Add {
            self.affine_expr(lhs, n_dims, operands, true);
            self.text(operator);
            self.affine_expr(rhs, n_dims, operands, true);
        } else {
            self.affine_expr(lhs, n_dims, operands, false);
            self.affine_addend(rhs, n_dims, operands);
        }
        if tight {
            self.text(")");
        }
    }

    /// Writes ` + rhs`, or ` - x` for negative terms.
    fn affine_addend(&mut self, rhs: &AffineExpr, n_dims: usize, operands: &[Value]) {
        if let AffineExpr::Binary(AffineOp::Mul, product) = rhs
            && let AffineExpr::Constant(factor) = product.1
            && factor < 0
            && factor != i64::MIN
        {
            self.text(" - ");
            if factor == -1 {
                let strong = matches!(product.0, AffineExpr::Binary(AffineOp::Add, _));
                self.affine_expr(&product.0, n_dims, operands, strong);
            } else {
                self.affine_expr(&product.0, n_dims, operands, true);
                self.text(" * ");
                self.integer(-factor);
            }
            return;
        }
        match rhs {
            AffineExpr::Constant(value) if *value < 0 && *value != i64::MIN => {
                self.text(" - ");
                self.integer(-value);
            }
            _ => {
                self.text(" + ");
                self.affine_expr(rhs, n_dims, operands, false);
            }
        }
    }
}
