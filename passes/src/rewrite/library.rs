//! The functions of the runtime library that loops and contractions become, and what they are
//! told of a buffer.

use freehold_frontend::dialects::memref::{self, MixedIndex};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::rewrite::runtime_function::RuntimeFunction;

/// Contractions, for f32, f64 and i32.
pub(crate) static CONTRACT: [RuntimeFunction; 3] = [
    RuntimeFunction {
        name: "freehold_contract_f32",
        signature: contract_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_contract_f64",
        signature: contract_signature,
        c_interface: false,
    },
    RuntimeFunction {
        name: "freehold_contract_i32",
        signature: contract_signature,
        c_interface: false,
    },
];

/// Flag of a contraction: products need not be rounded before they are added.
pub(crate) const FUSED: i64 = 1;
/// Flag of a contraction: they may be added up in any order.
pub(crate) const ANY_ORDER: i64 = 2;
/// Flag of a contraction: the result holds nothing yet, which stands for zeros.
pub(crate) const NEW: i64 = 4;

/// The types of elements of the left factor, if they are widened, are this far above the first flag; those of the right
/// one, this many bits further.
pub(crate) const KINDS_SHIFT: u32 = 3;
pub(crate) const KIND_BITS: u32 = 3;

/// The number of threads for a contraction is this far above its flags.
pub(crate) const THREADS_SHIFT: u32 = 9;

/// Addresses of the result and both factors, flags, then sizes and strides of the loops.
fn contract_signature(context: &Context) -> (Vec<Type>, Vec<Type>) {
    let numbers = numbers_type(context);
    (
        vec![Type::INDEX, Type::INDEX, Type::INDEX, Type::INDEX, numbers],
        Vec::new(),
    )
}

/// An array of any length.
pub(crate) fn numbers_type(context: &Context) -> Type {
    context.memref_type(MemRefType::identity(&[DYNAMIC], Type::INDEX))
}

/// What a descriptor says: of offset and strides, what the type does not.
pub(crate) struct Described {
    pub(crate) pointer: Value,
    pub(crate) offset: MixedIndex,
    pub(crate) strides: Vec<MixedIndex>,
}

impl Described {
    pub(crate) fn of(builder: &mut Builder<'_>, buffer: Value) -> Self {
        let context = builder.context();
        let pointer = builder.value(
            &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
            &[buffer],
            Type::INDEX,
        );
        let memref = context.as_memref(builder.ir.value_type(buffer));
        let known = memref.and_then(|memref| context.memref_strides(memref));
        if let Some((strides, offset)) = known
            && offset != DYNAMIC
            && !strides.contains(&DYNAMIC)
        {
            return Self {
                pointer,
                offset: MixedIndex::Constant(offset),
                strides: strides.into_iter().map(MixedIndex::Constant).collect(),
            };
        }
        let metadata = memref::build::extract_strided_metadata(builder, buffer);
        let strides = metadata.strides(builder.ir).iter();
        Self {
            pointer,
            offset: MixedIndex::Value(metadata.offset(builder.ir)),
            strides: strides.map(|&stride| MixedIndex::Value(stride)).collect(),
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

/// Whether this is a function of the library that writes to the memory whose address it gets first, and to no other.
pub(crate) fn writes_to_first(name: &str) -> bool {
    let mut functions = CONTRACT.iter().chain(&FUNCTIONS);
    functions.any(|function| function.name == name)
}

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
