//! The enumerations of arith's attributes: comparison predicates, fast-math
//! and overflow flags, rounding modes; how they are stored and spelled.
//!
//! Flags that are all off are not stored at all.

use super::assembly::parse_enum_keyword;
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::UNIT_ATTR;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, AttrText, CustomAttrText};
use crate::ir::types::Type;

/// Declares an enumeration that is stored as an integer attribute.
macro_rules! integer_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$case_meta:meta])* $case:ident = $keyword:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$case_meta])* $case,)* }

        impl $name {
            /// All cases, each at the index that is its integer value.
            pub const ALL: &'static [$name] = &[$($name::$case,)*];

            /// The keyword in the text format.
            pub const fn keyword(self) -> &'static str {
                match self { $($name::$case => $keyword,)* }
            }

            /// The case with this keyword.
            pub fn from_keyword(keyword: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.keyword() == keyword)
            }

            /// The case with this integer value.
            pub fn from_integer(value: i128) -> Option<Self> {
                Self::ALL.get(usize::try_from(value).ok()?).copied()
            }
        }
    };
}

integer_enum! {
    /// How integers are compared.
    CmpIPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Signed less than.
        Slt = "slt",
        /// Signed less than or equal.
        Sle = "sle",
        /// Signed greater than.
        Sgt = "sgt",
        /// Signed greater than or equal.
        Sge = "sge",
        /// Unsigned less than.
        Ult = "ult",
        /// Unsigned less than or equal.
        Ule = "ule",
        /// Unsigned greater than.
        Ugt = "ugt",
        /// Unsigned greater than or equal.
        Uge = "uge",
    }
}

impl CmpIPredicate {
    /// The predicate of an `arith.cmpi`.
    pub fn of(ir: &Ir, op: Op) -> Option<Self> {
        let attr = ir.attr(op, Name::PREDICATE)?;
        Self::from_integer(ir.context().attr_integer(attr)?)
    }

    /// The attribute that stores it.
    pub fn to_attr(self, context: &Context) -> Attr {
        context.i64_attr(self as i64)
    }

    /// The predicate that holds when this one does not.
    #[must_use]
    pub const fn inverted(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
        }
    }

    /// The predicate that holds for `(b, a)` when this one does for `(a, b)`.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
        }
    }

    /// Whether it holds between equal numbers.
    pub const fn holds_for_equal(self) -> bool {
        matches!(
            self,
            Self::Eq | Self::Sle | Self::Sge | Self::Ule | Self::Uge
        )
    }

    /// Whether it reads its operands as unsigned.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::Ult | Self::Ule | Self::Ugt | Self::Uge)
    }

    /// Whether it holds between two numbers given both ways: sign-extended and zero-extended.
    pub fn holds(self, signed: (i128, i128), unsigned: (u128, u128)) -> bool {
        match self {
            Self::Eq => unsigned.0 == unsigned.1,
            Self::Ne => unsigned.0 != unsigned.1,
            Self::Slt => signed.0 < signed.1,
            Self::Sle => signed.0 <= signed.1,
            Self::Sgt => signed.0 > signed.1,
            Self::Sge => signed.0 >= signed.1,
            Self::Ult => unsigned.0 < unsigned.1,
            Self::Ule => unsigned.0 <= unsigned.1,
            Self::Ugt => unsigned.0 > unsigned.1,
            Self::Uge => unsigned.0 >= unsigned.1,
        }
    }
}

integer_enum! {
    /// How floats are compared. Ordered predicates are false, unordered ones
    /// true, when a side is not a number.
    CmpFPredicate {
        /// Never.
        AlwaysFalse = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Ordered.
        Ord = "ord",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered, greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered, less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// Unordered.
        Uno = "uno",
        /// Always.
        AlwaysTrue = "true",
    }
}

impl CmpFPredicate {
    /// The predicate of an `arith.cmpf`.
    pub fn of(ir: &Ir, op: Op) -> Option<Self> {
        let attr = ir.attr(op, Name::PREDICATE)?;
        Self::from_integer(ir.context().attr_integer(attr)?)
    }

    /// The attribute that stores it.
    pub fn to_attr(self, context: &Context) -> Attr {
        context.i64_attr(self as i64)
    }

    /// Whether it holds between numbers that compare like this (`None`: unordered).
    pub fn holds(self, ordering: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let (unordered, orderings): (bool, &[std::cmp::Ordering]) = match self {
            Self::AlwaysFalse => (false, &[]),
            Self::Oeq => (false, &[Equal]),
            Self::Ogt => (false, &[Greater]),
            Self::Oge => (false, &[Greater, Equal]),
            Self::Olt => (false, &[Less]),
            Self::Ole => (false, &[Less, Equal]),
            Self::One => (false, &[Less, Greater]),
            Self::Ord => (false, &[Less, Equal, Greater]),
            Self::Ueq => (true, &[Equal]),
            Self::Ugt => (true, &[Greater]),
            Self::Uge => (true, &[Greater, Equal]),
            Self::Ult => (true, &[Less]),
            Self::Ule => (true, &[Less, Equal]),
            Self::Une => (true, &[Less, Greater]),
            Self::Uno => (true, &[]),
            Self::AlwaysTrue => (true, &[Less, Equal, Greater]),
        };
        ordering.map_or(unordered, |ordering| orderings.contains(&ordering))
    }
}

integer_enum! {
    /// How `arith.truncf` rounds.
    RoundingMode {
        /// To the nearest value, ties to the even one.
        ToNearestEven = "to_nearest_even",
        /// Towards negative infinity.
        Downward = "downward",
        /// Towards positive infinity.
        Upward = "upward",
        /// Towards zero.
        TowardZero = "toward_zero",
        /// To the nearest value, ties away from zero.
        ToNearestAway = "to_nearest_away",
    }
}

impl RoundingMode {
    /// The rounding mode of an `arith.truncf`, if it has one.
    pub fn of(ir: &Ir, op: Op) -> Option<Self> {
        let attr = ir.attr(op, Name::ROUNDINGMODE)?;
        Self::from_integer(ir.context().attr_integer(attr)?)
    }
}

/// How a set of flags is stored and spelled.
pub struct FlagsDef {
    /// Whose attribute it is.
    pub(crate) dialect: &'static str,
    /// The attribute.
    pub(crate) attr: Name,
    /// The mnemonic of the attribute: `#dialect.mnemonic<...>`.
    pub(crate) mnemonic: &'static str,
    /// The flags, by bit.
    pub(crate) flags: &'static [&'static str],
    /// The name of all flags together.
    pub(crate) all: Option<&'static str>,
    /// Between flags.
    pub(crate) separator: &'static str,
    /// Upstream's names, for its messages.
    pub(crate) class: &'static str,
    pub(crate) attr_class: &'static str,
}

/// `fastmath<...>`
pub static FASTMATH_FLAGS: FlagsDef = FlagsDef {
    dialect: "arith",
    attr: Name::FASTMATH,
    mnemonic: "fastmath",
    flags: &["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"],
    all: Some("fast"),
    separator: ",",
    class: "FastMathFlags",
    attr_class: "FastMath",
};

/// `overflow<...>`
pub static OVERFLOW_FLAGS: FlagsDef = FlagsDef {
    dialect: "arith",
    attr: Name::OVERFLOW_FLAGS,
    mnemonic: "overflow",
    flags: &["nsw", "nuw"],
    all: None,
    separator: ", ",
    class: "IntegerOverflowFlags",
    attr_class: "IntegerOverflow",
};

impl FlagsDef {
    /// The attribute with the flags of `attr`, an attribute of another dialect with flags of the same
    /// names; nothing if none is on.
    pub fn translate(&self, context: &Context, from: &Self, attr: Attr) -> Option<Attr> {
        let bits = from.decode(context, attr)?;
        let on = from.flags.iter().enumerate();
        let on = on.filter(|(bit, _)| bits >> bit & 1 != 0);
        let bits = on.filter_map(|(_, flag)| self.bits_of(flag));
        let bits = bits.fold(0, |bits, flag| bits | flag);
        (bits != 0).then(|| self.encode(context, bits))
    }

    fn all_bits(&self) -> u32 {
        (1 << self.flags.len()) - 1
    }

    /// The bits of a keyword.
    fn bits_of(&self, keyword: &str) -> Option<u32> {
        if keyword == "none" {
            return Some(0);
        }
        if self.all == Some(keyword) {
            return Some(self.all_bits());
        }
        let bit = self.flags.iter().position(|&flag| flag == keyword)?;
        Some(1 << bit)
    }

    /// The bits that `attr` stores, if it is such an attribute.
    pub(crate) fn decode(&self, context: &Context, attr: Attr) -> Option<u32> {
        let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
            return None;
        };
        let flags = body
            .strip_prefix(self.mnemonic)?
            .trim_start()
            .strip_prefix('<')?
            .strip_suffix('>')?;
        if context.name(*dialect) != self.dialect {
            return None;
        }
        flags
            .split(',')
            .try_fold(0, |bits, flag| Some(bits | self.bits_of(flag.trim())?))
    }

    /// `fast`, or the flags with separators.
    fn spelling(&self, bits: u32) -> String {
        if let Some(all) = self.all
            && bits == self.all_bits()
        {
            return all.to_owned();
        }
        if bits == 0 {
            return "none".to_owned();
        }
        let flags: Vec<&str> = (0..self.flags.len())
            .filter(|bit| bits >> bit & 1 != 0)
            .map(|bit| self.flags[bit])
            .collect();
        flags.join(self.separator)
    }

    pub(crate) fn encode(&self, context: &Context, bits: u32) -> Attr {
        context.intern_attr(AttrKind::Dialect {
            dialect: context.intern_name(self.dialect),
            body: format!("{}<{}>", self.mnemonic, self.spelling(bits)).into(),
            ty: None,
        })
    }

    fn bits(&self, ir: &Ir, op: Op) -> u32 {
        ir.attr(op, self.attr)
            .and_then(|attr| self.decode(ir.context(), attr))
            .unwrap_or(0)
    }

    /// Reads `<flags>`; nothing if all are off.
    pub(crate) fn parse(&self, p: &mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed> {
        let mut bits = 0;
        p.parse_list(Delimiter::Angle, &mut |p| {
            let loc = p.loc();
            let keyword = p.parse_any_keyword()?;
            match self.bits_of(keyword) {
                Some(flag) => bits |= flag,
                None => {
                    let flags = self.flags.join(", ");
                    let all = self.all.map_or(String::new(), |all| format!(", {all}"));
                    let class = self.class;
                    p.error(
                        loc,
                        format!("expected ::mlir::arith::{class} to be one of: none, {flags}{all}"),
                    );
                    let attr_class = self.attr_class;
                    return Err(p.error(
                        p.loc(),
                        format!(
                            "failed to parse Arith_{attr_class}Attr parameter 'value' which is to be a `::mlir::arith::{class}`"
                        ),
                    ));
                }
            }
            Ok(())
        })?;
        Ok((bits != 0).then(|| self.encode(p.context(), bits)))
    }

    /// Writes `<flags>`.
    pub(crate) fn print(&self, p: &mut dyn OpAsmPrinter, context: &Context, attr: Attr) {
        let bits = self.decode(context, attr).unwrap_or(0);
        p.text(&format!("<{}>", self.spelling(bits)));
    }
}

/// Licence to treat floats as if they were real numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FastMathFlags(u32);

impl FastMathFlags {
    /// No licence.
    pub const NONE: Self = Self(0);
    /// Operations may be regrouped.
    pub const REASSOC: Self = Self(1);
    /// Nothing is NaN.
    pub const NNAN: Self = Self(1 << 1);
    /// Nothing is infinite.
    pub const NINF: Self = Self(1 << 2);
    /// The sign of zero does not matter.
    pub const NSZ: Self = Self(1 << 3);
    /// Division may become multiplication by the reciprocal.
    pub const ARCP: Self = Self(1 << 4);
    /// Multiplication and addition may be fused.
    pub const CONTRACT: Self = Self(1 << 5);
    /// Functions may be approximated.
    pub const AFN: Self = Self(1 << 6);
    /// All of them.
    pub const FAST: Self = Self((1 << 7) - 1);

    /// The flags of an operation.
    pub fn of(ir: &Ir, op: Op) -> Self {
        Self(FASTMATH_FLAGS.bits(ir, op))
    }

    /// Whether all of `other` are on.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags of either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both allow.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The attribute that stores them; `None` if all are off.
    pub fn to_attr(self, context: &Context) -> Option<Attr> {
        (self.0 != 0).then(|| FASTMATH_FLAGS.encode(context, self.0))
    }
}

/// Promises that an integer operation does not wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OverflowFlags(u32);

impl OverflowFlags {
    /// No promise.
    pub const NONE: Self = Self(0);
    /// No signed wrap.
    pub const NSW: Self = Self(1);
    /// No unsigned wrap.
    pub const NUW: Self = Self(1 << 1);

    /// The flags of an operation.
    pub fn of(ir: &Ir, op: Op) -> Self {
        Self(OVERFLOW_FLAGS.bits(ir, op))
    }

    /// Whether all of `other` are on.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What both promise.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What either promises.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The attribute that stores them; `None` if all are off.
    pub fn to_attr(self, context: &Context) -> Option<Attr> {
        (self.0 != 0).then(|| OVERFLOW_FLAGS.encode(context, self.0))
    }
}

fn is_enum(context: &Context, attr: Attr, expected: Type, n_cases: i128) -> bool {
    matches!(
        context.attr_kind(attr),
        AttrKind::Integer { ty, value } if *ty == expected && (0..n_cases).contains(value)
    )
}

static FASTMATH_ATTR: AttrConstraint = AttrConstraint {
    description: "Floating point fast math flags",
    accepts: |context, attr| FASTMATH_FLAGS.decode(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| FASTMATH_FLAGS.parse(p),
        print: |p, context, attr| FASTMATH_FLAGS.print(p, context, attr),
    }),
};
static OVERFLOW_ATTR: AttrConstraint = AttrConstraint {
    description: "Integer overflow arith flags",
    accepts: |context, attr| OVERFLOW_FLAGS.decode(context, attr).is_some(),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| OVERFLOW_FLAGS.parse(p),
        print: |p, context, attr| OVERFLOW_FLAGS.print(p, context, attr),
    }),
};
static ROUNDING_MODE_ATTR: AttrConstraint = AttrConstraint {
    description: "Floating point rounding mode",
    accepts: |context, attr| is_enum(context, attr, Type::I32, 5),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let mode = RoundingMode::ALL
                .iter()
                .find(|mode| p.parse_opt_keyword(mode.keyword()));
            Ok(mode.map(|&mode| p.context().integer_attr(Type::I32, mode as i128)))
        },
        print: |p, context, attr| {
            let mode = context
                .attr_integer(attr)
                .and_then(RoundingMode::from_integer);
            p.text(mode.map_or("", RoundingMode::keyword));
        },
    }),
};
static CMPI_PREDICATE_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    accepts: |context, attr| is_enum(context, attr, Type::I64, 10),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let predicate =
                parse_enum_keyword(p, "predicate", CmpIPredicate::ALL, CmpIPredicate::keyword)?;
            Ok(Some(predicate.to_attr(p.context())))
        },
        print: |p, context, attr| {
            let predicate = context
                .attr_integer(attr)
                .and_then(CmpIPredicate::from_integer);
            p.text(predicate.map_or("", CmpIPredicate::keyword));
        },
    }),
};
static CMPF_PREDICATE_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    accepts: |context, attr| is_enum(context, attr, Type::I64, 16),
    text: AttrText::Custom(&CustomAttrText {
        parse: |p| {
            let predicate =
                parse_enum_keyword(p, "predicate", CmpFPredicate::ALL, CmpFPredicate::keyword)?;
            Ok(Some(predicate.to_attr(p.context())))
        },
        print: |p, context, attr| {
            let predicate = context
                .attr_integer(attr)
                .and_then(CmpFPredicate::from_integer);
            p.text(predicate.map_or("", CmpFPredicate::keyword));
        },
    }),
};
fn has_type(context: &Context, attr: Attr) -> bool {
    context.attr_carried_type(attr).is_some()
}

static TYPED_ATTR: AttrConstraint = AttrConstraint {
    description: "TypedAttr instance",
    accepts: has_type,
    text: AttrText::Of(None, has_type),
};

/// The attribute of operations with fast-math flags.
pub(crate) const FASTMATH: AttrSpec =
    AttrSpec::defaulted(Name::FASTMATH, &FASTMATH_ATTR, |context| {
        FASTMATH_FLAGS.encode(context, 0)
    });
/// The attribute of operations for which upstream has no default, as casts between floats.
pub(crate) const OPTIONAL_FASTMATH: AttrSpec = AttrSpec::optional(Name::FASTMATH, &FASTMATH_ATTR);
/// The attribute of operations with overflow flags.
pub(super) const OVERFLOW: AttrSpec =
    AttrSpec::defaulted(Name::OVERFLOW_FLAGS, &OVERFLOW_ATTR, |context| {
        OVERFLOW_FLAGS.encode(context, 0)
    });
/// The attribute of `arith.trunci`, which it does not have in MLIR 19.
/// Of quotients and shifts to the right: the result is poison where a remainder or a bit is lost.
pub(super) const EXACT: AttrSpec = AttrSpec::optional(Name::IS_EXACT, &UNIT_ATTR);

pub(super) const OPTIONAL_OVERFLOW: AttrSpec =
    AttrSpec::optional(Name::OVERFLOW_FLAGS, &OVERFLOW_ATTR);
/// The attribute of `arith.truncf`.
pub(super) const ROUNDING_MODE: AttrSpec =
    AttrSpec::optional(Name::ROUNDINGMODE, &ROUNDING_MODE_ATTR);
/// The attribute of `arith.cmpi`.
pub(super) const CMPI_PREDICATE: AttrSpec =
    AttrSpec::required(Name::PREDICATE, &CMPI_PREDICATE_ATTR);
/// The attribute of `arith.cmpf`.
pub(super) const CMPF_PREDICATE: AttrSpec =
    AttrSpec::required(Name::PREDICATE, &CMPF_PREDICATE_ATTR);
/// The attribute of `arith.constant`.
pub(super) const CONSTANT_VALUE: AttrSpec = AttrSpec::required(Name::VALUE, &TYPED_ATTR);
