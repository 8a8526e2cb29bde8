//! All tables: which operations there is code for.

use std::sync::LazyLock;

use freehold_frontend::ir::op_def::OpDef;

use super::function::{LowerFn, Lowerings};
use super::scalar_ops::{ARITHMETIC, lower_arithmetic};
use super::{
    arith, builtin, cf, complex, deallocation, func, index, llvm, math, memref, ub, varargs, vector,
};

/// All tables.
pub(crate) fn tables() -> impl Iterator<Item = (&'static OpDef, LowerFn)> {
    let arithmetic = (ARITHMETIC.iter()).map(|&(def, _)| (def, lower_arithmetic as LowerFn));
    let tables = [
        arith::TABLE,
        builtin::TABLE,
        cf::TABLE,
        complex::TABLE,
        deallocation::TABLE,
        func::TABLE,
        index::TABLE,
        llvm::TABLE,
        varargs::TABLE,
        math::TABLE,
        ub::TABLE,
    ]
    .into_iter()
    .chain(memref::TABLES)
    .chain(vector::TABLES)
    .flatten();
    tables.copied().chain(arithmetic)
}

/// The tables as a map.
pub(crate) static LOWERINGS: LazyLock<Lowerings> =
    LazyLock::new(|| Lowerings::new(tables(), vector::lower_elementwise));
