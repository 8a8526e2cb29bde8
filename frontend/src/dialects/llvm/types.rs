//! Types of the dialect: pointers, structs, arrays, functions. A type is kept as text
//! (`TypeKind::Dialect`); this file reads that text, writes it as upstream does, and knows how large
//! values are in memory.

use crate::ir::context::Context;
use crate::ir::types::{Signedness, Type, TypeKind};
use crate::syntax::printer::type_to_string;

/// How deep types may be nested.
const MAX_DEPTH: u32 = 64;

/// A type of the dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LlvmType {
    /// `!llvm.ptr<1>`: an address in this space.
    Pointer(u32),
    /// `!llvm.void`
    Void,
    /// `!llvm.struct<"name", packed (i32, ptr)>`
    Struct {
        /// Its name as it is written, with quotes.
        name: Option<String>,
        /// Whether there is no padding.
        packed: bool,
        /// The types of its members; `None` where they are not told.
        members: Option<Vec<Type>>,
    },
    /// `!llvm.array<4 x f32>`
    Array(u64, Type),
    /// `!llvm.vec<4 x ptr>`
    Vector(u64, Type),
    /// `!llvm.func<i32 (ptr, ...)>`
    Function {
        /// What it returns, maybe `!llvm.void`.
        result: Type,
        /// What it takes.
        inputs: Vec<Type>,
        /// Whether it takes more than that.
        variadic: bool,
    },
}

/// How large a value is in memory, and what its address is a multiple of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The distance between neighbours in an array, in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub alignment: u64,
}

/// The type of the dialect that `ty` is.
pub fn of(context: &Context, ty: Type) -> Option<LlvmType> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    if context.name(*dialect) != "llvm" {
        return None;
    }
    Reader::new(context, body).whole_body()
}

/// Types that nothing here computes with; they are kept as text.
const OPAQUE: &[&str] = &[
    "label",
    "metadata",
    "ppc_fp128",
    "target",
    "token",
    "x86_amx",
    "x86_mmx",
];

/// The body of a type as upstream writes it, if it is one of this dialect. What has types inside that no
/// value here has, such as memrefs, is kept as it is.
pub(super) fn canonical_body(context: &Context, body: &str) -> Option<String> {
    if let Some(ty) = Reader::new(context, body).whole_body() {
        return Some(text(context, &ty));
    }
    let word = Reader::new(context, body).word();
    let has_types = matches!(word, "array" | "func" | "struct" | "vec") && body.ends_with('>');
    (has_types || OPAQUE.contains(&word)).then(|| body.to_owned())
}

/// The id of a type of the dialect.
pub fn intern(context: &Context, ty: &LlvmType) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("llvm"),
        body: text(context, ty).into(),
    })
}

/// `!llvm.ptr`
pub fn pointer(context: &Context) -> Type {
    intern(context, &LlvmType::Pointer(0))
}

/// Whether `ty` is a pointer.
pub fn is_pointer(context: &Context, ty: Type) -> bool {
    matches!(of(context, ty), Some(LlvmType::Pointer(_)))
}

/// Whether `ty` is `!llvm.void`.
pub fn is_void(context: &Context, ty: Type) -> bool {
    of(context, ty) == Some(LlvmType::Void)
}

/// The types that an aggregate is made of, in order; `None` for other types.
pub fn members(context: &Context, ty: Type) -> Option<Vec<Type>> {
    match of(context, ty)? {
        LlvmType::Struct { members, .. } => members,
        LlvmType::Array(n, element) => Some(vec![element; usize::try_from(n).ok()?]),
        _ => None,
    }
}

/// The type of member number `index` of an aggregate.
pub fn member(context: &Context, ty: Type, index: i64) -> Option<Type> {
    let index = u64::try_from(index).ok()?;
    match of(context, ty)? {
        LlvmType::Struct { members, .. } => members?.get(usize::try_from(index).ok()?).copied(),
        LlvmType::Array(n, element) => (index < n).then_some(element),
        _ => None,
    }
}

/// How values of `ty` lie in memory, by LLVM's rules for x86-64 and AArch64; `None` if there are none.
pub fn layout(context: &Context, ty: Type) -> Option<Layout> {
    let scalar = |bytes: u64| Layout {
        size: bytes,
        alignment: bytes,
    };
    // As many bits as all elements have, up to a power of two.
    let vector = |n: u64, element: Type| {
        let bits = match context.type_kind(element) {
            TypeKind::Integer { width, .. } => u64::from(*width),
            _ => layout(context, element)?.size * 8,
        };
        let bytes = bits.checked_mul(n)?.div_ceil(8).max(1);
        bytes.checked_next_power_of_two().map(scalar)
    };
    Some(match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => {
            let bytes = u64::from(*width).div_ceil(8).max(1);
            scalar(bytes.next_power_of_two()).filter_widest()?
        }
        TypeKind::Index => scalar(8),
        TypeKind::Float(kind) if matches!(kind.width(), 8 | 16 | 32 | 64) => {
            scalar(u64::from(kind.width() / 8))
        }
        TypeKind::Vector { shape, element, .. } => {
            let [n] = **shape else { return None };
            vector(u64::try_from(n).ok()?, *element)?
        }
        _ => match of(context, ty)? {
            LlvmType::Pointer(_) => scalar(8),
            LlvmType::Vector(n, element) => vector(n, element)?,
            LlvmType::Array(n, element) => {
                let element = layout(context, element)?;
                Layout {
                    size: element.size.checked_mul(n)?,
                    alignment: element.alignment,
                }
            }
            LlvmType::Struct {
                packed, members, ..
            } => struct_layout(context, &members?, packed)?.1,
            LlvmType::Void | LlvmType::Function { .. } => return None,
        },
    })
}

impl Layout {
    /// Nothing for integers of more than 128 bits.
    fn filter_widest(self) -> Option<Self> {
        (self.size <= 16).then_some(self)
    }
}

/// Where the members of a struct lie, and how large it is.
pub fn struct_layout(
    context: &Context,
    members: &[Type],
    packed: bool,
) -> Option<(Vec<u64>, Layout)> {
    let (mut size, mut alignment) = (0u64, 1);
    let mut offsets = Vec::with_capacity(members.len());
    for &member in members {
        let member = layout(context, member)?;
        if !packed {
            size = size.checked_next_multiple_of(member.alignment)?;
            alignment = alignment.max(member.alignment);
        }
        offsets.push(size);
        size = size.checked_add(member.size)?;
    }
    let size = size.checked_next_multiple_of(alignment)?;
    Some((offsets, Layout { size, alignment }))
}

/// A type inside of another one: `ptr`, `i32`, `vector<4xf32>`.
fn inner_text(context: &Context, ty: Type) -> String {
    match of(context, ty) {
        Some(ty) => text(context, &ty),
        None => type_to_string(context, ty),
    }
}

fn text(context: &Context, ty: &LlvmType) -> String {
    let list = |types: &[Type]| {
        let types: Vec<String> = types.iter().map(|&ty| inner_text(context, ty)).collect();
        types.join(", ")
    };
    match ty {
        LlvmType::Pointer(0) => "ptr".to_owned(),
        LlvmType::Pointer(space) => format!("ptr<{space}>"),
        LlvmType::Void => "void".to_owned(),
        LlvmType::Array(n, element) => format!("array<{n} x {}>", inner_text(context, *element)),
        LlvmType::Vector(n, element) => format!("vec<{n} x {}>", inner_text(context, *element)),
        LlvmType::Struct {
            name,
            packed,
            members,
        } => {
            let body = match members {
                Some(members) => {
                    let packed = if *packed { "packed " } else { "" };
                    format!("{packed}({})", list(members))
                }
                None => "opaque".to_owned(),
            };
            match name {
                Some(name) => format!("struct<{name}, {body}>"),
                None => format!("struct<{body}>"),
            }
        }
        LlvmType::Function {
            result,
            inputs,
            variadic,
        } => {
            let mut inputs = list(inputs);
            if *variadic {
                inputs.push_str(if inputs.is_empty() { "..." } else { ", ..." });
            }
            format!("func<{} ({inputs})>", inner_text(context, *result))
        }
    }
}

/// Reads types from text.
struct Reader<'a> {
    context: &'a Context,
    rest: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn new(context: &'a Context, text: &'a str) -> Self {
        Self {
            context,
            rest: text,
            depth: 0,
        }
    }

    fn whole_body(mut self) -> Option<LlvmType> {
        let word = self.word();
        let ty = self.body(word)?;
        self.rest.trim().is_empty().then_some(ty)
    }

    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.take(token).then_some(())
    }

    /// Letters, digits and underscores.
    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number(&mut self) -> Option<u64> {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    /// A type of any kind.
    fn ty(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let is_llvm = self.take("!llvm.");
        let word = self.word();
        let builtin = if is_llvm { None } else { self.builtin(word) };
        let ty = match builtin {
            Some(ty) => ty,
            None => {
                let ty = self.body(word)?;
                intern(self.context, &ty)
            }
        };
        self.depth -= 1;
        Some(ty)
    }

    /// `i32`, `f32`, `vector<4xf32>`: the types of other dialects that values here have.
    fn builtin(&mut self, word: &str) -> Option<Type> {
        if word == "vector" {
            return self.vector();
        }
        if let Some(width) = word.strip_prefix('i')
            && let Ok(width) = width.parse()
        {
            return (1..1 << 24).contains(&width).then(|| {
                self.context.intern_type(TypeKind::Integer {
                    width,
                    signedness: Signedness::Signless,
                })
            });
        }
        let kind = crate::ir::types::FloatKind::ALL
            .into_iter()
            .find(|kind| kind.keyword() == word)?;
        Some(self.context.intern_type(TypeKind::Float(kind)))
    }

    /// `<4xf32>`, of one dimension.
    fn vector(&mut self) -> Option<Type> {
        self.expect("<")?;
        let size = i64::try_from(self.number()?).ok()?;
        self.expect("x")?;
        let word = self.word();
        let element = self.builtin(word)?;
        self.expect(">")?;
        Some(self.context.intern_type(TypeKind::Vector {
            shape: Box::new([size]),
            scalable: Box::new([false]),
            element,
        }))
    }

    /// What follows `!llvm.` and `word`.
    fn body(&mut self, word: &str) -> Option<LlvmType> {
        Some(match word {
            "ptr" => match self.take("<") {
                true => {
                    let space = u32::try_from(self.number()?).ok()?;
                    self.expect(">")?;
                    LlvmType::Pointer(space)
                }
                false => LlvmType::Pointer(0),
            },
            "void" => LlvmType::Void,
            "array" | "vec" => {
                self.expect("<")?;
                let n = self.number()?;
                self.expect("x")?;
                let element = self.ty()?;
                self.expect(">")?;
                match word {
                    "array" => LlvmType::Array(n, element),
                    _ => LlvmType::Vector(n, element),
                }
            }
            "struct" => self.struct_body()?,
            "func" => {
                self.expect("<")?;
                let result = self.ty()?;
                self.expect("(")?;
                let (inputs, variadic) = self.types(true)?;
                self.expect(">")?;
                LlvmType::Function {
                    result,
                    inputs,
                    variadic,
                }
            }
            _ => return None,
        })
    }

    fn struct_body(&mut self) -> Option<LlvmType> {
        self.expect("<")?;
        self.rest = self.rest.trim_start();
        let mut name = None;
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let end = quoted.find('"')? + 2;
            name = Some(self.rest[..end].to_owned());
            self.rest = &self.rest[end..];
            // A struct that is named inside of itself has no members there.
            if self.take(">") {
                return None;
            }
            self.expect(",")?;
        }
        if self.take("opaque") {
            self.expect(">")?;
            return Some(LlvmType::Struct {
                name,
                packed: false,
                members: None,
            });
        }
        let packed = self.take("packed");
        self.expect("(")?;
        let (members, _) = self.types(false)?;
        self.expect(">")?;
        Some(LlvmType::Struct {
            name,
            packed,
            members: Some(members),
        })
    }

    /// `a, b)`, or `a, ...)`
    fn types(&mut self, may_be_variadic: bool) -> Option<(Vec<Type>, bool)> {
        let mut types = Vec::new();
        if self.take(")") {
            return Some((types, false));
        }
        loop {
            if may_be_variadic && self.take("...") {
                self.expect(")")?;
                return Some((types, true));
            }
            types.push(self.ty()?);
            if self.take(")") {
                return Some((types, false));
            }
            self.expect(",")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::llvm::DIALECT;

    fn parsed(context: &Context, body: &str) -> Type {
        let ty = Reader::new(context, body).whole_body().unwrap();
        intern(context, &ty)
    }

    #[test]
    fn text_is_written_as_upstream_writes_it() {
        let context = Context::with_dialects(&[&DIALECT]);
        for (read, written) in [
            ("ptr<0>", "ptr"),
            ("ptr<3>", "ptr<3>"),
            ("struct<(!llvm.ptr,i64)>", "struct<(ptr, i64)>"),
            ("struct<packed ( i8 , f32 )>", "struct<packed (i8, f32)>"),
            (
                "struct<\"a b\", (vector<4xf32>)>",
                "struct<\"a b\", (vector<4xf32>)>",
            ),
            ("struct<\"t\", opaque>", "struct<\"t\", opaque>"),
            ("array<4xarray<2 x i8>>", "array<4 x array<2 x i8>>"),
            ("func<void(i32,...)>", "func<void (i32, ...)>"),
            ("func<i32 (...)>", "func<i32 (...)>"),
            ("vec<4 x ptr>", "vec<4 x ptr>"),
        ] {
            assert_eq!(canonical_body(&context, read).as_deref(), Some(written));
        }
        let kept = "struct<(i32, memref<4xi32>)>";
        assert_eq!(canonical_body(&context, kept).as_deref(), Some(kept));
        for wrong in ["", "struct", "ptr<>", "ptr x", "i32", "nothing<i32>"] {
            assert_eq!(canonical_body(&context, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn memory_is_laid_out_as_by_llvm() {
        let context = Context::with_dialects(&[&DIALECT]);
        let layout = |body| {
            let Layout { size, alignment } = layout(&context, parsed(&context, body)).unwrap();
            (size, alignment)
        };
        assert_eq!(layout("ptr"), (8, 8));
        assert_eq!(layout("struct<(i8, i32, i1, i64)>"), (24, 8));
        assert_eq!(layout("struct<packed (i8, i32)>"), (5, 1));
        assert_eq!(layout("array<3 x vector<3xf32>>"), (48, 16));
        assert_eq!(layout("array<2 x vector<5xi1>>"), (2, 1));
        assert_eq!(layout("struct<(i24, i128)>"), (32, 16));
        assert_eq!(layout("array<0 x i64>"), (0, 8));
    }
}
