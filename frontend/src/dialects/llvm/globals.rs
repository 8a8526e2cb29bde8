//! Constants and variables of a module.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{
    ANY, ANY_ATTR, FLAT_SYMBOL_REF_ATTR, I64_ATTR, STRING_ATTR, TYPE_ATTR, UNIT_ATTR,
};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec, no_effects};
use crate::ir::symbols::SymbolTable;
use crate::ir::types::Type;

use super::attributes::{self, GLOBAL_LINKAGE, VISIBILITY};
use super::function::{self, UNNAMED_ADDR};
use super::memory::POINTER;
use super::types::{self, LlvmType};

/// A value of any type that depends on nothing.
const CONSTANT_BASE: OpDef = const {
    OpDef {
        results: &[ValueSpec::one("res", &ANY)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type($res)");

super::rows! {
    /// Any value.
    UNDEF = "llvm.mlir.undef": CONSTANT_BASE;
    /// A value that must not be looked at.
    POISON = "llvm.mlir.poison": CONSTANT_BASE;
    /// Zero, null, or an aggregate of such.
    ZERO = "llvm.mlir.zero": CONSTANT_BASE;
}

/// `llvm.mlir.constant(1 : i64) : i64`
pub static CONSTANT: OpDef = const {
    OpDef {
        name: "llvm.mlir.constant",
        attributes: &[AttrSpec::required(Name::VALUE, &ANY_ATTR)],
        ..CONSTANT_BASE
    }
}
.with_format("`(` $value `)` attr-dict `:` type($res)");

/// `llvm.mlir.addressof @name : !llvm.ptr`
pub static ADDRESS_OF: OpDef = const {
    OpDef {
        name: "llvm.mlir.addressof",
        results: &[ValueSpec::one("res", &POINTER)],
        attributes: &[AttrSpec::required(Name::GLOBAL_NAME, &FLAT_SYMBOL_REF_ATTR)],
        verify_symbols: Some(|ir, op, symbols: &SymbolTable| {
            match symbols.get(symbol(ir, op).unwrap_or_default()) {
                Some(_) => Ok(()),
                None => Err(
                    "must reference a global defined by 'llvm.mlir.global' or 'llvm.func'".into(),
                ),
            }
        }),
        ..OpDef::PURE
    }
}
.with_format("$global_name attr-dict `:` type($res)");

/// `llvm.mlir.global`: a variable or constant of the module, with a value or a region that computes one.
pub static GLOBAL: OpDef = OpDef {
    name: "llvm.mlir.global",
    traits: Traits::SYMBOL,
    attributes: &[
        AttrSpec::optional(Name::ALIGNMENT, &I64_ATTR),
        AttrSpec::optional(Name::CONSTANT, &UNIT_ATTR),
        AttrSpec::required(Name::GLOBAL_TYPE, &TYPE_ATTR),
        GLOBAL_LINKAGE,
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::optional(Name::THREAD_LOCAL_, &UNIT_ATTR),
        UNNAMED_ADDR,
        AttrSpec::optional(Name::VALUE, &ANY_ATTR),
        VISIBILITY,
    ],
    regions: (1, 1),
    parse: Some(parse_global),
    print: Some(print_global),
    verify: verify_global,
    effects: Some(no_effects),
    ..OpDef::BASE
};

pub(super) const OPS: &[&OpDef] = &[&ADDRESS_OF, &CONSTANT, &GLOBAL, &POISON, &UNDEF, &ZERO];

/// The name in an `addressof`.
pub fn symbol(ir: &Ir, op: Op) -> Option<&str> {
    ir.context()
        .attr_flat_symbol(ir.attr(op, Name::GLOBAL_NAME)?)
}

fn global_type(ir: &Ir, op: Op) -> Option<Type> {
    ir.context().attr_type(ir.attr(op, Name::GLOBAL_TYPE)?)
}

fn parse_global(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    spec.set_attr(Name::LINKAGE, attributes::linkage_attr(context, "external"));
    function::parse_symbol_words(parser, spec);
    if parser.parse_opt_keyword("thread_local") {
        spec.set_attr(Name::THREAD_LOCAL_, Attr::UNIT);
    }
    function::parse_unnamed_addr(parser, spec);
    if parser.parse_opt_keyword("constant") {
        spec.set_attr(Name::CONSTANT, Attr::UNIT);
    }
    let name = parser.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, context.string_attr(&name));
    parser.parse_token("(")?;
    if let Some(value) = parser.parse_opt_attr(None) {
        spec.set_attr(Name::VALUE, value?);
    }
    parser.parse_token(")")?;
    parser.parse_opt_attr_dict(spec)?;
    let mut ty = None;
    if parser.parse_opt_token(":") {
        ty = Some(parser.parse_type()?);
    }
    let value = spec
        .get_attr(Name::VALUE)
        .map(|attr| context.attr_kind(attr));
    let ty = match (ty, value) {
        (Some(ty), _) => ty,
        (None, Some(AttrKind::String(text))) => {
            types::intern(context, &LlvmType::Array(text.len() as u64, Type::I8))
        }
        (None, _) => {
            let loc = parser.loc();
            return Err(parser.error(loc, "type can only be omitted for string globals"));
        }
    };
    spec.set_attr(Name::GLOBAL_TYPE, context.type_attr(ty));
    if !parser.parse_opt_region(&[], spec)? {
        parser.add_empty_region(spec);
    }
    Ok(())
}

fn print_global(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let linkage = ir.attr(op, Name::LINKAGE);
    printer.text(" ");
    printer.text(
        linkage
            .and_then(|attr| attributes::linkage(context, attr))
            .unwrap_or("external"),
    );
    let thread_local = match ir.has_attr(op, Name::THREAD_LOCAL_) {
        true => " thread_local",
        false => "",
    };
    function::print_symbol_words(printer, ir, op, thread_local);
    if ir.has_attr(op, Name::CONSTANT) {
        printer.text(" constant");
    }
    printer.text(" ");
    printer.symbol_name(ir.symbol_name(op).unwrap_or_default());
    printer.text("(");
    let value = ir.attr(op, Name::VALUE);
    value.into_iter().for_each(|value| printer.attr(value));
    printer.text(")");
    printer.opt_attr_dict(
        ir,
        op,
        &[
            Name::CONSTANT,
            Name::GLOBAL_TYPE,
            Name::LINKAGE,
            Name::SYM_NAME,
            Name::THREAD_LOCAL_,
            Name::UNNAMED_ADDR,
            Name::VALUE,
            Name::VISIBILITY_,
        ],
    );
    let is_string =
        value.is_some_and(|value| matches!(context.attr_kind(value), AttrKind::String(_)));
    if let Some(ty) = global_type(ir, op).filter(|_| !is_string) {
        printer.text(" : ");
        printer.ty(ty);
    }
    let region = ir.region(op, 0);
    if ir.entry_block(region).is_some() {
        printer.text(" ");
        printer.region(ir, region, false, true);
    }
}

fn verify_global(ir: &Ir, op: Op) -> Result<(), OpError> {
    let value = ir.attr(op, Name::VALUE);
    let region = ir.entry_block(ir.region(op, 0));
    if value.is_some() && region.is_some() {
        return Err("cannot have both initializer value and region".into());
    }
    let context = ir.context();
    let text = match value.map(|value| context.attr_kind(value)) {
        Some(AttrKind::String(text)) => text,
        _ => return Ok(()),
    };
    let ty = global_type(ir, op).and_then(|ty| types::of(context, ty));
    if ty != Some(LlvmType::Array(text.len() as u64, Type::I8)) {
        return Err(
            "requires an i8 array type of the length equal to that of the string attribute".into(),
        );
    }
    Ok(())
}
