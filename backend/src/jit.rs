//! Code that runs in this process.
//!
//! Running compiled code is as safe as the code: a program that accesses memory
//! out of bounds does so here too. The functions below that run code are not
//! marked `unsafe`, as running is what compiling is for; whoever compiles a
//! module vouches for it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use freehold_backend::Options;
//! use freehold_backend::jit::{Argument, Buffer, compile_to_jit};
//! use freehold_frontend::ir::diag::Diagnostics;
//! use freehold_frontend::dialects::{self, arith, func, memref};
//! use freehold_frontend::ir::builtin;
//! use freehold_frontend::ir::builder::Builder;
//! use freehold_frontend::ir::location::Loc;
//! use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};
//!
//! // func.func @first(%m: memref<?xf32>) -> f32
//! let context = Arc::new(dialects::context());
//! let mut module = builtin::module(&context, Loc::UNKNOWN);
//! let memref = context.memref_type(MemRefType::identity(&[DYNAMIC], Type::F32));
//! let mut function = func::function(&context, Loc::UNKNOWN, "first", &[memref], &[Type::F32]);
//! let region = function.region(function.root(), 0);
//! let body = function.append_block(region, &[memref]);
//! let argument = function.block_args(body)[0];
//! let mut builder = Builder::at_end(&mut function, body);
//! let zero = arith::constant_index(&mut builder, 0);
//! let first = memref::build::load(&mut builder, argument, &[zero]);
//! func::build_return(&mut builder, &[first]);
//! let function = module.create_nested(function);
//! let body = module.root_block().expect("modules have a body");
//! module.append_op(body, function);
//!
//! let mut diagnostics = Diagnostics::new();
//! let jit = compile_to_jit(&module, &Options::host(), &mut diagnostics)
//!     .map_err(|_| diagnostics.render_plain(&context))
//!     .expect("the module compiles");
//! let mut data = [1.5f32, 2.5];
//! let buffer = Buffer::new(&mut data, &[2]);
//! let results = jit.call("first", &[Argument::MemRef(&buffer)]).expect("the types are right");
//! assert_eq!(results[0].as_f32(), Some(1.5));
//! ```

#![expect(
    unsafe_code,
    reason = "generated code, shared libraries and the C library are foreign"
)]

mod buffer;
mod call;
mod crash;
mod gdb;
mod heap;
mod memory;
pub mod mpi;
mod perf;
mod probe;
mod result;
mod symbols;
mod trampoline;
mod typed;
mod types;

use std::path::Path;
use std::sync::OnceLock;

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use memory::{Memory, Sizes};
use trampoline::Trampoline;
use types::Passed;

pub use buffer::{Buffer, BufferError, Element};
pub use call::{Argument, CallError, EntryResult, FunctionRef, ResultKind};
pub use crash::{CrashReport, end_on_broken_pipe, end_with_parent};
pub use heap::keep_freed_memory;
pub use result::{MemRefResult, ResultValue};
pub use typed::{Parameter, Parameters, Results, TypedFunction};
pub use types::{ElementType, MemRefKind, Shape, Signature, ValueKind, ValueType};

use crate::abi::FunctionAbi;
use crate::compile::{self, Keep};
use crate::declaration::Declaration;
use crate::emit::{self, Emitter};
use crate::isa::Purpose;
use crate::options::{AllocMode, Options};
use crate::preconditions::{CallPrecondition, preconditions_of};
use crate::program::isa_for;
use crate::program::{Body, Entry, FunctionId, Linkage, Program, Role};
use crate::references::{CompiledFunction, used_symbols};
use crate::saved;

/// A module as code in memory. The memory is released when this goes. Functions of `llvm.mlir.global_ctors` have run, those of
/// `llvm.mlir.global_dtors` run at the end.
///
/// Threads may call functions at the same time. What programs do to their own globals then is theirs to
/// order.
pub struct Jit {
    functions: FxHashMap<String, Function>,
    /// Where the globals are that are the module's own: from the first byte to behind the last.
    globals: Vec<(usize, usize)>,
    /// Who keeps the books of allocations.
    mode: AllocMode,
    /// What runs when this goes, the last one first.
    at_end: Vec<Initializer>,
    /// What debuggers know. Goes before the code does.
    _registration: gdb::Registration,
    _code: CodeMemory,
}

/// A function that runs before the rest of the program or after it.
type Initializer = extern "C" fn();

impl Jit {
    /// Runs what the program has for its end. Without this, it runs when the value goes.
    pub fn finish(&mut self) {
        while let Some(function) = self.at_end.pop() {
            function();
        }
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Code and data that a Cranelift module holds.
struct CodeMemory(
    /// `None` only while dropping.
    Option<JITModule>,
);

// SAFETY: once everything is defined, the module is only kept until it is dropped, by one thread.
unsafe impl Send for CodeMemory {}
// SAFETY: nothing can be done with a shared one.
unsafe impl Sync for CodeMemory {}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: code runs only inside of methods that borrow what holds this.
            unsafe { module.free_memory() };
        }
    }
}

/// A function in memory.
struct Code<'c> {
    address: usize,
    compiled: &'c CompiledFunction,
}

/// A function of the module, as callers see it.
struct Function {
    name: String,
    /// Where its code is; `None` for unused declarations.
    address: Option<usize>,
    abi: FunctionAbi,
    inputs: Vec<Passed>,
    results: Vec<Passed>,
    signature: Signature,
    /// What sizes of arguments must be to each other.
    preconditions: Vec<CallPrecondition>,
    /// Whether it is the program's own. Others, which the compiler made of parts of it, are called in ways that
    /// their types do not say.
    is_of_program: bool,
    /// Whether other modules do not see it.
    is_private: bool,
    /// Bytes of machine code.
    code_size: usize,
    /// Made by the first call.
    trampoline: OnceLock<Trampoline>,
}

impl std::fmt::Debug for Jit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jit").finish_non_exhaustive()
    }
}

/// Compiles a module for this process and resolves everything it refers to.
///
/// # Errors
/// If something cannot be compiled, a shared library cannot be loaded, or a
/// symbol is not defined anywhere; `diagnostics` says what.
pub fn compile_to_jit(
    ir: &Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Jit, Failed> {
    load_or_compile(ir, options, &mut None, diagnostics)
}

/// [`compile_to_jit`] that takes up the code in `saved`, which must come from a call with the same module and
/// the same options. If there is none, or it is damaged, code is made, and `saved` is what can be kept of it.
///
/// # Errors
/// As [`compile_to_jit`].
pub fn load_or_compile(
    ir: &Ir,
    options: &Options,
    saved: &mut Option<Vec<u8>>,
    diagnostics: &mut Diagnostics,
) -> Result<Jit, Failed> {
    let loc = ir.loc(ir.root());
    if !options.target.is_host() {
        let message = format!("code for target '{}' cannot run here", options.target);
        return Err(diagnostics.error(loc, message));
    }
    let purpose = Purpose::Jit;
    let (isa, arch) = isa_for(options, purpose, loc, diagnostics)?;
    let role = Role::only(Entry::None);
    let mut program = Program::new(ir, &*isa, arch, purpose, options, role, diagnostics)?;
    let known = saved
        .as_ref()
        .and_then(|code| saved::decode(code, &mut program));
    let compiled = match known {
        Some(known) => known,
        None => {
            let made = compile::compile(&mut program, options, Keep::Code, diagnostics)?;
            *saved = saved::encode(&made, &program);
            made
        }
    };

    let mut builder = JITBuilder::with_isa(isa.clone(), default_libcall_names());
    builder.symbol_lookup_fn(Box::new(symbols::known));
    for (name, address) in resolve(&program, &compiled, options, diagnostics)? {
        builder.symbol(name, address);
    }
    let memory = Memory::new(memory_sizes(&program, &compiled)).map_err(|error| {
        let message = format!("cannot allocate memory for code and globals: {error}");
        diagnostics.error(loc, message)
    })?;
    builder.memory_provider(Box::new(memory));
    let module = JITModule::new(builder);
    let mut emitter = Emitter::emit(&program, module, &compiled, diagnostics)?;
    emitter
        .module
        .finalize_definitions()
        .map_err(|error| diagnostics.error(loc, error.to_string()))?;
    for data in &emitter.large {
        let (pointer, size) = emitter.module.get_finalized_data(data.id);
        debug_assert_eq!(size, data.bytes.len());
        // SAFETY: the memory is the symbol's alone, and nothing runs yet that could look at it.
        unsafe { memory::fill(pointer.cast_mut(), data.bytes) }
            .map_err(|error| diagnostics.error(loc, format!("cannot write constants: {error}")))?;
    }

    let code: Vec<Code<'_>> = compiled
        .iter()
        .filter_map(|compiled| {
            let id = emitter.function(compiled.id)?;
            let address = emitter.module.get_finalized_function(id).addr();
            Some(Code { address, compiled })
        })
        .collect();
    let mut report = |message: String| diagnostics.error(loc, message);
    if let Some(output) = options.perf {
        perf::write(&program, &code, output).map_err(&mut report)?;
    }
    let description = gdb::describe(&program, &code, options).map_err(report)?;

    let passed = |tys: &[Type]| -> Vec<Passed> {
        tys.iter()
            .filter_map(|&ty| Passed::of(program.context, ty))
            .collect()
    };
    let types = |tys: &[Type]| {
        tys.iter()
            .map(|&ty| ValueType::new(program.context, ty))
            .collect()
    };
    let sizes: FxHashMap<_, _> = compiled.iter().map(|f| (f.id, f.code.len())).collect();
    let functions = program
        .functions
        .iter()
        .map(|(id, function)| {
            let is_defined = !matches!(function.body, Body::Import);
            let code = emitter.function(id).filter(|_| is_defined);
            let address = |code| {
                emitter
                    .module
                    .get_finalized_function(code)
                    .expose_provenance()
            };
            let entry = Function {
                name: function.link_name.clone(),
                address: code.map(address),
                abi: function.abi.clone(),
                inputs: passed(function.inputs),
                results: passed(function.results),
                signature: Signature {
                    arguments: types(function.inputs),
                    results: types(function.results),
                },
                preconditions: preconditions_of(&program, function),
                is_private: function.linkage == Linkage::Local,
                is_of_program: matches!(function.body, Body::Definition(_) | Body::Import),
                code_size: sizes.get(&id).copied().unwrap_or(0),
                trampoline: OnceLock::new(),
            };
            (function.link_name.clone(), entry)
        })
        .collect();
    let globals = program.globals.keys().filter_map(|id| {
        let (pointer, size) = emitter.module.get_finalized_data(emitter.own_global(id)?);
        Some((pointer.addr(), pointer.addr() + size))
    });
    let initializers = |functions: &[(u16, FunctionId)]| -> Vec<Initializer> {
        let functions = functions.iter();
        functions
            .filter_map(|&(_, id)| {
                let code = emitter.module.get_finalized_function(emitter.function(id)?);
                // SAFETY: it is the address of code without arguments and results.
                Some(unsafe { std::mem::transmute::<*const u8, Initializer>(code) })
            })
            .collect()
    };
    for function in initializers(&program.initializers.start) {
        function();
    }
    Ok(Jit {
        functions,
        globals: globals.collect(),
        mode: options.mode,
        at_end: initializers(&program.initializers.end),
        _registration: gdb::Registration::new(description),
        _code: CodeMemory(Some(emitter.module)),
    })
}

/// How much memory code and data take, alignment included.
fn memory_sizes(program: &Program<'_>, compiled: &[CompiledFunction]) -> Sizes {
    let mut sizes = Sizes {
        code: compiled.iter().map(CompiledFunction::code_size).sum(),
        read_only: compiled.iter().map(CompiledFunction::data_size).sum(),
        writable: 0,
    };
    let needed = emit::needed_globals(program, compiled);
    for id in program.globals.keys().filter(|id| needed.contains(id)) {
        let (size, is_constant) = emit::global_size(program, id);
        let total = if is_constant {
            &mut sizes.read_only
        } else {
            &mut sizes.writable
        };
        // An alignment of up to a page.
        *total = total.saturating_add(size).saturating_add(1 << 12);
    }
    sizes
}

/// The address of every imported symbol that something refers to.
fn resolve(
    program: &Program<'_>,
    compiled: &[CompiledFunction],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<(String, *const u8)>, Failed> {
    let module_loc = program.module.loc(program.module.root());
    let mut libraries = Vec::new();
    for path in &options.shared_libs {
        libraries.push(open_library(path, module_loc, diagnostics)?);
    }
    let used = used_symbols(compiled);
    let calls_mpi = (program.functions.values()).find(|function| {
        function.linkage == Linkage::Import && mpi::is_function(&function.link_name)
    });
    if let Some(function) = calls_mpi.filter(|_| {
        !libraries
            .iter()
            .any(|library| library.find("MPI_Init").is_some())
    }) {
        let is_open_mpi = program
            .globals
            .values()
            .any(|global| mpi::is_object(global.link_name));
        let library = mpi::open(is_open_mpi).map_err(|reason| {
            let message = format!("cannot load the library of MPI: {reason}");
            diagnostics.error(function.loc, message)
        })?;
        libraries.push(library);
    }
    let functions = program
        .functions
        .iter()
        .filter(|(id, function)| function.linkage == Linkage::Import && used.functions.contains(id))
        .map(|(_, function)| (function.link_name.as_str(), function.loc));
    let globals = program
        .globals
        .iter()
        .filter(|(id, global)| global.linkage == Linkage::Import && used.globals.contains(id))
        .map(|(_, global)| (global.link_name, program.module.loc(global.op)));
    let externals = used.externals.iter().map(|&name| (name, module_loc));
    let mut resolved = Vec::new();
    let mut result = Ok(());
    for (name, loc) in functions.chain(globals).chain(externals) {
        // Memory from one allocator must not go to another: what generated code itself calls
        // is never taken from a library.
        let libraries = if used.externals.contains(name) {
            &[]
        } else {
            libraries.as_slice()
        };
        let counting = options
            .count_malloc
            .then(|| probe::counting(name))
            .flatten();
        match counting.or_else(|| symbols::find(name, libraries)) {
            Some(address) => resolved.push((program.external_symbol(name).into_owned(), address)),
            None => {
                let message = format!(
                    "undefined symbol '{name}': defined neither in the module nor in the \
                     runtime, a shared library or this process"
                );
                result = Err(diagnostics.error(loc, message));
            }
        }
    }
    result.map(|()| resolved)
}

fn open_library(
    path: &Path,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Result<symbols::Library, Failed> {
    symbols::Library::open(path).map_err(|reason| {
        let message = format!("cannot load shared library '{}': {reason}", path.display());
        diagnostics.error(loc, message)
    })
}

impl Jit {
    fn function(&self, name: &str) -> Result<(&Function, *const u8), CallError> {
        let function = self
            .functions
            .get(name)
            .ok_or_else(|| CallError::new(format!("there is no function '{name}'")))?;
        let address = function
            .address
            .ok_or_else(|| CallError::new(format!("function '{name}' is not defined")))?;
        Ok((function, std::ptr::with_exposed_provenance(address)))
    }

    /// Tells what all functions were before passes changed them: messages name their types, and arguments that they
    /// only read may be shared. Whoever compiles vouches for that. Private functions that are not among them were made
    /// by passes, and callers cannot name them.
    pub fn declare(&mut self, declarations: &[(String, Declaration)]) {
        let known: FxHashMap<&str, &Declaration> = (declarations.iter())
            .map(|(name, declaration)| (name.as_str(), declaration))
            .collect();
        let functions = self.functions.values_mut();
        functions.for_each(|function| match known.get(function.name.as_str()) {
            Some(declaration) => function.signature.declare(declaration),
            None => function.is_of_program &= !function.is_private,
        });
    }

    /// Whether the program has a function of this name, be it declared or defined.
    pub fn has_function(&self, name: &str) -> bool {
        let function = self.functions.get(name);
        function.is_some_and(|function| function.is_of_program)
    }

    /// The names of all functions that can be called, in order.
    pub fn function_names(&self) -> Vec<&str> {
        let callable = self
            .functions
            .values()
            .filter(|function| function.address.is_some() && function.is_of_program);
        let mut names: Vec<_> = callable.map(|function| function.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Bytes of machine code of a function, by the name it has in object files.
    pub fn code_size(&self, name: &str) -> Option<usize> {
        self.function(name)
            .ok()
            .map(|(function, _)| function.code_size)
    }

    /// Bytes of machine code of all functions of the module.
    pub fn total_code_size(&self) -> usize {
        self.functions
            .values()
            .map(|function| function.code_size)
            .sum()
    }

    /// The address of the code of a function, by the name it has in object
    /// files. It is valid as long as this is.
    pub fn lookup(&self, name: &str) -> Option<*const u8> {
        self.function(name).ok().map(|(_, address)| address)
    }
}
