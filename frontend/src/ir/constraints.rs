//! Type and attribute constraints that rows share. The descriptions are those
//! of upstream's ODS, which appear in diagnostics.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::op_def::{AttrConstraint, AttrText, TypeConstraint};
use crate::ir::types::{Signedness, Type, TypeKind};

macro_rules! type_constraints {
    ($($(#[$meta:meta])* $name:ident: $description:literal, $accepts:expr $(, $field:ident = $value:expr)*;)*) => {
        $(
            $(#[$meta])*
            #[doc = concat!("`", $description, "`")]
            pub static $name: TypeConstraint =
                TypeConstraint { description: $description, accepts: $accepts, $($field: $value,)* ..TypeConstraint::BASE };
        )*
    };
}

macro_rules! attr_constraints {
    ($($name:ident: $description:literal, $accepts:expr $(, $text:expr)?;)*) => {
        $(
            #[doc = concat!("`", $description, "`")]
            pub static $name: AttrConstraint =
                AttrConstraint::new($description, $accepts)$(.written($text))?;
        )*
    };
}

/// Whether `ty` is a signless integer of any width.
pub fn is_signless_integer(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::Integer {
            signedness: Signedness::Signless,
            ..
        }
    )
}

/// Whether `ty` is a signless integer or index.
pub fn is_signless_integer_or_index(context: &Context, ty: Type) -> bool {
    ty == Type::INDEX || is_signless_integer(context, ty)
}

/// Whether `ty` is a float of any format.
pub fn is_float(context: &Context, ty: Type) -> bool {
    context.float_kind(ty).is_some()
}

/// Whether `ty` is `accepts`, or a vector or tensor of such elements.
pub fn is_like(context: &Context, ty: Type, accepts: fn(&Context, Type) -> bool) -> bool {
    match context.type_kind(ty) {
        TypeKind::Vector { element, .. }
        | TypeKind::RankedTensor { element, .. }
        | TypeKind::UnrankedTensor(element) => accepts(context, *element),
        _ => accepts(context, ty),
    }
}

/// Whether `ty` is a function type.
fn is_function(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Function { .. })
}

/// Whether `ty` is a ranked memref.
pub fn is_ranked_memref(context: &Context, ty: Type) -> bool {
    context.as_memref(ty).is_some()
}

/// Whether `ty` is a vector.
pub fn is_vector(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Vector { .. })
}

/// Whether `ty` is a tensor of known rank.
pub fn is_ranked_tensor(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::RankedTensor { .. })
}

/// Whether `ty` is a tensor.
pub fn is_tensor(context: &Context, ty: Type) -> bool {
    is_ranked_tensor(context, ty) || matches!(context.type_kind(ty), TypeKind::UnrankedTensor(_))
}

type_constraints! {
    ANY: "any type", |_, _| true;
    INDEX: "index", |_, ty| ty == Type::INDEX, only = Some(|_| Type::INDEX);
    I1: "1-bit signless integer", |_, ty| ty == Type::I1, only = Some(|_| Type::I1);
    I32: "32-bit signless integer", |_, ty| ty == Type::I32, only = Some(|_| Type::I32);
    I64: "64-bit signless integer", |_, ty| ty == Type::I64, only = Some(|_| Type::I64);
    SIGNLESS_INTEGER: "signless integer", is_signless_integer;
    SIGNLESS_INTEGER_OR_INDEX: "signless integer or index", is_signless_integer_or_index;
    FLOAT: "floating-point", is_float;
    SIGNLESS_INTEGER_LIKE: "signless-integer-like", |context, ty| {
        is_like(context, ty, is_signless_integer_or_index)
    };
    FLOAT_LIKE: "floating-point-like", |context, ty| is_like(context, ty, is_float);
    BOOL_LIKE: "bool-like", |context, ty| is_like(context, ty, |_, ty| ty == Type::I1);
    SIGNLESS_FIXED_WIDTH_INTEGER_LIKE: "signless-fixed-width-integer-like", |context, ty| {
        is_like(context, ty, is_signless_integer)
    };
    FUNCTION: "function type", is_function, kind = Some(is_function);
    MEMREF: "memref of any type values", is_ranked_memref, kind = Some(is_ranked_memref);
    UNRANKED_MEMREF: "unranked.memref of any type values", |context, ty| {
        matches!(context.type_kind(ty), TypeKind::UnrankedMemRef { .. })
    }, kind = Some(|context, ty| {
        matches!(context.type_kind(ty), TypeKind::UnrankedMemRef { .. })
    });
    RANKED_OR_UNRANKED_MEMREF: "ranked or unranked memref of any type values",
        Context::is_memref, kind = Some(Context::is_memref);
    STRIDED_MEMREF: "strided memref of any type values", |context, ty| {
        context.as_memref(ty).is_some_and(|memref| context.memref_strides(memref).is_some())
    }, kind = Some(is_ranked_memref);
    VECTOR: "vector of any type values", is_vector, kind = Some(is_vector);
    TENSOR: "tensor of any type values", is_tensor, kind = Some(is_tensor);
    RANKED_TENSOR: "ranked tensor of any type values", is_ranked_tensor, kind = Some(is_ranked_tensor);
    RANKED_INDEX_TENSOR: "ranked tensor of signless integer or index values", |context, ty| {
        matches!(context.type_kind(ty), TypeKind::RankedTensor { element, .. }
            if is_signless_integer_or_index(context, *element))
    }, kind = Some(is_ranked_tensor);
}

/// Whether `attr` is an integer attribute of type `ty`.
fn is_integer_attr(context: &Context, attr: Attr, expected: Type) -> bool {
    matches!(context.attr_kind(attr), AttrKind::Integer { ty, .. } if *ty == expected)
}

/// Whether `attr` is an array whose elements satisfy `accepts`.
fn is_array_of(context: &Context, attr: Attr, accepts: fn(&Context, Attr) -> bool) -> bool {
    context
        .attr_array(attr)
        .is_some_and(|elements| elements.iter().all(|&a| accepts(context, a)))
}

/// Whether `attr` is an array.
pub fn is_array(context: &Context, attr: Attr) -> bool {
    context.attr_array(attr).is_some()
}

attr_constraints! {
    ANY_ATTR: "any attribute", |_, _| true;
    UNIT_ATTR: "unit attribute", |_, attr| attr == Attr::UNIT, AttrText::Unit;
    BOOL_ATTR: "bool attribute", |context, attr| is_integer_attr(context, attr, Type::I1),
        AttrText::Typed(Type::I1);
    STRING_ATTR: "string attribute", |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::String(_) | AttrKind::TypedString(..))
    }, AttrText::Typed(Type::NONE);
    INDEX_ATTR: "index attribute", |context, attr| is_integer_attr(context, attr, Type::INDEX),
        AttrText::Typed(Type::INDEX);
    I32_ATTR: "32-bit signless integer attribute",
        |context, attr| is_integer_attr(context, attr, Type::I32), AttrText::Typed(Type::I32);
    I64_ATTR: "64-bit signless integer attribute",
        |context, attr| is_integer_attr(context, attr, Type::I64), AttrText::Typed(Type::I64);
    TYPE_ATTR: "any type attribute", |context, attr| context.attr_type(attr).is_some();
    FUNCTION_TYPE_ATTR: "type attribute of function type", |context, attr| {
        context.attr_type(attr).is_some_and(|ty| {
            matches!(context.type_kind(ty), TypeKind::Function { .. })
        })
    };
    FLAT_SYMBOL_REF_ATTR: "flat symbol reference attribute",
        |context, attr| context.attr_flat_symbol(attr).is_some(), AttrText::SymbolRef;
    SYMBOL_REF_ATTR: "symbol reference attribute", |context, attr| {
        matches!(context.attr_kind(attr), AttrKind::SymbolRef { .. })
    };
    ARRAY_ATTR: "array attribute", is_array, AttrText::Of(Some(Type::NONE), is_array);
    DICTIONARY_ARRAY_ATTR: "Array of dictionary attributes", |context, attr| {
        is_array_of(context, attr, |context, attr| {
            matches!(context.attr_kind(attr), AttrKind::Dictionary(_))
        })
    };
    I64_DENSE_ARRAY_ATTR: "i64 dense array attribute",
        |context, attr| context.attr_i64_array(attr).is_some(), AttrText::Integers;
    I32_DENSE_ARRAY_ATTR: "i32 dense array attribute",
        |context, attr| context.attr_i32_array(attr).is_some();
    AFFINE_MAP_ATTR: "AffineMap attribute", |context, attr| context.attr_affine_map(attr).is_some();
    INTEGER_SET_ATTR: "IntegerSet attribute",
        |context, attr| context.attr_integer_set(attr).is_some();
    ELEMENTS_ATTR: "constant vector/tensor attribute", |context, attr| {
        matches!(
            context.attr_kind(attr),
            AttrKind::DenseElements(_)
                | AttrKind::DenseResource { .. }
                | AttrKind::SparseElements { .. }
                | AttrKind::DenseStrings { .. }
        )
    };
}
