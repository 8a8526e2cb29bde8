//! Texts with large constants: the rest of a text when its long strings of hexadecimal digits are kept as the bytes
//! they spell, half as many.
//!
//! Such strings (`dense<"0x...">`, `key: "0x..."`) are most of a model's file. They are decoded while the text is read,
//! so the digits are never in memory all at once, and all users share the bytes. In the text that is left, `"0x` is
//! followed by the closing quote.
//!
//! A source that begins with the magic of MLIR bytecode is kept as bytes, and so is the bytecode in what `jax.export`
//! writes ([`Exported`]). An ONNX model is kept as bytes too, together with where it comes from: files beside it may
//! hold parts of it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::string::FromUtf8Error;
use std::sync::Arc;

use super::bytes::Bytes;
use super::exported::Exported;

/// Strings of fewer bytes stay in the text.
const MIN_BYTES: usize = 1 << 10;

/// How much is read at a time.
const CHUNK_BYTES: u64 = 1 << 20;

/// What MLIR bytecode begins with.
pub const BYTECODE_MAGIC: &[u8; 4] = b"ML\xEFR";

/// A text without its long strings of digits, and these; or bytecode.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub(super) text: Arc<str>,
    pub(super) blobs: Vec<Blob>,
    pub(super) bytecode: Option<Bytes>,
    /// The platforms that it was exported for, if it was.
    platforms: Arc<[String]>,
    model: Option<ModelFile>,
}

/// An ONNX model.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// The file.
    pub bytes: Bytes,
    /// The folder that it is in, if it is in one.
    pub folder: Option<PathBuf>,
    /// How files beside it are opened.
    pub open: fn(&File) -> io::Result<Bytes>,
}

impl ModelFile {
    /// A model that comes from no file.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self {
            bytes: bytes.into(),
            folder: None,
            open: |mut file| {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(bytes.into())
            },
        }
    }

    /// Whether these bytes begin a model: the version of the format, followed by another field.
    pub fn may_begin(bytes: &[u8]) -> bool {
        const FIELDS: std::ops::RangeInclusive<u8> = 0x12..=0x42;
        matches!(bytes, [0x08, 1..32, field, ..] if FIELDS.contains(field) && field & 7 == 2)
    }
}

/// The bytes that a string `"0x..."` spells.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    /// Where in the text its digits stood.
    pub(super) at: u32,
    pub(crate) bytes: Bytes,
    digits: Digits,
}

/// The letters among digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digits {
    Upper,
    Lower,
}

/// Where a text comes from.
pub trait Source: Read {
    /// How many digits follow, if it can look ahead: the bytes that they spell get as much memory as they
    /// take, and do not move as they become more.
    fn digits_ahead(&mut self) -> usize {
        0
    }

    /// How many bytes follow, if it knows.
    fn bytes_ahead(&mut self) -> usize {
        0
    }
}

impl Source for &[u8] {
    fn bytes_ahead(&mut self) -> usize {
        self.len()
    }
}
impl Source for Box<dyn Read + Send> {}

impl Source for File {
    fn bytes_ahead(&mut self) -> usize {
        let (Ok(metadata), Ok(at)) = (self.metadata(), self.stream_position()) else {
            return 0;
        };
        metadata.len().saturating_sub(at) as usize
    }

    fn digits_ahead(&mut self) -> usize {
        let Ok(start) = self.stream_position() else {
            return 0;
        };
        let mut buffer = vec![0; 1 << 16];
        let mut n_digits = 0;
        // What cannot be read here is reported when it is read again.
        while let Ok(n @ 1..) = self.read(&mut buffer) {
            let n_more = buffer[..n]
                .iter()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            n_digits += n_more;
            if n_more < n {
                break;
            }
        }
        match self.seek(SeekFrom::Start(start)) {
            Ok(_) => n_digits,
            Err(_) => 0,
        }
    }
}

/// Why there is no text.
#[derive(Debug)]
pub enum ReadError {
    /// Reading failed.
    Io(io::Error),
    /// The rest has this many bytes or more: locations could not tell them apart.
    TooLarge,
    /// The rest is no UTF-8 from this line and column on (both one-based).
    NotUtf8(u32, u32),
    /// It is an ONNX model, where text is needed.
    Onnx,
    /// By its first bytes it is no text.
    Binary,
}

impl ReadError {
    fn not_utf8(error: &FromUtf8Error, blobs: &[Blob]) -> Self {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let line_start = valid.iter().rposition(|&byte| byte == b'\n');
        let line_start = line_start.map_or(0, |at| at + 1) as u32;
        let column = full_column(blobs, line_start, valid.len() as u32);
        Self::NotUtf8(line as u32, column)
    }

    /// What to say about a file of this name, unless reading failed.
    ///
    /// # Errors
    /// If reading failed.
    pub fn message(self, name: &str) -> io::Result<String> {
        match self {
            Self::Io(error) => Err(error),
            Self::TooLarge => Ok(format!("{name}: error: input is larger than two gigabytes")),
            Self::NotUtf8(line, column) => Ok(format!(
                "{name}:{line}:{column}: error: input is not valid UTF-8"
            )),
            Self::Onnx => Ok(format!(
                "{name}: error: input is an ONNX model, of which 'freehold import' makes text"
            )),
            Self::Binary => Ok(format!(
                "{name}: error: input is neither text nor MLIR bytecode nor an ONNX model"
            )),
        }
    }
}

impl From<Arc<str>> for SourceText {
    fn from(text: Arc<str>) -> Self {
        Self {
            text,
            blobs: Vec::new(),
            bytecode: None,
            platforms: Arc::new([]),
            model: None,
        }
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl From<String> for SourceText {
    fn from(text: String) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl SourceText {
    /// Reads to the end.
    ///
    /// # Errors
    /// If that fails, or the outcome is no text, or has `max_bytes` bytes or more.
    pub fn read(source: &mut dyn Source, max_bytes: usize) -> Result<Self, ReadError> {
        let mut start = Self::read_start(source)?;
        let may_be_exported = Exported::may_begin(&start);
        let is_model = ModelFile::may_begin(&start);
        if !start.starts_with(BYTECODE_MAGIC) && !may_be_exported && !is_model {
            return Reading::default().run(start, source, max_bytes);
        }
        // One allocation of the right size: what is made of the bytes shares it.
        start.reserve_exact(source.bytes_ahead());
        source.read_to_end(&mut start).map_err(ReadError::Io)?;
        match may_be_exported && Exported::of(&start).is_none() {
            true => Err(ReadError::Binary),
            false => Self::from_bytes(start),
        }
    }

    /// Reads the first bytes, which tell files apart: others than text, bytecode and models are not read any further.
    ///
    /// # Errors
    /// If that fails, or they are of none of these.
    pub fn read_start(source: &mut dyn Source) -> Result<Vec<u8>, ReadError> {
        const START_BYTES: u64 = 16;
        let mut start = Vec::new();
        (&mut *source)
            .take(START_BYTES)
            .read_to_end(&mut start)
            .map_err(ReadError::Io)?;
        if start.starts_with(BYTECODE_MAGIC) || Exported::may_begin(&start) {
            return Ok(start);
        }
        if ModelFile::may_begin(&start) {
            return Ok(start);
        }
        let is_binary = |&byte: &u8| byte.is_ascii_control() && !(b'\t'..=b'\r').contains(&byte);
        match start.iter().take(BYTECODE_MAGIC.len()).any(is_binary) {
            true => Err(ReadError::Binary),
            false => Ok(start),
        }
    }

    /// Bytes that are bytecode, a model or text, which stays as it is.
    ///
    /// # Errors
    /// If they are none of these.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::read_start(&mut &bytes[..])?;
        if bytes.starts_with(BYTECODE_MAGIC) {
            return Ok(Self::of_bytecode(bytes));
        }
        if ModelFile::may_begin(&bytes) {
            return Ok(Self::of_model(ModelFile::new(bytes)));
        }
        if let Some(exported) = Exported::of(&bytes) {
            return Ok(Self::of_exported(&bytes.into(), exported));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(error) => Err(ReadError::not_utf8(&error, &[])),
        }
    }

    /// Bytecode.
    pub fn of_bytecode(bytes: impl Into<Bytes>) -> Self {
        Self {
            bytecode: Some(bytes.into()),
            ..Self::from("")
        }
    }

    /// An ONNX model.
    pub fn of_model(model: ModelFile) -> Self {
        Self {
            model: Some(model),
            ..Self::from("")
        }
    }

    /// The ONNX model, if it is one.
    pub fn model(&self) -> Option<&ModelFile> {
        self.model.as_ref()
    }

    /// The bytecode in what `jax.export` wrote.
    pub fn of_exported(bytes: &Bytes, exported: Exported) -> Self {
        Self {
            platforms: exported.platforms.into(),
            ..Self::of_bytecode(bytes.slice(exported.module))
        }
    }

    /// The same, exported for these platforms.
    #[must_use]
    pub fn with_platforms(self, platforms: Vec<String>) -> Self {
        let platforms = platforms.into();
        Self { platforms, ..self }
    }

    /// The platforms that the program was exported for; none if it was not.
    pub fn platforms(&self) -> &[String] {
        &self.platforms
    }

    /// The bytecode, if it is no text.
    pub fn bytecode(&self) -> Option<&Bytes> {
        self.bytecode.as_ref()
    }

    /// The text without its long strings of digits.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Everything that was read: bytecode, a model, or the text with all its digits.
    pub fn whole(&self) -> Cow<'_, [u8]> {
        if let Some(model) = &self.model {
            return Cow::Borrowed(&model.bytes);
        }
        if let Some(bytes) = &self.bytecode {
            return Cow::Borrowed(bytes);
        }
        if self.blobs.is_empty() {
            return Cow::Borrowed(self.text.as_bytes());
        }
        let mut whole = String::new();
        let mut written = 0;
        for blob in &self.blobs {
            let at = blob.at as usize;
            whole.push_str(&self.text[written..at]);
            blob.write_digits(&mut whole);
            written = at;
        }
        whole.push_str(&self.text[written..]);
        Cow::Owned(whole.into_bytes())
    }
}

impl Blob {
    /// How many bytes its digits took.
    pub(super) fn n_digits(&self) -> u32 {
        u32::try_from(2 * self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Appends the digits as they were.
    pub(crate) fn write_digits(&self, out: &mut String) {
        let mut digits = Vec::new();
        self.digits.write(&self.bytes, &mut digits);
        out.extend(digits.into_iter().map(char::from));
    }
}

impl Digits {
    fn write(self, bytes: &[u8], out: &mut Vec<u8>) {
        let digits = match self {
            Self::Upper => b"0123456789ABCDEF",
            Self::Lower => b"0123456789abcdef",
        };
        let digit = |value: u8| digits[usize::from(value)];
        out.reserve(2 * bytes.len());
        out.extend(
            bytes
                .iter()
                .flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]),
        );
    }
}

/// The column of a place in the text before its digits were taken out, from that without them.
pub(super) fn full_column(blobs: &[Blob], line_start: u32, offset: u32) -> u32 {
    let column = offset - line_start + 1;
    let before = |place: u32| blobs.partition_point(|blob| blob.at < place);
    (blobs[before(line_start)..before(offset)].iter()).fold(column, |column, blob| {
        column.saturating_add(blob.n_digits())
    })
}

/// A text that is being read.
#[derive(Default)]
struct Reading {
    /// The rest of the text read so far.
    text: Vec<u8>,
    blobs: Vec<Blob>,
    /// The string whose digits come next.
    open: Option<Open>,
}

/// A string whose end is not read yet.
#[derive(Default)]
struct Open {
    bytes: Vec<u8>,
    /// Known from the first letter on.
    digits: Option<Digits>,
    /// Whether the digits were not counted.
    is_new: bool,
}

impl Reading {
    /// Reads to the end; `input` was read before.
    fn run(
        mut self,
        mut input: Vec<u8>,
        source: &mut dyn Source,
        max_bytes: usize,
    ) -> Result<SourceText, ReadError> {
        loop {
            let n_read = (&mut *source)
                .take(CHUNK_BYTES)
                .read_to_end(&mut input)
                .map_err(ReadError::Io)?;
            let n_used = self.consume(&input, n_read == 0);
            input.drain(..n_used);
            if let Some(open) = &mut self.open
                && open.is_new
            {
                open.bytes
                    .reserve_exact(source.digits_ahead() / 2 + input.len());
                open.is_new = false;
            }
            if self.text.len() >= max_bytes {
                return Err(ReadError::TooLarge);
            }
            if n_read == 0 {
                break;
            }
        }
        match String::from_utf8(self.text) {
            Ok(text) => Ok(SourceText {
                blobs: self.blobs,
                ..text.into()
            }),
            Err(error) => Err(ReadError::not_utf8(&error, &self.blobs)),
        }
    }

    /// Takes over what of `input` can be understood without what follows it; returns how much that is.
    fn consume(&mut self, input: &[u8], is_end: bool) -> usize {
        const OPENING: &[u8] = b"\"0x";
        let mut rest = input;
        loop {
            match &mut self.open {
                Some(open) => {
                    rest = &rest[open.decode(rest)..];
                    let is_half = rest.first().is_none_or(u8::is_ascii_hexdigit);
                    if rest.len() < 2 && is_half && !is_end {
                        break;
                    }
                    let open = self.open.take().unwrap_or_default();
                    self.close(open, rest.first() == Some(&b'"'));
                }
                None => match rest
                    .windows(OPENING.len())
                    .position(|bytes| bytes == OPENING)
                {
                    Some(at) => {
                        let (before, after) = rest.split_at(at);
                        self.text.extend_from_slice(before);
                        if begins_constant(&self.text) {
                            self.open = Some(Open {
                                is_new: true,
                                ..Open::default()
                            });
                        }
                        self.text.extend_from_slice(OPENING);
                        rest = &after[OPENING.len()..];
                    }
                    None => {
                        let n_kept = if is_end { 0 } else { OPENING.len() - 1 };
                        let (before, after) = rest.split_at(rest.len().saturating_sub(n_kept));
                        self.text.extend_from_slice(before);
                        rest = after;
                        break;
                    }
                },
            }
        }
        input.len() - rest.len()
    }

    /// Takes the digits of a string out of the text if it ends here and is long.
    fn close(&mut self, open: Open, ends: bool) {
        let mut blob = Blob {
            at: self.text.len().min(u32::MAX as usize) as u32,
            bytes: Bytes::default(),
            digits: open.digits.unwrap_or(Digits::Upper),
        };
        if ends && open.bytes.len() >= MIN_BYTES {
            blob.bytes = open.bytes.into();
            self.blobs.push(blob);
        } else {
            blob.digits.write(&open.bytes, &mut self.text);
        }
    }
}

/// Whether a string after this text is one of digits in all likelihood; that of any other attribute is not
/// touched.
fn begins_constant(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    text.ends_with(b"dense<") || text.ends_with(b":")
}

/// What a byte is among digits: its value, and one of the bits above.
const DIGITS: [u8; 256] = {
    let mut table = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        let (upper, lower) = (b"0123456789ABCDEF"[value], b"0123456789abcdef"[value]);
        let (of_upper, of_lower) = if upper == lower {
            (0, 0)
        } else {
            (UPPER, LOWER)
        };
        table[upper as usize] = value as u8 | of_upper;
        table[lower as usize] = value as u8 | of_lower;
        value += 1;
    }
    table
};
const UPPER: u8 = 0x10;
const LOWER: u8 = 0x20;
const NO_DIGIT: u8 = 0x40;

impl Open {
    /// Decodes the pairs of digits that `input` begins with; returns how many bytes that are.
    fn decode(&mut self, input: &[u8]) -> usize {
        // Without a branch for each digit: whether it is a letter cannot be predicted.
        const PAIRS: usize = 32;
        let start = self.bytes.len();
        for chunk in input.as_chunks::<2>().0.chunks(PAIRS) {
            let mut bytes = [0; PAIRS];
            let mut kinds = 0;
            for (byte, &[high, low]) in bytes.iter_mut().zip(chunk) {
                let (high, low) = (DIGITS[usize::from(high)], DIGITS[usize::from(low)]);
                *byte = high << 4 | low & 15;
                kinds |= high | low;
            }
            let n = match self.allows(kinds) {
                true => chunk.len(),
                false => {
                    let is_allowed = |&&[high, low]: &&[u8; 2]| {
                        self.allows(DIGITS[usize::from(high)] | DIGITS[usize::from(low)])
                    };
                    chunk.iter().take_while(is_allowed).count()
                }
            };
            self.bytes.extend_from_slice(&bytes[..n]);
            if n < chunk.len() {
                break;
            }
        }
        2 * (self.bytes.len() - start)
    }

    /// Whether digits are of one kind, which is that of those before: the string could not be written again else.
    fn allows(&mut self, kinds: u8) -> bool {
        let digits = match kinds & !15 {
            0 => return true,
            UPPER => Digits::Upper,
            LOWER => Digits::Lower,
            _ => return false,
        };
        *self.digits.get_or_insert(digits) == digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out as many bytes at a time as it is told.
    struct Trickle<'a>(&'a [u8], usize);

    impl Source for Trickle<'_> {}

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(out.len());
            self.0
                .take(n as u64)
                .read(out)
                .inspect(|&n| self.0 = &self.0[n..])
        }
    }

    /// The rest of a text, the number of strings taken out, and the text as it was.
    fn read(text: &str) -> (String, usize, String) {
        let source = SourceText::read(&mut text.as_bytes(), 1 << 20).unwrap();
        (
            source.text.to_string(),
            source.blobs.len(),
            String::from_utf8(source.whole().into_owned()).unwrap(),
        )
    }

    #[test]
    fn long_strings_are_taken_out_and_nothing_is_lost() {
        let upper = "0A".repeat(MIN_BYTES);
        let lower = "b7".repeat(MIN_BYTES + 3);
        for (text, n_blobs) in [
            (format!("dense<\"0x{upper}\">"), 1),
            (
                format!("dense<\"0x{lower}\"> {{-# k: \"0x{upper}\" #-}}"),
                2,
            ),
            (format!("dense< \n\"0x{upper}\">"), 1),
            // Not what constants begin with, not whole, too short, half a byte, mixed letters, no digit.
            (format!("a = \"0x{upper}\""), 0),
            (format!("dense<\"0x{upper}"), 0),
            (format!("dense<\"0x{}\">", &upper[2..]), 0),
            (format!("dense<\"0x{upper}A\">"), 0),
            (format!("dense<\"0x{upper}aB\">"), 0),
            (format!("dense<\"0x{upper}\n\">"), 0),
            ("dense<\"0x\"> : \"0x".to_owned(), 0),
        ] {
            let (_, n, full) = read(&text);
            assert_eq!((n, full == text), (n_blobs, true), "{text}");
        }
        assert_eq!(read(&format!("dense<\"0x{upper}\">")).0, "dense<\"0x\">");
    }

    #[test]
    fn the_outcome_does_not_depend_on_how_much_is_read_at_a_time() {
        let text = format!("x : dense<\"0x{}\"> \"0x\"\"", "c0".repeat(MIN_BYTES));
        for n in [1, 2, 3, 7, 4000] {
            let source = SourceText::read(&mut Trickle(text.as_bytes(), n), 1 << 20).unwrap();
            assert_eq!(&*source.text, "x : dense<\"0x\"> \"0x\"\"");
            assert_eq!(*source.blobs[0].bytes, [0xc0; MIN_BYTES]);
        }
    }

    #[test]
    fn columns_are_those_of_the_file() {
        let digits = "00".repeat(MIN_BYTES);
        let text = format!("a\ndense<\"0x{digits}\"> b\nc");
        let source = SourceText::read(&mut text.as_bytes(), 1 << 20).unwrap();
        let b = source.text.find('b').unwrap() as u32;
        assert_eq!(full_column(&source.blobs, 2, b), 13 + 2 * MIN_BYTES as u32);
        assert_eq!(full_column(&source.blobs, b + 2, b + 2), 1);
        let mut bad = text.into_bytes();
        let end = bad.len() - 2;
        bad[end - 1] = 0xff;
        match SourceText::read(&mut &*bad, 1 << 20) {
            Err(ReadError::NotUtf8(line, column)) => {
                assert_eq!((line, column as usize), (2, end - 2));
            }
            other => panic!("{other:?}"),
        }
    }
}
