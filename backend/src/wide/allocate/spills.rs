//! Which values live in memory where there are too few registers.

use regalloc2::{
    Block, Function, MachineEnv, Operand, OperandKind, PReg, PRegSet, RegClass, SpillSlot, VReg,
};

use super::liveness::{Liveness, defs, terminator, uses};

/// A use in a loop counts as much as this many outside of it.
const USES_IN_LOOP: f32 = 8.0;

/// A set of registers of one class, by their numbers.
pub(super) fn numbers(set: PRegSet) -> u64 {
    set.into_iter()
        .fold(0, |numbers, register| numbers | bit(register))
}

/// The set of one register.
pub(super) fn bit(register: PReg) -> u64 {
    1 << register.hw_enc()
}

/// The values that live in memory.
#[derive(Default)]
pub(super) struct Spills {
    /// For each value its slot. Empty if there are none.
    slots: Vec<Option<SpillSlot>>,
    pub(super) n_slots: usize,
}

impl Spills {
    pub(super) fn slot(&self, value: usize) -> Option<SpillSlot> {
        self.slots.get(value).copied().flatten()
    }

    /// Chooses values so that few enough others are live at once: those that are used least for the time that they are
    /// live.
    pub(super) fn choose(
        function: &impl Function,
        machine: &MachineEnv,
        live: &Liveness,
        costs: &[f32],
        spare: usize,
    ) -> Self {
        let limits = n_registers(machine).map(|n| n.saturating_sub(spare));
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
        Self::of(function, &classes, &is_spilled)
    }

    /// Gives each of these values a slot, the largest first: all are at multiples of their sizes then.
    fn of(function: &impl Function, classes: &[RegClass], is_spilled: &[bool]) -> Self {
        let mut spills = Self {
            slots: vec![None; function.num_vregs()],
            n_slots: 0,
        };
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

/// How many registers of each class there are.
fn n_registers(machine: &MachineEnv) -> [usize; 3] {
    std::array::from_fn(|class| {
        let sets = [
            machine.preferred_regs_by_class[class],
            machine.non_preferred_regs_by_class[class],
        ];
        sets.map(|set| numbers(set).count_ones() as usize)
            .iter()
            .sum()
    })
}

/// For each value how often it is defined and used, for each instruction at which it is live.
pub(super) fn costs(function: &impl Function, live: &Liveness) -> Vec<f32> {
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
