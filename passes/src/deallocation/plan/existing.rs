//! Frees that the input has already: kept, checked, and completed where that
//! is provable.
//!
//! Bases that may hand ownership to each other make a *family*. A family without frees is ours. In
//! a family with frees, the frees count as uses, and all is decided as if they were not there; if
//! then every one of them stands where one would be inserted, the family is completed. Otherwise
//! (frees under conditions, of lent memory, of the result of a comparison) the family is left to
//! the program, as a whole: it is taken to know who owns the rest. So the output of the pass, which
//! is such a program, comes out of a second run as it went in. A remark says so of each such
//! family, unless all that is known is that a function returns ownership with a buffer: then an
//! earlier run has dealt with it.
//!
//! A bug on every path is an error either way: a use of a buffer that an unconditional free
//! dominates.

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::bufferization;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;

use crate::analysis::flow::{Origin, is_return};
use crate::analysis::frees::always_frees;
use crate::analysis::union_find::UnionFind;
use crate::deallocation::plan::decide::Ownership;
use crate::deallocation::plan::status::Status;

/// The frees of the input and the families of bases they concern.
#[derive(Default)]
pub(crate) struct ExistingFrees {
    /// Operations that free a base whenever they run, at most once per
    /// instance of it.
    plain: Vec<(Op, Value)>,
    /// Number of the family of each base.
    family: SecondaryMap<Value, usize>,
    /// Families left to the program, by number.
    left_to_program: Vec<bool>,
    /// Those of them that an earlier run has dealt with.
    processed: Vec<bool>,
    /// Operations that free a base, and whether whenever they run.
    frees: Vec<(Op, Value, bool)>,
}

impl ExistingFrees {
    /// Finds the frees. What cannot be completed for sure is left to the
    /// program at once.
    pub(crate) fn new(ownership: &Ownership<'_>) -> Self {
        let ir = ownership.ir;
        let flow = &ownership.flow;
        let (family, n_families) = families(ownership);
        let mut this = Self {
            plain: Vec::new(),
            family,
            left_to_program: vec![false; n_families],
            processed: vec![false; n_families],
            frees: Vec::new(),
        };
        for &base in &ownership.processed_results {
            this.leave_to_program(base);
            this.processed[this.family[base]] = true;
        }
        for op in ir.walk(ir.root()) {
            let Some(effects) = ir.own_effects(op) else {
                continue;
            };
            let certain = always_frees(ir, op);
            for effect in effects.iter().filter(|e| e.kind == EffectKind::Free) {
                let Some(base) = effect.value.and_then(|value| flow.base(value)) else {
                    continue;
                };
                this.frees.push((op, base, certain));
                if certain && is_once_per_instance(ownership, op, base) {
                    this.plain.push((op, base));
                } else if flow.origin(base) != Origin::External {
                    this.leave_to_program(base);
                }
            }
        }
        this
    }

    /// Whether nothing is inserted for `base`.
    pub(crate) fn is_left_to_program(&self, base: Value) -> bool {
        self.left_to_program[self.family[base]]
    }

    /// The unconditional frees of families left to the program that may free memory that
    /// others own: callers, or globals.
    pub(crate) fn lent(&self, ownership: &Ownership<'_>) -> Vec<Op> {
        let flow = &ownership.flow;
        let mut is_lent = vec![false; self.left_to_program.len()];
        for &base in flow.bases() {
            if flow.origin(base) != Origin::External {
                continue;
            }
            let targets = flow.flows_out(base).iter();
            let targets = targets.flat_map(|&id| &flow.flow(id).targets);
            let others = flow.merges(base).iter().chain(ownership.borrowers(base));
            for &other in others.chain(targets) {
                is_lent[self.family[other]] = true;
            }
        }
        let frees = self.frees.iter();
        frees
            .filter(|&&(op, base, certain)| {
                // Inside of a choice, the program may know that the buffer is its own.
                let (home, _) = ownership.definition(base);
                certain
                    && flow.origin(base) != Origin::Fresh
                    && self.is_left_to_program(base)
                    && is_lent[self.family[base]]
                    && ownership.ir.parent_region(op) == Some(home)
            })
            .map(|&(op, ..)| op)
            .collect()
    }

    /// Says which buffers are left to the program: one remark per family.
    pub(crate) fn report(&self, ownership: &Ownership<'_>, diagnostics: &mut Diagnostics) {
        let ir = ownership.ir;
        let mut frees: FxHashMap<usize, Vec<Op>> = FxHashMap::default();
        for &(op, base, _) in &self.frees {
            let family = self.family[base];
            if self.left_to_program[family] && !self.processed[family] {
                frees.entry(family).or_default().push(op);
            }
        }
        for &base in ownership.flow.bases() {
            if ownership.flow.origin(base) != Origin::Fresh {
                continue;
            }
            // The first buffer of the family speaks for all.
            let Some(frees) = frees.remove(&self.family[base]) else {
                continue;
            };
            diagnostics.remark(
                ir.value_loc(base),
                "the program frees this buffer itself, under conditions: nothing is added",
            );
            for free in frees {
                diagnostics.note(ir.loc(free), "freed here");
            }
        }
    }

    /// Leaves the family of `base` to the program.
    pub(crate) fn leave_to_program(&mut self, base: Value) {
        self.left_to_program[self.family[base]] = true;
    }

    /// The bases that are freed in the input although others own them
    /// sometimes, who would free them again.
    pub(crate) fn freed_but_not_owned(&self, ownership: &Ownership<'_>) -> Vec<Value> {
        self.plain
            .iter()
            .filter(|&&(op, base)| ownership.status_at(base, op) != Status::Owned)
            .map(|&(_, base)| base)
            .collect()
    }

    /// Reports errors on all paths.
    ///
    /// # Errors
    /// If something is.
    pub(crate) fn check(
        &self,
        ownership: &Ownership<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let ir = ownership.ir;
        let mut result = Ok(());
        for &(free, base, _) in self.frees.iter().filter(|free| free.2) {
            let is_misused = ownership
                .users(&[base])
                .into_iter()
                .any(|user| user != free && touches(ir, user) && ownership.precedes(free, user));
            if is_misused {
                result = Err(diagnostics.error(
                    ir.loc(free),
                    "buffer is freed here but used afterwards or freed again",
                ));
                diagnostics.note(ir.value_loc(base), "allocated here");
            }
        }
        result
    }
}

/// Numbers the sets of bases that ownership can move between.
fn families(ownership: &Ownership<'_>) -> (SecondaryMap<Value, usize>, usize) {
    let flow = &ownership.flow;
    let bases = flow.bases();
    let mut index_of: SecondaryMap<Value, usize> = SecondaryMap::new();
    for (index, &base) in bases.iter().enumerate() {
        index_of[base] = index;
    }
    let mut sets = UnionFind::new(bases.len());
    for &base in bases {
        // What belongs to others connects nothing: it is never moved.
        if flow.origin(base) == Origin::External {
            continue;
        }
        let mut join = |other: Value| sets.join(index_of[base], index_of[other]);
        // As far as decided yet: results of calls and what they may be.
        for &other in flow.merges(base).iter().chain(ownership.borrowers(base)) {
            join(other);
        }
        for &id in flow.flows_out(base) {
            flow.flow(id)
                .targets
                .iter()
                .for_each(|&target| join(target));
        }
    }
    for &base in bases {
        let index = index_of[base];
        index_of[base] = sets.root(index);
    }
    (index_of, bases.len())
}

/// Whether `op` frees the buffer `base` at most once per instance of it, as
/// far as its own repetition goes.
fn is_once_per_instance(ownership: &Ownership<'_>, op: Op, base: Value) -> bool {
    if !matches!(ownership.flow.origin(base), Origin::Fresh | Origin::Phi) {
        return false;
    }
    let ir = ownership.ir;
    let (region, _) = ownership.definition(base);
    let mut current = op;
    loop {
        match ir.parent_region(current) {
            Some(parent) if parent == region => return true,
            Some(parent) => {
                current = ir.region_owner(parent);
                if !ownership.is_exclusive(current) {
                    return false;
                }
            }
            None => return false,
        }
    }
}

/// Whether `op` reads or writes the memory of its operands, or lets them escape to code that may.
fn touches(ir: &Ir, op: Op) -> bool {
    if ir.is(op, &bufferization::DEALLOC) {
        return always_frees(ir, op);
    }
    if ir.has_trait(op, Traits::TERMINATOR) {
        return is_return(ir, op);
    }
    ir.own_effects(op)
        .is_none_or(|effects| effects.iter().any(|effect| effect.value.is_some()))
}
