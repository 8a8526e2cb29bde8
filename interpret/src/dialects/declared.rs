//! Operations that a file declares, as far as the declaration says what they do: memory that is allocated, freed,
//! read, written and copied, values that are handed on. Written values are poison, since the declaration does not say them; what
//! depends on more than the declaration is not interpreted.

use std::rc::Rc;

use freehold_frontend::ir::declared::{Declared, Place};
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value as Id};
use freehold_frontend::ir::types::DYNAMIC;

use crate::access::address_of;
use crate::dialects::control::{branch, poison};
use crate::dialects::memref::copy;
use crate::machine::{Frame, Machine, Res, as_memref, unsupported};
use crate::memory::Origin;
use crate::value::Value;

/// Interprets `op`, which is declared.
pub(crate) fn interpret(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let ir = f.ir;
    let def = ir.def(op);
    let Some(declared) = def.declared else {
        return unsupported("an operation that is not declared");
    };
    if def.region_branch.is_some() || !ir.regions(op).is_empty() || def.call.is_some() {
        return unknown(f, op, "which of its regions or functions run");
    }
    let Some(effects) = &declared.effects else {
        return unknown(f, op, "its effects");
    };
    for &(place, kind, resource) in effects {
        let Place::Operand(group) = place else {
            continue;
        };
        for &id in ir.operand_group(op, group) {
            if ir.is_memref(id) && kind != EffectKind::Free && resource == Resource::Default {
                touch(m, f, id)?;
            }
        }
    }
    if let Some((from, to)) = declared.copy {
        let (from, to) = (ir.operand_group(op, from)[0], ir.operand_group(op, to)[0]);
        let element = m.context.element_type_or_self(ir.value_type(from));
        let (from, to) = (
            as_memref(f.see(from))?.clone(),
            as_memref(f.see(to))?.clone(),
        );
        copy(m, &from, &to, element, f.loc)?;
    } else {
        for &(place, kind, _) in effects {
            if let (Place::Operand(group), EffectKind::Write) = (place, kind) {
                for &id in ir.operand_group(op, group) {
                    if ir.is_memref(id) {
                        scribble(m, f, op, id)?;
                    }
                }
            }
        }
    }
    results(m, f, op, declared)?;
    for &(place, kind, _) in effects {
        if let (Place::Operand(group), EffectKind::Free) = (place, kind) {
            for &id in ir.operand_group(op, group) {
                if ir.is_memref(id) {
                    let address = as_memref(f.see(id))?.allocated;
                    m.memory.free(address, f.loc)?;
                }
            }
        }
    }
    match ir.successors(op).len() {
        0 => Ok(()),
        1 => {
            branch(f, op, 0);
            Ok(())
        }
        _ => unknown(f, op, "where it branches to"),
    }
}

fn unknown(f: &Frame<'_>, op: Op, what: &str) -> Res {
    let name = f.ir.op_name(op);
    unsupported(format!(
        "operation '{name}' is not interpreted: its declaration does not say {what}"
    ))
}

/// Looks at every element: the memory must be there.
fn touch(m: &mut Machine<'_>, f: &Frame<'_>, id: Id) -> Res {
    let memref = as_memref(f.see(id))?.clone();
    let element = m.context.element_type_or_self(f.ir.value_type(id));
    let size = m.element_size(element)?;
    for corner in [false, true] {
        if memref.sizes.contains(&0) {
            return Ok(());
        }
        let at: Vec<i64> = memref
            .sizes
            .iter()
            .map(|&n| if corner { n - 1 } else { 0 })
            .collect();
        m.memory.check(address_of(&memref, &at, size), size)?;
    }
    Ok(())
}

/// Writes unknown values.
fn scribble(m: &mut Machine<'_>, f: &Frame<'_>, op: Op, id: Id) -> Res {
    let memref = as_memref(f.see(id))?.clone();
    let element = m.context.element_type_or_self(f.ir.value_type(id));
    let reason = format!("what '{}' writes is not declared", f.ir.op_name(op));
    let value = poison(m, f, element, &reason)?;
    let n: i64 = memref.sizes.iter().product();
    let values = vec![value; usize::try_from(n).unwrap_or(0)];
    m.store_all(&memref, element, &values, f.loc)
}

fn results(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, declared: &Declared) -> Res {
    let ir = f.ir;
    for group in 0..declared.results.len() {
        let same = declared.same.iter().find(|(result, _)| *result == group);
        for (at, index) in ir.result_group_range(op, group).enumerate() {
            let result = ir.result(op, index);
            let ty = ir.value_type(result);
            if let Some(&(_, operand)) = same {
                let value = f.get(ir.operand_group(op, operand)[at]);
                f.put(result, value);
                continue;
            }
            let allocated = declared.effects.iter().flatten().find(|effect| {
                effect.0 == Place::Result(group) && effect.1 == EffectKind::Allocate
            });
            let memref = m.context.as_memref(ty);
            let (Some(&(_, _, resource)), Some(memref)) = (allocated, memref) else {
                return unknown(f, op, &format!("what result #{index} is"));
            };
            if memref.shape.contains(&DYNAMIC) || memref.layout.is_some() {
                return unknown(f, op, &format!("how large result #{index} is"));
            }
            let (sizes, element) = (memref.shape.to_vec(), memref.element);
            let origin = match resource {
                Resource::AutomaticAllocationScope => Origin::Stack,
                _ => Origin::Heap,
            };
            let memref = m.allocate_memref(sizes, None, element, (0, origin), f.loc)?;
            f.put(result, Value::MemRef(Rc::new(memref)));
        }
    }
    Ok(())
}
