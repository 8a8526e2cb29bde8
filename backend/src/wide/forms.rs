//! Instructions on vectors: for each, its encodings by width.
//!
//! Names of rows say what is computed from which elements; those of codes are `iced-x86`'s, which spell out
//! the operands. A test compares the encodings with an independent disassembler.

use iced_x86::Code;
use iced_x86::Code::*;

use super::code::Size;

/// An instruction: VEX encodings for 128 and 256 bits, EVEX encodings for 128, 256 and 512 bits. Conversions
/// count by the wider of their operands.
#[derive(Debug)]
pub(super) struct Form {
    codes: [Option<Code>; 5],
}

impl Form {
    /// The encoding for registers of this size, EVEX with AVX-512 and else VEX, if there is one.
    pub(super) fn code(&self, has_avx512: bool, size: Size) -> Option<Code> {
        match (has_avx512, size) {
            (false, Size::X) => self.codes[0],
            (false, Size::Y) => self.codes[1],
            (true, Size::X) => self.codes[2],
            (true, Size::Y) => self.codes[3],
            (true, Size::Z) => self.codes[4],
            _ => None,
        }
    }

    /// All encodings.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.codes.iter().copied().flatten()
    }
}

/// Declares rows, and the list of all of them; `_` is for an encoding that does not exist.
macro_rules! forms {
    (@code _) => { None };
    (@code $code:ident) => { Some($code) };
    ($($name:ident = $x_vex:tt $y_vex:tt $x:tt $y:tt $z:tt;)*) => {
        $(pub(super) static $name: Form = Form {
            codes: [
                forms!(@code $x_vex),
                forms!(@code $y_vex),
                forms!(@code $x),
                forms!(@code $y),
                forms!(@code $z),
            ],
        };)*

        /// All rows.
        pub(super) static ALL: &[&Form] = &[$(&$name),*];
    };
}

forms! {
    ADD_F16 = _ _ EVEX_Vaddph_xmm_k1z_xmm_xmmm128b16 EVEX_Vaddph_ymm_k1z_ymm_ymmm256b16 EVEX_Vaddph_zmm_k1z_zmm_zmmm512b16_er;
    SUB_F16 = _ _ EVEX_Vsubph_xmm_k1z_xmm_xmmm128b16 EVEX_Vsubph_ymm_k1z_ymm_ymmm256b16 EVEX_Vsubph_zmm_k1z_zmm_zmmm512b16_er;
    MUL_F16 = _ _ EVEX_Vmulph_xmm_k1z_xmm_xmmm128b16 EVEX_Vmulph_ymm_k1z_ymm_ymmm256b16 EVEX_Vmulph_zmm_k1z_zmm_zmmm512b16_er;
    DIV_F16 = _ _ EVEX_Vdivph_xmm_k1z_xmm_xmmm128b16 EVEX_Vdivph_ymm_k1z_ymm_ymmm256b16 EVEX_Vdivph_zmm_k1z_zmm_zmmm512b16_er;
    SQRT_F16 = _ _ EVEX_Vsqrtph_xmm_k1z_xmmm128b16 EVEX_Vsqrtph_ymm_k1z_ymmm256b16 EVEX_Vsqrtph_zmm_k1z_zmmm512b16_er;
    ADD_F32 = VEX_Vaddps_xmm_xmm_xmmm128 VEX_Vaddps_ymm_ymm_ymmm256 EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32 EVEX_Vaddps_ymm_k1z_ymm_ymmm256b32 EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
    ADD_F64 = VEX_Vaddpd_xmm_xmm_xmmm128 VEX_Vaddpd_ymm_ymm_ymmm256 EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vaddpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
    SUB_F32 = VEX_Vsubps_xmm_xmm_xmmm128 VEX_Vsubps_ymm_ymm_ymmm256 EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32 EVEX_Vsubps_ymm_k1z_ymm_ymmm256b32 EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
    SUB_F64 = VEX_Vsubpd_xmm_xmm_xmmm128 VEX_Vsubpd_ymm_ymm_ymmm256 EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vsubpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
    MUL_F32 = VEX_Vmulps_xmm_xmm_xmmm128 VEX_Vmulps_ymm_ymm_ymmm256 EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32 EVEX_Vmulps_ymm_k1z_ymm_ymmm256b32 EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
    MUL_F64 = VEX_Vmulpd_xmm_xmm_xmmm128 VEX_Vmulpd_ymm_ymm_ymmm256 EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vmulpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
    DIV_F32 = VEX_Vdivps_xmm_xmm_xmmm128 VEX_Vdivps_ymm_ymm_ymmm256 EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32 EVEX_Vdivps_ymm_k1z_ymm_ymmm256b32 EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
    DIV_F64 = VEX_Vdivpd_xmm_xmm_xmmm128 VEX_Vdivpd_ymm_ymm_ymmm256 EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vdivpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
    MIN_F32 = VEX_Vminps_xmm_xmm_xmmm128 VEX_Vminps_ymm_ymm_ymmm256 EVEX_Vminps_xmm_k1z_xmm_xmmm128b32 EVEX_Vminps_ymm_k1z_ymm_ymmm256b32 EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae;
    MIN_F64 = VEX_Vminpd_xmm_xmm_xmmm128 VEX_Vminpd_ymm_ymm_ymmm256 EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vminpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae;
    MAX_F32 = VEX_Vmaxps_xmm_xmm_xmmm128 VEX_Vmaxps_ymm_ymm_ymmm256 EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32 EVEX_Vmaxps_ymm_k1z_ymm_ymmm256b32 EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae;
    MAX_F64 = VEX_Vmaxpd_xmm_xmm_xmmm128 VEX_Vmaxpd_ymm_ymm_ymmm256 EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64 EVEX_Vmaxpd_ymm_k1z_ymm_ymmm256b64 EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae;
    SQRT_F32 = VEX_Vsqrtps_xmm_xmmm128 VEX_Vsqrtps_ymm_ymmm256 EVEX_Vsqrtps_xmm_k1z_xmmm128b32 EVEX_Vsqrtps_ymm_k1z_ymmm256b32 EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er;
    ROUND_F32 = VEX_Vroundps_xmm_xmmm128_imm8 VEX_Vroundps_ymm_ymmm256_imm8 EVEX_Vrndscaleps_xmm_k1z_xmmm128b32_imm8 EVEX_Vrndscaleps_ymm_k1z_ymmm256b32_imm8 EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
    ADD_PRODUCTS_I16 = VEX_Vpmaddwd_xmm_xmm_xmmm128 VEX_Vpmaddwd_ymm_ymm_ymmm256 EVEX_Vpmaddwd_xmm_k1z_xmm_xmmm128 EVEX_Vpmaddwd_ymm_k1z_ymm_ymmm256 EVEX_Vpmaddwd_zmm_k1z_zmm_zmmm512;
    FMA213_F32 = VEX_Vfmadd213ps_xmm_xmm_xmmm128 VEX_Vfmadd213ps_ymm_ymm_ymmm256 EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32 EVEX_Vfmadd213ps_ymm_k1z_ymm_ymmm256b32 EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
    FMA231_F32 = VEX_Vfmadd231ps_xmm_xmm_xmmm128 VEX_Vfmadd231ps_ymm_ymm_ymmm256 EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32 EVEX_Vfmadd231ps_ymm_k1z_ymm_ymmm256b32 EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
    CMP_F32 = VEX_Vcmpps_xmm_xmm_xmmm128_imm8 VEX_Vcmpps_ymm_ymm_ymmm256_imm8 EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8 EVEX_Vcmpps_kr_k1_ymm_ymmm256b32_imm8 EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
    SQRT_F64 = VEX_Vsqrtpd_xmm_xmmm128 VEX_Vsqrtpd_ymm_ymmm256 EVEX_Vsqrtpd_xmm_k1z_xmmm128b64 EVEX_Vsqrtpd_ymm_k1z_ymmm256b64 EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er;
    ROUND_F64 = VEX_Vroundpd_xmm_xmmm128_imm8 VEX_Vroundpd_ymm_ymmm256_imm8 EVEX_Vrndscalepd_xmm_k1z_xmmm128b64_imm8 EVEX_Vrndscalepd_ymm_k1z_ymmm256b64_imm8 EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
    FMA213_F64 = VEX_Vfmadd213pd_xmm_xmm_xmmm128 VEX_Vfmadd213pd_ymm_ymm_ymmm256 EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64 EVEX_Vfmadd213pd_ymm_k1z_ymm_ymmm256b64 EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
    FMA231_F64 = VEX_Vfmadd231pd_xmm_xmm_xmmm128 VEX_Vfmadd231pd_ymm_ymm_ymmm256 EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64 EVEX_Vfmadd231pd_ymm_k1z_ymm_ymmm256b64 EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
    CMP_F64 = VEX_Vcmppd_xmm_xmm_xmmm128_imm8 VEX_Vcmppd_ymm_ymm_ymmm256_imm8 EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8 EVEX_Vcmppd_kr_k1_ymm_ymmm256b64_imm8 EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
    BLENDV_I8 = VEX_Vpblendvb_xmm_xmm_xmmm128_xmm VEX_Vpblendvb_ymm_ymm_ymmm256_ymm _ _ _;
    BLENDM_I8 = _ _ EVEX_Vpblendmb_xmm_k1z_xmm_xmmm128 EVEX_Vpblendmb_ymm_k1z_ymm_ymmm256 EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512;
    BLENDM_I16 = _ _ EVEX_Vpblendmw_xmm_k1z_xmm_xmmm128 EVEX_Vpblendmw_ymm_k1z_ymm_ymmm256 EVEX_Vpblendmw_zmm_k1z_zmm_zmmm512;
    BLENDM_I32 = _ _ EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpblendmd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32;
    BLENDM_I64 = _ _ EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpblendmq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64;
    AND_I32 = VEX_Vpand_xmm_xmm_xmmm128 VEX_Vpand_ymm_ymm_ymmm256 EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
    OR_I32 = VEX_Vpor_xmm_xmm_xmmm128 VEX_Vpor_ymm_ymm_ymmm256 EVEX_Vpord_xmm_k1z_xmm_xmmm128b32 EVEX_Vpord_ymm_k1z_ymm_ymmm256b32 EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
    XOR_I32 = VEX_Vpxor_xmm_xmm_xmmm128 VEX_Vpxor_ymm_ymm_ymmm256 EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32 EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32 EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
    ADD_I8 = VEX_Vpaddb_xmm_xmm_xmmm128 VEX_Vpaddb_ymm_ymm_ymmm256 EVEX_Vpaddb_xmm_k1z_xmm_xmmm128 EVEX_Vpaddb_ymm_k1z_ymm_ymmm256 EVEX_Vpaddb_zmm_k1z_zmm_zmmm512;
    ADD_I16 = VEX_Vpaddw_xmm_xmm_xmmm128 VEX_Vpaddw_ymm_ymm_ymmm256 EVEX_Vpaddw_xmm_k1z_xmm_xmmm128 EVEX_Vpaddw_ymm_k1z_ymm_ymmm256 EVEX_Vpaddw_zmm_k1z_zmm_zmmm512;
    ADD_I32 = VEX_Vpaddd_xmm_xmm_xmmm128 VEX_Vpaddd_ymm_ymm_ymmm256 EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
    ADD_I64 = VEX_Vpaddq_xmm_xmm_xmmm128 VEX_Vpaddq_ymm_ymm_ymmm256 EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpaddq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
    SUB_I8 = VEX_Vpsubb_xmm_xmm_xmmm128 VEX_Vpsubb_ymm_ymm_ymmm256 EVEX_Vpsubb_xmm_k1z_xmm_xmmm128 EVEX_Vpsubb_ymm_k1z_ymm_ymmm256 EVEX_Vpsubb_zmm_k1z_zmm_zmmm512;
    SUB_I16 = VEX_Vpsubw_xmm_xmm_xmmm128 VEX_Vpsubw_ymm_ymm_ymmm256 EVEX_Vpsubw_xmm_k1z_xmm_xmmm128 EVEX_Vpsubw_ymm_k1z_ymm_ymmm256 EVEX_Vpsubw_zmm_k1z_zmm_zmmm512;
    SUB_I32 = VEX_Vpsubd_xmm_xmm_xmmm128 VEX_Vpsubd_ymm_ymm_ymmm256 EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
    SUB_I64 = VEX_Vpsubq_xmm_xmm_xmmm128 VEX_Vpsubq_ymm_ymm_ymmm256 EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpsubq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64;
    MIN_S_I8 = VEX_Vpminsb_xmm_xmm_xmmm128 VEX_Vpminsb_ymm_ymm_ymmm256 EVEX_Vpminsb_xmm_k1z_xmm_xmmm128 EVEX_Vpminsb_ymm_k1z_ymm_ymmm256 EVEX_Vpminsb_zmm_k1z_zmm_zmmm512;
    MIN_S_I16 = VEX_Vpminsw_xmm_xmm_xmmm128 VEX_Vpminsw_ymm_ymm_ymmm256 EVEX_Vpminsw_xmm_k1z_xmm_xmmm128 EVEX_Vpminsw_ymm_k1z_ymm_ymmm256 EVEX_Vpminsw_zmm_k1z_zmm_zmmm512;
    MIN_S_I32 = VEX_Vpminsd_xmm_xmm_xmmm128 VEX_Vpminsd_ymm_ymm_ymmm256 EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpminsd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32;
    MIN_S_I64 = _ _ EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpminsq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64;
    MAX_S_I8 = VEX_Vpmaxsb_xmm_xmm_xmmm128 VEX_Vpmaxsb_ymm_ymm_ymmm256 EVEX_Vpmaxsb_xmm_k1z_xmm_xmmm128 EVEX_Vpmaxsb_ymm_k1z_ymm_ymmm256 EVEX_Vpmaxsb_zmm_k1z_zmm_zmmm512;
    MAX_S_I16 = VEX_Vpmaxsw_xmm_xmm_xmmm128 VEX_Vpmaxsw_ymm_ymm_ymmm256 EVEX_Vpmaxsw_xmm_k1z_xmm_xmmm128 EVEX_Vpmaxsw_ymm_k1z_ymm_ymmm256 EVEX_Vpmaxsw_zmm_k1z_zmm_zmmm512;
    MAX_S_I32 = VEX_Vpmaxsd_xmm_xmm_xmmm128 VEX_Vpmaxsd_ymm_ymm_ymmm256 EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpmaxsd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32;
    MAX_S_I64 = _ _ EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpmaxsq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64;
    MIN_U_I8 = VEX_Vpminub_xmm_xmm_xmmm128 VEX_Vpminub_ymm_ymm_ymmm256 EVEX_Vpminub_xmm_k1z_xmm_xmmm128 EVEX_Vpminub_ymm_k1z_ymm_ymmm256 EVEX_Vpminub_zmm_k1z_zmm_zmmm512;
    MIN_U_I16 = VEX_Vpminuw_xmm_xmm_xmmm128 VEX_Vpminuw_ymm_ymm_ymmm256 EVEX_Vpminuw_xmm_k1z_xmm_xmmm128 EVEX_Vpminuw_ymm_k1z_ymm_ymmm256 EVEX_Vpminuw_zmm_k1z_zmm_zmmm512;
    MIN_U_I32 = VEX_Vpminud_xmm_xmm_xmmm128 VEX_Vpminud_ymm_ymm_ymmm256 EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32 EVEX_Vpminud_ymm_k1z_ymm_ymmm256b32 EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32;
    MIN_U_I64 = _ _ EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpminuq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64;
    MAX_U_I8 = VEX_Vpmaxub_xmm_xmm_xmmm128 VEX_Vpmaxub_ymm_ymm_ymmm256 EVEX_Vpmaxub_xmm_k1z_xmm_xmmm128 EVEX_Vpmaxub_ymm_k1z_ymm_ymmm256 EVEX_Vpmaxub_zmm_k1z_zmm_zmmm512;
    MAX_U_I16 = VEX_Vpmaxuw_xmm_xmm_xmmm128 VEX_Vpmaxuw_ymm_ymm_ymmm256 EVEX_Vpmaxuw_xmm_k1z_xmm_xmmm128 EVEX_Vpmaxuw_ymm_k1z_ymm_ymmm256 EVEX_Vpmaxuw_zmm_k1z_zmm_zmmm512;
    MAX_U_I32 = VEX_Vpmaxud_xmm_xmm_xmmm128 VEX_Vpmaxud_ymm_ymm_ymmm256 EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32 EVEX_Vpmaxud_ymm_k1z_ymm_ymmm256b32 EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32;
    MAX_U_I64 = _ _ EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpmaxuq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64;
    MUL_I16 = VEX_Vpmullw_xmm_xmm_xmmm128 VEX_Vpmullw_ymm_ymm_ymmm256 EVEX_Vpmullw_xmm_k1z_xmm_xmmm128 EVEX_Vpmullw_ymm_k1z_ymm_ymmm256 EVEX_Vpmullw_zmm_k1z_zmm_zmmm512;
    MUL_I32 = VEX_Vpmulld_xmm_xmm_xmmm128 VEX_Vpmulld_ymm_ymm_ymmm256 EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32 EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32 EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
    MUL_I64 = _ _ EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpmullq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64;
    MUL_U32_TO_U64 = VEX_Vpmuludq_xmm_xmm_xmmm128 VEX_Vpmuludq_ymm_ymm_ymmm256 EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpmuludq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64;
    ABS_I8 = VEX_Vpabsb_xmm_xmmm128 VEX_Vpabsb_ymm_ymmm256 EVEX_Vpabsb_xmm_k1z_xmmm128 EVEX_Vpabsb_ymm_k1z_ymmm256 EVEX_Vpabsb_zmm_k1z_zmmm512;
    ABS_I16 = VEX_Vpabsw_xmm_xmmm128 VEX_Vpabsw_ymm_ymmm256 EVEX_Vpabsw_xmm_k1z_xmmm128 EVEX_Vpabsw_ymm_k1z_ymmm256 EVEX_Vpabsw_zmm_k1z_zmmm512;
    ABS_I32 = VEX_Vpabsd_xmm_xmmm128 VEX_Vpabsd_ymm_ymmm256 EVEX_Vpabsd_xmm_k1z_xmmm128b32 EVEX_Vpabsd_ymm_k1z_ymmm256b32 EVEX_Vpabsd_zmm_k1z_zmmm512b32;
    ABS_I64 = _ _ EVEX_Vpabsq_xmm_k1z_xmmm128b64 EVEX_Vpabsq_ymm_k1z_ymmm256b64 EVEX_Vpabsq_zmm_k1z_zmmm512b64;
    ROTATE_I32 = _ _ EVEX_Vprold_xmm_k1z_xmmm128b32_imm8 EVEX_Vprold_ymm_k1z_ymmm256b32_imm8 EVEX_Vprold_zmm_k1z_zmmm512b32_imm8;
    ROTATE_I64 = _ _ EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8 EVEX_Vprolq_ymm_k1z_ymmm256b64_imm8 EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8;
    SHL_BY_I16 = VEX_Vpsllw_xmm_xmm_imm8 VEX_Vpsllw_ymm_ymm_imm8 EVEX_Vpsllw_xmm_k1z_xmmm128_imm8 EVEX_Vpsllw_ymm_k1z_ymmm256_imm8 EVEX_Vpsllw_zmm_k1z_zmmm512_imm8;
    SHL_BY_I32 = VEX_Vpslld_xmm_xmm_imm8 VEX_Vpslld_ymm_ymm_imm8 EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8 EVEX_Vpslld_ymm_k1z_ymmm256b32_imm8 EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
    SHL_BY_I64 = VEX_Vpsllq_xmm_xmm_imm8 VEX_Vpsllq_ymm_ymm_imm8 EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8 EVEX_Vpsllq_ymm_k1z_ymmm256b64_imm8 EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8;
    SHR_U_BY_I16 = VEX_Vpsrlw_xmm_xmm_imm8 VEX_Vpsrlw_ymm_ymm_imm8 EVEX_Vpsrlw_xmm_k1z_xmmm128_imm8 EVEX_Vpsrlw_ymm_k1z_ymmm256_imm8 EVEX_Vpsrlw_zmm_k1z_zmmm512_imm8;
    SHR_U_BY_I32 = VEX_Vpsrld_xmm_xmm_imm8 VEX_Vpsrld_ymm_ymm_imm8 EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8 EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8 EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8;
    SHR_U_BY_I64 = VEX_Vpsrlq_xmm_xmm_imm8 VEX_Vpsrlq_ymm_ymm_imm8 EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8 EVEX_Vpsrlq_ymm_k1z_ymmm256b64_imm8 EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8;
    SHR_S_BY_I16 = VEX_Vpsraw_xmm_xmm_imm8 VEX_Vpsraw_ymm_ymm_imm8 EVEX_Vpsraw_xmm_k1z_xmmm128_imm8 EVEX_Vpsraw_ymm_k1z_ymmm256_imm8 EVEX_Vpsraw_zmm_k1z_zmmm512_imm8;
    SHR_S_BY_I32 = VEX_Vpsrad_xmm_xmm_imm8 VEX_Vpsrad_ymm_ymm_imm8 EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8 EVEX_Vpsrad_ymm_k1z_ymmm256b32_imm8 EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
    SHR_S_BY_I64 = _ _ EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8 EVEX_Vpsraq_ymm_k1z_ymmm256b64_imm8 EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8;
    EQ_I8 = VEX_Vpcmpeqb_xmm_xmm_xmmm128 VEX_Vpcmpeqb_ymm_ymm_ymmm256 _ _ _;
    GT_I8 = VEX_Vpcmpgtb_xmm_xmm_xmmm128 VEX_Vpcmpgtb_ymm_ymm_ymmm256 _ _ _;
    CMP_S_I8 = _ _ EVEX_Vpcmpb_kr_k1_xmm_xmmm128_imm8 EVEX_Vpcmpb_kr_k1_ymm_ymmm256_imm8 EVEX_Vpcmpb_kr_k1_zmm_zmmm512_imm8;
    CMP_U_I8 = _ _ EVEX_Vpcmpub_kr_k1_xmm_xmmm128_imm8 EVEX_Vpcmpub_kr_k1_ymm_ymmm256_imm8 EVEX_Vpcmpub_kr_k1_zmm_zmmm512_imm8;
    EQ_I16 = VEX_Vpcmpeqw_xmm_xmm_xmmm128 VEX_Vpcmpeqw_ymm_ymm_ymmm256 _ _ _;
    GT_I16 = VEX_Vpcmpgtw_xmm_xmm_xmmm128 VEX_Vpcmpgtw_ymm_ymm_ymmm256 _ _ _;
    CMP_S_I16 = _ _ EVEX_Vpcmpw_kr_k1_xmm_xmmm128_imm8 EVEX_Vpcmpw_kr_k1_ymm_ymmm256_imm8 EVEX_Vpcmpw_kr_k1_zmm_zmmm512_imm8;
    CMP_U_I16 = _ _ EVEX_Vpcmpuw_kr_k1_xmm_xmmm128_imm8 EVEX_Vpcmpuw_kr_k1_ymm_ymmm256_imm8 EVEX_Vpcmpuw_kr_k1_zmm_zmmm512_imm8;
    EQ_I32 = VEX_Vpcmpeqd_xmm_xmm_xmmm128 VEX_Vpcmpeqd_ymm_ymm_ymmm256 _ _ _;
    GT_I32 = VEX_Vpcmpgtd_xmm_xmm_xmmm128 VEX_Vpcmpgtd_ymm_ymm_ymmm256 _ _ _;
    CMP_S_I32 = _ _ EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8 EVEX_Vpcmpd_kr_k1_ymm_ymmm256b32_imm8 EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;
    CMP_U_I32 = _ _ EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8 EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8 EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
    EQ_I64 = VEX_Vpcmpeqq_xmm_xmm_xmmm128 VEX_Vpcmpeqq_ymm_ymm_ymmm256 _ _ _;
    GT_I64 = VEX_Vpcmpgtq_xmm_xmm_xmmm128 VEX_Vpcmpgtq_ymm_ymm_ymmm256 _ _ _;
    CMP_S_I64 = _ _ EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8 EVEX_Vpcmpq_kr_k1_ymm_ymmm256b64_imm8 EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8;
    CMP_U_I64 = _ _ EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8 EVEX_Vpcmpuq_kr_k1_ymm_ymmm256b64_imm8 EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;
    EXTEND_S_I8_TO_I16 = VEX_Vpmovsxbw_xmm_xmmm64 VEX_Vpmovsxbw_ymm_xmmm128 EVEX_Vpmovsxbw_xmm_k1z_xmmm64 EVEX_Vpmovsxbw_ymm_k1z_xmmm128 EVEX_Vpmovsxbw_zmm_k1z_ymmm256;
    EXTEND_U_I8_TO_I16 = VEX_Vpmovzxbw_xmm_xmmm64 VEX_Vpmovzxbw_ymm_xmmm128 EVEX_Vpmovzxbw_xmm_k1z_xmmm64 EVEX_Vpmovzxbw_ymm_k1z_xmmm128 EVEX_Vpmovzxbw_zmm_k1z_ymmm256;
    EXTEND_S_I8_TO_I32 = VEX_Vpmovsxbd_xmm_xmmm32 VEX_Vpmovsxbd_ymm_xmmm64 EVEX_Vpmovsxbd_xmm_k1z_xmmm32 EVEX_Vpmovsxbd_ymm_k1z_xmmm64 EVEX_Vpmovsxbd_zmm_k1z_xmmm128;
    EXTEND_U_I8_TO_I32 = VEX_Vpmovzxbd_xmm_xmmm32 VEX_Vpmovzxbd_ymm_xmmm64 EVEX_Vpmovzxbd_xmm_k1z_xmmm32 EVEX_Vpmovzxbd_ymm_k1z_xmmm64 EVEX_Vpmovzxbd_zmm_k1z_xmmm128;
    EXTEND_S_I8_TO_I64 = VEX_Vpmovsxbq_xmm_xmmm16 VEX_Vpmovsxbq_ymm_xmmm32 EVEX_Vpmovsxbq_xmm_k1z_xmmm16 EVEX_Vpmovsxbq_ymm_k1z_xmmm32 EVEX_Vpmovsxbq_zmm_k1z_xmmm64;
    EXTEND_U_I8_TO_I64 = VEX_Vpmovzxbq_xmm_xmmm16 VEX_Vpmovzxbq_ymm_xmmm32 EVEX_Vpmovzxbq_xmm_k1z_xmmm16 EVEX_Vpmovzxbq_ymm_k1z_xmmm32 EVEX_Vpmovzxbq_zmm_k1z_xmmm64;
    EXTEND_S_I16_TO_I32 = VEX_Vpmovsxwd_xmm_xmmm64 VEX_Vpmovsxwd_ymm_xmmm128 EVEX_Vpmovsxwd_xmm_k1z_xmmm64 EVEX_Vpmovsxwd_ymm_k1z_xmmm128 EVEX_Vpmovsxwd_zmm_k1z_ymmm256;
    EXTEND_U_I16_TO_I32 = VEX_Vpmovzxwd_xmm_xmmm64 VEX_Vpmovzxwd_ymm_xmmm128 EVEX_Vpmovzxwd_xmm_k1z_xmmm64 EVEX_Vpmovzxwd_ymm_k1z_xmmm128 EVEX_Vpmovzxwd_zmm_k1z_ymmm256;
    EXTEND_S_I16_TO_I64 = VEX_Vpmovsxwq_xmm_xmmm32 VEX_Vpmovsxwq_ymm_xmmm64 EVEX_Vpmovsxwq_xmm_k1z_xmmm32 EVEX_Vpmovsxwq_ymm_k1z_xmmm64 EVEX_Vpmovsxwq_zmm_k1z_xmmm128;
    EXTEND_U_I16_TO_I64 = VEX_Vpmovzxwq_xmm_xmmm32 VEX_Vpmovzxwq_ymm_xmmm64 EVEX_Vpmovzxwq_xmm_k1z_xmmm32 EVEX_Vpmovzxwq_ymm_k1z_xmmm64 EVEX_Vpmovzxwq_zmm_k1z_xmmm128;
    EXTEND_S_I32_TO_I64 = VEX_Vpmovsxdq_xmm_xmmm64 VEX_Vpmovsxdq_ymm_xmmm128 EVEX_Vpmovsxdq_xmm_k1z_xmmm64 EVEX_Vpmovsxdq_ymm_k1z_xmmm128 EVEX_Vpmovsxdq_zmm_k1z_ymmm256;
    EXTEND_U_I32_TO_I64 = VEX_Vpmovzxdq_xmm_xmmm64 VEX_Vpmovzxdq_ymm_xmmm128 EVEX_Vpmovzxdq_xmm_k1z_xmmm64 EVEX_Vpmovzxdq_ymm_k1z_xmmm128 EVEX_Vpmovzxdq_zmm_k1z_ymmm256;
    TRUNCATE_I16_TO_I8 = _ _ EVEX_Vpmovwb_xmmm64_k1z_xmm EVEX_Vpmovwb_xmmm128_k1z_ymm EVEX_Vpmovwb_ymmm256_k1z_zmm;
    TRUNCATE_I32_TO_I8 = _ _ EVEX_Vpmovdb_xmmm32_k1z_xmm EVEX_Vpmovdb_xmmm64_k1z_ymm EVEX_Vpmovdb_xmmm128_k1z_zmm;
    TRUNCATE_I64_TO_I8 = _ _ EVEX_Vpmovqb_xmmm16_k1z_xmm EVEX_Vpmovqb_xmmm32_k1z_ymm EVEX_Vpmovqb_xmmm64_k1z_zmm;
    TRUNCATE_I32_TO_I16 = _ _ EVEX_Vpmovdw_xmmm64_k1z_xmm EVEX_Vpmovdw_xmmm128_k1z_ymm EVEX_Vpmovdw_ymmm256_k1z_zmm;
    TRUNCATE_I64_TO_I16 = _ _ EVEX_Vpmovqw_xmmm32_k1z_xmm EVEX_Vpmovqw_xmmm64_k1z_ymm EVEX_Vpmovqw_xmmm128_k1z_zmm;
    TRUNCATE_I64_TO_I32 = _ _ EVEX_Vpmovqd_xmmm64_k1z_xmm EVEX_Vpmovqd_xmmm128_k1z_ymm EVEX_Vpmovqd_ymmm256_k1z_zmm;
    I32_TO_F32 = VEX_Vcvtdq2ps_xmm_xmmm128 VEX_Vcvtdq2ps_ymm_ymmm256 EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32 EVEX_Vcvtdq2ps_ymm_k1z_ymmm256b32 EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er;
    U32_TO_F32 = _ _ EVEX_Vcvtudq2ps_xmm_k1z_xmmm128b32 EVEX_Vcvtudq2ps_ymm_k1z_ymmm256b32 EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er;
    F32_TO_I32 = VEX_Vcvttps2dq_xmm_xmmm128 VEX_Vcvttps2dq_ymm_ymmm256 EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32 EVEX_Vcvttps2dq_ymm_k1z_ymmm256b32 EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae;
    I32_TO_F64 = VEX_Vcvtdq2pd_xmm_xmmm64 VEX_Vcvtdq2pd_ymm_xmmm128 EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32 EVEX_Vcvtdq2pd_ymm_k1z_xmmm128b32 EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er;
    U32_TO_F64 = _ _ EVEX_Vcvtudq2pd_xmm_k1z_xmmm64b32 EVEX_Vcvtudq2pd_ymm_k1z_xmmm128b32 EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er;
    F32_TO_F64 = VEX_Vcvtps2pd_xmm_xmmm64 VEX_Vcvtps2pd_ymm_xmmm128 EVEX_Vcvtps2pd_xmm_k1z_xmmm64b32 EVEX_Vcvtps2pd_ymm_k1z_xmmm128b32 EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
    F64_TO_I32 = VEX_Vcvttpd2dq_xmm_xmmm128 VEX_Vcvttpd2dq_xmm_ymmm256 EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64 EVEX_Vcvttpd2dq_xmm_k1z_ymmm256b64 EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae;
    F64_TO_U64 = _ _ EVEX_Vcvttpd2uqq_xmm_k1z_xmmm128b64 EVEX_Vcvttpd2uqq_ymm_k1z_ymmm256b64 EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae;
    F64_TO_I64 = _ _ EVEX_Vcvttpd2qq_xmm_k1z_xmmm128b64 EVEX_Vcvttpd2qq_ymm_k1z_ymmm256b64 EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae;
    I64_TO_F64 = _ _ EVEX_Vcvtqq2pd_xmm_k1z_xmmm128b64 EVEX_Vcvtqq2pd_ymm_k1z_ymmm256b64 EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er;
    U64_TO_F64 = _ _ EVEX_Vcvtuqq2pd_xmm_k1z_xmmm128b64 EVEX_Vcvtuqq2pd_ymm_k1z_ymmm256b64 EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er;
    I64_TO_F32 = _ _ EVEX_Vcvtqq2ps_xmm_k1z_xmmm128b64 EVEX_Vcvtqq2ps_xmm_k1z_ymmm256b64 EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er;
    U64_TO_F32 = _ _ EVEX_Vcvtuqq2ps_xmm_k1z_xmmm128b64 EVEX_Vcvtuqq2ps_xmm_k1z_ymmm256b64 EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er;
    F64_TO_F32 = VEX_Vcvtpd2ps_xmm_xmmm128 VEX_Vcvtpd2ps_xmm_ymmm256 EVEX_Vcvtpd2ps_xmm_k1z_xmmm128b64 EVEX_Vcvtpd2ps_xmm_k1z_ymmm256b64 EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
    SPLAT_I8 = VEX_Vpbroadcastb_xmm_xmmm8 VEX_Vpbroadcastb_ymm_xmmm8 EVEX_Vpbroadcastb_xmm_k1z_xmmm8 EVEX_Vpbroadcastb_ymm_k1z_xmmm8 EVEX_Vpbroadcastb_zmm_k1z_xmmm8;
    SPLAT_I16 = VEX_Vpbroadcastw_xmm_xmmm16 VEX_Vpbroadcastw_ymm_xmmm16 EVEX_Vpbroadcastw_xmm_k1z_xmmm16 EVEX_Vpbroadcastw_ymm_k1z_xmmm16 EVEX_Vpbroadcastw_zmm_k1z_xmmm16;
    SPLAT_I32 = VEX_Vpbroadcastd_xmm_xmmm32 VEX_Vpbroadcastd_ymm_xmmm32 EVEX_Vpbroadcastd_xmm_k1z_xmmm32 EVEX_Vpbroadcastd_ymm_k1z_xmmm32 EVEX_Vpbroadcastd_zmm_k1z_xmmm32;
    SPLAT_I64 = VEX_Vpbroadcastq_xmm_xmmm64 VEX_Vpbroadcastq_ymm_xmmm64 EVEX_Vpbroadcastq_xmm_k1z_xmmm64 EVEX_Vpbroadcastq_ymm_k1z_xmmm64 EVEX_Vpbroadcastq_zmm_k1z_xmmm64;
    LOAD = VEX_Vmovups_xmm_xmmm128 VEX_Vmovups_ymm_ymmm256 EVEX_Vmovups_xmm_k1z_xmmm128 EVEX_Vmovups_ymm_k1z_ymmm256 EVEX_Vmovups_zmm_k1z_zmmm512;
    STORE = VEX_Vmovups_xmmm128_xmm VEX_Vmovups_ymmm256_ymm EVEX_Vmovups_xmmm128_k1z_xmm EVEX_Vmovups_ymmm256_k1z_ymm EVEX_Vmovups_zmmm512_k1z_zmm;
    MOVE = VEX_Vmovaps_xmm_xmmm128 VEX_Vmovaps_ymm_ymmm256 EVEX_Vmovaps_xmm_k1z_xmmm128 EVEX_Vmovaps_ymm_k1z_ymmm256 EVEX_Vmovaps_zmm_k1z_zmmm512;
    PACK_U_I32 = VEX_Vpackusdw_xmm_xmm_xmmm128 VEX_Vpackusdw_ymm_ymm_ymmm256 EVEX_Vpackusdw_xmm_k1z_xmm_xmmm128b32 EVEX_Vpackusdw_ymm_k1z_ymm_ymmm256b32 EVEX_Vpackusdw_zmm_k1z_zmm_zmmm512b32;
    PACK_U_I16 = VEX_Vpackuswb_xmm_xmm_xmmm128 VEX_Vpackuswb_ymm_ymm_ymmm256 EVEX_Vpackuswb_xmm_k1z_xmm_xmmm128 EVEX_Vpackuswb_ymm_k1z_ymm_ymmm256 EVEX_Vpackuswb_zmm_k1z_zmm_zmmm512;
    SHUFFLE_F32 = VEX_Vshufps_xmm_xmm_xmmm128_imm8 VEX_Vshufps_ymm_ymm_ymmm256_imm8 EVEX_Vshufps_xmm_k1z_xmm_xmmm128b32_imm8 EVEX_Vshufps_ymm_k1z_ymm_ymmm256b32_imm8 EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8;
    PERMUTE_I64 = _ VEX_Vpermq_ymm_ymmm256_imm8 _ EVEX_Vpermq_ymm_k1z_ymmm256b64_imm8 EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8;
    PICK_128 = _ VEX_Vperm2i128_ymm_ymm_ymmm256_imm8 _ _ _;
    EXTRACT_128 = _ VEX_Vextracti128_xmmm128_ymm_imm8 _ EVEX_Vextracti32x4_xmmm128_k1z_ymm_imm8 EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8;
    INSERT_128 = _ VEX_Vinserti128_ymm_ymm_xmmm128_imm8 _ EVEX_Vinserti32x4_ymm_k1z_ymm_xmmm128_imm8 EVEX_Vinserti32x4_zmm_k1z_zmm_xmmm128_imm8;
    EXTRACT_256 = _ _ _ _ EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
    INSERT_256 = _ _ _ _ EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
    UNPACK_LOW_I8 = VEX_Vpunpcklbw_xmm_xmm_xmmm128 VEX_Vpunpcklbw_ymm_ymm_ymmm256 EVEX_Vpunpcklbw_xmm_k1z_xmm_xmmm128 EVEX_Vpunpcklbw_ymm_k1z_ymm_ymmm256 EVEX_Vpunpcklbw_zmm_k1z_zmm_zmmm512;
    UNPACK_LOW_I16 = VEX_Vpunpcklwd_xmm_xmm_xmmm128 VEX_Vpunpcklwd_ymm_ymm_ymmm256 EVEX_Vpunpcklwd_xmm_k1z_xmm_xmmm128 EVEX_Vpunpcklwd_ymm_k1z_ymm_ymmm256 EVEX_Vpunpcklwd_zmm_k1z_zmm_zmmm512;
    UNPACK_LOW_I32 = VEX_Vpunpckldq_xmm_xmm_xmmm128 VEX_Vpunpckldq_ymm_ymm_ymmm256 EVEX_Vpunpckldq_xmm_k1z_xmm_xmmm128b32 EVEX_Vpunpckldq_ymm_k1z_ymm_ymmm256b32 EVEX_Vpunpckldq_zmm_k1z_zmm_zmmm512b32;
    UNPACK_LOW_I64 = VEX_Vpunpcklqdq_xmm_xmm_xmmm128 VEX_Vpunpcklqdq_ymm_ymm_ymmm256 EVEX_Vpunpcklqdq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpunpcklqdq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpunpcklqdq_zmm_k1z_zmm_zmmm512b64;
    UNPACK_HIGH_I8 = VEX_Vpunpckhbw_xmm_xmm_xmmm128 VEX_Vpunpckhbw_ymm_ymm_ymmm256 EVEX_Vpunpckhbw_xmm_k1z_xmm_xmmm128 EVEX_Vpunpckhbw_ymm_k1z_ymm_ymmm256 EVEX_Vpunpckhbw_zmm_k1z_zmm_zmmm512;
    UNPACK_HIGH_I16 = VEX_Vpunpckhwd_xmm_xmm_xmmm128 VEX_Vpunpckhwd_ymm_ymm_ymmm256 EVEX_Vpunpckhwd_xmm_k1z_xmm_xmmm128 EVEX_Vpunpckhwd_ymm_k1z_ymm_ymmm256 EVEX_Vpunpckhwd_zmm_k1z_zmm_zmmm512;
    UNPACK_HIGH_I32 = VEX_Vpunpckhdq_xmm_xmm_xmmm128 VEX_Vpunpckhdq_ymm_ymm_ymmm256 EVEX_Vpunpckhdq_xmm_k1z_xmm_xmmm128b32 EVEX_Vpunpckhdq_ymm_k1z_ymm_ymmm256b32 EVEX_Vpunpckhdq_zmm_k1z_zmm_zmmm512b32;
    UNPACK_HIGH_I64 = VEX_Vpunpckhqdq_xmm_xmm_xmmm128 VEX_Vpunpckhqdq_ymm_ymm_ymmm256 EVEX_Vpunpckhqdq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpunpckhqdq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpunpckhqdq_zmm_k1z_zmm_zmmm512b64;
    PICK_I32 = _ _ EVEX_Vpermt2d_xmm_k1z_xmm_xmmm128b32 EVEX_Vpermt2d_ymm_k1z_ymm_ymmm256b32 EVEX_Vpermt2d_zmm_k1z_zmm_zmmm512b32;
    PICK_I64 = _ _ EVEX_Vpermt2q_xmm_k1z_xmm_xmmm128b64 EVEX_Vpermt2q_ymm_k1z_ymm_ymmm256b64 EVEX_Vpermt2q_zmm_k1z_zmm_zmmm512b64;
    SHIFT_BYTES_RIGHT = VEX_Vpsrldq_xmm_xmm_imm8 VEX_Vpsrldq_ymm_ymm_imm8 EVEX_Vpsrldq_xmm_xmmm128_imm8 EVEX_Vpsrldq_ymm_ymmm256_imm8 EVEX_Vpsrldq_zmm_zmmm512_imm8;
    PICK_I16 = _ _ EVEX_Vpermt2w_xmm_k1z_xmm_xmmm128 EVEX_Vpermt2w_ymm_k1z_ymm_ymmm256 EVEX_Vpermt2w_zmm_k1z_zmm_zmmm512;
    PICK_I8 = _ _ EVEX_Vpermt2b_xmm_k1z_xmm_xmmm128 EVEX_Vpermt2b_ymm_k1z_ymm_ymmm256 EVEX_Vpermt2b_zmm_k1z_zmm_zmmm512;
    PICK_BYTES = VEX_Vpshufb_xmm_xmm_xmmm128 VEX_Vpshufb_ymm_ymm_ymmm256 EVEX_Vpshufb_xmm_k1z_xmm_xmmm128 EVEX_Vpshufb_ymm_k1z_ymm_ymmm256 EVEX_Vpshufb_zmm_k1z_zmm_zmmm512;
    PERMUTE_I32 = _ VEX_Vpermd_ymm_ymm_ymmm256 _ EVEX_Vpermd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32;
    BLEND_I32 = VEX_Vpblendd_xmm_xmm_xmmm128_imm8 VEX_Vpblendd_ymm_ymm_ymmm256_imm8 _ _ _;
    F16_TO_F32 = VEX_Vcvtph2ps_xmm_xmmm64 VEX_Vcvtph2ps_ymm_xmmm128 EVEX_Vcvtph2ps_xmm_k1z_xmmm64 EVEX_Vcvtph2ps_ymm_k1z_xmmm128 EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae;
    F32_TO_F16 = VEX_Vcvtps2ph_xmmm64_xmm_imm8 VEX_Vcvtps2ph_xmmm128_ymm_imm8 EVEX_Vcvtps2ph_xmmm64_k1z_xmm_imm8 EVEX_Vcvtps2ph_xmmm128_k1z_ymm_imm8 EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae;
    GATHER_I32_BY_I32 = VEX_Vgatherdps_xmm_vm32x_xmm VEX_Vgatherdps_ymm_vm32y_ymm EVEX_Vgatherdps_xmm_k1_vm32x EVEX_Vgatherdps_ymm_k1_vm32y EVEX_Vgatherdps_zmm_k1_vm32z;
    GATHER_I32_BY_I64 = VEX_Vgatherqps_xmm_vm64x_xmm VEX_Vgatherqps_xmm_vm64y_xmm EVEX_Vgatherqps_xmm_k1_vm64x EVEX_Vgatherqps_xmm_k1_vm64y EVEX_Vgatherqps_ymm_k1_vm64z;
    GATHER_I64_BY_I64 = VEX_Vgatherqpd_xmm_vm64x_xmm VEX_Vgatherqpd_ymm_vm64y_ymm EVEX_Vgatherqpd_xmm_k1_vm64x EVEX_Vgatherqpd_ymm_k1_vm64y EVEX_Vgatherqpd_zmm_k1_vm64z;
    SCATTER_I32_BY_I32 = _ _ EVEX_Vscatterdps_vm32x_k1_xmm EVEX_Vscatterdps_vm32y_k1_ymm EVEX_Vscatterdps_vm32z_k1_zmm;
    SCATTER_I32_BY_I64 = _ _ EVEX_Vscatterqps_vm64x_k1_xmm EVEX_Vscatterqps_vm64y_k1_xmm EVEX_Vscatterqps_vm64z_k1_ymm;
    SCATTER_I64_BY_I64 = _ _ EVEX_Vscatterqpd_vm64x_k1_xmm EVEX_Vscatterqpd_vm64y_k1_ymm EVEX_Vscatterqpd_vm64z_k1_zmm;
    MASKED_LOAD_I8 = _ _ EVEX_Vmovdqu8_xmm_k1z_xmmm128 EVEX_Vmovdqu8_ymm_k1z_ymmm256 EVEX_Vmovdqu8_zmm_k1z_zmmm512;
    MASKED_LOAD_I16 = _ _ EVEX_Vmovdqu16_xmm_k1z_xmmm128 EVEX_Vmovdqu16_ymm_k1z_ymmm256 EVEX_Vmovdqu16_zmm_k1z_zmmm512;
    MASKED_LOAD_I32 = VEX_Vmaskmovps_xmm_xmm_m128 VEX_Vmaskmovps_ymm_ymm_m256 EVEX_Vmovups_xmm_k1z_xmmm128 EVEX_Vmovups_ymm_k1z_ymmm256 EVEX_Vmovups_zmm_k1z_zmmm512;
    MASKED_LOAD_I64 = VEX_Vmaskmovpd_xmm_xmm_m128 VEX_Vmaskmovpd_ymm_ymm_m256 EVEX_Vmovupd_xmm_k1z_xmmm128 EVEX_Vmovupd_ymm_k1z_ymmm256 EVEX_Vmovupd_zmm_k1z_zmmm512;
    MASKED_STORE_I8 = _ _ EVEX_Vmovdqu8_xmmm128_k1z_xmm EVEX_Vmovdqu8_ymmm256_k1z_ymm EVEX_Vmovdqu8_zmmm512_k1z_zmm;
    MASKED_STORE_I16 = _ _ EVEX_Vmovdqu16_xmmm128_k1z_xmm EVEX_Vmovdqu16_ymmm256_k1z_ymm EVEX_Vmovdqu16_zmmm512_k1z_zmm;
    MASKED_STORE_I32 = VEX_Vmaskmovps_m128_xmm_xmm VEX_Vmaskmovps_m256_ymm_ymm EVEX_Vmovups_xmmm128_k1z_xmm EVEX_Vmovups_ymmm256_k1z_ymm EVEX_Vmovups_zmmm512_k1z_zmm;
    MASKED_STORE_I64 = VEX_Vmaskmovpd_m128_xmm_xmm VEX_Vmaskmovpd_m256_ymm_ymm EVEX_Vmovupd_xmmm128_k1z_xmm EVEX_Vmovupd_ymmm256_k1z_ymm EVEX_Vmovupd_zmmm512_k1z_zmm;
    SHL_I16 = _ _ EVEX_Vpsllvw_xmm_k1z_xmm_xmmm128 EVEX_Vpsllvw_ymm_k1z_ymm_ymmm256 EVEX_Vpsllvw_zmm_k1z_zmm_zmmm512;
    SHL_I32 = VEX_Vpsllvd_xmm_xmm_xmmm128 VEX_Vpsllvd_ymm_ymm_ymmm256 EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpsllvd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32;
    SHL_I64 = VEX_Vpsllvq_xmm_xmm_xmmm128 VEX_Vpsllvq_ymm_ymm_ymmm256 EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpsllvq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64;
    SHR_U_I16 = _ _ EVEX_Vpsrlvw_xmm_k1z_xmm_xmmm128 EVEX_Vpsrlvw_ymm_k1z_ymm_ymmm256 EVEX_Vpsrlvw_zmm_k1z_zmm_zmmm512;
    SHR_U_I32 = VEX_Vpsrlvd_xmm_xmm_xmmm128 VEX_Vpsrlvd_ymm_ymm_ymmm256 EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpsrlvd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32;
    SHR_U_I64 = VEX_Vpsrlvq_xmm_xmm_xmmm128 VEX_Vpsrlvq_ymm_ymm_ymmm256 EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpsrlvq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64;
    SHR_S_I16 = _ _ EVEX_Vpsravw_xmm_k1z_xmm_xmmm128 EVEX_Vpsravw_ymm_k1z_ymm_ymmm256 EVEX_Vpsravw_zmm_k1z_zmm_zmmm512;
    SHR_S_I32 = VEX_Vpsravd_xmm_xmm_xmmm128 VEX_Vpsravd_ymm_ymm_ymmm256 EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32 EVEX_Vpsravd_ymm_k1z_ymm_ymmm256b32 EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32;
    SHR_S_I64 = _ _ EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64 EVEX_Vpsravq_ymm_k1z_ymm_ymmm256b64 EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64;
}
