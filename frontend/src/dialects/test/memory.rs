//! `test.alloc`, `test.copy` and `test.memref_user`.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{MEMREF, RANKED_OR_UNRANKED_MEMREF};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::interfaces::CopyInterface;
use crate::ir::op_def::{OpDef, ValueSpec};

/// `%m = test.alloc : memref<4xf32>`: allocates a buffer that must be freed.
pub static ALLOC: OpDef = const {
    OpDef {
        name: "test.alloc",
        results: &[ValueSpec::one("memref", &MEMREF)],
        effects: Some(|ir, op, out| out.allocate(ir.result(op, 0))),
        ..OpDef::BASE
    }
}
.with_format("attr-dict `:` type($memref)");

/// `test.copy(%a, %b) : (memref<4xf32>, memref<4xf32>)`: copies a to b.
pub static COPY: OpDef = const {
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
pub static MEMREF_USER: OpDef = OpDef {
    name: "test.memref_user",
    operands: &[ValueSpec::variadic("memrefs", &RANKED_OR_UNRANKED_MEMREF)],
    parse: Some(parse_call_like),
    print: Some(print_call_like),
    effects: Some(|ir, op, out| {
        for &operand in ir.operands(op) {
            out.read(operand);
        }
    }),
    ..OpDef::BASE
};

/// Reads `(%a, %b) {attrs} : (types)`.
fn parse_call_like(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = parser.loc();
    let operands = parser.parse_operand_list(Delimiter::Paren)?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let mut types = Vec::new();
    parser.parse_list(Delimiter::Paren, &mut |parser| {
        types.push(parser.parse_type()?);
        Ok(())
    })?;
    parser.resolve_each(&operands, &types, loc, spec)
}

fn print_call_like(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let operands = ir.operands(op);
    printer.text("(");
    printer.values(operands);
    printer.text(")");
    printer.opt_attr_dict(ir, op, &[]);
    printer.text(" : (");
    printer.types_of(ir, operands);
    printer.text(")");
}
