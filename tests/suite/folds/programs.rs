//! Random functions of a few operations on numbers: on arguments, constants that are likely to go
//! wrong, and what came out before, often the same twice.

use std::fmt::Write as _;

use super::interpreter::{Number, wrap};
use crate::support::generator::rng::Rng;

const TYPES: [&str; 7] = ["i1", "i8", "i32", "i64", "index", "f32", "f64"];
const INTEGERS: [&str; 5] = ["i1", "i8", "i32", "i64", "index"];
const FIXED_WIDTH: [&str; 4] = ["i1", "i8", "i32", "i64"];
const FLOATS: [&str; 2] = ["f32", "f64"];
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];

/// What an operation looks like.
#[derive(Clone, Copy)]
enum Form {
    Constant,
    /// Two operands and the result of one of these types.
    Binary(&'static [&'static str]),
    /// As `Binary`, with two results, the second of this type (none: the same).
    Extended(Option<&'static str>),
    Negation,
    /// To another type, if the second list has the first one's.
    Cast(fn(&str, &str) -> bool),
    Compare(&'static [&'static str], &'static [&'static str]),
    Select,
    /// `index.add %a, %b`, without a type.
    Index,
    IndexCompare,
    IndexCast,
    IndexConstant(&'static str),
    Affine,
}

fn width(ty: &str) -> u32 {
    ty[1..].parse().unwrap_or(64)
}

fn is_float(ty: &str) -> bool {
    FLOATS.contains(&ty)
}

fn is_fixed(ty: &str) -> bool {
    FIXED_WIDTH.contains(&ty)
}

const INT: Form = Form::Binary(&INTEGERS);
const FLOAT: Form = Form::Binary(&FLOATS);

/// Every operation that the interpreter knows.
const FORMS: &[(&str, Form)] = &[
    ("arith.constant", Form::Constant),
    ("arith.addi", INT),
    ("arith.subi", INT),
    ("arith.muli", INT),
    ("arith.divui", INT),
    ("arith.divsi", INT),
    ("arith.ceildivui", INT),
    ("arith.ceildivsi", INT),
    ("arith.floordivsi", INT),
    ("arith.remui", INT),
    ("arith.remsi", INT),
    ("arith.andi", INT),
    ("arith.ori", INT),
    ("arith.xori", INT),
    ("arith.shli", INT),
    ("arith.shrui", INT),
    ("arith.shrsi", INT),
    ("arith.maxsi", INT),
    ("arith.maxui", INT),
    ("arith.minsi", INT),
    ("arith.minui", INT),
    ("arith.addui_extended", Form::Extended(Some("i1"))),
    ("arith.mulsi_extended", Form::Extended(None)),
    ("arith.mului_extended", Form::Extended(None)),
    ("arith.negf", Form::Negation),
    ("arith.addf", FLOAT),
    ("arith.subf", FLOAT),
    ("arith.mulf", FLOAT),
    ("arith.divf", FLOAT),
    ("arith.remf", FLOAT),
    ("arith.maximumf", FLOAT),
    ("arith.minimumf", FLOAT),
    ("arith.maxnumf", FLOAT),
    ("arith.minnumf", FLOAT),
    ("arith.extui", Form::Cast(widens)),
    ("arith.extsi", Form::Cast(widens)),
    ("arith.trunci", Form::Cast(|from, to| widens(to, from))),
    (
        "arith.extf",
        Form::Cast(|from, to| (from, to) == ("f32", "f64")),
    ),
    (
        "arith.truncf",
        Form::Cast(|from, to| (from, to) == ("f64", "f32")),
    ),
    (
        "arith.uitofp",
        Form::Cast(|from, to| is_fixed(from) && is_float(to)),
    ),
    (
        "arith.sitofp",
        Form::Cast(|from, to| is_fixed(from) && is_float(to)),
    ),
    (
        "arith.fptoui",
        Form::Cast(|from, to| is_float(from) && is_fixed(to)),
    ),
    (
        "arith.fptosi",
        Form::Cast(|from, to| is_float(from) && is_fixed(to)),
    ),
    ("arith.index_cast", Form::Cast(is_index_cast)),
    ("arith.index_castui", Form::Cast(is_index_cast)),
    (
        "arith.bitcast",
        Form::Cast(|from, to| from != "index" && to != "index" && width(from) == width(to)),
    ),
    ("arith.cmpi", Form::Compare(&PREDICATES, &INTEGERS)),
    ("arith.cmpf", Form::Compare(&FLOAT_PREDICATES, &FLOATS)),
    ("arith.select", Form::Select),
    ("index.add", Form::Index),
    ("index.sub", Form::Index),
    ("index.mul", Form::Index),
    ("index.divs", Form::Index),
    ("index.divu", Form::Index),
    ("index.ceildivs", Form::Index),
    ("index.ceildivu", Form::Index),
    ("index.floordivs", Form::Index),
    ("index.rems", Form::Index),
    ("index.remu", Form::Index),
    ("index.maxs", Form::Index),
    ("index.maxu", Form::Index),
    ("index.mins", Form::Index),
    ("index.minu", Form::Index),
    ("index.shl", Form::Index),
    ("index.shrs", Form::Index),
    ("index.shru", Form::Index),
    ("index.and", Form::Index),
    ("index.or", Form::Index),
    ("index.xor", Form::Index),
    ("index.cmp", Form::IndexCompare),
    ("index.casts", Form::IndexCast),
    ("index.castu", Form::IndexCast),
    ("index.constant", Form::IndexConstant("index")),
    ("index.bool.constant", Form::IndexConstant("i1")),
    ("affine.apply", Form::Affine),
    ("affine.min", Form::Affine),
    ("affine.max", Form::Affine),
];

fn widens(from: &str, to: &str) -> bool {
    is_fixed(from) && is_fixed(to) && width(from) < width(to)
}

fn is_index_cast(from: &str, to: &str) -> bool {
    (from == "index") != (to == "index") && !is_float(from) && !is_float(to)
}

/// The names of the operations that programs are made of.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(name, _)| *name)
}

/// A function and the types of its arguments.
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) arguments: Vec<&'static str>,
}

/// Writes a function.
struct Writer<'r> {
    rng: &'r mut Rng,
    body: String,
    values: Vec<(String, &'static str)>,
    names: usize,
}

/// A function `@f<number>` that ends with an operation called `focus`.
pub(crate) fn program(rng: &mut Rng, number: usize, focus: &str) -> Program {
    let mut arguments: Vec<&'static str> = TYPES.to_vec();
    arguments.extend(TYPES);
    let mut writer = Writer {
        rng,
        body: String::new(),
        values: Vec::new(),
        names: 0,
    };
    for (i, ty) in arguments.iter().enumerate() {
        writer.values.push((format!("%a{i}"), ty));
    }
    let dialect = focus.split('.').next().unwrap_or_default();
    for _ in 0..writer.rng.below(5) {
        let (name, form) = *writer.rng.pick(FORMS);
        // Operations of one dialect meet each other most often.
        if name.starts_with(dialect) || writer.rng.chance(20) {
            writer.operation(name, form);
        }
    }
    let form = FORMS.iter().find(|(name, _)| *name == focus);
    let &(name, form) = form.expect("a known operation");
    writer.operation(name, form);
    let results = &writer.values[arguments.len()..];
    let names: Vec<&str> = results.iter().map(|(name, _)| &**name).collect();
    let types: Vec<&str> = results.iter().map(|(_, ty)| *ty).collect();
    let parameters: Vec<String> = (arguments.iter().enumerate())
        .map(|(i, ty)| format!("%a{i}: {ty}"))
        .collect();
    Program {
        text: format!(
            "func.func @f{number}({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
            parameters.join(", "),
            types.join(", "),
            writer.body,
            names.join(", "),
            types.join(", ")
        ),
        arguments,
    }
}

impl Writer<'_> {
    fn define(&mut self, operation: &str, results: &[&'static str]) {
        self.names += 1;
        let name = format!("%v{}", self.names);
        let count = match results.len() {
            1 => String::new(),
            n => format!(":{n}"),
        };
        let _ = writeln!(self.body, "  {name}{count} = {operation}");
        for (i, &ty) in results.iter().enumerate() {
            let name = match results.len() {
                1 => name.clone(),
                _ => format!("{name}#{i}"),
            };
            self.values.push((name, ty));
        }
    }

    /// A value of this type: a constant, one of the last ones, or any.
    fn operand(&mut self, ty: &'static str) -> String {
        if self.rng.chance(35) {
            self.names += 1;
            let name = format!("%c{}", self.names);
            let value = self.literal(ty);
            let _ = writeln!(self.body, "  {name} = arith.constant {value} : {ty}");
            return name;
        }
        let candidates: Vec<&String> = (self.values.iter())
            .filter(|(_, of)| *of == ty)
            .map(|(name, _)| name)
            .collect();
        let recent = candidates.len().saturating_sub(2);
        let first = if self.rng.chance(60) { recent } else { 0 };
        candidates[first + self.rng.below(candidates.len() - first)].clone()
    }

    fn pair(&mut self, ty: &'static str) -> (String, String) {
        let first = self.operand(ty);
        let second = if self.rng.chance(15) {
            first.clone()
        } else {
            self.operand(ty)
        };
        (first, second)
    }

    fn literal(&mut self, ty: &str) -> String {
        match number(self.rng, ty) {
            Number::Int(value) => value.to_string(),
            Number::F32(value) => format!("0x{:08X}", value.to_bits()),
            Number::F64(value) => format!("0x{:016X}", value.to_bits()),
        }
    }

    fn operation(&mut self, name: &str, form: Form) {
        match form {
            Form::Constant => {
                let ty = *self.rng.pick(&TYPES);
                let value = self.literal(ty);
                self.define(&format!("{name} {value} : {ty}"), &[ty]);
            }
            Form::Binary(types) => {
                let ty = *self.rng.pick(types);
                let (a, b) = self.pair(ty);
                self.define(&format!("{name} {a}, {b} : {ty}"), &[ty]);
            }
            Form::Extended(second) => {
                let ty = *self.rng.pick(&INTEGERS);
                let (a, b) = self.pair(ty);
                let types = second.map_or(ty.to_owned(), |second| format!("{ty}, {second}"));
                let operation = format!("{name} {a}, {b} : {types}");
                self.define(&operation, &[ty, second.unwrap_or(ty)]);
            }
            Form::Negation => {
                let ty = *self.rng.pick(&FLOATS);
                let a = self.operand(ty);
                self.define(&format!("{name} {a} : {ty}"), &[ty]);
            }
            Form::Cast(fits) => {
                let pairs: Vec<(&str, &'static str)> = (TYPES.iter())
                    .flat_map(|from| TYPES.iter().map(move |to| (*from, *to)))
                    .filter(|(from, to)| fits(from, to))
                    .collect();
                let (from, to) = *self.rng.pick(&pairs);
                let from = TYPES[TYPES.iter().position(|ty| *ty == from).unwrap()];
                let a = self.operand(from);
                self.define(&format!("{name} {a} : {from} to {to}"), &[to]);
            }
            Form::Compare(predicates, types) => {
                let (predicate, ty) = (*self.rng.pick(predicates), *self.rng.pick(types));
                let (a, b) = self.pair(ty);
                self.define(&format!("{name} {predicate}, {a}, {b} : {ty}"), &["i1"]);
            }
            Form::Select => {
                let ty = *self.rng.pick(&TYPES);
                let condition = self.operand("i1");
                let (a, b) = self.pair(ty);
                self.define(&format!("{name} {condition}, {a}, {b} : {ty}"), &[ty]);
            }
            Form::Index => {
                let (a, b) = self.pair("index");
                self.define(&format!("{name} {a}, {b}"), &["index"]);
            }
            Form::IndexCompare => {
                let predicate = *self.rng.pick(&PREDICATES);
                let (a, b) = self.pair("index");
                self.define(&format!("{name} {predicate}({a}, {b})"), &["i1"]);
            }
            Form::IndexCast => {
                let integer = *self.rng.pick(&FIXED_WIDTH);
                let (from, to) = if self.rng.chance(50) {
                    (integer, "index")
                } else {
                    ("index", integer)
                };
                let a = self.operand(from);
                self.define(&format!("{name} {a} : {from} to {to}"), &[to]);
            }
            Form::IndexConstant(ty) => {
                let value = match ty {
                    "i1" => self.rng.chance(50).to_string(),
                    _ => self.literal(ty),
                };
                self.define(&format!("{name} {value}"), &[ty]);
            }
            Form::Affine => self.affine(name),
        }
    }

    fn affine(&mut self, name: &str) {
        let count = self.rng.range(1, 4);
        let operands: Vec<String> = (0..count).map(|_| self.operand("index")).collect();
        let n_dims = self.rng.range(0, count);
        let input = |i: usize| match i.checked_sub(n_dims) {
            None => format!("d{i}"),
            Some(symbol) => format!("s{symbol}"),
        };
        let inputs: Vec<String> = (0..count).map(input).collect();
        let n_results = if name == "affine.apply" {
            1
        } else {
            self.rng.range(1, 3)
        };
        let results: Vec<String> = (0..n_results)
            .map(|_| expression(self.rng, &inputs, 3))
            .collect();
        let operation = format!(
            "{name} affine_map<({})[{}] -> ({})>({})[{}]",
            inputs[..n_dims].join(", "),
            inputs[n_dims..].join(", "),
            results.join(", "),
            operands[..n_dims].join(", "),
            operands[n_dims..].join(", ")
        );
        self.define(&operation, &["index"]);
    }
}

fn expression(rng: &mut Rng, inputs: &[String], depth: usize) -> String {
    if depth == 0 || rng.chance(25) {
        return match rng.chance(25) {
            true => (rng.range(0, 12) as i64 - 6).to_string(),
            false => rng.pick(inputs).clone(),
        };
    }
    let left = expression(rng, inputs, depth - 1);
    match rng.below(8) {
        0 => format!("({left}) * {}", rng.range(0, 8) as i64 - 4),
        1 => format!("({left}) mod {}", rng.range(1, 8)),
        2 => format!("({left}) floordiv {}", rng.range(1, 8)),
        3 => format!("({left}) ceildiv {}", rng.range(1, 8)),
        kind => {
            let sign = if kind < 6 { '-' } else { '+' };
            format!("({left}) {sign} ({})", expression(rng, inputs, depth - 1))
        }
    }
}

/// A number that is likely to go wrong, or any.
pub(crate) fn number(rng: &mut Rng, ty: &str) -> Number {
    if is_float(ty) {
        const LIKELY: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            0.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            3.5,
            -7.25,
            1e30,
        ];
        let value = match rng.chance(80) {
            true => *rng.pick(&LIKELY),
            false => rng.next() as i64 as f64 / 1024.0,
        };
        return match ty {
            "f32" => Number::F32(value as f32),
            _ => Number::F64(value),
        };
    }
    let width = width(ty);
    let least = -(1i128 << (width - 1));
    let likely = [
        0,
        1,
        -1,
        2,
        3,
        -3,
        7,
        -7,
        least,
        least + 1,
        -1 - least,
        i128::from(width),
        i128::from(width) - 1,
    ];
    let value = match rng.chance(85) {
        true => *rng.pick(&likely),
        false => rng.next().into(),
    };
    Number::Int(wrap(value, width))
}
