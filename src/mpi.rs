//! Which implementation of MPI there is: the one that started this process, or the one that `mpicc` compiles for.

use std::env;
use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

use freehold_backend::jit::mpi;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::source_text::SourceText;
use freehold_passes::mpi::interface::Implementation;

use crate::options::Mpi;

/// Variables that mpirun sets for the processes it starts.
const STARTED_BY: [(&str, Implementation); 3] = [
    ("OMPI_COMM_WORLD_RANK", Implementation::OpenMpi),
    ("PMI_RANK", Implementation::Mpich),
    ("MPI_LOCALRANKID", Implementation::Mpich),
];

/// Variables in which mpirun tells a process its rank.
const RANKS: [&str; 2] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"];

/// The implementation whose mpirun started this process, if one did.
pub(crate) fn started_by() -> Option<Implementation> {
    let found = STARTED_BY.iter().find(|row| env::var_os(row.0).is_some());
    found.map(|row| row.1)
}

/// The rank that mpirun gave this process, if it started it.
pub(crate) fn own_rank() -> Option<String> {
    RANKS.iter().find_map(|&name| env::var(name).ok())
}

/// Facts about MPI without the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Asked for by name.
    pub(crate) named: Option<Implementation>,
    /// Code runs in this process.
    runs_here: bool,
}

impl Choice {
    /// What the option says. Code that runs here communicates with those who were started with it.
    pub(crate) fn new(option: Option<Mpi>, runs_here: bool) -> Self {
        Self {
            named: match option {
                Some(Mpi::Open) => Some(Implementation::OpenMpi),
                Some(Mpi::Mpich) => Some(Implementation::Mpich),
                Some(Mpi::Auto) | None => None,
            },
            runs_here,
        }
    }

    /// The implementation for a program that names none, if it may want one. To ask the compiler takes a process, so the
    /// text is searched for the name of the dialect first.
    pub(crate) fn default_for(self, text: &SourceText) -> Option<Implementation> {
        const NAME: &[u8] = b"mpi";
        /// Searching more bytes takes longer than asking the compiler.
        const MAX_SEARCHED: usize = 1 << 24;
        let names_it = || {
            let bytes = match text.bytecode() {
                Some(bytes) => bytes,
                None => text.text().as_bytes(),
            };
            let mut parts = bytes.windows(1 + NAME.len());
            let is_name = |part: &[u8]| part[1..] == *NAME && !part[0].is_ascii_alphanumeric();
            bytes.len() > MAX_SEARCHED || parts.any(is_name)
        };
        let may_want = text.model().is_none() && names_it();
        may_want.then(|| self.found()).flatten()
    }

    /// The implementation for a program that names none.
    pub(crate) fn found(self) -> Option<Implementation> {
        let started_by = started_by().filter(|_| self.runs_here);
        started_by.or_else(of_compiler).or_else(|| {
            let is_there = self.runs_here && mpi::is_there(true);
            is_there.then_some(Implementation::OpenMpi)
        })
    }
}

/// The implementation that `mpicc` is of, by the libraries that it links.
fn of_compiler() -> Option<Implementation> {
    static FOUND: OnceLock<Option<Implementation>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let driver = env::var_os("MPICC").unwrap_or_else(|| "mpicc".into());
        let output = Command::new(driver).arg("-show").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        match () {
            () if text.contains("mpich") => Some(Implementation::Mpich),
            () if text.contains("-lmpi") => Some(Implementation::OpenMpi),
            () => None,
        }
    })
}

/// Whose functions a lowered program calls, if it calls any.
pub(crate) fn called_by(module: &Ir) -> Option<Implementation> {
    let mut ops = module
        .root_block()
        .into_iter()
        .flat_map(|block| module.ops_in(block));
    let mut calls = false;
    let is_open_mpi = ops.any(|op| {
        let name = match module.nested(op) {
            Some(function) => function.symbol_name(function.root()),
            None => module.symbol_name(op),
        };
        calls |= name.is_some_and(|name| name.starts_with("MPI_"));
        name.is_some_and(|name| name.starts_with("ompi_"))
    });
    match (is_open_mpi, calls) {
        (true, _) => Some(Implementation::OpenMpi),
        (false, true) => Some(Implementation::Mpich),
        (false, false) => None,
    }
}

/// Commands that link programs with an implementation, most preferred first.
pub(crate) fn linkers(implementation: Implementation) -> Vec<OsString> {
    let own = match implementation {
        Implementation::OpenMpi => "mpicc.openmpi",
        Implementation::Mpich => "mpicc.mpich",
    };
    match env::var_os("MPICC") {
        Some(driver) => vec![driver],
        None => vec![own.into(), "mpicc".into()],
    }
}
