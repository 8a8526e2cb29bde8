//! Finds out what a helper function of `bufferization.dealloc` does by running
//! it on a few small inputs.
//!
//! Helpers written by different compilers differ in one case: two entries of one allocation, where
//! only the second has a condition that holds. What cannot be run here, or gives wrong answers, is
//! not taken for a helper.

use freehold_frontend::dialects::{arith, cf, func, index, memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashMap;

use super::program::HelperKind;

/// Operations one run may take.
const MAX_STEPS: u32 = 20_000;
/// Regions inside each other that are followed.
const MAX_DEPTH: u32 = 16;

/// Entries (address, condition), retained addresses, and for each entry
/// whether it is freed and for each retained one whether it is owned.
type Case = (
    &'static [(i64, bool)],
    &'static [i64],
    &'static [bool],
    &'static [bool],
);

/// Cases that every helper decides alike.
const CASES: &[Case] = &[
    (&[(8, true), (16, true)], &[], &[true, true], &[]),
    (&[(8, true), (8, true)], &[], &[true, false], &[]),
    (&[(8, true), (8, false)], &[], &[true, false], &[]),
    (
        &[(8, false), (16, true)],
        &[16, 24],
        &[false, false],
        &[true, false],
    ),
    (&[(8, false), (8, true)], &[8], &[false, false], &[true]),
    (
        &[(8, true), (16, true), (8, true)],
        &[16],
        &[true, false, false],
        &[true],
    ),
];

/// The case they do not decide alike.
const FIRST_CONDITION_FALSE: &[(i64, bool)] = &[(8, false), (8, true)];

/// How the helper function `ir` decides.
pub(super) fn helper_kind(ir: &Ir) -> Option<HelperKind> {
    for &(entries, retained, freed, owned) in CASES {
        if run(ir, entries, retained)? != (freed.to_vec(), owned.to_vec()) {
            return None;
        }
    }
    match &run(ir, FIRST_CONDITION_FALSE, &[])?.0[..] {
        [false, true] | [true, false] => Some(HelperKind::AnyEntry),
        [false, false] => Some(HelperKind::FirstEntry),
        _ => None,
    }
}

/// The answers of `ir`: whether entries are freed and retained buffers owned.
fn run(ir: &Ir, entries: &[(i64, bool)], retained: &[i64]) -> Option<(Vec<bool>, Vec<bool>)> {
    let mut machine = Machine {
        ir,
        values: FxHashMap::default(),
        memory: vec![
            entries.iter().map(|entry| entry.0).collect(),
            retained.to_vec(),
            entries.iter().map(|entry| i64::from(entry.1)).collect(),
            vec![0; entries.len()],
            vec![0; retained.len()],
        ],
        n_steps: 0,
    };
    let block = ir.root_block()?;
    let arguments: Vec<i64> = (0..5).collect();
    machine.assign(ir.block_args(block), &arguments)?;
    machine.run_block(block, 0)?;
    let answers = |array: &[i64]| array.iter().map(|&bit| bit & 1 != 0).collect();
    Some((answers(&machine.memory[3]), answers(&machine.memory[4])))
}

/// Runs operations on 64-bit integers. A memref is the number of an array.
struct Machine<'a> {
    ir: &'a Ir,
    values: FxHashMap<Value, i64>,
    memory: Vec<Vec<i64>>,
    n_steps: u32,
}

impl Machine<'_> {
    fn get(&self, value: Value) -> Option<i64> {
        self.values.get(&value).copied()
    }

    fn get_all(&self, values: &[Value]) -> Option<Vec<i64>> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn assign(&mut self, targets: &[Value], values: &[i64]) -> Option<()> {
        self.values
            .extend(targets.iter().copied().zip(values.iter().copied()));
        (targets.len() == values.len()).then_some(())
    }

    fn cell(&mut self, memref: Value, indices: &[Value]) -> Option<&mut i64> {
        let [index] = *indices else { return None };
        let index = usize::try_from(self.get(index)?).ok()?;
        let array = usize::try_from(self.get(memref)?).ok()?;
        self.memory.get_mut(array)?.get_mut(index)
    }

    /// Runs `block` and those it branches to; gives what the last one yields.
    fn run_block(&mut self, mut block: Block, depth: u32) -> Option<Vec<i64>> {
        let ir = self.ir;
        if depth > MAX_DEPTH {
            return None;
        }
        'blocks: loop {
            for op in ir.ops_in(block) {
                self.n_steps += 1;
                if self.n_steps > MAX_STEPS {
                    return None;
                }
                let is = |def| ir.is(op, def);
                if is(&scf::YIELD) || is(&func::RETURN) {
                    return self.get_all(ir.operands(op));
                }
                if is(&cf::BR) || is(&cf::COND_BR) {
                    let taken = is(&cf::COND_BR) && self.get(ir.operand(op, 0))? & 1 == 0;
                    let index = usize::from(taken);
                    let values = self.get_all(ir.successor_operands(op, index))?;
                    block = ir.successors(op)[index];
                    self.assign(ir.block_args(block), &values)?;
                    continue 'blocks;
                }
                let results = self.run_op(op, depth)?;
                self.assign(ir.results(op), &results)?;
            }
            return None;
        }
    }

    fn run_op(&mut self, op: Op, depth: u32) -> Option<Vec<i64>> {
        let ir = self.ir;
        let operands = ir.operands(op);
        let is = |def| ir.is(op, def);
        if is(&scf::FOR) {
            return self.run_for(scf::For(op), depth);
        }
        if is(&scf::IF) {
            let branch = scf::If(op);
            return if self.get(operands[0])? & 1 != 0 {
                self.run_block(branch.then_block(ir), depth + 1)
            } else {
                match branch.else_block(ir) {
                    Some(block) => self.run_block(block, depth + 1),
                    None => Some(Vec::new()),
                }
            };
        }
        if is(&arith::CONSTANT) || is(&index::CONSTANT) || is(&index::BOOL_CONSTANT) {
            let value = ir.context().attr_integer(ir.attr(op, Name::VALUE)?)?;
            return Some(vec![i64::try_from(value).ok()?]);
        }
        if is(&memref::LOAD) {
            let value = *self.cell(operands[0], &operands[1..])?;
            return Some(vec![value]);
        }
        if is(&memref::STORE) {
            let value = self.get(operands[0])?;
            *self.cell(operands[1], &operands[2..])? = value;
            return Some(Vec::new());
        }
        let values = self.get_all(operands)?;
        let result = match values[..] {
            [a, b] if is(&arith::ANDI) => a & b,
            [a, b] if is(&arith::ORI) => a | b,
            [a, b] if is(&arith::XORI) => a ^ b,
            [a, b] if is(&arith::ADDI) || is(&index::ADD) => a.checked_add(b)?,
            [a, b] if is(&arith::SUBI) || is(&index::SUB) => a.checked_sub(b)?,
            [a, b] if is(&arith::CMPI) => {
                let wide = |value: i64| (i128::from(value), value.cast_unsigned().into());
                let ((a, ua), (b, ub)): ((_, u128), (_, u128)) = (wide(a), wide(b));
                i64::from(arith::CmpIPredicate::of(ir, op)?.holds((a, b), (ua, ub)))
            }
            [c, a, b] if is(&arith::SELECT) => {
                if c & 1 != 0 {
                    a
                } else {
                    b
                }
            }
            [a] if is(&memref::CAST) => a,
            [a, 0] if is(&memref::DIM) => {
                let array = self.memory.get(usize::try_from(a).ok()?)?;
                i64::try_from(array.len()).ok()?
            }
            _ => return None,
        };
        Some(vec![result])
    }

    fn run_for(&mut self, op: scf::For, depth: u32) -> Option<Vec<i64>> {
        let ir = self.ir;
        let upper = self.get(op.upper_bound(ir))?;
        let step = self.get(op.step(ir))?;
        let mut carried = self.get_all(op.init_args(ir))?;
        let mut index = self.get(op.lower_bound(ir))?;
        while index < upper && step > 0 {
            let mut arguments = vec![index];
            arguments.append(&mut carried);
            let body = op.body(ir);
            self.assign(ir.block_args(body), &arguments)?;
            carried = self.run_block(body, depth + 1)?;
            index = index.checked_add(step)?;
        }
        Some(carried)
    }
}
