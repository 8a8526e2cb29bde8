//! `convert-scf-to-cf`: structured control flow becomes blocks and branches.
//!
//! Before:
//! ```mlir
//! scf.for %i = %lb to %ub step %s {
//!   func.call @f(%i) : (index) -> ()
//! }
//! ```
//! After:
//! ```mlir
//!   cf.br ^header(%lb : index)
//! ^header(%i: index):
//!   %more = arith.cmpi slt, %i, %ub : index
//!   cf.cond_br %more, ^body, ^exit
//! ^body:
//!   func.call @f(%i) : (index) -> ()
//!   %next = arith.addi %i, %s : index
//!   cf.br ^header(%next : index)
//! ^exit:
//! ```
//!
//! With `rotate-loops`, a loop asks at its end whether there is another iteration, and once before the
//! first one:
//! ```mlir
//!   %any = arith.cmpi slt, %lb, %ub : index
//!   cf.cond_br %any, ^body(%lb : index), ^exit
//! ^body(%i: index):
//!   func.call @f(%i) : (index) -> ()
//!   %next = arith.addi %i, %s : index
//!   %more = arith.cmpi slt, %next, %ub : index
//!   cf.cond_br %more, ^body(%next : index), ^exit
//! ^exit:
//! ```
//! That is a branch less per iteration. Above all, the exit does not come between the header and the
//! body of the loop in the dominator tree, where Cranelift would take it for the end of the loop
//! and move nothing out of what follows.
//!
//! Operations are lowered inner ones first, so a region that is taken out has
//! nothing but blocks in it. `scf.parallel` and `scf.forall` become loops one
//! inside the other; iterations run in order.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, cf, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::Type;
use smallvec::SmallVec;

use super::{convert_unsigned_loops, parallel_loops};
use crate::analysis::constants::constant_value;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// accepted for compatibility; nothing is rolled back
        "allow-pattern-rollback" allow_pattern_rollback: bool = true,
        /// test the loop condition at the end of each iteration
        "rotate-loops" rotate_loops: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-scf-to-cf",
    summary: "turn structured control flow into blocks and branches",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let rotates = context.options.rotate_loops;
    convert_unsigned_loops::convert(ir);
    parallel_loops::to_sequential(
        ir,
        &[&scf::PARALLEL, &scf::FORALL],
        &mut context.diagnostics,
    )?;
    // Inner operations come before outer ones, and last ones before first ones:
    // what follows an operation moves to another block, and moves once this way.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        // What ends a block without terminator, in a region of an unknown operation, has nowhere to go.
        if ir.is_erased(op) || ir.next_op(op).is_none() || runs_later(ir, op) {
            continue;
        }
        if let Some((around, region)) = holds_one_block(ir, op) {
            let (name, loc) = (ir.op_name(around), ir.loc(around));
            let message = format!("'{name}' op expects region #{region} to have 0 or 1 blocks");
            return Err(context.diagnostics.error(loc, message));
        }
        lower(ir, op, rotates);
    }
    Ok(())
}

/// Whether `op` is in a body of one block that becomes a function before code is generated.
fn runs_later(ir: &Ir, op: Op) -> bool {
    let mut around = ir.parent_op(op);
    while let Some(parent) = around.filter(|&parent| parent != ir.root()) {
        if ir.has_trait(parent, Traits::RUNS_LATER) {
            return true;
        }
        around = ir.parent_op(parent);
    }
    false
}

/// The operations that become blocks.
static LOWERED: [&OpDef; 6] = [
    &scf::IF,
    &scf::FOR,
    &scf::WHILE,
    &scf::EXECUTE_REGION,
    &scf::INDEX_SWITCH,
    &memref::ALLOCA_SCOPE,
];

/// The operation around one that becomes blocks, and the number of its region, if it stays and has no place for them.
fn holds_one_block(ir: &Ir, op: Op) -> Option<(Op, usize)> {
    let becomes_blocks = |op| LOWERED.iter().any(|def| ir.is(op, def));
    let around = ir.parent_op(op).filter(|_| becomes_blocks(op))?;
    if !ir.has_trait(around, Traits::SINGLE_BLOCK) || becomes_blocks(around) {
        return None;
    }
    let mut regions = ir.regions(around).iter();
    let region = regions.position(|&region| Some(region) == ir.parent_region(op))?;
    Some((around, region))
}

fn lower(ir: &mut Ir, op: Op, rotates: bool) {
    let def = ir.def(op);
    let is = |row: &'static OpDef| std::ptr::eq(def, row);
    if is(&scf::IF) {
        lower_if(ir, op);
    } else if is(&scf::FOR) && rotates {
        lower_for_rotated(ir, op);
    } else if is(&scf::FOR) {
        lower_for(ir, op);
    } else if is(&scf::WHILE) {
        lower_while(ir, op);
    } else if is(&scf::EXECUTE_REGION) || is(&memref::ALLOCA_SCOPE) {
        lower_inline_region(ir, op);
    } else if is(&scf::INDEX_SWITCH) {
        lower_index_switch(ir, op);
    }
}

/// Splits the block of `op` after it. The second half gets the results of `op`
/// as arguments; `op` is left at the end of the first half, unused.
fn split_after(ir: &mut Ir, op: Op) -> Block {
    let next = ir.next_op(op).expect("a terminator follows");
    let rest = ir.split_block(next);
    let results: SmallVec<[Value; 4]> = ir.results(op).into();
    for result in results {
        let ty = ir.value_type(result);
        let argument = ir.append_block_arg(rest, ty);
        ir.replace_all_uses(result, argument);
    }
    rest
}

/// Moves the blocks of a region before `next`; returns its entry block and the
/// terminators in it that are described by `def`.
fn take_region(
    ir: &mut Ir,
    region: Region,
    next: Block,
    def: &'static OpDef,
) -> Option<(Block, Vec<Op>)> {
    let entry = ir.entry_block(region)?;
    let blocks: Vec<Block> = ir.blocks_in(region).collect();
    let terminators = blocks
        .iter()
        .filter_map(|&b| ir.last_op(b))
        .filter(|&t| ir.is(t, def))
        .collect();
    ir.move_blocks_before(region, next);
    Some((entry, terminators))
}

/// Replaces region terminators by branches to `target` with their operands.
fn branch_to(ir: &mut Ir, terminators: &[Op], target: Block) {
    for &terminator in terminators {
        let operands: Vec<Value> = ir.operands(terminator).to_vec();
        let mut builder = Builder::before(ir, terminator);
        cf::build_br(&mut builder, target, &operands);
        ir.erase_op(terminator);
    }
}

/// A builder at the end of the block of `op`, right after it, with its location.
fn builder_after(ir: &mut Ir, op: Op) -> Builder<'_> {
    Builder::after(ir, op)
}

fn lower_if(ir: &mut Ir, op: Op) {
    let rest = split_after(ir, op);
    let condition = ir.operand(op, 0);
    let (then_region, else_region) = (ir.region(op, 0), ir.region(op, 1));
    let target = |ir: &mut Ir, region| match take_region(ir, region, rest, &scf::YIELD) {
        Some((entry, yields)) => {
            branch_to(ir, &yields, rest);
            entry
        }
        None => rest,
    };
    let then_block = target(ir, then_region);
    let else_block = target(ir, else_region);
    let mut builder = builder_after(ir, op);
    cf::build_cond_br(
        &mut builder,
        condition,
        (then_block, &[]),
        (else_block, &[]),
    );
    ir.erase_op(op);
}

/// An `scf.for` whose body is among the blocks around it.
struct OpenedFor {
    lower: Value,
    upper: Value,
    step: Value,
    inits: Vec<Value>,
    body: Block,
    yields: Vec<Op>,
    /// What follows the loop; it takes the results.
    rest: Block,
}

fn open_for(ir: &mut Ir, op: Op) -> Option<OpenedFor> {
    let rest = split_after(ir, op);
    let (&[lower, upper, step], inits) = ir.operands(op).split_first_chunk()?;
    let inits = inits.to_vec();
    let (body, yields) = take_region(ir, ir.region(op, 0), rest, &scf::YIELD)?;
    Some(OpenedFor {
        lower,
        upper,
        step,
        inits,
        body,
        yields,
        rest,
    })
}

/// The counter of the next iteration, or a number that is not below `upper` if there is none. Where the sum may not fit
/// its type, the step is at most the way to the end:
/// ```mlir
///   %left = arith.subi %ub, %i : i8
///   %least = arith.minui %s, %left : i8
///   %next = arith.addi %i, %least : i8
/// ```
fn next_counter(builder: &mut Builder<'_>, counter: Value, upper: Value, step: Value) -> Value {
    let ty = builder.ir.value_type(counter);
    let step = match may_overflow(builder.ir, upper, step) {
        true => {
            let left = builder.value(&arith::SUBI, &[upper, counter], ty);
            builder.value(&arith::MINUI, &[step, left], ty)
        }
        false => step,
    };
    builder.value(&arith::ADDI, &[counter, step], ty)
}

/// Whether a number below `upper` and `step` may have a sum that does not fit their type. What counts elements of buffers,
/// in `index`, is far from that unless it is said.
fn may_overflow(ir: &Ir, upper: Value, step: Value) -> bool {
    let ty = ir.value_type(upper);
    let width = ir.context().integer_width(ty).unwrap_or(64);
    let [last, step] = [upper, step].map(|value| {
        let attr = constant_value(ir, value)?;
        ir.context().attr_integer(attr)
    });
    match (last, step) {
        (_, Some(1)) => false,
        (Some(upper), Some(step)) => {
            let furthest = upper.checked_add(step - 1);
            furthest.is_none_or(|number| number > i128::MAX >> (128 - width))
        }
        _ => ty != Type::INDEX,
    }
}

fn lower_for(ir: &mut Ir, op: Op) {
    let Some(opened) = open_for(ir, op) else {
        return;
    };
    let (body, rest) = (opened.body, opened.rest);
    let types: Vec<Type> = ir
        .block_args(body)
        .iter()
        .map(|&v| ir.value_type(v))
        .collect();
    // The header takes over the arguments of the body.
    let block_before = ir.prev_block(body).expect("the loop is after a block");
    let header = ir.insert_block_after(block_before, &types);
    let header_args: Vec<Value> = ir.block_args(header).to_vec();
    for index in (0..types.len()).rev() {
        let argument = ir.block_args(body)[index];
        ir.replace_all_uses(argument, header_args[index]);
        ir.remove_block_arg(body, index);
    }
    for terminator in opened.yields {
        let mut builder = Builder::before(ir, terminator);
        let next = next_counter(&mut builder, header_args[0], opened.upper, opened.step);
        let mut forwarded = vec![next];
        forwarded.extend_from_slice(builder.ir.operands(terminator));
        cf::build_br(&mut builder, header, &forwarded);
        ir.erase_op(terminator);
    }
    let loc = ir.loc(op);
    let mut builder = builder_after(ir, op);
    let inits = [vec![opened.lower], opened.inits].concat();
    cf::build_br(&mut builder, header, &inits);
    builder.set_to_end(header);
    builder.set_loc(loc);
    let more = arith::compare(
        &mut builder,
        CmpIPredicate::Slt,
        header_args[0],
        opened.upper,
    );
    cf::build_cond_br(&mut builder, more, (body, &[]), (rest, &header_args[1..]));
    ir.erase_op(op);
}

/// The same with the question whether there is another iteration at the end of each, and once
/// before the first.
fn lower_for_rotated(ir: &mut Ir, op: Op) {
    let Some(opened) = open_for(ir, op) else {
        return;
    };
    let counter = ir.block_args(opened.body)[0];
    let branch = |builder: &mut Builder<'_>, counter: Value, carried: &[Value]| {
        let more = arith::compare(builder, CmpIPredicate::Slt, counter, opened.upper);
        let forwarded = [&[counter], carried].concat();
        let (body, rest) = (opened.body, opened.rest);
        cf::build_cond_br(builder, more, (body, &forwarded), (rest, carried));
    };
    for &terminator in &opened.yields {
        let carried: Vec<Value> = ir.operands(terminator).to_vec();
        let mut builder = Builder::before(ir, terminator);
        let next = next_counter(&mut builder, counter, opened.upper, opened.step);
        branch(&mut builder, next, &carried);
        ir.erase_op(terminator);
    }
    branch(&mut builder_after(ir, op), opened.lower, &opened.inits);
    ir.erase_op(op);
}

fn lower_while(ir: &mut Ir, op: Op) {
    let rest = split_after(ir, op);
    let inits: Vec<Value> = ir.operands(op).to_vec();
    let (before, after) = (ir.region(op, 0), ir.region(op, 1));
    let Some((before, conditions)) = take_region(ir, before, rest, &scf::CONDITION) else {
        return;
    };
    let Some((after, yields)) = take_region(ir, after, rest, &scf::YIELD) else {
        return;
    };
    for condition in conditions {
        let operands: Vec<Value> = ir.operands(condition).to_vec();
        let mut builder = Builder::before(ir, condition);
        let forwarded = &operands[1..];
        cf::build_cond_br(
            &mut builder,
            operands[0],
            (after, forwarded),
            (rest, forwarded),
        );
        ir.erase_op(condition);
    }
    branch_to(ir, &yields, before);
    let mut builder = builder_after(ir, op);
    cf::build_br(&mut builder, before, &inits);
    ir.erase_op(op);
}

/// `scf.execute_region` and `memref.alloca_scope`: the region takes its place.
fn lower_inline_region(ir: &mut Ir, op: Op) {
    let rest = split_after(ir, op);
    let terminator = if ir.is(op, &scf::EXECUTE_REGION) {
        &scf::YIELD
    } else {
        &memref::ALLOCA_SCOPE_RETURN
    };
    let region = ir.region(op, 0);
    let Some((entry, yields)) = take_region(ir, region, rest, terminator) else {
        return;
    };
    branch_to(ir, &yields, rest);
    let mut builder = builder_after(ir, op);
    cf::build_br(&mut builder, entry, &[]);
    ir.erase_op(op);
}

fn lower_index_switch(ir: &mut Ir, op: Op) {
    let rest = split_after(ir, op);
    let cases = scf::IndexSwitch(op).cases(ir);
    let argument = ir.operand(op, 0);
    let regions: Vec<Region> = ir.regions(op).to_vec();
    let mut entries = Vec::new();
    for region in regions {
        let Some((entry, yields)) = take_region(ir, region, rest, &scf::YIELD) else {
            return;
        };
        branch_to(ir, &yields, rest);
        entries.push(entry);
    }
    let mut builder = builder_after(ir, op);
    // 64 bits: case values are not cut off.
    let flag = builder.value(&arith::INDEX_CAST, &[argument], Type::I64);
    let targets: Vec<(i128, Block, &[Value])> = cases
        .iter()
        .zip(&entries[1..])
        .map(|(&case, &entry)| (i128::from(case), entry, &[][..]))
        .collect();
    cf::build_switch(&mut builder, flag, (entries[0], &[]), &targets);
    ir.erase_op(op);
}
