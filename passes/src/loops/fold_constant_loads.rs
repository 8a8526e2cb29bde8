//! `fold-constant-loads`: what is loaded from a known place of a constant is a constant.
//!
//! Before:
//! ```mlir
//! memref.global "private" constant @table : memref<4xi8> = dense<[3, 2, 1, 0]>
//! %t = memref.get_global @table : memref<4xi8>
//! %x = memref.load %t[%c1] : memref<4xi8>
//! %v = vector.load %t[%c2] : memref<4xi8>, vector<2xi8>
//! ```
//! After:
//! ```mlir
//! %x = arith.constant 2 : i8
//! %v = arith.constant dense<[1, 0]> : vector<2xi8>
//! ```
//! Nothing stores to constants. Places are known once loops are written out.

use freehold_frontend::dialects::shared::const_fold::{dense_attr, element, splat_attr};
use freehold_frontend::dialects::{arith, memref, vector};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashMap;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "fold-constant-loads",
    summary: "replace loads from known places of constants by constants",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let constants = constants(ir);
    if constants.is_empty() {
        return Ok(());
    }
    let folded = functions::map_functions(ir, |function| fold_in(function, &constants));
    context.count("loads folded", folded.into_iter().sum());
    Ok(())
}

/// The values of constant globals, by name.
type Constants = FxHashMap<String, Attr>;

fn constants(ir: &Ir) -> Constants {
    let mut constants = Constants::default();
    for op in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        if !ir.is(op, &memref::GLOBAL) || !memref::Global(op).is_constant(ir) {
            continue;
        }
        let value = memref::Global(op).initial_value(ir);
        let value = value
            .filter(|&value| matches!(ir.context().attr_kind(value), AttrKind::DenseElements(_)));
        if let (Some(name), Some(value)) = (ir.symbol_name(op), value) {
            constants.insert(name.to_owned(), value);
        }
    }
    constants
}

fn fold_in(ir: &mut Ir, constants: &Constants) -> u64 {
    let mut n_folded = 0;
    for op in ir.collect_ops(ir.root()) {
        if let Some(value) = value_of(ir, op, constants) {
            let constant = arith::constant_attr(&mut Builder::before(ir, op), value);
            ir.replace_op(op, &[constant]);
            n_folded += 1;
        }
    }
    n_folded
}

/// What `op` loads, if it is a constant.
fn value_of(ir: &Ir, op: Op, constants: &Constants) -> Option<Attr> {
    if !ir.is(op, &memref::LOAD) && !ir.is(op, &vector::LOAD) {
        return None;
    }
    let (&base, indices) = ir.operands(op).split_first()?;
    let value = *constants.get(global_of(ir, base)?)?;
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(base))?;
    if !memref.has_static_shape() || memref.layout.is_some() {
        return None;
    }
    let mut place = 0usize;
    for (&index, &size) in indices.iter().zip(&memref.shape) {
        let index = arith::as_constant_index(ir, index)?;
        let index = usize::try_from(index).ok().filter(|_| index < size)?;
        place = place * usize::try_from(size).ok()? + index;
    }
    let ty = ir.value_type(ir.result(op, 0));
    let n = usize::try_from(memref.n_elements()?).ok()?;
    let Some(sizes) = context.shape(ty) else {
        return splat_attr(context, ty, element(context, value, place)?);
    };
    let lanes = sizes.iter().try_fold(1, |lanes: usize, &size| {
        lanes.checked_mul(usize::try_from(size).ok().filter(|_| size != DYNAMIC)?)
    })?;
    let is_row = sizes.len() == 1
        && context.element_type_or_self(ty) == memref.element
        && place.checked_add(lanes)? <= n
        && vector::scalable_of(context, ty) == [false];
    is_row
        .then(|| dense_attr(context, ty, |lane| element(context, value, place + lane)))
        .flatten()
}

/// The global whose elements `memref` has, all of them and in the same order.
fn global_of(ir: &Ir, mut memref: Value) -> Option<&str> {
    loop {
        let op = ir.defining_op(memref)?;
        if ir.is(op, &memref::GET_GLOBAL) {
            return memref::GetGlobal(op).symbol(ir);
        }
        if !ir.is(op, &memref::COLLAPSE_SHAPE) && !ir.is(op, &memref::EXPAND_SHAPE) {
            return None;
        }
        memref = ir.operand(op, 0);
    }
}
