//! Affine maps, integer sets and affine expressions, also over SSA values.

use rustc_hash::FxHashMap;

use super::Parser;
use crate::ir::affine::{AffineExpr, AffineMap, AffineOp, IntegerSet};
use crate::ir::asm::{Delimiter, OpAsmParser as _, UnresolvedOperand};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::diag::Failed;
use crate::syntax::lexer::TokenKind;

/// Operators one expression may have. Expressions are trees that deepen with
/// every operator, and simplification looks at whole trees.
const MAX_OPERATORS: u32 = 1000;

/// What identifiers in an expression mean.
enum Names<'a> {
    /// Declared in front: `(d0)[s0]`.
    Declared(FxHashMap<&'a str, AffineExpr>),
    /// SSA values, numbered as they come; the same value gets the same number.
    Ssa {
        dims: Vec<UnresolvedOperand>,
        symbols: Vec<UnresolvedOperand>,
        known: FxHashMap<(&'a str, u32, bool), u32>,
    },
}

/// The state of one expression.
struct ExprCx<'a> {
    names: Names<'a>,
    n_operators: u32,
}

/// A map or a set.
pub(super) enum MapOrSet {
    Map(AffineMap),
    Set(IntegerSet),
}

impl<'a> Parser<'a> {
    /// Reads `(d0)[s0] -> (...)` (no `affine_map<>` around).
    pub(super) fn parse_affine_map_body(&mut self) -> Result<AffineMap, Failed> {
        let loc = self.token_loc();
        match self.parse_map_or_set()? {
            MapOrSet::Map(map) => Ok(map),
            MapOrSet::Set(_) => Err(self.error_at(loc, "expected AffineMap, but got IntegerSet")),
        }
    }

    /// Reads `(d0)[s0] : (...)` (no `affine_set<>` around).
    pub fn parse_integer_set_body(&mut self) -> Result<IntegerSet, Failed> {
        let loc = self.token_loc();
        match self.parse_map_or_set()? {
            MapOrSet::Set(set) => Ok(set),
            MapOrSet::Map(_) => Err(self.error_at(loc, "expected IntegerSet, but got AffineMap")),
        }
    }

    /// Reads `affine_map<...>` or a `#alias` of one.
    pub(super) fn parse_affine_map_attr(&mut self) -> Result<AffineMap, Failed> {
        let loc = self.token_loc();
        let attr = self.parse_attr(None)?;
        match self.context.attr_affine_map(attr) {
            Some(map) => Ok(AffineMap::clone(map)),
            None => Err(self.error(loc, "expected affine map attribute")),
        }
    }

    /// Reads `affine_set<...>` or a `#alias` of one.
    pub(super) fn parse_integer_set_attr(&mut self) -> Result<IntegerSet, Failed> {
        let loc = self.token_loc();
        let attr = self.parse_attr(None)?;
        match self.context.attr_integer_set(attr) {
            Some(set) => Ok(IntegerSet::clone(set)),
            None => Err(self.error(loc, "expected integer set attribute")),
        }
    }

    /// Reads the rest of `affine_map<...>`.
    pub(super) fn parse_affine_map_literal(&mut self) -> Result<Attr, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in affine map")?;
        let map = self.parse_affine_map_body()?;
        self.expect(TokenKind::Greater, "expected '>' in affine map")?;
        Ok(self.context.affine_map_attr(map))
    }

    /// Reads the rest of `affine_set<...>`.
    pub(super) fn parse_integer_set_literal(&mut self) -> Result<Attr, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in integer set")?;
        let set = self.parse_integer_set_body()?;
        self.expect(TokenKind::Greater, "expected '>' in integer set")?;
        Ok(self.context.intern_attr(AttrKind::IntegerSet(set.into())))
    }

    fn parse_map_or_set(&mut self) -> Result<MapOrSet, Failed> {
        let mut names = FxHashMap::default();
        let mut n_dims = 0;
        self.parse_delimited(
            Delimiter::Paren,
            " in dimensional identifier list",
            &mut |p| {
                p.declare(&mut names, AffineExpr::Dim(n_dims))?;
                n_dims += 1;
                Ok(())
            },
        )?;
        let mut n_symbols = 0;
        self.parse_delimited(Delimiter::OptionalSquare, " in symbol list", &mut |p| {
            p.declare(&mut names, AffineExpr::Symbol(n_symbols))?;
            n_symbols += 1;
            Ok(())
        })?;
        let mut cx = ExprCx {
            names: Names::Declared(names),
            n_operators: 0,
        };
        if self.take(TokenKind::Arrow) {
            let mut results = Vec::new();
            self.parse_delimited(Delimiter::Paren, " in affine map range", &mut |p| {
                results.push(p.parse_affine_expr(&mut cx)?);
                Ok(())
            })?;
            return Ok(MapOrSet::Map(AffineMap {
                n_dims,
                n_symbols,
                results,
            }));
        }
        self.expect(TokenKind::Colon, "expected '->' or ':'")?;
        let mut constraints = Vec::new();
        self.parse_delimited(
            Delimiter::Paren,
            " in integer set constraint list",
            &mut |p| {
                constraints.push(p.parse_constraint(&mut cx)?);
                Ok(())
            },
        )?;
        if constraints.is_empty() {
            // The set without constraints is upstream's `0 == 0`.
            constraints.push((AffineExpr::Constant(0), true));
        }
        Ok(MapOrSet::Set(IntegerSet {
            n_dims,
            n_symbols,
            constraints,
        }))
    }

    fn declare(
        &mut self,
        names: &mut FxHashMap<&'a str, AffineExpr>,
        expr: AffineExpr,
    ) -> Result<(), Failed> {
        if !self.at(TokenKind::BareId) {
            return Err(self.wrong_token("expected bare identifier"));
        }
        let name = self.spelling();
        if names.contains_key(name) {
            return Err(self.error_here(format!("redefinition of identifier '{name}'")));
        }
        self.advance();
        names.insert(name, expr);
        Ok(())
    }

    /// Reads `expr == expr`, `expr >= expr` or `expr <= expr`; returns the expression compared with
    /// zero and whether it equals it.
    fn parse_constraint(&mut self, cx: &mut ExprCx<'a>) -> Result<(AffineExpr, bool), Failed> {
        let lhs = self.parse_affine_expr(cx)?;
        let relation = self.token.kind;
        let is_relation = matches!(
            relation,
            TokenKind::Greater | TokenKind::Less | TokenKind::Equal
        );
        if is_relation {
            self.advance();
        }
        if !is_relation || !self.take(TokenKind::Equal) {
            return Err(self.error_here(
                "expected '== affine-expr' or '>= affine-expr' at end of affine constraint",
            ));
        }
        let rhs = self.parse_affine_expr(cx)?;
        Ok(match relation {
            TokenKind::Less => (rhs.sub(lhs), false),
            TokenKind::Greater => (lhs.sub(rhs), false),
            _ => (lhs.sub(rhs), true),
        })
    }

    /// Reads `[expr, ...]`-like affine expressions over SSA ids: `%i + 1`, `symbol(%n) floordiv 2`.
    /// Returns the map and the operands for its dimensions and symbols, in that order.
    pub(super) fn parse_affine_map_of_ssa_ids(
        &mut self,
        delimiter: Delimiter,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        self.parse_ssa_map(|p, cx, results| {
            p.parse_delimited(delimiter, " in affine map", &mut |p| {
                results.push(p.parse_affine_expr(cx)?);
                Ok(())
            })
        })
    }

    /// Reads one affine expression over SSA ids, as a map with one result.
    pub(super) fn parse_affine_expr_of_ssa_ids(
        &mut self,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        self.parse_ssa_map(|p, cx, results| {
            results.push(p.parse_affine_expr(cx)?);
            Ok(())
        })
    }

    /// Reads results over SSA ids with `parse` and makes them a map.
    fn parse_ssa_map(
        &mut self,
        parse: impl FnOnce(&mut Self, &mut ExprCx<'a>, &mut Vec<AffineExpr>) -> Result<(), Failed>,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        let mut cx = ExprCx {
            names: Names::Ssa {
                dims: Vec::new(),
                symbols: Vec::new(),
                known: FxHashMap::default(),
            },
            n_operators: 0,
        };
        let mut results = Vec::new();
        parse(self, &mut cx, &mut results)?;
        let Names::Ssa { dims, symbols, .. } = cx.names else {
            unreachable!("names of SSA values stay such");
        };
        let map = AffineMap {
            n_dims: dims.len() as u32,
            n_symbols: symbols.len() as u32,
            results,
        };
        Ok((map, dims, symbols))
    }

    /// Reads a sum.
    fn parse_affine_expr(&mut self, cx: &mut ExprCx<'a>) -> Result<AffineExpr, Failed> {
        let mut lhs = self.parse_affine_product(cx, false)?;
        loop {
            let negative = match self.token.kind {
                TokenKind::Plus => false,
                TokenKind::Minus => true,
                _ => return Ok(lhs),
            };
            self.count_operator(cx)?;
            self.advance();
            let rhs = self.parse_affine_product(cx, true)?;
            lhs = if negative { lhs.sub(rhs) } else { lhs.add(rhs) };
        }
    }

    /// Reads a product, quotient or remainder. `has_lhs`: whether it is the
    /// right operand of something.
    fn parse_affine_product(
        &mut self,
        cx: &mut ExprCx<'a>,
        has_lhs: bool,
    ) -> Result<AffineExpr, Failed> {
        let mut lhs = self.parse_affine_operand(cx, has_lhs)?;
        loop {
            let op = match self.token.kind {
                TokenKind::Star => AffineOp::Mul,
                TokenKind::BareId => match self.spelling() {
                    "floordiv" => AffineOp::FloorDiv,
                    "ceildiv" => AffineOp::CeilDiv,
                    "mod" => AffineOp::Mod,
                    _ => return Ok(lhs),
                },
                _ => return Ok(lhs),
            };
            self.count_operator(cx)?;
            let loc = self.token_loc();
            self.advance();
            let rhs = self.parse_affine_operand(cx, true)?;
            let problem = match op {
                AffineOp::Mul
                    if !lhs.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant() =>
                {
                    "at least one of the multiply operands has to be either a constant or symbolic"
                }
                AffineOp::FloorDiv if !rhs.is_symbolic_or_constant() => {
                    "right operand of floordiv has to be either a constant or symbolic"
                }
                AffineOp::CeilDiv if !rhs.is_symbolic_or_constant() => {
                    "right operand of ceildiv has to be either a constant or symbolic"
                }
                AffineOp::Mod if !rhs.is_symbolic_or_constant() => {
                    "right operand of mod has to be either a constant or symbolic"
                }
                _ => "",
            };
            if !problem.is_empty() {
                return Err(self.error_at(loc, format!("non-affine expression: {problem}")));
            }
            lhs = AffineExpr::binary(op, lhs, rhs);
        }
    }

    fn count_operator(&mut self, cx: &mut ExprCx<'a>) -> Result<(), Failed> {
        cx.n_operators += 1;
        if cx.n_operators > MAX_OPERATORS {
            return Err(self.error_here("nesting is too deep"));
        }
        Ok(())
    }

    fn parse_affine_operand(
        &mut self,
        cx: &mut ExprCx<'a>,
        has_lhs: bool,
    ) -> Result<AffineExpr, Failed> {
        match self.token.kind {
            TokenKind::Integer => {
                let text = self.spelling();
                let value = match text.strip_prefix("0x") {
                    Some(hex) => i64::from_str_radix(hex, 16),
                    None => text.parse::<i64>(),
                };
                let Ok(value) = value else {
                    return Err(self.error_here("constant too large for index"));
                };
                self.advance();
                Ok(AffineExpr::Constant(value))
            }
            TokenKind::LParen => self.nested(|p| {
                p.advance();
                if p.at(TokenKind::RParen) {
                    return Err(p.error_here("no expression inside parentheses"));
                }
                let expr = p.parse_affine_expr(cx)?;
                p.expect(TokenKind::RParen, "expected ')'")?;
                Ok(expr)
            }),
            TokenKind::Minus => self.nested(|p| {
                p.count_operator(cx)?;
                p.advance();
                let operand = match p.parse_affine_operand(cx, has_lhs) {
                    Ok(operand) => operand,
                    Err(_) => return Err(p.error_here("missing operand of negation")),
                };
                Ok(operand.mul(AffineExpr::Constant(-1)))
            }),
            TokenKind::PercentId => self.parse_affine_ssa_id(cx, false),
            TokenKind::Plus | TokenKind::Star => {
                Err(self.error_here("missing left operand of binary operator"))
            }
            TokenKind::BareId => {
                let word = self.spelling();
                match word {
                    "symbol" if matches!(cx.names, Names::Ssa { .. }) => {
                        self.advance();
                        self.expect(TokenKind::LParen, "expected '(' at start of SSA symbol")?;
                        let expr = self.parse_affine_ssa_id(cx, true)?;
                        self.expect(TokenKind::RParen, "expected ')' at end of SSA symbol")?;
                        Ok(expr)
                    }
                    _ => {
                        let expr = match &cx.names {
                            Names::Declared(names) => names.get(word).cloned(),
                            Names::Ssa { .. } => None,
                        };
                        let Some(expr) = expr else {
                            return Err(self.error_here("use of undeclared identifier"));
                        };
                        self.advance();
                        Ok(expr)
                    }
                }
            }
            _ if has_lhs => Err(self.error_here("missing right operand of binary operator")),
            _ => Err(self.error_here("expected affine expression")),
        }
    }

    fn parse_affine_ssa_id(
        &mut self,
        cx: &mut ExprCx<'a>,
        is_symbol: bool,
    ) -> Result<AffineExpr, Failed> {
        let Names::Ssa {
            dims,
            symbols,
            known,
        } = &mut cx.names
        else {
            return Err(self.error_here("unexpected ssa identifier"));
        };
        let operand = self.parse_operand()?;
        let list = if is_symbol { symbols } else { dims };
        let next = list.len() as u32;
        let position = *known
            .entry((self.name_of(&operand), operand.index, is_symbol))
            .or_insert(next);
        if position == next {
            list.push(operand);
        }
        Ok(if is_symbol {
            AffineExpr::Symbol(position)
        } else {
            AffineExpr::Dim(position)
        })
    }
}
