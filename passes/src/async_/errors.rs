//! Errors of bodies: what `async.runtime.is_error` asks for.
//!
//! In a program that asks, a `cf.assert` that fails in a body ends this body only, with an error in its token and in all that
//! it yields. A body that waits for one with an error ends with one, too, and whoever waits elsewhere ends the program. The
//! assertions of functions that a body calls end the program, as everywhere.
//!
//! Before:                                  After:
//! ```text
//! %token = async.execute {                 %no = arith.xori %c, %true
//!   cf.assert %c, "no"                     %error = scf.if %no -> i1 {
//!   memref.store %x, %m[]                    scf.yield %true
//!   async.yield                            } else {
//! }                                          memref.store %x, %m[]
//!                                            scf.yield %false
//!                                          }
//! ```
//!
//! Bodies run in order then; tokens become these numbers.

use freehold_frontend::dialects::{arith, async_, cf, scf, ub};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::run_async_in_order::{require, run_in_place};

/// The message of the assertion that fails where a program waits for a body with an error.
const AWAITED_ERROR: &str = "Awaited async operand is in error state";

/// Whether somewhere inside of a module errors of bodies make a difference.
pub(super) fn are_asked_for(ir: &Ir) -> bool {
    ir.walk(ir.root()).any(|op| {
        ir.is(op, &async_::IS_ERROR)
            || ir.is(op, &async_::RUNTIME_AWAIT)
            || ir.nested(op).is_some_and(are_asked_for)
    })
}

/// Whether the function itself, but for bodies in it, may end with an error.
pub(super) fn may_fail(ir: &Ir) -> bool {
    let mut walk = ir.walk(ir.root());
    while let Some(op) = walk.next() {
        let is_wait = ir.is(op, &async_::AWAIT) || ir.is(op, &async_::AWAIT_ALL);
        if is_wait || ir.is(op, &cf::ASSERT) {
            return true;
        }
        if ir.has_trait(op, Traits::RUNS_LATER) {
            walk.skip_regions(op);
        }
    }
    false
}

/// Runs all bodies of a function where they stand. Their tokens become numbers that say whether they failed.
pub(super) fn run_bodies(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &async_::EXECUTE) {
            use_token_for_values(ir, op);
        }
    }
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &async_::EXECUTE) {
            wait_inside(ir, op);
        }
    }
    let ops = ir.collect_ops(ir.root());
    for &op in &ops {
        ask_for_error(ir, op);
    }
    // Inner bodies first.
    for &op in ops.iter().rev() {
        if !ir.is_erased(op) && ir.is(op, &async_::EXECUTE) {
            let body = async_::Execute(op).body(ir);
            let failed = convert_block(ir, body, diagnostics)?;
            run_in_place(ir, op, Some(failed));
        }
    }
    Ok(())
}

/// A value has an error if the body that yields it has. Where that body is unknown, there was none.
fn use_token_for_values(ir: &mut Ir, execute: Op) {
    let view = async_::Execute(execute);
    let token = view.token(ir);
    for value in view.body_results(ir).to_vec() {
        for u in ir.uses(value).to_vec() {
            let op = u.op;
            let is_question = ir.is(op, &async_::IS_ERROR) || ir.is(op, &async_::RUNTIME_AWAIT);
            if is_question || ir.is(op, &async_::ADD_TO_GROUP) {
                ir.set_operand(op, 0, token);
            } else if ir.is(op, &async_::EXECUTE) {
                let mut dependencies = async_::Execute(op).dependencies(ir).to_vec();
                dependencies.push(token);
                ir.set_operand_group(op, 0, &dependencies);
            } else if !ir.is(op, &async_::LOAD) {
                Builder::before(ir, op).op(&async_::AWAIT, &[token], &[]);
            }
        }
    }
}

/// A body waits for what it depends on.
fn wait_inside(ir: &mut Ir, execute: Op) {
    let view = async_::Execute(execute);
    let loc = ir.loc(execute);
    let body = view.body(ir);
    for token in view.dependencies(ir).to_vec() {
        let mut builder = Builder::at_start(ir, body);
        builder.set_loc(loc);
        builder.op(&async_::AWAIT, &[token], &[]);
    }
    ir.set_operand_group(execute, 0, &[]);
}

/// Waits become assertions that there is no error.
fn ask_for_error(ir: &mut Ir, op: Op) {
    let Some(&operand) = ir.operands(op).first() else {
        return;
    };
    let is_value = async_::is_value(ir.context(), ir.value_type(operand));
    if ir.is(op, &async_::AWAIT) && !is_value {
        require_no_error(ir, op, operand);
        ir.erase_op(op);
    } else if ir.is(op, &async_::AWAIT_ALL) {
        Builder::before(ir, op).op(&async_::RUNTIME_AWAIT, &[operand], &[]);
        require_no_error(ir, op, operand);
        ir.erase_op(op);
    } else if is_value && ir.is(op, &async_::RUNTIME_AWAIT) {
        ir.erase_op(op);
    } else if is_value && ir.is(op, &async_::IS_ERROR) {
        let no = arith::constant_bool(&mut Builder::before(ir, op), false);
        ir.replace_op(op, &[no]);
    } else if is_value && ir.is(op, &async_::ADD_TO_GROUP) {
        let no = arith::constant_bool(&mut Builder::before(ir, op), false);
        ir.set_operand(op, 0, no);
    }
}

fn require_no_error(ir: &mut Ir, op: Op, operand: Value) {
    let mut builder = Builder::before(ir, op);
    let error = builder.value(&async_::IS_ERROR, &[operand], Type::I1);
    let good = negated(&mut builder, error);
    require(&mut builder, good, AWAITED_ERROR);
}

fn negated(builder: &mut Builder<'_>, value: Value) -> Value {
    let yes = arith::constant_bool(builder, true);
    builder.value(&arith::XORI, &[value, yes], Type::I1)
}

/// Lets what follows a failed assertion in `block` be left out; returns whether one failed. What the block hands on has no
/// meaning then.
fn convert_block(
    ir: &mut Ir,
    block: Block,
    diagnostics: &mut Diagnostics,
) -> Result<Value, Failed> {
    let end = ir.last_op(block).expect("the block has a terminator");
    let ops: Vec<Op> = ir.ops_in(block).filter(|&op| op != end).collect();
    let mut failed = None;
    // The last one first: what follows an earlier one is then a few operations and one that holds the others.
    for op in ops.into_iter().rev() {
        let rest = |ir: &Ir| {
            let mut rest = Vec::new();
            let mut next = ir.next_op(op);
            while let Some(op) = next.filter(|&op| op != end) {
                rest.push(op);
                next = ir.next_op(op);
            }
            rest
        };
        let (here, rest) = if ir.is(op, &cf::ASSERT) {
            let (condition, rest) = (ir.operand(op, 0), rest(ir));
            let here = negated(&mut Builder::before(ir, op), condition);
            ir.erase_op(op);
            (here, rest)
        } else if has_assertion(ir, op) {
            let rest = rest(ir);
            (convert_regions(ir, op, diagnostics)?, rest)
        } else {
            continue;
        };
        failed = Some(match rest.is_empty() {
            true => here,
            false => leave_out(ir, here, &rest, failed, end, diagnostics)?,
        });
    }
    Ok(failed.unwrap_or_else(|| arith::constant_bool(&mut Builder::before(ir, end), false)))
}

fn has_assertion(ir: &Ir, op: Op) -> bool {
    ir.walk(op).any(|inner| ir.is(inner, &cf::ASSERT))
}

/// Runs `rest`, in which something may have failed `inside`, if nothing `failed` before it; returns whether something did in
/// the end. What `end` takes of `rest` is poison otherwise.
fn leave_out(
    ir: &mut Ir,
    failed: Value,
    rest: &[Op],
    inside: Option<Value>,
    end: Op,
    diagnostics: &mut Diagnostics,
) -> Result<Value, Failed> {
    let (crossing, types) = crossing(ir, rest, end);
    for &ty in &types {
        let context = ir.context();
        let is_plain = match context.type_kind(ty) {
            TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Complex(_) => true,
            TypeKind::Vector { .. } => true,
            _ => async_::is_token(context, ty),
        };
        if !is_plain {
            let message = "'async.execute' op hands on a buffer or a tensor behind an assertion, which would have no owner \
                           where it fails: a program with it cannot ask for errors";
            return Err(diagnostics.error(ir.loc(rest[0]), message));
        }
    }
    let guard = build_guard(ir, failed, &types, end);
    let (then, other) = guard_blocks(ir, guard);
    let loc = ir.loc(guard);
    let mut builder = Builder::at_end(ir, then);
    builder.set_loc(loc);
    let mut values: Vec<Value> = (types.iter())
        .map(|&ty| {
            let op = builder.op(&ub::POISON, &[], &[ty]);
            builder.ir.result(op, 0)
        })
        .collect();
    values.push(arith::constant_bool(&mut builder, true));
    scf::build_yield(&mut builder, &values);
    Ok(fill_guard(ir, guard, other, rest, &crossing, inside, end))
}

/// The operands of `end`, by number, that `rest` defines, and their types.
fn crossing(ir: &Ir, rest: &[Op], end: Op) -> (Vec<usize>, Vec<Type>) {
    let is_inside = |value: Value| ir.defining_op(value).is_some_and(|op| rest.contains(&op));
    let operands = ir.operands(end).iter().enumerate();
    operands
        .filter(|&(_, &value)| is_inside(value))
        .map(|(i, &value)| (i, ir.value_type(value)))
        .unzip()
}

/// An `scf.if` before `end` with results of these types, and one that says whether something failed.
fn build_guard(ir: &mut Ir, failed: Value, types: &[Type], end: Op) -> Op {
    let results: Vec<Type> = types.iter().copied().chain([Type::I1]).collect();
    scf::build_if(&mut Builder::before(ir, end), failed, &results, true)
}

fn guard_blocks(ir: &Ir, guard: Op) -> (Block, Block) {
    let view = scf::If(guard);
    let other = view.else_block(ir).expect("it was made with one");
    (view.then_block(ir), other)
}

/// Moves `rest`, in which something may have failed `inside`, into a block of `guard`; returns whether something failed
/// behind it.
fn fill_guard(
    ir: &mut Ir,
    guard: Op,
    block: Block,
    rest: &[Op],
    crossing: &[usize],
    inside: Option<Value>,
    end: Op,
) -> Value {
    for &op in rest {
        ir.move_op_to_end(op, block);
    }
    let loc = ir.loc(guard);
    let mut values: Vec<Value> = crossing.iter().map(|&i| ir.operand(end, i)).collect();
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    let inside = inside.unwrap_or_else(|| arith::constant_bool(&mut builder, false));
    values.push(inside);
    scf::build_yield(&mut builder, &values);
    for (number, &i) in crossing.iter().enumerate() {
        let result = ir.result(guard, number);
        ir.set_operand(end, i, result);
    }
    ir.result(guard, crossing.len())
}

/// The same for the blocks inside of `op`; returns whether something failed in them.
fn convert_regions(ir: &mut Ir, op: Op, diagnostics: &mut Diagnostics) -> Result<Value, Failed> {
    if ir.is(op, &scf::IF) {
        if scf::If(op).else_block(ir).is_none() {
            let loc = ir.loc(op);
            let region = ir.region(op, 1);
            let block = ir.append_block(region, &[]);
            let mut builder = Builder::at_end(ir, block);
            builder.set_loc(loc);
            scf::build_yield(&mut builder, &[]);
        }
        let (then, other) = guard_blocks(ir, op);
        for block in [then, other] {
            let failed = convert_block(ir, block, diagnostics)?;
            let end = ir.last_op(block).expect("the block has a terminator");
            ir.append_to_operand_group(end, 0, &[failed]);
        }
        return Ok(ir.append_result(op, Type::I1));
    }
    if ir.is(op, &scf::FOR) {
        let no = arith::constant_bool(&mut Builder::before(ir, op), false);
        ir.append_to_operand_group(op, 3, &[no]);
        let body = scf::For(op).body(ir);
        let carried = scf::For(op).iter_args(ir).to_vec();
        let before = ir.append_block_arg(body, Type::I1);
        let end = scf::For(op).yield_op(ir);
        let failed = convert_block(ir, body, diagnostics)?;
        let rest: Vec<Op> = ir.ops_in(body).filter(|&op| op != end).collect();
        // Iterations after a failed one do nothing.
        let (crossing, types) = crossing(ir, &rest, end);
        let guard = build_guard(ir, before, &types, end);
        let (then, other) = guard_blocks(ir, guard);
        let mut builder = Builder::at_end(ir, then);
        let mut values: Vec<Value> = crossing.iter().map(|&i| carried[i]).collect();
        values.push(arith::constant_bool(&mut builder, true));
        scf::build_yield(&mut builder, &values);
        let failed = fill_guard(ir, guard, other, &rest, &crossing, Some(failed), end);
        ir.append_to_operand_group(end, 0, &[failed]);
        return Ok(ir.append_result(op, Type::I1));
    }
    let message = format!(
        "'{}' op has an assertion or a wait inside: a failure there cannot become an error of the body around it",
        ir.op_name(op)
    );
    Err(diagnostics.error(ir.loc(op), message))
}
