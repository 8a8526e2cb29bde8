//! The functions and modules inside of a module, and work on all of them at once.

use std::ops::AddAssign;

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::op_def::Traits;
use rayon::prelude::*;

/// The stubs in a module's body that `accept` names.
pub(crate) fn stubs(ir: &Ir, accept: impl Fn(&Ir, Op) -> bool) -> Vec<Op> {
    let Some(block) = ir.root_block() else {
        return Vec::new();
    };
    ir.ops_in(block)
        .filter(|&op| ir.has_trait(op, Traits::OWNS_ARENA) && accept(ir, op))
        .collect()
}

/// The operations nested in those of a module's body, functions mostly.
pub fn nested(ir: &Ir) -> impl Iterator<Item = &Ir> {
    let block = ir.root_block().into_iter();
    let ops = block.flat_map(|block| ir.ops_in(block));
    ops.filter_map(|op| ir.nested(op))
}

/// Takes the arenas of `stubs` out, works on them (in parallel, unless
/// `sequential`) and puts them back. Results are in the order of the stubs.
pub(crate) fn map_nested<T: Send>(
    ir: &mut Ir,
    stubs: Vec<Op>,
    sequential: bool,
    work: impl Fn(&mut Ir) -> T + Sync,
) -> Vec<T> {
    let mut taken: Vec<(Op, Box<Ir>)> = stubs
        .into_iter()
        .map(|op| (op, ir.take_nested(op)))
        .collect();
    let outcomes: Vec<T> = if sequential || taken.len() < 2 {
        taken.iter_mut().map(|(_, nested)| work(nested)).collect()
    } else {
        taken
            .par_iter_mut()
            .map(|(_, nested)| work(nested))
            .collect()
    };
    for (op, nested) in taken {
        ir.put_nested(op, nested);
    }
    outcomes
}

/// Works on every function of a module that has a body, in parallel. Results
/// are in the order of the functions. For module passes whose work is mostly
/// by function.
pub fn map_functions<T: Send>(ir: &mut Ir, work: impl Fn(&mut Ir) -> T + Sync) -> Vec<T> {
    let functions = stubs(ir, |ir, op| {
        ir.has_trait(op, Traits::FUNCTION)
            && ir.nested(op).is_some_and(|f| f.root_block().is_some())
    });
    map_nested(ir, functions, false, work)
}

/// The stubs of the functions directly inside a module, with bodies or without.
pub fn functions(ir: &Ir) -> Vec<Op> {
    stubs(ir, |ir, op| ir.is(op, &func::FUNC))
}

/// The stubs of the modules directly inside a module.
pub fn nested_modules(ir: &Ir) -> Vec<Op> {
    stubs(ir, |ir, op| ir.has_trait(op, Traits::SYMBOL_TABLE))
}

/// What came of the functions so far, with counts `C` of what was done.
pub(crate) struct Report<C> {
    pub(crate) result: Result<(), Failed>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) counts: C,
}

impl<C: Default> Default for Report<C> {
    fn default() -> Self {
        Self {
            result: Ok(()),
            diagnostics: Diagnostics::new(),
            counts: C::default(),
        }
    }
}

impl<C: AddAssign> Report<C> {
    pub(crate) fn add(&mut self, (outcome, diagnostics): (Result<C, Failed>, Diagnostics)) {
        self.diagnostics.append(diagnostics);
        match outcome {
            Ok(counts) => self.counts += counts,
            Err(failed) => self.result = Err(failed),
        }
    }
}
