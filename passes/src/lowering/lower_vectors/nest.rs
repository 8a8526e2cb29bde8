//! Contractions, outer products and reductions of some dimensions as nests of loops.

use freehold_frontend::dialects::vector::{
    self, Coordinates, contraction_maps, linear, numbers, sizes_of,
};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use smallvec::{SmallVec, smallvec};

/// What an operation computes: for each point of a nest of loops, a product of elements, or an element, is combined
/// with an element of the result. Each takes them in row-major order of the loops.
pub(super) struct Nest {
    /// The sizes of the loops.
    pub(super) sizes: Coordinates,
    /// For each operand that is a factor, the loops along which its dimensions run.
    pub(super) factors: SmallVec<[Coordinates; 2]>,
    /// The loops along which the dimensions of the result run.
    pub(super) result: Coordinates,
    /// What the result starts from.
    pub(super) totals: Option<Value>,
}

impl Nest {
    /// That of an operation, if it has one.
    pub(super) fn of(ir: &Ir, op: Op) -> Option<Self> {
        match () {
            () if ir.is(op, &vector::CONTRACT) => Self::of_contract(ir, op),
            () if ir.is(op, &vector::MULTI_REDUCTION) => Some(Self::of_reduction(ir, op)),
            () if ir.is(op, &vector::OUTER_PRODUCT) => Some(Self::of_outer_product(ir, op)),
            () => None,
        }
    }

    fn of_outer_product(ir: &Ir, op: Op) -> Self {
        let sizes = sizes_of(ir, ir.result(op, 0));
        // The second factor may be a scalar.
        let result: Coordinates = (0..sizes.len()).collect();
        Self {
            sizes,
            factors: smallvec![smallvec![0], result[1..].into()],
            result,
            totals: ir.operands(op).get(2).copied(),
        }
    }

    fn of_reduction(ir: &Ir, op: Op) -> Self {
        let sizes = sizes_of(ir, ir.operand(op, 0));
        let reduced = numbers(ir, op, Name::REDUCTION_DIMS);
        let all = 0..sizes.len();
        Self {
            factors: smallvec![all.clone().collect()],
            result: all
                .filter(|&dim| !reduced.contains(&(dim as i64)))
                .collect(),
            sizes,
            totals: Some(ir.operand(op, 1)),
        }
    }

    fn of_contract(ir: &Ir, op: Op) -> Option<Self> {
        let maps = contraction_maps(ir, op).filter(|maps| maps.len() == 3)?;
        let mut sizes = Coordinates::from_elem(1, maps[0].n_dims as usize);
        let mut loops: SmallVec<[Coordinates; 3]> = SmallVec::new();
        for (&operand, map) in ir.operands(op).iter().zip(&maps) {
            let dims = dims(map)?;
            for (&dim, &size) in dims.iter().zip(&sizes_of(ir, operand)) {
                sizes[dim] = size;
            }
            loops.push(dims);
        }
        let result = loops.pop()?;
        Some(Self {
            sizes,
            factors: loops.into_iter().collect(),
            result,
            totals: Some(ir.operand(op, 2)),
        })
    }

    /// How many points the loops have.
    pub(super) fn n_points(&self) -> usize {
        let sizes = self.sizes.iter();
        sizes.fold(1, |n, &size| n.saturating_mul(size))
    }

    /// The sizes of what runs along these loops.
    pub(super) fn sizes_along(&self, loops: &[usize]) -> Coordinates {
        loops.iter().map(|&dim| self.sizes[dim]).collect()
    }

    /// The number of the element, of what runs along these loops, at a point of the nest.
    pub(super) fn number(&self, loops: &[usize], at: &[usize]) -> usize {
        linear(&self.sizes_along(loops), loops.iter().map(|&dim| at[dim]))
    }
}

/// The dimension of each result of a map that has nothing but dimensions.
fn dims(map: &AffineMap) -> Option<Coordinates> {
    let dims = map.results.iter().map(|expr| match expr {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    });
    dims.collect()
}
