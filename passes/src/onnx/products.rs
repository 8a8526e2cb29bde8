//! Matrix products: `MatMul`, `Gemm`, `Einsum` and those of quantized numbers.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;
use std::collections::BTreeMap;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::integer_products::integer_matmul;
use super::node::{Lowered, Node, Refused};
use super::quantization::{quantize, zero_point};
use super::sizes::{Dim, c};
use crate::rewrite::tensors::{Generic, fill, projection};

pub(super) const ROWS: &[Row] = &[
    (&onnx::DET, det),
    (&onnx::EINSUM, |cx, n| {
        let equation = n.opt_text("equation").ok_or("it has no equation")?;
        Ok(vec![einsum(cx, &equation, &n.all())?])
    }),
    (&onnx::GEMM, gemm),
    (&onnx::MAT_MUL, |cx, n| {
        let (x, y) = (n.x(0)?, n.x(1)?);
        let ty = cx.element(x);
        Ok(vec![matmul(cx, x, y, ty)?])
    }),
    (&onnx::MAT_MUL_INTEGER, |cx, n| {
        let (x, y) = (n.x(0)?, n.x(1)?);
        Ok(vec![integer_matmul(cx, [x, y], [n.opt(2), n.opt(3)])?])
    }),
    (&onnx::Q_LINEAR_MAT_MUL, q_linear_matmul),
];

/// 8-bit numbers less their zero point, as 32-bit ones. A zero point per row or column of the matrix is a vector.
pub(super) fn moved(
    cx: &mut Cx<'_>,
    value: Value,
    zero: Option<Value>,
    by_rows: bool,
) -> Result<Value, Refused> {
    let wide = cx.convert(value, Type::I32)?;
    let Some(zero) = zero else {
        return Ok(wide);
    };
    let zero = zero_point(cx, zero, Type::I32)?;
    let zero = match (cx.rank(zero), by_rows) {
        (1, true) if cx.rank(value) > 1 => cx.unsqueeze(zero, &[1])?,
        _ => zero,
    };
    cx.ew(&sh::SUBTRACT, &[wide, zero])
}

/// The product of matrices in the manner of NumPy, with sums of type `ty`.
pub(super) fn matmul(cx: &mut Cx<'_>, x: Value, y: Value, ty: Type) -> Result<Value, Refused> {
    let (p, q) = (cx.rank(x), cx.rank(y));
    if p == 0 || q == 0 {
        return Err("an operand is a scalar".into());
    }
    if p <= 2 && q <= 2 {
        let sums = [p - 1, q.saturating_sub(2)];
        return Ok(cx.dot(x, y, [&[], &[]], [&sums[..1], &sums[1..]], ty));
    }
    // A matrix for all batches of rows: they are rows of one matrix.
    if q <= 2 {
        let sums = [p - 1, q.saturating_sub(2)];
        return Ok(cx.dot(x, y, [&[], &[]], [&sums[..1], &sums[1..]], ty));
    }
    let vector = p == 1;
    let x = if vector { cx.unsqueeze(x, &[0])? } else { x };
    let column = q == 1;
    let y = if column { cx.unsqueeze(y, &[1])? } else { y };
    let (left, right) = (cx.dims(x), cx.dims(y));
    let (p, q) = (left.len(), right.len());
    let batches = cx.broadcast_dims(&[left[..p - 2].to_vec(), right[..q - 2].to_vec()])?;
    let n = batches.len();
    let wide = |cx: &mut Cx<'_>, value: Value, dims: &[Dim]| {
        let to = [&batches[..], &dims[dims.len() - 2..]].concat();
        cx.broadcast_to(value, &to)
    };
    let (x, y) = (wide(cx, x, &left), wide(cx, y, &right));
    let all: Vec<usize> = (0..n).collect();
    let product = cx.dot(x, y, [&all, &all], [&[n + 1], &[n]], ty);
    match (vector, column) {
        (true, false) => cx.squeeze(product, &[n]),
        (false, true) => cx.squeeze(product, &[n + 1]),
        _ => Ok(product),
    }
}

pub(super) fn gemm(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (x, y) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(x);
    let (alpha, beta) = (n.float("alpha", 1.0), n.float("beta", 1.0));
    let at = [
        usize::from(!n.flag("transA", false)),
        usize::from(n.flag("transB", false)),
    ];
    let mut result = cx.dot(x, y, [&[], &[]], [&at[..1], &at[1..]], ty);
    if alpha != 1.0 {
        result = cx.formula("x * a", &[("x", result.into()), ("a", alpha.into())])?;
    }
    if let Some(z) = n.opt(2)
        && beta != 0.0
    {
        let text = if beta == 1.0 { "x + z" } else { "x + b * z" };
        let dims = cx.dims(result);
        let terms = [("x", result.into()), ("z", z.into()), ("b", beta.into())];
        result = cx.formula(text, &terms)?;
        result = cx.as_sized(result, &dims);
    }
    Ok(vec![result])
}

/// Sums of products over the letters that the result lacks.
fn einsum(cx: &mut Cx<'_>, equation: &str, operands: &[Value]) -> Result<Value, Refused> {
    let equation: String = equation
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let (sources, target) = match equation.split_once("->") {
        Some((sources, target)) => (sources.to_owned(), Some(target.to_owned())),
        None => (equation, None),
    };
    let sources: Vec<&str> = sources.split(',').collect();
    if sources.len() != operands.len() {
        return Err("its equation has not one part per operand".into());
    }
    // Dimensions that dots stand for get letters of their own, counted from the last.
    let dots = |cx: &Cx<'_>, i: usize| {
        let n = sources[i].replace("...", "").chars().count();
        cx.rank(operands[i]).saturating_sub(n)
    };
    let most = (0..operands.len())
        .filter(|&i| sources[i].contains("..."))
        .map(|i| dots(cx, i))
        .max()
        .unwrap_or(0);
    let letters = |n: usize| -> String {
        ((most - n)..most)
            .filter_map(|i| char::from_u32(0xE000 + i as u32))
            .collect()
    };
    let mut lists: Vec<Vec<char>> = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        let n = if source.contains("...") {
            dots(cx, i)
        } else {
            0
        };
        let list: Vec<char> = source.replace("...", &letters(n)).chars().collect();
        if list.len() != cx.rank(operands[i]) {
            return Err("its equation does not fit its operands".into());
        }
        lists.push(list);
    }
    let target: Vec<char> = match target {
        Some(target) => target.replace("...", &letters(most)).chars().collect(),
        None => {
            let mut counts: BTreeMap<char, usize> = BTreeMap::new();
            for letter in lists.iter().flatten() {
                *counts.entry(*letter).or_default() += 1;
            }
            let once = counts
                .iter()
                .filter(|count| *count.1 == 1 && *count.0 < '\u{E000}');
            let once: Vec<char> = once.map(|count| *count.0).collect();
            letters(most).chars().chain(once).collect()
        }
    };
    let mut sizes: BTreeMap<char, Dim> = BTreeMap::new();
    for (list, &operand) in lists.iter().zip(operands) {
        for (&letter, size) in list.iter().zip(cx.dims(operand)) {
            let known = sizes.get(&letter).copied().unwrap_or(c(1));
            let size = cx.broadcast_dims(&[vec![known], vec![size]])?[0];
            sizes.insert(letter, size);
        }
    }
    let mut operands = operands.to_vec();
    for (list, operand) in lists.iter_mut().zip(&mut operands) {
        // Of one element where others have more: the dimension is left out.
        let dims = cx.dims(*operand);
        let single: Vec<usize> = (0..list.len())
            .filter(|&i| dims[i] == c(1) && sizes[&list[i]] != c(1))
            .collect();
        if !single.is_empty() {
            *operand = cx.squeeze(*operand, &single)?;
            let mut at = 0;
            list.retain(|_| {
                at += 1;
                !single.contains(&(at - 1))
            });
        }
    }
    let missing = target.iter().any(|letter| !sizes.contains_key(letter));
    if missing {
        return Err("its equation has a letter that no operand has".into());
    }
    let ty = cx.element(operands[0]);
    // Two factors at a time, as a contraction that is known as one.
    if let ([x, y], [p, q]) = (&operands[..], &lists[..]) {
        let is_plain = |list: &[char]| {
            list.iter()
                .enumerate()
                .all(|(i, letter)| !list[..i].contains(letter))
        };
        let alone = |list: &[char], other: &[char]| {
            list.iter()
                .any(|letter| !other.contains(letter) && !target.contains(letter))
        };
        if is_plain(p) && is_plain(q) && !alone(p, q) && !alone(q, p) {
            let at = |list: &[char], letter: char| list.iter().position(|&other| other == letter);
            let mut order: Vec<char> = Vec::new();
            let (mut batch, mut sums) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
            for (i, &letter) in p.iter().enumerate() {
                if let Some(j) = at(q, letter) {
                    let pairs = if target.contains(&letter) {
                        &mut batch
                    } else {
                        &mut sums
                    };
                    pairs[0].push(i);
                    pairs[1].push(j);
                    if target.contains(&letter) {
                        order.push(letter);
                    }
                }
            }
            order.extend(p.iter().filter(|letter| !q.contains(letter)));
            order.extend(q.iter().filter(|letter| !p.contains(letter)));
            let value = cx.dot(*x, *y, [&batch[0], &batch[1]], [&sums[0], &sums[1]], ty);
            let permutation: Option<Vec<usize>> =
                target.iter().map(|&letter| at(&order, letter)).collect();
            let permutation = permutation.ok_or("its equation is not understood")?;
            return Ok(cx.transpose(value, &permutation));
        }
    }
    let mut loops: Vec<char> = target.clone();
    loops.extend(sizes.keys().filter(|letter| !target.contains(letter)));
    let n = loops.len();
    let place = |letter: &char| loops.iter().position(|other| other == letter).unwrap_or(0);
    let result: Vec<Dim> = target.iter().map(|letter| sizes[letter]).collect();
    let mut inputs = Vec::new();
    for (list, &operand) in lists.iter().zip(&operands) {
        let source = cx.signless(operand);
        let places: Vec<usize> = list.iter().map(place).collect();
        inputs.push((source, projection(n, &places)));
    }
    let zero = cx.scalar(ty, 0.0);
    let out = cx.empty(&result, ty);
    let out = fill(&mut cx.b, zero, out);
    let parallel: Vec<bool> = (0..n).map(|dim| dim < target.len()).collect();
    let (multiply, add) = (cx.fold_op(Fold::Mul, ty), cx.fold_op(Fold::Add, ty));
    let n_inputs = inputs.len();
    let outputs = vec![(out, projection(n, &(0..target.len()).collect::<Vec<_>>()))];
    let generic = Generic {
        inputs,
        outputs,
        parallel: &parallel,
    };
    let value = generic.build(&mut cx.b, &mut |b, x| {
        let ty = b.ir.value_type(x[0]);
        let mut product = x[0];
        for &factor in &x[1..n_inputs] {
            product = b.value(multiply, &[product, factor], ty);
        }
        vec![b.value(add, &[x[n_inputs], product], ty)]
    })[0];
    let value = cx.sized(value, &result);
    Ok(cx.with_element(value, ty))
}

fn q_linear_matmul(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (x, y) = (n.x(0)?, n.x(3)?);
    let sums = integer_matmul(cx, [x, y], [n.opt(2), n.opt(5)])?;
    let scale = |cx: &mut Cx<'_>, value: Value, by_rows: bool| {
        let value = cx.convert(value, Type::F32)?;
        let value = super::quantization::as_parameter(cx, value)?;
        match cx.rank(value) == 1 && by_rows {
            true => cx.unsqueeze(value, &[1]),
            false => Ok(value),
        }
    };
    let (p, q) = (scale(cx, n.x(1)?, true)?, scale(cx, n.x(4)?, false)?);
    let sums = cx.convert(sums, Type::F32)?;
    let terms = [("x", sums.into()), ("p", p.into()), ("q", q.into())];
    let real = cx.formula("x * (p * q)", &terms)?;
    let (step, zero) = (n.x(6)?, n.x(7)?);
    let ty = cx.element(zero);
    let step = cx.convert(step, Type::F32)?;
    let step = super::quantization::as_parameter(cx, step)?;
    Ok(vec![quantize(cx, real, step, Some(zero), ty)?])
}

/// The determinant of square matrices, by elimination with pivots.
fn det(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    use crate::rewrite::formula::{F, choose, repeat, x};
    let value = n.x(0)?;
    let dims = cx.dims(value);
    if dims.len() < 2 {
        return Err("its operand is no matrix".into());
    }
    let (outer, size) = (&dims[..dims.len() - 2], dims[dims.len() - 1]);
    let ty = cx.element(value);
    let source = cx.signless(value);
    let out = cx.empty(outer, ty);
    let work = cx.empty(&[size, size], ty);
    let one = cx.scalar(ty, 1.0);
    let element = cx.element(source);
    let results = crate::rewrite::formula::nest(&mut cx.b, outer, &[out], &mut |b, at, carried| {
        let all = carried[0];
        // The matrix, to be eliminated in place.
        let matrix = repeat(b, 0, size, &[work], |b, i, carried| {
            repeat(b, 0, size, carried, |b, j, carried| {
                let mut indices: Vec<F> = at.iter().map(|&index| x(index)).collect();
                indices.extend([x(i), x(j)]);
                let number = F::Element(source, indices).build(b);
                vec![crate::rewrite::formula::set(
                    b,
                    carried[0],
                    [x(i), x(j)],
                    number,
                )]
            })
        })[0];
        let results = repeat(b, 0, size, &[matrix, one], |b, k, carried| {
            let (matrix, product) = (carried[0], carried[1]);
            let pivot = repeat(b, x(k) + 1, size, &[k], |b, i, best| {
                let here = F::Element(matrix, vec![x(i), x(k)]).abs();
                let there = F::Element(matrix, vec![x(best[0]), x(k)]).abs();
                vec![here.greater(there).select(i, best[0]).build(b)]
            })[0];
            let swapped = repeat(b, 0, size, &[matrix], |b, j, carried| {
                let (p, q) = ([x(k), x(j)], [x(pivot), x(j)]);
                let first = F::Element(carried[0], p.to_vec()).build(b);
                let second = F::Element(carried[0], q.to_vec()).build(b);
                let one = crate::rewrite::formula::set(b, carried[0], p, second);
                vec![crate::rewrite::formula::set(b, one, q, first)]
            })[0];
            let head = F::Element(swapped, vec![x(k), x(k)]).build(b);
            let negative = b.value(&arith::NEGF, &[head], element);
            let factor = x(pivot).equal(k).select(head, negative).build(b);
            let product = b.value(&arith::MULF, &[product, factor], element);
            let is_zero = x(head).equal(F::from(0.0));
            let ty = b.ir.value_type(swapped);
            let matrix = choose(
                b,
                is_zero,
                &[ty],
                |_| vec![swapped],
                |b| {
                    repeat(b, x(k) + 1, size, &[swapped], |b, i, carried| {
                        let row = F::Element(carried[0], vec![x(i), x(k)]).build(b);
                        let ratio = (x(row) / head).build(b);
                        repeat(b, x(k), size, carried, |b, j, carried| {
                            let here = F::Element(carried[0], vec![x(i), x(j)]);
                            let there = F::Element(carried[0], vec![x(k), x(j)]);
                            let number = here - there * ratio;
                            vec![crate::rewrite::formula::set(
                                b,
                                carried[0],
                                [x(i), x(j)],
                                number,
                            )]
                        })
                    })
                },
            )[0];
            vec![matrix, product]
        });
        let operands = [&[results[1], all], at].concat();
        let ty = b.ir.value_type(all);
        vec![b.value(&freehold_frontend::dialects::tensor::INSERT, &operands, ty)]
    });
    let result = cx.sized(results[0], outer);
    Ok(vec![cx.with_element(result, ty)])
}
