//! Structs, arrays and vectors as values: their members are read and replaced.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{ANY, I64_DENSE_ARRAY_ATTR, SIGNLESS_INTEGER, VECTOR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, ValueSpec};
use crate::ir::types::{Type, TypeKind};
use crate::syntax::printer::type_to_string;

use super::attributes::I32_LIST;
use super::types::{self, LlvmType};

const POSITION: AttrSpec = AttrSpec::required(Name::POSITION, &I64_DENSE_ARRAY_ATTR);

/// `llvm.extractvalue %struct[3, 0]`
pub static EXTRACT_VALUE: OpDef = const {
    OpDef {
        name: "llvm.extractvalue",
        operands: &[ValueSpec::one("container", &ANY)],
        results: &[ValueSpec::one("res", &ANY)],
        attributes: &[POSITION],
        infer_results: Some(|context, spec, parts| {
            let container = parts.type_of(crate::ir::format::Values::Operand(0));
            let position = spec.get_attr(Name::POSITION);
            let ty = container.zip(position).and_then(|(container, position)| {
                member_at(context, container, &context.attr_i64_array(position)?)
            });
            match ty {
                Some(ty) => Ok(smallvec::smallvec![ty]),
                None => Err("the position is not in the container".to_owned()),
            }
        }),
        verify: |ir, op| {
            let (container, result) = (ir.operand(op, 0), ir.result(op, 0));
            verify_member(ir, op, ir.value_type(container), ir.value_type(result))
        },
        ..OpDef::PURE
    }
}
.with_format("$container `` $position attr-dict `:` type($container)");

/// `llvm.insertvalue %value, %struct[3, 0]`. The container is the first operand.
pub static INSERT_VALUE: OpDef = OpDef {
    name: "llvm.insertvalue",
    operands: &[
        ValueSpec::one("container", &ANY),
        ValueSpec::one("value", &ANY),
    ],
    results: &[ValueSpec::one("res", &ANY)],
    attributes: &[POSITION],
    parse: Some(parse_insert),
    print: Some(print_insert),
    verify: |ir, op| {
        let [container, value] = [0, 1].map(|i| ir.value_type(ir.operand(op, i)));
        if container != ir.value_type(ir.result(op, 0)) {
            return Err("failed to verify that all of {container, res} have same type".into());
        }
        verify_member(ir, op, container, value)
    },
    ..OpDef::PURE
};

/// `llvm.extractelement %vector[%i : i64]`
pub static EXTRACT_ELEMENT: OpDef = const {
    OpDef {
        name: "llvm.extractelement",
        operands: &[
            ValueSpec::one("vector", &ANY),
            ValueSpec::one("position", &SIGNLESS_INTEGER),
        ],
        results: &[ValueSpec::one("res", &ANY)],
        infer_results: Some(|context, _, parts| {
            let vector = parts.type_of(crate::ir::format::Values::Operand(0));
            let element = vector.and_then(|vector| vector_element(context, vector));
            match element {
                Some(element) => Ok(smallvec::smallvec![element]),
                None => Err("expects a vector".to_owned()),
            }
        }),
        verify: |ir, op| {
            verify_element(ir, ir.operand(op, 0), ir.result(op, 0)).map_err(|()| {
                "failed to verify that result type matches vector element type".into()
            })
        },
        ..OpDef::PURE
    }
}
.with_format("$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)");

/// `llvm.insertelement %value, %vector[%i : i64]`. The vector is the first operand.
pub static INSERT_ELEMENT: OpDef = OpDef {
    name: "llvm.insertelement",
    operands: &[
        ValueSpec::one("vector", &ANY),
        ValueSpec::one("value", &ANY),
        ValueSpec::one("position", &SIGNLESS_INTEGER),
    ],
    results: &[ValueSpec::one("res", &ANY)],
    parse: Some(parse_insert_element),
    print: Some(|printer, ir, op| {
        let [vector, value, position] = [0, 1, 2].map(|i| ir.operand(op, i));
        printer.text(" ");
        printer.values(&[value, vector]);
        printer.text("[");
        printer.value(position);
        printer.text(" : ");
        printer.ty(ir.value_type(position));
        printer.text("]");
        printer.opt_attr_dict(ir, op, &[]);
        printer.text(" : ");
        printer.ty(ir.value_type(vector));
    }),
    verify: |ir, op| {
        verify_element(ir, ir.operand(op, 0), ir.operand(op, 1))
            .map_err(|()| "failed to verify that argument type matches vector element type".into())
    },
    ..OpDef::PURE
};

/// Whether `element` has the type of the elements of `vector`.
fn verify_element(ir: &Ir, vector: Value, element: Value) -> Result<(), ()> {
    let expected = vector_element(ir.context(), ir.value_type(vector));
    match expected == Some(ir.value_type(element)) {
        true => Ok(()),
        false => Err(()),
    }
}

/// `llvm.shufflevector %a, %b [0, 5, 1]`
pub static SHUFFLE_VECTOR: OpDef = const {
    OpDef {
        name: "llvm.shufflevector",
        operands: &[ValueSpec::one("v1", &VECTOR), ValueSpec::one("v2", &VECTOR)],
        results: &[ValueSpec::one("res", &VECTOR)],
        attributes: &[AttrSpec::required(Name::MASK, &I32_LIST)],
        infer_results: Some(|context, spec, parts| {
            let vector = parts.type_of(crate::ir::format::Values::Operand(0));
            let mask = spec.get_attr(Name::MASK);
            let n = mask.and_then(|mask| Some(context.attr_i32_array(mask)?.len()));
            let element = vector.and_then(|vector| vector_element(context, vector));
            match (element, n) {
                (Some(element), Some(n)) => {
                    Ok(smallvec::smallvec![context.intern_type(TypeKind::Vector {
                        shape: Box::new([n as i64]),
                        scalable: Box::new([false]),
                        element,
                    })])
                }
                _ => Err("expects a vector".to_owned()),
            }
        }),
        ..OpDef::PURE
    }
}
.with_format("$v1 `,` $v2 $mask attr-dict `:` type($v1) where $v2 = type($v1)");

pub(super) const OPS: &[&OpDef] = &[
    &EXTRACT_ELEMENT,
    &EXTRACT_VALUE,
    &INSERT_ELEMENT,
    &INSERT_VALUE,
    &SHUFFLE_VECTOR,
];

/// Where in an aggregate `op` reads or writes.
pub fn position(ir: &Ir, op: Op) -> Vec<i64> {
    ir.attr(op, Name::POSITION)
        .and_then(|attr| ir.context().attr_i64_array(attr))
        .unwrap_or_default()
}

/// The type of the elements of a vector of this dialect or of the builtin one.
fn vector_element(context: &Context, ty: Type) -> Option<Type> {
    match context.type_kind(ty) {
        TypeKind::Vector { element, .. } => Some(*element),
        _ => match types::of(context, ty)? {
            LlvmType::Vector(_, element) => Some(element),
            _ => None,
        },
    }
}

fn member_at(context: &Context, container: Type, position: &[i64]) -> Option<Type> {
    (position.iter()).try_fold(container, |ty, &index| types::member(context, ty, index))
}

fn verify_member(ir: &Ir, op: Op, container: Type, found: Type) -> Result<(), OpError> {
    let context = ir.context();
    let Some(expected) = member_at(context, container, &position(ir, op)) else {
        return Err("the position is not in the container".into());
    };
    if expected == found {
        return Ok(());
    }
    let [expected, found] = [expected, found].map(|ty| type_to_string(context, ty));
    Err(format!("Type mismatch: should be {expected} in the container, but is {found}").into())
}

fn parse_insert(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let value = parser.parse_operand()?;
    parser.parse_token(",")?;
    let container = parser.parse_operand()?;
    let loc = parser.loc();
    let position = parser.parse_integer_list()?;
    parser.parse_opt_attr_dict(spec)?;
    let ty = parser.parse_colon_type()?;
    let context = parser.context();
    let Some(member) = member_at(context, ty, &position) else {
        return Err(parser.error(loc, "the position is not in the container"));
    };
    spec.set_attr(Name::POSITION, context.i64_array_attr(&position));
    parser.resolve(&container, ty, spec)?;
    parser.resolve(&value, member, spec)?;
    spec.results.push(ty);
    Ok(())
}

fn print_insert(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let [container, value] = [0, 1].map(|i| ir.operand(op, i));
    printer.text(" ");
    printer.values(&[value, container]);
    printer.integer_list(&position(ir, op));
    printer.opt_attr_dict(ir, op, &[Name::POSITION]);
    printer.text(" : ");
    printer.ty(ir.value_type(container));
}

fn parse_insert_element(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let value = parser.parse_operand()?;
    parser.parse_token(",")?;
    let vector = parser.parse_operand()?;
    parser.parse_token("[")?;
    let position = parser.parse_operand()?;
    let position_type = parser.parse_colon_type()?;
    parser.parse_token("]")?;
    parser.parse_opt_attr_dict(spec)?;
    let loc = parser.loc();
    let ty = parser.parse_colon_type()?;
    let Some(element) = vector_element(parser.context(), ty) else {
        return Err(parser.error(loc, "expects a vector"));
    };
    parser.resolve(&vector, ty, spec)?;
    parser.resolve(&value, element, spec)?;
    parser.resolve(&position, position_type, spec)?;
    spec.results.push(ty);
    Ok(())
}
