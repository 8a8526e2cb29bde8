//! Multiversioned programs: one version per processor, chosen when an object is loaded.
//!
//! Each version is the whole module, compiled for its processor. Others see functions that go on to the
//! version that a number in memory says: zero, the first version, until a constructor has looked at the
//! processor, so that constructors of others may call them too. Constants and memory of the module are shared
//! (`emit.rs`).

use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage, Module, ModuleError, ModuleReloc, ModuleRelocTarget,
};
use freehold_frontend::ir::data::Ir;
use target_lexicon::OperatingSystem;

use crate::cpu::Cpu;
use crate::cpu_check::{address_of, define_at_start, has_all};
use crate::isa::{Arch, Target};

/// A module once more, for some processors.
pub struct Version<'a> {
    /// The module, made of the same source in the same context, with the same functions for others to see.
    pub ir: &'a Ir,
    /// What processors that run it have.
    pub cpu: Cpu,
    /// Its name in names of functions.
    pub name: String,
}

/// The most versions there can be besides the first: what chooses has a byte.
pub const MAX_VERSIONS: usize = 16;

/// Whether objects for a target can have versions: elsewhere nothing is known that would choose one.
pub fn are_chosen(target: &Target) -> bool {
    let is_linux = target.triple().operating_system == OperatingSystem::Linux;
    is_linux && target.arch() == Some(Arch::X86_64)
}

/// Where the number of the version to run is.
pub(crate) fn define_number<M: Module>(module: &mut M) -> Result<DataId, String> {
    let id = module
        .declare_data("freehold.version", Linkage::Local, true, false)
        .map_err(message)?;
    let mut data = DataDescription::new();
    data.define_zeroinit(1);
    module.define_data(id, &data).map_err(message)?;
    Ok(id)
}

/// Defines what others see of a function, `seen`, which is in `versions`, the first of them first.
pub(crate) fn define_seen<M: Module>(
    module: &mut M,
    number: DataId,
    seen: FuncId,
    versions: &[FuncId],
) -> Result<(), String> {
    let mut code = Vec::new();
    let mut relocs = Vec::new();
    let mut refer = |code: &mut Vec<u8>, kind, name, to_end: i64| {
        let offset = code.len() as u32;
        // Instructions refer to places relative to their ends.
        let addend = -4 - to_end;
        relocs.push(ModuleReloc {
            offset,
            kind,
            name,
            addend,
        });
        code.extend([0; 4]);
    };
    let function = |id: FuncId| ModuleRelocTarget::user(0, id.as_u32());
    for (index, &version) in versions.iter().enumerate().skip(1) {
        // cmp byte [number], index
        code.extend([0x80, 0x3d]);
        let number = ModuleRelocTarget::user(1, number.as_u32());
        refer(&mut code, Reloc::X86PCRel4, number, 1);
        code.push(index as u8);
        // je version
        code.extend([0x0f, 0x84]);
        refer(&mut code, Reloc::X86CallPCRel4, function(version), 0);
    }
    // jmp first
    code.push(0xe9);
    refer(&mut code, Reloc::X86CallPCRel4, function(versions[0]), 0);
    module
        .define_function_bytes(seen, 16, &code, &relocs)
        .map_err(message)
}

/// Defines what chooses: the last one of `cpus`, those of all versions but the first, that the processor has all of.
pub(crate) fn define_choice<M: Module>(
    module: &mut M,
    target: &Target,
    number: DataId,
    cpus: &[&Cpu],
) -> Result<FuncId, String> {
    define_at_start(module, target, "freehold.choose_version", |start, b| {
        let mut chosen = b.ins().iconst(types::I8, 0);
        for (index, cpu) in cpus.iter().enumerate() {
            let features = start.features(b, cpu)?;
            let all = has_all(b, &features);
            let this = b.ins().iconst(types::I8, index as i64 + 1);
            chosen = b.ins().select(all, this, chosen);
        }
        let address = address_of(b, number);
        b.ins().store(MemFlagsData::trusted(), chosen, address, 0);
        Ok(())
    })
}

/// The message of an error of Cranelift, which is large.
fn message(error: ModuleError) -> String {
    error.to_string()
}
