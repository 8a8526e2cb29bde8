//! Removes block parameters and loads that nothing needs, and what computes only for them.
//!
//! A memref that travels between blocks brings all fields its type does not know. Most are never
//! used: this pass finds, in one sweep over a function, the values that matter (operands of
//! instructions with effects, and what these are computed from) and drops all other parameters.
//! Cranelift removes unused instructions itself, but neither parameters that only feed each other
//! nor loads, and a memref loaded from a memref has one load per field.

use cranelift_codegen::ir::{
    Block, BlockArg, BlockCall, Function, Inst, InstructionData, Value, ValueDef,
};
use cranelift_entity::{EntitySet, SecondaryMap};

/// Whether an instruction must stay even if its results are not used.
fn has_effect(func: &Function, inst: Inst) -> bool {
    let opcode = func.dfg.insts[inst].opcode();
    let only_loads = match func.dfg.insts[inst] {
        InstructionData::Load { flags, .. } => func.dfg.mem_flags[flags].notrap(),
        _ => false,
    };
    opcode.is_terminator()
        || opcode.is_branch()
        || opcode.is_call()
        || opcode.is_return()
        || (opcode.can_load() && !only_loads)
        || opcode.can_store()
        || opcode.can_trap()
        || opcode.other_side_effects()
}

/// Removes unneeded loads and the unneeded parameters of all blocks but the entry.
pub(crate) fn remove(func: &mut Function) {
    let Some(entry) = func.layout.entry_block() else {
        return;
    };
    let live = live_values(func);
    remove_dead_instructions(func, &live);
    let is_kept = |func: &Function, block: Block, index: usize| {
        block == entry || live.contains(func.dfg.block_params(block)[index])
    };
    // Arguments go before parameters: which ones, the parameters say.
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for &block in &blocks {
        let Some(branch) = func.layout.last_inst(block) else {
            continue;
        };
        for index in 0..branch_calls(func, branch).len() {
            let call = branch_calls(func, branch)[index];
            let target = call.block(&func.dfg.value_lists);
            let args: Vec<BlockArg> = call.args(&func.dfg.value_lists).collect();
            let kept: Vec<BlockArg> = args
                .iter()
                .enumerate()
                .filter(|&(i, _)| is_kept(func, target, i))
                .map(|(_, &arg)| arg)
                .collect();
            if kept.len() == args.len() {
                continue;
            }
            let call = BlockCall::new(target, kept, &mut func.dfg.value_lists);
            branch_calls_mut(func, branch)[index] = call;
        }
    }
    for &block in &blocks {
        let params = func.dfg.block_params(block).to_vec();
        if params
            .iter()
            .all(|&param| block == entry || live.contains(param))
        {
            continue;
        }
        func.dfg.detach_block_params(block);
        for param in params {
            if live.contains(param) {
                func.dfg.attach_block_param(block, param);
            }
        }
    }
}

fn branch_calls(func: &Function, inst: Inst) -> &[BlockCall] {
    func.dfg.insts[inst]
        .branch_destination(&func.stencil.dfg.jump_tables, &func.dfg.exception_tables)
}

fn branch_calls_mut(func: &mut Function, inst: Inst) -> &mut [BlockCall] {
    let dfg = &mut func.stencil.dfg;
    dfg.insts[inst].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables)
}

/// The values that effects depend on.
fn live_values(func: &Function) -> EntitySet<Value> {
    let mut live = EntitySet::new();
    let mut worklist = Vec::new();
    // The arguments of all branches to each block: what its parameters receive.
    let mut received: SecondaryMap<Block, Vec<Vec<Value>>> = SecondaryMap::new();
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            if !has_effect(func, inst) {
                continue;
            }
            // Arguments of branches are not among these.
            worklist.extend_from_slice(func.dfg.inst_args(inst));
            for call in branch_calls(func, inst) {
                let args = call.args(&func.dfg.value_lists);
                // Only exception edges have arguments that are not values.
                let args: Vec<Value> = args.filter_map(|arg| arg.as_value()).collect();
                if !args.is_empty() {
                    received[call.block(&func.dfg.value_lists)].push(args);
                }
            }
        }
    }
    while let Some(value) = worklist.pop() {
        let value = func.dfg.resolve_aliases(value);
        if !live.insert(value) {
            continue;
        }
        match func.dfg.value_def(value) {
            ValueDef::Result(inst, _) => worklist.extend_from_slice(func.dfg.inst_args(inst)),
            ValueDef::Param(block, index) => {
                worklist.extend(received[block].iter().map(|args| args[index]));
            }
            ValueDef::Union(a, b) => worklist.extend([a, b]),
        }
    }
    live
}

/// Instructions that compute nothing live may use parameters that are about to go.
fn remove_dead_instructions(func: &mut Function, live: &EntitySet<Value>) {
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for block in blocks {
        let mut next = func.layout.first_inst(block);
        while let Some(inst) = next {
            next = func.layout.next_inst(inst);
            let is_dead = !has_effect(func, inst)
                && !func
                    .dfg
                    .inst_results(inst)
                    .iter()
                    .any(|&result| live.contains(result));
            if is_dead {
                func.layout.remove_inst(inst);
            }
        }
    }
}
