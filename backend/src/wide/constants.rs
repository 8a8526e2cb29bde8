//! Which constants stay in registers.
//!
//! Selection loads every constant at the beginning of a kernel, which is best as long as all of them fit into
//! registers. Most of those of a loop of several functions would be spilled (`special` of
//! benches/results/models.md has 188). Those are read where they are used instead, by the instruction itself if it
//! takes one element of memory for all lanes.

use std::cmp::Reverse;
use std::mem;

use iced_x86::Code;
use regalloc2::{Block, VReg};
use rustc_hash::FxHashMap;

use super::code::{Base, Builder, Inst, Memory, Operand, Terminator, VECTOR};
use super::forms;

/// Constants that have registers in any case: those with most uses, even where other vectors take all registers. Not
/// measured on its own; with none at all, `gmm_em` and `var_cov` were a quarter slower.
const ALWAYS_KEPT: usize = 4;

/// Registers for constants that are read where they are used by instructions that take none from memory. With none, one
/// of `tests/run/wide-constants.mlir` is spilled.
const SPARE: usize = 2;

/// What loads the constants of a kernel, and how often each is used.
type Constants = FxHashMap<VReg, (Inst, usize)>;

/// Leaves the constants with most uses in the registers that other vectors leave free, of `n_registers`, and reads the rest
/// where it is used.
pub(super) fn read_where_used(b: &mut Builder, n_registers: usize) {
    let mut constants: Constants = (b.blocks[0].insts.iter())
        .filter_map(|inst| Some((constant(inst)?, (inst.clone(), 0))))
        .collect();
    if constants.len() <= ALWAYS_KEPT {
        return;
    }
    let taken = pressure(b, &constants) + SPARE;
    let n_kept = n_registers.saturating_sub(taken).max(ALWAYS_KEPT);
    if constants.len() <= n_kept {
        return;
    }
    for block in &mut b.blocks {
        for (_, register) in block.uses_mut() {
            if let Some((_, uses)) = constants.get_mut(register) {
                *uses += 1;
            }
        }
    }
    let mut by_uses: Vec<(usize, VReg)> = (constants.iter())
        .map(|(&register, &(_, uses))| (uses, register))
        .collect();
    by_uses.sort_unstable_by_key(|&(uses, register)| (Reverse(uses), register.vreg()));
    for (_, register) in by_uses.into_iter().take(n_kept) {
        constants.remove(&register);
    }
    for index in 0..b.blocks.len() {
        rewrite(b, Block::new(index), &constants);
    }
}

/// The largest number of vectors but constants that are live at once, if a register is live from its definition to
/// its last use in the order of the code, and throughout the loops that use it and do not define it.
fn pressure(b: &mut Builder, constants: &Constants) -> usize {
    let mut starts = vec![0];
    for block in &b.blocks {
        starts.push(starts[starts.len() - 1] + block.insts().count() + 1);
    }
    let mut loops = Vec::new();
    let mut first = vec![usize::MAX; b.n_registers()];
    for (index, block) in b.blocks.iter().enumerate() {
        let headers = block.successors().filter(|to| to.index() <= index);
        loops.extend(headers.map(|to| starts[to.index()]..starts[index + 1]));
        for register in block.params() {
            first[register.vreg()] = starts[index];
        }
        for (place, inst) in (starts[index]..).zip(block.insts()) {
            for register in inst.defs() {
                first[register.vreg()] = place;
            }
        }
    }
    // What becomes live at each place less what ends there.
    let mut changes = vec![0_isize; starts[b.blocks.len()] + 1];
    let mut last = vec![0; b.n_registers()];
    for (index, block) in b.blocks.iter_mut().enumerate() {
        for (place, register) in block.uses_mut() {
            if register.class() != VECTOR || constants.contains_key(register) {
                continue;
            }
            let place = starts[index] + place;
            let defined = first[register.vreg()];
            let mut end = place;
            if defined < starts[index] {
                let around = loops.iter().filter(|range| range.contains(&place));
                let around = around.filter(|range| defined < range.start);
                end = around.map(|range| range.end).fold(end, usize::max);
            }
            last[register.vreg()] = end.max(last[register.vreg()]);
        }
    }
    for (first, last) in first.into_iter().zip(last) {
        if last > 0 {
            changes[first] += 1;
            changes[last] -= 1;
        }
    }
    let live = changes.into_iter().scan(0, |live, change| {
        *live += change;
        Some(*live)
    });
    live.max().unwrap_or(0).unsigned_abs()
}

/// The register that an instruction loads a constant into.
fn constant(inst: &Inst) -> Option<VReg> {
    match inst.operands[..] {
        [
            Operand::Def(register, _),
            Operand::Memory(Memory {
                base: Base::Pool(_),
                ..
            }),
        ] => {
            let is_all = inst.tied.is_none() && inst.mask.is_none();
            (is_all && register.class() == VECTOR).then_some(register)
        }
        _ => None,
    }
}

/// Reads `constants` where a block uses them.
fn rewrite(b: &mut Builder, block: Block, constants: &Constants) {
    let index = block.index();
    let insts = mem::take(&mut b.blocks[index].insts);
    let mut last = b.blocks[index].last.take();
    let mut result = Vec::with_capacity(insts.len());
    let load = |b: &mut Builder, result: &mut Vec<Inst>, register: &mut VReg| {
        let Some((load, _)) = constants.get(register) else {
            return;
        };
        let mut load = load.clone();
        *register = b.register(VECTOR, block);
        if let Operand::Def(loaded, _) = &mut load.operands[0] {
            *loaded = *register;
        }
        result.push(load);
    };
    for mut inst in insts {
        if constant(&inst).is_some_and(|register| constants.contains_key(&register)) {
            continue;
        }
        read_element(&mut inst, constants);
        for register in inst.uses_mut() {
            load(b, &mut result, register);
        }
        result.push(inst);
    }
    if let Some(last) = &mut last {
        for register in last.uses_mut() {
            load(b, &mut result, register);
        }
    }
    let mut terminator = b.blocks[index].terminator.take();
    if let Some(Terminator::Jump(_, args)) = &mut terminator {
        for register in args {
            load(b, &mut result, register);
        }
    }
    let block = &mut b.blocks[index];
    (block.insts, block.last, block.terminator) = (result, last, terminator);
}

/// Has an instruction read a constant itself if it can.
fn read_element(inst: &mut Inst, constants: &Constants) {
    let is_constant = |operand: &Operand| match operand {
        Operand::Use(register, _) => constants.contains_key(register),
        _ => false,
    };
    // A mask would mean something else with two operands.
    if inst.mask.is_some() || !inst.operands.iter().any(is_constant) {
        return;
    }
    let Some((index, bits)) = element_in_memory(inst.code) else {
        return;
    };
    let Some(Operand::Use(register, _)) = inst.operands.get(index) else {
        return;
    };
    if let Some((load, _)) = constants.get(register)
        && splat_bits(load.code) == Some(bits)
    {
        inst.operands[index] = load.operands[1];
        inst.broadcast = true;
    }
}

/// The bits of the element that an instruction puts into all lanes.
fn splat_bits(code: Code) -> Option<u32> {
    let rows = [
        (&forms::SPLAT_I16, 16),
        (&forms::SPLAT_I32, 32),
        (&forms::SPLAT_I64, 64),
    ];
    rows.into_iter()
        .find_map(|(form, bits)| form.codes().any(|each| each == code).then_some(bits))
}

/// The operand that may be one element in memory for all lanes, and its bits. Names of codes spell it out:
/// `zmmm512b32` is such an operand, and a mask behind `k1` is none.
pub(super) fn element_in_memory(code: Code) -> Option<(usize, u32)> {
    let name = format!("{code:?}");
    let operands = name
        .split('_')
        .skip(2)
        .filter(|word| !word.starts_with("k1"));
    let bits = |operand: &str| {
        let (_, memory) = operand.split_once("mm")?;
        memory.split_once('b')?.1.parse().ok()
    };
    operands
        .enumerate()
        .find_map(|(index, operand)| Some((index, bits(operand)?)))
}
