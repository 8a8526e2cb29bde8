//! Programs of one shape and nothing else: they take a tenth of the time of others, so that more of a shape is tried,
//! with the passes that it is for.
//!
//! `overlap` are loops over memory that may be the same, `nests` those of the forms that passes are made for, or almost;
//! `folds` what patterns look for, beside what looks like it; `numbers` those at the ends of their types; `owners` and
//! `meets` buffers that control flow hands on, and that end where others begin; `freed` those that the program frees
//! itself, `merged` those that come and go, so that it shows what merging costs; `tensors` those whose memory may become
//! that of others; `lanes`, `repeated` and `places` vectors of all sizes and places of small buffers;
//! `products` those that are large enough for the library.

mod folds;
mod freed;
mod lanes;
mod meets;
mod merged;
mod nests;
mod numbers;
mod overlap;
mod owners;
mod products;
mod tensors;

use super::program::Program;
use crate::support::generator::rng::Rng;

/// A program that is being written.
struct Text {
    rng: Rng,
    /// The body of `main`, or of the function that is written.
    out: String,
    indent: usize,
    next: usize,
    globals: String,
    functions: String,
    /// Passes that the program is for.
    pipelines: Vec<String>,
    /// Pairs of pipelines, the second one of which costs no memory beside the first.
    promised: Vec<[String; 2]>,
    /// Options that the program is for.
    words: Vec<&'static str>,
    /// Whether copies of buffers would show.
    buffers_flow: bool,
    /// Whether the program frees its buffers itself.
    frees_itself: bool,
    /// What `main` returns: names and types.
    results: Vec<(String, String)>,
}

/// A shape: its name and what writes it.
type Shape = (&'static str, fn(&mut Text));

/// All shapes. `FREEHOLD_SHAPE` chooses one of them, so that all programs are of it.
const SHAPES: &[Shape] = &[
    ("overlap", Text::overlapping_loops),
    ("folds", Text::near_folds),
    ("numbers", Text::edge_numbers),
    ("nests", Text::near_nests),
    ("owners", Text::owned_buffers),
    ("meets", Text::meeting_memory),
    ("freed", Text::freed_buffers),
    ("merged", Text::merged_buffers),
    ("tensors", Text::tensor_shapes),
    ("lanes", Text::mixed_lanes),
    ("repeated", Text::repeated_rows),
    ("places", Text::single_places),
    ("products", Text::large_products),
];

/// Whether there are to be programs of one shape only.
pub(super) fn is_wanted() -> bool {
    std::env::var_os("FREEHOLD_SHAPE").is_some()
}

/// The program of this seed.
pub(super) fn program(seed: u64) -> Program {
    let mut text = Text {
        rng: Rng::new(seed ^ 0x0061_6c6f_6e65),
        out: String::new(),
        indent: 1,
        next: 0,
        globals: String::new(),
        functions: String::new(),
        pipelines: Vec::new(),
        promised: Vec::new(),
        words: Vec::new(),
        buffers_flow: false,
        frees_itself: false,
        results: Vec::new(),
    };
    let wanted = std::env::var("FREEHOLD_SHAPE").ok();
    let shapes: Vec<&Shape> = (SHAPES.iter())
        .filter(|(name, _)| wanted.as_ref().is_none_or(|wanted| wanted == name))
        .collect();
    assert!(
        !shapes.is_empty(),
        "no shape has the name that FREEHOLD_SHAPE gives"
    );
    let (_, write) = text.rng.pick(&shapes);
    write(&mut text);
    text.finish()
}

impl Text {
    fn finish(self) -> Program {
        let (names, types): (Vec<String>, Vec<String>) = self.results.into_iter().unzip();
        let types = types.join(", ");
        let text = format!(
            "{}{}func.func @main() -> ({types}) {{\n{}  return {} : {types}\n}}\n",
            self.globals,
            self.functions,
            self.out,
            names.join(", "),
        );
        Program {
            buffers_flow: self.buffers_flow,
            pipelines: self.pipelines,
            promised: self.promised,
            words: self.words,
            frees_itself: self.frees_itself,
            ..Program::known(text)
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.indent {
            self.out += "  ";
        }
        self.out += text.as_ref();
        self.out.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next)
    }

    /// The value of an operation.
    fn def(&mut self, text: impl AsRef<str>) -> String {
        self.next += 1;
        let name = format!("%v{}", self.next);
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// Writes a region.
    fn inside<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.indent += 1;
        let outcome = write(self);
        self.indent -= 1;
        outcome
    }

    /// Writes a function of its own: what comes of `write` is its body.
    fn function(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.out);
        let indent = std::mem::replace(&mut self.indent, 1);
        write(self);
        let body = std::mem::replace(&mut self.out, outer);
        self.indent = indent;
        self.functions += &format!("{head} {{\n{body}}}\n");
    }

    fn index(&mut self, number: i64) -> String {
        self.def(format!("arith.constant {number} : index"))
    }

    /// An index that only who runs the program knows.
    fn opaque(&mut self, number: i64) -> String {
        let (name, ty) = (format!("@n{}", self.next), "memref<1xindex>");
        self.globals += &format!("memref.global \"private\" {name} : {ty} = dense<{number}>\n");
        let global = self.def(format!("memref.get_global {name} : {ty}"));
        let zero = self.index(0);
        self.def(format!("memref.load {global}[{zero}] : {ty}"))
    }

    /// One of the two.
    fn number(&mut self, number: i64, percent: usize) -> String {
        match self.rng.chance(percent) {
            true => self.opaque(number),
            false => self.index(number),
        }
    }

    /// The first line of a loop with few iterations that carries a buffer: its result, and the buffer inside.
    fn begin_carrying(&mut self, init: &str, ty: &str) -> [String; 2] {
        let trips = self.rng.below(4) as i64;
        let (zero, one, end) = (self.index(0), self.index(1), self.number(trips, 60));
        let number = self.fresh();
        let [name, i, a] = ["w", "i", "a"].map(|letter| format!("%{letter}{}", &number[1..]));
        self.line(format!(
            "{name} = scf.for {i} = {zero} to {end} step {one} iter_args({a} = {init}) -> ({ty}) {{"
        ));
        [name, a]
    }

    /// `scf.for` from one index to another one.
    fn for_loop(&mut self, from: &str, to: &str, body: impl FnOnce(&mut Self, &str)) {
        let (one, counter) = (self.index(1), self.fresh());
        let counter = format!("%i{}", &counter[1..]);
        self.line(format!("scf.for {counter} = {from} to {to} step {one} {{"));
        self.inside(|t| body(t, &counter));
        self.line("}");
    }

    /// A buffer of so many elements that differ, and are small.
    fn numbered(&mut self, n: i64, elem: &str) -> String {
        let ty = format!("memref<{n}x{elem}>");
        let buffer = self.def(format!("memref.alloc() : {ty}"));
        let (zero, end) = (self.index(0), self.index(n));
        let factor = *self.rng.pick(&[7, 5, 3, 11]);
        self.for_loop(&zero, &end, |t, i| {
            let factor = t.index(factor);
            let product = t.def(format!("arith.muli {i}, {factor} : index"));
            let value = t.number_of(&product, elem);
            t.line(format!("memref.store {value}, {buffer}[{i}] : {ty}"));
        });
        buffer
    }

    /// An index as a number of this type.
    fn number_of(&mut self, index: &str, elem: &str) -> String {
        match elem {
            "index" => index.to_owned(),
            "f32" | "f64" | "f16" | "bf16" => {
                let number = self.def(format!("arith.index_cast {index} : index to i32"));
                self.def(format!("arith.sitofp {number} : i32 to {elem}"))
            }
            _ => self.def(format!("arith.index_cast {index} : index to {elem}")),
        }
    }

    fn constant(&mut self, elem: &str) -> String {
        let number = self.rng.range(1, 9) as i64 - 4;
        match elem.starts_with('f') {
            true => self.def(format!("arith.constant {number}.0 : {elem}")),
            false => self.def(format!("arith.constant {number} : {elem}")),
        }
    }

    /// Two numbers as one that tells them apart.
    fn mixed(&mut self, a: &str, b: &str, elem: &str) -> String {
        let is_float =
            elem.starts_with(['f', 'b']) || elem.ends_with("xf32>") || elem.ends_with("xf64>");
        let names: &[&str] = match is_float {
            true => &["addf", "subf", "addf", "mulf"],
            false => &["addi", "subi", "muli", "xori"],
        };
        let name = *self.rng.pick(names);
        self.def(format!("arith.{name} {a}, {b} : {elem}"))
    }

    /// Passes, perhaps with some that tidy up between them.
    fn passes(&mut self, passes: &[&str]) {
        let mut steps = Vec::new();
        for &pass in passes {
            if self.rng.chance(20) {
                steps.push(*self.rng.pick(&["canonicalize", "cse"]));
            }
            steps.push(pass);
        }
        self.pipelines.push(steps.join(","));
    }
}
