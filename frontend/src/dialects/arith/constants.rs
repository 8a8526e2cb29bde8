//! Making constants and comparisons, and reading constants: what every other
//! dialect and pass needs of arith.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::Traits;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::attr_to_string;

use super::{CMPI, CONSTANT, CmpIPredicate};

/// `arith.constant value : index`
pub fn constant_index(builder: &mut Builder<'_>, value: i64) -> Value {
    let attr = builder.ir.context().index_attr(value);
    constant_attr(builder, attr)
}

/// `arith.constant true` or `false`
pub fn constant_bool(builder: &mut Builder<'_>, value: bool) -> Value {
    constant_attr(builder, Attr::bool(value))
}

/// `arith.cmpi` of two integers or numbers of type index.
pub fn compare(
    builder: &mut Builder<'_>,
    predicate: CmpIPredicate,
    lhs: Value,
    rhs: Value,
) -> Value {
    let predicate = predicate.to_attr(&builder.context());
    builder.value_with_attr(&CMPI, &[lhs, rhs], Type::I1, Name::PREDICATE, predicate)
}

/// `arith.constant value : ty`, of an integer type or index.
pub fn constant_int(builder: &mut Builder<'_>, ty: Type, value: i128) -> Value {
    let attr = builder.ir.context().integer_attr(ty, value);
    constant_attr(builder, attr)
}

/// `arith.constant` of an attribute with a type.
///
/// # Panics
/// If the attribute has no type.
pub fn constant_attr(builder: &mut Builder<'_>, attr: Attr) -> Value {
    let ty = builder
        .ir
        .context()
        .attr_carried_type(attr)
        .expect("constants are made of attributes with a type");
    builder.value_with_attr(&CONSTANT, &[], ty, Name::VALUE, attr)
}

/// The attribute that `value` is a constant of, whichever dialect made it.
pub fn as_constant_attr(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    ir.has_trait(op, Traits::CONSTANT_LIKE)
        .then(|| ir.attr(op, Name::VALUE))
        .flatten()
}

/// The number that `value` is a constant of: integer (sign-extended; `true` is
/// -1) or index.
pub fn as_constant_int(ir: &Ir, value: Value) -> Option<i128> {
    let attr = as_constant_attr(ir, value)?;
    ir.context().attr_integer(attr)
}

/// The number that `value` is an index constant of.
pub fn as_constant_index(ir: &Ir, value: Value) -> Option<i64> {
    if ir.value_type(value) != Type::INDEX {
        return None;
    }
    as_constant_int(ir, value).and_then(|number| i64::try_from(number).ok())
}

/// Whether `value` is the constant `true` or `false`, and which.
pub fn as_constant_bool(ir: &Ir, value: Value) -> Option<bool> {
    if ir.value_type(value) != Type::I1 {
        return None;
    }
    as_constant_int(ir, value).map(|number| number != 0)
}

/// `c42`, `c42_i32`, `true`, `cst`: what upstream calls the results of constants.
pub(super) fn constant_names(ir: &Ir, op: Op, name: &mut dyn FnMut(Value, &str)) {
    let Some(&result) = ir.results(op).first() else {
        return;
    };
    let context = ir.context();
    let value = ir.attr(op, Name::VALUE);
    let attr = value.map(|attr| context.attr_kind(attr));
    if let (Some(value), Some(AttrKind::WideInteger { .. })) = (value, attr) {
        // `5 : i256`
        let text = attr_to_string(context, value).replace(" : ", "_");
        return name(result, &format!("c{text}"));
    }
    let Some(AttrKind::Integer { ty, value }) = attr else {
        let is_function = matches!(
            context.type_kind(ir.value_type(result)),
            TypeKind::Function { .. }
        );
        return name(result, if is_function { "f" } else { "cst" });
    };
    match context.type_kind(*ty) {
        _ if *ty == Type::I1 => name(result, if *value != 0 { "true" } else { "false" }),
        TypeKind::Integer { width, .. } => name(result, &format!("c{value}_i{width}")),
        _ => name(result, &format!("c{value}")),
    }
}

/// `%c4_vscale` for a constant times `vector.vscale`; no name otherwise.
pub(super) fn product_names(ir: &Ir, op: Op, name: &mut dyn FnMut(Value, &str)) {
    let &[lhs, rhs] = ir.operands(op) else {
        return;
    };
    let is_vscale = |value| {
        ir.defining_op(value)
            .is_some_and(|op| ir.op_name(op) == "vector.vscale")
    };
    let factor = if is_vscale(lhs) {
        rhs
    } else if is_vscale(rhs) {
        lhs
    } else {
        return;
    };
    if let Some(factor) = as_constant_int(ir, factor) {
        name(ir.result(op, 0), &format!("c{factor}_vscale"));
    }
}
