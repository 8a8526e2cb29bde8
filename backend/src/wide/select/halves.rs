//! Floats of 16 bits: computed in F32, and rounded to nearest even, if the processor cannot compute with them.

use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::target::Feature;
use regalloc2::VReg;

use super::{Element, Registers, Select, Shape};
use crate::wide::forms::{self, Form};
use crate::wide::refusal::{Reason, Refusal};

impl Select<'_> {
    /// F16 or BF16 as F32, with the shape that they have then.
    pub(super) fn halves_as_floats(
        &mut self,
        registers: &[VReg],
        from: Shape,
    ) -> Result<(Registers, Shape), Refusal> {
        let to = self.reshaped(from, Element::F32)?;
        if from.element == Element::F16 {
            self.check_halves()?;
            return Ok((self.widen(&forms::F16_TO_F32, registers, from, to)?, to));
        }
        let ints = |shape: Shape, bits| Shape {
            element: Element::Int(bits),
            ..shape
        };
        let wide = self.extend(registers, ints(from, 16), ints(to, 32), false)?;
        let floats = wide.iter();
        let floats = floats
            .map(|&register| self.vector_op(&forms::SHL_BY_I32, to.size, &[register], Some(16)))
            .collect::<Result<_, _>>()?;
        Ok((floats, to))
    }

    /// F32 rounded to F16 or BF16.
    pub(super) fn floats_as_halves(
        &mut self,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Registers, Refusal> {
        if to.element == Element::F16 {
            self.check_halves()?;
            // To nearest even, whatever the processor is set to.
            return self.narrow(&forms::F32_TO_F16, registers, from, to, Some(0));
        }
        let ints = |shape: Shape, bits| Shape {
            element: Element::Int(bits),
            ..shape
        };
        let words = ints(from, 32);
        let one = words.one_register();
        let size = from.size;
        let half = self.splat_bits(words, 0x7fff)?;
        let odd = self.splat_bits(words, 1)?;
        let quiet = self.splat_bits(words, 0x40)?;
        let mut rounded = Registers::new();
        for &register in registers {
            let upper = self.vector_op(&forms::SHR_U_BY_I32, size, &[register], Some(16))?;
            let is_odd = self.vector_op(&forms::AND_I32, size, &[upper, odd], None)?;
            let more = self.binary_lanes(&arith::ADDI, one, &[is_odd], &[half])?[0];
            let sum = self.binary_lanes(&arith::ADDI, one, &[register], &[more])?[0];
            let number = self.vector_op(&forms::SHR_U_BY_I32, size, &[sum], Some(16))?;
            let nan = self.vector_op(&forms::OR_I32, size, &[upper, quiet], None)?;
            let float = Shape {
                element: Element::F32,
                ..one
            };
            let is_nan = self.compare_floats(0x03, float, &[register], &[register])?;
            rounded.extend(self.choose_lanes(&is_nan, one, &[nan], &[number])?);
        }
        self.truncate(&rounded, words, ints(to, 16))
    }

    /// The instruction that does `def` on F16, if the processor has arithmetic on these. It rounds once, and so does
    /// what is computed in F32 and then rounded: F32 has more than twice as many bits and two more.
    pub(super) fn form_on_halves(
        &self,
        def: &'static OpDef,
        element: Element,
    ) -> Option<&'static Form> {
        let rows: [(&'static OpDef, &'static Form); 5] = [
            (&arith::ADDF, &forms::ADD_F16),
            (&arith::DIVF, &forms::DIV_F16),
            (&arith::MULF, &forms::MUL_F16),
            (&arith::SUBF, &forms::SUB_F16),
            (&math::SQRT, &forms::SQRT_F16),
        ];
        let row = (rows.into_iter()).find(|&(known, _)| std::ptr::eq(known, def));
        row.map(|(_, form)| form)
            .filter(|_| self.level.has_fp16 && element == Element::F16)
    }

    fn check_halves(&self) -> Result<(), Refusal> {
        match self.level.vectors.has(Feature::F16c) {
            true => Ok(()),
            false => self.refuse(Reason::NoF16c),
        }
    }
}
