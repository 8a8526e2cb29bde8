//! The symbols of a module: which functions and globals there are, what they
//! are called in object files, and which of them other objects see.
//!
//! Functions are numbered by [`FunctionId`] in the order of the module, followed by those the compiler adds: C
//! interface wrappers and C's `main`, and once code is made, pieces compiled apart from functions (`outline.rs`).

mod added;

use std::borrow::Cow;

use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetIsa};
use cranelift_entity::{PrimaryMap, entity_impl};
use freehold_frontend::dialects::{affine, llvm, memref, vector};
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;
use freehold_frontend::target::Vectors;
use rustc_hash::FxHashMap;

use crate::abi::{FunctionAbi, MAX_PARAMS, can_be_variadic};
use crate::cpu::Cpu;
use crate::declaration::Declaration;
use crate::external::is_external;
use crate::external::runtime_defines;
use crate::isa::{self, Arch, Purpose};
use crate::options::{AllocMode, Allocator, Options, StatsFormat};
use crate::split::Part;

/// Marks functions whose calls may be split: `f(%begin, %end, ...)` does what calls with parts of
/// the range do, in any order and at the same time. `outline-parallel-loops` makes them.
const PARALLEL_ATTR: &str = "freehold.parallel";
/// Marks functions that run bodies of `async.execute`: see the pass `outline-async-bodies`.
const ASYNC_ATTR: &str = "freehold.async";

/// What the runtime calls for a body of `async.execute`.
#[derive(Clone, Copy)]
pub(crate) struct AsyncBody {
    pub(crate) body: FunctionId,
    /// Whether it may wait for what comes after the call.
    pub(crate) may_wait: bool,
}

/// A function of the object file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FunctionId(u32);
entity_impl!(FunctionId, "fn");

/// A `memref.global`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// Who can see a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Linkage {
    /// Defined elsewhere.
    Import,
    /// Defined here, for others too.
    Export,
    /// Defined here, for this module only.
    Local,
}

/// Where the code of a function comes from.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    /// Another object.
    Import,
    /// The function in this arena.
    Definition(&'a Ir),
    /// Calls the function with descriptors loaded from pointers: `_mlir_ciface_f`.
    CInterface(FunctionId),
    /// Calls the imported `_mlir_ciface_f` with pointers to descriptors.
    CInterfaceCall(FunctionId),
    /// Calls the function with descriptors of what bare pointers point to.
    Bare(FunctionId),
    /// Calls the imported function with bare pointers.
    BareCall(FunctionId),
    /// Calls the function as C's `main`.
    Main(FunctionId),
    /// Calls the one of [`Program::callable`] that has a number, with arguments and results in memory.
    Dispatch,
    /// Calls the function, which runs a part of a parallel loop, for the runtime.
    ParallelPart(FunctionId),
    /// Calls the function, which runs a body of `async.execute`, for the runtime.
    Async(FunctionId),
    /// Calls the imported function, which takes any number of arguments, with what it was called with.
    Variadic(FunctionId),
    /// The part of this number of the function.
    Part(FunctionId, usize),
    /// A kernel of the function.
    Kernel(FunctionId),
    /// Goes on to the function of this name in one of the versions of the program.
    Chosen(&'a str),
}

/// Which program of those that become one object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version<'a> {
    /// There are no others.
    Only,
    /// The one that others see, with further versions behind its functions.
    First,
    /// A further version. Its functions are private; this suffix ends their names.
    Further(&'a str),
}

/// What a program is to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Role<'a> {
    pub(crate) entry: Entry<'a>,
    pub(crate) version: Version<'a>,
}

impl<'a> Role<'a> {
    /// A program without versions.
    pub(crate) fn only(entry: Entry<'a>) -> Self {
        let version = Version::Only;
        Self { entry, version }
    }
}

/// The suffix of function names of the first version.
const FIRST: &str = "baseline";

/// How a function takes memrefs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MemRefs {
    /// As the words of their descriptors.
    Expanded,
    /// As pointers to descriptors.
    CInterface,
    /// As aligned pointers.
    Bare,
}

/// Makes the convention of one of [`MemRefs`].
type MakeAbi = fn(&Context, Arch, CallConv, &[Type], &[Type]) -> Result<FunctionAbi, Type>;

/// One function.
pub(crate) struct Function<'a> {
    /// Its name in object files.
    pub(crate) link_name: String,
    /// Who sees it.
    pub(crate) linkage: Linkage,
    /// How it is called.
    pub(crate) abi: FunctionAbi,
    /// Its code.
    pub(crate) body: Body<'a>,
    /// Where it is declared.
    pub(crate) loc: Loc,
    /// MLIR types of its arguments.
    pub(crate) inputs: &'a [Type],
    /// MLIR types of its results.
    pub(crate) results: &'a [Type],
    /// How it takes memrefs.
    pub(crate) memrefs: MemRefs,
    /// What of it is compiled on its own. Nothing before code is made.
    pub(crate) parts: Vec<(FunctionId, Part)>,
    /// What of it runs in vectors that Cranelift does not have. Nothing before code is made.
    pub(crate) kernels: Vec<(FunctionId, Part)>,
}

/// A function that the command line of an executable can name.
pub(crate) struct Callable<'a> {
    pub(crate) id: FunctionId,
    /// Its name in the program.
    pub(crate) name: String,
    /// What users know of it, if that is said.
    pub(crate) declaration: Option<&'a Declaration>,
}

/// Functions that run before the rest of a program and after it, with their priorities.
#[derive(Default)]
pub(crate) struct Initializers {
    /// In the order that they run in.
    pub(crate) start: Vec<(u16, FunctionId)>,
    /// In the reverse of the order that they run in.
    pub(crate) end: Vec<(u16, FunctionId)>,
}

/// One global.
pub(crate) struct Global<'a> {
    /// The `memref.global`, in the module's arena.
    pub(crate) op: Op,
    /// Its name in object files.
    pub(crate) link_name: &'a str,
    /// Who sees it.
    pub(crate) linkage: Linkage,
}

/// Everything functions need to know of each other while they are compiled.
pub(crate) struct Program<'a> {
    /// The module.
    pub(crate) module: &'a Ir,
    /// Its context.
    pub(crate) context: &'a Context,
    /// Cranelift's view of the target.
    pub(crate) isa: &'a dyn TargetIsa,
    /// The architecture of the target.
    pub(crate) arch: Arch,
    /// What the code is for.
    pub(crate) purpose: Purpose,
    /// Whether it is one of several for different processors.
    pub(crate) version: Version<'a>,
    /// What the processor does with registers of vectors.
    pub(crate) vectors: Vectors,
    /// Whether there are instructions that compare registers of 64-bit integers.
    pub(crate) compares_wide_integers: bool,
    /// Whether one instruction shuffles the bytes of registers in any way. Cranelift calls a function where none does.
    pub(crate) shuffles_bytes: bool,
    /// Allocation mode.
    pub(crate) mode: AllocMode,
    /// See [`Options::allocator`].
    allocator: Option<Allocator>,
    /// See [`Options::aligned_alloc`].
    pub(crate) aligned_alloc: bool,
    /// See [`Options::stats`].
    pub(crate) stats: Option<StatsFormat>,
    /// Whether loads and stores are checked.
    pub(crate) check_accesses: bool,
    /// Whether lines are kept for debuggers.
    pub(crate) has_debug_info: bool,
    /// All functions.
    pub(crate) functions: PrimaryMap<FunctionId, Function<'a>>,
    /// All globals.
    pub(crate) globals: PrimaryMap<GlobalId, Global<'a>>,
    /// On how many threads parallel loops run.
    pub(crate) threads: u32,
    /// Whether the code is linked with the runtime. Plain objects need nothing but the C library.
    pub(crate) has_runtime: bool,
    /// What the command line of an executable can name, the entry point first.
    pub(crate) callable: Vec<Callable<'a>>,
    /// What runs before the rest of the program and after it, in this order.
    pub(crate) initializers: Initializers,
    parallel_parts: FxHashMap<FunctionId, FunctionId>,
    async_bodies: FxHashMap<FunctionId, AsyncBody>,
    variadic: FxHashMap<FunctionId, FunctionId>,
    chosen: FxHashMap<FunctionId, FunctionId>,
    functions_by_name: FxHashMap<&'a str, FunctionId>,
    globals_by_name: FxHashMap<&'a str, GlobalId>,
}

/// Code linked with the functions of the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry<'e> {
    /// Nothing that we know.
    None,
    /// The runtime.
    Runtime,
    /// The runtime and C's `main`, which calls this function or another one that its command line names. What users
    /// know of functions is for messages.
    Main(&'e str, &'e [(String, Declaration)]),
}

fn has_feature(isa: &dyn TargetIsa, name: &str) -> bool {
    let mut flags = isa.isa_flags().into_iter();
    flags.any(|flag| flag.name == name && flag.as_bool() == Some(true))
}

impl<'a> Program<'a> {
    /// Whether memory comes from a function of the user's.
    pub(crate) fn has_allocator(&self) -> bool {
        self.allocator.is_some()
    }

    /// The symbol of an external function: those that allocate may be others than C's.
    pub(crate) fn symbol_of(&self, name: &'static str) -> &str {
        let Some(allocator) = &self.allocator else {
            return name;
        };
        match name {
            "malloc" | "aligned_alloc" => &allocator.allocate,
            "free" => &allocator.free,
            _ => name,
        }
    }

    /// The symbol that stands for the C library's function `name`. In memory, a function of the program may have the same
    /// name; no identifier of C has a dot.
    pub(crate) fn external_symbol<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let is_taken = self.purpose == Purpose::Jit
            && (self.function(name))
                .is_some_and(|id| self.functions[id].linkage == Linkage::Export);
        match is_taken {
            true => format!("{name}.external").into(),
            false => name.into(),
        }
    }

    /// Collects the symbols of `module`. What cannot be compiled is reported.
    pub(crate) fn new(
        module: &'a Ir,
        isa: &'a dyn TargetIsa,
        arch: Arch,
        purpose: Purpose,
        options: &Options,
        role: Role<'a>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        let Role { entry, version } = role;
        let mut program = Self {
            module,
            context: module.context(),
            isa,
            arch,
            purpose,
            version,
            vectors: options.vectors(purpose == Purpose::Jit),
            shuffles_bytes: arch != Arch::X86_64 || has_feature(isa, "has_ssse3"),
            compares_wide_integers: arch != Arch::X86_64 || has_feature(isa, "has_sse42"),
            mode: options.mode,
            allocator: options.allocator.clone(),
            aligned_alloc: options.aligned_alloc,
            stats: options.stats.filter(|_| options.mode != AllocMode::Plain),
            check_accesses: options.check_accesses && options.mode == AllocMode::Checking,
            has_debug_info: options.debug_info.is_some(),
            functions: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            threads: options.threads,
            has_runtime: purpose == Purpose::Jit
                || entry != Entry::None
                || options.mode != AllocMode::Plain
                || options.threads > 1,
            callable: Vec::new(),
            initializers: Initializers::default(),
            parallel_parts: FxHashMap::default(),
            async_bodies: FxHashMap::default(),
            variadic: FxHashMap::default(),
            chosen: FxHashMap::default(),
            functions_by_name: FxHashMap::default(),
            globals_by_name: FxHashMap::default(),
        };
        let mut result = Ok(());
        let mut wrapped = Vec::new();
        for op in module.root_block().iter().flat_map(|&b| module.ops_in(b)) {
            let added = match module.nested(op) {
                Some(function) if module.has_trait(op, Traits::FUNCTION) => {
                    program.add_function(function, &mut wrapped, diagnostics)
                }
                _ if module.is(op, &memref::GLOBAL) => program.add_global(op, diagnostics),
                _ if module.is(op, &llvm::GLOBAL_CTORS) || module.is(op, &llvm::GLOBAL_DTORS) => {
                    Ok(())
                }
                // No symbol of a module inside can be called from here or from outside: as upstream,
                // its code is not part of this program.
                _ if module.is(op, &builtin::MODULE) => Ok(()),
                _ => Err(unsupported_op(module, op, diagnostics)),
            };
            result = result.and(added);
        }
        for (id, memrefs, abi) in wrapped {
            program.add_interface(id, memrefs, abi);
        }
        result = result.and(program.find_initializers(diagnostics));
        if program.threads > 1 {
            program.add_parallel_parts();
            program.add_async_bodies();
        }
        if let Entry::Main(name, declarations) = entry {
            result = result.and(program.add_main(name, declarations, diagnostics));
        }
        result.and(program.check_link_names(entry, diagnostics))?;
        Ok(program)
    }

    /// The functions that run at the start or the end. Further versions leave them to the first one.
    fn find_initializers(&mut self, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
        if matches!(self.version, Version::Further(_)) {
            return Ok(());
        }
        self.initializers = Initializers {
            start: self.initializers(&llvm::GLOBAL_CTORS, diagnostics)?,
            end: self.initializers(&llvm::GLOBAL_DTORS, diagnostics)?,
        };
        Ok(())
    }

    fn initializers(
        &self,
        row: &'static OpDef,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<(u16, FunctionId)>, Failed> {
        let mut found = Vec::new();
        for initializer in llvm::initializers(self.module, row) {
            let llvm::Initializer {
                op,
                priority,
                function: name,
            } = initializer;
            let mut error = |message| Err(diagnostics.error(self.module.loc(op), message));
            if llvm::has_data(self.module, op) {
                return error(format!(
                    "'{name}' depends on a global, which is not supported"
                ));
            }
            let Ok(priority) = u16::try_from(priority) else {
                return error(format!("priority of '{name}' is not between 0 and 65535"));
            };
            let id = self.function(name).map(|id| self.seen(id));
            let id = id.filter(|&id| {
                let function = &self.functions[id];
                function.inputs.is_empty() && function.results.is_empty()
            });
            match id {
                Some(id) => found.push((priority, id)),
                None => return error(format!("'{name}' must have no arguments and no results")),
            }
        }
        Ok(found)
    }

    /// The calling convention of all functions.
    pub(crate) fn call_conv(&self) -> CallConv {
        self.isa.default_call_conv()
    }

    /// The arena that the code of `function` comes from, if it is not a wrapper.
    pub(crate) fn body_of(&self, function: &Function<'a>) -> Option<&'a Ir> {
        match function.body {
            Body::Definition(ir) => Some(ir),
            Body::Part(whole, _) | Body::Kernel(whole) => self.body_of(&self.functions[whole]),
            _ => None,
        }
    }

    /// The function of this name in the module.
    pub(crate) fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions_by_name.get(name).copied()
    }

    /// The global of this name in the module.
    pub(crate) fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals_by_name.get(name).copied()
    }

    /// The convention of functions of this type; `Err` is an unsupported type.
    pub(crate) fn abi_of(&self, inputs: &[Type], results: &[Type]) -> Result<FunctionAbi, Type> {
        FunctionAbi::new(self.context, self.arch, self.call_conv(), inputs, results)
    }

    fn add_function(
        &mut self,
        function: &'a Ir,
        wrapped: &mut Vec<(FunctionId, MemRefs, FunctionAbi)>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let root = function.root();
        let context: &'a Context = function.context();
        let (Some(name), Some(ty)) = (function.symbol_name(root), function.function_type(root))
        else {
            return Err(unsupported_op(function, root, diagnostics));
        };
        let ty = as_declared(function, ty);
        let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
            return Err(unsupported_op(function, root, diagnostics));
        };
        let loc = function.loc(root);
        let abi = self
            .abi_of(inputs, results)
            .map_err(|ty| unsupported_type(context, loc, ty, diagnostics))?;
        if abi.signature.params.len() > MAX_PARAMS {
            return Err(diagnostics.error(loc, "function has too many arguments"));
        }
        let (body, linkage) = match function.root_block() {
            None => (Body::Import, Linkage::Import),
            Some(_) if function.is_private(root) => (Body::Definition(function), Linkage::Local),
            Some(_) => (Body::Definition(function), Linkage::Export),
        };
        let is_seen = linkage == Linkage::Export;
        let (link_name, linkage) = match (linkage, self.version) {
            (Linkage::Import, _) => (name.to_owned(), linkage),
            (_, Version::Further(_)) => (self.local_name(name), Linkage::Local),
            (Linkage::Export, Version::First) => (format!("{name}.{FIRST}"), Linkage::Local),
            // What only this module sees must not be taken for the C library's.
            (Linkage::Local, _) if is_external(name) => (format!("{name}.private"), linkage),
            _ => (name.to_owned(), linkage),
        };
        let id = self.functions.push(Function {
            link_name,
            linkage,
            abi,
            body,
            loc,
            inputs,
            results,
            memrefs: MemRefs::Expanded,
            parts: Vec::new(),
            kernels: Vec::new(),
        });
        self.functions_by_name.insert(name, id);
        let seen = match is_seen && self.version == Version::First {
            true => self.add_chosen(id, name),
            false => id,
        };
        if function.has_attr(root, Name::VARIADIC) {
            let is_import = linkage == Linkage::Import;
            let abi = &self.functions[id].abi;
            if !is_import && (self.arch != Arch::X86_64 || !can_be_variadic(&abi.signature)) {
                let message = "function that takes any number of arguments can only be defined for x86-64, with integers \
                               of up to 64 bits, floats and pointers before them";
                return Err(diagnostics.error(loc, message));
            }
            if is_import && self.arch == Arch::X86_64 {
                self.add_variadic(id);
            }
        }
        let is_wrapped = !matches!(self.version, Version::Further(_)) || linkage == Linkage::Import;
        let others = if function.has_attr(root, Name::BARE_POINTERS) {
            check_bare_pointers(context, inputs, results)
                .map_err(|message| diagnostics.error(loc, message))?;
            // What is private is called from here only.
            let is_called = (is_seen || linkage == Linkage::Import)
                && inputs.iter().any(|&i| context.is_memref(i));
            is_called.then_some((MemRefs::Bare, FunctionAbi::bare as MakeAbi))
        } else {
            let is_asked = function.has_attr(root, Name::EMIT_C_INTERFACE);
            is_asked.then_some((MemRefs::CInterface, FunctionAbi::c_interface as MakeAbi))
        };
        if let Some((memrefs, abi)) = others.filter(|_| is_wrapped) {
            let abi = abi(context, self.arch, self.call_conv(), inputs, results)
                .map_err(|ty| unsupported_type(context, loc, ty, diagnostics))?;
            wrapped.push((seen, memrefs, abi));
        }
        Ok(())
    }

    /// A private name of this program.
    pub(crate) fn local_name(&self, name: &str) -> String {
        match self.version {
            Version::Further(version) => format!("{name}.{version}"),
            Version::Only | Version::First => name.to_owned(),
        }
    }

    fn add_global(&mut self, op: Op, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
        let Some(name) = self.module.symbol_name(op) else {
            return Err(unsupported_op(self.module, op, diagnostics));
        };
        // Globals without another definition have memory here, with or without an initial value.
        let linkage = if self.module.is_private(op) {
            Linkage::Local
        } else if !self.module.has_attr(op, Name::INITIAL_VALUE) {
            Linkage::Import
        } else {
            Linkage::Export
        };
        let id = self.globals.push(Global {
            op,
            link_name: name,
            linkage,
        });
        self.globals_by_name.insert(name, id);
        Ok(())
    }

    /// The names of all functions and globals in object files.
    fn link_names(&self) -> impl Iterator<Item = (&str, Linkage, Loc)> {
        let functions = (self.functions.values()).map(|f| (&*f.link_name, f.linkage, f.loc));
        let globals = self.globals.values();
        functions.chain(globals.map(|g| (g.link_name, g.linkage, self.module.loc(g.op))))
    }

    /// Names that object files cannot hold are possible in MLIR, and those of the runtime.
    fn check_link_names(
        &self,
        entry: Entry<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        let mut result = Ok(());
        for (name, linkage, loc) in self.link_names() {
            if name.contains('\0') || name.is_empty() {
                let message = format!("symbol name {name:?} cannot appear in an object file");
                result = Err(diagnostics.error(loc, message));
            }
            if linkage == Linkage::Export && entry != Entry::None && runtime_defines(name) {
                let message =
                    format!("redefinition of symbol named '{name}', which the runtime defines");
                result = Err(diagnostics.error(loc, message));
            }
        }
        result.and(self.check_definitions(diagnostics))
    }

    /// Two symbols of a module have different names, but functions that the compiler adds could clash with them.
    pub(crate) fn check_definitions(&self, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
        let mut defined = FxHashMap::default();
        let mut result = Ok(());
        let names = self.link_names();
        for (name, _, loc) in names.filter(|(_, linkage, _)| *linkage != Linkage::Import) {
            if let Some(previous) = defined.insert(name, loc) {
                let message = format!("redefinition of symbol named '{name}'");
                result = Err(diagnostics.error(loc, message));
                diagnostics.note(previous, "see existing symbol definition here");
            }
        }
        result
    }
}

/// The target as Cranelift and as the calling convention see it.
pub(crate) fn isa_for(
    options: &Options,
    purpose: Purpose,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Result<(OwnedTargetIsa, Arch), Failed> {
    let target = &options.target;
    let Some(arch) = target.arch() else {
        return Err(diagnostics.error(loc, format!("target '{target}' is not supported")));
    };
    let mut features = None;
    if let Some(cpu) = &options.cpu {
        if cpu.arch() != arch {
            let message = format!("the CPU is none of target '{target}'");
            return Err(diagnostics.error(loc, message));
        }
        if purpose == Purpose::Jit {
            let native = Cpu::native().map_err(|e| diagnostics.error(loc, e.to_string()))?;
            let missing = cpu.missing_in(&native);
            if !missing.is_empty() {
                let message = format!("this processor lacks {}", missing.join(", "));
                return Err(diagnostics.error(loc, message));
            }
        }
        let settings = cpu.features().filter_map(|feature| feature.setting);
        features = Some(settings.collect());
    }
    let features: Option<Vec<&str>> = features;
    let isa = isa::build(target, features.as_deref(), options.opt_level, purpose)
        .map_err(|message| diagnostics.error(loc, message))?;
    Ok((isa, arch))
}

/// What to say if there is no function `name` to begin with, only these.
pub(crate) fn no_entry_point(name: &str, mut others: Vec<&str>) -> String {
    /// More would hide the message.
    const MOST: usize = 20;
    others.sort_unstable();
    let shown: Vec<_> = (others.iter().take(MOST))
        .map(|other| format!("'{other}'"))
        .collect();
    let shown = shown.join(", ");
    match others.len() {
        0 => format!("entry point '{name}' not found: there are no functions"),
        1..=MOST => format!("entry point '{name}' not found; functions: {shown}"),
        n => format!(
            "entry point '{name}' not found; functions: {shown} and {} more",
            n - MOST
        ),
    }
}

/// The function `name`, if it is defined in the module.
pub(crate) fn entry_function(
    program: &Program<'_>,
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Result<FunctionId, Failed> {
    let module_loc = program.module.loc(program.module.root());
    let Some(id) = program.function(name) else {
        let defined = program.functions_by_name.iter().filter(|&(_, &id)| {
            let function = &program.functions[id];
            matches!(function.body, Body::Definition(_)) && function.linkage != Linkage::Local
        });
        let names = defined.map(|(&name, _)| name).collect();
        return Err(diagnostics.error(module_loc, no_entry_point(name, names)));
    };
    let function = &program.functions[id];
    if !matches!(function.body, Body::Definition(_)) {
        let message = format!("entry point '{name}' is declared but not defined");
        return Err(diagnostics.error(function.loc, message));
    }
    Ok(id)
}

/// Why there is no code for vectors of a scalable size.
const SCALABLE: &str =
    ": the sizes of vectors have to be known when code is generated, and scalable ones are not";

/// Operations that no processor here has, and why not.
static WITHOUT_CODE: &[(&[&OpDef], &str)] = &[
    (
        &[
            &memref::DMA_START,
            &memref::DMA_WAIT,
            &affine::DMA_START,
            &affine::DMA_WAIT,
        ],
        ": it is up to a device to copy beside the program; memref.copy runs here",
    ),
    (
        &[
            &vector::VSCALE,
            &vector::SCALABLE_EXTRACT,
            &vector::SCALABLE_INSERT,
        ],
        SCALABLE,
    ),
];

/// What an error about this type ends with.
pub(crate) fn why_no_code_for(context: &Context, ty: Type) -> &'static str {
    match context.type_kind(ty) {
        TypeKind::Vector { scalable, .. } if scalable.contains(&true) => SCALABLE,
        _ => "",
    }
}

/// Reports an operation that has no lowering.
pub(crate) fn unsupported_op(ir: &Ir, op: Op, diagnostics: &mut Diagnostics) -> Failed {
    let name = ir.op_name(op);
    let reason = (WITHOUT_CODE.iter())
        .find(|(rows, _)| rows.iter().any(|row| ir.is(op, row)))
        .map(|&(_, reason)| reason.to_owned());
    let advice = reason.unwrap_or_else(|| ir.advice(op));
    let message = format!("'{name}' op cannot be lowered to native code{advice}");
    diagnostics.error(ir.loc(op), message)
}

/// Whether types say all of memrefs that bare pointers do not.
fn check_bare_pointers(context: &Context, inputs: &[Type], results: &[Type]) -> Result<(), String> {
    if let Some(&ty) = results.iter().find(|&&ty| context.is_memref(ty)) {
        return Err(format!(
            "function with bare pointers cannot return '{}': the pointer would not say where the allocation begins",
            type_to_string(context, ty)
        ));
    }
    let is_known = |ty| match context.as_memref(ty) {
        Some(memref) => {
            let known = context.memref_strides(memref);
            let is_static = memref.shape.iter().all(|&size| size != DYNAMIC);
            is_static
                && known.is_some_and(|(strides, offset)| {
                    offset != DYNAMIC && strides.iter().all(|&stride| stride != DYNAMIC)
                })
        }
        None => !context.is_memref(ty),
    };
    match inputs.iter().find(|&&ty| !is_known(ty)) {
        None => Ok(()),
        Some(&ty) => Err(format!(
            "function with bare pointers cannot take '{}': a pointer does not say its sizes, strides and offset",
            type_to_string(context, ty)
        )),
    }
}

/// Reports a type that values cannot have in compiled code.
pub(crate) fn unsupported_type(
    context: &Context,
    loc: Loc,
    ty: Type,
    diagnostics: &mut Diagnostics,
) -> Failed {
    let message = format!(
        "type '{}' cannot be lowered to native code{}",
        type_to_string(context, ty),
        why_no_code_for(context, ty)
    );
    diagnostics.error(loc, message)
}

/// The type `ty` of a function with integers signed and unsigned as they were declared, before passes that
/// need no signs.
fn as_declared(function: &Ir, ty: Type) -> Type {
    let context: &Context = function.context();
    let declared = function.attr(function.root(), Name::DECLARED_TYPE);
    let declared = declared.and_then(|attr| context.attr_type(attr));
    let (
        TypeKind::Function { inputs, results },
        Some(TypeKind::Function {
            inputs: declared_inputs,
            results: declared_results,
        }),
    ) = (
        context.type_kind(ty),
        declared.map(|ty| context.type_kind(ty)),
    )
    else {
        return ty;
    };
    let signed = |types: &[Type], declared: &[Type]| -> Vec<Type> {
        let mut types = types.to_vec();
        for (ty, &declared) in types.iter_mut().zip(declared) {
            let [element, sign] = [*ty, declared].map(|ty| context.element_type_or_self(ty));
            let is_integer = |ty| matches!(context.type_kind(ty), TypeKind::Integer { .. });
            if is_integer(element)
                && is_integer(sign)
                && context.integer_width(element) == context.integer_width(sign)
            {
                *ty = context.with_element_type(*ty, sign);
            }
        }
        types
    };
    let inputs = signed(inputs, declared_inputs);
    let results = match results.len() == declared_results.len() {
        true => signed(results, declared_results),
        false => results.to_vec(),
    };
    context.function_type(&inputs, &results)
}
