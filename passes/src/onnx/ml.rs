//! Operators of the domain `ai.onnx.ml`, of numbers alone: features, linear models, and labels that are integers.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::graph::{Cx, Fold};
use super::microsoft::CustomRow;
use super::node::{Lowered, Node, Refused};
use super::reductions::{arg_extremum, softmax};
use super::sizes::{Dim, c};
use super::trees;
use crate::rewrite::formula::{repeat, x};
use crate::rewrite::tensors::extract;

pub(super) const ML: &str = "ai.onnx.ml";

pub(super) const ROWS: &[CustomRow] = &[
    (ML, "ArrayFeatureExtractor", |cx, n| {
        let (value, places) = (n.x(0)?, n.x(1)?);
        let dims = cx.dims(value);
        let last = dims.len().checked_sub(1).ok_or("its operand is a scalar")?;
        let count = cx.dims(places);
        let count = cx.product(&count);
        let places = cx.reshape(places, &[count])?;
        let mut to = dims;
        to[last] = count;
        if to.len() == 1 {
            to.insert(0, c(1));
        }
        Ok(vec![cx.pick(value, &to, &mut |b, index| {
            let at = index.len() - 1;
            let number = extract(b, places, &[index[at]]);
            let place = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
            [&index[at - last..at], &[place]].concat()
        })])
    }),
    (ML, "Binarizer", |cx, n| {
        let (value, threshold) = (n.x(0)?, n.float("threshold", 0.0));
        let terms = [("x", value.into()), ("t", threshold.into())];
        let over = cx.formula("x > t", &terms)?;
        let ty = cx.element(value);
        Ok(vec![cx.convert(over, ty)?])
    }),
    (ML, "FeatureVectorizer", feature_vectorizer),
    (ML, "Imputer", imputer),
    (ML, "LabelEncoder", label_encoder),
    (ML, "LinearClassifier", linear_classifier),
    (ML, "LinearRegressor", |cx, n| {
        let targets = n.int("targets", 1);
        let scores = linear(cx, n, targets)?;
        Ok(vec![post_transform(cx, n, scores)?])
    }),
    (ML, "Normalizer", |cx, n| {
        let value = cx.convert(n.x(0)?, Type::F32)?;
        let last = cx
            .rank(value)
            .checked_sub(1)
            .ok_or("its operand is a scalar")?;
        let (parts, fold, after) = match n.text("norm", "MAX").as_str() {
            "L1" => ("abs(x)", Fold::Add, "x"),
            "L2" => ("x * x", Fold::Add, "sqrt(x)"),
            _ => ("x", Fold::Max, "x"),
        };
        let parts = cx.formula(parts, &[("x", value.into())])?;
        let norm = cx.reduce_kept(parts, fold, &[last])?;
        let norm = cx.formula(after, &[("x", norm.into())])?;
        let terms = [("x", value.into()), ("n", norm.into())];
        Ok(vec![cx.formula("x / select(n == 0, 1, n)", &terms)?])
    }),
    (ML, "OneHotEncoder", one_hot_encoder),
    (ML, "Scaler", |cx, n| {
        let mut value = cx.convert(n.x(0)?, Type::F32)?;
        for (name, def) in [("offset", &sh::SUBTRACT), ("scale", &sh::MULTIPLY)] {
            if let Some(numbers) = n.floats(name) {
                let length = numbers.len() as i64;
                let vector = cx.numbers(&[length], Type::F32, &numbers);
                value = cx.ew(def, &[value, vector])?;
            }
        }
        Ok(vec![value])
    }),
    (ML, "SVMRegressor", svm_regressor),
    (ML, "TreeEnsemble", trees::ensemble),
    (ML, "TreeEnsembleClassifier", trees::classifier),
    (ML, "TreeEnsembleRegressor", trees::regressor),
];

/// What operators of this domain make of scores `[rows, columns]` at the end.
pub(super) fn post_transform(cx: &mut Cx<'_>, n: &Node, scores: Value) -> Result<Value, Refused> {
    let name = match n.opt_int("post_transform") {
        Some(number) => ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]
            .get(usize::try_from(number).unwrap_or(usize::MAX))
            .copied()
            .unwrap_or("?")
            .to_owned(),
        None => n.text("post_transform", "NONE"),
    };
    let last = cx.rank(scores) - 1;
    let terms = [("x", scores.into())];
    match name.as_str() {
        "NONE" => Ok(scores),
        "LOGISTIC" => cx.formula("logistic(x)", &terms),
        "SOFTMAX" => softmax(cx, scores, &[last], false),
        "SOFTMAX_ZERO" => {
            let most = cx.reduce_kept(scores, Fold::Max, &[last])?;
            let terms = [("x", scores.into()), ("m", most.into())];
            let text = "select(abs(x) > 0.0000001, exp(x - m), x * exp(-m))";
            let powers = cx.formula(text, &terms)?;
            let sum = cx.reduce_kept(powers, Fold::Add, &[last])?;
            let terms = [("x", powers.into()), ("s", sum.into())];
            cx.formula("select(s == 0, 0.5, x / select(s == 0, 1, s))", &terms)
        }
        // The inverse of the normal distribution as onnxruntime and the reference have it: an approximation.
        "PROBIT" => {
            let y = cx.formula("2 * x - 1", &terms)?;
            let log = cx.formula("log((1 - y) * (1 + y))", &[("y", y.into())])?;
            let half = cx.formula("4.330746750799873 + 0.5 * l", &[("l", log.into())])?;
            let terms = [("v", half.into()), ("l", log.into()), ("y", y.into())];
            let text = "1.41421356 * sqrt(sqrt(v * v - l / 0.147) - v)";
            let size = cx.formula(text, &terms)?;
            let terms = [("s", size.into()), ("y", y.into())];
            cx.formula("select(y < 0, -s, s)", &terms)
        }
        other => Err(format!("post_transform '{other}' is not known").into()),
    }
}

/// The rows of an operand times coefficients, plus intercepts, in f32.
fn linear(cx: &mut Cx<'_>, n: &Node, targets: i64) -> Result<Value, Refused> {
    let value = cx.convert(n.x(0)?, Type::F32)?;
    let value = match cx.rank(value) {
        1 => cx.unsqueeze(value, &[0])?,
        2 => value,
        _ => return Err("its operand has not 1 or 2 dimensions".into()),
    };
    let coefficients = n.floats("coefficients").ok_or("it has no coefficients")?;
    let features = coefficients.len() as i64 / targets.max(1);
    if targets < 1 || features * targets != coefficients.len() as i64 {
        return Err("its coefficients are not as many as its targets need".into());
    }
    let weights = cx.numbers(&[targets, features], Type::F32, &coefficients);
    let scores = cx.dot(value, weights, [&[], &[]], [&[1], &[1]], Type::F32);
    match n.floats("intercepts") {
        Some(numbers) if !numbers.is_empty() => {
            let bias = cx.numbers(&[numbers.len() as i64], Type::F32, &numbers);
            cx.ew(&sh::ADD, &[scores, bias])
        }
        _ => Ok(scores),
    }
}

/// What a support vector machine computes of rows: kernels of all vectors times coefficients.
fn svm_regressor(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = cx.convert(n.x(0)?, Type::F32)?;
    let [_, features] = cx.dims(value)[..] else {
        return Err("its operand has not 2 dimensions".into());
    };
    let coefficients = n.floats("coefficients").unwrap_or_default();
    let vectors = n.floats("support_vectors").unwrap_or_default();
    let count = n.int("n_supports", 0);
    let (count, kernel) = match count {
        0 => (coefficients.len() as i64, "LINEAR".to_owned()),
        count => (count, n.text("kernel_type", "LINEAR")),
    };
    let rho = n.floats("rho").and_then(|all| all.first().copied());
    let (Some(rho), true) = (rho, count == coefficients.len() as i64 && count > 0) else {
        return Err("its coefficients or 'rho' are not as many as its vectors".into());
    };
    let is_plain = n.int("n_supports", 0) == 0;
    let width = if is_plain {
        count
    } else {
        vectors.len() as i64 / count
    };
    if features != c(width) && features.static_value() >= 0
        || !is_plain && width * count != vectors.len() as i64
        || n.text("post_transform", "NONE") != "NONE"
    {
        return Err("its vectors do not fit its operand, or it transforms its result".into());
    }
    let numbers = n.floats("kernel_params").unwrap_or_default();
    let number = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
    let weights = cx.numbers(&[1, count], Type::F32, &coefficients);
    let kernels = match is_plain {
        true => value,
        false => {
            let vectors = cx.numbers(&[count, width], Type::F32, &vectors);
            let of_two = match kernel.as_str() {
                "RBF" => {
                    let (x, y) = (cx.unsqueeze(value, &[1])?, cx.unsqueeze(vectors, &[0])?);
                    let terms = [("x", x.into()), ("y", y.into())];
                    let squares = cx.formula("(x - y) * (x - y)", &terms)?;
                    cx.reduce(squares, Fold::Add, &[2])
                }
                _ => cx.dot(value, vectors, [&[], &[]], [&[1], &[1]], Type::F32),
            };
            let text = match kernel.as_str() {
                "LINEAR" => "x",
                "POLY" => "pow(g * x + o, d)",
                "SIGMOID" => "tanh(g * x + o)",
                "RBF" => "exp(-g * x)",
                other => return Err(format!("kernel_type '{other}' is not known").into()),
            };
            let terms = [
                ("x", of_two.into()),
                ("g", number(0).into()),
                ("o", number(1).into()),
                ("d", number(2).into()),
            ];
            cx.formula(text, &terms)?
        }
    };
    let sums = cx.dot(kernels, weights, [&[], &[]], [&[1], &[1]], Type::F32);
    let text = match n.flag("one_class", false) {
        true => "select(x + r > 0, x * 0 + 1, x * 0 - 1)",
        false => "x + r",
    };
    Ok(vec![
        cx.formula(text, &[("x", sums.into()), ("r", rho.into())])?,
    ])
}

/// The labels of classes, which are integers.
pub(super) fn class_labels(n: &Node, name: &str) -> Result<Vec<i64>, Refused> {
    match n.ints(name) {
        Some(labels) if !labels.is_empty() => Ok(labels),
        _ => Err("its classes are strings".into()),
    }
}

/// The labels at places.
pub(super) fn labels_at(cx: &mut Cx<'_>, places: Value, labels: &[i64]) -> Value {
    let table = cx.integers(&[labels.len() as i64], labels);
    let dims = cx.dims(places);
    cx.pick(table, &dims, &mut |b, index| {
        let place = extract(b, places, index);
        vec![b.value(&arith::INDEX_CAST, &[place], Type::INDEX)]
    })
}

fn linear_classifier(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let labels = class_labels(n, "classlabels_ints")?;
    let intercepts = n.floats("intercepts").unwrap_or_default().len();
    let targets = if intercepts > 0 {
        intercepts
    } else {
        labels.len()
    } as i64;
    let scores = linear(cx, n, targets)?;
    if targets > 1 {
        let places = arg_extremum(cx, scores, 1, true, false)?;
        let classes = labels_at(cx, places, &labels);
        return Ok(vec![classes, post_transform(cx, n, scores)?]);
    }
    if labels.len() != 2 {
        return Err("one score for a class is not lowered".into());
    }
    let kind = n.text("post_transform", "NONE");
    let text = match kind.as_str() {
        "NONE" => ["1 - x", "x"],
        "LOGISTIC" => ["logistic(-x)", "logistic(x)"],
        other => {
            return Err(format!("one score with post_transform '{other}' is not lowered").into());
        }
    };
    let column = cx.squeeze(scores, &[1])?;
    let over = cx.formula("x > 0", &[("x", column.into())])?;
    let pair = labels.iter().map(|&label| cx.integers(&[], &[label]));
    let pair: Vec<Value> = pair.collect();
    let classes = cx.select(over, pair[1], pair[0])?;
    let mut columns = Vec::new();
    for text in text {
        columns.push(cx.formula(text, &[("x", scores.into())])?);
    }
    Ok(vec![classes, cx.concat(&columns, 1)?])
}

fn feature_vectorizer(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let sizes = n.ints("inputdimensions").unwrap_or_default();
    let mut parts = Vec::new();
    for (i, value) in n.all().into_iter().enumerate() {
        let mut value = cx.convert(value, Type::F32)?;
        if cx.rank(value) == 1 {
            value = cx.unsqueeze(value, &[0])?;
        }
        let [_, columns] = cx.dims(value)[..] else {
            return Err("an operand has not 1 or 2 dimensions".into());
        };
        match (sizes.get(i), columns) {
            (Some(&said), Dim::Constant(columns)) if said == columns => {}
            (Some(&said), Dim::Constant(columns)) if said < columns => {
                value = cx.part(value, 1, c(0), c(said));
            }
            (Some(&said), Dim::Constant(columns)) => {
                let zero = cx.scalar(Type::F32, 0.0);
                value = cx.pad(value, &[c(0), c(0)], &[c(0), c(said - columns)], zero);
            }
            _ => return Err("the sizes of its operands are known only at run time".into()),
        }
        parts.push(value);
    }
    Ok(vec![cx.concat(&parts, 1)?])
}

fn imputer(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let (numbers, replaced) = match cx.is_float_type(ty) {
        true => (
            n.floats("imputed_value_floats"),
            n.float("replaced_value_float", 0.0),
        ),
        false => {
            let numbers = n.ints("imputed_value_int64s");
            let numbers = numbers.map(|all| all.into_iter().map(|number| number as f64).collect());
            (numbers, n.int("replaced_value_int64", 0) as f64)
        }
    };
    let numbers = numbers
        .filter(|all| !all.is_empty())
        .ok_or("it has no values")?;
    let new = cx.numbers(&[numbers.len() as i64], ty, &numbers);
    let text = match replaced.is_nan() {
        true => "x != x",
        false => "x == r",
    };
    let terms = [("x", value.into()), ("r", replaced.into())];
    let missing = cx.formula(text, &terms)?;
    Ok(vec![cx.select(missing, new, value)?])
}

/// The numbers of an attribute that is a list or a tensor, with the type of its elements.
fn numbers(cx: &Cx<'_>, n: &Node, name: &str) -> Result<Option<(Vec<f64>, Type)>, Refused> {
    if n.has(&format!("{name}s_strings")) {
        return Err("strings are not computed with".into());
    }
    if let Some(all) = n.floats(&format!("{name}s_floats")) {
        return Ok(Some((all, Type::F32)));
    }
    if let Some(all) = n.ints(&format!("{name}s_int64s")) {
        let all: Vec<f64> = all.iter().map(|&number| number as f64).collect();
        return Ok(Some((all, Type::I64)));
    }
    let Some(attr) = n.raw(&format!("{name}s_tensor")) else {
        return Ok(None);
    };
    let numbers = cx.numbers_of(attr).ok_or("strings are not computed with")?;
    let context = cx.context();
    let ty = context
        .attr_carried_type(attr)
        .ok_or("a tensor has no type")?;
    Ok(Some((numbers, context.element_type_or_self(ty))))
}

/// Whether f64 has all of these numbers.
fn are_exact(all: &[f64], ty: Type) -> bool {
    ty != Type::I64 || all.iter().all(|number| number.abs() < (1i64 << 53) as f64)
}

fn label_encoder(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let (Some((keys, key_ty)), Some((labels, ty))) =
        (numbers(cx, n, "key")?, numbers(cx, n, "value")?)
    else {
        return Err("it has no keys and values of numbers".into());
    };
    if keys.len() != labels.len() || !are_exact(&keys, key_ty) || !are_exact(&labels, ty) {
        return Err("its keys and values are not as many, or too large".into());
    }
    let default = match n.raw("default_tensor") {
        Some(attr) => cx
            .numbers_of(attr)
            .and_then(|all| all.first().copied())
            .unwrap_or(0.0),
        None if cx.is_float_type(ty) => n.float("default_float", -0.0),
        None => n.int("default_int64", -1) as f64,
    };
    let count = keys.len() as i64;
    let has_nan = keys.iter().any(|key| key.is_nan());
    let keys = cx.numbers(&[count], key_ty, &keys);
    let labels = cx.numbers(&[count], ty, &labels);
    let (keys, labels) = (cx.signless(keys), cx.signless(labels));
    let value = cx.convert(value, key_ty)?;
    let source = cx.signless(value);
    let default = cx.scalar(ty, default);
    let dims = cx.dims(value);
    let result = cx.generate(&dims, ty, &mut |b, index| {
        let number = extract(b, source, index);
        // The last of several equal keys counts.
        repeat(b, 0, count, &[default], |b, i, carried| {
            let key = extract(b, keys, &[i]);
            let mut found = x(number).equal(x(key)).build(b);
            if has_nan {
                let nan = x(number).is(CmpIPredicate::Ne, x(number));
                let nan = nan.and(x(key).is(CmpIPredicate::Ne, x(key))).build(b);
                found = b.value(&arith::ORI, &[found, nan], Type::I1);
            }
            let label = extract(b, labels, &[i]);
            vec![x(found).select(x(label), x(carried[0])).build(b)]
        })[0]
    });
    Ok(vec![result])
}

fn one_hot_encoder(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let classes = n.ints("cats_int64s").filter(|all| !all.is_empty());
    let classes = classes.ok_or("its classes are strings")?;
    if !n.flag("zeros", true) {
        return Err("an error where a class is not known is not lowered".into());
    }
    let value = n.x(0)?;
    let value = match cx.is_float(value) {
        true => super::elementwise::cast(cx, n, value, Type::I64)?,
        false => cx.convert(value, Type::I64)?,
    };
    let rank = cx.rank(value);
    let value = cx.unsqueeze(value, &[rank])?;
    let table = cx.integers(&[classes.len() as i64], &classes);
    let terms = [("x", value.into()), ("t", table.into())];
    let found = cx.formula("x == t", &terms)?;
    Ok(vec![cx.convert(found, Type::F32)?])
}
