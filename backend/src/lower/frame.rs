//! Memory that lives until the function returns: `memref.alloca` and the
//! descriptors that unranked memrefs point to.
//!
//! Cranelift has stack slots of fixed size only. Memory of known size with one live instance at a time gets a slot. All
//! other memory (of dynamic size, large, or allocated in a loop and carried into the next iteration, where LLVM would
//! let the stack grow) comes from malloc, is chained in a list, and is freed when the function returns. What the
//! function may return, which is gone by then, is known to the runtime if it checks accesses.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, types,
};
use freehold_frontend::ir::entities::Op;

use super::frame_plan::STACK_ALIGNMENT;
use super::function::Lowering;
use super::held::Index;
use crate::external;

/// Before each chained block: the link, padded so that the rest keeps malloc's alignment. If anything here is
/// checked, the padding has the buffer of the runtime that goes with the block, or null.
const LINK_SIZE: i64 = 16;

/// Where that buffer is.
const CHECKED_OFFSET: i32 = 8;

impl Lowering<'_, '_> {
    /// Memory of `size` bytes until the function returns, for `op`.
    pub(crate) fn frame_memory(&mut self, op: Op, size: Index, alignment: i64) -> clif::Value {
        if let Some(&size) = self.frame.slots.get(&op) {
            let slot = self.stack_slot(size);
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            return self.align_up(address, alignment);
        }
        if self.frame.checked.contains(&op) {
            let (_, buffer) = self.heap_alloc(size, alignment, self.ir.loc(op));
            self.chained_memory(Index::Const(0), 1, Some(buffer));
            return buffer;
        }
        self.chained_memory(size, alignment, None)
    }

    /// A stack slot aligned to 16 bytes.
    pub(crate) fn stack_slot(&mut self, size: u32) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
        self.b.create_sized_stack_slot(data)
    }

    /// Rounds an address up to an alignment that the stack does not have.
    pub(super) fn align_up(&mut self, address: clif::Value, alignment: i64) -> clif::Value {
        if alignment <= STACK_ALIGNMENT {
            return address;
        }
        let bumped = self.b.ins().iadd_imm_s(address, alignment - 1);
        self.b.ins().band_imm_s(bumped, -alignment)
    }

    fn chained_memory(
        &mut self,
        size: Index,
        alignment: i64,
        checked: Option<clif::Value>,
    ) -> clif::Value {
        let chain = self
            .frame
            .chain
            .expect("the frame plan has seen every operation that needs the chain");
        let slack = if alignment > STACK_ALIGNMENT {
            alignment
        } else {
            0
        };
        let total = self.add(size, Index::Const(LINK_SIZE + slack));
        let block = self.allocate(total);
        let next = self.b.ins().stack_load(types::I64, types::I64, chain, 0);
        self.b.ins().store(MemFlagsData::trusted(), next, block, 0);
        self.b.ins().stack_store(types::I64, block, chain, 0);
        if !self.frame.checked.is_empty() {
            let checked = checked.unwrap_or_else(|| self.b.ins().iconst(types::I64, 0));
            let flags = MemFlagsData::trusted();
            self.b.ins().store(flags, checked, block, CHECKED_OFFSET);
        }
        let memory = self.b.ins().iadd_imm_s(block, LINK_SIZE);
        self.align_up(memory, alignment)
    }

    /// At the entry of the function: makes an empty chain, if one is needed.
    pub(crate) fn open_frame(&mut self) {
        if self.frame.needs_chain {
            let chain = self.stack_slot(8);
            let end = self.b.ins().iconst(types::I64, 0);
            self.b.ins().stack_store(types::I64, end, chain, 0);
            self.frame.chain = Some(chain);
        }
    }

    /// Before a return: frees the chain.
    pub(crate) fn close_frame(&mut self) {
        if self.frame.chain.is_some() {
            let end = self.b.ins().iconst(types::I64, 0);
            self.release_frame(Some(end));
        }
    }

    /// Where the chain begins now, if there is one.
    pub(crate) fn frame_mark(&mut self) -> Option<clif::Value> {
        let chain = self.frame.chain?;
        Some(self.b.ins().stack_load(types::I64, types::I64, chain, 0))
    }

    /// Frees the blocks chained since `mark`.
    pub(crate) fn release_frame(&mut self, mark: Option<clif::Value>) {
        let (Some(chain), Some(mark)) = (self.frame.chain, mark) else {
            return;
        };
        let [header, body, done] = [(); 3].map(|()| self.b.create_block());
        self.b.set_cold_block(body);
        let block = self.b.append_block_param(header, types::I64);
        let first = self.b.ins().stack_load(types::I64, types::I64, chain, 0);
        self.b.ins().jump(header, &[first.into()]);
        self.b.switch_to_block(header);
        let more = self.b.ins().icmp(IntCC::NotEqual, block, mark);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let flags = MemFlagsData::trusted();
        let next = self.b.ins().load(types::I64, flags, block, 0);
        if !self.frame.checked.is_empty() {
            let buffer = self.b.ins().load(types::I64, flags, block, CHECKED_OFFSET);
            self.heap_free(buffer, self.ir.loc(self.ir.root()));
        }
        self.call_external(&external::FREE, &[block]);
        self.b.ins().jump(header, &[next.into()]);
        self.b.switch_to_block(done);
        self.b.ins().stack_store(types::I64, mark, chain, 0);
    }
}
