//! Values of Python as arguments: numbers, arrays of NumPy, and what speaks DLPack.

use freehold::backend::jit::{Argument, Buffer, ElementType, ValueKind, ValueType};
use freehold::frontend::dialects::shared::const_fold::float;
use freehold::frontend::ir::types::{FloatKind, Signedness};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyComplex;

use crate::dlpack::Tensor;
use crate::elements::{dtype, element_of};

/// An argument, and what keeps its memory.
pub(crate) enum Holder<'py> {
    Number(Argument<'static>),
    Array(
        Buffer<'py>,
        #[expect(dead_code, reason = "keeps the memory")] Bound<'py, PyUntypedArray>,
    ),
    Tensor(
        Buffer<'py>,
        #[expect(dead_code, reason = "keeps the memory")] Tensor,
    ),
}

impl Holder<'_> {
    pub(crate) fn argument(&self) -> Argument<'_> {
        match self {
            Self::Number(number) => *number,
            Self::Array(buffer, _) | Self::Tensor(buffer, _) => Argument::MemRef(buffer),
        }
    }
}

/// What argument `index` of function `name`, of type `ty`, is made of `value`.
pub(crate) fn lend<'py>(
    value: &Bound<'py, PyAny>,
    ty: Option<&ValueType>,
    index: usize,
    name: &str,
) -> PyResult<Holder<'py>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return lend_array(array, index, name);
    }
    let wrong = |reason: String| {
        PyTypeError::new_err(format!("argument #{index} of function '{name}': {reason}"))
    };
    let not_in = |element: ElementType, error: PyErr| {
        let shown = value
            .repr()
            .map(|text| text.to_string())
            .unwrap_or_default();
        wrong(format!("{shown} is no {element} ({error})"))
    };
    let number =
        |element: ElementType| number(value, element).map_err(|error| not_in(element, error));
    if let Some(ValueKind::Scalar(element)) = ty.map(ValueType::kind) {
        return Ok(Holder::Number(number(*element)?));
    }
    if let Some(tensor) = Tensor::of(value)? {
        // SAFETY: the tensor is kept beside the buffer, which is dropped first.
        let buffer = unsafe {
            Buffer::from_raw(
                tensor.origin(),
                tensor
                    .element()
                    .ok_or_else(|| wrong("elements are of no known type".to_owned()))?,
                &tensor.sizes(),
                &tensor.strides(),
                tensor.is_writable(),
            )
        };
        let buffer = buffer.map_err(|error| wrong(error.to_string()))?;
        return Ok(Holder::Tensor(buffer, tensor));
    }
    if let Some(ValueKind::MemRef(kind)) = ty.map(ValueType::kind)
        && kind.sizes.is_empty()
        && value.hasattr("__index__")?
            | value.hasattr("__float__")?
            | value.is_instance_of::<PyComplex>()
    {
        number(kind.element)?;
        let py = value.py();
        let dtype = dtype(py, kind.element)?;
        let array = py
            .import("numpy")?
            .call_method1("array", (value, dtype))
            .map_err(|error| not_in(kind.element, error))?;
        // What is written there would be lost.
        array.call_method1("setflags", (false,))?;
        return lend_array(array.cast()?, index, name);
    }
    let expected = ty.map_or_else(|| "nothing".to_owned(), ValueType::to_string);
    let given = value
        .get_type()
        .name()
        .map(|name| name.to_string())
        .unwrap_or_default();
    Err(wrong(format!(
        "expected an array for {expected}, not {given}"
    )))
}

fn lend_array<'py>(
    array: &Bound<'py, PyUntypedArray>,
    index: usize,
    name: &str,
) -> PyResult<Holder<'py>> {
    let wrong = |reason: String| {
        PyTypeError::new_err(format!("argument #{index} of function '{name}': {reason}"))
    };
    let dtype = array.dtype();
    let element = element_of(&dtype)
        .ok_or_else(|| wrong(format!("elements of dtype {dtype} are not supported")))?;
    let size = element.byte_size() as isize;
    let mut strides = Vec::with_capacity(array.ndim());
    for &stride in array.strides() {
        if stride % size != 0 {
            return Err(wrong(format!(
                "a stride of {stride} bytes is no multiple of {size}"
            )));
        }
        strides.push(stride / size);
    }
    let object = array.as_array_ptr();
    // SAFETY: the object is an array, which is alive.
    let (data, flags) = unsafe { ((*object).fields.data, (*object).fields.flags) };
    let is_writable = flags & numpy::npyffi::NPY_ARRAY_WRITEABLE != 0;
    // SAFETY: NumPy vouches for the elements of its arrays, and the array is kept beside the buffer.
    let buffer =
        unsafe { Buffer::from_raw(data.cast(), element, array.shape(), &strides, is_writable) };
    let buffer = buffer.map_err(|error| wrong(error.to_string()))?;
    Ok(Holder::Array(buffer, array.clone()))
}

fn number(value: &Bound<'_, PyAny>, element: ElementType) -> PyResult<Argument<'static>> {
    let bits = |kind, value: f64| float::encode(kind, value).map_or(0, |(bits, _)| bits as u64);
    Ok(match element {
        ElementType::Float(FloatKind::F32) => Argument::F32(value.extract::<f64>()? as f32),
        ElementType::Float(FloatKind::F64) => Argument::F64(value.extract()?),
        ElementType::Float(kind) => Argument::Float(kind, bits(kind, value.extract()?)),
        ElementType::Complex(kind) => {
            let number = value
                .call_method0("__complex__")
                .or_else(|_| Ok::<_, PyErr>(value.clone()))?;
            let part = |name| number.getattr(name)?.extract::<f64>();
            Argument::Complex(kind, [bits(kind, part("real")?), bits(kind, part("imag")?)])
        }
        ElementType::Int { .. } | ElementType::Index => {
            let number: i128 = match value.extract::<i128>() {
                Ok(number) => number,
                Err(error) => value.extract::<bool>().map(i128::from).map_err(|_| error)?,
            };
            let width = element.integer_width().unwrap_or(64);
            let is_unsigned = matches!(
                element,
                ElementType::Int {
                    signedness: Signedness::Unsigned,
                    ..
                }
            );
            let low = if is_unsigned || width == 1 {
                0
            } else {
                i128::MIN >> (128 - width)
            };
            let is_signed = matches!(
                element,
                ElementType::Int {
                    signedness: Signedness::Signed,
                    ..
                }
            );
            let high = match width - u32::from(is_signed) {
                127.. => i128::MAX,
                bits => (1i128 << bits) - 1,
            };
            if !(low..=high).contains(&number) {
                return Err(PyTypeError::new_err("out of range"));
            }
            Argument::Int(number)
        }
    })
}
