//! The form in which [`table`](super::table) describes what a named structured
//! operation computes: loops, subscripts of operands, and the body as an
//! expression.

use crate::ir::op_def::OpDef;

/// One named operation.
#[derive(Debug)]
pub struct NamedOp {
    /// Its row.
    pub def: &'static OpDef,
    /// Number of inputs; there is always one output.
    pub n_inputs: usize,
    /// Its loops.
    pub loops: Loops,
    /// Where operands are accessed, in order; empty for [`Loops::OfOutput`].
    pub maps: &'static [&'static [Index]],
    /// What is yielded.
    pub body: &'static Expr,
}

/// The loops of a named operation.
#[derive(Debug)]
pub enum Loops {
    /// One letter per loop: `p` parallel, `r` reduction.
    Fixed(&'static str),
    /// One parallel loop per dimension of the output; every operand is
    /// accessed at the position of the output, scalars anywhere.
    OfOutput,
}

/// One subscript of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// A loop.
    D(u8),
    /// The sum of two loops: a window of unit stride.
    Sum(u8, u8),
    /// A loop over the output times a stride, plus a loop over the window times
    /// a dilation; the last number says which stride and dilation.
    Window(u8, u8, u8),
}

/// How numbers are read when they are cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeFn {
    /// As signed.
    Signed,
    /// As unsigned.
    Unsigned,
    /// As attribute `cast` says; signed without it.
    Attr,
}

/// What is cast to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The type of the output's elements.
    Out,
    /// `f64`
    F64,
    /// `i32`
    I32,
}

macro_rules! functions {
    ($(#[$meta:meta])* $name:ident { $($case:ident = $keyword:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each variant is its keyword")]
        pub enum $name { $($case,)* }

        impl $name {
            /// The function with this keyword.
            pub fn from_keyword(keyword: &str) -> Option<Self> {
                match keyword {
                    $($keyword => Some(Self::$case),)*
                    _ => None,
                }
            }
        }
    };
}

functions! {
    /// Functions of one float.
    UnaryFn {
        Exp = "exp",
        Log = "log",
        Abs = "abs",
        Ceil = "ceil",
        Floor = "floor",
        Negf = "negf",
        Reciprocal = "reciprocal",
        Round = "round",
        Sqrt = "sqrt",
        Rsqrt = "rsqrt",
        Square = "square",
        Tanh = "tanh",
        Erf = "erf",
    }
}

functions! {
    /// Functions of two numbers.
    BinaryFn {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        Div = "div",
        DivUnsigned = "div_unsigned",
        MaxSigned = "max_signed",
        MinSigned = "min_signed",
        MaxUnsigned = "max_unsigned",
        MinUnsigned = "min_unsigned",
        Powf = "powf",
    }
}

/// What a body computes from its arguments: inputs, then the output.
#[derive(Debug)]
pub enum Expr {
    /// An argument.
    Arg(u8),
    /// An `i64` constant.
    Int(i64),
    /// An `f64` constant.
    Float(f64),
    /// The counter of a loop.
    LoopIndex(u8),
    /// A cast.
    Cast(TypeFn, Target, &'static Expr),
    /// A function of one number.
    Unary(UnaryFn, &'static Expr),
    /// The function that attribute `fun` names; `exp` without it.
    UnaryAttr(&'static Expr),
    /// A function of two numbers.
    Binary(BinaryFn, &'static Expr, &'static Expr),
    /// The function that attribute `fun` names; `add` without it.
    BinaryAttr(&'static Expr, &'static Expr),
    /// The second if the first is true, else the third.
    Select(&'static Expr, &'static Expr, &'static Expr),
}
