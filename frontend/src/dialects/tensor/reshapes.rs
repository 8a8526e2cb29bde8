//! Making `tensor.collapse_shape` and `tensor.expand_shape`, and fewer of them.

use super::shapes::{COLLAPSE_SHAPE, CollapseShape, EXPAND_SHAPE, ExpandShape};
use crate::dialects::memref::MixedIndex;
use crate::dialects::memref::offset_size_stride::{dynamic_values, static_values};
use crate::dialects::shared::assembly;
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Pattern};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

use super::elements::shape_of;

/// `tensor.collapse_shape` with a result of type `ty`
pub fn collapse_shape(b: &mut Builder<'_>, source: Value, groups: &[Vec<i64>], ty: Type) -> Value {
    let groups = assembly::reassociation_attr(&b.context(), groups);
    b.value_with_attr(&COLLAPSE_SHAPE, &[source], ty, Name::REASSOCIATION, groups)
}

/// `tensor.expand_shape` with a result of type `ty` and these sizes
pub fn expand_shape(
    b: &mut Builder<'_>,
    source: Value,
    groups: &[Vec<i64>],
    sizes: &[MixedIndex],
    ty: Type,
) -> Value {
    let context = b.context();
    let spec = b
        .spec(&EXPAND_SHAPE)
        .operands(&[source])
        .operands(&dynamic_values(sizes))
        .results(&[ty])
        .attr(
            Name::REASSOCIATION,
            assembly::reassociation_attr(&context, groups),
        )
        .attr(
            Name::STATIC_OUTPUT_SHAPE,
            context.i64_array_attr(&static_values(sizes)),
        );
    let op = b.create(spec);
    b.ir.result(op, 0)
}

impl CollapseShape {
    /// Which source dimensions become each result dimension.
    pub fn reassociation(self, ir: &Ir) -> Vec<Vec<i64>> {
        assembly::reassociation(ir, self.0)
    }
}

impl ExpandShape {
    /// Which result dimensions each source dimension becomes.
    pub fn reassociation(self, ir: &Ir) -> Vec<Vec<i64>> {
        assembly::reassociation(ir, self.0)
    }
}

/// `tensor.collapse_shape`
pub(super) const COLLAPSE: &[Pattern] = &[
    Pattern {
        name: "tensor-collapse-of-expand",
        apply: |rw, op| undo(rw, op, &EXPAND_SHAPE),
    },
    Pattern {
        name: "tensor-collapse-of-collapse",
        apply: |rw, op| merge(rw, op, &COLLAPSE_SHAPE),
    },
];

/// `tensor.expand_shape`
pub(super) const EXPAND: &[Pattern] = &[
    Pattern {
        name: "tensor-expand-of-collapse",
        apply: |rw, op| undo(rw, op, &COLLAPSE_SHAPE),
    },
    Pattern {
        name: "tensor-expand-of-expand",
        apply: |rw, op| merge(rw, op, &EXPAND_SHAPE),
    },
];

/// collapse(expand(x)) -> x, expand(collapse(x)) -> x
fn undo(rw: &mut Rewriter<'_>, op: Op, inverse: &'static OpDef) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), inverse) else {
        return false;
    };
    let source = rw.ir.operand(inner, 0);
    let is_same = rw.ir.value_type(source) == rw.ir.value_type(rw.ir.result(op, 0))
        && assembly::restores_sizes(
            rw.ir,
            op,
            inner,
            shape_of(rw.ir, source),
            rw.ir.is(op, &COLLAPSE_SHAPE),
        );
    if is_same {
        rw.replace_op(op, &[source]);
    }
    is_same
}

/// collapse(collapse(x)) -> collapse(x), expand(expand(x)) -> expand(x)
fn merge(rw: &mut Rewriter<'_>, op: Op, def: &'static OpDef) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), def) else {
        return false;
    };
    let [outer_groups, inner_groups] = [op, inner].map(|op| assembly::reassociation(rw.ir, op));
    let groups = match rw.ir.is(op, &COLLAPSE_SHAPE) {
        true => assembly::compose_reassociations(&outer_groups, &inner_groups),
        false => assembly::compose_reassociations(&inner_groups, &outer_groups),
    };
    let Some(groups) = groups else {
        return false;
    };
    let groups = assembly::reassociation_attr(rw.ir.context(), &groups);
    let source = rw.ir.operand(inner, 0);
    rw.set_attr(op, Name::REASSOCIATION, groups);
    rw.set_operand(op, 0, source);
    true
}
