//! Custom forms of vector operations, transfers aside.

use smallvec::SmallVec;

use super::attributes::{self, PUNCTUATION, parse_enum};
use super::{CombiningKind, is_vector, scalable_of, scalable_vector_type, shape_of, vector_type};
use crate::dialects::shared::assembly::print_colon_type;
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::format::{ParsedParts, Values};
use crate::ir::names::Name;
use crate::ir::types::Type;

/// `%a, %b[, %acc] {attrs} : type, type`
pub(super) fn parse_outer_product(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let loc = p.loc();
    let lhs = p.parse_type()?;
    p.parse_token(",")?;
    let rhs = p.parse_type()?;
    if operands.len() < 2 {
        return Err(p.error(p.name_loc(), "expected at least 2 operands"));
    }
    let context = p.context();
    if !is_vector(context, lhs) {
        return Err(p.error(loc, "expected vector type for operand #1"));
    }
    let shape = [shape_of(context, lhs), shape_of(context, rhs)].concat();
    let scalable = [scalable_of(context, lhs), scalable_of(context, rhs)].concat();
    let element = context.element_type_or_self(lhs);
    let result = scalable_vector_type(context, &shape, &scalable, element);
    spec.results.push(result);
    let types = [lhs, rhs, result];
    let n = operands.len().clamp(2, 3);
    p.resolve_each(&operands, &types[..n], p.name_loc(), spec)
}

pub(super) fn print_outer_product(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    // Without an accumulator the kind does not matter.
    if ir.operands(op).len() > 2 {
        p.opt_attr_dict(ir, op, &[]);
    }
    p.text(" : ");
    p.types_of(ir, &ir.operands(op)[..2]);
}

/// `{indexing_maps = ..., iterator_types = ["parallel"]} %a, %b, %acc : type, type into type`
pub(super) fn parse_contract(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = p.loc();
    let context = std::sync::Arc::clone(p.context());
    let attributes = p.parse_attr(None)?;
    let AttrKind::Dictionary(dict) = context.attr_kind(attributes) else {
        return Err(p.error(loc, "invalid kind of attribute specified"));
    };
    for &(name, attr) in context.dict(*dict) {
        spec.set_attr(name, attr);
    }
    let Some(iterators) = spec
        .get_attr(Name::ITERATOR_TYPES)
        .and_then(|attr| context.attr_array(attr))
    else {
        return Err(p.error(loc, "expected \"iterator_types\" array attribute"));
    };
    let mut types = Vec::with_capacity(iterators.len());
    for &iterator in iterators {
        let keyword = match context.attr_string(iterator) {
            Some(keyword) => keyword,
            // As the generic form has it.
            None => {
                types.push(iterator);
                continue;
            }
        };
        if !matches!(keyword, "parallel" | "reduction") {
            return Err(p.error(loc, format!("unexpected iterator_type ({keyword})")));
        }
        types.push(attributes::enum_attr(&context, "iterator_type", keyword));
    }
    spec.set_attr(Name::ITERATOR_TYPES, context.array_attr(&types));
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    let lhs = p.parse_colon_type()?;
    p.parse_token(",")?;
    let rhs = p.parse_type()?;
    p.parse_keyword("into")?;
    let result = p.parse_type()?;
    spec.results.push(result);
    p.resolve_each(&operands, &[lhs, rhs, result], p.name_loc(), spec)
}

pub(super) fn print_contract(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let mut entries = Vec::new();
    if let Some(maps) = ir.attr(op, Name::INDEXING_MAPS) {
        entries.push((Name::INDEXING_MAPS, maps));
    }
    let iterators = ir.attr(op, Name::ITERATOR_TYPES);
    let iterators = iterators.and_then(|attr| context.attr_array(attr));
    let keywords: Vec<Attr> = (iterators.unwrap_or(&[]).iter())
        .map(
            |&attr| match attributes::enum_keyword(context, attr, "iterator_type") {
                Some(keyword) => context.string_attr(keyword),
                None => attr,
            },
        )
        .collect();
    entries.push((Name::ITERATOR_TYPES, context.array_attr(&keywords)));
    entries.push((Name::KIND, CombiningKind::of(ir, op).to_attr(context)));
    p.text(" ");
    p.dict(&entries);
    p.text(" ");
    p.values(ir.operands(op));
    let own = [Name::INDEXING_MAPS, Name::ITERATOR_TYPES, Name::KIND];
    p.opt_attr_dict(ir, op, &own);
    p.text(" : ");
    p.types_of(ir, &ir.operands(op)[..2]);
    p.text(" into ");
    p.ty(ir.value_type(ir.result(op, 0)));
}

/// `%v : type punctuation <comma>`, `punctuation <comma>`, `str "text"`
pub(super) fn parse_print(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if let Some(source) = p.parse_opt_operand() {
        let source = source?;
        let ty = p.parse_colon_type()?;
        p.resolve(&source, ty, spec)?;
    } else if p.parse_opt_keyword("str") {
        let loc = p.loc();
        let text = p.parse_attr(None)?;
        let is_string = matches!(p.context().attr_kind(text), AttrKind::String(_));
        if !is_string {
            return Err(p.error(loc, "invalid kind of attribute specified"));
        }
        spec.set_attr(Name::STRING_LITERAL, text);
    }
    if p.parse_opt_keyword("punctuation") {
        let keyword = parse_enum(p, "punctuation", "PrintPunctuation", &PUNCTUATION)?;
        if keyword != "newline" {
            let attr = attributes::enum_attr(p.context(), "punctuation", &keyword);
            spec.set_attr(Name::PUNCTUATION, attr);
        }
    }
    p.parse_opt_attr_dict(spec)
}

pub(super) fn print_print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let source = ir.operands(op).first().copied();
    if let Some(source) = source {
        p.text(" ");
        p.value(source);
        p.text(" : ");
        p.ty(ir.value_type(source));
    }
    if let Some(text) = ir.attr(op, Name::STRING_LITERAL) {
        p.text(" str ");
        p.attr(text);
    }
    let punctuation = super::punctuation(ir, op);
    // With nothing behind it, the name would take a result on the next line for its operand.
    let is_bare = source.is_none() && !ir.has_attr(op, Name::STRING_LITERAL);
    if is_bare || punctuation != "newline" {
        p.text(" punctuation <");
        p.text(punctuation);
        p.text(">");
    }
    p.opt_attr_dict(ir, op, &[Name::PUNCTUATION, Name::STRING_LITERAL]);
}

/// `%mask[, %passthru] { op } {attrs} : mask type [-> types]`
pub(super) fn parse_mask(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mask = p.parse_operand()?;
    let mut passthru = None;
    if p.parse_opt_token(",") {
        passthru = Some(p.parse_operand()?);
    }
    p.parse_region(&[], spec)?;
    p.terminate_with_results(&super::YIELD, spec);
    p.parse_opt_attr_dict(spec)?;
    let mask_ty = p.parse_colon_type()?;
    let results = p.parse_opt_arrow_type_list()?;
    spec.results.extend_from_slice(&results);
    p.resolve(&mask, mask_ty, spec)?;
    match (passthru, results.first()) {
        (Some(passthru), Some(&ty)) => p.resolve(&passthru, ty, spec),
        (Some(_), None) => Err(p.error(
            p.name_loc(),
            "expects a result if passthru operand is provided",
        )),
        (None, _) => Ok(()),
    }
}

/// The operation in the body of a mask, if the short form can express it: its results are yielded,
/// and the end of the body has no other attributes.
fn masked_op(ir: &Ir, op: Op) -> Option<Op> {
    let body = ir.entry_block(ir.region(op, 0))?;
    let (first, last) = (ir.first_op(body)?, ir.last_op(body)?);
    let is_short =
        ir.operands(last) == ir.results(first) && ir.context().dict(ir.attrs(last)).is_empty();
    is_short.then_some(first)
}

pub(super) fn print_mask(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    match masked_op(ir, op) {
        Some(masked) => {
            p.text(" { ");
            p.inline_op(ir, masked);
            p.text(" }");
        }
        None => {
            p.text(" ");
            p.region(ir, ir.region(op, 0), false, true);
        }
    }
    p.opt_attr_dict(ir, op, &[]);
    print_colon_type(p, ir, ir.operand(op, 0));
    let results: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    p.opt_arrow_types(&results);
}

/// The names of this many results are known: vectors that run have no more elements.
const MAX_RESULTS: usize = 4096;

/// A `vector.to_elements` has a result for each element.
pub(super) fn infer_to_elements(
    context: &Context,
    _: &OpSpec,
    parts: &ParsedParts,
) -> Result<SmallVec<[Type; 2]>, String> {
    let ty = parts.type_of(Values::Operand(0)).unwrap_or(Type::NONE);
    let n_elements = context.shape(ty).and_then(|shape| {
        let mut sizes = shape.iter();
        let n = sizes.try_fold(1_i64, |n, &size| n.checked_mul(size))?;
        usize::try_from(n).ok().filter(|&n| n <= MAX_RESULTS)
    });
    match n_elements {
        Some(n) => Ok(SmallVec::from_elem(context.element_type_or_self(ty), n)),
        None => Err("has too many elements".into()),
    }
}

/// The result of a `vector.shuffle` has as many leading elements as the mask.
pub(super) fn infer_shuffle(
    context: &Context,
    spec: &OpSpec,
    parts: &ParsedParts,
) -> Result<SmallVec<[Type; 2]>, String> {
    let first = parts.type_of(Values::Operand(0)).unwrap_or(Type::NONE);
    let mask = spec
        .get_attr(Name::MASK)
        .and_then(|mask| context.attr_array(mask));
    let mut shape = shape_of(context, first).to_vec();
    if shape.is_empty() {
        shape.push(0);
    }
    shape[0] = mask.map_or(0, <[Attr]>::len) as i64;
    let element = context.element_type_or_self(first);
    Ok(SmallVec::from_elem(
        vector_type(context, &shape, element),
        1,
    ))
}
