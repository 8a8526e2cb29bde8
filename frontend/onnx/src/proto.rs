//! The messages of an ONNX file, as far as they are read: tags and types follow ONNX's public schema.
//!
//! Fields that are not declared here (documentation, metadata, training) are skipped. Bytes of tensors share the memory of the
//! file.

use bytes::Bytes;
use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Model {
    #[prost(int64, tag = "1")]
    pub(crate) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(crate) producer_name: String,
    #[prost(string, tag = "3")]
    pub(crate) producer_version: String,
    #[prost(message, optional, boxed, tag = "7")]
    pub(crate) graph: Option<Box<Graph>>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "25")]
    pub(crate) functions: Vec<Function>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct OperatorSet {
    #[prost(string, tag = "1")]
    pub(crate) domain: String,
    #[prost(int64, tag = "2")]
    pub(crate) version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Function {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, repeated, tag = "4")]
    pub(crate) input: Vec<String>,
    #[prost(string, repeated, tag = "5")]
    pub(crate) output: Vec<String>,
    /// Names of attributes without a default.
    #[prost(string, repeated, tag = "6")]
    pub(crate) attribute: Vec<String>,
    #[prost(message, repeated, tag = "7")]
    pub(crate) node: Vec<Node>,
    #[prost(message, repeated, tag = "9")]
    pub(crate) opset_import: Vec<OperatorSet>,
    #[prost(string, tag = "10")]
    pub(crate) domain: String,
    /// Attributes with their defaults.
    #[prost(message, repeated, tag = "11")]
    pub(crate) attribute_proto: Vec<Attribute>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) value_info: Vec<ValueInfo>,
    #[prost(string, tag = "13")]
    pub(crate) overload: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub(crate) node: Vec<Node>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) output: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "13")]
    pub(crate) value_info: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "15")]
    pub(crate) sparse_initializer: Vec<SparseTensor>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Node {
    #[prost(string, repeated, tag = "1")]
    pub(crate) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(crate) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(crate) name: String,
    #[prost(string, tag = "4")]
    pub(crate) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) attribute: Vec<Attribute>,
    #[prost(string, tag = "7")]
    pub(crate) domain: String,
    #[prost(string, tag = "8")]
    pub(crate) overload: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Attribute {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(float, tag = "2")]
    pub(crate) f: f32,
    #[prost(int64, tag = "3")]
    pub(crate) i: i64,
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) s: Bytes,
    #[prost(message, optional, boxed, tag = "5")]
    pub(crate) t: Option<Box<Tensor>>,
    #[prost(message, optional, boxed, tag = "6")]
    pub(crate) g: Option<Box<Graph>>,
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub(crate) floats: Vec<f32>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub(crate) ints: Vec<i64>,
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub(crate) strings: Vec<Bytes>,
    #[prost(message, repeated, tag = "10")]
    pub(crate) tensors: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) graphs: Vec<Graph>,
    #[prost(message, optional, boxed, tag = "14")]
    pub(crate) tp: Option<Box<Type>>,
    #[prost(int32, tag = "20")]
    pub(crate) kind: i32,
    #[prost(string, tag = "21")]
    pub(crate) ref_attr_name: String,
    #[prost(message, optional, boxed, tag = "22")]
    pub(crate) sparse_tensor: Option<Box<SparseTensor>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, boxed, tag = "2")]
    pub(crate) ty: Option<Box<Type>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Entry {
    #[prost(string, tag = "1")]
    pub(crate) key: String,
    #[prost(string, tag = "2")]
    pub(crate) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Tensor {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub(crate) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(crate) data_type: i32,
    #[prost(message, optional, boxed, tag = "3")]
    pub(crate) segment: Option<Box<Segment>>,
    #[prost(float, repeated, tag = "4")]
    pub(crate) float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(crate) int32_data: Vec<i32>,
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub(crate) string_data: Vec<Bytes>,
    #[prost(int64, repeated, tag = "7")]
    pub(crate) int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    pub(crate) name: String,
    #[prost(bytes = "bytes", optional, tag = "9")]
    pub(crate) raw_data: Option<Bytes>,
    #[prost(double, repeated, tag = "10")]
    pub(crate) double_data: Vec<f64>,
    #[prost(uint64, repeated, tag = "11")]
    pub(crate) uint64_data: Vec<u64>,
    #[prost(message, repeated, tag = "13")]
    pub(crate) external_data: Vec<Entry>,
    #[prost(int32, tag = "14")]
    pub(crate) data_location: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Segment {
    #[prost(int64, tag = "1")]
    pub(crate) begin: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SparseTensor {
    #[prost(message, optional, boxed, tag = "1")]
    pub(crate) values: Option<Box<Tensor>>,
    #[prost(message, optional, boxed, tag = "2")]
    pub(crate) indices: Option<Box<Tensor>>,
    #[prost(int64, repeated, packed = "false", tag = "3")]
    pub(crate) dims: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Shape {
    #[prost(message, repeated, tag = "1")]
    pub(crate) dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Dimension {
    #[prost(oneof = "DimensionValue", tags = "1, 2")]
    pub(crate) value: Option<DimensionValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum DimensionValue {
    #[prost(int64, tag = "1")]
    Size(i64),
    #[prost(string, tag = "2")]
    Symbol(String),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Type {
    #[prost(oneof = "TypeValue", tags = "1, 4, 5, 7, 8, 9")]
    pub(crate) value: Option<TypeValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum TypeValue {
    #[prost(message, tag = "1")]
    Tensor(TensorType),
    #[prost(message, tag = "4")]
    Sequence(ElementType),
    #[prost(message, tag = "5")]
    Map(MapType),
    #[prost(message, tag = "7")]
    Opaque(Opaque),
    #[prost(message, tag = "8")]
    SparseTensor(TensorType),
    #[prost(message, tag = "9")]
    Optional(ElementType),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(crate) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(crate) shape: Option<Shape>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ElementType {
    #[prost(message, optional, boxed, tag = "1")]
    pub(crate) elem_type: Option<Box<Type>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct MapType {
    #[prost(int32, tag = "1")]
    pub(crate) key_type: i32,
    #[prost(message, optional, boxed, tag = "2")]
    pub(crate) value_type: Option<Box<Type>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Opaque {}
