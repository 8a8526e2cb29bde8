//! `scf.while` and its `scf.condition`.

use smallvec::SmallVec;

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I1};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{
    LoopInterface, RegionBranchInterface, RegionPoint, RegionTerminatorInterface,
};
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{all_inputs, expect_parent, expect_single_block};
use crate::ir::types::{Type, TypeKind};
use crate::op_view;

use super::{YIELD, patterns};

/// `scf.while`: the first region decides whether the second one runs, after
/// which the first runs again.
pub static WHILE: OpDef = OpDef {
    name: "scf.while",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[ValueSpec::variadic("inits", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (2, 2),
    parse: Some(parse),
    print: Some(print),
    verify,
    region_branch: Some(&RegionBranchInterface {
        successors: |_, _, from, out| match from {
            RegionPoint::Parent | RegionPoint::Region(1) => out.push(RegionPoint::Region(0)),
            RegionPoint::Region(_) => out.extend([RegionPoint::Parent, RegionPoint::Region(1)]),
        },
        entry_operands: |ir, op, to| match to {
            RegionPoint::Region(0) => 0..ir.operands(op).len(),
            _ => 0..0,
        },
        successor_inputs: all_inputs,
        forwarded_group: Some(0),
        is_repetitive: |_, _, _| true,
    }),
    canonicalize: patterns::while_loop::PATTERNS,
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |_, _| SmallVec::new(),
        bounds: |_, _| None,
    }),
    ..OpDef::BASE
};

op_view! {
    /// `scf.while`
    While, WHILE { inits: many = 0 }
}

impl While {
    /// The block that decides whether to go on.
    pub fn before_block(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified scf.while has a before block")
    }

    /// The block that does the work of an iteration.
    pub fn after_block(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 1))
            .expect("a verified scf.while has an after block")
    }

    /// The `scf.condition` that ends the before block.
    pub fn condition_op(self, ir: &Ir) -> Op {
        ir.last_op(self.before_block(ir))
            .expect("a verified block has a terminator")
    }

    /// The `scf.yield` that ends the after block.
    pub fn yield_op(self, ir: &Ir) -> Op {
        ir.last_op(self.after_block(ir))
            .expect("a verified block has a terminator")
    }
}

/// Inserts a `scf.while` with two empty, not yet terminated blocks.
pub fn build_while(builder: &mut Builder<'_>, results: &[Type], inits: &[Value]) -> Op {
    let before: Vec<Type> = inits.iter().map(|&v| builder.ir.value_type(v)).collect();
    let spec = builder
        .spec(&WHILE)
        .operands(inits)
        .results(results)
        .regions(2);
    let op = builder.create(spec);
    for (index, arguments) in [&before[..], results].into_iter().enumerate() {
        let region = builder.ir.region(op, index);
        builder.ir.append_block(region, arguments);
    }
    op
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let (mut arguments, inits) = if parser.peek_token("(") {
        parser.parse_assignment_list()?
    } else {
        Default::default()
    };
    let loc = parser.loc();
    let ty = parser.parse_colon_type()?;
    let TypeKind::Function { inputs, results } = parser.context().type_kind(ty) else {
        return Err(parser.error(loc, "invalid kind of type specified"));
    };
    spec.results.extend_from_slice(results);
    if inputs.len() != inits.len() {
        let message = format!(
            "expected as many input types as operands (expected {} got {})",
            inits.len(),
            inputs.len()
        );
        return Err(parser.error(loc, message));
    }
    parser.resolve_each(&inits, inputs, loc, spec)?;
    for (argument, &ty) in arguments.iter_mut().zip(inputs) {
        argument.ty = ty;
    }
    parser.parse_region(&arguments, spec)?;
    parser.parse_keyword("do")?;
    parser.parse_region(&[], spec)?;
    parser.parse_opt_attr_dict_with_keyword(spec)
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = While(op);
    let inits = view.inits(ir);
    if !inits.is_empty() {
        printer.text(" ");
        super::print_assignments(printer, ir.block_args(view.before_block(ir)), inits);
    }
    printer.text(" : ");
    let types = |values: &[Value]| values.iter().map(|&v| ir.value_type(v)).collect::<Vec<_>>();
    printer.functional_type(&types(inits), &types(ir.results(op)));
    printer.text(" ");
    printer.region(ir, ir.region(op, 0), false, true);
    printer.text(" do ");
    printer.region(ir, ir.region(op, 1), true, true);
    printer.opt_attr_dict_with_keyword(ir, op, &[]);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_single_block(ir, op, 0, "before")?;
    expect_single_block(ir, op, 1, "after")?;
    super::expect_terminator(
        ir,
        op,
        0,
        &CONDITION,
        "expects the 'before' region to terminate with 'scf.condition'",
    )?;
    super::expect_terminator(
        ir,
        op,
        1,
        &YIELD,
        "expects the 'after' region to terminate with 'scf.yield'",
    )
}

/// `scf.condition`: goes on with the after region, or leaves the loop.
pub static CONDITION: OpDef = const {
    OpDef {
        name: "scf.condition",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[
            ValueSpec::one("condition", &I1),
            ValueSpec::variadic("args", &ANY),
        ],
        verify: |ir, op| expect_parent(ir, op, &[&WHILE]),
        region_terminator: Some(&RegionTerminatorInterface {
            operands: |ir, op, _| 1..ir.operands(op).len(),
        }),
        ..OpDef::PURE
    }
}
.with_format("`(` $condition `)` attr-dict ($args^ `:` type($args))?");

op_view! {
    /// `scf.condition`
    Condition, CONDITION { condition: one = 0, args: many = 1 }
}

/// Inserts a `scf.condition`.
pub fn build_condition(builder: &mut Builder<'_>, condition: Value, args: &[Value]) -> Op {
    let spec = builder
        .spec(&CONDITION)
        .operands(&[condition])
        .operands(args);
    builder.create(spec)
}
