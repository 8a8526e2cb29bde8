//! The custom forms of the `irdl` dialect: lists of named constraints, most of them.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{Type, TypeKind};

type Parser<'a, 'b> = &'a mut dyn OpAsmParser<'b>;
type Printer<'a> = &'a mut dyn OpAsmPrinter;

/// Words for how many values there are, as in attributes.
pub(crate) const VARIADICITY: [&str; 3] = ["single", "optional", "variadic"];

fn handle(context: &Context, name: &str) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("irdl"),
        body: name.into(),
    })
}

/// Gives a constraint its result.
pub(super) fn constraint_result(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) {
    let ty = handle(p.context(), "attribute");
    spec.results.push(ty);
}

/// `@name attributes {...} { ... }`
pub(super) fn parse_definition(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let name = p.parse_symbol_name()?;
    let name = p.context().string_attr(&name);
    spec.set_attr(Name::SYM_NAME, name);
    p.parse_opt_attr_dict_with_keyword(spec)?;
    match p.peek_token("{") {
        true => p.parse_region_with_block(spec),
        false => {
            p.add_synthesized_region(&[], spec, &mut |_, _| {});
            Ok(())
        }
    }
}

pub(super) fn print_definition(p: Printer<'_>, ir: &Ir, op: Op) {
    p.text(" ");
    p.symbol_name(ir.symbol_name(op).unwrap_or_default());
    p.opt_attr_dict_with_keyword(ir, op, &[Name::SYM_NAME]);
    let region = ir.region(op, 0);
    if ir
        .entry_block(region)
        .is_some_and(|b| ir.first_op(b).is_some())
    {
        p.text(" ");
        p.region(ir, region, false, true);
    }
}

/// A list of names, as an attribute.
fn names_attr(context: &Context, names: &[String]) -> Attr {
    let names: Vec<Attr> = names.iter().map(|name| context.string_attr(name)).collect();
    context.array_attr(&names)
}

/// The names in the attribute `name` of `op`.
pub(crate) fn names_of(ir: &Ir, op: Op, name: Name) -> Vec<String> {
    let context = ir.context();
    let attr = ir.attr(op, name).and_then(|attr| context.attr_array(attr));
    let names = attr.unwrap_or_default().iter();
    names
        .map(|&name| context.attr_string(name).unwrap_or_default().to_owned())
        .collect()
}

/// What the variadicity of each value is: a number in [`VARIADICITY`].
pub(crate) fn variadicity_of(ir: &Ir, op: Op) -> Option<Vec<usize>> {
    let context = ir.context();
    let AttrKind::Dialect { body, .. } = context.attr_kind(ir.attr(op, Name::VARIADICITY)?) else {
        return None;
    };
    let list = body.strip_prefix("variadicity_array")?.trim();
    let list = list.strip_prefix('[')?.strip_suffix(']')?.trim();
    if list.is_empty() {
        return Some(Vec::new());
    }
    let words = list.split(',').map(str::trim);
    words
        .map(|word| VARIADICITY.iter().position(|known| *known == word))
        .collect()
}

/// `(a: %a, b: variadic %b)`
pub(super) fn parse_values(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let mut operands = Vec::new();
    p.parse_list(Delimiter::Paren, &mut |p| {
        names.push(p.parse_any_keyword()?.to_owned());
        p.parse_token(":")?;
        let word = VARIADICITY.iter().find(|word| p.parse_opt_keyword(word));
        words.push(format!(" {}", word.unwrap_or(&VARIADICITY[0])));
        operands.push(p.parse_operand()?);
        Ok(())
    })?;
    let context = p.context();
    let variadicity = context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("irdl"),
        body: format!("variadicity_array[{}]", words.join(", ")).into(),
        ty: None,
    });
    spec.set_attr(Name::NAMES, names_attr(context, &names));
    spec.set_attr(Name::VARIADICITY, variadicity);
    let ty = handle(context, "attribute");
    p.resolve_all(&operands, ty, spec)?;
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_values(p: Printer<'_>, ir: &Ir, op: Op) {
    let words = variadicity_of(ir, op).unwrap_or_default();
    print_named(p, ir, op, |i| words.get(i).copied().unwrap_or(0));
    p.opt_attr_dict(ir, op, &[Name::NAMES, Name::VARIADICITY]);
}

fn print_named(p: Printer<'_>, ir: &Ir, op: Op, word: impl Fn(usize) -> usize) {
    p.text("(");
    let names = names_of(ir, op, Name::NAMES);
    for (i, (name, &value)) in names.iter().zip(ir.operands(op)).enumerate() {
        p.text(if i > 0 { ", " } else { "" });
        p.text(name);
        p.text(": ");
        if word(i) > 0 {
            p.text(VARIADICITY[word(i)]);
            p.text(" ");
        }
        p.value(value);
    }
    p.text(")");
}

/// `(a: %a, b: %b)`
pub(super) fn parse_parameters(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let (mut names, mut operands) = (Vec::new(), Vec::new());
    p.parse_list(Delimiter::Paren, &mut |p| {
        names.push(p.parse_any_keyword()?.to_owned());
        p.parse_token(":")?;
        operands.push(p.parse_operand()?);
        Ok(())
    })?;
    let context = p.context();
    spec.set_attr(Name::NAMES, names_attr(context, &names));
    let is_regions = spec.def.name == "irdl.regions";
    let ty = handle(context, if is_regions { "region" } else { "attribute" });
    p.resolve_all(&operands, ty, spec)?;
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_parameters(p: Printer<'_>, ir: &Ir, op: Op) {
    print_named(p, ir, op, |_| 0);
    p.opt_attr_dict(ir, op, &[Name::NAMES]);
}

/// `{"a" = %a}`
pub(super) fn parse_attributes(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let (mut names, mut operands) = (Vec::new(), Vec::new());
    if p.peek_token("{") {
        p.parse_list(Delimiter::Brace, &mut |p| {
            names.push(p.parse_string()?);
            p.parse_token("=")?;
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
    }
    let context = p.context();
    spec.set_attr(Name::ATTRIBUTE_VALUE_NAMES, names_attr(context, &names));
    let ty = handle(context, "attribute");
    p.resolve_all(&operands, ty, spec)?;
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_attributes(p: Printer<'_>, ir: &Ir, op: Op) {
    let names = names_of(ir, op, Name::ATTRIBUTE_VALUE_NAMES);
    if !names.is_empty() {
        p.text(" {");
        for (i, (name, &value)) in names.iter().zip(ir.operands(op)).enumerate() {
            p.text(if i > 0 { ", " } else { "" });
            p.string(name);
            p.text(" = ");
            p.value(value);
        }
        p.text("}");
    }
    p.opt_attr_dict(ir, op, &[Name::ATTRIBUTE_VALUE_NAMES]);
}

/// A dialect's name begins with a letter, and has no other characters than other names of this dialect.
pub(super) fn verify_dialect_name(ir: &Ir, op: Op) -> Result<(), OpError> {
    let name = ir.symbol_name(op).unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_digit())
        || name.is_empty()
        || !name.chars().all(is_word)
    {
        return Err("invalid dialect name".into());
    }
    verify_name(ir, op, "dialect")
}

/// Names are words of lowercase letters, digits and single underscores.
pub(super) fn verify_name(ir: &Ir, op: Op, what: &str) -> Result<(), OpError> {
    let name = ir.symbol_name(op).unwrap_or_default();
    if name.is_empty() {
        return Err(OpError::bare(format!("name of {what} is empty")));
    }
    let mut last = '_';
    for c in name.chars() {
        let wrong = match c {
            '_' if last == '_' => "should not contain leading or double underscores",
            'A'..='Z' => "should not contain uppercase letters",
            '_' | 'a'..='z' | '0'..='9' => "",
            _ => "must contain only lowercase letters, digits and underscores",
        };
        if !wrong.is_empty() {
            return Err(OpError::bare(format!("name of {what} {wrong}")));
        }
        last = c;
    }
    Ok(())
}

/// Each value has a name of its own.
pub(super) fn verify_names(ir: &Ir, op: Op) -> Result<(), OpError> {
    let names = names_of(ir, op, Name::NAMES);
    let what = match ir.def(op).name {
        "irdl.operands" => "operand",
        "irdl.results" => "result",
        "irdl.regions" => "region",
        _ => "parameter",
    };
    let n_values = ir.operands(op).len();
    if names.len() != n_values {
        return Err(format!(
            "the number of {what}s and their names must be the same, but got {n_values} and {} \
             respectively",
            names.len()
        )
        .into());
    }
    if matches!(what, "operand" | "result") {
        let words = variadicity_of(ir, op);
        if words.is_none_or(|words| words.len() != n_values) {
            return Err(format!(
                "the number of {what}s and their variadicities must be the same, but got \
                 {n_values} and another number respectively"
            )
            .into());
        }
    }
    for (i, name) in names.iter().enumerate() {
        if let Some(first) = names[..i].iter().position(|other| other == name) {
            return Err(format!(
                "name of {what} #{i} is a duplicate of the name of {what} #{first}"
            )
            .into());
        }
        if name.is_empty() {
            return Err(format!("name of {what} #{i} is empty").into());
        }
    }
    Ok(())
}

pub(super) fn verify_attribute_names(ir: &Ir, op: Op) -> Result<(), OpError> {
    let (n_names, n_values) = (
        names_of(ir, op, Name::ATTRIBUTE_VALUE_NAMES).len(),
        ir.operands(op).len(),
    );
    match n_names == n_values {
        true => Ok(()),
        false => Err(format!(
            "the number of attribute names and their constraints must be the same but got \
             {n_names} and {n_values} respectively"
        )
        .into()),
    }
}

/// `(%a, %b) with size 1`
pub(super) fn parse_region(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = p.context();
    if p.peek_token("(") {
        let operands = p.parse_operand_list(Delimiter::Paren)?;
        spec.set_attr(Name::CONSTRAINED_ARGUMENTS, Attr::UNIT);
        p.resolve_all(&operands, handle(context, "attribute"), spec)?;
    }
    if p.parse_opt_keyword("with") {
        p.parse_keyword("size")?;
        let size = p.parse_integer()?;
        let size = context.integer_attr(Type::I32, i128::from(size));
        spec.set_attr(Name::NUMBER_OF_BLOCKS, size);
    }
    spec.results.push(handle(context, "region"));
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_region(p: Printer<'_>, ir: &Ir, op: Op) {
    if ir.has_attr(op, Name::CONSTRAINED_ARGUMENTS) {
        p.text("(");
        p.values(ir.operands(op));
        p.text(")");
    }
    if let Some(size) = ir.attr(op, Name::NUMBER_OF_BLOCKS) {
        p.text(" with size ");
        p.attr_without_type(size);
    }
    let shown = [Name::CONSTRAINED_ARGUMENTS, Name::NUMBER_OF_BLOCKS];
    p.opt_attr_dict(ir, op, &shown);
}

/// `(%a, %b)`
pub(super) fn parse_several(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::Paren)?;
    let ty = handle(p.context(), "attribute");
    p.resolve_all(&operands, ty, spec)?;
    constraint_result(p, spec);
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_several(p: Printer<'_>, ir: &Ir, op: Op) {
    p.text("(");
    p.values(ir.operands(op));
    p.text(")");
    p.opt_attr_dict(ir, op, &[]);
}

/// `@dialect::@type` or `"!dialect.type"`
pub(super) fn parse_base(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    match p.parse_opt_string() {
        Some(name) => {
            let name = p.context().string_attr(&name?);
            spec.set_attr(Name::BASE_NAME, name);
        }
        None => {
            let symbol = p.parse_symbol_ref()?;
            spec.set_attr(Name::BASE_REF, symbol);
        }
    }
    constraint_result(p, spec);
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_base(p: Printer<'_>, ir: &Ir, op: Op) {
    let names = [Name::BASE_REF, Name::BASE_NAME];
    if let Some(attr) = names.iter().find_map(|&name| ir.attr(op, name)) {
        p.text(" ");
        p.attr(attr);
    }
    p.opt_attr_dict(ir, op, &names);
}

/// `@dialect::@type<%a, %b>`
pub(super) fn parse_parametric(p: Parser<'_, '_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let symbol = p.parse_symbol_ref()?;
    spec.set_attr(Name::BASE_TYPE, symbol);
    let operands = p.parse_operand_list(Delimiter::Angle)?;
    let ty = handle(p.context(), "attribute");
    p.resolve_all(&operands, ty, spec)?;
    constraint_result(p, spec);
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_parametric(p: Printer<'_>, ir: &Ir, op: Op) {
    if let Some(attr) = ir.attr(op, Name::BASE_TYPE) {
        p.text(" ");
        p.attr(attr);
    }
    p.text("<");
    p.values(ir.operands(op));
    p.text(">");
    p.opt_attr_dict(ir, op, &[Name::BASE_TYPE]);
}
