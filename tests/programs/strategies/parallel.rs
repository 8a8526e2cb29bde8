//! Parallel loops whose iterations call functions with many results, some of them the same buffer, and free those: what
//! decides about the frees must be of the iteration and not of the function.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        text: String::new(),
        values: 0,
        callees: Vec::new(),
    };
    program.write();
    program.text
}

struct Program {
    rng: Rng,
    text: String,
    values: usize,
    /// How many buffers each callee returns.
    callees: Vec<usize>,
}

const BUFFER: &str = "memref<4xi64>";

impl Program {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// Defines a value and returns its name.
    fn value(&mut self, operation: &str) -> String {
        self.values += 1;
        let name = format!("%v{}", self.values);
        self.line(&format!("{name} = {operation}"));
        name
    }

    fn write(&mut self) {
        self.text
            .push_str("func.func private @printI64(i64)\nfunc.func private @printNewline()\n");
        for number in 0..self.rng.range(1, 3) {
            self.callee(number);
        }
        self.text.push_str("func.func @main() {\n");
        for number in 0..4 {
            self.line(&format!("%c{number} = arith.constant {number} : index"));
        }
        let n = self.rng.range(40, 400);
        self.line(&format!("%n = arith.constant {n} : index"));
        self.line("%none = arith.constant 0 : i64");
        self.line("%seven = arith.constant 7 : i64");
        self.line("%out = memref.alloc(%n) : memref<?xi64>");
        self.line("linalg.fill ins(%none : i64) outs(%out : memref<?xi64>)");
        for _ in 0..self.rng.range(1, 3) {
            self.parallel_loop();
        }
        self.line("%sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {");
        let x = self.value("memref.load %out[%i] : memref<?xi64>");
        let scaled = self.value("arith.muli %before, %seven : i64");
        let next = self.value(&format!("arith.addi {scaled}, {x} : i64"));
        self.line(&format!("scf.yield {next} : i64"));
        self.line("}");
        self.line("func.call @printI64(%sum) : (i64) -> ()");
        self.line("func.call @printNewline() : () -> ()");
        self.line("return");
        self.text.push_str("}\n");
    }

    /// A function that returns buffers, some of them several times.
    fn callee(&mut self, number: usize) {
        let n_results = *self.rng.pick(&[1, 2, 3, 5, 8, 12, 17]);
        self.callees.push(n_results);
        let types = vec![BUFFER; n_results].join(", ");
        let _ = writeln!(
            self.text,
            "func.func private @many{number}(%x: i64, %t: i1) -> ({types}) attributes {{no_inline}} {{"
        );
        self.line("%one = arith.constant 1 : i64");
        self.line("%y = arith.addi %x, %one : i64");
        let mut buffers = Vec::new();
        for number in 0..self.rng.range(1, 4) {
            let buffer = self.value(&format!("memref.alloc() : {BUFFER}"));
            let filled = if number % 2 == 0 { "%x" } else { "%y" };
            self.line(&format!(
                "linalg.fill ins({filled} : i64) outs({buffer} : {BUFFER})"
            ));
            buffers.push(buffer);
        }
        for _ in 0..self.rng.below(3) {
            let [a, b] = [(); 2].map(|()| self.rng.pick(&buffers).clone());
            let picked = self.value(&format!("arith.select %t, {a}, {b} : {BUFFER}"));
            buffers.push(picked);
        }
        let returned: Vec<String> = (0..n_results)
            .map(|_| self.rng.pick(&buffers).clone())
            .collect();
        self.line(&format!("return {} : {types}", returned.join(", ")));
        self.text.push_str("}\n");
    }

    fn parallel_loop(&mut self) {
        let kind = self.rng.below(5);
        let two = self.rng.chance(25);
        match (kind, two) {
            (0, _) => self.line("scf.forall (%i) in (%n) {"),
            (1, _) => self.line("affine.parallel (%i) = (0) to (symbol(%n)) {"),
            (2, _) => self.line(
                "%total = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%none) -> i64 {",
            ),
            (_, true) => {
                self.line("scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {");
            }
            _ => self.line("scf.parallel (%i) = (%c0) to (%n) step (%c1) {"),
        }
        self.line("%x = arith.index_cast %i : index to i64");
        let third = self.value("arith.remui %i, %c3 : index");
        self.line(&format!("%t = arith.cmpi eq, {third}, %c0 : index"));
        let mut sum = "%x".to_owned();
        for _ in 0..self.rng.range(1, 3) {
            sum = match self.rng.below(4) {
                0 => {
                    let before = sum;
                    let result = self.values + 1;
                    self.values += 1;
                    self.line(&format!("%v{result} = scf.if %t -> i64 {{"));
                    let then = self.call(&before);
                    self.line(&format!("scf.yield {then} : i64"));
                    self.line("} else {");
                    self.line(&format!("scf.yield {before} : i64"));
                    self.line("}");
                    format!("%v{result}")
                }
                1 => {
                    let result = self.values + 1;
                    self.values += 1;
                    self.line(&format!(
                        "%v{result} = scf.for %k{result} = %c0 to %c3 step %c1 iter_args(%s{result} = {sum}) -> i64 {{"
                    ));
                    let next = self.call(&format!("%s{result}"));
                    self.line(&format!("scf.yield {next} : i64"));
                    self.line("}");
                    format!("%v{result}")
                }
                _ => self.call(&sum),
            };
        }
        let old = self.value("memref.load %out[%i] : memref<?xi64>");
        let new = self.value(&format!("arith.addi {old}, {sum} : i64"));
        self.line(&format!("memref.store {new}, %out[%i] : memref<?xi64>"));
        match kind {
            0 | 1 => self.line("}"),
            2 => {
                self.line(&format!("scf.reduce({sum} : i64) {{"));
                self.line("^bb0(%a: i64, %b: i64):");
                self.line("%both = arith.addi %a, %b : i64");
                self.line("scf.reduce.return %both : i64");
                self.line("}");
                self.line("}");
                self.line("func.call @printI64(%total) : (i64) -> ()");
                self.line("func.call @printNewline() : () -> ()");
                // Once per function.
                self.text = self.text.replace("%total", &format!("%all{}", self.values));
            }
            _ => {
                self.line("scf.reduce");
                self.line("}");
            }
        }
    }

    /// A call whose results are read and then dead; gives what `before` and they come to.
    fn call(&mut self, before: &str) -> String {
        let number = self.rng.below(self.callees.len());
        let n_results = self.callees[number];
        let types = vec![BUFFER; n_results].join(", ");
        self.values += 1;
        let results = format!("%v{}", self.values);
        let list = match n_results {
            1 => results.clone(),
            _ => format!("{results}:{n_results}"),
        };
        self.line(&format!(
            "{list} = func.call @many{number}(%x, %t) : (i64, i1) -> ({types})"
        ));
        let mut sum = before.to_owned();
        for result in 0..n_results {
            if self.rng.chance(60) {
                let buffer = match n_results {
                    1 => results.clone(),
                    _ => format!("{results}#{result}"),
                };
                let index = *self.rng.pick(&["%c0", "%c1", "%c2", "%c3"]);
                let x = self.value(&format!("memref.load {buffer}[{index}] : {BUFFER}"));
                sum = self.value(&format!("arith.addi {sum}, {x} : i64"));
            }
        }
        sum
    }
}
