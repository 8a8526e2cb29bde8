//! The context: what all IR of one compilation shares.
//!
//! It owns the interned types, attributes, dictionaries and names, the source
//! texts and the set of registered dialects. It is thread safe and only ever
//! grows.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::affine::{AffineMap, IntegerSet};
use super::attrs::{Attr, AttrKind, DenseElements, Dict};
use super::declared::DeclaredTable;
use super::interner::Interner;
use super::location::{Loc, LocKind, SourceFile};
use super::names::{Name, WELL_KNOWN};
use super::op_def::{DialectDef, OpDef};
use super::rewrites::Rewrites;
use super::source_text::SourceText;
use super::types::{FloatKind, MemRefType, Signedness, Type, TypeKind, well_known};
use super::version::MlirVersion;

/// Shared, append-only storage of one compilation. See the module doc.
pub struct Context {
    types: Interner<TypeKind>,
    attrs: Interner<AttrKind>,
    dicts: Interner<Box<[(Name, Attr)]>>,
    names: Interner<Box<str>>,
    locs: Interner<LocKind>,
    sources: RwLock<Vec<Arc<SourceFile>>>,
    registered: Arc<Registered>,
    allow_unregistered_dialects: bool,
    ignored_dialects: Vec<String>,
    has_read_22: AtomicBool,
    keep_memory_operations: bool,
    largest_cap: u64,
    print_operations: bool,
    declared: DeclaredTable,
    rewrites: Rewrites,
}

/// Dialects and their operations by name.
#[derive(Clone, Default)]
pub struct Registered {
    dialects: Vec<&'static DialectDef>,
    ops: FxHashMap<&'static str, &'static OpDef>,
}

impl Registered {
    /// These dialects.
    ///
    /// # Panics
    /// If two rows have one name.
    pub fn of(dialects: &[&'static DialectDef]) -> Self {
        let mut registered = Self::default();
        registered.add(dialects);
        registered
    }

    fn add(&mut self, dialects: &[&'static DialectDef]) {
        for &dialect in dialects {
            let own = dialect.ops.iter().map(|&def| (def.name, def));
            let newer = dialect
                .ops
                .iter()
                .filter_map(|&def| Some((def.name_22?, def)));
            for (name, def) in own.chain(newer).chain(dialect.aliases.iter().copied()) {
                let previous = self.ops.insert(name, def);
                assert!(previous.is_none(), "operation {name} is registered twice");
            }
            self.dialects.push(dialect);
        }
    }
}

/// The names that the compiler mentions, in the order of their constants.
fn well_known_names() -> &'static Interner<Box<str>> {
    static NAMES: OnceLock<Interner<Box<str>>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let names = Interner::new();
        for &name in WELL_KNOWN {
            names.intern(name.into());
        }
        names
    })
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

impl Context {
    /// A context that knows `dialects`: those of this crate, which
    /// `dialects::context()` hands in, and those of third parties.
    ///
    /// # Panics
    /// If two rows have one name.
    pub fn with_dialects(dialects: &[&'static DialectDef]) -> Self {
        Self::with_registered(Arc::new(Registered::of(dialects)))
    }

    /// A context that knows what other ones may know as well.
    pub fn with_registered(registered: Arc<Registered>) -> Self {
        let types = Interner::new();
        for kind in well_known() {
            types.intern(kind);
        }
        let attrs = Interner::new();
        attrs.intern(AttrKind::Unit);
        attrs.intern(AttrKind::Integer {
            ty: Type::I1,
            value: 0,
        });
        attrs.intern(AttrKind::Integer {
            ty: Type::I1,
            value: -1,
        });
        let dicts: Interner<Box<[(Name, Attr)]>> = Interner::new();
        dicts.intern(Box::new([]));
        Self {
            types,
            attrs,
            dicts,
            names: Interner::over(well_known_names()),
            locs: Interner::new(),
            sources: RwLock::default(),
            registered,
            allow_unregistered_dialects: false,
            ignored_dialects: Vec::new(),
            has_read_22: AtomicBool::new(false),
            keep_memory_operations: false,
            largest_cap: u64::MAX,
            print_operations: false,
            rewrites: Rewrites::default(),
            declared: DeclaredTable::default(),
        }
    }

    /// Adds dialects that a file declares, with what its text mentions.
    ///
    /// # Panics
    /// If two rows have one name.
    pub fn declare(&mut self, dialects: &[&'static DialectDef], table: DeclaredTable) {
        Arc::make_mut(&mut self.registered).add(dialects);
        self.declared = table;
    }

    /// The type or attribute with this number in the file of declarations.
    pub fn declared_attr(&self, index: usize) -> Attr {
        self.declared.attrs[index]
    }

    /// Where the operation with this number is declared.
    pub fn declared_loc(&self, index: usize) -> Loc {
        self.declared.locs[index]
    }

    /// Accepts operations of unknown dialects in generic form.
    #[must_use]
    pub fn allow_unregistered_dialects(mut self, allow: bool) -> Self {
        self.allow_unregistered_dialects = allow;
        self
    }

    /// Leaves out operations of these dialects, and keeps their attributes and types as text.
    #[must_use]
    pub fn ignore_dialects(mut self, names: &[String]) -> Self {
        self.ignored_dialects.extend_from_slice(names);
        self
    }

    /// Remembers that text of this version was read.
    pub fn note_version(&self, version: MlirVersion) {
        if version == MlirVersion::V22 {
            self.has_read_22.store(true, Ordering::Relaxed);
        }
    }

    /// The version of the text that was read: 19 unless something in it was newer.
    pub fn version_read(&self) -> MlirVersion {
        match self.has_read_22.load(Ordering::Relaxed) {
            true => MlirVersion::V22,
            false => MlirVersion::V19,
        }
    }

    /// Whether operations of a dialect are left out.
    pub fn ignores_dialect(&self, name: &str) -> bool {
        self.ignored_dialects.iter().any(|ignored| ignored == name)
    }

    /// Keeps allocations, frees and accesses that nothing depends on: whoever checks what a program does
    /// to memory wants to see all of it.
    #[must_use]
    pub fn keep_memory_operations(mut self, keep: bool) -> Self {
        self.keep_memory_operations = keep;
        self
    }

    /// Whether operations stay because of their effects on memory alone. Rewrites that erase
    /// allocations, frees or accesses ask first.
    pub fn keeps_memory_operations(&self) -> bool {
        self.keep_memory_operations
    }

    /// Prints the operations that diagnostics are about with them.
    #[must_use]
    pub fn print_operations(mut self, print: bool) -> Self {
        self.print_operations = print;
        self
    }

    /// Whether diagnostics come with the operations that they are about.
    pub fn prints_operations(&self) -> bool {
        self.print_operations
    }

    /// Counts what the greedy driver does.
    pub fn rewrites(&self) -> &Rewrites {
        &self.rewrites
    }

    /// Lets analyses give up after this much work where their own cap is higher. Code gets slower, never wrong.
    #[must_use]
    pub fn cap_analyses(mut self, most: u64) -> Self {
        self.largest_cap = most;
        self
    }

    /// The highest cap that analyses may have.
    pub fn largest_cap(&self) -> u64 {
        self.largest_cap
    }

    /// Whether operations of unknown dialects are accepted.
    pub fn allows_unregistered_dialects(&self) -> bool {
        self.allow_unregistered_dialects
    }

    /// The registered dialects.
    pub fn dialects(&self) -> &[&'static DialectDef] {
        &self.registered.dialects
    }

    /// The registered dialect of this namespace.
    pub fn dialect(&self, namespace: &str) -> Option<&'static DialectDef> {
        self.registered
            .dialects
            .iter()
            .copied()
            .find(|dialect| dialect.namespace == namespace)
    }

    /// The row of a registered operation.
    pub fn op_def(&self, name: &str) -> Option<&'static OpDef> {
        self.registered.ops.get(name).copied()
    }

    // Names.

    /// Interns an identifier.
    pub fn intern_name(&self, text: &str) -> Name {
        Name(self.names.intern(text.into()))
    }

    /// The text of an identifier.
    pub fn name(&self, name: Name) -> &str {
        self.names.get(name.0)
    }

    // Types.

    /// Interns a type.
    pub fn intern_type(&self, kind: TypeKind) -> Type {
        Type(self.types.intern(kind))
    }

    /// The contents of a type.
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.get(ty.0)
    }

    /// The signless integer type of this width.
    pub fn integer_type(&self, width: u32) -> Type {
        self.intern_type(TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        })
    }

    /// A function type.
    pub fn function_type(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.intern_type(TypeKind::Function {
            inputs: inputs.into(),
            results: results.into(),
        })
    }

    /// A ranked memref type.
    pub fn memref_type(&self, memref: MemRefType) -> Type {
        self.intern_type(TypeKind::MemRef(memref))
    }

    /// The contents of `ty` if it is a ranked memref.
    pub fn as_memref(&self, ty: Type) -> Option<&MemRefType> {
        match self.type_kind(ty) {
            TypeKind::MemRef(memref) => Some(memref),
            _ => None,
        }
    }

    /// Whether `ty` is a ranked or unranked memref: a buffer.
    pub fn is_memref(&self, ty: Type) -> bool {
        matches!(
            self.type_kind(ty),
            TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. }
        )
    }

    /// The width of an integer type, or of index (64).
    pub fn integer_width(&self, ty: Type) -> Option<u32> {
        match self.type_kind(ty) {
            TypeKind::Integer { width, .. } => Some(*width),
            TypeKind::Index => Some(64),
            _ => None,
        }
    }

    /// The format of a float type.
    pub fn float_kind(&self, ty: Type) -> Option<FloatKind> {
        match self.type_kind(ty) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The element type of a vector, tensor or memref; otherwise `ty` itself.
    pub fn element_type_or_self(&self, ty: Type) -> Type {
        match self.type_kind(ty) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::UnrankedTensor(element)
            | TypeKind::MemRef(MemRefType { element, .. })
            | TypeKind::UnrankedMemRef { element, .. } => *element,
            _ => ty,
        }
    }

    /// The tensor type with the shape and elements of a memref type.
    pub fn tensor_type_of(&self, memref: Type) -> Option<Type> {
        let kind = match self.type_kind(memref) {
            TypeKind::MemRef(memref) => TypeKind::RankedTensor {
                shape: memref.shape.clone(),
                element: memref.element,
                encoding: None,
            },
            TypeKind::UnrankedMemRef { element, .. } => TypeKind::UnrankedTensor(*element),
            _ => return None,
        };
        Some(self.intern_type(kind))
    }

    /// [`Self::element_type_or_self`], and the parts of a complex type.
    pub fn element_of(&self, ty: Type) -> Type {
        match self.type_kind(ty) {
            TypeKind::Complex(element) => *element,
            _ => self.element_type_or_self(ty),
        }
    }

    /// The shape of a ranked vector, tensor or memref.
    pub fn shape(&self, ty: Type) -> Option<&[i64]> {
        match self.type_kind(ty) {
            TypeKind::Vector { shape, .. }
            | TypeKind::RankedTensor { shape, .. }
            | TypeKind::MemRef(MemRefType { shape, .. }) => Some(shape),
            _ => None,
        }
    }

    /// `ty` with its elements replaced by `element`: `i1` for `i32` gives `i1`,
    /// `vector<4xi1>` for `vector<4xi32>`. Tensors keep their encoding, memrefs
    /// their layout.
    pub fn with_element_type(&self, ty: Type, element: Type) -> Type {
        let mut kind = self.type_kind(ty).clone();
        match &mut kind {
            TypeKind::Vector { element: old, .. }
            | TypeKind::RankedTensor { element: old, .. }
            | TypeKind::UnrankedTensor(old)
            | TypeKind::MemRef(MemRefType { element: old, .. })
            | TypeKind::UnrankedMemRef { element: old, .. } => *old = element,
            _ => return element,
        }
        self.intern_type(kind)
    }

    /// The type that an attribute carries (upstream's `TypedAttr`): that of a
    /// number, of elements or of a string; `None` for attributes without one.
    pub fn attr_carried_type(&self, attr: Attr) -> Option<Type> {
        match self.attr_kind(attr) {
            AttrKind::Integer { ty, .. }
            | AttrKind::WideInteger { ty, .. }
            | AttrKind::Float { ty, .. }
            | AttrKind::TypedString(_, ty)
            | AttrKind::DenseElements(DenseElements { ty, .. })
            | AttrKind::DenseStrings { ty, .. }
            | AttrKind::DenseResource { ty, .. }
            | AttrKind::SparseElements { ty, .. } => Some(*ty),
            AttrKind::Dialect { ty, .. } => *ty,
            AttrKind::String(_) => Some(Type::NONE),
            _ => None,
        }
    }

    // Attributes.

    /// Interns an attribute.
    pub fn intern_attr(&self, kind: AttrKind) -> Attr {
        Attr(self.attrs.intern(kind))
    }

    /// The contents of an attribute.
    pub fn attr_kind(&self, attr: Attr) -> &AttrKind {
        self.attrs.get(attr.0)
    }

    /// An integer attribute; the value is wrapped to the width of `ty` and
    /// extended as its signedness says.
    pub fn integer_attr(&self, ty: Type, value: i128) -> Attr {
        let value = match self.type_kind(ty) {
            TypeKind::Integer { width, signedness } if *width < 128 => {
                let shift = 128 - *width;
                match signedness {
                    _ if *width == 0 => 0,
                    Signedness::Unsigned => ((value as u128) << shift >> shift) as i128,
                    Signedness::Signless | Signedness::Signed => value << shift >> shift,
                }
            }
            TypeKind::Index => i128::from(value as i64),
            _ => value,
        };
        self.intern_attr(AttrKind::Integer { ty, value })
    }

    /// An `index` attribute.
    pub fn index_attr(&self, value: i64) -> Attr {
        self.integer_attr(Type::INDEX, i128::from(value))
    }

    /// An `i64` attribute.
    pub fn i64_attr(&self, value: i64) -> Attr {
        self.integer_attr(Type::I64, i128::from(value))
    }

    /// A string attribute.
    pub fn string_attr(&self, text: &str) -> Attr {
        self.intern_attr(AttrKind::String(text.as_bytes().into()))
    }

    /// A type attribute.
    pub fn type_attr(&self, ty: Type) -> Attr {
        self.intern_attr(AttrKind::Type(ty))
    }

    /// An array attribute.
    pub fn array_attr(&self, elements: &[Attr]) -> Attr {
        self.intern_attr(AttrKind::Array(elements.into()))
    }

    /// `@symbol`
    pub fn symbol_ref_attr(&self, symbol: &str) -> Attr {
        self.intern_attr(AttrKind::SymbolRef {
            root: symbol.into(),
            nested: Box::new([]),
        })
    }

    /// `array<i32: ...>`
    pub fn i32_array_attr(&self, values: &[i32]) -> Attr {
        let bytes = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.intern_attr(AttrKind::DenseArray {
            element: Type::I32,
            bytes,
        })
    }

    /// `array<i64: ...>`
    pub fn i64_array_attr(&self, values: &[i64]) -> Attr {
        let bytes = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.intern_attr(AttrKind::DenseArray {
            element: Type::I64,
            bytes,
        })
    }

    /// An affine map attribute.
    pub fn affine_map_attr(&self, map: AffineMap) -> Attr {
        self.intern_attr(AttrKind::AffineMap(Arc::new(map)))
    }

    /// The value of an integer (or bool or index) attribute.
    pub fn attr_integer(&self, attr: Attr) -> Option<i128> {
        match self.attr_kind(attr) {
            AttrKind::Integer { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// The text of a string attribute that is UTF-8.
    pub fn attr_string(&self, attr: Attr) -> Option<&str> {
        match self.attr_kind(attr) {
            AttrKind::String(bytes) | AttrKind::TypedString(bytes, _) => {
                std::str::from_utf8(bytes).ok()
            }
            _ => None,
        }
    }

    /// The type in a type attribute.
    pub fn attr_type(&self, attr: Attr) -> Option<Type> {
        match self.attr_kind(attr) {
            AttrKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// The elements of an array attribute.
    pub fn attr_array(&self, attr: Attr) -> Option<&[Attr]> {
        match self.attr_kind(attr) {
            AttrKind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The name in a symbol reference without nesting.
    pub fn attr_flat_symbol(&self, attr: Attr) -> Option<&str> {
        match self.attr_kind(attr) {
            AttrKind::SymbolRef { root, nested } if nested.is_empty() => Some(root),
            _ => None,
        }
    }

    /// The map in an affine map attribute.
    pub fn attr_affine_map(&self, attr: Attr) -> Option<&Arc<AffineMap>> {
        match self.attr_kind(attr) {
            AttrKind::AffineMap(map) => Some(map),
            _ => None,
        }
    }

    /// The set in an integer set attribute.
    pub fn attr_integer_set(&self, attr: Attr) -> Option<&Arc<IntegerSet>> {
        match self.attr_kind(attr) {
            AttrKind::IntegerSet(set) => Some(set),
            _ => None,
        }
    }

    /// The elements of an `array<i32: ...>`.
    pub fn attr_i32_array(
        &self,
        attr: Attr,
    ) -> Option<impl ExactSizeIterator<Item = i32> + Clone + '_> {
        match self.attr_kind(attr) {
            AttrKind::DenseArray { element, bytes } if *element == Type::I32 => {
                Some(bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)))
            }
            _ => None,
        }
    }

    /// The elements of an `array<i64: ...>`.
    pub fn attr_i64_array(&self, attr: Attr) -> Option<Vec<i64>> {
        match self.attr_kind(attr) {
            AttrKind::DenseArray { element, bytes } if *element == Type::I64 => Some(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&b| i64::from_le_bytes(b))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// The contents of a `dense<...>` attribute.
    pub fn attr_dense(&self, attr: Attr) -> Option<&DenseElements> {
        match self.attr_kind(attr) {
            AttrKind::DenseElements(dense) => Some(dense),
            _ => None,
        }
    }

    // Dictionaries.

    /// Interns a dictionary. Entries may come in any order, names must be distinct.
    pub fn intern_dict(&self, mut entries: Vec<(Name, Attr)>) -> Dict {
        entries.sort_by(|a, b| self.name(a.0).cmp(self.name(b.0)));
        debug_assert!(entries.windows(2).all(|pair| pair[0].0 != pair[1].0));
        Dict(self.dicts.intern(entries.into()))
    }

    /// The entries of a dictionary, sorted by name.
    pub fn dict(&self, dict: Dict) -> &[(Name, Attr)] {
        self.dicts.get(dict.0)
    }

    /// The entry called `name`.
    pub fn dict_get(&self, dict: Dict, name: Name) -> Option<Attr> {
        self.dict(dict)
            .iter()
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
    }

    /// `dict` with the entry `name` set, or removed if `attr` is `None`.
    pub fn dict_with(&self, dict: Dict, name: Name, attr: Option<Attr>) -> Dict {
        let mut entries = self.dict(dict).to_vec();
        entries.retain(|entry| entry.0 != name);
        entries.extend(attr.map(|attr| (name, attr)));
        self.intern_dict(entries)
    }

    // What there is at all.

    /// Whether any attribute made so far is accepted.
    pub(crate) fn any_attr(&self, accept: fn(&AttrKind) -> bool) -> bool {
        self.attrs.iter().any(accept)
    }

    /// Whether any type made so far is accepted.
    pub(crate) fn any_type(&self, accept: fn(&TypeKind) -> bool) -> bool {
        self.types.iter().any(accept)
    }

    // Locations.

    /// Interns a spelled-out location.
    pub fn intern_loc(&self, kind: LocKind) -> Loc {
        Loc::from_interned(self.locs.intern(kind))
    }

    /// The contents of a location that was spelled out.
    pub fn loc_kind(&self, loc: Loc) -> Option<&LocKind> {
        Some(self.locs.get(loc.interned()?))
    }

    /// Adds a text to the source map. `first_line` is the number of its first
    /// line (one-based), other than 1 for pieces of a split file.
    ///
    /// # Errors
    /// If all sources together exceed two gigabytes.
    pub fn add_source(
        &self,
        name: &str,
        text: impl Into<SourceText>,
        first_line: u32,
    ) -> Result<Arc<SourceFile>, SourceTooLarge> {
        let SourceText {
            text,
            blobs,
            bytecode,
            ..
        } = text.into();
        let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
        let start = sources
            .last()
            .map_or(0, |last| u64::from(last.start) + last.text.len() as u64 + 1);
        if start + text.len() as u64 >= 1 << 31 {
            return Err(SourceTooLarge);
        }
        let mut line_starts = vec![0];
        // A search for a byte looks at a word of text at a time.
        line_starts.extend(text.match_indices('\n').map(|(i, _)| i as u32 + 1));
        let file = Arc::new(SourceFile {
            name: name.into(),
            text,
            blobs,
            bytecode,
            start: start as u32,
            line_starts,
            first_line,
        });
        sources.push(Arc::clone(&file));
        Ok(file)
    }

    /// The source and the byte offset in it that `loc` points at.
    pub fn source_of(&self, loc: Loc) -> Option<(Arc<SourceFile>, u32)> {
        let position = loc.position()?;
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        let index = sources
            .partition_point(|file| file.start <= position)
            .checked_sub(1)?;
        let file = Arc::clone(&sources[index]);
        let offset = position - file.start;
        Some((file, offset))
    }
}

/// The source map is full: all texts together exceed two gigabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceTooLarge;
