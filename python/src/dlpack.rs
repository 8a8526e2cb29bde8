//! Arrays of other packages by way of DLPack: PyTorch, JAX, CuPy on the host.

use std::ffi::{CStr, c_void};

use freehold::backend::jit::ElementType;
use freehold::frontend::ir::types::{FloatKind, Signedness};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// `DLTensor` of the specification.
#[repr(C)]
pub(crate) struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
pub(crate) struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
pub(crate) struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

const ON_CPU: i32 = 1;
const READ_ONLY: u64 = 1;

/// A tensor that was taken out of its capsule, and is given back on drop.
pub(crate) enum Tensor {
    Old(*mut Managed),
    New(*mut Versioned),
}

impl Tensor {
    /// The tensor of an object with `__dlpack__`; `None` if it has none.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = value.py();
        let Ok(export) = value.getattr("__dlpack__") else {
            return Ok(None);
        };
        let keywords = PyDict::new(py);
        keywords.set_item("max_version", (1, 0))?;
        // Older packages know no versions.
        let capsule = export
            .call((), Some(&keywords))
            .or_else(|_| export.call0())?;
        let tensor = Self::take(&capsule, c"dltensor_versioned", c"used_dltensor_versioned")
            .map(|pointer| Self::New(pointer.cast()))
            .or_else(|| {
                let pointer = Self::take(&capsule, c"dltensor", c"used_dltensor")?;
                Some(Self::Old(pointer.cast()))
            })
            .ok_or_else(|| PyTypeError::new_err("__dlpack__ returned no tensor"))?;
        if let Self::New(pointer) = tensor
            // SAFETY: the capsule held a tensor of this type, or of a newer version that begins like it.
            && unsafe { (*pointer).major } > 1
        {
            return Err(PyTypeError::new_err(
                "__dlpack__ returned a tensor of a newer version",
            ));
        }
        if tensor.tensor().device_type != ON_CPU {
            return Err(PyTypeError::new_err(
                "the tensor is not in the memory of the host",
            ));
        }
        Ok(Some(tensor))
    }

    /// The pointer in a capsule of this name, which is called `used` from now on.
    fn take(
        capsule: &Bound<'_, PyAny>,
        name: &'static CStr,
        used: &'static CStr,
    ) -> Option<*mut c_void> {
        // SAFETY: these functions take any object and check its type and name; the names live forever.
        unsafe {
            if ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) == 0 {
                return None;
            }
            let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr());
            let renamed = ffi::PyCapsule_SetName(capsule.as_ptr(), used.as_ptr());
            (!pointer.is_null() && renamed == 0).then_some(pointer)
        }
    }

    fn tensor(&self) -> &DlTensor {
        // SAFETY: the tensor is ours until it is given back.
        unsafe {
            match *self {
                Self::Old(pointer) => &(*pointer).tensor,
                Self::New(pointer) => &(*pointer).tensor,
            }
        }
    }

    fn n_dims(&self) -> usize {
        usize::try_from(self.tensor().ndim).unwrap_or(0)
    }

    pub(crate) fn origin(&self) -> *mut u8 {
        let tensor = self.tensor();
        tensor
            .data
            .cast::<u8>()
            .wrapping_add(tensor.byte_offset as usize)
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        let n = self.n_dims();
        if n == 0 {
            return Vec::new();
        }
        // SAFETY: there are as many sizes as dimensions.
        let sizes = unsafe { std::slice::from_raw_parts(self.tensor().shape, n) };
        sizes
            .iter()
            .map(|&size| usize::try_from(size).unwrap_or(0))
            .collect()
    }

    /// In elements.
    pub(crate) fn strides(&self) -> Vec<isize> {
        let sizes = self.sizes();
        let strides = self.tensor().strides;
        if strides.is_null() {
            let mut strides = vec![1isize; sizes.len()];
            for dim in (1..sizes.len()).rev() {
                strides[dim - 1] = strides[dim].saturating_mul(sizes[dim] as isize);
            }
            return strides;
        }
        if sizes.is_empty() {
            return Vec::new();
        }
        // SAFETY: there are as many strides as dimensions.
        let strides = unsafe { std::slice::from_raw_parts(strides, sizes.len()) };
        strides.iter().map(|&stride| stride as isize).collect()
    }

    pub(crate) fn is_writable(&self) -> bool {
        match *self {
            Self::Old(_) => true,
            // SAFETY: the tensor is ours until it is given back.
            Self::New(pointer) => unsafe { (*pointer).flags & READ_ONLY == 0 },
        }
    }

    pub(crate) fn element(&self) -> Option<ElementType> {
        let tensor = self.tensor();
        let width = u32::from(tensor.bits);
        let int = |signedness| ElementType::Int { width, signedness };
        let known = matches!(width, 8 | 16 | 32 | 64);
        let element = match (tensor.code, width) {
            (0, _) if known => int(Signedness::Signless),
            (1, _) if known => int(Signedness::Unsigned),
            (2, 16) => ElementType::Float(FloatKind::F16),
            (2, 32) => ElementType::Float(FloatKind::F32),
            (2, 64) => ElementType::Float(FloatKind::F64),
            (4, 16) => ElementType::Float(FloatKind::BF16),
            (5, 64) => ElementType::Complex(FloatKind::F32),
            (5, 128) => ElementType::Complex(FloatKind::F64),
            (6, 8) => ElementType::Int {
                width: 1,
                signedness: Signedness::Signless,
            },
            _ => return None,
        };
        (tensor.lanes == 1).then_some(element)
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: the tensor is given back once, by the function that it names for that.
        unsafe {
            match *self {
                Self::Old(pointer) => {
                    if let Some(delete) = (*pointer).deleter {
                        delete(pointer);
                    }
                }
                Self::New(pointer) => {
                    if let Some(delete) = (*pointer).deleter {
                        delete(pointer);
                    }
                }
            }
        }
    }
}
