//! Writing: operations first, which number what they refer to, then the tables.

use std::io::{self, Write};
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::emitter::Emitter;
use super::properties::{
    Encoding, INBOUNDS, Property, has_bundles, newer_attributes, overflow_bits, properties,
};
use super::{
    DIALECT_VERSIONS, ELIDED_LOCATIONS, LAZY_REGIONS, MAX_VERSION, NATIVE_PROPERTIES,
    NATIVE_SEGMENTS, Section, USE_ORDERS, interface, parts, resources,
};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builtin;
use crate::ir::bytecode_interface::DialectBytecodeWriter;
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Region, Value};
use crate::ir::location::{Loc, LocKind};
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Traits};
use crate::ir::source_text::BYTECODE_MAGIC;
use crate::ir::types::{Type, TypeKind};
use crate::ir::version::MlirVersion;
use crate::syntax::generic::{self, Entries};
use crate::syntax::inherent;
use crate::syntax::printer::{attr_text_in, type_text_in};

/// How to write.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// The version of the format.
    pub version: u64,
    /// Whose operations; [`MlirVersion::of_readers`] says which if not given.
    pub mlir_version: Option<MlirVersion>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            version: MAX_VERSION,
            mlir_version: None,
        }
    }
}

/// A program as bytecode.
#[derive(Debug)]
pub struct Bytecode(Emitter);

impl Bytecode {
    /// Writes it. Large constants need not be in memory twice.
    ///
    /// # Errors
    /// If that fails.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.write_to(out)
    }

    /// All of it.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Makes bytecode of a module that verifies.
///
/// # Errors
/// If there is no such version, or an operation cannot be stored in it: why.
pub fn write(ir: &Ir, options: WriteOptions) -> Result<Bytecode, String> {
    let version = options.version;
    if version > MAX_VERSION {
        return Err(format!(
            "unsupported version requested {version}, must be in range [0, {MAX_VERSION}]"
        ));
    }
    let context = ir.context();
    let mlir = options
        .mlir_version
        .unwrap_or_else(|| MlirVersion::of_readers(ir));
    let mut writer = Writer {
        context,
        version,
        mlir,
        strings: IndexSet::default(),
        dialects: IndexSet::default(),
        op_names: IndexMap::default(),
        attributes: Table::default(),
        locs: FxHashMap::default(),
        types: Table::default(),
        property_lists: FxHashMap::default(),
        properties: IndexSet::default(),
        resources: IndexSet::default(),
    };
    let mut operations = Emitter::default();
    operations.flagged(1, false);
    let mut numbers = Numbers::default();
    writer.operation(ir, ir.root(), &mut numbers, &mut operations)?;
    Ok(Bytecode(writer.finish(ir, operations)))
}

/// Attributes or types.
struct Table<K> {
    numbers: FxHashMap<K, u64>,
    entries: Vec<Entry>,
}

impl<K> Default for Table<K> {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            entries: Vec::new(),
        }
    }
}

/// An attribute or type as it is stored.
#[derive(Default)]
struct Entry {
    dialect: u64,
    is_encoded: bool,
    data: Emitter,
}

/// Numbers of the values and blocks of an arena.
#[derive(Default)]
struct Numbers {
    values: SecondaryMap<Value, u64>,
    blocks: SecondaryMap<Block, u64>,
    next: u64,
}

/// An attribute or type that is being written.
struct EntryWriter<'w, 'a> {
    writer: &'w mut Writer<'a>,
    out: &'w mut Emitter,
}

impl DialectBytecodeWriter for EntryWriter<'_, '_> {
    fn context(&self) -> &Arc<Context> {
        self.writer.context
    }

    fn bytecode_version(&self) -> u64 {
        self.writer.version
    }

    fn write_byte(&mut self, byte: u8) {
        self.out.byte(byte);
    }

    fn write_var_int(&mut self, number: u64) {
        self.out.number(number);
    }

    fn write_blob(&mut self, bytes: Bytes) {
        self.out.number(bytes.len() as u64);
        self.out.shared(bytes);
    }

    fn write_string(&mut self, bytes: &[u8]) {
        self.writer.string(bytes, self.out);
    }

    fn write_attribute(&mut self, attr: Attr) {
        self.writer.attr(attr, self.out);
    }

    fn write_optional_attribute(&mut self, attr: Option<Attr>) {
        self.writer.optional_attr(attr, self.out);
    }

    fn write_location(&mut self, loc: Loc) {
        self.writer.loc(loc, self.out);
    }

    fn write_type(&mut self, ty: Type) {
        self.writer.ty(ty, self.out);
    }

    fn write_resource_handle(&mut self, key: &Arc<str>) {
        let handle = self.writer.resources.insert_full(Arc::clone(key)).0;
        self.out.number(handle as u64);
    }
}

/// A program that is being written.
pub(super) struct Writer<'a> {
    context: &'a Arc<Context>,
    version: u64,
    mlir: MlirVersion,
    strings: IndexSet<Box<[u8]>, FxBuildHasher>,
    dialects: IndexSet<Box<str>, FxBuildHasher>,
    /// By full name: the dialect, the name in it, and whether there is a row.
    op_names: IndexMap<Box<str>, (u64, u64, bool), FxBuildHasher>,
    attributes: Table<Attr>,
    /// Numbers of locations among attributes.
    locs: FxHashMap<Loc, u64>,
    types: Table<Type>,
    property_lists: FxHashMap<&'static str, Arc<[Property]>>,
    properties: IndexSet<Vec<u8>, FxBuildHasher>,
    /// Keys of the resources that attributes refer to.
    pub(super) resources: IndexSet<Arc<str>, FxBuildHasher>,
}

impl Writer<'_> {
    // Strings and dialects.

    fn string_number(&mut self, bytes: &[u8]) -> u64 {
        match self.strings.get_index_of(bytes) {
            Some(index) => index as u64,
            None => self.strings.insert_full(bytes.into()).0 as u64,
        }
    }

    /// Writes the number of a string.
    pub(super) fn string(&mut self, bytes: &[u8], out: &mut Emitter) {
        let number = self.string_number(bytes);
        out.number(number);
    }

    /// The number of a dialect.
    pub(super) fn dialect(&mut self, name: &str) -> u64 {
        match self.dialects.get_index_of(name) {
            Some(index) => index as u64,
            None => self.dialects.insert_full(name.into()).0 as u64,
        }
    }

    // Attributes and types.

    /// Writes the number of an attribute.
    fn attr(&mut self, attr: Attr, out: &mut Emitter) {
        let number = self.attr_number(attr);
        out.number(number);
    }

    fn optional_attr(&mut self, attr: Option<Attr>, out: &mut Emitter) {
        match attr {
            Some(attr) => {
                let number = self.attr_number(attr);
                out.flagged(number, true);
            }
            None => out.number(0),
        }
    }

    /// The number of an attribute.
    pub(super) fn attr_number(&mut self, attr: Attr) -> u64 {
        if let Some(&number) = self.attributes.numbers.get(&attr) {
            return number;
        }
        let context = Arc::clone(self.context);
        if let AttrKind::Location(loc) = context.attr_kind(attr) {
            let spelled_out = self.spelled_out(*loc);
            if spelled_out != *loc {
                return self.loc_number(*loc);
            }
        }
        let number = self.attributes.entries.len() as u64;
        self.attributes.numbers.insert(attr, number);
        self.attributes.entries.push(Entry::default());
        let dialect = match context.attr_kind(attr) {
            AttrKind::Dialect { dialect, .. } | AttrKind::Spelled { dialect, .. } => {
                context.name(*dialect)
            }
            _ => builtin::DIALECT.namespace,
        };
        let mut data = Emitter::default();
        let is_encoded = interface(&context, dialect).is_some_and(|interface| {
            let mut entry = EntryWriter {
                writer: self,
                out: &mut data,
            };
            (interface.write_attribute)(attr, &mut entry)
        });
        if !is_encoded {
            data.bytes(attr_text_in(&context, attr, self.mlir).as_bytes());
            data.byte(0);
        }
        self.attributes.entries[number as usize] = Entry {
            dialect: self.dialect(dialect),
            is_encoded,
            data,
        };
        number
    }

    /// Writes the number of a location.
    fn loc(&mut self, loc: Loc, out: &mut Emitter) {
        let number = self.loc_number(loc);
        out.number(number);
    }

    fn loc_number(&mut self, loc: Loc) -> u64 {
        if let Some(&number) = self.locs.get(&loc) {
            return number;
        }
        let spelled_out = self.spelled_out(loc);
        let attr = self.context.intern_attr(AttrKind::Location(spelled_out));
        let number = self.attr_number(attr);
        self.locs.insert(loc, number);
        number
    }

    /// A location in a text that was read, as file, line and column.
    fn spelled_out(&self, loc: Loc) -> Loc {
        let context = self.context;
        match context.source_of(loc).and(context.resolve_loc(loc)) {
            Some(at) => context.intern_loc(LocKind::File {
                file: at.file,
                line: at.line,
                column: at.column,
            }),
            None => loc,
        }
    }

    /// Writes the number of a type.
    fn ty(&mut self, ty: Type, out: &mut Emitter) {
        let number = self.type_number(ty);
        out.number(number);
    }

    fn type_number(&mut self, ty: Type) -> u64 {
        if let Some(&number) = self.types.numbers.get(&ty) {
            return number;
        }
        let number = self.types.entries.len() as u64;
        self.types.numbers.insert(ty, number);
        self.types.entries.push(Entry::default());
        let context = Arc::clone(self.context);
        let dialect = match context.type_kind(ty) {
            TypeKind::Dialect { dialect, .. } | TypeKind::Spelled { dialect, .. } => {
                context.name(*dialect)
            }
            _ => builtin::DIALECT.namespace,
        };
        let mut data = Emitter::default();
        let is_encoded = interface(&context, dialect).is_some_and(|interface| {
            let mut entry = EntryWriter {
                writer: self,
                out: &mut data,
            };
            (interface.write_type)(ty, &mut entry)
        });
        if !is_encoded {
            data.bytes(type_text_in(&context, ty, self.mlir).as_bytes());
            data.byte(0);
        }
        self.types.entries[number as usize] = Entry {
            dialect: self.dialect(dialect),
            is_encoded,
            data,
        };
        number
    }

    // Operations.

    fn op_name(&mut self, ir: &Ir, op: Op, out: &mut Emitter) {
        let def = ir.def(op);
        let full = match def.name_22 {
            Some(_) => def.name_in(self.mlir),
            None => ir.op_name(op),
        };
        let index = match self.op_names.get_index_of(full) {
            Some(index) => index,
            None => {
                let (dialect, name) = full.split_once('.').unwrap_or((full, ""));
                let dialect = self.dialect(dialect);
                let name = self.string_number(name.as_bytes());
                let is_registered = !def.is_unregistered();
                let entry = (dialect, name, is_registered);
                self.op_names.insert_full(full.into(), entry).0
            }
        };
        out.number(index as u64);
    }

    fn operation(
        &mut self,
        ir: &Ir,
        op: Op,
        numbers: &mut Numbers,
        out: &mut Emitter,
    ) -> Result<(), String> {
        if let Some(nested) = ir.nested(op) {
            let mut inner = Numbers::default();
            return self.operation(nested, nested.root(), &mut inner, out);
        }
        let def = ir.def(op);
        self.op_name(ir, op, out);
        let mut mask = 0;
        let mask_at = out.len();
        out.byte(mask);
        self.loc(ir.loc(op), out);
        let (properties, mut others) = generic::split(ir, op, self.mlir);
        let is_native = self.version >= NATIVE_PROPERTIES;
        if !is_native {
            others.extend(properties.iter().copied());
        }
        let native = match is_native {
            true => self.native_properties(ir, op, &properties, &mut others)?,
            false => None,
        };
        if !others.is_empty() {
            mask |= parts::ATTRIBUTES;
            let dict = AttrKind::Dictionary(self.context.intern_dict(others));
            let attr = self.context.intern_attr(dict);
            self.attr(attr, out);
        }
        if let Some(index) = native {
            mask |= parts::PROPERTIES;
            out.number(index);
        }
        let results = match self.returns_operand(def) {
            true => ir.operands(op),
            false => ir.results(op),
        };
        if !results.is_empty() {
            mask |= parts::RESULTS;
            out.number(results.len() as u64);
            for &result in results {
                self.ty(ir.value_type(result), out);
            }
        }
        let operands = ir.operands(op);
        if !operands.is_empty() {
            mask |= parts::OPERANDS;
            out.number(operands.len() as u64);
            for &operand in operands {
                out.number(numbers.values[operand]);
            }
        }
        let successors = ir.successors(op);
        if !successors.is_empty() {
            mask |= parts::SUCCESSORS;
            out.number(successors.len() as u64);
            for &successor in successors {
                out.number(numbers.blocks[successor]);
            }
        }
        let regions = ir.regions(op);
        if !regions.is_empty() {
            mask |= parts::REGIONS;
            let is_isolated = ir.has_trait(op, Traits::ISOLATED_FROM_ABOVE);
            out.flagged(regions.len() as u64, is_isolated);
            let outer = numbers.next;
            if is_isolated {
                numbers.next = 0;
            }
            match is_isolated && self.version >= LAZY_REGIONS {
                true => {
                    let mut section = Emitter::default();
                    for &region in regions {
                        self.region(ir, region, numbers, &mut section)?;
                    }
                    out.section(Section::Ir, section);
                }
                false => {
                    for &region in regions {
                        self.region(ir, region, numbers, out)?;
                    }
                }
            }
            numbers.next = outer;
        }
        out.set(mask_at, mask);
        Ok(())
    }

    /// Whether the result of an operation is its operand, and users use that.
    fn returns_operand(&self, def: &OpDef) -> bool {
        self.mlir == MlirVersion::V22 && def.generic_22.returns_operand
    }

    fn region(
        &mut self,
        ir: &Ir,
        region: Region,
        numbers: &mut Numbers,
        out: &mut Emitter,
    ) -> Result<(), String> {
        let first = numbers.next;
        let mut blocks = Vec::new();
        let mut next_block = ir.entry_block(region);
        while let Some(block) = next_block {
            numbers.blocks[block] = blocks.len() as u64;
            blocks.push(block);
            for &argument in ir.block_args(block) {
                numbers.values[argument] = numbers.next;
                numbers.next += 1;
            }
            let mut next = ir.first_op(block);
            while let Some(op) = next {
                for &result in ir.results(op) {
                    numbers.values[result] = numbers.next;
                    numbers.next += 1;
                }
                numbers.next += u64::from(self.returns_operand(ir.def(op)));
                next = ir.next_op(op);
            }
            next_block = ir.next_block(block);
        }
        out.number(blocks.len() as u64);
        if !blocks.is_empty() {
            out.number(numbers.next - first);
        }
        for block in blocks {
            self.block(ir, block, numbers, out)?;
        }
        numbers.next = first;
        Ok(())
    }

    fn block(
        &mut self,
        ir: &Ir,
        block: Block,
        numbers: &mut Numbers,
        out: &mut Emitter,
    ) -> Result<(), String> {
        let mut ops = Vec::new();
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            ops.push(op);
            next = ir.next_op(op);
        }
        let arguments = ir.block_args(block);
        out.flagged(ops.len() as u64, !arguments.is_empty());
        if !arguments.is_empty() {
            out.number(arguments.len() as u64);
            for &argument in arguments {
                let ty = self.type_number(ir.value_type(argument));
                let loc = ir.value_loc(argument);
                match self.version >= ELIDED_LOCATIONS {
                    true => out.flagged(ty, loc != Loc::UNKNOWN),
                    false => out.number(ty),
                }
                if loc != Loc::UNKNOWN || self.version < ELIDED_LOCATIONS {
                    self.loc(loc, out);
                }
            }
            if self.version >= USE_ORDERS {
                out.byte(0);
            }
        }
        for op in ops {
            self.operation(ir, op, numbers, out)?;
        }
        Ok(())
    }

    // Properties.

    /// The number of the native properties of an operation, if it has any. Those that are among `others`, because
    /// its row does not have them, are taken out there.
    fn native_properties(
        &mut self,
        ir: &Ir,
        op: Op,
        properties: &Entries,
        others: &mut Entries,
    ) -> Result<Option<u64>, String> {
        let def = ir.def(op);
        let mut out = Emitter::default();
        if def.is_unregistered() {
            let Some(attr) = ir.attr(op, Name::EMPTY) else {
                return Ok(None);
            };
            self.attr(attr, &mut out);
            return Ok(Some(self.property_number(out)));
        }
        let list = self.property_list(def);
        if list.is_empty() {
            others.extend_from_slice(properties);
            return Ok(None);
        }
        let context = self.context;
        let mut left: Entries = properties.to_vec();
        let newer = newer_attributes(def);
        for property in &*list {
            let name = match property.encoding {
                Encoding::Wraps => Name::INBOUNDS,
                _ => property.name,
            };
            let take = |entries: &mut Entries| {
                let at = entries.iter().position(|entry| entry.0 == name);
                at.map(|at| entries.remove(at).1)
            };
            let attr = take(&mut left).or_else(|| take(others));
            if newer.contains(&context.name(name)) && attr.is_none_or(|attr| attr == Attr::TRUE) {
                // Readers that do not know it would take it for the next one.
                continue;
            }
            match (property.encoding, attr) {
                (Encoding::Required, attr) => {
                    let Some(attr) = attr.or_else(|| inherent::default_in_22(context, name)) else {
                        let name = context.name(name);
                        return Err(format!("'{}' op requires attribute '{name}'", def.name));
                    };
                    self.attr(attr, &mut out);
                }
                (Encoding::Optional, attr) => self.optional_attr(attr, &mut out),
                (Encoding::Segments, None) if has_bundles(def, self.mlir) => {
                    let n = i32::try_from(ir.operands(op).len()).unwrap_or(i32::MAX);
                    let sizes = context.i32_array_attr(&[n, 0]);
                    self.segments(Some(sizes), &mut out);
                }
                (Encoding::Segments, attr) => self.segments(attr, &mut out),
                (Encoding::Flag, attr) => {
                    out.byte(u8::from(attr.is_some_and(|attr| attr != Attr::FALSE)));
                }
                (Encoding::Wraps, attr) => out.number(attr.map_or(0, |_| INBOUNDS)),
                (Encoding::Overflow, attr) => {
                    let bits = match attr.map(|attr| context.attr_kind(attr)) {
                        Some(AttrKind::Dialect { body, .. }) => overflow_bits(body),
                        _ => 0,
                    };
                    out.number(bits);
                }
            }
        }
        // What this version of MLIR has no property for is kept as any other attribute.
        others.extend(left);
        Ok(Some(self.property_number(out)))
    }

    fn property_list(&mut self, def: &'static OpDef) -> Arc<[Property]> {
        let list = self
            .property_lists
            .entry(def.name)
            .or_insert_with(|| properties(self.context, def, self.mlir, self.version).into());
        Arc::clone(list)
    }

    fn property_number(&mut self, out: Emitter) -> u64 {
        self.properties.insert_full(out.into_bytes()).0 as u64
    }

    fn segments(&mut self, attr: Option<Attr>, out: &mut Emitter) {
        let context = self.context;
        if self.version < NATIVE_SEGMENTS {
            let attr = attr.unwrap_or_else(|| context.i32_array_attr(&[]));
            self.attr(attr, out);
            return;
        }
        let sizes: Vec<i32> = attr
            .and_then(|attr| context.attr_i32_array(attr))
            .into_iter()
            .flatten()
            .collect();
        out.flagged(sizes.len() as u64, false);
        for size in sizes {
            out.number(u64::from(size as u32));
        }
    }

    // Sections.

    fn finish(mut self, ir: &Ir, operations: Emitter) -> Emitter {
        let (resource_offsets, resources) = resources::write(&mut self, ir);
        let mut out = Emitter::default();
        out.bytes(BYTECODE_MAGIC);
        out.number(self.version);
        let versions = MlirVersion::ALL.iter();
        let mlir = versions.filter(|(_, version)| *version == self.mlir);
        let mlir = mlir.map(|(name, _)| *name).next().unwrap_or_default();
        let producer = format!("Freehold {} for MLIR{mlir}", env!("CARGO_PKG_VERSION"));
        out.bytes(producer.as_bytes());
        out.byte(0);
        out.section_of(Section::Dialect, |out| self.write_dialects(ir, out));
        let mut entries = Emitter::default();
        out.section_of(Section::AttrTypeOffset, |out| {
            let attributes = std::mem::take(&mut self.attributes.entries);
            let types = std::mem::take(&mut self.types.entries);
            out.number(attributes.len() as u64);
            out.number(types.len() as u64);
            write_entries(attributes, out, &mut entries);
            write_entries(types, out, &mut entries);
        });
        out.section(Section::AttrType, entries);
        out.section(Section::Ir, operations);
        out.section(Section::ResourceOffset, resource_offsets);
        out.section(Section::Resource, resources);
        out.section_of(Section::String, |out| self.write_strings(out));
        if self.version >= NATIVE_PROPERTIES {
            out.section_of(Section::Properties, |out| {
                out.number(self.properties.len() as u64);
                for bytes in &self.properties {
                    out.number(bytes.len() as u64);
                    out.bytes(bytes);
                }
            });
        }
        out
    }

    fn write_dialects(&mut self, ir: &Ir, out: &mut Emitter) {
        out.number(self.dialects.len() as u64);
        for i in 0..self.dialects.len() {
            let name = self.dialects[i].clone();
            let number = self.string_number(name.as_bytes());
            if self.version < DIALECT_VERSIONS {
                out.number(number);
                continue;
            }
            let interface = interface(self.context, &name);
            let version = interface.and_then(|interface| (interface.version)(ir));
            out.flagged(number, version.is_some());
            if let Some(version) = version {
                out.section_of(Section::DialectVersions, |out| {
                    for number in version {
                        out.number(number);
                    }
                });
            }
        }
        if self.version >= ELIDED_LOCATIONS {
            out.number(self.op_names.len() as u64);
        }
        let names: Vec<(u64, u64, bool)> = self.op_names.values().copied().collect();
        for group in names.chunk_by(|a, b| a.0 == b.0) {
            out.number(group[0].0);
            out.number(group.len() as u64);
            for &(_, name, is_registered) in group {
                match self.version < NATIVE_PROPERTIES {
                    true => out.number(name),
                    false => out.flagged(name, is_registered),
                }
            }
        }
    }

    fn write_strings(&self, out: &mut Emitter) {
        out.number(self.strings.len() as u64);
        for string in self.strings.iter().rev() {
            out.number(string.len() as u64 + 1);
        }
        for string in &self.strings {
            out.bytes(string);
            out.byte(0);
        }
    }
}

/// Writes entries in groups of one dialect, and how long they are.
fn write_entries(entries: Vec<Entry>, offsets: &mut Emitter, data: &mut Emitter) {
    let mut group_ends = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        if entries
            .get(i + 1)
            .is_none_or(|next| next.dialect != entry.dialect)
        {
            group_ends.push(i + 1);
        }
    }
    let mut ends = group_ends.into_iter();
    let mut end = 0;
    for (i, entry) in entries.into_iter().enumerate() {
        if i == end {
            end = ends.next().unwrap_or(i + 1);
            offsets.number(entry.dialect);
            offsets.number((end - i) as u64);
        }
        offsets.flagged(entry.data.len() as u64, entry.is_encoded);
        data.append(entry.data);
    }
}
