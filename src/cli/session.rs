//! What every command that reads MLIR shares: loading a file, reporting
//! diagnostics, writing output files in one piece.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt as _, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use freehold_frontend::ir::bytes::Bytes;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::exported::Exported;
use freehold_frontend::ir::source_text::{
    BYTECODE_MAGIC, ModelFile, ReadError, Source, SourceText,
};

use crate::cli::io::Io;
use crate::error::reason;

/// The text of an input and the name diagnostics call it by.
#[derive(Clone)]
pub(crate) struct Input<Text = Arc<str>> {
    pub(crate) name: String,
    pub(crate) text: Text,
}

pub(crate) const DEFAULT_SPLIT_MARKER: &str = "// -----";

/// The pieces of a text between marker lines, each with the number of its first line.
pub(crate) fn pieces<'a>(text: &'a str, marker: Option<&str>) -> Vec<(u32, &'a str)> {
    let Some(marker) = marker else {
        return vec![(1, text)];
    };
    let mut pieces = Vec::new();
    let (mut start, mut start_line) = (0, 1);
    let mut at = 0;
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        if content.trim_end().starts_with(marker) && content.trim_end().len() == marker.len() {
            pieces.push((start_line, &text[start..at]));
            start = at + content.len();
            start_line = line + 1;
        }
        at += content.len();
    }
    pieces.push((start_line, &text[start..]));
    pieces
}

/// Whether a file is a program that is no text: MLIR bytecode, or an ONNX model.
pub(crate) fn is_binary(path: &OsStr) -> bool {
    load_binary(path).is_some()
}

/// Largest input: positions in it fit 31 bits.
const MAX_INPUT_BYTES: usize = 1 << 31;

/// Reads a file, or standard input if `path` is `-`, as one text.
///
/// # Errors
/// With the line to print when there is no such file, or it is no UTF-8 text.
pub(crate) fn load(path: &OsStr, io: &mut Io) -> Result<Input, String> {
    load_with(path, io, |source| {
        let source = SourceText::from_bytes(read_bytes(source)?)?;
        match source.bytecode() {
            _ if source.model().is_some() => Err(ReadError::Onnx),
            Some(_) => Err(ReadError::NotUtf8(1, 3)),
            None => Ok(Arc::clone(source.text())),
        }
    })
}

fn read_bytes(source: &mut dyn Source) -> Result<Vec<u8>, ReadError> {
    let mut bytes = SourceText::read_start(source)?;
    let mut source = source.take(MAX_INPUT_BYTES as u64);
    source.read_to_end(&mut bytes).map_err(ReadError::Io)?;
    match bytes.len() >= MAX_INPUT_BYTES {
        true => Err(ReadError::TooLarge),
        false => Ok(bytes),
    }
}

/// [`load`] of a text as it is, or of bytecode or a model.
///
/// # Errors
/// As above.
pub(crate) fn load_source(path: &OsStr, io: &mut Io) -> Result<Input<SourceText>, String> {
    if let Some(input) = load_binary(path) {
        return Ok(input);
    }
    load_with(path, io, |source| {
        SourceText::from_bytes(read_bytes(source)?)
    })
}

/// [`load`] for programs to compile, whose large constants need not be there as text.
///
/// # Errors
/// As above.
pub(crate) fn load_program(path: &OsStr, io: &mut Io) -> Result<Input<SourceText>, String> {
    if let Some(input) = load_binary(path) {
        return Ok(input);
    }
    load_with(path, io, |source| SourceText::read(source, MAX_INPUT_BYTES))
}

/// A file that is MLIR bytecode or an ONNX model. Its contents are not read before they are looked at, and what becomes of large
/// constants shares them.
fn load_binary(path: &OsStr) -> Option<Input<SourceText>> {
    // Pipes give what they have once.
    let is_file = path != "-" && fs::metadata(path).is_ok_and(|found| found.is_file());
    let file = is_file.then(|| fs::File::open(path).ok()).flatten()?;
    let name = path.display().to_string();
    let mut start = [0; START_BYTES];
    file.read_exact_at(&mut start, 0).ok()?;
    let is_model = ModelFile::may_begin(&start);
    if !start.starts_with(BYTECODE_MAGIC) && !Exported::may_begin(&start) && !is_model {
        return None;
    }
    let bytes = mapped(&file).ok()?;
    let text = match bytes.starts_with(BYTECODE_MAGIC) {
        true => SourceText::of_bytecode(bytes),
        false if is_model => SourceText::of_model(ModelFile {
            bytes,
            folder: Path::new(path).parent().map(Path::to_owned),
            open: mapped,
        }),
        false => {
            let exported = Exported::of(&bytes)?;
            SourceText::of_exported(&bytes, exported)
        }
    };
    Some(Input { name, text })
}

/// How many bytes tell programs apart that are no text.
const START_BYTES: usize = BYTECODE_MAGIC.len();

/// The contents of a file, which are not read before they are looked at.
#[allow(unsafe_code, reason = "a file can only be mapped at one's own risk")]
fn mapped(file: &fs::File) -> io::Result<Bytes> {
    // SAFETY: whoever changes the file while it is compiled gets another program, or a crash, as from mlir-opt.
    let map = unsafe { memmap2::Mmap::map(file) };
    map.map(Bytes::from_owner)
}

fn load_with<Text>(
    path: &OsStr,
    io: &mut Io,
    read: impl FnOnce(&mut dyn Source) -> Result<Text, ReadError>,
) -> Result<Input<Text>, String> {
    let is_stdin = path == "-";
    let name = if is_stdin {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    };
    let failed = |error: io::Error| match is_stdin {
        true => format!("error: cannot read standard input: {error}"),
        false => {
            let reason = reason(&error);
            format!("error: cannot open input file '{name}': {reason}")
        }
    };
    let text = if is_stdin {
        read(&mut io.stdin)
    } else {
        read(&mut fs::File::open(path).map_err(failed)?)
    };
    match text {
        Ok(text) => Ok(Input { name, text }),
        Err(error) => Err(error.message(&name).unwrap_or_else(failed)),
    }
}

/// Writes diagnostics in the form that was asked for.
pub(crate) fn report(diagnostics: &Diagnostics, context: &Context, io: &mut Io) -> io::Result<()> {
    let text = io.reporting.render(diagnostics, context);
    io.stderr.write_all(text.as_bytes())
}

/// Whether a command may write its output to `output` without destroying its own input.
///
/// # Errors
/// With the line to print.
pub(crate) fn keep_input(output: Option<&Path>, input: &OsStr) -> Result<(), String> {
    let Some(output) = output else {
        return Ok(());
    };
    // Devices (`/dev/null`) take and give without being changed.
    let file = |path: &Path| {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((found.dev(), found.ino()))
    };
    let is_stream = output == Path::new("-") || input == "-";
    match file(output) {
        Some(same) if !is_stream && file(Path::new(input)) == Some(same) => Err(format!(
            "error: output file '{}' is the input file",
            output.display()
        )),
        _ => Ok(()),
    }
}

/// Writes `bytes` to `path` (standard output for `-` or no path), the whole
/// or nothing: a file is written beside its place and renamed.
///
/// # Errors
/// With the line to print.
pub(crate) fn write_output(path: Option<&Path>, bytes: &[u8], io: &mut Io) -> Result<(), String> {
    write_output_with(path, io, |out| out.write_all(bytes))
}

/// [`write_output`] of the output of `write`, which need not be in memory.
///
/// # Errors
/// As above.
pub(crate) fn write_output_with(
    path: Option<&Path>,
    io: &mut Io,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    match path {
        Some(path) if path != Path::new("-") => write_file_with(path, write),
        _ => write(&mut io.stdout)
            .and_then(|()| io.stdout.flush())
            .map_err(|error| format!("error: cannot write standard output: {}", reason(&error))),
    }
}

/// Writes a file, the whole or nothing.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_file_with(path, |file| file.write_all(bytes))
}

fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let failed = |error: io::Error| {
        format!(
            "error: cannot open output file '{}': {}",
            path.display(),
            reason(&error)
        )
    };
    // Devices and pipes (`/dev/null`) cannot be replaced by a file.
    let is_special = fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    if is_special {
        let file = fs::File::create(path);
        return file.and_then(|mut file| write(&mut file)).map_err(failed);
    }
    if fs::metadata(path).is_ok_and(|m| m.is_dir()) {
        return Err(format!(
            "error: cannot open output file '{}': Is a directory",
            path.display()
        ));
    }
    let temporary = temporary_beside(path);
    let written = fs::File::create(&temporary)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        // Best effort: the error to report is the first one.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// A name in the directory of `path` that no other process uses.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_is_kept_under_any_name() {
        let input = temporary_beside(&std::env::temp_dir().join("keep-input"));
        let (link, other) = (input.with_extension("link"), input.with_extension("other"));
        fs::write(&input, "module {}").unwrap();
        fs::hard_link(&input, &link).unwrap();
        let kept = |output: &Path| keep_input(Some(output), input.as_os_str()).is_ok();
        let found = [
            &*input,
            &link,
            &other,
            Path::new("-"),
            Path::new("/dev/null"),
        ]
        .map(kept);
        fs::remove_file(&input).unwrap();
        fs::remove_file(&link).unwrap();
        assert_eq!(found, [false, false, true, true, true]);
        assert!(keep_input(None, OsStr::new("-")).is_ok());
    }
}
