//! `LSTM`, `GRU` and `RNN`: a loop over time for each direction. `DynamicQuantizeLSTM` has weights of 8 bits, and
//! quantizes what it multiplies them with.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::expressions::Term;
use super::graph::Cx;
use super::node::{Lowered, Node, Refused};
use super::quantization::dynamic_range;
use super::sizes::{Dim, c};
use crate::rewrite::formula::x;
use crate::rewrite::tensors::extract;

pub(super) const ROWS: &[Row] = &[
    (&onnx::GRU, |cx, n| recurrent(cx, n, Cell::Gru)),
    (&onnx::LSTM, |cx, n| recurrent(cx, n, Cell::Lstm)),
    (&onnx::RNN, |cx, n| recurrent(cx, n, Cell::Rnn)),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Rnn,
    Gru,
    Lstm,
}

impl Cell {
    fn gates(self) -> i64 {
        match self {
            Self::Rnn => 1,
            Self::Gru => 3,
            Self::Lstm => 4,
        }
    }

    /// The functions of one direction, if the model does not say.
    fn functions(self) -> &'static [&'static str] {
        match self {
            Self::Rnn => &["Tanh"],
            Self::Gru => &["Sigmoid", "Tanh"],
            Self::Lstm => &["Sigmoid", "Tanh", "Tanh"],
        }
    }
}

/// A function of gates.
pub(super) struct Function {
    text: &'static str,
    alpha: f64,
    beta: f64,
}

pub(super) fn function(
    name: &str,
    alpha: Option<f64>,
    beta: Option<f64>,
) -> Result<Function, Refused> {
    let (text, a, b) = match name.to_ascii_lowercase().as_str() {
        "sigmoid" => ("logistic(x)", 0.0, 0.0),
        "tanh" => ("tanh(x)", 0.0, 0.0),
        "relu" => ("max(x, 0)", 0.0, 0.0),
        "affine" => ("a * x + b", 1.0, 0.0),
        "leakyrelu" => ("select(x < 0, a * x, x)", 0.01, 0.0),
        "thresholdedrelu" => ("select(x > a, x, x * 0)", 1.0, 0.0),
        "scaledtanh" => ("a * tanh(b * x)", 1.0, 1.0),
        "hardsigmoid" => ("max(min(a * x + b, 1), 0)", 0.2, 0.5),
        "elu" => ("select(x < 0, a * expm1(x), x)", 1.0, 0.0),
        "softsign" => ("x / (1 + abs(x))", 0.0, 0.0),
        "softplus" => ("max(x, 0) + log1p(exp(-abs(x)))", 0.0, 0.0),
        _ => return Err(format!("activation '{name}' is not known").into()),
    };
    Ok(Function {
        text,
        alpha: alpha.unwrap_or(a),
        beta: beta.unwrap_or(b),
    })
}

impl Function {
    pub(super) fn apply(&self, cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
        let terms: [(&str, Term); 3] = [
            ("x", value.into()),
            ("a", self.alpha.into()),
            ("b", self.beta.into()),
        ];
        cx.formula(self.text, &terms)
    }
}

/// Weights, gates by inputs.
struct Weights {
    value: Value,
    /// The scale of quantized ones, which are inputs by gates, without their zero point.
    scale: Option<Value>,
}

impl Weights {
    fn whole(value: Value) -> Self {
        Self { value, scale: None }
    }

    /// The products of the last dimension of a value with weights.
    fn times(&self, cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
        let (ty, last) = (cx.element(value), cx.rank(value) - 1);
        let Some(scale) = self.scale else {
            return Ok(cx.dot(value, self.value, [&[], &[]], [&[last], &[1]], ty));
        };
        let (own_scale, own_zero) = dynamic_range(cx, value)?;
        let terms = [
            ("x", value.into()),
            ("s", own_scale.into()),
            ("z", own_zero.into()),
        ];
        let number = cx.formula("min(max(round(x / s) + z, 0), 255) - z", &terms)?;
        // Integers below 256 in f32: products are exact, and sums of 258 of them are.
        let sums = cx.dot(number, self.value, [&[], &[]], [&[last], &[0]], ty);
        let terms = [
            ("x", sums.into()),
            ("s", own_scale.into()),
            ("t", scale.into()),
        ];
        cx.formula("x * (s * t)", &terms)
    }
}

/// The parts of one direction.
struct Direction {
    functions: Vec<Function>,
    of_input: Weights,
    of_state: Weights,
    bias: Option<[Value; 2]>,
    peepholes: Option<Value>,
    clip: Option<f64>,
    linear_before_reset: bool,
    input_forget: bool,
    size: Dim,
}

impl Direction {
    /// The products of the inputs of all steps with weights, and the bias: `[time, batch, gates]`.
    fn inputs(&self, cx: &mut Cx<'_>, cell: Cell, value: Value) -> Result<Value, Refused> {
        let product = self.of_input.times(cx, value)?;
        let Some([of_input, of_state]) = self.bias else {
            return Ok(product);
        };
        let sum = match (cell, self.linear_before_reset) {
            // The bias of the hidden gate of the state is reset as well.
            (Cell::Gru, true) => of_input,
            _ => cx.formula("x + y", &[("x", of_input.into()), ("y", of_state.into())])?,
        };
        cx.formula("x + y", &[("x", product.into()), ("y", sum.into())])
    }

    fn clipped(&self, cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
        match self.clip {
            Some(clip) => cx.formula(
                "max(min(x, c), -c)",
                &[("x", value.into()), ("c", clip.into())],
            ),
            None => Ok(value),
        }
    }

    fn apply(&self, cx: &mut Cx<'_>, index: usize, value: Value) -> Result<Value, Refused> {
        let value = self.clipped(cx, value)?;
        self.functions[index].apply(cx, value)
    }

    /// Gate number `index` of several that lie in a row.
    fn gate(&self, cx: &mut Cx<'_>, gates: Value, index: i64) -> Value {
        let at = cx.mul(self.size, c(index));
        let last = cx.rank(gates) - 1;
        cx.part(gates, last, at, self.size)
    }

    /// The state after a step.
    fn step(
        &self,
        cx: &mut Cx<'_>,
        cell: Cell,
        input: Value,
        state: &[Value],
    ) -> Result<Vec<Value>, Refused> {
        let hidden = state[0];
        match cell {
            Cell::Rnn => {
                let product = self.of_state.times(cx, hidden)?;
                let sum = cx.formula("x + y", &[("x", input.into()), ("y", product.into())])?;
                Ok(vec![self.apply(cx, 0, sum)?])
            }
            Cell::Gru => self.gru(cx, input, hidden),
            Cell::Lstm => self.lstm(cx, input, hidden, state[1]),
        }
    }

    fn gru(&self, cx: &mut Cx<'_>, input: Value, hidden: Value) -> Result<Vec<Value>, Refused> {
        let two = cx.mul(self.size, c(2));
        let first = cx.part(self.of_state.value, 0, c(0), two);
        let last = cx.part(self.of_state.value, 0, two, self.size);
        let (first, last) = (Weights::whole(first), Weights::whole(last));
        let product = first.times(cx, hidden)?;
        let outer = cx.part(input, 1, c(0), two);
        let mut sum = cx.formula("x + y", &[("x", outer.into()), ("y", product.into())])?;
        if let (true, Some([_, of_state])) = (self.linear_before_reset, self.bias) {
            let bias = cx.part(of_state, 0, c(0), two);
            sum = cx.formula("x + y", &[("x", sum.into()), ("y", bias.into())])?;
        }
        let gates = self.apply(cx, 0, sum)?;
        let (update, reset) = (self.gate(cx, gates, 0), self.gate(cx, gates, 1));
        let inner = self.gate(cx, input, 2);
        let part = if self.linear_before_reset {
            let mut product = last.times(cx, hidden)?;
            if let Some([_, of_state]) = self.bias {
                let bias = self.gate(cx, of_state, 2);
                product = cx.formula("x + y", &[("x", product.into()), ("y", bias.into())])?;
            }
            cx.formula("x * y", &[("x", reset.into()), ("y", product.into())])?
        } else {
            let kept = cx.formula("x * y", &[("x", reset.into()), ("y", hidden.into())])?;
            last.times(cx, kept)?
        };
        let sum = cx.formula("x + y", &[("x", inner.into()), ("y", part.into())])?;
        let new = self.apply(cx, 1, sum)?;
        let terms = [
            ("z", update.into()),
            ("h", hidden.into()),
            ("n", new.into()),
        ];
        Ok(vec![cx.formula("(1 - z) * n + z * h", &terms)?])
    }

    fn lstm(
        &self,
        cx: &mut Cx<'_>,
        input: Value,
        hidden: Value,
        cell: Value,
    ) -> Result<Vec<Value>, Refused> {
        let product = self.of_state.times(cx, hidden)?;
        let gates = cx.formula("x + y", &[("x", input.into()), ("y", product.into())])?;
        let peep = |cx: &mut Cx<'_>, gate: Value, cell: Value, index: i64| match self.peepholes {
            Some(weights) => {
                let weights = self.gate(cx, weights, index);
                let terms = [
                    ("x", gate.into()),
                    ("c", cell.into()),
                    ("w", weights.into()),
                ];
                cx.formula("x + w * c", &terms)
            }
            None => Ok(gate),
        };
        let [input, output, forget, new] = [0, 1, 2, 3].map(|i| self.gate(cx, gates, i));
        let input = peep(cx, input, cell, 0)?;
        let input = self.apply(cx, 0, input)?;
        let forget = match self.input_forget {
            true => cx.formula("1 - x", &[("x", input.into())])?,
            false => {
                let forget = peep(cx, forget, cell, 2)?;
                self.apply(cx, 0, forget)?
            }
        };
        let new = self.apply(cx, 1, new)?;
        let terms = [
            ("f", forget.into()),
            ("c", cell.into()),
            ("i", input.into()),
            ("n", new.into()),
        ];
        let cell = cx.formula("f * c + i * n", &terms)?;
        let output = peep(cx, output, cell, 1)?;
        let output = self.apply(cx, 0, output)?;
        let shown = self.functions[2].apply(cx, cell)?;
        let hidden = cx.formula("x * y", &[("x", output.into()), ("y", shown.into())])?;
        Ok(vec![hidden, cell])
    }
}

/// One of several along the first dimension, without it.
fn first_of(cx: &mut Cx<'_>, value: Value, index: usize) -> Result<Value, Refused> {
    let part = cx.part(value, 0, c(index as i64), c(1));
    cx.squeeze(part, &[0])
}

/// Weights of one direction, of an LSTM with quantized ones whose scale is operand number `scale`.
fn quantized_weights(
    cx: &mut Cx<'_>,
    n: &Node,
    [weights, scale]: [usize; 2],
    index: usize,
) -> Result<Weights, Refused> {
    // One scale and zero point for all gates, or one for each.
    let ty = cx.element(n.x(0)?);
    let value = first_of(cx, n.x(weights)?, index)?;
    let zero = first_of(cx, n.x(scale + 1)?, index)?;
    let (value, zero) = (cx.convert(value, ty)?, cx.convert(zero, ty)?);
    Ok(Weights {
        value: cx.ew(&sh::SUBTRACT, &[value, zero])?,
        scale: Some(first_of(cx, n.x(scale)?, index)?),
    })
}

/// `DynamicQuantizeLSTM` of the domain `com.microsoft`.
pub(super) fn dynamic_quantize_lstm(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    recurrent(cx, n, Cell::Lstm)
}

fn recurrent(cx: &mut Cx<'_>, n: &Node, cell: Cell) -> Lowered {
    let is_quantized = n.opt(8).is_some();
    let directions: Vec<bool> = match n.text("direction", "forward").as_str() {
        "forward" => vec![false],
        "reverse" => vec![true],
        _ => vec![false, true],
    };
    let batch_first = n.flag("layout", false);
    let mut value = n.x(0)?;
    let weights = n.x(2)?;
    if cx.rank(value) != 3 || cx.rank(weights) != 3 {
        return Err("its operand and weights have not 3 dimensions".into());
    }
    if batch_first {
        value = cx.transpose(value, &[1, 0, 2]);
    }
    let ty = cx.element(value);
    let [time, batch, _] = cx.dims(value)[..] else {
        return Err("its operand has not 3 dimensions".into());
    };
    let size = cx.dim(weights, if is_quantized { 1 } else { 2 });
    let size = match (size, n.opt_int("hidden_size")) {
        (Dim::Value(_), Some(said)) => c(said),
        (size, _) => size,
    };
    let names = n.texts("activations");
    let (alphas, betas) = (n.floats("activation_alpha"), n.floats("activation_beta"));
    let n_functions = cell.functions().len();
    let mut sequences = Vec::new();
    let mut finals: [Vec<Value>; 2] = [Vec::new(), Vec::new()];
    let lengths = n.opt(4);
    // Activations take the numbers that they need, in order.
    let (mut next_alpha, mut next_beta) = (0, 0);
    for (i, &backwards) in directions.iter().enumerate() {
        let mut functions = Vec::new();
        for f in 0..n_functions {
            let name = match &names {
                Some(names) => names
                    .get(i * n_functions + f)
                    .ok_or("it has too few activations")?,
                None => cell.functions()[f],
            };
            let lower = name.to_ascii_lowercase();
            let takes_alpha = [
                "affine",
                "leakyrelu",
                "thresholdedrelu",
                "scaledtanh",
                "hardsigmoid",
                "elu",
            ];
            let takes_beta = ["affine", "scaledtanh", "hardsigmoid"];
            let take = |takes: bool, all: &Option<Vec<f64>>, next: &mut usize| {
                let number = all.as_ref().filter(|_| takes)?.get(*next).copied();
                *next += 1;
                number
            };
            let alpha = take(
                takes_alpha.contains(&lower.as_str()),
                &alphas,
                &mut next_alpha,
            );
            let beta = take(takes_beta.contains(&lower.as_str()), &betas, &mut next_beta);
            functions.push(function(name, alpha, beta)?);
        }
        let bias = match n.opt(3) {
            Some(bias) => {
                let bias = first_of(cx, bias, i)?;
                let half = cx.mul(size, c(cell.gates()));
                Some([cx.part(bias, 0, c(0), half), cx.part(bias, 0, half, half)])
            }
            None => None,
        };
        let peepholes = match (cell, n.opt(7)) {
            (Cell::Lstm, Some(all)) => Some(first_of(cx, all, i)?),
            _ => None,
        };
        let (of_input, of_state) = match is_quantized {
            true => (
                quantized_weights(cx, n, [1, 8], i)?,
                quantized_weights(cx, n, [2, 10], i)?,
            ),
            false => (
                Weights::whole(first_of(cx, n.x(1)?, i)?),
                Weights::whole(first_of(cx, weights, i)?),
            ),
        };
        let direction = Direction {
            functions,
            of_input,
            of_state,
            bias,
            peepholes,
            clip: n.opt_float("clip"),
            linear_before_reset: n.flag("linear_before_reset", false),
            input_forget: n.flag("input_forget", false),
            size,
        };
        let mut state = Vec::new();
        let n_state = if cell == Cell::Lstm { 2 } else { 1 };
        for s in 0..n_state {
            state.push(match n.opt(5 + s) {
                Some(all) => {
                    let all = if batch_first {
                        cx.transpose(all, &[1, 0, 2])
                    } else {
                        all
                    };
                    let first = first_of(cx, all, i)?;
                    cx.as_sized(first, &[batch, size])
                }
                None => {
                    let zero = cx.scalar(ty, 0.0);
                    cx.filled(&[batch, size], zero, ty)
                }
            });
        }
        let inputs = direction.inputs(cx, cell, value)?;
        let [finished, rows] = cx.counted_loop(time, &state, &[], &mut |cx, number, carried| {
            // Steps are mostly taken of one sequence.
            cx.scope.few_rows = true;
            // Backwards, each batch begins at its own end.
            let row = match (backwards, lengths) {
                (false, _) => {
                    let row = cx.part(inputs, 0, number.into(), c(1));
                    cx.squeeze(row, &[0])?
                }
                (true, None) => {
                    let last = cx.sub(time, c(1));
                    let at = cx.sub(last, number.into());
                    let row = cx.part(inputs, 0, at, c(1));
                    cx.squeeze(row, &[0])?
                }
                (true, Some(lengths)) => {
                    let dims = cx.dims(inputs)[1..].to_vec();
                    cx.pick(inputs, &dims, &mut |b, index| {
                        let length = extract(b, lengths, &[index[0]]);
                        let length = b.value(&arith::INDEX_CAST, &[length], Type::INDEX);
                        let at = (x(length) - 1 - number).max(0).build(b);
                        vec![at, index[0], index[1]]
                    })
                }
            };
            let mut next = direction.step(cx, cell, row, carried)?;
            for value in &mut next {
                *value = cx.as_sized(*value, &[batch, size]);
            }
            let mut shown = next[0];
            if let Some(lengths) = lengths {
                // Behind its end, a batch keeps its state and shows zeros.
                let runs = cx.generate(&[batch, c(1)], Type::I1, &mut |b, index| {
                    let length = extract(b, lengths, &[index[0]]);
                    let length = b.value(&arith::INDEX_CAST, &[length], Type::INDEX);
                    x(number).less(length).build(b)
                });
                for (value, &before) in next.iter_mut().zip(carried) {
                    *value = cx.select(runs, *value, before)?;
                    *value = cx.as_sized(*value, &[batch, size]);
                }
                let zero = cx.lit(ty, 0.0);
                shown = cx.select(runs, shown, zero)?;
                shown = cx.as_sized(shown, &[batch, size]);
            }
            Ok([next, vec![shown]])
        })?;
        let mut sequence = rows[0];
        if backwards {
            let dims = cx.dims(sequence);
            sequence = cx.pick(sequence, &dims, &mut |b, index| {
                let end = match lengths {
                    Some(lengths) => {
                        let length = extract(b, lengths, &[index[1]]);
                        x(b.value(&arith::INDEX_CAST, &[length], Type::INDEX))
                    }
                    None => time.into(),
                };
                let back = end.clone() - 1 - index[0];
                let at = x(index[0]).less(end).select(back, index[0]).build(b);
                vec![at, index[1], index[2]]
            });
        }
        let position = if batch_first { 2 } else { 1 };
        let sequence = match batch_first {
            true => cx.transpose(sequence, &[1, 0, 2]),
            false => sequence,
        };
        sequences.push(cx.unsqueeze(sequence, &[position])?);
        for (s, &value) in finished.iter().enumerate() {
            let at = usize::from(batch_first);
            finals[s].push(cx.unsqueeze(value, &[at])?);
        }
    }
    let mut results = vec![cx.concat(&sequences, if batch_first { 2 } else { 1 })?];
    for all in finals.iter().filter(|all| !all.is_empty()) {
        results.push(cx.concat(all, usize::from(batch_first))?);
    }
    Ok(results)
}
