//! Programs of affine loops on buffers of known sizes, which print all elements at the end. Layouts of buffers may be
//! affine maps.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

const SIZES: [i64; 5] = [6, 8, 12, 16, 24];

struct Buffer {
    name: String,
    shape: Vec<i64>,
    /// Behind the type of the elements.
    layout: String,
}

impl Buffer {
    fn ty(&self) -> String {
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("memref<{sizes}i32{}>", self.layout)
    }
}

/// Which layouts buffers have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layouts {
    RowMajor,
    /// Affine maps, in a program without calls.
    Maps,
    /// Row-major in the same program.
    Dropped,
}

/// What counts a loop, and between which numbers, both ends included.
#[derive(Clone)]
struct Counter {
    name: String,
    least: i64,
    most: i64,
}

struct Writer {
    rng: Rng,
    text: String,
    n_names: usize,
    buffers: Vec<Buffer>,
    counters: Vec<Counter>,
    indent: usize,
    layouts: Layouts,
}

/// The program with this seed.
pub(super) fn generate(seed: u64) -> String {
    program(seed, Layouts::RowMajor)
}

/// The program with this seed, whose buffers have affine maps.
pub(super) fn generate_layouts(seed: u64) -> String {
    program(seed, Layouts::Maps)
}

/// The same program without the maps.
pub(super) fn generate_without_layouts(seed: u64) -> String {
    program(seed, Layouts::Dropped)
}

fn program(seed: u64, layouts: Layouts) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        text: String::new(),
        n_names: 0,
        buffers: Vec::new(),
        counters: Vec::new(),
        indent: 1,
        layouts,
    };
    writer.program();
    writer.text
}

impl Writer {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%{}", self.n_names)
    }

    fn line(&mut self, what: &str) {
        let _ = writeln!(self.text, "{}{what}", "  ".repeat(self.indent));
    }

    fn value(&mut self, what: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {what}"));
        name
    }

    fn program(&mut self) {
        self.text
            .push_str("func.func private @printMemrefI32(memref<*xi32>)\n");
        let shapes: Vec<Vec<i64>> = (0..self.rng.range(2, 4))
            .map(|_| {
                let rank = self.rng.range(1, 2);
                (0..rank).map(|_| *self.rng.pick(&SIZES)).collect()
            })
            .collect();
        let has_calls = self.layouts == Layouts::RowMajor;
        let plain = |name: &str, shape: &[i64]| Buffer {
            name: name.to_owned(),
            shape: shape.to_owned(),
            layout: String::new(),
        };
        // A function whose arguments may be one buffer.
        let shared = shapes[0].clone();
        let ty = plain("", &shared).ty();
        if has_calls {
            let _ = writeln!(self.text, "func.func private @work(%x: {ty}, %y: {ty}) {{");
            self.buffers = ["%x", "%y"].map(|name| plain(name, &shared)).into();
            self.nests();
            self.text.push_str("  return\n}\n");
        }
        self.text.push_str("func.func @main() {\n");
        self.buffers.clear();
        for (number, shape) in shapes.iter().enumerate() {
            let mut buffer = plain(&format!("%m{number}"), shape);
            if !has_calls && self.rng.chance(80) {
                let layout = self.layout(shape);
                if self.layouts == Layouts::Maps {
                    buffer.layout = layout;
                }
            }
            self.line(&format!(
                "{} = memref.alloc() : {}",
                buffer.name,
                buffer.ty()
            ));
            self.buffers.push(buffer);
        }
        for number in 0..self.buffers.len() {
            self.fill(number);
        }
        self.nests();
        if has_calls {
            let other = match self.buffers[1].shape == shared {
                true if self.rng.chance(50) => "%m1",
                _ => "%m0",
            };
            self.line(&format!("call @work(%m0, {other}) : ({ty}, {ty}) -> ()"));
        }
        for number in 0..self.buffers.len() {
            let buffer = &self.buffers[number];
            let (name, ty, shape) = (buffer.name.clone(), buffer.ty(), buffer.shape.clone());
            let printed = match has_calls {
                true => name.clone(),
                false => self.copy(&name, &ty, &shape),
            };
            let plain = plain("", &shape).ty();
            let cast = self.value(&format!("memref.cast {printed} : {plain} to memref<*xi32>"));
            self.line(&format!(
                "call @printMemrefI32({cast}) : (memref<*xi32>) -> ()"
            ));
            if printed != name {
                self.line(&format!("memref.dealloc {printed} : {plain}"));
            }
            self.line(&format!("memref.dealloc {name} : {ty}"));
        }
        self.text.push_str("  return\n}\n");
    }

    /// An affine map that gives each element a place of its own, behind a comma.
    fn layout(&mut self, shape: &[i64]) -> String {
        let part = *self.rng.pick(&[2, 3, 4]);
        let map = match shape {
            [size] => match self.rng.below(7) {
                0 => format!("(i) -> (i floordiv {part}, i mod {part})"),
                1 => format!("(i) -> (i mod {part}, i floordiv {part})"),
                2 => format!("(i) -> (i ceildiv {part}, i mod {part})"),
                3 => format!("(i) -> (i * {part} + 1)"),
                4 => format!("(i) -> ({} - i)", size - 1),
                5 => format!("(i) -> (i + {part})"),
                _ => format!("(i) -> ((i + 1) floordiv {part}, (i + 1) mod {part})"),
            },
            [_, columns] => match self.rng.below(7) {
                0 => "(i, j) -> (j, i)".to_owned(),
                1 => format!("(i, j) -> (i floordiv {part}, j floordiv 2, i mod {part}, j mod 2)"),
                2 => "(i, j) -> (i + j, j)".to_owned(),
                3 => format!("(i, j) -> (i * {} + j)", columns + part),
                4 => format!("(i, j) -> (j * 2 + 1, i + {part})"),
                5 => format!("(i, j) -> (i, (j + i) mod {columns})"),
                _ => format!(
                    "(i, j) -> ({} - j, i floordiv {part}, i mod {part})",
                    columns - 1
                ),
            },
            _ => return String::new(),
        };
        format!(", affine_map<{map}>")
    }

    /// A row-major copy of a buffer.
    fn copy(&mut self, name: &str, ty: &str, shape: &[i64]) -> String {
        let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
        let plain = format!("memref<{sizes}i32>");
        let copy = self.value(&format!("memref.alloc() : {plain}"));
        let counters: Vec<String> = shape.iter().map(|_| self.name()).collect();
        for (counter, size) in counters.iter().zip(shape) {
            self.line(&format!("affine.for {counter} = 0 to {size} {{"));
            self.indent += 1;
        }
        let place = counters.join(", ");
        let value = self.value(&format!("affine.load {name}[{place}] : {ty}"));
        self.line(&format!("affine.store {value}, {copy}[{place}] : {plain}"));
        for _ in shape {
            self.indent -= 1;
            self.line("}");
        }
        copy
    }

    /// Gives each element of a buffer another number.
    fn fill(&mut self, number: usize) {
        let buffer = &self.buffers[number];
        let (name, shape, ty) = (buffer.name.clone(), buffer.shape.clone(), buffer.ty());
        let mut counters = Vec::new();
        for size in &shape {
            let counter = self.name();
            self.line(&format!("affine.for {counter} = 0 to {size} {{"));
            self.indent += 1;
            counters.push(counter);
        }
        let dims: Vec<String> = (0..shape.len()).map(|dim| format!("d{dim}")).collect();
        let terms: Vec<String> = (dims.iter().enumerate())
            .map(|(at, dim)| format!("{} * {dim}", [37, 5][at]))
            .collect();
        let index = self.value(&format!(
            "affine.apply affine_map<({}) -> ({} + {number})>({})",
            dims.join(", "),
            terms.join(" + "),
            counters.join(", ")
        ));
        let value = self.value(&format!("arith.index_cast {index} : index to i32"));
        self.line(&format!(
            "affine.store {value}, {name}[{}] : {ty}",
            counters.join(", "),
        ));
        for _ in &shape {
            self.indent -= 1;
            self.line("}");
        }
    }

    fn nests(&mut self) {
        for _ in 0..self.rng.range(1, 3) {
            match self.rng.chance(30) {
                true => self.whole(),
                false => self.nest(0),
            }
            if self.rng.chance(25) {
                self.statement();
            }
        }
    }

    fn nest(&mut self, depth: usize) {
        if depth == 0 && self.rng.chance(25) {
            return self.reduction();
        }
        let n_counters = self.counters.len();
        let is_tiled = self.rng.chance(20);
        let size = *self.rng.pick(&SIZES);
        let counter = self.name();
        if is_tiled {
            let tile = *self.rng.pick(&[4, 5, 8]);
            let inner = self.name();
            self.line(&format!(
                "affine.for {counter} = 0 to {size} step {tile} {{"
            ));
            self.indent += 1;
            self.line(&format!(
                "affine.for {inner} = affine_map<(d0) -> (d0)>({counter}) to min affine_map<(d0) -> \
                 (d0 + {tile}, {size})>({counter}) {{"
            ));
            self.counters.push(Counter {
                name: inner,
                least: 0,
                most: size - 1,
            });
        } else {
            let least = *self.rng.pick(&[0, 0, 0, 1, 2]);
            let step = *self.rng.pick(&[1, 1, 1, 1, 2, 3]);
            let step_text = match step {
                1 => String::new(),
                step => format!(" step {step}"),
            };
            // The inner loop of a triangle, now and then.
            let end = match self.counters.last() {
                Some(outer) if self.rng.chance(10) => {
                    format!("affine_map<(d0) -> (d0)>({})", outer.name)
                }
                // A value whose number the loop does not show.
                _ if self.rng.chance(10) => self.value(&format!("arith.constant {size} : index")),
                _ => size.to_string(),
            };
            let most = match end.starts_with("affine_map") {
                true => self.counters.last().map_or(0, |outer| outer.most - 1),
                false => size - 1,
            };
            self.line(&format!(
                "affine.for {counter} = {least} to {end}{step_text} {{"
            ));
            self.counters.push(Counter {
                name: counter,
                least,
                most: most.max(least),
            });
        }
        self.indent += 1;
        let goes_on = depth < 2 && self.rng.chance(60);
        if goes_on {
            if self.rng.chance(15) {
                self.statement();
            }
            self.nest(depth + 1);
            if self.rng.chance(15) {
                self.statement();
            }
        } else {
            for _ in 0..self.rng.range(1, 2) {
                self.guarded_statement();
            }
        }
        for _ in 0..1 + usize::from(is_tiled) {
            self.indent -= 1;
            self.line("}");
        }
        self.counters.truncate(n_counters);
    }

    /// A subscript from 0 to `size`, as text.
    fn subscript(&mut self, size: i64) -> String {
        let counters = self.counters.clone();
        for _ in 0..4 {
            if counters.is_empty() {
                break;
            }
            let (a, b) = (
                self.rng.pick(&counters).clone(),
                self.rng.pick(&counters).clone(),
            );
            let shift = *self.rng.pick(&[0, 0, 1, 2, 3]);
            let (text, least, most) = match self.rng.below(10) {
                0..6 => (
                    format!("{} + {shift}", a.name),
                    a.least + shift,
                    a.most + shift,
                ),
                6 => (
                    format!("2 * {} + {shift}", a.name),
                    2 * a.least + shift,
                    2 * a.most + shift,
                ),
                7 => (
                    format!("{} + {}", a.name, b.name),
                    a.least + b.least,
                    a.most + b.most,
                ),
                8 => (format!("{} floordiv 2", a.name), a.least / 2, a.most / 2),
                _ => (format!("{} mod 3", a.name), 0, 2),
            };
            if least >= 0 && most < size {
                return text;
            }
        }
        self.rng.below(size as usize).to_string()
    }

    fn place(&mut self) -> String {
        let number = self.rng.below(self.buffers.len());
        let buffer = &self.buffers[number];
        let (name, shape, ty) = (buffer.name.clone(), buffer.shape.clone(), buffer.ty());
        let subscripts: Vec<String> = shape.iter().map(|&size| self.subscript(size)).collect();
        format!("{name}[{}] : {ty}", subscripts.join(", "))
    }

    /// The same with subscripts that are values, for operations of memref.
    fn plain_place(&mut self) -> String {
        let number = self.rng.below(self.buffers.len());
        let buffer = &self.buffers[number];
        let (name, shape, ty) = (buffer.name.clone(), buffer.shape.clone(), buffer.ty());
        let mut subscripts = Vec::new();
        for size in shape {
            let fitting: Vec<String> = (self.counters.iter())
                .filter(|counter| counter.least >= 0 && counter.most < size)
                .map(|counter| counter.name.clone())
                .collect();
            subscripts.push(match fitting.is_empty() {
                true => {
                    let at = self.rng.below(size as usize);
                    self.value(&format!("arith.constant {at} : index"))
                }
                false => self.rng.pick(&fitting).clone(),
            });
        }
        format!("{name}[{}] : {ty}", subscripts.join(", "))
    }

    fn load(&mut self) -> String {
        if self.layouts != Layouts::RowMajor && self.rng.chance(30) {
            let place = self.plain_place();
            return self.value(&format!("memref.load {place}"));
        }
        let place = self.place();
        self.value(&format!("affine.load {place}"))
    }

    fn store(&mut self, value: &str) {
        if self.layouts != Layouts::RowMajor && self.rng.chance(30) {
            let place = self.plain_place();
            return self.line(&format!("memref.store {value}, {place}"));
        }
        let place = self.place();
        self.line(&format!("affine.store {value}, {place}"));
    }

    fn guarded_statement(&mut self) {
        let Some(counter) = self
            .counters
            .last()
            .cloned()
            .filter(|_| self.rng.chance(15))
        else {
            return self.statement();
        };
        let bound = self.rng.below(8);
        self.line(&format!(
            "affine.if affine_set<(d0) : (d0 - {bound} >= 0)>({}) {{",
            counter.name
        ));
        self.indent += 1;
        self.statement();
        self.indent -= 1;
        self.line("}");
    }

    /// A number that is computed from elements.
    fn number(&mut self) -> String {
        let mut value = self.load();
        for _ in 0..self.rng.range(0, 2) {
            let other = match self.rng.below(4) {
                0 => self.value("arith.constant 7 : i32"),
                1 if !self.counters.is_empty() && self.rng.chance(30) => {
                    let counters = self.counters.clone();
                    let counter = self.rng.pick(&counters).name.clone();
                    self.value(&format!("arith.index_cast {counter} : index to i32"))
                }
                _ => self.load(),
            };
            let op = *self.rng.pick(&["addi", "muli", "xori", "subi", "maxsi"]);
            value = self.value(&format!("arith.{op} {value}, {other} : i32"));
        }
        value
    }

    fn statement(&mut self) {
        let value = self.number();
        self.store(&value);
    }

    /// Loops over all of a buffer, which change each element or combine them.
    fn whole(&mut self) {
        let n_counters = self.counters.len();
        let number = self.rng.below(self.buffers.len());
        let buffer = &self.buffers[number];
        let (name, shape, ty) = (buffer.name.clone(), buffer.shape.clone(), buffer.ty());
        let is_reduction = self.rng.chance(30);
        let init = is_reduction.then(|| self.value("arith.constant 3 : i32"));
        let swapped = shape.len() == 2 && self.rng.chance(30);
        let mut dims: Vec<usize> = (0..shape.len()).collect();
        if swapped {
            dims.reverse();
        }
        let mut places = vec![String::new(); shape.len()];
        let (result, carried) = (self.name(), self.name());
        for (at, &dim) in dims.iter().enumerate() {
            let counter = self.name();
            match &init {
                Some(init) if at + 1 == dims.len() => self.line(&format!(
                    "{result} = affine.for {counter} = 0 to {} iter_args({carried} = {init}) -> (i32) {{",
                    shape[dim]
                )),
                _ => self.line(&format!("affine.for {counter} = 0 to {} {{", shape[dim])),
            }
            self.indent += 1;
            places[dim].clone_from(&counter);
            self.counters.push(Counter {
                name: counter,
                least: 0,
                most: shape[dim] - 1,
            });
        }
        let place = format!("{name}[{}] : {ty}", places.join(", "));
        let mut value = self.value(&format!("affine.load {place}"));
        for _ in 0..self.rng.range(0, 2) {
            // Of a buffer that is as long in one dimension: the same element for all of the others.
            let rows: Vec<(String, String, i64)> = (self.buffers.iter())
                .filter(|buffer| buffer.shape.len() == 1 && buffer.name != name)
                .map(|buffer| (buffer.name.clone(), buffer.ty(), buffer.shape[0]))
                .collect();
            let other = match rows.is_empty() {
                true => self.value("arith.constant 5 : i32"),
                false => {
                    let (row, ty, size) = self.rng.pick(&rows).clone();
                    let fits = shape.iter().position(|&other| other <= size);
                    let at = fits.map_or("0".to_owned(), |dim| places[dim].clone());
                    self.value(&format!("affine.load {row}[{at}] : {ty}"))
                }
            };
            let op = *self.rng.pick(&["addi", "muli", "xori", "subi", "minsi"]);
            value = self.value(&format!("arith.{op} {value}, {other} : i32"));
        }
        if is_reduction {
            let op = *self
                .rng
                .pick(&["addi", "muli", "xori", "maxsi", "minui", "andi"]);
            let next = self.value(&format!("arith.{op} {carried}, {value} : i32"));
            self.line(&format!("affine.yield {next} : i32"));
        } else {
            self.line(&format!("affine.store {value}, {place}"));
        }
        for at in 0..dims.len() {
            self.indent -= 1;
            self.line("}");
            if is_reduction && at == 0 {
                self.counters.pop();
                self.store(&result);
            }
        }
        self.counters.truncate(n_counters);
    }

    /// A loop that combines numbers, in another one now and then.
    fn reduction(&mut self) {
        let n_counters = self.counters.len();
        let is_inner = self.rng.chance(50);
        if is_inner {
            let (counter, size) = (self.name(), *self.rng.pick(&SIZES));
            self.line(&format!("affine.for {counter} = 0 to {size} {{"));
            self.indent += 1;
            self.counters.push(Counter {
                name: counter,
                least: 0,
                most: size - 1,
            });
        }
        let init = match self.rng.chance(50) {
            true => self.value("arith.constant 0 : i32"),
            false => self.number(),
        };
        let (counter, size) = (self.name(), *self.rng.pick(&SIZES));
        let (carried, result) = (self.name(), self.name());
        self.line(&format!(
            "{result} = affine.for {counter} = 0 to {size} iter_args({carried} = {init}) -> (i32) {{"
        ));
        self.indent += 1;
        self.counters.push(Counter {
            name: counter,
            least: 0,
            most: size - 1,
        });
        let value = self.number();
        let op = *self
            .rng
            .pick(&["addi", "muli", "xori", "maxsi", "minui", "subi"]);
        let next = self.value(&format!("arith.{op} {carried}, {value} : i32"));
        self.line(&format!("affine.yield {next} : i32"));
        self.indent -= 1;
        self.line("}");
        self.counters.pop();
        self.store(&result);
        if is_inner {
            self.indent -= 1;
            self.line("}");
        }
        self.counters.truncate(n_counters);
    }
}
