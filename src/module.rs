//! The library's short way from text to code: parse, run passes, compile.

use std::fmt;
use std::sync::Arc;

use freehold_backend::Declaration;
use freehold_backend::header::compile_to_header;
use freehold_backend::jit::{Jit, compile_to_jit, load_or_compile};
use freehold_backend::object::{compile_to_library, compile_to_object};
use freehold_backend::{AllocMode, OptLevel, Options};
use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed, Severity};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::ir::types::TypeKind;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::syntax::printer::{PrintOptions, print, type_to_string};
use freehold_frontend::verify::verify;
use freehold_passes::analysis::only_read::only_read_arguments;
use freehold_passes::manage::fp_policy::FpPolicy;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::pipelines::native_pipeline::{self, Library};
use freehold_passes::registry;
use freehold_passes::rewrite::functions;

use crate::cache::{Cache, Entry};

/// Parses and verifies one source into a module. `None` if it is invalid; the
/// reasons are in `diagnostics`.
pub(crate) fn parse(
    context: &Arc<Context>,
    name: &str,
    text: impl Into<SourceText>,
    first_line: u32,
    diagnostics: &mut Diagnostics,
) -> Option<Ir> {
    let Ok(source) = context.add_source(name, text, first_line) else {
        diagnostics.error(
            Loc::UNKNOWN,
            "all inputs together are larger than two gigabytes",
        );
        return None;
    };
    let ir = parse_source(context, &source, diagnostics).ok()?;
    if diagnostics.has_errors() {
        return None;
    }
    verify(&ir, diagnostics).ok()?;
    Some(ir)
}

/// What the functions of a module are to those who call them, by name.
pub(crate) fn declarations(module: &Ir) -> Vec<(String, Declaration)> {
    let stubs = functions::functions(module).into_iter();
    let functions = stubs.filter_map(|stub| module.nested(stub));
    functions
        .filter_map(|function| {
            let context = function.context();
            let name = function.symbol_name(function.root())?;
            let ty = function.function_type(function.root())?;
            let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
                return None;
            };
            let text = |&ty| type_to_string(context, ty);
            let only_read = only_read_arguments(function);
            let declaration = Declaration {
                arguments: inputs.iter().map(text).zip(only_read).collect(),
                results: results.iter().map(text).collect(),
            };
            Some((name.to_owned(), declaration))
        })
        .collect()
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The name of the text.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: u32,
}

/// One thing that was reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How bad it is.
    pub severity: Severity,
    /// Where, if it is about a place.
    pub location: Option<Location>,
    /// What.
    pub message: String,
    /// Explanations, possibly of other places.
    pub notes: Vec<(Option<Location>, String)>,
}

/// What is wrong with a program. Displays as one line per report and note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    reports: Vec<Report>,
    text: String,
}

impl Error {
    fn new(diagnostics: &Diagnostics, context: &Context) -> Self {
        let location = |loc| {
            let at = context.resolve_loc(loc)?;
            Some(Location {
                file: at.file.to_string(),
                line: at.line,
                column: at.column,
            })
        };
        let reports = diagnostics.iter().map(|diagnostic| Report {
            severity: diagnostic.severity,
            location: location(diagnostic.loc),
            message: diagnostic.message.clone(),
            notes: (diagnostic.notes.iter())
                .map(|(loc, message)| (location(*loc), message.clone()))
                .collect(),
        });
        Self {
            reports: reports.collect(),
            text: diagnostics.render_plain(context),
        }
    }

    fn message(text: String) -> Self {
        let report = Report {
            severity: Severity::Error,
            location: None,
            message: text.clone(),
            notes: Vec::new(),
        };
        Self {
            reports: vec![report],
            text,
        }
    }

    /// Everything that was reported, in order; at least one is an error.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for Error {}

/// A verified module. Displays as its text.
///
/// ```
/// use freehold::backend::Options;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = freehold::Module::parse(
///     "func.func @sum(%m: memref<?xf32>) -> f32 {
///        %zero = arith.constant 0.0 : f32
///        %c0 = arith.constant 0 : index
///        %n = memref.dim %m, %c0 : memref<?xf32>
///        %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> f32 {
///          %x = affine.load %m[%i] : memref<?xf32>
///          %next = arith.addf %s, %x : f32
///          affine.yield %next : f32
///        }
///        return %sum : f32
///      }",
/// )?;
/// let jit = module.compile(&Options::host())?;
/// let sum = jit.get::<(&[f32],), f32>("sum")?;
/// assert_eq!(sum.call((&[1.0, 2.0, 3.5],))?, 6.5);
/// # Ok(())
/// # }
/// ```
///
/// A build script makes a library of a module and links its package with it:
///
/// ```no_run
/// # use freehold::{Module, backend::Options};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut module = Module::parse(&std::fs::read_to_string("src/kernels.mlir")?)?;
/// module.run_passes(Module::TO_NATIVE)?;
/// let folder = std::env::var("OUT_DIR")?;
/// std::fs::write(format!("{folder}/libkernels.a"), module.static_library(&Options::host())?)?;
/// println!("cargo::rustc-link-search=native={folder}");
/// println!("cargo::rustc-link-lib=static=kernels");
/// # Ok(())
/// # }
/// ```
pub struct Module {
    context: Arc<Context>,
    ir: Ir,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").finish_non_exhaustive()
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(&self.ir, PrintOptions::default()))
    }
}

impl Module {
    /// The passes that free every buffer, make loops fast, and leave what the code generator takes.
    /// With `Options::check_accesses`, say `native-pipeline{library=no-accesses}`: elements of vectors
    /// are not checked one by one.
    pub const TO_NATIVE: &str = "builtin.module(native-pipeline)";

    /// Parses and verifies a module.
    ///
    /// # Errors
    /// If the text is not a valid module.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_named("input.mlir", text)
    }

    /// Parses and verifies a module that messages call `name`.
    ///
    /// # Errors
    /// If the text is not a valid module.
    pub fn parse_named(name: &str, text: &str) -> Result<Self, Error> {
        let context = Arc::new(dialects::context());
        let mut diagnostics = Diagnostics::new();
        match parse(&context, name, text, 1, &mut diagnostics) {
            Some(ir) => Ok(Self { context, ir }),
            None => Err(Error::new(&diagnostics, &context)),
        }
    }

    /// Frees every buffer and compiles into this process, as the command `run` does: the passes are its
    /// passes, with the runtime library, which is part of this one.
    ///
    /// # Errors
    /// If a pass fails or something cannot be compiled.
    pub fn compile(self, options: &Options) -> Result<Jit, Error> {
        self.compile_with(options, FpPolicy::Strict)
    }

    /// [`Self::compile`] with floats computed as exactly as `fp` says: the flag `--fp` of `run`.
    ///
    /// # Errors
    /// If a pass fails or something cannot be compiled.
    pub fn compile_with(mut self, options: &Options, fp: FpPolicy) -> Result<Jit, Error> {
        let declarations = self.make_native(options, fp)?;
        self.load(options, &declarations, &mut None)
    }

    /// Runs all passes; returns what functions were before.
    fn make_native(
        &mut self,
        options: &Options,
        fp: FpPolicy,
    ) -> Result<Vec<(String, Declaration)>, Error> {
        let declarations = declarations(&self.ir);
        let pipeline = native_pipeline::Options {
            library: match options.check_accesses {
                true => Library::NoAccesses,
                false => Library::Whole,
            },
            checks: options.mode == AllocMode::Checking,
            threads: u64::from(options.threads),
            fp,
            vector_bits: options.loop_vector_bits(true),
            fused_multiply_add: options.has_fused_multiply_add(true),
            optimize: options.opt_level != OptLevel::None,
            ..native_pipeline::Options::default()
        };
        let mut diagnostics = Diagnostics::new();
        let run = manager::run(
            &mut self.ir,
            &Pipeline::of(native_pipeline::steps(&pipeline)),
            RunOptions::default(),
            &mut diagnostics,
        );
        self.outcome(run.map(|_| ()), &diagnostics)?;
        // The code generator relies on verified IR.
        let verified = verify(&self.ir, &mut diagnostics);
        self.outcome(verified.map(|_| ()), &diagnostics)?;
        Ok(declarations)
    }

    /// Makes code, or takes up what is `saved` of it.
    fn load(
        &self,
        options: &Options,
        declarations: &[(String, Declaration)],
        saved: &mut Option<Vec<u8>>,
    ) -> Result<Jit, Error> {
        let mut diagnostics = Diagnostics::new();
        let jit = load_or_compile(&self.ir, options, saved, &mut diagnostics);
        let mut jit = self.outcome(jit, &diagnostics)?;
        jit.declare(declarations);
        Ok(jit)
    }

    /// Compiles a program into this process, or takes up what `cache` has of it: what parsing it and
    /// [`Self::compile_with`] give. What cannot be kept is compiled all the same, and where memory is counted or
    /// checked, or debuggers are to know about the code, nothing is kept.
    ///
    /// # Errors
    /// If the text is not a valid module, or it cannot be compiled.
    pub fn compile_cached(
        text: &str,
        options: &Options,
        fp: FpPolicy,
        cache: &Cache,
    ) -> Result<Jit, Error> {
        let is_plain = options.mode == AllocMode::Plain
            && options.debug_info.is_none()
            && options.perf.is_none()
            && !options.remarks;
        if !is_plain {
            return Self::parse(text)?.compile_with(options, fp);
        }
        let key = Cache::key("input.mlir", text, options, &fp);
        if let Some(entry) = cache.load(&key)
            && let Ok(module) = Self::parse(&entry.text)
        {
            return module.load(options, &entry.declarations, &mut Some(entry.code));
        }
        let mut module = Self::parse(text)?;
        let declarations = module.make_native(options, fp)?;
        let mut code = None;
        let jit = module.load(options, &declarations, &mut code)?;
        if let Some(code) = code {
            let text = module.to_string();
            let entry = Entry {
                declarations,
                text,
                code,
            };
            // Without it the next one compiles too.
            let _ = cache.store(&key, &entry);
        }
        Ok(jit)
    }

    /// The IR, for what this type does not offer.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }

    /// Runs a pipeline in the notation of `--pass-pipeline`.
    ///
    /// # Errors
    /// If there is no such pass, or a pass fails; the module must not be used
    /// any more then.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), Error> {
        let pipeline = registry::parse(pipeline).map_err(Error::message)?;
        let mut diagnostics = Diagnostics::new();
        let run = manager::run(
            &mut self.ir,
            &pipeline,
            RunOptions::default(),
            &mut diagnostics,
        );
        self.outcome(run.map(|_| ()), &diagnostics)
    }

    /// Compiles the module into this process.
    ///
    /// # Errors
    /// If something cannot be compiled.
    pub fn jit(&self, options: &Options) -> Result<Jit, Error> {
        let mut diagnostics = Diagnostics::new();
        let jit = compile_to_jit(&self.ir, options, &mut diagnostics);
        self.outcome(jit, &diagnostics)
    }

    /// Compiles the module to an object file.
    ///
    /// # Errors
    /// If something cannot be compiled.
    pub fn object(&self, options: &Options) -> Result<Vec<u8>, Error> {
        let mut diagnostics = Diagnostics::new();
        let object = compile_to_object(&self.ir, &[], options, &mut diagnostics);
        self.outcome(object, &diagnostics)
    }

    /// Compiles the module to a static library with the runtime.
    ///
    /// # Errors
    /// If something cannot be compiled, or there is no runtime for the target.
    pub fn static_library(&self, options: &Options) -> Result<Vec<u8>, Error> {
        let mut diagnostics = Diagnostics::new();
        let library =
            compile_to_library(&self.ir, &[], options, &mut diagnostics).and_then(|library| {
                let bytes = library.to_bytes();
                bytes.map_err(|error| diagnostics.error(Loc::UNKNOWN, error.to_string()))
            });
        self.outcome(library, &diagnostics)
    }

    /// The C header of the module; `name` is part of its include guard.
    ///
    /// # Errors
    /// If symbols of the module cannot be compiled.
    pub fn header(&self, options: &Options, name: &str) -> Result<String, Error> {
        let mut diagnostics = Diagnostics::new();
        let header = compile_to_header(&self.ir, options, name, &mut diagnostics);
        self.outcome(header, &diagnostics)
    }

    fn outcome<T>(&self, result: Result<T, Failed>, diagnostics: &Diagnostics) -> Result<T, Error> {
        result.map_err(|Failed| Error::new(diagnostics, &self.context))
    }
}
