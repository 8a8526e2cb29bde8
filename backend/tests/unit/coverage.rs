//! Which operations work: holds the tables and the rows of all dialects against
//! each other, and writes `backend/COVERAGE.md`.
//!
//! `UPDATE_CHECKS=1 cargo test -p freehold-backend --test unit coverage` writes the file
//! anew; without the variable the test fails if it is stale.

use std::fmt::Write as _;
use std::path::Path;

use freehold_backend::operations_with_code;
use freehold_frontend::dialects;
use freehold_frontend::ir::op_def::OpDef;

/// Dialects that passes lower before code is generated.
const DIALECTS_OF_PASSES: &[&str] = &[
    "affine",
    "async",
    "bufferization",
    "chlo",
    "hal",
    "irdl",
    "iree_linalg_ext",
    "linalg",
    "ml_program",
    "mpi",
    "onnx",
    "scf",
    "sdy",
    "stablehlo",
    "tensor",
    "util",
    "vhlo",
];

/// Operations of other dialects that passes lower before code is generated, that
/// are part of others, or that stand outside of functions.
const OPS_OF_PASSES: &[&str] = &[
    "builtin.module",
    "func.func",
    "math.clampf",
    "math.isfinite",
    "math.isinf",
    "math.isnan",
    "math.isnormal",
    "math.sincos",
    "memref.global",
    "memref.realloc",
    "vector.constant_mask",
    "vector.contract",
    "vector.extractelement",
    "vector.flat_transpose",
    "vector.fma",
    "vector.insertelement",
    "vector.mask",
    "vector.matrix_multiply",
    "vector.multi_reduction",
    "vector.outerproduct",
    "vector.scan",
    "vector.splat",
    "vector.step",
    "vector.yield",
];

/// A dialect that passes lower, as far as it has no code.
const RAISED: &str = "llvm";

/// Operations that nothing lowers.
const WITHOUT_CODE: &[&str] = &[
    "affine.dma_start",
    "affine.dma_wait",
    "async.coro.begin",
    "async.coro.end",
    "async.coro.free",
    "async.coro.id",
    "async.coro.save",
    "async.coro.suspend",
    "async.runtime.add_ref",
    "async.runtime.add_to_group",
    "async.runtime.await_and_resume",
    "async.runtime.create",
    "async.runtime.create_group",
    "async.runtime.drop_ref",
    "async.runtime.resume",
    "async.runtime.set_available",
    "async.runtime.set_error",
    "async.runtime.store",
    "chlo._asin_acos_kernel",
    "chlo.bessel_i1e",
    "chlo.broadcast_compare",
    "chlo.broadcast_polygamma",
    "chlo.broadcast_zeta",
    "chlo.constant",
    "chlo.constant_like",
    "chlo.polygamma",
    "chlo.ragged_dot",
    "chlo.zeta",
    "memref.dma_start",
    "memref.dma_wait",
    "stablehlo.after_all",
    "stablehlo.async_done",
    "stablehlo.async_start",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.create_token",
    "stablehlo.get_tuple_element",
    "stablehlo.infeed",
    "stablehlo.outfeed",
    "stablehlo.recv",
    "stablehlo.send",
    "stablehlo.tuple",
    "stablehlo.uniform_dequantize",
    "stablehlo.uniform_quantize",
    "vector.scalable.extract",
    "vector.scalable.insert",
    "vector.vscale",
    "vector.warp_execute_on_lane_0",
];

const HEAD: &str = "\
# Which operations work

All registered operations. They are parsed in custom and generic form, verified, and printed as `mlir-opt`
prints them. \"Code\" are those that the code generator lowers itself, \"passes\" those that the pipelines of
`freehold run` and `freehold compile` make others of, or that are part of others. \"No code\" are errors that
name the operation when code is generated. Operations on tensors run by way of buffers; elementwise operations
of `arith` and `math` do so on tensors as well.

`UPDATE_CHECKS=1 cargo test -p freehold-backend --test unit coverage` writes this file from the tables of
`src/lower/` and the rows of the dialects; a test fails if it is stale.

| dialect | code | passes | no code |
|---|---|---|---|
";

const TAIL: &str = "
`tests/frontend/` has the round trips and errors, `tests/run/` programs whose output is that of MLIR's own
runner.

Limits: `vector.mask` runs around transfers, gathers, scatters, reductions and `vector.contract`; vectors have at
most 4096 elements and no scalable dimension; a `vector.contract` has at most 16384 products; a dimension
of memory that is accessed as a vector may have any stride. Types of more than 64 bits: `i65` to `i128` run,
`f80`, `f128` and `tf32` do not. `f16`, `bf16` and the 8-bit floats are computed in `f32` and rounded once.
`scf.parallel`, `scf.forall` and `affine.parallel` run one iteration after the other; with `--threads`, on
several threads unless they reduce something.
";

/// The columns of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Code,
    Passes,
    Nothing,
}

/// How an operation becomes code, by the lists and the tables, which must not contradict each other.
fn way_of(def: &'static OpDef) -> Way {
    let is_lowered = operations_with_code().any(|name| name == def.name);
    let is_without_code = WITHOUT_CODE.contains(&def.name);
    let is_of_passes = DIALECTS_OF_PASSES.contains(&def.dialect())
        || OPS_OF_PASSES.contains(&def.name)
        || def.dialect() == RAISED && !is_lowered;
    match (is_lowered, is_of_passes, is_without_code) {
        (true, false, false) => Way::Code,
        (false, _, true) => Way::Nothing,
        (false, true, false) => Way::Passes,
        lists => panic!(
            "{}: lowered, by passes, without code are {lists:?}",
            def.name
        ),
    }
}

fn coverage() -> String {
    let mut text = HEAD.to_owned();
    // Others have types only.
    let dialects = dialects::ALL.iter();
    let mut dialects: Vec<_> = dialects.filter(|dialect| !dialect.ops.is_empty()).collect();
    dialects.sort_by_key(|dialect| dialect.namespace);
    for dialect in dialects {
        let mut ops: Vec<&'static OpDef> = dialect.ops.to_vec();
        ops.sort_by_key(|def| def.name);
        write!(text, "| `{}` |", dialect.namespace).unwrap();
        for way in [Way::Code, Way::Passes, Way::Nothing] {
            let names = ops.iter().filter(|&&def| way_of(def) == way);
            let names: Vec<_> = names
                .map(|def| format!("`{}`", &def.name[dialect.namespace.len() + 1..]))
                .collect();
            let space = if names.is_empty() { "" } else { " " };
            write!(text, "{space}{} |", names.join(", ")).unwrap();
        }
        text.push('\n');
    }
    text.push_str(TAIL);
    text
}

#[test]
fn coverage_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("COVERAGE.md");
    let text = coverage();
    if std::env::var_os("UPDATE_CHECKS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        written == text,
        "backend/COVERAGE.md is stale: write it with UPDATE_CHECKS=1"
    );
}

#[test]
fn the_lists_name_operations() {
    for name in OPS_OF_PASSES.iter().chain(WITHOUT_CODE) {
        let mut ops = dialects::ALL.iter().flat_map(|dialect| dialect.ops);
        assert!(ops.any(|def| def.name == *name), "{name}");
    }
}

#[test]
fn no_row_has_two_lowerings() {
    let mut names: Vec<_> = operations_with_code().collect();
    names.sort_unstable();
    let double = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(double, None);
}
