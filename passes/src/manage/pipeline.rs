//! Pipelines: checked lists of passes with their options, printed as text on demand.

use std::fmt;
use std::sync::Arc;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::symbols::SymbolTable;

use crate::manage::options::PassOptions;
use crate::manage::pass::{Anchor, Pass, PassContext, PassDef, Statistics};

/// What a pipeline runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// `builtin.module`
    Module,
    /// `func.func`
    Function,
    /// `any`
    Any,
}

impl Target {
    pub(super) fn keyword(self) -> &'static str {
        match self {
            Self::Module => "builtin.module",
            Self::Function => "func.func",
            Self::Any => "any",
        }
    }
}

/// A pass with its options.
#[derive(Clone)]
pub struct PassStep {
    configured: Arc<dyn Configured>,
}

/// What [`PassStep`] holds, whatever the type of the options is.
trait Configured: Send + Sync {
    fn pass(&self) -> &'static dyn Pass;

    /// The options that are not as they are by default.
    fn given(&self) -> Vec<(&'static str, String)>;

    fn run(
        &self,
        ir: &mut Ir,
        symbols: &Arc<SymbolTable>,
    ) -> (Result<(), Failed>, Diagnostics, Statistics);
}

impl<O: PassOptions> Configured for (&'static PassDef<O>, O) {
    fn pass(&self) -> &'static dyn Pass {
        self.0
    }

    fn given(&self) -> Vec<(&'static str, String)> {
        self.1.given()
    }

    fn run(
        &self,
        ir: &mut Ir,
        symbols: &Arc<SymbolTable>,
    ) -> (Result<(), Failed>, Diagnostics, Statistics) {
        let mut context = PassContext::new(&self.1, symbols);
        let outcome = (self.0.run)(ir, &mut context);
        let (diagnostics, statistics) = context.finish();
        (outcome, diagnostics, statistics)
    }
}

impl PassStep {
    pub(crate) fn new<O: PassOptions>(pass: &'static PassDef<O>, options: O) -> Self {
        Self {
            configured: Arc::new((pass, options)),
        }
    }

    /// Which pass it is.
    pub fn pass(&self) -> &'static dyn Pass {
        self.configured.pass()
    }

    /// Runs the pass; what it reported and counted comes with the outcome.
    pub(crate) fn run(
        &self,
        ir: &mut Ir,
        symbols: &Arc<SymbolTable>,
    ) -> (Result<(), Failed>, Diagnostics, Statistics) {
        self.configured.run(ir, symbols)
    }
}

impl fmt::Display for PassStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pass().name())?;
        let given = self.configured.given();
        let mut separator = '{';
        for (name, value) in &given {
            write!(f, "{separator}{name}={value}")?;
            separator = ' ';
        }
        match given.is_empty() {
            true => Ok(()),
            false => f.write_str("}"),
        }
    }
}

impl fmt::Debug for PassStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One step of a pipeline.
#[derive(Clone, Debug)]
pub enum Step {
    /// A pass on the current arena (or, by its anchor, on the functions in it).
    Pass(PassStep),
    /// A pipeline on the modules or functions inside.
    Nested(Pipeline),
}

/// A checked list of steps.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// What it runs on.
    pub target: Target,
    /// In order.
    pub steps: Vec<Step>,
}

impl Pipeline {
    /// These steps on the module.
    pub fn of(steps: Vec<Step>) -> Self {
        Self {
            target: Target::Module,
            steps,
        }
    }

    /// Appends a pass.
    ///
    /// # Errors
    /// If it cannot run on what the pipeline runs on.
    pub fn append_pass(&mut self, step: PassStep) -> Result<(), String> {
        if self.target == Target::Function && step.pass().anchor() == Anchor::Module {
            return Err(format!(
                "can't add pass '{}' restricted to 'builtin.module' on a PassManager intended to \
                 run on 'func.func', did you intend to nest?",
                step.pass().name()
            ));
        }
        self.steps.push(Step::Pass(step));
        Ok(())
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.target.keyword())?;
        for (i, step) in self.steps.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match step {
                Step::Pass(pass) => write!(f, "{pass}")?,
                Step::Nested(pipeline) => write!(f, "{pipeline}")?,
            }
        }
        f.write_str(")")
    }
}
