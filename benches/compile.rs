//! How long compilation takes, against `mlir-opt-19`, `mlir-translate-19`,
//! `llc-19` and `mlir-cpu-runner-19` in the same run.
//!
//! `cargo bench --bench compile` prints all tables; `-- opt`, `-- passes`, `-- native`,
//! `-- scaling` or `-- memory` only that one. `-- text KIND N` prints an input.

mod support;

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use freehold::frontend::dialects;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::syntax::parser::parse_source;

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
        }
        ["opt"] => opt(),
        ["passes"] => passes(),
        ["native"] => native(),
        ["scaling"] => scaling(),
        ["memory"] => memory(),
        ["text", kind, n] => print_text(kind, n),
        ["parse", input] => parse(input),
        _ => {
            line("usage: compile [opt | passes | native | scaling | memory | text KIND N]");
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
        let this = std::env::current_exe().expect("this program has a path");
        let output = Command::new(this).args(["parse", &input]).output();
        let output = output.expect("this program can be started again");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut numbers = text.split_whitespace().map(|n| n.parse::<u64>().ok());
        match (numbers.next().flatten(), numbers.next().flatten()) {
            (Some(operations), Some(peak)) => (operations, peak),
            _ => panic!("expected two numbers, got {text:?}"),
        }
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

/// Prints the number of operations in `input` and the peak of this process in
/// bytes when it has parsed them.
fn parse(input: &str) {
    let context = Arc::new(dialects::context());
    let text = fs::read_to_string(input).expect("the caller wrote the input");
    let file = context
        .add_source(input, text, 1)
        .expect("the input is small enough");
    let mut diagnostics = Diagnostics::new();
    let ir = parse_source(&context, &file, &mut diagnostics).expect("the input is a valid program");
    let operations = count_operations(&ir);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    line(&format!(
        "{operations} {}",
        kilobytes.unwrap_or_default() * 1024
    ));
}

fn count_operations(ir: &Ir) -> usize {
    ir.collect_ops(ir.root())
        .into_iter()
        .map(|op| 1 + ir.nested(op).map_or(0, count_operations))
        .sum()
}
