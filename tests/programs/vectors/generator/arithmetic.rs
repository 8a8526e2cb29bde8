//! Operations on each lane by itself.

use super::{Dialect, Ty, Writer};

impl Writer {
    /// Operations that keep the type.
    pub(super) fn arithmetic(&mut self) {
        let Some(ty) = self.some(|ty| ty.element != "i1") else {
            return;
        };
        let (text, a, b) = (ty.text(), self.value(&ty), self.value(&ty));
        let kind = self.rng.below(100);
        if kind < 12 {
            let mask = self.value(&ty.with("i1"));
            let mask_ty = ty.with("i1").text();
            self.op(
                &ty,
                &format!("arith.select {mask}, {a}, {b} : {mask_ty}, {text}"),
            );
            return;
        }
        if ty.is_float() {
            let binary = [
                "addf", "subf", "mulf", "divf", "maximumf", "minimumf", "addf", "mulf",
            ];
            let unary = [
                "math.sqrt",
                "math.absf",
                "arith.negf",
                "math.floor",
                "math.ceil",
                "math.trunc",
            ];
            // Of other types, and by LLVM, these are calls of a library.
            let has_functions = self.dialect == Dialect::Whole && ty.bits() >= 32;
            if kind < 20 && has_functions {
                let functions = [
                    "cos", "erf", "exp", "log1p", "log2", "rsqrt", "sin", "tan", "tanh",
                ];
                let name = *self.rng.pick(&functions);
                self.op(&ty, &format!("math.{name} {a} : {text}"));
            } else if kind < 25 {
                let name = *self.rng.pick(&unary);
                self.op(&ty, &format!("{name} {a} : {text}"));
            } else if kind < 32 && ty.bits() >= 32 {
                let c = self.value(&ty);
                self.op(&ty, &format!("vector.fma {a}, {b}, {c} : {text}"));
            } else {
                let name = *self.rng.pick(&binary);
                self.op(&ty, &format!("arith.{name} {a}, {b} : {text}"));
            }
            return;
        }
        let binary = [
            "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui",
        ];
        if kind < 22 {
            self.rotation(&ty, &a, &b);
        } else if kind < 36 {
            let name = *self.rng.pick(&["shli", "shrsi", "shrui"]);
            let amount = self.rng.below(ty.bits());
            let by = match self.rng.chance(50) {
                true => self.op(&ty, &format!("arith.constant dense<{amount}> : {text}")),
                false => {
                    let most = ty.bits() - 1;
                    let limit = self.op(&ty, &format!("arith.constant dense<{most}> : {text}"));
                    self.op(&ty, &format!("arith.andi {b}, {limit} : {text}"))
                }
            };
            self.op(&ty, &format!("arith.{name} {a}, {by} : {text}"));
        } else if kind < 40 {
            self.op(&ty, &format!("math.absi {a} : {text}"));
        } else {
            let name = *self.rng.pick(&binary);
            self.op(&ty, &format!("arith.{name} {a}, {b} : {text}"));
        }
    }

    /// Bits shifted out on one side that come in on the other, or almost.
    fn rotation(&mut self, ty: &Ty, a: &str, b: &str) {
        let text = ty.text();
        let by = self.rng.range(1, ty.bits() - 1);
        let back = match self.rng.chance(80) {
            true => ty.bits() - by,
            false => self.rng.below(ty.bits()),
        };
        let [by, back] =
            [by, back].map(|n| self.op(ty, &format!("arith.constant dense<{n}> : {text}")));
        let other = if self.rng.chance(70) { a } else { b };
        let left = self.name();
        self.line(&format!("{left} = arith.shli {a}, {by} : {text}"));
        let shift = format!("arith.shrui {other}, {back} : {text}");
        // Others may use what is a result of the program.
        let right = match self.rng.chance(90) {
            true => {
                let name = self.name();
                self.line(&format!("{name} = {shift}"));
                name
            }
            false => self.op(ty, &shift),
        };
        let (left, right) = match self.rng.chance(50) {
            true => (left, right),
            false => (right, left),
        };
        let name = *self.rng.pick(&["addi", "ori", "xori"]);
        let value = self.op(ty, &format!("arith.{name} {left}, {right} : {text}"));
        // Most of what is computed is used by nothing.
        if ty.shape.len() == 1 {
            self.store_whole(ty, &value);
        }
    }

    /// A chain of operations with a constant each, more than there are registers for.
    pub(super) fn constants(&mut self) {
        let Some(ty) = self.some(|ty| ty.element != "i1") else {
            return;
        };
        let text = ty.text();
        let mut value = self.value(&ty);
        let operations = match ty.is_float() {
            true => ["addf", "mulf", "subf", "maximumf"],
            false => ["addi", "muli", "subi", "xori"],
        };
        let n = self.rng.range(16, 48);
        for at in 0..n {
            let number = match ty.is_float() {
                true => format!("{}.5", at % 64),
                false => (1 + at % 120).to_string(),
            };
            let constant = self.name();
            self.line(&format!(
                "{constant} = arith.constant dense<{number}> : {text}"
            ));
            let operation = *self.rng.pick(&operations);
            let (a, b) = match self.rng.chance(80) {
                true => (&value, &constant),
                false => (&constant, &value),
            };
            let result = format!("arith.{operation} {a}, {b} : {text}");
            value = match at + 1 == n {
                true => self.op(&ty, &result),
                false => {
                    let name = self.name();
                    self.line(&format!("{name} = {result}"));
                    name
                }
            };
        }
    }

    pub(super) fn mask_logic(&mut self) {
        let Some(ty) = self.some(|ty| ty.element == "i1") else {
            return;
        };
        let (a, b) = (self.value(&ty), self.value(&ty));
        let name = *self.rng.pick(&["andi", "ori", "xori"]);
        self.op(&ty, &format!("arith.{name} {a}, {b} : {}", ty.text()));
    }

    pub(super) fn conversion(&mut self) {
        let Some(from) = self.some(|_| true) else {
            return;
        };
        let element = *self.rng.pick::<&str>(&self.elements);
        let to = from.with(element);
        let (a, b) = (from.bits(), to.bits());
        let name = match (from.element == "i1", from.is_float(), to.is_float()) {
            (true, _, false) => *self.rng.pick(&["extsi", "extui"]),
            (true, ..) => return,
            (_, false, false) if a < b => *self.rng.pick(&["extsi", "extui"]),
            (_, false, false) if a > b => "trunci",
            (_, true, true) if a < b => "extf",
            (_, true, true) if a > b => "truncf",
            (_, false, true) if a == b => "bitcast",
            (_, false, true) => *self.rng.pick(&["sitofp", "uitofp"]),
            (_, true, false) if self.dialect == Dialect::Whole && a != b => {
                *self.rng.pick(&["fptosi", "fptoui"])
            }
            _ => return,
        };
        let value = self.value(&from);
        self.op(
            &to,
            &format!("arith.{name} {value} : {} to {}", from.text(), to.text()),
        );
    }
}
