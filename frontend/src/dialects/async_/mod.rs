//! The `async` dialect: work that runs concurrently until the program waits for it.
//!
//! A token stands for such work, a value for what it yields, a group for several of both. When a body runs is
//! not specified ([`RUNS_LATER`]): at once, or any time until it was waited for. What its operands stand for comes first. Passes
//! make functions of `async.func`, and run bodies in place or on other threads (`run-async-in-order`,
//! `outline-async-bodies`).
//!
//! [`RUNS_LATER`]: crate::ir::op_def::Traits::RUNS_LATER

mod execute;
mod function;
mod runtime;

use std::sync::Arc;

use crate::ir::constraints::INDEX;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::Op;
use crate::ir::interfaces::Request;
use crate::ir::op_def::{
    DialectDef, OpDef, OpError, Pattern, TypeConstraint, ValueSpec, keeps_nothing,
};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{Type, TypeKind};
use crate::op_view;
use crate::syntax::parser::parse_type_text;
use crate::syntax::printer::type_to_string;

pub use execute::{EXECUTE, Execute, YIELD, build_execute};
pub use function::{CALL, FUNC, RETURN};
pub use runtime::{IS_ERROR, LOAD, NUM_WORKER_THREADS, RUNTIME_AWAIT};

fn async_type(context: &Context, body: String) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name(DIALECT.namespace),
        body: body.into(),
    })
}

/// What follows the dot, if `ty` is of this dialect.
fn type_name(context: &Context, ty: Type) -> Option<&str> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } if context.name(*dialect) == "async" => Some(body),
        _ => None,
    }
}

/// The type `!async.token`.
pub fn token_type(context: &Context) -> Type {
    async_type(context, "token".to_owned())
}

/// The type `!async.value<of>`.
pub fn value_type(context: &Context, of: Type) -> Type {
    async_type(context, format!("value<{}>", type_to_string(context, of)))
}

fn group_type(context: &Context) -> Type {
    async_type(context, "group".to_owned())
}

/// Whether `ty` is `!async.token`.
pub fn is_token(context: &Context, ty: Type) -> bool {
    type_name(context, ty) == Some("token")
}

/// Whether `ty` is `!async.group`.
pub fn is_group(context: &Context, ty: Type) -> bool {
    type_name(context, ty) == Some("group")
}

/// Whether `ty` is `!async.value<...>`.
pub fn is_value(context: &Context, ty: Type) -> bool {
    value_text(context, ty).is_some()
}

/// Whether `ty` is of this dialect.
pub fn is_async(context: &Context, ty: Type) -> bool {
    type_name(context, ty).is_some()
}

fn value_text(context: &Context, ty: Type) -> Option<&str> {
    type_name(context, ty)?
        .strip_prefix("value<")?
        .strip_suffix('>')
}

/// The type of what an `!async.value` holds.
pub fn held_type(context: &Arc<Context>, ty: Type) -> Option<Type> {
    parse_type_text(context, value_text(context, ty)?).ok()
}

/// The one way to write a type of the dialect.
fn type_body(context: &Arc<Context>, body: &str) -> Option<String> {
    let body = body.trim();
    if matches!(
        body,
        "token" | "group" | "coro.id" | "coro.handle" | "coro.state"
    ) {
        return Some(body.to_owned());
    }
    let held = body.strip_prefix("value")?.trim_start();
    let held = held.strip_prefix('<')?.strip_suffix('>')?;
    let held = parse_type_text(context, held).ok()?;
    Some(format!("value<{}>", type_to_string(context, held)))
}

static TOKEN: TypeConstraint = TypeConstraint {
    description: "async token type",
    accepts: is_token,
    only: Some(token_type),
    ..TypeConstraint::BASE
};
static VALUE: TypeConstraint = TypeConstraint {
    description: "async value type",
    accepts: is_value,
    ..TypeConstraint::BASE
};
static GROUP: TypeConstraint = TypeConstraint {
    description: "async group type",
    accepts: is_group,
    only: Some(group_type),
    ..TypeConstraint::BASE
};
static VALUE_OR_TOKEN: TypeConstraint = TypeConstraint {
    description: "async value type or async token type",
    accepts: |context, ty| is_value(context, ty) || is_token(context, ty),
    ..TypeConstraint::BASE
};
static ANY_ASYNC: TypeConstraint = TypeConstraint {
    description: "async value type or async token type or async group type",
    accepts: |context, ty| is_value(context, ty) || is_token(context, ty) || is_group(context, ty),
    ..TypeConstraint::BASE
};

/// `async.await`: waits for a token, or for a value, which it gives out.
pub static AWAIT: OpDef = OpDef {
    name: "async.await",
    operands: &[ValueSpec::one("operand", &VALUE_OR_TOKEN)],
    results: &[ValueSpec::optional("result", &crate::ir::constraints::ANY)],
    parse: Some(|p, spec| {
        let operand = p.parse_operand()?;
        let ty = p.parse_colon_type()?;
        p.parse_opt_attr_dict(spec)?;
        p.resolve(&operand, ty, spec)?;
        spec.results.extend(held_type(p.context(), ty));
        Ok(())
    }),
    print: Some(|p, ir, op| {
        p.text(" ");
        p.value(ir.operand(op, 0));
        p.text(" : ");
        p.ty(ir.value_type(ir.operand(op, 0)));
        p.opt_attr_dict(ir, op, &[]);
    }),
    verify: verify_await,
    ..OpDef::BASE
};
op_view!(
    /// View of [`AWAIT`].
    Await, AWAIT { operand: one = 0 }
);

fn verify_await(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let ty = ir.value_type(ir.operand(op, 0));
    let result = ir.results(op).first().map(|&result| ir.value_type(result));
    match (held_type(context, ty), result) {
        (None, Some(_)) => Err("awaiting on a token must have empty result".into()),
        (Some(held), Some(result)) if held == result => Ok(()),
        (Some(held), result) => {
            let text = |ty| format!("'{}'", type_to_string(context, ty));
            let result = result.map_or_else(String::new, text);
            let held = text(held);
            Err(format!("result type {result} does not match async value type {held}").into())
        }
        (None, None) => Ok(()),
    }
}

/// `async.create_group`: a group for this many tokens and values.
pub static CREATE_GROUP: OpDef = const {
    OpDef {
        name: "async.create_group",
        operands: &[ValueSpec::one("size", &INDEX)],
        results: &[ValueSpec::one("result", &GROUP)],
        // Two groups of one size are not the same.
        effects: Some(|_, _, effects| effects.add(EffectKind::Write, None, Resource::Default)),
        keeps_operand: keeps_nothing,
        canonicalize: &[Pattern {
            name: "EraseEmptyGroup",
            apply: erase_empty_group,
        }],
        ..OpDef::BASE
    }
}
.with_format("$size `:` type($result) attr-dict");
op_view!(
    /// View of [`CREATE_GROUP`].
    CreateGroup, CREATE_GROUP { size: one = 0 }
);

/// A group that is only waited for goes, with the waits.
fn erase_empty_group(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let group = rewriter.ir.result(op, 0);
    let users: Vec<Op> = rewriter.ir.uses(group).iter().map(|u| u.op).collect();
    if !users.iter().all(|&user| rewriter.ir.is(user, &AWAIT_ALL)) {
        return false;
    }
    for user in users {
        rewriter.erase_op(user);
    }
    rewriter.erase_op(op);
    true
}

/// `async.add_to_group`: puts a token or a value into a group; the result says how many were there before.
pub static ADD_TO_GROUP: OpDef = const {
    OpDef {
        name: "async.add_to_group",
        operands: &[
            ValueSpec::one("operand", &VALUE_OR_TOKEN),
            ValueSpec::one("group", &GROUP),
        ],
        results: &[ValueSpec::one("rank", &INDEX)],
        request: Some(|ir, op| Some(Request::Tagged(ir.operand(op, 1)))),
        ..OpDef::BASE
    }
}
.with_format("$operand `,` $group `:` type($operand) attr-dict");
op_view!(
    /// View of [`ADD_TO_GROUP`].
    AddToGroup, ADD_TO_GROUP { operand: one = 0, group: one = 1 }
);

/// `async.await_all`: waits until a group is as large as was said, and for all in it.
pub static AWAIT_ALL: OpDef = const {
    OpDef {
        name: "async.await_all",
        operands: &[ValueSpec::one("operand", &GROUP)],
        ..OpDef::BASE
    }
}
.with_format("$operand attr-dict");

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "async",
    ops: &[
        &ADD_TO_GROUP,
        &AWAIT,
        &AWAIT_ALL,
        &CALL,
        &runtime::CORO_BEGIN,
        &runtime::CORO_END,
        &runtime::CORO_FREE,
        &runtime::CORO_ID,
        &runtime::CORO_SAVE,
        &runtime::CORO_SUSPEND,
        &CREATE_GROUP,
        &EXECUTE,
        &FUNC,
        &RETURN,
        &runtime::ADD_REF,
        &runtime::RUNTIME_ADD_TO_GROUP,
        &RUNTIME_AWAIT,
        &runtime::AWAIT_AND_RESUME,
        &runtime::CREATE,
        &runtime::RUNTIME_CREATE_GROUP,
        &runtime::DROP_REF,
        &IS_ERROR,
        &LOAD,
        &NUM_WORKER_THREADS,
        &runtime::RESUME,
        &runtime::SET_AVAILABLE,
        &runtime::SET_ERROR,
        &runtime::STORE,
        &YIELD,
    ],
    type_body: Some(type_body),
    advice: Some("`--async-func-to-async-runtime --run-async-in-order` makes a program without it"),
    ..DialectDef::BASE
};
