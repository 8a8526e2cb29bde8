//! What the generic form and bytecode have in common: inherent attributes apart from the others, those that
//! are missing because they say nothing new, and differences of MLIR 22.

use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::version::MlirVersion;
use crate::syntax::inherent;

/// Named attributes.
pub(crate) type Entries = Vec<(Name, Attr)>;

/// The inherent attributes of an operation in a version of MLIR, by name and with those that have their default
/// values, and its other attributes. What has no name is left out.
pub(crate) fn split(ir: &Ir, op: Op, version: MlirVersion) -> (Entries, Entries) {
    let context = ir.context();
    let def = ir.def(op);
    let entries = context.dict(ir.attrs(op));
    let (mut properties, mut others): (Entries, Entries) = entries
        .iter()
        .filter(|entry| entry.0 != Name::EMPTY)
        .partition(|entry| def.is_inherent(entry.0));
    for spec in def.attributes {
        if let Some(default) = spec.default
            && spec.spells_default
            && !properties.iter().any(|entry| entry.0 == spec.name)
        {
            let text = context.name(spec.name);
            let at = properties.partition_point(|entry| context.name(entry.0) < text);
            properties.insert(at, (spec.name, default(context)));
        }
    }
    if !others.is_empty() {
        let is_property = |name| {
            let mut more = inherent::more(def, version);
            more.any(|(property, _)| property == context.name(name))
        };
        let more = others.extract_if(.., |entry| is_property(entry.0));
        properties.extend(more);
        properties.sort_by_key(|entry| context.name(entry.0));
    }
    if version == MlirVersion::V22 {
        for &(ours, theirs) in def.generic_22.inherent {
            if let Some(at) = others.iter().position(|entry| entry.0 == ours) {
                properties.push((theirs, others.remove(at).1));
            }
        }
        properties.extend(def.generic_22.added.and_then(|added| added(ir, op)));
        properties.sort_by_key(|entry| context.name(entry.0));
        if let Some(newer) = def.generic_22.attr {
            for (name, attr) in &mut properties {
                *attr = newer(context, *name, *attr, true);
            }
        }
    }
    (properties, others)
}

/// Sets an inherent attribute by its name in any version of MLIR. One that is unknown is ignored; then the
/// outcome is no.
pub(crate) fn set_property(context: &Context, spec: &mut OpSpec, key: Name, attr: Attr) -> bool {
    let renamed = spec.def.generic_22.inherent;
    if spec.def.is_inherent(key) {
        spec.set_attr(key, attr);
    } else if let Some(&(ours, _)) = renamed.iter().find(|pair| pair.1 == key) {
        context.note_version(MlirVersion::V22);
        spec.set_attr(ours, attr);
    } else if inherent::is_known(spec.def, context.name(key)) {
        if inherent::default_in_22(context, key) != Some(attr) {
            spec.set_attr(key, attr);
        }
    } else {
        return false;
    }
    true
}

/// Makes what MLIR 22 has in generic form what is here.
pub(crate) fn from_22(context: &Context, spec: &mut OpSpec) {
    let newer = spec.def.generic_22;
    if newer.returns_operand && spec.results.len() == 1 && spec.operands.len() == 1 {
        context.note_version(MlirVersion::V22);
        spec.results.clear();
    }
    if let Some(older) = newer.attr {
        for (name, attr) in &mut spec.attrs {
            *attr = older(context, *name, *attr, false);
        }
    }
    if let Some(drop) = newer.dropped {
        drop(context, spec);
    }
}

/// Drops attributes that say what their absence says.
pub(crate) fn drop_defaults(context: &Context, spec: &mut OpSpec) {
    for attribute in spec.def.attributes {
        if let Some(default) = attribute.default
            && attribute.spells_default
            && let Some(attr) = spec.get_attr(attribute.name)
            && attr == default(context)
        {
            spec.attrs.retain(|entry| entry.0 != attribute.name);
        }
    }
}
