//! `buffer-deallocation`: frees every buffer at a fixed place, and copies
//! buffers where it is not known which one a value is.
//!
//! Before:
//! ```mlir
//! func.func @f(%c: i1, %m: memref<2xf32>) {
//!   cf.cond_br %c, ^bb1, ^bb2
//! ^bb1:
//!   cf.br ^bb3(%m : memref<2xf32>)
//! ^bb2:
//!   %a = memref.alloc() : memref<2xf32>
//!   cf.br ^bb3(%a : memref<2xf32>)
//! ^bb3(%x: memref<2xf32>):
//!   "use"(%x) : (memref<2xf32>) -> ()
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%c: i1, %m: memref<2xf32>) {
//!   cf.cond_br %c, ^bb1, ^bb2
//! ^bb1:
//!   %0 = bufferization.clone %m : memref<2xf32> to memref<2xf32>
//!   cf.br ^bb3(%0 : memref<2xf32>)
//! ^bb2:
//!   %a = memref.alloc() : memref<2xf32>
//!   %1 = bufferization.clone %a : memref<2xf32> to memref<2xf32>
//!   memref.dealloc %a : memref<2xf32>
//!   cf.br ^bb3(%1 : memref<2xf32>)
//! ^bb3(%x: memref<2xf32>):
//!   "use"(%x) : (memref<2xf32>) -> ()
//!   memref.dealloc %x : memref<2xf32>
//!   return
//! }
//! ```
//!
//! With `introduce=copy` the copies are `memref.alloc` with the sizes of the
//! source, and `memref.copy`. Programs must not write to a buffer after it got
//! another name: they could tell the copy from the original. Where that can be
//! seen, it is an error (see `lost_writes`).
//!
//! # Why nothing leaks and nothing is freed twice
//!
//! A *holder* is an allocation, a result of a call, or a critical phi (a block
//! argument, region argument or result of a region operation; see
//! `critical`).
//!
//! 1. *No two holders are one buffer.* An allocation is new. A call returns
//!    buffers that no other value has (4), made different from each other where it
//!    may return one twice (see `call_results`). On every edge to a critical phi the
//!    operand is a new copy made on that edge, used for nothing else. If one
//!    operand goes to several phis, control takes one of these ways, so one of
//!    them gets it.
//! 2. *A value that is not a holder is a buffer of holders in scope, or of another
//!    owner.* It got there by views, merges and flows to phis that are not
//!    critical, and along those every holder that may be it is still defined as
//!    the same instance, or the phi would be critical.
//! 3. *Each instance of a holder is freed exactly once, after its last use.*
//!    The uses are those of everything that it may reach in this way. The free
//!    is put where the uses end, by liveness: after the last one in a block, or
//!    on the edges to blocks that need it no more; so every path from the
//!    definition meets one of them, and no path two. Where a block that
//!    all uses lead to is executed once per instance, behind all of them, one
//!    free there does (see `ends`).
//! 4. *Returned buffers belong to the caller, and no others do.* An operand
//!    that certainly is one holder takes it along, if that holder is not
//!    returned twice; then it is not freed on this path. Everything else is
//!    copied: arguments, globals, values that may be one of several.
//!
//! Frees that the input has already stay if each of them is where one would be
//! inserted; then the other paths get theirs. Otherwise everything connected
//! with them without a copy is left to the program, unless copies on the way to
//! block arguments make a difference (see `existing`). Clones that are there for a
//! critical phi alone are taken as they are. So a second run changes nothing.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::memref::build;
use std::ops::AddAssign;

use freehold_frontend::dialects::{bufferization, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::symbols::SymbolTable;
use rustc_hash::{FxHashMap, FxHashSet};

use super::call_results;
use super::ends::{Ends, Place};
use super::existing::{DeadOperands, ExistingFrees};
use crate::analysis::derived;
use crate::analysis::flow::{Edge, EdgeKind, FlowId, Origin, ValueFlow};
use crate::analysis::frees::frees_of;
use crate::analysis::liveness::RegionChains;
use crate::analysis::lost_writes;
use crate::analysis::nest::Nest;
use crate::deallocation::plan::dynamic::is_processed;
use crate::deallocation::plan::place::{self, Free, Placer};
use crate::deallocation::plan::points::Points;
use crate::deallocation::plan::preconditions::check_preconditions;
use crate::deallocation::returned_copies::{self, Copied};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::clones::lower_clone;
use crate::rewrite::functions::{self, Report};
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;

option_words! {
    /// What becomes of a value that may be one of several buffers.
    pub enum Introduce {
        /// A `bufferization.clone`.
        Clone = "clone",
        /// A `memref.alloc` and a `memref.copy`.
        Copy = "copy",
    }
}

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// copies are bufferization.clone, or memref.alloc and memref.copy
        "introduce" introduce: Introduce = Introduce::Clone,
        /// leave functions with requests alone: a buffer must not be copied while it is received
        "skip-requests" skip_requests: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "buffer-deallocation",
    summary: "free every buffer at one fixed place, with copies where a value may alias several buffers",
    anchor: Anchor::ModuleOrFunction,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut report = Report::default();
    if ir.has_trait(ir.root(), Traits::SYMBOL_TABLE) {
        let copied = Copied {
            arguments: true,
            results: true,
            public: false,
            borrowed_results: false,
        };
        returned_copies::verify(ir, copied, &mut context.diagnostics)?;
        run_on_module(ir, context.options, &mut report);
    } else {
        report.add(run_on_function(ir, context.options, context.symbols));
    }
    context.diagnostics.append(report.diagnostics);
    context.count("copies", report.counts.copies);
    context.count("frees", report.counts.frees);
    report.result
}

/// The inserted operations.
#[derive(Clone, Copy, Default)]
struct Counts {
    copies: u64,
    frees: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.copies += other.copies;
        self.frees += other.frees;
    }
}

/// Works on all functions of a module and of the modules inside.
fn run_on_module(ir: &mut Ir, options: &Options, report: &mut Report<Counts>) {
    let symbols = SymbolTable::of(ir);
    for outcome in functions::map_functions(ir, |f| run_on_function(f, options, &symbols)) {
        report.add(outcome);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, options, report);
        }
    }
}

fn run_on_function(
    ir: &mut Ir,
    options: &Options,
    symbols: &SymbolTable,
) -> (Result<Counts, Failed>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let is_left_alone = !ir.has_trait(ir.root(), Traits::FUNCTION)
        || is_processed(ir)
        || options.skip_requests && derived::has_requests(ir);
    let outcome = match is_left_alone {
        true => Ok(Counts::default()),
        false => free_buffers(ir, options, symbols, &mut diagnostics),
    };
    (outcome, diagnostics)
}

fn free_buffers(
    ir: &mut Ir,
    options: &Options,
    symbols: &SymbolTable,
    diagnostics: &mut Diagnostics,
) -> Result<Counts, Failed> {
    erase_unreachable_blocks(ir);
    check_preconditions(ir, false, diagnostics)?;
    let materialized = copy_materialized(ir);
    let plan = plan(ir, symbols, diagnostics)?;
    let clones = insert_clones(ir, &plan.copies);
    let copies = clones.len() as u64;
    let is_lowered = options.introduce == Introduce::Copy;
    if is_lowered {
        lower_clones(ir, &clones, diagnostics)?;
    }
    let frees = place_frees(ir, &plan, diagnostics)?;
    insert_frees(ir, &frees);
    free_materialized(ir, &materialized);
    if is_lowered {
        lower_clones(ir, &materialized, diagnostics)?;
    }
    let clones = call_results::separate(ir, symbols, &plan.left_to_program);
    if is_lowered {
        lower_clones(ir, &clones, diagnostics)?;
    }
    let frees = frees.len() as u64;
    Ok(Counts { copies, frees })
}

/// Replaces results of operations that know who frees them by clones, which are returned: each behind the
/// operation.
fn copy_materialized(ir: &mut Ir) -> Vec<Op> {
    let mut clones = Vec::new();
    for op in ir.collect_ops(ir.root()) {
        if ir.def(op).ownership.is_none() || ir.has_attr(op, Name::MANUAL_DEALLOCATION) {
            continue;
        }
        for result in ir.results(op).to_vec() {
            if ir.has_dynamic_ownership(op, result) {
                let uses: Vec<Use> = ir.uses(result).to_vec();
                let mut builder = Builder::after(ir, op);
                let clone = bufferization::buffers::build_clone(&mut builder, result);
                clones.extend(ir.defining_op(clone));
                for use_ in uses {
                    ir.set_operand(use_.op, use_.index as usize, clone);
                }
            }
        }
        // From here on, these results have an owner.
        ir.set_attr(op, Name::MANUAL_DEALLOCATION, Attr::UNIT);
    }
    clones
}

/// Frees what [`copy_materialized`] has copied, behind the copy, where that is to be done here.
fn free_materialized(ir: &mut Ir, clones: &[Op]) {
    for &clone in clones {
        let result = ir.operand(clone, 0);
        let op = ir.defining_op(result).expect("the result of an operation");
        let interface = ir.def(op).ownership.expect("the operation has it");
        let mut builder = Builder::after(ir, clone);
        let b = &mut builder;
        let owned = (interface.materialize)(b, op, result);
        let choice = scf::build_if(b, owned, &[], false);
        let end = scf::If(choice).then_yield(b.ir);
        let free = Builder::before(b.ir, end).op(&memref::DEALLOC, &[result], &[]);
        ir.set_attr(free, Name::MANUAL_DEALLOCATION, Attr::UNIT);
    }
}

/// Makes allocations and copies of clones.
fn lower_clones(ir: &mut Ir, clones: &[Op], diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut result = Ok(());
    for &clone in clones {
        result = result.and(lower_clone(ir, clone, diagnostics));
    }
    result
}

/// A forwarded operand: the `index`th that is forwarded on `edge`, counted from
/// the first operand of the source if that is no branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Forwarded {
    edge: Edge,
    index: usize,
}

/// What a forwarded operand is replaced by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replacement {
    Copy,
    /// The operand is freed: another allocation like it, which is never read.
    Allocation,
}

/// Decisions before the function changes.
struct Plan {
    critical: EntitySet<Value>,
    /// The operands to replace.
    copies: Vec<(Forwarded, Replacement)>,
    /// Holders that belong to the caller after a return.
    handed_over: FxHashMap<Value, Vec<Edge>>,
    /// Bases that nothing is done about.
    left_to_program: EntitySet<Value>,
}

fn plan(ir: &Ir, symbols: &SymbolTable, diagnostics: &mut Diagnostics) -> Result<Plan, Failed> {
    let nest = Nest::new(ir);
    let flow = ValueFlow::new(ir);
    let existing = ExistingFrees::new(ir, &nest, &flow);
    let mut aliases = existing.critical_aliases();
    let returns = aliases.returns();
    let handed_over = returns.by_holder();
    let left_to_program = existing.left_to_program(&mut aliases, symbols);
    for &base in flow.bases() {
        if !left_to_program.contains(base) {
            derived::report(ir, &flow, base, diagnostics);
        }
    }
    let mut copies = Vec::new();
    let mut copied = Vec::new();
    let mut result = Ok(());
    for id in flow.flow_ids() {
        let targets = &flow.flow(id).targets;
        let is_critical = targets.first().is_some_and(|&phi| aliases.is_critical(phi));
        let is_made = || {
            is_copy(ir, &flow, id)
                || existing
                    .dead_operands()
                    .is_made_for_one(ir, &nest, &flow, id)
        };
        if is_critical && !left_to_program.contains(targets[0]) && !is_made() {
            result = result.and(check_forwarding(ir, &flow, id, diagnostics));
            let replacement = match existing.dead_operands().contains(&flow, id) {
                true => Replacement::Allocation,
                false => {
                    copied.push(id);
                    result = result.and(check_handles(ir, &nest, &flow, id, diagnostics));
                    result = result.and(check_bases(ir, &flow, id, diagnostics));
                    Replacement::Copy
                }
            };
            copies.push((forwarded(ir, &flow, id), replacement));
        }
    }
    result = result.and(lost_writes::check(ir, &flow, &copied, diagnostics));
    let of_caller = returns.copied.iter();
    copies.extend(
        of_caller
            .filter(|&&id| !left_to_program.contains(flow.flow_base(id)))
            .map(|&id| (forwarded(ir, &flow, id), Replacement::Copy)),
    );
    result.map(|()| Plan {
        critical: aliases.into_critical(),
        copies,
        handed_over,
        left_to_program,
    })
}

/// Whether the operand is a clone for this purpose, from an earlier run, say.
fn is_copy(ir: &Ir, flow: &ValueFlow, id: FlowId) -> bool {
    let one = flow.flow(id);
    ir.has_one_use(one.operand)
        && ir.successors(one.edge.source).len() <= 1
        && ir
            .defined_by(one.operand, &bufferization::CLONE)
            .is_some_and(|clone| ir.block_of(clone) == ir.block_of(one.edge.source))
}

fn forwarded(ir: &Ir, flow: &ValueFlow, id: FlowId) -> Forwarded {
    let one = flow.flow(id);
    Forwarded {
        edge: one.edge,
        index: one.operand_index - first_operand(ir, one.edge),
    }
}

/// The index of the first operand that the source of `edge` forwards on it.
fn first_operand(ir: &Ir, edge: Edge) -> usize {
    match (edge.kind, ir.def(edge.source).branch) {
        (EdgeKind::Branch(successor), Some(branch)) => {
            (branch.successor_operands)(ir, edge.source, successor).start
        }
        _ => 0,
    }
}

/// A copy goes on where the buffer is out of scope and freed: nothing made of the buffer may go
/// there with it, which could become the buffer again.
fn check_handles(
    ir: &Ir,
    nest: &Nest<'_>,
    flow: &ValueFlow,
    id: FlowId,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let one = flow.flow(id);
    let base = flow.flow_base(id);
    if !flow.has_handles() || nest.in_scope(base, one.edge) {
        return Ok(());
    }
    let mut seen: FxHashSet<Value> = [base].into_iter().collect();
    let mut pending = vec![base];
    while let Some(base) = pending.pop() {
        let mut handed_on = flow.forwarded_handles(base).iter();
        if handed_on.any(|&(source, _)| source == one.edge.source) {
            let message = format!(
                "'{}' op hands on operand #{}, which has to be copied, and a value derived from it",
                ir.op_name(one.edge.source),
                one.operand_index
            );
            return Err(diagnostics.error(ir.loc(one.edge.source), message));
        }
        let merges = flow.merges(base).iter().copied();
        pending.extend(merges.filter(|&merge| seen.insert(merge)));
    }
    Ok(())
}

/// A copy of a view has the view's elements only. The base buffer begins in front of them if the view has an offset, and
/// the copy has nothing there.
fn check_bases(
    ir: &Ir,
    flow: &ValueFlow,
    id: FlowId,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let one = flow.flow(id);
    let members = one.targets.iter().flat_map(|&phi| flow.members(phi));
    for &member in members {
        let bases = (ir.uses(member).iter()).filter(|use_| {
            let shows_first = || {
                let memref = ir.context().as_memref(ir.value_type(member));
                let layout = memref.and_then(|memref| ir.context().memref_strides(memref));
                layout.is_some_and(|(_, offset)| offset == 0)
            };
            ir.is(use_.op, &memref::EXTRACT_STRIDED_METADATA) && !shows_first()
        });
        for base in bases {
            let base = ir.result(base.op, 0);
            let is_access = |op: Op| ir.is(op, &memref::LOAD) || ir.is(op, &memref::STORE);
            if let Some(access) = ir.uses(base).iter().find(|use_| is_access(use_.op)) {
                let message = format!(
                    "'{}' op accesses an element in front of a view that has to be copied",
                    ir.op_name(access.op)
                );
                let failed = diagnostics.error(ir.loc(access.op), message);
                diagnostics.note(ir.loc(one.edge.source), "copied here");
                return Err(failed);
            }
        }
    }
    Ok(())
}

/// Between regions a copy is made before it is known where control goes, so
/// wherever it goes must take the copy.
fn check_forwarding(
    ir: &Ir,
    flow: &ValueFlow,
    id: FlowId,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let one = flow.flow(id);
    let source = one.edge.source;
    let successors = match one.edge.kind {
        EdgeKind::Branch(_) | EdgeKind::Return => return Ok(()),
        EdgeKind::Entry => ir.region_successors(source, RegionPoint::Parent),
        EdgeKind::RegionExit => {
            let (Some(parent), Some(region)) = (ir.parent_op(source), ir.parent_region(source))
            else {
                return Ok(());
            };
            let index = ir.regions(parent).iter().position(|&r| r == region);
            ir.region_successors(parent, RegionPoint::Region(index.unwrap_or(0)))
        }
    };
    if successors.len() == one.targets.len() {
        return Ok(());
    }
    let message = format!(
        "'{}' op hands operand #{}, which has to be copied, to some of its successors only",
        ir.op_name(source),
        one.operand_index
    );
    Err(diagnostics.error(ir.loc(source), message))
}

/// Replaces operands; returns the clones in order.
fn insert_clones(ir: &mut Ir, copies: &[(Forwarded, Replacement)]) -> Vec<Op> {
    let mut points = Points::default();
    let mut clones = Vec::new();
    for (copy, replacement) in copies {
        let anchor = points.edge_anchor(ir, copy.edge);
        let edge = points.current_edge(copy.edge);
        let index = first_operand(ir, edge) + copy.index;
        let source = ir.operand(anchor, index);
        let value = match (replacement, ir.defining_op(source)) {
            (Replacement::Allocation, Some(allocation)) => {
                let allocation = ir.clone_op(allocation, &mut IrMap::default());
                ir.remove_attr(allocation, Name::MANUAL_DEALLOCATION);
                ir.insert_op_before(anchor, allocation);
                ir.result(allocation, 0)
            }
            _ => {
                let mut builder = Builder::before(ir, anchor);
                let clone = bufferization::buffers::build_clone(&mut builder, source);
                clones.extend(ir.defining_op(clone));
                clone
            }
        };
        ir.set_operand(anchor, index, value);
    }
    clones
}

/// Finds where to free every holder of the function with its copies.
///
/// # Errors
/// If something made of one of several buffers outlives it.
fn place_frees(ir: &Ir, plan: &Plan, diagnostics: &mut Diagnostics) -> Result<Vec<Free>, Failed> {
    let nest = Nest::new(ir);
    let flow = ValueFlow::new(ir);
    let dead = DeadOperands::default();
    let mut ends = Ends::new(ir, &nest, &flow, &plan.critical, &dead);
    // The copies themselves go to the phis and to the caller.
    let returned: FxHashSet<Forwarded> = plan
        .copies
        .iter()
        .map(|&(copy, _)| copy)
        .filter(|copy| copy.edge.kind == EdgeKind::Return)
        .collect();
    let mut copied = EntitySet::new();
    for id in flow.flow_ids() {
        let one = flow.flow(id);
        let is_of_phi = one
            .targets
            .first()
            .is_some_and(|&phi| plan.critical.contains(phi) && !plan.left_to_program.contains(phi));
        let is_of_caller =
            one.edge.kind == EdgeKind::Return && returned.contains(&forwarded(ir, &flow, id));
        if is_of_phi || is_of_caller {
            copied.insert(flow.flow_base(id));
        }
    }
    let chains = RegionChains::of(ir);
    let mut frees = Vec::new();
    for &base in flow.bases() {
        let is_holder = match flow.origin(base) {
            Origin::Fresh => !copied.contains(base),
            Origin::Phi => plan.critical.contains(base),
            Origin::External | Origin::Merge => false,
        };
        if is_holder
            && !plan.left_to_program.contains(base)
            && !derived::is_outlived(ir, &flow, base, diagnostics)?
        {
            let is_kept = flow.given_away_to(base).is_some();
            match ends
                .of(base)
                .filter(|place| !is_kept || matches!(place, Place::Freed(_)))
            {
                Some(Place::In(end, last)) => {
                    let mut placer = Placer::new(ir, &chains, base, Vec::new());
                    placer.consumed = consumed_by(&plan.handed_over, base);
                    placer.place_once(end, last, &mut frees);
                }
                Some(Place::On(terminator, successor)) => frees.push(Free {
                    holder: base,
                    place: place::Place::Edge(terminator, successor),
                }),
                // That existing frees are in their place was seen before.
                Some(Place::Freed(_)) => {}
                None => {
                    let (critical, handed_over) = (&plan.critical, &plan.handed_over);
                    placer_of(ir, &chains, &flow, base, critical, &dead, handed_over)
                        .place(&mut frees);
                }
            }
        }
    }
    Ok(frees)
}

/// The input for placing the frees of one holder.
pub(super) fn placer_of<'a>(
    ir: &'a Ir,
    chains: &'a RegionChains,
    flow: &ValueFlow,
    holder: Value,
    critical: &EntitySet<Value>,
    dead: &DeadOperands,
    handed_over: &FxHashMap<Value, Vec<Edge>>,
) -> Placer<'a> {
    let reached = aliases_without_copy(flow, critical, holder);
    let users = reached.iter();
    let users = users.flat_map(|&base| dead.users(ir, flow, critical, base));
    let users = flow.needed_by(ir, holder, users.collect());
    let existing = frees_of(ir, flow, holder, &users);
    let mut placer = Placer::new(ir, chains, holder, users);
    placer.consumed = consumed_by(handed_over, holder);
    placer.existing = existing;
    placer
}

/// All bases that may be the buffer of `holder`, itself first, if `critical` phis get
/// copies.
pub(super) fn aliases_without_copy(
    flow: &ValueFlow,
    critical: &EntitySet<Value>,
    holder: Value,
) -> Vec<Value> {
    let mut reached = vec![holder];
    let mut seen: FxHashSet<Value> = std::iter::once(holder).collect();
    let mut next = 0;
    while let Some(&base) = reached.get(next) {
        next += 1;
        let targets = flow.flows_out(base).iter();
        let targets = targets.flat_map(|&id| &flow.flow(id).targets);
        let targets = targets.filter(|&&phi| !critical.contains(phi));
        for &value in flow.merges(base).iter().chain(targets) {
            if seen.insert(value) {
                reached.push(value);
            }
        }
    }
    reached
}

/// The returns that hand `holder` to the caller.
fn consumed_by(handed_over: &FxHashMap<Value, Vec<Edge>>, holder: Value) -> FxHashSet<Edge> {
    let edges = handed_over.get(&holder).into_iter();
    edges.flatten().copied().collect()
}

fn insert_frees(ir: &mut Ir, frees: &[Free]) {
    let mut points = Points::default();
    // In reverse, so that of several frees at one place the first stands first.
    for free in frees.iter().rev() {
        let point = points.at(ir, free.place);
        // The free belongs to what allocated, as far as anyone asks.
        let loc = ir.value_loc(free.holder);
        let mut builder = match point {
            InsertPoint::Before(op) => Builder::before(ir, op),
            InsertPoint::End(block) => Builder::at_end(ir, block),
        };
        builder.set_loc(loc);
        build::dealloc(&mut builder, free.holder);
    }
}
