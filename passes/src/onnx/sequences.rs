//! Sequences and optional values: what they hold is known when a model is compiled, and stands for itself.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::convert_onnx_to_stablehlo::{Driver, lower_block};
use super::graph::Cx;
use super::ints::Ints;
use super::node::{Node, Refused, axis};
use super::sizes::{Dim, c};

/// What a value of a model stands for.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Tensor(Value),
    Sequence(Vec<Value>),
    /// An optional value that is not there.
    Nothing,
}

type Outcome = Result<Vec<Held>, Refused>;

/// Sequences are at most so long.
const MOST: i64 = 1024;

/// Lowers an operator on sequences or optional values; nothing if it is none.
pub(super) fn lower(
    cx: &mut Cx<'_>,
    driver: &mut Driver,
    op: Op,
    operands: &[Value],
) -> Option<Outcome> {
    let def = cx.b.ir.def(op);
    let holds = operands.iter().any(|value| cx.held.contains_key(value));
    let is_copy = std::ptr::eq(def, &onnx::IDENTITY) && holds;
    if !is_copy && !OPERATORS.contains(&def.name) {
        return None;
    }
    let all: Result<Vec<Held>, Refused> = operands.iter().map(|&value| held(cx, value)).collect();
    Some(all.and_then(|all| lower_known(cx, driver, op, def, &all)))
}

/// The operators that are lowered here.
pub(super) const OPERATORS: &[&str] = &[
    onnx::CONCAT_FROM_SEQUENCE.name,
    onnx::OPTIONAL.name,
    onnx::OPTIONAL_GET_ELEMENT.name,
    onnx::OPTIONAL_HAS_ELEMENT.name,
    onnx::SEQUENCE_AT.name,
    onnx::SEQUENCE_CONSTRUCT.name,
    onnx::SEQUENCE_EMPTY.name,
    onnx::SEQUENCE_ERASE.name,
    onnx::SEQUENCE_INSERT.name,
    onnx::SEQUENCE_LENGTH.name,
    onnx::SEQUENCE_MAP.name,
    onnx::SPLIT_TO_SEQUENCE.name,
];

fn held(cx: &Cx<'_>, value: Value) -> Result<Held, Refused> {
    if let Some(held) = cx.held.get(&value) {
        return Ok(held.clone());
    }
    if let Some(&value) = cx.values.get(&value) {
        return Ok(Held::Tensor(value));
    }
    let (context, ty) = (cx.b.ir.context(), cx.b.ir.value_type(value));
    match context.type_kind(ty) {
        TypeKind::None => Ok(Held::Nothing),
        _ if context.shape(ty).is_some() => Ok(Held::Tensor(value)),
        _ => Err("what an operand holds is known only at run time".into()),
    }
}

fn sequence(all: &[Held]) -> Result<Vec<Value>, Refused> {
    match all.first() {
        Some(Held::Sequence(values)) => Ok(values.clone()),
        _ => Err("its operand is no sequence".into()),
    }
}

fn tensor(all: &[Held], index: usize) -> Result<Value, Refused> {
    match all.get(index) {
        Some(&Held::Tensor(value)) => Ok(value),
        _ => Err(format!("operand #{index} is no tensor").into()),
    }
}

/// A position in a sequence of `n` tensors, or at its end.
fn position(cx: &mut Cx<'_>, all: &[Held], index: usize, n: i64) -> Result<Option<usize>, Refused> {
    let Some(&Held::Tensor(value)) = all.get(index) else {
        return Ok(None);
    };
    let Dim::Constant(at) = cx.size_in(value)? else {
        return Err("its position is known only at run time".into());
    };
    let from_start = if at < 0 { at + n } else { at };
    match (0..=n).contains(&from_start) {
        true => Ok(Some(from_start as usize)),
        false => Err(format!("position {at} is not in a sequence of {n} tensors").into()),
    }
}

fn lower_known(
    cx: &mut Cx<'_>,
    driver: &mut Driver,
    op: Op,
    def: &'static OpDef,
    all: &[Held],
) -> Outcome {
    let is = |other: &'static OpDef| std::ptr::eq(def, other);
    let opset = cx.opset;
    let one = |held: Held| Ok(vec![held]);
    if is(&onnx::OPTIONAL) || is(&onnx::OPTIONAL_GET_ELEMENT) || is(&onnx::IDENTITY) {
        return match all.first() {
            Some(Held::Nothing) | None if !is(&onnx::OPTIONAL) => {
                Err("its operand holds nothing".into())
            }
            Some(held) => one(held.clone()),
            None => one(Held::Nothing),
        };
    }
    if is(&onnx::OPTIONAL_HAS_ELEMENT) {
        let has = !matches!(all.first(), None | Some(Held::Nothing));
        return one(Held::Tensor(cx.lit(Type::I1, f64::from(u8::from(has)))));
    }
    let node = |cx: &Cx<'_>, operands| Node::new(cx.b.ir, op, operands, opset);
    if is(&onnx::SEQUENCE_EMPTY) {
        return one(Held::Sequence(Vec::new()));
    }
    if is(&onnx::SEQUENCE_CONSTRUCT) {
        let values: Result<Vec<Value>, Refused> = (0..all.len()).map(|i| tensor(all, i)).collect();
        return one(Held::Sequence(values?));
    }
    if is(&onnx::SPLIT_TO_SEQUENCE) {
        let split = match all.get(1) {
            Some(&Held::Tensor(split)) => Some(split),
            _ => None,
        };
        let n = node(cx, vec![Some(tensor(all, 0)?), split]);
        return one(Held::Sequence(split_to_sequence(cx, &n)?));
    }
    let mut values = sequence(all)?;
    let count = values.len() as i64;
    if is(&onnx::SEQUENCE_LENGTH) {
        return one(Held::Tensor(cx.ints_tensor(Ints {
            shape: Vec::new(),
            all: vec![c(count)],
            ty: Type::I64,
        })?));
    }
    if is(&onnx::SEQUENCE_INSERT) {
        let at = position(cx, all, 2, count)?.unwrap_or(values.len());
        values.insert(at, tensor(all, 1)?);
        return one(Held::Sequence(values));
    }
    if is(&onnx::SEQUENCE_AT) || is(&onnx::SEQUENCE_ERASE) {
        let last = values.len().wrapping_sub(1);
        let at = position(cx, all, 1, count)?.unwrap_or(last);
        if at >= values.len() {
            return Err(
                format!("there is no position {at} in a sequence of {count} tensors").into(),
            );
        }
        let value = values.remove(at);
        return one(match is(&onnx::SEQUENCE_AT) {
            true => Held::Tensor(value),
            false => Held::Sequence(values),
        });
    }
    if is(&onnx::CONCAT_FROM_SEQUENCE) {
        let n = node(cx, Vec::new());
        let first = *values.first().ok_or("its sequence is empty")?;
        let is_new = n.flag("new_axis", false);
        let rank = cx.rank(first) + usize::from(is_new);
        let dim = axis(n.int("axis", 0), rank)?;
        if is_new {
            for value in &mut values {
                *value = cx.unsqueeze(*value, &[dim])?;
            }
        }
        return one(Held::Tensor(cx.concat(&values, dim)?));
    }
    map(cx, driver, op, all, values.len())
}

fn split_to_sequence(cx: &mut Cx<'_>, n: &Node) -> Result<Vec<Value>, Refused> {
    let value = n.x(0)?;
    let dim = axis(n.int("axis", 0), cx.rank(value))?;
    let size = cx.dim(value, dim);
    let unknown = || Refused("into how many parts it splits is known only at run time".into());
    let mut sizes = Vec::new();
    match n.opt(1) {
        Some(split) if cx.rank(split) == 1 => sizes = cx.sizes_in(split)?,
        split => {
            let length = match split {
                Some(split) => cx.size_in(split)?,
                None => c(1),
            };
            let (Dim::Constant(size), Dim::Constant(length)) = (size, length) else {
                return Err(unknown());
            };
            if length < 1 || size / length > MOST {
                return Err("into how many parts it splits is too many".into());
            }
            let mut rest = size;
            while rest > 0 {
                sizes.push(c(rest.min(length)));
                rest -= length;
            }
        }
    }
    let drops = n.opt(1).is_none() && !n.flag("keepdims", true);
    let mut values = Vec::new();
    let mut at = c(0);
    for size in sizes {
        let part = cx.part(value, dim, at, size);
        values.push(match drops {
            true => cx.squeeze(part, &[dim])?,
            false => part,
        });
        at = cx.add(at, size);
    }
    Ok(values)
}

/// The body for each of the tensors in sequences of one length.
fn map(cx: &mut Cx<'_>, driver: &mut Driver, op: Op, all: &[Held], count: usize) -> Outcome {
    let region = cx.b.ir.region(op, 0);
    let block = cx.b.ir.entry_block(region).ok_or("it has no body")?;
    let arguments = cx.b.ir.block_args(block).to_vec();
    if arguments.len() != all.len() {
        return Err("its body does not take what it is given".into());
    }
    let mut results = vec![Vec::new(); cx.b.ir.results(op).len()];
    for i in 0..count {
        for (&argument, held) in arguments.iter().zip(all) {
            let value = match held {
                Held::Tensor(value) => *value,
                Held::Sequence(values) if values.len() == count => values[i],
                _ => return Err("its sequences differ in length".into()),
            };
            cx.values.insert(argument, value);
        }
        let values = lower_block(cx, driver, block)?;
        if values.len() != results.len() {
            return Err("its body does not give what it gives".into());
        }
        for (list, value) in results.iter_mut().zip(values) {
            list.push(value);
        }
    }
    Ok(results.into_iter().map(Held::Sequence).collect())
}
