//! `atomic_rmw` and `generic_atomic_rmw`.
//!
//! Operations without a single instruction (floats, odd widths, regions) are a loop that computes
//! the new value and swaps it in unless another thread changed the element meanwhile.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, AtomicRmwOp, InstBuilder};
use freehold_frontend::dialects::memref::{self, AtomicRmwKind};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use super::access::Access;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Lowered;
use crate::lower::memory::memory_flags;
use crate::program::unsupported_op;
use crate::repr::{Scalar, container};

pub(super) static TABLE: LoweringTable = &[
    (&memref::ATOMIC_RMW, lower_atomic_rmw),
    (&memref::ATOMIC_YIELD, |_, _| Ok(())),
    (&memref::GENERIC_ATOMIC_RMW, lower_generic_atomic_rmw),
];

/// The machine's operation of this kind, on integers that fill their container.
fn machine_op(kind: AtomicRmwKind, scalar: Scalar) -> Option<AtomicRmwOp> {
    if !matches!(scalar, Scalar::Int(_)) || scalar.is_odd_width() {
        return (kind == AtomicRmwKind::Assign).then_some(AtomicRmwOp::Xchg);
    }
    Some(match kind {
        AtomicRmwKind::Addi => AtomicRmwOp::Add,
        AtomicRmwKind::Andi => AtomicRmwOp::And,
        AtomicRmwKind::Xori => AtomicRmwOp::Xor,
        AtomicRmwKind::Ori => AtomicRmwOp::Or,
        AtomicRmwKind::Assign => AtomicRmwOp::Xchg,
        AtomicRmwKind::Maxs => AtomicRmwOp::Smax,
        AtomicRmwKind::Maxu => AtomicRmwOp::Umax,
        AtomicRmwKind::Mins => AtomicRmwOp::Smin,
        AtomicRmwKind::Minu => AtomicRmwOp::Umin,
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    /// The element at `address` replaced by `compute` of it, atomically.
    /// Returns the old value.
    fn compare_and_swap_loop(
        &mut self,
        scalar: Scalar,
        address: clif::Value,
        compute: impl FnOnce(&mut Self, clif::Value) -> Result<clif::Value, Failed>,
    ) -> Result<clif::Value, Failed> {
        let bits_type = container(scalar.byte_size() * 8);
        let [retry, done] = [(); 2].map(|()| self.b.create_block());
        let expected = self.b.append_block_param(retry, bits_type);
        let flags = memory_flags();
        let first = self.b.ins().load(bits_type, flags, address, 0);
        self.b.ins().jump(retry, &[first.into()]);
        self.b.switch_to_block(retry);
        let old = self.bitcast(scalar.clif(), expected);
        let old = self.wrap(scalar, old);
        let new = compute(self, old)?;
        let new = self.bitcast(bits_type, new);
        let found = self.b.ins().atomic_cas(flags, address, expected, new);
        let swapped = self.b.ins().icmp(IntCC::Equal, found, expected);
        self.b
            .ins()
            .brif(swapped, done, &[], retry, &[found.into()]);
        self.b.switch_to_block(done);
        Ok(old)
    }
}

/// The scalar type of the elements that `op` updates; reports those that no
/// machine updates atomically.
fn element_type(cx: &mut Lowering<'_, '_>, op: Op) -> Result<Scalar, Failed> {
    let scalar = cx.result_type(op)?;
    if scalar.byte_size() > 8 {
        return Err(cx.unsupported_on(op, cx.ir.value_type(cx.ir.result(op, 0))));
    }
    Ok(scalar)
}

fn lower_atomic_rmw(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view =
        memref::AtomicRmw::cast(cx.ir, op).expect("the table maps this row to this function");
    let Some(kind) = memref::atomic::atomic_rmw_kind(cx.ir, op) else {
        return Err(cx.op_error(op, "has no kind"));
    };
    let scalar = element_type(cx, op)?;
    let operand = cx.scalar(view.value(cx.ir))?;
    let (memref, indices) = (view.memref(cx.ir), view.indices(cx.ir));
    let address = cx.address_of(op, Access::Write, memref, indices)?;
    let address = cx.address_value(address);
    let old = match machine_op(kind, scalar) {
        Some(machine_op) => {
            let bits_type = container(scalar.byte_size() * 8);
            let operand = cx.bitcast(bits_type, operand);
            let flags = memory_flags();
            let old =
                cx.b.ins()
                    .atomic_rmw(bits_type, flags, machine_op, address, operand);
            let old = cx.bitcast(scalar.clif(), old);
            cx.wrap(scalar, old)
        }
        None => cx.compare_and_swap_loop(scalar, address, |cx, old| {
            kind.combination()
                .and_then(|combination| cx.arithmetic(combination, scalar, old, operand))
                .ok_or_else(|| unsupported_op(cx.ir, op, cx.diagnostics))
        })?,
    };
    cx.set_result(op, old);
    Ok(())
}

/// The result is the value found in memory, before the update, as in upstream's lowering.
fn lower_generic_atomic_rmw(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::GenericAtomicRmw::cast(cx.ir, op)
        .expect("the table maps this row to this function");
    let Some(block) = cx.ir.single_block(cx.ir.region(op, 0)) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let scalar = element_type(cx, op)?;
    let (memref, indices) = (view.memref(cx.ir), view.indices(cx.ir));
    let address = cx.address_of(op, Access::Write, memref, indices)?;
    let address = cx.address_value(address);
    let old = cx.compare_and_swap_loop(scalar, address, |cx, old| {
        for &argument in cx.ir.block_args(block) {
            cx.set(argument, Lowered::Scalar(old));
        }
        let mut result = Ok(());
        for inner in cx.ir.ops_in(block) {
            result = result.and(cx.lower_op(inner));
        }
        result?;
        match cx.ir.last_op(block) {
            Some(terminator) => cx.operand(terminator, 0),
            None => Err(unsupported_op(cx.ir, op, cx.diagnostics)),
        }
    })?;
    cx.set_result(op, old);
    Ok(())
}
