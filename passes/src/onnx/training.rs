//! Steps of optimizers: `Adagrad`, `Adam` and `Momentum` of the domain `ai.onnx.preview.training`.

use freehold_frontend::ir::entities::Value;

use super::expressions::Term;
use super::graph::Cx;
use super::microsoft::CustomRow;
use super::node::{Lowered, Node, Refused};

const TRAINING: &str = "ai.onnx.preview.training";

pub(super) const ROWS: &[CustomRow] = &[
    (TRAINING, "Adagrad", |cx, n| {
        each(cx, n, 3, |cx, n, [rate, count], all| {
            let mut terms = terms(n, &[("d", "decay_factor", 0.0), ("e", "epsilon", 1e-6)]);
            terms.extend([("r", rate.into()), ("t", count.into())]);
            let gradient = regularized(cx, n, all)?;
            terms.extend([
                ("x", all[0].into()),
                ("g", gradient.into()),
                ("h", all[2].into()),
            ]);
            let sum = cx.formula("h + g * g", &terms)?;
            terms.push(("s", sum.into()));
            let new = cx.formula("x - r / (1 + t * d) * g / (sqrt(s) + e)", &terms)?;
            Ok(vec![new, sum])
        })
    }),
    (TRAINING, "Adam", |cx, n| {
        each(cx, n, 4, |cx, n, [rate, count], all| {
            let mut terms = terms(
                n,
                &[
                    ("a", "alpha", 0.9),
                    ("b", "beta", 0.999),
                    ("e", "epsilon", 1e-6),
                    ("p", "norm_coefficient_post", 0.0),
                ],
            );
            terms.extend([("r", rate.into()), ("t", count.into())]);
            let gradient = regularized(cx, n, all)?;
            terms.extend([("x", all[0].into()), ("g", gradient.into())]);
            terms.extend([("v", all[2].into()), ("h", all[3].into())]);
            let mean = cx.formula("a * v + (1 - a) * g", &terms)?;
            let square = cx.formula("b * h + (1 - b) * g * g", &terms)?;
            let text = "select(t > 0, r * sqrt(1 - pow(b, t)) / (1 - pow(a, t)), r)";
            let rate = cx.formula(text, &terms)?;
            terms.extend([("m", mean.into()), ("s", square.into()), ("q", rate.into())]);
            let new = cx.formula("(1 - p) * (x - q * m / (sqrt(s) + e))", &terms)?;
            Ok(vec![new, mean, square])
        })
    }),
    (TRAINING, "Momentum", |cx, n| {
        let is_nesterov = n.text("mode", "standard") == "nesterov";
        each(cx, n, 3, |cx, n, [rate, count], all| {
            let mut terms = terms(n, &[("a", "alpha", 0.0), ("b", "beta", 0.0)]);
            terms.extend([("r", rate.into()), ("t", count.into())]);
            let gradient = regularized(cx, n, all)?;
            terms.extend([
                ("x", all[0].into()),
                ("g", gradient.into()),
                ("v", all[2].into()),
            ]);
            let factor = cx.formula("select(t > 0, t * 0 + b, t * 0 + 1)", &terms)?;
            terms.push(("f", factor.into()));
            let mean = cx.formula("a * v + f * g", &terms)?;
            terms.push(("m", mean.into()));
            let text = match is_nesterov {
                true => "x - r * (g + a * m)",
                false => "x - r * m",
            };
            Ok(vec![cx.formula(text, &terms)?, mean])
        })
    }),
];

/// Attributes as terms of a formula.
fn terms(n: &Node, all: &[(&'static str, &str, f64)]) -> Vec<(&'static str, Term)> {
    // The first tensor of a formula says what its numbers are, so tensors may follow.
    all.iter()
        .map(|&(term, name, default)| (term, n.float(name, default).into()))
        .collect()
}

/// The gradient with that of the norm.
fn regularized(cx: &mut Cx<'_>, n: &Node, all: &[Value]) -> Result<Value, Refused> {
    let factor = n.float("norm_coefficient", 0.0);
    let terms = [
        ("x", all[0].into()),
        ("g", all[1].into()),
        ("n", factor.into()),
    ];
    cx.formula("n * x + g", &terms)
}

/// Operands are the rate, the number of steps, and lists of tensors, gradients and what steps leave behind. `step` makes
/// new values for one tensor, of the rate, the number of steps, and what belongs to the tensor.
fn each(
    cx: &mut Cx<'_>,
    n: &Node,
    n_lists: usize,
    step: impl Fn(&mut Cx<'_>, &Node, [Value; 2], &[Value]) -> Lowered,
) -> Lowered {
    let all = n.all();
    let rest = all.len().saturating_sub(2);
    if rest == 0 || !rest.is_multiple_of(n_lists) {
        return Err("its tensors have not as many gradients".into());
    }
    let count = rest / n_lists;
    let mut results = vec![Vec::new(); n_lists - 1];
    for i in 0..count {
        let own: Vec<Value> = (0..n_lists).map(|list| all[2 + list * count + i]).collect();
        let ty = cx.element(own[0]);
        let mut scalars = [all[0], all[1]];
        for scalar in &mut scalars {
            let wide = cx.convert(*scalar, ty)?;
            *scalar = cx.reshape(wide, &[])?;
        }
        for (list, value) in step(cx, n, scalars, &own)?.into_iter().enumerate() {
            results[list].push(value);
        }
    }
    Ok(results.concat())
}
