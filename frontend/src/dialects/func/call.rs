//! `func.call` and `func.call_indirect`.

use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, FLAT_SYMBOL_REF_ATTR, FUNCTION};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::{CallInterface, Callee};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, Generic22, OpDef, OpError, Pattern, ValueSpec};
use crate::ir::rewriter::Rewriter;
use crate::ir::symbols::SymbolTable;
use crate::ir::types::{Type, TypeKind};
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::{CONSTANT, FUNC};

/// `func.call`: calls a function by name.
pub static CALL: OpDef = const {
    OpDef {
        name: "func.call",
        operands: &[ValueSpec::variadic("operands", &ANY)],
        results: &[ValueSpec::variadic("results", &ANY)],
        attributes: &[AttrSpec::required(Name::CALLEE, &FLAT_SYMBOL_REF_ATTR)],
        verify_symbols: Some(verify_callee),
        generic_22: Generic22 {
            inherent: &[(Name::NO_INLINE, Name::NO_INLINE)],
            ..Generic22::NOTHING
        },
        call: Some(&CallInterface {
            callee: |ir, op| {
                let callee = ir.attr(op, Name::CALLEE);
                Callee::Symbol(callee.expect("a verified call names its callee"))
            },
            arguments: |ir, op| 0..ir.operands(op).len(),
        }),
        ..OpDef::BASE
    }
}
.with_format("$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)");

op_view! {
    /// `func.call`
    Call, CALL { operands: many = 0 }
}

impl Call {
    /// The name of the called function.
    pub fn callee_name(self, ir: &Ir) -> &str {
        ir.attr(self.0, Name::CALLEE)
            .and_then(|attr| ir.context().attr_flat_symbol(attr))
            .unwrap_or_default()
    }
}

/// Inserts a call of the function called `callee`.
pub fn build_call(
    builder: &mut Builder<'_>,
    callee: &str,
    results: &[Type],
    arguments: &[Value],
) -> Op {
    let callee = builder.ir.context().symbol_ref_attr(callee);
    let spec = builder
        .spec(&CALL)
        .operands(arguments)
        .results(results)
        .attr(Name::CALLEE, callee);
    builder.create(spec)
}

fn verify_callee(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let context = ir.context();
    let name = Call(op).callee_name(ir);
    let kind = symbols
        .get(name)
        .filter(|symbol| std::ptr::eq(symbol.def, &FUNC))
        .and_then(|symbol| symbol.function_type)
        .map(|ty| context.type_kind(ty));
    let Some(TypeKind::Function { inputs, results }) = kind else {
        return Err(format!("'{name}' does not reference a valid function").into());
    };
    let operands = ir.operands(op);
    if operands.len() != inputs.len() {
        return Err("incorrect number of operands for callee".into());
    }
    for (i, (&operand, &expected)) in operands.iter().zip(inputs).enumerate() {
        let ty = ir.value_type(operand);
        if ty != expected {
            return Err(format!(
                "operand type mismatch: expected operand type {}, but provided {} for operand number {i}",
                quoted(context, expected),
                quoted(context, ty),
            )
            .into());
        }
    }
    let provided: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    if provided.len() != results.len() {
        return Err("incorrect number of results for callee".into());
    }
    let Some(index) = (0..results.len()).find(|&i| provided[i] != results[i]) else {
        return Ok(());
    };
    let list = |types: &[Type]| {
        let types: Vec<String> = types.iter().map(|&ty| quoted(context, ty)).collect();
        types.join(", ")
    };
    let loc = ir.loc(op);
    Err(
        OpError::from(format!("result type mismatch at index {index}"))
            .note(loc, format!("      op result types: {}", list(&provided)))
            .note(loc, format!("function result types: {}", list(results))),
    )
}

fn quoted(context: &Context, ty: Type) -> String {
    format!("'{}'", type_to_string(context, ty))
}

/// `func.call_indirect`: calls a value of function type.
pub static CALL_INDIRECT: OpDef = const { OpDef {
    name: "func.call_indirect",
    operands: &[
        ValueSpec::one("callee", &FUNCTION),
        ValueSpec::variadic("callee_operands", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    verify: verify_call_indirect,
    canonicalize: &[Pattern {
        name: "SimplifyIndirectCallWithKnownCallee",
        apply: call_known_callee,
    }],
    call: Some(&CallInterface {
        callee: |ir, op| Callee::Value(ir.operand(op, 0)),
        arguments: |ir, op| 1..ir.operands(op).len(),
    }),
    ..OpDef::BASE
} }
.with_format("$callee `(` $callee_operands `)` attr-dict `:` type($callee) where $callee_operands = inputs($callee), $results = outputs($callee)");

op_view! {
    /// `func.call_indirect`
    CallIndirect, CALL_INDIRECT { callee: one = 0, operands: many = 1 }
}

fn verify_call_indirect(ir: &Ir, op: Op) -> Result<(), OpError> {
    let call = CallIndirect(op);
    let ty = ir.value_type(call.callee(ir));
    let TypeKind::Function { inputs, results } = ir.context().type_kind(ty) else {
        return Ok(());
    };
    let types_match = |values: &[Value], types: &[Type]| {
        values
            .iter()
            .map(|&v| ir.value_type(v))
            .eq(types.iter().copied())
    };
    if !types_match(call.operands(ir), inputs) {
        return Err("failed to verify that callee input types match argument types".into());
    }
    if !types_match(ir.results(op), results) {
        return Err("failed to verify that callee result types match result types".into());
    }
    Ok(())
}

/// `call_indirect` of a `func.constant` is a `call`.
fn call_known_callee(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let call = CallIndirect(op);
    let Some(callee) = ir
        .defined_by(call.callee(ir), &CONSTANT)
        .and_then(|constant| ir.attr(constant, Name::VALUE))
    else {
        return false;
    };
    let results: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let spec = OpSpec::new(&CALL, ir.loc(op))
        .operands(call.operands(ir))
        .results(&results)
        .attr(Name::CALLEE, callee);
    rewriter.replace_op_with(op, spec);
    true
}
