//! Where the JIT finds what a module does not define: in the runtime, in the C
//! library that this process is linked with, in shared libraries.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::LazyLock;

use libloading::os::unix as dynamic;
use rustc_hash::FxHashMap;

use super::probe;

/// Declares functions of the C library and lists their names and addresses.
/// Their types do not matter, for nothing here calls them.
macro_rules! c_library {
    ($($name:ident)*) => {
        mod c {
            #[expect(clashing_extern_declarations, reason = "only their addresses are taken")]
            unsafe extern "C" {
                $(pub(super) fn $name();)*
            }
        }
        fn c_library() -> impl Iterator<Item = (&'static str, usize)> {
            [$((stringify!($name), c::$name as *const c_void as usize)),*].into_iter()
        }
    };
}

c_library! {
    malloc aligned_alloc free memcpy memmove memset memcmp __assert_fail
    acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atan2 atan2f atanh atanhf
    cbrt cbrtf ceil ceilf cos cosf cosh coshf erf erff erfc erfcf exp expf exp2 exp2f expm1 expm1f
    floor floorf fma fmaf fmod fmodf hypot hypotf log logf log10 log10f log1p log1pf log2 log2f
    nearbyint nearbyintf pow powf sin sinf sinh sinhf tan tanf tanh tanhf trunc truncf
    ccos cexp clog cpow csin csqrt ctan ctanh
}

macro_rules! wide_integers {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty { $body:expr })*) => {
        mod wide {
            $(pub(super) extern "C" fn $name($($arg: $ty),*) -> $result { $body })*
        }
        /// The functions of compiler support libraries on 128-bit integers.
        fn wide_integers() -> impl Iterator<Item = (&'static str, usize)> {
            [$((stringify!($name), wide::$name as *const c_void as usize)),*].into_iter()
        }
    };
}

// Undefined results (division by zero and overflow) must not unwind out of here.
wide_integers! {
    __divti3(a: i128, b: i128) -> i128 { a.checked_div(b).unwrap_or(a) }
    __udivti3(a: u128, b: u128) -> u128 { a.checked_div(b).unwrap_or(0) }
    __modti3(a: i128, b: i128) -> i128 { a.checked_rem(b).unwrap_or(0) }
    __umodti3(a: u128, b: u128) -> u128 { a.checked_rem(b).unwrap_or(0) }
    __floattisf(a: i128) -> f32 { a as f32 }
    __floattidf(a: i128) -> f64 { a as f64 }
    __floatuntisf(a: u128) -> f32 { a as f32 }
    __floatuntidf(a: u128) -> f64 { a as f64 }
    __fixsfti(a: f32) -> i128 { a as i128 }
    __fixdfti(a: f64) -> i128 { a as i128 }
    __fixunssfti(a: f32) -> u128 { a as u128 }
    __fixunsdfti(a: f64) -> u128 { a as u128 }
}

/// Addresses by name.
static KNOWN: LazyLock<FxHashMap<&'static str, usize>> = LazyLock::new(|| {
    let runtime = freehold_runtime::SYMBOLS
        .iter()
        .map(|symbol| (symbol.name, symbol.address().addr()));
    c_library()
        .chain(wide_integers())
        .chain(probe::functions())
        .chain(runtime)
        .collect()
});

/// The address of a function of the runtime or of the C library.
pub(super) fn known(name: &str) -> Option<*const u8> {
    KNOWN
        .get(name)
        .map(|&address| std::ptr::without_provenance(address))
}

/// A shared library. It stays loaded: what it registered with the process may
/// outlive the code that used it.
#[derive(Debug)]
pub(super) struct Library(ManuallyDrop<dynamic::Library>);

impl Library {
    /// Loads a library; the error says why not.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        // SAFETY: initializers of the library run, which whoever names it has asked for.
        let library = unsafe { dynamic::Library::open(Some(path), dynamic::RTLD_NOW) };
        library
            .map(|library| Self(ManuallyDrop::new(library)))
            .map_err(|error| reason(&error))
    }

    /// The same for a library that loads others, which expect to find its symbols.
    pub(super) fn open_for_all(path: &Path) -> Result<Self, String> {
        let flags = dynamic::RTLD_NOW | dynamic::RTLD_GLOBAL;
        // SAFETY: initializers of the library run, which a program that calls it has asked for.
        let library = unsafe { dynamic::Library::open(Some(path), flags) };
        library
            .map(|library| Self(ManuallyDrop::new(library)))
            .map_err(|error| reason(&error))
    }

    /// What this process is made of.
    fn process() -> Self {
        Self(ManuallyDrop::new(dynamic::Library::this()))
    }

    pub(super) fn find(&self, name: &str) -> Option<*const u8> {
        // SAFETY: only the address is taken, and the library stays loaded.
        let symbol = unsafe { self.0.get::<*const u8>(name) }.ok()?;
        let address = symbol.as_raw_ptr().cast_const().cast::<u8>();
        (!address.is_null()).then_some(address)
    }
}

/// Why a library was not loaded.
fn reason(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(reason) => reason.to_string(),
        None => error.to_string(),
    }
}

/// The address of a symbol: of the first library that has it, else of the
/// runtime, else of this process.
pub(super) fn find(name: &str, libraries: &[Library]) -> Option<*const u8> {
    (libraries.iter().find_map(|library| library.find(name)))
        .or_else(|| known(name))
        .or_else(|| Library::process().find(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_generated_code_may_call_is_known() {
        for external in crate::external::all() {
            assert!(known(external.name).is_some(), "{}", external.name);
        }
    }

    #[test]
    fn the_process_and_libraries_are_searched() {
        assert!(find("getpid", &[]).is_some());
        assert!(find("no_such_function_anywhere", &[]).is_none());
        assert!(Library::open(Path::new("/nonexistent/libnothing.so")).is_err());
    }
}
