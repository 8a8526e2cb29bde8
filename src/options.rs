//! Every option of a job, declared once: the flags of `run` and `compile`, the fields of Rust programs and the
//! keywords of Python come from this table.

use std::fmt;
use std::thread;

use freehold_backend::{OptLevel, PerfOutput, StatsFormat};
use freehold_passes::lowering::bufferization_lower_deallocations::Lowering;
use freehold_passes::lowering::lower_vectors::MatrixLayout;
use freehold_passes::manage::fp_policy::FpPolicy;
use freehold_passes::manage::options::{
    OptionKind, OptionRow, OptionValue, PassOptions as _, option_words, pass_options,
};
use freehold_passes::pipelines::native_pipeline::{Dealloc, MergeAlloc, Workspace};

option_words! {
    /// Optimization level.
    pub enum Level {
        /// No optimizations.
        O0 = "0",
        /// Loops become fast, functions are inlined.
        O1 = "1",
        /// Allocations are merged as well.
        O2 = "2",
        /// As 2.
        O3 = "3",
    }
}

impl Level {
    /// What the code generator calls it.
    pub(crate) fn of_code(self) -> OptLevel {
        match self {
            Self::O0 => OptLevel::None,
            Self::O1 => OptLevel::Less,
            Self::O2 => OptLevel::Default,
            Self::O3 => OptLevel::Aggressive,
        }
    }
}

option_words! {
    /// The widest vector registers to use.
    pub enum VectorBits {
        /// 128 bits.
        V128 = "128",
        /// 256 bits.
        V256 = "256",
        /// 512 bits.
        V512 = "512",
    }
}

impl VectorBits {
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::V128 => 128,
            Self::V256 => 256,
            Self::V512 => 512,
        }
    }
}

option_words! {
    /// How statistics are shown.
    pub enum Stats {
        /// For people.
        Table = "table",
        /// One JSON object on the last line of standard error.
        Json = "json",
    }
}

impl Stats {
    pub(crate) fn format(self) -> StatsFormat {
        match self {
            Self::Table => StatsFormat::Table,
            Self::Json => StatsFormat::Json,
        }
    }
}

option_words! {
    /// Checks while the program runs.
    pub enum Check {
        /// Allocations and frees; writes after free where they leave a trace.
        Frees = "frees",
        /// Every load and store as well.
        Accesses = "accesses",
    }
}

option_words! {
    /// The output for `perf`.
    pub enum Perf {
        /// /tmp/perf-PID.map: names of functions.
        Map = "map",
        /// jit-PID.dump here, for perf inject --jit: code, and with -g its lines.
        Dump = "dump",
    }
}

impl Perf {
    pub(crate) fn output(self) -> PerfOutput {
        match self {
            Self::Map => PerfOutput::Map,
            Self::Dump => PerfOutput::Dump,
        }
    }
}

option_words! {
    /// Whose MPI a program is compiled for.
    pub enum Mpi {
        /// Of the implementation that is found.
        Auto = "auto",
        /// Open MPI.
        Open = "openmpi",
        /// MPICH, and what has its binary interface.
        Mpich = "mpich",
    }
}

/// A number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(u32);

impl Threads {
    /// The most that may be asked for.
    const MOST: u32 = 1024;

    /// This many; `None` if that is not in 1..=1024.
    pub fn new(n: u32) -> Option<Self> {
        (1..=Self::MOST).contains(&n).then_some(Self(n))
    }

    /// As many as this machine has.
    pub fn of_this_machine() -> Self {
        let n = thread::available_parallelism().map_or(1, |n| n.get());
        Self(u32::try_from(n).unwrap_or(Self::MOST).min(Self::MOST))
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl OptionValue for Threads {
    const KIND: OptionKind = OptionKind::Other("an integer from 1 to 1024, or auto");

    fn read(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::of_this_machine()),
            _ => Self::new(text.parse().ok()?),
        }
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

pass_options! {
    /// How a program is to be compiled, for the command line, Rust and Python alike.
    pub struct Options {
        /// Objects and libraries: name for the function that the program calls main [default: if C's cannot be like
        /// it, the name of the file]
        "entry-name" entry_name: String = String::new(),
        /// Drop operations of this dialect and keep its attributes and types as text; may be repeated
        "ignore-dialect" ignore_dialect: Vec<String> = Vec::new(),
        /// Read this file of IRDL, which declares operations of other dialects: their types, effects on memory and
        /// control flow
        "irdl-file" irdl_file: String = String::new(),
        /// ONNX models: sizes of dimensions that the model names, as batch=1,width=224, or of an input, as x=1x3x224x224;
        /// may be repeated
        "dim" dim: Vec<String> = Vec::new(),
        /// Deallocation strategy
        "dealloc" dealloc: Dealloc = Dealloc::Ownership,
        /// Write results over arguments that the program donates, by tf.aliasing_output or jax.buffer_donor, where they
        /// fit. They stay the caller's. Not with --workspace
        "donate" donate: bool = false,
        /// Merge allocations into arenas planned from their live ranges [default: never-grow at -O2 and above
        /// unless memory is checked, else never]
        "merge-alloc" merge_alloc: Option<MergeAlloc> = None,
        /// Bytes of buffers that a chain of calls may put on the stack, functions that call themselves none [default:
        /// limits per function]
        "max-stack-bytes" max_stack_bytes: Option<u64> = None,
        /// Lowering of deallocs with several operands
        "dealloc-lowering" dealloc_lowering: Lowering = Lowering::Auto,
        /// Call this C function instead of malloc: void *(size_t size), or void *(size_t alignment, size_t size) with
        /// --aligned-alloc
        "allocator" allocator: String = String::new(),
        /// Call this C function instead of free, of what --allocator returned
        "deallocator" deallocator: String = String::new(),
        /// Call aligned_alloc for all buffers, and not only for those that malloc does not align enough
        "aligned-alloc" aligned_alloc: bool = false,
        /// With --dealloc=ownership: private functions return an i1 per buffer that tells whether the
        /// caller owns it, instead of a copy
        "private-function-dynamic-ownership" private_function_dynamic_ownership: bool = false,
        /// Floating-point policy, in addition to fastmath flags [default: strict; of ONNX models, contract]
        "fp" fp: Option<FpPolicy> = None,
        /// Take subnormal numbers as zeros, which some processors compute with many times as fast. Not in plain objects
        "flush-denormals" flush_denormals: bool = false,
        /// How the flat vectors of vector.matrix_multiply and flat_transpose hold matrices
        "matrix-default-layout" matrix_default_layout: MatrixLayout = MatrixLayout::Columns,
        /// Compile contractions, fills and copies to loops instead of runtime library calls
        "no-library-calls" no_library_calls: bool = false,
        /// Optimization level, 0 to 3
        "opt-level" opt_level: Level = Level::O2,
        /// Optimization level of machine code alone, 0 to 3 [default: that of -O]
        "codegen-level" codegen_level: Option<Level> = None,
        /// Let analyses give up after this much work; -1 is no limit
        "cap-analyses" cap_analyses: Option<u64> = None,
        /// Compile functions with twice as many operations in parts of about as many; -1 is the default
        "part-ops" part_ops: Option<u64> = None,
        /// Target triple, e.g. aarch64-unknown-linux-gnu [default: this machine]
        "target" target: String = String::new(),
        /// Target processor, native, or x86-64-v2, -v3 or -v4 [default: the baseline of the target; for code that
        /// runs here, native]
        "target-cpu" target_cpu: String = String::new(),
        /// CPU features to add or remove, such as +avx2,-fma
        "target-features" target_features: String = String::new(),
        /// Widest vector registers to use where the CPU has them: 128, 256 or 512 bits
        "vector-bits" vector_bits: VectorBits = VectorBits::V512,
        /// Compile the program for these processors as well, separated by commas: v2, v3 and v4 are x86-64-v2 and so
        /// on. The loaded program runs as the last version whose instructions the processor has
        "multiversion" multiversion: Vec<String> = Vec::new(),
        /// Report which loops use vectors of 256 or 512 bits, and why others do not or stay scalar
        "remarks" remarks: bool = false,
        /// Run contractions and parallel loops on this many threads, except loops that add floats; auto is the
        /// number of cores
        "threads" threads: Threads = Threads(1),
        /// Call this implementation of MPI, whatever the program says: auto is the one whose mpirun started this process,
        /// else the one that mpicc is of
        "mpi" mpi: Option<Mpi> = None,
        /// Emit debug information: source lines for debuggers and profilers
        "debug-info" debug_info: bool = false,
        /// Allocate nothing: functions take temporary memory from here, and write results to memory of the
        /// caller. --stats prints its size
        "workspace" workspace: Workspace = Workspace::Nothing,
        /// Executables: link statically
        "static" link_statically: bool = false,
        /// Count allocations, frees and bytes, and print them when the program ends
        "stats" stats: Option<Stats> = None,
        /// Find leaks, double and invalid frees and uses after free; exit status 3 if there are any. Small
        /// buffers that --dealloc=clone or copy puts on the stack are not checked
        "check" check: Option<Check> = None,
        /// Do not check sizes that are known at run time: those of arguments before a call, others where they
        /// matter
        "no-size-checks" no_size_checks: bool = false,
        /// Search these shared libraries for undefined symbols, separated by commas
        "shared-libs" shared_libs: Vec<String> = Vec::new(),
        /// Cache compiled programs in this folder. Not with --stats, --check, --perf, --remarks or -g
        "cache" cache: String = String::new(),
        /// Describe the code to Linux's perf
        "perf" perf: Option<Perf> = None,
    }
}

/// An error in an option given by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown(String),
    /// The value is not of the option's kind.
    Invalid {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it may be.
        expected: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no option '{name}'"),
            Self::Invalid {
                name,
                value,
                expected,
            } => write!(f, "{name} is {expected}, not {value}"),
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// All options, with their kinds, defaults and help.
    pub fn all() -> Vec<OptionRow> {
        Self::rows()
    }

    /// Sets the option of this name to what `value` says. Words of names may have `_` between them, as keywords of
    /// Python do.
    ///
    /// # Errors
    /// If there is no such option, or the value is not of its kind.
    pub fn set_named(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let rows = Self::rows();
        let row = rows
            .iter()
            .find(|row| row.name == name.replace('_', "-"))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        match self.set(row.name, value) {
            true => Ok(()),
            false => Err(OptionError::Invalid {
                name: name.to_owned(),
                value: value.to_owned(),
                expected: row.kind.expected(),
            }),
        }
    }

    /// Whether memory errors are to be found.
    pub(crate) fn checks(&self) -> bool {
        self.check.is_some()
    }
}
