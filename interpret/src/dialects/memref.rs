//! memref.

use std::rc::Rc;

use freehold_frontend::dialects::{complex, memref};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::location::Loc;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use rustc_hash::FxHashSet;

use super::arith;
use crate::access::address_of;
use crate::constant;
use crate::elementwise;
use crate::machine::{Frame, Machine, Res, Symbol, as_scalar, undefined, unsupported};
use crate::memory::{Access, Origin};
use crate::table::Rows;
use crate::value::{Kind, MemRef, Value, for_each, mask, row_major};

pub(crate) const ROWS: Rows = &[
    (&memref::ALLOC, |m, f, op| alloc(m, f, op, Origin::Heap)),
    (&memref::ALLOCA, |m, f, op| alloc(m, f, op, Origin::Stack)),
    (&memref::DEALLOC, |m, f, op| {
        let memref = f.memref(op, 0)?;
        Ok(m.memory.free(memref.allocated, f.loc)?)
    }),
    (&memref::REALLOC, realloc),
    (&memref::ALLOCA_SCOPE, |m, f, op| {
        let exit = m.region(f, f.ir.region(op, 0), &[])?;
        f.set_all(op, exit.values);
        Ok(())
    }),
    (&memref::DIM, dim),
    (&memref::RANK, |_, f, op| {
        let rank = f.memref(op, 0)?.sizes.len();
        f.set(op, 0, Value::index(rank as i64));
        Ok(())
    }),
    (&memref::EXTRACT_STRIDED_METADATA, extract_strided_metadata),
    (&memref::EXTRACT_ALIGNED_POINTER_AS_INDEX, |_, f, op| {
        let memref = f.memref(op, 0)?;
        let address = match f.attr(op, Name::ALLOCATED) {
            Some(_) => memref.allocated,
            None => memref.aligned,
        };
        f.set(op, 0, Value::bits(address.into()));
        Ok(())
    }),
    (&memref::ATOMIC_RMW, atomic_rmw),
    (&memref::GENERIC_ATOMIC_RMW, generic_atomic_rmw),
    (&memref::RESHAPE, reshape),
    (&memref::EXPAND_SHAPE, expand_shape),
    (&memref::COLLAPSE_SHAPE, collapse_shape),
    (&memref::TRANSPOSE, transpose),
    (&memref::BITCAST, bitcast),
    (&memref::CAST, cast),
    (&memref::MEMORY_SPACE_CAST, cast),
    (&memref::SUBVIEW, subview),
    (&memref::VIEW, view),
    (&memref::REINTERPRET_CAST, reinterpret_cast),
    (&memref::LOAD, |m, f, op| {
        let at = m.indices(&f.group(op, 1))?;
        let value = load(m, f, op, 0, &at)?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&memref::STORE, |m, f, op| {
        let at = m.indices(&f.group(op, 2))?;
        let value = f.operand(op, 0).clone();
        store(m, f, op, 1, &at, &value)
    }),
    (&memref::COPY, |m, f, op| {
        let (from, to) = (f.memref(op, 0)?, f.memref(op, 1)?);
        let element = m.context.element_type_or_self(f.operand_type(op, 0));
        copy(m, &from, &to, element, f.loc)
    }),
    (&memref::PREFETCH, |_, _, _| Ok(())),
    (&memref::ASSUME_ALIGNMENT, assume_alignment),
    (&memref::DISTINCT_OBJECTS, distinct_objects),
    (&memref::GET_GLOBAL, get_global),
];

fn element(m: &Machine<'_>, ty: Type) -> Type {
    m.context.element_of(ty)
}

/// Loads an element of memref operand `operand`.
pub(crate) fn load(
    m: &mut Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    operand: usize,
    at: &[i64],
) -> Res<Value> {
    let memref = f.memref(op, operand)?;
    let ty = element(m, f.operand_type(op, operand));
    let size = m.element_size(ty)?;
    let address = m.element_address(&memref, at, size)?;
    m.load(ty, address, f.loc)
}

/// Stores to an element of memref operand `operand`.
pub(crate) fn store(
    m: &mut Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    operand: usize,
    at: &[i64],
    value: &Value,
) -> Res {
    let memref = f.memref(op, operand)?;
    let ty = element(m, f.operand_type(op, operand));
    let size = m.element_size(ty)?;
    let address = m.element_address(&memref, at, size)?;
    m.store(ty, address, value, f.loc)
}

/// Sizes of a type whose missing ones are operands.
pub(crate) fn sizes(shape: &[i64], dynamic: &[i64]) -> Vec<i64> {
    let mut dynamic = dynamic.iter();
    shape
        .iter()
        .map(|&size| match size {
            DYNAMIC => dynamic.next().copied().unwrap_or(0),
            size => size,
        })
        .collect()
}

fn alloc(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, origin: Origin) -> Res {
    let ty = f.result_type(op, 0);
    let Some(memref) = m.context.as_memref(ty) else {
        return unsupported("an allocation of no memref");
    };
    let dynamic = m.indices(&f.group(op, 0))?;
    let symbols = m.indices(&f.group(op, 1))?;
    let sizes = sizes(&memref.shape, &dynamic);
    let layout = match memref.layout {
        None => None,
        Some(layout) => Some(strides(m, layout, memref, &sizes, &symbols)?),
    };
    let alignment = f.int_attr(op, Name::ALIGNMENT).unwrap_or(0) as u64;
    let memref = m.allocate_memref(sizes, layout, memref.element, (alignment, origin), f.loc)?;
    f.set(op, 0, Value::MemRef(Rc::new(memref)));
    Ok(())
}

/// Strides and offset that a layout gives to memory of these sizes.
fn strides(
    m: &Machine<'_>,
    layout: Attr,
    memref: &freehold_frontend::ir::types::MemRefType,
    sizes: &[i64],
    symbols: &[i64],
) -> Res<(Vec<i64>, i64)> {
    if let Some((strides, offset)) = m.context.memref_strides(memref)
        && offset != DYNAMIC
        && !strides.contains(&DYNAMIC)
    {
        return Ok((strides, offset));
    }
    let AttrKind::AffineMap(map) = m.context.attr_kind(layout) else {
        return unsupported("allocations with a dynamic layout are not interpreted");
    };
    let at = |dims: &[i64]| -> Option<i64> {
        let results = map.evaluate(dims, symbols)?;
        match &results[..] {
            [linear] => Some(*linear),
            // Several results index a row-major array of the sizes in their order.
            several if map.is_permutation() => {
                let mapped = map.evaluate(sizes, symbols)?;
                let strides = row_major(&mapped);
                Some(
                    several
                        .iter()
                        .zip(strides)
                        .map(|(at, stride)| at * stride)
                        .sum(),
                )
            }
            _ => None,
        }
    };
    let mut dims = vec![0; sizes.len()];
    let unknown = "allocations with a layout that is not linear are not interpreted";
    let Some(offset) = at(&dims) else {
        return unsupported(unknown);
    };
    let mut strides = Vec::new();
    for dim in 0..sizes.len() {
        let mut at_distance = |distance| {
            dims[dim] = distance;
            let place = at(&dims);
            dims[dim] = 0;
            place
        };
        let (Some(one), Some(two)) = (at_distance(1), at_distance(2)) else {
            return unsupported(unknown);
        };
        if two - one != one - offset {
            return unsupported(unknown);
        }
        strides.push(one - offset);
    }
    Ok((strides, offset))
}

fn realloc(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let from = f.memref(op, 0)?;
    let ty = f.result_type(op, 0);
    let Some(declared) = m.context.as_memref(ty) else {
        return unsupported("an allocation of no memref");
    };
    let dynamic = m.indices(&f.group(op, 1))?;
    let sizes = sizes(&declared.shape, &dynamic);
    let n = from.sizes[0].min(sizes[0]);
    let alignment = f.int_attr(op, Name::ALIGNMENT).unwrap_or(0) as u64;
    let origin = (alignment, Origin::Heap);
    let to = m.allocate_memref(sizes, None, declared.element, origin, f.loc)?;
    let part = |whole: &MemRef| MemRef {
        sizes: vec![n],
        ..whole.clone()
    };
    copy(m, &part(&from), &part(&to), declared.element, f.loc)?;
    m.memory.free(from.allocated, f.loc)?;
    f.set(op, 0, Value::MemRef(Rc::new(to)));
    Ok(())
}

fn dim(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let dim = m.index(f, op, 1)?;
    match usize::try_from(dim)
        .ok()
        .and_then(|dim| memref.sizes.get(dim))
    {
        Some(&size) => {
            f.set(op, 0, Value::index(size));
            Ok(())
        }
        None => undefined(format!(
            "dimension {dim} of a memref of rank {}",
            memref.sizes.len()
        )),
    }
}

fn extract_strided_metadata(_: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let base = MemRef {
        offset: 0,
        sizes: Vec::new(),
        strides: Vec::new(),
        ..(*memref).clone()
    };
    let numbers = std::iter::once(memref.offset)
        .chain(memref.sizes.iter().copied())
        .chain(memref.strides.iter().copied())
        .map(Value::index);
    let values = std::iter::once(Value::MemRef(Rc::new(base)))
        .chain(numbers)
        .collect();
    f.set_all(op, values);
    Ok(())
}

/// Combines two numbers as an atomic operation of this kind does.
pub(crate) fn combine(kind: memref::AtomicRmwKind, ty: Kind, old: u128, new: u128) -> Option<u128> {
    use memref::AtomicRmwKind as K;
    let width = ty.width();
    let float = match ty {
        Kind::Float(kind) => Some(kind),
        _ => None,
    };
    let signed = |bits| crate::value::signed(bits, width);
    Some(match kind {
        K::Assign => new,
        K::Addi => old.wrapping_add(new) & mask(width),
        K::Muli => old.wrapping_mul(new) & mask(width),
        K::Maxs => {
            if signed(old) >= signed(new) {
                old
            } else {
                new
            }
        }
        K::Mins => {
            if signed(old) <= signed(new) {
                old
            } else {
                new
            }
        }
        K::Maxu => old.max(new),
        K::Minu => old.min(new),
        K::Ori => old | new,
        K::Andi => old & new,
        K::Xori => old ^ new,
        K::Addf => arith::add(float?, old, new),
        K::Mulf => arith::mul(float?, old, new),
        K::Maximumf => arith::maximum(float?, old, new),
        K::Minimumf => arith::minimum(float?, old, new),
        K::Maxnumf => arith::maxnum(float?, old, new),
        K::Minnumf => arith::minnum(float?, old, new),
    })
}

fn atomic_rmw(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 1)?;
    let at = m.indices(&f.group(op, 2))?;
    let ty = element(m, f.operand_type(op, 1));
    let (kind, size) = (m.kind(ty)?, m.element_size(ty)?);
    let address = m.element_address(&memref, &at, size)?;
    m.check_alignment(ty, address)?;
    let (number, place) = m.memory.access(address, size, Access::Atomic, f.loc)?;
    let old = as_scalar(&m.read(ty, number, place)?)?;
    let new = f.scalar(op, 0)?;
    let Some(combiner) = memref::atomic::atomic_rmw_kind(f.ir, op) else {
        return unsupported("this kind is not interpreted");
    };
    let combined = if combiner == memref::AtomicRmwKind::Assign {
        new
    } else {
        elementwise::plain(m, f, &[old, new], &|n| {
            combine(combiner, kind, n[0], n[1]).ok_or_else(|| {
                elementwise::Trouble::Unsupported("this kind is not interpreted".to_owned())
            })
        })?
    };
    m.write(ty, number, place, &Value::Scalar(combined))?;
    f.set(op, 0, Value::Scalar(old));
    Ok(())
}

fn generic_atomic_rmw<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let at = m.indices(&f.group(op, 1))?;
    let ty = element(m, f.operand_type(op, 0));
    let size = m.element_size(ty)?;
    let address = m.element_address(&memref, &at, size)?;
    m.check_alignment(ty, address)?;
    let (number, place) = m.memory.access(address, size, Access::Atomic, f.loc)?;
    let old = m.read(ty, number, place)?;
    let exit = m.region(f, f.ir.region(op, 0), std::slice::from_ref(&old))?;
    let new = exit.values.first().cloned().unwrap_or_default();
    m.write(ty, number, place, &new)?;
    f.set(op, 0, old);
    Ok(())
}

/// Sets the result to a memref that has to be of its type. Views have no effects and may run where their results
/// are not used, so one that does not fit is poison.
fn set(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, memref: MemRef) -> Res {
    let value = match m.check_type(&memref, f.result_type(op, 0)) {
        Ok(()) => Value::MemRef(Rc::new(memref)),
        Err(fault) => Value::Scalar(m.poison(f.loc, fault.message)),
    };
    f.set(op, 0, value);
    Ok(())
}

fn cast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    set(m, f, op, (*memref).clone())
}

fn reshape(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (memref, shape) = (f.memref(op, 0)?, f.memref(op, 1)?);
    let ty = element(m, f.operand_type(op, 1));
    let width = m.kind(ty)?.width();
    let mut sizes = Vec::new();
    for value in m.load_all(&shape, ty, f.loc)? {
        let bits = m.defined(as_scalar(&value)?, "a size")?;
        sizes.push(crate::value::signed(bits, width) as i64);
    }
    let old: i64 = memref.sizes.iter().product();
    let new = (sizes.iter()).try_fold(1i64, |n, &size| n.checked_mul(size));
    if new != Some(old) || sizes.iter().any(|&size| size < 0) {
        return undefined(format!("{old} elements are reshaped to sizes {sizes:?}"));
    }
    let strides = row_major(&sizes);
    let reshaped = MemRef {
        sizes,
        strides,
        ..(*memref).clone()
    };
    set(m, f, op, reshaped)
}

/// Which dimensions of one side make up each dimension of the other.
pub(crate) fn groups(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Vec<Vec<usize>> {
    let attr = f.attr(op, Name::REASSOCIATION);
    let lists = attr
        .and_then(|attr| m.context.attr_array(attr))
        .unwrap_or_default();
    lists
        .iter()
        .map(|&list| {
            let list = m.context.attr_array(list).unwrap_or_default().iter();
            list.filter_map(|&dim| m.context.attr_integer(dim))
                .map(|dim| dim as usize)
                .collect()
        })
        .collect()
}

fn expand_shape(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let sizes = m.mixed(f, op, 1, Name::STATIC_OUTPUT_SHAPE)?;
    let mut strides = vec![1; sizes.len()];
    for (source, group) in groups(m, f, op).into_iter().enumerate() {
        let mut stride = memref.strides[source];
        let mut n = 1i64;
        for &dim in group.iter().rev() {
            strides[dim] = stride;
            stride = stride.wrapping_mul(sizes[dim]);
            n = n.wrapping_mul(sizes[dim]);
        }
        if n != memref.sizes[source] || group.iter().any(|&dim| sizes[dim] < 0) {
            return undefined(format!(
                "dimension {source} of size {} is expanded to sizes {:?}",
                memref.sizes[source],
                group.iter().map(|&dim| sizes[dim]).collect::<Vec<_>>()
            ));
        }
    }
    let expanded = MemRef {
        sizes,
        strides,
        ..(*memref).clone()
    };
    set(m, f, op, expanded)
}

fn collapse_shape(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for group in groups(m, f, op) {
        let mut n = 1i64;
        let mut stride = None;
        let mut expected = 0i64;
        for &dim in group.iter().rev() {
            let size = memref.sizes[dim];
            if size != 1 {
                match stride {
                    None => stride = Some(memref.strides[dim]),
                    Some(_) if memref.strides[dim] != expected && !memref.sizes.contains(&0) => {
                        return undefined(format!(
                            "dimension {dim} is not contiguous with those inside of it: its stride is {}, not {expected}",
                            memref.strides[dim]
                        ));
                    }
                    Some(_) => {}
                }
                expected = memref.strides[dim].wrapping_mul(size);
            }
            n = n.wrapping_mul(size);
        }
        let last = group.last().map_or(1, |&dim| memref.strides[dim]);
        sizes.push(n);
        strides.push(stride.unwrap_or(last));
    }
    let collapsed = MemRef {
        sizes,
        strides,
        ..(*memref).clone()
    };
    set(m, f, op, collapsed)
}

fn transpose(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let Some(view) = memref::Transpose::cast(f.ir, op) else {
        return unsupported("a transposition is expected");
    };
    let permutation = view.permutation(f.ir);
    let transposed = MemRef {
        sizes: permutation.iter().map(|&dim| memref.sizes[dim]).collect(),
        strides: permutation.iter().map(|&dim| memref.strides[dim]).collect(),
        ..(*memref).clone()
    };
    set(m, f, op, transposed)
}

/// Checks that a slice lies inside of what it is taken from.
pub(crate) fn check_slice(source: &[i64], offsets: &[i64], sizes: &[i64], strides: &[i64]) -> Res {
    if let Some(size) = sizes.iter().find(|&&size| size < 0) {
        return undefined(format!("a slice of negative size {size}"));
    }
    if sizes.contains(&0) {
        return Ok(());
    }
    for dim in 0..source.len() {
        let (offset, size, stride) = (offsets[dim], sizes[dim], strides[dim]);
        let last = i128::from(offset) + i128::from(size - 1) * i128::from(stride);
        let n = i128::from(source[dim]);
        if offset < 0 || i128::from(offset) >= n || last < 0 || last >= n {
            return undefined(format!(
                "a slice out of bounds: offset {offset}, size {size}, stride {stride} in dimension {dim} of size {n}"
            ));
        }
    }
    Ok(())
}

fn subview(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let offsets = m.mixed(f, op, 1, Name::STATIC_OFFSETS)?;
    let sizes = m.mixed(f, op, 2, Name::STATIC_SIZES)?;
    let steps = m.mixed(f, op, 3, Name::STATIC_STRIDES)?;
    check_slice(&memref.sizes, &offsets, &sizes, &steps)?;
    let dropped = memref::views::subview_dropped_dims(f.ir, op);
    let mut view = MemRef {
        sizes: Vec::new(),
        strides: Vec::new(),
        ..(*memref).clone()
    };
    for dim in 0..offsets.len() {
        view.offset = view
            .offset
            .wrapping_add(offsets[dim].wrapping_mul(memref.strides[dim]));
        if !dropped.get(dim).copied().unwrap_or(false) {
            view.sizes.push(sizes[dim]);
            view.strides
                .push(steps[dim].wrapping_mul(memref.strides[dim]));
        }
    }
    set(m, f, op, view)
}

fn view(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let shift = m.index(f, op, 1)?;
    let ty = f.result_type(op, 0);
    let Some(declared) = m.context.as_memref(ty) else {
        return unsupported("a view as no memref");
    };
    let dynamic = m.indices(&f.group(op, 2))?;
    let sizes = sizes(&declared.shape, &dynamic);
    let size = m.element_size(declared.element)?;
    let n: i64 = sizes.iter().product();
    let n_bytes = n as i128 * i128::from(size);
    if shift < 0 || n_bytes < 0 || i128::from(shift) + n_bytes > i128::from(memref.sizes[0]) {
        return undefined(format!(
            "a view out of bounds: {n_bytes} bytes from {shift} on of {}",
            memref.sizes[0]
        ));
    }
    let strides = row_major(&sizes);
    let view = MemRef {
        allocated: memref.allocated,
        aligned: memref
            .aligned
            .wrapping_add(memref.offset as u64)
            .wrapping_add(shift as u64),
        offset: 0,
        sizes,
        strides,
    };
    set(m, f, op, view)
}

fn bitcast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let mut view = (*f.memref(op, 0)?).clone();
    let element = m.context.element_type_or_self(f.operand_type(op, 0));
    if complex::element_of(m.context, element).is_some() {
        view.offset = view.offset.wrapping_mul(2);
        for stride in &mut view.strides {
            *stride = stride.wrapping_mul(2);
        }
        view.sizes.push(2);
        view.strides.push(1);
    }
    set(m, f, op, view)
}

fn reinterpret_cast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let offsets = m.mixed(f, op, 1, Name::STATIC_OFFSETS)?;
    let view = MemRef {
        offset: offsets.first().copied().unwrap_or(0),
        sizes: m.mixed(f, op, 2, Name::STATIC_SIZES)?,
        strides: m.mixed(f, op, 3, Name::STATIC_STRIDES)?,
        ..(*memref).clone()
    };
    set(m, f, op, view)
}

/// Copies all elements. Both may be the same memory, but they may not overlap in another way.
pub(crate) fn copy(
    m: &mut Machine<'_>,
    from: &MemRef,
    to: &MemRef,
    element: Type,
    loc: Loc,
) -> Res {
    if from.sizes != to.sizes {
        return undefined(format!(
            "a copy of sizes {:?} to sizes {:?}",
            from.sizes, to.sizes
        ));
    }
    let size = m.element_size(element)?;
    if m.memory.find(from.aligned) == m.memory.find(to.aligned) {
        let (mut read, mut is_same) = (FxHashSet::default(), true);
        for_each(&from.sizes, |at| {
            let (a, b) = (address_of(from, at, size), address_of(to, at, size));
            is_same &= a == b;
            read.insert(a);
            Ok(())
        })
        .ok();
        let mut overlap = None;
        if !is_same {
            for_each(&to.sizes, |at| {
                let address = address_of(to, at, size);
                if read.contains(&address) {
                    overlap = Some(address);
                }
                Ok(())
            })
            .ok();
        }
        if let Some(address) = overlap {
            return undefined(format!(
                "source and target of a copy overlap at {}",
                m.memory.describe(address)
            ));
        }
    }
    let values = m.load_all(from, element, loc)?;
    m.store_all(to, element, &values, loc)
}

fn assume_alignment(_: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let alignment = f.int_attr(op, Name::ALIGNMENT).unwrap_or(1).max(1) as u64;
    match memref.aligned % alignment {
        0 => Ok(()),
        _ => undefined(format!(
            "memory is not aligned to {alignment} bytes, but to {}",
            1u64 << memref.aligned.trailing_zeros()
        )),
    }
}

fn distinct_objects(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let values: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let mut seen = FxHashSet::default();
    for (index, value) in values.iter().enumerate() {
        let memref = crate::machine::as_memref(value)?;
        if !seen.insert(m.memory.find(memref.aligned)) {
            return undefined(format!(
                "operand #{index} is in the same allocation as one before it"
            ));
        }
    }
    f.set_all(op, values);
    Ok(())
}

fn get_global(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let attr = f.attr(op, Name::NAME);
    let name = attr
        .and_then(|attr| m.context.attr_flat_symbol(attr))
        .unwrap_or_default()
        .to_owned();
    let value = global(m, &name)?;
    f.set(op, 0, value);
    Ok(())
}

/// The memory of a variable, made when it is first asked for.
pub(crate) fn global(m: &mut Machine<'_>, name: &str) -> Res<Value> {
    if let Some(value) = m.globals.get(name) {
        return Ok(value.clone());
    }
    // It was there before any loop began.
    let loops = std::mem::take(&mut m.memory.loops);
    let value = make_global(m, name);
    m.memory.loops = loops;
    value
}

fn make_global(m: &mut Machine<'_>, name: &str) -> Res<Value> {
    let Some(&Symbol::Other(ir, op)) = m.symbols.get(name) else {
        return unsupported(format!("the global '{name}' is not interpreted"));
    };
    let Some(view) = memref::Global::cast(ir, op) else {
        return unsupported(format!("the global '{name}' is not interpreted"));
    };
    let Some(ty) = view.memref_type(ir) else {
        return unsupported("a global without a type");
    };
    let Some(declared) = m.context.as_memref(ty) else {
        return unsupported("a global of no memref");
    };
    let (sizes, element) = (declared.shape.to_vec(), declared.element);
    let layout = m.context.memref_strides(declared);
    let alignment = ir.attr(op, Name::ALIGNMENT);
    let alignment = alignment
        .and_then(|attr| m.context.attr_integer(attr))
        .unwrap_or(0) as u64;
    let loc = ir.loc(op);
    let origin = (alignment, Origin::Global);
    let memref = m.allocate_memref(sizes, layout, element, origin, loc)?;
    let value = Value::MemRef(Rc::new(memref.clone()));
    m.globals.insert(name.to_owned(), value.clone());
    let number = m.memory.find(memref.allocated);
    match view.initial_value(ir) {
        Some(attr) => {
            let Some(Value::Array(array)) = constant::value(m.context, attr, ty) else {
                return unsupported("the initial value of this global is not interpreted");
            };
            let values: Vec<Value> = array.elements.iter().map(|&n| Value::Scalar(n)).collect();
            m.store_all(&memref, element, &values, loc)?;
        }
        // What is declared is defined elsewhere; what is uninitialized is not defined at all.
        None if ir.attr(op, Name::INITIAL_VALUE).is_none() => {
            return unsupported(format!("the global '{name}' is defined elsewhere"));
        }
        None => {}
    }
    for (offset, other, distance) in view.addresses(ir).unwrap_or_default() {
        let other = crate::machine::as_memref(&global(m, other)?)?;
        let address = other.aligned.wrapping_add(distance as u64);
        let bits = Value::bits(address.into());
        if let Some(number) = number {
            m.write(Type::I64, number, offset as usize, &bits)?;
        }
    }
    if let Some(number) = number {
        m.memory.allocations[number].is_constant = view.is_constant(ir);
    }
    Ok(value)
}
