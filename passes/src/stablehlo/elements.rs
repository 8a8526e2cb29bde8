//! Small tensors of integers whose elements are scalars: sizes and indices of programs whose sizes are known at run time.
//!
//! JAX writes sizes as tensors, which it reshapes, adds and concatenates until an operation takes them. Element by element
//! they stay scalars here, so that equal sizes are equal values and loops have bounds that no memory holds.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::stablehlo::shapes;
use freehold_frontend::dialects::{arith, cf, linalg, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use smallvec::SmallVec;

use super::build::{shape, signless, tensor_type};
use super::moves::list;
use super::scalar;

/// Elements of a tensor that are computed one by one: the sizes of a tensor of as many dimensions.
const MAX_ELEMENTS: i64 = 16;

type Elements = SmallVec<[Value; 4]>;

/// The elements of a tensor that was made of scalars, or is a constant of so few that it takes part in computing them.
pub(super) fn known(b: &mut Builder<'_>, tensor: Value) -> Option<Elements> {
    made_of_scalars(b.ir, tensor).or_else(|| constants(b, tensor))
}

fn made_of_scalars(ir: &Ir, tensor: Value) -> Option<Elements> {
    let mut value = tensor;
    // Casts only change the sign of elements.
    while let Some(cast) = ir.defined_by(value, &builtin::UNREALIZED_CONVERSION_CAST) {
        value = ir.operand(cast, 0);
    }
    let op = ir.defined_by(value, &tensor::FROM_ELEMENTS)?;
    Some(ir.operands(op).iter().copied().collect())
}

fn constants(b: &mut Builder<'_>, tensor: Value) -> Option<Elements> {
    let n = count(b.ir, b.ir.value_type(tensor))?;
    let context = b.context();
    let dense = context.attr_dense(arith::as_constant_attr(b.ir, tensor)?)?;
    let element = signless(&context, context.element_type_or_self(dense.ty));
    let n_bytes = context.element_byte_size(element)? as usize;
    (0..n as usize)
        .map(|i| {
            let first = if dense.splat { 0 } else { i * n_bytes };
            let bytes = dense.bytes.get(first..first + n_bytes)?;
            let mut number = [0; 16];
            number.get_mut(..n_bytes)?.copy_from_slice(bytes);
            let number = u128::from_le_bytes(number) as i128;
            Some(arith::constant_int(b, element, number))
        })
        .collect()
}

/// How many integers a tensor has, if it has at most one dimension and few of them.
fn count(ir: &Ir, ty: Type) -> Option<i64> {
    let context = ir.context();
    let is_integer = matches!(
        context.type_kind(context.element_type_or_self(ty)),
        TypeKind::Integer { .. }
    );
    let n = match *context.shape(ty)? {
        [] => 1,
        [n] => n,
        _ => return None,
    };
    (is_integer && (1..=MAX_ELEMENTS).contains(&n)).then_some(n)
}

/// Whether a program has tensors of sizes that the run knows. In others small tensors are data, as the keys of random
/// numbers are: with their elements as scalars, `gillespie` (benches/models) took 2.5 times as long.
pub(super) fn has_unknown_sizes(ir: &Ir) -> bool {
    let is_unknown = |&value: &Value| {
        let shape = ir.context().shape(ir.value_type(value));
        shape.is_some_and(|shape| shape.contains(&DYNAMIC))
    };
    ir.walk(ir.root()).any(|op| {
        let blocks = ir
            .regions(op)
            .iter()
            .flat_map(|&region| ir.blocks_in(region));
        let mut arguments = blocks.flat_map(|block| ir.block_args(block));
        ir.results(op).iter().any(is_unknown) || arguments.any(is_unknown)
    })
}

/// Lowers an operation whose result is a small tensor of integers, and that has operands made of scalars.
pub(super) fn lower(b: &mut Builder<'_>, op: Op) -> Option<Vec<Value>> {
    let &[result] = b.ir.results(op) else {
        return None;
    };
    let ty = b.ir.value_type(result);
    let n = count(b.ir, ty)? as usize;
    let operands = b.ir.operands(op).to_vec();
    let of_scalars = |&operand: &Value| made_of_scalars(b.ir, operand).is_some();
    // Tensors without dimensions are scalars anyway.
    let has_dimension = |&value: &Value| !shape(b.ir, value).is_empty();
    if !operands.iter().any(of_scalars)
        || !operands.iter().chain(&[result]).any(has_dimension)
        || !b.ir.regions(op).is_empty()
    {
        return None;
    }
    let mut all = Vec::new();
    for operand in operands {
        all.push(known(b, operand)?);
    }
    let joins = [&shapes::RESHAPE, &shapes::CONCATENATE];
    let elements: Elements = if joins.iter().any(|row| b.ir.is(op, row)) {
        all.concat().into()
    } else if b.ir.is(op, &shapes::SLICE) {
        let [start, stride] = [Name::START_INDICES, Name::STRIDES].map(|name| list(b.ir, op, name));
        let places = (0..n).map(|i| start[0] as usize + i * stride[0] as usize);
        places
            .map(|i| all[0].get(i).copied())
            .collect::<Option<_>>()?
    } else if b.ir.is(op, &shapes::BROADCAST_IN_DIM) && all[0].len() == 1 {
        SmallVec::from_elem(all[0][0], n)
    } else if scalar::rows().any(|row| b.ir.is(op, row)) {
        let mut elements = Elements::new();
        for i in 0..n {
            let of_place = |all: &Elements| all.get(if all.len() == 1 { 0 } else { i }).copied();
            let operands: Vec<Value> = all.iter().map(of_place).collect::<Option<_>>()?;
            elements.push(scalar::emit(b, op, &operands)?);
        }
        elements
    } else {
        return None;
    };
    let context = b.context();
    let sizes = shape(b.ir, result);
    let ty = tensor_type(
        &context,
        &sizes,
        signless(&context, context.element_type_or_self(ty)),
    );
    Some(vec![b.value(&tensor::FROM_ELEMENTS, &elements, ty)])
}

/// What a size is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Constant(i64),
    /// That of a dimension of a value.
    Dimension(Value, i64),
    Number(Value),
}

/// Steps to what a size is, and uses of values among which a comparison with another size is looked for.
const MAX_STEPS: usize = 64;

/// Whether a dimension of a tensor is as large as a number says, where `op` stands: both are the same size, or an
/// assertion before `op` says so, as JAX writes them of arguments.
pub(super) fn is_size(ir: &Ir, op: Op, tensor: Value, dim: usize, number: Value) -> bool {
    let [size, other] = [Size::Dimension(tensor, dim as i64), Size::Number(number)];
    let [size, other] = [size, other].map(|size| resolve(ir, size));
    size == other || is_asserted(ir, op, size, other) || is_asserted(ir, op, other, size)
}

fn resolve(ir: &Ir, mut size: Size) -> Size {
    for _ in 0..MAX_STEPS {
        let next = match size {
            Size::Constant(_) => None,
            Size::Number(number) => step_of_number(ir, number),
            Size::Dimension(tensor, dim) => step_of_dimension(ir, tensor, dim),
        };
        match next {
            Some(next) => size = next,
            None => break,
        }
    }
    size
}

/// The index that an integer is: sizes fit into the integers of 32 bits that `get_dimension_size` gives.
pub(super) fn counted(ir: &Ir, number: Value) -> Option<Value> {
    let cast = ir.defined_by(number, &arith::INDEX_CAST)?;
    let index = ir.operand(cast, 0);
    let is_wide = [Type::I32, Type::I64].contains(&ir.value_type(number));
    (is_wide && ir.value_type(index) == Type::INDEX).then_some(index)
}

fn step_of_number(ir: &Ir, number: Value) -> Option<Size> {
    if let Some(constant) = arith::as_constant_int(ir, number) {
        return i64::try_from(constant).ok().map(Size::Constant);
    }
    let cast = ir.defined_by(number, &arith::INDEX_CAST);
    let narrow = cast.filter(|_| ir.value_type(number) == Type::INDEX);
    if let Some(counted) = counted(ir, number).or(narrow.map(|cast| ir.operand(cast, 0))) {
        return Some(Size::Number(counted));
    }
    let dim = ir.defined_by(number, &tensor::DIM)?;
    let at = arith::as_constant_index(ir, ir.operand(dim, 1))?;
    Some(Size::Dimension(ir.operand(dim, 0), at))
}

fn step_of_dimension(ir: &Ir, tensor: Value, dim: i64) -> Option<Size> {
    let shape = shape(ir, tensor);
    let place = usize::try_from(dim).ok()?;
    let &size = shape.get(place)?;
    if size != DYNAMIC {
        return Some(Size::Constant(size));
    }
    let op = ir.defining_op(tensor)?;
    if ir.is(op, &tensor::CAST) {
        return Some(Size::Dimension(ir.operand(op, 0), dim));
    }
    if ir.is(op, &tensor::EMPTY) {
        let before = shape[..place].iter().filter(|&&size| size == DYNAMIC);
        return Some(Size::Number(ir.operand(op, before.count())));
    }
    let result = ir.results(op).iter().position(|&result| result == tensor)?;
    let init = linalg::is_structured(ir, op).then(|| linalg::outputs(ir, op)[result])?;
    Some(Size::Dimension(init, dim))
}

/// Whether an assertion before `op` says that a size of an argument is another size.
fn is_asserted(ir: &Ir, op: Op, size: Size, other: Size) -> bool {
    let Size::Dimension(tensor, dim) = size else {
        return false;
    };
    let users_of = |value: Value| ir.uses(value).iter().take(MAX_STEPS).map(|u| u.op);
    let numbers = users_of(tensor).filter(|&user| {
        ir.is(user, &tensor::DIM) && arith::as_constant_index(ir, ir.operand(user, 1)) == Some(dim)
    });
    let casts = numbers.flat_map(|user| users_of(ir.result(user, 0)));
    let casts = casts.filter(|&user| ir.is(user, &arith::INDEX_CAST));
    let comparisons = casts.flat_map(|user| users_of(ir.result(user, 0)));
    let mut equal = comparisons.filter(|&user| {
        ir.is(user, &arith::CMPI) && CmpIPredicate::of(ir, user) == Some(CmpIPredicate::Eq) && {
            let sides = [0, 1].map(|i| resolve(ir, Size::Number(ir.operand(user, i))));
            sides == [size, other] || sides == [other, size]
        }
    });
    let is_before = |assertion: Op| {
        let block = ir.block_of(assertion);
        let around = block.and_then(|block| ir.ancestor_in_block(op, block));
        around.is_some_and(|around| ir.is_before_in_block(assertion, around))
    };
    equal.any(|comparison| {
        users_of(ir.result(comparison, 0)).any(|user| ir.is(user, &cf::ASSERT) && is_before(user))
    })
}
