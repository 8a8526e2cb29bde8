//! Random programs on tensors of all shapes, and what they compute.
//!
//! Tensors have ranks from 0 to 3, sizes that types know or do not, sometimes of zero, and sometimes
//! types that do not even know the rank. Slices of all strides go through functions, branches, loops,
//! casts, reshapes and buffers. [`generate`] makes the program, [`interpret`] says what it shows and
//! knows nothing of memory, [`write`](mod@write) writes it as MLIR.

pub(crate) mod generate;
pub(crate) mod interpret;
pub(crate) mod write;

/// Numbers that a program may show; one that shows more is not run.
pub(crate) const MAX_SHOWN: usize = 1 << 13;

/// How many numbers each program gets of which the compiler knows nothing.
pub(crate) const N_KNOWN: usize = 4;

/// The type of a tensor, and the sizes that it has however much the type tells.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ty {
    sizes: Vec<usize>,
    /// Which of the sizes are in the type.
    known: Vec<bool>,
    /// Whether there is more in the type than the elements.
    ranked: bool,
}

impl Ty {
    fn new(sizes: Vec<usize>, known: Vec<bool>) -> Self {
        Self {
            sizes,
            known,
            ranked: true,
        }
    }

    fn fixed(sizes: Vec<usize>) -> Self {
        let known = vec![true; sizes.len()];
        Self::new(sizes, known)
    }

    fn unranked(sizes: Vec<usize>) -> Self {
        Self {
            known: vec![false; sizes.len()],
            sizes,
            ranked: false,
        }
    }

    fn rank(&self) -> usize {
        self.sizes.len()
    }

    fn n_elements(&self) -> usize {
        self.sizes.iter().product()
    }
}

/// A tensor variable.
#[derive(Clone, Debug)]
struct Var {
    id: usize,
    ty: Ty,
}

/// A number that indexes, or a size.
#[derive(Clone, Copy, Debug)]
enum At {
    Constant(usize),
    /// The argument of the program with this number.
    Known(usize),
    /// The counter of the loop with this number.
    Counter(usize),
}

/// The part of a tensor that a slice is.
#[derive(Clone, Debug)]
struct Part {
    offsets: Vec<At>,
    sizes: Vec<usize>,
    strides: Vec<usize>,
    /// Which of the dimensions, all of size 1, the slice does not have.
    dropped: Vec<bool>,
}

#[derive(Debug)]
enum Op {
    Splat(i32),
    Constant(Vec<i32>),
    /// The elements count from this in steps that the indices give.
    Generate(i32),
    FromElements(Vec<i32>),
    FillEmpty(i32),
    Cast(Var),
    Slice(Var, Part),
    InsertSlice(Var, Var, Part),
    Insert(i32, Var, Vec<At>),
    /// a + b, into c if there is one.
    Add(Var, Var, Option<Var>),
    Fill(i32, Var),
    Collapse(Var, Vec<usize>),
    /// With how many dimensions each of the source becomes.
    Expand(Var, Vec<usize>),
    Reshape(Var),
    Pad(i32, Var, Vec<At>, Vec<At>),
    Concat(usize, Vec<Var>),
    /// Slices along the first dimension.
    Gather(Var, Vec<usize>),
    /// A vector of so many elements from one place to another, all or some of them.
    Transfer {
        from: (Var, Vec<At>),
        to: (Var, Vec<At>),
        n: usize,
        n_written: Option<usize>,
    },
    Select(At, Var, Var),
    Copy(Var),
    Materialize(Var, Var),
    /// A buffer, in which an element may be changed, and a tensor again.
    Buffer {
        source: Var,
        change: Option<(i32, Vec<At>)>,
        any_layout: bool,
    },
    /// The same numbers as unsigned or signed ones, of which one may be changed, and as they were.
    OtherSign {
        source: Var,
        change: Option<(i32, Vec<At>)>,
        sign: &'static str,
    },
    /// The same, of a clone of a buffer that is only read.
    Clone(Var),
    Call(usize, Vec<Var>, usize),
    /// The function that this is in, unless it called itself often enough.
    Recurse(Vec<Var>, Vec<Var>),
    If(At, [Body; 2]),
    For(usize, usize, Vec<Var>, Body),
    /// A loop of blocks.
    Blocks(usize, usize, Vec<Var>, Body),
    Show(Var),
    ShowSize(Var, usize),
    ShowRank(Var),
}

/// Statements of a region, what they see of what it carries, and what they pass on.
#[derive(Debug, Default)]
struct Body {
    carried: Vec<Var>,
    statements: Vec<(Vec<Var>, Op)>,
    yields: Vec<Var>,
}

#[derive(Debug)]
struct Function {
    body: Body,
    is_public: bool,
    /// Which parameters it may write to.
    writable: Vec<bool>,
}

/// A program: the last function is called once, without tensors.
#[derive(Debug)]
pub(crate) struct Program {
    functions: Vec<Function>,
    /// What the numbers are of which the compiler knows nothing.
    pub(crate) known: [usize; N_KNOWN],
}
