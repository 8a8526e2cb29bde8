//! Random pipelines: passes with random options, behind what gives them something to do.

use freehold::passes::manage::options::{OptionKind, OptionRow};
use freehold::passes::registry::REGISTRY;

use crate::support::generator::rng::Rng;

/// Passes that change what a program does by design, or that others must follow.
const NOT_ALONE: &[&str] = &["buffer-results-to-out-params"];

/// Passes that copy a buffer that has several names, by design.
const COPYING: &[&str] = &[
    "buffer-deallocation",
    "legacy-deallocation-pipeline",
    "native-pipeline",
];

/// Parts of names of passes that leave all programs of rows as they are: lowerings that the backend does without, and
/// what is about other front ends. And flags after which later passes may round otherwise.
const IDLE: &[&str] = &[
    "-to-llvm",
    "libm",
    "stablehlo",
    "vhlo",
    "chlo",
    "onnx",
    "mpi",
    "request",
    "shard",
    "arith-",
    "async-",
    "donated",
    "declared",
    "fastmath",
    "iree",
    "strip-",
    "test-",
    "reconcile",
    "print-",
    "-graph",
    "standard",
    "-to-funcs",
    "scan-lowering",
];

const BUFFERIZE: &str = "one-shot-bufferize{bufferize-function-boundaries=true}";

/// What goes before passes, by how their names begin.
const BEFORE: &[(&[&str], &[&str])] = &[
    (
        &["affine-"],
        &[
            "raise-scf-to-affine",
            "lower-affine,raise-scf-to-affine",
            "convert-linalg-to-affine-loops",
            "one-shot-bufferize{bufferize-function-boundaries=true},convert-linalg-to-affine-loops",
        ],
    ),
    (
        &["scf-parallel-", "outline-parallel-"],
        &[
            "one-shot-bufferize{bufferize-function-boundaries=true},convert-linalg-to-parallel-loops",
        ],
    ),
    (
        &["hlo-deallocation-", "hlo-buffer-", "convert-deallocation-"],
        &["hlo-deallocate"],
    ),
    (
        &[
            "buffer-deallocation-simpl",
            "bufferization-lower-",
            "lower-deallocations",
            "optimize-allocation-",
        ],
        &["ownership-based-buffer-deallocation"],
    ),
    (
        &[
            "merge-alloc",
            "reuse-loop-",
            "use-workspace",
            "promote-buffers-",
        ],
        &["buffer-deallocation-pipeline", BUFFERIZE],
    ),
    (
        &[
            "vectorize-",
            "unroll-",
            "interchange-",
            "fuse-",
            "promote-loop-",
            "hoist-loop-",
            "forward-",
            "contract-",
            "parallelize-",
            "convert-loops-",
            "isolate-",
            "outline-equal-",
            "convert-unsigned-",
        ],
        &[
            "lower-affine",
            "convert-linalg-to-loops,lower-affine",
            "one-shot-bufferize{bufferize-function-boundaries=true},convert-linalg-to-loops,lower-affine",
        ],
    ),
];

/// Lists that options may have; others are left out.
const LISTS: &[(&str, &[&str])] = &[
    ("virtual-vector-size", &["4", "2", "8", "2,4", "4,2"]),
    ("test-fastest-varying", &["0", "1", "0,1"]),
    ("tile-sizes", &["3", "3,4", "2,1,5"]),
];

/// Options after which floats may differ.
const NO_OPTIONS: &[&str] = &["fp", "vectorize-reductions"];

/// Passes that a program is for, each in a while with others around it.
pub(super) fn meant(rng: &mut Rng, passes: &[&str], buffers_flow: bool) -> String {
    let mut steps = vec!["lower-affine".to_owned()];
    // In the order of their names, buffers are freed before others look for those that are.
    for pass in passes {
        if rng.chance(30) {
            steps.push((*rng.pick(&["canonicalize", "cse"])).to_owned());
        }
        steps.push((*pass).to_owned());
    }
    if buffers_flow {
        steps.iter_mut().for_each(keep_names);
    }
    steps.join(",")
}

/// Some passes with random options.
pub(super) fn random(rng: &mut Rng, buffers_flow: bool) -> String {
    let n = rng.range(1, 5);
    let mut steps = Vec::new();
    if rng.chance(30) {
        steps.push(BUFFERIZE.to_owned());
    }
    while steps.len() < n {
        if rng.chance(4) {
            let pipeline = rng.pick(REGISTRY.pipelines);
            let name = pipeline.name();
            if !(is_idle(name) || buffers_flow && COPYING.contains(&name)) {
                steps.push(with_options(name, &pipeline.options(), rng));
            }
            continue;
        }
        let pass = rng.pick(REGISTRY.passes);
        let name = pass.name();
        if is_idle(name) || NOT_ALONE.contains(&name) || buffers_flow && COPYING.contains(&name) {
            continue;
        }
        let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
        let before = BEFORE.iter().find(|(starts, _)| begins(starts));
        if let Some((_, before)) = before
            && rng.chance(60)
        {
            steps.push((*rng.pick(before)).to_owned());
        }
        steps.push(with_options(name, &pass.options(), rng));
    }
    if buffers_flow {
        steps.iter_mut().for_each(keep_names);
    }
    steps.join(",")
}

/// Tells passes that copy what functions return of their arguments not to.
fn keep_names(step: &mut String) {
    const TOLD: [(&str, &str); 2] = [
        (
            "buffer-deallocation-pipeline",
            "buffer-deallocation-pipeline{borrowed-results=true}",
        ),
        (
            "ownership-based-buffer-deallocation",
            "privatize-borrowed-results,\
             ownership-based-buffer-deallocation{borrowed-results=true}",
        ),
    ];
    let told = TOLD.iter().find(|(name, _)| step.starts_with(name));
    if let Some((_, told)) = told {
        (*told).clone_into(step);
    }
}

fn is_idle(name: &str) -> bool {
    IDLE.iter().any(|part| name.contains(part))
}

/// The passes of `run` without merged allocations, and with them.
pub(super) fn promising(rng: &mut Rng, buffers_flow: bool) -> [String; 2] {
    let strategies: &[&str] = match buffers_flow {
        true => &["ownership", "hlo"],
        false => &["ownership", "hlo", "clone", "copy"],
    };
    let mut options = format!("dealloc={}", rng.pick(strategies));
    if rng.chance(30) {
        options += " optimize=false";
    }
    if rng.chance(20) {
        options += " private-function-dynamic-ownership=true";
    }
    if rng.chance(30) {
        let lowering = rng.pick(&["generic", "specialized", "runtime"]);
        options += &format!(" lowering={lowering}");
    }
    let merged = *rng.pick(&["never-grow", "never-grow", "always"]);
    ["never", merged].map(|merge| format!("native-pipeline{{{options} merge-alloc={merge}}}"))
}

/// A pass with random options, or none.
fn with_options(name: &str, rows: &[OptionRow], rng: &mut Rng) -> String {
    // Without a list there is nothing to do.
    let needs_list = name == "affine-super-vectorize";
    if !needs_list && rng.chance(60) {
        return name.to_owned();
    }
    let mut options = Vec::new();
    for row in rows.iter().filter(|row| !NO_OPTIONS.contains(&row.name)) {
        let list = LISTS.iter().find(|(option, _)| *option == row.name);
        let value = match (&row.kind, list) {
            (_, Some((_, lists))) => (*rng.pick(lists)).to_owned(),
            (OptionKind::Bool, _) => (*rng.pick(&["true", "false"])).to_owned(),
            (&OptionKind::Integer { least, most }, _) => {
                let small = i64::try_from(rng.below(9)).unwrap_or(0);
                small.clamp(least, most).to_string()
            }
            (OptionKind::Choice(words), _) => rng.pick(words).word.to_owned(),
            (OptionKind::Text | OptionKind::List | OptionKind::Other(_), None) => continue,
        };
        let percent = match row.name {
            "virtual-vector-size" => 100,
            _ => 35,
        };
        if rng.chance(percent) {
            options.push(format!("{}={value}", row.name));
        }
    }
    match options.is_empty() {
        true => name.to_owned(),
        false => format!("{name}{{{}}}", options.join(" ")),
    }
}
