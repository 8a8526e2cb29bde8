//! The part of the `hal` dialect that IREE's converters put around models:
//! tensors come in and go out as `!hal.buffer_view`, and fences say when.
//!
//! Nothing of it is compiled: `strip-model-wrappers` makes plain functions on
//! tensors of such programs. Operations are read as IREE prints them and
//! printed in generic form.

use crate::ir::asm::{Delimiter, OpAsmParser};
use crate::ir::constraints::{
    ANY, ANY_ATTR, I32, INDEX, INDEX_ATTR, STRING_ATTR, TENSOR, TYPE_ATTR,
};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, TypeConstraint, ValueSpec};
use crate::ir::types::{Type, TypeKind};

use crate::dialects::shared::assembly::set_segments;

/// Whether `ty` is `!hal.name`.
pub fn is_type(context: &Context, ty: Type, name: &str) -> bool {
    matches!(context.type_kind(ty), TypeKind::Dialect { dialect, body }
        if context.name(*dialect) == "hal" && **body == *name)
}

static BUFFER_VIEW: TypeConstraint = TypeConstraint {
    description: "buffer_view",
    accepts: |context, ty| is_type(context, ty, "buffer_view"),
    ..TypeConstraint::BASE
};

static FENCE: TypeConstraint = TypeConstraint {
    description: "fence",
    accepts: |context, ty| is_type(context, ty, "fence"),
    ..TypeConstraint::BASE
};

static DEVICE: TypeConstraint = TypeConstraint {
    description: "device",
    accepts: |context, ty| is_type(context, ty, "device"),
    ..TypeConstraint::BASE
};

fn hal_type(context: &Context, name: &str) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("hal"),
        body: name.into(),
    })
}

/// `hal.tensor.import`: the tensor in a buffer view.
pub static TENSOR_IMPORT: OpDef = OpDef {
    name: "hal.tensor.import",
    operands: &[
        ValueSpec::one("source", &BUFFER_VIEW),
        ValueSpec::variadic("target_dims", &INDEX),
        ValueSpec::optional("wait_fence", &FENCE),
        ValueSpec::optional("affinity", &ANY),
    ],
    results: &[ValueSpec::one("target", &TENSOR)],
    attributes: &[
        AttrSpec::required(Name::TARGET_ENCODING, &TYPE_ATTR),
        AttrSpec::optional(Name::NAME, &STRING_ATTR),
    ],
    parse: Some(parse_import),
    ..OpDef::BASE
};

/// `hal.tensor.export`: a buffer view of a tensor.
pub static TENSOR_EXPORT: OpDef = OpDef {
    name: "hal.tensor.export",
    operands: &[
        ValueSpec::one("source", &TENSOR),
        ValueSpec::variadic("source_dims", &INDEX),
    ],
    results: &[ValueSpec::one("target", &BUFFER_VIEW)],
    attributes: &[
        AttrSpec::required(Name::SOURCE_ENCODING, &TYPE_ATTR),
        AttrSpec::optional(Name::NAME, &STRING_ATTR),
    ],
    parse: Some(parse_export),
    ..OpDef::BASE
};

/// `hal.tensor.barrier`: tensors, and a fence that is signalled when they are there.
pub static TENSOR_BARRIER: OpDef = OpDef {
    name: "hal.tensor.barrier",
    operands: &[
        ValueSpec::variadic("sources", &TENSOR),
        ValueSpec::one("signal_fence", &FENCE),
    ],
    results: &[ValueSpec::variadic("results", &TENSOR)],
    parse: Some(parse_barrier),
    verify: |ir, op| {
        let types = |values: &[_]| -> Vec<Type> {
            values.iter().map(|&value| ir.value_type(value)).collect()
        };
        match types(ir.operand_group(op, 0)) == types(ir.results(op)) {
            true => Ok(()),
            false => Err("expected results of the types of the sources".into()),
        }
    },
    ..OpDef::BASE
};

/// `hal.buffer_view.dim`: a size of the tensor in a buffer view.
pub static BUFFER_VIEW_DIM: OpDef = OpDef {
    name: "hal.buffer_view.dim",
    operands: &[ValueSpec::one("buffer_view", &BUFFER_VIEW)],
    results: &[ValueSpec::one("result", &INDEX)],
    attributes: &[AttrSpec::required(Name::INDEX, &INDEX_ATTR)],
    parse: Some(parse_dim),
    ..OpDef::BASE
};

/// `hal.devices.get`: a device by number.
pub static DEVICES_GET: OpDef = OpDef {
    name: "hal.devices.get",
    operands: &[ValueSpec::one("index", &INDEX)],
    results: &[ValueSpec::one("result", &DEVICE)],
    parse: Some(|p, spec| {
        let index = p.parse_operand()?;
        p.parse_opt_attr_dict(spec)?;
        let ty = p.parse_colon_type()?;
        p.resolve(&index, Type::INDEX, spec)?;
        spec.results.push(ty);
        Ok(())
    }),
    ..OpDef::BASE
};

/// `hal.fence.create`: a fence that is not signalled yet.
pub static FENCE_CREATE: OpDef = OpDef {
    name: "hal.fence.create",
    operands: &[ValueSpec::one("device", &DEVICE)],
    results: &[ValueSpec::one("result", &FENCE)],
    attributes: &[AttrSpec::optional(Name::FLAGS, &ANY_ATTR)],
    parse: Some(|p, spec| {
        p.parse_keyword("device")?;
        p.parse_token("(")?;
        let device = p.parse_operand()?;
        let ty = p.parse_colon_type()?;
        p.parse_token(")")?;
        p.resolve(&device, ty, spec)?;
        parse_flags(p, spec)?;
        p.parse_opt_attr_dict(spec)?;
        let ty = p.parse_colon_type()?;
        spec.results.push(ty);
        Ok(())
    }),
    ..OpDef::BASE
};

/// `hal.fence.await`: waits for fences.
pub static FENCE_AWAIT: OpDef = OpDef {
    name: "hal.fence.await",
    operands: &[
        ValueSpec::one("timeout_millis", &I32),
        ValueSpec::variadic("fences", &FENCE),
    ],
    results: &[ValueSpec::one("status", &I32)],
    attributes: &[AttrSpec::optional(Name::FLAGS, &ANY_ATTR)],
    parse: Some(|p, spec| {
        p.parse_keyword("until")?;
        p.parse_token("(")?;
        let fences = p.parse_operand_list(Delimiter::Square)?;
        p.parse_token(")")?;
        p.parse_keyword("timeout_millis")?;
        p.parse_token("(")?;
        let timeout = p.parse_operand()?;
        p.parse_token(")")?;
        p.resolve(&timeout, Type::I32, spec)?;
        let fence = hal_type(p.context(), "fence");
        p.resolve_all(&fences, fence, spec)?;
        parse_flags(p, spec)?;
        p.parse_opt_attr_dict(spec)?;
        let ty = p.parse_colon_type()?;
        spec.results.push(ty);
        Ok(())
    }),
    ..OpDef::BASE
};

/// The dialect, as far as models need it.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "hal",
    ops: &[
        &BUFFER_VIEW_DIM,
        &DEVICES_GET,
        &FENCE_AWAIT,
        &FENCE_CREATE,
        &TENSOR_BARRIER,
        &TENSOR_EXPORT,
        &TENSOR_IMPORT,
    ],
    ..DialectDef::BASE
};

/// `flags("None")`
fn parse_flags(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_keyword("flags")?;
    p.parse_token("(")?;
    let flags = p.parse_string()?;
    p.parse_token(")")?;
    spec.set_attr(Name::FLAGS, p.context().string_attr(&flags));
    Ok(())
}

/// `"name"`, if it is next.
fn parse_opt_name(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if let Some(name) = p.parse_opt_string() {
        let name = p.context().string_attr(&name?);
        spec.set_attr(Name::NAME, name);
    }
    Ok(())
}

/// `type` or `encoding as type`, where `encoding` becomes attribute `name`, and maybe
/// `{%sizes}`. Returns the type and the number of sizes.
fn parse_encoded_type(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    name: Name,
) -> Result<(Type, Vec<crate::ir::asm::UnresolvedOperand>), Failed> {
    let encoding = p.parse_type()?;
    spec.set_attr(name, p.context().type_attr(encoding));
    let ty = match p.parse_opt_keyword("as") {
        true => p.parse_type()?,
        false => encoding,
    };
    let mut sizes = Vec::new();
    if p.parse_opt_token("{") {
        sizes = p.parse_operand_list(Delimiter::None)?;
        p.parse_token("}")?;
    }
    Ok((ty, sizes))
}

/// `wait(%fence) => %view "name" {attrs} : type -> tensor{%sizes}`
fn parse_import(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mut fence = None;
    if p.parse_opt_keyword("wait") {
        p.parse_token("(")?;
        fence = Some(p.parse_operand()?);
        p.parse_token(")")?;
        p.parse_token("=")?;
        p.parse_token(">")?;
    }
    let source = p.parse_operand()?;
    parse_opt_name(p, spec)?;
    p.parse_opt_attr_dict(spec)?;
    let source_type = p.parse_colon_type()?;
    p.parse_token("->")?;
    let (ty, sizes) = parse_encoded_type(p, spec, Name::TARGET_ENCODING)?;
    p.resolve(&source, source_type, spec)?;
    p.resolve_all(&sizes, Type::INDEX, spec)?;
    if let Some(fence) = &fence {
        let ty = hal_type(p.context(), "fence");
        p.resolve(fence, ty, spec)?;
    }
    let n_fences = usize::from(fence.is_some());
    set_segments(p.context(), spec, &[1, sizes.len(), n_fences, 0]);
    spec.results.push(ty);
    Ok(())
}

/// `%tensor "name" {attrs} : type{%sizes} -> type`
fn parse_export(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = p.parse_operand()?;
    parse_opt_name(p, spec)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let (ty, sizes) = parse_encoded_type(p, spec, Name::SOURCE_ENCODING)?;
    p.parse_token("->")?;
    let target = p.parse_type()?;
    p.resolve(&source, ty, spec)?;
    p.resolve_all(&sizes, Type::INDEX, spec)?;
    spec.results.push(target);
    Ok(())
}

/// `join(%a, %b : types) => %fence : type`
fn parse_barrier(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_keyword("join")?;
    p.parse_token("(")?;
    let loc = p.loc();
    let sources = p.parse_operand_list(Delimiter::None)?;
    let types = match sources.is_empty() {
        true => Vec::new(),
        false => p.parse_colon_type_list()?,
    };
    p.parse_token(")")?;
    p.parse_token("=")?;
    p.parse_token(">")?;
    let fence = p.parse_operand()?;
    p.parse_opt_attr_dict(spec)?;
    let fence_type = p.parse_colon_type()?;
    p.resolve_each(&sources, &types, loc, spec)?;
    p.resolve(&fence, fence_type, spec)?;
    spec.results.extend(types);
    Ok(())
}

/// `<%view : type>[0] : index`
fn parse_dim(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_token("<")?;
    let view = p.parse_operand()?;
    let ty = p.parse_colon_type()?;
    p.parse_token(">")?;
    p.parse_token("[")?;
    let index = p.parse_attr(Some(Type::INDEX))?;
    spec.set_attr(Name::INDEX, index);
    p.parse_token("]")?;
    p.parse_opt_attr_dict(spec)?;
    p.resolve(&view, ty, spec)?;
    let ty = p.parse_colon_type()?;
    spec.results.push(ty);
    Ok(())
}
