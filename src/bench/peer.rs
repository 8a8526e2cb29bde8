//! The same operation as MLIR 19 and LLVM compile it: lowered by `mlir-opt-19`, made machine code by
//! `clang-19` or `llc-19`, loaded into this process.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::operation::{Compiled, counting, operation};

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
    pub(super) fn compile(&self, n: usize, m: usize, tool: Tool) -> Result<Compiled, String> {
        let text = format!("module {{\n{}}}\n", operation(n, m));
        let lowered = filter("mlir-opt-19", &TO_LOWERED, &text)?;
        let llvm = filter("mlir-opt-19", &TO_LLVM, &counting(&lowered))?;
        let ir = filter("mlir-translate-19", &["--mlir-to-llvmir"], &llvm)?;
        let ir = ir.as_str();
        let assembly = match tool {
            Tool::Clang => filter(
                "clang-19",
                &["-O3", "-w", "-fPIC", "-S", "-xir", "-", "-o", "-"],
                ir,
            )?,
            Tool::Llc => filter("llc-19", &["-O3", "-relocation-model=pic"], ir)?,
        };
        // Each call is executed once: they are not in a loop, and only the helper has one.
        let is_allocation = |line: &&str| line.contains("call") && line.contains("malloc");
        let allocations = assembly.lines().filter(is_allocation).count();
        let library = self.folder.join(format!("op-{n}-{m}-{tool:?}.so"));
        let output = library.display().to_string();
        let arguments = ["-fPIC", "-shared", "-xassembler", "-", "-o", &output];
        filter("clang-19", &arguments, &assembly)?;
        Compiled::peer(&library, allocations)
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
