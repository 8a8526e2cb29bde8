//! Types of elements: what the interface, MLIR and compiled code call them.

use freehold::backend::jit::ElementType;
use freehold::frontend::ir::context::Context;
use freehold::frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use crate::status::Status;

/// A type of elements, as the interface counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Element {
    /// Its number.
    pub code: i32,
    /// Its name.
    pub name: &'static str,
    /// What compiled code calls it.
    pub ty: ElementType,
    /// Its name in MLIR.
    mlir: &'static str,
}

const fn int(width: u32) -> ElementType {
    ElementType::Int {
        width,
        signedness: Signedness::Signless,
    }
}

const fn row(code: i32, name: &'static str, mlir: &'static str, ty: ElementType) -> Element {
    Element {
        code,
        name,
        ty,
        mlir,
    }
}

/// All types that programs may have.
const ELEMENTS: [Element; 28] = [
    row(1, "PRED", "i1", int(1)),
    row(2, "S8", "i8", int(8)),
    row(3, "S16", "i16", int(16)),
    row(4, "S32", "i32", int(32)),
    row(5, "S64", "i64", int(64)),
    row(6, "U8", "ui8", int(8)),
    row(7, "U16", "ui16", int(16)),
    row(8, "U32", "ui32", int(32)),
    row(9, "U64", "ui64", int(64)),
    row(10, "F16", "f16", ElementType::Float(FloatKind::F16)),
    row(11, "F32", "f32", ElementType::Float(FloatKind::F32)),
    row(12, "F64", "f64", ElementType::Float(FloatKind::F64)),
    row(13, "BF16", "bf16", ElementType::Float(FloatKind::BF16)),
    row(
        14,
        "C64",
        "complex<f32>",
        ElementType::Complex(FloatKind::F32),
    ),
    row(
        15,
        "C128",
        "complex<f64>",
        ElementType::Complex(FloatKind::F64),
    ),
    row(
        16,
        "F8E5M2",
        "f8E5M2",
        ElementType::Float(FloatKind::F8E5M2),
    ),
    row(
        17,
        "F8E4M3FN",
        "f8E4M3FN",
        ElementType::Float(FloatKind::F8E4M3FN),
    ),
    row(
        18,
        "F8E4M3B11FNUZ",
        "f8E4M3B11FNUZ",
        ElementType::Float(FloatKind::F8E4M3B11FNUZ),
    ),
    row(
        19,
        "F8E5M2FNUZ",
        "f8E5M2FNUZ",
        ElementType::Float(FloatKind::F8E5M2FNUZ),
    ),
    row(
        20,
        "F8E4M3FNUZ",
        "f8E4M3FNUZ",
        ElementType::Float(FloatKind::F8E4M3FNUZ),
    ),
    row(21, "S4", "i4", int(4)),
    row(22, "U4", "ui4", int(4)),
    row(24, "S2", "i2", int(2)),
    row(25, "U2", "ui2", int(2)),
    row(
        26,
        "F8E4M3",
        "f8E4M3",
        ElementType::Float(FloatKind::F8E4M3),
    ),
    row(
        27,
        "F8E3M4",
        "f8E3M4",
        ElementType::Float(FloatKind::F8E3M4),
    ),
    row(
        28,
        "F8E8M0FNU",
        "f8E8M0FNU",
        ElementType::Float(FloatKind::F8E8M0FNU),
    ),
    row(
        29,
        "F4E2M1FN",
        "f4E2M1FN",
        ElementType::Float(FloatKind::F4E2M1FN),
    ),
];

/// Types that the interface has, and programs here cannot.
const OTHERS: [(i32, &str); 2] = [(0, "INVALID"), (23, "TOKEN")];

impl Element {
    /// The type of this number.
    pub(crate) fn of_code(code: i32) -> Result<Self, Status> {
        let found = ELEMENTS.iter().find(|element| element.code == code);
        found.copied().ok_or_else(|| {
            let name = OTHERS.iter().find(|other| other.0 == code);
            let name = name.map_or_else(|| format!("number {code}"), |other| other.1.to_owned());
            Status::unimplemented(format!("arrays of type {name} are not supported"))
        })
    }

    /// The type of a program's tensors.
    pub(crate) fn of_type(context: &Context, ty: Type) -> Option<Self> {
        let name = match context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                let prefix = match signedness {
                    Signedness::Unsigned => "ui",
                    _ => "i",
                };
                format!("{prefix}{width}")
            }
            TypeKind::Float(kind) => kind.keyword().to_owned(),
            TypeKind::Complex(part) => {
                format!("complex<{}>", context.float_kind(*part)?.keyword())
            }
            _ => return None,
        };
        ELEMENTS.into_iter().find(|element| element.mlir == name)
    }

    /// Bytes of an element.
    pub(crate) fn size(self) -> usize {
        self.ty.byte_size()
    }

    /// The bits of an integer that is smaller than its byte, and whether it has a sign. Compiled code has it
    /// zero-extended in memory, hosts sign-extended.
    pub(crate) fn narrow(self) -> Option<(u32, bool)> {
        let width = self.ty.integer_width().filter(|&width| width < 8)?;
        (width > 1).then_some((width, !self.mlir.starts_with('u')))
    }
}
