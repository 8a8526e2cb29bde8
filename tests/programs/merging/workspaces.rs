//! Random programs with static workspaces: the same output, and no allocation. What has no bound is refused.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job};
use crate::support::in_process::freehold;
use crate::support::native::{split_statistics, statistic};
use crate::support::{first_seed, n_programs};

use super::Kind;
use crate::strategies::LOST_WRITE;

/// How many programs of each kind are tried.
const PROGRAMS: u64 = 18;

const PIPELINES: [&str; 2] = [
    "--native-pipeline=workspace=static",
    "--native-pipeline=workspace=static optimize=false",
];

/// What the passes have lowered runs as it is.
const AS_WRITTEN: &str = "run -O0 --merge-alloc=never --stats=json -";
const LOWERED: &str = "run -O0 --dealloc=none --merge-alloc=never --stats=json -";

/// Programs of this kind; about one in `share` has a workspace, and at least half as many must.
pub(super) fn test(name: &str, kind: &Kind, share: usize) -> Result<(), Failed> {
    let mut jobs = Vec::new();
    let mut seeds = Vec::new();
    let first = first_seed();
    let n = n_programs(PROGRAMS);
    for seed in first..first + n {
        let text = kind.program(seed);
        for pipeline in PIPELINES {
            let lowered = freehold(&["opt", pipeline, "-"], text.clone());
            if lowered.status == 0 {
                jobs.push(Job::new(AS_WRITTEN, &text.as_str().into()));
                jobs.push(Job::new(LOWERED, &Arc::from(lowered.stdout)));
                seeds.push((seed, pipeline));
                continue;
            }
            let is_refused = |line: &&str| line.contains(" error: ");
            let mut errors = lowered.stderr.lines().filter(is_refused);
            let known = [
                "workspace",
                "cannot create out param for dynamically shaped result",
                LOST_WRITE,
            ];
            let is_new = |error: &&str| !known.iter().any(|known| error.contains(known));
            if let Some(error) = errors.find(is_new) {
                return Err(format!("seed {seed} of {name}, {pipeline}: {error}").into());
            }
        }
    }
    let all = PIPELINES.len() * usize::try_from(n)?;
    if seeds.len() < all / (2 * share) {
        return Err(format!("{name}: of {all} programs {} have a workspace", seeds.len()).into());
    }
    let outcomes = batch::run(&jobs)?;
    for ((seed, pipeline), pair) in seeds.into_iter().zip(outcomes.chunks(2)) {
        let fail = |what: &str| {
            let said = pair
                .iter()
                .map(|outcome| (&outcome.native, &outcome.stderr));
            let said: Vec<_> = said.collect();
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            fs::write(
                folder.join(format!("{name}-{seed}.mlir")),
                kind.program(seed),
            )?;
            Err(format!("seed {seed} of {name}, {pipeline}: {what}: {said:#?}").into())
        };
        if pair.iter().any(|outcome| outcome.end != End::Status(0)) {
            return fail("fails");
        }
        let [before, after] = [0, 1].map(|i| split_statistics(&pair[i].native));
        let lines = |output: &str| -> Vec<String> {
            let lines = output.lines().filter(|line| !line.contains("base@ = "));
            lines.map(String::from).collect()
        };
        if lines(before.0) != lines(after.0) {
            return fail("other output");
        }
        if statistic(after.1, "allocs") != Some(0) {
            return fail("allocates");
        }
    }
    Ok(())
}
