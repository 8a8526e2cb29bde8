//! Which vectors the processor has.

use super::code::Size;
use crate::cpu::Cpu;
use crate::isa::Arch;

/// What kernels may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// The largest registers of vectors.
    pub(super) widest: Size,
    /// Whether there are EVEX encodings, 32 registers of vectors and registers of masks.
    pub(super) has_avx512: bool,
    /// Whether there is fused multiplication and addition.
    pub(super) has_fma: bool,
    /// Whether floats of 16 bits are converted.
    pub(super) has_f16c: bool,
    /// Whether there is arithmetic on floats of 16 bits.
    pub(super) has_fp16: bool,
    /// Whether bytes are picked from two registers.
    pub(super) has_vbmi: bool,
}

/// Without one of these, there is no AVX-512 here: other parts of it are in no processor of interest.
const AVX512: [&str; 4] = ["avx512f", "avx512vl", "avx512dq", "avx512bw"];

impl Level {
    /// What `cpu` has, with vectors of at most `bits` bits; `None` if that is no more than Cranelift uses.
    pub(crate) fn of(cpu: &Cpu, bits: u32) -> Option<Self> {
        if cpu.arch() != Arch::X86_64 || !cpu.has("avx2") || bits < 256 {
            return None;
        }
        let has_avx512 = AVX512.into_iter().all(|feature| cpu.has(feature));
        Some(Self {
            widest: match has_avx512 && bits >= 512 {
                true => Size::Z,
                false => Size::Y,
            },
            has_avx512,
            has_fma: cpu.has("fma"),
            has_f16c: has_avx512 || cpu.has("f16c"),
            has_fp16: has_avx512 && cpu.has("avx512fp16"),
            has_vbmi: has_avx512 && cpu.has("avx512vbmi"),
        })
    }

    /// Bits of the largest registers of vectors.
    pub(crate) fn bits(self) -> u32 {
        8 * self.widest.bytes() as u32
    }
}
