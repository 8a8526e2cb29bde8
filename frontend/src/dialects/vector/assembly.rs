//! Custom forms of vector operations, transfers aside.

use super::attributes::{self, PUNCTUATION, i64_array, numbers, parse_enum, parse_kind};
use super::{CombiningKind, is_vector, scalable_of, scalable_vector_type, shape_of, vector_type};
use crate::dialects::arith::attributes::FASTMATH_FLAGS;
use crate::dialects::shared::assembly::{
    Operands, parse_cast_like, parse_indices, parse_mixed_list, parse_type_of_kind,
    print_colon_type, print_indices, print_mixed_list, print_type_pair,
};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::types::{Type, TypeKind};

/// Reads a vector type.
pub(super) fn parse_vector_type(p: &mut dyn OpAsmParser<'_>) -> Result<Type, Failed> {
    parse_type_of_kind(p, is_vector)
}

fn element(p: &dyn OpAsmParser<'_>, ty: Type) -> Type {
    p.context().element_type_or_self(ty)
}

/// `%a {attrs} : type to type`
pub(super) fn parse_cast(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parse_cast_like(p, spec, |p| p.parse_type())
}

/// `%a, %b : type -> type`, types being those of the first operand and of the results.
pub(super) fn print_arrow(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[]);
    print_type_pair(p, ir, ir.operand(op, 0), " -> ", ir.result(op, 0));
}

fn parse_arrow(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(Operands, Type, Type), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let from = parse_vector_type(p)?;
    p.parse_token("->")?;
    let to = parse_vector_type(p)?;
    Ok((operands, from, to))
}

pub(super) fn parse_interleave(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let (operands, from, to) = parse_arrow(p, spec)?;
    spec.results.push(to);
    p.resolve_each(&operands, &[from, from], p.name_loc(), spec)
}

pub(super) fn parse_deinterleave(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let (operands, from, to) = parse_arrow(p, spec)?;
    spec.results.extend([to, to]);
    p.resolve_each(&operands, &[from], p.name_loc(), spec)
}

/// `%scalar {attrs} : vector type`
pub(super) fn parse_splat(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operand = p.parse_operand()?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let ty = parse_vector_type(p)?;
    spec.results.push(ty);
    let element = element(p, ty);
    p.resolve(&operand, element, spec)
}

/// Prints what [`parse_splat`] and [`parse_from_elements`] read.
pub(super) fn print_splat(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[]);
    print_colon_type(p, ir, ir.result(op, 0));
}

/// `%a, %b : vector type`
pub(super) fn parse_from_elements(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let ty = parse_vector_type(p)?;
    spec.results.push(ty);
    let element = element(p, ty);
    p.resolve_all(&operands, element, spec)
}

/// `%a, %b : vector<...xi1>`
pub(super) fn parse_create_mask(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    spec.results.push(parse_vector_type(p)?);
    p.resolve_all(&operands, Type::INDEX, spec)
}

pub(super) fn print_create_mask(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    if !ir.operands(op).is_empty() {
        p.text(" ");
        p.values(ir.operands(op));
    }
    p.opt_attr_dict(ir, op, &[]);
    print_colon_type(p, ir, ir.result(op, 0));
}

pub(super) fn parse_step(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    spec.results.push(parse_vector_type(p)?);
    Ok(())
}

/// `[2, 3] {attrs} : vector<...xi1>`
pub(super) fn parse_constant_mask(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let sizes = p.parse_integer_list()?;
    let sizes = i64_array(p.context(), &sizes);
    spec.set_attr(Name::MASK_DIM_SIZES, sizes);
    parse_step(p, spec)
}

pub(super) fn print_constant_mask(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.integer_list(&numbers(ir, op, Name::MASK_DIM_SIZES));
    p.opt_attr_dict(ir, op, &[Name::MASK_DIM_SIZES]);
    print_colon_type(p, ir, ir.result(op, 0));
}

/// `%a, %b, %c {attrs} : vector type`
pub(super) fn parse_fma(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    let ty = p.parse_colon_type()?;
    spec.results.push(ty);
    p.resolve_each(&operands, &[ty; 3], p.name_loc(), spec)
}

/// `%v, [1, 0] {attrs} : type to type`
pub(super) fn parse_transpose(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let operand = p.parse_operand()?;
    p.parse_token(",")?;
    let permutation = p.parse_integer_list()?;
    let permutation = p.context().i64_array_attr(&permutation);
    spec.set_attr(Name::PERMUTATION, permutation);
    p.parse_opt_attr_dict(spec)?;
    let from = p.parse_colon_type()?;
    p.parse_keyword("to")?;
    spec.results.push(p.parse_type()?);
    p.resolve(&operand, from, spec)
}

pub(super) fn print_transpose(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.text(", ");
    p.integer_list(&numbers(ir, op, Name::PERMUTATION));
    p.opt_attr_dict(ir, op, &[Name::PERMUTATION]);
    print_type_pair(p, ir, ir.operand(op, 0), " to ", ir.result(op, 0));
}

/// `%a, %b [0, 5] {attrs} : type, type`
pub(super) fn parse_shuffle(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    let loc = p.loc();
    let mask = p.parse_attr(None)?;
    let Some(mask_length) = p.context().attr_array(mask).map(<[Attr]>::len) else {
        return Err(p.error(loc, "invalid kind of attribute specified"));
    };
    spec.set_attr(Name::MASK, mask);
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let first = parse_vector_type(p)?;
    p.parse_token(",")?;
    let second = parse_vector_type(p)?;
    let (context, v1) = (p.context(), first);
    let mut shape = shape_of(context, v1).to_vec();
    if shape.is_empty() {
        shape.push(0);
    }
    shape[0] = mask_length as i64;
    let element = context.element_type_or_self(v1);
    spec.results.push(vector_type(context, &shape, element));
    p.resolve_each(&operands, &[first, second], p.name_loc(), spec)
}

pub(super) fn print_shuffle(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.text(" ");
    p.integer_list(&numbers(ir, op, Name::MASK));
    p.opt_attr_dict(ir, op, &[Name::MASK]);
    p.text(" : ");
    p.types_of(ir, ir.operands(op));
}

/// `%v[1, %i] {attrs} : type from vector type`
pub(super) fn parse_extract(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let vector = p.parse_operand()?;
    let position = parse_mixed_list(p)?;
    let statics = p.context().i64_array_attr(&position.statics);
    spec.set_attr(Name::STATIC_POSITION, statics);
    p.parse_opt_attr_dict(spec)?;
    spec.results.push(p.parse_colon_type()?);
    p.parse_keyword("from")?;
    let from = parse_vector_type(p)?;
    p.resolve(&vector, from, spec)?;
    p.resolve_all(&position.operands, Type::INDEX, spec)
}

pub(super) fn print_extract(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.value(ir.operand(op, 0));
    print_mixed_list(
        p,
        &ir.operands(op)[1..],
        &numbers(ir, op, Name::STATIC_POSITION),
    );
    p.opt_attr_dict(ir, op, &[Name::STATIC_POSITION]);
    print_type_pair(p, ir, ir.result(op, 0), " from ", ir.operand(op, 0));
}

/// `%s, %v[1, %i] {attrs} : type into vector type`
pub(super) fn parse_insert(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = p.parse_operand()?;
    p.parse_token(",")?;
    let dest = p.parse_operand()?;
    let position = parse_mixed_list(p)?;
    let statics = p.context().i64_array_attr(&position.statics);
    spec.set_attr(Name::STATIC_POSITION, statics);
    p.parse_opt_attr_dict(spec)?;
    let from = p.parse_colon_type()?;
    p.parse_keyword("into")?;
    let into = parse_vector_type(p)?;
    spec.results.push(into);
    p.resolve(&source, from, spec)?;
    p.resolve(&dest, into, spec)?;
    p.resolve_all(&position.operands, Type::INDEX, spec)
}

pub(super) fn print_insert(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(&ir.operands(op)[..2]);
    p.text(" ");
    print_mixed_list(
        p,
        &ir.operands(op)[2..],
        &numbers(ir, op, Name::STATIC_POSITION),
    );
    p.opt_attr_dict(ir, op, &[Name::STATIC_POSITION]);
    print_type_pair(p, ir, ir.operand(op, 0), " into ", ir.operand(op, 1));
}

/// `[%i : type]`, where both may be missing.
fn parse_position(p: &mut dyn OpAsmParser<'_>) -> Result<(Operands, Option<Type>), Failed> {
    let mut operands = Operands::new();
    let mut ty = None;
    p.parse_token("[")?;
    if let Some(operand) = p.parse_opt_operand() {
        operands.push(operand?);
        ty = Some(p.parse_colon_type()?);
    }
    p.parse_token("]")?;
    Ok((operands, ty))
}

/// `%v[%i : type] {attrs} : vector type`
pub(super) fn parse_extract_element(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let vector = p.parse_operand()?;
    let (position, ty) = parse_position(p)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let from = parse_vector_type(p)?;
    spec.results.push(element(p, from));
    p.resolve(&vector, from, spec)?;
    p.resolve_all(&position, ty.unwrap_or(Type::INDEX), spec)
}

/// `%s, %v[%i : type] {attrs} : vector type`
pub(super) fn parse_insert_element(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let source = p.parse_operand()?;
    p.parse_token(",")?;
    let dest = p.parse_operand()?;
    let (position, ty) = parse_position(p)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let into = parse_vector_type(p)?;
    spec.results.push(into);
    let element = element(p, into);
    p.resolve(&source, element, spec)?;
    p.resolve(&dest, into, spec)?;
    p.resolve_all(&position, ty.unwrap_or(Type::INDEX), spec)
}

/// Prints what [`parse_extract_element`] and [`parse_insert_element`] read.
pub(super) fn print_element(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let n_fixed = if ir.is(op, &super::INSERT_ELEMENT) {
        2
    } else {
        1
    };
    p.text(" ");
    p.values(&ir.operands(op)[..n_fixed]);
    p.text("[");
    if let Some(&position) = ir.operands(op).get(n_fixed) {
        p.value(position);
        p.text(" : ");
        p.ty(ir.value_type(position));
    }
    p.text("]");
    p.opt_attr_dict(ir, op, &[]);
    print_colon_type(p, ir, ir.operand(op, n_fixed - 1));
}

/// `%a, %b {attrs} : type into type`
pub(super) fn parse_insert_strided_slice(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let source = p.parse_operand()?;
    p.parse_token(",")?;
    let dest = p.parse_operand()?;
    p.parse_opt_attr_dict(spec)?;
    let from = p.parse_colon_type()?;
    p.parse_keyword("into")?;
    let into = p.parse_type()?;
    spec.results.push(into);
    p.resolve(&source, from, spec)?;
    p.resolve(&dest, into, spec)
}

pub(super) fn print_insert_strided_slice(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[]);
    print_type_pair(p, ir, ir.operand(op, 0), " into ", ir.operand(op, 1));
}

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

fn print_kind(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" <");
    p.text(CombiningKind::of(ir, op).keyword());
    p.text(">, ");
}

/// `<add>, %v[, %acc] fastmath<...> {attrs} : type into type`
pub(super) fn parse_reduction(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_kind(p, spec)?;
    p.parse_token(",")?;
    let mut operands = vec![p.parse_operand()?];
    // A comma need not be followed by an accumulator.
    if p.parse_opt_token(",")
        && let Some(accumulator) = p.parse_opt_operand()
    {
        operands.push(accumulator?);
    }
    FASTMATH_FLAGS.parse(p, spec)?;
    p.parse_opt_attr_dict(spec)?;
    let from = p.parse_colon_type()?;
    p.parse_keyword("into")?;
    let into = p.parse_type()?;
    spec.results.push(into);
    let types = [from, into];
    let n = operands.len();
    p.resolve_each(&operands, &types[..n], p.name_loc(), spec)
}

pub(super) fn print_reduction(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    print_kind(p, ir, op);
    p.values(ir.operands(op));
    FASTMATH_FLAGS.print(p, ir, op);
    p.opt_attr_dict(ir, op, &[Name::KIND, Name::FASTMATH]);
    print_type_pair(p, ir, ir.operand(op, 0), " into ", ir.result(op, 0));
}

/// `<add>, %v, %acc {attrs} [0, 1] : type to type`
pub(super) fn parse_multi_reduction(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_kind(p, spec)?;
    p.parse_token(",")?;
    let source = p.parse_operand()?;
    p.parse_token(",")?;
    let acc = p.parse_operand()?;
    p.parse_opt_attr_dict(spec)?;
    let dims = p.parse_integer_list()?;
    let dims = i64_array(p.context(), &dims);
    spec.set_attr(Name::REDUCTION_DIMS, dims);
    let from = p.parse_colon_type()?;
    p.parse_keyword("to")?;
    let into = p.parse_type()?;
    spec.results.push(into);
    p.resolve(&source, from, spec)?;
    p.resolve(&acc, into, spec)
}

pub(super) fn print_multi_reduction(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    print_kind(p, ir, op);
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[Name::KIND, Name::REDUCTION_DIMS]);
    p.text(" ");
    p.integer_list(&numbers(ir, op, Name::REDUCTION_DIMS));
    print_type_pair(p, ir, ir.operand(op, 0), " to ", ir.result(op, 0));
}

/// `<add>, %v, %initial {attrs} : type, type`
pub(super) fn parse_scan(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parse_kind(p, spec)?;
    p.parse_token(",")?;
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_opt_attr_dict(spec)?;
    let types = p.parse_colon_type_list()?;
    spec.results.extend_from_slice(&types);
    p.resolve_each(&operands, &types, p.name_loc(), spec)
}

pub(super) fn print_scan(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    print_kind(p, ir, op);
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[Name::KIND]);
    p.text(" : ");
    p.types_of(ir, ir.operands(op));
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

/// Reads a ranked memref type, or a tensor type, which some of them take.
fn parse_base_type(p: &mut dyn OpAsmParser<'_>) -> Result<Type, Failed> {
    parse_type_of_kind(p, |context: &Context, ty| {
        context.as_memref(ty).is_some()
            || matches!(context.type_kind(ty), TypeKind::RankedTensor { .. })
    })
}

/// `%m[%i] {attrs} : memref type, vector type`
pub(super) fn parse_load(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let base = p.parse_operand()?;
    let indices = parse_indices(p)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let memref = parse_base_type(p)?;
    p.parse_token(",")?;
    spec.results.push(parse_vector_type(p)?);
    p.resolve(&base, memref, spec)?;
    p.resolve_all(&indices, Type::INDEX, spec)
}

pub(super) fn print_load(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.value(ir.operand(op, 0));
    print_indices(p, &ir.operands(op)[1..]);
    p.opt_attr_dict(ir, op, &[]);
    print_type_pair(p, ir, ir.operand(op, 0), ", ", ir.result(op, 0));
}

/// `%v, %m[%i] {attrs} : memref type, vector type`
pub(super) fn parse_store(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let value = p.parse_operand()?;
    p.parse_token(",")?;
    let base = p.parse_operand()?;
    let indices = parse_indices(p)?;
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let memref = parse_base_type(p)?;
    p.parse_token(",")?;
    let vector = parse_vector_type(p)?;
    p.resolve(&value, vector, spec)?;
    p.resolve(&base, memref, spec)?;
    p.resolve_all(&indices, Type::INDEX, spec)
}

pub(super) fn print_store(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(&ir.operands(op)[..2]);
    print_indices(p, &ir.operands(op)[2..]);
    p.opt_attr_dict(ir, op, &[]);
    print_type_pair(p, ir, ir.operand(op, 1), ", ", ir.operand(op, 0));
}

/// `%m[%i] [%distances], %mask, %value {attrs} : types`, with the distances only of gathers and
/// scatters, and `into type` at the end only of loads.
pub(super) fn parse_masked(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    has_index_vec: bool,
    is_load: bool,
) -> Result<(), Failed> {
    let base = p.parse_operand()?;
    let indices = parse_indices(p)?;
    let mut vectors = Operands::new();
    if has_index_vec {
        p.parse_token("[")?;
        vectors.push(p.parse_operand()?);
        p.parse_token("]")?;
    }
    for _ in 0..2 {
        p.parse_token(",")?;
        vectors.push(p.parse_operand()?);
    }
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    let memref = parse_base_type(p)?;
    let mut types = Vec::new();
    for _ in 0..vectors.len() {
        p.parse_token(",")?;
        types.push(parse_vector_type(p)?);
    }
    if is_load {
        p.parse_keyword("into")?;
        spec.results.push(parse_vector_type(p)?);
    }
    p.resolve(&base, memref, spec)?;
    p.resolve_all(&indices, Type::INDEX, spec)?;
    p.resolve_each(&vectors, &types, p.name_loc(), spec)
}

pub(super) fn print_masked(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let has_index_vec = ir.is(op, &super::GATHER) || ir.is(op, &super::SCATTER);
    let operands = ir.operands(op);
    let n_vectors = if has_index_vec { 3 } else { 2 };
    let (address, mut vectors) = operands.split_at(operands.len() - n_vectors);
    p.text(" ");
    p.value(address[0]);
    print_indices(p, &address[1..]);
    let types = vectors;
    if has_index_vec {
        p.text(" ");
        print_indices(p, &vectors[..1]);
        vectors = &vectors[1..];
    }
    p.text(", ");
    p.values(vectors);
    p.opt_attr_dict(ir, op, &[]);
    p.text(" : ");
    p.ty(ir.value_type(address[0]));
    p.text(", ");
    p.types_of(ir, types);
    if !ir.results(op).is_empty() {
        p.text(" into ");
        p.ty(ir.value_type(ir.result(op, 0)));
    }
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

/// The operation in the body of a mask, if the short form says it all: its results are what is
/// yielded, and nothing else is known of the end of the body.
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

/// `%a, %b {attrs} : types`, or nothing.
pub(super) fn parse_yield(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_opt_attr_dict(spec)?;
    let operands = p.parse_operand_list(Delimiter::None)?;
    if operands.is_empty() {
        return Ok(());
    }
    let types = p.parse_colon_type_list()?;
    p.resolve_each(&operands, &types, p.name_loc(), spec)
}

pub(super) fn print_yield(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.opt_attr_dict(ir, op, &[]);
    if !ir.operands(op).is_empty() {
        p.text(" ");
        p.values(ir.operands(op));
        p.text(" : ");
        p.types_of(ir, ir.operands(op));
    }
}
