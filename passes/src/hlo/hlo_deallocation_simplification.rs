//! `hlo-deallocation-simplification`: makes `memref.dealloc`s of
//! `deallocation.retain`s whose owners are known, and drops what owns nothing.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc() : memref<2xi32>
//! %own = deallocation.own %a : memref<2xi32>
//! call @use(%a) : (memref<2xi32>) -> ()
//! deallocation.retain() of(%own) : (!deallocation.ownership) -> ()
//! ```
//! After:
//! ```mlir
//! %a = memref.alloc() : memref<2xi32>
//! call @use(%a) : (memref<2xi32>) -> ()
//! memref.dealloc %a : memref<2xi32>
//! ```
//!
//! Every owner is null never, always or sometimes; owners that travel through blocks and regions
//! are the union of the incoming ones. With that:
//! - owners that are always null are dropped from a `retain`;
//! - a buffer that certainly has one of the owners gets that one (the others
//!   are of other buffers: owners are never of the same);
//! - a `retain` of no buffer is one per owner, and becomes a `memref.dealloc`
//!   if the owner is never null and its buffer is at hand;
//! - an unused owner becomes null, and all nulls become one, so that
//!   canonicalization sees that loops carry it round for nothing.
//!
//! The buffer of an owner that travels is a value that travels along; that it
//! does so on every way is checked, not assumed.

use freehold_frontend::dialects::{arith, deallocation, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::travels::{Travels, base_of};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "hlo-deallocation-simplification",
    summary: "turn deallocation.retain into memref.dealloc where ownership is known",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let retains: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &deallocation::RETAIN))
        .collect();
    if !retains.is_empty() {
        let travels = Travels::new(ir, |ir, v| is_owner(ir, v) || ir.is_memref(v));
        let facts = Nullability::new(ir, &travels);
        let mut simplifier = Simplifier {
            ir,
            travels: &travels,
            facts: &facts,
            n_deallocs: 0,
        };
        for op in retains {
            simplifier.simplify(op);
        }
        let n_deallocs = simplifier.n_deallocs;
        context.count("deallocs made", n_deallocs);
    }
    drop_unneeded_owners(ir);
    share_nulls(ir);
    Ok(())
}

fn is_owner(ir: &Ir, value: Value) -> bool {
    deallocation::is_ownership(ir.context(), ir.value_type(value))
}

/// A set of "may be null" and "may be no null".
type Facts = u8;
const MAY_BE_NULL: Facts = 1;
const MAY_OWN: Facts = 2;

/// Facts about each owner.
struct Nullability {
    facts: FxHashMap<Value, Facts>,
}

impl Nullability {
    fn new(ir: &Ir, travels: &Travels) -> Self {
        let mut this = Self {
            facts: FxHashMap::default(),
        };
        // What travels starts with nothing and only grows, at most twice.
        let mut worklist: Vec<Value> = Vec::new();
        for op in ir.walk(ir.root()) {
            let owners = ir.results(op).iter().copied();
            worklist.extend(owners.filter(|&v| is_owner(ir, v)));
            for &region in ir.regions(op) {
                for block in ir.blocks_in(region) {
                    let arguments = ir.block_args(block).iter().copied();
                    worklist.extend(arguments.filter(|&v| is_owner(ir, v)));
                }
            }
        }
        worklist.reverse();
        while let Some(value) = worklist.pop() {
            let facts = this.compute(ir, travels, value);
            let known = this.facts.entry(value).or_insert(0);
            if *known == facts {
                continue;
            }
            *known = facts;
            worklist.extend_from_slice(travels.outgoing(value));
            for u in ir.uses(value) {
                // A result has all facts of the operands. Most have these already.
                if ir.is(u.op, &deallocation::RETAIN) || ir.is(u.op, &arith::SELECT) {
                    let results = ir.results(u.op).iter().copied();
                    worklist.extend(results.filter(|&result| this.get(result) & facts != facts));
                }
            }
        }
        this
    }

    fn compute(&self, ir: &Ir, travels: &Travels, value: Value) -> Facts {
        let union = |values: &[Value]| values.iter().fold(0, |facts, &v| facts | self.get(v));
        let Some(op) = ir.defining_op(value) else {
            let incoming = travels.incoming(value);
            return match incoming.is_empty() && ir.value_block(value) == ir.root_block() {
                true => MAY_BE_NULL | MAY_OWN,
                false => union(incoming),
            };
        };
        if ir.is(op, &deallocation::NULL) {
            MAY_BE_NULL
        } else if ir.is(op, &deallocation::OWN) {
            MAY_OWN
        } else if ir.is(op, &deallocation::RETAIN) {
            MAY_BE_NULL | union(deallocation::Retain(op).allocs(ir))
        } else if ir.is(op, &arith::SELECT) {
            union(&ir.operands(op)[1..])
        } else if ir.def(op).region_branch.is_some() {
            union(travels.incoming(value))
        } else {
            MAY_BE_NULL | MAY_OWN
        }
    }

    fn get(&self, value: Value) -> Facts {
        self.facts.get(&value).copied().unwrap_or(0)
    }
}

struct Simplifier<'a> {
    ir: &'a mut Ir,
    travels: &'a Travels,
    facts: &'a Nullability,
    n_deallocs: u64,
}

impl Simplifier<'_> {
    fn simplify(&mut self, op: Op) {
        let view = deallocation::Retain(op);
        let retained = view.retained(self.ir).to_vec();
        let all = view.allocs(self.ir).to_vec();
        // The text form does not tie results to buffers.
        if self.ir.results(op).len() != retained.len() {
            return;
        }
        let mut owners: Vec<Value> = all
            .iter()
            .copied()
            .filter(|&owner| self.may_own(owner))
            .collect();
        let known = match retained[..] {
            [buffer] => owners
                .iter()
                .position(|&owner| self.owns_for_sure(owner, buffer)),
            _ => None,
        };
        if let Some(position) = known {
            let owner = owners.remove(position);
            let result = self.ir.result(op, 0);
            self.ir.replace_all_uses(result, owner);
            self.free_each(op, &owners);
            self.ir.erase_op(op);
        } else if owners.is_empty() {
            if !retained.is_empty() {
                let ty = deallocation::ownership_type(self.ir.context());
                let null = Builder::before(self.ir, op).value(&deallocation::NULL, &[], ty);
                for index in 0..retained.len() {
                    let result = self.ir.result(op, index);
                    self.ir.replace_all_uses(result, null);
                }
            }
            self.ir.erase_op(op);
        } else if retained.is_empty() {
            self.free_each(op, &owners);
            self.ir.erase_op(op);
        } else if owners.len() < all.len() {
            self.ir.set_operand_group(op, 1, &owners);
        }
    }

    /// Values made meanwhile are of no retain that is still to come.
    fn may_own(&self, owner: Value) -> bool {
        self.facts.get(owner) & MAY_OWN != 0 || self.facts.get(owner) == 0
    }

    /// Whether `owner` is the owner of `buffer` whenever control comes here.
    fn owns_for_sure(&self, owner: Value, buffer: Value) -> bool {
        self.ir
            .defined_by(owner, &deallocation::OWN)
            .is_some_and(|own| {
                base_of(self.ir, self.ir.operand(own, 0)) == base_of(self.ir, buffer)
            })
    }

    /// Frees what each owner owns, before `op`.
    fn free_each(&mut self, op: Op, owners: &[Value]) {
        for &owner in owners {
            let buffer = match self.facts.get(owner) & MAY_BE_NULL {
                0 => self.buffer_of(owner),
                _ => None,
            };
            let mut builder = Builder::before(self.ir, op);
            if let Some(buffer) = buffer {
                memref::build::dealloc(&mut builder, buffer);
                self.n_deallocs += 1;
                continue;
            }
            let segments = builder.context().i32_array_attr(&[0, 1]);
            let spec = builder
                .spec(&deallocation::RETAIN)
                .operands(&[owner])
                .attr(Name::OPERAND_SEGMENT_SIZES, segments);
            builder.create(spec);
        }
    }

    /// A value, defined wherever `owner` is, that is the buffer it owns.
    fn buffer_of(&self, owner: Value) -> Option<Value> {
        let ir = &*self.ir;
        if let Some(own) = ir.defined_by(owner, &deallocation::OWN) {
            return Some(ir.operand(own, 0));
        }
        if self.travels.incoming(owner).is_empty() {
            return None;
        }
        let siblings = match ir.value_def(owner) {
            ValueDef::Argument(block, _) => ir.block_args(block),
            ValueDef::Result(op, _) => ir.results(op),
        };
        let position = siblings
            .iter()
            .filter(|&&v| is_owner(ir, v))
            .position(|&v| v == owner)?;
        let buffers = || siblings.iter().copied().filter(|&v| ir.is_memref(v));
        // Owners stand in the order of their buffers unless a pass removed some.
        let likely = buffers().nth(position);
        likely
            .into_iter()
            .chain(buffers().take(ir.capped(MAX_CANDIDATES)))
            .find(|&buffer| self.travels_along(owner, buffer))
    }

    /// Whether `buffer` is what `owner` owns on every way that leads to them.
    fn travels_along(&self, owner: Value, buffer: Value) -> bool {
        let ir = &*self.ir;
        let mut assumed: FxHashSet<(Value, Value)> = FxHashSet::default();
        let mut stack = vec![(owner, buffer)];
        while let Some((owner, buffer)) = stack.pop() {
            if !assumed.insert((owner, buffer)) {
                continue;
            }
            if let Some(own) = ir.defined_by(owner, &deallocation::OWN) {
                if base_of(ir, ir.operand(own, 0)) != base_of(ir, buffer) {
                    return false;
                }
                continue;
            }
            let (owners, buffers) = (self.travels.incoming(owner), self.travels.incoming(buffer));
            // Both lists are in the order of the edges, which are the same.
            let same_place = match (ir.value_def(owner), ir.value_def(buffer)) {
                (ValueDef::Argument(a, _), ValueDef::Argument(b, _)) => a == b,
                (ValueDef::Result(a, _), ValueDef::Result(b, _)) => a == b,
                _ => false,
            };
            if !same_place || owners.is_empty() || owners.len() != buffers.len() {
                return false;
            }
            stack.extend(owners.iter().copied().zip(buffers.iter().copied()));
        }
        true
    }
}

/// Buffers looked at to find the one that travels with an owner: bounds compile time.
const MAX_CANDIDATES: usize = 16;

/// Makes null what owns a buffer without anybody asking for it.
fn drop_unneeded_owners(ir: &mut Ir) {
    let owns: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &deallocation::OWN))
        .collect();
    if owns.is_empty() {
        return;
    }
    let travels = Travels::new(ir, is_owner);
    // Backwards from everything that does more than hand an owner on.
    let mut needed: FxHashSet<Value> = FxHashSet::default();
    let mut stack: Vec<Value> = Vec::new();
    for op in ir.walk(ir.root()) {
        for &operand in ir.operands(op) {
            if is_owner(ir, operand) && !travels.is_only_forwarded(ir, operand) {
                stack.push(operand);
            }
        }
    }
    while let Some(value) = stack.pop() {
        if needed.insert(value) {
            stack.extend_from_slice(travels.incoming(value));
        }
    }
    for op in owns {
        let owner = ir.result(op, 0);
        if needed.contains(&owner) {
            continue;
        }
        if !ir.has_no_uses(owner) {
            let ty = ir.value_type(owner);
            let null = Builder::before(ir, op).value(&deallocation::NULL, &[], ty);
            ir.replace_all_uses(owner, null);
        }
        ir.erase_op(op);
    }
}

/// Replaces all nulls by one at the beginning of the function.
fn share_nulls(ir: &mut Ir) {
    let nulls: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &deallocation::NULL))
        .collect();
    let (Some(&first), Some(entry)) = (nulls.first(), ir.root_block()) else {
        return;
    };
    if nulls.iter().all(|&op| ir.is_unused(op)) {
        nulls.into_iter().for_each(|op| ir.erase_op(op));
        return;
    }
    if let Some(start) = ir.first_op(entry) {
        ir.move_op_before(first, start);
    }
    let shared = ir.result(first, 0);
    for &op in &nulls[1..] {
        ir.replace_op(op, &[shared]);
    }
}
