//! Compiles all functions of a program in parallel.

use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{Function as ClifFunction, UserFuncName};
use cranelift_codegen::{CompiledCode, Context as ClifContext, FinalizedMachReloc};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use rayon::prelude::*;

use crate::abi::with_all_registers;
use crate::dead_params;
use crate::isa::Purpose;
use crate::lower::function::Lowering;
use crate::lower::regions;
use crate::lower::tables::LOWERINGS;
use crate::options::Options;
use crate::outline::outline;
use crate::program::{Body, Function, FunctionId, Program};
use crate::references::{CompiledFunction, LineEntry, References, Unwind, namespace};
use crate::wrappers;

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

/// Scratch state shared by all functions of a thread.
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

/// Compiles every function that has code, and adds the pieces compiled apart from them to the
/// program.
pub(crate) fn compile(
    program: &mut Program<'_>,
    options: &Options,
    keep: Keep,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<CompiledFunction>, Failed> {
    let kernels = outline(program, options, keep != Keep::Code, diagnostics);
    program.check_definitions(diagnostics)?;
    let program = &*program;
    let has_clif = |body| !matches!(body, Body::Import | Body::Chosen(_) | Body::Kernel(_));
    let ids: Vec<FunctionId> = (program.functions.iter())
        .filter(|(_, function)| has_clif(function.body))
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
    let mut functions = kernels;
    let mut outcome = Ok(());
    for (result, reports) in compiled {
        diagnostics.append(reports);
        match result {
            Ok(function) => functions.push(function),
            Err(failed) => outcome = Err(failed),
        }
    }
    functions.sort_by_key(|function| function.id);
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
    if let Body::Variadic(callee) = function.body {
        return Ok(variadic_function(program, id, callee));
    }
    let mut references = References::default();
    workspace.clif.clear();
    let is_variadic = match function.body {
        Body::Definition(ir) => ir.has_attr(ir.root(), Name::VARIADIC),
        _ => false,
    };
    let signature = function.abi.signature.clone();
    workspace.clif.func = ClifFunction::with_name_signature(
        UserFuncName::user(namespace::FUNCTION, id.as_u32()),
        match is_variadic {
            true => with_all_registers(signature),
            false => signature,
        },
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
    let unwind = unwind.map(Unwind::Cranelift);
    let alignment = u64::from(compiled.buffer.alignment);
    let code = compiled.code_buffer().to_vec();
    let text = compiled.vcode.clone().unwrap_or_default();
    let relocs: Vec<FinalizedMachReloc> = compiled.buffer.relocs().to_vec();
    let lines = match program.body_of(function) {
        Some(ir) if program.has_debug_info => line_entries(ir, compiled),
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

/// Sets `al` to the number of vector registers that arguments come in, and goes on to `callee`.
fn variadic_function(
    program: &Program<'_>,
    id: FunctionId,
    callee: FunctionId,
) -> CompiledFunction {
    // The C library may be far from code in this process.
    let (code, kind, offset, addend): (&[u8], _, _, _) = match program.purpose {
        // mov r11, callee; mov al, 8; jmp r11
        Purpose::Jit => (
            b"\x49\xbb\0\0\0\0\0\0\0\0\xb0\x08\x41\xff\xe3",
            Reloc::Abs8,
            2,
            0,
        ),
        // mov al, 8; jmp callee
        _ => (b"\xb0\x08\xe9\0\0\0\0", Reloc::X86CallPLTRel4, 3, -4),
    };
    CompiledFunction {
        id,
        code: code.to_vec(),
        alignment: 1,
        relocs: vec![ModuleReloc {
            offset,
            kind,
            name: ModuleRelocTarget::User {
                namespace: namespace::FUNCTION,
                index: callee.as_u32(),
            },
            addend,
        }],
        unwind: None,
        lines: Vec::new(),
        references: References::default(),
        text: String::new(),
    }
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
    let Some(ir) = program.body_of(function) else {
        let builder = wrappers::build(program, function, builder, references);
        builder.finalize(config);
        return Ok(());
    };
    let mut lowering = Lowering::new(
        program,
        &LOWERINGS,
        function,
        ir,
        builder,
        references,
        diagnostics,
    );
    let result = match function.body {
        Body::Part(whole, number) => {
            let (_, part) = &program.functions[whole].parts[number];
            lowering.lower_part(&program.functions[whole], part)
        }
        _ => lowering.lower_body(function),
    };
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
