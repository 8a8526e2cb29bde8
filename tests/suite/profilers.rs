//! What the JIT tells Linux's `perf` about the code it makes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::peer;

/// Spends about a second in `@spin`, whose loop begins in line 3.
const PROGRAM: &str = "\
func.func @spin(%n: index) -> i64 attributes {passthrough = [\"noinline\"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = arith.constant 88172645463325252 : i64
  %s13 = arith.constant 13 : i64
  %s7 = arith.constant 7 : i64
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> i64 {
    %b = arith.shli %a, %s13 : i64
    %c = arith.xori %a, %b : i64
    %d = arith.shrui %c, %s7 : i64
    %e = arith.xori %c, %d : i64
    scf.yield %e : i64
  }
  return %x : i64
}
func.func @main() {
  %n = arith.constant 300000000 : index
  %x = call @spin(%n) : (index) -> i64
  call @printI64(%x) : (i64) -> ()
  return
}
func.func private @printI64(i64)
";

/// An empty folder of this test with the program in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("spin.mlir"), PROGRAM).unwrap();
    folder
}

/// `freehold run spin.mlir` with more arguments; gives the number of its process.
fn run(folder: &Path, arguments: &[&str]) -> u32 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freehold"))
        .args(["run", "spin.mlir"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert!(child.wait().unwrap().success());
    child.id()
}

fn the_map_names_functions() {
    let pid = run(&folder("perf-map"), &["--perf"]);
    let path = format!("/tmp/perf-{pid}.map");
    let map = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    let functions: Vec<(u64, u64, &str)> = map
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let mut number = || u64::from_str_radix(words.next().unwrap(), 16).unwrap();
            (number(), number(), words.next().unwrap())
        })
        .collect();
    let names: Vec<&str> = functions.iter().map(|&(_, _, name)| name).collect();
    assert_eq!(names, ["spin", "main"]);
    let [(start, size, _), (next, _, _)] = functions[..] else {
        panic!("{map}");
    };
    assert!(size > 0 && start + size <= next, "{map}");
}

fn the_dump_holds_code_and_lines() {
    let folder = folder("perf-dump");
    let pid = run(&folder, &["--perf=dump", "-g"]);
    let dump = fs::read(folder.join(format!("jit-{pid}.dump"))).unwrap();
    let word = |at: usize| u32::from_le_bytes(dump[at..at + 4].try_into().unwrap());
    assert_eq!((&dump[..4], word(4), word(8)), (&b"DTiJ"[..], 1, 40));
    assert_eq!(word(20), pid);
    let mut records = Vec::new();
    let mut at = 40;
    while at < dump.len() {
        records.push(word(at));
        at += word(at + 4) as usize;
    }
    assert_eq!((at, records), (dump.len(), vec![2, 0, 2, 0]));
}

/// The whole way: samples are counted for the function, and its object has the lines.
fn perf_finds_function_and_lines() {
    let perf = peer::tool("perf");
    let folder = folder("perf-inject");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&perf);
        command
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap()
    };
    let freehold = env!("CARGO_BIN_EXE_freehold");
    let record = [
        "record",
        "-q",
        "-k",
        "mono",
        "-e",
        "cpu-clock",
        "-o",
        "perf.data",
        freehold,
        "run",
        "spin.mlir",
        "-g",
        "--perf=dump",
    ];
    let recorded = run(&record);
    assert!(recorded.status.success(), "{recorded:?}");
    let injected = run(&["inject", "--jit", "-i", "perf.data", "-o", "jitted.data"]);
    assert!(injected.status.success(), "{injected:?}");
    let report = run(&["report", "-i", "jitted.data", "--stdio", "--sort", "symbol"]);
    let report = String::from_utf8_lossy(&report.stdout);
    assert!(report.contains("[.] spin"), "{report}");
    let lines = run(&[
        "report",
        "-i",
        "jitted.data",
        "--stdio",
        "--sort",
        "srcline",
    ]);
    let lines = String::from_utf8_lossy(&lines.stdout);
    assert!(lines.contains("spin.mlir:"), "{lines}");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        the_map_names_functions,
        the_dump_holds_code_and_lines,
        perf_finds_function_and_lines needs ["perf"],
    ]
}
