//! `freehold explain`: says in words where every buffer of a program is freed, and why.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use freehold_frontend::dialects;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::ownership::explain::explain;
use freehold_passes::ownership::ownership_based_buffer_deallocation::Options;
use freehold_passes::pipelines::native_pipeline;

use crate::{ErrorFormat, Io, exit, module, session};

/// The command line of `explain`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The program, or `-` for standard input
    file: OsString,
    /// Private functions return an i1 per buffer that tells whether the caller owns it, instead of
    /// a copy
    #[arg(long)]
    private_function_dynamic_ownership: bool,
    /// Reject operations with unknown memory effects
    #[arg(long)]
    reject_unknown_effects: bool,
}

/// Runs the command; returns the exit status. The explanations are its output, what is wrong with
/// the program goes to standard error.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let input = match session::load_program(&args.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let Some(mut module) = module::parse(&context, &input.name, input.text, 1, &mut diagnostics)
    else {
        session::report(&diagnostics, &context, io)?;
        return Ok(exit::FAILURE);
    };
    // What `run` and `compile` do before they decide about buffers.
    let pipeline = Pipeline::of(native_pipeline::before_ownership());
    let mut explanations = Diagnostics::new();
    let options = Options {
        private_function_dynamic_ownership: args.private_function_dynamic_ownership,
        reject_unknown_effects: args.reject_unknown_effects,
    };
    let outcome = manager::run(
        &mut module,
        &pipeline,
        RunOptions::default(),
        &mut diagnostics,
    )
    .and_then(|_| explain(&module, &options, &mut explanations));
    if outcome.is_err() {
        diagnostics.append(explanations);
        session::report(&diagnostics, &context, io)?;
        return Ok(exit::FAILURE);
    }
    session::report(&diagnostics, &context, io)?;
    // The source line of each remark would drown what they say in a pipe.
    let text = match (io.reporting.format, io.reporting.terminal) {
        (ErrorFormat::Human, false) => explanations.render_plain(&context),
        _ => io.reporting.render(&explanations, &context),
    };
    io.stdout.write_all(text.as_bytes())?;
    Ok(exit::OK)
}
