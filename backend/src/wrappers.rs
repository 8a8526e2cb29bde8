//! Functions the compiler adds: the two sides of the C interface and of bare pointers, C's `main`, and
//! what the runtime calls with parts of parallel loops.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types,
};
use cranelift_frontend::{FunctionBuilder, Switch};
use freehold_frontend::ir::types::{DYNAMIC, Type};
use freehold_runtime::command_line::Books;

use crate::abi::{self, CELL, c_interface_returns_struct, part_types};
use crate::command_line;
use crate::external::{self, External};
use crate::lower::symbols::Symbols;
use crate::options::{AllocMode, StatsFormat};
use crate::program::{Body, Function, FunctionId, Program};
use crate::references::{LocalData, References};
use crate::repr::descriptor_size;

/// Writes the code of `function`, whose body is not in MLIR.
pub(crate) fn build<'f>(
    program: &Program<'_>,
    function: &Function<'_>,
    b: FunctionBuilder<'f>,
    references: &mut References,
) -> FunctionBuilder<'f> {
    let mut wrapper = Wrapper {
        program,
        function,
        b,
        symbols: Symbols::new(program, references),
    };
    let entry = wrapper.b.create_block();
    wrapper.b.append_block_params_for_function_params(entry);
    wrapper.b.switch_to_block(entry);
    let params = wrapper.b.block_params(entry).to_vec();
    match function.body {
        Body::CInterface(callee) => wrapper.c_interface(callee, &params),
        Body::CInterfaceCall(callee) => wrapper.c_interface_call(callee, &params),
        Body::Bare(callee) => wrapper.bare(callee, &params),
        Body::BareCall(callee) => wrapper.bare_call(callee, &params),
        Body::Main(callee) => wrapper.main(callee, &params),
        Body::Dispatch => wrapper.dispatch(&params),
        Body::ParallelPart(callee) => wrapper.parallel_part(callee, &params),
        Body::Async(callee) => wrapper.async_body(callee, &params),
        Body::Import
        | Body::Definition(_)
        | Body::Part(..)
        | Body::Kernel(_)
        | Body::Variadic(_)
        | Body::Chosen(_) => {
            unreachable!("these are not wrappers")
        }
    }
    wrapper.b.seal_all_blocks();
    wrapper.b
}

struct Wrapper<'a, 'f> {
    program: &'a Program<'a>,
    function: &'a Function<'a>,
    b: FunctionBuilder<'f>,
    symbols: Symbols<'a>,
}

fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl Wrapper<'_, '_> {
    fn callee(&mut self, id: FunctionId) -> clif::FuncRef {
        self.symbols.function(self.b.func, id)
    }

    fn call_external(&mut self, external: &'static External, args: &[clif::Value]) -> clif::Inst {
        let function = self.symbols.external(self.b.func, external);
        self.b.ins().call(function, args)
    }

    /// The address of a new stack slot.
    fn slot(&mut self, size: u32) -> clif::Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(8), 4);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    fn load_words(&mut self, address: clif::Value, n: usize, args: &mut Vec<clif::Value>) {
        for i in 0..n {
            let offset = 8 * i as i32;
            args.push(self.b.ins().load(types::I64, flags(), address, offset));
        }
    }

    fn store_words(&mut self, words: &[clif::Value], address: clif::Value) {
        for (i, &word) in words.iter().enumerate() {
            self.b.ins().store(flags(), word, address, 8 * i as i32);
        }
    }

    /// How many words the memref type `ty` is passed in; `None` for other types.
    fn memref_words(&self, ty: Type) -> Option<usize> {
        let context = self.program.context;
        if !context.is_memref(ty) {
            return None;
        }
        Some(part_types(context, ty).len())
    }

    /// `_mlir_ciface_f`: loads descriptors and calls `f`.
    fn c_interface(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let target = &self.program.functions[callee];
        let returns_struct = c_interface_returns_struct(self.program.context, target.results);
        let mut params = params.iter().copied();
        let out = returns_struct.then(|| params.next().expect("C passes the pointer first"));
        let mut args = Vec::new();
        let mut lent = Vec::new();
        if target.abi.indirect {
            // Only structs are returned by hidden pointer.
            args.extend(out);
        }
        for &ty in target.inputs {
            match self.memref_words(ty) {
                Some(n) => {
                    let pointer = params.next().expect("memrefs are passed by pointer");
                    let first = args.len();
                    self.load_words(pointer, n, &mut args);
                    if self.program.check_accesses {
                        lent.extend(self.lend(ty, &args[first..]));
                    }
                }
                None => {
                    let n = part_types(self.program.context, ty).len();
                    args.extend(params.by_ref().take(n));
                }
            }
        }
        let results = self.call_with_lent(callee, &args, lent);
        match out.filter(|_| !target.abi.indirect) {
            Some(out) => {
                for (&result, part) in results.iter().zip(&target.abi.results) {
                    let offset = part.offset as i32;
                    self.b.ins().store(flags(), result, out, offset);
                }
                self.b.ins().return_(&[]);
            }
            None => {
                self.b.ins().return_(&results);
            }
        }
    }

    /// Calls the function, and takes back from the checker what was lent to it.
    fn call_with_lent(
        &mut self,
        callee: FunctionId,
        args: &[clif::Value],
        lent: Vec<clif::Value>,
    ) -> Vec<clif::Value> {
        let function = self.callee(callee);
        let call = self.b.ins().call(function, args);
        let results = self.b.inst_results(call).to_vec();
        for allocated in lent {
            self.call_external(&external::CHECK_TAKE_BACK, &[allocated]);
        }
        results
    }

    /// `f` with bare pointers: calls the function with the descriptors that the types of the memrefs imply.
    fn bare(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let target = &self.program.functions[callee];
        let mut params = params.iter().copied();
        let mut args = Vec::new();
        let mut lent = Vec::new();
        // The pointer to the struct of results.
        args.extend(params.by_ref().take(usize::from(target.abi.indirect)));
        for &ty in target.inputs {
            let Some(n) = self.memref_words(ty) else {
                let n = part_types(self.program.context, ty).len();
                args.extend(params.by_ref().take(n));
                continue;
            };
            let pointer = params.next().expect("memrefs are passed by pointer");
            let first = args.len();
            args.extend([pointer; 2]);
            for word in self.known_words(ty) {
                let word = word.expect("other types are refused");
                args.push(self.b.ins().iconst(types::I64, word));
            }
            debug_assert_eq!(args.len(), first + n);
            if self.program.check_accesses {
                lent.extend(self.lend(ty, &args[first..]));
            }
        }
        let results = self.call_with_lent(callee, &args, lent);
        self.b.ins().return_(&results);
    }

    /// The declared `f`: calls the imported one with aligned pointers.
    fn bare_call(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let mut params = params.iter().copied();
        let mut args = Vec::new();
        args.extend(
            params
                .by_ref()
                .take(usize::from(self.function.abi.indirect)),
        );
        for &ty in self.function.inputs {
            match self.memref_words(ty) {
                Some(n) => {
                    let words: Vec<clif::Value> = params.by_ref().take(n).collect();
                    args.push(words[1]);
                }
                None => {
                    let n = part_types(self.program.context, ty).len();
                    args.extend(params.by_ref().take(n));
                }
            }
        }
        let results = self.call_with_lent(callee, &args, Vec::new());
        self.b.ins().return_(&results);
    }

    /// Offset, sizes and strides of memrefs of type `ty`, as far as it says.
    fn known_words(&self, ty: Type) -> Vec<Option<i64>> {
        let context = self.program.context;
        let memref = context.as_memref(ty);
        let Some((memref, (strides, offset))) =
            memref.and_then(|memref| Some((memref, context.memref_strides(memref)?)))
        else {
            return Vec::new();
        };
        std::iter::once(offset)
            .chain(memref.shape.iter().copied())
            .chain(strides)
            .map(|word| (word != DYNAMIC).then_some(word))
            .collect()
    }

    /// Tells the checker of the memory of an argument of type `ty`, passed in these words; returns the allocated
    /// pointer.
    fn lend(&mut self, ty: Type, words: &[clif::Value]) -> Option<clif::Value> {
        let context = self.program.context;
        let element = context.element_byte_size(context.element_type_or_self(ty))?;
        let (descriptor, rank) = match context.as_memref(ty) {
            Some(memref) => {
                // Callers need not state what the type implies.
                let mut words = words.to_vec();
                for (word, known) in words[2..].iter_mut().zip(self.known_words(ty)) {
                    if let Some(known) = known {
                        *word = self.b.ins().iconst(types::I64, known);
                    }
                }
                let slot = self.slot(descriptor_size(memref.rank()));
                self.store_words(&words, slot);
                (slot, self.b.ins().iconst(types::I64, memref.rank() as i64))
            }
            None => (words[1], words[0]),
        };
        let element = self.b.ins().iconst(types::I64, element as i64);
        let call = self.call_external(&external::CHECK_LEND, &[descriptor, rank, element]);
        self.b.inst_results(call).first().copied()
    }

    /// The declared `f`: stores descriptors and calls the imported `_mlir_ciface_f`.
    fn c_interface_call(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let own = &self.function.abi;
        let returns_struct =
            c_interface_returns_struct(self.program.context, self.function.results);
        let mut params = params.iter().copied();
        let hidden = own
            .indirect
            .then(|| params.next().expect("the signature has the pointer"));
        let mut args = Vec::new();
        // The struct of results has the same layout on both sides.
        let out = match hidden {
            Some(pointer) => Some(pointer),
            None => returns_struct.then(|| self.slot(own.results_size)),
        };
        args.extend(out);
        for &ty in self.function.inputs {
            match self.memref_words(ty) {
                Some(n) => {
                    let words: Vec<clif::Value> = params.by_ref().take(n).collect();
                    let address = self.slot(descriptor_size(0).max(8 * n as u32));
                    self.store_words(&words, address);
                    args.push(address);
                }
                None => {
                    let n = part_types(self.program.context, ty).len();
                    args.extend(params.by_ref().take(n));
                }
            }
        }
        let function = self.callee(callee);
        let call = self.b.ins().call(function, &args);
        let mut results = self.b.inst_results(call).to_vec();
        if let (Some(out), None) = (out, hidden) {
            results = own
                .results
                .iter()
                .map(|part| {
                    let offset = part.offset as i32;
                    self.b.ins().load(part.ty, flags(), out, offset)
                })
                .collect();
        }
        self.b.ins().return_(&results);
    }

    /// Calls `callee` with a part of its range; the other arguments are in memory.
    fn parallel_part(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let [context, begin, end] = *params else {
            unreachable!("the signature has three parameters")
        };
        self.call_with_stored(callee, vec![begin, end], context);
    }

    /// Calls the function with arguments from memory.
    fn async_body(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let [context] = *params else {
            unreachable!("the signature has one parameter")
        };
        self.call_with_stored(callee, Vec::new(), context);
    }

    /// Calls the function with these arguments and others from memory, and ends. Its results do not count.
    fn call_with_stored(
        &mut self,
        callee: FunctionId,
        mut args: Vec<clif::Value>,
        context: clif::Value,
    ) {
        let others = &self.program.functions[callee].abi.signature.params[args.len()..];
        for (i, param) in others.iter().enumerate() {
            let offset = CELL as i32 * i as i32;
            let value = self
                .b
                .ins()
                .load(param.value_type, flags(), context, offset);
            args.push(value);
        }
        let function = self.callee(callee);
        self.b.ins().call(function, &args);
        self.b.ins().return_(&[]);
    }

    /// C's `main`: does what the command line says, or calls the entry point.
    fn main(&mut self, callee: FunctionId, params: &[clif::Value]) {
        let Some(dispatch) = self.program.dispatch() else {
            self.call_external(&external::REFUSE_ARGUMENTS, params);
            let status = self.entry_point(callee);
            return self.finish(status);
        };
        let description = LocalData::bytes(&command_line::describe(self.program));
        let description = self.symbols.local_data(self.b.func, description);
        let description = self.b.ins().symbol_value(types::I64, description);
        let dispatch = self.symbols.addressed_function(self.b.func, dispatch);
        let dispatch = self.b.ins().func_addr(types::I64, dispatch);
        let books = match self.program.mode {
            AllocMode::Plain => Books::None,
            AllocMode::Counting => Books::Counting,
            AllocMode::Checking => Books::Checking,
        };
        let books = self.b.ins().iconst(types::I32, i64::from(books as i32));
        let args = [params[0], params[1], description, dispatch, books];
        let call = self.call_external(&external::COMMAND_LINE, &args);
        let status = self.b.inst_results(call)[0];
        if !self.program.functions[callee].inputs.is_empty() {
            return self.finish(status);
        }
        let [entry, end] = [(); 2].map(|()| self.b.create_block());
        let end_status = self.b.append_block_param(end, types::I32);
        let says_nothing = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, status, 0);
        self.b
            .ins()
            .brif(says_nothing, entry, &[], end, &[status.into()]);
        self.b.switch_to_block(entry);
        let status = self.entry_point(callee);
        self.b.ins().jump(end, &[status.into()]);
        self.b.switch_to_block(end);
        self.finish(end_status);
    }

    /// Calls one of the functions that the command line can name: `(number, cells of arguments, results)`.
    fn dispatch(&mut self, params: &[clif::Value]) {
        let [number, cells, results] = *params else {
            unreachable!("the signature has three parameters")
        };
        let program = self.program;
        let nothing = self.b.create_block();
        let mut switch = Switch::new();
        let blocks: Vec<_> = program
            .callable
            .iter()
            .map(|_| self.b.create_block())
            .collect();
        for (index, &block) in blocks.iter().enumerate() {
            switch.set_entry(index as u128, block);
        }
        switch.emit(&mut self.b, number, nothing);
        for (callable, &block) in program.callable.iter().zip(&blocks) {
            self.b.switch_to_block(block);
            let function = self.callee(callable.id);
            let abi = &program.functions[callable.id].abi;
            abi::call_in_memory(&mut self.b, abi, cells, results, |b, args| {
                b.ins().call(function, args)
            });
            self.b.ins().return_(&[]);
        }
        self.b.switch_to_block(nothing);
        self.b.ins().return_(&[]);
    }

    /// Calls the entry point; its first result, if an integer, is the exit status.
    fn entry_point(&mut self, callee: FunctionId) -> clif::Value {
        let target = &self.program.functions[callee];
        let mut args = Vec::new();
        if target.abi.indirect {
            args.push(self.slot(target.abi.results_size));
        }
        let function = self.callee(callee);
        let call = self.b.ins().call(function, &args);
        let result = self.b.inst_results(call).first().copied();
        let status = match (target.results, result) {
            ([_], Some(result)) => {
                let ty = self.b.func.dfg.value_type(result);
                match ty {
                    types::I32 => Some(result),
                    types::I64 if target.abi.results.len() == 1 => {
                        Some(self.b.ins().ireduce(types::I32, result))
                    }
                    types::I8 | types::I16 => Some(self.b.ins().uextend(types::I32, result)),
                    _ => None,
                }
            }
            _ => None,
        };
        status.unwrap_or_else(|| self.b.ins().iconst(types::I32, 0))
    }

    /// Prints the requested reports, and returns this exit status or another one.
    fn finish(&mut self, status: clif::Value) {
        let checked = self.program.mode == AllocMode::Checking;
        let errors = checked.then(|| {
            let report = self.call_external(&external::CHECK_REPORT, &[]);
            self.b.inst_results(report)[0]
        });
        if let Some(format) = self.program.stats {
            let json = i64::from(format == StatsFormat::Json);
            let json = self.b.ins().iconst(types::I8, json);
            self.call_external(&external::STATS_REPORT, &[json]);
        }
        let status = match errors {
            Some(errors) => self.b.ins().select(errors, errors, status),
            None => status,
        };
        let call = self.call_external(&external::END_OUTPUT, &[status]);
        let status = self.b.inst_results(call)[0];
        self.b.ins().return_(&[status]);
    }
}
