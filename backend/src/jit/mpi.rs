//! The library of MPI: found when a program calls it, and told when a process fails, so that the others end as well.

use std::ffi::c_void;
use std::path::Path;
use std::sync::OnceLock;

use super::symbols::Library;

/// Names under which systems have the library.
const OPEN_MPI: &[&str] = &["libmpi.so.40", "libmpi.so"];
const MPICH: &[&str] = &["libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.so"];

/// An object that only Open MPI has: its communicator of all processes.
const WORLD: &str = "ompi_mpi_comm_world";
/// The same in MPICH.
const MPICH_WORLD: i32 = 0x4400_0000;

/// The functions that end a program.
struct Ends {
    initialized: *const u8,
    finalized: *const u8,
    abort: *const u8,
    /// The communicator, if it is an address.
    world: Option<*const u8>,
}

// SAFETY: addresses of code and of an object, which stay.
unsafe impl Send for Ends {}
// SAFETY: as above.
unsafe impl Sync for Ends {}

static ENDS: OnceLock<Ends> = OnceLock::new();

/// Whether a function of this name is one of MPI.
pub(super) fn is_function(name: &str) -> bool {
    name.starts_with("MPI_")
}

/// Whether an object of this name is one of Open MPI.
pub(super) fn is_object(name: &str) -> bool {
    name.starts_with("ompi_")
}

/// Loads the library of the implementation that a program was compiled for; the error says why not.
pub(super) fn open(is_open_mpi: bool) -> Result<Library, String> {
    let names = if is_open_mpi { OPEN_MPI } else { MPICH };
    let mut reasons = Vec::new();
    for name in names {
        match Library::open_for_all(Path::new(name)) {
            Ok(library) if library.find(WORLD).is_some() == is_open_mpi => {
                remember(&library);
                return Ok(library);
            }
            Ok(_) => reasons.push(format!("{name}: is of another implementation")),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(reasons.join("; "))
}

/// Whether the library of an implementation can be loaded.
pub fn is_there(is_open_mpi: bool) -> bool {
    open(is_open_mpi).is_ok()
}

fn remember(library: &Library) {
    let find = |name| library.find(name);
    let functions = (
        find("MPI_Initialized"),
        find("MPI_Finalized"),
        find("MPI_Abort"),
    );
    if let (Some(initialized), Some(finalized), Some(abort)) = functions {
        ENDS.get_or_init(|| Ends {
            initialized,
            finalized,
            abort,
            world: find(WORLD),
        });
    }
}

/// Whether processes of MPI run together with this one, so that it must not simply end.
pub fn is_running() -> bool {
    ENDS.get().is_some_and(|ends| {
        let is = |function: *const u8| {
            let mut flag = 0;
            // SAFETY: both functions take the address of an int and may be called at any time.
            unsafe {
                type Ask = extern "C" fn(*mut i32) -> i32;
                std::mem::transmute::<*const u8, Ask>(function)(&raw mut flag);
            }
            flag != 0
        };
        is(ends.initialized) && !is(ends.finalized)
    })
}

/// Ends all processes of MPI if this one takes part, with its exit status. Does not return then.
pub fn abort_all(status: u8) {
    if !is_running() {
        return;
    }
    let Some(ends) = ENDS.get() else {
        return;
    };
    // SAFETY: `MPI_Abort` takes a handle, which is an address or a number of 32 bits, and a status.
    unsafe {
        match ends.world {
            Some(world) => {
                type Abort = extern "C" fn(*const c_void, i32) -> i32;
                std::mem::transmute::<*const u8, Abort>(ends.abort)(world.cast(), status.into());
            }
            None => {
                type Abort = extern "C" fn(i32, i32) -> i32;
                std::mem::transmute::<*const u8, Abort>(ends.abort)(MPICH_WORLD, status.into());
            }
        }
    }
}
