//! Static libraries in the format of GNU `ar`: a symbol table, then the object
//! files. Times, owners and modes are fixed, so equal contents give equal bytes.

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

/// Makes a library of these object files, whose names have at most 15 characters.
///
/// # Errors
/// If one is not an object file that we make, or the library is too large for
/// its symbol table.
pub(crate) fn write(members: &[(&str, &[u8])]) -> Result<Vec<u8>, String> {
    let mut symbols = Vec::with_capacity(members.len());
    for (_, object) in members {
        symbols.push(defined_symbols(object)?);
    }
    let n_symbols: usize = symbols.iter().map(Vec::len).sum();
    let names_size: usize = symbols.iter().flatten().map(|name| name.len() + 1).sum();
    let table_size = 4 + 4 * n_symbols + names_size;

    let mut offset = MAGIC.len() + HEADER_SIZE + table_size.next_multiple_of(2);
    let mut table = big_endian(n_symbols)?.to_vec();
    for (own, (_, object)) in symbols.iter().zip(members) {
        let position = big_endian(offset)?;
        table.extend(own.iter().flat_map(|_| position));
        offset += HEADER_SIZE + object.len().next_multiple_of(2);
    }
    for name in symbols.iter().flatten() {
        table.extend_from_slice(name.as_bytes());
        table.push(0);
    }
    let mut archive = Vec::with_capacity(offset);
    archive.extend_from_slice(MAGIC);
    append(&mut archive, "/", &table);
    for (name, object) in members {
        append(&mut archive, &format!("{name}/"), object);
    }
    Ok(archive)
}

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER_SIZE: usize = 60;

fn big_endian(number: usize) -> Result<[u8; 4], String> {
    u32::try_from(number)
        .map(u32::to_be_bytes)
        .map_err(|_| "the library would be larger than four gigabytes".to_owned())
}

fn append(archive: &mut Vec<u8>, name: &str, contents: &[u8]) {
    let header = format!(
        "{name:<16}{time:<12}{owner:<6}{group:<6}{mode:<8}{size:<10}`\n",
        time = 0,
        owner = 0,
        group = 0,
        mode = 644,
        size = contents.len()
    );
    debug_assert_eq!(header.len(), HEADER_SIZE, "fields of a header overflow");
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(contents);
    if contents.len() % 2 == 1 {
        archive.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_go_in() {
        assert!(write(&[("text.o", b"no object")]).is_err());
        assert_eq!(write(&[]).unwrap().len(), 8 + 60 + 4);
    }
}
