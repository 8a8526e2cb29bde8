//! Fast loops and library calls compute what plain loops do, bit for bit.
//!
//! Random nests of loops over random views of one piece of memory, which overlap or not, with
//! strides of zero and rows that share elements among them, are compiled as they are and through
//! `vectorize-loops`, `promote-loop-accesses`, `unroll-loops`, `hoist-loop-loads` and
//! `convert-loops-to-library-calls`; random products of matrices as loops and as library calls. Both run on the same memory with random offsets, strides and bounds.

#![expect(clippy::unwrap_used, reason = "test code")]

mod support;

use std::fmt::Write as _;
use std::sync::Arc;

use freehold::backend::Options;
use freehold::backend::jit::{Argument, Buffer, Jit, compile_to_jit};
use freehold::frontend::diag::Diagnostics;
use freehold::frontend::ir::context::Context;
use freehold::frontend::syntax::parser::parse_source;
use freehold::frontend::syntax::printer::{PrintOptions, print};
use freehold::passes::manager::{self, RunOptions};
use freehold::passes::pipeline::Pipeline;

use support::generator::rng::Rng;

/// Bytes of the memory that all views look at.
const MEMORY: usize = 1 << 14;
/// Rows and columns of every view.
const SIZE: usize = 20;

/// How loops become blocks.
const PLAIN: &str = "convert-scf-to-cf";
const ROTATED: &str = "convert-scf-to-cf{rotate-loops},canonicalize";

/// Compiles a program; also returns the operations after the passes.
fn compile(text: &str, passes: &str, to_blocks: &str) -> (Jit, String) {
    let context = Arc::new(Context::new());
    let mut diagnostics = Diagnostics::new();
    let source = context.add_source("test.mlir", text.into(), 1).unwrap();
    let mut run = || {
        let mut ir = parse_source(&context, &source, &mut diagnostics)?;
        let pipeline = Pipeline::parse(&format!("builtin.module({passes})")).unwrap();
        manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)?;
        let printed = print(&ir, PrintOptions::default());
        let rest = format!("convert-linalg-to-loops,{to_blocks}");
        let pipeline = Pipeline::parse(&format!("builtin.module({rest})")).unwrap();
        manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics)?;
        Ok((
            compile_to_jit(&ir, &Options::host(), &mut diagnostics)?,
            printed,
        ))
    };
    let result: Result<_, freehold::frontend::diag::Failed> = run();
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
}

impl View {
    fn random(rng: &mut Rng, rank: usize) -> Self {
        let form = *rng.pick(&[
            Form::RowMajor,
            Form::RowMajor,
            Form::Rows,
            Form::Rows,
            Form::Any,
        ]);
        Self { form, rank }
    }

    fn ty(&self, element: &str) -> String {
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
    fn define(&self, text: &mut String, i: usize, element: &str) {
        let ty = self.ty(element);
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
                    "  %v{i} = memref.reinterpret_cast %all to offset: [%offset{i}], \
                     sizes: [{sizes}], strides: [{strides}] : memref<{n}x{element}> to {ty}"
                )
            }
        };
    }
}

fn bytes(element: &str) -> usize {
    if element == "f64" { 8 } else { 4 }
}

/// A function `@kernel` that makes views of the memory and calls `@body` with them and the bounds
/// `%lo` and `%hi`.
fn program(views: &[View], element: &str, body: &str) -> String {
    let list = |item: &dyn Fn(usize) -> String| -> String {
        (0..views.len()).map(item).collect::<Vec<_>>().join(", ")
    };
    let numbers = list(&|i| format!("%offset{i}: index, %row{i}: index, %column{i}: index"));
    let mut text = format!(
        "func.func @kernel(%memory: memref<{MEMORY}xi8>, {numbers}, %lo: index, %hi: index) {{
  %zero = arith.constant 0 : index
  %all = memref.view %memory[%zero][] : memref<{MEMORY}xi8> to memref<{}x{element}>\n",
        MEMORY / bytes(element)
    );
    for (i, view) in views.iter().enumerate() {
        view.define(&mut text, i, element);
    }
    let types = list(&|i| views[i].ty(element));
    let names = list(&|i| format!("%v{i}"));
    let parameters = list(&|i| format!("%v{i}: {}", views[i].ty(element)));
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
    element: &'static str,
    text: String,
    n_values: usize,
    /// Counters of the loops around.
    counters: Vec<String>,
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

    /// `%v0[%i, %j] : type`
    fn place(&mut self) -> String {
        let view = self.rng.below(self.views.len());
        let rank = self.views[view].rank;
        let subscripts: Vec<String> = (0..rank)
            .map(|dim| self.subscript(dim + 1 == rank))
            .collect();
        let ty = self.views[view].ty(self.element);
        format!("%v{view}[{}] : {ty}", subscripts.join(", "))
    }

    /// Of at most 1 if its operands are.
    fn combine(&mut self, a: &str, b: &str) -> String {
        let ty = self.element;
        if self.rng.chance(20) {
            return self.select(a, b);
        }
        if ty == "i32" {
            let op = *self.rng.pick(&[
                "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui",
            ]);
            return self.value(&format!("arith.{op} {a}, {b} : {ty}"));
        }
        match self.rng.below(6) {
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

    /// One of both, as a comparison says.
    fn select(&mut self, a: &str, b: &str) -> String {
        let ty = self.element;
        let (compare, predicates): (_, &[&str]) = match ty {
            "i32" => (
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
        let condition = self.value(&format!("arith.{compare} {predicate}, {a}, {b} : {ty}"));
        self.value(&format!("arith.select {condition}, {b}, {a} : {ty}"))
    }

    fn statement(&mut self) {
        // Often a place that is the same in all iterations of the innermost loop, which sums up.
        let inner = (self.counters.len() > 1 && self.rng.chance(40))
            .then(|| self.counters.pop())
            .flatten();
        let target = self.place();
        self.counters.extend(inner);
        let mut sum = match self.rng.chance(60) {
            true => self.value(&format!("memref.load {target}")),
            false => {
                let place = self.place();
                self.value(&format!("memref.load {place}"))
            }
        };
        for _ in 0..self.rng.below(3) {
            let place = self.place();
            let loaded = self.value(&format!("memref.load {place}"));
            sum = self.combine(&sum, &loaded);
        }
        let _ = writeln!(self.text, "    memref.store {sum}, {target}");
    }

    fn loops(&mut self, depth: usize) {
        let counter = format!("%i{depth}");
        let bound = |rng: &mut Rng, argument: &str, n: usize| match rng.chance(50) {
            true => argument.to_owned(),
            false => format!("%c{n}"),
        };
        let lower = bound(self.rng, "%lo", 2);
        let upper_constant = self.rng.range(3, SIZE - 2);
        let upper = bound(self.rng, "%hi", upper_constant);
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

/// A random nest over random views.
fn random_nest(rng: &mut Rng, views: &[View], element: &'static str) -> String {
    let mut nest = Nest {
        rng,
        views,
        element,
        text: String::new(),
        n_values: 0,
        counters: Vec::new(),
    };
    for n in 1..SIZE {
        let _ = writeln!(nest.text, "  %c{n} = arith.constant {n} : index");
    }
    let depth = nest.rng.range(1, 3);
    nest.loops(depth);
    nest.text
}

/// Offset and strides of a view: often apart from others, often not.
fn random_place(rng: &mut Rng, element: &str) -> [i128; 3] {
    let (row, column) = *rng.pick(&[
        (20, 1),
        (20, 1),
        (24, 1),
        (1, 20),
        (3, 1),
        (0, 1),
        (41, 2),
        (1, 1),
    ]);
    let n = MEMORY / bytes(element);
    let last = (row + column) * (SIZE - 1);
    let offset = match rng.chance(50) {
        true => rng.below(4) * 401,
        false => rng.below(100),
    };
    [offset.min(n - 1 - last.max(SIZE * SIZE)), row, column].map(|number| number as i128)
}

/// Runs both on the same memory; what they leave in it must be the same.
fn compare(rng: &mut Rng, compiled: [&Jit; 2], views: &[View], element: &str, text: &str) {
    let seed = rng.next();
    let places: Vec<i128> = views
        .iter()
        .flat_map(|_| random_place(rng, element))
        .collect();
    let bounds = [rng.range(2, 4), rng.range(2, SIZE - 2)].map(|bound| bound as i128);
    let results = compiled.map(|jit| {
        let mut numbers = Rng::new(seed);
        let mut memory = vec![0u8; MEMORY];
        for chunk in memory.chunks_exact_mut(bytes(element)) {
            let number = numbers.next();
            match element {
                "f32" => {
                    let number = (number >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
                    chunk.copy_from_slice(&number.to_le_bytes());
                }
                "f64" => {
                    let number = (number >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
                    chunk.copy_from_slice(&number.to_le_bytes());
                }
                _ => chunk.copy_from_slice(&(number as u32).to_le_bytes()),
            }
        }
        let buffer = Buffer::new(&mut memory, &[MEMORY]);
        let mut arguments = vec![Argument::MemRef(&buffer)];
        arguments.extend(places.iter().chain(&bounds).map(|&n| Argument::Int(n)));
        jit.call("kernel", &arguments).unwrap();
        drop(arguments);
        drop(buffer);
        memory
    });
    let [plain, fast] = results;
    let difference = plain.iter().zip(&fast).position(|(a, b)| a != b);
    assert!(
        difference.is_none(),
        "byte {difference:?} differs with places {places:?} and bounds {bounds:?} in\n{text}"
    );
}

#[test]
fn fast_loops_compute_what_plain_ones_do() {
    let mut rng = Rng::new(1);
    let (mut n_vectors, mut n_promoted) = (0, 0);
    for _ in 0..500 {
        let element = *rng.pick(&["f32", "f32", "f64", "i32"]);
        let views: Vec<View> = (0..rng.range(1, 5))
            .map(|_| {
                let rank = rng.range(1, 2);
                View::random(&mut rng, rank)
            })
            .collect();
        let body = random_nest(&mut rng, &views, element);
        let text = program(&views, element, &body);
        let (plain, _) = compile(&text, "cse", PLAIN);
        let passes = *rng.pick(&[
            "vectorize-loops",
            "promote-loop-accesses",
            "vectorize-loops,promote-loop-accesses",
            "promote-loop-accesses,vectorize-loops",
            "vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops",
            "vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops,hoist-loop-loads",
            "cse,vectorize-loops,promote-loop-accesses,vectorize-loops,unroll-loops,hoist-loop-loads,canonicalize,cse",
            "hoist-loop-loads",
            "convert-loops-to-library-calls{min-bytes=1},vectorize-loops",
        ]);
        let (fast, printed) = compile(&text, passes, ROTATED);
        n_vectors += usize::from(printed.contains("vector.store"));
        n_promoted += usize::from(printed.contains("iter_args"));
        for _ in 0..8 {
            compare(&mut rng, [&plain, &fast], &views, element, &text);
        }
    }
    assert!(
        n_vectors > 40 && n_promoted > 12,
        "{n_vectors} {n_promoted}"
    );
}

#[test]
fn library_calls_compute_what_loops_do() {
    let mut rng = Rng::new(2);
    for op in ["matmul", "matmul_transpose_a", "matmul_transpose_b"] {
        for element in ["f32", "f64"] {
            for _ in 0..6 {
                let views: Vec<View> = (0..3).map(|_| View::random(&mut rng, 2)).collect();
                let types: Vec<String> = views.iter().map(|view| view.ty(element)).collect();
                let body = format!(
                    "  linalg.{op} ins(%v0, %v1 : {}, {}) outs(%v2 : {})\n",
                    types[0], types[1], types[2]
                );
                let text = program(&views, element, &body);
                let (plain, _) = compile(&text, "cse", PLAIN);
                let pass = "convert-linalg-to-library-calls{min-products=1}";
                let (fast, printed) = compile(&text, pass, PLAIN);
                assert!(printed.contains("freehold_matmul"), "{printed}");
                for _ in 0..8 {
                    compare(&mut rng, [&plain, &fast], &views, element, &text);
                }
            }
        }
    }
}
