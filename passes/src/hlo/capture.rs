//! What a program may free itself: `memref.dealloc` and `memref.realloc`
//! capture a buffer from the block that owns it.
//!
//! They may do so in the block itself, or inside of choices in it. Branches that neither free
//! the buffer nor hand it on get a free of their own where nothing uses the buffer afterwards; a
//! missing `else` is such a branch. Where something does, under conditions of the program's own,
//! the buffer is left to the program, as [`existing`](crate::deallocation::plan::existing) does. A free
//! inside of a loop around which the buffer lives is an error.
//!
//! A `memref.dealloc` of the result of `arith.select` frees one buffer or the other: [`spell_out`]
//! makes it a choice of two frees.

use freehold_frontend::dialects::{arith, bufferization, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::flow::{Origin, ValueFlow};
use crate::analysis::travels::base_of;
use crate::deallocation::plan::decide::is_exclusive;

/// `arith.select`s on top of each other that are made choices: each doubles the code, which this
/// bounds.
const MAX_PICKS: u32 = 4;

/// Makes choices of frees of `arith.select` results, and gives the `scf.if`s in which the program
/// frees a buffer from outside both of their branches.
pub(super) fn spell_out(ir: &mut Ir) {
    let picking: Vec<(Op, Value)> = all_frees(ir)
        .into_iter()
        .filter(|&(op, value)| {
            ir.is(op, &memref::DEALLOC)
                && picked(ir, value).is_some()
                && picks(ir, value) <= ir.capped(MAX_PICKS)
        })
        .collect();
    for (op, value) in picking {
        free_picked(ir, op, value);
        ir.erase_op(op);
    }
    let frees = all_frees(ir);
    if frees.is_empty() {
        return;
    }
    let flow = ValueFlow::new(ir);
    let captures = Captures { ir, flow: &flow };
    let mut incomplete: IndexSet<Op, FxBuildHasher> = IndexSet::default();
    for (op, value) in frees {
        if let Ok(Some(base)) = captures.captured(op, value) {
            let parents = captures.enclosing(op, base).map(|(parent, _)| parent);
            incomplete.extend(parents.filter(|&parent| {
                ir.is(parent, &scf::IF) && scf::If(parent).else_block(ir).is_none()
            }));
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
    count(ir, value, ir.capped(MAX_PICKS) + 1)
}

/// Frees in front of `before` what `value` picks.
fn free_picked(ir: &mut Ir, before: Op, value: Value) {
    let mut builder = Builder::before(ir, before);
    let Some([condition, a, b]) = picked(builder.ir, value) else {
        memref::build::dealloc(&mut builder, value);
        return;
    };
    let choice = scf::If(scf::build_if(&mut builder, condition, &[], true));
    let then_yield = choice.then_yield(ir);
    free_picked(ir, then_yield, a);
    if let Some(else_yield) = choice.else_yield(ir) {
        free_picked(ir, else_yield, b);
    }
}

/// All frees that the program has.
fn all_frees(ir: &Ir) -> Vec<(Op, Value)> {
    ir.walk(ir.root())
        .filter(|&op| !ir.has_attr(op, Name::MANUAL_DEALLOCATION))
        .flat_map(|op| freed_values(ir, op).into_iter().map(move |v| (op, v)))
        .collect()
}

/// Checks all frees that the function `ir` has.
///
/// # Errors
/// If there is one that may not be.
pub(super) fn check(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let frees = all_frees(ir);
    if frees.is_empty() {
        return Ok(());
    }
    let flow = ValueFlow::new(ir);
    let captures = Captures { ir, flow: &flow };
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
        let mut enclosing = captures.enclosing(op, base);
        if let Some((parent, _)) = enclosing.find(|&(parent, _)| !is_exclusive(ir, parent)) {
            errors.push((parent, ACROSS_LOOP));
        }
    }
    errors.extend(captures.find_second_release(&releases));
    report(ir, &errors, diagnostics)
}

/// Reports each of `errors` once.
///
/// # Errors
/// If there are any.
fn report(ir: &Ir, errors: &[Error], diagnostics: &mut Diagnostics) -> Result<(), Failed> {
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
type Error = (Op, &'static str);

/// The message for all other frees.
pub(super) const UNSUPPORTED: &str = "memref free side-effect on MemRef value not supported!";
const NO_OWNER: &str = "unable to find ownership indicator for operand";
const ACROSS_LOOP: &str =
    "can't implicitly capture across loop boundaries; use an explicit iter arg instead";

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
}

impl Captures<'_> {
    /// The base that `op` frees as `value`; `None` if that is the program's own matter.
    fn captured(&self, op: Op, value: Value) -> Result<Option<Value>, Error> {
        let ir = self.ir;
        if ir.is(op, &bufferization::DEALLOC) || ir.def(op).dialect() == "deallocation" {
            return Err((op, UNSUPPORTED));
        }
        // Only the program knows what operations of others do.
        if !ir.is(op, &memref::DEALLOC) && !ir.is(op, &memref::REALLOC) {
            return Ok(None);
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

    /// Whether maybe only one of two choices, each given with the branch that matters, runs it.
    fn may_exclude(&self, (a, in_a): (Op, Option<Block>), (b, in_b): (Op, Option<Block>)) -> bool {
        let ir = self.ir;
        let is_then = |op: Op, block: Option<Block>| block == Some(scf::If(op).then_block(ir));
        ir.is(a, &scf::IF)
            && ir.is(b, &scf::IF)
            && (ir.operand(a, 0) != ir.operand(b, 0) || is_then(a, in_a) != is_then(b, in_b))
    }

    /// The place of a buffer that is released twice, one after the other.
    fn find_second_release(&self, releases: &[(Op, Value)]) -> Option<Error> {
        let ir = self.ir;
        // The operation of each block that releases a base, itself or inside of one of its blocks.
        let mut releasing: FxHashMap<(Value, Block), (Op, Option<Block>)> = FxHashMap::default();
        for &(op, base) in releases {
            let parents = self.enclosing(op, base);
            let parents = parents.map(|(parent, block)| (parent, Some(block)));
            for current in std::iter::once((op, None)).chain(parents) {
                let block = ir.block_of(current.0)?;
                let first = *releasing.entry((base, block)).or_insert(current);
                if first.0 != current.0 && !self.may_exclude(first, current) {
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
