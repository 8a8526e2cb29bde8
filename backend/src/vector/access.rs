//! Loads and stores of elements that are next to each other in memory, or along some of its dimensions.

use freehold_frontend::dialects::memref;
use freehold_frontend::dialects::vector::{self, Coordinates, Transfer, sizes_of};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;

/// What an operation loads or stores: a box of memory.
#[derive(Clone, Debug)]
pub(crate) struct Access<'a> {
    pub(crate) memref: Value,
    /// Where the box begins.
    pub(crate) indices: &'a [Value],
    /// The dimensions of memory that it runs along, in their order.
    pub(crate) dims: Coordinates,
    pub(crate) sizes: Coordinates,
    /// The vector or number that is loaded or stored.
    pub(crate) value: Value,
    /// Which elements, if not all.
    pub(crate) mask: Option<Value>,
    /// A vector or a number: the result where the mask leaves out elements.
    pub(crate) other: Option<Value>,
}

/// Operations, with how many operands stand before the memref, and behind the indices.
static ACCESSES: &[(&OpDef, usize, usize)] = &[
    (&memref::LOAD, 0, 0),
    (&memref::STORE, 1, 0),
    (&vector::LOAD, 0, 0),
    (&vector::MASKED_LOAD, 0, 2),
    (&vector::MASKED_STORE, 0, 2),
    (&vector::STORE, 1, 0),
];

impl<'a> Access<'a> {
    /// That of an operation. Transfers that permute, repeat or leave memory have none: the pass `lower-vectors` makes
    /// others of them.
    pub(crate) fn of(ir: &'a Ir, op: Op) -> Option<Self> {
        if ir.is(op, &vector::TRANSFER_READ) || ir.is(op, &vector::TRANSFER_WRITE) {
            let view = Transfer(op);
            let sizes = sizes_of(ir, view.vector(ir));
            return Some(Self {
                memref: view.source(ir),
                indices: view.indices(ir),
                dims: view
                    .plain_dims(ir)
                    .filter(|dims| dims.len() == sizes.len())?,
                sizes,
                value: view.vector(ir),
                mask: view.mask(ir),
                other: view.padding(ir),
            });
        }
        let &(_, before, n_behind) = ACCESSES.iter().find(|row| ir.is(op, row.0))?;
        let operands = ir.operands(op);
        let (address, behind) = operands.split_at(operands.len() - n_behind);
        let (memref, indices) = (address[before], &address[before + 1..]);
        let own = ir.results(op).first().or(operands[..before].first());
        let value = *own.or(behind.last())?;
        // An element may be a vector.
        let is_box = !ir.is(op, &memref::LOAD) && !ir.is(op, &memref::STORE);
        let sizes = sizes_of(ir, value).into_iter().filter(|_| is_box);
        let sizes: Coordinates = sizes.collect();
        let first = indices.len().checked_sub(sizes.len())?;
        Some(Self {
            memref,
            indices,
            dims: (first..indices.len()).collect(),
            sizes,
            value,
            mask: behind.first().copied(),
            other: behind.last().copied().filter(|&other| other != value),
        })
    }
}
