//! async: bodies run where they stand.

use std::rc::Rc;

use freehold_frontend::dialects::async_;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use crate::machine::{Fault, FaultKind, Frame, Machine, Res, as_scalar, undefined};
use crate::table::Rows;
use crate::value::Value;

pub(crate) const ROWS: Rows = &[
    (&async_::EXECUTE, execute),
    (&async_::CALL, call),
    (&async_::AWAIT, |m, f, op| {
        let (held, task) = parts(m, f.operand(op, 0))?;
        m.memory.tasks.wait(task);
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
        let number = m.index(f, op, 0)? as usize;
        let Some((size, tasks)) = m.groups.get(number) else {
            return undefined("a group that was never made");
        };
        if (tasks.len() as i64) < *size {
            let message = "less is added to the group than its size says";
            return Err(Fault::new(FaultKind::Assertion, message));
        }
        for &task in tasks {
            m.memory.tasks.wait(task);
        }
        Ok(())
    }),
    (&async_::NUM_WORKER_THREADS, |_, f, op| {
        f.set(op, 0, Value::index(1));
        Ok(())
    }),
];

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
    let starter = m.memory.tasks.begin(&dependencies);
    let exit = m.region(f, f.ir.region(op, 0), &arguments)?;
    let token = Value::index(m.memory.tasks.end(starter) as i64);
    f.set_all(op, results(token, exit.values, true));
    Ok(())
}

/// What stands for a body: its token, if it has one, and what it yields.
fn results(token: Value, yielded: Vec<Value>, has_token: bool) -> Vec<Value> {
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
    let yielded = m.call(name, &arguments, f.loc)?;
    let token = Value::index(m.memory.tasks.end(starter) as i64);
    let n_results = f.ir.results(op).len();
    let has_token = n_results > yielded.len();
    f.set_all(op, results(token, yielded, has_token));
    Ok(())
}
