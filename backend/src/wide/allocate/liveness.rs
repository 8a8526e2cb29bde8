//! Which values are live at the borders of blocks.

use regalloc2::{Block, Function, Inst, OperandKind, VReg};

/// Bits of the sets of values that are live at the borders of blocks, all together: more are left to `regalloc2`.
pub(super) const MAX_BITS: usize = 1 << 24;

/// The instruction that ends a block.
pub(super) fn terminator(function: &impl Function, block: Block) -> Inst {
    function.block_insns(block).last()
}

/// The arguments for the parameters of the only block that follows `block`, if it has any.
pub(super) fn arguments(function: &impl Function, block: Block) -> Option<(Block, &[VReg])> {
    match function.block_succs(block) {
        &[to] => Some((
            to,
            function.branch_blockparams(block, terminator(function, block), 0),
        )),
        _ => None,
    }
}

/// What the instructions of a block read, each with its number and the terminator's for arguments.
pub(super) fn uses(function: &impl Function, block: Block) -> impl Iterator<Item = (Inst, VReg)> {
    let insts = function.block_insns(block);
    let operands = insts.iter().flat_map(|inst| {
        let operands = function.inst_operands(inst).iter();
        let uses = operands.filter(|operand| operand.kind() == OperandKind::Use);
        uses.map(move |operand| (inst, operand.vreg()))
    });
    let arguments = arguments(function, block).map_or(&[][..], |(_, arguments)| arguments);
    operands.chain(arguments.iter().map(move |&value| (insts.last(), value)))
}

/// What is defined in a block, each with its instruction.
pub(super) fn defs(function: &impl Function, block: Block) -> impl Iterator<Item = (Inst, VReg)> {
    let insts = function.block_insns(block);
    let params = function.block_params(block).iter();
    let operands = insts.iter().flat_map(|inst| {
        let operands = function.inst_operands(inst).iter();
        let defs = operands.filter(|operand| operand.kind() == OperandKind::Def);
        defs.map(move |operand| (inst, operand.vreg()))
    });
    params
        .map(move |&param| (insts.first(), param))
        .chain(operands)
}

/// The values that are live at the borders of blocks.
pub(super) struct Liveness {
    /// Words of the set of a block.
    words: usize,
    pub(super) at_start: Vec<u64>,
    pub(super) at_end: Vec<u64>,
}

impl Liveness {
    /// Follows each use to the definition (F. Brandner et al., Computing Liveness Sets for SSA-Form Programs, INRIA
    /// RR-7503, 2011, section 5).
    pub(super) fn new(function: &impl Function) -> Option<Self> {
        let words = function.num_vregs().div_ceil(64);
        let n_blocks = function.num_blocks();
        if (words * 64).saturating_mul(n_blocks) > MAX_BITS {
            return None;
        }
        let mut live = Self {
            words,
            at_start: vec![0; words * n_blocks],
            at_end: vec![0; words * n_blocks],
        };
        let mut home = vec![Block::invalid(); function.num_vregs()];
        for block in (0..n_blocks).map(Block::new) {
            for (_, value) in defs(function, block) {
                home[value.vreg()] = block;
            }
        }
        let mut pending = Vec::new();
        for block in (0..n_blocks).map(Block::new) {
            for (_, value) in uses(function, block) {
                let (word, bit) = (value.vreg() / 64, 1 << (value.vreg() % 64));
                pending.push(block);
                while let Some(at) = pending.pop() {
                    let start = &mut live.at_start[at.index() * words + word];
                    if home[value.vreg()] == at || *start & bit != 0 {
                        continue;
                    }
                    *start |= bit;
                    for &before in function.block_preds(at) {
                        live.at_end[before.index() * words + word] |= bit;
                        pending.push(before);
                    }
                }
            }
        }
        Some(live)
    }

    pub(super) fn is_live_at_end(&self, block: Block, value: VReg) -> bool {
        let word = self.at_end[block.index() * self.words + value.vreg() / 64];
        word & (1 << (value.vreg() % 64)) != 0
    }

    /// The values of a set, by their numbers.
    pub(super) fn values(&self, sets: &[u64], block: Block) -> impl Iterator<Item = usize> {
        let sets = &sets[block.index() * self.words..][..self.words];
        (sets.iter().enumerate()).flat_map(|(word, &set)| {
            let some = |set: u64| (set != 0).then_some(set);
            let bits = std::iter::successors(some(set), move |set| some(set & (set - 1)));
            bits.map(move |set| word * 64 + set.trailing_zeros() as usize)
        })
    }
}
