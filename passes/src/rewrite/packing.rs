//! `tensor.pack` and `unpack` as slices, reshapes and transposes, and the slices that such rewrites are made of.

use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::tensor::reshapes::{collapse_shape, expand_shape};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::index_arithmetic::product;
use super::tensors::{self, Generic, extract_part, insert_part, projection};

/// Decomposes every `pack` and `unpack` of a function.
pub(crate) fn decompose_all(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        if let Some(value) = decompose(ir, op) {
            ir.replace_op(op, &[value]);
        }
    }
}

/// What `op` computes, built before it, if it is a `pack` or an `unpack`.
pub(crate) fn decompose(ir: &mut Ir, op: Op) -> Option<Value> {
    if ir.is(op, &tensor::PACK) {
        return pack(ir, op);
    }
    ir.is(op, &tensor::UNPACK).then(|| unpack(ir, op))?
}

/// Where the dimensions of a packed tensor come from.
struct Tiling {
    /// Where the tiles of each dimension are counted.
    outer: Vec<usize>,
    /// Where each dimension that is cut has the place in its tile.
    inner: Vec<Option<usize>>,
}

impl Tiling {
    fn of(ir: &Ir, op: Op, rank: usize) -> Option<Self> {
        let list = |name| {
            let attr = ir.attr(op, name);
            let list = attr.and_then(|attr| ir.context().attr_i64_array(attr));
            list.unwrap_or_default()
        };
        let permutation = list(Name::OUTER_DIMS_PERM);
        let outer = (0..rank).map(|dim| match permutation.is_empty() {
            true => Some(dim),
            false => permutation.iter().position(|&from| from == dim as i64),
        });
        let mut inner = vec![None; rank];
        for (place, &dim) in (rank..).zip(&list(Name::INNER_DIMS_POS)) {
            *inner.get_mut(usize::try_from(dim).ok()?)? = Some(place);
        }
        Some(Self {
            outer: outer.collect::<Option<_>>()?,
            inner,
        })
    }

    /// The dimensions of the packed tensor in the order of those that they are parts of.
    fn interleaved(&self) -> Vec<usize> {
        let parts = self.outer.iter().zip(&self.inner);
        parts
            .flat_map(|(&outer, &inner)| [Some(outer), inner].into_iter().flatten())
            .collect()
    }

    /// Which of these parts belong to each dimension.
    fn groups(&self) -> Vec<Vec<i64>> {
        let mut next = 0;
        let groups = self.inner.iter().map(|inner| {
            let first = next;
            next += 1 + i64::from(inner.is_some());
            (first..next).collect()
        });
        groups.collect()
    }

    /// The sizes of the tensor that is made of whole tiles.
    fn whole(&self, b: &mut Builder<'_>, packed: &[MixedIndex]) -> Vec<MixedIndex> {
        let parts = self.outer.iter().zip(&self.inner);
        parts
            .map(|(&outer, &inner)| match inner {
                Some(inner) => product(b, packed[outer], packed[inner]),
                None => packed[outer],
            })
            .collect()
    }
}

/// The type of a tensor of these sizes.
pub(crate) fn type_of(context: &Context, sizes: &[MixedIndex], element: Type) -> Type {
    let shape: Vec<i64> = (sizes.iter())
        .map(|size| match size {
            MixedIndex::Constant(size) => *size,
            MixedIndex::Value(_) => DYNAMIC,
        })
        .collect();
    tensors::tensor_type(context, &shape, element)
}

/// A part of a tensor without strides.
pub(crate) fn part(offsets: Vec<MixedIndex>, sizes: Vec<MixedIndex>) -> OffsetSizeStride {
    OffsetSizeStride {
        strides: vec![MixedIndex::Constant(1); sizes.len()],
        offsets,
        sizes,
    }
}

/// The offsets of the whole.
pub(crate) fn zeros(rank: usize) -> Vec<MixedIndex> {
    vec![MixedIndex::Constant(0); rank]
}

/// `out` with the elements of `source`, whose dimensions are these of `out`.
pub(crate) fn transposed(b: &mut Builder<'_>, source: Value, dims: &[usize], out: Value) -> Value {
    let rank = dims.len();
    let generic = Generic {
        inputs: vec![(source, projection(rank, dims))],
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    generic.build(b, &mut |_, arguments| vec![arguments[0]])[0]
}

fn pack(ir: &mut Ir, op: Op) -> Option<Value> {
    let view = tensor::Pack(op);
    let (source, dest) = (view.source(ir), view.dest(ir));
    let padding = view.padding_value(ir).first().copied();
    let rank = tensors::shape(ir, source).len();
    let tiling = Tiling::of(ir, op, rank)?;
    let element = tensors::element(ir, source);
    let mut b = Builder::before(ir, op);
    let packed = tensors::sizes(&mut b, dest);
    let whole = tiling.whole(&mut b, &packed);
    let ty = type_of(b.ir.context(), &whole, element);
    let is_whole =
        b.ir.value_type(source) == ty && !tensors::shape(b.ir, source).contains(&DYNAMIC);
    let filled = if is_whole {
        source
    } else {
        let padding = match padding {
            Some(padding) => padding,
            None => {
                let zero = splat_attr(b.ir.context(), element, 0)?;
                arith::constant_attr(&mut b, zero)
            }
        };
        let out = tensors::empty_of(&mut b, &whole, element);
        let filled = tensors::fill(&mut b, padding, out);
        let all = part(zeros(rank), tensors::sizes(&mut b, source));
        insert_part(&mut b, source, filled, &all)
    };
    let dims = tiling.interleaved();
    let parts: Vec<MixedIndex> = dims.iter().map(|&dim| packed[dim]).collect();
    let split = match dims.len() == rank {
        true => filled,
        false => {
            let ty = type_of(b.ir.context(), &parts, element);
            expand_shape(&mut b, filled, &tiling.groups(), &parts, ty)
        }
    };
    Some(transposed(&mut b, split, &dims, dest))
}

fn unpack(ir: &mut Ir, op: Op) -> Option<Value> {
    let view = tensor::Unpack(op);
    let (source, dest) = (view.source(ir), view.dest(ir));
    let rank = tensors::shape(ir, dest).len();
    let tiling = Tiling::of(ir, op, rank)?;
    let element = tensors::element(ir, source);
    let mut b = Builder::before(ir, op);
    let packed = tensors::sizes(&mut b, source);
    let dims = tiling.interleaved();
    let parts: Vec<MixedIndex> = dims.iter().map(|&dim| packed[dim]).collect();
    let out = tensors::empty_of(&mut b, &parts, element);
    // Loops are in the order of the parts.
    let n_loops = dims.len();
    let mut places = vec![0; n_loops];
    for (place, &dim) in dims.iter().enumerate() {
        places[dim] = place;
    }
    let split = transposed(&mut b, source, &places, out);
    let whole = tiling.whole(&mut b, &packed);
    let merged = match n_loops == rank {
        true => split,
        false => {
            let ty = type_of(b.ir.context(), &whole, element);
            collapse_shape(&mut b, split, &tiling.groups(), ty)
        }
    };
    let wanted = tensors::sizes(&mut b, dest);
    let ty = type_of(b.ir.context(), &wanted, element);
    let cut = extract_part(&mut b, merged, &part(zeros(rank), wanted), ty);
    let dims: Vec<usize> = (0..rank).collect();
    Some(transposed(&mut b, cut, &dims, dest))
}
