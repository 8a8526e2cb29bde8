//! The vector dialect: values of several dimensions whose elements are computed
//! with at once, and how they come from and go to memory.

mod assembly;
mod attributes;
mod matrix;
mod sizes;
mod transfer;
mod verify;
mod warp;

use crate::dialects::arith::attributes::FASTMATH;
use crate::ir::attrs::Attr;
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::Op;
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrSpec, Count, DialectDef, Generic22, OpDef, Traits, TypeConstraint, ValueSpec, keeps_nothing,
};
use crate::ir::rules::all_operands_to;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::ir::version::MlirVersion;

pub use attributes::{CombiningKind, iterator_type, numbers};
pub use matrix::{
    FLAT_TRANSPOSE, MATRIX_MULTIPLY, SCALABLE_EXTRACT, SCALABLE_INSERT, product_sizes,
    transpose_sizes,
};
pub use sizes::{Coordinates, coordinates, linear, sizes_of};
pub use transfer::Transfer;
pub use verify::contraction_maps;
pub use warp::WARP_EXECUTE_ON_LANE_0;

use assembly as text;
use attributes::{I64_ARRAY_ATTR, KIND_ATTR, PUNCTUATION_ATTR, enum_attr, enum_keyword};

static VECTOR_OF_I1: TypeConstraint = TypeConstraint {
    description: "vector of 1-bit signless integer values",
    accepts: |context, ty| is_vector(context, ty) && context.element_type_or_self(ty) == Type::I1,
    kind: Some(is_vector),
    ..TypeConstraint::BASE
};
static VECTOR_OF_INDICES: TypeConstraint = TypeConstraint {
    description: "vector of integer or index values",
    accepts: |context, ty| {
        is_vector(context, ty)
            && constraints::is_signless_integer_or_index(context, context.element_type_or_self(ty))
    },
    kind: Some(is_vector),
    ..TypeConstraint::BASE
};
static VECTOR_OF_FLOATS: TypeConstraint = TypeConstraint {
    description: "vector of floating-point values",
    accepts: |context, ty| {
        is_vector(context, ty) && constraints::is_float(context, context.element_type_or_self(ty))
    },
    ..TypeConstraint::BASE
};
static FIXED_LENGTH_VECTOR: TypeConstraint = TypeConstraint {
    description: "fixed-length vector of any type values",
    accepts: |context, ty| is_vector(context, ty) && !scalable_of(context, ty).contains(&true),
    kind: Some(is_vector),
    ..TypeConstraint::BASE
};
static STATIC_MEMREF: TypeConstraint = TypeConstraint {
    description: "statically shaped memref of any type values",
    accepts: |context, ty| {
        (context.as_memref(ty)).is_some_and(|memref| !memref.shape.contains(&DYNAMIC))
    },
    ..TypeConstraint::BASE
};
static SHAPED: TypeConstraint = TypeConstraint {
    description: "shaped of any type values",
    accepts: |context, ty| {
        context.as_memref(ty).is_some()
            || matches!(context.type_kind(ty), TypeKind::RankedTensor { .. })
    },
    ..TypeConstraint::BASE
};

/// Whether `ty` is a vector type.
pub fn is_vector(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Vector { .. })
}

/// The bytes of all elements of a vector, one per `i1`; zero for other types.
pub fn bytes_of_elements(context: &Context, ty: Type) -> u64 {
    match context.type_kind(ty) {
        TypeKind::Vector { shape, element, .. } => {
            let bytes = context.element_byte_size(*element).unwrap_or(0);
            (shape.iter()).fold(bytes, |bytes, size| {
                bytes.saturating_mul(size.unsigned_abs())
            })
        }
        _ => 0,
    }
}

/// The vector type with this shape, no dimension scalable.
pub fn vector_type(context: &Context, shape: &[i64], element: Type) -> Type {
    scalable_vector_type(context, shape, &vec![false; shape.len()], element)
}

/// The vector type with this shape and these scalable dimensions.
fn scalable_vector_type(
    context: &Context,
    shape: &[i64],
    scalable: &[bool],
    element: Type,
) -> Type {
    context.intern_type(TypeKind::Vector {
        shape: shape.into(),
        scalable: scalable.into(),
        element,
    })
}

const KIND: AttrSpec = AttrSpec::required(Name::KIND, &KIND_ATTR);
const VECTOR: &[ValueSpec] = &[ValueSpec::one("vector", &constraints::VECTOR)];
/// How loads and stores under a mask are written.
const MASKED_LOAD_FORMAT: &str = "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` \
     type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)";
const MASKED_STORE_FORMAT: &str = "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict \
     `:` type($base) `,` type($mask) `,` type($valueToStore)";
const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::VECTOR)];
const ANY_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::ANY)];
const BASE: ValueSpec = ValueSpec::one("base", &constraints::MEMREF);
const INDICES: ValueSpec = ValueSpec::variadic("indices", &constraints::INDEX);
const MASK_OPERAND: ValueSpec = ValueSpec::one("mask", &VECTOR_OF_I1);
const INDEX_VEC: ValueSpec = ValueSpec::one("index_vec", &VECTOR_OF_INDICES);
const PASS_THRU: ValueSpec = ValueSpec::one("pass_thru", &constraints::VECTOR);
const VALUE_TO_STORE: ValueSpec = ValueSpec::one("valueToStore", &constraints::VECTOR);

/// `%a : type to type`
const CAST: OpDef = OpDef {
    operands: &[ValueSpec::one("source", &constraints::ANY)],
    results: ANY_RESULT,
    ..OpDef::PURE
};

/// Operations that read memory through a memref.
const READ: OpDef = OpDef {
    results: RESULT,
    effects: Some(|ir, op, effects| effects.read(ir.operand(op, 0))),
    ..OpDef::BASE
};

/// Operations that write memory through the memref that is their first operand.
const WRITE: OpDef = OpDef {
    effects: Some(|ir, op, effects| effects.write(ir.operand(op, 0))),
    ..OpDef::BASE
};

/// Reads a value again as elements of another type.
pub static BITCAST: OpDef = const {
    OpDef {
        name: "vector.bitcast",
        operands: &[ValueSpec::one("source", &constraints::VECTOR)],
        results: RESULT,
        verify: verify::bitcast,
        ..CAST
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($result)");

/// A value in every place of new leading or stretched unit dimensions.
pub static BROADCAST: OpDef = const {
    OpDef {
        name: "vector.broadcast",
        results: &[ValueSpec::one("vector", &constraints::VECTOR)],
        verify: verify::broadcast,
        ..CAST
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($vector)");

/// Stores the elements under a mask one after the other.
pub static COMPRESS_STORE: OpDef = const {
    OpDef {
        name: "vector.compressstore",
        operands: &[BASE, INDICES, MASK_OPERAND, VALUE_TO_STORE],
        verify: |ir, op| verify::masked(ir, op, "valueToStore"),
        ..WRITE
    }
}
.with_format(MASKED_STORE_FORMAT);

/// A mask that is set below a known bound in each dimension.
pub static CONSTANT_MASK: OpDef = const {
    OpDef {
        name: "vector.constant_mask",
        results: &[ValueSpec::one("result", &VECTOR_OF_I1)],
        attributes: &[AttrSpec::required(Name::MASK_DIM_SIZES, &I64_ARRAY_ATTR)],
        verify: verify::constant_mask,
        ..OpDef::PURE
    }
}
.with_format("$mask_dim_sizes attr-dict `:` type($result)");

/// A sum of products along dimensions, as maps say.
pub static CONTRACT: OpDef = OpDef {
    name: "vector.contract",
    operands: &[
        ValueSpec::one("lhs", &constraints::VECTOR),
        ValueSpec::one("rhs", &constraints::VECTOR),
        ValueSpec::one("acc", &constraints::ANY),
    ],
    results: ANY_RESULT,
    attributes: &[
        AttrSpec::required(Name::INDEXING_MAPS, &constraints::ARRAY_ATTR),
        AttrSpec::required(Name::ITERATOR_TYPES, &constraints::ARRAY_ATTR),
        AttrSpec::defaulted(Name::KIND, &KIND_ATTR, |context| {
            CombiningKind::Add.to_attr(context)
        }),
    ],
    parse: Some(text::parse_contract),
    print: Some(text::print_contract),
    verify: verify::contract,
    ..OpDef::PURE
};

/// A mask that is set below a computed bound in each dimension.
pub static CREATE_MASK: OpDef = const {
    OpDef {
        name: "vector.create_mask",
        operands: &[ValueSpec::variadic("operands", &constraints::INDEX)],
        results: &[ValueSpec::one("result", &VECTOR_OF_I1)],
        verify: verify::create_mask,
        ..OpDef::PURE
    }
}
.with_format("$operands attr-dict `:` type($result)");

/// Even and odd elements of the last dimension.
pub static DEINTERLEAVE: OpDef = const {
    OpDef {
        name: "vector.deinterleave",
        operands: &[ValueSpec::one("source", &constraints::VECTOR)],
        results: &[
            ValueSpec::one("res1", &constraints::VECTOR),
            ValueSpec::one("res2", &constraints::VECTOR),
        ],
        verify: verify::deinterleave,
        result_names: Some(|ir, op, name| {
            name(ir.result(op, 0), "res1");
            name(ir.result(op, 1), "res2");
        }),
        ..OpDef::PURE
    }
}
.with_format("$source attr-dict `:` type($source) `->` type($res1) where $res2 = type($res1)");

/// Loads elements that lie one after the other to the places under a mask.
pub static EXPAND_LOAD: OpDef = const {
    OpDef {
        name: "vector.expandload",
        keeps_operand: keeps_nothing,
        operands: &[BASE, INDICES, MASK_OPERAND, PASS_THRU],
        verify: |ir, op| verify::masked(ir, op, "pass_thru"),
        ..READ
    }
}
.with_format(MASKED_LOAD_FORMAT);

/// An element or a part at a position.
pub static EXTRACT: OpDef = const {
    OpDef {
        name: "vector.extract",
        operands: &[
            ValueSpec::one("vector", &constraints::VECTOR),
            ValueSpec::variadic("dynamic_position", &constraints::INDEX),
        ],
        results: ANY_RESULT,
        attributes: &[AttrSpec::required(
            Name::STATIC_POSITION,
            &constraints::I64_DENSE_ARRAY_ATTR,
        )],
        verify: verify::extract,
        ..OpDef::PURE
    }
}
.with_format(
    "$vector `` mixed-list($dynamic_position, $static_position) attr-dict `:` type($result) \
     `from` type($vector)",
);

/// An element at a computed position of a vector of at most one dimension.
pub static EXTRACT_ELEMENT: OpDef = const {
    OpDef {
        name: "vector.extractelement",
        operands: &[
            ValueSpec::one("vector", &constraints::VECTOR),
            ValueSpec::optional("position", &constraints::SIGNLESS_INTEGER_OR_INDEX),
        ],
        results: ANY_RESULT,
        verify: verify::extract_element,
        ..OpDef::PURE
    }
}
.with_format(
    "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector) where \
     $result = element($vector)",
);

/// A box of a vector.
pub static EXTRACT_STRIDED_SLICE: OpDef = const {
    OpDef {
        name: "vector.extract_strided_slice",
        operands: VECTOR,
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::OFFSETS, &I64_ARRAY_ATTR),
            AttrSpec::required(Name::SIZES, &I64_ARRAY_ATTR),
            AttrSpec::required(Name::STRIDES, &I64_ARRAY_ATTR),
        ],
        verify: verify::extract_strided_slice,
        ..CAST
    }
}
.with_format("$vector attr-dict `:` type($vector) `to` type($result)");

/// Product and sum in one rounding.
pub static FMA: OpDef = const {
    OpDef {
        name: "vector.fma",
        traits: Traits::SPECULATABLE
            .and(Traits::ELEMENTWISE)
            .and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        operands: &[
            ValueSpec::one("lhs", &VECTOR_OF_FLOATS),
            ValueSpec::one("rhs", &VECTOR_OF_FLOATS),
            ValueSpec::one("acc", &VECTOR_OF_FLOATS),
        ],
        results: &[ValueSpec::one("result", &VECTOR_OF_FLOATS)],
        ..OpDef::PURE
    }
}
.with_format(
    "$lhs `,` $rhs `,` $acc attr-dict `:` type($result) where $lhs = type($result), $rhs = \
     type($result), $acc = type($result)",
);

/// A vector of these elements in row-major order.
pub static FROM_ELEMENTS: OpDef = const {
    OpDef {
        name: "vector.from_elements",
        operands: &[ValueSpec::variadic("elements", &constraints::ANY)],
        results: &[ValueSpec::one("result", &constraints::VECTOR)],
        verify: verify::from_elements,
        ..OpDef::PURE
    }
}
.with_format("$elements attr-dict `:` type($result) where $elements = element($result)");

/// The elements of a vector in row-major order.
pub static TO_ELEMENTS: OpDef = const {
    OpDef {
        name: "vector.to_elements",
        operands: &[ValueSpec::one("source", &constraints::VECTOR)],
        results: &[ValueSpec::variadic("elements", &constraints::ANY)],
        infer_results: Some(text::infer_to_elements),
        verify: verify::to_elements,
        ..OpDef::PURE
    }
}
.with_format("mlir-22 $source attr-dict `:` type($source)");

/// Loads the elements at computed distances.
pub static GATHER: OpDef = const {
    OpDef {
        name: "vector.gather",
        keeps_operand: keeps_nothing,
        operands: &[
            ValueSpec::one("base", &SHAPED),
            INDICES,
            INDEX_VEC,
            MASK_OPERAND,
            PASS_THRU,
        ],
        verify: |ir, op| verify::masked(ir, op, "pass_thru"),
        ..READ
    }
}
.with_format(
    "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` \
     type($base) `,` type($index_vec) `,` type($mask) `,` type($pass_thru) `into` \
     type($result)",
);

/// A vector with an element or part replaced.
pub static INSERT: OpDef = const {
    OpDef {
        name: "vector.insert",
        operands: &[
            ValueSpec::one("source", &constraints::ANY),
            ValueSpec::one("dest", &constraints::VECTOR),
            ValueSpec::variadic("dynamic_position", &constraints::INDEX),
        ],
        results: RESULT,
        attributes: &[AttrSpec::required(
            Name::STATIC_POSITION,
            &constraints::I64_DENSE_ARRAY_ATTR,
        )],
        verify: verify::insert,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `,` $dest mixed-list($dynamic_position, $static_position) attr-dict `:` \
     type($source) `into` type($dest) where $result = type($dest)",
);

/// A vector of at most one dimension with the element at a computed position replaced.
pub static INSERT_ELEMENT: OpDef = const {
    OpDef {
        name: "vector.insertelement",
        operands: &[
            ValueSpec::one("source", &constraints::ANY),
            ValueSpec::one("dest", &constraints::VECTOR),
            ValueSpec::optional("position", &constraints::SIGNLESS_INTEGER_OR_INDEX),
        ],
        results: RESULT,
        verify: verify::insert_element,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($dest) \
     where $source = element($dest), $result = type($dest)",
);

/// A vector with a box replaced.
pub static INSERT_STRIDED_SLICE: OpDef = const {
    OpDef {
        name: "vector.insert_strided_slice",
        operands: &[
            ValueSpec::one("source", &constraints::VECTOR),
            ValueSpec::one("dest", &constraints::VECTOR),
        ],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::OFFSETS, &I64_ARRAY_ATTR),
            AttrSpec::required(Name::STRIDES, &I64_ARRAY_ATTR),
        ],
        verify: verify::insert_strided_slice,
        ..OpDef::PURE
    }
}
.with_format(
    "$source `,` $dest attr-dict `:` type($source) `into` type($dest) where $result = \
     type($dest)",
);

/// Elements of two vectors in turn.
pub static INTERLEAVE: OpDef = const {
    OpDef {
        name: "vector.interleave",
        operands: &[
            ValueSpec::one("lhs", &constraints::VECTOR),
            ValueSpec::one("rhs", &constraints::VECTOR),
        ],
        results: RESULT,
        verify: verify::interleave,
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result) where $rhs = type($lhs)");

/// Loads a vector from consecutive elements.
pub static LOAD: OpDef = const {
    OpDef {
        name: "vector.load",
        keeps_operand: keeps_nothing,
        operands: &[BASE, INDICES],
        attributes: &[AttrSpec::optional(
            Name::NONTEMPORAL,
            &constraints::BOOL_ATTR,
        )],
        verify: verify::load,
        ..READ
    }
}
.with_format("$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)");

/// One operation on the elements under a mask.
pub static MASK: OpDef = OpDef {
    name: "vector.mask",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[
        MASK_OPERAND,
        ValueSpec::optional("passthru", &constraints::ANY),
    ],
    results: &[ValueSpec::variadic("results", &constraints::ANY)],
    regions: (1, 1),
    parse: Some(text::parse_mask),
    print: Some(text::print_mask),
    verify: verify::mask,
    ..OpDef::BASE
};

/// Loads consecutive elements where a mask is set.
pub static MASKED_LOAD: OpDef = const {
    OpDef {
        name: "vector.maskedload",
        keeps_operand: keeps_nothing,
        operands: &[BASE, INDICES, MASK_OPERAND, PASS_THRU],
        verify: |ir, op| verify::masked(ir, op, "pass_thru"),
        ..READ
    }
}
.with_format(MASKED_LOAD_FORMAT);

/// Stores consecutive elements where a mask is set.
pub static MASKED_STORE: OpDef = const {
    OpDef {
        name: "vector.maskedstore",
        operands: &[BASE, INDICES, MASK_OPERAND, VALUE_TO_STORE],
        verify: |ir, op| verify::masked(ir, op, "valueToStore"),
        ..WRITE
    }
}
.with_format(MASKED_STORE_FORMAT);

/// Combines elements along dimensions.
pub static MULTI_REDUCTION: OpDef = const {
    OpDef {
        name: "vector.multi_reduction",
        operands: &[
            ValueSpec::one("source", &constraints::VECTOR),
            ValueSpec::one("acc", &constraints::ANY),
        ],
        results: &[ValueSpec::one("dest", &constraints::ANY)],
        attributes: &[
            KIND,
            AttrSpec::required(Name::REDUCTION_DIMS, &I64_ARRAY_ATTR),
        ],
        verify: verify::multi_reduction,
        generic_22: Generic22 {
            attr: Some(dims_in_22),
            ..Generic22::NOTHING
        },
        ..OpDef::PURE
    }
}
.with_format(
    "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest) \
     where $acc = type($dest)",
);

/// Dimensions are an array of plain numbers in MLIR 22.
fn dims_in_22(context: &Context, name: Name, attr: Attr, to_22: bool) -> Attr {
    match name == Name::REDUCTION_DIMS {
        true => numbers_in_22(context, attr, to_22),
        false => attr,
    }
}

/// So are the places of elements that are shuffled.
fn mask_in_22(context: &Context, name: Name, attr: Attr, to_22: bool) -> Attr {
    match name == Name::MASK {
        true => numbers_in_22(context, attr, to_22),
        false => attr,
    }
}

fn numbers_in_22(context: &Context, attr: Attr, to_22: bool) -> Attr {
    match context.attr_i64_array(attr) {
        None if to_22 => {
            let numbers = context.attr_array(attr).unwrap_or_default().iter();
            let numbers: Vec<i64> = numbers
                .filter_map(|&number| i64::try_from(context.attr_integer(number)?).ok())
                .collect();
            context.i64_array_attr(&numbers)
        }
        Some(numbers) if !to_22 => {
            context.note_version(MlirVersion::V22);
            let numbers: Vec<Attr> = numbers.iter().map(|&n| context.i64_attr(n)).collect();
            context.array_attr(&numbers)
        }
        _ => attr,
    }
}

/// All products of elements of two vectors.
pub static OUTER_PRODUCT: OpDef = OpDef {
    name: "vector.outerproduct",
    operands: &[
        ValueSpec::one("lhs", &constraints::VECTOR),
        ValueSpec::one("rhs", &constraints::ANY),
        ValueSpec::optional("acc", &constraints::VECTOR),
    ],
    results: RESULT,
    attributes: &[AttrSpec::defaulted(Name::KIND, &KIND_ATTR, |context| {
        CombiningKind::Add.to_attr(context)
    })],
    parse: Some(text::parse_outer_product),
    print: Some(text::print_outer_product),
    verify: verify::outer_product,
    ..OpDef::PURE
};

/// Writes a value, text or punctuation to standard output.
pub static PRINT: OpDef = OpDef {
    name: "vector.print",
    operands: &[ValueSpec::optional("source", &constraints::ANY)],
    attributes: &[
        AttrSpec::defaulted(Name::PUNCTUATION, &PUNCTUATION_ATTR, |context| {
            enum_attr(context, "punctuation", "newline")
        }),
        AttrSpec::optional(Name::STRING_LITERAL, &constraints::STRING_ATTR),
    ],
    effects: Some(|_, _, effects: &mut Effects| {
        effects.add(
            crate::ir::effects::EffectKind::Write,
            None,
            crate::ir::effects::Resource::Hint,
        );
    }),
    parse: Some(text::parse_print),
    print: Some(text::print_print),
    verify: verify::print,
    ..OpDef::BASE
};

/// The punctuation that a `vector.print` ends with.
pub fn punctuation(ir: &Ir, op: Op) -> &str {
    ir.attr(op, Name::PUNCTUATION)
        .and_then(|attr| enum_keyword(ir.context(), attr, "punctuation"))
        .unwrap_or("newline")
}

/// Combines all elements of a vector of one dimension.
pub static REDUCTION: OpDef = const {
    OpDef {
        name: "vector.reduction",
        operands: &[
            ValueSpec::one("vector", &constraints::VECTOR),
            ValueSpec::optional("acc", &constraints::ANY),
        ],
        results: &[ValueSpec::one("dest", &constraints::ANY)],
        attributes: &[KIND, FASTMATH],
        verify: verify::reduction,
        ..OpDef::PURE
    }
}
.with_format(
    "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) \
     `into` type($dest) where $acc = type($dest)",
);

/// Running combinations along a dimension, and the last of them.
pub static SCAN: OpDef = const {
    OpDef {
        name: "vector.scan",
        operands: &[
            ValueSpec::one("source", &constraints::VECTOR),
            ValueSpec::one("initial_value", &constraints::VECTOR),
        ],
        results: &[
            ValueSpec::one("dest", &constraints::VECTOR),
            ValueSpec::one("accumulated_value", &constraints::VECTOR),
        ],
        attributes: &[
            KIND,
            AttrSpec::required(Name::REDUCTION_DIM, &constraints::I64_ATTR),
            AttrSpec::required(Name::INCLUSIVE, &constraints::BOOL_ATTR),
        ],
        verify: verify::scan,
        result_names: Some(|ir, op, name| {
            name(ir.result(op, 0), "dest");
            name(ir.result(op, 1), "accumulated_value");
        }),
        ..OpDef::PURE
    }
}
.with_format(
    "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` \
     type($initial_value) where $dest = type($source), $accumulated_value = \
     type($initial_value)",
);

/// Stores elements at computed distances where a mask is set.
pub static SCATTER: OpDef = const {
    OpDef {
        name: "vector.scatter",
        operands: &[BASE, INDICES, INDEX_VEC, MASK_OPERAND, VALUE_TO_STORE],
        verify: |ir, op| verify::masked(ir, op, "valueToStore"),
        ..WRITE
    }
}
.with_format(
    "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict `:` \
     type($base) `,` type($index_vec) `,` type($mask) `,` type($valueToStore)",
);

/// The same elements in another shape.
pub static SHAPE_CAST: OpDef = const {
    OpDef {
        name: "vector.shape_cast",
        operands: &[ValueSpec::one("source", &constraints::VECTOR)],
        results: RESULT,
        verify: verify::shape_cast,
        ..CAST
    }
}
.with_format("$source attr-dict `:` type($source) `to` type($result)");

/// Chosen rows of two vectors.
pub static SHUFFLE: OpDef = const {
    OpDef {
        name: "vector.shuffle",
        operands: &[
            ValueSpec::one("v1", &FIXED_LENGTH_VECTOR),
            ValueSpec::one("v2", &FIXED_LENGTH_VECTOR),
        ],
        results: &[ValueSpec::one("vector", &constraints::VECTOR)],
        attributes: &[AttrSpec::required(Name::MASK, &I64_ARRAY_ATTR)],
        generic_22: Generic22 {
            attr: Some(mask_in_22),
            ..Generic22::NOTHING
        },
        infer_results: Some(text::infer_shuffle),
        verify: verify::shuffle,
        ..OpDef::PURE
    }
}
.with_format("$v1 `,` $v2 $mask attr-dict `:` type($v1) `,` type($v2)");

/// One scalar everywhere.
pub static SPLAT: OpDef = const {
    OpDef {
        name: "vector.splat",
        operands: &[ValueSpec::one("input", &constraints::ANY)],
        results: &[ValueSpec::one("aggregate", &constraints::VECTOR)],
        verify: verify::splat,
        ..OpDef::PURE
    }
}
.with_format("$input attr-dict `:` type($aggregate) where $input = element($aggregate)");

/// 0, 1, 2 and so on.
pub static STEP: OpDef = const {
    OpDef {
        name: "vector.step",
        results: RESULT,
        verify: verify::step,
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type($result)");

/// Stores a vector to consecutive elements.
pub static STORE: OpDef = const {
    OpDef {
        name: "vector.store",
        operands: &[VALUE_TO_STORE, BASE, INDICES],
        attributes: &[AttrSpec::optional(
            Name::NONTEMPORAL,
            &constraints::BOOL_ATTR,
        )],
        effects: Some(|ir, op, effects| effects.write(ir.operand(op, 1))),
        verify: verify::store,
        ..OpDef::BASE
    }
}
.with_format(
    "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` \
     type($valueToStore)",
);

/// Reads a box of memory, in any order of dimensions, perhaps beyond its edges.
pub static TRANSFER_READ: OpDef = OpDef {
    name: "vector.transfer_read",
    keeps_operand: keeps_nothing,
    operands: &[
        ValueSpec::one("source", &SHAPED),
        INDICES,
        ValueSpec::one("padding", &constraints::ANY),
        ValueSpec::optional("mask", &VECTOR_OF_I1),
    ],
    attributes: transfer::ATTRIBUTES,
    effects: Some(|ir, op, effects| {
        let source = ir.operand(op, 0);
        if ir.context().is_memref(ir.value_type(source)) {
            effects.read(source);
        }
    }),
    parse: Some(transfer::parse_read),
    print: Some(transfer::print),
    verify: transfer::verify,
    ..READ
};

/// Writes a box of memory, in any order of dimensions, perhaps beyond its edges.
pub static TRANSFER_WRITE: OpDef = OpDef {
    name: "vector.transfer_write",
    operands: &[
        ValueSpec::one("vector", &constraints::VECTOR),
        ValueSpec::one("source", &SHAPED),
        INDICES,
        ValueSpec::optional("mask", &VECTOR_OF_I1),
    ],
    results: &[ValueSpec {
        name: "result",
        count: Count::Optional,
        constraint: &constraints::RANKED_TENSOR,
    }],
    attributes: transfer::ATTRIBUTES,
    effects: Some(|ir, op, effects| {
        let source = ir.operand(op, 1);
        if ir.context().is_memref(ir.value_type(source)) {
            effects.write(source);
        }
    }),
    parse: Some(transfer::parse_write),
    print: Some(transfer::print),
    verify: transfer::verify,
    ..OpDef::BASE
};

/// A vector with its dimensions in another order.
pub static TRANSPOSE: OpDef = const {
    OpDef {
        name: "vector.transpose",
        operands: VECTOR,
        results: RESULT,
        attributes: &[AttrSpec::required(
            Name::PERMUTATION,
            &constraints::I64_DENSE_ARRAY_ATTR,
        )],
        verify: verify::transpose,
        ..OpDef::PURE
    }
}
.with_format("$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)");

/// A buffer of scalars as a buffer of one vector.
pub static TYPE_CAST: OpDef = const {
    OpDef {
        name: "vector.type_cast",
        operands: &[ValueSpec::one("memref", &STATIC_MEMREF)],
        results: &[ValueSpec::one("result", &constraints::MEMREF)],
        view_source: Some(|ir, op| ir.operand(op, 0)),
        verify: verify::type_cast,
        ..CAST
    }
}
.with_format("$memref attr-dict `:` type($memref) `to` type($result)");

/// How many times as long scalable vectors are.
pub static VSCALE: OpDef = const {
    OpDef {
        name: "vector.vscale",
        results: &[ValueSpec::one("res", &constraints::INDEX)],
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "vscale")),
        ..OpDef::PURE
    }
}
.with_format("attr-dict");

/// Ends the body of a `vector.mask`.
pub static YIELD: OpDef = const {
    OpDef {
        name: "vector.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &constraints::ANY)],
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($operands^ `:` type($operands))?");

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "vector",
    ops: &[
        &BITCAST,
        &BROADCAST,
        &COMPRESS_STORE,
        &CONSTANT_MASK,
        &CONTRACT,
        &CREATE_MASK,
        &DEINTERLEAVE,
        &EXPAND_LOAD,
        &EXTRACT,
        &EXTRACT_ELEMENT,
        &EXTRACT_STRIDED_SLICE,
        &FLAT_TRANSPOSE,
        &FMA,
        &FROM_ELEMENTS,
        &TO_ELEMENTS,
        &GATHER,
        &INSERT,
        &INSERT_ELEMENT,
        &INSERT_STRIDED_SLICE,
        &INTERLEAVE,
        &LOAD,
        &MASK,
        &MASKED_LOAD,
        &MASKED_STORE,
        &MATRIX_MULTIPLY,
        &MULTI_REDUCTION,
        &OUTER_PRODUCT,
        &PRINT,
        &REDUCTION,
        &SCALABLE_EXTRACT,
        &SCALABLE_INSERT,
        &SCAN,
        &SCATTER,
        &SHAPE_CAST,
        &SHUFFLE,
        &SPLAT,
        &STEP,
        &STORE,
        &TRANSFER_READ,
        &TRANSFER_WRITE,
        &TRANSPOSE,
        &TYPE_CAST,
        &VSCALE,
        &WARP_EXECUTE_ON_LANE_0,
        &YIELD,
    ],
    ..DialectDef::BASE
};

/// The shape of a vector type; none for other types.
pub(crate) fn shape_of(context: &Context, ty: Type) -> &[i64] {
    match context.type_kind(ty) {
        TypeKind::Vector { shape, .. } => shape,
        _ => &[],
    }
}

/// For each dimension of a vector type whether it is scalable; none for other types.
pub fn scalable_of(context: &Context, ty: Type) -> &[bool] {
    match context.type_kind(ty) {
        TypeKind::Vector { scalable, .. } => scalable,
        _ => &[],
    }
}

/// Whether attribute `name` is `true`.
pub fn is_true(ir: &Ir, op: Op, name: Name) -> bool {
    ir.attr(op, name) == Some(Attr::TRUE)
}
