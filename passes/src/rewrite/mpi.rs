//! What passes that make operations of the `mpi` dialect say to the one that turns them into calls.

/// On `mpi.init`: initialize unless that was done, and finalize when the process ends.
pub(crate) const ONCE: &str = "freehold.once";
/// On transfers: with a negative rank there is none, as with `MPI_PROC_NULL`.
pub(crate) const OPTIONAL_PEER: &str = "freehold.optional_peer";
/// On modules: how many processes do together what the program says of one. Each has all arguments and results.
pub(crate) const PROCESSES: &str = "freehold.processes";
