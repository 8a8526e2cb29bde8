//! VHLO: programs that are stored, and StableHLO.
//!
//! An operation of VHLO has all attributes always, with values that StableHLO leaves out (`defaults.rs`), and what
//! StableHLO has in one attribute with fields (`#stablehlo.gather<...>`) stands there as an attribute per field
//! (`groups.rs`). Everything else is the same in other words, which the dialect knows.

mod defaults;
mod groups;
pub mod stablehlo_legalize_to_vhlo;
pub mod vhlo_legalize_to_stablehlo;
pub mod vhlo_to_version;

use std::sync::{Arc, LazyLock};

use freehold_frontend::dialects::vhlo::{ROWS, Row, Version, unspelled_type};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

/// Attributes of an operation.
type Attrs = Vec<(Name, Attr)>;

/// Rows by the names of operations.
static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Row>> =
    LazyLock::new(|| ROWS.iter().map(|row| (row.def.name, row)).collect());

/// The row of an operation of VHLO.
fn row_of(def: &OpDef) -> Option<&'static Row> {
    BY_NAME.get(def.name).copied()
}

/// The row of an operation in a version of the dialect.
fn row_in(of: &'static OpDef, version: Version) -> Option<&'static Row> {
    let mut rows = ROWS.iter();
    rows.find(|row| std::ptr::eq(row.of, of) && row.is_in(version))
}

/// Whether anything in a module is of VHLO.
fn occurs(ir: &Ir) -> bool {
    let ops = ir.collect_ops(ir.root());
    ops.into_iter().any(|op| {
        let is_nested = op != ir.root() && ir.nested(op).is_some_and(occurs);
        is_nested || row_of(ir.def(op)).is_some()
    })
}

/// Makes StableHLO of the parts of a program that are VHLO, and returns whether there were any.
///
/// # Errors
/// If these are from a version that is not known, or cannot be StableHLO.
pub fn make_stablehlo(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<bool, Failed> {
    if !occurs(ir) {
        return Ok(false);
    }
    vhlo_to_version::convert(ir, Version::CURRENT, diagnostics)?;
    vhlo_legalize_to_stablehlo::convert(ir, diagnostics)?;
    Ok(true)
}

/// Calls a function for every operation in an arena and in those inside. What it returns is an error at the operation.
fn for_each(
    ir: &mut Ir,
    diagnostics: &mut Diagnostics,
    change: &mut dyn FnMut(&mut Ir, Op) -> Result<(), String>,
) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if op == ir.root() || ir.nested(op).is_none() {
            if let Err(message) = change(ir, op) {
                return Err(diagnostics.error(ir.loc(op), message));
            }
            continue;
        }
        let mut nested = ir.take_nested(op);
        let outcome = for_each(&mut nested, diagnostics, change);
        let def = nested.def(nested.root());
        ir.put_nested(op, nested);
        ir.set_def(op, def);
        outcome?;
    }
    Ok(())
}

/// Changes the types of all that an operation defines.
fn change_types(
    ir: &mut Ir,
    op: Op,
    change: &mut dyn FnMut(Type) -> Result<Type, String>,
) -> Result<(), String> {
    let blocks: Vec<Block> = (ir.regions(op).iter())
        .flat_map(|&region| ir.blocks_in(region))
        .collect();
    let arguments = blocks.iter().flat_map(|&block| ir.block_args(block));
    let defined: Vec<Value> = ir.results(op).iter().chain(arguments).copied().collect();
    for value in defined {
        let ty = ir.value_type(value);
        let new = change(ty)?;
        if new != ty {
            ir.set_value_type(value, new);
        }
    }
    Ok(())
}

/// The types of operands without the words of VHLO.
fn plain_types(ir: &Ir, values: &[Value]) -> Vec<Type> {
    let context: &Arc<Context> = ir.context();
    let types = values.iter().map(|&value| ir.value_type(value));
    types.map(|ty| unspelled_type(context, ty)).collect()
}

/// Upstream's words for an operation that has no counterpart.
fn illegal(ir: &Ir, op: Op, reason: &str) -> String {
    format!(
        "failed to legalize operation '{}' that was explicitly marked illegal: {reason}",
        ir.op_name(op)
    )
}
