//! Loops that passes look at before they go ahead, from both sides: over buffers that may be one, layouts whose rows share
//! elements or go backwards, bounds that depend on counters or are in the wrong order, rows that are gone through in part.

use freehold::frontend::ir::types::FloatKind;

use super::build::{Gen, Value};
use super::long::MOST;
use super::types::{Dim, Elem, Mem, Ty};

/// A buffer by its name and type, which nothing else knows.
#[derive(Clone)]
pub(super) struct View {
    pub(super) name: String,
    pub(super) ty: String,
}

impl Gen<'_> {
    /// One of these.
    pub(super) fn edge_statement(&mut self) {
        if self.parallel.is_some() || self.repeats > 4 {
            return self.small_edge();
        }
        self.loop_passes();
        match self.rng.below(20) {
            0 | 1 => self.one_of_two(),
            2 | 3 => self.shared_rows(),
            4 => self.backwards(),
            5 | 6 => self.triangle(),
            7 => self.empty_loop(),
            8 => self.rows_in_part(),
            9..12 => self.new_or_global(),
            12 | 13 => self.variable(),
            14 | 15 => self.down_columns(),
            16 => self.over_threads(),
            17 => self.crossed(),
            _ => self.small_edge(),
        }
    }

    pub(super) fn load_from(&mut self, view: &View, elem: Elem, at: &[String]) -> String {
        let text = format!("memref.load {}[{}] : {}", view.name, at.join(", "), view.ty);
        self.define(Ty::Scalar(elem), text).name
    }

    pub(super) fn store_to(&mut self, value: &str, view: &View, at: &[String]) {
        let (name, ty) = (&view.name, &view.ty);
        self.line(format!(
            "memref.store {value}, {name}[{}] : {ty}",
            at.join(", ")
        ));
    }

    /// `scf.for` between two numbers, the second one of which may be less.
    fn between(&mut self, from: &str, to: &str, last: i64, body: impl FnOnce(&mut Self, &str)) {
        let (counter, one) = (self.fresh(), self.index(1).name);
        self.line(format!("scf.for {counter} = {from} to {to} step {one} {{"));
        self.scope(|g| {
            g.counter(&counter, (0, last), false);
            body(g, &counter);
        });
        self.line("}");
    }

    fn plus(&mut self, index: &str, number: i64, most: i64) -> String {
        let number = self.index(number).name;
        self.define_index((0, most), format!("arith.addi {index}, {number} : index"))
            .name
    }

    fn less(&mut self, number: i64, index: &str) -> String {
        let end = self.index(number).name;
        self.define_index((0, number), format!("arith.subi {end}, {index} : index"))
            .name
    }

    /// A buffer that is one of two, and a loop that reads and writes it and one of these.
    fn one_of_two(&mut self) {
        let n = self.long_size();
        if n * self.repeats > MOST {
            return;
        }
        let elem = self.lane_elem();
        let mem = Mem::new(vec![Dim::fixed(n + 3)], elem);
        let (a, b) = (self.allocated(mem.clone()), self.allocated(mem));
        let (name, ty) = (self.fresh(), a.ty.text());
        let condition = self.value_of(&Ty::BOOL);
        self.line(format!(
            "{name} = arith.select {condition}, {}, {} : {ty}",
            a.name, b.name
        ));
        self.buffers_flow = true;
        let chosen = self.value(name, a.ty.clone());
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[n], |g, at| {
            let place = g.plus(&at[0], 1, n);
            let places = [at[0].clone(), at[0].clone(), place, g.index(2).name];
            let read = places[g.rng.below(4)].clone();
            let first = if g.rng.chance(50) { &chosen } else { &a };
            g.load_at(first, &[read]);
            for _ in 0..g.rng.range(2, 4) {
                let buffer = if g.rng.chance(50) { &a } else { &chosen };
                let place = places[g.rng.below(4)].clone();
                match g.rng.chance(40) {
                    true => g.load_at(buffer, &[place]),
                    false => {
                        let value = g.value_of(&Ty::Scalar(elem));
                        g.store_at(&value, buffer, &[place]);
                    }
                }
            }
            let value = g.computed(elem);
            g.store_at(&value, &a, &[places[0].clone()]);
        });
        self.repeats = before;
        self.values.push(chosen);
    }

    /// Rows of which the next one begins within the last one, or one or two elements behind it.
    fn shared_rows(&mut self) {
        let rows = *self.rng.pick(&[4, 8, 9, 16, 3]);
        let columns = *self.rng.pick(&[4, 8, 16, 17, 5]);
        if rows * columns * self.repeats > MOST {
            return;
        }
        let stride = *self
            .rng
            .pick(&[columns - 1, 1, columns, columns - 2, columns + 1]);
        let offset = self.rng.below(3) as i64;
        let elem = self.lane_elem();
        let n = offset + (rows - 1) * stride + columns;
        let base = self.allocated(Mem::new(vec![Dim::fixed(n)], elem));
        let view = View {
            name: self.fresh(),
            ty: format!(
                "memref<{rows}x{columns}x{}, strided<[{stride}, 1], offset: {offset}>>",
                elem.text()
            ),
        };
        self.line(format!(
            "{} = memref.reinterpret_cast {} to offset: [{offset}], sizes: [{rows}, {columns}], strides: [{stride}, 1] : {} to {}",
            view.name,
            base.name,
            base.ty.text(),
            view.ty
        ));
        let transposed = self.rng.chance(30);
        let ends = if transposed {
            [columns, rows]
        } else {
            [rows, columns]
        };
        let before = self.repeats;
        self.repeats *= rows * columns;
        self.nest(&ends, |g, at| {
            let (i, j) = match transposed {
                true => (at[1].clone(), at[0].clone()),
                false => (at[0].clone(), at[1].clone()),
            };
            for _ in 0..g.rng.range(1, 2) {
                let row = match g.rng.below(4) {
                    0 => g.less(rows - 1, &i),
                    1 => g.index(rows - 1).name,
                    _ => i.clone(),
                };
                let column = match g.rng.below(4) {
                    0 => g.less(columns - 1, &j),
                    1 => g.index(0).name,
                    _ => j.clone(),
                };
                g.load_from(&view, elem, &[row, column]);
            }
            let value = g.computed(elem);
            g.store_to(&value, &view, &[i, j]);
        });
        self.repeats = before;
    }

    /// A row and its reverse, in a loop that reads one of them and writes the other.
    fn backwards(&mut self) {
        let n = self.long_size();
        if n * self.repeats > MOST {
            return;
        }
        let elem = self.lane_elem();
        let base = self.allocated(Mem::new(vec![Dim::fixed(n)], elem));
        let (last, text) = (n - 1, elem.text());
        let view = View {
            name: self.fresh(),
            ty: format!("memref<{n}x{text}, strided<[-1], offset: {last}>>"),
        };
        let plain = View {
            name: base.name.clone(),
            ty: base.ty.text(),
        };
        self.line(format!(
            "{} = memref.reinterpret_cast {} to offset: [{last}], sizes: [{n}], strides: [-1] : {} to {}",
            view.name, plain.name, plain.ty, view.ty
        ));
        let other = self.allocated(Mem::new(vec![Dim::fixed(n)], elem));
        let other = View {
            name: other.name,
            ty: other.ty.text(),
        };
        let views = [&view, &plain, &other];
        let target = views[self.rng.below(3)];
        let source = views[self.rng.below(2)];
        let places = (self.rng.chance(50)).then(|| self.places_below(n));
        let m = if self.rng.chance(50) { n } else { n / 2 };
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[m], |g, at| {
            let read = match &places {
                Some(places) => g.place_of(places, n, &at[0]),
                None if g.rng.chance(30) => g.less(n - 1, &at[0]),
                None => at[0].clone(),
            };
            g.load_from(source, elem, &[read]);
            let value = g.computed(elem);
            g.store_to(&value, target, &[at[0].clone()]);
        });
        self.repeats = before;
    }

    /// Sums over a part of each row that depends on its number.
    fn triangle(&mut self) {
        let n = *self.rng.pick(&[4, 8, 9, 16, 12]);
        let times = *self.rng.pick(&[1, 1, 4, 3]);
        if n * n * times * self.repeats > MOST {
            return;
        }
        let elem = self.lane_elem();
        let vector = self.array(&[n], elem);
        let sums = self.target(&[times, n], elem, &[&vector]);
        let mut matrix = self.array(&[n, n], elem);
        let transposed = self.rng.chance(30);
        let in_order = self.rng.chance(60);
        let whole = self.rng.chance(30);
        if times == n || self.rng.chance(30) && sums.root != matrix.root {
            matrix = self.maybe(&matrix);
        }
        self.passes.insert("unroll-and-jam-loops");
        self.passes.insert("vectorize-loops");
        let scalar = Ty::Scalar(elem);
        let kind = self.rng.below(3);
        let in_memory = self.rng.chance(50);
        let before = self.repeats;
        self.repeats *= n * n * times;
        self.nest(&[times, n], |g, at| {
            let (zero, end) = (g.index(0).name, g.number(n).name);
            let next = g.plus(&at[1], 1, n);
            let (from, to) = match kind {
                _ if whole => (zero, end),
                0 => (zero, next),
                1 => (at[1].clone(), end),
                _ => (next, end),
            };
            let product = |g: &mut Self, j: &str| {
                let row = [at[1].clone(), j.to_owned()];
                let place = match transposed {
                    true => [row[1].clone(), row[0].clone()],
                    false => row,
                };
                g.load_at(&matrix, &place);
                let x = g.last_name();
                g.load_at(&vector, &[j.to_owned()]);
                let y = g.last_name();
                match in_order {
                    true => g.product(&x, &y, elem),
                    false => {
                        let (a, b) = (g.value_of(&scalar), g.value_of(&scalar));
                        g.combined(&a, &b, elem)
                    }
                }
            };
            if in_memory {
                g.between(&from, &to, n - 1, |g, j| {
                    let value = product(g, j);
                    g.load_at(&sums, at);
                    let old = g.last_name();
                    let value = match in_order {
                        true => g.added(&old, &value, elem),
                        false => g.combined(&old, &value, elem),
                    };
                    g.store_at(&value, &sums, at);
                });
                return;
            }
            let init = g.value_of(&scalar);
            let (sum, old, counter, one) = (g.fresh(), g.fresh(), g.fresh(), g.index(1).name);
            let ty = scalar.text();
            g.line(format!(
                "{sum} = scf.for {counter} = {from} to {to} step {one} iter_args({old} = {init}) -> ({ty}) {{"
            ));
            g.scope(|g| {
                g.counter(&counter, (0, n - 1), false);
                let value = product(g, &counter);
                let value = match in_order {
                    true => g.added(&old, &value, elem),
                    false => g.combined(&old, &value, elem),
                };
                g.line(format!("scf.yield {value} : {ty}"));
            });
            g.line("}");
            g.store_at(&sum, &sums, at);
        });
        self.repeats = before;
    }

    /// A loop from a number to a smaller one, alone or around another loop.
    fn empty_loop(&mut self) {
        let elem = self.lane_elem();
        let n = *self.rng.pick(&[32, 48]);
        let m = *self.rng.pick(&[4, 8, 9]);
        let (from, to) = (self.rng.range(9, 30) as i64, self.rng.range(0, 9) as i64);
        let (from, to) = (self.opaque(from).name, self.opaque(to).name);
        if n * m * self.repeats > MOST {
            return;
        }
        let source = self.array(&[m], elem);
        let nested = self.rng.chance(50);
        let sizes = if nested { vec![n, m] } else { vec![n] };
        let target = self.target(&sizes, elem, &[&source]);
        let inner = self.number(m).name;
        self.between(&from, &to, n - 1, |g, i| {
            if !nested {
                let value = g.computed(elem);
                return g.store_at(&value, &target, &[i.to_owned()]);
            }
            let zero = g.index(0).name;
            let sums = g.rng.chance(50);
            g.between(&zero, &inner, m - 1, |g, j| {
                g.load_at(&source, &[j.to_owned()]);
                let at = match sums {
                    true => [i.to_owned(), g.index(0).name],
                    false => [i.to_owned(), j.to_owned()],
                };
                g.load_at(&target, &at);
                let value = g.computed(elem);
                g.store_at(&value, &target, &at);
            });
        });
    }

    /// A matrix that is filled, copied or added to along its diagonal, or in a part of each row.
    fn rows_in_part(&mut self) {
        // Rows of 512 bytes are worth a call of the library.
        let is_wide = self.repeats == 1 && self.rng.chance(50);
        let diagonal = self.rng.chance(40);
        let n = *self
            .rng
            .pick(if is_wide { &[64, 72] } else { &[16, 24, 40] });
        let m = if is_wide && !diagonal { 6 } else { n };
        if n * m * self.repeats > 2 * MOST {
            return;
        }
        let elem = match is_wide {
            true => *self.rng.pick(&[Elem::Int(64), Elem::Float(FloatKind::F64)]),
            false => self.lane_elem(),
        };
        let source = self.array(&[m, n], elem);
        let target = self.target(&[m, n], elem, &[&source]);
        let scalar = Ty::Scalar(elem);
        let filler = self.value_of(&scalar);
        let kind = self.rng.below(3);
        let ends = match diagonal {
            true => vec![n],
            false => vec![
                *self.rng.pick(&[m, m - 3]),
                *self.rng.pick(&[n - 2, n / 2, n - 1]),
            ],
        };
        self.nest(&ends, |g, at| {
            let at = match diagonal {
                true => [at[0].clone(), at[0].clone()],
                false => [at[0].clone(), at[1].clone()],
            };
            let mut value = filler.clone();
            if kind > 0 {
                let text = format!(
                    "memref.load {}[{}] : {}",
                    source.name,
                    at.join(", "),
                    source.ty.text()
                );
                value = g.define(scalar.clone(), text).name;
            }
            if kind == 2 {
                let text = format!(
                    "memref.load {}[{}] : {}",
                    target.name,
                    at.join(", "),
                    target.ty.text()
                );
                let old = g.define(scalar.clone(), text).name;
                let product = g.product(&value, &filler, elem);
                value = g.added(&product, &old, elem);
            }
            g.store_at(&value, &target, &at);
        });
    }

    pub(super) fn last_name(&self) -> String {
        self.values
            .last()
            .map_or(String::new(), |value| value.name.clone())
    }

    pub(super) fn product(&mut self, x: &str, y: &str, elem: Elem) -> String {
        self.plain(["arith.mulf", "arith.muli", "complex.mul"], x, y, elem)
    }

    pub(super) fn added(&mut self, x: &str, y: &str, elem: Elem) -> String {
        self.plain(["arith.addf", "arith.addi", "complex.add"], x, y, elem)
    }

    fn plain(&mut self, names: [&str; 3], x: &str, y: &str, elem: Elem) -> String {
        let [of_floats, of_integers, of_complex] = names;
        let name = match elem {
            Elem::Float(_) => of_floats,
            Elem::Complex(_) => of_complex,
            _ => of_integers,
        };
        let ty = Ty::Scalar(elem);
        let text = format!("{name} {x}, {y} : {}", ty.text());
        self.define(ty, text).name
    }

    /// A buffer, or another one of its type.
    fn maybe(&mut self, buffer: &Value) -> Value {
        let Some(mem) = buffer.ty.as_mem().cloned() else {
            return buffer.clone();
        };
        let other = self.allocated(mem);
        let (name, ty) = (self.fresh(), buffer.ty.text());
        let condition = self.value_of(&Ty::BOOL);
        self.line(format!(
            "{name} = arith.select {condition}, {}, {} : {ty}",
            buffer.name, other.name
        ));
        self.buffers_flow = true;
        self.value(name, buffer.ty.clone())
    }

    /// Memory with numbers of which places below `n` are made: 32 bits of any of them.
    fn places_below(&mut self, n: i64) -> View {
        let numbers: Vec<String> = (0..n)
            .map(|_| match self.rng.chance(90) {
                true => self.rng.below(n as usize).to_string(),
                false => (*self.rng.pick(&["-1", "-7", "2147483647", "-2147483648"])).to_owned(),
            })
            .collect();
        let ty = format!("memref<{n}xi32>");
        let name = self.global(&ty, &format!("dense<[{}]>", numbers.join(", ")), false);
        let view = View {
            name: self.fresh(),
            ty,
        };
        self.line(format!(
            "{} = memref.get_global {name} : {}",
            view.name, view.ty
        ));
        view
    }

    /// One of these places.
    fn place_of(&mut self, places: &View, n: i64, at: &str) -> String {
        let number = self.load_from(places, Elem::Int(32), std::slice::from_ref(&at.to_owned()));
        let (zero, most) = (self.index(0).name, self.index(n - 1).name);
        let what = *self.rng.pick(&["index_cast", "index_castui"]);
        let index = self
            .define(Ty::INDEX, format!("arith.{what} {number} : i32 to index"))
            .name;
        let text = match self.rng.chance(50) {
            true => format!("arith.minui {index}, {most} : index"),
            false => {
                let low = self
                    .define(Ty::INDEX, format!("arith.minsi {index}, {most} : index"))
                    .name;
                format!("arith.maxsi {low}, {zero} : index")
            }
        };
        self.define_index((0, n - 1), text).name
    }

    /// Rows each of which a lane goes through, with elements read before and after they are written.
    fn down_columns(&mut self) {
        let (n, m) = (
            *self.rng.pick(&[8, 16, 17, 24]),
            *self.rng.pick(&[8, 16, 33, 9]),
        );
        if n * m * self.repeats > MOST {
            return;
        }
        let elem = match self.rng.chance(60) {
            true => Elem::Float(FloatKind::F32),
            false => self.lane_elem(),
        };
        let matrix = self.array(&[n, m], elem);
        if !self.can_write(&matrix) {
            return;
        }
        let sums = self.target(&[n], elem, &[&matrix]);
        let scalar = Ty::Scalar(elem);
        let ty = scalar.text();
        let order = self.rng.below(4);
        self.passes.insert("vectorize-loops");
        self.nest(&[n], |g, at| {
            let (zero, end, one) = (g.index(0).name, g.number(m).name, g.index(1).name);
            let init = g.value_of(&scalar);
            let (sum, old, j) = (g.fresh(), g.fresh(), g.fresh());
            g.line(format!(
                "{sum} = scf.for {j} = {zero} to {end} step {one} iter_args({old} = {init}) -> ({ty}) {{"
            ));
            g.scope(|g| {
                g.counter(&j, (0, m - 1), false);
                let place = [at[0].clone(), j.clone()];
                let mut value = old.clone();
                if order < 2 {
                    g.load_at(&matrix, &place);
                    let x = g.last_name();
                    value = g.added(&old, &x, elem);
                }
                if order > 0 {
                    g.store_at(&value, &matrix, &place);
                    if order > 1 {
                        g.load_at(&matrix, &place);
                        let x = g.last_name();
                        value = g.product(&value, &x, elem);
                    }
                }
                g.line(format!("scf.yield {value} : {ty}"));
            });
            g.line("}");
            g.store_at(&sum, &sums, &[at[0].clone()]);
        });
    }

    /// A nest whose inner loop goes down columns, with elements that other iterations write.
    fn crossed(&mut self) {
        let (n, m) = (*self.rng.pick(&[4, 8, 9]), *self.rng.pick(&[4, 8, 17]));
        if n * m * self.repeats > MOST {
            return;
        }
        self.passes.insert("interchange-loops");
        let elem = self.between_elem();
        let matrix = self.numbered(&[m + 2, n + 2], elem);
        let near = |g: &mut Self| g.rng.below(3) as i64;
        let places: Vec<[i64; 2]> = (0..3).map(|_| [near(self), near(self)]).collect();
        let n_reads = self.rng.range(1, 2);
        let before = self.repeats;
        self.repeats *= n * m;
        self.nest(&[n, m], |g, at| {
            let place = |g: &mut Self, [row, column]: [i64; 2]| {
                [g.plus(&at[1], row, m + 1), g.plus(&at[0], column, n + 1)]
            };
            let mut value = g.constant(&Ty::Scalar(elem)).name;
            for &from in &places[..n_reads] {
                let from = place(g, from);
                let loaded = g.load_from(&matrix, elem, &from);
                value = g.combined(&value, &loaded, elem);
            }
            let to = place(g, places[2]);
            g.store_to(&value, &matrix, &to);
        });
        self.repeats = before;
    }

    /// A parallel loop that threads share, with a rest.
    fn over_threads(&mut self) {
        let n = *self.rng.pick(&[67, 100, 333, 1000, 1999]);
        if n * self.repeats > MOST {
            return;
        }
        let elem = self.lane_elem();
        let source = self.array(&[n], elem);
        let target = self.target(&[n], elem, &[&source]);
        let (counter, zero, end, one) = (
            self.fresh(),
            self.index(0).name,
            self.number(n).name,
            self.index(1).name,
        );
        self.line(format!(
            "scf.parallel ({counter}) = ({zero}) to ({end}) step ({one}) {{"
        ));
        self.scope(|g| {
            g.counter(&counter, (0, n - 1), false);
            g.load_at(&source, std::slice::from_ref(&counter));
            let x = g.last_name();
            let y = g.constant(&Ty::Scalar(elem)).name;
            let value = g.added(&x, &y, elem);
            g.store_at(&value, &target, std::slice::from_ref(&counter));
        });
        self.line("}");
    }
}
