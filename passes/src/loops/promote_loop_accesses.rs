//! `promote-loop-accesses`: what a loop loads and stores at one place in every iteration stays in a
//! register.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %c8 step %c1 {
//!   %x = memref.load %a[%i] : memref<8xf32>
//!   %sum = memref.load %b[] : memref<f32>
//!   %next = arith.addf %sum, %x : f32
//!   memref.store %next, %b[] : memref<f32>
//! }
//! ```
//! After:
//! ```mlir
//! %first = memref.load %b[] : memref<f32>
//! %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %first) -> (f32) {
//!   %x = memref.load %a[%i] : memref<8xf32>
//!   %next = arith.addf %sum, %x : f32
//!   scf.yield %next : f32
//! }
//! memref.store %last, %b[] : memref<f32>
//! ```
//!
//! That is right if nothing else in the loop accesses that place. Where addresses must be compared
//! to know, or the loop may not run at all, the new loop stands in a `scf.if`, and the old one in its
//! other branch. Inner loops come first; what was taken out of them may leave the loops around them
//! as well.
//!
//! Truth values that are combined by `and`, `or` or `xor` become numbers of the size of what they were compared of, because
//! registers of vectors hold such: `1` for true. Floats of 16 bits become `f32` (`carried_halves`).

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::carried_halves;
use super::guards::{build_branches, build_guard, carry_more};
use super::marks::is_disjoint;
use crate::analysis::loop_memory::{self, Access, Pairs};
use crate::analysis::truths;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "promote-loop-accesses",
    summary: "keep memory that a loop loads and stores at a fixed location in registers",
    anchor: Anchor::Function,
    run,
};

/// A loop is not copied for the sake of comparing addresses if it has more operations: bounds the code.
const MAX_COPIED_OPS: usize = 64;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is(op, &scf::FOR) {
            let n = promote_all(ir, op);
            context.count("places promoted", n);
        }
    }
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op) && ir.is(op, &scf::FOR) {
            let n = carried_halves::widen(ir, op);
            context.count("halves widened", n);
        }
    }
    Ok(())
}

/// A place that a loop loads from and stores to once.
struct Place {
    loads: Vec<Op>,
    store: Op,
}

/// Promotes all places of a loop; returns how many.
fn promote_all(ir: &mut Ir, op: Op) -> u64 {
    let Some(accesses) = loop_memory::accesses(ir, op) else {
        return 0;
    };
    let is_disjoint = is_disjoint(ir, op, &accesses);
    let pairs = match is_disjoint {
        true => Some(Pairs::new()),
        false => loop_memory::unknown_pairs(ir, op, &accesses),
    };
    let Some(pairs) = pairs else { return 0 };
    let n = places(ir, op, &accesses).len() as u64;
    if n == 0 || !pairs.is_empty() && !is_worth_copying(ir, op) {
        return 0;
    }
    let mut fast = op;
    let guard = build_guard(ir, op, &pairs);
    if let Some(guard) = guard {
        let copy = (!pairs.is_empty()).then(|| ir.clone_op(op, &mut IrMap::default()));
        fast = build_branches(ir, op, guard, copy.as_slice());
    }
    let places = match guard {
        Some(_) => loop_memory::accesses(ir, fast).map(|accesses| places(ir, fast, &accesses)),
        None => Some(places(ir, fast, &accesses)),
    };
    for place in places.unwrap_or_default() {
        fast = promote(ir, fast, &place);
    }
    n
}

fn is_worth_copying(ir: &Ir, op: Op) -> bool {
    let body = scf::For(op).body(ir);
    ir.walk(op).take(ir.capped(MAX_COPIED_OPS) + 1).count() <= ir.capped(MAX_COPIED_OPS)
        && ir.ops_in(body).all(|op| ir.regions(op).is_empty())
}

/// The places that can be promoted if different buffers do not overlap.
fn places(ir: &Ir, op: Op, accesses: &[Access]) -> Vec<Place> {
    let body = scf::For(op).body(ir);
    let is_fixed = |access: &Access| {
        let mut values = std::iter::once(&access.buffer).chain(access.indices(ir));
        values.all(|&value| loop_memory::is_outside(ir, value, op))
    };
    let mut places = Vec::new();
    for store in accesses.iter().filter(|access| access.is_store) {
        if ir.block_of(store.op) != Some(body) || !is_fixed(store) {
            continue;
        }
        let ty = ir.value_type(store.value(ir));
        // All other accesses of the buffer must be loads from this place before the store, or reach
        // another place that stays the same as well.
        let is_load_from_here = |access: &&Access| {
            let indices = access.indices(ir).iter().zip(store.indices(ir));
            !access.is_store
                && ir.block_of(access.op) == Some(body)
                && ir.is_before_in_block(access.op, store.op)
                && ir.value_type(access.value(ir)) == ty
                && is_fixed(access)
                && indices
                    .into_iter()
                    .all(|(&a, &b)| loop_memory::is_same_number(ir, a, b))
        };
        let others = || {
            let of_buffer = accesses
                .iter()
                .filter(|access| access.buffer == store.buffer);
            of_buffer.filter(|access| access.op != store.op)
        };
        let is_elsewhere =
            |access: &&Access| is_fixed(access) && loop_memory::are_apart(ir, **access, *store);
        let loads: Vec<Op> = (others().filter(is_load_from_here))
            .map(|access| access.op)
            .collect();
        if !loads.is_empty()
            && others().all(|access| is_load_from_here(&access) || is_elsewhere(&access))
        {
            let store = store.op;
            places.push(Place { loads, store });
        }
    }
    places
}

/// Keeps a place in a register; returns the loop that replaces `op`.
fn promote(ir: &mut Ir, op: Op, place: &Place) -> Op {
    let mut builder = Builder::before(ir, op);
    let first = builder.ir.clone_op(place.loads[0], &mut IrMap::default());
    builder.insert(first);
    let mut first = ir.result(first, 0);
    let truths = Truths::of(ir, place);
    if let Some(truths) = &truths {
        first = Builder::before(ir, op).value(&arith::EXTUI, &[first], truths.ty);
    }
    let new = carry_more(ir, op, &[first]);
    let carried = ir.block_args(scf::For(new).body(ir)).last().copied();
    let carried = carried.expect("the loop carries the place");
    let stored = match &truths {
        Some(truths) => truths.combine(ir, carried),
        None => {
            for &load in &place.loads {
                ir.replace_op(load, &[carried]);
            }
            ir.operand(place.store, 0)
        }
    };
    let end = scf::For(new).yield_op(ir);
    let n = ir.operands(end).len();
    ir.insert_operands(end, n, &[stored]);
    ir.move_op_after(place.store, new);
    let last = ir.results(new).last().copied();
    let mut last = last.expect("the loop carries the place");
    if let Some(truths) = &truths {
        let mut builder = Builder::after(ir, new);
        let zero = arith::constant_int(&mut builder, truths.ty, 0);
        last = arith::compare(&mut builder, CmpIPredicate::Ne, last, zero);
    }
    ir.set_operand(place.store, 0, last);
    if let Some(truths) = truths {
        ir.erase_op(truths.combination);
        ir.erase_op(place.loads[0]);
    }
    new
}

/// Truth values that are combined with one at a place.
struct Truths {
    combination: Op,
    /// What is combined with that one.
    other: Value,
    /// The type that stands for them.
    ty: Type,
}

impl Truths {
    fn of(ir: &Ir, place: &Place) -> Option<Self> {
        let &[load] = &place.loads[..] else {
            return None;
        };
        let loaded = ir.result(load, 0);
        let stored = ir.operand(place.store, 0);
        let combination = ir.defining_op(stored)?;
        let is_known = [&arith::ANDI, &arith::ORI, &arith::XORI]
            .iter()
            .any(|&def| ir.is(combination, def));
        let is_alone = ir.value_type(loaded) == Type::I1
            && ir.block_of(combination) == ir.block_of(load)
            && ir.has_one_use(loaded)
            && ir.has_one_use(stored);
        if !is_known || !is_alone {
            return None;
        }
        let other = match *ir.operands(combination) {
            [a, b] if a == loaded => b,
            [a, b] if b == loaded => a,
            _ => return None,
        };
        let ty = truths::integer_for(ir, other);
        Some(Self {
            combination,
            other,
            ty,
        })
    }

    fn combine(&self, ir: &mut Ir, carried: Value) -> Value {
        let def = ir.def(self.combination);
        let mut builder = Builder::before(ir, self.combination);
        let other = builder.value(&arith::EXTUI, &[self.other], self.ty);
        builder.value(def, &[carried, other], self.ty)
    }
}
