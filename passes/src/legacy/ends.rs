//! Where a holder is needed for the last time on all paths at once.
//!
//! The answer is found for all bases together, from those that a base may
//! become: many holders often share what they may become.

use cranelift_entity::EntitySet;
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::PostDominatorTree;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use rustc_hash::FxHashMap;

use super::aliases::close;
use super::nest::Nest;
use crate::ownership::flow::ValueFlow;

/// Until when something is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Never,
    Until(End),
    /// There is no such place, or somebody frees it.
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
}

/// Finds the ends of all bases of a function.
pub(super) struct Ends<'a> {
    ir: &'a Ir,
    nest: &'a Nest<'a>,
    needs: FxHashMap<Value, Need>,
    trees: PostDominators,
}

/// The trees of the regions that were asked for.
#[derive(Default)]
struct PostDominators(FxHashMap<Region, PostDominatorTree>);

impl<'a> Ends<'a> {
    /// Looks at what every base may become without a copy, which is what is
    /// made on the way to `critical` phis.
    pub(super) fn new(
        ir: &'a Ir,
        nest: &'a Nest<'a>,
        flow: &ValueFlow,
        critical: &EntitySet<Value>,
    ) -> Self {
        let mut trees = PostDominators::default();
        let steps: Vec<(Need, Vec<Value>)> = flow
            .bases()
            .iter()
            .map(|&base| {
                let mut need = Need::Never;
                for &member in flow.members(base) {
                    for use_ in ir.uses(member) {
                        let own = need_of(ir, use_.op);
                        need = trees.join(ir, nest, need, own);
                    }
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

    /// The block and the last user in it after which nothing needs `holder`, if
    /// control comes there exactly once per instance. In a loop of blocks the
    /// next iteration may come in between, so there only the block that defines
    /// the holder will do.
    pub(super) fn of(&mut self, holder: Value) -> Option<(Block, Option<Op>)> {
        let (region, start) = self.nest.definition(holder);
        let own = Need::Until(End {
            block: start,
            last: None,
            is_spread: false,
        });
        let need = *self.needs.get(&holder)?;
        let Need::Until(end) = self.trees.join(self.ir, self.nest, own, need) else {
            return None;
        };
        let is_as_often = if end.block == start {
            !end.is_spread
        } else {
            let loops = self.nest.block_loops(region)?;
            self.nest.properly_dominates(start, end.block)
                && !loops.is_irreducible()
                && [start, end.block]
                    .iter()
                    .all(|&block| loops.outermost_header(block).is_none())
        };
        is_as_often.then_some((end.block, end.last))
    }
}

fn need_of(ir: &Ir, user: Op) -> Need {
    let frees = ir
        .own_effects(user)
        .is_some_and(|effects| effects.has_any(EffectKind::Free));
    match ir.block_of(user) {
        Some(block) if !frees => Need::Until(End {
            block,
            last: Some(user),
            is_spread: false,
        }),
        _ => Need::Unknown,
    }
}

impl PostDominators {
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
            let Need::Until(outer) = need_of(ir, ir.region_owner(region)) else {
                return Need::Unknown;
            };
            *inner = outer;
        };
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
            });
        }
        let tree = self.0.entry(region);
        let tree = tree.or_insert_with(|| PostDominatorTree::new(ir, region));
        match tree.nearest_common_post_dominator(a.block, b.block) {
            Some(block) => Need::Until(End {
                block,
                last: [a, b]
                    .iter()
                    .find(|end| end.block == block)
                    .and_then(|end| end.last),
                is_spread: true,
            }),
            None => Need::Unknown,
        }
    }
}
