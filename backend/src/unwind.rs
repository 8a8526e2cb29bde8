//! The `.eh_frame` section: how debuggers, profilers and C++ exceptions walk
//! through the frames of compiled functions.

use cranelift_codegen::gimli::constants::{DW_EH_PE_pcrel, DW_EH_PE_sdata4, DwEhPe};
use cranelift_codegen::gimli::write::{
    Address, EhFrame, FrameDescriptionEntry, FrameTable, Writer,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::isa::unwind::UnwindInfo;
use object::RelocationKind;
use object::write::{Object, StandardSection, SymbolId};

use crate::references::Unwind;
use crate::sections::Section;

/// Relative addresses, so that the section needs no relocation at load time.
const RELATIVE: DwEhPe = DwEhPe(DW_EH_PE_pcrel.0 | DW_EH_PE_sdata4.0);

/// Appends the section for these functions to `object`.
pub(crate) fn write_eh_frame(
    object: &mut Object<'_>,
    isa: &dyn TargetIsa,
    functions: &[(SymbolId, &Unwind)],
) -> Result<(), String> {
    let addressed = functions.iter().enumerate().map(|(index, &(_, info))| {
        let symbol = Address::Symbol {
            symbol: index,
            addend: 0,
        };
        (symbol, info)
    });
    let section = frames(isa, RELATIVE, addressed, Section::new())?;
    let id = object.section_id(StandardSection::EhFrame);
    object.append_section_data(id, section.bytes(), 8);
    let symbols: Vec<SymbolId> = functions.iter().map(|&(symbol, _)| symbol).collect();
    section.add_relocations(object, id, RelocationKind::Relative, &symbols, |_| None)
}

/// Writes the section for functions at these addresses, which are encoded as `encoding`.
pub(crate) fn frames<'u, W: Writer>(
    isa: &dyn TargetIsa,
    encoding: DwEhPe,
    functions: impl Iterator<Item = (Address, &'u Unwind)>,
    section: W,
) -> Result<W, String> {
    let mut section = EhFrame(section);
    let Some(mut cie) = isa.create_systemv_cie() else {
        return Ok(section.0);
    };
    cie.fde_address_encoding = encoding;
    let mut table = FrameTable::default();
    let cie = table.add_cie(cie);
    for (address, info) in functions {
        match info {
            Unwind::Cranelift(UnwindInfo::SystemV(info)) => {
                table.add_fde(cie, info.to_fde(address));
            }
            Unwind::Cranelift(_) => {}
            Unwind::Kernel {
                length,
                instructions,
            } => {
                let mut entry = FrameDescriptionEntry::new(address, *length);
                for (offset, instruction) in instructions {
                    entry.add_instruction(*offset, instruction.clone());
                }
                table.add_fde(cie, entry);
            }
        }
    }
    table
        .write_eh_frame(&mut section)
        .map_err(|error| error.to_string())?;
    Ok(section.0)
}
