//! What a caller of the code generator chooses.

use std::path::PathBuf;

use freehold_frontend::target::Vectors;

use crate::cpu::Cpu;
use crate::isa::{Arch, OptLevel, Target};
use crate::wide::level::Level;

/// Bounds the time per operation, as register allocation is more than linear: a function of 4,000 loops with a call
/// behind each took 0.93 ms per loop in parts of this size, and 3.0 ms in one piece (debug build).
const PART_OPS: usize = 3000;

/// Source and recording of buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AllocMode {
    /// C's `malloc` and `free`, called directly.
    #[default]
    Plain,
    /// The runtime counts allocations, frees and bytes.
    Counting,
    /// The runtime finds leaks, double frees, invalid frees and late writes.
    Checking,
}

/// How statistics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatsFormat {
    /// For people.
    Table,
    /// One line holding a JSON object.
    Json,
}

/// What the JIT writes for Linux's `perf`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PerfOutput {
    /// `/tmp/perf-<pid>.map`: names of functions.
    Map,
    /// `jit-<pid>.dump` in the current folder: code, and its lines if there is debug information.
    Dump,
}

/// What to compile for and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine that will run the code. The JIT wants the host.
    pub target: Target,
    /// Which processors will run the code. Without one, the JIT uses all that the processor at hand
    /// has, and objects what every processor of the target has. Executables and libraries made for more
    /// say at their start what the processor lacks.
    pub cpu: Option<Cpu>,
    /// Effort.
    pub opt_level: OptLevel,
    /// Allocation mode.
    pub mode: AllocMode,
    /// In checking mode, whether loads and stores are checked as well: finds
    /// accesses to freed memory when they happen, at the cost of a call each.
    pub check_accesses: bool,
    /// Whether object files may be linked at any address, as shared libraries
    /// and position-independent executables need. The JIT ignores it.
    pub position_independent: bool,
    /// Whether and how an executable prints statistics at its end; they are
    /// kept in counting and in checking mode.
    pub stats: Option<StatsFormat>,
    /// On how many threads the runtime runs functions marked as parallel; one is not to.
    pub threads: u32,
    /// Functions with at least twice as many operations are compiled in parts of about as many, so that
    /// the time for them is linear.
    pub part_ops: usize,
    /// Shared libraries in which the JIT looks for undefined symbols, in order.
    pub shared_libs: Vec<PathBuf>,
    /// Whether debuggers and profilers are told which lines code comes from: the folder that
    /// relative names of source files are relative to.
    pub debug_info: Option<PathBuf>,
    /// Bits of the largest vectors, if the processor has such: 128, 256 or 512.
    pub vector_bits: u32,
    /// Whether it is reported which loops run in wide vectors, and why others do not.
    pub remarks: bool,
    /// What the JIT tells `perf`, if anything.
    pub perf: Option<PerfOutput>,
    /// Whether code in the JIT counts its calls of `malloc` and `aligned_alloc`; it can ask for
    /// their number by `func.func private @freehold_probe_allocations() -> i64`.
    pub count_malloc: bool,
    /// Functions that stand for `malloc` and `free` in objects, in plain mode.
    pub allocator: Option<Allocator>,
    /// Whether all memory comes from `aligned_alloc`, or the allocator takes an alignment before the size.
    pub aligned_alloc: bool,
}

/// C functions that objects allocate and free memory with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocator {
    /// `void *(size_t size)`, or `void *(size_t alignment, size_t size)` with [`Options::aligned_alloc`]. Without, its
    /// memory is aligned to 16 bytes, and buffers that want more lie inside of larger blocks.
    pub allocate: String,
    /// `void (void *)`
    pub free: String,
}

impl Options {
    /// Plain mode at `-O2` for a target, position independent.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            cpu: None,
            opt_level: OptLevel::default(),
            mode: AllocMode::default(),
            check_accesses: false,
            position_independent: true,
            stats: None,
            threads: 1,
            part_ops: PART_OPS,
            shared_libs: Vec::new(),
            debug_info: None,
            vector_bits: 512,
            remarks: false,
            perf: None,
            count_malloc: false,
            allocator: None,
            aligned_alloc: false,
        }
    }

    /// The same for other processors.
    pub fn for_cpu(&self, cpu: Cpu) -> Self {
        Self {
            cpu: Some(cpu),
            ..self.clone()
        }
    }

    /// What the processor does with vectors, in code that runs in this process or elsewhere.
    pub fn vectors(&self, runs_here: bool) -> Vectors {
        let arch = self.target.arch().unwrap_or(Arch::X86_64);
        let cpu = self.processor(runs_here).unwrap_or(Cpu::generic(arch));
        cpu.vectors(self.vector_bits)
    }

    /// The processor whose instructions may be used; none stands for every one.
    fn processor(&self, runs_here: bool) -> Option<Cpu> {
        match runs_here && self.cpu.is_none() {
            true => Cpu::native().ok(),
            false => self.cpu.clone(),
        }
    }

    /// What there is beyond the vectors of 128 bits that Cranelift has.
    pub(crate) fn wide_level(&self, runs_here: bool) -> Option<Level> {
        Level::of(&self.processor(runs_here)?, self.vector_bits)
    }

    /// [`Options::new`] for the machine this process runs on.
    pub fn host() -> Self {
        Self::new(Target::host())
    }
}
