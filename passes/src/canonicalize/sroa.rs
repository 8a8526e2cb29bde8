//! `sroa`: a small array on the stack whose elements the program uses one by one, at known places, becomes a variable
//! for each of them.
//!
//! Before:
//! ```mlir
//! %a = memref.alloca() : memref<2xi32>
//! memref.store %x, %a[%c0] : memref<2xi32>
//! memref.store %y, %a[%c1] : memref<2xi32>
//! ```
//! After:
//! ```mlir
//! %a0 = memref.alloca() : memref<i32>
//! %a1 = memref.alloca() : memref<i32>
//! memref.store %x, %a0[] : memref<i32>
//! memref.store %y, %a1[] : memref<i32>
//! ```
//!
//! It makes work for `mem2reg`. Elements that are never used get no variable.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::{self, Load, Store};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType};
use rustc_hash::FxHashMap;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "sroa",
    summary: "split arrays on the stack whose elements are used one by one",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // A checked run wants to see every access.
    if ir.context().keeps_memory_operations() {
        return Ok(());
    }
    let mut n_split = 0;
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op)
            && ir.is(op, &memref::ALLOCA)
            && let Some(uses) = uses_of_elements(ir, op)
        {
            split(ir, op, &uses);
            n_split += 1;
        }
    }
    context.count("arrays split", n_split);
    Ok(())
}

/// The accesses of a splittable array, each with the place of its element.
fn uses_of_elements(ir: &Ir, alloca: Op) -> Option<Vec<(Op, Vec<i64>)>> {
    let array = ir.result(alloca, 0);
    let memref = ir.context().as_memref(ir.value_type(array))?;
    let n_elements = memref.n_elements()?;
    let is_plain = memref::has_identity_layout(ir.context(), memref);
    if n_elements < 2 || !is_plain || memref.shape.contains(&DYNAMIC) {
        return None;
    }
    let mut uses = Vec::new();
    for u in ir.uses(array) {
        let indices = if let Some(load) = Load::cast(ir, u.op) {
            load.indices(ir)
        } else if let Some(store) = Store::cast(ir, u.op) {
            if store.value(ir) == array {
                return None;
            }
            store.indices(ir)
        } else {
            return None;
        };
        let place: Option<Vec<i64>> = (indices.iter())
            .map(|&index| arith::as_constant_index(ir, index))
            .collect();
        let place = place?;
        let is_inside = place
            .iter()
            .zip(&memref.shape[..])
            .all(|(&at, &size)| 0 <= at && at < size);
        if !is_inside {
            return None;
        }
        uses.push((u.op, place));
    }
    (!uses.is_empty()).then_some(uses)
}

fn split(ir: &mut Ir, alloca: Op, uses: &[(Op, Vec<i64>)]) {
    let context = ir.context().clone();
    let whole = context
        .as_memref(ir.value_type(ir.result(alloca, 0)))
        .expect("it is a memref");
    let element = context.memref_type(MemRefType {
        space: whole.space,
        ..MemRefType::identity(&[], whole.element)
    });
    let mut places: Vec<&Vec<i64>> = uses.iter().map(|(_, place)| place).collect();
    places.sort();
    places.dedup();
    let attrs = ir.attrs(alloca);
    let mut builder = Builder::before(ir, alloca);
    let mut variables: FxHashMap<&Vec<i64>, Value> = FxHashMap::default();
    for place in places {
        let variable = memref::build::alloca(&mut builder, element, &[]);
        if let Some(op) = builder.ir.defining_op(variable) {
            // Alignment, and the sizes of the groups of operands, which are the same.
            builder.ir.set_attrs(op, attrs);
        }
        variables.insert(place, variable);
    }
    for (op, place) in uses {
        let variable = variables[place];
        let mut builder = Builder::before(ir, *op);
        if Load::cast(builder.ir, *op).is_some() {
            let value = memref::build::load(&mut builder, variable, &[]);
            ir.replace_op(*op, &[value]);
        } else {
            let value = Store(*op).value(builder.ir);
            memref::build::store(&mut builder, value, variable, &[]);
            ir.erase_op(*op);
        }
    }
    ir.erase_op(alloca);
}
