//! What a pass is: a static row with a name, options and a function.
//!
//! A pass runs on one arena ([`Ir`]): that of a function or of a module. It
//! never looks into another arena; what it needs to know of other functions
//! is in the [`SymbolTable`] of its [`PassContext`].

use std::fmt;
use std::sync::Arc;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::symbols::SymbolTable;

use crate::manage::options::{OptionRow, PassOptions};
use crate::manage::pipeline::{PassStep, Step};

/// Which arenas a pass runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Every function with a body, in parallel.
    Function,
    /// The module; the pass sees all of it.
    Module,
    /// Modules and functions alike, each on its own, functions in parallel.
    Any,
    /// The module with all functions in it, seen at once; or one function on
    /// its own, where the pipeline says so.
    ModuleOrFunction,
}

/// What a pass counted, by name.
pub type Statistics = Vec<(&'static str, u64)>;

/// What a pass gets besides the IR.
pub struct PassContext<'a, O = ()> {
    /// Its options.
    pub options: &'a O,
    /// The symbols around the arena: for a function those of its module, for a
    /// module its own. A snapshot from before the pass.
    pub symbols: &'a Arc<SymbolTable>,
    /// Where to report.
    pub diagnostics: Diagnostics,
    statistics: Statistics,
}

impl<'a, O> PassContext<'a, O> {
    /// A context without reports and statistics.
    pub(crate) fn new(options: &'a O, symbols: &'a Arc<SymbolTable>) -> Self {
        Self {
            options,
            symbols,
            diagnostics: Diagnostics::new(),
            statistics: Statistics::new(),
        }
    }

    /// Adds to a counter shown by `--mlir-pass-statistics`.
    pub fn count(&mut self, name: &'static str, n: u64) {
        match self.statistics.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 += n,
            None => self.statistics.push((name, n)),
        }
    }

    /// Takes reports and counts.
    pub(crate) fn finish(self) -> (Diagnostics, Statistics) {
        (self.diagnostics, self.statistics)
    }
}

/// The function of a pass. It expects verified IR and leaves verified IR.
pub type RunFn<O> = fn(&mut Ir, &mut PassContext<'_, O>) -> Result<(), Failed>;

/// A pass; `O` are its options.
pub struct PassDef<O = ()> {
    /// Its flag, as upstream spells it.
    pub name: &'static str,
    /// One line for `--help` and the README.
    pub summary: &'static str,
    /// What it runs on.
    pub anchor: Anchor,
    /// The work.
    pub run: RunFn<O>,
}

impl<O: PassOptions> PassDef<O> {
    /// The step of a pipeline that runs this with these options.
    pub fn with(&'static self, options: O) -> Step {
        Step::Pass(PassStep::new(self, options))
    }

    /// The step of a pipeline that runs this with its default options.
    pub fn step(&'static self) -> Step {
        self.with(O::default())
    }
}

/// A pass, whatever its options are.
pub trait Pass: Sync {
    /// See [`PassDef::name`].
    fn name(&self) -> &'static str;

    /// See [`PassDef::summary`].
    fn summary(&self) -> &'static str;

    /// See [`PassDef::anchor`].
    fn anchor(&self) -> Anchor;

    /// What it may be told.
    fn options(&self) -> Vec<OptionRow>;

    /// The step that runs it with the options given as `name=value`.
    ///
    /// # Errors
    /// If it has no such option or a value is not of its kind.
    fn read(&'static self, given: &[(String, String)]) -> Result<PassStep, String>;
}

impl<O: PassOptions> Pass for PassDef<O> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn anchor(&self) -> Anchor {
        self.anchor
    }

    fn options(&self) -> Vec<OptionRow> {
        O::rows()
    }

    fn read(&'static self, given: &[(String, String)]) -> Result<PassStep, String> {
        Ok(PassStep::new(self, O::read(given)?))
    }
}

impl fmt::Debug for dyn Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pass({})", self.name())
    }
}

/// A named sequence of passes; `O` are its options.
pub struct PipelineDef<O = ()> {
    /// Its flag, as upstream spells it.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The passes it stands for.
    pub steps: fn(&O) -> Vec<Step>,
}

/// A named sequence of passes, whatever its options are.
pub trait NamedPipeline: Sync {
    /// See [`PipelineDef::name`].
    fn name(&self) -> &'static str;

    /// See [`PipelineDef::summary`].
    fn summary(&self) -> &'static str;

    /// What it may be told.
    fn options(&self) -> Vec<OptionRow>;

    /// The passes it stands for with the options given as `name=value`.
    ///
    /// # Errors
    /// If it has no such option or a value is not of its kind.
    fn read(&self, given: &[(String, String)]) -> Result<Vec<Step>, String>;
}

impl<O: PassOptions> NamedPipeline for PipelineDef<O> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn options(&self) -> Vec<OptionRow> {
        O::rows()
    }

    fn read(&self, given: &[(String, String)]) -> Result<Vec<Step>, String> {
        Ok((self.steps)(&O::read(given)?))
    }
}
