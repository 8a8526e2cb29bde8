//! Attributes of vector operations: kinds of reductions, iterator types,
//! punctuation.

use crate::dialects::arith;
use crate::dialects::shared::const_fold::float;
use crate::ir::asm::OpAsmParser;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrText, CustomAttrText, OpDef};
use crate::ir::types::{Type, TypeKind};

/// How two values are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is its keyword")]
pub enum CombiningKind {
    Add,
    Mul,
    MinUI,
    MinSI,
    MinNumF,
    MaxUI,
    MaxSI,
    MaxNumF,
    And,
    Or,
    Xor,
    MaximumF,
    MinimumF,
}

impl CombiningKind {
    const ALL: [(Self, &'static str); 13] = [
        (Self::Add, "add"),
        (Self::Mul, "mul"),
        (Self::MinUI, "minui"),
        (Self::MinSI, "minsi"),
        (Self::MinNumF, "minnumf"),
        (Self::MaxUI, "maxui"),
        (Self::MaxSI, "maxsi"),
        (Self::MaxNumF, "maxnumf"),
        (Self::And, "and"),
        (Self::Or, "or"),
        (Self::Xor, "xor"),
        (Self::MaximumF, "maximumf"),
        (Self::MinimumF, "minimumf"),
    ];

    /// The keyword in the text format.
    pub fn keyword(self) -> &'static str {
        let found = Self::ALL.iter().find(|(kind, _)| *kind == self);
        found.map_or("", |(_, keyword)| keyword)
    }

    /// The kind with this keyword.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == keyword);
        found.map(|&(kind, _)| kind)
    }

    /// `#vector.kind<add>`
    pub fn to_attr(self, context: &Context) -> Attr {
        enum_attr(context, "kind", self.keyword())
    }

    /// The kind of `op`; sums are what a missing attribute stands for.
    pub fn of(ir: &Ir, op: Op) -> Self {
        let context = ir.context();
        ir.attr(op, Name::KIND)
            .and_then(|attr| enum_keyword(context, attr, "kind"))
            .and_then(Self::from_keyword)
            .unwrap_or(Self::Add)
    }

    /// Whether it combines elements of this type.
    pub fn accepts(self, context: &Context, element: Type) -> bool {
        let is_int = element == Type::INDEX || is_integer(context, element);
        let is_float = constraints::is_float(context, element);
        match self {
            Self::Add | Self::Mul => is_int || is_float,
            Self::MinNumF | Self::MaxNumF | Self::MaximumF | Self::MinimumF => is_float,
            _ => is_int,
        }
    }

    /// The operation that combines two elements of this type.
    pub fn combination(self, context: &Context, element: Type) -> &'static OpDef {
        let is_float = constraints::is_float(context, element);
        match self {
            Self::Add if is_float => &arith::ADDF,
            Self::Add => &arith::ADDI,
            Self::Mul if is_float => &arith::MULF,
            Self::Mul => &arith::MULI,
            Self::MinUI => &arith::MINUI,
            Self::MinSI => &arith::MINSI,
            Self::MinNumF => &arith::MINNUMF,
            Self::MaxUI => &arith::MAXUI,
            Self::MaxSI => &arith::MAXSI,
            Self::MaxNumF => &arith::MAXNUMF,
            Self::And => &arith::ANDI,
            Self::Or => &arith::ORI,
            Self::Xor => &arith::XORI,
            Self::MaximumF => &arith::MAXIMUMF,
            Self::MinimumF => &arith::MINIMUMF,
        }
    }

    /// The bits of the element of this type that changes no other one it is combined with, if there is one.
    pub fn neutral(self, context: &Context, element: Type) -> Option<u128> {
        if let Some(kind) = context.float_kind(element) {
            let (least, greatest) = (float::extreme(kind, true), float::extreme(kind, false));
            let (number, otherwise) = match self {
                Self::Add => (-0.0, None),
                Self::Mul => (1.0, None),
                Self::MaximumF => return least,
                Self::MinimumF => return greatest,
                // Without NaN, the last number changes nothing either.
                Self::MaxNumF => (f64::NAN, least),
                _ => (f64::NAN, greatest),
            };
            let (bits, is_exact) = float::encode(kind, number)?;
            return if is_exact { Some(bits) } else { otherwise };
        }
        let width = match element {
            Type::INDEX => 64,
            _ => context.integer_width(element)?,
        };
        let ones = u128::MAX >> (128 - width.clamp(1, 128));
        Some(match self {
            Self::Mul => 1,
            Self::And | Self::MinUI => ones,
            Self::MaxSI => ones - (ones >> 1),
            Self::MinSI => ones >> 1,
            _ => 0,
        })
    }
}

/// Whether `ty` is an integer, with or without a sign.
pub(super) fn is_integer(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::Integer { .. })
}

/// `#vector.mnemonic<keyword>`
pub(super) fn enum_attr(context: &Context, mnemonic: &str, keyword: &str) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("vector"),
        body: format!("{mnemonic}<{keyword}>").into(),
        ty: None,
    })
}

/// How a loop of a `vector.contract` runs: `parallel` or `reduction`.
pub fn iterator_type(context: &Context, keyword: &str) -> Attr {
    enum_attr(context, "iterator_type", keyword)
}

/// The keyword in `#vector.mnemonic<keyword>`.
pub(super) fn enum_keyword<'a>(
    context: &'a Context,
    attr: Attr,
    mnemonic: &str,
) -> Option<&'a str> {
    let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
        return None;
    };
    if context.name(*dialect) != "vector" {
        return None;
    }
    let keyword = body.strip_prefix(mnemonic)?.trim_start();
    Some(keyword.strip_prefix('<')?.strip_suffix('>')?.trim())
}

/// `#vector.kind<...>` of a known kind.
pub(super) static KIND_ATTR: AttrConstraint = AttrConstraint {
    description: "Kind of combining function for contractions and reductions",
    accepts: |context, attr| {
        enum_keyword(context, attr, "kind")
            .is_some_and(|k| CombiningKind::from_keyword(k).is_some())
    },
    text: AttrText::Custom(&CustomAttrText {
        parse: parse_kind,
        print: |p, context, attr| {
            p.text("<");
            p.text(enum_keyword(context, attr, "kind").unwrap_or_default());
            p.text(">");
        },
    }),
};

/// `#vector.punctuation<...>`
pub(super) static PUNCTUATION_ATTR: AttrConstraint = AttrConstraint {
    description: "Punctuation for separating vectors or vector elements",
    accepts: |context, attr| {
        enum_keyword(context, attr, "punctuation").is_some_and(|k| PUNCTUATION.contains(&k))
    },
    ..AttrConstraint::BASE
};

/// What `vector.print punctuation <...>` takes.
pub(super) const PUNCTUATION: [&str; 5] = ["no_punctuation", "newline", "comma", "open", "close"];

/// An array of `true` and `false`.
pub(super) static BOOL_ARRAY_ATTR: AttrConstraint = AttrConstraint {
    description: "1-bit boolean array attribute",
    accepts: |context, attr| {
        let elements = context.attr_array(attr);
        elements.is_some_and(|all| all.iter().all(|&a| a == Attr::TRUE || a == Attr::FALSE))
    },
    ..AttrConstraint::BASE
};

/// An array of 64-bit integers.
pub(super) static I64_ARRAY_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit integer array attribute",
    accepts: |context, attr| {
        context.attr_array(attr).is_some_and(|all| {
            let is_i64 = |&a: &Attr| {
                matches!(context.attr_kind(a), AttrKind::Integer { ty, .. } if *ty == Type::I64)
            };
            all.iter().all(is_i64)
        })
    },
    text: AttrText::IntegerArray,
};

/// The numbers of an attribute that is an array of integers, of either sort.
pub fn numbers(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    let context = ir.context();
    let Some(attr) = ir.attr(op, name) else {
        return Vec::new();
    };
    if let Some(dense) = context.attr_i64_array(attr) {
        return dense;
    }
    let elements = context.attr_array(attr).unwrap_or(&[]);
    let numbers = elements.iter().filter_map(|&a| context.attr_integer(a));
    numbers.map(|n| n as i64).collect()
}

/// Reads `<add>`, or the whole attribute: `#vector.kind<add>` or an alias of it.
fn parse_kind(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
    let kinds = CombiningKind::ALL.map(|(_, keyword)| keyword);
    let keyword = parse_enum(p, "kind", "CombiningKind", &kinds)?;
    Ok(Some(enum_attr(p.context(), "kind", &keyword)))
}

/// Reads `<keyword>`, or the whole attribute: `#vector.mnemonic<keyword>` or an alias of it. Returns
/// the keyword.
pub(super) fn parse_enum(
    p: &mut dyn OpAsmParser<'_>,
    mnemonic: &str,
    class: &str,
    known: &[&str],
) -> Result<String, Failed> {
    if !p.peek_token("<") {
        let loc = p.loc();
        let Some(attr) = p.parse_opt_attr(None) else {
            return Err(p.error(loc, "expected '<'"));
        };
        let attr = attr?;
        return match enum_keyword(p.context(), attr, mnemonic) {
            Some(keyword) if known.contains(&keyword) => Ok(keyword.to_owned()),
            _ => Err(p.error(loc, "invalid kind of attribute specified")),
        };
    }
    p.parse_token("<")?;
    let loc = p.loc();
    let keyword = p.parse_any_keyword()?.to_owned();
    if !known.contains(&keyword.as_str()) {
        let message = format!(
            "expected ::mlir::vector::{class} to be one of: {}",
            known.join(", ")
        );
        return Err(p.error(loc, message));
    }
    p.parse_token(">")?;
    Ok(keyword)
}
