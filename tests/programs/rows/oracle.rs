//! What a program means by the reference interpreter, held against machine code made in many ways and against the
//! program after passes.

use std::collections::BTreeSet;
use std::env;
use std::sync::Arc;

use freehold::backend::jit::{MemRefResult, ResultValue};
use freehold::frontend::dialects;
use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::ir::types::{FloatKind, Type, TypeKind};
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::verify::verify;
use freehold::passes::manage::manager::{self, RunOptions};
use freehold::passes::registry;
use freehold::{Job, Options, Output, Product, Source};
use freehold_interpret::{FaultKind, Limits, Outcome, Passed, Settings, Shape};

use super::pipelines;
use super::program::Program;
use super::tolerance::Tolerance;
use crate::support::generator::rng::Rng;
use crate::support::native::rounding;

/// Most pipelines of RUN lines that are tried on a program.
const MAX_OWN: usize = 3;

/// How many pipelines of passes that a program is for.
const N_MEANT: usize = 2;

/// In how many ways a program with floats is compiled that may round in other ways.
const N_FREE_WAYS: usize = 2;

/// What became of a program.
pub(super) enum Verdict {
    /// The parser or the verifier refuses it.
    Invalid(String),
    /// It does what it may not.
    Undefined(String),
    /// The interpreter does not know it, or gives up.
    Unknown(String),
    /// It was compared, this often; these ways of compiling were refused, and these folds, patterns and operations
    /// with code came to pass.
    Compared {
        n: usize,
        refused: Vec<String>,
        covered: BTreeSet<String>,
    },
    /// It does something else.
    Wrong { how: String, what: String },
}

fn settings() -> Settings {
    Settings {
        limits: Limits {
            steps: 3_000_000,
            bytes: 256 << 20,
            stack: 64 << 20,
        },
        noise: None,
    }
}

/// Reads a program.
pub(super) fn parse(text: &str) -> Result<Ir, String> {
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let outcome = (|| {
        let source = context.add_source("program", text, 1).ok()?;
        let module = parse_source(&context, &source, &mut diagnostics).ok()?;
        verify(&module, &mut diagnostics).ok()?;
        Some(module)
    })();
    outcome.ok_or_else(|| diagnostics.render_plain(&context))
}

/// Whether a program is defined, and short enough to be tried in many ways.
pub(super) fn is_defined(text: &str) -> bool {
    const STEPS: u64 = 300_000;
    let Ok(module) = parse(text) else {
        return false;
    };
    let mut settings = settings();
    settings.limits.steps = STEPS;
    let outcome = freehold_interpret::run(&module, "main", &[], settings, &mut Vec::new());
    outcome.fault.is_none() && outcome.stats.open == 0
}

fn interpret(module: &Ir) -> Outcome {
    interpret_to(module, &mut Vec::new())
}

/// The same; what is printed goes to `output`.
pub(super) fn interpret_to(module: &Ir, output: &mut Vec<u8>) -> Outcome {
    freehold_interpret::run(module, "main", &[], settings(), output)
}

/// Tries a program in all ways that `rng` chooses. Says what comes next before it may crash.
pub(super) fn check(
    program: &Program,
    rng: &mut Rng,
    n_ways: usize,
    mut note: impl FnMut(&str),
) -> Verdict {
    let (text, buffers_flow) = (program.text.as_str(), program.buffers_flow);
    note("interpret");
    let module = match parse(text) {
        Ok(module) => module,
        Err(message) => return Verdict::Invalid(message),
    };
    let expected = interpret(&module);
    if let Some(fault) = &expected.fault {
        let message = fault.message.clone();
        return match fault.kind {
            FaultKind::Unsupported | FaultKind::Limit => Verdict::Unknown(message),
            _ => Verdict::Undefined(message),
        };
    }
    if expected.stats.open > 0 {
        return Verdict::Unknown("the sign of a zero is open".to_owned());
    }
    let has_floats = ["f64", "f32", "f16", "bf16", "f8E"]
        .iter()
        .any(|name| text.contains(name));
    let mut refused = Vec::new();
    let mut covered = BTreeSet::new();
    let mut n = 0;
    for way in 0..n_ways {
        let words = match way {
            0 => vec!["opt-level=2".to_owned()],
            1 => vec!["opt-level=0".to_owned(), "dealloc=none".to_owned()],
            2 if !program.words.is_empty() => {
                let word = *rng.pick(&program.words);
                let name = word.split('=').next();
                let mut words = options(rng, buffers_flow, has_floats);
                words.retain(|other| other.split('=').next() != name);
                words.push(word.to_owned());
                words
            }
            _ => options(rng, buffers_flow, has_floats),
        };
        let how = how(&words);
        note(&how);
        match compiled(text, &words, &expected, None, module.context()) {
            Ok(None) => n += 1,
            Ok(Some(why)) => refused.push(format!("{how}: {why}")),
            Err(what) => return Verdict::Wrong { how, what },
        }
    }
    // Floats that may round in other ways.
    let tolerance = match has_floats {
        true => Tolerance::of(&module, &expected, settings(), rng.next()),
        false => None,
    };
    if has_floats && tolerance.is_none() {
        covered.insert("unstable".to_owned());
    }
    for _ in 0..if tolerance.is_some() { N_FREE_WAYS } else { 0 } {
        let mut words = options(rng, buffers_flow, has_floats);
        words.retain(|word| !word.starts_with("fp="));
        words.push(format!(
            "fp={}",
            rng.pick(&["contract", "contract", "fast"])
        ));
        let how = how(&words);
        note(&how);
        match compiled(
            text,
            &words,
            &expected,
            tolerance.as_ref(),
            module.context(),
        ) {
            Ok(None) => n += 1,
            Ok(Some(why)) => refused.push(format!("{how}: {why}")),
            Err(what) => return Verdict::Wrong { how, what },
        }
    }
    // Those that the program is made for come first.
    let own = program.pipelines.iter();
    let mut pipelines: Vec<String> = own.take(MAX_OWN).cloned().collect();
    let n_meant = match program.passes.is_empty() {
        true => 0,
        false => N_MEANT,
    };
    for _ in 0..n_meant {
        pipelines.push(pipelines::meant(rng, &program.passes, buffers_flow));
    }
    while pipelines.len() + 1 < n_ways {
        pipelines.push(pipelines::random(rng, buffers_flow));
    }
    for pipeline in pipelines {
        let how = format!("--pass-pipeline=builtin.module({pipeline})");
        note(&how);
        match after_passes(text, &pipeline, &expected, &mut covered) {
            Ok(Some(found)) => {
                n += 1;
                if program.frees_itself && found.leaks.len() > expected.leaks.len() {
                    let [before, after] = [&expected, &found].map(|it| it.leaks.len());
                    let what = format!("{after} buffers are never freed, {before} before");
                    return Verdict::Wrong { how, what };
                }
            }
            Ok(None) => {}
            Err(what) => return Verdict::Wrong { how, what },
        }
    }
    for pair in &program.promised {
        let how = pair.join(", then ");
        note(&how);
        match promises(text, pair, &expected, expected.leaks.len(), &mut covered) {
            Ok(true) => n += 1,
            Ok(false) => {}
            Err(what) => return Verdict::Wrong { how, what },
        }
    }
    let pipelines = pipelines::promising(rng, buffers_flow);
    note(&pipelines.join(", then "));
    let n_leaks = if program.frees_itself {
        expected.leaks.len()
    } else {
        0
    };
    match promises(text, &pipelines, &expected, n_leaks, &mut covered) {
        Ok(true) => n += 1,
        Ok(false) => {}
        Err(what) => {
            let how = pipelines.join(", then ");
            return Verdict::Wrong { how, what };
        }
    }
    if is_reported() {
        for pipeline in ["native-pipeline", "native-pipeline{optimize=false}"] {
            note(pipeline);
            if let Some(module) = native(text, pipeline, &mut covered) {
                let names = module.walk(module.root()).map(|op| module.def(op).name);
                covered.extend(names.map(|name| format!("code for '{name}'")));
                for op in module.walk(module.root()) {
                    if let Some(inner) = module.nested(op) {
                        let names = inner.walk(inner.root()).map(|op| inner.def(op).name);
                        covered.extend(names.map(|name| format!("code for '{name}'")));
                    }
                }
            }
        }
    }
    Verdict::Compared {
        n,
        refused,
        covered,
    }
}

/// Whether somebody wants to know what programs cover.
pub(super) fn is_reported() -> bool {
    env::var_os("FREEHOLD_ROWS_REPORT").is_some()
}

/// All that programs may cover.
pub(super) fn coverable() -> Vec<String> {
    let mut all = Vec::new();
    for row in dialects::ALL.iter().flat_map(|dialect| dialect.ops) {
        if row.fold.is_some() {
            all.push(format!("fold of '{}'", row.name));
        }
        let patterns = row.canonicalize.iter();
        all.extend(patterns.map(|it| format!("pattern '{}' of '{}'", it.name, row.name)));
    }
    let names = freehold::backend::operations_with_code();
    all.extend(names.map(|name| format!("code for '{name}'")));
    all
}

/// A program as code is made of it.
fn native(text: &str, pipeline: &str, covered: &mut BTreeSet<String>) -> Option<Ir> {
    let mut module = parse(text).ok()?;
    module.context().rewrites().keep_names();
    let pipeline = registry::parse(&format!("builtin.module({pipeline})")).ok()?;
    let mut diagnostics = Diagnostics::new();
    let done = manager::run(
        &mut module,
        &pipeline,
        RunOptions::default(),
        &mut diagnostics,
    );
    covered.extend(module.context().rewrites().names());
    done.is_ok().then_some(module)
}

/// Options as flags of `run`.
fn how(words: &[String]) -> String {
    let flags: Vec<String> = words.iter().map(|word| flag(word)).collect();
    flags.join(" ")
}

/// An option as a flag of `run`.
fn flag(word: &str) -> String {
    match word.strip_prefix("opt-level=") {
        Some(level) => format!("-O{level}"),
        None => format!("--{}", word.strip_suffix("=true").unwrap_or(word)),
    }
}

/// Options of `run`.
fn options(rng: &mut Rng, buffers_flow: bool, has_floats: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = |text: String| words.push(text);
    word(format!(
        "opt-level={}",
        rng.pick(&["2", "2", "3", "1", "0"])
    ));
    let strategies: &[&str] = match buffers_flow {
        true => &["ownership", "hlo", "none"],
        false => &["ownership", "hlo", "none", "clone", "copy"],
    };
    word(format!("dealloc={}", rng.pick(strategies)));
    if rng.chance(40) {
        word(format!(
            "merge-alloc={}",
            rng.pick(&["always", "never", "never-grow"])
        ));
    }
    if rng.chance(30) {
        word(format!(
            "dealloc-lowering={}",
            rng.pick(&["auto", "generic", "specialized", "runtime"])
        ));
    }
    if rng.chance(20) {
        word("private-function-dynamic-ownership=true".to_owned());
    }
    if rng.chance(30) {
        word("no-library-calls=true".to_owned());
    }
    if rng.chance(50) {
        word(format!("vector-bits={}", rng.pick(&["128", "256", "512"])));
    }
    if rng.chance(25) {
        word(format!(
            "target-cpu={}",
            rng.pick(&["generic", "x86-64-v2", "x86-64-v3"])
        ));
    }
    if rng.chance(30) {
        word(format!("threads={}", rng.pick(&["2", "2", "3"])));
    }
    if rng.chance(15) {
        word(format!("codegen-level={}", rng.pick(&["0", "1", "3"])));
    }
    if rng.chance(15) {
        const FEATURES: [&str; 10] = [
            "-avx512f",
            "-avx2",
            "-fma",
            "-avx512dq",
            "-sse4.1",
            "-f16c",
            "-avx512bw",
            "-avx512vl",
            "-popcnt",
            "-lzcnt",
        ];
        word(format!("target-features={}", rng.pick(&FEATURES)));
    }
    // What reports or checks something changes no result.
    for flag in ["debug-info=true", "remarks=true", "check=accesses"] {
        if rng.chance(7) {
            word(flag.to_owned());
        }
    }
    if rng.chance(10) {
        word("part-ops=20".to_owned());
    }
    if rng.chance(10) {
        word(format!("cap-analyses={}", rng.pick(&["0", "10", "100"])));
    }
    if !has_floats {
        // Policies are about floats alone.
        if rng.chance(30) {
            word(format!("fp={}", rng.pick(&["strict", "contract", "fast"])));
        }
    } else if rng.chance(10) {
        word("fp=strict".to_owned());
    }
    if rng.chance(10) {
        word(format!(
            "max-stack-bytes={}",
            rng.pick(&["0", "64", "100000"])
        ));
    }
    if rng.chance(10) {
        word("no-size-checks=true".to_owned());
    }
    words
}

/// Compiles and calls a program. Nothing if it is equal; why it is refused; an error if it is wrong.
fn compiled(
    text: &str,
    words: &[String],
    expected: &Outcome,
    tolerance: Option<&Tolerance>,
    context: &Context,
) -> Result<Option<String>, String> {
    let mut options = Options::default();
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((word, "true"));
        options
            .set_named(name, value)
            .map_err(|error| error.to_string())?;
    }
    let job = match Job::new(options, Output::Memory) {
        Ok(job) => job,
        Err(message) => return Ok(Some(message)),
    };
    let code = match job.run(Source::new("program", text)) {
        Ok(Product::Code(code)) => code,
        Ok(_) => return Ok(Some("no code".to_owned())),
        Err(error) => {
            let error = error.to_string();
            return match error.contains("internal") {
                true => Err(error),
                false => Ok(Some(error)),
            };
        }
    };
    let results = code
        .call("main", &[])
        .map_err(|error| format!("cannot be called: {error}"))?;
    let mut found = Ok(None);
    for (index, (result, shape)) in results.iter().zip(&expected.results).enumerate() {
        if let Shape::Value(passed) = shape
            && let Some(text) = result_difference(context, index, passed, result, tolerance)
        {
            found = Err(format!("result #{index}{text}"));
            break;
        }
    }
    for result in results {
        result
            .into_memref()
            .into_iter()
            .for_each(MemRefResult::leak);
    }
    found
}

fn result_difference(
    context: &Context,
    index: usize,
    expected: &Passed,
    result: &ResultValue,
    tolerance: Option<&Tolerance>,
) -> Option<String> {
    let (sizes, bytes) = match result {
        ResultValue::MemRef(memref) => (
            memref.sizes().iter().map(|&size| size as i64).collect(),
            memref.to_bytes(),
        ),
        ResultValue::Vector(bytes) => (expected.sizes.clone(), bytes.clone()),
        result => (Vec::new(), scalar_bytes(result, expected.bytes.len())?),
    };
    let found = Passed {
        element: expected.element,
        sizes,
        bytes,
        undefined: Vec::new(),
    };
    if let Some(tolerance) = tolerance {
        return tolerance.difference(context, index, expected, &found);
    }
    if found.sizes != expected.sizes {
        return Some(format!(
            " has sizes {:?}, not {:?}",
            found.sizes, expected.sizes
        ));
    }
    difference(context, expected, &found)
}

fn scalar_bytes(result: &ResultValue, size: usize) -> Option<Vec<u8>> {
    let mut bytes = match result {
        ResultValue::Int(value) => value.to_le_bytes().to_vec(),
        ResultValue::F32(value) => value.to_le_bytes().to_vec(),
        ResultValue::F64(value) => value.to_le_bytes().to_vec(),
        ResultValue::FloatBits(bits) => bits.to_le_bytes().to_vec(),
        ResultValue::Complex(parts) => {
            let [re, im] = &**parts;
            let mut bytes = scalar_bytes(re, size / 2)?;
            bytes.extend(scalar_bytes(im, size / 2)?);
            bytes
        }
        _ => return None,
    };
    bytes.truncate(size);
    Some(bytes)
}

/// Where two values differ, as far as the first one is defined.
fn difference(context: &Context, expected: &Passed, found: &Passed) -> Option<String> {
    let n: usize = expected.sizes.iter().map(|&size| size as usize).product();
    if n == 0 {
        return None;
    }
    if expected.bytes.len() != found.bytes.len() {
        return Some(format!(
            " has {} bytes, not {}",
            found.bytes.len(),
            expected.bytes.len()
        ));
    }
    let size = expected.bytes.len() / n;
    let is_undefined = |passed: &Passed, at: usize| passed.undefined.get(at).copied() == Some(true);
    for at in (0..n).filter(|&at| !is_undefined(expected, at)) {
        let [old, new] = [expected, found]
            .map(|passed| number(context, passed, &passed.bytes[at * size..][..size]));
        if is_undefined(found, at) {
            return Some(format!(
                " element {at} is not defined any more, and was {old:#x}"
            ));
        }
        if old != new
            && !(is_nan(context, expected.element, old) && is_nan(context, expected.element, new))
        {
            return Some(format!(" element {at} is {new:#x}, not {old:#x}"));
        }
    }
    None
}

/// The bits of a number, without those that its type has not.
fn number(context: &Context, passed: &Passed, bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    let number = u128::from_le_bytes(all);
    match context.integer_width(passed.element) {
        Some(width) if width < 128 => number & ((1 << width) - 1),
        _ => number,
    }
}

fn is_nan(context: &Context, ty: Type, bits: u128) -> bool {
    match context.type_kind(ty) {
        TypeKind::Float(FloatKind::F32) => f32::from_bits(bits as u32).is_nan(),
        TypeKind::Float(FloatKind::F64) => f64::from_bits(bits as u64).is_nan(),
        TypeKind::Float(FloatKind::F16) => bits & 0x7fff > 0x7c00,
        TypeKind::Float(FloatKind::BF16) => bits & 0x7fff > 0x7f80,
        TypeKind::Float(FloatKind::F8E4M3FN) => bits & 0x7f == 0x7f,
        TypeKind::Float(FloatKind::F8E5M2) => bits & 0x7f > 0x7c,
        // Which part it is may be nobody's too.
        TypeKind::Complex(part) => match context.type_kind(*part) {
            TypeKind::Float(FloatKind::F32) => {
                is_nan(context, *part, bits) || is_nan(context, *part, bits >> 32)
            }
            _ => is_nan(context, *part, bits) || is_nan(context, *part, bits >> 64),
        },
        _ => false,
    }
}

/// Whether a program was interpreted after both; an error if it does something else, if more than `n_leaks` buffers are
/// never freed, or if the second one costs memory. Programs that free some buffers themselves, which passes copy and leave, are
/// left out.
fn promises(
    text: &str,
    pipelines: &[String; 2],
    expected: &Outcome,
    n_leaks: usize,
    covered: &mut BTreeSet<String>,
) -> Result<bool, String> {
    if text.contains("bufferization.manual_deallocation") {
        return Ok(false);
    }
    let mut found = Vec::new();
    for pipeline in pipelines {
        let Some(outcome) = after_passes(text, pipeline, expected, covered)? else {
            return Ok(false);
        };
        let n = outcome.leaks.len();
        if let Some(leak) = outcome.leaks.first()
            && n > n_leaks
        {
            return Err(format!(
                "{n} buffers are never freed, one of {} bytes",
                leak.bytes
            ));
        }
        found.push(outcome.stats);
    }
    let [before, after] = found[..] else {
        return Ok(false);
    };
    if after.allocations > before.allocations {
        let (before, after) = (before.allocations, after.allocations);
        return Err(format!("{before} allocations become {after}"));
    }
    let most = before.peak + rounding(text, before.allocations);
    if after.peak > most && !pipelines[1].contains("merge-alloc=always") {
        let (before, after) = (before.peak, after.peak);
        return Err(format!("a peak of {before} bytes becomes {after}"));
    }
    Ok(true)
}

/// What a program does after passes, if it is interpreted; an error if that is something else.
fn after_passes(
    text: &str,
    pipeline: &str,
    expected: &Outcome,
    covered: &mut BTreeSet<String>,
) -> Result<Option<Outcome>, String> {
    let mut module = parse(text)?;
    if is_reported() {
        module.context().rewrites().keep_names();
    }
    let pipeline = registry::parse(&format!("builtin.module({pipeline})"))?;
    let mut diagnostics = Diagnostics::new();
    let options = RunOptions {
        sequential: true,
        verify_each: true,
        ..RunOptions::default()
    };
    if manager::run(&mut module, &pipeline, options, &mut diagnostics).is_err() {
        let text = diagnostics.render_plain(module.context());
        return match text.contains("failed to verify") || text.contains("after pass") {
            true => Err(text),
            false => Ok(None),
        };
    }
    covered.extend(module.context().rewrites().names());
    let mut found = interpret(&module);
    if let Some(fault) = found.fault {
        return match fault.kind {
            FaultKind::Unsupported | FaultKind::Limit => Ok(None),
            _ => Err(fault.message),
        };
    }
    if (diagnostics.render_plain(module.context()))
        .contains("frees this buffer itself, under conditions")
    {
        // Whether it is ever freed is up to the program.
        found.leaks.clear();
    }
    if found.results.len() != expected.results.len() {
        return Ok(None);
    }
    for (index, pair) in expected.results.iter().zip(&found.results).enumerate() {
        if let (Shape::Value(expected), Shape::Value(found)) = pair {
            if expected.sizes != found.sizes {
                return Err(format!(
                    "result #{index} has sizes {:?}, not {:?}",
                    found.sizes, expected.sizes
                ));
            }
            if let Some(text) = difference(module.context(), expected, found) {
                return Err(format!("result #{index}{text}"));
            }
        }
    }
    Ok(Some(found))
}
