//! Operators that read or write elements at indices that are elements themselves, and those whose results' sizes depend on
//! elements.

use freehold_frontend::dialects::arith::{self, CmpFPredicate};
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axis};
use super::reductions::{comes_before, place, sorted};
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, choose, nest, repeat, x};
use crate::rewrite::scalars::Emit;
use crate::rewrite::tensors::extract;

pub(super) const ROWS: &[Row] = &[
    (&onnx::COMPRESS, compress),
    (&onnx::GATHER, gather),
    (&onnx::GATHER_ELEMENTS, gather_elements),
    (&onnx::GATHER_ND, gather_nd),
    (&onnx::NON_ZERO, non_zero),
    (&onnx::ONE_HOT, one_hot),
    (&onnx::REVERSE_SEQUENCE, reverse_sequence),
    (&onnx::SCATTER, scatter_elements),
    (&onnx::SCATTER_ELEMENTS, scatter_elements),
    (&onnx::SCATTER_ND, scatter_nd),
    (&onnx::TENSOR_SCATTER, tensor_scatter),
    (&onnx::UNIQUE, unique),
];

/// The indices of a tensor as signed numbers.
fn signed(cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
    let ty = cx.element(value);
    match cx.is_unsigned(ty) {
        true => cx.convert(value, Type::I64),
        false => Ok(value),
    }
}

fn gather(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let dim = axis(n.int("axis", 0), dims.len())?;
    // One element that is known is a slice.
    if let Some(&[at]) = cx.ints(n.x(1)?).map(|ints| ints.all).as_deref()
        && let Dim::Constant(number) = at
    {
        let at = if number < 0 {
            cx.add(at, dims[dim])
        } else {
            at
        };
        let part = cx.part(value, dim, at, c(1));
        let indices = cx.rank(n.x(1)?);
        let part = cx.squeeze(part, &[dim])?;
        let new: Vec<usize> = (dim..dim + indices).collect();
        return Ok(vec![cx.unsqueeze(part, &new)?]);
    }
    let indices = signed(cx, n.x(1)?)?;
    let inner = cx.dims(indices);
    let mut gathered = |cx: &mut Cx<'_>, value: Value| {
        let dims = cx.dims(value);
        let to = [&dims[..dim], &inner, &dims[dim + 1..]].concat();
        cx.pick(value, &to, &mut |b, index| {
            let number = extract(b, indices, &index[dim..dim + inner.len()]);
            let at = place(b, number, dims[dim]);
            [&index[..dim], &[at], &index[dim + inner.len()..]].concat()
        })
    };
    let table = cx.b.ir.operands(n.op)[0];
    if dim == 0
        && let Some(rows) = cx.rows_of_table(table, &mut gathered)
    {
        return Ok(vec![rows]);
    }
    Ok(vec![gathered(cx, value)])
}

fn gather_elements(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let dim = axis(n.int("axis", 0), dims.len())?;
    let indices = signed(cx, n.x(1)?)?;
    let to = cx.dims(indices);
    Ok(vec![cx.pick(value, &to, &mut |b, index| {
        let number = extract(b, indices, index);
        let mut at = index.to_vec();
        at[dim] = place(b, number, dims[dim]);
        at
    })])
}

fn gather_nd(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let indices = signed(cx, n.x(1)?)?;
    let of = cx.dims(indices);
    let batch = n.int("batch_dims", 0) as usize;
    let Some(&Dim::Constant(depth)) = of.last() else {
        return Err("how long its indices are is known only at run time".into());
    };
    let depth = depth as usize;
    if batch + depth > dims.len() || batch >= of.len() {
        return Err("its indices are too long".into());
    }
    let outer = of.len() - 1;
    let to = [&of[..outer], &dims[batch + depth..]].concat();
    Ok(vec![cx.pick(value, &to, &mut |b, index| {
        let mut at = index[..batch].to_vec();
        for i in 0..depth {
            let last = arith::constant_index(b, i as i64);
            let number = extract(b, indices, &[&index[..outer], &[last]].concat());
            at.push(place(b, number, dims[batch + i]));
        }
        at.extend(&index[outer..]);
        at
    })])
}

/// How an update is combined with the old element.
fn combine(
    cx: &Cx<'_>,
    n: &Node,
    ty: Type,
) -> Result<Option<&'static freehold_frontend::ir::op_def::OpDef>, Refused> {
    Ok(match n.text("reduction", "none").as_str() {
        "none" => None,
        "add" => Some(cx.fold_op(Fold::Add, ty)),
        "mul" => Some(cx.fold_op(Fold::Mul, ty)),
        "max" => Some(cx.fold_op(Fold::Max, ty)),
        "min" => Some(cx.fold_op(Fold::Min, ty)),
        other => return Err(format!("reduction '{other}' is not known").into()),
    })
}

/// The tensor with an element combined with another one.
fn put(
    b: &mut Builder<'_>,
    all: Value,
    number: Value,
    at: &[Value],
    def: Option<&'static freehold_frontend::ir::op_def::OpDef>,
) -> Value {
    let number = match def {
        Some(def) => {
            let before = extract(b, all, at);
            let ty = b.ir.value_type(number);
            b.value(def, &[before, number], ty)
        }
        None => number,
    };
    let operands = [&[number, all], at].concat();
    let ty = b.ir.value_type(all);
    b.value(&tensor::INSERT, &operands, ty)
}

fn scatter_elements(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let dims = cx.dims(value);
    let dim = axis(n.int("axis", 0), dims.len())?;
    let indices = signed(cx, n.x(1)?)?;
    let sizes = cx.dims(indices);
    let def = combine(cx, n, ty)?;
    let (all, updates) = (cx.signless(value), cx.signless(n.x(2)?));
    let results = nest(&mut cx.b, &sizes, &[all], &mut |b, index, carried| {
        let number = extract(b, updates, index);
        let to = extract(b, indices, index);
        let mut at = index.to_vec();
        at[dim] = place(b, to, dims[dim]);
        vec![put(b, carried[0], number, &at, def)]
    });
    let result = cx.sized(results[0], &dims);
    Ok(vec![cx.with_element(result, ty)])
}

fn scatter_nd(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let dims = cx.dims(value);
    let indices = signed(cx, n.x(1)?)?;
    let of = cx.dims(indices);
    let def = combine(cx, n, ty)?;
    let Some(&Dim::Constant(depth)) = of.last() else {
        return Err("how long its indices are is known only at run time".into());
    };
    let depth = depth as usize;
    if depth > dims.len() {
        return Err("its indices are too long".into());
    }
    let outer = of.len() - 1;
    let sizes = [&of[..outer], &dims[depth..]].concat();
    let (all, updates) = (cx.signless(value), cx.signless(n.x(2)?));
    let results = nest(&mut cx.b, &sizes, &[all], &mut |b, index, carried| {
        let number = extract(b, updates, index);
        let mut at = Vec::new();
        for (i, &size) in dims[..depth].iter().enumerate() {
            let last = arith::constant_index(b, i as i64);
            let to = extract(b, indices, &[&index[..outer], &[last]].concat());
            at.push(place(b, to, size));
        }
        at.extend(&index[outer..]);
        vec![put(b, carried[0], number, &at, def)]
    });
    let result = cx.sized(results[0], &dims);
    Ok(vec![cx.with_element(result, ty)])
}

/// A cache with rows of its sequence written, each batch from a place of its own on.
fn tensor_scatter(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, update) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let (dims, sizes) = (cx.dims(value), cx.dims(update));
    let dim = axis(n.int("axis", -2), dims.len())?;
    let is_circular = n.text("mode", "linear") == "circular";
    let starts = n.opt(2);
    let (all, updates) = (cx.signless(value), cx.signless(update));
    let results = nest(&mut cx.b, &sizes, &[all], &mut |b, index, carried| {
        let number = extract(b, updates, index);
        let mut at = index.to_vec();
        if let Some(starts) = starts {
            let start = extract(b, starts, &index[..1]);
            let start = b.value(&arith::INDEX_CAST, &[start], Type::INDEX);
            let to = x(index[dim]) + start;
            at[dim] = match is_circular {
                true => to.floor_rem(F::from(dims[dim])).build(b),
                false => to.build(b),
            };
        }
        vec![put(b, carried[0], number, &at, None)]
    });
    let result = cx.sized(results[0], &dims);
    Ok(vec![cx.with_element(result, ty)])
}

fn one_hot(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let indices = n.x(0)?;
    let indices = match cx.is_float(indices) {
        true => cx.convert(indices, Type::I64)?,
        false => signed(cx, indices)?,
    };
    let depth = n.x(1)?;
    let depth = match cx.is_float(depth) {
        true => match cx.constant_number(depth) {
            Some(number) => c(number as i64),
            None => {
                let depth = cx.convert(depth, Type::I64)?;
                cx.size_in(depth)?
            }
        },
        false => cx.size_in(depth)?,
    };
    let values = n.x(2)?;
    let ty = cx.element(values);
    let values = cx.signless(values);
    let mut dims = cx.dims(indices);
    let at = axis(n.int("axis", -1), dims.len() + 1)?;
    dims.insert(at, depth);
    Ok(vec![cx.generate(&dims, ty, &mut |b, index| {
        let mut outer = index.to_vec();
        outer.remove(at);
        let number = extract(b, indices, &outer);
        let wanted = place(b, number, depth);
        let which = x(index[at]).equal(wanted).select(1, 0).build(b);
        extract(b, values, &[which])
    })])
}

/// Whether an element is not zero.
fn is_set(b: &mut Builder<'_>, number: Value) -> Value {
    let mut e = Emit::new(b);
    let zero = e.like(number, 0.0);
    match e.class(number) {
        crate::rewrite::scalars::Class::Float(_) => e.cmpf(CmpFPredicate::Une, number, zero),
        _ => e.cmpi(arith::CmpIPredicate::Ne, number, zero),
    }
}

/// How many elements of a tensor of these sizes `test` accepts, and what `write` makes of each that it does, counted.
fn counted(
    cx: &mut Cx<'_>,
    sizes: &[Dim],
    test: &dyn Fn(&mut Builder<'_>, &[Value]) -> Value,
) -> Dim {
    let zero = arith::constant_index(&mut cx.b, 0);
    let results = nest(&mut cx.b, sizes, &[zero], &mut |b, index, carried| {
        let is_taken = test(b, index);
        vec![x(is_taken).select(x(carried[0]) + 1, carried[0]).build(b)]
    });
    results[0].into()
}

fn non_zero(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let source = cx.signless(n.x(0)?);
    let mut dims = cx.dims(source);
    let mut source = source;
    if dims.is_empty() {
        source = cx.reshape(source, &[c(1)])?;
        dims = vec![c(1)];
    }
    let rank = dims.len();
    let count = counted(cx, &dims, &|b, index| {
        let number = extract(b, source, index);
        is_set(b, number)
    });
    let to = [c(rank as i64), count];
    let out = cx.empty(&to, Type::I64);
    let zero = arith::constant_index(&mut cx.b, 0);
    let results = nest(&mut cx.b, &dims, &[out, zero], &mut |b, index, carried| {
        let number = extract(b, source, index);
        let is_taken = is_set(b, number);
        let types = [b.ir.value_type(carried[0]), Type::INDEX];
        choose(
            b,
            x(is_taken),
            &types,
            |b| {
                let mut all = carried[0];
                for (dim, &at) in index.iter().enumerate() {
                    let number = b.value(&arith::INDEX_CAST, &[at], Type::I64);
                    let row = arith::constant_index(b, dim as i64);
                    all = put(b, all, number, &[row, carried[1]], None);
                }
                vec![all, (x(carried[1]) + 1).build(b)]
            },
            |_| carried.to_vec(),
        )
    });
    Ok(vec![cx.sized(results[0], &to)])
}

fn compress(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (mut value, condition) = (n.x(0)?, n.x(1)?);
    let dim = match n.opt_int("axis") {
        Some(at) => axis(at, cx.rank(value))?,
        None => {
            let dims = cx.dims(value);
            let all = cx.product(&dims);
            value = cx.reshape(value, &[all])?;
            0
        }
    };
    let length = cx.dim(condition, 0);
    let sizes = [length];
    let count = counted(cx, &sizes, &|b, index| extract(b, condition, index));
    let places = cx.empty(&[count], Type::INDEX);
    let zero = arith::constant_index(&mut cx.b, 0);
    let results = nest(
        &mut cx.b,
        &sizes,
        &[places, zero],
        &mut |b, index, carried| {
            let is_taken = extract(b, condition, index);
            let types = [b.ir.value_type(carried[0]), Type::INDEX];
            choose(
                b,
                x(is_taken),
                &types,
                |b| {
                    let all = put(b, carried[0], index[0], &[carried[1]], None);
                    vec![all, (x(carried[1]) + 1).build(b)]
                },
                |_| carried.to_vec(),
            )
        },
    );
    let places = results[0];
    let mut to = cx.dims(value);
    to[dim] = count;
    Ok(vec![cx.pick(value, &to, &mut |b, index| {
        let mut at = index.to_vec();
        at[dim] = extract(b, places, &[index[dim]]);
        at
    })])
}

fn reverse_sequence(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, lengths) = (n.x(0)?, n.x(1)?);
    let rank = cx.rank(value);
    let (batch, time) = (
        axis(n.int("batch_axis", 1), rank)?,
        axis(n.int("time_axis", 0), rank)?,
    );
    let dims = cx.dims(value);
    Ok(vec![cx.pick(value, &dims, &mut |b, index| {
        let length = extract(b, lengths, &[index[batch]]);
        let length = b.value(&arith::INDEX_CAST, &[length], Type::INDEX);
        let mut at = index.to_vec();
        at[time] = x(index[time])
            .less(length)
            .select(x(length) - 1 - index[time], index[time])
            .build(b);
        at
    })])
}

/// The different elements of a flat tensor, or parts along an axis, with where each first is, which of them every part is,
/// and how often.
fn unique(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut value = n.x(0)?;
    let ty = cx.element(value);
    // True comes after false, as one after zero.
    let unsigned = cx.is_unsigned(ty) || ty == Type::I1;
    let dim = match n.opt_int("axis") {
        Some(at) => axis(at, cx.rank(value))?,
        None => {
            let dims = cx.dims(value);
            let all = cx.product(&dims);
            value = cx.reshape(value, &[all])?;
            0
        }
    };
    let rank = cx.rank(value);
    // The parts are rows of a matrix.
    let mut order: Vec<usize> = (0..rank).filter(|&other| other != dim).collect();
    order.insert(0, dim);
    let rows = cx.transpose(value, &order);
    let row_dims = cx.dims(rows);
    let width = cx.product(&row_dims[1..]);
    let count = row_dims[0];
    let rows = cx.reshape(rows, &[count, width])?;
    let source = cx.signless(rows);
    let size = F::from(count);
    // Compares rows: negative, zero or positive.
    let compare = move |b: &mut Builder<'_>, p: Value, q: Value| {
        let zero = arith::constant_index(b, 0);
        repeat(b, 0, width, &[zero], |b, i, carried| {
            let first = F::Element(source, vec![x(p), x(i)]).build(b);
            let second = F::Element(source, vec![x(q), x(i)]).build(b);
            let less = comes_before(b, (first, second), false, unsigned);
            let more = comes_before(b, (second, first), false, unsigned);
            let here = x(less).select(-1, x(more).select(1, 0));
            vec![x(carried[0]).equal(0).select(here, carried[0]).build(b)]
        })[0]
    };
    let is_sorted = n.flag("sorted", true);
    // The rows in order: by an ordinary sort where they are numbers, by insertion of places otherwise.
    let sequence = cx.generate(&[count], Type::I64, &mut |b, index| {
        b.value(&arith::INDEX_CAST, &[index[0]], Type::I64)
    });
    let order = if is_sorted {
        if width == c(1) {
            let keys = cx.reshape(source, &[count])?;
            let results = sorted(cx, &[keys, sequence], 0, &mut |b, x| {
                comes_before(b, (x[0], x[1]), false, unsigned)
            });
            results[1]
        } else {
            // Insertion: rows are few where they are compared as a whole.
            repeat(&mut cx.b, 1, size.clone(), &[sequence], |b, i, carried| {
                let moving = extract(b, carried[0], &[i]);
                let row = b.value(&arith::INDEX_CAST, &[moving], Type::INDEX);
                repeat(b, 0, i, carried, |b, back, carried| {
                    let at = (x(i) - 1 - back).build(b);
                    let other = extract(b, carried[0], &[at]);
                    let other_row = b.value(&arith::INDEX_CAST, &[other], Type::INDEX);
                    let next = (x(at) + 1).build(b);
                    let here = extract(b, carried[0], &[next]);
                    let here_row = b.value(&arith::INDEX_CAST, &[here], Type::INDEX);
                    let order = compare(b, row, other_row);
                    let swaps = x(order).less(0).and(x(here_row).equal(row));
                    let types = [b.ir.value_type(carried[0])];
                    choose(
                        b,
                        swaps,
                        &types,
                        |b| {
                            let all = put(b, carried[0], other, &[next], None);
                            vec![put(b, all, moving, &[at], None)]
                        },
                        |_| carried.to_vec(),
                    )
                })
            })[0]
        }
    } else {
        sequence
    };
    // The number of each row among the different ones, and the first row of each.
    let firsts = cx.empty(&[count], Type::I64);
    let numbers = cx.empty(&[count], Type::I64);
    let zero64 = cx.int_scalar(Type::I64, 0);
    let counts = cx.filled(&[count], zero64, Type::I64);
    let zero = arith::constant_index(&mut cx.b, 0);
    let inits = [firsts, numbers, counts, zero];
    let results = repeat(&mut cx.b, 0, size, &inits, |b, i, carried| {
        let number = extract(b, order, &[i]);
        let row = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
        // Which of those found it is equal to; sorted rows need to look at the last one only.
        let from = match is_sorted {
            true => (x(carried[3]) - 1).max(0),
            false => F::from(0),
        };
        let none = arith::constant_index(b, -1);
        let found = repeat(b, from, carried[3], &[none], |b, k, best| {
            let first = extract(b, carried[0], &[k]);
            let first = b.value(&arith::INDEX_CAST, &[first], Type::INDEX);
            let order = compare(b, row, first);
            vec![x(order).equal(0).select(k, best[0]).build(b)]
        })[0];
        let is_new = x(found).less(0);
        let at = is_new.clone().select(carried[3], found).build(b);
        let types = [b.ir.value_type(carried[0])];
        let firsts = choose(
            b,
            is_new.clone(),
            &types,
            |b| vec![put(b, carried[0], number, &[at], None)],
            |_| vec![carried[0]],
        )[0];
        let class = b.value(&arith::INDEX_CAST, &[at], Type::I64);
        let numbers = put(b, carried[1], class, &[row], None);
        let one = arith::constant_int(b, Type::I64, 1);
        let counts = put(b, carried[2], one, &[at], Some(&arith::ADDI));
        let total = is_new.select(x(carried[3]) + 1, carried[3]).build(b);
        vec![firsts, numbers, counts, total]
    });
    let total = Dim::Value(results[3]);
    for &value in &results[..3] {
        cx.sized(value, &[count]);
    }
    let firsts = cx.part(results[0], 0, c(0), total);
    let counts = cx.part(results[2], 0, c(0), total);
    let mut to = cx.dims(value);
    to[dim] = total;
    let different = cx.pick(value, &to, &mut |b, index| {
        let mut at = index.to_vec();
        let row = extract(b, firsts, &[index[dim]]);
        at[dim] = b.value(&arith::INDEX_CAST, &[row], Type::INDEX);
        at
    });
    Ok(vec![different, firsts, results[1], counts])
}
