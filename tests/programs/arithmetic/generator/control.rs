//! Loops and branches around statements, with values that they carry.

use super::Ty::{Index, Int};
use super::{Generator, TYPES, Ty, Value};

impl Generator {
    /// One to three types for what goes around a loop or comes out of a branch.
    fn carried_types(&mut self) -> Vec<Ty> {
        (0..self.rng.range(1, 3))
            .map(|_| *self.rng.pick(&TYPES))
            .collect()
    }

    fn pick_all(&mut self, types: &[Ty]) -> Vec<Value> {
        types.iter().map(|&ty| self.pick(ty)).collect()
    }

    /// Emits a few statements and the terminator, with what it made out of scope afterwards.
    fn region(&mut self, arguments: Vec<Value>, types: &[Ty], terminator: &str) {
        let mark = self.scope.len();
        self.depth += 1;
        for argument in arguments {
            self.publish(argument);
        }
        for _ in 0..self.rng.range(1, 5) {
            self.statement();
        }
        let yielded = self.pick_all(types);
        self.line(&format!("{terminator} {}", typed_list(&yielded)));
        self.depth -= 1;
        self.scope.truncate(mark);
    }

    /// Names for the results of an operation with regions: `%a, %b`.
    fn results(&mut self, types: &[Ty]) -> (Vec<Value>, String) {
        let values: Vec<Value> = types
            .iter()
            .map(|&ty| Value {
                name: self.fresh(),
                ty,
            })
            .collect();
        let names = names(&values);
        (values, names)
    }

    fn publish_all(&mut self, values: Vec<Value>) {
        for value in values {
            self.publish(value);
        }
    }

    pub(super) fn for_loop(&mut self) {
        let types = self.carried_types();
        let initial = self.pick_all(&types);
        let any = self.pick(Index);
        let mask = self.number(Index, 3);
        let bound = self.define(Index, &format!("index.and {}, {}", any.name, mask.name));
        let (start, step) = (self.rng.below(2) as i64, self.rng.range(1, 2) as i64);
        let (start, step) = (self.number(Index, start), self.number(Index, step));
        let (results, result_names) = self.results(&types);
        let (arguments, _) = self.results(&types);
        let induction = self.fresh();
        let pairs: Vec<String> = (arguments.iter().zip(&initial))
            .map(|(argument, value)| format!("{} = {}", argument.name, value.name))
            .collect();
        self.line(&format!(
            "{result_names} = scf.for {induction} = {} to {} step {} iter_args({}) -> ({}) {{",
            start.name,
            bound.name,
            step.name,
            pairs.join(", "),
            type_list(&types)
        ));
        let mut visible = arguments;
        visible.push(Value {
            name: induction,
            ty: Index,
        });
        self.region(visible, &types, "scf.yield");
        self.line("}");
        self.publish_all(results);
    }

    pub(super) fn if_op(&mut self) {
        let types = self.carried_types();
        let condition = self.condition();
        let (results, result_names) = self.results(&types);
        self.line(&format!(
            "{result_names} = scf.if {} -> ({}) {{",
            condition.name,
            type_list(&types)
        ));
        self.region(Vec::new(), &types, "scf.yield");
        self.line("} else {");
        self.region(Vec::new(), &types, "scf.yield");
        self.line("}");
        self.publish_all(results);
    }

    pub(super) fn while_loop(&mut self) {
        let mut types = self.carried_types();
        types.insert(0, Int(32));
        let mut initial = self.pick_all(&types[1..]);
        let zero = self.number(Int(32), 0);
        initial.insert(0, zero);
        let (results, result_names) = self.results(&types);
        let (before, _) = self.results(&types);
        let (after, _) = self.results(&types);
        let pairs: Vec<String> = (before.iter().zip(&initial))
            .map(|(argument, value)| format!("{} = {}", argument.name, value.name))
            .collect();
        let list = type_list(&types);
        self.line(&format!(
            "{result_names} = scf.while ({}) : ({list}) -> ({list}) {{",
            pairs.join(", ")
        ));
        let mark = self.scope.len();
        self.depth += 1;
        self.publish_all(before.clone());
        let other = self.condition();
        let limit = self.rng.range(1, 4) as i64;
        let limit = self.number(Int(32), limit);
        let more = self.define(
            Int(1),
            &format!("arith.cmpi ult, {}, {} : i32", before[0].name, limit.name),
        );
        let both = self.define(
            Int(1),
            &format!("arith.andi {}, {} : i1", more.name, other.name),
        );
        self.line(&format!(
            "scf.condition({}) {}",
            both.name,
            typed_list(&before)
        ));
        self.depth -= 1;
        self.scope.truncate(mark);
        self.line("} do {");
        let block: Vec<String> = (after.iter())
            .map(|value| format!("{}: {}", value.name, value.ty.name()))
            .collect();
        self.line(&format!("^bb0({}):", block.join(", ")));
        self.depth += 1;
        self.publish_all(after.clone());
        for _ in 0..self.rng.range(1, 4) {
            self.statement();
        }
        let one = self.number(Int(32), 1);
        let next = self.define(
            Int(32),
            &format!("arith.addi {}, {} : i32", after[0].name, one.name),
        );
        let mut yielded = self.pick_all(&types[1..]);
        yielded.insert(0, next);
        self.line(&format!("scf.yield {}", typed_list(&yielded)));
        self.depth -= 1;
        self.scope.truncate(mark);
        self.line("}");
        self.publish_all(results);
    }

    pub(super) fn index_switch(&mut self) {
        let types = self.carried_types();
        let any = self.pick(Index);
        let mask = self.number(Index, 3);
        let flag = self.define(Index, &format!("index.and {}, {}", any.name, mask.name));
        let (results, result_names) = self.results(&types);
        self.line(&format!(
            "{result_names} = scf.index_switch {} -> {}",
            flag.name,
            type_list(&types)
        ));
        for case in 0..self.rng.range(1, 3) {
            self.line(&format!("case {case} {{"));
            self.region(Vec::new(), &types, "scf.yield");
            self.line("}");
        }
        self.line("default {");
        self.region(Vec::new(), &types, "scf.yield");
        self.line("}");
        self.publish_all(results);
    }
}

fn names(values: &[Value]) -> String {
    let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
    names.join(", ")
}

fn type_list(types: &[Ty]) -> String {
    let names: Vec<String> = types.iter().map(|ty| ty.name()).collect();
    names.join(", ")
}

/// `%a, %b : i1, f32`
fn typed_list(values: &[Value]) -> String {
    let types: Vec<Ty> = values.iter().map(|value| value.ty).collect();
    format!("{} : {}", names(values), type_list(&types))
}
