//! Every instruction that kernels may have, encoded, and read by LLVM's disassembler.

use std::io::Write as _;
use std::process::{Command, Stdio};

use iced_x86::{Code, Encoder, FastFormatter};
use regalloc2::{Allocation, PReg, RegClass, VReg};
use smallvec::SmallVec;

use super::assemble::machine_instruction;
use super::code::{Base, GENERAL, Inst, MASK, Memory, Operand, Size, VECTOR};
use super::forms;

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
        // Lanes are left out of what is loaded and stored.
        if in_memory && (name.starts_with("EVEX_Vmovdqu") || name.starts_with("EVEX_Vmovup")) {
            inst.mask = Some(VReg::new(0, MASK));
            allocs.push(Allocation::reg(PReg::new(1 + first % 7, MASK)));
            found.push((inst, allocs));
        }
    }
    found
}

/// What an instruction says, however it is spelled.
fn normalized(text: &str) -> String {
    // Behind a number sign LLVM explains.
    let text = text.split('#').next().unwrap_or_default();
    let mut text = text.to_lowercase().replace('\t', " ");
    for size in [
        "xmmword", "ymmword", "zmmword", "qword", "dword", "word", "byte",
    ] {
        text = text.replace(&format!("{size} ptr "), "");
    }
    let (name, operands) = text.trim().split_once(' ').unwrap_or((&text, ""));
    // Both names of the same instructions.
    let name = match name {
        "movabs" => "mov",
        "cmovz" => "cmove",
        "cmovnz" => "cmovne",
        "cmovnc" => "cmovae",
        other => other,
    };
    let mut result = format!("{name} ");
    let mut rest = operands.replace(' ', "");
    while let Some((before, after)) = rest.clone().split_once('[') {
        let (address, behind) = after.split_once(']').unwrap();
        let mut terms: Vec<String> = address
            .replace('-', "+-")
            .split('+')
            .filter(|term| !term.is_empty())
            .map(|term| match term.split_once('*') {
                Some((a, b)) if a.starts_with(['r', 'x', 'y', 'z']) => format!("{b}*{a}"),
                Some((a, b)) => format!("{a}*{b}"),
                None => term.to_owned(),
            })
            .map(|term| number(term.strip_prefix("1*").unwrap_or(&term)))
            .collect();
        terms.sort();
        result.push_str(&format!("{before}<{}>", terms.join("+")));
        rest = behind.to_owned();
    }
    let operands: Vec<String> = rest.split(',').map(number).collect();
    result + &operands.join(",")
}

/// Numbers with an `h` behind them are hexadecimal.
fn number(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let hex = digits
        .strip_suffix('h')
        .and_then(|digits| i64::from_str_radix(digits, 16).ok());
    match hex {
        Some(0) => "0".to_owned(),
        Some(number) => format!("{sign}{number}"),
        None => text.to_owned(),
    }
}

#[test]
fn instructions_are_what_another_disassembler_reads() {
    let rows = forms::ALL.iter().flat_map(|form| form.codes());
    let codes: Vec<Code> = rows.chain(OTHERS.iter().copied()).collect();
    let (mut bytes, mut expected) = (String::new(), Vec::new());
    for &code in &codes {
        for first in [0, 5, 14, 27] {
            for (inst, allocs) in instructions(code, first) {
                let instruction = machine_instruction(&inst, &allocs).unwrap();
                let mut encoder = Encoder::new(64);
                encoder
                    .encode(&instruction, 0)
                    .unwrap_or_else(|error| panic!("{code:?}: {error}"));
                for byte in encoder.take_buffer() {
                    bytes.push_str(&format!("{byte:#04x} "));
                }
                bytes.push('\n');
                let mut text = String::new();
                let mut formatter = FastFormatter::new();
                formatter.options_mut().set_use_pseudo_ops(false);
                formatter.format(&instruction, &mut text);
                expected.push((code, text));
            }
        }
    }
    let process = Command::new("llvm-mc-19")
        .args(["--disassemble", "-triple=x86_64", "--output-asm-variant=1"])
        .arg("-mattr=+avx2,+fma,+f16c,+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512vbmi,+avx512fp16")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut process) = process else {
        println!("SKIPPED: llvm-mc-19 is not installed");
        return;
    };
    let mut input = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(bytes.as_bytes()));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = (text.lines())
        .filter(|line| !line.trim().is_empty() && !line.trim().starts_with('.'))
        .collect();
    assert_eq!(lines.len(), expected.len());
    let mut wrong = String::new();
    for (line, (code, ours)) in lines.iter().zip(&expected) {
        let (line, ours) = (normalized(line), normalized(ours));
        if line != ours {
            wrong.push_str(&format!("{code:?}: {ours} is read as {line}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(codes.len() > 400, "{}", codes.len());
}
