//! The description of a compilation, and the one function that compiles. The command line, Rust programs and Python
//! fill in a [`Job`]; it decides about passes, code generation, outputs and the cache.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::{env, fmt};

use freehold_backend::abi::C_INTERFACE_PREFIX;
use freehold_backend::archive;
use freehold_backend::cpu::Cpu;
use freehold_backend::header::compile_to_header;
use freehold_backend::isa::Target;
use freehold_backend::jit::{Jit, load_or_compile};
use freehold_backend::link::{LinkError, LinkOptions, link_executable, link_shared};
use freehold_backend::object::{
    compile_to_executable_object, compile_to_library, compile_to_object, compile_to_shared_object,
};
use freehold_backend::text::{TextKind, compile_to_text};
use freehold_backend::versions::{self, MAX_VERSIONS, Version};
use freehold_backend::{AllocMode, Allocator, Declaration, Options as CodeOptions};
use freehold_frontend::bytecode::{self, WriteOptions};
use freehold_frontend::declare::declare;
use freehold_frontend::dialects::{self, llvm};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::source_text::{ModelFile, SourceText};
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_frontend::target::Feature;
use freehold_frontend::verify::verify;
use freehold_onnx::{PassedSizes, Sizes};
use freehold_passes::check::returned_stack;
use freehold_passes::manage::fp_policy::FpPolicy;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::options::option_words;
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::mpi::convert_mpi_to_calls::wanted;
use freehold_passes::mpi::interface::Implementation;
use freehold_passes::pipelines::native_pipeline::{self, Dealloc, Library, MergeAlloc, Workspace};
use freehold_passes::stablehlo::platform;

use crate::cache::{Cache, Entry};
use crate::declarations;
use crate::entry;
use crate::error::{Error, reason};
use crate::mpi::{self, Choice};
use crate::operations;
use crate::options::{Check, Level, Options};
use crate::parse::{parse, parse_present};
use crate::threads::compilers;

option_words! {
    /// An output.
    pub enum Output {
        /// Code in this process.
        Memory = "memory",
        /// An object file.
        Object = "obj",
        /// An executable whose C `main` calls `@main`. It reads --function, --input, --output and --max-elements
        /// as `freehold run` does.
        Executable = "exe",
        /// A static library that holds the object file and the runtime.
        Library = "lib",
        /// A shared library with the runtime, in which only exported functions are visible.
        Shared = "shared",
        /// A C header with the functions of the program.
        Header = "header",
        /// Assembly.
        Assembly = "asm",
        /// Cranelift IR.
        Clif = "clif",
        /// The MLIR that is handed to code generation.
        Mlir = "mlir",
        /// The same as MLIR bytecode.
        Bytecode = "mlirbc",
    }
}

/// A program to compile: its text or bytecode, and what messages call it.
pub struct Source {
    pub(crate) name: String,
    pub(crate) text: SourceText,
    /// What the text says, if it was read already, in a context without options.
    parsed: Option<(Arc<Context>, Ir)>,
}

impl Source {
    /// A program as text or bytecode.
    pub fn new(name: impl Into<String>, text: impl Into<SourceText>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            parsed: None,
        }
    }

    /// A program as text or bytecode, whatever the bytes are.
    ///
    /// # Errors
    /// If they are neither.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        match SourceText::from_bytes(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => {
                let message = error.message(name);
                let message = message.unwrap_or_else(|error| error.to_string());
                Err(Error::message(message))
            }
        }
    }

    /// The same, exported for these platforms by JAX: an entry point that asks for the number of one gets that of the
    /// CPU.
    #[must_use]
    pub fn with_platforms(self, platforms: Vec<String>) -> Self {
        let text = self.text.with_platforms(platforms);
        Self { text, ..self }
    }

    /// The same, from a file in this folder: an ONNX model may have data in other files there.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        match self.text.model().cloned() {
            Some(model) => Self {
                text: SourceText::of_model(ModelFile {
                    folder: Some(folder.into()),
                    ..model
                }),
                ..self
            },
            None => self,
        }
    }

    /// The same, with what it says.
    pub(crate) fn with_parsed(self, context: Arc<Context>, ir: Ir) -> Self {
        let parsed = Some((context, ir));
        Self { parsed, ..self }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The product.
#[derive(Debug)]
pub enum Product {
    /// Code in this process.
    Code(Box<Jit>),
    /// What a file is to hold.
    Bytes(Vec<u8>),
    /// A static library, which holds the runtime without a copy.
    Archive(archive::Library<'static>),
    /// A file that the linker wrote.
    Linked,
}

impl Product {
    /// The bytes of a file, if it is one that others may write.
    ///
    /// # Errors
    /// If the runtime in a library cannot be read.
    pub fn into_bytes(self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Archive(library) => {
                let bytes = library.to_bytes();
                bytes.map_err(|error| Error::message(error.to_string()))
            }
            Self::Code(_) | Self::Linked => Ok(Vec::new()),
        }
    }
}

impl From<String> for Product {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

/// A program that the code generator takes.
pub(crate) struct Lowered {
    pub(crate) ir: Ir,
    /// The program for the other processors that it is made for.
    versions: Vec<Ir>,
    /// What functions were before the passes.
    pub(crate) declarations: Vec<(String, Declaration)>,
}

/// How processes of MPI run a program.
#[derive(Clone, Copy, Default)]
struct Processes {
    /// The implementation, unless the program or the options name one.
    default: Option<Implementation>,
    /// Its devices are processes.
    divides: bool,
}

/// What became of a job.
pub(crate) struct Outcome {
    pub(crate) context: Arc<Context>,
    /// What there is to say about the program.
    pub(crate) diagnostics: Diagnostics,
    /// The program after all passes; nothing if something is wrong with it.
    pub(crate) lowered: Option<Lowered>,
    /// The product; nothing if that failed.
    pub(crate) product: Option<Product>,
    /// Why nothing was written to the cache.
    pub(crate) cache_error: Option<io::Error>,
}

/// Runs passes, verifying what each leaves if the flag says so; whether all went well.
pub(crate) type RunPasses<'a> =
    &'a mut dyn FnMut(&mut Ir, &Pipeline, bool, &mut Diagnostics) -> bool;

/// A compilation: source, options and output. Everything but the program is decided when a job is
/// made.
#[derive(Clone, Debug)]
pub struct Job {
    options: Options,
    output: Output,
    /// The entry point: it returns what it is declared to return, even if it is private.
    entry: Option<String>,
    /// Where the linker writes to.
    path: PathBuf,
    /// Part of the include guard of headers.
    header_name: String,
    /// The name of the file, which functions called `main` get where C has one of its own.
    file_name: Option<String>,
    /// Whether plans of memory are left in the program for others to see.
    annotates: bool,
    /// Whether diagnostics come with the operations that they are about.
    prints_operations: bool,
    /// What the code generator is told.
    code: CodeOptions,
    /// What further versions are for, by name.
    versions: Vec<(String, Cpu)>,
    /// Sizes that models do not say.
    sizes: Sizes,
    /// How the processes of a program communicate.
    mpi: Choice,
}

impl Job {
    /// A job with these options.
    ///
    /// # Errors
    /// If options do not go together, or name something that is not there.
    pub fn new(options: Options, output: Output) -> Result<Self, String> {
        check_workspace(&options, output)?;
        let code = code_options(&options, output)?;
        let versions = versions_of(&options, output, &code.target)?;
        let sizes = sizes(&options.dim)?;
        let mpi = Choice::new(options.mpi, output == Output::Memory);
        let entry = (output == Output::Executable).then(|| "main".to_owned());
        Ok(Self {
            options,
            output,
            entry,
            path: PathBuf::from("a.out"),
            header_name: "program".to_owned(),
            file_name: None,
            annotates: false,
            prints_operations: false,
            code,
            versions,
            sizes,
            mpi,
        })
    }

    /// The same with a function that is run from outside.
    pub fn entry(mut self, name: &str) -> Self {
        self.entry = Some(name.to_owned());
        self
    }

    /// The same with a path for what the linker writes: executables and shared libraries.
    pub fn path(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = path.into();
        self
    }

    /// The same with a name for headers, which is part of their include guards.
    pub fn header_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.header_name);
        self
    }

    /// The same with the name of the program's file without its ending: objects and libraries call a `main` so that
    /// C's cannot be, unless `entry_name` of the options says otherwise.
    pub fn file_name(mut self, name: &str) -> Self {
        self.file_name = Some(name.to_owned());
        self
    }

    /// The same for a model that is called with arrays of these sizes.
    #[cfg(feature = "cli")]
    pub(crate) fn passing(mut self, arrays: Vec<PassedSizes>) -> Self {
        self.sizes.passed = arrays;
        self
    }

    /// The same, which leaves plans of memory in the program.
    pub fn annotating(mut self) -> Self {
        self.annotates = true;
        self
    }

    /// The same, which prints the operations that diagnostics are about.
    #[cfg(feature = "cli")]
    pub(crate) fn printing_operations(mut self, print: bool) -> Self {
        self.prints_operations = print;
        self
    }

    /// Its options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The passes from the program as written, a text in MLIR, to what the code generator takes.
    pub fn pipeline(&self) -> Pipeline {
        self.pipeline_for(&self.code, FpPolicy::Strict, Processes::default())
    }

    /// The same of this program.
    pub(crate) fn pipeline_of(&self, text: &SourceText) -> Pipeline {
        let processes = Processes {
            default: self.mpi.default_for(text),
            divides: false,
        };
        self.pipeline_for(&self.code, default_fp(text), processes)
    }

    fn pipeline_for(
        &self,
        code: &CodeOptions,
        default_fp: FpPolicy,
        processes: Processes,
    ) -> Pipeline {
        let options = &self.options;
        let vectors = code.vectors(self.output == Output::Memory);
        Pipeline::of(native_pipeline::steps(&native_pipeline::Options {
            dealloc: options.dealloc,
            private_function_dynamic_ownership: options.private_function_dynamic_ownership,
            donate: options.donate,
            max_stack_bytes: options.max_stack_bytes,
            lowering: options.dealloc_lowering,
            merge_alloc: options.merge_alloc.unwrap_or(match options.opt_level {
                Level::O0 | Level::O1 => MergeAlloc::Nothing,
                // A checker sees more of buffers that stand alone.
                _ if options.checks() => MergeAlloc::Nothing,
                _ => MergeAlloc::NeverGrow,
            }),
            annotate_plans: self.annotates,
            reserve_peak: self.reserves_peak(code),
            workspace: options.workspace,
            library: self.library(),
            library_calls: !options.no_library_calls,
            checks: options.checks(),
            mpi: self.mpi.named,
            mpi_default: processes.default,
            several_devices: processes.divides,
            size_checks: !options.no_size_checks,
            fp: options.fp.unwrap_or(default_fp),
            flush_denormals: options.flush_denormals,
            matrix_layout: options.matrix_default_layout,
            threads: u64::from(options.threads.number()),
            vector_bits: 8 * vectors.register as u32,
            fused_multiply_add: vectors.has(Feature::Fma),
            // A header has no loops.
            remarks: options.remarks && self.output != Output::Header,
            optimize: options.opt_level != Level::O0,
        }))
    }

    /// Whether functions ask for the memory of all their buffers at first: in code, with C's malloc, which nothing counts.
    fn reserves_peak(&self, code: &CodeOptions) -> bool {
        let is_text = matches!(
            self.output,
            Output::Mlir | Output::Bytecode | Output::Header
        );
        !is_text
            && self.options.opt_level != Level::O0
            && code.mode == AllocMode::Plain
            && code.allocator.is_none()
    }

    /// What the program may call of the runtime library. Plain objects are linked with nothing but the C library;
    /// the runtime allocates what it needs.
    fn library(&self) -> Library {
        let callable = match self.options.check {
            Some(Check::Accesses) => Library::NoAccesses,
            _ => Library::Whole,
        };
        match self.output {
            _ if self.options.workspace != Workspace::Nothing => Library::Absent,
            Output::Memory | Output::Executable | Output::Library | Output::Shared => callable,
            _ if self.code.mode != AllocMode::Plain || self.code.threads > 1 => callable,
            _ => Library::Absent,
        }
    }

    /// Where code may be kept. What counts, checks or describes is made each time.
    fn cache(&self) -> Option<Cache> {
        let code = &self.code;
        let is_plain = code.mode == AllocMode::Plain
            && code.debug_info.is_none()
            && code.perf.is_none()
            && !code.remarks;
        let is_kept = self.output == Output::Memory && is_plain && !self.options.cache.is_empty();
        is_kept.then(|| Cache::new(&self.options.cache))
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// If something is wrong with it, or it cannot be compiled.
    pub fn run(&self, source: Source) -> Result<Product, Error> {
        let compile = || self.compile(source, &mut run_passes);
        let outcome = match compilers() {
            Ok(compilers) => compilers.install(compile),
            // Parts are then worked on one after the other, here.
            Err(_) => compile(),
        };
        let failed = || Error::new(&outcome.diagnostics, &outcome.context);
        outcome.product.ok_or_else(failed)
    }

    /// Compiles a program with its passes watched by `passes`, or takes up what the cache has of it.
    pub(crate) fn compile(&self, source: Source, passes: RunPasses<'_>) -> Outcome {
        let cache = self.cache().filter(|_| is_whole(&source.text));
        let cache = cache
            .as_ref()
            .map(|cache| (cache, self.key(&source.name, &source.text)));
        let kept = cache.as_ref().and_then(|(cache, key)| cache.load(key));
        let known = kept.as_ref().map(|entry| entry.code.clone());
        let (mut outcome, code) = self.compile_or_load(source, kept, passes);
        // Reports about a program are made each time.
        if let (Some((cache, key)), Some(code), Some(lowered)) = (&cache, code, &outcome.lowered)
            && outcome.diagnostics.iter().next().is_none()
            && known.as_ref() != Some(&code)
        {
            let entry = Entry {
                declarations: lowered.declarations.clone(),
                text: print(&lowered.ir, PrintOptions::default()),
                code,
            };
            outcome.cache_error = cache.store(key, &entry).err();
        }
        outcome
    }

    /// Everything that decides what becomes of a program.
    pub(crate) fn key(&self, name: &str, text: &SourceText) -> Vec<u8> {
        let passes = (
            self.pipeline_of(text).to_string(),
            &self.entry,
            &self.options.ignore_dialect,
            &self.declaration_file(),
            &self.sizes,
            text.platforms(),
            mpi::started_by(),
        );
        Cache::key(name, &text.whole(), &self.code, &passes)
    }

    /// Compiles a program, or takes up what was kept of it, together with what can be kept of its code.
    pub(crate) fn compile_or_load(
        &self,
        source: Source,
        kept: Option<Entry>,
        passes: RunPasses<'_>,
    ) -> (Outcome, Option<Vec<u8>>) {
        let (mut outcome, mut code) = match kept.and_then(|entry| load(&source.name, entry)) {
            Some((outcome, code)) => (outcome, Some(code)),
            None => (self.lower(source, passes), None),
        };
        if let Some(lowered) = &outcome.lowered {
            let product = self.generate(lowered, &mut code, &mut outcome.diagnostics);
            operations::show(&lowered.ir, &mut outcome.diagnostics);
            outcome.product = product.ok();
        }
        (outcome, code)
    }

    /// What the file of declarations says, if there is one.
    fn declaration_file(&self) -> Option<Result<String, String>> {
        let path = &self.options.irdl_file;
        (!path.is_empty()).then(|| {
            std::fs::read_to_string(path)
                .map_err(|error| format!("cannot read '{path}': {}", reason(&error)))
        })
    }

    /// The context that knows what that file declares.
    fn declare(
        &self,
        context: Context,
        diagnostics: &mut Diagnostics,
    ) -> (Arc<Context>, Result<(), Failed>) {
        match self.declaration_file() {
            None => (Arc::new(context), Ok(())),
            Some(Ok(text)) => declare(context, &self.options.irdl_file, &text, diagnostics),
            Some(Err(message)) => {
                let failed = diagnostics.error(Loc::UNKNOWN, message);
                (Arc::new(context), Err(failed))
            }
        }
    }

    /// Reads a program.
    pub(crate) fn read(&self, source: Source) -> Outcome {
        let options = &self.options;
        let needs_context = options.checks()
            || options.cap_analyses.is_some()
            || !options.ignore_dialect.is_empty()
            || !options.irdl_file.is_empty()
            || !self.sizes.dims.is_empty()
            || !self.sizes.passed.is_empty()
            || self.prints_operations;
        let Source { name, text, parsed } = source;
        let mut diagnostics = Diagnostics::new();
        let (context, ir) = match parsed.filter(|_| !needs_context) {
            Some((context, ir)) => (context, Some(ir)),
            None => {
                // Memory that is to be checked stays as the program treats it.
                let context = dialects::context()
                    .keep_memory_operations(options.checks())
                    .cap_analyses(options.cap_analyses.unwrap_or(u64::MAX))
                    .ignore_dialects(&options.ignore_dialect)
                    .print_operations(self.prints_operations);
                let (context, declared) = self.declare(context, &mut diagnostics);
                let ir = declared.ok().and_then(|()| {
                    parse_present(&context, &name, text, &self.sizes, &mut diagnostics)
                });
                (context, ir)
            }
        };
        Outcome::of(context, diagnostics, ir)
    }

    /// Reads a program for one device.
    pub(crate) fn read_for_one_device(&self, source: Source) -> Outcome {
        let mut outcome = self.read(source);
        let diagnostics = &mut outcome.diagnostics;
        let is_for_one =
            |lowered: &Lowered| platform::expect_one_device(&lowered.ir, diagnostics).is_ok();
        outcome.lowered = outcome.lowered.filter(is_for_one);
        outcome
    }

    /// How processes run this program, given as text and read. Fails if it wants several, and there is no MPI.
    fn processes(
        &self,
        text: &SourceText,
        module: &Ir,
        diagnostics: &mut Diagnostics,
    ) -> Result<Processes, Failed> {
        let divides = platform::device_counts(module).iter().any(|&n| n > 1);
        let default = match divides {
            false => self.mpi.default_for(text),
            true => self.mpi.found(),
        };
        let is_known = default
            .or(self.mpi.named)
            .or_else(|| wanted(module))
            .is_some();
        if divides && !is_known {
            platform::expect_one_device(module, diagnostics)?;
        }
        Ok(Processes { default, divides })
    }

    /// Reads a program and runs the passes.
    pub(crate) fn lower(&self, source: Source, passes: RunPasses<'_>) -> Outcome {
        let (name, text) = (source.name.clone(), source.text.clone());
        let mut outcome = self.read(source);
        let Some(lowered) = &mut outcome.lowered else {
            return outcome;
        };
        let (context, diagnostics) = (&outcome.context, &mut outcome.diagnostics);
        let module = &mut lowered.ir;
        if self.code.mode != AllocMode::Plain
            && let Some(op) = llvm_function(module)
        {
            diagnostics.warning(
                module.loc(op),
                "memory that functions of the llvm dialect get from malloc and give back is their own: \
                 --check and --stats do not see it",
            );
        }
        if self.name_entry(module, diagnostics).is_err() {
            outcome.lowered = None;
            return outcome;
        }
        lowered.declarations = declarations::of(module, self.options.donate);
        self.publish_entry(module);
        if matches!(self.options.dealloc, Dealloc::Nothing | Dealloc::Hlo) {
            returned_stack::warn(module, diagnostics);
        }
        let Ok(processes) = self.processes(&text, module, diagnostics) else {
            outcome.lowered = None;
            return outcome;
        };
        let verify_each = cfg!(debug_assertions);
        let pipeline = self.pipeline_for(&self.code, default_fp(&text), processes);
        let mut ok = passes(module, &pipeline, verify_each, diagnostics);
        // The code generator relies on verified IR: report errors that a pass made.
        ok = ok && (verify_each || verify(module, diagnostics).is_ok());
        // What there is to say of the program was said of the first version.
        let mut unheard = Diagnostics::new();
        for (_, cpu) in &self.versions {
            let code = self.code.for_cpu(cpu.clone());
            let pipeline = self.pipeline_for(&code, default_fp(&text), processes);
            let version = parse_present(context, &name, text.clone(), &self.sizes, &mut unheard);
            lowered.versions.extend(version.and_then(|mut version| {
                self.name_entry(&mut version, &mut unheard).ok()?;
                self.publish_entry(&mut version);
                run_passes(&mut version, &pipeline, verify_each, &mut unheard)
                    .then(|| verify(&version, &mut unheard).ok())?
                    .map(|_| version)
            }));
        }
        ok = ok && lowered.versions.len() == self.versions.len();
        if !ok {
            operations::show(module, diagnostics);
            diagnostics.append(unheard);
            if text.model().is_some() {
                operations::name_nodes(context, diagnostics);
            }
            outcome.lowered = None;
        }
        outcome
    }

    /// Objects and libraries are linked with programs that have a `main`.
    fn name_entry(&self, module: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
        let file_name = match self.output {
            Output::Memory | Output::Executable => return Ok(()),
            Output::Mlir | Output::Bytecode => None,
            _ => self.file_name.as_deref(),
        };
        entry::rename(module, &self.options.entry_name, file_name, diagnostics)
    }

    fn publish_entry(&self, module: &mut Ir) {
        if let Some(entry) = &self.entry {
            entry::publish(module, entry);
        }
    }

    /// Makes the output of a program. `code` is what the cache has of it, or is to keep.
    fn generate(
        &self,
        lowered: &Lowered,
        code: &mut Option<Vec<u8>>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Product, Failed> {
        let Lowered {
            ir,
            versions,
            declarations,
        } = lowered;
        let versions: Vec<_> = (versions.iter().zip(&self.versions))
            .map(|(ir, (name, cpu))| Version {
                ir,
                cpu: cpu.clone(),
                name: name.clone(),
            })
            .collect();
        let options = &self.code;
        match self.output {
            Output::Memory => {
                let mut jit = load_or_compile(ir, options, code, diagnostics)?;
                jit.declare(declarations);
                Ok(Product::Code(Box::new(jit)))
            }
            Output::Object => {
                compile_to_object(ir, &versions, options, diagnostics).map(Product::Bytes)
            }
            Output::Executable => {
                let entry = self.entry.as_deref().unwrap_or("main");
                let object = compile_to_executable_object(
                    ir,
                    &versions,
                    options,
                    entry,
                    declarations,
                    diagnostics,
                )?;
                let link = LinkOptions {
                    static_executable: self.options.link_statically,
                    drivers: mpi::called_by(ir).map_or(Vec::new(), mpi::linkers),
                    ..LinkOptions::default()
                };
                link_executable(&object, &self.path, &options.target, &link)
                    .map_err(|error| report_link_error(ir, &error, diagnostics))?;
                Ok(Product::Linked)
            }
            Output::Library => {
                compile_to_library(ir, &versions, options, diagnostics).map(Product::Archive)
            }
            Output::Shared => {
                let object = compile_to_shared_object(ir, &versions, options, diagnostics)?;
                link_shared(&object, &self.path, &options.target)
                    .map_err(|error| report_link_error(ir, &error, diagnostics))?;
                Ok(Product::Linked)
            }
            Output::Header => {
                compile_to_header(ir, options, &self.header_name, declarations, diagnostics)
                    .map(Product::from)
            }
            Output::Assembly => {
                compile_to_text(ir, TextKind::Assembly, options, diagnostics).map(Product::from)
            }
            Output::Clif => {
                compile_to_text(ir, TextKind::Clif, options, diagnostics).map(Product::from)
            }
            Output::Mlir => Ok(print(ir, PrintOptions::default()).into()),
            Output::Bytecode => match bytecode::write(ir, WriteOptions::default()) {
                Ok(bytecode) => Ok(Product::Bytes(bytecode.into_bytes())),
                Err(message) => Err(diagnostics.error(ir.loc(ir.root()), message)),
            },
        }
    }
}

impl Outcome {
    fn of(context: Arc<Context>, diagnostics: Diagnostics, ir: Option<Ir>) -> Self {
        Self {
            context,
            diagnostics,
            lowered: ir.map(|ir| Lowered {
                ir,
                versions: Vec::new(),
                declarations: Vec::new(),
            }),
            product: None,
            cache_error: None,
        }
    }
}

/// The floating-point policy of a program if none is asked for: frameworks promise no bits.
fn default_fp(text: &SourceText) -> FpPolicy {
    match text.model() {
        Some(_) => FpPolicy::Contract,
        None => FpPolicy::Strict,
    }
}

/// Whether all of a program is in its text: a model may have data in other files, which change on their own.
fn is_whole(text: &SourceText) -> bool {
    const LOCATION: &[u8] = b"location";
    text.model().is_none_or(|model| {
        !model
            .bytes
            .windows(LOCATION.len())
            .any(|part| part == LOCATION)
    })
}

/// The sizes in `--dim`.
pub(crate) fn sizes(given: &[String]) -> Result<Sizes, String> {
    let read = |text: &String| {
        let (name, sizes) = text.rsplit_once('=')?;
        let size = |text: &str| text.parse().ok().filter(|&size: &i64| size >= 0);
        let sizes: Option<Vec<i64>> = sizes.split('x').map(size).collect();
        Some((name.to_owned(), sizes?))
    };
    let wrong =
        |text: &String| format!("expected --dim=NAME=SIZE or --dim=INPUT=SIZExSIZE, not '{text}'");
    let dims = given
        .iter()
        .map(|text| read(text).ok_or_else(|| wrong(text)));
    Ok(Sizes {
        dims: dims.collect::<Result<_, _>>()?,
        ..Sizes::default()
    })
}

/// What a cache has of a program, and its code.
fn load(name: &str, entry: Entry) -> Option<(Outcome, Vec<u8>)> {
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let ir = parse(&context, name, entry.text, 1, &mut diagnostics)?;
    let mut outcome = Outcome::of(context, diagnostics, Some(ir));
    if let Some(lowered) = &mut outcome.lowered {
        lowered.declarations = entry.declarations;
    }
    Some((outcome, entry.code))
}

/// [`RunPasses`] without instrumentation.
pub(crate) fn run_passes(
    ir: &mut Ir,
    pipeline: &Pipeline,
    verify_each: bool,
    diagnostics: &mut Diagnostics,
) -> bool {
    let run = RunOptions {
        verify_each,
        ..RunOptions::default()
    };
    manager::run(ir, pipeline, run, diagnostics).is_ok()
}

/// What does not go together with a workspace.
fn check_workspace(options: &Options, output: Output) -> Result<(), String> {
    let message = match options.workspace {
        Workspace::Nothing => return Ok(()),
        Workspace::Argument if output == Output::Executable => {
            "executables have no caller to supply a workspace: use --workspace=static"
        }
        _ if options.checks() => "--check watches allocations, and with --workspace there are none",
        _ if options.threads.number() > 1 => {
            "threads need memory that is not of the workspace: leave out --threads"
        }
        _ => return Ok(()),
    };
    Err(message.to_owned())
}

/// What options mean for the code generator. Features alone change the processor at hand, or for other targets the
/// baseline processor.
fn code_options(options: &Options, output: Output) -> Result<CodeOptions, String> {
    let target = match &*options.target {
        "" => Target::host(),
        name => Target::from_str(name).map_err(|error| error.to_string())?,
    };
    let mut code = CodeOptions::new(target);
    let (cpu, features) = (&*options.target_cpu, &*options.target_features);
    if !cpu.is_empty() || !features.is_empty() {
        let cpu = match (cpu, output) {
            ("", Output::Memory) => "native",
            ("", _) => "generic",
            (cpu, _) => cpu,
        };
        let cpu = Cpu::named(&code.target, cpu, features);
        code.cpu = Some(cpu.map_err(|error| error.to_string())?);
    }
    code.opt_level = options.codegen_level.unwrap_or(options.opt_level).of_code();
    code.threads = options.threads.number();
    code.vector_bits = options.vector_bits.number();
    code.remarks = options.remarks;
    if let Some(part_ops) = options.part_ops {
        code.part_ops = usize::try_from(part_ops).unwrap_or(usize::MAX);
    }
    code.allocator = allocator(options, output)?;
    code.aligned_alloc = options.aligned_alloc;
    // Without a current folder, names stay as they are.
    code.debug_info = options
        .debug_info
        .then(|| env::current_dir().unwrap_or_default());
    code.shared_libs = options.shared_libs.iter().map(PathBuf::from).collect();
    code.perf = options.perf.map(|perf| perf.output());
    // With a workspace there is nothing to count at run time.
    if options.workspace == Workspace::Nothing {
        code.stats = options.stats.map(|stats| stats.format());
        code.check_accesses = options.check == Some(Check::Accesses);
        code.mode = match (options.check, options.stats) {
            (Some(_), _) => AllocMode::Checking,
            (None, Some(_)) => AllocMode::Counting,
            (None, None) => AllocMode::Plain,
        };
    }
    Ok(code)
}

/// The functions that stand for `malloc` and `free`.
fn allocator(options: &Options, output: Output) -> Result<Option<Allocator>, String> {
    let (allocate, free) = (&options.allocator, &options.deallocator);
    let names = [("allocator", allocate), ("deallocator", free)];
    if names.iter().all(|(_, name)| name.is_empty()) {
        return Ok(None);
    }
    for (option, name) in names {
        let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
        let is_name =
            name.starts_with(is_start) && name.chars().all(|c| is_start(c) || c.is_ascii_digit());
        if name.is_empty() {
            return Err("--allocator and --deallocator go together".to_owned());
        }
        if !is_name {
            return Err(format!("--{option}: '{name}' is no name of a C function"));
        }
    }
    if options.check.is_some() || options.stats.is_some() {
        return Err("--allocator takes the place of what --check and --stats look at".to_owned());
    }
    match output {
        Output::Memory => Err("--allocator is for code that is loaded later".to_owned()),
        // What prints the results of an executable frees them.
        Output::Executable => {
            Err("--allocator is for code that other programs call: not with --emit=exe".to_owned())
        }
        _ => Ok(Some(Allocator {
            allocate: allocate.clone(),
            free: free.clone(),
        })),
    }
}

/// What versions of the program are for, by name.
fn versions_of(
    options: &Options,
    output: Output,
    target: &Target,
) -> Result<Vec<(String, Cpu)>, String> {
    let names = &options.multiversion;
    let unsupported = match output {
        _ if names.is_empty() => None,
        _ if !versions::are_chosen(target) => Some("--multiversion is for x86-64 and Linux"),
        _ if options.workspace != Workspace::Nothing => {
            Some("versions may want workspaces of different sizes: leave out --multiversion")
        }
        Output::Memory => Some("--multiversion is for code that is loaded later"),
        Output::Assembly | Output::Clif | Output::Mlir | Output::Bytecode => {
            Some("--multiversion is for code that is loaded, and not for text")
        }
        Output::Object | Output::Executable | Output::Library | Output::Shared | Output::Header => {
            None
        }
    };
    if let Some(message) = unsupported {
        return Err(message.to_owned());
    }
    if names.len() > MAX_VERSIONS {
        return Err(format!(
            "--multiversion takes at most {MAX_VERSIONS} processors"
        ));
    }
    let mut versions: Vec<(String, Cpu)> = Vec::new();
    for name in names {
        let cpu = match ["v2", "v3", "v4"].contains(&name.as_str()) {
            true => Cpu::named(target, &format!("x86-64-{name}"), ""),
            false => Cpu::named(target, name, ""),
        };
        if versions.iter().any(|(other, _)| other == name) {
            return Err(format!("--multiversion has '{name}' twice"));
        }
        versions.push((name.clone(), cpu.map_err(|error| error.to_string())?));
    }
    Ok(versions)
}

/// Reports undefined symbols where they are declared, anything else as the
/// linker says it.
fn report_link_error(ir: &Ir, error: &LinkError, diagnostics: &mut Diagnostics) -> Failed {
    let undefined: BTreeMap<&str, &str> = (error.undefined.iter())
        .map(|symbol| {
            let name = symbol.strip_prefix(C_INTERFACE_PREFIX).unwrap_or(symbol);
            (name, symbol.as_str())
        })
        .collect();
    let mut located = Err(());
    for op in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        let name = match ir.nested(op) {
            Some(function) => function.symbol_name(function.root()),
            None => ir.symbol_name(op),
        };
        if let Some(symbol) = name.and_then(|name| undefined.get(name)) {
            let message = format!(
                "undefined symbol '{symbol}': defined neither in the module nor in the runtime or \
                 the C library"
            );
            located = Ok(diagnostics.error(ir.loc(op), message));
        }
    }
    located.unwrap_or_else(|()| diagnostics.error(Loc::UNKNOWN, error.to_string()))
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
