//! Canonicalization of structured operations on buffers.

use smallvec::smallvec;

use super::attributes::{IteratorType, i64_array};
use super::interface::{indexing_maps, inputs, iterator_types, outputs, shape};
use super::{COPY as COPY_OP, YIELD};
use crate::dialects::memref;
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, ValueDef};
use crate::ir::names::Name;
use crate::ir::op_def::{FoldResult, FoldResults, Pattern};
use crate::ir::rewriter::Rewriter;

const SHARED: [Pattern; 2] = [
    Pattern {
        name: "linalg-of-nothing",
        apply: erase_empty,
    },
    Pattern {
        name: "linalg-of-cast",
        apply: look_through_casts,
    },
];
/// Patterns of every structured operation.
pub(super) const STRUCTURED: &[Pattern] = &SHARED;
/// `linalg.copy`
pub(super) const COPY: &[Pattern] = &[
    SHARED[0],
    SHARED[1],
    Pattern {
        name: "linalg-copy-to-itself",
        apply: erase_self_copy,
    },
];
/// `linalg.generic`
pub(super) const GENERIC: &[Pattern] = &[
    SHARED[0],
    SHARED[1],
    Pattern {
        name: "linalg-generic-identity",
        apply: erase_identity,
    },
];

/// An operation with a buffer without elements does nothing.
fn erase_empty(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let is_empty = ir.operands(op).iter().any(|&operand| {
        ir.context().as_memref(ir.value_type(operand)).is_some() && shape(ir, operand).contains(&0)
    });
    if is_empty && ir.results(op).is_empty() {
        rw.erase_op(op);
        return true;
    }
    false
}

/// Operands that are `memref.cast`s become the sources of these, where the operation is valid with
/// them.
fn look_through_casts(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let mut changed = false;
    for index in 0..rw.ir.operands(op).len() {
        let cast = rw.ir.operand(op, index);
        let Some(source) = memref::patterns::cast_source(rw.ir, cast) else {
            continue;
        };
        // Some operations compare sizes, known or not, with those of other operands.
        rw.ir.set_operand(op, index, source);
        let is_valid = (rw.ir.def(op).verify)(rw.ir, op).is_ok();
        rw.ir.set_operand(op, index, cast);
        if is_valid {
            rw.set_operand(op, index, source);
            changed = true;
        }
    }
    changed
}

/// copy(x, x) -> nothing, or x for a tensor
fn erase_self_copy(rw: &mut Rewriter<'_>, op: Op) -> bool {
    debug_assert!(rw.ir.is(op, &COPY_OP));
    if inputs(rw.ir, op) != outputs(rw.ir, op) {
        return false;
    }
    let values = inputs(rw.ir, op)[..rw.ir.results(op).len()].to_vec();
    rw.replace_op(op, &values);
    true
}

/// Whether a map has the counters of all loops as subscripts, or 0 where that is the only one.
fn is_identity(map: &AffineMap, shape: &[i64]) -> bool {
    let is_same = |(i, result): (usize, &AffineExpr)| match *result {
        AffineExpr::Dim(dim) => dim as usize == i,
        AffineExpr::Constant(0) => shape.get(i) == Some(&1),
        _ => false,
    };
    map.results.len() == map.n_dims as usize && map.results.iter().enumerate().all(is_same)
}

/// A transposition that leaves everything where it is.
pub(super) fn fold_transpose(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let is_in_order = i64_array(ir, op, Name::PERMUTATION).is_sorted();
    match (inputs(ir, op), ir.results(op)) {
        (&[input], &[result]) if is_in_order && ir.value_type(input) == ir.value_type(result) => {
            smallvec![FoldResult::Value(input)]
        }
        _ => FoldResults::new(),
    }
}

/// A generic that yields its arguments at identical positions is its operands;
/// on buffers, one that copies a buffer to itself is nothing.
fn erase_identity(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let all_parallel = iterator_types(ir, op)
        .iter()
        .all(|&ty| ty == IteratorType::Parallel);
    let maps = indexing_maps(ir, op);
    let mut operands = ir.operands(op).iter().zip(&maps);
    if !all_parallel || !operands.all(|(&operand, map)| is_identity(map, shape(ir, operand))) {
        return false;
    }
    let Some(block) = super::interface::body(ir, op) else {
        return false;
    };
    let Some(yield_op) = ir.first_op(block).filter(|&first| ir.is(first, &YIELD)) else {
        return false;
    };
    let mut values = Vec::new();
    for &value in ir.operands(yield_op) {
        match ir.value_def(value) {
            ValueDef::Argument(owner, index) if owner == block => {
                values.push(ir.operand(op, index as usize));
            }
            _ => return false,
        }
    }
    if ir.results(op).is_empty() {
        let (inputs, outputs) = (inputs(ir, op), outputs(ir, op));
        if inputs.len() == 1 && inputs == outputs {
            rw.erase_op(op);
            return true;
        }
        return false;
    }
    let same_types = values.len() == ir.results(op).len()
        && values
            .iter()
            .zip(ir.results(op))
            .all(|(&value, &result)| ir.value_type(value) == ir.value_type(result));
    if !same_types {
        return false;
    }
    rw.replace_op(op, &values);
    true
}
