//! Operations of vector that move elements and make vectors.

use freehold_frontend::dialects::vector;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;

use crate::machine::{Frame, Machine, Res, as_scalar, undefined, unsupported};
use crate::table::Rows;
use crate::value::{Array, Scalar, Value, flat, for_each, mask, n_elements};

pub(crate) const ROWS: Rows = &[
    (&vector::BROADCAST, broadcast),
    (&vector::SPLAT, broadcast),
    (&vector::EXTRACT, extract),
    (&vector::INSERT, insert),
    (&vector::EXTRACT_ELEMENT, |m, f, op| {
        let array = f.array(op, 0)?;
        let at = element_index(m, f, op, 1, array.elements.len())?;
        let element = match at {
            Some(at) => array.elements[at],
            None => m.poison(f.loc, "an element beyond the end of a vector"),
        };
        f.set(op, 0, Value::Scalar(element));
        Ok(())
    }),
    (&vector::INSERT_ELEMENT, |m, f, op| {
        let mut array = (*f.array(op, 1)?).clone();
        let element = f.scalar(op, 0)?;
        match element_index(m, f, op, 2, array.elements.len())? {
            Some(at) => array.elements[at] = element,
            None => {
                let poison = m.poison(f.loc, "an element beyond the end of a vector");
                array.elements.fill(poison);
            }
        }
        f.set(op, 0, Value::array(array.shape, array.elements));
        Ok(())
    }),
    (&vector::EXTRACT_STRIDED_SLICE, |m, f, op| {
        let array = f.array(op, 0)?;
        let (offsets, sizes, strides) = (
            f.ints(op, Name::OFFSETS),
            f.ints(op, Name::SIZES),
            f.ints(op, Name::STRIDES),
        );
        let shape = result_shape(m, f, op);
        pick(f, op, shape, |at| {
            let mut from = at.to_vec();
            for dim in 0..sizes.len() {
                from[dim] = offsets[dim] + at[dim] * strides[dim];
            }
            array.elements[flat(&array.shape, &from)]
        })
    }),
    (&vector::INSERT_STRIDED_SLICE, |_, f, op| {
        let (source, mut array) = (f.array(op, 0)?, (*f.array(op, 1)?).clone());
        let (offsets, strides) = (f.ints(op, Name::OFFSETS), f.ints(op, Name::STRIDES));
        let skip = array.shape.len() - source.shape.len();
        let mut elements = source.elements.iter();
        for_each(&source.shape, |at| {
            let mut to = offsets.clone();
            for (dim, &index) in at.iter().enumerate() {
                let stride = strides.get(dim).copied().unwrap_or(1);
                to[skip + dim] += index * stride;
            }
            let place = flat(&array.shape, &to);
            if let Some(&element) = elements.next() {
                array.elements[place] = element;
            }
            Ok(())
        })
        .ok();
        f.set(op, 0, Value::array(array.shape, array.elements));
        Ok(())
    }),
    (&vector::TRANSPOSE, |m, f, op| {
        let array = f.array(op, 0)?;
        let permutation = f.ints(op, Name::PERMUTATION);
        let shape = result_shape(m, f, op);
        pick(f, op, shape, |at| {
            let mut from = vec![0; at.len()];
            for (dim, &source) in permutation.iter().enumerate() {
                from[source as usize] = at[dim];
            }
            array.elements[flat(&array.shape, &from)]
        })
    }),
    (&vector::FLAT_TRANSPOSE, |_, f, op| {
        let array = f.array(op, 0)?;
        let rows = f.int_attr(op, Name::ROWS).unwrap_or(1) as i64;
        let columns = f.int_attr(op, Name::COLUMNS).unwrap_or(1) as i64;
        // Matrices are stored by columns.
        pick(f, op, vec![rows * columns], |at| {
            let (row, column) = (at[0] / columns, at[0] % columns);
            array.elements[(row + column * rows) as usize]
        })
    }),
    (&vector::SHAPE_CAST, |m, f, op| {
        let array = f.array(op, 0)?;
        let shape = result_shape(m, f, op);
        f.set(op, 0, crate::constant::reshaped(&array, shape));
        Ok(())
    }),
    (&vector::BITCAST, bitcast),
    (&vector::SHUFFLE, |m, f, op| {
        let (a, b) = (f.array(op, 0)?, f.array(op, 1)?);
        let shape = result_shape(m, f, op);
        let row = match a.shape.len() {
            0 | 1 => 1,
            _ => n_elements(&a.shape[1..]),
        };
        let both = [&a.elements[..], &b.elements[..]].concat();
        let mut elements = Vec::new();
        for index in f.ints(op, Name::MASK) {
            match usize::try_from(index) {
                Ok(index) => elements.extend(&both[index * row..(index + 1) * row]),
                Err(_) => {
                    let poison = m.poison(f.loc, "a shuffle without a source");
                    elements.extend(vec![poison; row]);
                }
            }
        }
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&vector::INTERLEAVE, |m, f, op| {
        let (a, b) = (f.array(op, 0)?, f.array(op, 1)?);
        let pairs = a.elements.iter().zip(&b.elements);
        let elements = pairs.flat_map(|(&a, &b)| [a, b]).collect();
        let shape = result_shape(m, f, op);
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&vector::DEINTERLEAVE, |m, f, op| {
        let array = f.array(op, 0)?;
        let shape = result_shape(m, f, op);
        for index in 0..2 {
            let elements = array
                .elements
                .iter()
                .skip(index)
                .step_by(2)
                .copied()
                .collect();
            f.set(op, index, Value::array(shape.clone(), elements));
        }
        Ok(())
    }),
    (&vector::STEP, |m, f, op| {
        let shape = result_shape(m, f, op);
        pick(f, op, shape, |at| Scalar::Bits(at[0] as u128))
    }),
    (&vector::FROM_ELEMENTS, |m, f, op| {
        let shape = result_shape(m, f, op);
        let mut elements = Vec::new();
        for &id in f.ir.operands(op) {
            elements.push(as_scalar(f.see(id))?);
        }
        f.set(op, 0, Value::array(shape, elements));
        Ok(())
    }),
    (&vector::TO_ELEMENTS, |_, f, op| {
        let array = f.array(op, 0)?;
        let elements = array.elements.iter().map(|&element| Value::Scalar(element));
        f.set_all(op, elements.collect());
        Ok(())
    }),
    (&vector::CREATE_MASK, |m, f, op| {
        let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
        let sizes = m.indices(&operands)?;
        make_mask(m, f, op, &sizes)
    }),
    (&vector::CONSTANT_MASK, |m, f, op| {
        let sizes = f.ints(op, Name::MASK_DIM_SIZES);
        make_mask(m, f, op, &sizes)
    }),
    (&vector::VSCALE, |_, _, _| {
        unsupported("scalable vectors are not interpreted")
    }),
    (&vector::YIELD, |_, _, _| Ok(())),
];

fn result_shape(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Vec<i64> {
    m.context
        .shape(f.result_type(op, 0))
        .unwrap_or_default()
        .to_vec()
}

/// Makes the result of its elements.
fn pick(f: &mut Frame<'_>, op: Op, shape: Vec<i64>, each: impl Fn(&[i64]) -> Scalar) -> Res {
    let mut elements = Vec::new();
    for_each(&shape, |at| {
        elements.push(each(at));
        Ok(())
    })
    .ok();
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn broadcast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let shape = result_shape(m, f, op);
    match f.operand(op, 0).clone() {
        Value::Scalar(scalar) => pick(f, op, shape, |_| scalar),
        Value::Array(array) => {
            let skip = shape.len() - array.shape.len();
            pick(f, op, shape, |at| {
                let from: Vec<i64> = at[skip..]
                    .iter()
                    .zip(&array.shape)
                    .map(|(&at, &size)| if size == 1 { 0 } else { at })
                    .collect();
                array.elements[flat(&array.shape, &from)]
            })
        }
        _ => unsupported("a number or vector is expected"),
    }
}

/// The position of an extract or insert; `None` where it is outside of the vector.
fn position(
    m: &Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    group: usize,
    shape: &[i64],
) -> Res<Option<Vec<i64>>> {
    let mut dynamic = m.indices(&f.group(op, group))?.into_iter();
    let position: Vec<i64> = f
        .ints(op, Name::STATIC_POSITION)
        .into_iter()
        .map(|at| {
            if at == DYNAMIC {
                dynamic.next().unwrap_or(0)
            } else {
                at
            }
        })
        .collect();
    let is_inside = position
        .iter()
        .zip(shape)
        .all(|(&at, &size)| (0..size).contains(&at));
    Ok(is_inside.then_some(position))
}

/// Where the part at a position begins, and how many elements it has.
fn part(shape: &[i64], position: &[i64]) -> (usize, usize) {
    let inner = &shape[position.len()..];
    let n = n_elements(inner);
    (flat(&shape[..position.len()], position) * n, n)
}

fn extract(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let position = position(m, f, op, 1, &array.shape)?;
    let is_vector = m.context.shape(f.result_type(op, 0)).is_some();
    let Some(position) = position else {
        let poison = m.poison(f.loc, "a part beyond the end of a vector");
        let value = match is_vector {
            true => {
                let shape = result_shape(m, f, op);
                let n = n_elements(&shape);
                Value::array(shape, vec![poison; n])
            }
            false => Value::Scalar(poison),
        };
        f.set(op, 0, value);
        return Ok(());
    };
    let (start, n) = part(&array.shape, &position);
    let value = match is_vector {
        true => Value::array(
            array.shape[position.len()..].to_vec(),
            array.elements[start..start + n].to_vec(),
        ),
        false => Value::Scalar(array.elements[start]),
    };
    f.set(op, 0, value);
    Ok(())
}

fn insert(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let mut array: Array = (*f.array(op, 1)?).clone();
    match position(m, f, op, 2, &array.shape)? {
        None => {
            let poison = m.poison(f.loc, "a part beyond the end of a vector");
            array.elements.fill(poison);
        }
        Some(position) => {
            let (start, n) = part(&array.shape, &position);
            match f.operand(op, 0) {
                Value::Scalar(scalar) => array.elements[start] = *scalar,
                Value::Array(source) => {
                    array.elements[start..start + n].copy_from_slice(&source.elements);
                }
                _ => return unsupported("a number or vector is expected"),
            }
        }
    }
    f.set(op, 0, Value::array(array.shape, array.elements));
    Ok(())
}

/// The index of an element, if it is given and inside.
fn element_index(
    m: &Machine<'_>,
    f: &Frame<'_>,
    op: Op,
    operand: usize,
    n: usize,
) -> Res<Option<usize>> {
    if f.ir.operands(op).len() <= operand {
        return Ok(Some(0));
    }
    let bits = m.defined(f.scalar(op, operand)?, "an index")?;
    Ok(usize::try_from(bits).ok().filter(|&at| at < n))
}

/// The bits of the last dimension, cut in other pieces.
fn bitcast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let array = f.array(op, 0)?;
    let from = m.kind(f.operand_type(op, 0))?.width();
    let to = m.kind(f.result_type(op, 0))?.width();
    let shape = result_shape(m, f, op);
    if from == to {
        f.set(op, 0, Value::array(shape, array.elements.clone()));
        return Ok(());
    }
    let row = array.shape.last().copied().unwrap_or(1) as usize;
    let mut elements = Vec::new();
    for row in array.elements.chunks(row.max(1)) {
        let n = row.len() * from as usize / to as usize;
        for index in 0..n {
            let mut bits = 0;
            let mut undefined = None;
            for bit in 0..to {
                let place = index as u32 * to + bit;
                match row[(place / from) as usize] {
                    Scalar::Bits(source) => bits |= (source >> (place % from) & 1) << bit,
                    other => undefined = Some(other),
                }
            }
            elements.push(undefined.unwrap_or(Scalar::Bits(bits & mask(to))));
        }
    }
    if elements.len() != n_elements(&shape) {
        return undefined("a bitcast to another number of bits");
    }
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn make_mask(m: &Machine<'_>, f: &mut Frame<'_>, op: Op, sizes: &[i64]) -> Res {
    let shape = result_shape(m, f, op);
    if shape.is_empty() {
        let on = sizes.first().is_none_or(|&size| size > 0);
        f.set(op, 0, Value::array(shape, vec![Scalar::Bits(on.into())]));
        return Ok(());
    }
    pick(f, op, shape, |at| {
        let on = at.iter().zip(sizes).all(|(&at, &size)| at < size);
        Scalar::Bits(on.into())
    })
}
