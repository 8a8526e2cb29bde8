//! Operations on buffers: `clone` and `dealloc`.

use smallvec::SmallVec;

use crate::dialects::memref::types;
use crate::dialects::shared::assembly;
use crate::ir::builder::Builder;
use crate::ir::constraints::{I1, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::format::Values;
use crate::ir::op_def::{OpDef, OpError, ValueSpec, keeps_nothing};
use crate::ir::types::Type;
use crate::op_view;

use super::patterns;

/// `bufferization.clone`: a new buffer with the same contents. Neither it nor
/// the source may be written afterwards.
pub static CLONE: OpDef = const {
    OpDef {
        name: "bufferization.clone",
        operands: &[ValueSpec::one("input", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("output", &RANKED_OR_UNRANKED_MEMREF)],
        verify: verify_clone,
        effects: Some(|ir, op, effects| {
            effects.read(ir.operand(op, 0));
            effects.write(ir.result(op, 0));
            effects.allocate(ir.result(op, 0));
        }),
        canonicalize: patterns::CLONE,
        ..OpDef::BASE
    }
}
.with_format("$input attr-dict `:` type($input) `to` type($output)");
op_view!(
    /// View of [`CLONE`].
    Clone, CLONE { input: one = 0 }
);

/// Upstream checks nothing here and fails when it lowers the copy.
fn verify_clone(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let (from, to) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    if context.element_type_or_self(from) != context.element_type_or_self(to) {
        return Err("requires the same element type for all operands and results".into());
    }
    if let (Some(a), Some(b)) = (context.shape(from), context.shape(to)) {
        let agree = |(&a, &b): (&i64, &i64)| types::is_compatible(a, b);
        if a.len() != b.len() || !a.iter().zip(b).all(agree) {
            return Err("requires the same shape for all operands and results".into());
        }
    }
    Ok(())
}

/// `bufferization.dealloc`: frees each memref whose condition holds unless it
/// is based on the same allocation as a retained one or an earlier entry; the results say who now
/// owns the retained ones.
pub static DEALLOC: OpDef = const {
    OpDef {
        name: "bufferization.dealloc",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::variadic("memrefs", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::variadic("conditions", &I1),
            ValueSpec::variadic("retained", &RANKED_OR_UNRANKED_MEMREF),
        ],
        results: &[ValueSpec::variadic("updatedConditions", &I1)],
        infer_results: Some(|_, _, parts| {
            let n_retained = parts.types_of(Values::Operand(2)).len();
            Ok(SmallVec::from_elem(Type::I1, n_retained))
        }),
        verify: verify_dealloc,
        effects: Some(|ir, op, effects| {
            for &memref in ir.operand_group(op, 0) {
                effects.free(memref);
            }
        }),
        canonicalize: patterns::DEALLOC,
        ..OpDef::BASE
    }
}
.with_format(
    "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? \
     (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict",
);
op_view!(
    /// View of [`DEALLOC`].
    Dealloc, DEALLOC { memrefs: many = 0, conditions: many = 1, retained: many = 2 }
);

fn verify_dealloc(ir: &Ir, op: Op) -> Result<(), OpError> {
    let dealloc = Dealloc(op);
    if dealloc.memrefs(ir).len() != dealloc.conditions(ir).len() {
        return Err("must have the same number of conditions as memrefs to deallocate".into());
    }
    if dealloc.retained(ir).len() != ir.results(op).len() {
        return Err(
            "must have the same number of updated conditions (results) as retained operands".into(),
        );
    }
    Ok(())
}

/// Makes a `bufferization.dealloc`.
pub fn build_dealloc(
    b: &mut Builder<'_>,
    memrefs: &[Value],
    conditions: &[Value],
    retained: &[Value],
) -> Op {
    let context = b.context();
    let mut spec = b
        .spec(&DEALLOC)
        .operands(memrefs)
        .operands(conditions)
        .operands(retained)
        .results(&vec![Type::I1; retained.len()]);
    let segments = [memrefs.len(), conditions.len(), retained.len()];
    assembly::set_segments(&context, &mut spec, &segments);
    b.create(spec)
}

/// Makes a `bufferization.clone` of the type of its source.
pub fn build_clone(b: &mut Builder<'_>, source: Value) -> Value {
    let ty = b.ir.value_type(source);
    b.value(&CLONE, &[source], ty)
}
