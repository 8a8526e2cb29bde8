//! Attributes of nodes, as onnx-mlir has them: numbers with signs, lists as arrays, codes of element types as types.

use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{Signedness, Type, TypeKind};

use crate::proto::Attribute;
use crate::tensors::Tensors;
use crate::types::{self, Types};

/// The kinds of attributes by number.
mod kind {
    pub(super) const FLOAT: i32 = 1;
    pub(super) const INT: i32 = 2;
    pub(super) const STRING: i32 = 3;
    pub(super) const TENSOR: i32 = 4;
    pub(super) const GRAPH: i32 = 5;
    pub(super) const FLOATS: i32 = 6;
    pub(super) const INTS: i32 = 7;
    pub(super) const STRINGS: i32 = 8;
    pub(super) const TENSORS: i32 = 9;
    pub(super) const GRAPHS: i32 = 10;
    pub(super) const SPARSE_TENSOR: i32 = 11;
    pub(super) const TYPE: i32 = 13;
}

/// What an attribute is of: files before version 2 do not say it.
fn kind_of(attribute: &Attribute) -> i32 {
    match attribute.kind {
        0 => match attribute {
            _ if attribute.t.is_some() => kind::TENSOR,
            _ if attribute.g.is_some() => kind::GRAPH,
            _ if !attribute.ints.is_empty() => kind::INTS,
            _ if !attribute.floats.is_empty() => kind::FLOATS,
            _ if !attribute.strings.is_empty() => kind::STRINGS,
            _ if !attribute.s.is_empty() => kind::STRING,
            _ if attribute.f != 0.0 => kind::FLOAT,
            _ => kind::INT,
        },
        kind => kind,
    }
}

/// Whether the attribute is one or several graphs, which become regions.
pub(crate) fn is_graph(attribute: &Attribute) -> bool {
    matches!(kind_of(attribute), kind::GRAPH | kind::GRAPHS)
}

/// `1.0 : f32`
fn float(context: &Context, value: f32) -> Attr {
    context.intern_attr(AttrKind::Float {
        ty: Type::F32,
        bits: value.to_bits().into(),
    })
}

/// `1 : si64`
pub(crate) fn signed(context: &Context, value: i64) -> Attr {
    let ty = context.intern_type(TypeKind::Integer {
        width: 64,
        signedness: Signedness::Signed,
    });
    context.integer_attr(ty, value.into())
}

fn string(context: &Context, bytes: &[u8]) -> Attr {
    context.intern_attr(AttrKind::String(bytes.into()))
}

/// The attribute of an operator of ONNX itself or of another domain.
///
/// # Errors
/// If there is no such attribute in the IR.
pub(crate) fn attribute(
    attribute: &Attribute,
    name: &str,
    is_onnx: bool,
    types: &mut Types<'_>,
    tensors: &mut Tensors<'_>,
) -> Result<Attr, String> {
    let context = types.context;
    let list = |elements: Vec<Attr>| context.array_attr(&elements);
    Ok(match kind_of(attribute) {
        kind::INT if is_onnx && matches!(name, "to" | "dtype") => {
            let number = i32::try_from(attribute.i).unwrap_or(-1);
            context.type_attr(types::element(context, number)?)
        }
        kind::INT => signed(context, attribute.i),
        kind::FLOAT => float(context, attribute.f),
        kind::STRING => string(context, &attribute.s),
        kind::INTS => list(
            attribute
                .ints
                .iter()
                .map(|&i| context.i64_attr(i))
                .collect(),
        ),
        kind::FLOATS => list(
            attribute
                .floats
                .iter()
                .map(|&f| float(context, f))
                .collect(),
        ),
        kind::STRINGS => list(
            attribute
                .strings
                .iter()
                .map(|s| string(context, s))
                .collect(),
        ),
        kind::TENSOR => match &attribute.t {
            Some(tensor) => tensors.dense(tensor)?,
            None => return Err("the tensor is missing".into()),
        },
        kind::TENSORS => {
            let all: Result<Vec<Attr>, String> = attribute
                .tensors
                .iter()
                .map(|tensor| tensors.dense(tensor))
                .collect();
            list(all?)
        }
        kind::SPARSE_TENSOR => match &attribute.sparse_tensor {
            Some(sparse) => tensors.of_sparse(sparse)?,
            None => return Err("the tensor is missing".into()),
        },
        kind::TYPE => match &attribute.tp {
            Some(ty) => context.type_attr(types.of(ty)?),
            None => return Err("the type is missing".into()),
        },
        kind => return Err(format!("attributes of kind {kind} are not supported")),
    })
}

/// The value of an `onnx.Constant`, whichever attribute has it.
///
/// # Errors
/// If there is none, or it is not well-formed.
pub(crate) fn constant(
    attribute: &Attribute,
    name: &str,
    tensors: &mut Tensors<'_>,
) -> Result<Attr, String> {
    let n = |n: usize| [i64::try_from(n).unwrap_or(i64::MAX)];
    match name {
        "value" => match &attribute.t {
            Some(tensor) => tensors.dense(tensor),
            None => Err("the tensor is missing".into()),
        },
        "sparse_value" => match &attribute.sparse_tensor {
            Some(sparse) => tensors.of_sparse(sparse),
            None => Err("the tensor is missing".into()),
        },
        "value_float" => tensors.of_numbers(&[], 1, attribute.f.to_le_bytes().into()),
        "value_int" => tensors.of_numbers(&[], 7, attribute.i.to_le_bytes().into()),
        "value_string" => tensors.of_strings(&[], std::slice::from_ref(&attribute.s)),
        "value_floats" => {
            let floats = attribute.floats.iter();
            let bytes = floats.flat_map(|x| x.to_le_bytes()).collect();
            tensors.of_numbers(&n(attribute.floats.len()), 1, bytes)
        }
        "value_ints" => {
            let ints = attribute.ints.iter();
            let bytes = ints.flat_map(|x| x.to_le_bytes()).collect();
            tensors.of_numbers(&n(attribute.ints.len()), 7, bytes)
        }
        "value_strings" => tensors.of_strings(&n(attribute.strings.len()), &attribute.strings),
        _ => Err("a constant has no such attribute".into()),
    }
}
