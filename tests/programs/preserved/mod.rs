//! What a program prints is the same before and after a pass, for each pass of a table and for programs made for its kind:
//! affine loops, integers that are wide, variables on the stack, buffers with control flow, tensors.
//!
//! A pass may refuse a program with an error. The table says how many it changed and how many it refused, so that a row
//! whose programs never meet the pass is seen. `FREEHOLD_PROGRAMS=500 cargo test --test programs preserved/` tries that
//! many with each pass.

mod affine;
mod integers;
mod sizes;
mod table;
mod variables;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::{first_seed, n_programs};
use table::{KINDS, Kind};

/// How many programs of each kind are tried.
const PROGRAMS: u64 = 6;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("preserved");
    let first = first_seed();
    let end = first + n_programs(PROGRAMS);
    let tally: Arc<Mutex<Tally>> = Arc::default();
    for kind in &KINDS {
        let tally = Arc::clone(&tally);
        family.test(kind.name, move || test(kind, first..end, &tally));
    }
    family.tables = Box::new(move || render(&tally.lock().expect("no test panics with it")));
    family
}

/// Programs that were tried, that were changed and that were refused.
type Tally = BTreeMap<(&'static str, &'static str), [u64; 3]>;

fn render(tally: &Tally) -> String {
    if tally.is_empty() {
        return String::new();
    }
    let mut text =
        "\n| programs | passes | tried | changed | refused |\n|---|---|--:|--:|--:|\n".to_owned();
    for ((kind, flags), [tried, changed, refused]) in tally {
        let flags = flags.replace('\'', "");
        let _ = writeln!(
            text,
            "| {kind} | `{flags}` | {tried} | {changed} | {refused} |"
        );
    }
    text
}

fn test(
    kind: &'static Kind,
    seeds: std::ops::Range<u64>,
    tally: &Mutex<Tally>,
) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for seed in seeds {
        try_program(kind, seed, tally, &mut wrong)?;
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} wrong\n{}", wrong.len(), wrong.join("\n\n")).into()),
    }
}

/// What a command wrote.
fn all(outcome: &Outcome) -> String {
    format!(
        "{:?}\n{}{}{}",
        outcome.end, outcome.stderr, outcome.stdout, outcome.native
    )
}

fn try_program(
    kind: &'static Kind,
    seed: u64,
    tally: &Mutex<Tally>,
    wrong: &mut Vec<String>,
) -> Result<(), Failed> {
    let text: Arc<str> = (kind.generate)(seed).into();
    let again = format!(
        "FREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1 cargo test --test programs preserved/{}",
        kind.name
    );
    let prepared = match kind.before {
        "" => Arc::clone(&text),
        flags => {
            let outcome = one(&Job::new(&format!("opt - {flags}"), &text))?;
            if outcome.end != End::Status(0) {
                return Err(format!("{}{again}\n{text}", all(&outcome)).into());
            }
            outcome.stdout.into()
        }
    };
    let run = kind.runs[(seed % kind.runs.len() as u64) as usize];
    let reference: Arc<str> = match kind.reference {
        Some(generate) => generate(seed).into(),
        None => Arc::clone(&prepared),
    };
    let mut jobs = vec![Job::new(run, &reference), Job::new("opt -", &prepared)];
    jobs.extend((kind.steps.iter()).map(|step| Job::new(&format!("opt - {step}"), &prepared)));
    let outcomes = batch::run(&jobs)?;
    let (reference, as_is) = (&outcomes[0], &outcomes[1]);
    if reference.end != End::Status(0) {
        return Err(format!("{}{again}\n{prepared}", all(reference)).into());
    }
    let mut runs = Vec::new();
    for (&step, outcome) in kind.steps.iter().zip(&outcomes[2..]) {
        let mut tally = tally.lock().expect("no test panics with it");
        let [tried, changed, refused] = tally.entry((kind.name, step)).or_default();
        *tried += 1;
        match outcome.end {
            End::Status(0) if outcome.stdout == as_is.stdout => {}
            End::Status(0) => {
                *changed += 1;
                runs.push((step, Arc::<str>::from(outcome.stdout.as_str())));
            }
            End::Status(1) if outcome.stderr.contains("error: ") => *refused += 1,
            _ => wrong.push(format!("{step}: {}{again}\n{prepared}", all(outcome))),
        }
    }
    let jobs: Vec<Job> = runs.iter().map(|(_, text)| Job::new(run, text)).collect();
    for ((step, after), outcome) in runs.iter().zip(batch::run(&jobs)?) {
        if outcome.end != End::Status(0) || shown(&outcome) != shown(reference) {
            wrong.push(format!(
                "{step}: {}// instead of\n{}{again}\n{prepared}\n// after\n{after}",
                all(&outcome),
                all(reference)
            ));
        }
    }
    Ok(())
}

fn one(job: &Job) -> Result<Outcome, Failed> {
    let mut outcomes = batch::run(std::slice::from_ref(job))?;
    Ok(outcomes.pop().expect("each job has an outcome"))
}

/// What a program printed, without addresses and strides.
fn shown(outcome: &Outcome) -> String {
    let line = |line: &str| match line.split_once(" rank = ") {
        Some((_, rest)) => {
            let sizes = rest.split_once("sizes = ").map_or(rest, |(_, sizes)| sizes);
            let sizes = sizes
                .split_once(" strides")
                .map_or(sizes, |(sizes, _)| sizes);
            format!("sizes = {sizes}\n")
        }
        None => format!("{line}\n"),
    };
    (outcome.stdout.lines().chain(outcome.native.lines()))
        .map(line)
        .collect()
}
