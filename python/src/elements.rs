//! Types of elements in NumPy's words.

use freehold::backend::jit::ElementType;
use freehold::frontend::ir::types::{FloatKind, Signedness};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;

/// What NumPy's type is to compiled functions.
pub(crate) fn element_of(dtype: &Bound<'_, PyArrayDescr>) -> Option<ElementType> {
    let size = dtype.itemsize();
    let int = |signedness| ElementType::Int {
        width: 8 * size as u32,
        signedness,
    };
    if dtype.is_native_byteorder() == Some(false) {
        return None;
    }
    Some(match (dtype.kind(), size) {
        (b'b', 1) => ElementType::Int {
            width: 1,
            signedness: Signedness::Signless,
        },
        (b'i', 1 | 2 | 4 | 8) => int(Signedness::Signless),
        (b'u', 1 | 2 | 4 | 8) => int(Signedness::Unsigned),
        (b'f', 2) => ElementType::Float(FloatKind::F16),
        (b'f', 4) => ElementType::Float(FloatKind::F32),
        (b'f', 8) => ElementType::Float(FloatKind::F64),
        (b'c', 8) => ElementType::Complex(FloatKind::F32),
        (b'c', 16) => ElementType::Complex(FloatKind::F64),
        // Types of the package ml_dtypes.
        _ => {
            let name: String = dtype.getattr("name").ok()?.extract().ok()?;
            ElementType::Float(match name.as_str() {
                "bfloat16" => FloatKind::BF16,
                "float4_e2m1fn" => FloatKind::F4E2M1FN,
                "float6_e2m3fn" => FloatKind::F6E2M3FN,
                "float6_e3m2fn" => FloatKind::F6E3M2FN,
                "float8_e8m0fnu" => FloatKind::F8E8M0FNU,
                "float8_e5m2" => FloatKind::F8E5M2,
                "float8_e4m3" => FloatKind::F8E4M3,
                "float8_e4m3fn" => FloatKind::F8E4M3FN,
                "float8_e5m2fnuz" => FloatKind::F8E5M2FNUZ,
                "float8_e4m3fnuz" => FloatKind::F8E4M3FNUZ,
                "float8_e4m3b11fnuz" => FloatKind::F8E4M3B11FNUZ,
                "float8_e3m4" => FloatKind::F8E3M4,
                _ => return None,
            })
        }
    })
}

/// The type of NumPy for these elements; for those that it has none for, that of ml_dtypes if that is there,
/// else unsigned integers with their bits.
pub(crate) fn dtype<'py>(
    py: Python<'py>,
    element: ElementType,
) -> PyResult<Bound<'py, PyArrayDescr>> {
    let size = element.byte_size();
    let name = match element {
        ElementType::Int { width: 1, .. } => "?".to_owned(),
        ElementType::Index => "i8".to_owned(),
        ElementType::Int { width: 65.., .. } => format!("V{size}"),
        ElementType::Int { signedness, .. } => {
            let is_unsigned = signedness == Signedness::Unsigned || element.has_padding();
            format!("{}{size}", if is_unsigned { 'u' } else { 'i' })
        }
        ElementType::Float(FloatKind::F16 | FloatKind::F32 | FloatKind::F64) => format!("f{size}"),
        ElementType::Complex(FloatKind::F32 | FloatKind::F64) => format!("c{size}"),
        ElementType::Complex(_) => format!("V{size}"),
        ElementType::Float(kind) => {
            let name = match kind {
                FloatKind::BF16 => "bfloat16",
                FloatKind::F4E2M1FN => "float4_e2m1fn",
                FloatKind::F6E2M3FN => "float6_e2m3fn",
                FloatKind::F6E3M2FN => "float6_e3m2fn",
                FloatKind::F8E8M0FNU => "float8_e8m0fnu",
                FloatKind::F8E5M2 => "float8_e5m2",
                FloatKind::F8E4M3 => "float8_e4m3",
                FloatKind::F8E4M3FN => "float8_e4m3fn",
                FloatKind::F8E5M2FNUZ => "float8_e5m2fnuz",
                FloatKind::F8E4M3FNUZ => "float8_e4m3fnuz",
                FloatKind::F8E4M3B11FNUZ => "float8_e4m3b11fnuz",
                _ => "float8_e3m4",
            };
            if let Ok(ty) = py
                .import("ml_dtypes")
                .and_then(|package| package.getattr(name))
            {
                return PyArrayDescr::new(py, ty);
            }
            format!("u{size}")
        }
    };
    PyArrayDescr::new(py, name)
}
