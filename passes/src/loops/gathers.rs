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
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::columns::shuffle;
use super::vector_plan::{Kind, Plan};
use super::widen::Widener;
use crate::analysis::loop_memory::Access;

/// The largest distance of lanes at which loads of all elements in between and shuffles take less than a gather. With
/// three and four, `quaternions` (benches/models) took 96 us by gathers.
const MAX_SHUFFLED: i64 = 4;

/// Registers from this size on have instructions that gather, in bytes.
pub(super) const MIN_REGISTER: i64 = 32;

/// Whether `op` makes an index that lanes of 32 bits hold, of such lanes.
pub(super) fn makes_subscript(ir: &Ir, op: Op, kind: impl Fn(Value) -> Kind) -> bool {
    let is_small = |&value: &Value| {
        kind(value) == Kind::Vector
            || arith::as_constant_index(ir, value).is_some_and(|n| i32::try_from(n).is_ok())
    };
    match () {
        () if ir.is(op, &arith::INDEX_CAST) => ir.value_type(ir.operand(op, 0)) == Type::I32,
        // Of numbers without a sign, those that are too large become constants at once.
        () if ir.is(op, &arith::INDEX_CASTUI) => {
            let mut uses = ir.uses(ir.result(op, 0)).iter();
            ir.value_type(ir.operand(op, 0)) == Type::I32
                && uses.all(|user| is_bounded(ir, user.op))
        }
        () if ir.is(op, &arith::MINUI) => is_bounded(ir, op),
        () => {
            let chooses = [&arith::MAXSI, &arith::MINSI];
            chooses.iter().any(|row| ir.is(op, row)) && ir.operands(op).iter().all(is_small)
        }
    }
}

/// Whether an operation takes the smaller of a number without a sign and a constant that has one.
fn is_bounded(ir: &Ir, op: Op) -> bool {
    let is_bound = |&value: &Value| {
        arith::as_constant_index(ir, value).is_some_and(|n| (0..=i64::from(i32::MAX)).contains(&n))
    };
    ir.is(op, &arith::MINUI) && ir.operands(op).iter().any(is_bound)
}

/// By how many bits a number without a sign is shifted to divide it by a power of two, if that is what `op` does.
pub(super) fn shift_of_division(ir: &Ir, op: Op) -> Option<i64> {
    let has_shifts = || [Type::I32, Type::I64].contains(&ir.value_type(ir.result(op, 0)));
    let divisor = (ir.is(op, &arith::DIVUI) && has_shifts()).then(|| ir.operand(op, 1))?;
    let divisor = u64::try_from(arith::as_constant_int(ir, divisor)?).ok()?;
    divisor
        .is_power_of_two()
        .then(|| i64::from(divisor.trailing_zeros()))
}

/// Whether a load can gather from a buffer of this type.
pub(super) fn can_gather(context: &Context, memref: &MemRefType, size: i64) -> bool {
    matches!(size, 4 | 8) && Span::of(context, memref).is_some()
}

/// The elements from the first one of a buffer to its last one, and where they are.
struct Span {
    strides: SmallVec<[i64; 4]>,
    offset: i64,
    n_elements: i64,
}

impl Span {
    /// If all of it is known, and lanes of 32 bits can count them.
    fn of(context: &Context, memref: &MemRefType) -> Option<Self> {
        let (strides, offset) = context.memref_strides(memref)?;
        let mut n_elements = 1i64;
        for (&size, &stride) in memref.shape.iter().zip(&strides) {
            if size == DYNAMIC || size == 0 || stride == DYNAMIC || stride < 0 {
                return None;
            }
            n_elements = n_elements.checked_add((size - 1).checked_mul(stride)?)?;
        }
        i32::try_from(n_elements).ok()?;
        (offset != DYNAMIC).then(|| Self {
            strides: strides.iter().copied().collect(),
            offset,
            n_elements,
        })
    }
}

/// The buffers that are gathered from as one row each, made before the loop, by loaded buffer.
pub(super) fn build_rows(builder: &mut Builder<'_>, plan: &Plan) -> FxHashMap<Value, Value> {
    let mut views = FxHashMap::default();
    let mut loads: Vec<Op> = plan.gathers.iter().copied().collect();
    loads.sort_unstable();
    for load in loads {
        let Some(access) = Access::of(builder.ir, load) else {
            continue;
        };
        let context = builder.context();
        let Some(memref) = context.as_memref(builder.ir.value_type(access.buffer)) else {
            continue;
        };
        let rank = memref.shape.len();
        let row = match memref.layout {
            None if rank == 1 => continue,
            None => {
                let row = MemRefType {
                    shape: Box::new([memref.shape.iter().product()]),
                    ..memref.clone()
                };
                let ty = context.memref_type(row);
                let group: Vec<i64> = (0..rank as i64).collect();
                memref::build::collapse_shape(builder, access.buffer, &[group], ty)
            }
            Some(_) => {
                let Some(span) = Span::of(&context, memref) else {
                    continue;
                };
                let (n, element) = (span.n_elements, memref.element);
                let row = strided_memref(&context, &[n], element, span.offset, &[1], memref.space);
                let ty = context.memref_type(row);
                let [offset, n, one] = [span.offset, n, 1].map(MixedIndex::Constant);
                memref::build::reinterpret_cast(builder, access.buffer, offset, &[n], &[one], ty)
            }
        };
        views.insert(access.value(builder.ir), row);
    }
    views
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
        let row = self.views.gathered.get(&value).copied();
        let buffer = row.unwrap_or(access.buffer);
        let element = builder.ir.value_type(value);
        let ty = self.vector_type(builder.ir, element);
        let is_register = context
            .element_byte_size(element)
            .is_some_and(|size| self.lanes.checked_mul(size as i64) <= Some(self.plan.register()));
        if let Some(distance @ 2..=MAX_SHUFFLED) = distance
            && is_register
        {
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

    /// The lanes of a subscript, of 32 bits.
    pub(super) fn subscript(&self, builder: &mut Builder<'_>, index: Value) -> Value {
        match (
            self.vectors.get(&index),
            arith::as_constant_index(builder.ir, index),
        ) {
            (Some(&known), _) => known,
            (None, Some(number)) => self.constant(builder, number),
            (None, None) => unreachable!("subscripts in lanes are made of lanes and constants"),
        }
    }

    /// A number in all lanes of 32 bits.
    fn constant(&self, builder: &mut Builder<'_>, number: i64) -> Value {
        let ty = self.vector_type(builder.ir, Type::I32);
        let attr = splat_attr(&builder.context(), ty, u128::from(number as u32));
        arith::constant_attr(builder, attr.expect("these are numbers"))
    }
}
