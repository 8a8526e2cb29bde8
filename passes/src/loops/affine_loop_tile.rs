//! `affine-loop-tile`: a nest of affine loops runs block by block.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to %n {
//!   affine.for %j = 0 to 64 {
//!     affine.store %v, %m[%j, %i] : memref<64x?xf32>
//!   }
//! }
//! ```
//! After (with `tile-size=32`):
//! ```mlir
//! affine.for %ii = 0 to %n step 32 {
//!   affine.for %jj = 0 to 64 step 32 {
//!     affine.for %i = affine_map<(d0) -> (d0)>(%ii) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%ii)[%n] {
//!       affine.for %j = affine_map<(d0) -> (d0)>(%jj) to affine_map<(d0) -> (d0 + 32)>(%jj) {
//!         affine.store %v, %m[%j, %i] : memref<64x?xf32>
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! Nests are perfect, their bounds do not depend on each other, and iterations that depend on each other differ in one
//! counter only. The size of blocks is given; upstream takes it from the size of a cache if it is not.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::analysis::affine_memory::{accesses, is_permutable};
use crate::analysis::loop_memory::is_outside;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{lower_bound, upper_bound};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// iterations of each loop in a block
        "tile-size" tile_size: u32 = 4,
        /// iterations in a block by loop, the outermost first; others have tile-size
        "tile-sizes" tile_sizes: Vec<String> = Vec::new(),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-loop-tile",
    summary: "run nests of affine loops block by block",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut sizes = Vec::new();
    for text in &context.options.tile_sizes {
        match text.parse::<u32>() {
            Ok(size) if size > 0 => sizes.push(i64::from(size)),
            _ => {
                let message = format!("'{text}' is no size of a tile");
                return Err(context.diagnostics.error(ir.loc(ir.root()), message));
            }
        }
    }
    let mut walk = ir.walk(ir.root());
    let mut bands = Vec::new();
    while let Some(op) = walk.next() {
        if ir.is(op, &affine::FOR) {
            bands.push(band(ir, op));
            walk.skip_regions(op);
        }
    }
    let mut n_tiled = 0;
    for band in bands {
        let default = i64::from(context.options.tile_size);
        let sizes: Vec<i64> = (0..band.len())
            .map(|at| sizes.get(at).copied().unwrap_or(default).max(1))
            .collect();
        if sizes.iter().any(|&size| size > 1) && is_legal(ir, &band) {
            tile(ir, &band, &sizes);
            n_tiled += 1;
        }
    }
    context.count("nests tiled", n_tiled);
    Ok(())
}

/// The loops from `op` inwards that have nothing but each other in them.
fn band(ir: &Ir, op: Op) -> Vec<Op> {
    let mut band = vec![op];
    loop {
        let body = affine::For(band[band.len() - 1]).body(ir);
        match ir.first_op(body) {
            Some(inner) if ir.is(inner, &affine::FOR) && ir.next_op(inner) == ir.last_op(body) => {
                band.push(inner);
            }
            _ => return band,
        }
    }
}

fn is_legal(ir: &Ir, band: &[Op]) -> bool {
    let outermost = band[0];
    let is_plain = |&op: &Op| {
        let view = affine::For(op);
        let bounds = [view.lower_bound_operands(ir), view.upper_bound_operands(ir)];
        ir.results(op).is_empty()
            && view.step(ir) > 0
            && view.lower_bound_map(ir).results.len() == 1
            && (op == outermost
                || bounds
                    .into_iter()
                    .flatten()
                    .all(|&value| is_outside(ir, value, outermost)))
    };
    band.iter().all(is_plain)
        && accesses(ir, outermost).is_some_and(|accesses| {
            // One loop alone keeps its order.
            band.len() == 1 || is_permutable(ir, band, &accesses)
        })
}

fn tile(ir: &mut Ir, band: &[Op], sizes: &[i64]) {
    let mut tiles = Vec::new();
    let mut anchor = band[0];
    for (&op, &size) in band.iter().zip(sizes) {
        let (lower, upper) = (lower_bound(ir, op), upper_bound(ir, op));
        let step = affine::For(op).step(ir).saturating_mul(size);
        let loc = ir.loc(op);
        let mut builder = Builder::before(ir, anchor);
        builder.set_loc(loc);
        let tile = affine::build_for(&mut builder, &lower, &upper, step, &[]);
        anchor = ir
            .last_op(affine::For(tile).body(ir))
            .expect("a new loop is terminated");
        tiles.push(tile);
    }
    let mut innermost = anchor;
    for ((&op, &size), &tile) in band.iter().zip(sizes).zip(&tiles) {
        let start = affine::For(tile).induction_variable(ir);
        let step = affine::For(op).step(ir);
        let span = step.saturating_mul(size);
        let is_even =
            (affine::For(op).trip_count(ir)).is_some_and(|n| n % size.unsigned_abs() == 0);
        let upper = upper_bound(ir, op);
        let lower = MapAndOperands::new(AffineMap::identity(1), &[start]);
        let end = AffineExpr::Dim(0).add(AffineExpr::Constant(span));
        let upper = match is_even {
            true => MapAndOperands::new(
                AffineMap {
                    results: vec![end],
                    ..AffineMap::identity(1)
                },
                &[start],
            ),
            false => {
                let n_dims = upper.map.n_dims;
                let dims: Vec<AffineExpr> = (0..n_dims).map(|i| AffineExpr::Dim(i + 1)).collect();
                let symbols: Vec<AffineExpr> =
                    (0..upper.map.n_symbols).map(AffineExpr::Symbol).collect();
                let others = upper
                    .map
                    .results
                    .iter()
                    .map(|expr| expr.replace(&dims, &symbols));
                let map = AffineMap {
                    n_dims: n_dims + 1,
                    n_symbols: upper.map.n_symbols,
                    results: std::iter::once(end).chain(others).collect(),
                };
                let operands = [&[start][..], &upper.operands].concat();
                MapAndOperands::new(map, &operands)
            }
        };
        let loc = ir.loc(op);
        let mut builder = Builder::before(ir, innermost);
        builder.set_loc(loc);
        let new = affine::build_for(&mut builder, &lower, &upper, step, &[]);
        let view = affine::For(new);
        let (old, counter) = (
            affine::For(op).induction_variable(ir),
            view.induction_variable(ir),
        );
        ir.replace_all_uses(old, counter);
        innermost = ir.last_op(view.body(ir)).expect("a new loop is terminated");
    }
    let body = affine::For(band[band.len() - 1]).body(ir);
    if let Some(end) = ir.last_op(body) {
        ir.erase_op(end);
    }
    ir.move_block_contents_before(body, innermost);
    ir.erase_op(band[0]);
}
