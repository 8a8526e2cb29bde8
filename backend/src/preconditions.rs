//! What calls from outside check besides types: the preconditions of a function, on the words that its arguments are
//! passed in.

use freehold_frontend::dialects::func::preconditions::{Known, Precondition, preconditions};
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::types::Type;
use smallvec::SmallVec;

use crate::abi::part_types;
use crate::program::{Body, Function, Program};

/// Words of a descriptor before its sizes.
const BEFORE_SIZES: usize = 3;

/// A precondition, and the word that each of its symbols is.
pub(crate) struct CallPrecondition {
    pub(crate) precondition: Precondition,
    /// Numbers of words, among those of all arguments.
    pub(crate) words: SmallVec<[usize; 4]>,
}

impl CallPrecondition {
    /// The error in arguments passed in these words, if there is one.
    pub(crate) fn violation(&self, word: impl Fn(usize) -> i64) -> Option<String> {
        let symbols: SmallVec<[i64; 8]> = self.words.iter().map(|&at| word(at)).collect();
        let holds = self.precondition.holds(&symbols);
        (!holds).then(|| self.precondition.violation(&symbols))
    }

    /// An expression in postfix notation, for the [command line](freehold_runtime::command_line) of executables.
    pub(crate) fn postfix(&self, expr: &AffineExpr) -> String {
        match expr {
            AffineExpr::Dim(_) => "0".to_owned(),
            AffineExpr::Symbol(symbol) => format!("w{}", self.words[*symbol as usize]),
            AffineExpr::Constant(number) => number.to_string(),
            AffineExpr::Binary(op, sides) => {
                let op = match op {
                    AffineOp::Add => '+',
                    AffineOp::Mul => '*',
                    AffineOp::FloorDiv => '/',
                    AffineOp::CeilDiv => '^',
                    AffineOp::Mod => '%',
                };
                let (left, right) = (self.postfix(&sides.0), self.postfix(&sides.1));
                format!("{left} {right} {op}")
            }
        }
    }
}

/// The preconditions of `function`, if its body is here. Those that do not fit its arguments are none of ours.
pub(crate) fn preconditions_of(
    program: &Program<'_>,
    function: &Function<'_>,
) -> Vec<CallPrecondition> {
    let context = program.context;
    let ir = match function.body {
        Body::Definition(ir) => Some(ir),
        // All versions take the same.
        Body::Chosen(name) => (program.function(name))
            .and_then(|definition| program.body_of(&program.functions[definition])),
        _ => None,
    };
    let Some(ir) = ir else {
        return Vec::new();
    };
    let inputs = function.inputs;
    let word_of = |known: &Known| {
        let ty = *inputs.get(known.argument)?;
        let before = inputs[..known.argument].iter();
        let first: usize = before.map(|&ty| part_types(context, ty).len()).sum();
        match known.dim {
            Some(dim) => {
                let rank = context.as_memref(ty)?.rank();
                (dim < rank).then_some(first + BEFORE_SIZES + dim)
            }
            None => matches!(ty, Type::INDEX | Type::I64).then_some(first),
        }
    };
    let on_words = |precondition: Precondition| {
        let words = (precondition.symbols.iter()).map(word_of);
        let words = words.collect::<Option<_>>()?;
        Some(CallPrecondition {
            precondition,
            words,
        })
    };
    (preconditions(ir).into_iter())
        .filter_map(on_words)
        .collect()
}
