//! `buffer-deallocation-simplification`: makes `bufferization.dealloc`
//! operations small, so that less is compared at run time.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc() : memref<2xf32>
//! %b = memref.alloc() : memref<2xf32>
//! %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d)
//!      retain (%arg : memref<2xf32>)
//! ```
//! After:
//! ```mlir
//! bufferization.dealloc (%a : memref<2xf32>) if (%c)
//! bufferization.dealloc (%b : memref<2xf32>) if (%d)
//! // %0 is false
//! ```
//!
//! The operands of an operation are grouped so that values of different groups
//! never share memory, by where they may come from; each group gets an
//! operation of its own. So the work is linear in the operands, not quadratic.
//! Within a group, an entry that certainly is a retained value, and none of the
//! others, is never freed: its condition is the result. An entry that is no
//! other entry gets an operation of its own as well, with what it may be of the
//! retained values, unless that would make the operands many more.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use freehold_frontend::dialects::{arith, bufferization, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::analysis::constants::constant_value;
use crate::analysis::flow::{Origin, ValueFlow};
use crate::analysis::union_find::UnionFind;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "buffer-deallocation-simplification",
    summary: "split and simplify bufferization.dealloc where operands cannot alias",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let deallocs = |ir: &Ir| -> Vec<Op> {
        ir.walk(ir.root())
            .filter(|&op| ir.is(op, &bufferization::DEALLOC))
            .collect()
    };
    if deallocs(ir).is_empty() {
        return Ok(());
    }
    erase_unreachable_blocks(ir);
    greedy::run_on(ir, &deallocs(ir), Config::default());
    let all = deallocs(ir);
    let mut origins = Origins::new(ir);
    let plans: Vec<(Op, Vec<Group>)> = all
        .into_iter()
        .map(|op| (op, group_operands(ir, op, &mut origins)))
        .collect();
    for (op, groups) in plans {
        context.count("deallocs made", groups.len() as u64);
        split(ir, op, groups);
    }
    let rest = deallocs(ir);
    greedy::run_on(ir, &rest, Config::default());
    Ok(())
}

/// Most values that are looked at to find where one comes from: bounds compile time.
const MAX_VISITED: usize = 128;

/// Where the buffer of a value may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Source {
    /// This operation made it: an allocation, stack memory or a call.
    Made(Op),
    /// It was there before the function, which has not made it.
    Older,
    /// Nothing is known; it may be any other one.
    Unknown,
}

/// Finds the sources of values. Each value has those that are found by going
/// back from it; where that would take too long, it counts as connected with
/// every value that flows join with it in either direction.
struct Origins {
    flow: ValueFlow,
    cache: FxHashMap<Value, Option<Rc<[Source]>>>,
    connected: Option<UnionFind>,
}

impl Origins {
    fn new(ir: &Ir) -> Self {
        Self {
            flow: ValueFlow::new(ir),
            cache: FxHashMap::default(),
            connected: None,
        }
    }

    /// All possible sources of the buffer of `value`; `None` if they are too
    /// many to find.
    fn of(&mut self, ir: &Ir, value: Value) -> Option<Rc<[Source]>> {
        let Some(base) = self.flow.base(value) else {
            return Some(Rc::new([Source::Unknown]));
        };
        if let Some(known) = self.cache.get(&base) {
            return known.clone();
        }
        let sources = self.find(ir, base);
        self.cache.insert(base, sources.clone());
        sources
    }

    fn find(&self, ir: &Ir, base: Value) -> Option<Rc<[Source]>> {
        let mut sources: IndexSet<Source, FxBuildHasher> = IndexSet::default();
        let mut visited: IndexSet<Value, FxBuildHasher> = IndexSet::from_iter([base]);
        let mut next = 0;
        while let Some(&base) = visited.get_index(next) {
            next += 1;
            sources.extend(source_of(ir, &self.flow, base));
            visited.extend(previous(ir, &self.flow, base));
            if visited.len() > ir.capped(MAX_VISITED) {
                return None;
            }
        }
        Some(sources.into_iter().collect())
    }

    /// Stands for all values that `value` is connected with: no two values with different ones
    /// share a source, other than an unknown one.
    fn connection(&mut self, ir: &Ir, value: Value) -> Option<usize> {
        let index = self.flow.base(value)?.index();
        let connected = self
            .connected
            .get_or_insert_with(|| connect(ir, &self.flow));
        Some(connected.root(index))
    }
}

/// Joins every value with what it may be, and values of one source.
fn connect(ir: &Ir, flow: &ValueFlow) -> UnionFind {
    let mut sets = UnionFind::new(ir.n_values());
    let mut first_with: FxHashMap<Source, usize> = FxHashMap::default();
    for &base in flow.bases() {
        for previous in previous(ir, flow, base) {
            sets.join(previous.index(), base.index());
        }
        if let Some(source) = source_of(ir, flow, base) {
            let first = *first_with.entry(source).or_insert(base.index());
            sets.join(first, base.index());
        }
    }
    sets
}

/// The bases that `base` may be without a change. A call may hand back what it
/// was given: the result may come with a false ownership flag.
fn previous(ir: &Ir, flow: &ValueFlow, base: Value) -> SmallVec<[Value; 4]> {
    match flow.origin(base) {
        Origin::Phi => flow
            .flows_in(base)
            .iter()
            .map(|&id| flow.flow_base(id))
            .collect(),
        Origin::Merge => flow.merge_sources(base).into(),
        Origin::Fresh => ir
            .defining_op(base)
            .filter(|&op| ir.def(op).call.is_some())
            .into_iter()
            .flat_map(|call| ir.operands(call))
            .filter_map(|&operand| flow.base(operand))
            .collect(),
        Origin::External => SmallVec::new(),
    }
}

/// What `base` may be that no other value hands on.
fn source_of(ir: &Ir, flow: &ValueFlow, base: Value) -> Option<Source> {
    match flow.origin(base) {
        Origin::Phi => flow.flows_in(base).is_empty().then_some(Source::Unknown),
        Origin::Merge => flow.may_be_other(ir, base).then_some(Source::Unknown),
        Origin::Fresh | Origin::External => Some(match ir.defining_op(base) {
            None => Source::Older,
            Some(op) if ir.is(op, &memref::GET_GLOBAL) => Source::Older,
            Some(op) if ir.def(op).call.is_some() => Source::Made(op),
            Some(op) => {
                let is_made = ir.own_effects(op).is_some_and(|effects| {
                    effects
                        .iter()
                        .any(|e| e.kind == EffectKind::Allocate && e.value == Some(base))
                });
                match is_made {
                    true => Source::Made(op),
                    false => Source::Unknown,
                }
            }
        }),
    }
}

/// Operands that may be one buffer, as indices of the operand groups.
#[derive(Default, Debug)]
struct Group {
    entries: Vec<usize>,
    retained: Vec<usize>,
    /// Entries that certainly are retained: their conditions say who owns that.
    kept: Vec<usize>,
}

/// Groups the operands of a dealloc by shared sources.
fn group_operands(ir: &Ir, op: Op, origins: &mut Origins) -> Vec<Group> {
    let entries = ir.operand_group(op, 0);
    let retained = ir.operand_group(op, 2);
    let n_entries = entries.len();
    let operands = || entries.iter().chain(retained).copied().enumerate();
    let mut sets = UnionFind::new(n_entries + retained.len());
    let mut first_with: FxHashMap<Source, usize> = FxHashMap::default();
    let mut are_all_known = true;
    for (index, value) in operands() {
        let sources = origins.of(ir, value);
        are_all_known &= sources.is_some();
        for &source in sources.iter().flat_map(|sources| sources.iter()) {
            let first = *first_with.entry(source).or_insert(index);
            sets.join(first, index);
        }
    }
    if !are_all_known {
        join_connected(ir, operands(), origins, &mut sets);
    }
    if let Some(&unknown) = first_with.get(&Source::Unknown) {
        (0..n_entries + retained.len()).for_each(|index| sets.join(unknown, index));
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    for index in 0..n_entries + retained.len() {
        let root = sets.root(index);
        let group = *group_of.entry(root).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        if index < n_entries {
            groups[group].entries.push(index);
        } else {
            groups[group].retained.push(index - n_entries);
        }
    }
    let sources: Vec<Option<Rc<[Source]>>> = operands()
        .map(|(_, value)| {
            let sources = origins.of(ir, value);
            sources.filter(|sources| !sources.contains(&Source::Unknown))
        })
        .collect();
    groups
        .into_iter()
        .flat_map(|group| refine(ir, op, group, &sources))
        .collect()
}

/// Splitting a group makes at most this many operands of one: entries are compared with what they may be either way,
/// but code must not grow with the square of the operands.
const MAX_GROWTH: usize = 8;

/// Takes out of a group the entries that certainly are retained and those that are no other entry. `sources` has
/// those of entries and of retained values, where they are known.
fn refine(ir: &Ir, op: Op, group: Group, sources: &[Option<Rc<[Source]>>]) -> Vec<Group> {
    let entries = ir.operand_group(op, 0);
    let retained = ir.operand_group(op, 2);
    let of_retained = |index: usize| sources[entries.len() + index].as_deref();
    // Retained values by source, and those that may be anything.
    let mut by_source: FxHashMap<Source, Vec<usize>> = FxHashMap::default();
    let mut open: Vec<usize> = Vec::new();
    for &index in &group.retained {
        match of_retained(index) {
            Some(sources) => {
                for &source in sources {
                    by_source.entry(source).or_default().push(index);
                }
            }
            None => open.push(index),
        }
    }
    // The one root of some retained values, if they have one.
    let common_root = |indices: &[usize]| {
        let mut roots = indices.iter().map(|&index| view_root(ir, retained[index]));
        let first = roots.next()?;
        Some(roots.all(|root| root == first).then_some(first))
    };
    let root_by_source: FxHashMap<Source, Option<Value>> = by_source
        .iter()
        .filter_map(|(&source, indices)| Some((source, common_root(indices)?)))
        .collect();
    let (root_of_open, root_of_all) = (common_root(&open), common_root(&group.retained));
    let is_kept = |&entry: &usize| {
        let root = Some(view_root(ir, entries[entry]));
        match &sources[entry] {
            Some(sources) => {
                let mut roots = sources
                    .iter()
                    .filter_map(|source| root_by_source.get(source));
                let is_retained = roots.clone().any(|&one| one == root);
                is_retained
                    && roots.all(|&one| one == root)
                    && root_of_open.is_none_or(|one| one == root)
            }
            None => root_of_all == Some(root),
        }
    };
    let (kept, left): (Vec<usize>, Vec<usize>) = group.entries.into_iter().partition(is_kept);
    let mut groups = Vec::new();
    let mut n_with: FxHashMap<Source, usize> = FxHashMap::default();
    for source in left
        .iter()
        .filter_map(|&entry| sources[entry].as_deref())
        .flatten()
    {
        *n_with.entry(*source).or_default() += 1;
    }
    let are_all_known = left.iter().all(|&entry| sources[entry].is_some());
    let (alone, together): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&entry| {
        let sources = sources[entry].as_deref().unwrap_or_default();
        are_all_known && sources.iter().all(|source| n_with[source] == 1)
    });
    let mut budget = MAX_GROWTH * (left.len() + group.retained.len());
    let mut retained_of = |entries: &[usize]| -> Option<Vec<usize>> {
        let mut found: IndexSet<usize, FxBuildHasher> = open.iter().copied().collect();
        for &entry in entries {
            let Some(sources) = &sources[entry] else {
                return Some(group.retained.clone());
            };
            for source in sources.iter() {
                let indices = by_source.get(source).map_or(&[][..], Vec::as_slice);
                budget = budget.checked_sub(indices.len())?;
                found.extend(indices);
            }
        }
        budget = budget.checked_sub(found.len())?;
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        Some(found)
    };
    let parts = alone.iter().map(|&entry| vec![entry]);
    let parts = parts.chain((!together.is_empty()).then_some(together));
    for entries in parts {
        let Some(retained) = retained_of(&entries) else {
            // Too many: all in one.
            groups = vec![Group {
                entries: left,
                retained: group.retained.clone(),
                kept: Vec::new(),
            }];
            break;
        };
        groups.push(Group {
            entries,
            retained,
            kept: Vec::new(),
        });
    }
    if !kept.is_empty() {
        groups.push(Group {
            entries: Vec::new(),
            retained: group.retained,
            kept,
        });
    }
    groups
}

/// Joins operands with others that they are connected with, wherever some
/// have too many sources.
fn join_connected(
    ir: &Ir,
    operands: impl Iterator<Item = (usize, Value)> + Clone,
    origins: &mut Origins,
    sets: &mut UnionFind,
) {
    let mut first_of: FxHashMap<Option<usize>, usize> = FxHashMap::default();
    for (index, value) in operands.clone() {
        if origins.of(ir, value).is_none() {
            let first = *first_of
                .entry(origins.connection(ir, value))
                .or_insert(index);
            sets.join(first, index);
        }
    }
    for (index, value) in operands {
        if let Some(&first) = first_of.get(&origins.connection(ir, value)) {
            sets.join(first, index);
        }
    }
}

/// Replaces a dealloc by one per group.
fn split(ir: &mut Ir, op: Op, groups: Vec<Group>) {
    let entries: Vec<Value> = ir.operand_group(op, 0).to_vec();
    let conditions: Vec<Value> = ir.operand_group(op, 1).to_vec();
    let retained: Vec<Value> = ir.operand_group(op, 2).to_vec();
    let mut builder = Builder::before(ir, op);
    let mut results: Vec<Option<Value>> = vec![None; retained.len()];
    // What several operations say of one retained value.
    let either = |b: &mut Builder<'_>, before: Option<Value>, value: Value| match before {
        Some(before) if before != value => b.value(&arith::ORI, &[before, value], Type::I1),
        _ => value,
    };
    for group in &groups {
        let mut kept: FxHashMap<Value, Value> = FxHashMap::default();
        for &entry in &group.kept {
            let root = view_root(builder.ir, entries[entry]);
            let before = kept.get(&root).copied();
            let condition = either(&mut builder, before, conditions[entry]);
            kept.insert(root, condition);
        }
        if !kept.is_empty() {
            for &index in &group.retained {
                if let Some(&owned) = kept.get(&view_root(builder.ir, retained[index])) {
                    results[index] = Some(either(&mut builder, results[index], owned));
                }
            }
        }
        if group.entries.is_empty() {
            continue;
        }
        let pick = |all: &[Value], indices: &[usize]| -> Vec<Value> {
            indices.iter().map(|&index| all[index]).collect()
        };
        let part = [
            pick(&entries, &group.entries),
            pick(&conditions, &group.entries),
            pick(&retained, &group.retained),
        ];
        let segments = [part[0].len(), part[1].len(), part[2].len()].map(|n| n as i32);
        let segments = builder.context().i32_array_attr(&segments);
        let spec = OpSpec::new(&bufferization::DEALLOC, builder.loc())
            .operands(&part.concat())
            .results(&vec![Type::I1; part[2].len()])
            .attr(Name::OPERAND_SEGMENT_SIZES, segments);
        let new = builder.create(spec);
        // Every retained value that certainly is an entry with a true
        // condition is owned, whatever the comparison of others says.
        for (position, &index) in group.retained.iter().enumerate() {
            let root = view_root(builder.ir, retained[index]);
            let certain = group.entries.iter().any(|&entry| {
                view_root(builder.ir, entries[entry]) == root
                    && constant_value(builder.ir, conditions[entry]) == Some(Attr::TRUE)
            });
            let owned = match certain {
                true => arith::constant_bool(&mut builder, true),
                false => builder.ir.result(new, position),
            };
            results[index] = Some(either(&mut builder, results[index], owned));
        }
    }
    let results: Vec<Value> = results
        .into_iter()
        .map(|result| result.unwrap_or_else(|| arith::constant_bool(&mut builder, false)))
        .collect();
    ir.replace_op(op, &results);
}

/// What the chain of views of `value` starts at.
fn view_root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && let Some(source) = ir.def(op).view_source
    {
        value = source(ir, op);
    }
    value
}
