//! Object files, alone or with the runtime in a static library.

use cranelift_entity::SecondaryMap;
use cranelift_module::FuncId;
use cranelift_object::{ObjectBuilder, ObjectModule};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::location::Loc;
use object::write::{Object, StandardSection, SymbolId};
use rustc_hash::FxHashSet;

use crate::archive::Library;
use crate::compile::{self, Keep};
use crate::cpu_check::{self, At};
use crate::declaration::Declaration;
use crate::emit::{Emitter, LargeData};
use crate::isa::Purpose;
use crate::options::Options;
use crate::program::{self, Body, Entry, FunctionId, Program, Role, isa_for};
use crate::references::CompiledFunction;
use crate::versions::{self, Version};
use crate::{debug_info, external, link, unwind};

/// Compiles a module to an object file. With `versions`, these are in it too, and run on processors that have
/// what they want, the last one that fits.
///
/// # Errors
/// If something in the module cannot be compiled; `diagnostics` says what.
pub fn compile_to_object(
    ir: &Ir,
    versions: &[Version<'_>],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    write(ir, versions, options, Entry::None, diagnostics)
}

/// [`compile_to_object`] with a C `main` that calls the function `entry`, or what its command line says. Messages
/// name the types of functions that are declared.
///
/// # Errors
/// As above, and if there is no such function.
pub fn compile_to_executable_object(
    ir: &Ir,
    versions: &[Version<'_>],
    options: &Options,
    entry: &str,
    declarations: &[(String, Declaration)],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    let entry = Entry::Main(entry, declarations);
    write(ir, versions, options, entry, diagnostics)
}

/// [`compile_to_object`] for [`link_shared`](crate::link::link_shared), which adds the runtime.
///
/// # Errors
/// As above.
pub fn compile_to_shared_object(
    ir: &Ir,
    versions: &[Version<'_>],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    write(ir, versions, options, Entry::Runtime, diagnostics)
}

/// Compiles a module to a static library that holds its object file and the
/// runtime.
///
/// # Errors
/// As above, and if there is no runtime for the target.
pub fn compile_to_library(
    ir: &Ir,
    versions: &[Version<'_>],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Library<'static>, Failed> {
    let loc = ir.loc(ir.root());
    let runtime =
        link::runtime_for(&options.target).map_err(|message| diagnostics.error(loc, message))?;
    let program = write(ir, versions, options, Entry::Runtime, diagnostics)?;
    Library::new(vec![
        ("program.o", program.into()),
        ("runtime.o", runtime.into()),
    ])
    .map_err(|message| diagnostics.error(loc, message))
}

fn write(
    ir: &Ir,
    versions: &[Version<'_>],
    options: &Options,
    entry: Entry<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    let loc = ir.loc(ir.root());
    let report = |diagnostics: &mut Diagnostics, message: String| diagnostics.error(loc, message);
    let purpose = Purpose::Object {
        position_independent: options.position_independent,
    };
    // The versions, the first one first, and what they are compiled for.
    let first = Role {
        entry,
        version: match versions {
            [] => program::Version::Only,
            _ => program::Version::First,
        },
    };
    let mut all = vec![(ir, options.clone(), first)];
    for version in versions {
        let options = options.for_cpu(version.cpu.clone());
        let role = Role {
            entry: Entry::None,
            version: program::Version::Further(&version.name),
        };
        all.push((version.ir, options, role));
    }
    let mut isas = Vec::with_capacity(all.len());
    for (_, options, _) in &all {
        isas.push(isa_for(options, purpose, loc, diagnostics)?);
    }
    let mut programs = Vec::with_capacity(all.len());
    for ((ir, options, role), (isa, arch)) in all.iter().zip(&isas) {
        let mut program = Program::new(ir, &**isa, *arch, purpose, options, *role, diagnostics)?;
        let compiled = compile::compile(&mut program, options, Keep::Code, diagnostics)?;
        programs.push((program, compiled));
    }
    refuse_names_of_versions(&programs, diagnostics)?;
    let (isa, _) = &isas[0];
    let builder = ObjectBuilder::new(
        isa.clone(),
        "freehold",
        cranelift_module::default_libcall_names(),
    )
    .map_err(|error| report(diagnostics, error.to_string()))?;
    let module = ObjectModule::new(builder);
    let (program, compiled) = &programs[0];
    let mut emitter = Emitter::emit(program, module, compiled, diagnostics)?;
    let mut symbols = vec![emitter.symbols()];
    for (program, compiled) in &programs[1..] {
        emitter = emitter.emit_version(program, compiled, diagnostics)?;
        symbols.push(emitter.symbols());
    }
    let mut at_start = Vec::new();
    if let Some(cpu) = cpu_check::wanted(options) {
        emitter.refuse_definitions(external::AT_START.iter().copied(), diagnostics)?;
        let check = cpu_check::define(&mut emitter.module, &options.target, cpu);
        at_start.push(check.map_err(|error| report(diagnostics, error))?);
    }
    if !versions.is_empty() {
        let programs: Vec<_> = programs.iter().map(|(program, _)| program).collect();
        let choice = choose(&mut emitter.module, versions, &programs, &symbols, options);
        at_start.push(choice.map_err(|error| report(diagnostics, error))?);
    }
    let large = emitter.large;
    let product = emitter.module.finish();
    let functions: Vec<_> = programs
        .iter()
        .zip(&symbols)
        .flat_map(|((program, compiled), symbols)| {
            let symbol = |id| Some(product.function_symbol(symbols[id]?));
            let functions = compiled.iter();
            functions.filter_map(move |f| Some((symbol(f.id)?, program, f)))
        })
        .collect();
    let large: Vec<_> = (large.iter())
        .map(|data| (product.data_symbol(data.id), data))
        .collect();
    let at_start: Vec<_> = (at_start.into_iter())
        .map(|id| product.function_symbol(id))
        .collect();
    let initializers = &program.initializers;
    let [first, last] = [&initializers.start, &initializers.end].map(|functions| -> Vec<_> {
        let symbol = |id| Some(product.function_symbol(symbols[0][id]?));
        let functions = functions.iter();
        functions
            .filter_map(|&(priority, id)| Some((priority, symbol(id)?)))
            .collect()
    });
    // It may now refer to bytes of the program.
    let mut object: Object<'_> = product.object;
    for (symbol, data) in large {
        add_large_data(&mut object, symbol, data);
    }
    cpu_check::call_at_start(&mut object, &at_start)
        .and_then(|()| cpu_check::call_initializers(&mut object, &first, At::Start))
        .and_then(|()| cpu_check::call_initializers(&mut object, &last, At::End))
        .map_err(|error| report(diagnostics, error))?;
    let frames: Vec<_> = functions
        .iter()
        .filter_map(|&(symbol, _, function)| Some((symbol, function.unwind.as_ref()?)))
        .collect();
    unwind::write_eh_frame(&mut object, &**isa, &frames)
        .map_err(|error| report(diagnostics, error))?;
    if let Some(directory) = &options.debug_info {
        debug_info::write_debug_info(&mut object, ir, &functions, directory)
            .map_err(|error| report(diagnostics, error))?;
    }
    object
        .write()
        .map_err(|error| report(diagnostics, error.to_string()))
}

/// Functions of the first version may have the names that those of others get.
fn refuse_names_of_versions(
    programs: &[(Program<'_>, Vec<CompiledFunction>)],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let Some(((first, _), others)) = programs.split_first() else {
        return Ok(());
    };
    let functions = |program: &'_ Program<'_>| -> Vec<(String, Loc)> {
        let functions = program.functions.values();
        let functions = functions.filter(|f| f.linkage != program::Linkage::Import);
        functions.map(|f| (f.link_name.clone(), f.loc)).collect()
    };
    let names: FxHashSet<String> = others
        .iter()
        .flat_map(|(program, _)| functions(program))
        .map(|(name, _)| name)
        .collect();
    let mut result = Ok(());
    for (name, loc) in functions(first) {
        if names.contains(&name) {
            let message = format!("symbol named '{name}' is that of a version of another one");
            result = Err(diagnostics.error(loc, message));
        }
    }
    result
}

/// Defines what others see of functions that are there in several versions, and what chooses one at the start.
fn choose(
    module: &mut ObjectModule,
    versions: &[Version<'_>],
    programs: &[&Program<'_>],
    symbols: &[SecondaryMap<FunctionId, Option<FuncId>>],
    options: &Options,
) -> Result<FuncId, String> {
    let number = versions::define_number(module)?;
    for (id, function) in programs[0].functions.iter() {
        let Body::Chosen(name) = function.body else {
            continue;
        };
        let of_version = |(program, symbols): (&&Program<'_>, &SecondaryMap<_, Option<FuncId>>)| {
            let id = program.function(name)?;
            symbols[id].filter(|_| program.functions[id].abi == function.abi)
        };
        let choices = programs.iter().zip(symbols).map(of_version);
        let choices: Option<Vec<FuncId>> = choices.collect();
        let (seen, choices) = symbols[0][id]
            .zip(choices)
            .ok_or_else(|| format!("the versions of '{name}' are not called alike"))?;
        versions::define_seen(module, number, seen, &choices)?;
    }
    let cpus: Vec<_> = versions.iter().map(|version| &version.cpu).collect();
    versions::define_choice(module, &options.target, number, &cpus)
}

/// Gives a symbol a section of its own with these bytes, which are not copied.
fn add_large_data<'p>(object: &mut Object<'p>, symbol: SymbolId, data: &LargeData<'p>) {
    let kind = match data.is_constant {
        true => StandardSection::ReadOnlyData,
        false => StandardSection::Data,
    };
    let section = object.add_subsection(kind, &object.symbol(symbol).name.clone());
    object.set_section_data(section, data.bytes, data.alignment);
    object.set_symbol_data(symbol, section, 0, data.bytes.len() as u64);
}
