//! Functions of the C library, the compiler support library and the runtime
//! that generated code calls.
//!
//! Objects in plain mode refer only to what every C program is linked with; the
//! `freehold_` functions appear in the other modes, in conversions of 8-bit floats, and
//! where the runtime is linked with the code, in assertions.

use std::sync::LazyLock;

use cranelift_codegen::ir::{self as clif, types};
use rustc_hash::FxHashSet;

const I8: clif::Type = types::I8;
const I16: clif::Type = types::I16;
const I32: clif::Type = types::I32;
const I64: clif::Type = types::I64;
const I128: clif::Type = types::I128;
const F32: clif::Type = types::F32;
const F64: clif::Type = types::F64;

/// A function that generated code may call.
#[derive(Debug)]
pub(crate) struct External {
    /// Its name in object files.
    pub(crate) name: &'static str,
    /// Parameter types.
    pub(crate) params: &'static [clif::Type],
    /// Result type, or nothing.
    pub(crate) results: &'static [clif::Type],
}

/// A function of the C library in single and double precision.
#[derive(Debug)]
pub(crate) struct MathFunction {
    /// `sinf`
    pub(crate) f32: External,
    /// `sin`
    pub(crate) f64: External,
}

/// Every function declared below.
pub(crate) fn all() -> impl Iterator<Item = &'static External> {
    let functions = FUNCTIONS.iter().copied();
    let math = MATH_FUNCTIONS.iter().flat_map(|f| [&f.f32, &f.f64]);
    let floats = SMALL_FLOATS.iter().flat_map(|f| &f.functions);
    functions.chain(math).chain(floats)
}

/// Functions of the C library that objects call at their start, to look at the processor.
pub(crate) const AT_START: &[&str] = &["write", "_exit", "getauxval"];

/// Whether generated code may call a function of this name.
pub(crate) fn is_external(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let names = all().map(|external| external.name);
        names.chain(AT_START.iter().copied()).collect()
    });
    NAMES.contains(name)
}

macro_rules! externals {
    ($($(#[$meta:meta])* $ident:ident = $name:literal [$($param:expr),*] -> [$($result:expr),*];)*) => {
        $(
            $(#[$meta])*
            pub(crate) static $ident: External =
                External { name: $name, params: &[$($param),*], results: &[$($result),*] };
        )*
        static FUNCTIONS: &[&External] = &[$(&$ident),*];
    };
}

externals! {
    /// `malloc(size)`
    MALLOC = "malloc" [I64] -> [I64];
    /// `aligned_alloc(alignment, size)`
    ALIGNED_ALLOC = "aligned_alloc" [I64, I64] -> [I64];
    /// `free(pointer)`
    FREE = "free" [I64] -> [];
    /// `memcpy(to, from, size)`
    MEMCPY = "memcpy" [I64, I64, I64] -> [I64];
    /// `memmove(to, from, size)`
    MEMMOVE = "memmove" [I64, I64, I64] -> [I64];
    /// `memset(to, byte, size)`
    MEMSET = "memset" [I64, I32, I64] -> [I64];
    /// `memrefCopy(element_size, source, target)` on unranked memrefs
    MEMREF_COPY = "memrefCopy" [I64, I64, I64] -> [];
    /// `(function, arguments, begin, end, threads)`
    PARALLEL = "freehold_parallel" [I64, I64, I64, I64, I64] -> [];
    /// `(function, arguments, their size, threads, whether it may wait for the caller)`: what stands for the call
    ASYNC_START = "freehold_async_start" [I64, I64, I64, I64, I64] -> [I64];
    /// `(size, alignment, site)`
    COUNT_ALLOC = "freehold_count_alloc" [I64, I64, I64] -> [I64];
    /// `(pointer, site)`
    COUNT_FREE = "freehold_count_free" [I64, I64] -> [];
    /// `(bytes)`
    COUNT_COPY = "freehold_count_copy" [I64] -> [];
    /// `(size, alignment, site)`
    CHECK_ALLOC = "freehold_check_alloc" [I64, I64, I64] -> [I64];
    /// `(pointer, site)`
    CHECK_FREE = "freehold_check_free" [I64, I64] -> [];
    /// `(allocated, pointer, size, is_write, site)`
    CHECK_ACCESS_IN = "freehold_check_access_in" [I64, I64, I64, I8, I64] -> [];
    /// `(descriptor, rank, size of an element)`: the allocated pointer
    CHECK_LEND = "freehold_check_lend" [I64, I64, I64] -> [I64];
    /// `(allocated)`
    CHECK_TAKE_BACK = "freehold_check_take_back" [I64] -> [];
    /// `(pointer, site)`
    CHECK_FOREIGN_RESULT = "freehold_check_foreign_result" [I64, I64] -> [];
    /// `(retained pointers and owners, how many retained, how many owners)`; replaces all by what is
    /// left and returns where that ends
    RETAIN = "freehold_retain" [I64, I64, I64] -> [I64];
    /// `(where to put the descriptor of a memref of bytes, how many)`
    TAKE_SCRATCH = "_mlir_ciface_freehold_take_scratch" [I64, I64] -> [];
    /// `(where that descriptor is)`
    RETURN_SCRATCH = "_mlir_ciface_freehold_return_scratch" [I64] -> [];
    /// `(message, length, site)`
    ASSERT_FAILED = "freehold_assert_failed" [I64, I64, I64] -> [];
    /// `(message, file, line, function)`: what the C library has for failed assertions
    C_ASSERT_FAILED = "__assert_fail" [I64, I64, I32, I64] -> [];
    /// `(how many words the command line has, where they are)`
    REFUSE_ARGUMENTS = "freehold_refuse_arguments" [I32, I64] -> [];
    /// `(how many words the command line has, where they are, description of functions, dispatch, who keeps books)`:
    /// the exit status, or -1 if the entry point is to be called
    COMMAND_LINE = "freehold_command_line" [I32, I64, I64, I64, I32] -> [I32];
    /// `(exit status)`: the same, or that of a failure if output could not be written
    END_OUTPUT = "freehold_end_output" [I32] -> [I32];
    /// `(json)`
    STATS_REPORT = "freehold_stats_report" [I8] -> [];
    /// `() -> exit status`
    CHECK_REPORT = "freehold_check_report" [] -> [I32];
    PRINT_BF16 = "printBF16" [I16] -> [];
    PRINT_CLOSE = "printClose" [] -> [];
    PRINT_COMMA = "printComma" [] -> [];
    PRINT_F16 = "printF16" [I16] -> [];
    PRINT_F32 = "printF32" [F32] -> [];
    PRINT_F64 = "printF64" [F64] -> [];
    PRINT_I64 = "printI64" [I64] -> [];
    PRINT_NEWLINE = "printNewline" [] -> [];
    PRINT_OPEN = "printOpen" [] -> [];
    /// `(zero-terminated text)`
    PRINT_STRING = "printString" [I64] -> [];
    PRINT_U64 = "printU64" [I64] -> [];
    DIVTI3 = "__divti3" [I128, I128] -> [I128];
    UDIVTI3 = "__udivti3" [I128, I128] -> [I128];
    MODTI3 = "__modti3" [I128, I128] -> [I128];
    UMODTI3 = "__umodti3" [I128, I128] -> [I128];
    FLOATTISF = "__floattisf" [I128] -> [F32];
    FLOATTIDF = "__floattidf" [I128] -> [F64];
    FLOATUNTISF = "__floatuntisf" [I128] -> [F32];
    FLOATUNTIDF = "__floatuntidf" [I128] -> [F64];
    FIXSFTI = "__fixsfti" [F32] -> [I128];
    FIXDFTI = "__fixdfti" [F64] -> [I128];
    FIXUNSSFTI = "__fixunssfti" [F32] -> [I128];
    FIXUNSDFTI = "__fixunsdfti" [F64] -> [I128];
    // Complex functions, in double precision: real and imaginary part.
    CCOS = "ccos" [F64, F64] -> [F64, F64];
    CEXP = "cexp" [F64, F64] -> [F64, F64];
    CLOG = "clog" [F64, F64] -> [F64, F64];
    CPOW = "cpow" [F64, F64, F64, F64] -> [F64, F64];
    CSIN = "csin" [F64, F64] -> [F64, F64];
    CSQRT = "csqrt" [F64, F64] -> [F64, F64];
    CTAN = "ctan" [F64, F64] -> [F64, F64];
    CTANH = "ctanh" [F64, F64] -> [F64, F64];
}

macro_rules! math_functions {
    ($($ident:ident = $f32:literal $f64:literal ($n:tt);)*) => {
        $(
            pub(crate) static $ident: MathFunction = MathFunction {
                f32: External { name: $f32, params: math_functions!(@ F32 $n), results: &[F32] },
                f64: External { name: $f64, params: math_functions!(@ F64 $n), results: &[F64] },
            };
        )*
        static MATH_FUNCTIONS: &[&MathFunction] = &[$(&$ident),*];
    };
    (@ $ty:ident 1) => { &[$ty] };
    (@ $ty:ident 2) => { &[$ty, $ty] };
}

math_functions! {
    ACOS = "acosf" "acos" (1);
    ACOSH = "acoshf" "acosh" (1);
    ASIN = "asinf" "asin" (1);
    ASINH = "asinhf" "asinh" (1);
    ATAN = "atanf" "atan" (1);
    ATAN2 = "atan2f" "atan2" (2);
    ATANH = "atanhf" "atanh" (1);
    CBRT = "cbrtf" "cbrt" (1);
    COS = "cosf" "cos" (1);
    COSH = "coshf" "cosh" (1);
    ERF = "erff" "erf" (1);
    ERFC = "erfcf" "erfc" (1);
    EXP = "expf" "exp" (1);
    EXP2 = "exp2f" "exp2" (1);
    EXPM1 = "expm1f" "expm1" (1);
    FMOD = "fmodf" "fmod" (2);
    HYPOT = "hypotf" "hypot" (2);
    LOG = "logf" "log" (1);
    LOG10 = "log10f" "log10" (1);
    LOG1P = "log1pf" "log1p" (1);
    LOG2 = "log2f" "log2" (1);
    POW = "powf" "pow" (2);
    SIN = "sinf" "sin" (1);
    SINH = "sinhf" "sinh" (1);
    TAN = "tanf" "tan" (1);
    TANH = "tanhf" "tanh" (1);
}

/// The runtime's conversions of one float format of at most 8 bits.
#[derive(Debug)]
pub(crate) struct SmallFloat {
    /// To `f32`, from `f32`, from `f64`.
    pub(crate) functions: [External; 3],
}

macro_rules! small_floats {
    ($($ident:ident = $to_f32:literal $from_f32:literal $from_f64:literal;)*) => {
        $(
            pub(crate) static $ident: SmallFloat = SmallFloat {
                functions: [
                    External { name: $to_f32, params: &[I8], results: &[F32] },
                    External { name: $from_f32, params: &[F32], results: &[I8] },
                    External { name: $from_f64, params: &[F64], results: &[I8] },
                ],
            };
        )*
        static SMALL_FLOATS: &[&SmallFloat] = &[$(&$ident),*];
    };
}

small_floats! {
    F4E2M1FN =
        "freehold_f32_from_f4e2m1fn" "freehold_f4e2m1fn_from_f32" "freehold_f4e2m1fn_from_f64";
    F6E2M3FN =
        "freehold_f32_from_f6e2m3fn" "freehold_f6e2m3fn_from_f32" "freehold_f6e2m3fn_from_f64";
    F6E3M2FN =
        "freehold_f32_from_f6e3m2fn" "freehold_f6e3m2fn_from_f32" "freehold_f6e3m2fn_from_f64";
    F8E8M0FNU =
        "freehold_f32_from_f8e8m0fnu" "freehold_f8e8m0fnu_from_f32" "freehold_f8e8m0fnu_from_f64";
    F8E5M2 = "freehold_f32_from_f8e5m2" "freehold_f8e5m2_from_f32" "freehold_f8e5m2_from_f64";
    F8E4M3 = "freehold_f32_from_f8e4m3" "freehold_f8e4m3_from_f32" "freehold_f8e4m3_from_f64";
    F8E3M4 = "freehold_f32_from_f8e3m4" "freehold_f8e3m4_from_f32" "freehold_f8e3m4_from_f64";
    F8E4M3FN =
        "freehold_f32_from_f8e4m3fn" "freehold_f8e4m3fn_from_f32" "freehold_f8e4m3fn_from_f64";
    F8E5M2FNUZ = "freehold_f32_from_f8e5m2fnuz" "freehold_f8e5m2fnuz_from_f32"
        "freehold_f8e5m2fnuz_from_f64";
    F8E4M3FNUZ = "freehold_f32_from_f8e4m3fnuz" "freehold_f8e4m3fnuz_from_f32"
        "freehold_f8e4m3fnuz_from_f64";
    F8E4M3B11FNUZ = "freehold_f32_from_f8e4m3b11fnuz" "freehold_f8e4m3b11fnuz_from_f32"
        "freehold_f8e4m3b11fnuz_from_f64";
}

/// Whether the runtime has a function of this name.
pub(crate) fn runtime_defines(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let symbols = freehold_runtime::SYMBOLS.iter();
        symbols.map(|symbol| symbol.name).collect()
    });
    NAMES.contains(name)
}
