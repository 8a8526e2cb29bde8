//! async: bodies run where they stand. In a program that asks for errors of bodies, a failed assertion ends only the body
//! that it is in.

use std::rc::Rc;

use freehold_frontend::dialects::async_;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;

use crate::dialects::control::failed_assertion;
use crate::machine::{Fault, FaultKind, Frame, Machine, Res, as_scalar, undefined};
use crate::table::Rows;
use crate::tasks::Starter;
use crate::value::Value;

pub(crate) const ROWS: Rows = &[
    (&async_::EXECUTE, execute),
    (&async_::CALL, call),
    (&async_::AWAIT, |m, f, op| {
        let (held, task) = parts(m, f.operand(op, 0))?;
        m.memory.tasks.wait(task);
        expect_no_error(m, f, &[task])?;
        f.set_all(op, held.into_iter().collect());
        Ok(())
    }),
    (&async_::RUNTIME_AWAIT, |m, f, op| {
        for task in bodies(m, f, op)? {
            m.memory.tasks.wait(task);
        }
        Ok(())
    }),
    (&async_::IS_ERROR, |m, f, op| {
        let tasks = bodies(m, f, op)?;
        let is_error = tasks.iter().any(|&task| m.memory.tasks.has_failed(task));
        f.set(op, 0, Value::bits(is_error.into()));
        Ok(())
    }),
    (&async_::LOAD, |m, f, op| {
        let (held, task) = parts(m, f.operand(op, 0))?;
        if m.memory.tasks.has_failed(task) {
            return undefined("what a body with an error yields");
        }
        f.set_all(op, held.into_iter().collect());
        Ok(())
    }),
    (&async_::CREATE_GROUP, |m, f, op| {
        let size = m.index(f, op, 0)?;
        let number = m.groups.len();
        m.groups.push((size, Vec::new()));
        f.set(op, 0, Value::index(number as i64));
        Ok(())
    }),
    (&async_::ADD_TO_GROUP, |m, f, op| {
        let (_, task) = parts(m, f.operand(op, 0))?;
        let number = m.index(f, op, 1)? as usize;
        let Some((size, tasks)) = m.groups.get_mut(number) else {
            return undefined("a group that was never made");
        };
        let rank = tasks.len() as i64;
        if rank >= *size {
            let message = "more is added to the group than its size says";
            return Err(Fault::new(FaultKind::Assertion, message));
        }
        tasks.push(task);
        f.set(op, 0, Value::index(rank));
        Ok(())
    }),
    (&async_::AWAIT_ALL, |m, f, op| {
        let tasks = bodies(m, f, op)?;
        for &task in &tasks {
            m.memory.tasks.wait(task);
        }
        expect_no_error(m, f, &tasks)
    }),
    (&async_::NUM_WORKER_THREADS, |_, f, op| {
        f.set(op, 0, Value::index(1));
        Ok(())
    }),
];

/// Whether somewhere in a module errors of bodies make a difference.
pub(crate) fn asks_for_errors(ir: &Ir) -> bool {
    ir.walk(ir.root()).any(|op| {
        ir.is(op, &async_::IS_ERROR)
            || ir.is(op, &async_::RUNTIME_AWAIT)
            || ir.nested(op).is_some_and(asks_for_errors)
    })
}

/// The bodies that the operand of `op` stands for. A group has to be full.
fn bodies(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<Vec<usize>> {
    let operand = f.ir.operand(op, 0);
    if !async_::is_group(f.ir.context(), f.ir.value_type(operand)) {
        return Ok(vec![parts(m, f.operand(op, 0))?.1]);
    }
    let number = m.index(f, op, 0)? as usize;
    let Some((size, tasks)) = m.groups.get(number) else {
        return undefined("a group that was never made");
    };
    if (tasks.len() as i64) < *size {
        let message = "less is added to the group than its size says";
        return Err(Fault::new(FaultKind::Assertion, message));
    }
    Ok(tasks.clone())
}

/// Who waits for a body with an error fails.
fn expect_no_error(m: &Machine<'_>, f: &Frame<'_>, tasks: &[usize]) -> Res {
    match tasks.iter().any(|&task| m.memory.tasks.has_failed(task)) {
        true => failed_assertion(m, f, "Awaited async operand is in error state"),
        false => Ok(()),
    }
}

/// What a value holds, and the body that a value or a token stands for.
fn parts(m: &Machine<'_>, value: &Value) -> Res<(Option<Value>, usize)> {
    let number =
        |value: &Value| -> Res<usize> { Ok(m.defined(as_scalar(value)?, "a token")? as usize) };
    match value {
        Value::Tuple(both) => match &both[..] {
            [held, token] => Ok((Some(held.clone()), number(token)?)),
            _ => undefined("a value that no body yields"),
        },
        token => Ok((None, number(token)?)),
    }
}

fn execute<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let mut dependencies = Vec::new();
    let mut arguments = Vec::new();
    for value in f.ir.operands(op).iter().map(|&id| f.get(id)) {
        let (held, task) = parts(m, &value)?;
        dependencies.push(task);
        arguments.extend(held);
    }
    m.check_stack()?;
    let tasks = &mut m.memory.tasks;
    let has_failed = dependencies.iter().any(|&task| tasks.has_failed(task));
    let starter = tasks.begin(&dependencies);
    let yielded = match has_failed {
        true => None,
        false => body(m, f.loc, |m| {
            f.n_bodies += 1;
            let exit = m.region(f, f.ir.region(op, 0), &arguments);
            f.n_bodies -= 1;
            Ok(exit?.values)
        })?,
    };
    let values = end(m, starter, yielded, f.ir.results(op).len() - 1, true);
    f.set_all(op, values);
    Ok(())
}

/// Runs a body: what it yields, unless it ends with an error.
fn body<'a>(
    m: &mut Machine<'a>,
    loc: Loc,
    run: impl FnOnce(&mut Machine<'a>) -> Res<Vec<Value>>,
) -> Res<Option<Vec<Value>>> {
    let (n_scoped, n_calls) = (m.scoped.len(), m.calls.len());
    let (n_inserts, counters) = (m.inserts.len(), m.counters.clone());
    match run(m) {
        Ok(values) => Ok(Some(values)),
        Err(fault) if fault.is_of_body => {
            // What the operations around the assertion have begun ends here.
            for number in m.scoped.split_off(n_scoped) {
                m.memory.end(number, loc);
            }
            m.calls.truncate(n_calls);
            m.inserts.truncate(n_inserts);
            m.counters = counters;
            Ok(None)
        }
        Err(fault) => Err(fault),
    }
}

/// What stands for a body that has ended: its token, if it has one, and what it yields.
fn end(
    m: &mut Machine<'_>,
    starter: Starter,
    yielded: Option<Vec<Value>>,
    n_values: usize,
    has_token: bool,
) -> Vec<Value> {
    let number = m.memory.tasks.end(starter);
    let token = Value::index(number as i64);
    let yielded = yielded.unwrap_or_else(|| {
        m.memory.tasks.fail(number);
        vec![Value::Unset; n_values]
    });
    let own = has_token.then(|| token.clone()).into_iter();
    let held = yielded.into_iter();
    let values = held.map(|held| Value::Tuple(Rc::new(vec![held, token.clone()])));
    own.chain(values).collect()
}

fn call<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let attr = f.attr(op, Name::CALLEE);
    let name = attr.and_then(|attr| m.context.attr_flat_symbol(attr));
    let Some(name) = name else {
        return undefined("a call of no function");
    };
    let arguments: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let starter = m.memory.tasks.begin(&[]);
    let yielded = body(m, f.loc, |m| m.call(name, &arguments, f.loc))?;
    let results = f.ir.results(op);
    let first = results.first().map(|&result| f.ir.value_type(result));
    let has_token = first.is_some_and(|ty| async_::is_token(m.context, ty));
    let n_values = results.len() - usize::from(has_token);
    let values = end(m, starter, yielded, n_values, has_token);
    f.set_all(op, values);
    Ok(())
}
