//! The StableHLO dialect: what JAX, PyTorch/XLA and others hand to a compiler.
//!
//! All values are tensors and nearly everything is elementwise or moves
//! elements. Semantics are those of the StableHLO specification, which defines
//! what MLIR's arith leaves open: divisions by zero, shifts past the width,
//! conversions out of range, indices out of bounds. The rows here are text and
//! rules; the passes in `passes/src/stablehlo/` make linalg of them.

pub(crate) mod assembly;
pub mod attributes;
pub mod communication;
pub(crate) mod constraints;
pub mod elementwise;
mod encoding;
pub mod indexing;
pub mod products;
pub mod random;
pub mod reductions;
pub mod regions;
pub mod shapes;
mod verify;
pub mod windows;

use crate::ir::op_def::DialectDef;

pub use constraints::is_token;

use communication::*;
use elementwise::*;
use indexing::*;
use products::*;
use random::*;
use reductions::*;
use regions::*;
use shapes::*;

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "stablehlo",
    ops: &[
        &ABS,
        &ADD,
        &AFTER_ALL,
        &ALL_GATHER,
        &ALL_REDUCE,
        &ALL_TO_ALL,
        &AND,
        &ASYNC_DONE,
        &ASYNC_START,
        &ATAN2,
        &BATCH_NORM_GRAD,
        &BATCH_NORM_INFERENCE,
        &BATCH_NORM_TRAINING,
        &BITCAST_CONVERT,
        &BROADCAST,
        &BROADCAST_IN_DIM,
        &CASE,
        &CBRT,
        &CEIL,
        &CHOLESKY,
        &CLAMP,
        &COLLECTIVE_BROADCAST,
        &COLLECTIVE_PERMUTE,
        &COLLECTIVE_REDUCE,
        &COMPARE,
        &COMPLEX,
        &COMPOSITE,
        &CONCATENATE,
        &CONSTANT,
        &CONVERT,
        &CONVOLUTION,
        &COSINE,
        &COUNT_LEADING_ZEROS,
        &CREATE_TOKEN,
        &CROSS_REPLICA_SUM,
        &CUSTOM_CALL,
        &DIVIDE,
        &DOT,
        &DOT_GENERAL,
        &DYNAMIC_BROADCAST_IN_DIM,
        &DYNAMIC_CONV,
        &DYNAMIC_GATHER,
        &DYNAMIC_IOTA,
        &DYNAMIC_PAD,
        &DYNAMIC_RESHAPE,
        &DYNAMIC_SLICE,
        &DYNAMIC_UPDATE_SLICE,
        &EINSUM,
        &EXPONENTIAL,
        &EXPONENTIAL_MINUS_ONE,
        &FFT,
        &FLOOR,
        &GATHER,
        &GET_DIMENSION_SIZE,
        &GET_TUPLE_ELEMENT,
        &IF,
        &IMAG,
        &INFEED,
        &IOTA,
        &IS_FINITE,
        &LOG,
        &LOG_PLUS_ONE,
        &LOGISTIC,
        &MAP,
        &MAXIMUM,
        &MINIMUM,
        &MULTIPLY,
        &NEGATE,
        &NOT,
        &OPTIMIZATION_BARRIER,
        &OR,
        &OUTFEED,
        &PAD,
        &PARTITION_ID,
        &POPCNT,
        &POWER,
        &REAL,
        &REAL_DYNAMIC_SLICE,
        &RECV,
        &REDUCE,
        &REDUCE_PRECISION,
        &REDUCE_SCATTER,
        &REDUCE_WINDOW,
        &REMAINDER,
        &REPLICA_ID,
        &RESHAPE,
        &RETURN,
        &REVERSE,
        &RNG,
        &RNG_BIT_GENERATOR,
        &ROUND_NEAREST_AFZ,
        &ROUND_NEAREST_EVEN,
        &RSQRT,
        &SCATTER,
        &SELECT,
        &SELECT_AND_SCATTER,
        &SEND,
        &SET_DIMENSION_SIZE,
        &SHIFT_LEFT,
        &SHIFT_RIGHT_ARITHMETIC,
        &SHIFT_RIGHT_LOGICAL,
        &SIGN,
        &SINE,
        &SLICE,
        &SORT,
        &SQRT,
        &SUBTRACT,
        &TAN,
        &TANH,
        &TORCH_INDEX_SELECT,
        &TRANSPOSE,
        &TRIANGULAR_SOLVE,
        &TUPLE,
        &UNARY_EINSUM,
        &UNIFORM_DEQUANTIZE,
        &UNIFORM_QUANTIZE,
        &WHILE,
        &XOR,
    ],
    attribute_body: Some(attributes::canonical_body),
    bytecode: Some(&encoding::ENCODING),
    advice: Some("`--stablehlo-legalize-to-linalg` makes linalg of it"),
    ..DialectDef::BASE
};
