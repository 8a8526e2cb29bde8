//! Random functions that compute with numbers.
//!
//! Every function takes four `i64`, makes values of all types out of them, and returns `i64`s: first
//! one that depends on every bit of every value whose bits are certain, then the bits of floats that
//! are only known up to an error. Behaviour is always defined: divisors are not zero, shifts shift by
//! less than the width, floats are in range when they become integers.
//!
//! What is certain: IEEE 754 says what most operations on floats are, so their results may decide
//! about branches and become integers. Results of the math library, and of conversions that some
//! implementations round twice, are only returned. NaNs are all one, as their bits depend on the
//! compiler; so does the sign of a zero that `maxnumf` and `minnumf` give.

mod control;
mod floats;
mod vectors;

use std::fmt::Write as _;

use crate::support::generator::rng::Rng;

/// A type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int(u32),
    Index,
    F16,
    Bf16,
    F32,
    F64,
}

use Ty::{Bf16, F16, F32, F64, Index, Int};

/// Types that values are made of, the usual ones more often.
const TYPES: [Ty; 18] = [
    Int(1),
    Int(8),
    Int(8),
    Int(16),
    Int(16),
    Int(32),
    Int(32),
    Int(64),
    Int(64),
    Int(5),
    Int(33),
    Index,
    Index,
    F32,
    F32,
    F64,
    F16,
    Bf16,
];

const FLOATS: [Ty; 4] = [F32, F64, F16, Bf16];

impl Ty {
    /// As MLIR spells it.
    pub(crate) fn name(self) -> String {
        match self {
            Int(width) => format!("i{width}"),
            Index => "index".into(),
            F16 => "f16".into(),
            Bf16 => "bf16".into(),
            F32 => "f32".into(),
            F64 => "f64".into(),
        }
    }

    fn is_float(self) -> bool {
        matches!(self, F16 | Bf16 | F32 | F64)
    }

    /// Bits of a value.
    pub(crate) fn width(self) -> u32 {
        match self {
            Int(width) => width,
            F16 | Bf16 => 16,
            F32 => 32,
            Index | F64 => 64,
        }
    }
}

/// What one result of a function is.
#[derive(Clone, Debug)]
pub(crate) enum ResultKind {
    /// The same everywhere.
    Exact,
    /// The bits of a float of this type that `operation` made, with an error of some ulps.
    Inexact {
        operation: &'static str,
        ty: Ty,
        ulps: u64,
    },
}

/// One generated function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// `func.func @name(...) -> (...) { ... }`
    pub(crate) text: String,
    pub(crate) results: Vec<ResultKind>,
}

#[derive(Clone)]
struct Value {
    name: String,
    ty: Ty,
}

struct Inexact {
    value: Value,
    operation: &'static str,
    ulps: u64,
}

struct Generator {
    rng: Rng,
    text: String,
    scope: Vec<Value>,
    inexact: Vec<Inexact>,
    n_values: usize,
    depth: usize,
    /// The shape of all values that statements make and use, if they are vectors.
    shape: Option<vectors::Shape>,
    /// Whether every value is printed when it is made.
    trace: bool,
}

/// The function of this number. With `trace` it prints every value, as `@trace(number, bits)`.
pub(crate) fn function(seed: u64, name: &str, trace: bool) -> Function {
    let mut generator = Generator {
        rng: Rng::new(seed),
        text: String::new(),
        scope: Vec::new(),
        inexact: Vec::new(),
        n_values: 0,
        depth: 0,
        shape: None,
        trace,
    };
    generator.function(name)
}

impl Generator {
    fn function(&mut self, name: &str) -> Function {
        self.scope = (0..4)
            .map(|index| Value {
                name: format!("%arg{index}"),
                ty: Int(64),
            })
            .collect();
        for _ in 0..self.rng.range(4, 8) {
            self.leaf();
        }
        for _ in 0..self.rng.range(8, 24) {
            self.statement();
        }
        let mut results = vec![ResultKind::Exact];
        let scope = self.scope.clone();
        let mut returned = vec![self.checksum(&scope)];
        for inexact in std::mem::take(&mut self.inexact) {
            if returned.len() == 6 {
                break;
            }
            returned.push(self.bits(&inexact.value));
            results.push(ResultKind::Inexact {
                operation: inexact.operation,
                ty: inexact.value.ty,
                ulps: inexact.ulps,
            });
        }
        let types = vec!["i64"; results.len()].join(", ");
        let names: Vec<_> = returned.iter().map(|value| value.name.clone()).collect();
        let text = format!(
            "func.func @{name}(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: i64) -> ({types}) {{\n{}  \
             return {} : {types}\n}}\n",
            self.text,
            names.join(", ")
        );
        Function { text, results }
    }

    fn fresh(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth + 1);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    /// Defines a value that is not among those that are picked.
    fn define(&mut self, ty: Ty, operation: &str) -> Value {
        let name = self.fresh();
        self.line(&format!("{name} = {operation}"));
        Value { name, ty }
    }

    /// Defines a value that later operations may use.
    fn add(&mut self, ty: Ty, operation: &str) -> Value {
        let value = self.define(ty, operation);
        self.publish(value.clone());
        value
    }

    /// Prints a value, if values are printed.
    fn print(&mut self, value: &Value) {
        if self.trace && self.shape.is_none() {
            let bits = self.bits(value);
            let number = &value.name[2..];
            let number = self.define(Int(64), &format!("arith.constant {number} : i64"));
            self.line(&format!(
                "func.call @trace({}, {}) : (i64, i64) -> ()",
                number.name, bits.name
            ));
        }
    }

    fn publish(&mut self, value: Value) {
        self.print(&value);
        self.scope.push(value);
    }

    /// A random number of a type.
    fn literal(&mut self, ty: Ty) -> String {
        let n = self.rng.next();
        match ty {
            Int(1) => ["true", "false"][(n & 1) as usize].into(),
            Int(width) => {
                let special = [0, 1, -1, i64::MIN, i64::MAX, 2, 7, -8];
                let value = match self.rng.chance(50) {
                    true => special[self.rng.below(special.len())],
                    false => n as i64,
                };
                let shift = 64 - width;
                ((value << shift) >> shift).to_string()
            }
            Index => ((n as i64) >> self.rng.below(64)).to_string(),
            _ => {
                let special = [
                    "0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "3.0", "-1.5", "0.1", "1.0e-5",
                    "1.0e4", "-300.25",
                ];
                (*self.rng.pick(&special)).into()
            }
        }
    }

    /// A number, in all elements if values are vectors.
    fn splat(&mut self, ty: Ty, literal: &str) -> Value {
        let type_name = self.type_name(ty);
        let text = match (self.shape, ty) {
            (Some(shape @ [_, _]), _) if ty.is_float() => {
                self.shape = None;
                let number = self.splat(ty, literal);
                self.shape = Some(shape);
                return self.broadcast(shape, &number);
            }
            (Some(_), _) => format!("arith.constant dense<{literal}> : {type_name}"),
            (None, Int(1)) => format!("arith.constant {literal}"),
            (None, _) => format!("arith.constant {literal} : {type_name}"),
        };
        self.define(ty, &text)
    }

    fn constant(&mut self, ty: Ty) -> Value {
        let literal = self.literal(ty);
        self.splat(ty, &literal)
    }

    fn number(&mut self, ty: Ty, number: i64) -> Value {
        match ty {
            Int(1) => self.splat(ty, if number & 1 != 0 { "true" } else { "false" }),
            _ => self.splat(ty, &number.to_string()),
        }
    }

    /// A type as MLIR spells it; that of vectors of them while operations are on vectors.
    fn type_name(&self, ty: Ty) -> String {
        match self.shape {
            Some(shape) => vectors::type_name(shape, ty),
            None => ty.name(),
        }
    }

    /// A value of a type: one of those there are, or a constant.
    fn pick(&mut self, ty: Ty) -> Value {
        let candidates: Vec<Value> = (self.scope.iter())
            .filter(|value| value.ty == ty)
            .cloned()
            .collect();
        // The latest ones more often, or most would be computed for nothing.
        match candidates.len() {
            0 => self.constant(ty),
            _ if self.rng.chance(8) => self.constant(ty),
            n if self.rng.chance(40) => candidates[n - 1].clone(),
            n => candidates[self.rng.below(n)].clone(),
        }
    }

    fn int_ty(&mut self) -> Ty {
        loop {
            let ty = *self.rng.pick(&TYPES);
            if !ty.is_float() {
                return ty;
            }
        }
    }

    fn plain_int_ty(&mut self) -> Ty {
        loop {
            let ty = *self.rng.pick(&TYPES);
            if matches!(ty, Int(_)) {
                return ty;
            }
        }
    }

    fn float_ty(&mut self) -> Ty {
        *self.rng.pick(&FLOATS)
    }

    /// A value out of the arguments.
    fn leaf(&mut self) {
        let ty = *self.rng.pick(&TYPES);
        let from = self.pick(Int(64));
        let value = self.convert_bits(&from, ty);
        self.publish(value);
    }

    /// A value of type `ty` out of the low bits of an `i64`.
    fn convert_bits(&mut self, from: &Value, ty: Ty) -> Value {
        let name = &from.name;
        match ty {
            Int(64) => self.define(ty, &format!("arith.addi {name}, {name} : i64")),
            Int(width) => self.define(ty, &format!("arith.trunci {name} : i64 to i{width}")),
            Index => self.define(ty, &format!("arith.index_cast {name} : i64 to index")),
            F64 => {
                let float = self.define(ty, &format!("arith.bitcast {name} : i64 to f64"));
                self.without_nan(&float)
            }
            _ => {
                let width = ty.width();
                let low = self.define(
                    Int(width),
                    &format!("arith.trunci {name} : i64 to i{width}"),
                );
                let text = format!(
                    "arith.bitcast {} : i{width} to {}",
                    low.name,
                    self.type_name(ty)
                );
                let float = self.define(ty, &text);
                self.without_nan(&float)
            }
        }
    }

    /// The value, or 1.5 in place of NaN.
    fn without_nan(&mut self, value: &Value) -> Value {
        let (name, ty) = (&value.name, self.type_name(value.ty));
        let is_nan = self.define(Int(1), &format!("arith.cmpf uno, {name}, {name} : {ty}"));
        let other = self.splat(value.ty, "1.5");
        let text = self.select_text(&is_nan, &other, value);
        self.define(value.ty, &text)
    }

    /// The value, or 1.5 in place of zero: the peer folds `atan2` of zeros to NaN.
    fn without_zero(&mut self, value: &Value) -> Value {
        let (name, ty) = (&value.name, self.type_name(value.ty));
        let other = self.splat(value.ty, "1.5");
        let zero = self.splat(value.ty, "0.0");
        let is_zero = self.define(
            Int(1),
            &format!("arith.cmpf oeq, {name}, {} : {ty}", zero.name),
        );
        let text = self.select_text(&is_zero, &other, value);
        self.define(value.ty, &text)
    }

    /// The bits of a value as `i64`; all NaNs have the same.
    fn bits(&mut self, value: &Value) -> Value {
        let name = &value.name;
        match value.ty {
            Int(64) => value.clone(),
            Int(width) => self.define(Int(64), &format!("arith.extui {name} : i{width} to i64")),
            Index => self.define(
                Int(64),
                &format!("arith.index_castui {name} : index to i64"),
            ),
            ty => {
                let width = ty.width();
                let type_name = self.type_name(ty);
                let is_nan = self.define(
                    Int(1),
                    &format!("arith.cmpf uno, {name}, {name} : {type_name}"),
                );
                let bits = self.define(
                    Int(width),
                    &format!("arith.bitcast {name} : {type_name} to i{width}"),
                );
                let wide = match width {
                    64 => bits,
                    _ => self.define(
                        Int(64),
                        &format!("arith.extui {} : i{width} to i64", bits.name),
                    ),
                };
                let nan = self.number(Int(64), -1);
                let text = self.select_text(&is_nan, &nan, &wide);
                self.define(Int(64), &text)
            }
        }
    }

    /// A number that changes when any of these values does.
    fn checksum(&mut self, values: &[Value]) -> Value {
        let mut sum = self.number(Int(64), 17);
        let factor = self.number(Int(64), 31);
        for value in values {
            let bits = self.bits(value);
            let product = self.define(
                Int(64),
                &format!("arith.muli {}, {} : i64", sum.name, factor.name),
            );
            sum = self.define(
                Int(64),
                &format!("arith.addi {}, {} : i64", product.name, bits.name),
            );
        }
        sum
    }

    fn statement(&mut self) {
        match self.rng.below(38) {
            0..=24 => self.elementwise(),
            25..=26 => self.index_op(),
            27..=28 => self.math_library(),
            29 => self.memory(),
            30..=33 => self.vectors(),
            _ if self.depth < 3 => match self.rng.below(4) {
                0 => self.for_loop(),
                1 => self.if_op(),
                2 => self.while_loop(),
                _ => self.index_switch(),
            },
            _ => self.leaf(),
        }
    }

    /// An operation that there is for numbers and for vectors of them.
    fn elementwise(&mut self) {
        match self.rng.below(26) {
            0..=4 => self.int_binary(),
            5..=6 => self.division(),
            7..=8 => self.shift(),
            9..=11 => self.compare_and_select(),
            12..=14 => self.int_cast(),
            15 => self.int_unary(),
            16 => self.extended(),
            17..=20 => self.float_arith(),
            21..=22 => self.float_unary(),
            _ => self.float_cast(),
        }
    }

    fn int_binary(&mut self) {
        let ty = self.int_ty();
        let operations = [
            "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui",
        ];
        let operation = *self.rng.pick(&operations);
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let ty_name = self.type_name(ty);
        self.add(
            ty,
            &format!("arith.{operation} {}, {} : {ty_name}", lhs.name, rhs.name),
        );
    }

    fn division(&mut self) {
        let ty = loop {
            let ty = self.int_ty();
            if ty.width() >= 5 {
                break ty;
            }
        };
        let operations = [
            "divsi",
            "divui",
            "remsi",
            "remui",
            "ceildivsi",
            "ceildivui",
            "floordivsi",
        ];
        let operation = *self.rng.pick(&operations);
        let (lhs, rhs) = self.division_operands(ty);
        let ty_name = self.type_name(ty);
        self.add(
            ty,
            &format!("arith.{operation} {}, {} : {ty_name}", lhs.name, rhs.name),
        );
    }

    /// A dividend that is not the smallest number, and a divisor that is not zero.
    fn division_operands(&mut self, ty: Ty) -> (Value, Value) {
        let ty_name = self.type_name(ty);
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let one = self.number(ty, 1);
        let odd = self.define(
            ty,
            &format!("arith.ori {}, {} : {ty_name}", rhs.name, one.name),
        );
        let half = self.define(
            ty,
            &format!("arith.shrsi {}, {} : {ty_name}", lhs.name, one.name),
        );
        (half, odd)
    }

    fn shift(&mut self) {
        let ty = self.int_ty();
        let operation = *self.rng.pick(&["shli", "shrsi", "shrui"]);
        let value = self.pick(ty);
        let amount = self.shift_amount(ty);
        let ty_name = self.type_name(ty);
        self.add(
            ty,
            &format!(
                "arith.{operation} {}, {} : {ty_name}",
                value.name, amount.name
            ),
        );
    }

    /// Less than the width.
    fn shift_amount(&mut self, ty: Ty) -> Value {
        if ty == Int(1) {
            return self.number(ty, 0);
        }
        let any = self.pick(ty);
        let width = self.number(ty, ty.width().into());
        let ty_name = self.type_name(ty);
        self.define(
            ty,
            &format!("arith.remui {}, {} : {ty_name}", any.name, width.name),
        )
    }

    fn condition(&mut self) -> Value {
        if self.rng.chance(50) {
            let ty = self.int_ty();
            let predicates = [
                "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
            ];
            let predicate = *self.rng.pick(&predicates);
            let (lhs, rhs) = (self.pick(ty), self.pick(ty));
            let ty_name = self.type_name(ty);
            return self.add(
                Int(1),
                &format!(
                    "arith.cmpi {predicate}, {}, {} : {ty_name}",
                    lhs.name, rhs.name
                ),
            );
        }
        let ty = self.float_ty();
        let predicates = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
            "ule", "une", "uno", "true",
        ];
        let predicate = *self.rng.pick(&predicates);
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let ty_name = self.type_name(ty);
        self.add(
            Int(1),
            &format!(
                "arith.cmpf {predicate}, {}, {} : {ty_name}",
                lhs.name, rhs.name
            ),
        )
    }

    fn compare_and_select(&mut self) {
        let condition = self.condition();
        let ty = *self.rng.pick(&TYPES);
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let text = self.select_text(&condition, &lhs, &rhs);
        self.add(ty, &text);
    }

    fn select_text(&self, condition: &Value, lhs: &Value, rhs: &Value) -> String {
        let ty_name = self.type_name(lhs.ty);
        let types = match self.shape {
            Some(_) => format!("{}, {ty_name}", self.type_name(Int(1))),
            None => ty_name,
        };
        format!(
            "arith.select {}, {}, {} : {types}",
            condition.name, lhs.name, rhs.name
        )
    }

    fn int_cast(&mut self) {
        let (from, to) = (self.int_ty(), self.int_ty());
        let value = self.pick(from);
        let signed = self.rng.chance(50);
        let operation = match (from, to) {
            (Index, Index) => return self.int_binary(),
            (Index, _) | (_, Index) => {
                match (signed, self.shape.is_some() || self.rng.chance(50)) {
                    (true, true) => "arith.index_cast",
                    (false, true) => "arith.index_castui",
                    (true, false) => "index.casts",
                    (false, false) => "index.castu",
                }
            }
            _ if from.width() > to.width() => "arith.trunci",
            _ if from.width() == to.width() => return self.bitcast(),
            _ if signed => "arith.extsi",
            _ => "arith.extui",
        };
        self.add(
            to,
            &format!(
                "{operation} {} : {} to {}",
                value.name,
                self.type_name(from),
                self.type_name(to)
            ),
        );
    }

    /// Between floats and integers of one width.
    fn bitcast(&mut self) {
        let ty = self.float_ty();
        let value = self.pick(ty);
        let value = self.without_nan(&value);
        let int = Int(ty.width());
        self.add(
            int,
            &format!(
                "arith.bitcast {} : {} to {}",
                value.name,
                self.type_name(ty),
                self.type_name(int)
            ),
        );
    }

    fn int_unary(&mut self) {
        let ty = self.plain_int_ty();
        let value = self.pick(ty);
        let ty_name = self.type_name(ty);
        if ty.width() >= 8 && self.shape.is_none() && self.rng.chance(25) {
            let mask = self.number(ty, 7);
            let exponent = self.define(
                ty,
                &format!("arith.andi {}, {} : {ty_name}", value.name, mask.name),
            );
            let base = self.pick(ty);
            self.add(
                ty,
                &format!("math.ipowi {}, {} : {ty_name}", base.name, exponent.name),
            );
            return;
        }
        let operation = *self.rng.pick(&["absi", "ctlz", "cttz", "ctpop"]);
        self.add(ty, &format!("math.{operation} {} : {ty_name}", value.name));
    }

    fn extended(&mut self) {
        let ty = self.plain_int_ty();
        // Which the peer does not lower.
        if self.shape.is_some_and(|shape| shape.len() > 1) {
            return self.int_binary();
        }
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let (first, second) = (self.fresh(), self.fresh());
        let ty_name = self.type_name(ty);
        let operations = ["addui_extended", "mulsi_extended", "mului_extended"];
        let operation = *self.rng.pick(&operations);
        let (second_ty, types) = match operation {
            "addui_extended" => (Int(1), format!("{ty_name}, {}", self.type_name(Int(1)))),
            _ => (ty, ty_name),
        };
        self.line(&format!(
            "{first}, {second} = arith.{operation} {}, {} : {types}",
            lhs.name, rhs.name
        ));
        self.publish(Value { name: first, ty });
        self.publish(Value {
            name: second,
            ty: second_ty,
        });
    }

    fn index_op(&mut self) {
        let (lhs, rhs) = (self.pick(Index), self.pick(Index));
        match self.rng.below(4) {
            0 => {
                let operations = [
                    "divs",
                    "divu",
                    "ceildivs",
                    "ceildivu",
                    "floordivs",
                    "rems",
                    "remu",
                ];
                let operation = *self.rng.pick(&operations);
                let (lhs, rhs) = self.division_operands(Index);
                self.add(
                    Index,
                    &format!("index.{operation} {}, {}", lhs.name, rhs.name),
                );
            }
            1 => {
                let operation = *self.rng.pick(&["shl", "shrs", "shru"]);
                let amount = self.shift_amount(Index);
                self.add(
                    Index,
                    &format!("index.{operation} {}, {}", lhs.name, amount.name),
                );
            }
            2 => {
                let predicates = [
                    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
                ];
                let predicate = *self.rng.pick(&predicates);
                self.add(
                    Int(1),
                    &format!("index.cmp {predicate}({}, {})", lhs.name, rhs.name),
                );
            }
            _ => {
                let operations = [
                    "add", "sub", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor",
                ];
                let operation = *self.rng.pick(&operations);
                self.add(
                    Index,
                    &format!("index.{operation} {}, {}", lhs.name, rhs.name),
                );
            }
        }
    }

    /// Stores values in an array and loads one.
    fn memory(&mut self) {
        let ty = *self.rng.pick(&TYPES);
        let length = self.rng.range(1, 5);
        let memref = format!("memref<{length}x{}>", self.type_name(ty));
        let buffer = self.define(ty, &format!("memref.alloca() : {memref}"));
        let bound = self.number(Index, length as i64);
        for index in 0..length {
            let value = self.pick(ty);
            let index = self.number(Index, index as i64);
            self.line(&format!(
                "memref.store {}, {}[{}] : {memref}",
                value.name, buffer.name, index.name
            ));
        }
        let any = self.pick(Index);
        let at = self.define(Index, &format!("index.remu {}, {}", any.name, bound.name));
        self.add(
            ty,
            &format!("memref.load {}[{}] : {memref}", buffer.name, at.name),
        );
    }
}
