//! Affine loops that do several iterations at once, and their epilogues.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;

use super::indices;

/// The lower bound of an affine loop.
pub(crate) fn lower_bound(ir: &Ir, op: Op) -> MapAndOperands {
    let view = affine::For(op);
    MapAndOperands::new(
        view.lower_bound_map(ir).clone(),
        view.lower_bound_operands(ir),
    )
}

/// The upper bound of an affine loop.
pub(crate) fn upper_bound(ir: &Ir, op: Op) -> MapAndOperands {
    let view = affine::For(op);
    MapAndOperands::new(
        view.upper_bound_map(ir).clone(),
        view.upper_bound_operands(ir),
    )
}

fn set_bound(ir: &mut Ir, op: Op, group: usize, name: Name, bound: MapAndOperands) {
    let map = ir.context().affine_map_attr(bound.map);
    ir.set_operand_group(op, group, &bound.operands);
    ir.set_attr(op, name, map);
}

/// `expr` of the results of two maps, in which their first results are dimensions 0 and 1.
fn combine(a: &MapAndOperands, b: &MapAndOperands, expr: &AffineExpr, ir: &Ir) -> MapAndOperands {
    let (da, sa) = (a.map.n_dims, a.map.n_symbols);
    let (db, sb) = (b.map.n_dims, b.map.n_symbols);
    let shifted = |expr: &AffineExpr, dims: u32, symbols: u32, n: (u32, u32)| {
        let dims: Vec<AffineExpr> = (0..n.0).map(|i| AffineExpr::Dim(dims + i)).collect();
        let symbols: Vec<AffineExpr> = (0..n.1).map(|i| AffineExpr::Symbol(symbols + i)).collect();
        expr.replace(&dims, &symbols)
    };
    let first = shifted(&a.map.results[0], 0, 0, (da, sa));
    let second = shifted(&b.map.results[0], da, sa, (db, sb));
    let mut operands = a.operands[..da as usize].to_vec();
    operands.extend_from_slice(&b.operands[..db as usize]);
    operands.extend_from_slice(&a.operands[da as usize..]);
    operands.extend_from_slice(&b.operands[db as usize..]);
    let map = AffineMap {
        n_dims: da + db,
        n_symbols: sa + sb,
        results: vec![expr.replace(&[first, second], &[])],
    };
    MapAndOperands::new(map, &operands).canonical(ir)
}

/// Has the loop `op` step over `factor` iterations at once, with its body still for one, and puts a loop behind it for
/// the iterations that are left over. Returns whether the bounds are such that this is possible.
pub(crate) fn split(ir: &mut Ir, op: Op, factor: i64) -> bool {
    let view = affine::For(op);
    let (lower, upper) = (lower_bound(ir, op), upper_bound(ir, op));
    let step = view.step(ir);
    let Some(new_step) = step.checked_mul(factor).filter(|_| step > 0 && factor > 1) else {
        return false;
    };
    if lower.map.results.len() != 1 || upper.map.results.len() != 1 {
        return false;
    }
    let known = view.trip_count(ir).and_then(|n| i64::try_from(n).ok());
    let middle = match (known, view.constant_lower_bound(ir)) {
        (Some(n), Some(low)) => {
            let n_whole = n - n % factor;
            let Some(end) = n_whole
                .checked_mul(step)
                .and_then(|span| span.checked_add(low))
            else {
                return false;
            };
            MapAndOperands::new(AffineMap::constant(end), &[])
        }
        _ => {
            // lower + (upper - lower) ceildiv step floordiv factor * (step * factor)
            let [lower_, upper_] = [0, 1].map(AffineExpr::Dim);
            let n = upper_
                .sub(lower_.clone())
                .ceil_div(AffineExpr::Constant(step));
            let whole = n.floor_div(AffineExpr::Constant(factor));
            let expr = lower_.add(whole.mul(AffineExpr::Constant(new_step)));
            combine(&lower, &upper, &expr, ir)
        }
    };
    let has_rest = known.is_none_or(|n| n % factor != 0);
    if has_rest {
        let rest = ir.clone_op(op, &mut IrMap::default());
        ir.insert_op_after(op, rest);
        let results = ir.results(op).to_vec();
        for (&from, to) in results.iter().zip(ir.results(rest).to_vec()) {
            ir.replace_all_uses(from, to);
        }
        ir.set_operand_group(rest, 2, &results);
        // Where there is no iteration at all, the middle may lie before the beginning.
        let start = match known {
            Some(_) => middle.clone(),
            None => both(&middle, &lower, ir),
        };
        set_bound(ir, rest, 0, Name::LOWER_BOUND_MAP, start);
    }
    set_bound(ir, op, 1, Name::UPPER_BOUND_MAP, middle);
    let step = ir.context().index_attr(new_step);
    ir.set_attr(op, Name::STEP, step);
    true
}

/// The larger of two bounds, as one with two results; one of them where they are the same.
fn both(a: &MapAndOperands, b: &MapAndOperands, ir: &Ir) -> MapAndOperands {
    let first = combine(a, b, &AffineExpr::Dim(0), ir);
    let second = combine(a, b, &AffineExpr::Dim(1), ir);
    if first == second {
        return first;
    }
    let (d, s) = (first.map.n_dims, first.map.n_symbols);
    let dims: Vec<AffineExpr> = (0..second.map.n_dims)
        .map(|i| AffineExpr::Dim(d + i))
        .collect();
    let symbols: Vec<AffineExpr> = (0..second.map.n_symbols)
        .map(|i| AffineExpr::Symbol(s + i))
        .collect();
    let mut operands = first.operands[..d as usize].to_vec();
    let n = second.map.n_dims as usize;
    operands.extend_from_slice(&second.operands[..n]);
    operands.extend_from_slice(&first.operands[d as usize..]);
    operands.extend_from_slice(&second.operands[n..]);
    let map = AffineMap {
        n_dims: d + second.map.n_dims,
        n_symbols: s + second.map.n_symbols,
        results: vec![
            first.map.results[0].clone(),
            second.map.results[0].replace(&dims, &symbols),
        ],
    };
    MapAndOperands::new(map, &operands).canonical(ir)
}

/// The counter of a loop, `steps` later.
pub(crate) fn counter_plus(b: &mut Builder<'_>, counter: Value, steps: i64) -> Value {
    let map = AffineMap {
        n_dims: 1,
        n_symbols: 0,
        results: vec![AffineExpr::Dim(0).add(AffineExpr::Constant(steps))],
    };
    indices::map_op(b, &affine::APPLY, MapAndOperands::new(map, &[counter])).materialize(b)
}
