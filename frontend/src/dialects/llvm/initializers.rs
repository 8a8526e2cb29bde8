//! `llvm.mlir.global_ctors` and `llvm.mlir.global_dtors`: functions that run before and after the rest of the program.
//!
//! MLIR 22 has a global of each function besides, which the function does not run without; `#llvm.zero` stands for none.
//! Here none is the same as no attribute.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{FLAT_SYMBOL_REF_ATTR, I32_ATTR, is_array};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, Generic22, OpDef, OpError};
use crate::ir::symbols::SymbolTable;
use crate::ir::version::MlirVersion;

use super::attributes;

static SYMBOLS: AttrConstraint = AttrConstraint::new("flat symbol ref array attribute", |c, a| {
    all(c, a, FLAT_SYMBOL_REF_ATTR.accepts)
});
static NUMBERS: AttrConstraint = AttrConstraint::new("32-bit integer array attribute", |c, a| {
    all(c, a, I32_ATTR.accepts)
});
static ARRAY: AttrConstraint = AttrConstraint::new("array attribute", is_array);

fn all(context: &Context, attr: Attr, accepts: fn(&Context, Attr) -> bool) -> bool {
    let elements = context.attr_array(attr);
    elements.is_some_and(|elements| elements.iter().all(|&a| accepts(context, a)))
}

/// MLIR 22 says for each function that it depends on none.
const DATA_IN_22: Generic22 = Generic22 {
    added: Some(|ir, op| match has_data(ir, op) {
        true => None,
        false => Some((Name::DATA, no_data(ir, op))),
    }),
    dropped: Some(drop_no_data),
    ..Generic22::NOTHING
};

/// `llvm.mlir.global_ctors ctors = [@first], priorities = [0 : i32], data = [#llvm.zero]`: lower numbers run first.
pub static GLOBAL_CTORS: OpDef = OpDef {
    name: "llvm.mlir.global_ctors",
    attributes: &[
        AttrSpec::required(Name::CTORS, &SYMBOLS),
        AttrSpec::optional(Name::DATA, &ARRAY),
        AttrSpec::required(Name::PRIORITIES, &NUMBERS),
    ],
    generic_22: DATA_IN_22,
    parse: Some(|parser, spec| parse(parser, spec, CTORS)),
    print: Some(|printer, ir, op| print(printer, ir, op, CTORS)),
    verify: |ir, op| verify(ir, op, CTORS),
    verify_symbols: Some(|ir, op, symbols| verify_symbols(ir, op, symbols, CTORS)),
    ..OpDef::BASE
};

/// `llvm.mlir.global_dtors`, the same for the end: lower numbers run last.
pub static GLOBAL_DTORS: OpDef = OpDef {
    name: "llvm.mlir.global_dtors",
    attributes: &[
        AttrSpec::optional(Name::DATA, &ARRAY),
        AttrSpec::required(Name::DTORS, &SYMBOLS),
        AttrSpec::required(Name::PRIORITIES, &NUMBERS),
    ],
    generic_22: DATA_IN_22,
    parse: Some(|parser, spec| parse(parser, spec, DTORS)),
    print: Some(|printer, ir, op| print(printer, ir, op, DTORS)),
    verify: |ir, op| verify(ir, op, DTORS),
    verify_symbols: Some(|ir, op, symbols| verify_symbols(ir, op, symbols, DTORS)),
    ..OpDef::BASE
};

pub(super) const OPS: &[&OpDef] = &[&GLOBAL_CTORS, &GLOBAL_DTORS];

/// The attribute of the functions and its name.
type Functions = (Name, &'static str);

const CTORS: Functions = (Name::CTORS, "ctors");
const DTORS: Functions = (Name::DTORS, "dtors");

/// A function that runs before the rest of the program or after it.
#[derive(Clone, Copy, Debug)]
pub struct Initializer<'a> {
    /// Who says so.
    pub op: Op,
    /// When it runs among others.
    pub priority: i128,
    /// The function.
    pub function: &'a str,
}

/// The functions that `row`, one of these operations, names in a module, by priority. Equal ones are as written.
/// Functions for the end run in the reverse order.
pub fn initializers<'a>(module: &'a Ir, row: &'static OpDef) -> Vec<Initializer<'a>> {
    let ops = module.root_block().into_iter();
    let ops = ops.flat_map(|block| module.ops_in(block));
    let ops = ops.filter(|&op| module.is(op, row));
    let mut all: Vec<_> = ops.flat_map(|op| prioritized(module, op)).collect();
    all.sort_by_key(|initializer| initializer.priority);
    all
}

fn prioritized(ir: &Ir, op: Op) -> impl Iterator<Item = Initializer<'_>> {
    let context = ir.context();
    let name = match ir.is(op, &GLOBAL_CTORS) {
        true => Name::CTORS,
        false => Name::DTORS,
    };
    let elements = |name| {
        let attr = ir.attr(op, name).and_then(|attr| context.attr_array(attr));
        attr.unwrap_or_default().iter()
    };
    elements(Name::PRIORITIES)
        .zip(elements(name))
        .filter_map(move |(&priority, &function)| {
            Some(Initializer {
                op,
                priority: context.attr_integer(priority)?,
                function: context.attr_flat_symbol(function)?,
            })
        })
}

/// Whether the functions of this operation depend on globals.
pub fn has_data(ir: &Ir, op: Op) -> bool {
    ir.has_attr(op, Name::DATA)
}

fn parse(
    parser: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    (name, keyword): Functions,
) -> Result<(), Failed> {
    let context = parser.context();
    if parser.parse_opt_keyword(keyword) {
        parser.parse_token("=")?;
        let functions = parser.parse_attr(None)?;
        spec.set_attr(name, functions);
        for (name, keyword) in [(Name::PRIORITIES, "priorities"), (Name::DATA, "data")] {
            parser.parse_token(",")?;
            parser.parse_keyword(keyword)?;
            parser.parse_token("=")?;
            let numbers = parser.parse_attr(None)?;
            spec.set_attr(name, numbers);
        }
        drop_no_data(context, spec);
    }
    parser.parse_opt_attr_dict(spec)
}

/// `#llvm.zero` for each function.
fn no_data(ir: &Ir, op: Op) -> Attr {
    let context = ir.context();
    let none = attributes::zero(context);
    context.array_attr(&vec![none; prioritized(ir, op).count()])
}

/// Takes `data` away if it is that.
fn drop_no_data(context: &Context, spec: &mut OpSpec) {
    let n = |name| {
        let attr = spec
            .get_attr(name)
            .and_then(|attr| context.attr_array(attr));
        attr.map(<[_]>::len)
    };
    let is_none = |attr| all(context, attr, attributes::is_zero);
    if spec.get_attr(Name::DATA).is_some_and(is_none) && n(Name::DATA) == n(Name::PRIORITIES) {
        spec.attrs.retain(|&(name, _)| name != Name::DATA);
    }
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, (name, keyword): Functions) {
    let data = ir.attr(op, Name::DATA);
    if printer.mlir_version() == MlirVersion::V19 && data.is_none() {
        printer.opt_attr_dict(ir, op, &[]);
        return;
    }
    printer.text(" ");
    for (name, keyword) in [(name, keyword), (Name::PRIORITIES, "priorities")] {
        printer.text(keyword);
        printer.text(" = ");
        ir.attr(op, name)
            .into_iter()
            .for_each(|attr| printer.attr(attr));
        printer.text(", ");
    }
    printer.text("data = ");
    printer.attr(data.unwrap_or_else(|| no_data(ir, op)));
    printer.opt_attr_dict(ir, op, &[name, Name::PRIORITIES, Name::DATA]);
}

fn verify(ir: &Ir, op: Op, (name, keyword): Functions) -> Result<(), OpError> {
    let context = ir.context();
    let n = |name| {
        let attr = ir.attr(op, name).and_then(|attr| context.attr_array(attr));
        attr.map(<[_]>::len)
    };
    let n_functions = n(name);
    if n(Name::DATA).is_some_and(|n| Some(n) != n_functions) {
        let message =
            format!("{keyword}, priorities, and data must have the same number of elements");
        return Err(OpError::bare(message));
    }
    if n(Name::PRIORITIES) != n_functions {
        return Err(OpError::bare(format!(
            "mismatch between the number of {keyword} and the number of priorities"
        )));
    }
    Ok(())
}

/// The functions are those of `func` once a program was raised.
fn verify_symbols(
    ir: &Ir,
    op: Op,
    symbols: &SymbolTable,
    (name, _): Functions,
) -> Result<(), OpError> {
    let context = ir.context();
    let functions = ir.attr(op, name).and_then(|attr| context.attr_array(attr));
    for name in functions.unwrap_or_default() {
        let name = context.attr_flat_symbol(*name).unwrap_or_default();
        match symbols.get(name) {
            Some(symbol) if symbol.function_type.is_none() => {}
            Some(symbol) if symbol.has_body => continue,
            Some(_) => return Err(format!("'{name}' does not have a definition").into()),
            None => {}
        }
        return Err(format!("'{name}' does not reference a valid LLVM function").into());
    }
    Ok(())
}
