//! What the processor can do beyond what every one of its architecture can.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering};

/// Instructions that the processor has and whose registers the system saves; each level has all before it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// 128-bit registers.
    Sse2,
    /// 256-bit registers.
    Avx,
    /// Products that are added without being rounded.
    Fma,
    /// 512-bit registers.
    Avx512,
}

/// Of this processor.
#[cfg(target_arch = "x86_64")]
pub(crate) fn level() -> Level {
    const LEVELS: [Level; 4] = [Level::Sse2, Level::Avx, Level::Fma, Level::Avx512];
    const UNKNOWN: u8 = u8::MAX;
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let mut known = KNOWN.load(Ordering::Relaxed);
    if known == UNKNOWN {
        known = find_level() as u8;
        KNOWN.store(known, Ordering::Relaxed);
    }
    LEVELS
        .get(usize::from(known))
        .copied()
        .unwrap_or(Level::Sse2)
}

#[cfg(target_arch = "x86_64")]
fn find_level() -> Level {
    const OSXSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
    const FMA: u32 = 1 << 12;
    const AVX512F: u32 = 1 << 16;
    const YMM: u64 = 0x06;
    const ZMM: u64 = 0xe6;
    let features = __cpuid(1).ecx;
    if features & OSXSAVE_AND_AVX != OSXSAVE_AND_AVX {
        return Level::Sse2;
    }
    // SAFETY: OSXSAVE says that the instruction exists.
    let saved = unsafe { saved_registers() };
    if saved & YMM != YMM {
        return Level::Sse2;
    }
    if features & FMA == 0 {
        return Level::Avx;
    }
    let has_leaf_7 = __cpuid(0).eax >= 7;
    match has_leaf_7 && saved & ZMM == ZMM && __cpuid_count(7, 0).ebx & AVX512F != 0 {
        true => Level::Avx512,
        false => Level::Fma,
    }
}

/// Whether the processor has 256-bit registers and the system saves them.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx() -> bool {
    level() >= Level::Avx
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "xsave")]
unsafe fn saved_registers() -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { _xgetbv(0) }
}
