//! All benchmarks: `cargo bench --bench all` prints their tables, `-- --write` writes them to `benches/results/`, one
//! file each, under the machine, the date, the commit and the versions of the peers. Names after that choose some:
//! `-- --write kernels calls`.
//!
//! `PYTHON` names the interpreter for benchmarks written in Python, with the packages that they say they need. Where a
//! benchmark fails, its file stays as it was.

mod support;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use support::{FREEHOLD, line};

/// A benchmark: its name, the title of its page, and the command that prints its tables. The first word may stand
/// for a program: `cargo`, `freehold` or `python3`; so may `FREEHOLD` among the others.
type Part = (&'static str, &'static str, &'static str);

static PARTS: &[Part] = &[
    ("compile", "Compile time", "cargo bench -q --bench compile"),
    ("kernels", "Kernels", "cargo bench -q --bench kernels"),
    (
        "programs",
        "Vector code and loop nests",
        "cargo bench -q --bench programs",
    ),
    (
        "run_time",
        "Random programs and examples",
        "cargo bench -q --bench run_time",
    ),
    ("calls", "Calls", "cargo bench -q --bench calls"),
    (
        "hlo",
        "The hlo strategy against ownership",
        "cargo bench -q --bench hlo",
    ),
    (
        "merging",
        "Merged allocations",
        "cargo bench -q --bench merging",
    ),
    (
        "planner",
        "Memory planners",
        "cargo bench -q -p freehold-passes --bench planner",
    ),
    (
        "dealloc",
        "One `bufferization.dealloc`",
        "freehold bench dealloc --max 64 --alias 50 --conditions 50 --peer",
    ),
    (
        "thresholds",
        "Thresholds of contractions",
        "python3 benches/thresholds/thresholds.py",
    ),
    (
        "math",
        "Errors of elementary functions of f64",
        "python3 benches/math/doubles.py FREEHOLD",
    ),
    (
        "models",
        "Models",
        "python3 benches/models/measure.py --freehold FREEHOLD --calls 30 \
         --flags=-O3_--target-cpu=native_--fp=contract_--flush-denormals",
    ),
    (
        "large",
        "Large sorts, sums, transforms and factorizations",
        "python3 benches/models/measure.py --freehold FREEHOLD --calls 20 --skip-iree \
         --flags=-O3_--target-cpu=native_--fp=contract_--flush-denormals \
         sort_million scatter_million fft_million cholesky_512 lu_512 qr_512 eigh_512 svd_512",
    ),
    (
        "onnx",
        "Real ONNX models",
        "python3 tests/onnx/models.py --freehold FREEHOLD --packages target/onnx-models --calls 8",
    ),
    (
        "model_memory",
        "Memory of models",
        "python3 benches/models/measure.py --freehold FREEHOLD --memory --flags=-O3",
    ),
];

/// The tools that benchmarks compare with, if they are there.
const PEERS: [&str; 5] = [
    "mlir-opt-19",
    "mlir-cpu-runner-19",
    "clang-19",
    "llc-19",
    "rustc",
];

/// Prints the versions of the packages of Python that benchmarks compare with, of those that are installed.
const PACKAGE_VERSIONS: &str = "
from importlib import metadata
versions = {d.metadata['Name'].lower(): d.version for d in metadata.distributions()}
names = ['jax', 'iree-base-compiler', 'onnx', 'onnxruntime', 'torch']
print(', '.join(f'{name} {versions[name]}' for name in names if name in versions))
";

fn main() -> ExitCode {
    let mut names = support::arguments();
    let writes = names.iter().any(|name| name == "--write");
    names.retain(|name| name != "--write");
    let unknown = |name: &&String| PARTS.iter().all(|(part, ..)| part != name);
    if let Some(name) = names.iter().find(unknown) {
        let known: Vec<_> = PARTS.iter().map(|(part, ..)| *part).collect();
        line(&format!(
            "no benchmark '{name}': there are {}",
            known.join(", ")
        ));
        return ExitCode::from(2);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut status = ExitCode::SUCCESS;
    for (part, title, words) in PARTS {
        if !names.is_empty() && names.iter().all(|name| name != part) {
            continue;
        }
        let before = load();
        let output = command(words)
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output();
        let output = match output {
            Ok(output) if output.status.success() => output,
            failure => {
                line(&format!("{part}: failed: {failure:?}"));
                status = ExitCode::FAILURE;
                continue;
            }
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let page = format!(
            "# {title}\n\n{}\n{}",
            circumstances(part, &before),
            body(&text)
        );
        if writes {
            let path = root.join("benches/results").join(format!("{part}.md"));
            fs::write(&path, page).expect("the folder takes a file");
            line(&format!("wrote {}", path.display()));
        } else {
            line(&page);
        }
    }
    status
}

/// The program that a variable names.
fn variable(name: &str, otherwise: &str) -> OsString {
    env::var_os(name).unwrap_or_else(|| otherwise.to_owned().into())
}

/// The process of a part.
fn command(words: &str) -> Command {
    let mut words = words.split_whitespace();
    let mut command = match words.next() {
        Some("cargo") => Command::new(variable("CARGO", "cargo")),
        Some("python3") => Command::new(variable("PYTHON", "python3")),
        _ => Command::new(FREEHOLD),
    };
    command.args(words.map(|word| match word {
        "FREEHOLD" => FREEHOLD.to_owned(),
        // The value of one flag is a list of flags.
        _ if word.starts_with("--flags=") => word.replace('_', " "),
        _ => word.to_owned(),
    }));
    command
}

/// Tables as they are, other output as text.
fn body(text: &str) -> String {
    let text = text.trim();
    match text.lines().any(|line| line.starts_with('|')) {
        true => format!("{text}\n"),
        false => format!("```text\n{text}\n```\n"),
    }
}

/// The conditions of a measurement.
fn circumstances(part: &str, load_before: &str) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let found = cpu.lines().find(|line| line.starts_with(name));
        found
            .and_then(|line| line.split_once(':'))
            .map_or("unknown", |(_, value)| value.trim())
    };
    let vectors = ["avx512f", "avx2"]
        .into_iter()
        .find(|feature| field("flags").split(' ').any(|flag| flag == *feature));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let said = |program: &dyn AsRef<OsStr>, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then(|| text.trim().to_owned())
    };
    let version = |program: &&str| {
        let text = said(&program, &["--version"])?;
        let words = text.split_whitespace();
        let number = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        let number = words.clone().find(number)?;
        Some(format!("{program} {number}"))
    };
    let python = variable("PYTHON", "python3");
    let packages = said(&python, &["-c", PACKAGE_VERSIONS]);
    let packages = packages.filter(|versions| !versions.is_empty());
    let tools = PEERS.iter().filter_map(version).chain(packages);
    let peers: Vec<_> = tools.collect();
    let git = |arguments: &[&str]| said(&"git", arguments).unwrap_or_else(|| "unknown".to_owned());
    let changed = match git(&["status", "--porcelain", "--untracked-files=no"]).as_str() {
        "" => "",
        _ => ", changed",
    };
    format!(
        "| | |\n|---|---|\n\
         | command | `cargo bench --bench all -- --write {part}` |\n\
         | machine | {cores} cores of {}, {} |\n\
         | load before | {load_before} |\n\
         | date | {} |\n\
         | commit | {}{changed} |\n\
         | tools | {} |\n",
        field("model name"),
        vectors.unwrap_or("vectors of 128 bits"),
        said(&"date", &["-u", "+%F"]).unwrap_or_else(|| "unknown".to_owned()),
        git(&["rev-parse", "--short", "HEAD"]),
        peers.join(", ")
    )
}

/// Processes that wanted a core in the last minute: above zero, others disturb the figures.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}
