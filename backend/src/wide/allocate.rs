//! Registers for values, in one walk or two.
//!
//! In SSA form, values that are live at once are all live where the last of them is defined, and what is defined there
//! is dominated by the other definitions. So a walk over the blocks in the order of dominance, in which each
//! definition takes a register that no live value is in, needs as many registers as values are live at once and
//! never changes a choice (S. Hack, D. Grund, G. Goos, Register Allocation for Programs in SSA Form, CC 2006).
//! Where there are too few, [`Spills`] chooses values that live in memory everywhere, and a second walk loads them where
//! they are used, if no register happens to have them still. What this does not manage, `regalloc2` does, which takes
//! several times as long.
//!
//! Moves are for parameters of blocks, and for operands that an instruction overwrites although they live on. To save
//! them, what a loop carries takes the register of its parameter, which others avoid meanwhile, and a parameter
//! takes that of an argument that dies.

mod liveness;
mod spills;
#[cfg(test)]
mod tests;

use regalloc2::{
    Allocation, Block, Edit, Function, Inst, InstPosition, MachineEnv, Operand, OperandConstraint,
    OperandKind, OperandPos, Output, PReg, ProgPoint, RegClass, SpillSlot, VReg,
};
use smallvec::SmallVec;

use self::liveness::{Liveness, arguments, terminator, uses};
use self::spills::{Spills, bit, costs, numbers};

/// Registers of each class that hold nothing but what an instruction reads from memory, where values are spilled: as few
/// as do.
const SPARE: std::ops::RangeInclusive<usize> = 1..=3;

/// For each class a set of registers, by their numbers.
type Sets = [u64; 3];

/// Chooses registers and slots. `None` if there are too few registers, or if the function is too large.
pub(super) fn allocate(function: &impl Function, machine: &MachineEnv) -> Option<Output> {
    let live = Liveness::new(function)?;
    let goals = goals(function);
    let nothing = Spills::default();
    let without = walk(function, machine, &live, &goals, &nothing);
    without.or_else(|| {
        let costs = costs(function, &live);
        let mut spills = SPARE.map(|spare| Spills::choose(function, machine, &live, &costs, spare));
        spills.find_map(|spills| walk(function, machine, &live, &goals, &spills))
    })
}

fn walk(
    function: &impl Function,
    machine: &MachineEnv,
    live: &Liveness,
    goals: &[Option<VReg>],
    spills: &Spills,
) -> Option<Output> {
    let mut walk = Walk {
        function,
        live,
        spills,
        goals,
        preferred: machine.preferred_regs_by_class.map(numbers),
        others: machine.non_preferred_regs_by_class.map(numbers),
        registers: vec![None; function.num_vregs()],
        wishes: vec![None; function.num_vregs()],
        ends: vec![0; function.num_vregs()],
        occupied: [0; 3],
        reserved: [0; 3],
        cached: SmallVec::new(),
        output: Output::default(),
    };
    for index in 0..function.num_blocks() {
        walk.block(Block::new(index))?;
    }
    for index in 0..function.num_blocks() {
        walk.moves_to_params(Block::new(index))?;
    }
    let mut output = walk.output;
    output.edits.sort_by_key(|&(point, _)| point);
    output.num_spillslots = spills.n_slots;
    Some(output)
}

/// For each value the parameter that it becomes, if it does, or what overwrites it.
fn goals(function: &impl Function) -> Vec<Option<VReg>> {
    let mut goals = vec![None; function.num_vregs()];
    for block in (0..function.num_blocks()).map(Block::new) {
        if let Some((to, arguments)) = arguments(function, block) {
            for (&param, argument) in function.block_params(to).iter().zip(arguments) {
                goals[argument.vreg()].get_or_insert(param);
            }
        }
    }
    for inst in (0..function.num_insts()).rev().map(Inst::new) {
        let operands = function.inst_operands(inst);
        for operand in operands {
            if let OperandConstraint::Reuse(before) = operand.constraint()
                && let Some(goal) = goals[operand.vreg().vreg()]
            {
                goals[operands[before].vreg().vreg()].get_or_insert(goal);
            }
        }
    }
    goals
}

fn is_late_use(operand: &&Operand) -> bool {
    operand.kind() == OperandKind::Use && operand.pos() == OperandPos::Late
}

struct Walk<'a, F> {
    function: &'a F,
    live: &'a Liveness,
    spills: &'a Spills,
    goals: &'a [Option<VReg>],
    preferred: Sets,
    others: Sets,
    /// Where each value is, once it is defined.
    registers: Vec<Option<PReg>>,
    /// For parameters that have no register yet: that of the first argument.
    wishes: Vec<Option<PReg>>,
    /// The instruction behind the last one so far that reads a value, in the order of the code. It is one of the block
    /// at hand if one there reads it.
    ends: Vec<usize>,
    occupied: Sets,
    /// Registers of what the loops around carry.
    reserved: Sets,
    /// Values in memory that free registers have as well, those that were used last behind the others.
    cached: SmallVec<[(VReg, PReg); 8]>,
    output: Output,
}

impl<F: Function> Walk<'_, F> {
    fn block(&mut self, block: Block) -> Option<()> {
        let function = self.function;
        let insts = function.block_insns(block);
        let first = insts.first().index();
        let live = self.live;
        self.occupied = self.registers_of(&live.at_start, block)?;
        let follows =
            matches!(function.block_preds(block), [before] if before.index() + 1 == block.index());
        if !follows || !function.block_params(block).is_empty() {
            self.cached.clear();
        }
        for (inst, value) in uses(function, block) {
            self.ends[value.vreg()] = inst.index() + 1;
        }
        self.params(block)?;
        for &param in function.block_params(block) {
            if self.ends[param.vreg()] <= first && !live.is_live_at_end(block, param) {
                self.leave(param);
            }
        }
        for inst in insts.iter() {
            self.inst(block, inst)?;
        }
        // Behind the end of a loop, what it carries needs no register.
        if let Some((to, _)) = arguments(function, block)
            && to <= block
        {
            for &param in function.block_params(to) {
                if let Some(register) = self.registers[param.vreg()] {
                    self.reserved[register.class() as usize] &= !bit(register);
                }
            }
        }
        Some(())
    }

    /// The registers of values that are live somewhere. `None` if one is not defined yet.
    fn registers_of(&self, sets: &[u64], block: Block) -> Option<Sets> {
        let mut registers = [0; 3];
        for value in self.live.values(sets, block) {
            if self.spills.slot(value).is_none() {
                let register = self.registers[value]?;
                registers[register.class() as usize] |= bit(register);
            }
        }
        Some(registers)
    }

    /// Chooses registers for the parameters of a block.
    fn params(&mut self, block: Block) -> Option<()> {
        let function = self.function;
        let params = function.block_params(block);
        for &param in params {
            if self.spills.slot(param.vreg()).is_none() {
                let register = self.free_register(param, self.wishes[param.vreg()], [0; 3])?;
                self.enter(param, register);
            }
        }
        for &before in function.block_preds(block) {
            let Some((_, arguments)) = arguments(function, before) else {
                continue;
            };
            for (param, argument) in params.iter().zip(arguments) {
                if before >= block
                    && param != argument
                    && let Some(register) = self.registers[param.vreg()]
                {
                    self.reserved[register.class() as usize] |= bit(register);
                }
            }
        }
        Some(())
    }

    /// Chooses a register for `value` that is in none of the sets: that of its goal if possible, and otherwise none
    /// that a loop carries something in.
    fn free_register(&self, value: VReg, wish: Option<PReg>, taken: Sets) -> Option<PReg> {
        let class = value.class() as usize;
        let unavailable = self.occupied[class] | taken[class];
        let goal = self.goals[value.vreg()].and_then(|goal| {
            let known = self.registers[goal.vreg()];
            known.or(self.wishes[goal.vreg()])
        });
        let is_free = |register: &PReg| unavailable & bit(*register) == 0;
        if let Some(register) = wish.into_iter().chain(goal).find(is_free) {
            return Some(register);
        }
        let (preferred, others) = (self.preferred[class], self.others[class]);
        let reserved = self.reserved[class];
        let of_class = |(_, register): &&(VReg, PReg)| register.class() == value.class();
        let cached = self.cached.iter().filter(of_class);
        let cached = cached.fold(0, |set, &(_, register)| set | bit(register));
        let groups = [preferred & !reserved, others & !reserved, preferred, others];
        let mut free = groups
            .map(|group| group & !unavailable & !cached)
            .into_iter();
        if let Some(group) = free.find(|&group| group != 0) {
            return Some(PReg::new(group.trailing_zeros() as usize, value.class()));
        }
        let mut cached = self.cached.iter().filter(of_class);
        let oldest = cached.find(|(_, register)| is_free(register));
        oldest.map(|&(_, register)| register)
    }

    fn enter(&mut self, value: VReg, register: PReg) {
        self.cached.retain(|(_, cached)| *cached != register);
        self.occupied[register.class() as usize] |= bit(register);
        self.registers[value.vreg()] = Some(register);
        if let Some(goal) = self.goals[value.vreg()] {
            self.wishes[goal.vreg()].get_or_insert(register);
        }
    }

    fn leave(&mut self, value: VReg) {
        if let Some(register) = self.registers[value.vreg()] {
            self.occupied[register.class() as usize] &= !bit(register);
        }
        // What is spilled is in a register for an instruction, or as long as nothing else is.
        if self.spills.slot(value.vreg()).is_some()
            && let Some(register) = self.registers[value.vreg()].take()
        {
            self.cached.push((value, register));
        }
    }

    /// Whether a value needs no register behind this instruction.
    fn dies(&self, block: Block, inst: Inst, value: VReg) -> bool {
        self.spills.slot(value.vreg()).is_some()
            || self.ends[value.vreg()] <= inst.index() + 1
                && !self.live.is_live_at_end(block, value)
    }

    /// The register that still has a value in memory.
    fn cached(&self, value: VReg) -> Option<PReg> {
        let known = self.cached.iter().find(|(cached, _)| *cached == value);
        known.map(|&(_, register)| register)
    }

    /// Has a register hold a value in memory for an instruction.
    fn load(&mut self, inst: Inst, value: VReg, slot: SpillSlot) -> Option<()> {
        let register = match self.cached(value) {
            Some(register) => register,
            None => {
                let register = self.free_register(value, None, [0; 3])?;
                let (from, to) = (Allocation::stack(slot), Allocation::reg(register));
                self.edit(inst, InstPosition::Before, from, to);
                register
            }
        };
        self.enter(value, register);
        Some(())
    }

    fn edit(&mut self, inst: Inst, position: InstPosition, from: Allocation, to: Allocation) {
        if from == to {
            return;
        }
        let point = ProgPoint::new(inst, position);
        self.output.edits.push((point, Edit::Move { from, to }));
    }

    /// Chooses the registers of an instruction: its operands are read, then some of them overwritten, then results written.
    fn inst(&mut self, block: Block, inst: Inst) -> Option<()> {
        let operands = self.function.inst_operands(inst);
        let start = self.output.allocs.len();
        self.output.inst_alloc_offsets.push(start as u32);
        self.output
            .allocs
            .resize(start + operands.len(), Allocation::none());
        self.read(inst, start)?;
        let taken = self.overwrite(block, inst, start)?;
        let uses = || (operands.iter()).filter(|operand| operand.kind() == OperandKind::Use);
        for operand in uses().filter(|operand| !is_late_use(operand)) {
            if self.dies(block, inst, operand.vreg())
                && !uses().any(|other| is_late_use(&other) && other.vreg() == operand.vreg())
            {
                self.leave(operand.vreg());
            }
        }
        self.define(inst, start, taken)?;
        for operand in operands {
            let is_def = operand.kind() == OperandKind::Def;
            if (is_def || is_late_use(&operand)) && self.dies(block, inst, operand.vreg()) {
                self.leave(operand.vreg());
            }
        }
        Some(())
    }

    /// Says where operands are that are read and not overwritten. Those in memory are loaded.
    fn read(&mut self, inst: Inst, start: usize) -> Option<()> {
        let operands = self.function.inst_operands(inst);
        let is_overwritten = |place: usize| {
            let reuse = OperandConstraint::Reuse(place);
            operands.iter().any(|operand| operand.constraint() == reuse)
        };
        for (place, operand) in operands.iter().enumerate() {
            let value = operand.vreg();
            if operand.kind() != OperandKind::Use {
                continue;
            }
            if let Some(slot) = self.spills.slot(value.vreg()) {
                if is_overwritten(place) {
                    continue;
                }
                // Another operand may be the same value.
                if self.registers[value.vreg()].is_none() {
                    self.load(inst, value, slot)?;
                }
            }
            self.output.allocs[start + place] = Allocation::reg(self.registers[value.vreg()]?);
        }
        Some(())
    }

    /// Chooses registers for results that overwrite operands, and returns them. A value that lives on is moved first, to
    /// where no operand is.
    fn overwrite(&mut self, block: Block, inst: Inst, start: usize) -> Option<Sets> {
        let operands = self.function.inst_operands(inst);
        let mut taken: Sets = [0; 3];
        for (place, operand) in operands.iter().enumerate() {
            let OperandConstraint::Reuse(before) = operand.constraint() else {
                continue;
            };
            let old = operands[before].vreg();
            let class = old.class() as usize;
            let slot = self.spills.slot(old.vreg());
            let from = match (slot, self.cached(old)) {
                (Some(_), Some(register)) => Allocation::reg(register),
                (Some(slot), None) => Allocation::stack(slot),
                (None, _) => Allocation::reg(self.registers[old.vreg()]?),
            };
            let is_read_late = (operands.iter().filter(is_late_use)).any(|use_| use_.vreg() == old);
            let over = from.as_reg().filter(|&register| {
                slot.is_none()
                    && self.dies(block, inst, old)
                    && taken[class] & bit(register) == 0
                    && !is_read_late
            });
            let register = match over {
                Some(register) => register,
                None => {
                    let register = self.free_register(operand.vreg(), None, taken)?;
                    self.cached.retain(|(_, cached)| *cached != register);
                    self.edit(inst, InstPosition::Before, from, Allocation::reg(register));
                    register
                }
            };
            taken[class] |= bit(register);
            for place in [before, place] {
                self.output.allocs[start + place] = Allocation::reg(register);
            }
        }
        Some(taken)
    }

    /// Chooses registers for the other results, none that is `taken`, and stores those in memory.
    fn define(&mut self, inst: Inst, start: usize, taken: Sets) -> Option<()> {
        let operands = self.function.inst_operands(inst);
        for (place, operand) in operands.iter().enumerate() {
            if operand.kind() != OperandKind::Def {
                continue;
            }
            let value = operand.vreg();
            let register = match operand.constraint() {
                OperandConstraint::Reuse(_) => self.output.allocs[start + place].as_reg()?,
                OperandConstraint::FixedReg(register) => {
                    let is_free = self.occupied[register.class() as usize] & bit(register) == 0;
                    is_free.then_some(register)?
                }
                _ => self.free_register(value, None, taken)?,
            };
            self.output.allocs[start + place] = Allocation::reg(register);
            self.enter(value, register);
            if let Some(slot) = self.spills.slot(value.vreg()) {
                let (from, to) = (Allocation::reg(register), Allocation::stack(slot));
                self.edit(inst, InstPosition::After, from, to);
            }
        }
        Some(())
    }

    /// Where a value is behind its definition.
    fn place(&self, value: VReg) -> Option<Allocation> {
        match self.spills.slot(value.vreg()) {
            Some(slot) => Some(Allocation::stack(slot)),
            None => self.registers[value.vreg()].map(Allocation::reg),
        }
    }

    /// Puts arguments where the parameters of the block that follows `block` are, all at once.
    fn moves_to_params(&mut self, block: Block) -> Option<()> {
        let function = self.function;
        let Some((to, arguments)) = arguments(function, block) else {
            return Some(());
        };
        let params = function.block_params(to);
        if params.is_empty() {
            return Some(());
        }
        let mut moves: SmallVec<[(Allocation, Allocation, RegClass); 8]> = SmallVec::new();
        let mut busy = self.registers_of(&self.live.at_end, block)?;
        for (&argument, &param) in arguments.iter().zip(params) {
            let (from, to) = (self.place(argument)?, self.place(param)?);
            for register in [from, to].into_iter().filter_map(Allocation::as_reg) {
                busy[register.class() as usize] |= bit(register);
            }
            if from != to {
                moves.push((from, to, argument.class()));
            }
        }
        let end = terminator(function, block);
        let all: Sets = std::array::from_fn(|class| self.preferred[class] | self.others[class]);
        let spare = |class: RegClass, busy: Sets| {
            let free = all[class as usize] & !busy[class as usize];
            (free != 0).then(|| PReg::new(free.trailing_zeros() as usize, class))
        };
        while !moves.is_empty() {
            let is_read = |place: Allocation| moves.iter().any(|&(from, ..)| from == place);
            if let Some(next) = moves.iter().position(|&(_, to, _)| !is_read(to)) {
                let (from, to, class) = moves.swap_remove(next);
                if from.is_stack() && to.is_stack() {
                    let between = Allocation::reg(spare(class, busy)?);
                    self.edit(end, InstPosition::Before, from, between);
                    self.edit(end, InstPosition::Before, between, to);
                } else {
                    self.edit(end, InstPosition::Before, from, to);
                }
                continue;
            }
            // All that are left are read by others: a circle, which one more register opens.
            let (first, _, class) = moves[0];
            let register = spare(class, busy)?;
            busy[class as usize] |= bit(register);
            self.edit(end, InstPosition::Before, first, Allocation::reg(register));
            for (from, ..) in &mut moves {
                if *from == first {
                    *from = Allocation::reg(register);
                }
            }
        }
        Some(())
    }
}
