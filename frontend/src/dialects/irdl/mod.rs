//! The `irdl` dialect: definitions of dialects, as upstream's `--irdl-file` reads them.
//!
//! [`declare`](crate::declare) makes rows of the operations that a file in this dialect defines.

use crate::ir::constraints::{
    ANY_ATTR, ARRAY_ATTR, I32_ATTR, STRING_ATTR, SYMBOL_REF_ATTR, UNIT_ATTR,
};
use crate::ir::context::Context;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrSpec, DialectDef, OpDef, Traits, TypeConstraint, ValueSpec, no_effects,
};
use crate::ir::types::{Type, TypeKind};

pub(crate) mod assembly;

use assembly as form;

static ATTRIBUTE_TYPE: TypeConstraint = TypeConstraint {
    description: "IRDL handle to an `mlir::Attribute`",
    accepts: |context, ty| is_handle(context, ty, "attribute"),
    ..TypeConstraint::BASE
};

static REGION_TYPE: TypeConstraint = TypeConstraint {
    description: "IRDL handle to a region definition",
    accepts: |context, ty| is_handle(context, ty, "region"),
    ..TypeConstraint::BASE
};

fn is_handle(context: &Context, ty: Type, name: &str) -> bool {
    matches!(context.type_kind(ty), TypeKind::Dialect { dialect, body }
        if context.name(*dialect) == "irdl" && **body == *name)
}

/// What definitions have in common.
const DEFINITION: OpDef = OpDef {
    traits: Traits::SYMBOL
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::NO_TERMINATOR),
    attributes: &[AttrSpec::required(Name::SYM_NAME, &STRING_ATTR)],
    regions: (1, 1),
    parse: Some(form::parse_definition),
    print: Some(form::print_definition),
    effects: Some(no_effects),
    ..OpDef::BASE
};

/// `irdl.dialect`: a dialect.
pub static DIALECT_OP: OpDef = OpDef {
    name: "irdl.dialect",
    verify: form::verify_dialect_name,
    ..DEFINITION
};

/// `irdl.type`: a type.
pub static TYPE: OpDef = OpDef {
    name: "irdl.type",
    verify: |ir, op| form::verify_name(ir, op, "type"),
    ..DEFINITION
};

/// `irdl.attribute`: an attribute.
pub static ATTRIBUTE: OpDef = OpDef {
    name: "irdl.attribute",
    verify: |ir, op| form::verify_name(ir, op, "attribute"),
    ..DEFINITION
};

/// `irdl.operation`: an operation.
pub static OPERATION: OpDef = OpDef {
    name: "irdl.operation",
    verify: |ir, op| form::verify_name(ir, op, "operation"),
    ..DEFINITION
};

const NAMED: OpDef = OpDef {
    operands: &[ValueSpec::variadic("args", &ATTRIBUTE_TYPE)],
    attributes: &[
        AttrSpec::required(Name::NAMES, &ARRAY_ATTR),
        AttrSpec::required(Name::VARIADICITY, &ANY_ATTR),
    ],
    parse: Some(form::parse_values),
    print: Some(form::print_values),
    verify: form::verify_names,
    effects: Some(no_effects),
    ..OpDef::BASE
};

/// `irdl.operands`: the operands of an operation.
pub static OPERANDS: OpDef = OpDef {
    name: "irdl.operands",
    ..NAMED
};

/// `irdl.results`: the results of an operation.
pub static RESULTS: OpDef = OpDef {
    name: "irdl.results",
    ..NAMED
};

/// `irdl.parameters`: the parameters of a type or attribute.
pub static PARAMETERS: OpDef = OpDef {
    name: "irdl.parameters",
    attributes: &[AttrSpec::required(Name::NAMES, &ARRAY_ATTR)],
    parse: Some(form::parse_parameters),
    print: Some(form::print_parameters),
    ..NAMED
};

/// `irdl.regions`: the regions of an operation.
pub static REGIONS: OpDef = OpDef {
    name: "irdl.regions",
    operands: &[ValueSpec::variadic("args", &REGION_TYPE)],
    ..PARAMETERS
};

/// `irdl.attributes`: attributes of an operation.
pub static ATTRIBUTES: OpDef = OpDef {
    name: "irdl.attributes",
    operands: &[ValueSpec::variadic("attributeValues", &ATTRIBUTE_TYPE)],
    attributes: &[AttrSpec::required(Name::ATTRIBUTE_VALUE_NAMES, &ARRAY_ATTR)],
    parse: Some(form::parse_attributes),
    print: Some(form::print_attributes),
    verify: form::verify_attribute_names,
    effects: Some(no_effects),
    ..OpDef::BASE
};

/// `irdl.region`: what a region must be.
pub static REGION: OpDef = OpDef {
    name: "irdl.region",
    operands: &[ValueSpec::variadic("entryBlockArgs", &ATTRIBUTE_TYPE)],
    results: &[ValueSpec::one("output", &REGION_TYPE)],
    attributes: &[
        AttrSpec::optional(Name::NUMBER_OF_BLOCKS, &I32_ATTR),
        AttrSpec::optional(Name::CONSTRAINED_ARGUMENTS, &UNIT_ATTR),
    ],
    parse: Some(form::parse_region),
    print: Some(form::print_region),
    verify: |ir, op| {
        let size = ir.attr(op, Name::NUMBER_OF_BLOCKS);
        match size.and_then(|size| ir.context().attr_integer(size)) {
            Some(size) if size < 1 => {
                Err(format!("the number of blocks is expected to be >= 1 but got {size}").into())
            }
            _ => Ok(()),
        }
    },
    ..OpDef::PURE
};

const CONSTRAINT: OpDef = OpDef {
    results: &[ValueSpec::one("output", &ATTRIBUTE_TYPE)],
    ..OpDef::PURE
};

/// `irdl.any`: any type or attribute.
pub static ANY_OP: OpDef = OpDef {
    name: "irdl.any",
    parse: Some(|p, spec| {
        form::constraint_result(p, spec);
        p.parse_opt_attr_dict(spec)
    }),
    print: Some(|p, ir, op| p.opt_attr_dict(ir, op, &[])),
    ..CONSTRAINT
};

/// `irdl.is`: this very type or attribute.
pub static IS: OpDef = OpDef {
    name: "irdl.is",
    attributes: &[AttrSpec::required(Name::EXPECTED, &ANY_ATTR)],
    parse: Some(|p, spec| {
        let attr = p.parse_attr(None)?;
        spec.set_attr(Name::EXPECTED, attr);
        form::constraint_result(p, spec);
        p.parse_opt_attr_dict(spec)
    }),
    print: Some(|p, ir, op| {
        if let Some(attr) = ir.attr(op, Name::EXPECTED) {
            p.text(" ");
            p.attr(attr);
        }
        p.opt_attr_dict(ir, op, &[Name::EXPECTED]);
    }),
    ..CONSTRAINT
};

const SEVERAL: OpDef = OpDef {
    operands: &[ValueSpec::variadic("args", &ATTRIBUTE_TYPE)],
    parse: Some(form::parse_several),
    print: Some(form::print_several),
    verify: |ir, op| match ir.operands(op).is_empty() {
        true => Err("expected 1 or more operands, but found 0".into()),
        false => Ok(()),
    },
    ..CONSTRAINT
};

/// `irdl.any_of`: one of these.
pub static ANY_OF: OpDef = OpDef {
    name: "irdl.any_of",
    ..SEVERAL
};

/// `irdl.all_of`: all of these.
pub static ALL_OF: OpDef = OpDef {
    name: "irdl.all_of",
    ..SEVERAL
};

/// `irdl.base`: any type or attribute of this kind.
pub static BASE: OpDef = OpDef {
    name: "irdl.base",
    attributes: &[
        AttrSpec::optional(Name::BASE_REF, &SYMBOL_REF_ATTR),
        AttrSpec::optional(Name::BASE_NAME, &STRING_ATTR),
    ],
    parse: Some(form::parse_base),
    print: Some(form::print_base),
    verify: |ir, op| {
        let name = ir.attr(op, Name::BASE_NAME);
        if name.is_some() == ir.has_attr(op, Name::BASE_REF) {
            return Err(
                "the base type or attribute should be specified by either a name or \
                        a reference"
                    .into(),
            );
        }
        match name.and_then(|name| ir.context().attr_string(name)) {
            Some(name) if !name.starts_with(['!', '#']) => {
                Err("the base type or attribute name should start with '!' or '#'".into())
            }
            _ => Ok(()),
        }
    },
    ..CONSTRAINT
};

/// `irdl.parametric`: a type or attribute of this kind, with such parameters.
pub static PARAMETRIC: OpDef = OpDef {
    name: "irdl.parametric",
    operands: &[ValueSpec::variadic("args", &ATTRIBUTE_TYPE)],
    attributes: &[AttrSpec::required(Name::BASE_TYPE, &SYMBOL_REF_ATTR)],
    parse: Some(form::parse_parametric),
    print: Some(form::print_parametric),
    ..CONSTRAINT
};

/// `irdl.c_pred`: what a piece of C++ says, which nothing here runs.
pub static C_PRED: OpDef = OpDef {
    name: "irdl.c_pred",
    attributes: &[AttrSpec::required(Name::PRED, &STRING_ATTR)],
    parse: Some(|p, spec| {
        let text = p.parse_string()?;
        let text = p.context().string_attr(&text);
        spec.set_attr(Name::PRED, text);
        form::constraint_result(p, spec);
        p.parse_opt_attr_dict(spec)
    }),
    print: Some(|p, ir, op| {
        if let Some(attr) = ir.attr(op, Name::PRED) {
            p.text(" ");
            p.attr(attr);
        }
        p.opt_attr_dict(ir, op, &[Name::PRED]);
    }),
    ..CONSTRAINT
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "irdl",
    ops: &[
        &ALL_OF,
        &ANY_OF,
        &ANY_OP,
        &ATTRIBUTE,
        &ATTRIBUTES,
        &BASE,
        &C_PRED,
        &DIALECT_OP,
        &IS,
        &OPERANDS,
        &OPERATION,
        &PARAMETERS,
        &PARAMETRIC,
        &REGION,
        &REGIONS,
        &RESULTS,
        &TYPE,
    ],
    advice: Some("it declares operations; give the file with it to --irdl-file"),
    ..DialectDef::BASE
};
