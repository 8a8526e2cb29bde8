//! Bodies of reductions, maps, scatters and sorts, on tensors of rank 0, as arithmetic on scalars.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::stablehlo::{elementwise as rows, regions, shapes};
use freehold_frontend::dialects::{arith, complex, func};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use rustc_hash::FxHashMap;

use super::build::{self, Generic, element, signless};
use super::emit::Emit;
use super::scalar::{emit_as, scalar_of, unsupported_types};
use super::special;
use super::stablehlo_legalize_to_linalg::Unsupported;

/// A body on tensors of rank 0, to be inlined as arithmetic on scalars.
pub(super) struct Body {
    block: Block,
    /// Scalars of what the body reads from outside.
    captured: FxHashMap<Value, Value>,
}

impl Body {
    /// Reads what the body needs from outside, at the insertion point.
    pub(super) fn prepare(b: &mut Builder<'_>, block: Block) -> Result<Self, Unsupported> {
        let mut captured = FxHashMap::default();
        capture(b, block, &mut vec![block], &mut captured)?;
        Ok(Self { block, captured })
    }

    /// The only operation, if the body is one of its two arguments.
    pub(super) fn only_op(&self, ir: &Ir) -> Option<Op> {
        let mut ops = ir.ops_in(self.block);
        let (op, end) = (ops.next()?, ops.next()?);
        let of_arguments = |value: &Value| ir.block_args(self.block).contains(value);
        let is_simple = is_end(ir.def(end))
            && ir.operands(end) == ir.results(op)
            && ir.block_args(self.block).len() == 2
            && ir.operands(op).len() == 2
            && ir.operand(op, 0) != ir.operand(op, 1)
            && ir.operands(op).iter().all(of_arguments);
        is_simple.then_some(op)
    }

    /// Builds a structured operation that computes with the body, from `arguments` made of an element of every input and
    /// output.
    pub(super) fn build(
        &self,
        b: &mut Builder<'_>,
        generic: Generic<'_>,
        arguments: &dyn Fn(&[Value]) -> Vec<Value>,
    ) -> Result<Vec<Value>, Unsupported> {
        let n_outputs = generic.outputs.len();
        let mut failed = None;
        let results = generic.build(b, &mut |b, elements| {
            let values = self.inline(b, &arguments(elements));
            values.unwrap_or_else(|reason| {
                failed = Some(reason);
                elements[elements.len() - n_outputs..].to_vec()
            })
        });
        failed.map_or(Ok(results), Err)
    }

    /// Whether the results are the last half of the arguments, as those of a body that replaces elements by others.
    pub(super) fn replaces(&self, ir: &Ir) -> bool {
        let arguments = ir.block_args(self.block);
        let only = ir.ops_in(self.block).next();
        only.is_some_and(|end| {
            is_end(ir.def(end)) && ir.operands(end) == &arguments[arguments.len() / 2..]
        })
    }

    /// Computes the results of the body from scalars, all signless.
    pub(super) fn inline(
        &self,
        b: &mut Builder<'_>,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Unsupported> {
        let mut scalars = self.captured.clone();
        for (&argument, &scalar) in b.ir.block_args(self.block).iter().zip(arguments) {
            scalars.insert(argument, scalar);
        }
        inline_block(b, self.block, &mut scalars)
    }
}

/// Reads what a block reads from outside of the blocks that it is `within`, and names what has no form on scalars.
fn capture(
    b: &mut Builder<'_>,
    block: Block,
    within: &mut Vec<Block>,
    captured: &mut FxHashMap<Value, Value>,
) -> Result<(), Unsupported> {
    let ops: Vec<Op> = b.ir.ops_in(block).collect();
    for op in ops {
        let def = b.ir.def(op);
        let branches = branches(b.ir, op);
        let is_known = scalar_of(special::of_elements(def)).is_some()
            || std::ptr::eq(def, &shapes::BITCAST_CONVERT)
            || PASSED_ON.iter().any(|row| std::ptr::eq(*row, def))
            || !branches.is_empty();
        if !is_known && !std::ptr::eq(def, &rows::CONSTANT) && !is_end(def) {
            let name = b.ir.op_name(op);
            return Err(Unsupported(format!(
                "its body has '{name}', which is not elementwise"
            )));
        }
        for operand in b.ir.operands(op).to_vec() {
            let is_outside =
                (b.ir.value_block(operand)).is_none_or(|block| !within.contains(&block));
            if is_outside && !captured.contains_key(&operand) {
                if !build::shape(b.ir, operand).is_empty() {
                    return Err("its body reads a tensor from outside".into());
                }
                let tensor = build::as_signless(b, operand);
                let scalar = build::extract_scalar(b, tensor);
                captured.insert(operand, scalar);
            }
        }
        for branch in branches {
            within.push(branch);
            capture(b, branch, within, captured)?;
            within.pop();
        }
    }
    Ok(())
}

/// Computes what a block hands on from the scalars that its values are.
fn inline_block(
    b: &mut Builder<'_>,
    block: Block,
    scalars: &mut FxHashMap<Value, Value>,
) -> Result<Vec<Value>, Unsupported> {
    let ops: Vec<Op> = b.ir.ops_in(block).collect();
    for op in ops {
        let operands: Vec<Value> =
            b.ir.operands(op)
                .iter()
                .map(|operand| scalars[operand])
                .collect();
        let def = b.ir.def(op);
        if is_end(def) {
            return Ok(operands);
        }
        if std::ptr::eq(def, &rows::CONSTANT) {
            let result = b.ir.result(op, 0);
            let scalar = build::scalar_of_constant(b, result)
                .ok_or("its body has a constant that is no number")?;
            scalars.insert(result, scalar);
            continue;
        }
        if PASSED_ON.iter().any(|row| std::ptr::eq(*row, def)) {
            for (i, &operand) in operands.iter().enumerate() {
                scalars.insert(b.ir.result(op, i), operand);
            }
            continue;
        }
        let branches = branches(b.ir, op);
        if !branches.is_empty() {
            let chosen = inline_branches(b, op, operands[0], &branches, scalars)?;
            scalars.extend(b.ir.results(op).iter().copied().zip(chosen));
            continue;
        }
        let scalar = match std::ptr::eq(def, &shapes::BITCAST_CONVERT) {
            true => bitcast(b, op, operands[0]),
            // Scalars need no broadcasting.
            false => emit_as(b, special::of_elements(def), op, &operands),
        };
        let scalar = scalar.ok_or_else(|| unsupported_types(b.ir, op))?;
        scalars.insert(b.ir.result(op, 0), scalar);
    }
    Err("its body returns nothing".into())
}

/// Computes all branches, of which none has effects, and chooses among what they hand on.
fn inline_branches(
    b: &mut Builder<'_>,
    op: Op,
    choice: Value,
    branches: &[Block],
    scalars: &mut FxHashMap<Value, Value>,
) -> Result<Vec<Value>, Unsupported> {
    let mut all = Vec::with_capacity(branches.len());
    for &branch in branches {
        all.push(inline_block(b, branch, scalars)?);
    }
    // The last branch is for all other numbers.
    let mut chosen = all.pop().unwrap_or_default();
    let is_if = b.ir.is(op, &regions::IF);
    let mut e = Emit::new(b);
    for (index, values) in all.iter().enumerate().rev() {
        let is_chosen = match is_if {
            true => choice,
            false => {
                let index = e.int_like(choice, index as i128);
                e.cmpi(CmpIPredicate::Eq, choice, index)
            }
        };
        for (chosen, &value) in chosen.iter_mut().zip(values) {
            *chosen = e.select(is_chosen, value, *chosen);
        }
    }
    Ok(chosen)
}

/// The branches of an operation that chooses among several; empty if it is none.
fn branches(ir: &Ir, op: Op) -> Vec<Block> {
    if !ir.is(op, &regions::IF) && !ir.is(op, &regions::CASE) {
        return Vec::new();
    }
    let blocks = ir.regions(op).iter();
    blocks
        .filter_map(|&region| ir.entry_block(region))
        .collect()
}

/// Whether an operation ends a body, be it a region or a function.
fn is_end(def: &'static OpDef) -> bool {
    [&regions::RETURN, &func::RETURN]
        .iter()
        .any(|end| std::ptr::eq(*end, def))
}

/// The bits of a scalar as one of another type, which is as wide: both are of rank 0.
fn bitcast(b: &mut Builder<'_>, op: Op, scalar: Value) -> Option<Value> {
    let to = element(b.ir, b.ir.result(op, 0));
    let to = signless(b.ir.context(), to);
    let from = b.ir.value_type(scalar);
    if from == to {
        return Some(scalar);
    }
    let is_complex = |ty| complex::element_of(b.ir.context(), ty).is_some();
    if is_complex(from) || is_complex(to) {
        return None;
    }
    Some(b.value(&arith::BITCAST, &[scalar], to))
}

/// Operations that change no element of a tensor of rank 0.
static PASSED_ON: &[&OpDef] = &[
    &regions::OPTIMIZATION_BARRIER,
    &shapes::BROADCAST_IN_DIM,
    &shapes::RESHAPE,
    &shapes::TRANSPOSE,
];
