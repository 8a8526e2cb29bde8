//! What a pass is: a static row with a name, options and a function.
//!
//! A pass runs on one arena ([`Ir`]): that of a function or of a module. It
//! never looks into another arena; what it needs to know of other functions
//! is in the [`SymbolTable`] of its [`PassContext`].

use std::sync::Arc;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::symbols::SymbolTable;

use crate::manage::suggestion::closest;

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

/// The kind of value an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true`, `false`, `1`, `0`, or nothing (true).
    Bool,
    /// A decimal integer in this range, both ends included.
    Integer {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl OptionKind {
    /// Integers from 0 on.
    pub const NATURAL: Self = Self::Integer {
        least: 0,
        most: i64::MAX,
    };
    /// What upstream reads as `unsigned`.
    pub const UNSIGNED: Self = Self::Integer {
        least: 0,
        most: u32::MAX as i64,
    };
    /// Integers from 0 on, or -1 for none.
    pub const NATURAL_OR_NONE: Self = Self::Integer {
        least: -1,
        most: i64::MAX,
    };
}

/// One option of a pass.
#[derive(Clone, Copy, Debug)]
pub struct OptionDef {
    /// Its name as users type it.
    pub name: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// The value if it is not given.
    pub default: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
}

/// The options given to one run of a pass, checked against its [`OptionDef`]s.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct OptionValues {
    given: Vec<(&'static str, String)>,
}

impl OptionValues {
    /// Checks and stores `name=value`.
    ///
    /// # Errors
    /// If the pass has no such option or the value is not of its kind.
    pub fn set(&mut self, pass: &PassDef, name: &str, value: &str) -> Result<(), String> {
        let Some(option) = pass.options.iter().find(|option| option.name == name) else {
            let names = pass.options.iter().map(|option| option.name);
            let hint = closest(name, names).map(|known| format!("; did you mean '{known}'?"));
            return Err(format!("no such option {name}{}", hint.unwrap_or_default()));
        };
        let valid = match option.kind {
            OptionKind::Bool => parse_bool(value).is_some(),
            OptionKind::Integer { least, most } => value
                .parse::<i64>()
                .is_ok_and(|value| (least..=most).contains(&value)),
            OptionKind::Text => true,
            OptionKind::Choice(words) => words.contains(&value),
        };
        if !valid {
            let expected = match option.kind {
                OptionKind::Bool => "true or false".to_owned(),
                OptionKind::Integer {
                    least,
                    most: i64::MAX,
                } => format!("an integer from {least}"),
                OptionKind::Integer { least, most } => {
                    format!("an integer from {least} to {most}")
                }
                OptionKind::Text => "text".to_owned(),
                OptionKind::Choice(words) => format!("one of {}", words.join(", ")),
            };
            return Err(format!(
                "'{value}' value invalid for option {name}: expected {expected}"
            ));
        }
        self.given.retain(|(known, _)| *known != option.name);
        self.given.push((option.name, value.to_owned()));
        Ok(())
    }

    /// Whether the option was given at all.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|(known, _)| *known == name)
    }

    /// The options given, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    fn get<'a>(&'a self, pass: &PassDef, name: &str) -> &'a str {
        match self.given.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => value,
            None => default_of(pass.options, name),
        }
    }
}

/// The default of an option, which must be one of `options`.
pub(crate) fn default_of(options: &[OptionDef], name: &str) -> &'static str {
    match options.iter().find(|option| option.name == name) {
        Some(option) => option.default,
        None => unreachable!("option {name} is looked up but not declared"),
    }
}

fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" | "1" | "" => Some(true),
        "false" | "False" | "FALSE" | "0" => Some(false),
        _ => None,
    }
}

/// What a pass gets besides the IR.
pub struct PassContext<'a> {
    /// The row of the running pass.
    pub pass: &'static PassDef,
    /// Its options.
    pub options: &'a OptionValues,
    /// The symbols around the arena: for a function those of its module, for a
    /// module its own. A snapshot from before the pass.
    pub symbols: &'a Arc<SymbolTable>,
    /// Where to report.
    pub diagnostics: Diagnostics,
    statistics: Vec<(&'static str, u64)>,
}

impl<'a> PassContext<'a> {
    /// A context without reports and statistics.
    pub fn new(
        pass: &'static PassDef,
        options: &'a OptionValues,
        symbols: &'a Arc<SymbolTable>,
    ) -> Self {
        Self {
            pass,
            options,
            symbols,
            diagnostics: Diagnostics::new(),
            statistics: Vec::new(),
        }
    }

    /// The value of a boolean option.
    pub fn flag(&self, name: &str) -> bool {
        parse_bool(self.options.get(self.pass, name)).unwrap_or(false)
    }

    /// The value of an integer option.
    pub fn integer(&self, name: &str) -> i64 {
        self.options.get(self.pass, name).parse().unwrap_or(0)
    }

    /// The value of a text or choice option.
    pub fn text(&self, name: &str) -> &'a str {
        self.options.get(self.pass, name)
    }

    /// Adds to a counter shown by `--mlir-pass-statistics`.
    pub fn count(&mut self, name: &'static str, n: u64) {
        match self.statistics.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 += n,
            None => self.statistics.push((name, n)),
        }
    }

    /// Takes what was reported and counted.
    pub fn finish(self) -> (Diagnostics, Vec<(&'static str, u64)>) {
        (self.diagnostics, self.statistics)
    }
}

/// The function of a pass. It expects verified IR and leaves verified IR.
pub type RunFn = fn(&mut Ir, &mut PassContext<'_>) -> Result<(), Failed>;

/// A pass.
pub struct PassDef {
    /// Its flag, as upstream spells it.
    pub name: &'static str,
    /// One line for `--help` and the README.
    pub summary: &'static str,
    /// What it runs on.
    pub anchor: Anchor,
    /// Its options.
    pub options: &'static [OptionDef],
    /// The work.
    pub run: RunFn,
}

impl std::fmt::Debug for PassDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PassDef({})", self.name)
    }
}

/// The value of an option of a pipeline, by name.
pub type OptionLookup<'a> = dyn Fn(&str) -> String + 'a;

/// A named sequence of passes.
pub struct PipelineDef {
    /// Its flag, as upstream spells it.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Options, which `expand` looks at.
    pub options: &'static [OptionDef],
    /// The passes it stands for, as the text of a pipeline on `builtin.module`.
    pub expand: fn(&OptionLookup<'_>) -> String,
}
