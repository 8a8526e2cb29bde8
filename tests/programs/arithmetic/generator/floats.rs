//! Operations on floats: those whose results are certain, and the math library.

use super::Ty::{Bf16, F16, F32, F64};
use super::{Generator, Inexact, Ty};

/// Operations of the math library that take one number. Not `expm1` and `log1p`, of which the peer
/// makes `exp(x) - 1` and `log(1 + x)`.
const LIBRARY: [&str; 20] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "exp", "exp2",
    "log", "log10", "log2", "rsqrt", "sin", "sinh", "tan", "tanh",
];

/// The difference of results of the math library that is accepted: both may be off by half an ulp.
const LIBRARY_ULPS: u64 = 1;

/// The same for functions of `f64` that are ours, which may be off by two ulps.
const DOUBLE_ULPS: u64 = 2;

/// The same for `cbrt`, which the C library promises within four ulps.
const CBRT_ULPS: u64 = 4;

impl Generator {
    pub(super) fn float_arith(&mut self) {
        let ty = self.float_ty();
        let (lhs, rhs) = (self.pick(ty), self.pick(ty));
        let ty_name = self.type_name(ty);
        let operations = [
            "addf", "subf", "mulf", "divf", "addf", "subf", "mulf", "divf", "remf", "maximumf",
            "minimumf", "maxnumf", "minnumf",
        ];
        let operation = *self.rng.pick(&operations);
        let text = format!("arith.{operation} {}, {} : {ty_name}", lhs.name, rhs.name);
        if !operation.ends_with("numf") {
            self.add(ty, &text);
            return;
        }
        let result = self.define(ty, &text);
        let zero = self.splat(ty, "0.0");
        self.add(
            ty,
            &format!("arith.addf {}, {} : {ty_name}", result.name, zero.name),
        );
    }

    pub(super) fn float_unary(&mut self) {
        let ty = self.float_ty();
        let value = self.pick(ty);
        let ty_name = self.type_name(ty);
        let operations = [
            "arith.negf",
            "math.absf",
            "math.ceil",
            "math.floor",
            "math.trunc",
            "math.round",
            "math.roundeven",
            "math.sqrt",
            "math.copysign",
            "math.fma",
        ];
        let operation = *self.rng.pick(&operations);
        match operation {
            "math.copysign" => {
                let sign = self.pick(ty);
                let sign = self.without_nan(&sign);
                self.add(
                    ty,
                    &format!("math.copysign {}, {} : {ty_name}", value.name, sign.name),
                );
            }
            // What rounds twice in f32 is not certain.
            "math.fma" if matches!(ty, F32 | F64) => {
                let (b, c) = (self.pick(ty), self.pick(ty));
                self.add(
                    ty,
                    &format!(
                        "math.fma {}, {}, {} : {ty_name}",
                        value.name, b.name, c.name
                    ),
                );
            }
            "math.fma" => self.float_arith(),
            _ => {
                self.add(ty, &format!("{operation} {} : {ty_name}", value.name));
            }
        }
    }

    pub(super) fn float_cast(&mut self) {
        match self.rng.below(4) {
            0 => self.between_floats(),
            1 => {
                let (from, to) = (self.plain_int_ty(), self.float_ty());
                let value = self.pick(from);
                let operation = *self.rng.pick(&["sitofp", "uitofp"]);
                let text = format!(
                    "arith.{operation} {} : {} to {}",
                    value.name,
                    self.type_name(from),
                    self.type_name(to)
                );
                if to == Bf16 && from.width() > 24 {
                    self.add_inexact(to, "int to bf16", 1, &text);
                } else {
                    self.add(to, &text);
                }
            }
            2 => self.float_to_int(),
            _ => self.bitcast(),
        }
    }

    fn between_floats(&mut self) {
        let (from, to) = (self.float_ty(), self.float_ty());
        let value = self.pick(from);
        let types = format!(
            "{} : {} to {}",
            value.name,
            self.type_name(from),
            self.type_name(to)
        );
        if from.width() < to.width() {
            self.add(to, &format!("arith.extf {types}"));
        } else if from.width() > to.width() {
            let text = format!("arith.truncf {types}");
            match (from, to) {
                (F64, F16 | Bf16) => self.add_inexact(to, "truncf of f64 to 16 bits", 1, &text),
                _ => drop(self.add(to, &text)),
            }
        } else {
            self.float_arith();
        }
    }

    fn float_to_int(&mut self) {
        let from = self.float_ty();
        let to = self.plain_int_ty();
        let value = self.pick(from);
        let value = self.without_nan(&value);
        let ty_name = self.type_name(from);
        let signed = self.rng.chance(50) && to.width() > 1;
        // Powers of two that the float has and the integer holds.
        let bits = to.width() - u32::from(signed);
        let (low, high) = match bits {
            0..=1 => (0.0, 1.0),
            // f16 ends before 2 to the power of 16.
            _ => {
                let high = 2f64.powi((bits - 1).min(15) as i32);
                (if signed { -high } else { 0.0 }, high)
            }
        };
        let low = self.splat(from, &format!("{low:.1}"));
        let high = self.splat(from, &format!("{high:.1}"));
        let above = self.define(
            from,
            &format!("arith.maximumf {}, {} : {ty_name}", value.name, low.name),
        );
        let within = self.define(
            from,
            &format!("arith.minimumf {}, {} : {ty_name}", above.name, high.name),
        );
        let operation = if signed { "fptosi" } else { "fptoui" };
        self.add(
            to,
            &format!(
                "arith.{operation} {} : {ty_name} to {}",
                within.name,
                self.type_name(to)
            ),
        );
    }

    fn add_inexact(&mut self, ty: Ty, operation: &'static str, ulps: u64, text: &str) {
        let value = self.define(ty, text);
        // Values of inner regions cannot be returned, and numbers only.
        if self.depth == 0 && self.shape.is_none() {
            self.inexact.push(Inexact {
                value,
                operation,
                ulps,
            });
        }
    }

    pub(super) fn math_library(&mut self) {
        let ty = self.float_ty();
        let value = self.pick(ty);
        let ty_name = self.type_name(ty);
        if self.rng.chance(15) {
            let operation = *self.rng.pick(&["powf", "atan2"]);
            let other = self.pick(ty);
            let other = self.without_zero(&other);
            let text = format!(
                "math.{operation} {}, {} : {ty_name}",
                value.name, other.name
            );
            return self.add_inexact(ty, operation, library_ulps(ty), &text);
        }
        let operation = *self.rng.pick(&LIBRARY);
        let text = format!("math.{operation} {} : {ty_name}", value.name);
        let ulps = match operation {
            "cbrt" => CBRT_ULPS,
            _ => library_ulps(ty),
        };
        self.add_inexact(ty, operation, ulps, &text);
    }
}

fn library_ulps(ty: Ty) -> u64 {
    match ty {
        F64 => DOUBLE_ULPS,
        _ => LIBRARY_ULPS,
    }
}
