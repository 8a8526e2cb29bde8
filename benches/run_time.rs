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

use std::fs;
use std::path::Path;

use generator::generate;
use generator::shape::Shape;
use support::driver::{
    Driver, Said, callable, examples, execute, filter, least_nanoseconds, show_nanoseconds,
};
use support::{Scratch, argument, line, row, table};

/// How many random programs there are unless the command line says otherwise.
const PROGRAMS: u64 = 504;

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
    let mut all: Vec<_> = examples()
        .into_iter()
        .map(|(name, text)| ("examples".to_owned(), name, text))
        .collect();
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
    let driver = Driver::new(folder);
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
                    let text = callable(text);
                    let ours = folder.join(format!("{name}.ours"));
                    if !ours.exists() {
                        driver.build(&text, &["--dealloc=ownership"], &ours);
                    }
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

fn build_theirs(folder: &Path, driver: &Driver, name: &str, text: &str) {
    let path = |ending: &str| folder.join(format!("{name}{ending}"));
    let (object, executable, same) = (argument(&path(".o")), path(".theirs"), path(".same"));
    if executable.exists() && same.exists() {
        return;
    }
    let pipeline = ["--buffer-deallocation-pipeline"];
    let Some(freed) = filter("mlir-opt-19", &pipeline, text.as_bytes()) else {
        return;
    };
    if !same.exists() {
        let text = String::from_utf8_lossy(&freed);
        driver.build(&text, &["--dealloc=none"], &same);
    }
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
        driver.link(&[&[object.as_str()][..], &utilities].concat(), &executable);
    }
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
        let [ours, same, theirs] = &executables;
        let Some(mine) = execute(ours, 0).filter(Said::is_clean) else {
            line(&format!("{name}: wrong with Freehold"));
            group.wrong[1] += 1;
            continue;
        };
        if !theirs.exists() || !same.exists() {
            group.rejected += 1;
            continue;
        }
        let others = [same, theirs].map(|executable| {
            let said = execute(executable, 0).filter(Said::is_clean);
            said.filter(|other| other.sum == mine.sum)
        });
        let [Some(same), Some(theirs)] = others else {
            group.wrong[0] += 1;
            continue;
        };
        let least = least_nanoseconds(&executables, &mine, 3);
        group.compared += 1;
        for (total, said) in group.allocations.iter_mut().zip([mine, same, theirs]) {
            *total += said.allocations_per_call();
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
    cells.extend(group.times.map(show_nanoseconds));
    let ratio = |theirs: f64| format!("{theirs:.2}x");
    cells.extend([1, 2].map(|side| ratio(group.times[side] / group.times[0])));
    let mean = |sum: f64| ratio((sum / group.compared.max(1) as f64).exp());
    cells.extend(group.logarithms.map(mean));
    cells
}
