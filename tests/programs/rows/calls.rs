//! Functions and their calls: with buffers that are new, or those that were passed, always or on some paths; functions
//! that call themselves and each other.

use super::build::{Gen, Value};
use super::control::MOST_REPEATS;
use super::types::{Mem, Ty};

/// What functions of one signature take and return.
struct Signature {
    /// `%a: memref<4xf32>, ...`
    header: String,
    arguments: Vec<Value>,
    results: Vec<Ty>,
    is_private: bool,
}

impl Signature {
    /// `(memref<4xf32>) -> (f32)`
    fn ty(&self) -> String {
        let arguments: Vec<Ty> = self.arguments.iter().map(|it| it.ty.clone()).collect();
        let lists = (Gen::type_list(&arguments), Gen::type_list(&self.results));
        format!("({}) -> ({})", lists.0, lists.1)
    }

    /// With the counter of a recursion before all else.
    fn counted(&self) -> String {
        let ty = self.ty();
        match self.arguments.is_empty() {
            true => ty.replacen('(', "(index", 1),
            false => ty.replacen('(', "(index, ", 1),
        }
    }

    fn visibility(&self) -> &'static str {
        if self.is_private { "private " } else { "" }
    }
}

impl<'a> Gen<'a> {
    /// A writer of a function that this one calls.
    pub(super) fn callee(&mut self) -> Gen<'a> {
        let mut inner = Gen::new(self.rng.next(), self.table);
        inner.palette = self.palette.clone();
        inner.globals = std::mem::take(&mut self.globals);
        inner.functions = std::mem::take(&mut self.functions);
        inner.n_functions = self.n_functions;
        inner.repeats = self.repeats;
        inner.written = std::mem::take(&mut self.written);
        inner
    }

    /// Takes over what a callee was written with.
    pub(super) fn end_callee(&mut self, inner: Self, text: &str) {
        self.functions = inner.functions + text;
        self.globals = inner.globals;
        self.n_functions = inner.n_functions;
        self.written = inner.written;
        self.buffers_flow |= inner.buffers_flow;
    }

    /// A call of a new function.
    pub(super) fn call(&mut self, budget: usize) {
        if self.depth > 2 || self.n_functions > 4 || self.parallel.is_some() {
            return;
        }
        self.n_functions += 1;
        let number = self.n_functions;
        // What goes in.
        let n = self.rng.range(0, 4);
        let mut arguments: Vec<Value> = Vec::new();
        for _ in 0..n {
            let fit: Vec<String> = (self.values.iter())
                .filter(|value| value.ty.as_mem().is_none() || self.can_read(value))
                .map(|value| value.name.clone())
                .collect();
            let found = self.pick(|value| fit.contains(&value.name));
            arguments.extend(found);
        }
        let mut inner = self.callee();
        // Of each buffer the allocation outside, and inside.
        let mut roots: Vec<(usize, usize)> = vec![(0, 0)];
        let mut header = Vec::new();
        for argument in &arguments {
            let name = inner.fresh();
            header.push(format!("{name}: {}", argument.ty.text()));
            let mut value = argument.clone();
            value.name = name;
            value.is_dim = value.ty == Ty::INDEX;
            if argument.ty.as_mem().is_some() {
                let known = roots.iter().find(|(outer, _)| *outer == argument.root);
                value.root = match known {
                    Some(&(_, inside)) => inside,
                    None => {
                        let inside = inner.new_root(false);
                        inner.roots[inside].is_writable = self.can_write(argument);
                        inner.roots[inside].is_handed = self.roots[argument.root].is_handed;
                        roots.push((argument.root, inside));
                        inside
                    }
                };
            }
            inner.values.push(value);
        }
        inner.statements(budget);
        // What comes out, some of it twice.
        let mut results: Vec<Value> = Vec::new();
        for _ in 0..self.rng.range(0, 3) {
            let fit: Vec<String> = (inner.values.iter())
                .filter(|value| match &value.ty {
                    Ty::MemRef(_) => {
                        let root = &inner.roots[value.root];
                        value.root == 0 || root.is_handed && root.is_writable && !root.is_freed
                    }
                    _ => true,
                })
                .map(|value| value.name.clone())
                .collect();
            results.extend(inner.pick(|value| fit.contains(&value.name)));
        }
        let types: Vec<Ty> = results.iter().map(|value| value.ty.clone()).collect();
        let names: Vec<String> = results.iter().map(|value| value.name.clone()).collect();
        inner.yield_line("func.return", &names, &types);
        let signature = Signature {
            header: header.join(", "),
            arguments,
            results: types,
            is_private: self.rng.chance(60),
        };
        let text = format!(
            "func.func {}@f{number}({}) -> ({}) {{\n{}}}\n",
            signature.visibility(),
            signature.header,
            Self::type_list(&signature.results),
            inner.out
        );
        let freed: Vec<bool> = inner.roots.iter().map(|root| root.is_heap).collect();
        self.end_callee(inner, &text);
        // The call.
        let given: Vec<String> = (signature.arguments.iter())
            .map(|value| value.name.clone())
            .collect();
        let (ty, n) = (signature.ty(), signature.results.len());
        let parts = self.call_of(&format!("f{number}"), &ty, n, &given);
        let first = self.values.len();
        for (part, result) in parts.into_iter().zip(results) {
            let mut value = self.value(part, result.ty.clone());
            if result.ty == Ty::INDEX {
                value.range = result.range;
            }
            if result.ty.as_mem().is_some() {
                let known = roots.iter().find(|(_, inside)| *inside == result.root);
                value.root = match known {
                    Some(&(outer, _)) => outer,
                    None => {
                        let outer = self.new_root(freed[result.root]);
                        self.roots[outer].is_handed = true;
                        roots.push((outer, result.root));
                        outer
                    }
                };
                self.buffers_flow = true;
            }
            self.values.push(value);
        }
        self.write_returned(first);
    }

    /// Writes a call, by name or, of functions without tensors, by address, which are refused with them; gives its results.
    fn call_of(&mut self, name: &str, ty: &str, n: usize, given: &[String]) -> Vec<String> {
        let (head, parts) = self.results(n);
        let given = given.join(", ");
        // Functions of tensors have other types once there are buffers, so nothing may know them by address.
        match self.rng.chance(12) && !ty.contains("tensor<") {
            true => {
                let function = self.fresh();
                self.line(format!("{function} = func.constant @{name} : {ty}"));
                self.line(format!(
                    "{head}func.call_indirect {function}({given}) : {ty}"
                ));
            }
            false => self.line(format!("{head}func.call @{name}({given}) : {ty}")),
        }
        parts
    }

    /// Writes through some of the buffers that a call returned, which are the values from `first` on: whoever has
    /// another name sees that.
    fn write_returned(&mut self, first: usize) {
        let returned = self.values[first..].to_vec();
        for value in returned {
            let has_elements = value.ty.as_mem().is_some_and(|mem| mem.n() > 0);
            if has_elements && self.can_write(&value) && self.rng.chance(50) {
                let scalar = Ty::Scalar(value.ty.elem());
                let filler = self.value_of(&scalar);
                self.store(&filler, &value);
            }
        }
    }

    /// A call of a new function that calls itself, or one that calls it.
    pub(super) fn recursive_call(&mut self, budget: usize) {
        let n = self.rng.range(0, 4) as i64;
        if self.depth > 2
            || self.n_functions > 4
            || self.parallel.is_some()
            || self.repeats * (n + 1) > MOST_REPEATS
        {
            return;
        }
        self.n_functions += 1;
        let number = self.n_functions;
        let name = format!("f{number}");
        let signature = self.recursive_signature();
        let calls_itself = self.rng.chance(70);
        let next = match calls_itself {
            true => name.clone(),
            false => format!("{name}_next"),
        };
        let mut inner = self.callee();
        inner.repeats *= n + 1;
        let counter = inner.begin_recursive(&signature, n);
        inner.recursive_body(&signature, &counter, &next, n, budget);
        let ty = |name: &str, body: &str| {
            format!(
                "func.func {}@{name}({counter}: index{}{}) -> ({}) {{\n{body}}}\n",
                signature.visibility(),
                if signature.header.is_empty() {
                    ""
                } else {
                    ", "
                },
                signature.header,
                Self::type_list(&signature.results)
            )
        };
        let mut text = ty(&name, &inner.out);
        self.end_callee(inner, "");
        if !calls_itself {
            let mut inner = self.callee();
            inner.repeats *= n + 1;
            let counter = inner.begin_recursive(&signature, n);
            inner.statements(1);
            inner.call_again(&signature, &counter, &name);
            let returned = inner.handed_all(&signature.results);
            inner.yield_line("func.return", &returned, &signature.results);
            text += &ty(&next, &inner.out);
            self.end_callee(inner, "");
        }
        self.functions += &text;
        self.buffers_flow = true;
        let times = self.number(n).name;
        let mut given = vec![times];
        given.extend(signature.arguments.iter().map(|it| it.name.clone()));
        let first = self.values.len();
        let (ty, n) = (signature.counted(), signature.results.len());
        let parts = self.call_of(&name, &ty, n, &given);
        self.push_all(parts, &signature.results);
        self.write_returned(first);
    }

    /// Buffers and numbers that are there, and results of the same types more often than not.
    fn recursive_signature(&mut self) -> Signature {
        let mut arguments: Vec<Value> = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            let wants_buffer = self.rng.chance(75);
            let fit: Vec<String> = (self.values.iter())
                .filter(|value| match &value.ty {
                    Ty::MemRef(mem) => {
                        let root = &self.roots[value.root];
                        let is_handed =
                            value.root == 0 || root.is_handed && root.is_writable && !root.is_freed;
                        wants_buffer && is_handed && Self::has_type_to_hand_on(mem)
                    }
                    _ => !wants_buffer,
                })
                .map(|value| value.name.clone())
                .collect();
            let found = self.pick(|value| fit.contains(&value.name));
            arguments.extend(found);
        }
        let mut results = Vec::new();
        for _ in 0..self.rng.range(1, 2) {
            let at = self.rng.below(arguments.len().max(1));
            match arguments.get(at) {
                Some(argument) if self.rng.chance(80) => results.push(argument.ty.clone()),
                _ => results.push(self.flowing_type()),
            }
        }
        let names: Vec<String> = (0..arguments.len()).map(|at| format!("%a{at}")).collect();
        let header: Vec<String> = (names.iter().zip(&arguments))
            .map(|(name, argument)| format!("{name}: {}", argument.ty.text()))
            .collect();
        Signature {
            header: header.join(", "),
            arguments,
            results,
            is_private: self.rng.chance(50),
        }
    }

    /// Puts the arguments of a recursive function in scope: buffers may be any, and indices what they were at first.
    fn begin_recursive(&mut self, signature: &Signature, n: i64) -> String {
        for (at, argument) in signature.arguments.iter().enumerate() {
            let mut value = argument.clone();
            value.name = format!("%a{at}");
            value.is_dim = value.ty == Ty::INDEX;
            value.root = 0;
            self.values.push(value);
        }
        let counter = "%n".to_owned();
        self.counter(&counter, (0, n), true);
        counter
    }

    /// Nothing more to do, or a call of `next` with one less.
    fn recursive_body(
        &mut self,
        signature: &Signature,
        counter: &str,
        next: &str,
        n: i64,
        budget: usize,
    ) {
        let types = &signature.results;
        // Whether the arguments are what is returned in the end.
        let is_plain = self.rng.chance(35);
        if !is_plain {
            self.statements(budget / 3 + 1);
        }
        let zero = self.index(0).name;
        let stops = self.define(
            Ty::BOOL,
            format!("arith.cmpi eq, {counter}, {zero} : index"),
        );
        let last = |g: &mut Self| {
            if is_plain {
                return types.iter().map(|ty| g.argument_or_other(ty)).collect();
            }
            g.statements(1);
            g.handed_all(types)
        };
        let call = |g: &mut Self| {
            let one = g.index(1).name;
            let less = g.define_index(
                (0, (n - 1).max(0)),
                format!("arith.subi {counter}, {one} : index"),
            );
            let parts = g.call_again(signature, &less.name, next);
            if is_plain {
                return parts;
            }
            g.statements(budget / 3 + 1);
            g.handed_all(types)
        };
        let stops = stops.name;
        if self.rng.chance(60) {
            let (head, results) = self.results(types.len());
            let list = Self::type_list(types);
            self.line(format!("{head}scf.if {stops} -> ({list}) {{"));
            self.scope(|g| {
                let yielded: Vec<String> = last(g);
                g.yield_line("scf.yield", &yielded, types);
            });
            self.line("} else {");
            self.scope(|g| {
                let yielded = call(g);
                g.yield_line("scf.yield", &yielded, types);
            });
            self.line("}");
            self.push_all(results.clone(), types);
            let returned = match is_plain || self.rng.chance(60) {
                true => results,
                false => self.handed_all(types),
            };
            return self.yield_line("func.return", &returned, types);
        }
        self.line(format!("cf.cond_br {stops}, ^last, ^more"));
        self.line("^last:");
        self.scope(|g| {
            let returned: Vec<String> = last(g);
            g.yield_line("func.return", &returned, types);
        });
        self.line("^more:");
        self.scope(|g| {
            let returned = call(g);
            g.yield_line("func.return", &returned, types);
        });
    }

    /// An argument of the function of this type, else another value.
    fn argument_or_other(&mut self, ty: &Ty) -> String {
        let found = self.pick(|value| value.ty == *ty && value.name.starts_with("%a"));
        match found {
            Some(found) => found.name,
            None => self.handed(ty),
        }
    }

    /// A call from inside of a recursion: with the same arguments, or others of their types. Indices stay in range.
    fn call_again(&mut self, signature: &Signature, counter: &str, name: &str) -> Vec<String> {
        let mut given = vec![counter.to_owned()];
        for (at, argument) in signature.arguments.iter().enumerate() {
            given.push(match argument.ty == Ty::INDEX || self.rng.chance(50) {
                true => format!("%a{at}"),
                false => self.handed(&argument.ty),
            });
        }
        let (ty, n) = (signature.counted(), signature.results.len());
        let parts = self.call_of(name, &ty, n, &given);
        self.push_all(parts.clone(), &signature.results);
        parts
    }

    /// Whether branches can hand on buffers of this type.
    pub(super) fn has_type_to_hand_on(mem: &Mem) -> bool {
        let numbers = |layout: &super::types::Layout| {
            (layout.strides.iter().chain([&layout.offset])).all(|it| !it.is_open)
        };
        mem.layout.as_ref().is_none_or(numbers)
    }
}
