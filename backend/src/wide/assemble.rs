//! From virtual registers to bytes: register allocation, the frame, encoding.
//!
//! A kernel calls nothing, so a frame is there only for what does not fit into registers and to save what
//! belongs to the caller. Slots are aligned to the widest vector. Constants lie behind the code and are
//! addressed relative to it, so nothing is left to be relocated.

use cranelift_codegen::gimli::Register as DwarfRegister;
use cranelift_codegen::gimli::write::CallFrameInstruction;
use freehold_frontend::ir::location::Loc;
use iced_x86::{Code, Encoder, FastFormatter, Instruction, OpKind, Register};
use regalloc2::checker::Checker;
use regalloc2::{
    Allocation, Block, Edit, Function, InstOrEdit, MachineEnv, Output, PReg, PRegSet,
    RegAllocError, RegClass, RegallocOptions,
};

use super::allocate;
use super::code::{
    Base, Condition, GENERAL, Inst, Lir, MASK, Memory, Operand, Size, Step, Terminator, VECTOR,
};
use super::forms;
use super::level::Level;

/// Slots of eight bytes that a spilled vector takes: those of 512 bits.
pub(super) const VECTOR_SLOTS: usize = 8;

/// General registers that belong to the caller, but for RBP, which is the frame's.
const SAVED: [usize; 5] = [3, 12, 13, 14, 15];
/// General registers that are free.
const FREE: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

/// The alignment of the code and of the constants behind it.
pub(crate) const ALIGNMENT: usize = 64;

/// A kernel in bytes.
pub(crate) struct Assembled {
    /// Instructions, then constants.
    pub(crate) code: Vec<u8>,
    /// Where instructions come from: offsets and locations.
    pub(crate) lines: Vec<(u32, Loc)>,
    /// What a stack walk has to know, by offset.
    pub(crate) frame: Vec<(u32, CallFrameInstruction)>,
    /// Bits of the largest registers of vectors.
    pub(crate) bits: u32,
    listing: Vec<Listed>,
}

/// A line of a kernel as text.
enum Listed {
    Block(Block),
    Instruction(Instruction),
}

impl Assembled {
    /// The instructions as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut formatter = FastFormatter::new();
        for line in &self.listing {
            match line {
                Listed::Block(block) => text.push_str(&format!("block{}:", block.index())),
                Listed::Instruction(instruction) => {
                    text.push_str("  ");
                    formatter.format(instruction, &mut text);
                }
            }
            text.push('\n');
        }
        text
    }
}

/// The registers that there are.
fn machine(level: Level) -> MachineEnv {
    let set = |class: RegClass, numbers: &mut dyn Iterator<Item = usize>| {
        numbers.fold(PRegSet::empty(), |set, n| set.with(PReg::new(n, class)))
    };
    let masks = if level.has_avx512 { 1..8 } else { 0..0 };
    MachineEnv {
        preferred_regs_by_class: [
            set(GENERAL, &mut FREE.into_iter()),
            set(VECTOR, &mut (0..level.n_vector_registers())),
            set(MASK, &mut masks.into_iter()),
        ],
        non_preferred_regs_by_class: [
            set(GENERAL, &mut SAVED.into_iter()),
            PRegSet::empty(),
            PRegSet::empty(),
        ],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

/// The items of the code, in order.
enum Item {
    Block(Block),
    /// What it is, and where it comes from.
    Instruction(Instruction, Option<Loc>),
    /// What a stack walk has to know from here on.
    Frame(CallFrameInstruction),
}

/// Why a function has no code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// There are not enough registers, or the frame is too large.
    Registers,
    /// The function is not what registers can be chosen for: a mistake in what selects instructions.
    Allocation(String),
    /// An instruction has no encoding, or operands that it cannot have: a mistake in the tables or in what selects them.
    Encoding(String),
}

impl Failure {
    fn encoding(error: iced_x86::IcedError) -> Self {
        Self::Encoding(error.to_string())
    }
}

/// Compiles a function.
pub(super) fn assemble(lir: &Lir, level: Level) -> Result<Assembled, Failure> {
    let output = allocate(lir, &machine(level))?;
    let mut cx = Assembler {
        lir,
        output: &output,
        level,
        saved: saved_registers(&output),
        items: Vec::new(),
    };
    cx.function()?;
    let items = cx.items;
    encode(&items, lir, level)
}

/// Chooses registers and slots.
fn allocate(lir: &Lir, machine: &MachineEnv) -> Result<Output, Failure> {
    if let Some(output) = allocate::allocate(lir, machine) {
        if cfg!(debug_assertions) {
            let mut checker = Checker::new(lir, machine);
            checker.prepare(&output);
            let wrong = |errors| Failure::Allocation(format!("{errors:?}"));
            checker.run().map_err(wrong)?;
        }
        return Ok(output);
    }
    let options = RegallocOptions {
        validate_ssa: cfg!(debug_assertions),
        ..RegallocOptions::default()
    };
    regalloc2::run(lir, machine, &options).map_err(|error| match error {
        RegAllocError::TooManyLiveRegs => Failure::Registers,
        other => Failure::Allocation(other.to_string()),
    })
}

/// The caller's registers that are written.
fn saved_registers(output: &Output) -> Vec<usize> {
    let mut used = [false; 16];
    let mut note = |allocation: &Allocation| {
        if let Some(register) = allocation.as_reg()
            && register.class() == GENERAL
        {
            used[register.hw_enc()] = true;
        }
    };
    output.allocs.iter().for_each(&mut note);
    for (_, Edit::Move { from, to }) in &output.edits {
        note(from);
        note(to);
    }
    SAVED.into_iter().filter(|&n| used[n]).collect()
}

struct Assembler<'a> {
    lir: &'a Lir,
    output: &'a Output,
    level: Level,
    saved: Vec<usize>,
    items: Vec<Item>,
}

impl Assembler<'_> {
    fn function(&mut self) -> Result<(), Failure> {
        self.open_frame()?;
        for index in 0..self.lir.blocks.len() {
            let block = Block::new(index);
            self.items.push(Item::Block(block));
            for next in self.output.block_insts_and_edits(self.lir, block) {
                match next {
                    InstOrEdit::Edit(Edit::Move { from, to }) => self.copy(*from, *to)?,
                    InstOrEdit::Inst(inst) => {
                        let allocs = self.output.inst_allocs(inst);
                        match &self.lir.steps[inst.index()] {
                            Step::Argument => {}
                            Step::Inst(inst) => {
                                let instruction = machine_instruction(inst, allocs)?;
                                self.items.push(Item::Instruction(instruction, inst.loc));
                            }
                            Step::Terminator => self.terminator(block)?,
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        instruction: Result<Instruction, iced_x86::IcedError>,
    ) -> Result<(), Failure> {
        let instruction = instruction.map_err(Failure::encoding)?;
        self.items.push(Item::Instruction(instruction, None));
        Ok(())
    }

    fn has_frame(&self) -> bool {
        self.output.num_spillslots != 0 || !self.saved.is_empty()
    }

    fn open_frame(&mut self) -> Result<(), Failure> {
        use CallFrameInstruction as Cfi;
        if !self.has_frame() {
            return Ok(());
        }
        let rbp = DwarfRegister(6);
        self.push(Instruction::with1(Code::Push_r64, Register::RBP))?;
        self.items.push(Item::Frame(Cfi::CfaOffset(16)));
        self.items.push(Item::Frame(Cfi::Offset(rbp, -16)));
        let (bp, sp) = (Register::RBP, Register::RSP);
        self.push(Instruction::with2(Code::Mov_r64_rm64, bp, sp))?;
        self.items.push(Item::Frame(Cfi::CfaRegister(rbp)));
        for (place, &n) in (0..).zip(&self.saved.clone()) {
            self.push(Instruction::with1(Code::Push_r64, general(n, Size::B8)))?;
            let offset = -24 - 8 * place;
            self.items
                .push(Item::Frame(Cfi::Offset(DwarfRegister(dwarf(n)), offset)));
        }
        let bytes = 8 * self.output.num_spillslots + ALIGNMENT;
        let bytes = i32::try_from(bytes).map_err(|_| Failure::Registers)?;
        self.push(Instruction::with2(Code::Sub_rm64_imm32, sp, bytes))?;
        let mask = -(ALIGNMENT as i32);
        self.push(Instruction::with2(Code::And_rm64_imm8, sp, mask))
    }

    fn close_frame(&mut self) -> Result<(), Failure> {
        use CallFrameInstruction as Cfi;
        let clear = Instruction::with(Code::VEX_Vzeroupper);
        self.items.push(Item::Instruction(clear, None));
        if self.has_frame() {
            let (bp, sp) = (Register::RBP, Register::RSP);
            let saved = iced_x86::MemoryOperand::with_base_displ(bp, -8 * self.saved.len() as i64);
            self.push(Instruction::with2(Code::Lea_r64_m, sp, saved))?;
            for &n in self.saved.clone().iter().rev() {
                self.push(Instruction::with1(Code::Pop_r64, general(n, Size::B8)))?;
            }
            self.items.push(Item::Frame(Cfi::RememberState));
            self.push(Instruction::with1(Code::Pop_r64, bp))?;
            self.items.push(Item::Frame(Cfi::Cfa(DwarfRegister(7), 8)));
        }
        let back = Instruction::with(Code::Retnq);
        self.items.push(Item::Instruction(back, None));
        if self.has_frame() {
            self.items.push(Item::Frame(Cfi::RestoreState));
        }
        Ok(())
    }

    /// Where an edge leads: past blocks that became empty.
    fn thread(&self, mut block: Block) -> Block {
        // Blocks of edges lead to blocks that are none, so this ends.
        while let Terminator::Jump(to, _) = &self.lir.blocks[block.index()].terminator
            && self.is_empty(block)
            && *to != block
        {
            block = *to;
        }
        block
    }

    /// Whether a block is nothing but a jump.
    fn is_empty(&self, block: Block) -> bool {
        let mut all = self.output.block_insts_and_edits(self.lir, block);
        all.all(|next| match next {
            InstOrEdit::Edit(Edit::Move { from, to }) => from == to,
            InstOrEdit::Inst(inst) => {
                matches!(self.lir.steps[inst.index()], Step::Terminator)
            }
        })
    }

    fn terminator(&mut self, block: Block) -> Result<(), Failure> {
        // What follows in the code; empty blocks behind this one are the same place.
        let mut next = Block::new(block.index() + 1);
        let is_next = |cx: &Self, to: Block, next: &mut Block| {
            let mut at = *next;
            while at.index() < cx.lir.num_blocks() {
                if at == to {
                    return true;
                }
                let leads_on = matches!(cx.lir.blocks[at.index()].terminator, Terminator::Jump(..));
                if !(leads_on && cx.is_empty(at) && cx.is_left_out(at)) {
                    return false;
                }
                at = Block::new(at.index() + 1);
            }
            false
        };
        if self.is_left_out(block) {
            return Ok(());
        }
        match self.lir.blocks[block.index()].terminator.clone() {
            Terminator::Return => self.close_frame(),
            Terminator::Jump(to, _) => {
                let to = self.thread(to);
                if !is_next(self, to, &mut next) {
                    self.jump(Code::Jmp_rel32_64, to)?;
                }
                Ok(())
            }
            Terminator::Branch(condition, first, second) => {
                let (first, second) = (self.thread(first), self.thread(second));
                if is_next(self, second, &mut next) {
                    self.jump(jump_code(condition), first)
                } else if is_next(self, first, &mut next) {
                    self.jump(jump_code(condition.inverse()), second)
                } else {
                    self.jump(jump_code(condition), first)?;
                    self.jump(Code::Jmp_rel32_64, second)
                }
            }
        }
    }

    /// Whether nothing comes to a block any more because it is empty: all that led to it leads on.
    fn is_left_out(&self, block: Block) -> bool {
        block.index() != 0 && self.is_empty(block) && self.thread(block) != block
    }

    fn jump(&mut self, code: Code, to: Block) -> Result<(), Failure> {
        self.push(Instruction::with_branch(code, to.index() as u64))
    }

    /// Copies a value between registers and slots.
    fn copy(&mut self, from: Allocation, to: Allocation) -> Result<(), Failure> {
        if from == to {
            return Ok(());
        }
        let wrong = || Failure::Encoding(format!("no copy of {from} to {to}"));
        let class = from.as_reg().or(to.as_reg()).ok_or_else(wrong)?.class();
        let widest = self.level.widest;
        let (code, size) = match (class, to.as_reg().is_some()) {
            (GENERAL, true) => (Code::Mov_r64_rm64, Size::B8),
            (GENERAL, false) => (Code::Mov_rm64_r64, Size::B8),
            (MASK, true) => (Code::VEX_Kmovq_kr_km64, Size::K),
            (MASK, false) => (Code::VEX_Kmovq_m64_kr, Size::K),
            (VECTOR, true) => (
                forms::MOVE
                    .code(self.level.has_avx512, widest)
                    .ok_or_else(wrong)?,
                widest,
            ),
            (VECTOR, false) => (
                forms::STORE
                    .code(self.level.has_avx512, widest)
                    .ok_or_else(wrong)?,
                widest,
            ),
        };
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        for (index, place) in [(0, to), (1, from)] {
            match (place.as_reg(), place.as_stack()) {
                (Some(register), _) => {
                    instruction.set_op_kind(index, OpKind::Register);
                    instruction.set_op_register(index, physical(register, size));
                }
                (_, Some(slot)) => {
                    instruction.set_op_kind(index, OpKind::Memory);
                    instruction.set_memory_base(Register::RSP);
                    instruction.set_memory_displ_size(1);
                    instruction.set_memory_displacement64(8 * slot.index() as u64);
                }
                _ => return Err(wrong()),
            }
        }
        self.items.push(Item::Instruction(instruction, None));
        Ok(())
    }
}

/// The instruction with its registers.
pub(super) fn machine_instruction(
    inst: &Inst,
    allocs: &[Allocation],
) -> Result<Instruction, Failure> {
    let mut allocs = allocs.iter();
    let mut register = || {
        let register = allocs.next().and_then(|allocation| allocation.as_reg());
        let wrong = || Failure::Encoding(format!("{:?} lacks a register", inst.code));
        register.ok_or_else(wrong)
    };
    if inst.tied.is_some() {
        register()?;
    }
    let mut instruction = Instruction::default();
    instruction.set_code(inst.code);
    for (index, operand) in (0..).zip(&inst.operands) {
        match *operand {
            Operand::Def(_, size) | Operand::Use(_, size) => {
                instruction.set_op_kind(index, OpKind::Register);
                instruction.set_op_register(index, physical(register()?, size));
            }
            Operand::Memory(Memory {
                base,
                index: scaled,
                offset,
            }) => {
                instruction.set_op_kind(index, OpKind::Memory);
                match base {
                    Base::Register(_) => {
                        let base = physical(register()?, Size::B8);
                        instruction.set_memory_base(base);
                        instruction.set_memory_displ_size(u32::from(offset != 0));
                        instruction.set_memory_displacement64(i64::from(offset) as u64);
                    }
                    Base::Pool(place) => {
                        instruction.set_memory_base(Register::RIP);
                        instruction.set_memory_displ_size(8);
                        instruction.set_memory_displacement64(place.into());
                    }
                }
                if let Some((_, scale)) = scaled {
                    instruction.set_memory_index(physical(register()?, Size::B8));
                    instruction.set_memory_index_scale(scale);
                }
            }
            Operand::Places(_, _, size, scale) => {
                instruction.set_op_kind(index, OpKind::Memory);
                instruction.set_memory_base(physical(register()?, Size::B8));
                instruction.set_memory_index(physical(register()?, size));
                instruction.set_memory_index_scale(scale);
            }
            Operand::Byte(byte) => {
                instruction.set_op_kind(index, OpKind::Immediate8);
                instruction.set_immediate8(byte);
            }
            Operand::Number(number) => {
                instruction.set_op_kind(index, OpKind::Immediate32to64);
                instruction.set_immediate32to64(number.into());
            }
            Operand::Wide(number) => {
                instruction.set_op_kind(index, OpKind::Immediate64);
                instruction.set_immediate64(number as u64);
            }
        }
    }
    if inst.mask.is_some() {
        instruction.set_op_mask(physical(register()?, Size::K));
        // Neither what chooses between two operands nor what writes to memory has lanes of zeros.
        let is_load = matches!(inst.operands[..], [Operand::Def(..), Operand::Memory(_)]);
        instruction.set_zeroing_masking(inst.tied.is_none() && is_load);
    }
    instruction.set_is_broadcast(inst.broadcast);
    Ok(instruction)
}

fn jump_code(condition: Condition) -> Code {
    match condition {
        Condition::Equal => Code::Je_rel32_64,
        Condition::NotEqual => Code::Jne_rel32_64,
        Condition::Less => Code::Jl_rel32_64,
        Condition::LessOrEqual => Code::Jle_rel32_64,
        Condition::Greater => Code::Jg_rel32_64,
        Condition::GreaterOrEqual => Code::Jge_rel32_64,
        Condition::Below => Code::Jb_rel32_64,
        Condition::BelowOrEqual => Code::Jbe_rel32_64,
        Condition::Above => Code::Ja_rel32_64,
        Condition::AboveOrEqual => Code::Jae_rel32_64,
    }
}

/// DWARF's number of a general register.
fn dwarf(n: usize) -> u16 {
    match n {
        1 => 2,
        2 => 1,
        3 => 3,
        4 => 7,
        5 => 6,
        6 => 4,
        7 => 5,
        n => n as u16,
    }
}

fn general(n: usize, size: Size) -> Register {
    // `iced-x86` lists the older registers of eight bits with AH to BH between them and the others.
    let first = match size {
        Size::B1 if n < 4 => Register::AL,
        Size::B1 => Register::SPL,
        Size::B2 => Register::AX,
        Size::B4 => Register::EAX,
        _ => Register::RAX,
    };
    let n = if size == Size::B1 && n >= 4 { n - 4 } else { n };
    first + n as u32
}

fn physical(register: PReg, size: Size) -> Register {
    let n = register.hw_enc();
    match size {
        Size::X => Register::XMM0 + n as u32,
        Size::Y => Register::YMM0 + n as u32,
        Size::Z => Register::ZMM0 + n as u32,
        Size::K => Register::K0 + n as u32,
        _ => general(n, size),
    }
}

/// Puts everything down, twice: jumps and constants have the same sizes wherever they lead.
fn encode(items: &[Item], lir: &Lir, level: Level) -> Result<Assembled, Failure> {
    let mut places = vec![0u64; lir.num_blocks()];
    let mut pool_start = 0;
    let mut assembled = None;
    for _ in 0..2 {
        let mut encoder = Encoder::try_new(64).map_err(Failure::encoding)?;
        let mut result = Assembled {
            code: Vec::new(),
            lines: Vec::new(),
            frame: Vec::new(),
            bits: level.bits(),
            listing: Vec::new(),
        };
        let mut at = 0;
        for item in items {
            match item {
                Item::Block(block) => {
                    places[block.index()] = at;
                    result.listing.push(Listed::Block(*block));
                }
                Item::Frame(instruction) => result.frame.push((at as u32, instruction.clone())),
                Item::Instruction(instruction, loc) => {
                    let mut instruction = *instruction;
                    if instruction.op0_kind() == OpKind::NearBranch64 {
                        let target = places[instruction.near_branch64() as usize];
                        instruction.set_near_branch64(target);
                    } else if instruction.memory_base() == Register::RIP {
                        let place = pool_start + instruction.memory_displacement64();
                        instruction.set_memory_displacement64(place);
                    }
                    let length = encoder.encode(&instruction, at).map_err(|error| {
                        let code = instruction.code();
                        Failure::Encoding(format!("{code:?} has no encoding: {error}"))
                    })?;
                    result.listing.push(Listed::Instruction(instruction));
                    let last = result.lines.last().map(|&(_, loc)| loc);
                    if let Some(loc) = *loc
                        && last != Some(loc)
                    {
                        result.lines.push((at as u32, loc));
                    }
                    at += length as u64;
                }
            }
        }
        result.code = encoder.take_buffer();
        pool_start = at.next_multiple_of(ALIGNMENT as u64);
        assembled = Some(result);
    }
    let mut assembled: Assembled = assembled.expect("it was put down twice");
    if !lir.pool.is_empty() {
        assembled.code.resize(pool_start as usize, 0xcc);
        assembled.code.extend_from_slice(&lir.pool);
    }
    Ok(assembled)
}
