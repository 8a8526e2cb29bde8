//! Compiles all functions of a program in parallel.
//!
//! While functions are compiled they refer to each other, to globals, to the C
//! library and to constants of their own by pairs of numbers: a [`namespace`]
//! and an index. [`Emitter`](crate::emit::Emitter) turns these into symbols.

use std::collections::BTreeSet;

use cranelift_codegen::ir::{Function as ClifFunction, UserFuncName};
use cranelift_codegen::isa::unwind::UnwindInfo;
use cranelift_codegen::{CompiledCode, Context as ClifContext, FinalizedMachReloc};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dead_params;
use crate::debug_info::LineEntry;
use crate::external::External;
use crate::lower::function::Lowering;
use crate::lower::regions;
use crate::program::{Body, Function, FunctionId, GlobalId, Program};
use crate::wrappers;

/// What the first number of a reference says.
pub(crate) mod namespace {
    /// The second number is a `FunctionId`.
    pub(crate) const FUNCTION: u32 = 0;
    /// The second number is a `GlobalId`.
    pub(crate) const GLOBAL: u32 = 1;
    /// The second number counts the externals of the function.
    pub(crate) const EXTERNAL: u32 = 2;
    /// The second number counts the constants of the function.
    pub(crate) const LOCAL_DATA: u32 = 3;
}

/// Constant data that one function refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LocalData {
    /// Contents.
    pub(crate) bytes: Vec<u8>,
    /// Offset of a pointer in `bytes`, and the number of the data it points to.
    pub(crate) pointer: Option<(u32, u32)>,
}

impl LocalData {
    /// Bytes without pointers.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            pointer: None,
        }
    }
}

/// What one function refers to besides functions and globals of the program.
#[derive(Default)]
pub(crate) struct References {
    /// Functions of the C library and the runtime, by number.
    pub(crate) externals: Vec<&'static External>,
    /// Constants, by number.
    pub(crate) data: Vec<LocalData>,
    data_index: FxHashMap<LocalData, u32>,
    sites: FxHashMap<Loc, Option<u32>>,
}

impl References {
    /// The number of a function of the C library or the runtime.
    pub(crate) fn external(&mut self, external: &'static External) -> u32 {
        self.externals.push(external);
        self.externals.len() as u32 - 1
    }

    /// The number of constant data; equal data has one number.
    pub(crate) fn data(&mut self, data: LocalData) -> u32 {
        if let Some(&index) = self.data_index.get(&data) {
            return index;
        }
        let index = self.data.len() as u32;
        self.data.push(data.clone());
        self.data_index.insert(data, index);
        index
    }

    /// The number of the runtime's description of a place: an `AllocSite`.
    pub(crate) fn site(&mut self, context: &Context, loc: Loc) -> Option<u32> {
        if let Some(&index) = self.sites.get(&loc) {
            return index;
        }
        let index = context.resolve_loc(loc).map(|at| {
            let file = self.data(LocalData::bytes(at.file.as_bytes()));
            let mut bytes = vec![0; 8];
            bytes.extend((at.file.len() as u64).to_le_bytes());
            bytes.extend(at.line.to_le_bytes());
            bytes.extend(at.column.to_le_bytes());
            self.data(LocalData {
                bytes,
                pointer: Some((0, file)),
            })
        });
        self.sites.insert(loc, index);
        index
    }
}

/// What to keep of a compiled function besides its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// Nothing.
    Code,
    /// The instructions as text.
    Assembly,
    /// The CLIF before optimization; no code is generated.
    Clif,
}

/// One function as machine code.
pub(crate) struct CompiledFunction {
    /// Which.
    pub(crate) id: FunctionId,
    /// Instructions.
    pub(crate) code: Vec<u8>,
    /// Alignment of the code.
    pub(crate) alignment: u64,
    /// References to pairs of numbers.
    pub(crate) relocs: Vec<ModuleReloc>,
    /// For stack walks.
    pub(crate) unwind: Option<UnwindInfo>,
    /// Where it comes from, in the order of the code; nothing unless debug information is wanted.
    pub(crate) lines: Vec<LineEntry>,
    /// What some of the numbers mean.
    pub(crate) references: References,
    /// See [`Keep`].
    pub(crate) text: String,
}

impl CompiledFunction {
    /// The functions of the program it refers to.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.relocs.iter().filter_map(|reloc| match reloc.name {
            ModuleRelocTarget::User {
                namespace: namespace::FUNCTION,
                index,
            } => Some(FunctionId::from_u32(index)),
            _ => None,
        })
    }

    /// The globals it refers to.
    fn globals(&self) -> impl Iterator<Item = GlobalId> + '_ {
        self.relocs.iter().filter_map(|reloc| match reloc.name {
            ModuleRelocTarget::User {
                namespace: namespace::GLOBAL,
                index,
            } => Some(GlobalId::from_u32(index)),
            _ => None,
        })
    }

    /// Bytes of code, with room for alignment and for jumps that calls may need
    /// to reach far.
    pub(crate) fn code_size(&self) -> usize {
        self.code.len() + 24 * self.relocs.len() + 2 * self.alignment as usize + 16
    }

    /// Bytes of constants, with room for alignment.
    pub(crate) fn data_size(&self) -> usize {
        let sizes = self.references.data.iter();
        sizes.map(|data| data.bytes.len() + 16).sum()
    }
}

/// What is reused from one function to the next.
struct Workspace {
    clif: ClifContext,
    builder: FunctionBuilderContext,
}

impl Workspace {
    fn new() -> Self {
        Self {
            clif: ClifContext::new(),
            builder: FunctionBuilderContext::new(),
        }
    }
}

/// Compiles every function that has code.
pub(crate) fn compile(
    program: &Program<'_>,
    keep: Keep,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<CompiledFunction>, Failed> {
    let ids: Vec<FunctionId> = program
        .functions
        .iter()
        .filter(|(_, function)| !matches!(function.body, Body::Import))
        .map(|(id, _)| id)
        .collect();
    let compiled: Vec<_> = ids
        .par_iter()
        .map_init(Workspace::new, |workspace, &id| {
            let mut reports = Diagnostics::new();
            let result = compile_function(program, id, keep, workspace, &mut reports);
            if result.is_err() && !reports.has_errors() {
                // A value that is used before its definition, which verified IR does not do.
                let function = &program.functions[id];
                let message = format!("cannot generate code for '{}'", function.link_name);
                reports.error(function.loc, message);
            }
            (result, reports)
        })
        .collect();
    let mut functions = Vec::with_capacity(compiled.len());
    let mut outcome = Ok(());
    for (result, reports) in compiled {
        diagnostics.append(reports);
        match result {
            Ok(function) => functions.push(function),
            Err(failed) => outcome = Err(failed),
        }
    }
    outcome.map(|()| functions)
}

fn compile_function(
    program: &Program<'_>,
    id: FunctionId,
    keep: Keep,
    workspace: &mut Workspace,
    diagnostics: &mut Diagnostics,
) -> Result<CompiledFunction, Failed> {
    let function = &program.functions[id];
    let mut references = References::default();
    workspace.clif.clear();
    workspace.clif.func = ClifFunction::with_name_signature(
        UserFuncName::user(namespace::FUNCTION, id.as_u32()),
        function.abi.signature.clone(),
    );
    build(program, function, workspace, &mut references, diagnostics)?;
    dead_params::remove(&mut workspace.clif.func);
    if keep == Keep::Clif {
        return Ok(CompiledFunction {
            id,
            code: Vec::new(),
            alignment: 1,
            relocs: Vec::new(),
            unwind: None,
            lines: Vec::new(),
            references,
            text: workspace.clif.func.display().to_string(),
        });
    }
    regions::complete(&mut workspace.clif.func);
    workspace.clif.set_disasm(keep == Keep::Assembly);
    let compiled = workspace
        .clif
        .compile(program.isa, &mut Default::default())
        .map_err(|error| {
            let name = &function.link_name;
            let message = format!("cannot generate code for '{name}': {}", error.inner);
            diagnostics.error(function.loc, message)
        })?;
    let unwind = compiled.create_unwind_info(program.isa).ok().flatten();
    let alignment = u64::from(compiled.buffer.alignment);
    let code = compiled.code_buffer().to_vec();
    let text = compiled.vcode.clone().unwrap_or_default();
    let relocs: Vec<FinalizedMachReloc> = compiled.buffer.relocs().to_vec();
    let lines = match function.body {
        Body::Definition(ir) if program.has_debug_info => line_entries(ir, compiled),
        _ => Vec::new(),
    };
    let func = &workspace.clif.func;
    Ok(CompiledFunction {
        id,
        code,
        alignment,
        relocs: relocs
            .iter()
            .map(|reloc| ModuleReloc::from_mach_reloc(reloc, func, FuncId::from_u32(0)))
            .collect(),
        unwind,
        lines,
        references,
        text,
    })
}

/// The locations of the operations of `ir` that code was generated for.
fn line_entries(ir: &Ir, compiled: &CompiledCode) -> Vec<LineEntry> {
    let sources = compiled.buffer.get_srclocs_sorted().iter();
    sources
        .filter(|source| !source.loc.is_default())
        .map(|source| LineEntry {
            start: source.start,
            loc: ir.loc(Op::from_u32(source.loc.bits())),
        })
        .collect()
}

/// Fills `workspace.clif.func`.
fn build(
    program: &Program<'_>,
    function: &Function<'_>,
    workspace: &mut Workspace,
    references: &mut References,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let builder = FunctionBuilder::new(&mut workspace.clif.func, &mut workspace.builder);
    let config = program.isa.frontend_config();
    let Body::Definition(ir) = function.body else {
        let builder = wrappers::build(program, function, builder, references);
        builder.finalize(config);
        return Ok(());
    };
    let mut lowering = Lowering::new(program, function, ir, builder, references, diagnostics);
    let result = lowering.lower_body(function);
    match result {
        Ok(()) => lowering.b.finalize(config),
        // The function is incomplete, and so is what the builder remembers of it.
        Err(_) => {
            drop(lowering);
            *workspace = Workspace::new();
        }
    }
    result
}

/// The symbols that code refers to.
pub(crate) struct UsedSymbols {
    /// Functions.
    pub(crate) functions: FxHashSet<FunctionId>,
    /// Globals.
    pub(crate) globals: FxHashSet<GlobalId>,
    /// Names of functions of the C library and the runtime, sorted.
    pub(crate) externals: BTreeSet<&'static str>,
}

/// What compiled functions refer to.
pub(crate) fn used_symbols(compiled: &[CompiledFunction]) -> UsedSymbols {
    UsedSymbols {
        functions: compiled.iter().flat_map(|f| f.functions()).collect(),
        globals: compiled.iter().flat_map(|f| f.globals()).collect(),
        externals: compiled
            .iter()
            .flat_map(|f| f.references.externals.iter().map(|external| external.name))
            .collect(),
    }
}
