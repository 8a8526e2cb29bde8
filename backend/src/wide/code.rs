//! Machine code before registers are allocated: blocks of instructions on virtual registers.
//!
//! An instruction is one of the processor, with operands in the order in which `iced-x86` has them, so that
//! nothing here has to know what it does. Blocks have parameters and are in SSA form, which is what
//! `regalloc2` wants; every edge of a branch leads to a block of its own, which is where moves for parameters
//! go and which disappears if there are none.

use freehold_frontend::ir::location::Loc;
use iced_x86::Code;
use regalloc2::{
    Block, Function, Inst as InstIndex, InstRange, Operand as Constraint, OperandConstraint,
    OperandKind, OperandPos, PReg, PRegSet, RegClass, VReg,
};
use smallvec::SmallVec;

/// The class of general registers.
pub(super) const GENERAL: RegClass = RegClass::Int;
/// The class of registers of vectors, and of floats.
pub(super) const VECTOR: RegClass = RegClass::Float;
/// The class of registers of masks.
pub(super) const MASK: RegClass = RegClass::Vector;

/// The general register in which the first argument comes: RDI.
pub(super) const ARGUMENT: PReg = PReg::new(7, GENERAL);

/// The part of a register that an operand is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Size {
    /// A general register's 8 bits.
    B1,
    /// A general register's 16 bits.
    B2,
    /// A general register's 32 bits.
    B4,
    /// A general register's 64 bits.
    B8,
    /// 128 bits of vectors.
    X,
    /// 256 bits.
    Y,
    /// 512 bits.
    Z,
    /// A mask.
    K,
}

impl Size {
    /// The size of registers of vectors of this many bytes.
    pub(super) fn of_vector(bytes: usize) -> Option<Self> {
        match bytes {
            16 => Some(Self::X),
            32 => Some(Self::Y),
            64 => Some(Self::Z),
            _ => None,
        }
    }

    /// Bytes of a register of vectors.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::B1 => 1,
            Self::B2 => 2,
            Self::B4 => 4,
            Self::B8 | Self::K => 8,
            Self::X => 16,
            Self::Y => 32,
            Self::Z => 64,
        }
    }
}

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// A general register.
    Register(VReg),
    /// The constants behind the code, at this offset.
    Pool(u32),
}

/// An operand in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    pub(super) base: Base,
    /// A general register, times 1, 2, 4 or 8.
    pub(super) index: Option<(VReg, u32)>,
    pub(super) offset: i32,
}

impl Memory {
    /// `offset` bytes behind the address in a register.
    pub(super) fn at(base: VReg, offset: i32) -> Self {
        Self {
            base: Base::Register(base),
            index: None,
            offset,
        }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// A register that is written.
    Def(VReg, Size),
    /// A register that is read.
    Use(VReg, Size),
    Memory(Memory),
    /// As many places in memory as a register of this size has indices: a general register and, times 1, 2, 4
    /// or 8, each of the indices.
    Places(VReg, VReg, Size, u32),
    /// A number of one byte.
    Byte(u8),
    /// A number of four bytes that is extended as signed to 64 bits.
    Number(i32),
    /// A number of eight bytes.
    Wide(i64),
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Inst {
    pub(super) code: Code,
    pub(super) operands: SmallVec<[Operand; 4]>,
    /// What the first operand, which is written, is before: they share a register.
    pub(super) tied: Option<VReg>,
    /// The mask of the lanes that are written; others become zero, or stay what they were if the instruction
    /// is [`Self::tied`] or stores.
    pub(super) mask: Option<VReg>,
    /// The mask after an instruction that clobbers it: the last operand of AVX2's gathers.
    pub(super) spent: Option<VReg>,
    /// Whether each lane of the vector in memory is the same element.
    pub(super) broadcast: bool,
    /// Where it comes from.
    pub(super) loc: Option<Loc>,
}

impl Inst {
    pub(super) fn new(code: Code, operands: &[Operand]) -> Self {
        Self {
            code,
            operands: operands.into(),
            tied: None,
            mask: None,
            spent: None,
            broadcast: false,
            loc: None,
        }
    }
}

impl Inst {
    /// The registers that are written.
    pub(super) fn defs(&self) -> impl Iterator<Item = VReg> {
        let defs = self.operands.iter().filter_map(|operand| match operand {
            Operand::Def(register, _) => Some(*register),
            _ => None,
        });
        defs.chain(self.spent)
    }

    /// The registers that are read.
    pub(super) fn uses_mut(&mut self) -> impl Iterator<Item = &mut VReg> {
        let operands = self.operands.iter_mut().flat_map(|operand| {
            let (first, second) = match operand {
                Operand::Use(register, _) => (Some(register), None),
                Operand::Memory(Memory { base, index, .. }) => {
                    let base = match base {
                        Base::Register(register) => Some(register),
                        Base::Pool(_) => None,
                    };
                    (base, index.as_mut().map(|(register, _)| register))
                }
                Operand::Places(base, indices, ..) => (Some(base), Some(indices)),
                Operand::Def(..) | Operand::Byte(_) | Operand::Number(_) | Operand::Wide(_) => {
                    (None, None)
                }
            };
            first.into_iter().chain(second)
        });
        (self.tied.iter_mut())
            .chain(operands)
            .chain(self.mask.iter_mut())
    }
}

/// A register that is read, and is that of no result.
fn late_use(register: VReg) -> Constraint {
    Constraint::new(
        register,
        OperandConstraint::Reg,
        OperandKind::Use,
        OperandPos::Late,
    )
}

/// When a branch is taken, by the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Below,
    BelowOrEqual,
    Above,
    AboveOrEqual,
}

impl Condition {
    pub(super) fn inverse(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::Below => Self::AboveOrEqual,
            Self::BelowOrEqual => Self::Above,
            Self::Above => Self::BelowOrEqual,
            Self::AboveOrEqual => Self::Below,
        }
    }
}

/// How a block ends.
#[derive(Clone, Debug)]
pub(super) enum Terminator {
    /// On to a block, with arguments for its parameters.
    Jump(Block, Vec<VReg>),
    /// To the first one if the condition holds, else to the second one. They have no parameters and no other
    /// predecessors.
    Branch(Condition, Block, Block),
    /// Back to the caller.
    Return,
}

/// A block while it is built.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    params: Vec<VReg>,
    pub(super) insts: Vec<Inst>,
    /// What sets the flags for the terminator, behind all others.
    pub(super) last: Option<Inst>,
    pub(super) terminator: Option<Terminator>,
}

impl OpenBlock {
    pub(super) fn params(&self) -> &[VReg] {
        &self.params
    }

    /// The blocks that control goes to.
    pub(super) fn successors(&self) -> impl Iterator<Item = Block> {
        let (first, second) = match &self.terminator {
            Some(Terminator::Jump(to, _)) => (Some(*to), None),
            Some(Terminator::Branch(_, first, second)) => (Some(*first), Some(*second)),
            Some(Terminator::Return) | None => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The instructions, in order.
    pub(super) fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.insts.iter().chain(&self.last)
    }

    /// The registers that are read, and by which instruction; the terminator counts as one behind all.
    pub(super) fn uses_mut(&mut self) -> impl Iterator<Item = (usize, &mut VReg)> {
        let n = self.insts.len() + usize::from(self.last.is_some());
        let args = match &mut self.terminator {
            Some(Terminator::Jump(_, args)) => args.as_mut_slice(),
            _ => &mut [],
        };
        let insts = self.insts.iter_mut().chain(&mut self.last).enumerate();
        insts
            .flat_map(|(place, inst)| inst.uses_mut().map(move |register| (place, register)))
            .chain(args.iter_mut().map(move |register| (n, register)))
    }
}

/// A function while it is built.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) blocks: Vec<OpenBlock>,
    /// The class of each virtual register and the block where it is defined.
    registers: Vec<(RegClass, Block)>,
    /// The register of the argument.
    argument: Option<VReg>,
    pool: Vec<u8>,
}

impl Builder {
    pub(super) fn block(&mut self) -> Block {
        self.blocks.push(OpenBlock {
            params: Vec::new(),
            insts: Vec::new(),
            last: None,
            terminator: None,
        });
        Block::new(self.blocks.len() - 1)
    }

    /// A new register, defined in `block`.
    pub(super) fn register(&mut self, class: RegClass, block: Block) -> VReg {
        self.registers.push((class, block));
        VReg::new(self.registers.len() - 1, class)
    }

    /// The register in which the argument comes to `entry`, the first block.
    pub(super) fn argument(&mut self, entry: Block) -> VReg {
        let argument = self.register(GENERAL, entry);
        self.argument = Some(argument);
        argument
    }

    pub(super) fn n_registers(&self) -> usize {
        self.registers.len()
    }

    /// Where a register is defined.
    pub(super) fn home(&self, register: VReg) -> Block {
        self.registers[register.vreg()].1
    }

    pub(super) fn param(&mut self, block: Block, class: RegClass) -> VReg {
        let register = self.register(class, block);
        self.blocks[block.index()].params.push(register);
        register
    }

    /// Appends an instruction to a block, before its terminator.
    pub(super) fn push(&mut self, block: Block, inst: Inst) {
        self.blocks[block.index()].insts.push(inst);
    }

    /// Sets the instruction right before the terminator of a block.
    pub(super) fn push_last(&mut self, block: Block, inst: Inst) {
        self.blocks[block.index()].last = Some(inst);
    }

    pub(super) fn terminate(&mut self, block: Block, terminator: Terminator) {
        self.blocks[block.index()].terminator = Some(terminator);
    }

    /// Where these bytes are among the constants, at a multiple of their number.
    pub(super) fn constant(&mut self, bytes: &[u8]) -> u32 {
        let step = bytes.len();
        let known = (self.pool.chunks_exact(step)).position(|known| known == bytes);
        let place = known.map_or_else(
            || {
                self.pool.resize(self.pool.len().next_multiple_of(step), 0);
                self.pool.extend_from_slice(bytes);
                self.pool.len() - step
            },
            |index| index * step,
        );
        place as u32
    }

    /// The function, if every block is complete. Blocks are numbered in the order of the code.
    pub(super) fn finish(mut self) -> Option<Lir> {
        let mut lir = Lir {
            n_registers: self.registers.len(),
            pool: self.pool,
            ..Lir::default()
        };
        let n_blocks = self.blocks.len();
        lir.preds = vec![Vec::new(); n_blocks];
        for (index, block) in self.blocks.into_iter().enumerate() {
            let start = lir.steps.len();
            if let Some(argument) = self.argument.take() {
                let constraint = Constraint::reg_fixed_def(argument, ARGUMENT);
                lir.constraints.push(constraint);
                lir.add(Step::Argument);
            }
            for inst in block.insts.into_iter().chain(block.last) {
                lir.add(Step::Inst(inst));
            }
            let terminator = block.terminator?;
            let succs = match &terminator {
                Terminator::Jump(to, _) => vec![*to],
                Terminator::Branch(_, first, second) => vec![*first, *second],
                Terminator::Return => Vec::new(),
            };
            for succ in &succs {
                lir.preds[succ.index()].push(Block::new(index));
            }
            lir.add(Step::Terminator);
            let range = InstRange::new(InstIndex::new(start), InstIndex::new(lir.steps.len()));
            lir.blocks.push(LirBlock {
                params: block.params,
                range,
                succs,
                terminator,
            });
        }
        Some(lir)
    }
}

/// A block of a function that is ready for allocation.
pub(super) struct LirBlock {
    params: Vec<VReg>,
    range: InstRange,
    succs: Vec<Block>,
    pub(super) terminator: Terminator,
}

/// What `regalloc2` takes for an instruction.
pub(super) enum Step {
    /// Says in which register the argument comes.
    Argument,
    Inst(Inst),
    /// That of the block.
    Terminator,
}

/// A function that is ready for allocation.
#[derive(Default)]
pub(super) struct Lir {
    pub(super) blocks: Vec<LirBlock>,
    preds: Vec<Vec<Block>>,
    pub(super) steps: Vec<Step>,
    /// What `regalloc2` knows of the operands of each instruction: [`Inst::tied`], then registers in the order
    /// of operands, then [`Inst::mask`] and [`Inst::spent`].
    constraints: Vec<Constraint>,
    /// Where those of each instruction end.
    ends: Vec<usize>,
    n_registers: usize,
    /// Constants behind the code.
    pub(super) pool: Vec<u8>,
}

impl Lir {
    fn add(&mut self, step: Step) {
        if let Step::Inst(inst) = &step {
            if let Some(tied) = inst.tied {
                self.constraints.push(Constraint::reg_use(tied));
            }
            for operand in &inst.operands {
                match *operand {
                    Operand::Def(register, _) => self.constraints.push(match inst.tied {
                        Some(_) => Constraint::new(
                            register,
                            OperandConstraint::Reuse(0),
                            OperandKind::Def,
                            OperandPos::Late,
                        ),
                        None => Constraint::reg_def(register),
                    }),
                    Operand::Use(register, _) => {
                        self.constraints.push(Constraint::reg_use(register));
                    }
                    Operand::Memory(memory) => {
                        if let Base::Register(register) = memory.base {
                            self.constraints.push(Constraint::reg_use(register));
                        }
                        if let Some((register, _)) = memory.index {
                            self.constraints.push(Constraint::reg_use(register));
                        }
                    }
                    Operand::Places(base, indices, ..) => {
                        self.constraints.push(Constraint::reg_use(base));
                        // All of them are read before, but no two operands may be one register.
                        self.constraints.push(late_use(indices));
                    }
                    Operand::Byte(_) | Operand::Number(_) | Operand::Wide(_) => {}
                }
            }
            if let Some(mask) = inst.mask {
                self.constraints.push(Constraint::reg_use(mask));
            }
            if let Some(spent) = inst.spent {
                let first = self.ends.last().copied().unwrap_or(0);
                let mask = self.constraints.len() - first - 1;
                self.constraints.push(Constraint::new(
                    spent,
                    OperandConstraint::Reuse(mask),
                    OperandKind::Def,
                    OperandPos::Late,
                ));
            }
        }
        self.steps.push(step);
        self.ends.push(self.constraints.len());
    }

    fn terminator_of(&self, inst: InstIndex) -> Option<&Terminator> {
        if !matches!(self.steps[inst.index()], Step::Terminator) {
            return None;
        }
        let block = self
            .blocks
            .partition_point(|block| block.range.last().index() < inst.index());
        Some(&self.blocks[block].terminator)
    }
}

impl Function for Lir {
    fn num_insts(&self) -> usize {
        self.steps.len()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        self.blocks[block.index()].range
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

    fn is_ret(&self, inst: InstIndex) -> bool {
        matches!(self.terminator_of(inst), Some(Terminator::Return))
    }

    fn is_branch(&self, inst: InstIndex) -> bool {
        matches!(
            self.terminator_of(inst),
            Some(Terminator::Jump(..) | Terminator::Branch(..))
        )
    }

    fn branch_blockparams(&self, block: Block, _: InstIndex, _: usize) -> &[VReg] {
        match &self.blocks[block.index()].terminator {
            Terminator::Jump(_, args) => args,
            _ => &[],
        }
    }

    fn inst_operands(&self, inst: InstIndex) -> &[Constraint] {
        let index = inst.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.constraints[start..self.ends[index]]
    }

    fn inst_clobbers(&self, _: InstIndex) -> PRegSet {
        PRegSet::empty()
    }

    fn num_vregs(&self) -> usize {
        self.n_registers
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            VECTOR => super::assemble::VECTOR_SLOTS,
            _ => 1,
        }
    }
}
