//! Operations on tensors that name buffers: `alloc_tensor`, `dealloc_tensor`,
//! `materialize_in_destination`, `to_tensor`, `to_memref`.

use crate::dialects::memref::{constraints::SHAPED, types};
use crate::dialects::shared::assembly;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{ANY_ATTR, INDEX, RANKED_OR_UNRANKED_MEMREF, TENSOR, UNIT_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::DYNAMIC;
use crate::ir::version::MlirVersion;
use crate::op_view;

use super::patterns;

/// `bufferization.alloc_tensor`: a tensor that becomes an allocation.
pub static ALLOC_TENSOR: OpDef = const {
    OpDef {
        name: "bufferization.alloc_tensor",
        operands: &[
            ValueSpec::variadic("dynamic_sizes", &INDEX),
            ValueSpec::optional("copy", &TENSOR),
            ValueSpec::optional("size_hint", &INDEX),
        ],
        results: &[ValueSpec::one("result", &TENSOR)],
        attributes: &[AttrSpec::optional(Name::MEMORY_SPACE, &ANY_ATTR)],
        verify: verify_alloc_tensor,
        // Each is a buffer of its own, so two of them are not one; with the name
        // of no value it is not dead either, as upstream has it.
        effects: Some(|_, _, effects| effects.add(EffectKind::Allocate, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format(
    "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? \
     attr-dict `:` type($result) where $copy = type($result)",
);
op_view!(
    /// View of [`ALLOC_TENSOR`].
    AllocTensor, ALLOC_TENSOR { dynamic_sizes: many = 0, copy: optional = 1, size_hint: optional = 2 }
);

fn verify_alloc_tensor(ir: &Ir, op: Op) -> Result<(), OpError> {
    let view = AllocTensor(op);
    let ty = ir.value_type(ir.result(op, 0));
    let n_sizes = view.dynamic_sizes(ir).len();
    let Some(copy) = view.copy(ir) else {
        let Some(shape) = ir.context().shape(ty) else {
            return Err("expected a ranked tensor type".into());
        };
        let n_dynamic = shape.iter().filter(|&&size| size == DYNAMIC).count();
        if n_sizes != n_dynamic {
            return Err(OpError::bare(format!("expected {n_dynamic} dynamic sizes")));
        }
        return Ok(());
    };
    if n_sizes != 0 {
        return Err(OpError::bare(
            "dynamic sizes not needed when copying a tensor",
        ));
    }
    if ir.value_type(copy) != ty {
        return Err(OpError::bare("expected that `copy` and return type match"));
    }
    Ok(())
}

/// `bufferization.dealloc_tensor`
pub static DEALLOC_TENSOR: OpDef = const {
    OpDef {
        name: "bufferization.dealloc_tensor",
        operands: &[ValueSpec::one("tensor", &TENSOR)],
        effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format("$tensor attr-dict `:` type($tensor)");
op_view!(
    /// View of [`DEALLOC_TENSOR`].
    DeallocTensor, DEALLOC_TENSOR { tensor: one = 0 }
);

/// `bufferization.materialize_in_destination`: the contents of a tensor in
/// this tensor or buffer.
pub static MATERIALIZE_IN_DESTINATION: OpDef = const {
    OpDef {
        name: "bufferization.materialize_in_destination",
        operands: &[
            ValueSpec::one("source", &TENSOR),
            ValueSpec::one("dest", &SHAPED),
        ],
        results: &[ValueSpec::optional("result", &TENSOR)],
        attributes: &[
            AttrSpec::optional(Name::RESTRICT, &UNIT_ATTR),
            AttrSpec::optional(Name::WRITABLE, &UNIT_ATTR),
        ],
        verify: verify_materialize,
        effects: Some(|ir, op, effects| {
            let target = ir.operand(op, 1);
            if ir.is_memref(target) {
                effects.write(target);
            }
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` \
     functional-type(operands, results)",
);
op_view!(
    /// View of [`MATERIALIZE_IN_DESTINATION`].
    MaterializeInDestination, MATERIALIZE_IN_DESTINATION { source: one = 0, target: one = 1 }
);

fn verify_materialize(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let view = MaterializeInDestination(op);
    let (source, target) = (
        ir.value_type(view.source(ir)),
        ir.value_type(view.target(ir)),
    );
    if context.element_type_or_self(source) != context.element_type_or_self(target) {
        return Err("failed to verify that all of {source, dest} have same element type".into());
    }
    let is_memref = context.is_memref(target);
    if !is_memref && !(TENSOR.accepts)(context, target) {
        return Err("'dest' must be a tensor or a memref".into());
    }
    let n_results = ir.results(op).len();
    if is_memref && n_results != 0 {
        return Err("memref 'dest' implies zero results".into());
    }
    if !is_memref && ir.has_attr(op, Name::RESTRICT) {
        return Err("'restrict' is valid only for memref destinations".into());
    }
    if ir.has_attr(op, Name::WRITABLE) != is_memref {
        return Err(
            "'writable' must be specified if and only if the destination is of memref type".into(),
        );
    }
    match (context.shape(source), context.shape(target)) {
        (Some(a), Some(b)) => {
            if a.len() != b.len() {
                return Err("rank mismatch between source and destination shape".into());
            }
            if !a.iter().zip(b).all(|(&a, &b)| types::is_compatible(a, b)) {
                return Err("source/destination shapes are incompatible".into());
            }
        }
        (None, None) => {}
        _ => return Err("source/destination shapes are incompatible".into()),
    }
    if !is_memref {
        let [result] = *ir.results(op) else {
            return Err("tensor 'dest' implies exactly one tensor result".into());
        };
        if ir.value_type(result) != target {
            return Err("result and 'dest' types must match".into());
        }
    }
    Ok(())
}

/// `bufferization.to_tensor`: the contents of a buffer as a tensor.
pub static TO_TENSOR: OpDef = const {
    OpDef {
        name: "bufferization.to_tensor",
        operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
        results: &[ValueSpec::one("result", &TENSOR)],
        attributes: &[
            AttrSpec::optional(Name::RESTRICT, &UNIT_ATTR),
            AttrSpec::optional(Name::WRITABLE, &UNIT_ATTR),
        ],
        verify: |ir, op| {
            let memref = ir.value_type(ir.operand(op, 0));
            if ir.context().tensor_type_of(memref) == Some(ir.value_type(ir.result(op, 0))) {
                return Ok(());
            }
            Err("failed to verify that result type matches tensor equivalent of 'memref'".into())
        },
        effects: Some(|ir, op, effects| effects.read(ir.operand(op, 0))),
        fold: Some(patterns::fold_to_tensor),
        ..OpDef::BASE
    }
}
.with_format(
    "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref) \
     (`to` mlir-22 type($result))? where $result = tensor($memref)",
);
op_view!(
    /// View of [`TO_TENSOR`].
    ToTensor, TO_TENSOR { memref: one = 0 }
);

/// `bufferization.to_memref`: a buffer with the contents of a tensor.
pub static TO_MEMREF: OpDef = OpDef {
    name: "bufferization.to_memref",
    name_22: Some("bufferization.to_buffer"),
    operands: &[ValueSpec::one("tensor", &TENSOR)],
    results: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
    attributes: &[AttrSpec::optional(Name::READ_ONLY, &UNIT_ATTR)],
    parse: Some(parse_to_memref),
    print: Some(print_to_memref),
    verify: |ir, op| {
        let memref = ir.value_type(ir.result(op, 0));
        if ir.context().tensor_type_of(memref) == Some(ir.value_type(ir.operand(op, 0))) {
            return Ok(());
        }
        Err("failed to verify that type of 'tensor' is the tensor equivalent of 'memref'".into())
    },
    fold: Some(patterns::fold_to_memref),
    canonicalize: patterns::TO_MEMREF,
    ..OpDef::PURE
};
op_view!(
    /// View of [`TO_MEMREF`].
    ToMemref, TO_MEMREF { tensor: one = 0 }
);

fn parse_to_memref(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let tensor = parser.parse_operand()?;
    if parser.parse_opt_keyword("read_only") {
        spec.set_attr(Name::READ_ONLY, Attr::UNIT);
    }
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let first = parser.parse_type()?;
    if parser.parse_opt_keyword("to") {
        parser.context().note_version(MlirVersion::V22);
        parser.resolve(&tensor, first, spec)?;
        let ty = assembly::parse_type_of_kind(parser, Context::is_memref)?;
        spec.results.push(ty);
        return Ok(());
    }
    let ty = first;
    if !parser.context().is_memref(ty) {
        return Err(parser.error(loc, "invalid kind of type specified"));
    }
    if let Some(tensor_type) = parser.context().tensor_type_of(ty) {
        parser.resolve(&tensor, tensor_type, spec)?;
    }
    spec.results.push(ty);
    Ok(())
}

fn print_to_memref(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    if ir.has_attr(op, Name::READ_ONLY) {
        printer.text(" read_only");
    }
    printer.opt_attr_dict(ir, op, &[Name::READ_ONLY]);
    if printer.mlir_version() == MlirVersion::V22 {
        assembly::print_colon_type(printer, ir, ir.operand(op, 0));
        printer.text(" to ");
        printer.ty(ir.value_type(ir.result(op, 0)));
    } else {
        assembly::print_colon_type(printer, ir, ir.result(op, 0));
    }
}
