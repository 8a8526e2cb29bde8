//! `carry-request-buffers`: where branches and loops hand on a request, they hand on its buffer as well.
//!
//! Before:
//! ```mlir
//! func.func @f(%c: i1, %n: i32, %comm: !mpi.comm) {
//!   %request = scf.if %c -> (!mpi.request) {
//!     %a = memref.alloc() : memref<4xf32>
//!     %0 = mpi.isend(%a, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!     scf.yield %0 : !mpi.request
//!   } else {
//!     %b = memref.alloc() : memref<4xf32>
//!     %1 = mpi.isend(%b, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!     scf.yield %1 : !mpi.request
//!   }
//!   mpi.wait(%request) : !mpi.request
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%c: i1, %n: i32, %comm: !mpi.comm) {
//!   %request:2 = scf.if %c -> (!mpi.request, memref<4xf32>) {
//!     %a = memref.alloc() : memref<4xf32>
//!     %0 = mpi.isend(%a, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!     scf.yield %0, %a : !mpi.request, memref<4xf32>
//!   } else {
//!     %b = memref.alloc() : memref<4xf32>
//!     %1 = mpi.isend(%b, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!     scf.yield %1, %b : !mpi.request, memref<4xf32>
//!   }
//!   memref.assume_alignment %request#1, 1 : memref<4xf32>
//!   mpi.wait(%request#0) : !mpi.request
//!   return
//! }
//! ```
//!
//! So the owner of a buffer whose request is pending sees the request, and frees the buffer behind the wait.
//! Where the buffer was there before the branch or loop, it need not come along.
//! Buffers of different sizes are handed on as one of any size; a buffer that is handed on has a use, or it would go where it has
//! no other. Requests from calls and arguments, and of buffers of
//! different elements or ranks, are left alone: `keep-request-buffers` sees to those.

use freehold_frontend::dialects::{memref, mpi};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Value, ValueDef};
use freehold_frontend::ir::interfaces::{RegionPoint, Request};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::keep_request_buffers::is_outside;
use crate::analysis::flow::{Edge, EdgeKind, ValueFlow, forwarded_pairs};
use crate::analysis::union_find::UnionFind;
use crate::deallocation::plan::plan::append_forwarded;
use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "carry-request-buffers",
    summary: "hand on the buffers of requests wherever requests are handed on",
    anchor: Anchor::Function,
    run: |ir, context| {
        let forwards = forwards(ir);
        if forwards.is_empty() {
            return Ok(());
        }
        let flow = ValueFlow::new(ir);
        let types = types(ir, &flow, &forwards);
        let n = carry(ir, &forwards, &types);
        context.count("buffers handed on", n);
        Ok(())
    },
};

/// A request that is handed on.
struct Forward {
    edge: Edge,
    operand: Value,
    targets: SmallVec<[Value; 2]>,
}

/// Every request that a branch, a region operation or a region hands on.
fn forwards(ir: &Ir) -> Vec<Forward> {
    let is_request = |value: Value| mpi::is_request(ir.context(), ir.value_type(value));
    let mut all = Vec::new();
    for op in ir.walk(ir.root()).skip(1) {
        if !ir.operands(op).iter().any(|&operand| is_request(operand)) {
            continue;
        }
        let def = ir.def(op);
        let mut add = |kind, operand_index: usize, targets: SmallVec<[Value; 2]>| {
            let operand = ir.operand(op, operand_index);
            if is_request(operand) {
                all.push(Forward {
                    edge: Edge { source: op, kind },
                    operand,
                    targets,
                });
            }
        };
        if let Some(branch) = def.branch {
            for (successor, &block) in ir.successors(op).iter().enumerate() {
                let range = (branch.successor_operands)(ir, op, successor);
                let produced = ir.block_args(block).len() - range.len();
                for (i, index) in range.enumerate() {
                    let target = ir.block_args(block)[produced + i];
                    add(
                        EdgeKind::Branch(successor),
                        index,
                        SmallVec::from_slice(&[target]),
                    );
                }
            }
        } else if let Some(interface) = def.region_branch {
            let pairs = forwarded_pairs(ir, op, RegionPoint::Parent, |to| {
                (interface.entry_operands)(ir, op, to)
            });
            pairs
                .into_iter()
                .for_each(|(index, targets)| add(EdgeKind::Entry, index, targets));
        } else if let Some(terminator) = def.region_terminator
            && let Some(parent) = ir.parent_op(op)
            && ir.def(parent).region_branch.is_some()
            && let Some(region) = ir.parent_region(op)
            && let Some(from) = ir.regions(parent).iter().position(|&other| other == region)
        {
            let pairs = forwarded_pairs(ir, parent, RegionPoint::Region(from), |to| {
                (terminator.operands)(ir, op, to)
            });
            pairs
                .into_iter()
                .for_each(|(index, targets)| add(EdgeKind::RegionExit, index, targets));
        }
    }
    all
}

/// The buffer of a request that is started here.
fn started(ir: &Ir, request: Value) -> Option<Value> {
    match ir.request(ir.defining_op(request)?)? {
        Request::Started {
            request: own,
            buffer,
            ..
        } => (own == request).then_some(buffer),
        Request::Tagged(_) | Request::Awaited(_) => None,
    }
}

/// For each value that requests are handed on as, the type in which their buffers come along, if they have one.
fn types(ir: &Ir, flow: &ValueFlow, forwards: &[Forward]) -> FxHashMap<Value, Type> {
    let mut numbers: IndexMap<Value, (), FxBuildHasher> = IndexMap::default();
    for forward in forwards {
        for &value in forward.targets.iter().chain([&forward.operand]) {
            numbers.entry(value).or_default();
        }
    }
    let number = |value: Value| numbers.get_index_of(&value).expect("all are numbered");
    let mut families = UnionFind::new(numbers.len());
    for forward in forwards {
        for &target in &forward.targets {
            families.join(number(forward.operand), number(target));
        }
    }
    let targets: FxHashSet<Value> = forwards
        .iter()
        .flat_map(|forward| forward.targets.iter().copied())
        .collect();
    let mut of_family: FxHashMap<usize, Option<Type>> = FxHashMap::default();
    let mut bases: FxHashMap<usize, Vec<Value>> = FxHashMap::default();
    for (i, &value) in numbers.keys().enumerate() {
        if targets.contains(&value) {
            continue;
        }
        let buffer = started(ir, value);
        let ty = buffer.map(|buffer| ir.value_type(buffer));
        let root = families.root(i);
        let base = buffer.and_then(|buffer| flow.base(buffer));
        bases.entry(root).or_default().extend(base);
        let known = of_family.entry(root).or_insert(ty);
        *known = (*known)
            .zip(ty)
            .and_then(|(known, ty)| common(ir, known, ty));
    }
    // Buffers that all existed before need not be handed on.
    let mut leaves: FxHashSet<usize> = FxHashSet::default();
    for forward in forwards {
        let root = families.root(number(forward.operand));
        let mut bases = bases.get(&root).into_iter().flatten();
        if bases.any(|&base| !keeps_instance(ir, base, &forward.edge)) {
            leaves.insert(root);
        }
    }
    let mut types = FxHashMap::default();
    for &target in numbers.keys().filter(|&value| targets.contains(value)) {
        let root = families.root(number(target));
        // Without a source it never runs.
        if let Some(&Some(ty)) = of_family.get(&root).filter(|_| leaves.contains(&root)) {
            types.insert(target, ty);
        }
    }
    types
}

/// Whether `base` is the same instance behind an edge.
fn keeps_instance(ir: &Ir, base: Value, edge: &Edge) -> bool {
    match edge.kind {
        // Blocks may come again; what the function begins with does not.
        EdgeKind::Branch(_) => ir.value_block(base) == ir.root_block(),
        EdgeKind::RegionExit => {
            (ir.parent_op(edge.source)).is_some_and(|parent| is_outside(ir, base, parent))
        }
        EdgeKind::Entry | EdgeKind::Return => true,
    }
}

/// A type that buffers of both types can be handed on as.
fn common(ir: &Ir, a: Type, b: Type) -> Option<Type> {
    if a == b {
        return Some(a);
    }
    let context = ir.context();
    let (a, b) = (context.as_memref(a)?, context.as_memref(b)?);
    if a.element != b.element || a.space != b.space || a.shape.len() != b.shape.len() {
        return None;
    }
    let sizes = a.shape.iter().zip(&b.shape);
    let shape = sizes.map(|(&a, &b)| if a == b { a } else { DYNAMIC });
    let layout = match a.layout == b.layout {
        true => a.layout,
        false => Some(context.intern_attr(AttrKind::StridedLayout {
            offset: DYNAMIC,
            strides: vec![DYNAMIC; a.shape.len()].into(),
        })),
    };
    Some(context.memref_type(MemRefType {
        shape: shape.collect(),
        layout,
        ..a.clone()
    }))
}

/// Hands on buffers in these types; returns how many values there are more.
fn carry(ir: &mut Ir, forwards: &[Forward], types: &FxHashMap<Value, Type>) -> u64 {
    // What regions and results receive stands in one order, so that of all places is the order of forwards.
    let mut companions: FxHashMap<Value, Value> = FxHashMap::default();
    let mut added: FxHashSet<(Edge, Value)> = FxHashSet::default();
    let mut n = 0;
    for forward in forwards {
        let Some(&first) = forward.targets.first() else {
            continue;
        };
        let Some(&ty) = types
            .get(&first)
            .filter(|_| !companions.contains_key(&first))
        else {
            continue;
        };
        // All that are the same place of one operation, whichever edge leads there.
        let mut places: Vec<Value> = Vec::new();
        let mut pending: Vec<Value> = forward.targets.to_vec();
        while let Some(place) = pending.pop() {
            if places.contains(&place) {
                continue;
            }
            places.push(place);
            let senders = forwards
                .iter()
                .filter(|other| other.targets.contains(&place));
            pending.extend(senders.flat_map(|other| other.targets.iter().copied()));
        }
        for &place in &places {
            let companion = match ir.value_def(place) {
                ValueDef::Argument(block, _) => ir.append_block_arg(block, ty),
                ValueDef::Result(op, _) => ir.append_result(op, ty),
            };
            use_it(ir, companion);
            companions.insert(place, companion);
            n += 1;
        }
        // What leads there hands on one value more; which one is filled in when all are there.
        for other in forwards
            .iter()
            .filter(|other| other.targets.iter().any(|t| places.contains(t)))
        {
            added.insert((other.edge, other.operand));
        }
    }
    // In the order in which the places were appended.
    let mut order: Vec<(Value, &Forward)> = Vec::new();
    for forward in forwards {
        if let Some(first) = forward.targets.first()
            && let Some(&companion) = companions.get(first)
            && added.contains(&(forward.edge, forward.operand))
        {
            order.push((companion, forward));
        }
    }
    order.sort_by_key(|&(companion, _)| position(ir, companion));
    for (companion, forward) in order {
        let ty = ir.value_type(companion);
        let buffer = companions
            .get(&forward.operand)
            .copied()
            .or_else(|| started(ir, forward.operand))
            .expect("only requests whose buffers are known are handed on with them");
        let value = match ir.value_type(buffer) == ty {
            true => buffer,
            false => {
                let mut b = Builder::before(ir, forward.edge.source);
                memref::build::cast(&mut b, buffer, ty)
            }
        };
        append_forwarded(ir, forward.edge, value);
    }
    n
}

/// Lets a buffer have a use, which is no code: without any use, it would go.
fn use_it(ir: &mut Ir, buffer: Value) {
    let mut b = match ir.value_def(buffer) {
        ValueDef::Argument(block, _) => Builder::at_start(ir, block),
        ValueDef::Result(op, _) => Builder::after(ir, op),
    };
    let one = b.context().integer_attr(Type::I32, 1);
    let spec = b.spec(&memref::ASSUME_ALIGNMENT).operands(&[buffer]);
    b.create(spec.attr(Name::ALIGNMENT, one));
}

/// Where a value stands among those of its block or operation.
fn position(ir: &Ir, value: Value) -> u32 {
    match ir.value_def(value) {
        ValueDef::Argument(_, index) | ValueDef::Result(_, index) => index,
    }
}
