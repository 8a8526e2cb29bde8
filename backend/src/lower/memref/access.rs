//! `load`, `store` and hints about accesses.

use cranelift_codegen::ir::{InstBuilder, types};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use crate::external;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::memory::Address;

pub(super) static TABLE: LoweringTable = &[
    (&memref::LOAD, lower_load),
    (&memref::STORE, lower_store),
    // Hints.
    (&memref::ASSUME_ALIGNMENT, |_, _| Ok(())),
    (&memref::DISTINCT_OBJECTS, |cx, op| {
        for (&operand, &result) in cx.ir.operands(op).iter().zip(cx.ir.results(op)) {
            let lowered = cx.get(operand)?.clone();
            cx.set(result, lowered);
        }
        Ok(())
    }),
    (&memref::PREFETCH, |_, _| Ok(())),
];

impl Lowering<'_, '_> {
    /// The address of the element of `memref` at `indices`, which `op` is about
    /// to access.
    pub(super) fn address_of(
        &mut self,
        op: Op,
        access: Access,
        memref: Value,
        indices: &[Value],
    ) -> Result<Address, Failed> {
        let size = self.layout(memref)?.element_size;
        let descriptor = self.memref(memref)?;
        let indices = self.subscripts(indices)?;
        let mut address = self.element_address(&descriptor, &indices, size);
        address.region = self.alias_region(memref);
        if self.program.check_accesses {
            let allocated = self.index_value(descriptor.allocated);
            let pointer = self.address_value(address);
            let size = self.b.ins().iconst(types::I64, size as i64);
            let is_write = i64::from(access == Access::Write);
            let is_write = self.b.ins().iconst(types::I8, is_write);
            let site = self.site(self.ir.loc(op));
            let args = [allocated, pointer, size, is_write, site];
            self.call_external(&external::CHECK_ACCESS_IN, &args);
        }
        Ok(address)
    }
}

/// The access to an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// Only read.
    Read,
    /// Written, perhaps read too.
    Write,
}

fn lower_load(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::Load::cast(cx.ir, op).expect("the table maps this row to this function");
    let repr = cx.repr(cx.ir.result(op, 0))?;
    let (memref, indices) = (view.memref(cx.ir), view.indices(cx.ir));
    let address = cx.address_of(op, Access::Read, memref, indices)?;
    let value = cx.load(&repr, address);
    cx.set(cx.ir.result(op, 0), value);
    Ok(())
}

fn lower_store(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::Store::cast(cx.ir, op).expect("the table maps this row to this function");
    let repr = cx.repr(view.value(cx.ir))?;
    let value = cx.get(view.value(cx.ir))?.clone();
    let (memref, indices) = (view.memref(cx.ir), view.indices(cx.ir));
    let address = cx.address_of(op, Access::Write, memref, indices)?;
    cx.store(&repr, &value, address);
    Ok(())
}
