//! `affine.apply`, `affine.min` and `affine.max`: affine maps of values.

use smallvec::SmallVec;

use super::compose::{MapAndOperands, result_ranges};
use super::{APPLY, MAX, MIN, map_and_operands, map_of};
use crate::dialects::shared::const_fold::{is_poison, no_fold, to_attr, to_value};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::format::ParsedParts;
use crate::ir::names::Name;
use crate::ir::op_def::{FoldResults, OpDef, OpError};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

/// An `affine.apply` has a result for each of its map; the verifier wants one.
pub(super) fn infer_apply(
    context: &Context,
    spec: &OpSpec,
    parts: &ParsedParts,
) -> Result<SmallVec<[Type; 2]>, String> {
    let map = spec.get_attr(Name::MAP);
    match map.and_then(|map| context.attr_affine_map(map)) {
        Some(map) if (map.n_dims + map.n_symbols) as usize == parts.resolved.len() => {
            Ok(SmallVec::from_elem(Type::INDEX, map.results.len()))
        }
        _ => Err("dimension or symbol index mismatch".into()),
    }
}

pub(super) fn verify_apply(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_min_max(ir, op)?;
    if map_of(ir, op, Name::MAP).is_some_and(|map| map.results.len() != 1) {
        return Err("mapping must produce one value".into());
    }
    Ok(())
}

pub(super) fn verify_min_max(ir: &Ir, op: Op) -> Result<(), OpError> {
    let n_operands = ir.operands(op).len();
    if map_of(ir, op, Name::MAP)
        .is_some_and(|map| (map.n_dims + map.n_symbols) as usize != n_operands)
    {
        return Err("operand count and affine map dimension and symbol count must match".into());
    }
    Ok(())
}

/// The operand that a bare dimension or symbol stands for.
fn operand_of(ir: &Ir, op: Op, map: &AffineMap, expr: &AffineExpr) -> Option<usize> {
    let index = match expr {
        AffineExpr::Dim(i) => *i,
        AffineExpr::Symbol(i) => map.n_dims + *i,
        _ => return None,
    } as usize;
    (index < ir.operands(op).len()).then_some(index)
}

/// The values of all results, if all operands they need are constant. Other
/// operands stay the dimensions and symbols they are: two of them may cancel
/// only where they are the same.
fn constant_results(ir: &Ir, map: &AffineMap, operands: &[Option<Attr>]) -> Option<Vec<i64>> {
    let constant = |attr: Option<Attr>| {
        let value = ir.context().attr_integer(attr?)?;
        i64::try_from(value).ok().map(AffineExpr::Constant)
    };
    let (dims, symbols) = operands.split_at((map.n_dims as usize).min(operands.len()));
    let known = |operands: &[Option<Attr>], position: fn(u32) -> AffineExpr| -> Vec<AffineExpr> {
        let expr = |(i, &attr): (u32, &Option<Attr>)| constant(attr).unwrap_or(position(i));
        (0..).zip(operands).map(expr).collect()
    };
    let (dims, symbols) = (
        known(dims, AffineExpr::Dim),
        known(symbols, AffineExpr::Symbol),
    );
    map.results
        .iter()
        .map(|result| result.replace(&dims, &symbols).as_constant())
        .collect()
}

pub(super) fn fold_apply(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let Some(map) = map_of(ir, op, Name::MAP) else {
        return no_fold();
    };
    let [result] = &map.results[..] else {
        return no_fold();
    };
    if let Some(index) = operand_of(ir, op, map, result) {
        return to_value(ir.operand(op, index));
    }
    if let Some(&poison) = operands
        .iter()
        .find(|&&operand| is_poison(ir.context(), operand))
    {
        return to_attr(poison);
    }
    let value = constant_results(ir, map, operands).and_then(|values| values.first().copied());
    to_attr(value.map(|value| ir.context().index_attr(value)))
}

pub(super) fn fold_min_max(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let Some(map) = map_of(ir, op, Name::MAP) else {
        return no_fold();
    };
    if let [result] = &map.results[..]
        && let Some(index) = operand_of(ir, op, map, result)
    {
        return to_value(ir.operand(op, index));
    }
    let Some(values) = constant_results(ir, map, operands) else {
        return no_fold();
    };
    let value = if ir.is(op, &MIN) {
        values.into_iter().min()
    } else {
        values.into_iter().max()
    };
    to_attr(value.map(|value| ir.context().index_attr(value)))
}

/// Composes what defines the operands into the map; see [`super::compose`].
pub(super) fn canonicalize_map(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(old) = map_and_operands(rw.ir, op, Name::MAP, 0) else {
        return false;
    };
    let new = old.canonical(rw.ir);
    if new == old {
        return false;
    }
    replace_map(rw, op, &new);
    true
}

fn replace_map(rw: &mut Rewriter<'_>, op: Op, new: &MapAndOperands) {
    let attr = rw.ir.context().affine_map_attr(new.map.clone());
    rw.set_operands(op, &new.operands);
    rw.set_attr(op, Name::MAP, attr);
}

/// A minimum or maximum of one result is an application.
pub(super) fn single_result(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let is_single = map_of(rw.ir, op, Name::MAP).is_some_and(|map| map.results.len() == 1);
    let Some(attr) = rw.ir.attr(op, Name::MAP).filter(|_| is_single) else {
        return false;
    };
    let spec = OpSpec::new(&APPLY, rw.ir.loc(op))
        .operands(rw.ir.operands(op))
        .results(&[Type::INDEX])
        .attr(Name::MAP, attr);
    rw.replace_op_with(op, spec);
    true
}

/// The results that may decide a minimum (or maximum): each once, and none
/// that another one never exceeds.
pub(super) fn deciding_results(ir: &Ir, of: &MapAndOperands, is_max: bool) -> Vec<AffineExpr> {
    let map = &of.map;
    let ranges = result_ranges(ir, map, &of.operands);
    // The best that every other result can be beaten by.
    let sure = ranges
        .iter()
        .filter_map(|range| if is_max { range.low } else { range.high });
    let sure = if is_max { sure.max() } else { sure.min() };
    let mut kept: Vec<AffineExpr> = Vec::new();
    let mut has_sure = false;
    for (result, range) in map.results.iter().zip(&ranges) {
        let best = if is_max { range.high } else { range.low };
        if let (Some(sure), Some(best)) = (sure, best) {
            if best == sure && range.single() == Some(sure) {
                // Of results that are this very number one is enough.
                if has_sure {
                    continue;
                }
                has_sure = true;
            } else if (is_max && best <= sure) || (!is_max && best >= sure) {
                continue;
            }
        }
        if !kept.contains(result) {
            kept.push(result.clone());
        }
    }
    if kept.is_empty() {
        map.results.clone()
    } else {
        kept
    }
}

/// Drops results that never decide.
pub(super) fn drop_redundant_results(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(mut of) = map_and_operands(rw.ir, op, Name::MAP, 0) else {
        return false;
    };
    let kept = deciding_results(rw.ir, &of, rw.ir.is(op, &MAX));
    if kept == of.map.results {
        return false;
    }
    of.map.results = kept;
    replace_map(rw, op, &of);
    true
}

/// min(a, min(b, c)) -> min(a, b, c), and so max
pub(super) fn merge_nested(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let def: &'static OpDef = ir.def(op);
    let Some(outer) = map_and_operands(ir, op, Name::MAP, 0) else {
        return false;
    };
    let n_dims = outer.map.n_dims as usize;
    let mut dims = outer.operands[..n_dims].to_vec();
    let mut symbols = outer.operands[n_dims..].to_vec();
    let mut results = Vec::new();
    let mut merged = false;
    for result in &outer.map.results {
        let inner = operand_of(ir, op, &outer.map, result)
            .and_then(|index| ir.defined_by(outer.operands[index], def))
            .and_then(|inner| map_and_operands(ir, inner, Name::MAP, 0));
        // The merged map must not grow without end.
        let Some(inner) = inner.filter(|inner| results.len() + inner.map.results.len() <= 64)
        else {
            results.push(result.clone());
            continue;
        };
        merged = true;
        let n_inner_dims = inner.map.n_dims;
        let new_dims: Vec<AffineExpr> = (0..n_inner_dims)
            .map(|i| AffineExpr::Dim(dims.len() as u32 + i))
            .collect();
        let new_symbols: Vec<AffineExpr> = (0..inner.map.n_symbols)
            .map(|i| AffineExpr::Symbol(symbols.len() as u32 + i))
            .collect();
        dims.extend_from_slice(&inner.operands[..n_inner_dims as usize]);
        symbols.extend_from_slice(&inner.operands[n_inner_dims as usize..]);
        results.extend(
            inner
                .map
                .results
                .iter()
                .map(|result| result.replace(&new_dims, &new_symbols)),
        );
    }
    if !merged {
        return false;
    }
    let map = AffineMap {
        n_dims: dims.len() as u32,
        n_symbols: symbols.len() as u32,
        results,
    };
    dims.extend(symbols);
    replace_map(
        rw,
        op,
        &MapAndOperands {
            map,
            operands: dims,
        },
    );
    true
}
