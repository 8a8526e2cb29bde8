//! Writes functions and the calls of them.

use std::collections::BTreeSet;

use super::buffers::{BaseId, Buffer, Need, State, union};
use super::control::{Arm, Selector, arrow, assigned, join, typed_list};
use super::emitter::{Emitter, Request};
use super::prelude::Helper;
use super::rng::{Rng, scramble};
use super::tree::{Function, Program};
use super::types::MemRefType;

/// What callers need to know of a function beyond its signature.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    results: Vec<ResultSummary>,
    /// How many statements a call executes at most.
    cost: u64,
}

#[derive(Clone, Debug)]
struct ResultSummary {
    /// The memref parameters that the result may be.
    parameters: Vec<usize>,
    /// Nothing may write to it.
    frozen: bool,
}

/// Calls nest this deep in a recursion.
const MAX_FUEL: u64 = 2;

/// Writes the function at `position`; those after it are summarized in `summaries`.
pub(super) fn write_function(
    program: &Program,
    position: usize,
    summaries: &[Option<Summary>],
    helpers: &mut BTreeSet<Helper>,
) -> (String, Summary) {
    let function = &program.functions[position];
    let mut emitter = Emitter::new(program, function, summaries, helpers);
    let mut rng = Rng::new(function.seed);
    let (head, parameters) = emitter.signature(&mut rng);
    emitter.body(&mut rng);
    let results = emitter.summarize_results(&parameters);
    let fuel = u32::try_from(MAX_FUEL).unwrap_or(0);
    // Each call makes up to that many calls, as deep as the fuel lasts.
    let calls: u64 = (0..=fuel)
        .map(|depth| u64::from(emitter.self_calls).pow(depth))
        .sum();
    let summary = Summary {
        results,
        cost: emitter.cost.saturating_mul(calls),
    };
    (format!("\n{head} {{\n{}}}\n", emitter.text), summary)
}

/// The name of its symbol.
fn symbol(function: &Function) -> String {
    match function.number {
        0 => "@main".into(),
        number => format!("@f{number}"),
    }
}

impl Emitter<'_> {
    /// Gives the head of the function and the bases of its memref parameters.
    fn signature(&mut self, rng: &mut Rng) -> (String, Vec<BaseId>) {
        let function = self.function;
        let mut arguments = Vec::new();
        let mut bases = Vec::new();
        if function.number != 0 {
            if function.recursive {
                arguments.push("%fuel: index".into());
            }
            for (number, parameter) in function.parameters.iter().enumerate() {
                let state = if parameter.written {
                    State::Free
                } else {
                    State::Frozen
                };
                let base = self.bases.add(state);
                bases.push(base);
                let name = format!("%p{number}");
                arguments.push(format!("{name}: {}", parameter.ty));
                self.define(Buffer {
                    name,
                    ty: parameter.ty.clone(),
                    actual: parameter.ty.dims.clone(),
                    bases: vec![base],
                    key: rng.next(),
                    allocated_in: None,
                });
            }
            arguments.push("%n: index".into());
            arguments.push("%c: i1".into());
            self.indices.push(("%n".into(), None));
            self.conditions.push("%c".into());
        }
        let visibility = if function.private { "private " } else { "" };
        let results = arrow(&function.results);
        let name = symbol(function);
        let head = format!(
            "func.func {visibility}{name}({}){results}",
            arguments.join(", ")
        );
        (head, bases)
    }

    fn body(&mut self, rng: &mut Rng) {
        let function = self.function;
        for node in &function.body {
            self.statement(node);
            if self.function.number == 0 {
                self.line("func.call @dump() : () -> ()");
            }
        }
        for _ in 0..rng.below(3) {
            self.observe(rng);
        }
        self.return_op(rng);
        if self.shape.unreachable && rng.chance(15) {
            self.unreachable_blocks(rng);
        }
    }

    fn return_op(&mut self, rng: &mut Rng) {
        // Other functions write to such globals, and what a caller gets may be a copy.
        let globals = self.program.globals.iter().zip(&self.globals);
        let avoid = globals
            .filter(|(global, _)| !global.constant)
            .filter_map(|(_, base)| *base)
            .collect();
        let request = Request {
            avoid,
            ..Request::leaving(Need::Read, Some(self.scope))
        };
        let types: &[MemRefType] = &self.function.results;
        let mut values: Vec<Buffer> = Vec::new();
        for ty in types {
            // Returning one value twice is worth a test of its own.
            let again = values.iter().find(|value| value.ty == *ty).cloned();
            let value = match again {
                Some(again) if rng.chance(20) => again,
                _ => self.obtain(rng, ty, &request),
            };
            values.push(value);
        }
        if self.function.number == 0 {
            // The last thing that a program says is its checksum.
            self.line("func.call @dump() : () -> ()");
        }
        self.line(format_args!("return{}", typed_list(&values, " ", "")));
        self.returns.push(values);
    }

    /// Returns if some condition holds.
    pub(super) fn early_return(&mut self, rng: &mut Rng) {
        if !self.region.returns || !self.region.blocks {
            return;
        }
        let condition = self.condition(rng);
        let (leave, stay) = (self.block(), self.block());
        self.line(format_args!("cf.cond_br {condition}, {leave}, {stay}"));
        self.nested(|e| {
            e.start_block(&leave, &[]);
            e.return_op(rng);
        });
        self.start_block(&stay, &[]);
    }

    /// Blocks behind the return that nothing branches to.
    fn unreachable_blocks(&mut self, rng: &mut Rng) {
        let (first, second) = (self.block(), self.block());
        let ty = self.program.palette[0].clone();
        self.start_block(&first, &[]);
        let buffer = self.allocate(rng, "memref.alloc", &ty);
        let name = self.name('b');
        let passed = typed_list(&[buffer], "(", ")");
        self.line(format_args!("cf.br {second}{passed}"));
        self.start_block(&second, &[format!("{name}: {ty}")]);
        self.line(format_args!("cf.br {second}({name} : {ty})"));
    }

    fn summarize_results(&self, parameters: &[BaseId]) -> Vec<ResultSummary> {
        (0..self.function.results.len())
            .map(|result| {
                let all = union(self.returns.iter().map(|values| &values[result].bases));
                let shared = self.returns.iter().any(|values| {
                    let others = values
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| *other != result);
                    let others = union(others.map(|(_, value)| &value.bases));
                    values[result]
                        .bases
                        .iter()
                        .any(|base| others.contains(base))
                });
                let is_frozen = |values: &Vec<Buffer>| self.bases.is_frozen(&values[result]);
                ResultSummary {
                    parameters: (0..parameters.len())
                        .filter(|&number| all.contains(&parameters[number]))
                        .collect(),
                    frozen: shared || self.returns.iter().any(is_frozen),
                }
            })
            .collect()
    }

    // Calls.

    /// A call of some function after this one.
    pub(super) fn call(&mut self, rng: &mut Rng) {
        let draw = rng.next();
        let callee = self
            .program
            .functions
            .iter()
            .zip(self.summaries)
            .filter(|(_, summary)| summary.is_some())
            .max_by_key(|(function, _)| scramble(draw ^ function.seed));
        let Some((callee, Some(summary))) = callee else {
            return;
        };
        if self.region.parallel || !self.afford(summary.cost) {
            return;
        }
        let fuel = callee.recursive.then(|| {
            let fuel = rng.below(MAX_FUEL as usize + 1) as u64;
            self.index(rng, fuel)
        });
        let results = summary.results.clone();
        self.call_function(rng, callee, &results, fuel);
    }

    /// A call of the function itself while there is fuel.
    pub(super) fn recurse(&mut self, rng: &mut Rng) {
        let allowed = self.function.recursive
            && !self.region.parallel
            && self.repeats == 1
            && self.self_calls < 2;
        if !allowed {
            return;
        }
        self.self_calls += 1;
        let (zero, condition) = (self.constant(0), self.name('c'));
        self.line(format_args!(
            "{condition} = arith.cmpi ne, %fuel, {zero} : index"
        ));
        let arms = [Arm::SelfCall, Arm::Statements(&[])];
        self.branch(rng, &Selector::Condition(condition), &arms);
    }

    pub(super) fn self_call(&mut self, rng: &mut Rng) {
        let one = self.constant(1);
        let fuel = self.name('k');
        self.line(format_args!("{fuel} = arith.subi %fuel, {one} : index"));
        // Nothing is known of the results yet.
        let unknown = ResultSummary {
            parameters: (0..self.function.parameters.len()).collect(),
            frozen: true,
        };
        let results = vec![unknown; self.function.results.len()];
        self.call_function(rng, self.function, &results, Some(fuel));
    }

    fn call_function(
        &mut self,
        rng: &mut Rng,
        callee: &Function,
        results: &[ResultSummary],
        fuel: Option<String>,
    ) {
        let memrefs = self.arguments(rng, callee, results);
        let mut arguments: Vec<String> = fuel.iter().cloned().collect();
        let mut types: Vec<String> = fuel.iter().map(|_| "index".into()).collect();
        for memref in &memrefs {
            arguments.push(memref.name.clone());
            types.push(memref.ty.to_string());
        }
        arguments.push(self.size(rng).0);
        arguments.push(self.condition(rng));
        types.extend(["index".into(), "i1".into()]);
        let names: Vec<_> = results.iter().map(|_| self.name('b')).collect();
        let (arguments, types) = (arguments.join(", "), types.join(", "));
        let result_types = join(&callee.results);
        let name = symbol(callee);
        let assigned = assigned(&names);
        if self.shape.indirect_calls && rng.chance(15) {
            let pointer = self.name('f');
            self.line(format_args!(
                "{pointer} = func.constant {name} : ({types}) -> ({result_types})"
            ));
            self.line(format_args!(
                "{assigned}func.call_indirect {pointer}({arguments}) : ({types}) -> ({result_types})"
            ));
        } else {
            self.line(format_args!(
                "{assigned}func.call {name}({arguments}) : ({types}) -> ({result_types})"
            ));
        }
        for ((name, ty), result) in names.into_iter().zip(&callee.results).zip(results) {
            let from_arguments = result
                .parameters
                .iter()
                .map(|&number| &memrefs[number].bases);
            let mut bases = union(from_arguments);
            let is_copy = result.frozen || !bases.is_empty();
            let state = if is_copy { State::Frozen } else { State::Free };
            bases.push(self.bases.add(state));
            self.define(Buffer {
                name,
                ty: ty.clone(),
                actual: ty.dims.clone(),
                bases,
                key: rng.next(),
                allocated_in: None,
            });
        }
    }

    /// Values for the memref parameters. What the callee writes to has nothing to do with the other
    /// arguments.
    fn arguments(
        &mut self,
        rng: &mut Rng,
        callee: &Function,
        results: &[ResultSummary],
    ) -> Vec<Buffer> {
        // The callee sees these globals as well.
        let globals = self.program.globals.iter().zip(&self.globals);
        let mut avoid: Vec<BaseId> = globals
            .filter(|(global, _)| !global.constant)
            .filter_map(|(_, base)| *base)
            .collect();
        let mut values: Vec<Option<Buffer>> = vec![None; callee.parameters.len()];
        for written in [true, false] {
            for (number, parameter) in callee.parameters.iter().enumerate() {
                if parameter.written != written {
                    continue;
                }
                let returned = results
                    .iter()
                    .any(|result| result.parameters.contains(&number));
                let need = match (written, returned) {
                    (true, true) => Need::WriteAndFreeze,
                    (true, false) => Need::Write,
                    (false, true) => Need::Freeze,
                    (false, false) => Need::Read,
                };
                let request = Request {
                    avoid: avoid.clone(),
                    ..Request::new(need)
                };
                let value = self.obtain(rng, &parameter.ty, &request);
                if written {
                    avoid.extend(&value.bases);
                }
                values[number] = Some(value);
            }
        }
        values.into_iter().flatten().collect()
    }
}
