//! Scalar code in blocks that stores, branches and stores again: what is stored before a branch, a
//! loop, a `cf.switch` or a call is read on some paths and overwritten on others.
//!
//! Some buffers are handed to functions that read or write them; others only see loads and stores, so
//! that their memory has an alias region of its own.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// How deep branches and loops are inside each other.
const MAX_DEPTH: usize = 3;

/// Elements per buffer.
const ELEMENTS: usize = 2;

/// The program with this seed.
pub(crate) fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from(PRELUDE);
    let functions = rng.range(1, 2);
    for number in 0..functions {
        Body::new(&mut rng, &mut text).function(number);
    }
    text.push_str("func.func @main() {\n");
    for number in 0..functions {
        for run in 0..3 {
            let _ = writeln!(
                text,
                "  %x{number}_{run} = arith.constant {} : index\n  \
                 func.call @f{number}(%x{number}_{run}) : (index) -> ()",
                rng.below(64)
            );
        }
    }
    text + "  return\n}\n"
}

/// Functions that read and write buffers without being inlined, and a global.
const PRELUDE: &str = r#"memref.global "private" @shared : memref<2xi64> = dense<[5, 6]>
func.func private @read(%m: memref<2xi64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<2xi64>
  %b = memref.load %m[%c1] : memref<2xi64>
  vector.print %a : i64
  vector.print %b : i64
  return
}
func.func private @write(%m: memref<2xi64>, %x: i64) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<2xi64>
  return
}
"#;

/// A buffer that can be used where the text is.
#[derive(Clone)]
struct Buffer {
    name: String,
    /// Whether functions may be given it.
    escapes: bool,
}

/// The body of a function; `%x` is its argument, which decides about branches.
struct Body<'a> {
    rng: &'a mut Rng,
    text: &'a mut String,
    names: usize,
    buffers: Vec<Buffer>,
    /// What is printed at the end: a number that depends on all loads.
    sum: String,
    /// How many statements there may still be.
    budget: usize,
}

impl<'a> Body<'a> {
    fn new(rng: &'a mut Rng, text: &'a mut String) -> Self {
        let budget = rng.range(6, 30);
        Self {
            rng,
            text,
            names: 0,
            buffers: Vec::new(),
            sum: "%zero".into(),
            budget,
        }
    }

    fn function(mut self, number: usize) {
        self.line(&format!(
            "func.func private @f{number}(%x: index) attributes {{passthrough = [\"noinline\"]}} {{"
        ));
        self.line("%zero = arith.constant 0 : i64");
        for index in 0..4 {
            self.line(&format!("%c{index} = arith.constant {index} : index"));
        }
        self.line("%global = memref.get_global @shared : memref<2xi64>");
        self.buffers.push(Buffer {
            name: "%global".into(),
            escapes: true,
        });
        self.new_buffer();
        self.statements(0);
        while self.budget > 0 {
            self.statements(0);
        }
        for buffer in self.buffers.clone() {
            self.load(&buffer, "%c0");
        }
        let sum = self.sum.clone();
        self.line(&format!("vector.print {sum} : i64"));
        self.line("return\n}");
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn number(&mut self) -> String {
        let name = self.name("%n");
        let number = self.rng.below(100);
        self.line(&format!("{name} = arith.constant {number} : i64"));
        name
    }

    fn buffer(&mut self) -> Buffer {
        // The newest one most of the time: what is stored there was stored a moment ago.
        match self.rng.chance(60) {
            true => self.buffers.last().expect("there is a global").clone(),
            false => self.rng.pick(&self.buffers).clone(),
        }
    }

    fn subscript(&mut self) -> String {
        format!("%c{}", self.rng.below(ELEMENTS))
    }

    fn new_buffer(&mut self) {
        let buffer = Buffer {
            name: self.name("%m"),
            escapes: self.rng.chance(60),
        };
        let op = match self.rng.chance(85) {
            true => "alloc",
            false => "alloca",
        };
        self.line(&format!("{} = memref.{op}() : memref<2xi64>", buffer.name));
        for index in 0..ELEMENTS {
            self.store(&buffer, &format!("%c{index}"));
        }
        self.buffers.push(buffer);
    }

    fn store(&mut self, buffer: &Buffer, subscript: &str) {
        let value = match self.rng.chance(70) {
            true => self.number(),
            false => self.sum.clone(),
        };
        let name = &buffer.name;
        self.line(&format!(
            "memref.store {value}, {name}[{subscript}] : memref<2xi64>"
        ));
    }

    fn load(&mut self, buffer: &Buffer, subscript: &str) {
        let value = self.name("%v");
        let name = &buffer.name;
        self.line(&format!(
            "{value} = memref.load {name}[{subscript}] : memref<2xi64>"
        ));
        let (scaled, sum) = (self.name("%s"), self.name("%s"));
        let old = self.sum.clone();
        // Not a power of two, so that no order of loads is like another one.
        self.line(&format!("{scaled} = arith.addi {old}, {old} : i64"));
        self.line(&format!("{sum} = arith.subi {value}, {scaled} : i64"));
        self.sum = sum;
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.rng.range(1, 4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let buffer = self.buffer();
            let subscript = self.subscript();
            match self.rng.below(if depth < MAX_DEPTH { 14 } else { 9 }) {
                0..=3 => self.store(&buffer, &subscript),
                4 | 5 => self.load(&buffer, &subscript),
                6 if buffer.escapes => self.line(&format!(
                    "func.call @read({}) : (memref<2xi64>) -> ()",
                    buffer.name
                )),
                7 if buffer.escapes => {
                    let number = self.number();
                    self.line(&format!(
                        "func.call @write({}, {number}) : (memref<2xi64>, i64) -> ()",
                        buffer.name
                    ));
                }
                6..=8 => self.new_buffer(),
                9 | 10 => self.branch(depth),
                11 => self.switch(depth),
                _ => self.blocks_loop(depth),
            }
        }
    }

    /// A condition that depends on the argument of the function.
    fn condition(&mut self) -> String {
        let (bits, condition) = (self.name("%b"), self.name("%b"));
        let (mask, value) = (self.name("%k"), self.rng.below(3) + 1);
        self.line(&format!("{mask} = arith.constant {} : index", 4 * value));
        self.line(&format!("{bits} = arith.andi %x, {mask} : index"));
        self.line(&format!("{condition} = arith.cmpi eq, {bits}, %c0 : index"));
        condition
    }

    /// Statements in a block of their own that goes on at `join`; what they make is gone there.
    fn side(&mut self, label: &str, join: &str, depth: usize, is_empty: bool) {
        let (buffers, sum) = (self.buffers.len(), self.sum.clone());
        self.line(&format!("{label}:"));
        if !is_empty {
            self.statements(depth + 1);
        }
        let result = std::mem::replace(&mut self.sum, sum);
        self.line(&format!("cf.br {join}({result} : i64)"));
        self.buffers.truncate(buffers);
    }

    fn join(&mut self, join: &str) {
        let sum = self.name("%s");
        self.line(&format!("{join}({sum}: i64):"));
        self.sum = sum;
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        let [yes, no, join] = ["^yes", "^no", "^join"].map(|prefix| self.name(prefix));
        let place = self.last_store();
        self.line(&format!("cf.cond_br {condition}, {yes}, {no}"));
        let is_empty = self.rng.chance(30);
        self.side(&yes, &join, depth, is_empty);
        self.side(&no, &join, depth, false);
        self.join(&join);
        if self.rng.chance(50) {
            self.store(&place.0, &place.1);
        }
    }

    fn switch(&mut self, depth: usize) {
        let (bits, flag) = (self.name("%b"), self.name("%b"));
        self.line(&format!("{bits} = arith.andi %x, %c3 : index"));
        self.line(&format!("{flag} = arith.index_cast {bits} : index to i32"));
        let [default, first, second, join] =
            ["^other", "^first", "^second", "^join"].map(|prefix| self.name(prefix));
        self.line(&format!(
            "cf.switch {flag} : i32, [default: {default}, 1: {first}, 2: {second}]"
        ));
        for label in [&default, &first, &second] {
            let is_empty = self.rng.chance(30);
            self.side(label, &join, depth, is_empty);
        }
        self.join(&join);
    }

    /// A loop whose header has statements of its own and is left after zero to three rounds. What the
    /// header makes is there behind the loop too.
    fn blocks_loop(&mut self, depth: usize) {
        let [head, body, exit] = ["^head", "^body", "^exit"].map(|prefix| self.name(prefix));
        let [i, sum, more, next, last] =
            ["%i", "%s", "%b", "%i", "%k"].map(|prefix| self.name(prefix));
        let before = self.sum.clone();
        self.line(&format!("{last} = arith.andi %x, %c3 : index"));
        self.line(&format!("cf.br {head}(%c0, {before} : index, i64)"));
        self.line(&format!("{head}({i}: index, {sum}: i64):"));
        self.sum = sum;
        if self.rng.chance(70) {
            self.new_buffer();
        }
        if self.rng.chance(50) {
            self.statements(depth + 1);
        }
        let place = self.last_store();
        self.line(&format!("{more} = arith.cmpi ult, {i}, {last} : index"));
        self.line(&format!("cf.cond_br {more}, {body}, {exit}"));
        let (buffers, left) = (self.buffers.len(), self.sum.clone());
        self.line(&format!("{body}:"));
        self.read_again(&place);
        self.statements(depth + 1);
        self.line(&format!("{next} = arith.addi {i}, %c1 : index"));
        let around = std::mem::replace(&mut self.sum, left);
        self.line(&format!("cf.br {head}({next}, {around} : index, i64)"));
        self.buffers.truncate(buffers);
        self.line(&format!("{exit}:"));
        if self.rng.chance(70) {
            self.store(&place.0, &place.1);
        }
    }

    /// A store, the last thing before control parts, and its place.
    fn last_store(&mut self) -> (Buffer, String) {
        let place = (self.buffer(), self.subscript());
        self.store(&place.0, &place.1);
        place
    }

    /// Something that may read what was stored a moment ago, maybe behind another store.
    fn read_again(&mut self, (buffer, subscript): &(Buffer, String)) {
        match self.rng.below(4) {
            0 | 1 if buffer.escapes => self.line(&format!(
                "func.call @read({}) : (memref<2xi64>) -> ()",
                buffer.name
            )),
            0..=2 => {
                let other = self.rng.pick(&self.buffers).clone();
                if other.name != buffer.name {
                    self.store(&other, subscript);
                }
                self.load(buffer, subscript);
            }
            _ => {}
        }
    }
}
