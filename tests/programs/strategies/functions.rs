//! Loops along rows of floats, with elementary functions of them: in vectors, some of whose lanes are large, infinite or
//! no number, as one by one.

use super::writer::Writer;
use crate::support::generator::rng::Rng;

const UNARY: [&str; 15] = [
    "cos", "erf", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "rsqrt", "sin", "sqrt",
    "tan", "tanh", "absf",
];

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let (ty, bits) = *rng.pick(&[("f32", "i32"), ("f64", "i64")]);
    let mut program = Program {
        rng,
        ty,
        bits,
        out: Writer::default(),
    };
    program.write();
    program.out.text
}

struct Program {
    rng: Rng,
    /// The type of floats, and that of their patterns.
    ty: &'static str,
    bits: &'static str,
    out: Writer,
}

impl Program {
    fn write(&mut self) {
        let (ty, bits) = (self.ty, self.bits);
        self.out.declare_print();
        self.out.text.push_str("func.func @main() {\n");
        for number in 0..2 {
            self.out
                .line(&format!("%c{number} = arith.constant {number} : index"));
        }
        // Of known and of unknown length.
        let n = self.rng.range(1, 150);
        let (size, length) = match self.rng.chance(50) {
            true => ("?".to_owned(), "%n"),
            false => (n.to_string(), ""),
        };
        self.out.line(&format!("%n = arith.constant {n} : index"));
        let row = format!("memref<{size}x{ty}>");
        let allocation = format!("memref.alloc({length}) : {row}");
        let (first, second) = (self.out.value(&allocation), self.out.value(&allocation));
        self.fill(&first, &row);
        for _ in 0..self.rng.range(1, 3) {
            self.pass(&first, &second, &row);
        }
        // Numbers that do not depend on which NaN it is.
        self.out.line("%none = arith.constant 0 : i64");
        self.out.line("%prime = arith.constant 1099511628211 : i64");
        self.out.line(&format!("%zero = arith.constant 0 : {bits}"));
        self.out
            .line("%sum = scf.for %i = %c0 to %n step %c1 iter_args(%hash = %none) -> i64 {");
        let x = self.out.value(&format!("memref.load {second}[%i] : {row}"));
        let pattern = self
            .out
            .value(&format!("arith.bitcast {x} : {ty} to {bits}"));
        let is_nan = self.out.value(&format!("arith.cmpf uno, {x}, {x} : {ty}"));
        let mut pattern = self
            .out
            .value(&format!("arith.select {is_nan}, %zero, {pattern} : {bits}"));
        if bits == "i32" {
            pattern = self
                .out
                .value(&format!("arith.extui {pattern} : i32 to i64"));
        }
        let mixed = self
            .out
            .value(&format!("arith.xori %hash, {pattern} : i64"));
        let next = self.out.value(&format!("arith.muli {mixed}, %prime : i64"));
        self.out.line(&format!("scf.yield {next} : i64"));
        self.out.line("}");
        self.out.print("%sum");
        self.out.line("return");
        self.out.text.push_str("}\n");
    }

    /// Numbers of all sizes in between small ones.
    fn fill(&mut self, memory: &str, row: &str) {
        let (ty, bits) = (self.ty, self.bits);
        // An exponent more, or several, from one to the next.
        let step = match ty {
            "f32" => (1_u64 << 23) * self.rng.range(1, 5) as u64 + 4711,
            _ => (1_u64 << 52) * self.rng.range(1, 40) as u64 + 4711,
        };
        let period = *self.rng.pick(&[1, 2, 16, 64]);
        self.out.line("scf.for %i = %c0 to %n step %c1 {");
        let k = self
            .out
            .value(&format!("arith.index_cast %i : index to {bits}"));
        let step = self.out.value(&format!("arith.constant {step} : {bits}"));
        let pattern = self.out.value(&format!("arith.muli {k}, {step} : {bits}"));
        let far = self
            .out
            .value(&format!("arith.bitcast {pattern} : {bits} to {ty}"));
        let number = self
            .out
            .value(&format!("arith.sitofp {k} : {bits} to {ty}"));
        let factor = self.out.value(&format!("arith.constant 0.37 : {ty}"));
        let near = self
            .out
            .value(&format!("arith.mulf {number}, {factor} : {ty}"));
        let period = self.out.value(&format!("arith.constant {period} : {bits}"));
        let zero = self.out.value(&format!("arith.constant 0 : {bits}"));
        let bit = self
            .out
            .value(&format!("arith.andi {k}, {period} : {bits}"));
        let is_near = self
            .out
            .value(&format!("arith.cmpi eq, {bit}, {zero} : {bits}"));
        let x = self
            .out
            .value(&format!("arith.select {is_near}, {near}, {far} : {ty}"));
        self.out
            .line(&format!("memref.store {x}, {memory}[%i] : {row}"));
        self.out.line("}");
    }

    /// A loop that computes the second row of the first one.
    fn pass(&mut self, first: &str, second: &str, row: &str) {
        let ty = self.ty;
        self.out.line("scf.for %i = %c0 to %n step %c1 {");
        let mut values = vec![self.out.value(&format!("memref.load {first}[%i] : {row}"))];
        for _ in 0..self.rng.range(1, 4) {
            let [a, b] = [(); 2].map(|()| self.rng.pick(&values).clone());
            let operation = match self.rng.below(10) {
                0 => format!("arith.addf {a}, {b} : {ty}"),
                1 => format!("arith.mulf {a}, {b} : {ty}"),
                2 => format!("math.powf {a}, {b} : {ty}"),
                3 => format!("arith.maximumf {a}, {b} : {ty}"),
                _ => format!("math.{} {a} : {ty}", self.rng.pick(&UNARY)),
            };
            let value = self.out.value(&operation);
            values.push(value);
        }
        let result = values.last().expect("it has an operation");
        let line = format!("memref.store {result}, {second}[%i] : {row}");
        self.out.line(&line);
        self.out.line("}");
    }
}
