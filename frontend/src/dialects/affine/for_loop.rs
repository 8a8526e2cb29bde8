//! `affine.for`: a loop from the largest of some affine expressions to the
//! smallest of others.

use smallvec::smallvec;

use super::apply::deciding_results;
use super::compose::MapAndOperands;
use super::validity::verify_dims_and_symbols;
use super::{YIELD, map_of, parse_dims_and_symbols, print_dims_and_symbols};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::asm::{Argument, OpAsmParser, OpAsmPrinter};
use crate::ir::builder::Builder;
use crate::ir::constraints::{self, ANY, INDEX};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{Bound, LoopBounds, LoopInterface, RegionBranchInterface, RegionPoint};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Pattern, Traits, ValueSpec};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;
use crate::op_view;

/// `affine.for`
pub static FOR: OpDef = OpDef {
    name: "affine.for",
    traits: Traits::RECURSIVE_EFFECTS
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    operands: &[
        ValueSpec::variadic("lowerBoundOperands", &INDEX),
        ValueSpec::variadic("upperBoundOperands", &INDEX),
        ValueSpec::variadic("inits", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[
        AttrSpec::required(Name::LOWER_BOUND_MAP, &constraints::AFFINE_MAP_ATTR),
        AttrSpec::required(Name::UPPER_BOUND_MAP, &constraints::AFFINE_MAP_ATTR),
        AttrSpec::required(Name::STEP, &constraints::INDEX_ATTR),
    ],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    canonicalize: &[
        Pattern {
            name: "affine-for-bounds",
            apply: canonicalize_bounds,
        },
        Pattern {
            name: "affine-for-trivial",
            apply: fold_trivial_loop,
        },
    ],
    region_branch: Some(&RegionBranchInterface {
        successors: |ir, op, from, out| {
            let trip_count = For(op).trip_count(ir);
            // An only iteration hands on what it yields as well: passes that have loops carry more values count on it.
            let (enters, leaves) = match (from, trip_count) {
                (RegionPoint::Parent, Some(0)) => (false, true),
                (RegionPoint::Parent, Some(_)) => (true, false),
                _ => (true, true),
            };
            out.extend(enters.then_some(RegionPoint::Region(0)));
            out.extend(leaves.then_some(RegionPoint::Parent));
        },
        entry_operands: |ir, op, _| ir.operand_group_range(op, 2),
        successor_inputs: |ir, op, to| match to {
            RegionPoint::Parent => 0..ir.results(op).len(),
            RegionPoint::Region(_) => 1..ir.block_args(For(op).body(ir)).len(),
        },
        forwarded_group: Some(2),
        is_repetitive: |_, _, _| true,
    }),
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| smallvec![For(op).induction_variable(ir)],
        bounds: |ir, op| Some(smallvec![loop_bounds(ir, op)?]),
    }),
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

op_view! {
    /// `affine.for`
    For, FOR { lower_bound_operands: many = 0, upper_bound_operands: many = 1, inits: many = 2 }
}

impl For {
    /// The block that repeats.
    pub fn body(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified loop has a body")
    }

    /// The value that counts the iterations.
    pub fn induction_variable(self, ir: &Ir) -> Value {
        ir.block_args(self.body(ir))[0]
    }

    /// What the body sees of the values carried from iteration to iteration.
    pub fn iter_args(self, ir: &Ir) -> &[Value] {
        &ir.block_args(self.body(ir))[1..]
    }

    /// The lower bound is the largest result of this map.
    pub fn lower_bound_map(self, ir: &Ir) -> &AffineMap {
        map_of(ir, self.0, Name::LOWER_BOUND_MAP).expect("a verified loop has bounds")
    }

    /// The upper bound (exclusive) is the smallest result of this map.
    pub fn upper_bound_map(self, ir: &Ir) -> &AffineMap {
        map_of(ir, self.0, Name::UPPER_BOUND_MAP).expect("a verified loop has bounds")
    }

    /// The step: positive in what the parser accepts.
    pub fn step(self, ir: &Ir) -> i64 {
        ir.attr(self.0, Name::STEP)
            .and_then(|attr| ir.context().attr_integer(attr))
            .and_then(|step| i64::try_from(step).ok())
            .unwrap_or(1)
    }

    /// The lower bound, if it is a number.
    pub fn constant_lower_bound(self, ir: &Ir) -> Option<i64> {
        map_of(ir, self.0, Name::LOWER_BOUND_MAP)?.single_constant()
    }

    /// The upper bound, if it is a number.
    pub fn constant_upper_bound(self, ir: &Ir) -> Option<i64> {
        map_of(ir, self.0, Name::UPPER_BOUND_MAP)?.single_constant()
    }

    /// The number of iterations, if both bounds are numbers.
    pub fn trip_count(self, ir: &Ir) -> Option<u64> {
        let low = i128::from(self.constant_lower_bound(ir)?);
        let high = i128::from(self.constant_upper_bound(ir)?);
        let step = i128::from(self.step(ir));
        if step <= 0 {
            return None;
        }
        u64::try_from(((high - low).max(0) + step - 1) / step).ok()
    }
}

/// Bounds as a pass wants them, where each is one number or one value.
fn loop_bounds(ir: &Ir, op: Op) -> Option<LoopBounds> {
    let view = For(op);
    let bound = |map: &AffineMap, operands: &[Value]| match &map.results[..] {
        [AffineExpr::Constant(value)] => Some(Bound::Constant(*value)),
        [AffineExpr::Dim(i)] => Some(Bound::Value(*operands.get(*i as usize)?)),
        [AffineExpr::Symbol(i)] => {
            let index = map.n_dims + i;
            Some(Bound::Value(*operands.get(index as usize)?))
        }
        _ => None,
    };
    Some((
        bound(view.lower_bound_map(ir), view.lower_bound_operands(ir))?,
        bound(view.upper_bound_map(ir), view.upper_bound_operands(ir))?,
        Bound::Constant(view.step(ir)),
    ))
}

/// Inserts an `affine.for` with an empty body, which is terminated if nothing
/// is carried from one iteration to the next.
pub fn build_for(
    builder: &mut Builder<'_>,
    lower_bound: &MapAndOperands,
    upper_bound: &MapAndOperands,
    step: i64,
    inits: &[Value],
) -> Op {
    let context = builder.context();
    let carried: Vec<Type> = inits.iter().map(|&v| builder.ir.value_type(v)).collect();
    let sizes =
        [&lower_bound.operands[..], &upper_bound.operands, inits].map(|group| group.len() as i32);
    let map = |bound: &MapAndOperands| context.affine_map_attr(bound.map.clone());
    let spec = builder
        .spec(&FOR)
        .operands(&lower_bound.operands)
        .operands(&upper_bound.operands)
        .operands(inits)
        .results(&carried)
        .attr(Name::LOWER_BOUND_MAP, map(lower_bound))
        .attr(Name::UPPER_BOUND_MAP, map(upper_bound))
        .attr(Name::STEP, context.index_attr(step))
        .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes))
        .regions(1);
    let op = builder.create(spec);
    let mut arguments = vec![Type::INDEX];
    arguments.extend(carried);
    let region = builder.ir.region(op, 0);
    let body = builder.ir.append_block(region, &arguments);
    if inits.is_empty() {
        let mut inner = builder.inside(body);
        inner.op(&YIELD, &[], &[]);
    }
    op
}

/// `%value`, `42`, `map(%dims)[%symbols]` or `max map(...)[...]`
fn parse_bound(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    is_lower: bool,
) -> Result<(), Failed> {
    let (name, prefix) = if is_lower {
        (Name::LOWER_BOUND_MAP, "max")
    } else {
        (Name::UPPER_BOUND_MAP, "min")
    };
    let has_prefix = p.parse_opt_keyword(prefix);
    if let Some(operand) = p.parse_opt_operand() {
        let operand = operand?;
        if p.parse_opt_token(",") {
            return Err(p.error(p.name_loc(), "expected only one loop bound operand"));
        }
        p.resolve(&operand, Type::INDEX, spec)?;
        let map = AffineMap {
            n_dims: 0,
            n_symbols: 1,
            results: vec![AffineExpr::Symbol(0)],
        };
        let attr = p.context().affine_map_attr(map);
        spec.set_attr(name, attr);
        return Ok(());
    }
    let loc = p.loc();
    let attr = p.parse_attr(Some(Type::INDEX))?;
    let context = p.context();
    if let Some(map) = context.attr_affine_map(attr) {
        let n_before = spec.operands.len();
        let n_dims = parse_dims_and_symbols(p, spec)?;
        if map.n_dims as usize != n_dims {
            let message = "dim operand count and affine map dim count must match";
            return Err(p.error(p.name_loc(), message));
        }
        if n_dims + map.n_symbols as usize != spec.operands.len() - n_before {
            let message = "symbol operand count and affine map symbol count must match";
            return Err(p.error(p.name_loc(), message));
        }
        if map.results.len() > 1 && !has_prefix {
            let which = if is_lower { "lower" } else { "upper" };
            return Err(p.error(
                loc,
                format!(
                    "{which} loop bound affine map with multiple results requires '{prefix}' prefix"
                ),
            ));
        }
        spec.set_attr(name, attr);
        return Ok(());
    }
    let number = context
        .attr_integer(attr)
        .and_then(|value| i64::try_from(value).ok());
    match number {
        Some(number) => {
            spec.set_attr(name, context.affine_map_attr(AffineMap::constant(number)));
            Ok(())
        }
        None => {
            let message = "expected valid affine map representation for loop bounds";
            Err(p.error(p.name_loc(), message))
        }
    }
}

/// `%i = bound to bound step 2 iter_args(%a = %init) -> (types) { ... } {attrs}`
fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mut induction_variable = p.parse_argument(false, false)?;
    induction_variable.ty = Type::INDEX;
    p.parse_token("=")?;
    parse_bound(p, spec, true)?;
    let n_lower = spec.operands.len();
    p.parse_keyword("to")?;
    parse_bound(p, spec, false)?;
    let n_upper = spec.operands.len() - n_lower;
    let mut step = p.context().index_attr(1);
    if p.parse_opt_keyword("step") {
        let loc = p.loc();
        step = p.parse_attr(Some(Type::INDEX))?;
        match p.context().attr_integer(step) {
            None => return Err(p.error(loc, "invalid kind of attribute specified")),
            Some(value) if value < 0 => {
                let message = "expected step to be representable as a positive signed integer";
                return Err(p.error(loc, message));
            }
            Some(_) => {}
        }
    }
    spec.set_attr(Name::STEP, step);

    let mut arguments: Vec<Argument> = vec![induction_variable];
    let mut n_inits = 0;
    if p.parse_opt_keyword("iter_args") {
        let (iter_args, inits) = p.parse_assignment_list()?;
        spec.results.extend(p.parse_arrow_type_list()?);
        n_inits = inits.len();
        let types = spec.results.clone();
        for ((mut argument, init), &ty) in iter_args.into_iter().zip(&inits).zip(&types) {
            argument.ty = ty;
            arguments.push(argument);
            p.resolve(init, ty, spec)?;
        }
    }
    if n_inits != spec.results.len() {
        let message = "mismatch between the number of loop-carried values and results";
        return Err(p.error(p.name_loc(), message));
    }
    let sizes = [n_lower, n_upper, n_inits].map(|n| n as i32);
    spec.set_attr(
        Name::OPERAND_SEGMENT_SIZES,
        p.context().i32_array_attr(&sizes),
    );
    p.parse_region(&arguments, spec)?;
    p.parse_opt_attr_dict(spec)
}

fn print_bound(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, name: Name, operands: &[Value]) {
    let (Some(map), Some(attr)) = (map_of(ir, op, name), ir.attr(op, name)) else {
        return;
    };
    match &map.results[..] {
        [AffineExpr::Constant(value)] if operands.is_empty() => {
            return p.text(&value.to_string());
        }
        [AffineExpr::Symbol(0)] if map.n_dims == 0 && operands.len() == 1 => {
            return p.value(operands[0]);
        }
        [_] => {}
        _ if name == Name::LOWER_BOUND_MAP => p.text("max "),
        _ => p.text("min "),
    }
    p.attr(attr);
    print_dims_and_symbols(p, operands, map.n_dims as usize);
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = For(op);
    p.text(" ");
    p.value(view.induction_variable(ir));
    p.text(" = ");
    print_bound(
        p,
        ir,
        op,
        Name::LOWER_BOUND_MAP,
        view.lower_bound_operands(ir),
    );
    p.text(" to ");
    print_bound(
        p,
        ir,
        op,
        Name::UPPER_BOUND_MAP,
        view.upper_bound_operands(ir),
    );
    if view.step(ir) != 1 {
        p.text(&format!(" step {}", view.step(ir)));
    }
    let inits = view.inits(ir);
    if !inits.is_empty() {
        p.text(" iter_args(");
        for (i, (&argument, &init)) in view.iter_args(ir).iter().zip(inits).enumerate() {
            p.text(if i == 0 { "" } else { ", " });
            p.value(argument);
            p.text(" = ");
            p.value(init);
        }
        p.text(") -> (");
        p.types_of(ir, ir.results(op));
        p.text(")");
    }
    p.text(" ");
    p.region(ir, ir.region(op, 0), false, !inits.is_empty());
    let names = [
        Name::LOWER_BOUND_MAP,
        Name::UPPER_BOUND_MAP,
        Name::STEP,
        Name::OPERAND_SEGMENT_SIZES,
    ];
    p.opt_attr_dict(ir, op, &names);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = For(op);
    let arguments = match ir.entry_block(ir.region(op, 0)) {
        Some(body) => ir.block_args(body),
        None => &[],
    };
    if arguments
        .first()
        .is_none_or(|&argument| ir.value_type(argument) != Type::INDEX)
    {
        return Err(
            "expected body to have a single index argument for the induction variable".into(),
        );
    }
    let bounds = [
        (Name::LOWER_BOUND_MAP, view.lower_bound_operands(ir)),
        (Name::UPPER_BOUND_MAP, view.upper_bound_operands(ir)),
    ];
    for (name, operands) in bounds {
        let Some(map) = map_of(ir, op, name) else {
            continue;
        };
        verify_dims_and_symbols(ir, operands, map.n_dims)?;
        // Upstream takes these two for granted and crashes later.
        if (map.n_dims + map.n_symbols) as usize != operands.len() {
            return Err(
                "operand count and affine map dimension and symbol count must match".into(),
            );
        }
        if map.results.is_empty() {
            return Err("expected bound maps to have at least one result".into());
        }
    }
    let (n_results, n_inits) = (ir.results(op).len(), view.inits(ir).len());
    if n_inits != n_results {
        return Err("mismatch between the number of loop-carried values and results".into());
    }
    if arguments.len() - 1 != n_results {
        return Err("mismatch between the number of basic block args and results".into());
    }
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    };
    if types(&arguments[1..]) != types(view.inits(ir))
        || types(ir.results(op)) != types(view.inits(ir))
    {
        return Err(
            "types mismatch between loop-carried values, results and body arguments".into(),
        );
    }
    Ok(())
}

/// One bound in canonical form.
fn canonical_bound(ir: &Ir, op: Op, is_lower: bool) -> (MapAndOperands, bool) {
    let view = For(op);
    let (map, operands) = if is_lower {
        (view.lower_bound_map(ir), view.lower_bound_operands(ir))
    } else {
        (view.upper_bound_map(ir), view.upper_bound_operands(ir))
    };
    let old = MapAndOperands::new(map.clone(), operands);
    let mut new = old.canonical(ir);
    let numbers: Option<Vec<i64>> = new
        .map
        .results
        .iter()
        .map(AffineExpr::as_constant)
        .collect();
    new.map.results = match numbers {
        Some(numbers) => {
            let decides = if is_lower {
                numbers.into_iter().max()
            } else {
                numbers.into_iter().min()
            };
            vec![AffineExpr::Constant(decides.unwrap_or(0))]
        }
        None => deciding_results(ir, &new, is_lower),
    };
    let changed = new != old;
    (new, changed)
}

/// Bounds in canonical form: applications composed in, constants folded,
/// results that never decide dropped.
fn canonicalize_bounds(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let (lower, lower_changed) = canonical_bound(rw.ir, op, true);
    let (upper, upper_changed) = canonical_bound(rw.ir, op, false);
    if !lower_changed && !upper_changed {
        return false;
    }
    let inits = For(op).inits(rw.ir).to_vec();
    let sizes = [lower.operands.len(), upper.operands.len(), inits.len()].map(|n| n as i32);
    let context = rw.ir.context().clone();
    let mut operands = lower.operands;
    operands.extend(upper.operands);
    operands.extend(inits);
    rw.set_operands(op, &operands);
    rw.set_attr(
        op,
        Name::OPERAND_SEGMENT_SIZES,
        context.i32_array_attr(&sizes),
    );
    rw.set_attr(
        op,
        Name::LOWER_BOUND_MAP,
        context.affine_map_attr(lower.map),
    );
    rw.set_attr(
        op,
        Name::UPPER_BOUND_MAP,
        context.affine_map_attr(upper.map),
    );
    true
}

/// A loop that runs never is its initial values; so is one whose body only
/// hands values on, as far as the order and number of iterations do not matter.
fn fold_trivial_loop(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let view = For(op);
    if ir.results(op).is_empty() {
        return false;
    }
    let inits = view.inits(ir).to_vec();
    let trip_count = view.trip_count(ir);
    if trip_count == Some(0) {
        rw.replace_op(op, &inits);
        return true;
    }
    let body = view.body(ir);
    let Some(yield_op) = ir.first_op(body).filter(|&first| ir.is(first, &YIELD)) else {
        return false;
    };
    let arguments = ir.block_args(body);
    let mut values = Vec::new();
    let (mut from_outside, mut out_of_order) = (false, false);
    for (i, &value) in ir.operands(yield_op).iter().enumerate() {
        match arguments.iter().position(|&argument| argument == value) {
            // The induction variable is no value of outside.
            Some(0) => return false,
            Some(position) => {
                out_of_order |= position != i + 1;
                values.push(inits[position - 1]);
            }
            None => {
                from_outside = true;
                values.push(value);
            }
        }
    }
    let once = trip_count == Some(1);
    if (out_of_order && !once) || (from_outside && trip_count.is_none()) {
        return false;
    }
    rw.replace_op(op, &values);
    true
}
