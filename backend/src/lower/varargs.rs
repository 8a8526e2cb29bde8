//! Arguments of functions that take any number of them, on x86-64.
//!
//! The caller puts them where named arguments would go: into the registers that are left, and then on the stack. A
//! function that is defined here so has all of these registers as parameters behind its own, and after them an argument
//! in memory of no size to speak of, whose address is that of the first one on the stack. `llvm.intr.vastart` saves
//! the registers and fills in a `va_list` as the System V ABI for x86-64 (section 3.5.7) describes it.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};
use freehold_frontend::dialects::llvm;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use super::function::{Lowering, LoweringTable};
use crate::abi::{VARIADIC_FLOATS, VARIADIC_INTS, named_registers};

/// The lowerings of these operations.
pub(super) static TABLE: LoweringTable = &[
    (&llvm::VA_COPY, lower_copy),
    (&llvm::VA_END, |_, _| Ok(())),
    (&llvm::VA_START, lower_start),
];

/// Bytes of a `va_list`.
const LIST: i32 = 24;

fn lower_start(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    if !cx.ir.has_attr(cx.ir.root(), Name::VARIADIC) {
        return Err(cx.op_error(op, "is in a function with a fixed number of arguments"));
    }
    let list = cx.operand(op, 0)?;
    let (n_ints, n_floats) = named_registers(&cx.abi.signature);
    let entry = cx.ir.root_block().expect("the function has a body");
    let entry = cx.clif_block(entry);
    let params = cx.b.block_params(entry)[cx.abi.signature.params.len()..].to_vec();
    let slot = cx.stack_slot(
        VARIADIC_INTS.0 as u32 * VARIADIC_INTS.1 as u32
            + VARIADIC_FLOATS.0 as u32 * VARIADIC_FLOATS.1 as u32,
    );
    let saved = cx.b.ins().stack_addr(types::I64, slot, 0);
    let first_float = VARIADIC_INTS.0 as i32 * VARIADIC_INTS.1;
    let ints = (n_ints..VARIADIC_INTS.0).map(|i| i as i32 * VARIADIC_INTS.1);
    let floats = (n_floats..VARIADIC_FLOATS.0).map(|i| first_float + i as i32 * VARIADIC_FLOATS.1);
    let flags = MemFlagsData::trusted();
    for (&param, offset) in params.iter().zip(ints.chain(floats)) {
        cx.b.ins().store(flags, param, saved, offset);
    }
    let [ints_used, floats_used] = [
        n_ints as i32 * VARIADIC_INTS.1,
        first_float + n_floats as i32 * VARIADIC_FLOATS.1,
    ];
    let ints_used = cx.b.ins().iconst(types::I32, i64::from(ints_used));
    let floats_used = cx.b.ins().iconst(types::I32, i64::from(floats_used));
    let on_stack = params[params.len() - 1];
    let members = [(ints_used, 0), (floats_used, 4), (on_stack, 8), (saved, 16)];
    for (value, offset) in members {
        cx.b.ins().store(MemFlagsData::new(), value, list, offset);
    }
    Ok(())
}

fn lower_copy(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (to, from) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    for offset in (0..LIST).step_by(8) {
        let word =
            cx.b.ins()
                .load(types::I64, MemFlagsData::new(), from, offset);
        cx.b.ins().store(MemFlagsData::new(), word, to, offset);
    }
    Ok(())
}
