//! Which constant operation holds a folded attribute: what upstream's dialects
//! answer in their `materializeConstant` hooks.

use super::shared::const_fold;
use super::{arith, complex, index};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::op_def::OpDef;
use crate::ir::types::{Type, TypeKind};

/// The row of the constant with value `attr` and type `ty` that results of
/// `from` fold to: `from`'s dialect's own constants where it has some. The
/// value is stored as attribute `value`. `None` if no constant can hold it.
pub fn constant_row(
    context: &Context,
    from: &OpDef,
    attr: Attr,
    ty: Type,
) -> Option<&'static OpDef> {
    if const_fold::is_poison(context, Some(attr)) {
        return context.op_def("ub.poison");
    }
    if matches!(context.type_kind(ty), TypeKind::Complex(_)) {
        return context.attr_array(attr).map(|_| &complex::CONSTANT);
    }
    match context.attr_kind(attr) {
        AttrKind::Integer { .. } if from.dialect() == "index" && ty == Type::INDEX => {
            Some(&index::CONSTANT)
        }
        AttrKind::Integer { .. } if from.dialect() == "index" && ty == Type::I1 => {
            Some(&index::BOOL_CONSTANT)
        }
        AttrKind::SymbolRef { .. } => context.op_def("func.constant"),
        AttrKind::Integer { .. }
        | AttrKind::Float { .. }
        | AttrKind::DenseElements(_)
        | AttrKind::DenseStrings { .. }
        | AttrKind::DenseResource { .. }
        | AttrKind::SparseElements { .. }
            if context.attr_carried_type(attr) == Some(ty) =>
        {
            Some(&arith::CONSTANT)
        }
        _ => None,
    }
}
