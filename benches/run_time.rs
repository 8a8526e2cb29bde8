//! How long programs run with their buffers freed by Freehold's ownership pass, against what
//! mlir-opt 19's pipeline and `clang-19 -O3` make of them.
//!
//! A third column has mlir-opt's result compiled by Freehold: what is left of the difference is due to
//! where buffers are freed.
//!
//! `cargo bench --bench run_time` compiles the examples and 504 random programs in all three ways, and
//! prints a table; `-- build FOLDER [PROGRAMS]` and `-- run FOLDER` do one half each, so that the second
//! can have the machine for itself. What is in the folder already is not built again. Each program
//! becomes an executable that calls it again and again in one process; what it prints is added up
//! instead, and its allocations and frees are counted.

mod support;

#[allow(
    dead_code,
    reason = "tests use more of it, and this is the same module"
)]
#[path = "../tests/support/generator/mod.rs"]
mod generator;
#[allow(
    dead_code,
    reason = "tests use more of it, and this is the same module"
)]
#[path = "../tests/support/process.rs"]
mod process;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use generator::generate;
use generator::shape::Shape;
use process::Stderr;
use support::{FREEHOLD, Scratch, argument, line, row, show, table};

/// How many random programs there are unless the command line says otherwise.
const PROGRAMS: u64 = 504;

/// The longest that a tool or a program may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Calls the program, first a few times to see whether it does the right thing, then with a clock.
const DRIVER: &str = "
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static uint64_t sum, allocations, frees;
static void add(uint64_t value) { sum = sum * 1000003 + value; }
void printI64(int64_t value) { add(value); }
void printU64(uint64_t value) { add(value); }
void printF64(double value) { uint64_t bits; memcpy(&bits, &value, 8); add(bits); }
void printNewline(void) { add(10); }
void printMemrefF32(int64_t rank, void *descriptor) {
  struct { float *allocated, *aligned; int64_t offset, sizes[]; } *m = descriptor;
  int64_t n = 1;
  for (int64_t i = 0; i < rank; ++i) n *= m->sizes[i];
  for (int64_t i = 0; i < n; ++i) add(m->aligned[m->offset + i] * 1024);
}
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t size) { return ++allocations, __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return ++allocations, __real_calloc(n, size); }
void *__wrap_aligned_alloc(size_t a, size_t size) { return ++allocations, __real_aligned_alloc(a, size); }
void __wrap_free(void *pointer) { frees += pointer != 0; __real_free(pointer); }
void program(void);
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}
int main(int count, char **arguments) {
  int rounds = atoi(arguments[1]);
  double start = now(), least = 1e18;
  for (int i = 0; i < 20; ++i) program();
  double first = (now() - start) / 20;
  printf(\"%llu %llu %llu \", (unsigned long long)sum, (unsigned long long)allocations,
         (unsigned long long)frees);
  for (int sample = 0; sample < 5 && rounds; ++sample) {
    start = now();
    for (int i = 0; i < rounds; ++i) program();
    double time = (now() - start) / rounds;
    if (time < least) least = time;
  }
  printf(\"%.1f\\n\", rounds ? least : first);
}
";

const LINK: [&str; 4] = [
    "-O2",
    "-Wl,--allow-multiple-definition",
    "-Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=free",
    "-lm",
];

/// What follows mlir-opt's pipeline.
const TO_LLVM: [&str; 17] = [
    "--convert-bufferization-to-memref",
    "--scf-forall-to-for",
    "--convert-linalg-to-loops",
    "--convert-vector-to-scf",
    "--memref-expand",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-math-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--convert-cf-to-llvm",
    "--canonicalize",
    "--reconcile-unrealized-casts",
];

fn main() {
    let arguments = support::arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            let scratch = Scratch::new();
            let folder = scratch.path("");
            build(&folder, PROGRAMS);
            run(&folder);
        }
        ["build", folder] => build(Path::new(folder), PROGRAMS),
        ["build", folder, programs] => {
            let programs = programs.parse().expect("the number of programs is one");
            build(Path::new(folder), programs);
        }
        ["run", folder] => run(Path::new(folder)),
        _ => {
            line("usage: run_time [build FOLDER [PROGRAMS] | run FOLDER]");
            std::process::exit(2);
        }
    }
}

/// The programs: the group that each belongs to, its name, its text.
fn programs(n_random: u64) -> Vec<(String, String, String)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<_> = fs::read_dir(examples)
        .expect("the examples are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("examples are text");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        all.push(("examples".to_owned(), name.into_owned(), text));
    }
    let share = n_random.div_ceil(Shape::NAMED.len() as u64);
    for (group, shape) in Shape::NAMED {
        // Programs that cannot tell a copy from the original.
        let shape = Shape {
            clones: false,
            ..shape.quiet()
        };
        for seed in 0..share {
            let text = generate(seed, &shape);
            all.push((group.to_owned(), format!("{group}-{seed}"), text));
        }
    }
    all
}

/// Makes two executables of each program, as far as that is possible.
fn build(folder: &Path, n_random: u64) {
    fs::create_dir_all(folder).expect("the folder can be made");
    let driver = folder.join("driver.c");
    fs::write(&driver, DRIVER).expect("the folder takes a file");
    let mut list = String::new();
    let programs = programs(n_random);
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some((_, name, text)) = programs.get(index) else {
                        break;
                    };
                    let text = text.replace("@main(", "@program(");
                    let bytes = text.as_bytes();
                    build_ours(folder, &driver, name, ".ours", "--dealloc=ownership", bytes);
                    build_theirs(folder, &driver, name, &text);
                }
            });
        }
    });
    for (group, name, _) in &programs {
        list.push_str(&format!("{group} {name}\n"));
    }
    fs::write(folder.join("list"), list).expect("the folder takes a file");
}

/// What a command makes of `input`; nothing if it fails.
fn filter(program: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    command.args(arguments);
    let finished = process::run(&mut command, input, Stderr::Separate, TIMEOUT).ok()?;
    (finished.status == 0).then_some(finished.stdout)
}

/// Compiles `text` with Freehold to an executable of that ending.
fn build_ours(folder: &Path, driver: &Path, name: &str, ending: &str, dealloc: &str, text: &[u8]) {
    let path = |ending: &str| folder.join(format!("{name}{ending}"));
    let executable = path(ending);
    if executable.exists() {
        return;
    }
    let library = argument(&path(&format!("{ending}.a")));
    let flags = ["compile", "-", dealloc, "--emit=lib", "-o", &library];
    if filter(FREEHOLD, &flags, text).is_some() {
        let (driver, executable) = (argument(driver), argument(&executable));
        let files = [driver.as_str(), &library, "-o", &executable];
        filter("clang-19", &[&LINK[..], &files].concat(), b"");
    }
}

fn build_theirs(folder: &Path, driver: &Path, name: &str, text: &str) {
    let path = |ending: &str| folder.join(format!("{name}{ending}"));
    let (object, executable) = (argument(&path(".o")), path(".theirs"));
    if executable.exists() && path(".same").exists() {
        return;
    }
    let pipeline = ["--buffer-deallocation-pipeline"];
    let Some(freed) = filter("mlir-opt-19", &pipeline, text.as_bytes()) else {
        return;
    };
    build_ours(folder, driver, name, ".same", "--dealloc=none", &freed);
    if executable.exists() {
        return;
    }
    let code = filter("mlir-opt-19", &TO_LLVM, &freed)
        .and_then(|text| filter("mlir-translate-19", &["--mlir-to-llvmir"], &text))
        .and_then(|text| {
            let flags = ["-O3", "-w", "-c", "-xir", "-", "-o", &object];
            filter("clang-19", &flags, &text)
        });
    if code.is_some() {
        let utilities = [
            "-L/usr/lib/llvm-19/lib",
            "-lmlir_c_runner_utils",
            "-Wl,-rpath,/usr/lib/llvm-19/lib",
        ];
        let (driver, executable) = (argument(driver), argument(&executable));
        let files = [driver.as_str(), &object, "-o", &executable];
        filter("clang-19", &[&LINK[..], &files, &utilities].concat(), b"");
    }
}

/// What an executable says.
#[derive(Clone, Copy, Debug)]
struct Said {
    sum: u64,
    allocations: u64,
    frees: u64,
    nanoseconds: f64,
}

fn execute(executable: &Path, rounds: u64) -> Option<Said> {
    let text = filter(
        &executable.display().to_string(),
        &[&rounds.to_string()],
        b"",
    )?;
    let text = String::from_utf8(text).ok()?;
    let mut words = text.split_whitespace();
    Some(Said {
        sum: words.next()?.parse().ok()?,
        allocations: words.next()?.parse().ok()?,
        frees: words.next()?.parse().ok()?,
        nanoseconds: words.next()?.parse().ok()?,
    })
}

/// How both did on the programs of one group.
#[derive(Default)]
struct Group {
    name: String,
    programs: usize,
    rejected: usize,
    /// Prints something else, leaks or crashes: theirs, and ours.
    wrong: [usize; 2],
    compared: usize,
    /// Nanoseconds of one execution of all compared programs: ours, mlir-opt's with our code
    /// generator, and with clang.
    times: [f64; 3],
    allocations: [u64; 3],
    /// Logarithms of the ratios of the latter two to the first, added up.
    logarithms: [f64; 2],
}

/// Runs what was built, both in turns, and prints the table.
fn run(folder: &Path) {
    let list = fs::read_to_string(folder.join("list")).expect("the folder was built before");
    let mut groups: Vec<Group> = Vec::new();
    for entry in list.lines() {
        let (group, name) = entry.split_once(' ').expect("lines have two words");
        if groups.last().is_none_or(|last| last.name != group) {
            groups.push(Group {
                name: group.to_owned(),
                ..Group::default()
            });
        }
        let group = groups.last_mut().expect("there is one now");
        group.programs += 1;
        let executables =
            [".ours", ".same", ".theirs"].map(|ending| folder.join(format!("{name}{ending}")));
        let is_clean = |said: &Said| said.allocations == said.frees;
        let [ours, same, theirs] = &executables;
        let Some(mine) = execute(ours, 0).filter(is_clean) else {
            line(&format!("{name}: wrong with Freehold"));
            group.wrong[1] += 1;
            continue;
        };
        if !theirs.exists() || !same.exists() {
            group.rejected += 1;
            continue;
        }
        let others = [same, theirs].map(|executable| {
            let said = execute(executable, 0).filter(is_clean);
            said.filter(|other| other.sum == mine.sum)
        });
        let [Some(same), Some(theirs)] = others else {
            group.wrong[0] += 1;
            continue;
        };
        // Two milliseconds for each of five samples.
        let rounds = (2e6 / mine.nanoseconds).ceil().max(1.0) as u64;
        let mut least = [f64::INFINITY; 3];
        for _ in 0..3 {
            for (executable, least) in executables.iter().zip(&mut least) {
                if let Some(said) = execute(executable, rounds) {
                    *least = least.min(said.nanoseconds);
                }
            }
        }
        group.compared += 1;
        for (total, said) in group.allocations.iter_mut().zip([mine, same, theirs]) {
            *total += said.allocations / 20;
        }
        for (total, time) in group.times.iter_mut().zip(least) {
            *total += time;
        }
        for (total, time) in group.logarithms.iter_mut().zip(&least[1..]) {
            *total += (time / least[0]).ln();
        }
    }
    print(&groups);
}

fn print(groups: &[Group]) {
    table(&[
        "programs",
        "how many",
        "peer rejects",
        "peer's is wrong",
        "ours is wrong",
        "compared",
        "allocations: Freehold",
        "mlir-opt, Freehold's code",
        "mlir-opt, clang",
        "run time: Freehold",
        "mlir-opt, Freehold's code",
        "mlir-opt, clang",
        "total: Freehold's code / Freehold",
        "clang / Freehold",
        "geometric mean: Freehold's code / Freehold",
        "clang / Freehold",
    ]);
    let mut all = Group {
        name: "all".to_owned(),
        ..Group::default()
    };
    for group in groups {
        row(&cells(group));
        all.programs += group.programs;
        all.rejected += group.rejected;
        all.compared += group.compared;
        for side in 0..2 {
            all.wrong[side] += group.wrong[side];
            all.logarithms[side] += group.logarithms[side];
        }
        for side in 0..3 {
            all.times[side] += group.times[side];
            all.allocations[side] += group.allocations[side];
        }
    }
    row(&cells(&all));
}

fn cells(group: &Group) -> Vec<String> {
    let time = |nanoseconds: f64| match nanoseconds {
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n => show(Duration::from_nanos(n as u64)),
    };
    let mut cells = vec![group.name.clone()];
    let numbers = [
        group.programs,
        group.rejected,
        group.wrong[0],
        group.wrong[1],
        group.compared,
    ];
    cells.extend(numbers.map(|number| number.to_string()));
    cells.extend(group.allocations.map(|number| number.to_string()));
    cells.extend(group.times.map(time));
    let ratio = |theirs: f64| format!("{theirs:.2}x");
    cells.extend([1, 2].map(|side| ratio(group.times[side] / group.times[0])));
    let mean = |sum: f64| ratio((sum / group.compared.max(1) as f64).exp());
    cells.extend(group.logarithms.map(mean));
    cells
}
