//! Passes of the same names, each on the same programs.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::support::batch::Job;
use crate::support::linalg_programs::Kind;
use crate::support::peer;

use super::{program, run, shown};

/// What a pass should leave less of.
struct Measure {
    pass: &'static str,
    /// Parts of the names of operations.
    counted: &'static [&'static str],
    /// Whether that holds for every program, or for many together: mlir-opt fuses producers that change a tensor of
    /// which we keep what is changed in place, we fuse those of several consumers. Fills in several shapes are several.
    each: bool,
}

const MEASURES: [Measure; 6] = [
    Measure {
        pass: "linalg-generalize-named-ops",
        counted: &[
            "linalg.matmul",
            "linalg.add",
            "linalg.transpose",
            "linalg.fill",
        ],
        each: true,
    },
    Measure {
        pass: "linalg-specialize-generic-ops",
        counted: &["linalg.generic"],
        each: true,
    },
    Measure {
        pass: "linalg-fuse-elementwise-ops",
        counted: &["linalg."],
        each: false,
    },
    Measure {
        pass: "eliminate-empty-tensors",
        // mlir-opt eliminates those as well that bufferization has to bring back, or cannot.
        counted: &[],
        each: true,
    },
    Measure {
        pass: "linalg-fold-unit-extent-dims",
        counted: &["linalg."],
        each: false,
    },
    Measure {
        pass: "fold-tensor-subset-ops",
        counted: &["tensor.insert_slice", "tensor.extract_slice"],
        each: false,
    },
];

/// How many percent more may be left of 40 programs. Mostly it is less.
const SLACK: usize = 5;

/// Before and after; mlir-opt's passes do a part of that as well.
const CLEANUP: &str = "--canonicalize --cse";

const KIND: Kind = Kind {
    control_flow: true,
    reshapes: false,
};

/// Compares the programs of these seeds; the error shows the first one on which the peer's pass is better, or after
/// which something else is computed.
pub(crate) fn compare(seeds: Range<u64>) -> Result<(), String> {
    let mlir_opt = peer::tool("mlir-opt-19");
    let texts: Vec<Arc<str>> = seeds.clone().map(|seed| program(seed, KIND)).collect();
    let texts = transform(&texts, &format!("opt - {CLEANUP}"))?;
    let original = run_all(&texts)?;
    for measure in &MEASURES {
        let flag = format!("--{}", measure.pass);
        let theirs = of_peer(&mlir_opt, &flag, &texts);
        let ours = transform(&texts, &format!("opt - {flag} {CLEANUP}"))?;
        let theirs = transform(&theirs, &format!("opt - {CLEANUP}"))?;
        let mut total = [0, 0];
        let mut n_wrong = 0;
        let after = [run_all(&ours)?, run_all(&theirs)?];
        for (index, seed) in seeds.clone().enumerate() {
            let show = |what: &str| {
                Err(format!(
                    "{}, FREEHOLD_SEED={seed}: {what}\n{}\n// ours\n{}\n// mlir-opt's\n{}",
                    measure.pass, texts[index], ours[index], theirs[index]
                ))
            };
            if original[index] != after[0][index] {
                return show("something else is computed");
            }
            // mlir-opt 19 takes what yields a constant for a copy, and more that is wrong.
            if original[index] != after[1][index] || texts[index].contains("linalg.yield %c") {
                n_wrong += 1;
                continue;
            }
            let [n_ours, n_theirs] =
                [&ours[index], &theirs[index]].map(|text| count(text, measure.counted));
            if measure.each && n_ours > n_theirs {
                return show(&format!("{n_ours} are left, {n_theirs} of mlir-opt"));
            }
            total[0] += n_ours;
            total[1] += n_theirs;
        }
        let [ours, theirs] = total;
        if n_wrong == texts.len() {
            return Err(format!("{}: nothing is compared", measure.pass));
        }
        if ours * 100 > theirs * (100 + SLACK) {
            return Err(format!(
                "{}, FREEHOLD_SEED={} and on: {ours} are left, {theirs} of mlir-opt",
                measure.pass, seeds.start
            ));
        }
    }
    Ok(())
}

/// What the pass of mlir-opt makes of the programs; programs that it fails on are as they were.
fn of_peer(mlir_opt: &Path, flag: &str, texts: &[Arc<str>]) -> Vec<Arc<str>> {
    let all = texts.join("\n// -----\n");
    match peer::run_ok(mlir_opt, &["--split-input-file", flag], &all) {
        Ok(theirs) => theirs.split("// -----").map(Arc::from).collect(),
        Err(_) => (texts.iter())
            .map(|text| match peer::run_ok(mlir_opt, &[flag], text) {
                Ok(theirs) => theirs.into(),
                Err(_) => Arc::clone(text),
            })
            .collect(),
    }
}

fn transform(texts: &[Arc<str>], command: &str) -> Result<Vec<Arc<str>>, String> {
    let jobs: Vec<Job> = texts.iter().map(|text| Job::new(command, text)).collect();
    let outcomes = run(&jobs)?.into_iter();
    Ok(outcomes.map(|outcome| outcome.stdout.into()).collect())
}

fn run_all(texts: &[Arc<str>]) -> Result<Vec<String>, String> {
    let jobs: Vec<Job> = (texts.iter())
        .map(|text| Job::new("run - -O0", text))
        .collect();
    let outcomes = run(&jobs)?;
    Ok(outcomes
        .iter()
        .map(|outcome| shown(&outcome.native))
        .collect())
}

/// How many operations have names with one of these parts; those at the ends of bodies are not counted.
fn count(text: &str, counted: &[&str]) -> usize {
    let is_counted = |line: &&str| {
        counted.iter().any(|part| line.contains(part))
            && !line.contains("linalg.yield")
            && !line.contains("linalg.index")
    };
    text.lines().filter(is_counted).count()
}
