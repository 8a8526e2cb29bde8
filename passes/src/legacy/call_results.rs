//! Results of one call that may be one buffer.
//!
//! Functions that went through [`super::buffer_deallocation`] return different
//! buffers, as every returned buffer belongs to the caller. External functions
//! and those called by address may return one twice. So after such a call each
//! later result that is the buffer of an earlier one is replaced by a copy:
//! ```mlir
//! %0:2 = call @f() : () -> (memref<2xf32>, memref<2xf32>)
//! %same:2 = bufferization.dealloc (%0#0 : memref<2xf32>) if (%true) retain (%0#0, %0#1 : ...)
//! %1 = scf.if %same#1 -> (memref<2xf32>) {
//!   %2 = bufferization.clone %0#1 : memref<2xf32> to memref<2xf32>
//!   scf.yield %2 : memref<2xf32>
//! } else {
//!   scf.yield %0#1 : memref<2xf32>
//! }
//! ```
//! The dealloc frees nothing, since it retains what it could free; its results
//! say which of the retained buffers that is.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::{arith, bufferization, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::interfaces::Callee;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;

/// Makes the results of every call different, but for those in `left_alone`.
/// Returns the clones that it makes.
pub(super) fn separate(
    ir: &mut Ir,
    symbols: &SymbolTable,
    left_alone: &EntitySet<Value>,
) -> Vec<Op> {
    let mut clones = Vec::new();
    for call in ir.collect_ops(ir.root()) {
        if ir.def(call).call.is_none() || returns_different_buffers(ir, symbols, call) {
            continue;
        }
        let buffers: Vec<Value> = ir
            .results(call)
            .iter()
            .copied()
            .filter(|&result| ir.is_memref(result) && !left_alone.contains(result))
            .collect();
        let mut last = call;
        for later in 1..buffers.len() {
            last = separate_from(ir, last, &buffers[..later], buffers[later], &mut clones);
        }
    }
    clones
}

/// Whether the callee is a function whose buffers are freed by the pass.
fn returns_different_buffers(ir: &Ir, symbols: &SymbolTable, call: Op) -> bool {
    let Some(interface) = ir.def(call).call else {
        return false;
    };
    match (interface.callee)(ir, call) {
        Callee::Symbol(name) => symbols
            .resolve(ir.context().attr_kind(name))
            .is_some_and(|symbol| symbol.has_body),
        Callee::Value(_) => false,
    }
}

/// Replaces `result` by a buffer that is none of `earlier`. `after` is the
/// operation to put code behind; returns the new last one.
fn separate_from(
    ir: &mut Ir,
    after: Op,
    earlier: &[Value],
    result: Value,
    clones: &mut Vec<Op>,
) -> Op {
    let ty = ir.value_type(result);
    let uses: Vec<_> = ir.uses(result).to_vec();
    let mut builder = Builder::after(ir, after);
    let b = &mut builder;
    let certain = b.value_with_attr(&arith::CONSTANT, &[], Type::I1, Name::VALUE, Attr::TRUE);
    let retained = [earlier, &[result]].concat();
    let conditions = vec![certain; earlier.len()];
    let dealloc = bufferization::buffers::build_dealloc(b, earlier, &conditions, &retained);
    let is_same = b.ir.result(dealloc, earlier.len());
    let spec = b
        .spec(&scf::IF)
        .operands(&[is_same])
        .results(&[ty])
        .regions(2);
    let choice = b.create(spec);
    for index in 0..2 {
        let region = b.ir.region(choice, index);
        let block = b.ir.append_block(region, &[]);
        b.set_to_end(block);
        let mut yielded = result;
        if index == 0 {
            yielded = bufferization::buffers::build_clone(b, result);
            clones.extend(b.ir.defining_op(yielded));
        }
        scf::build_yield(b, &[yielded]);
    }
    let different = ir.result(choice, 0);
    for use_ in uses {
        ir.set_operand(use_.op, use_.index as usize, different);
    }
    choice
}
