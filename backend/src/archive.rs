//! Static libraries in the format of GNU `ar`: a symbol table, then the object
//! files. Times, owners and modes are fixed, so equal contents give equal bytes.

use std::io::Cursor;

use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object as _, ObjectSymbol as _};

/// The names that the object file `object` defines for other files.
///
/// # Errors
/// If it is not an object file that we make.
pub(crate) fn defined_symbols(object: &[u8]) -> Result<Vec<String>, String> {
    let file = ElfFile64::<LittleEndian>::parse(object).map_err(|error| error.to_string())?;
    let symbols = file.symbols().filter(|symbol| symbol.is_global());
    symbols
        .filter(|symbol| symbol.is_definition())
        .map(|symbol| {
            let name = symbol.name().map_err(|error| error.to_string())?;
            Ok(name.to_owned())
        })
        .collect()
}

/// Makes a library of these object files with their names.
///
/// # Errors
/// If one is not an object file that we make.
pub(crate) fn write(members: &[(&str, &[u8])]) -> Result<Vec<u8>, String> {
    let mut files = Vec::with_capacity(members.len());
    for &(name, object) in members {
        // The writer would take any file.
        defined_symbols(object)?;
        files.push(NewArchiveMember::new(
            object,
            &DEFAULT_OBJECT_READER,
            name.to_owned(),
        ));
    }
    let mut archive = Cursor::new(Vec::new());
    write_archive_to_stream(&mut archive, &files, ArchiveKind::Gnu, false, None)
        .map_err(|error| error.to_string())?;
    Ok(archive.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_go_in() {
        assert!(write(&[("text.o", b"no object")]).is_err());
        assert!(write(&[]).unwrap().starts_with(b"!<arch>\n"));
    }
}
