//! Kernels of `f32` and `f64`, by instruction set.

macro_rules! element {
    ($($element:ty: |$fused:ident, $sizes:pat_param| $kernels:expr;)*) => {
        $(impl Element for $element {
            const ZERO: Self = 0.0;
        }

        impl Number for $element {
            #[inline(always)]
            fn add_product(self, a: Self, b: Self) -> Self {
                self + a * b
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn kernels($fused: bool, $sizes: [usize; 2]) -> &'static Kernels<Self> {
                $kernels
            }
        })*
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) mod machine {
    //! 512-bit registers where the processor and the system have them, else 256-bit or 128-bit ones.

    use core::arch::x86_64::*;

    use crate::contract::kernels::{
        Element, Kernels, Number, Piece, Register, Tiles, Wide, instructions, kernels, register,
        tiles,
    };
    use crate::processor::{Level, level};

    /// The first `n` words of a register, up to eight.
    ///
    /// # Safety
    /// `n` is at most 8.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::contract) unsafe fn first_words(n: usize) -> __m256i {
        static WORDS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
        // SAFETY: by the caller's promise.
        unsafe { _mm256_loadu_si256(WORDS.as_ptr().add(8 - n).cast()) }
    }

    /// # Safety
    /// The selected lanes are readable at `from`.
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn maskz_load_ps(mask: __m256i, from: *const f32) -> __m256 {
        // SAFETY: by the caller's promise.
        unsafe { _mm256_maskload_ps(from, mask) }
    }

    /// # Safety
    /// The selected lanes are readable at `from`.
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn maskz_load_pd(mask: __m256i, from: *const f64) -> __m256d {
        // SAFETY: by the caller's promise.
        unsafe { _mm256_maskload_pd(from, mask) }
    }

    register! {
        __m128: 4 f32, _mm_loadu_ps _mm_storeu_ps _mm_set1_ps _mm_add_ps _mm_mul_ps
            |sum, a, b| _mm_add_ps(sum, _mm_mul_ps(a, b));
        __m128d: 2 f64, _mm_loadu_pd _mm_storeu_pd _mm_set1_pd _mm_add_pd _mm_mul_pd
            |sum, a, b| _mm_add_pd(sum, _mm_mul_pd(a, b));
        __m256: 8 f32, _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_mul_ps
            |sum, a, b| _mm256_fmadd_ps(a, b, sum),
            even |low, high| {
                let high = _mm256_movehdup_ps(high);
                let (first, second) = (
                    _mm256_permute2f128_ps::<0x20>(low, high),
                    _mm256_permute2f128_ps::<0x31>(low, high),
                );
                _mm256_shuffle_ps::<0x88>(first, second)
            },
            |n| maskz_load_ps _mm256_maskstore_ps first_words(n);
        __m256d: 4 f64, _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_add_pd _mm256_mul_pd
            |sum, a, b| _mm256_fmadd_pd(a, b, sum),
            |n| maskz_load_pd _mm256_maskstore_pd first_words(2 * n);
        __m512: 16 f32, _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_add_ps _mm512_mul_ps
            |sum, a, b| _mm512_fmadd_ps(a, b, sum),
            even |low, high| {
                let places =
                    _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
                _mm512_permutex2var_ps(low, places, high)
            },
            |n| _mm512_maskz_loadu_ps _mm512_mask_storeu_ps ((1u32 << n) - 1) as __mmask16,
            between _mm512_mask_loadu_ps,
            four |a, b, c, d, to| {
                // Halves of two in one register, then quarters of four, then all within parts of 128 bits.
                let a_b = _mm512_add_ps(
                    _mm512_shuffle_f32x4::<0x44>(a, b),
                    _mm512_shuffle_f32x4::<0xee>(a, b),
                );
                let c_d = _mm512_add_ps(
                    _mm512_shuffle_f32x4::<0x44>(c, d),
                    _mm512_shuffle_f32x4::<0xee>(c, d),
                );
                let quarters = _mm512_add_ps(
                    _mm512_shuffle_f32x4::<0x88>(a_b, c_d),
                    _mm512_shuffle_f32x4::<0xdd>(a_b, c_d),
                );
                let pairs = _mm512_add_ps(quarters, _mm512_permute_ps::<0x4e>(quarters));
                let sums = _mm512_add_ps(pairs, _mm512_permute_ps::<0xb1>(pairs));
                let places = _mm512_setr_epi32(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
                let sums = _mm512_permutexvar_ps(places, sums);
                _mm_storeu_ps(to, _mm512_castps512_ps128(sums));
            };
        __m512d: 8 f64, _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_add_pd _mm512_mul_pd
            |sum, a, b| _mm512_fmadd_pd(a, b, sum),
            even |low, high| {
                let places = _mm512_setr_epi64(0, 2, 4, 6, 9, 11, 13, 15);
                _mm512_permutex2var_pd(low, places, high)
            },
            |n| _mm512_maskz_loadu_pd _mm512_mask_storeu_pd ((1u32 << n) - 1) as __mmask8,
            between _mm512_mask_loadu_pd,
            four |a, b, c, d, to| {
                let a_b = _mm512_add_pd(
                    _mm512_shuffle_f64x2::<0x44>(a, b),
                    _mm512_shuffle_f64x2::<0xee>(a, b),
                );
                let c_d = _mm512_add_pd(
                    _mm512_shuffle_f64x2::<0x44>(c, d),
                    _mm512_shuffle_f64x2::<0xee>(c, d),
                );
                let pairs = _mm512_add_pd(
                    _mm512_shuffle_f64x2::<0x88>(a_b, c_d),
                    _mm512_shuffle_f64x2::<0xdd>(a_b, c_d),
                );
                let sums = _mm512_add_pd(pairs, _mm512_permute_pd::<0x55>(pairs));
                let places = _mm512_setr_epi64(0, 2, 4, 6, 0, 0, 0, 0);
                let sums = _mm512_permutexvar_pd(places, sums);
                _mm256_storeu_pd(to, _mm512_castpd512_pd256(sums));
            };
    }

    /// From this many rows on, one register of 512 bits per row is better than two of 256: benches/results, "Thresholds of
    /// contractions".
    const MIN_WIDE_ROWS: usize = 24;

    /// Whether columns fill more than half of a register of 512 bits, of `lanes` in 256, and there are more of them or rows
    /// enough.
    fn is_wide(rows: usize, columns: usize, lanes: usize) -> bool {
        columns > 2 * lanes || columns > lanes && rows >= MIN_WIDE_ROWS
    }

    instructions!(sse2);
    instructions!(avx, "avx");
    instructions!(fma, "avx,fma");
    instructions!(avx512, "avx512f");

    // Two registers per row: as many rows as leave room for two columns and a factor among 16 or 32.
    kernels! {
        F32_SSE2: sse2 f32, __m128, 16, false, 4 2 1;
        F64_SSE2: sse2 f64, __m128d, 16, false, 4 2 1;
        F32_AVX: avx f32, __m256, 8, false, 6 4 2 1;
        F64_AVX: avx f64, __m256d, 8, false, 6 4 2 1;
        F32_FMA: fma f32, __m256, 8, true, 6 4 2 1;
        F64_FMA: fma f64, __m256d, 8, true, 6 4 2 1;
        F32_AVX512: avx512 f32, __m512, 4, false, 14 8 4 2 1;
        F64_AVX512: avx512 f64, __m512d, 4, false, 14 8 4 2 1;
        F32_AVX512_FMA: avx512 f32, __m512, 4, true, 14 8 4 2 1;
        F64_AVX512_FMA: avx512 f64, __m512d, 4, true, 14 8 4 2 1;
    }

    element! {
        f32: |fused, [rows, columns]| match (level(), fused) {
            (level, true) if level >= Level::Avx512 && is_wide(rows, columns, 8) => &F32_AVX512_FMA,
            (level, false) if level >= Level::Avx512 && is_wide(rows, columns, 8) => &F32_AVX512,
            (level, true) if level >= Level::Fma => &F32_FMA,
            (Level::Sse2, _) => &F32_SSE2,
            _ => &F32_AVX,
        };
        f64: |fused, [rows, columns]| match (level(), fused) {
            (level, true) if level >= Level::Avx512 && is_wide(rows, columns, 4) => &F64_AVX512_FMA,
            (level, false) if level >= Level::Avx512 && is_wide(rows, columns, 4) => &F64_AVX512,
            (level, true) if level >= Level::Fma => &F64_FMA,
            (Level::Sse2, _) => &F64_SSE2,
            _ => &F64_AVX,
        };
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    //! 128-bit registers, which every such processor has, 32 of them.

    use core::arch::aarch64::*;

    use crate::contract::kernels::{
        Element, Kernels, Number, Piece, Register, Tiles, Wide, instructions, kernels, register,
        tiles,
    };

    register! {
        float32x4_t: 4 f32, vld1q_f32 vst1q_f32 vdupq_n_f32 vaddq_f32 vmulq_f32
            |sum, a, b| vfmaq_f32(sum, a, b);
        float64x2_t: 2 f64, vld1q_f64 vst1q_f64 vdupq_n_f64 vaddq_f64 vmulq_f64
            |sum, a, b| vfmaq_f64(sum, a, b);
    }

    instructions!(neon);

    kernels! {
        F32: neon f32, float32x4_t, 16, false, 8 4 2 1;
        F64: neon f64, float64x2_t, 16, false, 8 4 2 1;
        F32_FMA: neon f32, float32x4_t, 16, true, 8 4 2 1;
        F64_FMA: neon f64, float64x2_t, 16, true, 8 4 2 1;
    }

    element! {
        f32: |fused, _| match fused {
            true => &F32_FMA,
            false => &F32,
        };
        f64: |fused, _| match fused {
            true => &F64_FMA,
            false => &F64,
        };
    }
}
