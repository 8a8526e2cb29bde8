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
    /// Integers in 256-bit registers.
    Avx2,
    /// 512-bit registers.
    Avx512,
    /// Integers of 8 and 16 bits in them, and sums of their products.
    Vnni,
}

/// Of this processor.
#[cfg(target_arch = "x86_64")]
pub(crate) fn level() -> Level {
    const LEVELS: [Level; 6] = [
        Level::Sse2,
        Level::Avx,
        Level::Fma,
        Level::Avx2,
        Level::Avx512,
        Level::Vnni,
    ];
    const UNKNOWN: u8 = u8::MAX;
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let mut known = KNOWN.load(Ordering::Relaxed);
    if known == UNKNOWN {
        known = find_level() as u8;
        KNOWN.store(known, Ordering::Relaxed);
    }
    #[cfg(test)]
    let known = known.min(MOST.get());
    LEVELS
        .get(usize::from(known))
        .copied()
        .unwrap_or(Level::Sse2)
}

#[cfg(all(test, target_arch = "x86_64"))]
std::thread_local! {
    /// The highest level that this thread may use.
    static MOST: core::cell::Cell<u8> = const { core::cell::Cell::new(u8::MAX) };
}

/// Runs a test with what processors of each level do, as far as this one can.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn for_each_level(mut test: impl FnMut()) {
    for most in 0..=level() as u8 {
        MOST.set(most);
        test();
    }
    MOST.set(u8::MAX);
}

/// Runs a test.
#[cfg(all(test, not(target_arch = "x86_64")))]
pub(crate) fn for_each_level(mut test: impl FnMut()) {
    test();
}

#[cfg(target_arch = "x86_64")]
fn find_level() -> Level {
    const OSXSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
    const FMA: u32 = 1 << 12;
    const AVX2: u32 = 1 << 5;
    const AVX512F: u32 = 1 << 16;
    const AVX512BW: u32 = 1 << 30;
    const VNNI: u32 = 1 << 11;
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
    if __cpuid(0).eax < 7 {
        return Level::Fma;
    }
    let more = __cpuid_count(7, 0);
    match () {
        () if more.ebx & AVX2 == 0 => Level::Fma,
        () if saved & ZMM != ZMM || more.ebx & AVX512F == 0 => Level::Avx2,
        () if more.ebx & AVX512BW == 0 || more.ecx & VNNI == 0 => Level::Avx512,
        () => Level::Vnni,
    }
}

/// Whether the processor adds up products of bytes in 256-bit registers, which not every one with [`Level::Vnni`]
/// does, nor are those that do of that level; of [`Level::Avx2`] they are.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx_vnni() -> bool {
    const AVX_VNNI: u32 = 1 << 4;
    const UNKNOWN: u8 = u8::MAX;
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let mut known = KNOWN.load(Ordering::Relaxed);
    if known == UNKNOWN {
        let has_leaf = level() >= Level::Avx2 && __cpuid_count(7, 0).eax >= 1;
        known = u8::from(has_leaf && __cpuid_count(7, 1).eax & AVX_VNNI != 0);
        KNOWN.store(known, Ordering::Relaxed);
    }
    known != 0
}

/// Whether the processor has 256-bit registers and the system saves them.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx() -> bool {
    level() >= Level::Avx
}

/// # Safety
/// The operating system has enabled XSAVE.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "xsave")]
unsafe fn saved_registers() -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { _xgetbv(0) }
}
