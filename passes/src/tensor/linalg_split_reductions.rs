//! `linalg-split-reductions`: long sums become sums of parts, where their order is left open.
//!
//! Before:
//! ```mlir
//! %s = linalg.generic {iterator_types = ["reduction", "parallel"], ...}
//!     ins(%x : tensor<1000000x8xf32>) outs(%zero : tensor<8xf32>) { ... arith.addf %a, %b fastmath<reassoc> ... }
//! ```
//! After:
//! ```mlir
//! %parts = tensor.expand_shape %x [[0, 1], [2]] output_shape [1000, 1000, 8] : ...
//! %p = linalg.generic {iterator_types = ["parallel", "reduction", "parallel"], ...}
//!     ins(%parts) outs(%zeros : tensor<1000x8xf32>) { ... }
//! %s = linalg.generic {iterator_types = ["reduction", "parallel"], ...} ins(%p) outs(%zero : tensor<8xf32>) { ... }
//! ```
//! Each addition rounds. A sum of n numbers, one after the other, has an error that grows with n; with parts it grows with
//! the root of n (Higham, *Accuracy and Stability of Numerical Algorithms*, chapter 4). The products of
//! five columns of 2,000,000 floats with each other had an error of 1e-3. Parts are the same on all processors and for any number of threads, which may share
//! them.
//!
//! If the size is no product of such parts, what is left over is added at the end.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::{complex, linalg};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;

use super::linalg_split_batches::place_of;
use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_products;
use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::formula::number_of;
use crate::rewrite::structured::{replace_loop_counters, set_indexing_maps};
use crate::rewrite::tensors::{self, Generic};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// floating-point policy: strict, contract (products are added up in any order) or fast (all sums are)
        "fp" fp: FpPolicy = FpPolicy::Strict,
        /// split sums of more additions one after the other; by default, their error is that of some ten roundings
        "max-chain" max_chain: u64 = 4096,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "linalg-split-reductions",
    summary: "compute long sums by parts, which rounds less",
    anchor: Anchor::Function,
    run,
};

/// Products of matrices, whose parts take memory for a result each, are split from this many times as many additions on: rows
/// of language models have 14,336 elements.
const PRODUCT_CHAINS: i64 = 4;
/// Parts are at least this share of the longest sums that are left alone.
const LEAST_SHARE: i64 = 8;
/// Sums of rows, and products with few rows or columns, are added up in at most as many partial sums at once (four
/// registers).
const LANES: i64 = 64;
/// Products with this few rows or columns are (`MAX_DOT_ROWS` of the runtime library).
const FEW: i64 = 10;
/// Parts of this few results take no memory to speak of.
const FEW_RESULTS: i64 = 1024;
/// The results of all parts have at most one element for this many of the inputs.
const MIN_SHARE: i64 = 16;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let policy = context.options.fp;
    let max_chain = i64::try_from(context.options.max_chain).unwrap_or(i64::MAX);
    let max_chain = max_chain.max(1);
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op)
            && ir.is(op, &linalg::GENERIC)
            && is_on_tensors(ir, op)
            && let Some(split) = Split::of(ir, op, policy, max_chain)
        {
            split.apply(ir);
            context.count("reductions split", 1);
        }
    }
    Ok(())
}

/// How a result is computed.
#[derive(Clone, Copy)]
enum Output {
    /// As a sum, by operations with these flags.
    Sum(FastMathFlags),
    /// Element by element.
    Elements,
}

/// A reduction that becomes parts.
struct Split {
    op: Op,
    /// The loop that does.
    dim: usize,
    n_parts: i64,
    /// Iterations of each part, and of what is left over.
    size: i64,
    rest: i64,
    maps: Vec<AffineMap>,
    outputs: Vec<Output>,
}

impl Split {
    fn of(ir: &Ir, op: Op, policy: FpPolicy, max_chain: i64) -> Option<Self> {
        let iterators = interface::iterator_types(ir, op);
        let is_reduction = |&dim: &usize| iterators[dim] == IteratorType::Reduction;
        if !(0..iterators.len()).any(|dim| is_reduction(&dim)) {
            return None;
        }
        let maps = interface::indexing_maps(ir, op);
        let sizes = sizes(ir, op)?;
        let allowed = match adds_up_products(ir, op) {
            true => policy.flags_in_contractions(),
            false => policy.flags(),
        };
        let sums: Vec<Option<FastMathFlags>> = (0..ir.results(op).len())
            .map(|i| sum_flags(ir, op, i, allowed))
            .collect();
        if sums.iter().all(Option::is_none) {
            return None;
        }
        let chain = Chain::of(ir, op, &sizes, &maps, &iterators, max_chain)?;
        let n_inputs = interface::n_inputs(ir, op);
        let mut reductions = (0..iterators.len()).filter(is_reduction);
        // The outermost one, so that rows stay whole.
        reductions.find_map(|dim| {
            let outputs: Vec<Output> = (maps[n_inputs..].iter().zip(&sums))
                .map(|(map, sum)| match (place_of(map, dim).ok()?, sum) {
                    (Some(_), None) => Some(Output::Elements),
                    (None, Some(flags)) => Some(Output::Sum(*flags)),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let has_elements = outputs
                .iter()
                .any(|output| matches!(output, Output::Elements));
            let is_known = maps.iter().all(|map| place_of(map, dim).is_ok());
            let of_part = chain.of_part(sizes[dim], dim + 1 == sizes.len())?;
            // A neighbour that leaves nothing over, if there is one.
            let mut near = (0..=of_part / 2).flat_map(|more| [of_part + more, of_part - more]);
            let divisor = near.find(|size| sizes[dim] % size == 0);
            let size = divisor.unwrap_or(of_part);
            let (n_parts, rest) = (sizes[dim] / size, sizes[dim] % size);
            (is_known && n_parts > 1 && !(has_elements && rest > 0)).then(|| Self {
                op,
                dim,
                n_parts,
                size,
                rest,
                maps: maps.clone(),
                outputs,
            })
        })
    }

    fn apply(&self, ir: &mut Ir) {
        let op = self.op;
        let n_inputs = interface::n_inputs(ir, op);
        let operands = ir.operands(op).to_vec();
        let mut builder = Builder::before(ir, op);
        let b = &mut builder;
        let n_main = self.n_parts * self.size;
        let mut parts = Vec::new();
        for (i, &operand) in operands.iter().enumerate() {
            let place = place_of(&self.maps[i], self.dim).ok().flatten();
            let output = i.checked_sub(n_inputs).map(|i| self.outputs[i]);
            parts.push(match (place, output) {
                (Some(place), _) => {
                    let main = tensors::slice_along(b, operand, place, 0, n_main);
                    let mut apart = tensors::shape(b.ir, main);
                    apart.splice(place..=place, [self.n_parts, self.size]);
                    tensors::reshape(b, main, &apart)
                }
                (None, Some(Output::Sum(_))) => {
                    let mut shape = tensors::shape(b.ir, operand);
                    shape.insert(0, self.n_parts);
                    let element = tensors::element(b.ir, operand);
                    let zero = number_of(b, element, 0.0);
                    let ty = tensors::tensor_type(&b.context(), &shape, element);
                    tensors::filled(b, zero, ty)
                }
                (None, _) => operand,
            });
        }
        let main = b.ir.clone_op(op, &mut IrMap::default());
        b.insert(main);
        self.set_operands(b.ir, main, &parts);
        self.split_loop(b.ir, main, n_inputs);
        let rest = (self.rest > 0).then(|| {
            let parts: Vec<Value> = (operands.iter().zip(&self.maps))
                .map(
                    |(&operand, map)| match place_of(map, self.dim).ok().flatten() {
                        Some(place) => tensors::slice_along(b, operand, place, n_main, self.rest),
                        None => operand,
                    },
                )
                .collect();
            let rest = b.ir.clone_op(op, &mut IrMap::default());
            b.insert(rest);
            self.set_operands(b.ir, rest, &parts);
            let counters: Vec<AffineExpr> = (0..self.n_loops())
                .map(|dim| match dim == self.dim {
                    true => AffineExpr::Dim(dim as u32).add(AffineExpr::Constant(n_main)),
                    false => AffineExpr::Dim(dim as u32),
                })
                .collect();
            replace_counters(b.ir, rest, &counters, self.n_loops());
            rest
        });
        let mut results = Vec::new();
        for (i, &output) in self.outputs.iter().enumerate() {
            let part = b.ir.result(main, i);
            results.push(match output {
                Output::Elements => {
                    let shape = tensors::shape(b.ir, b.ir.result(op, i));
                    tensors::reshape(b, part, &shape)
                }
                Output::Sum(flags) => {
                    let out = match rest {
                        Some(rest) => b.ir.result(rest, i),
                        None => operands[n_inputs + i],
                    };
                    sum_of_parts(b, part, out, flags)
                }
            });
        }
        ir.replace_op(op, &results);
    }

    fn n_loops(&self) -> usize {
        self.maps[0].n_dims as usize
    }

    /// Gives a copy of the operation these operands, and the types of their results.
    fn set_operands(&self, ir: &mut Ir, copy: Op, operands: &[Value]) {
        for (i, &operand) in operands.iter().enumerate() {
            ir.set_operand(copy, i, operand);
        }
        let first = operands.len() - self.outputs.len();
        for (i, &operand) in operands[first..].iter().enumerate() {
            let (result, ty) = (ir.result(copy, i), ir.value_type(operand));
            ir.set_value_type(result, ty);
        }
    }

    /// Makes two loops of the one that becomes parts: over parts, and through each.
    fn split_loop(&self, ir: &mut Ir, main: Op, n_inputs: usize) {
        let (n_loops, outer) = (self.n_loops() + 1, self.dim as u32);
        let moved = |dim: usize| match dim <= self.dim {
            true => AffineExpr::Dim(dim as u32),
            false => AffineExpr::Dim(dim as u32 + 1),
        };
        let mut counters: Vec<AffineExpr> = (0..self.n_loops()).map(moved).collect();
        let whole = AffineExpr::Dim(outer).mul(AffineExpr::Constant(self.size));
        counters[self.dim] = whole.add(AffineExpr::Dim(outer + 1));
        let maps = (self.maps.iter().enumerate()).map(|(i, map)| {
            let mut results: Vec<AffineExpr> = Vec::new();
            let output = i.checked_sub(n_inputs).map(|i| self.outputs[i]);
            if let Some(Output::Sum(_)) = output {
                results.push(AffineExpr::Dim(outer));
            }
            for result in &map.results {
                match result {
                    AffineExpr::Dim(dim) if *dim == outer => {
                        results.extend([AffineExpr::Dim(outer), AffineExpr::Dim(outer + 1)]);
                    }
                    AffineExpr::Dim(dim) => results.push(moved(*dim as usize)),
                    other => results.push(other.clone()),
                }
            }
            tensors::map(n_loops, results)
        });
        set_indexing_maps(ir, main, maps.collect());
        let mut iterators = interface::iterator_types(ir, main);
        iterators.insert(self.dim, IteratorType::Parallel);
        let context = ir.context().clone();
        let iterators: Vec<_> = iterators
            .iter()
            .map(|kind| kind.to_attr(&context))
            .collect();
        ir.set_attr(main, Name::ITERATOR_TYPES, context.array_attr(&iterators));
        replace_counters(ir, main, &counters, n_loops);
    }
}

/// Additions one after the other.
struct Chain {
    /// How many numbers are added up, in how many partial sums.
    n: i64,
    lanes: i64,
    /// The longest sum that is left alone.
    max: i64,
    /// Elements of all inputs.
    inputs: i64,
    /// Elements of each result.
    outputs: i64,
}

impl Chain {
    /// `None` if it is short.
    fn of(
        ir: &Ir,
        op: Op,
        sizes: &[i64],
        maps: &[AffineMap],
        iterators: &[IteratorType],
        max_chain: i64,
    ) -> Option<Self> {
        let total = |is_counted: &dyn Fn(usize) -> bool| {
            let mut counted = (0..sizes.len()).filter(|&dim| is_counted(dim));
            counted.try_fold(1i64, |all, dim| all.checked_mul(sizes[dim]))
        };
        let is_reduction = |dim: usize| iterators[dim] == IteratorType::Reduction;
        let is_in =
            |map: &AffineMap, dim: usize| map.results.contains(&AffineExpr::Dim(dim as u32));
        let n = total(&is_reduction)?;
        let outputs = total(&|dim| !is_reduction(dim))?;
        let inputs = &maps[..interface::n_inputs(ir, op)];
        let product = adds_up_products(ir, op);
        let (lanes, longest) = match inputs {
            [left, right] if product => {
                let only = |one: &AffineMap, other: &AffineMap| {
                    total(&|dim| !is_reduction(dim) && is_in(one, dim) && !is_in(other, dim))
                };
                let ends_in_sum = |map: &AffineMap| match map.results.last() {
                    Some(AffineExpr::Dim(dim)) => is_reduction(*dim as usize),
                    _ => false,
                };
                let by_dots = only(left, right)? <= FEW && ends_in_sum(right)
                    || only(right, left)? <= FEW && ends_in_sum(left);
                match by_dots {
                    true => (LANES, max_chain),
                    false if outputs <= FEW_RESULTS => (1, max_chain),
                    false => (1, max_chain.saturating_mul(PRODUCT_CHAINS)),
                }
            }
            _ => match (iterators.last(), sizes.last()) {
                (Some(IteratorType::Reduction), Some(&size)) => (size.clamp(1, LANES), max_chain),
                _ => (1, max_chain),
            },
        };
        let mut elements = inputs.iter().map(|map| total(&|dim| is_in(map, dim)));
        let inputs = elements.try_fold(0i64, |all, n| all.checked_add(n?))?;
        (n / lanes > longest).then_some(Self {
            n,
            lanes,
            max: max_chain,
            inputs,
            outputs,
        })
    }

    /// How many iterations of a loop of `size`, which may be the last one, a part has; `None` if sums would stay long, or the
    /// results of all parts would take too much memory.
    fn of_part(&self, size: i64, is_last: bool) -> Option<i64> {
        let around = self.n / size;
        let root = (self.n / self.lanes).isqrt();
        let wanted = root.clamp((self.max / LEAST_SHARE).max(1), self.max);
        let wanted = wanted.saturating_mul(self.lanes) / around;
        // The results of all parts are `outputs * size / of_part` elements.
        let elements = self.outputs.checked_mul(size)?;
        let least = match elements <= FEW_RESULTS {
            true => 1,
            false => elements.checked_mul(MIN_SHARE)? / self.inputs.max(1),
        };
        let of_part = wanted.max(least).max(1);
        let longest = self.max.saturating_mul(PRODUCT_CHAINS);
        let is_short = of_part.saturating_mul(around) / self.lanes <= longest;
        // Rows of parts are to fill registers as well.
        let is_wide = !is_last || of_part >= self.lanes.min(self.max);
        (is_short && is_wide && of_part <= size / 2).then_some(of_part)
    }
}

/// The sizes of all loops, if they are known.
fn sizes(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let bounds = interface::loop_sizes(ir, op).into_iter();
    bounds
        .map(|bound| {
            let (operand, dim) = bound?;
            Some(interface::shape(ir, operand)[dim]).filter(|&size| size != DYNAMIC)
        })
        .collect()
}

/// The flags of the addition by which a result is a sum in any order; `None` if it is none.
fn sum_flags(ir: &Ir, op: Op, number: usize, allowed: FastMathFlags) -> Option<FastMathFlags> {
    let body = interface::body(ir, op)?;
    let yielded = ir.operand(ir.terminator(body)?, number);
    let sum = ir.block_args(body)[interface::n_inputs(ir, op) + number];
    let addition =
        (ir.defined_by(yielded, &arith::ADDF)).or_else(|| ir.defined_by(yielded, &complex::ADD))?;
    let flags = FastMathFlags::of(ir, addition).union(allowed);
    let is_sum = ir.operands(addition).contains(&sum)
        && ir.uses(sum).len() == 1
        && ir.uses(yielded).len() == 1
        && flags.contains(FastMathFlags::REASSOC);
    is_sum.then_some(flags)
}

/// Adds what a tensor has along its first dimension to `out`.
fn sum_of_parts(b: &mut Builder<'_>, parts: Value, out: Value, flags: FastMathFlags) -> Value {
    let n_loops = tensors::shape(b.ir, parts).len();
    let rest: Vec<usize> = (1..n_loops).collect();
    let mut parallel = vec![true; n_loops];
    parallel[0] = false;
    let generic = Generic {
        inputs: vec![(parts, AffineMap::identity(n_loops))],
        outputs: vec![(out, tensors::projection(n_loops, &rest))],
        parallel: &parallel,
    };
    let sums = generic.build(b, &mut |b, arguments| {
        let ty = b.ir.value_type(arguments[0]);
        let operands = [arguments[1], arguments[0]];
        let flags = flags
            .to_attr(&b.context())
            .expect("a sum in any order has some");
        let add = match complex::element_of(&b.context(), ty) {
            Some(_) => &complex::ADD,
            None => &arith::ADDF,
        };
        vec![b.value_with_attr(add, &operands, ty, Name::FASTMATH, flags)]
    });
    sums[0]
}

fn replace_counters(ir: &mut Ir, op: Op, counters: &[AffineExpr], n_loops: usize) {
    if let Some(body) = interface::body(ir, op)
        && let Some(end) = ir.terminator(body)
    {
        replace_loop_counters(ir, body, end, counters, n_loops);
    }
}
