//! Why a loop stays scalar.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;

use crate::analysis::loop_memory::Access;

/// What keeps a loop from running in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Obstacle {
    /// The operation that does, in the loop or the loop itself.
    pub(crate) op: Op,
    pub(crate) why: Why,
}

/// Why an operation keeps a loop from running in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// The loop was looked at before, or has no effect.
    Nothing,
    /// Its counter is no index, or its step is not one.
    Step,
    /// It touches memory in a way that no access says, or comes behind too many operations.
    Memory,
    /// It computes from the iteration before, and the order matters.
    Order,
    /// Registers hold no elements of its type.
    Element,
    /// It accesses a buffer that the loop makes.
    Buffer,
    /// Lanes access elements that are not next to each other.
    Distance,
    /// Lanes of one vector are picked from elements of several sizes.
    Sizes,
    /// It stores to parts of rows.
    PartOfRow,
    /// Another iteration may access what it stores.
    Overlap,
    /// Buffers may overlap, and no comparison before the loop tells.
    Aliasing,
    /// A loop inside whose bounds differ between lanes.
    Bounds,
    /// Each lane needs a value that only the first has.
    Index,
    /// There is no instruction for vectors.
    Form,
    /// A loop inside runs in vectors of its own.
    Inner,
    /// There are fewer iterations than lanes.
    Short,
}

impl Why {
    /// The obstacle that `op` is for this reason.
    pub(super) fn at(self, op: Op) -> Obstacle {
        Obstacle { op, why: self }
    }
}

impl Obstacle {
    /// What a user is told of it, if it is worth a remark.
    pub(crate) fn message(self, ir: &Ir) -> Option<String> {
        let name = ir.op_name(self.op);
        let why = match self.why {
            Why::Nothing | Why::Inner => return None,
            Why::Step => "its counter is no index with a step of 1".to_owned(),
            // Nothing but their number is in the way of these.
            Why::Memory
                if Access::of(ir, self.op).is_some() || ir.is_memory_effect_free(self.op) =>
            {
                "it has too many operations".to_owned()
            }
            Why::Memory => format!("'{name}' may access any memory"),
            Why::Order => format!("'{name}' needs the result of the iteration before"),
            Why::Element => format!("'{name}' is of a type without vectors"),
            Why::Buffer => format!("'{name}' accesses a buffer that the loop makes"),
            Why::Distance => format!("'{name}' accesses elements that are not adjacent"),
            Why::Sizes => format!("'{name}' accesses elements of another size at a distance"),
            Why::PartOfRow => format!("'{name}' writes a part of each row"),
            Why::Overlap => format!("another iteration may access what '{name}' writes"),
            Why::Aliasing => "its buffers may overlap".to_owned(),
            Why::Bounds => "the bounds of an inner loop differ between iterations".to_owned(),
            Why::Index => format!("'{name}' computes with an index"),
            Why::Form => format!("'{name}' has no vector form"),
            Why::Short => "it has fewer iterations than a vector has lanes".to_owned(),
        };
        Some(format!("loop not vectorized: {why}"))
    }
}
