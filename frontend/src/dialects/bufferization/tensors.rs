//! Operations on tensors that name buffers: `alloc_tensor`, `dealloc_tensor`,
//! `materialize_in_destination`, `to_tensor`, `to_memref`.

use smallvec::SmallVec;

use crate::dialects::memref::{constraints::SHAPED, types};
use crate::dialects::shared::assembly;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{ANY_ATTR, INDEX, RANKED_OR_UNRANKED_MEMREF, TENSOR, UNIT_ATTR};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::{DYNAMIC, Type};
use crate::op_view;

use super::patterns;

/// Reads a tensor type.
fn parse_tensor_type(parser: &mut dyn OpAsmParser<'_>) -> Result<Type, Failed> {
    assembly::parse_type_of_kind(parser, TENSOR.accepts)
}

/// `bufferization.alloc_tensor`: a tensor that becomes an allocation.
pub static ALLOC_TENSOR: OpDef = OpDef {
    name: "bufferization.alloc_tensor",
    operands: &[
        ValueSpec::variadic("dynamic_sizes", &INDEX),
        ValueSpec::optional("copy", &TENSOR),
        ValueSpec::optional("size_hint", &INDEX),
    ],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[AttrSpec::optional(Name::MEMORY_SPACE, &ANY_ATTR)],
    parse: Some(parse_alloc_tensor),
    print: Some(print_alloc_tensor),
    verify: verify_alloc_tensor,
    // Each is a buffer of its own, so two of them are not one; with the name
    // of no value it is not dead either, as upstream has it.
    effects: Some(|_, _, effects| effects.add(EffectKind::Allocate, None, Resource::Default)),
    ..OpDef::BASE
};
op_view!(
    /// View of [`ALLOC_TENSOR`].
    AllocTensor, ALLOC_TENSOR { dynamic_sizes: many = 0, copy: optional = 1, size_hint: optional = 2 }
);

fn parse_alloc_tensor(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let sizes = assembly::parse_enclosed_operands(parser, "(", ")")?;
    let copy = if parser.parse_opt_keyword("copy") {
        parser.parse_token("(")?;
        let copy = parser.parse_operand()?;
        parser.parse_token(")")?;
        Some(copy)
    } else {
        None
    };
    let size_hint = if parser.parse_opt_keyword("size_hint") {
        parser.parse_token("=")?;
        Some(parser.parse_operand()?)
    } else {
        None
    };
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let ty = parse_tensor_type(parser)?;
    parser.resolve_all(&sizes, Type::INDEX, spec)?;
    if let Some(copy) = &copy {
        parser.resolve(copy, ty, spec)?;
    }
    if let Some(size_hint) = &size_hint {
        parser.resolve(size_hint, Type::INDEX, spec)?;
    }
    let segments = [
        sizes.len(),
        usize::from(copy.is_some()),
        usize::from(size_hint.is_some()),
    ];
    assembly::set_segments(parser.context(), spec, &segments);
    spec.results.push(ty);
    Ok(())
}

fn print_alloc_tensor(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = AllocTensor(op);
    printer.text("(");
    printer.values(view.dynamic_sizes(ir));
    printer.text(")");
    if let Some(copy) = view.copy(ir) {
        printer.text(" copy(");
        printer.value(copy);
        printer.text(")");
    }
    if let Some(size_hint) = view.size_hint(ir) {
        printer.text(" size_hint=");
        printer.value(size_hint);
    }
    printer.opt_attr_dict(ir, op, &[Name::OPERAND_SEGMENT_SIZES]);
    assembly::print_colon_type(printer, ir, ir.result(op, 0));
}

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
pub static DEALLOC_TENSOR: OpDef = OpDef {
    name: "bufferization.dealloc_tensor",
    operands: &[ValueSpec::one("tensor", &TENSOR)],
    parse: Some(|parser, spec| {
        assembly::parse_operand_with_type(parser, spec, parse_tensor_type)?;
        Ok(())
    }),
    print: Some(assembly::print_operand_with_type),
    effects: Some(|_, _, effects| effects.add(EffectKind::Free, None, Resource::Default)),
    ..OpDef::BASE
};
op_view!(
    /// View of [`DEALLOC_TENSOR`].
    DeallocTensor, DEALLOC_TENSOR { tensor: one = 0 }
);

/// `bufferization.materialize_in_destination`: the contents of a tensor in
/// this tensor or buffer.
pub static MATERIALIZE_IN_DESTINATION: OpDef = OpDef {
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
    parse: Some(parse_materialize),
    print: Some(print_materialize),
    verify: verify_materialize,
    effects: Some(|ir, op, effects| {
        let target = ir.operand(op, 1);
        if ir.is_memref(target) {
            effects.write(target);
        }
    }),
    ..OpDef::BASE
};
op_view!(
    /// View of [`MATERIALIZE_IN_DESTINATION`].
    MaterializeInDestination, MATERIALIZE_IN_DESTINATION { source: one = 0, target: one = 1 }
);

fn parse_flag(
    parser: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    keyword: &'static str,
    name: Name,
) {
    if parser.parse_opt_keyword(keyword) {
        spec.set_attr(name, Attr::UNIT);
    }
}

fn print_flag(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, keyword: &str, name: Name) {
    if ir.has_attr(op, name) {
        printer.text(" ");
        printer.text(keyword);
    }
}

fn parse_materialize(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let source = parser.parse_operand()?;
    parser.parse_keyword("in")?;
    parse_flag(parser, spec, "restrict", Name::RESTRICT);
    parse_flag(parser, spec, "writable", Name::WRITABLE);
    let target = parser.parse_operand()?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let (inputs, results) = parser.parse_functional_type()?;
    parser.resolve_each(&[source, target], &inputs, loc, spec)?;
    spec.results = SmallVec::from_vec(results);
    Ok(())
}

fn print_materialize(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = MaterializeInDestination(op);
    printer.text(" ");
    printer.value(view.source(ir));
    printer.text(" in");
    print_flag(printer, ir, op, "restrict", Name::RESTRICT);
    print_flag(printer, ir, op, "writable", Name::WRITABLE);
    printer.text(" ");
    printer.value(view.target(ir));
    printer.opt_attr_dict(ir, op, &[Name::RESTRICT, Name::WRITABLE]);
    printer.text(" : ");
    let types = |values: &[_]| -> Vec<Type> { values.iter().map(|&v| ir.value_type(v)).collect() };
    printer.functional_type(&types(ir.operands(op)), &types(ir.results(op)));
}

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
pub static TO_TENSOR: OpDef = OpDef {
    name: "bufferization.to_tensor",
    operands: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[
        AttrSpec::optional(Name::RESTRICT, &UNIT_ATTR),
        AttrSpec::optional(Name::WRITABLE, &UNIT_ATTR),
    ],
    parse: Some(parse_to_tensor),
    print: Some(print_to_tensor),
    verify: |ir, op| {
        let memref = ir.value_type(ir.operand(op, 0));
        if types::tensor_type_of(ir.context(), memref) == Some(ir.value_type(ir.result(op, 0))) {
            return Ok(());
        }
        Err("failed to verify that result type matches tensor equivalent of 'memref'".into())
    },
    effects: Some(|ir, op, effects| effects.read(ir.operand(op, 0))),
    fold: Some(patterns::fold_to_tensor),
    ..OpDef::BASE
};
op_view!(
    /// View of [`TO_TENSOR`].
    ToTensor, TO_TENSOR { memref: one = 0 }
);

fn parse_to_tensor(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let memref = parser.parse_operand()?;
    parse_flag(parser, spec, "restrict", Name::RESTRICT);
    parse_flag(parser, spec, "writable", Name::WRITABLE);
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let ty = assembly::parse_base_memref_type(parser)?;
    parser.resolve(&memref, ty, spec)?;
    spec.results
        .extend(types::tensor_type_of(parser.context(), ty));
    Ok(())
}

fn print_to_tensor(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    print_flag(printer, ir, op, "restrict", Name::RESTRICT);
    print_flag(printer, ir, op, "writable", Name::WRITABLE);
    printer.opt_attr_dict(ir, op, &[Name::RESTRICT, Name::WRITABLE]);
    assembly::print_colon_type(printer, ir, ir.operand(op, 0));
}

/// `bufferization.to_memref`: a buffer with the contents of a tensor.
pub static TO_MEMREF: OpDef = OpDef {
    name: "bufferization.to_memref",
    operands: &[ValueSpec::one("tensor", &TENSOR)],
    results: &[ValueSpec::one("memref", &RANKED_OR_UNRANKED_MEMREF)],
    attributes: &[AttrSpec::optional(Name::READ_ONLY, &UNIT_ATTR)],
    parse: Some(parse_to_memref),
    print: Some(print_to_memref),
    verify: |ir, op| {
        let memref = ir.value_type(ir.result(op, 0));
        if types::tensor_type_of(ir.context(), memref) == Some(ir.value_type(ir.operand(op, 0))) {
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
    parse_flag(parser, spec, "read_only", Name::READ_ONLY);
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let ty = assembly::parse_base_memref_type(parser)?;
    if let Some(tensor_type) = types::tensor_type_of(parser.context(), ty) {
        parser.resolve(&tensor, tensor_type, spec)?;
    }
    spec.results.push(ty);
    Ok(())
}

fn print_to_memref(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    print_flag(printer, ir, op, "read_only", Name::READ_ONLY);
    printer.opt_attr_dict(ir, op, &[Name::READ_ONLY]);
    assembly::print_colon_type(printer, ir, ir.result(op, 0));
}
