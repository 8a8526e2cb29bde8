//! Kernels of integers: tiles of `i32`, and of words that hold two or four narrower factors each, whose
//! products are added up by one instruction. Whatever the order, sums wrap around to the same bits.

use super::kernels::{Element, Kernels, Number, Tiles};

/// Two factors of 16 bits, the first one in the lower half.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Pair(pub(super) i32);

/// Four factors of 8 bits, the first one in the lowest byte: unsigned in left factors, signed in right ones.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Quad(pub(super) i32);

impl Element for i32 {
    const ZERO: Self = 0;
}

impl Element for Pair {
    const ZERO: Self = Self(0);
}

impl Element for Quad {
    const ZERO: Self = Self(0);
    const HAS_BIAS: bool = true;
}

impl Number for i32 {
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        self.wrapping_add(a.wrapping_mul(b))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn kernels(_fused: bool, [_, columns]: [usize; 2]) -> &'static Kernels<Self> {
        machine::whole(columns)
    }
}

/// Columns of a panel, and the tiles that multiply it.
pub(super) type PanelTiles<W> = (usize, &'static [Tiles<W>]);

/// What multiplies pairs best in this processor.
pub(super) fn pair_tiles(columns: usize) -> PanelTiles<Pair> {
    machine::pair_tiles(columns)
}

/// What multiplies quads, if this processor can.
pub(super) fn quad_tiles(columns: usize) -> Option<PanelTiles<Quad>> {
    machine::quad_tiles(columns)
}

/// Makes `N` words of four rows of bytes, less `zero` each; `N` is 4, 8 or 16.
///
/// # Safety
/// `N` bytes of each row are in memory, and there is room for as many words.
#[inline(always)]
pub(super) unsafe fn join_rows<const N: usize>(rows: [*const u8; 4], zero: u8, to: *mut Quad) {
    // SAFETY: by the caller's promise.
    unsafe { machine::join_rows::<N>(rows, zero, to) };
}

macro_rules! word_tiles {
    ($($name:ident: $set:ident $element:ty, $register:ty, $($rows:literal)*;)*) => {
        $(static $name: PanelTiles<$element> = (
            2 * <$register as Register<$element>>::LANES,
            &[$(tiles!($set $element, $register, $rows, true, false)),*],
        );)*
    };
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use core::arch::x86_64::*;

    use super::{Pair, PanelTiles, Quad};
    use crate::contract::floats::machine::first_words;
    use crate::contract::kernels::{
        Kernels, Piece, Register, Tiles, Wide, instructions, kernels, register, tiles,
    };
    use crate::processor::{Level, has_avx_vnni, level};

    /// Loads, stores and copies to all lanes of 32-bit words.
    macro_rules! moves {
        ($($feature:literal $register:ty, $load:ident $load_with:ident $store:ident $store_with:ident
           $splat:ident $splat_with:ident;)*) => {
            $(
                #[inline]
                #[target_feature(enable = $feature)]
                unsafe fn $load<T>(from: *const T) -> $register {
                    // SAFETY: by the caller's promise.
                    unsafe { $load_with(from.cast()) }
                }
                #[inline]
                #[target_feature(enable = $feature)]
                unsafe fn $store<T>(to: *mut T, register: $register) {
                    // SAFETY: by the caller's promise.
                    unsafe { $store_with(to.cast(), register) }
                }
                #[inline]
                #[target_feature(enable = $feature)]
                unsafe fn $splat<T>(element: T) -> $register {
                    // SAFETY: elements have 32 bits.
                    $splat_with(unsafe { core::mem::transmute_copy(&element) })
                }
            )*
        };
    }

    moves! {
        "sse2" __m128i, load128 _mm_loadu_si128 store128 _mm_storeu_si128 splat128 _mm_set1_epi32;
        "avx" __m256i, load256 _mm256_loadu_si256 store256 _mm256_storeu_si256 splat256 _mm256_set1_epi32;
        "avx512f" __m512i, load512 _mm512_loadu_si512 store512 _mm512_storeu_si512 splat512 _mm512_set1_epi32;
    }

    /// # Safety
    /// The selected lanes are readable at `from`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn maskz_load256(mask: __m256i, from: *const i32) -> __m256i {
        // SAFETY: by the caller's promise.
        unsafe { _mm256_maskload_epi32(from, mask) }
    }

    /// Products of 32-bit integers, which SSE2 multiplies two by two.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn mul128(a: __m128i, b: __m128i) -> __m128i {
        let even = _mm_mul_epu32(a, b);
        let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
        _mm_unpacklo_epi32(
            _mm_shuffle_epi32::<0b1000>(even),
            _mm_shuffle_epi32::<0b1000>(odd),
        )
    }

    /// Sums of two products of 16-bit integers.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn pairs512(a: __m512i, b: __m512i) -> __m512i {
        _mm512_dpwssd_epi32(_mm512_setzero_si512(), a, b)
    }

    /// Sums of four products of 8-bit integers, the first ones unsigned.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn quads512(a: __m512i, b: __m512i) -> __m512i {
        _mm512_dpbusd_epi32(_mm512_setzero_si512(), a, b)
    }

    /// The same in registers of half that size.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline]
    #[target_feature(enable = "avx2,avxvnni")]
    unsafe fn quads256(a: __m256i, b: __m256i) -> __m256i {
        _mm256_dpbusd_avx_epi32(_mm256_setzero_si256(), a, b)
    }

    /// As [`super::join_rows`].
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub(super) unsafe fn join_rows<const N: usize>(rows: [*const u8; 4], zero: u8, to: *mut Quad) {
        // SAFETY: by the caller's promise; every processor has these instructions.
        unsafe {
            let zero = _mm_set1_epi8(zero as i8);
            let read = |row: *const u8| {
                let bytes = match N {
                    4 => _mm_cvtsi32_si128(row.cast::<i32>().read_unaligned()),
                    8 => _mm_loadl_epi64(row.cast()),
                    _ => _mm_loadu_si128(row.cast()),
                };
                _mm_sub_epi8(bytes, zero)
            };
            let [a, b, c, d] = rows.map(read);
            let (ab, cd) = (_mm_unpacklo_epi8(a, b), _mm_unpacklo_epi8(c, d));
            let to = to.cast::<__m128i>();
            _mm_storeu_si128(to, _mm_unpacklo_epi16(ab, cd));
            if N > 4 {
                _mm_storeu_si128(to.add(1), _mm_unpackhi_epi16(ab, cd));
            }
            if N > 8 {
                let (ab, cd) = (_mm_unpackhi_epi8(a, b), _mm_unpackhi_epi8(c, d));
                _mm_storeu_si128(to.add(2), _mm_unpacklo_epi16(ab, cd));
                _mm_storeu_si128(to.add(3), _mm_unpackhi_epi16(ab, cd));
            }
        }
    }

    register! {
        __m128i: 4 i32, load128 store128 splat128 _mm_add_epi32 mul128
            |sum, a, b| _mm_add_epi32(sum, mul128(a, b));
        __m256i: 8 i32, load256 store256 splat256 _mm256_add_epi32 _mm256_mullo_epi32
            |sum, a, b| _mm256_add_epi32(sum, _mm256_mullo_epi32(a, b)),
            |n| maskz_load256 _mm256_maskstore_epi32 first_words(n);
        __m512i: 16 i32, load512 store512 splat512 _mm512_add_epi32 _mm512_mullo_epi32
            |sum, a, b| _mm512_add_epi32(sum, _mm512_mullo_epi32(a, b)),
            |n| _mm512_maskz_loadu_epi32 _mm512_mask_storeu_epi32 ((1u32 << n) - 1) as __mmask16,
            between _mm512_mask_loadu_epi32;
        __m128i: 4 Pair, load128 store128 splat128 _mm_add_epi32 _mm_madd_epi16
            |sum, a, b| _mm_add_epi32(sum, _mm_madd_epi16(a, b));
        __m256i: 8 Pair, load256 store256 splat256 _mm256_add_epi32 _mm256_madd_epi16
            |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        __m512i: 16 Pair, load512 store512 splat512 _mm512_add_epi32 pairs512
            |sum, a, b| _mm512_dpwssd_epi32(sum, a, b);
        __m256i: 8 Quad, load256 store256 splat256 _mm256_add_epi32 quads256
            |sum, a, b| _mm256_dpbusd_avx_epi32(sum, a, b);
        __m512i: 16 Quad, load512 store512 splat512 _mm512_add_epi32 quads512
            |sum, a, b| _mm512_dpbusd_epi32(sum, a, b);
    }

    instructions!(sse2);
    instructions!(avx2, "avx2");
    instructions!(vnni, "avx512f,avx512bw,avx512vnni");

    kernels! {
        SSE2: sse2 i32, __m128i, 16, false, 4 2 1;
        AVX2: avx2 i32, __m256i, 8, false, 6 4 2 1;
        AVX512: vnni i32, __m512i, 4, false, 14 8 4 2 1;
    }

    /// What AVX-VNNI is used for.
    mod avx_vnni {
        use crate::contract::kernels::{Element, Register, Task, tile_function};

        tile_function!("avx2,avxvnni");
    }

    word_tiles! {
        PAIRS_SSE2: sse2 Pair, __m128i, 4 2 1;
        PAIRS_AVX2: avx2 Pair, __m256i, 6 4 2 1;
        PAIRS_VNNI: vnni Pair, __m512i, 14 8 4 2 1;
        QUADS_AVX_VNNI: avx_vnni Quad, __m256i, 6 4 2 1;
        QUADS_VNNI: vnni Quad, __m512i, 14 8 4 2 1;
    }

    pub(super) fn whole(columns: usize) -> &'static Kernels<i32> {
        match level() {
            Level::Vnni if columns > 16 => &AVX512,
            level if level >= Level::Avx2 => &AVX2,
            _ => &SSE2,
        }
    }

    pub(super) fn pair_tiles(columns: usize) -> PanelTiles<Pair> {
        match level() {
            Level::Vnni if columns > 16 => PAIRS_VNNI,
            level if level >= Level::Avx2 => PAIRS_AVX2,
            _ => PAIRS_SSE2,
        }
    }

    pub(super) fn quad_tiles(columns: usize) -> Option<PanelTiles<Quad>> {
        match level() {
            Level::Vnni if columns > 16 || !has_avx_vnni() => Some(QUADS_VNNI),
            level if level >= Level::Avx2 && has_avx_vnni() => Some(QUADS_AVX_VNNI),
            _ => None,
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use core::arch::aarch64::*;

    use super::{Pair, PanelTiles, Quad};
    use crate::contract::kernels::{
        Kernels, Piece, Register, Tiles, Wide, instructions, kernels, register, tiles,
    };

    /// # Safety
    /// A register is readable at `from`.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn load<T>(from: *const T) -> int32x4_t {
        // SAFETY: by the caller's promise.
        unsafe { vld1q_s32(from.cast()) }
    }

    /// # Safety
    /// A register is writable at `to`.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn store<T>(to: *mut T, register: int32x4_t) {
        // SAFETY: by the caller's promise.
        unsafe { vst1q_s32(to.cast(), register) }
    }

    /// # Safety
    /// `T` has 32 bits.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn splat<T>(element: T) -> int32x4_t {
        // SAFETY: elements have 32 bits.
        vdupq_n_s32(unsafe { core::mem::transmute_copy(&element) })
    }

    /// Sums of two products of 16-bit integers.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn pairs(a: int32x4_t, b: int32x4_t) -> int32x4_t {
        let (a, b) = (vreinterpretq_s16_s32(a), vreinterpretq_s16_s32(b));
        let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
        vpaddq_s32(low, vmull_high_s16(a, b))
    }

    register! {
        int32x4_t: 4 i32, load store splat vaddq_s32 vmulq_s32 |sum, a, b| vmlaq_s32(sum, a, b);
        int32x4_t: 4 Pair, load store splat vaddq_s32 pairs |sum, a, b| vaddq_s32(sum, pairs(a, b));
    }

    instructions!(neon);

    kernels! {
        WHOLE: neon i32, int32x4_t, 16, true, 8 4 2 1;
    }

    word_tiles! {
        PAIRS: neon Pair, int32x4_t, 8 4 2 1;
    }

    /// As [`super::join_rows`]; there are no tiles of quads here.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub(super) unsafe fn join_rows<const N: usize>(rows: [*const u8; 4], zero: u8, to: *mut Quad) {
        let mut j = 0;
        while j < N {
            // SAFETY: by the caller's promise.
            unsafe {
                let bytes = rows.map(|row| row.add(j).read().wrapping_sub(zero));
                to.add(j).write(Quad(i32::from_le_bytes(bytes)));
            }
            j += 1;
        }
    }

    pub(super) fn whole(_columns: usize) -> &'static Kernels<i32> {
        &WHOLE
    }

    pub(super) fn pair_tiles(_columns: usize) -> PanelTiles<Pair> {
        PAIRS
    }

    pub(super) fn quad_tiles(_columns: usize) -> Option<PanelTiles<Quad>> {
        None
    }
}
