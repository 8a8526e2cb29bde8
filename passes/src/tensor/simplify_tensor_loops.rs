//! `simplify-tensor-loops`: loops carry no tensors that no iteration changes, which would have to be copied, and short
//! loops of elementwise operations on tensors are written out, so that all iterations fuse into one loop over the elements.
//!
//! Before:
//! ```mlir
//! %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> (tensor<50000xi32>) {
//!   %k = tensor.extract %keys[%i] : tensor<5xi32>
//!   %y = linalg.generic {indexing_maps = [#id, #id], ...} ins(%x) outs(%e) { ... arith.addi %in, %k ... }
//!   scf.yield %y : tensor<50000xi32>
//! }
//! ```
//! After, with what the body does for five indices, one after the other:
//! ```mlir
//! %k0 = tensor.extract %keys[%c0] : tensor<5xi32>
//! %y0 = linalg.generic {...} ins(%a) outs(%e) { ... arith.addi %in, %k0 ... }
//! %k1 = tensor.extract %keys[%c1] : tensor<5xi32>
//! %y1 = linalg.generic {...} ins(%y0) outs(%e) { ... arith.addi %in, %k1 ... }
//! ...
//! ```
//!
//! Elementary functions of what no iteration changes are computed once, in front of the loop. What iterations only change
//! and that is unused afterwards is not carried.
//!
//! The rounds of generators of random numbers are such loops. A loop is written out if its bounds are known, its
//! iterations are few and small, and it does nothing but to compute tensors elementwise, each element from the same
//! place of what the loop computes, and scalars from scalars and elements of small tensors. Elements of constants become
//! constants: amounts by which bits are shifted are known then.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::shared::const_fold::scalar_attr;
use freehold_frontend::dialects::{arith, scf, tensor};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::{Pattern, Traits};
use freehold_frontend::ir::rewriter::Rewriter;
use freehold_frontend::ir::types::{DYNAMIC, TypeKind};

use rustc_hash::FxHashSet;

use super::results::is_on_tensors;
use crate::analysis::speculation::may_run_anywhere;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::elementary_functions::is_elementary;
use crate::rewrite::greedy::{self, Config};
use crate::rewrite::unrolling::{few_counters, write_out};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "simplify-tensor-loops",
    summary: "move what loops do not change out of them, and unroll short loops of elementwise tensor operations",
    anchor: Anchor::Function,
    run,
};

/// Limit for the operations of all iterations together: half of what fusion makes of them. `implied_volatility` of
/// benches/models has 800, and is nine times as slow if it is written out: such a loop no longer runs in vectors.
const MAX_OPS: usize = 500;
/// An elementary function counts as this number of operations: it becomes 20 to 60.
const WEIGHT_OF_FUNCTION: usize = 16;
/// Limit for the trip count; `random_uniform` has 5.
const MAX_ITERATIONS: i64 = 8;
/// Limit for the elements of a tensor that is read one by one, so that it need not fuse.
const MAX_TABLE: i64 = 64;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let is_loop = |ir: &Ir, op| ir.is(op, &scf::FOR) || ir.is(op, &scf::WHILE);
    let carries_tensors = |ir: &Ir, op| {
        let mut results = ir.results(op).iter();
        results.any(|&value| n_elements(ir, value).is_some())
    };
    let mut loops = ir.collect_ops(ir.root());
    loops.retain(|&op| is_loop(ir, op) && carries_tensors(ir, op));
    if loops.is_empty() {
        return Ok(());
    }
    for &op in &loops {
        if ir.is(op, &scf::FOR) {
            context.count("unused results no longer changed", keep_unused(ir, op));
        }
    }
    let outcome = greedy::run_on(ir, &loops, Config::default());
    context.count("loops simplified", outcome.rewritten);
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op)
            && ir.is(op, &scf::FOR)
            && let Some(counters) = few_counters(ir, op, ir.capped(MAX_ITERATIONS))
            && is_elementwise(ir, op, counters.len())
        {
            let copies = write_out(ir, op, &counters);
            let config = Config {
                canonicalize: false,
                patterns: PATTERNS,
                ..Config::default()
            };
            greedy::run_on(ir, &copies, config);
            context.count("loops unrolled", 1);
        }
    }
    // Inner before outer. What was written out has all of an element in registers already.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op) && is_loop(ir, op) {
            context.count("functions moved", move_functions_out(ir, op));
        }
    }
    Ok(())
}

/// Carries what comes in where the result of a loop is unused and iterations use the value only to change it: what a
/// scan stacks up, say. Then no iteration changes it. Returns how many there are.
fn keep_unused(ir: &mut Ir, op: Op) -> u64 {
    let view = scf::For(op);
    let (body, end) = (view.body(ir), view.yield_op(ir));
    let mut n_kept = 0;
    for (index, result) in ir.results(op).to_vec().into_iter().enumerate() {
        let carried = ir.block_args(body)[index + 1];
        let is_unused = n_elements(ir, result).is_some()
            && ir.uses(result).is_empty()
            && ir.operand(end, index) != carried;
        if is_unused && changes_itself(ir, body, carried, (end, index)) {
            ir.set_operand(end, index, carried);
            n_kept += 1;
        }
    }
    n_kept
}

/// Limit for the operations that depend on a value: bounds compile time.
const MAX_CHANGES: usize = 64;

/// Whether everything that depends on `value` in a block is free of effects and becomes no more than this operand of the
/// block's end.
fn changes_itself(ir: &Ir, body: Block, value: Value, place: (Op, usize)) -> bool {
    let mut seen = FxHashSet::default();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        for user in ir.uses(value) {
            let Some(around) = ir.ancestor_in_block(user.op, body) else {
                return false;
            };
            if around == place.0 {
                if user.op != around || user.index as usize != place.1 {
                    return false;
                }
            } else if seen.insert(around) {
                if seen.len() > ir.capped(MAX_CHANGES) || !ir.is_memory_effect_free(around) {
                    return false;
                }
                left.extend(ir.results(around));
            }
        }
    }
    true
}

/// Moves elementary functions of tensors that no iteration changes in front of the loop, with what they are computed
/// from; returns how many. Cheap operations stay, and fuse with those of the loop.
fn move_functions_out(ir: &mut Ir, op: Op) -> u64 {
    let Some(&region) = ir.regions(op).last() else {
        return 0;
    };
    let Some(body) = ir.blocks_in(region).next() else {
        return 0;
    };
    let mut fixed = FxHashSet::default();
    let mut functions = Vec::new();
    for inner in ir.ops_in(body) {
        let is_fixed = |&value: &Value| {
            ir.value_block(value) != Some(body)
                || ir.defining_op(value).is_some_and(|op| fixed.contains(&op))
        };
        let is_structured = interface::is_structured(ir, inner) && is_on_tensors(ir, inner);
        let may_leave = match is_structured {
            // Sizes that are known fit.
            true => {
                let is_known = |&value: &Value| n_elements(ir, value) != Some(i64::MAX);
                ir.is_memory_effect_free(inner)
                    && ir.operands(inner).iter().all(is_known)
                    && inner_ops(ir, inner).all(|op| {
                        ir.has_trait(op, Traits::TERMINATOR)
                            || ir.regions(op).is_empty() && may_run_anywhere(ir, op)
                    })
            }
            false => ir.regions(inner).is_empty() && may_run_anywhere(ir, inner),
        } && ir.operands(inner).iter().all(is_fixed)
            && inner_ops(ir, inner).all(|op| ir.operands(op).iter().all(is_fixed));
        if !may_leave {
            continue;
        }
        fixed.insert(inner);
        let is_function = is_structured
            && !interface::inputs(ir, inner).is_empty()
            && inner_ops(ir, inner).any(|op| is_elementary(ir, op));
        if is_function {
            functions.push(inner);
        }
    }
    let mut needed = FxHashSet::default();
    let mut left = functions.clone();
    while let Some(inner) = left.pop() {
        if !needed.insert(inner) {
            continue;
        }
        let inside = inner_ops(ir, inner).chain([inner]);
        let operands = inside.flat_map(|op| ir.operands(op).iter());
        left.extend(operands.filter_map(|&value| {
            let made = ir.defining_op(value)?;
            (ir.block_of(made) == Some(body)).then_some(made)
        }));
    }
    let order: Vec<Op> = ir.ops_in(body).filter(|op| needed.contains(op)).collect();
    for inner in order {
        // What others in the loop write to, or know, stays there for them.
        let is_shared = ir.results(inner).iter().any(|&result| {
            let mut users = ir.uses(result).iter();
            !users.all(|user| {
                needed.contains(&ir.ancestor_in_block(user.op, body).unwrap_or(user.op))
            })
        });
        let is_destination = !interface::is_structured(ir, inner)
            || (interface::inputs(ir, inner).iter()).all(|&v| n_elements(ir, v).is_none());
        if is_shared && is_destination {
            let copy = ir.clone_op(inner, &mut IrMap::default());
            ir.insert_op_before(inner, copy);
            for (result, index) in ir.results(inner).to_vec().into_iter().zip(0..) {
                let copied = ir.result(copy, index);
                for user in ir.uses(result).to_vec() {
                    let around = ir.ancestor_in_block(user.op, body).unwrap_or(user.op);
                    if !needed.contains(&around) {
                        ir.set_operand(user.op, user.index as usize, copied);
                    }
                }
            }
        }
        ir.move_op_before(inner, op);
    }
    functions.len() as u64
}

/// The operations in the body of a structured operation; others have none.
fn inner_ops(ir: &Ir, op: Op) -> impl Iterator<Item = Op> + '_ {
    let body = interface::body(ir, op).filter(|_| interface::is_structured(ir, op));
    body.into_iter().flat_map(|body| ir.ops_in(body))
}

/// Whether a loop does nothing but what this pass is for.
fn is_elementwise(ir: &Ir, op: Op, n_iterations: usize) -> bool {
    let view = scf::For(op);
    let body = view.body(ir);
    let is_inside = |value: Value| ir.value_block(value) == Some(body);
    let passed_on = passed_on(ir, view);
    let is_table =
        |value: Value| !is_inside(value) || n_elements(ir, value).is_some_and(|n| n <= MAX_TABLE);
    let mut n_ops = 0;
    let mut combines = false;
    for inner in ir.ops_in(body) {
        let fits = if interface::is_structured(ir, inner) {
            let Some(inner_body) = interface::body(ir, inner) else {
                return false;
            };
            n_ops += ir
                .ops_in(inner_body)
                .map(|op| weight(ir, op))
                .sum::<usize>();
            let maps = interface::indexing_maps(ir, inner);
            let mut iterators = interface::iterator_types(ir, inner).into_iter();
            let mut inputs = interface::inputs(ir, inner).iter().zip(&maps);
            combines |= !interface::inputs(ir, inner).is_empty();
            is_on_tensors(ir, inner)
                && ir.is_memory_effect_free(inner)
                && iterators.all(|kind| kind == IteratorType::Parallel)
                && inputs.all(|(&input, map)| {
                    let is_computed = is_inside(input) && !passed_on.contains(&input);
                    let is_read = is_computed && n_elements(ir, input).is_some();
                    !is_read || map.is_permutation()
                })
                && ir
                    .ops_in(inner_body)
                    .all(|op| ir.regions(op).is_empty() && !ir.is(op, &tensor::EXTRACT))
        } else if ir.is(inner, &tensor::EXTRACT) || ir.is(inner, &tensor::EXTRACT_SLICE) {
            let has_one_element = || n_elements(ir, ir.result(inner, 0)).is_none_or(|n| n == 1);
            // Known numbers make scalars simpler: a single random number has the same rounds.
            combines |= ir.is(inner, &tensor::EXTRACT);
            is_table(ir.operand(inner, 0)) && has_one_element()
        } else if ir.is(inner, &tensor::COLLAPSE_SHAPE) || ir.is(inner, &tensor::EXPAND_SHAPE) {
            n_elements(ir, ir.operand(inner, 0)) == Some(1)
        } else {
            let makes_tensors = [&tensor::EMPTY, &tensor::FROM_ELEMENTS, &arith::CONSTANT];
            let is_scalar = |&value: &Value| n_elements(ir, value).is_none();
            ir.regions(inner).is_empty()
                && ir.is_memory_effect_free(inner)
                && (makes_tensors.iter().any(|row| ir.is(inner, row))
                    || ir.is(inner, &scf::YIELD)
                    || ir.operands(inner).iter().all(is_scalar)
                        && ir.results(inner).iter().all(is_scalar))
        };
        if !interface::is_structured(ir, inner) {
            n_ops += weight(ir, inner);
        }
        if !fits || n_ops * n_iterations > ir.capped(MAX_OPS) {
            return false;
        }
    }
    combines && ir.results(op).iter().any(|&v| n_elements(ir, v).is_some())
}

/// What the loop carries that iterations only hand on to the next one, perhaps in another place: no element of it is made
/// in the loop.
fn passed_on(ir: &Ir, view: scf::For) -> FxHashSet<Value> {
    let body = view.body(ir);
    let arguments = view.iter_args(ir);
    let mut passed_on: FxHashSet<Value> = arguments.iter().copied().collect();
    let yielded = ir.operands(view.yield_op(ir));
    loop {
        let n = passed_on.len();
        for (argument, value) in arguments.iter().zip(yielded) {
            if ir.value_block(*value) == Some(body) && !passed_on.contains(value) {
                passed_on.remove(argument);
            }
        }
        if passed_on.len() == n {
            return passed_on;
        }
    }
}

/// What an operation counts: functions become arithmetic, and what makes no instruction fusion removes.
fn weight(ir: &Ir, op: Op) -> usize {
    if ir.has_trait(op, Traits::TERMINATOR)
        || ir.has_trait(op, Traits::CONSTANT_LIKE)
        || ir.is(op, &tensor::EMPTY)
    {
        0
    } else if is_elementary(ir, op) {
        WEIGHT_OF_FUNCTION
    } else {
        1
    }
}

/// How many elements a tensor has, or the largest number if that is not known; `None` for other types.
fn n_elements(ir: &Ir, value: Value) -> Option<i64> {
    let ty = ir.value_type(value);
    let TypeKind::RankedTensor { shape, .. } = ir.context().type_kind(ty) else {
        return None;
    };
    let product = |n: i64, &size: &i64| match size {
        DYNAMIC => i64::MAX,
        _ => n.saturating_mul(size),
    };
    Some(shape.iter().fold(1, product))
}

static PATTERNS: &[(&freehold_frontend::ir::op_def::OpDef, Pattern)] = &[(
    &tensor::EXTRACT,
    Pattern {
        name: "extract-from-constant",
        apply: take_constant,
    },
)];

/// `tensor.extract` from a constant, maybe by way of a slice of one element, is a constant.
fn take_constant(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(attr) = constant_element(rewriter.ir, op) else {
        return false;
    };
    let constant = arith::constant_attr(&mut Builder::before(rewriter.ir, op), attr);
    rewriter.replace_op(op, &[constant]);
    true
}

fn constant_element(ir: &Ir, extract: Op) -> Option<Attr> {
    let context = ir.context();
    let mut place: Vec<i64> = ir.operands(extract)[1..]
        .iter()
        .map(|&index| arith::as_constant_index(ir, index))
        .collect::<Option<_>>()?;
    let mut source = ir.operand(extract, 0);
    // Slices and reshapes of one element, and the constant behind them.
    for _ in 0..4 {
        if let Some(attr) = arith::as_constant_attr(ir, source) {
            let dense = context.attr_dense(attr)?;
            let shape = context.shape(dense.ty)?;
            let element = context.element_type_or_self(dense.ty);
            let is_number = matches!(
                context.type_kind(element),
                TypeKind::Integer { width: 8.., .. } | TypeKind::Float(_) | TypeKind::Index
            );
            let size = context.element_byte_size(element).filter(|_| is_number)? as usize;
            let mut number = 0;
            for (&at, &n) in place.iter().zip(shape) {
                if at < 0 || at >= n {
                    return None;
                }
                number = number * n as usize + at as usize;
            }
            let first = if dense.splat { 0 } else { number * size };
            let mut bytes = [0; 16];
            bytes
                .get_mut(..size)?
                .copy_from_slice(dense.bytes.get(first..first + size)?);
            return Some(scalar_attr(context, element, u128::from_le_bytes(bytes)));
        }
        if n_elements(ir, source) != Some(1) {
            return None;
        }
        let op = ir.defining_op(source)?;
        if ir.is(op, &tensor::EXTRACT_SLICE) {
            let lists = OffsetSizeStride::of(ir, op)?;
            place = (lists.offsets.iter())
                .map(|offset| offset.constant(ir))
                .collect::<Option<_>>()?;
        } else if ir.is(op, &tensor::COLLAPSE_SHAPE) || ir.is(op, &tensor::EXPAND_SHAPE) {
            let rank = context.shape(ir.value_type(ir.operand(op, 0)))?.len();
            place = vec![0; rank];
        } else {
            return None;
        }
        source = ir.operand(op, 0);
    }
    None
}
