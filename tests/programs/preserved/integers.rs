//! Programs that compute with integers of two widths and print narrow ones only. The wider ones are in buffers and in
//! vectors, or go through calls, loops and branches.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// Elements of the buffers.
const SIZE: usize = 3;

const BINARY: [&str; 14] = [
    "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui", "addi",
    "muli", "subi", "xori",
];

const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

struct Writer {
    rng: Rng,
    text: String,
    n_names: usize,
    /// Bits of the narrow integers; the wide ones have twice as many.
    bits: u32,
    /// Length of vectors, or 0 for single numbers.
    lanes: usize,
    /// Whether wide integers are in a buffer; else a function, loops and branches pass them on.
    in_buffer: bool,
    wide: Vec<String>,
    narrow: Vec<String>,
    flags: Vec<String>,
}

/// The program with this seed, with a buffer.
pub(super) fn generate(seed: u64) -> String {
    program(seed, true)
}

/// The program with this seed, without buffers.
pub(super) fn generate_passed(seed: u64) -> String {
    program(seed, false)
}

fn program(seed: u64, in_buffer: bool) -> String {
    let mut rng = Rng::new(seed);
    let bits = *rng.pick(&[8, 16, 32, 32, 32]);
    let lanes = if rng.chance(25) { 3 } else { 0 };
    let mut writer = Writer {
        rng,
        text: String::new(),
        n_names: 0,
        bits,
        lanes,
        in_buffer,
        wide: Vec::new(),
        narrow: Vec::new(),
        flags: Vec::new(),
    };
    writer.main();
    writer.text
}

impl Writer {
    fn ty(&self, bits: u32) -> String {
        match self.lanes {
            0 => format!("i{bits}"),
            n => format!("vector<{n}xi{bits}>"),
        }
    }

    fn wide_type(&self) -> String {
        self.ty(2 * self.bits)
    }

    fn narrow_type(&self) -> String {
        self.ty(self.bits)
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%{}", self.n_names)
    }

    /// A line that makes a value.
    fn line(&mut self, what: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.text, "  {name} = {what}");
        name
    }

    fn any(&mut self, values: &[String]) -> String {
        self.rng.pick(values).clone()
    }

    /// A number that has interesting bits.
    fn number(&mut self, bits: u32) -> i128 {
        let wide = (u128::from(self.rng.next()) << 64 | u128::from(self.rng.next())) as i128;
        let value = match self.rng.below(5) {
            0 => wide,
            1 => wide % 5,
            2 => 1 << self.rng.below(bits as usize),
            3 => -1 << self.rng.below(bits as usize),
            _ => (1 << self.rng.below(bits as usize)) - 1,
        };
        // The value of that many bits.
        value << (128 - bits) >> (128 - bits)
    }

    fn constant(&mut self, bits: u32) -> String {
        let ty = self.ty(bits);
        match self.lanes {
            0 => {
                let number = self.number(bits);
                self.line(&format!("arith.constant {number} : {ty}"))
            }
            n => {
                let numbers: Vec<String> = (0..n).map(|_| self.number(bits).to_string()).collect();
                self.line(&format!(
                    "arith.constant dense<[{}]> : {ty}",
                    numbers.join(", ")
                ))
            }
        }
    }

    /// A wide number that is not negative and less than twice the bits of the narrow ones, mostly.
    fn amount(&mut self) -> String {
        let ty = self.wide_type();
        let max = 2 * self.bits as usize;
        let numbers: Vec<String> = (0..self.lanes.max(1))
            .map(|_| self.rng.below(max).to_string())
            .collect();
        match self.lanes {
            0 => self.line(&format!("arith.constant {} : {ty}", numbers[0])),
            _ => self.line(&format!(
                "arith.constant dense<[{}]> : {ty}",
                numbers.join(", ")
            )),
        }
    }

    fn main(&mut self) {
        if !self.in_buffer {
            let (ty, op) = (self.wide_type(), *self.rng.pick(&BINARY));
            let _ = writeln!(
                self.text,
                "func.func private @work(%a: {ty}, %b: {ty}) -> {ty} {{\n  %r = arith.{op} %a, %b : {ty}\n  \
                 return %r : {ty}\n}}"
            );
        }
        self.text.push_str("func.func @main() {\n");
        let memref = match self.lanes {
            0 => format!("memref<{SIZE}xi{}>", 2 * self.bits),
            _ => format!("memref<{SIZE}x{}>", self.wide_type()),
        };
        for index in 0..SIZE {
            let _ = writeln!(self.text, "  %c{index} = arith.constant {index} : index");
        }
        if self.in_buffer {
            let _ = writeln!(self.text, "  %m = memref.alloc() : {memref}");
        }
        for index in 0..SIZE {
            let value = self.constant(2 * self.bits);
            if self.in_buffer {
                let _ = writeln!(
                    self.text,
                    "  memref.store {value}, %m[%c{index}] : {memref}"
                );
            }
            self.wide.push(value);
        }
        for _ in 0..2 {
            let value = self.constant(self.bits);
            self.narrow.push(value);
        }
        for _ in 0..self.rng.range(4, 16) {
            self.statement(&memref);
        }
        if !self.in_buffer {
            for value in self.wide.clone().iter().rev().take(SIZE) {
                self.show(value);
            }
            self.text.push_str("  return\n}\n");
            return;
        }
        for index in 0..SIZE {
            let value = self.line(&format!("memref.load %m[%c{index}] : {memref}"));
            self.show(&value);
        }
        let _ = writeln!(self.text, "  memref.dealloc %m : {memref}\n  return\n}}");
    }

    fn statement(&mut self, memref: &str) {
        let (wide, narrow) = (self.wide_type(), self.narrow_type());
        let wides = self.wide.clone();
        let (a, b) = (self.any(&wides), self.any(&wides));
        let narrows = self.narrow.clone();
        let n = self.any(&narrows);
        let index = self.rng.below(SIZE);
        match self.rng.below(12) {
            0..4 => {
                let op = *self.rng.pick(&BINARY);
                let value = self.line(&format!("arith.{op} {a}, {b} : {wide}"));
                self.wide.push(value);
            }
            4 => {
                let by = self.amount();
                let op = *self.rng.pick(&["shli", "shrsi", "shrui"]);
                let value = self.line(&format!("arith.{op} {a}, {by} : {wide}"));
                self.wide.push(value);
            }
            5 => {
                let op = *self.rng.pick(&PREDICATES);
                let flag = self.line(&format!("arith.cmpi {op}, {a}, {b} : {wide}"));
                self.flags.push(flag.clone());
                let ty = match self.lanes {
                    0 => wide,
                    lanes => format!("vector<{lanes}xi1>, {wide}"),
                };
                let value = self.line(&format!("arith.select {flag}, {a}, {b} : {ty}"));
                self.wide.push(value);
            }
            6 => {
                let op = *self.rng.pick(&["extsi", "extui"]);
                let value = self.line(&format!("arith.{op} {n} : {narrow} to {wide}"));
                self.wide.push(value);
            }
            7 => {
                let value = self.line(&format!("arith.trunci {a} : {wide} to {narrow}"));
                self.narrow.push(value);
            }
            8 if !self.in_buffer => {
                let value = self.line(&format!(
                    "func.call @work({a}, {b}) : ({wide}, {wide}) -> {wide}"
                ));
                self.wide.push(value);
            }
            9 if !self.in_buffer => {
                let op = *self.rng.pick(&BINARY);
                let (counter, carried, next) = (self.name(), self.name(), self.name());
                let value = self.line(&format!(
                    "scf.for {counter} = %c0 to %c2 step %c1 iter_args({carried} = {a}) -> ({wide}) {{\n    \
                     {next} = arith.{op} {carried}, {b} : {wide}\n    scf.yield {next} : {wide}\n  }}"
                ));
                self.wide.push(value);
            }
            8 => {
                let value = self.line(&format!("memref.load %m[%c{index}] : {memref}"));
                self.wide.push(value);
            }
            9 => {
                let _ = writeln!(self.text, "  memref.store {a}, %m[%c{index}] : {memref}");
            }
            10 if self.lanes == 0 => {
                let op = *self.rng.pick(&["index_cast", "index_castui"]);
                let at = self.line(&format!("arith.{op} {a} : {wide} to index"));
                let value = self.line(&format!("arith.{op} {at} : index to {wide}"));
                self.wide.push(value);
            }
            _ if self.lanes == 0 && self.bits <= 32 => {
                // A float that holds all of it, and numbers that it can be converted to again.
                let op = *self.rng.pick(&["sitofp", "uitofp"]);
                let float = self.line(&format!("arith.{op} {a} : {wide} to f64"));
                let half = self.line("arith.constant 0.375 : f64");
                let float = self.line(&format!("arith.mulf {float}, {half} : f64"));
                let back = match op {
                    "sitofp" => "fptosi",
                    _ => "fptoui",
                };
                let value = self.line(&format!("arith.{back} {float} : f64 to {wide}"));
                self.wide.push(value);
            }
            _ => {}
        }
    }

    /// Prints both halves.
    fn show(&mut self, value: &str) {
        let (wide, narrow) = (self.wide_type(), self.narrow_type());
        let bits = self.bits;
        let by = match self.lanes {
            0 => self.line(&format!("arith.constant {bits} : {wide}")),
            _ => self.line(&format!("arith.constant dense<{bits}> : {wide}")),
        };
        let high = self.line(&format!("arith.shrui {value}, {by} : {wide}"));
        for value in [value, &high] {
            let low = self.line(&format!("arith.trunci {value} : {wide} to {narrow}"));
            let _ = writeln!(self.text, "  vector.print {low} : {narrow}");
        }
    }
}
