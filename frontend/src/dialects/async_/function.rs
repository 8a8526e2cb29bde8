//! `async.func`, `async.call` and `async.return`.

use crate::dialects::func::function;
use crate::ir::constraints::{ANY, DICTIONARY_ARRAY_ATTR, FLAT_SYMBOL_REF_ATTR};
use crate::ir::constraints::{FUNCTION_TYPE_ATTR, STRING_ATTR};
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::interfaces::{CallInterface, Callee};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::expect_parent;
use crate::ir::symbols::SymbolTable;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::type_to_string;

use super::{VALUE_OR_TOKEN, held_type, is_token, is_value};

/// `async.func`: a function that goes on by itself.
pub static FUNC: OpDef = OpDef {
    name: "async.func",
    traits: Traits::OWNS_ARENA.and(Traits::FUNCTION),
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &STRING_ATTR),
        AttrSpec::required(Name::FUNCTION_TYPE, &FUNCTION_TYPE_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &STRING_ATTR),
        AttrSpec::optional(Name::ARG_ATTRS, &DICTIONARY_ARRAY_ATTR),
        AttrSpec::optional(Name::RES_ATTRS, &DICTIONARY_ARRAY_ATTR),
    ],
    regions: (1, 1),
    parse: Some(function::parse),
    print: Some(function::print),
    verify: verify_function,
    ..OpDef::BASE
};

fn verify_function(ir: &Ir, op: Op) -> Result<(), OpError> {
    function::verify(ir, op)?;
    let context = ir.context();
    let Some(TypeKind::Function { results, .. }) =
        ir.function_type(op).map(|ty| context.type_kind(ty))
    else {
        return Ok(());
    };
    if results.is_empty() {
        return Err("result is expected to be at least of size 1, but got 0".into());
    }
    for (i, &ty) in results.iter().enumerate() {
        if is_token(context, ty) && i > 0 {
            return Err(format!(
                " results' (optional) async token type is expected to appear as the 1st return value, but got {}",
                i + 1
            )
            .into());
        }
        if !is_token(context, ty) && !is_value(context, ty) {
            return Err(format!(
                "result type must be async value type or async token type, but got '{}'",
                type_to_string(context, ty)
            )
            .into());
        }
    }
    Ok(())
}

/// `async.return`: ends an `async.func`.
pub static RETURN: OpDef = const {
    OpDef {
        name: "async.return",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        verify: verify_return,
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($operands^ `:` type($operands))?");

fn verify_return(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_parent(ir, op, &[&FUNC])?;
    let context = ir.context();
    let Some(TypeKind::Function { results, .. }) =
        ir.function_type(ir.root()).map(|ty| context.type_kind(ty))
    else {
        return Ok(());
    };
    let values = results.iter().filter(|&&ty| !is_token(context, ty));
    let held: Vec<Option<Type>> = values.map(|&ty| held_type(context, ty)).collect();
    // The function reports other types itself.
    if held.contains(&None) {
        return Ok(());
    }
    let operands = ir.operands(op).iter();
    match operands.map(|&v| Some(ir.value_type(v))).eq(held) {
        true => Ok(()),
        false => Err("operand types do not match the types returned from the parent FuncOp".into()),
    }
}

/// `async.call`: calls an [`FUNC`].
pub static CALL: OpDef = const {
    OpDef {
        name: "async.call",
        operands: &[ValueSpec::variadic("operands", &ANY)],
        results: &[ValueSpec::variadic("results", &VALUE_OR_TOKEN)],
        attributes: &[
            AttrSpec::required(Name::CALLEE, &FLAT_SYMBOL_REF_ATTR),
            AttrSpec::optional(Name::ARG_ATTRS, &DICTIONARY_ARRAY_ATTR),
            AttrSpec::optional(Name::RES_ATTRS, &DICTIONARY_ARRAY_ATTR),
        ],
        verify_symbols: Some(verify_callee),
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

fn verify_callee(ir: &Ir, op: Op, symbols: &SymbolTable) -> Result<(), OpError> {
    let context = ir.context();
    let name = ir.attr(op, Name::CALLEE);
    let name = name
        .and_then(|attr| context.attr_flat_symbol(attr))
        .unwrap_or_default();
    let kind = symbols
        .get(name)
        .filter(|symbol| std::ptr::eq(symbol.def, &FUNC))
        .and_then(|symbol| symbol.function_type)
        .map(|ty| context.type_kind(ty));
    let Some(TypeKind::Function { inputs, results }) = kind else {
        return Err(format!("'{name}' does not reference a valid async function").into());
    };
    let text = |ty| format!("'{}'", type_to_string(context, ty));
    let operands = ir.operands(op);
    if operands.len() != inputs.len() {
        return Err("incorrect number of operands for callee".into());
    }
    for (i, (&operand, &expected)) in operands.iter().zip(inputs).enumerate() {
        let ty = ir.value_type(operand);
        if ty != expected {
            return Err(format!(
                "operand type mismatch: expected operand type {}, but provided {} for operand number {i}",
                text(expected),
                text(ty),
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
        let types: Vec<String> = types.iter().map(|&ty| text(ty)).collect();
        types.join(", ")
    };
    let loc = ir.loc(op);
    Err(
        OpError::from(format!("result type mismatch at index {index}"))
            .note(loc, format!("      op result types: {}", list(&provided)))
            .note(loc, format!("function result types: {}", list(results))),
    )
}
