//! The functions that are added to those of a program: what others see of several versions, both sides of the C interface
//! and of bare pointers, C's `main` and what it calls, and what the runtime calls for parallel loops and concurrent work.

use cranelift_codegen::ir::types;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::{
    ASYNC_ATTR, AsyncBody, Body, Callable, Function, FunctionId, Linkage, MemRefs, PARALLEL_ATTR,
    Program, entry_function,
};
use crate::abi::{C_INTERFACE_PREFIX, FunctionAbi};
use crate::declaration::Declaration;
use crate::isa::Purpose;

impl<'a> Program<'a> {
    /// Adds what others see of the function `id`.
    pub(super) fn add_chosen(&mut self, id: FunctionId, name: &'a str) -> FunctionId {
        let function = &self.functions[id];
        let chosen = self.functions.push(Function {
            link_name: name.to_owned(),
            linkage: Linkage::Export,
            abi: function.abi.clone(),
            body: Body::Chosen(name),
            loc: function.loc,
            inputs: function.inputs,
            results: function.results,
            memrefs: MemRefs::Expanded,
            parts: Vec::new(),
            kernels: Vec::new(),
        });
        self.chosen.insert(id, chosen);
        chosen
    }

    /// What others call for this function.
    pub(super) fn seen(&self, id: FunctionId) -> FunctionId {
        self.chosen.get(&id).copied().unwrap_or(id)
    }

    /// On x86-64, a function that takes any number of arguments is told in `al` how many of them are in
    /// vector registers at most. Cranelift does not do so: a function in between does.
    pub(super) fn add_variadic(&mut self, id: FunctionId) {
        let function = &self.functions[id];
        let between = Function {
            // No identifier of C has a dot.
            link_name: self.local_name(&format!("{}.variadic", function.link_name)),
            linkage: Linkage::Local,
            abi: function.abi.clone(),
            body: Body::Variadic(id),
            loc: function.loc,
            inputs: function.inputs,
            results: function.results,
            memrefs: MemRefs::Expanded,
            parts: Vec::new(),
            kernels: Vec::new(),
        };
        let between = self.functions.push(between);
        self.variadic.insert(id, between);
    }

    /// The callee where this function is called with more arguments than it declares.
    pub(crate) fn variadic(&self, id: FunctionId) -> FunctionId {
        self.variadic.get(&id).copied().unwrap_or(id)
    }

    /// Adds `_mlir_ciface_f`, or `f` with bare pointers: a wrapper around a definition, or an import that
    /// the declared `f` calls.
    pub(super) fn add_interface(&mut self, id: FunctionId, memrefs: MemRefs, abi: FunctionAbi) {
        let function = &self.functions[id];
        let is_import = matches!(function.body, Body::Import);
        let is_bare = memrefs == MemRefs::Bare;
        let link_name = function.link_name.clone();
        if is_bare && !is_import && (link_name == "main" || !self.is_linked()) {
            return;
        }
        let wrapper = Function {
            link_name: match is_bare {
                true => link_name.clone(),
                false => format!("{C_INTERFACE_PREFIX}{link_name}"),
            },
            linkage: match is_import {
                true => Linkage::Import,
                false => function.linkage,
            },
            abi,
            body: match is_import {
                true => Body::Import,
                false if is_bare => Body::Bare(id),
                false => Body::CInterface(id),
            },
            loc: function.loc,
            inputs: function.inputs,
            results: function.results,
            memrefs,
            parts: Vec::new(),
            kernels: Vec::new(),
        };
        let wrapper = self.functions.push(wrapper);
        if is_import {
            self.functions[id].body = match is_bare {
                true => Body::BareCall(wrapper),
                false => Body::CInterfaceCall(wrapper),
            };
        }
        if is_import || is_bare {
            let name = match is_bare {
                // No identifier of C has a dot.
                true => self.local_name(&format!("{link_name}.expanded")),
                false => self.local_name(&link_name),
            };
            let function = &mut self.functions[id];
            function.link_name = name;
            function.linkage = Linkage::Local;
        }
    }

    /// Whether a linker reads the names of functions.
    pub(super) fn is_linked(&self) -> bool {
        !matches!(self.purpose, Purpose::Jit)
    }

    /// Adds the wrappers that the runtime calls with parts of the ranges of parallel loops.
    pub(super) fn add_parallel_parts(&mut self) {
        let attr = self.context.intern_name(PARALLEL_ATTR);
        let ids: Vec<FunctionId> = self.functions.keys().collect();
        for id in ids {
            let function = &self.functions[id];
            let Body::Definition(ir) = function.body else {
                continue;
            };
            let takes_range = matches!(function.inputs, [Type::INDEX, Type::INDEX, ..]);
            if !ir.has_attr(ir.root(), attr) || !takes_range || !function.results.is_empty() {
                continue;
            }
            let (name, loc) = (format!("{}.part", function.link_name), function.loc);
            let part = self.add_internal(name, 3, Body::ParallelPart(id), loc);
            self.parallel_parts.insert(id, part);
        }
    }

    /// Adds the wrappers that the runtime calls to run bodies of `async.execute`.
    pub(super) fn add_async_bodies(&mut self) {
        let attr = self.context.intern_name(ASYNC_ATTR);
        let ids: Vec<FunctionId> = self.functions.keys().collect();
        for id in ids {
            let function = &self.functions[id];
            let Body::Definition(ir) = function.body else {
                continue;
            };
            if !ir.has_attr(ir.root(), attr) || *function.results != [Type::I64] {
                continue;
            }
            let (name, loc) = (format!("{}.body", function.link_name), function.loc);
            let body = self.add_internal(name, 1, Body::Async(id), loc);
            let value = ir.attr(ir.root(), attr);
            let may_wait = value.is_some_and(|value| value != Attr::UNIT);
            self.async_bodies.insert(id, AsyncBody { body, may_wait });
        }
    }

    /// What the runtime is to call for a call of this function, if another thread may run it.
    pub(crate) fn async_body(&self, id: FunctionId) -> Option<AsyncBody> {
        self.async_bodies.get(&id).copied()
    }

    /// What the runtime is to call if calls of this function run on several threads.
    pub(crate) fn parallel_part(&self, id: FunctionId) -> Option<FunctionId> {
        self.parallel_parts.get(&id).copied()
    }

    /// Adds C's `main`. The function it calls gives up its name if that is `main`.
    pub(super) fn add_main(
        &mut self,
        name: &str,
        declarations: &'a [(String, Declaration)],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let id = self.seen(entry_function(self, name, diagnostics)?);
        self.add_callable(id, name, declarations);
        let function = &mut self.functions[id];
        if function.link_name == "main" {
            // No identifier of C has a dot.
            "freehold.main".clone_into(&mut function.link_name);
            function.linkage = Linkage::Local;
        }
        let loc = function.loc;
        let arguments = [types::I32, types::I64];
        let abi = FunctionAbi::plain(self.call_conv(), &arguments, &[types::I32]);
        self.functions.push(Function {
            link_name: "main".to_owned(),
            linkage: Linkage::Export,
            abi,
            body: Body::Main(id),
            loc,
            inputs: &[],
            results: &[],
            memrefs: MemRefs::Expanded,
            parts: Vec::new(),
            kernels: Vec::new(),
        });
        Ok(())
    }

    /// Adds what executables call besides: all that others would see, if anything has arguments or results.
    pub(super) fn add_callable(
        &mut self,
        entry: FunctionId,
        entry_name: &str,
        declarations: &'a [(String, Declaration)],
    ) {
        let known: FxHashMap<&str, &Declaration> = (declarations.iter())
            .map(|(name, declaration)| (name.as_str(), declaration))
            .collect();
        let callable = |id, name: &str| Callable {
            id,
            name: name.to_owned(),
            declaration: known.get(name).copied(),
        };
        let mut all = vec![callable(entry, entry_name)];
        for (id, function) in self.functions.iter() {
            let is_seen = function.linkage == Linkage::Export;
            let callee = match function.body {
                Body::Definition(_) | Body::Chosen(_) => id,
                Body::Bare(callee) => callee,
                _ => continue,
            };
            if is_seen && callee != entry {
                all.push(callable(callee, &function.link_name));
            }
        }
        let has_values = |callable: &Callable<'_>| {
            let function = &self.functions[callable.id];
            !function.inputs.is_empty() || !function.results.is_empty()
        };
        if !all.iter().any(has_values) {
            return;
        }
        self.callable = all;
        let (name, loc) = ("freehold.dispatch".to_owned(), self.functions[entry].loc);
        self.add_internal(name, 3, Body::Dispatch, loc);
    }

    /// Adds a function that only this program calls, with `n_params` 64-bit numbers. No identifier of C has the
    /// dot that its name has.
    pub(super) fn add_internal(
        &mut self,
        link_name: String,
        n_params: usize,
        body: Body<'a>,
        loc: Loc,
    ) -> FunctionId {
        self.functions.push(Function {
            link_name,
            linkage: Linkage::Local,
            abi: FunctionAbi::plain(self.call_conv(), &vec![types::I64; n_params], &[]),
            body,
            loc,
            inputs: &[],
            results: &[],
            memrefs: MemRefs::Expanded,
            parts: Vec::new(),
            kernels: Vec::new(),
        })
    }

    /// Adds a piece of the function `whole`, which calls it with a pointer to the memory that holds its live-ins and
    /// live-outs.
    pub(crate) fn add_apart(
        &mut self,
        whole: FunctionId,
        name: &str,
        body: Body<'a>,
    ) -> FunctionId {
        let function = &self.functions[whole];
        let (name, loc) = (format!("{}.{name}", function.link_name), function.loc);
        self.add_internal(name, 1, body, loc)
    }

    /// The function that calls [`Program::callable`], if there is something to call.
    pub(crate) fn dispatch(&self) -> Option<FunctionId> {
        let mut functions = self.functions.iter();
        let dispatch = functions.find(|(_, function)| matches!(function.body, Body::Dispatch));
        dispatch.map(|(id, _)| id)
    }
}
