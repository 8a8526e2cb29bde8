//! `freehold explain`: says in words where every buffer of a program is freed, and why.

use std::ffi::OsString;
use std::io::{self, Write};

use freehold_frontend::ir::diag::Diagnostics;
use freehold_passes::lowering::bound_stack;
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::ownership::explain::explain;
use freehold_passes::ownership::ownership_based_buffer_deallocation::Options;
use freehold_passes::pipelines::native_pipeline;

use crate::cli::flags::{Flags, Takes};
use crate::cli::io::Io;
use crate::cli::reporting::ErrorFormat;
use crate::cli::{exit, session};
use crate::job::{Job, Outcome, Output, Source};

/// The command line of `explain`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The program, or `-` for standard input
    file: OsString,
    #[command(flatten)]
    flags: Flags<Flagged>,
    /// Reject operations with unknown memory effects
    #[arg(long)]
    reject_unknown_effects: bool,
}

/// The options of `explain`.
#[derive(Clone, Debug)]
struct Flagged;

impl Takes for Flagged {
    fn takes(name: &str) -> bool {
        [
            "ignore-dialect",
            "irdl-file",
            "max-stack-bytes",
            "private-function-dynamic-ownership",
        ]
        .contains(&name)
    }
}

/// Runs the command; returns the exit status. The explanations are its output; errors of the
/// program go to standard error.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let input = match session::load_program(&args.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let options = args.flags.options.clone();
    let reads = Job::new(options, Output::Memory)
        .map(|job| job.read_for_one_device(Source::new(input.name, input.text)));
    let Outcome {
        context,
        mut diagnostics,
        lowered,
        ..
    } = match reads {
        Ok(read) => read,
        Err(error) => {
            writeln!(io.stderr, "freehold explain: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let Some(mut module) = lowered.map(|lowered| lowered.ir) else {
        session::report(&diagnostics, &context, io)?;
        return Ok(exit::FAILURE);
    };
    // What `run` and `compile` do before they decide about buffers.
    let mut steps = native_pipeline::before_ownership();
    if let Some(max_stack_bytes) = args.flags.options.max_stack_bytes {
        let bounds = bound_stack::Options {
            max_stack_bytes,
            rest: false,
        };
        steps.push(bound_stack::PASS.with(bounds));
    }
    let pipeline = Pipeline::of(steps);
    let mut explanations = Diagnostics::new();
    let options = Options {
        private_function_dynamic_ownership: args.flags.options.private_function_dynamic_ownership,
        borrowed_results: true,
        reject_unknown_effects: args.reject_unknown_effects,
        only_requests: false,
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
