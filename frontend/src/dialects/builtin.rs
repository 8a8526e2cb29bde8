//! The builtin dialect: modules and unrealized casts.

use std::sync::Arc;

use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::location::Loc;
use crate::op_def::{DialectDef, OpDef, Traits};

/// `builtin.module`
pub static MODULE: OpDef = OpDef {
    name: "builtin.module",
    traits: Traits::OWNS_ARENA
        .and(Traits::SYMBOL_TABLE)
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::NO_TERMINATOR)
        .and(Traits::GRAPH_REGION),
    regions: (1, 1),
    ..OpDef::BASE
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "builtin",
    ops: &[&MODULE],
};

/// An empty module.
pub fn module(context: &Arc<Context>, loc: Loc) -> Ir {
    let mut ir = Ir::new(Arc::clone(context), OpSpec::new(&MODULE, loc).regions(1));
    let region = ir.region(ir.root(), 0);
    ir.append_block(region, &[]);
    ir
}
