//! Floats that are not round numbers, and what policies may compute in other ways with them: elementary functions,
//! polynomials, sums, products of matrices, and what attention makes of these.

use freehold::frontend::ir::types::FloatKind;

use super::build::{Gen, Value};
use super::types::{Dim, Elem, Mem, Ty};

impl Gen<'_> {
    /// Numbers, and some loops over them.
    pub(super) fn float_loops(&mut self) {
        const KINDS: [FloatKind; 6] = [
            FloatKind::F32,
            FloatKind::F32,
            FloatKind::F32,
            FloatKind::F64,
            FloatKind::F16,
            FloatKind::BF16,
        ];
        let kind = *self.rng.pick(&KINDS);
        let rows = self.rng.range(1, 5) as i64;
        let columns = *self.rng.pick(&[5, 8, 16, 17, 33, 40]);
        let numbers = self.uneven(&[rows, columns], kind);
        let target = self.fresh_array(&[rows, columns], kind);
        match self.rng.below(5) {
            0 | 1 => {
                self.chain(&numbers, &target, kind);
                for _ in 0..self.rng.range(1, 4) {
                    let target = self.fresh_array(&[rows, columns], kind);
                    self.chain(&numbers, &target, kind);
                }
            }
            2 => self.polynomial(&numbers, &target, kind),
            3 => self.softmax(&numbers, &target, kind),
            _ => self.attention(&numbers, kind),
        }
    }

    fn fresh_array(&mut self, sizes: &[i64], kind: FloatKind) -> Value {
        let dims = sizes.iter().map(|&size| Dim::fixed(size)).collect();
        self.allocated(Mem::new(dims, Elem::Float(kind)))
    }

    fn float(&mut self, kind: FloatKind, number: &str) -> String {
        let scalar = Ty::Scalar(Elem::Float(kind));
        let text = format!("arith.constant {number} : {}", scalar.text());
        self.define(scalar, text).name
    }

    /// An array of numbers from a range, none of which is round.
    fn uneven(&mut self, sizes: &[i64], kind: FloatKind) -> Value {
        const STEPS: [&str; 5] = ["0.17", "-0.31", "0.0123", "1.7", "0.00071"];
        const STARTS: [&str; 6] = ["-2.3", "0.07", "-0.9", "3.1", "0.0", "0.0019"];
        let array = self.fresh_array(sizes, kind);
        let scalar = Ty::Scalar(Elem::Float(kind));
        let ty = scalar.text();
        let (step, start) = (*self.rng.pick(&STEPS), *self.rng.pick(&STARTS));
        self.nest(sizes, |g, at| {
            let (a, b) = (&at[0], &at[at.len() - 1]);
            let text = format!("affine.apply affine_map<(d0, d1) -> (d0 * 7 + d1)>({a}, {b})");
            let place = g.define_index((0, 200), text).name;
            let text = format!("arith.index_cast {place} : index to i32");
            let place = g.define(Ty::Scalar(Elem::Int(32)), text).name;
            let number = g.define(
                scalar.clone(),
                format!("arith.sitofp {place} : i32 to {ty}"),
            );
            let (step, start) = (g.float(kind, step), g.float(kind, start));
            let text = format!("arith.mulf {}, {step} : {ty}", number.name);
            let number = g.define(scalar.clone(), text);
            let text = format!("arith.addf {}, {start} : {ty}", number.name);
            let number = g.define(scalar.clone(), text);
            g.store_at(&number.name, &array, at);
        });
        array
    }

    fn sizes(array: &Value) -> Vec<i64> {
        let dims = array.ty.as_mem().map(|mem| mem.dims.clone());
        dims.unwrap_or_default()
            .iter()
            .map(|dim| dim.size)
            .collect()
    }

    fn float_at(&mut self, array: &Value, at: &[String]) -> String {
        self.load_at(array, at);
        self.values
            .last()
            .map(|value| value.name.clone())
            .unwrap_or_default()
    }

    fn arithmetic(&mut self, what: &str, a: &str, b: &str, kind: FloatKind) -> String {
        let scalar = Ty::Scalar(Elem::Float(kind));
        let text = format!("arith.{what} {a}, {b} : {}", scalar.text());
        self.define(scalar, text).name
    }

    /// Functions of functions.
    fn chain(&mut self, source: &Value, target: &Value, kind: FloatKind) {
        let n = self.rng.range(1, 2);
        self.nest(&Self::sizes(source), |g, at| {
            let first = g.float_at(source, at);
            let mut number = first.clone();
            for _ in 0..n {
                g.function(&number, kind);
                number = g.values.last().map_or(number, |value| value.name.clone());
                if g.rng.chance(40) {
                    let what = *g.rng.pick(&["addf", "mulf", "subf", "divf"]);
                    number = g.arithmetic(what, &number, &first, kind);
                }
            }
            g.store_at(&number, target, at);
        });
    }

    /// Products that are added and subtracted.
    fn polynomial(&mut self, source: &Value, target: &Value, kind: FloatKind) {
        const FACTORS: [&str; 5] = ["0.3", "-1.1", "2.7", "0.013", "-0.6"];
        self.nest(&Self::sizes(source), |g, at| {
            let x = g.float_at(source, at);
            let mut sum = x.clone();
            for _ in 0..g.rng.range(1, 4) {
                let factor = *g.rng.pick(&FACTORS);
                let factor = g.float(kind, factor);
                let product = g.arithmetic("mulf", &sum, &x, kind);
                sum = match g.rng.below(4) {
                    0 | 1 => g.arithmetic("addf", &product, &factor, kind),
                    2 => g.arithmetic("subf", &product, &factor, kind),
                    _ => g.arithmetic("subf", &factor, &product, kind),
                };
            }
            g.store_at(&sum, target, at);
        });
    }

    /// Along rows: the largest number, the sum of powers of what is left of the others, and quotients.
    fn softmax(&mut self, source: &Value, target: &Value, kind: FloatKind) {
        if self.rng.chance(40) {
            return self.named_softmax(source, target);
        }
        let [rows, columns] = Self::sizes(source)[..] else {
            return;
        };
        let ty = Ty::Scalar(Elem::Float(kind)).text();
        self.nest(&[rows], |g, row| {
            let row = row[0].clone();
            let mut totals: Vec<String> = Vec::new();
            for what in ["maximumf", "addf"] {
                let start = if what == "addf" { "0.0" } else { "-100.0" };
                let start = g.float(kind, start);
                let (zero, end, one) = (g.index(0).name, g.number(columns).name, g.index(1).name);
                let (total, counter, before) = (g.fresh(), g.fresh(), g.fresh());
                g.line(format!(
                    "{total} = scf.for {counter} = {zero} to {end} step {one} iter_args({before} = {start}) -> ({ty}) {{"
                ));
                g.scope(|g| {
                    let at = [row.clone(), counter.clone()];
                    let mut number = g.float_at(source, &at);
                    if let [largest] = &totals[..] {
                        number = g.arithmetic("subf", &number, largest, kind);
                        number = g.define_function("exp", &number, kind);
                        g.store_at(&number, target, &at);
                    }
                    let next = g.arithmetic(what, &before, &number, kind);
                    g.line(format!("scf.yield {next} : {ty}"));
                });
                g.line("}");
                totals.push(total);
            }
            g.nest(&[columns], |g, column| {
                let at = [row.clone(), column[0].clone()];
                let power = g.float_at(target, &at);
                let quotient = g.arithmetic("divf", &power, &totals[1], kind);
                g.store_at(&quotient, target, &at);
            });
        });
    }

    fn define_function(&mut self, what: &str, number: &str, kind: FloatKind) -> String {
        let scalar = Ty::Scalar(Elem::Float(kind));
        let text = format!("math.{what} {number} : {}", scalar.text());
        self.define(scalar, text).name
    }

    fn named_softmax(&mut self, source: &Value, target: &Value) {
        let dim = self.rng.below(2);
        self.line(format!(
            "linalg.softmax dimension({dim}) {}",
            Self::ins_outs(std::slice::from_ref(source), std::slice::from_ref(target))
        ));
    }

    /// Rows that are compared by products with each other, weighted by them, and added.
    fn attention(&mut self, queries: &Value, kind: FloatKind) {
        let [rows, columns] = Self::sizes(queries)[..] else {
            return;
        };
        let others = *self.rng.pick(&[4, 9, 16]);
        let (keys, values) = (
            self.uneven(&[others, columns], kind),
            self.uneven(&[others, columns], kind),
        );
        let (scores, weights) = (
            self.zeros(&[rows, others], kind),
            self.fresh_array(&[rows, others], kind),
        );
        let result = self.zeros(&[rows, columns], kind);
        self.line(format!(
            "linalg.matmul_transpose_b {}",
            Self::ins_outs(&[queries.clone(), keys], std::slice::from_ref(&scores))
        ));
        self.softmax(&scores, &weights, kind);
        self.line(format!(
            "linalg.matmul {}",
            Self::ins_outs(&[weights, values], std::slice::from_ref(&result))
        ));
    }

    fn zeros(&mut self, sizes: &[i64], kind: FloatKind) -> Value {
        let array = self.fresh_array(sizes, kind);
        let zero = self.float(kind, "0.0");
        let (name, ty) = (&array.name, array.ty.text());
        let scalar = Ty::Scalar(Elem::Float(kind)).text();
        self.line(format!(
            "linalg.fill ins({zero} : {scalar}) outs({name} : {ty})"
        ));
        array
    }
}
