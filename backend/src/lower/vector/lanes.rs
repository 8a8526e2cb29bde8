//! Instructions on registers of several lanes, as far as Cranelift does not have them for every type and
//! architecture.
//!
//! Conversions between sizes go in steps of two: a register becomes two of wider elements, or two
//! become one. Comparisons give lanes of ones and zeros.

use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{
    self as clif, ConstantData, Endianness, InstBuilder, MemFlagsData, types,
};

use crate::isa::Arch;
use crate::lower::function::Lowering;
use crate::lower::held::{Parts, Sign};
use crate::repr::{Scalar, low_bits};

/// The type of registers of integers of this many bits.
pub(super) fn register_of(bits: u32) -> clif::Type {
    let lane = clif::Type::int_with_byte_size((bits / 8) as u16);
    lane.and_then(|lane| lane.by(128 / bits))
        .expect("registers hold integers of 8, 16, 32 and 64 bits")
}

impl Lowering<'_, '_> {
    /// The products of integers in two registers.
    pub(super) fn multiply_lanes(
        &mut self,
        scalar: Scalar,
        a: clif::Value,
        b: clif::Value,
    ) -> clif::Value {
        if scalar != Scalar::Int(8) || self.program.arch == Arch::AArch64 {
            return self.b.ins().imul(a, b);
        }
        // x86-64 multiplies no bytes: those at even and at odd places, each in 16 bits.
        let [a, b] = [a, b].map(|value| self.cast_lanes(types::I16X8, value));
        let even = self.b.ins().imul(a, b);
        let mask = self.splat_constant(16, 0xff);
        let even = self.b.ins().band(even, mask);
        let [a, b] = [a, b].map(|value| self.b.ins().ushr_imm_u(value, 8));
        let odd = self.b.ins().imul(a, b);
        let odd = self.b.ins().ishl_imm_u(odd, 8);
        let both = self.b.ins().bor(even, odd);
        self.cast_lanes(types::I8X16, both)
    }

    /// `a` in the lanes where `mask` is ones, else `b`.
    pub(super) fn choose_lanes(
        &mut self,
        mask: clif::Value,
        a: clif::Value,
        b: clif::Value,
    ) -> clif::Value {
        let mask = self.bitcast(self.b.func.dfg.value_type(a), mask);
        self.b.ins().bitselect(mask, a, b)
    }

    /// Compares lanes by what each architecture has an instruction for.
    pub(super) fn compare_floats(
        &mut self,
        condition: FloatCC,
        a: clif::Value,
        b: clif::Value,
    ) -> clif::Value {
        let is_negated = match condition {
            FloatCC::UnorderedOrEqual => true,
            FloatCC::UnorderedOrLessThan
            | FloatCC::UnorderedOrLessThanOrEqual
            | FloatCC::UnorderedOrGreaterThan
            | FloatCC::UnorderedOrGreaterThanOrEqual => self.program.arch == Arch::AArch64,
            _ => false,
        };
        if is_negated {
            let opposite = self.compare_floats(condition.complement(), a, b);
            return self.b.ins().bnot(opposite);
        }
        if condition == FloatCC::OrderedNotEqual {
            let less = self.b.ins().fcmp(FloatCC::LessThan, a, b);
            let greater = self.b.ins().fcmp(FloatCC::GreaterThan, a, b);
            return self.b.ins().bor(less, greater);
        }
        self.b.ins().fcmp(condition, a, b)
    }

    /// Compares lanes of 64 bits where there are instructions for 32 only.
    pub(super) fn compare_halves(
        &mut self,
        condition: IntCC,
        a: clif::Value,
        b: clif::Value,
    ) -> clif::Value {
        let (condition, a, b) = match condition {
            IntCC::NotEqual
            | IntCC::SignedLessThanOrEqual
            | IntCC::SignedGreaterThanOrEqual
            | IntCC::UnsignedLessThanOrEqual
            | IntCC::UnsignedGreaterThanOrEqual => {
                let opposite = self.compare_halves(condition.complement(), a, b);
                return self.b.ins().bnot(opposite);
            }
            IntCC::SignedLessThan | IntCC::UnsignedLessThan => (condition.swap_args(), b, a),
            _ => (condition, a, b),
        };
        let [halves_a, halves_b] = [a, b].map(|value| self.cast_lanes(types::I32X4, value));
        let equal = self.b.ins().icmp(IntCC::Equal, halves_a, halves_b);
        if condition == IntCC::Equal {
            let other = self.shuffle_bytes(equal, equal, |i| i ^ 4);
            let both = self.b.ins().band(equal, other);
            return self.cast_lanes(types::I64X2, both);
        }
        // The upper halves tell, or if they are equal, whether the lower ones borrow from them: then
        // the upper half of the difference is all ones.
        let greater = self.b.ins().icmp(condition, halves_a, halves_b);
        let difference = self.b.ins().isub(b, a);
        let difference = self.cast_lanes(types::I32X4, difference);
        let borrows = self.b.ins().band(equal, difference);
        let tells = self.b.ins().bor(greater, borrows);
        let upper = self.shuffle_bytes(tells, tells, |i| i | 4);
        self.cast_lanes(types::I64X2, upper)
    }

    /// Registers of 32-bit integers as F64.
    pub(super) fn doubles_from(&mut self, sign: Sign, parts: Parts) -> Parts {
        let mut doubles = Parts::new();
        for part in parts {
            for half in [part, self.high_half(part)] {
                doubles.push(match sign {
                    Sign::Signed => {
                        let wide = self.b.ins().swiden_low(half);
                        self.b.ins().fcvt_from_sint(types::F64X2, wide)
                    }
                    Sign::Unsigned => {
                        let wide = self.b.ins().uwiden_low(half);
                        self.b.ins().fcvt_from_uint(types::F64X2, wide)
                    }
                });
            }
        }
        doubles
    }

    /// Integers of `from` bits as ones of `to` bits, at least as many.
    pub(super) fn widen_lanes(&mut self, sign: Sign, parts: Parts, from: u32, to: u32) -> Parts {
        let mut parts = parts;
        let mut bits = from;
        while bits < to {
            let halves = parts.into_iter().flat_map(|part| match sign {
                Sign::Signed => [
                    self.b.ins().swiden_low(part),
                    self.b.ins().swiden_high(part),
                ],
                Sign::Unsigned => [
                    self.b.ins().uwiden_low(part),
                    self.b.ins().uwiden_high(part),
                ],
            });
            parts = halves.collect();
            bits *= 2;
        }
        parts
    }

    /// The low `to` bits of integers of `from` bits, at least as many.
    pub(super) fn narrow_lanes(&mut self, parts: Parts, from: u32, to: u32) -> Parts {
        let mut parts = parts;
        let mut bits = from;
        if bits == 64 && to < 64 {
            // The even halves.
            parts = self.pairs_to_one(&parts, |cx, a, b| {
                let low = cx.shuffle_bytes(a, b, |i| i / 4 * 8 + i % 4);
                cx.cast_lanes(types::I32X4, low)
            });
            bits = 32;
        }
        if to < bits && self.program.arch == Arch::X86_64 {
            let mask = self.splat_constant(bits, low_bits(to) as u64);
            for part in &mut parts {
                *part = self.b.ins().band(*part, mask);
            }
        }
        self.narrow_small(parts, bits, to)
    }

    /// Integers of `from` bits, at most 32, that are natural numbers of at most `to` bits, as such:
    /// saturating does nothing to them.
    pub(super) fn narrow_small(&mut self, parts: Parts, from: u32, to: u32) -> Parts {
        let mut parts = parts;
        let mut bits = from;
        while to < bits {
            let arch = self.program.arch;
            let size = bits as u8 / 8;
            parts = self.pairs_to_one(&parts, |cx, a, b| match arch {
                Arch::X86_64 => cx.b.ins().unarrow(a, b),
                Arch::AArch64 => {
                    let half = size / 2;
                    let even = cx.shuffle_bytes(a, b, |i| i / half * size + i % half);
                    cx.cast_lanes(register_of(u32::from(half) * 8), even)
                }
            });
            bits /= 2;
        }
        parts
    }

    /// Lanes of ones and zeros with fewer bits.
    pub(super) fn narrow_masks(&mut self, parts: Parts, from: u32, to: u32) -> Parts {
        if from == 64 && to < 64 {
            let halves = self.narrow_lanes(parts, 64, 32);
            return self.narrow_masks(halves, 32, to);
        }
        let mut parts = parts;
        let mut bits = from;
        while to < bits {
            parts = self.pairs_to_one(&parts, |cx, a, b| cx.b.ins().snarrow(a, b));
            bits /= 2;
        }
        parts
    }

    pub(super) fn pairs_to_one(
        &mut self,
        parts: &Parts,
        mut combine: impl FnMut(&mut Self, clif::Value, clif::Value) -> clif::Value,
    ) -> Parts {
        (parts.chunks_exact(2))
            .map(|pair| combine(self, pair[0], pair[1]))
            .collect()
    }

    /// The upper half of a register in the lower one, and something in the upper one.
    pub(super) fn high_half(&mut self, part: clif::Value) -> clif::Value {
        self.shuffle_bytes(part, part, |i| i % 8 + 8)
    }

    /// Byte `i` is byte `from(i)` of `a` and `b` one after the other.
    pub(super) fn shuffle_bytes(
        &mut self,
        a: clif::Value,
        b: clif::Value,
        from: impl Fn(u8) -> u8,
    ) -> clif::Value {
        let ty = self.b.func.dfg.value_type(a);
        let bytes: [u8; 16] = std::array::from_fn(|i| from(i as u8));
        let [a, b] = [a, b].map(|value| self.cast_lanes(types::I8X16, value));
        let mask = self
            .b
            .func
            .dfg
            .immediates
            .push(ConstantData::from(&bytes[..]));
        let shuffled = self.b.ins().shuffle(a, b, mask);
        self.cast_lanes(ty, shuffled)
    }

    /// The same bits as other lanes.
    pub(super) fn cast_lanes(&mut self, ty: clif::Type, value: clif::Value) -> clif::Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, flags, value)
    }

    /// A register all of whose lanes are this integer.
    pub(super) fn splat_constant(&mut self, bits: u32, value: u64) -> clif::Value {
        let bytes = &value.to_le_bytes()[..bits as usize / 8];
        self.register_constant(register_of(bits), &bytes.repeat(128 / bits as usize))
    }
}
