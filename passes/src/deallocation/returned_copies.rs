//! Copies of buffers that functions return, and whether their callers can tell.
//!
//! Which results of a function may be one buffer with each other or with arguments follows from where they
//! come from, callees first, and again until nothing changes where functions call themselves. An indirect call may
//! call any function whose name is used outside of calls. Of functions without a body, each returned buffer is
//! taken to be another one. In callers, all names of the two are followed: views, merges, what branches and
//! loops hand on, what callees return. Where a function returns, its callers read what it returns, its arguments and
//! globals. `analysis/lost_writes` has the search.
//!
//! With `borrowed_results`, calls by name say who owns what they return, but a function may hand on what a call by address
//! returned, which is a copy: then its callers are looked at, too. Who frees buffers itself that a call gets or returns has
//! copies, and so have all callers of a function if one of them frees what it returns.

use std::cell::Cell;

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::flow::{EdgeKind, Origin, ValueFlow, is_return};
use crate::analysis::frees::{compares_allocations, uses_owners};
use crate::analysis::lost_writes::{self, Accesses, Search};
use crate::analysis::symbol_uses::names_besides_calls;
use crate::deallocation::plan::dynamic::{called_by, called_by_processed, is_processed};
use crate::deallocation::plan::own_frees::{self, is_indirect};
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, callees_first};

/// What callers have copies of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    /// Arguments that are returned.
    pub(crate) arguments: bool,
    /// Buffers that are returned twice.
    pub(crate) results: bool,
    /// Of functions whose signature cannot change only.
    pub(crate) public: bool,
    /// Of functions that are called by address only.
    pub(crate) borrowed_results: bool,
}

/// Whether a value is a buffer of its own each time that it is made.
fn is_allocated(ir: &Ir, value: Value) -> bool {
    let is_memref = |value: Value| ir.context().as_memref(ir.value_type(value)).is_some();
    ir.defining_op(value).is_some_and(|op| {
        let effects = ir.own_effects(op);
        let allocates = effects.is_some_and(|effects| {
            let mut of_value = effects.iter().filter(|effect| effect.value == Some(value));
            of_value.any(|effect| effect.kind == EffectKind::Allocate)
        });
        // What `memref.realloc` gives may be what it takes.
        allocates && !ir.operands(op).iter().any(|&operand| is_memref(operand))
    })
}

/// Whether control that comes from `call` to `write` makes `value` again, which is then another buffer than that of the
/// call: `write` stands behind it in its block, and the call not in between.
fn is_made_between(ir: &Ir, call: Op, value: Value, write: Op) -> bool {
    let Some((made, block)) = (ir.defining_op(value)).and_then(|op| Some((op, ir.block_of(op)?)))
    else {
        return false;
    };
    let Some(write) = ir.ancestor_in_block(write, block) else {
        return false;
    };
    let is_between =
        |at: Op| at == write || ir.is_before_in_block(made, at) && ir.is_before_in_block(at, write);
    ir.is_before_in_block(made, write) && !ir.ancestor_in_block(call, block).is_some_and(is_between)
}

/// The functions whose signature `hlo-deallocate` keeps because it does not change their callers: those that an earlier
/// run changed, or that may free themselves what they are returned.
fn called_by_fixed(ir: &Ir) -> FxHashSet<String> {
    let is_fixed = |function: &Ir| is_processed(function) || compares_allocations(function);
    let mut fixed = FxHashSet::from_iter(called_by(ir, is_fixed));
    fixed.extend(own_frees::called_by_managing(ir));
    fixed
}

/// A result of a function, or an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Partner {
    Result(usize),
    Argument(usize),
}

/// What callers know of a function.
#[derive(Clone, Default, PartialEq)]
struct Summary {
    /// Whether its results are to be buffers of their own.
    is_copied: bool,
    /// Results that may be one buffer with another name.
    shared: Vec<(usize, Partner)>,
    /// Results that may be what a call by address handed back, and the arguments that may be that.
    by_address: Vec<(usize, Partner)>,
    /// The accesses to each argument.
    arguments: Vec<Effects>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Effects {
    reads: bool,
    writes: bool,
}

/// The summaries of a module.
#[derive(Default)]
struct Summaries {
    /// Of functions with a body, by name.
    named: FxHashMap<String, Summary>,
    /// Of the functions that may be called indirectly, together. What they do to arguments is not in it.
    any: Summary,
    /// Functions with a body that are not in `named` yet.
    missing: FxHashSet<String>,
    /// Whether a summary was asked for that may still change: one of those, or `any`.
    is_incomplete: Cell<bool>,
}

impl Summaries {
    /// Whether this function, which was asked for, is looked at later.
    fn is_missing(&self, name: &str) -> bool {
        let is_missing = self.missing.contains(name);
        if is_missing {
            self.is_incomplete.set(true);
        }
        is_missing
    }
}

/// Reports what the callers of a module's functions can tell: for passes that copy what functions return.
///
/// # Errors
///
/// If there is something, or the search takes too long.
pub(crate) fn verify(
    ir: &Ir,
    options: Copied,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut result = Ok(());
    let copies = match options.borrowed_results {
        true => Copies::new(ir),
        false => Copies::default(),
    };
    let has_copies =
        |function: &Ir| may_have_copies(function) || !copies.calls(function).is_empty();
    if !options.borrowed_results || functions::nested(ir).any(has_copies) {
        result = verify_functions(ir, options, &copies, diagnostics);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested(stub) {
            result = result.and(verify(nested, options, diagnostics));
        }
    }
    result
}

/// Whose callers have copies although private functions say who owns what they return.
#[derive(Default)]
struct Copies {
    /// Functions that do not say so, because a caller frees that itself or an earlier run dealt with a caller:
    /// `deallocation/plan/dynamic` leaves their signatures alone.
    owning: FxHashSet<String>,
    /// What an earlier run dealt with: it has its copies.
    done: FxHashSet<String>,
}

impl Copies {
    fn new(ir: &Ir) -> Self {
        let is_done = |function: &&Ir| is_processed(function) || compares_allocations(function);
        let done = functions::nested(ir).filter(is_done);
        let done = done.filter_map(|f| f.symbol_name(f.root()).map(str::to_owned));
        let mut this = Self {
            owning: FxHashSet::from_iter(own_frees::called_by_managing(ir)),
            done: done.collect(),
        };
        this.owning.extend(called_by_processed(ir));
        if this.owning.is_empty() {
            return this;
        }
        let left_to_callers = left_to_callers(ir);
        let owning = &mut this.owning;
        owning.retain(|name| !this.done.contains(name) && !left_to_callers.contains(name));
        this
    }

    /// The calls in the function `ir` whose results are copied if they are not the caller's.
    fn calls(&self, ir: &Ir) -> FxHashSet<Op> {
        let mut calls = own_frees::calls_with_managed(ir);
        for op in ir.walk(ir.root()) {
            match callee(ir, op) {
                Some(name) if self.owning.contains(name) => calls.insert(op),
                Some(name) if self.done.contains(name) => calls.remove(&op),
                _ => continue,
            };
        }
        calls
    }
}

/// The functions that make no copies because their callers free what they return.
fn left_to_callers(ir: &Ir) -> FxHashSet<String> {
    let rules = own_frees::Rules {
        twice: false,
        frees_are_left: true,
    };
    // The pass that frees buffers reports what is in doubt.
    own_frees::check(ir, rules, &mut Diagnostics::new()).unwrap_or_default()
}

/// Whether the function `ir` may have copies although private functions say who owns what they return.
fn may_have_copies(ir: &Ir) -> bool {
    let returns_buffers = |op: Op| ir.results(op).iter().any(|&result| ir.is_memref(result));
    let mut calls = (ir.walk(ir.root())).filter(|&op| is_indirect(ir, op));
    calls.any(returns_buffers)
}

/// Looks at the functions of a module.
fn verify_functions(
    ir: &Ir,
    options: Copied,
    copies: &Copies,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let named = names_besides_calls(ir);
    let fixed = called_by_fixed(ir);
    let left_to_callers = left_to_callers(ir);
    let order = callees_first(ir).into_iter();
    let functions: Vec<(String, &Ir, ValueFlow)> = order
        .filter_map(|stub| {
            let function = ir.nested(stub)?;
            let name = ir.symbol_name(stub).unwrap_or_default().to_owned();
            Some((name, function, ValueFlow::new(function)))
        })
        .collect();
    let mut summaries = Summaries {
        missing: functions.iter().map(|(name, ..)| name.clone()).collect(),
        ..Summaries::default()
    };
    loop {
        let mut has_changed = false;
        for (name, function, flow) in &functions {
            let this = Function {
                ir: function,
                flow,
                summaries: &summaries,
            };
            let mut summary = this.summary();
            // Functions that hand out owners have arranged for all of their buffers.
            let may_return_owners = options.public
                && function.is_private(function.root())
                && !named.contains(name)
                && !fixed.contains(name);
            // A result of another function may be a copy, and becomes its own result.
            let is_own =
                uses_owners(function) || may_return_owners || left_to_callers.contains(name);
            summary.is_copied = !is_own || this.calls_for_copies();
            summary.shared.retain(|(_, name)| match name {
                Partner::Argument(_) => options.arguments,
                Partner::Result(_) => options.results,
            });
            if named.contains(name) {
                summaries.any.is_copied |= summary.is_copied;
                for &shared in &summary.shared {
                    if !summaries.any.shared.contains(&shared) {
                        summaries.any.shared.push(shared);
                        has_changed = true;
                    }
                }
            }
            has_changed |= summaries.named.get(name) != Some(&summary);
            summaries.missing.remove(name);
            summaries.named.insert(name.clone(), summary);
        }
        // Nothing else can come to light where each callee was known before its callers.
        if !has_changed || !summaries.is_incomplete.get() {
            break;
        }
    }
    let mut result = Ok(());
    for (_, function, flow) in &functions {
        let this = Function {
            ir: function,
            flow,
            summaries: &summaries,
        };
        let copied = options.borrowed_results.then(|| copies.calls(function));
        result = result.and(this.check_calls(copied.as_ref(), diagnostics));
    }
    result
}

/// Where a buffer may come from.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Root {
    /// An argument of the function.
    Argument(usize),
    Global(String),
    /// What one operation makes.
    Made(Value),
}

/// The one of these names that is defined before all others: when it is defined again, so are they before they are used.
fn first_name(ir: &Ir, dominance: &Dominance, names: &[Value]) -> Option<Value> {
    let is_before = |first: Value, name: Value| match ir.value_def(name) {
        _ if first == name => true,
        ValueDef::Result(op, _) => {
            ir.defining_op(first) == Some(op) || dominance.value_dominates(ir, first, op)
        }
        ValueDef::Argument(block, _) => ir
            .first_op(block)
            .is_some_and(|op| dominance.value_dominates(ir, first, op)),
    };
    let first = names
        .iter()
        .copied()
        .reduce(|first, name| match is_before(first, name) {
            true => first,
            false => name,
        })?;
    let mut names = names.iter();
    names.all(|&name| is_before(first, name)).then_some(first)
}

/// A function that is looked at, those that it calls being known.
struct Function<'a> {
    ir: &'a Ir,
    flow: &'a ValueFlow,
    summaries: &'a Summaries,
}

impl Function<'_> {
    fn summary_of(&self, call: Op) -> Option<&Summary> {
        let summaries = self.summaries;
        if is_indirect(self.ir, call) {
            summaries.is_incomplete.set(true);
            return Some(&summaries.any);
        }
        let name = callee(self.ir, call)?;
        match summaries.is_missing(name) {
            true => None,
            false => summaries.named.get(name),
        }
    }

    /// The name of the function that `call` certainly calls, by name or by a known address.
    fn body_of(&self, call: Op) -> Option<&str> {
        let ir = self.ir;
        if !is_indirect(ir, call) {
            return callee(ir, call);
        }
        let address = ir.defining_op(ir.operand(call, 0))?;
        let address = Some(address).filter(|&op| ir.has_trait(op, Traits::CONSTANT_LIKE))?;
        ir.context()
            .attr_flat_symbol(ir.attr(address, Name::VALUE)?)
    }

    /// Whether one of the calls returns copies of what may have other names.
    fn calls_for_copies(&self) -> bool {
        let mut ops = self.ir.walk(self.ir.root());
        ops.any(|op| {
            let summary = self.summary_of(op);
            summary.is_some_and(|summary| summary.is_copied && !summary.shared.is_empty())
        })
    }

    /// How many operands of a call stand before its arguments.
    fn n_before_arguments(&self, call: Op) -> usize {
        usize::from(is_indirect(self.ir, call))
    }

    /// What may be one buffer in the results of `call` and its arguments, as values.
    fn shared(&self, call: Op) -> Vec<(Value, Partner, Value)> {
        let summary = self.summary_of(call);
        self.values_of(call, summary.map_or(&[][..], |summary| &summary.shared))
    }

    /// These results and arguments as values.
    fn values_of(&self, call: Op, shared: &[(usize, Partner)]) -> Vec<(Value, Partner, Value)> {
        let ir = self.ir;
        let (results, operands) = (ir.results(call), ir.operands(call));
        let arguments = &operands[self.n_before_arguments(call)..];
        shared
            .iter()
            .filter_map(|&(result, name)| {
                let other = match name {
                    Partner::Result(other) => results.get(other),
                    Partner::Argument(other) => arguments.get(other),
                };
                Some((*results.get(result)?, name, *other?))
            })
            .collect()
    }

    /// What one buffer may be at the same time as the result `index` of `call`, as values there.
    fn shared_with(&self, call: Op, index: usize) -> Vec<Value> {
        let result = self.ir.result(call, index);
        let shared = self.shared(call).into_iter();
        let other = shared.filter_map(|(one, _, other)| match result {
            result if result == one => Some(other),
            result if result == other => Some(one),
            _ => None,
        });
        other.collect()
    }

    /// The arguments of this function of which `value`, which a call returned, may be a copy because some call was by
    /// address.
    fn copied_arguments(&self, value: Value) -> impl Iterator<Item = usize> {
        let ir = self.ir;
        let call = ir.defining_op(value);
        let summary = call.and_then(|call| self.summary_of(call));
        let pairs = call.zip(summary).map(|(call, summary)| {
            let shared = match is_indirect(ir, call) {
                true => &summary.shared,
                false => &summary.by_address,
            };
            self.values_of(call, shared)
        });
        let others = pairs.into_iter().flatten();
        let others = others.filter(move |&(one, ..)| one == value);
        let bases = others.filter_map(|(.., other)| self.flow.base(other));
        let roots = bases.flat_map(|base| self.roots(base));
        roots.filter_map(|root| match root {
            Root::Argument(argument) => Some(argument),
            _ => None,
        })
    }

    /// All that the buffer `base` may come from.
    fn roots(&self, base: Value) -> FxHashSet<Root> {
        let (ir, flow) = (self.ir, self.flow);
        let mut roots = FxHashSet::default();
        let mut seen: FxHashSet<Value> = [base].into_iter().collect();
        let mut pending = vec![base];
        while let Some(base) = pending.pop() {
            let mut sources: Vec<Value> = Vec::new();
            match (flow.origin(base), ir.value_def(base)) {
                (Origin::Phi, _) => {
                    let flows = flow.flows_in(base).iter();
                    sources.extend(flows.map(|&id| flow.flow_base(id)));
                }
                (Origin::Merge, _) => sources.extend(flow.merge_sources(base)),
                (_, ValueDef::Argument(_, index)) => {
                    roots.insert(Root::Argument(index as usize));
                }
                (_, ValueDef::Result(op, index)) => {
                    let global = ir
                        .attr(op, Name::NAME)
                        .filter(|_| ir.is(op, &memref::GET_GLOBAL));
                    let global = global.and_then(|attr| ir.context().attr_flat_symbol(attr));
                    roots.insert(match global {
                        Some(name) => Root::Global(name.to_owned()),
                        None => Root::Made(base),
                    });
                    let shared = self.shared_with(op, index as usize);
                    sources.extend(shared.into_iter().filter_map(|value| flow.base(value)));
                }
            }
            pending.extend(sources.into_iter().filter(|&source| seen.insert(source)));
        }
        roots
    }

    /// All names of the buffer `base`, from there on.
    fn names(&self, base: Value) -> Vec<Value> {
        let (ir, flow) = (self.ir, self.flow);
        let mut names = vec![base];
        let mut seen: FxHashSet<Value> = [base].into_iter().collect();
        let mut next = 0;
        while let Some(&name) = names.get(next) {
            next += 1;
            let mut found = flow.merges(name).to_vec();
            for &id in flow.flows_out(name) {
                found.extend_from_slice(&flow.flow(id).targets);
            }
            for &member in flow.members(name) {
                for used in ir.uses(member) {
                    for (result, name, other) in self.shared(used.op) {
                        if matches!(name, Partner::Argument(_)) && other == member {
                            found.extend(flow.base(result));
                        }
                    }
                }
            }
            names.extend(found.into_iter().filter(|&name| seen.insert(name)));
        }
        names
    }

    /// The accesses to buffers by these names.
    fn accesses(&self, names: &[Value]) -> Accesses {
        let ir = self.ir;
        let mut accesses = Accesses::default();
        let members = names.iter().flat_map(|&name| self.flow.members(name));
        for &member in members {
            for used in ir.uses(member) {
                let effects = self.effects(used.op, member, used.index as usize);
                if effects.reads {
                    accesses.reads.insert(used.op);
                }
                if effects.writes {
                    accesses.writes.insert(used.op);
                }
            }
        }
        accesses
    }

    /// The same without writes to buffers that are made behind `call`. An operation may write through several names.
    fn accesses_behind(&self, call: Op, names: &[Value]) -> Accesses {
        let ir = self.ir;
        let mut all = Accesses::default();
        for &name in names {
            let Accesses { mut writes, reads } = self.accesses(&[name]);
            if is_allocated(ir, name) {
                writes.retain(|&write| !is_made_between(ir, call, name, write));
            }
            all.writes.extend(writes);
            all.reads.extend(reads);
        }
        all
    }

    fn effects(&self, op: Op, value: Value, index: usize) -> Effects {
        let ir = self.ir;
        let unknown = Effects {
            reads: true,
            writes: true,
        };
        if ir.def(op).call.is_some() {
            let summary = match self.body_of(op) {
                // Another round finds out what it does.
                Some(name) if self.summaries.is_missing(name) => return Effects::default(),
                Some(name) => self.summaries.named.get(name),
                None => None,
            };
            let argument = index.checked_sub(self.n_before_arguments(op));
            let effects = summary
                .zip(argument)
                .and_then(|(summary, argument)| summary.arguments.get(argument));
            return effects.copied().unwrap_or(unknown);
        }
        let hands_on = ir.has_trait(op, Traits::TERMINATOR) || ir.def(op).region_branch.is_some();
        let Some(effects) = ir.own_effects(op) else {
            return if hands_on {
                Effects::default()
            } else {
                unknown
            };
        };
        let mut found = Effects::default();
        for effect in effects
            .iter()
            .filter(|effect| effect.value.is_none_or(|v| v == value))
        {
            match effect.kind {
                EffectKind::Read => found.reads = true,
                EffectKind::Write => found.writes = true,
                EffectKind::Allocate | EffectKind::Free => {}
            }
        }
        found
    }

    /// Reports calls whose results are told apart from what they may be the same as. Of calls by name, only those `copied`
    /// have copies, and of others what came from calls by address.
    fn check_calls(
        &self,
        copied: Option<&FxHashSet<Op>>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let (ir, flow) = (self.ir, self.flow);
        let mut search = Search::new(ir);
        let mut dominance = None;
        let mut by_root = None;
        let mut reported: FxHashSet<Op> = FxHashSet::default();
        let mut result = Ok(());
        for call in ir.walk(ir.root()) {
            let Some(summary) = self.summary_of(call).filter(|summary| summary.is_copied) else {
                continue;
            };
            let is_copied = copied.is_none_or(|copied| copied.contains(&call));
            let shared = match is_copied || callee(ir, call).is_none() {
                true => &summary.shared,
                false => &summary.by_address,
            };
            for (one, name, other) in self.values_of(call, shared) {
                let Some((one, other)) = flow.base(one).zip(flow.base(other)) else {
                    continue;
                };
                // A buffer that was passed has names that are older, and callers of this function may have it, too.
                let older = match name {
                    Partner::Argument(_) => {
                        let by_root = by_root.get_or_insert_with(|| self.names_by_root());
                        self.names_of_roots(other, by_root)
                    }
                    Partner::Result(_) => self.names(other),
                };
                let older: Vec<Value> = older.into_iter().filter(|&name| name != one).collect();
                let newer = self.names(one);
                // What a loop carries is the one name first, and the other one in the next iteration. Names that are
                // the older one only are never the copy.
                let only_older: Vec<Value> = (older.iter().copied())
                    .filter(|name| !newer.contains(name))
                    .collect();
                let mut olders = vec![&older];
                if only_older.len() < older.len() {
                    olders.push(&only_older);
                }
                let dominance = dominance.get_or_insert_with(|| Dominance::new(ir));
                for older in olders {
                    let names = [&newer, older].map(|names| first_name(ir, dominance, names));
                    let lost = self.lost_write(&mut search, call, [&newer, older], names);
                    if let Some((write, read)) = lost.filter(|&(write, _)| reported.insert(write)) {
                        let failed = lost_writes::report(ir, write, read, Some(call), diagnostics);
                        result = Err(failed);
                    }
                    if search.is_exhausted {
                        return Err(lost_writes::report_exhausted(ir, call, diagnostics));
                    }
                }
            }
        }
        result
    }

    /// A write behind `call` through one of two lists of names, the result's and those of what it may be a copy of, and a
    /// read through the other list. Each list means the same until its name in `ends` is defined again.
    fn lost_write(
        &self,
        search: &mut Search<'_>,
        call: Op,
        [newer, older]: [&[Value]; 2],
        ends: [Option<Value>; 2],
    ) -> Option<(Op, Op)> {
        let ir = self.ir;
        let mut accesses = [newer, older].map(|names| self.accesses_behind(call, names));
        let [by_one, by_other] = &mut accesses;
        by_one.reads.extend(self.returns_of(newer));
        by_other
            .reads
            .extend(match older.iter().any(|&name| self.is_outer(name)) {
                true => self.returns(),
                false => self.returns_of(older),
            });
        let [by_one, by_other] = &accesses;
        let ways = [
            (by_one, by_other, ends),
            (by_other, by_one, [ends[1], ends[0]]),
        ];
        ways.into_iter().find_map(|(written, read, names)| {
            // A callee that gets both sees what it does itself.
            let both = ir.walk(ir.root()).find(|&op| {
                op != call
                    && ir.def(op).call.is_some()
                    && written.writes.contains(&op)
                    && read.reads.contains(&op)
            });
            let lost = both.map(|op| (op, op));
            lost.or_else(|| search.lost_write_after(call, names, written, read))
        })
    }

    /// Where control goes back to callers.
    fn returns(&self) -> Vec<Op> {
        let ops = self.ir.walk(self.ir.root());
        ops.filter(|&op| is_return(self.ir, op)).collect()
    }

    /// Where buffers of these names go to callers, who read them.
    fn returns_of(&self, names: &[Value]) -> Vec<Op> {
        let flows = self.flow.flow_ids();
        let of_names = flows.filter(|&id| names.contains(&self.flow.flow_base(id)));
        let edges = of_names.map(|id| self.flow.flow(id).edge);
        let edges = edges.filter(|edge| edge.kind == EdgeKind::Return);
        edges.map(|edge| edge.source).collect()
    }

    /// Whether this is a buffer that callers have as well: an argument or a global.
    fn is_outer(&self, base: Value) -> bool {
        match self.ir.value_def(base) {
            ValueDef::Argument(block, _) => Some(block) == self.ir.root_block(),
            ValueDef::Result(op, _) => self.ir.is(op, &memref::GET_GLOBAL),
        }
    }

    /// The names of what each root makes.
    fn names_by_root(&self) -> FxHashMap<Root, Vec<Value>> {
        let mut names: FxHashMap<Root, Vec<Value>> = FxHashMap::default();
        for &base in self.flow.bases() {
            #[expect(
                clippy::iter_over_hash_type,
                reason = "each list is in the order of the bases"
            )]
            for root in self.roots(base) {
                names.entry(root).or_default().push(base);
            }
        }
        names
    }

    /// All names of all that `base` may come from.
    fn names_of_roots(&self, base: Value, by_root: &FxHashMap<Root, Vec<Value>>) -> Vec<Value> {
        let roots = self.roots(base);
        let of_roots = roots.iter().filter_map(|root| by_root.get(root)).flatten();
        let mut names: Vec<Value> = of_roots.copied().chain([base]).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn summary(&self) -> Summary {
        let (ir, flow) = (self.ir, self.flow);
        let mut roots: Vec<FxHashSet<Root>> = Vec::new();
        let returns = flow
            .flow_ids()
            .filter(|&id| flow.flow(id).edge.kind == EdgeKind::Return);
        for id in returns {
            let index = flow.flow(id).operand_index;
            if roots.len() <= index {
                roots.resize_with(index + 1, FxHashSet::default);
            }
            roots[index].extend(self.roots(flow.flow_base(id)));
        }
        let mut by_address: Vec<(usize, Partner)> = Vec::new();
        for (index, roots) in roots.iter().enumerate() {
            #[expect(clippy::iter_over_hash_type, reason = "the list is sorted")]
            for root in roots {
                let Root::Made(value) = *root else { continue };
                by_address.extend(
                    self.copied_arguments(value)
                        .map(|at| (index, Partner::Argument(at))),
                );
            }
        }
        by_address.sort_unstable();
        by_address.dedup();
        let mut shared = Vec::new();
        let mut owner: FxHashMap<&Root, Vec<usize>> = FxHashMap::default();
        for (index, roots) in roots.iter().enumerate() {
            #[expect(
                clippy::iter_over_hash_type,
                reason = "the hasher is fixed, so the order is the same in every run"
            )]
            for root in roots {
                if let Root::Argument(argument) = *root {
                    shared.push((index, Partner::Argument(argument)));
                }
                let earlier = owner.entry(root).or_default();
                for &other in earlier.iter() {
                    if !shared.contains(&(other, Partner::Result(index))) {
                        shared.push((other, Partner::Result(index)));
                    }
                }
                earlier.push(index);
            }
        }
        let entry = ir.root_block().into_iter();
        let arguments = entry.flat_map(|entry| ir.block_args(entry).to_vec());
        let arguments = arguments.map(|argument| match flow.base(argument) {
            Some(base) => {
                let accesses = self.accesses(&self.names(base));
                Effects {
                    reads: !accesses.reads.is_empty(),
                    writes: !accesses.writes.is_empty(),
                }
            }
            None => Effects::default(),
        });
        Summary {
            is_copied: true,
            shared,
            by_address,
            arguments: arguments.collect(),
        }
    }
}
