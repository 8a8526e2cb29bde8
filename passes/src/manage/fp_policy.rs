//! How exactly floating-point numbers are computed, for all operations together; `fastmath` says it of one.

use freehold_frontend::dialects::arith::FastMathFlags;

use crate::manage::options::option_words;

option_words! {
    /// How exactly floating-point numbers are computed.
    pub enum FpPolicy {
        /// Every operation is rounded, in the order in which it is written.
        Strict = "strict",
        /// Products are added without being rounded, and contractions added up in any order.
        Contract = "contract",
        /// Sums and products of any kind as well.
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
