//! Upstream's lowerings to the llvm dialect, and those that expand what some targets lack: `convert-arith-to-llvm`,
//! `finalize-memref-to-llvm`, `arith-expand` and so on.
//!
//! The backend compiles the operations that they lower, so they leave the program as it is, and
//! `freehold opt FLAGS FILE | freehold run -` does what the same flags do for upstream's runner. `opt` says so once.
//! Options that only concern how LLVM's code comes out are accepted. The one for bare pointers marks the functions, which
//! the backend heeds; one that changes which functions the program calls is an error.

use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::names::Name;

use crate::manage::options::{OptionKind, OptionValue, pass_options};
use crate::manage::pass::{Anchor, Pass, PassContext, PassDef};
use crate::rewrite::functions;

/// The width of an index: that of the backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBits(u32);

impl OptionValue for IndexBits {
    const KIND: OptionKind = OptionKind::Other("0 or 64, as indices have 64 bits");

    fn read(text: &str) -> Option<Self> {
        let bits = text.parse().ok()?;
        matches!(bits, 0 | 64).then_some(Self(bits))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

/// A choice that cannot be made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never;

impl OptionValue for Never {
    const KIND: OptionKind = OptionKind::Other(
        "false: it changes how functions are called, which 'freehold run' does not",
    );

    fn read(text: &str) -> Option<Self> {
        matches!(text, "false" | "False" | "FALSE" | "0").then_some(Self)
    }

    fn text(&self) -> String {
        "false".to_owned()
    }
}

pass_options! {
    /// Options of all of them.
    pub struct Unheeded {
        /// width of indices, 0 for that of the machine
        "index-bitwidth" index_bitwidth: IndexBits = IndexBits(0),
    }
}

pass_options! {
    /// Options of `convert-func-to-llvm`.
    pub struct OfFunctions {
        /// width of indices, 0 for that of the machine
        "index-bitwidth" index_bitwidth: IndexBits = IndexBits(0),
        /// take memrefs as bare pointers, where other objects call or define the function
        "use-bare-ptr-memref-call-conv" bare_pointers: bool = false,
    }
}

pass_options! {
    /// Options of `finalize-memref-to-llvm`.
    pub struct OfBuffers {
        /// width of indices, 0 for that of the machine
        "index-bitwidth" index_bitwidth: IndexBits = IndexBits(0),
        /// accepted: allocations are aligned as the program says
        "use-aligned-alloc" aligned: bool = false,
        /// call allocation functions of the user's instead of malloc and free
        "use-generic-functions" generic: Never = Never,
    }
}

pass_options! {
    /// Options of `convert-vector-to-llvm`.
    pub struct OfVectors {
        /// accepted: reductions add up in the order that 'run --fp' says
        "reassociate-fp-reductions" reassociate: bool = false,
        /// accepted
        "force-32bit-vector-indices" short_indices: bool = false,
        /// accepted
        "use-vector-alignment" alignment: bool = false,
        /// accepted, as are the following, for processors that are not compiled for
        "enable-amx" amx: bool = false,
        /// accepted
        "enable-arm-bf16" bf16: bool = false,
        /// accepted
        "enable-arm-i8mm" i8mm: bool = false,
        /// accepted
        "enable-arm-neon" neon: bool = false,
        /// accepted
        "enable-arm-sve" sve: bool = false,
        /// accepted
        "enable-x86vector" x86: bool = false,
        /// accepted
        "vector-contract-lowering" contract: String = String::new(),
        /// accepted
        "vector-transpose-lowering" transpose: String = String::new(),
    }
}

pass_options! {
    /// Options of `convert-math-to-llvm`.
    pub struct OfMath {
        /// accepted: log1p is as exact as without it
        "approximate-log1p" log1p: bool = true,
    }
}

pass_options! {
    /// Options of `convert-math-to-funcs`.
    pub struct OfMathFunctions {
        /// accepted
        "convert-ctlz" ctlz: bool = false,
        /// accepted
        "min-width-of-fpowi-exponent" exponent_bits: u32 = 1,
    }
}

pass_options! {
    /// Options of `arith-expand`.
    pub struct OfExpansion {
        /// accepted
        "include-bf16" bf16: bool = false,
        /// accepted
        "include-f8e8m0" f8: bool = false,
        /// accepted
        "include-f4e2m1" f4: bool = false,
    }
}

pass_options! {
    /// Options of `lower-vector-multi-reduction`.
    pub struct OfReductions {
        /// accepted
        "lowering-strategy" strategy: String = "inner-parallel".to_owned(),
    }
}

pass_options! {
    /// Options of `math-expand-ops`.
    pub struct OfMathExpansion {
        /// accepted: those to expand
        "ops" ops: Vec<String> = Vec::new(),
    }
}

pass_options! {
    /// Options of passes that compute on short floats as wider ones.
    pub struct OfFloats {
        /// accepted: each operation rounds to its type
        "source-types" source_types: Vec<String> = Vec::new(),
        /// accepted
        "extra-types" extra_types: Vec<String> = Vec::new(),
        /// accepted
        "target-type" target_type: String = "f32".to_owned(),
    }
}

pass_options! {
    /// Options of `test-arith-emulate-wide-int`.
    pub struct OfWideIntegers {
        /// accepted: integers of all widths are compiled
        "widest-int-supported" widest: u32 = 32,
        /// accepted
        "function-prefix" prefix: String = "emulate_".to_owned(),
    }
}

pass_options! {
    /// Options of `async-parallel-for`.
    pub struct OfParallelLoops {
        /// accepted
        "async-dispatch" dispatch: bool = true,
        /// accepted: 'run --threads' says how many
        "num-workers" workers: String = "8".to_owned(),
        /// accepted
        "min-task-size" task_size: u32 = 1000,
    }
}

pass_options! {
    /// Options of lowerings of complex numbers.
    pub struct OfComplex {
        /// accepted: divisions are exact for all numbers
        "complex-range" range: String = String::new(),
    }
}

pass_options! {
    /// Options of `convert-to-llvm`.
    pub struct OfAll {
        /// accepted
        "filter-dialects" filter: Vec<String> = Vec::new(),
        /// accepted
        "dynamic" dynamic: bool = false,
        /// accepted
        "allow-pattern-rollback" rollback: bool = true,
    }
}

pass_options! {
    /// Options of `test-linalg-transform-patterns`.
    pub struct OfLinalg {
        /// accepted
        "test-generalize-pad-tensor" pad: bool = false,
        /// accepted
        "test-linalg-to-vector-patterns" vector: bool = false,
    }
}

pass_options! {
    /// Options of `test-math-polynomial-approximation`.
    pub struct OfApproximations {
        /// accepted
        "enable-avx2" avx2: bool = false,
    }
}

pass_options! {
    /// Options of `transform-interpreter`.
    pub struct OfScripts {
        /// accepted: no script runs
        "entry-point" entry_point: String = "__transform_main".to_owned(),
    }
}

/// The passes that run transform scripts or erase them: a program with one of these is read without its scripts, which say
/// how to compile and not what the program computes.
pub static OF_SCRIPTS: [&str; 2] = [TEST_SCRIPTS.name, SCRIPTS.name];

/// Does nothing: the backend compiles the operations as they are.
fn leave<O>(_: &mut Ir, _: &mut PassContext<'_, O>) -> Result<(), Failed> {
    Ok(())
}

/// Functions say themselves how others call them.
fn mark_bare_pointers(
    ir: &mut Ir,
    context: &mut PassContext<'_, OfFunctions>,
) -> Result<(), Failed> {
    if context.options.bare_pointers {
        for stub in functions::functions(ir) {
            if let Some(function) = ir.nested_mut(stub) {
                function.set_attr(function.root(), Name::BARE_POINTERS, Attr::UNIT);
            }
        }
    }
    Ok(())
}

macro_rules! lowerings {
    (@run $Options:ty) => { leave::<$Options> };
    (@run $Options:ty, $run:ident) => { $run };
    ($($row:ident: $Options:ty = $name:literal, $what:literal $(, $run:ident)?;)*) => {
        $(
            static $row: PassDef<$Options> = PassDef {
                name: $name,
                summary: concat!("leave ", $what, " as they are: 'run' and 'compile' take them"),
                anchor: Anchor::Any,
                run: lowerings!(@run $Options $(, $run)?),
            };
        )*

        /// All of them, sorted by name.
        pub static ALL: &[&dyn Pass] = &[$(&$row),*];
    };
}

lowerings! {
    AFFINE_INDEX: () = "affine-expand-index-ops", "subscripts that are taken apart";
    AFFINE_INDEX_AFFINE: () = "affine-expand-index-ops-as-affine", "subscripts that are taken apart";
    ARITH_FLOATS: OfFloats = "arith-emulate-unsupported-floats", "floats that some targets lack";
    ARITH_EXPAND: OfExpansion = "arith-expand", "operations of arith that some targets lack";
    ASYNC_PARALLEL_FOR: OfParallelLoops = "async-parallel-for", "parallel loops";
    ASYNC_REFERENCES: () = "async-runtime-ref-counting", "operations of async";
    ASYNC_REFERENCES_OPT: () = "async-runtime-ref-counting-opt", "operations of async";
    ASYNC_REFERENCES_POLICY: () = "async-runtime-policy-based-ref-counting", "operations of async";
    ASYNC_RUNTIME: () = "async-to-async-runtime", "operations of async";
    ARITH_TABLES: () = "convert-arith-extf-to-lut", "floats of 8 bits";
    ARITH_APFLOAT: () = "convert-arith-to-apfloat", "floats that some targets lack";
    ARITH: Unheeded = "convert-arith-to-llvm", "operations of arith";
    ASYNC: () = "convert-async-to-llvm", "operations of async";
    CF: Unheeded = "convert-cf-to-llvm", "branches";
    COMPLEX_LIBM: () = "convert-complex-to-libm", "operations of complex";
    COMPLEX: OfComplex = "convert-complex-to-llvm", "operations of complex";
    COMPLEX_STANDARD: OfComplex = "convert-complex-to-standard", "operations of complex";
    FUNC: OfFunctions = "convert-func-to-llvm", "functions", mark_bare_pointers;
    INDEX: Unheeded = "convert-index-to-llvm", "operations of index";
    MATH_APFLOAT: () = "convert-math-to-apfloat", "floats that some targets lack";
    MATH_FUNCS: OfMathFunctions = "convert-math-to-funcs", "operations of math";
    MATH_LIBM: () = "convert-math-to-libm", "operations of math";
    MATH: OfMath = "convert-math-to-llvm", "operations of math";
    TO_LLVM: OfAll = "convert-to-llvm", "operations of all dialects";
    UB: Unheeded = "convert-ub-to-llvm", "operations of ub";
    VECTOR: OfVectors = "convert-vector-to-llvm", "operations of vector";
    MEMREF: OfBuffers = "finalize-memref-to-llvm", "operations of memref";
    LOWER_MASK: () = "lower-vector-mask", "masked operations";
    LOWER_MULTI_REDUCTION: OfReductions = "lower-vector-multi-reduction", "reductions of some dimensions";
    LOWER_SHUFFLES: () = "lower-vector-to-from-elements-to-shuffle-tree", "vectors of elements";
    MATH_EXPAND: OfMathExpansion = "math-expand-ops", "operations of math";
    MATH_FLOATS: OfFloats = "math-extend-to-supported-types", "floats that some targets lack";
    RECONCILE: () = "reconcile-unrealized-casts", "types";
    TEST_WIDE: OfWideIntegers = "test-arith-emulate-wide-int", "integers that some targets lack";
    TEST_EXPAND_MATH: () = "test-expand-math", "operations of math";
    TEST_LINALG: OfLinalg = "test-linalg-transform-patterns", "operations of linalg";
    TEST: () = "test-lower-to-llvm", "operations of all dialects";
    TEST_MATH: OfApproximations = "test-math-polynomial-approximation", "operations of math";
    TEST_SCRIPTS: () = "test-transform-dialect-erase-schedule", "programs without their transform scripts";
    TEST_SCAN: () = "test-vector-scan-lowering", "scans of vectors";
    SCRIPTS: OfScripts = "transform-interpreter", "programs without their transform scripts";
}
