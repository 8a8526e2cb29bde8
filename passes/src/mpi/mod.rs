//! MPI: which requests are waited for, transfers that overlap with computation, and calls of the C interface.

pub mod carry_request_buffers;
pub mod convert_mpi_to_calls;
pub mod delay_mpi_waits;
pub mod interface;
pub mod keep_request_buffers;
