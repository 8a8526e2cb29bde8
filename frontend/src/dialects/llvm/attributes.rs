//! Attributes that operations of the dialect share: flags, comparison predicates, positions, linkage.

use crate::dialects::arith::attributes::FlagsDef;
use crate::dialects::arith::{CmpFPredicate, CmpIPredicate};
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{I32_DENSE_ARRAY_ATTR, I64_ATTR};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, AttrText, CustomAttrText};
use crate::ir::types::Type;

/// `overflow<nsw, nuw>`
pub static OVERFLOW_FLAGS: FlagsDef = FlagsDef {
    dialect: "llvm",
    attr: Name::OVERFLOW_FLAGS,
    mnemonic: "overflow",
    flags: &["nsw", "nuw"],
    all: None,
    separator: ", ",
    class: "IntegerOverflowFlags",
    attr_class: "IntegerOverflow",
};

/// `#llvm.fastmath<nnan, contract>`
pub static FASTMATH_FLAGS: FlagsDef = FlagsDef {
    dialect: "llvm",
    attr: Name::FASTMATH_FLAGS,
    mnemonic: "fastmath",
    flags: &["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"],
    all: Some("fast"),
    separator: ", ",
    class: "FastmathFlags",
    attr_class: "Fastmath",
};

static OVERFLOW_ATTR: AttrConstraint = AttrConstraint {
    description: "overflow flags",
    accepts: |context, attr| OVERFLOW_FLAGS.decode(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| OVERFLOW_FLAGS.parse(p),
        print: |p, context, attr| OVERFLOW_FLAGS.print(p, context, attr),
    }),
};
static FASTMATH_ATTR: AttrConstraint =
    AttrConstraint::new("LLVM fastmath flags", |context, attr| {
        FASTMATH_FLAGS.decode(context, attr).is_some()
    });

pub(super) const OVERFLOW: AttrSpec =
    AttrSpec::defaulted(Name::OVERFLOW_FLAGS, &OVERFLOW_ATTR, |context| {
        OVERFLOW_FLAGS.encode(context, 0)
    });
pub(super) const FASTMATH: AttrSpec =
    AttrSpec::defaulted(Name::FASTMATH_FLAGS, &FASTMATH_ATTR, |context| {
        FASTMATH_FLAGS.encode(context, 0)
    });

/// The name of a predicate of floats in this dialect, where two begin with an underscore.
fn float_keyword(predicate: CmpFPredicate) -> &'static str {
    match predicate {
        CmpFPredicate::AlwaysFalse => "_false",
        CmpFPredicate::AlwaysTrue => "_true",
        other => other.keyword(),
    }
}

/// Reads `"name"`, one of `cases`, and gives its number.
fn parse_quoted<T: Copy>(
    p: &mut dyn OpAsmParser<'_>,
    cases: &[T],
    keyword: fn(T) -> &'static str,
    what: &str,
) -> Result<Option<Attr>, Failed> {
    let loc = p.loc();
    let text = p.parse_string()?;
    let found = cases.iter().position(|&case| keyword(case) == text);
    match found {
        Some(number) => Ok(Some(p.context().i64_attr(number as i64))),
        None => Err(p.error(
            loc,
            format!("'{text}' is an incorrect value of the '{what}' attribute"),
        )),
    }
}

static ICMP_PREDICATE: AttrConstraint = AttrConstraint {
    description: "lvm.icmp comparison predicate",
    accepts: |context, attr| is_number_below(context, attr, 10),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| parse_quoted(p, CmpIPredicate::ALL, CmpIPredicate::keyword, "predicate"),
        print: |p, context, attr| {
            let predicate = context.attr_integer(attr);
            let predicate = predicate.and_then(CmpIPredicate::from_integer);
            p.string(predicate.map_or("", CmpIPredicate::keyword));
        },
    }),
};
static FCMP_PREDICATE: AttrConstraint = AttrConstraint {
    description: "llvm.fcmp comparison predicate",
    accepts: |context, attr| is_number_below(context, attr, 16),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| parse_quoted(p, CmpFPredicate::ALL, float_keyword, "predicate"),
        print: |p, context, attr| {
            let predicate = context.attr_integer(attr);
            let predicate = predicate.and_then(CmpFPredicate::from_integer);
            p.string(predicate.map_or("", float_keyword));
        },
    }),
};

fn is_number_below(context: &Context, attr: Attr, end: i128) -> bool {
    matches!(
        context.attr_kind(attr),
        AttrKind::Integer { ty, value } if *ty == Type::I64 && (0..end).contains(value)
    )
}

pub(super) const ICMP: AttrSpec = AttrSpec::required(Name::PREDICATE, &ICMP_PREDICATE);
pub(super) const FCMP: AttrSpec = AttrSpec::required(Name::PREDICATE, &FCMP_PREDICATE);

/// `[1, 2]` for an `array<i32>`.
pub(super) static I32_LIST: AttrConstraint =
    I32_DENSE_ARRAY_ATTR.written(AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let numbers = p.parse_integer_list()?;
            let numbers: Vec<i32> = numbers.into_iter().map(|n| n as i32).collect();
            Ok(Some(p.context().i32_array_attr(&numbers)))
        },
        print: |p, context, attr| {
            let numbers: Vec<i64> = match context.attr_i32_array(attr) {
                Some(numbers) => numbers.map(i64::from).collect(),
                None => Vec::new(),
            };
            p.integer_list(&numbers);
        },
    }));

/// `acquire` and the like, by number.
const ORDERINGS: &[(i64, &str)] = &[
    (0, "not_atomic"),
    (1, "unordered"),
    (2, "monotonic"),
    (4, "acquire"),
    (5, "release"),
    (6, "acq_rel"),
    (7, "seq_cst"),
];

static ORDERING_ATTR: AttrConstraint = AttrConstraint {
    description: "Atomic ordering for LLVM's memory model",
    accepts: |context, attr| {
        let number = context.attr_integer(attr);
        ORDERINGS.iter().any(|&(n, _)| number == Some(n.into()))
    },
    text: AttrText::Custom(&CustomAttrText {
        parse: parse_ordering,
        print: print_ordering,
    }),
};

pub(super) fn parse_ordering(p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
    let loc = p.loc();
    let word = p.parse_any_keyword()?;
    match ORDERINGS.iter().find(|(_, name)| *name == word) {
        Some(&(number, _)) => Ok(Some(p.context().i64_attr(number))),
        None => Err(p.error(loc, format!("'{word}' is no ordering of atomic accesses"))),
    }
}

pub(super) fn print_ordering(p: &mut dyn OpAsmPrinter, context: &Context, attr: Attr) {
    let number = context.attr_integer(attr);
    let found = ORDERINGS.iter().find(|&&(n, _)| number == Some(n.into()));
    p.text(found.map_or("", |&(_, name)| name));
}

pub(super) const ORDERING: AttrSpec =
    AttrSpec::defaulted(Name::ORDERING, &ORDERING_ATTR, |context| {
        context.i64_attr(0)
    });
pub(super) const VISIBILITY: AttrSpec =
    AttrSpec::defaulted(Name::VISIBILITY_, &I64_ATTR, |context| context.i64_attr(0));

/// Who sees a symbol and whose definition counts.
pub(super) const LINKAGES: &[&str] = &[
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "weak",
    "common",
    "appending",
    "extern_weak",
    "linkonce_odr",
    "weak_odr",
    "external",
];

/// `#llvm.linkage<...>`
pub(super) fn linkage_attr(context: &Context, linkage: &str) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("llvm"),
        body: format!("linkage<{linkage}>").into(),
        ty: None,
    })
}

/// `#llvm.zero`.
pub(super) fn zero(context: &Context) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("llvm"),
        body: "zero".into(),
        ty: None,
    })
}

/// Whether it is `#llvm.zero`.
pub(super) fn is_zero(context: &Context, attr: Attr) -> bool {
    match context.attr_kind(attr) {
        AttrKind::Dialect { dialect, body, .. } => {
            context.name(*dialect) == "llvm" && &**body == "zero"
        }
        _ => false,
    }
}

/// The word in `#llvm.linkage<...>`.
pub fn linkage(context: &Context, attr: Attr) -> Option<&str> {
    let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
        return None;
    };
    let word = body.strip_prefix("linkage<")?.strip_suffix('>')?;
    (context.name(*dialect) == "llvm" && LINKAGES.contains(&word)).then_some(word)
}

static LINKAGE_ATTR: AttrConstraint =
    AttrConstraint::new("LLVM linkage specification", |c, a| linkage(c, a).is_some());
/// Of functions, which others see unless something else is said.
pub(super) const FUNCTION_LINKAGE: AttrSpec =
    AttrSpec::defaulted(Name::LINKAGE, &LINKAGE_ATTR, |context| {
        linkage_attr(context, "external")
    });
/// Of globals, which always say it.
pub(super) const GLOBAL_LINKAGE: AttrSpec = AttrSpec::required(Name::LINKAGE, &LINKAGE_ATTR);

/// Reads one of the linkages if it is next.
pub(super) fn parse_opt_linkage(p: &mut dyn OpAsmParser<'_>) -> Option<Attr> {
    let word = LINKAGES.iter().find(|word| p.parse_opt_keyword(word))?;
    Some(linkage_attr(p.context(), word))
}
