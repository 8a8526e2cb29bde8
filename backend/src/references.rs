//! What compiled code refers to, as long as it has no symbols yet.
//!
//! While functions are compiled they refer to each other, to globals, to the C
//! library and to constants of their own by pairs of numbers: a [`namespace`]
//! and an index. [`Emitter`](crate::emit::Emitter) turns these into symbols.

use std::collections::BTreeSet;

use cranelift_codegen::gimli::write::CallFrameInstruction;
use cranelift_codegen::isa::unwind::UnwindInfo;
use cranelift_module::{ModuleReloc, ModuleRelocTarget};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::location::Loc;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::external::External;
use crate::program::{FunctionId, GlobalId};

/// What the first number of a reference says.
pub(crate) mod namespace {
    /// The second number is a `FunctionId`.
    pub(crate) const FUNCTION: u32 = 0;
    /// The second number is a `GlobalId`.
    pub(crate) const GLOBAL: u32 = 1;
    /// The second number counts the externals of the function.
    pub(crate) const EXTERNAL: u32 = 2;
    /// The second number counts the constants of the function.
    pub(crate) const LOCAL_DATA: u32 = 3;
}

/// Constant data that one function refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LocalData {
    /// Contents.
    pub(crate) bytes: Vec<u8>,
    /// Offset of a pointer in `bytes`, and the number of the data it points to.
    pub(crate) pointer: Option<(u32, u32)>,
}

impl LocalData {
    /// Bytes without pointers.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            pointer: None,
        }
    }
}

/// What one function refers to besides functions and globals of the program.
#[derive(Default)]
pub(crate) struct References {
    /// Functions of the C library and the runtime, by number.
    pub(crate) externals: Vec<&'static External>,
    /// Constants, by number.
    pub(crate) data: Vec<LocalData>,
    data_index: FxHashMap<LocalData, u32>,
    sites: FxHashMap<Loc, Option<u32>>,
}

impl References {
    /// The number of a function of the C library or the runtime.
    pub(crate) fn external(&mut self, external: &'static External) -> u32 {
        self.externals.push(external);
        self.externals.len() as u32 - 1
    }

    /// The number of constant data; equal data has one number.
    pub(crate) fn data(&mut self, data: LocalData) -> u32 {
        if let Some(&index) = self.data_index.get(&data) {
            return index;
        }
        let index = self.data.len() as u32;
        self.data.push(data.clone());
        self.data_index.insert(data, index);
        index
    }

    /// The number of the runtime's description of a place: an `AllocSite`.
    pub(crate) fn site(&mut self, context: &Context, loc: Loc) -> Option<u32> {
        if let Some(&index) = self.sites.get(&loc) {
            return index;
        }
        let index = context.resolve_loc(loc).map(|at| {
            let file = self.data(LocalData::bytes(at.file.as_bytes()));
            let mut bytes = vec![0; 8];
            bytes.extend((at.file.len() as u64).to_le_bytes());
            bytes.extend(at.line.to_le_bytes());
            bytes.extend(at.column.to_le_bytes());
            self.data(LocalData {
                bytes,
                pointer: Some((0, file)),
            })
        });
        self.sites.insert(loc, index);
        index
    }
}

/// Where code of a function comes from, up to the next entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineEntry {
    /// Offset of the code in the function.
    pub(crate) start: u32,
    /// Its operation's location.
    pub(crate) loc: Loc,
}

/// How to walk through the frame of a function.
pub(crate) enum Unwind {
    /// As Cranelift says.
    Cranelift(UnwindInfo),
    /// What changes at which offset.
    Kernel {
        /// Bytes of the function.
        length: u32,
        /// Offsets and changes.
        instructions: Vec<(u32, CallFrameInstruction)>,
    },
}

/// One function as machine code.
pub(crate) struct CompiledFunction {
    /// Which.
    pub(crate) id: FunctionId,
    /// Instructions.
    pub(crate) code: Vec<u8>,
    /// Alignment of the code.
    pub(crate) alignment: u64,
    /// References to pairs of numbers.
    pub(crate) relocs: Vec<ModuleReloc>,
    /// For stack walks.
    pub(crate) unwind: Option<Unwind>,
    /// Where it comes from, in the order of the code; nothing unless debug information is wanted.
    pub(crate) lines: Vec<LineEntry>,
    /// What some of the numbers mean.
    pub(crate) references: References,
    /// See [`Keep`](crate::compile::Keep).
    pub(crate) text: String,
}

impl CompiledFunction {
    /// The functions of the program it refers to.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.relocs.iter().filter_map(|reloc| match reloc.name {
            ModuleRelocTarget::User {
                namespace: namespace::FUNCTION,
                index,
            } => Some(FunctionId::from_u32(index)),
            _ => None,
        })
    }

    /// The globals it refers to.
    fn globals(&self) -> impl Iterator<Item = GlobalId> + '_ {
        self.relocs.iter().filter_map(|reloc| match reloc.name {
            ModuleRelocTarget::User {
                namespace: namespace::GLOBAL,
                index,
            } => Some(GlobalId::from_u32(index)),
            _ => None,
        })
    }

    /// Bytes of code, with room for alignment and for jumps that calls may need
    /// to reach far.
    pub(crate) fn code_size(&self) -> usize {
        self.code.len() + 24 * self.relocs.len() + 2 * self.alignment as usize + 16
    }

    /// Bytes of constants, with room for alignment.
    pub(crate) fn data_size(&self) -> usize {
        let sizes = self.references.data.iter();
        sizes.map(|data| data.bytes.len() + 16).sum()
    }
}

/// The symbols that code refers to.
pub(crate) struct UsedSymbols {
    /// Functions.
    pub(crate) functions: FxHashSet<FunctionId>,
    /// Globals.
    pub(crate) globals: FxHashSet<GlobalId>,
    /// Names of functions of the C library and the runtime, sorted.
    pub(crate) externals: BTreeSet<&'static str>,
}

/// What compiled functions refer to.
pub(crate) fn used_symbols(compiled: &[CompiledFunction]) -> UsedSymbols {
    UsedSymbols {
        functions: compiled.iter().flat_map(|f| f.functions()).collect(),
        globals: compiled.iter().flat_map(|f| f.globals()).collect(),
        externals: compiled
            .iter()
            .flat_map(|f| f.references.externals.iter().map(|external| external.name))
            .collect(),
    }
}
