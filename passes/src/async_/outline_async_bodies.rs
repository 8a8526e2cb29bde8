//! `outline-async-bodies`: bodies of `async.execute` become functions that the code generator starts on other threads.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
//!   %token = async.execute {
//!     memref.store %x, %m[%i] : memref<4xf32>
//!     async.yield
//!   }
//!   async.await %token : !async.token
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
//!   %token = call @f_async_0(%x, %m, %i) : (f32, memref<4xf32>, index) -> i64
//!   %0 = call @freehold_async_await(%token) : (i64) -> i64
//!   return
//! }
//! func.func private @freehold_async_await(i64) -> i64
//! func.func private @f_async_0(%x: f32, %m: memref<4xf32>, %i: index) -> i64 attributes {freehold.async} {
//!   ...
//!   %done = arith.constant 0 : i64
//!   return %done : i64
//! }
//! ```
//!
//! `freehold.async` promises that a call may return at once with a number for the body, which runs until that
//! number was waited for. It has the value "may_wait" if bodies wait for groups of others, so what follows the call may be what
//! it waits for. Who does not know the attribute runs the body in the call; zero stands for a body that has run. The body
//! waits for what it depends on first. A group is stack memory of whoever makes it. `run-async-in-order` comes before.

use std::collections::BTreeSet;

use freehold_frontend::dialects::memref::{self, build};
use freehold_frontend::dialects::{arith, async_, func, scf};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;
use crate::rewrite::outline::{self, ASYNC_ATTR, Captures, Names};
use crate::rewrite::stack_memory::stack_block;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "outline-async-bodies",
    summary: "outline bodies of async.execute into functions that run on other threads",
    anchor: Anchor::Module,
    run: |ir, context| {
        let n_outlined = outline_in_module(ir, &mut context.diagnostics)?;
        context.count("bodies outlined", n_outlined);
        Ok(())
    },
};

/// The value of that which says that the body may wait for what comes after the call.
const MAY_WAIT: &str = "may_wait";

/// The functions of the runtime library, by what they wait for or make, with the number of arguments.
const AWAIT: (&str, usize) = ("freehold_async_await", 1);
const CREATE_GROUP: (&str, usize) = ("freehold_async_create_group", 2);
const ADD_TO_GROUP: (&str, usize) = ("freehold_async_add_to_group", 2);
const AWAIT_ALL: (&str, usize) = ("freehold_async_await_all", 1);

/// Words of a group in memory, as the runtime library has it.
const GROUP_WORDS: i64 = 4;

fn outline_in_module(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<u64, Failed> {
    let symbols = SymbolTable::of(ir);
    let mut used = BTreeSet::new();
    let mut n_outlined = 0;
    let may_wait = functions::stubs(ir, |ir, op| ir.has_trait(op, Traits::FUNCTION))
        .into_iter()
        .filter_map(|stub| ir.nested(stub))
        .any(waits_for_others);
    let block = ir.root_block().expect("modules have a body");
    for stub in functions::stubs(ir, |ir, op| ir.has_trait(op, Traits::FUNCTION)) {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        refuse(function, diagnostics)?;
        let mut outlined = outline_in_function(function, &symbols, may_wait);
        lower(function, &mut used);
        for body in &mut outlined {
            lower(body, &mut used);
        }
        n_outlined += outlined.len() as u64;
        for body in outlined {
            let stub = ir.create_nested(body);
            ir.append_op(block, stub);
        }
    }
    for (name, n_inputs) in used {
        declare(ir, &symbols, name, n_inputs, diagnostics)?;
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_outlined += outline_in_module(nested, diagnostics)?;
        }
    }
    Ok(n_outlined)
}

/// The operations that become calls of the runtime library.
const LOWERED: [&OpDef; 7] = [
    &async_::ADD_TO_GROUP,
    &async_::AWAIT,
    &async_::AWAIT_ALL,
    &async_::CREATE_GROUP,
    &async_::EXECUTE,
    &async_::NUM_WORKER_THREADS,
    &async_::YIELD,
];

/// Reports what an earlier pass has to lower.
fn refuse(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let context = ir.context();
    for op in ir.walk(ir.root()) {
        let mut values = ir.operands(op).iter().chain(ir.results(op));
        let is_value = |&value: &Value| async_::is_value(context, ir.value_type(value));
        let is_lowered = LOWERED.iter().any(|row| ir.is(op, row));
        let is_other = ir.op_name(op).starts_with("async.") && !is_lowered;
        if is_other || values.any(is_value) {
            let message = format!(
                "'{}' op has to be lowered by '--async-func-to-async-runtime --run-async-in-order=threads=N' before",
                ir.op_name(op)
            );
            return Err(diagnostics.error(ir.loc(op), message));
        }
    }
    Ok(())
}

fn declare(
    ir: &mut Ir,
    symbols: &SymbolTable,
    name: &str,
    n_inputs: usize,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let context = ir.context().clone();
    let loc = ir.loc(ir.root());
    let inputs = vec![Type::I64; n_inputs];
    let ty = context.function_type(&inputs, &[Type::I64]);
    if let Some(symbol) = symbols.get(name) {
        return match symbol.function_type == Some(ty) && !symbol.has_body {
            true => Ok(()),
            false => {
                let message = format!("'{name}' is a function of the runtime library");
                Err(diagnostics.error(symbol.loc, message))
            }
        };
    }
    let mut declaration = func::function(&context, loc, name, &inputs, &[Type::I64]);
    let root = declaration.root();
    declaration.set_attr(root, Name::SYM_VISIBILITY, context.string_attr("private"));
    let block = ir.root_block().expect("modules have a body");
    let stub = ir.create_nested(declaration);
    ir.append_op(block, stub);
    Ok(())
}

/// Outlines the bodies of one function, inner ones first; returns the functions they became.
fn outline_in_function(ir: &mut Ir, symbols: &SymbolTable, may_wait: bool) -> Vec<Ir> {
    let base = ir.symbol_name(ir.root()).unwrap_or("f").to_owned();
    let mut names = Names::new(symbols, "async");
    let mut executes = ir.collect_ops(ir.root());
    executes.retain(|&op| ir.is(op, &async_::EXECUTE));
    executes.reverse();
    let outline = |op| outline(ir, op, &names.name(&base), may_wait);
    executes.into_iter().map(outline).collect()
}

/// Replaces `execute` by a call of the function that is returned.
fn outline(ir: &mut Ir, execute: Op, name: &str, may_wait: bool) -> Ir {
    let view = async_::Execute(execute);
    let body = view.body(ir);
    let dependencies = view.dependencies(ir).to_vec();
    let end = ir.last_op(body).expect("a body has a terminator");
    ir.erase_op(end);
    let mut builder = Builder::before(ir, execute);
    let loc = builder.loc();
    let region = scf::build_execute_region(&mut builder, &[]);
    let inner = ir.region(region, 0);
    let block = ir.entry_block(inner).expect("it was made with a block");
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    for token in dependencies {
        builder.op(&async_::AWAIT, &[token], &[]);
    }
    ir.move_block_contents_to_end(body, block);
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    scf::build_yield(&mut builder, &[]);
    let captures = Captures::of(ir, region, &[]);
    let mut function = outline::function(ir, region, name, &captures);
    return_zero(&mut function);
    mark(&mut function, may_wait);
    ir.erase_op(region);
    let mut builder = Builder::before(ir, execute);
    let call = func::build_call(&mut builder, name, &[Type::I64], &captures.values);
    let token = ir.result(call, 0);
    ir.replace_all_uses(view.token(ir), token);
    ir.erase_op(execute);
    function
}

/// Whether a body, or a function, waits for a group that it has not made.
fn waits_for_others(ir: &Ir) -> bool {
    let body_of = |mut op: Op| {
        while let Some(parent) = ir.parent_op(op) {
            op = parent;
            if ir.has_trait(op, Traits::RUNS_LATER) {
                break;
            }
        }
        op
    };
    ir.walk(ir.root()).any(|op| {
        ir.is(op, &async_::AWAIT_ALL) && {
            let made = ir.defined_by(ir.operand(op, 0), &async_::CREATE_GROUP);
            made.is_none_or(|made| body_of(made) != body_of(op))
        }
    })
}

/// Marks a function that runs a body.
fn mark(function: &mut Ir, may_wait: bool) {
    let context = function.context().clone();
    let value = match may_wait {
        true => context.string_attr(MAY_WAIT),
        false => Attr::UNIT,
    };
    let attr = context.intern_name(ASYNC_ATTR);
    function.set_attr(function.root(), attr, value);
}

/// Lets a function without results return what stands for a body that has run.
fn return_zero(function: &mut Ir) {
    let context = function.context().clone();
    let root = function.root();
    if let Some(TypeKind::Function { inputs, .. }) =
        (function.function_type(root)).map(|ty| context.type_kind(ty))
    {
        let ty = context.function_type(inputs, &[Type::I64]);
        function.set_attr(root, Name::FUNCTION_TYPE, context.type_attr(ty));
    }
    let block = function.root_block().expect("the function has a body");
    let end = function.last_op(block).expect("the function returns");
    let zero = arith::constant_int(&mut Builder::before(function, end), Type::I64, 0);
    function.set_operands(end, &[zero]);
}

/// Tokens and groups become numbers, operations calls of the runtime library.
fn lower(ir: &mut Ir, used: &mut BTreeSet<(&'static str, usize)>) {
    let ops = ir.collect_ops(ir.root());
    for &op in &ops {
        let blocks = ir
            .regions(op)
            .iter()
            .flat_map(|&region| ir.blocks_in(region));
        let arguments = blocks.flat_map(|block| ir.block_args(block));
        let defined: Vec<Value> = ir.results(op).iter().chain(arguments).copied().collect();
        for value in defined {
            let ty = ir.value_type(value);
            let new = number(ir, ty);
            if new != ty {
                ir.set_value_type(value, new);
            }
        }
        for (name, attr) in ir.context().dict(ir.attrs(op)).to_vec() {
            if let AttrKind::Type(ty) = *ir.context().attr_kind(attr) {
                let new = number(ir, ty);
                if new != ty {
                    let new = ir.context().type_attr(new);
                    ir.set_attr(op, name, new);
                }
            }
        }
    }
    for op in ops {
        lower_op(ir, op, used);
    }
}

/// What a type with tokens or groups becomes.
fn number(ir: &Ir, ty: Type) -> Type {
    let context = ir.context();
    if async_::is_token(context, ty) || async_::is_group(context, ty) {
        return Type::I64;
    }
    match context.type_kind(ty) {
        TypeKind::Function { inputs, results } => {
            let all =
                |types: &[Type]| -> Vec<Type> { types.iter().map(|&ty| number(ir, ty)).collect() };
            context.function_type(&all(inputs), &all(results))
        }
        _ => ty,
    }
}

fn lower_op(ir: &mut Ir, op: Op, used: &mut BTreeSet<(&'static str, usize)>) {
    let mut call = |builder: &mut Builder<'_>, function: (&'static str, usize), args: &[Value]| {
        used.insert(function);
        let call = func::build_call(builder, function.0, &[Type::I64], args);
        builder.ir.result(call, 0)
    };
    if ir.is(op, &async_::AWAIT) {
        let token = ir.operand(op, 0);
        call(&mut Builder::before(ir, op), AWAIT, &[token]);
        ir.erase_op(op);
    } else if ir.is(op, &async_::AWAIT_ALL) {
        let group = ir.operand(op, 0);
        call(&mut Builder::before(ir, op), AWAIT_ALL, &[group]);
        ir.erase_op(op);
    } else if ir.is(op, &async_::ADD_TO_GROUP) {
        let operands = ir.operands(op).to_vec();
        let mut builder = Builder::before(ir, op);
        let rank = call(&mut builder, ADD_TO_GROUP, &operands);
        let rank = builder.value(&arith::INDEX_CAST, &[rank], Type::INDEX);
        ir.replace_op(op, &[rank]);
    } else if ir.is(op, &async_::CREATE_GROUP) {
        let size = ir.operand(op, 0);
        let ty = MemRefType::identity(&[GROUP_WORDS], Type::I64);
        let ty = ir.context().memref_type(ty);
        let block = stack_block(ir, op);
        let memory = build::alloca(&mut Builder::at_start(ir, block), ty, &[]);
        let mut builder = Builder::before(ir, op);
        let address = builder.value(
            &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
            &[memory],
            Type::INDEX,
        );
        let address = builder.value(&arith::INDEX_CAST, &[address], Type::I64);
        let size = builder.value(&arith::INDEX_CAST, &[size], Type::I64);
        let group = call(&mut builder, CREATE_GROUP, &[address, size]);
        ir.replace_op(op, &[group]);
    } else if ir.is(op, &async_::NUM_WORKER_THREADS) {
        let one = arith::constant_index(&mut Builder::before(ir, op), 1);
        ir.replace_op(op, &[one]);
    }
}
