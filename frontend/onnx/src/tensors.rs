//! Tensors of the file as attributes: dense elements, which share the bytes of the file where it has them as they are
//! needed.

use std::sync::Arc;

use bytes::Bytes as Shared;
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::bytes::Bytes;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{Type, TypeKind};
use half::{bf16, f16};

use crate::external::Files;
use crate::proto::{SparseTensor, Tensor};
use crate::types::{NAMES, STRING, element};

/// Where the data of a tensor is: in a file of its own.
const EXTERNAL: i32 = 1;

/// A sparse tensor may become dense if it then has this many bytes, or for each byte of the file some.
const MAX_DENSE_BYTES: usize = 1 << 26;
const MAX_DENSE_PER_BYTE: usize = 64;

/// Makes attributes of tensors.
pub(crate) struct Tensors<'a> {
    pub(crate) context: &'a Context,
    pub(crate) files: Files,
    /// How large the file is.
    pub(crate) n_bytes: usize,
}

/// A tensor without its elements.
struct Shape {
    ty: Type,
    element: Type,
    n: usize,
    /// In the file.
    bits: usize,
}

impl Tensors<'_> {
    /// The elements of a tensor.
    ///
    /// # Errors
    /// If they are not there, or of a type that the IR has not.
    pub(crate) fn dense(&mut self, tensor: &Tensor) -> Result<Attr, String> {
        let shape = self.shape(&tensor.dims, tensor.data_type)?;
        if tensor.segment.is_some() {
            return Err("tensors in segments are not supported".into());
        }
        if tensor.data_type == STRING {
            return self.strings(tensor, &shape);
        }
        let bytes = match &tensor.raw_data {
            _ if tensor.data_location == EXTERNAL => {
                let n_bytes = shape.file_bytes()?;
                let bytes = self.files.bytes(&tensor.external_data, n_bytes)?;
                self.of_file(bytes, &shape)
            }
            Some(raw) => {
                let (expected, n) = (shape.file_bytes()?, raw.len());
                if n != expected {
                    return Err(format!(
                        "expected {expected} bytes of raw data, but there are {n}"
                    ));
                }
                self.of_file(shared(raw), &shape)
            }
            None => typed_data(tensor, &shape)?.into(),
        };
        Ok(self.elements(shape.ty, bytes))
    }

    /// A dense attribute; equal elements are stored once.
    fn elements(&self, ty: Type, bytes: Bytes) -> Attr {
        let element = self.context.element_of(ty);
        let width = self.context.element_byte_size(element).unwrap_or(1) as usize;
        let first = bytes.get(..width);
        let splat = first.is_some_and(|first| bytes.chunks(width).all(|bytes| bytes == first));
        let bytes = match splat {
            true => bytes.slice(0..width),
            false => bytes,
        };
        let elements = DenseElements { ty, splat, bytes };
        self.context.intern_attr(AttrKind::DenseElements(elements))
    }

    fn shape(&self, dims: &[i64], number: i32) -> Result<Shape, String> {
        let element = element(self.context, number)?;
        let n = dims.iter().try_fold(1usize, |n, &size| {
            n.checked_mul(usize::try_from(size).ok()?)
        });
        let Some(n) = n else {
            return Err(format!("a tensor cannot have the sizes {dims:?}"));
        };
        let ty = self.context.intern_type(TypeKind::RankedTensor {
            shape: dims.into(),
            element,
            encoding: None,
        });
        let bits = match self.context.type_kind(element) {
            TypeKind::Integer { width: 1, .. } => 8,
            TypeKind::Integer { width, .. } => *width as usize,
            TypeKind::Float(kind) => kind.width() as usize,
            TypeKind::Complex(part) if *part == Type::F32 => 64,
            TypeKind::Complex(_) => 128,
            _ => 0,
        };
        Ok(Shape {
            ty,
            element,
            n,
            bits,
        })
    }

    /// Elements as a file has them, as the IR has them.
    fn of_file(&self, bytes: Bytes, shape: &Shape) -> Bytes {
        match shape.bits {
            2 | 4 => {
                let (bits, mask) = (shape.bits, (1u8 << shape.bits) - 1);
                let per_byte = 8 / bits;
                (0..shape.n)
                    .map(|i| bytes[i / per_byte] >> (bits * (i % per_byte)) & mask)
                    .collect()
            }
            6 => (0..shape.n)
                .map(|i| {
                    let (at, shift) = (6 * i / 8, 6 * i % 8);
                    let next = bytes.get(at + 1).copied().unwrap_or(0);
                    (u16::from_le_bytes([bytes[at], next]) >> shift) as u8 & 0x3f
                })
                .collect(),
            _ if shape.element == Type::I1 && bytes.iter().any(|&byte| byte > 1) => {
                bytes.iter().map(|&byte| u8::from(byte != 0)).collect()
            }
            _ => bytes,
        }
    }

    fn strings(&self, tensor: &Tensor, shape: &Shape) -> Result<Attr, String> {
        let n = tensor.string_data.len();
        if n != shape.n || tensor.data_location == EXTERNAL {
            return Err(format!("expected {} strings, but there are {n}", shape.n));
        }
        let strings = tensor.string_data.iter();
        Ok(self.string_elements(shape.ty, strings.map(|string| string[..].into()).collect()))
    }

    fn string_elements(&self, ty: Type, values: Box<[Arc<[u8]>]>) -> Attr {
        let splat = false;
        let kind = AttrKind::DenseStrings { ty, splat, values };
        self.context.intern_attr(kind)
    }

    /// A list of strings as a tensor, or one string as a tensor without dimensions.
    pub(crate) fn of_strings(&self, dims: &[i64], strings: &[Shared]) -> Result<Attr, String> {
        let ty = self.shape(dims, STRING)?.ty;
        Ok(self.string_elements(ty, strings.iter().map(|string| string[..].into()).collect()))
    }

    /// Numbers of 32 or 64 bits as a tensor.
    pub(crate) fn of_numbers(
        &self,
        dims: &[i64],
        number: i32,
        bytes: Vec<u8>,
    ) -> Result<Attr, String> {
        let ty = self.shape(dims, number)?.ty;
        Ok(self.elements(ty, bytes.into()))
    }

    /// A sparse tensor with all its zeros.
    ///
    /// # Errors
    /// If it is not well-formed, or there are too many.
    pub(crate) fn of_sparse(&mut self, sparse: &SparseTensor) -> Result<Attr, String> {
        let (Some(values), Some(indices)) = (&sparse.values, &sparse.indices) else {
            return Err("a sparse tensor without values or indices".into());
        };
        if values.data_type == STRING {
            return Err("sparse tensors of strings are not supported".into());
        }
        let shape = self.shape(&sparse.dims, values.data_type)?;
        let (value_attr, index_attr) = (self.dense(values)?, self.dense(indices)?);
        let (Some(values), Some(found)) = (
            self.context.attr_dense(value_attr),
            self.context.attr_dense(index_attr),
        ) else {
            return Err("a sparse tensor whose values are no numbers".into());
        };
        if self.context.element_of(found.ty) != Type::I64 {
            return Err("indices of a sparse tensor are integers of 64 bits".into());
        }
        let width = match shape.bits {
            2 | 4 | 6 => 1,
            bits => bits / 8,
        };
        let n_bytes = shape.n.checked_mul(width);
        let limit = (self.n_bytes.saturating_mul(MAX_DENSE_PER_BYTE)).max(MAX_DENSE_BYTES);
        let Some(n_bytes) = n_bytes.filter(|&n| n <= limit) else {
            let dims = &sparse.dims;
            return Err(format!(
                "a sparse tensor of sizes {dims:?} is too large to be dense"
            ));
        };
        let numbers = found.bytes.as_chunks::<8>().0;
        let numbers = numbers.iter().map(|&n| i64::from_le_bytes(n));
        let (n_values, n_numbers) = (
            count(self.context, values.ty),
            count(self.context, found.ty),
        );
        let numbers: Vec<i64> = numbers.cycle().take(n_numbers).collect();
        let rank = sparse.dims.len();
        let per_value = match indices.dims.len() {
            2 if rank > 0 && indices.dims[1] == rank as i64 => rank,
            1 => 1,
            _ => return Err("indices of a sparse tensor are one or several for each value".into()),
        };
        if numbers.len() != n_values * per_value {
            let n = numbers.len() / per_value;
            return Err(format!(
                "a sparse tensor has {n_values} values and indices for {n}"
            ));
        }
        let mut dense = vec![0; n_bytes];
        for (i, place) in numbers.chunks_exact(per_value).enumerate() {
            let at = match place {
                &[at] if per_value != rank || rank == 1 => usize::try_from(at).ok(),
                place => (place.iter().zip(&sparse.dims)).try_fold(0usize, |at, (&i, &size)| {
                    let inside = (0..size).contains(&i).then_some(i)?;
                    Some(at * size as usize + inside as usize)
                }),
            };
            let Some(at) = at.filter(|&at| at < shape.n) else {
                return Err(format!("index {place:?} of a sparse tensor is not in it"));
            };
            let from = if values.splat { 0 } else { i * width };
            dense[at * width..(at + 1) * width].copy_from_slice(&values.bytes[from..from + width]);
        }
        Ok(self.elements(shape.ty, dense.into()))
    }
}

/// How many elements a type has, all of which the file has.
fn count(context: &Context, ty: Type) -> usize {
    let shape = context.shape(ty).unwrap_or_default();
    shape.iter().map(|&size| size as usize).product()
}

/// Bytes of the file without a copy.
fn shared(bytes: &Shared) -> Bytes {
    Bytes::from_owner(bytes.clone())
}

impl Shape {
    /// How many bytes it has in a file.
    fn file_bytes(&self) -> Result<usize, String> {
        let n_bits = self.n.checked_mul(self.bits);
        n_bits
            .map(|n| n.div_ceil(8))
            .ok_or_else(|| "a tensor larger than memory can be".into())
    }
}

/// The elements of a tensor whose fields have them as numbers.
fn typed_data(tensor: &Tensor, shape: &Shape) -> Result<Vec<u8>, String> {
    let bytes: Vec<u8>;
    let (n, expected) = match tensor.data_type {
        1 | 14 => {
            let data = &tensor.float_data;
            bytes = data.iter().flat_map(|x| x.to_le_bytes()).collect();
            let per_element = if tensor.data_type == 14 { 2 } else { 1 };
            (data.len(), shape.n.saturating_mul(per_element))
        }
        11 | 15 => {
            let data = &tensor.double_data;
            bytes = data.iter().flat_map(|x| x.to_le_bytes()).collect();
            let per_element = if tensor.data_type == 15 { 2 } else { 1 };
            (data.len(), shape.n.saturating_mul(per_element))
        }
        7 => {
            let data = &tensor.int64_data;
            bytes = data.iter().flat_map(|x| x.to_le_bytes()).collect();
            (data.len(), shape.n)
        }
        12 => {
            let data = &tensor.uint64_data;
            bytes = data
                .iter()
                .flat_map(|&x| (x as u32).to_le_bytes())
                .collect();
            (data.len(), shape.n)
        }
        13 => {
            let data = &tensor.uint64_data;
            bytes = data.iter().flat_map(|x| x.to_le_bytes()).collect();
            (data.len(), shape.n)
        }
        // Floats of 16 bits may stand as numbers or, in old files, as floats.
        10 | 16 if tensor.int32_data.is_empty() && !tensor.float_data.is_empty() => {
            let data = &tensor.float_data;
            let convert = |&x: &f32| match tensor.data_type {
                10 => f16::from_f32(x).to_le_bytes(),
                _ => bf16::from_f32(x).to_le_bytes(),
            };
            bytes = data.iter().flat_map(convert).collect();
            (data.len(), shape.n)
        }
        _ => {
            let data = &tensor.int32_data;
            match shape.bits {
                2 | 4 => {
                    // Several elements in each number, as in the bytes of a file.
                    let (bits, per_number) = (shape.bits, 8 / shape.bits);
                    let expected = shape.n.div_ceil(per_number);
                    if data.len() != expected {
                        return Err(wrong_count(tensor.data_type, data.len(), expected));
                    }
                    let mask = (1 << bits) - 1;
                    let element =
                        |i: usize| data[i / per_number] >> (bits * (i % per_number)) & mask;
                    return Ok((0..shape.n).map(|i| element(i) as u8).collect());
                }
                6 => bytes = data.iter().map(|&x| x as u8 & 0x3f).collect(),
                8 if shape.element == Type::I1 => {
                    bytes = data.iter().map(|&x| u8::from(x != 0)).collect();
                }
                bits => {
                    let width = (bits / 8).min(4);
                    let low = |x: &i32| x.to_le_bytes().into_iter().take(width);
                    bytes = data.iter().flat_map(low).collect();
                }
            }
            (data.len(), shape.n)
        }
    };
    match n == expected {
        true => Ok(bytes),
        false => Err(wrong_count(tensor.data_type, n, expected)),
    }
}

fn wrong_count(number: i32, n: usize, expected: usize) -> String {
    let name = usize::try_from(number).ok().and_then(|i| NAMES.get(i));
    let name = name.unwrap_or(&"unknown");
    format!("expected {expected} numbers for elements of type {name}, but there are {n}")
}
