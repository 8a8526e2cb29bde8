//! `func.func`

use std::sync::Arc;

use crate::ir::asm::{Argument, Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind, Dict};
use crate::ir::constraints::{DICTIONARY_ARRAY_ATTR, FUNCTION_TYPE_ATTR, STRING_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, Generic22, OpDef, OpError, Traits};
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::{attr_to_string, type_to_string};

/// `func.func`: a function, or the declaration of one if it has no body.
pub static FUNC: OpDef = OpDef {
    name: "func.func",
    traits: Traits::OWNS_ARENA
        .and(Traits::FUNCTION)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::required(Name::FUNCTION_TYPE, &FUNCTION_TYPE_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
        AttrSpec::optional(Name::ARG_ATTRS, &DICTIONARY_ARRAY_ATTR),
        AttrSpec::optional(Name::RES_ATTRS, &DICTIONARY_ARRAY_ATTR),
    ],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    generic_22: Generic22 {
        inherent: &[(Name::NO_INLINE, Name::NO_INLINE)],
        ..Generic22::NOTHING
    },
    ..OpDef::BASE
};

/// The attributes that the custom form spells out itself.
const SPELLED_OUT: &[Name] = &[
    Name::SYM_NAME,
    Name::FUNCTION_TYPE,
    Name::SYM_VISIBILITY,
    Name::ARG_ATTRS,
    Name::RES_ATTRS,
];

/// A declaration of a public function; with [`Ir::append_block`] on its
/// region (whose arguments must be `inputs`) it becomes a definition.
pub fn function(
    context: &Arc<Context>,
    loc: Loc,
    name: &str,
    inputs: &[Type],
    results: &[Type],
) -> Ir {
    let ty = context.function_type(inputs, results);
    let spec = OpSpec::new(&FUNC, loc)
        .attr(Name::SYM_NAME, context.string_attr(name))
        .attr(Name::FUNCTION_TYPE, context.type_attr(ty))
        .regions(1);
    Ir::new(Arc::clone(context), spec)
}

pub(crate) fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    for visibility in ["public", "private", "nested"] {
        if parser.parse_opt_keyword(visibility) {
            spec.set_attr(Name::SYM_VISIBILITY, context.string_attr(visibility));
            break;
        }
    }
    let name = parser.parse_symbol_name()?;
    spec.set_attr(Name::SYM_NAME, context.string_attr(&name));

    let signature = parse_signature(parser)?;
    let inputs: Vec<Type> = signature.arguments.iter().map(|a| a.ty).collect();
    let results: Vec<Type> = signature.results.iter().map(|r| r.0).collect();
    let ty = context.function_type(&inputs, &results);
    spec.set_attr(Name::FUNCTION_TYPE, context.type_attr(ty));

    let loc = parser.loc();
    let mut explicit = OpSpec::new(spec.def, spec.loc);
    parser.parse_opt_attr_dict_with_keyword(&mut explicit)?;
    for disallowed in [Name::SYM_VISIBILITY, Name::SYM_NAME, Name::FUNCTION_TYPE] {
        if explicit.get_attr(disallowed).is_some() {
            let message = format!(
                "'{}' is an inferred attribute and should not be specified in the explicit attribute dictionary",
                context.name(disallowed)
            );
            return Err(parser.error(loc, message));
        }
    }
    for (name, attr) in explicit.attrs {
        spec.set_attr(name, attr);
    }
    let arg_attrs = signature.arguments.iter().map(|a| a.attrs.clone());
    set_attr_array(context, spec, Name::ARG_ATTRS, arg_attrs);
    let res_attrs = signature.results.into_iter().map(|r| r.1);
    set_attr_array(context, spec, Name::RES_ATTRS, res_attrs);

    let entry_arguments: &[Argument] = if signature.named {
        &signature.arguments
    } else {
        &[]
    };
    let body_loc = parser.loc();
    if !parser.parse_opt_region(entry_arguments, spec)? {
        parser.add_empty_region(spec);
    } else if parser.last_region_is_empty() {
        return Err(parser.error(body_loc, "expected non-empty function body"));
    }
    Ok(())
}

/// The attributes of an argument or result.
pub(crate) type Attrs = Vec<(Name, Attr)>;

struct Signature {
    /// Arguments; without `named` only their types and attributes count.
    arguments: Vec<Argument>,
    named: bool,
    results: Vec<(Type, Attrs)>,
}

fn parse_signature(parser: &mut dyn OpAsmParser<'_>) -> Result<Signature, Failed> {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut named = false;
    parser.parse_list(Delimiter::Paren, &mut |parser| {
        let loc = parser.loc();
        let argument = match parser.parse_opt_argument(true, true) {
            Some(argument) => {
                let argument = argument?;
                if !arguments.is_empty() && !named {
                    return Err(parser.error(loc, "expected type instead of SSA identifier"));
                }
                named = true;
                argument
            }
            None if named => return Err(parser.error(loc, "expected SSA identifier")),
            None => {
                let ty = parser.parse_type()?;
                let attrs = parse_attrs(parser)?;
                let loc = parser.parse_opt_loc()?.unwrap_or(loc);
                Argument::unnamed(ty, attrs, loc)
            }
        };
        arguments.push(argument);
        Ok(())
    })?;
    let mut results = Vec::new();
    if parser.parse_opt_token("->") {
        if parser.peek_token("(") {
            parser.parse_list(Delimiter::Paren, &mut |parser| {
                let ty = parser.parse_type()?;
                results.push((ty, parse_attrs(parser)?));
                Ok(())
            })?;
        } else {
            results.push((parser.parse_type()?, Vec::new()));
        }
    }
    Ok(Signature {
        arguments,
        named,
        results,
    })
}

/// Reads the attributes of one argument or result, if any.
pub(crate) fn parse_attrs(parser: &mut dyn OpAsmParser<'_>) -> Result<Attrs, Failed> {
    let mut holder = OpSpec::new(&FUNC, Loc::UNKNOWN);
    parser.parse_opt_attr_dict(&mut holder)?;
    Ok(holder.attrs)
}

/// Sets an array with one dictionary per entry, unless all are empty.
pub(crate) fn set_attr_array(
    context: &Context,
    spec: &mut OpSpec,
    name: Name,
    entries: impl Iterator<Item = Attrs>,
) {
    let dicts: Vec<Dict> = entries.map(|attrs| context.intern_dict(attrs)).collect();
    if dicts.iter().all(|&dict| dict == Dict::EMPTY) {
        return;
    }
    let dicts: Vec<Attr> = dicts
        .into_iter()
        .map(|dict| context.intern_attr(AttrKind::Dictionary(dict)))
        .collect();
    spec.set_attr(name, context.array_attr(&dicts));
}

/// The attributes of argument or result `index` in array `name`.
pub(crate) fn attrs_at(ir: &Ir, op: Op, name: Name, index: usize) -> &[(Name, Attr)] {
    let context = ir.context();
    let attr = ir
        .attr(op, name)
        .and_then(|attr| context.attr_array(attr))
        .and_then(|attrs| attrs.get(index));
    match attr.map(|&attr| context.attr_kind(attr)) {
        Some(AttrKind::Dictionary(dict)) => context.dict(*dict),
        _ => &[],
    }
}

pub(crate) fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    printer.text(" ");
    if let Some(visibility) = ir
        .attr(op, Name::SYM_VISIBILITY)
        .and_then(|attr| context.attr_string(attr))
    {
        printer.text(visibility);
        printer.text(" ");
    }
    printer.symbol_name(ir.symbol_name(op).unwrap_or_default());
    let (inputs, results): (&[Type], &[Type]) =
        match ir.function_type(op).map(|ty| context.type_kind(ty)) {
            Some(TypeKind::Function { inputs, results }) => (inputs, results),
            _ => (&[], &[]),
        };
    let region = ir.region(op, 0);
    let entry = ir.entry_block(region);
    printer.text("(");
    for (i, &ty) in inputs.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        let attrs = attrs_at(ir, op, Name::ARG_ATTRS, i);
        match entry.and_then(|block| ir.block_args(block).get(i)) {
            Some(&argument) => printer.region_argument_with_attrs(ir, argument, attrs),
            None => {
                printer.ty(ty);
                print_attrs(printer, attrs);
            }
        }
    }
    printer.text(")");
    print_results(printer, ir, op, results);
    printer.opt_attr_dict_with_keyword(ir, op, SPELLED_OUT);
    if entry.is_some() {
        printer.text(" ");
        printer.region(ir, region, false, true);
    }
}

pub(crate) fn print_attrs(printer: &mut dyn OpAsmPrinter, attrs: &[(Name, Attr)]) {
    if !attrs.is_empty() {
        printer.text(" ");
        printer.dict(attrs);
    }
}

fn print_results(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, results: &[Type]) {
    if results.is_empty() {
        return;
    }
    printer.text(" -> ");
    // A lone function type would be read as the type of the function itself.
    let parens = match *results {
        [result] => {
            matches!(ir.context().type_kind(result), TypeKind::Function { .. })
                || !attrs_at(ir, op, Name::RES_ATTRS, 0).is_empty()
        }
        _ => true,
    };
    if parens {
        printer.text("(");
    }
    for (i, &ty) in results.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        printer.ty(ty);
        print_attrs(printer, attrs_at(ir, op, Name::RES_ATTRS, i));
    }
    if parens {
        printer.text(")");
    }
}

pub(crate) fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let Some(TypeKind::Function { inputs, results }) =
        ir.function_type(op).map(|ty| context.type_kind(ty))
    else {
        return Err("requires a function type".into());
    };
    verify_attr_array(ir, op, Name::ARG_ATTRS, "argument", inputs.len())?;
    verify_attr_array(ir, op, Name::RES_ATTRS, "result", results.len())?;
    let Some(entry) = ir.entry_block(ir.region(op, 0)) else {
        return Ok(());
    };
    let arguments = ir.block_args(entry);
    if arguments.len() != inputs.len() {
        return Err(format!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        )
        .into());
    }
    for (i, (&argument, &input)) in arguments.iter().zip(inputs).enumerate() {
        let ty = ir.value_type(argument);
        if ty != input {
            return Err(format!(
                "type of entry block argument #{i}('{}') must match the type of the corresponding argument in function signature('{}')",
                type_to_string(context, ty),
                type_to_string(context, input),
            )
            .into());
        }
    }
    Ok(())
}

/// Checks the attributes of all arguments or of all results.
pub(crate) fn verify_attr_array(
    ir: &Ir,
    op: Op,
    name: Name,
    what: &str,
    expected: usize,
) -> Result<(), OpError> {
    let context = ir.context();
    let Some(attrs) = ir.attr(op, name).and_then(|attr| context.attr_array(attr)) else {
        return Ok(());
    };
    if attrs.len() != expected {
        return Err(format!(
            "expects {what} attribute array to have the same number of elements as the number of function {what}s, got {}, but expected {expected}",
            attrs.len()
        )
        .into());
    }
    for &attr in attrs {
        let AttrKind::Dictionary(dict) = context.attr_kind(attr) else {
            return Err(format!(
                "expects {what} attribute dictionary to be a DictionaryAttr, but got `{}`",
                attr_to_string(context, attr)
            )
            .into());
        };
        let entries = context.dict(*dict);
        if entries
            .iter()
            .any(|entry| !context.name(entry.0).contains('.'))
        {
            return Err(format!("{what}s may only have dialect attributes").into());
        }
    }
    Ok(())
}
