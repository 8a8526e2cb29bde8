//! `inline`: functions become part of those that call them.
//!
//! Before:
//! ```mlir
//! func.func private @square(%x: f32) -> f32 {
//!   %y = arith.mulf %x, %x : f32
//!   return %y : f32
//! }
//! func.func @f(%a: f32) -> f32 {
//!   %b = call @square(%a) : (f32) -> f32
//!   return %b : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%a: f32) -> f32 {
//!   %b = arith.mulf %a, %a : f32
//!   return %b : f32
//! }
//! ```
//!
//! Callees come before their callers, so inlined bodies have had their own calls inlined. Of functions that call each
//! other the one that is left first is inlined into the others; a function that calls itself is not inlined.
//!
//! A function stays a call where its operations would mean something else:
//! - `memref.alloca` lives until its function returns, and the caller may be in a loop;
//! - operands of affine operations may be any value at the top level of a function, but not inside of
//!   its loops;
//! - several blocks need a region that may have several;
//! - bodies of operations that are no control flow, such as `linalg.generic` and `stablehlo.reduce`, take no operations
//!   with effects and no further blocks. Others become part of them whatever their size: a call would be made for each
//!   element.

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::regions;
use freehold_frontend::dialects::{affine, cf, func, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::interfaces::{Callee, RegionBranchInterface};
use freehold_frontend::ir::location::{Loc, LocKind};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::TypeKind;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{canonicalize, cse, sccp, symbol_dce};
use crate::analysis::call_order::callees_first;
use crate::manage::options::{OptionKind, OptionValue, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// Something that may be done to functions around inlining, by name.
type Simplifier = (&'static str, fn(&mut Ir));

const SIMPLIFIERS: [Simplifier; 3] = [
    ("canonicalize", canonicalize::simplify),
    ("cse", |ir| {
        cse::simplify(ir);
    }),
    ("sccp", |ir| {
        sccp::run_on_function(ir);
    }),
];

/// The treatment of functions before they are inlined, and when something was inlined into them: names of
/// `SIMPLIFIERS`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleanup(Vec<String>);

impl Cleanup {
    fn run(&self, ir: &mut Ir) {
        for (_, simplify) in self.steps() {
            simplify(ir);
        }
    }

    fn steps(&self) -> impl Iterator<Item = Simplifier> {
        let find = |name: &String| SIMPLIFIERS.into_iter().find(|(known, _)| known == name);
        self.0.iter().filter_map(find)
    }
}

impl OptionValue for Cleanup {
    const KIND: OptionKind =
        OptionKind::Other("canonicalize, cse and sccp in any order, with commas");

    fn read(text: &str) -> Option<Self> {
        let names = text.split(',').filter(|name| !name.is_empty());
        let cleanup = Self(names.map(str::to_owned).collect());
        (cleanup.steps().count() == cleanup.0.len()).then_some(cleanup)
    }

    fn text(&self) -> String {
        self.0.join(",")
    }
}

/// A treatment for each kind of function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanupByName(Vec<(String, Cleanup)>);

impl CleanupByName {
    fn find(&self, name: &str) -> Option<&Cleanup> {
        let mut own = self.0.iter().filter(|(known, _)| known == name);
        own.next_back().map(|(_, cleanup)| cleanup)
    }
}

impl OptionValue for CleanupByName {
    const KIND: OptionKind =
        OptionKind::Other("func.func(...), with canonicalize, cse and sccp in the parentheses");

    fn read(mut text: &str) -> Option<Self> {
        let mut all = Vec::new();
        while !text.is_empty() {
            let (name, rest) = text.split_once('(')?;
            let (steps, rest) = rest.split_once(')')?;
            if !name.contains('.') {
                return None;
            }
            all.push((name.to_owned(), Cleanup::read(steps)?));
            text = match rest.strip_prefix(',') {
                Some(more) => more,
                None if rest.is_empty() => rest,
                None => return None,
            };
        }
        Some(Self(all))
    }

    fn text(&self) -> String {
        let parts = self.0.iter();
        let parts = parts.map(|(name, cleanup)| format!("{name}({})", cleanup.text()));
        parts.collect::<Vec<String>>().join(",")
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// what is done to a function before it is inlined, and after something was inlined into it
        "default-pipeline" default_pipeline: Cleanup = Cleanup::default(),
        /// inline no function whose operations are more than this many percent of the caller's; -1: no limit
        "inlining-threshold" inlining_threshold: Option<u64> = None,
        /// also inline functions with one call, which is in a loop
        "loop-bodies" loop_bodies: bool = false,
        /// inline no function of more operations than this; -1: functions of any size
        "max-callee-ops" max_callee_ops: Option<u64> = None,
        /// also inline functions whose copies at all calls have at most this many operations together
        "max-copied-ops" max_copied_ops: u64 = 0,
        /// accepted for compatibility; callees are finished before their callers, and calls in circles are copied once
        "max-iterations" max_iterations: u64 = 4,
        /// the same for each kind of function, in place of default-pipeline; only func.func is inlined
        "op-pipelines" op_pipelines: CleanupByName = CleanupByName::default(),
        /// only calls that pass or return tensors
        "tensors" tensors: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "inline",
    summary: "replace calls by the bodies of the functions they call",
    anchor: Anchor::Module,
    run,
};

/// A function that has grown to this many operations takes no more: two calls in each function of a
/// chain double the size with each of them. Bounds compile time; no benchmark comes near.
const MAX_CALLER_OPS: usize = 20_000;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let wanted = Wanted {
        max_ops: (context.options.max_callee_ops)
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(usize::MAX),
        max_copied: usize::try_from(context.options.max_copied_ops).unwrap_or(usize::MAX),
        loop_bodies: context.options.loop_bodies,
        tensors: context.options.tensors,
        percent: context.options.inlining_threshold,
        cleanup: (context.options.op_pipelines.find(func::FUNC.name))
            .unwrap_or(&context.options.default_pipeline),
    };
    let n_inlined = inline_in_module(ir, wanted);
    context.count("calls inlined", n_inlined);
    let is_body = |ir: &Ir, op| ir.nested(op).is_some_and(|f| f.root_block().is_some());
    let n_erased =
        symbol_dce::erase_dead_symbols(ir, &|ir, op| ir.is(op, &func::FUNC) && is_body(ir, op));
    context.count("functions erased", n_erased);
    Ok(())
}

/// Which calls to inline.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// Limit for the operations of a callee, unless the call stands in a body on elements.
    max_ops: usize,
    /// Limit for the operations that the copies of a function at all its calls have together.
    max_copied: usize,
    /// Also functions with one call, which is in a loop.
    loop_bodies: bool,
    /// Only those that pass or return tensors.
    tensors: bool,
    /// Of functions whose operations are at most this many percent of the caller's.
    percent: Option<u64>,
    /// The treatment of functions first.
    cleanup: &'a Cleanup,
}

/// Inlines in the functions of a module and of the modules inside; returns how many calls.
fn inline_in_module(ir: &mut Ir, wanted: Wanted<'_>) -> u64 {
    let mut n_inlined = 0;
    let cleanup = wanted.cleanup;
    let is_cleaned = !cleanup.0.is_empty();
    if is_cleaned {
        functions::map_functions(ir, |function| cleanup.run(function));
    }
    let mut functions = summarize(ir);
    let bodies = called_from_bodies(&functions);
    let mut n_calls = vec![0usize; functions.len()];
    for &(_, callee) in functions.iter().flat_map(|function| &function.calls) {
        n_calls[callee] += 1;
    }
    let callees = |at: usize| functions[at].calls.iter().map(|&(_, callee)| callee);
    let (order, _) = callees_first(functions.len(), |at| callees(at).collect());
    for at in order {
        let stub = functions[at].stub;
        let mut caller = ir.take_nested(stub);
        let max_ops = if bodies[at] {
            usize::MAX
        } else {
            wanted.max_ops
        };
        let n_before = n_inlined;
        // The last first: a block is split at each call, and what follows moves.
        for (call, callee) in std::mem::take(&mut functions[at].calls).into_iter().rev() {
            let (from, into) = (&functions[callee], &functions[at]);
            let is_small_in_all =
                from.n_ops.saturating_mul(n_calls[callee]) <= ir.capped(wanted.max_copied);
            let is_loop_body =
                wanted.loop_bodies && n_calls[callee] == 1 && is_repeated(&caller, call);
            let max_ops = match is_small_in_all || is_loop_body {
                true => usize::MAX,
                false => max_ops,
            };
            if !from.is_finished
                || !from.may_be_inlined
                || into.n_ops > ir.capped(MAX_CALLER_OPS)
                || wanted.tensors && !has_tensors(&caller, call)
                || !may_take(&caller, call, from, max_ops)
                || (wanted.percent).is_some_and(|most| {
                    (from.n_ops as u64).saturating_mul(100)
                        > (into.n_ops as u64).saturating_mul(most)
                })
            {
                continue;
            }
            let (n_ops, has_affine, has_one_block) =
                (from.n_ops, from.has_affine, from.has_one_block);
            let (n_calls, is_pure) = (from.n_calls, from.is_pure);
            let body = ir.nested(from.stub).expect("only the caller is taken out");
            inline(&mut caller, call, body);
            let into = &mut functions[at];
            into.n_ops += n_ops;
            into.has_affine |= has_affine;
            into.has_one_block &= has_one_block;
            into.n_calls = into.n_calls + n_calls - 1;
            into.is_pure &= is_pure;
            n_inlined += 1;
        }
        if is_cleaned && n_inlined > n_before {
            cleanup.run(&mut caller);
            functions[at].n_ops = caller.walk(caller.root()).count().saturating_sub(1);
        }
        functions[at].is_finished = true;
        ir.put_nested(stub, caller);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_inlined += inline_in_module(nested, wanted);
        }
    }
    n_inlined
}

/// A function with a body.
struct Function {
    /// The operation of the module that stands for it.
    stub: Op,
    /// Its calls of functions in the same list.
    calls: Vec<(Op, usize)>,
    /// How many operations it has.
    n_ops: usize,
    /// Whether a copy of its body does the same elsewhere.
    may_be_inlined: bool,
    has_affine: bool,
    has_one_block: bool,
    /// What it calls in bodies of operations that are no control flow.
    calls_in_bodies: Vec<usize>,
    /// How many calls of functions in the same list it has, with those of what was inlined.
    n_calls: usize,
    /// Whether nothing in it has effects, but for these calls.
    is_pure: bool,
    /// Whether its own calls have been looked at.
    is_finished: bool,
}

/// Looks at all functions of a module that have bodies.
fn summarize(ir: &mut Ir) -> Vec<Function> {
    let stubs: Vec<Op> = functions::functions(ir)
        .into_iter()
        .filter(|&stub| ir.nested(stub).is_some_and(|f| f.root_block().is_some()))
        .collect();
    let mut by_name: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for (at, &stub) in stubs.iter().enumerate() {
        if let Some(name) = ir.symbol_name(stub) {
            by_name.entry(name.into()).or_insert(at);
        }
    }
    // Of the same functions: those of other dialects are not inlined.
    let mut functions = functions::map_nested(ir, stubs.clone(), false, |function| {
        summary(function, &by_name)
    });
    for (at, function) in functions.iter_mut().enumerate() {
        function.stub = stubs[at];
        function.may_be_inlined &= function.calls.iter().all(|&(_, callee)| callee != at);
    }
    functions
}

fn summary(ir: &Ir, by_name: &FxHashMap<Arc<str>, usize>) -> Function {
    let root = ir.root();
    let mut summary = Function {
        stub: root,
        calls: Vec::new(),
        n_ops: 0,
        may_be_inlined: !is_marked(ir, root),
        has_affine: false,
        has_one_block: only_block(ir).is_some(),
        calls_in_bodies: Vec::new(),
        n_calls: 0,
        is_pure: true,
        is_finished: false,
    };
    for op in ir.walk(root).filter(|&op| op != root) {
        summary.n_ops += 1;
        let def = ir.def(op);
        summary.has_affine |= def.dialect() == affine::DIALECT.namespace;
        summary.may_be_inlined &= !def.is_unregistered()
            && !def.traits.contains(Traits::OWNS_ARENA)
            && !ir.is(op, &memref::ALLOCA);
        if ir.is(op, &func::CALL)
            && !ir.has_attr(op, Name::NO_INLINE)
            && let Some(interface) = def.call
            && let Callee::Symbol(symbol) = (interface.callee)(ir, op)
            && let Some(name) = ir.context().attr_flat_symbol(symbol)
            && let Some(&callee) = by_name.get(name)
        {
            summary.calls.push((op, callee));
            summary.n_calls += 1;
            if is_in_body(ir, op) {
                summary.calls_in_bodies.push(callee);
            }
        } else {
            let effects = ir.own_effects(op);
            summary.is_pure &= effects.is_some_and(|effects| effects.iter().next().is_none());
        }
    }
    summary
}

/// Which functions are called in bodies of operations that are no control flow, by themselves or by way of others.
fn called_from_bodies(functions: &[Function]) -> Vec<bool> {
    let mut is_called = vec![false; functions.len()];
    let mut work: Vec<usize> = functions
        .iter()
        .flat_map(|function| function.calls_in_bodies.iter().copied())
        .collect();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut is_called[at], true) {
            work.extend(functions[at].calls.iter().map(|&(_, callee)| callee));
        }
    }
    is_called
}

/// Whether an operation around `op` is no region branch.
fn is_in_body(ir: &Ir, op: Op) -> bool {
    around(ir, op).any(|op| ir.def(op).region_branch.is_none())
}

/// Whether `op` is in a loop of its function.
fn is_repeated(ir: &Ir, op: Op) -> bool {
    let inside = std::iter::once(op).chain(around(ir, op));
    inside.zip(around(ir, op)).any(|(inner, outer)| {
        let region = ir.parent_region(inner);
        let repeats = |interface: &RegionBranchInterface| {
            let at = (ir.regions(outer).iter()).position(|&of_outer| region == Some(of_outer));
            at.is_some_and(|at| (interface.is_repetitive)(ir, outer, at))
        };
        ir.is(outer, &regions::WHILE) || ir.def(outer).region_branch.is_some_and(repeats)
    })
}

/// The operations around `op` in its function.
fn around(ir: &Ir, op: Op) -> impl Iterator<Item = Op> {
    let around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    around.take_while(|&op| op != ir.root())
}

/// Whether what stands in the regions of an operation may be anything.
fn is_control_flow(ir: &Ir, op: Op) -> bool {
    ir.def(op).region_branch.is_some() || ir.has_trait(op, Traits::CONTROL_FLOW)
}

/// Whether a call passes or returns tensors.
fn has_tensors(ir: &Ir, call: Op) -> bool {
    let mut values = ir.operands(call).iter().chain(ir.results(call));
    values.any(|&value| {
        let ty = ir.context().type_kind(ir.value_type(value));
        matches!(
            ty,
            TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor { .. }
        )
    })
}

/// Whether the program asks that the function be left alone.
fn is_marked(ir: &Ir, function: Op) -> bool {
    if ir.has_attr(function, Name::NO_INLINE) {
        return true;
    }
    let context = ir.context();
    let passthrough = ir.attr(function, context.intern_name("passthrough"));
    passthrough
        .and_then(|attr| context.attr_array(attr))
        .is_some_and(|words| {
            let is_noinline = |&word| context.attr_string(word) == Some("noinline");
            words.iter().any(is_noinline)
        })
}

/// The block of a function that has no other and returns at its end.
fn only_block(function: &Ir) -> Option<Block> {
    let &region = function.regions(function.root()).first()?;
    let block = function.single_block(region)?;
    let end = function.last_op(block)?;
    function.is(end, &func::RETURN).then_some(block)
}

/// Whether the place of `call` takes what `callee` has in its body.
fn may_take(caller: &Ir, call: Op, callee: &Function, max_ops: usize) -> bool {
    let root = caller.root();
    let Some(parent) = caller.parent_op(call) else {
        return false;
    };
    if callee.has_affine && parent != root
        || !callee.has_one_block && caller.has_trait(parent, Traits::SINGLE_BLOCK)
    {
        return false;
    }
    if is_in_body(caller, call) && callee.is_pure && callee.has_one_block && callee.n_calls == 0 {
        return true;
    }
    callee.n_ops <= max_ops && around(caller, call).all(|op| is_control_flow(caller, op))
}

/// Replaces `call` by the body of the function `callee`.
fn inline(caller: &mut Ir, call: Op, callee: &Ir) {
    let Some(block) = only_block(callee) else {
        return inline_blocks(caller, call, callee);
    };
    let mut map = IrMap::default();
    let arguments = callee.block_args(block).iter().copied();
    map.values
        .extend(arguments.zip(caller.operands(call).iter().copied()));
    for op in callee.ops_in(block) {
        if !callee.is(op, &func::RETURN) {
            let copy = caller.import_op(callee, op, &mut map);
            caller.insert_op_before(call, copy);
            locate_at_call(caller, copy, call);
        }
    }
    let end = callee.last_op(block).expect("it returns");
    let results = callee.operands(end).iter();
    let results: SmallVec<[Value; 4]> = results.map(|&v| map.value(v)).collect();
    caller.replace_op(call, &results);
}

/// The same for a function of several blocks: what its first one does follows in the block of the
/// call, and a new block with what comes after the call takes what they return.
fn inline_blocks(caller: &mut Ir, call: Op, callee: &Ir) {
    let before = caller.block_of(call).expect("the call is in a block");
    let region = caller.region_of(before).expect("the block is in a region");
    let after = caller.split_block(call);
    for result in caller.results(call).to_vec() {
        let ty = caller.value_type(result);
        let argument = caller.append_block_arg(after, ty);
        caller.replace_all_uses(result, argument);
    }
    let last = caller.last_block(region).expect("it has blocks");
    let body = callee.region(callee.root(), 0);
    caller.import_region(callee, body, region, &mut IrMap::default());
    let mut next = caller.next_block(last);
    let entry = next.expect("the callee has a body");
    while let Some(block) = next {
        next = caller.next_block(block);
        caller.move_block_before(block, after);
        for op in caller.ops_in(block).collect::<Vec<Op>>() {
            locate_at_call(caller, op, call);
        }
        let end = caller.last_op(block).expect("blocks have terminators");
        if caller.is(end, &func::RETURN) {
            let values: SmallVec<[Value; 4]> = caller.operands(end).into();
            cf::build_br(&mut Builder::before(caller, end), after, &values);
            caller.erase_op(end);
        }
    }
    // Nothing branches to the first block of a function.
    for i in 0..caller.operands(call).len() {
        let (argument, operand) = (caller.block_args(entry)[i], caller.operand(call, i));
        caller.replace_all_uses(argument, operand);
    }
    caller.move_block_contents_to_end(entry, before);
    caller.erase_block(entry);
    caller.erase_op(call);
}

/// Says of everything in `op` that it is there because of `call`.
fn locate_at_call(caller: &mut Ir, op: Op, call: Op) {
    let at: Loc = caller.loc(call);
    for op in caller.collect_ops(op) {
        let loc = LocKind::CallSite(caller.loc(op), at);
        let loc = caller.context().intern_loc(loc);
        caller.set_loc(op, loc);
    }
}
