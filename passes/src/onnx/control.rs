//! `If`, `Loop` and `Scan`: structured control flow that carries tensors.

use freehold_frontend::dialects::onnx::{CUSTOM, rows as onnx};
use freehold_frontend::dialects::{arith, cf, scf};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::convert_onnx_to_stablehlo::{Driver, Refusals, describe, lower_block};
use super::flex;
use super::graph::Cx;
use super::ints::Ints;
use super::loops::{Carried, differ, join};
use super::node::{Lowered, Node, Refused, axis};
use super::sizes::{Dim, c};
use crate::rewrite::tensors::tensor_type;

/// The operators that are lowered here.
pub(super) const OPERATORS: &[&OpDef] = &[&onnx::IF, &onnx::LOOP, &onnx::SCAN];

/// Lowers an operator with regions.
pub(super) fn lower(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    if std::ptr::eq(n.def, &CUSTOM) {
        return flex::lower(cx, driver, n);
    }
    if std::ptr::eq(n.def, &onnx::IF) {
        return lower_if(cx, driver, n);
    }
    if driver.n_loops == MAX_LOOPS {
        return Err(format!("it stands in {MAX_LOOPS} other loops").into());
    }
    driver.n_loops += 1;
    let lowered = match std::ptr::eq(n.def, &onnx::LOOP) {
        true => lower_loop(cx, driver, n),
        false => lower_scan(cx, driver, n),
    };
    driver.n_loops -= 1;
    lowered
}

/// Loops nest at most so deep: a body is lowered two to four times, to find the types that it carries.
const MAX_LOOPS: usize = 6;

fn body(cx: &Cx<'_>, n: &Node, index: usize) -> Result<Block, Refused> {
    let region = n.region(cx.b.ir, index);
    cx.b.ir
        .entry_block(region)
        .ok_or_else(|| "it has no body".into())
}

fn lower_if(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    let condition = n.x(0)?;
    let blocks = [body(cx, n, 0)?, body(cx, n, 1)?];
    // A branch that is known to be taken stands for itself.
    if let Some(flag) = cx.constant_number(condition) {
        return lower_block(cx, driver, blocks[usize::from(flag == 0.0)]);
    }
    let condition = cx.the_scalar(condition);
    // The types are those of both branches, which move when they are known.
    let trial = scf::build_if(&mut cx.b, condition, &[], true);
    let mut places = Vec::new();
    let mut made: Vec<Vec<Value>> = Vec::new();
    let mut failed: Vec<(usize, Refused, Refusals)> = Vec::new();
    for (i, &block) in blocks.iter().enumerate() {
        let place = open_branch(cx, trial, i)?;
        places.push(place);
        let n_before = driver.refusals.len();
        match cx.inside(place, |cx| lower_block(cx, driver, block)) {
            Ok(values) => made.push(values),
            Err(reason) => failed.push((i, reason, driver.refusals.split_off(n_before))),
        }
    }
    if let ([(without, reason, refusals)], [_]) = (&failed[..], &made[..]) {
        let reason = match refusals.first() {
            Some((_, message)) => message,
            None => &reason.0,
        };
        let what = describe(cx.b.ir, n.op);
        let name = ["then", "else"][*without];
        let message =
            format!("{what}: its '{name}' branch is left out, which must not be taken: {reason}");
        driver.warnings.push((cx.b.ir.loc(n.op), message));
        return Ok(only_branch(
            cx,
            condition,
            trial,
            places[1 - without],
            1 - without,
            made,
        ));
    }
    if let Some((_, reason, refusals)) = failed.pop() {
        for (_, _, others) in failed {
            driver.refusals.extend(others);
        }
        driver.refusals.extend(refusals);
        cx.b.ir.erase_op(trial);
        return Err(reason);
    }
    let context = cx.context();
    let types: Option<Vec<Type>> = (made[0].iter().zip(&made[1]))
        .map(|(&x, &y)| join(&context, cx.ty(x), cx.ty(y)))
        .collect();
    let Some(types) = types else {
        return Ok(only_branch(cx, condition, trial, places[0], 0, made));
    };
    let op = scf::build_if(&mut cx.b, condition, &types, true);
    let loc = cx.b.loc();
    for (i, values) in made.into_iter().enumerate() {
        let place = open_branch(cx, op, i)?;
        cx.b.ir.move_block_contents_to_end(places[i], place);
        cx.inside(place, |cx| {
            cx.b.set_loc(loc);
            let cast = values.iter().zip(&types);
            let values: Vec<Value> = cast.map(|(&value, &ty)| cx.cast_to(value, ty)).collect();
            scf::build_yield(&mut cx.b, &values);
        });
    }
    cx.b.ir.erase_op(trial);
    Ok(cx.b.ir.results(op).to_vec())
}

/// The block of a branch, without an end.
fn open_branch(cx: &mut Cx<'_>, op: Op, index: usize) -> Result<Block, Refused> {
    let region = cx.b.ir.region(op, index);
    let place = cx.b.ir.entry_block(region).ok_or("it has no block")?;
    if let Some(end) = cx.b.ir.last_op(place) {
        cx.b.ir.erase_op(end);
    }
    Ok(place)
}

/// The first of what was made, which is that of the branch of this number, in front of `trial`, with a check that this
/// branch is taken. Results of the other one have another rank, which no tensor can have, or its operands have sizes
/// that they cannot have: exporters write `squeeze` of a dimension that may have one element so.
fn only_branch(
    cx: &mut Cx<'_>,
    condition: Value,
    trial: Op,
    place: Block,
    index: usize,
    mut made: Vec<Vec<Value>>,
) -> Vec<Value> {
    let mut ahead = Vec::new();
    let condition = match index {
        0 => condition,
        _ => {
            let one = cx.scalar(Type::I1, 1.0);
            let other = cx.b.value(&arith::XORI, &[condition, one], Type::I1);
            ahead.extend([one, other].map(|value| cx.b.ir.defining_op(value)));
            other
        }
    };
    let text = "a branch of an ONNX model is taken that cannot be compiled for the sizes and ranks that it has";
    ahead.push(Some(require(cx, condition, text)));
    let body: Vec<Op> = cx.b.ir.ops_in(place).collect();
    for op in ahead.into_iter().flatten().chain(body) {
        cx.b.ir.move_op_before(op, trial);
    }
    cx.b.ir.erase_op(trial);
    made.swap_remove(0)
}

/// Checks a condition at run time.
pub(super) fn require(cx: &mut Cx<'_>, condition: Value, text: &str) -> Op {
    let message = cx.context().string_attr(text);
    let spec = cx.b.spec(&cf::ASSERT).operands(&[condition]);
    cx.b.create(spec.attr(Name::MSG, message))
}

/// A counter as a tensor of rank 0.
fn counter(cx: &mut Cx<'_>, number: Value) -> Result<Value, Refused> {
    cx.ints_tensor(Ints {
        shape: Vec::new(),
        all: vec![Dim::Value(number)],
        ty: Type::I64,
    })
}

/// The body of a `Loop`.
struct Body {
    block: Block,
    arguments: Vec<Value>,
    n_state: usize,
}

impl Body {
    /// Whether to go on, the carried values, and the collected ones.
    fn iterate(
        &self,
        cx: &mut Cx<'_>,
        driver: &mut Driver,
        number: Value,
        condition: Value,
        carried: &[Value],
    ) -> Result<(Value, [Vec<Value>; 2]), Refused> {
        let number = counter(cx, number)?;
        cx.values.insert(self.arguments[0], number);
        cx.values.insert(self.arguments[1], condition);
        for (&argument, &value) in self.arguments[2..].iter().zip(carried) {
            cx.values.insert(argument, value);
        }
        let values = lower_block(cx, driver, self.block)?;
        let missing = "its body says not whether it goes on";
        let (&goes_on, rest) = values.split_first().ok_or(missing)?;
        let (carried, collected) = rest.split_at(self.n_state.min(rest.len()));
        Ok((goes_on, [carried.to_vec(), collected.to_vec()]))
    }
}

fn lower_loop(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    let block = body(cx, n, 0)?;
    let state: Vec<Value> = n.operands.iter().skip(2).copied().flatten().collect();
    let arguments = cx.b.ir.block_args(block).to_vec();
    if arguments.len() != state.len() + 2 || n.operands.len() != arguments.len() {
        return Err("its body does not take what it carries".into());
    }
    let n_state = state.len();
    let count = match n.opt(0) {
        Some(count) => Some(cx.size_in(count)?),
        None => None,
    };
    // Without an end, the condition is.
    let count =
        count.filter(|&count| !matches!(count, Dim::Constant(n) if n >= i64::from(i32::MAX)));
    let first = n.opt(1);
    let starts = first.is_none_or(|flag| cx.constant_number(flag) == Some(1.0));
    let mut always = true;
    // Whether it always goes on is seen by trying.
    let whole = Body {
        block,
        arguments,
        n_state,
    };
    cx.carried_types(&state, &mut |cx, number, carried| {
        let condition = cx.lit(Type::I1, 1.0);
        let (goes_on, values) = whole.iterate(cx, driver, number, condition, carried)?;
        always &= goes_on == condition || cx.constant_number(goes_on) == Some(1.0);
        Ok(values)
    })?;
    if let (true, true, Some(count)) = (always, starts, count) {
        let count = match count {
            Dim::Constant(n) => c(n.max(0)),
            count => cx.max(count, c(0)),
        };
        let [mut results, collected] =
            cx.counted_loop(count, &state, &[], &mut |cx, number, carried| {
                let condition = cx.lit(Type::I1, 1.0);
                Ok(whole.iterate(cx, driver, number, condition, carried)?.1)
            })?;
        results.extend(collected);
        return Ok(results);
    }
    let Carried {
        types,
        dims,
        collected,
    } = cx.carried_types(&state, &mut |cx, number, carried| {
        // Of a condition that is not known.
        let flag = cx.unknown_flag();
        let condition = cx.scalar_tensor(flag, Type::I1);
        Ok(whole.iterate(cx, driver, number, condition, carried)?.1)
    })?;
    // The counter, whether it goes on, what is carried, what was collected, which grows.
    let context = cx.context();
    let zero = cx.v(c(0));
    let goes_on = match first {
        Some(flag) => cx.the_scalar(flag),
        None => cx.scalar(Type::I1, 1.0),
    };
    let mut inits = vec![zero, goes_on];
    for (&value, &ty) in state.iter().zip(&types) {
        inits.push(cx.cast_to(value, ty));
    }
    for &(ty, _) in &collected {
        let sizes = context.shape(ty).unwrap_or_default().to_vec();
        let element = context.element_type_or_self(ty);
        let mut dims = vec![c(0)];
        dims.extend(
            sizes
                .iter()
                .map(|&size| c(if size == DYNAMIC { 0 } else { size })),
        );
        let all = cx.empty(&dims, element);
        let mut open = vec![DYNAMIC];
        open.extend(&sizes);
        let ty = tensor_type(&context, &open, cx.element(all));
        inits.push(cx.cast_to(all, ty));
    }
    let all_types: Vec<Type> = inits.iter().map(|&value| cx.ty(value)).collect();
    let limit = count.map(|count| cx.v(count));
    let op = scf::build_while(&mut cx.b, &all_types, &inits);
    let view = scf::While(op);
    let (before, after) = (view.before_block(cx.b.ir), view.after_block(cx.b.ir));
    let passed = cx.b.ir.block_args(before).to_vec();
    cx.inside(before, |cx| {
        let mut condition = passed[1];
        if let Some(limit) = limit {
            let in_time = arith::compare(&mut cx.b, arith::CmpIPredicate::Slt, passed[0], limit);
            condition = cx.b.value(&arith::ANDI, &[condition, in_time], Type::I1);
        }
        scf::build_condition(&mut cx.b, condition, &passed);
    });
    let passed = cx.b.ir.block_args(after).to_vec();
    let loc = cx.b.loc();
    cx.inside(after, |cx| {
        cx.know_dims(&passed[2..], &dims);
        let condition = cx.scalar_tensor(passed[1], Type::I1);
        let (goes_on, [carried, made]) =
            whole.iterate(cx, driver, passed[0], condition, &passed[2..2 + n_state])?;
        cx.b.set_loc(loc);
        let one = cx.v(c(1));
        let next = cx.b.value(&arith::ADDI, &[passed[0], one], Type::INDEX);
        let mut values = vec![next, cx.the_scalar(goes_on)];
        if carried.len() != n_state {
            return Err(differ());
        }
        for (&value, &ty) in carried.iter().zip(&types) {
            values.push(cx.cast_to(value, ty));
        }
        for (i, &row) in made.iter().enumerate() {
            values.push(cx.grown(passed[2 + n_state + i], row, false)?);
        }
        scf::build_yield(&mut cx.b, &values);
        Ok::<_, Refused>(())
    })?;
    let mut results = cx.b.ir.results(op)[2..].to_vec();
    cx.know_dims(&results, &dims);
    for (i, value) in results.iter_mut().enumerate().skip(n_state) {
        let element = context.element_type_or_self(collected[i - n_state].0);
        *value = cx.with_element(*value, element);
    }
    Ok(results)
}

fn lower_scan(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    if n.opset < 9 {
        return scan_batches(cx, driver, n);
    }
    let block = body(cx, n, 0)?;
    let arguments = cx.b.ir.block_args(block).to_vec();
    let n_scanned = n.int("num_scan_inputs", 0) as usize;
    let all = n.all();
    if all.len() != arguments.len() || n_scanned > all.len() || n_scanned == 0 {
        return Err("its body does not take what it is given".into());
    }
    let n_state = all.len() - n_scanned;
    let (state, scanned) = all.split_at(n_state);
    let n_collected = n.wanted.len().saturating_sub(n_state);
    let list = |name: &str, n_all: usize| n.ints(name).unwrap_or_else(|| vec![0; n_all]);
    let (axes, directions) = (
        list("scan_input_axes", n_scanned),
        list("scan_input_directions", n_scanned),
    );
    let output_axes = list("scan_output_axes", n_collected);
    let backwards: Vec<bool> = list("scan_output_directions", n_collected)
        .iter()
        .map(|&direction| direction != 0)
        .collect();
    let mut dims = Vec::new();
    for (i, &value) in scanned.iter().enumerate() {
        dims.push(axis(axes[i], cx.rank(value))?);
    }
    let count = cx.dim(scanned[0], dims[0]);
    let [mut results, rows] =
        cx.counted_loop(count, state, &backwards, &mut |cx, number, carried| {
            for (&argument, &value) in arguments.iter().zip(carried) {
                cx.values.insert(argument, value);
            }
            for (i, &value) in scanned.iter().enumerate() {
                let at = match directions[i] {
                    0 => number.into(),
                    _ => {
                        let last = cx.sub(count, c(1));
                        cx.sub(last, number.into())
                    }
                };
                let part = cx.part(value, dims[i], at, c(1));
                let part = cx.squeeze(part, &[dims[i]])?;
                cx.values.insert(arguments[n_state + i], part);
            }
            let values = lower_block(cx, driver, block)?;
            let (carried, collected) = values.split_at(n_state.min(values.len()));
            Ok([carried.to_vec(), collected.to_vec()])
        })?;
    for (i, row) in rows.into_iter().enumerate() {
        let rank = cx.rank(row);
        let at = axis(output_axes[i], rank)?;
        let mut permutation: Vec<usize> = (1..rank).collect();
        permutation.insert(at, 0);
        results.push(cx.transpose(row, &permutation));
    }
    Ok(results)
}

/// The first version: one scan for each of a batch, along what is then the first dimension.
fn scan_batches(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    if n.opt(0).is_some() {
        return Err("lengths of sequences are not lowered".into());
    }
    let block = body(cx, n, 0)?;
    let arguments = cx.b.ir.block_args(block).to_vec();
    let all: Vec<Value> = n.operands.iter().skip(1).copied().flatten().collect();
    let n_scanned = n.int("num_scan_inputs", 0) as usize;
    if all.len() != arguments.len() || n_scanned > all.len() || n_scanned == 0 {
        return Err("its body does not take what it is given".into());
    }
    let n_state = all.len() - n_scanned;
    let directions = n.ints("directions").unwrap_or_else(|| vec![0; n_scanned]);
    if all.iter().any(|&value| cx.rank(value) == 0) || cx.rank(all[n_state]) < 2 {
        return Err("its operands have no dimension of batches".into());
    }
    let [batches, count] = [0, 1].map(|dim| cx.dim(all[n_state], dim));
    let [_, results] = cx.counted_loop(batches, &[], &[], &mut |cx, batch, _| {
        let mut own = Vec::new();
        for &value in &all {
            let part = cx.part(value, 0, batch.into(), c(1));
            own.push(cx.squeeze(part, &[0])?);
        }
        let (state, scanned) = own.split_at(n_state);
        let [mut results, rows] =
            cx.counted_loop(count, state, &[], &mut |cx, number, carried| {
                for (&argument, &value) in arguments.iter().zip(carried) {
                    cx.values.insert(argument, value);
                }
                for (i, &value) in scanned.iter().enumerate() {
                    let at = match directions.get(i) {
                        None | Some(0) => number.into(),
                        _ => {
                            let last = cx.sub(count, c(1));
                            cx.sub(last, number.into())
                        }
                    };
                    let part = cx.part(value, 0, at, c(1));
                    let part = cx.squeeze(part, &[0])?;
                    cx.values.insert(arguments[n_state + i], part);
                }
                let values = lower_block(cx, driver, block)?;
                let (carried, collected) = values.split_at(n_state.min(values.len()));
                Ok([carried.to_vec(), collected.to_vec()])
            })?;
        results.extend(rows);
        Ok([Vec::new(), results])
    })?;
    Ok(results)
}
