//! What `run` and `compile` share: their common flags, and the way from a file
//! to a module that the code generator takes.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;
use freehold_backend::cpu::{Cpu, UnknownCpu};
use freehold_backend::isa::Target;
use freehold_backend::{AllocMode, OptLevel, Options, StatsFormat};
use freehold_frontend::dialects::{self, func, memref};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::verify::verify;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;

use crate::{Io, session};

/// What [`NativeArgs::pipeline`] is without any flag for a program that is linked without the runtime
/// library.
pub(crate) const TO_NATIVE: &str = "builtin.module(convert-elementwise-to-linalg,one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline{lowering=auto use-runtime=false},lower-affine,inline{max-callee-ops=40 keep-functions=true},convert-bufferization-to-memref,convert-iree-linalg-ext-to-loops,convert-linalg-to-loops,lower-affine,math-polynomial-approximation,scf-forall-to-for,scf-parallel-for-to-nested-fors,fuse-loops,forward-stores,unroll-and-jam-loops,vectorize-loops,promote-loop-accesses,forward-stores,vectorize-loops,unroll-loops,hoist-loop-loads,convert-scf-to-cf{rotate-loops},canonicalize,cse)";

/// After these passes no parallel loops hide from those that make loops fast.
const SEQUENTIAL: &str = ",scf-forall-to-for,scf-parallel-for-to-nested-fors";

/// Small functions become part of those that call them. Affine operations could not stand everywhere,
/// and what is private may still be what `-e` names.
const INLINE: &str = ",lower-affine,inline{max-callee-ops=40 keep-functions=true}";

/// The passes that make few loops of many, before some of them become library calls.
const FUSION: &str = ",fuse-loops,forward-stores";

/// The passes that make loops fast.
const LOOPS: &str = ",unroll-and-jam-loops,vectorize-loops,promote-loop-accesses,forward-stores,vectorize-loops,unroll-loops,hoist-loop-loads";

/// How buffers get freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Dealloc {
    /// Ownership decided at compile time, flags where paths differ
    Ownership,
    /// Owners that travel with buffers, and buffers reused, as MLIR-HLO does
    Hlo,
    /// At fixed places, with clones of what may be one of several buffers
    Clone,
    /// The same with allocations and copies instead of clones
    Copy,
    /// Only what the program frees itself
    None,
}

/// Which allocations are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MergeAlloc {
    /// Those where the peak of the program is certain not to become higher
    NeverGrow,
    /// All whose lifetimes are known: never more allocations, but maybe a higher peak
    Always,
}

/// How `bufferization.dealloc` with several operands is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeallocLowering {
    /// What suits the number of operands
    Auto,
    /// Through a helper function of the program that compares each with each
    Generic,
    /// Inline
    Specialized,
    /// Through the helper function of the runtime library, fast for many operands
    Runtime,
}

/// Flags of every command that makes native code.
#[derive(clap::Args, Debug)]
pub(crate) struct NativeArgs {
    /// The program, or `-` for standard input
    pub(crate) file: OsString,
    /// How buffers get freed
    #[arg(long, value_enum, default_value = "ownership")]
    pub(crate) dealloc: Dealloc,
    /// Merge allocations into arenas, planned by their lifetimes
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "never-grow")]
    pub(crate) merge_alloc: Option<MergeAlloc>,
    /// How deallocs with several operands are lowered
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) dealloc_lowering: DeallocLowering,
    /// Multiply matrices, fill and copy in loops, not by functions of the runtime library
    #[arg(long)]
    no_library_calls: bool,
    /// How much effort goes into the code: 0 to 3
    #[arg(short = 'O', default_value = "2", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt_level: u8,
    /// How much effort goes into machine code alone, if not as much as -O says: 0 to 3
    #[arg(long, hide = true, value_parser = clap::value_parser!(u8).range(0..=3))]
    codegen_level: Option<u8>,
    /// The processor that will run the code, or native, or x86-64-v2, -v3 or -v4 [default: what every
    /// processor of the target has; for code that is run here, native]
    #[arg(long, value_name = "CPU")]
    target_cpu: Option<String>,
    /// Features that the processor has or lacks besides, such as +avx2,-fma
    #[arg(long, value_name = "FEATURES", allow_hyphen_values = true)]
    target_features: Option<String>,
    /// Run the iterations of parallel loops on this many threads, except where they add up floats
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,
    /// Tell debuggers and profilers which lines the code comes from
    #[arg(short = 'g')]
    debug_info: bool,
}

/// How statistics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Stats {
    /// For people
    Table,
    /// One JSON object on the last line of standard error
    Json,
}

/// What is checked while the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Check {
    /// Allocations and frees; writes after free where they leave a trace
    Frees,
    /// Every load and store as well
    Accesses,
}

/// What a program reports about its memory.
#[derive(clap::Args, Debug)]
pub(crate) struct ReportArgs {
    /// Count allocations, frees and bytes, and print them when the program ends
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    stats: Option<Stats>,
    /// Find leaks, double and invalid frees and uses after free; exit status 3 if there are any. Small
    /// buffers that --dealloc=clone or copy puts on the stack are not checked
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "frees")]
    check: Option<Check>,
}

impl ReportArgs {
    /// Whether memory errors are to be found.
    pub(crate) fn checks(&self) -> bool {
        self.check.is_some()
    }

    /// How to print statistics, if at all.
    pub(crate) fn stats(&self) -> Option<StatsFormat> {
        self.stats.map(|stats| match stats {
            Stats::Table => StatsFormat::Table,
            Stats::Json => StatsFormat::Json,
        })
    }

    /// What a program that is linked with the runtime library may call of it.
    pub(crate) fn callable(&self) -> Library {
        match self.check {
            Some(Check::Accesses) => Library::NoAccesses,
            _ => Library::Whole,
        }
    }

    /// Compiles what the reports need into the program.
    pub(crate) fn apply(&self, options: &mut Options) {
        options.stats = self.stats();
        options.check_accesses = self.check == Some(Check::Accesses);
        options.mode = match (self.check, self.stats) {
            (Some(_), _) => AllocMode::Checking,
            (None, Some(_)) => AllocMode::Counting,
            (None, None) => AllocMode::Plain,
        };
    }
}

impl NativeArgs {
    /// What these flags mean for the code generator. What is said of features alone changes the processor
    /// `cpu`.
    pub(crate) fn options(&self, target: Target, cpu: &str) -> Result<Options, UnknownCpu> {
        let mut options = Options::new(target);
        if self.target_cpu.is_some() || self.target_features.is_some() {
            let cpu = self.target_cpu.as_deref().unwrap_or(cpu);
            let features = self.target_features.as_deref().unwrap_or_default();
            options.cpu = Some(Cpu::named(&options.target, cpu, features)?);
        }
        let level = self.codegen_level.unwrap_or(self.opt_level);
        options.opt_level = OptLevel::from_digit(level).unwrap_or_default();
        options.threads = self.threads;
        // Without a current folder, names stay as they are.
        options.debug_info = self
            .debug_info
            .then(|| env::current_dir().unwrap_or_default());
        Ok(options)
    }

    /// The passes from the program as written to what the code generator takes.
    /// If memory is checked, owned buffers stay on the heap, where the checker sees them.
    fn pipeline(&self, library: Library, checks: bool) -> String {
        let use_runtime = library != Library::Absent;
        let lowering = match self.dealloc_lowering {
            DeallocLowering::Auto => "auto",
            DeallocLowering::Generic => "generic",
            DeallocLowering::Specialized => "specialized",
            DeallocLowering::Runtime => "runtime",
        };
        let deallocation = match self.dealloc {
            Dealloc::Ownership => format!(
                "buffer-deallocation-pipeline{{lowering={lowering} use-runtime={use_runtime}}}"
            ),
            // Expanded first, what grows need not be owned by this block.
            Dealloc::Hlo => {
                let stack = if checks { " max-stack-bytes=0" } else { "" };
                format!(
                    "expand-realloc{{emit-deallocs=false keep-freed=true}},\
                     hlo-deallocation-pipeline{{keep-public-signatures=true{stack}}}"
                )
            }
            Dealloc::Clone => "legacy-deallocation-pipeline{introduce=clone}".to_owned(),
            Dealloc::Copy => "legacy-deallocation-pipeline{introduce=copy}".to_owned(),
            Dealloc::None => "expand-realloc".to_owned(),
        };
        let is_optimizing = self.opt_level != 0;
        let (inlining, sequential) = match is_optimizing {
            true => (INLINE, SEQUENTIAL),
            false => ("", ""),
        };
        let (rotation, cleanup) = match is_optimizing {
            true => ("{rotate-loops}", ",canonicalize,cse"),
            false => ("", ""),
        };
        // First, so that what is done to loops is done to the functions made here as well.
        let outlining = match self.threads {
            1 => "",
            _ => ",outline-parallel-loops",
        };
        let (fusion, loops) = match is_optimizing && library != Library::NoAccesses {
            true => (FUSION, LOOPS),
            false => ("", ""),
        };
        let calls = is_optimizing && !self.no_library_calls && library == Library::Whole;
        let (linalg_calls, loop_calls) = match calls {
            true => (
                ",convert-linalg-to-library-calls",
                ",convert-loops-to-library-calls",
            ),
            false => ("", ""),
        };
        // Buffers are merged when all are there that will be, and only those: an arena is made of buffers
        // as they are after reuse, inlining and fusion, and none of them goes away later. Without loop
        // passes, that is before operations on whole buffers, which may work in place, become loops.
        let merging = self.merging(is_optimizing);
        let (merging_whole, merging_loops) = match loops {
            "" => (&*merging, ""),
            _ => ("", &*merging),
        };
        // Programs without tensors stay as they are.
        let bufferization = "convert-elementwise-to-linalg,\
                             one-shot-bufferize{bufferize-function-boundaries=true \
                             function-boundary-type-conversion=identity-layout-map}";
        format!(
            "builtin.module({bufferization},{deallocation}{inlining},convert-bufferization-to-memref{merging_whole}{linalg_calls},convert-iree-linalg-ext-to-loops,convert-linalg-to-loops,lower-affine,math-polynomial-approximation{outlining}{sequential}{fusion}{loop_calls}{loops}{merging_loops},convert-scf-to-cf{rotation}{cleanup})"
        )
    }

    /// The passes that merge buffers. Without a wish of their own, those get the alignment that malloc
    /// would give them. Buffers that nobody reads go first: later, they could not leave the arena. What has
    /// the same bytes becomes one value.
    fn merging(&self, is_optimizing: bool) -> String {
        let promise = match self.merge_alloc {
            None => return String::new(),
            Some(MergeAlloc::NeverGrow) => "never-grow",
            Some(MergeAlloc::Always) => "never-more",
        };
        let (before, after) = match is_optimizing {
            true => (",canonicalize", ",cse"),
            false => ("", ""),
        };
        format!(
            "{before},mark-allocation-free-calls,merge-alloc{{alignment=16 {promise}=true}}{after}"
        )
    }
}

/// What the program may call of the runtime library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// Nothing: it is linked without it.
    Absent,
    /// What accesses no elements: accesses are checked where the program makes them.
    NoAccesses,
    /// Everything.
    Whole,
}

/// Reads the file, runs the passes and reports what they say. `None` if
/// something was wrong with the program. If memory is to be checked, what the
/// program does to it stays as it is written.
pub(crate) fn prepare(
    args: &NativeArgs,
    report: &ReportArgs,
    library: Library,
    io: &mut Io,
) -> io::Result<Option<(Arc<Context>, Ir)>> {
    let input = match session::load(&args.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(None);
        }
    };
    let context = Arc::new(dialects::context().keep_memory_operations(report.checks()));
    let mut diagnostics = Diagnostics::new();
    let mut ir = session::parse(&context, &input.name, input.text, 1, &mut diagnostics);
    if let Some(module) = &mut ir {
        let pipeline = registry::parse(&args.pipeline(library, report.checks()))
            .expect("the pipelines of this file exist");
        let options = RunOptions {
            verify_each: cfg!(debug_assertions),
            ..RunOptions::default()
        };
        if matches!(args.dealloc, Dealloc::None | Dealloc::Hlo) {
            warn_of_returned_stack(module, &mut diagnostics);
        }
        let run = manager::run(module, &pipeline, options, &mut diagnostics);
        // The code generator relies on verified IR: whatever a pass did, say what is wrong with it.
        let outcome = match options.verify_each {
            true => run.map(|_| ()),
            false => run.and_then(|_| verify(module, &mut diagnostics)),
        };
        if outcome.is_err() {
            ir = None;
        }
    }
    session::report(&diagnostics, &context, io)?;
    Ok(ir.map(|ir| (context, ir)))
}

/// Warns where a function returns its own stack memory. Most ways to free buffers return a copy of that;
/// MLIR-HLO's returns it as memory that nobody owns.
fn warn_of_returned_stack(module: &Ir, diagnostics: &mut Diagnostics) {
    let functions = module.root_block().into_iter();
    let functions = functions.flat_map(|block| module.ops_in(block));
    for ir in functions.filter_map(|op| module.nested(op)) {
        for op in ir.walk(ir.root()).filter(|&op| ir.is(op, &func::RETURN)) {
            let is_on_stack = |&value: &Value| {
                let mut value = value;
                while let Some(op) = ir.defining_op(value) {
                    match ir.def(op).view_source {
                        Some(source) => value = source(ir, op),
                        None => return ir.is(op, &memref::ALLOCA),
                    }
                }
                false
            };
            if ir.operands(op).iter().any(is_on_stack) {
                diagnostics.warning(ir.loc(op), "stack memory is returned, which is gone then");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Flags {
        #[command(flatten)]
        native: NativeArgs,
    }

    #[test]
    fn to_native_is_the_pipeline_without_flags() {
        let flags = <Flags as clap::Parser>::parse_from(["freehold", "program.mlir"]);
        assert_eq!(flags.native.pipeline(Library::Absent, false), TO_NATIVE);
    }
}
