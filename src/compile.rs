//! `freehold compile`: frees every buffer and writes an object file, a library,
//! an executable, a C header, or the code as text.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use freehold_backend::AllocMode;
use freehold_backend::abi::C_INTERFACE_PREFIX;
use freehold_backend::archive;
use freehold_backend::cpu::Cpu;
use freehold_backend::header::compile_to_header;
use freehold_backend::isa::Target;
use freehold_backend::link::{LinkError, LinkOptions, link_executable, link_shared};
use freehold_backend::object::{
    compile_to_executable_object, compile_to_library, compile_to_object, compile_to_shared_object,
};
use freehold_backend::text::{TextKind, compile_to_text};
use freehold_backend::versions::{self, MAX_VERSIONS, Version};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::syntax::printer::{self, PrintOptions};
use freehold_passes::pipelines::native_pipeline::{self, Library};

use crate::native::{MadeFor, NativeArgs, Prepared, Processor, ReportArgs, prepare};
use crate::{Io, exit, session, workspaces};

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Emit {
    /// An object file
    Obj,
    /// An executable whose C `main` calls `@main`. It reads --function, --input, --output and --max-elements
    /// as `freehold run` does
    Exe,
    /// A static library that holds the object file and the runtime
    Lib,
    /// A shared library with the runtime, in which only exported functions are visible
    Shared,
    /// A C header with the functions of the program
    Header,
    /// Assembly
    Asm,
    /// Cranelift IR
    Clif,
    /// The MLIR that is handed to code generation
    Mlir,
}

/// Where functions have their temporary memory from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Workspace {
    /// From their callers, as a last argument
    Argument,
    /// From static arrays, one for each function that can be called from outside
    Static,
}

/// The command line of `compile`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    native: NativeArgs,
    /// The file to write; `-` is standard output [default: the input's name with another ending]
    #[arg(short = 'o')]
    output: Option<PathBuf>,
    /// What to write [default: by the ending of the output, .so .a .h .s .clif or .mlir; obj for all others]
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// What to compile for, e.g. aarch64-unknown-linux-gnu [default: this machine]
    #[arg(long)]
    target: Option<String>,
    /// Executables: the function that `main` calls, unless the command line of the executable names another one
    #[arg(
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    entry_point: String,
    /// Executables: link statically
    #[arg(long = "static")]
    static_executable: bool,
    /// Allocate nothing: functions take their temporary memory from here, and write results to memory of
    /// the caller. --stats then says how much that is
    #[arg(long, value_enum, value_name = "FROM")]
    workspace: Option<Workspace>,
    /// Compile the program for these processors as well, separated by commas: v2, v3 and v4 are x86-64-v2 and
    /// so on. What is loaded runs as the last one of them whose instructions the processor has
    #[arg(long, value_name = "CPUS", value_delimiter = ',')]
    multiversion: Vec<String>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Args {
    fn workspace(&self) -> native_pipeline::Workspace {
        match self.workspace {
            None => native_pipeline::Workspace::Nothing,
            Some(Workspace::Argument) => native_pipeline::Workspace::Argument,
            Some(Workspace::Static) => native_pipeline::Workspace::Static,
        }
    }

    /// What does not go together with a workspace.
    fn check_workspace(&self) -> Result<(), &'static str> {
        match self.workspace {
            Some(Workspace::Argument) if self.emit() == Emit::Exe => {
                Err("executables have nobody to take a workspace from: use --workspace=static")
            }
            Some(_) if self.report.checks() => {
                Err("--check watches allocations, and with --workspace there are none")
            }
            Some(_) if self.native.threads > 1 => {
                Err("threads need memory that is not of the workspace: leave out --threads")
            }
            _ => Ok(()),
        }
    }

    /// What versions of the program are for, by name.
    fn multiversion(&self, target: &Target) -> Result<Vec<(String, Cpu)>, String> {
        let names = &self.multiversion;
        let unsupported = match self.emit() {
            _ if names.is_empty() => None,
            _ if !versions::are_chosen(target) => Some("--multiversion is for x86-64 and Linux"),
            _ if self.workspace.is_some() => {
                Some("versions may want workspaces of different sizes: leave out --multiversion")
            }
            Emit::Asm | Emit::Clif | Emit::Mlir => {
                Some("--multiversion is for code that is loaded, and not for text")
            }
            Emit::Obj | Emit::Exe | Emit::Lib | Emit::Shared | Emit::Header => None,
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

    fn emit(&self) -> Emit {
        let ending = self.output.as_ref().and_then(|output| output.extension());
        self.emit
            .unwrap_or(match ending.and_then(|ending| ending.to_str()) {
                Some("so") => Emit::Shared,
                Some("a") => Emit::Lib,
                Some("h") => Emit::Header,
                Some("s") => Emit::Asm,
                Some("clif") => Emit::Clif,
                Some("mlir") => Emit::Mlir,
                _ => Emit::Obj,
            })
    }
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let target = match args.target.as_deref().map(Target::from_str).transpose() {
        Ok(target) => target.unwrap_or_else(Target::host),
        Err(error) => {
            writeln!(io.stderr, "freehold compile: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let mut options = match args.native.options(target, "generic") {
        Ok(options) => options,
        Err(error) => {
            writeln!(io.stderr, "freehold compile: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let checked = args.check_workspace().map_err(str::to_owned);
    let processors = match checked.and_then(|()| args.multiversion(&options.target)) {
        Ok(processors) => processors,
        Err(message) => {
            writeln!(io.stderr, "freehold compile: error: {message}")?;
            return Ok(exit::USAGE);
        }
    };
    // With a workspace there is nothing to count at run time.
    if args.workspace.is_none() {
        args.report.apply(&mut options);
    }
    let output = args.output.clone().unwrap_or_else(|| default_output(args));
    if let Err(message) = session::keep_input(Some(&output), &args.native.file) {
        writeln!(io.stderr, "{message}")?;
        return Ok(exit::FAILURE);
    }
    // Plain objects are linked with nothing but the C library. The runtime allocates what it needs.
    let library = match args.emit() {
        _ if args.workspace.is_some() => Library::Absent,
        Emit::Exe | Emit::Lib | Emit::Shared => args.report.callable(),
        _ if options.mode != AllocMode::Plain || options.threads > 1 => args.report.callable(),
        _ => Library::Absent,
    };
    let entry = (args.emit() == Emit::Exe).then_some(&*args.entry_point);
    let made_for = MadeFor {
        library,
        entry,
        processor: Processor::of(&options, false),
        versions: (processors.iter())
            .map(|(_, cpu)| Processor::of(&options.for_cpu(cpu.clone()), false))
            .collect(),
        workspace: args.workspace(),
        annotates: false,
    };
    let prepared = prepare(&args.native, &args.report, &made_for, None, io)?;
    let Some(prepared) = prepared else {
        return Ok(exit::FAILURE);
    };
    let Prepared {
        context,
        ir,
        versions,
        declarations,
        ..
    } = prepared;
    let versions: Vec<_> = (versions.iter().zip(processors))
        .map(|(ir, (name, cpu))| Version { ir, cpu, name })
        .collect();
    if let Some(format) = args.report.stats().filter(|_| args.workspace.is_some()) {
        workspaces::print(&ir, format, &mut io.stderr)?;
    }
    let mut diagnostics = Diagnostics::new();
    let compiled =
        match args.emit() {
            Emit::Obj => {
                compile_to_object(&ir, &versions, &options, &mut diagnostics).map(Compiled::Bytes)
            }
            Emit::Exe => compile_to_executable_object(
                &ir,
                &versions,
                &options,
                &args.entry_point,
                &declarations,
                &mut diagnostics,
            )
            .map(Compiled::Bytes),
            Emit::Lib => compile_to_library(&ir, &versions, &options, &mut diagnostics)
                .map(Compiled::Library),
            Emit::Shared => compile_to_shared_object(&ir, &versions, &options, &mut diagnostics)
                .map(Compiled::Bytes),
            Emit::Header => {
                let name = stem(args)
                    .unwrap_or("program".as_ref())
                    .display()
                    .to_string();
                compile_to_header(&ir, &options, &name, &mut diagnostics).map(Compiled::from)
            }
            Emit::Asm => compile_to_text(&ir, TextKind::Assembly, &options, &mut diagnostics)
                .map(Compiled::from),
            Emit::Clif => {
                compile_to_text(&ir, TextKind::Clif, &options, &mut diagnostics).map(Compiled::from)
            }
            Emit::Mlir => Ok(printer::print(&ir, PrintOptions::default()).into()),
        };
    if let (Ok(Compiled::Bytes(bytes)), Emit::Exe | Emit::Shared) = (&compiled, args.emit()) {
        let linked = if args.emit() == Emit::Shared {
            link_shared(bytes, &output, &options.target)
        } else {
            let link = LinkOptions {
                static_executable: args.static_executable,
                ..LinkOptions::default()
            };
            link_executable(bytes, &output, &options.target, &link)
        };
        let failed = linked.map_err(|error| report_link_error(&ir, &error, &mut diagnostics));
        session::report(&diagnostics, &context, io)?;
        return Ok(match failed {
            Ok(()) => exit::OK,
            Err(Failed) => exit::FAILURE,
        });
    }
    session::report(&diagnostics, &context, io)?;
    let Ok(compiled) = compiled else {
        return Ok(exit::FAILURE);
    };
    let written = session::write_output_with(Some(&output), io, |out| match &compiled {
        Compiled::Bytes(bytes) => out.write_all(bytes),
        Compiled::Library(library) => library.write_to(out),
    });
    match written {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// What was compiled, to be linked or written.
enum Compiled {
    Bytes(Vec<u8>),
    Library(archive::Library<'static>),
}

impl From<String> for Compiled {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
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

/// The name of the input without its ending, unless it is standard input.
fn stem(args: &Args) -> Option<&OsStr> {
    Path::new(&args.native.file)
        .file_stem()
        .filter(|stem| *stem != "-")
}

/// The input's name with the ending of what is written; text goes to standard output.
fn default_output(args: &Args) -> PathBuf {
    // Not `with_extension`: of `a.b.mlir` only `.mlir` goes.
    let named = |prefix: &str, ending: &str| {
        let mut name = OsString::from(prefix);
        name.push(stem(args).unwrap_or("a".as_ref()));
        name.push(ending);
        PathBuf::from(name)
    };
    match args.emit() {
        Emit::Obj => named("", ".o"),
        Emit::Exe => named("", ""),
        Emit::Lib => named("lib", ".a"),
        Emit::Shared => named("lib", ".so"),
        Emit::Asm | Emit::Clif | Emit::Header | Emit::Mlir => PathBuf::from("-"),
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
