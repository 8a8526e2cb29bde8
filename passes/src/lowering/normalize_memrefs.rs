//! `normalize-memrefs`: buffers whose layout is an affine map become row-major ones, and accesses apply the map.
//!
//! Before:
//! ```mlir
//! %m = memref.alloc() : memref<16xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>>
//! affine.store %v, %m[%i] : memref<16xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>>
//! ```
//! After:
//! ```mlir
//! %m = memref.alloc() : memref<4x4xf32>
//! affine.store %v, %m[%i floordiv 4, %i mod 4] : memref<4x4xf32>
//! ```
//!
//! Allocations of known size that are only accessed and freed are rewritten. Upstream also changes the types of functions;
//! here buffers that are passed on keep their layout.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap, AffineOp};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::MemRefType;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "normalize-memrefs",
    summary: "make buffers with affine layouts row-major",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_normalized = 0;
    for op in ir.collect_ops(ir.root()) {
        let is_alloc = ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA);
        if is_alloc && let Some((map, shape)) = normalized(ir, op) {
            normalize(ir, op, &map, &shape);
            n_normalized += 1;
        }
    }
    context.count("buffers normalized", n_normalized);
    Ok(())
}

/// The layout of a buffer that can be rewritten, and its sizes after that.
fn normalized(ir: &Ir, alloc: Op) -> Option<(AffineMap, Vec<i64>)> {
    let buffer = ir.result(alloc, 0);
    let context = ir.context();
    let ty = context.as_memref(ir.value_type(buffer))?;
    let map = AffineMap::clone(context.attr_affine_map(ty.layout?)?);
    let is_plain = ty.has_static_shape() && map.n_symbols == 0 && ty.n_elements()? > 0;
    let is_access = |op: Op, index: u32| {
        let at = if ir.is(op, &affine::LOAD)
            || ir.is(op, &memref::LOAD)
            || ir.is(op, &memref::DEALLOC)
        {
            0
        } else if ir.is(op, &affine::STORE) || ir.is(op, &memref::STORE) {
            1
        } else {
            return false;
        };
        index == at
    };
    if !is_plain || !ir.uses(buffer).iter().all(|u| is_access(u.op, u.index)) {
        return None;
    }
    let sizes = map.results.iter().map(|expr| {
        let (least, most) = range(expr, &ty.shape)?;
        (least >= 0).then(|| most.checked_add(1)).flatten()
    });
    let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
    // Bounds of a range that is too wide would make a buffer of any size.
    let n: i64 = sizes
        .iter()
        .try_fold(1i64, |n, &size| n.checked_mul(size))?;
    (n <= ty.n_elements()?.checked_mul(64)?).then_some((map, sizes))
}

/// The smallest and the largest number that `expr` may be for indices into `shape`.
fn range(expr: &AffineExpr, shape: &[i64]) -> Option<(i64, i64)> {
    match expr {
        AffineExpr::Constant(number) => Some((*number, *number)),
        AffineExpr::Dim(dim) => Some((0, shape.get(*dim as usize)? - 1)),
        AffineExpr::Symbol(_) => None,
        AffineExpr::Binary(op, parts) => {
            let (a, b) = (range(&parts.0, shape)?, range(&parts.1, shape)?);
            let number = (b.0 == b.1).then_some(b.0);
            match op {
                AffineOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                AffineOp::Mul => {
                    let ends = [
                        a.0.checked_mul(b.0)?,
                        a.0.checked_mul(b.1)?,
                        a.1.checked_mul(b.0)?,
                        a.1.checked_mul(b.1)?,
                    ];
                    Some((*ends.iter().min()?, *ends.iter().max()?))
                }
                AffineOp::FloorDiv => {
                    let by = number.filter(|&by| by > 0)?;
                    Some((a.0.div_euclid(by), a.1.div_euclid(by)))
                }
                AffineOp::CeilDiv => {
                    let by = number.filter(|&by| by > 0)?;
                    let up = |end: i64| Some(-(end.checked_neg()?.div_euclid(by)));
                    Some((up(a.0)?, up(a.1)?))
                }
                AffineOp::Mod => {
                    let by = number.filter(|&by| by > 0)?;
                    match a.0 >= 0 && a.1 < by {
                        true => Some(a),
                        false => Some((0, by - 1)),
                    }
                }
            }
        }
    }
}

fn normalize(ir: &mut Ir, alloc: Op, layout: &AffineMap, shape: &[i64]) {
    let context = ir.context().clone();
    let buffer = ir.result(alloc, 0);
    let old = context
        .as_memref(ir.value_type(buffer))
        .expect("it is a memref");
    let ty = context.memref_type(MemRefType {
        space: old.space,
        ..MemRefType::identity(shape, old.element)
    });
    let users: Vec<Op> = ir.uses(buffer).iter().map(|u| u.op).collect();
    ir.set_value_type(buffer, ty);
    for op in users {
        let first = match ir.results(op) {
            [] => 2,
            _ => 1,
        };
        if ir.is(op, &affine::LOAD) || ir.is(op, &affine::STORE) {
            if let Some(access) = affine::map_and_operands(ir, op, Name::MAP, first) {
                let map = AffineMap {
                    results: layout
                        .results
                        .iter()
                        .map(|expr| expr.replace(&access.map.results, &[]))
                        .collect(),
                    ..access.map
                };
                let access = MapAndOperands::new(map, &access.operands).canonical(ir);
                let mut operands = ir.operands(op)[..first].to_vec();
                operands.extend_from_slice(&access.operands);
                let map = context.affine_map_attr(access.map);
                ir.set_operands(op, &operands);
                ir.set_attr(op, Name::MAP, map);
            }
        } else if !ir.is(op, &memref::DEALLOC) {
            let indices: Vec<Value> = ir.operands(op)[first..].to_vec();
            let mut operands = ir.operands(op)[..first].to_vec();
            let mut builder = Builder::before(ir, op);
            for expr in &layout.results {
                let symbols: Vec<AffineExpr> =
                    (0..indices.len() as u32).map(AffineExpr::Symbol).collect();
                let expr = expr.replace(&symbols, &[]);
                let values: Vec<_> = indices.iter().map(|&index| index.into()).collect();
                operands
                    .push(indices::apply(&mut builder, expr, &values).materialize(&mut builder));
            }
            ir.set_operands(op, &operands);
        }
    }
}
