//! Loops of the forms that passes are made for, and those that miss them by one thing: rows that are copied, filled or
//! added to along a row, backwards or along a diagonal; products of matrices with rows in the wrong order; elements
//! that data choose, clamped in any way; buffers of which an iteration uses a part.

use super::Text;

impl Text {
    /// One of them.
    pub(super) fn near_nests(&mut self) {
        match self.rng.below(10) {
            0 | 1 => self.rows_for_library(),
            2 => self.jammed_products(),
            3 => self.gathered(),
            4 => self.parts_of_buffer(),
            5 | 6 => self.accesses_in_a_row(),
            7 => self.sums_of_counters(),
            _ => self.overlapping_rows(),
        }
    }

    /// A matrix whose elements differ.
    fn matrix(&mut self, rows: i64, columns: i64, elem: &str) -> (String, String) {
        let flat = self.numbered(rows * columns, elem);
        let ty = format!("memref<{rows}x{columns}x{elem}>");
        let matrix = self.def(format!(
            "memref.expand_shape {flat} [[0, 1]] output_shape [{rows}, {columns}] : memref<{}x{elem}> into {ty}",
            rows * columns
        ));
        (matrix, ty)
    }

    /// Long rows that are filled, copied or added to.
    fn rows_for_library(&mut self) {
        let elem = *self.rng.pick(&["f64", "i64", "f32", "f64"]);
        let n = *self.rng.pick(&[72, 64, 130]);
        let n = if elem == "f32" { 2 * n } else { n };
        let m = *self.rng.pick(&[n, 4, 3]);
        let rank = if m == n && n > 80 {
            1
        } else {
            *self.rng.pick(&[1, 2])
        };
        let mut arrays = Vec::new();
        for _ in 0..2 {
            arrays.push(match rank {
                1 => (self.numbered(n, elem), format!("memref<{n}x{elem}>")),
                _ => self.matrix(m, n, elem),
            });
        }
        let kind = if elem.starts_with('f') {
            self.rng.below(3)
        } else {
            self.rng.below(2)
        };
        let filler = self.constant(elem);
        let nested = rank == 2 && self.rng.chance(50);
        let end = *self.rng.pick(&[n, n, n - 2, n - 1]);
        let diagonal = rank == 2 && !nested && m == n && self.rng.chance(60);
        let end = if rank == 2 && !nested { n } else { end };
        let shapes: Vec<usize> = (0..3).map(|_| self.rng.below(6)).collect();
        let same = self.rng.chance(50);
        let row = self.index(0);
        let inner = |t: &mut Self, i: &str, row: &str| {
            let place = |t: &mut Self, shape: usize| {
                let last = match shape {
                    0 => {
                        let from = t.index(end - 1);
                        t.def(format!("arith.subi {from}, {i} : index"))
                    }
                    1 if end < n => {
                        let one = t.index(1);
                        t.def(format!("arith.addi {i}, {one} : index"))
                    }
                    _ => i.to_owned(),
                };
                match rank {
                    1 => last,
                    _ if diagonal => format!("{i}, {last}"),
                    _ => format!("{row}, {last}"),
                }
            };
            let to = place(t, shapes[0]);
            let from = if same {
                to.clone()
            } else {
                place(t, shapes[1])
            };
            let mut value = filler.clone();
            let [(source, ty), (target, _)] = [&arrays[0], &arrays[1]];
            if kind > 0 {
                value = t.def(format!("memref.load {source}[{from}] : {ty}"));
            }
            if kind == 2 {
                let old = t.def(format!("memref.load {target}[{to}] : {ty}"));
                let product = t.def(format!("arith.mulf {value}, {filler} : {elem}"));
                value = t.def(format!("arith.addf {product}, {old} : {elem}"));
            }
            t.line(format!("memref.store {value}, {target}[{to}] : {ty}"));
        };
        let (zero, stop) = (self.index(0), self.number(end, 30));
        if nested {
            let last = *self.rng.pick(&[m, m, m - 1]);
            let rows = self.index(last.min(6));
            let from = self.index(0);
            self.for_loop(&zero, &rows, |t, r| {
                t.for_loop(&from, &stop, |t, i| inner(t, i, r));
            });
        } else {
            self.for_loop(&zero, &stop, |t, i| inner(t, i, &row));
        }
        self.results.extend(arrays);
        self.pipelines
            .push("convert-loops-to-library-calls".to_owned());
        self.pipelines
            .push("canonicalize,convert-loops-to-library-calls".to_owned());
    }

    /// Sums of products of rows, with bounds that may be in the wrong order, in one loop and in all.
    fn jammed_products(&mut self) {
        let elem = *self.rng.pick(&["f32", "f64", "i32"]);
        let (n, m) = (
            *self.rng.pick(&[16, 12, 9, 24]),
            *self.rng.pick(&[8, 16, 9]),
        );
        let (matrix, matrix_ty) = self.matrix(n, m, elem);
        let vector = self.numbered(m, elem);
        let sums = self.numbered(n, elem);
        let (mut low, mut high) = (self.rng.below(4) as i64, n - self.rng.below(4) as i64);
        let is_empty = self.rng.chance(45);
        if is_empty {
            std::mem::swap(&mut low, &mut high);
            high += self.rng.below(4) as i64;
            low = (low - 1).max(high);
        }
        let percent = if is_empty { 90 } else { 40 };
        let (from, to) = (self.number(low, percent), self.number(high, percent));
        let (zero, end) = (self.index(0), self.number(m, 30));
        let in_memory = self.rng.chance(50);
        let is_float = elem.starts_with('f');
        let (mul, add) = if is_float {
            ("mulf", "addf")
        } else {
            ("muli", "addi")
        };
        let (vector_ty, sums_ty) = (format!("memref<{m}x{elem}>"), format!("memref<{n}x{elem}>"));
        let init = self.constant(elem);
        self.for_loop(&from, &to, |t, i| {
            let product = |t: &mut Self, j: &str| {
                let x = t.def(format!("memref.load {matrix}[{i}, {j}] : {matrix_ty}"));
                let y = t.def(format!("memref.load {vector}[{j}] : {vector_ty}"));
                t.def(format!("arith.{mul} {x}, {y} : {elem}"))
            };
            if in_memory {
                t.for_loop(&zero, &end, |t, j| {
                    let value = product(t, j);
                    let old = t.def(format!("memref.load {sums}[{i}] : {sums_ty}"));
                    let new = t.def(format!("arith.{add} {old}, {value} : {elem}"));
                    t.line(format!("memref.store {new}, {sums}[{i}] : {sums_ty}"));
                });
                return;
            }
            let (one, number) = (t.index(1), t.fresh());
            let [j, old, sum] = ["i", "a", "w"].map(|letter| format!("%{letter}{}", &number[1..]));
            t.line(format!(
                "{sum} = scf.for {j} = {zero} to {end} step {one} iter_args({old} = {init}) -> ({elem}) {{"
            ));
            t.inside(|t| {
                let value = product(t, &j);
                let new = t.def(format!("arith.{add} {old}, {value} : {elem}"));
                t.line(format!("scf.yield {new} : {elem}"));
            });
            t.line("}");
            t.line(format!("memref.store {sum}, {sums}[{i}] : {sums_ty}"));
        });
        self.results.push((sums, sums_ty));
        for _ in 0..2 {
            let pass = *self.rng.pick(&[
                "unroll-and-jam-loops",
                "vectorize-loops",
                "interchange-loops",
            ]);
            self.pipelines.push(pass.to_owned());
        }
    }

    /// Elements of a row, of a reversed one or of a column, at places that 32 bits say, and a clamp.
    fn gathered(&mut self) {
        let elem = *self.rng.pick(&["f32", "i32", "f64", "f32"]);
        let (n, m) = (
            *self.rng.pick(&[32, 40, 64, 17]),
            *self.rng.pick(&[16, 24, 9]),
        );
        let numbers: Vec<String> = (0..n)
            .map(|_| match self.rng.chance(85) {
                true => self.rng.below(m as usize).to_string(),
                false => (*self
                    .rng
                    .pick(&["-1", "-7", "2147483647", "-2147483648", "40"]))
                .to_owned(),
            })
            .collect();
        self.globals += &format!(
            "memref.global \"private\" @places : memref<{n}xi32> = dense<[{}]>\n",
            numbers.join(", ")
        );
        self.line(format!(
            "%places = memref.get_global @places : memref<{n}xi32>"
        ));
        let base = self.numbered(2 * m, elem);
        let (ty, offset, stride) = match self.rng.below(4) {
            0 => (
                format!("memref<{m}x{elem}, strided<[-1], offset: {}>>", m - 1),
                m - 1,
                -1,
            ),
            1 => (format!("memref<{m}x{elem}, strided<[2]>>"), 0, 2),
            2 => (
                format!("memref<{m}x{elem}, strided<[-2], offset: {}>>", 2 * m - 2),
                2 * m - 2,
                -2,
            ),
            _ => (format!("memref<{m}x{elem}, strided<[1], offset: 1>>"), 1, 1),
        };
        let view = self.def(format!(
            "memref.reinterpret_cast {base} to offset: [{offset}], sizes: [{m}], strides: [{stride}] : memref<{}x{elem}> to {ty}",
            2 * m
        ));
        let (cast, clamp) = (
            *self.rng.pick(&["index_cast", "index_castui"]),
            self.rng.below(4),
        );
        let target_ty = format!("memref<{n}x{elem}>");
        let target = self.def(format!("memref.alloc() : {target_ty}"));
        let twice = self.rng.chance(40);
        let (zero, end) = (self.index(0), self.number(n, 40));
        let (least, most) = (self.index(0), self.index(m - 1));
        self.for_loop(&zero, &end, |t, i| {
            let number = t.def(format!("memref.load %places[{i}] : memref<{n}xi32>"));
            let index = t.def(format!("arith.{cast} {number} : i32 to index"));
            let place = match clamp {
                0 => t.def(format!("arith.minui {index}, {most} : index")),
                1 => {
                    let low = t.def(format!("arith.maxsi {index}, {least} : index"));
                    t.def(format!("arith.minsi {low}, {most} : index"))
                }
                2 => {
                    let high = t.def(format!("arith.minsi {index}, {most} : index"));
                    t.def(format!("arith.maxsi {high}, {least} : index"))
                }
                _ => {
                    let low = t.def(format!("arith.maxsi {least}, {index} : index"));
                    t.def(format!("arith.minui {most}, {low} : index"))
                }
            };
            let mut value = t.def(format!("memref.load {view}[{place}] : {ty}"));
            if twice {
                let other = t.def(format!("memref.load {view}[{place}] : {ty}"));
                value = t.mixed(&value, &other, elem);
            }
            let more = t.constant(elem);
            let value = t.mixed(&value, &more, elem);
            t.line(format!("memref.store {value}, {target}[{i}] : {target_ty}"));
        });
        self.results.push((target, target_ty));
        self.pipelines
            .push("vectorize-loops{vector-bits=256}".to_owned());
        self.pipelines
            .push("canonicalize,vectorize-loops{vector-bits=512}".to_owned());
    }

    /// A buffer of which an iteration writes some elements and reads some, perhaps those that the one before wrote.
    fn parts_of_buffer(&mut self) {
        let elem = *self.rng.pick(&["i32", "f32", "i64"]);
        let (n, step) = (24, *self.rng.pick(&[1, 2, 2, 3, 4]));
        let room = n + 8;
        let ty = format!("memref<{room}x{elem}>");
        let part = self.def(format!("memref.alloc() : {ty}"));
        let kept = self.numbered(room, elem);
        let width = *self.rng.pick(&[step, step, step + 1, step - 1, 1]).max(&1);
        // What the iteration before left is read from its end.
        let behind = self.rng.chance(40);
        let (zero, end, by) = (self.index(0), self.number(n, 30), self.index(step));
        let number = self.fresh();
        let i = format!("%i{}", &number[1..]);
        self.line(format!("scf.for {i} = {zero} to {end} step {by} {{"));
        self.inside(|t| {
            let at = |t: &mut Self, by: i64| match by {
                0 => i.clone(),
                _ => {
                    let by = t.index(by);
                    t.def(format!("arith.addi {i}, {by} : index"))
                }
            };
            let is_first = t.def(format!("arith.cmpi eq, {i}, {zero} : index"));
            let mut values = Vec::new();
            if behind {
                let place = at(t, 0);
                let old = t.def(format!("memref.load {part}[{place}] : {ty}"));
                let constant = t.constant(elem);
                values.push(t.def(format!(
                    "arith.select {is_first}, {constant}, {old} : {elem}"
                )));
            }
            let first = if behind { step } else { 0 };
            for offset in 0..width {
                let place = at(t, offset);
                let x = t.def(format!("memref.load {kept}[{place}] : {ty}"));
                let more = t.constant(elem);
                let x = t.mixed(&x, &more, elem);
                let place = at(t, (first + offset).min(7));
                t.line(format!("memref.store {x}, {part}[{place}] : {ty}"));
            }
            for offset in 0..t.rng.range(1, width as usize) as i64 {
                let place = at(t, (first + offset).min(7));
                values.push(t.def(format!("memref.load {part}[{place}] : {ty}")));
            }
            let mut sum = values[0].clone();
            for value in &values[1..] {
                sum = t.mixed(&sum, value, elem);
            }
            t.line(format!("memref.store {sum}, {kept}[{i}] : {ty}"));
        });
        self.line("}");
        self.results.push((kept, ty));
        self.pipelines.push("contract-buffers".to_owned());
        self.pipelines
            .push("buffer-deallocation-pipeline,contract-buffers".to_owned());
    }

    /// Loads and stores one behind the other, of one buffer, or of one and what may be it, with loops that read between
    /// them.
    fn accesses_in_a_row(&mut self) {
        let elem = *self.rng.pick(&["i32", "f32", "i64"]);
        let n = *self.rng.pick(&[16, 17, 24, 33]);
        let ty = format!("memref<{n}x{elem}>");
        let (a, b) = (self.numbered(n, elem), self.numbered(n, elem));
        let mut names = vec![a.clone()];
        if self.rng.chance(60) {
            self.buffers_flow = true;
            let number = self.rng.below(9) as i64;
            let (x, y) = (self.opaque(number), self.index(4));
            let c = self.def(format!("arith.cmpi slt, {x}, {y} : index"));
            let (first, second) = if self.rng.chance(50) {
                (&a, &b)
            } else {
                (&b, &a)
            };
            names.push(self.def(format!("arith.select {c}, {first}, {second} : {ty}")));
        }
        let kept = self.numbered(n, elem);
        let mut end = n - 3;
        let last = end - 1 + self.rng.below(2) as i64;
        let fixed = self.rng.chance(30);
        if self.rng.chance(30) {
            end = n / 2;
        }
        let (from, to) = (self.index(1), self.number(end, 30));
        let one_place = *self.rng.pick(&[0, 0, 1, n - 1]);
        self.for_loop(&from, &to, |t, i| {
            let mut values = vec![t.constant(elem)];
            let (one, last) = (t.index(1), t.index(last));
            let mut places = vec![i.to_owned()];
            places.push(t.def(format!("arith.subi {last}, {i} : index")));
            if t.rng.chance(40) {
                places.push(t.def(format!("arith.addi {i}, {one} : index")));
            }
            if t.rng.chance(20) {
                places.push(t.def(format!("arith.subi {i}, {one} : index")));
            }
            if fixed {
                let place = t.index(one_place);
                places = vec![place];
                if t.rng.chance(40) {
                    places.push(i.to_owned());
                }
            }
            for _ in 0..t.rng.range(3, 6) {
                let (name, place) = (t.rng.pick(&names).clone(), t.rng.pick(&places).clone());
                match t.rng.below(7) {
                    0..3 => values.push(t.def(format!("memref.load {name}[{place}] : {ty}"))),
                    3 => {
                        // All of them.
                        let (zero, stop) = (t.index(0), t.index(n));
                        let init = values[0].clone();
                        let number = t.fresh();
                        let [j, old, sum] = ["i", "a", "w"].map(|letter| format!("%{letter}{}", &number[1..]));
                        t.line(format!(
                            "{sum} = scf.for {j} = {zero} to {stop} step {one} iter_args({old} = {init}) -> ({elem}) {{"
                        ));
                        t.inside(|t| {
                            let x = t.def(format!("memref.load {name}[{j}] : {ty}"));
                            let next = t.mixed(&old, &x, elem);
                            t.line(format!("scf.yield {next} : {elem}"));
                        });
                        t.line("}");
                        values.push(sum);
                    }
                    _ => {
                        let (x, y) = (values[values.len() - 1].clone(), t.rng.pick(&values).clone());
                        let mut value = t.mixed(&x, &y, elem);
                        // Each store is another one.
                        let more = t.constant(elem);
                        value = t.mixed(&value, &more, elem);
                        t.line(format!("memref.store {value}, {name}[{place}] : {ty}"));
                        values.push(value);
                    }
                }
            }
            let name = t.rng.pick(&names).clone();
            let place = t.rng.pick(&places).clone();
            let x = t.def(format!("memref.load {name}[{place}] : {ty}"));
            let y = t.rng.pick(&values).clone();
            let value = t.mixed(&x, &y, elem);
            t.line(format!("memref.store {value}, {kept}[{i}] : {ty}"));
        });
        for name in [a, b, kept] {
            self.results.push((name, ty.clone()));
        }
        for _ in 0..2 {
            let pass = *self.rng.pick(&[
                "forward-stores",
                "hoist-loop-loads",
                "promote-loop-accesses",
                "vectorize-loops",
                "forward-stores",
            ]);
            self.pipelines.push(pass.to_owned());
        }
    }

    /// Elements at sums of counters, or of counters and numbers from data, that several iterations add to.
    fn sums_of_counters(&mut self) {
        let elem = *self.rng.pick(&["f32", "i32", "f64"]);
        let (n, m) = (*self.rng.pick(&[16, 17, 24]), *self.rng.pick(&[4, 8, 5]));
        let room = n + m;
        let numbers: Vec<String> = (0..m)
            .map(|_| self.rng.below(m as usize).to_string())
            .collect();
        self.globals += &format!(
            "memref.global \"private\" @places : memref<{m}xindex> = dense<[{}]>\n",
            numbers.join(", ")
        );
        self.line(format!(
            "%places = memref.get_global @places : memref<{m}xindex>"
        ));
        let (x, y, sums) = (
            self.numbered(n, elem),
            self.numbered(m, elem),
            self.numbered(room, elem),
        );
        let (x_ty, y_ty, sums_ty) = (
            format!("memref<{n}x{elem}>"),
            format!("memref<{m}x{elem}>"),
            format!("memref<{room}x{elem}>"),
        );
        let kind = self.rng.below(4);
        let turned = self.rng.chance(30);
        let suffix = if elem == "i32" { "i" } else { "f" };
        let zero = self.index(0);
        let ends = [self.number(n, 30), self.number(m, 30)];
        let body = |t: &mut Self, i: &str, j: &str| {
            let place = match kind {
                0 => t.def(format!("arith.addi {i}, {j} : index")),
                1 => {
                    let place = t.def(format!("memref.load %places[{j}] : memref<{m}xindex>"));
                    t.def(format!("arith.addi {i}, {place} : index"))
                }
                2 => {
                    let last = t.index(m - 1);
                    let less = t.def(format!("arith.subi {last}, {j} : index"));
                    t.def(format!("arith.addi {less}, {i} : index"))
                }
                _ => t.def(format!("memref.load %places[{j}] : memref<{m}xindex>")),
            };
            let a = t.def(format!("memref.load {x}[{i}] : {x_ty}"));
            let b = t.def(format!("memref.load {y}[{j}] : {y_ty}"));
            let product = t.def(format!("arith.mul{suffix} {a}, {b} : {elem}"));
            let old = t.def(format!("memref.load {sums}[{place}] : {sums_ty}"));
            let half = t.constant(elem);
            let old = if t.rng.chance(50) {
                t.def(format!("arith.mul{suffix} {old}, {half} : {elem}"))
            } else {
                old
            };
            let new = t.def(format!("arith.add{suffix} {old}, {product} : {elem}"));
            t.line(format!("memref.store {new}, {sums}[{place}] : {sums_ty}"));
        };
        match turned {
            false => self.for_loop(&zero, &ends[0], |t, i| {
                t.for_loop(&zero, &ends[1], |t, j| body(t, i, j));
            }),
            true => self.for_loop(&zero, &ends[1], |t, j| {
                t.for_loop(&zero, &ends[0], |t, i| body(t, i, j));
            }),
        }
        self.results.push((sums, sums_ty));
        for _ in 0..2 {
            let pass = *self.rng.pick(&[
                "vectorize-loops",
                "vectorize-loops{vector-bits=256}",
                "unroll-and-jam-loops",
                "interchange-loops",
            ]);
            self.pipelines.push(pass.to_owned());
        }
    }

    /// A nest over rows of which the next one begins within the last one, or one element behind it.
    fn overlapping_rows(&mut self) {
        let elem = *self.rng.pick(&["f32", "i32", "f64", "i64"]);
        let (rows, columns) = (
            *self.rng.pick(&[8, 9, 16, 4]),
            *self.rng.pick(&[8, 9, 16, 5]),
        );
        let stride = *self.rng.pick(&[
            columns - 1,
            columns - 1,
            columns - 1,
            1,
            2,
            columns,
            columns + 1,
        ]);
        let room = (rows + 1) * stride + columns + 1;
        let base = self.numbered(room, elem);
        let ty = format!("memref<{rows}x{columns}x{elem}, strided<[{stride}, 1]>>");
        let view = self.def(format!(
            "memref.reinterpret_cast {base} to offset: [0], sizes: [{rows}, {columns}], strides: [{stride}, 1] : memref<{room}x{elem}> to {ty}"
        ));
        let other = self.numbered(columns.max(rows), elem);
        let other_ty = format!("memref<{}x{elem}>", columns.max(rows));
        let suffix = if elem.starts_with('i') { "i" } else { "f" };
        let kind = self.rng.below(4);
        let zero = self.index(0);
        let (turned, reads_other_row) = (self.rng.chance(50), self.rng.chance(35));
        let more_rows = self.index(rows - if reads_other_row { 1 } else { 0 });
        let all_columns = self.number(columns, 20);
        let (i_first, by_row) = (!turned, self.rng.chance(50));
        let body = |t: &mut Self, i: &str, j: &str| {
            let x = t.def(format!(
                "memref.load {other}[{}] : {other_ty}",
                if by_row { i } else { j }
            ));
            let mut read = i.to_owned();
            if reads_other_row {
                let one = t.index(1);
                read = match kind {
                    0 => one,
                    _ => t.def(format!("arith.addi {i}, {one} : index")),
                };
            }
            let old = t.def(format!("memref.load {view}[{read}, {j}] : {ty}"));
            let by = t.constant(elem);
            let new = match kind {
                0 | 1 => {
                    let scaled = t.def(format!("arith.mul{suffix} {old}, {by} : {elem}"));
                    t.def(format!("arith.add{suffix} {scaled}, {x} : {elem}"))
                }
                _ => t.mixed(&old, &x, elem),
            };
            t.line(format!("memref.store {new}, {view}[{i}, {j}] : {ty}"));
        };
        match i_first {
            true => self.for_loop(&zero, &more_rows, |t, i| {
                t.for_loop(&zero, &all_columns, |t, j| body(t, i, j));
            }),
            false => self.for_loop(&zero, &all_columns, |t, j| {
                t.for_loop(&zero, &more_rows, |t, i| body(t, i, j));
            }),
        }
        self.results.push((base, format!("memref<{room}x{elem}>")));
        for _ in 0..2 {
            let pass = *self.rng.pick(&[
                "interchange-loops",
                "vectorize-loops",
                "unroll-and-jam-loops",
                "parallelize-loops{min-work=1}",
                "vectorize-loops{vector-bits=256}",
            ]);
            self.pipelines.push(pass.to_owned());
        }
    }
}
