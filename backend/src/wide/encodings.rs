//! Every instruction that kernels may have, encoded: for a test that has another disassembler read them.

use iced_x86::{Code, Encoder, FastFormatter};
use regalloc2::{Allocation, PReg, RegClass, VReg};
use smallvec::SmallVec;

use super::assemble::machine_instruction;
use super::code::{Base, GENERAL, Inst, MASK, Memory, Operand, Size, VECTOR};
use super::constants::element_in_memory;
use super::forms;

/// An instruction in all forms.
pub struct Encoded {
    /// The name of its code.
    pub code: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it says.
    pub text: String,
}

/// Every instruction that kernels may have, with operands of all kinds, or why one has no encoding.
pub fn encodings() -> Result<Vec<Encoded>, String> {
    let rows = forms::ALL.iter().flat_map(|form| form.codes());
    let codes: Vec<Code> = rows.chain(OTHERS.iter().copied()).collect();
    let mut encodings = Vec::new();
    for &code in &codes {
        for first in [0, 5, 14, 27] {
            for (inst, allocs) in instructions(code, first) {
                let instruction = machine_instruction(&inst, &allocs)
                    .map_err(|failure| format!("{failure:?}"))?;
                let mut encoder = Encoder::new(64);
                encoder
                    .encode(&instruction, 0)
                    .map_err(|error| format!("{code:?}: {error}"))?;
                let mut text = String::new();
                let mut formatter = FastFormatter::new();
                formatter.options_mut().set_use_pseudo_ops(false);
                formatter.format(&instruction, &mut text);
                encodings.push(Encoded {
                    code: format!("{code:?}"),
                    bytes: encoder.take_buffer(),
                    text,
                });
            }
        }
    }
    Ok(encodings)
}

/// Instructions on general registers and those without a row, with what their names do not say.
const OTHERS: &[Code] = &[
    Code::Add_r64_rm64,
    Code::Add_rm64_imm32,
    Code::And_r64_rm64,
    Code::And_rm64_imm32,
    Code::Cmova_r64_rm64,
    Code::Cmovae_r64_rm64,
    Code::Cmovb_r64_rm64,
    Code::Cmovbe_r64_rm64,
    Code::Cmove_r64_rm64,
    Code::Cmovg_r64_rm64,
    Code::Cmovge_r64_rm64,
    Code::Cmovl_r64_rm64,
    Code::Cmovle_r64_rm64,
    Code::Cmovne_r64_rm64,
    Code::Cmp_r64_rm64,
    Code::Cmp_rm64_imm32,
    Code::Imul_r64_rm64,
    Code::Imul_r64_rm64_imm32,
    Code::Mov_r32_rm32,
    Code::Mov_r64_imm64,
    Code::Mov_r64_rm64,
    Code::Mov_rm16_r16,
    Code::Mov_rm32_r32,
    Code::Mov_rm64_imm32,
    Code::Mov_rm64_r64,
    Code::Mov_rm8_r8,
    Code::Movsx_r64_rm16,
    Code::Movsx_r64_rm8,
    Code::Movsxd_r64_rm32,
    Code::Movzx_r32_rm16,
    Code::Movzx_r32_rm8,
    Code::Or_r64_rm64,
    Code::Or_rm64_imm32,
    Code::Sar_rm64_imm8,
    Code::Shl_rm64_imm8,
    Code::Shr_rm64_imm8,
    Code::Sub_r64_rm64,
    Code::Sub_rm64_imm32,
    Code::Xor_r64_rm64,
    Code::Xor_rm64_imm32,
    Code::EVEX_Vpextrb_r32m8_xmm_imm8,
    Code::EVEX_Vpextrw_r32m16_xmm_imm8,
    Code::VEX_Vpextrb_r32m8_xmm_imm8,
    Code::VEX_Vpextrw_r32m16_xmm_imm8,
    Code::EVEX_Vmovd_rm32_xmm,
    Code::EVEX_Vmovq_rm64_xmm,
    Code::EVEX_Vmovq_xmm_rm64,
    Code::EVEX_Vmovsd_m64_k1_xmm,
    Code::EVEX_Vmovsd_xmm_k1z_m64,
    Code::EVEX_Vmovss_m32_k1_xmm,
    Code::EVEX_Vmovss_xmm_k1z_m32,
    Code::VEX_Kandq_kr_kr_kr,
    Code::VEX_Kmovd_r32_kr,
    Code::VEX_Kmovq_kr_km64,
    Code::VEX_Kmovq_kr_r64,
    Code::VEX_Kmovq_m64_kr,
    Code::VEX_Korq_kr_kr_kr,
    Code::VEX_Kshiftlq_kr_kr_imm8,
    Code::VEX_Kshiftrq_kr_kr_imm8,
    Code::VEX_Kxorq_kr_kr_kr,
    Code::VEX_Vmovd_rm32_xmm,
    Code::VEX_Vmovq_rm64_xmm,
    Code::VEX_Vmovq_xmm_rm64,
    Code::VEX_Vmovsd_m64_xmm,
    Code::VEX_Vmovsd_xmm_m64,
    Code::VEX_Vmovss_m32_xmm,
    Code::VEX_Vmovss_xmm_m32,
];

/// An operand, by its word in the name of a code.
enum Kind {
    Register(RegClass, Size),
    /// A register, or memory.
    Either(RegClass, Size),
    Memory,
    /// As many places as a register of this size has indices.
    Places(Size),
    Byte,
    Number,
    Wide,
}

fn kind(word: &str) -> Option<Kind> {
    let general = |bits: &str| match bits {
        "8" => Size::B1,
        "16" => Size::B2,
        "32" => Size::B4,
        _ => Size::B8,
    };
    Some(match word {
        "xmm" => Kind::Register(VECTOR, Size::X),
        "ymm" => Kind::Register(VECTOR, Size::Y),
        "zmm" => Kind::Register(VECTOR, Size::Z),
        "kr" => Kind::Register(MASK, Size::K),
        "km64" => Kind::Either(MASK, Size::K),
        "imm8" => Kind::Byte,
        "imm32" => Kind::Number,
        "imm64" => Kind::Wide,
        "m32" | "m64" | "m128" | "m256" => Kind::Memory,
        // Written to memory only.
        "r32m8" | "r32m16" => Kind::Memory,
        "vm32x" | "vm64x" => Kind::Places(Size::X),
        "vm32y" | "vm64y" => Kind::Places(Size::Y),
        "vm32z" | "vm64z" => Kind::Places(Size::Z),
        _ if word.starts_with("xmmm") => Kind::Either(VECTOR, Size::X),
        _ if word.starts_with("ymmm") => Kind::Either(VECTOR, Size::Y),
        _ if word.starts_with("zmmm") => Kind::Either(VECTOR, Size::Z),
        _ if word.starts_with("rm") => Kind::Either(GENERAL, general(&word[2..])),
        _ if word.starts_with('r') => Kind::Register(GENERAL, general(&word[1..])),
        // Masks, roundings.
        _ => return None,
    })
}

/// The instructions of a code: with registers from `first` on, with memory where there may be some.
fn instructions(code: Code, first: usize) -> Vec<(Inst, Vec<Allocation>)> {
    let name = format!("{code:?}");
    let is_vector = name.starts_with("VEX") || name.starts_with("EVEX");
    let words: Vec<&str> = name.split('_').skip(1 + usize::from(is_vector)).collect();
    let kinds: Vec<Kind> = words.iter().filter_map(|word| kind(word)).collect();
    let n_vectors = if name.starts_with("EVEX") { 32 } else { 16 };
    let has_either = kinds.iter().any(|kind| matches!(kind, Kind::Either(..)));
    let has_memory = has_either || kinds.iter().any(|kind| matches!(kind, Kind::Memory));
    let mut found = Vec::new();
    for in_memory in [false, true] {
        let is_masked =
            name.contains("Vpblendm") || name.contains("atter") || name.contains("ather");
        if in_memory && !has_memory || !in_memory && has_memory && !has_either {
            continue;
        }
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        let mut allocs = Vec::new();
        let mut next = first;
        let mut register = |class: RegClass, allocs: &mut Vec<Allocation>| {
            next += 1;
            let number = match class {
                VECTOR => next % n_vectors,
                MASK => 1 + next % 7,
                // Not the stack's.
                _ => [0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15][next % 14],
            };
            allocs.push(Allocation::reg(PReg::new(number, class)));
            VReg::new(0, class)
        };
        for kind in &kinds {
            operands.push(match *kind {
                Kind::Either(..) if in_memory => {
                    let base = register(GENERAL, &mut allocs);
                    let index = register(GENERAL, &mut allocs);
                    Operand::Memory(Memory {
                        base: Base::Register(base),
                        index: Some((index, [1, 2, 4, 8][first % 4])),
                        offset: [0, 64, -64, 4100][first / 2 % 4],
                    })
                }
                Kind::Places(size) => {
                    let base = register(GENERAL, &mut allocs);
                    // Another one than that of the result and the mask.
                    let indices = register(VECTOR, &mut allocs);
                    Operand::Places(base, indices, size, [4, 8][first % 2])
                }
                Kind::Memory => {
                    Operand::Memory(Memory::at(register(GENERAL, &mut allocs), 8 * first as i32))
                }
                Kind::Register(class, size) | Kind::Either(class, size) => {
                    Operand::Use(register(class, &mut allocs), size)
                }
                // No predicate that has a name.
                Kind::Byte => Operand::Byte(43),
                Kind::Number => Operand::Number(123_456),
                Kind::Wide => Operand::Wide(0x1234_5678_9abc_def0),
            });
        }
        let mut inst = Inst::new(code, &operands);
        if is_masked && name.starts_with("EVEX") {
            inst.mask = Some(register(MASK, &mut allocs));
        }
        found.push((inst.clone(), allocs.clone()));
        if let Some((index, _)) = element_in_memory(code).filter(|_| in_memory) {
            assert!(matches!(operands[index], Operand::Memory(_)), "{name}");
            let broadcast = true;
            let inst = Inst {
                broadcast,
                ..inst.clone()
            };
            found.push((inst, allocs.clone()));
        }
        // Lanes are left out of what is loaded and stored.
        if in_memory && (name.starts_with("EVEX_Vmovdqu") || name.starts_with("EVEX_Vmovup")) {
            inst.mask = Some(VReg::new(0, MASK));
            allocs.push(Allocation::reg(PReg::new(1 + first % 7, MASK)));
            found.push((inst, allocs));
        }
    }
    found
}
