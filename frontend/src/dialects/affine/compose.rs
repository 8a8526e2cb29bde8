//! Canonical maps and operands: applications composed into their users,
//! dimensions that may be symbols made symbols, equal operands merged,
//! constants substituted, unused operands dropped, expressions simplified.

use rustc_hash::FxHashMap;

use super::simplify::{Range, Ranges, SIZE_LIMIT, simplify_map, size};
use super::{APPLY, FOR, For, constant_index_of, map_of, validity};
use crate::ir::affine::{AffineExpr, AffineMap, IntegerSet};
use crate::ir::data::Ir;
use crate::ir::entities::{Value, ValueDef};
use crate::ir::names::Name;

/// A map with a value for each of its dimensions and symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapAndOperands {
    /// The map.
    pub map: AffineMap,
    /// Values of dimensions, then of symbols.
    pub operands: Vec<Value>,
}

impl MapAndOperands {
    /// A map and as many values as it has inputs.
    pub fn new(map: AffineMap, operands: &[Value]) -> Self {
        debug_assert_eq!((map.n_dims + map.n_symbols) as usize, operands.len());
        Self {
            map,
            operands: operands.to_vec(),
        }
    }

    /// The canonical form; see the module doc.
    #[must_use]
    pub fn canonical(&self, ir: &Ir) -> Self {
        let mut composer = Composer {
            ir,
            dims: Vec::new(),
            symbols: Vec::new(),
            known: FxHashMap::default(),
        };
        let n_dims = self.map.n_dims as usize;
        let inputs: Vec<AffineExpr> = self
            .operands
            .iter()
            .enumerate()
            .map(|(i, &operand)| composer.expr_of(operand, i >= n_dims, SIZE_LIMIT))
            .collect();
        let (dims, symbols) = inputs.split_at(n_dims.min(inputs.len()));
        let results = self
            .map
            .results
            .iter()
            .map(|result| result.replace(dims, symbols))
            .collect();
        let map = AffineMap {
            n_dims: composer.dims.len() as u32,
            n_symbols: composer.symbols.len() as u32,
            results,
        };
        let mut operands = composer.dims;
        operands.extend(composer.symbols);
        let all = Self { map, operands };
        all.simplified(ir).without_unused()
    }

    fn simplified(self, ir: &Ir) -> Self {
        let ranges: Vec<Range> = self
            .operands
            .iter()
            .map(|&operand| range_of(ir, operand))
            .collect();
        let (dims, symbols) = ranges.split_at(self.map.n_dims as usize);
        let map = simplify_map(&self.map, &Ranges { dims, symbols });
        Self { map, ..self }
    }

    /// Drops operands that no result uses.
    fn without_unused(self) -> Self {
        let mut used = vec![false; self.operands.len()];
        let n_dims = self.map.n_dims;
        for result in &self.map.results {
            result.visit_positions(&mut |is_dim, i| {
                let index = if is_dim { i } else { n_dims + i };
                used[index as usize] = true;
            });
        }
        if used.iter().all(|&used| used) {
            return self;
        }
        let mut operands = Vec::new();
        let (mut dims, mut symbols) = (Vec::new(), Vec::new());
        let (mut next_dim, mut next_symbol) = (0, 0);
        for (i, &operand) in self.operands.iter().enumerate() {
            let is_dim = i < n_dims as usize;
            let (list, next) = if is_dim {
                (&mut dims, &mut next_dim)
            } else {
                (&mut symbols, &mut next_symbol)
            };
            list.push(if is_dim {
                AffineExpr::Dim(*next)
            } else {
                AffineExpr::Symbol(*next)
            });
            if used[i] {
                *next += 1;
                operands.push(operand);
            }
        }
        let results = self
            .map
            .results
            .iter()
            .map(|result| result.replace(&dims, &symbols))
            .collect();
        let map = AffineMap {
            n_dims: next_dim,
            n_symbols: next_symbol,
            results,
        };
        Self { map, operands }
    }
}

/// [`MapAndOperands::canonical`] of the constraints of a set.
pub fn canonical_set(ir: &Ir, set: &IntegerSet, operands: &[Value]) -> (IntegerSet, Vec<Value>) {
    let map = AffineMap {
        n_dims: set.n_dims,
        n_symbols: set.n_symbols,
        results: set.constraints.iter().map(|c| c.0.clone()).collect(),
    };
    let canonical = MapAndOperands::new(map, operands).canonical(ir);
    let equalities = set.constraints.iter().map(|c| c.1);
    let set = IntegerSet {
        n_dims: canonical.map.n_dims,
        n_symbols: canonical.map.n_symbols,
        constraints: canonical.map.results.into_iter().zip(equalities).collect(),
    };
    (set, canonical.operands)
}

/// Collects the distinct leaves of composed operands.
struct Composer<'a> {
    ir: &'a Ir,
    dims: Vec<Value>,
    symbols: Vec<Value>,
    /// What applications were found to be, as dimensions or as symbols.
    known: FxHashMap<(Value, bool), Option<AffineExpr>>,
}

fn position_in(list: &mut Vec<Value>, value: Value) -> u32 {
    match list.iter().position(|&v| v == value) {
        Some(position) => position as u32,
        None => {
            list.push(value);
            list.len() as u32 - 1
        }
    }
}

impl Composer<'_> {
    /// The expression of `value` over leaves, of at most `budget` nodes.
    fn expr_of(&mut self, value: Value, is_symbol: bool, budget: usize) -> AffineExpr {
        if let Some(constant) = constant_index_of(self.ir, value) {
            return AffineExpr::Constant(constant);
        }
        let composed = match self.known.get(&(value, is_symbol)) {
            Some(known) => known.clone(),
            None => {
                let composed = self.composed(value, is_symbol, budget);
                self.known.insert((value, is_symbol), composed.clone());
                composed
            }
        };
        if let Some(expr) = composed {
            return expr;
        }
        if is_symbol || validity::is_valid_symbol(self.ir, value) {
            AffineExpr::Symbol(position_in(&mut self.symbols, value))
        } else {
            AffineExpr::Dim(position_in(&mut self.dims, value))
        }
    }

    /// The expression of an `affine.apply`; `None` for other values and where
    /// it gets too large.
    fn composed(&mut self, value: Value, is_symbol: bool, budget: usize) -> Option<AffineExpr> {
        let apply = self.ir.defined_by(value, &APPLY)?;
        let map = map_of(self.ir, apply, Name::MAP)?;
        let [result] = &map.results[..] else {
            return None;
        };
        // Each level may use up half of the remaining budget, which bounds the depth.
        let budget = budget / 2;
        if size(result) > budget {
            return None;
        }
        let n_dims = map.n_dims as usize;
        let inputs: Vec<AffineExpr> = self
            .ir
            .operands(apply)
            .iter()
            .enumerate()
            .map(|(i, &operand)| self.expr_of(operand, is_symbol || i >= n_dims, budget))
            .collect();
        let (dims, symbols) = inputs.split_at(n_dims.min(inputs.len()));
        let expr = result.replace(dims, symbols);
        (size(&expr) <= budget).then_some(expr)
    }
}

/// A fact about a value: the range of an induction variable.
fn range_of(ir: &Ir, value: Value) -> Range {
    let ValueDef::Argument(block, 0) = ir.value_def(value) else {
        return Range::default();
    };
    let Some(parent) = ir.block_parent_op(block).filter(|&op| ir.is(op, &FOR)) else {
        return Range::default();
    };
    let view = For(parent);
    let low = view.constant_lower_bound(ir);
    let high = view.constant_upper_bound(ir).and_then(|bound| {
        let last = bound.checked_sub(1)?;
        let step = view.step(ir);
        match low {
            // The last value that is reached.
            Some(low) if step > 0 && last >= low => Some(last - last.checked_sub(low)? % step),
            _ => Some(last),
        }
    });
    Range { low, high }
}

/// The range of a result of a map, for dropping bounds that never matter.
pub(super) fn result_ranges(ir: &Ir, map: &AffineMap, operands: &[Value]) -> Vec<Range> {
    let ranges: Vec<Range> = operands.iter().map(|&v| range_of(ir, v)).collect();
    let (dims, symbols) = ranges.split_at((map.n_dims as usize).min(ranges.len()));
    let ranges = Ranges { dims, symbols };
    map.results.iter().map(|result| ranges.of(result)).collect()
}
