//! `vhlo-legalize-to-stablehlo`: VHLO of the present version becomes StableHLO and func.
//!
//! Before:
//! ```mlir
//! vhlo.func_v1 @f(%x: !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>) {
//!   %0 = "vhlo.add_v1"(%x, %x) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>)
//!       -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
//!   "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()
//! } {...}
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.add %x, %x : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//!
//! Operations stay where they are and become others. Rows of StableHLO say what an attribute has to be, and whether it
//! may be left out.

use freehold_frontend::dialects::func;
use freehold_frontend::dialects::stablehlo::regions;
use freehold_frontend::dialects::vhlo::elements::array_of_elements;
use freehold_frontend::dialects::vhlo::{Row, enumeration_number, unspelled_attr, unspelled_type};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builtin::UNREALIZED_CONVERSION_CAST;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{AttrSpec, OpDef};
use freehold_frontend::ir::types::Type;
use freehold_frontend::verify::verify_symbol_names;

use super::defaults::is_default;
use super::groups::groups_of;
use super::{Attrs, change_types, for_each, illegal, row_of};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "vhlo-legalize-to-stablehlo",
    summary: "turn VHLO of the present version into StableHLO",
    anchor: Anchor::Module,
    run: |ir, context: &mut PassContext<'_>| convert(ir, &mut context.diagnostics),
};

pub(super) fn convert(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for_each(ir, diagnostics, &mut |ir, op| {
        let context = ir.context().clone();
        change_types(ir, op, &mut |ty| Ok(unspelled_type(&context, ty)))?;
        if is_nothing(ir, op) {
            for (at, result) in ir.results(op).to_vec().into_iter().enumerate() {
                ir.replace_all_uses(result, ir.operand(op, at));
            }
            ir.erase_op(op);
            return Ok(());
        }
        let Some(row) = row_of(ir.def(op)) else {
            let attrs = (context.dict(ir.attrs(op)).iter())
                .map(|&(name, attr)| (name, unspelled_attr(&context, attr)))
                .collect();
            ir.set_attrs(op, context.intern_dict(attrs));
            return Ok(());
        };
        if row.until.is_some() {
            return Err(illegal(ir, op, "it is not of the present version"));
        }
        let def = counterpart(ir, op, row);
        let attrs = attributes(&context, row, def, context.dict(ir.attrs(op)));
        let attrs = attrs.map_err(|reason| illegal(ir, op, &reason))?;
        ir.set_def(op, def);
        ir.set_attrs(op, context.intern_dict(attrs));
        Ok(())
    })?;
    // Functions of VHLO are no symbols.
    verify_symbol_names(ir, diagnostics)
}

/// Whether an operation only cast between types of VHLO and of what is in no dialect of a version, like `sdy`.
fn is_nothing(ir: &Ir, op: Op) -> bool {
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    };
    ir.is(op, &UNREALIZED_CONVERSION_CAST) && types(ir.operands(op)) == types(ir.results(op))
}

/// What an operation becomes: functions return as func does.
fn counterpart(ir: &Ir, op: Op, row: &Row) -> &'static OpDef {
    let is_in_function = ir.parent_op(op) == Some(ir.root()) && ir.is(ir.root(), &func::FUNC);
    match std::ptr::eq(row.of, &regions::RETURN) && is_in_function {
        true => &func::RETURN,
        false => row.of,
    }
}

fn attributes(
    context: &Context,
    row: &Row,
    def: &OpDef,
    spelled: &[(Name, Attr)],
) -> Result<Attrs, String> {
    let attrs: Attrs = (spelled.iter())
        .map(|&(name, attr)| (name, unspelled_attr(context, attr)))
        .collect();
    let names: Vec<Name> = row.def.attributes.iter().map(|spec| spec.name).collect();
    let groups: Vec<_> = groups_of(&names).collect();
    let mut converted = Vec::with_capacity(attrs.len());
    let spec_of = |name: Name| def.attributes.iter().find(|spec| spec.name == name);
    for group in &groups {
        // A channel that is left out has the number zero.
        let is_required = spec_of(group.name).is_some_and(|spec| spec.required);
        let fields: Attrs = attrs
            .iter()
            .filter(|entry| group.has(entry.0))
            .copied()
            .collect();
        let all_default =
            (fields.iter()).all(|&(name, attr)| is_default(context, name, attr, &attrs));
        if !is_required && all_default {
            continue;
        }
        if let Some(attr) = group.implode(context, &fields)? {
            converted.push((group.name, attr));
        }
    }
    for &(name, attr) in &attrs {
        if groups.iter().any(|group| group.has(name)) {
            continue;
        }
        let Some(spec) = spec_of(name) else {
            if names.contains(&name) {
                return Err(format!(
                    "attribute '{}' has no counterpart",
                    context.name(name)
                ));
            }
            converted.push((name, attr));
            continue;
        };
        if !spec.required && is_default(context, name, attr, &attrs) {
            continue;
        }
        match adapted(context, spec, attr) {
            Some(attr) => converted.push((name, attr)),
            None => {
                return Err(format!(
                    "attribute '{}' is not of its kind",
                    context.name(name)
                ));
            }
        }
    }
    Ok(converted)
}

/// An attribute in the form that StableHLO has it in.
fn adapted(context: &Context, spec: &AttrSpec, attr: Attr) -> Option<Attr> {
    let symbol = |attr: Attr| Some(context.symbol_ref_attr(context.attr_string(attr)?));
    if spec.name == Name::CALLED_COMPUTATIONS {
        let names = context.attr_array(attr)?.iter().map(|&name| symbol(name));
        return Some(context.array_attr(&names.collect::<Option<Vec<Attr>>>()?));
    }
    let is_right = |attr: &Attr| (spec.constraint.accepts)(context, *attr);
    if is_right(&attr) {
        return Some(attr);
    }
    let other = match context.attr_kind(attr) {
        AttrKind::DenseElements(_) => array_of_elements(context, attr),
        AttrKind::String(_) => symbol(attr),
        AttrKind::Integer { ty, value } if *ty == Type::I1 && *value != 0 => Some(Attr::UNIT),
        AttrKind::Integer { value, .. } => Some(context.integer_attr(Type::I32, *value)),
        AttrKind::Dialect { .. } => {
            let number = enumeration_number(context, attr);
            number.map(|number| context.integer_attr(Type::I32, i128::from(number)))
        }
        _ => None,
    };
    other.filter(is_right)
}
