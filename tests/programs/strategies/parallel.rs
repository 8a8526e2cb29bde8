//! Parallel loops whose iterations call functions with many results, some of them the same buffer, and free those: what
//! decides about the frees must be of the iteration and not of the function. Iterations also write and read at one
//! place of a buffer, an argument or a global, so that they must not run at the same time.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        out: Writer::default(),
        callees: Vec::new(),
    };
    program.write();
    program.out.text
}

struct Program {
    rng: Rng,
    out: Writer,
    /// How many buffers each callee returns.
    callees: Vec<usize>,
}

const BUFFER: &str = "memref<4xi64>";

impl Program {
    fn write(&mut self) {
        self.out.declare_print();
        let _ = write!(
            self.out.text,
            "memref.global \"private\" @scratch : {BUFFER} = dense<0>\n\
             func.func private @put(%m: {BUFFER}, %k: index, %x: i64) attributes {{no_inline}} {{\n  \
             memref.store %x, %m[%k] : {BUFFER}\n  return\n}}\n\
             func.func private @put_global(%x: i64) attributes {{no_inline}} {{\n  \
             %k = arith.constant 0 : index\n  %m = memref.get_global @scratch : {BUFFER}\n  \
             memref.store %x, %m[%k] : {BUFFER}\n  return\n}}\n"
        );
        for number in 0..self.rng.range(1, 3) {
            self.callee(number);
        }
        let in_function = self.rng.chance(40);
        if in_function {
            let _ = writeln!(
                self.out.text,
                "func.func private @loops(%out: memref<?xi64>, %shared: {BUFFER}, %n: index) attributes {{no_inline}} {{"
            );
            self.constants();
            self.parallel_loops();
            self.out.line("return");
            self.out.text.push_str("}\n");
        }
        self.out.text.push_str("func.func @main() {\n");
        self.constants();
        let n = self.rng.range(40, 400);
        self.out.line(&format!("%n = arith.constant {n} : index"));
        self.out.line("%seven = arith.constant 7 : i64");
        self.out.line("%out = memref.alloc(%n) : memref<?xi64>");
        self.out
            .line(&format!("%shared = memref.alloc() : {BUFFER}"));
        self.out
            .line("linalg.fill ins(%none : i64) outs(%out : memref<?xi64>)");
        match in_function {
            true => self.out.line(&format!(
                "func.call @loops(%out, %shared, %n) : (memref<?xi64>, {BUFFER}, index) -> ()"
            )),
            false => self.parallel_loops(),
        }
        self.out
            .line("%sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {");
        let x = self.out.value("memref.load %out[%i] : memref<?xi64>");
        let scaled = self.out.value("arith.muli %before, %seven : i64");
        let next = self.out.value(&format!("arith.addi {scaled}, {x} : i64"));
        self.out.line(&format!("scf.yield {next} : i64"));
        self.out.line("}");
        self.out.print("%sum");
        self.out.line("return");
        self.out.text.push_str("}\n");
    }

    fn constants(&mut self) {
        for number in 0..4 {
            self.out
                .line(&format!("%c{number} = arith.constant {number} : index"));
        }
        self.out.line("%none = arith.constant 0 : i64");
    }

    fn parallel_loops(&mut self) {
        for _ in 0..self.rng.range(1, 3) {
            self.parallel_loop();
        }
    }

    /// Writes what there is so far to a place that all iterations share, and reads it after a while.
    fn through_scratch(&mut self, before: &str) -> String {
        let place = *self.rng.pick(&["%c0", "%c1", "%c2"]);
        let (memory, place) = match self.rng.below(3) {
            0 => {
                self.out
                    .line(&format!("func.call @put_global({before}) : (i64) -> ()"));
                let global = format!("memref.get_global @scratch : {BUFFER}");
                (self.out.value(&global), "%c0")
            }
            1 => {
                let global = format!("memref.get_global @scratch : {BUFFER}");
                (self.out.value(&global), place)
            }
            _ => ("%shared".to_owned(), place),
        };
        match self.rng.chance(40) {
            true => self.out.line(&format!(
                "func.call @put({memory}, {place}, {before}) : ({BUFFER}, index, i64) -> ()"
            )),
            false => self.out.line(&format!(
                "memref.store {before}, {memory}[{place}] : {BUFFER}"
            )),
        }
        let after = self.call(before);
        let read = self
            .out
            .value(&format!("memref.load {memory}[{place}] : {BUFFER}"));
        self.out.value(&format!("arith.addi {after}, {read} : i64"))
    }

    /// A function that returns buffers, some of them several times.
    fn callee(&mut self, number: usize) {
        let n_results = *self.rng.pick(&[1, 2, 3, 5, 8, 12, 17]);
        self.callees.push(n_results);
        let types = vec![BUFFER; n_results].join(", ");
        let _ = writeln!(
            self.out.text,
            "func.func private @many{number}(%x: i64, %t: i1) -> ({types}) attributes {{no_inline}} {{"
        );
        self.out.line("%one = arith.constant 1 : i64");
        self.out.line("%y = arith.addi %x, %one : i64");
        let mut buffers = Vec::new();
        for number in 0..self.rng.range(1, 4) {
            let buffer = self.out.value(&format!("memref.alloc() : {BUFFER}"));
            let filled = if number % 2 == 0 { "%x" } else { "%y" };
            self.out.line(&format!(
                "linalg.fill ins({filled} : i64) outs({buffer} : {BUFFER})"
            ));
            buffers.push(buffer);
        }
        for _ in 0..self.rng.below(3) {
            let [a, b] = [(); 2].map(|()| self.rng.pick(&buffers).clone());
            let picked = self
                .out
                .value(&format!("arith.select %t, {a}, {b} : {BUFFER}"));
            buffers.push(picked);
        }
        let returned: Vec<String> = (0..n_results)
            .map(|_| self.rng.pick(&buffers).clone())
            .collect();
        self.out
            .line(&format!("return {} : {types}", returned.join(", ")));
        self.out.text.push_str("}\n");
    }

    fn parallel_loop(&mut self) {
        let kind = self.rng.below(5);
        let two = self.rng.chance(25);
        match (kind, two) {
            (0, _) => self.out.line("scf.forall (%i) in (%n) {"),
            (1, _) => self
                .out
                .line("affine.parallel (%i) = (0) to (symbol(%n)) {"),
            (2, _) => self.out.line(
                "%total = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%none) -> i64 {",
            ),
            (_, true) => {
                self.out
                    .line("scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {");
            }
            _ => self
                .out
                .line("scf.parallel (%i) = (%c0) to (%n) step (%c1) {"),
        }
        self.out.line("%x = arith.index_cast %i : index to i64");
        let third = self.out.value("arith.remui %i, %c3 : index");
        self.out
            .line(&format!("%t = arith.cmpi eq, {third}, %c0 : index"));
        let mut sum = "%x".to_owned();
        for _ in 0..self.rng.range(1, 3) {
            sum = match self.rng.below(4) {
                0 => {
                    let before = sum;
                    let result = self.out.fresh();
                    self.out.line(&format!("%v{result} = scf.if %t -> i64 {{"));
                    let then = self.call(&before);
                    self.out.line(&format!("scf.yield {then} : i64"));
                    self.out.line("} else {");
                    self.out.line(&format!("scf.yield {before} : i64"));
                    self.out.line("}");
                    format!("%v{result}")
                }
                1 => {
                    let result = self.out.fresh();
                    self.out.line(&format!(
                        "%v{result} = scf.for %k{result} = %c0 to %c3 step %c1 iter_args(%s{result} = {sum}) -> i64 {{"
                    ));
                    let next = self.call(&format!("%s{result}"));
                    self.out.line(&format!("scf.yield {next} : i64"));
                    self.out.line("}");
                    format!("%v{result}")
                }
                _ => self.call(&sum),
            };
        }
        if self.rng.chance(40) {
            sum = self.through_scratch(&sum);
        }
        let old = self.out.value("memref.load %out[%i] : memref<?xi64>");
        let new = self.out.value(&format!("arith.addi {old}, {sum} : i64"));
        self.out
            .line(&format!("memref.store {new}, %out[%i] : memref<?xi64>"));
        match kind {
            0 | 1 => self.out.line("}"),
            2 => {
                self.out.line(&format!("scf.reduce({sum} : i64) {{"));
                self.out.line("^bb0(%a: i64, %b: i64):");
                self.out.line("%both = arith.addi %a, %b : i64");
                self.out.line("scf.reduce.return %both : i64");
                self.out.line("}");
                self.out.line("}");
                self.out.print("%total");
                // Once per function.
                let number = self.out.fresh();
                self.out.text = self.out.text.replace("%total", &format!("%all{number}"));
            }
            _ => {
                self.out.line("scf.reduce");
                self.out.line("}");
            }
        }
    }

    /// A call whose results are read and then dead; gives what `before` and they come to.
    fn call(&mut self, before: &str) -> String {
        let number = self.rng.below(self.callees.len());
        let n_results = self.callees[number];
        let types = vec![BUFFER; n_results].join(", ");
        let results = self.out.name();
        let list = match n_results {
            1 => results.clone(),
            _ => format!("{results}:{n_results}"),
        };
        self.out.line(&format!(
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
                let x = self
                    .out
                    .value(&format!("memref.load {buffer}[{index}] : {BUFFER}"));
                sum = self.out.value(&format!("arith.addi {sum}, {x} : i64"));
            }
        }
        sum
    }
}
