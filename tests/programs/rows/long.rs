//! Loops that are long enough for vectors and for threads: along rows and columns, along diagonals and backwards, with
//! elements that data choose, along rows of a few elements, with sums, and with iterations that depend on earlier ones. Loops next to each other go
//! over the same numbers, so that they fuse. Products that are large enough for kernels.

use freehold::frontend::ir::types::FloatKind;

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Mem, Ty};

/// How many times the innermost statements of a nest may run.
pub(super) const MOST: i64 = 2500;

/// Passes that loops over memory are for.
pub(super) const LOOP_PASSES: [&str; 10] = [
    "fuse-loops",
    "forward-stores",
    "hoist-loop-loads",
    "unroll-and-jam-loops",
    "vectorize-loops",
    "interchange-loops",
    "parallelize-loops{min-work=1}",
    "convert-loops-to-library-calls",
    "contract-buffers",
    "promote-loop-accesses",
];

impl Gen<'_> {
    /// A nest of loops, or some next to each other.
    pub(super) fn long_loops(&mut self) {
        if self.parallel.is_some() || self.repeats > 4 {
            return self.store_statement();
        }
        self.loop_passes();
        match self.rng.below(12) {
            0..4 => self.matrix_nest(),
            4..6 => self.recurrence(),
            6 => self.sum(),
            7..9 => self.short_rows(),
            _ => self.adjacent_loops(),
        }
    }

    /// Two of the passes that such loops are for.
    pub(super) fn loop_passes(&mut self) {
        for _ in 0..2 {
            self.passes.insert(*self.rng.pick(&LOOP_PASSES));
        }
    }

    pub(super) fn long_size(&mut self) -> i64 {
        *self.rng.pick(&[16, 17, 24, 31, 33, 40, 64, 67, 100, 8, 9])
    }

    /// What long loops go over.
    pub(super) fn lane_elem(&mut self) -> Elem {
        const MORE: [Elem; 10] = [
            Elem::Int(8),
            Elem::Int(16),
            Elem::Int(32),
            Elem::Int(64),
            Elem::Float(FloatKind::F64),
            Elem::Float(FloatKind::F16),
            Elem::Float(FloatKind::BF16),
            Elem::Complex(FloatKind::F32),
            Elem::Complex(FloatKind::F64),
            Elem::Index,
        ];
        match self.rng.chance(60) {
            true => self.elem(),
            false => *self.rng.pick(&MORE),
        }
    }

    /// What divides any integer: neither 0 nor -1, a constant or any.
    fn divisor(&mut self, scalar: &Ty, width: u32) -> String {
        let ty = scalar.text();
        let number = match self.rng.below(4) {
            0 | 1 if width < 8 => self.rng.range(2, 7) as i64,
            0 => 1 << self.rng.below(width.min(62) as usize - 2),
            1 if self.rng.chance(25) => i64::MIN >> (64 - width),
            1 => -(self.rng.range(2, 7) as i64),
            2 => self.rng.range(2, 7) as i64,
            _ => 2,
        };
        let number = self.define(scalar.clone(), format!("arith.constant {number} : {ty}"));
        if width < 8 || self.rng.chance(60) {
            return number.name;
        }
        let any = self.value_of(scalar);
        self.divisor_of(scalar, &any)
    }

    /// The same made of any number: odd and no sign, or even with the bit of 2.
    fn divisor_of(&mut self, scalar: &Ty, any: &str) -> String {
        let ty = scalar.text();
        let (what, by, bit) = *self.rng.pick(&[("shrui", 1, 1), ("andi", -2, 2)]);
        let [by, bit] =
            [by, bit].map(|n| self.define(scalar.clone(), format!("arith.constant {n} : {ty}")));
        let text = format!("arith.{what} {any}, {} : {ty}", by.name);
        let rounded = self.define(scalar.clone(), text).name;
        let text = format!("arith.ori {rounded}, {} : {ty}", bit.name);
        self.define(scalar.clone(), text).name
    }

    /// A buffer with these sizes, written, often one that is there.
    pub(super) fn array(&mut self, sizes: &[i64], elem: Elem) -> Value {
        let readable: Vec<String> = (self.values.iter())
            .filter(|value| self.can_read(value) && value.root != 0)
            .map(|value| value.name.clone())
            .collect();
        let found = self.pick(|value| {
            readable.contains(&value.name)
                && value.ty.as_mem().is_some_and(|mem| {
                    mem.elem == elem
                        && (mem.dims.iter().map(|dim| dim.size)).eq(sizes.iter().copied())
                })
        });
        match found {
            Some(found) if self.rng.chance(70) => found,
            _ => {
                let open = self.rng.chance(25);
                let dim = |&size: &i64| Dim {
                    size,
                    is_open: open && size <= 63,
                };
                let dims = sizes.iter().map(dim).collect();
                self.allocated(Mem::new(dims, elem))
            }
        }
    }

    /// One that is written, and none of these.
    pub(super) fn target(&mut self, sizes: &[i64], elem: Elem, others: &[&Value]) -> Value {
        let array = self.array(sizes, elem);
        let is_apart = others
            .iter()
            .all(|other| other.root != array.root && other.root != 0);
        match is_apart && self.can_write(&array) {
            true => array,
            false => {
                let dims = sizes.iter().map(|&size| Dim::fixed(size)).collect();
                self.allocated(Mem::new(dims, elem))
            }
        }
    }

    /// Numbers of the innermost body made of those that are given.
    pub(super) fn computed(&mut self, elem: Elem) -> String {
        for _ in 0..self.rng.range(0, 3) {
            match self.rng.chance(60) {
                true => self.lane_operation(),
                false => self.scalar_operation(),
            }
        }
        let scalar = Ty::Scalar(elem);
        match self.rng.chance(70) {
            true => {
                let (a, b) = (self.value_of(&scalar), self.value_of(&scalar));
                self.combined(&a, &b, elem)
            }
            false => self.value_of(&scalar),
        }
    }

    /// An operation that vectors have instructions for, on a number that was computed last, or a conversion of it.
    fn lane_operation(&mut self) {
        let found = self.pick(|value| {
            matches!(value.ty, Ty::Scalar(Elem::Int(width)) if width > 1 && width <= 64)
                || matches!(value.ty, Ty::Scalar(Elem::Float(_)))
                || matches!(
                    value.ty,
                    Ty::Scalar(Elem::Complex(FloatKind::F32 | FloatKind::F64))
                )
        });
        let Some(found) = found else { return };
        let (name, ty, elem) = (found.name, found.ty.text(), found.ty.elem());
        let scalar = found.ty;
        if self.rng.chance(30) {
            let to = self.lane_elem();
            return self.converted(&name, elem, to);
        }
        match elem {
            Elem::Complex(_) => self.complex_operation(&name, &scalar),
            Elem::Int(width) => match self.rng.below(8) {
                0..3 => {
                    let what = *self.rng.pick(&["shli", "shrui", "shrsi"]);
                    let amount = match self.rng.chance(50) {
                        true => {
                            let number = self.rng.below(width as usize);
                            self.define(scalar.clone(), format!("arith.constant {number} : {ty}"))
                        }
                        false => {
                            let any = self.value_of(&scalar);
                            let most = (width.next_power_of_two() / 2 - 1).min(width - 1);
                            let most = self
                                .define(scalar.clone(), format!("arith.constant {most} : {ty}"));
                            let text = format!("arith.andi {any}, {} : {ty}", most.name);
                            self.define(scalar.clone(), text)
                        }
                    };
                    self.define(
                        scalar,
                        format!("arith.{what} {name}, {} : {ty}", amount.name),
                    );
                }
                3 if self.rng.chance(30) => {
                    let what = *self.rng.pick(&["ctpop", "cttz", "ctlz"]);
                    self.define(scalar, format!("math.{what} {name} : {ty}"));
                }
                3 => {
                    let by = self.divisor(&scalar, width);
                    let what = *self
                        .rng
                        .pick(&["divsi", "divui", "remsi", "remui", "floordivsi"]);
                    self.define(scalar, format!("arith.{what} {name}, {by} : {ty}"));
                }
                _ => self.chosen(
                    &name,
                    &scalar,
                    "arith.cmpi",
                    &["slt", "ult", "eq", "sge", "ugt"],
                ),
            },
            Elem::Float(
                kind @ (FloatKind::F64 | FloatKind::F32 | FloatKind::F16 | FloatKind::BF16),
            ) if self.rng.chance(40) => self.function(&name, kind),
            _ => match self.rng.below(6) {
                0 => {
                    let what =
                        *self
                            .rng
                            .pick(&["absf", "floor", "ceil", "round", "roundeven", "trunc"]);
                    self.define(scalar, format!("math.{what} {name} : {ty}"));
                }
                4 if self.rng.chance(40) => {
                    let by = *self.rng.pick(&["2.0", "-0.5", "16.0", "1.5"]);
                    let by = self.define(scalar.clone(), format!("arith.constant {by} : {ty}"));
                    self.define(scalar, format!("arith.remf {name}, {} : {ty}", by.name));
                }
                3 if self.rng.chance(40) => {
                    let limit = *self.rng.pick(&["0.0", "-0.0", "1.0", "-1.0"]);
                    let limit =
                        self.define(scalar.clone(), format!("arith.constant {limit} : {ty}"));
                    let what = *self.rng.pick(&["maximumf", "minimumf"]);
                    self.define(
                        scalar,
                        format!("arith.{what} {name}, {} : {ty}", limit.name),
                    );
                }
                1 => {
                    let (a, b) = (self.value_of(&scalar), self.value_of(&scalar));
                    self.define(scalar, format!("math.fma {name}, {a}, {b} : {ty}"));
                }
                2 => {
                    self.define(scalar, format!("arith.negf {name} : {ty}"));
                }
                _ => self.chosen(
                    &name,
                    &scalar,
                    "arith.cmpf",
                    &["olt", "ult", "oeq", "une", "oge"],
                ),
            },
        }
    }

    /// An operation on a complex number, or on its parts.
    fn complex_operation(&mut self, name: &str, scalar: &Ty) {
        let Elem::Complex(kind) = scalar.elem() else {
            return;
        };
        let (ty, part) = (scalar.text(), Ty::Scalar(Elem::Float(kind)));
        let text = match self.rng.below(5) {
            0 | 1 => format!("complex.conj {name} : {ty}"),
            2 => format!("complex.neg {name} : {ty}"),
            3 => {
                let other = self.value_of(scalar);
                format!("complex.sub {name}, {other} : {ty}")
            }
            _ => {
                let [re, im] = ["re", "im"].map(|what| {
                    let text = format!("complex.{what} {name} : {ty}");
                    self.define(part.clone(), text).name
                });
                format!("complex.create {im}, {re} : {ty}")
            }
        };
        self.define(scalar.clone(), text);
    }

    /// An elementary function, most often one of those that policies permit to be less exact; a power with an exponent
    /// that has a shorter form, or a remainder.
    pub(super) fn function(&mut self, name: &str, kind: FloatKind) {
        const FUNCTIONS: [&str; 16] = [
            "exp", "exp", "log", "log", "log1p", "log1p", "tanh", "tanh", "erf", "erf", "sqrt",
            "rsqrt", "sin", "exp2", "log2", "atan",
        ];
        const EXPONENTS: [&str; 8] = ["0.5", "-0.5", "1.5", "2.0", "-2.0", "3.0", "-1.0", "2.5"];
        let scalar = Ty::Scalar(Elem::Float(kind));
        let ty = scalar.text();
        let text = match self.rng.below(10) {
            0 => {
                let exponent = *self.rng.pick(&EXPONENTS);
                let exponent =
                    self.define(scalar.clone(), format!("arith.constant {exponent} : {ty}"));
                format!("math.powf {name}, {} : {ty}", exponent.name)
            }
            1 => {
                let divisor = self.value_of(&scalar);
                format!("arith.remf {name}, {divisor} : {ty}")
            }
            _ => format!("math.{} {name} : {ty}", self.rng.pick(&FUNCTIONS)),
        };
        self.define(scalar, text);
    }

    /// One of two numbers, as a comparison says.
    fn chosen(&mut self, name: &str, scalar: &Ty, compare: &str, predicates: &[&str]) {
        let ty = scalar.text();
        let (a, b) = (self.value_of(scalar), self.value_of(scalar));
        let predicate = *self.rng.pick(predicates);
        let condition = self.define(
            Ty::BOOL,
            format!("{compare} {predicate}, {name}, {a} : {ty}"),
        );
        self.define(
            scalar.clone(),
            format!("arith.select {}, {name}, {b} : {ty}", condition.name),
        );
    }

    /// A number as one of another type.
    pub(super) fn converted(&mut self, name: &str, from: Elem, to: Elem) {
        let wider = to.width() > from.width();
        let what = match (from, to) {
            (Elem::Int(_), Elem::Int(_)) if from.width() == to.width() => return,
            (Elem::Int(_), Elem::Int(_)) if wider => *self.rng.pick(&["extsi", "extui"]),
            (Elem::Int(_), Elem::Int(_)) => "trunci",
            (Elem::Int(_), Elem::Index) => *self.rng.pick(&["index_cast", "index_castui"]),
            (Elem::Int(_), Elem::Float(_)) => *self.rng.pick(&["sitofp", "uitofp"]),
            (Elem::Float(_), Elem::Float(_)) if wider => "extf",
            (Elem::Float(_), Elem::Float(_)) if to.width() < from.width() => "truncf",
            _ => return,
        };
        let to = Ty::Scalar(to);
        let text = format!("arith.{what} {name} : {} to {}", from.text(), to.text());
        self.define(to, text);
    }

    pub(super) fn load_at(&mut self, array: &Value, at: &[String]) {
        let text = format!(
            "memref.load {}[{}] : {}",
            array.name,
            at.join(", "),
            array.ty.text()
        );
        self.define(Ty::Scalar(array.ty.elem()), text);
    }

    pub(super) fn store_at(&mut self, value: &str, array: &Value, at: &[String]) {
        let (name, ty) = (&array.name, array.ty.text());
        self.line(format!(
            "memref.store {value}, {name}[{}] : {ty}",
            at.join(", ")
        ));
    }

    /// `a + b` and the like of counters, and the most that it is.
    fn sum_of(&mut self, a: (&str, i64), b: (&str, i64)) -> (String, i64) {
        let most = a.1 + b.1;
        let text = match self.rng.chance(50) {
            true => format!("arith.addi {}, {} : index", a.0, b.0),
            false => format!(
                "affine.apply affine_map<(d0, d1) -> (d0 + d1)>({}, {})",
                a.0, b.0
            ),
        };
        (self.define_index((0, most), text).name, most)
    }

    /// A subscript made of the counters of a nest of two loops, and the most that it is.
    fn nest_subscript(&mut self, at: &[String], ends: &[i64]) -> (String, i64) {
        let (i, k) = ((at[0].as_str(), ends[0] - 1), (at[1].as_str(), ends[1] - 1));
        match self.rng.below(12) {
            0..4 => (i.0.to_owned(), i.1),
            4..8 => (k.0.to_owned(), k.1),
            8 | 9 => self.sum_of(i, k),
            10 => {
                let text = format!("affine.apply affine_map<(d0) -> (d0 * 2)>({})", k.0);
                (self.define_index((0, 2 * k.1), text).name, 2 * k.1)
            }
            _ => {
                let end = k.1;
                let text = format!("affine.apply affine_map<(d0) -> ({end} - d0)>({})", k.0);
                (self.define_index((0, end), text).name, end)
            }
        }
    }

    /// One place in memory that is written, and written again behind a branch, a loop or a call that may read it.
    pub(super) fn same_place(&mut self) {
        let Some(buffer) = self.writable(0) else {
            return;
        };
        if self.parallel.is_some() || !self.can_read(&buffer) {
            return;
        }
        let Some(mem) = buffer.ty.as_mem().cloned() else {
            return;
        };
        let sizes: Vec<i64> = mem.dims.iter().map(|dim| dim.size).collect();
        let at = self.subscripts(&sizes);
        let scalar = Ty::Scalar(mem.elem);
        for _ in 0..self.rng.range(2, 3) {
            let value = self.value_of(&scalar);
            self.store_at(&value, &buffer, &at);
            match self.rng.below(5) {
                0..3 => {
                    let condition = self.value_of(&Ty::BOOL);
                    let default = self.value_of(&scalar);
                    let (result, ty) = (self.fresh(), scalar.text());
                    let is_read = self.rng.chance(60);
                    self.line(format!("{result} = scf.if {condition} -> ({ty}) {{"));
                    self.scope(|g| {
                        if is_read {
                            g.load_at(&buffer, &at);
                        }
                        g.statements(1);
                        let value = g.value_of(&Ty::Scalar(mem.elem));
                        g.line(format!("scf.yield {value} : {ty}"));
                    });
                    self.line("} else {");
                    self.line(format!("  scf.yield {default} : {ty}"));
                    self.line("}");
                    let value = self.value(result, scalar.clone());
                    self.values.push(value);
                }
                3 => self.control(1),
                _ => self.load_at(&buffer, &at),
            }
        }
        let value = self.value_of(&scalar);
        self.store_at(&value, &buffer, &at);
        self.load_at(&buffer, &at);
    }

    /// Two loops that read matrices along rows, columns and diagonals, and write one.
    fn matrix_nest(&mut self) {
        let ends = [
            *self.rng.pick(&[8, 16, 4, 9, 17, 12]),
            *self.rng.pick(&[8, 16, 4, 9, 17, 33]),
        ];
        if ends[0] * ends[1] * self.repeats > MOST {
            return;
        }
        // As large as any subscript of these is.
        let side = 2 * ends[0].max(ends[1]) + 1;
        let n_sources = self.rng.range(1, 2);
        let mut sources = Vec::new();
        for _ in 0..n_sources {
            let elem = self.lane_elem();
            let rank = self.rng.range(1, 2);
            let sizes = vec![side; rank];
            sources.push(self.array(&sizes, elem));
        }
        let elem = self.lane_elem();
        let transposed = self.rng.chance(30);
        let sizes = match transposed {
            true => [ends[1], ends[0]],
            false => ends,
        };
        let others: Vec<&Value> = sources.iter().collect();
        let target = self.target(&sizes, elem, &others);
        let before = self.repeats;
        self.repeats *= ends[0] * ends[1];
        self.nest(&ends, |g, at| {
            for source in &sources {
                let rank = source.ty.as_mem().map_or(0, Mem::rank);
                let mut places = Vec::new();
                for _ in 0..rank {
                    places.push(g.nest_subscript(at, &ends).0);
                }
                g.load_at(source, &places);
            }
            let place: Vec<String> = match transposed {
                true => vec![at[1].clone(), at[0].clone()],
                false => at.to_vec(),
            };
            if g.rng.chance(30) {
                g.load_at(&target, &place);
            }
            let value = g.computed(elem);
            g.store_at(&value, &target, &place);
        });
        self.repeats = before;
    }

    /// A loop whose iterations read what earlier or later ones write, or elements that data choose.
    fn recurrence(&mut self) {
        let n = self.long_size();
        if n * self.repeats > MOST {
            return;
        }
        let distance = *self.rng.pick(&[1, 2, 3, 4, 7, 8, 16]);
        let elem = self.lane_elem();
        let array = self.array(&[n + distance], elem);
        if !self.can_write(&array) {
            return;
        }
        let places = match self.rng.chance(50) {
            true => None,
            false => Some(self.numbers_below(n)),
        };
        let source_elem = self.lane_elem();
        let source = self.array(&[n], source_elem);
        let forward = self.rng.chance(60);
        let scatters = self.rng.chance(30);
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[n], |g, at| {
            let text = format!(
                "affine.apply affine_map<(d0) -> (d0 + {distance})>({})",
                at[0]
            );
            let later = g.define_index((distance, n - 1 + distance), text).name;
            let (read, written) = match forward {
                true => (at[0].clone(), later),
                false => (later, at[0].clone()),
            };
            let mut written = written;
            g.load_at(&array, &[read]);
            if let Some((places, ty)) = &places {
                let text = format!("memref.load {places}[{}] : {ty}", at[0]);
                let chosen = g.define_index((0, n - 1), text).name;
                g.load_at(&source, std::slice::from_ref(&chosen));
                if scatters {
                    written = chosen;
                }
            }
            let value = g.computed(elem);
            g.store_at(&value, &array, &[written]);
        });
        self.repeats = before;
    }

    /// Loops that do nothing but compute functions of integers of all sizes for which there is no instruction.
    pub(super) fn integer_functions(&mut self) {
        for _ in 0..self.rng.range(1, 3) {
            self.integer_function();
        }
    }

    fn integer_function(&mut self) {
        let n = self.long_size();
        let width = *self.rng.pick(&[8, 8, 16, 16, 32, 32, 32, 64]);
        let elem = Elem::Int(width);
        let (scalar, ty) = (Ty::Scalar(elem), elem.text());
        let source = self.array(&[n], elem);
        let target = self.target(&[n], elem, &[&source]);
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[n], |g, at| {
            let [mut last, other] = [&source, &target].map(|array| {
                g.load_at(array, at);
                // What is there is small.
                let factor = match g.rng.below(5) {
                    0 => i64::MIN >> (64 - width),
                    1 => 1,
                    _ => (g.rng.next() as i64 | 1) >> (64 - width),
                };
                let loaded = g.last_name();
                let factor = g.define(scalar.clone(), format!("arith.constant {factor} : {ty}"));
                let text = format!("arith.muli {}, {loaded} : {ty}", factor.name);
                g.define(scalar.clone(), text).name
            });
            for _ in 0..g.rng.range(1, 2) {
                let text = match g.rng.chance(35) {
                    true => {
                        let what = g.rng.pick(&["ctpop", "cttz", "ctlz"]);
                        format!("math.{what} {last} : {ty}")
                    }
                    false => {
                        let by = match g.rng.chance(40) {
                            true => g.divisor_of(&scalar, &other),
                            false => g.divisor(&scalar, width),
                        };
                        let what = g.rng.pick(&["divsi", "divui", "remsi", "remui"]);
                        format!("arith.{what} {last}, {by} : {ty}")
                    }
                };
                last = g.define(scalar.clone(), text).name;
            }
            g.store_at(&last, &target, at);
        });
        self.repeats = before;
    }

    /// Loops that compare numbers, combine what they find out, and keep that: for each of them, in a number or a choice,
    /// or at one place for all.
    pub(super) fn truths(&mut self) {
        for _ in 0..self.rng.range(1, 3) {
            self.truth_loop();
        }
    }

    fn truth_loop(&mut self) {
        const NUMBERS: [Elem; 6] = [
            Elem::Float(FloatKind::F32),
            Elem::Float(FloatKind::F64),
            Elem::Int(8),
            Elem::Int(16),
            Elem::Int(32),
            Elem::Int(64),
        ];
        let n = self.long_size();
        let elem = *self.rng.pick(&NUMBERS);
        let ty = elem.text();
        let [left, right, target] = [(); 3].map(|()| self.array(&[n], elem));
        if !self.can_write(&target) {
            return;
        }
        let bits = self.array(&[n], Elem::Int(1));
        let all = self.allocated(Mem::new(vec![Dim::fixed(1)], Elem::Int(1)));
        let first = *self.rng.pick(&["true", "false"]);
        let first = self
            .define(Ty::BOOL, format!("arith.constant {first}"))
            .name;
        let place = [self.index(0).name];
        self.store_at(&first, &all, &place);
        let kept = self.rng.below(4);
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[n], |g, at| {
            let mut numbers = Vec::new();
            for array in [&left, &right] {
                g.load_at(array, at);
                numbers.push(g.last_name());
            }
            // Both arrays may be one.
            let limit = match elem {
                Elem::Float(_) => *g.rng.pick(&["3.0", "-7.0"]),
                _ => *g.rng.pick(&["3", "-7"]),
            };
            let limit = g.define(Ty::Scalar(elem), format!("arith.constant {limit} : {ty}"));
            let mut truths = Vec::new();
            for _ in 0..3 {
                let compare = match elem {
                    Elem::Float(_) => format!("cmpf {}", g.rng.pick(&["olt", "une", "ugt"])),
                    _ => format!("cmpi {}", g.rng.pick(&["slt", "ne", "ugt", "eq"])),
                };
                let a = g.rng.pick(&numbers).clone();
                let b = match g.rng.chance(50) {
                    true => limit.name.clone(),
                    false => g.rng.pick(&numbers).clone(),
                };
                truths.push(g.define(Ty::BOOL, format!("arith.{compare}, {a}, {b} : {ty}")));
            }
            if g.rng.chance(40) {
                g.load_at(&bits, at);
                truths.extend(g.values.last().cloned());
            }
            for _ in 0..g.rng.range(1, 4) {
                let mut taken = [(); 3].map(|()| g.rng.pick(&truths).name.clone());
                // The last one among them, so that all count.
                taken[g.rng.below(2)] = g.last_name();
                let [a, b, c] = taken;
                let text = match g.rng.below(5) {
                    0 => format!("arith.select {a}, {b}, {c} : i1"),
                    1 => format!("arith.cmpi {}, {a}, {b} : i1", g.rng.pick(&["eq", "ne"])),
                    _ => format!(
                        "arith.{} {a}, {b} : i1",
                        g.rng.pick(&["andi", "ori", "xori"])
                    ),
                };
                truths.push(g.define(Ty::BOOL, text));
            }
            let last = g.last_name();
            match kept {
                0 => g.store_at(&last, &bits, at),
                1 => {
                    let text =
                        format!("arith.select {last}, {}, {} : {ty}", numbers[0], numbers[1]);
                    let chosen = g.define(Ty::Scalar(elem), text).name;
                    g.store_at(&chosen, &target, at);
                }
                _ => {
                    g.load_at(&all, &place);
                    let what = *g.rng.pick(&["andi", "ori", "xori", "xori"]);
                    let text = format!("arith.{what} {}, {last} : i1", g.last_name());
                    let next = g.define(Ty::BOOL, text).name;
                    g.store_at(&next, &all, &place);
                }
            }
        });
        self.repeats = before;
    }

    /// A loop over rows of a few elements, each of which is read and written at its own place: all of them, in any order,
    /// perhaps those that are read, perhaps not the last one, and perhaps with a loop in between.
    pub(super) fn short_rows(&mut self) {
        let n = self.long_size();
        if n * self.repeats > MOST {
            return;
        }
        let width: usize = *self.rng.pick(&[2, 2, 2, 3, 3, 4, 4, 5]);
        // Perhaps in two planes.
        let planes = self.rng.chance(20);
        let sizes = match planes {
            true => vec![2, n, width as i64],
            false => vec![n, width as i64],
        };
        // What certainly runs in vectors, and anything.
        let is_plain = self.rng.chance(50);
        let elem = match is_plain || self.rng.chance(60) {
            true => Elem::Float(FloatKind::F32),
            false => self.lane_elem(),
        };
        let source = self.array(&sizes, elem);
        let target = match self.rng.chance(40) && self.can_write(&source) {
            true => source.clone(),
            false => self.target(&sizes, elem, &[&source]),
        };
        if self.rng.chance(20) {
            return self.stacked(n, width, elem);
        }
        let before = self.repeats;
        self.repeats *= n;
        self.nest(&[n], |g, at| {
            let place = |g: &mut Self, part: usize| {
                let mut place = vec![at[0].clone(), g.index(part as i64).name];
                if planes {
                    let plane = g.rng.chance(15).into();
                    place.insert(0, g.index(plane).name);
                }
                place
            };
            for _ in 0..g.rng.range(1, width) {
                let part = g.rng.range(0, width - 1);
                let place = place(g, part);
                g.load_at(&source, &place);
            }
            let first = g.rng.range(0, width - 1);
            let stored = width - usize::from(!is_plain && g.rng.chance(20));
            for part in (0..stored).map(|part| (first + part) % width) {
                if g.rng.chance(if is_plain { 12 } else { 40 }) {
                    let part = g.rng.range(0, width - 1);
                    let place = place(g, part);
                    g.load_at(&target, &place);
                }
                if g.rng.chance(35) {
                    let n = *g.rng.pick(&[9, 17, 20]);
                    g.sum_over(n, elem, vec![Ty::Scalar(elem)], is_plain);
                }
                let value = match is_plain {
                    true => {
                        let [a, b] = [(); 2].map(|()| g.value_of(&Ty::Scalar(elem)));
                        g.combined(&a, &b, elem)
                    }
                    false => g.computed(elem),
                };
                let place = place(g, part);
                g.store_at(&value, &target, &place);
            }
        });
        self.repeats = before;
    }

    /// Copies to the columns of a buffer: all of them, or one of them twice.
    fn stacked(&mut self, n: i64, width: usize, elem: Elem) {
        self.passes.insert("merge-column-copies");
        let dims = [n, width as i64].map(Dim::fixed).to_vec();
        let target = self.allocated(Mem::new(dims, elem));
        let sources: Vec<Value> = (0..width).map(|_| self.array(&[n, 1], elem)).collect();
        let first = self.rng.range(0, width - 1);
        for (part, source) in sources.iter().enumerate() {
            let part = match self.rng.chance(10) {
                true => 0,
                false => (first + part) % width,
            };
            let (mut from, to) = (source.ty.text(), target.ty.text());
            let mut source = source.name.clone();
            let column = format!(
                "memref<{n}x1x{}, strided<[{width}, 1], offset: {part}>>",
                Ty::Scalar(elem).text()
            );
            let view = self.fresh();
            self.line(format!(
                "{view} = memref.subview {}[0, {part}] [{n}, 1] [1, 1] : {to} to {column}",
                target.name
            ));
            if self.rng.chance(10) {
                // Another column of the same buffer, from its end.
                let (read, last) = ((part + self.rng.range(1, width - 1)) % width, n - 1);
                let (stride, first) = (-(width as i64), last * width as i64 + read as i64);
                let scalar = Ty::Scalar(elem).text();
                from = format!("memref<{n}x1x{scalar}, strided<[{stride}, 1], offset: {first}>>");
                source = self.fresh();
                self.line(format!(
                    "{source} = memref.subview {}[{last}, {read}] [{n}, 1] [-1, 1] : {to} to {from}",
                    target.name
                ));
            } else if self.rng.chance(10) && part != 0 {
                // Another column of the same buffer.
                from = format!(
                    "memref<{n}x1x{}, strided<[{width}, 1]>>",
                    Ty::Scalar(elem).text()
                );
                source = self.fresh();
                self.line(format!(
                    "{source} = memref.subview {}[0, 0] [{n}, 1] [1, 1] : {to} to {from}",
                    target.name
                ));
            }
            self.line(format!("memref.copy {source}, {view} : {from} to {column}"));
        }
    }

    /// Memory with as many numbers below `n`, in any order, some several times, and its type.
    pub(super) fn numbers_below(&mut self, n: i64) -> (String, String) {
        let numbers: Vec<String> = (0..n)
            .map(|_| self.rng.below(n as usize).to_string())
            .collect();
        let ty = format!("memref<{n}xindex>");
        let name = self.global(&ty, &format!("dense<[{}]>", numbers.join(", ")), false);
        let places = self.fresh();
        self.line(format!("{places} = memref.get_global {name} : {ty}"));
        (places, ty)
    }

    /// A loop that hands on numbers: sums, products, the largest, several at once.
    fn sum(&mut self) {
        let elem = self.lane_elem();
        let types: Vec<Ty> = (0..self.rng.range(1, 3))
            .map(|at| match at {
                0 => Ty::Scalar(elem),
                _ => Ty::Scalar(self.lane_elem()),
            })
            .collect();
        let n = self.long_size();
        self.sum_over(n, elem, types, false);
    }

    /// A loop over `n` elements that hands on numbers of these types: of what is loaded alone, or of anything.
    pub(super) fn sum_over(&mut self, n: i64, elem: Elem, types: Vec<Ty>, is_plain: bool) {
        if n * self.repeats > MOST {
            return;
        }
        let array = self.array(&[n], elem);
        let inits: Vec<String> = types.iter().map(|ty| self.value_of(ty)).collect();
        let (from, to, one) = (self.number(0).name, self.number(n).name, self.index(1).name);
        let result = self.fresh();
        let counter = self.fresh();
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let pairs: Vec<String> = (names.iter().zip(&inits))
            .map(|(name, init)| format!("{name} = {init}"))
            .collect();
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        let list = texts.join(", ");
        self.line(format!(
            "{result}:{} = scf.for {counter} = {from} to {to} step {one} iter_args({}) -> ({list}) {{",
            types.len(),
            pairs.join(", ")
        ));
        let before = self.repeats;
        self.repeats *= n;
        self.scope(|g| {
            let mut value = g.value(counter.clone(), Ty::INDEX);
            value.range = Some((0, n - 1));
            g.values.push(value);
            g.load_at(&array, std::slice::from_ref(&counter));
            let mut yielded = Vec::new();
            for (name, ty) in names.iter().zip(&types) {
                let value = match is_plain {
                    true => g.last_name(),
                    false => g.computed(ty.elem()),
                };
                yielded.push(g.combined(name, &value, ty.elem()));
            }
            g.line(format!("scf.yield {} : {list}", yielded.join(", ")));
        });
        self.repeats = before;
        self.line("}");
        for (at, ty) in types.into_iter().enumerate() {
            let value = self.value(format!("{result}#{at}"), ty);
            self.values.push(value);
        }
    }

    /// Loops over the same numbers, each of which reads what one before it wrote: at the same place, or beside it.
    fn adjacent_loops(&mut self) {
        let n = self.long_size();
        if n * self.repeats > MOST {
            return;
        }
        let elem = self.lane_elem();
        let mut last = self.array(&[n], elem);
        let before = self.repeats;
        for _ in 0..self.rng.range(2, 3) {
            let elem = self.lane_elem();
            let target = self.target(&[n], elem, &[&last]);
            let kind = self.rng.below(6);
            let source = last.clone();
            let places = (kind == 5).then(|| self.numbers_below(n));
            self.repeats *= n;
            self.nest(&[n], |g, at| {
                let place = match kind {
                    0..3 => at[0].clone(),
                    3 => {
                        let text = format!(
                            "affine.apply affine_map<(d0) -> ({} - d0)>({})",
                            n - 1,
                            at[0]
                        );
                        g.define_index((0, n - 1), text).name
                    }
                    5 => match &places {
                        Some((places, ty)) => {
                            let text = format!("memref.load {places}[{}] : {ty}", at[0]);
                            g.define_index((0, n - 1), text).name
                        }
                        None => at[0].clone(),
                    },
                    _ => g.subscript(n),
                };
                g.load_at(&source, &[place]);
                let value = g.computed(elem);
                g.store_at(&value, &target, &[at[0].clone()]);
            });
            self.repeats = before;
            last = target;
        }
    }

    /// Sizes of a product that is large enough for a kernel.
    pub(super) fn kernel_size(&mut self) -> i64 {
        *self.rng.pick(&[16, 17, 24, 31, 33, 8, 9, 40, 5, 64])
    }
}
