//! What a memref knows of itself, and globals.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::lower::memory::memory_flags;
use crate::repr::Scalar;

pub(super) static TABLE: LoweringTable = &[
    (&memref::DIM, lower_dim),
    (
        &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
        lower_extract_aligned_pointer,
    ),
    (
        &memref::EXTRACT_STRIDED_METADATA,
        lower_extract_strided_metadata,
    ),
    (&memref::GET_GLOBAL, lower_get_global),
    (&memref::RANK, lower_rank),
];

impl Lowering<'_, '_> {
    /// Records a number that a value of type index became.
    pub(super) fn set_index(&mut self, value: Value, index: Index) {
        let lowered = match index {
            Index::Const(number) => Lowered::Constant(Scalar::Int(64), number as u64 as u128),
            Index::Value(value) => Lowered::Scalar(value),
        };
        self.set(value, lowered);
    }

    /// The ranked descriptor of a memref; `None` if it is unranked.
    pub(super) fn ranked(&self, value: Value) -> Result<Option<Rc<Descriptor>>, Failed> {
        Ok(match self.get(value)? {
            Lowered::MemRef(descriptor) => Some(Rc::clone(descriptor)),
            _ => None,
        })
    }
}

fn lower_dim(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let dim = cx.index(cx.ir.operand(op, 1))?;
    let size = match cx.ranked(source)? {
        Some(descriptor) => match dim {
            // There is no such dimension: any number will do.
            Index::Const(dim) => usize::try_from(dim)
                .ok()
                .and_then(|dim| descriptor.sizes.get(dim).copied())
                .unwrap_or(Index::Const(0)),
            Index::Value(dim) => {
                let mut sizes = descriptor.sizes.iter().copied().enumerate();
                let first = sizes.next().map_or(Index::Const(0), |(_, size)| size);
                sizes.fold(first, |chosen, (i, size)| {
                    let is_it = cx.b.ins().icmp_imm_s(IntCC::Equal, dim, i as i64);
                    let (size, chosen) = (cx.index_value(size), cx.index_value(chosen));
                    Index::Value(cx.b.ins().select(is_it, size, chosen))
                })
            }
        },
        None => {
            // The sizes follow two pointers and the offset.
            let (_, descriptor) = cx.unranked(source)?;
            let offset = cx.mul(dim, Index::Const(8));
            let address = cx.add(Index::Value(descriptor), offset);
            let address = cx.index_value(address);
            let flags = memory_flags();
            Index::Value(cx.b.ins().load(types::I64, flags, address, 24))
        }
    };
    cx.set_index(result, size);
    Ok(())
}

fn lower_rank(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.ir.operand(op, 0);
    let rank = match cx.ranked(source)? {
        Some(descriptor) => Index::Const(descriptor.sizes.len() as i64),
        None => cx.unranked(source)?.0,
    };
    cx.set_index(cx.ir.result(op, 0), rank);
    Ok(())
}

fn lower_extract_aligned_pointer(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.ir.operand(op, 0);
    if cx.ir.has_attr(op, Name::ALLOCATED) {
        let pointer = cx.allocated_pointer(source)?;
        cx.set_result(op, pointer);
        return Ok(());
    }
    let pointer = match cx.ranked(source)? {
        Some(descriptor) => descriptor.aligned,
        None => {
            let (_, descriptor) = cx.unranked(source)?;
            let flags = memory_flags();
            Index::Value(cx.b.ins().load(types::I64, flags, descriptor, 8))
        }
    };
    cx.set_index(cx.ir.result(op, 0), pointer);
    Ok(())
}

fn lower_extract_strided_metadata(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = memref::ExtractStridedMetadata::cast(cx.ir, op)
        .expect("the table maps this row to this function");
    let source = cx.memref(view.source(cx.ir))?;
    let base = Descriptor {
        offset: Index::Const(0),
        sizes: SmallVec::new(),
        strides: SmallVec::new(),
        ..*source
    };
    let ir = cx.ir;
    cx.set(view.base_buffer(ir), Lowered::memref(base));
    cx.set_index(view.offset(ir), source.offset);
    for (&result, &size) in view.sizes(ir).iter().zip(&source.sizes) {
        cx.set_index(result, size);
    }
    for (&result, &stride) in view.strides(ir).iter().zip(&source.strides) {
        cx.set_index(result, stride);
    }
    Ok(())
}

/// A global is its own allocation: it must not be freed, but like any buffer it is told apart from
/// others by its allocated pointer.
fn lower_get_global(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let layout = cx.layout(result)?;
    let name = cx
        .ir
        .attr(op, Name::NAME)
        .and_then(|attr| cx.context.attr_flat_symbol(attr))
        .unwrap_or_default();
    let Some(id) = cx.program.global(name) else {
        let message = format!("refers to unknown global '{name}'");
        return Err(cx.op_error(op, &message));
    };
    let pointer = Index::Value(cx.global_address(id));
    let fields = layout.sizes.iter().chain(&layout.strides);
    let fields = fields.map(|&number| Index::from_static(number).unwrap_or(Index::Const(0)));
    let fields: Vec<Index> = [pointer, pointer, Index::Const(0)]
        .into_iter()
        .chain(fields)
        .collect();
    let mut descriptor = Descriptor::from_fields(layout.rank(), fields);
    descriptor.refine(&layout);
    cx.set(result, Lowered::memref(descriptor));
    Ok(())
}
