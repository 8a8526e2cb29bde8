//! What compiled functions return as values of Python: numbers, and arrays that own their memory.

use std::ffi::c_int;

use freehold::backend::jit::{ElementType, MemRefResult, ResultValue, ValueKind, ValueType};
use freehold::frontend::dialects::shared::const_fold::float;
use freehold::frontend::ir::types::{FloatKind, Signedness};
use numpy::PyArrayDescrMethods;
use numpy::npyffi::{
    NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, PyArrayObject, get_type_object, npy_intp,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyTuple};

use crate::elements::dtype;

/// Keeps the memory of a result as long as an array refers to it.
#[pyclass(frozen)]
struct Owner {
    _memory: MemRefResult,
}

/// `None`, one value, or a tuple of several.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    values: Vec<ResultValue>,
    types: &[ValueType],
) -> PyResult<Bound<'py, PyAny>> {
    let mut converted = Vec::with_capacity(values.len());
    for (value, ty) in values.into_iter().zip(types) {
        converted.push(one(py, value, ty)?);
    }
    match converted.len() {
        0 => Ok(py.None().into_bound(py)),
        1 => Ok(converted.remove(0)),
        _ => Ok(PyTuple::new(py, converted)?.into_any()),
    }
}

fn one<'py>(py: Python<'py>, value: ResultValue, ty: &ValueType) -> PyResult<Bound<'py, PyAny>> {
    let unknown = || PyTypeError::new_err(format!("a result of type {ty} has no value in Python"));
    let element = ty.element();
    Ok(match value {
        ResultValue::MemRef(memref) => array(py, memref)?,
        ResultValue::Int(value) => match element {
            Some(ElementType::Int { width: 1, .. }) => {
                (value != 0).into_pyobject(py)?.to_owned().into_any()
            }
            Some(ElementType::Int {
                width,
                signedness: Signedness::Unsigned,
            }) => {
                let bits = value as u128 & u128::MAX >> (128 - width);
                bits.into_pyobject(py)?.into_any()
            }
            _ => value.into_pyobject(py)?.into_any(),
        },
        ResultValue::F32(value) => f64::from(value).into_pyobject(py)?.into_any(),
        ResultValue::F64(value) => value.into_pyobject(py)?.into_any(),
        ResultValue::FloatBits(bits) => match element {
            Some(ElementType::Float(kind)) => decoded(kind, bits).into_pyobject(py)?.into_any(),
            _ => return Err(unknown()),
        },
        ResultValue::Complex(parts) => {
            let part = |value: &ResultValue| match (value, element) {
                (ResultValue::F32(value), _) => f64::from(*value),
                (ResultValue::F64(value), _) => *value,
                (ResultValue::FloatBits(bits), Some(ElementType::Complex(kind))) => {
                    decoded(kind, *bits)
                }
                _ => f64::NAN,
            };
            PyComplex::from_doubles(py, part(&parts[0]), part(&parts[1])).into_any()
        }
        ResultValue::Vector(bytes) => {
            let ValueKind::Vector(element, sizes) = ty.kind() else {
                return Err(unknown());
            };
            let bytes = pyo3::types::PyByteArray::new(py, &bytes);
            let dtype = dtype(py, *element)?;
            let flat = py
                .import("numpy")?
                .call_method1("frombuffer", (bytes, dtype))?;
            flat.call_method1("reshape", (sizes.clone(),))?
        }
        _ => return Err(unknown()),
    })
}

fn decoded(kind: FloatKind, bits: u16) -> f64 {
    float::decode(kind, bits.into()).unwrap_or(f64::NAN)
}

/// An array of a result's memory, which goes when the array does.
fn array<'py>(py: Python<'py>, memref: MemRefResult) -> PyResult<Bound<'py, PyAny>> {
    let dtype = match memref.element() {
        ElementType::Float(FloatKind::F32) => numpy::dtype::<f32>(py),
        ElementType::Float(FloatKind::F64) => numpy::dtype::<f64>(py),
        element => dtype(py, element)?,
    };
    let size = memref.element().byte_size() as npy_intp;
    let mut sizes: Vec<npy_intp> = memref.sizes().iter().map(|&n| n as npy_intp).collect();
    let mut strides: Vec<npy_intp> = memref
        .strides()
        .iter()
        .map(|&n| n as npy_intp * size)
        .collect();
    let n_dims = c_int::try_from(sizes.len()).unwrap_or(c_int::MAX);
    let mut origin = memref.origin();
    if memref.sizes().contains(&0) {
        // NumPy would allocate for a null pointer.
        origin = std::ptr::dangling_mut::<u128>().cast();
    }
    let owner = Bound::new(py, Owner { _memory: memref })?;
    // SAFETY: the descriptor is handed over; sizes and strides are read during the call; the memory holds an
    // element at each place, and stays as long as its owner, which becomes the base of the array.
    unsafe {
        let pointer = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            dtype.into_dtype_ptr(),
            n_dims,
            sizes.as_mut_ptr(),
            strides.as_mut_ptr(),
            origin.cast(),
            NPY_ARRAY_WRITEABLE,
            std::ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, pointer)?;
        let status = PY_ARRAY_API.PyArray_SetBaseObject(
            py,
            array.as_ptr().cast::<PyArrayObject>(),
            owner.into_any().into_ptr(),
        );
        match status {
            0 => Ok(array),
            _ => Err(PyErr::take(py).unwrap_or_else(|| PyRuntimeError::new_err("no array"))),
        }
    }
}
