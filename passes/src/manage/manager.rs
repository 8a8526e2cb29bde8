//! Runs a [`Pipeline`] on a module: function passes on all functions in
//! parallel, module passes on the whole.
//!
//! Reports come out in the order of the functions, whichever thread was first.

use std::sync::Arc;
use std::time::{Duration, Instant};

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::verify;

use crate::manage::pass::{Anchor, Pass, Statistics};
use crate::manage::pipeline::{PassStep, Pipeline, Step, Target};
use crate::rewrite::functions::{map_nested, stubs};

/// Called around each pass; `ir` is the arena it works on.
pub type Observer<'a> = &'a (dyn Fn(&Ir, &'static dyn Pass) + Sync);

/// How to run, and what to watch.
#[derive(Default, Clone, Copy)]
pub struct RunOptions<'a> {
    /// Verify each arena after each pass.
    pub verify_each: bool,
    /// Called before each pass.
    pub before_pass: Option<Observer<'a>>,
    /// Called after each pass that succeeded.
    pub after_pass: Option<Observer<'a>>,
    /// Runs functions one after the other, so that observers see them in order.
    pub sequential: bool,
}

/// What one pass cost and counted, summed over all arenas it ran on.
#[derive(Clone, Debug)]
pub struct PassReport {
    /// Its name.
    pub name: &'static str,
    /// Time spent, summed over threads.
    pub time: Duration,
    /// Its counters.
    pub statistics: Statistics,
}

/// What a pipeline cost and counted: one entry per step that ran, in order.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// In the order of first running.
    pub passes: Vec<PassReport>,
}

impl Report {
    fn merge(&mut self, other: Report) {
        for (at, report) in other.passes.into_iter().enumerate() {
            match self.passes.get_mut(at) {
                Some(known) => {
                    known.time += report.time;
                    merge_statistics(&mut known.statistics, report.statistics);
                }
                None => self.passes.push(report),
            }
        }
    }
}

fn merge_statistics(into: &mut Statistics, from: Statistics) {
    for (name, n) in from {
        match into.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 += n,
            None => into.push((name, n)),
        }
    }
}

/// Runs `pipeline` on the module `ir`.
///
/// # Errors
/// If a pass failed or left invalid IR; the reason is in `diagnostics`.
pub fn run(
    ir: &mut Ir,
    pipeline: &Pipeline,
    options: RunOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Report, Failed> {
    let mut worker = Worker {
        options,
        diagnostics: Diagnostics::new(),
        report: Report::default(),
    };
    let symbols = Arc::new(SymbolTable::of(ir));
    let outcome = worker.run_steps(ir, &pipeline.steps, &symbols);
    diagnostics.append(worker.diagnostics);
    outcome.map(|()| worker.report)
}

/// The state of one thread's share of the work.
struct Worker<'a> {
    options: RunOptions<'a>,
    diagnostics: Diagnostics,
    report: Report,
}

impl Worker<'_> {
    /// Runs steps on the arena of a module. Runs of steps that concern only
    /// functions are done function by function.
    fn run_steps(
        &mut self,
        ir: &mut Ir,
        steps: &[Step],
        symbols: &Arc<SymbolTable>,
    ) -> Result<(), Failed> {
        let mut symbols = Arc::clone(symbols);
        let mut at = 0;
        while at < steps.len() {
            let n_function_steps = steps[at..]
                .iter()
                .take_while(|step| concerns_functions_only(step))
                .count();
            if n_function_steps > 0 {
                self.run_on_nested(ir, &steps[at..at + n_function_steps], &symbols, false)?;
                at += n_function_steps;
                continue;
            }
            match &steps[at] {
                Step::Pass(pass) => {
                    if pass.pass().anchor() == Anchor::Any {
                        // Functions first: what the module loses because of
                        // them (calls, symbols) is seen at once.
                        let step = &steps[at..=at];
                        self.run_on_nested(ir, step, &symbols, true)?;
                    }
                    self.run_pass(ir, pass, &symbols)?;
                    symbols = Arc::new(SymbolTable::of(ir));
                }
                Step::Nested(pipeline) => {
                    // The steps inside are for modules nested in this one, or
                    // (`any`) for this module's children of all kinds.
                    let any = pipeline.target == Target::Any;
                    self.run_on_nested_modules(ir, &pipeline.steps, any, &symbols)?;
                    symbols = Arc::new(SymbolTable::of(ir));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Runs function steps on every function below, in parallel. With
    /// `modules`, nested modules get the steps too.
    fn run_on_nested(
        &mut self,
        ir: &mut Ir,
        steps: &[Step],
        symbols: &Arc<SymbolTable>,
        modules: bool,
    ) -> Result<(), Failed> {
        self.for_each_nested(ir, |worker, nested| {
            if nested.has_trait(nested.root(), Traits::FUNCTION) {
                return worker.run_function_steps(nested, steps, symbols);
            }
            let inner = Arc::new(SymbolTable::of(nested));
            if modules {
                worker.run_steps(nested, steps, &inner)
            } else {
                worker.run_on_nested(nested, steps, &inner, false)
            }
        })
    }

    fn run_on_nested_modules(
        &mut self,
        ir: &mut Ir,
        steps: &[Step],
        functions_too: bool,
        symbols: &Arc<SymbolTable>,
    ) -> Result<(), Failed> {
        self.for_each_nested(ir, |worker, nested| {
            if nested.has_trait(nested.root(), Traits::FUNCTION) {
                if functions_too {
                    worker.run_function_steps(nested, steps, symbols)?;
                }
                return Ok(());
            }
            let inner = Arc::new(SymbolTable::of(nested));
            worker.run_steps(nested, steps, &inner)
        })
    }

    /// Takes all nested arenas out, works on them in parallel, puts them back.
    fn for_each_nested(
        &mut self,
        ir: &mut Ir,
        work: impl Fn(&mut Worker<'_>, &mut Ir) -> Result<(), Failed> + Sync,
    ) -> Result<(), Failed> {
        let options = self.options;
        let stubs = stubs(ir, |_, _| true);
        let outcomes = map_nested(ir, stubs, options.sequential, |nested| {
            let mut worker = Worker {
                options,
                diagnostics: Diagnostics::new(),
                report: Report::default(),
            };
            let outcome = work(&mut worker, nested);
            (outcome, worker.diagnostics, worker.report)
        });
        let mut result = Ok(());
        let mut total = Report::default();
        for (outcome, diagnostics, report) in outcomes {
            self.diagnostics.append(diagnostics);
            total.merge(report);
            result = result.and(outcome);
        }
        self.report.passes.append(&mut total.passes);
        result
    }

    fn run_function_steps(
        &mut self,
        ir: &mut Ir,
        steps: &[Step],
        symbols: &Arc<SymbolTable>,
    ) -> Result<(), Failed> {
        if ir.root_block().is_none() {
            return Ok(());
        }
        for step in steps {
            match step {
                Step::Pass(pass) => self.run_pass(ir, pass, symbols)?,
                Step::Nested(pipeline) => {
                    self.run_function_steps(ir, &pipeline.steps, symbols)?;
                }
            }
        }
        Ok(())
    }

    fn run_pass(
        &mut self,
        ir: &mut Ir,
        step: &PassStep,
        symbols: &Arc<SymbolTable>,
    ) -> Result<(), Failed> {
        let pass = step.pass();
        if let Some(observer) = self.options.before_pass {
            observer(ir, pass);
        }
        let start = Instant::now();
        let (mut outcome, diagnostics, statistics) = step.run(ir, symbols);
        self.diagnostics.append(diagnostics);
        self.report.passes.push(PassReport {
            name: pass.name(),
            time: start.elapsed(),
            statistics,
        });
        if outcome.is_ok() && self.options.verify_each {
            outcome = verify::verify_changes(ir, symbols, &mut self.diagnostics);
            if outcome.is_err() {
                let note = format!("the program is not valid after pass '{}'", pass.name());
                self.diagnostics.note(ir.loc(ir.root()), note);
            }
        }
        if outcome.is_ok()
            && let Some(observer) = self.options.after_pass
        {
            observer(ir, pass);
        }
        outcome
    }
}

/// Whether a step leaves the arenas of modules alone.
fn concerns_functions_only(step: &Step) -> bool {
    match step {
        Step::Pass(pass) => pass.pass().anchor() == Anchor::Function,
        Step::Nested(pipeline) => pipeline.target == Target::Function,
    }
}
