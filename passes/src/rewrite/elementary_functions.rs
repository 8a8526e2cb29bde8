//! Elementary functions of `f32` and `f64` as arithmetic: those of
//! [`approximations`], by which constants are folded as well, so that results do not depend on the level of
//! optimization. Those of `f16` and `bf16` are computed in `f32`. Other types stay calls of the C library. What classifies and clamps floats becomes
//! comparisons. Of vectors, remainders and [`integer_functions`] become arithmetic as well.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::math::approximations::{self, Machine, Order, doubles, singles};
use freehold_frontend::dialects::shared::const_fold::{float, splat_attr, splat_float};
use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::dialects::{arith, math, memref, scf, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{FoldResult, OpDef};
use freehold_frontend::ir::types::{FloatKind, Type};
use smallvec::SmallVec;

use super::integer_functions;
use crate::analysis::constants::{broadcast_constant, constant_value};

/// The format of floats, one or a vector of them.
fn kind_of(ir: &Ir, ty: Type) -> Option<FloatKind> {
    let context = ir.context();
    let element = context.element_type_or_self(ty);
    let is_known = vector::is_vector(context, ty) || element == ty;
    context.float_kind(element).filter(|_| is_known)
}

/// Whether an operation is a function that becomes arithmetic with instructions for whole registers.
pub(crate) fn is_approximated(ir: &Ir, op: Op) -> bool {
    function_of(ir, op).is_some()
        || is_copied_sign(ir, op)
        || is_remainder(ir, op)
        || is_round(ir, op)
        || integer_functions::is_expanded(ir, op)
}

/// Whether an operation copies the sign of a number that is not 8 bits wide.
fn is_copied_sign(ir: &Ir, op: Op) -> bool {
    let width = || kind_of(ir, ir.value_type(ir.result(op, 0))).map(|kind| kind.width());
    ir.is(op, &math::COPYSIGN) && matches!(width(), Some(16 | 32 | 64))
}

/// Whether an operation is such a function, and becomes arithmetic once it is one of vectors: that has branches, in which
/// numbers would no longer become vectors, or is worth it for many numbers only.
pub(crate) fn waits_for_vectors(ir: &Ir, op: Op) -> bool {
    let is_one = [&math::COS, &math::SIN, &math::TAN]
        .iter()
        .any(|&def| ir.is(op, def));
    let is_double = || kind_of(ir, ir.value_type(ir.result(op, 0))) == Some(FloatKind::F64);
    is_one && is_double() || is_remainder(ir, op) || integer_functions::is_expanded(ir, op)
}

/// Whether an operation is the remainder of a division of floats of 16 or 32 bits. Its arithmetic is a chain of fifty
/// operations, each of which waits for the one before: for one number, the library is called. Of 4,096 numbers, vectors
/// of 512 bits take 15 us and calls 61.
fn is_remainder(ir: &Ir, op: Op) -> bool {
    let kind = || kind_of(ir, ir.value_type(ir.result(op, 0)));
    ir.is(op, &arith::REMF)
        && matches!(
            kind(),
            Some(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32)
        )
}

/// Whether an operation is such a function of any type, which takes as long as many other operations.
pub(crate) fn is_elementary(ir: &Ir, op: Op) -> bool {
    OF_SINGLES.iter().any(|&(def, _)| ir.is(op, def))
}

/// How exactly functions of `f32` and shorter floats are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precision {
    /// In `f64`, rounded once.
    Rounded,
    /// In `f32` where there is a form for it, within a few units in the last place.
    Single,
    /// The same on a processor that takes subnormal numbers as zeros.
    SingleWithoutSubnormals,
}

/// Makes arithmetic of an operation in front of it, if it is such a function; the result.
pub(crate) fn build_arithmetic(ir: &mut Ir, op: Op, precision: Precision) -> Option<Value> {
    if let Some(value) = build_comparisons(ir, op)
        .or_else(|| integer_functions::build(ir, op))
        .or_else(|| build_remainder_of_power(ir, op))
        .or_else(|| build_round(ir, op))
    {
        return Some(value);
    }
    if is_copied_sign(ir, op) {
        return build_copied_sign(ir, op);
    }
    let function = function_of(ir, op).or_else(|| remainder_of_vectors(ir, op))?;
    let before = ir.prev_op(op);
    let is_short = kind_of(ir, ir.value_type(ir.result(op, 0))) != Some(FloatKind::F64);
    let in_single = (precision != Precision::Rounded && is_short)
        .then(|| find(IN_SINGLES, ir, op))
        .flatten();
    let result = match in_single {
        Some(function) => build_function(Operations::in_single(ir, op, precision), function),
        None => build_function(Operations::new(ir, op), function),
    };
    // What was chosen between by constants.
    let mut last = ir.prev_op(op);
    while let Some(made) = last
        && last != before
    {
        last = ir.prev_op(made);
        if ir.is_unused(made)
            && ir.defining_op(result) != Some(made)
            && ir.is_memory_effect_free(made)
        {
            ir.erase_op(made);
        }
    }
    Some(result)
}

fn build_function(mut m: Operations<'_>, function: Function) -> Value {
    let (ir, op) = (&*m.builder.ir, m.op);
    let (mut operands, ty) = (ir.operands(op).to_vec(), ir.value_type(ir.result(op, 0)));
    if ty == m.single || ty == m.double {
        return function.build(&mut m, &operands);
    }
    for operand in &mut operands {
        *operand = m.value(&arith::EXTF, &[*operand], m.single);
    }
    let result = function.build(&mut m, &operands);
    m.value(&arith::TRUNCF, &[result], ty)
}

/// Makes arithmetic of an operation that copies a sign.
fn build_copied_sign(ir: &mut Ir, op: Op) -> Option<Value> {
    let (operands, ty) = (ir.operands(op).to_vec(), ir.value_type(ir.result(op, 0)));
    let width = kind_of(ir, ty)?.width();
    let mut m = Operations::new(ir, op);
    Some(copied_sign(&mut m, [operands[0], operands[1]], width))
}

/// The first number with the sign of the second one, by their patterns: registers of any width have no instruction for it.
fn copied_sign(m: &mut Operations<'_>, [size, sign]: [Value; 2], width: u32) -> Value {
    let context = m.builder.context();
    let ty = m.builder.ir.value_type(size);
    let integer = context.integer_type(width);
    let bits = match context.element_type_or_self(ty) == ty {
        true => integer,
        false => context.with_element_type(ty, integer),
    };
    let sign_bit = 1u128 << (width - 1);
    let masked = |m: &mut Operations<'_>, value, mask| {
        let pattern = m.value(&arith::BITCAST, &[value], bits);
        let mask = m.constant(bits, mask);
        m.value(&arith::ANDI, &[pattern, mask], bits)
    };
    let size = masked(m, size, sign_bit - 1);
    let sign = masked(m, sign, sign_bit);
    let pattern = m.value(&arith::ORI, &[size, sign], bits);
    m.value(&arith::BITCAST, &[pattern], ty)
}

/// Whether an operation rounds halves away from zero: no processor has an instruction for it.
fn is_round(ir: &Ir, op: Op) -> bool {
    let width = || kind_of(ir, ir.value_type(ir.result(op, 0))).map(|kind| kind.width());
    ir.is(op, &math::ROUND) && matches!(width(), Some(16 | 32 | 64))
}

/// What is left of the fraction says whether the whole number is one further from zero; all of that is exact.
fn build_round(ir: &mut Ir, op: Op) -> Option<Value> {
    if !is_round(ir, op) {
        return None;
    }
    let (x, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
    let kind = kind_of(ir, ty)?;
    let mut m = Operations::new(ir, op);
    let [half, one] = [0.5, 1.0].map(|number| {
        let bits = float::encode(kind, number).expect("the format has this number");
        m.constant(ty, bits.0)
    });
    let whole = m.value(&math::TRUNC, &[x], ty);
    let rest = m.value(&arith::SUBF, &[x, whole], ty);
    let size = m.value(&math::ABSF, &[rest], ty);
    let is_half = m.compare(CmpFPredicate::Oge, size, half);
    let one = copied_sign(&mut m, [one, x], kind.width());
    let next = m.value(&arith::ADDF, &[whole, one], ty);
    Some(m.value(&arith::SELECT, &[is_half, next, whole], ty))
}

/// `x - trunc(x / 2^n) * 2^n`, if an operation is the remainder of a division by a power of two. All of that is exact;
/// larger numbers than have a fraction are multiples of it.
fn build_remainder_of_power(ir: &mut Ir, op: Op) -> Option<Value> {
    if !ir.is(op, &arith::REMF) {
        return None;
    }
    let (x, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
    let divisor = broadcast_constant(ir, ir.operand(op, 1));
    let (bits, kind) = splat_float(ir.context(), divisor)?;
    let divisor = float::decode(kind, bits)?.abs();
    let (digits, largest) = match kind_of(ir, ty)? {
        FloatKind::F32 => (24, 100),
        FloatKind::F64 => (53, 900),
        _ => return None,
    };
    // So that neither its reciprocal nor the limit leaves the format.
    let exponents = -largest..=largest;
    let exponent = exponents.into_iter().find(|&n| divisor == 2f64.powi(n))?;
    let mut m = Operations::new(ir, op);
    let [divisor, reciprocal, limit] = [exponent, -exponent, exponent + digits].map(|n| {
        let bits = float::encode(kind, 2f64.powi(n)).expect("the format has this number");
        m.constant(ty, bits.0)
    });
    let scaled = m.value(&arith::MULF, &[x, reciprocal], ty);
    let whole = m.value(&math::TRUNC, &[scaled], ty);
    let multiple = m.value(&arith::MULF, &[whole, divisor], ty);
    let size = m.value(&math::ABSF, &[x], ty);
    let has_fraction = m.compare(CmpFPredicate::Olt, size, limit);
    let multiple = m.value(&arith::SELECT, &[has_fraction, multiple, x], ty);
    let rest = m.value(&arith::SUBF, &[x, multiple], ty);
    // Zero has the sign as well.
    Some(copied_sign(&mut m, [rest, x], kind.width()))
}

/// The pattern of a power of two in single precision.
fn single_power(exponent: i32) -> u128 {
    (exponent as f32).exp2().to_bits().into()
}

/// Makes comparisons of an operation in front of it, if it classifies or clamps floats; the result.
fn build_comparisons(ir: &mut Ir, op: Op) -> Option<Value> {
    let is = |def| ir.is(op, def);
    let value = *ir.operands(op).first()?;
    if is(&math::CLAMPF) {
        let (ty, operands) = (ir.value_type(value), ir.operands(op).to_vec());
        let flags = ir.attr(op, Name::FASTMATH);
        let mut builder = Builder::before(ir, op);
        let mut of = |def, a, b| {
            let spec = builder.spec(def).operands(&[a, b]).results(&[ty]);
            let spec = flags
                .into_iter()
                .fold(spec, |spec, flags| spec.attr(Name::FASTMATH, flags));
            let made = builder.create(spec);
            builder.ir.result(made, 0)
        };
        let least = of(&arith::MAXIMUMF, value, operands[1]);
        return Some(of(&arith::MINIMUMF, least, operands[2]));
    }
    let [is_nan, is_finite, is_inf, is_normal] =
        [&math::ISNAN, &math::ISFINITE, &math::ISINF, &math::ISNORMAL].map(is);
    if ![is_nan, is_finite, is_inf, is_normal].contains(&true) {
        return None;
    }
    let mut ty = ir.value_type(value);
    // The smallest number that has an exponent of its own; of short formats, the power of two that it is.
    let (least_normal, is_short) = match kind_of(ir, ty)? {
        FloatKind::F16 => (1 << 10, false),
        FloatKind::BF16 => (1 << 7, false),
        FloatKind::F32 => (1 << 23, false),
        FloatKind::F64 => (1 << 52, false),
        FloatKind::F4E2M1FN | FloatKind::F6E2M3FN => (single_power(0), true),
        FloatKind::F6E3M2FN | FloatKind::F8E3M4 => (single_power(-2), true),
        FloatKind::F8E4M3 | FloatKind::F8E4M3FN => (single_power(-6), true),
        FloatKind::F8E4M3FNUZ => (single_power(-7), true),
        FloatKind::F8E4M3B11FNUZ => (single_power(-10), true),
        FloatKind::F8E5M2 => (single_power(-14), true),
        FloatKind::F8E5M2FNUZ => (single_power(-15), true),
        FloatKind::F8E8M0FNU => (single_power(-127), true),
        _ => return None,
    };
    let mut m = Operations::new(ir, op);
    let mut value = value;
    if is_short {
        // Singles have all of these numbers.
        ty = m.single;
        value = m.value(&arith::EXTF, &[value], ty);
    }
    if is_nan {
        return Some(m.compare(CmpFPredicate::Uno, value, value));
    }
    // Neither infinity nor NaN leaves a number.
    let rest = m.builder.value(&arith::SUBF, &[value, value], ty);
    let has_rest = m.compare(CmpFPredicate::Ord, rest, rest);
    if is_finite {
        return Some(has_rest);
    }
    let [first, second] = if is_inf {
        let is_number = m.compare(CmpFPredicate::Ord, value, value);
        [is_number, m.compare(CmpFPredicate::Uno, rest, rest)]
    } else {
        let size = m.builder.value(&math::ABSF, &[value], ty);
        let least = m.constant(ty, least_normal);
        [has_rest, m.compare(CmpFPredicate::Oge, size, least)]
    };
    let flag = m.flag;
    Some(m.builder.value(&arith::ANDI, &[first, second], flag))
}

/// Makes two operations of each that has the sine and the cosine as results.
pub(crate) fn split_sincos(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        if !ir.is(op, &math::SINCOS) {
            continue;
        }
        let (value, flags) = (ir.operand(op, 0), ir.attr(op, Name::FASTMATH));
        let ty = ir.value_type(value);
        let mut builder = Builder::before(ir, op);
        let results = [&math::SIN, &math::COS].map(|def| {
            let spec = builder.spec(def).operands(&[value]).results(&[ty]);
            let spec = flags
                .into_iter()
                .fold(spec, |spec, flags| spec.attr(Name::FASTMATH, flags));
            let made = builder.create(spec);
            builder.ir.result(made, 0)
        });
        ir.replace_op(op, &results);
    }
}

#[derive(Clone, Copy)]
enum Function {
    Unary(fn(&mut Operations<'_>, Value) -> Value),
    Binary(fn(&mut Operations<'_>, Value, Value) -> Value),
    ReciprocalRoot,
}

macro_rules! functions {
    ($module:ident: $($row:ident => $function:ident),*; $($pair:ident => $binary:ident),*) => {
        &[
            $((&math::$pair, Function::Binary(|m, x, y| $module::$binary(m, x, y))),)*
            (&math::RSQRT, Function::ReciprocalRoot),
            $((&math::$row, Function::Unary(|m, x| $module::$function(m, x)))),*
        ]
    };
}

static OF_SINGLES: &[(&OpDef, Function)] = functions! {
    approximations: ACOS => acos, ACOSH => acosh, ASIN => asin, ASINH => asinh, ATAN => atan, ATANH => atanh,
    CBRT => cbrt, COS => cos, COSH => cosh, ERF => erf, ERFC => erfc, EXP => exp, EXP2 => exp2, EXPM1 => expm1,
    LOG => log, LOG10 => log10, LOG1P => log1p, LOG2 => log2, SIN => sin, SINH => sinh, TAN => tan, TANH => tanh;
    ATAN2 => atan2, POWF => pow
};
static OF_DOUBLES: &[(&OpDef, Function)] = functions! {
    doubles: COS => cos, ERF => erf, EXP => exp, EXP2 => exp2, EXPM1 => expm1, LOG => log,
    LOG10 => log10, LOG1P => log1p, LOG2 => log2, SIN => sin, TAN => tan, TANH => tanh;
    POWF => pow
};

/// Those of singles and shorter floats that have a form in single precision.
static IN_SINGLES: &[(&OpDef, Function)] = &[
    (&math::ERF, Function::Unary(|m, x| singles::erf(m, x))),
    (&math::EXP, Function::Unary(|m, x| singles::exp(m, x))),
    (&math::LOG, Function::Unary(|m, x| singles::log(m, x))),
    (&math::LOG1P, Function::Unary(|m, x| singles::log1p(m, x))),
    (&math::TANH, Function::Unary(|m, x| singles::tanh(m, x))),
];

fn find(rows: &[(&'static OpDef, Function)], ir: &Ir, op: Op) -> Option<Function> {
    let row = rows.iter().find(|&&(def, _)| ir.is(op, def));
    row.map(|&(_, function)| function)
}

fn function_of(ir: &Ir, op: Op) -> Option<Function> {
    let functions = match kind_of(ir, ir.value_type(*ir.results(op).first()?))? {
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 => OF_SINGLES,
        FloatKind::F64 => OF_DOUBLES,
        _ => return None,
    };
    find(functions, ir, op)
}

/// What a remainder is computed by, if it is one of vectors.
fn remainder_of_vectors(ir: &Ir, op: Op) -> Option<Function> {
    let is_vector = |op| {
        ir.context()
            .shape(ir.value_type(ir.result(op, 0)))
            .is_some()
    };
    let function = Function::Binary(|m, x, y| approximations::remainder(m, x, y));
    (is_remainder(ir, op) && is_vector(op)).then_some(function)
}

impl Function {
    fn build(self, machine: &mut Operations<'_>, operands: &[Value]) -> Value {
        match self {
            Self::Unary(function) => function(machine, operands[0]),
            Self::Binary(function) => function(machine, operands[0], operands[1]),
            // What the code generator makes of it for scalars.
            Self::ReciprocalRoot => {
                let ty = machine.builder.ir.value_type(operands[0]);
                let root = machine.builder.value(&math::SQRT, operands, ty);
                let one = match ty == machine.double {
                    true => Machine::double(machine, 1.0),
                    false => Machine::single(machine, 1.0),
                };
                machine.builder.value(&arith::DIVF, &[one, root], ty)
            }
        }
    }
}

/// The machine that builds operations.
struct Operations<'a> {
    builder: Builder<'a>,
    /// What the result replaces.
    op: Op,
    single: Type,
    /// The type of the computation: `f64`, or `f32` where that is exact enough.
    double: Type,
    /// Integers of that size.
    bits: Type,
    /// `i1`, or as many.
    flag: Type,
    /// Whether no branch may be made: a region around has to stay one block, or lanes of several scalable rows would have
    /// to be asked.
    has_no_branches: bool,
    keeps_subnormals: bool,
}

impl<'a> Operations<'a> {
    /// In front of `op`, in its shape.
    fn new(ir: &'a mut Ir, op: Op) -> Self {
        let ty = ir.value_type(ir.result(op, 0));
        let context = ir.context();
        let of = |element| match context.element_type_or_self(ty) == ty {
            true => element,
            false => context.with_element_type(ty, element),
        };
        let [single, double, bits, flag] = [Type::F32, Type::F64, Type::I64, Type::I1].map(of);
        let mut around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
        let has_rows = context.shape(ty).is_some_and(|shape| shape.len() > 1);
        let has_no_branches = around.any(|op| ir.is(op, &memref::GENERIC_ATOMIC_RMW))
            || has_rows && vector::scalable_of(context, ty).contains(&true);
        Self {
            single,
            double,
            bits,
            flag,
            has_no_branches,
            keeps_subnormals: true,
            op,
            builder: Builder::before(ir, op),
        }
    }

    /// The same with singles for doubles.
    fn in_single(ir: &'a mut Ir, op: Op, precision: Precision) -> Self {
        let m = Self::new(ir, op);
        let context = m.builder.context();
        let bits = match m.single == Type::F32 {
            true => Type::I32,
            false => context.with_element_type(m.single, Type::I32),
        };
        Self {
            double: m.single,
            bits,
            keeps_subnormals: precision != Precision::SingleWithoutSubnormals,
            ..m
        }
    }

    fn is_in_single(&self) -> bool {
        self.double == self.single
    }

    /// Inserts an operation, unless it gives one of its operands or a constant.
    fn value(&mut self, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
        let made = self.builder.op(def, operands, &[ty]);
        self.folded(made)
    }

    /// The result of an operation that was just made, or what it folds to.
    fn folded(&mut self, made: Op) -> Value {
        let ir = &*self.builder.ir;
        let result = ir.result(made, 0);
        let constants: SmallVec<[Option<Attr>; 4]> = ir
            .operands(made)
            .iter()
            .map(|&value| constant_value(ir, value))
            .collect();
        let Some(fold) = ir.def(made).fold else {
            return result;
        };
        if constants.iter().all(Option::is_none) {
            return result;
        }
        let known = match *fold(ir, made, &constants) {
            [FoldResult::Value(value)] if value != result => value,
            [FoldResult::Attr(attr)]
                if ir.context().attr_carried_type(attr) == Some(ir.value_type(result)) =>
            {
                arith::constant_attr(&mut self.builder, attr)
            }
            _ => return result,
        };
        if self.builder.ir.value_type(known) != self.builder.ir.value_type(result) {
            return result;
        }
        self.builder.ir.erase_op(made);
        known
    }

    fn compare(&mut self, predicate: CmpFPredicate, a: Value, b: Value) -> Value {
        let predicate = predicate.to_attr(&self.builder.context());
        let flag = self.flag;
        let spec = self
            .builder
            .spec(&arith::CMPF)
            .operands(&[a, b])
            .results(&[flag]);
        let made = self.builder.create(spec.attr(Name::PREDICATE, predicate));
        self.folded(made)
    }

    fn constant(&mut self, ty: Type, bits: u128) -> Value {
        let context = self.builder.context();
        let attr = splat_attr(&context, ty, bits).expect("numbers have patterns");
        arith::constant_attr(&mut self.builder, attr)
    }

    fn select_of(
        &mut self,
        order: Order,
        pair: [Value; 2],
        then: Value,
        otherwise: Value,
    ) -> Value {
        let predicate = match order {
            Order::Less => CmpFPredicate::Olt,
            Order::Greater => CmpFPredicate::Ogt,
            Order::Equal => CmpFPredicate::Oeq,
        };
        let condition = self.compare(predicate, pair[0], pair[1]);
        let ty = self.builder.ir.value_type(then);
        self.value(&arith::SELECT, &[condition, then, otherwise], ty)
    }

    /// Whether `pair` does not compare as [`Order::Less`]; of vectors, anywhere.
    fn any_not_less(&mut self, pair: [Value; 2]) -> Value {
        let (zero, one) = (Machine::double(self, 0.0), Machine::double(self, 1.0));
        let flags = self.select_of(Order::Less, pair, zero, one);
        let mut flags = Machine::bits(self, flags);
        let context = self.builder.context();
        let builder = &mut self.builder;
        if let Some(shape) = context.shape(self.bits) {
            if shape.len() != 1 {
                let row = vector::vector_type(&context, &[shape.iter().product()], Type::I64);
                flags = builder.value(&vector::SHAPE_CAST, &[flags], row);
            }
            let kind = CombiningKind::Or.to_attr(&context);
            flags =
                builder.value_with_attr(&vector::REDUCTION, &[flags], Type::I64, Name::KIND, kind);
        }
        let zero = arith::constant_int(builder, Type::I64, 0);
        let predicate = CmpIPredicate::Ne.to_attr(&context);
        let operands = [flags, zero];
        builder.value_with_attr(
            &arith::CMPI,
            &operands,
            Type::I1,
            Name::PREDICATE,
            predicate,
        )
    }

    fn shift(&mut self, def: &'static OpDef, a: Value, by: u32) -> Value {
        let by = self.constant(self.bits, by.into());
        self.value(def, &[a, by], self.bits)
    }
}

impl Machine for Operations<'_> {
    type Single = Value;
    type Double = Value;
    type Bits = Value;

    fn keeps_subnormals(&self) -> bool {
        self.keeps_subnormals
    }

    fn single(&mut self, number: f32) -> Value {
        self.constant(self.single, number.to_bits().into())
    }
    fn double(&mut self, number: f64) -> Value {
        match self.is_in_single() {
            true => Machine::single(self, number as f32),
            false => self.constant(self.double, number.to_bits().into()),
        }
    }
    fn integer(&mut self, number: u64) -> Value {
        match self.is_in_single() {
            // Masks are wider.
            true => self.constant(self.bits, (number as u32).into()),
            false => self.constant(self.bits, number.into()),
        }
    }
    fn select_single(
        &mut self,
        order: Order,
        pair: [Value; 2],
        then: Value,
        other: Value,
    ) -> Value {
        self.select_of(order, pair, then, other)
    }
    fn select(&mut self, order: Order, pair: [Value; 2], then: Value, other: Value) -> Value {
        self.select_of(order, pair, then, other)
    }
    fn unless<const N: usize>(
        &mut self,
        pair: [Value; 2],
        common: [Value; N],
        rare: impl FnOnce(&mut Self) -> [Value; N],
    ) -> [Value; N] {
        let combine = |m: &mut Self, rare: [Value; N]| {
            std::array::from_fn(|i| m.select_of(Order::Less, pair, common[i], rare[i]))
        };
        if self.has_no_branches {
            let rare = rare(self);
            return combine(self, rare);
        }
        let condition = self.any_not_less(pair);
        let choice = scf::build_if(&mut self.builder, condition, &[self.double; N], true);
        let view = scf::If(choice);
        let after = self.builder.insert_point();
        self.builder.set_to_end(view.then_block(self.builder.ir));
        let mut results = rare(self);
        if self.double != Type::F64 {
            results = combine(self, results);
        }
        scf::build_yield(&mut self.builder, &results);
        let otherwise = view.else_block(self.builder.ir);
        self.builder
            .set_to_end(otherwise.expect("it was asked for"));
        scf::build_yield(&mut self.builder, &common);
        self.builder.set_insert_point(after);
        std::array::from_fn(|i| self.builder.ir.result(choice, i))
    }
    fn extend(&mut self, a: Value) -> Value {
        match self.is_in_single() {
            true => a,
            false => self.value(&arith::EXTF, &[a], self.double),
        }
    }
    fn truncate(&mut self, a: Value) -> Value {
        match self.is_in_single() {
            true => a,
            false => self.value(&arith::TRUNCF, &[a], self.single),
        }
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::ADDF, &[a, b], self.double)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::SUBF, &[a, b], self.double)
    }
    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::MULF, &[a, b], self.double)
    }
    fn div(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::DIVF, &[a, b], self.double)
    }
    fn sqrt(&mut self, a: Value) -> Value {
        self.value(&math::SQRT, &[a], self.double)
    }
    fn bits(&mut self, a: Value) -> Value {
        self.value(&arith::BITCAST, &[a], self.bits)
    }
    fn number(&mut self, a: Value) -> Value {
        self.value(&arith::BITCAST, &[a], self.double)
    }
    fn add_bits(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::ADDI, &[a, b], self.bits)
    }
    fn sub_bits(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::SUBI, &[a, b], self.bits)
    }
    fn and(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::ANDI, &[a, b], self.bits)
    }
    fn or(&mut self, a: Value, b: Value) -> Value {
        self.value(&arith::ORI, &[a, b], self.bits)
    }
    fn shift_left(&mut self, a: Value, by: u32) -> Value {
        self.shift(&arith::SHLI, a, by)
    }
    fn shift_right(&mut self, a: Value, by: u32) -> Value {
        self.shift(&arith::SHRUI, a, by)
    }
}
