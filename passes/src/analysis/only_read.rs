//! Which arguments a function leaves as they are: callers may share those.
//!
//! Tensors are values, so theirs is memory that is only read, unless they are `bufferization.writable`. Of a
//! memref it is known where all operations that get it, or a view of it, say what they do to memory. What
//! another function or loop gets may be written to.

use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};

/// For each argument of `function` whether it is only read; numbers are.
pub fn only_read_arguments(function: &Ir) -> Vec<bool> {
    let context = function.context();
    let Some(body) = function.root_block() else {
        let ty = function.function_type(function.root());
        return match ty.map(|ty| context.type_kind(ty)) {
            Some(TypeKind::Function { inputs, .. }) => {
                inputs.iter().map(|&ty| !is_buffer(context, ty)).collect()
            }
            _ => Vec::new(),
        };
    };
    let arguments = function.block_args(body).iter().enumerate();
    arguments
        .map(
            |(index, &argument)| match context.type_kind(function.value_type(argument)) {
                TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) => {
                    !is_writable(function, index)
                }
                TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => {
                    is_only_read(function, argument)
                }
                _ => true,
            },
        )
        .collect()
}

fn is_buffer(context: &Context, ty: Type) -> bool {
    let is_tensor = matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    );
    is_tensor || context.is_memref(ty)
}

/// Whether the function may write to the tensor that it gets.
fn is_writable(function: &Ir, index: usize) -> bool {
    let context = function.context();
    let attrs = function.attr(function.root(), Name::ARG_ATTRS);
    let attrs = attrs.and_then(|attr| context.attr_array(attr));
    let of_argument = attrs.and_then(|attrs| attrs.get(index));
    match of_argument.map(|&attr| context.attr_kind(attr)) {
        Some(AttrKind::Dictionary(dict)) => {
            let writable = Name::BUFFERIZATION_WRITABLE;
            context.dict_get(*dict, writable) == Some(Attr::TRUE)
        }
        _ => false,
    }
}

/// Whether nothing is written to `buffer`, a memref, or to views of it.
fn is_only_read(ir: &Ir, buffer: Value) -> bool {
    let mut seen = vec![buffer];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        for used in ir.uses(value) {
            let op = used.op;
            if ir
                .def(op)
                .view_source
                .is_some_and(|source| source(ir, op) == value)
            {
                // A view is named by one operation, so none comes twice.
                seen.extend(ir.results(op));
            } else if !leaves_alone(ir, op, value, used.index as usize) {
                return false;
            }
        }
    }
    true
}

/// Whether `op` neither writes to its operand nor hands it on, save to the caller.
fn leaves_alone(ir: &Ir, op: Op, value: Value, index: usize) -> bool {
    let context = ir.context();
    let def = ir.def(op);
    if ir.has_trait(op, Traits::RETURN_LIKE) && ir.parent_op(op) == Some(ir.root()) {
        return true;
    }
    if ir.has_trait(op, Traits::TERMINATOR) || def.region_branch.is_some() {
        return false;
    }
    // What holds memrefs may get this one.
    let holds_memrefs = |&operand: &Value| {
        let element = context.element_type_or_self(ir.value_type(operand));
        context.is_memref(element)
    };
    if ir.operands(op).iter().any(holds_memrefs) {
        return false;
    }
    let hands_on = |&result: &Value| (def.keeps_operand)(ir, op, result, index);
    if ir.results(op).iter().any(hands_on) {
        return false;
    }
    let Some(effects) = ir.own_effects(op) else {
        return false;
    };
    effects.iter().all(|effect| match effect.kind {
        EffectKind::Read | EffectKind::Allocate => true,
        EffectKind::Write | EffectKind::Free => {
            effect.value.is_some_and(|affected| affected != value)
        }
    })
}
