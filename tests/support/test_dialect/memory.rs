//! `test.alloc`, `test.copy` and `test.memref_user`.

use freehold_frontend::ir::constraints::{MEMREF, RANKED_OR_UNRANKED_MEMREF};
use freehold_frontend::ir::interfaces::CopyInterface;
use freehold_frontend::ir::op_def::{OpDef, ValueSpec};

/// `%m = test.alloc : memref<4xf32>`: allocates a buffer that must be freed.
pub(super) static ALLOC: OpDef = const {
    OpDef {
        name: "test.alloc",
        results: &[ValueSpec::one("memref", &MEMREF)],
        effects: Some(|ir, op, out| out.allocate(ir.result(op, 0))),
        ..OpDef::BASE
    }
}
.with_format("attr-dict `:` type($memref)");

/// `test.copy(%a, %b) : (memref<4xf32>, memref<4xf32>)`: copies a to b.
pub(super) static COPY: OpDef = const {
    OpDef {
        name: "test.copy",
        operands: &[
            ValueSpec::one("source", &RANKED_OR_UNRANKED_MEMREF),
            ValueSpec::one("target", &RANKED_OR_UNRANKED_MEMREF),
        ],
        effects: Some(|ir, op, out| {
            out.read(ir.operand(op, 0));
            out.write(ir.operand(op, 1));
        }),
        copy: Some(&CopyInterface {
            source: |ir, op| ir.operand(op, 0),
            target: |ir, op| ir.operand(op, 1),
        }),
        ..OpDef::BASE
    }
}
.with_format("`(` $source `,` $target `)` attr-dict `:` `(` type($source) `,` type($target) `)`");

/// `test.memref_user(%a) : (memref<4xf32>)`: reads its operands.
pub(super) static MEMREF_USER: OpDef = const {
    OpDef {
        name: "test.memref_user",
        operands: &[ValueSpec::variadic("memrefs", &RANKED_OR_UNRANKED_MEMREF)],
        effects: Some(|ir, op, out| {
            for &operand in ir.operands(op) {
                out.read(operand);
            }
        }),
        ..OpDef::BASE
    }
}
.with_format("`(` $memrefs `)` attr-dict `:` `(` type($memrefs) `)`");
