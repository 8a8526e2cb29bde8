//! `cf`: branches and assertions.

use cranelift_codegen::ir::{self as clif, InstBuilder};
use cranelift_frontend::Switch;
use freehold_frontend::dialects::cf;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op};
use rustc_hash::FxHashSet;

use super::function::LoweringTable;
use super::function::{Lowering, TRAP_UNREACHABLE};
use crate::external;
use crate::references::LocalData;
use crate::repr::low_bits;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&cf::ASSERT, lower_assert),
    (&cf::BR, lower_br),
    (&cf::COND_BR, lower_cond_br),
    (&cf::SWITCH, lower_switch),
];

impl Lowering<'_, '_> {
    /// The block that successor `index` of `op` goes to, and its arguments.
    fn successor(
        &mut self,
        op: Op,
        index: usize,
    ) -> Result<(clif::Block, Vec<clif::BlockArg>), Failed> {
        let block: Block = self.ir.successors(op)[index];
        let ir = self.ir;
        let mut args = Vec::new();
        let operands = ir.successor_operands(op, index);
        for (&argument, &operand) in ir.block_args(block).iter().zip(operands) {
            let repr = self.repr(argument)?;
            let value = self.get(operand)?.clone();
            self.push_block_args(&value, &repr, &mut args);
        }
        Ok((self.clif_block(block), args))
    }
}

fn lower_br(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (block, args) = cx.successor(op, 0)?;
    cx.b.ins().jump(block, &args);
    Ok(())
}

fn lower_cond_br(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let condition = cx.operand(op, 0)?;
    let (on_true, true_args) = cx.successor(op, 0)?;
    let (on_false, false_args) = cx.successor(op, 1)?;
    cx.b.ins()
        .brif(condition, on_true, &true_args, on_false, &false_args);
    Ok(())
}

fn lower_switch(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = cf::Switch::cast(cx.ir, op).expect("the table maps this row to this function");
    let flag = cx.ir.operand(op, 0);
    let width = cx.int_width(op, flag)?;
    let flag = cx.scalar(flag)?;
    // A jump table cannot pass arguments, so each edge that does has a block.
    let mut edges = Vec::new();
    let mut edge_blocks = Vec::new();
    for index in 0..cx.ir.successors(op).len() {
        let (block, args) = cx.successor(op, index)?;
        edges.push(if args.is_empty() {
            block
        } else {
            let edge = cx.b.create_block();
            edge_blocks.push((edge, block, args));
            edge
        });
    }
    let mut switch = Switch::new();
    let mut seen = FxHashSet::default();
    for (value, &edge) in view.case_values(cx.ir).into_iter().zip(&edges[1..]) {
        let value = value as u128 & low_bits(width);
        // Of equal cases the first counts.
        if seen.insert(value) {
            switch.set_entry(value, edge);
        }
    }
    switch.emit(&mut cx.b, flag, edges[0]);
    for (edge, block, args) in edge_blocks {
        cx.b.switch_to_block(edge);
        cx.b.ins().jump(block, &args);
    }
    Ok(())
}

fn lower_assert(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = cf::Assert::cast(cx.ir, op).expect("the table maps this row to this function");
    let condition = cx.operand(op, 0)?;
    let [fail, pass] = [(); 2].map(|()| cx.b.create_block());
    cx.b.set_cold_block(fail);
    cx.b.ins().brif(condition, pass, &[], fail, &[]);
    cx.b.switch_to_block(fail);
    let (message, loc) = (view.message(cx.ir), cx.ir.loc(op));
    if cx.program.has_runtime {
        let length = cx.b.ins().iconst(clif::types::I64, message.len() as i64);
        let message = cx.local_data(LocalData::bytes(message.as_bytes()));
        let site = cx.site(loc);
        cx.call_external(&external::ASSERT_FAILED, &[message, length, site]);
    } else {
        let place = cx.ir.context().resolve_loc(loc);
        let (file, line) = place.map_or(("<unknown>".into(), 0), |at| (at.file, at.line));
        let name = cx.ir.symbol_name(cx.ir.root()).unwrap_or_default();
        let [message, file, name] = [message, &*file, name].map(|text| {
            // A string of C ends at a zero byte.
            let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).chain([0]).collect();
            cx.local_data(LocalData::bytes(&bytes))
        });
        let line = cx.b.ins().iconst(clif::types::I32, i64::from(line));
        cx.call_external(&external::C_ASSERT_FAILED, &[message, file, line, name]);
    }
    cx.b.ins().trap(TRAP_UNREACHABLE);
    cx.b.switch_to_block(pass);
    Ok(())
}
