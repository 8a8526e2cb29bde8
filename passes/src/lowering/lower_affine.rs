//! `lower-affine`: affine loops, conditions and accesses become scf, arith and
//! memref operations.
//!
//! Before:
//! ```mlir
//! %v = affine.load %m[%i * 2 + 1] : memref<?xf32>
//! ```
//! After:
//! ```mlir
//! %0 = arith.muli %i, %c2 : index
//! %1 = arith.addi %0, %c1 : index
//! %v = memref.load %m[%1] : memref<?xf32>
//! ```
//!
//! `affine.parallel` becomes `scf.parallel`. Divisions by powers of two become
//! shifts and masks.

use freehold_frontend::dialects::affine::compose::MapAndOperands;
use freehold_frontend::dialects::affine::index::Size;
use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::AtomicRmwKind;
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::dialects::{affine, arith, memref, scf, vector};
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "lower-affine",
    summary: "turn affine operations into scf, arith and memref operations",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut result = Ok(());
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || ir.def(op).dialect() != "affine" {
            continue;
        }
        if lower(ir, op).is_none() {
            let name = ir.op_name(op);
            let message = format!("failed to legalize operation '{name}'");
            result = Err(context.diagnostics.error(ir.loc(op), message));
        }
    }
    result
}

/// The size of a dimension as a value.
fn size_value(b: &mut Builder<'_>, size: Size) -> Value {
    match size {
        Size::Value(value) => value,
        Size::Constant(number) => arith::constant_index(b, number),
    }
}

/// Every subscript times the sizes further in, added up.
fn linearized(b: &mut Builder<'_>, op: Op) -> Value {
    let subscripts = affine::index::subscripts(b.ir, op).to_vec();
    let mut basis = affine::index::basis(b.ir, op);
    // The outermost size does not matter.
    basis.drain(..basis.len() + 1 - subscripts.len());
    let mut place = subscripts[0];
    for (&subscript, size) in subscripts[1..].iter().zip(basis) {
        let size = size_value(b, size);
        let outer = b.value(&arith::MULI, &[place, size], Type::INDEX);
        place = b.value(&arith::ADDI, &[outer, subscript], Type::INDEX);
    }
    place
}

/// Remainders from the innermost size outwards; the quotient is the outermost subscript.
fn delinearized(b: &mut Builder<'_>, op: Op) -> Vec<Value> {
    let mut basis = affine::index::basis(b.ir, op);
    if basis.len() == b.ir.results(op).len() {
        basis.remove(0);
    }
    let mut rest = b.ir.operand(op, 0);
    let mut subscripts = Vec::new();
    for size in basis.into_iter().rev() {
        let size = size_value(b, size);
        let quotient = b.value(&arith::FLOORDIVSI, &[rest, size], Type::INDEX);
        let whole = b.value(&arith::MULI, &[quotient, size], Type::INDEX);
        subscripts.push(b.value(&arith::SUBI, &[rest, whole], Type::INDEX));
        rest = quotient;
    }
    subscripts.push(rest);
    subscripts.reverse();
    subscripts
}

/// Lowers one operation; `None` if there is no way to.
fn lower(ir: &mut Ir, op: Op) -> Option<()> {
    let def = ir.def(op);
    let is = |row: &'static OpDef| std::ptr::eq(def, row);
    if is(&affine::FOR) {
        lower_for(ir, op)
    } else if is(&affine::IF) {
        lower_if(ir, op)
    } else if is(&affine::PARALLEL) {
        lower_parallel(ir, op)
    } else if is(&affine::APPLY) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 0)?;
        let mut builder = Builder::before(ir, op);
        let values = expand_map(&mut builder, &map);
        ir.replace_op(op, &values);
        Some(())
    } else if is(&affine::MIN) || is(&affine::MAX) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 0)?;
        let mut builder = Builder::before(ir, op);
        let value = extreme(&mut builder, &map, is(&affine::MAX))?;
        ir.replace_op(op, &[value]);
        Some(())
    } else if is(&affine::LINEARIZE_INDEX) {
        let mut builder = Builder::before(ir, op);
        let value = linearized(&mut builder, op);
        ir.replace_op(op, &[value]);
        Some(())
    } else if is(&affine::DELINEARIZE_INDEX) {
        let mut builder = Builder::before(ir, op);
        let values = delinearized(&mut builder, op);
        ir.replace_op(op, &values);
        Some(())
    } else if is(&affine::LOAD) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 1)?;
        let memref = ir.operand(op, 0);
        let mut builder = Builder::before(ir, op);
        let indices = expand_map(&mut builder, &map);
        let value = memref::build::load(&mut builder, memref, &indices);
        ir.replace_op(op, &[value]);
        Some(())
    } else if is(&affine::STORE) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 2)?;
        let (value, memref) = (ir.operand(op, 0), ir.operand(op, 1));
        let mut builder = Builder::before(ir, op);
        let indices = expand_map(&mut builder, &map);
        memref::build::store(&mut builder, value, memref, &indices);
        ir.erase_op(op);
        Some(())
    } else if is(&affine::VECTOR_LOAD) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 1)?;
        let (memref, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
        let mut builder = Builder::before(ir, op);
        let mut operands = vec![memref];
        operands.extend(expand_map(&mut builder, &map));
        let spec = builder
            .spec(&vector::LOAD)
            .operands(&operands)
            .results(&[ty]);
        let load = builder.create(spec);
        let value = ir.result(load, 0);
        ir.replace_op(op, &[value]);
        Some(())
    } else if is(&affine::VECTOR_STORE) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 2)?;
        let mut operands = vec![ir.operand(op, 0), ir.operand(op, 1)];
        let mut builder = Builder::before(ir, op);
        operands.extend(expand_map(&mut builder, &map));
        let spec = builder.spec(&vector::STORE).operands(&operands);
        builder.create(spec);
        ir.erase_op(op);
        Some(())
    } else if is(&affine::PREFETCH) {
        let map = affine::map_and_operands(ir, op, Name::MAP, 1)?;
        let memref = ir.operand(op, 0);
        let mut builder = Builder::before(ir, op);
        let mut operands = vec![memref];
        operands.extend(expand_map(&mut builder, &map));
        let mut spec = builder.spec(&memref::PREFETCH).operands(&operands);
        for name in [Name::IS_WRITE, Name::LOCALITY_HINT, Name::IS_DATA_CACHE] {
            spec.set_attr(name, builder.ir.attr(op, name)?);
        }
        builder.create(spec);
        ir.erase_op(op);
        Some(())
    } else if is(&affine::YIELD) {
        // Lowered with the operation around, which comes first.
        let operands: Vec<Value> = ir.operands(op).to_vec();
        let mut builder = Builder::before(ir, op);
        scf::build_yield(&mut builder, &operands);
        ir.erase_op(op);
        Some(())
    } else {
        None
    }
}

/// Moves the body of `from` into the (empty) region `to`.
fn move_region(ir: &mut Ir, from: Region, to: Region) {
    while let Some(block) = ir.entry_block(to) {
        ir.erase_block(block);
    }
    ir.move_blocks(from, to);
}

fn lower_for(ir: &mut Ir, op: Op) -> Option<()> {
    let view = affine::For(op);
    let lower = MapAndOperands::new(
        view.lower_bound_map(ir).clone(),
        view.lower_bound_operands(ir),
    );
    let upper = MapAndOperands::new(
        view.upper_bound_map(ir).clone(),
        view.upper_bound_operands(ir),
    );
    let (step, inits) = (view.step(ir), view.inits(ir).to_vec());
    let mut builder = Builder::before(ir, op);
    let lower = extreme(&mut builder, &lower, true)?;
    let upper = extreme(&mut builder, &upper, false)?;
    let step = arith::constant_index(&mut builder, step);
    let new = scf::build_for(&mut builder, lower, upper, step, &inits);
    let (from, to) = (ir.region(op, 0), ir.region(new, 0));
    move_region(ir, from, to);
    let results: Vec<Value> = ir.results(new).to_vec();
    ir.replace_op(op, &results);
    Some(())
}

fn lower_if(ir: &mut Ir, op: Op) -> Option<()> {
    let set = std::sync::Arc::clone(affine::If(op).condition(ir)?);
    let operands: Vec<Value> = ir.operands(op).to_vec();
    let types: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let mut builder = Builder::before(ir, op);
    let (dims, symbols) = operands.split_at(set.n_dims as usize);
    let zero = arith::constant_index(&mut builder, 0);
    let mut condition = None;
    for (expr, is_equality) in &set.constraints {
        let value = expand_expr(&mut builder, expr, dims, symbols);
        let predicate = if *is_equality {
            CmpIPredicate::Eq
        } else {
            CmpIPredicate::Sge
        };
        let holds = arith::compare(&mut builder, predicate, value, zero);
        condition = Some(match condition {
            Some(all) => builder.value(&arith::ANDI, &[all, holds], Type::I1),
            None => holds,
        });
    }
    let condition = condition.unwrap_or_else(|| arith::constant_bool(&mut builder, true));
    let spec = builder
        .spec(&scf::IF)
        .operands(&[condition])
        .results(&types)
        .regions(2);
    let new = builder.create(spec);
    for index in 0..2 {
        let (from, to) = (ir.region(op, index), ir.region(new, index));
        ir.move_blocks(from, to);
    }
    let results: Vec<Value> = ir.results(new).to_vec();
    ir.replace_op(op, &results);
    Some(())
}

fn lower_parallel(ir: &mut Ir, op: Op) -> Option<()> {
    let view = affine::Parallel(op);
    let steps = view.steps(ir);
    let kinds = view.reductions(ir);
    let maps: Vec<(MapAndOperands, MapAndOperands)> = (0..steps.len())
        .map(|i| (view.lower_bound(ir, i), view.upper_bound(ir, i)))
        .collect();
    let types: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let mut builder = Builder::before(ir, op);
    let (mut lower_bounds, mut upper_bounds) = (Vec::new(), Vec::new());
    for (lower, _) in &maps {
        lower_bounds.push(extreme(&mut builder, lower, true)?);
    }
    for (_, upper) in &maps {
        upper_bounds.push(extreme(&mut builder, upper, false)?);
    }
    let step_values: Vec<Value> = (steps.iter())
        .map(|&step| arith::constant_index(&mut builder, step))
        .collect();
    let mut inits = Vec::new();
    for (&kind, &ty) in kinds.iter().zip(&types) {
        let attr = neutral_element(&builder.context(), kind, ty)?;
        inits.push(arith::constant_attr(&mut builder, attr));
    }
    let new = scf::build_parallel(
        &mut builder,
        &lower_bounds,
        &upper_bounds,
        &step_values,
        &inits,
    );
    let (from, to) = (view.body(ir), scf::Parallel(new).body(ir));
    let terminator = ir.last_op(from)?;
    let yielded: Vec<Value> = ir.operands(terminator).to_vec();
    ir.erase_op(terminator);
    for (from, to) in std::iter::zip(ir.block_args(from).to_vec(), ir.block_args(to).to_vec()) {
        ir.replace_all_uses(from, to);
    }
    if kinds.is_empty() {
        let reduce = scf::Parallel(new).reduce_op(ir);
        ir.move_block_contents_before(from, reduce);
    } else {
        ir.move_block_contents_to_end(from, to);
        build_reduce(&mut Builder::at_end(ir, to), &kinds, &yielded)?;
    }
    let results: Vec<Value> = ir.results(new).to_vec();
    ir.replace_op(op, &results);
    Some(())
}

/// Ends the body of an `scf.parallel`: combines `values`, each by its kind.
fn build_reduce(
    builder: &mut Builder<'_>,
    kinds: &[AtomicRmwKind],
    values: &[Value],
) -> Option<()> {
    let spec = builder
        .spec(&scf::REDUCE)
        .operands(values)
        .regions(kinds.len());
    let reduce = builder.create(spec);
    for (index, (&kind, &value)) in kinds.iter().zip(values).enumerate() {
        let ty = builder.ir.value_type(value);
        let region = builder.ir.region(reduce, index);
        let block = builder.ir.append_block(region, &[ty; 2]);
        let arguments = builder.ir.block_args(block).to_vec();
        let mut inner = builder.inside(block);
        let combined = inner.value(kind.combination()?, &arguments, ty);
        inner.op(&scf::REDUCE_RETURN, &[combined], &[]);
    }
    Some(())
}

/// Where combining values starts.
pub(super) fn neutral_element(context: &Context, kind: AtomicRmwKind, ty: Type) -> Option<Attr> {
    let float = |value: f64| -> Option<Attr> {
        let (bits, _) = float::encode(context.float_kind(ty)?, value)?;
        Some(context.intern_attr(AttrKind::Float { ty, bits }))
    };
    let width = context.integer_width(ty);
    let integer = |value: i128| Some(context.integer_attr(ty, value));
    match kind {
        // The neutral one is -0.0; sums start from 0.0, as upstream's do.
        AtomicRmwKind::Addf => float(0.0),
        AtomicRmwKind::Mulf => float(1.0),
        AtomicRmwKind::Maximumf => float(f64::NEG_INFINITY),
        AtomicRmwKind::Minimumf => float(f64::INFINITY),
        AtomicRmwKind::Maxnumf | AtomicRmwKind::Minnumf => float(f64::NAN),
        AtomicRmwKind::Addi | AtomicRmwKind::Ori | AtomicRmwKind::Xori | AtomicRmwKind::Maxu => {
            integer(0)
        }
        AtomicRmwKind::Muli => integer(1),
        AtomicRmwKind::Andi | AtomicRmwKind::Minu => integer(-1),
        AtomicRmwKind::Maxs => integer(-(1i128 << (width?.clamp(1, 127) - 1))),
        AtomicRmwKind::Mins => integer((1i128 << (width?.clamp(1, 127) - 1)) - 1),
        AtomicRmwKind::Assign => None,
    }
}

/// The results of a map as values.
fn expand_map(builder: &mut Builder<'_>, map: &MapAndOperands) -> Vec<Value> {
    let (dims, symbols) = map.operands.split_at(map.map.n_dims as usize);
    map.map
        .results
        .iter()
        .map(|expr| expand_expr(builder, expr, dims, symbols))
        .collect()
}

/// The largest (or smallest) result of a map; `None` if it has none.
fn extreme(builder: &mut Builder<'_>, map: &MapAndOperands, largest: bool) -> Option<Value> {
    let row = if largest {
        &arith::MAXSI
    } else {
        &arith::MINSI
    };
    expand_map(builder, map)
        .into_iter()
        .reduce(|a, b| builder.value(row, &[a, b], Type::INDEX))
}

/// An affine expression as a value.
pub(super) fn expand_expr(
    builder: &mut Builder<'_>,
    expr: &AffineExpr,
    dims: &[Value],
    symbols: &[Value],
) -> Value {
    let (op, sides) = match expr {
        AffineExpr::Dim(i) => return dims[*i as usize],
        AffineExpr::Symbol(i) => return symbols[*i as usize],
        AffineExpr::Constant(value) => return arith::constant_index(builder, *value),
        AffineExpr::Binary(op, sides) => (*op, sides),
    };
    let lhs = expand_expr(builder, &sides.0, dims, symbols);
    let power = match sides.1 {
        AffineExpr::Constant(c) if c > 0 && c & (c - 1) == 0 => Some(i64::from(c.trailing_zeros())),
        _ => None,
    };
    match (op, power) {
        (AffineOp::Mod, Some(power)) => {
            let mask = arith::constant_index(builder, (1i64 << power).wrapping_sub(1));
            builder.value(&arith::ANDI, &[lhs, mask], Type::INDEX)
        }
        (AffineOp::FloorDiv, Some(power)) => {
            let power = arith::constant_index(builder, power);
            builder.value(&arith::SHRSI, &[lhs, power], Type::INDEX)
        }
        _ => {
            let rhs = expand_expr(builder, &sides.1, dims, symbols);
            let row = match op {
                AffineOp::Add => &arith::ADDI,
                AffineOp::Mul => &arith::MULI,
                AffineOp::FloorDiv => &arith::FLOORDIVSI,
                AffineOp::CeilDiv => &arith::CEILDIVSI,
                AffineOp::Mod => &arith::REMSI,
            };
            let result = builder.value(row, &[lhs, rhs], Type::INDEX);
            if op != AffineOp::Mod {
                return result;
            }
            // The remainder of an affine mod is never negative.
            let zero = arith::constant_index(builder, 0);
            let negative = arith::compare(builder, CmpIPredicate::Slt, result, zero);
            let wrapped = builder.value(&arith::ADDI, &[result, rhs], Type::INDEX);
            builder.value(&arith::SELECT, &[negative, wrapped, result], Type::INDEX)
        }
    }
}
