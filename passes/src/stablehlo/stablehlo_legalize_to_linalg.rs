//! `stablehlo-legalize-to-linalg`: StableHLO and CHLO become linalg, tensor, scf, arith and math.
//!
//! Before:
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xf32>
//! ```
//! After:
//! ```mlir
//! %init = tensor.empty() : tensor<4xf32>
//! %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
//!     ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
//! ^bb0(%x: f32, %y: f32, %out: f32):
//!   %1 = arith.addf %x, %y : f32
//!   linalg.yield %1 : f32
//! } -> tensor<4xf32>
//! ```
//!
//! Blocks are visited from the inside out, so the bodies of loops and branches are lowered before these are. Bodies of
//! operations on single elements (reductions, sorts) are not visited: their lowerings inline them.

use std::sync::LazyLock;

use freehold_frontend::dialects::func;
use freehold_frontend::dialects::stablehlo::{communication, reductions as rows, regions};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashMap;

use super::{
    batch_norm, build, control, elements, factorizations, indexing, lapack, moves, padding,
    products, quantized, ragged, random, reductions, scalar, sorting, special, transforms,
};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// whether long sums and products that 'stablehlo.reduce' computes, and those of factorizations and transforms,
        /// get the flag 'reassoc': StableHLO leaves their order open
        "reassociate-fp-reductions" reassociate: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "stablehlo-legalize-to-linalg",
    summary: "turn StableHLO and CHLO into linalg, tensor, scf, arith and math",
    anchor: Anchor::Function,
    run,
};

/// Builds in front of an operation and returns a value for each of its results. Where results have unsigned elements,
/// the values have signless ones.
pub(super) type Lower = fn(&mut Builder<'_>, Op) -> Result<Vec<Value>, Unsupported>;

/// Why an operation has no lowering.
pub(super) struct Unsupported(pub(super) String);

impl From<&str> for Unsupported {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

/// A lowering of an operation.
pub(super) type Row = (&'static OpDef, Lower);

const TABLES: &[&[Row]] = &[
    batch_norm::ROWS,
    control::ROWS,
    factorizations::ROWS,
    indexing::ROWS,
    moves::ROWS,
    padding::ROWS,
    products::ROWS,
    ragged::ROWS,
    random::ROWS,
    reductions::ROWS,
    sorting::ROWS,
    special::ROWS,
    transforms::ROWS,
];

/// All lowerings by the names of operations.
static LOWERINGS: LazyLock<FxHashMap<&'static str, Lower>> = LazyLock::new(|| {
    let rows = TABLES
        .iter()
        .copied()
        .flatten()
        .map(|&(def, lower)| (def.name, lower));
    let elementwise = scalar::rows().map(|def| (def.name, scalar::lower_elementwise as Lower));
    rows.chain(elementwise).collect()
});

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut n_lowered = 0;
    let mut tokens = Vec::new();
    control::open_tuples(ir);
    quantized::open(ir).map_err(|(op, reason)| not_lowered(ir, context, op, &reason))?;
    lapack::open(ir);
    let has_unknown_sizes = elements::has_unknown_sizes(ir);
    let fastmath = super::formula::order_left_open(ir.context(), context.options.reassociate);
    for block in blocks_from_inside(ir) {
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.is(op, &regions::RETURN) {
                return_as_function(ir, op);
                continue;
            }
            if !is_stablehlo(ir, op) {
                continue;
            }
            if ir.is(op, &communication::CREATE_TOKEN) || ir.is(op, &communication::AFTER_ALL) {
                tokens.push(op);
                continue;
            }
            let lowered = match LOWERINGS.get(ir.op_name(op)) {
                Some(_) if gives_nothing(ir, op) => {
                    let results = ir.results(op).to_vec();
                    let mut b = Builder::before(ir, op);
                    let empty = |result: Value| {
                        let ty = build::signless(&b.context(), b.ir.value_type(result));
                        build::empty(&mut b, ty)
                    };
                    Ok(results.into_iter().map(empty).collect())
                }
                Some(lower) => {
                    let mut b = Builder::before(ir, op);
                    b.set_fastmath(fastmath);
                    let known = has_unknown_sizes.then(|| elements::lower(&mut b, op));
                    known.flatten().map_or_else(|| lower(&mut b, op), Ok)
                }
                None => Err("nothing lowers it".into()),
            };
            match lowered {
                Ok(values) => {
                    if context.options.reassociate && ir.is(op, &rows::REDUCE) {
                        reductions::leave_order_open(ir, op, &values);
                    }
                    replace(ir, op, &values);
                }
                Err(reason) => return Err(not_lowered(ir, context, op, &reason)),
            }
            n_lowered += 1;
        }
    }
    // What tokens put in order is computed in the order of the program.
    for op in tokens.into_iter().rev() {
        if !ir.is_unused(op) {
            return Err(not_lowered(
                ir,
                context,
                op,
                &"its token is handed on".into(),
            ));
        }
        ir.erase_op(op);
        n_lowered += 1;
    }
    if n_lowered > 0 {
        build::fold_scalars(ir);
    }
    context.count("operations lowered", n_lowered);
    Ok(())
}

/// Functions return as func does: JAX ends the comparators of `approx_max_k` as regions end.
fn return_as_function(ir: &mut Ir, op: Op) {
    if ir.parent_op(op) == Some(ir.root()) && ir.is(ir.root(), &func::FUNC) {
        let operands = ir.operands(op).to_vec();
        Builder::before(ir, op).op(&func::RETURN, &operands, &[]);
        ir.erase_op(op);
    }
}

fn not_lowered(
    ir: &Ir,
    context: &mut PassContext<'_, Options>,
    op: Op,
    reason: &Unsupported,
) -> Failed {
    let message = format!("'{}' op is not lowered: {}", ir.op_name(op), reason.0);
    context.diagnostics.error(ir.loc(op), message)
}

/// Whether no result has an element, and the operation does nothing but compute them. A window that fits nowhere has no
/// loop that linalg would accept.
fn gives_nothing(ir: &Ir, op: Op) -> bool {
    let results = ir.results(op);
    let is_empty = |&result: &Value| {
        let shape = ir.context().shape(ir.value_type(result));
        shape.is_some_and(|shape| shape.contains(&0) && !shape.contains(&DYNAMIC))
    };
    !results.is_empty() && results.iter().all(is_empty) && ir.is_memory_effect_free(op)
}

fn is_stablehlo(ir: &Ir, op: Op) -> bool {
    let name = ir.op_name(op);
    name.starts_with("stablehlo.") || name.starts_with("chlo.")
}

/// Whether the regions of an operation are control flow, and not a body on single elements.
fn has_control_flow(ir: &Ir, op: Op) -> bool {
    !is_stablehlo(ir, op) || control::has_branches(ir, op)
}

/// The blocks that hold operations on tensors, those inside of others first.
fn blocks_from_inside(ir: &Ir) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut work = vec![ir.root()];
    while let Some(op) = work.pop() {
        for &region in ir.regions(op) {
            for block in ir.blocks_in(region) {
                blocks.push(block);
                let mut next = ir.first_op(block);
                while let Some(op) = next {
                    next = ir.next_op(op);
                    if !ir.regions(op).is_empty() && has_control_flow(ir, op) {
                        work.push(op);
                    }
                }
            }
        }
    }
    blocks.reverse();
    blocks
}

/// Puts values in the place of results, with the types of these.
pub(super) fn replace(ir: &mut Ir, op: Op, values: &[Value]) {
    let mut b = Builder::before(ir, op);
    let cast: Vec<Value> = values
        .iter()
        .enumerate()
        .map(|(i, &value)| {
            let result = b.ir.result(op, i);
            let ty = b.ir.value_type(result);
            build::cast(&mut b, value, ty)
        })
        .collect();
    ir.replace_op(op, &cast);
}
