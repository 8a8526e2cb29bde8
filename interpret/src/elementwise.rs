//! Operations on numbers, and on vectors and tensors of them element by element.

use freehold_frontend::ir::entities::{Op, Value as Id};

use crate::machine::{Fault, FaultKind, Frame, Machine, Res, unsupported};
use crate::value::{Scalar, Value};

/// Why an operation on numbers has no result.
pub(crate) enum Trouble {
    /// The result is poison.
    Poison(String),
    /// The behaviour is undefined.
    Undefined(String),
    /// Not interpreted.
    Unsupported(String),
}

/// The result of an operation on numbers.
pub(crate) type Number = Result<u128, Trouble>;

/// Applies `each` to the numbers of all operands; undefined numbers make undefined results.
pub(crate) fn map(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: impl Fn(&[u128]) -> Number,
) -> Res {
    // Numbers alone, which most operations work on, need no lists.
    let ids = f.ir.operands(op);
    let mut numbers = [Scalar::Bits(0); 3];
    let is_scalar = |(slot, &id): (&mut Scalar, &Id)| match f.see(id) {
        Value::Scalar(scalar) => {
            *slot = *scalar;
            true
        }
        _ => false,
    };
    if ids.len() <= 3 && numbers.iter_mut().zip(ids).all(is_scalar) {
        let result = plain(m, f, &numbers[..ids.len()], &each)?;
        f.set(op, 0, Value::Scalar(result));
        return Ok(());
    }
    let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let value = apply(m, f, &operands, |m, f, numbers| plain(m, f, numbers, &each))?;
    f.set(op, 0, value);
    Ok(())
}

/// [`map`] for operations whose operands may have to be defined in their own way.
pub(crate) fn map_scalars(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: impl Fn(&mut Machine<'_>, &Frame<'_>, &[Scalar]) -> Res<Scalar>,
) -> Res {
    let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    let value = apply(m, f, &operands, each)?;
    f.set(op, 0, value);
    Ok(())
}

/// The result of `each` for numbers, undefined where one of them is.
pub(crate) fn plain(
    m: &mut Machine<'_>,
    f: &Frame<'_>,
    numbers: &[Scalar],
    each: &dyn Fn(&[u128]) -> Number,
) -> Res<Scalar> {
    let mut bits = [0; 4];
    for (slot, &number) in bits.iter_mut().zip(numbers) {
        match number {
            Scalar::Bits(number) => *slot = number,
            undefined => return Ok(undefined),
        }
    }
    settle(m, f, each(&bits[..numbers.len().min(4)]))
}

/// A result, or what became of it.
pub(crate) fn settle(m: &mut Machine<'_>, f: &Frame<'_>, number: Number) -> Res<Scalar> {
    match number {
        Ok(bits) => Ok(Scalar::Bits(bits)),
        Err(Trouble::Poison(reason)) => Ok(m.poison(f.loc, reason)),
        Err(Trouble::Undefined(reason)) => Err(Fault::new(FaultKind::Undefined, reason)),
        Err(Trouble::Unsupported(reason)) => unsupported(reason),
    }
}

/// Applies `each` to numbers, or to the elements of arrays of one shape. Numbers among arrays stand for all
/// elements.
pub(crate) fn apply<'a>(
    m: &mut Machine<'a>,
    f: &Frame<'_>,
    operands: &[Value],
    each: impl Fn(&mut Machine<'a>, &Frame<'_>, &[Scalar]) -> Res<Scalar>,
) -> Res<Value> {
    let mut shape = None;
    let mut n = 1;
    for operand in operands {
        match operand {
            Value::Array(array) => {
                n = array.elements.len();
                shape.get_or_insert_with(|| array.shape.clone());
                if shape.as_ref() != Some(&array.shape) {
                    let mut fault = Fault::new(
                        FaultKind::Undefined,
                        format!(
                            "shapes differ: {:?} and {:?}",
                            shape.unwrap_or_default(),
                            array.shape
                        ),
                    );
                    fault.loc = Some(f.loc);
                    return Err(fault);
                }
            }
            Value::Scalar(_) => {}
            _ => return unsupported("operands that are no numbers"),
        }
    }
    let mut elements = Vec::with_capacity(n);
    let mut numbers = Vec::with_capacity(operands.len());
    for index in 0..n {
        numbers.clear();
        for operand in operands {
            numbers.push(match operand {
                Value::Array(array) => array.elements[index],
                Value::Scalar(scalar) => *scalar,
                _ => return unsupported("operands that are no numbers"),
            });
        }
        elements.push(each(m, f, &numbers)?);
    }
    Ok(match shape {
        Some(shape) => Value::array(shape, elements),
        None => Value::Scalar(elements[0]),
    })
}
