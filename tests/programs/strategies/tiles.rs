//! Loops over tiles. Their sizes are minima of affine maps with differences, scratch buffers have
//! those sizes, and whatever an affine map computes is computed once more by plain arithmetic: the
//! program stops where the two differ.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        out: Writer::default(),
    };
    program.write();
    program.out.text
}

struct Program {
    rng: Rng,
    out: Writer,
}

impl Program {
    fn constant(&mut self, number: i64) -> String {
        self.out.value(&format!("arith.constant {number} : index"))
    }

    fn binary(&mut self, operation: &str, a: &str, b: &str) -> String {
        self.out
            .value(&format!("arith.{operation} {a}, {b} : index"))
    }

    /// An affine expression over `inputs`, pairs of a name in maps and a value, and its value by
    /// arithmetic.
    fn expression(&mut self, inputs: &[(String, String)], depth: usize) -> (String, String) {
        if depth == 0 || self.rng.chance(15) {
            if self.rng.chance(20) {
                let number = self.rng.range(0, 12) as i64 - 5;
                return (number.to_string(), self.constant(number));
            }
            return inputs[self.rng.below(inputs.len())].clone();
        }
        let (map, value) = self.expression(inputs, depth - 1);
        match self.rng.below(8) {
            0 => {
                let factor = self.rng.range(0, 6) as i64 - 3;
                let number = self.constant(factor);
                (
                    format!("({map}) * {factor}"),
                    self.binary("muli", &value, &number),
                )
            }
            1 => {
                let divisor = self.rng.range(1, 6) as i64;
                let number = self.constant(divisor);
                let (operator, operation) = if self.rng.chance(50) {
                    ("floordiv", "floordivsi")
                } else {
                    ("ceildiv", "ceildivsi")
                };
                (
                    format!("({map}) {operator} {divisor}"),
                    self.binary(operation, &value, &number),
                )
            }
            2 => {
                let divisor = self.rng.range(1, 6) as i64;
                let number = self.constant(divisor);
                let quotient = self.binary("floordivsi", &value, &number);
                let multiple = self.binary("muli", &quotient, &number);
                (
                    format!("({map}) mod {divisor}"),
                    self.binary("subi", &value, &multiple),
                )
            }
            kind => {
                let (other, with) = self.expression(inputs, depth - 1);
                let (operator, operation) = if kind < 5 {
                    ('+', "addi")
                } else {
                    ('-', "subi")
                };
                (
                    format!("({map}) {operator} ({other})"),
                    self.binary(operation, &value, &with),
                )
            }
        }
    }

    /// What an `affine.apply`, `affine.min` or `affine.max` of some of these values is. `fixed` are
    /// results that a minimum has in any case.
    fn affine(&mut self, operands: &[&str], fixed: Option<&str>) -> String {
        let n_dims = self.rng.range(0, operands.len());
        let inputs: Vec<(String, String)> = (operands.iter().enumerate())
            .map(|(i, operand)| {
                let name = match i.checked_sub(n_dims) {
                    None => format!("d{i}"),
                    Some(symbol) => format!("s{symbol}"),
                };
                (name, (*operand).to_owned())
            })
            .collect();
        let (operation, combine) = match (fixed, self.rng.below(3)) {
            (None, 0) => ("apply", ""),
            (None, 1) => ("max", "maxsi"),
            _ => ("min", "minsi"),
        };
        let mut results = Vec::new();
        let mut expected: Option<String> = None;
        if let Some(fixed) = fixed {
            // The size of a tile: the rest, or the step.
            let rest = format!("{} - {}", inputs[0].0, inputs[1].0);
            results.extend([fixed.to_owned(), rest]);
            let step = self.constant(fixed.parse().unwrap_or(1));
            let rest = self.binary("subi", operands[0], operands[1]);
            expected = Some(self.binary("minsi", &step, &rest));
        } else {
            let count = if combine.is_empty() {
                1
            } else {
                self.rng.range(1, 3)
            };
            for _ in 0..count {
                let depth = self.rng.range(1, 3);
                let (map, value) = self.expression(&inputs, depth);
                results.push(map);
                expected = Some(match expected {
                    Some(before) => self.binary(combine, &before, &value),
                    None => value,
                });
            }
        }
        let names = |range: std::ops::Range<usize>| {
            let names: Vec<&str> = inputs[range].iter().map(|input| &*input.0).collect();
            names.join(", ")
        };
        let all = operands.len();
        let value = self.out.value(&format!(
            "affine.{operation} affine_map<({})[{}] -> ({})>({})[{}]",
            names(0..n_dims),
            names(n_dims..all),
            results.join(", "),
            operands[..n_dims].join(", "),
            operands[n_dims..].join(", "),
        ));
        let expected = expected.unwrap_or_default();
        let equal = self
            .out
            .value(&format!("arith.cmpi eq, {value}, {expected} : index"));
        self.out.line(&format!(
            "cf.assert {equal}, \"maps and arithmetic differ\""
        ));
        value
    }

    /// Loops over the tiles of `size` elements, with `body` in the loop over a tile.
    fn tiles(&mut self, size: &str, body: &mut dyn FnMut(&mut Self, &str, &str)) {
        let step = self.rng.range(1, 5).to_string();
        let step_value = self.constant(step.parse().unwrap_or(1));
        let number = self.out.fresh();
        let (outer, inner) = (format!("%i{number}"), format!("%j{number}"));
        self.out.line(&format!(
            "scf.for {outer} = %c0 to {size} step {step_value} {{"
        ));
        let tile = self.affine(&[size, &outer], Some(&step));
        let scratch = self
            .out
            .value(&format!("memref.alloc({tile}) : memref<?xindex>"));
        self.out
            .line(&format!("scf.for {inner} = %c0 to {tile} step %c1 {{"));
        let at = self.out.value(&format!(
            "affine.apply affine_map<(d0, d1) -> (d0 + d1)>({outer}, {inner})"
        ));
        body(self, &at, &inner);
        self.out.line(&format!(
            "memref.store {at}, {scratch}[{inner}] : memref<?xindex>\n  }}"
        ));
        self.out
            .line(&format!("scf.for {inner} = %c0 to {tile} step %c1 {{"));
        let back = self.affine(&[&tile, &inner], None);
        let last = self.binary("subi", &tile, "%c1");
        let mirrored = self.binary("subi", &last, &inner);
        let copied = self.out.value(&format!(
            "memref.load {scratch}[{mirrored}] : memref<?xindex>"
        ));
        let sum = self.binary("addi", &back, &copied);
        self.add(&sum);
        self.out.line("}\n  }");
    }

    /// Adds to the sum that is printed in the end.
    fn add(&mut self, value: &str) {
        let old = self.out.value("memref.load %sum[] : memref<index>");
        let doubled = self.binary("muli", &old, "%c3");
        let new = self.binary("addi", &doubled, value);
        self.out
            .line(&format!("memref.store {new}, %sum[] : memref<index>"));
    }

    fn write(&mut self) {
        let (n, m) = (self.rng.range(0, 11), self.rng.range(0, 7));
        let hidden = if self.rng.chance(50) {
            " attributes {passthrough = [\"noinline\"]}"
        } else {
            ""
        };
        let _ = writeln!(
            self.out.text,
            "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
             func.func private @tiles(%n: index, %m: index, %sum: memref<index>){hidden} {{\n  \
             %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
             %c3 = arith.constant 3 : index"
        );
        let nested = self.rng.chance(60);
        self.tiles("%n", &mut |program, at, inner| {
            let value = program.affine(&[at, inner, "%n", "%m"], None);
            program.add(&value);
            if nested {
                program.tiles("%m", &mut |program, other, _| {
                    let value = program.affine(&[at, other, "%m"], None);
                    program.add(&value);
                });
            }
        });
        let _ = writeln!(
            self.out.text,
            "  return\n}}\nfunc.func @main() {{\n  %n = arith.constant {n} : index\n  \
             %m = arith.constant {m} : index\n  %zero = arith.constant 0 : index\n  \
             %sum = memref.alloc() : memref<index>\n  memref.store %zero, %sum[] : memref<index>\n  \
             call @tiles(%n, %m, %sum) : (index, index, memref<index>) -> ()\n  \
             %total = memref.load %sum[] : memref<index>\n  \
             %number = arith.index_cast %total : index to i64\n  \
             call @printI64(%number) : (i64) -> ()\n  call @printNewline() : () -> ()\n  return\n}}"
        );
    }
}
