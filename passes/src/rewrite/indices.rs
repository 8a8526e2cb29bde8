//! Indices that are computed: affine functions of values and numbers, as `affine.apply` where they are not known.

use freehold_frontend::dialects::affine;
use freehold_frontend::dialects::affine::MapAndOperands;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

/// `expr` of symbols that stand for `operands`.
pub(crate) fn apply(b: &mut Builder<'_>, expr: AffineExpr, operands: &[MixedIndex]) -> MixedIndex {
    let composed = compose(b, vec![expr], operands);
    match composed.map.results[..] {
        [AffineExpr::Constant(number)] if number != DYNAMIC => number.into(),
        [AffineExpr::Symbol(0) | AffineExpr::Dim(0)] if composed.operands.len() == 1 => {
            composed.operands[0].into()
        }
        _ => map_op(b, &affine::APPLY, composed),
    }
}

/// The product of indices.
pub(crate) fn product(b: &mut Builder<'_>, factors: &[MixedIndex]) -> MixedIndex {
    let symbols = (0..factors.len() as u32).map(AffineExpr::Symbol);
    let expr = symbols.reduce(AffineExpr::mul);
    apply(b, expr.unwrap_or(AffineExpr::Constant(1)), factors)
}

/// `results` of symbols that stand for `operands`, simplified.
pub(crate) fn compose(
    b: &Builder<'_>,
    results: Vec<AffineExpr>,
    operands: &[MixedIndex],
) -> MapAndOperands {
    let mut values = Vec::new();
    let mut symbols = Vec::new();
    for operand in operands {
        symbols.push(match *operand {
            MixedIndex::Constant(number) => AffineExpr::Constant(number),
            MixedIndex::Value(value) => {
                values.push(value);
                AffineExpr::Symbol(values.len() as u32 - 1)
            }
        });
    }
    let map = AffineMap {
        n_dims: 0,
        n_symbols: values.len() as u32,
        results: results
            .iter()
            .map(|result| result.replace(&[], &symbols))
            .collect(),
    };
    MapAndOperands::new(map, &values).canonical(b.ir)
}

/// An operation that applies a map: `affine.apply`, `affine.min` or `affine.max`.
pub(crate) fn map_op(
    b: &mut Builder<'_>,
    def: &'static OpDef,
    composed: MapAndOperands,
) -> MixedIndex {
    let map = b.context().affine_map_attr(composed.map);
    b.value_with_attr(def, &composed.operands, Type::INDEX, Name::MAP, map)
        .into()
}
