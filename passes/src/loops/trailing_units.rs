//! Accesses of buffers whose last dimensions have size 1, as columns of matrices: without these dimensions, the loop
//! counter is the last subscript, which is what runs in vectors.
//!
//! Before:
//! ```mlir
//! %x = memref.load %b[%i, %c0] : memref<4000x1xf32>
//! ```
//! After, with the view next to what makes `%b`:
//! ```mlir
//! %column = memref.collapse_shape %b [[0, 1]] : memref<4000x1xf32> into memref<4000xf32>
//! %x = memref.load %column[%i] : memref<4000xf32>
//! ```

use freehold_frontend::dialects::memref::types;
use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use rustc_hash::FxHashMap;

use crate::analysis::loop_memory::Access;

/// Rewrites all loads and stores of such buffers.
pub(super) fn drop_trailing_units(ir: &mut Ir) {
    let mut views: FxHashMap<Value, Option<Value>> = FxHashMap::default();
    for op in ir.collect_ops(ir.root()) {
        let is_access = ir.is(op, &memref::LOAD) || ir.is(op, &memref::STORE);
        if is_access && let Some(access) = Access::of(ir, op) {
            drop_from(ir, access, &mut views);
        }
    }
}

fn drop_from(
    ir: &mut Ir,
    access: Access,
    views: &mut FxHashMap<Value, Option<Value>>,
) -> Option<()> {
    let memref = ir.context().as_memref(ir.value_type(access.buffer))?;
    let rank = 1 + memref.shape.iter().rposition(|&size| size != 1)?;
    let (kept, dropped) = access.indices(ir).split_at(rank);
    let number = |&index: &Value| arith::as_constant_index(ir, index);
    let is_column = !dropped.is_empty()
        && kept.last().is_some_and(|index| number(index).is_none())
        && dropped.iter().all(|index| number(index) == Some(0));
    is_column.then_some(())?;
    let view = match views.get(&access.buffer) {
        Some(&view) => view,
        None => {
            let view = view_of(ir, access.buffer, rank);
            views.insert(access.buffer, view);
            view
        }
    };
    let mut operands = ir.operands(access.op)[..access.index_operand(rank)].to_vec();
    operands[access.buffer_operand()] = view?;
    ir.set_operands(access.op, &operands);
    Some(())
}

/// A view of a buffer with its first `rank` dimensions, if elements of a row are next to each other.
fn view_of(ir: &mut Ir, buffer: Value, rank: usize) -> Option<Value> {
    let context = ir.context().clone();
    let memref = context.as_memref(ir.value_type(buffer))?;
    let mut groups: Vec<Vec<i64>> = (0..rank as i64).map(|dim| vec![dim]).collect();
    groups.last_mut()?.extend(rank as i64..memref.rank() as i64);
    let view = types::infer_collapsed_type(&context, memref, &groups, false).ok()?;
    let (strides, _) = context.memref_strides(&view)?;
    (strides.last() == Some(&1)).then_some(())?;
    let ty = context.memref_type(view);
    let mut builder = Builder::after_value(ir, buffer);
    Some(memref::build::collapse_shape(
        &mut builder,
        buffer,
        &groups,
        ty,
    ))
}
