//! Every registered pass on the modules of all file tests, and on these after random changes: no pass
//! panics, and what it leaves is valid, or it reports an error.
//!
//! Options have their defaults, or random values. `FREEHOLD_PROGRAMS=N` tries N modules; with twice as many as there are
//! modules, each is among them as it stands in its file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};
use std::{fs, thread};

use freehold::frontend::dialects;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::verify::verify;
use freehold::passes::manage::manager::{self, RunOptions};
use freehold::passes::manage::options::{OptionKind, OptionRow};
use freehold::passes::registry::{self, REGISTRY};
use libtest_mimic::Failed;

use super::fuzz;
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

/// How many modules are tried.
const PROGRAMS: u64 = 60;
/// How many tests share them.
const TESTS: u64 = 2;
/// Longer modules are examples of programs for other tests.
const MAX_PIECE_BYTES: usize = 20_000;
/// Mutants that are tried until one is a valid program.
const MAX_TRIES: usize = 20;
/// As much as commands have.
const STACK_BYTES: usize = 256 << 20;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("passes");
    let first = first_seed();
    let share = n_programs(PROGRAMS).div_ceil(TESTS);
    for n in 0..TESTS {
        let seeds = first + n * share..first + (n + 1) * share;
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test(name, move || {
            let worker = thread::Builder::new().stack_size(STACK_BYTES);
            let worker = worker.spawn(move || test(&PIECES, seeds))?;
            worker
                .join()
                .unwrap_or_else(|_| Err("the test panicked".into()))
        });
    }
    family
}

static PIECES: LazyLock<Vec<String>> = LazyLock::new(pieces);

/// The modules of all files that are valid.
fn pieces() -> Vec<String> {
    let texts = fuzz::files()
        .into_iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    let pieces = texts.flat_map(|text| {
        let pieces = text.split("// -----").map(str::to_owned);
        pieces.collect::<Vec<_>>()
    });
    pieces
        .filter(|piece| piece.len() < MAX_PIECE_BYTES && is_valid(piece))
        .collect()
}

fn test(pieces: &[String], seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for seed in seeds {
        let mut rng = Rng::new(seed);
        // Every other seed takes the next module; the step is odd, so that neighbours are of different files.
        let next = (seed / 2).wrapping_mul(7919) % pieces.len() as u64;
        let piece = &pieces[next as usize];
        let text = match seed.is_multiple_of(2) {
            true => Some(piece.clone()),
            false => (0..MAX_TRIES)
                .map(|_| fuzz::changed(piece.clone(), pieces, &mut rng))
                .find(|text| is_valid(text)),
        };
        let Some(text) = text else { continue };
        for pass in REGISTRY.passes {
            let step = with_options(pass.name(), &pass.options(), &mut rng);
            if let Err(message) = try_pass(&step, &text) {
                wrong.push(format!(
                    "{message}\nFREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1, {step}:\n{text}"
                ));
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} wrong\n{}", wrong.len(), wrong.join("\n\n")).into()),
    }
}

/// A pass with random options, or none.
fn with_options(name: &str, rows: &[OptionRow], rng: &mut Rng) -> String {
    if rng.chance(60) {
        return name.to_owned();
    }
    let mut options = Vec::new();
    for row in rows {
        let value = match row.kind {
            OptionKind::Bool => (*rng.pick(&["true", "false"])).to_owned(),
            OptionKind::Integer { least, most } => {
                let small = i64::try_from(rng.below(9)).unwrap_or(0);
                small.clamp(least, most).to_string()
            }
            OptionKind::Choice(words) => rng.pick(words).word.to_owned(),
            OptionKind::Text | OptionKind::List | OptionKind::Other(_) => continue,
        };
        if rng.chance(50) {
            options.push(format!("{}={value}", row.name));
        }
    }
    match options.is_empty() {
        true => name.to_owned(),
        false => format!("{name}{{{}}}", options.join(" ")),
    }
}

fn is_valid(text: &str) -> bool {
    let outcome = catch_unwind(|| {
        let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
        let mut diagnostics = Diagnostics::new();
        let source = context.add_source("-", text, 1).ok()?;
        let module = parse_source(&context, &source, &mut diagnostics).ok()?;
        verify(&module, &mut diagnostics).ok()
    });
    // What reading itself does is the test of other families.
    matches!(outcome, Ok(Some(())))
}

/// Runs a pass on a valid program.
fn try_pass(step: &str, text: &str) -> Result<(), String> {
    let pipeline = registry::parse(&format!("builtin.module({step})"))?;
    let run = AssertUnwindSafe(|| {
        let context = Arc::new(dialects::context().allow_unregistered_dialects(true));
        let mut diagnostics = Diagnostics::new();
        let source = context
            .add_source("-", text, 1)
            .map_err(|_| "is too large")?;
        let module = parse_source(&context, &source, &mut diagnostics);
        let mut module = module.map_err(|_| "is not read again".to_owned())?;
        let options = RunOptions {
            sequential: true,
            ..RunOptions::default()
        };
        let outcome = manager::run(&mut module, &pipeline, options, &mut diagnostics);
        if outcome.is_err() {
            return match diagnostics.has_errors() {
                true => Ok(()),
                false => Err("fails without an error".to_owned()),
            };
        }
        let mut found = Diagnostics::new();
        let valid = verify(&module, &mut found);
        valid.map_err(|_| format!("leaves\n{}", found.render_plain(&context)))
    });
    match catch_unwind(run) {
        Ok(outcome) => outcome,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(format!("panics: {}", text.unwrap_or("")))
        }
    }
}
