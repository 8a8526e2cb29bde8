//! What callers know of a compiled function: the types of its arguments and results, and what fits them.

use std::fmt;

use cranelift_codegen::ir::types;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};
use freehold_frontend::syntax::printer::type_to_string;

use crate::declaration::{Declaration, Label};
use crate::repr::{Repr, Scalar};

/// The type of a scalar or of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementType {
    /// An integer of 1 to 128 bits.
    Int {
        /// Its bits. In memory it takes the next power of two, zero-extended.
        width: u32,
        /// How it is read.
        signedness: Signedness,
    },
    /// `index`: 64 bits.
    Index,
    /// A float of at most 64 bits.
    Float(FloatKind),
    /// A complex number of two such floats.
    Complex(FloatKind),
}

impl ElementType {
    /// The type with this spelling, such as `f32`, `i1`, `ui8`, `index` or `complex<f64>`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "index" {
            return Some(Self::Index);
        }
        let float = |name: &str| {
            let mut kinds = FloatKind::ALL
                .into_iter()
                .filter(|&kind| is_supported(kind));
            kinds.find(|kind| kind.keyword() == name)
        };
        if let Some(kind) = float(name) {
            return Some(Self::Float(kind));
        }
        if let Some(part) = name.strip_prefix("complex<") {
            return float(part.strip_suffix('>')?).map(Self::Complex);
        }
        let (signedness, width) = match name.strip_prefix("ui") {
            Some(width) => (Signedness::Unsigned, width),
            None => match name.strip_prefix("si") {
                Some(width) => (Signedness::Signed, width),
                None => (Signedness::Signless, name.strip_prefix('i')?),
            },
        };
        let is_number = !width.starts_with('0') && width.bytes().all(|b| b.is_ascii_digit());
        let width = width.parse().ok().filter(|_| is_number)?;
        (1..=128)
            .contains(&width)
            .then_some(Self::Int { width, signedness })
    }

    /// The type `ty`, if it is one of these.
    pub(super) fn of(context: &Context, ty: Type) -> Option<Self> {
        match context.type_kind(ty) {
            TypeKind::Index => Some(Self::Index),
            &TypeKind::Integer { width, signedness } if (1..=128).contains(&width) => {
                Some(Self::Int { width, signedness })
            }
            &TypeKind::Float(kind) if is_supported(kind) => Some(Self::Float(kind)),
            TypeKind::Complex(part) => match Self::of(context, *part)? {
                Self::Float(kind) => Some(Self::Complex(kind)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes in memory.
    pub const fn byte_size(self) -> usize {
        match self {
            Self::Index => 8,
            Self::Float(kind) => kind.width().div_ceil(8) as usize,
            Self::Complex(kind) => 2 * kind.width().div_ceil(8) as usize,
            Self::Int { width: 0..=8, .. } => 1,
            Self::Int { width: 9..=16, .. } => 2,
            Self::Int { width: 17..=32, .. } => 4,
            Self::Int { width: 33..=64, .. } => 8,
            Self::Int { .. } => 16,
        }
    }

    /// What addresses of elements are multiples of.
    pub const fn alignment(self) -> usize {
        match self {
            Self::Complex(_) => self.byte_size() / 2,
            _ => self.byte_size(),
        }
    }

    /// The width of an integer or index.
    pub const fn integer_width(self) -> Option<u32> {
        match self {
            Self::Index => Some(64),
            Self::Int { width, .. } => Some(width),
            _ => None,
        }
    }

    /// Whether some bit patterns in memory are no values of this type: integers and small floats are zero-extended.
    pub const fn has_padding(self) -> bool {
        match self {
            Self::Int { width, .. } => width as usize != 8 * self.byte_size(),
            Self::Float(kind) => !kind.width().is_multiple_of(8),
            _ => false,
        }
    }

    /// Whether values of type `given` may stand where this type is declared: integers of the same width,
    /// unless both say how they are read and disagree.
    pub fn accepts(self, given: Self) -> bool {
        let signedness = |ty| match ty {
            Self::Int { signedness, .. } => signedness,
            _ => Signedness::Signless,
        };
        match (self.integer_width(), given.integer_width()) {
            (Some(a), Some(b)) => {
                let (s, t) = (signedness(self), signedness(given));
                let agree = s == t || s == Signedness::Signless || t == Signedness::Signless;
                a == b && agree
            }
            _ => self == given,
        }
    }
}

/// Whether compiled code knows floats of this kind.
const fn is_supported(kind: FloatKind) -> bool {
    !matches!(kind, FloatKind::TF32 | FloatKind::F80 | FloatKind::F128)
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int { width, signedness } => {
                let prefix = match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                };
                write!(f, "{prefix}{width}")
            }
            Self::Index => f.write_str("index"),
            Self::Float(kind) => f.write_str(kind.keyword()),
            Self::Complex(kind) => write!(f, "complex<{}>", kind.keyword()),
        }
    }
}

/// Sizes and elements, such as `2x3xf32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape<'a>(pub &'a [usize], pub ElementType);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for size in self.0 {
            write!(f, "{size}x")?;
        }
        self.1.fmt(f)
    }
}

/// The type of an argument or result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueType {
    pub(super) text: String,
    pub(super) kind: ValueKind,
    /// Whether the function leaves this argument as it is.
    pub(super) is_read_only: bool,
    /// What the program calls it.
    pub(super) label: Label,
}

/// What values of a type are.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ValueKind {
    /// One number.
    Scalar(ElementType),
    /// A buffer; tensors are passed as buffers.
    MemRef(MemRefKind),
    /// A buffer of any rank.
    Unranked(ElementType),
    /// Registers.
    Vector(ElementType, Vec<usize>),
    /// What callers cannot pass or take apart, such as functions.
    Opaque,
}

/// What the type of a buffer says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRefKind {
    /// The elements.
    pub element: ElementType,
    /// The sizes; `None` where any is right.
    pub sizes: Vec<Option<usize>>,
    /// The strides in elements; `None` where any is right.
    pub strides: Vec<Option<isize>>,
    /// The offset in elements, if there is just one that is right.
    pub offset: Option<isize>,
    /// Whether elements lie one after the other, the last dimension first.
    pub is_row_major: bool,
}

impl MemRefKind {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }
}

impl ValueType {
    pub(super) fn new(context: &Context, ty: Type) -> Self {
        Self {
            text: type_to_string(context, ty),
            kind: kind(context, ty).unwrap_or(ValueKind::Opaque),
            is_read_only: false,
            label: Label::default(),
        }
    }

    /// What values are.
    pub fn kind(&self) -> &ValueKind {
        &self.kind
    }

    /// Whether an argument of this type is left as it is by the function.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The type of the number or of the elements, if there is one.
    pub fn element(&self) -> Option<ElementType> {
        match &self.kind {
            ValueKind::Scalar(element)
            | ValueKind::Unranked(element)
            | ValueKind::Vector(element, _) => Some(*element),
            ValueKind::MemRef(memref) => Some(memref.element),
            ValueKind::Opaque => None,
        }
    }

    /// What the program calls the argument or result, if it has a name for it.
    pub fn name(&self) -> Option<&str> {
        Some(&*self.label.name).filter(|name| !name.is_empty())
    }

    /// Its dimensions that have names: `0:batch,2:width`.
    pub fn dimension_names(&self) -> &str {
        &self.label.dims
    }
}

/// As the program has it, tensors too.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn kind(context: &Context, ty: Type) -> Option<ValueKind> {
    let size = |&size: &i64| match size {
        DYNAMIC => Some(None),
        size => usize::try_from(size).ok().map(Some),
    };
    Some(match context.type_kind(ty) {
        TypeKind::MemRef(memref) => {
            let stride = |stride| match stride {
                DYNAMIC => Some(None),
                stride => isize::try_from(stride).ok().map(Some),
            };
            let (strides, offset) = context.memref_strides(memref)?;
            ValueKind::MemRef(MemRefKind {
                element: ElementType::of(context, memref.element)?,
                sizes: memref.shape.iter().map(size).collect::<Option<_>>()?,
                strides: strides.into_iter().map(stride).collect::<Option<_>>()?,
                offset: stride(offset)?,
                is_row_major: memref.layout.is_none(),
            })
        }
        TypeKind::UnrankedMemRef { element, .. } => {
            ValueKind::Unranked(ElementType::of(context, *element)?)
        }
        TypeKind::Vector { shape, element, .. } => {
            let sizes = shape.iter().map(|&size| usize::try_from(size).ok());
            ValueKind::Vector(
                ElementType::of(context, *element)?,
                sizes.collect::<Option<_>>()?,
            )
        }
        _ => ValueKind::Scalar(ElementType::of(context, ty)?),
    })
}

/// How a value is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    /// In one part.
    Scalar(Scalar),
    /// In two.
    Complex(Scalar),
    /// As a descriptor of this rank.
    MemRef(usize),
    /// As the rank and the address of a descriptor.
    Unranked,
    /// Number of parts.
    Vector(usize),
}

impl Passed {
    /// How values of `ty` are passed, if there can be any.
    pub(super) fn of(context: &Context, ty: Type) -> Option<Self> {
        Some(match Repr::of(context, ty)? {
            Repr::Scalar(scalar) => Self::Scalar(scalar),
            Repr::Complex(part) => Self::Complex(part),
            Repr::MemRef(layout) => Self::MemRef(layout.rank()),
            Repr::UnrankedMemRef => Self::Unranked,
            // As in `FunctionAbi`, 128 bits are two parts.
            Repr::Vector(vector) => match vector.part_type() == types::I128 {
                true => Self::Vector(2 * vector.n_parts()),
                false => Self::Vector(vector.n_parts()),
            },
            Repr::Aggregate(_) => return None,
        })
    }
}

/// The arguments and results of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Types of arguments.
    pub arguments: Vec<ValueType>,
    /// Types of results.
    pub results: Vec<ValueType>,
}

impl Signature {
    /// Takes over the declaration, if it has the same number of values.
    pub(super) fn declare(&mut self, declaration: &Declaration) {
        if declaration.arguments.len() == self.arguments.len() {
            for (ty, (text, is_read_only)) in self.arguments.iter_mut().zip(&declaration.arguments)
            {
                ty.text.clone_from(text);
                ty.is_read_only = *is_read_only;
            }
        }
        if declaration.results.len() == self.results.len() {
            for (ty, text) in self.results.iter_mut().zip(&declaration.results) {
                ty.text.clone_from(text);
            }
        }
        let labelled = [
            (&mut self.arguments, &declaration.argument_labels),
            (&mut self.results, &declaration.result_labels),
        ];
        for (types, labels) in labelled {
            for (ty, label) in types.iter_mut().zip(labels) {
                ty.label.clone_from(label);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_in_programs() {
        let names = [
            "i1",
            "si7",
            "ui8",
            "i128",
            "index",
            "f16",
            "bf16",
            "f8E4M3FN",
            "complex<f32>",
        ];
        for name in names {
            assert_eq!(ElementType::from_name(name).unwrap().to_string(), name);
        }
        for name in [
            "",
            "i",
            "i0",
            "i129",
            "i+1",
            "i01",
            "f80",
            "f128",
            "complex<i32>",
            "tf32",
            "x",
        ] {
            assert_eq!(ElementType::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn integers_fit_where_nothing_says_otherwise() {
        let ty = |name| ElementType::from_name(name).unwrap();
        assert!(ty("i8").accepts(ty("ui8")) && ty("si8").accepts(ty("i8")));
        assert!(ty("index").accepts(ty("i64")) && ty("ui64").accepts(ty("index")));
        assert!(!ty("si8").accepts(ty("ui8")) && !ty("i8").accepts(ty("i16")));
        assert!(!ty("f16").accepts(ty("bf16")) && !ty("f32").accepts(ty("i32")));
    }
}
