//! Where a holder is needed for the last time on all paths at once.
//!
//! The answer is found for all bases together, from those that a base may
//! become: many holders often share what they may become.
//!
//! # Why control comes there exactly once per instance
//!
//! Let the holder be defined in the block `a`, and let the block `b` post-dominate
//! `a` and all users if every loop of blocks is run through once (see
//! [`PostDominators`]). In that graph, which has no cycles, no user comes after
//! `b`. Let `a` dominate `b`, and let both have the same innermost loop L.
//!
//! - *`b` comes after `a` before `a` comes again*: on the path on which it did
//!   not, L would go on with its next iteration, or end. A jump back of L leads to
//!   the end of L in the graph, from where nothing leads back into it, so there
//!   would be a path from `a` that avoids `b`. Without L, `a` comes once.
//! - *`a` comes before `b` in each iteration of L*: `a` dominates `b`, and is itself
//!   dominated by the header of L.
//! - *No iteration of L has either of them twice*: they would be in a loop inside.
//! - *No user comes between `b` and the next `a`*: users are dominated by `a`. In
//!   the same iteration of L they would come after `b` in the graph. Outside of
//!   L, there is no way to `b` in the graph but by entering L at its header, which
//!   dominates `a`, hence the user: a cycle.
//!
//! If `b` is in a loop J inside of L, the same holds for the only edge that leaves
//! J, or for a block behind J that post-dominates the end of J: J is run whenever
//! `b` is reached, and its end comes once each time.

use cranelift_entity::EntitySet;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use rustc_hash::FxHashMap;

use super::existing::DeadOperands;
use crate::analysis::aliases::close;
use crate::analysis::block_loops::PostDominators;
use crate::analysis::flow::ValueFlow;
use crate::analysis::nest::Nest;

/// Until when something is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Never,
    Until(End),
    /// There is no such place.
    Unknown,
}

/// A block that post-dominates all users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    block: Block,
    /// The last operation of the block that is a user or has one inside.
    last: Option<Op>,
    /// There are users in other blocks of the region.
    is_spread: bool,
    /// The users that free it, of the input.
    frees: Frees,
}

/// Users that free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Frees {
    None,
    One(Op),
    Several,
}

impl Frees {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, frees) | (frees, Self::None) => frees,
            (a, b) if a == b => a,
            _ => Self::Several,
        }
    }
}

/// A place after which a holder is not needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In a block, behind the last user there.
    In(Block, Option<Op>),
    /// On the edge from a terminator to its successor `.1`.
    On(Op, usize),
    /// Behind this user, which frees it.
    Freed(Op),
}

/// Finds the ends of all bases of a function.
pub(super) struct Ends<'a> {
    ir: &'a Ir,
    nest: &'a Nest<'a>,
    needs: FxHashMap<Value, Need>,
    trees: Trees,
}

/// The trees of the regions that were asked for.
#[derive(Default)]
struct Trees(FxHashMap<Region, PostDominators>);

impl<'a> Ends<'a> {
    /// Looks at all that every base may become without a copy, which ends at `critical` phis, where
    /// `dead` operands are replaced.
    pub(super) fn new(
        ir: &'a Ir,
        nest: &'a Nest<'a>,
        flow: &ValueFlow,
        critical: &EntitySet<Value>,
        dead: &DeadOperands,
    ) -> Self {
        let mut trees = Trees::default();
        let steps: Vec<(Need, Vec<Value>)> = flow
            .bases()
            .iter()
            .map(|&base| {
                let mut need = Need::Never;
                for user in dead.users(ir, flow, critical, base) {
                    let own = need_of(ir, user);
                    need = trees.join(ir, nest, need, own);
                }
                let targets = flow.flows_out(base).iter();
                let targets = targets.flat_map(|&id| &flow.flow(id).targets);
                let targets = targets.filter(|&&phi| !critical.contains(phi));
                let next = flow.merges(base).iter().chain(targets);
                (need, next.copied().collect())
            })
            .collect();
        let needs = close(flow.bases(), steps, |a, b| trees.join(ir, nest, a, b));
        Self {
            ir,
            nest,
            needs: flow.bases().iter().copied().zip(needs).collect(),
            trees,
        }
    }

    /// Where nothing needs `holder` any more, if control comes there exactly once
    /// per instance.
    pub(super) fn of(&mut self, holder: Value) -> Option<Place> {
        let (region, start) = self.nest.definition(holder);
        let own = Need::Until(End {
            block: start,
            last: None,
            is_spread: false,
            frees: Frees::None,
        });
        let need = *self.needs.get(&holder)?;
        let Need::Until(end) = self.trees.join(self.ir, self.nest, own, need) else {
            return None;
        };
        let place = self.place_of(region, start, end)?;
        match (end.frees, place) {
            (Frees::None, place) => Some(place),
            (Frees::One(op), Place::In(_, Some(last))) if op == last => Some(Place::Freed(op)),
            _ => None,
        }
    }

    /// A place after which something defined in the block `start` of `region` is
    /// not needed, if it is needed until `end`.
    fn place_of(&mut self, region: Region, start: Block, end: End) -> Option<Place> {
        if end.block == start {
            return (!end.is_spread).then_some(Place::In(start, end.last));
        }
        let loops = self.nest.block_loops(region)?;
        if loops.is_irreducible() || !self.nest.properly_dominates(start, end.block) {
            return None;
        }
        let home = loops.innermost(start);
        if loops.innermost(end.block) == home {
            return Some(Place::In(end.block, end.last));
        }
        let inner = loops.directly_inside(home, end.block)?;
        let tree = self.trees.of(self.ir, self.nest, region);
        if let Some((terminator, successor)) = tree.only_exit(inner) {
            return Some(Place::On(terminator, successor));
        }
        let after = tree.after(inner)?;
        (loops.innermost(after) == home && self.nest.properly_dominates(start, after))
            .then_some(Place::In(after, None))
    }
}

fn need_of(ir: &Ir, user: Op) -> Need {
    let frees = ir
        .own_effects(user)
        .is_some_and(|effects| effects.has_any(EffectKind::Free));
    ir.block_of(user).map_or(Need::Unknown, |block| {
        Need::Until(End {
            block,
            last: Some(user),
            is_spread: false,
            frees: if frees { Frees::One(user) } else { Frees::None },
        })
    })
}

impl Trees {
    fn of(&mut self, ir: &Ir, nest: &Nest<'_>, region: Region) -> &PostDominators {
        let tree = self.0.entry(region);
        tree.or_insert_with(|| PostDominators::new(ir, region, nest.block_loops(region)))
    }

    fn join(&mut self, ir: &Ir, nest: &Nest<'_>, a: Need, b: Need) -> Need {
        match (a, b) {
            (Need::Never, need) | (need, Need::Never) => need,
            (Need::Until(a), Need::Until(b)) => self.end_of_both(ir, nest, a, b),
            _ => Need::Unknown,
        }
    }

    fn end_of_both(&mut self, ir: &Ir, nest: &Nest<'_>, mut a: End, mut b: End) -> Need {
        let region = loop {
            let (Some(a_region), Some(b_region)) = (ir.region_of(a.block), ir.region_of(b.block))
            else {
                return Need::Unknown;
            };
            if a_region == b_region {
                break a_region;
            }
            let (inner, region) = if nest.is_inside(b_region, a_region) {
                (&mut b, b_region)
            } else {
                (&mut a, a_region)
            };
            let owner = ir.region_owner(region);
            let Some(block) = ir.block_of(owner) else {
                return Need::Unknown;
            };
            *inner = End {
                block,
                last: Some(owner),
                is_spread: false,
                frees: inner.frees,
            };
        };
        let frees = a.frees.join(b.frees);
        if a.block == b.block {
            let last = match (a.last, b.last) {
                (Some(x), Some(y)) if ir.is_before_in_block(x, y) => Some(y),
                (None, last) => last,
                (last, _) => last,
            };
            return Need::Until(End {
                block: a.block,
                last,
                is_spread: a.is_spread || b.is_spread,
                frees,
            });
        }
        let tree = self.of(ir, nest, region);
        match tree.nearest_common(a.block, b.block) {
            Some(block) => Need::Until(End {
                block,
                last: [a, b]
                    .iter()
                    .find(|end| end.block == block)
                    .and_then(|end| end.last),
                is_spread: true,
                frees,
            }),
            None => Need::Unknown,
        }
    }
}
