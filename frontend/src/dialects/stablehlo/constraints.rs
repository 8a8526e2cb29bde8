//! What the operands, results and attributes of the dialect must be. The
//! descriptions are those of upstream, which appear in diagnostics.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::builtin;
use crate::ir::constraints::is_ranked_tensor;
use crate::ir::context::Context;
use crate::ir::op_def::{AttrConstraint, AttrText, TypeConstraint};
use crate::ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};

use super::attributes::{self, bounds};

/// Whether `ty` is a float of a kind that the dialect has.
pub(crate) fn is_float(context: &Context, ty: Type) -> bool {
    // Formats that are known by name only are types of builtin.
    let is_named = matches!(context.type_kind(ty), TypeKind::Dialect { dialect, .. }
        if context.name(*dialect) == builtin::DIALECT.namespace);
    is_named
        || context
            .float_kind(ty)
            .is_some_and(|kind| !matches!(kind, FloatKind::TF32 | FloatKind::F80 | FloatKind::F128))
}

/// Whether `ty` is an integer of more than one bit with this signedness.
fn is_integer_with(context: &Context, ty: Type, expected: Signedness) -> bool {
    matches!(context.type_kind(ty), TypeKind::Integer { width: 2 | 4 | 8 | 16 | 32 | 64, signedness }
        if *signedness == expected)
}

/// Whether `ty` is an integer that is read as signed.
pub(crate) fn is_signed(context: &Context, ty: Type) -> bool {
    is_integer_with(context, ty, Signedness::Signless)
}

/// Whether `ty` is an integer that is read as unsigned.
pub(crate) fn is_unsigned(context: &Context, ty: Type) -> bool {
    is_integer_with(context, ty, Signedness::Unsigned)
}

/// Whether `ty` is an integer of more than one bit.
pub(crate) fn is_integer(context: &Context, ty: Type) -> bool {
    is_signed(context, ty) || is_unsigned(context, ty)
}

/// Whether `ty` is a complex number.
pub(crate) fn is_complex(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Complex(part) if matches!(*part, Type::F32 | Type::F64))
}

/// Whether `ty` is a quantized integer, with one scale or with one per slice along an axis.
pub(crate) fn is_quantized(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Dialect { dialect, body }
        if context.name(*dialect) == "quant" && body.starts_with("uniform"))
}

/// Whether `ty` is `!stablehlo.token`.
pub fn is_token(context: &Context, ty: Type) -> bool {
    is_own(context, ty, "token")
}

/// Whether `ty` is a type of the dialect that begins like this.
fn is_own(context: &Context, ty: Type, prefix: &str) -> bool {
    matches!(context.type_kind(ty), TypeKind::Dialect { dialect, body }
        if context.name(*dialect) == "stablehlo" && body.starts_with(prefix))
}

fn is_bool(_: &Context, ty: Type) -> bool {
    ty == Type::I1
}

/// Whether `ty` is a ranked tensor of elements that are one of `kinds`.
fn is_tensor_of(context: &Context, ty: Type, kinds: &[fn(&Context, Type) -> bool]) -> bool {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { element, .. } => kinds.iter().any(|is| is(context, *element)),
        _ => false,
    }
}

fn has_rank(context: &Context, ty: Type, rank: usize) -> bool {
    context.shape(ty).is_some_and(|shape| shape.len() == rank)
}

fn is_static(context: &Context, ty: Type) -> bool {
    (context.shape(ty)).is_some_and(|shape| !shape.contains(&DYNAMIC))
}

/// Whether all sizes are known, or all but one that has a bound.
fn is_static_or_bounded(context: &Context, ty: Type) -> bool {
    let TypeKind::RankedTensor {
        shape, encoding, ..
    } = context.type_kind(ty)
    else {
        return false;
    };
    let n_dynamic = shape.iter().filter(|&&size| size == DYNAMIC).count();
    n_dynamic == 0
        || (n_dynamic == 1 && encoding.is_some_and(|attr| bounds(context, attr).is_some()))
}

fn is_any_element(context: &Context, ty: Type) -> bool {
    [is_float, is_bool, is_integer, is_complex, is_quantized]
        .iter()
        .any(|is| is(context, ty))
}

/// Whether `ty` is a tensor of elements that the dialect has.
pub(crate) fn is_tensor(context: &Context, ty: Type) -> bool {
    is_tensor_of(context, ty, &[is_any_element])
}

fn is_dimension(context: &Context, ty: Type) -> bool {
    ty == Type::INDEX || is_integer(context, ty)
}

fn is_tuple(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Tuple(_))
}

fn is_tensor_or_token(context: &Context, ty: Type) -> bool {
    is_tensor(context, ty) || is_token(context, ty)
}

macro_rules! type_constraints {
    ($($name:ident: $description:literal, $accepts:expr;)*) => {
        $(
            pub(super) static $name: TypeConstraint = TypeConstraint {
                description: $description,
                accepts: $accepts,
                ..TypeConstraint::BASE
            };
        )*
    };
}

type_constraints! {
    TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values",
        is_tensor;
    NON_QUANTIZED_TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements values",
        |context, ty| is_tensor_of(context, ty, &[is_float, is_bool, is_integer, is_complex]);
    STATIC_TENSOR: "statically shaped tensor", |context, ty| {
        is_tensor(context, ty) && is_static(context, ty)
    };
    STATIC_OR_BOUNDED_TENSOR: "statically shaped or single bounded dimension tensor", |context, ty| {
        is_tensor(context, ty) && is_static_or_bounded(context, ty)
    };
    IOTA_TENSOR: "statically shaped tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values",
        |context, ty| {
            is_tensor_of(context, ty, &[is_integer, is_float, is_complex, is_quantized])
                && is_static(context, ty)
        };
    SCALAR_TENSOR: "0D tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values",
        |context, ty| is_tensor(context, ty) && has_rank(context, ty, 0);
    SCALAR_INTEGER_TENSOR: "0D tensor of 2/4/8/16/32/64-bit integer values", |context, ty| {
        is_tensor_of(context, ty, &[is_integer]) && has_rank(context, ty, 0)
    };
    SCALAR_RNG_TENSOR: "0D tensor of bool or 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values",
        |context, ty| {
            is_tensor_of(context, ty, &[is_bool, is_integer, is_float]) && has_rank(context, ty, 0)
        };
    RNG_TENSOR: "ranked tensor of bool or 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values",
        |context, ty| is_tensor_of(context, ty, &[is_bool, is_integer, is_float]);
    BOOL_TENSOR: "ranked tensor of bool values", |context, ty| is_tensor_of(context, ty, &[is_bool]);
    INTEGER_TENSOR: "ranked tensor of 2/4/8/16/32/64-bit integer values",
        |context, ty| is_tensor_of(context, ty, &[is_integer]);
    BOOL_OR_INTEGER_TENSOR: "ranked tensor of bool or 2/4/8/16/32/64-bit integer values",
        |context, ty| is_tensor_of(context, ty, &[is_bool, is_integer]);
    INDEX_TENSOR: "ranked tensor of integer or index values",
        |context, ty| is_tensor_of(context, ty, &[is_dimension]);
    I32_TENSOR: "ranked tensor of 32-bit signless integer values",
        |context, ty| is_tensor_of(context, ty, &[|_, ty| ty == Type::I32]);
    UI32_TENSOR: "ranked tensor of 32-bit unsigned integer values",
        |context, ty| is_tensor_of(context, ty, &[|context, ty| {
            is_unsigned(context, ty) && context.integer_width(ty) == Some(32)
        }]);
    DIMENSION_TENSOR: "1D tensor of index or 2/4/8/16/32/64-bit integer values", |context, ty| {
        is_tensor_of(context, ty, &[is_dimension]) && has_rank(context, ty, 1)
    };
    STATIC_DIMENSION_TENSOR: "statically shaped 1-dimensional tensor", |context, ty| {
        is_tensor_of(context, ty, &[is_dimension]) && has_rank(context, ty, 1)
            && is_static(context, ty)
    };
    STATIC_INTEGER_MATRIX: "statically shaped 2-dimensional integer tensor", |context, ty| {
        is_tensor_of(context, ty, &[is_integer]) && has_rank(context, ty, 2)
            && is_static(context, ty)
    };
    FLOAT_TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float values",
        |context, ty| is_tensor_of(context, ty, &[is_float]);
    FLOAT_VECTOR: "1D tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values",
        |context, ty| {
            is_tensor_of(context, ty, &[is_float, is_quantized]) && has_rank(context, ty, 1)
        };
    PART_TENSOR: "ranked tensor of 32/64-bit float values",
        |context, ty| is_tensor_of(context, ty, &[|_, ty| matches!(ty, Type::F32 | Type::F64)]);
    COMPLEX_TENSOR: "ranked tensor of complex type with 32/64-bit float elements values",
        |context, ty| is_tensor_of(context, ty, &[is_complex]);
    FLOAT_OR_COMPLEX_TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements values",
        |context, ty| is_tensor_of(context, ty, &[is_float, is_complex]);
    FLOAT_OR_QUANTIZED_TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values",
        |context, ty| is_tensor_of(context, ty, &[is_float, is_quantized]);
    QUANTIZED_TENSOR: "ranked tensor of per-tensor integer quantized or per-axis integer quantized values",
        |context, ty| is_tensor_of(context, ty, &[is_quantized]);
    FLOAT_COMPLEX_OR_QUANTIZED_TENSOR: "ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values",
        |context, ty| is_tensor_of(context, ty, &[is_float, is_complex, is_quantized]);
    NUMBER_TENSOR: "ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values",
        |context, ty| is_tensor_of(context, ty, &[is_integer, is_float, is_complex, is_quantized]);
    SIGNED_NUMBER_TENSOR: "ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values",
        |context, ty| is_tensor_of(context, ty, &[is_signed, is_float, is_complex, is_quantized]);
    INTEGER_OR_FLOAT_TENSOR: "ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values",
        |context, ty| is_tensor_of(context, ty, &[is_integer, is_float]);
    TOKEN: "token", is_token;
    TENSOR_OR_TOKEN: "ranked tensor or token", is_tensor_or_token;
    FUTURE: "future", |context, ty| is_own(context, ty, "future");
    TUPLE: "nested tuple of tensors and tokens", is_tuple;
    TENSOR_TOKEN_OR_TUPLE: "ranked tensor, token or nested tuple", |context, ty| {
        is_tensor_or_token(context, ty) || is_tuple(context, ty)
    };
    CUSTOM_CALL_VALUE: "tensor, memref, token, nested tuple or future", |context, ty| {
        is_ranked_tensor(context, ty)
            || matches!(context.type_kind(ty), TypeKind::UnrankedTensor(_) | TypeKind::MemRef(_))
            || is_token(context, ty)
            || is_tuple(context, ty)
            || is_own(context, ty, "future")
    };
}

/// The elements of an `array<i1>`.
pub(crate) fn bool_array(context: &Context, attr: Attr) -> Option<Vec<bool>> {
    match context.attr_kind(attr) {
        AttrKind::DenseArray { element, bytes } if *element == Type::I1 => {
            Some(bytes.iter().map(|&byte| byte != 0).collect())
        }
        _ => None,
    }
}

fn integer_of(context: &Context, attr: Attr, expected: Type) -> Option<i128> {
    match context.attr_kind(attr) {
        AttrKind::Integer { ty, value } if *ty == expected => Some(*value),
        _ => None,
    }
}

fn is_elements_of(context: &Context, attr: Attr, element: Type) -> bool {
    let ty = match context.attr_kind(attr) {
        AttrKind::DenseElements(elements) => elements.ty,
        AttrKind::DenseResource { ty, .. } => *ty,
        _ => return false,
    };
    context.element_type_or_self(ty) == element
}

macro_rules! attr_constraints {
    ($($name:ident: $description:literal, $accepts:expr $(, $text:expr)?;)*) => {
        $(
            pub(super) static $name: AttrConstraint =
                AttrConstraint::new($description, $accepts)$(.written($text))?;
        )*
    };
}

attr_constraints! {
    NON_NEGATIVE_I64: "64-bit signless integer attribute whose value is non-negative",
        |context, attr| integer_of(context, attr, Type::I64).is_some_and(|n| n >= 0),
        AttrText::Typed(Type::I64);
    POSITIVE_I64: "64-bit signless integer attribute whose value is positive",
        |context, attr| integer_of(context, attr, Type::I64).is_some_and(|n| n > 0),
        AttrText::Typed(Type::I64);
    NON_NEGATIVE_I32: "32-bit signless integer attribute whose value is non-negative",
        |context, attr| integer_of(context, attr, Type::I32).is_some_and(|n| n >= 0),
        AttrText::Typed(Type::I32);
    API_VERSION: "Custom call API version",
        |context, attr| integer_of(context, attr, Type::I32).is_some_and(|n| (0..=4).contains(&n)),
        AttrText::Typed(Type::I32);
    POSITIVE_I32: "32-bit signless integer attribute whose value is positive",
        |context, attr| integer_of(context, attr, Type::I32).is_some_and(|n| n > 0),
        AttrText::Typed(Type::I32);
    F32_ATTR: "32-bit float attribute", |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::Float { ty, .. } if *ty == Type::F32)
    };
    I64_ELEMENTS: "64-bit signless integer elements attribute",
        |context, attr| is_elements_of(context, attr, Type::I64);
    REPLICA_GROUPS: "64-bit signless integer elements attribute or mesh axes",
        |context, attr| {
            is_elements_of(context, attr, Type::I64)
                || matches!(context.attr_kind(attr), AttrKind::Dialect { .. })
        };
    BOOL_DENSE_ARRAY: "i1 dense array attribute",
        |context, attr| bool_array(context, attr).is_some();
    RESULT_ACCURACY: "The requested accuracy for transcendental unary ops.",
        attributes::is_result_accuracy;
    DOT_ALGORITHM: "Attribute that models the algorithm constraints to use for computing dot.",
        |context, attr| matches!(context.attr_kind(attr), AttrKind::Dialect { body, .. }
            if body.starts_with("dot_algorithm<"));
    PRECISION_CONFIG: "Precision Config attribute", |context, attr| {
        context.attr_array(attr).is_some_and(|array| {
            array.iter().all(|&attr| (attributes::PRECISION.accepts)(context, attr))
        })
    };
    OUTPUT_OPERAND_ALIASES: "Aliasing attribute for outputs and operands of CustomCall", |context, attr| {
        context.attr_array(attr).is_some_and(|array| {
            array.iter().all(|&attr| (attributes::OUTPUT_OPERAND_ALIAS.accepts)(context, attr))
        })
    };
    CALL_TARGET: "string attribute", |context, attr| context.attr_string(attr).is_some(),
        AttrText::Symbol;
    BACKEND_CONFIG: "string attribute or dictionary of named attribute values", |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::String(_) | AttrKind::Dictionary(_))
    };
    DICTIONARY: "dictionary of named attribute values", |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::Dictionary(_))
    };
}
