//! `load`, `store` and hints about accesses.

use std::rc::Rc;

use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::lower::LoweringTable;
use crate::lower::function::Lowering;
use crate::lower::memory::Address;
use crate::lower::value::Index;
use crate::repr::Layout;

pub(super) static TABLE: LoweringTable = &[
    (&memref::LOAD, lower_load),
    (&memref::STORE, lower_store),
    // Hints.
    (&memref::ASSUME_ALIGNMENT, |_, _| Ok(())),
    (&memref::PREFETCH, |_, _| Ok(())),
];

impl Lowering<'_, '_> {
    /// The address of the element of `memref` at `indices`.
    pub(super) fn address_of(
        &mut self,
        memref: Value,
        indices: &[Value],
    ) -> Result<(Address, Rc<Layout>), Failed> {
        let layout = self.layout(memref)?;
        let descriptor = self.memref(memref)?;
        let indices: SmallVec<[Index; 4]> = self.indices(indices)?;
        let address = self.element_address(&descriptor, &indices, layout.element_size);
        Ok((address, layout))
    }
}

fn lower_load(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::Load::cast(cx.ir, op).expect("the table maps this row to this function");
    let repr = cx.repr(cx.ir.result(op, 0))?;
    let (address, _) = cx.address_of(view.memref(cx.ir), view.indices(cx.ir))?;
    let value = cx.load(&repr, address);
    cx.set(cx.ir.result(op, 0), value);
    Ok(())
}

fn lower_store(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::Store::cast(cx.ir, op).expect("the table maps this row to this function");
    let value = cx.get(view.value(cx.ir))?.clone();
    let (address, _) = cx.address_of(view.memref(cx.ir), view.indices(cx.ir))?;
    cx.store(&value, address);
    Ok(())
}
