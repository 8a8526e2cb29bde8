//! `raise-scf-to-affine`: loops of scf with a known step become affine loops, and accesses in them affine accesses.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %j = arith.addi %i, %c1 : index
//!   %v = memref.load %m[%j] : memref<?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! affine.for %i = 0 to %n {
//!   %v = affine.load %m[%i + 1] : memref<?xf32>
//! }
//! ```
//!
//! Bounds and subscripts are sums and multiples of what affine maps may use: counters of affine loops, and values and sizes
//! at the top level of the function. Other loops and accesses stay.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "raise-scf-to-affine",
    summary: "turn loops of scf and accesses in them into affine ones",
    anchor: Anchor::Function,
    run,
};

/// How deep subscripts are looked into.
const MAX_DEPTH: usize = 16;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_raised = 0;
    // Outer loops first: their counters are in bounds of inner ones.
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) {
            continue;
        }
        let raised = if ir.is(op, &scf::FOR) {
            raise_loop(ir, op)
        } else if ir.is(op, &memref::LOAD) || ir.is(op, &memref::STORE) {
            raise_access(ir, op)
        } else {
            None
        };
        n_raised += u64::from(raised.is_some());
    }
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is_erased(op) {
            continue;
        }
        let is_index = ir
            .results(op)
            .iter()
            .all(|&v| ir.value_type(v) == Type::INDEX);
        if is_index
            && !ir.results(op).is_empty()
            && ir.is_unused(op)
            && ir.would_be_trivially_dead(op)
        {
            ir.erase_op(op);
        }
    }
    context.count("operations raised", n_raised);
    Ok(())
}

/// What maps are made of.
#[derive(Default)]
struct Leaves(Vec<Value>);

impl Leaves {
    /// `value` as an expression of dimensions; none if it is not affine.
    fn expr(&mut self, ir: &Ir, value: Value, depth: usize) -> Option<AffineExpr> {
        if let Some(number) = arith::as_constant_index(ir, value) {
            return Some(AffineExpr::Constant(number));
        }
        if affine::is_valid_dim(ir, value) {
            let at = self
                .0
                .iter()
                .position(|&leaf| leaf == value)
                .unwrap_or_else(|| {
                    self.0.push(value);
                    self.0.len() - 1
                });
            return Some(AffineExpr::Dim(at as u32));
        }
        let op = ir.defining_op(value).filter(|_| depth > 0)?;
        let is_sum = ir.is(op, &arith::ADDI);
        if !is_sum && !ir.is(op, &arith::SUBI) && !ir.is(op, &arith::MULI) {
            return None;
        }
        let left = self.expr(ir, ir.operand(op, 0), depth - 1)?;
        let right = self.expr(ir, ir.operand(op, 1), depth - 1)?;
        if is_sum {
            return Some(left.add(right));
        }
        if ir.is(op, &arith::SUBI) {
            return Some(left.sub(right));
        }
        let has_number = left.as_constant().is_some() || right.as_constant().is_some();
        has_number.then(|| left.mul(right))
    }

    fn finish(self, ir: &Ir, results: Vec<AffineExpr>) -> MapAndOperands {
        let map = AffineMap {
            n_dims: self.0.len() as u32,
            n_symbols: 0,
            results,
        };
        MapAndOperands::new(map, &self.0).canonical(ir)
    }
}

/// These values as results of a map.
fn map_of(ir: &Ir, values: &[Value]) -> Option<MapAndOperands> {
    let mut leaves = Leaves::default();
    let results = values
        .iter()
        .map(|&value| leaves.expr(ir, value, MAX_DEPTH));
    let results: Option<Vec<AffineExpr>> = results.collect();
    Some(leaves.finish(ir, results?))
}

fn raise_loop(ir: &mut Ir, op: Op) -> Option<()> {
    let view = scf::For(op);
    if ir.value_type(view.lower_bound(ir)) != Type::INDEX {
        return None;
    }
    let step = arith::as_constant_index(ir, view.step(ir)).filter(|&step| step > 0)?;
    let lower = map_of(ir, &[view.lower_bound(ir)])?;
    let upper = map_of(ir, &[view.upper_bound(ir)])?;
    let inits = view.init_args(ir).to_vec();
    let mut builder = Builder::before(ir, op);
    let new = affine::build_for(&mut builder, &lower, &upper, step, &inits);
    let [from, to] = [view.body(ir), affine::For(new).body(ir)];
    if let Some(end) = ir.last_op(to) {
        ir.erase_op(end);
    }
    for (old, new) in std::iter::zip(ir.block_args(from).to_vec(), ir.block_args(to).to_vec()) {
        ir.replace_all_uses(old, new);
    }
    let end = view.yield_op(ir);
    let values = ir.operands(end).to_vec();
    let mut builder = Builder::before(ir, end);
    builder.op(&affine::YIELD, &values, &[]);
    ir.erase_op(end);
    ir.move_block_contents_to_end(from, to);
    let results = ir.results(new).to_vec();
    ir.replace_op(op, &results);
    Some(())
}

fn raise_access(ir: &mut Ir, op: Op) -> Option<()> {
    let (memref, indices) = memref::access::accessed_element(ir, op)?;
    // Affine accesses do not say this.
    if ir
        .context()
        .dict(ir.attrs(op))
        .iter()
        .any(|&(name, _)| name == Name::NONTEMPORAL)
    {
        return None;
    }
    let MapAndOperands { map, operands } = map_of(ir, indices)?;
    let map = ir.context().affine_map_attr(map);
    if ir.is(op, &memref::LOAD) {
        let ty = ir.value_type(ir.result(op, 0));
        let operands = [&[memref][..], &operands].concat();
        let mut builder = Builder::before(ir, op);
        let value = builder.value_with_attr(&affine::LOAD, &operands, ty, Name::MAP, map);
        ir.replace_op(op, &[value]);
    } else {
        let operands = [&[ir.operand(op, 0), memref][..], &operands].concat();
        let mut builder = Builder::before(ir, op);
        let spec = builder
            .spec(&affine::STORE)
            .operands(&operands)
            .attr(Name::MAP, map);
        builder.create(spec);
        ir.erase_op(op);
    }
    Some(())
}
