//! Building the bodies of named operations from [`Expr`]s, with the casts and
//! the choice of operations by type that upstream makes.

use super::attributes::{binary_fun, is_unsigned_cast, unary_fun};
use super::description::{BinaryFn, Expr, Target, TypeFn, UnaryFn};
use super::{INDEX, YIELD};
use crate::dialects::arith;
use crate::dialects::shared::const_fold::{float, splat_attr, zero_attr};
use crate::dialects::{complex, math};
use crate::ir::attrs::Attr;
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Value};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::OpDef;
use crate::ir::types::{FloatKind, Type, TypeKind};

/// A body cannot be made for these types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedTypes;

type Built = Result<Value, UnsupportedTypes>;

/// Attributes that a body depends on.
#[derive(Clone, Copy, Default)]
pub struct BodyAttrs {
    /// Attribute `cast`.
    pub cast: Option<Attr>,
    /// Attribute `fun`.
    pub fun: Option<Attr>,
}

/// Fills `block`, which has an argument per operand, with `expr` and a yield.
///
/// # Errors
/// If some operation does not exist for the types of the arguments.
pub fn build_body(
    ir: &mut Ir,
    block: Block,
    expr: &Expr,
    attrs: BodyAttrs,
    loc: Loc,
) -> Result<(), UnsupportedTypes> {
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    let mut cx = BodyBuilder {
        builder,
        block,
        attrs,
    };
    let value = cx.build(expr)?;
    cx.builder.op(&YIELD, &[value], &[]);
    Ok(())
}

struct BodyBuilder<'a> {
    builder: Builder<'a>,
    block: Block,
    attrs: BodyAttrs,
}

/// What a value is, for choosing operations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Complex,
    Float,
    Bool,
    Integer,
}

impl BodyBuilder<'_> {
    fn type_of(&self, value: Value) -> Type {
        self.builder.ir.value_type(value)
    }

    fn class_of(&self, value: Value) -> Result<Class, UnsupportedTypes> {
        let ty = self.type_of(value);
        match self.builder.ir.context().type_kind(ty) {
            TypeKind::Complex(_) => Ok(Class::Complex),
            TypeKind::Float(_) => Ok(Class::Float),
            TypeKind::Integer { width: 1, .. } => Ok(Class::Bool),
            TypeKind::Integer { .. } => Ok(Class::Integer),
            _ => Err(UnsupportedTypes),
        }
    }

    fn build(&mut self, expr: &Expr) -> Built {
        match expr {
            Expr::Arg(i) => self
                .builder
                .ir
                .block_args(self.block)
                .get(usize::from(*i))
                .copied()
                .ok_or(UnsupportedTypes),
            Expr::Int(value) => Ok(arith::constant_int(
                &mut self.builder,
                Type::I64,
                (*value).into(),
            )),
            Expr::Float(value) => self.float_constant(Type::F64, *value),
            Expr::LoopIndex(dim) => {
                let attr = self.builder.ir.context().i64_attr((*dim).into());
                Ok(self
                    .builder
                    .value_with_attr(&INDEX, &[], Type::INDEX, Name::DIM, attr))
            }
            Expr::Cast(function, target, value) => {
                let value = self.build(value)?;
                self.cast_to(*function, *target, value)
            }
            Expr::Unary(function, value) => {
                let value = self.build(value)?;
                self.unary(*function, value)
            }
            Expr::UnaryAttr(value) => {
                let value = self.build(value)?;
                let function = unary_fun(self.builder.ir.context(), self.attrs.fun);
                self.unary(function.unwrap_or(UnaryFn::Exp), value)
            }
            Expr::Binary(function, lhs, rhs) => {
                let (lhs, rhs) = (self.build(lhs)?, self.build(rhs)?);
                self.binary(*function, lhs, rhs)
            }
            Expr::BinaryAttr(lhs, rhs) => {
                let (lhs, rhs) = (self.build(lhs)?, self.build(rhs)?);
                let function = binary_fun(self.builder.ir.context(), self.attrs.fun);
                self.binary(function.unwrap_or(BinaryFn::Add), lhs, rhs)
            }
            Expr::Select(condition, on_true, on_false) => {
                let condition = self.build(condition)?;
                let on_true = self.build(on_true)?;
                let on_false = self.build(on_false)?;
                if self.class_of(condition)? != Class::Bool {
                    return Err(UnsupportedTypes);
                }
                Ok(self.op(&arith::SELECT, &[condition, on_true, on_false], on_true))
            }
        }
    }

    /// An operation whose result has the type of `like`.
    fn op(&mut self, def: &'static OpDef, operands: &[Value], like: Value) -> Value {
        let ty = self.type_of(like);
        self.builder.value(def, operands, ty)
    }

    fn float_constant(&mut self, ty: Type, value: f64) -> Built {
        let context = self.builder.context();
        let bits = context
            .float_kind(ty)
            .and_then(|kind| float::encode(kind, value))
            .ok_or(UnsupportedTypes)?
            .0;
        let attr = splat_attr(&context, ty, bits).ok_or(UnsupportedTypes)?;
        Ok(arith::constant_attr(&mut self.builder, attr))
    }

    fn unary(&mut self, function: UnaryFn, value: Value) -> Built {
        if self.class_of(value)? != Class::Float {
            return Err(UnsupportedTypes);
        }
        let def = match function {
            UnaryFn::Exp => &math::EXP,
            UnaryFn::Log => &math::LOG,
            UnaryFn::Abs => &math::ABSF,
            UnaryFn::Ceil => &math::CEIL,
            UnaryFn::Floor => &math::FLOOR,
            UnaryFn::Negf => &arith::NEGF,
            UnaryFn::Round => &math::ROUND,
            UnaryFn::Sqrt => &math::SQRT,
            UnaryFn::Rsqrt => &math::RSQRT,
            UnaryFn::Tanh => &math::TANH,
            UnaryFn::Erf => &math::ERF,
            UnaryFn::Square => return Ok(self.op(&arith::MULF, &[value, value], value)),
            UnaryFn::Reciprocal => {
                let one = self.float_constant(self.type_of(value), 1.0)?;
                return Ok(self.op(&arith::DIVF, &[one, value], value));
            }
        };
        Ok(self.op(def, &[value], value))
    }

    fn binary(&mut self, function: BinaryFn, lhs: Value, rhs: Value) -> Built {
        let class = match (self.class_of(lhs)?, self.class_of(rhs)?) {
            (a, b) if a == b => a,
            (Class::Bool | Class::Integer, Class::Bool | Class::Integer) => Class::Integer,
            _ => return Err(UnsupportedTypes),
        };
        let def = match (function, class) {
            (BinaryFn::Add, Class::Complex) => &complex::ADD,
            (BinaryFn::Add, Class::Float) => &arith::ADDF,
            (BinaryFn::Add, Class::Bool) => &arith::ORI,
            (BinaryFn::Add, Class::Integer) => &arith::ADDI,
            (BinaryFn::Sub, Class::Complex) => &complex::SUB,
            (BinaryFn::Sub, Class::Float) => &arith::SUBF,
            (BinaryFn::Sub, Class::Integer) => &arith::SUBI,
            (BinaryFn::Mul, Class::Complex) => &complex::MUL,
            (BinaryFn::Mul, Class::Float) => &arith::MULF,
            (BinaryFn::Mul, Class::Bool) => &arith::ANDI,
            (BinaryFn::Mul, Class::Integer) => &arith::MULI,
            (BinaryFn::Div, Class::Complex) => &complex::DIV,
            (BinaryFn::Div, Class::Float) => &arith::DIVF,
            (BinaryFn::Div, Class::Integer) => &arith::DIVSI,
            (BinaryFn::DivUnsigned, Class::Integer) => &arith::DIVUI,
            (BinaryFn::MaxSigned | BinaryFn::MaxUnsigned, Class::Float) => &arith::MAXIMUMF,
            (BinaryFn::MinSigned | BinaryFn::MinUnsigned, Class::Float) => &arith::MINIMUMF,
            (BinaryFn::MaxSigned, Class::Bool | Class::Integer) => &arith::MAXSI,
            (BinaryFn::MinSigned, Class::Bool | Class::Integer) => &arith::MINSI,
            (BinaryFn::MaxUnsigned, Class::Bool | Class::Integer) => &arith::MAXUI,
            (BinaryFn::MinUnsigned, Class::Bool | Class::Integer) => &arith::MINUI,
            (BinaryFn::Powf, Class::Float) => &math::POWF,
            _ => return Err(UnsupportedTypes),
        };
        Ok(self.op(def, &[lhs, rhs], lhs))
    }

    fn cast_to(&mut self, function: TypeFn, target: Target, value: Value) -> Built {
        let ty = match target {
            Target::F64 => Type::F64,
            Target::I32 => Type::I32,
            Target::Out => match self.builder.ir.block_args(self.block).last() {
                Some(&output) => self.type_of(output),
                None => return Err(UnsupportedTypes),
            },
        };
        let unsigned = match function {
            TypeFn::Signed => false,
            TypeFn::Unsigned => true,
            TypeFn::Attr => is_unsigned_cast(self.builder.ir.context(), self.attrs.cast),
        };
        Ok(self.cast(value, ty, unsigned))
    }

    /// `value` as `ty`; itself where there is no cast, which the verifier finds.
    fn cast(&mut self, value: Value, ty: Type, unsigned: bool) -> Value {
        let from = self.type_of(value);
        if from == ty {
            return value;
        }
        let context = self.builder.context();
        let def = match (context.type_kind(from), context.type_kind(ty)) {
            (TypeKind::Float(_), TypeKind::Integer { .. }) if unsigned => &arith::FPTOUI,
            (TypeKind::Float(_), TypeKind::Integer { .. }) => &arith::FPTOSI,
            (TypeKind::Index, TypeKind::Integer { .. }) => &arith::INDEX_CAST,
            (TypeKind::Integer { width: a, .. }, TypeKind::Integer { width: b, .. }) => {
                match a.cmp(b) {
                    std::cmp::Ordering::Less if unsigned => &arith::EXTUI,
                    std::cmp::Ordering::Less => &arith::EXTSI,
                    std::cmp::Ordering::Greater => &arith::TRUNCI,
                    std::cmp::Ordering::Equal => return value,
                }
            }
            (TypeKind::Integer { .. }, TypeKind::Float(_)) if unsigned => &arith::UITOFP,
            (TypeKind::Integer { .. }, TypeKind::Float(_)) => &arith::SITOFP,
            (TypeKind::Float(a), TypeKind::Float(b)) => {
                match FloatKind::width(*a).cmp(&FloatKind::width(*b)) {
                    std::cmp::Ordering::Less => &arith::EXTF,
                    std::cmp::Ordering::Greater => &arith::TRUNCF,
                    std::cmp::Ordering::Equal => return value,
                }
            }
            (_, TypeKind::Complex(part)) => {
                return self.cast_to_complex(value, ty, *part, unsigned);
            }
            _ => return value,
        };
        self.builder.value(def, &[value], ty)
    }

    fn cast_to_complex(&mut self, value: Value, ty: Type, part: Type, unsigned: bool) -> Value {
        let context = self.builder.context();
        let (re, im) = if let Some(from) = complex::element_of(&context, self.type_of(value)) {
            let re = self.builder.value(&complex::RE, &[value], from);
            let im = self.builder.value(&complex::IM, &[value], from);
            (self.cast(re, part, unsigned), self.cast(im, part, unsigned))
        } else {
            let re = self.cast(value, part, unsigned);
            let Some(zero) = zero_attr(&context, part) else {
                return value;
            };
            (re, arith::constant_attr(&mut self.builder, zero))
        };
        if self.type_of(re) != part || self.type_of(im) != part {
            return value;
        }
        self.builder.value(&complex::CREATE, &[re, im], ty)
    }
}
