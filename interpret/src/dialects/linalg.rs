//! linalg: every structured operation is the loops that its maps and its body say.

use std::rc::Rc;

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::{IteratorType, interface};
use freehold_frontend::dialects::math::approximations::{self, Numbers, doubles};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::entities::{Block, Op};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::arith;
use super::math::{of_one, shorter};
use crate::access::address_of;
use crate::elementwise;
use crate::machine::{Frame, Machine, Res, undefined, unsupported};
use crate::memory::Iterations;
use crate::table::{Handler, Rows};
use crate::value::{Array, MemRef, Scalar, Value, flat, for_each};

pub(crate) const ROWS: Rows = &[
    (&linalg::INDEX, |m, f, op| {
        let dim = f.int_attr(op, Name::DIM).unwrap_or(0) as usize;
        match m.counters.last().and_then(|counters| counters.get(dim)) {
            Some(&counter) => {
                f.set(op, 0, Value::index(counter));
                Ok(())
            }
            None => unsupported("a counter outside of its loops"),
        }
    }),
    (&linalg::SOFTMAX, softmax),
];

/// What interprets an operation of the dialect that is loops around a body.
pub(crate) fn structured_handler(row: &OpDef) -> Option<Handler> {
    (row.dialect() == "linalg"
        && (linalg::named::named_op(row).is_some() || is_other_structured(row)))
    .then_some(structured as Handler)
}

/// Operations with a body that are in no table.
fn is_other_structured(row: &OpDef) -> bool {
    [
        "linalg.generic",
        "linalg.map",
        "linalg.reduce",
        "linalg.transpose",
        "linalg.broadcast",
        "linalg.fill",
        "linalg.copy",
    ]
    .contains(&row.name)
}

/// An operand of a structured operation.
pub(crate) enum Operand {
    Number(Value),
    Array(Array),
    Memory(Rc<MemRef>, Type, u64),
}

impl Operand {
    pub(crate) fn of(m: &Machine<'_>, value: &Value, ty: Type) -> Res<Self> {
        Ok(match (value, m.context.type_kind(ty)) {
            (Value::MemRef(memref), _) => {
                let element = m.context.element_of(ty);
                Self::Memory(Rc::clone(memref), element, m.element_size(element)?)
            }
            (Value::Array(array), TypeKind::RankedTensor { .. }) => Self::Array((**array).clone()),
            (value, _) => Self::Number(value.clone()),
        })
    }

    pub(crate) fn sizes(&self) -> &[i64] {
        match self {
            Self::Number(_) => &[],
            Self::Array(array) => &array.shape,
            Self::Memory(memref, ..) => &memref.sizes,
        }
    }

    pub(crate) fn check(&self, at: &[i64]) -> Res {
        for (dim, (&index, &size)) in at.iter().zip(self.sizes()).enumerate() {
            if index < 0 || index >= size {
                return crate::machine::wrong_access(format!(
                    "access out of bounds: index {index} in dimension {dim} of size {size}"
                ));
            }
        }
        Ok(())
    }

    pub(crate) fn load(&self, m: &mut Machine<'_>, f: &Frame<'_>, at: &[i64]) -> Res<Value> {
        match self {
            Self::Number(value) => Ok(value.clone()),
            Self::Array(array) => Ok(Value::Scalar(array.elements[flat(&array.shape, at)])),
            Self::Memory(memref, ty, size) => m.load(*ty, address_of(memref, at, *size), f.loc),
        }
    }

    pub(crate) fn store(
        &mut self,
        m: &mut Machine<'_>,
        f: &Frame<'_>,
        at: &[i64],
        value: &Value,
    ) -> Res {
        match self {
            Self::Number(_) => unsupported("an output that is no array"),
            Self::Array(array) => {
                let place = flat(&array.shape, at);
                array.elements[place] = crate::machine::as_scalar(value)?;
                Ok(())
            }
            Self::Memory(memref, ty, size) => {
                m.store(*ty, address_of(memref, at, *size), value, f.loc)
            }
        }
    }
}

/// The counters that the results of a map are, if they are nothing else.
fn only_counters(map: &AffineMap) -> Option<Vec<usize>> {
    let counter = |result: &AffineExpr| match result {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    };
    map.results.iter().map(counter).collect()
}

fn structured<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let ir = f.ir;
    let maps = interface::indexing_maps(ir, op);
    let n_inputs = interface::n_inputs(ir, op);
    let mut operands = Vec::new();
    for &id in ir.operands(op) {
        operands.push(Operand::of(m, f.see(id), ir.value_type(id))?);
    }
    let Some(body) = interface::body(ir, op) else {
        return unsupported("a structured operation without a body");
    };
    let region = ir.region(op, 0);
    let mut sizes = Vec::new();
    for (loop_index, size) in interface::loop_sizes(ir, op).into_iter().enumerate() {
        let Some((value, dim)) = size else {
            return unsupported(format!("nothing says how long loop {loop_index} is"));
        };
        let operand = ir.operands(op).iter().position(|&id| id == value);
        let size = operand.and_then(|operand| operands[operand].sizes().get(dim));
        sizes.push(size.copied().unwrap_or(0));
    }
    // Every subscript stays inside of its operand, at both ends.
    let symbols: &[i64] = &[];
    for (operand, map) in operands.iter().zip(&maps) {
        for (dim, expr) in map.results.iter().enumerate() {
            if let AffineExpr::Dim(d) = expr {
                let (size, expected) = (operand.sizes().get(dim), sizes[*d as usize]);
                if size.is_some_and(|&size| size != expected) {
                    return undefined(format!(
                        "operands disagree about the size of loop {d}: {expected} and {}",
                        size.copied().unwrap_or(0)
                    ));
                }
            }
        }
    }
    let arguments = ir.block_args(body).to_vec();
    let is_used: Vec<bool> = arguments.iter().map(|&id| !ir.has_no_uses(id)).collect();
    let n_outputs = operands.len() - n_inputs;
    m.check_stack()?;
    // A subscript is a counter more often than not.
    let direct: Vec<Option<Vec<usize>>> = maps.iter().map(only_counters).collect();
    let depth = m.counters.len();
    let is_parallel: Vec<bool> = (interface::iterator_types(ir, op).into_iter())
        .map(|kind| kind == IteratorType::Parallel)
        .collect();
    let is_apart = |map: &AffineMap| {
        let counted = |dim| map.results.contains(&AffineExpr::Dim(dim as u32));
        (0..sizes.len()).all(|dim| !is_parallel[dim] || counted(dim))
    };
    let watched =
        !maps[n_inputs..].iter().all(is_apart) || is_watched(m, f, op, body, &operands, n_inputs);
    let n_loops = m.memory.loops.len();
    if watched {
        m.memory.loops.push(Iterations::default());
    }
    for_each(&sizes, |counters| {
        if watched && let Some(iterations) = m.memory.loops.last_mut() {
            let dims = counters.iter().zip(&sizes).zip(&is_parallel);
            iterations.current = (dims.filter(|(_, is_parallel)| **is_parallel))
                .fold(0, |number, ((&at, &n), _)| number * n as u64 + at as u64);
        }
        let mut places = Vec::with_capacity(operands.len());
        for ((operand, map), direct) in operands.iter().zip(&maps).zip(&direct) {
            let at = match direct {
                Some(dims) => dims.iter().map(|&dim| counters[dim]).collect(),
                None => {
                    let Some(at) = map.evaluate(counters, symbols) else {
                        return undefined("a subscript divides by zero");
                    };
                    operand.check(&at)?;
                    at
                }
            };
            places.push(at);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for index in 0..arguments.len() {
            values.push(match is_used[index] {
                true => operands[index].load(m, f, &places[index])?,
                false => Value::Unset,
            });
        }
        match m.counters.get_mut(depth) {
            Some(kept) => kept.copy_from_slice(counters),
            None => m.counters.push(counters.to_vec()),
        }
        let exit = m.region(f, region, &values)?;
        for (index, value) in exit.values.iter().take(n_outputs).enumerate() {
            let at = &places[n_inputs + index];
            operands[n_inputs + index].store(m, f, at, value)?;
        }
        Ok(())
    })?;
    m.memory.loops.truncate(n_loops);
    m.counters.truncate(depth);
    let outputs = operands.into_iter().skip(n_inputs);
    let results = outputs.filter_map(|operand| match operand {
        Operand::Array(array) => Some(Value::Array(Rc::new(array))),
        _ => None,
    });
    f.set_all(op, results.collect());
    Ok(())
}

/// Whether parallel iterations of a structured operation may be in each other's way: where its body accesses memory, or
/// an operand that is written shares memory with another one. Else each element belongs to one of them.
fn is_watched(
    m: &Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    body: Block,
    operands: &[Operand],
    n_inputs: usize,
) -> bool {
    let has_effects = |op: Op| {
        f.ir.own_effects(op)
            .is_none_or(|effects| !effects.is_empty())
    };
    let base = |operand: &Operand| match operand {
        Operand::Memory(memref, ..) => m.memory.find(memref.aligned),
        _ => None,
    };
    let bases: Vec<Option<usize>> = operands.iter().map(base).collect();
    let is_shared = |at: usize| {
        bases[at].is_some()
            && (0..bases.len()).any(|other| other != at && bases[other] == bases[at])
    };
    (n_inputs..bases.len()).any(is_shared)
        || (f.ir.block_parent_op(body) == Some(op) && f.ir.ops_in(body).any(has_effects))
}

/// Along one dimension: the numbers less the largest, their powers of e, divided by the sum of these.
fn softmax<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let ir = f.ir;
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    let source = Operand::of(m, f.see(input), ir.value_type(input))?;
    let mut target = Operand::of(m, f.see(output), ir.value_type(output))?;
    let kind = arith::float_kind(m, ir.value_type(input))?;
    let dim = f.int_attr(op, Name::DIMENSION).unwrap_or(0) as usize;
    let sizes = source.sizes().to_vec();
    if sizes != target.sizes() {
        return undefined("source and target of a softmax differ in size");
    }
    let n = sizes[dim];
    let mut outer = sizes;
    outer[dim] = 1;
    for_each(&outer, |first| {
        let at = |index: i64| {
            let mut at = first.to_vec();
            at[dim] = index;
            at
        };
        let mut numbers = Vec::new();
        for index in 0..n {
            numbers.push(crate::machine::as_scalar(&source.load(
                m,
                f,
                &at(index),
            )?)?);
        }
        let low = crate::float::encode(kind, f64::NEG_INFINITY);
        let mut largest = Scalar::Bits(low);
        for &number in &numbers {
            largest = elementwise::plain(m, f, &[number, largest], &|n| {
                Ok(arith::maxnum(kind, n[0], n[1]))
            })?;
        }
        let mut sum = Scalar::Bits(crate::float::encode(kind, 0.0));
        let mut powers = Vec::new();
        for &number in &numbers {
            let power = elementwise::plain(m, f, &[number, largest], &|n| {
                let difference = arith::sub(kind, n[0], n[1]);
                let power = of_one(
                    kind,
                    difference,
                    |x| approximations::exp(&mut Numbers, x),
                    |x| doubles::exp(&mut Numbers, x),
                );
                Ok(shorter(kind, power, 1.5))
            })?;
            sum = elementwise::plain(m, f, &[power, sum], &|n| Ok(arith::add(kind, n[0], n[1])))?;
            powers.push(power);
        }
        for (index, power) in powers.into_iter().enumerate() {
            let quotient =
                elementwise::plain(m, f, &[power, sum], &|n| Ok(arith::div(kind, n[0], n[1])))?;
            target.store(m, f, &at(index as i64), &Value::Scalar(quotient))?;
        }
        Ok(())
    })?;
    if let Operand::Array(array) = target {
        f.set_all(op, vec![Value::Array(Rc::new(array))]);
    }
    Ok(())
}
