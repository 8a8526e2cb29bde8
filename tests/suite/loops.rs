//! Fast loops and library calls compute what plain loops do, bit for bit.
//!
//! Random nests of loops, and chains of them, over random views of one piece of memory, which overlap or
//! not, with strides of zero and rows that share elements among them, at any address, are compiled as
//! they are and through `fuse-loops`, `forward-stores`, `interchange-loops`, `unroll-and-jam-loops`, `vectorize-loops`,
//! `promote-loop-accesses`, `unroll-loops`, `hoist-loop-loads` and `convert-loops-to-library-calls`;
//! random nests that add products up; random contractions as loops and as library calls. Both
//! run on the same memory with random offsets, strides and bounds; chains of loops over rows also with
//! all small distances between them.

mod contractions;
mod memory;
mod subscripts;
mod walks;

use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::Trial;

use freehold::backend::cpu::Cpu;
use freehold::backend::jit::{Jit, compile_to_jit};
use freehold::backend::{OptLevel, Options};
use freehold::frontend::dialects;
use freehold::frontend::ir::diag::Diagnostics;
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::syntax::printer::{PrintOptions, print};
use freehold::passes::manage::manager::{self, RunOptions};
use freehold::passes::registry;

use self::memory::{Filling, Pair, compare, compare_at, filled_memory};
use crate::needs::{self, trials};
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

/// Random nests and chains of loops that are tried.
const NESTS: u64 = 350;

/// Random nests that add products up that are tried.
const PRODUCTS: u64 = 180;

/// Bytes of the memory that all views look at.
const MEMORY: usize = 1 << 18;
/// Rows and columns of every view.
const SIZE: usize = 80;

/// The types of elements that occur together.
const ELEMENTS: [&[&str]; 15] = [
    &["f32"],
    &["f32"],
    &["f64"],
    &["f32", "f64"],
    &["f16"],
    &["bf16"],
    &["f16", "f32"],
    &["bf16", "f32"],
    &["i8"],
    &["i16"],
    &["i32"],
    &["i64"],
    &["i8", "i16", "i32"],
    &["i8", "i32"],
    &["i8", "i16", "i32", "i64"],
];

/// How loops become blocks.
const PLAIN: &str = "convert-scf-to-cf";
const ROTATED: &str = "convert-scf-to-cf{rotate-loops},canonicalize";

/// The passes that make loops fast, as `run` has them.
const FAST: &str = "convert-strided-copies-to-loops,merge-column-copies,fuse-loops,unroll-loops{short-rows=true},forward-stores,interchange-loops,unroll-and-jam-loops,vectorize-loops,promote-loop-accesses,forward-stores,vectorize-loops,unroll-loops,fold-constant-loads,hoist-loop-loads,canonicalize,cse";

/// What comes before all passes in this program: in every third one, products are added without being rounded,
/// which has to be the same in a loop as it is written and in what other passes make of it.
fn exactness(number: u64) -> &'static str {
    match number % 3 {
        0 => "fuse-multiply-add{fp=contract},",
        _ => "",
    }
}

/// What makes loops parallel in this program, in every fourth one, however little they do.
fn threading(number: u64) -> &'static str {
    match number % 4 {
        0 => "parallelize-loops{min-work=0},outline-parallel-loops,",
        _ => "",
    }
}

/// Numbers of threads on which parallel loops run.
const THREADS: [u32; 4] = [2, 3, 7, 1];

/// Vectors of up to so many bits, in code for a processor that has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Vectors {
    bits: u32,
    cpu: &'static str,
}

/// All vectors that x86-64 has; the first are those that Cranelift has.
const VECTORS: [Vectors; 4] = [
    Vectors {
        bits: 128,
        cpu: "native",
    },
    Vectors {
        bits: 256,
        cpu: "x86-64-v3",
    },
    Vectors {
        bits: 256,
        cpu: "x86-64-v4",
    },
    Vectors {
        bits: 512,
        cpu: "x86-64-v4",
    },
];

impl Vectors {
    /// What this machine has of [`VECTORS`].
    fn all() -> Vec<Self> {
        let is_here = |vectors: &Self| needs::missing(vectors.needs()).is_none();
        VECTORS.into_iter().filter(is_here).collect()
    }

    fn needs(&self) -> &'static [&'static str] {
        match self.cpu {
            "x86-64-v3" => &["x86-64-v3"],
            "x86-64-v4" => &["x86-64-v4"],
            _ => &[],
        }
    }
}

/// The number of random programs, and what they are made from.
fn programs(usual: u64, seed: u64) -> (u64, Rng) {
    (n_programs(usual), Rng::new(seed + first_seed()))
}

/// [`compile_for`] the vectors that Cranelift has.
fn compile(text: &str, passes: &str, to_blocks: &str) -> (Jit, String) {
    let (jit, printed, _) = compile_for(text, passes, to_blocks, VECTORS[0]);
    (jit, printed)
}

/// Compiles a program; also returns the operations after the passes, and the number of its loops that run
/// in vectors that Cranelift does not have.
fn compile_for(
    text: &str,
    passes: &str,
    to_blocks: &str,
    vectors: Vectors,
) -> (Jit, String, usize) {
    let wide = format!("vectorize-loops{{vector-bits={}}}", vectors.bits);
    let wide_passes = passes.replace("vectorize-loops", &wide);
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let source = context.add_source("test.mlir", text, 1).unwrap();
    let mut run = || {
        let mut ir = parse_source(&context, &source, &mut diagnostics)?;
        let pipeline = registry::parse(&format!("builtin.module({wide_passes})")).unwrap();
        manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)?;
        let printed = print(&ir, PrintOptions::default());
        let rest = format!("convert-linalg-to-loops,{to_blocks}");
        let pipeline = registry::parse(&format!("builtin.module({rest})")).unwrap();
        manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)?;
        // What all else is compared with is plain machine code of plain loops for any processor.
        let mut options = Options::host();
        if to_blocks == PLAIN && passes.ends_with("cse") {
            options.opt_level = OptLevel::None;
            options.cpu = options.target.arch().map(Cpu::generic);
        } else {
            options.cpu = Cpu::named(&options.target, vectors.cpu, "").ok();
            options.vector_bits = vectors.bits;
            options.remarks = true;
            if passes.contains("outline-parallel-loops") {
                options.threads = THREADS[text.len() % THREADS.len()];
            }
        }
        let jit = compile_to_jit(&ir, &options, &mut diagnostics)?;
        let remarks = diagnostics.render_plain(&context);
        let n_wide = remarks.matches("this loop runs in vectors of").count();
        Ok((jit, printed, n_wide))
    };
    let result: Result<_, freehold::frontend::ir::diag::Failed> = run();
    result
        .map_err(|_| format!("{}\n{text}", diagnostics.render_plain(&context)))
        .unwrap()
}

/// A way to look at the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Row-major, at any place.
    RowMajor,
    /// Elements of a row are neighbours, rows anywhere.
    Rows,
    /// Any strides.
    Any,
}

/// An argument of a function under test.
struct View {
    form: Form,
    rank: usize,
    element: &'static str,
}

impl View {
    fn random(rng: &mut Rng, rank: usize, element: &'static str) -> Self {
        let form = *rng.pick(&[
            Form::RowMajor,
            Form::RowMajor,
            Form::Rows,
            Form::Rows,
            Form::Any,
        ]);
        Self {
            form,
            rank,
            element,
        }
    }

    fn ty(&self) -> String {
        let element = self.element;
        let sizes = format!("{SIZE}x").repeat(self.rank);
        match (self.form, self.rank) {
            (Form::RowMajor, _) => format!("memref<{sizes}{element}>"),
            (Form::Rows, 1) => format!("memref<{sizes}{element}, strided<[1], offset: ?>>"),
            (Form::Rows, _) => format!("memref<{sizes}{element}, strided<[?, 1], offset: ?>>"),
            (Form::Any, 1) => format!("memref<{sizes}{element}, strided<[?], offset: ?>>"),
            (Form::Any, _) => format!("memref<{sizes}{element}, strided<[?, ?], offset: ?>>"),
        }
    }

    /// Makes it `%v{i}` out of the memory and `%offset{i}`, `%row{i}` and `%column{i}`.
    fn define(&self, text: &mut String, i: usize) {
        let (ty, element) = (self.ty(), self.element);
        let n = MEMORY / bytes(element);
        let _ = match (self.form, self.rank) {
            (Form::RowMajor, _) => writeln!(
                text,
                "  %size{i} = arith.constant {} : index
  %shift{i} = arith.muli %offset{i}, %size{i} : index
  %v{i} = memref.view %memory[%shift{i}][] : memref<{MEMORY}xi8> to {ty}",
                bytes(element)
            ),
            (form, rank) => {
                let sizes = vec![SIZE.to_string(); rank].join(", ");
                let strides = match (form, rank) {
                    (Form::Rows, 1) => "1".to_owned(),
                    (Form::Rows, _) => format!("%row{i}, 1"),
                    (_, 1) => format!("%column{i}"),
                    _ => format!("%row{i}, %column{i}"),
                };
                writeln!(
                    text,
                    "  %all{i} = memref.view %memory[%zero][] : memref<{MEMORY}xi8> to memref<{n}x{element}>
  %v{i} = memref.reinterpret_cast %all{i} to offset: [%offset{i}], \
                     sizes: [{sizes}], strides: [{strides}] : memref<{n}x{element}> to {ty}"
                )
            }
        };
    }
}

/// Bits of an element.
fn bits(element: &str) -> usize {
    let letters = |c: char| c.is_ascii_alphabetic();
    element.trim_start_matches(letters).parse().unwrap()
}

fn bytes(element: &str) -> usize {
    bits(element) / 8
}

/// A function `@kernel` that makes views of the memory and calls `@body` with them and the bounds
/// `%lo` and `%hi`.
fn program(views: &[View], body: &str) -> String {
    let list = |item: &dyn Fn(usize) -> String| -> String {
        (0..views.len()).map(item).collect::<Vec<_>>().join(", ")
    };
    let numbers = list(&|i| format!("%offset{i}: index, %row{i}: index, %column{i}: index"));
    let mut text = format!(
        "func.func @kernel(%memory: memref<{MEMORY}xi8>, {numbers}, %lo: index, %hi: index) {{
  %zero = arith.constant 0 : index\n"
    );
    for (i, view) in views.iter().enumerate() {
        view.define(&mut text, i);
    }
    let types = list(&|i| views[i].ty());
    let names = list(&|i| format!("%v{i}"));
    let parameters = list(&|i| format!("%v{i}: {}", views[i].ty()));
    let _ = write!(
        text,
        "  call @body({names}, %lo, %hi) : ({types}, index, index) -> ()
  return
}}
func.func @body({parameters}, %lo: index, %hi: index) {{
{body}  return
}}
"
    );
    text
}

/// Writes the body of a random nest of loops.
struct Nest<'a> {
    rng: &'a mut Rng,
    views: &'a [View],
    text: String,
    n_values: usize,
    /// Counters of the loops around.
    counters: Vec<String>,
    /// Lower and upper bounds by depth.
    bounds: Vec<[String; 2]>,
}

impl Nest<'_> {
    fn value(&mut self, definition: &str) -> String {
        self.n_values += 1;
        let name = format!("%x{}", self.n_values);
        let _ = writeln!(self.text, "    {name} = {definition}");
        name
    }

    fn subscript(&mut self, is_last: bool) -> String {
        if !is_last && self.rng.chance(15) {
            let n = self.rng.below(SIZE);
            return self.value(&format!("arith.constant {n} : index"));
        }
        let counter = match is_last && self.rng.chance(70) {
            true => self.rng.below(2).min(self.counters.len() - 1),
            false => self.rng.below(self.counters.len()),
        };
        // Counted from the innermost.
        let counter = self.counters[self.counters.len() - 1 - counter].clone();
        if self.rng.chance(60) {
            return counter;
        }
        let shift = self.rng.range(0, 2);
        let shift = self.value(&format!("arith.constant {shift} : index"));
        let op = *self.rng.pick(&["addi", "subi"]);
        self.value(&format!("arith.{op} {counter}, {shift} : index"))
    }

    /// `%v0[%i, %j] : type`, and what is there.
    fn place(&mut self) -> (String, &'static str) {
        let view = self.rng.below(self.views.len());
        let rank = self.views[view].rank;
        let subscripts: Vec<String> = (0..rank)
            .map(|dim| self.subscript(dim + 1 == rank))
            .collect();
        let View { element, .. } = self.views[view];
        let ty = self.views[view].ty();
        (
            format!("%v{view}[{}] : {ty}", subscripts.join(", ")),
            element,
        )
    }

    /// A number of one type as one of another. Floats stay at most 1.
    fn convert(&mut self, value: &str, from: &str, to: &str) -> String {
        let cast = |op: &str| format!("arith.{op} {value} : {from} to {to}");
        if from == to {
            return value.to_owned();
        }
        match (&from[..1], &to[..1]) {
            ("i", "i") if bits(from) < bits(to) => {
                let op = *self.rng.pick(&["extsi", "extui"]);
                self.value(&cast(op))
            }
            ("i", "i") => self.value(&cast("trunci")),
            ("i", _) => {
                let op = *self.rng.pick(&["sitofp", "uitofp"]);
                let number = self.value(&cast(op));
                let scale = (0.5f64).powi(bits(from) as i32);
                let scale = self.value(&format!("arith.constant {scale:e} : {to}"));
                self.value(&format!("arith.mulf {number}, {scale} : {to}"))
            }
            (_, "i") => {
                let scale = self.value(&format!("arith.constant 300.0 : {from}"));
                let number = self.value(&format!("arith.mulf {value}, {scale} : {from}"));
                let op = *self.rng.pick(&["fptosi", "fptoui"]);
                self.value(&format!("arith.{op} {number} : {from} to {to}"))
            }
            _ if bits(from) < bits(to) => self.value(&cast("extf")),
            _ => self.value(&cast("truncf")),
        }
    }

    /// Of at most 1 if its operands are.
    fn combine(&mut self, a: &str, b: &str, ty: &str) -> String {
        if self.rng.chance(20) {
            return self.select(a, b, ty);
        }
        if ty.starts_with('i') && self.rng.chance(15) {
            let amount = self.rng.below(bits(ty));
            let amount = self.value(&format!("arith.constant {amount} : {ty}"));
            let op = *self.rng.pick(&["shli", "shrsi", "shrui"]);
            let a = self.value(&format!("arith.{op} {a}, {amount} : {ty}"));
            return self.value(&format!("arith.xori {a}, {b} : {ty}"));
        }
        if ty.starts_with('i') {
            let op = *self.rng.pick(&[
                "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui",
            ]);
            return self.value(&format!("arith.{op} {a}, {b} : {ty}"));
        }
        match self.rng.below(8) {
            7 => {
                let least = self.value(&format!("arith.constant 0.15 : {ty}"));
                let b = match self.rng.chance(50) {
                    true => self.value(&format!("arith.maximumf {b}, {least} : {ty}")),
                    false => least,
                };
                self.value(&format!("arith.remf {a}, {b} : {ty}"))
            }
            6 => {
                let eight = self.value(&format!("arith.constant 8.0 : {ty}"));
                let eighth = self.value(&format!("arith.constant 0.125 : {ty}"));
                let a = self.value(&format!("arith.mulf {a}, {eight} : {ty}"));
                let op = *self
                    .rng
                    .pick(&["ceil", "floor", "roundeven", "trunc", "absf"]);
                let a = self.value(&format!("math.{op} {a} : {ty}"));
                let a = self.value(&format!("arith.mulf {a}, {eighth} : {ty}"));
                self.value(&format!("arith.mulf {a}, {b} : {ty}"))
            }
            0 => self.value(&format!("arith.mulf {a}, {b} : {ty}")),
            1 => self.value(&format!("arith.maximumf {a}, {b} : {ty}")),
            2 => self.value(&format!("arith.minimumf {a}, {b} : {ty}")),
            3 => {
                let negated = self.value(&format!("arith.negf {a} : {ty}"));
                self.value(&format!("arith.mulf {negated}, {b} : {ty}"))
            }
            op => {
                let half = self.value(&format!("arith.constant 0.5 : {ty}"));
                let a = self.value(&format!("arith.mulf {a}, {half} : {ty}"));
                let b = self.value(&format!("arith.mulf {b}, {half} : {ty}"));
                let op = if op == 4 { "addf" } else { "subf" };
                self.value(&format!("arith.{op} {a}, {b} : {ty}"))
            }
        }
    }

    /// The outcome of a comparison.
    fn compare(&mut self, a: &str, b: &str, ty: &str) -> String {
        let (compare, predicates): (_, &[&str]) = match &ty[..1] {
            "i" => (
                "cmpi",
                &[
                    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
                ],
            ),
            _ => (
                "cmpf",
                &[
                    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
                    "ule", "une", "uno", "true", "false",
                ],
            ),
        };
        let predicate = *self.rng.pick(predicates);
        self.value(&format!("arith.{compare} {predicate}, {a}, {b} : {ty}"))
    }

    /// One of both, as comparisons say, of numbers that may have another type; or the outcome as a
    /// number.
    fn select(&mut self, a: &str, b: &str, ty: &str) -> String {
        let mut condition = self.compare(a, b, ty);
        if self.rng.chance(40) {
            let (place, other) = self.place();
            let loaded = self.value(&format!("memref.load {place}"));
            let like = self.convert(a, ty, other);
            let second = self.compare(&loaded, &like, other);
            let op = *self.rng.pick(&["andi", "ori", "xori"]);
            condition = self.value(&format!("arith.{op} {condition}, {second} : i1"));
        }
        if ty.starts_with('i') && self.rng.chance(25) {
            let op = *self.rng.pick(&["extsi", "extui"]);
            return self.value(&format!("arith.{op} {condition} : i1 to {ty}"));
        }
        self.value(&format!("arith.select {condition}, {b}, {a} : {ty}"))
    }

    /// A place that data say, clamped, with a sign or without.
    fn gathered(&mut self) -> (String, &'static str) {
        let (place, element) = self.place();
        let loaded = self.value(&format!("memref.load {place}"));
        let number = self.convert(&loaded, element, "i32");
        let last = SIZE - 1;
        let last = self.value(&format!("arith.constant {last} : index"));
        let index = match self.rng.chance(50) {
            true => {
                let index = self.value(&format!("arith.index_cast {number} : i32 to index"));
                let zero = self.value("arith.constant 0 : index");
                let low = self.value(&format!("arith.maxsi {index}, {zero} : index"));
                self.value(&format!("arith.minsi {low}, {last} : index"))
            }
            false => {
                let index = self.value(&format!("arith.index_castui {number} : i32 to index"));
                self.value(&format!("arith.minui {index}, {last} : index"))
            }
        };
        let view = self.rng.below(self.views.len());
        let rank = self.views[view].rank;
        let gathered = self.rng.below(rank);
        let subscripts: Vec<String> = (0..rank)
            .map(|dim| match dim == gathered {
                true => index.clone(),
                false => self.subscript(dim + 1 == rank),
            })
            .collect();
        let View { element, .. } = self.views[view];
        let ty = self.views[view].ty();
        (
            format!("%v{view}[{}] : {ty}", subscripts.join(", ")),
            element,
        )
    }

    /// Some element as a number of this type.
    fn operand(&mut self, ty: &str) -> String {
        let (place, element) = match self.rng.chance(15) {
            true => self.gathered(),
            false => self.place(),
        };
        let loaded = self.value(&format!("memref.load {place}"));
        self.convert(&loaded, element, ty)
    }

    fn statement(&mut self) {
        // Often a place that is the same in all iterations of the innermost loop, which sums up.
        let inner = (self.counters.len() > 1 && self.rng.chance(40))
            .then(|| self.counters.pop())
            .flatten();
        let (target, ty) = self.place();
        self.counters.extend(inner);
        let mut sum = match self.rng.chance(60) {
            true => self.value(&format!("memref.load {target}")),
            false => self.operand(ty),
        };
        for _ in 0..self.rng.below(3) {
            if self.rng.chance(30) {
                // In the type of another view.
                let (_, other) = self.place();
                let (a, b) = (self.convert(&sum, ty, other), self.operand(other));
                let combined = self.combine(&a, &b, other);
                sum = self.convert(&combined, other, ty);
            } else {
                let loaded = self.operand(ty);
                sum = self.combine(&sum, &loaded, ty);
            }
        }
        let _ = writeln!(self.text, "    memref.store {sum}, {target}");
    }

    fn loops(&mut self, depth: usize) {
        let counter = format!("%i{depth}");
        let [lower, upper] = self.bounds[depth].clone();
        let _ = writeln!(
            self.text,
            "  scf.for {counter} = {lower} to {upper} step %c1 {{"
        );
        self.counters.push(counter);
        if depth == 1 || self.rng.chance(15) {
            self.statement();
        }
        if depth == 1 && self.rng.chance(20) {
            self.statement();
        }
        if depth > 1 {
            self.loops(depth - 1);
        }
        self.counters.pop();
        self.text += "  }\n";
    }
}

impl Nest<'_> {
    /// A buffer that is filled, one loop around another one that adds to each of its elements, and one that reads them;
    /// the first two over the same range, perhaps with a nest between them.
    fn sum(&mut self, depth: usize, number: usize) {
        let element = self.views[self.rng.below(self.views.len())].element;
        let ty = format!("memref<{SIZE}x{element}>");
        let start = match element.starts_with('i') {
            true => "3",
            false => "0.25",
        };
        let [lower, upper] = self.bounds[depth].clone();
        let [inner_lower, inner_upper] = self.bounds[0].clone();
        let around = format!("  scf.for %r = {lower} to {upper} step %c1 {{\n");
        let _ = write!(
            self.text,
            "  %s{number} = memref.alloc() : {ty}
  %start{number} = arith.constant {start} : {element}
{around}    memref.store %start{number}, %s{number}[%r] : {ty}
  }}\n"
        );
        if self.rng.chance(30) {
            self.loops(depth);
        }
        self.text += &around;
        let _ = writeln!(
            self.text,
            "  scf.for %c = {inner_lower} to {inner_upper} step %c1 {{"
        );
        self.counters = vec!["%r".to_owned(), "%c".to_owned()];
        let term = self.operand(element);
        let sum = self.value(&format!("memref.load %s{number}[%r] : {ty}"));
        let sum = self.combine(&sum, &term, element);
        let _ = writeln!(
            self.text,
            "    memref.store {sum}, %s{number}[%r] : {ty}\n  }}\n  }}"
        );
        self.text += &around;
        self.counters = vec!["%r".to_owned()];
        let sum = self.value(&format!("memref.load %s{number}[%r] : {ty}"));
        let (place, other) = self.place();
        let sum = self.convert(&sum, element, other);
        let _ = writeln!(
            self.text,
            "    memref.store {sum}, {place}\n  }}\n  memref.dealloc %s{number} : {ty}"
        );
        self.counters.clear();
    }
}

/// Bounds that are arguments or constants.
fn random_bounds(rng: &mut Rng) -> [String; 2] {
    let bound = |rng: &mut Rng, argument: &str, n: usize| match rng.chance(50) {
        true => argument.to_owned(),
        false => format!("%c{n}"),
    };
    let lower = bound(rng, "%lo", 2);
    let upper = rng.range(3, SIZE - 2);
    [lower, bound(rng, "%hi", upper)]
}

/// Random nests over the same range, over random views and buffers of their own, which are the last ones.
fn random_nests(rng: &mut Rng, views: &[View], n_own: usize, n_nests: usize) -> String {
    let depth = rng.range(1, 3);
    let bounds = (0..=depth).map(|_| random_bounds(rng)).collect();
    let mut nest = Nest {
        rng,
        views,
        text: String::new(),
        n_values: 0,
        counters: Vec::new(),
        bounds,
    };
    for n in 0..=SIZE {
        let _ = writeln!(nest.text, "  %c{n} = arith.constant {n} : index");
    }
    let own = views.len() - n_own..views.len();
    for i in own.clone() {
        let (ty, element) = (views[i].ty(), views[i].element);
        let number = if !element.starts_with('i') {
            "0.25"
        } else {
            "3"
        };
        let _ = writeln!(
            nest.text,
            "  %v{i} = memref.alloc() : {ty}
  %filler{i} = arith.constant {number} : {element}
  scf.for %i = %c0 to %c{SIZE} step %c1 {{
    memref.store %filler{i}, %v{i}[%i] : {ty}
  }}"
        );
    }
    for number in 0..n_nests {
        if nest.rng.chance(20) {
            nest.sum(depth, number);
        }
        nest.loops(depth);
    }
    for i in own {
        let _ = writeln!(nest.text, "  memref.dealloc %v{i} : {}", views[i].ty());
    }
    nest.text
}

fn fast_loops_compute_what_plain_ones_do() {
    let (n_programs, mut rng) = programs(NESTS, 1);
    let (mut n_vectors, mut n_promoted, mut n_fused, mut n_erased, mut n_products) =
        (0, 0, 0, 0, 0);
    let mut n_parallel = 0;
    let (all_vectors, mut n_wide) = (Vectors::all(), 0);
    for number in 0..n_programs {
        let elements = *rng.pick(&ELEMENTS);
        let n_nests = *rng.pick(&[1, 1, 2, 3, 5]);
        let mut views: Vec<View> = (0..rng.range(1, 5))
            .map(|_| {
                let rank = rng.range(1, 2);
                let element = *rng.pick(elements);
                View::random(&mut rng, rank, element)
            })
            .collect();
        let n_given = views.len();
        let n_own = if n_nests == 1 { 0 } else { rng.below(3) };
        for _ in 0..n_own {
            views.push(View {
                form: Form::RowMajor,
                rank: 1,
                element: elements[0],
            });
        }
        let body = random_nests(&mut rng, &views, n_own, n_nests);
        views.truncate(n_given);
        let text = program(&views, &body);
        let first = exactness(number);
        let (plain, _) = compile(&text, &format!("{first}cse"), PLAIN);
        let passes = match n_nests {
            1 => *rng.pick(&[
                "vectorize-loops",
                "promote-loop-accesses",
                "forward-stores",
                "vectorize-loops,promote-loop-accesses",
                "vectorize-loops,forward-stores",
                "promote-loop-accesses,vectorize-loops",
                "vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops",
                "vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops,fold-constant-loads,hoist-loop-loads",
                "cse,vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops,fold-constant-loads,hoist-loop-loads,canonicalize,cse",
                FAST,
                "hoist-loop-loads",
                "convert-loops-to-library-calls{min-bytes=1},vectorize-loops",
            ]),
            _ => *rng.pick(&[
                "fuse-loops",
                "fuse-loops,forward-stores,canonicalize,cse",
                "cse,fuse-loops,convert-loops-to-library-calls{min-bytes=1},vectorize-loops",
                FAST,
                FAST,
            ]),
        };
        let vectors = all_vectors[number as usize % all_vectors.len()];
        let passes = format!("{first}{}{passes}", threading(number));
        let (fast, printed, wide) = compile_for(&text, &passes, ROTATED, vectors);
        n_wide += usize::from(wide != 0);
        n_products += usize::from(printed.contains("math.fma"));
        n_parallel += usize::from(printed.contains("freehold.parallel"));
        n_vectors += usize::from(printed.contains("vector.store"));
        n_promoted += usize::from(printed.contains("iter_args"));
        n_fused += usize::from(printed.contains("freehold.fused"));
        n_erased += usize::from(printed.matches("memref.alloc(").count() < n_own);
        let pair = Pair {
            compiled: [&plain, &fast],
            text: &text,
            has_fused: !first.is_empty(),
        };
        for _ in 0..5 {
            // Also between elements.
            let shift = rng.below(16);
            compare(&mut rng, &pair, &views, shift);
        }
    }
    eprintln!(
        "{n_wide} of {n_programs} programs have loops in vectors that Cranelift does not have"
    );
    assert!(
        n_programs < NESTS
            || n_vectors > 20
                && n_promoted > 6
                && n_fused > 10
                && n_erased > 2
                && n_products > 2
                && n_parallel > 20,
        "{n_vectors} {n_promoted} {n_fused} {n_erased} {n_products} {n_parallel}"
    );
    assert!(
        n_programs < NESTS || all_vectors.len() == 1 || n_wide > 30,
        "{n_wide}"
    );
}

/// A random nest that adds products up, in an order of loops and with subscripts of all kinds.
fn random_contraction(rng: &mut Rng, views: &[View], element: &'static str) -> String {
    let mut text = String::new();
    for n in 1..=SIZE {
        let _ = writeln!(text, "  %c{n} = arith.constant {n} : index");
    }
    let mut order = vec!["%i", "%j", "%k"];
    let last = order.remove(if rng.chance(80) { 2 } else { rng.below(3) });
    if rng.chance(50) {
        order.reverse();
    }
    order.push(last);
    for counter in &order {
        let (lower, upper) = match rng.chance(60) {
            true => ("%lo".to_owned(), "%hi".to_owned()),
            false => ("%c2".to_owned(), format!("%c{}", rng.range(3, SIZE - 1))),
        };
        let _ = writeln!(text, "  scf.for {counter} = {lower} to {upper} step %c1 {{");
    }
    let mut n_values = 0;
    let mut place = |text: &mut String, rng: &mut Rng, view: usize, counters: [&str; 2]| {
        let mut subscripts = Vec::new();
        for counter in &counters[..views[view].rank] {
            n_values += 1;
            if rng.chance(85) {
                subscripts.push((*counter).to_owned());
                continue;
            }
            let op = *rng.pick(&["addi", "subi"]);
            let _ = writeln!(
                text,
                "    %at{n_values} = arith.{op} {counter}, %c1 : index"
            );
            subscripts.push(format!("%at{n_values}"));
        }
        format!("%v{view}[{}] : {}", subscripts.join(", "), views[view].ty())
    };
    let pairs = [["%i", "%k"], ["%k", "%j"], ["%k", "%i"], ["%j", "%k"]];
    let target = [
        *rng.pick(&["%i", "%i", "%i", "%j"]),
        *rng.pick(&["%j", "%j", "%i"]),
    ];
    let target = place(&mut text, rng, 0, target);
    let names = ["%x", "%y"];
    for (i, name) in names.into_iter().enumerate() {
        let view = if rng.chance(80) { i + 1 } else { rng.below(3) };
        let counters = *rng.pick(&pairs);
        let place = place(&mut text, rng, view, counters);
        let from = views[view].element;
        let _ = match from == element {
            true => writeln!(text, "    {name} = memref.load {place}"),
            false => writeln!(
                text,
                "    {name}_narrow = memref.load {place}
    {name} = arith.extsi {name}_narrow : {from} to {element}"
            ),
        };
    }
    let (times, plus) = match element {
        "i32" => ("muli", *rng.pick(&["addi", "maxsi", "xori", "subi"])),
        _ => ("mulf", *rng.pick(&["addf", "addf", "maximumf", "subf"])),
    };
    let _ = write!(
        text,
        "    %sum = memref.load {target}
    %product = arith.{times} %x, %y : {element}
    %next = arith.{plus} %sum, %product : {element}
    memref.store %next, {target}
  }}
  }}
  }}
"
    );
    text
}

fn jammed_loops_compute_what_plain_ones_do() {
    let (n_programs, mut rng) = programs(PRODUCTS, 3);
    let (mut n_jammed, mut n_twice, mut n_products, mut n_parallel) = (0, 0, 0, 0);
    let (all_vectors, mut n_wide) = (Vectors::all(), 0);
    for number in 0..n_programs {
        let (element, factor) = *rng.pick(&[
            ("f32", "f32"),
            ("f32", "f32"),
            ("f64", "f64"),
            ("i32", "i32"),
            ("i32", "i8"),
            ("i32", "i16"),
        ]);
        let views: Vec<View> = (0..3)
            .map(|i| {
                let rank = if rng.chance(75) { 2 } else { 1 };
                let element = if i == 0 { element } else { factor };
                let mut view = View::random(&mut rng, rank, element);
                if i == 0 && rng.chance(70) {
                    view.form = Form::RowMajor;
                }
                view
            })
            .collect();
        let body = random_contraction(&mut rng, &views, element);
        let text = program(&views, &body);
        let first = exactness(number);
        let (plain, _) = compile(&text, &format!("{first}cse"), PLAIN);
        let passes = *rng.pick(&["unroll-and-jam-loops", FAST, FAST]);
        let passes = format!("{first}{}{passes}", threading(number));
        let vectors = all_vectors[number as usize % all_vectors.len()];
        let (fast, printed, wide) = compile_for(&text, &passes, ROTATED, vectors);
        n_products += usize::from(printed.contains("math.fma"));
        n_parallel += usize::from(printed.contains("freehold.parallel"));
        n_wide += usize::from(wide != 0);
        n_jammed += usize::from(printed.contains("freehold.jammed"));
        n_twice += usize::from(printed.matches("disjoint, freehold.jammed").count() > 2);
        let pair = Pair {
            compiled: [&plain, &fast],
            text: &text,
            has_fused: !first.is_empty(),
        };
        for _ in 0..8 {
            compare(&mut rng, &pair, &views, 0);
        }
    }
    eprintln!(
        "{n_wide} of {n_programs} programs have loops in vectors that Cranelift does not have"
    );
    assert!(
        n_programs < PRODUCTS || n_jammed > 30 && n_twice > 1 && n_products > 15 && n_parallel > 5,
        "{n_jammed} {n_twice} {n_products} {n_parallel}"
    );
    assert!(
        n_programs < PRODUCTS || all_vectors.len() == 1 || n_wide > 10,
        "{n_wide}"
    );
}

fn fused_rows_may_be_at_any_distance() {
    let load = |to: &str, view: usize| format!("    %{to} = memref.load %v{view}[%i] : TYPE\n");
    let store =
        |from: &str, view: usize| format!("    memref.store %{from}, %v{view}[%i] : TYPE\n");
    let compute = |op: &str, a: &str, b: &str| format!("    %r = arith.{op} %{a}, %{b} : f32\n");
    let bodies = [
        [
            load("x", 0) + &compute("mulf", "x", "x") + &store("r", 1),
            load("x", 1) + &load("y", 2) + &compute("addf", "x", "y") + &store("r", 1),
            load("x", 1) + &compute("maximumf", "x", "half") + &store("r", 1),
        ],
        [
            load("x", 0) + &store("x", 1),
            load("x", 1) + &store("x", 2),
            load("x", 2) + &store("x", 0),
        ],
        [
            store("half", 0),
            load("x", 0) + &load("y", 1) + &compute("subf", "y", "x") + &store("r", 2),
            load("x", 0) + &load("y", 2) + &compute("mulf", "y", "x") + &store("r", 1),
        ],
    ];
    let views = [(); 3].map(|()| View {
        form: Form::RowMajor,
        rank: 1,
        element: "f32",
    });
    let memory = filled_memory(7, &Filling::Floats);
    let mut n_fused = 0;
    for bodies in bodies {
        let constants = "  %half = arith.constant 0.5 : f32\n  %c1 = arith.constant 1 : index\n";
        let mut body = constants.to_owned();
        for part in bodies {
            let _ = write!(body, "  scf.for %i = %lo to %hi step %c1 {{\n{part}  }}\n");
        }
        let text = program(&views, &body.replace("TYPE", &views[0].ty()));
        let (plain, _) = compile(&text, "cse", PLAIN);
        let widest = Vectors::all().pop().unwrap();
        let (fast, printed, _) = compile_for(&text, FAST, ROTATED, widest);
        n_fused += usize::from(printed.contains("freehold.fused"));
        let pair = Pair {
            compiled: [&plain, &fast],
            text: &text,
            has_fused: false,
        };
        for (first, second) in (-21..22).flat_map(|a| (-21..22).map(move |b| (a, b))) {
            let places = [100, 100 + first, 100 + second].map(|offset| [offset, 0, 0]);
            let places = places.as_flattened();
            compare_at(&memory, 0, places, [0, 20], &pair);
            // Whole views overlap, of which the loops use a part.
            compare_at(&memory, 0, places, [0, SIZE as i128], &pair);
        }
        for (first, second) in (-82..83)
            .step_by(3)
            .flat_map(|a| [(a, 2 * a), (a, -a), (0, a), (a, a)])
        {
            let places = [200, 200 + first, 200 + second].map(|offset| [offset, 0, 0]);
            let bounds = [1, SIZE as i128];
            compare_at(&memory, 0, places.as_flattened(), bounds, &pair);
        }
    }
    assert_eq!(n_fused, 3);
}

/// The tests of this module, and what they leave out for want of vectors.
pub(crate) fn tests() -> Vec<Trial> {
    let mut tests = trials![
        fast_loops_compute_what_plain_ones_do,
        jammed_loops_compute_what_plain_ones_do,
        fused_rows_may_be_at_any_distance,
    ];
    tests.extend(contractions::tests());
    tests.extend(subscripts::tests());
    tests.extend(walks::tests());
    for vectors in VECTORS.iter().filter(|_| cfg!(target_arch = "x86_64")) {
        let name = format!("loops::{} bits on {}", vectors.bits, vectors.cpu);
        tests.extend(needs::left_out(name, vectors.needs()));
    }
    tests
}
