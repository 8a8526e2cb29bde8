//! `chlo-legalize-to-stablehlo`: operations of CHLO become those of StableHLO.
//!
//! Before:
//! ```mlir
//! %0 = chlo.broadcast_add %x, %y : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
//! %1 = chlo.asinh %0 : tensor<4x2xf32> -> tensor<4x2xf32>
//! ```
//! After:
//! ```mlir
//! %y1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
//! %0 = stablehlo.add %x, %y1 : tensor<4x2xf32>
//! %1 = stablehlo.abs %0 : tensor<4x2xf32>
//! ...
//! ```
//!
//! What a function computes of an element is written down once, in arithmetic on scalars, by the same code that
//! `stablehlo-legalize-to-linalg` uses; a table has the operation on tensors for each one on scalars.

use std::sync::Arc;

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::chlo::ragged_dot::RAGGED_DOT;
use freehold_frontend::dialects::stablehlo::attributes::{ComparisonDirection, ComparisonType};
use freehold_frontend::dialects::stablehlo::{elementwise as rows, reductions, regions, shapes};
use freehold_frontend::dialects::{arith, chlo, complex, math, scf};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};
use rustc_hash::FxHashMap;

use super::build::{element, shape, signless, tensor_type};
use super::emit::{Class, Emit};
use super::functions::in_elementary_terms;
use super::moves::list;
use super::ragged;
use super::scalar;
use super::special::{of_elements, places_of};
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::elementary_functions::{Precision, build_arithmetic};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "chlo-legalize-to-stablehlo",
    summary: "turn CHLO into StableHLO",
    anchor: Anchor::Function,
    run,
};

/// Operations on tensors that compute of each element what the one on scalars does.
static SAME: &[(&OpDef, &OpDef)] = &[
    (&arith::ADDF, &rows::ADD),
    (&arith::ADDI, &rows::ADD),
    (&arith::ANDI, &rows::AND),
    (&arith::BITCAST, &shapes::BITCAST_CONVERT),
    (&arith::DIVF, &rows::DIVIDE),
    (&arith::EXTF, &rows::CONVERT),
    (&arith::FPTOSI, &rows::CONVERT),
    (&arith::MAXIMUMF, &rows::MAXIMUM),
    (&arith::MAXSI, &rows::MAXIMUM),
    (&arith::MINIMUMF, &rows::MINIMUM),
    (&arith::MINSI, &rows::MINIMUM),
    (&arith::MULF, &rows::MULTIPLY),
    (&arith::MULI, &rows::MULTIPLY),
    (&arith::NEGF, &rows::NEGATE),
    (&arith::ORI, &rows::OR),
    (&arith::REMF, &rows::REMAINDER),
    (&arith::SELECT, &rows::SELECT),
    (&arith::SHLI, &rows::SHIFT_LEFT),
    (&arith::SHRSI, &rows::SHIFT_RIGHT_ARITHMETIC),
    (&arith::SHRUI, &rows::SHIFT_RIGHT_LOGICAL),
    (&arith::SITOFP, &rows::CONVERT),
    (&arith::SUBF, &rows::SUBTRACT),
    (&arith::SUBI, &rows::SUBTRACT),
    (&arith::TRUNCF, &rows::CONVERT),
    (&arith::XORI, &rows::XOR),
    (&complex::ABS, &rows::ABS),
    (&complex::ADD, &rows::ADD),
    (&complex::CREATE, &rows::COMPLEX),
    (&complex::DIV, &rows::DIVIDE),
    (&complex::EXP, &rows::EXPONENTIAL),
    (&complex::EXPM1, &rows::EXPONENTIAL_MINUS_ONE),
    (&complex::IM, &rows::IMAG),
    (&complex::LOG, &rows::LOG),
    (&complex::LOG1P, &rows::LOG_PLUS_ONE),
    (&complex::MUL, &rows::MULTIPLY),
    (&complex::NEG, &rows::NEGATE),
    (&complex::RE, &rows::REAL),
    (&complex::SIN, &rows::SINE),
    (&complex::COS, &rows::COSINE),
    (&complex::SQRT, &rows::SQRT),
    (&complex::SUB, &rows::SUBTRACT),
    (&complex::TAN, &rows::TAN),
    (&complex::TANH, &rows::TANH),
    (&math::ABSF, &rows::ABS),
    (&math::ABSI, &rows::ABS),
    (&math::ATAN2, &rows::ATAN2),
    (&math::CBRT, &rows::CBRT),
    (&math::CEIL, &rows::CEIL),
    (&math::COS, &rows::COSINE),
    (&math::EXP, &rows::EXPONENTIAL),
    (&math::EXPM1, &rows::EXPONENTIAL_MINUS_ONE),
    (&math::FLOOR, &rows::FLOOR),
    (&math::LOG, &rows::LOG),
    (&math::LOG1P, &rows::LOG_PLUS_ONE),
    (&math::POWF, &rows::POWER),
    (&math::ROUND, &rows::ROUND_NEAREST_AFZ),
    (&math::ROUNDEVEN, &rows::ROUND_NEAREST_EVEN),
    (&math::RSQRT, &rows::RSQRT),
    (&math::SIN, &rows::SINE),
    (&math::SQRT, &rows::SQRT),
    (&math::TAN, &rows::TAN),
    (&math::TANH, &rows::TANH),
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_legalized = 0;
    let ops: Vec<Op> = ir.walk(ir.root()).collect();
    for op in ops {
        if !ir.op_name(op).starts_with("chlo.") {
            continue;
        }
        let values = legalize(&mut Builder::before(ir, op), op);
        let values = match values {
            Ok(values) => values,
            Err(Unsupported(reason)) => {
                let message = format!("'{}' op is not legalized: {reason}", ir.op_name(op));
                return Err(context.diagnostics.error(ir.loc(op), message));
            }
        };
        ir.replace_op(op, &values);
        n_legalized += 1;
    }
    context.count("operations legalized", n_legalized);
    Ok(())
}

/// Builds in front of an operation of CHLO and returns a value for each of its results.
fn legalize(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let def = b.ir.def(op);
    let row = of_elements(def);
    if !std::ptr::eq(row, def) {
        return broadcasting(b, op, row);
    }
    if b.ir.is(op, &chlo::CONSTANT) {
        let value = b.ir.attr(op, Name::VALUE).ok_or("it has no value")?;
        let ty = b.ir.value_type(b.ir.result(op, 0));
        return Ok(vec![b.value_with_attr(
            &rows::CONSTANT,
            &[],
            ty,
            Name::VALUE,
            value,
        )]);
    }
    if b.ir.is(op, &chlo::CONSTANT_LIKE) {
        let value = b.ir.attr(op, Name::VALUE).ok_or("it has no value")?;
        let like = b.ir.operand(op, 0);
        let result = b.ir.result(op, 0);
        let of_element = element(b.ir, result);
        let mut tensors = Tensors::of(b, like);
        let splat = tensors
            .constant(b, value, of_element)
            .ok_or("its value is no number")?;
        return Ok(vec![tensors.typed(b, splat, result)]);
    }
    if b.ir.is(op, &chlo::TOP_K) {
        return top_k(b, op);
    }
    if b.ir.is(op, &RAGGED_DOT) {
        return ragged::legalize(b, op);
    }
    let operands = b.ir.operands(op).to_vec();
    Ok(vec![computed(b, op, row, &operands)?])
}

/// What a row computes of each element of tensors of one shape.
fn computed(
    b: &mut Builder<'_>,
    op: Op,
    row: &'static OpDef,
    operands: &[Value],
) -> Result<Value, Unsupported> {
    let context = b.context();
    // Scalars are computed aside, in a block that is dropped.
    let spec = b.spec(&scf::EXECUTE_REGION).regions(1);
    let holder = b.create(spec);
    let types: Vec<Type> = (operands.iter())
        .map(|&operand| signless(&context, element(b.ir, operand)))
        .collect();
    let region = b.ir.region(holder, 0);
    let block = b.ir.append_block(region, &types);
    let arguments = b.ir.block_args(block).to_vec();
    let scalar = scalar::emit_as(&mut Builder::at_end(b.ir, block), row, op, &arguments);
    let result = scalar.ok_or_else(|| scalar::unsupported_types(b.ir, op));
    let built = result.and_then(|result| {
        let mut tensors = Tensors::of(b, operands[0]);
        let mut values = FxHashMap::default();
        for (&argument, &operand) in arguments.iter().zip(operands) {
            let ty = signless(&context, b.ir.value_type(operand));
            values.insert(argument, cast(b, operand, ty));
        }
        let mut result = result;
        let mut next = b.ir.first_op(block);
        while let Some(scalar) = next {
            if let Some(value) = tensors.translate(b, scalar, &values) {
                values.insert(b.ir.result(scalar, 0), value);
                next = b.ir.next_op(scalar);
                continue;
            }
            // By simpler operations.
            let before = b.ir.prev_op(scalar);
            if b.ir.results(scalar).len() == 2 {
                let halves = product_in_halves(&mut Builder::before(b.ir, scalar), scalar);
                let halves = halves.ok_or("StableHLO has nothing for it")?;
                if let Some(i) =
                    b.ir.results(scalar)
                        .iter()
                        .position(|&other| other == result)
                {
                    result = halves[i];
                }
                next = match before {
                    Some(before) => b.ir.next_op(before),
                    None => b.ir.first_op(block),
                };
                b.ir.replace_op(scalar, &halves);
                continue;
            }
            let simpler = build_arithmetic(b.ir, scalar, Precision::Rounded).or_else(|| {
                let (def, operand) = (b.ir.def(scalar), *b.ir.operands(scalar).first()?);
                let ty = b.ir.value_type(operand);
                let is_one = b.ir.operands(scalar).len() == 1;
                let mut inner = Builder::before(b.ir, scalar);
                let mut e = Emit::new(&mut inner);
                match ty {
                    Type::F64 => in_elementary_terms(&mut e, def, operand),
                    // Short formats, as `f32`.
                    _ if is_one
                        && matches!(e.class_of(ty), Class::Float(kind) if kind.width() < 16) =>
                    {
                        let wide = e.to(&arith::EXTF, operand, Type::F32);
                        let value = e.unary(def, wide);
                        Some(e.to(&arith::TRUNCF, value, ty))
                    }
                    _ => None,
                }
            });
            let simpler = simpler.ok_or_else(|| {
                let name = b.ir.op_name(scalar);
                Unsupported(format!("StableHLO has nothing for '{name}'"))
            })?;
            if result == b.ir.result(scalar, 0) {
                result = simpler;
            }
            next = match before {
                Some(before) => b.ir.next_op(before),
                None => b.ir.first_op(block),
            };
            b.ir.replace_op(scalar, &[simpler]);
        }
        let value = values
            .get(&result)
            .copied()
            .ok_or("its result is no tensor")?;
        let of_op = b.ir.result(op, 0);
        Ok(tensors.typed(b, value, of_op))
    });
    b.ir.erase_op(holder);
    built
}

/// The two halves of a product of integers, by products of halves of its factors.
fn product_in_halves(b: &mut Builder<'_>, op: Op) -> Option<[Value; 2]> {
    let is_signed = b.ir.is(op, &arith::MULSI_EXTENDED);
    if !is_signed && !b.ir.is(op, &arith::MULUI_EXTENDED) {
        return None;
    }
    let &[x, y] = b.ir.operands(op) else {
        return None;
    };
    let context = b.context();
    let ty = b.ir.value_type(x);
    let TypeKind::Integer { width, .. } = *context.type_kind(ty) else {
        return None;
    };
    if width % 2 != 0 || width > 64 {
        return None;
    }
    let mut e = Emit::new(b);
    let half = e.int(ty, i128::from(width / 2));
    let mask = e.int(ty, (1 << (width / 2)) - 1);
    let [[xl, xh], [yl, yh]] = [x, y].map(|x| {
        let low = e.binary(&arith::ANDI, x, mask);
        [low, e.binary(&arith::SHRUI, x, half)]
    });
    let [ll, lh, hl, hh] =
        [(xl, yl), (xl, yh), (xh, yl), (xh, yh)].map(|(x, y)| e.binary(&arith::MULI, x, y));
    // None of these sums overflows.
    let carried = e.binary(&arith::SHRUI, ll, half);
    let first = e.binary(&arith::ADDI, hl, carried);
    let rest = e.binary(&arith::ANDI, first, mask);
    let second = e.binary(&arith::ADDI, lh, rest);
    let [first, second] = [first, second].map(|sum| e.binary(&arith::SHRUI, sum, half));
    let high = e.binary(&arith::ADDI, hh, first);
    let mut high = e.binary(&arith::ADDI, high, second);
    if is_signed {
        let zero = e.int(ty, 0);
        for (factor, other) in [(x, y), (y, x)] {
            let is_negative = e.cmpi(CmpIPredicate::Slt, factor, zero);
            let excess = e.select(is_negative, other, zero);
            high = e.binary(&arith::SUBI, high, excess);
        }
    }
    Some([e.binary(&arith::MULI, x, y), high])
}

/// The tensor with elements that are read in another way, of the same size.
fn cast(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match b.ir.value_type(value) == ty {
        true => value,
        false => b.value(&shapes::BITCAST_CONVERT, &[value], ty),
    }
}

/// Builds tensors of one shape.
struct Tensors {
    /// A tensor of the shape.
    like: Value,
    /// The sizes, if not all of them are known.
    sizes: Option<Value>,
}

impl Tensors {
    fn of(b: &Builder<'_>, like: Value) -> Self {
        let _ = b;
        Self { like, sizes: None }
    }

    fn ty(&self, b: &Builder<'_>, element: Type) -> Type {
        let context = b.ir.context();
        tensor_type(context, &shape(b.ir, self.like), element)
    }

    /// A value with the type of a result.
    fn typed(&self, b: &mut Builder<'_>, value: Value, result: Value) -> Value {
        let ty = b.ir.value_type(result);
        let own = b.ir.value_type(value);
        let same = b.context().with_element_type(own, element(b.ir, result));
        let value = cast(b, value, same);
        match b.ir.value_type(value) == ty {
            true => value,
            false => super::build::cast(b, value, ty),
        }
    }

    /// A number as often as the tensor has elements.
    fn constant(&mut self, b: &mut Builder<'_>, number: Attr, element: Type) -> Option<Value> {
        let context = b.context();
        let bytes = bytes_of(&context, number, element)?;
        let dense = |ty| {
            context.intern_attr(AttrKind::DenseElements(DenseElements {
                ty,
                splat: true,
                bytes: bytes.clone().into(),
            }))
        };
        let ty = self.ty(b, element);
        if !context.shape(ty)?.contains(&DYNAMIC) {
            return Some(b.value_with_attr(&rows::CONSTANT, &[], ty, Name::VALUE, dense(ty)));
        }
        let scalar = tensor_type(&context, &[], element);
        let scalar = b.value_with_attr(&rows::CONSTANT, &[], scalar, Name::VALUE, dense(scalar));
        let sizes = match self.sizes {
            Some(sizes) => sizes,
            None => {
                let rank = shape(b.ir, self.like).len();
                let sizes = (0..rank)
                    .map(|dim| size_of(b, self.like, dim))
                    .collect::<Vec<_>>();
                let sizes = joined(b, &sizes);
                *self.sizes.insert(sizes)
            }
        };
        Some(repeated(b, scalar, sizes, &[], ty))
    }

    fn number(&mut self, b: &mut Builder<'_>, ty: Type, number: i128) -> Option<Value> {
        let attr = b.context().integer_attr(ty, number);
        self.constant(b, attr, ty)
    }

    /// The operation on tensors that does what one on scalars does.
    fn translate(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        values: &FxHashMap<Value, Value>,
    ) -> Option<Value> {
        let context = b.context();
        let result = b.ir.value_type(b.ir.result(op, 0));
        let ty = self.ty(b, result);
        let operands: Option<Vec<Value>> =
            b.ir.operands(op)
                .iter()
                .map(|operand| values.get(operand).copied())
                .collect();
        let x = operands?;
        let from =
            b.ir.operands(op)
                .first()
                .map(|&operand| b.ir.value_type(operand));
        let is = |row: &'static OpDef| b.ir.is(op, row);
        if let Some((_, row)) = SAME.iter().find(|(row, _)| is(row)) {
            return Some(b.value(row, &x, ty));
        }
        if is(&arith::CONSTANT) {
            let value = b.ir.attr(op, Name::VALUE)?;
            return self.constant(b, value, result);
        }
        if is(&complex::CONSTANT) {
            let parts =
                b.ir.attr(op, Name::VALUE)
                    .and_then(|attr| context.attr_array(attr))?;
            let part = complex::element_of(&context, result)?;
            let (re, im) = (*parts.first()?, *parts.get(1)?);
            let re = self.constant(b, re, part)?;
            let im = self.constant(b, im, part)?;
            return Some(b.value(&rows::COMPLEX, &[re, im], ty));
        }
        if is(&complex::CONJ) {
            let part = self.ty(b, complex::element_of(&context, result)?);
            let re = b.value(&rows::REAL, &x, part);
            let im = b.value(&rows::IMAG, &x, part);
            let im = b.value(&rows::NEGATE, &[im], part);
            return Some(b.value(&rows::COMPLEX, &[re, im], ty));
        }
        if is(&math::FMA) {
            let product = b.value(&rows::MULTIPLY, &x[..2], ty);
            return Some(b.value(&rows::ADD, &[product, x[2]], ty));
        }
        if is(&arith::CMPF) {
            let predicate = predicate(b.ir, op, CmpFPredicate::from_integer)?;
            return Some(self.compare_floats(b, predicate, [x[0], x[1]]));
        }
        if is(&arith::CMPI) {
            let predicate = predicate(b.ir, op, CmpIPredicate::from_integer)?;
            return Some(self.compare_integers(b, predicate, [x[0], x[1]], from?));
        }
        let unsigned = |of: Type| match context.type_kind(of) {
            TypeKind::Integer { width, .. } if *width > 1 => {
                context.intern_type(TypeKind::Integer {
                    width: *width,
                    signedness: Signedness::Unsigned,
                })
            }
            _ => of,
        };
        if is(&arith::EXTUI) || is(&arith::UITOFP) {
            let read = self.ty(b, unsigned(from?));
            let source = cast(b, x[0], read);
            let wide = self.ty(b, unsigned(result));
            let value = b.value(&rows::CONVERT, &[source], wide);
            return Some(cast(b, value, ty));
        }
        if is(&arith::FPTOUI) {
            let wide = self.ty(b, unsigned(result));
            let value = b.value(&rows::CONVERT, &x, wide);
            return Some(cast(b, value, ty));
        }
        if is(&arith::EXTSI) {
            let value = b.value(&rows::CONVERT, &x, ty);
            // True is -1.
            return Some(match from? == Type::I1 {
                true => b.value(&rows::NEGATE, &[value], ty),
                false => value,
            });
        }
        if is(&arith::TRUNCI) {
            let mut source = x[0];
            if result == Type::I1 {
                let one = self.number(b, from?, 1)?;
                let wide = b.ir.value_type(source);
                source = b.value(&rows::AND, &[source, one], wide);
            }
            return Some(b.value(&rows::CONVERT, &[source], ty));
        }
        None
    }

    fn compare(
        &self,
        b: &mut Builder<'_>,
        direction: ComparisonDirection,
        kind: ComparisonType,
        [x, y]: [Value; 2],
    ) -> Value {
        let ty = self.ty(b, Type::I1);
        compare(b, direction, kind, [x, y], ty)
    }

    fn compare_floats(
        &self,
        b: &mut Builder<'_>,
        predicate: CmpFPredicate,
        x: [Value; 2],
    ) -> Value {
        use CmpFPredicate as P;
        use ComparisonDirection as D;
        let kind = ComparisonType::Float;
        let ty = self.ty(b, Type::I1);
        let [a, c] = x;
        let (direction, is_inverse) = match predicate {
            P::Oeq => (D::Eq, false),
            P::Ogt => (D::Gt, false),
            P::Oge => (D::Ge, false),
            P::Olt => (D::Lt, false),
            P::Ole => (D::Le, false),
            P::Une => (D::Ne, false),
            P::Ugt => (D::Le, true),
            P::Uge => (D::Lt, true),
            P::Ult => (D::Ge, true),
            P::Ule => (D::Gt, true),
            P::One | P::Ueq => {
                let less = self.compare(b, D::Lt, kind, x);
                let more = self.compare(b, D::Gt, kind, x);
                let differs = b.value(&rows::OR, &[less, more], ty);
                return match predicate == P::One {
                    true => differs,
                    false => b.value(&rows::NOT, &[differs], ty),
                };
            }
            P::Ord | P::Uno | P::AlwaysTrue | P::AlwaysFalse => {
                let all = self.compare(b, D::Ne, kind, [a, a]);
                let others = self.compare(b, D::Ne, kind, [c, c]);
                let unordered = b.value(&rows::OR, &[all, others], ty);
                let inverse = b.value(&rows::NOT, &[unordered], ty);
                return match predicate {
                    P::Uno => unordered,
                    P::Ord => inverse,
                    P::AlwaysTrue => b.value(&rows::OR, &[unordered, inverse], ty),
                    _ => b.value(&rows::AND, &[unordered, inverse], ty),
                };
            }
        };
        let value = self.compare(b, direction, kind, x);
        match is_inverse {
            true => b.value(&rows::NOT, &[value], ty),
            false => value,
        }
    }

    fn compare_integers(
        &self,
        b: &mut Builder<'_>,
        predicate: CmpIPredicate,
        mut x: [Value; 2],
        ty: Type,
    ) -> Value {
        use CmpIPredicate as P;
        use ComparisonDirection as D;
        let (direction, is_unsigned) = match predicate {
            P::Eq => (D::Eq, false),
            P::Ne => (D::Ne, false),
            P::Slt => (D::Lt, false),
            P::Sle => (D::Le, false),
            P::Sgt => (D::Gt, false),
            P::Sge => (D::Ge, false),
            P::Ult => (D::Lt, true),
            P::Ule => (D::Le, true),
            P::Ugt => (D::Gt, true),
            P::Uge => (D::Ge, true),
        };
        let context = b.context();
        let width = match context.type_kind(ty) {
            TypeKind::Integer { width, .. } => *width,
            _ => 64,
        };
        if width == 1 {
            return self.compare(b, direction, ComparisonType::Unsigned, x);
        }
        if is_unsigned {
            let ty = context.intern_type(TypeKind::Integer {
                width,
                signedness: Signedness::Unsigned,
            });
            let ty = self.ty(b, ty);
            x = x.map(|x| cast(b, x, ty));
        }
        let kind = match is_unsigned {
            true => ComparisonType::Unsigned,
            false => ComparisonType::Signed,
        };
        self.compare(b, direction, kind, x)
    }
}

/// What a comparison of scalars asks.
fn predicate<T>(ir: &Ir, op: Op, of: fn(i128) -> Option<T>) -> Option<T> {
    let attr = ir.attr(op, Name::PREDICATE)?;
    of(ir.context().attr_integer(attr)?)
}

/// `stablehlo.compare`
pub(super) fn compare(
    b: &mut Builder<'_>,
    direction: ComparisonDirection,
    kind: ComparisonType,
    operands: [Value; 2],
    ty: Type,
) -> Value {
    let context = b.context();
    let spec = b
        .spec(&rows::COMPARE)
        .operands(&operands)
        .results(&[ty])
        .attr(Name::COMPARISON_DIRECTION, direction.to_attr(&context))
        .attr(Name::COMPARE_TYPE, kind.to_attr(&context));
    let op = b.create(spec);
    b.ir.result(op, 0)
}

/// The bytes of a number as elements have them.
fn bytes_of(context: &Arc<Context>, number: Attr, element: Type) -> Option<Vec<u8>> {
    let width = |ty| match context.type_kind(ty) {
        TypeKind::Float(kind) => Some(kind.width()),
        TypeKind::Integer { width, .. } => Some(*width),
        _ => None,
    };
    let bytes = |bits: u128, width: u32| bits.to_le_bytes()[..width.div_ceil(8) as usize].to_vec();
    match context.attr_kind(number) {
        AttrKind::Float { bits, .. } => Some(bytes(*bits, width(element)?)),
        AttrKind::DenseElements(dense) => Some(dense.bytes.to_vec()),
        AttrKind::Array(parts) => {
            let TypeKind::Complex(part) = context.type_kind(element) else {
                return None;
            };
            let parts = parts.iter().map(|&number| bytes_of(context, number, *part));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => {
            let width = width(element)?;
            let mask = u128::MAX >> (128 - width.min(128));
            Some(bytes(context.attr_integer(number)? as u128 & mask, width))
        }
    }
}

/// The size of a dimension as a tensor of `i32`.
fn size_of(b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
    let context = b.context();
    let ty = tensor_type(&context, &[], Type::I32);
    let dim = context.i64_attr(dim as i64);
    b.value_with_attr(
        &shapes::GET_DIMENSION_SIZE,
        &[tensor],
        ty,
        Name::DIMENSION,
        dim,
    )
}

/// Sizes as the elements of one tensor.
fn joined(b: &mut Builder<'_>, sizes: &[Value]) -> Value {
    let context = b.context();
    let one = tensor_type(&context, &[1], Type::I32);
    let parts: Vec<Value> = sizes
        .iter()
        .map(|&size| b.value(&shapes::RESHAPE, &[size], one))
        .collect();
    let all = tensor_type(&context, &[parts.len() as i64], Type::I32);
    if parts.is_empty() {
        let none = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: all,
            splat: false,
            bytes: Vec::new().into(),
        }));
        return b.value_with_attr(&rows::CONSTANT, &[], all, Name::VALUE, none);
    }
    let first = context.i64_attr(0);
    b.value_with_attr(&shapes::CONCATENATE, &parts, all, Name::DIMENSION, first)
}

/// `stablehlo.dynamic_broadcast_in_dim`
fn repeated(b: &mut Builder<'_>, source: Value, sizes: Value, dims: &[i64], ty: Type) -> Value {
    let dims = b.context().i64_array_attr(dims);
    let operands = [source, sizes];
    b.value_with_attr(
        &shapes::DYNAMIC_BROADCAST_IN_DIM,
        &operands,
        ty,
        Name::BROADCAST_DIMENSIONS,
        dims,
    )
}

/// Operands of one shape, and the operation on them.
fn broadcasting(
    b: &mut Builder<'_>,
    op: Op,
    row: &'static OpDef,
) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let result = b.ir.result(op, 0);
    let ty = b.ir.value_type(result);
    let target = shape(b.ir, result);
    let dims = list(b.ir, op, Name::BROADCAST_DIMENSIONS);
    let operands = b.ir.operands(op).to_vec();
    let mut shapes_of = Vec::new();
    for &operand in &operands {
        let rank = shape(b.ir, operand).len();
        let places = places_of(&dims, rank, target.len());
        shapes_of.push(places.ok_or("an operand has more dimensions than its result")?);
    }
    let is_open = |shape: &[i64]| shape.contains(&DYNAMIC);
    let mut sizes = None;
    let mut inputs = Vec::new();
    for (&operand, places) in operands.iter().zip(&shapes_of) {
        let own = shape(b.ir, operand);
        let wide = context.with_element_type(ty, element(b.ir, operand));
        if own == target && !is_open(&own) {
            inputs.push(operand);
        } else if !is_open(&own) && !is_open(&target) {
            let dims = context.i64_array_attr(places);
            inputs.push(b.value_with_attr(
                &shapes::BROADCAST_IN_DIM,
                &[operand],
                wide,
                Name::BROADCAST_DIMENSIONS,
                dims,
            ));
        } else {
            let sizes = match sizes {
                Some(sizes) => sizes,
                None => *sizes.insert(common_sizes(b, &operands, &shapes_of, target.len())),
            };
            inputs.push(repeated(b, operand, sizes, places, wide));
        }
    }
    if row.name.starts_with("chlo.") {
        return Ok(vec![computed(b, op, row, &inputs)?]);
    }
    if std::ptr::eq(row, &rows::COMPARE) {
        let direction = b.ir.attr(op, Name::COMPARISON_DIRECTION);
        let word = |attr: Option<Attr>| match context.attr_kind(attr?) {
            AttrKind::Dialect { body, .. } => Some(body.rsplit(' ').next()?.to_owned()),
            _ => None,
        };
        let direction = word(direction).ok_or("it has no direction")?;
        let direction = ComparisonDirection::ALL
            .iter()
            .find(|case| case.keyword() == direction);
        let mut spec = b.spec(row).operands(&inputs).results(&[ty]).attr(
            Name::COMPARISON_DIRECTION,
            direction
                .ok_or("its direction is unknown")?
                .to_attr(&context),
        );
        if let Some(kind) = word(b.ir.attr(op, Name::COMPARE_TYPE)) {
            let kind = ComparisonType::ALL
                .iter()
                .find(|case| case.keyword() == kind);
            spec = spec.attr(
                Name::COMPARE_TYPE,
                kind.ok_or("its type is unknown")?.to_attr(&context),
            );
        }
        let made = b.create(spec);
        return Ok(vec![b.ir.result(made, 0)]);
    }
    Ok(vec![b.value(row, &inputs, ty)])
}

/// The sizes that operands are broadcast to: in each dimension that of one which has another size than 1.
fn common_sizes(
    b: &mut Builder<'_>,
    operands: &[Value],
    places: &[Vec<i64>],
    rank: usize,
) -> Value {
    let context = b.context();
    let (scalar, flag) = (
        tensor_type(&context, &[], Type::I32),
        tensor_type(&context, &[], Type::I1),
    );
    let one = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty: scalar,
        splat: true,
        bytes: 1i32.to_le_bytes().to_vec().into(),
    }));
    let one = b.value_with_attr(&rows::CONSTANT, &[], scalar, Name::VALUE, one);
    let mut sizes = vec![one; rank];
    for (&operand, places) in operands.iter().zip(places) {
        for (dim, &place) in places.iter().enumerate() {
            let own = size_of(b, operand, dim);
            let (direction, kind) = (ComparisonDirection::Eq, ComparisonType::Signed);
            let is_one = compare(b, direction, kind, [own, one], flag);
            let place = &mut sizes[place as usize];
            *place = b.value(&rows::SELECT, &[is_one, *place, own], scalar);
        }
    }
    joined(b, &sizes)
}

/// A stable sort of rows together with their positions, of which the first ones are taken.
fn top_k(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let operand = b.ir.operand(op, 0);
    let sizes = shape(b.ir, operand);
    if sizes.contains(&DYNAMIC) {
        return Err("sizes of its operand are known only at run time".into());
    }
    let of_element = element(b.ir, operand);
    let last = sizes.len() as i64 - 1;
    let ty = b.ir.value_type(operand);
    let numbers = context.with_element_type(ty, Type::I32);
    let dim = context.i64_attr(last);
    let places = b.value_with_attr(&shapes::IOTA, &[], numbers, Name::IOTA_DIMENSION, dim);
    let spec = b
        .spec(&reductions::SORT)
        .operands(&[operand, places])
        .results(&[ty, numbers])
        .attr(Name::DIMENSION, dim)
        .attr(Name::IS_STABLE, Attr::TRUE)
        .regions(1);
    let sort = b.create(spec);
    let [value, number, flag] =
        [of_element, Type::I32, Type::I1].map(|ty| tensor_type(&context, &[], ty));
    let region = b.ir.region(sort, 0);
    let block = b.ir.append_block(region, &[value, value, number, number]);
    let arguments = b.ir.block_args(block).to_vec();
    let kind = match context.type_kind(of_element) {
        TypeKind::Float(_) => ComparisonType::TotalOrder,
        TypeKind::Integer { width, signedness }
            if *signedness != Signedness::Unsigned && *width > 1 =>
        {
            ComparisonType::Signed
        }
        _ => ComparisonType::Unsigned,
    };
    let mut inner = Builder::at_end(b.ir, block);
    let pair = [arguments[0], arguments[1]];
    let is_first = compare(&mut inner, ComparisonDirection::Gt, kind, pair, flag);
    let spec = inner.spec(&regions::RETURN).operands(&[is_first]);
    inner.create(spec);
    let results = [0, 1].map(|i| b.ir.result(op, i));
    let parts = [0, 1].map(|i| b.ir.result(sort, i));
    let mut values = Vec::new();
    for (result, part) in results.into_iter().zip(parts) {
        let limits = shape(b.ir, result);
        let numbers = |numbers: &[i64]| context.i64_array_attr(numbers);
        let spec = b
            .spec(&shapes::SLICE)
            .operands(&[part])
            .results(&[b.ir.value_type(result)])
            .attr(Name::START_INDICES, numbers(&vec![0; limits.len()]))
            .attr(Name::LIMIT_INDICES, numbers(&limits))
            .attr(Name::STRIDES, numbers(&vec![1; limits.len()]));
        let slice = b.create(spec);
        values.push(b.ir.result(slice, 0));
    }
    Ok(values)
}
