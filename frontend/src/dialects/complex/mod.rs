//! The complex dialect: complex numbers of floats.

mod fold;

use crate::dialects::arith::attributes::{FASTMATH, OPTIONAL_FASTMATH};
use crate::dialects::arith::verify::all_types_match;
use crate::ir::attrs::Attr;
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, OpError, Traits, TypeConstraint, ValueSpec};
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::type_to_string;

static COMPLEX: TypeConstraint = TypeConstraint {
    description: "complex-type",
    accepts: is_complex,
    kind: Some(is_complex),
    ..TypeConstraint::BASE
};
static COMPLEX_FLOAT: TypeConstraint = TypeConstraint {
    description: "complex type with floating-point elements",
    accepts: |context, ty| {
        element_of(context, ty).is_some_and(|element| constraints::is_float(context, element))
    },
    kind: Some(is_complex),
    ..TypeConstraint::BASE
};

const TRAITS: Traits = Traits::SPECULATABLE.and(Traits::ELEMENTWISE);
const COMPLEX_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &COMPLEX_FLOAT)];
const BINARY: OpDef = const {
    OpDef {
        traits: TRAITS.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        operands: &[
            ValueSpec::one("lhs", &COMPLEX_FLOAT),
            ValueSpec::one("rhs", &COMPLEX_FLOAT),
        ],
        results: COMPLEX_RESULT,
        attributes: &[FASTMATH],
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const UNARY: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("complex", &COMPLEX_FLOAT)],
        ..BINARY
    }
}
.with_format("$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
/// Operations from a complex number to a float.
const PART: OpDef = const {
    OpDef {
        traits: TRAITS,
        results: &[ValueSpec::one("result", &constraints::FLOAT)],
        verify: verify_part,
        ..UNARY
    }
}
.with_format(
    "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex) where $result = \
     element($complex)",
);
const COMPARE: OpDef = const {
    OpDef {
        traits: TRAITS,
        results: &[ValueSpec::one("result", &constraints::I1)],
        attributes: &[],
        verify: |ir, op| all_types_match(ir, ir.operands(op), "lhs, rhs"),
        ..BINARY
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($lhs) where $rhs = type($lhs)");

/// Absolute value.
pub static ABS: OpDef = OpDef {
    name: "complex.abs",
    ..PART
};

/// Sum.
pub static ADD: OpDef = OpDef {
    name: "complex.add",
    ..BINARY
};

/// Argument: the angle in polar coordinates.
pub static ANGLE: OpDef = OpDef {
    name: "complex.angle",
    ..PART
};

/// Arc tangent of the quotient.
pub static ATAN2: OpDef = OpDef {
    name: "complex.atan2",
    ..BINARY
};

/// The same bits as another type; one side is complex.
pub static BITCAST: OpDef = const {
    OpDef {
        name: "complex.bitcast",
        operands: &[ValueSpec::one("operand", &constraints::ANY)],
        results: &[ValueSpec::one("result", &constraints::ANY)],
        verify: verify_bitcast,
        fold: Some(fold::fold_bitcast),
        ..OpDef::PURE
    }
}
.with_format("$operand attr-dict `:` type($operand) `to` type($result)");

/// Conjugate.
pub static CONJ: OpDef = OpDef {
    name: "complex.conj",
    fold: Some(fold::fold_involution),
    ..UNARY
};

/// `complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>`
pub static CONSTANT: OpDef = const {
    OpDef {
        name: "complex.constant",
        traits: Traits::SPECULATABLE.and(Traits::CONSTANT_LIKE),
        results: &[ValueSpec::one("complex", &COMPLEX)],
        attributes: &[AttrSpec::required(Name::VALUE, &constraints::ARRAY_ATTR)],
        verify: verify_constant,
        result_names: Some(|ir, op, name| name(ir.result(op, 0), "cst")),
        fold: Some(fold::fold_constant),
        ..OpDef::PURE
    }
}
.with_format("$value attr-dict `:` type($complex)");

/// Cosine.
pub static COS: OpDef = OpDef {
    name: "complex.cos",
    ..UNARY
};

/// The number with this real and this imaginary part.
pub static CREATE: OpDef = const {
    OpDef {
        name: "complex.create",
        operands: &[
            ValueSpec::one("real", &constraints::FLOAT),
            ValueSpec::one("imaginary", &constraints::FLOAT),
        ],
        results: &[ValueSpec::one("complex", &COMPLEX_FLOAT)],
        verify: verify_create,
        fold: Some(fold::fold_create),
        ..OpDef::PURE
    }
}
.with_format(
    "$real `,` $imaginary attr-dict `:` type($complex) where $real = element($complex), \
     $imaginary = element($complex)",
);

/// Quotient.
pub static DIV: OpDef = OpDef {
    name: "complex.div",
    ..BINARY
};

/// Equality.
pub static EQ: OpDef = OpDef {
    name: "complex.eq",
    ..COMPARE
};

/// e to the power.
pub static EXP: OpDef = OpDef {
    name: "complex.exp",
    ..UNARY
};

/// e to the power, minus 1.
pub static EXPM1: OpDef = OpDef {
    name: "complex.expm1",
    ..UNARY
};

/// The imaginary part.
pub static IM: OpDef = OpDef {
    name: "complex.im",
    fold: Some(fold::fold_im),
    ..PART
};

/// Natural logarithm.
pub static LOG: OpDef = OpDef {
    name: "complex.log",
    ..UNARY
};

/// Natural logarithm of one plus the operand.
pub static LOG1P: OpDef = OpDef {
    name: "complex.log1p",
    ..UNARY
};

/// Product.
pub static MUL: OpDef = OpDef {
    name: "complex.mul",
    ..BINARY
};

/// Negation.
pub static NEG: OpDef = OpDef {
    name: "complex.neg",
    fold: Some(fold::fold_involution),
    ..UNARY
};

/// Inequality.
pub static NEQ: OpDef = OpDef {
    name: "complex.neq",
    ..COMPARE
};

/// Power.
pub static POW: OpDef = OpDef {
    name: "complex.pow",
    ..BINARY
};

/// Power of a signed integer. MLIR 22 has it.
pub static POWI: OpDef = const {
    OpDef {
        name: "complex.powi",
        traits: TRAITS,
        operands: &[
            ValueSpec::one("lhs", &COMPLEX_FLOAT),
            ValueSpec::one("rhs", &constraints::SIGNLESS_INTEGER),
        ],
        attributes: &[OPTIONAL_FASTMATH],
        verify: |ir, op| all_types_match(ir, &[ir.operand(op, 0), ir.result(op, 0)], "lhs, result"),
        ..BINARY
    }
}
.with_format(
    "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs) where \
     $lhs = type($result)",
);

/// The real part.
pub static RE: OpDef = OpDef {
    name: "complex.re",
    fold: Some(fold::fold_re),
    ..PART
};

/// One by the square root.
pub static RSQRT: OpDef = OpDef {
    name: "complex.rsqrt",
    ..UNARY
};

/// The number divided by its absolute value; zero for zero.
pub static SIGN: OpDef = OpDef {
    name: "complex.sign",
    ..UNARY
};

/// Sine.
pub static SIN: OpDef = OpDef {
    name: "complex.sin",
    ..UNARY
};

/// Square root.
pub static SQRT: OpDef = OpDef {
    name: "complex.sqrt",
    ..UNARY
};

/// Difference.
pub static SUB: OpDef = OpDef {
    name: "complex.sub",
    fold: Some(fold::fold_sub),
    ..BINARY
};

/// Tangent.
pub static TAN: OpDef = OpDef {
    name: "complex.tan",
    ..UNARY
};

/// Hyperbolic tangent.
pub static TANH: OpDef = OpDef {
    name: "complex.tanh",
    ..UNARY
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "complex",
    ops: &[
        &ABS, &ADD, &ANGLE, &ATAN2, &BITCAST, &CONJ, &CONSTANT, &COS, &CREATE, &DIV, &EQ, &EXP,
        &EXPM1, &IM, &LOG, &LOG1P, &MUL, &NEG, &NEQ, &POW, &POWI, &RE, &RSQRT, &SIGN, &SIN, &SQRT,
        &SUB, &TAN, &TANH,
    ],
    ..DialectDef::BASE
};

fn is_complex(context: &Context, ty: Type) -> bool {
    element_of(context, ty).is_some()
}

/// The type of the parts of complex type `ty`.
pub fn element_of(context: &Context, ty: Type) -> Option<Type> {
    match context.type_kind(ty) {
        TypeKind::Complex(element) => Some(*element),
        _ => None,
    }
}

/// The two parts that a `complex.constant` is made of.
pub fn constant_parts(ir: &Ir, op: Op) -> Option<[Attr; 2]> {
    ir.context()
        .attr_array(ir.attr(op, Name::VALUE)?)?
        .try_into()
        .ok()
}

fn verify_part(ir: &Ir, op: Op) -> Result<(), OpError> {
    let element = element_of(ir.context(), ir.value_type(ir.operand(op, 0)));
    if element != Some(ir.value_type(ir.result(op, 0))) {
        return Err("failed to verify that complex element type matches result type".into());
    }
    Ok(())
}

fn verify_create(ir: &Ir, op: Op) -> Result<(), OpError> {
    all_types_match(ir, ir.operands(op), "real, imaginary")?;
    let element = element_of(ir.context(), ir.value_type(ir.result(op, 0)));
    if element != Some(ir.value_type(ir.operand(op, 0))) {
        return Err("failed to verify that complex element type matches real operand type".into());
    }
    Ok(())
}

fn verify_constant(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let Some(parts) = constant_parts(ir, op) else {
        return Err(
            "requires 'value' to be a complex constant, represented as array of two values".into(),
        );
    };
    let Some(element) = element_of(context, ir.value_type(ir.result(op, 0))) else {
        return Ok(());
    };
    let types = parts.map(|part| context.attr_carried_type(part));
    if types == [Some(element); 2] {
        return Ok(());
    }
    let [re, im] = types.map(|ty| match ty {
        Some(ty) => type_to_string(context, ty),
        None => "none".to_owned(),
    });
    let element = type_to_string(context, element);
    Err(OpError::from(format!(
        "requires attribute's element types ('{re}', '{im}') to match the element type of the op's return type ('{element}')"
    )))
}

/// The width of a number type in bits; complex ones twice that of a part.
fn bit_width(context: &Context, ty: Type) -> Option<u32> {
    match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        TypeKind::Complex(element) => bit_width(context, *element)?.checked_mul(2),
        _ => None,
    }
}

fn verify_bitcast(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let from = ir.value_type(ir.operand(op, 0));
    let to = ir.value_type(ir.result(op, 0));
    let Some(from_width) = bit_width(context, from) else {
        return Err("operand must be int/float/complex".into());
    };
    let Some(to_width) = bit_width(context, to) else {
        return Err("result must be int/float/complex".into());
    };
    if element_of(context, from).is_some() == element_of(context, to).is_some() {
        return Err("requires that either input or output has a complex type".into());
    }
    if from_width != to_width {
        return Err("casting bitwidths do not match".into());
    }
    Ok(())
}
