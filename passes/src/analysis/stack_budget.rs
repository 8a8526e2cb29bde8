//! How much of the stack the buffers of a function may take: what `bound-stack` allowed
//! less those that exist.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;

/// The attribute of functions that says so.
pub(crate) const STACK_BYTES: &str = "freehold.stack_bytes";

/// Whether the function `ir` has a limit.
pub(crate) fn is_bounded(ir: &Ir) -> bool {
    ir.has_attr(ir.root(), ir.context().intern_name(STACK_BYTES))
}

/// What the function `ir` may still put on the stack: at most `own`, the wish of a pass.
pub(crate) fn left(ir: &Ir, own: u64) -> u64 {
    let context = ir.context();
    let attr = ir.attr(ir.root(), context.intern_name(STACK_BYTES));
    let Some(allowed) = attr.and_then(|attr| context.attr_integer(attr)) else {
        return own;
    };
    let allowed = u64::try_from(allowed).unwrap_or(0);
    allowed.saturating_sub(used(ir)).min(own)
}

/// The bytes of buffers on the stack of the function `ir`. Those of sizes known at run time only take all there is.
pub(crate) fn used(ir: &Ir) -> u64 {
    let allocas = ir.walk(ir.root()).filter(|&op| ir.is(op, &memref::ALLOCA));
    let bytes = allocas.map(|op| {
        let context = ir.context();
        let memref = context.as_memref(ir.value_type(ir.result(op, 0)))?;
        let n_elements = u64::try_from(memref.n_elements()?).ok()?;
        let bytes = context
            .element_byte_size(memref.element)?
            .checked_mul(n_elements)?;
        bytes.checked_next_multiple_of(16)
    });
    bytes.fold(0, |sum: u64, bytes| {
        sum.saturating_add(bytes.unwrap_or(u64::MAX))
    })
}
