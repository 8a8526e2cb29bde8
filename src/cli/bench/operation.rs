//! The code that is measured: a function around one `bufferization.dealloc`, and the loop that calls
//! it.
//!
//! The function loads its operands from tables, so that nothing about them is known at compile time, and stores its
//! results. The loop calls it with one row of operands after another, so that branches on them are not all predicted.
//! Frees are replaced by calls of a function that counts up in the buffer: this measures the decision, not the
//! allocator.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use freehold_backend::Options;
use freehold_backend::jit::{Argument, Buffer, Jit, compile_to_jit};
use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;

use crate::parse::parse;

/// Called instead of `free`, with the address of the buffer.
pub(super) const FREED: &str = "func.func private @freehold_probe_freed(index)\n";

/// How the measured function sees its tables: one row of them.
const SIGNATURE: &str = "(memref<?xmemref<i64>, strided<[1], offset: ?>>, \
     memref<?xi1, strided<[1], offset: ?>>, memref<?xi1, strided<[1], offset: ?>>)";

/// Makes the tables, calls `@op` again and again with all rows, and returns the time, a number that
/// depends on everything that the calls did, and how many heap allocations they made.
const DRIVER: &str = "
func.func private @nanoTime() -> i64 attributes {llvm.emit_c_interface}
func.func private @freehold_probe_allocations() -> i64
func.func @run(%rounds: index, %rows: index, %n: index, %m: index, %pattern: memref<?xi64>,
               %conditions: memref<?xi1>) -> (i64, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %prime = arith.constant 1000003 : i64
  %operands = arith.addi %n, %m : index
  %size = arith.muli %rows, %operands : index
  %answers = arith.muli %rows, %m : index
  %pool = memref.alloc(%operands) : memref<?xmemref<i64>>
  %table = memref.alloc(%size) : memref<?xmemref<i64>>
  %owned = memref.alloc(%answers) : memref<?xi1>
  %false = arith.constant false
  scf.for %i = %c0 to %answers step %c1 {
    memref.store %false, %owned[%i] : memref<?xi1>
  }
  scf.for %i = %c0 to %operands step %c1 {
    %buffer = memref.alloc() : memref<i64>
    memref.store %zero, %buffer[] : memref<i64>
    memref.store %buffer, %pool[%i] : memref<?xmemref<i64>>
  }
  scf.for %i = %c0 to %size step %c1 {
    %at = memref.load %pattern[%i] : memref<?xi64>
    %which = arith.index_cast %at : i64 to index
    %buffer = memref.load %pool[%which] : memref<?xmemref<i64>>
    memref.store %buffer, %table[%i] : memref<?xmemref<i64>>
  }
  %allocated = func.call @freehold_probe_allocations() : () -> i64
  %start = func.call @nanoTime() : () -> i64
  scf.for %i = %c0 to %rounds step %c1 {
    scf.for %row = %c0 to %rows step %c1 {
      %r0 = arith.muli %row, %operands : index
      %r1 = arith.muli %row, %n : index
      %r2 = arith.muli %row, %m : index
      %0 = memref.subview %table[%r0] [%operands] [1]
          : memref<?xmemref<i64>> to memref<?xmemref<i64>, strided<[1], offset: ?>>
      %1 = memref.subview %conditions[%r1] [%n] [1]
          : memref<?xi1> to memref<?xi1, strided<[1], offset: ?>>
      %2 = memref.subview %owned[%r2] [%m] [1]
          : memref<?xi1> to memref<?xi1, strided<[1], offset: ?>>
      func.call @op(%0, %1, %2) : SIGNATURE -> ()
    }
  }
  %end = func.call @nanoTime() : () -> i64
  %allocated_now = func.call @freehold_probe_allocations() : () -> i64
  %time = arith.subi %end, %start : i64
  %allocations = arith.subi %allocated_now, %allocated : i64
  %freed = scf.for %i = %c0 to %operands step %c1 iter_args(%before = %zero) -> (i64) {
    %buffer = memref.load %pool[%i] : memref<?xmemref<i64>>
    %count = memref.load %buffer[] : memref<i64>
    %product = arith.muli %before, %prime : i64
    %after = arith.addi %product, %count : i64
    memref.dealloc %buffer : memref<i64>
    scf.yield %after : i64
  }
  %sum = scf.for %i = %c0 to %answers step %c1 iter_args(%before = %freed) -> (i64) {
    %bit = memref.load %owned[%i] : memref<?xi1>
    %wide = arith.extui %bit : i1 to i64
    %product = arith.muli %before, %prime : i64
    %after = arith.addi %product, %wide : i64
    scf.yield %after : i64
  }
  memref.dealloc %pool : memref<?xmemref<i64>>
  memref.dealloc %table : memref<?xmemref<i64>>
  memref.dealloc %owned : memref<?xi1>
  return %time, %sum, %allocations : i64, i64, i64
}
";

/// What the function does between loading operands and storing results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    Dealloc,
    /// Nothing: results are conditions. This is what the measuring itself costs.
    Nothing,
}

/// `@op`: a dealloc of `n` entries and `m` retained buffers.
pub(super) fn operation(n: usize, m: usize, work: Work) -> String {
    let parameters = SIGNATURE
        .replacen("(memref", "(%table: memref", 1)
        .replacen(", memref<?xi1", ", %conditions: memref<?xi1", 1)
        .replacen(", memref<?xi1", ", %owned: memref<?xi1", 1);
    let mut text = format!("func.func @op{parameters} {{\n");
    let row = "memref<?xi1, strided<[1], offset: ?>>";
    // Writing to a string cannot fail, here and below.
    for i in 0..n + m {
        let _ = writeln!(text, "  %i{i} = arith.constant {i} : index");
        if i < n {
            let _ = writeln!(text, "  %c{i} = memref.load %conditions[%i{i}] : {row}");
        }
        if work == Work::Dealloc {
            let _ = writeln!(
                text,
                "  %b{i} = memref.load %table[%i{i}] : memref<?xmemref<i64>, strided<[1], offset: ?>>"
            );
        }
    }
    let names = |prefix: &str, range: Range<usize>| -> String {
        let names: Vec<String> = range.map(|i| format!("%{prefix}{i}")).collect();
        names.join(", ")
    };
    let types = |count: usize| vec!["memref<i64>"; count].join(", ");
    if work == Work::Dealloc {
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
    }
    for j in 0..m {
        let _ = match work {
            Work::Dealloc => writeln!(text, "  memref.store %o#{j}, %owned[%i{j}] : {row}"),
            Work::Nothing => {
                let i = j % n;
                writeln!(text, "  memref.store %c{i}, %owned[%i{j}] : {row}")
            }
        };
    }
    text + "  return\n}\n"
}

/// Replaces the frees of entries in `text` by calls that count. `pointer` gives the operation that
/// makes an `index` of a buffer: the address that the lowering compares.
pub(super) fn counting(text: &str, pointer: fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut n_frees = 0;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let buffer = trimmed
            .strip_prefix("memref.dealloc ")
            .and_then(|rest| rest.strip_suffix(" : memref<i64>"));
        let owner = trimmed.strip_prefix("deallocation.free ");
        let address = buffer.map(pointer).or_else(|| {
            owner.map(|owner| format!("deallocation.get_buffer {owner} : !deallocation.ownership"))
        });
        match address {
            Some(address) => {
                n_frees += 1;
                let _ = writeln!(
                    out,
                    "%freed{n_frees} = {address}\n\
                     func.call @freehold_probe_freed(%freed{n_frees}) : (index) -> ()"
                );
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
    let Some(mut ir) = parse(context, "<bench>", text, 1, &mut diagnostics) else {
        return Err(render(&diagnostics));
    };
    let pipeline = registry::parse(&format!("builtin.module({passes})"))?;
    manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)
        .map_err(|_| render(&diagnostics))?;
    Ok(ir)
}

/// The module of an operation as a lowering of ours makes it, with calls that count in place of frees.
pub(super) fn lowered(
    context: &Arc<Context>,
    n: usize,
    m: usize,
    work: Work,
    lowering: &str,
) -> Result<String, String> {
    let pass = format!("bufferization-lower-deallocations{{lowering={lowering}}},cse,canonicalize");
    let lowered = run_passes(context, &operation(n, m, work), &pass)?;
    let lowered = print(&lowered, PrintOptions::default());
    Ok(counting(&lowered, |value| {
        format!("deallocation.get_buffer {value} : memref<i64>")
    }))
}

/// One way to lower an operation, as code that can be called.
pub(super) struct Compiled {
    jit: Jit,
    /// Bytes of code of the function and, if there is one, of the helper in the module.
    pub(super) code_bytes: Option<usize>,
}

/// The operands of one operation, several times: one row each.
pub(super) struct Operands {
    pub(super) n: usize,
    pub(super) m: usize,
    pub(super) rows: usize,
    /// Which buffer each operand is, entries first.
    pub(super) pattern: Vec<i64>,
    pub(super) conditions: Vec<bool>,
}

/// What some executions of an operation did.
pub(super) struct Ran {
    pub(super) nanoseconds: u64,
    /// Depends on everything that the last execution of each row did, and on the number of all.
    pub(super) result: i128,
    pub(super) allocations: u64,
}

/// Passes from `memref.dealloc` to what the code generator takes.
pub(super) const TO_NATIVE: &str = "convert-scf-to-cf,canonicalize,cse";

impl Compiled {
    /// Our code for an operation; it counts its calls of `malloc`.
    pub(super) fn ours(n: usize, m: usize, work: Work, lowering: &str) -> Result<Self, String> {
        let context = Arc::new(dialects::context());
        let counted = lowered(&context, n, m, work, lowering)?;
        let whole = counted.replacen("module {", &format!("module {{\n{}", driver()), 1);
        let mut options = Options::host();
        options.count_malloc = true;
        let jit = compile(&whole, &options)?;
        let helper = jit.code_size("dealloc_helper").unwrap_or(0);
        let code_bytes = jit.code_size("op").map(|size| size + helper);
        Ok(Self { jit, code_bytes })
    }

    /// The code in the shared library `library`, which defines `@op`.
    pub(super) fn peer(library: &std::path::Path) -> Result<Self, String> {
        let text = format!("func.func private @op{SIGNATURE}\n{}", driver());
        let mut options = Options::host();
        options.shared_libs.push(library.to_owned());
        Ok(Self {
            jit: compile(&text, &options)?,
            code_bytes: None,
        })
    }

    /// Runs the operation on each row of operands `rounds` times.
    pub(super) fn run(&self, rounds: u64, operands: &mut Operands) -> Result<Ran, String> {
        let Operands { n, m, rows, .. } = *operands;
        let sizes = [[operands.pattern.len()], [operands.conditions.len()]];
        let pattern = Buffer::new(&mut operands.pattern, &sizes[0]);
        let conditions = Buffer::new(&mut operands.conditions, &sizes[1]);
        let number = |value: usize| Argument::Int(value as i128);
        let arguments = [
            Argument::Int(rounds.into()),
            number(rows),
            number(n),
            number(m),
            Argument::MemRef(&pattern),
            Argument::MemRef(&conditions),
        ];
        let results = self
            .jit
            .call("run", &arguments)
            .map_err(|error| error.to_string())?;
        match [0, 1, 2].map(|i| results[i].as_int()) {
            [Some(time), Some(result), Some(allocations)] => Ok(Ran {
                nanoseconds: u64::try_from(time).unwrap_or(0),
                result,
                allocations: u64::try_from(allocations).unwrap_or(0),
            }),
            _ => Err("the measuring loop returns three integers".into()),
        }
    }
}

/// The loop that calls `@op`.
pub(super) fn driver() -> String {
    DRIVER.replace("SIGNATURE", SIGNATURE)
}

fn compile(text: &str, options: &Options) -> Result<Jit, String> {
    let context = Arc::new(dialects::context());
    let ir = run_passes(&context, text, TO_NATIVE)?;
    let mut diagnostics = Diagnostics::new();
    compile_to_jit(&ir, options, &mut diagnostics).map_err(|_| diagnostics.render_plain(&context))
}
