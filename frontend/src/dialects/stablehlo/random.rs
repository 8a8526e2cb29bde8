//! Random numbers.

use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, ValueSpec};

use super::attributes::{RNG_ALGORITHM, RNG_DISTRIBUTION};
use super::constraints::{
    INTEGER_OR_FLOAT_TENSOR, RNG_TENSOR, SCALAR_RNG_TENSOR, STATIC_DIMENSION_TENSOR,
};
use super::verify;

/// Numbers of a distribution, made in a way that the program does not say.
pub static RNG: OpDef = const {
    OpDef {
        name: "stablehlo.rng",
        operands: &[
            ValueSpec::one("a", &SCALAR_RNG_TENSOR),
            ValueSpec::one("b", &SCALAR_RNG_TENSOR),
            ValueSpec::one("shape", &STATIC_DIMENSION_TENSOR),
        ],
        results: &[ValueSpec::one("result", &RNG_TENSOR)],
        attributes: &[AttrSpec::required(
            Name::RNG_DISTRIBUTION,
            &RNG_DISTRIBUTION,
        )],
        ..OpDef::BASE
    }
}
.with_format(
    "$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:` \
     functional-type(operands, results)",
);

/// Random bits from a state, and the next state.
pub static RNG_BIT_GENERATOR: OpDef = const {
    OpDef {
        name: "stablehlo.rng_bit_generator",
        operands: &[ValueSpec::one("initial_state", &INTEGER_OR_FLOAT_TENSOR)],
        results: &[
            ValueSpec::one("output_state", &INTEGER_OR_FLOAT_TENSOR),
            ValueSpec::one("output", &INTEGER_OR_FLOAT_TENSOR),
        ],
        attributes: &[AttrSpec::required(Name::RNG_ALGORITHM, &RNG_ALGORITHM)],
        verify: verify::rng_bit_generator,
        result_names: Some(|ir, op, name| {
            name(ir.result(op, 0), "output_state");
            name(ir.result(op, 1), "output");
        }),
        ..OpDef::PURE
    }
}
.with_format(
    "$initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` \
     functional-type(operands, results)",
);
