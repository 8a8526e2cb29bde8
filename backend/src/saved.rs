//! Machine code as bytes that another process takes up again: what a cache keeps of a program.
//!
//! It is code for the program that it was made for and no other: numbers of functions and globals are those of that
//! program. Pieces compiled apart from its functions are added to it again. Callers vouch for that; damaged code is
//! refused, so that at worst the program is compiled again.

use cranelift_codegen::binemit::Reloc;
use cranelift_module::{ModuleReloc, ModuleRelocTarget};

use crate::external;
use crate::program::{Body, FunctionId, Program};
use crate::references::{CompiledFunction, LocalData, References, namespace};

/// The kinds of relocations, by the number that stands for each.
const RELOCS: [Reloc; 11] = [
    Reloc::Abs4,
    Reloc::Abs8,
    Reloc::X86PCRel4,
    Reloc::X86CallPCRel4,
    Reloc::X86CallPLTRel4,
    Reloc::X86GOTPCRel4,
    Reloc::Arm64Call,
    Reloc::Aarch64AdrGotPage21,
    Reloc::Aarch64Ld64GotLo12Nc,
    Reloc::Aarch64AdrPrelPgHi21,
    Reloc::Aarch64AddAbsLo12Nc,
];

/// Code as bytes; nothing if there is something in it that has no such form.
pub(crate) fn encode(functions: &[CompiledFunction], program: &Program<'_>) -> Option<Vec<u8>> {
    let mut out = Writer(Vec::new());
    let apart = program.functions.values().filter_map(|f| match f.body {
        Body::Kernel(whole) => Some((f, whole, 0)),
        Body::Part(whole, number) => Some((f, whole, number as u64 + 1)),
        _ => None,
    });
    let apart: Vec<_> = apart.collect();
    out.number(apart.len() as u64);
    for (function, whole, kind) in apart {
        let name = function.link_name.rsplit('.').next().unwrap_or_default();
        out.number(u64::from(whole.as_u32()));
        out.number(kind);
        out.bytes(name.as_bytes());
    }
    out.number(functions.len() as u64);
    for function in functions {
        out.number(u64::from(function.id.as_u32()));
        out.number(function.alignment);
        out.bytes(&function.code);
        out.number(function.relocs.len() as u64);
        for reloc in &function.relocs {
            let kind = RELOCS.iter().position(|kind| *kind == reloc.kind)?;
            out.number(kind as u64);
            out.number(u64::from(reloc.offset));
            out.number(reloc.addend as u64);
            match reloc.name {
                ModuleRelocTarget::User { namespace, index } => {
                    out.number(0);
                    out.number(u64::from(namespace));
                    out.number(u64::from(index));
                }
                ModuleRelocTarget::FunctionOffset(function, offset) => {
                    out.number(1);
                    out.number(u64::from(function.as_u32()));
                    out.number(u64::from(offset));
                }
                _ => return None,
            }
        }
        out.number(function.references.externals.len() as u64);
        for external in &function.references.externals {
            out.bytes(external.name.as_bytes());
        }
        out.number(function.references.data.len() as u64);
        for data in &function.references.data {
            out.bytes(&data.bytes);
            let (at, to) = data.pointer.map_or((u32::MAX, 0), |pointer| pointer);
            out.number(u64::from(at));
            out.number(u64::from(to));
        }
    }
    Some(out.0)
}

/// The inverse of [`encode`], for the program that the code was made for; nothing if it is damaged.
pub(crate) fn decode(bytes: &[u8], program: &mut Program<'_>) -> Option<Vec<CompiledFunction>> {
    let mut reader = Reader(bytes);
    let mut apart = Vec::new();
    for _ in 0..reader.count()? {
        let whole = reader.small()?;
        if whole as usize >= program.functions.len() {
            return None;
        }
        let whole = FunctionId::from_u32(whole);
        let body = match usize::try_from(reader.number()?).ok()? {
            0 => Body::Kernel(whole),
            number => Body::Part(whole, number - 1),
        };
        apart.push((whole, std::str::from_utf8(reader.bytes()?).ok()?, body));
    }
    let n_functions = program.functions.len() + apart.len();
    let n = reader.count()?;
    let mut functions = Vec::new();
    for _ in 0..n {
        functions.push(function(&mut reader, n_functions, program.globals.len())?);
    }
    if !reader.0.is_empty() {
        return None;
    }
    for (whole, name, body) in apart {
        program.add_apart(whole, name, body);
    }
    Some(functions)
}

fn function(
    reader: &mut Reader<'_>,
    n_functions: usize,
    n_globals: usize,
) -> Option<CompiledFunction> {
    let id = reader.small()?;
    if id as usize >= n_functions {
        return None;
    }
    let alignment = reader.number()?;
    if !alignment.is_power_of_two() || alignment > 4096 {
        return None;
    }
    let code = reader.bytes()?.to_vec();
    let n = reader.count()?;
    let mut relocs = Vec::new();
    for _ in 0..n {
        let kind = *RELOCS.get(usize::try_from(reader.number()?).ok()?)?;
        let offset = reader.small()?;
        let addend = reader.number()? as i64;
        let (target, first, second) = (reader.number()?, reader.small()?, reader.small()?);
        if offset as usize >= code.len() {
            return None;
        }
        let name = match target {
            0 => ModuleRelocTarget::User {
                namespace: first,
                index: second,
            },
            1 => {
                ModuleRelocTarget::FunctionOffset(cranelift_module::FuncId::from_u32(first), second)
            }
            _ => return None,
        };
        relocs.push(ModuleReloc {
            offset,
            kind,
            name,
            addend,
        });
    }
    let mut references = References::default();
    for _ in 0..reader.count()? {
        let name = std::str::from_utf8(reader.bytes()?).ok()?;
        references
            .externals
            .push(external::all().find(|external| external.name == name)?);
    }
    for _ in 0..reader.count()? {
        let bytes = reader.bytes()?.to_vec();
        let (at, to) = (reader.small()?, reader.small()?);
        references.data.push(LocalData {
            bytes,
            pointer: (at != u32::MAX).then_some((at, to)),
        });
    }
    let names_what_is_there = relocs.iter().all(|reloc| match reloc.name {
        ModuleRelocTarget::User { namespace, index } => {
            let n = match namespace {
                namespace::FUNCTION => n_functions,
                namespace::GLOBAL => n_globals,
                namespace::EXTERNAL => references.externals.len(),
                namespace::LOCAL_DATA => references.data.len(),
                _ => 0,
            };
            (index as usize) < n
        }
        _ => true,
    });
    let n_data = references.data.len() as u32;
    let mut pointers = references
        .data
        .iter()
        .filter_map(|data| Some((data, data.pointer?)));
    let points_to_what_is_there = pointers.all(|(data, (at, to))| {
        to < n_data && data.bytes.len() >= 8 && at as usize <= data.bytes.len() - 8
    });
    (names_what_is_there && points_to_what_is_there).then_some(CompiledFunction {
        id: FunctionId::from_u32(id),
        code,
        alignment,
        relocs,
        // Debuggers do not look into code from a cache.
        unwind: None,
        lines: Vec::new(),
        references,
        text: String::new(),
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// The length of a list, each element of which takes a byte at least.
    fn count(&mut self) -> Option<usize> {
        let n = usize::try_from(self.number()?).ok()?;
        (n <= self.0.len()).then_some(n)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = self.count()?;
        let (bytes, rest) = self.0.split_at(n);
        self.0 = rest;
        Some(bytes)
    }
}
