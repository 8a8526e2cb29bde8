//! Arithmetic on single elements, in few words.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::shared::const_fold::float;
use freehold_frontend::dialects::{arith, complex, math};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Of this many bits; 1 is a truth value.
    Integer(u32),
    Float(FloatKind),
    Complex,
    /// Index, tuples, quantized elements.
    Other,
}

/// Builds operations on scalars.
pub(crate) struct Emit<'a, 'b> {
    pub(crate) b: &'a mut Builder<'b>,
}

impl<'a, 'b> Emit<'a, 'b> {
    pub(crate) fn new(b: &'a mut Builder<'b>) -> Self {
        Self { b }
    }

    pub(crate) fn ty(&self, x: Value) -> Type {
        self.b.ir.value_type(x)
    }

    pub(crate) fn class(&self, x: Value) -> Class {
        self.class_of(self.ty(x))
    }

    pub(crate) fn class_of(&self, ty: Type) -> Class {
        match self.b.ir.context().type_kind(ty) {
            TypeKind::Integer { width, .. } => Class::Integer(*width),
            TypeKind::Float(kind) => Class::Float(*kind),
            TypeKind::Complex(_) => Class::Complex,
            _ => Class::Other,
        }
    }

    pub(crate) fn unary(&mut self, def: &'static OpDef, x: Value) -> Value {
        let ty = self.ty(x);
        self.b.value(def, &[x], ty)
    }

    pub(crate) fn binary(&mut self, def: &'static OpDef, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.b.value(def, &[x, y], ty)
    }

    pub(crate) fn to(&mut self, def: &'static OpDef, x: Value, ty: Type) -> Value {
        self.b.value(def, &[x], ty)
    }

    pub(crate) fn int(&mut self, ty: Type, value: i128) -> Value {
        arith::constant_int(self.b, ty, value)
    }

    /// An integer of the type of `x`.
    pub(crate) fn int_like(&mut self, x: Value, value: i128) -> Value {
        let ty = self.ty(x);
        self.int(ty, value)
    }

    /// The float nearest to a number.
    pub(crate) fn float(&mut self, ty: Type, value: f64) -> Value {
        let context = self.b.context();
        let kind = context.float_kind(ty).expect("a float type");
        let bits = match value.is_nan() {
            true => float::default_nan(kind),
            false => float::encode(kind, value).map(|encoded| encoded.0),
        };
        let bits = bits.expect("formats of StableHLO have constants");
        arith::constant_attr(self.b, context.intern_attr(AttrKind::Float { ty, bits }))
    }

    /// A float of the type of `x`.
    pub(crate) fn float_like(&mut self, x: Value, value: f64) -> Value {
        let ty = self.ty(x);
        self.float(ty, value)
    }

    pub(crate) fn cmpi(&mut self, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
        arith::compare(self.b, predicate, x, y)
    }

    pub(crate) fn cmpf(&mut self, predicate: CmpFPredicate, x: Value, y: Value) -> Value {
        let predicate = predicate.to_attr(&self.b.context());
        self.b
            .value_with_attr(&arith::CMPF, &[x, y], Type::I1, Name::PREDICATE, predicate)
    }

    pub(crate) fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.b.value(&arith::SELECT, &[condition, x, y], ty)
    }

    pub(crate) fn and(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::ANDI, x, y)
    }

    pub(crate) fn or(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::ORI, x, y)
    }

    /// The complement of bits or of a truth value.
    pub(crate) fn not(&mut self, x: Value) -> Value {
        let ones = self.int_like(x, -1);
        self.binary(&arith::XORI, x, ones)
    }

    /// The bits of a float as an integer.
    pub(crate) fn bits(&mut self, x: Value) -> Value {
        let context = self.b.context();
        let kind = context.float_kind(self.ty(x)).expect("a float");
        self.to(&arith::BITCAST, x, context.integer_type(kind.width()))
    }

    pub(crate) fn is_nan(&mut self, x: Value) -> Value {
        self.cmpf(CmpFPredicate::Uno, x, x)
    }

    /// Whether the format of a float has infinities. Others have NaN where an infinity is asked for.
    pub(crate) fn has_infinity(&self, x: Value) -> bool {
        use FloatKind::{
            F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2FNUZ,
            F8E8M0FNU,
        };
        let kind = self.b.ir.context().float_kind(self.ty(x));
        !matches!(
            kind,
            Some(
                F4E2M1FN
                    | F6E2M3FN
                    | F6E3M2FN
                    | F8E8M0FNU
                    | F8E4M3FN
                    | F8E5M2FNUZ
                    | F8E4M3FNUZ
                    | F8E4M3B11FNUZ
            )
        )
    }

    /// Whether a number is neither infinite nor NaN.
    pub(crate) fn is_finite(&mut self, x: Value) -> Value {
        if !self.has_infinity(x) {
            return self.cmpf(CmpFPredicate::Ord, x, x);
        }
        let magnitude = self.unary(&math::ABSF, x);
        let infinity = self.float_like(x, f64::INFINITY);
        self.cmpf(CmpFPredicate::Olt, magnitude, infinity)
    }

    /// Whether the absolute value is infinite.
    pub(crate) fn is_inf(&mut self, x: Value) -> Value {
        let magnitude = self.unary(&math::ABSF, x);
        let infinity = self.float_like(x, f64::INFINITY);
        self.cmpf(CmpFPredicate::Oeq, magnitude, infinity)
    }

    /// The type of the parts of a complex number.
    pub(crate) fn part_type(&self, x: Value) -> Type {
        complex::element_of(&self.b.context(), self.ty(x)).expect("a complex number")
    }

    pub(crate) fn re(&mut self, x: Value) -> Value {
        let part = self.part_type(x);
        self.to(&complex::RE, x, part)
    }

    pub(crate) fn im(&mut self, x: Value) -> Value {
        let part = self.part_type(x);
        self.to(&complex::IM, x, part)
    }

    pub(crate) fn complex(&mut self, re: Value, im: Value) -> Value {
        let part = self.ty(re);
        let ty = self.b.context().intern_type(TypeKind::Complex(part));
        self.b.value(&complex::CREATE, &[re, im], ty)
    }

    /// The number as an element of the type of `x`.
    pub(crate) fn like(&mut self, x: Value, value: f64) -> Value {
        match self.class(x) {
            Class::Float(_) => self.float_like(x, value),
            Class::Complex => {
                let part = self.part_type(x);
                let re = self.float(part, value);
                let im = self.float(part, 0.0);
                self.complex(re, im)
            }
            Class::Integer(1) => self.int_like(x, i128::from(value != 0.0)),
            Class::Integer(_) | Class::Other => self.int_like(x, value as i128),
        }
    }

    /// Evaluates a polynomial whose first coefficient belongs to the highest power.
    pub(crate) fn polynomial(&mut self, x: Value, coefficients: &[f64]) -> Value {
        let mut sum = self.float_like(x, coefficients[0]);
        for &coefficient in &coefficients[1..] {
            let product = self.binary(&arith::MULF, sum, x);
            let coefficient = self.float_like(x, coefficient);
            sum = self.binary(&arith::ADDF, product, coefficient);
        }
        sum
    }
}
