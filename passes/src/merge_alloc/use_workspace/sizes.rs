//! What computes the sizes of allocations and of workspaces, of the arguments of a function alone.

use freehold_frontend::dialects::arith::is_speculatable;
use freehold_frontend::dialects::{arith, func, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

use super::refuse;

/// Whether all sizes are known when the function begins.
pub(super) fn check_sizes(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut result = Ok(());
    let mut slice = Slice::default();
    for op in ir.walk(ir.root()).filter(|&op| ir.is(op, &memref::ALLOC)) {
        let sizes = ir.operand_group(op, 0);
        if !sizes.iter().all(|&size| slice.add(ir, size)) {
            let message =
                "cannot be part of a workspace: its size is not known when the function begins";
            result = Err(refuse(ir, op, message, diagnostics));
        }
    }
    result
}

/// Moves what computes the sizes of allocations to where the function begins, as far as that is possible.
/// Returns what comes next.
pub(super) fn hoist_sizes(ir: &mut Ir) -> Option<Op> {
    let entry = ir.root_block()?;
    let mut slice = Slice::default();
    for alloc in ir.collect_ops(ir.root()) {
        if ir.is(alloc, &memref::ALLOC) {
            for &size in ir.operand_group(alloc, 0) {
                slice.add(ir, size);
            }
        }
    }
    let next = ir.ops_in(entry).find(|op| !slice.members.contains(op))?;
    for op in slice.ops {
        ir.move_op_before(op, next);
    }
    Some(next)
}

/// Operations that compute values of the arguments of a function, and may run at any time.
#[derive(Default)]
pub(super) struct Slice {
    /// Each after those that it needs.
    ops: Vec<Op>,
    members: FxHashSet<Op>,
}

impl Slice {
    /// Adds what computes `value`; false, and nothing is added, if that is not possible.
    pub(super) fn add(&mut self, ir: &Ir, value: Value) -> bool {
        let before = self.ops.len();
        // Operations with some operands done.
        let mut path: Vec<(Op, usize)> = Vec::new();
        let mut is_possible = self.enter(ir, value, &mut path);
        while is_possible && let Some((op, n_done)) = path.last_mut() {
            if let Some(&operand) = ir.operands(*op).get(*n_done) {
                *n_done += 1;
                is_possible = self.enter(ir, operand, &mut path);
            } else {
                self.ops.push(*op);
                path.pop();
            }
        }
        if !is_possible {
            let left = path.into_iter().map(|(op, _)| op);
            for op in self.ops.drain(before..).chain(left) {
                self.members.remove(&op);
            }
        }
        is_possible
    }

    /// Whether `value` may be computed, as far as one operation says; that comes on the path if it is new.
    fn enter(&mut self, ir: &Ir, value: Value, path: &mut Vec<(Op, usize)>) -> bool {
        let Some(op) = ir.defining_op(value) else {
            return ir.value_block(value) == ir.root_block();
        };
        if !self.members.insert(op) {
            return true;
        }
        path.push((op, 0));
        ir.regions(op).is_empty()
            && (is_speculatable(ir, op)
                || ir.has_trait(op, Traits::CONSTANT_LIKE)
                || ir.is(op, &memref::CAST)
                || ir.is(op, &memref::DIM)
                    && arith::as_constant_index(ir, ir.operand(op, 1)).is_some())
    }
}

/// A function that takes what `ir` takes and returns `value`, which is computed of that alone.
pub(super) fn size_function_of(ir: &Ir, name: &str, value: Value) -> Ir {
    let context = ir.context();
    let entry = ir.root_block().expect("the function has a body");
    let arguments = ir.block_args(entry);
    let inputs: Vec<Type> = arguments.iter().map(|&v| ir.value_type(v)).collect();
    let loc = ir.loc(ir.root());
    let mut new = func::function(context, loc, name, &inputs, &[Type::INDEX]);
    let root = new.root();
    if let Some(attr) = ir.attr(ir.root(), Name::EMIT_C_INTERFACE) {
        new.set_attr(root, Name::EMIT_C_INTERFACE, attr);
    }
    let region = new.region(root, 0);
    let block = new.append_block(region, &inputs);
    let mut map = IrMap::default();
    for (i, &argument) in arguments.iter().enumerate() {
        let copy = new.block_args(block)[i];
        new.set_arg_loc(copy, ir.value_loc(argument));
        map.values.insert(argument, copy);
    }
    let mut slice = Slice::default();
    slice.add(ir, value);
    for op in slice.ops {
        let copy = new.import_op(ir, op, &mut map);
        new.append_op(block, copy);
    }
    let result = map.value(value);
    func::build_return(&mut Builder::at_end(&mut new, block), &[result]);
    new
}
