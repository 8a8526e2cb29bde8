//! `affine.parallel`: iterations over a box that may run at the same time,
//! with reductions.

use super::compose::MapAndOperands;
use super::validity::verify_dims_and_symbols;
use super::{YIELD, map_of};
use crate::dialects::memref::AtomicRmwKind;
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::builder::Builder;
use crate::ir::constraints::{self, ANY, INDEX};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{Bound, LoopBounds, LoopInterface};
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, Generic22, OpDef, OpError, Pattern, Traits, ValueSpec,
};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{Type, TypeKind};

static REDUCTIONS_ATTR: AttrConstraint = AttrConstraint {
    description: "Reduction ops",
    accepts: |context, attr| context.attr_array(attr).is_some(),
    ..AttrConstraint::BASE
};
static GROUPS_ATTR: AttrConstraint = AttrConstraint {
    description: "32-bit signless integer elements attribute",
    accepts: |context, attr| groups_in(context, attr).is_some(),
    ..AttrConstraint::BASE
};
static STEPS_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit integer array attribute",
    accepts: |context, attr| i64_elements(context, attr).is_some(),
    ..AttrConstraint::BASE
};

/// `affine.parallel`
pub static PARALLEL: OpDef = OpDef {
    name: "affine.parallel",
    traits: Traits::RECURSIVE_EFFECTS
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .and(Traits::PARALLEL),
    operands: &[ValueSpec::variadic("mapOperands", &INDEX)],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[
        AttrSpec::required(Name::REDUCTIONS, &REDUCTIONS_ATTR),
        AttrSpec::required(Name::LOWER_BOUNDS_MAP, &constraints::AFFINE_MAP_ATTR),
        AttrSpec::required(Name::LOWER_BOUNDS_GROUPS, &GROUPS_ATTR),
        AttrSpec::required(Name::UPPER_BOUNDS_MAP, &constraints::AFFINE_MAP_ATTR),
        AttrSpec::required(Name::UPPER_BOUNDS_GROUPS, &GROUPS_ATTR),
        AttrSpec::required(Name::STEPS, &STEPS_ATTR),
    ],
    generic_22: Generic22 {
        attr: Some(
            |context, name, attr, to_22| match name == Name::REDUCTIONS {
                true => AtomicRmwKind::in_22(context, attr, to_22),
                false => attr,
            },
        ),
        ..Generic22::NOTHING
    },
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    canonicalize: &[Pattern {
        name: "affine-parallel-bounds",
        apply: canonicalize_bounds,
    }],
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| ir.block_args(Parallel(op).body(ir)).into(),
        bounds: |ir, op| {
            let view = Parallel(op);
            view.steps(ir)
                .into_iter()
                .enumerate()
                .map(|(i, step)| view.constant_bounds(ir, i, step))
                .collect()
        },
    }),
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

/// A view of `affine.parallel`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parallel(pub Op);

impl Parallel {
    /// The view of `op`, if it is this operation.
    pub fn cast(ir: &Ir, op: Op) -> Option<Self> {
        ir.is(op, &PARALLEL).then_some(Self(op))
    }

    /// The block that repeats; its arguments are the induction variables.
    pub fn body(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified loop has a body")
    }

    /// The steps, one per induction variable.
    pub fn steps(self, ir: &Ir) -> Vec<i64> {
        ir.attr(self.0, Name::STEPS)
            .and_then(|attr| i64_elements(ir.context(), attr))
            .unwrap_or_default()
    }

    /// How results are combined over iterations.
    pub fn reductions(self, ir: &Ir) -> Vec<AtomicRmwKind> {
        let context = ir.context();
        let kinds = ir
            .attr(self.0, Name::REDUCTIONS)
            .and_then(|attr| context.attr_array(attr))
            .unwrap_or_default();
        kinds
            .iter()
            .filter_map(|&kind| AtomicRmwKind::from_value(context.attr_integer(kind)?))
            .collect()
    }

    fn bounds(self, ir: &Ir, is_lower: bool) -> (&AffineMap, Vec<usize>, &[Value]) {
        let (map, groups) = bound_names(is_lower);
        let map_of = |name| map_of(ir, self.0, name).expect("a verified loop has bounds");
        let lower = map_of(Name::LOWER_BOUNDS_MAP);
        let n_lower = (lower.n_dims + lower.n_symbols) as usize;
        let operands = ir.operands(self.0);
        let (lower_operands, upper_operands) = operands.split_at(n_lower.min(operands.len()));
        let groups = ir
            .attr(self.0, groups)
            .and_then(|attr| groups_in(ir.context(), attr))
            .unwrap_or_default();
        let operands = if is_lower {
            lower_operands
        } else {
            upper_operands
        };
        (map_of(map), groups, operands)
    }

    fn bound(self, ir: &Ir, index: usize, is_lower: bool) -> MapAndOperands {
        let (map, groups, operands) = self.bounds(ir, is_lower);
        let start: usize = groups[..index].iter().sum();
        let map = AffineMap {
            results: map.results[start..start + groups[index]].to_vec(),
            ..*map
        };
        MapAndOperands::new(map, operands)
    }

    /// Induction variable `index` starts at the largest result of this map.
    pub fn lower_bound(self, ir: &Ir, index: usize) -> MapAndOperands {
        self.bound(ir, index, true)
    }

    /// Induction variable `index` stays below the smallest result of this map.
    pub fn upper_bound(self, ir: &Ir, index: usize) -> MapAndOperands {
        self.bound(ir, index, false)
    }

    fn constant_bounds(self, ir: &Ir, index: usize, step: i64) -> Option<LoopBounds> {
        let low = self.lower_bound(ir, index).map.single_constant()?;
        let high = self.upper_bound(ir, index).map.single_constant()?;
        Some((
            Bound::Constant(low),
            Bound::Constant(high),
            Bound::Constant(step),
        ))
    }
}

/// Names of the map and of the groups.
fn bound_names(is_lower: bool) -> (Name, Name) {
    if is_lower {
        (Name::LOWER_BOUNDS_MAP, Name::LOWER_BOUNDS_GROUPS)
    } else {
        (Name::UPPER_BOUNDS_MAP, Name::UPPER_BOUNDS_GROUPS)
    }
}

/// The elements of an array of i64 attributes.
fn i64_elements(context: &Context, attr: Attr) -> Option<Vec<i64>> {
    context
        .attr_array(attr)?
        .iter()
        .map(|&element| match context.attr_kind(element) {
            AttrKind::Integer { ty, value } if *ty == Type::I64 => i64::try_from(*value).ok(),
            _ => None,
        })
        .collect()
}

/// The numbers of results per bound, from `dense<...> : tensor<nxi32>`.
fn groups_in(context: &Context, attr: Attr) -> Option<Vec<usize>> {
    let dense = context.attr_dense(attr)?;
    if context.element_type_or_self(dense.ty) != Type::I32 {
        return None;
    }
    let read = |bytes: &[u8; 4]| i32::from_le_bytes(*bytes).max(0) as usize;
    let groups: Vec<usize> = dense.bytes.as_chunks().0.iter().map(read).collect();
    if dense.splat {
        let n: i64 = context.shape(dense.ty)?.iter().product();
        return Some(vec![*groups.first()?; usize::try_from(n).ok()?]);
    }
    Some(groups)
}

fn groups_attr(context: &Context, groups: &[usize]) -> Attr {
    let ty = context.intern_type(TypeKind::RankedTensor {
        shape: [groups.len() as i64].into(),
        element: Type::I32,
        encoding: None,
    });
    let splat = groups.windows(2).all(|pair| pair[0] == pair[1]) && !groups.is_empty();
    let stored = if splat { &groups[..1] } else { groups };
    let bytes = stored
        .iter()
        .flat_map(|&size| (size as i32).to_le_bytes())
        .collect();
    context.intern_attr(AttrKind::DenseElements(DenseElements { ty, splat, bytes }))
}

/// Values of one kind, each once, as they are met.
#[derive(Default)]
struct Distinct {
    values: Vec<Value>,
}

impl Distinct {
    /// Looks operands up and returns their positions in the list.
    fn resolve(
        &mut self,
        p: &mut dyn OpAsmParser<'_>,
        operands: &[UnresolvedOperand],
    ) -> Result<Vec<u32>, Failed> {
        let mut positions = Vec::new();
        for operand in operands {
            let value = p.resolve_value(operand, Type::INDEX)?;
            let position = self.values.iter().position(|&v| v == value);
            positions.push(position.unwrap_or(self.values.len()) as u32);
            if position.is_none() {
                self.values.push(value);
            }
        }
        Ok(positions)
    }
}

/// `(expr, max(expr, expr), ...)`
fn parse_bounds(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    is_lower: bool,
) -> Result<(), Failed> {
    let (map_name, groups_name) = bound_names(is_lower);
    let keyword = if is_lower { "max" } else { "min" };
    let (mut dims, mut symbols) = (Distinct::default(), Distinct::default());
    let (mut results, mut groups) = (Vec::new(), Vec::new());
    p.parse_list(Delimiter::Paren, &mut |p| {
        let (map, map_dims, map_symbols) = if p.parse_opt_keyword(keyword) {
            p.parse_affine_map_of_ssa_ids(Delimiter::Paren)?
        } else {
            p.parse_affine_expr_of_ssa_ids()?
        };
        let new_dims = dims.resolve(p, &map_dims)?;
        let new_dims: Vec<AffineExpr> = new_dims.into_iter().map(AffineExpr::Dim).collect();
        let new_symbols = symbols.resolve(p, &map_symbols)?;
        let new_symbols: Vec<AffineExpr> =
            new_symbols.into_iter().map(AffineExpr::Symbol).collect();
        groups.push(map.results.len());
        results.extend(
            map.results
                .iter()
                .map(|result| result.replace(&new_dims, &new_symbols)),
        );
        Ok(())
    })?;
    let map = AffineMap {
        n_dims: dims.values.len() as u32,
        n_symbols: symbols.values.len() as u32,
        results,
    };
    spec.operands.extend(dims.values);
    spec.operands.extend(symbols.values);
    let context = p.context();
    spec.set_attr(map_name, context.affine_map_attr(map));
    spec.set_attr(groups_name, groups_attr(context, &groups));
    Ok(())
}

/// `(%i, %j) = (bounds) to (bounds) step (1, 2) reduce ("addf") -> (f32) { ... } {attrs}`
fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mut arguments = p.parse_argument_list(Delimiter::Paren, false, false)?;
    p.parse_token("=")?;
    parse_bounds(p, spec, true)?;
    p.parse_keyword("to")?;
    parse_bounds(p, spec, false)?;
    let mut steps = vec![1; arguments.len()];
    if p.parse_opt_keyword("step") {
        let (map, ..) = p.parse_affine_map_of_ssa_ids(Delimiter::Paren)?;
        let numbers: Option<Vec<i64>> = map.results.iter().map(AffineExpr::as_constant).collect();
        steps = match numbers {
            Some(numbers) => numbers,
            None => return Err(p.error(p.name_loc(), "steps must be constant integers")),
        };
    }
    let mut reductions = Vec::new();
    if p.parse_opt_keyword("reduce") {
        p.parse_list(Delimiter::Paren, &mut |p| {
            let loc = p.loc();
            let text = p.parse_string()?;
            match AtomicRmwKind::from_keyword(&text) {
                Some(kind) => {
                    reductions.push(p.context().i64_attr(kind as i64));
                    Ok(())
                }
                None => Err(p.error(loc, format!("invalid reduction value: \"{text}\""))),
            }
        })?;
    }
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    let context = p.context();
    let steps: Vec<Attr> = steps.iter().map(|&step| context.i64_attr(step)).collect();
    spec.set_attr(Name::STEPS, context.array_attr(&steps));
    spec.set_attr(Name::REDUCTIONS, context.array_attr(&reductions));
    for argument in &mut arguments {
        argument.ty = Type::INDEX;
    }
    p.parse_region(&arguments, spec)?;
    p.parse_opt_attr_dict(spec)
}

fn print_bounds(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, is_lower: bool) {
    let (map, groups, operands) = Parallel(op).bounds(ir, is_lower);
    let mut start = 0;
    for (i, &size) in groups.iter().enumerate() {
        p.text(if i == 0 { "" } else { ", " });
        let end = (start + size).min(map.results.len());
        let part = AffineMap {
            results: map.results[start..end].to_vec(),
            ..*map
        };
        start = end;
        if size == 1 {
            p.affine_map_of_ssa_ids(&part, operands);
        } else {
            p.text(if is_lower { "max(" } else { "min(" });
            p.affine_map_of_ssa_ids(&part, operands);
            p.text(")");
        }
    }
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = Parallel(op);
    p.text(" (");
    p.values(ir.block_args(view.body(ir)));
    p.text(") = (");
    print_bounds(p, ir, op, true);
    p.text(") to (");
    print_bounds(p, ir, op, false);
    p.text(")");
    let steps = view.steps(ir);
    if steps.iter().any(|&step| step != 1) {
        let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
        p.text(&format!(" step ({})", steps.join(", ")));
    }
    let has_results = !ir.results(op).is_empty();
    if has_results {
        p.text(" reduce (");
        for (i, kind) in view.reductions(ir).into_iter().enumerate() {
            p.text(if i == 0 { "" } else { ", " });
            p.string(kind.keyword());
        }
        p.text(") -> (");
        p.types_of(ir, ir.results(op));
        p.text(")");
    }
    p.text(" ");
    p.region(ir, ir.region(op, 0), false, has_results);
    let names = [
        Name::REDUCTIONS,
        Name::LOWER_BOUNDS_MAP,
        Name::LOWER_BOUNDS_GROUPS,
        Name::UPPER_BOUNDS_MAP,
        Name::UPPER_BOUNDS_GROUPS,
        Name::STEPS,
    ];
    p.opt_attr_dict(ir, op, &names);
}

/// Whether values of type `ty` can be reduced in this way, as upstream's
/// verifier sees it.
fn reduces(context: &Context, kind: AtomicRmwKind, ty: Type) -> bool {
    let is_float = context.float_kind(ty).is_some();
    let signedness = match context.type_kind(ty) {
        TypeKind::Integer { signedness, .. } => Some(*signedness),
        _ => None,
    };
    use crate::ir::types::Signedness;
    match kind.keyword() {
        "assign" => true,
        "addf" | "mulf" | "maximumf" | "minimumf" => is_float,
        "addi" | "muli" | "ori" | "xori" | "andi" => signedness.is_some(),
        "maxs" | "mins" => signedness == Some(Signedness::Signed),
        "maxu" | "minu" => signedness == Some(Signedness::Unsigned),
        _ => false,
    }
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = Parallel(op);
    let context = ir.context();
    let n_arguments = match ir.entry_block(ir.region(op, 0)) {
        Some(body) => ir.block_args(body).len(),
        None => {
            return Err(
                "region #0 ('region') failed to verify constraint: region with 1 blocks".into(),
            );
        }
    };
    let (lower_map, lower_groups, lower_operands) = view.bounds(ir, true);
    let (upper_map, upper_groups, upper_operands) = view.bounds(ir, false);
    let n = view.steps(ir).len();
    if lower_groups.len() != n || upper_groups.len() != n || n_arguments != n {
        return Err(OpError::from(format!(
            "the number of region arguments ({n_arguments}) and the number of map groups for lower ({}) and upper bound ({}), and the number of steps ({n}) must all match",
            lower_groups.len(),
            upper_groups.len(),
        )));
    }
    for (map, groups, which) in [
        (lower_map, &lower_groups, "lower"),
        (upper_map, &upper_groups, "upper"),
    ] {
        let expected: usize = groups.iter().sum();
        if expected != map.results.len() {
            return Err(OpError::from(format!(
                "expected {which} bounds map to have {expected} results"
            )));
        }
    }
    let kinds = ir
        .attr(op, Name::REDUCTIONS)
        .and_then(|attr| context.attr_array(attr))
        .unwrap_or_default();
    if kinds.len() != ir.results(op).len() {
        return Err("a reduction must be specified for each output".into());
    }
    for (&kind, &result) in kinds.iter().zip(ir.results(op)) {
        let kind = context
            .attr_integer(kind)
            .and_then(AtomicRmwKind::from_value);
        let Some(kind) = kind else {
            return Err("invalid reduction attribute".into());
        };
        if !reduces(context, kind, ir.value_type(result)) {
            return Err("result type cannot match reduction attribute".into());
        }
    }
    for (map, operands) in [(lower_map, lower_operands), (upper_map, upper_operands)] {
        if (map.n_dims + map.n_symbols) as usize != operands.len() {
            return Err(
                "operand count and affine map dimension and symbol count must match".into(),
            );
        }
        verify_dims_and_symbols(ir, operands, map.n_dims)?;
    }
    Ok(())
}

/// Composes what defines the bounds' operands into their maps.
fn canonicalize_bounds(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let bounds = [true, false].map(|is_lower| {
        let (map, _, operands) = Parallel(op).bounds(rw.ir, is_lower);
        let old = MapAndOperands::new(map.clone(), operands);
        let new = old.canonical(rw.ir);
        (old != new, new)
    });
    let [(lower_changed, lower), (upper_changed, upper)] = bounds;
    if !lower_changed && !upper_changed {
        return false;
    }
    let context = rw.ir.context().clone();
    let mut operands = lower.operands;
    operands.extend(upper.operands);
    rw.set_operands(op, &operands);
    rw.set_attr(
        op,
        Name::LOWER_BOUNDS_MAP,
        context.affine_map_attr(lower.map),
    );
    rw.set_attr(
        op,
        Name::UPPER_BOUNDS_MAP,
        context.affine_map_attr(upper.map),
    );
    true
}

/// Inserts an `affine.parallel` with one counter and an empty body, which is terminated unless it combines values.
pub fn build_parallel(
    builder: &mut Builder<'_>,
    lower: &MapAndOperands,
    upper: &MapAndOperands,
    step: i64,
    reductions: &[(AtomicRmwKind, Type)],
) -> Op {
    let context = builder.context();
    let map = |bound: &MapAndOperands| context.affine_map_attr(bound.map.clone());
    let (kinds, results): (Vec<_>, Vec<_>) = (reductions.iter())
        .map(|&(kind, ty)| (context.i64_attr(kind.value()), ty))
        .unzip();
    let spec = builder
        .spec(&PARALLEL)
        .operands(&lower.operands)
        .operands(&upper.operands)
        .results(&results)
        .attr(Name::REDUCTIONS, context.array_attr(&kinds))
        .attr(Name::LOWER_BOUNDS_MAP, map(lower))
        .attr(
            Name::LOWER_BOUNDS_GROUPS,
            groups_attr(&context, &[lower.map.results.len()]),
        )
        .attr(Name::UPPER_BOUNDS_MAP, map(upper))
        .attr(
            Name::UPPER_BOUNDS_GROUPS,
            groups_attr(&context, &[upper.map.results.len()]),
        )
        .attr(Name::STEPS, context.array_attr(&[context.i64_attr(step)]))
        .regions(1);
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    let body = builder.ir.append_block(region, &[Type::INDEX]);
    if reductions.is_empty() {
        let mut inner = builder.inside(body);
        inner.op(&YIELD, &[], &[]);
    }
    op
}
