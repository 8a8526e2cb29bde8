//! What targets do with vectors: how large their registers are, and which operations on which elements they do on
//! whole registers.
//!
//! Passes decide by it which loops run in vectors, and the code generator which operations it does register by
//! register. A test in `backend/tests/native/target.rs` compiles every row for every kind of processor and looks for
//! operations that were split into elements.

use crate::dialects::arith::{CmpFPredicate, RoundingMode};
use crate::dialects::{arith, math};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::OpDef;
use crate::ir::types::{FloatKind, Type, TypeKind};

/// Bytes after which addresses have the same place in a cache of the first level again, of which there are eight or
/// twelve: more rows than that would not stay there. `matvec f32, 1024, no library` has them at this distance
/// (benches/results).
pub const CACHE_WAY: i64 = 4096;

/// How many lines with the same place stay in a cache of the first level, at least.
pub const CACHE_WAYS: i64 = 8;

/// The type of an element of a vector that fills registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// An integer of 8, 16, 32 or 64 bits, or an index.
    Int(u32),
    /// Computed in F32 and rounded, unless the processor computes with it.
    F16,
    /// Computed in F32 and rounded.
    BF16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Element {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Int(8),
        Self::Int(16),
        Self::Int(32),
        Self::Int(64),
        Self::F16,
        Self::BF16,
        Self::F32,
        Self::F64,
    ];

    /// What elements of this type are.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        match context.type_kind(ty) {
            TypeKind::Index => Some(Self::Int(64)),
            TypeKind::Integer { width, .. } if matches!(width, 8 | 16 | 32 | 64) => {
                Some(Self::Int(*width))
            }
            TypeKind::Float(FloatKind::F16) => Some(Self::F16),
            TypeKind::Float(FloatKind::BF16) => Some(Self::BF16),
            TypeKind::Float(FloatKind::F32) => Some(Self::F32),
            TypeKind::Float(FloatKind::F64) => Some(Self::F64),
            _ => None,
        }
    }

    /// Its bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::Int(bits) => bits,
            Self::F16 | Self::BF16 => 16,
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Its bytes.
    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// Whether it is a float of 16 bits.
    pub fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::BF16)
    }

    /// The set of it alone.
    fn set(self) -> Elements {
        match self {
            Self::Int(bits) => bits as Elements,
            Self::F16 => HALVES & !BF16,
            Self::BF16 => BF16,
            Self::F32 => F32,
            Self::F64 => F64,
        }
    }
}

/// A set of types of elements; integers are their numbers of bits.
type Elements = u16;

const I1: Elements = 1;
const UP_TO_16: Elements = 8 | 16;
const UP_TO_32: Elements = UP_TO_16 | 32;
const INTEGERS: Elements = UP_TO_32 | 64;
const BF16: Elements = 256;
const HALVES: Elements = BF16 | 512;
const F32: Elements = 1024;
const F64: Elements = 2048;
const SINGLES: Elements = F32 | F64;
const FLOATS: Elements = HALVES | SINGLES;

/// What processors need for some operations on whole registers, and some lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Products are added without being rounded.
    Fma,
    /// Floats of 16 bits are converted; so they are in registers of 256 bits or more.
    F16c,
    /// Floats are rounded to integers.
    Rounding,
    /// Floats are compared.
    Comparisons,
    /// Registers are larger than Cranelift's, which does one by one what needs this.
    Wide,
    /// Registers are the largest: only processors that have these convert and compare integers of 64 bits.
    Widest,
}

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features(u8);

impl Features {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// Whether a feature is one of them.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 != 0
    }

    /// The same and this one.
    #[must_use]
    pub const fn with(self, feature: Feature) -> Self {
        Self(self.0 | 1 << feature as u8)
    }
}

/// The registers of vectors of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vectors {
    /// Bytes of the largest ones.
    pub register: u64,
    /// What it cannot do with them.
    pub lacks: Features,
}

impl Vectors {
    /// Bytes of the registers that every processor has, the only ones of Cranelift.
    pub const SMALLEST: u64 = 16;

    /// Bytes of the smallest registers for floats of 16 bits and for what needs [`Feature::Wide`].
    pub const SMALLEST_WIDE: u64 = 32;

    /// Those of a processor that has everything that is asked for here.
    pub const ALL: Self = Self {
        register: 64,
        lacks: Features::NONE,
    };

    /// The largest registers of at most `bits` bits.
    pub fn new(bits: u32, lacks: Features) -> Self {
        let register = match bits {
            512.. => 64,
            256.. => 32,
            _ => Self::SMALLEST,
        };
        let lacks = match register {
            64.. => lacks,
            Self::SMALLEST_WIDE..64 => lacks.with(Feature::Widest),
            _ => lacks.with(Feature::Wide).with(Feature::Widest),
        };
        Self { register, lacks }
    }

    /// Whether there is an operation that these registers are made for.
    pub fn has(self, feature: Feature) -> bool {
        !self.lacks.has(feature)
    }

    /// Whether operations on elements of this type may be done on whole registers.
    pub fn hold(self, element: Element) -> bool {
        !element.is_half() || self.register >= Self::SMALLEST_WIDE && self.has(Feature::F16c)
    }

    /// Whether `op`, on elements or on vectors of them, is done on whole registers. `is_uniform` says whether a value
    /// is the same in all lanes.
    pub fn do_whole(self, ir: &Ir, op: Op, is_uniform: impl Fn(Value) -> bool) -> bool {
        let (&[result], Some(&last)) = (ir.results(op), ir.operands(op).last()) else {
            return false;
        };
        let of = |value| self.elements(ir.context(), ir.value_type(value));
        // Of `arith.select`, the last operand has the type of the result as well.
        let (Some(from), Some(to)) = (of(last), of(result)) else {
            return false;
        };
        let mut rows = ROWS.iter().filter(|row| ir.is(op, row.def));
        rows.any(|row| {
            let fits = match row.to {
                Some(elements) => elements & to != 0,
                None => from == to,
            };
            row.from & from != 0
                && fits
                && row.needs.is_none_or(|feature| self.has(feature))
                && row.form.is_there(ir, op, &is_uniform)
        })
    }

    /// The elements of a type as a set, if registers hold them or it is `i1`.
    fn elements(self, context: &Context, ty: Type) -> Option<Elements> {
        let ty = context.element_type_or_self(ty);
        if ty == Type::I1 {
            return Some(I1);
        }
        let element = Element::of(context, ty).filter(|&element| self.hold(element))?;
        Some(element.set())
    }
}

/// Of which forms of an operation a row is.
#[derive(Clone, Copy)]
enum Form {
    /// All.
    Any,
    /// Shifts of all lanes by as many bits.
    Uniform,
    /// What rounds as arithmetic does.
    Nearest,
    /// Comparisons that depend on what they compare.
    Varying,
}

impl Form {
    fn is_there(self, ir: &Ir, op: Op, is_uniform: impl Fn(Value) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::Uniform => is_uniform(ir.operand(op, 1)),
            Self::Nearest => rounds_to_nearest(ir, op),
            Self::Varying => CmpFPredicate::of(ir, op).is_some_and(|predicate| {
                use CmpFPredicate::{AlwaysFalse, AlwaysTrue};
                !matches!(predicate, AlwaysFalse | AlwaysTrue)
            }),
        }
    }
}

/// Whether a conversion to floats of fewer bits rounds as arithmetic does.
pub fn rounds_to_nearest(ir: &Ir, op: Op) -> bool {
    matches!(
        RoundingMode::of(ir, op),
        None | Some(RoundingMode::ToNearestEven)
    )
}

/// An operation on whole registers of these elements.
struct Row {
    def: &'static OpDef,
    from: Elements,
    /// Nothing if these are the same.
    to: Option<Elements>,
    needs: Option<Feature>,
    form: Form,
}

/// Declares rows: `operation: elements`, or `operation: from => to`; then what it needs, and which forms of it are
/// meant.
macro_rules! rows {
    ($($dialect:ident::$DEF:ident: $from:expr $(=> $to:expr)? $(, needs $feature:ident)? $(, if $form:ident)?;)*) => {
        &[$(Row {
            def: &$dialect::$DEF,
            from: $from,
            to: rows!(@option $($to)?),
            needs: rows!(@option $(Feature::$feature)?),
            form: rows!(@form $($form)?),
        }),*]
    };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@form) => { Form::Any };
    (@form $form:ident) => { Form::$form };
}

static ROWS: &[Row] = rows! {
    arith::ADDF: FLOATS;
    arith::ADDI: INTEGERS;
    arith::ANDI: INTEGERS;
    arith::BITCAST: INTEGERS | FLOATS => INTEGERS | FLOATS;
    arith::CMPF: FLOATS => I1, needs Comparisons, if Varying;
    arith::CMPI: INTEGERS => I1;
    arith::DIVF: FLOATS;
    arith::EXTF: F32 => F64;
    arith::EXTF: HALVES => F32;
    arith::EXTSI: I1 | INTEGERS => INTEGERS;
    arith::EXTUI: I1 | INTEGERS => INTEGERS;
    arith::FPTOSI: F32 => UP_TO_32;
    arith::FPTOSI: F64 => UP_TO_32, needs Wide;
    arith::FPTOSI: SINGLES => 64, needs Widest;
    arith::FPTOUI: F32 => UP_TO_16;
    arith::FPTOUI: F32 => 32 | 64, needs Widest;
    arith::FPTOUI: F64 => UP_TO_16, needs Wide;
    arith::FPTOUI: F64 => 32 | 64, needs Widest;
    arith::MAXIMUMF: FLOATS;
    arith::MAXSI: UP_TO_32;
    arith::MAXSI: 64, needs Widest;
    arith::MAXUI: UP_TO_32;
    arith::MAXUI: 64, needs Widest;
    arith::MINIMUMF: FLOATS;
    arith::MINSI: UP_TO_32;
    arith::MINSI: 64, needs Widest;
    arith::MINUI: UP_TO_32;
    arith::MINUI: 64, needs Widest;
    arith::MULF: FLOATS;
    arith::MULI: INTEGERS;
    arith::NEGF: FLOATS;
    arith::ORI: INTEGERS;
    arith::SELECT: INTEGERS | FLOATS;
    arith::SHLI: INTEGERS, if Uniform;
    arith::SHLI: INTEGERS, needs Wide;
    arith::SHRSI: INTEGERS, if Uniform;
    arith::SHRSI: INTEGERS, needs Wide;
    arith::SHRUI: INTEGERS, if Uniform;
    arith::SHRUI: INTEGERS, needs Wide;
    arith::SITOFP: UP_TO_32 => SINGLES;
    arith::SITOFP: 64 => SINGLES, needs Widest;
    arith::SUBF: FLOATS;
    arith::SUBI: INTEGERS;
    arith::TRUNCF: F32 => HALVES, if Nearest;
    arith::TRUNCF: F64 => F32, if Nearest;
    arith::TRUNCI: INTEGERS => INTEGERS;
    arith::UITOFP: UP_TO_32 => SINGLES;
    arith::UITOFP: 64 => SINGLES, needs Widest;
    arith::XORI: INTEGERS;
    math::ABSF: FLOATS;
    math::ABSI: UP_TO_32;
    math::ABSI: 64, needs Widest;
    math::CEIL: FLOATS, needs Rounding;
    math::FLOOR: FLOATS, needs Rounding;
    math::FMA: SINGLES, needs Fma;
    math::ROUNDEVEN: FLOATS, needs Rounding;
    math::SQRT: FLOATS;
    math::TRUNC: FLOATS, needs Rounding;
};

/// The operations that are done on whole registers of some elements, for tests.
pub fn whole_operations() -> impl Iterator<Item = &'static OpDef> {
    ROWS.iter().map(|row| row.def)
}
