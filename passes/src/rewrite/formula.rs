//! Formulas on scalars, and the loops over tensors that they stand in: what factorizations and transforms are made of.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use freehold_frontend::dialects::arith::attributes::FastMathFlags;
use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{complex, math, scf, tensor};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::tensors::{Generic, element, shape, tensor_type};

/// A formula. Its operands are of one type: index, a float, a vector of floats or a complex number; numbers take the type of what they stand
/// next to. Sums and products of floats get the `fastmath` of the builder.
#[derive(Clone)]
pub(crate) enum F {
    Value(Value),
    Number(f64),
    Element(Value, Vec<F>),
    Binary(Binary, Box<F>, Box<F>),
    Unary(Unary, Box<F>),
    Compare(CmpIPredicate, Box<F>, Box<F>),
    Select(Box<F>, Box<F>, Box<F>),
    Complex(Box<F>, Box<F>),
    FromReal(Box<F>, Type),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder of numbers of type index.
    Rem,
    /// The quotient towards minus infinity, of numbers of type index.
    FloorDiv,
    Min,
    Max,
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Neg,
    Conj,
    /// The real part; a float is its own.
    Re,
    /// The imaginary part; that of a float is 0.
    Im,
    /// The absolute value.
    Abs,
    /// The square of the absolute value.
    Norm,
    Sqrt,
    /// The number as one of type i32.
    Int32,
    Floor,
    Ceil,
    /// The float without its fraction, or the integer, as a number of type index.
    ToIndex,
    /// The number of type index as one of this type.
    ToNumber(Type),
    /// The float as one of this type.
    ToFloat(Type),
}

impl From<Value> for F {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<f64> for F {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i64> for F {
    fn from(number: i64) -> Self {
        Self::Number(number as f64)
    }
}

impl From<MixedIndex> for F {
    fn from(index: MixedIndex) -> Self {
        match index {
            MixedIndex::Value(value) => value.into(),
            MixedIndex::Constant(number) => number.into(),
        }
    }
}

macro_rules! operators {
    ($($of:ident $method:ident $kind:ident)*) => {
        $(impl<T: Into<F>> $of<T> for F {
            type Output = F;

            fn $method(self, other: T) -> F {
                self.with(Binary::$kind, other)
            }
        })*
    };
}

operators! {
    Add add Add
    Sub sub Sub
    Mul mul Mul
    Div div Div
}

impl Neg for F {
    type Output = F;

    fn neg(self) -> F {
        self.apply(Unary::Neg)
    }
}

/// The value as a formula.
pub(crate) fn x(value: Value) -> F {
    F::Value(value)
}

/// An element of a tensor.
pub(crate) fn at<const N: usize>(tensor: Value, indices: [F; N]) -> F {
    F::Element(tensor, indices.into())
}

impl F {
    pub(crate) fn with(self, kind: Binary, other: impl Into<F>) -> F {
        F::Binary(kind, self.into(), Box::new(other.into()))
    }

    pub(crate) fn apply(self, kind: Unary) -> F {
        F::Unary(kind, self.into())
    }

    pub(crate) fn conj(self) -> F {
        self.apply(Unary::Conj)
    }

    pub(crate) fn re(self) -> F {
        self.apply(Unary::Re)
    }

    pub(crate) fn im(self) -> F {
        self.apply(Unary::Im)
    }

    pub(crate) fn abs(self) -> F {
        self.apply(Unary::Abs)
    }

    pub(crate) fn norm(self) -> F {
        self.apply(Unary::Norm)
    }

    pub(crate) fn sqrt(self) -> F {
        self.apply(Unary::Sqrt)
    }

    pub(crate) fn min(self, other: impl Into<F>) -> F {
        self.with(Binary::Min, other)
    }

    pub(crate) fn max(self, other: impl Into<F>) -> F {
        self.with(Binary::Max, other)
    }

    /// The quotient of numbers of type index towards minus infinity.
    pub(crate) fn floor_div(self, other: impl Into<F>) -> F {
        self.with(Binary::FloorDiv, other)
    }

    /// The remainder that goes with it, which is not negative.
    pub(crate) fn floor_rem(self, other: impl Into<F>) -> F {
        let other = other.into();
        self.clone() - self.floor_div(other.clone()) * other
    }

    pub(crate) fn and(self, other: F) -> F {
        self.with(Binary::And, other)
    }

    /// A comparison; of floats the ordered one.
    pub(crate) fn is(self, predicate: CmpIPredicate, other: impl Into<F>) -> F {
        F::Compare(predicate, self.into(), Box::new(other.into()))
    }

    pub(crate) fn less(self, other: impl Into<F>) -> F {
        self.is(CmpIPredicate::Slt, other)
    }

    pub(crate) fn greater(self, other: impl Into<F>) -> F {
        self.is(CmpIPredicate::Sgt, other)
    }

    pub(crate) fn equal(self, other: impl Into<F>) -> F {
        self.is(CmpIPredicate::Eq, other)
    }

    /// `this` where the condition holds, else `other`.
    pub(crate) fn select(self, this: impl Into<F>, other: impl Into<F>) -> F {
        F::Select(self.into(), Box::new(this.into()), Box::new(other.into()))
    }

    /// The float as one of this type.
    pub(crate) fn float_as(self, ty: Type) -> F {
        self.apply(Unary::ToFloat(ty))
    }

    /// The real number as an element of this type.
    pub(crate) fn real_as(self, ty: Type) -> F {
        F::FromReal(self.into(), ty)
    }

    /// The number, if the formula is made of numbers of type index alone.
    fn number(&self) -> Option<i64> {
        match self {
            F::Number(number) => Some(*number as i64),
            F::Binary(kind, a, b) => {
                let (a, b) = (a.number()?, b.number()?);
                match kind {
                    Binary::Add => Some(a + b),
                    Binary::Sub => Some(a - b),
                    Binary::Mul => Some(a * b),
                    Binary::Min => Some(a.min(b)),
                    Binary::Max => Some(a.max(b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type of the result, if it is no number.
    fn ty(&self, ir: &Ir) -> Option<Type> {
        let context = ir.context();
        match self {
            F::Value(value) => Some(ir.value_type(*value)),
            F::Number(_) => None,
            F::Element(tensor, _) => Some(element(ir, *tensor)),
            F::Binary(_, a, b) | F::Select(_, a, b) => a.ty(ir).or_else(|| b.ty(ir)),
            F::Unary(Unary::Re | Unary::Im | Unary::Abs | Unary::Norm, a) => {
                a.ty(ir).map(|ty| part(context, ty))
            }
            F::Unary(Unary::Int32, _) => Some(context.integer_type(32)),
            F::Unary(Unary::ToIndex, _) => Some(Type::INDEX),
            F::Unary(Unary::ToNumber(ty) | Unary::ToFloat(ty), _) => Some(*ty),
            F::Unary(_, a) => a.ty(ir),
            F::Compare(..) => Some(Type::I1),
            F::Complex(a, b) => {
                let part = a.ty(ir).or_else(|| b.ty(ir));
                part.map(|part| context.intern_type(TypeKind::Complex(part)))
            }
            F::FromReal(_, ty) => Some(*ty),
        }
    }

    /// Inserts the operations; numbers that stand alone are of type index.
    pub(crate) fn build(self, b: &mut Builder<'_>) -> Value {
        let ty = self.ty(b.ir).unwrap_or(Type::INDEX);
        self.build_as(b, ty)
    }

    /// [`F::build`] where numbers that stand alone are of this type.
    pub(crate) fn build_as(self, b: &mut Builder<'_>, ty: Type) -> Value {
        match self {
            F::Value(value) => value,
            F::Number(number) => number_of(b, ty, number),
            F::Element(tensor, indices) => {
                let mut operands = vec![tensor];
                for index in indices {
                    operands.push(index.build(b));
                }
                let ty = element(b.ir, tensor);
                b.value(&tensor::EXTRACT, &operands, ty)
            }
            F::Binary(kind, left, right) => {
                let ty = left.ty(b.ir).or_else(|| right.ty(b.ir)).unwrap_or(ty);
                let (left, right) = (left.build_as(b, ty), right.build_as(b, ty));
                binary(b, kind, left, right)
            }
            F::Unary(kind, operand) => {
                let operand = operand.build(b);
                unary(b, kind, operand)
            }
            F::Compare(predicate, left, right) => {
                let ty = left
                    .ty(b.ir)
                    .or_else(|| right.ty(b.ir))
                    .unwrap_or(Type::INDEX);
                let (left, right) = (left.build_as(b, ty), right.build_as(b, ty));
                compare(b, predicate, left, right)
            }
            F::Select(condition, this, other) => {
                let ty = this.ty(b.ir).or_else(|| other.ty(b.ir)).unwrap_or(ty);
                let condition = condition.build(b);
                let (this, other) = (this.build_as(b, ty), other.build_as(b, ty));
                b.value(&arith::SELECT, &[condition, this, other], ty)
            }
            F::Complex(re, im) => {
                let ty = re.ty(b.ir).or_else(|| im.ty(b.ir)).unwrap_or(ty);
                let (re, im) = (re.build_as(b, ty), im.build_as(b, ty));
                complex_of(b, re, im)
            }
            F::FromReal(number, ty) => {
                let real = part(&b.context(), ty);
                let number = number.build_as(b, real);
                match is_complex(b.ir.context(), ty) {
                    true => {
                        let zero = number_of(b, real, 0.0);
                        complex_of(b, number, zero)
                    }
                    false => number,
                }
            }
        }
    }
}

/// The type of the elements of a vector; other numbers are their own.
fn lane(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::Vector { element, .. } => *element,
        _ => ty,
    }
}

/// The type of the parts of a complex number; other numbers have one part.
pub(crate) fn part(context: &Context, ty: Type) -> Type {
    complex::element_of(context, ty).unwrap_or(ty)
}

pub(crate) fn is_complex(context: &Context, ty: Type) -> bool {
    complex::element_of(context, ty).is_some()
}

/// A constant.
pub(crate) fn number_of(b: &mut Builder<'_>, ty: Type, number: f64) -> Value {
    let context = b.context();
    match context.type_kind(ty) {
        TypeKind::Float(kind) => {
            let bits = float_bits(*kind, number);
            arith::constant_attr(b, context.intern_attr(AttrKind::Float { ty, bits }))
        }
        TypeKind::Complex(part) => {
            let (re, im) = (number_of(b, *part, number), number_of(b, *part, 0.0));
            complex_of(b, re, im)
        }
        TypeKind::Integer { .. } => arith::constant_int(b, ty, number as i128),
        _ => arith::constant_index(b, number as i64),
    }
}

/// The bits of the nearest float.
pub(crate) fn float_bits(kind: freehold_frontend::ir::types::FloatKind, number: f64) -> u128 {
    use freehold_frontend::dialects::shared::const_fold::float;
    let bits = match number.is_nan() {
        true => float::default_nan(kind),
        false => float::encode(kind, number).map(|encoded| encoded.0),
    };
    bits.expect("floats that are computed with have constants")
}

/// `arith.constant` of index.
pub(crate) fn index(b: &mut Builder<'_>, value: i64) -> Value {
    arith::constant_index(b, value)
}

fn complex_of(b: &mut Builder<'_>, re: Value, im: Value) -> Value {
    let ty = b
        .context()
        .intern_type(TypeKind::Complex(b.ir.value_type(re)));
    b.value(&complex::CREATE, &[re, im], ty)
}

/// The parts of a number; a float has one.
fn parts(b: &mut Builder<'_>, number: Value) -> (Value, Option<Value>) {
    let ty = b.ir.value_type(number);
    match complex::element_of(b.ir.context(), ty) {
        Some(part) => {
            let re = b.value(&complex::RE, &[number], part);
            (re, Some(b.value(&complex::IM, &[number], part)))
        }
        None => (number, None),
    }
}

/// The flags of sums and products whose order no specification gives: how factorizations and transforms add up.
pub(crate) fn order_left_open(context: &Context, may_reassociate: bool) -> Option<Attr> {
    let flags = match may_reassociate {
        true => FastMathFlags::CONTRACT.union(FastMathFlags::REASSOC),
        false => FastMathFlags::NONE,
    };
    flags.to_attr(context)
}

/// An operation on floats.
fn float(b: &mut Builder<'_>, def: &'static OpDef, left: Value, right: Value) -> Value {
    let ty = b.ir.value_type(left);
    match b.fastmath() {
        Some(flags) => b.value_with_attr(def, &[left, right], ty, Name::FASTMATH, flags),
        None => b.value(def, &[left, right], ty),
    }
}

fn binary(b: &mut Builder<'_>, kind: Binary, left: Value, right: Value) -> Value {
    let ty = b.ir.value_type(left);
    let context = b.context();
    let def = match context.type_kind(lane(&context, ty)) {
        TypeKind::Float(_) => match kind {
            Binary::Add => &arith::ADDF,
            Binary::Sub => &arith::SUBF,
            Binary::Mul => &arith::MULF,
            Binary::Div => return b.value(&arith::DIVF, &[left, right], ty),
            Binary::Min => return b.value(&arith::MINIMUMF, &[left, right], ty),
            Binary::Max => return b.value(&arith::MAXIMUMF, &[left, right], ty),
            Binary::Rem | Binary::FloorDiv | Binary::And | Binary::Or => {
                unreachable!("no operation on floats")
            }
        },
        TypeKind::Complex(_) => return complex_binary(b, kind, left, right),
        _ => {
            let def = match kind {
                Binary::Add => &arith::ADDI,
                Binary::Sub => &arith::SUBI,
                Binary::Mul => &arith::MULI,
                Binary::Div => &arith::DIVUI,
                Binary::Rem => &arith::REMUI,
                Binary::FloorDiv => &arith::FLOORDIVSI,
                Binary::Min => &arith::MINSI,
                Binary::Max => &arith::MAXSI,
                Binary::And => &arith::ANDI,
                Binary::Or => &arith::ORI,
            };
            return b.value(def, &[left, right], ty);
        }
    };
    float(b, def, left, right)
}

fn complex_binary(b: &mut Builder<'_>, kind: Binary, left: Value, right: Value) -> Value {
    let ((a, Some(c)), (d, Some(e))) = (parts(b, left), parts(b, right)) else {
        unreachable!("both are complex");
    };
    let (a, c, d, e) = (x(a), x(c), x(d), x(e));
    let (re, im) = match kind {
        Binary::Add => (a + d, c + e),
        Binary::Sub => (a - d, c - e),
        Binary::Mul => (a.clone() * d.clone() - c.clone() * e.clone(), a * e + c * d),
        // Divisors are pivots, of about the size of what is divided.
        Binary::Div => {
            let ty = b.ir.value_type(left);
            return b.value(&complex::DIV, &[left, right], ty);
        }
        _ => unreachable!("no operation on complex numbers"),
    };
    F::Complex(re.into(), im.into()).build(b)
}

fn unary(b: &mut Builder<'_>, kind: Unary, operand: Value) -> Value {
    let ty = b.ir.value_type(operand);
    if kind == Unary::Int32 {
        let ty = b.context().integer_type(32);
        return b.value(&arith::INDEX_CAST, &[operand], ty);
    }
    match kind {
        Unary::ToIndex => return to_index(b, operand),
        Unary::ToNumber(ty) => return to_number(b, operand, ty),
        Unary::ToFloat(ty) => return to_float(b, operand, ty),
        Unary::Floor => return b.value(&math::FLOOR, &[operand], ty),
        Unary::Ceil => return b.value(&math::CEIL, &[operand], ty),
        _ => {}
    }
    let (re, im) = parts(b, operand);
    match (kind, im) {
        (Unary::Re | Unary::Conj, None) => re,
        (Unary::Re, Some(_)) => re,
        (Unary::Im, None) => number_of(b, ty, 0.0),
        (Unary::Im, Some(im)) => im,
        (Unary::Neg, None) if ty == Type::INDEX => (F::Number(0.0) - operand).build(b),
        (Unary::Neg, None) => b.value(&arith::NEGF, &[re], ty),
        (Unary::Neg, Some(im)) => F::Complex((-x(re)).into(), (-x(im)).into()).build(b),
        (Unary::Conj, Some(im)) => F::Complex(x(re).into(), (-x(im)).into()).build(b),
        (Unary::Abs, None) => b.value(&math::ABSF, &[re], ty),
        (Unary::Abs, Some(_)) => {
            let ty = part(&b.context(), ty);
            b.value(&complex::ABS, &[operand], ty)
        }
        (Unary::Norm, None) => (x(re) * re).build(b),
        (Unary::Norm, Some(im)) => (x(re) * re + x(im) * im).build(b),
        (Unary::Sqrt, None) => b.value(&math::SQRT, &[re], ty),
        (Unary::Sqrt, Some(_)) => b.value(&complex::SQRT, &[operand], ty),
        (Unary::Int32 | Unary::Floor | Unary::Ceil, _) => unreachable!("done above"),
        (Unary::ToIndex | Unary::ToNumber(_) | Unary::ToFloat(_), _) => unreachable!("done above"),
    }
}

fn to_index(b: &mut Builder<'_>, number: Value) -> Value {
    let ty = b.ir.value_type(number);
    let number = match b.ir.context().float_kind(ty) {
        Some(_) => b.value(&arith::FPTOSI, &[number], Type::I64),
        None if ty == Type::INDEX => return number,
        None => number,
    };
    b.value(&arith::INDEX_CAST, &[number], Type::INDEX)
}

fn to_number(b: &mut Builder<'_>, number: Value, ty: Type) -> Value {
    if ty == Type::INDEX {
        return number;
    }
    if b.ir.context().float_kind(ty).is_none() {
        return b.value(&arith::INDEX_CAST, &[number], ty);
    }
    let number = b.value(&arith::INDEX_CAST, &[number], Type::I64);
    b.value(&arith::SITOFP, &[number], ty)
}

fn to_float(b: &mut Builder<'_>, number: Value, ty: Type) -> Value {
    let from = b.ir.value_type(number);
    let width = |ty| b.ir.context().float_kind(ty).map_or(0, |kind| kind.width());
    match width(from).cmp(&width(ty)) {
        Ordering::Less => b.value(&arith::EXTF, &[number], ty),
        Ordering::Equal => number,
        Ordering::Greater => b.value(&arith::TRUNCF, &[number], ty),
    }
}

fn compare(b: &mut Builder<'_>, predicate: CmpIPredicate, left: Value, right: Value) -> Value {
    let context = b.context();
    let ty = b.ir.value_type(left);
    if !matches!(context.type_kind(ty), TypeKind::Float(_)) {
        return arith::compare(b, predicate, left, right);
    }
    let predicate = match predicate {
        CmpIPredicate::Eq => CmpFPredicate::Oeq,
        CmpIPredicate::Ne => CmpFPredicate::Une,
        CmpIPredicate::Slt => CmpFPredicate::Olt,
        CmpIPredicate::Sle => CmpFPredicate::Ole,
        CmpIPredicate::Sgt => CmpFPredicate::Ogt,
        _ => CmpFPredicate::Oge,
    };
    let predicate = predicate.to_attr(&context);
    b.value_with_attr(
        &arith::CMPF,
        &[left, right],
        Type::I1,
        Name::PREDICATE,
        predicate,
    )
}

/// The tensor with another element.
pub(crate) fn set<const N: usize>(
    b: &mut Builder<'_>,
    tensor: Value,
    indices: [F; N],
    value: impl Into<F>,
) -> Value {
    let ty = element(b.ir, tensor);
    let value = value.into().build_as(b, ty);
    let mut operands = vec![value, tensor];
    for index in indices {
        operands.push(index.build(b));
    }
    let ty = b.ir.value_type(tensor);
    b.value(&tensor::INSERT, &operands, ty)
}

fn fill_block(
    b: &mut Builder<'_>,
    block: Block,
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) {
    let arguments = b.ir.block_args(block).to_vec();
    let mut inner = b.inside(block);
    let values = body(&mut inner, &arguments);
    scf::build_yield(&mut inner, &values);
}

/// `scf.for` from one number up to another in steps; `body` gets the counter and the carried values.
pub(crate) fn repeat_by(
    b: &mut Builder<'_>,
    from: impl Into<F>,
    to: impl Into<F>,
    step: i64,
    carried: &[Value],
    body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let (from, to, step) = (from.into().build(b), to.into().build(b), index(b, step));
    let op = scf::build_for(b, from, to, step, carried);
    let block = scf::For(op).body(b.ir);
    fill_block(b, block, |b, arguments| {
        body(b, arguments[0], &arguments[1..])
    });
    b.ir.results(op).to_vec()
}

/// [`repeat_by`] steps of 1.
pub(crate) fn repeat(
    b: &mut Builder<'_>,
    from: impl Into<F>,
    to: impl Into<F>,
    carried: &[Value],
    body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    repeat_by(b, from, to, 1, carried, body)
}

/// [`repeat`] with one tensor.
pub(crate) fn update(
    b: &mut Builder<'_>,
    from: impl Into<F>,
    to: impl Into<F>,
    carried: Value,
    body: impl FnOnce(&mut Builder<'_>, Value, Value) -> Value,
) -> Value {
    repeat(b, from, to, &[carried], |b, i, carried| {
        vec![body(b, i, carried[0])]
    })[0]
}

/// `scf.if`.
pub(crate) fn choose(
    b: &mut Builder<'_>,
    condition: F,
    types: &[Type],
    this: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
    other: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
) -> Vec<Value> {
    let condition = condition.build(b);
    let op = scf::build_if(b, condition, types, true);
    let view = scf::If(op);
    let (then_block, else_block) = (view.then_block(b.ir), view.else_block(b.ir));
    fill_block(b, then_block, |b, _| this(b));
    if let Some(block) = else_block {
        fill_block(b, block, |b, _| other(b));
    }
    b.ir.results(op).to_vec()
}

/// `scf.while`.
pub(crate) fn repeat_while(
    b: &mut Builder<'_>,
    carried: &[Value],
    condition: impl FnOnce(&mut Builder<'_>, &[Value]) -> F,
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> = carried
        .iter()
        .map(|&value| b.ir.value_type(value))
        .collect();
    let op = scf::build_while(b, &types, carried);
    let block = scf::While(op).before_block(b.ir);
    let arguments = b.ir.block_args(block).to_vec();
    let mut inner = b.inside(block);
    let goes_on = condition(&mut inner, &arguments).build(&mut inner);
    scf::build_condition(&mut inner, goes_on, &arguments);
    let block = scf::While(op).after_block(b.ir);
    fill_block(b, block, body);
    b.ir.results(op).to_vec()
}

/// The body of nested loops: gets the indices and the carried values, and returns those of the next iteration.
type NestBody<'a> = dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value> + 'a;

/// Nested loops over all of `sizes`; those of one iteration need no loop.
pub(crate) fn nest(
    b: &mut Builder<'_>,
    sizes: &[MixedIndex],
    carried: &[Value],
    body: &mut NestBody<'_>,
) -> Vec<Value> {
    fn inner(
        b: &mut Builder<'_>,
        sizes: &[MixedIndex],
        indices: &[Value],
        carried: &[Value],
        body: &mut NestBody<'_>,
    ) -> Vec<Value> {
        match sizes {
            [] => body(b, indices, carried),
            [MixedIndex::Constant(1), rest @ ..] => {
                let indices = [indices, &[index(b, 0)]].concat();
                inner(b, rest, &indices, carried, body)
            }
            [size, rest @ ..] => repeat(b, 0, *size, carried, |b, i, carried| {
                inner(b, rest, &[indices, &[i]].concat(), carried, body)
            }),
        }
    }
    inner(b, sizes, &[], carried, body)
}

/// The size of a dimension, as a number if it is known.
pub(crate) fn size(b: &mut Builder<'_>, tensor: Value, dim: usize) -> MixedIndex {
    match shape(b.ir, tensor)[dim] {
        freehold_frontend::ir::types::DYNAMIC => {
            let dim = index(b, dim as i64);
            b.value(&tensor::DIM, &[tensor, dim], Type::INDEX).into()
        }
        size => size.into(),
    }
}

/// The formula as a size: a number if it is a constant.
pub(crate) fn as_size(b: &mut Builder<'_>, formula: F) -> MixedIndex {
    if let Some(number) = formula.number() {
        return number.into();
    }
    let value = formula.build(b);
    MixedIndex::Value(value).simplified(b.ir)
}

/// A tensor without contents.
pub(crate) fn new(b: &mut Builder<'_>, sizes: &[MixedIndex], element: Type) -> Value {
    let known: Vec<i64> = sizes.iter().map(|size| size.static_value()).collect();
    let unknown: Vec<Value> = (sizes.iter())
        .filter_map(|size| match size {
            MixedIndex::Value(value) => Some(*value),
            MixedIndex::Constant(_) => None,
        })
        .collect();
    let ty = tensor_type(&b.context(), &known, element);
    b.value(&tensor::EMPTY, &unknown, ty)
}

fn place(offsets: &[MixedIndex], sizes: &[MixedIndex]) -> OffsetSizeStride {
    OffsetSizeStride {
        offsets: offsets.to_vec(),
        sizes: sizes.to_vec(),
        strides: vec![MixedIndex::Constant(1); sizes.len()],
    }
}

/// A part of a tensor, without its first `n_dropped` dimensions, which have size 1.
pub(crate) fn take(
    b: &mut Builder<'_>,
    source: Value,
    offsets: &[MixedIndex],
    sizes: &[MixedIndex],
    n_dropped: usize,
) -> Value {
    let context = b.context();
    let known: Vec<i64> = sizes[n_dropped..]
        .iter()
        .map(|size| size.static_value())
        .collect();
    let ty = tensor_type(&context, &known, element(b.ir, source));
    let spec = b
        .spec(&tensor::EXTRACT_SLICE)
        .operands(&[source])
        .results(&[ty]);
    let op = b.create(place(offsets, sizes).append_to(&context, spec));
    b.ir.result(op, 0)
}

/// `target` with `source` as a part of it.
pub(crate) fn put(
    b: &mut Builder<'_>,
    source: Value,
    target: Value,
    offsets: &[MixedIndex],
    sizes: &[MixedIndex],
) -> Value {
    let context = b.context();
    let ty = b.ir.value_type(target);
    let spec = b
        .spec(&tensor::INSERT_SLICE)
        .operands(&[source, target])
        .results(&[ty]);
    let op = b.create(place(offsets, sizes).append_to(&context, spec));
    b.ir.result(op, 0)
}

/// The value with another type that fits.
pub(crate) fn cast_shape(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match b.ir.value_type(value) == ty {
        true => value,
        false => b.value(&tensor::CAST, &[value], ty),
    }
}

/// A new tensor, each element of which `body` makes of the element that `read` finds for it.
pub(crate) fn mapped(
    b: &mut Builder<'_>,
    source: Value,
    read: AffineMap,
    sizes: &[MixedIndex],
    body: impl Fn(F) -> F,
) -> Value {
    let out = new(b, sizes, element(b.ir, source));
    let generic = Generic {
        inputs: vec![(source, read)],
        outputs: vec![(out, AffineMap::identity(sizes.len()))],
        parallel: &vec![true; sizes.len()],
    };
    generic.build(b, &mut |b, arguments| vec![body(x(arguments[0])).build(b)])[0]
}
