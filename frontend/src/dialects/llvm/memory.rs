//! What addresses memory: stack memory, loads, stores, pointer arithmetic, atomics.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{ANY, I64_ATTR, SIGNLESS_INTEGER, STRING_ATTR, TYPE_ATTR, UNIT_ATTR};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, TypeConstraint, ValueSpec};
use crate::ir::types::Type;

use super::CAST;
use super::attributes::{self, I32_LIST};
use super::types::{self, LlvmType};

/// A pointer.
pub(super) static POINTER: TypeConstraint = TypeConstraint {
    description: "LLVM pointer type",
    accepts: types::is_pointer,
    ..TypeConstraint::BASE
};

const ALIGNMENT: AttrSpec = AttrSpec::optional(Name::ALIGNMENT, &I64_ATTR);
const VOLATILE: AttrSpec = AttrSpec::optional(Name::VOLATILE_, &UNIT_ATTR);
const NONTEMPORAL: AttrSpec = AttrSpec::optional(Name::NONTEMPORAL, &UNIT_ATTR);
const SYNCSCOPE: AttrSpec = AttrSpec::optional(Name::SYNCSCOPE, &STRING_ATTR);
const ELEM_TYPE: AttrSpec = AttrSpec::required(Name::ELEM_TYPE, &TYPE_ATTR);

/// What stands in [`Name::RAW_CONSTANT_INDICES`] for an index that is a value.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// `llvm.alloca %n x f32`
pub static ALLOCA: OpDef = OpDef {
    name: "llvm.alloca",
    operands: &[ValueSpec::one("arraySize", &SIGNLESS_INTEGER)],
    results: &[ValueSpec::one("res", &POINTER)],
    attributes: &[
        ALIGNMENT,
        ELEM_TYPE,
        AttrSpec::optional(Name::INALLOCA, &UNIT_ATTR),
    ],
    parse: Some(parse_alloca),
    print: Some(print_alloca),
    effects: Some(|ir, op, effects| effects.allocate_automatic(ir.result(op, 0))),
    ..OpDef::BASE
};

/// `llvm.load %p : !llvm.ptr -> f32`
pub static LOAD: OpDef = const {
    OpDef {
        name: "llvm.load",
        operands: &[ValueSpec::one("addr", &POINTER)],
        results: &[ValueSpec::one("res", &ANY)],
        attributes: &[
            ALIGNMENT,
            VOLATILE,
            NONTEMPORAL,
            AttrSpec::optional(Name::INVARIANT, &UNIT_ATTR),
            attributes::ORDERING,
            SYNCSCOPE,
        ],
        // Any pointer may lead to the memory that another one leads to.
        effects: Some(|ir, op, effects| {
            effects.add(EffectKind::Read, None, Resource::Default);
            if is_ordered(ir, op) {
                effects.add(EffectKind::Write, None, Resource::Default);
            }
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "(`volatile` $volatile_^)? $addr (`atomic` $ordering^)? (`invariant` $invariant^)? attr-dict \
     `:` type($addr) `->` type($res)",
);

/// `llvm.store %x, %p : f32, !llvm.ptr`
pub static STORE: OpDef = const {
    OpDef {
        name: "llvm.store",
        operands: &[
            ValueSpec::one("value", &ANY),
            ValueSpec::one("addr", &POINTER),
        ],
        attributes: &[
            ALIGNMENT,
            VOLATILE,
            NONTEMPORAL,
            attributes::ORDERING,
            SYNCSCOPE,
        ],
        effects: Some(|_, _, effects| effects.add(EffectKind::Write, None, Resource::Default)),
        ..OpDef::BASE
    }
}
.with_format(
    "(`volatile` $volatile_^)? $value `,` $addr (`atomic` $ordering^)? attr-dict `:` type($value) \
     `,` type($addr)",
);

/// `llvm.getelementptr %p[%i, 2] : (!llvm.ptr, i64) -> !llvm.ptr, f32`
pub static GEP: OpDef = OpDef {
    name: "llvm.getelementptr",
    operands: &[
        ValueSpec::one("base", &ANY),
        ValueSpec::variadic("dynamicIndices", &ANY),
    ],
    results: &[ValueSpec::one("res", &ANY)],
    attributes: &[
        AttrSpec::required(Name::RAW_CONSTANT_INDICES, &I32_LIST),
        ELEM_TYPE,
        AttrSpec::optional(Name::INBOUNDS, &UNIT_ATTR),
    ],
    parse: Some(parse_gep),
    print: Some(print_gep),
    verify: verify_gep,
    ..OpDef::PURE
};

/// `llvm.atomicrmw add %p, %x monotonic`
pub static ATOMIC_RMW: OpDef = OpDef {
    name: "llvm.atomicrmw",
    operands: &[ValueSpec::one("ptr", &POINTER), ValueSpec::one("val", &ANY)],
    results: &[ValueSpec::one("res", &ANY)],
    attributes: &[
        AttrSpec::required(Name::BIN_OP, &I64_ATTR),
        AttrSpec::required(Name::ORDERING, &I64_ATTR),
        SYNCSCOPE,
        ALIGNMENT,
        VOLATILE,
    ],
    parse: Some(parse_atomic_rmw),
    print: Some(print_atomic_rmw),
    effects: Some(|_, _, effects| {
        effects.add(EffectKind::Read, None, Resource::Default);
        effects.add(EffectKind::Write, None, Resource::Default);
    }),
    ..OpDef::BASE
};

/// `llvm.cmpxchg %p, %expected, %new acq_rel monotonic`
pub static CMPXCHG: OpDef = OpDef {
    name: "llvm.cmpxchg",
    operands: &[
        ValueSpec::one("ptr", &POINTER),
        ValueSpec::one("cmp", &ANY),
        ValueSpec::one("val", &ANY),
    ],
    results: &[ValueSpec::one("res", &ANY)],
    attributes: &[
        AttrSpec::required(Name::SUCCESS_ORDERING, &I64_ATTR),
        AttrSpec::required(Name::FAILURE_ORDERING, &I64_ATTR),
        SYNCSCOPE,
        ALIGNMENT,
        VOLATILE,
    ],
    parse: Some(parse_cmpxchg),
    print: Some(print_cmpxchg),
    effects: ATOMIC_RMW.effects,
    ..OpDef::BASE
};

/// `llvm.fence acquire`
pub static FENCE: OpDef = const {
    OpDef {
        name: "llvm.fence",
        attributes: &[attributes::ORDERING, SYNCSCOPE],
        ..OpDef::BASE
    }
}
.with_format("$ordering attr-dict");

super::rows! {
    /// A pointer as an integer.
    PTR_TO_INT = "llvm.ptrtoint": CAST;
    /// An integer as a pointer.
    INT_TO_PTR = "llvm.inttoptr": CAST;
    /// A pointer to another space.
    ADDRSPACE_CAST = "llvm.addrspacecast": CAST;
}

pub(super) const OPS: &[&OpDef] = &[
    &ADDRSPACE_CAST,
    &ALLOCA,
    &ATOMIC_RMW,
    &CMPXCHG,
    &FENCE,
    &GEP,
    &INT_TO_PTR,
    &LOAD,
    &PTR_TO_INT,
    &STORE,
];

/// Whether a load must stay where it is.
fn is_ordered(ir: &Ir, op: Op) -> bool {
    ir.has_attr(op, Name::VOLATILE_) || ir.has_attr(op, Name::ORDERING)
}

fn parse_alloca(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    if parser.parse_opt_keyword("inalloca") {
        spec.set_attr(Name::INALLOCA, crate::ir::attrs::Attr::UNIT);
    }
    let size = parser.parse_operand()?;
    parser.parse_keyword("x")?;
    let element = parser.parse_type()?;
    spec.set_attr(Name::ELEM_TYPE, context.type_attr(element));
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let (inputs, results) = parser.parse_functional_type()?;
    let ([input], [result]) = (&inputs[..], &results[..]) else {
        return Err(parser.error(loc, "expected one operand and one result"));
    };
    parser.resolve(&size, *input, spec)?;
    spec.results.push(*result);
    Ok(())
}

fn elem_type(ir: &Ir, op: Op) -> Option<Type> {
    ir.context().attr_type(ir.attr(op, Name::ELEM_TYPE)?)
}

fn print_alloca(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    if ir.has_attr(op, Name::INALLOCA) {
        printer.text(" inalloca");
    }
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    printer.text(" x ");
    if let Some(ty) = elem_type(ir, op) {
        printer.ty(ty);
    }
    printer.opt_attr_dict(ir, op, &[Name::ELEM_TYPE, Name::INALLOCA]);
    printer.text(" : ");
    let [input, result] = [ir.operand(op, 0), ir.result(op, 0)].map(|v| ir.value_type(v));
    printer.functional_type(&[input], &[result]);
}

/// An index of pointer arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GepIndex {
    /// Known.
    Constant(i32),
    /// Computed.
    Value(Value),
}

/// The indices of a `getelementptr`.
pub fn gep_indices(ir: &Ir, op: Op) -> Vec<GepIndex> {
    let Some(raw) = ir.attr(op, Name::RAW_CONSTANT_INDICES) else {
        return Vec::new();
    };
    let mut values = ir.operands(op).iter().skip(1);
    let raw = ir.context().attr_i32_array(raw);
    let indices = raw.into_iter().flatten().map(|index| match index {
        DYNAMIC_INDEX => values.next().map(|&value| GepIndex::Value(value)),
        constant => Some(GepIndex::Constant(constant)),
    });
    indices.flatten().collect()
}

fn parse_gep(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    if parser.parse_opt_keyword("inbounds") {
        spec.set_attr(Name::INBOUNDS, crate::ir::attrs::Attr::UNIT);
    }
    let mut operands = vec![parser.parse_operand()?];
    let mut raw = Vec::new();
    parser.parse_list(crate::ir::asm::Delimiter::Square, &mut |parser| {
        match parser.parse_opt_operand() {
            Some(operand) => {
                operands.push(operand?);
                raw.push(DYNAMIC_INDEX);
            }
            None => {
                let loc = parser.loc();
                let index = parser.parse_integer()?;
                match i32::try_from(index) {
                    Ok(index) if index != DYNAMIC_INDEX => raw.push(index),
                    _ => return Err(parser.error(loc, "index is out of range")),
                }
            }
        }
        Ok(())
    })?;
    spec.set_attr(Name::RAW_CONSTANT_INDICES, context.i32_array_attr(&raw));
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let loc = parser.loc();
    let (inputs, results) = parser.parse_functional_type()?;
    parser.resolve_each(&operands, &inputs, loc, spec)?;
    spec.results.extend(results);
    parser.parse_token(",")?;
    let element = parser.parse_type()?;
    spec.set_attr(Name::ELEM_TYPE, context.type_attr(element));
    Ok(())
}

fn print_gep(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    if ir.has_attr(op, Name::INBOUNDS) {
        printer.text(" inbounds");
    }
    printer.text(" ");
    printer.value(ir.operand(op, 0));
    printer.text("[");
    for (i, index) in gep_indices(ir, op).into_iter().enumerate() {
        printer.text(if i > 0 { ", " } else { "" });
        match index {
            GepIndex::Constant(number) => printer.integer(number.into()),
            GepIndex::Value(value) => printer.value(value),
        }
    }
    printer.text("]");
    printer.opt_attr_dict(
        ir,
        op,
        &[Name::INBOUNDS, Name::RAW_CONSTANT_INDICES, Name::ELEM_TYPE],
    );
    printer.text(" : ");
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    };
    printer.functional_type(&types(ir.operands(op)), &types(ir.results(op)));
    printer.text(", ");
    if let Some(ty) = elem_type(ir, op) {
        printer.ty(ty);
    }
}

fn verify_gep(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let raw = ir.attr(op, Name::RAW_CONSTANT_INDICES);
    let raw = raw.and_then(|attr| context.attr_i32_array(attr));
    let n_dynamic = raw.into_iter().flatten().filter(|&i| i == DYNAMIC_INDEX);
    if n_dynamic.count() != ir.operands(op).len() - 1 {
        return Err("expected as many dynamic indices as specified in 'rawConstantIndices'".into());
    }
    let Some(mut ty) = elem_type(ir, op) else {
        return Ok(());
    };
    for index in gep_indices(ir, op).into_iter().skip(1) {
        ty = match (types::of(context, ty), index) {
            (Some(LlvmType::Struct { members, .. }), GepIndex::Constant(index)) => {
                let members = members.unwrap_or_default();
                match usize::try_from(index).ok().and_then(|i| members.get(i)) {
                    Some(&member) => member,
                    None => {
                        return Err(
                            format!("index {index} indexing a struct is out of bounds").into()
                        );
                    }
                }
            }
            (Some(LlvmType::Struct { .. }), GepIndex::Value(_)) => {
                return Err("expected index to a struct to be constant".into());
            }
            (Some(LlvmType::Array(_, element) | LlvmType::Vector(_, element)), _) => element,
            _ if crate::ir::constraints::is_vector(context, ty) => context.element_type_or_self(ty),
            _ => return Err("type cannot be indexed".into()),
        };
    }
    Ok(())
}

/// What `atomicrmw` does, at the index that is its number.
const BIN_OPS: &[&str] = &[
    "xchg",
    "add",
    "sub",
    "_and",
    "nand",
    "_or",
    "_xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
];

/// Reads an ordering as the attribute `name`.
fn parse_ordering(
    parser: &mut dyn OpAsmParser<'_>,
    name: Name,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    if let Some(attr) = attributes::parse_ordering(parser)? {
        spec.set_attr(name, attr);
    }
    Ok(())
}

fn print_ordering(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, name: Name) {
    if let Some(attr) = ir.attr(op, name) {
        printer.text(" ");
        attributes::print_ordering(printer, ir.context(), attr);
    }
}

fn parse_atomic_rmw(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = parser.context();
    let loc = parser.loc();
    let word = parser.parse_any_keyword()?;
    let Some(number) = BIN_OPS.iter().position(|name| *name == word) else {
        return Err(parser.error(loc, format!("'{word}' is no atomic operation")));
    };
    spec.set_attr(Name::BIN_OP, context.i64_attr(number as i64));
    let pointer = parser.parse_operand()?;
    parser.parse_token(",")?;
    let value = parser.parse_operand()?;
    parse_ordering(parser, Name::ORDERING, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let pointer_type = parser.parse_type()?;
    parser.parse_token(",")?;
    let ty = parser.parse_type()?;
    parser.resolve(&pointer, pointer_type, spec)?;
    parser.resolve(&value, ty, spec)?;
    spec.results.push(ty);
    Ok(())
}

/// What an `atomicrmw` does, as upstream names it; nothing for other operations.
pub fn atomic_operation(ir: &Ir, op: Op) -> Option<&'static str> {
    ir.is(op, &ATOMIC_RMW).then_some(())?;
    let number = ir.context().attr_integer(ir.attr(op, Name::BIN_OP)?)?;
    BIN_OPS.get(usize::try_from(number).ok()?).copied()
}

fn print_atomic_rmw(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.text(atomic_operation(ir, op).unwrap_or_default());
    printer.text(" ");
    printer.values(ir.operands(op));
    print_ordering(printer, ir, op, Name::ORDERING);
    printer.opt_attr_dict(ir, op, &[Name::BIN_OP, Name::ORDERING]);
    printer.text(" : ");
    printer.types_of(ir, ir.operands(op));
}

/// `!llvm.struct<(i32, i1)>`: what was there, and whether it was replaced.
fn exchanged(context: &Context, ty: Type) -> Type {
    types::intern(
        context,
        &LlvmType::Struct {
            name: None,
            packed: false,
            members: Some(vec![ty, Type::I1]),
        },
    )
}

fn parse_cmpxchg(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let pointer = parser.parse_operand()?;
    parser.parse_token(",")?;
    let expected = parser.parse_operand()?;
    parser.parse_token(",")?;
    let new = parser.parse_operand()?;
    parse_ordering(parser, Name::SUCCESS_ORDERING, spec)?;
    parse_ordering(parser, Name::FAILURE_ORDERING, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    parser.parse_token(":")?;
    let pointer_type = parser.parse_type()?;
    parser.parse_token(",")?;
    let ty = parser.parse_type()?;
    parser.resolve(&pointer, pointer_type, spec)?;
    parser.resolve_all(&[expected, new], ty, spec)?;
    spec.results.push(exchanged(parser.context(), ty));
    Ok(())
}

fn print_cmpxchg(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.values(ir.operands(op));
    print_ordering(printer, ir, op, Name::SUCCESS_ORDERING);
    print_ordering(printer, ir, op, Name::FAILURE_ORDERING);
    printer.opt_attr_dict(ir, op, &[Name::SUCCESS_ORDERING, Name::FAILURE_ORDERING]);
    printer.text(" : ");
    printer.types_of(ir, &ir.operands(op)[..2]);
}
