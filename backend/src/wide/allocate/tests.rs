//! Random functions with loops and branches: the checker of `regalloc2` finds their registers right.

use regalloc2::checker::Checker;
use regalloc2::{InstRange, PRegSet, RegClass};

use super::liveness::MAX_BITS;
use super::*;

const CLASSES: [RegClass; 3] = [RegClass::Int, RegClass::Float, RegClass::Vector];
/// Registers of each class.
const N_REGISTERS: [usize; 3] = [6, 8, 3];

/// A function while it is made.
#[derive(Default)]
struct Program {
    blocks: Vec<Made>,
    operands: Vec<Vec<Operand>>,
    ranges: Vec<InstRange>,
    preds: Vec<Vec<Block>>,
    n_values: usize,
}

#[derive(Default)]
struct Made {
    params: Vec<VReg>,
    insts: Vec<Vec<Operand>>,
    succs: Vec<Block>,
    arguments: Vec<VReg>,
}

impl Program {
    fn block(&mut self) -> Block {
        self.blocks.push(Made::default());
        Block::new(self.blocks.len() - 1)
    }

    fn value(&mut self, class: RegClass) -> VReg {
        self.n_values += 1;
        VReg::new(self.n_values - 1, class)
    }

    fn inst(&mut self, block: Block, operands: Vec<Operand>) {
        self.blocks[block.index()].insts.push(operands);
    }

    fn end(&mut self, block: Block, succs: &[Block], arguments: &[VReg]) {
        let made = &mut self.blocks[block.index()];
        made.succs = succs.to_vec();
        made.arguments = arguments.to_vec();
    }

    /// Numbers the instructions.
    fn finish(mut self) -> Self {
        self.preds = vec![Vec::new(); self.blocks.len()];
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let first = Inst::new(self.operands.len());
            self.operands.append(&mut block.insts);
            self.operands.push(Vec::new());
            let end = Inst::new(self.operands.len());
            self.ranges.push(InstRange::new(first, end));
            for succ in &block.succs {
                self.preds[succ.index()].push(Block::new(index));
            }
        }
        self
    }

    /// The registers, if there are enough, which the checker of `regalloc2` finds right.
    fn allocate(&self, n_registers: [usize; 3]) -> Option<Output> {
        let machine = machine(n_registers);
        let output = allocate(self, &machine)?;
        let mut checker = Checker::new(self, &machine);
        checker.prepare(&output);
        if let Err(errors) = checker.run() {
            panic!("{errors:?}");
        }
        Some(output)
    }
}

impl Function for Program {
    fn num_insts(&self) -> usize {
        self.operands.len()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        self.ranges[block.index()]
    }

    fn block_succs(&self, block: Block) -> &[Block] {
        &self.blocks[block.index()].succs
    }

    fn block_preds(&self, block: Block) -> &[Block] {
        &self.preds[block.index()]
    }

    fn block_params(&self, block: Block) -> &[VReg] {
        &self.blocks[block.index()].params
    }

    fn is_ret(&self, inst: Inst) -> bool {
        let ends =
            |(range, block): (&InstRange, &Made)| range.last() == inst && block.succs.is_empty();
        self.ranges.iter().zip(&self.blocks).any(ends)
    }

    fn is_branch(&self, inst: Inst) -> bool {
        let ends =
            |(range, block): (&InstRange, &Made)| range.last() == inst && !block.succs.is_empty();
        self.ranges.iter().zip(&self.blocks).any(ends)
    }

    fn branch_blockparams(&self, block: Block, _: Inst, _: usize) -> &[VReg] {
        &self.blocks[block.index()].arguments
    }

    fn inst_operands(&self, inst: Inst) -> &[Operand] {
        &self.operands[inst.index()]
    }

    fn inst_clobbers(&self, _: Inst) -> PRegSet {
        PRegSet::empty()
    }

    fn num_vregs(&self) -> usize {
        self.n_values
    }

    fn spillslot_size(&self, _: RegClass) -> usize {
        1
    }
}

/// Registers of which two general ones are not preferred.
fn machine(n_registers: [usize; 3]) -> MachineEnv {
    let set = |class: usize, numbers: std::ops::Range<usize>| {
        numbers.fold(PRegSet::empty(), |set, n| {
            set.with(PReg::new(n, CLASSES[class]))
        })
    };
    let n_preferred = n_registers[0] - 2;
    MachineEnv {
        preferred_regs_by_class: [
            set(0, 0..n_preferred),
            set(1, 0..n_registers[1]),
            set(2, 0..n_registers[2]),
        ],
        non_preferred_regs_by_class: [
            set(0, n_preferred..n_registers[0]),
            PRegSet::empty(),
            PRegSet::empty(),
        ],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

fn reuse(value: VReg, place: usize) -> Operand {
    Operand::reg_reuse_def(value, place)
}

/// Makes random functions with loops and branches.
struct Maker {
    state: u64,
    program: Program,
    /// Values that are defined here.
    values: Vec<VReg>,
}

impl Maker {
    /// A number below `bound`, by SplitMix64.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// A value of the class, mostly one of the last.
    fn pick(&mut self, block: Block, class: RegClass) -> VReg {
        let values = self.values.iter().rev();
        let known: Vec<VReg> = values.copied().filter(|v| v.class() == class).collect();
        if known.is_empty() {
            let value = self.program.value(class);
            self.program.inst(block, vec![Operand::reg_def(value)]);
            self.values.push(value);
            return value;
        }
        let n = known.len();
        let bound = if self.below(4) == 0 { n } else { n.min(2) };
        known[self.below(bound)]
    }

    fn class(&mut self) -> RegClass {
        CLASSES[self.below(3)]
    }

    /// An instruction with up to three operands, some of them overwritten or read late, and up to two results.
    fn inst(&mut self, block: Block) {
        let mut operands = Vec::new();
        for _ in 0..self.below(4) {
            let class = self.class();
            let value = self.pick(block, class);
            operands.push(Operand::reg_use(value));
        }
        let uses = operands.clone();
        let mut overwritten = Vec::new();
        for _ in 0..self.below(3) {
            let place = self.below(3);
            if place < uses.len() && self.below(2) == 0 && !overwritten.contains(&place) {
                overwritten.push(place);
                let value = self.program.value(uses[place].class());
                operands.push(reuse(value, place));
            } else {
                let class = self.class();
                let value = self.program.value(class);
                operands.push(Operand::reg_def(value));
            }
        }
        if self.below(4) == 0 {
            let class = self.class();
            let value = self.pick(block, class);
            operands.push(Operand::new(
                value,
                OperandConstraint::Reg,
                OperandKind::Use,
                OperandPos::Late,
            ));
        }
        for operand in &operands {
            if operand.kind() == OperandKind::Def {
                self.values.push(operand.vreg());
            }
        }
        self.program.inst(block, operands);
    }

    /// Fills in from `block` on; returns where it ends.
    fn statements(&mut self, mut block: Block, depth: usize) -> Block {
        for _ in 0..self.below(6) {
            block = match self.below(if depth == 0 { 6 } else { 10 }) {
                0..6 => {
                    self.inst(block);
                    block
                }
                6 | 7 => self.branch(block, depth - 1),
                _ => self.repeat(block, depth - 1),
            };
        }
        block
    }

    fn branch(&mut self, block: Block, depth: usize) -> Block {
        let classes: Vec<RegClass> = (0..self.below(4)).map(|_| self.class()).collect();
        let known = self.values.len();
        let first = self.program.block();
        let first_end = self.statements(first, depth);
        let first_arguments: Vec<VReg> = classes
            .iter()
            .map(|&class| self.pick(first_end, class))
            .collect();
        self.values.truncate(known);
        let second = self.program.block();
        let second_end = self.statements(second, depth);
        let second_arguments: Vec<VReg> = classes
            .iter()
            .map(|&class| self.pick(second_end, class))
            .collect();
        self.values.truncate(known);
        self.program.end(block, &[first, second], &[]);
        let join = self.program.block();
        self.program.end(first_end, &[join], &first_arguments);
        self.program.end(second_end, &[join], &second_arguments);
        self.params(join, &classes);
        join
    }

    fn params(&mut self, block: Block, classes: &[RegClass]) {
        let params: Vec<VReg> = classes
            .iter()
            .map(|&class| self.program.value(class))
            .collect();
        self.values.extend(&params);
        self.program.blocks[block.index()].params = params;
    }

    fn repeat(&mut self, block: Block, depth: usize) -> Block {
        let classes: Vec<RegClass> = (0..self.below(5)).map(|_| self.class()).collect();
        let inits: Vec<VReg> = classes
            .iter()
            .map(|&class| self.pick(block, class))
            .collect();
        let header = self.program.block();
        self.program.end(block, &[header], &inits);
        self.params(header, &classes);
        let end = self.statements(header, depth);
        let mut arguments: Vec<VReg> = classes.iter().map(|&class| self.pick(end, class)).collect();
        if self.below(4) == 0 {
            // Parameters that change places.
            arguments.clone_from(&self.program.blocks[header.index()].params);
            for first in 0..arguments.len() {
                let second = self.below(arguments.len());
                if arguments[first].class() == arguments[second].class() {
                    arguments.swap(first, second);
                }
            }
        }
        let back = self.program.block();
        self.program.end(back, &[header], &arguments);
        let behind = self.program.block();
        self.program.end(end, &[back, behind], &[]);
        behind
    }
}

fn random(seed: u64) -> Program {
    let mut maker = Maker {
        state: seed,
        program: Program::default(),
        values: Vec::new(),
    };
    let entry = maker.program.block();
    maker.statements(entry, 3);
    maker.program.finish()
}

#[test]
fn random_functions() {
    let outputs = (0..2000).map(|seed| random(seed).allocate(N_REGISTERS));
    let slots: Vec<Option<usize>> = outputs
        .map(|output| output.map(|output| output.num_spillslots))
        .collect();
    let count =
        |is_one: fn(&Option<usize>) -> bool| slots.iter().filter(|&slots| is_one(slots)).count();
    let kept = count(|slots| *slots == Some(0));
    let spilled = count(|slots| slots.is_some_and(|n| n != 0));
    assert!(
        kept > 400 && spilled > 400 && kept + spilled > 1900,
        "{kept} {spilled}"
    );
}

/// A function that defines `n` floats and reads them all, three at a time.
fn wide(n: usize) -> Program {
    let mut program = Program::default();
    let block = program.block();
    let values: Vec<VReg> = (0..n).map(|_| program.value(RegClass::Float)).collect();
    for &value in &values {
        program.inst(block, vec![Operand::reg_def(value)]);
    }
    for values in values.chunks(3) {
        program.inst(
            block,
            values
                .iter()
                .map(|&value| Operand::reg_use(value))
                .collect(),
        );
    }
    program.finish()
}

#[test]
fn spills_only_what_has_no_register() {
    let slots = |n| wide(n).allocate(N_REGISTERS).unwrap().num_spillslots;
    assert_eq!(slots(8), 0);
    // The first three are live for the longest time, and are read at once.
    assert_eq!(slots(9), 4);
    assert_eq!(slots(30), 25);
}

#[test]
fn an_instruction_of_too_many_operands_has_no_registers() {
    let mut program = Program::default();
    let block = program.block();
    let values: Vec<VReg> = (0..9).map(|_| program.value(RegClass::Float)).collect();
    for &value in &values {
        program.inst(block, vec![Operand::reg_def(value)]);
    }
    program.inst(
        block,
        values
            .iter()
            .map(|&value| Operand::reg_use(value))
            .collect(),
    );
    assert!(program.finish().allocate(N_REGISTERS).is_none());
}

#[test]
fn large_functions_are_left_to_others() {
    // As many blocks as there are bits in the cap, for as many values in whole words.
    let chain = |n_blocks: usize| {
        let mut program = Program::default();
        let blocks: Vec<Block> = (0..n_blocks).map(|_| program.block()).collect();
        for _ in 0..1 << 14 {
            let value = program.value(RegClass::Int);
            program.inst(blocks[0], vec![Operand::reg_def(value)]);
        }
        for pair in blocks.windows(2) {
            program.end(pair[0], &[pair[1]], &[]);
        }
        program.finish()
    };
    assert!(chain(MAX_BITS >> 14).allocate(N_REGISTERS).is_some());
    assert!(chain((MAX_BITS >> 14) + 1).allocate(N_REGISTERS).is_none());
}
