//! Static libraries in the format of GNU `ar`: a symbol table, then the object
//! files. Times, owners and modes are fixed, so equal contents give equal bytes.

use std::borrow::Cow;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

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

/// A static library of these object files with their names.
#[derive(Debug)]
pub struct Library<'o> {
    members: Vec<(&'static str, Cow<'o, [u8]>)>,
}

impl<'o> Library<'o> {
    /// # Errors
    /// If one is not an object file that we make: the writer would take any file.
    pub(crate) fn new(members: Vec<(&'static str, Cow<'o, [u8]>)>) -> Result<Self, String> {
        for (_, object) in &members {
            ElfFile64::<LittleEndian>::parse(&**object).map_err(|error| error.to_string())?;
        }
        Ok(Self { members })
    }

    /// Writes the library without a copy of it in memory.
    ///
    /// # Errors
    /// If that fails.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let files: Vec<_> = (self.members.iter())
            .map(|(name, object)| {
                NewArchiveMember::new(&**object, &DEFAULT_OBJECT_READER, (*name).to_owned())
            })
            .collect();
        // The table of symbols is written number by number.
        let out = BufWriter::new(out);
        let mut out = Stream { out, position: 0 };
        write_archive_to_stream(&mut out, &files, ArchiveKind::Gnu, false, None)?;
        out.flush()
    }

    /// The bytes of the library.
    ///
    /// # Errors
    /// If it is too large for the format.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)?;
        Ok(bytes)
    }
}

/// A write-only sequential stream, like a pipe, that knows its position.
struct Stream<W> {
    out: W,
    position: u64,
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.position += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W> Seek for Stream<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) => Ok(self.position),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_go_in() {
        let text: &[u8] = b"no object";
        assert!(Library::new(vec![("text.o", text.into())]).is_err());
        let empty = Library::new(Vec::new()).unwrap();
        assert!(empty.to_bytes().unwrap().starts_with(b"!<arch>\n"));
    }
}
