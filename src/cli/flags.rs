//! The options of a job as flags: what each command takes, and how flags are written.

use std::fmt::Debug;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use freehold_passes::manage::options::{OptionKind, OptionRow, PassOptions as _};

use crate::options::Options;

/// Which options a command has.
pub(crate) trait Takes: Clone + Debug + Send + Sync + 'static {
    /// Whether the option of this name is a flag of it.
    fn takes(name: &str) -> bool;
}

/// The options of commands that run a program in this process: not those of code that is loaded later.
#[derive(Clone, Debug)]
pub(crate) struct RunInProcess;

impl Takes for RunInProcess {
    fn takes(name: &str) -> bool {
        ![
            "aligned-alloc",
            "allocator",
            "deallocator",
            "entry-name",
            "target",
            "multiversion",
            "workspace",
            "static",
        ]
        .contains(&name)
    }
}

/// Flags of a command.
#[derive(Clone, Debug)]
pub(crate) struct Flags<C> {
    pub(crate) options: Options,
    command: PhantomData<C>,
}

/// How a flag is written, where that is out of the ordinary.
struct Form {
    name: &'static str,
    /// A letter that stands for the name.
    letter: Option<char>,
    /// What it takes, in help.
    value: Option<&'static str>,
    /// What it means without a value.
    missing: Option<&'static str>,
    is_hidden: bool,
}

/// An ordinary flag.
const PLAIN: Form = Form {
    name: "",
    letter: None,
    value: None,
    missing: None,
    is_hidden: false,
};

const FORMS: &[Form] = &[
    valued("allocator", "SYMBOL"),
    hidden("cap-analyses"),
    optional("check", "frees"),
    hidden("codegen-level"),
    valued("cache", "DIR"),
    valued("deallocator", "SYMBOL"),
    letter("debug-info", 'g'),
    valued("dim", "NAME=SIZE"),
    valued("entry-name", "NAME"),
    valued("fp", "POLICY"),
    valued("ignore-dialect", "NAME"),
    valued("irdl-file", "FILE"),
    valued("max-stack-bytes", "BYTES"),
    optional("merge-alloc", "never-grow"),
    optional("mpi", "auto"),
    valued("multiversion", "CPUS"),
    letter("opt-level", 'O'),
    hidden("part-ops"),
    optional("perf", "map"),
    optional("stats", "table"),
    valued("target-cpu", "CPU"),
    valued("target-features", "FEATURES"),
    valued("workspace", "FROM"),
];

const fn hidden(name: &'static str) -> Form {
    Form {
        name,
        is_hidden: true,
        ..PLAIN
    }
}

const fn letter(name: &'static str, letter: char) -> Form {
    Form {
        name,
        letter: Some(letter),
        ..PLAIN
    }
}

const fn optional(name: &'static str, missing: &'static str) -> Form {
    Form {
        name,
        missing: Some(missing),
        ..PLAIN
    }
}

const fn valued(name: &'static str, value: &'static str) -> Form {
    Form {
        name,
        value: Some(value),
        ..PLAIN
    }
}

fn form(name: &str) -> &'static Form {
    let found = FORMS.iter().find(|form| form.name == name);
    found.unwrap_or(&PLAIN)
}

/// The headings of options in help, where they are not simply options.
const HEADINGS: &[(&str, &[&str])] = &[
    (
        "Memory",
        &[
            "aligned-alloc",
            "allocator",
            "dealloc",
            "dealloc-lowering",
            "deallocator",
            "max-stack-bytes",
            "merge-alloc",
            "private-function-dynamic-ownership",
            "workspace",
        ],
    ),
    (
        "Code",
        &[
            "debug-info",
            "flush-denormals",
            "fp",
            "matrix-default-layout",
            "mpi",
            "multiversion",
            "no-library-calls",
            "opt-level",
            "static",
            "target",
            "target-cpu",
            "target-features",
            "threads",
            "vector-bits",
        ],
    ),
    (
        "Checks and reports",
        &["check", "no-size-checks", "perf", "remarks", "stats"],
    ),
];

fn heading(name: &str) -> Option<&'static str> {
    let found = HEADINGS.iter().find(|(_, names)| names.contains(&name));
    found.map(|(heading, _)| *heading)
}

/// The flag of an option.
fn arg(row: OptionRow) -> Arg {
    let form = form(row.name);
    let mut arg = Arg::new(row.name)
        .help(row.help)
        .help_heading(heading(row.name))
        .hide(form.is_hidden);
    arg = match form.letter {
        Some(letter) => arg.short(letter),
        None => arg.long(row.name),
    };
    if row.kind == OptionKind::Bool {
        return arg.action(ArgAction::SetTrue);
    }
    let name = row.name.replace('-', "_").to_uppercase();
    arg = arg.value_name(form.value.map_or(name, str::to_owned));
    arg = match row.kind {
        OptionKind::Choice(words) => {
            let words = words
                .iter()
                .map(|word| PossibleValue::new(word.word).help(word.help.trim_end_matches('.')));
            arg.value_parser(PossibleValuesParser::new(words))
        }
        OptionKind::List => arg.action(ArgAction::Append).value_delimiter(','),
        kind => arg.value_parser(
            move |text: &str| match Options::default().set(row.name, text) {
                true => Ok(text.to_owned()),
                false => Err(format!("expected {}", kind.expected())),
            },
        ),
    };
    if let Some(missing) = form.missing {
        arg = arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(missing);
    }
    // Features begin with signs.
    arg = arg.allow_hyphen_values(row.name == "target-features");
    match row.default.is_empty() || form.is_hidden {
        true => arg,
        false => arg.default_value(row.default),
    }
}

/// The words that give a command these options.
pub(crate) fn words(options: &Options) -> Vec<String> {
    let given = options.given().into_iter();
    let word = |(name, value): (&str, String)| match (form(name).letter, &*value) {
        (Some(letter), "true") => format!("-{letter}"),
        (Some(letter), value) => format!("-{letter}{value}"),
        (None, "true") => format!("--{name}"),
        (None, value) => format!("--{name}={value}"),
    };
    given.map(word).collect()
}

impl<C: Takes> clap::Args for Flags<C> {
    fn augment_args(command: Command) -> Command {
        let rows = Options::rows().into_iter();
        command.args(rows.filter(|row| C::takes(row.name)).map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Takes> clap::FromArgMatches for Flags<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self {
            options: Options::default(),
            command: PhantomData,
        };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for row in Options::rows() {
            let is_given = C::takes(row.name)
                && matches.value_source(row.name) == Some(ValueSource::CommandLine);
            if !is_given {
                continue;
            }
            let value = match row.kind {
                OptionKind::Bool => "true".to_owned(),
                _ => {
                    let values = matches.get_many::<String>(row.name).unwrap_or_default();
                    let values: Vec<&str> = values.map(String::as_str).collect();
                    values.join(",")
                }
            };
            // The parsers above have let nothing else by.
            self.options.set(row.name, &value);
        }
        Ok(())
    }
}
