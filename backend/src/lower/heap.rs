//! Buffers on the heap, allocated and freed in the way of the allocation mode.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::location::Loc;

use super::function::Lowering;
use super::held::{Index, Lowered};
use crate::external;
use crate::options::AllocMode;

/// What malloc aligns to on every target.
const MALLOC_ALIGNMENT: i64 = 16;

impl Lowering<'_, '_> {
    /// Allocates on the heap, in the way of the allocation mode: the pointer to free, and the aligned one.
    pub(crate) fn heap_alloc(
        &mut self,
        bytes: Index,
        alignment: i64,
        loc: Loc,
    ) -> (clif::Value, clif::Value) {
        let function = match self.program.mode {
            AllocMode::Plain => return self.plain_alloc(bytes, alignment),
            AllocMode::Counting => &external::COUNT_ALLOC,
            AllocMode::Checking => &external::CHECK_ALLOC,
        };
        let bytes = self.index_value(bytes);
        let alignment = self.b.ins().iconst(types::I64, alignment);
        let site = self.site(loc);
        let pointer = self.call_external1(function, &[bytes, alignment, site]);
        (pointer, pointer)
    }

    /// Memory for the generated code itself, with malloc's alignment.
    pub(crate) fn allocate(&mut self, bytes: Index) -> clif::Value {
        self.plain_alloc(bytes, MALLOC_ALIGNMENT).0
    }

    fn plain_alloc(&mut self, bytes: Index, alignment: i64) -> (clif::Value, clif::Value) {
        let is_larger = alignment > MALLOC_ALIGNMENT;
        let is_malloc = !self.program.has_allocator();
        if self.program.aligned_alloc || is_malloc && is_larger {
            let alignment = alignment.max(MALLOC_ALIGNMENT);
            let bytes = self.round_up(bytes, alignment);
            let bytes = self.index_value(bytes);
            let alignment = self.b.ins().iconst(types::I64, alignment);
            let pointer = self.call_external1(&external::ALIGNED_ALLOC, &[alignment, bytes]);
            return (pointer, pointer);
        }
        let slack = if is_larger {
            alignment - MALLOC_ALIGNMENT
        } else {
            0
        };
        let bytes = self.add(bytes, Index::Const(slack));
        let bytes = self.index_value(bytes);
        let allocated = self.call_external1(&external::MALLOC, &[bytes]);
        (allocated, self.align_up(allocated, alignment))
    }

    /// Frees what [`Self::heap_alloc`] returned.
    pub(crate) fn heap_free(&mut self, pointer: clif::Value, loc: Loc) {
        let function = match self.program.mode {
            AllocMode::Plain => {
                self.call_external(&external::FREE, &[pointer]);
                return;
            }
            AllocMode::Counting => &external::COUNT_FREE,
            AllocMode::Checking => &external::CHECK_FREE,
        };
        let site = self.site(loc);
        self.call_external(function, &[pointer, site]);
    }

    /// The allocated pointer of a ranked or unranked memref.
    pub(crate) fn allocated_pointer(&mut self, memref: Value) -> Result<clif::Value, Failed> {
        match self.get(memref)? {
            Lowered::MemRef(descriptor) => {
                let allocated = descriptor.allocated;
                Ok(self.index_value(allocated))
            }
            _ => {
                let (_, descriptor) = self.unranked(memref)?;
                let flags = MemFlagsData::trusted();
                Ok(self.b.ins().load(types::I64, flags, descriptor, 0))
            }
        }
    }

    /// The next multiple of a power of two.
    fn round_up(&mut self, bytes: Index, to: i64) -> Index {
        let bumped = self.add(bytes, Index::Const(to - 1));
        match bumped {
            Index::Const(bytes) => Index::Const(bytes & -to),
            Index::Value(bytes) => Index::Value(self.b.ins().band_imm_s(bytes, -to)),
        }
    }
}
