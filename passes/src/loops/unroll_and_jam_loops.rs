//! `unroll-and-jam-loops`: several iterations of a loop run in one inner loop.
//!
//! Before, a product of matrices:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   scf.for %j = %c0 to %m step %c1 {
//!     scf.for %k = %c0 to %l step %c1 { c[i, j] += a[i, k] * b[k, j] }
//!   }
//! }
//! ```
//! After, with `%middle` as far as the number of iterations is a multiple of 4, and `%c0` if the
//! buffers overlap:
//! ```mlir
//! scf.for %i = %c0 to %middle step %c4 {
//!   scf.for %j = %c0 to %m step %c1 {
//!     scf.for %k = %c0 to %l step %c1 {
//!       c[i, j] += a[i, k] * b[k, j]
//!       ... the same for %i + 1, %i + 2, %i + 3 with the same element of b ...
//!     }
//!   }
//! } {freehold.disjoint, freehold.jammed}
//! scf.for %i = %middle to %n step %c1 { ... as before ... }
//! ```
//! What does not depend on `%i` is computed and loaded once for all of them, and sums that would wait
//! for their last addition are computed next to each other. It pays where an inner loop adds
//! something up: the accumulators stay in registers (`promote-loop-accesses`), rows of vectors
//! (`vectorize-loops`) are loaded once for four rows of the result. Where no loop of the nest will run
//! in vectors, elements of four iterations of the loop around the sum, and of two of another one if
//! that shares loads, are computed at once.
//!
//! Why this is right: each of the iterations does what it did, in the same order, so it is enough that
//! none accesses what another one stores. Different buffers are apart, or a comparison at run time says
//! so, or none of this runs. In a buffer that is stored to, every access has in one place the same
//! subscript, which is different in each iteration, and the layout puts different subscripts at
//! different places.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::marks::{disjoint_name, factor_name, is_disjoint, jammed_name};
use super::unroll_loops;
use super::vector_plan::{Kind, Plan};
use crate::analysis::loop_memory::{self, Access, Pairs, trip_count};
use crate::analysis::reductions::Sum;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "unroll-and-jam-loops",
    summary: "unroll and jam loops",
    anchor: Anchor::Function,
    run,
};

/// The largest number of operations in the body of an innermost loop afterwards: bounds the code and the
/// values that are alive at once. Not measured on its own; contractions without the library
/// (`matmul f32, 256, no library`, benches/results) stay below.
const MAX_INNERMOST_OPS: i64 = 128;
/// The same of the whole loop, so that the other passes look at it.
const MAX_OPS: i64 = loop_memory::MAX_ACCESSES as i64;
/// Iterations of the first loop that run together. Four sums and their factors are in registers, of which
/// there are 16: `matmul f32, 256, no library` went from 4.62 to 1.35 ms (benches/results).
const FIRST_FACTOR: i64 = 4;
/// Iterations of a second loop, where nothing runs in vectors: eight sums, as in `matmul transposed f32,
/// 256, no library`.
const SECOND_FACTOR: i64 = 2;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Loops are chosen before any is changed, with a mark that their copies carry as well.
    let name = factor_name(ir);
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &scf::FOR) {
            for (chosen, factor) in choose(ir, op) {
                let factor = ir.context().index_attr(factor);
                ir.set_attr(chosen, name, factor);
            }
        }
    }
    // Outer loops first, so that buffers are compared once for all that is inside.
    let mut roots = vec![ir.root()];
    while let Some(root) = roots.pop() {
        for op in ir.collect_ops(root) {
            // What a loop had inside goes with it.
            if ir.is_erased(op) || !ir.has_attr(op, name) {
                continue;
            }
            let factor = ir.attr(op, name);
            ir.remove_attr(op, name);
            let factor = factor.and_then(|attr| ir.context().attr_integer(attr));
            if let Some(factor) = factor.and_then(|factor| i64::try_from(factor).ok())
                && let Some(jam) = Jam::of(ir, op)
            {
                roots.push(jam.carry_out(ir, factor));
                context.count("loops jammed", 1);
            }
        }
    }
    Ok(())
}

/// The loops around the sum that `op` computes of which several iterations should run together, and
/// how many.
fn choose(ir: &Ir, op: Op) -> SmallVec<[(Op, i64); 2]> {
    let mut chosen = SmallVec::new();
    let Some(size) = innermost_size(ir, op) else {
        return chosen;
    };
    let parents = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    let around: SmallVec<[Op; 6]> = parents.take_while(|&op| ir.is(op, &scf::FOR)).collect();
    if around.is_empty() {
        return chosen;
    }
    let Some(sum) = Sum::of(ir, op) else {
        return chosen;
    };
    let nest = std::iter::once(op).chain(around.iter().copied());
    let vectors = nest.clone().find_map(|op| Plan::of(ir, op));
    if vectors.as_ref().is_some_and(|plan| plan.op == op) {
        return chosen;
    }
    let mut product = 1;
    for &outer in &around {
        let is_marked = ir.has_attr(outer, factor_name(ir));
        if is_marked || vectors.as_ref().is_some_and(|plan| plan.op == outer) {
            continue;
        }
        let Some(jam) = Jam::of(ir, outer) else {
            continue;
        };
        let shares = sum.loads.iter().any(|&load| {
            let is_row = (vectors.as_ref()).is_none_or(|plan| plan.kind(load) == Kind::Vector);
            is_row && !jam.varying.contains(&load)
        });
        // The first one also pays where additions need not wait for each other any more.
        let is_chain = sum.is_ordered && vectors.is_none() && chosen.is_empty();
        if !shares && !is_chain {
            continue;
        }
        let wanted = if chosen.is_empty() {
            FIRST_FACTOR
        } else {
            SECOND_FACTOR
        };
        let Some(factor) = factor(ir, outer, wanted) else {
            continue;
        };
        let n_ops = ir.walk(outer).count() as i64;
        if size * product * factor > ir.capped(MAX_INNERMOST_OPS)
            || n_ops * product * factor > ir.capped(MAX_OPS)
        {
            break;
        }
        chosen.push((outer, factor));
        product *= factor;
        if vectors.is_some() || !sum.is_ordered || chosen.len() == 2 {
            break;
        }
    }
    chosen
}

/// How many iterations of a loop to run together if four or two are wanted.
fn factor(ir: &Ir, op: Op, wanted: i64) -> Option<i64> {
    let Some(n) = trip_count(ir, op) else {
        return Some(wanted);
    };
    // Better three than four and a rest.
    let whole = (2..=wanted)
        .rev()
        .find(|factor| n % factor == 0 && 2 * factor > wanted);
    let factor = whole.unwrap_or(wanted).min(n);
    (factor > 1).then_some(factor)
}

/// How many operations are in the body of a loop without others inside but such that will be written
/// out.
fn innermost_size(ir: &Ir, op: Op) -> Option<i64> {
    if unroll_loops::unrolled_size(ir, op).is_some() {
        return None;
    }
    let mut size = 0;
    for inner in ir.ops_in(scf::For(op).body(ir)) {
        size += match ir.regions(inner) {
            [] => 1,
            _ if ir.is(inner, &scf::FOR) => unroll_loops::unrolled_size(ir, inner)?,
            _ => return None,
        };
    }
    Some(size)
}

/// A loop of which several iterations can run together.
struct Jam {
    op: Op,
    /// The values inside that may be different in each iteration.
    varying: FxHashSet<Value>,
    /// The buffers that must be apart when it runs.
    pairs: Pairs,
}

impl Jam {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let view = scf::For(op);
        let is_simple = !ir.has_attr(op, jammed_name(ir))
            && arith::as_constant_index(ir, ir.operand(op, 2)) == Some(1)
            && ir.value_type(view.induction_variable(ir)) == Type::INDEX
            && ir.results(op).is_empty();
        if !is_simple {
            return None;
        }
        let accesses = loop_memory::accesses(ir, op)?;
        for store in accesses.iter().filter(|access| access.is_store) {
            for other in &accesses {
                if store.buffer == other.buffer && !are_apart(ir, op, *store, *other) {
                    return None;
                }
            }
        }
        let is_outside = |access: &Access| loop_memory::is_outside(ir, access.buffer, op);
        if !accesses.iter().all(is_outside) {
            return None;
        }
        let pairs = match is_disjoint(ir, op, &accesses) {
            true => Pairs::new(),
            false => loop_memory::unknown_pairs(ir, op, &accesses)?,
        };
        Some(Self {
            op,
            varying: varying(ir, op)?,
            pairs,
        })
    }

    /// Makes a loop with `factor` iterations in one before the old one, which is left with the rest.
    fn carry_out(&self, ir: &mut Ir, factor: i64) -> Op {
        let (lower, upper) = (ir.operand(self.op, 0), ir.operand(self.op, 1));
        let trip_count = trip_count(ir, self.op);
        let mut builder = Builder::before(ir, self.op);
        let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
        let step = arith::constant_index(&mut builder, factor);
        let mut length = match trip_count {
            Some(n) => arith::constant_index(&mut builder, n - n % factor),
            None => {
                let end = binary(&mut builder, &arith::MAXSI, upper, lower);
                let n = binary(&mut builder, &arith::SUBI, end, lower);
                let rest = binary(&mut builder, &arith::REMUI, n, step);
                binary(&mut builder, &arith::SUBI, n, rest)
            }
        };
        let condition = loop_memory::build_disjoint(&mut builder, &self.pairs);
        if let Some(condition) = condition {
            let zero = arith::constant_index(&mut builder, 0);
            length = builder.value(&arith::SELECT, &[condition, length, zero], Type::INDEX);
        }
        let middle = binary(&mut builder, &arith::ADDI, lower, length);
        let new = scf::build_for(&mut builder, lower, middle, step, &[]);
        let (disjoint, jammed) = (disjoint_name(builder.ir), jammed_name(builder.ir));
        builder.ir.set_attr(new, disjoint, Attr::UNIT);
        builder.ir.set_attr(new, jammed, Attr::UNIT);
        let counter = scf::For(new).induction_variable(builder.ir);
        let old_counter = scf::For(self.op).induction_variable(builder.ir);
        builder.set_before(scf::For(new).yield_op(builder.ir));
        let mut maps = Vec::new();
        for i in 0..factor {
            let mut map = IrMap::default();
            let copy = match i {
                0 => counter,
                _ => {
                    let distance = arith::constant_index(&mut builder, i);
                    binary(&mut builder, &arith::ADDI, counter, distance)
                }
            };
            map.values.insert(old_counter, copy);
            maps.push(map);
        }
        let body = scf::For(self.op).body(builder.ir);
        self.copy_block(&mut builder, body, &mut maps);
        if condition.is_none() && trip_count.is_some_and(|n| n % factor == 0) {
            ir.erase_op(self.op);
        } else {
            ir.set_operand(self.op, 0, middle);
            ir.set_attr(self.op, jammed, Attr::UNIT);
        }
        new
    }

    /// Copies the operations of a block but its terminator: once for all iterations, or once for each.
    fn copy_block(&self, builder: &mut Builder<'_>, block: Block, maps: &mut [IrMap]) {
        let ops: Vec<Op> = builder.ir.ops_in(block).collect();
        for op in ops {
            if builder.ir.is(op, &scf::YIELD) {
                continue;
            }
            if builder.ir.is(op, &scf::FOR) {
                self.copy_loop(builder, op, maps);
                continue;
            }
            let mut operands = builder.ir.operands(op).iter();
            let is_same = operands.all(|operand| !self.varying.contains(operand));
            let (first, others) = maps.split_first_mut().expect("there are iterations");
            let copy = builder.ir.clone_op(op, first);
            builder.insert(copy);
            for map in others {
                if is_same {
                    for (i, &result) in builder.ir.results(op).iter().enumerate() {
                        map.values.insert(result, builder.ir.result(copy, i));
                    }
                } else {
                    let copy = builder.ir.clone_op(op, map);
                    builder.insert(copy);
                }
            }
        }
    }

    /// Copies a loop; the new one carries what each of the iterations does.
    fn copy_loop(&self, builder: &mut Builder<'_>, op: Op, maps: &mut [IrMap]) {
        let old = scf::For(op);
        let operands: Vec<Value> = builder.ir.operands(op).to_vec();
        let bounds = [0, 1, 2].map(|i: usize| maps[0].value(operands[i]));
        let inits = |map: &IrMap| -> Vec<Value> {
            operands[3..].iter().map(|&init| map.value(init)).collect()
        };
        let inits: Vec<Value> = maps.iter().flat_map(inits).collect();
        let new = scf::build_for(builder, bounds[0], bounds[1], bounds[2], &inits);
        let attrs = builder.ir.attrs(op);
        builder.ir.set_attrs(new, attrs);
        let view = scf::For(new);
        let counter = view.induction_variable(builder.ir);
        let old_counter = old.induction_variable(builder.ir);
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let n = arguments.len();
        for (i, map) in maps.iter_mut().enumerate() {
            map.values.insert(old_counter, counter);
            let new_arguments = &view.iter_args(builder.ir)[i * n..];
            map.values
                .extend(arguments.iter().copied().zip(new_arguments.iter().copied()));
        }
        let (old_body, new_body) = (old.body(builder.ir), view.body(builder.ir));
        if n == 0 {
            let end = view.yield_op(builder.ir);
            self.copy_block(&mut Builder::before(builder.ir, end), old_body, maps);
        } else {
            let yielded: Vec<Value> = builder.ir.operands(old.yield_op(builder.ir)).to_vec();
            let mut inner = Builder::at_end(builder.ir, new_body);
            self.copy_block(&mut inner, old_body, maps);
            let yielded = |map: &IrMap| -> Vec<Value> {
                yielded.iter().map(|&value| map.value(value)).collect()
            };
            let yielded: Vec<Value> = maps.iter().flat_map(yielded).collect();
            scf::build_yield(&mut inner, &yielded);
        }
        for (i, map) in maps.iter_mut().enumerate() {
            for j in 0..n {
                let (old, new) = (builder.ir.result(op, j), builder.ir.result(new, i * n + j));
                map.values.insert(old, new);
            }
        }
    }
}

/// The values inside of a loop that may be different in each of its iterations. `None` if there is
/// something inside that cannot do the work of several iterations.
fn varying(ir: &Ir, loop_op: Op) -> Option<FxHashSet<Value>> {
    let mut varying = FxHashSet::default();
    varying.insert(scf::For(loop_op).induction_variable(ir));
    for op in ir.walk(loop_op).filter(|&op| op != loop_op) {
        let operands = ir.operands(op);
        if ir.is(op, &scf::FOR) {
            if operands[..3].iter().any(|bound| varying.contains(bound)) {
                return None;
            }
            varying.extend(scf::For(op).iter_args(ir));
            varying.extend(ir.results(op));
        } else if !ir.regions(op).is_empty() {
            return None;
        } else if operands.iter().any(|operand| varying.contains(operand)) {
            varying.extend(ir.results(op));
        }
    }
    Some(varying)
}

/// Whether no iteration of `op` accesses in the first way what another one does in the second, both
/// in the same buffer, the first of them a store.
fn are_apart(ir: &Ir, op: Op, store: Access, other: Access) -> bool {
    let context = ir.context();
    let Some(memref) = context.as_memref(ir.value_type(store.buffer)) else {
        return false;
    };
    let counter = scf::For(op).induction_variable(ir);
    let mut both = store.indices(ir).iter().zip(other.indices(ir));
    let is_scalar = |access: Access| ir.value_type(access.value(ir)) == memref.element;
    loop_memory::is_injective(context, memref)
        && is_scalar(store)
        && is_scalar(other)
        && both.any(|(&a, &b)| {
            loop_memory::is_same_number(ir, a, b) && loop_memory::counts(ir, op, counter, a)
        })
}
