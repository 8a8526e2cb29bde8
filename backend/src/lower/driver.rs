//! Lowers one function: its blocks in an order in which definitions come before
//! uses, and every operation through the table of its dialect.
//!
//! MLIR's blocks become CLIF blocks and its block arguments CLIF block
//! parameters, so SSA form is kept as it is. Blocks that cannot be reached are
//! left out.

use cranelift_codegen::ir::{self as clif, InstBuilder, SourceLoc};
use cranelift_entity::{EntityRef, SecondaryMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Block;

use super::frame_plan::FramePlan;
use super::function::{Lowering, TRAP_UNREACHABLE};
use super::held::Lowered;
use crate::abi::MAX_PARAMS;
use crate::program::Function;

impl Lowering<'_, '_> {
    /// Lowers the body of the function `function`.
    pub(crate) fn lower_body(&mut self, function: &Function<'_>) -> Result<(), Failed> {
        let entry = self
            .ir
            .root_block()
            .expect("only functions with a body are lowered");
        let order = reverse_postorder(self.ir, entry);
        self.frame = FramePlan::of(self.ir, &order);
        let mut result = self.create_blocks(&order);
        let entry_block = self.clif_block(entry);
        self.b.append_block_params_for_function_params(entry_block);
        self.b.switch_to_block(entry_block);
        self.receive_arguments(function, entry_block);
        self.open_frame();
        for &block in &order {
            if block != entry {
                let clif_block = self.clif_block(block);
                self.b.switch_to_block(clif_block);
            }
            for op in self.ir.ops_in(block) {
                self.b.set_srcloc(SourceLoc::new(op.index() as u32));
                result = result.and(self.lower_op(op));
            }
            if !self.is_terminated() {
                // Only after an error.
                self.b.ins().trap(TRAP_UNREACHABLE);
            }
        }
        self.b.seal_all_blocks();
        result
    }

    /// Whether the current block has its terminator.
    fn is_terminated(&self) -> bool {
        let Some(block) = self.b.current_block() else {
            return true;
        };
        let last = self.b.func.layout.last_inst(block);
        last.is_some_and(|inst| self.b.func.dfg.insts[inst].opcode().is_terminator())
    }

    /// Creates all blocks and what their arguments become. The entry block gets
    /// the parameters of the function instead.
    fn create_blocks(&mut self, order: &[Block]) -> Result<(), Failed> {
        let mut result = Ok(());
        for (i, &block) in order.iter().enumerate() {
            let clif_block = self.b.create_block();
            self.set_block(block, clif_block);
            if i == 0 {
                continue;
            }
            for &argument in self.ir.block_args(block) {
                let Some(repr) = self.repr_of_type(self.ir.value_type(argument)) else {
                    result = Err(self.unsupported_value(argument));
                    self.set(argument, Lowered::Missing);
                    continue;
                };
                let types = self.block_param_types(&repr);
                if self.b.func.dfg.num_block_params(clif_block) + types.len() > MAX_PARAMS {
                    let loc = self.ir.value_loc(argument);
                    result = Err(self.diagnostics.error(loc, "block has too many arguments"));
                    self.set(argument, Lowered::Missing);
                    continue;
                }
                let params: Vec<clif::Value> = types
                    .into_iter()
                    .map(|ty| self.b.append_block_param(clif_block, ty))
                    .collect();
                let lowered = self.with_block_params(&repr, &params);
                self.set(argument, lowered);
            }
        }
        result
    }

    /// Makes the arguments of the function out of its parameters.
    fn receive_arguments(&mut self, function: &Function<'_>, entry: clif::Block) {
        let mut params = self.b.block_params(entry).to_vec();
        if self.abi.indirect {
            self.result_pointer = Some(params.remove(0));
        }
        let arguments = self.received(function.inputs, &params);
        let block = self.ir.root_block().expect("the function has a body");
        for (&argument, lowered) in self.ir.block_args(block).iter().zip(arguments) {
            self.set(argument, lowered);
        }
    }
}

/// The blocks reachable from `entry`, each before the blocks it dominates.
fn reverse_postorder(ir: &Ir, entry: Block) -> Vec<Block> {
    let mut visited: SecondaryMap<Block, bool> = SecondaryMap::with_capacity(ir.n_blocks());
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    visited[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        match ir.block_successors(*block).get(*next) {
            Some(&successor) => {
                *next += 1;
                if !visited[successor] {
                    visited[successor] = true;
                    stack.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
