//! The `onnx` dialect: a graph of ONNX operators, in the text that onnx-mlir has for them.
//!
//! Operations are in generic form, their attributes discardable. Operators are rows of a table ([`rows`]): how many
//! operands and results they have in any version, and which attributes of which kind. An absent operand is the result
//! of `onnx.NoValue`; operators of other domains are `onnx.Custom`.

pub mod rows;

use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

use crate::ir::attrs::AttrKind;
use crate::ir::constraints::ANY;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::{DialectDef, OpDef, OpError, Traits, ValueSpec};
use crate::ir::types::{Signedness, Type, TypeKind};

/// What an attribute of an operator holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `3 : si64`
    Int,
    /// `[1, 2]`
    Ints,
    /// `1.0 : f32`
    Float,
    /// `[1.0 : f32]`
    Floats,
    /// `"text"`
    Str,
    /// `["a", "b"]`
    Strs,
    /// `dense<...>` or `dense_resource<...>`
    Tensor,
    /// `sparse<...>`
    Sparse,
    /// An element type; its number in the format is read as well.
    Type,
    /// Different in different versions.
    Any,
}

impl Kind {
    fn accepts(self, context: &Context, attr: &AttrKind) -> bool {
        let all = |test: fn(&AttrKind) -> bool| match attr {
            AttrKind::Array(all) => all.iter().all(|&attr| test(context.attr_kind(attr))),
            _ => false,
        };
        let is_int: fn(&AttrKind) -> bool = |attr| matches!(attr, AttrKind::Integer { .. });
        match self {
            Self::Int => is_int(attr),
            Self::Ints => all(is_int),
            Self::Float => matches!(attr, AttrKind::Float { .. }),
            Self::Floats => all(|attr| matches!(attr, AttrKind::Float { .. })),
            Self::Str => matches!(attr, AttrKind::String(_)),
            Self::Strs => all(|attr| matches!(attr, AttrKind::String(_))),
            Self::Tensor => matches!(
                attr,
                AttrKind::DenseElements(_)
                    | AttrKind::DenseStrings { .. }
                    | AttrKind::DenseResource { .. }
            ),
            Self::Sparse => matches!(attr, AttrKind::SparseElements { .. }),
            Self::Type => matches!(attr, AttrKind::Type(_) | AttrKind::Integer { .. }),
            Self::Any => true,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Int => "an integer",
            Self::Ints => "an array of integers",
            Self::Float => "a float",
            Self::Floats => "an array of floats",
            Self::Str => "a string",
            Self::Strs => "an array of strings",
            Self::Tensor => "a tensor",
            Self::Sparse => "a sparse tensor",
            Self::Type => "a type",
            Self::Any => "any attribute",
        }
    }
}

/// No bound.
const MANY: usize = usize::MAX;

/// An operator in all of its versions.
#[derive(Debug)]
pub struct Operator {
    /// Its row.
    pub def: &'static OpDef,
    /// How many operands it has, at least and at most.
    pub operands: (usize, usize),
    /// How many results.
    pub results: (usize, usize),
    /// Its attributes, but for graphs, which are regions.
    pub attributes: &'static [(&'static str, Kind)],
}

impl Operator {
    /// Its name in the format.
    pub fn name(&self) -> &'static str {
        self.def.name.strip_prefix("onnx.").unwrap_or_default()
    }
}

/// All operators by the names of their operations.
static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Operator>> = LazyLock::new(|| {
    let all = rows::OPERATORS.iter();
    all.map(|operator| (operator.def.name, operator)).collect()
});

/// The operator of this name, as the format has it.
pub fn operator(name: &str) -> Option<&'static Operator> {
    BY_NAME.get(format!("onnx.{name}").as_str()).copied()
}

/// The operator of a row.
pub fn operator_of(def: &'static OpDef) -> Option<&'static Operator> {
    BY_NAME.get(def.name).copied()
}

fn check_count(n: usize, (least, most): (usize, usize), what: &str) -> Result<(), OpError> {
    let expected = match (least, most) {
        _ if (least..=most).contains(&n) => return Ok(()),
        (_, MANY) => format!("{least} or more"),
        _ if least == most => least.to_string(),
        _ => format!("{least} to {most}"),
    };
    Err(format!("requires {expected} {what}, but has {n}").into())
}

/// Checks an operation against the table.
fn verify_operator(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(operator) = operator_of(ir.def(op)) else {
        return Ok(());
    };
    // What is absent at the end may be written.
    check_count(ir.operands(op).len(), operator.operands, "operands")?;
    check_count(ir.results(op).len(), operator.results, "results")?;
    let context = ir.context();
    for &(name, attr) in context.dict(ir.attrs(op)) {
        let name = context.name(name);
        let known = operator.attributes.iter().find(|known| known.0 == name);
        if let Some(&(_, kind)) = known
            && !kind.accepts(context, context.attr_kind(attr))
        {
            let expected = kind.description();
            return Err(
                format!("attribute '{name}' failed to satisfy constraint: {expected}").into(),
            );
        }
    }
    verify_regions(ir, op)
}

fn verify_regions(ir: &Ir, op: Op) -> Result<(), OpError> {
    for &region in ir.regions(op) {
        let block = ir.single_block(region);
        let end = block.and_then(|block| ir.last_op(block));
        if !end.is_some_and(|end| ir.is(end, &YIELD)) {
            return Err("requires regions of one block that ends in 'onnx.Yield'".into());
        }
    }
    Ok(())
}

const ANY_OPERANDS: &[ValueSpec] = &[ValueSpec::variadic("inputs", &ANY)];
const ANY_RESULTS: &[ValueSpec] = &[ValueSpec::variadic("outputs", &ANY)];

/// What all operators are.
const OPERATOR: OpDef = OpDef {
    operands: ANY_OPERANDS,
    results: ANY_RESULTS,
    verify: verify_operator,
    ..OpDef::PURE
};

/// An operator of another domain. Its regions are the graphs of the attributes that `graph_names` lists.
pub static CUSTOM: OpDef = OpDef {
    name: "onnx.Custom",
    regions: (0, MANY),
    operands: ANY_OPERANDS,
    results: ANY_RESULTS,
    verify: |ir, op| {
        let context = ir.context();
        for name in ["function_name", "domain_name"] {
            let attr = context.dict_get(ir.attrs(op), context.intern_name(name));
            if attr.is_none_or(|attr| context.attr_string(attr).is_none()) {
                return Err(format!("requires attribute '{name}'").into());
            }
        }
        verify_regions(ir, op)
    },
    ..OpDef::PURE
};

/// What stands for an operand that is absent.
pub static NO_VALUE: OpDef = OpDef {
    name: "onnx.NoValue",
    results: &[ValueSpec::one("none", &ANY)],
    ..OpDef::PURE
};

/// The end of a graph in a region.
pub static YIELD: OpDef = OpDef {
    name: "onnx.Yield",
    operands: ANY_OPERANDS,
    traits: Traits::TERMINATOR,
    ..OpDef::PURE
};

/// `!onnx.Unknown`: of a value of which a model says nothing. Besides, strings, sequences and optional values.
fn type_body(_: &Arc<Context>, body: &str) -> Option<String> {
    let is_known = matches!(body, "Unknown" | "String")
        || (["Seq<", "Opt<"].iter()).any(|start| body.starts_with(start) && body.ends_with('>'));
    is_known.then(|| body.to_owned())
}

/// The type of a value of which nothing is known.
pub fn unknown_type(context: &Context) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("onnx"),
        body: "Unknown".into(),
    })
}

/// The type of elements that are strings.
pub fn string_type(context: &Context) -> Type {
    context.intern_type(TypeKind::Dialect {
        dialect: context.intern_name("onnx"),
        body: "String".into(),
    })
}

/// The element type of a number in the format (`TensorProto.DataType`), if there is one.
pub fn element_type(context: &Context, code: i64) -> Option<Type> {
    use crate::ir::types::FloatKind;
    let integer = |width, signedness| context.intern_type(TypeKind::Integer { width, signedness });
    let float = |kind| context.intern_type(TypeKind::Float(kind));
    let complex = |part| context.intern_type(TypeKind::Complex(part));
    use Signedness::{Signless, Unsigned};
    Some(match code {
        1 => float(FloatKind::F32),
        2 => integer(8, Unsigned),
        3 => integer(8, Signless),
        4 => integer(16, Unsigned),
        5 => integer(16, Signless),
        6 => integer(32, Signless),
        7 => integer(64, Signless),
        8 => string_type(context),
        9 => integer(1, Signless),
        10 => float(FloatKind::F16),
        11 => float(FloatKind::F64),
        12 => integer(32, Unsigned),
        13 => integer(64, Unsigned),
        14 => complex(float(FloatKind::F32)),
        15 => complex(float(FloatKind::F64)),
        16 => float(FloatKind::BF16),
        17 => float(FloatKind::F8E4M3FN),
        18 => float(FloatKind::F8E4M3FNUZ),
        19 => float(FloatKind::F8E5M2),
        20 => float(FloatKind::F8E5M2FNUZ),
        21 => integer(4, Unsigned),
        22 => integer(4, Signless),
        23 => float(FloatKind::F4E2M1FN),
        24 => float(FloatKind::F8E8M0FNU),
        25 => integer(2, Unsigned),
        26 => integer(2, Signless),
        27 => float(FloatKind::F6E2M3FN),
        28 => float(FloatKind::F6E3M2FN),
        _ => return None,
    })
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "onnx",
    ops: rows::ALL,
    type_body: Some(type_body),
    advice: Some("`--convert-onnx-to-linalg` makes linalg of it"),
    ..DialectDef::BASE
};
