//! Programs as executables that call them again and again in one process. What they print is added up
//! instead, and their allocations and frees are counted, so that they can be compared and timed.

#[path = "../../tests/support/process.rs"]
mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{FREEHOLD, argument};
use process::Stderr;

/// The longest that a tool or a program may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// How often a program is called to see whether it does the right thing, before times are taken.
const CALLS: u64 = 20;

/// Calls the program.
const SOURCE: &str = "
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
  for (int i = 0; i < CALLS; ++i) program();
  double first = (now() - start) / CALLS;
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

/// The names and texts of the examples.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|file| file.extension() == Some("mlir".as_ref()))
        .collect();
    files.sort();
    files.iter().map(|file| named_text(file)).collect()
}

/// The name of a program and its text.
pub(crate) fn named_text(file: &Path) -> (String, String) {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(file).expect("the program can be read");
    (name.into_owned(), text)
}

/// The text with a function `@program` for [`Driver`] to call, out of `@main`.
pub(crate) fn callable(text: &str) -> String {
    text.replace("@main(", "@program(")
}

/// What calls programs.
pub(crate) struct Driver(String);

impl Driver {
    /// Writes its source to a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        let path = folder.join("driver.c");
        fs::write(&path, SOURCE).expect("the folder takes a file");
        Self(argument(&path))
    }

    /// Makes an executable of the driver and what the linker finds with these arguments.
    pub(crate) fn link(&self, files: &[&str], executable: &Path) {
        let (executable, calls) = (argument(executable), format!("-DCALLS={CALLS}"));
        let all = [&LINK[..], &[&calls, &self.0], files, &["-o", &executable]];
        filter("clang-19", &all.concat(), b"");
    }

    /// Makes an executable of a program, compiled by Freehold with these flags.
    pub(crate) fn build(&self, text: &str, flags: &[&str], executable: &Path) {
        let library = argument(&executable.with_added_extension("a"));
        let command = ["compile", "-", "--emit=lib", "-o", &library];
        if filter(FREEHOLD, &[&command, flags].concat(), text.as_bytes()).is_some() {
            self.link(&[&library], executable);
        }
    }
}

/// What a command makes of `input`; nothing if it fails.
pub(crate) fn filter(program: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    command.args(arguments);
    let finished = process::run(&mut command, input, Stderr::Separate, TIMEOUT).ok()?;
    (finished.status == 0).then_some(finished.stdout)
}

/// What an executable says: of all the first calls together, and of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) sum: u64,
    pub(crate) allocations: u64,
    pub(crate) frees: u64,
    pub(crate) nanoseconds: f64,
}

pub(crate) fn execute(executable: &Path, rounds: u64) -> Option<Said> {
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

impl Said {
    /// Whether everything allocated was freed.
    pub(crate) fn is_clean(&self) -> bool {
        self.allocations == self.frees
    }

    /// Allocations of one call.
    pub(crate) fn allocations_per_call(&self) -> u64 {
        self.allocations / CALLS
    }
}

/// The least times of some executables that do the same as `one`, in nanoseconds, each run so many times,
/// in turns.
pub(crate) fn least_nanoseconds<const N: usize>(
    executables: &[PathBuf; N],
    one: &Said,
    turns: usize,
) -> [f64; N] {
    // Two milliseconds for each of five samples.
    let rounds = (2e6 / one.nanoseconds).ceil().max(1.0) as u64;
    let mut least = [f64::INFINITY; N];
    for _ in 0..turns {
        for (executable, least) in executables.iter().zip(&mut least) {
            if let Some(said) = execute(executable, rounds) {
                *least = least.min(said.nanoseconds);
            }
        }
    }
    least
}

/// Nanoseconds to be read.
pub(crate) fn show_nanoseconds(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n => super::show(Duration::from_nanos(n as u64)),
    }
}
