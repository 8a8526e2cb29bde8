//! What the check of invariants of the IR finds.

use std::sync::Arc;

use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::op_def::UNREGISTERED;
use freehold_frontend::ir::types::Type;

/// A module with `%0 = def`, `use(%0, %0)`.
fn sample() -> (Ir, Op, Op) {
    let context = Arc::new(Context::with_dialects(&[]));
    let mut ir = builtin::module(&context, Loc::UNKNOWN);
    let body = ir.root_block().unwrap();
    let def = ir.create_op(OpSpec::new(&UNREGISTERED, Loc::UNKNOWN).results(&[Type::I32]));
    ir.append_op(body, def);
    let value = ir.result(def, 0);
    let user = ir.create_op(OpSpec::new(&UNREGISTERED, Loc::UNKNOWN).operands(&[value, value]));
    ir.append_op(body, user);
    (ir, def, user)
}

#[test]
fn edits_keep_the_structure() {
    let (mut ir, def, user) = sample();
    assert_eq!(ir.check_integrity(), Ok(()));
    ir.remove_operand(user, 0);
    ir.move_op_before(user, def);
    assert_eq!(ir.check_integrity(), Ok(()));
}

#[test]
fn a_detached_user_is_found() {
    let (mut ir, def, _) = sample();
    let value = ir.result(def, 0);
    ir.create_op(OpSpec::new(&UNREGISTERED, Loc::UNKNOWN).operands(&[value]));
    let message = ir.check_integrity().unwrap_err();
    assert!(message.ends_with("lists 3 uses but has 2"), "{message}");
}

#[test]
fn a_broken_link_is_found() {
    let (mut ir, _, user) = sample();
    ir.break_link(user);
    assert!(ir.check_integrity().is_err());
    let (mut ir, def, _) = sample();
    let value = ir.result(def, 0);
    ir.swap_uses(value);
    assert!(ir.check_integrity().is_err());
}
