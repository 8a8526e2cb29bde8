//! `async.execute` and `async.yield`.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::builder::Builder;
use crate::ir::constraints::ANY;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{expect_parent, expect_single_block};
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use crate::dialects::shared::assembly::set_segments;

use super::{TOKEN, VALUE, VALUE_OR_TOKEN, held_type, is_value, token_type, value_type};

/// `async.execute`: runs its body when all dependencies and operands are there.
pub static EXECUTE: OpDef = OpDef {
    name: "async.execute",
    traits: Traits::SINGLE_BLOCK
        .and(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .and(Traits::RUNS_LATER),
    operands: &[
        ValueSpec::variadic("dependencies", &TOKEN),
        ValueSpec::variadic("bodyOperands", &VALUE_OR_TOKEN),
    ],
    results: &[
        ValueSpec::one("token", &TOKEN),
        ValueSpec::variadic("bodyResults", &VALUE),
    ],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    result_names: Some(|ir, op, name| {
        for (i, &result) in ir.results(op).iter().enumerate() {
            match i {
                0 => name(result, "token"),
                1 => name(result, "bodyResults"),
                _ => {}
            }
        }
    }),
    ..OpDef::BASE
};

op_view! {
    /// View of [`EXECUTE`].
    Execute, EXECUTE { dependencies: many = 0, body_operands: many = 1 }
}

impl Execute {
    /// The token.
    pub fn token(self, ir: &Ir) -> Value {
        ir.result(self.0, 0)
    }

    /// What the body yields, to be waited for.
    pub fn body_results(self, ir: &Ir) -> &[Value] {
        &ir.results(self.0)[1..]
    }

    /// The block that runs.
    pub fn body(self, ir: &Ir) -> Block {
        let region = ir.region(self.0, 0);
        ir.entry_block(region).expect("a verified body has a block")
    }
}

/// Inserts an `async.execute` without dependencies and operands, with an empty, not yet terminated block that is to
/// yield values of these types.
pub fn build_execute(builder: &mut Builder<'_>, held: &[Type]) -> Op {
    let context = builder.context();
    let mut types = vec![token_type(&context)];
    types.extend(held.iter().map(|&ty| value_type(&context, ty)));
    let mut spec = builder.spec(&EXECUTE).results(&types).regions(1);
    set_segments(&context, &mut spec, &[0, 0]);
    let op = builder.create(spec);
    let region = builder.ir.region(op, 0);
    builder.ir.append_block(region, &[]);
    op
}

fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = p.context();
    let token = token_type(context);
    let mut n_dependencies = 0;
    if p.parse_opt_token("[") {
        let dependencies = p.parse_operand_list(Delimiter::None)?;
        p.resolve_all(&dependencies, token, spec)?;
        n_dependencies = dependencies.len();
        p.parse_token("]")?;
    }
    let mut operands = Vec::new();
    let mut types = Vec::new();
    let mut arguments = Vec::new();
    let loc = p.loc();
    p.parse_list(Delimiter::OptionalParen, &mut |p| {
        operands.push(p.parse_operand()?);
        p.parse_keyword("as")?;
        let mut argument = p.parse_argument(false, false)?;
        let loc = p.loc();
        let ty = p.parse_colon_type()?;
        argument.ty = match held_type(p.context(), ty) {
            Some(held) => held,
            None => return Err(p.error(loc, "expected an async value type")),
        };
        types.push(ty);
        arguments.push(argument);
        Ok(())
    })?;
    p.resolve_each(&operands, &types, loc, spec)?;
    set_segments(context, spec, &[n_dependencies, operands.len()]);
    spec.results.push(token);
    let results = p.parse_opt_arrow_type_list()?;
    spec.results.extend(results);
    p.parse_opt_attr_dict_with_keyword(spec)?;
    p.parse_region(&arguments, spec)
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = Execute(op);
    if !view.dependencies(ir).is_empty() {
        p.text(" [");
        p.values(view.dependencies(ir));
        p.text("]");
    }
    if !view.body_operands(ir).is_empty() {
        let arguments = ir.entry_block(ir.region(op, 0));
        let arguments = arguments.map_or(&[][..], |block| ir.block_args(block));
        p.text(" (");
        let pairs = view.body_operands(ir).iter().zip(arguments).enumerate();
        for (i, (&operand, &argument)) in pairs {
            if i > 0 {
                p.text(", ");
            }
            p.value(operand);
            p.text(" as ");
            p.value(argument);
            p.text(": ");
            p.ty(ir.value_type(operand));
        }
        p.text(")");
    }
    let types: Vec<Type> = (view.body_results(ir).iter())
        .map(|&result| ir.value_type(result))
        .collect();
    p.opt_arrow_types(&types);
    p.opt_attr_dict_with_keyword(ir, op, &[Name::OPERAND_SEGMENT_SIZES]);
    p.text(" ");
    p.region(ir, ir.region(op, 0), false, true);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let body = expect_single_block(ir, op, 0, "bodyRegion")?;
    let view = Execute(op);
    let text = |ty| format!("'{}'", type_to_string(context, ty));
    let held: Vec<Type> = (view.body_operands(ir).iter())
        .map(|&operand| {
            let ty = ir.value_type(operand);
            held_type(context, ty).unwrap_or(ty)
        })
        .collect();
    let arguments = ir.block_args(body).iter();
    let is_value = |&operand: &Value| is_value(context, ir.value_type(operand));
    if !view.body_operands(ir).iter().all(is_value)
        || !arguments.map(|&argument| ir.value_type(argument)).eq(held)
    {
        let message =
            "async body region argument types do not match the execute operation arguments types";
        return Err(message.into());
    }
    let Some(end) = ir.last_op(body).filter(|&end| ir.is(end, &YIELD)) else {
        return Err("expects its body to end with 'async.yield'".into());
    };
    let (yielded, results) = (ir.operands(end), view.body_results(ir));
    if yielded.len() != results.len() {
        let (n, expected) = (yielded.len(), results.len());
        return Err(format!(
            " region control flow edge from Region #0 to parent results: source has {n} operands, but target \
             successor needs {expected}"
        )
        .into());
    }
    for (i, (&value, &result)) in yielded.iter().zip(results).enumerate() {
        let (from, to) = (ir.value_type(value), ir.value_type(result));
        if held_type(context, to) != Some(from) {
            let (from, to) = (text(from), text(to));
            return Err(format!(
                " along control flow edge from Region #0 to parent results: source type #{i} {from} should match \
                 input type #{i} {to}"
            )
            .into());
        }
    }
    Ok(())
}

/// `async.yield`: ends a body.
pub static YIELD: OpDef = const {
    OpDef {
        name: "async.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        verify: |ir, op| expect_parent(ir, op, &[&EXECUTE]),
        ..OpDef::PURE
    }
}
.with_format("($operands^ `:` type($operands))? attr-dict");
