//! Offsets, sizes and strides of views: lists that mix SSA values and numbers.
//!
//! An operation stores such a list as an `array<i64>` attribute with
//! [`DYNAMIC`] wherever the next operand of a group stands. [`MixedIndex`]
//! and [`OffsetSizeStride`] hide that.

use crate::dialects::arith;
use crate::ir::builder::Builder;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::types::DYNAMIC;

use crate::dialects::shared::assembly;

/// An index that is an SSA value or a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MixedIndex {
    /// Known at run time.
    Value(Value),
    /// Known now.
    Constant(i64),
}

impl MixedIndex {
    /// The number, or [`DYNAMIC`].
    pub fn static_value(self) -> i64 {
        match self {
            Self::Value(_) => DYNAMIC,
            Self::Constant(number) => number,
        }
    }

    /// The number if this is one or a value defined by a constant.
    pub fn constant(self, ir: &Ir) -> Option<i64> {
        match self {
            Self::Value(value) => arith::as_constant_index(ir, value),
            Self::Constant(number) => Some(number),
        }
    }

    /// A number if it is known to be one.
    #[must_use]
    pub fn simplified(self, ir: &Ir) -> Self {
        match self.constant(ir) {
            // The number that stands for "unknown" cannot be written down.
            Some(number) if number != DYNAMIC => Self::Constant(number),
            _ => self,
        }
    }

    /// The value; a number becomes a constant.
    pub fn materialize(self, builder: &mut Builder<'_>) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Constant(number) => arith::constant_index(builder, number),
        }
    }

    /// Whether both are known to be the same number.
    pub fn equals(self, other: Self, ir: &Ir) -> bool {
        self == other
            || self
                .constant(ir)
                .is_some_and(|a| other.constant(ir) == Some(a))
    }
}

impl From<Value> for MixedIndex {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<i64> for MixedIndex {
    fn from(number: i64) -> Self {
        Self::Constant(number)
    }
}

/// `statics` with the next of `values` wherever it says [`DYNAMIC`].
pub fn mix(statics: &[i64], values: &[Value]) -> Vec<MixedIndex> {
    let mut values = values.iter();
    statics
        .iter()
        .map(|&number| {
            if number == DYNAMIC {
                values
                    .next()
                    .map_or(MixedIndex::Constant(DYNAMIC), |&value| value.into())
            } else {
                number.into()
            }
        })
        .collect()
}

/// The numbers of a mixed list, [`DYNAMIC`] for values.
pub fn static_values(mixed: &[MixedIndex]) -> Vec<i64> {
    mixed.iter().map(|index| index.static_value()).collect()
}

/// The values of a mixed list, numbers left out.
pub fn dynamic_values(mixed: &[MixedIndex]) -> Vec<Value> {
    mixed
        .iter()
        .filter_map(|index| match index {
            MixedIndex::Value(value) => Some(*value),
            MixedIndex::Constant(_) => None,
        })
        .collect()
}

/// Offsets, sizes and strides of `memref.subview`, `memref.reinterpret_cast`,
/// `tensor.extract_slice` or `tensor.insert_slice`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OffsetSizeStride {
    /// Where the view begins: one per dimension, only one for a reinterpret_cast.
    pub offsets: Vec<MixedIndex>,
    /// How many elements, one per dimension.
    pub sizes: Vec<MixedIndex>,
    /// The step, one per dimension.
    pub strides: Vec<MixedIndex>,
}

impl OffsetSizeStride {
    /// What `op` says; `None` if it is no such operation.
    pub fn of(ir: &Ir, op: Op) -> Option<Self> {
        let specs = ir.def(op).operands;
        let first = specs.iter().position(|spec| spec.name == "offsets")?;
        let list = |group: usize, name| {
            mix(
                &assembly::i64_array(ir, op, name),
                ir.operand_group(op, first + group),
            )
        };
        Some(Self {
            offsets: list(0, Name::STATIC_OFFSETS),
            sizes: list(1, Name::STATIC_SIZES),
            strides: list(2, Name::STATIC_STRIDES),
        })
    }

    /// Adds the three groups of operands, the attributes and the segment sizes
    /// to `spec`, which has its single operands already.
    #[must_use]
    pub fn append_to(&self, context: &Context, mut spec: OpSpec) -> OpSpec {
        let mut segments = vec![1; spec.operands.len()];
        for (list, name) in [
            (&self.offsets, Name::STATIC_OFFSETS),
            (&self.sizes, Name::STATIC_SIZES),
            (&self.strides, Name::STATIC_STRIDES),
        ] {
            let values = dynamic_values(list);
            segments.push(values.len());
            spec.operands.extend_from_slice(&values);
            spec.set_attr(name, context.i64_array_attr(&static_values(list)));
        }
        assembly::set_segments(context, &mut spec, &segments);
        spec
    }

    /// All entries that are known to be numbers as numbers; whether any changed.
    pub fn simplify(&mut self, ir: &Ir) -> bool {
        let mut changed = false;
        for index in self
            .offsets
            .iter_mut()
            .chain(&mut self.sizes)
            .chain(&mut self.strides)
        {
            let simplified = index.simplified(ir);
            changed |= simplified != *index;
            *index = simplified;
        }
        changed
    }
}
