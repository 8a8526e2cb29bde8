//! `scf.parallel` with its terminator `scf.reduce`, and `scf.reduce.return`.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, INDEX};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{
    Bound, LoopInterface, RegionBranchInterface, RegionPoint, RegionTerminatorInterface,
};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{expect_parent, expect_single_block, no_entry_operands};
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::patterns;

/// `scf.parallel`: iterations that may run in any order and at once.
pub static PARALLEL: OpDef = OpDef {
    name: "scf.parallel",
    traits: Traits::RECURSIVE_EFFECTS
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .and(Traits::PARALLEL),
    operands: &[
        ValueSpec::variadic("lowerBound", &INDEX),
        ValueSpec::variadic("upperBound", &INDEX),
        ValueSpec::variadic("step", &INDEX),
        ValueSpec::variadic("initVals", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    region_branch: Some(&RegionBranchInterface {
        successors: |_, _, _, out| {
            out.extend([RegionPoint::Region(0), RegionPoint::Parent]);
        },
        // Initial values and results belong to the reductions; no value is
        // forwarded from one to the other as such.
        entry_operands: no_entry_operands,
        successor_inputs: |_, _, _| 0..0,
        forwarded_group: None,
        is_repetitive: |_, _, _| true,
    }),
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| ir.block_args(Parallel(op).body(ir)).into(),
        bounds: |ir, op| {
            let view = Parallel(op);
            let bounds = (0..view.steps(ir).len()).map(|i| {
                (
                    Bound::Value(view.lower_bounds(ir)[i]),
                    Bound::Value(view.upper_bounds(ir)[i]),
                    Bound::Value(view.steps(ir)[i]),
                )
            });
            Some(bounds.collect())
        },
    }),
    canonicalize: patterns::parallel::PATTERNS,
    implicit_terminator: Some(&REDUCE),
    ..OpDef::BASE
};

op_view! {
    /// `scf.parallel`
    Parallel, PARALLEL {
        lower_bounds: many = 0,
        upper_bounds: many = 1,
        steps: many = 2,
        init_vals: many = 3,
    }
}

impl Parallel {
    /// The block that repeats; its arguments are the induction variables.
    pub fn body(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified loop has a body")
    }

    /// The `scf.reduce` that ends the body.
    pub fn reduce_op(self, ir: &Ir) -> Op {
        ir.last_op(self.body(ir))
            .expect("a verified block has a terminator")
    }
}

/// Inserts a `scf.parallel` with an empty body, which is terminated if there
/// is nothing to reduce.
pub fn build_parallel(
    builder: &mut Builder<'_>,
    lower_bounds: &[Value],
    upper_bounds: &[Value],
    steps: &[Value],
    init_vals: &[Value],
) -> Op {
    let results: Vec<Type> = init_vals
        .iter()
        .map(|&v| builder.ir.value_type(v))
        .collect();
    let groups = [lower_bounds, upper_bounds, steps, init_vals];
    let sizes = groups.map(|group| group.len() as i32);
    let sizes = builder.ir.context().i32_array_attr(&sizes);
    let spec = builder
        .spec(&PARALLEL)
        .operands(&groups.concat())
        .results(&results)
        .attr(Name::OPERAND_SEGMENT_SIZES, sizes)
        .regions(1);
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    let body = builder
        .ir
        .append_block(region, &vec![Type::INDEX; steps.len()]);
    if init_vals.is_empty() {
        let mut inner = builder.inside(body);
        inner.op(&REDUCE, &[], &[]);
    }
    op
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let mut variables = parser.parse_argument_list(Delimiter::Paren, false, false)?;
    let n_loops = variables.len();
    parser.parse_token("=")?;
    parse_bounds(parser, n_loops, spec)?;
    parser.parse_keyword("to")?;
    parse_bounds(parser, n_loops, spec)?;
    parser.parse_keyword("step")?;
    parse_bounds(parser, n_loops, spec)?;
    let mut init_vals = Vec::new();
    if parser.parse_opt_keyword("init") {
        init_vals = parser.parse_operand_list(Delimiter::Paren)?;
    }
    spec.results.extend(parser.parse_opt_arrow_type_list()?);
    for variable in &mut variables {
        variable.ty = Type::INDEX;
    }
    parser.parse_region(&variables, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    let results = spec.results.clone();
    parser.resolve_each(&init_vals, &results, parser.name_loc(), spec)?;
    let n_loops = n_loops as i32;
    let sizes = [n_loops, n_loops, n_loops, init_vals.len() as i32];
    let sizes = parser.context().i32_array_attr(&sizes);
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, sizes);
    Ok(())
}

/// Reads as many indices in parentheses as there are loops.
fn parse_bounds(
    parser: &mut dyn OpAsmParser<'_>,
    n_loops: usize,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let loc = parser.loc();
    let bounds: Vec<UnresolvedOperand> = parser.parse_operand_list(Delimiter::Paren)?;
    if bounds.len() != n_loops {
        return Err(parser.error(loc, format!("expected {n_loops} operands")));
    }
    parser.resolve_all(&bounds, Type::INDEX, spec)
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = Parallel(op);
    printer.text(" (");
    printer.values(ir.block_args(view.body(ir)));
    printer.text(") = (");
    printer.values(view.lower_bounds(ir));
    printer.text(") to (");
    printer.values(view.upper_bounds(ir));
    printer.text(") step (");
    printer.values(view.steps(ir));
    printer.text(")");
    if !view.init_vals(ir).is_empty() {
        printer.text(" init (");
        printer.values(view.init_vals(ir));
        printer.text(")");
    }
    let types: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    printer.opt_arrow_types(&types);
    printer.text(" ");
    printer.region(ir, ir.region(op, 0), false, true);
    printer.opt_attr_dict(ir, op, &[Name::OPERAND_SEGMENT_SIZES]);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = Parallel(op);
    let n_loops = view.steps(ir).len();
    if n_loops == 0 {
        return Err("needs at least one tuple element for lowerBound, upperBound and step".into());
    }
    if view.lower_bounds(ir).len() != n_loops || view.upper_bounds(ir).len() != n_loops {
        return Err("expects as many lower and upper bounds as steps".into());
    }
    let constant = |&step: &Value| {
        let op = ir.defining_op(step)?;
        if !ir.has_trait(op, Traits::CONSTANT_LIKE) {
            return None;
        }
        ir.context().attr_integer(ir.attr(op, Name::VALUE)?)
    };
    if view.steps(ir).iter().filter_map(constant).any(|n| n <= 0) {
        return Err("constant step operand must be positive".into());
    }
    let body = expect_single_block(ir, op, 0, "region")?;
    let arguments = ir.block_args(body);
    if arguments.len() != n_loops {
        return Err(format!(
            "expects the same number of induction variables: {} as bound and step values: {n_loops}",
            arguments.len()
        )
        .into());
    }
    if arguments.iter().any(|&v| ir.value_type(v) != Type::INDEX) {
        return Err("expects arguments for the induction variable to be of index type".into());
    }
    super::expect_terminator(
        ir,
        op,
        0,
        &REDUCE,
        "expects body to terminate with 'scf.reduce'",
    )?;
    verify_reductions(ir, op, view.reduce_op(ir))
}

fn verify_reductions(ir: &Ir, op: Op, reduce: Op) -> Result<(), OpError> {
    let n_results = ir.results(op).len();
    let n_reductions = ir.regions(reduce).len();
    let n_inits = Parallel(op).init_vals(ir).len();
    if n_results != n_reductions {
        return Err(format!(
            "expects number of results: {n_results} to be the same as number of reductions: {n_reductions}"
        )
        .into());
    }
    if n_results != n_inits {
        return Err(format!(
            "expects number of results: {n_results} to be the same as number of initial values: {n_inits}"
        )
        .into());
    }
    let n_operands = ir.operands(reduce).len();
    if n_operands != n_reductions {
        return Err(OpError::bare(format!(
            "'{}' op expects as many reductions as operands: {n_operands}, but got {n_reductions}",
            REDUCE.name
        ))
        .at(ir.loc(reduce)));
    }
    for (i, (&result, &operand)) in ir.results(op).iter().zip(ir.operands(reduce)).enumerate() {
        let (expected, ty) = (ir.value_type(result), ir.value_type(operand));
        if expected != ty {
            let text = |ty| type_to_string(ir.context(), ty);
            return Err(OpError::bare(format!(
                "'{}' op expects type of {i}-th reduction operand: '{}' to be the same as the {i}-th result type: '{}'",
                REDUCE.name,
                text(ty),
                text(expected)
            ))
            .at(ir.loc(reduce)));
        }
    }
    Ok(())
}

/// `scf.reduce`: ends the body of a `scf.parallel`; one region per operand
/// says how two partial results become one.
pub static REDUCE: OpDef = const {
    OpDef {
        name: "scf.reduce",
        traits: Traits::TERMINATOR.and(Traits::RECURSIVE_EFFECTS),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        regions: (0, usize::MAX),
        verify: verify_reduce,
        region_terminator: Some(&RegionTerminatorInterface {
            operands: |_, _, _| 0..0,
        }),
        ..OpDef::BASE
    }
}
.with_format("(`(` $operands^ `:` type($operands) `)`)? regions attr-dict");

op_view! {
    /// `scf.reduce`
    Reduce, REDUCE { operands: many = 0 }
}

fn verify_reduce(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_parent(ir, op, &[&PARALLEL])?;
    // Whether there are as many operands as regions is asked of the loop.
    for (i, &operand) in ir
        .operands(op)
        .iter()
        .take(ir.regions(op).len())
        .enumerate()
    {
        let block = expect_single_block(ir, op, i, "reductions")?;
        let Some(last) = ir.last_op(block) else {
            return Err(format!("{i}-th reduction has an empty body").into());
        };
        let ty = ir.value_type(operand);
        let arguments = ir.block_args(block);
        if arguments.len() != 2 || arguments.iter().any(|&v| ir.value_type(v) != ty) {
            return Err(format!(
                "expected two block arguments with type '{}' in the {i}-th reduction region",
                type_to_string(ir.context(), ty)
            )
            .into());
        }
        if !ir.is(last, &REDUCE_RETURN) {
            return Err(
                "reduction bodies must be terminated with an 'scf.reduce.return' op".into(),
            );
        }
    }
    Ok(())
}

/// `scf.reduce.return`: the combined value of a reduction.
pub static REDUCE_RETURN: OpDef = const {
    OpDef {
        name: "scf.reduce.return",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[ValueSpec::one("result", &ANY)],
        verify: verify_reduce_return,
        ..OpDef::PURE
    }
}
.with_format("$result attr-dict `:` type($result)");

op_view! {
    /// `scf.reduce.return`
    ReduceReturn, REDUCE_RETURN { result: one = 0 }
}

fn verify_reduce_return(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_parent(ir, op, &[&REDUCE])?;
    let expected = ir
        .block_of(op)
        .and_then(|block| ir.block_args(block).first())
        .map(|&argument| ir.value_type(argument));
    match expected {
        Some(expected) if expected != ir.value_type(ir.operand(op, 0)) => Err(format!(
            "must have type '{}' (the type of the reduction inputs)",
            type_to_string(ir.context(), expected)
        )
        .into()),
        _ => Ok(()),
    }
}
