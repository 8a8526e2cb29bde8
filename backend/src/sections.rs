//! Sections for debuggers: written by `gimli` with relocations where addresses
//! and offsets go, then added to an object file.

use cranelift_codegen::gimli::write::{EndianVec, RelocateWriter, Relocation, RelocationTarget};
use cranelift_codegen::gimli::{LittleEndian, SectionId as DwarfSection};
use object::write::{Object, SectionId, SymbolId, SymbolSection};
use object::{RelocationEncoding, RelocationFlags, RelocationKind};

/// The contents of a section that is being written, and its relocations.
#[derive(Clone)]
pub(crate) struct Section {
    writer: EndianVec<LittleEndian>,
    relocations: Vec<Relocation>,
}

impl Section {
    /// An empty section.
    pub(crate) fn new() -> Self {
        Self {
            writer: EndianVec::new(LittleEndian),
            relocations: Vec::new(),
        }
    }

    /// The written section.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.writer.slice()
    }

    /// Adds the relocations to `object`, in which `id` has the contents. A symbol is an index into
    /// `symbols`, and becomes the place in its section, which no other object can put elsewhere: linkers
    /// refuse to make shared libraries otherwise. `section_of` says where a section is.
    pub(crate) fn add_relocations(
        &self,
        object: &mut Object<'_>,
        id: SectionId,
        kind: RelocationKind,
        symbols: &[SymbolId],
        section_of: impl Fn(DwarfSection) -> Option<SectionId>,
    ) -> Result<(), String> {
        for relocation in &self.relocations {
            let (symbol, place) = match relocation.target {
                RelocationTarget::Symbol(index) => {
                    let symbol = object.symbol(symbols[index]);
                    match symbol.section {
                        SymbolSection::Section(section) => {
                            let place = symbol.value as i64;
                            (object.section_symbol(section), place)
                        }
                        _ => (symbols[index], 0),
                    }
                }
                RelocationTarget::Section(section) => match section_of(section) {
                    Some(section) => (object.section_symbol(section), 0),
                    None => continue,
                },
            };
            let flags = RelocationFlags::Generic {
                kind,
                encoding: RelocationEncoding::Generic,
                size: relocation.size * 8,
            };
            object
                .add_relocation(
                    id,
                    object::write::Relocation {
                        offset: relocation.offset as u64,
                        symbol,
                        addend: relocation.addend + place,
                        flags,
                    },
                )
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

impl RelocateWriter for Section {
    type Writer = EndianVec<LittleEndian>;

    fn writer(&self) -> &Self::Writer {
        &self.writer
    }

    fn writer_mut(&mut self) -> &mut Self::Writer {
        &mut self.writer
    }

    fn relocate(&mut self, relocation: Relocation) {
        self.relocations.push(relocation);
    }
}
