//! Reading: the sections of a file, and the tables that operations refer to.

use std::ops::Range;
use std::sync::Arc;

use super::attributes::{FILE_LINE_COL_LOC, FILE_LINE_COL_RANGE};
use super::cursor::{Cursor, check_index, text};
use super::properties::{Property, properties};
use super::{
    DIALECT_VERSIONS, ELIDED_LOCATIONS, MAX_VERSION, NATIVE_PROPERTIES, Section, interface,
    operations, resources,
};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builtin;
use crate::ir::bytecode_interface::{DialectBytecodeReader, Malformed, Result};
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::location::{Loc, LocKind};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, UNREGISTERED};
use crate::ir::source_text::BYTECODE_MAGIC;
use crate::ir::types::Type;
use crate::ir::version::MlirVersion;
use crate::syntax::metadata;
use crate::syntax::parser::{advice, parse_attr_text, parse_type_text, unwrap_single_module};

/// How deep operations, types and attributes may nest, all together: as in text.
const MAX_DEPTH: u32 = 1000;

/// An attribute or type may stand for this many others, by way of others, and for some for each byte of the
/// file: what is shared here grows beyond all bounds when it is printed.
const MAX_WEIGHT: u64 = 1 << 20;
const MAX_WEIGHT_PER_BYTE: u64 = 64;

/// Reads bytecode into a module (an implicit one around several top-level operations).
///
/// # Errors
/// If it is not whole, or of a version that is not known, or has something in it that is not known.
pub fn read(
    context: &Arc<Context>,
    name: &str,
    bytes: &Bytes,
    diagnostics: &mut Diagnostics,
) -> std::result::Result<Ir, Failed> {
    let loc = context.intern_loc(LocKind::File {
        file: name.into(),
        line: 0,
        column: 0,
    });
    let mut reader = Reader::new(context, bytes, loc);
    match reader.read() {
        Ok(ir) => Ok(ir),
        Err(Malformed(message)) => {
            let failed = diagnostics.error(loc, message);
            if let Some(producer) = &reader.producer {
                let version = reader.version;
                let note = format!("in bytecode version {version} produced by: {producer}");
                diagnostics.note(loc, note);
            }
            Err(failed)
        }
    }
}

/// A dialect that the file names.
pub(super) struct Dialect<'a> {
    pub(super) name: &'a str,
    /// Its version, if it has any.
    version: Option<Vec<u64>>,
    /// Whether its operations, attributes and types may be read.
    is_usable: bool,
}

/// The name of an operation.
pub(super) struct OpName<'a> {
    dialect: usize,
    name: &'a str,
    /// Whether whoever wrote the file knew the operation: its properties are in its own encoding.
    was_registered: bool,
    resolved: Option<ResolvedName>,
}

/// What the name of an operation stands for.
#[derive(Clone)]
pub(super) struct ResolvedName {
    pub(super) def: &'static OpDef,
    /// Of one that is not registered.
    pub(super) name: Name,
    pub(super) was_registered: bool,
    pub(super) properties: Arc<[Property]>,
}

/// What an attribute is.
#[derive(Clone, Copy)]
pub(super) enum Item {
    Attr(Attr),
    Loc(Loc),
    Type(Type),
}

/// An attribute or type.
struct Entry {
    dialect: usize,
    /// Whether it is in the encoding of its dialect; else it is text.
    is_encoded: bool,
    range: Range<usize>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Unread,
    /// Met again, it would be part of itself.
    Reading,
    Read {
        item: Item,
        weight: u64,
    },
}

/// A list of entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Attributes,
    Types,
}

/// An attribute or type that is being read.
struct EntryReader<'r, 'a> {
    reader: &'r mut Reader<'a>,
    cursor: &'r mut Cursor<'a>,
}

impl DialectBytecodeReader for EntryReader<'_, '_> {
    fn context(&self) -> &Arc<Context> {
        self.reader.context
    }

    fn bytecode_version(&self) -> u64 {
        self.reader.version
    }

    fn dialect_version(&self, dialect: &str) -> Option<&[u64]> {
        let mut dialects = self.reader.dialects.iter();
        dialects
            .find(|known| known.name == dialect)?
            .version
            .as_deref()
    }

    fn fresh_number(&mut self) -> u64 {
        self.reader.n_fresh += 1;
        self.reader.n_fresh - 1
    }

    fn n_left(&self) -> usize {
        self.cursor.len()
    }

    fn read_byte(&mut self) -> Result<u8> {
        self.cursor.byte()
    }

    fn read_var_int(&mut self) -> Result<u64> {
        self.cursor.number()
    }

    fn read_blob(&mut self) -> Result<Bytes> {
        let range = self.cursor.blob()?;
        Ok(self.reader.bytes.slice(range))
    }

    fn read_string(&mut self) -> Result<Arc<[u8]>> {
        self.reader.string_bytes(self.cursor).map(Arc::from)
    }

    fn read_attribute(&mut self) -> Result<Attr> {
        self.reader.attr(self.cursor)
    }

    fn read_optional_attribute(&mut self) -> Result<Option<Attr>> {
        self.reader.optional_attr(self.cursor)
    }

    fn read_location(&mut self) -> Result<Loc> {
        self.reader.location(self.cursor)
    }

    fn read_type(&mut self) -> Result<Type> {
        self.reader.ty(self.cursor)
    }

    fn read_resource_handle(&mut self) -> Result<Arc<str>> {
        let keys = &self.reader.resource_keys;
        let key = self.cursor.index(keys.len(), "resource handle")?;
        Ok(Arc::clone(&keys[key]))
    }
}

/// A file that is being read.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Arc<Context>,
    /// Where the file is, for what has no other place.
    pub(super) loc: Loc,
    pub(super) bytes: &'a Bytes,
    pub(super) version: u64,
    producer: Option<String>,
    /// Whose operations these are.
    pub(super) mlir: MlirVersion,
    strings: Vec<Range<usize>>,
    pub(super) dialects: Vec<Dialect<'a>>,
    op_names: Vec<OpName<'a>>,
    attributes: Vec<Entry>,
    types: Vec<Entry>,
    pub(super) properties: Vec<Range<usize>>,
    /// Keys of resources, by their number.
    pub(super) resource_keys: Vec<Arc<str>>,
    pub(super) resources: Vec<Attr>,
    depth: u32,
    /// How many numbers were given to entries.
    n_fresh: u64,
    /// What was read of the entry at hand stands for this many.
    weight: u64,
    /// The name of the file that the last location named, and its attribute.
    file_name: Option<(Attr, Arc<str>)>,
}

impl<'a> Reader<'a> {
    fn new(context: &'a Arc<Context>, bytes: &'a Bytes, loc: Loc) -> Self {
        Self {
            context,
            loc,
            bytes,
            version: 0,
            producer: None,
            mlir: MlirVersion::V22,
            strings: Vec::new(),
            dialects: Vec::new(),
            op_names: Vec::new(),
            attributes: Vec::new(),
            types: Vec::new(),
            properties: Vec::new(),
            resource_keys: Vec::new(),
            resources: Vec::new(),
            depth: 0,
            n_fresh: 0,
            weight: 0,
            file_name: None,
        }
    }

    fn read(&mut self) -> Result<Ir> {
        let mut cursor = Cursor::new(self.bytes, 0..self.bytes.len());
        let magic = cursor.take(BYTECODE_MAGIC.len() as u64)?;
        if self.bytes[magic] != BYTECODE_MAGIC[..] {
            return Err("input buffer is not an MLIR bytecode file".into());
        }
        self.version = cursor.number()?;
        if self.version > MAX_VERSION {
            let version = self.version;
            let message = format!(
                "bytecode version {version} is newer than the current version {MAX_VERSION}"
            );
            return Err(message.into());
        }
        let producer = String::from_utf8_lossy(cursor.terminated()?).into_owned();
        self.mlir = mlir_version(&producer);
        self.context.note_version(self.mlir);
        self.producer = Some(producer);
        let mut sections: [Option<Range<usize>>; Section::ALL.len()] = Default::default();
        while !cursor.is_empty() {
            let (section, range) = cursor.section()?;
            if sections[section as usize].replace(range).is_some() {
                let name = Section::ALL[section as usize].1;
                return Err(format!("duplicate top-level section: {name}").into());
            }
        }
        for (section, name) in Section::ALL {
            let is_optional = match section {
                Section::Resource | Section::ResourceOffset | Section::DialectVersions => true,
                Section::Properties => self.version < NATIVE_PROPERTIES,
                _ => false,
            };
            if !is_optional && sections[section as usize].is_none() {
                return Err(format!("missing data for top-level section: {name}").into());
            }
        }
        let bytes: &'a [u8] = self.bytes;
        let part = |section: Section| {
            let range = sections[section as usize].clone();
            range.map(|range| Cursor::new(bytes, range))
        };
        let empty = || Cursor::new(bytes, 0..0);
        self.read_strings(part(Section::String).unwrap_or_else(empty))?;
        self.read_properties(part(Section::Properties).unwrap_or_else(empty))?;
        self.read_dialects(part(Section::Dialect).unwrap_or_else(empty))?;
        match (part(Section::Resource), part(Section::ResourceOffset)) {
            (Some(data), Some(offsets)) => resources::read(self, data, offsets)?,
            (None, None) => {}
            (None, Some(_)) => {
                let message = "unexpected resource offset section when resource section is not \
                               present";
                return Err(message.into());
            }
            (Some(_), None) => {
                let message = "expected resource offset section when resource section is present";
                return Err(message.into());
            }
        }
        self.read_entries(
            part(Section::AttrTypeOffset).unwrap_or_else(empty),
            part(Section::AttrType).unwrap_or_else(empty),
        )?;
        let ir = operations::read(self, part(Section::Ir).unwrap_or_else(empty))?;
        let mut ir = unwrap_single_module(ir);
        metadata::attach(&mut ir, &self.resources);
        Ok(ir)
    }

    // Strings.

    fn read_strings(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        let n = cursor.count()?;
        let mut end = cursor.range().end;
        self.strings = vec![0..0; n];
        // Sizes stand in reverse order before the strings, each of which ends with a zero.
        for i in (0..n).rev() {
            let size = cursor.number()?;
            let n_before = end.saturating_sub(cursor.range().start) as u64;
            if size == 0 || size > n_before {
                return Err("string size exceeds the available data size".into());
            }
            let start = end - size as usize;
            self.strings[i] = start..end - 1;
            end = start;
        }
        if cursor.range().start != end {
            let message = "unexpected trailing data between the offsets for strings and their data";
            return Err(message.into());
        }
        Ok(())
    }

    /// The bytes of a string.
    pub(super) fn string_bytes(&self, cursor: &mut Cursor<'_>) -> Result<&'a [u8]> {
        let index = cursor.index(self.strings.len(), "string")?;
        let bytes: &'a [u8] = self.bytes;
        Ok(&bytes[self.strings[index].clone()])
    }

    /// A string that is text.
    pub(super) fn string(&self, cursor: &mut Cursor<'_>) -> Result<&'a str> {
        let index = cursor.number()?;
        self.string_at(index)
    }

    fn string_at(&self, index: u64) -> Result<&'a str> {
        let index = check_index(index, self.strings.len(), "string")?;
        let bytes: &'a [u8] = self.bytes;
        text(&bytes[self.strings[index].clone()])
    }

    // Properties.

    fn read_properties(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        if cursor.is_empty() {
            return Ok(());
        }
        let n = cursor.count()?;
        for _ in 0..n {
            let range = cursor.blob()?;
            self.properties.push(range);
        }
        if !cursor.is_empty() {
            return Err("Broken properties section: didn't exhaust the offsets table".into());
        }
        Ok(())
    }

    // Dialects.

    fn read_dialects(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        let n = cursor.count()?;
        for _ in 0..n {
            let (name, has_version) = match self.version < DIALECT_VERSIONS {
                true => (cursor.number()?, false),
                false => cursor.flagged()?,
            };
            let name = self.string_at(name)?;
            let version = match has_version {
                true => Some(self.dialect_version(&mut cursor)?),
                false => None,
            };
            self.dialects.push(Dialect {
                name,
                version,
                is_usable: false,
            });
        }
        if self.version >= ELIDED_LOCATIONS {
            cursor.count()?;
        }
        while !cursor.is_empty() {
            let dialect = cursor.index(self.dialects.len(), "dialect")?;
            for _ in 0..cursor.count()? {
                let (name, was_registered) = match self.version < NATIVE_PROPERTIES {
                    true => (cursor.number()?, false),
                    false => cursor.flagged()?,
                };
                let name = self.string_at(name)?;
                let resolved = None;
                self.op_names.push(OpName {
                    dialect,
                    name,
                    was_registered,
                    resolved,
                });
            }
        }
        Ok(())
    }

    fn dialect_version(&self, cursor: &mut Cursor<'a>) -> Result<Vec<u64>> {
        let (section, range) = cursor.section()?;
        if section != Section::DialectVersions {
            return Err("expected dialect version section".into());
        }
        let mut version = Vec::new();
        let mut cursor = Cursor::new(self.bytes, range);
        while !cursor.is_empty() {
            version.push(cursor.number()?);
        }
        Ok(version)
    }

    /// Fails unless a dialect is known, or need not be.
    pub(super) fn use_dialect(&mut self, index: usize) -> Result<()> {
        let context = self.context;
        let dialect = &mut self.dialects[index];
        let name = dialect.name;
        if dialect.is_usable {
            return Ok(());
        }
        if let (Some(interface), Some(version)) = (interface(context, name), &dialect.version) {
            (interface.check_version)(version)?;
        }
        if context.dialect(name).is_some()
            || context.allows_unregistered_dialects()
            || context.ignores_dialect(name)
        {
            dialect.is_usable = true;
            return Ok(());
        }
        if let Some(advice) = advice(name) {
            return Err(format!("dialect '{name}' is not registered: {advice}").into());
        }
        let message = format!(
            "dialect '{name}' is unknown. If this is intended, 'freehold opt \
             -allow-unregistered-dialect' keeps its operations"
        );
        Err(message.into())
    }

    /// The operation that a name stands for.
    pub(super) fn op_name(&mut self, cursor: &mut Cursor<'_>) -> Result<ResolvedName> {
        let index = cursor.index(self.op_names.len(), "operation name")?;
        let OpName {
            dialect,
            name,
            was_registered,
            ..
        } = self.op_names[index];
        if let Some(resolved) = &self.op_names[index].resolved {
            return Ok(resolved.clone());
        }
        let full = match name.is_empty() {
            true => self.dialects[dialect].name.to_owned(),
            false => {
                self.use_dialect(dialect)?;
                format!("{}.{name}", self.dialects[dialect].name)
            }
        };
        let context = self.context;
        let def = context.op_def(&full).unwrap_or(&UNREGISTERED);
        if def.name_22 == Some(&*full) {
            context.note_version(MlirVersion::V22);
        }
        if full.is_empty() || full.contains('\0') {
            return Err(format!("invalid operation name '{}'", full.escape_debug()).into());
        }
        let resolved = ResolvedName {
            def,
            name: match def.is_unregistered() {
                true => context.intern_name(&full),
                false => Name::EMPTY,
            },
            was_registered,
            properties: properties(context, def, self.mlir, self.version).into(),
        };
        self.op_names[index].resolved = Some(resolved.clone());
        Ok(resolved)
    }

    // Attributes and types.

    fn read_entries(&mut self, mut offsets: Cursor<'a>, mut data: Cursor<'a>) -> Result<()> {
        let n_attributes = offsets.count()?;
        let n_types = offsets.count()?;
        for (n, table) in [(n_attributes, Table::Attributes), (n_types, Table::Types)] {
            let mut n_left = n;
            while n_left > 0 {
                let dialect = offsets.index(self.dialects.len(), "dialect")?;
                let n_group = offsets.number()?.min(n_left as u64);
                n_left -= n_group as usize;
                for _ in 0..n_group {
                    let (size, is_encoded) = offsets.flagged()?;
                    let Ok(range) = data.take(size) else {
                        let message =
                            "Attribute or Type entry offset points past the end of section";
                        return Err(message.into());
                    };
                    self.table(table).push(Entry {
                        dialect,
                        is_encoded,
                        range,
                        state: State::Unread,
                    });
                }
            }
        }
        if !offsets.is_empty() {
            let message = "unexpected trailing data in the Attribute/Type offset section";
            return Err(message.into());
        }
        Ok(())
    }

    fn table(&mut self, table: Table) -> &mut Vec<Entry> {
        match table {
            Table::Attributes => &mut self.attributes,
            Table::Types => &mut self.types,
        }
    }

    fn entry(&mut self, table: Table, index: u64) -> Result<Item> {
        let what = match table {
            Table::Attributes => "attribute",
            Table::Types => "type",
        };
        let n = self.table(table).len();
        let index = check_index(index, n, what)?;
        let entry = &mut self.table(table)[index];
        match entry.state {
            State::Read { item, weight } => {
                self.weight = self.weight.saturating_add(weight);
                return Ok(item);
            }
            State::Reading => return Err(format!("{what} {index} is part of itself").into()),
            State::Unread => {}
        }
        entry.state = State::Reading;
        let (dialect, is_encoded, range) = (entry.dialect, entry.is_encoded, entry.range.clone());
        self.enter()?;
        let outer = std::mem::replace(&mut self.weight, 1);
        let mut cursor = Cursor::new(self.bytes, range);
        let item = match is_encoded {
            true => {
                self.use_dialect(dialect)?;
                self.encoded(table, dialect, &mut cursor)?
            }
            false => self.spelled(table, &mut cursor)?,
        };
        if !cursor.is_empty() {
            return Err(format!("unexpected trailing bytes after {what} entry").into());
        }
        let weight = self.weight;
        let most = MAX_WEIGHT + MAX_WEIGHT_PER_BYTE * self.bytes.len() as u64;
        if weight > most {
            return Err(format!("{what} stands for too many others").into());
        }
        self.weight = outer.saturating_add(weight);
        self.leave();
        self.table(table)[index].state = State::Read { item, weight };
        Ok(item)
    }

    /// Counts one more level of nesting; [`Self::leave`] must follow on success.
    pub(super) fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err("nesting is too deep".into()),
            false => Ok(()),
        }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn encoded(&mut self, table: Table, dialect: usize, cursor: &mut Cursor<'a>) -> Result<Item> {
        let name = self.dialects[dialect].name;
        let Some(interface) = interface(self.context, name) else {
            let message = format!("dialect '{name}' does not implement the bytecode interface");
            return Err(message.into());
        };
        if matches!(table, Table::Attributes)
            && name == builtin::DIALECT.namespace
            && let Some(loc) = self.file_location(cursor)?
        {
            return Ok(Item::Loc(loc));
        }
        let mut entry = EntryReader {
            reader: self,
            cursor,
        };
        match table {
            Table::Attributes => (interface.read_attribute)(&mut entry).map(|attr| self.item(attr)),
            Table::Types => (interface.read_type)(&mut entry).map(Item::Type),
        }
    }

    /// A place in a file. There are as many as operations, so they are no attributes before one asks for that, and
    /// share the name of the file.
    fn file_location(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<Loc>> {
        let mut after = cursor.clone();
        let code = after.number()?;
        if code != FILE_LINE_COL_LOC && code != FILE_LINE_COL_RANGE {
            return Ok(None);
        }
        *cursor = after;
        let name = self.attr(cursor)?;
        let file = match &self.file_name {
            Some((known, file)) if *known == name => Arc::clone(file),
            _ => {
                let AttrKind::String(bytes) = self.context.attr_kind(name) else {
                    return Err("expected mlir::StringAttr".into());
                };
                let file: Arc<str> = text(bytes)?.into();
                self.file_name = Some((name, Arc::clone(&file)));
                file
            }
        };
        // The line, the column, and where it ends, which is not kept.
        let n = match code {
            FILE_LINE_COL_LOC => 2,
            _ => cursor.number()?,
        };
        let mut numbers = [0; 2];
        for i in 0..n {
            let number = cursor.number()?;
            if let Some(place) = numbers.get_mut(i as usize) {
                *place = u32::try_from(number).unwrap_or(u32::MAX);
            }
        }
        let [line, column] = numbers;
        let kind = LocKind::File { file, line, column };
        Ok(Some(self.context.intern_loc(kind)))
    }

    fn item(&self, attr: Attr) -> Item {
        match self.context.attr_kind(attr) {
            AttrKind::Location(loc) => Item::Loc(*loc),
            _ => Item::Attr(attr),
        }
    }

    fn spelled(&self, table: Table, cursor: &mut Cursor<'a>) -> Result<Item> {
        let spelling = text(cursor.terminated()?)?;
        let context = self.context;
        Ok(match table {
            Table::Attributes => {
                let attr = parse_attr_text(context, spelling)?;
                self.item(attr)
            }
            Table::Types => Item::Type(parse_type_text(context, spelling)?),
        })
    }

    /// The attribute of this number.
    pub(super) fn attr_at(&mut self, index: u64) -> Result<Attr> {
        Ok(match self.entry(Table::Attributes, index)? {
            Item::Attr(attr) => attr,
            Item::Loc(loc) => self.context.intern_attr(AttrKind::Location(loc)),
            Item::Type(ty) => self.context.type_attr(ty),
        })
    }

    /// An attribute.
    pub(super) fn attr(&mut self, cursor: &mut Cursor<'_>) -> Result<Attr> {
        let index = cursor.number()?;
        self.attr_at(index)
    }

    /// An attribute that may be missing.
    pub(super) fn optional_attr(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Attr>> {
        let (index, is_there) = cursor.flagged()?;
        is_there.then(|| self.attr_at(index)).transpose()
    }

    /// A location.
    pub(super) fn location(&mut self, cursor: &mut Cursor<'_>) -> Result<Loc> {
        let index = cursor.number()?;
        match self.entry(Table::Attributes, index)? {
            Item::Loc(loc) => Ok(loc),
            Item::Attr(_) | Item::Type(_) => {
                Err("expected attribute of type: mlir::LocationAttr".into())
            }
        }
    }

    /// The type of this number.
    pub(super) fn type_at(&mut self, index: u64) -> Result<Type> {
        match self.entry(Table::Types, index)? {
            Item::Type(ty) => Ok(ty),
            Item::Attr(_) | Item::Loc(_) => Err(format!("invalid type index: {index}").into()),
        }
    }

    /// A type.
    pub(super) fn ty(&mut self, cursor: &mut Cursor<'_>) -> Result<Type> {
        let index = cursor.number()?;
        self.type_at(index)
    }
}

/// The version of MLIR whose tool wrote a file: the newest that is known, unless it says so.
fn mlir_version(producer: &str) -> MlirVersion {
    let digits = producer.split("MLIR").nth(1).unwrap_or_default();
    let end = digits.find(|c: char| !c.is_ascii_digit());
    match digits[..end.unwrap_or(digits.len())].parse::<u32>() {
        Ok(0..=19) => MlirVersion::V19,
        _ => MlirVersion::V22,
    }
}
