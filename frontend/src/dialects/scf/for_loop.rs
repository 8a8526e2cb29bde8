//! `scf.for`, which compares its counter with or, in MLIR 22, without a sign.

use smallvec::smallvec;

use crate::ir::asm::{Argument, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, SIGNLESS_INTEGER_OR_INDEX, UNIT_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{Bound, LoopInterface, RegionBranchInterface, RegionPoint};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::expect_single_block;
use crate::ir::types::Type;
use crate::ir::version::MlirVersion;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::{YIELD, build_yield, patterns};

/// Loops that compare their counter without a sign. They are rows of their own, [`FOR_UNSIGNED`], so that what
/// knows `scf.for` does not take them for others.
const UNSIGNED_CMP: AttrSpec = AttrSpec::optional(Name::UNSIGNED_CMP, &UNIT_ATTR);

/// `scf.for`
pub static FOR: OpDef = OpDef {
    canonicalize: patterns::for_loop::PATTERNS,
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| smallvec![For(op).induction_variable(ir)],
        bounds: |ir, op| {
            let bound = |index| Bound::Value(ir.operand(op, index));
            Some(smallvec![(bound(0), bound(1), bound(2))])
        },
    }),
    ..BASE
};

/// `scf.for unsigned`
pub static FOR_UNSIGNED: OpDef = OpDef {
    loop_like: Some(&LoopInterface {
        body: |ir, op| ir.region(op, 0),
        induction_variables: |ir, op| smallvec![For(op).induction_variable(ir)],
        bounds: |_, _| None,
    }),
    ..BASE
};

const BASE: OpDef = OpDef {
    name: "scf.for",
    attributes: &[UNSIGNED_CMP],
    normalize: Some(normalize),
    traits: Traits::RECURSIVE_EFFECTS
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE),
    operands: &[
        ValueSpec::one("lowerBound", &SIGNLESS_INTEGER_OR_INDEX),
        ValueSpec::one("upperBound", &SIGNLESS_INTEGER_OR_INDEX),
        ValueSpec::one("step", &SIGNLESS_INTEGER_OR_INDEX),
        ValueSpec::variadic("initArgs", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    region_branch: Some(&RegionBranchInterface {
        // The body may run not even once, and each iteration may be the last.
        successors: |_, _, _, out| {
            out.extend([RegionPoint::Region(0), RegionPoint::Parent]);
        },
        entry_operands: |ir, op, _| 3..ir.operands(op).len(),
        successor_inputs: |ir, op, to| match to {
            RegionPoint::Parent => 0..ir.results(op).len(),
            RegionPoint::Region(_) => 1..ir.block_args(For(op).body(ir)).len(),
        },
        forwarded_group: Some(3),
        is_repetitive: |_, _, _| true,
    }),
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

op_view! {
    /// `scf.for`
    For, FOR { lower_bound: one = 0, upper_bound: one = 1, step: one = 2, init_args: many = 3 }
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

    /// The loop-carried values inside the body.
    pub fn iter_args(self, ir: &Ir) -> &[Value] {
        &ir.block_args(self.body(ir))[1..]
    }

    /// The terminator of the body.
    pub fn yield_op(self, ir: &Ir) -> Op {
        ir.last_op(self.body(ir))
            .expect("a verified block has a terminator")
    }
}

/// Inserts a `scf.for` with an empty body, which is terminated if nothing is
/// carried from one iteration to the next.
pub fn build_for(
    builder: &mut Builder<'_>,
    lower_bound: Value,
    upper_bound: Value,
    step: Value,
    init_args: &[Value],
) -> Op {
    let carried: Vec<Type> = init_args
        .iter()
        .map(|&v| builder.ir.value_type(v))
        .collect();
    let spec = builder
        .spec(&FOR)
        .operands(&[lower_bound, upper_bound, step])
        .operands(init_args)
        .results(&carried)
        .regions(1);
    let op = builder.create(spec);
    let mut arguments = vec![builder.ir.value_type(lower_bound)];
    arguments.extend(carried);
    let region = builder.ir.region(op, 0);
    let body = builder.ir.append_block(region, &arguments);
    if init_args.is_empty() {
        let mut inner = builder.inside(body);
        build_yield(&mut inner, &[]);
    }
    op
}

/// Picks the row that the attribute asks for.
fn normalize(context: &Context, spec: &mut OpSpec) {
    let attr = spec.get_attr(Name::UNSIGNED_CMP);
    if attr == Some(Attr::FALSE) {
        spec.attrs.retain(|&(name, _)| name != Name::UNSIGNED_CMP);
    } else if attr.is_some() {
        context.note_version(MlirVersion::V22);
        spec.set_attr(Name::UNSIGNED_CMP, Attr::UNIT);
        spec.def = &FOR_UNSIGNED;
    }
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if parser.parse_opt_keyword("unsigned") {
        spec.set_attr(Name::UNSIGNED_CMP, Attr::UNIT);
        normalize(parser.context(), spec);
    }
    let mut induction_variable = parser.parse_argument(false, false)?;
    parser.parse_token("=")?;
    let lower_bound = parser.parse_operand()?;
    parser.parse_keyword("to")?;
    let upper_bound = parser.parse_operand()?;
    parser.parse_keyword("step")?;
    let step = parser.parse_operand()?;

    let mut iter_args: Vec<Argument> = Vec::new();
    let mut init_args = Vec::new();
    if parser.parse_opt_keyword("iter_args") {
        (iter_args, init_args) = parser.parse_assignment_list()?;
        spec.results.extend(parser.parse_arrow_type_list()?);
    }
    if iter_args.len() != spec.results.len() {
        let message = "mismatch in number of loop-carried values and defined values";
        return Err(parser.error(parser.name_loc(), message));
    }
    let ty = if parser.parse_opt_token(":") {
        parser.parse_type()?
    } else {
        Type::INDEX
    };
    induction_variable.ty = ty;
    parser.resolve_all(&[lower_bound, upper_bound, step], ty, spec)?;
    for (i, init) in init_args.iter().enumerate() {
        let ty = spec.results[i];
        iter_args[i].ty = ty;
        parser.resolve(init, ty, spec)?;
    }
    let mut arguments = vec![induction_variable];
    arguments.extend(iter_args);
    parser.parse_region(&arguments, spec)?;
    parser.parse_opt_attr_dict(spec)
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = For(op);
    let has_iter_args = !view.init_args(ir).is_empty();
    printer.text(" ");
    if ir.is(op, &FOR_UNSIGNED) {
        printer.text("unsigned ");
    }
    printer.value(view.induction_variable(ir));
    printer.text(" = ");
    printer.value(view.lower_bound(ir));
    printer.text(" to ");
    printer.value(view.upper_bound(ir));
    printer.text(" step ");
    printer.value(view.step(ir));
    if has_iter_args {
        printer.text(" iter_args");
        super::print_assignments(printer, view.iter_args(ir), view.init_args(ir));
        printer.text(" -> (");
        printer.types_of(ir, view.init_args(ir));
        printer.text(")");
    }
    printer.text(" ");
    let ty = ir.value_type(view.induction_variable(ir));
    if ty != Type::INDEX {
        printer.text(" : ");
        printer.ty(ty);
        printer.text(" ");
    }
    printer.region(ir, ir.region(op, 0), false, has_iter_args);
    printer.opt_attr_dict(ir, op, &[Name::UNSIGNED_CMP]);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = For(op);
    if ir.has_attr(op, Name::UNSIGNED_CMP) != ir.is(op, &FOR_UNSIGNED) {
        return Err("attribute 'unsignedCmp' can only be read, not added or removed".into());
    }
    let ty = ir.value_type(view.lower_bound(ir));
    if ty != ir.value_type(view.upper_bound(ir)) || ty != ir.value_type(view.step(ir)) {
        return Err(
            "failed to verify that all of {lowerBound, upperBound, step} have same type".into(),
        );
    }
    let n_inits = view.init_args(ir).len();
    let results = ir.results(op);
    if n_inits != results.len() {
        return Err("mismatch in number of loop-carried values and defined values".into());
    }
    let body = expect_single_block(ir, op, 0, "region")?;
    let Some((&induction_variable, iter_args)) = ir.block_args(body).split_first() else {
        return Err("expected body to have an argument for the induction variable".into());
    };
    verify_carried(ir, op, body, iter_args)?;
    if ir.value_type(induction_variable) != ty {
        return Err("expected induction variable to be same type as bounds and step".into());
    }
    Ok(())
}

/// Checks that initial values, arguments, yielded values and results agree.
fn verify_carried(ir: &Ir, op: Op, body: Block, iter_args: &[Value]) -> Result<(), OpError> {
    let inits = For(op).init_args(ir);
    if inits.len() != iter_args.len() {
        return Err(format!(
            "different number of inits and region iter_args: {} != {}",
            inits.len(),
            iter_args.len()
        )
        .into());
    }
    // Other terminators, and numbers of values, are found by the general rules.
    let yields = ir
        .last_op(body)
        .filter(|&last| ir.is(last, &YIELD) && ir.operands(last).len() == iter_args.len())
        .map(|last| ir.operands(last));
    let mismatch = |i: usize, what: [&str; 2], values: [Value; 2]| {
        let [first, second] = values.map(|v| type_to_string(ir.context(), ir.value_type(v)));
        Err(format!(
            "{i}-th {} and {i}-th {} have different type: '{first}' != '{second}'",
            what[0], what[1]
        )
        .into())
    };
    for (i, &argument) in iter_args.iter().enumerate() {
        let ty = ir.value_type(argument);
        if ir.value_type(inits[i]) != ty {
            return mismatch(i, ["init", "region iter_arg"], [inits[i], argument]);
        }
        if let Some(yields) = yields
            && ir.value_type(yields[i]) != ty
        {
            return mismatch(
                i,
                ["region iter_arg", "yielded value"],
                [argument, yields[i]],
            );
        }
        let result = ir.result(op, i);
        if ir.value_type(result) != ty {
            return mismatch(i, ["region iter_arg", "loop result"], [argument, result]);
        }
    }
    Ok(())
}
