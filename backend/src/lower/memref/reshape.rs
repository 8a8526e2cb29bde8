//! `reshape`, `expand_shape`, `collapse_shape`, `transpose`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Sign;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::lower::memory::memory_flags;
use crate::program::unsupported_op;
use crate::repr::{Repr, Scalar};

pub(super) static TABLE: LoweringTable = &[
    (&memref::COLLAPSE_SHAPE, lower_collapse_shape),
    (&memref::EXPAND_SHAPE, lower_expand_shape),
    (&memref::RESHAPE, lower_reshape),
    (&memref::TRANSPOSE, lower_transpose),
];

fn lower_transpose(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view =
        memref::Transpose::cast(cx.ir, op).expect("the table maps this row to this function");
    let source = cx.memref(view.source(cx.ir))?;
    let permutation = view.permutation(cx.ir);
    let permuted = |fields: &[Index]| permutation.iter().map(|&dim| fields[dim]).collect();
    let result = Descriptor {
        sizes: permuted(&source.sizes),
        strides: permuted(&source.strides),
        ..*source
    };
    cx.set_memref(cx.ir.result(op, 0), result)
}

fn lower_expand_shape(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view =
        memref::ExpandShape::cast(cx.ir, op).expect("the table maps this row to this function");
    let source = cx.memref(view.source(cx.ir))?;
    let sizes = cx.mixed_indices(&view.mixed_output_shape(cx.ir))?;
    // Out of rank 0, only dimensions of size 1 can come.
    let mut strides = SmallVec::from_elem(Index::Const(1), sizes.len());
    for (group, &stride) in view.reassociation(cx.ir).iter().zip(&source.strides) {
        let mut stride = stride;
        for dim in group.iter().rev().map(|&dim| dim as usize) {
            strides[dim] = stride;
            stride = cx.mul(stride, sizes[dim]);
        }
    }
    let result = Descriptor {
        sizes,
        strides,
        ..*source
    };
    cx.set_memref(cx.ir.result(op, 0), result)
}

fn lower_collapse_shape(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view =
        memref::CollapseShape::cast(cx.ir, op).expect("the table maps this row to this function");
    let source = cx.memref(view.source(cx.ir))?;
    let mut sizes = SmallVec::new();
    let mut strides = SmallVec::new();
    for group in view.reassociation(cx.ir) {
        let dims = group.iter().map(|&dim| dim as usize);
        sizes.push(cx.product(dims.clone().map(|dim| source.sizes[dim])));
        // The dimensions are contiguous, but for those of size 1, whose strides
        // mean nothing.
        let counts = |dim: usize| source.sizes[dim] != Index::Const(1);
        let innermost = dims.clone().rev().find(|&dim| counts(dim));
        let innermost = innermost.or(dims.clone().next_back());
        strides.push(innermost.map_or(Index::Const(1), |dim| source.strides[dim]));
    }
    let result = Descriptor {
        sizes,
        strides,
        ..*source
    };
    cx.set_memref(cx.ir.result(op, 0), result)
}

/// A shape that is data: a memref of rank one.
struct Shape {
    descriptor: std::rc::Rc<Descriptor>,
    element: Scalar,
    element_size: u64,
}

impl Lowering<'_, '_> {
    fn shape(&mut self, op: Op, value: Value) -> Result<Shape, Failed> {
        let layout = self.layout(value)?;
        let Some(Repr::Scalar(element @ Scalar::Int(_))) = self.repr_of_type(layout.element) else {
            return Err(unsupported_op(self.ir, op, self.diagnostics));
        };
        Ok(Shape {
            descriptor: self.memref(value)?,
            element,
            element_size: layout.element_size,
        })
    }

    /// Size number `dim` of a shape.
    fn shape_size(&mut self, shape: &Shape, dim: Index) -> Index {
        let address = self.element_address(&shape.descriptor, &[dim.into()], shape.element_size);
        let Lowered::Scalar(size) = self.load(&Repr::Scalar(shape.element), address) else {
            unreachable!("loads of scalars give scalars");
        };
        let Scalar::Int(width) = shape.element else {
            unreachable!("shapes have integer elements");
        };
        Index::Value(self.resize(Sign::Signed, width, 64, size))
    }

    /// The pointers of the source with the offset moved into the aligned one:
    /// results of reshapes have none.
    fn pointers_without_offset(&mut self, op: Op) -> Result<[Index; 2], Failed> {
        let source = self.ir.operand(op, 0);
        let context = self.context;
        let element = context.element_type_or_self(self.ir.value_type(source));
        let Some(element_size) = context.element_byte_size(element) else {
            return Err(unsupported_op(self.ir, op, self.diagnostics));
        };
        let [allocated, aligned, offset] = self.pointers(source)?;
        let bytes = self.mul(offset, Index::Const(element_size as i64));
        Ok([allocated, self.add(aligned, bytes)])
    }

    /// Writes sizes and row-major strides behind the pointers and the offset of
    /// a descriptor of `rank` dimensions: a loop from the innermost outwards.
    fn store_shape(&mut self, shape: &Shape, rank: Index, descriptor: clif::Value) {
        let [header, body, done] = [(); 3].map(|()| self.b.create_block());
        let left = self.b.append_block_param(header, types::I64);
        let stride = self.b.append_block_param(header, types::I64);
        let rank = self.index_value(rank);
        let one = self.b.ins().iconst(types::I64, 1);
        self.b.ins().jump(header, &[rank.into(), one.into()]);
        self.b.switch_to_block(header);
        let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let dim = self.b.ins().iadd_imm_s(left, -1);
        let size = self.shape_size(shape, Index::Value(dim));
        let size = self.index_value(size);
        let bytes = self.b.ins().ishl_imm_u(dim, 3);
        let size_at = self.b.ins().iadd(descriptor, bytes);
        self.b.ins().store(memory_flags(), size, size_at, 24);
        let skip = self.b.ins().ishl_imm_u(rank, 3);
        let stride_at = self.b.ins().iadd(size_at, skip);
        self.b.ins().store(memory_flags(), stride, stride_at, 24);
        let stride = self.b.ins().imul(stride, size);
        self.b.ins().jump(header, &[dim.into(), stride.into()]);
        self.b.switch_to_block(done);
    }
}

fn lower_reshape(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let shape = cx.shape(op, cx.ir.operand(op, 1))?;
    let [allocated, aligned] = cx.pointers_without_offset(op)?;
    if let Repr::MemRef(layout) = cx.repr(result)? {
        let sizes: SmallVec<[Index; 4]> = layout
            .sizes
            .iter()
            .enumerate()
            .map(|(dim, &size)| match Index::from_static(size) {
                Some(size) => size,
                None => cx.shape_size(&shape, Index::Const(dim as i64)),
            })
            .collect();
        let strides = cx.identity_strides(&sizes);
        let mut descriptor = Descriptor::identity(aligned, sizes, strides);
        descriptor.allocated = allocated;
        return cx.set_memref(result, descriptor);
    }
    let rank = shape.descriptor.sizes.first().copied();
    let rank = rank.unwrap_or(Index::Const(0));
    let size = cx.descriptor_bytes(rank);
    let address = cx.frame_memory(op, size, 8);
    let fields = Descriptor {
        allocated,
        aligned,
        offset: Index::Const(0),
        sizes: SmallVec::new(),
        strides: SmallVec::new(),
    };
    cx.store_descriptor(&fields, address);
    cx.store_shape(&shape, rank, address);
    cx.set(
        result,
        Lowered::Unranked {
            rank,
            descriptor: address,
        },
    );
    Ok(())
}
