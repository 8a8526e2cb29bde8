//! How long compilation takes, against `mlir-opt-19`, `mlir-translate-19`,
//! `llc-19` and `mlir-cpu-runner-19` in the same run.
//!
//! `cargo bench --bench compile` prints all tables; `-- opt`, `-- passes`, `-- native`,
//! `-- scaling`, `-- memory` or `-- bytecode` only that one. `-- text KIND N` prints an input, `-- bytecode 500` takes
//! programs of 500 MB.

mod support;

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use freehold::frontend::bytecode::parse_program;
use freehold::frontend::dialects;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::ir::source_text::SourceText;

use support::scale::Kind;
use support::{
    Chain, FREEHOLD, PEER_LOWERING, Scratch, argument, least_times, line, ratio, row, show, table,
};

fn main() {
    let arguments = support::arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            opt();
            passes();
            native();
            scaling();
            memory();
            bytecode(50);
        }
        ["opt"] => opt(),
        ["passes"] => passes(),
        ["native"] => native(),
        ["scaling"] => scaling(),
        ["memory"] => memory(),
        ["bytecode"] => bytecode(50),
        ["bytecode", megabytes] => bytecode(megabytes.parse().unwrap_or(50)),
        ["text", kind, n] => print_text(kind, n),
        ["parse", input] => parse(input),
        _ => {
            line(
                "usage: compile [opt | passes | native | scaling | memory | bytecode [MB] | text KIND N]",
            );
            std::process::exit(2);
        }
    }
}

fn print_text(kind: &str, n: &str) {
    match (Kind::from_name(kind), n.parse()) {
        (Some(kind), Ok(n)) => line(kind.text(n).trim_end()),
        _ => {
            let kinds = Kind::ALL.map(Kind::name).join(", ");
            line(&format!("expected one of {kinds}, and a number"));
            std::process::exit(2);
        }
    }
}

/// What there are two implementations of: ours and theirs as whole processes.
struct Contest {
    name: &'static str,
    ours: Chain,
    theirs: Chain,
}

fn print_contests(contests: Vec<Contest>, rounds: usize) {
    table(&["", "Freehold", "MLIR 19", "ratio"]);
    for mut contest in contests {
        let [ours, theirs] = least_times([&mut contest.ours, &mut contest.theirs], rounds);
        row(&[
            contest.name.to_owned(),
            show(ours),
            show(theirs),
            ratio(ours, theirs),
        ]);
    }
    line("");
}

fn peers_are_installed(programs: &[&str]) -> bool {
    let missing: Vec<&str> = programs
        .iter()
        .copied()
        .filter(|program| !support::is_installed(program))
        .collect();
    if missing.is_empty() {
        return true;
    }
    line(&format!("SKIPPED: {} not installed", missing.join(", ")));
    false
}

/// Text to text.
fn opt() {
    if !peers_are_installed(&["mlir-opt-19"]) {
        return;
    }
    let scratch = Scratch::new();
    let many = argument(&scratch.write("many.mlir", &Kind::Many.text(1000)));
    let both = |name, flags: &[&str]| {
        let mut arguments = vec![many.as_str()];
        arguments.extend(flags);
        let mut ours = vec!["opt"];
        ours.extend(&arguments);
        Contest {
            name,
            ours: Chain::new(FREEHOLD, &ours),
            theirs: Chain::new("mlir-opt-19", &arguments),
        }
    };
    print_contests(
        vec![
            both("parse, verify, print", &[]),
            both("`--canonicalize`", &["--canonicalize"]),
            both("`--cse`", &["--cse"]),
            both(
                "`--ownership-based-buffer-deallocation`",
                &["--ownership-based-buffer-deallocation"],
            ),
            both(
                "`--buffer-deallocation-pipeline`",
                &["--buffer-deallocation-pipeline"],
            ),
        ],
        5,
    );
}

/// What passes take by themselves, as the compilers say: neither parsing nor
/// printing, nor starting a process.
#[derive(Clone, Copy)]
struct PassTimes {
    ownership: Duration,
    /// The whole pipeline.
    all: Duration,
}

impl PassTimes {
    /// The least of some runs of a command that prints a report.
    fn least_of(rounds: usize, mut run: impl FnMut() -> Self) -> Self {
        let mut least = run();
        for _ in 1..rounds {
            let times = run();
            least.ownership = least.ownership.min(times.ownership);
            least.all = least.all.min(times.all);
        }
        least
    }

    /// Those of the deallocation pipeline.
    fn of(program: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments);
        command.args([
            "--buffer-deallocation-pipeline",
            "--mlir-timing",
            "-o",
            "/dev/null",
        ]);
        let output = command.output().expect("the command can be started");
        assert!(output.status.success(), "{command:?} failed");
        let mut times = Self {
            ownership: Duration::ZERO,
            all: Duration::ZERO,
        };
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            // `  0.0323 (  4.1%)  Parser`
            let Some((seconds, name)) = line.split_once('(') else {
                continue;
            };
            let name = name.split_once(')').map_or("", |(_, name)| name.trim());
            let is_a_pass = !["", "root", "Parser", "Output", "Rest", "Total"].contains(&name);
            let Some(seconds) = seconds.trim().parse().ok().filter(|_| is_a_pass) else {
                continue;
            };
            let time = Duration::from_secs_f64(seconds);
            times.all += time;
            if name.to_lowercase().replace('-', "") == "ownershipbasedbufferdeallocation" {
                times.ownership += time;
            }
        }
        times
    }
}

/// Deallocation of inputs that grow, passes alone.
fn passes() {
    // The peer's time doubles with every step of `deep`.
    const INPUTS: [(Kind, usize, bool); 7] = [
        (Kind::Many, 200, true),
        (Kind::Many, 1000, true),
        (Kind::Wide, 50, true),
        (Kind::Wide, 200, true),
        (Kind::Deep, 16, true),
        (Kind::Deep, 18, true),
        (Kind::Deep, 3200, false),
    ];
    if !peers_are_installed(&["mlir-opt-19"]) {
        return;
    }
    let scratch = Scratch::new();
    table(&[
        "",
        "ownership pass: Freehold",
        "MLIR 19",
        "ratio",
        "pipeline: Freehold",
        "MLIR 19",
        "ratio",
    ]);
    for (kind, size, with_peer) in INPUTS {
        let input = argument(&scratch.write("input.mlir", &kind.text(size)));
        let ours = PassTimes::least_of(5, || PassTimes::of(FREEHOLD, &["opt", &input]));
        let theirs = with_peer.then(|| {
            PassTimes::least_of(3, || {
                PassTimes::of("mlir-opt-19", &[&input, "--mlir-timing-display=list"])
            })
        });
        let mut cells = vec![format!("`{}`, N = {size}", kind.name())];
        for part in [
            |times: PassTimes| times.ownership,
            |times: PassTimes| times.all,
        ] {
            cells.push(show(part(ours)));
            match theirs.map(part) {
                Some(theirs) => cells.extend([show(theirs), ratio(part(ours), theirs)]),
                None => cells.extend(["-".to_owned(), "-".to_owned()]),
            }
        }
        row(&cells);
    }
    line("");
}

const TEN_LINES: &str = "\
func.func private @printF32(f32)
func.func @main() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 4 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %f = arith.constant 1.0 : f32
  memref.store %f, %m[%c0] : memref<?xf32>
  %r = memref.load %m[%c0] : memref<?xf32>
  func.call @printF32(%r) : (f32) -> ()
  return
}
";

/// Text to native code.
fn native() {
    let programs = [
        "mlir-opt-19",
        "mlir-translate-19",
        "llc-19",
        "mlir-cpu-runner-19",
    ];
    if !peers_are_installed(&programs) {
        return;
    }
    let scratch = Scratch::new();
    let many = argument(&scratch.write("many.mlir", &Kind::Many.text(1000)));
    let small = argument(&scratch.write("small.mlir", TEN_LINES));
    let [lowered, llvm, object] =
        ["lowered.mlir", "out.ll", "out.o"].map(|name| argument(&scratch.path(name)));
    let lower = |input: &str| {
        let mut arguments = vec![input, "-o", &lowered];
        arguments.extend(PEER_LOWERING);
        Chain::new("mlir-opt-19", &arguments)
    };
    let to_object = |level: &str| {
        lower(&many)
            .then(
                "mlir-translate-19",
                &["--mlir-to-llvmir", &lowered, "-o", &llvm],
            )
            .then(
                "llc-19",
                &[
                    level,
                    "-filetype=obj",
                    "-relocation-model=pic",
                    &llvm,
                    "-o",
                    &object,
                ],
            )
    };
    let ours = |level: &str| Chain::new(FREEHOLD, &["compile", level, &many, "-o", &object]);
    let libraries = "-shared-libs=/usr/lib/llvm-19/lib/libmlir_c_runner_utils.so";
    print_contests(
        vec![
            Contest {
                name: "text to object, `-O2`",
                ours: ours("-O2"),
                theirs: to_object("-O2"),
            },
            Contest {
                name: "text to object, `-O0`",
                ours: ours("-O0"),
                theirs: to_object("-O0"),
            },
        ],
        // The peer takes half a minute each time.
        1,
    );
    print_contests(
        vec![Contest {
            name: "running a program of ten lines",
            ours: Chain::new(FREEHOLD, &["run", &small]),
            theirs: lower(&small).then(
                "mlir-cpu-runner-19",
                &[
                    "-e",
                    "main",
                    "-entry-point-result=void",
                    libraries,
                    &lowered,
                ],
            ),
        }],
        10,
    );
}

/// Time per unit as inputs grow.
fn scaling() {
    const SIZES: [usize; 5] = [50, 200, 800, 3200, 12_800];
    let scratch = Scratch::new();
    let mut columns = vec!["us per N of the pipeline".to_owned()];
    columns.extend(SIZES.map(|size| format!("N = {size}")));
    table(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for kind in [
        Kind::Many,
        Kind::Wide,
        Kind::Deep,
        Kind::Chain,
        Kind::Diamonds,
        Kind::Block,
        Kind::Through,
    ] {
        let mut cells = vec![format!("`{}`", kind.name())];
        for size in SIZES {
            let input = argument(&scratch.write("input.mlir", &kind.text(size)));
            let arguments = ["opt", &input, "--buffer-deallocation-pipeline"];
            let mut chain = Chain::new(FREEHOLD, &arguments);
            let [time] = least_times([&mut chain], 3);
            cells.push(format!("{:.1}", time.as_secs_f64() * 1e6 / size as f64));
        }
        row(&cells);
    }
    line("");
    large_functions();
}

/// Time per loop to compile functions of many loops.
fn large_functions() {
    const SIZES: [usize; 3] = [500, 4000, 16_000];
    let scratch = Scratch::new();
    let mut columns = vec!["us per N, text to object, `-O2`".to_owned()];
    columns.extend(SIZES.map(|size| format!("N = {size}")));
    table(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for kind in [Kind::Sweeps, Kind::Tiles] {
        let mut cells = vec![format!("`{}`", kind.name())];
        for size in SIZES {
            let input = argument(&scratch.write("input.mlir", &kind.text(size)));
            let object = argument(&scratch.write("output.o", ""));
            let mut chain = Chain::new(FREEHOLD, &["compile", &input, "-o", &object]);
            let [time] = least_times([&mut chain], 1);
            cells.push(format!("{:.1}", time.as_secs_f64() * 1e6 / size as f64));
        }
        row(&cells);
    }
    line("");
}

/// Bytes per operation of a module in memory, from how the peak of a process
/// that parses grows with its input.
fn memory() {
    let scratch = Scratch::new();
    let [(few, low), (many, high)] = [1000, 5000].map(|size| {
        let input = argument(&scratch.write("input.mlir", &Kind::Many.text(size)));
        let parsed = parse_apart(&input);
        (parsed.operations, parsed.peak)
    });
    if low == 0 {
        line("SKIPPED: no /proc/self/status to read the peak of a process from");
        return;
    }
    line(&format!(
        "Parsing takes {} bytes per operation at its peak, its text included.",
        (high - low) / (many - few)
    ));
}

/// Text against bytecode of the same programs, of about `megabytes` as text: sizes, times to read and parse, peaks.
fn bytecode(megabytes: usize) {
    let scratch = Scratch::new();
    let size = megabytes * 1_000_000;
    type Program = fn(usize) -> String;
    let programs: [(&str, Program); 2] = [
        ("operations", |size| {
            Kind::Many.text(size / (Kind::Many.text(100).len() / 100))
        }),
        ("weights", |size| weights(size / 2)),
    ];
    table(&[
        "parsing",
        "text",
        "bytecode",
        "time of text",
        "of bytecode",
        "ratio",
        "peak of text",
        "of bytecode",
    ]);
    for (name, text) in programs {
        let input = argument(&scratch.write("input.mlir", &text(size)));
        let output = argument(&scratch.path("input.mlirbc"));
        let arguments = ["opt", &input, "--emit-bytecode", "-o", &output];
        let mut chain = Chain::new(FREEHOLD, &arguments);
        least_times([&mut chain], 1);
        let files = [&*input, &*output];
        let bytes = files.map(|file| fs::metadata(file).map_or(0, |found| found.len()));
        let rounds: Vec<_> = (0..3).map(|_| files.map(parse_apart)).collect();
        let least = |i: usize| rounds.iter().map(|round| round[i].time).min();
        let times = [0, 1].map(|i| least(i).unwrap_or_default());
        let megabytes = |bytes: u64| format!("{} MB", bytes / 1_000_000);
        row(&[
            name.to_owned(),
            megabytes(bytes[0]),
            megabytes(bytes[1]),
            show(times[0]),
            show(times[1]),
            ratio(times[1], times[0]),
            megabytes(rounds[0][0].peak),
            megabytes(rounds[0][1].peak),
        ]);
    }
    line("");
}

/// A program with a constant of this many bytes, which are all different.
fn weights(n_bytes: usize) -> String {
    let n = n_bytes / 4;
    let mut text = format!(
        "func.func @weights() -> tensor<{n}xf32> {{\n  %0 = arith.constant dense_resource<weights> : \
         tensor<{n}xf32>\n  return %0 : tensor<{n}xf32>\n}}\n{{-#\n  dialect_resources: {{\n    builtin: \
         {{\n      weights: \"0x04000000"
    );
    for i in 0..n as u32 {
        let bits = i.wrapping_mul(0x9e37_79b9) & 0x3fff_ffff;
        text.push_str(&format!("{:08X}", bits.swap_bytes()));
    }
    text.push_str("\"\n    }\n  }\n#-}\n");
    text
}

/// What parsing came to in a process of its own.
struct Parsed {
    operations: u64,
    peak: u64,
    time: Duration,
}

fn parse_apart(input: &str) -> Parsed {
    let this = std::env::current_exe().expect("this program has a path");
    let output = Command::new(this).args(["parse", input]).output();
    let output = output.expect("this program can be started again");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers = text.split_whitespace().map_while(|n| n.parse::<u64>().ok());
    match numbers.collect::<Vec<_>>()[..] {
        [operations, peak, micros] => Parsed {
            operations,
            peak,
            time: Duration::from_micros(micros),
        },
        _ => panic!("expected three numbers, got {text:?}"),
    }
}

/// Prints the number of operations in `input`, and the peak of this process in bytes and the microseconds when it
/// has read and parsed them.
fn parse(input: &str) {
    let start = Instant::now();
    let context = Arc::new(dialects::context());
    let mut file = fs::File::open(input).expect("the caller wrote the input");
    let text = SourceText::read(&mut file, 1 << 31).expect("the input is text or bytecode");
    let file = context
        .add_source(input, text, 1)
        .expect("the input is small enough");
    let mut diagnostics = Diagnostics::new();
    let ir =
        parse_program(&context, &file, &mut diagnostics).expect("the input is a valid program");
    let time = start.elapsed();
    let operations = count_operations(&ir);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    line(&format!(
        "{operations} {} {}",
        kilobytes.unwrap_or_default() * 1024,
        time.as_micros()
    ));
}

fn count_operations(ir: &Ir) -> usize {
    ir.collect_ops(ir.root())
        .into_iter()
        .map(|op| 1 + ir.nested(op).map_or(0, count_operations))
        .sum()
}
