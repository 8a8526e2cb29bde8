//! Loops over memory that may be the same: arguments of a function that are views of one buffer or of two, with rows that
//! share elements, go backwards or begin elsewhere; subscripts that count up and down, along diagonals, from data; bounds
//! in the wrong order, of counters, of data; and stores, loads, copies, new buffers and frees between loops.

use super::super::long::LOOP_PASSES;
use super::Text;

/// A buffer of the function.
#[derive(Clone)]
struct Memory {
    name: String,
    ty: String,
    sizes: Vec<i64>,
    is_written: bool,
}

/// An index and the numbers that it may be.
#[derive(Clone)]
struct Counter {
    name: String,
    low: i64,
    high: i64,
}

struct Soup {
    elem: &'static str,
    memory: Vec<Memory>,
    /// Numbers below the second, in a buffer of as many as the third.
    places: (String, i64, i64),
    /// How often loops around repeat what is written.
    repeats: i64,
    /// Values of the element type in scope.
    values: Vec<String>,
    /// Of ten subscripts, so many are anything but counters.
    odd: usize,
    /// Whether iterations mostly go through rows.
    ends: Vec<i64>,
}

const MOST: i64 = 1500;

impl Text {
    /// Such a function, and its call.
    pub(super) fn overlapping_loops(&mut self) {
        const ELEMS: [&str; 8] = ["i32", "f32", "f32", "i64", "f64", "i8", "i16", "i32"];
        const MORE: [&str; 4] = [
            "vectorize-loops{vector-bits=256}",
            "fuse-loops",
            "forward-stores",
            "loop-invariant-code-motion",
        ];
        let passes = [&LOOP_PASSES[..], &MORE].concat();
        let elem = *self.rng.pick(&ELEMS);
        let rank = *self.rng.pick(&[1, 1, 2]);
        let n = match rank {
            1 => *self.rng.pick(&[40, 72, 24, 100]),
            _ => 0,
        };
        let (rows, columns) = (
            *self.rng.pick(&[8, 9, 16, 12, 17, 24]),
            *self.rng.pick(&[8, 16, 9, 24, 17]),
        );
        let sizes = if rank == 1 {
            vec![n]
        } else {
            vec![rows, columns]
        };
        let room = 2 * sizes.iter().product::<i64>() + 24;
        let n_bases = *self.rng.pick(&[1, 2, 2]);
        let bases: Vec<String> = (0..n_bases).map(|_| self.numbered(room, elem)).collect();
        let base_ty = format!("memref<{room}x{elem}>");
        let n_views = *self.rng.pick(&[1, 2, 2, 3]);
        let (mut given, mut memory) = (Vec::new(), Vec::new());
        let same_offsets = self.rng.chance(50);
        for at in 0..n_views {
            let base = self.rng.pick(&bases).clone();
            let (strides, first) = self.layout(&sizes);
            let shift = match same_offsets {
                true => 0,
                false => *self.rng.pick(&[0, 1, 2, 4, 8, -1]),
            };
            let offset = (first + shift).max(first - 1).max(first);
            let shape: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let stride_texts: Vec<String> = strides.iter().map(i64::to_string).collect();
            let (shape_text, strides_text) = (shape.join(", "), stride_texts.join(", "));
            let layout = match offset {
                0 => format!("strided<[{strides_text}]>"),
                _ => format!("strided<[{strides_text}], offset: {offset}>"),
            };
            let ty = format!("memref<{}x{elem}, {layout}>", shape.join("x"));
            let mut view = self.def(format!(
                "memref.reinterpret_cast {base} to offset: [{offset}], sizes: [{shape_text}], strides: [{strides_text}] : {base_ty} to {ty}"
            ));
            // The type may tell less than that.
            let open = vec!["?"; strides.len()].join(", ");
            let general = match self.rng.below(4) {
                0 => format!(
                    "memref<{}x{elem}, strided<[{open}], offset: ?>>",
                    shape.join("x")
                ),
                _ => format!(
                    "memref<{}x{elem}, strided<[{strides_text}], offset: ?>>",
                    shape.join("x")
                ),
            };
            let is_plain =
                strides.last() == Some(&1) && offset == 0 && (rank == 1 || strides[0] == sizes[1]);
            let plain = format!("memref<{}x{elem}>", shape.join("x"));
            let ty_of_argument = if is_plain && self.rng.chance(70) {
                plain
            } else {
                general
            };
            view = self.def(format!("memref.cast {view} : {ty} to {ty_of_argument}"));
            given.push(view);
            memory.push(Memory {
                name: format!("%m{at}"),
                ty: ty_of_argument,
                sizes: sizes.clone(),
                is_written: at == 0 || self.rng.chance(40),
            });
        }
        let least = *sizes.iter().min().unwrap_or(&8);
        let numbers: Vec<String> = (0..n.max(24))
            .map(|_| self.rng.below(least as usize).to_string())
            .collect();
        let places_ty = format!("memref<{}xindex>", numbers.len());
        self.globals += &format!(
            "memref.global \"private\" @places : {places_ty} = dense<[{}]>\n",
            numbers.join(", ")
        );
        let types: Vec<String> = memory.iter().map(|it| it.ty.clone()).collect();
        let arguments: Vec<String> = (memory.iter())
            .map(|it| format!("{}: {}", it.name, it.ty))
            .collect();
        let mut ends: Vec<i64> = match rank {
            1 => vec![n, n - 8, n / 2, n - 1, 8],
            _ => vec![rows.min(columns), rows, 4, rows / 2],
        };
        ends.retain(|&end| end <= sizes[0]);
        let mut soup = Soup {
            elem,
            memory,
            places: ("%places".to_owned(), least, numbers.len() as i64),
            repeats: 1,
            values: Vec::new(),
            odd: *self.rng.pick(&[1, 3, 5]),
            ends,
        };
        let visibility = if self.rng.chance(70) { "private " } else { "" };
        let attributes = if self.rng.chance(60) {
            " attributes {no_inline}"
        } else {
            ""
        };
        self.function(
            &format!(
                "func.func {visibility}@f({}){attributes}",
                arguments.join(", ")
            ),
            |t| {
                t.line(format!("%places = memref.get_global @places : {places_ty}"));
                let value = t.constant(elem);
                soup.values.push(value);
                for _ in 0..t.rng.range(1, 3) {
                    t.soup_statement(&mut soup, &[]);
                }
                t.soup_loop(&mut soup, &[]);
                t.line("return");
            },
        );
        self.line(format!(
            "func.call @f({}) : ({}) -> ()",
            given.join(", "),
            types.join(", ")
        ));
        for base in bases {
            self.results.push((base, base_ty.clone()));
        }
        for _ in 0..2 {
            let mut chosen = vec![*self.rng.pick(&passes)];
            if self.rng.chance(30) {
                chosen.push(*self.rng.pick(&passes));
            }
            self.passes(&chosen);
        }
    }

    /// Strides of a view, and the least offset at which it begins.
    fn layout(&mut self, sizes: &[i64]) -> (Vec<i64>, i64) {
        let last = sizes[sizes.len() - 1];
        let step = *self.rng.pick(&[1, 1, 1, 1, 1, -1, 2]);
        if sizes.len() == 1 {
            return match step {
                -1 => (vec![-1], last - 1),
                _ => (vec![step], 0),
            };
        }
        let step = if step == 2 { 1 } else { step };
        let row = *self
            .rng
            .pick(&[last, last, last, last - 1, last - 1, 1, last + 1, -last]);
        let first = [(row, sizes[0]), (step, last)]
            .iter()
            .map(|&(stride, size)| if stride < 0 { -stride * (size - 1) } else { 0 })
            .sum();
        match self.rng.chance(15) && sizes[0] <= last {
            // Transposed.
            true => (vec![1, sizes[0]], 0),
            false => (vec![row, step], first),
        }
    }

    fn soup_statement(&mut self, soup: &mut Soup, counters: &[Counter]) {
        match self.rng.below(16) {
            0..2 => {
                self.soup_load(soup, counters);
            }
            2..4 => self.soup_store(soup, counters),
            4 => self.soup_update(soup, counters),
            14 if counters.is_empty() => {
                // A loop between stores to one place.
                let memory = self.rng.pick(&soup.memory).clone();
                if memory.is_written {
                    let places = self.soup_places(soup, counters, &memory);
                    for round in 0..2 {
                        let value = self.soup_value(soup);
                        let value = self.mixed(&value, &soup.values[0].clone(), soup.elem);
                        self.line(format!(
                            "memref.store {value}, {}[{places}] : {}",
                            memory.name, memory.ty
                        ));
                        if round == 0 {
                            self.soup_loop(soup, counters);
                        }
                    }
                }
            }
            5 if counters.is_empty() => {
                // A buffer of its own; what is not written is not read.
                let memory = self.rng.pick(&soup.memory).clone();
                let shape: Vec<String> = memory.sizes.iter().map(i64::to_string).collect();
                let ty = format!("memref<{}x{}>", shape.join("x"), soup.elem);
                let name = self.def(format!("memref.alloc() : {ty}"));
                let copied = &memory.name;
                self.line(format!(
                    "memref.copy {copied}, {name} : {} to {ty}",
                    memory.ty
                ));
                let new = Memory {
                    name,
                    ty,
                    is_written: true,
                    ..memory
                };
                soup.memory.push(new.clone());
                // One that may be it, and is made behind it.
                let others: Vec<Memory> = (soup.memory.iter())
                    .filter(|it| it.ty == new.ty && it.name != new.name)
                    .cloned()
                    .collect();
                if !others.is_empty() && self.rng.chance(70) {
                    let other = self.rng.pick(&others).clone();
                    self.one_of_two(soup, &new, &other);
                }
            }
            6 if counters.is_empty() => {
                let (from, to) = (
                    self.rng.pick(&soup.memory).clone(),
                    self.rng.pick(&soup.memory).clone(),
                );
                if from.name.starts_with("%v") != to.name.starts_with("%v") && to.is_written {
                    self.line(format!(
                        "memref.copy {}, {} : {} to {}",
                        from.name, to.name, from.ty, to.ty
                    ));
                }
            }
            7 | 15 if counters.is_empty() => {
                // One of two.
                let (a, b) = (
                    self.rng.pick(&soup.memory).clone(),
                    self.rng.pick(&soup.memory).clone(),
                );
                if a.ty == b.ty && a.name != b.name {
                    self.one_of_two(soup, &a, &b);
                }
            }
            8 => {
                let number = self.rng.below(9) as i64;
                let (x, y) = (self.opaque(number), self.index(4));
                let c = self.def(format!("arith.cmpi slt, {x}, {y} : index"));
                self.line(format!("scf.if {c} {{"));
                let n = soup.values.len();
                self.inside(|t| {
                    t.soup_load(soup, counters);
                    t.soup_store(soup, counters);
                });
                soup.values.truncate(n);
                self.line("}");
            }
            _ => self.soup_loop(soup, counters),
        }
    }

    fn one_of_two(&mut self, soup: &mut Soup, a: &Memory, b: &Memory) {
        let number = self.rng.below(9) as i64;
        let (x, y) = (self.opaque(number), self.index(4));
        let c = self.def(format!("arith.cmpi slt, {x}, {y} : index"));
        let name = self.def(format!(
            "arith.select {c}, {}, {} : {}",
            a.name, b.name, a.ty
        ));
        soup.memory.push(Memory {
            name,
            is_written: true,
            ..a.clone()
        });
        self.buffers_flow = true;
    }

    /// A subscript below `size`.
    fn soup_subscript(&mut self, soup: &Soup, counters: &[Counter], size: i64) -> String {
        let mut fit: Vec<Counter> = counters.to_vec();
        fit.retain(|it| it.low >= 0 && it.high < size);
        let counter = match fit.is_empty() {
            true => {
                let place = if self.rng.chance(60) { 0 } else { size - 1 };
                return self.index(place);
            }
            // The inner ones more often.
            false => {
                let first = if self.rng.chance(60) {
                    fit.len() - 1
                } else {
                    0
                };
                fit[self.rng.range(first, fit.len() - 1)].clone()
            }
        };
        if self.rng.below(10) >= soup.odd {
            return counter.name;
        }
        let Counter { name, low, high } = &counter;
        match self.rng.below(9) {
            0 | 1 if high + 1 < size => {
                let by = self.rng.range(1, (size - 1 - high).min(3) as usize) as i64;
                let by = self.index(by);
                self.def(format!("arith.addi {name}, {by} : index"))
            }
            2 if *low > 0 => {
                let one = self.index(1);
                self.def(format!("arith.subi {name}, {one} : index"))
            }
            3 | 4 => {
                let end = match self.rng.below(4) {
                    0 => size - 1,
                    // So that it is the counter in one iteration.
                    1 => high + high % 2,
                    _ => *high,
                };
                let end = end.min(size - 1);
                let end = match self.rng.chance(30) {
                    true => self.opaque(end),
                    false => self.index(end),
                };
                self.def(format!("arith.subi {end}, {name} : index"))
            }
            5 => {
                let place = self.rng.below(size as usize) as i64;
                self.index(place)
            }
            6 if high * 2 < size => {
                let two = self.index(2);
                self.def(format!("arith.muli {name}, {two} : index"))
            }
            7 if soup.places.1 <= size && *high < soup.places.2 => {
                let ty = format!("memref<{}xindex>", soup.places.2);
                self.def(format!("memref.load %places[{name}] : {ty}"))
            }
            8 => {
                let other = self.rng.pick(&fit).clone();
                match other.name != *name && other.high + high < size {
                    true => self.def(format!("arith.addi {name}, {} : index", other.name)),
                    false if other.name != *name && low - other.high + 1 > 0 => {
                        self.def(format!("arith.subi {name}, {} : index", other.name))
                    }
                    false => name.clone(),
                }
            }
            _ => name.clone(),
        }
    }

    fn soup_places(&mut self, soup: &Soup, counters: &[Counter], memory: &Memory) -> String {
        let mut places = Vec::new();
        for &size in &memory.sizes {
            places.push(self.soup_subscript(soup, counters, size));
        }
        // Most often along rows.
        if places.len() == 2 && counters.len() > 1 && self.rng.chance(60) {
            let [a, b] = [&counters[counters.len() - 2], &counters[counters.len() - 1]];
            // Or down columns.
            let [a, b] = if self.rng.chance(35) { [b, a] } else { [a, b] };
            if a.high < memory.sizes[0] && b.high < memory.sizes[1] {
                places = vec![a.name.clone(), b.name.clone()];
            }
        }
        places.join(", ")
    }

    fn soup_load(&mut self, soup: &mut Soup, counters: &[Counter]) -> String {
        let memory = self.rng.pick(&soup.memory).clone();
        let places = self.soup_places(soup, counters, &memory);
        let value = self.def(format!(
            "memref.load {}[{places}] : {}",
            memory.name, memory.ty
        ));
        soup.values.push(value.clone());
        value
    }

    fn soup_value(&mut self, soup: &Soup) -> String {
        let last = soup.values[soup.values.len() - 1].clone();
        let other = self.rng.pick(&soup.values).clone();
        match self.rng.chance(30) {
            true => last,
            false => self.mixed(&last, &other, soup.elem),
        }
    }

    fn written_memory(&mut self, soup: &Soup) -> Memory {
        let written = soup.memory.iter().filter(|it| it.is_written);
        let written: Vec<&Memory> = written.collect();
        (*self.rng.pick(&written)).clone()
    }

    fn soup_store(&mut self, soup: &mut Soup, counters: &[Counter]) {
        let memory = self.written_memory(soup);
        let places = self.soup_places(soup, counters, &memory);
        let value = self.soup_value(soup);
        self.line(format!(
            "memref.store {value}, {}[{places}] : {}",
            memory.name, memory.ty
        ));
    }

    /// An element that is read and written, and perhaps read again.
    fn soup_update(&mut self, soup: &mut Soup, counters: &[Counter]) {
        let memory = self.written_memory(soup);
        let mut places = self.soup_places(soup, counters, &memory);
        if self.rng.chance(15) {
            let zero = self.index(0);
            places = vec![zero; memory.sizes.len()].join(", ");
        }
        let load = |t: &mut Self| {
            t.def(format!(
                "memref.load {}[{places}] : {}",
                memory.name, memory.ty
            ))
        };
        let old = load(self);
        let value = self.soup_value(soup);
        let new = self.mixed(&old, &value, soup.elem);
        self.line(format!(
            "memref.store {new}, {}[{places}] : {}",
            memory.name, memory.ty
        ));
        if self.rng.chance(40) {
            if self.rng.chance(40) {
                self.soup_store(soup, counters);
            }
            let again = load(self);
            soup.values.push(again);
        }
    }

    /// A loop, perhaps with others inside.
    fn soup_loop(&mut self, soup: &mut Soup, counters: &[Counter]) {
        if counters.len() > 2 {
            return;
        }
        let mut end = *self.rng.pick(&soup.ends);
        while end * soup.repeats > MOST && end > 2 {
            end /= 2;
        }
        if end * soup.repeats > MOST {
            return;
        }
        let mut low = *self.rng.pick(&[0, 0, 0, 0, 1, 2]);
        let (mut from, mut to);
        let mut high = end - 1;
        match (self.rng.below(20), counters.last()) {
            // Bounds in the wrong order, so that it does not run.
            (0 | 1, _) => {
                from = self.opaque(end - 1);
                let before = *self.rng.pick(&[0, 1, 2, 3]);
                to = self.opaque(before);
                low = 0;
            }
            // A part that depends on the iteration around it.
            (2..4, Some(outer)) if outer.low >= 0 && outer.high < end => {
                from = outer.name.clone();
                to = self.index(end);
                low = outer.low;
            }
            (4 | 5, Some(outer)) if outer.low >= 0 && outer.high <= end => {
                from = self.index(0);
                to = outer.name.clone();
                low = 0;
                high = (outer.high - 1).max(0);
            }
            (6, Some(outer)) if outer.low >= 0 && outer.high < soup.places.2 => {
                from = self.index(0);
                let ty = format!("memref<{}xindex>", soup.places.2);
                to = self.def(format!("memref.load %places[{}] : {ty}", outer.name));
                low = 0;
                high = soup.places.1 - 1;
            }
            _ => {
                low = low.min(end - 1);
                from = self.index(low);
                to = self.number(end, 35);
                if self.rng.chance(10) {
                    from = self.opaque(low);
                }
            }
        }
        if self.rng.chance(3) {
            std::mem::swap(&mut from, &mut to);
        }
        let (one, number) = (self.index(1), self.fresh());
        let name = format!("%i{}", &number[1..]);
        let carries = counters.len() + 1 > 1 && self.rng.chance(35);
        let (elem, init) = (soup.elem, self.rng.pick(&soup.values).clone());
        let (result, carried) = (format!("%r{}", &number[1..]), format!("%a{}", &number[1..]));
        match carries {
            true => self.line(format!(
                "{result} = scf.for {name} = {from} to {to} step {one} iter_args({carried} = {init}) -> ({elem}) {{"
            )),
            false => self.line(format!("scf.for {name} = {from} to {to} step {one} {{")),
        }
        let mut inner = counters.to_vec();
        inner.push(Counter { name, low, high });
        let (n, before) = (soup.values.len(), soup.repeats);
        soup.repeats *= end.max(1);
        self.inside(|t| {
            for _ in 0..t.rng.range(1, 3) {
                t.soup_load(soup, &inner);
            }
            if t.rng.chance(30) {
                t.soup_statement(soup, &inner);
            }
            let wants_more = if soup.memory[0].sizes.len() == 2 {
                60
            } else {
                25
            };
            if inner.len() < 2 && t.rng.chance(wants_more) {
                t.soup_loop(soup, &inner);
            }
            if carries {
                let value = t.soup_value(soup);
                if t.rng.chance(40) {
                    t.soup_store(soup, &inner);
                }
                let value = t.mixed(&carried, &value, elem);
                t.line(format!("scf.yield {value} : {elem}"));
                return;
            }
            match t.rng.chance(45) {
                true => t.soup_update(soup, &inner),
                false => t.soup_store(soup, &inner),
            }
            if t.rng.chance(25) {
                t.soup_load(soup, &inner);
                t.soup_store(soup, &inner);
            }
        });
        self.line("}");
        soup.values.truncate(n);
        if carries {
            soup.values.push(result);
        }
        soup.repeats = before;
    }
}
