//! Programs of several processes, under the mpirun of Open MPI and, where it is installed, of MPICH.

mod namespaces;
mod programs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::process::{self, Stderr};
use crate::support::{first_seed, n_programs};

/// Functions in one program: starting processes takes longer than what they do.
const FUNCTIONS: usize = 20;
/// Functions that are tried on every change.
const USUAL: u64 = 20;
/// Two processes may share a processor with others.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What `n` processes print, and whether all ended well.
fn mpirun(kind: &str, n: usize, program: &Path, arguments: &[&str]) -> (String, bool) {
    static N_RUNS: AtomicUsize = AtomicUsize::new(0);
    let mut command = Command::new(format!("mpirun.{kind}"));
    // Runs at the same time would share a folder of Open MPI, and the first to end takes it away.
    let sessions = folder(&format!("sessions-{}", N_RUNS.fetch_add(1, Relaxed)));
    command.env("OMPI_MCA_orte_tmpdir_base", &sessions);
    if kind == "openmpi" {
        command.args(["--allow-run-as-root", "--oversubscribe", "--quiet"]);
        command.args(["--mca", "btl", "self,vader,tcp"]);
    }
    let outcome = run(command, n, program, arguments);
    // Nothing is left where all went well.
    let _ = fs::remove_dir_all(sessions);
    outcome
}

/// The same with this command, which knows how to start processes.
fn run(mut command: Command, n: usize, program: &Path, arguments: &[&str]) -> (String, bool) {
    command
        .args(["-n", &n.to_string()])
        .arg(program)
        .args(arguments);
    let finished = process::run(&mut command, b"", Stderr::Merged, TIMEOUT).unwrap();
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    (text, finished.status == 0)
}

fn freehold() -> PathBuf {
    env!("CARGO_BIN_EXE_freehold").into()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mpi-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn example(name: &str) -> String {
    format!("{}/examples/mpi/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The lines that are numbers, sorted: processes print in any order.
fn numbers(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.parse::<f64>().is_ok())
        .collect();
    lines.sort_unstable();
    lines
}

/// All processes print one number; which.
fn only_number(text: &str, n: usize) -> String {
    let lines = numbers(text);
    let different: BTreeSet<&str> = lines.iter().copied().collect();
    assert!(lines.len() == n && different.len() == 1, "{text}");
    lines[0].to_owned()
}

fn ring(kind: &str) {
    let file = example("ring.mlir");
    for n in 1..=4 {
        for level in ["-O0", "-O2"] {
            let arguments = ["run", &file, level, "--check", "--entry-point-result=i32"];
            let (text, ok) = mpirun(kind, n, &freehold(), &arguments);
            assert!(ok, "{text}");
            assert_eq!(only_number(&text, n), (n * (n - 1) / 2).to_string());
        }
    }
}

fn a_ring_of_processes() {
    ring("openmpi");
}

fn a_ring_of_processes_with_mpich() {
    ring("mpich");
}

/// Executables do what `run` does, with both implementations.
fn executable(kind: &str) {
    let folder = folder(&format!("exe-{kind}"));
    let program = folder.join("stencil");
    let output = Command::new(freehold())
        .args(["compile", "--emit=exe", &format!("--mpi={kind}"), "-o"])
        .arg(&program)
        .arg(example("stencil.mlir"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for n in 1..=3 {
        let (text, ok) = mpirun(kind, n, &program, &["--function=main"]);
        assert!(ok, "{text}");
        let (expected, ok) = mpirun(
            kind,
            n,
            &freehold(),
            &["run", &example("stencil.mlir"), "--function=main"],
        );
        assert!(ok, "{expected}");
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&text), sorted(&expected));
    }
    fs::remove_dir_all(&folder).unwrap();
}

fn executables_call_open_mpi() {
    executable("openmpi");
}

fn executables_call_mpich() {
    executable("mpich");
}

/// What JAX's `shard_map` made, a call of each collective on its own and in loops and branches, on four processes: the
/// program counts what is not as on one device, and the first process shows the counts.
fn sharded(kind: &str) {
    let file = format!(
        "{}/tests/suite/mpi/shard_map.mlir",
        env!("CARGO_MANIFEST_DIR")
    );
    for dealloc in ["ownership", "hlo", "clone", "copy"] {
        for flags in [["-O0", "--check"], ["-O2", "--stats"]] {
            let dealloc = format!("--dealloc={dealloc}");
            let arguments = ["run", &file, &dealloc, flags[0], flags[1]];
            let (text, ok) = mpirun(kind, 4, &freehold(), &arguments);
            let counts = "result #0: 12xi32 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]";
            assert!(ok && text.matches(counts).count() == 1, "{flags:?}\n{text}");
            assert_no_leak(&text, flags[1], 4);
        }
    }
}

fn assert_no_leak(text: &str, flag: &str, n: usize) {
    if flag != "--stats" {
        return;
    }
    let live = text
        .lines()
        .filter_map(|line| line.strip_prefix("live allocations at exit"));
    let live: Vec<&str> = live.map(str::trim).collect();
    assert_eq!(live, vec!["0"; n], "{text}");
    let mut ranks: Vec<usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("process ")?.trim().parse().ok())
        .collect();
    ranks.sort_unstable();
    assert_eq!(ranks, (0..n).collect::<Vec<_>>(), "{text}");
}

fn sharded_programs_are_processes() {
    sharded("openmpi");
}

fn sharded_programs_are_processes_of_mpich() {
    sharded("mpich");
}

/// Sums, products, minima and maxima of `f16` and `bf16` are exact where `f32` has them and the result fits, in views as
/// in whole buffers.
fn small_floats_are_reduced() {
    let folder = folder("small");
    for (reduction, expected) in [
        ("MPI_SUM", "1.050000e+01"),
        ("MPI_PROD", "2.887500e+01"),
        ("MPI_MAX", "5.500000e+00"),
        ("MPI_MIN", "1.500000e+00"),
    ] {
        for ty in ["f16", "bf16"] {
            let file = folder.join("program.mlir");
            let text = SMALL.replace("MPI_SUM", reduction).replace("f16", ty);
            fs::write(&file, text).unwrap();
            for kind in ["openmpi", "mpich"] {
                if crate::needs::missing(&[&*format!("mpirun.{kind}")]).is_some() {
                    continue;
                }
                let file = file.to_str().unwrap();
                let arguments = ["run", file, "--check", "--entry-point-result=f32"];
                let (text, ok) = mpirun(kind, 3, &freehold(), &arguments);
                assert!(ok, "{text}");
                let lines: Vec<&str> = text.lines().filter(|line| line.contains('e')).collect();
                assert_eq!(lines, vec![expected; 3], "{reduction} {ty} {text}");
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Process `r` has 1.5 + 2 r in a column of a buffer, and receives into the same.
const SMALL: &str = r#"
func.func @main() -> f32 {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %two = arith.constant 2.0 : f32
  %first = arith.constant 1.5 : f32
  %r = arith.sitofp %rank : i32 to f32
  %d = arith.mulf %r, %two : f32
  %x = arith.addf %d, %first : f32
  %small = arith.truncf %x : f32 to f16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4x3xf16>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %small, %m[%i, %c1] : memref<4x3xf16>
  }
  %v = memref.subview %m[0, 1] [4, 1] [1, 1] : memref<4x3xf16> to memref<4xf16, strided<[3], offset: 1>>
  mpi.allreduce(%v, %v, MPI_SUM, %comm) : memref<4xf16, strided<[3], offset: 1>>, memref<4xf16, strided<[3], offset: 1>>
  %c3 = arith.constant 3 : index
  %y = memref.load %m[%c3, %c1] : memref<4x3xf16>
  %z = arith.extf %y : f16 to f32
  mpi.finalize
  return %z : f32
}
"#;

/// A program for other numbers of processes says so.
fn the_number_of_processes_is_checked() {
    let file = format!(
        "{}/tests/suite/mpi/shard_map.mlir",
        env!("CARGO_MANIFEST_DIR")
    );
    let (text, ok) = mpirun("openmpi", 2, &freehold(), &["run", &file]);
    let message = "the program is for 4 processes: start it with mpirun -n 4";
    assert!(!ok && text.contains(message), "{text}");
}

/// Programs with requests in branches, loops and callees are those with waits right behind the start.
fn random_programs_equal_blocking_ones() {
    let folder = folder("random");
    let wanted = n_programs(USUAL) as usize;
    let strategies = ["ownership", "hlo", "clone", "copy"];
    for batch in 0..wanted.div_ceil(FUNCTIONS) {
        let seed = first_seed() + batch as u64;
        let run = |blocking: bool, flags: &[&str]| {
            let file = folder.join(format!("program-{blocking}.mlir"));
            fs::write(&file, programs::program(seed, FUNCTIONS, blocking)).unwrap();
            let mut arguments = vec!["run", file.to_str().unwrap(), "--entry-point-result=i32"];
            arguments.extend(flags);
            let (text, ok) = mpirun("openmpi", 2, &freehold(), &arguments);
            assert!(
                ok && !text.contains("warning"),
                "seed {seed} {flags:?}\n{text}"
            );
            if flags.contains(&"--stats") {
                assert_no_leak(&text, "--stats", 2);
            }
            numbers(&text).join(" ")
        };
        let expected = run(true, &["-O0"]);
        for strategy in strategies {
            let dealloc = format!("--dealloc={strategy}");
            for flags in [["-O0", "--check", &dealloc], ["-O2", "--stats", &dealloc]] {
                assert_eq!(run(false, &flags), expected, "seed {seed} {flags:?}");
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// An error in one process ends all, in time.
fn an_error_in_one_process_ends_all() {
    let folder = folder("error");
    let file = folder.join("program.mlir");
    fs::write(&file, ERROR).unwrap();
    let start = Instant::now();
    let (text, ok) = mpirun("openmpi", 3, &freehold(), &["run", file.to_str().unwrap()]);
    assert!(!ok, "{text}");
    assert_eq!(
        text.matches("assertion failed: the second process").count(),
        1,
        "{text}"
    );
    assert!(start.elapsed() < Duration::from_secs(60));
    fs::remove_dir_all(&folder).unwrap();
}

/// Results over TCP are those of processes that share memory, to the bit.
fn processes_in_network_namespaces() {
    let namespaces = namespaces::Namespaces::new(4);
    let shard_map = format!(
        "{}/tests/suite/mpi/shard_map.mlir",
        env!("CARGO_MANIFEST_DIR")
    );
    let stencil = example("stencil.mlir");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("result"))
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    for (file, n_lines) in [(&shard_map, 1), (&stencil, 4)] {
        let before = namespaces.bytes();
        let arguments = ["run", file, "--stats"];
        let (text, ok) = namespaces.mpirun(&freehold(), &arguments);
        assert!(ok, "{text}");
        assert!(namespaces.bytes() > before + 20_000, "nothing was sent");
        assert_no_leak(&text, "--stats", 4);
        let (expected, ok) = mpirun("openmpi", 4, &freehold(), &arguments);
        assert!(ok, "{expected}");
        assert_eq!(sorted(&text), sorted(&expected));
        assert_eq!(sorted(&text).len(), n_lines);
    }
    // One that is killed in the middle ends all.
    let folder = folder("killed");
    let file = folder.join("program.mlir");
    fs::write(&file, KILLED).unwrap();
    let start = Instant::now();
    let (text, ok) = namespaces.mpirun(&freehold(), &["run", file.to_str().unwrap()]);
    assert!(!ok, "{text}");
    assert_killed_message(&text);
    assert!(start.elapsed() < Duration::from_secs(60));
    fs::remove_dir_all(&folder).unwrap();
}

/// That mpirun says it, and nobody says anything else.
fn assert_killed_message(text: &str) {
    let is_message = |line: &&str| line.contains("signal 9");
    assert_eq!(text.lines().filter(is_message).count(), 1, "{text}");
    assert!(
        !text.contains("panicked") && !text.contains("result"),
        "{text}"
    );
}

/// A process that is killed while others wait for it ends all, in time, with one message.
fn a_killed_process_ends_all() {
    let folder = folder("killed-here");
    let file = folder.join("program.mlir");
    fs::write(&file, KILLED).unwrap();
    let start = Instant::now();
    let mut command = Command::new("mpirun.openmpi");
    command.args(["--allow-run-as-root", "--oversubscribe"]);
    command.args(["--mca", "btl", "self,vader,tcp"]);
    let (text, ok) = run(command, 3, &freehold(), &["run", file.to_str().unwrap()]);
    assert!(!ok, "{text}");
    assert_killed_message(&text);
    assert!(start.elapsed() < Duration::from_secs(60));
    fs::remove_dir_all(&folder).unwrap();
}

/// A ring whose second process kills itself on the way.
const KILLED: &str = r#"
func.func private @raise(i32) -> i32
func.func @main() -> i32 {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %a = arith.addi %rank, %c1 : i32
  %next = arith.remui %a, %size : i32
  %b = arith.addi %rank, %size : i32
  %c = arith.subi %b, %c1 : i32
  %before = arith.remui %c, %size : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i50 = arith.constant 50 : index
  %i100 = arith.constant 100 : index
  %mine = memref.alloc() : memref<1000xi32>
  %other = memref.alloc() : memref<1000xi32>
  scf.for %i = %i0 to %i100 step %i1 {
    %r = mpi.irecv(%other, %c1, %before, %comm) : memref<1000xi32>, i32, i32 -> !mpi.request
    %s = mpi.isend(%mine, %c1, %next, %comm) : memref<1000xi32>, i32, i32 -> !mpi.request
    %half = arith.cmpi eq, %i, %i50 : index
    %second = arith.cmpi eq, %rank, %c1 : i32
    %dies = arith.andi %half, %second : i1
    scf.if %dies {
      %0 = func.call @raise(%c9) : (i32) -> i32
    }
    mpi.wait(%r) : !mpi.request
    mpi.wait(%s) : !mpi.request
  }
  mpi.finalize
  return %rank : i32
}
"#;

/// The second process fails, and the others wait for it.
const ERROR: &str = r#"
func.func @main() {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %one = arith.constant 1 : i32
  %ok = arith.cmpi ne, %rank, %one : i32
  cf.assert %ok, "the second process"
  mpi.barrier(%comm)
  mpi.finalize
  return
}
"#;

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        a_ring_of_processes needs ["mpirun.openmpi"],
        a_ring_of_processes_with_mpich needs ["mpirun.mpich"],
        a_killed_process_ends_all needs ["mpirun.openmpi"],
        processes_in_network_namespaces needs ["mpirun.openmpi", "network-namespaces"],
        sharded_programs_are_processes needs ["mpirun.openmpi"],
        sharded_programs_are_processes_of_mpich needs ["mpirun.mpich"],
        small_floats_are_reduced needs ["mpirun.openmpi"],
        the_number_of_processes_is_checked needs ["mpirun.openmpi"],
        executables_call_open_mpi needs ["mpirun.openmpi", "mpicc.openmpi"],
        executables_call_mpich needs ["mpirun.mpich", "mpicc.mpich"],
        random_programs_equal_blocking_ones needs ["mpirun.openmpi"],
        an_error_in_one_process_ends_all needs ["mpirun.openmpi"],
    ]
}
