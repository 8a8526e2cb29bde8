//! `TfIdfVectorizer` of integers: how often each n-gram of a pool occurs in each row.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;
use indexmap::IndexMap;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::Cx;
use super::node::{Lowered, Node, Refused};
use super::sizes::c;
use crate::rewrite::formula::{F, repeat, set, x};
use crate::rewrite::tensors::extract;

pub(super) const ROWS: &[Row] = &[(&onnx::TF_IDF_VECTORIZER, vectorizer)];

/// The n-grams of one length, and where in the result they are counted.
struct Grams {
    length: usize,
    all: Vec<i64>,
    places: Vec<i64>,
}

/// The n-grams of the lengths that count, by length.
fn pool(n: &Node, lengths: std::ops::RangeInclusive<i64>) -> Result<Vec<Grams>, Refused> {
    if n.has("pool_strings") {
        return Err("strings are not computed with".into());
    }
    let all = n.ints("pool_int64s").ok_or("it has no pool")?;
    let starts = n.ints("ngram_counts").ok_or("it has no 'ngram_counts'")?;
    let places = n.ints("ngram_indexes").ok_or("it has no 'ngram_indexes'")?;
    let mut grams = Vec::new();
    let mut number = 0;
    for (i, &start) in starts.iter().enumerate() {
        let length = i + 1;
        let end = starts.get(i + 1).copied().unwrap_or(all.len() as i64);
        let part = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let part = part.and_then(|(start, end)| all.get(start..end));
        let part = part.ok_or("its 'ngram_counts' do not fit its pool")?;
        // Of equal ones the last counts.
        let mut found: IndexMap<&[i64], i64> = IndexMap::new();
        for gram in part.chunks_exact(length) {
            let place = places.get(number).copied();
            found.insert(gram, place.ok_or("its 'ngram_indexes' are too few")?);
            number += 1;
        }
        if lengths.contains(&(length as i64)) && !found.is_empty() {
            grams.push(Grams {
                length,
                all: found.keys().copied().flatten().copied().collect(),
                places: found.values().copied().collect(),
            });
        }
    }
    Ok(grams)
}

fn vectorizer(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (least, most) = (n.int("min_gram_length", 1), n.int("max_gram_length", 1));
    let skips = n.int("max_skip_count", 0) + 1;
    let places = n.ints("ngram_indexes").unwrap_or_default();
    let width = places.iter().max().map_or(0, |most| most + 1);
    if width < 1 || places.iter().any(|&place| place < 0) || least < 1 {
        return Err("its 'ngram_indexes' or lengths are not well-formed".into());
    }
    let grams = pool(n, least..=most)?;
    let value = cx.convert(n.x(0)?, Type::I64)?;
    let dims = cx.dims(value);
    let [rows, length] = match dims[..] {
        [] => [c(1), c(1)],
        [length] => [c(1), length],
        [rows, length] => [rows, length],
        _ => return Err("its operand has more than 2 dimensions".into()),
    };
    let value = cx.reshape(value, &[rows, length])?;
    let zero = cx.scalar(Type::F32, 0.0);
    let one = cx.scalar(Type::F32, 1.0);
    let mut counts = cx.filled(&[rows, c(width)], zero, Type::F32);
    for gram in &grams {
        let count = gram.places.len() as i64;
        let all = cx.integers(&[count, gram.length as i64], &gram.all);
        let places = cx.integers(&[count], &gram.places);
        let size = gram.length as i64;
        // Skips make no difference to a single one.
        let steps = if size == 1 { 1 } else { skips };
        let end = cx.v(rows);
        let body = |b: &mut Builder<'_>, row: Value, i: Value, counts: Value| {
            let found = repeat(b, 1, steps + 1, &[zero], |b, step, carried| {
                let reach = x(step) * (size - 1);
                let end = (F::from(length) - reach).max(0);
                repeat(b, 0, end, carried, |b, start, carried| {
                    let mut is_equal = None;
                    for j in 0..size {
                        let at = (x(step) * j + start).build(b);
                        let j = arith::constant_index(b, j);
                        let (number, other) =
                            (extract(b, value, &[row, at]), extract(b, all, &[i, j]));
                        let equal = x(number).equal(x(other));
                        is_equal = Some(match is_equal {
                            None => equal,
                            Some(before) => equal.and(before),
                        });
                    }
                    let hit =
                        is_equal.map_or_else(|| x(zero), |equal| equal.select(x(one), x(zero)));
                    vec![(x(carried[0]) + hit).build(b)]
                })
            })[0];
            let place = extract(b, places, &[i]);
            let place = b.value(&arith::INDEX_CAST, &[place], Type::INDEX);
            let old = extract(b, counts, &[row, place]);
            set(b, counts, [x(row), x(place)], x(old) + found)
        };
        counts = repeat(&mut cx.b, 0, x(end), &[counts], |b, row, carried| {
            repeat(b, 0, count, carried, |b, i, carried| {
                vec![body(b, row, i, carried[0])]
            })
        })[0];
        counts = cx.sized(counts, &[rows, c(width)]);
    }
    let weights = match n.floats("weights") {
        Some(weights) if !weights.is_empty() && weights.len() as i64 != width => {
            return Err("its weights are not as many as its results".into());
        }
        Some(weights) if !weights.is_empty() => cx.numbers(&[width], Type::F32, &weights),
        _ => cx.lit(Type::F32, 1.0),
    };
    let text = match n.text("mode", "").as_str() {
        "TF" => "x",
        "IDF" => "select(x > 0, w, w * 0)",
        "TFIDF" => "x * w",
        other => return Err(format!("mode '{other}' is not known").into()),
    };
    let result = cx.formula(text, &[("x", counts.into()), ("w", weights.into())])?;
    match dims.len() {
        2 => Ok(vec![cx.as_sized(result, &[rows, c(width)])]),
        _ => Ok(vec![cx.reshape(result, &[c(width)])?]),
    }
}
