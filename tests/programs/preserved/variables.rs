//! Programs with numbers and small arrays on the stack, which blocks, branches and loops read and write.

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// An element of a variable.
#[derive(Clone)]
struct Place {
    variable: String,
    ty: &'static str,
    subscripts: &'static str,
}

#[derive(Clone, Default)]
struct Scope {
    values: Vec<String>,
    /// Places that hold something.
    places: Vec<Place>,
    /// Places that may hold nothing.
    empty: Vec<Place>,
    counters: Vec<String>,
}

struct Writer {
    rng: Rng,
    text: String,
    n_names: usize,
    n_blocks: usize,
    /// Whether control flow is made of blocks.
    has_blocks: bool,
    scope: Scope,
    depth: usize,
}

const SHAPES: [(&str, &[&str]); 5] = [
    ("memref<i32>", &[""]),
    ("memref<1xi32>", &["%c0"]),
    ("memref<2xi32>", &["%c0", "%c1"]),
    ("memref<4xi32>", &["%c0", "%c1", "%c2", "%c3"]),
    (
        "memref<2x2xi32>",
        &["%c0, %c0", "%c0, %c1", "%c1, %c0", "%c1, %c1"],
    ),
];

/// The program with this seed.
pub(super) fn generate(seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed),
        text: String::new(),
        n_names: 0,
        n_blocks: 0,
        has_blocks: false,
        scope: Scope::default(),
        depth: 0,
    };
    let n_functions = writer.rng.range(1, 3);
    for number in 0..n_functions {
        writer.has_blocks = writer.rng.chance(60);
        writer.function(number);
    }
    writer.main(n_functions);
    writer.text
}

impl Writer {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%{}", self.n_names)
    }

    fn block(&mut self) -> String {
        self.n_blocks += 1;
        format!("^bb{}", self.n_blocks)
    }

    fn line(&mut self, what: &str) {
        let _ = writeln!(self.text, "  {what}");
    }

    fn value(&mut self, what: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {what}"));
        name
    }

    fn main(&mut self, n_functions: usize) {
        self.text.push_str("func.func @main() {\n");
        for number in 0..n_functions {
            for _ in 0..2 {
                let [x, y] = [(); 2].map(|()| {
                    let number = self.rng.below(21) as i64 - 10;
                    self.value(&format!("arith.constant {number} : i32"))
                });
                let n = self.rng.below(4);
                let n = self.value(&format!("arith.constant {n} : index"));
                let result = self.value(&format!(
                    "call @f{number}({x}, {y}, {n}) : (i32, i32, index) -> i32"
                ));
                self.line(&format!("vector.print {result} : i32"));
            }
        }
        self.text.push_str("  return\n}\n");
    }

    fn function(&mut self, number: usize) {
        (self.n_names, self.n_blocks) = (0, 0);
        let _ = writeln!(
            self.text,
            "func.func private @f{number}(%x: i32, %y: i32, %n: index) -> i32 {{"
        );
        for number in 0..4 {
            self.line(&format!("%c{number} = arith.constant {number} : index"));
        }
        self.scope = Scope {
            values: vec!["%x".to_owned(), "%y".to_owned()],
            ..Scope::default()
        };
        for _ in 0..self.rng.range(1, 3) {
            self.variable();
        }
        self.statements();
        let mut sum = "%x".to_owned();
        for place in self.scope.places.clone() {
            let value = self.load(&place);
            sum = self.value(&format!("arith.muli {sum}, %y : i32"));
            sum = self.value(&format!("arith.addi {sum}, {value} : i32"));
        }
        self.line(&format!("return {sum} : i32"));
        self.text.push_str("}\n");
    }

    /// A variable, most of whose places are written at once.
    fn variable(&mut self) {
        let (ty, places) = *self.rng.pick(&SHAPES);
        let variable = self.value(&format!("memref.alloca() : {ty}"));
        for subscripts in places {
            let place = Place {
                variable: variable.clone(),
                ty,
                subscripts,
            };
            match self.rng.chance(80) {
                true => {
                    let value = self.number();
                    self.store(&value, &place);
                    self.scope.places.push(place);
                }
                false => self.scope.empty.push(place),
            }
        }
        // What takes the variable elsewhere leaves it in memory.
        if ty == "memref<4xi32>" && self.rng.chance(8) {
            let cast = self.value(&format!("memref.cast {variable} : {ty} to memref<?xi32>"));
            let value = self.number();
            self.line(&format!(
                "memref.store {value}, {cast}[%c2] : memref<?xi32>"
            ));
        }
    }

    fn load(&mut self, place: &Place) -> String {
        let Place {
            variable,
            ty,
            subscripts,
        } = place;
        self.value(&format!("memref.load {variable}[{subscripts}] : {ty}"))
    }

    fn store(&mut self, value: &str, place: &Place) {
        let Place {
            variable,
            ty,
            subscripts,
        } = place;
        self.line(&format!(
            "memref.store {value}, {variable}[{subscripts}] : {ty}"
        ));
    }

    /// Some number that is there, or a new one.
    fn number(&mut self) -> String {
        let value = match self.rng.below(6) {
            0 => {
                let number = self.rng.below(9);
                return self.value(&format!("arith.constant {number} : i32"));
            }
            1 | 2 if !self.scope.places.is_empty() => {
                let places = self.scope.places.clone();
                let place = self.rng.pick(&places).clone();
                self.load(&place)
            }
            3 if !self.scope.counters.is_empty() => {
                let counters = self.scope.counters.clone();
                let counter = self.rng.pick(&counters).clone();
                self.value(&format!("arith.index_cast {counter} : index to i32"))
            }
            _ => self.rng.pick(&self.scope.values).clone(),
        };
        if self.rng.chance(50) {
            return value;
        }
        let other = self.rng.pick(&self.scope.values).clone();
        let op = *self.rng.pick(&["addi", "muli", "xori", "subi", "maxsi"]);
        let value = self.value(&format!("arith.{op} {value}, {other} : i32"));
        self.scope.values.push(value.clone());
        value
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        let predicate = *self.rng.pick(&["slt", "sge", "ne", "ult"]);
        self.value(&format!("arith.cmpi {predicate}, {a}, {b} : i32"))
    }

    fn statements(&mut self) {
        for _ in 0..self.rng.range(2, 5) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let n = if self.depth < 3 { 10 } else { 6 };
        match self.rng.below(n) {
            0..=2 => {
                let value = self.number();
                let places = self.scope.places.clone();
                if !places.is_empty() {
                    let place = self.rng.pick(&places).clone();
                    self.store(&value, &place);
                }
            }
            3 => {
                let value = self.number();
                if let Some(place) = self.scope.empty.pop() {
                    self.store(&value, &place);
                    self.scope.places.push(place);
                }
            }
            4 => {
                let value = self.number();
                self.scope.values.push(value);
            }
            5 if self.depth > 0 => self.variable(),
            5 => self.subscript(),
            6 | 7 => self.branch(),
            8 => self.repetition(),
            _ if self.has_blocks => self.way_out(),
            _ => self.branch(),
        }
    }

    /// An access at a place that is not constant.
    fn subscript(&mut self) {
        let whole = self.scope.places.iter().find(|place| {
            let places = self.scope.places.iter();
            let same = places.filter(|other| other.variable == place.variable);
            place.ty == "memref<4xi32>" && same.count() == 4
        });
        let Some(variable) = whole.map(|place| place.variable.clone()) else {
            return;
        };
        if !self.rng.chance(20) || self.scope.counters.is_empty() {
            return;
        }
        let counters = self.scope.counters.clone();
        let counter = self.rng.pick(&counters).clone();
        let value = self.value(&format!(
            "memref.load {variable}[{counter}] : memref<4xi32>"
        ));
        self.scope.values.push(value);
    }

    /// Statements whose values and variables end with them.
    fn inner(&mut self) {
        let outer = self.scope.clone();
        self.depth += 1;
        self.statements();
        self.depth -= 1;
        self.scope = outer;
    }

    fn branch(&mut self) {
        let condition = self.condition();
        if !self.has_blocks {
            let has_result = self.rng.chance(40);
            let result = self.name();
            match has_result {
                true => self.line(&format!("{result} = scf.if {condition} -> i32 {{")),
                false => self.line(&format!("scf.if {condition} {{")),
            }
            let has_else = has_result || self.rng.chance(50);
            for at in 0..1 + usize::from(has_else) {
                if at == 1 {
                    self.line("} else {");
                }
                let outer = self.scope.clone();
                self.depth += 1;
                self.statements();
                if has_result {
                    let value = self.number();
                    self.line(&format!("scf.yield {value} : i32"));
                }
                self.depth -= 1;
                self.scope = outer;
            }
            self.line("}");
            if has_result {
                self.scope.values.push(result);
            }
            return;
        }
        let (then, join) = (self.block(), self.block());
        match self.rng.below(3) {
            // Nothing else, so that one edge goes from a branch to a join.
            0 => self.line(&format!("cf.cond_br {condition}, {then}, {join}")),
            1 => {
                let other = self.block();
                self.line(&format!("cf.cond_br {condition}, {then}, {other}"));
                self.line(&format!("{other}:"));
                self.inner();
                self.line(&format!("cf.br {join}"));
            }
            _ => {
                let (other, value) = (self.block(), self.number());
                self.line(&format!(
                    "cf.switch {value} : i32, [default: {join}, 1: {then}, 2: {other}]"
                ));
                self.line(&format!("{other}:"));
                self.inner();
                self.line(&format!("cf.br {then}"));
            }
        }
        self.line(&format!("{then}:"));
        self.inner();
        self.line(&format!("cf.br {join}"));
        self.line(&format!("{join}:"));
    }

    fn repetition(&mut self) {
        let bound = *self.rng.pick(&["%n", "%c3", "%c2", "%c1"]);
        let counter = self.name();
        if !self.has_blocks {
            self.line(&format!("scf.for {counter} = %c0 to {bound} step %c1 {{"));
            self.scope.counters.push(counter);
            self.inner();
            self.scope.counters.pop();
            self.line("}");
            return;
        }
        let [head, body, latch, exit] = [(); 4].map(|()| self.block());
        self.line(&format!("cf.br {head}(%c0 : index)"));
        self.line(&format!("{head}({counter}: index):"));
        let goes_on = self.value(&format!("arith.cmpi slt, {counter}, {bound} : index"));
        self.line(&format!("cf.cond_br {goes_on}, {body}, {exit}"));
        self.line(&format!("{body}:"));
        let outer = self.scope.clone();
        self.scope.counters.push(counter.clone());
        self.inner();
        match self.rng.chance(30) {
            true => {
                let condition = self.condition();
                self.line(&format!("cf.cond_br {condition}, {exit}, {latch}"));
            }
            false => self.line(&format!("cf.br {latch}")),
        }
        self.line(&format!("{latch}:"));
        self.scope = outer;
        let next = self.value(&format!("arith.addi {counter}, %c1 : index"));
        self.line(&format!("cf.br {head}({next} : index)"));
        self.line(&format!("{exit}:"));
    }

    /// A return before the end.
    fn way_out(&mut self) {
        let condition = self.condition();
        let (out, on) = (self.block(), self.block());
        self.line(&format!("cf.cond_br {condition}, {out}, {on}"));
        self.line(&format!("{out}:"));
        let outer = self.scope.clone();
        let value = self.number();
        self.line(&format!("return {value} : i32"));
        self.scope = outer;
        self.line(&format!("{on}:"));
    }
}
