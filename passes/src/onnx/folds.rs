//! Operators on small tensors of integers whose elements are known: they become arithmetic on sizes, or numbers.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::graph::Cx;
use super::ints::{Ints, MOST};
use super::node::{Node, axes, axis};
use super::shapes::{SliceRange, slice_ranges, split_sizes};
use super::sizes::{Dim, c};

type Eval = fn(&mut Cx<'_>, &Node, &[Option<Ints>]) -> Option<Ints>;

const TABLE: &[(&OpDef, Eval)] = &[
    (&onnx::ABS, |_, _, x| {
        map(x, |x| Some(c(number(x)?.checked_abs()?)))
    }),
    (&onnx::ADD, |cx, _, x| {
        zip(x, &mut |p, q| Some(cx.add(p, q)))
    }),
    (&onnx::AND, |_, _, x| logical(x, |p, q| p && q)),
    (&onnx::CAST, cast),
    (&onnx::CONCAT, concat),
    (&onnx::CONSTANT_OF_SHAPE, constant_of_shape),
    (&onnx::DIV, |cx, _, x| {
        zip(x, &mut |p, q| match (p, q) {
            (_, Dim::Constant(0)) => None,
            _ => Some(cx.scope.sizes.truncated_div(&mut cx.b, p, q)),
        })
    }),
    (&onnx::EQUAL, |_, _, x| compare(x, |p, q| p == q)),
    (&onnx::EXPAND, expand),
    (&onnx::FLATTEN, reshaped),
    (&onnx::GATHER, gather),
    (&onnx::GREATER, |_, _, x| compare(x, |p, q| p > q)),
    (&onnx::GREATER_OR_EQUAL, |_, _, x| compare(x, |p, q| p >= q)),
    (&onnx::IDENTITY, |_, _, x| x.first()?.clone()),
    (&onnx::LESS, |_, _, x| compare(x, |p, q| p < q)),
    (&onnx::LESS_OR_EQUAL, |_, _, x| compare(x, |p, q| p <= q)),
    (&onnx::MAX, |cx, _, x| {
        fold_all(x, &mut |p, q| Some(cx.max(p, q)))
    }),
    (&onnx::MIN, |cx, _, x| {
        fold_all(x, &mut |p, q| Some(cx.min(p, q)))
    }),
    (&onnx::MOD, |_, n, x| {
        if n.int("fmod", 0) != 0 {
            return None;
        }
        zip(x, &mut |p, q| {
            let (p, q) = (number(p)?, number(q)?);
            let rest = p.checked_rem(q)?;
            Some(c(if rest != 0 && (rest < 0) != (q < 0) {
                rest + q
            } else {
                rest
            }))
        })
    }),
    (&onnx::MUL, |cx, _, x| {
        zip(x, &mut |p, q| Some(cx.mul(p, q)))
    }),
    (&onnx::NEG, |cx, _, x| map(x, |x| Some(cx.sub(c(0), x)))),
    (&onnx::NOT, |_, _, x| map(x, |x| Some(c(1 - number(x)?)))),
    (&onnx::OR, |_, _, x| logical(x, |p, q| p || q)),
    (&onnx::RANGE, range),
    (&onnx::REDUCE_MAX, |cx, n, x| {
        reduce(n, x, None, &mut |p, q| Some(cx.max(p, q)))
    }),
    (&onnx::REDUCE_MIN, |cx, n, x| {
        reduce(n, x, None, &mut |p, q| Some(cx.min(p, q)))
    }),
    (&onnx::REDUCE_PROD, |cx, n, x| {
        reduce(n, x, Some(1), &mut |p, q| Some(cx.mul(p, q)))
    }),
    (&onnx::REDUCE_SUM, |cx, n, x| {
        reduce(n, x, Some(0), &mut |p, q| Some(cx.add(p, q)))
    }),
    (&onnx::RESHAPE, reshaped),
    (&onnx::SLICE, slice),
    (&onnx::SQUEEZE, reshaped),
    (&onnx::SUB, |cx, _, x| {
        zip(x, &mut |p, q| Some(cx.sub(p, q)))
    }),
    (&onnx::TILE, tile),
    (&onnx::TRANSPOSE, transpose),
    (&onnx::UNSQUEEZE, reshaped),
    (&onnx::WHERE, select),
];

/// What an operator on known elements gives, if that is known.
pub(super) fn fold(cx: &mut Cx<'_>, n: &Node) -> Option<Vec<Value>> {
    if std::ptr::eq(n.def, &onnx::SPLIT) {
        return split(cx, n);
    }
    let eval = TABLE.iter().find(|row| std::ptr::eq(row.0, n.def))?.1;
    let mut operands = Vec::new();
    for &operand in &n.operands {
        operands.push(match operand {
            Some(value) => Some(cx.ints(value)?),
            None => None,
        });
    }
    let ints = eval(cx, n, &operands)?;
    store(cx, ints).map(|value| vec![value])
}

fn store(cx: &mut Cx<'_>, ints: Ints) -> Option<Value> {
    if ints.all.len() > MOST || ints.shape.iter().product::<usize>() != ints.all.len() {
        return None;
    }
    let fits = |&dim: &Dim| match dim {
        Dim::Constant(number) if ints.ty == Type::I32 => i32::try_from(number).is_ok(),
        Dim::Constant(number) if ints.ty == Type::I1 => number == 0 || number == 1,
        Dim::Value(_) => ints.ty != Type::I1,
        Dim::Constant(_) => true,
    };
    match ints.all.iter().all(fits) {
        true => cx.ints_tensor(ints).ok(),
        false => None,
    }
}

fn number(dim: Dim) -> Option<i64> {
    match dim {
        Dim::Constant(number) => Some(number),
        Dim::Value(_) => None,
    }
}

fn get(x: &[Option<Ints>], i: usize) -> Option<&Ints> {
    x.get(i).and_then(Option::as_ref)
}

fn map(x: &[Option<Ints>], mut f: impl FnMut(Dim) -> Option<Dim>) -> Option<Ints> {
    let x = get(x, 0)?;
    let all: Option<Vec<Dim>> = x.all.iter().map(|&dim| f(dim)).collect();
    Some(Ints {
        all: all?,
        ..x.clone()
    })
}

/// The shape that shapes are broadcast to.
fn broadcast(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(|shape| shape.len()).max()?;
    let mut result = vec![1; rank];
    for shape in shapes {
        for (i, &size) in shape.iter().enumerate() {
            let at = &mut result[rank - shape.len() + i];
            match (*at, size) {
                (x, y) if x == y => {}
                (1, y) => *at = y,
                (_, 1) => {}
                _ => return None,
            }
        }
    }
    Some(result)
}

/// The indices of all elements of a shape.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let n: usize = shape.iter().product();
    (0..n)
        .map(|mut at| {
            let mut index = vec![0; shape.len()];
            for (i, &size) in shape.iter().enumerate().rev() {
                index[i] = at % size;
                at /= size;
            }
            index
        })
        .collect()
}

/// The element that a broadcast tensor has at an index.
fn at(x: &Ints, index: &[usize]) -> Dim {
    let skip = index.len() - x.shape.len();
    let mut place = 0;
    for (i, &size) in x.shape.iter().enumerate() {
        place = place * size + if size == 1 { 0 } else { index[skip + i] };
    }
    x.all[place]
}

fn zip(x: &[Option<Ints>], f: &mut dyn FnMut(Dim, Dim) -> Option<Dim>) -> Option<Ints> {
    let (p, q) = (get(x, 0)?, get(x, 1)?);
    let shape = broadcast(&[&p.shape, &q.shape])?;
    let all: Option<Vec<Dim>> = indices(&shape)
        .iter()
        .map(|index| f(at(p, index), at(q, index)))
        .collect();
    Some(Ints {
        shape,
        all: all?,
        ty: p.ty,
    })
}

fn fold_all(x: &[Option<Ints>], f: &mut dyn FnMut(Dim, Dim) -> Option<Dim>) -> Option<Ints> {
    let mut result = get(x, 0)?.clone();
    for other in &x[1..] {
        result = zip(&[Some(result), other.clone()], f)?;
    }
    Some(result)
}

fn compare(x: &[Option<Ints>], f: fn(i64, i64) -> bool) -> Option<Ints> {
    let result = zip(x, &mut |p, q| Some(c(i64::from(f(number(p)?, number(q)?)))))?;
    Some(Ints {
        ty: Type::I1,
        ..result
    })
}

fn logical(x: &[Option<Ints>], f: fn(bool, bool) -> bool) -> Option<Ints> {
    zip(x, &mut |p, q| {
        Some(c(i64::from(f(number(p)? != 0, number(q)? != 0))))
    })
}

fn cast(_: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let x = get(x, 0)?;
    let ty = n.ty("to")?;
    match ty {
        Type::I64 | Type::I32 => Some(Ints { ty, ..x.clone() }),
        Type::I1 => {
            let all: Option<Vec<Dim>> = (x.all.iter())
                .map(|&dim| Some(c(i64::from(number(dim)? != 0))))
                .collect();
            Some(Ints {
                ty,
                all: all?,
                ..x.clone()
            })
        }
        _ => None,
    }
}

fn concat(_: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let first = get(x, 0)?;
    if first.shape.len() != 1 || axis(n.int("axis", 0), 1).ok()? != 0 {
        return None;
    }
    let mut all = Vec::new();
    for part in x {
        all.extend(part.as_ref()?.all.iter().copied());
    }
    Some(Ints {
        shape: vec![all.len()],
        all,
        ty: first.ty,
    })
}

fn constant_of_shape(cx: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let shape: Option<Vec<usize>> = (get(x, 0)?.all.iter())
        .map(|&dim| usize::try_from(number(dim)?).ok())
        .collect();
    let shape = shape?;
    let (attr, context) = (n.raw("value")?, cx.context());
    let dense = context.attr_dense(attr)?;
    let ty = context.element_type_or_self(dense.ty);
    let value = match dense.bytes[..] {
        [a, b, c, d] if ty == Type::I32 => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ if ty == Type::I64 => i64::from_le_bytes(dense.bytes[..].try_into().ok()?),
        _ => return None,
    };
    let count: usize = shape.iter().product();
    (count <= MOST).then(|| Ints {
        all: vec![c(value); count],
        shape,
        ty,
    })
}

fn expand(_: &mut Cx<'_>, _: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let source = get(x, 0)?;
    let to: Option<Vec<usize>> = (get(x, 1)?.all.iter())
        .map(|&dim| usize::try_from(number(dim)?).ok())
        .collect();
    let shape = broadcast(&[&source.shape, &to?])?;
    if shape.iter().product::<usize>() > MOST {
        return None;
    }
    let all = indices(&shape)
        .iter()
        .map(|index| at(source, index))
        .collect();
    Some(Ints {
        shape,
        all,
        ty: source.ty,
    })
}

fn gather(_: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let (source, indices) = (get(x, 0)?, get(x, 1)?);
    let [size] = source.shape[..] else {
        return None;
    };
    axis(n.int("axis", 0), 1).ok()?;
    let all: Option<Vec<Dim>> = (indices.all.iter())
        .map(|&index| {
            let index = number(index)?;
            let index = if index < 0 {
                index + size as i64
            } else {
                index
            };
            source.all.get(usize::try_from(index).ok()?).copied()
        })
        .collect();
    Some(Ints {
        shape: indices.shape.clone(),
        all: all?,
        ty: source.ty,
    })
}

fn range(_: &mut Cx<'_>, _: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let only = |i| match get(x, i)?.all[..] {
        [dim] => number(dim),
        _ => None,
    };
    let (start, limit, step) = (only(0)?, only(1)?, only(2)?);
    if step == 0 {
        return None;
    }
    let mut all = Vec::new();
    let mut next = start;
    while (step > 0 && next < limit) || (step < 0 && next > limit) {
        if all.len() == MOST {
            return None;
        }
        all.push(c(next));
        next = next.checked_add(step)?;
    }
    Some(Ints {
        shape: vec![all.len()],
        all,
        ty: get(x, 0)?.ty,
    })
}

/// Reductions of a list to one element.
fn reduce(
    n: &Node,
    x: &[Option<Ints>],
    empty: Option<i64>,
    f: &mut dyn FnMut(Dim, Dim) -> Option<Dim>,
) -> Option<Ints> {
    let source = get(x, 0)?;
    let axes = match get(x, 1) {
        Some(axes) => Some(
            axes.all
                .iter()
                .map(|&dim| number(dim))
                .collect::<Option<Vec<i64>>>()?,
        ),
        None => n.ints("axes"),
    };
    let is_whole = axes.as_ref().is_none_or(|axes| axes.is_empty())
        && n.int("noop_with_empty_axes", 0) == 0
        || axes.is_some_and(|axes| axes.len() == source.shape.len());
    if source.shape.len() > 1 || !is_whole || source.shape.is_empty() {
        return None;
    }
    let mut all = source.all.iter().copied();
    let mut result = match empty {
        Some(number) => c(number),
        None => all.next()?,
    };
    for dim in all {
        result = f(result, dim)?;
    }
    let shape = if n.flag("keepdims", true) {
        vec![1]
    } else {
        Vec::new()
    };
    Some(Ints {
        shape,
        all: vec![result],
        ty: source.ty,
    })
}

/// The same elements in another shape.
fn reshaped(_: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let source = get(x, 0)?;
    let is = |def: &'static OpDef| std::ptr::eq(n.def, def);
    let list = |name: &str| match get(x, 1) {
        Some(list) => list.all.iter().map(|&dim| number(dim)).collect(),
        None => n.ints(name),
    };
    let mut shape: Vec<usize> = source.shape.clone();
    if is(&onnx::FLATTEN) {
        let at = match n.int("axis", 1) {
            at if at == shape.len() as i64 => shape.len(),
            at => axis(at, shape.len()).ok()?,
        };
        shape = vec![shape[..at].iter().product(), shape[at..].iter().product()];
    } else if is(&onnx::SQUEEZE) {
        let dims = match list("axes") {
            Some(all) => axes(&all, shape.len()).ok()?,
            None => (0..shape.len()).filter(|&dim| shape[dim] == 1).collect(),
        };
        let mut dim = 0;
        shape.retain(|_| {
            dim += 1;
            !dims.contains(&(dim - 1))
        });
    } else if is(&onnx::UNSQUEEZE) {
        let all = list("axes")?;
        let mut dims = axes(&all, shape.len() + all.len()).ok()?;
        dims.sort_unstable();
        for dim in dims {
            if dim > shape.len() {
                return None;
            }
            shape.insert(dim, 1);
        }
    } else {
        let to = list("shape")?;
        let n_all = source.all.len();
        let mut result = Vec::new();
        for (i, &size) in to.iter().enumerate() {
            result.push(match size {
                -1 => -1,
                0 if n.int("allowzero", 0) == 0 => *shape.get(i)? as i64,
                size => size,
            });
        }
        let known: i64 = result.iter().filter(|&&size| size != -1).product();
        for size in &mut result {
            if *size == -1 {
                *size = (n_all as i64).checked_div(known)?;
            }
        }
        shape = (result.iter())
            .map(|&size| usize::try_from(size).ok())
            .collect::<Option<Vec<usize>>>()?;
    }
    Some(Ints {
        shape,
        ..source.clone()
    })
}

fn slice(cx: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let source = get(x, 0)?;
    let dims: Vec<Dim> = source.shape.iter().map(|&size| c(size as i64)).collect();
    let ranges = slice_ranges(cx, n, &dims).ok()?;
    let mut shape = Vec::new();
    let mut plain = Vec::new();
    for SliceRange {
        offset,
        size,
        stride,
    } in ranges
    {
        let (offset, size, stride) = (number(offset)?, number(size)?, number(stride)?);
        shape.push(usize::try_from(size).ok()?);
        plain.push((offset, stride));
    }
    let all = indices(&shape)
        .iter()
        .map(|index| {
            let from: Vec<usize> = (index.iter().zip(&plain))
                .map(|(&i, &(offset, stride))| (offset + i as i64 * stride) as usize)
                .collect();
            let mut place = 0;
            for (i, &size) in source.shape.iter().enumerate() {
                place = place * size + from[i];
            }
            source.all.get(place).copied()
        })
        .collect::<Option<Vec<Dim>>>()?;
    Some(Ints {
        shape,
        all,
        ty: source.ty,
    })
}

fn split(cx: &mut Cx<'_>, n: &Node) -> Option<Vec<Value>> {
    let source = cx.ints(n.opt(0)?)?;
    let [size] = source.shape[..] else {
        return None;
    };
    let sizes = split_sizes(cx, n, c(size as i64)).ok()?;
    let mut values = Vec::new();
    let mut at = 0;
    for size in sizes {
        let size = usize::try_from(number(size)?).ok()?;
        let all = source.all.get(at..at + size)?.to_vec();
        values.push(store(
            cx,
            Ints {
                shape: vec![size],
                all,
                ty: source.ty,
            },
        )?);
        at += size;
    }
    Some(values)
}

fn tile(_: &mut Cx<'_>, _: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let source = get(x, 0)?;
    let repeats: Option<Vec<i64>> = get(x, 1)?.all.iter().map(|&dim| number(dim)).collect();
    let repeats = repeats?;
    if repeats.len() != source.shape.len() {
        return None;
    }
    let shape: Option<Vec<usize>> = (source.shape.iter().zip(&repeats))
        .map(|(&size, &n)| size.checked_mul(usize::try_from(n).ok()?))
        .collect();
    let shape = shape?;
    if shape.iter().product::<usize>() > MOST {
        return None;
    }
    let all = indices(&shape)
        .iter()
        .map(|index| {
            let index: Vec<usize> = index
                .iter()
                .zip(&source.shape)
                .map(|(&i, &size)| i % size)
                .collect();
            at(source, &index)
        })
        .collect();
    Some(Ints {
        shape,
        all,
        ty: source.ty,
    })
}

fn transpose(_: &mut Cx<'_>, n: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let source = get(x, 0)?;
    let rank = source.shape.len();
    let permutation = match n.ints("perm") {
        Some(perm) => axes(&perm, rank).ok()?,
        None => (0..rank).rev().collect(),
    };
    let shape: Vec<usize> = permutation.iter().map(|&dim| source.shape[dim]).collect();
    let all = indices(&shape)
        .iter()
        .map(|index| {
            let mut from = vec![0; rank];
            for (i, &dim) in permutation.iter().enumerate() {
                from[dim] = index[i];
            }
            at(source, &from)
        })
        .collect();
    Some(Ints {
        shape,
        all,
        ty: source.ty,
    })
}

fn select(_: &mut Cx<'_>, _: &Node, x: &[Option<Ints>]) -> Option<Ints> {
    let (condition, p, q) = (get(x, 0)?, get(x, 1)?, get(x, 2)?);
    let shape = broadcast(&[&condition.shape, &p.shape, &q.shape])?;
    let all: Option<Vec<Dim>> = indices(&shape)
        .iter()
        .map(|index| {
            Some(match number(at(condition, index))? {
                0 => at(q, index),
                _ => at(p, index),
            })
        })
        .collect();
    Some(Ints {
        shape,
        all: all?,
        ty: p.ty,
    })
}
