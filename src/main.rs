//! The `freehold` command: hands the streams of the process to [`freehold::main_with`].

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    ExitCode::from(freehold::main_with(&args, &mut freehold::Io::process()))
}
