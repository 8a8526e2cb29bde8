//! Runs modules of generated functions on both sides and compares what they print.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::generator::{Function, ResultKind, Ty, function};
use crate::support::batch::{self, End, Job};
use crate::support::generator::rng::Rng;
use crate::support::peer;

/// Tools and libraries of the peer.
pub(crate) const NEEDS: [&str; 3] = ["mlir-opt-19", "mlir-cpu-runner-19", "mlir-runner-libraries"];

/// The peer's way to LLVM.
const LOWERING: [&str; 14] = [
    "--convert-vector-to-scf",
    "--convert-scf-to-cf",
    // Before the next one, which loses the sign of zero in maximumf and minimumf.
    "--convert-arith-to-llvm",
    "--arith-expand",
    "--convert-math-to-funcs",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-vector-to-llvm",
    "--convert-index-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
];

/// How Freehold runs a module; also the optimized program as plain machine code, and code for processors
/// that have less than this one.
const COMMANDS: [&str; 5] = [
    "run - -O0",
    "run - -O2",
    "run - -O2 --codegen-level=0",
    "run - -O2 --target-cpu=generic",
    FEWER_FEATURES,
];
#[cfg(target_arch = "x86_64")]
const FEWER_FEATURES: &str = "run - -O2 --target-features=-avx";
#[cfg(not(target_arch = "x86_64"))]
const FEWER_FEATURES: &str = "run - -O0 --target-cpu=generic";

/// Rows of arguments.
const ROWS: usize = 8;

/// How the results of one kind of operation compare.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) compared: u64,
    pub(crate) different: u64,
    /// In ulps.
    pub(crate) largest: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.compared += other.compared;
        self.different += other.different;
        self.largest = self.largest.max(other.largest);
    }

    fn count(&mut self, error: u64) {
        self.compared += 1;
        self.different += u64::from(error > 0);
        self.largest = self.largest.max(error);
    }
}

/// The name under which exact results are counted.
const EXACT: &str = "all exact operations";

/// A result that differs by more than it may.
struct Difference {
    command: &'static str,
    seed: u64,
    row: usize,
    kind: ResultKind,
    ours: u64,
    theirs: u64,
}

impl Difference {
    /// What differs, and where it comes from.
    fn explain(&self) -> String {
        let Self {
            command,
            seed,
            row,
            kind,
            ours,
            theirs,
        } = self;
        let why = match kind {
            ResultKind::Exact => explain(*seed, command).unwrap_or_else(|error| error),
            ResultKind::Inexact { .. } => String::new(),
        };
        format!(
            "freehold {command}, FREEHOLD_SEED={seed}, row {row} {:?}, {kind:?}: {ours:#x}, expected \
             {theirs:#x}\n{why}\n",
            inputs(*row)
        )
    }
}

/// Compares the functions of these seeds; the error shows differences, one per function.
pub(crate) fn compare(seeds: Range<u64>) -> Result<BTreeMap<&'static str, Tally>, String> {
    let functions: Vec<Function> = seeds
        .clone()
        .map(|seed| function(seed, &format!("f{seed}"), false))
        .collect();
    let text = module(seeds.clone(), &functions, false);
    let theirs = parse(&peer_output(&text)?)?;
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let mut differences: BTreeMap<u64, Difference> = BTreeMap::new();
    let n_results = ROWS * functions.iter().map(|f| f.results.len()).sum::<usize>();
    for command in COMMANDS {
        let ours = parse(&freehold_output(command, &text)?)?;
        if ours.len() != n_results || theirs.len() != n_results {
            return Err(format!(
                "{n_results} numbers are expected, freehold printed {} and the peer {}",
                ours.len(),
                theirs.len()
            ));
        }
        let mut pairs = ours.iter().zip(&theirs);
        for row in 0..ROWS {
            for (seed, function) in seeds.clone().zip(&functions) {
                for kind in &function.results {
                    let (&ours, &theirs) = pairs.next().expect("the lengths are as expected");
                    let (name, error, allowed) = match kind {
                        ResultKind::Exact => (EXACT, u64::from(ours != theirs), 0),
                        ResultKind::Inexact {
                            operation,
                            ty,
                            ulps: allowed,
                        } => (*operation, ulps(*ty, ours, theirs), *allowed),
                    };
                    tallies.entry(name).or_default().count(error);
                    if error > allowed {
                        differences.entry(seed).or_insert(Difference {
                            command,
                            seed,
                            row,
                            kind: kind.clone(),
                            ours,
                            theirs,
                        });
                    }
                }
            }
        }
    }
    let Some((&seed, _)) = differences.first_key_value() else {
        return Ok(tallies);
    };
    let explained: Vec<String> = differences.values().map(Difference::explain).collect();
    let function = function(seed, &format!("f{seed}"), false);
    Err(format!("{}\n{}", explained.join("\n"), function.text))
}

/// The arguments of a row: special numbers, then random ones.
fn inputs(row: usize) -> [i64; 4] {
    let special = [
        [0, 1, -1, i64::MIN],
        [
            f64_bits(1.0),
            f64_bits(-0.0),
            f64_bits(1e300),
            f64_bits(0.1),
        ],
        [0x7fff_ffff_8000_0000, 0x3c00_3f80_3fff_0001, 7, i64::MAX],
        [f64_bits(f64::INFINITY), f64_bits(5e-324), 0x7f80_7c00, -128],
    ];
    if let Some(&row) = special.get(row) {
        return row;
    }
    let mut rng = Rng::new(row as u64);
    std::array::from_fn(|column| {
        let bits = rng.next() as i64;
        // Some are small.
        if column % 2 == 1 { bits >> 40 } else { bits }
    })
}

fn f64_bits(value: f64) -> i64 {
    value.to_bits() as i64
}

/// A module whose `@main` calls every function with every row and prints the results.
/// A program that calls the functions of these seeds and prints their results.
pub(super) fn program(seeds: Range<u64>) -> String {
    let functions: Vec<Function> = seeds
        .clone()
        .map(|seed| function(seed, &format!("f{seed}"), false))
        .collect();
    module(seeds, &functions, false)
}

fn module(seeds: Range<u64>, functions: &[Function], trace: bool) -> String {
    let rows: Vec<String> = (0..ROWS).map(|row| format!("{:?}", inputs(row))).collect();
    let mut text = format!(
        "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
         memref.global \"private\" constant @inputs : memref<{ROWS}x4xi64> = dense<[{}]>\n",
        rows.join(", ")
    );
    if trace {
        text += "func.func @trace(%number: i64, %bits: i64) {\n  \
                 call @printI64(%number) : (i64) -> ()\n  call @printNewline() : () -> ()\n  \
                 call @printI64(%bits) : (i64) -> ()\n  call @printNewline() : () -> ()\n  return\n}\n";
    }
    for function in functions {
        text += &function.text;
    }
    let _ = write!(
        text,
        "func.func @main() {{\n  %inputs = memref.get_global @inputs : memref<{ROWS}x4xi64>\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %c2 = arith.constant 2 : index\n  %c3 = arith.constant 3 : index\n  \
         %rows = arith.constant {ROWS} : index\n  scf.for %row = %c0 to %rows step %c1 {{\n"
    );
    for column in 0..4 {
        let _ = writeln!(
            text,
            "    %a{column} = memref.load %inputs[%row, %c{column}] : memref<{ROWS}x4xi64>"
        );
    }
    for (seed, function) in seeds.zip(functions) {
        let n = function.results.len();
        let types = vec!["i64"; n].join(", ");
        let _ = writeln!(
            text,
            "    %f{seed}:{n} = func.call @f{seed}(%a0, %a1, %a2, %a3) : (i64, i64, i64, i64) -> ({types})"
        );
        for index in 0..n {
            let _ = writeln!(
                text,
                "    func.call @printI64(%f{seed}#{index}) : (i64) -> ()\n    \
                 func.call @printNewline() : () -> ()"
            );
        }
    }
    text += "  }\n  return\n}\n";
    text
}

/// What the module prints when the peer compiles and runs it.
fn peer_output(text: &str) -> Result<String, String> {
    let lowered = peer::run_ok(&peer::tool("mlir-opt-19"), &LOWERING, text)?;
    let libraries = [
        peer::tool("libmlir_c_runner_utils.so"),
        peer::tool("libmlir_float16_utils.so"),
    ];
    let libraries = libraries.map(|library| format!("-shared-libs={}", library.display()));
    let mut arguments = vec!["-e", "main", "-entry-point-result=void", "-O0"];
    arguments.extend(libraries.iter().map(String::as_str));
    // The conversions to bf16 of processors that have them make zeros of subnormal numbers.
    if cfg!(target_arch = "x86_64") {
        arguments.push("-mattr=-avx512bf16,-avxneconvert,-amx-bf16");
    }
    peer::run_ok(&peer::tool("mlir-cpu-runner-19"), &arguments, &lowered)
}

/// What the module prints when Freehold runs it.
fn freehold_output(command: &str, text: &str) -> Result<String, String> {
    let job = Job::new(command, &Arc::from(text));
    let outcomes = batch::run(&[job])?;
    let outcome = outcomes.first().ok_or("the command did not run")?;
    match outcome.end {
        End::Status(0) => Ok(outcome.native.clone()),
        _ => Err(format!(
            "freehold {command}: {:?}\n{}{}",
            outcome.end, outcome.stderr, outcome.native
        )),
    }
}

fn parse(output: &str) -> Result<Vec<u64>, String> {
    output
        .lines()
        .map(|line| {
            line.trim()
                .parse::<i64>()
                .map(|number| number as u64)
                .map_err(|_| format!("'{line}' is no number"))
        })
        .collect()
}

/// How many floats of a type are between two, given by their bits; all ones is any NaN.
fn ulps(ty: Ty, a: u64, b: u64) -> u64 {
    const NAN: u64 = u64::MAX;
    if a == b {
        return 0;
    }
    if a == NAN || b == NAN {
        return NAN;
    }
    // The order of floats is that of sign and magnitude.
    let sign = 1u64 << (ty.width() - 1);
    let position = |bits: u64| {
        let magnitude = i128::from(bits & (sign - 1));
        if bits & sign == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    u64::try_from((position(a) - position(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

/// The first value of a function that differs, and how it is made.
fn explain(seed: u64, command: &str) -> Result<String, String> {
    let function = function(seed, &format!("f{seed}"), true);
    let text = module(seed..seed + 1, std::slice::from_ref(&function), true);
    let theirs = parse(&peer_output(&text)?)?;
    let ours = parse(&freehold_output(command, &text)?)?;
    // Numbers of values and their bits take turns.
    let differs = ours.iter().zip(&theirs).position(|(a, b)| a != b);
    if let Some(at) = differs {
        let value = ours[..at].last().copied().unwrap_or(0);
        let definition = format!("%v{value} = ");
        let definition = function
            .text
            .lines()
            .find(|line| line.contains(&definition));
        return Ok(format!(
            "%v{value} is {:#x}, expected {:#x}: {}",
            ours[at],
            theirs[at],
            definition.unwrap_or("a block argument or the result of a region")
        ));
    }
    Ok("the traces are equal".to_owned())
}
