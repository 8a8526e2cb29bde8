//! Measuring what benchmarks compare: whole processes by wall time, in turns so
//! that a busy moment of the machine hits both sides, and tables of the result.

#![allow(dead_code, reason = "every benchmark uses its own part of this module")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) mod driver;
pub(crate) mod scale;

/// The `freehold` binary of this build.
pub(crate) const FREEHOLD: &str = env!("CARGO_BIN_EXE_freehold");

/// The passes that take `mlir-opt-19` from the same input to what its code generator reads.
pub(crate) const PEER_LOWERING: &[&str] = &[
    "-buffer-deallocation-pipeline",
    "-convert-bufferization-to-memref",
    "-convert-linalg-to-loops",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-scf-to-cf",
    "-convert-math-to-llvm",
    "-convert-math-to-libm",
    "-finalize-memref-to-llvm",
    "-convert-func-to-llvm",
    "-convert-arith-to-llvm",
    "-convert-index-to-llvm",
    "-convert-cf-to-llvm",
    "-reconcile-unrealized-casts",
];

/// Where the peer finds its clock and its print functions.
pub(crate) const PEER_LIBRARIES: &str = "-shared-libs=/usr/lib/llvm-19/lib/libmlir_c_runner_utils.so,/usr/lib/llvm-19/lib/libmlir_runner_utils.so";

/// The arguments of this benchmark, without the one that `cargo bench` adds.
pub(crate) fn arguments() -> Vec<String> {
    std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect()
}

/// A directory for inputs and outputs that is gone afterwards.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("freehold-bench-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary directory takes a folder");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the temporary directory takes a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftovers in a temporary directory are no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a program can be started.
pub(crate) fn is_installed(program: &str) -> bool {
    let status = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Commands that run one after the other, as one thing to measure.
pub(crate) struct Chain(Vec<Command>);

impl Chain {
    /// One command; its output is discarded unless it is told where to write.
    pub(crate) fn new<S: AsRef<OsStr>>(program: &str, arguments: &[S]) -> Self {
        Self(Vec::new()).then(program, arguments)
    }

    /// And then another.
    pub(crate) fn then<S: AsRef<OsStr>>(mut self, program: &str, arguments: &[S]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null());
        self.0.push(command);
        self
    }

    fn run(&mut self) -> Duration {
        let start = Instant::now();
        for command in &mut self.0 {
            let status = command.status().expect("the command can be started");
            assert!(status.success(), "{command:?} failed: {status}");
        }
        start.elapsed()
    }
}

/// The least time of each of several chains, run in turns.
pub(crate) fn least_times<const N: usize>(
    mut chains: [&mut Chain; N],
    rounds: usize,
) -> [Duration; N] {
    let mut least = [Duration::MAX; N];
    for _ in 0..rounds {
        for (least, chain) in least.iter_mut().zip(&mut chains) {
            *least = (*least).min(chain.run());
        }
    }
    least
}

/// `12.3 ms` or `1.23 s`.
pub(crate) fn show(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// How many times longer `theirs` is than `ours`.
pub(crate) fn ratio(ours: Duration, theirs: Duration) -> String {
    format!("{:.1}x", theirs.as_secs_f64() / ours.as_secs_f64())
}

/// A line on standard output. Benchmarks print tables for `benches/results/`.
pub(crate) fn line(text: &str) {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{text}").expect("standard output takes a line");
}

/// The head of a Markdown table.
pub(crate) fn table(columns: &[&str]) {
    line("");
    line(&format!("| {} |", columns.join(" | ")));
    line(&format!("|{}", "---|".repeat(columns.len())));
}

/// A row of a Markdown table.
pub(crate) fn row(cells: &[String]) {
    line(&format!("| {} |", cells.join(" | ")));
}

/// `path` as an argument.
pub(crate) fn argument(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Executed allocations and peak bytes of a program that is run with these flags.
pub(crate) fn counts(input: &Path, flags: &[&str]) -> (u64, u64) {
    let output = Command::new(FREEHOLD)
        .args(["run", "--stats=json"])
        .args(flags)
        .arg(input)
        .output()
        .expect("freehold can be started");
    assert!(output.status.success(), "{} runs", input.display());
    let text = String::from_utf8_lossy(&output.stderr);
    let number = |key: &str| {
        let rest = text.split(&format!("\"{key}\": ")).nth(1).unwrap_or("");
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("the statistics hold numbers")
    };
    (number("allocs"), number("peak_bytes"))
}
