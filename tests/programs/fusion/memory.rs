//! What programs need with fusion, and without it.

use std::ops::Range;
use std::sync::Arc;

use crate::support::batch::Job;
use crate::support::linalg_programs::Kind;
use crate::support::native::{split_statistics, statistic};

use super::{program, run, shown};

const KIND: Kind = Kind {
    control_flow: true,
    reshapes: true,
};

/// What nobody needs, fusion removes.
const CLEANUP: &str = "opt - --canonicalize --cse";

/// What comes before buffers without fusion.
const BUFFERIZATION: [&str; 6] = [
    "opt",
    "-",
    "--convert-elementwise-to-linalg",
    "--linalg-simplify",
    "--eliminate-empty-tensors",
    "--one-shot-bufferize=bufferize-function-boundaries=true \
     function-boundary-type-conversion=identity-layout-map move-reads=true reuse-inputs=true",
];

/// What programs needed, all together.
#[derive(Default)]
pub(super) struct Tally {
    programs: usize,
    /// Allocations and bytes at the peak, with fusion and without.
    allocations: [u64; 2],
    peak: [u64; 2],
    /// Seeds of programs that need more of one and no less of the other.
    worse: Vec<u64>,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.programs += other.programs;
        for side in 0..2 {
            self.allocations[side] += other.allocations[side];
            self.peak[side] += other.peak[side];
        }
        self.worse.extend(&other.worse);
    }

    /// A table, empty where nothing was run.
    pub(super) fn render(&self) -> String {
        if self.programs == 0 {
            return String::new();
        }
        let mut worse = self.worse.clone();
        worse.sort_unstable();
        format!(
            "\n| {} programs | with fusion | without |\n|---|---|---|\n| allocations | {} | {} |\n\
             | bytes at the peak | {} | {} |\nNeed more: {} {worse:?}\n",
            self.programs,
            self.allocations[0],
            self.allocations[1],
            self.peak[0],
            self.peak[1],
            worse.len(),
        )
    }
}

/// Of so many programs one may need more with fusion: what is read by the operation that uses it last is there for
/// longer, and what is merged with what depends on sizes.
const ONE_OF: usize = 20;

/// Compares the programs of these seeds. The error shows the first one that prints something else, or says that
/// they need more.
pub(super) fn compare(seeds: Range<u64>) -> Result<Tally, String> {
    let texts: Vec<Arc<str>> = seeds.clone().map(|seed| program(seed, KIND)).collect();
    let jobs = |command: &str, texts: &[Arc<str>]| -> Vec<Job> {
        texts.iter().map(|text| Job::new(command, text)).collect()
    };
    let texts: Vec<Arc<str>> = (run(&jobs(CLEANUP, &texts))?.into_iter())
        .map(|outcome| outcome.stdout.into())
        .collect();
    let bufferize = |text: &Arc<str>| Job {
        arguments: BUFFERIZATION.map(String::from).to_vec(),
        stdin: Arc::clone(text),
    };
    let bufferizations: Vec<Job> = texts.iter().map(bufferize).collect();
    let unfused: Vec<Arc<str>> = (run(&bufferizations)?.into_iter())
        .map(|outcome| outcome.stdout.into())
        .collect();
    let unoptimized = run(&jobs("run - -O0", &texts))?;
    let fused = run(&jobs("run - --stats=json", &texts))?;
    let unfused = run(&jobs("run - --stats=json", &unfused))?;
    let mut tally = Tally::default();
    for (index, seed) in seeds.enumerate() {
        let sides = [&fused[index], &unfused[index]].map(|run| split_statistics(&run.native));
        let expected = shown(&unoptimized[index].native);
        if sides.iter().any(|(printed, _)| shown(printed) != expected) {
            return Err(format!(
                "FREEHOLD_SEED={seed}: something else is printed\n{}",
                texts[index]
            ));
        }
        let number = |key| sides.map(|(_, json)| statistic(json, key).unwrap_or(u64::MAX));
        let (allocations, peak) = (number("allocs"), number("peak_bytes"));
        let [is_more, is_less] = [u64::gt, u64::lt].map(|compare: fn(&u64, &u64) -> bool| {
            compare(&allocations[0], &allocations[1]) || compare(&peak[0], &peak[1])
        });
        tally.add(&Tally {
            programs: 1,
            allocations,
            peak,
            worse: if is_more && !is_less {
                vec![seed]
            } else {
                Vec::new()
            },
        });
    }
    if tally.worse.len() > tally.programs.div_ceil(ONE_OF) {
        return Err(tally.render());
    }
    Ok(tally)
}
