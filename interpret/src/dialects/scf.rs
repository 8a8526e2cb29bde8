//! scf.

use freehold_frontend::dialects::scf::{self, BoundKind};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::entities::{Op, Value as Id};
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashMap;

use crate::machine::{Exit, Frame, Machine, Res, as_array, undefined, unsupported};
use crate::memory::Iterations;
use crate::table::Rows;
use crate::value::{Array, Value, flat, for_each, mask, signed};

pub(crate) const ROWS: Rows = &[
    (&scf::FOR, |m, f, op| for_loop(m, f, op, true)),
    (&scf::FOR_UNSIGNED, |m, f, op| for_loop(m, f, op, false)),
    (&scf::IF, |m, f, op| {
        let region = match m.condition(f.operand(op, 0))? {
            true => 0,
            false => 1,
        };
        let exit = match f.ir.regions(op).get(region) {
            Some(&region) => m.region(f, region, &[])?,
            None => return Ok(()),
        };
        f.set_all(op, exit.values);
        Ok(())
    }),
    (&scf::WHILE, while_loop),
    (&scf::EXECUTE_REGION, |m, f, op| {
        let exit = m.region(f, f.ir.region(op, 0), &[])?;
        f.set_all(op, exit.values);
        Ok(())
    }),
    (&scf::INDEX_SWITCH, |m, f, op| {
        let flag = m.index(f, op, 0)?;
        let cases = f.ints(op, Name::CASES);
        let case = cases.iter().position(|&case| case == flag);
        // The first region is the default one.
        let region = f.ir.region(op, case.map_or(0, |case| case + 1));
        let exit = m.region(f, region, &[])?;
        f.set_all(op, exit.values);
        Ok(())
    }),
    (&scf::PARALLEL, parallel),
    (&scf::FORALL, forall),
    (&scf::FORALL_IN_PARALLEL, |m, f, op| {
        m.region(f, f.ir.region(op, 0), &[])?;
        Ok(())
    }),
    (&tensor::PARALLEL_INSERT_SLICE, parallel_insert_slice),
];

fn for_loop<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op, is_signed: bool) -> Res {
    let width = m.kind(f.operand_type(op, 0))?.width();
    let bound = |m: &Machine<'_>, f: &Frame<'_>, index, what| -> Res<i128> {
        let bits = m.defined(f.scalar(op, index)?, what)?;
        Ok(match is_signed {
            true => signed(bits, width),
            false => bits as i128,
        })
    };
    let lower = bound(m, f, 0, "a lower bound")?;
    let upper = bound(m, f, 1, "an upper bound")?;
    let step = bound(m, f, 2, "a step")?;
    if step <= 0 {
        return undefined(format!("the step of a loop is {step}"));
    }
    let mut carried = f.group(op, 3);
    let mut counter = lower;
    while counter < upper {
        m.check_stack()?;
        let mut arguments = vec![Value::bits(counter as u128 & mask(width))];
        arguments.append(&mut carried);
        carried = m.region(f, f.ir.region(op, 0), &arguments)?.values;
        counter += step;
    }
    f.set_all(op, carried);
    Ok(())
}

fn while_loop<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let mut values: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    loop {
        let Exit {
            values: mut handed, ..
        } = m.region(f, f.ir.region(op, 0), &values)?;
        let condition = handed.remove(0);
        if !m.condition(&condition)? {
            f.set_all(op, handed);
            return Ok(());
        }
        values = m.region(f, f.ir.region(op, 1), &handed)?.values;
    }
}

/// Runs the iterations of a parallel loop one by one; `each` gets the counters and the number of the iteration.
pub(crate) fn iterations<'a>(
    m: &mut Machine<'a>,
    f: &mut Frame<'a>,
    bounds: &[(i64, i64, i64)],
    mut each: impl FnMut(&mut Machine<'a>, &mut Frame<'a>, &[i64]) -> Res,
) -> Res {
    let mut counts = Vec::new();
    for &(lower, upper, step) in bounds {
        if step <= 0 {
            return undefined(format!("the step of a loop is {step}"));
        }
        let distance = i128::from(upper) - i128::from(lower);
        let count = (distance + i128::from(step) - 1)
            .div_euclid(step.into())
            .max(0);
        counts.push(count as i64);
    }
    m.memory.loops.push(Iterations::default());
    let mut number = 0;
    for_each(&counts, |at| {
        if let Some(iterations) = m.memory.loops.last_mut() {
            iterations.current = number;
        }
        number += 1;
        let counters: Vec<i64> = at
            .iter()
            .zip(bounds)
            .map(|(&at, &(lower, _, step))| lower + at * step)
            .collect();
        each(m, f, &counters)
    })?;
    m.memory.loops.pop();
    Ok(())
}

fn parallel<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let lists = [0, 1, 2].map(|group| m.indices(&f.group(op, group)));
    let [lower, upper, step] = lists;
    let (lower, upper, step) = (lower?, upper?, step?);
    let bounds: Vec<_> = (0..lower.len())
        .map(|dim| (lower[dim], upper[dim], step[dim]))
        .collect();
    let mut results = f.group(op, 3);
    let region = f.ir.region(op, 0);
    iterations(m, f, &bounds, |m, f, counters| {
        let arguments: Vec<Value> = counters.iter().map(|&at| Value::index(at)).collect();
        let exit = m.region(f, region, &arguments)?;
        let Some(reduce) = exit.op else { return Ok(()) };
        for (index, value) in exit.values.into_iter().enumerate() {
            let combine = f.ir.region(reduce, index);
            let pair = [results[index].clone(), value];
            // Reductions are not the iterations'.
            let loops = std::mem::take(&mut m.memory.loops);
            let combined = m.region(f, combine, &pair)?;
            m.memory.loops = loops;
            results[index] = combined.values.first().cloned().unwrap_or_default();
        }
        Ok(())
    })?;
    f.set_all(op, results);
    Ok(())
}

/// A part of a tensor that an iteration of `scf.forall` gives back.
pub(crate) struct Insert {
    /// The argument that stands for the tensor.
    dest: Id,
    /// Positions in it, row-major, and elements.
    elements: Vec<(usize, crate::value::Scalar)>,
}

fn forall<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let Some(view) = scf::Forall::cast(f.ir, op) else {
        return unsupported("a loop is expected");
    };
    let kinds = [BoundKind::Lower, BoundKind::Upper, BoundKind::Step];
    let mut lists = Vec::new();
    for (group, kind) in kinds.into_iter().enumerate() {
        lists.push(m.mixed(f, op, group, kind.attr_name())?);
    }
    let rank = view.rank(f.ir);
    let bounds: Vec<_> = (0..rank)
        .map(|dim| (lists[0][dim], lists[1][dim], lists[2][dim]))
        .collect();
    let outputs = f.group(op, 3);
    let mut results: Vec<Array> = Vec::new();
    for output in &outputs {
        results.push((*as_array(output)?).clone());
    }
    let shared: Vec<Id> = f.ir.block_args(view.body(f.ir))[rank..].to_vec();
    let region = f.ir.region(op, 0);
    // Who wrote each element.
    let mut writers: FxHashMap<(usize, usize), u64> = FxHashMap::default();
    let mut number = 0;
    iterations(m, f, &bounds, |m, f, counters| {
        number += 1;
        let mut arguments: Vec<Value> = counters.iter().map(|&at| Value::index(at)).collect();
        arguments.extend(outputs.iter().cloned());
        m.inserts.push(Vec::new());
        m.region(f, region, &arguments)?;
        for insert in m.inserts.pop().unwrap_or_default() {
            let Some(output) = shared.iter().position(|&id| id == insert.dest) else {
                return unsupported("a part of a tensor that is not shared");
            };
            for (at, element) in insert.elements {
                if let Some(&writer) = writers.get(&(output, at))
                    && writer != number
                {
                    return undefined(format!(
                        "race between iterations of a parallel loop: two insert element {at} of result #{output}"
                    ));
                }
                writers.insert((output, at), number);
                results[output].elements[at] = element;
            }
        }
        Ok(())
    })?;
    let values = results
        .into_iter()
        .map(|array| Value::array(array.shape, array.elements));
    f.set_all(op, values.collect());
    Ok(())
}

fn parallel_insert_slice(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (source, dest) = (f.array(op, 0)?, f.array(op, 1)?);
    let places = super::tensor::slice_places(m, f, op, 2, &dest.shape)?;
    let elements = places
        .into_iter()
        .map(|at| flat(&dest.shape, &at))
        .zip(source.elements.iter().copied())
        .collect();
    let insert = Insert {
        dest: f.ir.operand(op, 1),
        elements,
    };
    match m.inserts.last_mut() {
        Some(inserts) => {
            inserts.push(insert);
            Ok(())
        }
        None => unsupported("a part of a tensor outside of a loop"),
    }
}
