//! `alloc`, `alloca`, `dealloc` and scopes of stack memory.
//!
//! The pointer that malloc returns is both the allocated and the aligned
//! pointer: alignments beyond malloc's own go to `aligned_alloc`, whose blocks
//! `free` takes too. Only other allocators have aligned pointers inside of blocks.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::lower::frame_plan::alignment_of;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::program::unsupported_op;
use crate::repr::Layout;

pub(super) static TABLE: LoweringTable = &[
    (&memref::ALLOC, lower_alloc),
    (&memref::ALLOCA, lower_alloca),
    (&memref::ALLOCA_SCOPE, lower_alloca_scope),
    (&memref::ALLOCA_SCOPE_RETURN, |_, _| Ok(())),
    (&memref::DEALLOC, lower_dealloc),
];

impl Lowering<'_, '_> {
    /// Sizes, where operands have the dynamic ones.
    pub(super) fn sizes(
        &mut self,
        shape: &[i64],
        dynamic: &[Value],
    ) -> Result<SmallVec<[Index; 4]>, Failed> {
        let dynamic: SmallVec<[Index; 4]> = self.indices(dynamic)?;
        let mut dynamic = dynamic.into_iter();
        let sizes = shape.iter().map(|&size| {
            Index::from_static(size)
                .or_else(|| dynamic.next())
                .unwrap_or(Index::Const(0))
        });
        Ok(sizes.collect())
    }

    /// The descriptor of the result of an allocation, its pointer left out, and
    /// how many bytes it needs.
    fn plan_allocation(&mut self, op: Op) -> Result<(Descriptor, Index), Failed> {
        let layout = self.layout(self.ir.result(op, 0))?;
        let sizes = self.sizes(&layout.sizes, self.ir.operand_group(op, 0))?;
        let element_size = Index::Const(layout.element_size as i64);
        let ty = self.ir.value_type(self.ir.result(op, 0));
        let context = self.context;
        let has_layout = context.as_memref(ty).is_some_and(|m| m.layout.is_some());
        if !has_layout {
            let strides = self.identity_strides(&sizes);
            let n_elements = match (sizes.first(), strides.first()) {
                (Some(&size), Some(&stride)) => self.mul(size, stride),
                _ => Index::Const(1),
            };
            let bytes = self.mul(n_elements, element_size);
            // Hoisted, its size might never have been requested.
            let bytes = self.at_least_zero(bytes);
            let descriptor = Descriptor::identity(Index::Const(0), sizes, strides);
            return Ok((descriptor, bytes));
        }
        let (offset, strides) = self.layout_operands(op, &layout)?;
        let extent = self.extent(offset, &sizes, &strides);
        let bytes = self.mul(extent, element_size);
        let mut descriptor = Descriptor::identity(Index::Const(0), sizes, strides);
        descriptor.offset = offset;
        Ok((descriptor, bytes))
    }

    /// Offset and strides of an allocation whose type has a layout. Symbol
    /// operands stand for the unknown ones, the offset first.
    fn layout_operands(
        &mut self,
        op: Op,
        layout: &Layout,
    ) -> Result<(Index, SmallVec<[Index; 4]>), Failed> {
        let symbols: SmallVec<[Index; 4]> = self.indices(self.ir.operand_group(op, 1))?;
        let ty = self.ir.value_type(self.ir.result(op, 0));
        let context = self.context;
        let attr = context.as_memref(ty).and_then(|memref| memref.layout);
        let is_strided = matches!(
            attr.map(|attr| context.attr_kind(attr)),
            Some(AttrKind::StridedLayout { .. })
        );
        let mut symbols = symbols.into_iter();
        let known = std::iter::once(layout.offset).chain(layout.strides.iter().copied());
        let fields: Option<SmallVec<[Index; 4]>> = known
            .map(|number| {
                let symbol = || symbols.next().filter(|_| is_strided);
                Index::from_static(number).or_else(symbol)
            })
            .collect();
        let Some(mut fields) = fields else {
            // Symbols of an affine map may be combined in any way.
            return Err(self.unsupported_on(op, ty));
        };
        let offset = fields.remove(0);
        Ok((offset, fields))
    }

    /// One more than the largest index of an element, or less if there is none.
    fn extent(&mut self, offset: Index, sizes: &[Index], strides: &[Index]) -> Index {
        let mut extent = self.add(offset, Index::Const(1));
        for (&size, &stride) in sizes.iter().zip(strides) {
            let last = self.add(size, Index::Const(-1));
            let distance = self.mul(last, stride);
            extent = self.add(extent, distance);
        }
        self.at_least_zero(extent)
    }

    /// The larger one of `number` and zero.
    fn at_least_zero(&mut self, number: Index) -> Index {
        match number {
            Index::Const(number) => Index::Const(number.max(0)),
            Index::Value(number) => {
                let zero = self.b.ins().iconst(types::I64, 0);
                Index::Value(self.b.ins().smax(number, zero))
            }
        }
    }
}

fn set_allocation(
    cx: &mut Lowering<'_, '_>,
    op: Op,
    mut descriptor: Descriptor,
    (allocated, aligned): (clif::Value, clif::Value),
) {
    descriptor.allocated = Index::Value(allocated);
    descriptor.aligned = Index::Value(aligned);
    cx.set(cx.ir.result(op, 0), Lowered::memref(descriptor));
}

fn lower_alloc(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let element_size = cx.layout(cx.ir.result(op, 0))?.element_size as i64;
    let (descriptor, bytes) = cx.plan_allocation(op)?;
    let alignment = alignment_of(cx.ir, op, element_size);
    let pointers = cx.heap_alloc(bytes, alignment, cx.ir.loc(op));
    set_allocation(cx, op, descriptor, pointers);
    Ok(())
}

fn lower_alloca(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let element_size = cx.layout(cx.ir.result(op, 0))?.element_size as i64;
    let (descriptor, bytes) = cx.plan_allocation(op)?;
    let alignment = alignment_of(cx.ir, op, element_size);
    let pointer = cx.frame_memory(op, bytes, alignment);
    set_allocation(cx, op, descriptor, (pointer, pointer));
    Ok(())
}

/// The region runs in place; memory chained meanwhile is freed at its end.
fn lower_alloca_scope(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let Some(block) = cx.ir.single_block(cx.ir.region(op, 0)) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let mark = cx.frame_mark();
    let mut result = Ok(());
    for inner in cx.ir.ops_in(block) {
        result = result.and(cx.lower_op(inner));
    }
    result?;
    cx.release_frame(mark);
    if let Some(terminator) = cx.ir.last_op(block) {
        for (&result, &operand) in cx.ir.results(op).iter().zip(cx.ir.operands(terminator)) {
            let value = cx.get(operand)?.clone();
            cx.set(result, value);
        }
    }
    Ok(())
}

fn lower_dealloc(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let pointer = cx.allocated_pointer(cx.ir.operand(op, 0))?;
    cx.heap_free(pointer, cx.ir.loc(op));
    Ok(())
}
