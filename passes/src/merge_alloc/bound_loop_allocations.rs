//! `bound-loop-allocations`: buffers whose sizes depend on the counter of a loop get the largest of these sizes.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %c100 step %c32 {
//!   %rest = arith.subi %c100, %i : index
//!   %rows = arith.minsi %rest, %c32 : index
//!   %panel = memref.alloc(%rows, %i) : memref<?x?xf32>
//!   ...
//!   memref.dealloc %panel : memref<?x?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %c100 step %c32 {
//!   ...
//!   %bytes = memref.alloc() {alignment = 4 : i64, freehold.no_arena} : memref<8192xi8>
//!   %panel = memref.view %bytes[%c0][%rows, %i] : memref<8192xi8> to memref<?x?xf32>
//!   ...
//!   memref.dealloc %bytes : memref<8192xi8>
//! }
//! ```
//! Buffers of known size share arenas, and leave the loop (`merge-alloc`). Blocked factorizations have panels like this one.
//!
//! The sizes are computed for each iteration. Unless `always`, the peak does not rise: nothing in the body but its own
//! allocations and deallocations changes memory, and in some iteration, or near the loop, as much is taken before as is ever
//! taken now.

use std::sync::Arc;

use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::NO_ARENA;
use super::around::{change, peak_around};
use super::sure::folded;
use crate::analysis::alignment;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// also where the peak may become higher
        "always" always: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "bound-loop-allocations",
    summary: "give buffers whose sizes depend on the counter of a loop the largest of these sizes",
    anchor: Anchor::Function,
    run,
};

/// Iterations whose sizes are computed, and operations that compute them: bounds compile time.
const MAX_ITERATIONS: i128 = 256;
const MAX_OPS: usize = 64;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut loops = ir.collect_ops(ir.root());
    loops.retain(|&op| ir.is(op, &scf::FOR));
    for op in loops {
        let Some(found) = Found::of(ir, scf::For(op)) else {
            continue;
        };
        if context.options.always || !found.raises_peak(ir, op) {
            context.count("allocations of loops bounded", found.buffers.len() as u64);
            found.apply(ir);
        }
    }
    Ok(())
}

/// A buffer of an iteration.
struct Buffer {
    alloc: Op,
    dealloc: Op,
    /// The bytes of all of its known dimensions together.
    row: i128,
    /// Its largest size, in bytes.
    most: i128,
}

impl Buffer {
    /// How many bytes it has where these values are constants.
    fn size(&self, ir: &Ir, known: &FxHashMap<Value, Attr>) -> Option<i128> {
        let size = |value: &Value| {
            let attr = known.get(value).copied();
            let attr = attr.or_else(|| arith::as_constant_attr(ir, *value))?;
            ir.context().attr_integer(attr).filter(|&size| size >= 0)
        };
        let mut sizes = ir.operands(self.alloc).iter().map(size);
        let bytes = sizes.try_fold(self.row, |bytes, size| bytes.checked_mul(size?))?;
        (bytes <= i128::from(i64::MAX)).then_some(bytes)
    }
}

/// What happens to memory in an iteration, in order.
enum Event {
    /// There are this many bytes more.
    Known(i128),
    Allocated(usize),
    Freed(usize),
    /// Other memory changes.
    Other,
}

/// The buffers of a loop whose sizes depend on its counter only.
struct Found {
    buffers: Vec<Buffer>,
    /// The sizes of each buffer in all iterations, in bytes.
    sizes: Vec<Vec<i128>>,
    events: Vec<Event>,
}

impl Found {
    fn of(ir: &Ir, view: scf::For) -> Option<Self> {
        let body = view.body(ir);
        let buffers: Vec<Buffer> = (ir.ops_in(body)).filter_map(|op| buffer(ir, op)).collect();
        if buffers.is_empty() {
            return None;
        }
        let number = |value| arith::as_constant_index(ir, value).map(i128::from);
        let lower = number(view.lower_bound(ir))?;
        let (upper, step) = (number(view.upper_bound(ir))?, number(view.step(ir))?);
        let limit = ir.capped(MAX_ITERATIONS);
        if step <= 0 || lower >= upper || (upper - lower - 1) / step >= limit {
            return None;
        }
        let computed = computed(ir, view, &buffers)?;
        let mut sizes = vec![Vec::new(); buffers.len()];
        let (mut counter, mut n_iterations) = (lower, 0);
        while counter < upper {
            let mut known: FxHashMap<Value, Attr> = FxHashMap::default();
            let attr = ir.context().integer_attr(Type::INDEX, counter);
            known.insert(view.induction_variable(ir), attr);
            for &op in &computed {
                known.extend(folded(ir, op, &known));
            }
            for (buffer, sizes) in buffers.iter().zip(&mut sizes) {
                sizes.extend(buffer.size(ir, &known));
            }
            counter += step;
            n_iterations += 1;
        }
        // What is unknown in some iteration is left, and what is empty in all of them.
        let known = buffers
            .into_iter()
            .zip(sizes)
            .filter_map(|(buffer, sizes)| {
                let most = *sizes.iter().max()?;
                let is_known = sizes.len() == n_iterations && most > 0;
                is_known.then_some((Buffer { most, ..buffer }, sizes))
            });
        let (buffers, sizes): (Vec<Buffer>, Vec<Vec<i128>>) = known.unzip();
        let events = events(ir, view, &buffers);
        (!buffers.is_empty()).then_some(Self {
            buffers,
            sizes,
            events,
        })
    }

    /// Whether the loop may take more memory than it or what is around it does.
    fn raises_peak(&self, ir: &Ir, op: Op) -> bool {
        let most: Vec<i128> = self.buffers.iter().map(|buffer| buffer.most).collect();
        let n_iterations = self.sizes.first().map_or(0, Vec::len);
        let before = (0..n_iterations).map(|iteration| {
            let sizes: Vec<i128> = self.sizes.iter().map(|sizes| sizes[iteration]).collect();
            self.peak(&sizes)
        });
        // Where it is not known in one iteration, it is in none.
        match (before.flatten().max(), self.peak(&most)) {
            (Some(before), Some(after)) => after > before && after > peak_around(ir, op),
            _ => true,
        }
    }

    /// The most memory that an iteration takes with buffers of these sizes, if as much is left as there was.
    fn peak(&self, sizes: &[i128]) -> Option<i128> {
        let (mut level, mut peak) = (0, 0);
        for event in &self.events {
            level += match *event {
                Event::Known(bytes) => bytes,
                Event::Allocated(buffer) => sizes[buffer],
                Event::Freed(buffer) => -sizes[buffer],
                Event::Other => return None,
            };
            peak = peak.max(level);
        }
        (level == 0).then_some(peak)
    }

    fn apply(self, ir: &mut Ir) {
        let context = Arc::clone(ir.context());
        for buffer in self.buffers {
            let Buffer {
                alloc,
                dealloc,
                most,
                ..
            } = buffer;
            let ty = ir.value_type(ir.result(alloc, 0));
            let Some((memref, most)) = context.as_memref(ty).zip(i64::try_from(most).ok()) else {
                continue;
            };
            let natural = context.element_byte_size(memref.element).unwrap_or(1);
            let aligned = alignment::requested(ir, alloc).max(natural.next_power_of_two());
            let bytes = context.memref_type(MemRefType {
                space: memref.space,
                ..MemRefType::identity(&[most], context.integer_type(8))
            });
            let loc = ir.loc(alloc);
            let mut builder = Builder::before(ir, alloc);
            builder.set_loc(loc);
            let spec = builder.spec(&memref::ALLOC).results(&[bytes]);
            let spec = spec
                .attr(Name::ALIGNMENT, context.i64_attr(aligned as i64))
                .attr(context.intern_name(NO_ARENA), Attr::UNIT);
            let whole = builder.create(spec);
            let whole = builder.ir.result(whole, 0);
            let mut operands = vec![whole, arith::constant_index(&mut builder, 0)];
            operands.extend(builder.ir.operands(alloc));
            let view = builder.value(&memref::VIEW, &operands, ty);
            ir.replace_op(alloc, &[view]);
            ir.set_operand(dealloc, 0, whole);
        }
    }
}

/// The buffer of unknown size that an operation allocates, if the same iteration frees it.
fn buffer(ir: &Ir, alloc: Op) -> Option<Buffer> {
    if !ir.is(alloc, &memref::ALLOC) || ir.has_attr(alloc, Name::MANUAL_DEALLOCATION) {
        return None;
    }
    let value = ir.result(alloc, 0);
    let memref = ir.context().as_memref(ir.value_type(value))?;
    let is_plain = !memref.has_static_shape() && memref.layout.is_none();
    // Nothing else frees it, as a reallocation would.
    let frees = |&user: &Op| {
        let effects = ir.own_effects(user);
        effects.is_some_and(|effects| effects.has_any(EffectKind::Free))
    };
    let mut deallocs = ir.uses(value).iter().map(|user| user.op).filter(frees);
    let (dealloc, None) = (deallocs.next()?, deallocs.next()) else {
        return None;
    };
    let element = ir.context().element_byte_size(memref.element)?;
    let known = memref.shape.iter().copied().filter(|&size| size != DYNAMIC);
    let mut known = known.map(i128::from);
    let row = known.try_fold(i128::from(element), |bytes, size| bytes.checked_mul(size))?;
    let is_freed_here =
        ir.is(dealloc, &memref::DEALLOC) && ir.block_of(dealloc) == ir.block_of(alloc);
    (is_plain && is_freed_here).then_some(Buffer {
        alloc,
        dealloc,
        row,
        most: 0,
    })
}

/// The operations of the body that compute the sizes of the buffers, in order.
fn computed(ir: &Ir, view: scf::For, buffers: &[Buffer]) -> Option<Vec<Op>> {
    let body = view.body(ir);
    let mut found: FxHashSet<Op> = FxHashSet::default();
    let sizes = buffers.iter().flat_map(|buffer| ir.operands(buffer.alloc));
    let mut pending: Vec<Value> = sizes.copied().collect();
    while let Some(value) = pending.pop() {
        let op = ir
            .defining_op(value)
            .filter(|&op| ir.block_of(op) == Some(body));
        if let Some(op) = op.filter(|&op| found.insert(op)) {
            pending.extend(ir.operands(op).iter().copied());
        }
        if found.len() > ir.capped(MAX_OPS) {
            return None;
        }
    }
    Some(ir.ops_in(body).filter(|op| found.contains(op)).collect())
}

fn events(ir: &Ir, view: scf::For, buffers: &[Buffer]) -> Vec<Event> {
    let mut of_buffers: FxHashMap<Op, Event> = FxHashMap::default();
    for (i, buffer) in buffers.iter().enumerate() {
        of_buffers.insert(buffer.alloc, Event::Allocated(i));
        of_buffers.insert(buffer.dealloc, Event::Freed(i));
    }
    (ir.ops_in(view.body(ir)))
        .map(|op| match (of_buffers.remove(&op), change(ir, op)) {
            (Some(event), _) => event,
            (None, Some(bytes)) => Event::Known(bytes),
            (None, None) => Event::Other,
        })
        .collect()
}
