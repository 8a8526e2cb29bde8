//! `scf.forall` and its terminator `scf.forall.in_parallel`.
//!
//! Programs on memrefs have no shared outputs; loops with tensor outputs are
//! read and written, but the operations that insert into them are not known.

use crate::ir::asm::{Argument, Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I64_DENSE_ARRAY_ATTR, INDEX, RANKED_TENSOR};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{Bound, LoopInterface, RegionBranchInterface, RegionPoint};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{expect_parent, expect_single_block, no_entry_operands};
use crate::ir::types::{DYNAMIC, Type};
use crate::op_view;

use super::patterns;

static DEVICE_MAPPING: AttrConstraint = AttrConstraint {
    description: "Device Mapping array attribute",
    // Such as `#gpu.block<x>`; which ones there are is for others to know.
    accepts: |context, attr| {
        let is_mapping = |&attr: &Attr| matches!(context.attr_kind(attr), AttrKind::Dialect { .. });
        context
            .attr_array(attr)
            .is_some_and(|elements| elements.iter().all(is_mapping))
    },
    ..AttrConstraint::BASE
};

/// `scf.forall`: one iteration per point of a grid, possibly at once.
pub static FORALL: OpDef = OpDef {
    name: "scf.forall",
    traits: Traits::RECURSIVE_EFFECTS
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .and(Traits::PARALLEL),
    operands: &[
        ValueSpec::variadic("dynamicLowerBound", &INDEX),
        ValueSpec::variadic("dynamicUpperBound", &INDEX),
        ValueSpec::variadic("dynamicStep", &INDEX),
        ValueSpec::variadic("outputs", &RANKED_TENSOR),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[
        AttrSpec::required(Name::STATIC_LOWER_BOUND, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::required(Name::STATIC_UPPER_BOUND, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::required(Name::STATIC_STEP, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::MAPPING, &DEVICE_MAPPING),
    ],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    region_branch: Some(&RegionBranchInterface {
        successors: |_, _, _, out| {
            out.extend([RegionPoint::Region(0), RegionPoint::Parent]);
        },
        entry_operands: no_entry_operands,
        successor_inputs: |_, _, _| 0..0,
        forwarded_group: None,
        is_repetitive: |_, _, _| true,
    }),
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| Forall(op).induction_variables(ir).into(),
        bounds: |ir, op| {
            let view = Forall(op);
            let bounds = [BoundKind::Lower, BoundKind::Upper, BoundKind::Step]
                .map(|kind| view.mixed(ir, kind));
            let bounds = (0..view.rank(ir)).map(|i| (bounds[0][i], bounds[1][i], bounds[2][i]));
            Some(bounds.collect())
        },
    }),
    canonicalize: patterns::forall::PATTERNS,
    implicit_terminator: Some(&FORALL_IN_PARALLEL),
    ..OpDef::BASE
};

op_view! {
    /// `scf.forall`
    Forall, FORALL {
        dynamic_lower_bounds: many = 0,
        dynamic_upper_bounds: many = 1,
        dynamic_steps: many = 2,
        outputs: many = 3,
    }
}

/// The three lists that bound a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundKind {
    /// First point per dimension.
    Lower,
    /// One past the last point per dimension.
    Upper,
    /// Distance of points per dimension.
    Step,
}

impl BoundKind {
    /// The attribute that holds the known numbers.
    pub const fn attr_name(self) -> Name {
        match self {
            Self::Lower => Name::STATIC_LOWER_BOUND,
            Self::Upper => Name::STATIC_UPPER_BOUND,
            Self::Step => Name::STATIC_STEP,
        }
    }

    /// As diagnostics call it.
    const fn description(self) -> &'static str {
        match self {
            Self::Lower => "lower bound",
            Self::Upper => "upper bound",
            Self::Step => "step",
        }
    }
}

impl Forall {
    /// The block that repeats.
    pub fn body(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified loop has a body")
    }

    /// Number of dimensions.
    pub fn rank(self, ir: &Ir) -> usize {
        self.statics(ir, BoundKind::Lower).len()
    }

    /// The values that count the iterations.
    pub fn induction_variables(self, ir: &Ir) -> &[Value] {
        &ir.block_args(self.body(ir))[..self.rank(ir)]
    }

    /// The known numbers of a list, [`DYNAMIC`] where an operand is used.
    pub fn statics(self, ir: &Ir, kind: BoundKind) -> Vec<i64> {
        ir.attr(self.0, kind.attr_name())
            .and_then(|attr| ir.context().attr_i64_array(attr))
            .unwrap_or_default()
    }

    /// A list with operands and numbers in place.
    pub fn mixed(self, ir: &Ir, kind: BoundKind) -> Vec<Bound> {
        let mut dynamic = ir.operand_group(self.0, kind as usize).iter();
        self.statics(ir, kind)
            .into_iter()
            .map(|number| match number {
                DYNAMIC => dynamic
                    .next()
                    .map_or(Bound::Constant(DYNAMIC), |&value| Bound::Value(value)),
                number => Bound::Constant(number),
            })
            .collect()
    }
}

/// Inserts a `scf.forall` without outputs; its body holds only the terminator.
pub fn build_forall(
    builder: &mut Builder<'_>,
    lower_bounds: &[Bound],
    upper_bounds: &[Bound],
    steps: &[Bound],
) -> Op {
    let context = builder.context();
    let mut spec = builder.spec(&FORALL).regions(1);
    let mut sizes = [0; 4];
    let lists = [
        (BoundKind::Lower, lower_bounds),
        (BoundKind::Upper, upper_bounds),
        (BoundKind::Step, steps),
    ];
    for (kind, bounds) in lists {
        let mut statics = Vec::new();
        for &bound in bounds {
            match bound {
                Bound::Constant(number) => statics.push(number),
                Bound::Value(value) => {
                    statics.push(DYNAMIC);
                    spec.operands.push(value);
                    sizes[kind as usize] += 1;
                }
            }
        }
        spec.set_attr(kind.attr_name(), context.i64_array_attr(&statics));
    }
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes));
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    let body = builder
        .ir
        .append_block(region, &vec![Type::INDEX; steps.len()]);
    let mut inner = builder.inside(body);
    let spec = inner.spec(&FORALL_IN_PARALLEL).regions(1);
    let terminator = inner.create(spec);
    let region = builder.ir.region(terminator, 0);
    builder.ir.append_block(region, &[]);
    op
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    let mut arguments = parser.parse_argument_list(Delimiter::Paren, false, false)?;
    let n_loops = arguments.len();
    for argument in &mut arguments {
        argument.ty = Type::INDEX;
    }
    let mut sizes = [0; 4];
    let statics = if parser.parse_opt_keyword("in") {
        let upper = parse_mixed(parser, spec, &mut sizes[1])?;
        [vec![0; n_loops], upper, vec![1; n_loops]]
    } else {
        parser.parse_token("=")?;
        let lower = parse_mixed(parser, spec, &mut sizes[0])?;
        parser.parse_keyword("to")?;
        let upper = parse_mixed(parser, spec, &mut sizes[1])?;
        parser.parse_keyword("step")?;
        let step = parse_mixed(parser, spec, &mut sizes[2])?;
        [lower, upper, step]
    };

    let loc = parser.loc();
    if parser.parse_opt_keyword("shared_outs") {
        let (mut out_args, outputs): (Vec<Argument>, _) = parser.parse_assignment_list()?;
        let types = parser.parse_opt_arrow_type_list()?;
        spec.results.extend_from_slice(&types);
        parser.resolve_each(&outputs, &types, loc, spec)?;
        sizes[3] = outputs.len() as i32;
        for (argument, ty) in out_args.iter_mut().zip(types) {
            argument.ty = ty;
        }
        arguments.extend(out_args);
    }
    parser.parse_region(&arguments, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    let kinds = [BoundKind::Lower, BoundKind::Upper, BoundKind::Step];
    for (kind, statics) in kinds.into_iter().zip(statics) {
        spec.set_attr(kind.attr_name(), context.i64_array_attr(&statics));
    }
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes));
    Ok(())
}

/// Reads `(%n, 4, ...)`; operands go to `spec`, where they count in `n_dynamic`.
fn parse_mixed(
    parser: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    n_dynamic: &mut i32,
) -> Result<Vec<i64>, Failed> {
    let mut statics = Vec::new();
    parser.parse_list(Delimiter::Paren, &mut |parser| {
        match parser.parse_opt_operand() {
            Some(operand) => {
                let operand = operand?;
                parser.resolve(&operand, Type::INDEX, spec)?;
                *n_dynamic += 1;
                statics.push(DYNAMIC);
            }
            None => match parser.parse_opt_integer() {
                Some(number) => statics.push(number?),
                None => {
                    let loc = parser.loc();
                    return Err(parser.error(loc, "expected SSA value or integer"));
                }
            },
        }
        Ok(())
    })?;
    Ok(statics)
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = Forall(op);
    printer.text(" (");
    printer.values(view.induction_variables(ir));
    printer.text(")");
    let all = |kind, number| {
        view.mixed(ir, kind)
            .iter()
            .all(|&bound| bound == Bound::Constant(number))
    };
    if all(BoundKind::Lower, 0) && all(BoundKind::Step, 1) {
        printer.text(" in ");
        print_mixed(printer, &view.mixed(ir, BoundKind::Upper));
    } else {
        printer.text(" = ");
        print_mixed(printer, &view.mixed(ir, BoundKind::Lower));
        printer.text(" to ");
        print_mixed(printer, &view.mixed(ir, BoundKind::Upper));
        printer.text(" step ");
        print_mixed(printer, &view.mixed(ir, BoundKind::Step));
    }
    let outputs = view.outputs(ir);
    if !outputs.is_empty() {
        printer.text(" shared_outs");
        let out_args = &ir.block_args(view.body(ir))[view.rank(ir)..];
        super::print_assignments(printer, out_args, outputs);
        printer.text(" -> (");
        printer.types_of(ir, ir.results(op));
        printer.text(")");
    }
    printer.text(" ");
    printer.region(ir, ir.region(op, 0), false, !outputs.is_empty());
    printer.opt_attr_dict(
        ir,
        op,
        &[
            Name::OPERAND_SEGMENT_SIZES,
            Name::STATIC_LOWER_BOUND,
            Name::STATIC_UPPER_BOUND,
            Name::STATIC_STEP,
        ],
    );
}

fn print_mixed(printer: &mut dyn OpAsmPrinter, bounds: &[Bound]) {
    printer.text("(");
    for (i, &bound) in bounds.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        match bound {
            Bound::Value(value) => printer.value(value),
            Bound::Constant(number) => printer.text(&number.to_string()),
        }
    }
    printer.text(")");
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = Forall(op);
    let rank = view.rank(ir);
    let outputs = view.outputs(ir);
    let n_results = ir.results(op).len();
    if n_results != outputs.len() {
        return Err(format!(
            "produces {n_results} results, but has only {} outputs",
            outputs.len()
        )
        .into());
    }
    let body = expect_single_block(ir, op, 0, "region")?;
    let arguments = ir.block_args(body);
    if arguments.len() != rank + outputs.len() {
        return Err(format!("region expects {rank} arguments").into());
    }
    let (variables, out_args) = arguments.split_at(rank);
    for (i, &variable) in variables.iter().enumerate() {
        if ir.value_type(variable) != Type::INDEX {
            return Err(format!("expects {i}-th block argument to be an index").into());
        }
    }
    for (i, (&argument, &output)) in out_args.iter().zip(outputs).enumerate() {
        if ir.value_type(argument) != ir.value_type(output) {
            return Err(format!(
                "type mismatch between {i}-th output and corresponding block argument"
            )
            .into());
        }
    }
    let mapping = ir
        .attr(op, Name::MAPPING)
        .and_then(|attr| ir.context().attr_array(attr))
        .unwrap_or_default();
    if !mapping.is_empty() && mapping.len() != rank {
        return Err("mapping attribute size must match op rank".into());
    }
    for kind in [BoundKind::Lower, BoundKind::Upper, BoundKind::Step] {
        verify_mixed(ir, op, kind, rank)?;
    }
    super::expect_terminator(
        ir,
        op,
        0,
        &FORALL_IN_PARALLEL,
        "expects body to terminate with 'scf.forall.in_parallel'",
    )
}

fn verify_mixed(ir: &Ir, op: Op, kind: BoundKind, rank: usize) -> Result<(), OpError> {
    let statics = Forall(op).statics(ir, kind);
    let name = kind.description();
    if statics.len() != rank {
        let message = format!("expected {rank} {name} values, got {}", statics.len());
        return Err(OpError::bare(message));
    }
    let n_dynamic = statics.iter().filter(|&&number| number == DYNAMIC).count();
    if n_dynamic != ir.operand_group(op, kind as usize).len() {
        let message = format!("expected {n_dynamic} dynamic {name} values");
        return Err(OpError::bare(message));
    }
    Ok(())
}

/// `scf.forall.in_parallel`: ends the body of a `scf.forall`.
pub static FORALL_IN_PARALLEL: OpDef = const {
    OpDef {
        name: "scf.forall.in_parallel",
        traits: Traits::TERMINATOR
            .and(Traits::SINGLE_BLOCK)
            .and(Traits::NO_TERMINATOR)
            .and(Traits::GRAPH_REGION)
            .and(Traits::SPECULATABLE),
        regions: (1, 1),
        verify: verify_in_parallel,
        ..OpDef::PURE
    }
}
.with_format("region attr-dict");

fn verify_in_parallel(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_parent(ir, op, &[&FORALL])?;
    let block = expect_single_block(ir, op, 0, "region")?;
    // The operations upstream allows here insert into tensors.
    let is_foreign = |inner| !ir.op_name(inner).starts_with("tensor.");
    if ir.ops_in(block).any(is_foreign) {
        return Err("expected only tensor.parallel_insert_slice ops".into());
    }
    Ok(())
}
