//! `stablehlo-legalize-to-vhlo`: StableHLO and func become VHLO of the present version, the form to store programs in.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.exponential %x : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//! After:
//! ```mlir
//! vhlo.func_v1 @f(%x: !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>) {
//!   %0 = "vhlo.exponential_v2"(%x) <{result_accuracy = #vhlo.result_accuracy_v1<...>}>
//!       : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
//!   "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()
//! } {...}
//! ```
//!
//! The other way round of `vhlo-legalize-to-stablehlo`. Programs may hold nothing but StableHLO, `func.func`,
//! `func.call` and `func.return`.

use freehold_frontend::dialects::func;
use freehold_frontend::dialects::stablehlo::regions;
use freehold_frontend::dialects::vhlo::elements::elements_of_array;
use freehold_frontend::dialects::vhlo::{
    Row, Version, enumeration_word, spelled_attr, spelled_type,
};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::TypeKind;
use freehold_frontend::syntax::printer::{attr_to_string, type_to_string};

use super::defaults::default_of;
use super::groups::groups_of;
use super::{Attrs, change_types, for_each, illegal, row_in, row_of};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-legalize-to-vhlo",
    summary: "turn StableHLO into VHLO of the present version, to store it",
    anchor: Anchor::Module,
    run: |ir, context: &mut PassContext<'_>| convert(ir, &mut context.diagnostics),
};

fn convert(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for_each(ir, diagnostics, &mut |ir, op| {
        let context = ir.context().clone();
        if ir.is(op, &builtin::MODULE) || row_of(ir.def(op)).is_some() {
            return Ok(());
        }
        let of = match ir.is(op, &func::RETURN) {
            true => &regions::RETURN,
            false => ir.def(op),
        };
        let Some(row) = row_in(of, Version::CURRENT) else {
            return Err(illegal(ir, op, "VHLO has no operation for it"));
        };
        let changed = change_types(ir, op, &mut |ty| {
            let new = spelled_type(&context, ty);
            match context.type_kind(new) {
                TypeKind::Spelled { .. } => Ok(new),
                _ => {
                    let text = type_to_string(&context, ty);
                    Err(format!("VHLO has no type for '{text}'"))
                }
            }
        });
        changed.map_err(|reason| illegal(ir, op, &reason))?;
        let attrs = attributes(&context, row, context.dict(ir.attrs(op)));
        let attrs = attrs.map_err(|reason| illegal(ir, op, &reason))?;
        ir.set_def(op, row.def);
        ir.set_attrs(op, context.intern_dict(attrs));
        Ok(())
    })
}

fn attributes(context: &Context, row: &Row, given: &[(Name, Attr)]) -> Result<Attrs, String> {
    let names: Vec<Name> = row.def.attributes.iter().map(|spec| spec.name).collect();
    let mut plain = Attrs::new();
    for &(name, attr) in given {
        let group = groups_of(&names).find(|group| group.name == name);
        let fields = group.and_then(|group| group.explode(context, attr));
        match fields {
            Some(fields) => {
                let is_known = |entry: &(Name, Attr)| names.contains(&entry.0);
                plain.extend(fields.into_iter().filter(is_known));
            }
            None => plain.push((name, adapted(context, name, attr))),
        }
    }
    for &name in &names {
        if plain.iter().any(|entry| entry.0 == name) {
            continue;
        }
        // What is not said of a number of the interface is asked of what the program says.
        let others = match name {
            Name::BACKEND_CONFIG => given.to_vec(),
            _ => plain.clone(),
        };
        match default_of(context, name, &others) {
            Some(attr) => plain.push((name, attr)),
            None => return Err(format!("attribute '{}' is missing", context.name(name))),
        }
    }
    let spelled = plain.into_iter().map(|(name, attr)| {
        let spelled = spelled_attr(context, attr);
        match context.attr_kind(spelled) {
            AttrKind::Spelled { .. } => Ok((name, spelled)),
            _ => {
                let text = attr_to_string(context, attr);
                Err(format!("VHLO has no attribute for '{text}'"))
            }
        }
    });
    spelled.collect()
}

/// An attribute in the form that VHLO has it in.
fn adapted(context: &Context, name: Name, attr: Attr) -> Attr {
    match context.attr_kind(attr) {
        AttrKind::DenseArray { .. } => elements_of_array(context, attr).unwrap_or(attr),
        AttrKind::SymbolRef { root, nested } if nested.is_empty() => context.string_attr(root),
        AttrKind::Unit if [Name::USE_GLOBAL_DEVICE_IDS, Name::HAS_DYNAMIC_ROOT].contains(&name) => {
            Attr::TRUE
        }
        AttrKind::Integer { value, .. } if name == Name::API_VERSION => {
            let number = u64::try_from(*value).unwrap_or(u64::MAX);
            enumeration_word(context, "custom_call_api_version", number).unwrap_or(attr)
        }
        AttrKind::Array(elements) => {
            let elements = elements
                .iter()
                .map(|&element| adapted(context, Name::EMPTY, element));
            context.array_attr(&elements.collect::<Vec<Attr>>())
        }
        _ => attr,
    }
}
