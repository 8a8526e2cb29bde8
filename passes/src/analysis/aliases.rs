//! What may be the same buffer as an allocation, from there on.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;

use crate::analysis::derived;
use crate::analysis::flow::{Edge, EdgeKind, ValueFlow, is_return};
use crate::analysis::nest::Nest;
use crate::analysis::union_find::UnionFind;

/// What happens to one base before it is another one.
pub(crate) struct Step {
    /// What it may become next.
    pub(crate) next: Vec<Value>,
    /// Operations that use it or a view of it.
    pub(crate) users: Vec<Op>,
    /// A user frees it.
    pub(crate) is_freed: bool,
    /// It, or a value derived from it, escapes.
    escapes: bool,
}

impl Step {
    /// Looks at `base`. A callee may return its arguments.
    pub(crate) fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut step = Self {
            next: flow.merges(base).to_vec(),
            users: Vec::new(),
            is_freed: false,
            escapes: flow.given_away_to(base).is_some(),
        };
        for &id in flow.flows_out(base) {
            step.next.extend_from_slice(&flow.flow(id).targets);
        }
        for &member in flow.members(base) {
            for use_ in ir.uses(member) {
                let user = use_.op;
                step.users.push(user);
                step.is_freed |= ir
                    .own_effects(user)
                    .is_some_and(|effects| effects.has_any(EffectKind::Free));
                step.escapes |= ir.is(user, &memref::STORE) && use_.index == 0;
                step.escapes |= hands_on_unseen(ir, user);
                if ir.def(user).call.is_some() {
                    let results = ir.results(user).iter();
                    step.next
                        .extend(results.filter_map(|&result| flow.base(result)));
                }
            }
        }
        step
    }
}

/// Whether `op` ends a region and its operands go where no edge says: the operation around may hand them on, as
/// concurrent work does to whoever waits for it.
fn hands_on_unseen(ir: &Ir, op: Op) -> bool {
    ir.has_trait(op, Traits::TERMINATOR)
        && ir.successors(op).is_empty()
        && !is_return(ir, op)
        && ir
            .parent_op(op)
            .is_some_and(|parent| ir.def(parent).region_branch.is_none())
}

/// Merges facts about each base with those about all that it may become, given both for each of
/// `bases`. `join` must not depend on the order and change nothing when repeated.
pub(crate) fn close<T: Copy + PartialEq>(
    bases: &[Value],
    steps: Vec<(T, Vec<Value>)>,
    mut join: impl FnMut(T, T) -> T,
) -> Vec<T> {
    let mut index: SecondaryMap<Value, usize> = SecondaryMap::new();
    for (number, &base) in bases.iter().enumerate() {
        index[base] = number;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); bases.len()];
    for (number, (_, next)) in steps.iter().enumerate() {
        for &target in next {
            before[index[target]].push(number);
        }
    }
    let mut known: Vec<T> = steps.iter().map(|&(own, _)| own).collect();
    // What bases become mostly comes later in the text.
    let mut pending: BTreeSet<usize> = (0..bases.len()).collect();
    while let Some(number) = pending.pop_last() {
        let targets = steps[number].1.iter();
        let found = targets.fold(known[number], |found, &target| {
            join(found, known[index[target]])
        });
        if found != known[number] {
            known[number] = found;
            pending.extend(&before[number]);
        }
    }
    known
}

/// The bases that the program itself may free under another name: they, or another that becomes the
/// same value. What it compares by address, as lowered deallocs do, it may free as well. Where such a buffer is
/// allocated may say whether it is freed.
pub(crate) fn freed_by_program(ir: &Ir, flow: &ValueFlow) -> EntitySet<Value> {
    let bases = flow.bases();
    let mut index: SecondaryMap<Value, usize> = SecondaryMap::new();
    for (number, &base) in bases.iter().enumerate() {
        index[base] = number;
    }
    let mut families = UnionFind::new(bases.len());
    let mut freed = Vec::new();
    for (number, &base) in bases.iter().enumerate() {
        let step = Step::of(ir, flow, base);
        for &next in &step.next {
            families.join(number, index[next]);
        }
        if step.is_freed
            || step
                .users
                .iter()
                .any(|&user| ir.has_attr(user, Name::ALLOCATED))
        {
            freed.push(number);
        }
    }
    let freed: FxHashSet<usize> = freed.into_iter().map(|n| families.root(n)).collect();
    let mut found = EntitySet::new();
    for (number, &base) in bases.iter().enumerate() {
        if freed.contains(&families.root(number)) {
            found.insert(base);
        }
    }
    found
}

/// What happens to a base and to all that it may become: on which edges it leaves
/// the places where an allocation that it comes from is still the same instance.
///
/// Only the outermost region counts that is left or begun again. Up to the first
/// time that an alias of an allocation leaves the region of the allocation, all
/// aliases are defined in there; so it does that if and only if some alias leaves
/// a region that has no more regions around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fate {
    /// It is freed.
    pub(crate) is_freed: bool,
    /// It, or a value derived from it, escapes.
    pub(crate) escapes: bool,
    /// It is returned.
    is_returned: bool,
    /// How many regions are around the outermost region at whose end it is handed on.
    exit: Option<u32>,
    /// The branches that it is handed to blocks by, in the outermost region that
    /// has any.
    branches: Option<Branches>,
}

/// Branches in one region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Branches {
    depth: u32,
    /// The closest common dominator of their targets, and whether it is one of
    /// them; none if they are in different regions.
    targets: Option<(Block, bool)>,
}

impl Fate {
    fn none() -> Self {
        Self {
            is_freed: false,
            escapes: false,
            is_returned: false,
            exit: None,
            branches: None,
        }
    }

    /// What it means to be handed on by `edge`.
    fn of_edge(ir: &Ir, nest: &Nest<'_>, edge: Edge) -> Self {
        let mut fate = Self::none();
        let region = ir.parent_region(edge.source);
        let depth = region.map_or(0, |region| nest.depth(region));
        match edge.kind {
            EdgeKind::Entry => {}
            EdgeKind::Return => fate.is_returned = true,
            EdgeKind::RegionExit => fate.exit = Some(depth),
            EdgeKind::Branch(successor) => {
                fate.branches = Some(Branches {
                    depth,
                    targets: Some((ir.successors(edge.source)[successor], true)),
                });
            }
        }
        fate
    }

    fn join(self, nest: &Nest<'_>, other: Self) -> Self {
        let exits = [self.exit, other.exit].into_iter().flatten();
        Self {
            is_freed: self.is_freed || other.is_freed,
            escapes: self.escapes || other.escapes,
            is_returned: self.is_returned || other.is_returned,
            exit: exits.min(),
            branches: match (self.branches, other.branches) {
                (None, branches) | (branches, None) => branches,
                (Some(a), Some(b)) if a.depth == b.depth => Some(Branches {
                    depth: a.depth,
                    targets: a.targets.zip(b.targets).and_then(|(a, b)| {
                        let block = nest.common_dominator_in_region(a.0, b.0)?;
                        let is_target = [a, b].contains(&(block, true));
                        Some((block, is_target))
                    }),
                }),
                (Some(a), Some(b)) => Some(if a.depth < b.depth { a } else { b }),
            },
        }
    }

    /// Whether it is handed out of `region`, where it was allocated inside of it, or
    /// to the next time that the region is run.
    pub(crate) fn leaves(&self, nest: &Nest<'_>, region: Region) -> bool {
        let depth = nest.depth(region);
        self.is_returned || self.exit.is_some_and(|exit| exit <= depth)
    }

    /// Whether nothing is left of the allocation `buffer`, whose fate this is, once
    /// it is executed again.
    pub(crate) fn ends_with_instance(&self, nest: &Nest<'_>, buffer: Value) -> bool {
        let (region, block) = nest.definition(buffer);
        let depth = nest.depth(region);
        let stays = self.branches.is_none_or(|branches| {
            branches.depth > depth
                || branches.depth == depth
                    && branches.targets.is_some_and(|(target, is_target)| {
                        block == target && !is_target || nest.properly_dominates(block, target)
                    })
        });
        stays && !self.leaves(nest, region)
    }
}

/// The fates of all bases of a function.
pub(crate) struct Fates(SecondaryMap<Value, Option<Fate>>);

impl Fates {
    /// Finds them.
    pub(crate) fn new(ir: &Ir, nest: &Nest<'_>, flow: &ValueFlow) -> Self {
        let steps = flow.bases().iter().map(|&base| {
            let step = Step::of(ir, flow, base);
            let own = Fate {
                is_freed: step.is_freed,
                escapes: step.escapes,
                ..Fate::none()
            };
            let edges = flow.flows_out(base).iter();
            let own = edges.fold(own, |fate, &id| {
                fate.join(nest, Fate::of_edge(ir, nest, flow.flow(id).edge))
            });
            let handles = flow.forwarded_handles(base).iter();
            let edges = handles.flat_map(|&(source, target)| derived::edges(ir, source, target));
            let own = edges.fold(own, |fate, edge| {
                fate.join(nest, Fate::of_edge(ir, nest, edge))
            });
            (own, step.next)
        });
        let fates = close(flow.bases(), steps.collect(), |a, b| a.join(nest, b));
        let mut this = Self(SecondaryMap::new());
        for (&base, fate) in flow.bases().iter().zip(fates) {
            this.0[base] = Some(fate);
        }
        this
    }

    /// That of `base`.
    pub(crate) fn of(&self, base: Value) -> Option<Fate> {
        self.0[base]
    }
}

/// Everything that an allocated buffer may become.
pub(crate) struct Aliases {
    /// Operations that use one of them or a view of one.
    pub(crate) users: Vec<Op>,
    /// It, or a value derived from it, escapes.
    pub(crate) escapes: bool,
}

impl Aliases {
    /// Follows `base` forward.
    pub(crate) fn of(ir: &Ir, flow: &ValueFlow, base: Value) -> Self {
        let mut aliases = Self {
            users: Vec::new(),
            escapes: false,
        };
        let mut bases = vec![base];
        let mut seen: FxHashSet<Value> = std::iter::once(base).collect();
        let mut next = 0;
        while let Some(&current) = bases.get(next) {
            next += 1;
            let step = Step::of(ir, flow, current);
            aliases.users.extend(step.users);
            aliases.escapes |= step.escapes;
            let found = step.next.into_iter();
            bases.extend(found.filter(|&value| seen.insert(value)));
        }
        aliases
    }
}
