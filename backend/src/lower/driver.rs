//! Lowers one function: its blocks in an order in which definitions come before
//! uses, and every operation through the table of its dialect.
//!
//! MLIR's blocks become CLIF blocks and its block arguments CLIF block
//! parameters, so SSA form is kept as it is. Blocks that cannot be reached are
//! left out. Of very large functions, parts are lowered on their own ([`crate::split`]).

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, SourceLoc, StackSlot, types};
use cranelift_entity::EntityRef;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::dominance::reverse_postorder;
use freehold_frontend::ir::entities::{Block, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::frame_plan::FramePlan;
use super::function::{Lowering, TRAP_UNREACHABLE};
use super::held::Lowered;
use crate::abi::MAX_PARAMS;
use crate::program::{Function, FunctionId};
use crate::repr::Repr;
use crate::split::{Part, VALUE_SIZE};

/// A block to be lowered, or in the place of several of them a call.
type Step<'p> = (Block, Option<(FunctionId, &'p Part)>);

/// The kernels of a function.
fn kernels<'p>(function: &'p Function<'_>) -> impl Iterator<Item = (FunctionId, &'p Part)> {
    function.kernels.iter().map(|(id, part)| (*id, part))
}

/// Prepares `blocks`, in this order, where some of them are outlined parts.
fn steps<'p>(
    blocks: &[Block],
    parts: impl Iterator<Item = (FunctionId, &'p Part)>,
) -> Vec<Step<'p>> {
    let mut part_of: FxHashMap<Block, (FunctionId, &Part)> = FxHashMap::default();
    for part in parts {
        for &block in &part.1.blocks {
            // A kernel may lie in a part, where it is called.
            part_of.entry(block).or_insert(part);
        }
    }
    let steps = blocks
        .iter()
        .filter_map(|&block| match part_of.get(&block) {
            Some(&part) if part.1.blocks[0] == block => Some((block, Some(part))),
            Some(_) => None,
            None => Some((block, None)),
        });
    steps.collect()
}

impl Lowering<'_, '_> {
    /// Lowers the body of the function `function`.
    pub(crate) fn lower_body(&mut self, function: &Function<'_>) -> Result<(), Failed> {
        let entry = self
            .ir
            .root_block()
            .expect("only functions with a body are lowered");
        let order = reverse_postorder(self.ir, entry);
        self.frame = FramePlan::of(self.ir, &order, self.program.check_accesses);
        let parts = function.parts.iter().map(|(id, part)| (*id, part));
        let steps = steps(&order, parts.chain(kernels(function)));
        let mut result = Ok(());
        for &(block, _) in &steps {
            result = result.and(self.create_block(block, block != entry));
        }
        let entry_block = self.clif_block(entry);
        self.b.append_block_params_for_function_params(entry_block);
        self.b.switch_to_block(entry_block);
        self.receive_arguments(function, entry_block);
        self.open_frame();
        result = result.and(self.lower_steps(&steps));
        self.b.seal_all_blocks();
        result
    }

    /// Lowers blocks, and calls parts.
    fn lower_steps(&mut self, steps: &[Step<'_>]) -> Result<(), Failed> {
        let memory = self.memory_for_parts(steps);
        let mut result = Ok(());
        for &(block, part) in steps {
            result = result.and(match (part, memory) {
                (Some((id, part)), Some(memory)) => {
                    let called = self.call_part(id, part, memory);
                    if called.is_err() {
                        self.end_without(&part.outputs);
                    }
                    called
                }
                _ => self.lower_block(block),
            });
        }
        result
    }

    /// Lowers a part of the function into a function of its own, which gets a pointer to the memory
    /// through which values come and go.
    pub(crate) fn lower_part(&mut self, whole: &Function<'_>, part: &Part) -> Result<(), Failed> {
        let start = self.b.create_block();
        self.b.append_block_params_for_function_params(start);
        self.b.switch_to_block(start);
        let memory = self.b.block_params(start)[0];
        let mut result = Ok(());
        let steps = steps(&part.blocks, kernels(whole));
        for &block in steps.iter().map(|(block, _)| block).chain([&part.exit]) {
            result = result.and(self.create_block(block, true));
        }
        for &constant in &part.constants {
            result = result.and(self.lower_op(constant));
        }
        let mut place = 0;
        for &input in &part.inputs {
            let lowered = self.load_value(input, memory, &mut place)?;
            self.set(input, lowered);
        }
        self.jump_with_loaded(part.blocks[0], memory, &mut place)?;
        result = result.and(self.lower_steps(&steps));
        result?;
        let exit = self.clif_block(part.exit);
        self.b.switch_to_block(exit);
        let outputs = part.outputs.iter().chain(self.ir.block_args(part.exit));
        self.store_values(outputs, memory)?;
        self.b.ins().return_(&[]);
        self.b.seal_all_blocks();
        Ok(())
    }

    /// Calls a part where its first block stood.
    fn call_part(&mut self, id: FunctionId, part: &Part, memory: StackSlot) -> Result<(), Failed> {
        let block = self.clif_block(part.blocks[0]);
        self.b.switch_to_block(block);
        let memory = self.b.ins().stack_addr(types::I64, memory, 0);
        let inputs = part.inputs.iter().chain(self.ir.block_args(part.blocks[0]));
        self.store_values(inputs, memory)?;
        let callee = self.function_ref(id);
        self.b.ins().call(callee, &[memory]);
        let mut place = 0;
        for &output in &part.outputs {
            let lowered = self.load_value(output, memory, &mut place)?;
            self.set(output, lowered);
        }
        self.jump_with_loaded(part.exit, memory, &mut place)
    }

    /// Ends the block where an error kept these values from being computed.
    fn end_without(&mut self, values: &[Value]) {
        for &value in values {
            self.set(value, Lowered::Missing);
        }
        if !self.is_terminated() {
            self.b.ins().trap(TRAP_UNREACHABLE);
        }
    }

    /// Memory for what goes into any part and comes out of it; nothing if there are no parts.
    fn memory_for_parts(&mut self, steps: &[Step<'_>]) -> Option<StackSlot> {
        let mut parts = steps.iter().filter_map(|(_, part)| *part).peekable();
        parts.peek()?;
        let mut most = 0;
        for (_, part) in parts {
            let (first, exit) = (part.blocks[0], part.exit);
            for (values, block) in [(&part.inputs, first), (&part.outputs, exit)] {
                let values = values.iter().chain(self.ir.block_args(block));
                let mut n = 0;
                for &value in values {
                    let repr = self.repr_of_type(self.ir.value_type(value));
                    n += repr.map_or(0, |repr| self.block_param_types(&repr).len());
                }
                most = most.max(n as u32);
            }
        }
        Some(self.stack_slot(VALUE_SIZE * most))
    }

    fn store_values<'v>(
        &mut self,
        values: impl Iterator<Item = &'v Value>,
        memory: clif::Value,
    ) -> Result<(), Failed> {
        let mut parts = Vec::new();
        for &value in values {
            let repr = self.repr(value)?;
            let lowered = self.get(value)?.clone();
            self.push_block_args(&lowered, &repr, &mut parts);
        }
        let mut offset = 0;
        for part in parts.into_iter().filter_map(|part| part.as_value()) {
            let flags = MemFlagsData::trusted();
            self.b.ins().store(flags, part, memory, offset);
            offset += VALUE_SIZE as i32;
        }
        Ok(())
    }

    /// Loads what [`Self::store_values`] stored for `value`, behind `place` others.
    fn load_parts(
        &mut self,
        repr: &Repr,
        memory: clif::Value,
        place: &mut u32,
    ) -> SmallVec<[clif::Value; 8]> {
        let types = self.block_param_types(repr).into_iter();
        types
            .map(|ty| {
                let offset = (VALUE_SIZE * *place) as i32;
                *place += 1;
                (self.b.ins()).load(ty, MemFlagsData::trusted(), memory, offset)
            })
            .collect()
    }

    fn load_value(
        &mut self,
        value: Value,
        memory: clif::Value,
        place: &mut u32,
    ) -> Result<Lowered, Failed> {
        let repr = self.repr(value)?;
        let parts = self.load_parts(&repr, memory, place);
        Ok(self.with_block_params(&repr, &parts))
    }

    /// Goes to `block` with loaded arguments.
    fn jump_with_loaded(
        &mut self,
        block: Block,
        memory: clif::Value,
        place: &mut u32,
    ) -> Result<(), Failed> {
        let mut args = Vec::new();
        for &argument in self.ir.block_args(block) {
            let repr = self.repr(argument)?;
            args.extend(self.load_parts(&repr, memory, place));
        }
        let args: Vec<clif::BlockArg> = args.into_iter().map(clif::BlockArg::from).collect();
        let block = self.clif_block(block);
        self.b.ins().jump(block, &args);
        Ok(())
    }

    /// Lowers the operations of a block.
    fn lower_block(&mut self, block: Block) -> Result<(), Failed> {
        let clif_block = self.clif_block(block);
        if self.b.current_block() != Some(clif_block) {
            self.b.switch_to_block(clif_block);
        }
        let mut result = Ok(());
        for op in self.ir.ops_in(block) {
            self.b.set_srcloc(SourceLoc::new(op.index() as u32));
            result = result.and(self.lower_op(op));
        }
        if !self.is_terminated() {
            // Only after an error.
            self.end_without(&[]);
        }
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

    /// Creates a block and what its arguments become. The entry block gets the
    /// parameters of the function instead.
    fn create_block(&mut self, block: Block, has_arguments: bool) -> Result<(), Failed> {
        let clif_block = self.b.create_block();
        self.set_block(block, clif_block);
        if !has_arguments {
            return Ok(());
        }
        let mut result = Ok(());
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
