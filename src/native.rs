//! What `run` and `compile` share: their common flags, and the way from a file
//! to a module that the code generator takes.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;

use clap::{Args as _, FromArgMatches as _, ValueEnum};
use freehold_backend::Declaration;
use freehold_backend::cpu::{Cpu, UnknownCpu};
use freehold_backend::isa::Target;
use freehold_backend::{AllocMode, OptLevel, Options, StatsFormat};
use freehold_frontend::dialects::{self, llvm};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::syntax::printer::PrintOptions;
use freehold_frontend::verify::verify;
use freehold_passes::check::returned_stack;
use freehold_passes::lowering::bufferization_lower_deallocations::Lowering;
use freehold_passes::manage::fp_policy::FpPolicy;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::pipelines::native_pipeline::{self, Library, Workspace};
use freehold_passes::rewrite::functions;

use crate::cache::{Cache, Entry};
use crate::instrumentation::Instrumentation;
use crate::{Io, module, session};

/// Deallocation strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Dealloc {
    /// Ownership decided at compile time, with run-time flags only where paths differ
    Ownership,
    /// MLIR-HLO's: owners travel along with buffers, freed buffers are reused
    Hlo,
    /// One fixed place per buffer, with clones where a value may be one of several buffers
    Clone,
    /// Like clone, with allocations and copies instead of clones
    Copy,
    /// Only the program's own deallocations
    None,
}

/// Which allocations are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MergeAlloc {
    /// None
    Never,
    /// Only where the program's peak provably does not rise
    NeverGrow,
    /// All with known live ranges: never more allocations, possibly a higher peak
    Always,
}

/// How `bufferization.dealloc` with several operands is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeallocLowering {
    /// By number of operands
    Auto,
    /// Calls a helper function in the program that compares all pairs
    Generic,
    /// Inline
    Specialized,
    /// Calls the runtime library's helper, fastest for many operands
    Runtime,
}

/// How exactly floating-point numbers are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Fp {
    /// As written: every operation rounded, in program order
    Strict,
    /// Products may be added unrounded, and contractions (products of matrices, convolutions) added up in
    /// any order
    Contract,
    /// Like contract, and any reduction may be reassociated
    Fast,
}

impl Fp {
    fn policy(self) -> FpPolicy {
        match self {
            Self::Strict => FpPolicy::Strict,
            Self::Contract => FpPolicy::Contract,
            Self::Fast => FpPolicy::Fast,
        }
    }

    /// How flags write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Contract => "contract",
            Self::Fast => "fast",
        }
    }
}

/// Flags of every command that makes native code.
#[derive(clap::Args, Debug)]
pub(crate) struct NativeArgs {
    /// The program, or `-` for standard input
    pub(crate) file: OsString,
    /// Drop operations of this dialect and keep its attributes and types as text; may be repeated
    #[arg(long, value_name = "NAME")]
    ignore_dialect: Vec<String>,
    /// Deallocation strategy
    #[arg(long, value_enum, default_value = "ownership")]
    pub(crate) dealloc: Dealloc,
    /// Merge allocations into arenas planned from their live ranges [default: never-grow at -O2 and above
    /// unless memory is checked, else never]
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "never-grow")]
    pub(crate) merge_alloc: Option<MergeAlloc>,
    /// Lowering of deallocs with several operands
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) dealloc_lowering: DeallocLowering,
    /// With --dealloc=ownership: private functions return an i1 per buffer that tells whether the
    /// caller owns it, instead of a copy
    #[arg(long)]
    private_function_dynamic_ownership: bool,
    /// Floating-point policy, in addition to fastmath flags
    #[arg(long, value_enum, default_value = "strict", value_name = "POLICY")]
    pub(crate) fp: Fp,
    /// Compile contractions, fills and copies to loops instead of runtime library calls
    #[arg(long)]
    no_library_calls: bool,
    /// Optimization level, 0 to 3
    #[arg(short = 'O', default_value = "2", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt_level: u8,
    /// How much effort goes into machine code alone, if not as much as -O says: 0 to 3
    #[arg(long, hide = true, value_parser = clap::value_parser!(u8).range(0..=3))]
    codegen_level: Option<u8>,
    /// Let analyses give up after this much work
    #[arg(long, hide = true, default_value_t = u64::MAX)]
    cap_analyses: u64,
    /// Compile functions with twice as many operations in parts of about as many
    #[arg(long, hide = true)]
    part_ops: Option<usize>,
    /// The processor that will run the code, or native, or x86-64-v2, -v3 or -v4 [default: what every
    /// processor of the target has; for code that is run here, native]
    #[arg(long, value_name = "CPU")]
    target_cpu: Option<String>,
    /// CPU features to add or remove, such as +avx2,-fma
    #[arg(long, value_name = "FEATURES", allow_hyphen_values = true)]
    target_features: Option<String>,
    /// Widest vector registers to use where the CPU has them: 128, 256 or 512 bits
    #[arg(long, default_value = "512", value_parser = ["128", "256", "512"])]
    vector_bits: String,
    /// Report which loops use wide vectors, and why others do not
    #[arg(long)]
    remarks: bool,
    /// Run contractions and the iterations of parallel loops on this many threads, except loops that add up
    /// floats; auto is as many as this machine has
    #[arg(long, default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: u32,
    /// Emit debug information: source lines for debuggers and profilers
    #[arg(short = 'g')]
    debug_info: bool,
    #[command(flatten)]
    watch: Instrumentation,
}

/// The most threads that may be asked for.
const MAX_THREADS: u32 = 1024;

fn parse_threads(text: &str) -> Result<u32, String> {
    if text == "auto" {
        let threads = thread::available_parallelism().map_or(1, |n| n.get());
        return Ok(u32::try_from(threads)
            .unwrap_or(MAX_THREADS)
            .min(MAX_THREADS));
    }
    let threads: u32 = text
        .parse()
        .map_err(|_| "not a number, nor auto".to_owned())?;
    match (1..=MAX_THREADS).contains(&threads) {
        true => Ok(threads),
        false => Err(format!("{threads} is not in 1..={MAX_THREADS}")),
    }
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

    /// Whether anything is said of the memory that a program takes.
    fn reports_memory(&self) -> bool {
        self.check.is_some() || self.stats.is_some()
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
    /// What `run` and `compile` take these words of a command line for, if they do.
    pub(crate) fn read(words: &[OsString]) -> Option<Self> {
        let command = Self::augment_args(clap::Command::new("run").no_binary_name(true));
        let matches = command.try_get_matches_from(words).ok()?;
        Self::from_arg_matches(&matches).ok()
    }

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
        options.vector_bits = self.vector_bits.parse().unwrap_or(512);
        options.remarks = self.remarks;
        if let Some(part_ops) = self.part_ops {
            options.part_ops = part_ops;
        }
        // Without a current folder, names stay as they are.
        options.debug_info = self
            .debug_info
            .then(|| env::current_dir().unwrap_or_default());
        Ok(options)
    }

    /// The passes from the program as written to what the code generator takes for `processor`.
    pub(crate) fn pipeline(
        &self,
        made_for: &MadeFor<'_>,
        processor: Processor,
        checks: bool,
    ) -> Pipeline {
        Pipeline::of(native_pipeline::steps(&native_pipeline::Options {
            dealloc: match self.dealloc {
                Dealloc::Ownership => native_pipeline::Dealloc::Ownership,
                Dealloc::Hlo => native_pipeline::Dealloc::Hlo,
                Dealloc::Clone => native_pipeline::Dealloc::Clone,
                Dealloc::Copy => native_pipeline::Dealloc::Copy,
                Dealloc::None => native_pipeline::Dealloc::Nothing,
            },
            private_function_dynamic_ownership: self.private_function_dynamic_ownership,
            lowering: match self.dealloc_lowering {
                DeallocLowering::Auto => Lowering::Auto,
                DeallocLowering::Generic => Lowering::Generic,
                DeallocLowering::Specialized => Lowering::Specialized,
                DeallocLowering::Runtime => Lowering::Runtime,
            },
            merge_alloc: match self.merge_alloc {
                // A checker sees more of buffers that stand alone.
                None if self.opt_level < 2 || checks => native_pipeline::MergeAlloc::Nothing,
                Some(MergeAlloc::Never) => native_pipeline::MergeAlloc::Nothing,
                None | Some(MergeAlloc::NeverGrow) => native_pipeline::MergeAlloc::NeverGrow,
                Some(MergeAlloc::Always) => native_pipeline::MergeAlloc::Always,
            },
            annotate_plans: made_for.annotates,
            workspace: made_for.workspace,
            library: made_for.library,
            library_calls: !self.no_library_calls,
            checks,
            fp: self.fp.policy(),
            threads: u64::from(self.threads),
            vector_bits: processor.vector_bits,
            fused_multiply_add: processor.fused_multiply_add,
            optimize: self.opt_level != 0,
        }))
    }
}

/// What the passes want to know of the processor.
#[derive(Clone, Copy)]
pub(crate) struct Processor {
    vector_bits: u32,
    fused_multiply_add: bool,
}

impl Processor {
    /// The one that these options name, in code that runs in this process or elsewhere.
    pub(crate) fn of(options: &Options, runs_here: bool) -> Self {
        Self {
            vector_bits: options.loop_vector_bits(runs_here),
            fused_multiply_add: options.has_fused_multiply_add(runs_here),
        }
    }
}

/// What a program will find where it runs.
pub(crate) struct MadeFor<'a> {
    /// What it may call of the runtime library.
    pub(crate) library: Library,
    /// The function that is run from outside: it returns what it is declared to return, even if it is private.
    pub(crate) entry: Option<&'a str>,
    /// What runs it.
    pub(crate) processor: Processor,
    /// What runs other versions of it, if there are any.
    pub(crate) versions: Vec<Processor>,
    /// Where its temporary memory comes from.
    pub(crate) workspace: Workspace,
    /// Whether plans of its memory are for somebody to see.
    pub(crate) annotates: bool,
}

/// A program that the code generator takes.
pub(crate) struct Prepared {
    pub(crate) context: Arc<Context>,
    pub(crate) ir: Ir,
    /// The program for the other processors that it is made for.
    pub(crate) versions: Vec<Ir>,
    /// What functions were before the passes.
    pub(crate) declarations: Vec<(String, Declaration)>,
    /// Where its code may be kept.
    pub(crate) kept: Option<Kept>,
}

/// What a cache has of a program, or is to keep.
pub(crate) struct Kept {
    /// What it is kept under.
    pub(crate) key: String,
    /// The code, if it is there.
    pub(crate) code: Option<Vec<u8>>,
}

/// Reads the file, runs the passes and reports what they say. `None` if
/// something was wrong with the program. If memory is to be checked, what the
/// program does to it stays as it is written.
pub(crate) fn prepare(
    args: &NativeArgs,
    report: &ReportArgs,
    made_for: &MadeFor<'_>,
    cache: Option<(&Cache, &Options)>,
    io: &mut Io,
) -> io::Result<Option<Prepared>> {
    let input = match session::load_program(&args.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(None);
        }
    };
    let pipeline = args.pipeline(made_for, made_for.processor, report.checks());
    let entry = made_for.entry;
    let mut kept = None;
    if let Some((cache, options)) = cache {
        let passes = (pipeline.to_string(), entry, &args.ignore_dialect);
        let key = Cache::key(&input.name, &input.text.whole(), options, &passes);
        match cache
            .load(&key)
            .and_then(|entry| load(&input.name, entry, &key))
        {
            Some(prepared) => return Ok(Some(prepared)),
            None => kept = Some(Kept { key, code: None }),
        }
    }
    let context = dialects::context()
        .keep_memory_operations(report.checks())
        .cap_analyses(args.cap_analyses)
        .ignore_dialects(&args.ignore_dialect);
    let context = Arc::new(context);
    let mut diagnostics = Diagnostics::new();
    let texts = vec![input.text.clone(); made_for.versions.len()];
    let mut ir = module::parse(&context, &input.name, input.text, 1, &mut diagnostics);
    let mut versions = Vec::new();
    let mut described = Vec::new();
    if let Some(module) = &mut ir {
        if report.reports_memory()
            && let Some(op) = llvm_function(module)
        {
            diagnostics.warning(
                module.loc(op),
                "memory that functions of the llvm dialect get from malloc and give back is their own: \
                 --check and --stats do not see it",
            );
        }
        described = module::declarations(module);
        if let Some(entry) = entry {
            make_public(module, entry);
        }
        let verify_each = cfg!(debug_assertions);
        if matches!(args.dealloc, Dealloc::None | Dealloc::Hlo) {
            returned_stack::warn(module, &mut diagnostics);
        }
        let settings = (verify_each, false);
        let print = PrintOptions::default();
        let watch = &args.watch;
        let mut ok = watch.run(module, &pipeline, print, settings, &mut diagnostics, io)?;
        // The code generator relies on verified IR: whatever a pass did, say what is wrong with it.
        ok = ok && (verify_each || verify(module, &mut diagnostics).is_ok());
        // What there is to say of the program was said of the first version.
        let mut unheard = Diagnostics::new();
        for (&processor, text) in made_for.versions.iter().zip(texts) {
            let pipeline = args.pipeline(made_for, processor, report.checks());
            let version = module::parse(&context, &input.name, text, 1, &mut unheard);
            versions.extend(version.and_then(|mut version| {
                if let Some(entry) = entry {
                    make_public(&mut version, entry);
                }
                let run = RunOptions {
                    verify_each,
                    ..RunOptions::default()
                };
                manager::run(&mut version, &pipeline, run, &mut unheard).ok()?;
                verify(&version, &mut unheard).ok().map(|()| version)
            }));
        }
        ok = ok && versions.len() == made_for.versions.len();
        if !ok {
            diagnostics.append(unheard);
            ir = None;
        }
    }
    session::report(&diagnostics, &context, io)?;
    // What is said about a program is said each time.
    let kept = kept.filter(|_| diagnostics.iter().next().is_none());
    Ok(ir.map(|ir| Prepared {
        context,
        ir,
        versions,
        declarations: described,
        kept,
    }))
}

/// What a cache has of a program.
fn load(name: &str, entry: Entry, key: &str) -> Option<Prepared> {
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let ir = module::parse(&context, name, entry.text, 1, &mut diagnostics)?;
    Some(Prepared {
        context,
        ir,
        versions: Vec::new(),
        declarations: entry.declarations,
        kept: Some(Kept {
            key: key.to_owned(),
            code: Some(entry.code),
        }),
    })
}

/// The first function of a module that is written in LLVM's dialect and has a body.
fn llvm_function(module: &Ir) -> Option<Op> {
    let mut ops = module
        .root_block()
        .into_iter()
        .flat_map(|block| module.ops_in(block));
    ops.find(|&op| {
        let body = module.nested(op).and_then(Ir::root_block);
        module.is(op, &llvm::FUNC) && body.is_some()
    })
}

/// Lets the function `name` have callers that nobody sees.
pub(crate) fn make_public(module: &mut Ir, name: &str) {
    let stub = functions::functions(module)
        .into_iter()
        .find(|&stub| module.symbol_name(stub) == Some(name));
    if let Some(function) = stub.and_then(|stub| module.nested_mut(stub))
        && function.root_block().is_some()
    {
        let root = function.root();
        function.remove_attr(root, Name::SYM_VISIBILITY);
    }
}

#[cfg(test)]
mod tests {
    use freehold_passes::registry;

    use super::*;

    #[derive(clap::Parser)]
    struct Flags {
        #[command(flatten)]
        native: NativeArgs,
    }

    /// Programs that use the crate get what `compile` does.
    #[test]
    fn to_native_is_the_pipeline_without_flags() {
        let flags = <Flags as clap::Parser>::parse_from(["freehold", "program.mlir"]);
        let of_module = registry::parse(crate::Module::TO_NATIVE).unwrap();
        let processor = Processor {
            vector_bits: 128,
            fused_multiply_add: false,
        };
        let any = MadeFor {
            library: Library::Absent,
            entry: None,
            processor,
            versions: Vec::new(),
            workspace: Workspace::Nothing,
            annotates: false,
        };
        let of_flags = flags.native.pipeline(&any, processor, false);
        assert_eq!(of_flags.to_string(), of_module.to_string());
    }
}
