//! What becomes of values and buffers in a loop with vectors.

use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use crate::loops::vector_plan::{Kind, Plan};

/// Buffers as what the plan takes them for.
pub(super) struct Views {
    /// With rows of elements next to each other, by buffer.
    pub(super) rows: FxHashMap<Value, Value>,
    /// As one row, by buffer.
    pub(super) gathered: FxHashMap<Value, Value>,
    /// With the last two dimensions as one, by buffer.
    pub(super) interleaved: FxHashMap<Value, Value>,
}

/// Iterations that are written one behind the other.
#[derive(Default)]
pub(super) struct Tile {
    /// The number of the iteration at hand.
    pub(super) at: usize,
    /// What each load gives in each iteration.
    pub(super) loaded: FxHashMap<Op, Vec<Value>>,
    /// Where each store begins, and what it stores in each iteration so far.
    pub(super) stored: FxHashMap<Op, (Vec<Value>, Vec<Value>)>,
}

/// Rows of the block at hand.
#[derive(Default)]
pub(super) struct Rows {
    /// What was loaded: all elements, by buffer and subscripts but the last one.
    pub(super) loaded: FxHashMap<(Value, Vec<Value>), Vec<Value>>,
    /// What is to be stored, by the first store.
    pub(super) stored: FxHashMap<Op, Vec<(i64, Value)>>,
}

impl Rows {
    /// What is known behind a block inside: it may have stored to what was loaded.
    pub(super) fn behind_block(self) -> Self {
        Self {
            loaded: FxHashMap::default(),
            ..self
        }
    }
}

/// Copies operations into a loop with vectors.
pub(super) struct Widener<'a> {
    pub(super) plan: &'a Plan,
    pub(super) views: &'a Views,
    pub(super) lanes: i64,
    /// What values became that are the same in all lanes, or indices; of those the first lane's.
    pub(super) scalars: IrMap,
    /// What values became that are in vectors.
    pub(super) vectors: FxHashMap<Value, Value>,
    /// Values in all lanes, by the block that this was written in: each block is written from its beginning to its end.
    pub(super) splats: FxHashMap<(Option<Block>, Value), Value>,
    /// The iterations of an inner loop that are being written one behind the other.
    pub(super) tile: Option<Tile>,
    /// Of the block at hand, what is loaded and stored in rows of a few elements.
    pub(super) rows: Rows,
}

impl<'a> Widener<'a> {
    pub(super) fn new(plan: &'a Plan, views: &'a Views, lanes: i64) -> Self {
        Self {
            plan,
            views,
            lanes,
            scalars: IrMap::default(),
            vectors: FxHashMap::default(),
            splats: FxHashMap::default(),
            tile: None,
            rows: Rows::default(),
        }
    }

    pub(super) fn vector_type(&self, ir: &Ir, element: Type) -> Type {
        vector::vector_type(ir.context(), &[self.lanes], element)
    }

    /// All lanes of a value.
    pub(super) fn lanes(&mut self, builder: &mut Builder<'_>, value: Value) -> Value {
        if let Some(&known) = self.vectors.get(&value) {
            return known;
        }
        let ty = self.vector_type(builder.ir, builder.ir.value_type(value));
        let scalar = self.scalars.value(value);
        let block = match builder.insert_point() {
            InsertPoint::End(block) => Some(block),
            InsertPoint::Before(op) => builder.ir.block_of(op),
        };
        *(self.splats.entry((block, scalar)))
            .or_insert_with(|| builder.value(&vector::BROADCAST, &[scalar], ty))
    }

    /// How much larger the integers of the lanes are than the first one.
    pub(super) fn distances(&self, builder: &mut Builder<'_>, element: Type, step: i64) -> Value {
        let ty = self.vector_type(builder.ir, element);
        let context = builder.context();
        let size = context
            .integer_width(element)
            .map_or(8, |width| width as usize / 8);
        let distances = (0..self.lanes).flat_map(|lane| {
            let distance = lane.wrapping_mul(step).to_le_bytes();
            distance.into_iter().take(size)
        });
        let distances = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty,
            splat: false,
            bytes: distances.collect::<Vec<u8>>().into(),
        }));
        arith::constant_attr(builder, distances)
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
    pub(super) fn constant(&self, builder: &mut Builder<'_>, number: i64) -> Value {
        let ty = self.vector_type(builder.ir, Type::I32);
        let attr = splat_attr(&builder.context(), ty, u128::from(number as u32));
        arith::constant_attr(builder, attr.expect("these are numbers"))
    }

    /// Takes note of what values became.
    pub(super) fn learn(&mut self, old: &[Value], new: &[Value]) {
        for (&old, &new) in old.iter().zip(new) {
            match self.plan.kind(old) {
                Kind::Vector => self.vectors.insert(old, new),
                _ => self.scalars.values.insert(old, new),
            };
        }
    }
}

/// The elements at these places of two vectors one after the other.
pub(super) fn shuffle(
    builder: &mut Builder<'_>,
    vectors: [Value; 2],
    places: impl IntoIterator<Item = i64>,
) -> Value {
    let context = builder.context();
    let places: Vec<Attr> = places.into_iter().map(|at| context.i64_attr(at)).collect();
    let element = context.element_type_or_self(builder.ir.value_type(vectors[0]));
    let ty = vector::vector_type(&context, &[places.len() as i64], element);
    let mask = context.array_attr(&places);
    builder.value_with_attr(&vector::SHUFFLE, &vectors, ty, Name::MASK, mask)
}
