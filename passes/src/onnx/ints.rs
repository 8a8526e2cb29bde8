//! Small tensors of integers whose elements are known as numbers or as sizes: what models compute shapes with. Operators
//! on them become index arithmetic.

use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::graph::Cx;
use super::node::{Node, Refused};
use super::sizes::{Dim, c};
use crate::rewrite::tensors;

/// The elements of a tensor in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ints {
    pub(super) shape: Vec<usize>,
    pub(super) all: Vec<Dim>,
    pub(super) ty: Type,
}

/// Tensors of more elements are left alone.
pub(super) const MOST: usize = 256;

fn is_integer(ty: Type) -> bool {
    ty == Type::I64 || ty == Type::I32 || ty == Type::I1
}

impl Cx<'_> {
    /// The elements of a tensor, if they are known.
    pub(super) fn ints(&mut self, value: Value) -> Option<Ints> {
        if let Some(ints) = self.scope.ints.get(&value) {
            return Some(ints.clone());
        }
        let ty = self.element(value);
        let known = self.known(value)?;
        if !is_integer(ty) || known.iter().product::<i64>() > 4096 {
            return None;
        }
        let numbers = self.constant_integers(value)?;
        let ints = Ints {
            shape: known.iter().map(|&size| size as usize).collect(),
            all: numbers.into_iter().map(c).collect(),
            ty,
        };
        self.scope.ints.insert(value, ints.clone());
        Some(ints)
    }

    /// The elements of a constant of signed integers.
    fn constant_integers(&self, value: Value) -> Option<Vec<i64>> {
        let context = self.b.ir.context();
        let attr = arith::as_constant_attr(self.b.ir, value)?;
        let AttrKind::DenseElements(dense) = context.attr_kind(attr) else {
            return None;
        };
        let n: i64 = context.shape(dense.ty)?.iter().product();
        if n == 0 {
            return Some(Vec::new());
        }
        let width = dense.bytes.len() / if dense.splat { 1 } else { n as usize };
        let number = |bytes: &[u8]| {
            Some(match *bytes {
                [a] => i64::from(a != 0),
                [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
                _ => i64::from_le_bytes(bytes.try_into().ok()?),
            })
        };
        if width == 0 {
            return None;
        }
        let numbers: Option<Vec<i64>> = dense.bytes.chunks_exact(width).map(number).collect();
        let numbers = numbers?;
        Some(match dense.splat {
            true => vec![numbers[0]; n as usize],
            false => numbers,
        })
    }

    /// The elements of a tensor of integers and known size, read at run time if they are not known.
    pub(super) fn sizes_in(&mut self, value: Value) -> Result<Vec<Dim>, Refused> {
        if let Some(ints) = self.ints(value) {
            return Ok(ints.all);
        }
        let Some(known) = self.known(value) else {
            return Err("it reads a list whose length is known only at run time".into());
        };
        let n: i64 = known.iter().product();
        if known.len() > 1 || n as usize > MOST {
            return Err("it reads a list of sizes that is too long".into());
        }
        let ty = self.element(value);
        let unsigned = self.is_unsigned(ty);
        let source = self.signless(value);
        let mut all = Vec::new();
        for i in 0..n {
            let number = if known.is_empty() {
                tensors::extract_scalar(&mut self.b, source)
            } else {
                let i = arith::constant_index(&mut self.b, i);
                tensors::extract(&mut self.b, source, &[i])
            };
            let def = if unsigned {
                &arith::INDEX_CASTUI
            } else {
                &arith::INDEX_CAST
            };
            all.push(Dim::Value(self.b.value(def, &[number], Type::INDEX)));
        }
        let shape = known.iter().map(|&size| size as usize).collect();
        let ints = Ints {
            shape,
            all: all.clone(),
            ty,
        };
        self.scope.ints.insert(value, ints);
        Ok(all)
    }

    /// The elements of a constant list.
    pub(super) fn constant_list(&mut self, value: Value) -> Option<Vec<i64>> {
        let ints = self.ints(value)?;
        ints.all
            .iter()
            .map(|&dim| match dim {
                Dim::Constant(number) => Some(number),
                Dim::Value(_) => None,
            })
            .collect()
    }

    /// The elements of an optional operand that must be constant.
    pub(super) fn list_operand(
        &mut self,
        n: &Node,
        index: usize,
        what: &str,
    ) -> Result<Option<Vec<i64>>, Refused> {
        match n.opt(index) {
            None => Ok(None),
            Some(value) => match self.constant_list(value) {
                Some(list) => Ok(Some(list)),
                None => Err(format!("its {what} are known only at run time").into()),
            },
        }
    }

    /// The only element of an operand of one integer.
    pub(super) fn size_in(&mut self, value: Value) -> Result<Dim, Refused> {
        match self.sizes_in(value)?[..] {
            [size] => Ok(size),
            _ => Err("it reads a number from a list".into()),
        }
    }

    /// The tensor of known elements.
    pub(super) fn ints_tensor(&mut self, ints: Ints) -> Result<Value, Refused> {
        let sizes: Vec<i64> = ints.shape.iter().map(|&size| size as i64).collect();
        let numbers: Option<Vec<i64>> = ints
            .all
            .iter()
            .map(|&dim| match dim {
                Dim::Constant(number) => Some(number),
                Dim::Value(_) => None,
            })
            .collect();
        let value = match numbers {
            Some(numbers) if ints.ty == Type::I64 => self.integers(&sizes, &numbers),
            Some(numbers) => {
                let numbers: Vec<f64> = numbers.iter().map(|&number| number as f64).collect();
                self.numbers(&sizes, ints.ty, &numbers)
            }
            None => {
                let mut elements = Vec::new();
                for &dim in &ints.all {
                    let value = self.v(dim);
                    elements.push(self.b.value(&arith::INDEX_CAST, &[value], ints.ty));
                }
                let n = elements.len() as i64;
                let flat = if sizes.is_empty() {
                    Vec::new()
                } else {
                    vec![n]
                };
                let ty = tensors::tensor_type(&self.context(), &flat, ints.ty);
                let value = self.b.value(&tensor::FROM_ELEMENTS, &elements, ty);
                let dims: Vec<Dim> = sizes.iter().map(|&size| c(size)).collect();
                self.reshape(value, &dims)?
            }
        };
        self.scope.ints.insert(value, ints);
        Ok(value)
    }

    /// The shape of a tensor as one of 64-bit integers.
    pub(super) fn shape_tensor(&mut self, dims: &[Dim]) -> Result<Value, Refused> {
        self.ints_tensor(Ints {
            shape: vec![dims.len()],
            all: dims.to_vec(),
            ty: Type::I64,
        })
    }
}
