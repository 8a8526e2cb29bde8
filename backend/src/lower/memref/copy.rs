//! `memref.copy`: as few and as large block copies as the types allow.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::external;
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::{Descriptor, Index, Lowered};
use crate::lower::memory::memory_flags;
use crate::options::AllocMode;
use crate::repr::descriptor_size;

/// Blocks of at most this many bytes are copied by loads and stores: four registers, eight instructions. Bounds the
/// code and the number of live values.
const MAX_INLINE_BYTES: i64 = 64;

pub(super) static TABLE: LoweringTable = &[(&memref::COPY, lower_copy)];

fn lower_copy(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, target) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let ranked = |cx: &Lowering<'_, '_>, value| match cx.get(value) {
        Ok(Lowered::MemRef(descriptor)) => Some(Rc::clone(descriptor)),
        _ => None,
    };
    match (ranked(cx, source), ranked(cx, target)) {
        (Some(from), Some(to)) => cx.copy_ranked(source, target, &from, &to),
        _ => cx.copy_unranked(op, source, target),
    }
}

/// One dimension of a nest of loops over two memrefs.
struct Dim {
    size: Index,
    /// Bytes between neighbours in the source and in the target.
    steps: [Index; 2],
}

impl Lowering<'_, '_> {
    /// How many trailing dimensions of a memref are stored without gaps.
    fn n_contiguous_dims(&mut self, memref: Value) -> Result<usize, Failed> {
        let layout = self.layout(memref)?;
        let context = self.context;
        let ty = context.as_memref(self.ir.value_type(memref));
        Ok(match ty {
            Some(ty) if ty.layout.is_none() => layout.rank(),
            _ => layout.n_contiguous_dims(),
        })
    }

    fn copy_ranked(
        &mut self,
        source: Value,
        target: Value,
        from: &Descriptor,
        to: &Descriptor,
    ) -> Result<(), Failed> {
        let element_size = self.layout(source)?.element_size;
        let n_contiguous = self
            .n_contiguous_dims(source)?
            .min(self.n_contiguous_dims(target)?);
        // The shapes agree, so a size that one side knows holds for both.
        let sizes: SmallVec<[Index; 4]> = from
            .sizes
            .iter()
            .zip(&to.sizes)
            .map(|(&a, &b)| if matches!(a, Index::Const(_)) { a } else { b })
            .collect();
        let (outer, inner) = sizes.split_at(sizes.len() - n_contiguous);
        let element_bytes = Index::Const(element_size as i64);
        let n_elements = self.product(inner.iter().copied());
        let block_bytes = self.mul(n_elements, element_bytes);
        let pointers = [from, to].map(|descriptor| {
            let address = self.element_address(descriptor, &[], element_size);
            self.address_value(address)
        });
        let dims: Vec<Dim> = outer
            .iter()
            .enumerate()
            .map(|(dim, &size)| Dim {
                size,
                steps: [from, to].map(|d| self.mul(d.strides[dim], element_bytes)),
            })
            .collect();
        if self.program.mode != AllocMode::Plain {
            let n_blocks = self.product(outer.iter().copied());
            let bytes = self.mul(n_blocks, block_bytes);
            let bytes = self.index_value(bytes);
            self.call_external(&external::COUNT_COPY, &[bytes]);
        }
        self.copy_blocks(&dims, pointers, block_bytes);
        Ok(())
    }

    /// A loop per dimension around the copy of a block. `pointers` are source
    /// and target.
    fn copy_blocks(&mut self, dims: &[Dim], pointers: [clif::Value; 2], block: Index) {
        let mut pointers = pointers;
        let mut loops = Vec::with_capacity(dims.len());
        for dim in dims {
            let [header, body, done] = [(); 3].map(|()| self.b.create_block());
            let left = self.b.append_block_param(header, types::I64);
            let at = [(); 2].map(|()| self.b.append_block_param(header, types::I64));
            let size = self.index_value(dim.size);
            let args = [size.into(), pointers[0].into(), pointers[1].into()];
            self.b.ins().jump(header, &args);
            self.b.switch_to_block(header);
            let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
            self.b.ins().brif(more, body, &[], done, &[]);
            self.b.switch_to_block(body);
            pointers = at;
            loops.push((header, done, left, at));
        }
        self.copy_block(pointers, block);
        for (dim, (header, done, left, at)) in dims.iter().zip(loops).rev() {
            let left = self.b.ins().iadd_imm_s(left, -1);
            let next = [0, 1].map(|side| {
                let next = self.add(Index::Value(at[side]), dim.steps[side]);
                self.index_value(next)
            });
            let args = [left.into(), next[0].into(), next[1].into()];
            self.b.ins().jump(header, &args);
            self.b.switch_to_block(done);
        }
    }

    fn copy_block(&mut self, [from, to]: [clif::Value; 2], bytes: Index) {
        let Index::Const(bytes) = bytes else {
            return self.copy_bytes(to, from, bytes);
        };
        if bytes > MAX_INLINE_BYTES {
            return self.copy_bytes(to, from, Index::Const(bytes));
        }
        // All loads come first: source and target may be the same buffer.
        let mut pieces = Vec::new();
        let mut offset = 0;
        while offset < bytes {
            let ty = match bytes - offset {
                16.. => types::I8X16,
                8.. => types::I64,
                4.. => types::I32,
                2.. => types::I16,
                _ => types::I8,
            };
            // Blocks are aligned as their elements are, which may be less than a piece.
            let flags = clif::MemFlagsData::new().with_notrap();
            let piece = self.b.ins().load(ty, flags, from, offset as i32);
            pieces.push((piece, offset as i32));
            offset += i64::from(ty.bytes());
        }
        let flags = clif::MemFlagsData::new().with_notrap();
        for (piece, offset) in pieces {
            self.b.ins().store(flags, piece, to, offset);
        }
    }

    /// Copies through the runtime, which looks at the ranks.
    fn copy_unranked(&mut self, op: Op, source: Value, target: Value) -> Result<(), Failed> {
        let context = self.context;
        let element = context.element_type_or_self(self.ir.value_type(source));
        let Some(element_size) = context.element_byte_size(element) else {
            return Err(self.unsupported_on(op, element));
        };
        let from = self.unranked_in_memory(source)?;
        let to = self.unranked_in_memory(target)?;
        let size = self.b.ins().iconst(types::I64, element_size as i64);
        self.call_external(&external::MEMREF_COPY, &[size, from, to]);
        Ok(())
    }

    /// The address of rank and descriptor pointer of a memref, in a stack slot.
    fn unranked_in_memory(&mut self, memref: Value) -> Result<clif::Value, Failed> {
        let (rank, descriptor) = match self.get(memref)? {
            Lowered::MemRef(descriptor) => {
                let descriptor = Rc::clone(descriptor);
                let rank = descriptor.sizes.len();
                let slot = self.stack_slot(descriptor_size(rank));
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                self.store_descriptor(&descriptor, address);
                (Index::Const(rank as i64), address)
            }
            _ => self.unranked(memref)?,
        };
        let slot = self.stack_slot(16);
        let rank = self.index_value(rank);
        self.b.ins().stack_store(types::I64, rank, slot, 0);
        self.b.ins().stack_store(types::I64, descriptor, slot, 8);
        Ok(self.b.ins().stack_addr(types::I64, slot, 0))
    }

    /// Writes a descriptor to memory.
    pub(crate) fn store_descriptor(&mut self, descriptor: &Descriptor, address: clif::Value) {
        for (i, field) in descriptor.fields().enumerate() {
            let field = self.index_value(field);
            self.b
                .ins()
                .store(memory_flags(), field, address, 8 * i as i32);
        }
    }
}
