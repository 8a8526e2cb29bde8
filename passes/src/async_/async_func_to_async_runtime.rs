//! `async-func-to-async-runtime`: functions of `async` become functions of `func`, and their calls bodies that call them.
//!
//! Before:
//! ```mlir
//! async.func @f(%x: f32) -> (!async.token, !async.value<f32>) {
//!   return %x : f32
//! }
//! func.func @g(%x: f32) -> f32 {
//!   %token, %value = async.call @f(%x) : (f32) -> (!async.token, !async.value<f32>)
//!   %y = async.await %value : !async.value<f32>
//!   return %y : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: f32) -> f32 {
//!   return %x : f32
//! }
//! func.func @g(%x: f32) -> f32 {
//!   %token, %value = async.execute -> !async.value<f32> {
//!     %z = func.call @f(%x) : (f32) -> f32
//!     async.yield %z : f32
//!   }
//!   %y = async.await %value : !async.value<f32>
//!   return %y : f32
//! }
//! ```
//!
//! Upstream's pass of this name makes coroutines, which start in their caller. When a function runs is unspecified,
//! so the outcome is the same. In programs that ask for errors of bodies, a function that may end with one has a body
//! itself, whose token it returns too.

use freehold_frontend::dialects::{async_, func};
use freehold_frontend::ir::attrs::{Attr, AttrKind, Dict};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::FxHashSet;

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;

use super::errors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "async-func-to-async-runtime",
    summary: "turn functions and calls of async into functions, and bodies that call them",
    anchor: Anchor::Module,
    run: |ir, context| {
        let has_errors = errors::are_asked_for(ir);
        let n_converted = convert_module(ir, has_errors, &mut context.diagnostics)?;
        context.count("functions converted", n_converted);
        Ok(())
    },
};

fn convert_module(
    ir: &mut Ir,
    has_errors: bool,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failed> {
    let stubs = functions::stubs(ir, |ir, op| ir.is(op, &async_::FUNC));
    let mut n_converted = stubs.len() as u64;
    let mut may_fail = FxHashSet::default();
    for &stub in &stubs {
        if let Some(function) = ir.nested(stub)
            && has_errors
            && errors::may_fail(function)
        {
            may_fail.extend(function.symbol_name(function.root()).map(str::to_owned));
        }
    }
    convert_calls(ir, &may_fail);
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            convert_calls(function, &may_fail);
        }
    }
    for stub in stubs {
        ir.set_def(stub, &func::FUNC);
        if let Some(function) = ir.nested_mut(stub) {
            let name = function.symbol_name(function.root());
            match name.is_some_and(|name| may_fail.contains(name)) {
                true => convert_failing_function(function, diagnostics)?,
                false => convert_function(function),
            }
            convert_calls(function, &may_fail);
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_converted += convert_module(nested, has_errors, diagnostics)?;
        }
    }
    Ok(n_converted)
}

/// Makes a function that returns the token of its body, and what that yields in the end.
fn convert_failing_function(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let context = ir.context().clone();
    let root = ir.root();
    let Some(TypeKind::Function { inputs, results }) =
        ir.function_type(root).map(|ty| context.type_kind(ty))
    else {
        return Ok(());
    };
    let block = ir.root_block().expect("a function that fails has a body");
    let end = ir.last_op(block).filter(|&op| ir.is(op, &async_::RETURN));
    let n_blocks = ir.blocks_in(ir.region(root, 0)).count();
    let Some(end) = end.filter(|_| n_blocks == 1) else {
        let message = "'async.func' op may end with an error and has several blocks: a program with it cannot ask for errors";
        return Err(diagnostics.error(ir.loc(root), message));
    };
    let held: Vec<Type> = (results.iter())
        .filter_map(|&ty| async_::held_type(&context, ty))
        .collect();
    let ops: Vec<Op> = ir.ops_in(block).filter(|&op| op != end).collect();
    let returned = ir.operands(end).to_vec();
    let execute = async_::build_execute(&mut Builder::before(ir, end), &held);
    let view = async_::Execute(execute);
    let body = view.body(ir);
    for op in ops {
        ir.move_op_to_end(op, body);
    }
    let loc = ir.loc(end);
    let mut builder = Builder::at_end(ir, body);
    builder.set_loc(loc);
    builder.op(&async_::YIELD, &returned, &[]);
    let mut all = vec![view.token(ir)];
    for (value, &ty) in view.body_results(ir).to_vec().into_iter().zip(&held) {
        all.push(Builder::before(ir, end).value(&async_::LOAD, &[value], ty));
    }
    ir.set_operands(end, &all);
    ir.set_def(end, &func::RETURN);
    let types: Vec<Type> = all.iter().map(|&value| ir.value_type(value)).collect();
    let ty = context.function_type(inputs, &types);
    ir.set_attr(root, Name::FUNCTION_TYPE, context.type_attr(ty));
    if held.len() == results.len()
        && let Some(attrs) = ir.attr(root, Name::RES_ATTRS)
    {
        let attrs = context.attr_array(attrs).unwrap_or_default();
        let none = context.intern_attr(AttrKind::Dictionary(Dict::EMPTY));
        let attrs: Vec<Attr> = [none].into_iter().chain(attrs.iter().copied()).collect();
        ir.set_attr(root, Name::RES_ATTRS, context.array_attr(&attrs));
    }
    Ok(())
}

/// Makes a function that returns what an `async.func` yields in the end.
fn convert_function(ir: &mut Ir) {
    let context = ir.context().clone();
    let root = ir.root();
    let Some(TypeKind::Function { inputs, results }) =
        ir.function_type(root).map(|ty| context.type_kind(ty))
    else {
        return;
    };
    let held: Vec<Type> = (results.iter())
        .filter_map(|&ty| async_::held_type(&context, ty))
        .collect();
    let has_token = held.len() < results.len();
    let ty = context.function_type(inputs, &held);
    ir.set_attr(root, Name::FUNCTION_TYPE, context.type_attr(ty));
    let attrs: Option<Vec<Attr>> = (ir.attr(root, Name::RES_ATTRS))
        .and_then(|attr| context.attr_array(attr))
        .map(<[Attr]>::to_vec);
    match attrs {
        Some(attrs) if has_token && attrs.len() > 1 => {
            ir.set_attr(root, Name::RES_ATTRS, context.array_attr(&attrs[1..]));
        }
        Some(_) if has_token => {
            ir.remove_attr(root, Name::RES_ATTRS);
        }
        _ => {}
    }
    for op in ir.collect_ops(root) {
        if ir.is(op, &async_::RETURN) {
            ir.set_def(op, &func::RETURN);
        }
    }
}

fn convert_calls(ir: &mut Ir, may_fail: &FxHashSet<String>) {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &async_::CALL) {
            convert_call(ir, op, may_fail);
        }
    }
}

fn convert_call(ir: &mut Ir, op: Op, may_fail: &FxHashSet<String>) {
    let context = ir.context().clone();
    let results = ir.results(op).to_vec();
    let held: Vec<Type> = (results.iter())
        .filter_map(|&result| async_::held_type(&context, ir.value_type(result)))
        .collect();
    let has_token = held.len() < results.len();
    let operands = ir.operands(op).to_vec();
    let callee = ir.attr(op, Name::CALLEE);
    let name = callee.and_then(|callee| context.attr_flat_symbol(callee));
    let may_fail = name.is_some_and(|name| may_fail.contains(name));
    let mut returned = held.clone();
    if may_fail {
        returned.insert(0, async_::token_type(&context));
    }
    let mut builder = Builder::before(ir, op);
    let execute = async_::build_execute(&mut builder, &held);
    let loc = builder.loc();
    let body = async_::Execute(execute).body(ir);
    let mut builder = Builder::at_end(ir, body);
    builder.set_loc(loc);
    let mut call = OpSpec::new(&func::CALL, loc)
        .operands(&operands)
        .results(&returned);
    if let Some(callee) = callee {
        call.set_attr(Name::CALLEE, callee);
    }
    let call = builder.create(call);
    let mut yielded = builder.ir.results(call).to_vec();
    if may_fail {
        let token = yielded.remove(0);
        builder.op(&async_::AWAIT, &[token], &[]);
    }
    builder.op(&async_::YIELD, &yielded, &[]);
    let all = ir.results(execute).to_vec();
    let new: &[Value] = if has_token { &all } else { &all[1..] };
    ir.replace_op(op, new);
}
