//! func, cf and ub: calls, branches, and what may not be reached.

use freehold_frontend::dialects::{cf, func, ub};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};

use crate::machine::{Fault, FaultKind, Frame, Machine, Res, undefined, unsupported};
use crate::table::Rows;
use crate::value::{Value, n_elements, signed};

pub(crate) const ROWS: Rows = &[
    (&func::CALL, |m, f, op| {
        let attr = f.attr(op, Name::CALLEE);
        let name = attr.and_then(|attr| m.context.attr_flat_symbol(attr));
        let Some(name) = name else {
            return unsupported("a call of no function");
        };
        let arguments: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
        let results = m.call(name, &arguments, f.loc)?;
        f.set_all(op, results);
        Ok(())
    }),
    (&func::CALL_INDIRECT, |m, f, op| {
        let Value::Function(name) = f.operand(op, 0).clone() else {
            return unsupported("a call of no function");
        };
        let arguments: Vec<Value> = f.ir.operands(op)[1..].iter().map(|&id| f.get(id)).collect();
        let results = m.call(&name, &arguments, f.loc)?;
        f.set_all(op, results);
        Ok(())
    }),
    (&func::CONSTANT, |m, f, op| {
        let attr = f.attr(op, Name::VALUE);
        let name = attr
            .and_then(|attr| m.context.attr_flat_symbol(attr))
            .unwrap_or_default();
        f.set(op, 0, Value::Function(name.into()));
        Ok(())
    }),
    (&cf::BR, |_, f, op| {
        branch(f, op, 0);
        Ok(())
    }),
    (&cf::COND_BR, |m, f, op| {
        let taken = m.condition(f.operand(op, 0))?;
        branch(f, op, usize::from(!taken));
        Ok(())
    }),
    (&cf::SWITCH, |m, f, op| {
        let width = m.kind(f.operand_type(op, 0))?.width();
        let flag = signed(m.defined(f.scalar(op, 0)?, "a condition")?, width);
        let Some(view) = cf::Switch::cast(f.ir, op) else {
            return unsupported("a switch is expected");
        };
        let case = view
            .case_values(f.ir)
            .iter()
            .position(|&case| signed(case as u128 & crate::value::mask(width), width) == flag);
        branch(f, op, case.map_or(0, |case| case + 1));
        Ok(())
    }),
    (&cf::ASSERT, |m, f, op| {
        if m.condition(f.operand(op, 0))? {
            return Ok(());
        }
        let attr = f.attr(op, Name::MSG);
        let message = attr
            .and_then(|attr| m.context.attr_string(attr))
            .unwrap_or_default();
        failed_assertion(m, f, message)
    }),
    (&ub::UNREACHABLE, |_, _, _| {
        undefined("what may not be reached is reached")
    }),
    (&ub::POISON, |m, f, op| {
        let value = poison(m, f, f.result_type(op, 0), "ub.poison")?;
        f.set(op, 0, value);
        Ok(())
    }),
];

/// Takes successor number `index`.
pub(crate) fn branch(f: &mut Frame<'_>, op: Op, index: usize) {
    let ir = f.ir;
    let block = ir.successors(op)[index];
    let values = match ir.def(op).branch {
        Some(interface) => {
            let range = (interface.successor_operands)(ir, op, index);
            ir.operands(op)[range].iter().map(|&id| f.get(id)).collect()
        }
        None => Vec::new(),
    };
    f.next = Some((block, values));
}

/// Poison of type `ty`.
pub(crate) fn poison(m: &mut Machine<'_>, f: &Frame<'_>, ty: Type, reason: &str) -> Res<Value> {
    let scalar = m.poison(f.loc, reason);
    match m.context.type_kind(ty) {
        TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => Ok(Value::array(
            shape.to_vec(),
            vec![scalar; n_elements(shape)],
        )),
        _ => {
            m.kind(ty)?;
            Ok(Value::Scalar(scalar))
        }
    }
}

/// What a failed assertion ends: the body that it is in, if the program asks for errors of bodies, else the program.
pub(crate) fn failed_assertion(m: &Machine<'_>, f: &Frame<'_>, message: &str) -> Res {
    let mut fault = Fault::new(FaultKind::Assertion, format!("assertion failed: {message}"));
    fault.is_of_body = m.asks_for_errors && f.n_bodies > 0;
    Err(fault)
}
