//! `test-cf-assert`: assertions print their message and the program goes on.
//!
//! Before:
//! ```mlir
//! cf.assert %c, "wrong"
//! ```
//! After:
//! ```mlir
//! %not = arith.xori %c, %true : i1
//! scf.if %not {
//!   vector.print str "wrong\0A"
//! }
//! ```
//!
//! Upstream's tests use its pass of this name where a program makes several assertions that fail. It is of no use
//! otherwise: what the assertion is there for happens after it. `run` then does not stop for sizes that do not fit, either.

use freehold_frontend::dialects::{arith, cf, scf, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "test-cf-assert",
    summary: "print the messages of assertions that fail, and go on",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut has_assertions = false;
    for op in ir.collect_ops(ir.root()) {
        if !ir.is(op, &cf::ASSERT) {
            continue;
        }
        let text = format!("{}\n", cf::Assert(op).message(ir));
        let text = ir.context().string_attr(&text);
        let condition = ir.operand(op, 0);
        let mut builder = Builder::before(ir, op);
        let always = arith::constant_bool(&mut builder, true);
        let fails = builder.value(&arith::XORI, &[condition, always], Type::I1);
        let branch = scf::build_if(&mut builder, fails, &[], false);
        let end = scf::If(branch).then_yield(builder.ir);
        builder.set_before(end);
        let spec = builder
            .spec(&vector::PRINT)
            .attr(Name::STRING_LITERAL, text);
        builder.create(spec);
        ir.erase_op(op);
        has_assertions = true;
    }
    if has_assertions {
        ir.set_attr(ir.root(), Name::SIZES_ARE_CHECKED, Attr::UNIT);
    }
    Ok(())
}
