//! Every instruction that kernels on wide vectors may have, read by LLVM's disassembler.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use freehold_backend::{Encoded, encodings};
use libtest_mimic::Trial;

use crate::needs::trials;

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
    // One element for all lanes: LLVM says how many there are, behind the address.
    for size in ["qword", "dword", "word"] {
        text = text.replace(&format!("{size} bcst "), "bcst");
    }
    for lanes in ["2", "4", "8", "16", "32"] {
        if text.contains(&format!("{{1to{lanes}}}")) {
            text = text
                .replace(&format!("{{1to{lanes}}}"), "")
                .replace('[', "bcst[");
        }
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

fn instructions_are_what_another_disassembler_reads() {
    let expected = encodings().unwrap();
    let mut bytes = String::new();
    for Encoded { bytes: ours, .. } in &expected {
        for byte in ours {
            bytes.push_str(&format!("{byte:#04x} "));
        }
        bytes.push('\n');
    }
    let mut process = Command::new("llvm-mc-19")
        .args(["--disassemble", "-triple=x86_64", "--output-asm-variant=1"])
        .arg("-mattr=+avx2,+fma,+f16c,+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512vbmi,+avx512fp16")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
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
    for (line, Encoded { code, text, .. }) in lines.iter().zip(&expected) {
        let (line, ours) = (normalized(line), normalized(text));
        if line != ours {
            wrong.push_str(&format!("{code}: {ours} is read as {line}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let codes: BTreeSet<&str> = expected.iter().map(|encoded| &*encoded.code).collect();
    assert!(codes.len() > 400, "{}", codes.len());
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![instructions_are_what_another_disassembler_reads needs ["llvm-mc-19"]]
}
