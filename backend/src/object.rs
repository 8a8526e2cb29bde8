//! Object files, alone or with the runtime in a static library.

use cranelift_object::{ObjectBuilder, ObjectModule};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use object::write::{Object, StandardSection, SymbolId};

use crate::archive::Library;
use crate::compile::{self, Keep};
use crate::declaration::Declaration;
use crate::emit::{Emitter, LargeData};
use crate::isa::Purpose;
use crate::options::Options;
use crate::program::{Entry, Program, isa_for};
use crate::{cpu_check, debug_info, external, link, unwind};

/// Compiles a module to an object file.
///
/// # Errors
/// If something in the module cannot be compiled; `diagnostics` says what.
pub fn compile_to_object(
    ir: &Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    write(ir, options, Entry::None, diagnostics)
}

/// [`compile_to_object`] with a C `main` that calls the function `entry`, or what its command line says. Messages
/// name the types of functions that are declared.
///
/// # Errors
/// As above, and if there is no such function.
pub fn compile_to_executable_object(
    ir: &Ir,
    options: &Options,
    entry: &str,
    declarations: &[(String, Declaration)],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    write(ir, options, Entry::Main(entry, declarations), diagnostics)
}

/// [`compile_to_object`] for [`link_shared`](crate::link::link_shared), which adds the runtime.
///
/// # Errors
/// As above.
pub fn compile_to_shared_object(
    ir: &Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    write(ir, options, Entry::Runtime, diagnostics)
}

/// Compiles a module to a static library that holds its object file and the
/// runtime.
///
/// # Errors
/// As above, and if there is no runtime for the target.
pub fn compile_to_library(
    ir: &Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Library<'static>, Failed> {
    let loc = ir.loc(ir.root());
    let runtime =
        link::runtime_for(&options.target).map_err(|message| diagnostics.error(loc, message))?;
    let program = write(ir, options, Entry::Runtime, diagnostics)?;
    Library::new(vec![
        ("program.o", program.into()),
        ("runtime.o", runtime.into()),
    ])
    .map_err(|message| diagnostics.error(loc, message))
}

fn write(
    ir: &Ir,
    options: &Options,
    entry: Entry<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Failed> {
    let loc = ir.loc(ir.root());
    let report = |diagnostics: &mut Diagnostics, message: String| diagnostics.error(loc, message);
    let purpose = Purpose::Object {
        position_independent: options.position_independent,
    };
    let (isa, arch) = isa_for(options, purpose, loc, diagnostics)?;
    let program = Program::new(ir, &*isa, arch, purpose, options, entry, diagnostics)?;
    let compiled = compile::compile(&program, Keep::Code, diagnostics)?;
    let builder = ObjectBuilder::new(
        isa.clone(),
        "freehold",
        cranelift_module::default_libcall_names(),
    )
    .map_err(|error| report(diagnostics, error.to_string()))?;
    let module = ObjectModule::new(builder);
    let mut emitter = Emitter::emit(&program, module, &compiled, diagnostics)?;
    let check = match cpu_check::wanted(options) {
        Some(cpu) => {
            emitter.refuse_definitions(external::AT_START.iter().copied(), diagnostics)?;
            let check = cpu_check::define(&mut emitter.module, &options.target, cpu);
            Some(check.map_err(|error| report(diagnostics, error))?)
        }
        None => None,
    };
    let defined: Vec<_> = compiled
        .iter()
        .filter_map(|function| Some((emitter.function(function.id)?, function)))
        .collect();
    let large = emitter.large;
    let product = emitter.module.finish();
    let symbols: Vec<_> = defined
        .into_iter()
        .map(|(id, function)| (product.function_symbol(id), function))
        .collect();
    let large: Vec<_> = (large.iter())
        .map(|data| (product.data_symbol(data.id), data))
        .collect();
    let check = check.map(|check| product.function_symbol(check));
    // It may now refer to bytes of the program.
    let mut object: Object<'_> = product.object;
    for (symbol, data) in large {
        add_large_data(&mut object, symbol, data);
    }
    if let Some(symbol) = check {
        cpu_check::call_at_start(&mut object, symbol)
            .map_err(|error| report(diagnostics, error))?;
    }
    let frames: Vec<_> = symbols
        .iter()
        .filter_map(|&(symbol, function)| Some((symbol, function.unwind.as_ref()?)))
        .collect();
    unwind::write_eh_frame(&mut object, &*isa, &frames)
        .map_err(|error| report(diagnostics, error))?;
    if let Some(directory) = &options.debug_info {
        debug_info::write_debug_info(&mut object, &program, &symbols, directory)
            .map_err(|error| report(diagnostics, error))?;
    }
    object
        .write()
        .map_err(|error| report(diagnostics, error.to_string()))
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
