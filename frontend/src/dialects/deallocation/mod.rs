//! The deallocation dialect of MLIR-HLO: explicit owners of allocations.
//!
//! A value of type `!deallocation.ownership` owns one allocation or nothing.
//! `retain` hands owners to the buffers that live on and frees the rest.

use smallvec::SmallVec;

use crate::dialects::shared::assembly;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{INDEX, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{DialectDef, OpDef, TypeConstraint, ValueSpec, keeps_nothing};
use crate::ir::types::{Type, TypeKind};
use crate::op_view;

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "deallocation",
    ops: &[&FREE, &FROM_BUFFER, &GET_BUFFER, &NULL, &OWN, &RETAIN],
    ..DialectDef::BASE
};

/// The type `!deallocation.ownership`.
pub fn ownership_type(context: &Context) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("deallocation"),
        body: "ownership".into(),
    })
}

/// Whether `ty` is `!deallocation.ownership`.
pub fn is_ownership(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } => {
            context.name(*dialect) == "deallocation" && **body == *"ownership"
        }
        _ => false,
    }
}

static OWNERSHIP: TypeConstraint = TypeConstraint {
    description: "ownership indicator",
    accepts: is_ownership,
};
static MEMREF_OR_OWNERSHIP: TypeConstraint = TypeConstraint {
    description: "ranked or unranked memref of any type values or ownership indicator",
    accepts: |context, ty| context.is_memref(ty) || is_ownership(context, ty),
};

/// `deallocation.null`: owns nothing.
pub static NULL: OpDef = OpDef {
    name: "deallocation.null",
    results: &[ValueSpec::one("result", &OWNERSHIP)],
    parse: Some(|parser, spec| {
        parser.parse_opt_attr_dict(spec)?;
        spec.results.push(ownership_type(parser.context()));
        Ok(())
    }),
    print: Some(|printer, ir, op| printer.opt_attr_dict(ir, op, &[])),
    ..OpDef::PURE
};
op_view!(
    /// View of [`NULL`].
    Null, NULL {}
);

/// `deallocation.own`: the owner of the allocation that a memref is based on.
pub static OWN: OpDef = OpDef {
    name: "deallocation.own",
    keeps_operand: keeps_nothing,
    operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
    results: &[ValueSpec::one("result", &OWNERSHIP)],
    parse: Some(|parser, spec| {
        parse_attrs_first(parser, spec, assembly::parse_base_memref_type)?;
        spec.results.push(ownership_type(parser.context()));
        Ok(())
    }),
    print: Some(print_attrs_first),
    ..OpDef::PURE
};
op_view!(
    /// View of [`OWN`].
    Own, OWN { memref: one = 0 }
);

/// `deallocation.get_buffer`: the address of an allocation.
pub static GET_BUFFER: OpDef = OpDef {
    name: "deallocation.get_buffer",
    keeps_operand: keeps_nothing,
    operands: &[ValueSpec::one("alloc", &MEMREF_OR_OWNERSHIP)],
    results: &[ValueSpec::one("result", &INDEX)],
    parse: Some(|parser, spec| {
        parse_attrs_first(parser, spec, |parser| parser.parse_type())?;
        spec.results.push(Type::INDEX);
        Ok(())
    }),
    print: Some(print_attrs_first),
    ..OpDef::PURE
};
op_view!(
    /// View of [`GET_BUFFER`].
    GetBuffer, GET_BUFFER { alloc: one = 0 }
);

/// `deallocation.from_buffer`: the owner of the allocation at an address, or of nothing if that
/// is zero. Upstream has no such operation: it is for lists of addresses in memory.
pub static FROM_BUFFER: OpDef = OpDef {
    name: "deallocation.from_buffer",
    keeps_operand: keeps_nothing,
    operands: &[ValueSpec::one("buffer", &INDEX)],
    results: &[ValueSpec::one("result", &OWNERSHIP)],
    parse: Some(|parser, spec| {
        parse_attrs_first(parser, spec, |parser| parser.parse_type())?;
        spec.results.push(ownership_type(parser.context()));
        Ok(())
    }),
    print: Some(print_attrs_first),
    ..OpDef::PURE
};
op_view!(
    /// View of [`FROM_BUFFER`].
    FromBuffer, FROM_BUFFER { buffer: one = 0 }
);

/// Reads `{attrs} %operand : type`.
fn parse_attrs_first(
    parser: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    parse_type: fn(&mut dyn OpAsmParser<'_>) -> Result<Type, Failed>,
) -> Result<(), Failed> {
    parser.parse_opt_attr_dict(spec)?;
    let operand = parser.parse_operand()?;
    parser.parse_token(":")?;
    let ty = parse_type(parser)?;
    parser.resolve(&operand, ty, spec)
}

fn print_attrs_first(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.opt_attr_dict(ir, op, &[]);
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    assembly::print_colon_type(printer, ir, ir.operand(op, 0));
}

/// `deallocation.free`: frees what an owner owns, if anything.
///
/// Which memref that is, the effect cannot say: it frees some memory.
pub static FREE: OpDef = OpDef {
    name: "deallocation.free",
    operands: &[ValueSpec::one("alloc", &OWNERSHIP)],
    parse: Some(|parser, spec| {
        parser.parse_opt_attr_dict(spec)?;
        let alloc = parser.parse_operand()?;
        let ty = ownership_type(parser.context());
        parser.resolve(&alloc, ty, spec)
    }),
    print: Some(|printer, ir, op| {
        printer.opt_attr_dict(ir, op, &[]);
        printer.text(" ");
        printer.value(ir.operand(op, 0));
    }),
    effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
    ..OpDef::BASE
};
op_view!(
    /// View of [`FREE`].
    Free, FREE { alloc: one = 0 }
);

/// `deallocation.retain`: for each retained memref in turn the first owner
/// among `allocs`, not given away yet, of its allocation, else null; frees
/// what the owners left over own.
///
/// How many results there are is not tied to the number of retained memrefs.
pub static RETAIN: OpDef = OpDef {
    name: "deallocation.retain",
    keeps_operand: keeps_nothing,
    operands: &[
        ValueSpec::variadic("retained", &RANKED_OR_UNRANKED_MEMREF),
        ValueSpec::variadic("allocs", &OWNERSHIP),
    ],
    results: &[ValueSpec::variadic("result", &OWNERSHIP)],
    parse: Some(parse_retain),
    print: Some(print_retain),
    effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
    ..OpDef::BASE
};
op_view!(
    /// View of [`RETAIN`].
    Retain, RETAIN { retained: many = 0, allocs: many = 1 }
);

fn parse_retain(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mut operands = assembly::parse_enclosed_operands(parser, "(", ")")?;
    let n_retained = operands.len();
    parser.parse_keyword("of")?;
    operands.extend(assembly::parse_enclosed_operands(parser, "(", ")")?);
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let (inputs, results) = parser.parse_functional_type()?;
    parser.resolve_each(&operands, &inputs, loc, spec)?;
    spec.results = SmallVec::from_vec(results);
    let segments = [n_retained, operands.len() - n_retained];
    assembly::set_segments(parser.context(), spec, &segments);
    Ok(())
}

fn print_retain(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let retain = Retain(op);
    printer.text("(");
    printer.values(retain.retained(ir));
    printer.text(") of(");
    printer.values(retain.allocs(ir));
    printer.text(")");
    printer.opt_attr_dict(ir, op, &[Name::OPERAND_SEGMENT_SIZES]);
    printer.text(" : ");
    let types = |values: &[_]| -> Vec<Type> { values.iter().map(|&v| ir.value_type(v)).collect() };
    printer.functional_type(&types(ir.operands(op)), &types(ir.results(op)));
}
