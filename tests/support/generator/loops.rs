//! Writes loops, each with regions or with blocks. None runs more than three times.

use super::buffers::{BaseId, Buffer, Need, State, resolve, union};
use super::control::{Form, arrow, assigned, target, typed_list};
use super::emitter::{Emitter, Request};
use super::rng::{Rng, scramble};
use super::shape::{Control, Writes};
use super::tree::Node;
use super::types::{Element, MemRefType};

/// An argument of a loop that is passed on from iteration to iteration.
struct Carried {
    ty: MemRefType,
    /// What the body may do with it: `Pinned`, `Frozen` or `ReadOnly`.
    mode: State,
    /// What it starts with; only the later of the two arguments of a while loop has none.
    init: Option<Buffer>,
    /// Stands for its allocation.
    token: BaseId,
}

/// The statements of a loop, and what controls it.
struct LoopParts<'p> {
    /// Runs before the condition.
    before: &'p [Node],
    after: &'p [Node],
    trip_count: String,
    /// The most that it can be.
    times: u64,
}

impl<'p> Emitter<'p> {
    pub(super) fn for_loop(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let (trip_count, times) = self.trip_count(rng);
        let types = self.carried_types(rng, 2);
        let parts = LoopParts {
            before: &[],
            after: &parts[0],
            trip_count,
            times,
        };
        let form = self.loop_form(rng);
        self.in_form(
            rng,
            form,
            |e, rng| e.for_with_regions(rng, &parts, &types),
            |e, rng| e.loop_with_blocks(rng, &parts, &types, &types),
        );
    }

    pub(super) fn while_loop(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let (trip_count, times) = self.trip_count(rng);
        let before_types = self.carried_types(rng, 2);
        let after_types = if rng.chance(50) {
            before_types.clone()
        } else {
            self.carried_types(rng, 2)
        };
        let parts = LoopParts {
            before: &parts[0],
            after: &parts[1],
            trip_count,
            times,
        };
        let form = self.loop_form(rng);
        self.in_form(
            rng,
            form,
            |e, rng| e.while_with_regions(rng, &parts, &before_types, &after_types),
            |e, rng| e.loop_with_blocks(rng, &parts, &before_types, &after_types),
        );
    }

    fn loop_form(&mut self, rng: &mut Rng) -> Form {
        let form = self.form(rng);
        let blocks_loop = self.shape.block_loops || self.shape.control == Control::Blocks;
        if blocks_loop { form } else { Form::Regions }
    }

    // What all loops share.

    /// Decides what may be done with the arguments of a loop.
    fn modes(&self, rng: &mut Rng, types: &[MemRefType]) -> Vec<(MemRefType, State)> {
        let choices: &[State] = match self.shape.writes {
            Writes::Calls => &[State::Pinned, State::Frozen, State::ReadOnly],
            Writes::Merges => &[State::Frozen],
        };
        types
            .iter()
            .map(|ty| (ty.clone(), *rng.pick(choices)))
            .collect()
    }

    /// Obtains a value for each argument. What is frozen is chosen first, so that nothing that is
    /// written to is among it.
    fn pass(
        &mut self,
        rng: &mut Rng,
        arguments: &[(MemRefType, State)],
        leaving: Option<usize>,
    ) -> Vec<Buffer> {
        let mut values: Vec<Option<Buffer>> = vec![None; arguments.len()];
        for frozen in [true, false] {
            for (value, (ty, mode)) in values.iter_mut().zip(arguments) {
                if (*mode == State::Frozen) == frozen {
                    let need = match mode {
                        State::Frozen => Need::Freeze,
                        State::Pinned => Need::Write,
                        _ => Need::Read,
                    };
                    let request = Request::leaving(need, leaving);
                    *value = Some(self.obtain(rng, ty, &request));
                }
            }
        }
        values.into_iter().flatten().collect()
    }

    /// Enters a loop whose arguments start with `inits`. The result is for `Bases::leave_loop`.
    fn enter_loop(
        &mut self,
        rng: &mut Rng,
        arguments: &[(MemRefType, State)],
        inits: &[Buffer],
    ) -> Vec<State> {
        let is_pinned = |(_, mode): &&(MemRefType, State)| *mode == State::Pinned;
        let written = arguments
            .iter()
            .zip(inits)
            .filter(|(argument, _)| is_pinned(argument));
        let written = union(written.map(|(_, init)| &init.bases));
        let draw = rng.next();
        self.bases.enter_loop(|base, state| match state {
            State::Free if written.contains(&base) => State::Pinned,
            State::Free if scramble(draw ^ base as u64) & 1 == 0 => State::Pinned,
            State::Free => State::Unwritten,
            other => other,
        })
    }

    /// Brings the arguments of a loop into scope.
    fn carry(
        &mut self,
        rng: &mut Rng,
        arguments: &[(MemRefType, State)],
        names: &[String],
        inits: &[Buffer],
    ) -> Vec<Carried> {
        let mut carried = Vec::new();
        for (number, (ty, mode)) in arguments.iter().enumerate() {
            let token = self.bases.add(*mode);
            self.define(Buffer {
                name: names[number].clone(),
                ty: ty.clone(),
                // A dynamic size may change from iteration to iteration.
                actual: ty.dims.clone(),
                bases: vec![token],
                key: rng.next(),
                allocated_in: None,
            });
            carried.push(Carried {
                ty: ty.clone(),
                mode: *mode,
                init: inits.get(number).cloned(),
                token,
            });
        }
        carried
    }

    /// What the arguments of a loop stand for: what they start with and what is passed on.
    fn links(carried: &[Carried], passed: &[&[Buffer]]) -> Vec<(BaseId, Vec<BaseId>)> {
        carried
            .iter()
            .enumerate()
            .map(|(number, argument)| {
                let passed = passed.iter().map(|values| &values[number].bases);
                let all = argument.init.iter().map(|init| &init.bases).chain(passed);
                (argument.token, union(all))
            })
            .collect()
    }

    /// Replaces the arguments of a loop by what they stand for.
    fn resolve_links(&mut self, values: &mut [Buffer], links: &[(BaseId, Vec<BaseId>)]) {
        let returned = self.returns.iter_mut().flatten();
        for value in returned.chain(values) {
            value.bases = resolve(&value.bases, links);
        }
    }

    // The kinds of loops.

    fn for_with_regions(&mut self, rng: &mut Rng, parts: &LoopParts<'p>, types: &[MemRefType]) {
        let arguments = self.modes(rng, types);
        let inits = self.pass(rng, &arguments, None);
        let outer = self.enter_loop(rng, &arguments, &inits);
        let results: Vec<_> = types.iter().map(|_| self.name('b')).collect();
        let names: Vec<_> = types.iter().map(|_| self.name('b')).collect();
        let (zero, one) = (self.constant(0), self.constant(1));
        let induction = self.name('i');
        let iter_args = if types.is_empty() {
            String::new()
        } else {
            format!(" iter_args({}){}", bindings(&names, &inits), arrow(types))
        };
        self.line(format_args!(
            "{}scf.for {induction} = {zero} to {} step {one}{iter_args} {{",
            assigned(&results),
            parts.trip_count
        ));
        let (carried, passed) = self.repeated(parts.times, |e| {
            e.automatic_scope(|e, scope| {
                e.region(|e| {
                    e.indices.push((induction, None));
                    let carried = e.carry(rng, &arguments, &names, &inits);
                    e.statements(parts.after);
                    let passed = e.pass(rng, &arguments, Some(scope));
                    if !passed.is_empty() {
                        e.line(format_args!("scf.yield{}", typed_list(&passed, " ", "")));
                    }
                    (carried, passed)
                })
            })
        });
        self.line("}");
        self.bases.leave_loop(outer);
        let links = Self::links(&carried, &[&passed]);
        let mut incoming = [inits, passed];
        for values in &mut incoming {
            self.resolve_links(values, &links);
        }
        self.outcome(rng, results, types, &incoming);
    }

    fn while_with_regions(
        &mut self,
        rng: &mut Rng,
        parts: &LoopParts<'p>,
        before_types: &[MemRefType],
        after_types: &[MemRefType],
    ) {
        let before = self.modes(rng, before_types);
        let after = self.modes(rng, after_types);
        let inits = self.pass(rng, &before, None);
        let outer = self.enter_loop(rng, &before, &inits);
        let results: Vec<_> = after.iter().map(|_| self.name('b')).collect();
        let names: Vec<_> = before.iter().map(|_| self.name('b')).collect();
        let zero = self.constant(0);
        let (count, last) = (self.name('i'), self.name('k'));
        let mut head_names = vec![count.clone()];
        head_names.extend(names.iter().cloned());
        let mut result_names = vec![last];
        result_names.extend(results.iter().cloned());
        let bindings = [format!("{count} = {zero}"), bindings(&names, &inits)];
        let bindings = bindings.iter().filter(|text| !text.is_empty()).cloned();
        self.line(format_args!(
            "{}scf.while ({}) : ({}) -> ({}) {{",
            assigned(&result_names),
            bindings.collect::<Vec<_>>().join(", "),
            with_index(before_types),
            with_index(after_types)
        ));
        let (carried, conditions) = self.repeated(parts.times + 1, |e| {
            e.region(|e| {
                e.indices.push((count.clone(), None));
                let carried = e.carry(rng, &before, &names, &inits);
                e.statements(parts.before);
                let conditions = e.pass(rng, &after, None);
                let condition = e.name('c');
                e.line(format_args!(
                    "{condition} = arith.cmpi ult, {count}, {} : index",
                    parts.trip_count
                ));
                e.line(format_args!(
                    "scf.condition({condition}) {}",
                    counted_list(&count, &conditions)
                ));
                (carried, conditions)
            })
        });
        self.line("} do {");
        let names: Vec<_> = after.iter().map(|_| self.name('b')).collect();
        let current = self.name('i');
        let arguments = block_arguments(&current, &names, after_types);
        let (carried_after, passed) = self.repeated(parts.times, |e| {
            e.region(|e| {
                e.start_block("^bb0", &arguments);
                e.indices.push((current.clone(), None));
                let carried = e.carry(rng, &after, &names, &[]);
                e.statements(parts.after);
                let passed = e.pass(rng, &before, None);
                let next = e.increment(&current);
                e.line(format_args!("scf.yield {}", counted_list(&next, &passed)));
                (carried, passed)
            })
        });
        self.line("}");
        self.bases.leave_loop(outer);
        let mut links = Self::links(&carried, &[&passed]);
        links.extend(Self::links(&carried_after, &[&conditions]));
        let mut incoming = [conditions];
        self.resolve_links(&mut incoming[0], &links);
        self.outcome(rng, results, after_types, &incoming);
    }

    /// A loop of blocks. The header holds what runs before the condition, unless the condition comes
    /// last. Gives what the loop passes on when it is left.
    fn loop_with_blocks(
        &mut self,
        rng: &mut Rng,
        parts: &LoopParts<'p>,
        head_types: &[MemRefType],
        exit_types: &[MemRefType],
    ) -> Vec<Buffer> {
        let head = self.modes(rng, head_types);
        let inits = self.pass(rng, &head, None);
        let outer = self.enter_loop(rng, &head, &inits);
        let (head_block, exit_block) = (self.block(), self.block());
        let zero = self.constant(0);
        self.line(format_args!(
            "cf.br {}",
            counted_target(&head_block, &zero, &inits)
        ));
        let names: Vec<_> = head.iter().map(|_| self.name('b')).collect();
        let count = self.name('i');
        let tests_first = rng.chance(70);
        let mut exits = Vec::new();
        let times = parts.times.max(1) + 1;
        let (carried, passed) = self.repeated(times, |e| {
            e.nested(|e| {
                let arguments = block_arguments(&count, &names, head_types);
                e.start_block(&head_block, &arguments);
                e.indices.push((count.clone(), None));
                let carried = e.carry(rng, &head, &names, &inits);
                // A return in the loop must not hand out stack memory that came in this way.
                for argument in &carried {
                    e.bases.get_mut(argument.token).scope = Some(e.scope);
                }
                e.statements(parts.before);
                if tests_first {
                    let values = e.passed_on(rng, exit_types, None);
                    let condition = e.is_less(&count, &parts.trip_count);
                    let body_block = e.block();
                    e.line(format_args!(
                        "cf.cond_br {condition}, {body_block}, {}",
                        target(&exit_block, &values)
                    ));
                    exits.push(values);
                    e.start_block(&body_block, &[]);
                }
                e.statements(parts.after);
                if tests_first && rng.chance(30) {
                    let values = e.passed_on(rng, exit_types, None);
                    let condition = e.condition(rng);
                    let latch = e.block();
                    e.line(format_args!(
                        "cf.cond_br {condition}, {}, {latch}",
                        target(&exit_block, &values)
                    ));
                    exits.push(values);
                    e.start_block(&latch, &[]);
                }
                let passed = e.pass(rng, &head, None);
                let next = e.increment(&count);
                let back = counted_target(&head_block, &next, &passed);
                if tests_first {
                    e.line(format_args!("cf.br {back}"));
                } else {
                    let values = e.passed_on(rng, exit_types, None);
                    let condition = e.is_less(&next, &parts.trip_count);
                    e.line(format_args!(
                        "cf.cond_br {condition}, {back}, {}",
                        target(&exit_block, &values)
                    ));
                    exits.push(values);
                }
                (carried, passed)
            })
        });
        let results: Vec<_> = exit_types.iter().map(|_| self.name('b')).collect();
        let arguments: Vec<_> = results
            .iter()
            .zip(exit_types)
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        self.start_block(&exit_block, &arguments);
        self.bases.leave_loop(outer);
        let links = Self::links(&carried, &[&passed]);
        for values in &mut exits {
            self.resolve_links(values, &links);
        }
        self.outcome(rng, results, exit_types, &exits)
    }

    /// A loop whose iterations have no order: each writes one element of a buffer.
    pub(super) fn parallel(&mut self, rng: &mut Rng, parts: &'p [Vec<Node>]) {
        let (trip_count, times) = self.trip_count(rng);
        let ty = MemRefType::identity(Element::I64, vec![Some(4)]);
        // Not in scope yet: no iteration may read what another writes.
        let output = self.allocate(rng, "memref.alloc", &ty);
        self.fill(rng, &output);
        let outer = self.bases.enter_loop(|_, state| match state {
            State::Free => State::Unwritten,
            State::Pinned => State::ReadOnly,
            other => other,
        });
        let induction = self.name('i');
        let is_forall = rng.chance(50);
        if is_forall {
            self.line(format_args!(
                "scf.forall ({induction}) in ({trip_count}) {{"
            ));
        } else {
            let (zero, one) = (self.constant(0), self.constant(1));
            self.line(format_args!(
                "scf.parallel ({induction}) = ({zero}) to ({trip_count}) step ({one}) {{"
            ));
        }
        let was_parallel = std::mem::replace(&mut self.region.parallel, true);
        self.repeated(times, |e| {
            e.automatic_scope(|e, _| {
                e.region(|e| {
                    e.indices.push((induction.clone(), None));
                    e.statements(&parts[0]);
                    if let Some(buffer) = e.choose(rng, |e, b| e.bases.allow(b, Need::Read)) {
                        let value = e.read(rng, &buffer);
                        let Buffer { name, ty, .. } = &output;
                        e.line(format_args!(
                            "memref.store {value}, {name}[{induction}] : {ty}"
                        ));
                    }
                    if !is_forall {
                        e.line("scf.reduce");
                    }
                });
            });
        });
        self.line("}");
        self.region.parallel = was_parallel;
        self.bases.leave_loop(outer);
        self.define(output);
    }

    fn increment(&mut self, index: &str) -> String {
        let one = self.constant(1);
        let next = self.name('k');
        self.line(format_args!("{next} = arith.addi {index}, {one} : index"));
        next
    }

    fn is_less(&mut self, lhs: &str, rhs: &str) -> String {
        let condition = self.name('c');
        self.line(format_args!(
            "{condition} = arith.cmpi ult, {lhs}, {rhs} : index"
        ));
        condition
    }
}

/// `%x = %init, ...`
fn bindings(names: &[String], inits: &[Buffer]) -> String {
    let bindings: Vec<_> = names
        .iter()
        .zip(inits)
        .map(|(name, init)| format!("{name} = {}", init.name))
        .collect();
    bindings.join(", ")
}

/// `index, T, U`
fn with_index(types: &[MemRefType]) -> String {
    let mut list = vec!["index".to_string()];
    list.extend(types.iter().map(MemRefType::to_string));
    list.join(", ")
}

/// `%i, %a, %b : index, T, U`
fn counted_list(count: &str, values: &[Buffer]) -> String {
    let mut names = vec![count];
    names.extend(values.iter().map(|value| value.name.as_str()));
    let types: Vec<_> = values.iter().map(|value| value.ty.clone()).collect();
    format!("{} : {}", names.join(", "), with_index(&types))
}

fn counted_target(block: &str, count: &str, values: &[Buffer]) -> String {
    format!("{block}({})", counted_list(count, values))
}

fn block_arguments(count: &str, names: &[String], types: &[MemRefType]) -> Vec<String> {
    let mut arguments = vec![format!("{count}: index")];
    arguments.extend(
        names
            .iter()
            .zip(types)
            .map(|(name, ty)| format!("{name}: {ty}")),
    );
    arguments
}
