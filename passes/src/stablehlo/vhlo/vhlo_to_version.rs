//! `vhlo-to-version`: a program in VHLO becomes one in another version of the dialect, newer or older.
//!
//! Before:
//! ```mlir
//! %0 = "vhlo.exponential_v1"(%x) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
//! ```
//! After, with `target=1.20.0`:
//! ```mlir
//! %0 = "vhlo.exponential_v2"(%x) <{result_accuracy = #vhlo.result_accuracy_v1<...>}>
//!     : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
//! ```
//!
//! The table of the dialect says which operation a version has. Attributes that only the newer one has get the value
//! that means nothing, and must have it to go.

use freehold_frontend::dialects::stablehlo::{communication, indexing, reductions, regions};
use freehold_frontend::dialects::vhlo::enumeration_number;
use freehold_frontend::dialects::vhlo::{
    Row, Version, attr_since, spelled_attr, type_since, unspelled_attr,
};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::defaults::{default_of, is_default};
use super::{Attrs, for_each, plain_types, row_in, row_of};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// the version, `#.#.#`
        "target" target: String = Version::CURRENT.to_string(),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "vhlo-to-version",
    summary: "change the version of a program in VHLO",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let text = &context.options.target;
    let message = match Version::parse(text) {
        None => format!(
            "Invalid target version argument '{text}': target version must be of the form `#.#.#`"
        ),
        Some(target) if target < Version::MINIMUM => format!(
            "target version {text} is less than minimum supported {}",
            Version::MINIMUM
        ),
        Some(target) if target > Version::CURRENT => format!(
            "target version {text} is greater than current version {}",
            Version::CURRENT
        ),
        Some(target) => return convert(ir, target, &mut context.diagnostics),
    };
    Err(context.diagnostics.error(ir.loc(ir.root()), message))
}

pub(super) fn convert(
    ir: &mut Ir,
    target: Version,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for_each(ir, diagnostics, &mut |ir, op| {
        let Some(row) = row_of(ir.def(op)) else {
            return Ok(());
        };
        change_version(ir, op, row, target).map_err(|reason| {
            format!(
                "failed to legalize operation '{}' that was explicitly marked illegal: failed to \
                 convert VHLO to v{target}: {reason}",
                ir.op_name(op)
            )
        })
    })
}

fn change_version(ir: &mut Ir, op: Op, row: &Row, target: Version) -> Result<(), String> {
    let context = ir.context().clone();
    let context = &context;
    let mut row = row;
    if !row.is_in(target) {
        let Some(other) = row_in(row.of, target) else {
            return Err(format!("the operation came with v{}", first_version(row)));
        };
        let attrs = attributes(context, row, other, context.dict(ir.attrs(op)))?;
        check_shape(ir, op, other)?;
        row = other;
        ir.set_def(op, row.def);
        ir.set_attrs(op, context.intern_dict(attrs));
    }
    check_constraints(ir, op, row, target)?;
    let mut types = plain_types(ir, ir.operands(op));
    types.extend(plain_types(ir, ir.results(op)));
    for ty in types {
        let since = type_since(context, ty);
        if since > target {
            return Err(format!("a type came with v{since}"));
        }
    }
    for &(name, attr) in context.dict(ir.attrs(op)) {
        let since = attr_since(context, unspelled_attr(context, attr));
        if since > target {
            let name = context.name(name);
            return Err(format!(
                "the value of attribute '{name}' came with v{since}"
            ));
        }
    }
    Ok(())
}

/// The version that the first operation of a kind came with.
fn first_version(row: &Row) -> Version {
    let rows = freehold_frontend::dialects::vhlo::ROWS.iter();
    let same = rows.filter(|other| std::ptr::eq(other.of, row.of));
    same.map(|other| other.since).min().unwrap_or(row.since)
}

fn attributes(
    context: &Context,
    from: &Row,
    to: &Row,
    attrs: &[(Name, Attr)],
) -> Result<Attrs, String> {
    let has = |row: &Row, name: Name| row.def.attributes.iter().any(|spec| spec.name == name);
    let plain: Attrs = (attrs.iter())
        .map(|&(name, attr)| (name, unspelled_attr(context, attr)))
        .collect();
    let is_upgrade = to.since > from.since;
    let mut converted = Attrs::new();
    for (&(name, attr), &(_, value)) in attrs.iter().zip(&plain) {
        if !has(from, name) || has(to, name) {
            converted.push((name, attr));
        } else if !is_upgrade && !is_default(context, name, value, &plain) {
            let name = context.name(name);
            return Err(format!("there was no attribute '{name}'"));
        }
    }
    for spec in to.def.attributes {
        if converted.iter().any(|entry| entry.0 == spec.name) {
            continue;
        }
        match default_of(context, spec.name, &plain) {
            Some(attr) => converted.push((spec.name, spelled_attr(context, attr))),
            None => {
                let name = context.name(spec.name);
                return Err(format!("attribute '{name}' is missing"));
            }
        }
    }
    Ok(converted)
}

/// Whether a row is of an older version of one of these operations.
fn is_old(row: &Row, operations: &[&'static OpDef]) -> bool {
    row.until.is_some() && operations.iter().any(|&of| std::ptr::eq(row.of, of))
}

/// Operations that take one operand in older versions, or no regions.
fn check_shape(ir: &Ir, op: Op, row: &Row) -> Result<(), String> {
    let take_one = [
        &communication::ALL_GATHER,
        &communication::ALL_REDUCE,
        &communication::ALL_TO_ALL,
        &communication::COLLECTIVE_BROADCAST,
    ];
    if is_old(row, &take_one) && ir.operands(op).len() != 1 {
        return Err("it took one operand".to_owned());
    }
    if is_old(row, &[&regions::COMPOSITE]) && !ir.regions(op).is_empty() {
        return Err("it had no regions".to_owned());
    }
    Ok(())
}

/// What older versions did not allow of operations that they have.
fn check_constraints(ir: &Ir, op: Op, row: &Row, target: Version) -> Result<(), String> {
    let context = ir.context();
    let with_bodies: [&'static OpDef; 6] = [
        &communication::ALL_REDUCE,
        &communication::REDUCE_SCATTER,
        &indexing::SCATTER,
        &indexing::SELECT_AND_SCATTER,
        &reductions::REDUCE,
        &reductions::REDUCE_WINDOW,
    ];
    let has_body = with_bodies.iter().any(|&of| std::ptr::eq(row.of, of));
    if has_body && target < Version::of((0, 17)) {
        let elements = |values| -> Vec<Type> {
            let types = plain_types(ir, values).into_iter();
            types.map(|ty| context.element_type_or_self(ty)).collect()
        };
        let (operands, results) = (elements(ir.operands(op)), elements(ir.results(op)));
        if operands.iter().zip(&results).any(|(a, b)| a != b) {
            return Err("results had the element types of operands".to_owned());
        }
    }
    if !is_old(row, &[&regions::CUSTOM_CALL]) {
        return Ok(());
    }
    let value = |name: Name| Some(unspelled_attr(context, ir.attr(op, name)?));
    let config = value(Name::BACKEND_CONFIG).map(|attr| context.attr_kind(attr));
    let version = value(Name::API_VERSION).and_then(|attr| enumeration_number(context, attr));
    let is_typed = matches!(config, Some(AttrKind::Dictionary(_))) || version == Some(4);
    if is_typed && target < Version::of((1, 3)) {
        return Err("there was no typed interface".to_owned());
    }
    Ok(())
}
