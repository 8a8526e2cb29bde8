//! `merge-column-copies`: copies to all columns of a new buffer of short rows become one loop over its rows.
//!
//! Before:
//! ```mlir
//! %first = memref.subview %b[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
//! memref.copy %x, %first : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
//! %second = memref.subview %b[0, 1] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
//! memref.copy %y, %second : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %c64 step %c1 {
//!   %0 = memref.load %x[%i, %c0] : memref<64x1xf32>
//!   memref.store %0, %b[%i, %c0] : memref<64x2xf32>
//!   %1 = memref.load %y[%i, %c0] : memref<64x1xf32>
//!   memref.store %1, %b[%i, %c1] : memref<64x2xf32>
//! }
//! ```
//! That is what stacked arrays become: the loop fuses with those that compute the columns, and rows are put together in
//! registers (`interleaved.rs`). What is freed between the copies is freed behind the loop. Nothing is allocated after the
//! first of these frees, so the peak does not rise. Sizes are known, and the buffers that are read are others than the
//! one that is written.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::DYNAMIC;

use super::unroll_loops::is_short_row;
use crate::analysis::travels::base_of;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::sequential_loops::build_nest;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "merge-column-copies",
    summary: "copy all columns of a buffer in one loop",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op)
            && let Some(rows) = Rows::of(ir, op)
        {
            rows.merge(ir);
            context.count("loops", 1);
        }
    }
    Ok(())
}

/// A copy to a column.
#[derive(Clone, Copy)]
struct Column {
    op: Op,
    /// What is written: a new buffer.
    buffer: Value,
    index: i64,
}

impl Column {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if !ir.is(op, &memref::COPY) {
            return None;
        }
        let view = ir.defined_by(ir.operand(op, 1), &memref::SUBVIEW)?;
        let buffer = ir.operand(view, 0);
        let is_new = |op| ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA);
        ir.defining_op(buffer).filter(|&op| is_new(op))?;
        let memref = ir.context().as_memref(ir.value_type(buffer))?;
        let (&n, outer) = memref.shape.split_last()?;
        let bytes = ir.context().element_byte_size(memref.element)?;
        let lists = OffsetSizeStride::of(ir, view)?;
        let is = |list: &[MixedIndex], expected: &[i64]| {
            (list.iter().map(|index| index.constant(ir))).eq(expected.iter().copied().map(Some))
        };
        let (index, offsets) = lists.offsets.split_last()?;
        let index = index.constant(ir)?;
        let rank = memref.shape.len();
        let is_column = memref.layout.is_none()
            && is_short_row(n, bytes, true)
            && (0..n).contains(&index)
            && !outer.is_empty()
            && !outer.contains(&DYNAMIC)
            && is(offsets, &vec![0; rank - 1])
            && is(&lists.sizes, &[outer, &[1]].concat())
            && is(&lists.strides, &vec![1; rank]);
        // Without its last dimension, it would be another copy.
        let is_whole = ir.context().shape(ir.value_type(ir.operand(op, 0)))?.len() == rank;
        let source = base_of(ir, ir.operand(op, 0));
        // Arguments of the function are older than all buffers that are made in it.
        let is_apart = source != buffer
            && match ir.defining_op(source) {
                Some(made) => is_new(made) || ir.is(made, &memref::GET_GLOBAL),
                None => ir.value_block(source) == ir.root_block(),
            };
        (is_column && is_whole && is_apart).then_some(Self { op, buffer, index })
    }
}

/// Copies to all columns.
struct Rows {
    columns: Vec<Column>,
    /// What is freed between them.
    frees: Vec<Op>,
}

impl Rows {
    /// Those that begin with this operation.
    fn of(ir: &Ir, first: Op) -> Option<Self> {
        let first = Column::of(ir, first)?;
        let n = *ir.context().shape(ir.value_type(first.buffer))?.last()?;
        let mut rows = Self {
            columns: vec![first],
            frees: Vec::new(),
        };
        let mut last = first.op;
        while (rows.columns.len() as i64) < n {
            last = ir.next_op(last)?;
            if ir.is(last, &memref::DEALLOC) {
                rows.frees.push(last);
            } else if ir.is(last, &memref::COPY) {
                let column = Column::of(ir, last).filter(|it| it.buffer == first.buffer)?;
                let is_new = rows.columns.iter().all(|known| known.index != column.index);
                rows.columns.push(is_new.then_some(column)?);
            } else if !(ir.is(last, &memref::ALLOC) && rows.frees.is_empty()
                || ir.regions(last).is_empty() && ir.is_memory_effect_free(last))
            {
                return None;
            }
        }
        Some(rows)
    }

    fn merge(&self, ir: &mut Ir) {
        let (Some(first), Some(last)) = (self.columns.first(), self.columns.last()) else {
            return;
        };
        let shape = (ir.context().shape(ir.value_type(first.buffer))).map(<[i64]>::to_vec);
        let shape = shape.unwrap_or_default();
        let (loc, anchor) = (ir.loc(last.op), last.op);
        let mut builder = Builder::before(ir, anchor);
        builder.set_loc(loc);
        let [zero, one] = [0, 1].map(|n| arith::constant_index(&mut builder, n));
        let bounds: Vec<[Value; 3]> = (shape[..shape.len() - 1].iter())
            .map(|&size| [zero, arith::constant_index(&mut builder, size), one])
            .collect();
        let places: Vec<Value> = (self.columns.iter())
            .map(|column| arith::constant_index(&mut builder, column.index))
            .collect();
        let nest = build_nest(ir, anchor, &bounds, &[]);
        for (column, &place) in self.columns.iter().zip(&places) {
            let (source, last) = read(ir, column.op, zero);
            let mut builder = Builder::before(ir, nest.anchor);
            builder.set_loc(loc);
            let element = builder
                .context()
                .element_type_or_self(builder.ir.value_type(source));
            let row = &nest.variables[..];
            let operands = [&[source], row, last.as_slice()].concat();
            let value = builder.value(&memref::LOAD, &operands, element);
            let operands = [&[value, column.buffer], row, &[place]].concat();
            builder.op(&memref::STORE, &operands, &[]);
        }
        for &free in self.frees.iter().rev() {
            ir.move_op_after(free, anchor);
        }
        for column in &self.columns {
            ir.erase_op(column.op);
        }
    }
}

/// What is read for a column, and its last subscript if it has one: without a dimension of one element that was only
/// added, loops that write it have the same subscripts.
fn read(ir: &Ir, copy: Op, zero: Value) -> (Value, Option<Value>) {
    let source = ir.operand(copy, 0);
    let whole = ir.defined_by(source, &memref::EXPAND_SHAPE).and_then(|op| {
        let expanded = ir.operand(op, 0);
        let [rank, before] = [source, expanded]
            .map(|value| ir.context().shape(ir.value_type(value)).map(<[i64]>::len));
        let groups = memref::ExpandShape(op).reassociation(ir);
        let (last, others) = groups.split_last()?;
        let is_last = last.len() == 2 && others.iter().all(|group| group.len() == 1);
        (is_last && before? + 1 == rank?).then_some(expanded)
    });
    match whole {
        Some(whole) => (whole, None),
        None => (source, Some(zero)),
    }
}
