//! DWARF: which lines of the MLIR source machine code comes from.
//!
//! A module is one compile unit, a function one subprogram without types or
//! variables, and each operation that a location is known of a row of the line
//! table. What code gets a row is what Cranelift remembers of the operation
//! that it was generated for; rows of one place in a row are one.
//!
//! Names of files are those of the locations, so those that `loc(...)` spells
//! out lead to the text that a front end made the program from.

use std::path::Path;
use std::sync::Arc;

use cranelift_codegen::gimli::constants::{
    DW_AT_comp_dir, DW_AT_decl_file, DW_AT_decl_line, DW_AT_external, DW_AT_high_pc,
    DW_AT_language, DW_AT_low_pc, DW_AT_name, DW_AT_producer, DW_AT_ranges, DW_AT_stmt_list,
    DW_LANG_C99, DW_TAG_subprogram,
};
use cranelift_codegen::gimli::write::{
    Address, AttributeValue, DwarfUnit, FileId, LineProgram, LineString, Range, RangeList,
    Sections, Writer,
};
use cranelift_codegen::gimli::{Encoding, Format, LineEncoding};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::location::Loc;
use object::write::{Object, SymbolId};
use object::{RelocationKind, SectionKind};
use rustc_hash::FxHashMap;

use crate::program::{Linkage, Program};
use crate::references::{CompiledFunction, LineEntry};
use crate::sections::Section;

/// Every tool reads version 4, and it needs no relocations but for addresses.
const ENCODING: Encoding = Encoding {
    format: Format::Dwarf32,
    version: 4,
    address_size: 8,
};

/// Appends the sections to `object`, in which the functions have the given symbols.
pub(crate) fn write_debug_info(
    object: &mut Object<'_>,
    module: &Ir,
    functions: &[(SymbolId, &Program<'_>, &CompiledFunction)],
    directory: &Path,
) -> Result<(), String> {
    let addressed = functions.iter().enumerate();
    let addressed = addressed.map(|(index, &(_, program, function))| {
        let symbol = Address::Symbol {
            symbol: index,
            addend: 0,
        };
        (symbol, program, function)
    });
    let sections = describe(module, addressed, directory, Section::new())?;
    let mut added = FxHashMap::default();
    sections.for_each(|id, section| {
        if !section.bytes().is_empty() {
            let name = id.name().as_bytes().to_vec();
            let kind = match id.is_string() {
                true => SectionKind::DebugString,
                false => SectionKind::Debug,
            };
            let section_id = object.add_section(Vec::new(), name, kind);
            object.append_section_data(section_id, section.bytes(), 1);
            added.insert(id, section_id);
        }
        Ok::<_, String>(())
    })?;
    let symbols: Vec<SymbolId> = functions.iter().map(|&(symbol, ..)| symbol).collect();
    sections.for_each(|id, section| match added.get(&id) {
        Some(&section_id) => section.add_relocations(
            object,
            section_id,
            RelocationKind::Absolute,
            &symbols,
            |section| added.get(&section).copied(),
        ),
        None => Ok(()),
    })
}

/// The sections for functions at these addresses, written with clones of `section`. Names of files
/// that are relative are so to `directory`.
pub(crate) fn describe<'c, W: Writer + Clone>(
    module: &Ir,
    functions: impl Iterator<Item = (Address, &'c Program<'c>, &'c CompiledFunction)>,
    directory: &Path,
    section: W,
) -> Result<Sections<W>, String> {
    let context = module.context();
    let directory = directory.display().to_string();
    let mut lines = Lines::new(context, &directory);
    let mut dwarf = DwarfUnit::new(ENCODING);
    let root = dwarf.unit.root();
    let mut ranges = Vec::new();
    for (address, program, compiled) in functions {
        let function = &program.functions[compiled.id];
        let size = compiled.code.len() as u64;
        if size == 0 {
            continue;
        }
        lines.add_function(address, size, function.loc, &compiled.lines);
        ranges.push(Range::StartLength {
            begin: address,
            length: size,
        });
        let name = dwarf.strings.add(c_string(&function.link_name));
        let subprogram = dwarf.unit.add(root, DW_TAG_subprogram);
        let subprogram = dwarf.unit.get_mut(subprogram);
        subprogram.set(DW_AT_name, AttributeValue::StringRef(name));
        subprogram.set(DW_AT_low_pc, AttributeValue::Address(address));
        subprogram.set(DW_AT_high_pc, AttributeValue::Udata(size));
        if let Some(place) = lines.place(function.loc) {
            subprogram.set(DW_AT_decl_file, AttributeValue::FileIndex(Some(place.file)));
            subprogram.set(DW_AT_decl_line, AttributeValue::Udata(place.line));
        }
        if function.linkage == Linkage::Export {
            subprogram.set(DW_AT_external, AttributeValue::Flag(true));
        }
    }
    let source = context.resolve_loc(module.loc(module.root()));
    let source = source.map_or_else(|| Arc::from("<unknown>"), |at| at.file);
    let name = dwarf.strings.add(c_string(&source));
    let producer = dwarf
        .strings
        .add(concat!("freehold ", env!("CARGO_PKG_VERSION")));
    let directory = dwarf.strings.add(c_string(&directory));
    let ranges = dwarf.unit.ranges.add(RangeList(ranges));
    dwarf.unit.line_program = lines.program;
    let unit = dwarf.unit.get_mut(root);
    unit.set(DW_AT_producer, AttributeValue::StringRef(producer));
    // There is no number for MLIR; debuggers want to know how to show addresses.
    unit.set(DW_AT_language, AttributeValue::Language(DW_LANG_C99));
    unit.set(DW_AT_name, AttributeValue::StringRef(name));
    unit.set(DW_AT_comp_dir, AttributeValue::StringRef(directory));
    unit.set(DW_AT_stmt_list, AttributeValue::LineProgramRef);
    unit.set(DW_AT_low_pc, AttributeValue::Address(Address::Constant(0)));
    unit.set(DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    let mut sections = Sections::new(section);
    dwarf
        .write(&mut sections)
        .map_err(|error| error.to_string())?;
    Ok(sections)
}

/// A place as the line table has it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    file: FileId,
    line: u64,
    column: u64,
}

/// The line table of the unit.
struct Lines<'c> {
    context: &'c Context,
    program: LineProgram,
    files: FxHashMap<Arc<str>, FileId>,
}

impl<'c> Lines<'c> {
    fn new(context: &'c Context, directory: &str) -> Self {
        let directory = match c_string(directory) {
            bytes if bytes.is_empty() => b".".to_vec(),
            bytes => bytes,
        };
        let program = LineProgram::new(
            ENCODING,
            LineEncoding::default(),
            LineString::String(directory),
            None,
            // Only later versions list it.
            LineString::String(b".".to_vec()),
            None,
        );
        Self {
            context,
            program,
            files: FxHashMap::default(),
        }
    }

    /// File, line and column of a location, if it has them.
    fn place(&mut self, loc: Loc) -> Option<Place> {
        let at = self.context.resolve_loc(loc)?;
        let file = match self.files.get(&at.file) {
            Some(&file) => file,
            None => {
                let name = c_string(&at.file);
                if name.is_empty() {
                    return None;
                }
                let directory = self.program.default_directory();
                let file = self
                    .program
                    .add_file(LineString::String(name), directory, None);
                self.files.insert(at.file, file);
                file
            }
        };
        Some(Place {
            file,
            line: at.line.into(),
            column: at.column.into(),
        })
    }

    /// Adds the rows of one function: its declaration, where its frame is made, then `entries`.
    fn add_function(&mut self, address: Address, size: u64, loc: Loc, entries: &[LineEntry]) {
        self.program.begin_sequence(Some(address));
        let mut last = self.place(loc);
        if let Some(place) = last {
            self.add_row(0, place, false);
        }
        let mut is_first = true;
        for entry in entries {
            let place = self.place(entry.loc);
            let Some(place) = place.filter(|_| is_first || place != last) else {
                continue;
            };
            self.add_row(entry.start.into(), place, is_first);
            is_first = false;
            last = Some(place);
        }
        self.program.end_sequence(size);
    }

    fn add_row(&mut self, offset: u64, place: Place, ends_prologue: bool) {
        let row = self.program.row();
        row.address_offset = offset;
        row.file = place.file;
        row.line = place.line;
        row.column = place.column;
        row.prologue_end = ends_prologue;
        self.program.generate_row();
    }
}

/// Text for where a zero byte ends it.
fn c_string(text: &str) -> Vec<u8> {
    text.bytes().take_while(|&byte| byte != 0).collect()
}
