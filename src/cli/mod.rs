//! The command line: one file per subcommand, and what they share.

mod arenas;
mod bench;
mod blame;
mod call;
mod compare;
mod compile;
mod cuts;
mod driver;
pub mod exit;
mod expected;
mod explain;
mod flags;
mod import;
mod instrumentation;
mod interpret;
mod interpreted;
mod interpreter;
mod io;
mod opt;
mod plan;
mod plot;
mod process;
mod profile;
mod program;
mod progress;
mod reduce;
#[cfg(test)]
mod reference;
mod reporting;
mod run;
mod session;
mod shell;
mod values;
mod workspaces;

pub use driver::{main_with, main_with_dialects};
pub use io::Io;
pub use reporting::{ErrorFormat, Reporting};
