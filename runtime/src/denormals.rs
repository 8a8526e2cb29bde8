//! Whether this thread's processor takes subnormal numbers as zeros: [`freehold_flush_denormals`].

use core::arch::asm;

/// Results that are subnormal are zeros.
const RESULTS: i64 = 1;
/// Operands that are subnormal are zeros.
const OPERANDS: i64 = 2;

/// Takes subnormal results (1), subnormal operands (2) or both (3) of this thread as zeros of their sign; returns what was
/// set before. AArch64 knows neither or both.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub extern "C" fn freehold_flush_denormals(mode: i64) -> i64 {
    // Bits of the control register.
    const FTZ: u32 = 1 << 15;
    const DAZ: u32 = 1 << 6;
    let mut control = 0u32;
    // SAFETY: it writes these four bytes.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut control, options(nostack, preserves_flags)) };
    let bit = |flag: i64, bit: u32| if mode & flag != 0 { bit } else { 0 };
    let wanted = control & !(FTZ | DAZ) | bit(RESULTS, FTZ) | bit(OPERANDS, DAZ);
    if wanted != control {
        // SAFETY: every processor of 64 bits has these bits, and the others are as they were. What is computed in Rust
        // on the way to the next call has no subnormal numbers.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const wanted, options(nostack, preserves_flags))
        };
    }
    let was = |flag: i64, bit: u32| if control & bit != 0 { flag } else { 0 };
    was(RESULTS, FTZ) | was(OPERANDS, DAZ)
}

/// Takes subnormal results (1), subnormal operands (2) or both (3) of this thread as zeros of their sign; returns what was
/// set before. AArch64 knows neither or both.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
pub extern "C" fn freehold_flush_denormals(mode: i64) -> i64 {
    const FZ: u64 = 1 << 24;
    let control: u64;
    // SAFETY: it reads a register.
    unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nomem, nostack, preserves_flags)) };
    let wanted = if mode != 0 {
        control | FZ
    } else {
        control & !FZ
    };
    if wanted != control {
        // SAFETY: the other bits are as they were. What is computed in Rust on the way to the next call has no subnormal
        // numbers.
        unsafe { asm!("msr fpcr, {}", in(reg) wanted, options(nomem, nostack, preserves_flags)) };
    }
    if control & FZ != 0 {
        RESULTS | OPERANDS
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use core::hint::black_box;

    use super::*;

    #[test]
    fn subnormal_numbers_are_zeros_until_they_are_not() {
        let half = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        let doubled = || black_box(f32::MIN_POSITIVE / 2.0) * black_box(2.0);
        let before = freehold_flush_denormals(RESULTS | OPERANDS);
        let flushed = (half().to_bits(), doubled().to_bits());
        let inside = freehold_flush_denormals(before);
        assert_eq!((before, flushed, inside), (0, (0, 0), RESULTS | OPERANDS));
        assert!(half() > 0.0 && doubled() == f32::MIN_POSITIVE);
        assert_eq!(freehold_flush_denormals(0), 0);
    }
}
