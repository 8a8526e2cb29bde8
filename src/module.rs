//! The library's short way from text to code: parse, then compile, or run passes that the caller chooses.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use freehold_backend::Options as CodeOptions;
use freehold_backend::jit::{Jit, compile_to_jit};
use freehold_frontend::bytecode::{self, WriteOptions};
use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::source_text::{ModelFile, SourceText};
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_onnx::Sizes;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;

use crate::compiled::Compiled;
use crate::error::Error;
use crate::job::{Job, Output, Product, Source};
use crate::options::Options;
use crate::parse::parse_present;

/// A verified module. Displays as its text.
///
/// ```
/// use freehold::{Module, Options};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = Module::parse(
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
/// let jit = module.compile(&Options::default())?;
/// let sum = jit.get::<(&[f32],), f32>("sum")?;
/// assert_eq!(sum.call((&[1.0, 2.0, 3.5],))?, 6.5);
/// # Ok(())
/// # }
/// ```
///
/// A build script makes a library of a module and links its package with it:
///
/// ```no_run
/// # use freehold::{Module, Options};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = Module::parse(&std::fs::read_to_string("src/kernels.mlir")?)?;
/// let folder = std::env::var("OUT_DIR")?;
/// let library = module.static_library(&Options::default())?;
/// std::fs::write(format!("{folder}/libkernels.a"), library)?;
/// println!("cargo::rustc-link-search=native={folder}");
/// println!("cargo::rustc-link-lib=static=kernels");
/// # Ok(())
/// # }
/// ```
pub struct Module {
    name: String,
    text: SourceText,
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
        Self::parse_source(name, text.into())
    }

    /// Parses and verifies a module that may be MLIR bytecode or an ONNX model, which messages call `name`.
    ///
    /// # Errors
    /// If the bytes are neither the text of a valid module nor its bytecode, and no model.
    pub fn parse_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let source = Source::from_bytes(name, bytes.into())?;
        Self::parse_source(name, source.text)
    }

    /// Reads the ONNX model in a file; its function is `@main`. Sizes of dimensions that the model names may be given to
    /// [`Self::compile`] as `dim` of the options.
    ///
    /// # Errors
    /// If there is no such file, or it is no model that can be read.
    pub fn from_onnx(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = fs::read(path);
        let bytes =
            bytes.map_err(|error| Error::message(format!("cannot read '{name}': {error}")))?;
        if !ModelFile::may_begin(&bytes) {
            return Err(Error::message(format!("'{name}' is no ONNX model")));
        }
        let source = Source::from_bytes(&name, bytes)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse_source(&name, source.in_folder(folder).text)
    }

    fn parse_source(name: &str, text: SourceText) -> Result<Self, Error> {
        let context = Arc::new(dialects::context());
        let mut diagnostics = Diagnostics::new();
        match parse_present(
            &context,
            name,
            text.clone(),
            &Sizes::default(),
            &mut diagnostics,
        ) {
            Some(ir) => Ok(Self {
                name: name.to_owned(),
                text,
                context,
                ir,
            }),
            None => Err(Error::new(&diagnostics, &context)),
        }
    }

    /// The module as MLIR bytecode.
    ///
    /// # Errors
    /// If an operation cannot be stored in it.
    pub fn to_bytecode(&self) -> Result<Vec<u8>, Error> {
        match bytecode::write(&self.ir, WriteOptions::default()) {
            Ok(bytecode) => Ok(bytecode.into_bytes()),
            Err(message) => Err(Error::message(message)),
        }
    }

    /// Frees every buffer and compiles into this process, as the command `run` does.
    ///
    /// # Errors
    /// If options do not go together, a pass fails or something cannot be compiled.
    pub fn compile(self, options: &Options) -> Result<Jit, Error> {
        match self.make(&job(options, Output::Memory)?)? {
            Product::Code(jit) => Ok(*jit),
            _ => unreachable!("the output is code in memory"),
        }
    }

    /// The same for a job that has code in memory for its output, with the facts about the program. `kept` is what
    /// [`Compiled::to_bytes`] gave for the same program, options, processor and compiler; anything else is ignored.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub fn compile_as(self, job: &Job, kept: Option<&[u8]>) -> Result<Compiled, Error> {
        let source = Source::new(self.name, self.text).with_parsed(self.context, self.ir);
        Compiled::new(job, source, kept)
    }

    /// Frees every buffer and compiles to the bytes of an object file, as `compile` does.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub fn object(self, options: &Options) -> Result<Vec<u8>, Error> {
        let product = self.make(&job(options, Output::Object)?)?;
        product.into_bytes()
    }

    /// Frees every buffer and compiles to the bytes of a static library with the runtime.
    ///
    /// # Errors
    /// As [`Self::compile`], and if there is no runtime for the target.
    pub fn static_library(self, options: &Options) -> Result<Vec<u8>, Error> {
        let product = self.make(&job(options, Output::Library)?)?;
        product.into_bytes()
    }

    /// The C header of the module; `name` is part of its include guard.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub fn header(self, options: &Options, name: &str) -> Result<String, Error> {
        let product = self.make(&job(options, Output::Header)?.header_name(name))?;
        product
            .into_bytes()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn make(self, job: &Job) -> Result<Product, Error> {
        job.run(Source::new(self.name, self.text).with_parsed(self.context, self.ir))
    }

    /// The IR, for what this type does not offer.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }

    /// The IR, to change it.
    pub fn ir_mut(&mut self) -> &mut Ir {
        &mut self.ir
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
        self.text = self.to_string().into();
        self.outcome(run.map(|_| ()), &diagnostics)
    }

    /// Compiles the module as it is into this process: all passes have run.
    ///
    /// # Errors
    /// If something cannot be compiled.
    pub fn jit(&self, options: &CodeOptions) -> Result<Jit, Error> {
        let mut diagnostics = Diagnostics::new();
        let jit = compile_to_jit(&self.ir, options, &mut diagnostics);
        self.outcome(jit, &diagnostics)
    }

    fn outcome<T>(&self, result: Result<T, Failed>, diagnostics: &Diagnostics) -> Result<T, Error> {
        result.map_err(|Failed| Error::new(diagnostics, &self.context))
    }
}

fn job(options: &Options, output: Output) -> Result<Job, Error> {
    Job::new(options.clone(), output).map_err(Error::message)
}
