//! `use-workspace`: functions take their temporary memory from the caller, or from a static array.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
//!   %a = memref.alloc() : memref<64xf32>
//!   memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!   memref.copy %a, %y : memref<64xf32> to memref<64xf32>
//!   memref.dealloc %a : memref<64xf32>
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: memref<64xf32>, %y: memref<64xf32>, %workspace: memref<256xi8>)
//!     attributes {freehold.workspace_alignment = 16 : i64, freehold.workspace_bytes = 256 : i64} {
//!   %c0 = arith.constant 0 : index
//!   %a = memref.view %workspace[%c0][] : memref<256xi8> to memref<64xf32>
//!   memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!   memref.copy %a, %y : memref<64xf32> to memref<64xf32>
//!   return
//! }
//! ```
//!
//! Functions that others may call (all that are not private) get a last argument, also where they need
//! nothing, so that how they are called does not depend on how well they are compiled. With
//! `mode=static` they use a global of their own instead. Private functions get a last argument if they
//! need memory, and their callers plan it like a buffer that lives during the call.
//!
//! Sizes of run time are computed when the function begins; the workspace is then `memref<?xi8>`, and a
//! function `@f_workspace_size`, which takes what `@f` takes, says how many bytes it must have.
//!
//! All allocations are merged, as `merge-alloc` does without `never-grow`: one plan per function, so
//! the bytes of a buffer are there for others wherever it is not live. What cannot be planned is an
//! error: an allocation that is carried from one iteration of a loop to the next or leaves the function, whose size
//! is not known when the function begins, or which parallel iterations make.

mod layout;
mod sizes;

use std::sync::Arc;

use freehold_frontend::dialects::{bufferization, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use self::layout::{Arena, Layout};
use self::sizes::{check_sizes, hoist_sizes, size_function_of};
use super::merge_alloc::{Alignment, Merged, merge};
use super::stages::{MergeOptions, Schedule, ScopeTrace};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, callee, callees_first, symbols_used_as_values};
use freehold_planner::{NAMES, Planner, planner};

option_words! {
    /// Where temporary memory comes from.
    pub enum Mode {
        /// From the caller.
        Argument = "argument",
        /// From a global per function.
        Static = "static",
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// whether functions get their workspace as an argument or have a static one
        "mode" mode: Mode = Mode::Argument,
        /// minimum alignment of workspaces and of buffers in them
        "alignment" alignment: Alignment = Alignment(16),
        /// node budget of the planner, per function
        "node-budget" node_budget: u64 = 200_000,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "use-workspace",
    summary: "take temporary memory from a workspace: an argument or a static array",
    anchor: Anchor::Module,
    run,
};

/// What the function that says the size of the workspace of `name` is called.
fn size_function(name: &str) -> String {
    format!("{name}_workspace_size")
}

/// The workspace of a function, as its callers see it.
#[derive(Clone, Copy)]
enum Workspace {
    /// It takes none.
    None,
    /// Its last argument, of this type and alignment.
    Argument { ty: Type, alignment: u64 },
    /// Its last argument, of a size that depends on the others.
    OfRunTime,
    /// It cannot have one, as was said.
    Refused,
}

/// What a module needs besides a function.
#[derive(Default)]
struct Made {
    /// Its static workspace.
    global: Option<OpSpec>,
    /// What says how large its workspace must be.
    size_function: Option<Ir>,
}

/// What all functions have in common.
struct Cx<'a> {
    context: Arc<Context>,
    mode: Mode,
    options: MergeOptions,
    planner: Box<dyn Planner>,
    diagnostics: &'a mut Diagnostics,
    /// Of the functions that are done.
    workspaces: FxHashMap<String, Workspace>,
    /// Functions that are more than called.
    used_as_values: FxHashSet<String>,
    /// Functions that are done and need static memory.
    static_users: FxHashSet<String>,
    symbols: SymbolTable,
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let Alignment(alignment) = context.options.alignment;
    if !alignment.is_power_of_two() {
        let message =
            format!("alignment of use-workspace must be a power of two, but got {alignment}");
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    let planning = freehold_planner::Options {
        node_budget: context.options.node_budget,
        ..Default::default()
    };
    let mut cx = Cx {
        context: Arc::clone(ir.context()),
        mode: context.options.mode,
        options: MergeOptions {
            alignment,
            is_tight: false,
            is_sure: false,
            is_whole: true,
            annotates: false,
        },
        planner: planner(NAMES[0], &planning).expect("the first planner has the first name"),
        diagnostics: &mut context.diagnostics,
        workspaces: FxHashMap::default(),
        used_as_values: symbols_used_as_values(ir),
        static_users: FxHashSet::default(),
        symbols: SymbolTable::of(ir),
    };
    run_on_module(ir, &mut cx)
}

fn run_on_module(ir: &mut Ir, cx: &mut Cx<'_>) -> Result<(), Failed> {
    let mut result = Ok(());
    let has_no_body = |&stub: &Op| ir.nested(stub).is_none_or(|f| f.root_block().is_none());
    for stub in functions::functions(ir).into_iter().filter(has_no_body) {
        let name = ir.symbol_name(stub).unwrap_or_default().to_owned();
        cx.workspaces.insert(name, Workspace::None);
    }
    // One of those that call each other in a circle comes before one that it calls, and has no workspace that could be
    // told.
    for stub in callees_first(ir) {
        let mut function = ir.take_nested(stub);
        let made = change_function(&mut function, cx);
        ir.put_nested(stub, function);
        match made {
            Ok(made) => {
                if let Some(global) = made.global {
                    let global = ir.create_op(global);
                    ir.insert_op_before(stub, global);
                }
                if let Some(function) = made.size_function {
                    let function = ir.create_nested(function);
                    ir.insert_op_after(stub, function);
                }
            }
            Err(failed) => {
                let name = ir.symbol_name(stub).unwrap_or_default().to_owned();
                cx.workspaces.insert(name, Workspace::Refused);
                result = Err(failed);
            }
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            cx.symbols = SymbolTable::of(nested);
            result = result.and(run_on_module(nested, cx));
        }
    }
    result
}

/// Gives a function its workspace. Returns what the module needs besides.
fn change_function(ir: &mut Ir, cx: &mut Cx<'_>) -> Result<Made, Failed> {
    let name = ir.symbol_name(ir.root()).unwrap_or_default().to_owned();
    lend_to_callees(ir, cx)?;
    check_sizes(ir, cx.diagnostics)?;
    hoist_sizes(ir);
    let Merged { arenas, .. } = merge(ir, &cx.options, &*cx.planner, cx.diagnostics)?;
    let is_private = ir.is_private(ir.root());
    let arenas = collect_arenas(ir, arenas, cx)?;
    if is_private && arenas.is_empty() {
        cx.workspaces.insert(name, Workspace::None);
        return Ok(Made::default());
    }
    let is_static = cx.mode == Mode::Static && !is_private;
    if !is_static && cx.used_as_values.contains(&name) {
        let message = "is called by its address, so its callers cannot supply a workspace";
        return Err(refuse(ir, ir.root(), message, cx.diagnostics));
    }
    let layout = Layout::of(ir, &arenas);
    let alignment = (arenas.iter())
        .map(|arena| arena.alignment)
        .fold(cx.options.alignment, u64::max);
    let bytes = layout.total.is_none().then_some(layout.bytes);
    let ty = cx.context.memref_type(MemRefType::identity(
        &[bytes.map_or(DYNAMIC, |n| n as i64)],
        Type::I8,
    ));
    let mut made = Made::default();
    if is_static && bytes.is_none() {
        let message = "needs memory of a size of run time, so it has no static workspace";
        return Err(refuse(ir, ir.root(), message, cx.diagnostics));
    }
    if let Some(total) = layout.total
        && !is_private
    {
        let size_name = size_function(&name);
        if cx.symbols.get(&size_name).is_some() {
            let message = format!("needs the name '{size_name}', which is taken");
            return Err(refuse(ir, ir.root(), &message, cx.diagnostics));
        }
        made.size_function = Some(size_function_of(ir, &size_name, total));
    }
    let workspace = match is_static {
        true if bytes == Some(0) => None,
        true => {
            let global = cx.symbols.unique_name(&format!("{name}_workspace"));
            made.global = Some(static_workspace(ir, &global, ty, alignment));
            let entry = ir.root_block().expect("the function has a body");
            let mut builder = Builder::at_start(ir, entry);
            Some(memref::build::get_global(&mut builder, &global, ty))
        }
        false => Some(append_argument(ir, ty)),
    };
    if is_static && workspace.is_some() {
        use_static_memory(ir, cx)?;
    }
    if let Some(workspace) = workspace {
        layout.put(ir, &arenas, workspace);
    }
    let attr = |n: u64| cx.context.i64_attr(n as i64);
    let root = ir.root();
    if let Some(bytes) = bytes {
        ir.set_attr(root, Name::WORKSPACE_BYTES, attr(bytes));
    }
    ir.set_attr(root, Name::WORKSPACE_ALIGNMENT, attr(alignment));
    let workspace = match bytes {
        _ if is_static => Workspace::None,
        Some(_) => Workspace::Argument { ty, alignment },
        None => Workspace::OfRunTime,
    };
    cx.workspaces.insert(name, workspace);
    Ok(made)
}

/// Notes that the function needs static memory, its own or that of one it calls: it must not run while it runs.
fn use_static_memory(ir: &Ir, cx: &mut Cx<'_>) -> Result<(), Failed> {
    let name = ir.symbol_name(ir.root()).unwrap_or_default().to_owned();
    if cx.used_as_values.contains(&name) {
        let message = "is called by its address, so it may run while it runs, and a static workspace is for one";
        return Err(refuse(ir, ir.root(), message, cx.diagnostics));
    }
    cx.static_users.insert(name);
    Ok(())
}

/// Whether iterations of a loop that run at the same time come to `op`.
fn is_in_parallel_loop(ir: &Ir, op: Op) -> bool {
    let mut parents = std::iter::successors(Some(op), |&op| ir.parent_op(op));
    parents.any(|op| op != ir.root() && ir.has_trait(op, Traits::PARALLEL))
}

/// Reports why an operation cannot be, or have, a workspace.
fn refuse(ir: &Ir, op: Op, message: &str, diagnostics: &mut Diagnostics) -> Failed {
    let subject = match ir.symbol_name(op) {
        Some(name) => format!("function '{name}'"),
        None => format!("'{}' op", ir.op_name(op)),
    };
    diagnostics.error(ir.loc(op), format!("{subject} {message}"))
}

/// Allocates, around each call, the memory that the called function wants.
fn lend_to_callees(ir: &mut Ir, cx: &mut Cx<'_>) -> Result<(), Failed> {
    let mut result = Ok(());
    let mut calls_static = false;
    for call in ir.collect_ops(ir.root()) {
        let Some(name) = callee(ir, call) else {
            continue;
        };
        if cx.static_users.contains(name) {
            if is_in_parallel_loop(ir, call) {
                let message = format!(
                    "is made by iterations that run at the same time, and the static workspace of function '{name}' is for one"
                );
                result = Err(refuse(ir, call, &message, cx.diagnostics));
            }
            calls_static = true;
        }
        match cx.workspaces.get(name).copied() {
            Some(Workspace::None) => {}
            Some(Workspace::Argument { ty, alignment }) => {
                let buffer = memref::build::alloc(&mut Builder::before(ir, call), ty, &[]);
                if let Some(alloc) = ir.defining_op(buffer) {
                    let alignment = cx.context.i64_attr(alignment as i64);
                    ir.set_attr(alloc, Name::ALIGNMENT, alignment);
                }
                memref::build::dealloc(&mut Builder::after(ir, call), buffer);
                let end = ir.operands(call).len();
                ir.insert_operands(call, end, &[buffer]);
            }
            Some(Workspace::Refused) => result = Err(Failed),
            Some(Workspace::OfRunTime) => {
                let message = format!(
                    "cannot lend a workspace to function '{name}', whose size is known at run time only"
                );
                result = Err(refuse(ir, call, &message, cx.diagnostics));
            }
            // It is not done, so it leads back here.
            None => {
                let message = format!(
                    "is a call in a circle: the workspace of function '{name}' has no size"
                );
                result = Err(refuse(ir, call, &message, cx.diagnostics));
            }
        }
    }
    if calls_static {
        result = result.and(use_static_memory(ir, cx));
    }
    result
}

/// Checks that nothing is allocated but arenas, and nothing freed but these.
fn collect_arenas(
    ir: &mut Ir,
    merged: Vec<(ScopeTrace, Schedule, Value)>,
    cx: &mut Cx<'_>,
) -> Result<Vec<Arena>, Failed> {
    let mut arenas = Vec::new();
    let mut expected: FxHashSet<Op> = FxHashSet::default();
    let mut result = Ok(());
    for (trace, schedule, value) in merged {
        let Some(alloc) = ir.defining_op(value) else {
            continue;
        };
        expected.insert(alloc);
        let frees: Vec<Op> = (ir.uses(value).iter())
            .map(|u| u.op)
            .filter(|&op| ir.is(op, &memref::DEALLOC))
            .collect();
        for free in frees {
            ir.erase_op(free);
        }
        if trace.space.is_some() {
            let message = "is in a memory space, where a workspace is not";
            result = Err(refuse(ir, alloc, message, cx.diagnostics));
        } else if is_in_parallel_loop(ir, alloc) {
            let message = "is made by iterations that run at the same time, so a workspace has no room for it";
            result = Err(refuse(ir, alloc, message, cx.diagnostics));
        }
        arenas.push(Arena {
            value,
            alignment: schedule.alignment,
            bytes: trace.scale.is_static().then_some(schedule.bytes),
        });
    }
    for op in ir.collect_ops(ir.root()) {
        if let Some(message) = what_is_wrong(ir, op).filter(|_| !expected.contains(&op)) {
            result = Err(refuse(ir, op, message, cx.diagnostics));
        }
    }
    result.map(|()| arenas)
}

/// Why an operation that is not an arena has no place in a function with a workspace.
fn what_is_wrong(ir: &Ir, op: Op) -> Option<&'static str> {
    if ir.is(op, &memref::ALLOC) {
        return Some(
            "cannot be part of a workspace: it leaves the function or the iteration of the loop that \
             makes it, so several may be there at once",
        );
    }
    if ir.is(op, &memref::REALLOC) {
        return Some("cannot be part of a workspace: it grows");
    }
    if ir.is(op, &bufferization::CLONE) || ir.is(op, &bufferization::ALLOC_TENSOR) {
        return Some("cannot be part of a workspace: it is not memory yet");
    }
    let frees = ir.is(op, &memref::DEALLOC) || ir.is(op, &bufferization::DEALLOC);
    frees.then_some("frees memory that is not of the workspace")
}

/// A last argument for the function.
fn append_argument(ir: &mut Ir, ty: Type) -> Value {
    let root = ir.root();
    let entry = ir.root_block().expect("the function has a body");
    if let Some(mut signature) = Signature::of(ir, root) {
        let no_attrs = ir.context().intern_dict(Vec::new());
        signature.inputs.push((ty, no_attrs));
        signature.store(ir, root);
    }
    let loc = ir.loc(root);
    let argument = ir.append_block_arg(entry, ty);
    ir.set_arg_loc(argument, loc);
    argument
}

/// A global that only the function `ir` uses.
fn static_workspace(ir: &Ir, name: &str, ty: Type, alignment: u64) -> OpSpec {
    let context = ir.context();
    OpSpec::new(&memref::GLOBAL, ir.loc(ir.root()))
        .attr(Name::SYM_NAME, context.string_attr(name))
        .attr(Name::SYM_VISIBILITY, context.string_attr("private"))
        .attr(Name::TYPE, context.type_attr(ty))
        .attr(Name::INITIAL_VALUE, Attr::UNIT)
        .attr(Name::ALIGNMENT, context.i64_attr(alignment as i64))
}
