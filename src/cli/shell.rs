//! `freehold completions` and `freehold man`: what a package installs beside the executable.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use crate::cli::exit;
use crate::cli::io::Io;
use crate::error;

/// The command line of `completions`.
#[derive(clap::Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The command line of `man`.
#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder to write a page per command to, such as /usr/local/share/man/man1
    folder: PathBuf,
}

/// Prints the script; returns the exit status.
pub(crate) fn completions(
    args: &CompletionsArgs,
    command: &mut Command,
    io: &mut Io,
) -> io::Result<u8> {
    // It has no way to say that it could not write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "freehold", &mut script);
    io.stdout.write_all(&script)?;
    Ok(exit::OK)
}

/// Writes the pages; returns the exit status.
pub(crate) fn manual(args: &ManArgs, command: Command, io: &mut Io) -> io::Result<u8> {
    let written = fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(command, &args.folder));
    if let Err(error) = written {
        writeln!(
            io.stderr,
            "error: cannot write to '{}': {}",
            args.folder.display(),
            error::reason(&error)
        )?;
        return Ok(exit::FAILURE);
    }
    Ok(exit::OK)
}
