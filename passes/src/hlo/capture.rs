//! What a program may free itself: `memref.dealloc` and `memref.realloc`
//! capture a buffer from the block that owns it.
//!
//! They may do so in the block itself, or inside of `scf.if`s in it, if the
//! buffer does not live on in the other branch but as one that the branch
//! yields. Everything else is an error here; that nothing uses the buffer
//! afterwards is checked when frees are placed.

use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::names::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ownership::flow::{Origin, ValueFlow};

/// Checks all frees that the function `ir` has.
///
/// # Errors
/// If there is one that may not be.
pub(super) fn check(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let frees: Vec<(Op, Value)> = ir
        .walk(ir.root())
        .filter(|&op| !ir.has_attr(op, Name::MANUAL_DEALLOCATION))
        .flat_map(|op| freed_values(ir, op).into_iter().map(move |v| (op, v)))
        .collect();
    if frees.is_empty() {
        return Ok(());
    }
    let flow = ValueFlow::new(ir);
    let mut captures = Captures {
        ir,
        flow: &flow,
        released_in: FxHashSet::default(),
    };
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
        errors.extend(captures.check_branches(op, base).err());
    }
    errors.extend(captures.find_second_release(&releases));
    let mut result = Ok(());
    let mut reported: FxHashSet<Error> = FxHashSet::default();
    for (op, message) in errors {
        if !reported.insert((op, message)) {
            continue;
        }
        let message = format!("'{}' op {message}", ir.op_name(op));
        result = Err(diagnostics.error(ir.loc(op), message));
    }
    result
}

/// An error: where, and what.
type Error = (Op, &'static str);

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

impl Captures<'_> {
    /// The base that `op` frees as `value`; `None` if that is the program's own matter.
    fn captured(&self, op: Op, value: Value) -> Result<Option<Value>, Error> {
        let ir = self.ir;
        if !ir.is(op, &memref::DEALLOC) && !ir.is(op, &memref::REALLOC) {
            return Err((op, "memref free side-effect on MemRef value not supported!"));
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
            Origin::External | Origin::Merge => {
                Err((op, "unable to find ownership indicator for operand"))
            }
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

    /// Whether every way past the operations around `op` releases `base` or
    /// hands it on.
    fn check_branches(&self, op: Op, base: Value) -> Result<(), Error> {
        let ir = self.ir;
        for (parent, block) in self.enclosing(op, base) {
            if !ir.is(parent, &scf::IF) {
                return Err((
                    parent,
                    "can't implicitly capture across loop boundaries; use an explicit iter arg \
                     instead",
                ));
            }
            let view = scf::If(parent);
            let Some(else_yield) = view.else_yield(ir) else {
                return Err((parent, "cannot implicitly capture from an if without else"));
            };
            let is_then = ir.region_of(block) == Some(ir.region(parent, 0));
            let (other, terminator) = match is_then {
                true => (ir.region(parent, 1), else_yield),
                false => (ir.region(parent, 0), view.then_yield(ir)),
            };
            let is_yielded = ir
                .operands(terminator)
                .iter()
                .any(|&operand| self.flow.base(operand) == Some(base));
            if !is_yielded && !self.released_in.contains(&(base, other)) {
                return Err((parent, "released value not yielded on other branch"));
            }
        }
        Ok(())
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
