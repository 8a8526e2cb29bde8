//! Which vectors the processor has.

use freehold_frontend::target::Vectors;

use super::code::Size;
use crate::cpu::Cpu;

/// What kernels may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// The largest registers of vectors.
    pub(super) widest: Size,
    /// What can be done with them.
    pub(super) vectors: Vectors,
    /// Whether there are EVEX encodings, 32 registers of vectors and registers of masks.
    pub(super) has_avx512: bool,
    /// Whether there is arithmetic on floats of 16 bits.
    pub(super) has_fp16: bool,
    /// Whether bytes are picked from two registers.
    pub(super) has_vbmi: bool,
}

impl Level {
    /// What `cpu` has, with vectors of at most `bits` bits; `None` if that is no more than Cranelift uses.
    pub(crate) fn of(cpu: &Cpu, bits: u32) -> Option<Self> {
        let vectors = cpu.vectors(bits);
        let widest = match vectors.register {
            64 => Size::Z,
            32 => Size::Y,
            _ => return None,
        };
        let has_avx512 = cpu.vectors(512).register == 64;
        Some(Self {
            widest,
            vectors,
            has_avx512,
            has_fp16: has_avx512 && cpu.has("avx512fp16"),
            has_vbmi: has_avx512 && cpu.has("avx512vbmi"),
        })
    }

    /// Registers of vectors.
    pub(super) fn n_vector_registers(self) -> usize {
        match self.has_avx512 {
            true => 32,
            false => 16,
        }
    }

    /// Bits of the largest registers of vectors.
    pub(crate) fn bits(self) -> u32 {
        8 * self.widest.bytes() as u32
    }
}
