//! The index dialect: arithmetic on `index`, which is 64 bits wide on every
//! target, and casts between it and integers.

mod fold;

use crate::dialects::arith::{CmpIPredicate, verify};
use crate::ir::asm::OpAsmParser;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, AttrText, CustomAttrText, DialectDef, OpDef, OpError, Pattern,
    Traits, TypeConstraint, ValueSpec,
};
use crate::ir::types::TypeKind;

const CONSTANT_TRAITS: Traits = Traits::SPECULATABLE.and(Traits::CONSTANT_LIKE);
const LHS_RHS: &[ValueSpec] = &[
    ValueSpec::one("lhs", &constraints::INDEX),
    ValueSpec::one("rhs", &constraints::INDEX),
];
const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::INDEX)];

static INTEGER_OR_INDEX: TypeConstraint = TypeConstraint {
    description: "integer or index",
    accepts: |context, ty| context.integer_width(ty).is_some(),
    ..TypeConstraint::BASE
};
static PREDICATE_ATTR: AttrConstraint = AttrConstraint {
    description: "index comparison predicate kind",
    accepts: |context, attr| decode_predicate(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: parse_predicate,
        print: |p, context, attr| {
            p.text(decode_predicate(context, attr).map_or("", CmpIPredicate::keyword));
        },
    }),
};

const BINARY: OpDef = const {
    OpDef {
        operands: LHS_RHS,
        results: RESULT,
        fold: Some(fold::fold_binary),
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict");
/// Divisions trap on zero: they do not run where the program would not have run them.
const DIVISION: OpDef = OpDef {
    traits: Traits::NONE,
    fold: Some(fold::fold_division),
    ..BINARY
};
const CAST: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("input", &INTEGER_OR_INDEX)],
        results: &[ValueSpec::one("output", &INTEGER_OR_INDEX)],
        verify: verify_cast,
        fold: Some(fold::fold_cast),
        ..OpDef::PURE
    }
}
.with_format("$input attr-dict `:` type($input) `to` type($output)");

/// Sum.
pub static ADD: OpDef = OpDef {
    name: "index.add",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Difference.
pub static SUB: OpDef = OpDef {
    name: "index.sub",
    ..BINARY
};

/// Product.
pub static MUL: OpDef = OpDef {
    name: "index.mul",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Signed quotient, rounded towards zero.
pub static DIVS: OpDef = OpDef {
    name: "index.divs",
    ..DIVISION
};

/// Unsigned quotient, rounded towards zero.
pub static DIVU: OpDef = OpDef {
    name: "index.divu",
    ..DIVISION
};

/// Signed quotient, rounded up.
pub static CEILDIVS: OpDef = OpDef {
    name: "index.ceildivs",
    ..DIVISION
};

/// Unsigned quotient, rounded up.
pub static CEILDIVU: OpDef = OpDef {
    name: "index.ceildivu",
    ..DIVISION
};

/// Signed quotient, rounded down.
pub static FLOORDIVS: OpDef = OpDef {
    name: "index.floordivs",
    ..DIVISION
};

/// Signed remainder; has the sign of the dividend.
pub static REMS: OpDef = OpDef {
    name: "index.rems",
    fold: Some(fold::fold_remainder),
    ..DIVISION
};

/// Unsigned remainder.
pub static REMU: OpDef = OpDef {
    name: "index.remu",
    fold: Some(fold::fold_remainder),
    ..DIVISION
};

/// Signed maximum.
pub static MAXS: OpDef = OpDef {
    name: "index.maxs",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Unsigned maximum.
pub static MAXU: OpDef = OpDef {
    name: "index.maxu",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Signed minimum.
pub static MINS: OpDef = OpDef {
    name: "index.mins",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Unsigned minimum.
pub static MINU: OpDef = OpDef {
    name: "index.minu",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Left shift; poison if the distance is the width or more.
pub static SHL: OpDef = OpDef {
    name: "index.shl",
    ..BINARY
};

/// Right shift that fills with the sign.
pub static SHRS: OpDef = OpDef {
    name: "index.shrs",
    ..BINARY
};

/// Right shift that fills with zeros.
pub static SHRU: OpDef = OpDef {
    name: "index.shru",
    ..BINARY
};

/// Bitwise and.
pub static AND: OpDef = OpDef {
    name: "index.and",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Bitwise or.
pub static OR: OpDef = OpDef {
    name: "index.or",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Bitwise exclusive or.
pub static XOR: OpDef = OpDef {
    name: "index.xor",
    traits: BINARY.traits.and(Traits::COMMUTATIVE),
    ..BINARY
};

/// Sign-extends or truncates to or from index.
pub static CASTS: OpDef = OpDef {
    name: "index.casts",
    ..CAST
};

/// Zero-extends or truncates to or from index.
pub static CASTU: OpDef = OpDef {
    name: "index.castu",
    ..CAST
};

/// Comparison.
pub static CMP: OpDef = const {
    OpDef {
        name: "index.cmp",
        operands: LHS_RHS,
        results: &[ValueSpec::one("result", &constraints::I1)],
        attributes: &[AttrSpec::required(Name::PRED, &PREDICATE_ATTR)],
        fold: Some(fold::fold_cmp),
        canonicalize: &[Pattern {
            name: "cmp-of-difference",
            apply: fold::compare_difference,
        }],
        ..OpDef::PURE
    }
}
.with_format("$pred `` `(` $lhs `,` $rhs `)` attr-dict");

/// The width of index in bits.
pub static SIZEOF: OpDef = const {
    OpDef {
        name: "index.sizeof",
        results: RESULT,
        ..OpDef::PURE
    }
}
.with_format("attr-dict");

/// `index.constant 42`
pub static CONSTANT: OpDef = const {
    OpDef {
        name: "index.constant",
        traits: CONSTANT_TRAITS,
        results: RESULT,
        attributes: &[AttrSpec::required(Name::VALUE, &constraints::INDEX_ATTR)],
        result_names: Some(index_constant_name),
        fold: Some(fold::fold_constant),
        ..OpDef::PURE
    }
}
.with_format("attr-dict $value");

/// `index.bool.constant true`
pub static BOOL_CONSTANT: OpDef = const {
    OpDef {
        name: "index.bool.constant",
        traits: CONSTANT_TRAITS,
        results: &[ValueSpec::one("result", &constraints::I1)],
        attributes: &[AttrSpec::required(Name::VALUE, &constraints::BOOL_ATTR)],
        result_names: Some(bool_constant_name),
        fold: Some(fold::fold_constant),
        ..OpDef::PURE
    }
}
.with_format("attr-dict $value");

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "index",
    ops: &[
        &ADD,
        &SUB,
        &MUL,
        &DIVS,
        &DIVU,
        &CEILDIVS,
        &CEILDIVU,
        &FLOORDIVS,
        &REMS,
        &REMU,
        &MAXS,
        &MAXU,
        &MINS,
        &MINU,
        &SHL,
        &SHRS,
        &SHRU,
        &AND,
        &OR,
        &XOR,
        &CASTS,
        &CASTU,
        &CMP,
        &SIZEOF,
        &CONSTANT,
        &BOOL_CONSTANT,
    ],
    ..DialectDef::BASE
};

fn verify_cast(ir: &Ir, op: Op) -> Result<(), OpError> {
    let from = ir.value_type(ir.operand(op, 0));
    let to = ir.value_type(ir.result(op, 0));
    let is_integer = |ty| matches!(ir.context().type_kind(ty), TypeKind::Integer { .. });
    if is_integer(from) == is_integer(to) {
        return Err(verify::cast_incompatible(ir.context(), from, to));
    }
    Ok(())
}

/// The predicate stored in `attr`, as text `cmp_predicate slt`.
fn decode_predicate(context: &Context, attr: Attr) -> Option<CmpIPredicate> {
    let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
        return None;
    };
    if context.name(*dialect) != "index" {
        return None;
    }
    let keyword = body.strip_prefix("cmp_predicate")?.trim();
    CmpIPredicate::from_keyword(keyword)
}

/// The predicate of an `index.cmp`.
pub fn cmp_predicate(ir: &Ir, op: Op) -> Option<CmpIPredicate> {
    decode_predicate(ir.context(), ir.attr(op, Name::PRED)?)
}

/// The attribute of an `index.cmp` with this predicate.
pub fn cmp_predicate_attr(context: &Context, predicate: CmpIPredicate) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("index"),
        body: format!("cmp_predicate {}", predicate.keyword()).into(),
        ty: None,
    })
}

/// Reads the keyword of a predicate.
fn parse_predicate(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
    const CLASS: &str = "which is to be a `::mlir::index::IndexCmpPredicate`";
    let loc = p.loc();
    let predicate = match p.parse_opt_any_keyword() {
        None => {
            p.error(loc, "expected valid keyword");
            None
        }
        Some(keyword) => {
            let predicate = CmpIPredicate::from_keyword(keyword);
            if predicate.is_none() {
                let all: Vec<_> = CmpIPredicate::ALL.iter().map(|p| p.keyword()).collect();
                let all = all.join(", ");
                p.error(
                    loc,
                    format!("expected ::mlir::index::IndexCmpPredicate to be one of: {all}"),
                );
            }
            predicate
        }
    };
    let Some(predicate) = predicate else {
        let message = format!("failed to parse IndexCmpPredicateAttr parameter 'value' {CLASS}");
        return Err(p.error(p.loc(), message));
    };
    Ok(Some(cmp_predicate_attr(p.context(), predicate)))
}

fn index_constant_name(ir: &Ir, op: Op, name: &mut dyn FnMut(Value, &str)) {
    let value = ir.attr(op, Name::VALUE);
    if let Some(value) = value.and_then(|attr| ir.context().attr_integer(attr)) {
        name(ir.result(op, 0), &format!("idx{value}"));
    }
}

fn bool_constant_name(ir: &Ir, op: Op, name: &mut dyn FnMut(Value, &str)) {
    let text = if ir.attr(op, Name::VALUE) == Some(Attr::TRUE) {
        "true"
    } else {
        "false"
    };
    name(ir.result(op, 0), text);
}
