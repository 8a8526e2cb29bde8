//! Sorting, with `iree_linalg_ext.sort`: a merge sort, which is stable.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::stablehlo::reductions;
use freehold_frontend::dialects::{arith, chlo, iree_linalg_ext, tensor};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::body::Body;
use super::build::{
    as_signless, at, cast, element, elementwise, empty_like, extract_scalar, fill, shape, signless,
    sizes, tensor_type,
};
use super::emit::{Class, Emit};
use super::moves::to_index;
use super::requirements;
use super::scalar;
use super::stablehlo_legalize_to_linalg::{Lower, Row, Unsupported};
use crate::rewrite::ordered::{is_inserted, ordered};
use crate::rewrite::structured::loop_counter;

pub(super) const ROWS: &[Row] = &[(&chlo::TOP_K, top_k), (&reductions::SORT, sort)];

/// Targets of custom calls.
pub(super) const CUSTOM_CALLS: &[(&str, Lower)] = &[
    ("TopK", top_k_by_type),
    ("stablehlo.dynamic_top_k", dynamic_top_k),
];

fn integer(ir: &Ir, op: Op, name: Name) -> Option<i64> {
    let number = ir.context().attr_integer(ir.attr(op, name)?)?;
    i64::try_from(number).ok()
}

fn sort(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let operands = b.ir.operands(op).to_vec();
    let tensors: Vec<Value> = operands
        .iter()
        .map(|&operand| as_signless(b, operand))
        .collect();
    // What the type of one knows of the shape holds for all.
    let mut known = shape(b.ir, tensors[0]);
    for &tensor in &tensors[1..] {
        for (known, size) in known.iter_mut().zip(shape(b.ir, tensor)) {
            if *known == DYNAMIC {
                *known = size;
            }
        }
    }
    let rank = known.len() as i64;
    if rank == 0 {
        return Ok(tensors);
    }
    let tensors: Vec<Value> = (tensors.into_iter())
        .map(|tensor| {
            let ty = tensor_type(&b.context(), &known, element(b.ir, tensor));
            cast(b, tensor, ty)
        })
        .collect();
    let dim = integer(b.ir, op, Name::DIMENSION).unwrap_or(-1);
    let dim = if dim < 0 { dim + rank } else { dim };
    let region = b.ir.region(op, 0);
    let block = b.ir.entry_block(region).ok_or("it has no body")?;
    let body = Body::prepare(b, block)?;
    ordered::<Unsupported>(
        b,
        &iree_linalg_ext::SORT,
        &[0, tensors.len() as i32],
        dim,
        &tensors,
        &tensors,
        &mut |b, arguments| Ok(body.inline(b, arguments)?[0]),
    )
}

/// The largest elements of rows, by the total order of floats, with their positions; of equal ones the first.
pub(super) fn top_k(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let k = integer(b.ir, op, Name::K).ok_or("it does not say how many")?;
    top_k_of(b, op, k.into())
}

/// The call `TopK`: as many as the results have room for.
fn top_k_by_type(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let (1, 2) = (b.ir.operands(op).len(), b.ir.results(op).len()) else {
        return Err("the numbers of operands and results are others".into());
    };
    let of_values = shape(b.ir, b.ir.result(op, 0));
    let k = of_values.last().filter(|&&k| k != DYNAMIC);
    let &k = k.ok_or("its type does not say how many")?;
    top_k_of(b, op, k.into())
}

/// The call that JAX makes where only the run knows how many: as many as the second operand says.
fn dynamic_top_k(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let (&[operand, k], 2) = (b.ir.operands(op), b.ir.results(op).len()) else {
        return Err("the numbers of operands and results are others".into());
    };
    if shape(b.ir, operand).is_empty() {
        return Err("the operand has no rows".into());
    }
    let k = as_signless(b, k);
    let k = extract_scalar(b, k);
    let k = to_index(b, k);
    let message = "the number of elements that top_k is to find is negative";
    requirements::at_most(b, 0.into(), k.into(), message);
    top_k_of(b, op, k.into())
}

fn top_k_of(b: &mut Builder<'_>, op: Op, k: MixedIndex) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let operand = b.ir.operand(op, 0);
    let is_unsigned = scalar::is_unsigned(b.ir, op);
    let operand = as_signless(b, operand);
    let ty = element(b.ir, operand);
    let is_ordered = matches!(
        Emit::new(b).class_of(ty),
        Class::Integer(_) | Class::Float(_)
    );
    if !is_ordered {
        return Err(scalar::unsupported_types(b.ir, op));
    }
    let indices = b.ir.result(op, 1);
    let position = signless(&context, element(b.ir, indices));
    let whole = shape(b.ir, operand);
    let dim = whole.len() - 1;
    let mut found = whole.clone();
    found[dim] = k.static_value();
    let found_types = [ty, position].map(|element| tensor_type(&context, &found, element));
    let mut is_larger = |b: &mut Builder<'_>, arguments: &[Value]| {
        let mut e = Emit::new(b);
        let is_float = matches!(e.class(arguments[0]), Class::Float(_));
        let key = |e: &mut Emit<'_, '_>, x| {
            if is_float {
                scalar::total_order(e, x)
            } else {
                x
            }
        };
        let (x, y) = (key(&mut e, arguments[0]), key(&mut e, arguments[1]));
        let predicate = match is_unsigned {
            true => CmpIPredicate::Ugt,
            false => CmpIPredicate::Sgt,
        };
        Ok(e.cmpi(predicate, x, y))
    };

    let message = "the number of elements that top_k is to find is larger than a row";
    let row = sizes(b, operand)[dim];
    requirements::at_most(b, k, row, message);
    if matches!(k, MixedIndex::Constant(k) if is_inserted(k, whole[dim])) {
        let mut e = Emit::new(b);
        let least = least(&mut e, ty, is_unsigned);
        let largest = (1i128 << (context.integer_width(position).unwrap_or(32) - 1)) - 1;
        let last = e.int(position, largest);
        let mut operands = vec![operand];
        for (scalar, ty) in [least, last].into_iter().zip(found_types) {
            let out = empty_like(b, ty, operand);
            operands.push(fill(b, scalar, out));
        }
        return ordered::<Unsupported>(
            b,
            &iree_linalg_ext::TOPK,
            &[1, 0, 1, 1],
            dim as i64,
            &operands,
            &operands[1..],
            &mut is_larger,
        );
    }
    let all_positions = tensor_type(&context, &whole, position);
    let positions = elementwise(b, &[operand], all_positions, &mut |b, _| {
        let at = loop_counter(b, dim);
        b.value(&arith::INDEX_CAST, &[at], position)
    });
    let tensors = [operand, positions];
    let sorted = ordered::<Unsupported>(
        b,
        &iree_linalg_ext::SORT,
        &[0, 2],
        dim as i64,
        &tensors,
        &tensors,
        &mut |b, arguments| is_larger(b, arguments),
    )?;
    Ok(firsts(b, &sorted, dim, k))
}

/// The first `k` elements along a dimension.
fn firsts(b: &mut Builder<'_>, tensors: &[Value], dim: usize, k: MixedIndex) -> Vec<Value> {
    let context = b.context();
    let mut found = shape(b.ir, tensors[0]);
    found[dim] = k.static_value();
    let mut sizes = sizes(b, tensors[0]);
    sizes[dim] = k;
    let part = OffsetSizeStride {
        offsets: at(&vec![0; found.len()]),
        sizes,
        strides: at(&vec![1; found.len()]),
    };
    let firsts = tensors.iter().map(|&tensor| {
        let ty = tensor_type(&context, &found, element(b.ir, tensor));
        let spec = b
            .spec(&tensor::EXTRACT_SLICE)
            .operands(&[tensor])
            .results(&[ty]);
        let slice = b.create(part.append_to(&context, spec));
        b.ir.result(slice, 0)
    });
    firsts.collect()
}

/// The call `ApproxTopK`, which may miss some of the greatest elements and here does not: those that the function which
/// it calls puts first, along one dimension, of tensors that are put into order together. Initial values are for
/// reductions of parts, of which there are none.
pub(super) fn approx_top_k(
    b: &mut Builder<'_>,
    call: Op,
    body: &Body,
) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let n = b.ir.results(call).len();
    let operands = b.ir.operands(call).to_vec();
    if n == 0 || operands.len() != 2 * n {
        return Err("the numbers of operands and results are others".into());
    }
    let dim =
        b.ir.attr(call, context.intern_name("mhlo.backend_config"))
            .and_then(|config| match *context.attr_kind(config) {
                AttrKind::Dictionary(config) => {
                    context.dict_get(config, context.intern_name("reduction_dim"))
                }
                _ => None,
            })
            .and_then(|attr| context.attr_integer(attr))
            .and_then(|dim| usize::try_from(dim).ok())
            .filter(|&dim| dim < shape(b.ir, operands[0]).len())
            .ok_or("it does not say along which dimension")?;
    let k = shape(b.ir, b.ir.result(call, 0))[dim];
    if k == DYNAMIC {
        return Err("its type does not say how many".into());
    }
    let tensors: Vec<Value> = (operands[..n].iter())
        .map(|&operand| as_signless(b, operand))
        .collect();
    let whole = sizes(b, tensors[0])[dim];
    let message = "the number of elements that ApproxTopK is to find is larger than a row";
    requirements::at_most(b, k.into(), whole, message);
    let sorted = ordered::<Unsupported>(
        b,
        &iree_linalg_ext::SORT,
        &[0, n as i32],
        dim as i64,
        &tensors,
        &tensors,
        &mut |b, arguments| Ok(body.inline(b, arguments)?[0]),
    )?;
    Ok(firsts(b, &sorted, dim, k.into()))
}

/// The element that no other one comes behind.
fn least(e: &mut Emit<'_, '_>, ty: Type, is_unsigned: bool) -> Value {
    match e.class_of(ty) {
        Class::Float(kind) => {
            // A negative NaN with all bits.
            let bits = e.b.context().integer_type(kind.width());
            let ones = e.int(bits, -1);
            e.to(&arith::BITCAST, ones, ty)
        }
        Class::Integer(width) if !is_unsigned => e.int(ty, -(1i128 << (width - 1))),
        _ => e.int(ty, 0),
    }
}
