//! `fold-memref-alias-ops`: accesses through views become accesses of their sources.
//!
//! Before:
//! ```mlir
//! %s = memref.subview %m[%a, 3] [1, 4] [1, 1] : memref<12x32xf32> to memref<4xf32, strided<[1], offset: ?>>
//! %v = memref.load %s[%j] : memref<4xf32, strided<[1], offset: ?>>
//! ```
//! After:
//! ```mlir
//! %0 = affine.apply affine_map<()[s0] -> (s0 + 3)>()[%j]
//! %v = memref.load %m[%a, %0] : memref<12x32xf32>
//! ```
//!
//! Indices are computed by `affine.apply`, which MLIR 19 reads as well as 22, whose own pass makes `affine.linearize_index`.
//!
//! Views are `memref.subview`, `expand_shape` and `collapse_shape`. Vectors are accessed through a view if their elements
//! are neighbours in the source, and transfers if they stay within the view: elsewhere, the edge of the view says
//! which elements are read.

use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::vector::{self, Transfer};
use freehold_frontend::dialects::{affine, arith};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "fold-memref-alias-ops",
    summary: "access what views view",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let ops = ir.collect_ops(ir.root());
    let mut n_folded = 0;
    for &op in &ops {
        while let Some(access) = Access::of(ir, op)
            && access.fold(ir).is_some()
        {
            n_folded += 1;
        }
    }
    if n_folded > 0 {
        // Indices into views of views as well.
        for op in ir.collect_ops(ir.root()).into_iter().rev() {
            let is_needless = view(ir, op).is_some() || ir.is(op, &affine::APPLY);
            if is_needless && ir.is_unused(op) {
                ir.erase_op(op);
            }
        }
    }
    context.count("accesses folded", n_folded);
    Ok(())
}

/// The kinds of views.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Slice,
    Expanded,
    Collapsed,
}

fn view(ir: &Ir, op: Op) -> Option<View> {
    let is = |def: &'static OpDef| ir.is(op, def);
    match () {
        () if is(&memref::SUBVIEW) => Some(View::Slice),
        () if is(&memref::EXPAND_SHAPE) => Some(View::Expanded),
        () if is(&memref::COLLAPSE_SHAPE) => Some(View::Collapsed),
        () => None,
    }
}

/// The buffer that is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Element,
    /// Neighbours along the last dimension.
    Row,
    /// A box.
    Transfer,
}

/// An access of a memref.
struct Access {
    op: Op,
    kind: Kind,
    /// Which operand the memref is; the indices are the group behind it.
    memref: usize,
    group: usize,
}

impl Access {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let rows: [(&'static OpDef, Kind, usize); 9] = [
            (&memref::LOAD, Kind::Element, 0),
            (&memref::STORE, Kind::Element, 1),
            (&memref::PREFETCH, Kind::Element, 0),
            (&vector::LOAD, Kind::Row, 0),
            (&vector::STORE, Kind::Row, 1),
            (&vector::MASKED_LOAD, Kind::Row, 0),
            (&vector::MASKED_STORE, Kind::Row, 0),
            (&vector::TRANSFER_READ, Kind::Transfer, 0),
            (&vector::TRANSFER_WRITE, Kind::Transfer, 1),
        ];
        let &(_, kind, memref) = rows.iter().find(|(def, ..)| ir.is(op, def))?;
        Some(Self {
            op,
            kind,
            memref,
            group: memref + 1,
        })
    }

    /// Accesses what the accessed view views; none if it is no view, or cannot be seen through.
    fn fold(&self, ir: &mut Ir) -> Option<()> {
        let op = ir.defining_op(ir.operand(self.op, self.memref))?;
        let kind = view(ir, op)?;
        let source = ir.operand(op, 0);
        let map = self.permutation(ir, op, kind)?;
        let indices = ir.operand_group(self.op, self.group).to_vec();
        let mut builder = Builder::before(ir, self.op);
        let new = match kind {
            View::Slice => slice(&mut builder, op, &indices),
            View::Expanded => expanded(&mut builder, op, &indices),
            View::Collapsed => collapsed(&mut builder, op, &indices)?,
        };
        ir.set_operand(self.op, self.memref, source);
        ir.set_operand_group(self.op, self.group, &new);
        if let Some(map) = map {
            let map = ir.context().affine_map_attr(map);
            ir.set_attr(self.op, Name::PERMUTATION_MAP, map);
        }
        Some(())
    }

    /// The permutation map of a transfer of the source; none inside if the access has none, none at all if it
    /// cannot look through the view.
    fn permutation(&self, ir: &Ir, op: Op, kind: View) -> Option<Option<AffineMap>> {
        if self.kind == Kind::Element {
            return Some(None);
        }
        if kind == View::Collapsed || kind == View::Expanded && self.kind == Kind::Transfer {
            return None;
        }
        let vector = match self.kind {
            Kind::Transfer => Transfer(self.op).vector(ir),
            _ if ir.results(self.op).is_empty() => match ir.is(self.op, &vector::STORE) {
                true => ir.operand(self.op, 0),
                false => *ir.operands(self.op).last()?,
            },
            _ => ir.result(self.op, 0),
        };
        let context = ir.context();
        let rank = context.shape(ir.value_type(vector))?.len();
        let element = context.element_type_or_self(ir.value_type(ir.operand(self.op, self.memref)));
        // Elements of memory that are vectors themselves.
        if vector::is_vector(context, element) || self.kind == Kind::Row && rank != 1 {
            return None;
        }
        if kind == View::Expanded {
            // A row of the view is part of a row of what is viewed.
            return Some(None);
        }
        let lists = OffsetSizeStride::of(ir, op)?;
        let dropped = memref::views::subview_dropped_dims(ir, op);
        let is_one = |stride: &MixedIndex| stride.constant(ir) == Some(1);
        if self.kind == Kind::Row {
            let fits = dropped.last() == Some(&false) && lists.strides.last().is_some_and(is_one);
            return fits.then_some(None);
        }
        let transfer = Transfer(self.op);
        let dims = transfer.dims(ir);
        let stays_inside = (0..dims.len()).all(|dim| transfer.is_in_bounds(ir, dim));
        if !stays_inside || !lists.strides.iter().all(is_one) {
            return None;
        }
        let kept: Vec<usize> = (0..dropped.len()).filter(|&dim| !dropped[dim]).collect();
        let results = dims.iter().map(|dim| match dim {
            Some(dim) => AffineExpr::Dim(kept[*dim] as u32),
            None => AffineExpr::Constant(0),
        });
        Some(Some(AffineMap {
            n_dims: dropped.len() as u32,
            n_symbols: 0,
            results: results.collect(),
        }))
    }
}

/// The place in what the subview `op` views.
fn slice(b: &mut Builder<'_>, op: Op, indices: &[Value]) -> Vec<Value> {
    let Some(lists) = OffsetSizeStride::of(b.ir, op) else {
        return indices.to_vec();
    };
    let dropped = memref::views::subview_dropped_dims(b.ir, op);
    let mut indices = indices.iter();
    let mut place = Vec::new();
    for (dim, is_dropped) in dropped.into_iter().enumerate() {
        let index: MixedIndex = match is_dropped {
            true => MixedIndex::Constant(0),
            false => indices
                .next()
                .map_or(MixedIndex::Constant(0), |&index| index.into()),
        };
        let [offset, index_, stride] = [0, 1, 2].map(AffineExpr::Symbol);
        let expr = offset.add(index_.mul(stride));
        let operands = [
            lists.offsets[dim].simplified(b.ir),
            index.simplified(b.ir),
            lists.strides[dim].simplified(b.ir),
        ];
        place.push(indices::apply(b, expr, &operands).materialize(b));
    }
    place
}

/// The place in what `memref.expand_shape` views: each group of indices is one.
fn expanded(b: &mut Builder<'_>, op: Op, indices: &[Value]) -> Vec<Value> {
    let view = memref::ExpandShape(op);
    let (groups, sizes) = (view.reassociation(b.ir), view.mixed_output_shape(b.ir));
    let mut place = Vec::new();
    for group in groups {
        let mut expr: Option<AffineExpr> = None;
        let mut operands: Vec<MixedIndex> = Vec::new();
        for &dim in &group {
            let Ok(dim) = usize::try_from(dim) else {
                continue;
            };
            let symbol = |operands: &mut Vec<MixedIndex>, operand: MixedIndex| {
                operands.push(operand);
                AffineExpr::Symbol(operands.len() as u32 - 1)
            };
            let index = symbol(
                &mut operands,
                MixedIndex::from(indices[dim]).simplified(b.ir),
            );
            expr = Some(match expr {
                None => index,
                Some(outer) => {
                    let size = symbol(&mut operands, sizes[dim].simplified(b.ir));
                    outer.mul(size).add(index)
                }
            });
        }
        let expr = expr.unwrap_or(AffineExpr::Constant(0));
        place.push(indices::apply(b, expr, &operands).materialize(b));
    }
    place
}

/// The place in what `memref.collapse_shape` views: an index is split by the sizes of its group; none if they are not known.
fn collapsed(b: &mut Builder<'_>, op: Op, indices: &[Value]) -> Option<Vec<Value>> {
    let view = memref::CollapseShape(op);
    let source = view.source(b.ir);
    let shape = b.ir.context().shape(b.ir.value_type(source))?.to_vec();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for group in view.reassociation(b.ir) {
        let dims: Vec<usize> = group
            .iter()
            .filter_map(|&dim| usize::try_from(dim).ok())
            .collect();
        // The outermost size does not matter.
        if dims.iter().skip(1).any(|&dim| shape[dim] <= 0) {
            return None;
        }
        groups.push(dims);
    }
    let mut place = Vec::new();
    for (dims, &index) in groups.iter().zip(indices) {
        let mut inner: i64 = dims.iter().skip(1).map(|&dim| shape[dim]).product();
        for (at, &dim) in dims.iter().enumerate() {
            let mut expr = AffineExpr::Symbol(0).floor_div(AffineExpr::Constant(inner));
            if at > 0 {
                expr = expr.modulo(AffineExpr::Constant(shape[dim]));
            }
            let operand = MixedIndex::from(index).simplified(b.ir);
            place.push(indices::apply(b, expr, &[operand]).materialize(b));
            inner /= dims.get(at + 1).map_or(1, |&next| shape[next]);
        }
    }
    // A collapse into rank 0 has no group.
    if indices.is_empty() {
        let zero = arith::constant_index(b, 0);
        place = vec![zero; shape.len()];
    }
    Some(place)
}
