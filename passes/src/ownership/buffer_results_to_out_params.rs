//! `buffer-results-to-out-params`: callers allocate what functions return.
//!
//! Before:
//! ```mlir
//! func.func private @f() -> memref<4xf32> {
//!   %a = memref.alloc() : memref<4xf32>
//!   return %a : memref<4xf32>
//! }
//! %r = call @f() : () -> memref<4xf32>
//! ```
//! After:
//! ```mlir
//! func.func private @f(%out: memref<4xf32>) {
//!   %a = memref.alloc() : memref<4xf32>
//!   memref.copy %a, %out : memref<4xf32> to memref<4xf32>
//!   return
//! }
//! %r = memref.alloc() : memref<4xf32>
//! call @f(%r) : (memref<4xf32>) -> ()
//! ```
//!
//! Every ranked memref result, of declarations too, becomes an argument after
//! all others. Unranked ones stay, and so does everything about functions that
//! are used otherwise than by calls.
//!
//! `hoist-static-allocs` lets a function write into the argument from the
//! start instead of copying into it. That is right for one allocation per
//! result (of two, both may be alive at once), and only in the entry block,
//! which runs once. An alignment that such an allocation asks for goes along
//! to the allocations of the callers. `hoist-dynamic-allocs` does so with
//! allocations of run-time size. Callers inside of the module know a size that is an argument of the function, a dimension
//! of one, or a constant, at every return; any other is an error. Callers outside have to know it: `check-sizes` makes that
//! a precondition of the function, or asserts it.

use freehold_frontend::dialects::func::preconditions::{
    Precondition, Relation, preconditions, set_preconditions,
};
use freehold_frontend::dialects::{arith, func, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};
use rustc_hash::FxHashMap;

use crate::analysis::sizes::{Sizes, shape};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, callee, symbols_used_as_values};
use crate::rewrite::size_checks::SizeCheck;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// mark the new arguments with the attribute 'bufferize.result'
        "add-result-attr" add_result_attr: bool = false,
        /// write directly to the new arguments instead of copying static allocations into them
        "hoist-static-allocs" hoist_static_allocs: bool = false,
        /// also for dynamically shaped allocations; callers outside must pass buffers of the same shape
        "hoist-dynamic-allocs" hoist_dynamic_allocs: bool = false,
        /// change public functions, too
        "modify-public-functions" modify_public_functions: bool = true,
        /// require of callers, or assert, that the new arguments are as large as the results
        "check-sizes" check_sizes: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "buffer-results-to-out-params",
    summary: "turn memref results of functions into arguments allocated by the callers",
    anchor: Anchor::Module,
    run,
};

/// A result that becomes an argument.
struct OutParam {
    /// Which result it was.
    result: usize,
    ty: Type,
    /// The alignment of the allocation that it replaces.
    alignment: Option<Attr>,
    /// Its sizes known at run time, if callers know them.
    sizes: Option<Vec<Size>>,
}

/// A size as callers know it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Argument(usize),
    /// Of an argument, which dimension.
    Dimension(usize, usize),
    Constant(i64),
}

/// The functions that change, by name.
type Changed = FxHashMap<String, Vec<OutParam>>;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    run_on_module(ir, context.options, &mut context.diagnostics)
}

fn run_on_module(
    ir: &mut Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let used_as_values = symbols_used_as_values(ir);
    let stubs = functions::functions(ir);
    let mut changed = Changed::default();
    let mut result = Ok(());
    for &stub in &stubs {
        let name = ir.symbol_name(stub).unwrap_or_default().to_owned();
        let is_fixed = !options.modify_public_functions && !ir.is_private(stub);
        if used_as_values.contains(&name) || is_fixed {
            continue;
        }
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        match change_function(function, options) {
            Ok(out_params) if out_params.is_empty() => {}
            Ok(out_params) => {
                changed.insert(name, out_params);
            }
            Err(message) => result = Err(diagnostics.error(function.loc(function.root()), message)),
        }
    }
    result?;
    let outcomes = functions::map_functions(ir, |function| {
        let mut diagnostics = Diagnostics::new();
        let outcome = change_calls(function, &changed, &mut diagnostics);
        (outcome, diagnostics)
    });
    for (outcome, reports) in outcomes {
        diagnostics.append(reports);
        result = result.and(outcome);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            result = result.and(run_on_module(nested, options, diagnostics));
        }
    }
    result
}

/// Changes the type, the body and the returns of one function.
fn change_function(ir: &mut Ir, options: &Options) -> Result<Vec<OutParam>, &'static str> {
    let context = ir.context().clone();
    let Some(mut signature) = Signature::of(ir, ir.root()) else {
        return Ok(Vec::new());
    };
    let mut out_params = Vec::new();
    for (result, &(ty, _)) in signature.results.iter().enumerate() {
        let Some(memref) = context.as_memref(ty) else {
            continue;
        };
        if !memref::is_contiguous(&context, memref) && !is_fully_dynamic(&context, memref) {
            return Err("cannot create out param for result with unsupported layout");
        }
        out_params.push(OutParam {
            result,
            ty,
            alignment: None,
            sizes: None,
        });
    }
    if out_params.is_empty() {
        return Ok(out_params);
    }
    for out_param in out_params.iter().rev() {
        signature.results.remove(out_param.result);
    }
    let mark = context.intern_name("bufferize.result");
    let attrs = if options.add_result_attr {
        vec![(mark, Attr::UNIT)]
    } else {
        Vec::new()
    };
    let attrs = context.intern_dict(attrs);
    let inputs = out_params.iter().map(|out_param| (out_param.ty, attrs));
    signature.inputs.extend(inputs);
    signature.store(ir, ir.root());
    let Some(entry) = ir.root_block() else {
        return Ok(out_params);
    };
    let loc = ir.loc(ir.root());
    let arguments: Vec<Value> = out_params
        .iter()
        .map(|out_param| {
            let argument = ir.append_block_arg(entry, out_param.ty);
            ir.set_arg_loc(argument, loc);
            argument
        })
        .collect();
    let root = ir.root();
    let returns: Vec<Op> = ir
        .walk(root)
        .filter(|&op| ir.is(op, &func::RETURN))
        .collect();
    if options.hoist_dynamic_allocs {
        for out_param in &mut out_params {
            out_param.sizes = known_sizes(ir, &returns, out_param);
        }
    }
    let mut checks = options.check_sizes.then(|| Checks::new(ir));
    for (out_param, &argument) in out_params.iter_mut().zip(&arguments) {
        if let Some(alloc) = hoistable(ir, &returns, out_param, options) {
            if let Some(checks) = &mut checks {
                checks.same_sizes(ir, argument, ir.result(alloc, 0), alloc);
            }
            out_param.alignment = ir.attr(alloc, Name::ALIGNMENT);
            ir.replace_op(alloc, &[argument]);
        }
    }
    for op in returns {
        for (out_param, &argument) in out_params.iter().zip(&arguments) {
            let returned = ir.operand(op, out_param.result);
            if returned != argument {
                if let Some(checks) = &mut checks {
                    checks.same_sizes(ir, argument, returned, op);
                }
                memref::build::copy(&mut Builder::before(ir, op), returned, argument);
            }
        }
        for out_param in out_params.iter().rev() {
            ir.remove_operand(op, out_param.result);
        }
    }
    if let Some(checks) = checks {
        set_preconditions(ir, &checks.preconditions);
    }
    Ok(out_params)
}

/// Checks that arguments are as large as the results that they replace.
struct Checks {
    sizes: Sizes,
    preconditions: Vec<Precondition>,
}

impl Checks {
    fn new(ir: &Ir) -> Self {
        let mut sizes = Sizes::default();
        let ops = ir
            .root_block()
            .into_iter()
            .flat_map(|block| ir.ops_in(block));
        ops.for_each(|op| sizes.leave(ir, op));
        Self {
            sizes,
            preconditions: preconditions(ir),
        }
    }

    /// Requires of callers that `argument` has the sizes of `buffer`; asserts before `op` what callers do not know.
    fn same_sizes(&mut self, ir: &mut Ir, argument: Value, buffer: Value, op: Op) {
        for dim in 0..shape(ir, argument).len() {
            let check = SizeCheck {
                relation: Relation::Equal,
                left: self.sizes.size(ir, argument, dim),
                right: self.sizes.size(ir, buffer, dim),
                counts: Vec::new(),
            };
            if check.left == check.right {
                continue;
            }
            let is_always_run = ir.block_of(op) == ir.root_block();
            match check.as_precondition(ir, &self.sizes) {
                Some(precondition) if is_always_run => self.preconditions.push(precondition),
                _ => {
                    let message = format!("dimension #{dim} of a result does not fit its argument");
                    check.assert(&mut Builder::before(ir, op), &self.sizes, &message);
                }
            }
        }
    }
}

/// The first allocation in the entry block that is returned as this result, and never freed.
fn hoistable(ir: &Ir, returns: &[Op], out_param: &OutParam, options: &Options) -> Option<Op> {
    returns.iter().find_map(|&op| {
        let value = ir.operand(op, out_param.result);
        let alloc = ir.defined_by(value, &memref::ALLOC)?;
        let is_wanted = match ir.operands(alloc).is_empty() {
            true => options.hoist_static_allocs,
            false => options.hoist_dynamic_allocs,
        };
        let is_freed = (ir.uses(value).iter()).any(|u| ir.is(u.op, &memref::DEALLOC));
        // Where another buffer is returned as this result, its copy must not overwrite what is copied next.
        let is_other = |&value: &Value| {
            let root = root(ir, value);
            let is_known = ir.defined_by(root, &memref::ALLOC).is_some()
                || ir.value_block(root) == ir.root_block() && ir.defining_op(root).is_none();
            root != ir.result(alloc, 0) && (is_known || !ir.is_memref(value))
        };
        let is_kept = |&other: &Op| {
            ir.operand(other, out_param.result) == value || ir.operands(other).iter().all(is_other)
        };
        let is_safe = !is_freed && returns.iter().all(is_kept);
        (is_wanted && is_safe && ir.block_of(alloc) == ir.root_block()).then_some(alloc)
    })
}

/// The sizes of a result that are known at run time only, if they are the same for callers wherever the function returns.
fn known_sizes(ir: &Ir, returns: &[Op], out_param: &OutParam) -> Option<Vec<Size>> {
    let mut known: Option<Vec<Size>> = None;
    for &op in returns {
        let sizes = sizes_of(ir, ir.operand(op, out_param.result))?;
        if known.as_ref().is_some_and(|known| *known != sizes) {
            return None;
        }
        known = Some(sizes);
    }
    known
}

/// The sizes of `buffer` that are known at run time only.
fn sizes_of(ir: &Ir, buffer: Value) -> Option<Vec<Size>> {
    if let Some(alloc) = ir.defined_by(buffer, &memref::ALLOC) {
        let shape = ir.context().shape(ir.value_type(buffer))?;
        let n_sizes = shape.iter().filter(|&&size| size == DYNAMIC).count();
        let sizes = &ir.operands(alloc)[..n_sizes];
        return sizes.iter().map(|&size| size_as_known(ir, size)).collect();
    }
    let argument = argument(ir, buffer)?;
    let shape = ir.context().shape(ir.value_type(buffer))?;
    let dims = (0..).zip(shape).filter(|&(_, &size)| size == DYNAMIC);
    Some(
        dims.map(|(dim, _)| Size::Dimension(argument, dim))
            .collect(),
    )
}

fn size_as_known(ir: &Ir, size: Value) -> Option<Size> {
    if let Some(argument) = argument(ir, size) {
        return Some(Size::Argument(argument));
    }
    if let Some(constant) = arith::as_constant_index(ir, size) {
        return Some(Size::Constant(constant));
    }
    let dim = ir.defined_by(size, &memref::DIM)?;
    let index = arith::as_constant_index(ir, ir.operand(dim, 1))?;
    let index = usize::try_from(index).ok()?;
    let source = argument(ir, ir.operand(dim, 0))?;
    let rank = ir.context().shape(ir.value_type(ir.operand(dim, 0)))?.len();
    (index < rank).then_some(Size::Dimension(source, index))
}

/// Which argument of the function `value` is.
fn argument(ir: &Ir, value: Value) -> Option<usize> {
    match ir.value_def(value) {
        ValueDef::Argument(block, index) if Some(block) == ir.root_block() => Some(index as usize),
        _ => None,
    }
}

/// The buffer of which `value` is a view.
fn root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(source) = ir.def(op).view_source
    {
        value = source(ir, op);
    }
    value
}

/// Whether nothing is known of the layout.
fn is_fully_dynamic(context: &Context, memref: &MemRefType) -> bool {
    context
        .memref_strides(memref)
        .is_some_and(|(strides, offset)| {
            offset == DYNAMIC && strides.iter().all(|&stride| stride == DYNAMIC)
        })
}

/// What `sizes` are at `call`, made before it.
fn build_sizes(ir: &mut Ir, call: Op, sizes: &[Size]) -> Vec<Value> {
    let operands = ir.operands(call).to_vec();
    let mut builder = Builder::before(ir, call);
    let sizes = sizes.iter().map(|&size| match size {
        Size::Argument(index) => operands[index],
        Size::Constant(size) => arith::constant_index(&mut builder, size),
        Size::Dimension(index, dim) => {
            let dim = arith::constant_index(&mut builder, dim as i64);
            memref::build::dim(&mut builder, operands[index], dim)
        }
    });
    sizes.collect()
}

/// Makes the calls in one function allocate what the called functions fill.
fn change_calls(
    ir: &mut Ir,
    changed: &Changed,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut result = Ok(());
    for op in ir.collect_ops(ir.root()) {
        let Some(out_params) = callee(ir, op).and_then(|name| changed.get(name)) else {
            continue;
        };
        let context = ir.context().clone();
        let mut arguments = Vec::new();
        for out_param in out_params {
            let TypeKind::MemRef(memref) = context.type_kind(out_param.ty) else {
                unreachable!("results of memref type become arguments");
            };
            let is_static = !memref.shape.contains(&DYNAMIC);
            let sizes = match &out_param.sizes {
                _ if is_static => Some(Vec::new()),
                Some(sizes) => Some(build_sizes(ir, op, sizes)),
                None => None,
            };
            let Some(sizes) = sizes else {
                let message = "cannot create out param for dynamically shaped result";
                result = Err(diagnostics.error(ir.loc(op), message));
                break;
            };
            let allocated = context.memref_type(MemRefType {
                layout: None,
                ..memref.clone()
            });
            let mut builder = Builder::before(ir, op);
            let mut argument = memref::build::alloc(&mut builder, allocated, &sizes);
            if let (Some(alignment), Some(alloc)) =
                (out_param.alignment, builder.ir.defining_op(argument))
            {
                builder.ir.set_attr(alloc, Name::ALIGNMENT, alignment);
            }
            if allocated != out_param.ty {
                argument = memref::build::cast(&mut builder, argument, out_param.ty);
            }
            arguments.push(argument);
        }
        if arguments.len() < out_params.len() {
            continue;
        }
        let end = ir.operands(op).len();
        ir.insert_operands(op, end, &arguments);
        for (out_param, &argument) in out_params.iter().zip(&arguments).rev() {
            ir.replace_all_uses(ir.result(op, out_param.result), argument);
            ir.remove_result(op, out_param.result);
        }
    }
    result
}
