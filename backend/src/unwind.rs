//! The `.eh_frame` section of object files: how debuggers, profilers and C++
//! exceptions walk through the frames of compiled functions.

use cranelift_codegen::gimli::RunTimeEndian;
use cranelift_codegen::gimli::constants::{DW_EH_PE_pcrel, DW_EH_PE_sdata4, DwEhPe};
use cranelift_codegen::gimli::write::{
    Address, EhFrame, EndianVec, FrameTable, RelocateWriter, Relocation, RelocationTarget,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::isa::unwind::UnwindInfo;
use object::write::{Object, StandardSection, SymbolId};
use object::{RelocationEncoding, RelocationFlags, RelocationKind};

/// Appends the section for these functions to `object`.
pub(crate) fn write_eh_frame(
    object: &mut Object<'_>,
    isa: &dyn TargetIsa,
    functions: &[(SymbolId, &UnwindInfo)],
) -> Result<(), String> {
    let Some(mut cie) = isa.create_systemv_cie() else {
        return Ok(());
    };
    // Relative addresses, so that the section needs no relocation at load time.
    cie.fde_address_encoding = DwEhPe(DW_EH_PE_pcrel.0 | DW_EH_PE_sdata4.0);
    let mut table = FrameTable::default();
    let cie = table.add_cie(cie);
    for (index, (_, info)) in functions.iter().enumerate() {
        if let UnwindInfo::SystemV(info) = info {
            let symbol = Address::Symbol {
                symbol: index,
                addend: 0,
            };
            table.add_fde(cie, info.to_fde(symbol));
        }
    }
    let mut section = EhFrame(Section {
        writer: EndianVec::new(RunTimeEndian::Little),
        relocations: Vec::new(),
    });
    table
        .write_eh_frame(&mut section)
        .map_err(|error| error.to_string())?;
    let EhFrame(section) = section;
    let id = object.section_id(StandardSection::EhFrame);
    object.append_section_data(id, section.writer.slice(), 8);
    for relocation in section.relocations {
        let RelocationTarget::Symbol(index) = relocation.target else {
            continue;
        };
        let flags = RelocationFlags::Generic {
            kind: RelocationKind::Relative,
            encoding: RelocationEncoding::Generic,
            size: relocation.size * 8,
        };
        object
            .add_relocation(
                id,
                object::write::Relocation {
                    offset: relocation.offset as u64,
                    symbol: functions[index].0,
                    addend: relocation.addend,
                    flags,
                },
            )
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

struct Section {
    writer: EndianVec<RunTimeEndian>,
    relocations: Vec<Relocation>,
}

impl RelocateWriter for Section {
    type Writer = EndianVec<RunTimeEndian>;

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
