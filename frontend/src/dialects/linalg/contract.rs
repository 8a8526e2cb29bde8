//! `linalg.contract` and `linalg.elementwise`, which MLIR 22 has: both are
//! `linalg.generic` with a body that is known, and are read as such.

use super::attributes::{IteratorType, enum_attr};
use super::body::{BodyAttrs, build_body};
use super::named;
use super::named::named_op;
use super::{GENERIC, assembly};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::asm::OpAsmParser;
use crate::ir::attrs::Attr;
use crate::ir::constraints::{ANY, ANY_ATTR};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, ValueSpec};
use crate::ir::version::MlirVersion;

/// The rest of rows that are read as another operation.
const SUGAR: OpDef = OpDef {
    operands: &[
        ValueSpec::variadic("inputs", &ANY),
        ValueSpec::variadic("outputs", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (1, 1),
    normalize: Some(normalize),
    ..OpDef::BASE
};

/// In generic form the body is there, so only the reduction loops are missing. Without maps, the verifier of
/// `linalg.generic` reports the error.
fn normalize(context: &Context, spec: &mut OpSpec) {
    context.note_version(MlirVersion::V22);
    spec.def = &GENERIC;
    let maps = spec.get_attr(Name::INDEXING_MAPS);
    let maps = maps.and_then(|maps| context.attr_array(maps));
    if let Some(output) = maps.and_then(|maps| context.attr_affine_map(*maps.last()?)) {
        spec.set_attr(Name::ITERATOR_TYPES, iterators(context, output));
    }
    spec.attrs
        .retain(|&(name, _)| name != Name::CAST && name != Name::KIND);
}

/// Loops that the output has no dimension for reduce.
fn iterators(context: &Context, output: &AffineMap) -> Attr {
    let iterators: Vec<Attr> = (0..output.n_dims)
        .map(|dim| {
            let iterator = match output.results.contains(&AffineExpr::Dim(dim)) {
                true => IteratorType::Parallel,
                false => IteratorType::Reduction,
            };
            iterator.to_attr(context)
        })
        .collect();
    context.array_attr(&iterators)
}

/// `linalg.contract`: sums of products along the dimensions that the output lacks.
pub static CONTRACT: OpDef = OpDef {
    name: "linalg.contract",
    attributes: &[
        AttrSpec::required(Name::INDEXING_MAPS, &ANY_ATTR),
        AttrSpec::optional(Name::CAST, &ANY_ATTR),
    ],
    parse: Some(parse_contract),
    ..SUGAR
};

/// `linalg.elementwise`: a function of elements.
pub static ELEMENTWISE: OpDef = OpDef {
    name: "linalg.elementwise",
    attributes: &[
        AttrSpec::required(Name::KIND, &ANY_ATTR),
        AttrSpec::optional(Name::INDEXING_MAPS, &ANY_ATTR),
    ],
    parse: Some(parse_elementwise),
    ..SUGAR
};

/// `indexing_maps = [...] {cast} ins(...) outs(...) -> types`
fn parse_contract(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = p.loc();
    let Some(maps) = assembly::parse_opt_maps(p)? else {
        return Err(p.error(loc, "expected 'indexing_maps'"));
    };
    parse_generic_rest(p, spec, Some(maps), &named::MATMUL, BodyAttrs::default())
}

/// `kind=#linalg.elementwise_kind<add> indexing_maps = [...] ins(...) outs(...) -> types`
fn parse_elementwise(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_keyword("kind")?;
    p.parse_token("=")?;
    let loc = p.loc();
    let kind = p.parse_attr(None)?;
    let context = p.context();
    let keyword = super::attributes::enum_keyword(context, kind, "elementwise_kind");
    let (def, fun) = match keyword.unwrap_or_default() {
        "exp" | "log" | "abs" | "ceil" | "floor" | "negf" | "reciprocal" | "round" | "sqrt"
        | "rsqrt" | "square" | "tanh" | "erf" => (&named::ELEMWISE_UNARY, "unary_fn"),
        "add" | "sub" | "mul" | "div" | "div_unsigned" | "max_signed" | "min_signed"
        | "max_unsigned" | "min_unsigned" | "powf" => (&named::ELEMWISE_BINARY, "binary_fn"),
        "select" => (&named::SELECT, ""),
        _ => return Err(p.error(loc, "expected the kind of an elementwise operation")),
    };
    let attrs = BodyAttrs {
        cast: None,
        fun: (!fun.is_empty()).then(|| enum_attr(context, fun, keyword.unwrap_or_default())),
    };
    let maps = assembly::parse_opt_maps(p)?;
    parse_generic_rest(p, spec, maps, def, attrs)
}

/// Operands and results, and the body of `named`, which together are a `linalg.generic`. Without
/// `maps`, elements at equal positions belong together.
fn parse_generic_rest(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    maps: Option<Attr>,
    named: &'static OpDef,
    mut attrs: BodyAttrs,
) -> Result<(), Failed> {
    let loc = p.loc();
    let context = p.context();
    context.note_version(MlirVersion::V22);
    spec.def = &GENERIC;
    let types = assembly::parse_ins_and_outs(p, spec, true)?;
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    let named = named_op(named).expect("the row is described");
    if types.inputs.len() != named.indices.n_inputs() || types.outputs.len() != 1 {
        let message = format!(
            "expected {} inputs and one output",
            named.indices.n_inputs()
        );
        return Err(p.error(loc, message));
    }
    if let Some(cast) = spec.get_attr(Name::CAST) {
        attrs.cast = Some(cast);
        spec.attrs.retain(|&(name, _)| name != Name::CAST);
    }
    let maps = maps.unwrap_or_else(|| {
        let rank = context.shape(types.outputs[0]).map_or(0, <[i64]>::len);
        let map = context.affine_map_attr(AffineMap::identity(rank));
        context.array_attr(&vec![map; named.indices.n_inputs() + 1])
    });
    let parsed: Vec<_> = context
        .attr_array(maps)
        .unwrap_or_default()
        .iter()
        .filter_map(|&map| context.attr_affine_map(map))
        .collect();
    let Some(output) = parsed
        .last()
        .filter(|_| parsed.len() == named.indices.n_inputs() + 1)
    else {
        return Err(p.error(
            loc,
            format!("expected {} indexing maps", named.indices.n_inputs() + 1),
        ));
    };
    let iterators = iterators(context, output);
    spec.set_attr(Name::INDEXING_MAPS, maps);
    spec.set_attr(Name::ITERATOR_TYPES, iterators);
    let arguments = types.arguments(context);
    let mut built = Ok(());
    p.add_synthesized_region(&arguments, spec, &mut |ir, block| {
        built = build_body(ir, block, named.body, attrs, Loc::UNKNOWN);
    });
    built.map_err(|_| p.error(loc, "unsupported non numeric type"))
}
