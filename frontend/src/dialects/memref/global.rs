//! Static memory: `global` and `get_global`.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{ANY_ATTR, FLAT_SYMBOL_REF_ATTR, I64_ATTR, STRING_ATTR, UNIT_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec, no_effects};
use crate::ir::symbols::SymbolTable;
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::{attr_to_string, type_to_string};

use super::constraints::{MEMREF_TYPE_ATTR, STATIC_MEMREF};

/// `memref.global`: a variable or constant of the module.
pub static GLOBAL: OpDef = OpDef {
    name: "memref.global",
    traits: Traits::SYMBOL,
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
        AttrSpec::required(Name::TYPE, &MEMREF_TYPE_ATTR),
        AttrSpec::optional(Name::INITIAL_VALUE, &ANY_ATTR),
        AttrSpec::optional(Name::CONSTANT, &UNIT_ATTR),
        AttrSpec::optional(Name::ALIGNMENT, &I64_ATTR),
    ],
    parse: Some(parse_global),
    print: Some(print_global),
    verify: verify_global,
    effects: Some(no_effects),
    ..OpDef::BASE
};
op_view!(
    /// View of [`GLOBAL`].
    Global, GLOBAL {}
);

/// `[[8, @other, 4], ...]` on a global of bytes: where it begins with the address of another global, and how far behind the
/// beginning of that. `raise-llvm` makes them.
pub const ADDRESSES_ATTR: &str = "freehold.addresses";

impl Global {
    /// What [`ADDRESSES_ATTR`] says: offset, name, distance. `None` if it does not say that.
    pub fn addresses(self, ir: &Ir) -> Option<Vec<(u64, &str, i64)>> {
        let context = ir.context();
        let Some(entries) = ir.attr(self.0, context.intern_name(ADDRESSES_ATTR)) else {
            return Some(Vec::new());
        };
        let entry = |&entry: &Attr| {
            let [offset, name, distance] = *context.attr_array(entry)? else {
                return None;
            };
            Some((
                u64::try_from(context.attr_integer(offset)?).ok()?,
                context.attr_flat_symbol(name)?,
                i64::try_from(context.attr_integer(distance)?).ok()?,
            ))
        };
        context.attr_array(entries)?.iter().map(entry).collect()
    }

    /// Its memref type.
    pub fn memref_type(self, ir: &Ir) -> Option<Type> {
        ir.context().attr_type(ir.attr(self.0, Name::TYPE)?)
    }

    /// The elements it starts with, if they are given.
    pub fn initial_value(self, ir: &Ir) -> Option<Attr> {
        ir.attr(self.0, Name::INITIAL_VALUE)
            .filter(|&attr| attr != Attr::UNIT)
    }

    /// Whether it is never written.
    pub fn is_constant(self, ir: &Ir) -> bool {
        ir.has_attr(self.0, Name::CONSTANT)
    }
}

fn is_static_memref(context: &Context, ty: Type) -> bool {
    context
        .as_memref(ty)
        .is_some_and(|memref| memref.has_static_shape())
}

fn parse_global(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = std::sync::Arc::clone(parser.context());
    if let Some(visibility) = parser.parse_opt_string() {
        spec.set_attr(Name::SYM_VISIBILITY, context.string_attr(&visibility?));
    }
    if parser.parse_opt_keyword("constant") {
        spec.set_attr(Name::CONSTANT, Attr::UNIT);
    }
    let name = parser.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, context.string_attr(&name));
    let ty = parser.parse_colon_type()?;
    if !is_static_memref(&context, ty) {
        let loc = parser.name_loc();
        return Err(parser.error(
            loc,
            format!(
                "type should be static shaped memref, but got '{}'",
                type_to_string(&context, ty)
            ),
        ));
    }
    spec.set_attr(Name::TYPE, context.type_attr(ty));
    if parser.parse_opt_token("=") {
        let value = if parser.parse_opt_keyword("uninitialized") {
            Attr::UNIT
        } else {
            parser.parse_attr(context.tensor_type_of(ty))?
        };
        spec.set_attr(Name::INITIAL_VALUE, value);
    }
    parser.parse_opt_attr_dict(spec)
}

fn print_global(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    let visibility = ir.attr(op, Name::SYM_VISIBILITY);
    if let Some(text) = visibility.and_then(|attr| ir.context().attr_string(attr)) {
        printer.string(text);
        printer.text(" ");
    }
    if ir.has_attr(op, Name::CONSTANT) {
        printer.text("constant ");
    }
    printer.symbol_name(ir.symbol_name(op).unwrap_or_default());
    printer.text(" : ");
    if let Some(ty) = Global(op).memref_type(ir) {
        printer.ty(ty);
    }
    match ir.attr(op, Name::INITIAL_VALUE) {
        Some(Attr::UNIT) => printer.text(" = uninitialized"),
        Some(value) => {
            printer.text(" = ");
            printer.attr_without_type(value);
        }
        None => {}
    }
    let written = [
        Name::SYM_VISIBILITY,
        Name::CONSTANT,
        Name::SYM_NAME,
        Name::TYPE,
        Name::INITIAL_VALUE,
    ];
    printer.opt_attr_dict(ir, op, &written);
}

fn verify_global(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let global = Global(op);
    let visibility = ir
        .attr(op, Name::SYM_VISIBILITY)
        .and_then(|attr| context.attr_string(attr));
    if let Some(text) = visibility
        && !matches!(text, "public" | "private" | "nested")
    {
        return Err(format!(
            "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \
             \"{text}\""
        )
        .into());
    }
    let ty = global
        .memref_type(ir)
        .expect("the attribute is verified to hold a memref type");
    if !is_static_memref(context, ty) {
        return Err(format!(
            "type should be static shaped memref, but got '{}'",
            type_to_string(context, ty)
        )
        .into());
    }
    if let Some(value) = global.initial_value(ir) {
        let Some(value_type) = elements_type(context, value) else {
            return Err(format!(
                "initial value should be a unit or elements attribute, but got {}",
                attr_to_string(context, value)
            )
            .into());
        };
        let expected = context.tensor_type_of(ty);
        if expected != Some(value_type) {
            return Err(format!(
                "initial value expected to be of type '{}', but was of type '{}'",
                expected.map_or_else(String::new, |ty| type_to_string(context, ty)),
                type_to_string(context, value_type)
            )
            .into());
        }
    }
    let alignment = ir
        .attr(op, Name::ALIGNMENT)
        .and_then(|attr| context.attr_integer(attr));
    if let Some(alignment) = alignment
        && (alignment as u64).count_ones() != 1
    {
        return Err(OpError::bare(format!(
            "alignment attribute value {} is not a power of 2",
            alignment as u64
        )));
    }
    Ok(())
}

/// The shaped type of an elements attribute.
fn elements_type(context: &Context, attr: Attr) -> Option<Type> {
    match context.attr_kind(attr) {
        AttrKind::DenseElements(dense) => Some(dense.ty),
        AttrKind::DenseStrings { ty, .. }
        | AttrKind::DenseResource { ty, .. }
        | AttrKind::SparseElements { ty, .. } => Some(*ty),
        _ => None,
    }
}

/// `memref.get_global`: the memory of a global.
pub static GET_GLOBAL: OpDef = const {
    OpDef {
        name: "memref.get_global",
        results: &[ValueSpec::one("result", &STATIC_MEMREF)],
        attributes: &[AttrSpec::required(Name::NAME, &FLAT_SYMBOL_REF_ATTR)],
        verify_symbols: Some(verify_get_global),
        ..OpDef::PURE
    }
}
.with_format("$name `:` type($result) attr-dict");
op_view!(
    /// View of [`GET_GLOBAL`].
    GetGlobal, GET_GLOBAL {}
);

impl GetGlobal {
    /// The name of the global.
    pub fn symbol(self, ir: &Ir) -> Option<&str> {
        ir.context().attr_flat_symbol(ir.attr(self.0, Name::NAME)?)
    }
}

fn verify_get_global(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let context = ir.context();
    let name = GetGlobal(op).symbol(ir).unwrap_or_default();
    let Some(global) = symbols
        .get(name)
        .filter(|symbol| std::ptr::eq(symbol.def, &GLOBAL))
    else {
        return Err(format!("'{name}' does not reference a valid global memref").into());
    };
    let result = ir.value_type(ir.result(op, 0));
    let declared = context
        .dict_get(global.attrs, Name::TYPE)
        .and_then(|attr| context.attr_type(attr));
    match declared {
        Some(ty) if ty != result => Err(format!(
            "result type '{}' does not match type '{}' of the global memref @{name}",
            type_to_string(context, result),
            type_to_string(context, ty)
        )
        .into()),
        _ => Ok(()),
    }
}
