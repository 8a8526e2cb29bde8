//! Asynchronous copies: `dma_start` and `dma_wait`.
//!
//! The operands of `dma_start` are one list: source and its indices,
//! destination and its indices, the number of elements, the tag and its
//! indices, and optionally stride and elements per stride. Ranks tell them
//! apart, which is why its row has a single group; [`Transfer`] names them.

use std::ops::Range;

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{ANY, INDEX, MEMREF};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::Request;
use crate::ir::op_def::{OpDef, OpError, ValueSpec};
use crate::ir::types::Type;
use crate::op_view;

use super::patterns;
use crate::dialects::shared::assembly;

/// `memref.dma_start`: starts a copy that ends by the `dma_wait` on its tag.
pub static DMA_START: OpDef = OpDef {
    name: "memref.dma_start",
    operands: &[ValueSpec::variadic("operands", &ANY)],
    parse: Some(parse_dma_start),
    print: Some(print_dma_start),
    verify: |ir, op| Transfer::of(ir, op).map(|_| ()),
    effects: Some(|ir, op, effects| {
        if let Ok(transfer) = Transfer::of(ir, op) {
            let operands = ir.operands(op);
            effects.read(operands[transfer.source]);
            effects.write(operands[transfer.target]);
            effects.write(operands[transfer.tag]);
        }
    }),
    request: Some(|ir, op| {
        let transfer = Transfer::of(ir, op).ok()?;
        Some(Request::Tagged(ir.operand(op, transfer.tag)))
    }),
    canonicalize: patterns::DMA_START,
    ..OpDef::BASE
};

/// Which operand of a `dma_start` is what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The memref read from.
    pub source: usize,
    /// Its indices.
    pub source_indices: Range<usize>,
    /// The memref written to.
    pub target: usize,
    /// Its indices.
    pub target_indices: Range<usize>,
    /// The number of elements.
    pub n_elements: usize,
    /// The memref that tells when the transfer is over.
    pub tag: usize,
    /// Its indices.
    pub tag_indices: Range<usize>,
    /// Stride and number of elements per stride, in elements.
    pub stride: Option<(usize, usize)>,
}

impl Transfer {
    /// Takes the operands of `op`, a `dma_start`, apart.
    ///
    /// # Errors
    /// If they do not fit together, in upstream's words.
    pub fn of(ir: &Ir, op: Op) -> Result<Self, OpError> {
        let operands = ir.operands(op);
        let rank = |at: usize| {
            let ty = ir.value_type(*operands.get(at)?);
            Some(ir.context().as_memref(ty)?.rank())
        };
        let all_indices = |range: Range<usize>| {
            operands[range]
                .iter()
                .all(|&v| ir.value_type(v) == Type::INDEX)
        };
        let at_least = |count: usize| {
            if operands.len() < count {
                return Err(OpError::from(format!("expected at least {count} operands")));
            }
            Ok(())
        };
        at_least(4)?;
        let source_rank = rank(0).ok_or("expected source to be of memref type")?;
        at_least(source_rank + 4)?;
        let target = 1 + source_rank;
        if !all_indices(1..target) {
            return Err("expected source indices to be of index type".into());
        }
        let target_rank = rank(target).ok_or("expected destination to be of memref type")?;
        at_least(source_rank + target_rank + 4)?;
        let n_elements = target + 1 + target_rank;
        if !all_indices(target + 1..n_elements) {
            return Err("expected destination indices to be of index type".into());
        }
        if !all_indices(n_elements..n_elements + 1) {
            return Err("expected num elements to be of index type".into());
        }
        let tag = n_elements + 1;
        let tag_rank = rank(tag).ok_or("expected tag to be of memref type")?;
        at_least(source_rank + target_rank + tag_rank + 4)?;
        let end = tag + 1 + tag_rank;
        if !all_indices(tag + 1..end) {
            return Err("expected tag indices to be of index type".into());
        }
        let stride = match operands.len() - end {
            0 => None,
            2 => {
                if !all_indices(end..end + 2) {
                    return Err(
                        "expected stride and num elements per stride to be of type index".into(),
                    );
                }
                Some((end, end + 1))
            }
            _ => return Err("incorrect number of operands".into()),
        };
        Ok(Self {
            source: 0,
            source_indices: 1..target,
            target,
            target_indices: target + 1..n_elements,
            n_elements,
            tag,
            tag_indices: tag + 1..end,
            stride,
        })
    }
}

fn parse_dma_start(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = parser.parse_operand()?;
    let source_indices = assembly::parse_indices(parser)?;
    parser.parse_token(",")?;
    let target = parser.parse_operand()?;
    let target_indices = assembly::parse_indices(parser)?;
    parser.parse_token(",")?;
    let n_elements = parser.parse_operand()?;
    parser.parse_token(",")?;
    let tag = parser.parse_operand()?;
    let tag_indices = assembly::parse_indices(parser)?;
    let mut stride = Vec::new();
    while parser.parse_opt_token(",") {
        stride.push(parser.parse_operand()?);
    }
    let loc = parser.name_loc();
    if !stride.is_empty() && stride.len() != 2 {
        return Err(parser.error(loc, "expected two stride related operands"));
    }
    let types = parser.parse_colon_type_list()?;
    let &[source_type, target_type, tag_type] = &types[..] else {
        return Err(parser.error(loc, "fewer/more types expected"));
    };
    parser.resolve(&source, source_type, spec)?;
    parser.resolve_all(&source_indices, Type::INDEX, spec)?;
    parser.resolve(&target, target_type, spec)?;
    parser.resolve_all(&target_indices, Type::INDEX, spec)?;
    parser.resolve(&n_elements, Type::INDEX, spec)?;
    parser.resolve(&tag, tag_type, spec)?;
    parser.resolve_all(&tag_indices, Type::INDEX, spec)?;
    parser.resolve_all(&stride, Type::INDEX, spec)
}

fn print_dma_start(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let operands = ir.operands(op);
    let Ok(transfer) = Transfer::of(ir, op) else {
        // Only verified operations are printed in custom form.
        return;
    };
    let element = |printer: &mut dyn OpAsmPrinter, memref: usize, indices: &Range<usize>| {
        printer.value(operands[memref]);
        assembly::print_indices(printer, &operands[indices.clone()]);
        printer.text(", ");
    };
    printer.text(" ");
    element(printer, transfer.source, &transfer.source_indices);
    element(printer, transfer.target, &transfer.target_indices);
    printer.value(operands[transfer.n_elements]);
    printer.text(", ");
    printer.value(operands[transfer.tag]);
    assembly::print_indices(printer, &operands[transfer.tag_indices.clone()]);
    if let Some((stride, per_stride)) = transfer.stride {
        printer.text(", ");
        printer.values(&[operands[stride], operands[per_stride]]);
    }
    printer.text(" : ");
    let memrefs: [Value; 3] =
        [transfer.source, transfer.target, transfer.tag].map(|at| operands[at]);
    printer.types_of(ir, &memrefs);
}

/// `memref.dma_wait`: waits for the transfers with this tag.
pub static DMA_WAIT: OpDef = const {
    OpDef {
        name: "memref.dma_wait",
        operands: &[
            ValueSpec::one("tagMemRef", &MEMREF),
            ValueSpec::variadic("tagIndices", &INDEX),
            ValueSpec::one("numElements", &INDEX),
        ],
        verify: |ir, op| {
            let rank = assembly::memref_of(ir, ir.operand(op, 0)).rank();
            let n_indices = ir.operand_group(op, 1).len();
            if n_indices == rank {
                return Ok(());
            }
            Err(format!(
                "expected tagIndices to have the same number of elements as the tagMemRef rank, \
             expected {rank}, but got {n_indices}"
            )
            .into())
        },
        effects: Some(|ir, op, effects| {
            effects.read(ir.operand(op, 0));
            // What the transfer wrote is visible from here on: some memory changed.
            effects.add(EffectKind::Write, None, Resource::Default);
        }),
        canonicalize: patterns::USES_MEMREF_FIRST,
        ..OpDef::BASE
    }
}
.with_format("$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)");
op_view!(
    /// View of [`DMA_WAIT`].
    DmaWait, DMA_WAIT { tag: one = 0, tag_indices: many = 1, n_elements: one = 2 }
);
