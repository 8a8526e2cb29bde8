//! What `run` and `compile` share: the program, the options of a job, and how its passes are watched.

use std::ffi::OsString;
use std::io::{self, Write};

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::syntax::printer::PrintOptions;
use freehold_passes::manage::pipeline::Pipeline;

use crate::cli::flags::{Flags, Takes};
use crate::cli::instrumentation::{self, Instrumentation, Stage};
use crate::cli::io::Io;
use crate::cli::progress::Progress;
use crate::cli::session::{self, Input};
use crate::job::{Job, Outcome, Source};

/// Flags of every command that makes native code.
#[derive(clap::Args, Debug)]
pub(crate) struct Program<C: Takes> {
    /// The program, or `-` for standard input
    #[arg(default_value = "-")]
    pub(crate) file: OsString,
    #[command(flatten)]
    pub(crate) flags: Flags<C>,
    #[command(flatten)]
    pub(crate) watch: Instrumentation,
}

impl<C: Takes> Program<C> {
    /// Reads the program and compiles it. `None` if there is no such file, which is reported.
    pub(crate) fn compile(&self, job: &Job, io: &mut Io) -> io::Result<Option<Outcome>> {
        match session::load_program(&self.file, io) {
            Ok(input) => self.compile_input(job, input, io).map(Some),
            Err(message) => {
                writeln!(io.stderr, "{message}")?;
                Ok(None)
            }
        }
    }

    /// Compiles a program that was read.
    pub(crate) fn compile_input(
        &self,
        job: &Job,
        input: Input<SourceText>,
        io: &mut Io,
    ) -> io::Result<Outcome> {
        let job = &(job.clone()).printing_operations(self.watch.mlir_print_op_on_diagnostic);
        if self.watch.dump_pass_pipeline {
            instrumentation::dump_pipeline(&job.pipeline_of(&input.text), io)?;
        }
        let mut written = Ok(());
        let source = Source::new(input.name, input.text);
        let stage = Stage::new("reading");
        let progress = Progress::of_long_work(io);
        let mut passes = |ir: &mut Ir, pipeline: &Pipeline, verify_each, diagnostics: &mut _| {
            let settings = (verify_each, false, &stage);
            let print = PrintOptions::default();
            let watched = (self.watch).run(ir, pipeline, print, settings, diagnostics, io);
            stage.set("code generation");
            watched.unwrap_or_else(|error| {
                written = Err(error);
                false
            })
        };
        let outcome = progress.during(
            || format!("compiling: {}", stage.get()),
            || job.compile(source, &mut passes),
        );
        written.map(|()| outcome)
    }
}
