//! Rotations of bits, `x << n | x >> (32 - n)`: AVX-512 has an instruction for them. Random numbers and hashes use them.

use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::entities::{Op, Value};

use super::{Registers, Select, Shape};
use crate::vector::splats::splat_integer;
use crate::wide::forms;
use crate::wide::refusal::Refusal;

/// A value that is rotated to the left by a number of bits.
#[derive(Clone, Copy)]
pub(super) struct Rotation {
    value: Value,
    by: u8,
}

impl Select<'_> {
    /// Records `op` as a rotation if it joins two shifts of one value to all of its bits.
    pub(super) fn find_rotation(&mut self, op: Op) {
        let ir = self.ir;
        let joins = [&arith::ORI, &arith::XORI, &arith::ADDI];
        if !self.level.has_avx512 || !joins.iter().any(|def| ir.is(op, def)) {
            return;
        }
        let result = ir.result(op, 0);
        if !vector::is_vector(self.context, self.ty(result)) {
            return;
        }
        let Ok(shape) = self.shape_of(result) else {
            return;
        };
        let shift = |index: usize, def| {
            let shifted = ir.operand(op, index);
            let shift = ir.defined_by(shifted, def)?;
            let is_here =
                (ir.block_of(shift)).is_some_and(|block| self.blocks.contains_key(&block));
            let is_alone = ir.uses(shifted).iter().all(|used| used.op == op);
            let by = splat_integer(ir, ir.operand(shift, 1))?;
            (is_here && is_alone).then_some((shift, ir.operand(shift, 0), by))
        };
        let sides = [(0, 1), (1, 0)].into_iter().find_map(|(left, right)| {
            Some([shift(left, &arith::SHLI)?, shift(right, &arith::SHRUI)?])
        });
        let Some([(left, value, by), (right, same, back)]) = sides else {
            return;
        };
        let bits = i64::from(shape.element.bits());
        let is_rotation = value == same
            && [32, 64].contains(&bits)
            && (1..bits).contains(&by)
            && back == bits - by;
        if is_rotation {
            self.done.extend([left, right]);
            let by = by as u8;
            self.rotations.insert(op, Rotation { value, by });
        }
    }

    pub(super) fn rotate(
        &mut self,
        Rotation { value, by }: Rotation,
        shape: Shape,
    ) -> Result<Registers, Refusal> {
        let form = match shape.element.bits() {
            32 => &forms::ROTATE_I32,
            _ => &forms::ROTATE_I64,
        };
        let lanes = self.lanes(value)?;
        let rotated = lanes.into_iter();
        rotated
            .map(|register| self.vector_op(form, shape.size, &[register], Some(by)))
            .collect()
    }
}
