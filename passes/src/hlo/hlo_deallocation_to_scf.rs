//! `hlo-deallocation-to-scf`: compares inline where a `deallocation.retain`
//! has one buffer or one owner. Larger ones are left: the code generator calls
//! a library function for them.
//!
//! Before:
//! ```mlir
//! %r = deallocation.retain(%m) of(%a)
//!   : (memref<2xi32>, !deallocation.ownership) -> !deallocation.ownership
//! ```
//! After:
//! ```mlir
//! %pa = deallocation.get_buffer %a : !deallocation.ownership
//! %null = deallocation.null
//! %c0 = arith.constant 0 : index
//! %pm = deallocation.get_buffer %m : memref<2xi32>
//! %eq = arith.cmpi eq, %pm, %pa : index
//! %r = arith.select %eq, %a, %null : !deallocation.ownership
//! %left = arith.select %eq, %c0, %pa : index
//! %owned = arith.cmpi ne, %left, %c0 : index
//! scf.if %owned {
//!   deallocation.free %a
//! }
//! ```

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, deallocation, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::insert::pointer_of;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "hlo-deallocation-to-scf",
    summary: "compare inline for deallocation.retain with one buffer or one owner",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &deallocation::RETAIN) && is_small(ir, op) {
            lower(ir, op);
            context.count("retains lowered", 1);
        }
    }
    Ok(())
}

/// Whether the inline form is linear in the operands, and the results are
/// those that the operation says it has.
fn is_small(ir: &Ir, op: Op) -> bool {
    let view = deallocation::Retain(op);
    let (n_retained, n_owners) = (view.retained(ir).len(), view.allocs(ir).len());
    (n_retained <= 1 || n_owners <= 1) && ir.results(op).len() == n_retained
}

fn lower(ir: &mut Ir, op: Op) {
    let view = deallocation::Retain(op);
    let retained = view.retained(ir).to_vec();
    let owners = view.allocs(ir).to_vec();
    let owner_type = deallocation::ownership_type(ir.context());
    let mut builder = Builder::before(ir, op);
    // The owner and its pointer, or null and zero once it is given away.
    let mut left: Vec<(Value, Value)> = owners
        .iter()
        .map(|&owner| (owner, pointer_of(&mut builder, owner)))
        .collect();
    let null = (!retained.is_empty()).then(|| builder.value(&deallocation::NULL, &[], owner_type));
    let zero = (!owners.is_empty()).then(|| arith::constant_index(&mut builder, 0));
    let mut results = Vec::new();
    if let Some(null) = null {
        for &memref in &retained {
            let mut result = null;
            if let Some(zero) = zero {
                let wanted = pointer_of(&mut builder, memref);
                for (owner, pointer) in &mut left {
                    let same = arith::compare(&mut builder, CmpIPredicate::Eq, wanted, *pointer);
                    let mut select = |a: Value, b: Value, ty: Type| {
                        builder.value(&arith::SELECT, &[same, a, b], ty)
                    };
                    result = select(*owner, result, owner_type);
                    *pointer = select(zero, *pointer, Type::INDEX);
                    if retained.len() > 1 {
                        *owner = select(null, *owner, owner_type);
                    }
                }
            }
            results.push(result);
        }
    }
    if let Some(zero) = zero {
        for (&owner, &(_, pointer)) in owners.iter().zip(&left) {
            let owned = arith::compare(&mut builder, CmpIPredicate::Ne, pointer, zero);
            free_if(&mut builder, owned, owner);
        }
    }
    ir.replace_op(op, &results);
}

/// `scf.if %condition { deallocation.free %owner }`
fn free_if(builder: &mut Builder<'_>, condition: Value, owner: Value) {
    let op = scf::build_if(builder, condition, &[], false);
    let terminator = scf::If(op).then_yield(builder.ir);
    Builder::before(builder.ir, terminator).op(&deallocation::FREE, &[owner], &[]);
}
