//! The pages of `docs/reference/`, written from the rows of operations and the registry of passes.
//!
//! `UPDATE_CHECKS=1 cargo test --lib reference` writes them anew; without the variable the test fails if
//! one is stale.

use std::fmt::Write as _;
use std::path::Path;

use freehold_frontend::dialects;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::op_def::{Count, OpDef, ValueSpec};
use freehold_passes::manage::options::{OptionKind, OptionRow};
use freehold_passes::manage::pass::Anchor;
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::registry::REGISTRY;

const GENERATED: &str =
    "`UPDATE_CHECKS=1 cargo test --lib reference` writes this page; a test fails if it is stale.";

fn kind(kind: OptionKind) -> String {
    match kind {
        OptionKind::Bool => "true or false".to_owned(),
        OptionKind::Integer {
            least,
            most: i64::MAX,
        } => format!("integer from {least}"),
        OptionKind::Integer { least, most } => format!("integer from {least} to {most}"),
        OptionKind::Text | OptionKind::List | OptionKind::Other(_) => kind.expected(),
        OptionKind::Choice(words) => words
            .iter()
            .map(|word| format!("`{}`", word.word))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn options_table(options: &[OptionRow]) -> String {
    let mut text = String::new();
    if options.is_empty() {
        return text;
    }
    text += "\n| option | takes | default | |\n|---|---|---|---|\n";
    for option in options {
        let default = match &*option.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let (name, help) = (option.name, &option.help);
        let kind = kind(option.kind);
        let _ = writeln!(text, "| `{name}` | {kind} | {default} | {help} |");
    }
    text
}

fn passes_page() -> String {
    let mut text = format!(
        "# Passes\n\n\
         All passes and pipelines of `freehold opt`: flags (`--canonicalize`, with options as\n\
         `--canonicalize=\"max-iterations=3\"`) and names in `--pass-pipeline`. {GENERATED}\n\n\
         ## Passes\n"
    );
    for pass in REGISTRY.passes {
        let anchor = match pass.anchor() {
            Anchor::Function => "each function",
            Anchor::Module => "the module",
            Anchor::Any => "modules and functions, each on its own",
            Anchor::ModuleOrFunction => "the module, or one function on its own",
        };
        let (name, summary) = (pass.name(), pass.summary());
        let _ = write!(text, "\n### `{name}`\n\n{summary}. Runs on {anchor}.\n");
        text += &options_table(&pass.options());
    }
    text += "\n## Passes with nothing to do\n\n\
             Upstream's lowerings to LLVM, and what expands operations that some targets lack. The backend compiles these\n\
             operations, so these passes leave the program as it is. They have upstream's options where those concern the\n\
             code that LLVM makes; what would change how functions are called is an error.\n\n";
    let idle = REGISTRY
        .idle
        .iter()
        .map(|pass| format!("`{}`", pass.name()));
    text += &(idle.collect::<Vec<_>>().join(", ") + ".\n");
    text += "\n## Pipelines\n";
    for pipeline in REGISTRY.pipelines {
        let (name, summary) = (pipeline.name(), pipeline.summary());
        let steps = pipeline.read(&[]).expect("no option is needed");
        let steps = Pipeline::of(steps);
        let _ = write!(text, "\n### `{name}`\n\n{summary}.\n");
        text += &options_table(&pipeline.options());
        let _ = write!(text, "\n```\n{steps}\n```\n");
    }
    text
}

fn values(specs: &[ValueSpec]) -> String {
    let values = specs.iter().map(|spec| {
        let count = match spec.count {
            Count::One => "",
            Count::Optional => "?",
            Count::Variadic => "*",
        };
        let name = match spec.name {
            "" => String::new(),
            name => format!("`{name}`"),
        };
        format!("{name}{count}: {}", spec.constraint.description)
            .trim_start_matches(": ")
            .to_owned()
    });
    values.collect::<Vec<_>>().join("<br>").replace('|', "\\|")
}

fn number((least, most): (usize, usize)) -> String {
    match (least, most) {
        (0, 0) => String::new(),
        (least, most) if least == most => least.to_string(),
        (least, usize::MAX) => format!("{least} or more"),
        (least, most) => format!("{least} to {most}"),
    }
}

fn attributes(context: &Context, def: &OpDef) -> String {
    let attributes = def.attributes.iter().map(|spec| {
        let optional = if spec.required { "" } else { "?" };
        let name = context.name(spec.name);
        format!("`{name}`{optional}: {}", spec.constraint.description)
    });
    attributes
        .collect::<Vec<_>>()
        .join("<br>")
        .replace('|', "\\|")
}

/// The custom form.
fn form(def: &OpDef) -> String {
    match (&def.format, def.parse) {
        (Some(format), _) => format!("`{}`", format.text.replace('|', "\\|").replace('`', "'")),
        (None, Some(_)) => "by hand".to_owned(),
        (None, None) => "generic".to_owned(),
    }
}

fn operations_page() -> String {
    let context = dialects::context();
    let mut text = format!(
        "# Operations\n\n\
         What the rows say: custom forms in MLIR's `assemblyFormat` where they are declared (quotes stand for its\n\
         backquotes; types after `where` are not spelled out), operands, attributes and results with what they must be, and how many regions and\n\
         successors there are. `?` may be missing, `*` is any number. Own rules of operations and forms by hand\n\
         are those of mlir-opt 19; [backend/COVERAGE.md](https://github.com/freehold/freehold/blob/main/backend/COVERAGE.md) says what becomes code.\n\
         {GENERATED}\n"
    );
    // Others have types only.
    for dialect in dialects::ALL
        .iter()
        .filter(|dialect| !dialect.ops.is_empty())
    {
        let _ = write!(
            text,
            "\n## `{}`\n\n| operation | form | operands | attributes | results | regions | successors |\n\
             |---|---|---|---|---|---|---|\n",
            dialect.namespace
        );
        let mut ops = dialect.ops.to_vec();
        ops.sort_by_key(|def| def.name);
        for def in ops {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {} | {} |",
                def.name,
                form(def),
                values(def.operands),
                attributes(&context, def),
                values(def.results),
                number(def.regions),
                number(def.successors),
            );
        }
    }
    text
}

#[test]
fn pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
    for (name, text) in [
        ("passes.md", passes_page()),
        ("operations.md", operations_page()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_CHECKS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, text).unwrap();
        } else {
            assert!(
                std::fs::read_to_string(&path).is_ok_and(|known| known == text),
                "docs/reference/{name} is stale: write it with UPDATE_CHECKS=1"
            );
        }
    }
}
