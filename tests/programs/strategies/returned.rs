//! Functions that take and return the same buffers several times, directly, as views, or by way of branches and loops,
//! or of calls of themselves, and callers, direct or not, that write through one name and read through all.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::support::generator::rng::Rng;

/// Buffers.
const BUFFER: &str = "memref<4xi64>";
/// Parts of them.
const VIEW: &str = "memref<2xi64, strided<[?], offset: ?>>";

/// The program with this seed. No argument is returned.
pub(crate) fn generate(seed: u64) -> String {
    Program::new(seed, false).write()
}

/// The program with this seed, where arguments are returned too, always or under conditions.
pub(crate) fn generate_with_arguments(seed: u64) -> String {
    Program::new(seed, true).write()
}

/// A function that was written: it takes two buffers, a number and a condition.
#[derive(Clone)]
struct Function {
    name: String,
    results: Vec<&'static str>,
}

/// A buffer or a view, by name.
#[derive(Clone)]
struct Name {
    value: String,
    ty: &'static str,
}

struct Program {
    rng: Rng,
    returns_arguments: bool,
    out: Writer,
    functions: Vec<Function>,
}

impl Program {
    fn new(seed: u64, returns_arguments: bool) -> Self {
        let mut out = Writer::default();
        out.declare_print();
        Self {
            rng: Rng::new(seed),
            returns_arguments,
            out,
            functions: Vec::new(),
        }
    }

    fn write(mut self) -> String {
        if self.rng.chance(15) {
            self.recursive();
        }
        for number in 0..self.rng.range(1, 4) {
            self.function(number);
        }
        self.out.text.push_str("func.func @main() {\n");
        self.out.line("%x = arith.constant 7 : i64");
        self.out.line("%c = arith.constant true");
        self.constants();
        let mut names = vec![self.buffer(), self.buffer()];
        for _ in 0..self.rng.range(1, 3) {
            let results = self.call(&names);
            names.extend(results);
            for _ in 0..self.rng.range(0, 3) {
                match self.rng.chance(75) {
                    true => self.store(&names),
                    false => self.print(&names),
                }
            }
        }
        if self.rng.chance(50) {
            self.store(&names);
        }
        for name in names {
            self.print(&[name]);
        }
        self.out.line("return");
        self.out.text.push_str("}\n");
        self.out.text
    }

    fn constants(&mut self) {
        for number in 0..2 {
            self.out
                .line(&format!("%c{number} = arith.constant {number} : index"));
        }
        self.out.line("%c3 = arith.constant 3 : index");
    }

    fn number(&mut self) -> String {
        let number = self.rng.range(10, 99);
        self.out.value(&format!("arith.constant {number} : i64"))
    }

    /// A buffer of its own.
    fn buffer(&mut self) -> Name {
        let value = self.out.value(&format!("memref.alloc() : {BUFFER}"));
        let number = self.number();
        self.out.line(&format!(
            "linalg.fill ins({number} : i64) outs({value} : {BUFFER})"
        ));
        Name { value, ty: BUFFER }
    }

    /// Writes through one of these names.
    fn store(&mut self, names: &[Name]) {
        let Name { value, ty } = self.rng.pick(names).clone();
        let number = self.number();
        let index = self.rng.below(2);
        self.out
            .line(&format!("memref.store {number}, {value}[%c{index}] : {ty}"));
    }

    /// Prints what is read through one of these names.
    fn print(&mut self, names: &[Name]) {
        let Name { value, ty } = self.rng.pick(names).clone();
        for index in 0..2 {
            let read = self
                .out
                .value(&format!("memref.load {value}[%c{index}] : {ty}"));
            self.out.print(&read);
        }
    }

    /// Calls a function with two of these names.
    fn call(&mut self, names: &[Name]) -> Vec<Name> {
        let Some(function) = self
            .functions
            .get(self.rng.below(self.functions.len().max(1)))
        else {
            return Vec::new();
        };
        let Function { name, results } = function.clone();
        let buffers: Vec<Name> = (names.iter())
            .filter(|name| name.ty == BUFFER)
            .cloned()
            .collect();
        let [a, b] = [(); 2].map(|()| self.rng.pick(&buffers).value.clone());
        let value = format!("%r{}", self.out.fresh());
        let types = results.join(", ");
        let ty = format!("({BUFFER}, {BUFFER}, i64, i1) -> ({types})");
        let (how, callee) = match self.rng.chance(15) {
            true => (
                "func.call_indirect",
                self.out.value(&format!("func.constant @{name} : {ty}")),
            ),
            false => ("func.call", format!("@{name}")),
        };
        self.out.line(&format!(
            "{value}:{} = {how} {callee}({a}, {b}, %x, %c) : {ty}",
            results.len()
        ));
        let result = |(index, &ty): (usize, &&'static str)| Name {
            value: format!("{value}#{index}"),
            ty,
        };
        results.iter().enumerate().map(result).collect()
    }

    /// A function that calls itself once at most, and returns a buffer twice, or an argument.
    fn recursive(&mut self) {
        let private = if self.rng.chance(60) { "private " } else { "" };
        let returned = match self.returns_arguments {
            true => "%b",
            false => "%n",
        };
        let _ = write!(
            self.out.text,
            "func.func {private}@again(%a: {BUFFER}, %b: {BUFFER}, %x: i64, %c: i1) -> ({BUFFER}, {BUFFER}) {{\n  \
             %false = arith.constant false\n  cf.cond_br %c, ^more, ^last\n^more:\n  \
             %r:2 = func.call @again(%a, %b, %x, %false) : ({BUFFER}, {BUFFER}, i64, i1) -> ({BUFFER}, {BUFFER})\n  \
             return %r#0, %r#1 : {BUFFER}, {BUFFER}\n^last:\n  \
             %n = memref.alloc() : {BUFFER}\n  linalg.fill ins(%x : i64) outs(%n : {BUFFER})\n  \
             return %n, {returned} : {BUFFER}, {BUFFER}\n}}\n"
        );
        self.functions.push(Function {
            name: "again".to_owned(),
            results: vec![BUFFER, BUFFER],
        });
    }

    fn function(&mut self, number: usize) {
        let name = format!("f{number}");
        let private = if self.rng.chance(60) { "private " } else { "" };
        let start = self.out.text.len();
        self.constants();
        let arguments = ["%a", "%b"].map(|value| Name {
            value: value.to_owned(),
            ty: BUFFER,
        });
        let mut own = vec![self.buffer(), self.buffer()];
        if self.rng.chance(30) {
            let called = self.call(&arguments);
            let known = own.clone();
            own.extend(called.into_iter().filter(|name| name.ty == BUFFER));
            self.store(&known);
        }
        let all = [&own[..], &arguments].concat();
        for _ in 0..self.rng.range(0, 2) {
            self.store(&all);
        }
        if self.rng.chance(30) {
            let read = self.out.value(&format!("memref.load %b[%c0] : {BUFFER}"));
            let to = own[0].value.clone();
            self.out
                .line(&format!("memref.store {read}, {to}[%c1] : {BUFFER}"));
        }
        // What may be one of several.
        let sources = if self.returns_arguments {
            all
        } else {
            own.clone()
        };
        for _ in 0..self.rng.range(0, 2) {
            let merged = self.merge(&sources);
            own.extend(merged);
        }
        let returned = match self.returns_arguments {
            true => [&own[..], &arguments].concat(),
            false => own.clone(),
        };
        let results = match self.rng.chance(25) {
            true => self.two_returns(&own, &arguments),
            false => {
                let n = self.rng.range(1, 3);
                let values: Vec<Name> = (0..n).map(|_| self.returned(&returned)).collect();
                self.return_values(&values)
            }
        };
        let inline = if self.rng.chance(60) {
            " attributes {no_inline}"
        } else {
            ""
        };
        let head = format!(
            "func.func {private}@{name}(%a: {BUFFER}, %b: {BUFFER}, %x: i64, %c: i1) -> ({}){inline} {{\n",
            results.join(", ")
        );
        self.out.text.insert_str(start, &head);
        self.out.text.push_str("}\n");
        self.functions.push(Function { name, results });
    }

    fn return_values(&mut self, values: &[Name]) -> Vec<&'static str> {
        let types: Vec<&str> = values.iter().map(|name| name.ty).collect();
        let values: Vec<&str> = values.iter().map(|name| &name.value[..]).collect();
        let line = format!("return {} : {}", values.join(", "), types.join(", "));
        self.out.line(&line);
        types
    }

    /// One of these, or a part of it.
    fn returned(&mut self, names: &[Name]) -> Name {
        let name = self.rng.pick(names).clone();
        if self.rng.chance(75) {
            return name;
        }
        let offset = self.rng.below(3);
        let part = format!("memref<2xi64, strided<[1], offset: {offset}>>");
        let part = match offset {
            0 => "memref<2xi64, strided<[1]>>".to_owned(),
            _ => part,
        };
        let source = name.value;
        let view = self.out.value(&format!(
            "memref.subview {source}[{offset}] [2] [1] : {BUFFER} to {part}"
        ));
        let value = self
            .out
            .value(&format!("memref.cast {view} : {part} to {VIEW}"));
        Name { value, ty: VIEW }
    }

    /// Returns whatever in both branches, or the same argument.
    fn two_returns(&mut self, own: &[Name], arguments: &[Name]) -> Vec<&'static str> {
        let n = self.rng.range(1, 3);
        let fixed: Vec<Option<Name>> = (0..n)
            .map(|_| match self.returns_arguments && self.rng.chance(40) {
                true => Some(self.rng.pick(arguments).clone()),
                false => None,
            })
            .collect();
        self.out.line("cf.cond_br %c, ^left, ^right");
        let mut types = Vec::new();
        for label in ["left", "right"] {
            let _ = writeln!(self.out.text, "^{label}:");
            let values: Vec<Name> = (fixed.iter())
                .map(|fixed| match fixed {
                    Some(name) => name.clone(),
                    None => self.rng.pick(own).clone(),
                })
                .collect();
            types = self.return_values(&values);
        }
        types
    }

    /// Two names of which it depends on the condition, or on a loop, what they are.
    fn merge(&mut self, names: &[Name]) -> Vec<Name> {
        let [a, b, c, d] = [(); 4].map(|()| self.rng.pick(names).value.clone());
        if self.rng.chance(30) {
            let value = self
                .out
                .value(&format!("arith.select %c, {a}, {b} : {BUFFER}"));
            return vec![Name { value, ty: BUFFER }];
        }
        let number = self.out.fresh();
        let value = format!("%m{number}");
        let types = format!("{BUFFER}, {BUFFER}");
        if self.rng.chance(50) {
            self.out
                .line(&format!("{value}:2 = scf.if %c -> ({types}) {{"));
            self.out.line(&format!("scf.yield {a}, {b} : {types}"));
            self.out.line("} else {");
            self.out.line(&format!("scf.yield {c}, {d} : {types}"));
        } else {
            self.out.line(&format!(
                "{value}:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p{number} = {a}, %q{number} = {b}) -> ({types}) {{"
            ));
            let carried = [format!("%p{number}"), format!("%q{number}"), c];
            let [first, second] = [(); 2].map(|()| self.rng.pick(&carried).clone());
            self.out
                .line(&format!("scf.yield {first}, {second} : {types}"));
        }
        self.out.line("}");
        let name = |index| Name {
            value: format!("{value}#{index}"),
            ty: BUFFER,
        };
        vec![name(0), name(1)]
    }
}
