//! `linalg-fuse-elementwise-ops`: elementwise operations on tensors become part of those that use
//! their results, so that the tensors in between are never there.
//!
//! Before:
//! ```mlir
//! %y = linalg.generic {indexing_maps = [#id, #id], ...} ins(%x) outs(%e) { ... math.exp ... }
//! %z = linalg.generic {indexing_maps = [#id, #id], ...} ins(%y) outs(%e) { ... arith.addf ... }
//! ```
//! After:
//! ```mlir
//! %z = linalg.generic {indexing_maps = [#id, #id], ...} ins(%x) outs(%e) {
//!   ... math.exp ... arith.addf ...
//! }
//! ```
//!
//! As upstream, a producer is a `linalg.generic` whose loops are all parallel and which computes its result at a
//! permutation of them; the consumer, another `linalg.generic`, takes it as an input, by any map, maybe with other
//! dimensions of size 1. Unused results go, and unused inputs. Nothing is recomputed for several consumers, unless
//! `max-recomputed-ops` allows it for cheap operations; that also bounds what a broadcast recomputes. Inputs that are the
//! same number everywhere, constants and what `linalg.fill` made, become that number, and so does what parallel loops find
//! in their outputs. Of a concatenation that nothing else needs, the part is read that elements are from. With
//! `keep-expensive`, functions and divisions are not moved into loops that run more often or in order.
//!
//! Consumers go first, last to first: each takes its producers, then theirs, so that every operation
//! moves once. What adds products up keeps its inputs as tensors: they are read many times.
//!
//! With `several-results`, operations that stand next to each other and go through the same elements become
//! one with the results of both, and a result that only the second one needed is gone.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::{arith, complex, linalg, math, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Use, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use rustc_hash::FxHashMap;

use super::moved::{self, Subscript};
use super::results::{
    Pair, is_on_tensors, is_shape_alone, remove_unused_results, weight, weight_of,
};
use crate::analysis::contraction::adds_up_products;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::structured::{replace_loop_counters, set_indexing_maps};
use crate::rewrite::tensors::number_of_splat;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// recompute producers of at most this many cheap operations for each consumer, or each row of a broadcast
        "max-recomputed-ops" max_recomputed_ops: u64 = 0,
        /// keep operations that are not cheap where a broadcast would recompute them, or where a
        /// reduction would compute them one by one
        "keep-expensive" keep_expensive: bool = false,
        /// fuse neighbours over the same elements into one operation with the results of both
        "several-results" several_results: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "linalg-fuse-elementwise-ops",
    summary: "fuse elementwise operations on tensors into their consumers",
    anchor: Anchor::Function,
    run,
};

/// No operation weighs more by fusion: code generation must stay near-linear, and larger loops are not
/// vectorized ([`weight`]). The largest in benches/models, a bilateral filter, weighs 900.
const MAX_WEIGHT: usize = 1000;
/// No operation gets more addresses to read and write at by fusion: about twice those that registers hold,
/// which was counted and not measured.
const MAX_ADDRESSES: usize = 32;
/// Nor more operands than these, though slices of one tensor have one address: bounds compile time.
const MAX_OPERANDS: usize = 128;
/// Slices of slices that fusion looks through: JAX leaves one or two. Bounds compile time.
const MAX_SLICES: usize = 4;

/// The largest number of cheap operations on counters that are recomputed per consumer, if they read no tensor. Masks of attention are 9, and as
/// tensors of `i1` they would keep loops from running in vectors (`attention_heads`, benches/models).
const MAX_COUNTED_OPS: usize = 12;
/// The largest number of operations that a reduction with several results, such as the place of the largest element,
/// computes for each element: it runs in no vectors. `find_string` (benches/models) has 16 and is 1.5 times as fast
/// with these in a loop of their own.
const MAX_OPS_IN_SEARCH: usize = 8;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let options = context.options.clone();
    let mut n_fused = 0;
    let ops = ir.collect_ops(ir.root());
    for &op in &ops {
        if ir.is(op, &linalg::GENERIC) && is_on_tensors(ir, op) {
            replace_filled_outputs(ir, op);
        }
    }
    for op in ops.into_iter().rev() {
        let is_reshape =
            |op| ir.is(op, &tensor::EXPAND_SHAPE) || ir.is(op, &tensor::COLLAPSE_SHAPE);
        if !ir.is_erased(op) && is_reshape(op) && ir.is_unused(op) {
            ir.erase_op(op);
            continue;
        }
        if !ir.is_erased(op) && ir.is(op, &linalg::GENERIC) && is_on_tensors(ir, op) {
            if ir.is_unused(op) && ir.is_memory_effect_free(op) {
                erase_with_operands(ir, op);
                continue;
            }
            remove_unused_results(ir, op);
            n_fused += fuse_extracted(ir, op);
            let mut repeated = Repeated::default();
            n_fused += fuse_all(ir, op, &options, &mut repeated, false);
            if options.max_recomputed_ops != 0 {
                // What others need as well is repeated when nothing else is left: they may be part of this one by then.
                n_fused += fuse_all(ir, op, &options, &mut repeated, true);
            }
        }
    }
    context.count("operations fused", n_fused);
    Ok(())
}

/// How many operations on the way from inputs are computed more often than before.
type Repeated = FxHashMap<Value, usize>;

/// Makes producers part of `op`, and operations before it, and theirs; returns how many were. With `repeats`, cheap
/// producers that others need as well are repeated first.
fn fuse_all(ir: &mut Ir, op: Op, options: &Options, repeated: &mut Repeated, repeats: bool) -> u64 {
    let mut n_fused = fuse_producers(ir, op, options, repeated, repeats);
    while options.several_results && merge_with_previous(ir, op) {
        remove_unused_results(ir, op);
        n_fused += 1 + fuse_producers(ir, op, options, repeated, false);
    }
    n_fused
}

/// Makes the operation before `op` part of it, if both go through the same elements.
fn merge_with_previous(ir: &mut Ir, op: Op) -> bool {
    let Some(pair) = Pair::of(ir, op) else {
        return false;
    };
    let (weight, operands) = pair.size(ir);
    weight <= ir.capped(MAX_WEIGHT) && has_few_addresses(ir, &operands) && pair.merge(ir).is_some()
}

/// Whether one operation may have these operands.
fn has_few_addresses(ir: &Ir, operands: &[Value]) -> bool {
    let n_most = ir.capped(MAX_ADDRESSES);
    if operands.len() <= n_most || operands.len() > ir.capped(MAX_OPERANDS) {
        return operands.len() <= n_most;
    }
    let mut addresses: Vec<Value> = operands.iter().map(|&v| sliced(ir, v)).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.len() <= n_most
}

/// The tensor that a value is a part of, at known places: of slices of slices, [`MAX_SLICES`] are looked through.
fn sliced(ir: &Ir, mut value: Value) -> Value {
    for _ in 0..ir.capped(MAX_SLICES) {
        let slice = ir.defined_by(value, &tensor::EXTRACT_SLICE);
        let Some(&[whole]) = slice.map(|slice| ir.operands(slice)) else {
            break;
        };
        value = whole;
    }
    value
}

/// Makes the producers of the inputs of `consumer` part of it, and theirs; returns how many were. With `may_repeat`, also
/// cheap ones that others need as well, when nothing else is left.
fn fuse_producers(
    ir: &mut Ir,
    consumer: Op,
    options: &Options,
    repeated: &mut Repeated,
    may_repeat: bool,
) -> u64 {
    let Some(body) = interface::body(ir, consumer) else {
        return 0;
    };
    let mut fusion = Fusion {
        n_repeated: (interface::inputs(ir, consumer).iter())
            .map(|input| repeated.get(input).copied().unwrap_or_default())
            .collect(),
        inputs: interface::inputs(ir, consumer).to_vec(),
        maps: interface::indexing_maps(ir, consumer),
        n_loops: interface::n_loops(ir, consumer),
        weight: weight(ir, body),
        consumer,
        body,
        max_recomputed: usize::try_from(options.max_recomputed_ops).unwrap_or(usize::MAX),
        keep_expensive: options.keep_expensive,
    };
    if fusion.maps.len() != ir.operands(consumer).len() {
        return 0;
    }
    erase_unused_ops(ir, body, ir.ops_in(body).collect());
    fusion.deduplicate(ir);
    let mut n_fused = 0;
    let (mut index, mut repeats, mut is_changed) = (0, false, false);
    loop {
        if index == fusion.inputs.len() {
            if !is_changed && (repeats || !may_repeat) {
                break;
            }
            // Those that two inputs needed may be needed by one now. Others are repeated when nothing else is left.
            (index, repeats, is_changed) = (0, !is_changed, false);
            continue;
        }
        let argument = ir.block_args(body)[index];
        if ir.has_no_uses(argument) && fusion.stays_bounded(index, &[]) {
            fusion.remove_input(ir, index, argument);
        } else if fusion.stays_bounded(index, &[])
            && let Some(number) = number_of(ir, fusion.inputs[index], consumer)
        {
            fusion.remove_input(ir, index, number);
        } else if fusion.reads_slice(ir, index) {
            is_changed = true;
        } else if fusion.may_compute(ir, index)
            && let Some(producer) = (fusion.producer_of(ir, index, true, repeats))
                .or_else(|| fusion.producer_behind_reshape(ir, index, repeats))
        {
            fusion.fuse(ir, index, &producer);
            fusion.deduplicate(ir);
            n_fused += 1;
            is_changed = true;
            if repeats {
                (index, repeats) = (0, false);
            }
        } else {
            index += 1;
        }
    }
    repeated.extend((fusion.inputs.iter().copied()).zip(fusion.n_repeated.iter().copied()));
    fusion.finish(ir);
    n_fused
}

/// Computes elements where they are extracted, if what computes the whole tensor is elementwise, has no other use and at
/// least as many elements: a quantized table is widened where it is read. Returns how many operations became part of
/// the consumer.
fn fuse_extracted(ir: &mut Ir, consumer: Op) -> u64 {
    let Some(body) = interface::body(ir, consumer) else {
        return 0;
    };
    let Some(n_reads) = n_elements_read(ir, consumer) else {
        return 0;
    };
    let is_extract = |ir: &Ir, &op: &Op| ir.is(op, &tensor::EXTRACT);
    let mut extracts: Vec<Op> = ir.ops_in(body).filter(|op| is_extract(ir, op)).collect();
    let mut weighs = weight(ir, body);
    let mut n_fused = 0;
    while let Some(extract) = extracts.pop() {
        if let Some(number) = number_of(ir, ir.operand(extract, 0), consumer) {
            ir.replace_op(extract, &[number]);
            continue;
        }
        let Some(table) = Table::of(ir, consumer, extract, n_reads) else {
            continue;
        };
        weighs += weight(ir, table.body) + ir.operands(table.op).len();
        if weighs > ir.capped(MAX_WEIGHT) {
            break;
        }
        extracts.extend(table.fuse(ir, extract));
        n_fused += 1;
    }
    n_fused
}

/// How many iterations an operation has, if that is known.
fn n_elements_read(ir: &Ir, op: Op) -> Option<i64> {
    let sizes = interface::loop_sizes(ir, op).into_iter();
    sizes
        .map(|bound| {
            let (operand, dim) = bound?;
            Some(interface::shape(ir, operand)[dim]).filter(|&size| size != DYNAMIC)
        })
        .try_fold(1i64, |all, size| all.checked_mul(size?))
}

/// An elementwise operation of whose result a consumer extracts one element per iteration.
struct Table {
    op: Op,
    body: Block,
    /// Of its inputs.
    maps: Vec<AffineMap>,
    /// Which index of the result each of its loop counters is.
    dims: Vec<usize>,
}

impl Table {
    fn of(ir: &Ir, consumer: Op, extract: Op, n_reads: i64) -> Option<Self> {
        let tensor = ir.operand(extract, 0);
        let op = ir.defined_by(tensor, &linalg::GENERIC)?;
        let is_near = ir.block_of(op) == ir.block_of(consumer) && is_on_tensors(ir, op);
        let body = interface::body(ir, op).filter(|_| is_near)?;
        let n_inputs = interface::n_inputs(ir, op);
        let mut maps = interface::indexing_maps(ir, op);
        let written = maps.pop().filter(|_| maps.len() == n_inputs)?;
        let mut iterators = interface::iterator_types(ir, op).into_iter();
        let n_elements = n_elements_read(ir, op)?;
        let is_elementwise = iterators.all(|kind| kind == IteratorType::Parallel)
            && written.is_permutation()
            && ir.has_no_uses(ir.block_args(body)[n_inputs])
            && ir.uses(tensor).len() == 1
            && n_reads <= n_elements
            && ir.is_memory_effect_free(op)
            && ir.ops_in(body).all(|op| ir.regions(op).is_empty());
        let mut results = maps.iter().flat_map(|map| &map.results);
        if !is_elementwise || !results.all(|result| matches!(result, AffineExpr::Dim(_))) {
            return None;
        }
        let mut dims = vec![0; written.results.len()];
        for (position, result) in written.results.iter().enumerate() {
            let AffineExpr::Dim(dim) = result else {
                return None;
            };
            dims[*dim as usize] = position;
        }
        Some(Self {
            op,
            body,
            maps,
            dims,
        })
    }

    /// Computes the element that `extract` wants before it; returns the operations that extract what that takes.
    fn fuse(self, ir: &mut Ir, extract: Op) -> Vec<Op> {
        let places: Vec<Value> = (self.dims.iter())
            .map(|&position| ir.operand(extract, 1 + position))
            .collect();
        let mut extracts = Vec::new();
        let mut map = IrMap::default();
        for (i, read) in self.maps.iter().enumerate() {
            let input = interface::inputs(ir, self.op)[i];
            let mut operands = vec![input];
            operands.extend(read.results.iter().filter_map(|result| match result {
                AffineExpr::Dim(dim) => places.get(*dim as usize),
                _ => None,
            }));
            let element = interface::element_type(ir, input);
            let mut builder = Builder::before(ir, extract);
            let value = builder.value(&tensor::EXTRACT, &operands, element);
            map.values.insert(ir.block_args(self.body)[i], value);
            extracts.extend(ir.defining_op(value));
        }
        let ops: Vec<Op> = ir.ops_in(self.body).collect();
        let mut yielded = None;
        for op in ops {
            if Some(op) == ir.terminator(self.body) {
                yielded = Some(map.value(ir.operand(op, 0)));
            } else if ir.is(op, &linalg::INDEX)
                && let Some(dim) = ir.attr(op, Name::DIM)
                && let Some(dim) = ir.context().attr_integer(dim)
                && let Some(&place) = places.get(dim as usize)
            {
                map.values.insert(ir.result(op, 0), place);
            } else {
                let copy = ir.clone_op(op, &mut map);
                ir.insert_op_before(extract, copy);
                extracts.extend(ir.is(copy, &tensor::EXTRACT).then_some(copy));
            }
        }
        ir.replace_op(
            extract,
            &[yielded.expect("bodies end with what they yield")],
        );
        erase_with_operands(ir, self.op);
        extracts
    }
}

/// The number that all elements of a tensor are, available in front of `op`.
fn number_of(ir: &mut Ir, value: Value, op: Op) -> Option<Value> {
    filled_with(ir, value).or_else(|| number_of_splat(&mut Builder::before(ir, op), value))
}

/// The number that a tensor is filled with.
fn filled_with(ir: &Ir, value: Value) -> Option<Value> {
    let fill = ir.defined_by(value, &linalg::FILL)?;
    let &number = interface::inputs(ir, fill).first()?;
    // Conversions are the body's.
    let element = ir.context().element_type_or_self(ir.value_type(value));
    (ir.value_type(number) == element).then_some(number)
}

/// Limit for the reshapes that fusion looks through: two transpose dimensions of size 1.
const MAX_RESHAPES: usize = 2;

/// What a map reads by.
fn subscripts_of(map: &AffineMap) -> Vec<Subscript<AffineExpr>> {
    let subscripts = map.results.iter().map(|result| match result {
        &AffineExpr::Constant(at) => Subscript::Known(at),
        other => Subscript::Other(other.clone()),
    });
    subscripts.collect()
}

/// A map of the same loops that reads by these subscripts.
fn with_subscripts(map: &AffineMap, subscripts: Vec<Subscript<AffineExpr>>) -> AffineMap {
    let results = subscripts.into_iter().map(|subscript| match subscript {
        Subscript::Known(at) => AffineExpr::Constant(at),
        Subscript::Other(expr) => expr,
    });
    AffineMap {
        results: results.collect(),
        ..map.clone()
    }
}

/// Elements that loops in parallel change once and that are a number before need not be there before.
fn replace_filled_outputs(ir: &mut Ir, op: Op) {
    let mut iterators = interface::iterator_types(ir, op).into_iter();
    if iterators.any(|kind| kind == IteratorType::Reduction) {
        return;
    }
    let n_inputs = interface::n_inputs(ir, op);
    let maps = interface::indexing_maps(ir, op);
    for (index, map) in maps.iter().enumerate().skip(n_inputs) {
        if interface::payload_uses_operand(ir, op, index)
            && map.is_permutation()
            && let Some(fill) = ir.defined_by(ir.operand(op, index), &linalg::FILL)
            && let Some(number) = filled_with(ir, ir.operand(op, index))
            && let Some(argument) = interface::matching_argument(ir, op, index)
        {
            ir.replace_all_uses(argument, number);
            ir.set_operand(op, index, interface::outputs(ir, fill)[0]);
        }
    }
}

/// Operations that cost no more than loading their result would.
static CHEAP: &[&OpDef] = &[
    &arith::ADDF,
    &arith::ADDI,
    &arith::ANDI,
    &arith::CMPF,
    &arith::CMPI,
    &arith::CONSTANT,
    &arith::EXTF,
    &arith::EXTSI,
    &arith::EXTUI,
    &arith::INDEX_CAST,
    &arith::MULF,
    &arith::NEGF,
    &arith::ORI,
    &arith::SELECT,
    &arith::SITOFP,
    &arith::SUBF,
    &arith::SUBI,
    &arith::TRUNCF,
    &arith::TRUNCI,
    &arith::UITOFP,
    &arith::XORI,
    &complex::ADD,
    &complex::CONJ,
    &complex::CONSTANT,
    &complex::CREATE,
    &complex::IM,
    &complex::MUL,
    &complex::NEG,
    &complex::RE,
    &complex::SUB,
    &linalg::INDEX,
    &linalg::YIELD,
];

fn is_cheap(ir: &Ir, op: Op) -> bool {
    CHEAP.iter().any(|&def| ir.is(op, def))
}

/// Operations that are one instruction or two of a scalar, too: a reduction that reads each element once loses nothing if it
/// computes them in order (`nearest_bits`, `monte_carlo_pi`).
static ONE_INSTRUCTION: &[&OpDef] = &[
    &arith::BITCAST,
    &arith::INDEX_CASTUI,
    &arith::MAXIMUMF,
    &arith::MAXNUMF,
    &arith::MAXSI,
    &arith::MAXUI,
    &arith::MINIMUMF,
    &arith::MINNUMF,
    &arith::MINSI,
    &arith::MINUI,
    &arith::MULI,
    &arith::SHLI,
    &arith::SHRSI,
    &arith::SHRUI,
    &math::ABSF,
    &math::ABSI,
    &math::COPYSIGN,
    &math::CTLZ,
    &math::CTPOP,
    &math::CTTZ,
    &math::FMA,
];

pub(super) fn is_one_instruction(ir: &Ir, op: Op) -> bool {
    is_cheap(ir, op) || ONE_INSTRUCTION.iter().any(|&def| ir.is(op, def))
}

/// Whether an element is read in one iteration at most.
fn reads_once(map: &AffineMap) -> bool {
    let is_dim = |dim| map.results.contains(&AffineExpr::Dim(dim));
    (0..map.n_dims).all(is_dim)
}

/// A `linalg.generic` that can become part of a consumer.
struct Producer {
    op: Op,
    body: Block,
    /// Which of its results.
    result: usize,
    /// Its inputs' maps from the consumer's loops.
    maps: Vec<AffineMap>,
    /// Its loop counters in terms of the consumer's loops.
    counters: Vec<AffineExpr>,
    /// Nothing else uses it.
    has_one_use: bool,
}

/// What a consumer is about to become.
struct Fusion {
    consumer: Op,
    body: Block,
    inputs: Vec<Value>,
    /// How many operations on the way from each input are computed more often than before.
    n_repeated: Vec<usize>,
    /// Of inputs and outputs.
    maps: Vec<AffineMap>,
    n_loops: usize,
    /// Of the body.
    weight: usize,
    max_recomputed: usize,
    keep_expensive: bool,
}

impl Fusion {
    /// Whether an input may be computed where it is read: not in loops that reduce several inputs and read one
    /// of them more than once, if that is this one or they add up products.
    fn may_compute(&self, ir: &Ir, index: usize) -> bool {
        let mut iterators = interface::iterator_types(ir, self.consumer).into_iter();
        let is_counter = |result: &&AffineExpr| !matches!(result, AffineExpr::Constant(_));
        let is_once = |map: &AffineMap| {
            map.results.iter().filter(is_counter).count() == map.n_dims as usize && reads_once(map)
        };
        let inputs = &self.maps[..self.inputs.len()];
        inputs.len() == 1
            || !iterators.any(|kind| kind == IteratorType::Reduction)
            || inputs.iter().all(is_once)
            || is_once(&inputs[index]) && !adds_up_products(ir, self.consumer)
    }

    /// Removes inputs that equal an earlier one.
    fn deduplicate(&mut self, ir: &mut Ir) {
        let mut index = 0;
        while index < self.inputs.len() {
            let mut earlier = self.inputs.iter().zip(&self.maps).take(index);
            let (input, map) = (self.inputs[index], &self.maps[index]);
            match earlier.position(|(&v, m)| v == input && m == map) {
                Some(first) => {
                    let argument = ir.block_args(self.body)[first];
                    self.remove_input(ir, index, argument);
                }
                None => index += 1,
            }
        }
    }

    fn remove_input(&mut self, ir: &mut Ir, index: usize, replacement: Value) {
        let argument = ir.block_args(self.body)[index];
        ir.replace_all_uses(argument, replacement);
        ir.remove_block_arg(self.body, index);
        let input = self.inputs.remove(index);
        self.n_repeated.remove(index);
        self.maps.remove(index);
        ir.set_operand_group(self.consumer, 0, &self.inputs);
        // It would stand between operations that can be one.
        if let Some(fill) = ir.defined_by(input, &linalg::FILL)
            && ir.is_unused(fill)
        {
            erase_with_operands(ir, fill);
        }
    }

    /// Whether each loop still is the subscript of an operand if input `index` is replaced by some with
    /// these maps.
    fn stays_bounded(&self, index: usize, new: &[AffineMap]) -> bool {
        let mut is_bounded = vec![false; self.n_loops];
        let rest = self.maps.iter().enumerate();
        let rest = rest.filter(|&(i, _)| i != index).map(|(_, map)| map);
        for result in rest.chain(new).flat_map(|map| &map.results) {
            if let AffineExpr::Dim(dim) = result {
                is_bounded[*dim as usize] = true;
            }
        }
        is_bounded.iter().all(|&is_bounded| is_bounded)
    }

    /// Reads a slice instead of what it was inserted into, if nothing else needs that; whether it can. The indices that
    /// programs of JAX gather by are such concatenations.
    fn reads_slice(&mut self, ir: &mut Ir, index: usize) -> bool {
        let whole = self.inputs[index];
        let read = &self.maps[index];
        let Some((slice, subscripts)) = moved::slice_read(ir, whole, &subscripts_of(read)) else {
            return false;
        };
        let map = with_subscripts(read, subscripts);
        let is_alone = ir.uses(whole).iter().all(|user| user.op == self.consumer);
        if !is_alone || !self.stays_bounded(index, std::slice::from_ref(&map)) {
            return false;
        }
        self.inputs[index] = slice;
        self.maps[index] = map;
        ir.set_operand_group(self.consumer, 0, &self.inputs);
        erase_unused_slices(ir, whole);
        true
    }

    /// What computes input `index` but for dimensions of size 1, if it can become part of the consumer. Reshapes in between
    /// that nothing else uses go.
    fn producer_behind_reshape(
        &mut self,
        ir: &mut Ir,
        index: usize,
        repeats: bool,
    ) -> Option<Producer> {
        let (mut source, mut map) = (self.inputs[index], self.maps[index].clone());
        let mut reshapes = Vec::new();
        let mut is_alone = true;
        while reshapes.len() < MAX_RESHAPES
            && let Some(reshape) = ir.defining_op(source)
            && let Some((next, read)) = moved::reshaped(ir, source, &subscripts_of(&map))
        {
            is_alone &= ir.uses(source).len() == 1;
            reshapes.push(reshape);
            (source, map) = (next, with_subscripts(&map, read));
        }
        if reshapes.is_empty() || !is_alone && !repeats {
            return None;
        }
        let input = std::mem::replace(&mut self.inputs[index], source);
        let map = std::mem::replace(&mut self.maps[index], map);
        let producer = self.producer_of(ir, index, is_alone, repeats);
        if producer.is_none() {
            self.inputs[index] = input;
            self.maps[index] = map;
            return None;
        }
        ir.set_operand_group(self.consumer, 0, &self.inputs);
        if is_alone {
            for reshape in reshapes {
                ir.erase_op(reshape);
            }
        }
        producer
    }

    /// What computes input `index`, if it can become part of the consumer. With `repeats`, others may need
    /// it as well; unless `is_alone`, others need a reshape of it.
    fn producer_of(
        &self,
        ir: &Ir,
        index: usize,
        is_alone: bool,
        repeats: bool,
    ) -> Option<Producer> {
        let value = self.inputs[index];
        let ValueDef::Result(op, result) = ir.value_def(value) else {
            return None;
        };
        let is_near = ir.is(op, &linalg::GENERIC) && ir.block_of(op) == ir.block_of(self.consumer);
        let body = interface::body(ir, op).filter(|_| is_near && is_on_tensors(ir, op))?;
        if !ir.is_memory_effect_free(op) {
            return None;
        }
        let result = result as usize;
        let n_inputs = interface::n_inputs(ir, op);
        let maps = interface::indexing_maps(ir, op);
        let n_loops = interface::n_loops(ir, op);
        let mut iterators = interface::iterator_types(ir, op).into_iter();
        let written = maps.get(n_inputs + result)?;
        let mut initial = ir.block_args(body)[n_inputs..].iter();
        let is_elementwise = iterators.all(|kind| kind == IteratorType::Parallel)
            && written.is_permutation()
            && initial.all(|&argument| ir.has_no_uses(argument));
        if !is_elementwise {
            return None;
        }
        // Where its result is read, seen from the consumer's loops.
        let read = &self.maps[index];
        let mut counters = vec![AffineExpr::Constant(0); n_loops];
        for (dim, position) in written.results.iter().zip(&read.results) {
            let AffineExpr::Dim(dim) = dim else {
                return None;
            };
            counters[*dim as usize] = position.clone();
        }
        let maps: Vec<AffineMap> = maps[..n_inputs]
            .iter()
            .map(|map| AffineMap {
                n_dims: read.n_dims,
                n_symbols: 0,
                results: (map.results.iter())
                    .map(|result| result.replace(&counters, &[]))
                    .collect(),
            })
            .collect();
        let n_ops = ir.ops_in(body).count();
        let mut operands = ir.operands(self.consumer).to_vec();
        operands.extend_from_slice(&ir.operands(op)[..n_inputs]);
        if self.weight + weight(ir, body) > ir.capped(MAX_WEIGHT)
            || !has_few_addresses(ir, &operands)
            || !self.stays_bounded(index, &maps)
        {
            return None;
        }
        let mut uses = ir.results(op).iter().flat_map(|&v| ir.uses(v));
        let is_this = |user: &Use| user.op == self.consumer;
        let reads = uses
            .by_ref()
            .filter(|u| !(is_this(u) && is_shape_alone(ir, u)));
        let has_one_use = reads.count() == 1 && is_alone;
        if self.keep_expensive && self.would_cost_more(ir, read, body) {
            return None;
        }
        // A chain counts as one, or each of its links would compute all before it. The terminator is no cost.
        let is_cheap_enough =
            n_ops + self.n_repeated[index] <= self.max_recomputed_ops(ir, op).saturating_add(1);
        if self.max_recomputed != 0 && !is_cheap_enough && !reads_once(read) {
            return None;
        }
        let may_repeat = repeats && is_cheap_enough && self.is_worth_repeating(ir, op, body);
        (has_one_use || may_repeat).then_some(Producer {
            op,
            body,
            result,
            maps,
            counters,
            has_one_use,
        })
    }

    /// Whether something expensive would be computed for the same element several times, or where the
    /// elements are added up in order and nothing runs in vectors.
    fn would_cost_more(&self, ir: &Ir, read: &AffineMap, body: Block) -> bool {
        let mut iterators = interface::iterator_types(ir, self.consumer).into_iter();
        if !reads_once(read) {
            return !ir.ops_in(body).all(|op| is_cheap(ir, op));
        }
        let reduces = iterators.any(|kind| kind == IteratorType::Reduction);
        let is_search = ir.results(self.consumer).len() > 1;
        reduces
            && (!ir.ops_in(body).all(|op| is_one_instruction(ir, op))
                || is_search && ir.ops_in(body).count() > MAX_OPS_IN_SEARCH)
    }

    /// How many operations of a producer may be computed more often than before.
    fn max_recomputed_ops(&self, ir: &Ir, op: Op) -> usize {
        match interface::n_inputs(ir, op) {
            0 => MAX_COUNTED_OPS.max(self.max_recomputed),
            _ => self.max_recomputed,
        }
    }

    /// Whether all users of a cheap operation may compute it themselves.
    fn is_worth_repeating(&self, ir: &Ir, op: Op, body: Block) -> bool {
        let mut users = ir.results(op).iter().flat_map(|&v| ir.uses(v));
        // As tensors, conditions keep what reads them from running in vectors.
        let is_condition = |&input: &Value| interface::element_type(ir, input) == Type::I1;
        self.max_recomputed != 0
            && !interface::inputs(ir, op).iter().any(is_condition)
            && ir.ops_in(body).all(|op| is_cheap(ir, op))
            && users.all(|user| {
                let is_input = (user.index as usize) < interface::n_inputs(ir, user.op);
                let is_reshape = [&tensor::EXPAND_SHAPE, &tensor::COLLAPSE_SHAPE]
                    .iter()
                    .any(|row| ir.is(user.op, row));
                let is_read =
                    ir.is(user.op, &linalg::GENERIC) && (is_input || is_shape_alone(ir, user));
                (is_reshape || is_read) && ir.block_of(user.op) == ir.block_of(op)
            })
    }

    /// Makes `producer` part of the consumer in place of input `index`.
    fn fuse(&mut self, ir: &mut Ir, index: usize, producer: &Producer) {
        let inputs = interface::inputs(ir, producer.op).to_vec();
        let types: Vec<Type> = inputs
            .iter()
            .map(|&input| interface::element_type(ir, input))
            .collect();
        let anchor = ir.first_op(self.body).expect("bodies have a terminator");
        // The new inputs take the place of the old one.
        let next = index + 1;
        let pairs: Vec<(Value, Value)> = (0..types.len())
            .map(|i| {
                let new = ir.insert_block_arg(self.body, next + i, types[i]);
                (ir.block_args(producer.body)[i], new)
            })
            .collect();
        let ops: Vec<Op> = ir.ops_in(producer.body).collect();
        let (&terminator, ops) = ops.split_last().expect("bodies have a terminator");
        let mut here = ops.to_vec();
        let yielded = if producer.has_one_use {
            for &(old, new) in &pairs {
                ir.replace_all_uses(old, new);
            }
            for &op in ops {
                ir.move_op_before(op, anchor);
            }
            ir.operand(terminator, producer.result)
        } else {
            let mut map = IrMap::default();
            map.values.extend(pairs);
            for op in &mut here {
                *op = ir.clone_op(*op, &mut map);
                ir.insert_op_before(anchor, *op);
            }
            map.value(ir.operand(terminator, producer.result))
        };
        self.weight += here.iter().map(|&op| weight_of(ir, op)).sum::<usize>();
        replace_loop_counters(ir, self.body, anchor, &producer.counters, self.n_loops);
        let is_as_often = producer.has_one_use && reads_once(&self.maps[index]);
        let n_new = if is_as_often { 0 } else { ops.len() };
        let repeated = vec![self.n_repeated[index] + n_new; inputs.len()];
        self.n_repeated.splice(next..next, repeated);
        self.inputs.splice(next..next, inputs);
        self.maps.splice(next..next, producer.maps.iter().cloned());
        self.remove_input(ir, index, yielded);
        // An output used for its shape alone takes that from the shape operand of the producer, whose results have one
        // shape.
        let outputs = interface::outputs(ir, producer.op).to_vec();
        for i in self.inputs.len()..ir.operands(self.consumer).len() {
            let output = ir.operand(self.consumer, i);
            if let ValueDef::Result(op, result) = ir.value_def(output)
                && op == producer.op
                && !interface::payload_uses_operand(ir, self.consumer, i)
            {
                ir.set_operand(self.consumer, i, outputs[result as usize]);
            }
        }
        if producer.has_one_use {
            erase_with_operands(ir, producer.op);
        }
        // What only other results of the producer needed.
        erase_unused_ops(ir, self.body, here);
    }

    /// Gives the consumer its maps.
    fn finish(self, ir: &mut Ir) {
        set_indexing_maps(ir, self.consumer, self.maps);
    }
}

/// Erases operations of a body whose results nothing uses, last ones first.
fn erase_unused_ops(ir: &mut Ir, body: Block, ops: Vec<Op>) {
    for op in ops.into_iter().rev() {
        if !ir.is_erased(op)
            && Some(op) != ir.terminator(body)
            && ir.is_unused(op)
            && ir.is_memory_effect_free(op)
        {
            ir.erase_op(op);
        }
    }
}

/// Erases what makes a tensor that nothing uses, as far as it only moves elements of others.
fn erase_unused_slices(ir: &mut Ir, tensor: Value) {
    let mut tensors = vec![tensor];
    while let Some(tensor) = tensors.pop() {
        let moves = [
            &tensor::INSERT_SLICE,
            &tensor::EXPAND_SHAPE,
            &tensor::COLLAPSE_SHAPE,
            &tensor::EMPTY,
        ];
        if let Some(op) = ir.defining_op(tensor)
            && moves.iter().any(|row| ir.is(op, row))
            && ir.is_unused(op)
        {
            tensors.extend_from_slice(ir.operands(op));
            ir.erase_op(op);
        }
    }
}

/// Erases an operation that nothing uses, and the empty tensors that were its outputs.
fn erase_with_operands(ir: &mut Ir, op: Op) {
    let mut operands = ir.operands(op).to_vec();
    operands.sort_unstable();
    operands.dedup();
    ir.erase_op(op);
    for operand in operands {
        if let Some(empty) = ir.defined_by(operand, &tensor::EMPTY)
            && ir.is_unused(empty)
        {
            ir.erase_op(empty);
        }
    }
}
