//! Memory from outside of a parallel loop that each iteration writes at the same place.
//!
//! Such memory holds nothing but what an iteration wants for itself, so iterations that run at the same time would
//! destroy each other's. Programs come with it if a pass that did not look at the loop around allocated it: arrays for
//! `dealloc_helper`, or a buffer hoisted from the body. On the stack, and used nowhere else, it moves into the body;
//! any other keeps its loop sequential, be it allocated, an argument of the function or a global, and be it written in
//! the body or by a function that the body calls.
//!
//! A write is taken to be shared unless its address depends on the counter of the first dimension, by which loops are
//! divided. Atomic operations are not writes in this sense. What functions without a body, and those that call each
//! other in a circle, do to memory on the heap and to globals is not known and not asked.

use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::analysis::loop_memory::{Access, is_outside};
use crate::rewrite::library::writes_to_first;
use crate::rewrite::signature::{callee, callees_first};

/// Where a function or loop writes to a buffer each time it runs.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    #[default]
    Nowhere,
    /// At places that depend on numbers that may be others each time.
    Differs,
    /// At the same place, too.
    Same,
}

/// What calls of a function write.
#[derive(Default)]
struct Writes {
    /// To each argument.
    arguments: Vec<Place>,
    /// To globals.
    globals: Place,
}

/// The functions of a module that have bodies, by name.
#[derive(Default)]
pub(super) struct Callees {
    writes: FxHashMap<String, Writes>,
}

impl Callees {
    pub(super) fn of(module: &Ir) -> Self {
        let mut this = Self::default();
        for stub in callees_first(module) {
            let (Some(function), Some(name)) = (module.nested(stub), module.symbol_name(stub))
            else {
                continue;
            };
            let writes = this.writes_of(function);
            this.writes.insert(name.to_owned(), writes);
        }
        this
    }

    fn writes_of(&self, function: &Ir) -> Writes {
        let Some(entry) = function.root_block() else {
            return Writes::default();
        };
        let arguments = function.block_args(entry);
        let mut writes = Writes {
            arguments: vec![Place::Nowhere; arguments.len()],
            globals: Place::Nowhere,
        };
        let numbers = (arguments.iter().copied()).filter(|&value| !function.is_memref(value));
        let scope = Scope::new(function, function.root(), self, numbers);
        scope.for_writes(|base, place| {
            let known = match base {
                Base::Global => &mut writes.globals,
                Base::Value(value) => match function.value_def(value) {
                    ValueDef::Argument(_, index) => &mut writes.arguments[index as usize],
                    ValueDef::Result(..) => return,
                },
            };
            *known = place.max(*known);
        });
        writes
    }
}

/// The allocations outside of the parallel loop `op` that its iterations write at the same place; `None` if the loop
/// must not be divided.
pub(super) fn movable(ir: &Ir, op: Op, callees: &Callees) -> Option<Vec<Op>> {
    let region = ir.region(op, 0);
    let body = ir.entry_block(region)?;
    let counter = ir.block_args(body).first().copied();
    let mut shared: Option<Vec<Op>> = Some(Vec::new());
    Scope::new(ir, op, callees, counter.into_iter()).for_writes(|base, place| {
        if place != Place::Same {
            return;
        }
        let alloc = match base {
            Base::Value(value) => ir
                .defining_op(value)
                .filter(|&alloc| may_move(ir, op, alloc)),
            Base::Global => None,
        };
        match (alloc, &mut shared) {
            (Some(alloc), Some(shared)) if !shared.contains(&alloc) => shared.push(alloc),
            (Some(_), _) => {}
            (None, _) => shared = None,
        }
    });
    shared
}

fn may_move(ir: &Ir, loop_op: Op, alloc: Op) -> bool {
    let is_inside = || {
        let uses = ir.uses(ir.result(alloc, 0));
        uses.iter().all(|used| ir.is_ancestor(loop_op, used.op))
    };
    ir.is(alloc, &memref::ALLOCA) && is_inside()
}

/// Moves allocations on the stack to the start of the body of a parallel loop.
pub(super) fn move_in(ir: &mut Ir, op: Op, allocations: &[Op]) {
    let region = ir.region(op, 0);
    let first = (ir.entry_block(region)).and_then(|body| ir.first_op(body));
    let first = first.expect("bodies of parallel loops have a terminator");
    for &allocation in allocations {
        ir.move_op_before(allocation, first);
    }
}

/// Memory that is there before a loop or function begins.
#[derive(Clone, Copy)]
enum Base {
    Value(Value),
    Global,
}

/// A loop or function that runs several times, with other numbers each time.
struct Scope<'a> {
    ir: &'a Ir,
    op: Op,
    callees: &'a Callees,
    /// The values that differ from one run to the next, as far as that follows from operands.
    differing: FxHashSet<Value>,
}

impl<'a> Scope<'a> {
    fn new(
        ir: &'a Ir,
        op: Op,
        callees: &'a Callees,
        differing: impl Iterator<Item = Value>,
    ) -> Self {
        Self {
            ir,
            op,
            callees,
            differing: differing.collect(),
        }
    }

    /// Calls `found` with all memory from outside that is written.
    fn for_writes(mut self, mut found: impl FnMut(Base, Place)) {
        let (ir, root) = (self.ir, self.op);
        for op in ir.walk(root).filter(|&op| op != root) {
            let called = callee(ir, op).and_then(|name| self.callees.writes.get(name));
            let target = self.library_target(op);
            let differs = match target {
                Some((address, _)) => self.differing.contains(&address),
                None => self.addresses(op),
            };
            let own = match differs {
                true => Place::Differs,
                false => Place::Same,
            };
            if let Some(called) = called
                && called.globals != Place::Nowhere
            {
                found(Base::Global, called.globals.max(own));
            }
            // Most callees that are not known read.
            let is_unknown = called.is_none() && target.is_none() && ir.own_effects(op).is_none();
            for (written, place) in self.written(op, called) {
                for (base, is_other_part) in self.bases(written) {
                    let is_on_stack = |value| ir.defined_by(value, &memref::ALLOCA).is_some();
                    let is_written = match base {
                        Base::Value(value) => !is_unknown || is_on_stack(value),
                        Base::Global => !is_unknown,
                    };
                    if is_written {
                        let place = match is_other_part {
                            true => Place::Differs,
                            false => place.max(own),
                        };
                        found(base, place);
                    }
                }
            }
            self.add(op);
        }
    }

    /// The memrefs that `op` may write to, as far as others may do so at the same time, and where.
    fn written(&self, op: Op, called: Option<&Writes>) -> SmallVec<[(Value, Place); 2]> {
        let ir = self.ir;
        if [&memref::ATOMIC_RMW, &memref::GENERIC_ATOMIC_RMW]
            .iter()
            .any(|def| ir.is(op, def))
        {
            return SmallVec::new();
        }
        if let Some((_, buffer)) = self.library_target(op) {
            return smallvec![(buffer, Place::Differs)];
        }
        let operands = ir.operands(op).iter().copied();
        if let Some(called) = called {
            let written = operands.zip(called.arguments.iter().copied());
            return written
                .filter(|&(_, place)| place != Place::Nowhere)
                .collect();
        }
        let somewhere = |value| (value, Place::Differs);
        match ir.own_effects(op) {
            Some(effects) => effects
                .iter()
                .filter(|effect| {
                    effect.kind == EffectKind::Write && effect.resource == Resource::Default
                })
                .filter_map(|effect| effect.value.map(somewhere))
                .collect(),
            None => operands
                .filter(|&value| ir.is_memref(value))
                .map(somewhere)
                .collect(),
        }
    }

    /// Where a call of the runtime library writes: the address and the buffer.
    fn library_target(&self, op: Op) -> Option<(Value, Value)> {
        let ir = self.ir;
        callee(ir, op).filter(|name| writes_to_first(name))?;
        let address = ir.operand(op, 0);
        // Bytes are added to a pointer.
        let mut pending: SmallVec<[Value; 4]> = smallvec![address];
        while let Some(at) = pending.pop() {
            if let Some(pointer) = ir.defined_by(at, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) {
                return Some((address, ir.operand(pointer, 0)));
            }
            if let Some(sum) = ir.defined_by(at, &arith::ADDI) {
                pending.extend_from_slice(ir.operands(sum));
            }
        }
        None
    }

    /// Adds what `op` makes.
    fn add(&mut self, op: Op) {
        let ir = self.ir;
        let mut operands = ir.operands(op).iter();
        if operands.any(|value| self.differing.contains(value)) {
            self.differing.extend(ir.results(op));
            for &region in ir.regions(op) {
                let blocks = ir.blocks_in(region);
                self.differing
                    .extend(blocks.flat_map(|block| ir.block_args(block)));
            }
        }
    }

    /// The memory from outside that `value` is a view of, each with whether it is another part in each run.
    fn bases(&self, value: Value) -> SmallVec<[(Base, bool); 2]> {
        let ir = self.ir;
        let mut found = SmallVec::new();
        let mut pending: SmallVec<[(Value, bool); 4]> = smallvec![(value, false)];
        // Selects may have selects for operands.
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        while let Some((value, mut differs)) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            let Some(op) = ir.defining_op(value) else {
                if is_outside(ir, value, self.op) || self.is_argument(value) {
                    found.push((Base::Value(value), differs));
                }
                continue;
            };
            let is_inside = !is_outside(ir, value, self.op);
            if let Some(source) = ir.def(op).view_source {
                let source = source(ir, op);
                let mut others = ir.operands(op).iter().filter(|&&operand| operand != source);
                differs |= is_inside && others.any(|operand| self.differing.contains(operand));
                pending.push((source, differs));
            } else if ir.is(op, &arith::SELECT) {
                pending.extend((1..3).map(|i| (ir.operand(op, i), differs)));
            } else if ir.is(op, &memref::GET_GLOBAL) {
                found.push((Base::Global, differs));
            } else if !is_inside {
                found.push((Base::Value(value), differs));
            }
        }
        found
    }

    /// Whether this is an argument of the function that is looked at.
    fn is_argument(&self, value: Value) -> bool {
        let entry = self.ir.entry_block(self.ir.region(self.op, 0));
        let is_function = self.op == self.ir.root();
        is_function
            && matches!(self.ir.value_def(value), ValueDef::Argument(block, _) if Some(block) == entry)
    }

    /// Whether `op` goes to another address in each run.
    fn addresses(&self, op: Op) -> bool {
        let ir = self.ir;
        if let Some(access) = Access::of(ir, op) {
            return access
                .indices(ir)
                .iter()
                .any(|index| self.differing.contains(index));
        }
        // Callees that are known have said that the place depends on numbers; those that are stored decide nothing.
        let is_known = callee(ir, op).is_some_and(|name| self.callees.writes.contains_key(name));
        let is_call = ir.own_effects(op).is_none() && !is_known;
        let is_index = |value: Value| {
            let context = ir.context();
            context.element_type_or_self(ir.value_type(value)) == Type::INDEX
        };
        let mut operands = ir.operands(op).iter();
        operands.any(|&value| self.differing.contains(&value) && (is_call || is_index(value)))
    }
}
