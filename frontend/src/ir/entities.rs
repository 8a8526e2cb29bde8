//! Entity ids: `u32` newtypes that index the arenas of one [`Ir`](super::data::Ir).
//!
//! An id is meaningful only together with the `Ir` that made it. Erased
//! entities leave a tombstone, so an id is never reused for something else.

use cranelift_entity::entity_impl;

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(u32);
entity_impl!(Op, "op");

/// An SSA value: the result of an operation or the argument of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "bb");

/// A region: a list of blocks owned by an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(u32);
entity_impl!(Region, "region");

/// Where a use stands in the use list of its value.
///
/// Kept beside each operand so that a use is removed in constant time, even
/// from a constant with a million users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct UsePosition(u32);
entity_impl!(UsePosition, "use");

/// One use of a value: operand number `index` of `op`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Use {
    /// The user.
    pub op: Op,
    /// Which of its operands.
    pub index: u32,
}

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDef {
    /// Result number `.1` of the operation.
    Result(Op, u32),
    /// Argument number `.1` of the block.
    Argument(Block, u32),
}
