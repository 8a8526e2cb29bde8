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
//! counter only. Where no size of blocks is given, what a nest touches says it, as upstream has it: nests that fit
//! `cache-size` stay, others get blocks of as many iterations as the nest is times larger, of sizes that leave none over.
//! With `separate`, whole blocks have a nest of their own, without `min`.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap, IntegerSet};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use crate::analysis::affine_memory::{accesses, is_permutable};
use crate::analysis::affine_regions::touched_bytes;
use crate::analysis::loop_memory::is_outside;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{lower_bound, upper_bound};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// KiB that a nest may touch without blocks, where neither `tile-size` nor `tile-sizes` is there
        "cache-size" cache_size: u64 = 512,
        /// have whole blocks run in a nest of their own
        "separate" separate: bool = false,
        /// iterations of each loop in a block
        "tile-size" tile_size: Option<u64> = None,
        /// iterations in a block by loop, the outermost first, and 4 for others; without tile-size
        "tile-sizes" tile_sizes: Vec<String> = Vec::new(),
    }
}

/// Iterations in a block where nothing says how many.
const DEFAULT_SIZE: i64 = 4;

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
        if !is_legal(ir, &band) {
            continue;
        }
        let sizes: Vec<i64> = match context.options.tile_size {
            Some(size) => vec![i64::try_from(size).unwrap_or(i64::MAX); band.len()],
            None if sizes.is_empty() => sizes_for_cache(ir, &band, context.options.cache_size),
            None => (0..band.len())
                .map(|at| sizes.get(at).copied().unwrap_or(DEFAULT_SIZE))
                .collect(),
        };
        if sizes.iter().any(|&size| size > 1) {
            let sizes: Vec<i64> = sizes.into_iter().map(|size| size.max(1)).collect();
            tile(ir, &band, &sizes, context.options.separate);
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

/// Iterations in a block of each loop, by the size of a cache; 1 for all where the nest needs no blocks.
fn sizes_for_cache(ir: &Ir, band: &[Op], kib: u64) -> Vec<i64> {
    let n = band.len() as u32;
    let even = |sizes: Vec<i64>| -> Vec<i64> {
        let pairs = sizes.into_iter().zip(band);
        pairs.map(|(size, &op)| divisor(ir, op, size)).collect()
    };
    if kib == 0 {
        return vec![1; band.len()];
    }
    let Some(bytes) = touched_bytes(ir, band[0]) else {
        return even(vec![DEFAULT_SIZE; band.len()]);
    };
    let excess = bytes.div_ceil(kib.saturating_mul(1024)).min(1 << 30);
    if excess <= 1 {
        return vec![1; band.len()];
    }
    let mut size: u64 = 1;
    while (size + 1).checked_pow(n).is_some_and(|all| all <= excess) {
        size += 1;
    }
    let mut sizes = vec![size as i64; band.len()];
    // The innermost one has what is missing.
    sizes[band.len() - 1] = (excess / size.pow(n - 1)).max(1) as i64;
    even(sizes)
}

/// The largest number up to `size`, and to half of its iterations, of which a loop has a multiple.
fn divisor(ir: &Ir, op: Op, size: i64) -> i64 {
    let n = affine::For(op).trip_count(ir);
    let Some(n) = n.and_then(|n| i64::try_from(n).ok()) else {
        return size;
    };
    let largest = if n > 1 { size.min(n / 2) } else { size };
    let mut sizes = (1..=largest.max(1)).rev();
    sizes.find(|size| n % size == 0).unwrap_or(1)
}

/// What the loops of one block are made of.
struct Block {
    lower: MapAndOperands,
    /// Where the block ends if it is whole.
    end: MapAndOperands,
    /// Where it ends at the latest, unless all blocks are whole.
    partial: Option<MapAndOperands>,
    step: i64,
}

fn tile(ir: &mut Ir, band: &[Op], sizes: &[i64], separate: bool) {
    let mut anchor = band[0];
    let mut blocks = Vec::new();
    for (&op, &size) in band.iter().zip(sizes) {
        let (lower, upper) = (lower_bound(ir, op), upper_bound(ir, op));
        let step = affine::For(op).step(ir);
        let span = step.saturating_mul(size);
        let loc = ir.loc(op);
        let mut builder = Builder::before(ir, anchor);
        builder.set_loc(loc);
        let tile = affine::build_for(&mut builder, &lower, &upper, span, &[]);
        anchor = ir
            .last_op(affine::For(tile).body(ir))
            .expect("a new loop is terminated");
        let start = affine::For(tile).induction_variable(ir);
        let end = AffineExpr::Dim(0).add(AffineExpr::Constant(span));
        let is_even =
            (affine::For(op).trip_count(ir)).is_some_and(|n| n % size.unsigned_abs() == 0);
        let partial = (!is_even).then(|| at_most(&end, start, &upper));
        let end = AffineMap {
            results: vec![end],
            ..AffineMap::identity(1)
        };
        blocks.push(Block {
            lower: MapAndOperands::new(AffineMap::identity(1), &[start]),
            end: MapAndOperands::new(end, &[start]),
            partial,
            step,
        });
    }
    if separate && blocks.iter().any(|block| block.partial.is_some()) {
        let loc = ir.loc(band[0]);
        let mut builder = Builder::before(ir, anchor);
        builder.set_loc(loc);
        let [whole, rest] = build_condition(&mut builder, &blocks);
        let copy = ir.clone_op(band[0], &mut IrMap::default());
        ir.insert_op_before(whole, copy);
        let copies = self::band(ir, copy);
        build_loops(ir, whole, &blocks, &copies[..band.len()], true);
        anchor = rest;
    }
    build_loops(ir, anchor, &blocks, band, false);
}

/// The earlier one of `end`, of which `start` is the dimension, and what `bound` has.
fn at_most(end: &AffineExpr, start: Value, bound: &MapAndOperands) -> MapAndOperands {
    let n_dims = bound.map.n_dims;
    let dims: Vec<AffineExpr> = (0..n_dims).map(|i| AffineExpr::Dim(i + 1)).collect();
    let symbols: Vec<AffineExpr> = (0..bound.map.n_symbols).map(AffineExpr::Symbol).collect();
    let others = bound.map.results.iter();
    let others = others.map(|expr| expr.replace(&dims, &symbols));
    let map = AffineMap {
        n_dims: n_dims + 1,
        n_symbols: bound.map.n_symbols,
        results: std::iter::once(end.clone()).chain(others).collect(),
    };
    MapAndOperands::new(map, &[&[start][..], &bound.operands].concat())
}

/// Asks whether a block is whole; gives the ends of both branches.
fn build_condition(builder: &mut Builder<'_>, blocks: &[Block]) -> [Op; 2] {
    let partial: Vec<&MapAndOperands> = blocks.iter().filter_map(|b| b.partial.as_ref()).collect();
    let sum = |n: fn(&AffineMap) -> u32| partial.iter().map(|b| n(&b.map)).sum();
    let mut set = IntegerSet {
        n_dims: sum(|map| map.n_dims),
        n_symbols: sum(|map| map.n_symbols),
        constraints: Vec::new(),
    };
    let (mut dims, mut symbols) = (Vec::new(), Vec::new());
    for bound in &partial {
        let renamed = |n: u32, first: usize, of: fn(u32) -> AffineExpr| -> Vec<AffineExpr> {
            (0..n).map(|i| of(first as u32 + i)).collect()
        };
        let new_dims = renamed(bound.map.n_dims, dims.len(), AffineExpr::Dim);
        let new_symbols = renamed(bound.map.n_symbols, symbols.len(), AffineExpr::Symbol);
        let mut results = bound.map.results.iter();
        let mut next = || Some(results.next()?.replace(&new_dims, &new_symbols));
        let end = next().expect("where a whole block ends comes first");
        while let Some(other) = next() {
            set.constraints.push((other.sub(end.clone()), false));
        }
        let (own_dims, own_symbols) = bound.operands.split_at(bound.map.n_dims as usize);
        dims.extend_from_slice(own_dims);
        symbols.extend_from_slice(own_symbols);
    }
    let (set, operands) = affine::canonical_set(builder.ir, &set, &[dims, symbols].concat());
    let op = affine::build_if(builder, set, &operands);
    let view = affine::If(op);
    let ends = [
        Some(view.then_block(builder.ir)),
        view.else_block(builder.ir),
    ];
    ends.map(|block| {
        let block = block.expect("it was made with both");
        builder.ir.last_op(block).expect("it is terminated")
    })
}

/// Loops over one block in front of `before`, with the body of `band`, which goes.
fn build_loops(ir: &mut Ir, before: Op, blocks: &[Block], band: &[Op], is_whole: bool) {
    let mut innermost = before;
    for (block, &op) in blocks.iter().zip(band) {
        let upper = match &block.partial {
            Some(partial) if !is_whole => partial,
            _ => &block.end,
        };
        let loc = ir.loc(op);
        let mut builder = Builder::before(ir, innermost);
        builder.set_loc(loc);
        let new = affine::build_for(&mut builder, &block.lower, upper, block.step, &[]);
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
