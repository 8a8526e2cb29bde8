//! Batch normalization.

use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::stablehlo::products as rows;
use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::build::{
    Generic, element, elementwise, empty_like, empty_with, fill, moved_to, projection, size, sizes,
};
use super::emit::Emit;
use super::moves::{broadcast, integer};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};
use crate::rewrite::sizes::{Sizes, c};

pub(super) const ROWS: &[Row] = &[
    (&rows::BATCH_NORM_GRAD, lower_batch_norm_grad),
    (&rows::BATCH_NORM_INFERENCE, lower_batch_norm_inference),
    (&rows::BATCH_NORM_TRAINING, lower_batch_norm_training),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// The parts of a batch normalization.
struct BatchNorm {
    /// Which dimension the features are.
    feature: usize,
    epsilon: f64,
    ty: Type,
    rank: usize,
    /// A tensor of all sizes.
    image: Value,
    /// How many elements each feature has, as a number of the type of elements.
    n: Value,
}

impl BatchNorm {
    fn of(b: &mut Builder<'_>, op: Op) -> Result<Self, Unsupported> {
        let context = b.context();
        let epsilon = match b
            .ir
            .attr(op, Name::EPSILON)
            .map(|attr| context.attr_kind(attr))
        {
            Some(AttrKind::Float { bits, .. }) => f64::from(f32::from_bits(*bits as u32)),
            _ => return Err("it has no epsilon".into()),
        };
        let feature = integer(b.ir, op, Name::FEATURE_INDEX) as usize;
        let image = b.ir.operand(op, 0);
        let sizes = sizes(b, image);
        let others = sizes.iter().enumerate().filter(|&(dim, _)| dim != feature);
        let mut sum = Sizes::default();
        let n = others.fold(c(1), |n, (_, &size)| sum.mul(b, n, size));
        let of_element = element(b.ir, image);
        let n = match n {
            MixedIndex::Constant(n) => Emit::new(b).float(of_element, n as f64),
            MixedIndex::Value(n) => {
                let mut e = Emit::new(b);
                let n = e.to(&arith::INDEX_CAST, n, Type::I64);
                e.to(&arith::SITOFP, n, of_element)
            }
        };
        Ok(Self {
            feature,
            epsilon,
            ty: b.ir.value_type(image),
            rank: sizes.len(),
            image,
            n,
        })
    }

    /// A number per feature, for all elements.
    fn spread(&self, b: &mut Builder<'_>, vector: Value) -> Value {
        let dims = [self.feature as i64];
        match b
            .context()
            .shape(self.ty)
            .is_some_and(|shape| shape.contains(&DYNAMIC))
        {
            true => {
                let out = empty_like(b, self.ty, self.image);
                moved_to(b, vector, out, projection(self.rank, &[self.feature]))
            }
            false => broadcast(b, vector, &dims, self.ty),
        }
    }

    /// The sums of the elements of each feature.
    fn sums(&self, b: &mut Builder<'_>, tensor: Value, vector_type: Type) -> Value {
        let out = empty_with(b, vector_type, &mut |b, _| size(b, tensor, self.feature));
        let element = element(b.ir, out);
        let zero = Emit::new(b).float(element, 0.0);
        let out = fill(b, zero, out);
        let parallel: Vec<bool> = (0..self.rank).map(|dim| dim == self.feature).collect();
        let generic = Generic {
            inputs: vec![(tensor, AffineMap::identity(self.rank))],
            outputs: vec![(out, projection(self.rank, &[self.feature]))],
            parallel: &parallel,
        };
        generic.build(b, &mut |b, x| {
            vec![Emit::new(b).binary(&arith::ADDF, x[1], x[0])]
        })[0]
    }

    fn mean(&self, b: &mut Builder<'_>, tensor: Value, vector_type: Type) -> Value {
        let sums = self.sums(b, tensor, vector_type);
        elementwise(b, &[sums], vector_type, &mut |b, x| {
            Emit::new(b).binary(&arith::DIVF, x[0], self.n)
        })
    }

    fn scale(e: &mut Emit<'_, '_>, variance: Value, epsilon: f64) -> Value {
        let epsilon = e.float_like(variance, epsilon);
        let sum = e.binary(&arith::ADDF, variance, epsilon);
        e.unary(&math::SQRT, sum)
    }

    fn normalize(
        &self,
        b: &mut Builder<'_>,
        [image, scale, offset, mean, variance]: [Value; 5],
    ) -> Value {
        let [scale, offset, mean, variance] =
            [scale, offset, mean, variance].map(|vector| self.spread(b, vector));
        elementwise(
            b,
            &[image, scale, offset, mean, variance],
            self.ty,
            &mut |b, x| {
                let mut e = Emit::new(b);
                let deviation = Self::scale(&mut e, x[4], self.epsilon);
                let centered = e.binary(&arith::SUBF, x[0], x[3]);
                let normal = e.binary(&arith::DIVF, centered, deviation);
                let scaled = e.binary(&arith::MULF, normal, x[1]);
                e.binary(&arith::ADDF, scaled, x[2])
            },
        )
    }
}

fn lower_batch_norm_inference(b: &mut Builder<'_>, op: Op) -> Lowered {
    let norm = BatchNorm::of(b, op)?;
    let operands = [0, 1, 2, 3, 4].map(|i| b.ir.operand(op, i));
    Ok(vec![norm.normalize(b, operands)])
}

fn lower_batch_norm_training(b: &mut Builder<'_>, op: Op) -> Lowered {
    let norm = BatchNorm::of(b, op)?;
    let [image, scale, offset] = [0, 1, 2].map(|i| b.ir.operand(op, i));
    let vector_type = b.ir.value_type(scale);
    let mean = norm.mean(b, image, vector_type);
    let spread = norm.spread(b, mean);
    let squares = elementwise(b, &[image, spread], norm.ty, &mut |b, x| {
        let mut e = Emit::new(b);
        let centered = e.binary(&arith::SUBF, x[0], x[1]);
        e.binary(&arith::MULF, centered, centered)
    });
    let variance = norm.mean(b, squares, vector_type);
    let output = norm.normalize(b, [image, scale, offset, mean, variance]);
    Ok(vec![output, mean, variance])
}

fn lower_batch_norm_grad(b: &mut Builder<'_>, op: Op) -> Lowered {
    let norm = BatchNorm::of(b, op)?;
    let [image, scale, mean, variance, gradient] = [0, 1, 2, 3, 4].map(|i| b.ir.operand(op, i));
    let vector_type = b.ir.value_type(scale);
    let means = norm.spread(b, mean);
    let of_offset = norm.sums(b, gradient, vector_type);
    let products = elementwise(b, &[gradient, image, means], norm.ty, &mut |b, x| {
        let mut e = Emit::new(b);
        let centered = e.binary(&arith::SUBF, x[1], x[2]);
        e.binary(&arith::MULF, x[0], centered)
    });
    let products = norm.sums(b, products, vector_type);
    let of_scale = elementwise(b, &[products, variance], vector_type, &mut |b, x| {
        let mut e = Emit::new(b);
        let deviation = BatchNorm::scale(&mut e, x[1], norm.epsilon);
        e.binary(&arith::DIVF, x[0], deviation)
    });
    let [scales, variances, sums, products] =
        [scale, variance, of_offset, products].map(|vector| norm.spread(b, vector));
    let inputs = [gradient, image, means, scales, variances, sums, products];
    let of_operand = elementwise(b, &inputs, norm.ty, &mut |b, x| {
        let mut e = Emit::new(b);
        let n = norm.n;
        let epsilon = e.float_like(x[0], norm.epsilon);
        let widened = e.binary(&arith::ADDF, x[4], epsilon);
        let all = e.binary(&arith::MULF, x[0], n);
        let centered = e.binary(&arith::SUBF, x[1], x[2]);
        let slope = e.binary(&arith::MULF, centered, x[6]);
        let slope = e.binary(&arith::DIVF, slope, widened);
        let rest = e.binary(&arith::SUBF, all, x[5]);
        let rest = e.binary(&arith::SUBF, rest, slope);
        let deviation = e.unary(&math::SQRT, widened);
        let factor = e.binary(&arith::DIVF, x[3], deviation);
        let factor = e.binary(&arith::DIVF, factor, n);
        e.binary(&arith::MULF, factor, rest)
    });
    Ok(vec![of_operand, of_scale, of_offset])
}
