//! Nests whose subscripts mix counters: sums, differences and multiples of them, quotients and remainders, reversed
//! ones, and the same counter in several dimensions, in loads and in stores.

use std::fmt::Write as _;
use std::ops::Range;

use libtest_mimic::Trial;

use super::memory::{Filling, Pair, compare_at, filled_memory};
use super::{
    ELEMENTS, FAST, Form, MEMORY, Nest, PLAIN, ROTATED, Vectors, View, bytes, compile, compile_for,
    exactness, programs, threading,
};
use crate::needs::trials;
use crate::support::generator::rng::Rng;

/// Random nests that are tried.
const MIXED: u64 = 240;

/// The sizes of buffers, by rank. Those of eight bytes fit into half of the memory.
const SIZES: [&[usize]; 3] = [&[200], &[48, 80], &[16, 20, 48]];

/// No loop that runs up to an argument runs further.
const MOST_ITERATIONS: i64 = 12;

/// An index, and the numbers it may be.
type Index = (String, Range<i64>);

/// A random nest.
struct Mixed<'a> {
    nest: Nest<'a>,
    types: Vec<String>,
    /// The counters of all loops, outer ones first.
    counters: Vec<Index>,
    bounds: Vec<[String; 2]>,
    /// The number of loops that are open.
    depth: usize,
}

impl Mixed<'_> {
    fn chance(&mut self, percent: usize) -> bool {
        self.nest.rng.chance(percent)
    }

    fn constant(&mut self, number: i64) -> Index {
        let name = self.nest.value(&format!("arith.constant {number} : index"));
        (name, number..number + 1)
    }

    fn binary(&mut self, op: &str, a: &Index, b: &Index, range: Range<i64>) -> Index {
        let text = format!("arith.{op} {}, {} : index", a.0, b.0);
        (self.nest.value(&text), range)
    }

    fn plus(&mut self, a: &Index, b: &Index) -> Index {
        let range = a.1.start + b.1.start..a.1.end + b.1.end - 1;
        self.binary("addi", a, b, range)
    }

    fn minus(&mut self, a: &Index, b: &Index) -> Index {
        let range = a.1.start - (b.1.end - 1)..a.1.end - b.1.start;
        self.binary("subi", a, b, range)
    }

    fn times(&mut self, a: &Index, factor: i64) -> Index {
        let factor_index = self.constant(factor);
        let range = a.1.start * factor..(a.1.end - 1) * factor + 1;
        self.binary("muli", a, &factor_index, range)
    }

    fn counter(&mut self) -> Index {
        let depth = self.depth;
        self.counters[self.nest.rng.below(depth)].clone()
    }

    /// Some function of the counters.
    fn mixed(&mut self) -> Index {
        let (a, b) = (self.counter(), self.counter());
        match self.nest.rng.below(9) {
            0 => self.plus(&a, &b),
            1 => self.minus(&a, &b),
            2 => {
                let c = self.counter();
                let sum = self.plus(&a, &b);
                match self.chance(50) {
                    true => self.plus(&sum, &c),
                    false => self.minus(&sum, &c),
                }
            }
            3 => {
                let distance = self.nest.rng.range(2, 5) as i64;
                self.times(&a, distance)
            }
            4 => {
                let multiple = self.times(&a, 3);
                self.plus(&multiple, &b)
            }
            5 => {
                let last = self.constant(a.1.end - 1);
                self.minus(&last, &a)
            }
            kind @ (6 | 7) => {
                let whole = match self.chance(40) {
                    true => self.plus(&a, &b),
                    false => a,
                };
                let n = self.nest.rng.range(2, 5) as i64;
                let by = self.constant(n);
                if kind == 6 {
                    let op = *self.nest.rng.pick(&["divui", "divsi", "floordivsi"]);
                    let range = whole.1.start / n..(whole.1.end - 1) / n + 1;
                    self.binary(op, &whole, &by, range)
                } else {
                    let op = *self.nest.rng.pick(&["remui", "remsi"]);
                    self.binary(op, &whole, &by, 0..n)
                }
            }
            _ => {
                let shift = self.nest.rng.range(0, 2) as i64;
                let shift = self.constant(shift);
                self.plus(&a, &shift)
            }
        }
    }

    /// A subscript less than `size`.
    fn subscript(&mut self, size: usize, mixes: bool) -> String {
        for _ in 0..6 {
            let mut index = match mixes {
                true => self.mixed(),
                false => self.counter(),
            };
            if index.1.start < 0 {
                let shift = self.constant(-index.1.start);
                index = self.plus(&index, &shift);
            }
            if index.1.end <= size as i64 {
                return index.0;
            }
        }
        self.constant(0).0
    }

    /// `%v0[%i, %j] : type`, and what is there.
    fn place(&mut self, view: usize, mixes: bool) -> (String, &'static str) {
        let sizes = SIZES[self.nest.views[view].rank - 1];
        // Often only one of them.
        let alone = self.chance(60).then(|| self.nest.rng.below(sizes.len()));
        let mut subscripts: Vec<String> = Vec::new();
        // The counters in some order, or any.
        let mut order: Vec<Index> = self.counters[..self.depth].to_vec();
        for (dim, &size) in sizes.iter().enumerate() {
            let mixes = mixes && alone.is_none_or(|alone| alone == dim);
            let is_again = !subscripts.is_empty() && mixes && self.chance(25);
            let smallest = SIZES[2][0];
            let fits = |index: &Index| index.1.end <= size as i64;
            let subscript = if is_again && size >= smallest && self.depth != 0 {
                // A diagonal.
                let again = subscripts[self.nest.rng.below(subscripts.len())].clone();
                let is_small = (self.counters.iter())
                    .any(|(name, range)| *name == again && range.end <= size as i64);
                match is_small {
                    true => again,
                    false => self.subscript(size, mixes),
                }
            } else if !mixes && order.iter().any(fits) {
                let left: Vec<usize> = (0..order.len()).filter(|&i| fits(&order[i])).collect();
                let at = match self.chance(70) {
                    true => left[0],
                    false => *self.nest.rng.pick(&left),
                };
                order.remove(at).0
            } else {
                self.subscript(size, mixes)
            };
            subscripts.push(subscript);
        }
        let element = self.nest.views[view].element;
        let subscripts = subscripts.join(", ");
        (
            format!("%v{view}[{subscripts}] : {}", self.types[view]),
            element,
        )
    }

    fn combine(&mut self, a: &str, b: &str, ty: &str) -> String {
        if self.chance(15) {
            let condition = self.nest.compare(a, b, ty);
            return self
                .nest
                .value(&format!("arith.select {condition}, {b}, {a} : {ty}"));
        }
        let ops: &[&str] = match &ty[..1] {
            "i" => &["addi", "subi", "muli", "xori", "maxsi", "minui"],
            _ => &["addf", "subf", "mulf", "maximumf", "minimumf"],
        };
        let op = *self.nest.rng.pick(ops);
        let value = self.nest.value(&format!("arith.{op} {a}, {b} : {ty}"));
        if op != "addf" && op != "subf" {
            return value;
        }
        let half = self.nest.value(&format!("arith.constant 0.5 : {ty}"));
        self.nest
            .value(&format!("arith.mulf {value}, {half} : {ty}"))
    }

    /// Stores something that is made of other elements, and often of the one that was there.
    fn statement(&mut self) {
        let n_views = self.nest.views.len();
        let view = self.nest.rng.below(n_views);
        let mixes = self.chance(30);
        let (target, ty) = self.place(view, mixes);
        let mut value = None;
        if self.chance(40) {
            value = Some(self.nest.value(&format!("memref.load {target}")));
        }
        let n_loads = *self.nest.rng.pick(&[1, 1, 1, 2]);
        for _ in 0..n_loads {
            let other = match self.chance(90) {
                true => (view + 1 + self.nest.rng.below(n_views - 1)) % n_views,
                false => view,
            };
            let mixes = self.chance(60);
            let (place, element) = self.place(other, mixes);
            let loaded = self.nest.value(&format!("memref.load {place}"));
            let loaded = self.nest.convert(&loaded, element, ty);
            value = Some(match value {
                Some(value) => self.combine(&value, &loaded, ty),
                None => loaded,
            });
        }
        let value = value.unwrap();
        let _ = writeln!(self.nest.text, "    memref.store {value}, {target}");
    }

    fn loops(&mut self) {
        if self.depth == self.counters.len() {
            self.statement();
            if self.chance(20) {
                self.statement();
            }
            return;
        }
        if self.depth != 0 && self.chance(8) {
            self.statement();
        }
        let counter = self.counters[self.depth].0.clone();
        let [lower, upper] = self.bounds[self.depth].clone();
        let again = self.chance(12);
        for _ in 0..=usize::from(again) {
            let _ = writeln!(
                self.nest.text,
                "  scf.for {counter} = {lower} to {upper} step %c1 {{"
            );
            self.depth += 1;
            self.loops();
            self.depth -= 1;
            self.nest.text += "  }\n";
        }
    }
}

/// Random nests on these views.
fn random_nests(rng: &mut Rng, views: &[View], types: &[String]) -> String {
    let mut text = "  %c0 = arith.constant 0 : index\n".to_owned();
    for n in 1..=40 {
        let _ = writeln!(text, "  %c{n} = arith.constant {n} : index");
    }
    let mut counters = Vec::new();
    let mut bounds = Vec::new();
    let names = ["%i", "%j", "%k"];
    for name in &names[..rng.range(2, 3)] {
        let (upper, end) = match rng.chance(35) {
            true => ("%hi".to_owned(), MOST_ITERATIONS),
            false => {
                let n = *rng.pick(&[4, 5, 8, 8, 9, 12, 16, 17, 33]);
                (format!("%c{n}"), n)
            }
        };
        let lower = *rng.pick(&["%c0", "%c0", "%c1", "%lo"]);
        counters.push(((*name).to_owned(), 0..end));
        bounds.push([lower.to_owned(), upper]);
    }
    let n_nests = *rng.pick(&[1, 1, 1, 2]);
    let nest = Nest {
        rng,
        views,
        text,
        n_values: 0,
        counters: Vec::new(),
        bounds: Vec::new(),
    };
    let mut mixed = Mixed {
        nest,
        types: types.to_vec(),
        counters,
        bounds,
        depth: 0,
    };
    for _ in 0..n_nests {
        mixed.loops();
    }
    mixed.nest.text
}

/// A function `@kernel` that calls `@body` with buffers in the memory, most of which are apart.
fn random_program(rng: &mut Rng, views: &[View]) -> String {
    let types: Vec<String> = (views.iter())
        .map(|view| {
            let sizes = SIZES[view.rank - 1].iter();
            let sizes: String = sizes.map(|size| format!("{size}x")).collect();
            format!("memref<{sizes}{}>", view.element)
        })
        .collect();
    let list = |item: &dyn Fn(usize) -> String| -> String {
        (0..views.len()).map(item).collect::<Vec<_>>().join(", ")
    };
    let filling = Filling::of(views.iter().map(|view| view.element));
    let mut text =
        format!("func.func @kernel(%memory: memref<{MEMORY}xi8>, %lo: index, %hi: index) {{\n");
    let mut used = [0, MEMORY / 2];
    for (i, view) in views.iter().enumerate() {
        let half = usize::from(filling.is_in_second_half(view.element));
        let n: usize = SIZES[view.rank - 1].iter().product();
        let length = (n * bytes(view.element)).next_multiple_of(16);
        let end = (half + 1) * (MEMORY / 2);
        let start = match used[half] + length <= end && rng.chance(95) {
            true => used[half],
            false => half * (MEMORY / 2),
        };
        used[half] = start + length;
        let _ = writeln!(
            text,
            "  %at{i} = arith.constant {start} : index
  %v{i} = memref.view %memory[%at{i}][] : memref<{MEMORY}xi8> to {}",
            types[i]
        );
    }
    let all = list(&|i| types[i].clone());
    let names = list(&|i| format!("%v{i}"));
    let parameters = list(&|i| format!("%v{i}: {}", types[i]));
    let body = random_nests(rng, views, &types);
    let _ = write!(
        text,
        "  call @body({names}, %lo, %hi) : ({all}, index, index) -> ()
  return
}}
func.func @body({parameters}, %lo: index, %hi: index) {{
{body}  return
}}
"
    );
    text
}

fn subscripts_that_mix_counters_reach_what_plain_loops_do() {
    let (n_programs, mut rng) = programs(MIXED, 11);
    let (mut n_vectors, mut n_columns, mut n_interchanged, mut n_wide) = (0, 0, 0, 0);
    let all_vectors = Vectors::all();
    for number in 0..n_programs {
        let elements = *rng.pick(&ELEMENTS);
        let views: Vec<View> = (0..rng.range(2, 3))
            .map(|_| {
                let (&rank, &element) = (rng.pick(&[1, 2, 2, 2, 3, 3]), rng.pick(elements));
                View {
                    form: Form::RowMajor,
                    rank,
                    element,
                }
            })
            .collect();
        let text = random_program(&mut rng, &views);
        let first = exactness(number);
        let (plain, _) = compile(&text, &format!("{first}cse"), PLAIN);
        let passes = *rng.pick(&[
            "interchange-loops",
            "vectorize-loops",
            "vectorize-loops",
            "fuse-loops,forward-stores",
            "cse,convert-loops-to-library-calls{min-bytes=1},vectorize-loops",
            FAST,
            FAST,
            FAST,
        ]);
        let vectors = all_vectors[number as usize % all_vectors.len()];
        let all_passes = format!("{first}{}{passes}", threading(number));
        let (fast, printed, wide) = compile_for(&text, &all_passes, ROTATED, vectors);
        n_wide += usize::from(wide != 0);
        n_vectors += usize::from(printed.contains("vector<"));
        n_columns += usize::from(printed.contains("vector.shuffle"));
        n_interchanged += usize::from(passes == "interchange-loops" && printed.contains("scf.if"));
        let pair = Pair {
            compiled: [&plain, &fast],
            text: &text,
            has_fused: !first.is_empty(),
        };
        let filling = Filling::of(views.iter().map(|view| view.element));
        for _ in 0..3 {
            let memory = filled_memory(rng.next(), &filling);
            let bounds = [rng.range(0, 2), rng.range(0, MOST_ITERATIONS as usize)];
            let shift = rng.below(16);
            compare_at(
                &memory,
                shift,
                &[],
                bounds.map(|bound| bound as i128),
                &pair,
            );
        }
    }
    eprintln!(
        "{n_vectors} in vectors, {n_columns} with columns, {n_interchanged} interchanged, {n_wide} wide"
    );
    assert!(
        n_programs < MIXED || n_vectors > 25 && n_columns > 2,
        "{n_vectors} {n_columns}"
    );
}

/// The tests of this module.
pub(super) fn tests() -> Vec<Trial> {
    trials![subscripts_that_mix_counters_reach_what_plain_loops_do]
}
