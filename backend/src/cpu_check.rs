//! What objects do at their start that were made for more than every processor of
//! the architecture has: look whether this one has it, and if not, say what it
//! lacks and end the process with status 1, instead of dying of an unknown
//! instruction later.
//!
//! The check is a constructor, so it comes before `main` and when a shared library
//! is loaded, and it uses nothing but the C library. It is compiled for the
//! baseline. Linux only: there the code knows where features are to be found.

use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, AbiParam, ExtFuncData, ExternalName, Function, GlobalValueData, InstBuilder,
    Signature, StackSlotData, StackSlotKind, UserExternalName, UserFuncName, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage, Module, ModuleError, ModuleReloc,
};
use object::write::{Object, Relocation, SymbolId};
use object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionFlags, SectionKind, elf};
use target_lexicon::OperatingSystem;

use crate::cpu::{Cpu, Feature, Word};
use crate::external;
use crate::isa::{self, Arch, OptLevel, Purpose, Target};
use crate::options::Options;

/// `cpuid(leaf, part, registers)`: stores EAX, EBX, ECX and EDX.
const CPUID: &[u8] = &[
    0x53, // push rbx
    0x89, 0xf8, // mov eax, edi
    0x89, 0xf1, // mov ecx, esi
    0x49, 0x89, 0xd0, // mov r8, rdx
    0x0f, 0xa2, // cpuid
    0x41, 0x89, 0x00, // mov [r8], eax
    0x41, 0x89, 0x58, 0x04, // mov [r8+4], ebx
    0x41, 0x89, 0x48, 0x08, // mov [r8+8], ecx
    0x41, 0x89, 0x50, 0x0c, // mov [r8+12], edx
    0x5b, // pop rbx
    0xc3, // ret
];

/// The low half of XCR0, or zero where the system has not made it readable.
const SAVED_STATE: &[u8] = &[
    0x53, // push rbx
    0xb8, 0x01, 0x00, 0x00, 0x00, // mov eax, 1
    0x31, 0xc9, // xor ecx, ecx
    0x0f, 0xa2, // cpuid
    0x31, 0xc0, // xor eax, eax
    0x0f, 0xba, 0xe1, 0x1b, // bt ecx, 27
    0x73, 0x05, // jnc over the next two
    0x31, 0xc9, // xor ecx, ecx
    0x0f, 0x01, 0xd0, // xgetbv
    0x5b, // pop rbx
    0xc3, // ret
];

const AT_HWCAP: i64 = 16;
const AT_HWCAP2: i64 = 26;
const STANDARD_ERROR: i64 = 2;

/// What objects made with these options look for in the processor, if anything.
pub(crate) fn wanted(options: &Options) -> Option<&Cpu> {
    let is_linux = options.target.triple().operating_system == OperatingSystem::Linux;
    let cpu = options.cpu.as_ref()?;
    (is_linux && cpu.features().next().is_some()).then_some(cpu)
}

/// Defines the check in `module`.
pub(crate) fn define(
    module: &mut impl Module,
    target: &Target,
    cpu: &Cpu,
) -> Result<FuncId, String> {
    let name = "freehold.check_processor";
    define_at_start(module, target, name, |start, b| start.check(b, cpu))
}

/// Defines a function without arguments and results that runs at the start, with the code that `build` makes
/// of its first block up to its return.
pub(crate) fn define_at_start<M: Module>(
    module: &mut M,
    target: &Target,
    name: &str,
    build: impl FnOnce(&mut Start<'_, M>, &mut FunctionBuilder<'_>) -> Result<(), String>,
) -> Result<FuncId, String> {
    let purpose = Purpose::Object {
        position_independent: module.isa().flags().is_pic(),
    };
    // Compiling it fast is all that matters: it runs once.
    let isa = isa::build(target, None, OptLevel::None, purpose)?;
    let signature = Signature::new(isa.default_call_conv());
    let mut func = Function::with_name_signature(UserFuncName::default(), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut func, &mut context);
    let entry = b.create_block();
    b.switch_to_block(entry);
    build(&mut Start { module }, &mut b)?;
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(module.target_config());
    let mut context = Context::for_function(func);
    let compiled = context
        .compile(&*isa, &mut Default::default())
        .map_err(|error| error.inner.to_string())?;
    let alignment = u64::from(compiled.buffer.alignment);
    let code = compiled.code_buffer().to_vec();
    let relocs = compiled.buffer.relocs().to_vec();
    let signature = module.make_signature();
    let id = module
        .declare_function(name, Linkage::Local, &signature)
        .map_err(|error| error.to_string())?;
    let relocs: Vec<_> = relocs
        .iter()
        .map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id))
        .collect();
    module
        .define_function_bytes(id, alignment, &code, &relocs)
        .map_err(|error| error.to_string())?;
    Ok(id)
}

/// Makes these functions constructors, in this order.
pub(crate) fn call_at_start(object: &mut Object<'_>, symbols: &[SymbolId]) -> Result<(), String> {
    add_pointers(object, ".init_array", elf::SHT_INIT_ARRAY, symbols)
}

/// Lets the C library call functions of the object before `main` or after it. Linkers sort the sections of
/// priorities by their names, and those without one come last.
pub(crate) fn call_initializers(
    object: &mut Object<'_>,
    initializers: &[(u16, SymbolId)],
    at: At,
) -> Result<(), String> {
    let (name, kind) = match at {
        At::Start => (".init_array", elf::SHT_INIT_ARRAY),
        At::End => (".fini_array", elf::SHT_FINI_ARRAY),
    };
    for &(priority, symbol) in initializers {
        let name = match priority {
            u16::MAX => name.to_owned(),
            priority => format!("{name}.{priority:05}"),
        };
        add_pointers(object, &name, kind, &[symbol])?;
    }
    Ok(())
}

/// When functions run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum At {
    /// Before `main`.
    Start,
    /// After it.
    End,
}

/// Adds a section of pointers to these functions.
fn add_pointers(
    object: &mut Object<'_>,
    name: &str,
    kind: u32,
    symbols: &[SymbolId],
) -> Result<(), String> {
    if symbols.is_empty() {
        return Ok(());
    }
    let kind = SectionKind::Elf(kind);
    let section = object.add_section(Vec::new(), name.as_bytes().to_vec(), kind);
    object.section_mut(section).flags = SectionFlags::Elf {
        sh_flags: u64::from(elf::SHF_ALLOC | elf::SHF_WRITE),
    };
    for &symbol in symbols {
        let offset = object.append_section_data(section, &[0; 8], 8);
        let relocation = Relocation {
            offset,
            symbol,
            addend: 0,
            flags: RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: 64,
            },
        };
        object
            .add_relocation(section, relocation)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What runs at the start, while it is built.
pub(crate) struct Start<'m, M> {
    pub(crate) module: &'m mut M,
}

impl<M: Module> Start<'_, M> {
    /// Ends the process if the processor lacks something of `cpu`.
    fn check(&mut self, b: &mut FunctionBuilder<'_>, cpu: &Cpu) -> Result<(), String> {
        let has_each = self.features(b, cpu)?;
        let all = has_all(b, &has_each);
        let [fail, done] = [(); 2].map(|()| b.create_block());
        b.ins().brif(all, done, &[], fail, &[]);
        b.switch_to_block(fail);
        self.print(
            b,
            "freehold: this processor lacks what the program was compiled for:",
        )?;
        for (feature, has) in has_each {
            let [lacks, next] = [(); 2].map(|()| b.create_block());
            b.ins().brif(has, next, &[], lacks, &[]);
            b.switch_to_block(lacks);
            self.print(b, &format!(" {}", feature.name))?;
            b.ins().jump(next, &[]);
            b.switch_to_block(next);
        }
        self.print(b, "\n")?;
        let exit = self.import(b, "_exit", &[types::I32], &[])?;
        let status = b.ins().iconst(types::I32, 1);
        b.ins().call(exit, &[status]);
        b.ins().jump(done, &[]);
        b.switch_to_block(done);
        Ok(())
    }

    /// The features of `cpu`, and whether the processor has each and the system keeps its registers.
    pub(crate) fn features(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        cpu: &Cpu,
    ) -> Result<Vec<(&'static Feature, clif::Value)>, String> {
        let features: Vec<&Feature> = cpu.features().collect();
        let mut words: Vec<(Word, clif::Value)> = Vec::new();
        for feature in &features {
            if !words.iter().any(|(word, _)| *word == feature.word) {
                let word = self.word(b, feature.word)?;
                words.push((feature.word, word));
            }
        }
        let saved = match cpu.arch() {
            Arch::X86_64 => {
                let name = "freehold.saved_state";
                let function = self.machine_code(b, name, SAVED_STATE, &[], &[types::I32])?;
                let call = b.ins().call(function, &[]);
                Some(b.inst_results(call)[0])
            }
            Arch::AArch64 => None,
        };
        let mut has_each = Vec::new();
        for feature in features {
            let word = words.iter().find(|(word, _)| *word == feature.word);
            let (_, word) = *word.ok_or("a feature has no word")?;
            let has = has_bits(b, word, 1 << feature.bit);
            let has = match (saved, feature.saved_state()) {
                (_, 0) | (None, _) => has,
                (Some(saved), bits) => {
                    let is_saved = has_bits(b, saved, bits);
                    b.ins().band(has, is_saved)
                }
            };
            has_each.push((feature, has));
        }
        Ok(has_each)
    }

    /// A word, zero where the processor does not have it.
    fn word(&mut self, b: &mut FunctionBuilder<'_>, word: Word) -> Result<clif::Value, String> {
        // Leaf and part, which register, and the leaf whose EAX says up to which leaf, or part of
        // leaf 7, there are answers.
        let (leaf, part, register, (limit_leaf, least)) = match word {
            Word::Hwcap => return self.auxiliary(b, AT_HWCAP),
            Word::Hwcap2 => return self.auxiliary(b, AT_HWCAP2),
            Word::Leaf1Ecx => (1, 0, 2, (0, 1)),
            Word::Leaf7Ebx => (7, 0, 1, (0, 7)),
            Word::Leaf7Ecx => (7, 0, 2, (0, 7)),
            Word::Leaf7Edx => (7, 0, 3, (0, 7)),
            Word::Leaf7PartEax => (7, 1, 0, (7, 1)),
            Word::ExtendedEcx => (0x8000_0001, 0, 2, (0x8000_0000, 0x8000_0001)),
        };
        let limit = self.cpuid(b, limit_leaf, 0, 0)?;
        let value = self.cpuid(b, leaf, part, register)?;
        let has_leaf = b
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, limit, least);
        let none = b.ins().iconst(types::I32, 0);
        let mut value = b.ins().select(has_leaf, value, none);
        if limit_leaf == 7 {
            // What leaf 7 says of its parts counts only if there is a leaf 7.
            let last = self.cpuid(b, 0, 0, 0)?;
            let has_leaf = b
                .ins()
                .icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, last, 7);
            value = b.ins().select(has_leaf, value, none);
        }
        Ok(value)
    }

    fn cpuid(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        leaf: u32,
        part: u32,
        register: i32,
    ) -> Result<clif::Value, String> {
        let params = [types::I32, types::I32, types::I64];
        let cpuid = self.machine_code(b, "freehold.cpuid", CPUID, &params, &[])?;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 4);
        let slot = b.create_sized_stack_slot(slot);
        let address = b.ins().stack_addr(types::I64, slot, 0);
        let leaf = b.ins().iconst(types::I32, i64::from(leaf));
        let part = b.ins().iconst(types::I32, i64::from(part));
        b.ins().call(cpuid, &[leaf, part, address]);
        Ok(b.ins()
            .stack_load(types::I64, types::I32, slot, 4 * register))
    }

    fn auxiliary(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        entry: i64,
    ) -> Result<clif::Value, String> {
        let function = self.import(b, "getauxval", &[types::I64], &[types::I64])?;
        let entry = b.ins().iconst(types::I64, entry);
        let call = b.ins().call(function, &[entry]);
        let value = b.inst_results(call)[0];
        Ok(b.ins().ireduce(types::I32, value))
    }

    /// Writes to standard error.
    fn print(&mut self, b: &mut FunctionBuilder<'_>, text: &str) -> Result<(), String> {
        let mut data = DataDescription::new();
        data.define(text.as_bytes().into());
        let id = (self.module.declare_anonymous_data(false, false)).map_err(message)?;
        self.module.define_data(id, &data).map_err(message)?;
        let address = address_of(b, id);
        let params = [types::I32, types::I64, types::I64];
        let write = self.import(b, "write", &params, &[types::I64])?;
        let file = b.ins().iconst(types::I32, STANDARD_ERROR);
        let length = b.ins().iconst(types::I64, text.len() as i64);
        b.ins().call(write, &[file, address, length]);
        Ok(())
    }

    /// A function of the C library.
    fn import(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        name: &'static str,
        params: &[clif::Type],
        results: &[clif::Type],
    ) -> Result<clif::FuncRef, String> {
        debug_assert!(external::AT_START.contains(&name));
        let signature = self.module.make_signature();
        let id = self
            .module
            .declare_function(name, Linkage::Import, &signature)
            .map_err(message)?;
        Ok(self.reference(b, id, params, results))
    }

    /// A function that is these instructions.
    fn machine_code(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        name: &str,
        code: &[u8],
        params: &[clif::Type],
        results: &[clif::Type],
    ) -> Result<clif::FuncRef, String> {
        let signature = self.module.make_signature();
        let is_new = self.module.declarations().get_name(name).is_none();
        let declared = (self.module).declare_function(name, Linkage::Local, &signature);
        let id = declared.map_err(message)?;
        if is_new {
            let defined = self.module.define_function_bytes(id, 16, code, &[]);
            defined.map_err(message)?;
        }
        Ok(self.reference(b, id, params, results))
    }

    fn reference(
        &self,
        b: &mut FunctionBuilder<'_>,
        id: FuncId,
        params: &[clif::Type],
        results: &[clif::Type],
    ) -> clif::FuncRef {
        let mut signature = Signature::new(self.module.isa().default_call_conv());
        signature
            .params
            .extend(params.iter().map(|&ty| AbiParam::new(ty)));
        signature
            .returns
            .extend(results.iter().map(|&ty| AbiParam::new(ty)));
        let signature = b.func.import_signature(signature);
        let name = UserExternalName::new(0, id.as_u32());
        let name = b.func.declare_imported_user_function(name);
        b.func.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            colocated: true,
            patchable: false,
        })
    }
}

/// The message of an error of Cranelift, which is large.
fn message(error: ModuleError) -> String {
    error.to_string()
}

/// The address of data of the object.
pub(crate) fn address_of(b: &mut FunctionBuilder<'_>, data: DataId) -> clif::Value {
    let name = UserExternalName::new(1, data.as_u32());
    let name = b.func.declare_imported_user_function(name);
    let symbol = b.func.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: 0.into(),
        colocated: true,
        tls: false,
    });
    b.ins().symbol_value(types::I64, symbol)
}

/// Whether the processor has all of these features.
pub(crate) fn has_all(
    b: &mut FunctionBuilder<'_>,
    features: &[(&'static Feature, clif::Value)],
) -> clif::Value {
    let mut all = b.ins().iconst(types::I8, 1);
    for &(_, has) in features {
        all = b.ins().band(all, has);
    }
    all
}

/// Whether all of `bits` are set in `word`.
fn has_bits(b: &mut FunctionBuilder<'_>, word: clif::Value, bits: u32) -> clif::Value {
    let bits = b.ins().iconst(types::I32, i64::from(bits));
    let found = b.ins().band(word, bits);
    b.ins().icmp(IntCC::Equal, found, bits)
}
