//! Numbers at the ends of their types, one after the other in a loop that runs in vectors: zeros of both signs, the
//! least and the greatest integers, all ones.

use super::Text;

const SMALL: [i64; 8] = [0, 1, -1, 2, -2, 3, 7, -7];

impl Text {
    /// Loops that compute something of such numbers.
    pub(super) fn edge_numbers(&mut self) {
        for _ in 0..self.rng.range(1, 2) {
            match self.rng.chance(40) {
                true => self.edge_floats(),
                false => self.edge_integers(),
            }
        }
        let passes = *self.rng.pick(&[
            "vectorize-loops",
            "vectorize-loops,lower-vectors",
            "canonicalize",
        ]);
        self.pipelines.push(passes.to_owned());
    }

    /// An array that a program begins with.
    fn edge_array(&mut self, n: i64, elem: &str, literals: &[String]) -> (String, String) {
        let (ty, name) = (format!("memref<{n}x{elem}>"), format!("@e{}", self.next));
        self.globals += &format!(
            "memref.global \"private\" {name} : {ty} = dense<[{}]>\n",
            literals.join(", ")
        );
        (self.def(format!("memref.get_global {name} : {ty}")), ty)
    }

    fn edge_size(&mut self) -> i64 {
        *self.rng.pick(&[16, 32, 33, 64, 40, 17])
    }

    fn edge_integers(&mut self) {
        let width = *self.rng.pick(&[8, 16, 32, 64, 64]);
        let n = self.edge_size();
        let (least, most) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        let ends = [
            least,
            most,
            least + 1,
            most - 1,
            most >> (width / 2),
            -1,
            -1,
            1 << (width / 2),
        ];
        let mut arrays = Vec::new();
        let elem = format!("i{width}");
        let mut numbers = Vec::new();
        for _ in 0..2 {
            let drawn: Vec<i64> = (0..n)
                .map(|_| match self.rng.below(3) {
                    0 => *self.rng.pick(&SMALL),
                    1 => *self.rng.pick(&ends),
                    _ => self.rng.next() as i64 >> (64 - width),
                })
                .collect();
            let literals: Vec<String> = drawn.iter().map(i64::to_string).collect();
            arrays.push(self.edge_array(n, &elem, &literals));
            numbers.push(drawn);
        }
        // What certainly divides.
        let divisors: Vec<String> = (0..n as usize)
            .map(|at| {
                let by = *self.rng.pick(&[-1, -1, 1, 2, least, most, 3, -5]);
                let by = if numbers[0][at] == least && by == -1 {
                    1
                } else {
                    by
                };
                by.to_string()
            })
            .collect();
        let divisors = self.edge_array(n, &elem, &divisors);
        let ty = format!("memref<{n}x{elem}>");
        let target = self.def(format!("memref.alloc() : {ty}"));
        let kind = self.rng.below(8);
        let (zero, end) = (self.index(0), self.index(n));
        self.for_loop(&zero, &end, |t, i| {
            let load = |t: &mut Self, (name, ty): &(String, String)| {
                t.def(format!("memref.load {name}[{i}] : {ty}"))
            };
            let (x, y) = (load(t, &arrays[0]), load(t, &arrays[1]));
            let value = match kind {
                0 | 1 => {
                    let what = *t.rng.pick(&["ctpop", "cttz", "ctlz", "absi", "ctpop"]);
                    t.def(format!("math.{what} {x} : {elem}"))
                }
                2 => {
                    let by = load(t, &divisors);
                    let what = *t
                        .rng
                        .pick(&["divsi", "remsi", "divsi", "floordivsi", "divui"]);
                    t.def(format!("arith.{what} {x}, {by} : {elem}"))
                }
                3 | 4 => {
                    let predicate = *t
                        .rng
                        .pick(&["ult", "uge", "ugt", "ule", "slt", "sge", "eq"]);
                    let c = t.def(format!("arith.cmpi {predicate}, {x}, {y} : {elem}"));
                    let chosen = t.def(format!("arith.select {c}, {x}, {y} : {elem}"));
                    if t.rng.chance(50) {
                        let more = t.def(format!("arith.extui {c} : i1 to {elem}"));
                        t.def(format!("arith.xori {chosen}, {more} : {elem}"))
                    } else {
                        chosen
                    }
                }
                5 => {
                    let what = *t.rng.pick(&["maxsi", "minsi", "maxui", "minui"]);
                    t.def(format!("arith.{what} {x}, {y} : {elem}"))
                }
                6 => {
                    let to = *t.rng.pick(&["f32", "f64"]);
                    let (there, back) = *t.rng.pick(&[("sitofp", "fptosi"), ("uitofp", "fptoui")]);
                    // What fits after it was rounded.
                    let one = t.def(format!("arith.constant 1 : {elem}"));
                    let half = t.def(format!("arith.shrui {x}, {one} : {elem}"));
                    let half = t.def(format!("arith.shrui {half}, {one} : {elem}"));
                    let half =
                        if there == "uitofp" && t.rng.chance(50) && width <= 32 && to == "f64" {
                            x.clone()
                        } else {
                            half
                        };
                    let float = t.def(format!("arith.{there} {half} : {elem} to {to}"));
                    t.def(format!("arith.{back} {float} : {to} to {elem}"))
                }
                _ => {
                    let other = *t.rng.pick(&[8, 16, 32, 64]);
                    let what = *t.rng.pick(&["extsi", "extui"]);
                    if other == width {
                        t.mixed(&x, &y, &elem)
                    } else if other > width {
                        let wide = t.def(format!("arith.{what} {x} : {elem} to i{other}"));
                        let wider = t.def(format!("arith.{what} {y} : {elem} to i{other}"));
                        let sum = t.mixed(&wide, &wider, &format!("i{other}"));
                        let by = t.def(format!("arith.constant {} : i{other}", width / 2));
                        let sum = t.def(format!("arith.shrsi {sum}, {by} : i{other}"));
                        t.def(format!("arith.trunci {sum} : i{other} to {elem}"))
                    } else {
                        let narrow = t.def(format!("arith.trunci {x} : {elem} to i{other}"));
                        let wide = t.def(format!("arith.{what} {narrow} : i{other} to {elem}"));
                        t.mixed(&wide, &y, &elem)
                    }
                }
            };
            t.line(format!("memref.store {value}, {target}[{i}] : {ty}"));
        });
        self.results.push((target, ty));
    }

    fn edge_floats(&mut self) {
        let elem = *self.rng.pick(&["f32", "f64", "f32"]);
        let n = self.edge_size();
        const FLOATS: [&str; 10] = [
            "0.0", "-0.0", "0.0", "-0.0", "1.0", "-1.0", "-0.5", "3.5", "2.5", "-2.0",
        ];
        let mut arrays = Vec::new();
        for _ in 0..2 {
            let literals: Vec<String> = (0..n)
                .map(|_| (*self.rng.pick(&FLOATS)).to_owned())
                .collect();
            arrays.push(self.edge_array(n, elem, &literals));
        }
        let ty = format!("memref<{n}x{elem}>");
        let target = self.def(format!("memref.alloc() : {ty}"));
        let zero = *self.rng.pick(&["0.0", "-0.0"]);
        let zero = self.def(format!("arith.constant {zero} : {elem}"));
        let what = *self.rng.pick(&["maximumf", "minimumf"]);
        let kind = self.rng.below(5);
        let swapped = self.rng.chance(40);
        let (from, end) = (self.index(0), self.index(n));
        if kind == 4 {
            // The largest or the smallest of all.
            let (one, number) = (self.index(1), self.fresh());
            let [i, old, sum] = ["i", "a", "w"].map(|letter| format!("%{letter}{}", &number[1..]));
            self.line(format!(
                "{sum} = scf.for {i} = {from} to {end} step {one} iter_args({old} = {zero}) -> ({elem}) {{"
            ));
            self.inside(|t| {
                let (name, ty) = &arrays[0];
                let x = t.def(format!("memref.load {name}[{i}] : {ty}"));
                let next = t.def(format!("arith.{what} {old}, {x} : {elem}"));
                t.line(format!("scf.yield {next} : {elem}"));
            });
            self.line("}");
            self.results.push((sum, elem.to_owned()));
            self.line(format!(
                "linalg.fill ins({zero} : {elem}) outs({target} : {ty})"
            ));
        } else {
            self.for_loop(&from, &end, |t, i| {
                let mut loaded = Vec::new();
                for (name, ty) in &arrays {
                    loaded.push(t.def(format!("memref.load {name}[{i}] : {ty}")));
                }
                let (mut x, mut y) = (loaded[0].clone(), loaded[1].clone());
                if kind < 2 {
                    y = zero.clone();
                }
                if swapped {
                    std::mem::swap(&mut x, &mut y);
                }
                let value = match kind {
                    3 => {
                        let what =
                            *t.rng
                                .pick(&["absf", "floor", "ceil", "round", "roundeven", "trunc"]);
                        let by = *t.rng.pick(&["0.5", "2.0", "-1.0"]);
                        let by = t.def(format!("arith.constant {by} : {elem}"));
                        let scaled = t.def(format!("arith.mulf {x}, {by} : {elem}"));
                        t.def(format!("math.{what} {scaled} : {elem}"))
                    }
                    _ => t.def(format!("arith.{what} {x}, {y} : {elem}")),
                };
                t.line(format!("memref.store {value}, {target}[{i}] : {ty}"));
            });
        }
        // Not in a vector, too.
        let at = self.rng.below(n as usize) as i64;
        let at = self.opaque(at);
        let mut pair = Vec::new();
        for (name, ty) in &arrays {
            pair.push(self.def(format!("memref.load {name}[{at}] : {ty}")));
        }
        let scalar = self.def(format!("arith.{what} {}, {} : {elem}", pair[0], pair[1]));
        self.results.push((scalar, elem.to_owned()));
        self.results.push((target, ty));
    }
}
