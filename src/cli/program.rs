//! What `run` and `compile` share: the program, the options of a job, and how its passes are watched.

use std::ffi::OsString;
use std::io::{self, Write};

use freehold_frontend::syntax::printer::PrintOptions;

use crate::cli::flags::{Flags, Takes};
use crate::cli::instrumentation::{self, Instrumentation};
use crate::cli::io::Io;
use crate::cli::session;
use crate::job::{Job, Outcome, Source};

/// Flags of every command that makes native code.
#[derive(clap::Args, Debug)]
pub(crate) struct Program<C: Takes> {
    /// The program, or `-` for standard input
    pub(crate) file: OsString,
    #[command(flatten)]
    pub(crate) flags: Flags<C>,
    #[command(flatten)]
    watch: Instrumentation,
}

impl<C: Takes> Program<C> {
    /// Reads the program and compiles it. `None` if there is no such file, which is reported.
    pub(crate) fn compile(&self, job: &Job, io: &mut Io) -> io::Result<Option<Outcome>> {
        if self.watch.dump_pass_pipeline {
            instrumentation::dump_pipeline(&job.pipeline(), io)?;
        }
        let input = match session::load_program(&self.file, io) {
            Ok(input) => input,
            Err(message) => {
                writeln!(io.stderr, "{message}")?;
                return Ok(None);
            }
        };
        let mut written = Ok(());
        let source = Source::new(input.name, input.text);
        let outcome = job.compile(source, &mut |ir, pipeline, verify_each, diagnostics| {
            let settings = (verify_each, false);
            let print = PrintOptions::default();
            match self
                .watch
                .run(ir, pipeline, print, settings, diagnostics, io)
            {
                Ok(ok) => ok,
                Err(error) => {
                    written = Err(error);
                    false
                }
            }
        });
        written.map(|()| Some(outcome))
    }
}
