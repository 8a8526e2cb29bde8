//! Registers for values, in one walk or two.
//!
//! In SSA form, values that are live at once are all live where the last of them is defined, and what is defined there
//! is dominated by the other definitions. So a walk over the blocks in the order of dominance, in which each
//! definition takes a register that no live value is in, needs as many registers as values are live at once and
//! never changes a choice (S. Hack, D. Grund, G. Goos, Register Allocation for Programs in SSA Form, CC 2006).
//! Where there are too few, [`Spills`] chooses values that live in memory everywhere, and a second walk loads them where
//! they are used, if no register happens to have them still. What this does not manage, `regalloc2` does, which takes several times as long.
//!
//! Moves are for parameters of blocks, and for operands that an instruction overwrites although they live on. To save
//! them, what a loop carries takes the register of its parameter, which others avoid meanwhile, and a parameter
//! takes that of an argument that dies.

use regalloc2::{
    Allocation, Block, Edit, Function, Inst, InstPosition, MachineEnv, Operand, OperandConstraint,
    OperandKind, OperandPos, Output, PReg, PRegSet, ProgPoint, RegClass, SpillSlot, VReg,
};
use smallvec::SmallVec;

/// Bits of the sets of values that are live at the borders of blocks, all together: more are left to `regalloc2`.
const MAX_BITS: usize = 1 << 24;

/// Registers of each class that hold nothing but what an instruction reads from memory, where values are spilled: as few
/// as do.
const SPARE: std::ops::RangeInclusive<usize> = 1..=3;

/// A use in a loop counts as much as this many outside of it.
const USES_IN_LOOP: f32 = 8.0;

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

fn numbers(set: PRegSet) -> u64 {
    set.into_iter()
        .fold(0, |numbers, register| numbers | bit(register))
}

fn bit(register: PReg) -> u64 {
    1 << register.hw_enc()
}

/// The instruction that ends a block.
fn terminator(function: &impl Function, block: Block) -> Inst {
    function.block_insns(block).last()
}

/// The arguments for the parameters of the only block that follows `block`, if it has any.
fn arguments(function: &impl Function, block: Block) -> Option<(Block, &[VReg])> {
    match function.block_succs(block) {
        &[to] => Some((
            to,
            function.branch_blockparams(block, terminator(function, block), 0),
        )),
        _ => None,
    }
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

/// What the instructions of a block read, each with its number and the terminator's for arguments.
fn uses(function: &impl Function, block: Block) -> impl Iterator<Item = (Inst, VReg)> {
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
fn defs(function: &impl Function, block: Block) -> impl Iterator<Item = (Inst, VReg)> {
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
struct Liveness {
    /// Words of the set of a block.
    words: usize,
    at_start: Vec<u64>,
    at_end: Vec<u64>,
}

impl Liveness {
    /// Follows each use to the definition (F. Brandner et al., Computing Liveness Sets for SSA-Form Programs, INRIA
    /// RR-7503, 2011, section 5).
    fn new(function: &impl Function) -> Option<Self> {
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

    fn is_live_at_end(&self, block: Block, value: VReg) -> bool {
        let word = self.at_end[block.index() * self.words + value.vreg() / 64];
        word & (1 << (value.vreg() % 64)) != 0
    }

    /// The values of a set, by their numbers.
    fn values(&self, sets: &[u64], block: Block) -> impl Iterator<Item = usize> {
        let sets = &sets[block.index() * self.words..][..self.words];
        (sets.iter().enumerate()).flat_map(|(word, &set)| {
            let some = |set: u64| (set != 0).then_some(set);
            let bits = std::iter::successors(some(set), move |set| some(set & (set - 1)));
            bits.map(move |set| word * 64 + set.trailing_zeros() as usize)
        })
    }
}

/// The values that live in memory.
#[derive(Default)]
struct Spills {
    /// For each value its slot. Empty if there are none.
    slots: Vec<Option<SpillSlot>>,
    n_slots: usize,
}

impl Spills {
    fn slot(&self, value: usize) -> Option<SpillSlot> {
        self.slots.get(value).copied().flatten()
    }

    /// Chooses values so that few enough others are live at once: those that are used least for the time that they are
    /// live.
    fn choose(
        function: &impl Function,
        machine: &MachineEnv,
        live: &Liveness,
        costs: &[f32],
        spare: usize,
    ) -> Self {
        let limits: [usize; 3] = std::array::from_fn(|class| {
            let sets = [
                machine.preferred_regs_by_class[class],
                machine.non_preferred_regs_by_class[class],
            ];
            let n_registers: u32 = sets.map(|set| numbers(set).count_ones()).iter().sum();
            (n_registers as usize).saturating_sub(spare)
        });
        let mut classes = vec![RegClass::Int; function.num_vregs()];
        for block in (0..function.num_blocks()).map(Block::new) {
            for (_, value) in defs(function, block) {
                classes[value.vreg()] = value.class();
            }
        }
        let mut is_spilled = vec![false; function.num_vregs()];
        let mut ends = vec![0; function.num_vregs()];
        let mut present: [Vec<usize>; 3] = Default::default();
        for block in (0..function.num_blocks()).map(Block::new) {
            for (inst, value) in uses(function, block) {
                ends[value.vreg()] = inst.index() + 1;
            }
            present.iter_mut().for_each(Vec::clear);
            for value in live.values(&live.at_start, block) {
                if !is_spilled[value] {
                    present[classes[value] as usize].push(value);
                }
            }
            let mut keep_few = |present: &mut [Vec<usize>; 3], operands: &[Operand]| {
                for (present, limit) in present.iter_mut().zip(limits) {
                    while present.len() > limit {
                        let is_operand = |value| {
                            operands
                                .iter()
                                .any(|operand| operand.vreg().vreg() == value)
                        };
                        let others = (0..present.len()).filter(|&i| !is_operand(present[i]));
                        let cheapest =
                            others.min_by(|&a, &b| costs[present[a]].total_cmp(&costs[present[b]]));
                        let Some(cheapest) = cheapest else { break };
                        is_spilled[present.swap_remove(cheapest)] = true;
                    }
                }
            };
            for param in function.block_params(block) {
                present[param.class() as usize].push(param.vreg());
            }
            keep_few(&mut present, &[]);
            for inst in function.block_insns(block).iter() {
                let operands = function.inst_operands(inst);
                let dies = |value: usize| {
                    let value = VReg::new(value, classes[value]);
                    ends[value.vreg()] <= inst.index() + 1 && !live.is_live_at_end(block, value)
                };
                for present in &mut present {
                    present.retain(|&value| !dies(value));
                }
                for operand in operands {
                    let value = operand.vreg();
                    if operand.kind() == OperandKind::Def && !dies(value.vreg()) {
                        present[value.class() as usize].push(value.vreg());
                    }
                }
                keep_few(&mut present, operands);
            }
        }
        let mut spills = Self {
            slots: vec![None; function.num_vregs()],
            n_slots: 0,
        };
        // The largest first: all are at multiples of their sizes then.
        let mut spilled: Vec<usize> = (0..is_spilled.len()).filter(|&v| is_spilled[v]).collect();
        let size = |value: usize| function.spillslot_size(classes[value]);
        spilled.sort_by_key(|&value| std::cmp::Reverse(size(value)));
        for value in spilled {
            spills.slots[value] = Some(SpillSlot::new(spills.n_slots));
            spills.n_slots += size(value);
        }
        spills
    }
}

/// For each value how often it is defined and used, for each instruction at which it is live.
fn costs(function: &impl Function, live: &Liveness) -> Vec<f32> {
    let n_blocks = function.num_blocks();
    let mut changes_of_depth = vec![0_i32; n_blocks + 1];
    for block in (0..n_blocks).map(Block::new) {
        for to in function
            .block_succs(block)
            .iter()
            .filter(|&&to| to <= block)
        {
            changes_of_depth[to.index()] += 1;
            changes_of_depth[block.index() + 1] -= 1;
        }
    }
    let mut costs = vec![0.0; function.num_vregs()];
    let mut ranges = vec![(usize::MAX, 0); function.num_vregs()];
    let mut depth = 0;
    for block in (0..n_blocks).map(Block::new) {
        depth += changes_of_depth[block.index()];
        for (inst, value) in defs(function, block).chain(uses(function, block)) {
            costs[value.vreg()] += USES_IN_LOOP.powi(depth);
            let (first, last) = &mut ranges[value.vreg()];
            *first = inst.index().min(*first);
            *last = inst.index().max(*last);
        }
        for value in live.values(&live.at_end, block) {
            let last = &mut ranges[value].1;
            *last = terminator(function, block).index().max(*last);
        }
    }
    for (cost, (first, last)) in costs.iter_mut().zip(ranges) {
        *cost /= (last.saturating_sub(first) + 1) as f32;
    }
    costs
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
        let is_kept = |param: &&VReg| self.spills.slot(param.vreg()).is_none();
        let kept: SmallVec<[VReg; 8]> = params.iter().filter(is_kept).copied().collect();
        for &param in &kept {
            let register = self.free_register(param, self.wishes[param.vreg()], [0; 3])?;
            self.enter(param, register);
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

    fn inst(&mut self, block: Block, inst: Inst) -> Option<()> {
        let operands = self.function.inst_operands(inst);
        let start = self.output.allocs.len();
        self.output.inst_alloc_offsets.push(start as u32);
        self.output
            .allocs
            .resize(start + operands.len(), Allocation::none());
        let is_overwritten = |place: usize| {
            let constraints = operands.iter().map(|operand| operand.constraint());
            constraints
                .into_iter()
                .any(|it| it == OperandConstraint::Reuse(place))
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
        // What is overwritten: a value that lives on is moved first, to where no operand is.
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
        let uses = || (operands.iter()).filter(|operand| operand.kind() == OperandKind::Use);
        for operand in uses().filter(|operand| !is_late_use(operand)) {
            if self.dies(block, inst, operand.vreg())
                && !uses().any(|other| is_late_use(&other) && other.vreg() == operand.vreg())
            {
                self.leave(operand.vreg());
            }
        }
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
        for operand in operands {
            let is_def = operand.kind() == OperandKind::Def;
            if (is_def || is_late_use(&operand)) && self.dies(block, inst, operand.vreg()) {
                self.leave(operand.vreg());
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

#[cfg(test)]
mod tests {
    use regalloc2::checker::Checker;
    use regalloc2::{InstRange, RegClass};

    use super::*;

    const CLASSES: [RegClass; 3] = [RegClass::Int, RegClass::Float, RegClass::Vector];
    /// Registers of each class.
    const N_REGISTERS: [usize; 3] = [6, 8, 3];

    /// A function while it is made.
    #[derive(Default)]
    struct Program {
        blocks: Vec<Made>,
        /// Blocks that wait for their place in the code.
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
            let ends = |(range, block): (&InstRange, &Made)| {
                range.last() == inst && block.succs.is_empty()
            };
            self.ranges.iter().zip(&self.blocks).any(ends)
        }

        fn is_branch(&self, inst: Inst) -> bool {
            let ends = |(range, block): (&InstRange, &Made)| {
                range.last() == inst && !block.succs.is_empty()
            };
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
            let mut arguments: Vec<VReg> =
                classes.iter().map(|&class| self.pick(end, class)).collect();
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
        let mut n_allocated = 0;
        for seed in 0..2000 {
            n_allocated += usize::from(random(seed).allocate(N_REGISTERS).is_some());
        }
        assert!(n_allocated > 1000, "{n_allocated} of 2000 have registers");
    }
}
