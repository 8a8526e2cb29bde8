//! The code that is measured: a function around one `bufferization.dealloc`, and the loop that calls
//! it.
//!
//! The function loads its operands from tables, so that nothing about them is known at compile time,
//! and stores its results. Frees are replaced by calls of `@freed`, which counts them in the buffer:
//! what is measured is the decision, not the allocator.

use std::fmt::Write as _;
use std::sync::Arc;

use freehold_backend::Options;
use freehold_backend::jit::{Argument, Buffer, Jit, compile_to_jit};
use freehold_backend::object::compile_to_object;
use freehold_frontend::diag::Diagnostics;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_passes::manager::{self, RunOptions};
use freehold_passes::pipeline::Pipeline;

use crate::session;

/// Counts a free in the buffer. It stays a call, as `free` would.
const FREED: &str =
    "func.func @freed(%m: memref<2xi64>) attributes {passthrough = [\"noinline\"]} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %before = memref.load %m[%c0] : memref<2xi64>
  %after = arith.addi %before, %one : i64
  memref.store %after, %m[%c0] : memref<2xi64>
  return
}
";

/// Makes the tables, calls `@op` again and again, and returns the time and a number that depends on
/// everything that the calls did.
const DRIVER: &str = "func.func private @nanoTime() -> i64 attributes {llvm.emit_c_interface}
func.func @run(%calls: index, %pattern: memref<?xi64>, %conditions: memref<?xi1>) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %prime = arith.constant 1000003 : i64
  %size = memref.dim %pattern, %c0 : memref<?xi64>
  %pool = memref.alloc(%size) : memref<?xmemref<2xi64>>
  %table = memref.alloc(%size) : memref<?xmemref<2xi64>>
  %owned = memref.alloc(%size) : memref<?xi1>
  %false = arith.constant false
  scf.for %i = %c0 to %size step %c1 {
    %buffer = memref.alloc() : memref<2xi64>
    memref.store %zero, %buffer[%c0] : memref<2xi64>
    memref.store %buffer, %pool[%i] : memref<?xmemref<2xi64>>
    memref.store %false, %owned[%i] : memref<?xi1>
  }
  scf.for %i = %c0 to %size step %c1 {
    %at = memref.load %pattern[%i] : memref<?xi64>
    %which = arith.index_cast %at : i64 to index
    %buffer = memref.load %pool[%which] : memref<?xmemref<2xi64>>
    memref.store %buffer, %table[%i] : memref<?xmemref<2xi64>>
  }
  %start = func.call @nanoTime() : () -> i64
  scf.for %i = %c0 to %calls step %c1 {
    func.call @op(%table, %conditions, %owned) : (memref<?xmemref<2xi64>>, memref<?xi1>, memref<?xi1>) -> ()
  }
  %end = func.call @nanoTime() : () -> i64
  %time = arith.subi %end, %start : i64
  %sum = scf.for %i = %c0 to %size step %c1 iter_args(%before = %zero) -> (i64) {
    %buffer = memref.load %pool[%i] : memref<?xmemref<2xi64>>
    %count = memref.load %buffer[%c0] : memref<2xi64>
    %bit = memref.load %owned[%i] : memref<?xi1>
    %wide = arith.extui %bit : i1 to i64
    %product = arith.muli %before, %prime : i64
    %more = arith.addi %product, %count : i64
    %twice = arith.addi %more, %more : i64
    %after = arith.addi %twice, %wide : i64
    memref.dealloc %buffer : memref<2xi64>
    scf.yield %after : i64
  }
  memref.dealloc %pool : memref<?xmemref<2xi64>>
  memref.dealloc %table : memref<?xmemref<2xi64>>
  memref.dealloc %owned : memref<?xi1>
  return %time, %sum : i64, i64
}
";

const SIGNATURE: &str = "(memref<?xmemref<2xi64>>, memref<?xi1>, memref<?xi1>)";

/// `@op`: a dealloc of `n` entries and `m` retained buffers.
pub(super) fn operation(n: usize, m: usize) -> String {
    let mut text = String::from(
        "func.func @op(%table: memref<?xmemref<2xi64>>, %conditions: memref<?xi1>, %owned: memref<?xi1>) {\n",
    );
    // Writing to a string cannot fail, here and below.
    for i in 0..n + m {
        let _ = writeln!(
            text,
            "  %i{i} = arith.constant {i} : index\n  \
             %b{i} = memref.load %table[%i{i}] : memref<?xmemref<2xi64>>"
        );
        if i < n {
            let _ = writeln!(
                text,
                "  %c{i} = memref.load %conditions[%i{i}] : memref<?xi1>"
            );
        }
    }
    let names = |prefix: &str, range: std::ops::Range<usize>| -> String {
        let names: Vec<String> = range.map(|i| format!("%{prefix}{i}")).collect();
        names.join(", ")
    };
    let types = |count: usize| vec!["memref<2xi64>"; count].join(", ");
    let results = if m > 0 {
        format!("%o:{m} = ")
    } else {
        String::new()
    };
    let _ = write!(
        text,
        "  {results}bufferization.dealloc ({} : {}) if ({})",
        names("b", 0..n),
        types(n),
        names("c", 0..n)
    );
    if m > 0 {
        let _ = write!(text, " retain ({} : {})", names("b", n..n + m), types(m));
    }
    text.push('\n');
    for j in 0..m {
        let _ = writeln!(text, "  memref.store %o#{j}, %owned[%i{j}] : memref<?xi1>");
    }
    text + "  return\n}\n"
}

/// Replaces the frees of entries in `text` and adds what they are replaced by.
pub(super) fn counting(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + FREED.len());
    for line in text.lines() {
        let freed = line
            .trim_start()
            .strip_prefix("memref.dealloc ")
            .and_then(|rest| rest.strip_suffix(" : memref<2xi64>"));
        match freed {
            Some(value) => {
                let _ = writeln!(out, "func.call @freed({value}) : (memref<2xi64>) -> ()");
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
        if line == "module {" {
            out.push_str(FREED);
        }
    }
    out
}

/// Parses `text` and runs passes on it.
pub(super) fn run_passes(context: &Arc<Context>, text: &str, passes: &str) -> Result<Ir, String> {
    let mut diagnostics = Diagnostics::new();
    let render = |diagnostics: &Diagnostics| diagnostics.render_plain(context);
    let Some(mut ir) = session::parse(context, "<bench>", text.into(), 1, &mut diagnostics) else {
        return Err(render(&diagnostics));
    };
    let pipeline = Pipeline::parse(&format!("builtin.module({passes})"))?;
    manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)
        .map_err(|_| render(&diagnostics))?;
    Ok(ir)
}

/// One way to lower an operation, as code that can be called.
pub(super) struct Compiled {
    jit: Jit,
    /// Bytes of code of the function and, if there is one, of the helper in the module.
    pub(super) code_bytes: Option<usize>,
    /// How many heap allocations each execution makes.
    pub(super) allocations: usize,
}

/// Passes from `memref.dealloc` to what the code generator takes.
const TO_NATIVE: &str = "convert-scf-to-cf,canonicalize,cse";

impl Compiled {
    /// Our code for an operation.
    pub(super) fn ours(n: usize, m: usize, lowering: &str) -> Result<Self, String> {
        let context = Arc::new(Context::new());
        let pass =
            format!("bufferization-lower-deallocations{{lowering={lowering}}},cse,canonicalize");
        let lowered = run_passes(&context, &operation(n, m), &pass)?;
        let counted = counting(&print(&lowered, PrintOptions::default()));
        // What the operation needs must not call malloc at all.
        let ir = run_passes(&context, &counted, TO_NATIVE)?;
        let mut diagnostics = Diagnostics::new();
        let object = compile_to_object(&ir, &Options::host(), &mut diagnostics)
            .map_err(|_| diagnostics.render_plain(&context))?;
        let calls_malloc = [&b"\0malloc\0"[..], b"\0aligned_alloc\0"]
            .iter()
            .any(|name| object.windows(name.len()).any(|bytes| bytes == *name));
        let whole = counted.replacen("module {", &format!("module {{\n{DRIVER}"), 1);
        let jit = compile(&whole, &Options::host())?;
        let helper = jit.code_size("dealloc_helper").unwrap_or(0);
        let code_bytes = jit.code_size("op").map(|size| size + helper);
        Ok(Self {
            jit,
            code_bytes,
            allocations: calls_malloc.into(),
        })
    }

    /// The code in the shared library `library`, which defines `@op`.
    pub(super) fn peer(library: &std::path::Path, allocations: usize) -> Result<Self, String> {
        let text = format!("func.func private @op{SIGNATURE}\n{DRIVER}");
        let mut options = Options::host();
        options.shared_libs.push(library.to_owned());
        Ok(Self {
            jit: compile(&text, &options)?,
            code_bytes: None,
            allocations,
        })
    }

    /// Runs the operation `calls` times on these operands: the nanoseconds all calls took, and
    /// a number that depends on what they did.
    pub(super) fn run(
        &self,
        calls: u64,
        pattern: &mut [i64],
        conditions: &mut [bool],
    ) -> Result<(u64, i128), String> {
        let sizes = [[pattern.len()], [conditions.len()]];
        let pattern = Buffer::new(pattern, &sizes[0]);
        let conditions = Buffer::new(conditions, &sizes[1]);
        let arguments = [
            Argument::Int(calls.into()),
            Argument::MemRef(&pattern),
            Argument::MemRef(&conditions),
        ];
        let results = self
            .jit
            .call("run", &arguments)
            .map_err(|error| error.to_string())?;
        match [results[0].as_int(), results[1].as_int()] {
            [Some(time), Some(sum)] => Ok((u64::try_from(time).unwrap_or(0), sum)),
            _ => Err("the measuring loop returns two integers".into()),
        }
    }
}

fn compile(text: &str, options: &Options) -> Result<Jit, String> {
    let context = Arc::new(Context::new());
    let ir = run_passes(&context, text, TO_NATIVE)?;
    let mut diagnostics = Diagnostics::new();
    compile_to_jit(&ir, options, &mut diagnostics).map_err(|_| diagnostics.render_plain(&context))
}
