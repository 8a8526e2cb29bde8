//! Which values may be dimensions and which symbols of affine operations.
//!
//! The scope is the arena: functions and modules are what upstream gives the
//! trait `AffineScope`.

use rustc_hash::FxHashSet;

use super::{APPLY, FOR, PARALLEL};
use crate::dialects::memref;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value, ValueDef};
use crate::ir::op_def::{OpError, Traits};
use crate::ir::types::{DYNAMIC, Type};

/// Whether `value` is defined right in the body of the function or module.
fn is_top_level(ir: &Ir, value: Value) -> bool {
    ir.value_block(value)
        .and_then(|block| ir.block_parent_op(block))
        == Some(ir.root())
}

/// Whether a `dim` operation measures something whose size is a symbol.
/// `Err` asks about another value: whether that is one.
fn is_dim_symbol(ir: &Ir, dim: Op) -> Result<bool, Value> {
    let shaped = ir.operand(dim, 0);
    if is_top_level(ir, shaped) {
        return Ok(true);
    }
    // Casts have the sizes of their sources.
    let cast = |op: &Op| ir.is(*op, &memref::CAST);
    let mut def = ir.defining_op(shaped);
    while let Some(op) = def.filter(cast) {
        def = ir.defining_op(ir.operand(op, 0));
    }
    let Some(def) = def else {
        return Ok(false);
    };
    let index = super::constant_index_of(ir, ir.operand(dim, 1));
    let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else {
        return Ok(false);
    };
    let sizes = if ir.is(def, &memref::ALLOC) {
        ir.operand_group(def, 0)
    } else if ir.is(def, &memref::VIEW) || ir.is(def, &memref::SUBVIEW) {
        ir.operand_group(def, 2)
    } else {
        return Ok(false);
    };
    let Some(shape) = ir.context().shape(ir.value_type(ir.result(def, 0))) else {
        return Ok(false);
    };
    match shape.get(index) {
        None => Ok(false),
        Some(&DYNAMIC) => {
            let position = shape[..index].iter().filter(|&&s| s == DYNAMIC).count();
            match sizes.get(position) {
                Some(&size) => Err(size),
                None => Ok(false),
            }
        }
        Some(_) => Ok(true),
    }
}

fn is_dim_op(ir: &Ir, op: Op) -> bool {
    matches!(ir.op_name(op), "memref.dim" | "tensor.dim") && ir.operands(op).len() == 2
}

/// What a value is to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Dim,
    Symbol,
}

/// Whether `value` may be a symbol of an affine map: a constant, a value of
/// the top level, the size of such a thing, or an `affine.apply` of symbols.
pub fn is_valid_symbol(ir: &Ir, value: Value) -> bool {
    is_valid(ir, value, Role::Symbol)
}

/// Whether `value` may be a dimension of an affine map: a symbol, an induction
/// variable of an affine loop, or an `affine.apply` of dimensions.
pub fn is_valid_dim(ir: &Ir, value: Value) -> bool {
    is_valid(ir, value, Role::Dim)
}

/// Follows applications and sizes to what they are made of, each value once.
fn is_valid(ir: &Ir, value: Value, role: Role) -> bool {
    let mut todo = vec![(value, role)];
    let mut seen = FxHashSet::default();
    while let Some((value, role)) = todo.pop() {
        if seen.insert((value, role)) && !check(ir, value, role, &mut todo) {
            return false;
        }
    }
    true
}

/// Whether `value` is valid if all that is added to `todo` is.
fn check(ir: &Ir, value: Value, role: Role, todo: &mut Vec<(Value, Role)>) -> bool {
    if ir.value_type(value) != Type::INDEX {
        return false;
    }
    if is_top_level(ir, value) {
        return true;
    }
    let op = match ir.value_def(value) {
        ValueDef::Result(op, _) => op,
        ValueDef::Argument(block, _) => {
            let parent = ir.block_parent_op(block);
            return role == Role::Dim
                && parent.is_some_and(|op| ir.is(op, &FOR) || ir.is(op, &PARALLEL));
        }
    };
    if ir.has_trait(op, Traits::CONSTANT_LIKE) {
        return true;
    }
    if ir.is(op, &APPLY) {
        todo.extend(ir.operands(op).iter().map(|&operand| (operand, role)));
        return true;
    }
    if is_dim_op(ir, op) {
        return match is_dim_symbol(ir, op) {
            Ok(known) => known,
            Err(size) => {
                todo.push((size, Role::Symbol));
                true
            }
        };
    }
    false
}

/// Checks the operands of a map with this many dimensions.
pub(super) fn verify_dims_and_symbols(
    ir: &Ir,
    operands: &[Value],
    n_dims: u32,
) -> Result<(), OpError> {
    for (i, &operand) in operands.iter().enumerate() {
        if i < n_dims as usize {
            if !is_valid_dim(ir, operand) {
                return Err("operand cannot be used as a dimension id".into());
            }
        } else if !is_valid_symbol(ir, operand) {
            return Err("operand cannot be used as a symbol".into());
        }
    }
    Ok(())
}
