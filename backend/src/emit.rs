//! Compiled functions and globals as symbols of a Cranelift module: an object
//! file in the making, or memory of this process.

use std::borrow::Cow;

use cranelift_entity::SecondaryMap;
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage as ClifLinkage, Module, ModuleError, ModuleRelocTarget,
};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use freehold_frontend::syntax::metadata;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::isa::Purpose;
use crate::program::{FunctionId, GlobalId, Linkage, Program, Version};
use crate::references::{CompiledFunction, namespace, used_symbols};

/// The message of an error of Cranelift, which is large.
fn message(error: ModuleError) -> String {
    error.to_string()
}

/// Defines compiled functions and the globals of a program in a Cranelift module.
pub(crate) struct Emitter<'p, M> {
    program: &'p Program<'p>,
    /// The version whose functions others see.
    seen: &'p Program<'p>,
    /// The Cranelift module.
    pub(crate) module: M,
    functions: SecondaryMap<FunctionId, Option<FuncId>>,
    globals: SecondaryMap<GlobalId, Option<DataId>>,
    externals: FxHashMap<&'p str, FuncId>,
    /// The globals of the first of several versions, by name.
    first: FxHashMap<&'p str, (Shared, DataId)>,
    /// What goes from where it is to where it is wanted, without a copy in between.
    pub(crate) large: Vec<LargeData<'p>>,
}

/// The contents of a symbol that Cranelift takes for empty, or in memory for zeros.
pub(crate) struct LargeData<'p> {
    pub(crate) id: DataId,
    pub(crate) bytes: &'p [u8],
    pub(crate) alignment: u64,
    pub(crate) is_constant: bool,
}

/// Globals of this type, contents, alignment and name are one for all versions of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shared {
    ty: Option<Type>,
    contents: Option<Attr>,
    alignment: Option<Attr>,
    is_constant: bool,
}

impl Shared {
    /// The definition of a global; `None` unless it certainly equals another one of its name.
    fn of(program: &Program<'_>, id: GlobalId) -> Option<Self> {
        let (ir, op) = (program.module, program.globals[id].op);
        let global = memref::Global(op);
        let is_constant = global.is_constant(ir);
        // Addresses may be those of other globals of the same names.
        let has_addresses = global.addresses(ir).is_none_or(|all| !all.is_empty());
        (!is_constant || !has_addresses).then(|| Self {
            ty: global.memref_type(ir),
            contents: global.initial_value(ir),
            alignment: ir.attr(op, Name::ALIGNMENT),
            is_constant,
        })
    }
}

/// From how many bytes on data is large.
const LARGE_BYTES: usize = 1 << 16;

impl<'p, M: Module> Emitter<'p, M> {
    /// Defines everything. Imports are declared only if something refers to them.
    pub(crate) fn emit(
        program: &'p Program<'p>,
        module: M,
        compiled: &[CompiledFunction],
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        let emitter = Self {
            program,
            seen: program,
            module,
            functions: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            externals: FxHashMap::default(),
            first: FxHashMap::default(),
            large: Vec::new(),
        };
        emitter.with(compiled, diagnostics)
    }

    /// Defines another version of the program in the same module.
    pub(crate) fn emit_version(
        mut self,
        version: &'p Program<'p>,
        compiled: &[CompiledFunction],
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        if self.program.version == Version::First {
            for (id, global) in self.program.globals.iter() {
                let shared = Shared::of(self.program, id).zip(self.own_global(id));
                if let Some(shared) = shared {
                    self.first.insert(global.link_name, shared);
                }
            }
        }
        let emitter = Self {
            program: version,
            functions: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            ..self
        };
        emitter.with(compiled, diagnostics)
    }

    fn with(
        self,
        compiled: &[CompiledFunction],
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        let mut emitter = self;
        let program = emitter.program;
        let externals = used_symbols(compiled).externals.into_iter();
        let symbols = externals.map(|name| program.symbol_of(name));
        emitter.refuse_definitions(symbols, diagnostics)?;
        for id in program.globals.keys() {
            emitter.globals[id] = emitter.of_first(id);
        }
        let needed = needed_globals(program, compiled);
        let mut globals = Vec::new();
        let mut outcome = Ok(());
        for (id, global) in program.globals.iter() {
            if global.linkage != Linkage::Import && emitter.globals[id].is_none() {
                match GlobalData::new(program, id, diagnostics) {
                    Ok(data) if needed.contains(&id) => globals.push((id, data)),
                    // Wrong ones are errors, needed or not.
                    Ok(_) => {}
                    Err(Failed) => outcome = Err(Failed),
                }
            }
        }
        outcome?;
        let equal = equal_constants(program, &globals);
        emitter
            .declare(compiled, &needed, &equal)
            .map_err(|message| {
                let loc = program.module.loc(program.module.root());
                diagnostics.error(loc, message)
            })?;
        for (id, data) in globals {
            if !equal.contains_key(&id) {
                let defined = emitter.define_global(id, data);
                let loc = program.module.loc(program.globals[id].op);
                defined.map_err(|message| diagnostics.error(loc, message))?;
            }
        }
        // Data goes before code, so that code is in one piece.
        let mut report = |function: &CompiledFunction, message: String| {
            diagnostics.error(program.functions[function.id].loc, message)
        };
        let mut data = Vec::with_capacity(compiled.len());
        for function in compiled {
            let ids = emitter.define_local_data(function);
            data.push(ids.map_err(|message| report(function, message))?);
        }
        for (function, data) in compiled.iter().zip(&data) {
            let defined = emitter.define(function, data);
            defined.map_err(|message| report(function, message))?;
        }
        Ok(emitter)
    }

    /// A function of the module that other objects see under the name of a function of the C library
    /// would take its place wherever generated code calls that. In memory nothing is found by name.
    pub(crate) fn refuse_definitions(
        &self,
        used: impl Iterator<Item = &'p str>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Failed> {
        if self.seen.purpose == Purpose::Jit {
            return Ok(());
        }
        let used: FxHashSet<&str> = used.collect();
        let mut result = Ok(());
        for function in self.seen.functions.values() {
            let name = function.link_name.as_str();
            if function.linkage == Linkage::Export && used.contains(name) {
                let message = format!(
                    "redefinition of symbol named '{name}', which generated code expects from the \
                     C library: make the function private"
                );
                result = Err(diagnostics.error(function.loc, message));
            }
        }
        result
    }

    /// Declares all functions and needed globals. Those in `equal` are the other one that it says.
    fn declare(
        &mut self,
        compiled: &[CompiledFunction],
        needed: &FxHashSet<GlobalId>,
        equal: &FxHashMap<GlobalId, GlobalId>,
    ) -> Result<(), String> {
        let used = used_symbols(compiled);
        // Cranelift compares the signatures of declarations of one name, which
        // MLIR does not promise to be equal. Nothing else looks at them.
        let signature = self.module.make_signature();
        for (id, function) in self.program.functions.iter() {
            let linkage = match function.linkage {
                Linkage::Import if !used.functions.contains(&id) => continue,
                linkage => clif_linkage(linkage),
            };
            let declared = self
                .module
                .declare_function(&function.link_name, linkage, &signature)
                .map_err(message)?;
            self.functions[id] = Some(declared);
        }
        for (id, global) in self.program.globals.iter() {
            if let Some(&other) = equal.get(&id) {
                self.globals[id] = self.globals[other];
                continue;
            }
            let (name, linkage) = match global.linkage {
                _ if self.globals[id].is_some() => continue,
                _ if !needed.contains(&id) => continue,
                Linkage::Local => (
                    self.program.local_name(global.link_name),
                    ClifLinkage::Local,
                ),
                linkage => (global.link_name.to_owned(), clif_linkage(linkage)),
            };
            let is_constant = memref::Global(global.op).is_constant(self.program.module);
            let declared = self
                .module
                .declare_data(&name, linkage, !is_constant, false)
                .map_err(message)?;
            self.globals[id] = Some(declared);
        }
        Ok(())
    }

    /// The symbol of a global that is there already, because the first version has it too.
    fn of_first(&self, id: GlobalId) -> Option<DataId> {
        let (shared, symbol) = self.first.get(self.program.globals[id].link_name)?;
        (Shared::of(self.program, id)? == *shared).then_some(*symbol)
    }

    fn define_global(&mut self, id: GlobalId, data: GlobalData<'p>) -> Result<(), String> {
        let declared = self.globals[id].ok_or("global is not declared")?;
        let mut description = DataDescription::new();
        description.set_align(data.alignment);
        match data.contents {
            Contents::Zeros => description.define_zeroinit(data.size),
            Contents::Shared(bytes) if data.size >= LARGE_BYTES => {
                match self.program.purpose {
                    Purpose::Jit => description.define_zeroinit(data.size),
                    Purpose::Object { .. } => description.define(Box::new([])),
                }
                let global = memref::Global(self.program.globals[id].op);
                self.large.push(LargeData {
                    id: declared,
                    bytes,
                    alignment: data.alignment,
                    is_constant: global.is_constant(self.program.module),
                });
            }
            Contents::Shared(bytes) => description.define(bytes.into()),
            Contents::Elements(elements) => {
                description.define(elements.converted(data.element_size, data.size).into());
            }
        }
        for (offset, id, distance) in data.addresses {
            let target = self.globals[id].ok_or("global is not declared")?;
            let target = self.module.declare_data_in_data(target, &mut description);
            description.write_data_addr(offset, target, distance);
        }
        self.module
            .define_data(declared, &description)
            .map_err(message)
    }

    fn define(&mut self, function: &CompiledFunction, data: &[DataId]) -> Result<(), String> {
        let mut relocs = Vec::with_capacity(function.relocs.len());
        for reloc in &function.relocs {
            let mut reloc = reloc.clone();
            if let ModuleRelocTarget::User { namespace, index } = reloc.name {
                reloc.name = self.target(function, namespace, index, data)?;
            }
            relocs.push(reloc);
        }
        let Some(id) = self.functions[function.id] else {
            return Ok(());
        };
        self.module
            .define_function_bytes(id, function.alignment, &function.code, &relocs)
            .map_err(message)
    }

    /// The symbol that a pair of numbers in the code of `function` means.
    fn target(
        &mut self,
        function: &CompiledFunction,
        namespace: u32,
        index: u32,
        local_data: &[DataId],
    ) -> Result<ModuleRelocTarget, String> {
        let undeclared = || format!("symbol {namespace}:{index} is not declared");
        let func = |id: FuncId| ModuleRelocTarget::user(0, id.as_u32());
        let data = |id: DataId| ModuleRelocTarget::user(1, id.as_u32());
        match namespace {
            namespace::FUNCTION => self.functions[FunctionId::from_u32(index)]
                .map(func)
                .ok_or_else(undeclared),
            namespace::GLOBAL => self.globals[GlobalId::from_u32(index)]
                .map(data)
                .ok_or_else(undeclared),
            namespace::EXTERNAL => {
                let name = function.references.externals[index as usize].name;
                self.external(self.program.symbol_of(name)).map(func)
            }
            _ => Ok(data(local_data[index as usize])),
        }
    }

    fn external(&mut self, name: &'p str) -> Result<FuncId, String> {
        if let Some(&id) = self.externals.get(name) {
            return Ok(id);
        }
        let signature = self.module.make_signature();
        let linkage = ClifLinkage::Import;
        let symbol = self.program.external_symbol(name);
        let id = self
            .module
            .declare_function(&symbol, linkage, &signature)
            .map_err(message)?;
        self.externals.insert(name, id);
        Ok(id)
    }

    /// Defines the constants of a function; pointers go to earlier ones.
    fn define_local_data(&mut self, function: &CompiledFunction) -> Result<Vec<DataId>, String> {
        let mut ids: Vec<DataId> = Vec::with_capacity(function.references.data.len());
        for data in &function.references.data {
            let mut description = DataDescription::new();
            description.define(data.bytes.clone().into());
            description.set_align(8);
            if let Some((offset, target)) = data.pointer {
                let target = ids[target as usize];
                let target = self.module.declare_data_in_data(target, &mut description);
                description.write_data_addr(offset, target, 0);
            }
            let id = self
                .module
                .declare_anonymous_data(false, false)
                .map_err(message)?;
            self.module.define_data(id, &description).map_err(message)?;
            ids.push(id);
        }
        Ok(ids)
    }

    /// The symbols of the functions of the program that were defined or are referred to.
    pub(crate) fn symbols(&self) -> SecondaryMap<FunctionId, Option<FuncId>> {
        self.functions.clone()
    }

    /// The symbol of a function that was defined or is referred to.
    pub(crate) fn function(&self, id: FunctionId) -> Option<FuncId> {
        self.functions[id]
    }

    /// The symbol of a global that is defined here.
    pub(crate) fn own_global(&self, id: GlobalId) -> Option<DataId> {
        self.globals[id].filter(|_| self.program.globals[id].linkage != Linkage::Import)
    }
}

fn clif_linkage(linkage: Linkage) -> ClifLinkage {
    match linkage {
        Linkage::Import => ClifLinkage::Import,
        Linkage::Export => ClifLinkage::Export,
        Linkage::Local => ClifLinkage::Local,
    }
}

/// Number of elements, bytes per element, and bytes of a global, if it has a
/// size that a process can have.
fn global_extent(program: &Program<'_>, id: GlobalId) -> Option<(u64, usize, usize)> {
    let context = program.context;
    let ty = memref::Global(program.globals[id].op).memref_type(program.module)?;
    let memref = context.as_memref(ty)?;
    let element_size = context.element_byte_size(memref.element)?;
    let n_elements = u64::try_from(memref.n_elements()?).ok()?;
    let size = n_elements.checked_mul(element_size)?;
    let size = usize::try_from(size).ok().filter(|&size| size < 1 << 46)?;
    Some((n_elements, element_size as usize, size))
}

/// Bytes of a global that is defined here (else none), and whether it is constant.
pub(crate) fn global_size(program: &Program<'_>, id: GlobalId) -> (usize, bool) {
    let global = &program.globals[id];
    let is_constant = memref::Global(global.op).is_constant(program.module);
    match global_extent(program, id) {
        // Cranelift gives empty data a byte.
        Some((_, _, size)) if global.linkage != Linkage::Import => (size + 1, is_constant),
        _ => (0, is_constant),
    }
}

/// What a global that is defined here is initialized with.
struct GlobalData<'p> {
    alignment: u64,
    /// In bytes.
    size: usize,
    /// In bytes.
    element_size: usize,
    contents: Contents<'p>,
    /// Where it has the address of another one, and how far behind the beginning of that.
    addresses: Vec<(u32, GlobalId, i64)>,
}

enum Contents<'p> {
    Zeros,
    /// Bytes of the program.
    Shared(&'p [u8]),
    /// Elements that are stored differently.
    Elements(Elements<'p>),
}

/// The elements of a constant.
struct Elements<'p> {
    is_bool: bool,
    /// Whether there is one that stands for all.
    splat: bool,
    n: usize,
    bytes: Cow<'p, [u8]>,
}

impl<'p> GlobalData<'p> {
    fn new(
        program: &'p Program<'_>,
        id: GlobalId,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        let op = program.globals[id].op;
        let (ir, context) = (program.module, program.context);
        let loc = ir.loc(op);
        let Some((n_elements, element_size, size)) = global_extent(program, id) else {
            let message = "'memref.global' op cannot be lowered to native code";
            return Err(diagnostics.error(loc, message));
        };
        let alignment = ir.attr(op, Name::ALIGNMENT);
        let alignment = alignment
            .and_then(|attr| context.attr_integer(attr))
            .and_then(|alignment| u64::try_from(alignment).ok())
            .unwrap_or(1)
            .max((element_size as u64).next_power_of_two().min(64));
        // The JIT places data on pages.
        let max_alignment = match program.purpose {
            Purpose::Jit => 1 << 12,
            Purpose::Object { .. } => 1 << 16,
        };
        if !alignment.is_power_of_two() || alignment > max_alignment {
            return Err(diagnostics.error(loc, "'memref.global' op alignment is not supported"));
        }
        let Some(addresses) = addresses(program, op, size) else {
            return Err(diagnostics.error(
                loc,
                "'memref.global' op begins with addresses that are not there",
            ));
        };
        let contents = match memref::Global(op).initial_value(ir) {
            None => Contents::Zeros,
            Some(value) => {
                let elements = Elements::new(ir, value, n_elements, element_size);
                let elements = elements.map_err(|message| diagnostics.error(loc, message))?;
                match addresses.is_empty() {
                    true => elements.contents(element_size, size),
                    false => Contents::Elements(elements),
                }
            }
        };
        Ok(Self {
            alignment,
            size,
            element_size,
            contents,
            addresses,
        })
    }
}

/// The globals that others see, or that compiled functions or such globals refer to: constants of tensors that became scalars
/// are left behind, as large as the tensors.
pub(crate) fn needed_globals(
    program: &Program<'_>,
    compiled: &[CompiledFunction],
) -> FxHashSet<GlobalId> {
    let mut needed = used_symbols(compiled).globals;
    let globals = program.globals.iter();
    let seen = globals.filter(|(_, global)| global.linkage == Linkage::Export);
    needed.extend(seen.map(|(id, _)| id));
    let mut left: Vec<GlobalId> = needed.iter().copied().collect();
    while let Some(id) = left.pop() {
        let addresses = memref::Global(program.globals[id].op).addresses(program.module);
        for (_, name, _) in addresses.unwrap_or_default() {
            if let Some(other) = program.global(name)
                && needed.insert(other)
            {
                left.push(other);
            }
        }
    }
    needed
}

/// The addresses that a global of `size` bytes begins with, if all are those of globals that are defined here.
fn addresses(program: &Program<'_>, op: Op, size: usize) -> Option<Vec<(u32, GlobalId, i64)>> {
    let addresses = memref::Global(op).addresses(program.module)?;
    let known = addresses.into_iter().map(|(offset, name, distance)| {
        let id = program.global(name)?;
        let is_here = program.globals[id].linkage != Linkage::Import;
        let is_inside = offset.checked_add(8)? <= size as u64;
        let offset = u32::try_from(offset).ok()?;
        (is_here && is_inside).then_some((offset, id, distance))
    });
    known.collect()
}

impl<'p> Elements<'p> {
    /// The elements of a constant of any form: as they are, from the file's metadata, or zeros with
    /// values in between.
    fn new(
        module: &'p Ir,
        attr: Attr,
        n_elements: u64,
        element_size: usize,
    ) -> Result<Self, String> {
        const MESSAGE: &str = "'memref.global' op initial value cannot be lowered to native code";
        let context = module.context();
        let n = usize::try_from(n_elements).map_err(|_| MESSAGE)?;
        let elements = |ty, splat, bytes| Self {
            is_bool: context.integer_width(context.element_type_or_self(ty)) == Some(1),
            splat,
            n,
            bytes,
        };
        match context.attr_kind(attr) {
            AttrKind::DenseElements(dense) => {
                Ok(elements(dense.ty, dense.splat, Cow::Borrowed(&dense.bytes)))
            }
            AttrKind::DenseResource { ty, key } => {
                let Some(bytes) = metadata::blob(module, key) else {
                    return Err(format!("the file has no resource '{key}'"));
                };
                let n_expected = n * element_size;
                if bytes.len() != n_expected {
                    let n_bytes = bytes.len();
                    return Err(format!(
                        "resource '{key}' has {n_bytes} bytes, but its type takes {n_expected}"
                    ));
                }
                Ok(elements(*ty, false, Cow::Borrowed(bytes)))
            }
            AttrKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                let dense = sparse_elements(context, *ty, (*indices, *values), n, element_size);
                Ok(elements(*ty, false, Cow::Owned(dense.ok_or(MESSAGE)?)))
            }
            _ => Err(MESSAGE.to_owned()),
        }
    }

    /// How many bytes one is stored in.
    fn stored_size(&self) -> usize {
        let n_stored = if self.splat { 1 } else { self.n };
        self.bytes.len().checked_div(n_stored).unwrap_or(0)
    }

    /// What becomes of them in a global of `size` bytes.
    fn contents(self, element_size: usize, size: usize) -> Contents<'p> {
        if self.bytes.iter().all(|&byte| byte == 0) {
            return Contents::Zeros;
        }
        let is_same = !self.splat && !self.is_bool && self.stored_size() == element_size;
        match self.bytes {
            Cow::Borrowed(bytes) if is_same && bytes.len() == size => Contents::Shared(bytes),
            _ => Contents::Elements(self),
        }
    }

    /// The elements as native code has them.
    fn converted(&self, element_size: usize, size: usize) -> Vec<u8> {
        let stored_size = self.stored_size();
        let mut bytes = Vec::with_capacity(size);
        for element in self.bytes.chunks_exact(stored_size.max(1)) {
            let start = bytes.len();
            bytes.extend_from_slice(&element[..stored_size.min(element_size)]);
            bytes.resize(start + element_size, 0);
            if self.is_bool {
                bytes[start] &= 1;
            }
        }
        if self.splat {
            bytes = bytes.repeat(self.n);
        }
        bytes.resize(size, 0);
        bytes
    }
}

/// The elements of `sparse<indices, values>`.
fn sparse_elements(
    context: &Context,
    ty: Type,
    (indices, values): (Attr, Attr),
    n_elements: usize,
    element_size: usize,
) -> Option<Vec<u8>> {
    let (indices, values) = (context.attr_dense(indices)?, context.attr_dense(values)?);
    let shape = context.shape(ty)?;
    let n_values = match values.splat {
        true => 1,
        false => context.shape(values.ty)?.iter().product::<i64>() as usize,
    };
    let stored_size = (values.bytes.len().checked_div(n_values)).unwrap_or(element_size);
    let mut bytes = vec![0; n_elements * stored_size];
    // One coordinate per dimension for each value; a splat says that all are the same.
    let coordinates = |number: usize| {
        let at = if indices.splat { 0 } else { number };
        let bytes = indices.bytes.get(8 * at..8 * at + 8)?;
        usize::try_from(i64::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let n_places = context.shape(indices.ty)?.first().copied().unwrap_or(1);
    for place in 0..usize::try_from(n_places).ok()? {
        let mut linear = 0;
        for (dim, &size) in shape.iter().enumerate() {
            linear = linear * usize::try_from(size).ok()? + coordinates(place * shape.len() + dim)?;
        }
        let value = if values.splat { 0 } else { place };
        let value = values
            .bytes
            .get(value * stored_size..(value + 1) * stored_size)?;
        bytes
            .get_mut(linear * stored_size..(linear + 1) * stored_size)?
            .copy_from_slice(value);
    }
    Some(bytes)
}

/// Private constants that have the bytes of an earlier one, which serves for both.
fn equal_constants(
    program: &Program<'_>,
    globals: &[(GlobalId, GlobalData<'_>)],
) -> FxHashMap<GlobalId, GlobalId> {
    // What begins alike is compared as a whole.
    const N_COMPARED_FIRST: usize = 64;
    let mut of_beginning: FxHashMap<_, Vec<(GlobalId, &[u8])>> = FxHashMap::default();
    let mut equal = FxHashMap::default();
    for (id, data) in globals {
        let global = &program.globals[*id];
        let is_constant = memref::Global(global.op).is_constant(program.module);
        let Contents::Shared(bytes) = data.contents else {
            continue;
        };
        if global.linkage != Linkage::Local || !is_constant {
            continue;
        }
        let beginning = &bytes[..bytes.len().min(N_COMPARED_FIRST)];
        let key = (beginning, bytes.len(), data.alignment);
        let others = of_beginning.entry(key).or_default();
        match others.iter().find(|(_, other)| *other == bytes) {
            Some(&(other, _)) => {
                equal.insert(*id, other);
            }
            None => others.push((*id, bytes)),
        }
    }
    equal
}
