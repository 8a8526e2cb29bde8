//! The `mpi` dialect: processes that exchange messages, as the C interface of MPI has it.
//!
//! A request stands for a transfer that goes on by itself. It holds its buffer: until [`WAIT`] has waited for it, the
//! buffer is read (by [`ISEND`]) or written (by [`IRECV`]). [`OpDef::request`] says so to analyses; requests are
//! values like others, which branches, loops and calls hand on.

mod attributes;

use crate::ir::constraints::{I1, I32, MEMREF};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Effects, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::Request;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrSpec, DialectDef, OpDef, OpError, TypeConstraint, ValueSpec, keeps_nothing,
};
use crate::ir::types::{Type, TypeKind};
use crate::op_view;

pub use attributes::{ErrorClass, Reduction};

/// The types of the dialect, by what follows the dot.
const TYPES: [&str; 4] = ["comm", "request", "retval", "status"];

/// The type `!mpi.body`.
fn mpi_type(context: &Context, body: &str) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("mpi"),
        body: body.into(),
    })
}

/// What follows the dot, if `ty` is of this dialect.
pub fn type_name(context: &Context, ty: Type) -> Option<&str> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } if context.name(*dialect) == "mpi" => Some(body),
        _ => None,
    }
}

/// Whether `ty` is `!mpi.retval`, what functions of the interface return.
pub fn is_retval(context: &Context, ty: Type) -> bool {
    type_name(context, ty) == Some("retval")
}

/// Whether `ty` is that of a communicator or a request.
pub fn is_handle(context: &Context, ty: Type) -> bool {
    matches!(type_name(context, ty), Some("comm" | "request"))
}

/// Whether `ty` is `!mpi.request`.
pub fn is_request(context: &Context, ty: Type) -> bool {
    type_name(context, ty) == Some("request")
}

/// The type `!mpi.comm`.
pub fn comm_type(context: &Context) -> Type {
    mpi_type(context, "comm")
}

/// The type `!mpi.request`.
pub fn request_type(context: &Context) -> Type {
    mpi_type(context, "request")
}

static COMM: TypeConstraint = TypeConstraint {
    description: "MPI communicator handler",
    accepts: |context, ty| type_name(context, ty) == Some("comm"),
    only: Some(comm_type),
    ..TypeConstraint::BASE
};
static REQUEST: TypeConstraint = TypeConstraint {
    description: "MPI asynchronous request handler",
    accepts: is_request,
    only: Some(request_type),
    ..TypeConstraint::BASE
};
static RETVAL: TypeConstraint = TypeConstraint {
    description: "MPI function call return value (!mpi.retval)",
    accepts: is_retval,
    ..TypeConstraint::BASE
};

/// The same where it has to be there.
static RETVAL_OPERAND: TypeConstraint = TypeConstraint {
    only: Some(|context| mpi_type(context, "retval")),
    ..RETVAL
};

const RETVAL_RESULT: ValueSpec = ValueSpec::optional("retval", &RETVAL);
const ONLY_RETVAL: &[ValueSpec] = &[RETVAL_RESULT];

/// State outside of the program's memory changes: the order of such operations counts.
fn communicates(effects: &mut Effects) {
    effects.add(EffectKind::Write, None, Resource::Default);
}

/// An operation that changes nothing but the state of the library.
const CALL: OpDef = OpDef {
    results: ONLY_RETVAL,
    keeps_operand: keeps_nothing,
    effects: Some(|_, _, effects| communicates(effects)),
    ..OpDef::BASE
};

/// An operation that asks for the state of the library.
const QUERY: OpDef = OpDef {
    operands: &[ValueSpec::one("comm", &COMM)],
    keeps_operand: keeps_nothing,
    effects: Some(|_, _, effects| effects.add(EffectKind::Read, None, Resource::Default)),
    ..OpDef::BASE
};

/// `mpi.init`: `MPI_Init(NULL, NULL)`.
pub static INIT: OpDef = const {
    OpDef {
        name: "mpi.init",
        ..CALL
    }
}
.with_format("attr-dict (`:` type($retval)^)?");

/// `mpi.finalize`: `MPI_Finalize()`.
pub static FINALIZE: OpDef = const {
    OpDef {
        name: "mpi.finalize",
        ..CALL
    }
}
.with_format("attr-dict (`:` type($retval)^)?");

/// `mpi.comm_world`: `MPI_COMM_WORLD`.
pub static COMM_WORLD: OpDef = const {
    OpDef {
        name: "mpi.comm_world",
        results: &[ValueSpec::one("comm", &COMM)],
        ..OpDef::PURE
    }
}
.with_format("attr-dict `:` type(results)");

/// `mpi.comm_rank`: the number of this process.
pub static COMM_RANK: OpDef = const {
    OpDef {
        name: "mpi.comm_rank",
        results: &[RETVAL_RESULT, ValueSpec::one("rank", &I32)],
        ..QUERY
    }
}
.with_format("`(` $comm `)` attr-dict `:` type(results)");

/// `mpi.comm_size`: the number of processes.
pub static COMM_SIZE: OpDef = const {
    OpDef {
        name: "mpi.comm_size",
        results: &[RETVAL_RESULT, ValueSpec::one("size", &I32)],
        ..QUERY
    }
}
.with_format("`(` $comm `)` attr-dict `:` type(results)");

/// `mpi.comm_split`: a communicator of those that give the same color.
pub static COMM_SPLIT: OpDef = const {
    OpDef {
        name: "mpi.comm_split",
        operands: &[
            ValueSpec::one("comm", &COMM),
            ValueSpec::one("color", &I32),
            ValueSpec::one("key", &I32),
        ],
        results: &[RETVAL_RESULT, ValueSpec::one("newcomm", &COMM)],
        ..CALL
    }
}
.with_format("`(` $comm `,` $color `,` $key `)` attr-dict `:` type(results)");

/// `mpi.barrier`: waits until all have come here.
pub static BARRIER: OpDef = const {
    OpDef {
        name: "mpi.barrier",
        operands: &[ValueSpec::one("comm", &COMM)],
        ..CALL
    }
}
.with_format("`(` $comm `)` attr-dict (`->` type($retval)^)?");

/// The operands of all that send.
const SENDING: &[ValueSpec] = &[
    ValueSpec::one("ref", &MEMREF),
    ValueSpec::one("tag", &I32),
    ValueSpec::one("dest", &I32),
    ValueSpec::one("comm", &COMM),
];
/// The operands of all that receive.
const RECEIVING: &[ValueSpec] = &[
    ValueSpec::one("ref", &MEMREF),
    ValueSpec::one("tag", &I32),
    ValueSpec::one("source", &I32),
    ValueSpec::one("comm", &COMM),
];
/// The results of all that start a transfer.
const STARTED: &[ValueSpec] = &[RETVAL_RESULT, ValueSpec::one("req", &REQUEST)];

fn reads_buffer(ir: &Ir, op: Op, effects: &mut Effects) {
    effects.read(ir.operand(op, 0));
    communicates(effects);
}

fn writes_buffer(ir: &Ir, op: Op, effects: &mut Effects) {
    effects.write(ir.operand(op, 0));
    communicates(effects);
}

/// A request is made of the buffer alone, and a return value of nothing.
fn request_keeps_buffer(ir: &Ir, _: Op, result: Value, operand: usize) -> bool {
    operand == 0 && is_request(ir.context(), ir.value_type(result))
}

/// The request that a transfer starts, its last result.
fn started(ir: &Ir, op: Op) -> Value {
    let results = ir.results(op);
    results[results.len() - 1]
}

/// `mpi.send`: sends and returns when the buffer may be used again.
pub static SEND: OpDef = const {
    OpDef {
        name: "mpi.send",
        operands: SENDING,
        effects: Some(reads_buffer),
        ..CALL
    }
}
.with_format(
    "`(` $ref `,` $tag `,` $dest `,` $comm `)` attr-dict `:` type($ref) `,` type($tag) `,` \
     type($dest) (`->` type($retval)^)?",
);

/// `mpi.recv`: waits for a message.
pub static RECV: OpDef = const {
    OpDef {
        name: "mpi.recv",
        operands: RECEIVING,
        effects: Some(writes_buffer),
        ..CALL
    }
}
.with_format(
    "`(` $ref `,` $tag `,` $source `,` $comm `)` attr-dict `:` type($ref) `,` type($tag) `,` \
     type($source) (`->` type($retval)^)?",
);

/// `mpi.isend`: begins to send. The buffer is read until the request was waited for.
pub static ISEND: OpDef = const {
    OpDef {
        name: "mpi.isend",
        operands: SENDING,
        results: STARTED,
        effects: Some(reads_buffer),
        keeps_operand: request_keeps_buffer,
        request: Some(|ir, op| {
            Some(Request::Started {
                request: started(ir, op),
                buffer: ir.operand(op, 0),
                is_written: false,
            })
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "`(` $ref `,` $tag `,` $dest `,` $comm `)` attr-dict `:` type($ref) `,` type($tag) `,` \
     type($dest) `->` type(results)",
);

/// `mpi.irecv`: begins to receive. The buffer is written until the request was waited for.
pub static IRECV: OpDef = const {
    OpDef {
        name: "mpi.irecv",
        operands: RECEIVING,
        results: STARTED,
        effects: Some(writes_buffer),
        keeps_operand: request_keeps_buffer,
        request: Some(|ir, op| {
            Some(Request::Started {
                request: started(ir, op),
                buffer: ir.operand(op, 0),
                is_written: true,
            })
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "`(` $ref `,` $tag `,` $source `,` $comm `)` attr-dict `:` type($ref) `,` type($tag) `,` \
     type($source) `->` type(results)",
);

/// `mpi.wait`: waits until a transfer is over. Which buffer that reads or writes only the request knows.
pub static WAIT: OpDef = const {
    OpDef {
        name: "mpi.wait",
        operands: &[ValueSpec::one("req", &REQUEST)],
        effects: Some(|_, _, effects| {
            effects.add(EffectKind::Read, None, Resource::Default);
            communicates(effects);
        }),
        request: Some(|ir, op| Some(Request::Awaited(ir.operand(op, 0)))),
        ..CALL
    }
}
.with_format("`(` $req `)` attr-dict `:` type($req) (`->` type($retval)^)?");

/// `mpi.allreduce`: combines the elements of all processes, on every one.
pub static ALLREDUCE: OpDef = const {
    OpDef {
        name: "mpi.allreduce",
        operands: &[
            ValueSpec::one("sendbuf", &MEMREF),
            ValueSpec::one("recvbuf", &MEMREF),
            ValueSpec::one("comm", &COMM),
        ],
        attributes: &[AttrSpec::required(Name::OP, &attributes::REDUCTION)],
        effects: Some(reads_and_writes),
        ..CALL
    }
}
.with_format(
    "`(` $sendbuf `,` $recvbuf `,` $op `,` $comm `)` attr-dict `:` type($sendbuf) `,` \
     type($recvbuf) (`->` type($retval)^)?",
);

fn reads_and_writes(ir: &Ir, op: Op, effects: &mut Effects) {
    effects.read(ir.operand(op, 0));
    effects.write(ir.operand(op, 1));
    communicates(effects);
}

/// `mpi.allgather`: the buffers of all processes one behind the other, on every one. Newer than MLIR 22.
pub static ALLGATHER: OpDef = const {
    OpDef {
        name: "mpi.allgather",
        operands: &[
            ValueSpec::one("sendbuf", &MEMREF),
            ValueSpec::one("recvbuf", &MEMREF),
            ValueSpec::one("comm", &COMM),
        ],
        effects: Some(reads_and_writes),
        verify: verify_same_elements,
        ..CALL
    }
}
.with_format(
    "`(` $sendbuf `,` $recvbuf `,` $comm `)` attr-dict `:` type($sendbuf) `,` type($recvbuf) \
     (`->` type($retval)^)?",
);

/// `mpi.reduce_scatter_block`: combines the elements of all processes, a part on each. Newer than MLIR 22.
pub static REDUCE_SCATTER_BLOCK: OpDef = const {
    OpDef {
        name: "mpi.reduce_scatter_block",
        operands: &[
            ValueSpec::one("sendbuf", &MEMREF),
            ValueSpec::one("recvbuf", &MEMREF),
            ValueSpec::one("comm", &COMM),
        ],
        attributes: &[AttrSpec::required(Name::OP, &attributes::REDUCTION)],
        effects: Some(reads_and_writes),
        verify: verify_same_elements,
        ..CALL
    }
}
.with_format(
    "`(` $sendbuf `,` $recvbuf `,` $op `,` $comm `)` attr-dict `:` type($sendbuf) `,` \
     type($recvbuf) (`->` type($retval)^)?",
);

/// Both are counted in elements of one type.
fn verify_same_elements(ir: &Ir, op: Op) -> Result<(), OpError> {
    let element = |i| {
        let ty = ir.value_type(ir.operand(op, i));
        ir.context().element_type_or_self(ty)
    };
    match element(0) == element(1) {
        true => Ok(()),
        false => Err("requires both buffers to have elements of one type".into()),
    }
}

/// `mpi.retval_check`: whether a call ended in this way.
pub static RETVAL_CHECK: OpDef = const {
    OpDef {
        name: "mpi.retval_check",
        operands: &[ValueSpec::one("val", &RETVAL_OPERAND)],
        results: &[ValueSpec::one("res", &I1)],
        attributes: &[AttrSpec::required(Name::ERRCLASS, &attributes::ERROR_CLASS)],
        ..OpDef::PURE
    }
}
.with_format("$val `=` $errclass attr-dict `:` type($res)");
op_view!(
    /// View of [`RETVAL_CHECK`].
    RetvalCheck, RETVAL_CHECK { val: one = 0 }
);

/// `mpi.error_class`: the class of an error.
pub static ERROR_CLASS: OpDef = const {
    OpDef {
        name: "mpi.error_class",
        operands: &[ValueSpec::one("val", &RETVAL)],
        results: &[ValueSpec::one("errclass", &RETVAL)],
        ..OpDef::PURE
    }
}
.with_format("$val attr-dict `:` type($val) where $errclass = type($val)");

/// What a call says of its outcome, if that is wanted.
pub fn retval(ir: &Ir, op: Op) -> Option<Value> {
    let &first = ir.results(op).first()?;
    (is_retval(ir.context(), ir.value_type(first)) && !ir.is(op, &ERROR_CLASS)).then_some(first)
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "mpi",
    ops: &[
        &ALLGATHER,
        &ALLREDUCE,
        &BARRIER,
        &COMM_RANK,
        &COMM_SIZE,
        &COMM_SPLIT,
        &COMM_WORLD,
        &ERROR_CLASS,
        &FINALIZE,
        &INIT,
        &IRECV,
        &ISEND,
        &RECV,
        &REDUCE_SCATTER_BLOCK,
        &RETVAL_CHECK,
        &SEND,
        &WAIT,
    ],
    type_body: Some(|_, body| TYPES.contains(&body).then(|| body.to_owned())),
    attribute_body: Some(attributes::canonical_body),
    ..DialectDef::BASE
};
