//! Random programs in the reference interpreter and as machine code: both print the same, to the bit.
//!
//! The programs are those of other families: `buffers-` has loops, branches and views, `tensors` structured
//! operations, `numbers` arithmetic on all types. `passes-` interprets them after each pass, `upstream-` after passes of
//! upstream's that `run` does without.

mod results;

use std::sync::Arc;

use crate::arithmetic;
use crate::strategies::{asynchronous, returned};
use crate::support::batch::{self, End, Job};
use crate::support::generator;
use crate::support::generator::shape::Shape;
use crate::support::linalg_programs::{self, Kind};
use crate::support::{first_seed, n_programs};

/// How many programs of each kind are tried.
const PROGRAMS: u64 = 24;

/// How many programs of each kind are interpreted after each pass.
const PROGRAMS_EACH: u64 = 6;

/// The passes of `run` at its best, with the interpreter after each.
const EACH: &str = "opt - '--native-pipeline=dealloc=hlo' --interpret-each -o /dev/null";

/// The passes of `run` with bodies on several threads, and on one, with the interpreter after each: it finds accesses that
/// are moved to where a body may still be running.
const ASYNC: [&str; 6] = [
    "opt - '--native-pipeline=dealloc=ownership threads=7 library=whole' --interpret-each -o /dev/null",
    "opt - '--native-pipeline=dealloc=hlo threads=2 library=whole merge-alloc=always' --interpret-each -o /dev/null",
    "opt - '--native-pipeline=dealloc=clone threads=2 library=no-accesses' --interpret-each -o /dev/null",
    "opt - '--native-pipeline=dealloc=copy threads=2 library=whole workspace=static' --interpret-each -o /dev/null",
    "opt - '--native-pipeline=dealloc=ownership' --interpret-each -o /dev/null",
    "opt - --async-func-to-async-runtime --run-async-in-order=threads=2 --canonicalize --cse --sccp \
        --control-flow-sink --loop-invariant-code-motion --buffer-loop-hoisting --buffer-hoisting \
        --promote-buffers-to-stack --remove-dead-values --sroa --mem2reg --raise-scf-to-affine \
        --affine-loop-invariant-code-motion --affine-loop-fusion --affine-scalrep \
        --ownership-based-buffer-deallocation --optimize-allocation-liveness --canonicalize --interpret-each \
        -o /dev/null",
];

/// Upstream's passes on buffers that the native pipeline does without, with the interpreter after each.
const UPSTREAM: &str = "opt - --sccp --control-flow-sink --loop-invariant-code-motion --remove-dead-values --sroa \
    --mem2reg --fold-memref-alias-ops --raise-scf-to-affine --affine-loop-invariant-code-motion --affine-loop-fusion \
    --affine-scalrep --affine-loop-tile=tile-size=4 --affine-loop-unroll-jam --affine-loop-unroll --affine-parallelize \
    --affine-simplify-structures --drop-equivalent-buffer-results=modify-public-functions=false --normalize-memrefs \
    --flatten-memref --convert-vector-to-scf --inline --generate-runtime-verification --canonicalize --interpret-each \
    -o /dev/null";

/// The same on tensors, two ways to loops, and what else bufferization may do.
const UPSTREAM_TENSORS: [&str; 6] = [
    "opt - --resolve-shaped-type-result-dims --convert-tensor-to-linalg --empty-tensor-to-alloc-tensor \
        --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-affine-loops --affine-loop-fusion \
        --affine-scalrep --affine-loop-tile=tile-size=4 --affine-loop-unroll-jam --affine-loop-unroll --affine-parallelize \
        --interpret-each -o /dev/null",
    "opt - --eliminate-empty-tensors '--one-shot-bufferize=bufferize-function-boundaries copy-before-write' \
        --convert-linalg-to-parallel-loops --fold-memref-alias-ops --interpret-each -o /dev/null",
    "opt - --reify-result-shapes --loop-invariant-subset-hoisting --resolve-ranked-shaped-type-result-dims \
        '--one-shot-bufferize=bufferize-function-boundaries create-deallocs' \
        --drop-equivalent-buffer-results=modify-public-functions=false --ownership-based-buffer-deallocation \
        --interpret-each -o /dev/null",
    "opt - '--one-shot-bufferize=bufferize-function-boundaries \
        function-boundary-type-conversion=fully-dynamic-layout-map buffer-alignment=0' --interpret-each -o /dev/null",
    "opt - '--one-shot-bufferize=allow-unknown-ops dialect-filter=tensor,bufferization,linalg \
        unknown-type-conversion=identity-layout-map' --interpret-each -o /dev/null",
    "opt - '--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map \
        use-encoding-for-memory-space' '--buffer-results-to-out-params=hoist-static-allocs modify-public-functions=false' \
        --interpret-each -o /dev/null",
];

/// What functions return becomes what callers have. Frees follow, and the interpreter counts.
const DROPPED: &str = "opt - --drop-equivalent-buffer-results=modify-public-functions=false \
    --ownership-based-buffer-deallocation --bufferization-lower-deallocations --interpret-each -o /dev/null";

/// The same of arguments that functions return, which deallocation would copy.
const ARGUMENTS: &str = "opt - --drop-equivalent-buffer-results=modify-public-functions=false --interpret-each \
    -o /dev/null";

/// What functions return becomes what callers allocate.
const ALLOCATED: &str = "opt - \
    '--buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs modify-public-functions=false' \
    --ownership-based-buffer-deallocation --bufferization-lower-deallocations --interpret-each -o /dev/null";

/// How machine code is made: as plainly as can be, and as well as can be.
const COMMANDS: [&str; 2] = ["run - -O0", "run - -O2"];

/// Makes the program with a seed.
type Generate = fn(u64) -> String;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("interpreted");
    let first = first_seed();
    let seeds = first..first + n_programs(PROGRAMS);
    for (name, shape) in Shape::NAMED {
        let seeds = seeds.clone();
        family.test(format!("buffers-{name}"), move || {
            Ok(compare(
                seeds.map(|seed| generator::generate(seed, &shape)),
            )?)
        });
    }
    for (name, shape) in Shape::NAMED {
        let seeds = first..first + n_programs(PROGRAMS_EACH);
        family.test(format!("passes-{name}"), move || {
            Ok(passes(
                EACH,
                seeds.map(|seed| generator::generate(seed, &shape)),
            )?)
        });
    }
    for (name, shape) in Shape::NAMED {
        let seeds = first..first + n_programs(PROGRAMS_EACH);
        family.test(format!("upstream-{name}"), move || {
            Ok(passes(
                UPSTREAM,
                seeds.map(|seed| generator::generate(seed, &shape)),
            )?)
        });
    }
    let shapes: [(&str, &str, Generate); 3] = [
        ("returned", DROPPED, returned::generate),
        ("arguments", ARGUMENTS, returned::generate_with_arguments),
        ("allocated", ALLOCATED, results::generate),
    ];
    for (name, command, generate) in shapes {
        let seeds = first..first + n_programs(PROGRAMS_EACH);
        family.test(format!("results-{name}"), move || {
            Ok(passes(command, seeds.map(generate))?)
        });
    }
    let generates: [(&str, Generate); 2] = [
        ("async", asynchronous::generate),
        ("async-lost", asynchronous::generate_lost),
    ];
    for (name, generate) in generates {
        let all = seeds.clone();
        family.test(name, move || Ok(compare(all.map(generate))?));
        let each = first..first + n_programs(PROGRAMS_EACH);
        family.test(format!("passes-{name}"), move || {
            for command in ASYNC {
                passes(command, each.clone().map(generate))?;
            }
            Ok(())
        });
    }
    let kind = Kind {
        control_flow: true,
        reshapes: true,
    };
    let each = first..first + n_programs(PROGRAMS_EACH);
    family.test("upstream-tensors", move || {
        for command in UPSTREAM_TENSORS {
            let programs = each
                .clone()
                .map(|seed| linalg_programs::generate(seed, kind));
            passes(command, programs)?;
        }
        Ok(())
    });
    let tensors = seeds.clone();
    family.test("tensors", move || {
        Ok(compare(
            tensors.map(|seed| linalg_programs::generate(seed, kind)),
        )?)
    });
    family.test("numbers", move || {
        Ok(compare(
            seeds.map(|seed| arithmetic::program(seed..seed + 1)),
        )?)
    });
    family
}

/// Holds machine code against the interpreter. A program that is not interpreted, or not defined, is an error too: all
/// of these programs are.
fn compare(texts: impl Iterator<Item = String>) -> Result<(), String> {
    let texts: Vec<Arc<str>> = texts.map(Into::into).collect();
    let jobs =
        |command: &str| -> Vec<Job> { texts.iter().map(|text| Job::new(command, text)).collect() };
    let interpreted = batch::run(&jobs("interpret -"))?;
    let mut complaints = String::new();
    for command in COMMANDS {
        let compiled = batch::run(&jobs(command))?;
        for ((text, interpreted), compiled) in texts.iter().zip(&interpreted).zip(&compiled) {
            let expected = shown(&format!("{}{}", interpreted.native, interpreted.stdout));
            let found = shown(&format!("{}{}", compiled.native, compiled.stdout));
            let is_equal = interpreted.end == End::Status(0)
                && compiled.end == End::Status(0)
                && expected == found;
            if is_equal || complaints.len() > 20_000 {
                continue;
            }
            let mut lines = expected.lines().zip(found.lines());
            let line = lines.find(|(expected, found)| expected != found);
            complaints += &format!(
                "interpret: {:?} {}\n{command}: {:?} {}\nfirst difference: {line:?}\n{text}\n",
                interpreted.end, interpreted.stderr, compiled.end, compiled.stderr
            );
        }
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints),
    }
}

/// Interprets programs after each pass: no pass changes what they do.
fn passes(command: &str, texts: impl Iterator<Item = String>) -> Result<(), String> {
    let jobs: Vec<Job> = texts.map(|text| Job::new(command, &text.into())).collect();
    for (job, outcome) in jobs.iter().zip(batch::run(&jobs)?) {
        // Some programs are not for this strategy.
        let refusals = [
            "of a buffer that has to be copied",
            "cannot create out param for",
            "cannot be part of a workspace",
        ];
        let is_refused = refusals.iter().any(|text| outcome.stderr.contains(text));
        if outcome.end != End::Status(0) && !is_refused {
            return Err(format!(
                "{command}: {:?} {}\n{}",
                outcome.end, outcome.stderr, job.stdin
            ));
        }
    }
    Ok(())
}

/// What a program printed, without addresses, where the elements of tensors lie, and the sign of what is no number.
fn shown(text: &str) -> String {
    let line = |line: &str| {
        let shape = line
            .split_once(" sizes = ")
            .filter(|_| line.contains(" rank = "));
        match shape.and_then(|(_, rest)| rest.split_once(" strides = ")) {
            Some((sizes, rest)) => {
                let data = rest.split_once(" data =").map_or(rest, |(_, data)| data);
                format!("sizes = {sizes} data ={data}\n")
            }
            None => format!("{line}\n"),
        }
    };
    let text: String = text.lines().map(line).collect();
    text.replace("-nan", "nan")
}
