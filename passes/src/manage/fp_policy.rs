//! How exactly floating-point numbers are computed, for all operations together; `fastmath` says it of one.

use freehold_frontend::dialects::arith::FastMathFlags;

use crate::manage::options::option_words;

option_words! {
    /// How exactly floating-point numbers are computed.
    pub enum FpPolicy {
        /// As written: every operation rounded, in program order.
        Strict = "strict",
        /// Products may be added unrounded, and contractions (products of matrices, convolutions) and long sums of
        /// StableHLO added up in any order; some functions of `f32` compute in `f32`.
        Contract = "contract",
        /// Like contract, and any reduction may be reassociated.
        Fast = "fast",
    }
}

/// Both.
const ANY: FastMathFlags = FastMathFlags::CONTRACT.union(FastMathFlags::REASSOC);

impl FpPolicy {
    /// What operations may do whatever flags they have.
    pub(crate) fn flags(self) -> FastMathFlags {
        match self {
            Self::Strict => FastMathFlags::NONE,
            Self::Contract => FastMathFlags::CONTRACT,
            Self::Fast => ANY,
        }
    }

    /// What those in the body of a contraction may do.
    pub(crate) fn flags_in_contractions(self) -> FastMathFlags {
        match self {
            Self::Strict => FastMathFlags::NONE,
            Self::Contract | Self::Fast => ANY,
        }
    }
}
