//! Arrays in files of NumPy: `.npy`, and `.npz` with several.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;

use freehold_backend::jit::ElementType;
use freehold_frontend::ir::types::{FloatKind, Signedness};
use npyz::{DType, Endianness, NpyFile, Order, TypeChar, TypeStr, WriterBuilder};
use zip::write::SimpleFileOptions;

use super::{Array, Stored, row_major};
use crate::error;

/// The file that `a.npy`, `a.npz` or `a.npz:name` is in, and the name.
pub(crate) fn file(path: &str) -> (String, Option<&str>) {
    match path.rsplit_once(".npz:") {
        Some((stem, name)) => (format!("{stem}.npz"), Some(name)),
        None => (path.to_owned(), None),
    }
}

/// All arrays of `a.npz`, the one that `a.npz:name` names, or that of an `.npy`.
pub(crate) fn read(path: &str) -> Result<Vec<Array>, String> {
    each(path, |reader| read_array(reader))
}

/// The sizes of these arrays.
pub(crate) fn sizes(path: &str) -> Result<Vec<Vec<usize>>, String> {
    each(path, |reader| {
        let file = NpyFile::new(reader).map_err(|error| error::reason(&error))?;
        known_sizes(&file)
    })
}

/// What `read` makes of each of these arrays.
fn each<T>(
    path: &str,
    read: impl Fn(&mut dyn Read) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let (path, wanted) = file(path);
    let failed = |error: std::io::Error| error::reason(&error);
    let mut file = BufReader::new(File::open(&path).map_err(failed)?);
    if Path::new(&path)
        .extension()
        .is_none_or(|ending| ending != "npz")
    {
        return read(&mut file).map(|array| vec![array]);
    }
    let broken = |error: zip::result::ZipError| error.to_string();
    let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
    if let Some(name) = wanted {
        let Ok(mut entry) = archive.by_name(&format!("{name}.npy")) else {
            let names = archive.file_names().filter_map(Result::ok);
            let names: Vec<_> = names.map(|file| array_name(&file).to_owned()).collect();
            return Err(format!(
                "there is no array '{name}', only {}",
                names.join(", ")
            ));
        };
        return read(&mut entry).map(|array| vec![array]);
    }
    let entries = 0..archive.len();
    entries
        .map(|index| read(&mut archive.by_index(index).map_err(broken)?))
        .collect()
}

fn array_name(file: &str) -> &str {
    file.strip_suffix(".npy").unwrap_or(file)
}

fn read_array(reader: impl Read) -> Result<Array, String> {
    let file = NpyFile::new(reader).map_err(|error| error::reason(&error))?;
    let dtype = file.dtype();
    let unknown = || format!("elements of type {} are not supported", dtype.descr());
    let DType::Plain(ty) = &dtype else {
        return Err(unknown());
    };
    let stored = stored(ty).ok_or_else(unknown)?;
    let sizes = known_sizes(&file)?;
    let order = file.order();
    let mut array = Array::zeroed(stored, &sizes)?;
    let mut reader = file.into_inner();
    let bytes = array.elements.bytes_mut();
    reader
        .read_exact(bytes)
        .map_err(|error| error::reason(&error))?;
    // Parts of complex numbers are swapped each for itself.
    let part = match stored {
        Stored::Element(ElementType::Complex(kind)) => (kind.width() / 8) as usize,
        Stored::Element(element) => element.byte_size(),
        Stored::Raw(_) => 1,
    };
    if ty.endianness() == Endianness::Big && part > 1 {
        bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    if stored == Stored::Element(BOOL) {
        bytes
            .iter_mut()
            .for_each(|byte| *byte = u8::from(*byte != 0));
    }
    Ok(match order {
        Order::C => array,
        Order::Fortran => from_columns(&array)?,
    })
}

fn known_sizes<R: Read>(file: &NpyFile<R>) -> Result<Vec<usize>, String> {
    let sizes = file.shape().iter().map(|&n| usize::try_from(n).ok());
    let sizes: Option<Vec<usize>> = sizes.collect();
    sizes.ok_or_else(|| "sizes are more than memory can hold".to_owned())
}

const BOOL: ElementType = ElementType::Int {
    width: 1,
    signedness: Signedness::Signless,
};

/// The array whose columns lie one after the other, by rows.
fn from_columns(array: &Array) -> Result<Array, String> {
    let mut rows = Array::zeroed(array.stored, &array.sizes)?;
    let reversed: Vec<usize> = array.sizes.iter().rev().copied().collect();
    let mut strides = row_major(&reversed);
    strides.reverse();
    let size = array.stored.byte_size();
    let elements = rows.elements.bytes_mut().chunks_exact_mut(size);
    for (at, bytes) in super::places(&array.sizes, &strides).zip(elements) {
        bytes.copy_from_slice(&array.elements.bytes()[at * size..][..size]);
    }
    Ok(rows)
}

fn stored(ty: &TypeStr) -> Option<Stored> {
    let size = usize::try_from(ty.size_field()).ok()?;
    let int = |signedness| {
        let width = u32::try_from(8 * size).ok()?;
        Some(ElementType::Int { width, signedness })
    };
    let element = match (ty.type_char(), size) {
        (TypeChar::Bool, 1) => BOOL,
        (TypeChar::Int, 1 | 2 | 4 | 8) => int(Signedness::Signless)?,
        (TypeChar::Uint, 1 | 2 | 4 | 8) => int(Signedness::Unsigned)?,
        (TypeChar::Float, 2) => ElementType::Float(FloatKind::F16),
        (TypeChar::Float, 4) => ElementType::Float(FloatKind::F32),
        (TypeChar::Float, 8) => ElementType::Float(FloatKind::F64),
        (TypeChar::Complex, 8) => ElementType::Complex(FloatKind::F32),
        (TypeChar::Complex, 16) => ElementType::Complex(FloatKind::F64),
        (TypeChar::RawData, 1..=16) => return Some(Stored::Raw(size)),
        _ => return None,
    };
    Some(Stored::Element(element))
}

/// How NumPy calls the type; bytes where it has none.
fn type_str(element: ElementType) -> String {
    let size = element.byte_size();
    match element {
        BOOL => "|b1".to_owned(),
        ElementType::Index => "<i8".to_owned(),
        ElementType::Int { width: 65.., .. } => format!("|V{size}"),
        ElementType::Int { signedness, .. } => {
            let order = if size == 1 { '|' } else { '<' };
            // What does not fill its bytes is zero-extended.
            let is_unsigned = signedness == Signedness::Unsigned || element.has_padding();
            format!("{order}{}{size}", if is_unsigned { 'u' } else { 'i' })
        }
        ElementType::Float(FloatKind::F16 | FloatKind::F32 | FloatKind::F64) => format!("<f{size}"),
        ElementType::Complex(FloatKind::F32 | FloatKind::F64) => format!("<c{size}"),
        ElementType::Float(_) | ElementType::Complex(_) => format!("|V{size}"),
    }
}

/// The bytes of an `.npy`.
pub(crate) fn npy(array: &Array) -> Result<Vec<u8>, String> {
    let ty = match array.stored {
        Stored::Element(element) => type_str(element),
        Stored::Raw(size) => format!("|V{size}"),
    };
    let ty: TypeStr = ty.parse().map_err(|_| format!("'{ty}' is no type"))?;
    let shape: Vec<u64> = array.sizes.iter().map(|&n| n as u64).collect();
    let header = npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(ty))
        .shape(&shape)
        .writer(Vec::new());
    let mut bytes = header
        .write_header_only()
        .map_err(|error| error.to_string())?;
    bytes.extend_from_slice(array.elements.bytes());
    Ok(bytes)
}

/// The bytes of an `.npz` with these arrays.
pub(crate) fn npz(arrays: &[(String, &Array)]) -> Result<Vec<u8>, String> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, array) in arrays {
        let bytes = npy(array)?;
        archive
            .start_file(
                format!("{name}.npy"),
                options.large_file(bytes.len() >> 32 != 0),
            )
            .map_err(|error| error.to_string())?;
        archive
            .write_all(&bytes)
            .map_err(|error| error.to_string())?;
    }
    let finished = archive.finish().map_err(|error| error.to_string())?;
    Ok(finished.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::values::input;

    #[test]
    fn files_hold_what_was_written() {
        for text in [
            "2x3xf32=1,2,3,4,5,6",
            "f64=1",
            "3xi1=1,0,1",
            "2xi7=-1,5",
            "2xbf16=1,2",
            "2xui16=1,65535",
            "2xcomplex<f64>=(1,2),(3,4)",
            "0x3xi32=",
            "i128=-5",
            "4xindex=1,2,3,4",
            "2xf8E5M2=1,2",
            "2xf16=1,2",
        ] {
            let array = input::arrays(text).unwrap().pop().unwrap();
            let Stored::Element(element) = array.stored else {
                unreachable!()
            };
            let read = read_array(&npy(&array).unwrap()[..]).unwrap();
            let read = read.read_as(element).unwrap();
            assert_eq!(read.sizes, array.sizes, "{text}");
            assert_eq!(read.elements.bytes(), array.elements.bytes(), "{text}");
            let Stored::Element(given) = read.stored else {
                panic!("{text} is raw")
            };
            assert!(element.accepts(given), "{text} {given}");
        }
    }

    #[test]
    fn columns_become_rows() {
        let array = input::arrays("2x3xi8=1,4,2,5,3,6").unwrap().pop().unwrap();
        assert_eq!(
            from_columns(&array).unwrap().elements.bytes(),
            [1, 2, 3, 4, 5, 6]
        );
    }

    #[test]
    fn broken_files_are_errors() {
        assert!(read_array(&b"\x93NUMPY"[..]).is_err());
        let array = input::arrays("2x3xf32=1").unwrap().pop().unwrap();
        let bytes = npy(&array).unwrap();
        assert!(read_array(&bytes[..bytes.len() - 1]).is_err());
    }
}
