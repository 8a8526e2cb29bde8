//! `freehold import`: an ONNX model as text, or plain functions on tensors of a model that a converter wrapped.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use freehold_frontend::dialects;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{self, PrintOptions};
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::registry;

use crate::cli::io::Io;
use crate::cli::{exit, session};
use crate::job;
use crate::parse::parse_sized;

/// The command line of `import`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// An ONNX model, or what `iree-opt` made of a model, or a program in `ml_program`; `-` is standard input
    file: OsString,
    /// ONNX models: sizes of dimensions that the model names, as batch=1, or of an input, as x=1x3x224x224; may be
    /// repeated
    #[arg(long, value_name = "NAME=SIZE", value_delimiter = ',')]
    dim: Vec<String>,
    /// Where to write the functions; standard output if not given
    #[arg(short = 'o')]
    output: Option<PathBuf>,
}

/// The passes that it runs.
const PIPELINE: &str = "builtin.module(strip-model-wrappers,canonicalize)";

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let loaded = session::keep_input(args.output.as_deref(), &args.file)
        .and_then(|()| session::load_program(&args.file, io));
    let input = match loaded {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let is_model = input.text.model().is_some();
    let sizes = match job::sizes(&args.dim) {
        Ok(sizes) => sizes,
        Err(message) => {
            writeln!(io.stderr, "freehold import: error: {message}")?;
            return Ok(exit::USAGE);
        }
    };
    let context = dialects::context();
    let is_foreign = is_model && context.dialect("onnx").is_none();
    let context = Arc::new(context.allow_unregistered_dialects(is_foreign));
    let mut diagnostics = Diagnostics::new();
    let mut ir = parse_sized(
        &context,
        &input.name,
        input.text,
        1,
        &sizes,
        &mut diagnostics,
    );
    if let Some(module) = ir.as_mut().filter(|_| !is_model) {
        let pipeline = registry::parse(PIPELINE).expect("the passes exist");
        if manager::run(module, &pipeline, RunOptions::default(), &mut diagnostics).is_err() {
            ir = None;
        }
    }
    session::report(&diagnostics, &context, io)?;
    let Some(ir) = ir else {
        return Ok(exit::FAILURE);
    };
    let text = printer::print(&ir, PrintOptions::default());
    match session::write_output(args.output.as_deref(), text.as_bytes(), io) {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}
