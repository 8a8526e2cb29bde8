//! The engine of declared formats: reads and writes an operation as its
//! [`Format`] says.

use smallvec::SmallVec;

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::attrs::{Attr, Dict};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Region, Value};
use crate::ir::format::{Anchor, Derivation, Format, Item, ParsedParts, Values};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, AttrText, Count, OpDef, Traits, TypeConstraint, ValueSpec};
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::ir::version::MlirVersion;
use crate::syntax::printer::type_to_string;

type Types = SmallVec<[Type; 2]>;

/// Reads the custom form of an operation of a row with `format`.
pub(crate) fn parse(
    p: &mut dyn OpAsmParser<'_>,
    format: &Format,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let mut parts = ParsedParts::default();
    parse_items(p, format.items(), spec, &mut parts)?;
    resolve(p, format, spec, &mut parts)
}

fn attr_spec(def: &'static OpDef, name: Name) -> &'static AttrSpec {
    let found = def.attributes.iter().find(|spec| spec.name == name);
    found.expect("formats are compiled against their row")
}

fn parse_items(
    p: &mut dyn OpAsmParser<'_>,
    mut items: &[(Item, bool)],
    spec: &mut OpSpec,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    while let Some((&(item, _), rest)) = items.split_first() {
        items = rest;
        let Item::Optional {
            anchor,
            n_then,
            n_else,
        } = item
        else {
            parse_item(p, item, spec, parts)?;
            continue;
        };
        let (then_items, rest) = rest.split_at(usize::from(n_then));
        let (else_items, rest) = rest.split_at(usize::from(n_else));
        items = rest;
        // A blank in front is for printing alone.
        let n_blanks = usize::from(matches!(then_items[0].0, Item::Blank));
        let then_items = &then_items[n_blanks..];
        if parse_opt_first(p, then_items, spec, parts)? {
            parse_items(p, &then_items[1..], spec, parts)?;
            // The presence of a group by the literals around it alone.
            if let Anchor::Attr(name) = anchor
                && matches!(attr_spec(spec.def, name).constraint.text, AttrText::Unit)
            {
                spec.set_attr(name, Attr::UNIT);
            }
        } else {
            parse_items(p, else_items, spec, parts)?;
            if matches!(anchor, Anchor::Region) && spec.n_regions < spec.def.regions.0 {
                p.add_empty_region(spec);
            }
        }
    }
    Ok(())
}

/// Reads the first item of an optional part if it is there.
fn parse_opt_first(
    p: &mut dyn OpAsmParser<'_>,
    items: &[(Item, bool)],
    spec: &mut OpSpec,
    parts: &mut ParsedParts,
) -> Result<bool, Failed> {
    let first = items[0].0;
    match first {
        Item::Keyword(text) => return Ok(p.parse_opt_keyword(text)),
        Item::Token(text) => return Ok(p.parse_opt_token(text)),
        Item::Attr(name) => match attr_spec(spec.def, name).constraint.text {
            AttrText::Custom(custom) => {
                let Some(attr) = (custom.parse)(p)? else {
                    return Ok(false);
                };
                spec.set_attr(name, attr);
                return Ok(true);
            }
            AttrText::Symbol => {
                let Some(symbol) = p.parse_opt_symbol_name() else {
                    return Ok(false);
                };
                spec.set_attr(name, p.context().string_attr(&symbol));
                return Ok(true);
            }
            _ => {
                let Some(attr) = p.parse_opt_attr(None) else {
                    return Ok(false);
                };
                spec.set_attr(name, attr?);
                return Ok(true);
            }
        },
        Item::Operands(_) if p.peek_operand() => {}
        Item::MixedList(..) if p.peek_token("[") => {}
        Item::Region if p.peek_token("{") => {}
        _ => return Ok(false),
    }
    parse_item(p, first, spec, parts)?;
    Ok(true)
}

fn parse_item(
    p: &mut dyn OpAsmParser<'_>,
    item: Item,
    spec: &mut OpSpec,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    match item {
        Item::Keyword(text) => p.parse_keyword(text),
        Item::Token(text) => p.parse_token(text),
        Item::Blank => Ok(()),
        Item::Operands(values) => parse_operands(p, values, spec.def, parts),
        Item::Attr(name) => {
            let attr = parse_attr(p, attr_spec(spec.def, name))?;
            if let Some(attr) = attr {
                spec.set_attr(name, attr);
            }
            Ok(())
        }
        Item::Types(values) => parse_types(p, values, spec.def, parts),
        Item::FunctionalType(inputs, results) => {
            let loc = p.loc();
            let ty = p.parse_type()?;
            let TypeKind::Function {
                inputs: input_types,
                results: result_types,
            } = p.context().type_kind(ty)
            else {
                return Err(p.error(loc, "invalid kind of type specified"));
            };
            set_types(inputs, input_types, parts);
            set_types(results, result_types, parts);
            Ok(())
        }
        Item::AttrDict(false) => p.parse_opt_attr_dict(spec),
        Item::AttrDict(true) => p.parse_opt_attr_dict_with_keyword(spec),
        Item::MixedList(group, name) => {
            let list = parse_mixed_list(p)?;
            parts
                .operands
                .extend(list.operands.into_iter().map(|operand| (group, operand)));
            spec.set_attr(name, p.context().i64_array_attr(&list.statics));
            Ok(())
        }
        Item::ArrowTypes(_) => {
            parts.all_result_types = Some(p.parse_opt_arrow_type_list()?);
            Ok(())
        }
        Item::AffineSubscripts(group, name) => {
            let (map, dims, symbols) = p.parse_affine_map_of_ssa_ids(Delimiter::Square)?;
            let operands = dims.into_iter().chain(symbols);
            parts
                .operands
                .extend(operands.map(|operand| (group, operand)));
            spec.set_attr(name, p.context().affine_map_attr(map));
            Ok(())
        }
        Item::Successor(group) => {
            let (block, operands) = p.parse_successor_with_operands()?;
            spec.successors.push(block);
            parts
                .resolved
                .extend(operands.into_iter().map(|operand| (group, operand)));
            Ok(())
        }
        Item::AffineOperands(group, name) => {
            let map = p.parse_affine_map_attr()?;
            let dims = p.parse_operand_list(Delimiter::Paren)?;
            let symbols = p.parse_operand_list(Delimiter::OptionalSquare)?;
            let n_inputs = (map.n_dims + map.n_symbols) as usize;
            // Other numbers are for the verifier to report.
            if n_inputs == dims.len() + symbols.len() && map.n_dims as usize != dims.len() {
                return Err(p.error(p.name_loc(), "dimension or symbol index mismatch"));
            }
            for operand in dims.iter().chain(&symbols) {
                let value = p.resolve_value(operand, Type::INDEX)?;
                parts.resolved.push((group, value));
            }
            spec.set_attr(name, p.context().affine_map_attr(map));
            Ok(())
        }
        Item::Region => {
            resolve_before_region(p, spec, parts)?;
            parse_region(p, spec)
        }
        Item::Regions => {
            if p.peek_token("{") {
                parse_region(p, spec)?;
                while p.parse_opt_token(",") {
                    parse_region(p, spec)?;
                }
            }
            Ok(())
        }
        Item::Mlir22 => {
            p.context().note_version(MlirVersion::V22);
            Ok(())
        }
        Item::Custom(directive) => (directive.parse)(p, spec, parts),
        Item::Optional { .. } => unreachable!("optional parts are no single items"),
    }
}

/// Looks operands of only one type up before a region may define values of their names.
fn resolve_before_region(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    let def = spec.def;
    let is_fixed = |operand: &ValueSpec| operand.constraint.only.is_some();
    if parts.are_resolved || !def.operands.iter().all(is_fixed) {
        return Ok(());
    }
    parts.are_resolved = true;
    for (group, operand) in def.operands.iter().enumerate() {
        let Some(only) = operand.constraint.only else {
            continue;
        };
        for (_, operand) in parts
            .operands
            .iter()
            .filter(|entry| usize::from(entry.0) == group)
        {
            p.resolve(operand, only(p.context()), spec)?;
        }
    }
    Ok(())
}

/// Reads the next region, which gets the block that its row asks for.
fn parse_region(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let wants_block = Traits::SINGLE_BLOCK.and(Traits::NO_TERMINATOR);
    match spec.def.traits.contains(wants_block) {
        true => p.parse_region_with_block(spec),
        false => p.parse_region(&[], spec),
    }
}

fn parse_operands(
    p: &mut dyn OpAsmParser<'_>,
    values: Values,
    def: &OpDef,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    let loc = p.loc();
    let Values::Operand(group) = values else {
        parts.all_operands = Some((p.parse_operand_list(Delimiter::None)?, loc));
        return Ok(());
    };
    let count = def.operands[usize::from(group)].count;
    if count == Count::One {
        parts.operands.push((group, p.parse_operand()?));
        return Ok(());
    }
    parts.locs.push((group, loc));
    if let Some(operand) = p.parse_opt_operand() {
        parts.operands.push((group, operand?));
        while count == Count::Variadic && p.parse_opt_token(",") {
            parts.operands.push((group, p.parse_operand()?));
        }
    }
    Ok(())
}

fn parse_attr(p: &mut dyn OpAsmParser<'_>, spec: &AttrSpec) -> Result<Option<Attr>, Failed> {
    match spec.constraint.text {
        AttrText::Plain => p.parse_attr(None).map(Some),
        AttrText::Typed(ty) => p.parse_attr(Some(ty)).map(Some),
        AttrText::SymbolRef => {
            let loc = p.loc();
            let symbol = p.parse_symbol_ref()?;
            match (spec.constraint.accepts)(p.context(), symbol) {
                true => Ok(Some(symbol)),
                false => Err(p.error(loc, "invalid kind of attribute specified")),
            }
        }
        AttrText::Symbol => {
            let symbol = p.parse_symbol_name()?;
            Ok(Some(p.context().string_attr(&symbol)))
        }
        AttrText::Integers => {
            let integers = p.parse_integer_list()?;
            Ok(Some(p.context().i64_array_attr(&integers)))
        }
        AttrText::IntegerArray => {
            let integers = p.parse_integer_list()?;
            let context = p.context();
            let integers: Vec<Attr> = integers.iter().map(|&n| context.i64_attr(n)).collect();
            Ok(Some(context.array_attr(&integers)))
        }
        AttrText::Of(ty, accepts) => {
            let loc = p.loc();
            let attr = p.parse_attr(ty)?;
            match accepts(p.context(), attr) {
                true => Ok(Some(attr)),
                false => Err(p.error(loc, "invalid kind of attribute specified")),
            }
        }
        AttrText::Unit => Ok(None),
        AttrText::Custom(custom) => (custom.parse)(p),
    }
}

/// Reads a type that may be one of `constraint`.
fn parse_type(p: &mut dyn OpAsmParser<'_>, constraint: &TypeConstraint) -> Result<Type, Failed> {
    let Some(is_kind) = constraint.kind else {
        return p.parse_type();
    };
    let loc = p.loc();
    let ty = p.parse_type()?;
    match is_kind(p.context(), ty) {
        true => Ok(ty),
        false => Err(p.error(loc, "invalid kind of type specified")),
    }
}

fn parse_types(
    p: &mut dyn OpAsmParser<'_>,
    values: Values,
    def: &OpDef,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    let spec = match values {
        Values::Operand(group) => &def.operands[usize::from(group)],
        Values::Result(group) => &def.results[usize::from(group)],
        Values::Operands => {
            parts.all_operand_types = Some(p.parse_type_list()?);
            return Ok(());
        }
        Values::Results => {
            parts.all_result_types = Some(p.parse_type_list()?);
            return Ok(());
        }
        Values::Attr(_) => unreachable!("the type of an attribute is not written"),
    };
    parts.typed.push(values);
    match spec.count {
        Count::One => parts.types.push((values, parse_type(p, spec.constraint)?)),
        Count::Optional => {
            if let Some(ty) = p.parse_opt_type() {
                parts.types.push((values, ty?));
            }
        }
        Count::Variadic => {
            let types = p.parse_type_list()?;
            parts.types.extend(types.into_iter().map(|ty| (values, ty)));
        }
    }
    Ok(())
}

fn set_types(values: Values, types: &[Type], parts: &mut ParsedParts) {
    match values {
        Values::Operand(_) | Values::Result(_) => {
            parts.typed.push(values);
            parts.types.extend(types.iter().map(|&ty| (values, ty)));
        }
        Values::Operands => parts.all_operand_types = Some(types.into()),
        Values::Results => parts.all_result_types = Some(types.into()),
        Values::Attr(_) => unreachable!("the type of an attribute is not written"),
    }
}

/// A list of values and numbers as written.
#[derive(Default)]
pub(crate) struct ParsedMixedList {
    /// The values, in order.
    pub(crate) operands: Vec<UnresolvedOperand>,
    /// The numbers, [`DYNAMIC`] where a value stands.
    pub(crate) statics: Vec<i64>,
}

/// Reads `[%a, 4, %b]`.
pub(crate) fn parse_mixed_list(p: &mut dyn OpAsmParser<'_>) -> Result<ParsedMixedList, Failed> {
    if !p.peek_token("[") {
        let loc = p.loc();
        return Err(p.error(loc, "expected '[' in dynamic index list"));
    }
    parse_mixed_list_in(p, Delimiter::Square)
}

/// Reads `%a, 4, %b` in delimiters.
pub(crate) fn parse_mixed_list_in(
    p: &mut dyn OpAsmParser<'_>,
    delimiter: Delimiter,
) -> Result<ParsedMixedList, Failed> {
    let mut list = ParsedMixedList::default();
    p.parse_list(delimiter, &mut |p| {
        if let Some(operand) = p.parse_opt_operand() {
            list.operands.push(operand?);
            list.statics.push(DYNAMIC);
            return Ok(());
        }
        match p.parse_opt_integer() {
            Some(number) => list.statics.push(number?),
            None => {
                let loc = p.loc();
                return Err(p.error(loc, "expected SSA value or integer"));
            }
        }
        Ok(())
    })?;
    Ok(list)
}

/// Writes `[%a, 4, %b]`; values stand where `statics` is [`DYNAMIC`].
pub(crate) fn print_mixed_list(p: &mut dyn OpAsmPrinter, values: &[Value], statics: &[i64]) {
    print_mixed(p, ["[", "]"], values, statics);
}

/// Writes such a list between two tokens.
pub(crate) fn print_mixed(
    p: &mut dyn OpAsmPrinter,
    [open, close]: [&'static str; 2],
    values: &[Value],
    statics: &[i64],
) {
    let mut values = values.iter();
    p.text(open);
    for (i, &number) in statics.iter().enumerate() {
        if i > 0 {
            p.text(", ");
        }
        match values.as_slice().first() {
            Some(&value) if number == DYNAMIC => {
                p.value(value);
                values.next();
            }
            _ => p.integer(number),
        }
    }
    p.text(close);
}

/// Looks operands up and adds results, now that all types are known.
fn resolve(
    p: &mut dyn OpAsmParser<'_>,
    format: &Format,
    spec: &mut OpSpec,
    parts: &mut ParsedParts,
) -> Result<(), Failed> {
    let def = spec.def;
    if let Some(types) = parts.all_result_types.take() {
        spec.results.extend(types);
    } else if let Some(infer) = def.infer_results {
        match infer(p.context(), spec, parts) {
            Ok(types) => spec.results.extend(types),
            Err(message) => return Err(p.error(p.name_loc(), message)),
        }
    } else {
        for group in 0..def.results.len() {
            let values = Values::Result(group as u8);
            if parts.is_typed(values) {
                for entry in parts.types.iter().filter(|entry| entry.0 == values) {
                    spec.results.push(entry.1);
                }
            } else if let Some(types) = function_types(p, format, parts, values) {
                spec.results.extend_from_slice(types);
            } else {
                let ty = type_of(p, format, spec, parts, values)?;
                if let Some(ty) = ty {
                    spec.results.push(ty);
                }
            }
        }
    }
    if let Some((operands, loc)) = parts.all_operands.take() {
        let types = match parts.all_operand_types.take() {
            Some(types) => types,
            None => types_of_all(p, format, spec, parts, operands.len())?,
        };
        return p.resolve_each(&operands, &types, loc, spec);
    }
    if let Some(types) = parts.all_operand_types.take() {
        let groups = 0..def.operands.len() as u8;
        let operands: Vec<_> = groups.flat_map(|group| parts.operands_of(group)).collect();
        let loc = p.name_loc();
        p.resolve_each(&operands, &types, loc, spec)?;
    } else if !parts.are_resolved {
        for group in 0..def.operands.len() as u8 {
            resolve_group(p, format, spec, parts, group)?;
        }
    }
    if def.has_operand_segments() {
        let mut sizes: SmallVec<[i32; 4]> = SmallVec::from_elem(0, def.operands.len());
        let operands = parts.operands.iter().map(|entry| entry.0);
        for group in operands.chain(parts.resolved.iter().map(|entry| entry.0)) {
            sizes[usize::from(group)] += 1;
        }
        let sizes = p.context().i32_array_attr(&sizes);
        spec.set_attr(Name::OPERAND_SEGMENT_SIZES, sizes);
    }
    Ok(())
}

fn resolve_group(
    p: &mut dyn OpAsmParser<'_>,
    format: &Format,
    spec: &mut OpSpec,
    parts: &ParsedParts,
    group: u8,
) -> Result<(), Failed> {
    for entry in parts.resolved.iter().filter(|entry| entry.0 == group) {
        spec.operands.push(entry.1);
    }
    let values = Values::Operand(group);
    let mut operands = parts.operands.iter().filter(|entry| entry.0 == group);
    if let Some(types) = function_types(p, format, parts, values) {
        let operands = parts.operands_of(group);
        return p.resolve_each(&operands, types, parts.loc_of(p, group), spec);
    }
    let is_single = spec.def.operands[usize::from(group)].count == Count::One;
    if parts.is_typed(values) && !is_single {
        let (operands, types) = (parts.operands_of(group), parts.types_of(values));
        return p.resolve_each(&operands, &types, parts.loc_of(p, group), spec);
    }
    let Some(first) = operands.next() else {
        return Ok(());
    };
    if let Some(ty) = type_of(p, format, spec, parts, values)? {
        p.resolve(&first.1, ty, spec)?;
        for operand in operands {
            p.resolve(&operand.1, ty, spec)?;
        }
    }
    Ok(())
}

/// The types of operands that are written in one list, each a group of the row.
fn types_of_all(
    p: &mut dyn OpAsmParser<'_>,
    format: &Format,
    spec: &OpSpec,
    parts: &ParsedParts,
    n_operands: usize,
) -> Result<Vec<Type>, Failed> {
    let def = spec.def;
    let mut types = Vec::with_capacity(n_operands);
    for (group, operand) in def.operands.iter().enumerate() {
        let n = match operand.count {
            Count::One => 1,
            Count::Optional | Count::Variadic => n_operands.saturating_sub(types.len()),
        };
        let ty = type_of(p, format, spec, parts, Values::Operand(group as u8))?;
        types.extend(ty.into_iter().flat_map(|ty| std::iter::repeat_n(ty, n)));
    }
    Ok(types)
}

/// The type of values: as written, by a rule, or the only one there is.
fn type_of(
    p: &mut dyn OpAsmParser<'_>,
    format: &Format,
    spec: &OpSpec,
    parts: &ParsedParts,
    values: Values,
) -> Result<Option<Type>, Failed> {
    let def = spec.def;
    let values_spec = match values {
        Values::Operand(group) => &def.operands[usize::from(group)],
        Values::Result(group) => &def.results[usize::from(group)],
        Values::Attr(name) => {
            let attr = spec.get_attr(name);
            return Ok(attr.and_then(|attr| p.context().attr_carried_type(attr)));
        }
        Values::Operands | Values::Results => return Ok(None),
    };
    if parts.is_typed(values) {
        return Ok(parts.type_of(values));
    }
    let rule = format.rules().iter().find(|rule| rule.of == values);
    let Some(rule) = rule else {
        if let Some(only) = values_spec.constraint.only {
            return Ok(Some(only(p.context())));
        }
        return Ok(
            match def.traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE) {
                true => any_type(parts),
                false => None,
            },
        );
    };
    let Some(from) = type_of(p, format, spec, parts, rule.from)? else {
        return Ok(None);
    };
    let context = p.context();
    let derived = match rule.by {
        Derivation::Same => return Ok(Some(from)),
        Derivation::Inputs | Derivation::Outputs => return Ok(None),
        Derivation::Element => context.element_of(from),
        Derivation::Bool => context.with_element_type(from, Type::I1),
        Derivation::Tensor => match context.tensor_type_of(from) {
            Some(tensor) => tensor,
            None => return Err(wrong_type(p, context, values_spec, from)),
        },
    };
    // As upstream: only what satisfies its constraint can be transformed.
    let source = match rule.from {
        Values::Operand(group) => &def.operands[usize::from(group)],
        Values::Result(group) => &def.results[usize::from(group)],
        Values::Operands | Values::Results | Values::Attr(_) => return Ok(Some(derived)),
    };
    if !(source.constraint.accepts)(context, from) {
        return Err(wrong_type(p, context, source, from));
    }
    Ok(Some(derived))
}

/// The types of values that are the inputs or results of a function.
fn function_types<'a>(
    p: &dyn OpAsmParser<'a>,
    format: &Format,
    parts: &ParsedParts,
    values: Values,
) -> Option<&'a [Type]> {
    let rule = format.rules().iter().find(|rule| rule.of == values)?;
    let ty = parts.type_of(rule.from)?;
    match (rule.by, p.context().type_kind(ty)) {
        (Derivation::Inputs, TypeKind::Function { inputs, .. }) => Some(inputs),
        (Derivation::Outputs, TypeKind::Function { results, .. }) => Some(results),
        _ => None,
    }
}

/// A type that is written, where all operands and results have one.
fn any_type(parts: &ParsedParts) -> Option<Type> {
    parts.types.first().map(|entry| entry.1)
}

fn wrong_type(
    p: &mut dyn OpAsmParser<'_>,
    context: &Context,
    spec: &ValueSpec,
    ty: Type,
) -> Failed {
    let message = format!(
        "'{}' must be {}, but got '{}'",
        spec.name,
        spec.constraint.description,
        type_to_string(context, ty)
    );
    let loc: Loc = p.name_loc();
    p.error(loc, message)
}

/// Which regions and successors are written next.
#[derive(Default)]
struct Next {
    region: usize,
    successor: usize,
}

/// Writes the custom form of `op`, whose row has `format`.
pub(crate) fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, format: &Format) {
    print_items(p, ir, op, format, format.items(), &mut Next::default());
}

fn values_of(ir: &Ir, op: Op, values: Values) -> &[Value] {
    match values {
        Values::Operand(group) => {
            let group = usize::from(group);
            ir.operand_group(op, group)
        }
        Values::Result(group) => {
            let results = ir.results(op);
            match ir.def(op).results {
                [_] => results,
                _ => {
                    let group = usize::from(group);
                    &results[group..group + 1]
                }
            }
        }
        Values::Operands => ir.operands(op),
        Values::Results => ir.results(op),
        Values::Attr(_) => &[],
    }
}

fn print_items(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    format: &Format,
    mut items: &[(Item, bool)],
    next: &mut Next,
) {
    while let Some((&(item, blank), rest)) = items.split_first() {
        items = rest;
        let Item::Optional {
            anchor,
            n_then,
            n_else,
        } = item
        else {
            print_item(p, ir, op, format, item, blank, next);
            continue;
        };
        let (then_items, rest) = rest.split_at(usize::from(n_then));
        let (else_items, rest) = rest.split_at(usize::from(n_else));
        items = rest;
        let is_there = match anchor {
            Anchor::Values(values) => !values_of(ir, op, values).is_empty(),
            Anchor::Attr(name) => ir
                .attr(op, name)
                .is_some_and(|attr| !is_elided(ir, op, name, attr)),
            Anchor::Mlir22 => p.mlir_version() == MlirVersion::V22,
            Anchor::Region => ir
                .regions(op)
                .get(next.region)
                .is_some_and(|&region| ir.entry_block(region).is_some()),
        };
        let chosen = if is_there { then_items } else { else_items };
        print_items(p, ir, op, format, chosen, next);
    }
}

/// Whether an attribute says what its absence says.
fn is_elided(ir: &Ir, op: Op, name: Name, attr: Attr) -> bool {
    let mut specs = ir.def(op).attributes.iter();
    specs.any(|spec| {
        let default = spec.default.filter(|_| !spec.spells_default);
        let is_default = || default.is_some_and(|default| default(ir.context()) == attr);
        spec.name == name && (spec.elided == Some(attr) || is_default())
    })
}

fn print_item(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    format: &Format,
    item: Item,
    blank: bool,
    next: &mut Next,
) {
    let is_nothing = match item {
        Item::Attr(name) => {
            matches!(attr_spec(ir.def(op), name).constraint.text, AttrText::Unit)
        }
        _ => false,
    };
    if blank && !is_nothing {
        p.text(" ");
    }
    match item {
        Item::Keyword(text) | Item::Token(text) => p.text(text),
        Item::Blank => p.text(" "),
        Item::Operands(values) => p.values(values_of(ir, op, values)),
        Item::Attr(name) => {
            if let Some(attr) = ir.attr(op, name) {
                print_attr(p, ir.context(), attr_spec(ir.def(op), name), attr);
            }
        }
        Item::Types(values) => p.types_of(ir, values_of(ir, op, values)),
        Item::FunctionalType(inputs, results) => {
            let types = |values| -> Types {
                let values = values_of(ir, op, values).iter();
                values.map(|&value| ir.value_type(value)).collect()
            };
            p.functional_type(&types(inputs), &types(results));
        }
        Item::AttrDict(_) if ir.attrs(op) == Dict::EMPTY => {}
        Item::AttrDict(with_keyword) => {
            let mut except: SmallVec<[Name; 8]> = format.attrs().into();
            for spec in ir.def(op).attributes {
                if spec.elided.is_none() && (spec.default.is_none() || spec.spells_default) {
                    continue;
                }
                let attr = ir.attr(op, spec.name);
                if attr.is_some_and(|attr| is_elided(ir, op, spec.name, attr)) {
                    except.push(spec.name);
                }
            }
            match with_keyword {
                true => p.opt_attr_dict_with_keyword(ir, op, &except),
                false => p.opt_attr_dict(ir, op, &except),
            }
        }
        Item::MixedList(group, name) => {
            let statics = ir
                .attr(op, name)
                .and_then(|attr| ir.context().attr_i64_array(attr));
            let group = usize::from(group);
            print_mixed_list(p, ir.operand_group(op, group), &statics.unwrap_or_default());
        }
        Item::ArrowTypes(true) if !ir.results(op).is_empty() => {
            p.text(" -> (");
            p.types_of(ir, ir.results(op));
            p.text(")");
        }
        Item::ArrowTypes(_) => {
            let results = ir.results(op).iter();
            let types: Types = results.map(|&value| ir.value_type(value)).collect();
            p.opt_arrow_types(&types);
        }
        Item::AffineOperands(group, name) => {
            let map = ir.attr(op, name);
            if let Some(map) = map {
                p.attr(map);
            }
            let map = map.and_then(|map| ir.context().attr_affine_map(map));
            let n_dims = map.map_or(0, |map| map.n_dims as usize);
            let operands = ir.operand_group(op, usize::from(group));
            let (dims, symbols) = operands.split_at(n_dims.min(operands.len()));
            p.text("(");
            p.values(dims);
            p.text(")");
            if !symbols.is_empty() {
                p.text("[");
                p.values(symbols);
                p.text("]");
            }
        }
        Item::AffineSubscripts(group, name) => {
            let map = ir
                .attr(op, name)
                .and_then(|attr| ir.context().attr_affine_map(attr));
            p.text("[");
            if let Some(map) = map {
                p.affine_map_of_ssa_ids(map, ir.operand_group(op, usize::from(group)));
            }
            p.text("]");
        }
        Item::Successor(group) => {
            let operands = ir.operand_group(op, usize::from(group));
            p.successor_with_operands(ir, ir.successors(op)[next.successor], operands);
            next.successor += 1;
        }
        Item::Region => {
            let region: Region = ir.region(op, next.region);
            next.region += 1;
            print_region(p, ir, op, region);
        }
        Item::Regions => {
            for (i, &region) in ir.regions(op)[next.region..].iter().enumerate() {
                if i > 0 {
                    p.text(", ");
                }
                print_region(p, ir, op, region);
            }
            next.region = ir.regions(op).len();
        }
        Item::Mlir22 => {}
        Item::Custom(directive) => (directive.print)(p, ir, op),
        Item::Optional { .. } => unreachable!("optional parts are no single items"),
    }
}

/// Writes a region; what ends it only if it is not implied.
fn print_region(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, region: Region) {
    let is_implied = ir.def(op).implicit_terminator.is_some() && ir.results(op).is_empty();
    p.region(ir, region, true, !is_implied);
}

fn print_attr(p: &mut dyn OpAsmPrinter, context: &Context, spec: &AttrSpec, attr: Attr) {
    match spec.constraint.text {
        AttrText::Plain | AttrText::SymbolRef | AttrText::Of(..) | AttrText::IntegerArray => {
            p.attr(attr)
        }
        AttrText::Typed(_) => p.attr_without_type(attr),
        AttrText::Symbol => p.symbol_name(context.attr_string(attr).unwrap_or_default()),
        AttrText::Integers => {
            p.integer_list(&context.attr_i64_array(attr).unwrap_or_default());
        }
        AttrText::Unit => {}
        AttrText::Custom(custom) => (custom.print)(p, context, attr),
    }
}
