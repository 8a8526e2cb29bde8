//! The library's short way from text to code: parse, run passes, compile.

use std::fmt;
use std::sync::Arc;

use freehold_backend::Options;
use freehold_backend::header::compile_to_header;
use freehold_backend::jit::{Jit, compile_to_jit};
use freehold_backend::object::{compile_to_library, compile_to_object};
use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_frontend::verify::verify;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;

/// Parses and verifies one source into a module. `None` if it is invalid; the
/// reasons are in `diagnostics`.
pub(crate) fn parse(
    context: &Arc<Context>,
    name: &str,
    text: Arc<str>,
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

/// Diagnostics as text, one line each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Error {}

/// A verified module. Displays as its text.
///
/// ```
/// use freehold::backend::Options;
/// use freehold::backend::jit::{Argument, Buffer};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut module = freehold::Module::parse(
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
/// module.run_passes(freehold::Module::TO_NATIVE)?;
/// let jit = module.jit(&Options::host())?;
/// let mut data = [1.0f32, 2.0, 3.5];
/// let buffer = Buffer::new(&mut data, &[3]);
/// let results = jit.call("sum", &[Argument::MemRef(&buffer)])?;
/// assert_eq!(results[0].as_f32(), Some(6.5));
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
        let context = Arc::new(dialects::context());
        let mut diagnostics = Diagnostics::new();
        match parse(&context, "input.mlir", text.into(), 1, &mut diagnostics) {
            Some(ir) => Ok(Self { context, ir }),
            None => Err(Error(diagnostics.render_plain(&context))),
        }
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
        let pipeline = registry::parse(pipeline).map_err(Error)?;
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
        let object = compile_to_object(&self.ir, options, &mut diagnostics);
        self.outcome(object, &diagnostics)
    }

    /// Compiles the module to a static library with the runtime.
    ///
    /// # Errors
    /// If something cannot be compiled, or there is no runtime for the target.
    pub fn static_library(&self, options: &Options) -> Result<Vec<u8>, Error> {
        let mut diagnostics = Diagnostics::new();
        let library = compile_to_library(&self.ir, options, &mut diagnostics);
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
        result.map_err(|Failed| Error(diagnostics.render_plain(&self.context)))
    }
}
