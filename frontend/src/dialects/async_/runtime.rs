//! `async.runtime.*` and `async.coro.*`: what upstream's lowerings make of bodies. Programs wait for tokens, values and
//! groups with errors by `async.runtime.await`, and ask for these by `async.runtime.is_error`; the others have a text only.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::AttrKind;
use crate::ir::constraints::{ANY, I1, INDEX};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, OpDef, OpError, Traits, TypeConstraint};
use crate::ir::op_def::{ValueSpec, keeps_nothing};
use crate::ir::types::Type;

use super::{
    ANY_ASYNC, GROUP, VALUE, VALUE_OR_TOKEN, async_type, held_type, type_name, value_type,
};

static CORO_ID_TYPE: TypeConstraint = TypeConstraint {
    description: "switched-resume coroutine identifier",
    accepts: |context, ty| type_name(context, ty) == Some("coro.id"),
    only: Some(|context| async_type(context, "coro.id".to_owned())),
    ..TypeConstraint::BASE
};
static CORO_HANDLE: TypeConstraint = TypeConstraint {
    description: "coroutine handle",
    accepts: |context, ty| type_name(context, ty) == Some("coro.handle"),
    only: Some(|context| async_type(context, "coro.handle".to_owned())),
    ..TypeConstraint::BASE
};
static CORO_STATE: TypeConstraint = TypeConstraint {
    description: "saved coroutine state",
    accepts: |context, ty| type_name(context, ty) == Some("coro.state"),
    only: Some(|context| async_type(context, "coro.state".to_owned())),
    ..TypeConstraint::BASE
};

static POSITIVE: AttrConstraint = AttrConstraint::new(
    "64-bit signless integer attribute whose value is positive",
    |context: &Context, attr| matches!(context.attr_kind(attr), AttrKind::Integer { value, ty } if *ty == Type::I64 && *value > 0),
);

/// `async.runtime.num_worker_threads`: how many threads there are.
pub static NUM_WORKER_THREADS: OpDef = const {
    OpDef {
        name: "async.runtime.num_worker_threads",
        results: &[ValueSpec::one("result", &INDEX)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type($result)");

/// `async.runtime.await`: waits for a token, a value or a group, with errors or without.
pub static RUNTIME_AWAIT: OpDef = const {
    OpDef {
        name: "async.runtime.await",
        operands: &[ValueSpec::one("operand", &ANY_ASYNC)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.runtime.is_error`: whether a body that was waited for failed, or one in a group.
pub static IS_ERROR: OpDef = const {
    OpDef {
        name: "async.runtime.is_error",
        operands: &[ValueSpec::one("operand", &ANY_ASYNC)],
        results: &[ValueSpec::one("is_error", &I1)],
        keeps_operand: keeps_nothing,
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.runtime.create`: a token or value that nothing is known of yet.
pub(super) static CREATE: OpDef = const {
    OpDef {
        name: "async.runtime.create",
        results: &[ValueSpec::one("result", &VALUE_OR_TOKEN)],
        ..OpDef::BASE
    }
}
.with_format("attr-dict `:` type($result)");

/// `async.runtime.create_group`: an empty group.
pub(super) static RUNTIME_CREATE_GROUP: OpDef = const {
    OpDef {
        name: "async.runtime.create_group",
        operands: &[ValueSpec::one("size", &INDEX)],
        results: &[ValueSpec::one("result", &GROUP)],
        ..OpDef::BASE
    }
}
.with_format("$size `:` type($result) attr-dict");

/// `async.runtime.set_available`: lets those that wait go on.
pub(super) static SET_AVAILABLE: OpDef = const {
    OpDef {
        name: "async.runtime.set_available",
        operands: &[ValueSpec::one("operand", &VALUE_OR_TOKEN)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.runtime.set_error`: lets those that wait go on with an error.
pub(super) static SET_ERROR: OpDef = const {
    OpDef {
        name: "async.runtime.set_error",
        operands: &[ValueSpec::one("operand", &VALUE_OR_TOKEN)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.runtime.resume`: goes on with a coroutine on a thread of the runtime.
pub(super) static RESUME: OpDef = const {
    OpDef {
        name: "async.runtime.resume",
        operands: &[ValueSpec::one("handle", &CORO_HANDLE)],
        ..OpDef::BASE
    }
}
.with_format("$handle attr-dict");

/// `async.runtime.await_and_resume`: goes on with a coroutine when the operand is there.
pub(super) static AWAIT_AND_RESUME: OpDef = const {
    OpDef {
        name: "async.runtime.await_and_resume",
        operands: &[
            ValueSpec::one("operand", &ANY_ASYNC),
            ValueSpec::one("handle", &CORO_HANDLE),
        ],
        ..OpDef::BASE
    }
}
.with_format("$operand `,` $handle attr-dict `:` type($operand)");

/// `async.runtime.store`: puts what a value holds into it.
pub(super) static STORE: OpDef = OpDef {
    name: "async.runtime.store",
    operands: &[
        ValueSpec::one("value", &ANY),
        ValueSpec::one("storage", &VALUE),
    ],
    parse: Some(|p, spec| {
        let loc = p.loc();
        let value = p.parse_operand()?;
        p.parse_token(",")?;
        let storage = p.parse_operand()?;
        let held = parse_held(p, spec)?;
        let storage_type = value_type(p.context(), held);
        p.resolve_each(&[value, storage], &[held, storage_type], loc, spec)
    }),
    print: Some(|p, ir, op| print_held(p, ir, op, 1)),
    verify: |ir, op| verify_held(ir, ir.operand(op, 0), ir.operand(op, 1)),
    ..OpDef::BASE
};

/// `async.runtime.load`: what a value holds.
pub static LOAD: OpDef = OpDef {
    name: "async.runtime.load",
    operands: &[ValueSpec::one("storage", &VALUE)],
    results: &[ValueSpec::one("result", &ANY)],
    parse: Some(|p, spec| {
        let storage = p.parse_operand()?;
        let held = parse_held(p, spec)?;
        spec.results.push(held);
        let ty = value_type(p.context(), held);
        p.resolve(&storage, ty, spec)
    }),
    print: Some(|p, ir, op| print_held(p, ir, op, 0)),
    verify: |ir, op| verify_held(ir, ir.result(op, 0), ir.operand(op, 0)),
    ..OpDef::BASE
};

/// Attributes and the type of a value, or its content as `<type>`: the type that it holds.
fn parse_held(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<Type, Failed> {
    p.parse_opt_attr_dict(spec)?;
    p.parse_token(":")?;
    if p.parse_opt_token("<") {
        let held = p.parse_type()?;
        p.parse_token(">")?;
        return Ok(held);
    }
    let loc = p.loc();
    let ty = p.parse_type()?;
    let held = held_type(p.context(), ty);
    held.ok_or_else(|| p.error(loc, "expected an async value type"))
}

fn print_held(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, storage: usize) {
    p.text(" ");
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[]);
    p.text(" : <");
    let ty = ir.value_type(ir.operand(op, storage));
    if let Some(held) = held_type(ir.context(), ty) {
        p.ty(held);
    }
    p.text(">");
}

fn verify_held(ir: &Ir, value: Value, storage: Value) -> Result<(), OpError> {
    match held_type(ir.context(), ir.value_type(storage)) {
        Some(held) if held == ir.value_type(value) => Ok(()),
        _ => Err("failed to verify that type of 'value' matches element type of 'storage'".into()),
    }
}

/// `async.runtime.add_to_group`: puts a token or a value into a group.
pub(super) static RUNTIME_ADD_TO_GROUP: OpDef = const {
    OpDef {
        name: "async.runtime.add_to_group",
        operands: &[
            ValueSpec::one("operand", &VALUE_OR_TOKEN),
            ValueSpec::one("group", &GROUP),
        ],
        results: &[ValueSpec::one("rank", &INDEX)],
        ..OpDef::BASE
    }
}
.with_format("$operand `,` $group attr-dict `:` type($operand)");

/// `async.runtime.add_ref`: there are more that use the operand.
pub(super) static ADD_REF: OpDef = const {
    OpDef {
        name: "async.runtime.add_ref",
        operands: &[ValueSpec::one("operand", &ANY_ASYNC)],
        attributes: &[AttrSpec::required(Name::COUNT, &POSITIVE)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.runtime.drop_ref`: there are fewer that use the operand.
pub(super) static DROP_REF: OpDef = const {
    OpDef {
        name: "async.runtime.drop_ref",
        operands: &[ValueSpec::one("operand", &ANY_ASYNC)],
        attributes: &[AttrSpec::required(Name::COUNT, &POSITIVE)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict `:` type($operand)");

/// `async.coro.id`: names a coroutine.
pub(super) static CORO_ID: OpDef = const {
    OpDef {
        name: "async.coro.id",
        results: &[ValueSpec::one("id", &CORO_ID_TYPE)],
        ..OpDef::BASE
    }
}
.with_format("attr-dict");

/// `async.coro.begin`: allocates the frame of a coroutine.
pub(super) static CORO_BEGIN: OpDef = const {
    OpDef {
        name: "async.coro.begin",
        operands: &[ValueSpec::one("id", &CORO_ID_TYPE)],
        results: &[ValueSpec::one("handle", &CORO_HANDLE)],
        ..OpDef::BASE
    }
}
.with_format("$id attr-dict");

/// `async.coro.free`: frees that frame.
pub(super) static CORO_FREE: OpDef = const {
    OpDef {
        name: "async.coro.free",
        operands: &[
            ValueSpec::one("id", &CORO_ID_TYPE),
            ValueSpec::one("handle", &CORO_HANDLE),
        ],
        ..OpDef::BASE
    }
}
.with_format("$id `,` $handle attr-dict");

/// `async.coro.end`: where a coroutine returns to who went on with it.
pub(super) static CORO_END: OpDef = const {
    OpDef {
        name: "async.coro.end",
        operands: &[ValueSpec::one("handle", &CORO_HANDLE)],
        ..OpDef::BASE
    }
}
.with_format("$handle attr-dict");

/// `async.coro.save`: where a coroutine stands.
pub(super) static CORO_SAVE: OpDef = const {
    OpDef {
        name: "async.coro.save",
        operands: &[ValueSpec::one("handle", &CORO_HANDLE)],
        results: &[ValueSpec::one("state", &CORO_STATE)],
        ..OpDef::BASE
    }
}
.with_format("$handle attr-dict");

/// `async.coro.suspend`: suspends a coroutine, goes on with it, or ends it.
pub(super) static CORO_SUSPEND: OpDef = OpDef {
    name: "async.coro.suspend",
    traits: Traits::TERMINATOR,
    operands: &[ValueSpec::one("state", &CORO_STATE)],
    successors: (3, 3),
    parse: Some(|p, spec| {
        let state = p.parse_operand()?;
        for _ in 0..3 {
            p.parse_token(",")?;
            let block = p.parse_successor()?;
            spec.successors.push(block);
        }
        p.parse_opt_attr_dict(spec)?;
        let ty = async_type(p.context(), "coro.state".to_owned());
        p.resolve(&state, ty, spec)
    }),
    print: Some(|p, ir, op| {
        p.text(" ");
        p.value(ir.operand(op, 0));
        for &block in ir.successors(op) {
            p.text(", ");
            p.successor(block);
        }
        p.opt_attr_dict(ir, op, &[]);
    }),
    ..OpDef::BASE
};
