//! `freehold compile`: frees every buffer and writes an object file, a library,
//! an executable, a C header, or the code as text.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use freehold_passes::manage::options::{OptionKind, OptionValue as _};
use freehold_passes::pipelines::native_pipeline::Workspace;

use crate::cli::flags::Takes;
use crate::cli::io::Io;
use crate::cli::program::Program;
use crate::cli::{exit, session, workspaces};
use crate::job::{Job, Output, Product};

/// The command line of `compile`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    program: Program<Flagged>,
    /// Output file; `-` is standard output [default: the input's name with another ending]
    #[arg(short = 'o')]
    output: Option<PathBuf>,
    /// Kind of output [default: by its ending, .so .a .h .s .clif .mlir or .mlirbc; obj for all others]
    #[arg(long, value_parser = outputs())]
    emit: Option<String>,
    /// Executables: the function that `main` calls, unless the command line of the executable names another one
    #[arg(
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    entry_point: String,
}

/// The options of `compile`: not those of code that runs in this process.
#[derive(Clone, Debug)]
struct Flagged;

impl Takes for Flagged {
    fn takes(name: &str) -> bool {
        !["shared-libs", "cache", "perf"].contains(&name)
    }
}

/// The words of `--emit`.
fn outputs() -> PossibleValuesParser {
    let OptionKind::Choice(words) = Output::KIND else {
        unreachable!("outputs are words");
    };
    let files = words
        .iter()
        .filter(|word| Output::read(word.word) != Some(Output::Memory));
    PossibleValuesParser::new(
        files.map(|word| PossibleValue::new(word.word).help(word.help.trim_end_matches('.'))),
    )
}

impl Args {
    fn emit(&self) -> Output {
        if let Some(output) = self.emit.as_deref().and_then(Output::read) {
            return output;
        }
        let ending = self.output.as_ref().and_then(|output| output.extension());
        match ending.and_then(|ending| ending.to_str()) {
            Some("so") => Output::Shared,
            Some("a") => Output::Library,
            Some("h") => Output::Header,
            Some("s") => Output::Assembly,
            Some("clif") => Output::Clif,
            Some("mlir") => Output::Mlir,
            Some("mlirbc") => Output::Bytecode,
            _ => Output::Object,
        }
    }
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let output = args.output.clone().unwrap_or_else(|| default_output(args));
    let options = &args.program.flags.options;
    let job = match Job::new(options.clone(), args.emit()) {
        Ok(job) => job.path(&output),
        Err(error) => {
            writeln!(io.stderr, "freehold compile: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let name = stem(args)
        .unwrap_or("program".as_ref())
        .display()
        .to_string();
    let job = match args.emit() {
        Output::Executable => job.entry(&args.entry_point),
        Output::Header => job.file_name(&name).header_name(&name),
        _ => job.file_name(&name),
    };
    if let Err(message) = session::keep_input(Some(&output), &args.program.file) {
        writeln!(io.stderr, "{message}")?;
        return Ok(exit::FAILURE);
    }
    let Some(outcome) = args.program.compile(&job, io)? else {
        return Ok(exit::FAILURE);
    };
    if let (Some(stats), Some(lowered)) = (options.stats, &outcome.lowered)
        && options.workspace != Workspace::Nothing
    {
        workspaces::print(&lowered.ir, stats, &mut io.stderr)?;
    }
    session::report(&outcome.diagnostics, &outcome.context, io)?;
    let product = match outcome.product {
        None => return Ok(exit::FAILURE),
        Some(Product::Linked) => return Ok(exit::OK),
        Some(product) => product,
    };
    let written = session::write_output_with(Some(&output), io, |out| match &product {
        Product::Bytes(bytes) => out.write_all(bytes),
        Product::Archive(library) => library.write_to(out),
        Product::Code(_) | Product::Linked => Ok(()),
    });
    match written {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// The name of the input without its ending, unless it is standard input.
fn stem(args: &Args) -> Option<&OsStr> {
    Path::new(&args.program.file)
        .file_stem()
        .filter(|stem| *stem != "-")
}

/// The input's name with the ending of the output; text goes to standard output.
fn default_output(args: &Args) -> PathBuf {
    // Not `with_extension`: of `a.b.mlir` only `.mlir` goes.
    let named = |prefix: &str, ending: &str| {
        let mut name = OsString::from(prefix);
        name.push(stem(args).unwrap_or("a".as_ref()));
        name.push(ending);
        PathBuf::from(name)
    };
    match args.emit() {
        Output::Object => named("", ".o"),
        Output::Executable => named("", ""),
        Output::Library => named("lib", ".a"),
        Output::Shared => named("lib", ".so"),
        Output::Bytecode => named("", ".mlirbc"),
        Output::Assembly | Output::Clif | Output::Header | Output::Mlir | Output::Memory => {
            PathBuf::from("-")
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn default_output_of(line: &str) -> String {
        let args = Cli::parse_from(line.split(' ')).args;
        default_output(&args).display().to_string()
    }

    #[test]
    fn outputs_are_named_after_the_input() {
        for (line, output) in [
            ("compile a.mlir", "a.o"),
            ("compile a.b.mlir", "a.b.o"),
            ("compile folder/a.b.mlir", "a.b.o"),
            ("compile a", "a.o"),
            ("compile -", "a.o"),
            ("compile a.b.mlir --emit=exe", "a.b"),
            ("compile a.b.mlir --emit=lib", "liba.b.a"),
            ("compile a.b.mlir --emit=shared", "liba.b.so"),
            ("compile a.b.mlir --emit=asm", "-"),
            ("compile a.b.mlir --emit=mlir", "-"),
            ("compile a.b.mlir --emit=mlirbc", "a.b.mlirbc"),
        ] {
            assert_eq!(default_output_of(line), output, "{line}");
        }
    }

    /// Runs where the runtime for AArch64 could not be built.
    #[test]
    fn a_missing_runtime_is_said_before_anything_is_written() {
        const TARGET: &str = "aarch64-unknown-linux-gnu";
        let target = TARGET.parse().expect("this target is supported");
        if freehold_backend::link::runtime_object(&target).is_some() {
            return;
        }
        let output = std::env::temp_dir().join(format!("freehold-{}", std::process::id()));
        for emit in ["exe", "lib"] {
            let line = format!(
                "compile - --emit={emit} --target={TARGET} -o {}",
                output.display()
            );
            let args = Cli::parse_from(line.split(' ')).args;
            let mut io = Io::captured("func.func @main() {\n  return\n}\n");
            assert_eq!(run(&args, &mut io).unwrap(), exit::FAILURE);
            assert!(!output.exists());
        }
    }
}
