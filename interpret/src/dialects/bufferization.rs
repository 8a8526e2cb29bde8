//! bufferization and deallocation.

use std::rc::Rc;

use freehold_frontend::dialects::{bufferization, deallocation};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::memref::{copy, sizes};
use crate::machine::{Frame, Machine, Res, as_memref, undefined, unsupported};
use crate::memory::Origin;
use crate::table::Rows;
use crate::value::{MemRef, Scalar, Value, dense_strides, n_elements, row_major};

pub(crate) const ROWS: Rows = &[
    (&bufferization::ALLOC_TENSOR, alloc_tensor),
    (&bufferization::DEALLOC_TENSOR, |_, _, _| Ok(())),
    (&bufferization::CLONE, clone),
    (&bufferization::DEALLOC, dealloc),
    (&bufferization::TO_TENSOR, to_tensor),
    (&bufferization::TO_MEMREF, to_memref),
    (&bufferization::MATERIALIZE_IN_DESTINATION, materialize),
    (&deallocation::NULL, |_, f, op| {
        f.set(op, 0, Value::bits(0));
        Ok(())
    }),
    (&deallocation::OWN, |_, f, op| {
        let memref = f.memref(op, 0)?;
        f.set(op, 0, Value::bits(memref.allocated.into()));
        Ok(())
    }),
    (&deallocation::GET_BUFFER, |_, f, op| {
        let address = owner(f.operand(op, 0))?;
        f.set(op, 0, Value::bits(address.into()));
        Ok(())
    }),
    (&deallocation::FROM_BUFFER, |_, f, op| {
        let value = f.operand(op, 0).clone();
        f.set(op, 0, value);
        Ok(())
    }),
    (&deallocation::FREE, |m, f, op| {
        let address = owner(f.operand(op, 0))?;
        match address {
            0 => Ok(()),
            _ => Ok(m.memory.free(address, f.loc)?),
        }
    }),
    (&deallocation::RETAIN, retain),
];

/// The address of the allocation that a value owns; zero if it owns none.
fn owner(value: &Value) -> Res<u64> {
    match value {
        Value::MemRef(memref) => Ok(memref.allocated),
        Value::Scalar(Scalar::Bits(bits)) => Ok(*bits as u64),
        _ => unsupported("an owner is expected"),
    }
}

fn alloc_tensor(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    if let Some(source) = f.group(op, 1).into_iter().next() {
        f.set(op, 0, source);
        return Ok(());
    }
    let dynamic = m.indices(&f.group(op, 0))?;
    let shape = m.context.shape(f.result_type(op, 0)).unwrap_or_default();
    let shape = sizes(shape, &dynamic);
    if let Some(size) = shape.iter().find(|&&size| size < 0) {
        return undefined(format!("a tensor of negative size {size}"));
    }
    let contents = m.poison(f.loc, "the contents of a tensor that was only allocated");
    let elements = vec![contents; n_elements(&shape)];
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn clone(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let from = f.memref(op, 0)?;
    let (source, target) = (f.operand_type(op, 0), f.result_type(op, 0));
    let element = m.context.element_of(source);
    let layout = m.context.as_memref(target).and_then(|declared| {
        let (strides, offset) = m.context.memref_strides(declared)?;
        // What the type leaves open follows from the sizes.
        let offset = if offset == DYNAMIC { 0 } else { offset };
        Some((dense_strides(&from.sizes, &strides), offset))
    });
    let layout = layout.or_else(|| Some((row_major(&from.sizes), 0)));
    let origin = (0, Origin::Heap);
    let to = m.allocate_memref(from.sizes.clone(), layout, element, origin, f.loc)?;
    copy(m, &from, &to, element, f.loc)?;
    m.check_type(&to, target)?;
    f.set(op, 0, Value::MemRef(Rc::new(to)));
    Ok(())
}

/// Frees buffers that are owned and not retained; says who owns those that are.
fn dealloc(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (memrefs, conditions, retained) = (f.group(op, 0), f.group(op, 1), f.group(op, 2));
    let mut kept = Vec::new();
    for value in &retained {
        kept.push(as_memref(value)?.allocated);
    }
    let mut owned = vec![false; kept.len()];
    let mut freed = Vec::new();
    for (value, condition) in memrefs.iter().zip(&conditions) {
        let address = as_memref(value)?.allocated;
        if !m.condition(condition)? {
            continue;
        }
        let mut is_kept = false;
        for (owned, &kept) in owned.iter_mut().zip(&kept) {
            if kept == address {
                *owned = true;
                is_kept = true;
            }
        }
        if !is_kept && !freed.contains(&address) {
            freed.push(address);
        }
    }
    for address in freed {
        if address != 0 {
            m.memory.free(address, f.loc)?;
        }
    }
    f.set_all(op, owned.into_iter().map(Value::bool).collect());
    Ok(())
}

/// Frees the allocations that no retained memref is in; gives the owners of the others.
fn retain(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (retained, owners) = (f.group(op, 0), f.group(op, 1));
    let mut rest = Vec::new();
    for value in &owners {
        rest.push(owner(value)?);
    }
    let mut results = Vec::new();
    for value in &retained {
        let address = as_memref(value)?.allocated;
        let found = rest
            .iter()
            .position(|&owner| owner == address && owner != 0);
        results.push(match found {
            Some(index) => {
                rest[index] = 0;
                Value::bits(address.into())
            }
            None => Value::bits(0),
        });
    }
    for address in rest {
        if address != 0 {
            m.memory.free(address, f.loc)?;
        }
    }
    f.set_all(op, results);
    Ok(())
}

fn to_tensor(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let element = m.context.element_of(f.operand_type(op, 0));
    let mut elements = Vec::new();
    for value in m.load_all(&memref, element, f.loc)? {
        elements.push(crate::machine::as_scalar(&value)?);
    }
    f.set(op, 0, Value::array(memref.sizes.clone(), elements));
    Ok(())
}

fn to_memref(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let ty = f.result_type(op, 0);
    let element = m.context.element_of(ty);
    let layout = m.context.as_memref(ty).and_then(|declared| {
        let (strides, offset) = m.context.memref_strides(declared)?;
        let dynamic = freehold_frontend::ir::types::DYNAMIC;
        (offset != dynamic && !strides.contains(&dynamic)).then_some((strides, offset))
    });
    // Whoever made the tensor frees it.
    let origin = (0, Origin::Argument);
    let memref = m.allocate_memref(array.shape.clone(), layout, element, origin, f.loc)?;
    write_all(m, &memref, element, &array.elements, f)?;
    f.set(op, 0, Value::MemRef(Rc::new(memref)));
    Ok(())
}

fn write_all(
    m: &mut Machine<'_>,
    memref: &MemRef,
    element: Type,
    elements: &[Scalar],
    f: &Frame<'_>,
) -> Res {
    let values: Vec<Value> = elements
        .iter()
        .map(|&number| Value::Scalar(number))
        .collect();
    m.store_all(memref, element, &values, f.loc)
}

fn materialize(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let source = f.array(op, 0)?;
    if let Value::MemRef(memref) = f.operand(op, 1).clone() {
        if memref.sizes != source.shape {
            return undefined(format!(
                "a tensor of sizes {:?} for a buffer of sizes {:?}",
                source.shape, memref.sizes
            ));
        }
        let element = m.context.element_of(f.operand_type(op, 1));
        return write_all(m, &memref, element, &source.elements, f);
    }
    f.set_all(op, vec![Value::Array(source)]);
    Ok(())
}
