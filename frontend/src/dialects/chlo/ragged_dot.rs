//! `chlo.ragged_dot`: products of groups of rows, and its dimension numbers.

use super::DIALECT_ATTR;
use crate::dialects::stablehlo::attributes::DotDimensions;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{ANY_ATTR, TENSOR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::DYNAMIC;
use crate::syntax::printer::type_to_string;

/// Product over groups of rows, each with a matrix of its own.
pub static RAGGED_DOT: OpDef = OpDef {
    name: "chlo.ragged_dot",
    operands: &[
        ValueSpec::one("lhs", &TENSOR),
        ValueSpec::one("rhs", &TENSOR),
        ValueSpec::one("group_sizes", &super::INTEGER_TENSOR),
    ],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[
        AttrSpec::required(Name::RAGGED_DOT_DIMENSION_NUMBERS, &DIALECT_ATTR),
        AttrSpec::optional(Name::PRECISION_CONFIG, &ANY_ATTR),
    ],
    verify,
    ..OpDef::PURE
};

/// What a ragged dimension is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A free dimension of the first factor: each group has a second factor of its own.
    NonContracting,
    /// A dimension of both that adds up: each group has a result of its own.
    Contracting,
    /// A batch of both.
    Batch,
}

/// The dimensions of `ragged_dot`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RaggedDotDimensions {
    /// Batches and sums.
    pub dot: DotDimensions,
    /// Dimensions of the first factor that are cut into groups.
    pub lhs_ragged_dimensions: Vec<i64>,
    /// Dimensions of the second factor that count groups.
    pub rhs_group_dimensions: Vec<i64>,
}

impl RaggedDotDimensions {
    /// What an attribute says.
    pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
            return None;
        };
        let body = body.strip_prefix("ragged_dot")?.trim_start();
        let mut rest = body.strip_prefix('<')?.trim_end().strip_suffix('>')?;
        let mut all = Self::default();
        while !rest.trim().is_empty() {
            let (key, after) = rest.split_once('=')?;
            let (numbers, after) = after.trim_start().strip_prefix('[')?.split_once(']')?;
            let numbers = numbers.split(',').map(str::trim).filter(|n| !n.is_empty());
            let numbers: Option<Vec<i64>> = numbers.map(|number| number.parse().ok()).collect();
            let list = match key.trim().trim_start_matches(',').trim() {
                "lhs_batching_dimensions" => &mut all.dot.lhs_batching_dimensions,
                "rhs_batching_dimensions" => &mut all.dot.rhs_batching_dimensions,
                "lhs_contracting_dimensions" => &mut all.dot.lhs_contracting_dimensions,
                "rhs_contracting_dimensions" => &mut all.dot.rhs_contracting_dimensions,
                "lhs_ragged_dimensions" => &mut all.lhs_ragged_dimensions,
                "rhs_group_dimensions" => &mut all.rhs_group_dimensions,
                _ => return None,
            };
            *list = numbers?;
            rest = after;
        }
        (context.name(*dialect) == "chlo").then_some(all)
    }

    /// What the ragged dimension is.
    pub fn mode(&self) -> Mode {
        let is_in = |dims: &[i64]| dims.contains(&self.lhs_ragged_dimensions[0]);
        if is_in(&self.dot.lhs_batching_dimensions) {
            Mode::Batch
        } else if is_in(&self.dot.lhs_contracting_dimensions) {
            Mode::Contracting
        } else {
            Mode::NonContracting
        }
    }

    /// The dimensions of the first factor for each position of which there are sizes of groups, unless there is one list
    /// for all.
    pub fn prefix(&self) -> Vec<i64> {
        let ragged = self.lhs_ragged_dimensions[0];
        let before = |dims: &[i64]| -> Vec<i64> {
            dims.iter()
                .copied()
                .take_while(|&dim| dim != ragged)
                .collect()
        };
        let batches = &self.dot.lhs_batching_dimensions;
        let sums = &self.dot.lhs_contracting_dimensions;
        match self.mode() {
            Mode::Batch => before(batches),
            Mode::Contracting => [&batches[..], &before(sums)].concat(),
            Mode::NonContracting => {
                let is_free = |dim: &i64| !batches.contains(dim) && !sums.contains(dim);
                [
                    &batches[..],
                    &(0..ragged).filter(is_free).collect::<Vec<_>>(),
                ]
                .concat()
            }
        }
    }
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let attr = ir.attr(op, Name::RAGGED_DOT_DIMENSION_NUMBERS);
    let Some(dims) = attr.and_then(|attr| RaggedDotDimensions::from_attr(context, attr)) else {
        return Err("attribute 'ragged_dot_dimension_numbers' failed to satisfy constraint: dimensions of ragged_dot".into());
    };
    let shapes = [0, 1, 2].map(|i| context.shape(ir.value_type(ir.operand(op, i))));
    let [Some(lhs), Some(rhs), Some(sizes)] = shapes else {
        return Ok(());
    };
    if dims.lhs_ragged_dimensions.len() != 1 {
        return Err("There must be exactly one ragged dimension in the lhs.".into());
    }
    let all = [
        (
            &dims.dot.lhs_batching_dimensions,
            lhs.len(),
            "lhs_batching_dimensions",
        ),
        (
            &dims.dot.rhs_batching_dimensions,
            rhs.len(),
            "rhs_batching_dimensions",
        ),
        (
            &dims.dot.lhs_contracting_dimensions,
            lhs.len(),
            "lhs_contracting_dimensions",
        ),
        (
            &dims.dot.rhs_contracting_dimensions,
            rhs.len(),
            "rhs_contracting_dimensions",
        ),
        (&dims.lhs_ragged_dimensions, lhs.len(), "lhs_ragged_dim"),
        (&dims.rhs_group_dimensions, rhs.len(), "rhs_group_dim"),
    ];
    for (list, rank, name) in all {
        if list.iter().any(|&dim| dim < 0 || dim >= rank as i64) {
            return Err(format!("{name} has a dimension outside of range [0, {rank})").into());
        }
    }
    let fits = |x: i64, y: i64| x == y || x == DYNAMIC || y == DYNAMIC;
    let pairs = [
        (
            &dims.dot.lhs_batching_dimensions,
            &dims.dot.rhs_batching_dimensions,
            "batching",
        ),
        (
            &dims.dot.lhs_contracting_dimensions,
            &dims.dot.rhs_contracting_dimensions,
            "contracting",
        ),
    ];
    for (left, right, name) in pairs {
        let sizes = left.iter().zip(right.iter());
        let is_right = left.len() == right.len()
            && sizes
                .into_iter()
                .all(|(&l, &r)| fits(lhs[l as usize], rhs[r as usize]));
        if !is_right {
            return Err(format!("{name} dimension sizes must match for lhs/rhs").into());
        }
    }
    let mut used: Vec<i64> = [
        &dims.dot.rhs_batching_dimensions[..],
        &dims.dot.rhs_contracting_dimensions,
        &dims.rhs_group_dimensions,
    ]
    .concat();
    used.sort_unstable();
    let mut of_lhs = [
        &dims.dot.lhs_batching_dimensions[..],
        &dims.dot.lhs_contracting_dimensions,
    ]
    .concat();
    of_lhs.sort_unstable();
    for list in [used, of_lhs] {
        if list.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "has duplicated dimension from batching, contracting and group dimensions".into(),
            );
        }
    }
    let n_groups = sizes.last().copied().unwrap_or(DYNAMIC);
    let prefix: Vec<i64> = dims.prefix().iter().map(|&dim| lhs[dim as usize]).collect();
    if sizes.len() != 1 {
        if sizes.len() != prefix.len() + 1 {
            let (expected, got) = (prefix.len() + 1, sizes.len());
            return Err(format!("expected group_sizes to have rank {expected}, got {got}").into());
        }
        if !prefix.iter().zip(sizes).all(|(&x, &y)| fits(x, y)) {
            let list = |dims: &[i64]| {
                let words: Vec<String> = dims.iter().map(i64::to_string).collect();
                words.join(", ")
            };
            return Err(format!(
                "group_sizes is expected to have shape [{}, {n_groups}], got [{}]",
                list(&prefix),
                list(sizes)
            )
            .into());
        }
    }
    let is_grouped = dims.mode() == Mode::NonContracting;
    match (is_grouped, &dims.rhs_group_dimensions[..]) {
        (false, []) => {}
        (false, _) => {
            return Err("There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting.".into());
        }
        (true, &[group]) => {
            let size = rhs[group as usize];
            if !fits(n_groups, size) {
                return Err(format!(
                    "rhs group dimension is expected to have size={n_groups}, got {size}"
                )
                .into());
            }
        }
        (true, _) => {
            return Err("There must be exactly one group dimension in the rhs when the lhs ragged dimension is non-contracting.".into());
        }
    }
    verify_result(ir, op, &dims, [lhs, rhs], n_groups)
}

fn verify_result(
    ir: &Ir,
    op: Op,
    dims: &RaggedDotDimensions,
    [lhs, rhs]: [&[i64]; 2],
    n_groups: i64,
) -> Result<(), OpError> {
    let mut expected = Vec::new();
    if dims.mode() == Mode::Contracting {
        expected.push(n_groups);
    }
    let batches = &dims.dot.lhs_batching_dimensions;
    expected.extend(batches.iter().map(|&dim| lhs[dim as usize]));
    let free = |shape: &[i64], bound: [&[i64]; 3]| -> Vec<i64> {
        let dims =
            (0..shape.len() as i64).filter(|dim| !bound.iter().any(|list| list.contains(dim)));
        dims.map(|dim| shape[dim as usize]).collect()
    };
    expected.extend(free(
        lhs,
        [batches, &dims.dot.lhs_contracting_dimensions, &[]],
    ));
    let dot = &dims.dot;
    let bound = [
        &dot.rhs_batching_dimensions[..],
        &dot.rhs_contracting_dimensions,
        &dims.rhs_group_dimensions,
    ];
    expected.extend(free(rhs, bound));
    let Some(found) = ir.context().shape(ir.value_type(ir.result(op, 0))) else {
        return Ok(());
    };
    let fits = |(&x, &y): (&i64, &i64)| x == y || x == DYNAMIC || y == DYNAMIC;
    match found.len() == expected.len() && found.iter().zip(&expected).all(fits) {
        true => Ok(()),
        false => {
            let words: Vec<String> = expected
                .iter()
                .map(|&size| match size {
                    DYNAMIC => "?".to_owned(),
                    size => size.to_string(),
                })
                .collect();
            let ty = type_to_string(ir.context(), ir.value_type(ir.result(op, 0)));
            Err(format!(
                "inferred shape '[{}]' is incompatible with return type of operation {ty}",
                words.join(", ")
            )
            .into())
        }
    }
}
