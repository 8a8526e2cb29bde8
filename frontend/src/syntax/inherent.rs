//! Inherent attributes that MLIR has and rows do not, because nothing here looks at them: they are kept as any
//! other attribute, and stand among properties in generic form and in bytecode. Which there are is different in
//! versions of MLIR.

use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::names::Name;
use crate::ir::op_def::OpDef;
use crate::ir::version::MlirVersion;

/// Which versions of MLIR have an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum In {
    /// MLIR 19 alone.
    V19,
    /// MLIR 22 alone.
    V22,
    /// Both.
    Both,
}

impl In {
    /// Whether `version` is one of these.
    pub(crate) fn has(self, version: MlirVersion) -> bool {
        match self {
            Self::Both => true,
            Self::V19 => version == MlirVersion::V19,
            Self::V22 => version == MlirVersion::V22,
        }
    }
}

use In::{Both, V19, V22};

/// Operations, the versions, whether the attributes must be there, and their names.
type Row = (&'static [&'static str], In, bool, &'static [&'static str]);

const ALIASING: &[&str] = &["access_groups", "alias_scopes", "noalias_scopes", "tbaa"];
const ARGUMENTS: &[&str] = &["arg_attrs", "res_attrs"];
const INITIALIZERS: &[&str] = &["llvm.mlir.global_ctors", "llvm.mlir.global_dtors"];

const MEMORY_INTRINSICS: &[&str] = &["llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memset"];

const ROWS: &[Row] = &[
    (
        &["affine.delinearize_index", "affine.linearize_index"],
        V22,
        true,
        &["static_basis"],
    ),
    (&["affine.if"], V22, true, &["condition"]),
    (
        &["arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui"],
        V22,
        false,
        &["isExact"],
    ),
    (&["cf.cond_br"], V22, false, &["branch_weights"]),
    (&["func.call", "func.call_indirect"], V22, false, ARGUMENTS),
    (
        &["func.call", "func.func", "scf.execute_region"],
        V22,
        false,
        &["no_inline"],
    ),
    (
        &["linalg.batch_matmul", "linalg.batch_reduce_matmul"],
        V22,
        false,
        &["cast"],
    ),
    (
        &[
            "linalg.batch_matmul",
            "linalg.batch_reduce_matmul",
            "linalg.matmul",
        ],
        V22,
        false,
        &["indexing_maps"],
    ),
    (
        &[
            "memref.load",
            "memref.store",
            "vector.compressstore",
            "vector.expandload",
            "vector.gather",
            "vector.load",
            "vector.maskedload",
            "vector.maskedstore",
            "vector.scatter",
            "vector.store",
        ],
        V22,
        false,
        &["alignment"],
    ),
    (
        &[
            "llvm.atomicrmw",
            "llvm.call",
            "llvm.cmpxchg",
            "llvm.load",
            "llvm.store",
        ],
        Both,
        false,
        ALIASING,
    ),
    (MEMORY_INTRINSICS, Both, false, ALIASING),
    (MEMORY_INTRINSICS, V22, false, ARGUMENTS),
    (&["llvm.cmpxchg"], Both, false, &["weak"]),
    (
        &["llvm.br", "llvm.cond_br"],
        Both,
        false,
        &["loop_annotation"],
    ),
    (&["llvm.fence"], Both, true, &["ordering"]),
    (
        &["llvm.intr.lifetime.end", "llvm.intr.lifetime.start"],
        V19,
        true,
        &["size"],
    ),
    (
        &["llvm.ashr", "llvm.lshr", "llvm.sdiv", "llvm.udiv"],
        V22,
        false,
        &["isExact"],
    ),
    (INITIALIZERS, V22, true, &["data"]),
    (&["llvm.or"], V22, false, &["isDisjoint"]),
    (
        &["llvm.inttoptr", "llvm.load"],
        V22,
        false,
        &["dereferenceable"],
    ),
    (
        &["llvm.load", "llvm.store"],
        V22,
        false,
        &["invariantGroup"],
    ),
    (
        &[
            "llvm.intr.masked.compressstore",
            "llvm.intr.masked.expandload",
        ],
        V22,
        false,
        ARGUMENTS,
    ),
    (&["llvm.intr.masked.load"], V22, false, &["nontemporal"]),
    (
        &["llvm.call", "llvm.intr.assume"],
        V22,
        true,
        &["op_bundle_sizes"],
    ),
    (
        &["llvm.call", "llvm.intr.assume"],
        V22,
        false,
        &["op_bundle_tags"],
    ),
    (
        &["llvm.call"],
        V22,
        false,
        &[
            "always_inline",
            "arg_attrs",
            "convergent",
            "inline_hint",
            "memory_effects",
            "no_inline",
            "no_unwind",
            "res_attrs",
            "will_return",
        ],
    ),
    (
        &["llvm.mlir.global"],
        Both,
        false,
        &["addr_space", "comdat", "dso_local", "section"],
    ),
    (&["llvm.mlir.global"], V19, false, &["dbg_expr"]),
    (
        &["llvm.mlir.global"],
        V22,
        false,
        &[
            "dbg_exprs",
            "externally_initialized",
            "target_specific_attrs",
        ],
    ),
    (
        &["llvm.func"],
        Both,
        false,
        &[
            "alignment",
            "always_inline",
            "arm_in_za",
            "arm_inout_za",
            "arm_locally_streaming",
            "arm_new_za",
            "arm_out_za",
            "arm_preserves_za",
            "arm_streaming",
            "arm_streaming_compatible",
            "comdat",
            "convergent",
            "denormal_fp_math",
            "denormal_fp_math_f32",
            "dso_local",
            "fp_contract",
            "frame_pointer",
            "function_entry_count",
            "garbageCollector",
            "no_infs_fp_math",
            "no_inline",
            "no_nans_fp_math",
            "no_signed_zeros_fp_math",
            "no_unwind",
            "optimize_none",
            "passthrough",
            "personality",
            "section",
            "target_cpu",
            "target_features",
            "tune_cpu",
            "vscale_range",
            "will_return",
        ],
    ),
    (
        &["llvm.func"],
        V19,
        false,
        &["approx_func_fp_math", "memory", "unsafe_fp_math"],
    ),
    (
        &["llvm.func"],
        V22,
        false,
        &[
            "inline_hint",
            "instrument_function_entry",
            "instrument_function_exit",
            "intel_reqd_sub_group_size",
            "memory_effects",
            "prefer_vector_width",
            "reciprocal_estimates",
            "reqd_work_group_size",
            "uwtable_kind",
            "vec_type_hint",
            "work_group_size_hint",
        ],
    ),
];

/// Attributes of rows that a version of MLIR does not have.
const NOT_IN: &[(&[&str], In, &str)] = &[
    (&["affine.delinearize_index"], V19, "static_basis"),
    (&["arith.trunci"], V19, "overflowFlags"),
    (&["async.call"], V19, "arg_attrs"),
    (&["async.call"], V19, "res_attrs"),
    (INITIALIZERS, V19, "data"),
    (&["llvm.zext", "llvm.uitofp"], V19, "nonNeg"),
    (
        &[
            "arith.divsi",
            "arith.divui",
            "arith.shrsi",
            "arith.shrui",
            "llvm.ashr",
            "llvm.lshr",
            "llvm.sdiv",
            "llvm.udiv",
        ],
        V19,
        "isExact",
    ),
    (&["llvm.or"], V19, "isDisjoint"),
    (&["scf.for"], V19, "unsignedCmp"),
    (&["llvm.call"], V22, "branch_weights"),
    (&["llvm.getelementptr"], V22, "inbounds"),
    (
        &["llvm.intr.lifetime.end", "llvm.intr.lifetime.start"],
        V22,
        "size",
    ),
];

/// What `version` has besides the attributes of a row, or whether what the row has must be there: names, and
/// whether they must be there.
pub(crate) fn more(
    def: &OpDef,
    version: MlirVersion,
) -> impl Iterator<Item = (&'static str, bool)> + use<> {
    let name = def.name;
    let rows = ROWS
        .iter()
        .filter(move |row| row.1.has(version) && row.0.contains(&name));
    rows.flat_map(|row| row.3.iter().map(|attribute| (*attribute, row.2)))
}

/// Whether `version` does not have this attribute of a row.
pub(crate) fn is_missing(def: &OpDef, attribute: &str, version: MlirVersion) -> bool {
    NOT_IN.iter().any(|(ops, range, missing)| {
        *missing == attribute && range.has(version) && ops.contains(&def.name)
    })
}

/// Whether any version has this attribute, besides those of the row.
pub(crate) fn is_known(def: &OpDef, attribute: &str) -> bool {
    ROWS.iter()
        .any(|row| row.0.contains(&def.name) && row.3.contains(&attribute))
}

/// The value of an attribute that must be there in MLIR 22 and says nothing new.
pub(crate) fn default_in_22(context: &Context, name: Name) -> Option<Attr> {
    match context.name(name) {
        "op_bundle_sizes" => Some(context.i32_array_attr(&[])),
        "static_basis" => Some(context.i64_array_attr(&[])),
        _ => None,
    }
}
