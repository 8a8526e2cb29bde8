//! Writes control flow without loops, each construct with regions or with blocks: choices between
//! arms, and regions that run once.

use super::buffers::{Buffer, Need};
use super::emitter::{Emitter, Request};
use super::rng::Rng;
use super::shape::Control;
use super::tree::Node;
use super::types::MemRefType;

/// How a construct is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Regions,
    Blocks,
    /// With blocks, inside a region made for them.
    BlocksInRegion,
}

/// What selects one of several arms.
pub(super) enum Selector {
    /// A value of type i1 between two arms, true for the first.
    Condition(String),
    /// A value of type index; the last arm is the default.
    Index(String),
}

/// What an arm does.
#[derive(Clone, Copy)]
pub(super) enum Arm<'p> {
    Statements(&'p [Node]),
    /// Calls the function that is being written.
    SelfCall,
}

impl Arm<'_> {
    fn is_empty(self) -> bool {
        matches!(self, Self::Statements([]))
    }
}

impl<'p> Emitter<'p> {
    pub(super) fn form(&mut self, rng: &mut Rng) -> Form {
        let want_blocks = match self.shape.control {
            Control::Structured => false,
            Control::Blocks => true,
            Control::Mixed => rng.chance(50),
        };
        if !want_blocks {
            Form::Regions
        } else if self.region.blocks {
            Form::Blocks
        } else if self.shape.execute_regions {
            Form::BlocksInRegion
        } else {
            Form::Regions
        }
    }

    /// Writes a construct in one of the forms; `with_blocks` gives the values that come out of it.
    pub(super) fn in_form(
        &mut self,
        rng: &mut Rng,
        form: Form,
        with_regions: impl FnOnce(&mut Self, &mut Rng),
        with_blocks: impl FnOnce(&mut Self, &mut Rng) -> Vec<Buffer>,
    ) {
        match form {
            Form::Regions => with_regions(self, rng),
            Form::Blocks => {
                with_blocks(self, rng);
            }
            Form::BlocksInRegion => self.execute_region(rng, with_blocks),
        }
    }

    /// Writes an `scf.execute_region` that yields what `write` gives.
    fn execute_region(
        &mut self,
        rng: &mut Rng,
        write: impl FnOnce(&mut Self, &mut Rng) -> Vec<Buffer>,
    ) {
        let before = std::mem::take(&mut self.text);
        let values = self.region(|e| {
            e.region.blocks = e.shape.control != Control::Structured;
            let values = write(e, rng);
            e.line(format_args!("scf.yield{}", typed_list(&values, " ", "")));
            values
        });
        let body = std::mem::replace(&mut self.text, before);
        let names: Vec<_> = values.iter().map(|_| self.name('b')).collect();
        let types: Vec<_> = values.iter().map(|value| value.ty.clone()).collect();
        self.line(format_args!(
            "{}scf.execute_region{} {{",
            assigned(&names),
            arrow(&types)
        ));
        self.text.push_str(&body);
        self.line("}");
        for (name, value) in names.into_iter().zip(&values) {
            self.merged(rng, name, &value.ty, &[value]);
        }
    }

    /// The values that a part of a construct passes on.
    pub(super) fn passed_on(
        &mut self,
        rng: &mut Rng,
        types: &[MemRefType],
        leaving: Option<usize>,
    ) -> Vec<Buffer> {
        let request = Request::leaving(self.merge_need(), leaving);
        types
            .iter()
            .map(|ty| self.obtain(rng, ty, &request))
            .collect()
    }

    /// What comes out of a construct for the values that its parts pass on.
    pub(super) fn outcome(
        &mut self,
        rng: &mut Rng,
        names: Vec<String>,
        types: &[MemRefType],
        incoming: &[Vec<Buffer>],
    ) -> Vec<Buffer> {
        names
            .into_iter()
            .enumerate()
            .map(|(number, name)| {
                let values: Vec<_> = incoming.iter().map(|values| &values[number]).collect();
                self.merged(rng, name, &types[number], &values)
            })
            .collect()
    }

    pub(super) fn if_statement(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let condition = self.condition(rng);
        let arms = [Arm::Statements(&parts[0]), Arm::Statements(&parts[1])];
        self.branch(rng, &Selector::Condition(condition), &arms);
    }

    pub(super) fn switch(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let index = self.size(rng).0;
        let arms: Vec<_> = parts.iter().map(|part| Arm::Statements(part)).collect();
        self.branch(rng, &Selector::Index(index), &arms);
    }

    /// Writes a choice between arms, with up to two buffers as its outcome.
    pub(super) fn branch(&mut self, rng: &mut Rng, selector: &Selector, arms: &[Arm<'p>]) {
        let types = self.carried_types(rng, 2);
        let mut form = self.form(rng);
        if matches!(selector, Selector::Index(_)) && !self.shape.switches {
            if self.shape.control == Control::Blocks {
                // There is no other way to say it with blocks.
                let condition = self.condition(rng);
                return self.branch(rng, &Selector::Condition(condition), &arms[..2]);
            }
            form = Form::Regions;
        }
        self.in_form(
            rng,
            form,
            |e, rng| e.branch_with_regions(rng, selector, arms, &types),
            |e, rng| e.branch_with_blocks(rng, selector, arms, &types),
        );
    }

    fn arm(&mut self, rng: &mut Rng, arm: Arm<'p>) {
        match arm {
            Arm::Statements(statements) => self.statements(statements),
            Arm::SelfCall => self.self_call(rng),
        }
    }

    fn branch_with_regions(
        &mut self,
        rng: &mut Rng,
        selector: &Selector,
        arms: &[Arm<'p>],
        types: &[MemRefType],
    ) {
        let names: Vec<_> = types.iter().map(|_| self.name('b')).collect();
        let mut incoming = Vec::new();
        let mut body = |e: &mut Self, rng: &mut Rng, arm: Arm<'p>| {
            e.region(|e| {
                e.arm(rng, arm);
                let values = e.passed_on(rng, types, None);
                if !values.is_empty() || matches!(selector, Selector::Index(_)) {
                    e.line(format_args!("scf.yield{}", typed_list(&values, " ", "")));
                }
                incoming.push(values);
            });
        };
        match selector {
            Selector::Condition(condition) => {
                self.line(format_args!(
                    "{}scf.if {condition}{} {{",
                    assigned(&names),
                    arrow(types)
                ));
                body(self, rng, arms[0]);
                if !types.is_empty() || !arms[1].is_empty() {
                    self.line("} else {");
                    body(self, rng, arms[1]);
                }
                self.line("}");
            }
            Selector::Index(index) => {
                // The one operation that wants no parentheses.
                let types = arrow(types).replace(['(', ')'], "");
                self.line(format_args!(
                    "{}scf.index_switch {index}{types}",
                    assigned(&names)
                ));
                for (number, &arm) in arms.iter().enumerate() {
                    if number + 1 == arms.len() {
                        self.line("default {");
                    } else {
                        self.line(format_args!("case {} {{", number + 1));
                    }
                    body(self, rng, arm);
                    self.line("}");
                }
            }
        }
        self.outcome(rng, names, types, &incoming);
    }

    fn branch_with_blocks(
        &mut self,
        rng: &mut Rng,
        selector: &Selector,
        arms: &[Arm<'p>],
        types: &[MemRefType],
    ) -> Vec<Buffer> {
        let join_block = self.block();
        let mut incoming = Vec::new();
        let mut targets = Vec::new();
        let mut bodies = Vec::new();
        for &arm in arms {
            // An empty arm can be an edge to the block where all meet.
            if arm.is_empty() && rng.chance(60) {
                let values = self.passed_on(rng, types, None);
                targets.push(target(&join_block, &values));
                incoming.push(values);
            } else {
                let block = self.block();
                let need = self.merge_need();
                let passed = self.choose(rng, |e, b| e.bases.allow(b, need));
                let passed: Vec<_> = passed.into_iter().filter(|_| rng.chance(30)).collect();
                if need == Need::Freeze {
                    passed.iter().for_each(|buffer| self.bases.freeze(buffer));
                }
                targets.push(target(&block, &passed));
                bodies.push((block, passed, arm));
            }
        }
        self.branch_op(selector, &targets);
        for (block, passed, arm) in bodies {
            let values = self.nested(|e| {
                let mut arguments = Vec::new();
                for buffer in &passed {
                    let name = e.name('b');
                    arguments.push(format!("{name}: {}", buffer.ty));
                    e.merged(rng, name, &buffer.ty, &[buffer]);
                }
                e.start_block(&block, &arguments);
                e.arm(rng, arm);
                let values = e.passed_on(rng, types, None);
                e.line(format_args!("cf.br {}", target(&join_block, &values)));
                values
            });
            incoming.push(values);
        }
        let names: Vec<_> = types.iter().map(|_| self.name('b')).collect();
        let arguments: Vec<_> = names
            .iter()
            .zip(types)
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        self.start_block(&join_block, &arguments);
        self.outcome(rng, names, types, &incoming)
    }

    fn branch_op(&mut self, selector: &Selector, targets: &[String]) {
        match selector {
            Selector::Condition(condition) => {
                self.line(format_args!(
                    "cf.cond_br {condition}, {}, {}",
                    targets[0], targets[1]
                ));
            }
            Selector::Index(index) => {
                let flag = self.name('k');
                self.line(format_args!(
                    "{flag} = arith.index_cast {index} : index to i32"
                ));
                self.line(format_args!("cf.switch {flag} : i32, ["));
                let default = &targets[targets.len() - 1];
                let others = &targets[..targets.len() - 1];
                let comma = if others.is_empty() { "" } else { "," };
                self.line(format_args!("  default: {default}{comma}"));
                for (number, target) in others.iter().enumerate() {
                    let comma = if number + 1 == others.len() { "" } else { "," };
                    self.line(format_args!("  {}: {target}{comma}", number + 1));
                }
                self.line("]");
            }
        }
    }

    /// A region that runs once: `memref.alloca_scope` or `scf.execute_region`.
    pub(super) fn scope_statement(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let types = self.carried_types(rng, 2);
        if self.shape.execute_regions && (!self.shape.scopes || rng.chance(50)) {
            return self.execute_region(rng, |e, rng| {
                e.statements(&parts[0]);
                e.passed_on(rng, &types, None)
            });
        }
        if !self.shape.scopes {
            return;
        }
        let names: Vec<_> = types.iter().map(|_| self.name('b')).collect();
        self.line(format_args!(
            "{}memref.alloca_scope{} {{",
            assigned(&names),
            arrow(&types)
        ));
        let values = self.automatic_scope(|e, scope| {
            e.region(|e| {
                e.statements(&parts[0]);
                let values = e.passed_on(rng, &types, Some(scope));
                e.line(format_args!(
                    "memref.alloca_scope.return{}",
                    typed_list(&values, " ", "")
                ));
                values
            })
        });
        self.line("}");
        self.outcome(rng, names, &types, &[values]);
    }
}

/// `%a, %b = ` or nothing.
pub(super) fn assigned(names: &[String]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("{} = ", names.join(", "))
    }
}

/// The types, separated by commas.
pub(super) fn join(types: &[MemRefType]) -> String {
    let types: Vec<_> = types.iter().map(MemRefType::to_string).collect();
    types.join(", ")
}

/// ` -> (T, U)` or nothing.
pub(super) fn arrow(types: &[MemRefType]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        format!(" -> ({})", join(types))
    }
}

/// `%a, %b : T, U` between `open` and `close`, or nothing.
pub(super) fn typed_list(values: &[Buffer], open: &str, close: &str) -> String {
    if values.is_empty() {
        return String::new();
    }
    let names: Vec<_> = values.iter().map(|value| value.name.as_str()).collect();
    let types: Vec<_> = values.iter().map(|value| value.ty.to_string()).collect();
    format!("{open}{} : {}{close}", names.join(", "), types.join(", "))
}

/// A block with the values passed to it.
pub(super) fn target(block: &str, values: &[Buffer]) -> String {
    format!("{block}{}", typed_list(values, "(", ")"))
}
