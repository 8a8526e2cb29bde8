//! vector: what reads and writes memory, and masks. [`super::shuffles`] has what moves elements, and
//! [`super::reductions`] what combines them.

use std::rc::Rc;

use freehold_frontend::dialects::vector::{self, Transfer};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Signedness, Type, TypeKind};

use crate::access::address_of;
use crate::float;
use crate::machine::{
    Frame, Machine, Res, as_array, as_scalar, undefined, unsupported, wrong_access,
};
use crate::print;
use crate::table::Rows;
use crate::value::{
    Array, Kind, MemRef, Scalar, Value, flat, for_each, n_elements, row_major, signed,
};

pub(crate) const ROWS: Rows = &[
    (&vector::LOAD, |m, f, op| {
        let at = m.indices(&f.group(op, 1))?;
        let value = load_at(m, f, op, 0, &at)?;
        f.set(op, 0, value);
        Ok(())
    }),
    (&vector::STORE, |m, f, op| {
        let at = m.indices(&f.group(op, 2))?;
        let value = f.array(op, 0)?;
        store_at(m, f, op, 1, &at, &value)
    }),
    (&vector::MASKED_LOAD, |m, f, op| {
        masked_load(m, f, op, false)
    }),
    (&vector::EXPAND_LOAD, |m, f, op| masked_load(m, f, op, true)),
    (&vector::MASKED_STORE, |m, f, op| {
        masked_store(m, f, op, false)
    }),
    (&vector::COMPRESS_STORE, |m, f, op| {
        masked_store(m, f, op, true)
    }),
    (&vector::GATHER, gather),
    (&vector::SCATTER, scatter),
    (&vector::TRANSFER_READ, transfer_read),
    (&vector::TRANSFER_WRITE, transfer_write),
    (&vector::TYPE_CAST, type_cast),
    (&vector::MASK, mask),
    (&vector::PRINT, print),
];

/// The mask around an operation, if it stands in a `vector.mask`.
pub(crate) fn mask_around(f: &Frame<'_>, op: Op) -> Option<Rc<Array>> {
    let parent = f.ir.parent_op(op)?;
    match f.ir.is(parent, &vector::MASK) {
        true => as_array(f.operand(parent, 0)).ok(),
        false => None,
    }
}

fn mask<'a>(m: &mut Machine<'a>, f: &mut Frame<'a>, op: Op) -> Res {
    let exit = m.region(f, f.ir.region(op, 0), &[])?;
    let mut results = exit.values;
    if let (Some(passthru), Some(Value::Array(result))) = (f.group(op, 1).first(), results.first())
    {
        let (passthru, mask) = (as_array(passthru)?, f.array(op, 0)?);
        if mask.shape == result.shape {
            let mut elements = result.elements.clone();
            for (index, &bit) in mask.elements.iter().enumerate() {
                if m.defined(bit, "a mask")? & 1 == 0 {
                    elements[index] = passthru.elements[index];
                }
            }
            results[0] = Value::array(result.shape.clone(), elements);
        }
    }
    f.set_all(op, results);
    Ok(())
}

/// Where elements of a vector lie in a memref when it begins at some indices: its dimensions are the innermost ones.
fn element_at(base: &[i64], inner: &[i64]) -> Vec<i64> {
    let mut at = base.to_vec();
    let skip = at.len() - inner.len().min(at.len());
    for (index, &step) in at[skip..].iter_mut().zip(inner) {
        *index = index.wrapping_add(step);
    }
    at
}

fn is_inside(memref: &MemRef, at: &[i64]) -> bool {
    at.iter()
        .zip(&memref.sizes)
        .all(|(&at, &size)| (0..size).contains(&at))
}

/// The vector at some indices of memref operand `operand`.
pub(crate) fn load_at(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    operand: usize,
    base: &[i64],
) -> Res<Value> {
    let memref = f.memref(op, operand)?;
    let element = m.context.element_of(f.operand_type(op, operand));
    let size = m.element_size(element)?;
    let ty = f.result_type(op, 0);
    if element == ty {
        let address = m.element_address(&memref, base, size)?;
        return m.load(element, address, f.loc);
    }
    let shape = m.context.shape(ty).unwrap_or_default().to_vec();
    let mut elements = Vec::new();
    for_each(&shape, |inner| {
        let at = element_at(base, inner);
        elements.push(match is_inside(&memref, &at) {
            true => as_scalar(&m.load(element, address_of(&memref, &at, size), f.loc)?)?,
            false => m.poison(
                f.loc,
                format!("index {at:?} of a memref of sizes {:?}", memref.sizes),
            ),
        });
        Ok(())
    })?;
    if elements
        .iter()
        .all(|element| matches!(element, Scalar::Poison(_)))
        && !is_inside(&memref, base)
    {
        return wrong_access(format!(
            "access out of bounds: indices {base:?} of sizes {:?}",
            memref.sizes
        ));
    }
    Ok(Value::array(shape, elements))
}

/// Writes a vector to some indices of memref operand `operand`.
pub(crate) fn store_at(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    operand: usize,
    base: &[i64],
    value: &Rc<Array>,
) -> Res {
    let memref = f.memref(op, operand)?;
    let element = m.context.element_of(f.operand_type(op, operand));
    let size = m.element_size(element)?;
    if let TypeKind::Vector { .. } = m.context.type_kind(element) {
        let address = m.element_address(&memref, base, size)?;
        return m.store(element, address, &Value::Array(Rc::clone(value)), f.loc);
    }
    let mut elements = value.elements.iter();
    for_each(&value.shape, |inner| {
        let at = element_at(base, inner);
        let address = m.element_address(&memref, &at, size)?;
        match elements.next() {
            Some(&element_value) => m.store(element, address, &Value::Scalar(element_value), f.loc),
            None => Ok(()),
        }
    })
}

/// The bits of a mask, which have to be defined.
fn bits(m: &Machine<'_>, mask: &Array) -> Res<Vec<bool>> {
    mask.elements
        .iter()
        .map(|&bit| Ok(m.defined(bit, "a mask")? & 1 == 1))
        .collect()
}

fn masked_load(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, expands: bool) -> Res {
    let memref = f.memref(op, 0)?;
    let base = m.indices(&f.group(op, 1))?;
    let mask = as_array(&f.group(op, 2)[0])?;
    let pass = as_array(&f.group(op, 3)[0])?;
    let element = m.context.element_of(f.operand_type(op, 0));
    let size = m.element_size(element)?;
    let mut elements = pass.elements.clone();
    let (mut index, mut next) = (0, 0);
    let bits = bits(m, &mask)?;
    for_each(&mask.shape, |inner| {
        if bits[index] {
            let at = match expands {
                true => element_at(&base, &[next]),
                false => element_at(&base, inner),
            };
            next += 1;
            let address = m.element_address(&memref, &at, size)?;
            elements[index] = as_scalar(&m.load(element, address, f.loc)?)?;
        }
        index += 1;
        Ok(())
    })?;
    f.set(op, 0, Value::array(pass.shape.clone(), elements));
    Ok(())
}

fn masked_store(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, compresses: bool) -> Res {
    let memref = f.memref(op, 0)?;
    let base = m.indices(&f.group(op, 1))?;
    let mask = as_array(&f.group(op, 2)[0])?;
    let value = as_array(&f.group(op, 3)[0])?;
    let element = m.context.element_of(f.operand_type(op, 0));
    let size = m.element_size(element)?;
    let (mut index, mut next) = (0, 0);
    let bits = bits(m, &mask)?;
    for_each(&mask.shape, |inner| {
        if bits[index] {
            let at = match compresses {
                true => element_at(&base, &[next]),
                false => element_at(&base, inner),
            };
            next += 1;
            let address = m.element_address(&memref, &at, size)?;
            m.store(
                element,
                address,
                &Value::Scalar(value.elements[index]),
                f.loc,
            )?;
        }
        index += 1;
        Ok(())
    })
}

/// The distance that a gather or scatter adds to its innermost index.
fn distance(m: &Machine<'_>, scalar: Scalar, width: u32) -> Res<i64> {
    Ok(signed(m.defined(scalar, "an index")?, width) as i64)
}

fn gather(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let base = m.indices(&f.group(op, 1))?;
    let (indices, mask, pass) = (
        as_array(&f.group(op, 2)[0])?,
        as_array(&f.group(op, 3)[0])?,
        as_array(&f.group(op, 4)[0])?,
    );
    let width = m
        .kind(f.ir.value_type(f.ir.operand_group(op, 2)[0]))?
        .width();
    let element = m.context.element_of(f.operand_type(op, 0));
    let size = m.element_size(element)?;
    let outer = mask_around(f, op);
    let mut elements = pass.elements.clone();
    for (index, bit) in bits(m, &mask)?.into_iter().enumerate() {
        let is_on = match &outer {
            Some(outer) => bit && m.defined(outer.elements[index], "a mask")? & 1 == 1,
            None => bit,
        };
        if !is_on {
            continue;
        }
        let at = element_at(&base, &[distance(m, indices.elements[index], width)?]);
        elements[index] = match f.operand(op, 0).clone() {
            Value::Array(array) => {
                let linear = flat_signed(&array.shape, &at);
                match usize::try_from(linear)
                    .ok()
                    .and_then(|at| array.elements.get(at))
                {
                    Some(&element) => element,
                    None => return wrong_access(format!("access out of bounds: indices {at:?}")),
                }
            }
            Value::MemRef(memref) => {
                as_scalar(&m.load(element, address_of(&memref, &at, size), f.loc)?)?
            }
            _ => return unsupported("a gather of no memory"),
        };
    }
    f.set(op, 0, Value::array(pass.shape.clone(), elements));
    Ok(())
}

fn flat_signed(shape: &[i64], at: &[i64]) -> i64 {
    at.iter()
        .zip(row_major(shape))
        .map(|(at, stride)| at * stride)
        .sum()
}

fn scatter(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let base = m.indices(&f.group(op, 1))?;
    let (indices, mask, value) = (
        as_array(&f.group(op, 2)[0])?,
        as_array(&f.group(op, 3)[0])?,
        as_array(&f.group(op, 4)[0])?,
    );
    let width = m
        .kind(f.ir.value_type(f.ir.operand_group(op, 2)[0]))?
        .width();
    let element = m.context.element_of(f.operand_type(op, 0));
    let size = m.element_size(element)?;
    for (index, bit) in bits(m, &mask)?.into_iter().enumerate() {
        if bit {
            let at = element_at(&base, &[distance(m, indices.elements[index], width)?]);
            let address = address_of(&memref, &at, size);
            m.store(
                element,
                address,
                &Value::Scalar(value.elements[index]),
                f.loc,
            )?;
        }
    }
    Ok(())
}

/// What a transfer does with one element of its vector.
struct Step {
    /// Its number in the vector.
    index: usize,
    /// Where it is in memory.
    at: Vec<i64>,
    /// Whether that is there.
    is_inside: bool,
    /// Whether the mask lets it through.
    is_on: bool,
}

/// The steps of a transfer of a vector of these sizes.
fn steps(
    m: &Machine<'_>,
    f: &Frame<'_>,
    transfer: Transfer,
    shape: &[i64],
    memory: &[i64],
) -> Res<Vec<Step>> {
    let ir = f.ir;
    let dims = transfer.dims(ir);
    let base: Vec<Value> = transfer.indices(ir).iter().map(|&id| f.get(id)).collect();
    let base = m.indices(&base)?;
    let mask = match transfer.mask(ir) {
        Some(id) => Some(as_array(f.see(id))?),
        None => mask_around(f, transfer.0),
    };
    // The dimensions of the mask are those of the vector that run along memory, in the order of memory.
    let mut masked: Vec<usize> = (0..dims.len()).filter(|&dim| dims[dim].is_some()).collect();
    masked.sort_by_key(|&dim| dims[dim]);
    let mut steps = Vec::new();
    let mut index = 0;
    for_each(shape, |inner| {
        let mut at = base.clone();
        // Indices of dimensions that the vector does not run along must be inside.
        let mut promised = (0..memory.len())
            .find(|dim| !dims.contains(&Some(*dim)) && !(0..memory[*dim]).contains(&at[*dim]));
        for (dim, &source) in dims.iter().enumerate() {
            let Some(source) = source else { continue };
            at[source] = at[source].wrapping_add(inner[dim]);
            let is_out = !(0..memory[source]).contains(&at[source]);
            if is_out && transfer.is_in_bounds(ir, dim) {
                promised = Some(source);
            }
        }
        let is_on = match &mask {
            None => true,
            Some(mask) => {
                let at: Vec<i64> = masked.iter().map(|&dim| inner[dim]).collect();
                let bit = match mask.shape.len() == at.len() {
                    true => mask.elements[flat(&mask.shape, &at)],
                    false => mask.elements[index],
                };
                m.defined(bit, "a mask")? & 1 == 1
            }
        };
        if is_on && let Some(dim) = promised {
            return wrong_access(format!(
                "access out of bounds: index {} in dimension {dim} of size {}, where nothing is padded",
                at[dim], memory[dim]
            ));
        }
        let is_inside = at
            .iter()
            .zip(memory)
            .all(|(&at, &size)| (0..size).contains(&at));
        steps.push(Step {
            index,
            at,
            is_inside,
            is_on,
        });
        index += 1;
        Ok(())
    })?;
    Ok(steps)
}

fn transfer_read(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let transfer = Transfer(op);
    let source = f.operand(op, 0).clone();
    let padding = f.group(op, 2)[0].clone();
    let shape = m
        .context
        .shape(f.result_type(op, 0))
        .unwrap_or_default()
        .to_vec();
    let element = m.context.element_of(f.operand_type(op, 0));
    if let TypeKind::Vector { .. } = m.context.type_kind(element) {
        return unsupported("transfers of vectors in memory are not interpreted");
    }
    let size = m.element_size(element)?;
    let sizes = match &source {
        Value::Array(array) => array.shape.clone(),
        Value::MemRef(memref) => memref.sizes.clone(),
        _ => return unsupported("a transfer of no memory"),
    };
    let padding = as_scalar(&padding)?;
    let mut elements = vec![padding; n_elements(&shape)];
    for step in steps(m, f, transfer, &shape, &sizes)? {
        if !step.is_on || !step.is_inside {
            continue;
        }
        elements[step.index] = match &source {
            Value::Array(array) => array.elements[flat(&array.shape, &step.at)],
            Value::MemRef(memref) => {
                as_scalar(&m.load(element, address_of(memref, &step.at, size), f.loc)?)?
            }
            _ => padding,
        };
    }
    f.set(op, 0, Value::array(shape, elements));
    Ok(())
}

fn transfer_write(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let transfer = Transfer(op);
    let value = f.array(op, 0)?;
    let target = f.operand(op, 1).clone();
    let element = m.context.element_of(f.operand_type(op, 1));
    if let TypeKind::Vector { .. } = m.context.type_kind(element) {
        return unsupported("transfers of vectors in memory are not interpreted");
    }
    let size = m.element_size(element)?;
    match target {
        Value::MemRef(memref) => {
            for step in steps(m, f, transfer, &value.shape, &memref.sizes)? {
                if step.is_on && step.is_inside {
                    let address = address_of(&memref, &step.at, size);
                    let number = Value::Scalar(value.elements[step.index]);
                    m.store(element, address, &number, f.loc)?;
                }
            }
        }
        Value::Array(array) => {
            let mut array = (*array).clone();
            for step in steps(m, f, transfer, &value.shape, &array.shape)? {
                if step.is_on && step.is_inside {
                    let place = flat(&array.shape, &step.at);
                    array.elements[place] = value.elements[step.index];
                }
            }
            f.set_all(op, vec![Value::Array(Rc::new(array))]);
        }
        _ => return unsupported("a transfer of no memory"),
    }
    Ok(())
}

fn type_cast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let memref = f.memref(op, 0)?;
    let Some(declared) = m.context.as_memref(f.result_type(op, 0)) else {
        return unsupported("a memref is expected");
    };
    let sizes = declared.shape.to_vec();
    // Offsets count elements; those of the result are others.
    let from = m.context.element_of(f.operand_type(op, 0));
    let bytes = (memref.offset as u64).wrapping_mul(m.element_size(from)?);
    let strides = row_major(&sizes);
    let view = MemRef {
        allocated: memref.allocated,
        aligned: memref.aligned.wrapping_add(bytes),
        offset: 0,
        sizes,
        strides,
    };
    f.set(op, 0, Value::MemRef(Rc::new(view)));
    Ok(())
}

fn print(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    if let Some(attr) = f.attr(op, Name::STRING_LITERAL)
        && let AttrKind::String(bytes) = m.context.attr_kind(attr)
    {
        let bytes = bytes.to_vec();
        return m.write_output(&bytes);
    }
    let mut text = String::new();
    if let Some(&id) = f.ir.operands(op).first() {
        let ty = f.ir.value_type(id);
        let element = m.context.element_type_or_self(ty);
        match f.see(id) {
            Value::Scalar(scalar) => {
                let bits = m.defined(*scalar, "a number to print")?;
                text.push_str(&number_text(m, element, bits)?);
            }
            Value::Array(array) => {
                let array = Rc::clone(array);
                for (index, &scalar) in array.elements.iter().enumerate() {
                    let bits = m.defined(scalar, "a number to print")?;
                    let mut size = 1;
                    let mut opens = usize::from(array.shape.is_empty());
                    let mut closes = opens;
                    for &extent in array.shape.iter().rev() {
                        size *= extent as usize;
                        opens += usize::from(index % size == 0);
                        closes += usize::from((index + 1) % size == 0);
                    }
                    text.push_str(&"( ".repeat(opens));
                    text.push_str(&number_text(m, element, bits)?);
                    text.push_str(&" )".repeat(closes));
                    if index + 1 < array.elements.len() {
                        text.push_str(", ");
                    }
                }
            }
            _ => return unsupported("values of this kind are not printed"),
        }
    }
    text.push_str(match vector::punctuation(f.ir, op) {
        "newline" => "\n",
        "comma" => ", ",
        "open" => "( ",
        "close" => " )",
        _ => "",
    });
    m.write_output(text.as_bytes())
}

fn number_text(m: &Machine<'_>, ty: Type, bits: u128) -> Res<String> {
    let is_unsigned = ty == Type::INDEX
        || matches!(
            m.context.type_kind(ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
    Ok(match m.kind(ty)? {
        Kind::Int(1) => (bits & 1).to_string(),
        Kind::Int(_) if is_unsigned => bits.to_string(),
        Kind::Int(width) if width <= 64 => signed(bits, width).to_string(),
        Kind::Float(kind) => print::general(float::decode(kind, bits)),
        _ => return undefined("numbers of this type have no text"),
    })
}
