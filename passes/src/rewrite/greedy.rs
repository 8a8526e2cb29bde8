//! The greedy pattern driver: folds, erases dead operations, moves constants to the right and
//! applies patterns until nothing changes.
//!
//! Constants that folding makes are shared: one per value and type at the
//! beginning of the entry block of the arena's root (or of the nearest region
//! that is isolated from above). The worklist visits operations in textual
//! order first and then whatever an edit may have affected, so the work is
//! proportional to the program and the number of rewrites.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::materialize;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{FoldResult, OpDef, Pattern, Traits};
use freehold_frontend::ir::rewriter::{Event, Rewriter};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::constants::constant_value;
use crate::analysis::dead_code::ReasonsToKeep;

/// What to apply besides folding.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// Whether the canonicalization patterns of each row apply.
    pub canonicalize: bool,
    /// More patterns, tried on every operation of their row.
    pub patterns: &'a [(&'static OpDef, Pattern)],
    /// The only patterns that apply, by name, if there are any; folding goes on.
    pub enabled: &'a [String],
    /// Patterns that do not apply, by name.
    pub disabled: &'a [String],
    /// Upper bound of rewrites as a multiple of the number of operations, so
    /// that patterns that undo each other end.
    pub rewrites_per_op: usize,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Self {
            canonicalize: true,
            patterns: &[],
            enabled: &[],
            disabled: &[],
            rewrites_per_op: 64,
        }
    }
}

/// What a run of the driver did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Operations replaced by folding.
    pub folded: u64,
    /// Operations erased because nothing needs them.
    pub erased: u64,
    /// Successful pattern applications.
    pub rewritten: u64,
}

impl Outcome {
    /// Whether anything changed.
    pub fn changed(self) -> bool {
        self.folded + self.erased + self.rewritten > 0
    }
}

/// Runs the driver on everything inside the root of `ir`.
pub fn run(ir: &mut Ir, config: Config<'_>) -> Outcome {
    let root = ir.root();
    let ops: Vec<Op> = ir.walk(root).skip(1).collect();
    run_on(ir, &ops, config)
}

/// Runs the driver starting with `ops` (in this order) and goes on with
/// whatever their rewriting affects.
pub fn run_on(ir: &mut Ir, ops: &[Op], config: Config<'_>) -> Outcome {
    let budget = ops
        .len()
        .saturating_mul(config.rewrites_per_op)
        .saturating_add(1000);
    let mut driver = Driver {
        rewriter: Rewriter::new(ir),
        config,
        worklist: Vec::with_capacity(ops.len()),
        queued: EntitySet::new(),
        constants: FxHashMap::default(),
        reasons: ReasonsToKeep::default(),
        outcome: Outcome::default(),
    };
    // Constants that are there already are shared too, once they stand where
    // shared constants stand.
    for &op in ops.iter().rev() {
        driver.push(op);
    }
    while let Some(op) = driver.pop() {
        if driver.outcome.rewritten + driver.outcome.folded > budget as u64 {
            break;
        }
        driver.process(op);
        driver.note_events();
    }
    driver.outcome
}

struct Driver<'a, 'c> {
    rewriter: Rewriter<'a>,
    config: Config<'c>,
    /// A stack; the top is processed next.
    worklist: Vec<Op>,
    queued: EntitySet<Op>,
    /// Shared constants by block, row, value and type.
    constants: FxHashMap<(Block, &'static str, Attr, Type), Op>,
    reasons: ReasonsToKeep,
    outcome: Outcome,
}

impl Driver<'_, '_> {
    fn push(&mut self, op: Op) {
        if !self.rewriter.ir.is_erased(op) && self.queued.insert(op) {
            self.worklist.push(op);
        }
    }

    fn pop(&mut self) -> Option<Op> {
        while let Some(op) = self.worklist.pop() {
            self.queued.remove(op);
            if !self.rewriter.ir.is_erased(op) && op != self.rewriter.ir.root() {
                return Some(op);
            }
        }
        None
    }

    /// Queues what the recorded edits may have affected.
    fn note_events(&mut self) {
        let events = self.rewriter.take_events();
        for event in &events {
            match *event {
                Event::Erased(_) => {}
                Event::Touched(op) => self.push(op),
                Event::Inserted(op) => {
                    if self.rewriter.ir.is_erased(op) {
                        continue;
                    }
                    for inner in self.rewriter.ir.collect_ops(op).into_iter().rev() {
                        self.push(inner);
                    }
                }
                Event::Modified(op) => {
                    if self.rewriter.ir.is_erased(op) {
                        continue;
                    }
                    self.push_users(op);
                    self.push(op);
                    // Patterns look at what an operation holds: the parent of
                    // a changed one is worth another look.
                    if let Some(parent) = self.rewriter.ir.parent_op(op) {
                        self.push(parent);
                    }
                }
            }
        }
        self.rewriter.recycle_events(events);
    }

    fn push_users(&mut self, op: Op) {
        let results: SmallVec<[Value; 4]> = self.rewriter.ir.results(op).into();
        for result in results {
            let users: SmallVec<[Op; 8]> =
                self.rewriter.ir.uses(result).iter().map(|u| u.op).collect();
            for user in users {
                self.push(user);
            }
        }
    }

    fn process(&mut self, op: Op) {
        let ir = &*self.rewriter.ir;
        if ir.is_unused(op)
            && ir.block_of(op).is_some()
            && self.reasons.would_be_trivially_dead(ir, op)
        {
            self.outcome.erased += 1;
            self.erase(op);
            return;
        }
        if ir.has_trait(op, Traits::CONSTANT_LIKE) {
            self.share_constant(op);
            return;
        }
        let def = ir.def(op);
        if let Some(fold) = def.fold
            && self.fold(op, fold)
        {
            return;
        }
        for pattern in def.canonicalize {
            if self.config.canonicalize && self.apply(*pattern, op) {
                return;
            }
        }
        for (row, pattern) in self.config.patterns {
            if std::ptr::eq(*row, def) && self.apply(*pattern, op) {
                return;
            }
        }
    }

    fn apply(&mut self, pattern: Pattern, op: Op) -> bool {
        let is_in = |list: &[String]| list.iter().any(|name| name == pattern.name);
        let Config {
            enabled, disabled, ..
        } = self.config;
        if !enabled.is_empty() && !is_in(enabled) || is_in(disabled) {
            return false;
        }
        if !self.rewriter.ir.context().rewrites().may_go_on() {
            return false;
        }
        let (row, loc) = (self.rewriter.ir.def(op).name, self.rewriter.ir.loc(op));
        let changed = (pattern.apply)(&mut self.rewriter, op);
        if changed {
            self.outcome.rewritten += 1;
            self.note(|| format!("pattern '{}' of '{row}'", pattern.name), loc);
            // The same operation may match again.
            self.push(op);
        }
        changed
    }

    fn erase(&mut self, op: Op) {
        let parent = self.rewriter.ir.parent_op(op);
        self.rewriter.erase_op(op);
        if let Some(parent) = parent {
            self.push(parent);
        }
    }

    /// Folds `op`; returns whether it is done with for now.
    fn fold(&mut self, op: Op, fold: freehold_frontend::ir::op_def::FoldFn) -> bool {
        if self.rewriter.ir.has_trait(op, Traits::COMMUTATIVE) {
            self.move_constants_right(op);
        }
        let ir = &*self.rewriter.ir;
        let constants: SmallVec<[Option<Attr>; 4]> = ir
            .operands(op)
            .iter()
            .map(|&v| constant_value(ir, v))
            .collect();
        let results = fold(ir, op, &constants);
        if results.is_empty() || !ir.context().rewrites().may_go_on() {
            return false;
        }
        debug_assert_eq!(results.len(), ir.results(op).len());
        if results
            .iter()
            .enumerate()
            .all(|(i, r)| *r == FoldResult::Value(ir.result(op, i)))
        {
            return false;
        }
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for (i, result) in results.iter().enumerate() {
            let value = match *result {
                FoldResult::Value(value) => value,
                FoldResult::Attr(attr) => {
                    let ty = self.rewriter.ir.value_type(self.rewriter.ir.result(op, i));
                    match self.constant(op, attr, ty) {
                        Some(value) => value,
                        None => return false,
                    }
                }
            };
            if self.rewriter.ir.value_type(value)
                != self.rewriter.ir.value_type(self.rewriter.ir.result(op, i))
            {
                return false;
            }
            values.push(value);
        }
        self.outcome.folded += 1;
        let ir = &*self.rewriter.ir;
        let (row, loc) = (ir.def(op).name, ir.loc(op));
        self.note(|| format!("fold of '{row}'"), loc);
        self.rewriter.replace_op(op, &values);
        true
    }

    /// Tells who counts what was done to an operation.
    fn note(&self, what: impl Fn() -> String, loc: Loc) {
        let context = self.rewriter.ir.context();
        context.rewrites().note(what, || {
            let at = context.resolve_loc(loc);
            at.map_or(String::new(), |at| format!(" at {}:{}", at.line, at.column))
        });
    }

    fn move_constants_right(&mut self, op: Op) {
        let ir = &*self.rewriter.ir;
        let operands: SmallVec<[Value; 4]> = ir.operands(op).into();
        let mut ordered = operands.clone();
        ordered.sort_by_key(|&v| constant_value(ir, v).is_some());
        if ordered != operands {
            self.rewriter.set_operands(op, &ordered);
        }
    }

    /// The block that holds the shared constants `op` may use: the entry of
    /// the outermost region around it that is not isolated further in.
    fn constant_block(&self, op: Op) -> Option<Block> {
        let ir = &*self.rewriter.ir;
        let mut region = ir.parent_region(op)?;
        loop {
            let owner = ir.region_owner(region);
            if ir.has_trait(owner, Traits::ISOLATED_FROM_ABOVE) || owner == ir.root() {
                return ir.entry_block(region);
            }
            match ir.parent_region(owner) {
                Some(outer) => region = outer,
                None => return ir.entry_block(region),
            }
        }
    }

    /// Moves a constant to where shared constants stand, or replaces it by
    /// the equal one that is there.
    fn share_constant(&mut self, op: Op) {
        let ir = &*self.rewriter.ir;
        let [result] = ir.results(op) else { return };
        let (Some(attr), Some(block)) = (constant_value(ir, *result), self.constant_block(op))
        else {
            return;
        };
        // More attributes than the value make a constant unlike others.
        if ir.context().dict(ir.attrs(op)).len() != 1 {
            return;
        }
        let key = (block, ir.def(op).name, attr, ir.value_type(*result));
        match self.constants.get(&key) {
            Some(&known) if known == op => {}
            Some(&known) if !ir.is_erased(known) => {
                let value = ir.result(known, 0);
                self.outcome.folded += 1;
                self.rewriter.replace_op(op, &[value]);
            }
            _ => {
                self.constants.insert(key, op);
                self.move_to_constants(op, block);
            }
        }
    }

    /// Puts a constant among the constants that the block begins with.
    fn move_to_constants(&mut self, op: Op, block: Block) {
        let ir = &mut *self.rewriter.ir;
        // Only the first shared one stays where it is: behind nothing but constants.
        let stands_there = ir.block_of(op) == Some(block)
            && self.constants.len() < 2
            && std::iter::successors(ir.prev_op(op), |&prev| ir.prev_op(prev))
                .all(|prev| ir.has_trait(prev, Traits::CONSTANT_LIKE));
        if !stands_there && ir.first_op(block) != Some(op) {
            ir.detach_op(op);
            ir.prepend_op(block, op);
        }
    }

    /// The shared constant of this value and type, made if needed.
    fn constant(&mut self, op: Op, attr: Attr, ty: Type) -> Option<Value> {
        let block = self.constant_block(op)?;
        let ir = &*self.rewriter.ir;
        let def = materialize::constant_row(ir.context(), ir.def(op), attr, ty)?;
        let key = (block, def.name, attr, ty);
        if let Some(&known) = self.constants.get(&key)
            && !self.rewriter.ir.is_erased(known)
        {
            return Some(self.rewriter.ir.result(known, 0));
        }
        let ir = &mut *self.rewriter.ir;
        let spec = OpSpec::new(def, ir.loc(op))
            .results(&[ty])
            .attr(Name::VALUE, attr);
        let constant = ir.create_op(spec);
        ir.prepend_op(block, constant);
        self.constants.insert(key, constant);
        Some(ir.result(constant, 0))
    }
}
