//! How the lanes of a vector see a value of the loop.

/// How a value of an iteration relates to that of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The same in all lanes.
    Uniform,
    /// An index that is larger by this in each iteration.
    Linear(i64),
    /// An index or condition of which no more is known.
    Varying,
    /// Kept in a vector; an index in lanes of 32 bits.
    Vector,
}
