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
//! Upstream's pass of this name makes coroutines, which start in their caller. When a function runs nobody may rely on,
//! so the outcome is the same.

use freehold_frontend::dialects::{async_, func};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "async-func-to-async-runtime",
    summary: "turn functions and calls of async into functions, and bodies that call them",
    anchor: Anchor::Module,
    run: |ir, context| {
        context.count("functions converted", convert_module(ir));
        Ok(())
    },
};

fn convert_module(ir: &mut Ir) -> u64 {
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            convert_calls(function);
        }
    }
    let stubs = functions::stubs(ir, |ir, op| ir.is(op, &async_::FUNC));
    let mut n_converted = stubs.len() as u64;
    for stub in stubs {
        ir.set_def(stub, &func::FUNC);
        if let Some(function) = ir.nested_mut(stub) {
            convert_function(function);
            convert_calls(function);
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_converted += convert_module(nested);
        }
    }
    n_converted
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

fn convert_calls(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &async_::CALL) {
            convert_call(ir, op);
        }
    }
}

fn convert_call(ir: &mut Ir, op: Op) {
    let context = ir.context().clone();
    let results = ir.results(op).to_vec();
    let held: Vec<Type> = (results.iter())
        .filter_map(|&result| async_::held_type(&context, ir.value_type(result)))
        .collect();
    let has_token = held.len() < results.len();
    let operands = ir.operands(op).to_vec();
    let callee = ir.attr(op, Name::CALLEE);
    let mut builder = Builder::before(ir, op);
    let execute = async_::build_execute(&mut builder, &held);
    let loc = builder.loc();
    let body = async_::Execute(execute).body(ir);
    let mut builder = Builder::at_end(ir, body);
    builder.set_loc(loc);
    let mut call = OpSpec::new(&func::CALL, loc)
        .operands(&operands)
        .results(&held);
    if let Some(callee) = callee {
        call.set_attr(Name::CALLEE, callee);
    }
    let call = builder.create(call);
    let yielded = builder.ir.results(call).to_vec();
    builder.op(&async_::YIELD, &yielded, &[]);
    let all = ir.results(execute).to_vec();
    let new: &[Value] = if has_token { &all } else { &all[1..] };
    ir.replace_op(op, new);
}
