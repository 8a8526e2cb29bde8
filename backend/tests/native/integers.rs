//! Every integer operation at many widths, against the same computed in Rust.
//!
//! One MLIR function per operation and width loops over constant arrays of
//! operands and expected results and counts differences. The same module runs
//! in this process, as an executable, and on AArch64.

use std::fmt::Write as _;

use libtest_mimic::Trial;

use crate::common::{Machine, Module, everywhere, host_options};

const WIDTHS: [u32; 11] = [1, 7, 8, 13, 16, 32, 33, 64, 65, 100, 128];

/// A number of some width, zero-extended.
#[derive(Clone, Copy)]
struct Number {
    width: u32,
    bits: u128,
}

impl Number {
    fn new(width: u32, bits: u128) -> Self {
        let bits = bits & (u128::MAX >> (128 - width));
        Self { width, bits }
    }

    fn signed(self) -> i128 {
        let gap = 128 - self.width;
        (self.bits << gap) as i128 >> gap
    }

    fn min_signed(width: u32) -> i128 {
        -1 << (width - 1)
    }
}

/// What an operation gives; `None` if MLIR leaves that undefined.
type Model = fn(Number, Number) -> Option<u128>;

fn defined_division(a: Number, b: Number) -> bool {
    b.bits != 0 && !(a.signed() == Number::min_signed(a.width) && b.signed() == -1)
}

/// High half of the product.
fn mul_high(a: Number, b: Number, signed: bool) -> u128 {
    // Schoolbook multiplication bit by bit, in 256 bits.
    let width = a.width;
    let extend = |n: Number| {
        let value = if signed { n.signed() as u128 } else { n.bits };
        let above = if signed && n.signed() < 0 {
            u128::MAX
        } else {
            0
        };
        (value, above)
    };
    let (mut low, mut high) = (0u128, 0u128);
    let (mut x_low, mut x_high) = extend(a);
    let (y_low, y_high) = extend(b);
    for bit in 0..256 {
        let word = if bit < 128 { y_low } else { y_high };
        if word >> (bit % 128) & 1 == 1 {
            let (sum, carry) = low.overflowing_add(x_low);
            low = sum;
            high = high.wrapping_add(x_high).wrapping_add(u128::from(carry));
        }
        x_high = x_high << 1 | x_low >> 127;
        x_low <<= 1;
    }
    if width == 128 {
        high
    } else {
        low >> width | high << (128 - width)
    }
}

/// Floor and ceiling divisions from the truncating one.
fn rounded(a: i128, b: i128, up: bool) -> i128 {
    let quotient = a / b;
    let inexact = quotient * b != a;
    let negative = (a < 0) != (b < 0);
    match (inexact, up, negative) {
        (true, true, false) => quotient + 1,
        (true, false, true) => quotient - 1,
        _ => quotient,
    }
}

fn shift(a: Number, b: Number, shifted: impl Fn(u32) -> u128) -> Option<u128> {
    (b.bits < u128::from(a.width)).then(|| shifted(b.bits as u32))
}

/// Operations with two operands and a result of one type.
const BINARY: [(&str, Model); 21] = [
    ("arith.addi", |a, b| Some(a.bits.wrapping_add(b.bits))),
    ("arith.subi", |a, b| Some(a.bits.wrapping_sub(b.bits))),
    ("arith.muli", |a, b| Some(a.bits.wrapping_mul(b.bits))),
    ("arith.divui", |a, b| a.bits.checked_div(b.bits)),
    ("arith.remui", |a, b| a.bits.checked_rem(b.bits)),
    ("arith.divsi", |a, b| {
        defined_division(a, b).then(|| (a.signed() / b.signed()) as u128)
    }),
    ("arith.remsi", |a, b| {
        defined_division(a, b).then(|| (a.signed() % b.signed()) as u128)
    }),
    ("arith.ceildivui", |a, b| {
        (b.bits != 0).then(|| a.bits.div_ceil(b.bits))
    }),
    ("arith.ceildivsi", |a, b| {
        defined_division(a, b).then(|| rounded(a.signed(), b.signed(), true) as u128)
    }),
    ("arith.floordivsi", |a, b| {
        defined_division(a, b).then(|| rounded(a.signed(), b.signed(), false) as u128)
    }),
    ("arith.andi", |a, b| Some(a.bits & b.bits)),
    ("arith.ori", |a, b| Some(a.bits | b.bits)),
    ("arith.xori", |a, b| Some(a.bits ^ b.bits)),
    ("arith.shli", |a, b| shift(a, b, |n| a.bits << n)),
    ("arith.shrui", |a, b| shift(a, b, |n| a.bits >> n)),
    ("arith.shrsi", |a, b| {
        shift(a, b, |n| (a.signed() >> n) as u128)
    }),
    ("arith.maxsi", |a, b| {
        Some(a.signed().max(b.signed()) as u128)
    }),
    ("arith.maxui", |a, b| Some(a.bits.max(b.bits))),
    ("arith.minsi", |a, b| {
        Some(a.signed().min(b.signed()) as u128)
    }),
    ("arith.minui", |a, b| Some(a.bits.min(b.bits))),
    ("math.ipowi", |a, b| {
        // Only what upstream defines, and only small exponents: the rest is modular.
        (0..64)
            .contains(&b.signed())
            .then(|| a.bits.wrapping_pow(b.bits as u32))
    }),
];

type Predicate = fn(Number, Number) -> bool;

const PREDICATES: [(&str, Predicate); 10] = [
    ("eq", |a, b| a.bits == b.bits),
    ("ne", |a, b| a.bits != b.bits),
    ("slt", |a, b| a.signed() < b.signed()),
    ("sle", |a, b| a.signed() <= b.signed()),
    ("sgt", |a, b| a.signed() > b.signed()),
    ("sge", |a, b| a.signed() >= b.signed()),
    ("ult", |a, b| a.bits < b.bits),
    ("ule", |a, b| a.bits <= b.bits),
    ("ugt", |a, b| a.bits > b.bits),
    ("uge", |a, b| a.bits >= b.bits),
];

/// The module under construction: functions that count differences.
#[derive(Default)]
struct Suite {
    text: String,
    names: Vec<String>,
}

fn hex(values: &[u128]) -> String {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02X}").unwrap();
            text
        })
}

impl Suite {
    /// `compute` is MLIR text that computes `%r : i128` from `%a, %b : i128`.
    fn case(&mut self, name: &str, compute: &str, rows: &[(u128, u128, u128)]) {
        let name = name.replace('.', "_");
        let n = rows.len();
        for (letter, column) in [
            ("a", rows.iter().map(|row| row.0).collect::<Vec<_>>()),
            ("b", rows.iter().map(|row| row.1).collect()),
            ("e", rows.iter().map(|row| row.2).collect()),
        ] {
            let data = hex(&column);
            writeln!(
                self.text,
                "memref.global \"private\" constant @{name}_{letter} : memref<{n}xi128> = dense<\"0x{data}\">"
            )
            .unwrap();
        }
        writeln!(
            self.text,
            "func.func @{name}() -> i32 {{
               %zero = arith.constant 0 : index
               %one = arith.constant 1 : index
               %n = arith.constant {n} : index
               %none = arith.constant 0 : i32
               %as = memref.get_global @{name}_a : memref<{n}xi128>
               %bs = memref.get_global @{name}_b : memref<{n}xi128>
               %es = memref.get_global @{name}_e : memref<{n}xi128>
               cf.br ^loop(%zero, %none : index, i32)
             ^loop(%i: index, %count: i32):
               %more = arith.cmpi slt, %i, %n : index
               cf.cond_br %more, ^body, ^done
             ^body:
               %a = memref.load %as[%i] : memref<{n}xi128>
               %b = memref.load %bs[%i] : memref<{n}xi128>
               %e = memref.load %es[%i] : memref<{n}xi128>
               {compute}
               %differs = arith.cmpi ne, %r, %e : i128
               %add = arith.extui %differs : i1 to i32
               %count2 = arith.addi %count, %add : i32
               %i2 = arith.addi %i, %one : index
               cf.br ^loop(%i2, %count2 : index, i32)
             ^done:
               return %count : i32
             }}"
        )
        .unwrap();
        self.names.push(name);
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
        let in_process = host_options();
        let is_host = machine == Machine::Host;
        for options in in_process.iter().filter(|_| is_host) {
            let jit = module.jit(options);
            for name in &self.names {
                let differences = jit.call(name, &[]).unwrap()[0].as_int();
                assert_eq!(differences, Some(0), "{name} at {:?}", options.opt_level);
            }
        }
        module.expect_program_to_return_zero(machine, name);
    }
}

/// Interesting numbers of a width.
fn numbers(width: u32) -> Vec<Number> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u128;
    let mut numbers: Vec<u128> = vec![0, 1, 2, 3, 5, u128::from(width), u128::from(width) - 1];
    let min = Number::min_signed(width) as u128;
    numbers.extend([
        min,
        min.wrapping_add(1),
        !min,
        (!min).wrapping_sub(1),
        u128::MAX,
        u128::MAX - 1,
    ]);
    for _ in 0..3 {
        random = random.wrapping_mul(0xd134_2543_de82_ef95_1234_5678_9abc_def1) ^ random >> 65;
        numbers.push(random);
    }
    let mut seen = Vec::new();
    numbers
        .into_iter()
        .map(|bits| Number::new(width, bits))
        .filter(|n| {
            let new = !seen.contains(&n.bits);
            seen.push(n.bits);
            new
        })
        .collect()
}

fn pairs(width: u32) -> Vec<(Number, Number)> {
    let numbers = numbers(width);
    let pair = |&a| numbers.iter().map(move |&b| (a, b));
    numbers.iter().flat_map(pair).collect()
}

/// `%out = %in` cut to `width` bits, or extended to 128.
fn cut(width: u32, input: &str, output: &str) -> String {
    match width {
        128 => format!("{output} = arith.ori {input}, {input} : i128\n"),
        _ => format!("{output} = arith.trunci {input} : i128 to i{width}\n"),
    }
}

fn extend(width: u32, input: &str) -> String {
    match width {
        128 => format!("%r = arith.ori {input}, {input} : i128"),
        _ => format!("%r = arith.extui {input} : i{width} to i128"),
    }
}

/// The operands cut to `width`, `compute` on `%x` and `%y`, and `%z : i<to>` extended.
fn on_width(width: u32, compute: &str, to: u32) -> String {
    let (x, y) = (cut(width, "%a", "%x"), cut(width, "%b", "%y"));
    format!("{x}{y}{compute}\n{}", extend(to, "%z"))
}

fn rows(width: u32, to: u32, model: Model) -> Vec<(u128, u128, u128)> {
    pairs(width)
        .into_iter()
        .filter_map(|(a, b)| Some((a.bits, b.bits, Number::new(to, model(a, b)?).bits)))
        .collect()
}

fn binary_operations(machine: Machine) {
    let mut suite = Suite::default();
    for width in WIDTHS {
        for (op, model) in BINARY {
            let compute = format!("%z = {op} %x, %y : i{width}");
            let compute = on_width(width, &compute, width);
            suite.case(
                &format!("{op}_i{width}"),
                &compute,
                &rows(width, width, model),
            );
        }
    }
    suite.run(machine, "binary");
}

fn comparisons(machine: Machine) {
    let mut suite = Suite::default();
    for width in WIDTHS {
        for (predicate, model) in PREDICATES {
            let compute = format!("%z = arith.cmpi {predicate}, %x, %y : i{width}");
            let rows: Vec<_> = pairs(width)
                .into_iter()
                .map(|(a, b)| (a.bits, b.bits, u128::from(model(a, b))))
                .collect();
            suite.case(
                &format!("{predicate}_i{width}"),
                &on_width(width, &compute, 1),
                &rows,
            );
        }
    }
    suite.run(machine, "comparisons");
}

fn extended_operations(machine: Machine) {
    let mut suite = Suite::default();
    for width in WIDTHS {
        let models: [(&str, &str, [Model; 2]); 2] = [
            (
                "mulsi_extended",
                "",
                [
                    |a, b| Some(a.bits.wrapping_mul(b.bits)),
                    |a, b| Some(mul_high(a, b, true)),
                ],
            ),
            (
                "mului_extended",
                "",
                [
                    |a, b| Some(a.bits.wrapping_mul(b.bits)),
                    |a, b| Some(mul_high(a, b, false)),
                ],
            ),
        ];
        for (op, _, models) in models {
            for (part, model) in models.into_iter().enumerate() {
                let names = ["%z, %other", "%other, %z"][part];
                let compute = format!("{names} = arith.{op} %x, %y : i{width}");
                let compute = on_width(width, &compute, width);
                let rows = rows(width, width, model);
                suite.case(&format!("{op}_{part}_i{width}"), &compute, &rows);
            }
        }
        let compute = format!("%sum, %z = arith.addui_extended %x, %y : i{width}, i1");
        let overflows: Model = |a, b| {
            let (sum, carry) = a.bits.overflowing_add(b.bits);
            Some(u128::from(carry || sum >> (a.width - 1) >> 1 != 0))
        };
        let rows = rows(width, 1, overflows);
        suite.case(
            &format!("addui_i{width}"),
            &on_width(width, &compute, 1),
            &rows,
        );
    }
    suite.run(machine, "extended");
}

fn casts(machine: Machine) {
    let mut suite = Suite::default();
    for from in WIDTHS {
        for to in WIDTHS {
            let (op, signed) = match to.cmp(&from) {
                std::cmp::Ordering::Less => (vec!["trunci"], false),
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => (vec!["extui", "extsi"], true),
            };
            for op in op {
                let compute = format!("%z = arith.{op} %x : i{from} to i{to}");
                let rows: Vec<_> = numbers(from)
                    .into_iter()
                    .map(|n| {
                        let value = if signed && op == "extsi" {
                            n.signed() as u128
                        } else {
                            n.bits
                        };
                        (n.bits, 0, Number::new(to, value).bits)
                    })
                    .collect();
                suite.case(
                    &format!("{op}_i{from}_i{to}"),
                    &on_width(from, &compute, to),
                    &rows,
                );
            }
        }
        for (op, back) in [("index_cast", true), ("index_castui", false)] {
            let compute =
                format!("%j = arith.{op} %x : i{from} to index\n%z = arith.{op} %j : index to i64");
            let rows: Vec<_> = numbers(from)
                .into_iter()
                .map(|n| {
                    let value = if back { n.signed() as u128 } else { n.bits };
                    (n.bits, 0, Number::new(64, value).bits)
                })
                .collect();
            suite.case(
                &format!("{op}_i{from}"),
                &on_width(from, &compute, 64),
                &rows,
            );
        }
    }
    suite.run(machine, "casts");
}

fn bit_counts_and_absolute_values(machine: Machine) {
    let mut suite = Suite::default();
    type Unary = fn(Number) -> u128;
    let models: [(&str, Unary); 4] = [
        ("ctlz", |n| {
            u128::from(n.bits.leading_zeros() - (128 - n.width))
        }),
        ("cttz", |n| u128::from(n.bits.trailing_zeros().min(n.width))),
        ("ctpop", |n| u128::from(n.bits.count_ones())),
        ("absi", |n| n.signed().unsigned_abs()),
    ];
    for width in WIDTHS {
        for (op, model) in models {
            let compute = on_width(width, &format!("%z = math.{op} %x : i{width}"), width);
            let rows: Vec<_> = numbers(width)
                .into_iter()
                .map(|n| (n.bits, 0, Number::new(width, model(n)).bits))
                .collect();
            suite.case(&format!("{op}_i{width}"), &compute, &rows);
        }
    }
    suite.run(machine, "counts");
}

fn index_operations(machine: Machine) {
    let mut suite = Suite::default();
    let arith = |name: &str| {
        let (_, model) = BINARY.iter().find(|(op, _)| *op == name).unwrap();
        *model
    };
    for (op, same) in [
        ("add", "addi"),
        ("sub", "subi"),
        ("mul", "muli"),
        ("divs", "divsi"),
        ("divu", "divui"),
        ("ceildivs", "ceildivsi"),
        ("ceildivu", "ceildivui"),
        ("floordivs", "floordivsi"),
        ("rems", "remsi"),
        ("remu", "remui"),
        ("maxs", "maxsi"),
        ("maxu", "maxui"),
        ("mins", "minsi"),
        ("minu", "minui"),
        ("shl", "shli"),
        ("shrs", "shrsi"),
        ("shru", "shrui"),
        ("and", "andi"),
        ("or", "ori"),
        ("xor", "xori"),
    ] {
        let compute = format!(
            "%p = index.casts %x : i64 to index
             %q = index.casts %y : i64 to index
             %o = index.{op} %p, %q
             %z = index.casts %o : index to i64"
        );
        let rows = rows(64, 64, arith(&format!("arith.{same}")));
        suite.case(&format!("index_{op}"), &on_width(64, &compute, 64), &rows);
    }
    for (predicate, model) in PREDICATES {
        let compute = format!(
            "%p = index.casts %x : i64 to index
             %q = index.casts %y : i64 to index
             %z = index.cmp {predicate}(%p, %q)"
        );
        let rows: Vec<_> = pairs(64)
            .into_iter()
            .map(|(a, b)| (a.bits, b.bits, u128::from(model(a, b))))
            .collect();
        suite.case(
            &format!("index_{predicate}"),
            &on_width(64, &compute, 1),
            &rows,
        );
    }
    suite.run(machine, "index");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    everywhere![
        binary_operations,
        comparisons,
        extended_operations,
        casts,
        bit_counts_and_absolute_values,
        index_operations,
    ]
}
