//! Float operations in every format, against the same computed in Rust.

use std::fmt::Write as _;

use libtest_mimic::Trial;

use crate::common::{Machine, Module, everywhere, host_options};
use crate::needs::trials;
use half::{bf16, f16};

/// A float format and how to get at its values.
#[derive(Clone, Copy)]
struct Format {
    name: &'static str,
    width: u32,
    decode: fn(u64) -> f64,
    encode: fn(f64) -> u64,
}

const FORMATS: [Format; 4] = [
    Format {
        name: "f16",
        width: 16,
        decode: |bits| f16::from_bits(bits as u16).to_f64_const(),
        encode: |value| u64::from(f16::from_f64_const(value).to_bits()),
    },
    Format {
        name: "bf16",
        width: 16,
        decode: |bits| bf16::from_bits(bits as u16).to_f64_const(),
        encode: |value| u64::from(bf16::from_f64_const(value).to_bits()),
    },
    Format {
        name: "f32",
        width: 32,
        decode: |bits| f64::from(f32::from_bits(bits as u32)),
        encode: |value| u64::from((value as f32).to_bits()),
    },
    Format {
        name: "f64",
        width: 64,
        decode: f64::from_bits,
        encode: f64::to_bits,
    },
];

/// Functions that count differences between arrays of bits.
#[derive(Default)]
struct Suite {
    text: String,
    names: Vec<String>,
}

fn hex(values: &[u64]) -> String {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02X}").unwrap();
            text
        })
}

impl Suite {
    /// `compute` computes `%r : i64` from `%a, %b : i64`. Rows are two operands
    /// and the expected bits; `None` if any NaN will do, which `is_nan` finds in `%r`.
    fn case(&mut self, name: &str, compute: &str, rows: &[(u64, u64, Option<u64>)], nan: &str) {
        let n = rows.len();
        let columns = [
            ("a", rows.iter().map(|row| row.0).collect::<Vec<_>>()),
            ("b", rows.iter().map(|row| row.1).collect()),
            ("e", rows.iter().map(|row| row.2.unwrap_or(0)).collect()),
            (
                "n",
                rows.iter().map(|row| u64::from(row.2.is_none())).collect(),
            ),
        ];
        for (letter, column) in &columns {
            let data = hex(column);
            writeln!(
                self.text,
                "memref.global \"private\" constant @{name}_{letter} : memref<{n}xi64> = dense<\"0x{data}\">"
            )
            .unwrap();
        }
        let mut loads = String::new();
        for (letter, _) in columns {
            writeln!(
                loads,
                "%{letter}s = memref.get_global @{name}_{letter} : memref<{n}xi64>
                 %{letter} = memref.load %{letter}s[%i] : memref<{n}xi64>"
            )
            .unwrap();
        }
        writeln!(
            self.text,
            "func.func @{name}() -> i32 {{
               %zero = arith.constant 0 : index
               %one = arith.constant 1 : index
               %zero64 = arith.constant 0 : i64
               %n_rows = arith.constant {n} : index
               %none = arith.constant 0 : i32
               cf.br ^loop(%zero, %none : index, i32)
             ^loop(%i: index, %count: i32):
               %more = arith.cmpi slt, %i, %n_rows : index
               cf.cond_br %more, ^body, ^done
             ^body:
               {loads}
               {compute}
               {nan}
               %wants_nan = arith.cmpi ne, %n, %zero64 : i64
               %other = arith.cmpi ne, %r, %e : i64
               %true = arith.constant true
               %no_nan = arith.xori %is_nan, %true : i1
               %differs = arith.select %wants_nan, %no_nan, %other : i1
               %add = arith.extui %differs : i1 to i32
               %count2 = arith.addi %count, %add : i32
               %i2 = arith.addi %i, %one : index
               cf.br ^loop(%i2, %count2 : index, i32)
             ^done:
               return %count : i32
             }}"
        )
        .unwrap();
        self.names.push(name.to_owned());
    }

    /// Runs all cases, on this machine also in this process.
    fn run(mut self, machine: Machine, name: &str) {
        let mut sum = String::from("%s0 = arith.constant 0 : i32\n");
        for (i, name) in self.names.iter().enumerate() {
            writeln!(sum, "%c{i} = call @{name}() : () -> i32").unwrap();
            writeln!(sum, "%s{} = arith.addi %s{i}, %c{i} : i32", i + 1).unwrap();
        }
        let n = self.names.len();
        writeln!(
            self.text,
            "func.func @main() -> i32 {{\n{sum}
               %max = arith.constant 100 : i32
               %status = arith.minsi %s{n}, %max : i32
               return %status : i32
             }}"
        )
        .unwrap();
        let module = Module::parse(&self.text);
        let mut failures = String::new();
        let in_process = host_options();
        let is_host = machine == Machine::Host;
        for options in in_process.iter().filter(|_| is_host) {
            let jit = module.jit(options);
            for name in &self.names {
                let differences = jit.call(name, &[]).unwrap()[0].as_int();
                if differences != Some(0) {
                    let level = options.opt_level;
                    writeln!(failures, "{name} at {level:?}: {differences:?}").unwrap();
                }
            }
        }
        assert!(failures.is_empty(), "{failures}");
        module.expect_program_to_return_zero(machine, name);
    }
}

/// `%out : ty` with the bits of `%in : i64`.
fn from_bits(ty: &str, width: u32, input: &str, output: &str) -> String {
    if width == 64 {
        return format!("{output} = arith.bitcast {input} : i64 to {ty}\n");
    }
    format!(
        "{output}_bits = arith.trunci {input} : i64 to i{width}
         {output} = arith.bitcast {output}_bits : i{width} to {ty}\n"
    )
}

/// `%r : i64` with the bits of `%z : ty`, and whether that is a NaN.
fn to_bits(ty: &str, width: u32) -> (String, String) {
    let bits = if width == 64 {
        format!("%r = arith.bitcast %z : {ty} to i64")
    } else {
        format!(
            "%z_bits = arith.bitcast %z : {ty} to i{width}
             %r = arith.extui %z_bits : i{width} to i64"
        )
    };
    (bits, format!("%is_nan = arith.cmpf uno, %z, %z : {ty}"))
}

const NO_NAN: &str = "%is_nan = arith.constant false";

/// Interesting values of a format, as bits.
fn values(format: Format) -> Vec<u64> {
    let interesting = [
        0.0,
        1.0,
        1.5,
        2.0,
        3.0,
        0.1,
        0.5,
        2.5,
        3.5,
        1e-3,
        7.75,
        100.0,
        255.5,
        1e4,
        65504.0,
        65520.0,
        1e5,
        1e30,
        3e38,
        1e300,
        1e-30,
        1e-45,
        5e-324,
        6e-8,
        6e-5,
        2147483647.0,
        4294967296.0,
        9e18,
        0.333333333333333,
    ];
    let mut values: Vec<u64> = interesting
        .iter()
        .flat_map(|&value| [value, -value])
        .map(format.encode)
        .collect();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..20 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        values.push(random & (u64::MAX >> (64 - format.width)));
    }
    values.extend([f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(format.encode));
    values
}

fn expected(format: Format, value: f64) -> Option<u64> {
    (!value.is_nan()).then(|| (format.encode)(value))
}

/// Half precision is computed in single precision; the others in their own.
fn in_format(
    format: Format,
    x: f64,
    y: f64,
    op: fn(f64, f64) -> f64,
    single: fn(f32, f32) -> f32,
) -> f64 {
    if format.width == 64 {
        op(x, y)
    } else {
        f64::from(single(x as f32, y as f32))
    }
}

fn minimum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        // Of two zeros the negative one.
        if x.is_sign_negative() { x } else { y }
    } else {
        x.min(y)
    }
}

fn binary_operations(machine: Machine) {
    type Op = (&'static str, fn(f64, f64) -> f64, fn(f32, f32) -> f32);
    let operations: [Op; 11] = [
        ("arith.addf", |x, y| x + y, |x, y| x + y),
        ("arith.subf", |x, y| x - y, |x, y| x - y),
        ("arith.mulf", |x, y| x * y, |x, y| x * y),
        ("arith.divf", |x, y| x / y, |x, y| x / y),
        ("arith.remf", |x, y| x % y, |x, y| x % y),
        ("arith.minimumf", minimum, |x, y| {
            minimum(f64::from(x), f64::from(y)) as f32
        }),
        (
            "arith.maximumf",
            |x, y| -minimum(-x, -y),
            |x, y| -minimum(-f64::from(x), -f64::from(y)) as f32,
        ),
        ("arith.minnumf", f64::min, f32::min),
        ("arith.maxnumf", f64::max, f32::max),
        ("math.copysign", f64::copysign, f32::copysign),
        ("math.powf", f64::powf, f32::powf),
    ];
    let mut suite = Suite::default();
    for format in FORMATS {
        let Format {
            name: ty, width, ..
        } = format;
        for (op, double, single) in operations {
            let rows: Vec<_> = values(format)
                .iter()
                .flat_map(|&a| values(format).into_iter().step_by(4).map(move |b| (a, b)))
                .filter_map(|(a, b)| {
                    let (x, y) = ((format.decode)(a), (format.decode)(b));
                    if op.ends_with("numf") && x == 0.0 && y == 0.0 {
                        // Either zero will do.
                        return None;
                    }
                    let result = in_format(format, x, y, double, single);
                    Some((a, b, expected(format, result)))
                })
                .collect();
            let (bits, nan) = to_bits(ty, width);
            let x = from_bits(ty, width, "%a", "%x");
            let y = from_bits(ty, width, "%b", "%y");
            let compute = format!("{x}{y}%z = {op} %x, %y : {ty}\n{bits}");
            // The C libraries of the two machines differ in the last place of pow.
            let rows = if op == "math.powf" {
                &rows[..0]
            } else {
                &rows[..]
            };
            if rows.is_empty() {
                continue;
            }
            suite.case(
                &format!("{}_{ty}", op.replace('.', "_")),
                &compute,
                rows,
                &nan,
            );
        }
    }
    suite.run(machine, "binary");
}

fn unary_operations(machine: Machine) {
    type Op = (&'static str, fn(f64) -> f64, fn(f32) -> f32);
    let operations: [Op; 9] = [
        ("arith.negf", |x| -x, |x| -x),
        ("math.absf", f64::abs, f32::abs),
        ("math.ceil", f64::ceil, f32::ceil),
        ("math.floor", f64::floor, f32::floor),
        ("math.trunc", f64::trunc, f32::trunc),
        ("math.round", f64::round, f32::round),
        ("math.roundeven", f64::round_ties_even, f32::round_ties_even),
        ("math.sqrt", f64::sqrt, f32::sqrt),
        ("math.rsqrt", |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt()),
    ];
    let mut suite = Suite::default();
    for format in FORMATS {
        let Format {
            name: ty, width, ..
        } = format;
        for (op, double, single) in operations {
            let rows: Vec<_> = values(format)
                .into_iter()
                .map(|a| {
                    let x = (format.decode)(a);
                    let result = if width == 64 {
                        double(x)
                    } else {
                        f64::from(single(x as f32))
                    };
                    (a, 0, expected(format, result))
                })
                .collect();
            let (bits, nan) = to_bits(ty, width);
            let x = from_bits(ty, width, "%a", "%x");
            let compute = format!("{x}%z = {op} %x : {ty}\n{bits}");
            suite.case(
                &format!("{}_{ty}", op.replace('.', "_")),
                &compute,
                &rows,
                &nan,
            );
        }
    }
    suite.run(machine, "unary");
}

fn comparisons(machine: Machine) {
    type Predicate = (&'static str, fn(f64, f64) -> bool);
    let predicates: [Predicate; 16] = [
        ("false", |_, _| false),
        ("oeq", |x, y| x == y),
        ("ogt", |x, y| x > y),
        ("oge", |x, y| x >= y),
        ("olt", |x, y| x < y),
        ("ole", |x, y| x <= y),
        ("one", |x, y| !x.is_nan() && !y.is_nan() && x != y),
        ("ord", |x, y| !x.is_nan() && !y.is_nan()),
        ("ueq", |x, y| x.is_nan() || y.is_nan() || x == y),
        ("ugt", |x, y| x.is_nan() || y.is_nan() || x > y),
        ("uge", |x, y| x.is_nan() || y.is_nan() || x >= y),
        ("ult", |x, y| x.is_nan() || y.is_nan() || x < y),
        ("ule", |x, y| x.is_nan() || y.is_nan() || x <= y),
        ("une", |x, y| x != y),
        ("uno", |x, y| x.is_nan() || y.is_nan()),
        ("true", |_, _| true),
    ];
    let mut suite = Suite::default();
    for format in FORMATS {
        let Format {
            name: ty, width, ..
        } = format;
        for (predicate, model) in predicates {
            let few: Vec<u64> = values(format).into_iter().step_by(3).collect();
            let rows: Vec<_> = few
                .iter()
                .flat_map(|&a| few.iter().map(move |&b| (a, b)))
                .map(|(a, b)| {
                    let holds = model((format.decode)(a), (format.decode)(b));
                    (a, b, Some(u64::from(holds)))
                })
                .collect();
            let x = from_bits(ty, width, "%a", "%x");
            let y = from_bits(ty, width, "%b", "%y");
            let compute = format!(
                "{x}{y}%z = arith.cmpf {predicate}, %x, %y : {ty}
                 %r = arith.extui %z : i1 to i64"
            );
            suite.case(&format!("{predicate}_{ty}"), &compute, &rows, NO_NAN);
        }
    }
    suite.run(machine, "comparisons");
}

fn conversions_between_formats(machine: Machine) {
    let mut suite = Suite::default();
    for from in FORMATS {
        for to in FORMATS {
            let op = match to.width.cmp(&from.width) {
                std::cmp::Ordering::Less => "truncf",
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => "extf",
            };
            let rows: Vec<_> = values(from)
                .into_iter()
                .map(|a| (a, 0, expected(to, (from.decode)(a))))
                .collect();
            let x = from_bits(from.name, from.width, "%a", "%x");
            let (bits, nan) = to_bits(to.name, to.width);
            let compute = format!(
                "{x}%z = arith.{op} %x : {} to {}\n{bits}",
                from.name, to.name
            );
            suite.case(
                &format!("{op}_{}_{}", from.name, to.name),
                &compute,
                &rows,
                &nan,
            );
        }
    }
    suite.run(machine, "formats");
}

/// Every f16 and bf16, and doubles around the places where rounding changes.
fn half_precision_rounds_once(machine: Machine) {
    let mut suite = Suite::default();
    let double = FORMATS[3];
    for format in &FORMATS[..2] {
        let mut rows = Vec::new();
        let infinity = (format.encode)(f64::INFINITY);
        for bits in (0..infinity - 1).step_by(61) {
            let (low, high) = ((format.decode)(bits), (format.decode)(bits + 1));
            let middle = low + (high - low) / 2.0;
            let even = bits + (bits & 1);
            for (value, nearest) in [
                (low, bits),
                (low.next_up(), bits),
                (middle.next_down(), bits),
                (middle, even),
                (middle.next_up(), bits + 1),
            ] {
                rows.push((value.to_bits(), 0, Some(nearest)));
                rows.push(((-value).to_bits(), 0, Some(nearest | 0x8000)));
            }
        }
        let x = from_bits(double.name, 64, "%a", "%x");
        let (bits, nan) = to_bits(format.name, 16);
        let compute = format!("{x}%z = arith.truncf %x : f64 to {}\n{bits}", format.name);
        suite.case(&format!("round_{}", format.name), &compute, &rows, &nan);

        let all: Vec<_> = (0..=0xffff_u64)
            .step_by(7)
            .map(|a| (a, 0, expected(FORMATS[2], (format.decode)(a))))
            .collect();
        let x = from_bits(format.name, 16, "%a", "%x");
        let (bits, nan) = to_bits("f32", 32);
        let compute = format!("{x}%z = arith.extf %x : {} to f32\n{bits}", format.name);
        suite.case(&format!("extend_{}", format.name), &compute, &all, &nan);
    }
    suite.run(machine, "half");
}

fn rounding_modes(machine: Machine) {
    type Mode = (&'static str, fn(f64) -> f32);
    fn towards(value: f64, up: bool) -> f32 {
        let near = value as f32;
        match (up, f64::from(near).partial_cmp(&value)) {
            (true, Some(std::cmp::Ordering::Less)) => near.next_up(),
            (false, Some(std::cmp::Ordering::Greater)) => near.next_down(),
            _ => near,
        }
    }
    let modes: [Mode; 5] = [
        ("to_nearest_even", |x| x as f32),
        ("downward", |x| towards(x, false)),
        ("upward", |x| towards(x, true)),
        ("toward_zero", |x| towards(x, x < 0.0)),
        ("to_nearest_away", |x| {
            let (low, high) = (towards(x, false), towards(x, true));
            let (below, above) = (x - f64::from(low), f64::from(high) - x);
            match below.partial_cmp(&above) {
                Some(std::cmp::Ordering::Equal) if x < 0.0 => low,
                Some(std::cmp::Ordering::Equal) => high,
                _ => x as f32,
            }
        }),
    ];
    let mut suite = Suite::default();
    for (mode, model) in modes {
        let base = [1.0f32, 1.5, 1e10, 1e-40, 123.456];
        let rows: Vec<_> = base
            .iter()
            .flat_map(|&low| {
                let (low, high) = (f64::from(low), f64::from(low.next_up()));
                let middle = low + (high - low) / 2.0;
                [
                    low,
                    middle,
                    middle.next_up(),
                    middle.next_down(),
                    low.next_up(),
                ]
            })
            .flat_map(|x| [x, -x])
            .map(|x| (x.to_bits(), 0, Some(u64::from(model(x).to_bits()))))
            .collect();
        let x = from_bits("f64", 64, "%a", "%x");
        let (bits, nan) = to_bits("f32", 32);
        let compute = format!("{x}%z = arith.truncf %x {mode} : f64 to f32\n{bits}");
        suite.case(mode, &compute, &rows, &nan);
    }
    suite.run(machine, "modes");
}

fn conversions_of_integers(machine: Machine) {
    let mut suite = Suite::default();
    let integers: Vec<i64> = (0..63)
        .flat_map(|bit| {
            let power = 1i64 << bit;
            [
                power - 1,
                power,
                power + 1,
                power + (power >> 9),
                power + (power >> 9) + 1,
                -power,
            ]
        })
        .chain([
            0,
            -1,
            i64::MAX,
            i64::MIN,
            65519,
            65520,
            2049,
            2051,
            257,
            259,
        ])
        .collect();
    for format in FORMATS {
        let Format {
            name: ty, width, ..
        } = format;
        for bits_in in [7, 8, 32, 33, 64] {
            for signed in [true, false] {
                let rows: Vec<_> = integers
                    .iter()
                    .map(|&n| {
                        let gap = 64 - bits_in;
                        let value = if signed {
                            i128::from(n << gap >> gap)
                        } else {
                            i128::from((n as u64) << gap >> gap)
                        };
                        (n as u64, 0, Some(encode_integer(format, value)))
                    })
                    .collect();
                let op = if signed { "sitofp" } else { "uitofp" };
                let (bits, nan) = to_bits(ty, width);
                let x = if bits_in == 64 {
                    "%x = arith.addi %a, %zero64 : i64".to_owned()
                } else {
                    format!("%x = arith.trunci %a : i64 to i{bits_in}")
                };
                let compute = format!("{x}\n%z = arith.{op} %x : i{bits_in} to {ty}\n{bits}");
                suite.case(&format!("{op}_i{bits_in}_{ty}"), &compute, &rows, &nan);

                let limit = if signed {
                    1i128 << (bits_in - 1)
                } else {
                    1 << bits_in
                };
                let rows: Vec<_> = values(format)
                    .into_iter()
                    .filter_map(|a| {
                        let x = (format.decode)(a).trunc();
                        let low = if signed { -limit } else { 0 };
                        let fits = x >= low as f64 && x < limit as f64;
                        let result = (x as i128) as u64 & (u64::MAX >> (64 - bits_in));
                        fits.then_some((a, 0, Some(result)))
                    })
                    .collect();
                let op = if signed { "fptosi" } else { "fptoui" };
                let x = from_bits(ty, width, "%a", "%x");
                let extend = if bits_in == 64 {
                    "%r = arith.addi %z, %zero64 : i64".to_owned()
                } else {
                    format!("%r = arith.extui %z : i{bits_in} to i64")
                };
                let compute = format!("{x}%z = arith.{op} %x : {ty} to i{bits_in}\n{extend}");
                suite.case(&format!("{op}_{ty}_i{bits_in}"), &compute, &rows, NO_NAN);
            }
        }
    }
    suite.run(machine, "integers");
}

/// The integer rounded once, ties to even.
fn encode_integer(format: Format, value: i128) -> u64 {
    match format.name {
        "f64" => (value as f64).to_bits(),
        "f32" => u64::from((value as f32).to_bits()),
        _ => {
            // Sticky bits far below the last place of any 16-bit format.
            let magnitude = value.unsigned_abs();
            let shift = (128 - magnitude.leading_zeros()).saturating_sub(40);
            let kept = magnitude >> shift << shift;
            let sticky = u128::from(kept != magnitude) << shift;
            let value = (kept | sticky) as f64 * if value < 0 { -1.0 } else { 1.0 };
            (format.encode)(value)
        }
    }
}

/// Functions of the C library are the same in this process and in an executable
/// of this machine, and near enough to Rust's.
fn math_functions() {
    type Function = (&'static str, fn(f64) -> f64);
    let functions: [Function; 22] = [
        ("acos", f64::acos),
        ("acosh", |x| (x + 1.0).acosh()),
        ("asin", f64::asin),
        ("asinh", f64::asinh),
        ("atan", f64::atan),
        ("atanh", f64::atanh),
        ("cbrt", f64::cbrt),
        ("cos", f64::cos),
        ("cosh", f64::cosh),
        ("sin", f64::sin),
        ("sinh", f64::sinh),
        ("exp", f64::exp),
        ("exp2", f64::exp2),
        ("expm1", f64::exp_m1),
        ("log", f64::ln),
        ("log10", f64::log10),
        ("log1p", f64::ln_1p),
        ("log2", f64::log2),
        ("tan", f64::tan),
        ("tanh", f64::tanh),
        ("erf", |x| {
            // Abramowitz and Stegun 7.1.26, good to 1.5e-7.
            let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
            let poly = t
                * (0.254_829_592
                    + t * (-0.284_496_736
                        + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
            (1.0 - poly * (-x * x).exp()).copysign(x)
        }),
        ("sqrt", f64::sqrt),
    ];
    let mut text = String::new();
    for (name, _) in functions {
        for ty in ["f16", "bf16", "f32", "f64", "f8E4M3FN"] {
            let one = if name == "acosh" { "1.0" } else { "0.0" };
            writeln!(
                text,
                "func.func @{name}_{ty}(%x: f64) -> f64 {{
                   %one = arith.constant {one} : f64
                   %shifted = arith.addf %x, %one : f64
                   {}
                   %b = math.{name} %a : {ty}
                   {}
                   return %r : f64
                 }}",
                match ty {
                    "f64" => "%a = arith.addf %x, %one : f64".to_owned(),
                    _ => format!("%a = arith.truncf %shifted : f64 to {ty}"),
                },
                match ty {
                    "f64" => "%r = arith.mulf %b, %b : f64".replace("%b, %b", "%b, %unit"),
                    _ => format!("%r = arith.extf %b : {ty} to f64"),
                }
                .replace(
                    "%r = arith.mulf",
                    "%unit = arith.constant 1.0 : f64\n%r = arith.mulf"
                ),
            )
            .unwrap();
        }
    }
    let module = Module::parse(&text);
    for options in host_options() {
        let jit = module.jit(&options);
        for (name, model) in functions {
            for (ty, tolerance) in [
                ("f64", 4e-7),
                ("f32", 2e-6),
                ("f16", 4e-3),
                ("bf16", 4e-2),
                ("f8E4M3FN", 0.5),
            ] {
                for x in [0.125, 0.5, 0.75] {
                    let argument = [freehold_backend::jit::Argument::F64(x)];
                    let result = jit.call(&format!("{name}_{ty}"), &argument).unwrap();
                    let actual = result[0].as_f64().unwrap();
                    let expected = model(x);
                    let error = (actual - expected).abs();
                    let allowed = tolerance * expected.abs().max(0.05);
                    assert!(
                        error <= allowed,
                        "{name}_{ty}({x}) = {actual}, not {expected}"
                    );
                }
            }
        }
    }
}

fn powers_and_fused_multiplication() {
    let module = Module::parse(
        "func.func @fpowi(%x: f64, %n: i32) -> f64 {
           %r = math.fpowi %x, %n : f64, i32
           return %r : f64
         }
         func.func @fused(%x: f64, %y: f64, %z: f64) -> f64 {
           %r = math.fma %x, %y, %z : f64
           return %r : f64
         }
         func.func @fma_half(%x: f64, %y: f64, %z: f64) -> f64 {
           %a = arith.truncf %x : f64 to f16
           %b = arith.truncf %y : f64 to f16
           %c = arith.truncf %z : f64 to f16
           %d = math.fma %a, %b, %c : f16
           %r = arith.extf %d : f16 to f64
           return %r : f64
         }
         func.func @angle(%x: f64, %y: f64) -> f64 {
           %r = math.atan2 %x, %y : f64
           return %r : f64
         }",
    );
    use freehold_backend::jit::Argument::{F64, Int};
    for options in host_options() {
        let jit = module.jit(&options);
        let call =
            |name: &str, arguments: &[_]| jit.call(name, arguments).unwrap()[0].as_f64().unwrap();
        for n in [-3, -1, 0, 1, 2, 9] {
            assert_eq!(call("fpowi", &[F64(1.5), Int(n)]), 1.5f64.powi(n as i32));
        }
        let (x, y, z) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON, -1.0);
        assert_eq!(call("fused", &[F64(x), F64(y), F64(z)]), x.mul_add(y, z));
        assert_eq!(call("fma_half", &[F64(3.0), F64(0.5), F64(0.25)]), 1.75);
        assert_eq!(call("angle", &[F64(1.0), F64(-2.0)]), 1.0f64.atan2(-2.0));
    }
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    [
        trials![math_functions, powers_and_fused_multiplication,],
        everywhere![
            binary_operations,
            unary_operations,
            comparisons,
            conversions_between_formats,
            half_precision_rounds_once,
            rounding_modes,
            conversions_of_integers,
        ],
    ]
    .into_iter()
    .flatten()
    .collect()
}
