//! `strip-model-wrappers`: models in the wrappers of IREE and of `ml_program`
//! become plain functions on tensors.
//!
//! Before:
//! ```mlir
//! util.func public @f$async(%v: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
//!   %x = hal.tensor.import wait(%wait) => %v : !hal.buffer_view -> tensor<4xf32>
//!   %y = math.exp %x : tensor<4xf32>
//!   %z = hal.tensor.barrier join(%y : tensor<4xf32>) => %signal : !hal.fence
//!   %r = hal.tensor.export %z : tensor<4xf32> -> !hal.buffer_view
//!   util.return %r : !hal.buffer_view
//! }
//! ```
//! After:
//! ```mlir
//! func.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %y = math.exp %x : tensor<4xf32>
//!   return %y : tensor<4xf32>
//! }
//! ```
//!
//! A function `@f` that only waits for `@f$async` goes, and its name is that of
//! the other one. Globals that do not change become constants where they are
//! loaded; others become `memref.global`, if they are tensors.

use freehold_frontend::dialects::{
    arith, bufferization, func, hal, memref, ml_program, tensor, util,
};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};
use rustc_hash::FxHashMap;

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::Signature;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "strip-model-wrappers",
    summary: "turn models wrapped by IREE or ml_program into plain functions on tensors",
    anchor: Anchor::Module,
    run: |ir, context| strip_module(ir, &mut context.diagnostics),
};

/// What follows the name of a function that signals a fence when it is done.
const ASYNC: &str = "$async";

/// A global of a model.
struct Global {
    op: Op,
    ty: Type,
    value: Option<Attr>,
    is_mutable: bool,
}

fn strip_module(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            strip_module(nested, diagnostics)?;
        }
    }
    let globals = globals(ir);
    let functions = functions::functions(ir);
    let has_wrappers = |&stub: &Op| ir.nested(stub).is_some_and(is_wrapped);
    if globals.is_empty() && !functions.iter().any(has_wrappers) {
        return Ok(());
    }
    erase_waiting_functions(ir, &functions);
    for stub in functions::functions(ir) {
        if let Some(function) = ir.nested_mut(stub) {
            strip_globals(function, &globals, diagnostics)?;
            if is_wrapped(function) {
                strip_function(function, diagnostics)?;
            }
        }
    }
    for (_, global) in globals {
        match global.is_mutable {
            true => become_buffer(ir, &global),
            false => ir.erase_op(global.op),
        }
    }
    Ok(())
}

/// Whether a function takes or returns what only IREE knows.
fn is_wrapped(function: &Ir) -> bool {
    let context = function.context();
    let is_foreign = |ty: &Type| {
        matches!(context.type_kind(*ty), TypeKind::Dialect { dialect, .. }
            if context.name(*dialect) == "hal")
    };
    match function
        .function_type(function.root())
        .map(|ty| context.type_kind(ty))
    {
        Some(TypeKind::Function { inputs, results }) => {
            inputs.iter().chain(results).any(is_foreign)
        }
        _ => false,
    }
}

/// All globals of models, in order.
fn globals(ir: &Ir) -> Vec<(String, Global)> {
    let context = ir.context();
    let block = ir.root_block().into_iter();
    block
        .flat_map(|block| ir.ops_in(block))
        .filter_map(|op| {
            let value = if ir.is(op, &util::GLOBAL) {
                Name::INITIAL_VALUE
            } else if ir.is(op, &ml_program::GLOBAL) {
                Name::VALUE
            } else {
                return None;
            };
            let global = Global {
                op,
                ty: context.attr_type(ir.attr(op, Name::TYPE)?)?,
                value: ir.attr(op, value),
                is_mutable: ir.has_attr(op, Name::IS_MUTABLE),
            };
            Some((ir.symbol_name(op)?.to_owned(), global))
        })
        .collect()
}

/// Erases functions that call one of their own name that signals a fence, and gives that their names.
fn erase_waiting_functions(ir: &mut Ir, functions: &[Op]) {
    let context = ir.context().clone();
    let mut names = FxHashMap::default();
    for &stub in functions {
        let Some(function) = ir.nested(stub).filter(|f| is_wrapped(f)) else {
            continue;
        };
        if let Some(name) = function.symbol_name(function.root()) {
            names.insert(name.to_owned(), stub);
        }
    }
    for &stub in functions {
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let root = function.root();
        let name = function
            .symbol_name(root)
            .and_then(|name| name.strip_suffix(ASYNC));
        if let Some(name) = name.map(str::to_owned)
            && let Some(&waiting) = names.get(&name)
        {
            function.set_attr(root, Name::SYM_NAME, context.string_attr(&name));
            ir.erase_op(waiting);
        }
    }
}

/// Replaces loads of globals by constants, or by reads of the buffers that they become.
fn strip_globals(
    function: &mut Ir,
    globals: &[(String, Global)],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for op in function.collect_ops(function.root()) {
        let loads = [
            &util::GLOBAL_LOAD,
            &ml_program::GLOBAL_LOAD,
            &ml_program::GLOBAL_LOAD_CONST,
        ];
        let is_load = loads.iter().any(|def| function.is(op, def));
        if !is_load && !function.is(op, &ml_program::GLOBAL_STORE) {
            continue;
        }
        let fail = |function: &Ir, diagnostics: &mut Diagnostics, problem: &str| {
            let message = format!("'{}' op {problem}", function.op_name(op));
            Err(diagnostics.error(function.loc(op), message))
        };
        let context = function.context().clone();
        let name = function
            .attr(op, Name::GLOBAL)
            .and_then(|attr| context.attr_flat_symbol(attr));
        let global = name.and_then(|name| globals.iter().find(|(other, _)| other == name));
        let Some((name, global)) = global else {
            return fail(function, diagnostics, "refers to no global");
        };
        let value = match is_load {
            true => function.result(op, 0),
            false => function.operand(op, 0),
        };
        if function.value_type(value) != global.ty {
            return fail(function, diagnostics, "has another type than the global");
        }
        let mut builder = Builder::before(function, op);
        if !global.is_mutable {
            let Some(attr) = global.value.filter(|_| is_load) else {
                let problem = "needs a global with a value, or one that is mutable";
                return fail(function, diagnostics, problem);
            };
            let constant = arith::constant_attr(&mut builder, attr);
            function.replace_op(op, &[constant]);
            continue;
        }
        let Some(buffer_type) = buffer_type(builder.ir, global.ty) else {
            let problem = "refers to a mutable global that is no ranked tensor";
            return fail(function, diagnostics, problem);
        };
        let buffer = memref::build::get_global(&mut builder, name, buffer_type);
        if is_load {
            // Without `restrict`, that is a copy.
            let loaded = builder.value(&bufferization::TO_TENSOR, &[buffer], global.ty);
            function.replace_op(op, &[loaded]);
        } else {
            let spec = builder
                .spec(&bufferization::MATERIALIZE_IN_DESTINATION)
                .operands(&[value, buffer])
                .attr(Name::WRITABLE, Attr::UNIT);
            builder.create(spec);
            function.erase_op(op);
        }
    }
    Ok(())
}

fn buffer_type(ir: &Ir, ty: Type) -> Option<Type> {
    match ir.context().type_kind(ty) {
        TypeKind::RankedTensor { shape, element, .. } => Some(
            ir.context()
                .memref_type(MemRefType::identity(shape, *element)),
        ),
        _ => None,
    }
}

/// Replaces a mutable global of a model by a `memref.global`.
fn become_buffer(ir: &mut Ir, global: &Global) {
    let context = ir.context().clone();
    if let Some(ty) = buffer_type(ir, global.ty) {
        let mut spec = OpSpec::new(&memref::GLOBAL, ir.loc(global.op))
            .attr(Name::TYPE, context.type_attr(ty))
            .attr(Name::INITIAL_VALUE, global.value.unwrap_or(Attr::UNIT));
        for name in [Name::SYM_NAME, Name::SYM_VISIBILITY] {
            if let Some(attr) = ir.attr(global.op, name) {
                spec.set_attr(name, attr);
            }
        }
        let buffer = ir.create_op(spec);
        ir.insert_op_before(global.op, buffer);
    }
    ir.erase_op(global.op);
}

/// Makes tensors of the buffer views that a function takes and returns.
fn strip_function(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let context = ir.context().clone();
    let root = ir.root();
    let Some(entry) = ir.root_block() else {
        let message = "a function without a body cannot take or return other values than tensors";
        return Err(diagnostics.error(ir.loc(root), message));
    };
    for argument in ir.block_args(entry).to_vec() {
        if hal::is_type(&context, ir.value_type(argument), "buffer_view") {
            strip_import(ir, argument, diagnostics)?;
        }
    }
    for op in ir.collect_ops(root) {
        if ir.is_erased(op) {
            continue;
        }
        if ir.is(op, &hal::TENSOR_BARRIER) {
            let sources = ir.operand_group(op, 0).to_vec();
            ir.replace_op(op, &sources);
        } else if ir.is(op, &func::RETURN) {
            for index in 0..ir.operands(op).len() {
                if let Some(export) = ir.defined_by(ir.operand(op, index), &hal::TENSOR_EXPORT) {
                    let source = ir.operand(export, 0);
                    ir.set_operand(op, index, source);
                }
            }
        }
    }
    // Uses come after definitions.
    for op in ir.collect_ops(root).into_iter().rev() {
        if ir.def(op).dialect() != "hal" && !ir.is(op, &util::NULL) {
            continue;
        }
        if !ir.is_unused(op) {
            let message = format!("'{}' op means nothing without IREE", ir.op_name(op));
            return Err(diagnostics.error(ir.loc(op), message));
        }
        ir.erase_op(op);
    }
    for index in (0..ir.block_args(entry).len()).rev() {
        let argument = ir.block_args(entry)[index];
        if hal::is_type(&context, ir.value_type(argument), "fence") && ir.has_no_uses(argument) {
            ir.remove_block_arg(entry, index);
        }
    }
    let attrs = context.dict(ir.attrs(root)).to_vec();
    for (name, _) in attrs {
        let text = context.name(name);
        if text.starts_with("iree.") || matches!(text, "inlining_policy" | "tied_operands") {
            ir.remove_attr(root, name);
        }
    }
    store_signature(ir);
    Ok(())
}

/// Gives an argument the type of the tensor that is imported from it.
fn strip_import(ir: &mut Ir, argument: Value, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let users: Vec<Op> = ir.uses(argument).iter().map(|u| u.op).collect();
    let import = users.iter().find(|&&user| ir.is(user, &hal::TENSOR_IMPORT));
    let Some(&import) = import else {
        let message = "a buffer view that no tensor is imported from has no type";
        return Err(diagnostics.error(ir.value_loc(argument), message));
    };
    let ty = ir.value_type(ir.result(import, 0));
    ir.set_value_type(argument, ty);
    for user in users {
        if ir.is(user, &hal::TENSOR_IMPORT) && ir.value_type(ir.result(user, 0)) == ty {
            ir.replace_op(user, &[argument]);
        } else if ir.is(user, &hal::BUFFER_VIEW_DIM) {
            let index = ir.attr(user, Name::INDEX);
            let index = index.and_then(|attr| ir.context().attr_integer(attr));
            let mut builder = Builder::before(ir, user);
            let index = arith::constant_index(&mut builder, index.unwrap_or(0) as i64);
            let size = builder.value(&tensor::DIM, &[argument, index], Type::INDEX);
            ir.replace_op(user, &[size]);
        } else {
            let message = format!(
                "'{}' op needs a buffer view, and not just the tensor in it",
                ir.op_name(user)
            );
            return Err(diagnostics.error(ir.loc(user), message));
        }
    }
    Ok(())
}

/// The types of arguments and of returned values become those of the function.
fn store_signature(ir: &mut Ir) {
    let context = ir.context().clone();
    let none = context.intern_dict(Vec::new());
    let types = |ir: &Ir, values: &[Value]| -> Vec<_> {
        values.iter().map(|&v| (ir.value_type(v), none)).collect()
    };
    let entry = ir.root_block().expect("the function has a body");
    let inputs = types(ir, ir.block_args(entry));
    let returns = ir.walk(ir.root()).find(|&op| ir.is(op, &func::RETURN));
    let results = returns.map_or(Vec::new(), |op| types(ir, ir.operands(op)));
    let root = ir.root();
    Signature { inputs, results }.store(ir, root);
}
