//! `freehold bench dealloc --target`: the same operations for another processor, in its emulator, by instructions.
//!
//! Time in an emulator says nothing of the processor, but the number of instructions is the same on it. QEMU's user mode
//! writes a line for each instruction when it translates one at a time. The same program runs one round and three rounds
//! of all rows of operands; half of the difference is what one round takes, without the start of the process.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use freehold_backend::Options;
use freehold_backend::isa::Target;
use freehold_backend::link::{LinkOptions, link_executable};
use freehold_backend::object::compile_to_executable_object;
use freehold_frontend::dialects;
use freehold_frontend::ir::diag::Diagnostics;

use super::operation::{FREED, Operands, TO_NATIVE, Work, driver, lowered, run_passes};

/// Stands for `free`, like the function of the JIT.
const FREED_HERE: &str = "
func.func private @freehold_probe_freed(%address: index) {
  %number = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
  %before = llvm.load %pointer : !llvm.ptr -> i64
  %one = arith.constant 1 : i64
  %after = arith.addi %before, %one : i64
  llvm.store %after, %pointer : i64, !llvm.ptr
  return
}
";

/// Where executables are written and how they are run.
pub(super) struct Emulator {
    target: Target,
    command: &'static str,
    /// Makes it translate one instruction at a time.
    single: &'static str,
    folder: PathBuf,
}

/// What one execution of an operation did.
pub(super) struct Counted {
    pub(super) instructions: f64,
    /// Depends on everything that one execution of each row does.
    pub(super) result: String,
}

impl Emulator {
    /// The emulator for `target`.
    pub(super) fn new(target: &Target) -> Result<Self, String> {
        let triple = target.triple().to_string();
        let command = match triple.split('-').next() {
            Some("aarch64") => "qemu-aarch64",
            Some("x86_64") => "qemu-x86_64",
            _ => return Err(format!("there is no emulator for '{triple}'")),
        };
        let help = Command::new(command)
            .arg("-h")
            .output()
            .map_err(|error| format!("cannot run '{command}': {error}"))?;
        let help = String::from_utf8_lossy(&help.stdout);
        // Its name since version 8.1, and the one before.
        let single = ["-one-insn-per-tb", "-singlestep"]
            .into_iter()
            .find(|flag| help.contains(flag))
            .ok_or_else(|| format!("'{command}' cannot run one instruction at a time"))?;
        let folder = std::env::temp_dir().join(format!("freehold-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot create '{}': {error}", folder.display()))?;
        Ok(Self {
            target: target.clone(),
            command,
            single,
            folder,
        })
    }

    /// Compiles an operation with these operands and counts what one execution takes.
    pub(super) fn count(
        &self,
        operands: &Operands,
        work: Work,
        lowering: &str,
    ) -> Result<Counted, String> {
        let path = self.folder.join("dealloc");
        self.compile(operands, work, lowering, &path)?;
        let output = Command::new(self.command)
            .arg(&path)
            .arg("--function=result")
            .output()
            .map_err(|error| format!("cannot run '{}': {error}", self.command))?;
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "the program failed: {}: {}",
                output.status,
                messages.trim_end()
            ));
        }
        let (one, three) = (self.instructions(&path, 1)?, self.instructions(&path, 3)?);
        let rounds = three.saturating_sub(one) as f64 / 2.0;
        Ok(Counted {
            instructions: rounds / operands.rows as f64,
            result: String::from_utf8_lossy(&output.stdout).into_owned(),
        })
    }

    fn compile(
        &self,
        operands: &Operands,
        work: Work,
        lowering: &str,
        path: &Path,
    ) -> Result<(), String> {
        let context = Arc::new(dialects::context());
        let operation = lowered(&context, operands.n, operands.m, work, lowering)?;
        let operation = match operation.contains(FREED) {
            true => operation.replacen(FREED, FREED_HERE, 1),
            false => operation,
        };
        let whole = operation.replacen("module {", &format!("module {{\n{}", program(operands)), 1);
        let ir = run_passes(&context, &whole, TO_NATIVE)?;
        let options = Options::new(self.target.clone());
        let mut diagnostics = Diagnostics::new();
        let object =
            compile_to_executable_object(&ir, &[], &options, "main", &[], &mut diagnostics)
                .map_err(|_| diagnostics.render_plain(&context))?;
        let link = LinkOptions {
            static_executable: true,
            ..LinkOptions::default()
        };
        link_executable(&object, path, &self.target, &link).map_err(|error| error.message)
    }

    /// How many instructions a process with this many rounds takes.
    fn instructions(&self, path: &Path, rounds: u64) -> Result<u64, String> {
        let failed = |error: std::io::Error| format!("cannot run '{}': {error}", self.command);
        let mut child = Command::new(self.command)
            .args([self.single, "-d", "exec,nochain"])
            .arg(path)
            .arg("--function=count")
            .arg(format!("--input=index={rounds}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut log = BufReader::new(child.stderr.take().expect("errors are a pipe"));
        let mut n_lines = 0;
        let mut line = Vec::new();
        while log.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            n_lines += u64::from(line.starts_with(b"Trace "));
            line.clear();
        }
        match child.wait().map_err(failed)?.success() {
            true => Ok(n_lines),
            false => Err("the program failed when its instructions were counted".to_owned()),
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Best effort: it is a folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The loop that calls the operation, and two functions that call it with `operands`: `@result` once, `@count` as often as it
/// is told.
fn program(operands: &Operands) -> String {
    let Operands { n, m, rows, .. } = *operands;
    // The clock and the counter of allocations are the JIT's.
    let mut text = String::new();
    for line in driver()
        .lines()
        .filter(|line| !line.starts_with("func.func private"))
    {
        let line = ["@nanoTime", "@freehold_probe_allocations"].iter().fold(
            line.to_owned(),
            |line, name| {
                let call = format!("func.call {name}() : () -> i64");
                line.replace(&call, "arith.constant 0 : i64")
            },
        );
        text.push_str(&line);
        text.push('\n');
    }
    let list = |values: Vec<String>| values.join(", ");
    let pattern = operands.pattern.iter().map(ToString::to_string).collect();
    let conditions = operands
        .conditions
        .iter()
        .map(ToString::to_string)
        .collect();
    let (n_pattern, n_conditions) = (operands.pattern.len(), operands.conditions.len());
    let call = format!(
        "  %rows = arith.constant {rows} : index
  %n = arith.constant {n} : index
  %m = arith.constant {m} : index
  %p = memref.get_global @pattern : memref<{n_pattern}xi64>
  %pattern = memref.cast %p : memref<{n_pattern}xi64> to memref<?xi64>
  %c = memref.get_global @conditions : memref<{n_conditions}xi1>
  %conditions = memref.cast %c : memref<{n_conditions}xi1> to memref<?xi1>
  %results:3 = call @run(%rounds, %rows, %n, %m, %pattern, %conditions)
      : (index, index, index, index, memref<?xi64>, memref<?xi1>) -> (i64, i64, i64)
"
    );
    let _ = write!(
        text,
        "memref.global \"private\" @pattern : memref<{n_pattern}xi64> = dense<[{}]>
memref.global \"private\" @conditions : memref<{n_conditions}xi1> = dense<[{}]>
func.func @count(%rounds: index) {{
{call}  return
}}
func.func @result() -> i64 {{
  %rounds = arith.constant 1 : index
{call}  return %results#1 : i64
}}
func.func @main() {{
  return
}}
",
        list(pattern),
        list(conditions)
    );
    text
}
