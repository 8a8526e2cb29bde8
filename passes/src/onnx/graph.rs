//! What lowerings build with: tensors whose sizes are numbers or values, broadcast in the manner of NumPy.
//!
//! Values have the element types of the model. What moves elements works on signless ones and casts back.

use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::dialects::stablehlo::attributes::{ComparisonDirection, DotDimensions};
use freehold_frontend::dialects::stablehlo::{elementwise as sh, products};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use super::ints::Ints;
use super::node::Refused;
use super::sequences::Held;
use super::sizes::{Dim, Sizes, c};
use crate::rewrite::structured::loop_counter;
use crate::rewrite::tensors::{self, Generic, as_signless, element, fill, map, projection, shape};

/// So few rows are multiplied by rows of a matrix as dot products: what the runtime library does.
const MAX_FEW_ROWS: i64 = 4;

/// Facts about values; those of values in a region end with it.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) dims: FxHashMap<Value, Vec<Dim>>,
    pub(super) ints: FxHashMap<Value, Ints>,
    pub(super) sizes: Sizes,
    /// Left factors whose rows are counted at run time have few.
    pub(super) few_rows: bool,
}

/// The state of a lowering.
pub(super) struct Cx<'a> {
    pub(super) b: Builder<'a>,
    /// What became of the values of the model.
    pub(super) values: FxHashMap<Value, Value>,
    /// Of those that are no tensors.
    pub(super) held: FxHashMap<Value, Held>,
    pub(super) scope: Scope,
    /// The version of operators.
    pub(super) opset: i64,
    /// Normalizations that are part of their producers.
    pub(super) folded: FxHashSet<Op>,
    /// Numbers given to operators of random numbers that have no seed.
    pub(super) n_random: u64,
}

/// A function that elements are combined by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    Add,
    Mul,
    Max,
    Min,
}

impl Cx<'_> {
    pub(super) fn context(&self) -> Arc<Context> {
        self.b.context()
    }

    pub(super) fn element(&self, value: Value) -> Type {
        element(self.b.ir, value)
    }

    pub(super) fn rank(&self, value: Value) -> usize {
        let context = self.b.ir.context();
        context
            .shape(self.b.ir.value_type(value))
            .map_or(0, <[i64]>::len)
    }

    pub(super) fn is_float(&self, value: Value) -> bool {
        self.is_float_type(self.element(value))
    }

    pub(super) fn is_float_type(&self, ty: Type) -> bool {
        self.b.ir.context().float_kind(ty).is_some()
    }

    pub(super) fn is_unsigned(&self, ty: Type) -> bool {
        matches!(
            self.b.ir.context().type_kind(ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        )
    }

    /// The sizes of a tensor.
    pub(super) fn dims(&mut self, value: Value) -> Vec<Dim> {
        if let Some(dims) = self.scope.dims.get(&value) {
            return dims.clone();
        }
        let known = shape(self.b.ir, value);
        let mut dims = Vec::new();
        for (dim, &size) in known.iter().enumerate() {
            dims.push(match size {
                DYNAMIC => tensors::size(&mut self.b, value, dim).into(),
                size => c(size),
            });
        }
        self.scope.dims.insert(value, dims.clone());
        dims
    }

    pub(super) fn dim(&mut self, value: Value, dim: usize) -> Dim {
        self.dims(value)[dim]
    }

    /// The sizes, if all are known.
    pub(super) fn known(&self, value: Value) -> Option<Vec<i64>> {
        let shape = shape(self.b.ir, value);
        (!shape.contains(&DYNAMIC)).then_some(shape)
    }

    pub(super) fn add(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.add(&mut self.b, x, y)
    }

    pub(super) fn sub(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.sub(&mut self.b, x, y)
    }

    pub(super) fn mul(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.mul(&mut self.b, x, y)
    }

    pub(super) fn div(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.div(&mut self.b, x, y)
    }

    pub(super) fn ceil_div(&mut self, x: Dim, y: i64) -> Dim {
        self.scope.sizes.ceil_div(&mut self.b, x, y)
    }

    pub(super) fn max(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.max(&mut self.b, x, y)
    }

    pub(super) fn min(&mut self, x: Dim, y: Dim) -> Dim {
        self.scope.sizes.min(&mut self.b, x, y)
    }

    pub(super) fn product(&mut self, dims: &[Dim]) -> Dim {
        let mut product = c(1);
        for &dim in dims {
            product = self.mul(product, dim);
        }
        product
    }

    /// The size as a value.
    pub(super) fn v(&mut self, dim: Dim) -> Value {
        dim.materialize(&mut self.b)
    }

    /// The type of a tensor of these sizes.
    pub(super) fn type_of(&self, dims: &[Dim], element: Type) -> Type {
        let sizes: Vec<i64> = dims.iter().map(|dim| dim.static_value()).collect();
        tensors::tensor_type(self.b.ir.context(), &sizes, element)
    }

    /// Notes the sizes of a value.
    pub(super) fn sized(&mut self, value: Value, dims: &[Dim]) -> Value {
        self.scope.dims.insert(value, dims.to_vec());
        value
    }

    /// The value as one of a type that says these sizes.
    pub(super) fn as_sized(&mut self, value: Value, dims: &[Dim]) -> Value {
        let ty = self.type_of(dims, self.element(value));
        let value = match self.b.ir.value_type(value) == ty {
            true => value,
            false => tensors::cast(&mut self.b, value, ty),
        };
        self.sized(value, dims)
    }

    /// The value with elements of another type of the same bits.
    pub(super) fn with_element(&mut self, value: Value, element: Type) -> Value {
        let dims = self.dims(value);
        let ty = self.type_of(&dims, element);
        let value = tensors::cast(&mut self.b, value, ty);
        self.sized(value, &dims)
    }

    /// The value with signless elements.
    pub(super) fn signless(&mut self, value: Value) -> Value {
        let dims = self.dims(value);
        let value = as_signless(&mut self.b, value);
        self.sized(value, &dims)
    }

    fn signless_type(&self, ty: Type) -> Type {
        tensors::signless(self.b.ir.context(), ty)
    }

    /// A tensor without contents, of signless elements.
    pub(super) fn empty(&mut self, dims: &[Dim], element: Type) -> Value {
        let element = self.signless_type(element);
        let ty = self.type_of(dims, element);
        let unknown: Vec<Value> = dims
            .iter()
            .filter_map(|dim| match dim {
                Dim::Value(value) => Some(*value),
                Dim::Constant(_) => None,
            })
            .collect();
        let value = self.b.value(&tensor::EMPTY, &unknown, ty);
        self.sized(value, dims)
    }

    /// A constant scalar of a signless element type.
    pub(super) fn scalar(&mut self, ty: Type, number: f64) -> Value {
        let ty = self.signless_type(ty);
        crate::rewrite::formula::number_of(&mut self.b, ty, number)
    }

    pub(super) fn int_scalar(&mut self, ty: Type, number: i128) -> Value {
        let ty = self.signless_type(ty);
        arith::constant_int(&mut self.b, ty, number)
    }

    /// A tensor of one scalar everywhere; the scalar is signless, the elements are of type `ty`.
    pub(super) fn filled(&mut self, dims: &[Dim], scalar: Value, ty: Type) -> Value {
        let out = self.empty(dims, ty);
        let value = fill(&mut self.b, scalar, out);
        self.sized(value, dims);
        self.with_element(value, ty)
    }

    fn dense(&mut self, sizes: &[i64], element: Type, splat: bool, bytes: Vec<u8>) -> Value {
        let context = self.context();
        let ty = tensors::tensor_type(&context, sizes, element);
        let attr = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty,
            splat,
            bytes: bytes.into(),
        }));
        self.constant(attr, ty)
    }

    /// `stablehlo.constant`
    pub(super) fn constant(&mut self, attr: Attr, ty: Type) -> Value {
        self.b
            .value_with_attr(&sh::CONSTANT, &[], ty, Name::VALUE, attr)
    }

    /// How many bytes an element of a constant has, and the bytes of a number.
    fn encoded(&self, ty: Type, number: f64) -> Option<Vec<u8>> {
        let context = self.b.ir.context();
        Some(match context.type_kind(ty) {
            TypeKind::Float(kind) => {
                let bits = match number.is_nan() {
                    true => float::default_nan(*kind)?,
                    false => float::encode(*kind, number)?.0,
                };
                bits.to_le_bytes()[..(kind.width() as usize).div_ceil(8)].to_vec()
            }
            TypeKind::Integer { width, .. } => {
                let bytes = (*width as usize).div_ceil(8).next_power_of_two();
                let number = match width {
                    1 => i128::from(number != 0.0),
                    _ => number as i128,
                };
                // Narrow elements have no bits beyond their width.
                let mask = if *width < 128 {
                    (1i128 << width) - 1
                } else {
                    -1
                };
                (number & mask).to_le_bytes()[..bytes].to_vec()
            }
            TypeKind::Complex(part) => {
                let mut bytes = self.encoded(*part, number)?;
                bytes.extend(self.encoded(*part, 0.0)?);
                bytes
            }
            _ => return None,
        })
    }

    /// A constant of rank 0.
    pub(super) fn lit(&mut self, ty: Type, number: f64) -> Value {
        match self.encoded(ty, number) {
            Some(bytes) => self.dense(&[], ty, true, bytes),
            None => {
                let scalar = self.scalar(ty, number);
                self.scalar_tensor(scalar, ty)
            }
        }
    }

    /// A constant of rank 0 with the elements of another tensor.
    pub(super) fn lit_like(&mut self, like: Value, number: f64) -> Value {
        let ty = self.element(like);
        self.lit(ty, number)
    }

    /// A constant of numbers.
    pub(super) fn numbers(&mut self, sizes: &[i64], ty: Type, all: &[f64]) -> Value {
        let mut bytes = Vec::new();
        for &number in all {
            bytes.extend(self.encoded(ty, number).unwrap_or_default());
        }
        self.dense(sizes, ty, false, bytes)
    }

    /// A constant of 64-bit integers.
    pub(super) fn integers(&mut self, sizes: &[i64], all: &[i64]) -> Value {
        let bytes = all.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.dense(sizes, Type::I64, false, bytes)
    }

    /// A tensor of rank 0 with an element of type `ty`.
    pub(super) fn scalar_tensor(&mut self, scalar: Value, ty: Type) -> Value {
        let value = tensors::from_scalar(&mut self.b, scalar);
        self.with_element(value, ty)
    }

    /// The only element of a tensor of one element, signless.
    pub(super) fn the_scalar(&mut self, value: Value) -> Value {
        let value = self.signless(value);
        if self.rank(value) == 0 {
            return tensors::extract_scalar(&mut self.b, value);
        }
        let zero = arith::constant_index(&mut self.b, 0);
        let zeros = vec![zero; self.rank(value)];
        tensors::extract(&mut self.b, value, &zeros)
    }

    /// The numbers of a constant.
    pub(super) fn constant_numbers(&self, value: Value) -> Option<Vec<f64>> {
        self.numbers_of(arith::as_constant_attr(self.b.ir, value)?)
    }

    /// The numbers of dense elements.
    pub(super) fn numbers_of(&self, attr: Attr) -> Option<Vec<f64>> {
        let context = self.b.ir.context();
        let dense = context.attr_dense(attr)?;
        let n: i64 = context.shape(dense.ty)?.iter().product();
        let ty = context.element_type_or_self(dense.ty);
        let n_stored = if dense.splat { 1 } else { n as usize };
        if n == 0 {
            return Some(Vec::new());
        }
        let width = dense.bytes.len() / n_stored.max(1);
        if width == 0 || width > 16 {
            return None;
        }
        if ty == Type::F32 && !dense.splat {
            let numbers = dense.bytes.as_chunks::<4>().0.iter();
            return Some(numbers.map(|&x| f32::from_le_bytes(x).into()).collect());
        }
        let decode = |bytes: &[u8]| -> Option<f64> {
            let mut all = [0; 16];
            all[..bytes.len()].copy_from_slice(bytes);
            let bits = u128::from_le_bytes(all);
            match context.type_kind(ty) {
                TypeKind::Float(kind) => float::decode(*kind, bits),
                TypeKind::Integer { width, signedness } => Some(match signedness {
                    Signedness::Unsigned => bits as f64,
                    _ if *width == 1 => bits as f64,
                    _ => {
                        let shift = 128 - width;
                        (((bits << shift) as i128) >> shift) as f64
                    }
                }),
                _ => None,
            }
        };
        let all: Option<Vec<f64>> = dense.bytes.chunks_exact(width).map(decode).collect();
        let all = all?;
        Some(match dense.splat {
            true => vec![all[0]; n as usize],
            false => all,
        })
    }

    /// The number that a constant of one element is.
    pub(super) fn constant_number(&self, value: Value) -> Option<f64> {
        // Others may be large.
        if self.known(value)?.iter().any(|&size| size != 1) {
            return None;
        }
        self.constant_numbers(value)?.first().copied()
    }

    // Broadcasting.

    /// The size that two dimensions are broadcast to.
    fn broadcast_size(&mut self, x: Dim, y: Dim) -> Result<Dim, Refused> {
        Ok(match (x, y) {
            _ if x == y => x,
            (Dim::Constant(1), other) | (other, Dim::Constant(1)) => other,
            (Dim::Constant(x), Dim::Constant(y)) => {
                return Err(format!("sizes {x} and {y} cannot be broadcast").into());
            }
            // At run time it is 1 or that number.
            (Dim::Constant(_), Dim::Value(_)) => x,
            (Dim::Value(_), Dim::Constant(_)) => y,
            (Dim::Value(_), Dim::Value(_)) => {
                use arith::CmpIPredicate::Eq;
                self.scope.sizes.select(&mut self.b, Eq, (x, c(1)), y, x)
            }
        })
    }

    /// The sizes that shapes are broadcast to.
    pub(super) fn broadcast_dims(&mut self, shapes: &[Vec<Dim>]) -> Result<Vec<Dim>, Refused> {
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut result = vec![c(1); rank];
        for shape in shapes {
            for (i, &dim) in shape.iter().enumerate() {
                let at = rank - shape.len() + i;
                result[at] = self.broadcast_size(result[at], dim)?;
            }
        }
        Ok(result)
    }

    /// Repeats a tensor to sizes that it can be broadcast to.
    pub(super) fn broadcast_to(&mut self, value: Value, dims: &[Dim]) -> Value {
        let from = self.dims(value);
        let places: Vec<usize> = (dims.len() - from.len()..dims.len()).collect();
        self.broadcast_in(value, &places, dims)
    }

    /// Repeats a tensor whose dimension `i` becomes dimension `places[i]`.
    pub(super) fn broadcast_in(&mut self, value: Value, places: &[usize], dims: &[Dim]) -> Value {
        let from = self.dims(value);
        let is_same = from.len() == dims.len()
            && places.iter().enumerate().all(|(i, &at)| i == at)
            && from.iter().zip(dims).all(|(x, y)| x == y);
        if is_same {
            return self.as_sized(value, dims);
        }
        let ty = self.element(value);
        // A constant stays one.
        let context = self.context();
        if dims.iter().all(|dim| dim.static_value() != DYNAMIC)
            && let Some(dense) =
                arith::as_constant_attr(self.b.ir, value).and_then(|attr| context.attr_dense(attr))
            && (dense.splat || from.iter().all(|dim| *dim == c(1)))
        {
            let sizes: Vec<i64> = dims.iter().map(|dim| dim.static_value()).collect();
            let bytes = dense.bytes.to_vec();
            return self.dense(&sizes, ty, true, bytes);
        }
        let source = self.signless(value);
        let out = self.empty(dims, ty);
        if from.is_empty() {
            let scalar = self.the_scalar(source);
            let value = fill(&mut self.b, scalar, out);
            self.sized(value, dims);
            return self.with_element(value, ty);
        }
        let n = dims.len();
        // Whether some dimensions are repeated is seen only at run time.
        let is_open = |i: usize| from[i] != dims[places[i]] && from[i] != c(1);
        let result = if (0..from.len()).any(is_open) {
            let one = arith::constant_index(&mut self.b, 1);
            let repeated: Vec<Option<Value>> = (0..from.len())
                .map(|i| {
                    is_open(i).then(|| {
                        let size = from[i].materialize(&mut self.b);
                        arith::compare(&mut self.b, arith::CmpIPredicate::Eq, size, one)
                    })
                })
                .collect();
            let zero = arith::constant_index(&mut self.b, 0);
            let generic = Generic {
                inputs: Vec::new(),
                outputs: vec![(out, AffineMap::identity(n))],
                parallel: &vec![true; n],
            };
            generic.build(&mut self.b, &mut |b, _| {
                let indices: Vec<Value> = (0..from.len())
                    .map(|i| {
                        if from[i] == c(1) {
                            return zero;
                        }
                        let index = loop_counter(b, places[i]);
                        match repeated[i] {
                            Some(one) => b.value(&arith::SELECT, &[one, zero, index], Type::INDEX),
                            None => index,
                        }
                    })
                    .collect();
                vec![tensors::extract(b, source, &indices)]
            })[0]
        } else {
            let read = (0..from.len()).map(|i| match from[i] == dims[places[i]] {
                true => AffineExpr::Dim(places[i] as u32),
                false => AffineExpr::Constant(0),
            });
            tensors::moved_to(&mut self.b, source, out, map(n, read.collect()))
        };
        self.sized(result, dims);
        self.with_element(result, ty)
    }

    /// Tensors repeated to the same sizes.
    pub(super) fn broadcast_all(
        &mut self,
        values: &[Value],
    ) -> Result<(Vec<Value>, Vec<Dim>), Refused> {
        let shapes: Vec<Vec<Dim>> = values.iter().map(|&value| self.dims(value)).collect();
        let dims = self.broadcast_dims(&shapes)?;
        let all = values
            .iter()
            .map(|&value| self.broadcast_to(value, &dims))
            .collect();
        Ok((all, dims))
    }

    // Elementwise operations.

    /// An elementwise operation of StableHLO or CHLO with a result of elements of type `ty`.
    pub(super) fn ew_to(
        &mut self,
        def: &'static OpDef,
        operands: &[Value],
        ty: Type,
        attr: Option<(Name, Attr)>,
    ) -> Result<Value, Refused> {
        let (operands, dims) = self.broadcast_all(operands)?;
        let result = self.type_of(&dims, ty);
        let mut spec = self.b.spec(def).operands(&operands).results(&[result]);
        if let Some((name, attr)) = attr {
            spec = spec.attr(name, attr);
        }
        let op = self.b.create(spec);
        let value = self.b.ir.result(op, 0);
        Ok(self.sized(value, &dims))
    }

    /// An elementwise operation with a result of the elements of its first operand.
    pub(super) fn ew(&mut self, def: &'static OpDef, operands: &[Value]) -> Result<Value, Refused> {
        let ty = self.element(operands[0]);
        self.ew_to(def, operands, ty, None)
    }

    pub(super) fn compare(
        &mut self,
        direction: ComparisonDirection,
        x: Value,
        y: Value,
    ) -> Result<Value, Refused> {
        let attr = direction.to_attr(&self.context());
        let attr = Some((Name::COMPARISON_DIRECTION, attr));
        self.ew_to(&sh::COMPARE, &[x, y], Type::I1, attr)
    }

    pub(super) fn select(
        &mut self,
        condition: Value,
        x: Value,
        y: Value,
    ) -> Result<Value, Refused> {
        let ty = self.element(x);
        self.ew_to(&sh::SELECT, &[condition, x, y], ty, None)
    }

    /// The tensor with its elements converted.
    pub(super) fn convert(&mut self, value: Value, ty: Type) -> Result<Value, Refused> {
        match self.element(value) == ty {
            true => Ok(value),
            false => self.ew_to(&sh::CONVERT, &[value], ty, None),
        }
    }

    // Reductions and products.

    /// Combines all elements along dimensions, which the result lacks.
    pub(super) fn reduce(&mut self, value: Value, fold: Fold, over: &[usize]) -> Value {
        if over.is_empty() {
            return value;
        }
        let ty = self.element(value);
        // Long sums of narrow floats lose their digits.
        let is_narrow = self
            .context()
            .float_kind(ty)
            .is_some_and(|kind| kind.width() < 32);
        if is_narrow
            && matches!(fold, Fold::Add | Fold::Mul)
            && let Ok(wide) = self.convert(value, Type::F32)
        {
            let sum = self.reduce(wide, fold, over);
            return self.convert(sum, ty).unwrap_or(sum);
        }
        let dims = self.dims(value);
        let kept: Vec<usize> = (0..dims.len()).filter(|dim| !over.contains(dim)).collect();
        let result: Vec<Dim> = kept.iter().map(|&dim| dims[dim]).collect();
        let source = self.signless(value);
        let init = self.neutral(fold, ty);
        let out = self.empty(&result, ty);
        let out = fill(&mut self.b, init, out);
        let parallel: Vec<bool> = (0..dims.len()).map(|dim| kept.contains(&dim)).collect();
        let generic = Generic {
            inputs: vec![(source, AffineMap::identity(dims.len()))],
            outputs: vec![(out, projection(dims.len(), &kept))],
            parallel: &parallel,
        };
        let def = self.fold_op(fold, ty);
        let value = generic.build(&mut self.b, &mut |b, x| {
            let ty = b.ir.value_type(x[0]);
            vec![b.value(def, &[x[1], x[0]], ty)]
        })[0];
        self.sized(value, &result);
        self.with_element(value, ty)
    }

    pub(super) fn fold_op(&self, fold: Fold, ty: Type) -> &'static OpDef {
        let unsigned = self.is_unsigned(ty) || ty == Type::I1;
        match (self.is_float_type(ty), fold) {
            (true, Fold::Add) => &arith::ADDF,
            (true, Fold::Mul) => &arith::MULF,
            (true, Fold::Max) => &arith::MAXIMUMF,
            (true, Fold::Min) => &arith::MINIMUMF,
            (false, Fold::Add) => &arith::ADDI,
            (false, Fold::Mul) => &arith::MULI,
            (false, Fold::Max) if unsigned => &arith::MAXUI,
            (false, Fold::Min) if unsigned => &arith::MINUI,
            (false, Fold::Max) => &arith::MAXSI,
            (false, Fold::Min) => &arith::MINSI,
        }
    }

    /// The element that changes nothing.
    pub(super) fn neutral(&mut self, fold: Fold, ty: Type) -> Value {
        let width = self.b.ir.context().integer_width(ty).unwrap_or(64);
        let unsigned = self.is_unsigned(ty) || ty == Type::I1;
        match (fold, self.is_float_type(ty)) {
            (Fold::Add, _) => self.scalar(ty, 0.0),
            (Fold::Mul, _) => self.scalar(ty, 1.0),
            (Fold::Max, true) => self.scalar(ty, f64::NEG_INFINITY),
            (Fold::Min, true) => self.scalar(ty, f64::INFINITY),
            (Fold::Max, false) if unsigned => self.int_scalar(ty, 0),
            (Fold::Min, false) if unsigned => self.int_scalar(ty, -1),
            (Fold::Max, false) => self.int_scalar(ty, -(1i128 << (width - 1))),
            (Fold::Min, false) => self.int_scalar(ty, (1i128 << (width - 1)) - 1),
        }
    }

    /// [`Cx::reduce`] that keeps the dimensions with one element.
    pub(super) fn reduce_kept(
        &mut self,
        value: Value,
        fold: Fold,
        over: &[usize],
    ) -> Result<Value, Refused> {
        let mut dims = self.dims(value);
        for &dim in over {
            dims[dim] = c(1);
        }
        let value = self.reduce(value, fold, over);
        self.reshape(value, &dims)
    }

    /// The number of elements along dimensions, as a tensor of rank 0 like `like`.
    pub(super) fn count(&mut self, like: Value, over: &[usize]) -> Result<Value, Refused> {
        let dims = self.dims(like);
        let all: Vec<Dim> = over.iter().map(|&dim| dims[dim]).collect();
        let n = self.product(&all);
        self.dim_as(n, self.element(like))
    }

    /// A size as a tensor of rank 0 with an element of type `ty`.
    pub(super) fn dim_as(&mut self, dim: Dim, ty: Type) -> Result<Value, Refused> {
        match dim {
            Dim::Constant(number) => Ok(self.lit(ty, number as f64)),
            Dim::Value(value) => {
                let number = self.b.value(&arith::INDEX_CAST, &[value], Type::I64);
                let number = self.scalar_tensor(number, Type::I64);
                self.convert(number, ty)
            }
        }
    }

    /// The mean along dimensions, which keep one element.
    pub(super) fn mean(&mut self, value: Value, over: &[usize]) -> Result<Value, Refused> {
        let sum = self.reduce_kept(value, Fold::Add, over)?;
        let n = self.count(value, over)?;
        self.ew(&sh::DIVIDE, &[sum, n])
    }

    /// A constant matrix whose rows are multiplied by rows of the left factor, transposed: columns that are neighbours
    /// are read where they are, and others copied on each call. A few rows are better multiplied by dot products.
    fn turned(
        &mut self,
        lhs: Value,
        rhs: Value,
        batch: [&[usize]; 2],
        sums: [&[usize]; 2],
    ) -> Option<Value> {
        if sums[1] != [1] || self.rank(rhs) != 2 || !batch[1].is_empty() {
            return None;
        }
        let left = self.dims(lhs);
        let rows = left.iter().enumerate();
        let rows = rows.filter(|(dim, _)| !sums[0].contains(dim));
        let rows = rows.fold(1i64, |rows, (_, &size)| match size {
            Dim::Constant(size) => rows.saturating_mul(size),
            Dim::Value(_) if self.scope.few_rows => rows,
            Dim::Value(_) => i64::MAX,
        });
        (rows > MAX_FEW_ROWS)
            .then(|| self.constant_transpose(rhs, &[1, 0]))
            .flatten()
    }

    /// `stablehlo.dot_general`, with elements of type `ty`: batches, then what is left of the first factor, then of the
    /// second.
    pub(super) fn dot(
        &mut self,
        lhs: Value,
        rhs: Value,
        batch: [&[usize]; 2],
        sums: [&[usize]; 2],
        ty: Type,
    ) -> Value {
        let (mut left, mut right) = (self.dims(lhs), self.dims(rhs));
        // What one of them knows of a size, both have.
        for pairs in [batch, sums] {
            for (&i, &j) in pairs[0].iter().zip(pairs[1]) {
                match (left[i], right[j]) {
                    (Dim::Constant(n), Dim::Value(_)) => right[j] = c(n),
                    (Dim::Value(_), other) => left[i] = other,
                    _ => {}
                }
            }
        }
        let lhs = self.as_sized(lhs, &left);
        let (rhs, sums) = match self.turned(lhs, rhs, batch, sums) {
            Some(turned) => {
                right.reverse();
                (turned, [sums[0], &[0][..]])
            }
            None => (rhs, sums),
        };
        let rhs = self.as_sized(rhs, &right);
        let mut dims: Vec<Dim> = batch[0].iter().map(|&dim| left[dim]).collect();
        for (side, sizes) in [&left, &right].into_iter().enumerate() {
            for (dim, &size) in sizes.iter().enumerate() {
                if !batch[side].contains(&dim) && !sums[side].contains(&dim) {
                    dims.push(size);
                }
            }
        }
        let list = |all: &[usize]| all.iter().map(|&dim| dim as i64).collect();
        let numbers = DotDimensions {
            lhs_batching_dimensions: list(batch[0]),
            rhs_batching_dimensions: list(batch[1]),
            lhs_contracting_dimensions: list(sums[0]),
            rhs_contracting_dimensions: list(sums[1]),
        };
        let numbers = numbers.to_attr(&self.context());
        let result = self.type_of(&dims, ty);
        let value = self.b.value_with_attr(
            &products::DOT_GENERAL,
            &[lhs, rhs],
            result,
            Name::DOT_DIMENSION_NUMBERS,
            numbers,
        );
        self.sized(value, &dims)
    }
}
