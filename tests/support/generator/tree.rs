//! A program as a tree of wishes.
//!
//! A [`Node`] says what kind of statement is wanted and carries a seed for its details; which
//! buffers it uses, which types it yields and whether it is written with regions or with blocks is
//! decided when the tree is written out, from that seed and from what is in scope there. A wish that
//! cannot be met writes nothing. So *every* tree stands for a valid program, and taking nodes away
//! leaves the others mostly as they were: that makes shrinking easy.

use super::rng::Rng;
use super::shape::{Control, Shape};
use super::types::{Element, MemRefType, Strided};

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    pub(crate) shape: Shape,
    /// The types that the program prefers; the more often two buffers have the same type, the more
    /// often they can stand in for each other. The first one is the identity layout.
    pub(crate) palette: Vec<MemRefType>,
    pub(crate) globals: Vec<Global>,
    /// Number 0 is `@main`. A function calls itself and those after it.
    pub(crate) functions: Vec<Function>,
}

/// A `memref.global` of a static type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Global {
    pub(crate) ty: MemRefType,
    pub(crate) constant: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Function {
    /// Its number in names, which it keeps when others go.
    pub(crate) number: usize,
    pub(crate) seed: u64,
    pub(crate) private: bool,
    /// It has a parameter that bounds how deep it may call itself.
    pub(crate) recursive: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) results: Vec<MemRefType>,
    pub(crate) body: Vec<Node>,
}

/// A memref parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    pub(crate) ty: MemRefType,
    /// The function may write to it.
    pub(crate) written: bool,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) seed: u64,
    /// The statements of each of its parts; see [`Kind::parts`].
    pub(crate) parts: Vec<Vec<Node>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Alloc,
    /// An allocation that nothing reads.
    UnusedAlloc,
    Alloca,
    GetGlobal,
    /// Adds elements of a buffer to the checksum.
    Observe,
    Write,
    Copy,
    Select,
    View,
    Clone,
    Call,
    /// A call of the function itself, if there is fuel.
    Recurse,
    /// `memref.dealloc`.
    Dealloc,
    Realloc,
    Atomic,
    /// A return on some condition.
    Return,
    If,
    Switch,
    For,
    While,
    Parallel,
    /// `memref.alloca_scope` or `scf.execute_region`.
    Scope,
}

impl Kind {
    /// How many lists of statements belong to the statement.
    pub(crate) fn parts(self) -> usize {
        match self {
            Self::If | Self::While => 2,
            Self::Switch => 3,
            Self::For | Self::Parallel | Self::Scope => 1,
            _ => 0,
        }
    }
}

/// Statements and how often they occur, relative to each other.
fn weights(shape: &Shape, depth: usize) -> Vec<(Kind, usize)> {
    let when = |on: bool, weight: usize| if on { weight } else { 0 };
    let nests = depth < shape.depth;
    let blocks = shape.control != Control::Structured;
    let loops = shape.control != Control::Blocks || shape.block_loops;
    vec![
        (Kind::Alloc, 14),
        (Kind::UnusedAlloc, 2),
        (Kind::Alloca, when(shape.allocas, 3)),
        (Kind::GetGlobal, when(shape.globals, 3)),
        (Kind::Observe, 18),
        (Kind::Write, 12),
        (Kind::Copy, 5),
        (Kind::Select, 9),
        (Kind::View, when(shape.views, 10)),
        (Kind::Clone, when(shape.clones, 4)),
        (Kind::Call, 12),
        (Kind::Recurse, when(shape.recursion, 3)),
        (Kind::Dealloc, when(shape.deallocs, 6)),
        (Kind::Realloc, when(shape.reallocs, 5)),
        (Kind::Atomic, when(shape.atomics, 4)),
        (Kind::Return, when(shape.multiple_returns && blocks, 3)),
        (Kind::If, when(nests, 14)),
        (Kind::Switch, when(nests, 5)),
        (Kind::For, when(nests && loops, 10)),
        (Kind::While, when(nests && loops, 7)),
        (Kind::Parallel, when(nests && shape.parallel, 4)),
        (
            Kind::Scope,
            when(nests && (shape.scopes || shape.execute_regions), 4),
        ),
    ]
}

/// Makes a random program.
pub(crate) fn grow(seed: u64, shape: &Shape) -> Program {
    let mut rng = Rng::new(seed);
    let palette = palette(&mut rng, shape);
    let globals = (0..rng.below(3))
        .map(|_| Global {
            ty: static_type(&mut rng, shape),
            constant: rng.chance(60),
        })
        .collect();
    let n_functions = rng.range(1, shape.functions.max(1));
    let functions = (0..n_functions)
        .map(|number| function(&mut rng, shape, &palette, number))
        .collect();
    Program {
        shape: shape.clone(),
        palette,
        globals,
        functions,
    }
}

fn function(rng: &mut Rng, shape: &Shape, palette: &[MemRefType], number: usize) -> Function {
    let is_main = number == 0;
    let list = |rng: &mut Rng, most: usize| {
        let n = rng.below(most + 1);
        (0..if is_main { 0 } else { n })
            .map(|_| rng.pick(palette).clone())
            .collect::<Vec<_>>()
    };
    let parameters = list(rng, 3)
        .into_iter()
        .map(|ty| Parameter {
            ty,
            written: rng.chance(40),
        })
        .collect();
    let results = list(rng, 3);
    let mut budget = rng.range(shape.statements / 2, shape.statements * 3 / 2);
    let mut body = statements(rng, shape, 0, &mut budget);
    if is_main {
        // Or little of the program would ever run.
        for kind in [
            Kind::Call,
            Kind::Observe,
            Kind::Call,
            Kind::Observe,
            Kind::Observe,
        ] {
            body.push(Node {
                kind,
                seed: rng.next(),
                parts: Vec::new(),
            });
        }
    }
    Function {
        number,
        seed: rng.next(),
        private: !is_main && rng.chance(60),
        recursive: !is_main && shape.recursion && rng.chance(30),
        parameters,
        results,
        body,
    }
}

/// Statements until the budget, which nested ones share, is used up.
fn statements(rng: &mut Rng, shape: &Shape, depth: usize, budget: &mut usize) -> Vec<Node> {
    let weights = weights(shape, depth);
    let total: usize = weights.iter().map(|&(_, weight)| weight).sum();
    // A nested list is short, the outermost one takes what there is.
    let limit = if depth == 0 { usize::MAX } else { rng.below(6) };
    let mut nodes = Vec::new();
    while *budget > 0 && nodes.len() < limit {
        *budget -= 1;
        let mut ticket = rng.below(total);
        let kind = weights
            .iter()
            .find(|&&(_, weight)| {
                let drawn = ticket < weight;
                ticket = ticket.wrapping_sub(weight);
                drawn
            })
            .map_or(Kind::Observe, |&(kind, _)| kind);
        let seed = rng.next();
        let parts = (0..kind.parts())
            .map(|_| statements(rng, shape, depth + 1, budget))
            .collect();
        nodes.push(Node { kind, seed, parts });
    }
    nodes
}

/// Three or four types of few elements.
fn palette(rng: &mut Rng, shape: &Shape) -> Vec<MemRefType> {
    let main = static_type(rng, shape);
    let mut palette = vec![main.clone()];
    if shape.dynamic {
        let dynamic = vec![None; main.rank().max(1)];
        palette.push(MemRefType::identity(main.element, dynamic));
        if rng.chance(50) {
            palette.push(MemRefType::most_dynamic(main.element, main.rank().max(1)));
        }
    }
    if shape.strided_signatures && rng.chance(50) {
        palette.push(MemRefType {
            element: main.element,
            dims: vec![Some(2)],
            layout: Some(Strided {
                strides: vec![Some(rng.range(1, 2) as u64)],
                offset: Some(rng.below(3) as u64),
            }),
        });
    }
    if rng.chance(50) {
        palette.push(static_type(rng, shape));
    }
    if shape.byte_views && rng.chance(70) {
        palette.push(MemRefType::identity(Element::I8, vec![Some(16)]));
    }
    palette
}

/// A type with static sizes and no layout.
pub(super) fn static_type(rng: &mut Rng, shape: &Shape) -> MemRefType {
    let rank = *rng.pick(&[0, 1, 1, 1, 1, 1, 2, 2]);
    let smallest = usize::from(!(shape.empty && rng.chance(8)));
    let dims = (0..rank)
        .map(|_| Some(rng.range(smallest, if rank == 1 { 6 } else { 3 }) as u64))
        .collect();
    MemRefType::identity(*rng.pick(&Element::ALL), dims)
}
