//! `bitcast`, `cast`, `memory_space_cast`, `subview`, `view`, `reinterpret_cast`:
//! new descriptors of the same memory.

use cranelift_codegen::ir::{InstBuilder, types};
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::lower::memory::{Address, memory_flags};
use crate::program::unsupported_op;
use crate::repr::{Repr, descriptor_size};

pub(super) static TABLE: LoweringTable = &[
    (&memref::BITCAST, lower_bitcast),
    (&memref::CAST, lower_cast),
    (&memref::MEMORY_SPACE_CAST, lower_cast),
    (&memref::REINTERPRET_CAST, lower_reinterpret_cast),
    (&memref::SUBVIEW, lower_subview),
    (&memref::VIEW, lower_view),
];

impl Lowering<'_, '_> {
    /// Records a descriptor, with what the result type knows put in.
    pub(super) fn set_memref(
        &mut self,
        result: Value,
        mut descriptor: Descriptor,
    ) -> Result<(), Failed> {
        let layout = self.layout(result)?;
        descriptor.refine(&layout);
        self.set(result, Lowered::memref(descriptor));
        Ok(())
    }

    /// A number of a mixed list.
    pub(super) fn mixed_index(&mut self, index: MixedIndex) -> Result<Index, Failed> {
        match index {
            MixedIndex::Value(value) => self.index(value),
            MixedIndex::Constant(number) => Ok(Index::Const(number)),
        }
    }

    /// The numbers of a mixed list.
    pub(super) fn mixed_indices(
        &mut self,
        list: &[MixedIndex],
    ) -> Result<SmallVec<[Index; 4]>, Failed> {
        list.iter().map(|&index| self.mixed_index(index)).collect()
    }

    /// Allocated pointer, aligned pointer and offset of a memref of any kind.
    pub(super) fn pointers(&mut self, source: Value) -> Result<[Index; 3], Failed> {
        if let Some(descriptor) = self.ranked(source)? {
            return Ok([descriptor.allocated, descriptor.aligned, descriptor.offset]);
        }
        let (_, descriptor) = self.unranked(source)?;
        let flags = memory_flags();
        Ok([0, 8, 16].map(|offset| {
            let field = self.b.ins().load(types::I64, flags, descriptor, offset);
            Index::Value(field)
        }))
    }
}

fn lower_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let repr = cx.repr(result)?;
    let lowered = match (cx.get(source)?.clone(), &repr) {
        (Lowered::MemRef(descriptor), Repr::MemRef(_)) => {
            return cx.set_memref(result, (*descriptor).clone());
        }
        (Lowered::MemRef(descriptor), _) => {
            let rank = descriptor.sizes.len();
            let size = Index::Const(i64::from(descriptor_size(rank)));
            let address = cx.frame_memory(op, size, 8);
            cx.store_descriptor(&descriptor, address);
            Lowered::Unranked {
                rank: Index::Const(rank as i64),
                descriptor: address,
            }
        }
        (Lowered::Unranked { descriptor, .. }, Repr::MemRef(_)) => {
            cx.load(&repr, Address::new(descriptor, 0))
        }
        (unranked, _) => unranked,
    };
    cx.set(result, lowered);
    Ok(())
}

fn lower_subview(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source_value, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let source = cx.memref(source_value)?;
    let context = cx.context;
    let lists = OffsetSizeStride::of(cx.ir, op);
    let types = context
        .as_memref(cx.ir.value_type(source_value))
        .zip(context.as_memref(cx.ir.value_type(result)));
    let (Some(lists), Some((source_type, result_type))) = (lists, types) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let statics = |list: &[MixedIndex]| -> Vec<i64> {
        list.iter().map(|index| index.static_value()).collect()
    };
    let dropped = memref::infer_subview_type(
        context,
        source_type,
        &statics(&lists.offsets),
        &statics(&lists.sizes),
        &statics(&lists.strides),
    )
    .and_then(|full| memref::types::dropped_dims(context, &full, result_type));
    let Some(dropped) = dropped else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let offsets = cx.mixed_indices(&lists.offsets)?;
    let sizes = cx.mixed_indices(&lists.sizes)?;
    let strides = cx.mixed_indices(&lists.strides)?;
    let mut view = Descriptor {
        sizes: SmallVec::new(),
        strides: SmallVec::new(),
        ..*source
    };
    for (dim, &stride) in source.strides.iter().enumerate() {
        let distance = cx.mul(offsets[dim], stride);
        view.offset = cx.add(view.offset, distance);
        if !dropped[dim] {
            view.sizes.push(sizes[dim]);
            view.strides.push(cx.mul(strides[dim], stride));
        }
    }
    cx.set_memref(result, view)
}

/// The shift moves the aligned pointer: it need not be a multiple of the element size.
fn lower_view(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::View::cast(cx.ir, op).expect("the table maps this row to this function");
    let result = cx.ir.result(op, 0);
    let layout = cx.layout(result)?;
    let source = cx.memref(view.source(cx.ir))?;
    let shift = cx.index(view.byte_shift(cx.ir))?;
    let sizes = cx.sizes(&layout.sizes, view.sizes(cx.ir))?;
    let strides = cx.identity_strides(&sizes);
    // Elements of the source are bytes.
    let shift = cx.add(source.offset, shift);
    let aligned = cx.add(source.aligned, shift);
    let mut descriptor = Descriptor::identity(aligned, sizes, strides);
    descriptor.allocated = source.allocated;
    cx.set_memref(result, descriptor)
}

/// Offset and strides of complex numbers count parts.
fn lower_bitcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let mut view = (*cx.memref(cx.ir.operand(op, 0))?).clone();
    if view.sizes.len() < cx.layout(result)?.rank() {
        let two = Index::Const(2);
        view.offset = cx.mul(view.offset, two);
        for stride in &mut view.strides {
            *stride = cx.mul(*stride, two);
        }
        view.sizes.push(two);
        view.strides.push(Index::Const(1));
    }
    cx.set_memref(result, view)
}

fn lower_reinterpret_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let lists = OffsetSizeStride::of(cx.ir, op);
    let Some((lists, offset)) = lists.and_then(|lists| {
        let offset = lists.offsets.first().copied()?;
        Some((lists, offset))
    }) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let [allocated, aligned, _] = cx.pointers(cx.ir.operand(op, 0))?;
    let view = Descriptor {
        allocated,
        aligned,
        offset: cx.mixed_index(offset)?,
        sizes: cx.mixed_indices(&lists.sizes)?,
        strides: cx.mixed_indices(&lists.strides)?,
    };
    cx.set_memref(cx.ir.result(op, 0), view)
}
