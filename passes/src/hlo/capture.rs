//! What a program may free itself: `memref.dealloc` and `memref.realloc`
//! capture a buffer from the block that owns it.
//!
//! They may do so in the block itself, or inside of choices in it. Then the
//! buffer must not live on in the other branches but as one that the branch
//! yields; those that do not use it free it. A missing `else` is such a branch.
//! Everything else is an error. That nothing uses the buffer afterwards is
//! checked when frees are placed: until then, some errors are only [`Doubts`].
//!
//! A `memref.dealloc` of what `arith.select` picks frees one buffer or the other:
//! [`spell_out`] makes it a choice of two frees.

use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::owners::base_of;
use crate::ownership::decide::is_exclusive;
use crate::ownership::flow::{Origin, ValueFlow};

/// `arith.select`s on top of each other that are made choices.
const MAX_PICKS: u32 = 4;

/// Errors of frees that turn out to be none if every path can be completed.
pub(super) type Doubts = FxHashMap<Op, Error>;

/// What [`spell_out`] made.
#[derive(Default)]
pub(super) struct SpelledOut {
    /// The frees of what was picked.
    picked: Vec<Op>,
    /// The choices that had one branch only.
    completed: FxHashSet<Op>,
}

/// Makes choices of frees of what `arith.select` picks, and gives the `scf.if`s in which the
/// program frees a buffer from outside both of their branches.
pub(super) fn spell_out(ir: &mut Ir) -> SpelledOut {
    let mut made = SpelledOut::default();
    let picking: Vec<(Op, Value)> = all_frees(ir)
        .into_iter()
        .filter(|&(op, value)| {
            ir.is(op, &memref::DEALLOC)
                && picked(ir, value).is_some()
                && picks(ir, value) <= MAX_PICKS
        })
        .collect();
    for (op, value) in picking {
        free_picked(ir, op, value, &mut made.picked);
        ir.erase_op(op);
    }
    let frees = all_frees(ir);
    if frees.is_empty() {
        return made;
    }
    let flow = ValueFlow::new(ir);
    let captures = Captures::new(ir, &flow);
    let mut incomplete = Vec::new();
    for (op, value) in frees {
        if let Ok(Some(base)) = captures.captured(op, value) {
            for (parent, _) in captures.enclosing(op, base) {
                let is_incomplete =
                    ir.is(parent, &scf::IF) && scf::If(parent).else_block(ir).is_none();
                if is_incomplete && made.completed.insert(parent) {
                    incomplete.push(parent);
                }
            }
        }
    }
    for op in incomplete {
        let region = ir.region(op, 1);
        let block = ir.append_block(region, &[]);
        let loc = ir.loc(op);
        let mut builder = Builder::at_end(ir, block);
        builder.set_loc(loc);
        scf::build_yield(&mut builder, &[]);
    }
    made
}

/// The condition and the two buffers of the `arith.select` that `value` comes from.
fn picked(ir: &Ir, value: Value) -> Option<[Value; 3]> {
    let select = ir.defined_by(base_of(ir, value), &arith::SELECT)?;
    let &[condition, a, b] = ir.operands(select) else {
        return None;
    };
    (ir.value_type(condition) == Type::I1).then_some([condition, a, b])
}

/// How many `arith.select`s are on top of each other in `value`, up to one too many.
fn picks(ir: &Ir, value: Value) -> u32 {
    fn count(ir: &Ir, value: Value, left: u32) -> u32 {
        match picked(ir, value) {
            Some([_, a, b]) if left != 0 => 1 + count(ir, a, left - 1).max(count(ir, b, left - 1)),
            _ => 0,
        }
    }
    count(ir, value, MAX_PICKS + 1)
}

/// Frees in front of `before` what `value` picks.
fn free_picked(ir: &mut Ir, before: Op, value: Value, frees: &mut Vec<Op>) {
    let mut builder = Builder::before(ir, before);
    let Some([condition, a, b]) = picked(builder.ir, value) else {
        frees.push(memref::build::dealloc(&mut builder, value));
        return;
    };
    let choice = scf::If(scf::build_if(&mut builder, condition, &[], true));
    let then_yield = choice.then_yield(ir);
    free_picked(ir, then_yield, a, frees);
    if let Some(else_yield) = choice.else_yield(ir) {
        free_picked(ir, else_yield, b, frees);
    }
}

/// All frees that the program has.
fn all_frees(ir: &Ir) -> Vec<(Op, Value)> {
    ir.walk(ir.root())
        .filter(|&op| !ir.has_attr(op, Name::MANUAL_DEALLOCATION))
        .flat_map(|op| freed_values(ir, op).into_iter().map(move |v| (op, v)))
        .collect()
}

/// Checks all frees that the function `ir` has, of which some were `made`.
///
/// # Errors
/// If there is one that may not be.
pub(super) fn check(
    ir: &Ir,
    made: &SpelledOut,
    diagnostics: &mut Diagnostics,
) -> Result<Doubts, Failed> {
    let frees = all_frees(ir);
    if frees.is_empty() {
        return Ok(Doubts::default());
    }
    let flow = ValueFlow::new(ir);
    let mut captures = Captures::new(ir, &flow);
    let mut doubts: Doubts = made.picked.iter().map(|&op| (op, (op, NO_OWNER))).collect();
    let mut releases = Vec::new();
    let mut errors = Vec::new();
    for (op, value) in frees {
        match captures.captured(op, value) {
            Ok(Some(base)) => releases.push((op, base)),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    for &(op, base) in &releases {
        captures.note_regions(op, base);
    }
    for &(op, base) in &releases {
        match captures.check_branches(op, base, made) {
            Ok(None) => {}
            Ok(Some(doubt)) => {
                doubts.entry(op).or_insert(doubt);
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(captures.find_second_release(&releases));
    report(ir, &errors, diagnostics).map(|()| doubts)
}

/// Reports each of `errors` once.
///
/// # Errors
/// If there are any.
pub(super) fn report(
    ir: &Ir,
    errors: &[Error],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut result = Ok(());
    let mut reported: FxHashSet<(Loc, &str)> = FxHashSet::default();
    for &(op, message) in errors {
        if !reported.insert((ir.loc(op), message)) {
            continue;
        }
        let message = format!("'{}' op {message}", ir.op_name(op));
        result = Err(diagnostics.error(ir.loc(op), message));
    }
    result
}

/// An error: where, and what.
pub(super) type Error = (Op, &'static str);

/// What is said of frees that nothing else can be said of.
pub(super) const UNSUPPORTED: &str = "memref free side-effect on MemRef value not supported!";
const NO_OWNER: &str = "unable to find ownership indicator for operand";

fn freed_values(ir: &Ir, op: Op) -> Vec<Value> {
    let Some(effects) = ir.own_effects(op) else {
        return Vec::new();
    };
    effects
        .iter()
        .filter(|effect| effect.kind == EffectKind::Free)
        .filter_map(|effect| effect.value)
        .collect()
}

struct Captures<'a> {
    ir: &'a Ir,
    flow: &'a ValueFlow,
    /// Which bases are released somewhere inside of which regions.
    released_in: FxHashSet<(Value, Region)>,
}

impl<'a> Captures<'a> {
    fn new(ir: &'a Ir, flow: &'a ValueFlow) -> Self {
        Self {
            ir,
            flow,
            released_in: FxHashSet::default(),
        }
    }

    /// The base that `op` frees as `value`; `None` if that is the program's own matter.
    fn captured(&self, op: Op, value: Value) -> Result<Option<Value>, Error> {
        let ir = self.ir;
        if !ir.is(op, &memref::DEALLOC) && !ir.is(op, &memref::REALLOC) {
            return Err((op, UNSUPPORTED));
        }
        let Some(base) = self.flow.base(value) else {
            return Ok(None);
        };
        let is_manual = ir
            .defining_op(base)
            .is_some_and(|op| ir.has_attr(op, Name::MANUAL_DEALLOCATION));
        match self.flow.origin(base) {
            _ if is_manual => Ok(None),
            Origin::Fresh | Origin::Phi => Ok(Some(base)),
            Origin::External | Origin::Merge => Err((op, NO_OWNER)),
        }
    }

    /// The operations around `op` up to the block that owns `base`, innermost
    /// first, each with the block that `op` is inside of.
    fn enclosing(&self, op: Op, base: Value) -> impl Iterator<Item = (Op, Block)> {
        let ir = self.ir;
        let home = ir.value_block(base).and_then(|block| ir.region_of(block));
        let mut current = op;
        std::iter::from_fn(move || {
            let block = ir.block_of(current)?;
            if ir.region_of(block) == home {
                return None;
            }
            current = ir.block_parent_op(block)?;
            Some((current, block))
        })
    }

    fn note_regions(&mut self, op: Op, base: Value) {
        let regions: Vec<Region> = self
            .enclosing(op, base)
            .filter_map(|(_, block)| self.ir.region_of(block))
            .collect();
        for region in regions {
            self.released_in.insert((base, region));
        }
    }

    /// Whether every way past the operations around `op` releases `base` or hands it on. If one
    /// does neither, it must be able to free it.
    fn check_branches(
        &self,
        op: Op,
        base: Value,
        made: &SpelledOut,
    ) -> Result<Option<Error>, Error> {
        let ir = self.ir;
        let mut doubt = None;
        for (parent, block) in self.enclosing(op, base) {
            if !is_exclusive(ir, parent) {
                return Err((
                    parent,
                    "can't implicitly capture across loop boundaries; use an explicit iter arg \
                     instead",
                ));
            }
            let inside = ir.region_of(block);
            let others = ir.regions(parent).iter().filter(|&&r| Some(r) != inside);
            let is_dealt_with = |&region: &Region| {
                let terminator = ir.single_block(region).and_then(|block| ir.last_op(block));
                self.released_in.contains(&(base, region))
                    || terminator.is_some_and(|terminator| {
                        let mut yielded = ir.operands(terminator).iter();
                        yielded.any(|&operand| self.flow.base(operand) == Some(base))
                    })
            };
            if !others.copied().all(|region| is_dealt_with(&region)) {
                doubt = doubt.or(Some(match made.completed.contains(&parent) {
                    true => (parent, "cannot implicitly capture from an if without else"),
                    false => (parent, "released value not yielded on other branch"),
                }));
            }
        }
        Ok(doubt)
    }

    /// The place of a buffer that is released twice, one after the other.
    fn find_second_release(&self, releases: &[(Op, Value)]) -> Option<Error> {
        let ir = self.ir;
        // The operation of each block that releases a base, itself or inside.
        let mut releasing: FxHashMap<(Value, Block), Op> = FxHashMap::default();
        for &(op, base) in releases {
            let parents = self.enclosing(op, base).map(|(parent, _)| parent);
            for current in std::iter::once(op).chain(parents) {
                let block = ir.block_of(current)?;
                let first = *releasing.entry((base, block)).or_insert(current);
                if first != current {
                    let parent = ir.block_parent_op(block)?;
                    let message = match parent == ir.root() {
                        true => "invalid realloc of memref",
                        false => "same value released twice",
                    };
                    return Some((parent, message));
                }
            }
        }
        None
    }
}
