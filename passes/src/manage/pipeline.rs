//! Pipelines: checked lists of passes with their options, printed as text on demand.

use std::fmt;

use crate::manage::pass::{Anchor, OptionValues, PassDef};

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

/// One step of a pipeline.
#[derive(Clone, Debug)]
pub enum Step {
    /// A pass on the current arena (or, by its anchor, on the functions in it).
    Pass(&'static PassDef, OptionValues),
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
    /// An empty pipeline on the module.
    pub fn module() -> Self {
        Self {
            target: Target::Module,
            steps: Vec::new(),
        }
    }

    /// Appends a pass with options.
    ///
    /// # Errors
    /// If it cannot run on what the pipeline runs on.
    pub fn append_pass(
        &mut self,
        pass: &'static PassDef,
        options: OptionValues,
    ) -> Result<(), String> {
        if self.target == Target::Function && pass.anchor == Anchor::Module {
            return Err(format!(
                "can't add pass '{}' restricted to 'builtin.module' on a PassManager intended to \
                 run on 'func.func', did you intend to nest?",
                pass.name
            ));
        }
        self.steps.push(Step::Pass(pass, options));
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
                Step::Pass(pass, options) => {
                    f.write_str(pass.name)?;
                    let mut separator = "{";
                    for (name, value) in options.iter() {
                        write!(f, "{separator}{name}={value}")?;
                        separator = " ";
                    }
                    if separator == " " {
                        f.write_str("}")?;
                    }
                }
                Step::Nested(pipeline) => write!(f, "{pipeline}")?,
            }
        }
        f.write_str(")")
    }
}
