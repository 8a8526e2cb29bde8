//! Loads of a loop in vectors whose subscripts depend on what it computes, or whose lanes are a few elements apart: they
//! become `vector.gather`, or for lanes that are at most four elements apart, loads of all in between and shuffles.
//!
//! A subscript is kept in lanes of 32 bits. That holds the same number, because it is cast from one of 32 bits, or is
//! the larger or smaller of such a number and a constant; and where an element is in a buffer of less than 2^31 elements,
//! row after row, fits as well. Every lane loads what its iteration would have loaded.

use freehold_frontend::dialects::memref::types::strided_memref;
use freehold_frontend::dialects::memref::{self, MixedIndex};
use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{MemRefType, Type};

use rustc_hash::FxHashMap;

use super::lanes::{Widener, shuffle};
use crate::analysis::loop_memory::Access;
use crate::loops::vector_plan::{Kind, MAX_SHUFFLED, Plan, Span};

/// The buffers that are gathered from as one row each, made next to these, so that code in vectors around the loop stays
/// whole, by buffer.
pub(super) fn build_rows(ir: &mut Ir, plan: &Plan) -> FxHashMap<Value, Value> {
    let mut views = FxHashMap::default();
    let mut loads: Vec<Op> = plan.gathers.iter().copied().collect();
    loads.sort_unstable();
    for load in loads {
        let Some(Access { buffer, .. }) = Access::of(ir, load) else {
            continue;
        };
        if !views.contains_key(&buffer)
            && let Some(row) = build_row(ir, buffer)
        {
            views.insert(buffer, row);
        }
    }
    views
}

fn build_row(ir: &mut Ir, buffer: Value) -> Option<Value> {
    let context = ir.context().clone();
    let memref = context.as_memref(ir.value_type(buffer))?;
    let rank = memref.shape.len();
    match memref.layout {
        None if rank == 1 => None,
        None => {
            let row = MemRefType {
                shape: Box::new([memref.shape.iter().product()]),
                ..memref.clone()
            };
            let ty = context.memref_type(row);
            let group: Vec<i64> = (0..rank as i64).collect();
            let mut builder = Builder::after_value(ir, buffer);
            let view = memref::build::collapse_shape(&mut builder, buffer, &[group], ty);
            Some(view)
        }
        Some(_) => {
            let span = Span::of(&context, memref)?;
            let (n, element) = (span.n_elements, memref.element);
            let row = strided_memref(&context, &[n], element, span.offset, &[1], memref.space);
            let ty = context.memref_type(row);
            let [offset, n, one] = [span.offset, n, 1].map(MixedIndex::Constant);
            let mut builder = Builder::after_value(ir, buffer);
            let view =
                memref::build::reinterpret_cast(&mut builder, buffer, offset, &[n], &[one], ty);
            Some(view)
        }
    }
}

impl Widener<'_> {
    /// What a load becomes some of whose subscripts are in lanes.
    pub(super) fn gather(&mut self, builder: &mut Builder<'_>, access: Access) {
        let value = access.value(builder.ir);
        let context = builder.context();
        let memref =
            (context.as_memref(builder.ir.value_type(access.buffer))).expect("buffers are memrefs");
        let span = Span::of(&context, memref).expect("the plan asked for it");
        let indices = access.indices(builder.ir).to_vec();
        let numbers = self.vector_type(builder.ir, Type::I32);
        let mut uniform = arith::constant_index(builder, 0);
        let mut lanes = None;
        // How many elements the lanes are apart, if that is known.
        let mut distance = Some(0);
        for (&index, &stride) in indices.iter().zip(&span.strides) {
            let mut scaled = match self.plan.kind(index) {
                Kind::Vector => {
                    distance = None;
                    self.subscript(builder, index)
                }
                kind => {
                    let scalar = self.scalars.value(index);
                    let factor = arith::constant_index(builder, stride);
                    let first = builder.value(&arith::MULI, &[scalar, factor], Type::INDEX);
                    uniform = builder.value(&arith::ADDI, &[uniform, first], Type::INDEX);
                    match kind {
                        Kind::Linear(step) => {
                            let more = |sum: i64| sum.checked_add(step.checked_mul(stride)?);
                            distance = distance.and_then(more);
                            self.distances(builder, Type::I32, step)
                        }
                        _ => continue,
                    }
                }
            };
            if stride != 1 {
                let stride = self.constant(builder, stride);
                scaled = builder.value(&arith::MULI, &[scaled, stride], numbers);
            }
            lanes = Some(match lanes {
                None => scaled,
                Some(sum) => builder.value(&arith::ADDI, &[sum, scaled], numbers),
            });
        }
        let lanes = lanes.expect("a subscript is in lanes");
        let row = self.views.gathered.get(&access.buffer).copied();
        let buffer = row.unwrap_or(access.buffer);
        let element = builder.ir.value_type(value);
        let ty = self.vector_type(builder.ir, element);
        if let Some(distance @ 2..=MAX_SHUFFLED) = distance {
            let lanes = self.picked(builder, (buffer, uniform), ty, distance);
            self.vectors.insert(value, lanes);
            return;
        }
        let mask = self.vector_type(builder.ir, Type::I1);
        let splat = |builder: &mut Builder<'_>, ty, bits| {
            let attr: Option<Attr> = splat_attr(&builder.context(), ty, bits);
            arith::constant_attr(builder, attr.expect("elements are numbers"))
        };
        let mask = splat(builder, mask, 1);
        let nothing = splat(builder, ty, 0);
        let operands = [buffer, uniform, lanes, mask, nothing];
        let gathered = builder.value(&vector::GATHER, &operands, ty);
        self.vectors.insert(value, gathered);
    }

    /// Elements of a row from one on that are `distance` apart, picked from vectors of all elements in between. The last
    /// vector ends with the last of them, so that nothing behind it is loaded.
    fn picked(
        &self,
        builder: &mut Builder<'_>,
        (row, first): (Value, Value),
        ty: Type,
        distance: i64,
    ) -> Value {
        let (lanes, last) = (self.lanes, (self.lanes - 1) * (distance - 1));
        let mut picked = None;
        for part in 0..distance {
            let start = (part * lanes).min(last);
            let offset = arith::constant_index(builder, start);
            let place = builder.value(&arith::ADDI, &[first, offset], Type::INDEX);
            let loaded = builder.value(&vector::LOAD, &[row, place], ty);
            let inside = |lane: i64| {
                let place = lane * distance - start;
                (place >= 0 && place < lanes && lane * distance >= part * lanes).then_some(place)
            };
            picked = Some(match picked {
                None => loaded,
                // Of the first vector, elements are where they were loaded; later, where they are wanted.
                Some(before) => {
                    let places = (0..lanes).map(|lane| match inside(lane) {
                        Some(place) => lanes + place,
                        None if part == 1 => (lane * distance).min(lanes - 1),
                        None => lane,
                    });
                    shuffle(builder, [before, loaded], places)
                }
            });
        }
        picked.expect("there are elements in between")
    }
}
