//! `symbol-dce`: erases private symbols that nothing refers to.
//!
//! A symbol is alive if it is visible from outside, or if a live symbol or an
//! operation that is no symbol refers to it by name.

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::symbol_uses::collect_from_dict;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "symbol-dce",
    summary: "erase unreferenced private symbols",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_erased = erase_dead_symbols(ir, &|_, _| true);
    context.count("symbols erased", n_erased);
    Ok(())
}

/// Erases the dead symbols of this module and of the modules inside that `erasable` accepts; returns
/// how many.
pub(super) fn erase_dead_symbols(ir: &mut Ir, erasable: &dyn Fn(&Ir, Op) -> bool) -> u64 {
    let Some(block) = ir.root_block() else {
        return 0;
    };
    let ops: Vec<Op> = ir.ops_in(block).collect();
    let context = ir.context().clone();
    let by_name: FxHashMap<String, Op> = ops
        .iter()
        .filter_map(|&op| Some((ir.symbol_name(op)?.to_owned(), op)))
        .collect();
    let mut live: FxHashSet<Op> = FxHashSet::default();
    let mut stack: Vec<Op> = ops
        .iter()
        .copied()
        .filter(|&op| !(ir.has_trait(op, Traits::SYMBOL) && ir.is_private(op) && erasable(ir, op)))
        .collect();
    while let Some(op) = stack.pop() {
        if !live.insert(op) {
            continue;
        }
        let mut referenced = Vec::new();
        collect_references(ir, op, &context, &mut referenced);
        stack.extend(
            referenced
                .iter()
                .filter_map(|name| by_name.get(name))
                .copied(),
        );
    }
    let mut n_erased = 0;
    for op in ops {
        if !live.contains(&op) {
            ir.erase_op(op);
            n_erased += 1;
        } else if let Some(nested) = ir.nested_mut(op)
            && nested.has_trait(nested.root(), Traits::SYMBOL_TABLE)
        {
            n_erased += erase_dead_symbols(nested, erasable);
        }
    }
    n_erased
}

/// Adds every symbol name mentioned in `op` and inside of it.
fn collect_references(ir: &Ir, op: Op, context: &Context, out: &mut Vec<String>) {
    for inner in ir.walk(op) {
        collect_from_dict(context, ir.attrs(inner), out);
        if let Some(nested) = ir.nested(inner) {
            collect_references(nested, nested.root(), context, out);
        }
    }
}
