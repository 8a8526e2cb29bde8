//! Rules of the maps that named convolutions and contractions carry themselves, in upstream's words.

use super::attributes::IteratorType;
use super::interface::{has_own_maps, indexing_maps, iterator_types};
use crate::ir::affine::{AffineExpr, AffineMap, AffineOp};
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::OpError;

const CONVOLUTIONS: [&str; 3] = ["linalg.conv_", "linalg.depthwise_conv_", "linalg.pooling_"];
const CONTRACTIONS: [&str; 6] = [
    "linalg.matmul",
    "linalg.batch_",
    "linalg.matvec",
    "linalg.vecmat",
    "linalg.dot",
    "linalg.mmt4d",
];

/// An error unless a convolution's own maps are those of one: each loop is of the batch, the image, the channels or the
/// filter.
pub(super) fn verify_convolution(ir: &Ir, op: Op) -> Result<(), OpError> {
    if !is_one_of(ir, op, &CONVOLUTIONS) || !has_own_maps(ir, op) {
        return Ok(());
    }
    let maps = indexing_maps(ir, op);
    let ([input, filter, ..], Some(output)) = (&maps[..], maps.last()) else {
        return Ok(());
    };
    let Some(input) = Input::of(input) else {
        return error("unexpected input index map for convolutions");
    };
    let (Some(filter), Some(output)) = (projected(filter), projected(output)) else {
        return error("expected output/filter indexing maps to be projected permutations");
    };
    let iterators = iterator_types(ir, op);
    let is_parallel = |&dim: &u32| iterators.get(dim as usize) == Some(&IteratorType::Parallel);
    let of_output =
        |dim: &&u32| input.has(**dim) != filter.contains(dim) || input.rows.contains(dim);
    let mut n_known = 0;
    for dim in output.iter().filter(of_output) {
        if !is_parallel(dim) {
            return error("expected all iterators used to access outputs to be parallel");
        }
        n_known += 1;
    }
    let of_filter = |dim: &&u32| !output.contains(dim) && input.has(**dim);
    for dim in filter.iter().filter(of_filter) {
        if is_parallel(dim) {
            return error("expected all iterators not used to access outputs to be reduction");
        }
        n_known += 1;
    }
    match n_known == iterators.len() {
        true => Ok(()),
        false => error("unexpected loop dimension for convolution op"),
    }
}

/// An error unless a contraction's own maps only choose and permute dimensions.
pub(super) fn verify_contraction(ir: &Ir, op: Op) -> Result<(), OpError> {
    if !is_one_of(ir, op, &CONTRACTIONS) || !has_own_maps(ir, op) {
        return Ok(());
    }
    match indexing_maps(ir, op)
        .iter()
        .all(|map| projected(map).is_some())
    {
        true => Ok(()),
        false => error("expected indexing maps to be projected permutations"),
    }
}

fn is_one_of(ir: &Ir, op: Op, beginnings: &[&str]) -> bool {
    let name = ir.def(op).name;
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

fn error(message: &str) -> Result<(), OpError> {
    Err(OpError::bare(message.to_owned()))
}

/// The dimensions that subscripts are, if each is one of its own.
fn projected(map: &AffineMap) -> Option<Vec<u32>> {
    let mut dims = Vec::new();
    for result in &map.results {
        match *result {
            AffineExpr::Dim(dim) if !dims.contains(&dim) => dims.push(dim),
            _ => return None,
        }
    }
    Some(dims)
}

/// The dimensions in the subscripts of a convolution's input.
#[derive(Default)]
struct Input {
    /// Those that are one.
    rows: Vec<u32>,
    /// Those in sums of two, each by a factor.
    windows: Vec<u32>,
}

impl Input {
    fn of(map: &AffineMap) -> Option<Self> {
        let mut input = Self::default();
        for result in &map.results {
            match result {
                AffineExpr::Dim(dim) => {
                    input.is_new(*dim).then_some(())?;
                    input.rows.push(*dim);
                }
                AffineExpr::Binary(AffineOp::Add, sides) => {
                    for side in [&sides.0, &sides.1] {
                        let dim = scaled(side).filter(|&dim| input.is_new(dim))?;
                        input.windows.push(dim);
                    }
                }
                _ => return None,
            }
        }
        Some(input)
    }

    fn has(&self, dim: u32) -> bool {
        !self.is_new(dim)
    }

    fn is_new(&self, dim: u32) -> bool {
        !self.rows.contains(&dim) && !self.windows.contains(&dim)
    }
}

/// The dimension of `d` or `d * 2`.
fn scaled(expr: &AffineExpr) -> Option<u32> {
    match expr {
        AffineExpr::Dim(dim) => Some(*dim),
        AffineExpr::Binary(AffineOp::Mul, sides) => match **sides {
            (AffineExpr::Dim(dim), ref factor) | (ref factor, AffineExpr::Dim(dim)) => {
                factor.is_symbolic_or_constant().then_some(dim)
            }
            _ => None,
        },
        _ => None,
    }
}
