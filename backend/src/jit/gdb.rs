//! Tells debuggers what the code is that the JIT made: GDB's interface for that,
//! which LLDB knows as well.
//!
//! A debugger stops at [`__jit_debug_register_code`] and reads an ELF file out
//! of this process. Ours holds no code, but says where in memory it is, and has
//! symbols, `.eh_frame` and, if wanted, DWARF, all with final addresses.

use std::ptr;
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::gimli::LittleEndian;
use cranelift_codegen::gimli::constants::DW_EH_PE_absptr;
use cranelift_codegen::gimli::write::{Address, EndianVec};
use object::write::elf::{FileHeader, SectionHeader, Sym, Writer};
use object::{Endianness, elf};

use super::Code;
use crate::isa::Arch;
use crate::options::Options;
use crate::program::{Linkage, Program};
use crate::{debug_info, unwind};

/// One registered file, as debuggers read it.
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    file: *const u8,
    size: u64,
}

/// The head of the list, as debuggers read it.
#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

/// Where debuggers look for the list of files. Its name is theirs.
#[unsafe(no_mangle)]
static mut __jit_debug_descriptor: Descriptor = Descriptor {
    version: 1,
    action: 0,
    relevant: ptr::null_mut(),
    first: ptr::null_mut(),
};

/// Where debuggers stop to look at [`__jit_debug_descriptor`].
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __jit_debug_register_code() {
    // The calls must stay.
    std::hint::black_box(());
}

/// Held while the list changes.
static LIST: Mutex<()> = Mutex::new(());

/// Code that debuggers know of as long as this lives.
pub(super) struct Registration {
    entry: *mut Entry,
    /// Entry points into it.
    _file: Box<[u8]>,
}

// SAFETY: the entry is changed under the lock of the list only.
unsafe impl Send for Registration {}
// SAFETY: a shared registration gives access to nothing.
unsafe impl Sync for Registration {}

impl Registration {
    /// Adds an ELF file to the list and tells the debugger.
    pub(super) fn new(file: Vec<u8>) -> Self {
        let file = file.into_boxed_slice();
        let entry = Box::into_raw(Box::new(Entry {
            next: ptr::null_mut(),
            previous: ptr::null_mut(),
            file: file.as_ptr(),
            size: file.len() as u64,
        }));
        let _lock = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: entries of the list are alive, for dropping removes them; all of it is accessed
        // under the lock, or by the debugger while this process stands still.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            (*entry).next = (*list).first;
            if let Some(next) = (*entry).next.as_mut() {
                next.previous = entry;
            }
            (*list).first = entry;
            (*list).relevant = entry;
            (*list).action = REGISTER;
        }
        __jit_debug_register_code();
        Self { entry, _file: file }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let _lock = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as above; the entry was made by `Box::into_raw` and is in the list no more when it
        // is freed.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            let entry = &mut *self.entry;
            match entry.previous.as_mut() {
                Some(previous) => previous.next = entry.next,
                None => (*list).first = entry.next,
            }
            if let Some(next) = entry.next.as_mut() {
                next.previous = entry.previous;
            }
            (*list).relevant = self.entry;
            (*list).action = UNREGISTER;
            __jit_debug_register_code();
            (*list).relevant = ptr::null_mut();
            drop(Box::from_raw(self.entry));
        }
    }
}

/// A section of the file.
struct Section<'a> {
    name: &'static str,
    kind: u32,
    flags: u64,
    address: u64,
    size: u64,
    contents: &'a [u8],
}

/// The ELF file that describes `code`.
pub(super) fn describe(
    program: &Program<'_>,
    code: &[Code<'_>],
    options: &Options,
) -> Result<Vec<u8>, String> {
    let addressed = || {
        let address = |code: &Code<'_>| Address::Constant(code.address as u64);
        code.iter().map(move |code| (address(code), code.compiled))
    };
    let empty = EndianVec::new(LittleEndian);
    let frames =
        addressed().filter_map(|(address, compiled)| Some((address, compiled.unwind.as_ref()?)));
    let frames = unwind::frames(program.isa, DW_EH_PE_absptr, frames, empty.clone())?;
    let mut start = u64::MAX;
    let mut end = 0;
    for code in code {
        start = start.min(code.address as u64);
        end = end.max(code.address as u64 + code.compiled.code.len() as u64);
    }
    let alloc = u64::from(elf::SHF_ALLOC);
    let mut sections = vec![
        Section {
            name: ".text",
            // The code is in memory already.
            kind: elf::SHT_NOBITS,
            flags: alloc | u64::from(elf::SHF_EXECINSTR),
            address: start.min(end),
            size: end.saturating_sub(start),
            contents: &[],
        },
        Section {
            name: ".eh_frame",
            kind: elf::SHT_PROGBITS,
            flags: alloc,
            address: 0,
            size: frames.slice().len() as u64,
            contents: frames.slice(),
        },
    ];
    let dwarf = match &options.debug_info {
        Some(directory) => Some(debug_info::describe(
            program.module,
            addressed().map(|(address, compiled)| (address, program, compiled)),
            directory,
            empty,
        )?),
        None => None,
    };
    if let Some(dwarf) = &dwarf {
        dwarf.for_each(|id, contents| {
            if !contents.slice().is_empty() {
                sections.push(Section {
                    name: id.name(),
                    kind: elf::SHT_PROGBITS,
                    flags: 0,
                    address: 0,
                    size: contents.slice().len() as u64,
                    contents: contents.slice(),
                });
            }
            Ok::<_, String>(())
        })?;
    }
    write_elf(program, code, &sections)
}

/// Writes sections, the code first, and symbols.
fn write_elf(
    program: &Program<'_>,
    code: &[Code<'_>],
    sections: &[Section<'_>],
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut bytes);
    writer.reserve_file_header();
    writer.reserve_null_section_index();
    let mut headers = Vec::with_capacity(sections.len());
    let mut text = None;
    for section in sections {
        let name = writer.add_section_name(section.name.as_bytes());
        let index = writer.reserve_section_index();
        text.get_or_insert(index);
        let offset = writer.reserve(section.contents.len(), 8);
        headers.push(SectionHeader {
            name: Some(name),
            sh_type: section.kind,
            sh_flags: section.flags,
            sh_addr: section.address,
            sh_offset: offset as u64,
            sh_size: section.size,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: 1,
            sh_entsize: 0,
        });
    }
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_null_symbol_index();
    // Local symbols go first.
    let (local, global): (Vec<_>, Vec<_>) = code
        .iter()
        .partition(|code| program.functions[code.compiled.id].linkage == Linkage::Local);
    let mut symbols = Vec::with_capacity(code.len());
    let bindings = [(&local, elf::STB_LOCAL), (&global, elf::STB_GLOBAL)];
    for (codes, binding) in bindings {
        for code in codes {
            let name = program.functions[code.compiled.id].link_name.as_bytes();
            let name = writer.add_string(name);
            writer.reserve_symbol_index(text);
            symbols.push(Sym {
                name: Some(name),
                section: text,
                st_info: (binding << 4) | elf::STT_FUNC,
                st_other: elf::STV_DEFAULT,
                st_shndx: 0,
                st_value: code.address as u64,
                st_size: code.compiled.code.len() as u64,
            });
        }
    }
    writer.reserve_symtab();
    writer.reserve_strtab();
    writer.reserve_shstrtab();
    writer.reserve_section_headers();
    writer
        .write_file_header(&FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: elf::ET_EXEC,
            e_machine: match program.arch {
                Arch::X86_64 => elf::EM_X86_64,
                Arch::AArch64 => elf::EM_AARCH64,
            },
            e_entry: 0,
            e_flags: 0,
        })
        .map_err(|error| error.to_string())?;
    for section in sections {
        writer.write_align(8);
        writer.write(section.contents);
    }
    writer.write_null_symbol();
    for symbol in &symbols {
        writer.write_symbol(symbol);
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    for header in &headers {
        writer.write_section_header(header);
    }
    writer.write_symtab_section_header(1 + local.len() as u32);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(bytes)
}
