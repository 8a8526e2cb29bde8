//! The `freehold` command: hands the streams of the process to [`freehold::main_with`].

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Compiling makes and drops many small lists, on several threads. Programs
/// that are run keep the `malloc` and `free` of the C library.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    freehold::backend::jit::end_on_broken_pipe();
    let args: Vec<_> = std::env::args_os().collect();
    ExitCode::from(freehold::main_with(&args, &mut freehold::Io::process()))
}
