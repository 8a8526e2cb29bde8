//! Views of memory that are made in a loop: fields of descriptors, computed where something wants them.

use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::ir::entities::{Op, Value};

use super::Select;
use super::general::{Field, Number};
use crate::wide::refusal::{Reason, Refusal};

impl Select<'_> {
    /// Whether [`Self::view_field`] knows the views that `op` makes.
    pub(super) fn makes_view(&self, op: Op) -> bool {
        let ir = self.ir;
        let is_ranked = |value: Value| self.context.as_memref(self.ty(value)).is_some();
        ir.is(op, &memref::SUBVIEW)
            || ir.is(op, &memref::CAST)
                && is_ranked(ir.operand(op, 0))
                && is_ranked(ir.result(op, 0))
    }

    fn mixed(&mut self, index: MixedIndex) -> Result<Number, Refusal> {
        match index {
            MixedIndex::Value(value) => self.number(value),
            MixedIndex::Constant(number) => Ok(Number::Constant(number)),
        }
    }

    /// A field of a view that is not known from its type.
    pub(super) fn view_field(&mut self, op: Op, field: Field) -> Result<Number, Refusal> {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        if ir.is(op, &memref::CAST) || matches!(field, Field::Aligned) {
            return self.field(source, field);
        }
        let lists = OffsetSizeStride::of(ir, op);
        let types = self
            .context
            .as_memref(self.ty(source))
            .zip(self.context.as_memref(self.ty(ir.result(op, 0))));
        let (Some(lists), Some((source_type, result_type))) = (lists, types) else {
            return self.refuse(Reason::View);
        };
        if let Field::Offset = field {
            let mut offset = self.field(source, Field::Offset)?;
            for (dim, &distance) in lists.offsets.iter().enumerate() {
                let distance = self.mixed(distance)?;
                let stride = self.field(source, Field::Stride(dim))?;
                let distance = self.multiply(distance, stride);
                offset = self.add(offset, distance);
            }
            return Ok(offset);
        }
        let statics = |list: &[MixedIndex]| -> Vec<i64> {
            list.iter().map(|index| index.static_value()).collect()
        };
        let full = memref::infer_subview_type(
            self.context,
            source_type,
            &statics(&lists.offsets),
            &statics(&lists.sizes),
            &statics(&lists.strides),
        );
        let dropped =
            full.and_then(|full| memref::types::dropped_dims(self.context, &full, result_type));
        let Some(dropped) = dropped else {
            return self.refuse(Reason::View);
        };
        let kept = |n: usize| (0..dropped.len()).filter(|&dim| !dropped[dim]).nth(n);
        match field {
            Field::Size(n) if let Some(dim) = kept(n) => self.mixed(lists.sizes[dim]),
            Field::Stride(n) if let Some(dim) = kept(n) => {
                let step = self.mixed(lists.strides[dim])?;
                let stride = self.field(source, Field::Stride(dim))?;
                Ok(self.multiply(step, stride))
            }
            _ => self.refuse(Reason::NoDimension),
        }
    }
}
