//! `affine-loop-fusion`: affine loops over the same range that stand one after the other become one.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//! }
//! affine.for %i = 0 to 8 {
//!   %w = affine.load %m[%i] : memref<8xf32>
//!   affine.store %w, %n[%i] : memref<8xf32>
//! }
//! ```
//! After (if `%m` and `%n` are different buffers):
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//!   %w = affine.load %m[%i] : memref<8xf32>
//!   affine.store %w, %n[%i] : memref<8xf32>
//! }
//! ```
//!
//! Different iterations of the two touch different elements, so each iteration sees what it saw. Loops inside of the new
//! one are fused in the same way. Upstream also computes a part of one loop within another; this pass computes nothing
//! twice. A buffer that nothing but a fused nest uses, in each iteration for one element of its own, then has one element,
//! and may lie in faster memory.

use freehold_frontend::dialects::{affine, memref};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::MemRefType;
use rustc_hash::FxHashSet;

use crate::analysis::affine_memory::{accesses, iterations_are_apart, subscripts};
use crate::analysis::speculation::may_run_anywhere;
use crate::manage::options::{OptionKind, OptionValue, option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{lower_bound, upper_bound};

option_words! {
    /// Which loops are fused.
    pub enum Mode {
        /// All that may be.
        Greedy = "greedy",
        /// Those of which the second reads what the first writes.
        Producer = "producer",
        /// Those that read the same buffer, and neither reads what the other one writes.
        Sibling = "sibling",
    }
}

/// A part of what is computed that may be computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance(String);

impl OptionValue for Tolerance {
    const KIND: OptionKind = OptionKind::Other("a number");

    fn read(text: &str) -> Option<Self> {
        text.parse::<f64>().ok().map(|_| Self(text.to_owned()))
    }

    fn text(&self) -> String {
        self.0.clone()
    }
}

pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// which loops are fused
        "mode" mode: Mode = Mode::Greedy,
        /// accepted: nothing is computed twice
        "compute-tolerance" | "fusion-compute-tolerance" tolerance: Tolerance = Tolerance("0.3".to_owned()),
        /// memory space of buffers that only a fused nest uses, if they are not larger than local-buf-threshold
        "fast-mem-space" | "fusion-fast-mem-space" fast_space: Option<u64> = None,
        /// KiB of the largest buffer for fast-mem-space
        "local-buf-threshold" | "fusion-local-buf-threshold" fast_kib: u64 = 0,
        /// fuse all loops that may be; so it is without, for nothing is computed twice
        "maximal" | "fusion-maximal" maximal: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-loop-fusion",
    summary: "fuse neighbouring affine loops over the same range",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mode = context.options.mode;
    let mut n_fused = 0;
    let mut fused: FxHashSet<Op> = FxHashSet::default();
    let mut todo: Vec<Op> = ir.collect_ops(ir.root());
    todo.reverse();
    while let Some(op) = todo.pop() {
        if ir.is_erased(op) || !ir.is(op, &affine::FOR) {
            continue;
        }
        let mut has_grown = false;
        while let Some((next, between)) = next_loop(ir, op)
            && may_fuse(ir, op, next, mode)
        {
            for pure in between {
                ir.move_op_before(pure, op);
            }
            fuse(ir, op, next);
            n_fused += 1;
            has_grown = true;
            fused.insert(op);
        }
        if has_grown {
            // Loops inside may have new neighbours.
            let inner: Vec<Op> = ir.walk(op).skip(1).collect();
            todo.extend(inner.into_iter().rev());
        }
    }
    context.count("loops fused", n_fused);
    // A checked run wants to see every access.
    if !ir.context().keeps_memory_operations() {
        for alloc in ir.collect_ops(ir.root()) {
            if let Some(local) = Local::of(ir, alloc, &fused) {
                local.make_small(ir, context.options);
                context.count("buffers made small", 1);
            }
        }
    }
    Ok(())
}

/// A buffer of which each iteration of a fused nest writes and reads one element.
struct Local {
    alloc: Op,
    memref: MemRefType,
    accesses: Vec<Op>,
}

impl Local {
    fn of(ir: &Ir, alloc: Op, fused: &FxHashSet<Op>) -> Option<Self> {
        if !ir.is(alloc, &memref::ALLOC) || !ir.operands(alloc).is_empty() {
            return None;
        }
        let buffer = ir.result(alloc, 0);
        let memref = ir.context().as_memref(ir.value_type(buffer))?.clone();
        if memref.layout.is_some() || memref.shape.iter().all(|&size| size == 1) {
            return None;
        }
        let users: Vec<Op> = ir.uses(buffer).iter().map(|user| user.op).collect();
        let is_dealloc = |op: &Op| ir.is(*op, &memref::DEALLOC);
        let (deallocs, accesses): (Vec<Op>, Vec<Op>) = users.into_iter().partition(is_dealloc);
        let is_store = |&op: &Op| ir.is(op, &affine::STORE) && ir.operand(op, 0) != buffer;
        if !accesses.iter().any(is_store)
            || !accesses
                .iter()
                .all(|op| ir.is(*op, &affine::LOAD) || is_store(op))
        {
            return None;
        }
        let (_, place) = subscripts(ir, *accesses.first()?)?;
        let is_there = |&op: &Op| subscripts(ir, op).is_some_and(|(_, other)| other == place);
        if !accesses.iter().all(is_there) {
            return None;
        }
        // The nest: the loops from the block of the buffer inwards whose counters are the subscripts.
        let block = ir.block_of(alloc)?;
        let outermost = ir.ancestor_in_block(accesses[0], block)?;
        let is_freed_later =
            |&op: &Op| ir.block_of(op) == Some(block) && ir.is_before_in_block(outermost, op);
        if !deallocs.iter().all(is_freed_later) {
            return None;
        }
        let is_counter = |expr: &AffineExpr| matches!(expr, AffineExpr::Dim(_));
        let n = place.operands.len();
        if !place.map.results.iter().all(is_counter) || place.map.results.len() != n {
            return None;
        }
        let mut nest = Vec::new();
        let mut op = outermost;
        for _ in 0..n {
            if !ir.is(op, &affine::FOR)
                || !place
                    .operands
                    .contains(&affine::For(op).induction_variable(ir))
            {
                return None;
            }
            nest.push(op);
            let body = affine::For(op).body(ir);
            op = ir.ancestor_in_block(accesses[0], body)?;
        }
        let innermost = *nest.last()?;
        let is_inside = |&op: &Op| ir.is_ancestor(innermost, op);
        (nest.iter().any(|op| fused.contains(op)) && accesses.iter().all(is_inside)).then_some(
            Self {
                alloc,
                memref,
                accesses,
            },
        )
    }

    fn make_small(self, ir: &mut Ir, options: &Options) {
        let context = ir.context().clone();
        let rank = self.memref.shape.len();
        let bytes = context.element_byte_size(self.memref.element);
        let is_fast = bytes.is_some_and(|bytes| bytes <= options.fast_kib.saturating_mul(1024));
        let space = match options
            .fast_space
            .and_then(|space| i64::try_from(space).ok())
        {
            Some(space) if is_fast => (space != 0).then(|| context.i64_attr(space)),
            _ => self.memref.space,
        };
        let small = context.memref_type(MemRefType {
            shape: vec![1; rank].into(),
            space,
            ..self.memref
        });
        let buffer = ir.result(self.alloc, 0);
        ir.set_value_type(buffer, small);
        let zero = AffineMap {
            results: vec![AffineExpr::Constant(0); rank],
            ..AffineMap::identity(0)
        };
        let zero = context.affine_map_attr(zero);
        for op in self.accesses {
            let n = if ir.is(op, &affine::STORE) { 2 } else { 1 };
            let operands = ir.operands(op)[..n].to_vec();
            ir.set_operands(op, &operands);
            ir.set_attr(op, Name::MAP, zero);
        }
    }
}

/// The next loop behind `op`, and what stands in between and may stand before both.
fn next_loop(ir: &Ir, op: Op) -> Option<(Op, Vec<Op>)> {
    let mut between = Vec::new();
    let mut next = ir.next_op(op)?;
    while !ir.is(next, &affine::FOR) {
        if !ir.results(op).is_empty() || !may_run_anywhere(ir, next) {
            return None;
        }
        between.push(next);
        next = ir.next_op(next)?;
    }
    Some((next, between))
}

fn may_fuse(ir: &Ir, first: Op, second: Op, mode: Mode) -> bool {
    let is_plain = |op: Op| ir.results(op).is_empty();
    let [a, b] = [first, second].map(|op| {
        let bounds = (
            lower_bound(ir, op).canonical(ir),
            upper_bound(ir, op).canonical(ir),
        );
        (bounds, affine::For(op).step(ir))
    });
    if !is_plain(first) || !is_plain(second) || a != b {
        return false;
    }
    let (Some(of_first), Some(of_second)) = (accesses(ir, first), accesses(ir, second)) else {
        return false;
    };
    let share = |first_stores, second_stores| {
        let mut of_first = of_first.iter().filter(|a| a.is_store == first_stores);
        of_first.any(|a| {
            let mut of_second = of_second.iter().filter(|b| b.is_store == second_stores);
            of_second.any(|b| a.memref == b.memref)
        })
    };
    let is_wanted = match mode {
        Mode::Greedy => true,
        Mode::Producer => share(true, false),
        Mode::Sibling => share(false, false) && !share(true, false) && !share(false, true),
    };
    if !is_wanted {
        return false;
    }
    let [from, to] = [second, first].map(|op| affine::For(op).induction_variable(ir));
    let of_second: Vec<_> = of_second
        .into_iter()
        .map(|b| b.with_counter(from, to))
        .collect();
    of_first.iter().all(|a| {
        of_second
            .iter()
            .all(|b| !a.is_store && !b.is_store || iterations_are_apart(ir, first, a, b))
    })
}

/// Puts the body of `second` behind that of `first`.
fn fuse(ir: &mut Ir, first: Op, second: Op) {
    let [to, from] = [first, second].map(|op| affine::For(op).body(ir));
    let (counter, old) = (ir.block_args(to)[0], ir.block_args(from)[0]);
    ir.replace_all_uses(old, counter);
    if let Some(end) = ir.last_op(from) {
        ir.erase_op(end);
    }
    if let Some(end) = ir.last_op(to) {
        ir.move_block_contents_before(from, end);
    }
    ir.erase_op(second);
}
