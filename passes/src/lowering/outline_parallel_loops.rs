//! `outline-parallel-loops`: bodies of parallel loops become functions that the
//! code generator may run on several threads.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
//!   %c0 = arith.constant 0 : index
//!   %c1 = arith.constant 1 : index
//!   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//!     memref.store %x, %m[%i] : memref<?xf32>
//!   }
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
//!   %c0 = arith.constant 0 : index
//!   %count = ... // how many iterations
//!   call @f_parallel_0(%c0, %count, %x, %m) : ...
//!   return
//! }
//! func.func private @f_parallel_0(%begin: index, %end: index, ...)
//!     attributes {freehold.parallel} {
//!   %c1 = arith.constant 1 : index
//!   scf.for %k = %begin to %end step %c1 {
//!     ...
//!   }
//!   return
//! }
//! ```
//!
//! `freehold.parallel` promises that a call does what calls with parts of the
//! range from `%begin` to `%end` do, in any order and at the same time. That is
//! what `scf.parallel` and `scf.forall` promise of their iterations. Who does
//! not know the attribute gets the loop as it was. Who does calls the function with no empty part, so
//! buffers of iterations may be allocated once per part (`merge-alloc`).
//!
//! The outermost loops are outlined, by their first dimension. Those that return tensors or have
//! regions of several blocks inside stay, and so do those whose iterations would share memory that each
//! wants for itself (`scratch`).
//!
//! A loop that reduces something goes through up to 256 slices of its first dimension. Each leaves
//! what it comes to in memory, which is combined afterwards:
//! ```mlir
//! %partial = memref.alloca() : memref<256xi64>
//! call @f_parallel_0(%c0, %slices, %partial, ...) : ...
//! %sum = scf.for %s = %c0 to %slices step %c1 iter_args(%before = %init) -> (i64) {
//!   %x = memref.load %partial[%s] : memref<256xi64>
//!   %after = arith.addi %before, %x : i64
//!   scf.yield %after : i64
//! }
//! ```
//! That is done if the order does not matter: sums, products and the like of integers, largest and
//! smallest numbers. Sums of floats would depend on it, so these loops stay, and results are the same
//! with any number of threads.

mod scratch;

use std::sync::Arc;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::{MemRefType, Type};
use smallvec::SmallVec;

use self::scratch::Callees;
use crate::analysis::reductions::Reduction;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::outline::{self, Captures, Names, PARALLEL_ATTR};
use crate::rewrite::sequential_loops::{
    build_nest, forall_bounds, lower_parallel, parallel_bounds,
};
use crate::rewrite::stack_memory::stack_block;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "outline-parallel-loops",
    summary: "outline bodies of parallel loops into functions that several threads can run",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_outlined = outline_in_module(ir);
    context.count("loops outlined", n_outlined);
    Ok(())
}

/// Outlines the loops of all functions; returns how many.
fn outline_in_module(ir: &mut Ir) -> u64 {
    let symbols = SymbolTable::of(ir);
    let callees = Callees::of(ir);
    let outlined = functions::map_functions(ir, |function| {
        outline_in_function(function, &symbols, &callees)
    });
    let block = ir.root_block().expect("modules have a body");
    let mut n_outlined = 0;
    for function in outlined.into_iter().flatten() {
        let stub = ir.create_nested(function);
        ir.append_op(block, stub);
        n_outlined += 1;
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_outlined += outline_in_module(nested);
        }
    }
    n_outlined
}

/// Outlines the loops of one function; returns the functions they became.
fn outline_in_function(ir: &mut Ir, symbols: &SymbolTable, callees: &Callees) -> Vec<Ir> {
    let mut loops = Vec::new();
    let mut moves = Vec::new();
    let mut walk = ir.walk(ir.root());
    while let Some(op) = walk.next() {
        if is_outlined(ir, op)
            && let Some(scratch) = scratch::movable(ir, op, callees)
        {
            walk.skip_regions(op);
            loops.push(op);
            moves.push((op, scratch));
        }
    }
    for (op, scratch) in moves {
        scratch::move_in(ir, op, &scratch);
    }
    let base = ir.symbol_name(ir.root()).unwrap_or("f").to_owned();
    let mut names = Names::new(symbols, "parallel");
    let outline = |op| outline(ir, op, &names.name(&base));
    loops.into_iter().map(outline).collect()
}

/// Whether `op` is a parallel loop that becomes a function.
fn is_outlined(ir: &Ir, op: Op) -> bool {
    let n_dimensions = if ir.is(op, &scf::PARALLEL) {
        scf::Parallel(op).steps(ir).len()
    } else if ir.is(op, &scf::FORALL) {
        scf::Forall(op).mixed(ir, scf::BoundKind::Step).len()
    } else {
        0
    };
    let has_one_block = |inner: Op| {
        let mut regions = ir.regions(inner).iter();
        regions.all(|&region| ir.blocks_in(region).count() <= 1)
    };
    let is_reducible = || ir.is(op, &scf::PARALLEL) && reductions(ir, op).is_some();
    n_dimensions > 0
        && (ir.results(op).is_empty() || is_reducible())
        && ir.walk(op).all(has_one_block)
}

/// How an `scf.parallel` combines its results; `None` if the order may matter.
fn reductions(ir: &Ir, op: Op) -> Option<Vec<Reduction>> {
    let reduce = scf::Parallel(op).reduce_op(ir);
    let combine = |&region: &Region| {
        let block = ir.entry_block(region)?;
        let combine = ir.first_op(block)?;
        let end = ir.last_op(block)?;
        let is_whole = ir.next_op(combine) == Some(end)
            && ir.results(combine) == ir.operands(end)
            && (ir.block_args(block).iter())
                .all(|argument| ir.operands(combine).contains(argument));
        Reduction::of_op(ir, combine).filter(|_| is_whole)
    };
    ir.regions(reduce).iter().map(combine).collect()
}

/// The first dimension of a loop from zero in steps of one: iterations are counted, so that any part of
/// them is a range.
struct Count {
    zero: Value,
    one: Value,
    count: Value,
}

impl Count {
    fn new(builder: &mut Builder<'_>, [lower, upper, step]: [Value; 3]) -> Self {
        let zero = arith::constant_index(builder, 0);
        let one = arith::constant_index(builder, 1);
        let span = builder.value(&arith::SUBI, &[upper, lower], Type::INDEX);
        let count = builder.value(&arith::CEILDIVSI, &[span, step], Type::INDEX);
        let is_empty = arith::compare(builder, CmpIPredicate::Sge, lower, upper);
        let count = builder.value(&arith::SELECT, &[is_empty, zero, count], Type::INDEX);
        Self { zero, one, count }
    }
}

/// The most slices of a loop that reduces something: more than any machine has cores, and so few that
/// combining them costs nothing beside `parallel sum of a million integers` (benches/results).
const MAX_SLICES: i64 = 256;

/// Replaces the `scf.parallel` `op` by a call of the function that is returned, which computes parts of
/// its results, and a loop that combines them.
fn outline_reduction(ir: &mut Ir, op: Op, reductions: &[Reduction], name: &str) -> Ir {
    let view = scf::Parallel(op);
    let bounds = parallel_bounds(ir, op)[0];
    let [lower, _, step] = bounds;
    let inits: Vec<Value> = view.init_vals(ir).to_vec();
    let n_dimensions = view.steps(ir).len();
    let context = Arc::clone(ir.context());
    let block = stack_block(ir, op);
    let mut builder = Builder::at_start(ir, block);
    let partials: Vec<Value> = (inits.iter())
        .map(|&init| {
            let element = builder.ir.value_type(init);
            let memref = MemRefType::identity(&[MAX_SLICES], element);
            builder.value(&memref::ALLOCA, &[], context.memref_type(memref))
        })
        .collect();
    let mut builder = Builder::before(ir, op);
    let index = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
    let Count { zero, one, count } = Count::new(&mut builder, bounds);
    let most = arith::constant_index(&mut builder, MAX_SLICES);
    let length = index(&mut builder, &arith::CEILDIVSI, count, most);
    let length = index(&mut builder, &arith::MAXSI, length, one);
    let n_slices = index(&mut builder, &arith::CEILDIVSI, count, length);
    let starts: Vec<Value> = (reductions.iter().zip(&inits))
        .map(|(reduction, &init)| match reduction.neutral {
            Some(number) => {
                let ty = builder.ir.value_type(init);
                arith::constant_int(&mut builder, ty, number.into())
            }
            None => init,
        })
        .collect();
    let outer = scf::build_for(&mut builder, zero, n_slices, one, &[]);
    let slice = scf::For(outer).induction_variable(builder.ir);
    // What the slices came to.
    let combined = scf::build_for(&mut builder, zero, n_slices, one, &inits);
    let combined_view = scf::For(combined);
    let number = combined_view.induction_variable(builder.ir);
    let carried: Vec<Value> = combined_view.iter_args(builder.ir).to_vec();
    let mut inner = Builder::at_end(builder.ir, combined_view.body(builder.ir));
    let mut totals = Vec::new();
    for ((reduction, &before), &partial) in reductions.iter().zip(&carried).zip(&partials) {
        let ty = inner.ir.value_type(before);
        let value = inner.value(&memref::LOAD, &[partial, number], ty);
        totals.push(inner.value(reduction.def, &[before, value], ty));
    }
    scf::build_yield(&mut inner, &totals);
    for i in 0..inits.len() {
        let (old, new) = (ir.result(op, i), ir.result(combined, i));
        ir.replace_all_uses(old, new);
    }
    // The loop itself goes through a slice.
    let end = scf::For(outer).yield_op(ir);
    ir.move_op_before(op, end);
    let mut builder = Builder::before(ir, op);
    let first = index(&mut builder, &arith::MULI, slice, length);
    let last = index(&mut builder, &arith::ADDI, first, length);
    let last = index(&mut builder, &arith::MINSI, last, count);
    for (i, bound) in [first, last, one].into_iter().enumerate() {
        ir.set_operand(op, i * n_dimensions, bound);
    }
    for (i, &start) in starts.iter().enumerate() {
        ir.set_operand(op, 3 * n_dimensions + i, start);
    }
    let variable = ir.block_args(view.body(ir))[0];
    let mut builder = Builder::at_start(ir, view.body(ir));
    let (counter, made) = build_counter(&mut builder, lower, step, variable);
    ir.replace_uses_if(variable, counter, |_, u| !made.contains(&u.op));
    let mut builder = Builder::before(ir, end);
    for (i, &partial) in partials.iter().enumerate() {
        let value = builder.ir.result(op, i);
        builder.op(&memref::STORE, &[value, partial, slice], &[]);
    }
    lower_parallel(ir, op);
    to_function(ir, outer, name, [zero, n_slices])
}

/// Replaces the loop `op` by a call of the function that is returned.
fn outline(ir: &mut Ir, op: Op, name: &str) -> Ir {
    if !ir.results(op).is_empty()
        && let Some(reductions) = reductions(ir, op)
    {
        return outline_reduction(ir, op, &reductions, name);
    }
    let (mut bounds, body) = match ir.is(op, &scf::FORALL) {
        true => (forall_bounds(ir, op), scf::Forall(op).body(ir)),
        false => (parallel_bounds(ir, op), scf::Parallel(op).body(ir)),
    };
    let [lower, _, step] = bounds[0];
    let Count { zero, one, count } = Count::new(&mut Builder::before(ir, op), bounds[0]);
    bounds[0] = [zero, count, one];
    let mut nest = build_nest(ir, op, &bounds, &[]);
    let outer = nest.outermost();
    // Facts about its buffers.
    let disjoint = ir.context().intern_name("freehold.disjoint");
    if ir.has_attr(op, disjoint) {
        ir.set_attr(outer, disjoint, Attr::UNIT);
    }
    let outer_body = scf::For(outer).body(ir);
    let mut builder = Builder::at_start(ir, outer_body);
    (nest.variables[0], _) = build_counter(&mut builder, lower, step, nest.variables[0]);
    let terminator = ir.last_op(body).expect("the body has a terminator");
    nest.move_in(ir, body, terminator);
    ir.erase_op(op);
    to_function(ir, outer, name, [zero, count])
}

/// Makes a function of the loop `outer`, which is called instead. The bounds `range` of
/// the loop are its first arguments, followed by the values that the loop uses; constants are copied.
fn to_function(ir: &mut Ir, outer: Op, name: &str, range: [Value; 2]) -> Ir {
    let captures = Captures::of(ir, outer, &range);
    let mut function = outline::function(ir, outer, name, &captures);
    let root = function.root();
    function.set_attr(root, ir.context().intern_name(PARALLEL_ATTR), Attr::UNIT);
    outline::replace_by_call(ir, outer, name, &captures);
    function
}

/// The counter of a loop from `lower` on in steps of `step` in iteration number `number`, and the operations made for
/// it. Later passes know what counts with a loop if nothing is multiplied.
fn build_counter(
    builder: &mut Builder<'_>,
    lower: Value,
    step: Value,
    number: Value,
) -> (Value, SmallVec<[Op; 2]>) {
    let is = |builder: &Builder<'_>, value, constant| {
        arith::as_constant_index(builder.ir, value) == Some(constant)
    };
    let offset = match is(builder, step, 1) {
        true => number,
        false => builder.value(&arith::MULI, &[number, step], Type::INDEX),
    };
    let counter = match is(builder, lower, 0) {
        true => offset,
        false => builder.value(&arith::ADDI, &[lower, offset], Type::INDEX),
    };
    let made = [offset, counter]
        .into_iter()
        .filter(|&value| value != number);
    let made = made
        .filter_map(|value| builder.ir.defining_op(value))
        .collect();
    (counter, made)
}
