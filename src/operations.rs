//! `--mlir-print-op-on-diagnostic`: shows the operations that diagnostics are about. Of models, the nodes.

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Severity};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::{Loc, LocKind};
use freehold_frontend::syntax::printer::{PrintOptions, print_op};

/// The generic form, which operations have that do not verify.
const PRINT: PrintOptions = PrintOptions {
    generic: true,
    debug_info: false,
    skip_regions: false,
    local_scope: true,
    elide_elements_larger_than: None,
    mlir_version: None,
};

/// Adds a note to each error and warning at whose place an operation of `ir` stands, as MLIR words it.
pub(crate) fn show(ir: &Ir, diagnostics: &mut Diagnostics) {
    if !ir.context().prints_operations() {
        return;
    }
    let mut texts: Vec<(Loc, String)> = Vec::new();
    collect(ir, &mut |ir, op| {
        let loc = ir.loc(op);
        let is_about = |reported: Loc| reported == loc && loc != Loc::UNKNOWN;
        let is_wanted = diagnostics.iter().any(|one| is_about(one.loc));
        if is_wanted && !texts.iter().any(|(known, _)| *known == loc) {
            texts.push((loc, print_op(ir, op, PRINT)));
        }
    });
    diagnostics.add_notes(|one| {
        let (_, text) = texts.iter().find(|(loc, _)| *loc == one.loc)?;
        let is_wrong = matches!(one.severity, Severity::Error | Severity::Warning);
        is_wrong.then(|| format!("see current operation: {}", text.trim_end()))
    });
}

/// Adds the node of a model to each error that is at the place of one.
pub(crate) fn name_nodes(context: &Context, diagnostics: &mut Diagnostics) {
    diagnostics.add_notes(|one| {
        let Some(LocKind::Name(node, inner)) = context.loc_kind(one.loc) else {
            return None;
        };
        match context.loc_kind(*inner) {
            Some(LocKind::Name(operator, _)) => Some(format!("in node '{node}' ({operator})")),
            _ => None,
        }
    });
}

/// Calls `each` with all operations, also those of nested functions and modules.
fn collect(ir: &Ir, each: &mut impl FnMut(&Ir, Op)) {
    for op in ir.walk(ir.root()) {
        match ir.nested(op) {
            Some(nested) => collect(nested, each),
            None => each(ir, op),
        }
    }
}
