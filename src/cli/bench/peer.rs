//! The same operation as MLIR 19 and LLVM compile it: lowered by `mlir-opt-19`, made machine code by
//! `clang-19` or `llc-19`, loaded into this process.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::operation::{Compiled, Work, counting, operation};

/// What makes machine code of the peer's LLVM IR.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tool {
    /// `clang-19 -O3`: all optimizations. It removes arrays that do not outlive the operation.
    Clang,
    /// `llc-19 -O3`: code generation alone, which takes the IR as it is.
    Llc,
}

/// From `bufferization.dealloc` to `memref.dealloc`.
const TO_LOWERED: [&str; 3] = [
    "--convert-bufferization-to-memref",
    "--cse",
    "--canonicalize",
];

/// From there to the LLVM dialect.
const TO_LLVM: [&str; 8] = [
    "--expand-strided-metadata",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
];

/// What stands for `free`, like ours, and how many calls of `malloc` were counted.
const PROBE: &str = "
#include <stddef.h>
#include <stdint.h>
static int64_t allocations;
void freehold_probe_freed(int64_t *count) { ++*count; }
int64_t freehold_probe_allocations(void) { return allocations; }
void *__real_malloc(size_t);
void *__real_aligned_alloc(size_t, size_t);
#ifdef COUNT
void *__wrap_malloc(size_t size) { return ++allocations, __real_malloc(size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return ++allocations, __real_aligned_alloc(alignment, size);
}
#endif
";

/// Makes the library count its calls of `malloc`.
const COUNTING: &[&str] = &["-DCOUNT", "-Wl,--wrap=malloc,--wrap=aligned_alloc"];

/// An operation of the peer's: as it is timed, and with its calls of `malloc` counted.
pub(super) struct PeerCode {
    pub(super) timed: Compiled,
    pub(super) counted: Compiled,
}

/// The peer's tools and a folder for what they write, which goes with this.
pub(super) struct Peer {
    folder: PathBuf,
}

impl Peer {
    pub(super) fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("freehold-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot create '{}': {error}", folder.display()))?;
        Ok(Self { folder })
    }

    /// The code that `tool` makes of an operation.
    pub(super) fn compile(
        &self,
        n: usize,
        m: usize,
        work: Work,
        tool: Tool,
    ) -> Result<PeerCode, String> {
        let text = format!("module {{\n{}}}\n", operation(n, m, work));
        let lowered = filter("mlir-opt-19", &TO_LOWERED, &text)?;
        let counted = counting(&lowered, |value| {
            format!("memref.extract_aligned_pointer_as_index {value} : memref<i64> -> index")
        });
        let llvm = filter("mlir-opt-19", &TO_LLVM, &counted)?;
        let ir = filter("mlir-translate-19", &["--mlir-to-llvmir"], &llvm)?;
        let clang = ["-O3", "-w", "-fPIC", "-S", "-xir", "-", "-o", "-"];
        let assembly = match tool {
            Tool::Clang => filter("clang-19", &clang, &ir)?,
            Tool::Llc => filter("llc-19", &["-O3", "-relocation-model=pic"], &ir)?,
        };
        let name = format!("{n}-{m}-{work:?}-{tool:?}");
        Ok(PeerCode {
            timed: self.link(&name, &assembly, &[])?,
            counted: self.link(&format!("{name}-counted"), &assembly, COUNTING)?,
        })
    }

    /// The shared library that holds `assembly` and the functions it calls.
    fn link(&self, name: &str, assembly: &str, flags: &[&str]) -> Result<Compiled, String> {
        let probe = self.folder.join("probe.c");
        fs::write(&probe, PROBE)
            .map_err(|error| format!("cannot write '{}': {error}", probe.display()))?;
        let library = self.folder.join(format!("{name}.so"));
        let (probe, output) = (probe.display().to_string(), library.display().to_string());
        let mut arguments = vec!["-O3", "-fPIC", "-shared", "-Wl,-Bsymbolic"];
        arguments.extend(flags);
        arguments.extend(["-xc", &probe, "-xassembler", "-", "-o", &output]);
        filter("clang-19", &arguments, assembly)?;
        Compiled::peer(&library)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Best effort: it is a folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What `program` makes of `input`.
fn filter(program: &str, arguments: &[&str], input: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot run '{program}': {error}");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let output = std::thread::scope(|scope| {
        // The program may stop reading early; its status says why.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        child.wait_with_output()
    })
    .map_err(failed)?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        let first = messages
            .lines()
            .next()
            .unwrap_or("it gave no reason")
            .to_owned();
        return Err(format!("'{program}' failed: {first}"));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("'{program}' wrote no text"))
}
