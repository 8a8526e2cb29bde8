//! Custom forms of structured operations.

use smallvec::SmallVec;

use super::attributes::{IteratorType, i64_array};
use super::body::{BodyAttrs, UnsupportedTypes, build_body};
use super::interface::{body, has_own_maps, inputs, n_inputs, outputs};
use super::named::named_op;
use super::{MAP, REDUCE, TRANSPOSE, YIELD};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builder::Builder;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::OpDef;
use crate::ir::types::{MemRefType, Type, TypeKind};
use crate::ir::version::MlirVersion;

/// The types behind `ins` and `outs`.
pub(super) struct Types {
    pub(super) inputs: Vec<Type>,
    pub(super) outputs: Vec<Type>,
}

impl Types {
    /// The types of the body's arguments.
    pub(super) fn arguments(&self, context: &Context) -> Vec<Type> {
        let all = self.inputs.iter().chain(&self.outputs);
        all.map(|&ty| element_of(context, ty)).collect()
    }
}

/// The elements of a ranked tensor or memref; other types are themselves.
fn element_of(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { element, .. } | TypeKind::MemRef(MemRefType { element, .. }) => {
            *element
        }
        _ => ty,
    }
}

/// `keyword(%a, %b : type, type)` if it is next.
fn parse_operands(
    p: &mut dyn OpAsmParser<'_>,
    keyword: &'static str,
    spec: &mut OpSpec,
) -> Result<Vec<Type>, Failed> {
    if !p.parse_opt_keyword(keyword) {
        return Ok(Vec::new());
    }
    p.parse_token("(")?;
    let loc = p.loc();
    let operands = p.parse_operand_list(Delimiter::None)?;
    let types = p.parse_colon_type_list()?;
    p.parse_token(")")?;
    p.resolve_each(&operands, &types, loc, spec)?;
    Ok(types)
}

/// `indexing_maps = [...]`, as MLIR 22 writes it in front of operands.
pub(super) fn parse_opt_maps(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
    if !p.parse_opt_keyword("indexing_maps") {
        return Ok(None);
    }
    p.parse_token("=")?;
    p.parse_attr(None).map(Some)
}

/// `<{properties}> {attrs} ins(...) outs(...)`
pub(super) fn parse_ins_and_outs(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    segments: bool,
) -> Result<Types, Failed> {
    p.parse_opt_properties(spec)?;
    p.parse_opt_attr_dict(spec)?;
    let inputs = parse_operands(p, "ins", spec)?;
    let outputs = parse_operands(p, "outs", spec)?;
    if segments {
        let sizes = [inputs.len() as i32, outputs.len() as i32];
        let attr = p.context().i32_array_attr(&sizes);
        spec.set_attr(Name::OPERAND_SEGMENT_SIZES, attr);
    }
    Ok(Types { inputs, outputs })
}

/// ` ins(%a, %b : type, type) outs(%c : type)`
fn print_ins_and_outs(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    for (keyword, operands) in [(" ins(", inputs(ir, op)), (" outs(", outputs(ir, op))] {
        if !operands.is_empty() {
            p.text(keyword);
            p.values(operands);
            p.text(" : ");
            p.types_of(ir, operands);
            p.text(")");
        }
    }
}

fn print_result_types(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let types: SmallVec<[Type; 2]> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    p.opt_arrow_types(&types);
}

/// `{attrs} ins(...) outs(...) -> types`; the body is implied.
pub(super) fn parse_named(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if let Some(maps) = parse_opt_maps(p)? {
        p.context().note_version(MlirVersion::V22);
        spec.set_attr(Name::MEMOIZED_INDEXING_MAPS, maps);
    }
    let types = parse_ins_and_outs(p, spec, true)?;
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    let named = named_op(spec.def).expect("rows of named operations are described");
    let arguments = types.arguments(p.context());
    if arguments.len() != named.indices.n_inputs() + 1 {
        let message = format!(
            "[parseNamedStructuredOpRegion] ods-gen generated region expects {} args, got {}",
            named.indices.n_inputs() + 1,
            arguments.len()
        );
        return Err(p.error(p.loc(), message));
    }
    let attrs = BodyAttrs {
        cast: spec.get_attr(Name::CAST),
        fun: spec.get_attr(Name::FUN),
    };
    let mut built = Ok(());
    p.add_synthesized_region(&arguments, spec, &mut |ir, block| {
        built = build_body(ir, block, named.body, attrs, Loc::UNKNOWN);
    });
    // Upstream crashes here.
    built.map_err(|UnsupportedTypes| p.error(p.name_loc(), "unsupported non numeric type"))
}

/// Prints what [`parse_named`] reads.
pub(super) fn print_named(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let hidden = [Name::OPERAND_SEGMENT_SIZES, Name::MEMOIZED_INDEXING_MAPS];
    // Maps that say the same as the name are left out.
    let n_hidden = match has_own_maps(ir, op) {
        true if p.mlir_version() == MlirVersion::V22 => {
            p.text(" indexing_maps = ");
            if let Some(maps) = ir.attr(op, Name::MEMOIZED_INDEXING_MAPS) {
                p.attr(maps);
            }
            2
        }
        true => 1,
        false => 2,
    };
    p.opt_attr_dict(ir, op, &hidden[..n_hidden]);
    print_ins_and_outs(p, ir, op);
    print_result_types(p, ir, op);
}

/// The attributes of `linalg.generic` that stand in front.
const TRAIT_ATTRS: [Name; 4] = [
    Name::DOC,
    Name::INDEXING_MAPS,
    Name::ITERATOR_TYPES,
    Name::LIBRARY_CALL,
];

/// `{indexing_maps = ..., iterator_types = ...} ins(...) outs(...) attrs = {...} { ... } -> types`
pub(super) fn parse_generic(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = p.loc();
    let dict = p.parse_attr(None)?;
    let context = p.context();
    let AttrKind::Dictionary(dict) = context.attr_kind(dict) else {
        return Err(p.error(loc, "invalid kind of attribute specified"));
    };
    for &(name, attr) in context.dict(*dict) {
        spec.set_attr(name, attr);
    }
    let iterators = spec
        .get_attr(Name::ITERATOR_TYPES)
        .and_then(|attr| context.attr_array(attr));
    let Some(iterators) = iterators else {
        return Err(p.error(loc, "expected \"iterator_types\" array attribute"));
    };
    let mut types = Vec::new();
    for &iterator in iterators {
        let Some(keyword) = context.attr_string(iterator) else {
            types.push(iterator);
            continue;
        };
        match IteratorType::from_keyword(keyword) {
            Some(ty) => types.push(ty.to_attr(context)),
            None => {
                let message = format!("unexpected iterator_type ({keyword})");
                return Err(p.error(p.loc(), message));
            }
        }
    }
    spec.set_attr(Name::ITERATOR_TYPES, context.array_attr(&types));
    parse_ins_and_outs(p, spec, true)?;
    if p.parse_opt_keyword("attrs") {
        p.parse_token("=")?;
        p.parse_opt_attr_dict(spec)?;
    }
    p.parse_region(&[], spec)?;
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    Ok(())
}

/// Prints what [`parse_generic`] reads.
pub(super) fn print_generic(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let mut traits: SmallVec<[(Name, Attr); 4]> = SmallVec::new();
    let mut has_others = false;
    for &(name, attr) in context.dict(ir.attrs(op)) {
        if name == Name::ITERATOR_TYPES {
            let keywords: Vec<Attr> = context
                .attr_array(attr)
                .unwrap_or_default()
                .iter()
                .map(|&ty| match IteratorType::from_attr(context, ty) {
                    Some(ty) => context.string_attr(ty.keyword()),
                    None => ty,
                })
                .collect();
            traits.push((name, context.array_attr(&keywords)));
        } else if TRAIT_ATTRS.contains(&name) {
            traits.push((name, attr));
        } else if name != Name::OPERAND_SEGMENT_SIZES {
            has_others = true;
        }
    }
    p.text(" ");
    if !traits.is_empty() {
        p.dict(&traits);
    }
    print_ins_and_outs(p, ir, op);
    if has_others {
        let mut except: SmallVec<[Name; 5]> = TRAIT_ATTRS.as_slice().into();
        except.push(Name::OPERAND_SEGMENT_SIZES);
        p.text(" attrs = ");
        p.opt_attr_dict(ir, op, &except);
    }
    if let Some(&region) = ir.regions(op).first()
        && ir.entry_block(region).is_some()
    {
        p.text(" ");
        p.region(ir, region, true, true);
    }
    print_result_types(p, ir, op);
}

/// The operation in `{ arith.addf {attrs} }`, in front of `linalg.map` and
/// `linalg.reduce`.
struct Payload {
    name: Name,
    attrs: Vec<(Name, Attr)>,
}

fn parse_opt_payload(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Payload>, Failed> {
    if !p.parse_opt_token("{") {
        return Ok(None);
    }
    let name = p.parse_op_name()?;
    // A specification is only the place to read attributes into.
    let mut attrs = OpSpec::new(&YIELD, p.loc());
    p.parse_opt_attr_dict(&mut attrs)?;
    p.parse_token("}")?;
    Ok(Some(Payload {
        name,
        attrs: attrs.attrs,
    }))
}

/// `ins(...) outs(...) name = [numbers] {attrs}`, with results for tensors.
fn parse_destination_style(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    numbers: Option<(Name, &'static str)>,
) -> Result<Types, Failed> {
    let segments = spec.def.has_operand_segments();
    let types = parse_ins_and_outs(p, spec, segments)?;
    let context = p.context();
    let is_tensor = |ty: &Type| matches!(context.type_kind(*ty), TypeKind::RankedTensor { .. });
    spec.results
        .extend(types.outputs.iter().copied().filter(is_tensor));
    if let Some((name, keyword)) = numbers {
        p.parse_keyword(keyword)?;
        p.parse_token("=")?;
        let values = p.parse_integer_list()?;
        spec.set_attr(name, p.context().i64_array_attr(&values));
    }
    p.parse_opt_attr_dict(spec)?;
    Ok(types)
}

/// The body that a payload stands for, or one that is written out.
fn parse_body(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    payload: Option<Payload>,
    arguments: &[Type],
    result: Option<Type>,
    init_first: bool,
) -> Result<(), Failed> {
    let Some(payload) = payload else {
        let n_known = arguments.len();
        let arguments = p.parse_argument_list(Delimiter::Paren, true, true)?;
        // A map that sees its output.
        if arguments.len() == n_known + 1 {
            p.context().note_version(MlirVersion::V22);
        }
        return p.parse_region(&arguments, spec);
    };
    let context = p.context();
    let text = context.name(payload.name);
    let def = match context.op_def(text) {
        Some(def) => def,
        None if context.allows_unregistered_dialects() => &crate::ir::op_def::UNREGISTERED,
        None => {
            let message = format!("payload operation '{text}' is not registered");
            return Err(p.error(p.name_loc(), message));
        }
    };
    // Terminators and operations with regions are no payload.
    if def.traits.contains(crate::ir::op_def::Traits::TERMINATOR) || def.regions.0 > 0 {
        let message = format!("'{text}' cannot be a payload operation");
        return Err(p.error(p.name_loc(), message));
    }
    let loc = p.name_loc();
    p.add_synthesized_region(arguments, spec, &mut |ir, block| {
        build_payload(ir, block, def, &payload, result, init_first, loc);
    });
    Ok(())
}

fn build_payload(
    ir: &mut Ir,
    block: Block,
    def: &'static OpDef,
    payload: &Payload,
    result: Option<Type>,
    init_first: bool,
    loc: Loc,
) {
    let mut operands: SmallVec<[Value; 4]> = ir.block_args(block).into();
    if init_first {
        operands.rotate_right(1);
    }
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    let mut inner = builder.spec(def).operands(&operands);
    inner.unregistered_name = payload.name;
    inner.attrs.clone_from(&payload.attrs);
    inner.results.extend(result);
    let op = builder.create(inner);
    let results: SmallVec<[Value; 1]> = builder.ir.results(op).into();
    builder.op(&YIELD, &results, &[]);
}

/// The only operation of a body, if that is all there is to it: applied to the
/// arguments in order, and yielded.
fn find_payload(ir: &Ir, op: Op, init_first: bool) -> Option<Op> {
    let block = body(ir, op)?;
    let payload = ir.first_op(block)?;
    let yield_op = ir.next_op(payload).filter(|&op| ir.is(op, &YIELD))?;
    let (operands, arguments) = (ir.operands(payload), needed_arguments(ir, op, block));
    // Written so, a map does not see its output.
    let sees_output = ir.is(op, &MAP) && arguments.len() != n_inputs(ir, op);
    if operands.is_empty() || operands.len() != arguments.len() || sees_output {
        return None;
    }
    let in_order = if init_first {
        operands.last() == arguments.first() && operands[..operands.len() - 1] == arguments[1..]
    } else {
        operands == arguments
    };
    let is_plain = ir.regions(payload).is_empty()
        && ir.results(payload).len() == 1
        && ir.operands(yield_op) == ir.results(payload)
        && ir.successors(payload).is_empty();
    let output = *outputs(ir, op).last()?;
    let output_type = super::interface::element_type(ir, output);
    let mut results = ir.results(payload).iter();
    let has_type_of_output = results.all(|&result| ir.value_type(result) == output_type);
    (in_order && is_plain && has_type_of_output).then_some(payload)
}

/// The arguments of the body of a map or reduction, without that for the output of a map if it is unused.
fn needed_arguments(ir: &Ir, op: Op, block: Block) -> &[Value] {
    let arguments = ir.block_args(block);
    match arguments.split_last() {
        Some((&output, inputs))
            if ir.is(op, &MAP) && inputs.len() == n_inputs(ir, op) && ir.has_no_uses(output) =>
        {
            inputs
        }
        _ => arguments,
    }
}

/// ` { arith.addf {attrs} }`
fn print_payload(p: &mut dyn OpAsmPrinter, ir: &Ir, payload: Op) {
    p.text(" { ");
    p.text(ir.op_name(payload));
    // Overflow flags are written even if they are none, as upstream has it.
    let context = ir.context();
    let mut entries = context.dict(ir.attrs(payload)).to_vec();
    for spec in ir.def(payload).attributes {
        if let Some(default) = spec.default
            && spec.name != Name::FASTMATH
            && !ir.has_attr(payload, spec.name)
        {
            entries.push((spec.name, default(context)));
        }
    }
    entries.sort_by(|a, b| context.name(a.0).cmp(context.name(b.0)));
    if !entries.is_empty() {
        p.text(" ");
        p.dict(&entries);
    }
    p.text(" }");
}

/// The body on lines of its own: `(%in: f32) { ... }`.
fn print_body(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let Some(block) = body(ir, op) else {
        return;
    };
    p.indented(&mut |p| {
        p.newline();
        p.text("(");
        let mut arguments = ir.block_args(block);
        if p.mlir_version() == MlirVersion::V19 {
            arguments = needed_arguments(ir, op, block);
        }
        for (i, &argument) in arguments.iter().enumerate() {
            p.text(if i == 0 { "" } else { ", " });
            p.region_argument(ir, argument);
        }
        p.text(") ");
        p.region(ir, ir.region(op, 0), false, true);
    });
}

/// `{ arith.addf } ins(...) outs(...) {attrs}` or `ins(...) outs(...) {attrs} (%in: f32) { ... }`
pub(super) fn parse_map(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let payload = parse_opt_payload(p)?;
    let types = parse_destination_style(p, spec, None)?;
    let context = p.context();
    let arguments: Vec<Type> = types
        .inputs
        .iter()
        .map(|&ty| element_of(context, ty))
        .collect();
    let result = types.outputs.last().map(|&ty| element_of(context, ty));
    parse_body(p, spec, payload, &arguments, result, false)
}

/// `{ arith.addf } ins(...) outs(...) dimensions = [1] {attrs}` or with a body
pub(super) fn parse_reduce(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let payload = parse_opt_payload(p)?;
    let numbers = Some((Name::DIMENSIONS, "dimensions"));
    let types = parse_destination_style(p, spec, numbers)?;
    let arguments = types.arguments(p.context());
    let result = arguments.last().copied();
    parse_body(p, spec, payload, &arguments, result, true)
}

/// ` name = [1, 2] `
fn print_numbers(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, name: Name, keyword: &str) {
    p.text(" ");
    p.text(keyword);
    p.text(" = ");
    p.integer_list(&i64_array(ir, op, name));
    p.text(" ");
}

/// Prints what [`parse_map`] and [`parse_reduce`] read.
pub(super) fn print_map_or_reduce(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let is_reduce = ir.is(op, &REDUCE);
    debug_assert!(is_reduce || ir.is(op, &MAP));
    let payload = find_payload(ir, op, is_reduce);
    if let Some(payload) = payload {
        print_payload(p, ir, payload);
    }
    print_ins_and_outs(p, ir, op);
    if is_reduce {
        print_numbers(p, ir, op, Name::DIMENSIONS, "dimensions");
    }
    p.opt_attr_dict(ir, op, &[Name::DIMENSIONS]);
    if payload.is_none() {
        print_body(p, ir, op);
    }
}

/// `ins(...) outs(...) permutation = [1, 0] {attrs}`, or `dimensions`
pub(super) fn parse_rearrangement(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let (name, keyword) = rearrangement_numbers(spec.def);
    let types = parse_destination_style(p, spec, Some((name, keyword)))?;
    let arguments = types.arguments(p.context());
    p.add_synthesized_region(&arguments, spec, &mut |ir, block| {
        let values: SmallVec<[Value; 1]> = ir.block_args(block).iter().copied().take(1).collect();
        Builder::at_end(ir, block).op(&YIELD, &values, &[]);
    });
    Ok(())
}

/// The attribute with the numbers of a transpose or broadcast.
fn rearrangement_numbers(def: &OpDef) -> (Name, &'static str) {
    if std::ptr::eq(def, &TRANSPOSE) {
        (Name::PERMUTATION, "permutation")
    } else {
        (Name::DIMENSIONS, "dimensions")
    }
}

/// Prints what [`parse_rearrangement`] reads.
pub(super) fn print_rearrangement(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let (name, keyword) = rearrangement_numbers(ir.def(op));
    print_ins_and_outs(p, ir, op);
    print_numbers(p, ir, op, name, keyword);
    p.opt_attr_dict(ir, op, &[name]);
}
