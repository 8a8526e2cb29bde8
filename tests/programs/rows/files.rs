//! Programs of the file tests: a `main` calls some of their functions with random arguments. They have the shapes that
//! passes are about, and the passes of their RUN lines are tried on them. Some are changed a little.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::data::Ir;
use freehold::frontend::ir::op_def::Traits;
use freehold::frontend::ir::types::{DYNAMIC, FloatKind, MemRefType, Signedness, Type, TypeKind};
use freehold::frontend::syntax::printer::{PrintOptions, print, type_to_string};
use freehold::passes::registry::REGISTRY;

use super::oracle;
use super::table::{C_LIBRARY, NOT_FROM_ROWS};
use crate::fuzz;
use crate::support::generator::rng::Rng;
use crate::support::runner::TestFile;

/// Longer modules are examples of programs for other tests.
const MAX_PIECE_BYTES: usize = 20_000;
/// How often a function that can be called is looked for.
const MAX_TRIES: usize = 20;
/// How far the files of two programs are apart in the list: a prime.
const STRIDE: u64 = 7919;
/// Most functions that one program calls: what is compiled is the same for one or all of them.
const MAX_CALLS: usize = 12;
/// Most elements of an argument.
const MAX_ELEMENTS: i64 = 4096;

/// What does something else in each run, elsewhere, or by design: output beside ours, other processes, addresses,
/// floats that may differ, and writes that a pass refuses because copies would lose them.
const LEFT_OUT: &[&str] = &[
    "print",
    "mpi.",
    "fastmath",
    "donat",
    "aligned_pointer",
    "llvm.call",
    "has to be copied",
];

/// Operations whose bits the C library decides.
fn of_c_library() -> impl Iterator<Item = &'static str> {
    let decided = NOT_FROM_ROWS.iter().filter(|(_, why)| *why == C_LIBRARY);
    decided.map(|(name, _)| *name)
}

/// Passes after which floats may differ, callers find other things in what they donated, and casts that a program may
/// not make are reported.
const FREE_PASSES: &[&str] = &[
    "fp=",
    "fastmath",
    "vectorize-reductions",
    "parallel-reductions",
    "reassociate",
    "donat",
    "check-sizes",
    "generate-runtime-verification",
];

/// The programs of one file.
struct Pieces {
    texts: Vec<String>,
    /// What RUN lines do with them.
    pipelines: Vec<String>,
}

/// The programs of all files, by file and place in it.
static PIECES: LazyLock<Vec<(PathBuf, usize)>> = LazyLock::new(|| {
    let mut pieces: Vec<(PathBuf, usize)> = Vec::new();
    for file in fuzz::files() {
        let n = read(&file).map_or(0, |found| found.texts.len());
        pieces.extend((0..n).map(|at| (file.clone(), at)));
    }
    // Those of passes have most to say.
    let passes: Vec<(PathBuf, usize)> = (pieces.iter())
        .filter(|(file, _)| file.components().any(|part| part.as_os_str() == "passes"))
        .cloned()
        .collect();
    pieces.extend(passes);
    pieces
});

fn read(file: &Path) -> Option<Pieces> {
    let text = fs::read_to_string(file).ok()?;
    let texts: Vec<String> = (text.split("// -----"))
        .filter(|piece| piece.len() < MAX_PIECE_BYTES && piece.contains("func.func"))
        .filter(|piece| LEFT_OUT.iter().all(|word| !piece.contains(word)))
        .filter(|piece| of_c_library().all(|name| !piece.contains(name)))
        .map(str::to_owned)
        .collect();
    let parsed = TestFile::parse(file, &text, Path::new("")).ok()?;
    let mut pipelines: Vec<String> = (parsed.iter())
        .flat_map(TestFile::commands)
        .filter_map(|words| pipeline(words, file))
        .collect();
    pipelines.sort();
    pipelines.dedup();
    (!texts.is_empty()).then_some(Pieces { texts, pipelines })
}

/// The passes of `freehold opt`.
fn pipeline(words: &[String], file: &Path) -> Option<String> {
    let [program, command, input, flags @ ..] = words else {
        return None;
    };
    if program != "freehold" || command != "opt" || Path::new(input) != file {
        return None;
    }
    let mut steps = Vec::new();
    for flag in flags {
        let flag = flag.trim_start_matches('-');
        let (name, options) = flag.split_once('=').unwrap_or((flag, ""));
        let is_pass = REGISTRY.passes.iter().any(|pass| pass.name() == name);
        let is_pipeline = REGISTRY.pipelines.iter().any(|it| it.name() == name);
        match options {
            _ if name == "pass-pipeline" => {
                let inner = options.strip_prefix("builtin.module(")?;
                steps.push(inner.strip_suffix(')')?.to_owned());
            }
            _ if !is_pass && !is_pipeline => {}
            "" => steps.push(name.to_owned()),
            _ => steps.push(format!("{name}{{{options}}}")),
        }
    }
    let text = steps.join(",");
    let is_free = FREE_PASSES.iter().any(|word| text.contains(word));
    (!steps.is_empty() && !is_free).then_some(text)
}

/// A program, and pipelines for it.
pub(super) fn program(seed: u64) -> Option<(String, Vec<String>)> {
    let mut rng = Rng::new(seed ^ 0x0066_696c_6573);
    // All of them before one comes again.
    let place = (seed / super::program::FILES).wrapping_mul(STRIDE) % PIECES.len().max(1) as u64;
    let mut chosen = PIECES.get(place as usize)?;
    for attempt in 0..MAX_TRIES {
        if attempt > 0 {
            chosen = rng.pick(&PIECES);
        }
        let (file, at) = chosen;
        let Some(pieces) = read(file) else { continue };
        let Some(mut text) = pieces.texts.get(*at).cloned() else {
            continue;
        };
        if rng.chance(30) {
            text = fuzz::changed(text, &pieces.texts, &mut rng);
        }
        // A name of ours.
        let text = text.replace("@main", "@main_of_file");
        let Ok(module) = oracle::parse(&text) else {
            continue;
        };
        let mut functions = callable(&module);
        let text = print(&module, PrintOptions::default());
        let mut calls = Vec::new();
        while calls.len() < MAX_CALLS && !functions.is_empty() {
            let function = functions.swap_remove(rng.below(functions.len()));
            let number = calls.len();
            let Some(call) = call(module.context(), &text, number, &function, &mut rng) else {
                continue;
            };
            // One that is not defined would take the others with it.
            let alone = with_main(&text, std::slice::from_ref(&call));
            if alone.is_some_and(|alone| oracle::is_defined(&alone)) {
                calls.push(call);
            }
        }
        let Some(text) = with_main(&text, &calls).filter(|_| !calls.is_empty()) else {
            continue;
        };
        let mut pipelines = pieces.pipelines;
        let first = rng.below(pipelines.len().max(1));
        pipelines.rotate_left(first);
        return Some((text, pipelines));
    }
    None
}

type Function = (String, Vec<Type>, Vec<Type>);

/// Functions with bodies.
fn callable(module: &Ir) -> Vec<Function> {
    let context = module.context();
    let mut found = Vec::new();
    for op in module
        .root_block()
        .into_iter()
        .flat_map(|it| module.ops_in(it))
    {
        let Some(function) = module.nested(op) else {
            continue;
        };
        let root = function.root();
        if !function.has_trait(root, Traits::FUNCTION) || function.root_block().is_none() {
            continue;
        }
        if let (Some(name), Some(ty)) = (function.symbol_name(root), function.function_type(root))
            && let TypeKind::Function { inputs, results } = context.type_kind(ty)
        {
            found.push((name.to_owned(), inputs.to_vec(), results.to_vec()));
        }
    }
    found
}

/// A call with its arguments, and what it shows.
struct Call {
    globals: String,
    body: String,
    returned: Vec<(String, String)>,
}

/// A call of a function; nothing if there are no arguments of its types, or if it shows nothing.
fn call(
    context: &Context,
    text: &str,
    number: usize,
    (name, inputs, results): &Function,
    rng: &mut Rng,
) -> Option<Call> {
    let mut writer = Writer {
        context,
        number,
        size: *rng.pick(&[4, 4, 4, 1, 2, 3, 5, 8]),
        rounds: rng.chance(25),
        globals: String::new(),
        body: String::new(),
        next: 0,
        returned: Vec::new(),
    };
    let mut names: Vec<String> = Vec::new();
    for (at, &ty) in inputs.iter().enumerate() {
        let same = (0..at).find(|&other| inputs[other] == ty);
        let name = match same {
            // Two names of one buffer, unless a function was promised that there are none.
            Some(other) if !text.contains("noalias") && rng.chance(10) => names[other].clone(),
            _ => writer.argument(ty, rng)?,
        };
        names.push(name);
    }
    let list = |types: &[Type]| {
        let texts: Vec<String> = types
            .iter()
            .map(|&ty| type_to_string(context, ty))
            .collect();
        texts.join(", ")
    };
    let head = match results.len() {
        0 => String::new(),
        n => format!("%results{number}:{n} = "),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        writer.body,
        "  {head}func.call @{name}({}) : ({}) -> ({})",
        names.join(", "),
        list(inputs),
        list(results)
    );
    let shown = results.iter().enumerate();
    let mut returned: Vec<(String, String)> = shown
        .map(|(at, &ty)| {
            (
                format!("%results{number}#{at}"),
                type_to_string(context, ty),
            )
        })
        .collect();
    returned.append(&mut writer.returned);
    (!returned.is_empty()).then_some(Call {
        globals: writer.globals,
        body: writer.body,
        returned,
    })
}

/// The module with a `main` that makes these calls.
fn with_main(text: &str, calls: &[Call]) -> Option<String> {
    let (before, after) = text.rsplit_once('}')?;
    if !after.trim().is_empty() {
        return None;
    }
    let returned = calls.iter().flat_map(|call| &call.returned);
    let (names, types): (Vec<&str>, Vec<&str>) = returned
        .map(|(name, ty)| (name.as_str(), ty.as_str()))
        .unzip();
    let (names, types) = (names.join(", "), types.join(", "));
    let globals: String = calls.iter().map(|call| call.globals.as_str()).collect();
    let bodies: String = calls.iter().map(|call| call.body.as_str()).collect();
    Some(format!(
        "{before}{globals}func.func @main() -> ({types}) {{\n{bodies}  func.return {names} : {types}\n}}\n}}\n"
    ))
}

struct Writer<'a> {
    context: &'a Context,
    /// Of the call.
    number: usize,
    /// Open sizes.
    size: i64,
    /// Whether sums of its floats may be rounded.
    rounds: bool,
    globals: String,
    body: String,
    next: usize,
    /// Buffers that functions may write to.
    returned: Vec<(String, String)>,
}

impl Writer<'_> {
    fn define(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%argument{}_{}", self.number, self.next);
        let _ = writeln!(self.body, "  {name} = {text}");
        name
    }

    /// A value of this type.
    fn argument(&mut self, ty: Type, rng: &mut Rng) -> Option<String> {
        let context = self.context;
        let text = type_to_string(context, ty);
        match context.type_kind(ty) {
            TypeKind::Vector { shape, .. } => {
                let dense = self.dense(shape, context.element_type_or_self(ty), rng)?;
                Some(self.define(&format!("arith.constant {dense} : {text}")))
            }
            TypeKind::RankedTensor { shape, .. } => {
                let sizes = self.sizes(shape)?;
                self.tensor(&sizes, ty, rng)
            }
            TypeKind::UnrankedTensor(_) => {
                let sizes = vec![self.size];
                self.tensor(&sizes, ty, rng)
            }
            TypeKind::MemRef(memref) => {
                let sizes = self.sizes(&memref.shape)?;
                let strides = context.memref_strides(memref);
                // One of any strides and offset has those of a row-major one.
                let is_open = strides.is_none_or(|(strides, offset)| {
                    offset == DYNAMIC || strides.contains(&DYNAMIC)
                });
                let made = context.memref_type(MemRefType {
                    shape: sizes.clone().into(),
                    layout: memref.layout.filter(|_| !is_open),
                    ..memref.clone()
                });
                self.buffer(&sizes, made, ty, rng)
            }
            TypeKind::UnrankedMemRef { element, .. } => {
                let sizes = vec![self.size];
                let made = context.memref_type(MemRefType::identity(&sizes, *element));
                self.buffer(&sizes, made, ty, rng)
            }
            _ => {
                let literal = self.scalar(ty, rng)?;
                // Known or not.
                if rng.chance(30) && !matches!(context.type_kind(ty), TypeKind::Complex(_)) {
                    return Some(self.define(&match text.as_str() {
                        "i1" => format!("arith.constant {literal}"),
                        _ => format!("arith.constant {literal} : {text}"),
                    }));
                }
                let memref = format!("memref<{text}>");
                let global = self.global(&memref, &format!("dense<{literal}>"));
                Some(self.define(&format!("memref.load {global}[] : {memref}")))
            }
        }
    }

    /// Sizes of which none is open.
    fn sizes(&self, shape: &[i64]) -> Option<Vec<i64>> {
        let known = |&size: &i64| if size == DYNAMIC { self.size } else { size };
        let sizes: Vec<i64> = shape.iter().map(known).collect();
        let n = sizes
            .iter()
            .try_fold(1i64, |n, &size| n.checked_mul(size))?;
        (n <= MAX_ELEMENTS).then_some(sizes)
    }

    /// Memory with these contents, as a value.
    fn global(&mut self, ty: &str, contents: &str) -> String {
        self.next += 1;
        let name = format!("@argument{}_{}", self.number, self.next);
        let _ = writeln!(
            self.globals,
            "memref.global \"private\" {name} : {ty} = {contents}"
        );
        self.define(&format!("memref.get_global {name} : {ty}"))
    }

    /// A new buffer of type `made`, as one of type `ty`.
    fn buffer(&mut self, sizes: &[i64], made: Type, ty: Type, rng: &mut Rng) -> Option<String> {
        let element = self.context.element_type_or_self(made);
        let dense = self.dense(sizes, element, rng)?;
        let plain = MemRefType::identity(sizes, element);
        let plain = type_to_string(self.context, self.context.memref_type(plain));
        let global = self.global(&plain, &dense);
        let text = type_to_string(self.context, made);
        let buffer = self.define(&format!("memref.alloc() : {text}"));
        let _ = writeln!(
            self.body,
            "  memref.copy {global}, {buffer} : {plain} to {text}"
        );
        self.returned.push((buffer.clone(), text.clone()));
        if made == ty {
            return Some(buffer);
        }
        let ty = type_to_string(self.context, ty);
        Some(self.define(&format!("memref.cast {buffer} : {text} to {ty}")))
    }

    fn tensor(&mut self, sizes: &[i64], ty: Type, rng: &mut Rng) -> Option<String> {
        let element = self.context.element_type_or_self(ty);
        let dense = self.dense(sizes, element, rng)?;
        let memref = MemRefType::identity(sizes, element);
        let memref = type_to_string(self.context, self.context.memref_type(memref));
        let plain = memref.replacen("memref<", "tensor<", 1);
        let tensor = match rng.below(3) {
            0 => self.define(&format!("arith.constant {dense} : {plain}")),
            kind => {
                let global = self.global(&memref, &dense);
                let buffer = self.define(&format!("memref.alloc() : {memref}"));
                let _ = writeln!(
                    self.body,
                    "  memref.copy {global}, {buffer} : {memref} to {memref}"
                );
                let writable = if kind == 1 { " writable" } else { "" };
                self.define(&format!(
                    "bufferization.to_tensor {buffer} restrict{writable} : {memref}"
                ))
            }
        };
        let ty = type_to_string(self.context, ty);
        if ty == plain {
            return Some(tensor);
        }
        Some(self.define(&format!("tensor.cast {tensor} : {plain} to {ty}")))
    }

    /// Numbers of this shape.
    fn dense(&self, shape: &[i64], element: Type, rng: &mut Rng) -> Option<String> {
        let n: i64 = shape.iter().product();
        let mut literals = Vec::new();
        for _ in 0..n {
            literals.push(self.element(element, rng)?);
        }
        if n == 0 {
            return Some(format!("dense<{}>", self.element(element, rng)?));
        }
        Some(format!("dense<{}>", super::build::nested(shape, &literals)))
    }

    /// A number alone, which is a size or a counter more often than not.
    fn scalar(&self, ty: Type, rng: &mut Rng) -> Option<String> {
        match self.context.type_kind(ty) {
            TypeKind::Index => Some(rng.below(5).to_string()),
            TypeKind::Integer { width: 4.., .. } if rng.chance(70) => {
                Some(rng.below(5).to_string())
            }
            _ => self.element(ty, rng),
        }
    }

    fn element(&self, ty: Type, rng: &mut Rng) -> Option<String> {
        // Sums of the first ones have no rounding. What the others become by type shows the order of sums.
        const FLOATS: [&str; 14] = [
            "0.0", "1.0", "-1.0", "0.5", "2.0", "-1.5", "3.0", "-4.0", "4.0", "6.0", "0.1", "-0.3",
            "50.7", "1.0e3",
        ];
        let n_floats = if self.rounds { FLOATS.len() } else { 10 };
        let float = FLOATS[rng.below(n_floats)];
        Some(match self.context.type_kind(ty) {
            TypeKind::Index => rng.below(4).to_string(),
            TypeKind::Integer { width: 1, .. } => (*rng.pick(&["true", "false"])).to_owned(),
            TypeKind::Integer { width, signedness } => {
                let width = (*width).min(64);
                let number = match rng.below(10) {
                    0 => rng.next() as i64,
                    1 => (*rng.pick(&[i64::MIN, i64::MAX])).wrapping_shr(64 - width),
                    _ => rng.range(0, 12) as i64 - 4,
                };
                // Within the type.
                let shift = 64 - width;
                match signedness {
                    Signedness::Unsigned => ((number as u64) << shift >> shift).to_string(),
                    _ => (number << shift >> shift).to_string(),
                }
            }
            TypeKind::Float(FloatKind::F8E8M0FNU) => {
                (*rng.pick(&["1.0", "2.0", "0.5", "4.0"])).to_owned()
            }
            TypeKind::Float(_) => float.to_owned(),
            TypeKind::Complex(_) => format!("({float}, {})", FLOATS[rng.below(n_floats)]),
            _ => return None,
        })
    }
}
