//! The functions of the runtime library that loops and products of matrices become, and what they are
//! told of a buffer.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use crate::rewrite::runtime_function::RuntimeFunction;

/// The functions, for f32 and f64.
pub(crate) static MATMUL: [RuntimeFunction; 2] = [
    RuntimeFunction {
        name: "freehold_matmul_f32",
        signature: matmul_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_matmul_f64",
        signature: matmul_signature,
        c_interface: false,
    },
];

/// Address and two strides of three matrices, then three sizes.
fn matmul_signature(_: &Context) -> (Vec<Type>, Vec<Type>) {
    (vec![Type::INDEX; 12], Vec::new())
}

/// What a descriptor says.
pub(crate) struct Described {
    pub(crate) pointer: Value,
    pub(crate) offset: Value,
    pub(crate) strides: Vec<Value>,
}

impl Described {
    pub(crate) fn of(builder: &mut Builder<'_>, buffer: Value) -> Self {
        let pointer = builder.value(
            &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
            &[buffer],
            Type::INDEX,
        );
        let metadata = memref::build::extract_strided_metadata(builder, buffer);
        Self {
            pointer,
            offset: metadata.offset(builder.ir),
            strides: metadata.strides(builder.ir).to_vec(),
        }
    }
}

pub(crate) static FUNCTIONS: [RuntimeFunction; 4] = [
    RuntimeFunction {
        name: "freehold_fill_bytes",
        signature: fill_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_copy_bytes",
        signature: copy_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_axpy_f32",
        signature: |_| axpy_signature(Type::F32),
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_axpy_f64",
        signature: |_| axpy_signature(Type::F64),
        c_interface: false,
    },
];

/// Address, number of bytes, and the eight bytes that repeat.
fn fill_signature(_: &Context) -> (Vec<Type>, Vec<Type>) {
    (vec![Type::INDEX, Type::INDEX, Type::I64], Vec::new())
}

/// Target, source, number of bytes.
fn copy_signature(_: &Context) -> (Vec<Type>, Vec<Type>) {
    (vec![Type::INDEX; 3], Vec::new())
}

/// Target, source, number of elements, factor.
fn axpy_signature(element: Type) -> (Vec<Type>, Vec<Type>) {
    (
        vec![Type::INDEX, Type::INDEX, Type::INDEX, element],
        Vec::new(),
    )
}
