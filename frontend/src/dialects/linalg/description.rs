//! The form in which [`named`](super::named) describes what a named structured
//! operation computes: loops and subscripts of operands in index notation, and
//! the body as an expression.

use crate::ir::op_def::OpDef;

/// One named operation.
#[derive(Debug)]
pub struct NamedOp {
    /// Its row.
    pub def: &'static OpDef,
    /// Where operands are accessed: inputs, then the one output.
    pub indices: Indices,
    /// The yielded value.
    pub body: &'static Expr,
}

/// One subscript of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// A loop.
    D(u8),
    /// The sum of two loops: a window of unit stride.
    Sum(u8, u8),
    /// A loop over the output times a stride, plus a loop over the window times
    /// a dilation; the last number says which stride and dilation.
    Window(u8, u8, u8),
}

const MAX_OPERANDS: usize = 5;
const MAX_RANK: usize = 6;

/// The loops and subscripts of a named operation, in index notation.
///
/// `m n k: [m, k], [k, n] -> [m, n]` has three loops, outermost first; those
/// that the output has are parallel, the others reductions. `h*s1 + kh*d1` is a
/// window with stride and dilation number 1, `[]` a scalar. `[..] -> [..]` has a
/// parallel loop per dimension of the output, at whose position every operand
/// is accessed, scalars anywhere.
#[derive(Debug)]
pub struct Indices {
    n_operands: usize,
    /// `None` if there are as many as the output has dimensions.
    n_loops: Option<usize>,
    maps: [[Index; MAX_RANK]; MAX_OPERANDS],
    ranks: [usize; MAX_OPERANDS],
}

impl Indices {
    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.n_operands - 1
    }

    /// Number of loops, unless it is that of the dimensions of the output.
    pub fn n_loops(&self) -> Option<usize> {
        self.n_loops
    }

    /// The subscripts of each operand, where the number of loops is fixed.
    pub fn maps(&self) -> impl Iterator<Item = &[Index]> {
        let maps = self.maps.iter().zip(&self.ranks).take(self.n_operands);
        maps.map(|(map, &rank)| &map[..rank])
    }

    /// Whether iterations of loop `index` may be run in any order.
    pub fn is_parallel(&self, index: usize) -> bool {
        let output = self.n_operands - 1;
        self.maps[output][..self.ranks[output]].contains(&Index::D(index as u8))
    }

    /// Reads index notation.
    ///
    /// # Panics
    /// If it is wrong: while rows are compiled.
    pub(super) const fn parse(text: &str) -> Self {
        let text = text.as_bytes();
        let mut this = Self {
            n_operands: 0,
            n_loops: None,
            maps: [[Index::D(0); MAX_RANK]; MAX_OPERANDS],
            ranks: [0; MAX_OPERANDS],
        };
        // The loops begin at these places.
        let mut loops = [0; 16];
        let mut n_loops = 0;
        let mut at = 0;
        while text[at] != b'[' {
            if text[at].is_ascii_alphanumeric() {
                loops[n_loops] = at;
                n_loops += 1;
                at = end_of_name(text, at);
                continue;
            }
            this.n_loops = Some(n_loops);
            at += 1;
        }
        while at < text.len() {
            if text[at] != b'[' {
                at += 1;
                continue;
            }
            at += 1;
            let operand = this.n_operands;
            this.n_operands += 1;
            while text[at] != b']' {
                if !text[at].is_ascii_alphanumeric() {
                    at += 1;
                    continue;
                }
                let (index, end) = subscript(text, at, &loops, n_loops);
                this.maps[operand][this.ranks[operand]] = index;
                this.ranks[operand] += 1;
                at = end;
            }
        }
        this
    }
}

const fn end_of_name(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at].is_ascii_alphanumeric() {
        at += 1;
    }
    at
}

/// The loop whose name is at `at`.
const fn loop_at(text: &[u8], at: usize, loops: &[usize], n_loops: usize) -> u8 {
    let n = end_of_name(text, at) - at;
    let mut index = 0;
    while index < n_loops {
        let start = loops[index];
        if end_of_name(text, start) - start == n {
            let mut i = 0;
            while i < n && text[start + i] == text[at + i] {
                i += 1;
            }
            if i == n {
                return index as u8;
            }
        }
        index += 1;
    }
    panic!("a subscript names no loop")
}

/// Reads `a`, `a + b` or `a*s0 + b*d0`; returns where it ends, too.
const fn subscript(text: &[u8], at: usize, loops: &[usize], n_loops: usize) -> (Index, usize) {
    let first = loop_at(text, at, loops, n_loops);
    let mut end = end_of_name(text, at);
    let mut number = None;
    if text[end] == b'*' {
        number = Some(text[end + 2] - b'0');
        end += 3;
    }
    if text[end] != b' ' {
        return (Index::D(first), end);
    }
    // ` + `
    let at = end + 3;
    let second = loop_at(text, at, loops, n_loops);
    let end = end_of_name(text, at);
    match number {
        None => (Index::Sum(first, second), end),
        Some(number) => (Index::Window(first, second, number), end + 3),
    }
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

/// The source of the cast.
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

#[cfg(test)]
mod tests {
    use super::*;
    use Index::{D, Sum, Window};

    #[test]
    fn index_notation_is_read() {
        let maps =
            |indices: &Indices| -> Vec<Vec<Index>> { indices.maps().map(Vec::from).collect() };

        let conv = Indices::parse("n w f kw c: [n, w*s0 + kw*d0, c], [kw, c, f], [] -> [n, w, f]");
        assert_eq!(conv.n_inputs(), 3);
        assert_eq!(conv.n_loops(), Some(5));
        let parallel: Vec<bool> = (0..5).map(|index| conv.is_parallel(index)).collect();
        assert_eq!(parallel, [true, true, true, false, false]);
        let expected = [
            vec![D(0), Window(1, 3, 0), D(4)],
            vec![D(3), D(4), D(2)],
            vec![],
            vec![D(0), D(1), D(2)],
        ];
        assert_eq!(maps(&conv), expected);

        let window = Indices::parse("w kw: [w + kw], [kw] -> [w]");
        assert_eq!(maps(&window), [vec![Sum(0, 1)], vec![D(1)], vec![D(0)]]);

        let elementwise = Indices::parse("[..], [..] -> [..]");
        assert_eq!((elementwise.n_inputs(), elementwise.n_loops()), (2, None));
    }
}
