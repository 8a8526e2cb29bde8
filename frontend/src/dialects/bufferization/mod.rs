//! The bufferization dialect: between tensors and buffers, and the conditional
//! release of buffers.

use crate::ir::data::Ir;
use crate::ir::effects::EffectKind;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{DialectDef, OpError};

pub mod buffers;
mod patterns;
pub mod tensors;

pub use buffers::{CLONE, Clone, DEALLOC, Dealloc};
pub use tensors::{
    ALLOC_TENSOR, AllocTensor, DEALLOC_TENSOR, DeallocTensor, MATERIALIZE_IN_DESTINATION,
    MaterializeInDestination, TO_MEMREF, TO_TENSOR, ToMemref, ToTensor,
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "bufferization",
    ops: &[
        &ALLOC_TENSOR,
        &CLONE,
        &DEALLOC,
        &DEALLOC_TENSOR,
        &MATERIALIZE_IN_DESTINATION,
        &TO_MEMREF,
        &TO_TENSOR,
    ],
    verify_op_attributes: Some(verify_op_attributes),
    ..DialectDef::BASE
};

/// Checks the attributes `bufferization.*` that an operation of any dialect carries.
pub fn verify_op_attributes(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    for &(name, _) in context.dict(ir.attrs(op)) {
        if name == Name::MANUAL_DEALLOCATION {
            let manages_memory = ir.own_effects(op).is_some_and(|effects| {
                effects.has_any(EffectKind::Allocate) || effects.has_any(EffectKind::Free)
            });
            if !manages_memory && ir.def(op).ownership.is_none() {
                return Err(
                    "attribute 'bufferization.manual_deallocation' can be used only on \
                            ops that have an allocation and/or free side effect"
                        .into(),
                );
            }
        } else if context.name(name).starts_with("bufferization.") {
            return Err(OpError::bare(format!(
                "attribute '\"{}\"' not supported as an op attribute by the bufferization dialect",
                context.name(name)
            )));
        }
    }
    Ok(())
}
