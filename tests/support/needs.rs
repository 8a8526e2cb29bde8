//! What tests need besides Cargo and a linker: one table for all crates, and what becomes of a test where something is
//! missing.
//!
//! A `#[test]` cannot find out when it runs that it has to be ignored. Test binaries with tests that need something are
//! therefore lists of trials (`harness = false`): [`trials!`] makes one of functions, [`trial`] a single one, [`run`]
//! runs them. A test is ignored, with the reason, if and only if what it needs is missing; `FREEHOLD_REQUIRE` makes that a
//! failure. It lists needs by name, `all` for all of them and `-NAME` for an exception: `all,-x86-64-v4,-gdb`.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;
use std::{env, fs};

use libtest_mimic::{Arguments, Completion, Conclusion, Failed, Trial};

/// Where Debian puts the tools without a version in their name, and the libraries.
const LLVM_FOLDERS: [&str; 2] = ["/usr/lib/llvm-19/bin", "/usr/lib/llvm-19/lib"];

/// MLIR's runner libraries.
pub(crate) const RUNNER_LIBRARIES: [&str; 3] = [
    "libmlir_runner_utils.so",
    "libmlir_c_runner_utils.so",
    "libmlir_float16_utils.so",
];

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// What is needed, and why it is missing, if it is.
type Need = (&'static str, fn(&str) -> Option<String>);

/// Everything that tests may need; programs go by their own names.
const NEEDS: &[Need] = &[
    ("aarch64", aarch64),
    ("aarch64-linux-gnu-gcc", program),
    ("browser", browser),
    ("c++", program),
    ("cc", program),
    ("cmake", program),
    ("FileCheck", program),
    ("gdb", gdb),
    ("llc-19", program),
    ("llvm-dwarfdump-19", program),
    ("llvm-mc-19", program),
    ("mlir-cpu-runner-19", program),
    ("mlir-opt-19", program),
    ("mlir-opt-22", program),
    ("nm", program),
    ("mlir-runner-libraries", runner_libraries),
    ("mlir-translate-19", program),
    ("mpicc.mpich", program),
    ("mpicc.openmpi", program),
    ("mpirun.mpich", program),
    ("mpirun.openmpi", program),
    ("network-namespaces", network_namespaces),
    ("nm", program),
    ("perf", perf),
    ("proc", proc),
    ("qemu-aarch64", program),
    ("qemu-x86_64", program),
    ("x86-64-v3", processor),
    ("x86-64-v4", processor),
];

/// Finds a program in `PATH`, or a program or library of LLVM 19. A name with a slash is a file.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| file.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(LLVM_FOLDERS.map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn program(name: &str) -> Option<String> {
    (find(name).is_none()).then(|| format!("{name} is not installed"))
}

/// Executables for AArch64 can be made and run.
fn aarch64(_: &str) -> Option<String> {
    let missing = ["aarch64-linux-gnu-gcc", "qemu-aarch64"]
        .into_iter()
        .find_map(program);
    missing.or_else(|| {
        (!crate::has_aarch64_runtime()).then(|| {
            "the runtime was not built for AArch64, for which RUNTIME_RUSTC_AARCH64 names a compiler"
                .to_owned()
        })
    })
}

/// The target of everything that runs in an emulator.
pub(crate) const AARCH64: &str = "aarch64-unknown-linux-gnu";

fn runner_libraries(_: &str) -> Option<String> {
    RUNNER_LIBRARIES.into_iter().find_map(program)
}

/// A browser that is installed.
pub(crate) fn find_browser() -> Option<PathBuf> {
    BROWSERS.iter().find_map(|name| find(name))
}

fn browser(_: &str) -> Option<String> {
    (find_browser().is_none()).then(|| "no browser is installed".to_owned())
}

/// Debuggers must be allowed to trace programs, which containers can forbid.
fn gdb(name: &str) -> Option<String> {
    static WORKS: LazyLock<bool> = LazyLock::new(|| {
        let arguments = ["-nx", "-batch", "-ex", "run", "--args", "true"];
        let output = Command::new("gdb")
            .args(arguments)
            .stdin(Stdio::null())
            .output();
        output
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("exited normally"))
    });
    program(name).or_else(|| (!*WORKS).then(|| "gdb cannot run programs here".to_owned()))
}

/// So must profilers.
fn perf(name: &str) -> Option<String> {
    static WORKS: LazyLock<bool> = LazyLock::new(|| {
        let data = env::temp_dir().join(format!("freehold-perf-{}", std::process::id()));
        let mut command = Command::new("perf");
        command.args(["record", "-q", "-k", "mono", "-e", "cpu-clock", "-o"]);
        command.arg(&data).arg("true").stdin(Stdio::null());
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        // There is none if it failed.
        let _ = fs::remove_file(data);
        status.is_ok_and(|status| status.success())
    });
    program(name).or_else(|| (!*WORKS).then(|| "perf cannot record here".to_owned()))
}

/// Whoever may make them, and name them.
fn network_namespaces(_: &str) -> Option<String> {
    static WORKS: LazyLock<bool> = LazyLock::new(|| {
        let name = format!("freehold-{}", std::process::id());
        let run = |words: [&str; 3]| {
            let mut command = Command::new("ip");
            let status = command.args(words).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        run(["netns", "add", &name]) && run(["netns", "del", &name])
    });
    let missing = ["ip", "unshare", "hostname"].into_iter().find_map(program);
    missing.or_else(|| (!*WORKS).then(|| "network namespaces cannot be made here".to_owned()))
}

fn proc(_: &str) -> Option<String> {
    let status = fs::read_to_string("/proc/self/status");
    let says_memory = status.is_ok_and(|status| status.contains("VmHWM:"));
    (!says_memory).then(|| "/proc does not say how much memory a process takes".to_owned())
}

#[cfg(target_arch = "x86_64")]
fn processor(level: &str) -> Option<String> {
    let has_v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let has_v4 = has_v3
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    let has = if level == "x86-64-v3" { has_v3 } else { has_v4 };
    (!has).then(|| format!("the processor is none of {level}"))
}

#[cfg(not(target_arch = "x86_64"))]
fn processor(level: &str) -> Option<String> {
    Some(format!("the processor is none of {level}"))
}

/// Whether there is such a need.
pub(crate) fn is_known(name: &str) -> bool {
    NEEDS.iter().any(|(known, _)| *known == name)
}

/// The first of these needs that is missing, and why.
pub(crate) fn missing<'a>(needs: &[&'a str]) -> Option<(&'a str, String)> {
    needs.iter().find_map(|&name| {
        let need = NEEDS.iter().find(|(known, _)| *known == name);
        let (_, why) = need.unwrap_or_else(|| panic!("'{name}' is not in the table of needs"));
        why(name).map(|why| (name, why))
    })
}

/// Whether `requirements`, as in `FREEHOLD_REQUIRE`, have a need among them.
pub(crate) fn requires(requirements: &str, need: &str) -> bool {
    let mut is_required = false;
    for word in words(requirements) {
        match word.strip_prefix('-') {
            Some(exception) => is_required &= exception != need,
            None => is_required |= word == "all" || word == need,
        }
    }
    is_required
}

fn words(requirements: &str) -> impl Iterator<Item = &str> {
    requirements
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

fn requirements() -> String {
    env::var("FREEHOLD_REQUIRE").unwrap_or_default()
}

/// A test that is ignored where something that it needs is missing.
pub(crate) fn trial(
    name: impl Into<String>,
    needs: &[&str],
    run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let needs: Vec<String> = needs.iter().map(|&need| need.to_owned()).collect();
    Trial::ignorable_test(name, move || {
        let needs: Vec<&str> = needs.iter().map(String::as_str).collect();
        match missing(&needs) {
            Some((need, why)) if requires(&requirements(), need) => {
                Err(format!("{why}, and FREEHOLD_REQUIRE asks for '{need}'").into())
            }
            Some((_, why)) => Ok(Completion::ignored_with(why)),
            None => run().map(|()| Completion::Completed),
        }
    })
}

/// Stands for what tests leave out where something is missing; none where it is there, and they do not.
pub(crate) fn left_out(name: impl Into<String>, needs: &[&str]) -> Option<Trial> {
    missing(needs).map(|_| trial(name, needs, || Ok(())))
}

/// The name of a test by its path, without that of the crate.
pub(crate) fn name(path: &str) -> &str {
    path.split_once("::").map_or(path, |(_, name)| name)
}

/// Trials of functions of this module: their names, and what they need behind `needs`.
#[allow(
    unused_macros,
    reason = "not every test binary has tests that are functions"
)]
macro_rules! trials {
    ($($test:ident $(needs [$($need:literal),+])?),+ $(,)?) => {
        vec![$(
            $crate::needs::trial(
                $crate::needs::name(concat!(module_path!(), "::", stringify!($test))),
                &[$($($need),+)?],
                || {
                    $test();
                    Ok(())
                },
            )
        ),+]
    };
}
#[allow(
    unused_imports,
    reason = "not every test binary has tests that are functions"
)]
pub(crate) use trials;

/// Runs the tests that the command line asks for.
pub(crate) fn run(trials: Vec<Trial>) -> Result<Conclusion, ExitCode> {
    let requirements = requirements();
    for word in words(&requirements) {
        let name = word.strip_prefix('-').unwrap_or(word);
        if word != "all" && !is_known(name) {
            let known: Vec<&str> = NEEDS.iter().map(|&(name, _)| name).collect();
            let known = known.join(", ");
            let message = format!("FREEHOLD_REQUIRE: '{name}' is not one of all, {known}\n");
            let _ = io::stderr().write_all(message.as_bytes());
            return Err(ExitCode::FAILURE);
        }
    }
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    if conclusion.num_ignored > 0 {
        let n = conclusion.num_ignored;
        let message = format!(
            "{n} tests were ignored: what they need is missing. '.ci/setup cargo test' runs all.\n"
        );
        // Nothing to do when the terminal is gone.
        let _ = io::stderr().write_all(message.as_bytes());
    }
    Ok(conclusion)
}

/// The same, for a `main` that has nothing to do afterwards.
pub(crate) fn main(trials: Vec<Trial>) -> ExitCode {
    match run(trials) {
        Ok(conclusion) => conclusion.exit_code(),
        Err(code) => code,
    }
}
