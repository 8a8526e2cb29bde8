//! Tensors are values, whatever is done in place.
//!
//! Random programs on tensors are run natively, after bufferization and each way to free buffers,
//! and by an interpreter that knows nothing of memory. Whatever a program looks at must be the
//! same; the runtime finds leaks and wrong frees. `values` has programs on tensors of one size and
//! everything that may be done in place, `support/tensor_programs/` those of all shapes, `donated` those that write to
//! their arguments.

mod donated;
mod values;

use std::sync::{Arc, Mutex, PoisonError};

use freehold::backend::jit::{Argument, Buffer, compile_to_jit};
use freehold::backend::{AllocMode, Options};
use freehold::frontend::dialects;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::{Diagnostics, Failed};
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::syntax::printer::{PrintOptions, print};
use freehold::passes::manage::manager::{self, RunOptions};
use freehold::passes::registry;
use libtest_mimic::Trial;

use self::donated::donated_arguments_hold_results;
use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::tensor_programs::MAX_SHOWN;
use crate::support::tensor_programs::generate::generate;
use crate::support::tensor_programs::interpret::interpret;
use crate::support::tensor_programs::write::{Output, write};
use crate::support::{first_seed, n_programs, peer};

/// A program and what it must show.
struct Sample {
    text: String,
    /// What `@kernel` is called with, before the memory for what is shown.
    known: Vec<usize>,
    shown: Vec<i32>,
}

/// Ways to come from tensors to buffers: functions take any layout, or row-major buffers, or become
/// functions on buffers when everything else is bufferized already. Last, what `run` and `compile` do.
const BUFFERIZATIONS: [&str; 4] = [
    "convert-to-signless,one-shot-bufferize{bufferize-function-boundaries=true}",
    "convert-to-signless,\
     one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}",
    "convert-to-signless,one-shot-bufferize,one-shot-bufferize{bufferize-function-boundaries=true}",
    "convert-to-signless,convert-elementwise-to-linalg,simplify-tensor-loops,linalg-bubble-up-slices,linalg-simplify,linalg-separate-windows,linalg-cse-reductions,linalg-hoist-invariants,linalg-hoist-products,linalg-fold-constants,\
     linalg-fuse-elementwise-ops{max-recomputed-ops=4 keep-expensive=true several-results=true},\
     linalg-interchange-reductions,linalg-split-reductions{fp=fast max-chain=1},linalg-split-batches,eliminate-empty-tensors,\
     one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map move-reads=true reuse-inputs=true}",
];

const DEALLOCATIONS: [&str; 5] = [
    "buffer-deallocation-pipeline",
    "hlo-deallocation-pipeline{keep-public-signatures=true}",
    "legacy-deallocation-pipeline{introduce=clone}",
    "legacy-deallocation-pipeline{introduce=copy}",
    "canonicalize,cse,buffer-deallocation-pipeline",
];

fn run_passes(ir: &mut Ir, passes: &str, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let pipeline = registry::parse(&format!("builtin.module({passes})")).unwrap();
    let options = RunOptions {
        verify_each: true,
        ..RunOptions::default()
    };
    manager::run(ir, &pipeline, options, diagnostics).map(|_| ())
}

/// Held while a program runs: what the runtime finds out about memory is kept once per process.
static CHECKED: Mutex<()> = Mutex::new(());

/// What is said of programs whose writes copies would lose.
const LOST_WRITE: &str = "writes through one of two names of a buffer that has to be copied";

/// What the program shows when it is compiled with these passes, and whether it misused memory. `None` if the passes
/// refuse it as they may.
fn run_natively(sample: &Sample, passes: &str) -> Option<(Vec<i32>, bool)> {
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let text = &sample.text;
    let source = context.add_source("test.mlir", text.as_str(), 1).unwrap();
    let mut compile = || -> Result<_, Failed> {
        let mut ir = parse_source(&context, &source, &mut diagnostics)?;
        let passes = format!(
            "{passes},convert-bufferization-to-memref,convert-linalg-to-loops,lower-affine,lower-vectors,convert-scf-to-cf,canonicalize,cse"
        );
        run_passes(&mut ir, &passes, &mut diagnostics)?;
        let mut options = Options::host();
        options.mode = AllocMode::Checking;
        compile_to_jit(&ir, &options, &mut diagnostics)
    };
    let Ok(jit) = compile() else {
        let message = diagnostics.render_plain(&context);
        assert!(message.contains(LOST_WRITE), "{message}\n{passes}\n{text}");
        return None;
    };
    let mut memory = vec![0i32; MAX_SHOWN];
    let buffer = Buffer::new(&mut memory, &[MAX_SHOWN]);
    let known = sample.known.iter();
    let mut arguments: Vec<Argument<'_>> = known.map(|&n| Argument::Int(n as i128)).collect();
    arguments.push(Argument::MemRef(&buffer));
    let _others_wait = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    jit.call("kernel", &arguments).unwrap();
    drop(arguments);
    drop(buffer);
    let misused = freehold_runtime::check::freehold_check_report() != 0;
    freehold_runtime::check::freehold_check_reset();
    let n_shown = memory[0] as usize;
    Some((memory[1..=n_shown].to_vec(), misused))
}

/// Runs programs made by `sample`, each in one of the ways there are.
fn test_programs(seed: u64, sample: impl Fn(&mut Rng) -> Option<Sample>) {
    let first = first_seed();
    for n in first..first + n_programs(75) {
        let mut rng = Rng::new(seed + n);
        let Some(sample) = sample(&mut rng) else {
            continue;
        };
        let passes = [rng.pick(&BUFFERIZATIONS), rng.pick(&DEALLOCATIONS)].map(|passes| *passes);
        let passes = passes.join(",");
        let Some((shown, misused)) = run_natively(&sample, &passes) else {
            continue;
        };
        assert!(
            shown == sample.shown && !misused,
            "program {n}: misused memory: {misused}\nshown    {shown:?}\nexpected {:?}\n{:?} {passes}\n{}",
            sample.shown,
            sample.known,
            sample.text
        );
    }
}

fn tensors_keep_their_values() {
    test_programs(6_000_000, values::sample);
}

fn tensors_of_all_shapes_keep_their_values() {
    test_programs(7_000_000, |rng| {
        let program = generate(rng);
        Some(Sample {
            text: write(&program, Output::Memory),
            known: program.known.to_vec(),
            shown: interpret(&program)?,
        })
    });
}

/// Whether there is a stride of zero: expanded shapes without elements have them, and LLVM 19 infers
/// but does not read them.
fn has_zero_strides(text: &str) -> bool {
    let layouts = text.split("strided<[").skip(1);
    let mut strides = layouts.flat_map(|layout| layout.split(']').next().unwrap().split(", "));
    strides.any(|stride| stride == "0")
}

/// What is left of a program without tensors is upstream's, with types that its verifier knows.
fn mlir_opt_reads_what_comes_out() {
    let mlir_opt = peer::tool("mlir-opt-19");
    let mut texts = Vec::new();
    for n in 0..n_programs(30) {
        let program = generate(&mut Rng::new(8_000_000 + n));
        let text = write(&program, Output::Print);
        let within = "convert-to-signless,one-shot-bufferize";
        let passes = [within, BUFFERIZATIONS[0], BUFFERIZATIONS[1]];
        let passes = passes[n as usize % passes.len()];
        let context = Arc::new(dialects::context());
        let mut diagnostics = Diagnostics::new();
        let source = context.add_source("test.mlir", text.as_str(), 1).unwrap();
        let mut bufferize = || -> Result<String, Failed> {
            let mut ir = parse_source(&context, &source, &mut diagnostics)?;
            run_passes(&mut ir, passes, &mut diagnostics)?;
            Ok(print(&ir, PrintOptions::default()))
        };
        let Ok(bufferized) = bufferize() else {
            panic!("{}\n{passes}\n{text}", diagnostics.render_plain(&context));
        };
        if !has_zero_strides(&bufferized) {
            texts.push(bufferized);
        }
    }
    peer::run_ok(
        &mlir_opt,
        &["--split-input-file"],
        &texts.join("\n// -----\n"),
    )
    .unwrap();
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        tensors_keep_their_values,
        tensors_of_all_shapes_keep_their_values,
        donated_arguments_hold_results,
        mlir_opt_reads_what_comes_out needs ["mlir-opt-19"],
    ]
}
