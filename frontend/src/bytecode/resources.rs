//! Resources: bytes for attributes, and what other tools keep in a file.

use std::sync::Arc;

use super::cursor::Cursor;
use super::emitter::Emitter;
use super::reader::Reader;
use super::writer::Writer;
use crate::ir::attrs::Attr;
use crate::ir::bytecode_interface::Result;
use crate::ir::data::Ir;
use crate::syntax::lexer::unescape;
use crate::syntax::metadata::{self, Entry, Value};

const BLOB: u8 = 0;
const BOOL: u8 = 1;
const STRING: u8 = 2;

/// Reads the resources of other tools, then those of dialects. Their bytes stay where they are.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    mut data: Cursor<'a>,
    mut offsets: Cursor<'a>,
) -> Result<()> {
    for _ in 0..offsets.count()? {
        let group = reader.string(&mut offsets)?;
        read_group(reader, group, false, &mut data, &mut offsets)?;
    }
    while !offsets.is_empty() {
        let dialect = offsets.index(reader.dialects.len(), "dialect")?;
        reader.use_dialect(dialect)?;
        let group = reader.dialects[dialect].name;
        if reader.context.dialect(group).is_none() {
            return Err(format!("dialect '{group}' is unknown").into());
        }
        read_group(reader, group, true, &mut data, &mut offsets)?;
    }
    Ok(())
}

fn read_group<'a>(
    reader: &mut Reader<'a>,
    group: &str,
    of_dialect: bool,
    data: &mut Cursor<'a>,
    offsets: &mut Cursor<'a>,
) -> Result<()> {
    for _ in 0..offsets.count()? {
        let key = reader.string(offsets)?;
        let size = offsets.number()?;
        let kind = offsets.byte()?;
        let range = data.take(size)?;
        if of_dialect {
            reader.resource_keys.push(key.into());
        }
        // What has no value is only declared.
        if of_dialect && range.is_empty() {
            continue;
        }
        let mut entry = Cursor::new(reader.bytes, range);
        let value = read_value(reader, kind, &mut entry)?;
        if of_dialect && kind != BLOB {
            let kind = if kind == BOOL { "bool" } else { "string" };
            let message =
                format!("expected a blob resource entry, but found a {kind} entry instead");
            return Err(message.into());
        }
        if !entry.is_empty() {
            let message = format!("unexpected trailing bytes in resource entry '{key}'");
            return Err(message.into());
        }
        let attr = metadata::entry(reader.context, of_dialect, group, key, value);
        reader.resources.push(attr);
    }
    Ok(())
}

fn read_value(
    reader: &Reader<'_>,
    kind: u8,
    entry: &mut Cursor<'_>,
) -> Result<(Attr, Option<Attr>)> {
    let context = reader.context;
    match kind {
        BLOB => {
            let alignment = entry.number()?;
            let n = entry.number()?;
            entry.align(alignment.max(1))?;
            let range = entry.take(n)?;
            let alignment = u32::try_from(alignment).unwrap_or(0);
            Ok(metadata::bytes_value(
                context,
                alignment,
                reader.bytes.slice(range),
            ))
        }
        BOOL => {
            let text = if entry.byte()? != 0 { "true" } else { "false" };
            Ok(metadata::text_value(context, text))
        }
        STRING => {
            let string = reader.string_bytes(entry)?;
            Ok(metadata::text_value(context, &metadata::quoted(string)))
        }
        _ => Err(format!("invalid kind of a resource entry: {kind}").into()),
    }
}

/// Writes the sections of resources: their offsets, and their values.
pub(super) fn write(writer: &mut Writer<'_>, ir: &Ir) -> (Emitter, Emitter) {
    let entries = metadata::entries(ir);
    let (mut offsets, mut data) = (Emitter::default(), Emitter::default());
    let external: Vec<&Entry<'_>> = entries.iter().filter(|entry| !entry.of_dialect).collect();
    let groups: Vec<&[&Entry<'_>]> = external.chunk_by(|a, b| a.group == b.group).collect();
    offsets.number(groups.len() as u64);
    for group in groups {
        writer.string(group[0].group.as_bytes(), &mut offsets);
        offsets.number(group.len() as u64);
        for entry in group {
            write_entry(
                writer,
                entry.key,
                Some(entry.value),
                &mut data,
                &mut offsets,
            );
        }
    }
    let keys: Vec<Arc<str>> = writer.resources.iter().cloned().collect();
    if keys.is_empty() {
        return (offsets, data);
    }
    let dialect = writer.dialect("builtin");
    offsets.number(dialect);
    offsets.number(keys.len() as u64);
    for key in &keys {
        // Of several definitions the last counts.
        let of_key = |entry: &&Entry<'_>| entry.of_dialect && *entry.key == **key;
        let value = entries.iter().rfind(of_key).map(|entry| entry.value);
        write_entry(writer, key, value, &mut data, &mut offsets);
    }
    (offsets, data)
}

fn write_entry(
    writer: &mut Writer<'_>,
    key: &str,
    value: Option<Value<'_>>,
    data: &mut Emitter,
    offsets: &mut Emitter,
) {
    let start = data.len();
    let kind = match value {
        Some(Value::Bytes { alignment, bytes }) => {
            data.aligned(alignment.max(1) as usize, bytes.clone());
            BLOB
        }
        Some(Value::Text(text @ ("true" | "false"))) => {
            data.byte(u8::from(text == "true"));
            BOOL
        }
        Some(Value::Text(text)) => {
            writer.string(&unescape(text), data);
            STRING
        }
        None => BLOB,
    };
    writer.string(key.as_bytes(), offsets);
    offsets.number((data.len() - start) as u64);
    offsets.byte(kind);
}
