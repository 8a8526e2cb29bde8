//! Conversions to small floating-point formats give the codes that `mlir-opt` gives constants.

use std::fmt::Write;
use std::process::Command;

use libtest_mimic::Trial;

use super::run;
use crate::common::scratch;
use crate::needs::{self, trials};

/// A format: MLIR's name, bytes of a code, and our conversions.
struct Format {
    name: &'static str,
    bytes: usize,
    decode: fn(u32) -> f64,
    encode: fn(f64) -> u32,
}

macro_rules! small_float {
    ($name:literal, $code:ty, $decode:ident, $encode:ident) => {
        Format {
            name: $name,
            bytes: size_of::<$code>(),
            decode: |code| f64::from(freehold_runtime::float_format::$decode(code as $code)),
            encode: |value| u32::from(freehold_runtime::float_format::$encode(value)),
        }
    };
}

const FORMATS: [Format; 8] = [
    small_float!("f16", u16, freehold_f32_from_f16, freehold_f16_from_f64),
    small_float!("bf16", u16, freehold_f32_from_bf16, freehold_bf16_from_f64),
    small_float!(
        "f8E5M2",
        u8,
        freehold_f32_from_f8e5m2,
        freehold_f8e5m2_from_f64
    ),
    small_float!(
        "f8E4M3",
        u8,
        freehold_f32_from_f8e4m3,
        freehold_f8e4m3_from_f64
    ),
    small_float!(
        "f8E4M3FN",
        u8,
        freehold_f32_from_f8e4m3fn,
        freehold_f8e4m3fn_from_f64
    ),
    small_float!(
        "f8E5M2FNUZ",
        u8,
        freehold_f32_from_f8e5m2fnuz,
        freehold_f8e5m2fnuz_from_f64
    ),
    small_float!(
        "f8E4M3FNUZ",
        u8,
        freehold_f32_from_f8e4m3fnuz,
        freehold_f8e4m3fnuz_from_f64
    ),
    small_float!(
        "f8E4M3B11FNUZ",
        u8,
        freehold_f32_from_f8e4m3b11fnuz,
        freehold_f8e4m3b11fnuz_from_f64
    ),
];

/// Values of codes, middles between neighbours and what is next to them, and extremes.
fn values(format: &Format) -> Vec<f64> {
    // All codes of eight bits; every 61st of sixteen.
    let step = if format.bytes == 1 { 1 } else { 61 };
    let mut values = vec![
        0.0, 1e300, 1e-300, 448.0, 464.0, 464.5, 480.0, 65519.9, 65520.0, 1e6,
    ];
    for code in (0..1u32 << (8 * format.bytes)).step_by(step) {
        let (value, next) = ((format.decode)(code), (format.decode)(code + 1));
        let middle = value + (next - value) / 2.0;
        values.extend([value, middle, middle.next_up(), middle.next_down()]);
    }
    values.retain(|value| value.is_finite());
    let negative: Vec<f64> = values.iter().map(|value| -value).collect();
    values.extend(negative);
    values
}

fn codes_are_those_of_mlir() {
    let tool = needs::find("mlir-opt-19").expect("the test says that it needs it");
    let mut text = String::new();
    for format in &FORMATS {
        let values = values(format);
        let list: Vec<String> = values.iter().map(|value| format!("{value:.20e}")).collect();
        writeln!(
            text,
            "\"test.values\"() {{a = dense<[{}]> : tensor<{}x{}>}} : () -> ()",
            list.join(", "),
            values.len(),
            format.name
        )
        .expect("strings grow");
    }
    let input = scratch("formats.mlir");
    std::fs::write(&input, text).expect("the scratch directory is writable");
    let hexadecimal = "--mlir-print-elementsattrs-with-hex-if-larger=1";
    let output = run(Command::new(tool)
        .args(["--allow-unregistered-dialect", hexadecimal])
        .arg(input));
    let text = String::from_utf8(output.stdout).expect("MLIR prints ASCII");
    let constants: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once("dense<\"0x")?.1.split_once('"')?.0))
        .collect();
    assert_eq!(constants.len(), FORMATS.len());
    for (format, constant) in FORMATS.iter().zip(constants) {
        let values = values(format);
        let digits = 2 * format.bytes;
        assert_eq!(constant.len(), values.len() * digits);
        for (index, value) in values.iter().enumerate() {
            let code = &constant[index * digits..][..digits];
            let code = u32::from_str_radix(code, 16).expect("hexadecimal digits");
            let code = if format.bytes == 2 {
                u32::from((code as u16).swap_bytes())
            } else {
                code
            };
            let ours = (format.encode)(*value);
            assert_eq!(
                ours, code,
                "{} of {value:e}: {ours:#x}, mlir-opt {code:#x}",
                format.name
            );
        }
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        codes_are_those_of_mlir needs ["mlir-opt-19"],
    ]
}
