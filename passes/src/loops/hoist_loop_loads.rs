//! `hoist-loop-loads`: what a loop loads from the same place in every iteration, and never stores to, is
//! loaded once before the loop.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %factor = memref.load %f[%c2] : memref<8xf32>
//!   ...
//! }
//! ```
//! After:
//! ```mlir
//! %any = arith.cmpi slt, %c0, %n : index
//! scf.if %any {
//!   %factor = memref.load %f[%c2] : memref<8xf32>
//!   scf.for %i = %c0 to %n step %c1 { ... }
//! }
//! ```
//!
//! That is right if no store in the loop reaches that place, which must be known when the program is
//! compiled or by a comparison around the loop that is there already. The `scf.if` is left out
//! where the loop certainly runs: nothing is loaded that the program would not load. The pass
//! belongs behind `vectorize-loops` and `unroll-loops`: loops in a `scf.if` are no longer nests, and
//! the weights of a convolution have fixed places only when its window is written out.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use super::guards::{build_branches, build_guard};
use super::marks::is_disjoint;
use crate::analysis::loop_memory::{self, Access, Pairs};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "hoist-loop-loads",
    summary: "hoist loop-invariant loads out of loops",
    anchor: Anchor::Function,
    run,
};

/// More values than these would not stay in registers: x86-64 has 16 for vectors. Nine weights of
/// `conv2d, 256x256, 3x3` are loaded once this way (benches/results).
const MAX_PLACES: usize = 16;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Inner loops first: what leaves them may leave those around them as well.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is(op, &scf::FOR) {
            let n = hoist(ir, op);
            context.count("places loaded once", n);
        }
    }
    Ok(())
}

/// Moves loads out of a loop; returns from how many places.
fn hoist(ir: &mut Ir, op: Op) -> u64 {
    let Some(accesses) = loop_memory::accesses(ir, op) else {
        return 0;
    };
    let places = places(ir, op, &accesses);
    let is_safe = || {
        is_disjoint(ir, op, &accesses)
            || loop_memory::unknown_pairs(ir, op, &accesses).is_some_and(|pairs| pairs.is_empty())
    };
    if places.is_empty() || !is_safe() {
        return 0;
    }
    if let Some(guard) = build_guard(ir, op, &Pairs::new()) {
        build_branches(ir, op, guard, &[]);
    }
    for loads in &places {
        let mut builder = Builder::before(ir, op);
        let mut map = IrMap::default();
        for index in builder.ir.operands(loads[0]).to_vec() {
            // Of what is inside of the loop only constants are fixed.
            if !loop_memory::is_outside(builder.ir, index, op)
                && let Some(constant) = builder.ir.defining_op(index)
            {
                let copy = builder.ir.clone_op(constant, &mut map);
                builder.insert(copy);
            }
        }
        let first = builder.ir.clone_op(loads[0], &mut map);
        builder.insert(first);
        let value = ir.result(first, 0);
        for &load in loads {
            ir.replace_op(load, &[value]);
        }
    }
    places.len() as u64
}

/// The loads of each place that stays the same and is in a buffer without stores.
fn places(ir: &Ir, op: Op, accesses: &[Access]) -> Vec<Vec<Op>> {
    let body = scf::For(op).body(ir);
    let is_fixed = |value: Value| {
        loop_memory::is_outside(ir, value, op) || arith::as_constant_index(ir, value).is_some()
    };
    let is_stored_to = |buffer| {
        let mut stores = accesses.iter().filter(|access| access.is_store);
        stores.any(|store| store.buffer == buffer)
    };
    let mut places: Vec<(Access, Vec<Op>)> = Vec::new();
    for access in accesses {
        let is_candidate = !access.is_store
            && ir.block_of(access.op) == Some(body)
            && loop_memory::is_outside(ir, access.buffer, op)
            && access.indices(ir).iter().all(|&index| is_fixed(index))
            && !is_stored_to(access.buffer);
        if !is_candidate {
            continue;
        }
        let is_same = |known: Access| {
            let mut indices = known.indices(ir).iter().zip(access.indices(ir));
            known.buffer == access.buffer
                && ir.value_type(known.value(ir)) == ir.value_type(access.value(ir))
                && indices.all(|(&a, &b)| loop_memory::is_same_number(ir, a, b))
        };
        if let Some((_, loads)) = places.iter_mut().find(|(known, _)| is_same(*known)) {
            loads.push(access.op);
        } else if places.len() < ir.capped(MAX_PLACES) {
            places.push((*access, vec![access.op]));
        }
    }
    places.into_iter().map(|(_, loads)| loads).collect()
}
