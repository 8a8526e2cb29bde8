//! What the processor can do beyond what every one of its architecture can.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering};

/// Whether the processor has 256-bit registers and the system saves them.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx() -> bool {
    const UNKNOWN: u8 = 2;
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != UNKNOWN {
        return known == 1;
    }
    const OSXSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
    const XMM_AND_YMM: u64 = 6;
    let has = __cpuid(1).ecx & OSXSAVE_AND_AVX == OSXSAVE_AND_AVX
        // SAFETY: OSXSAVE says that the instruction exists.
        && unsafe { saved_registers() } & XMM_AND_YMM == XMM_AND_YMM;
    KNOWN.store(u8::from(has), Ordering::Relaxed);
    has
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "xsave")]
unsafe fn saved_registers() -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { _xgetbv(0) }
}
